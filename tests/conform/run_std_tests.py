#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the test functions that packages of Go's library have, on vole.

`vole test` runs in the package's folder of a tree of Go's sources.  The package
under test is the one of the tree, with vole's patch, also where vole brings a
package of that name.  Where one of the tests ends the program, the others are
run in another one.

A few packages stay vole's own, since the rest of its library is made for them.
Of these the external tests run.  Where tests/conform/shim has a file for the
package, it stands for what they ask of the package's inside (export_test.go),
and `vole test` runs in a tree of links where the package is vole's.  Else those
run that need nothing of the inside: the external tests become a package of
their own, with a program that runs them one after the other.

Tests are expected to pass, at least as many by package as tests/conform/
std_expect.json says.  --go asks Go instead, where the tree is that of an
installed Go: a test counts that passes there.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402

SYSTEMS = {'aix', 'android', 'darwin', 'dragonfly', 'freebsd', 'illumos',
           'ios', 'js', 'netbsd', 'openbsd', 'plan9', 'solaris', 'wasip1',
           'windows'}
PROCESSORS = {'386', 'arm', 'arm64', 'loong64', 'mips', 'mips64', 'mips64le',
              'mipsle', 'ppc64', 'ppc64le', 'riscv64', 's390x', 'wasm'}

# The packages of the first list of evidence: pure Go.
PURE = '''archive/tar archive/zip bufio bytes compress/bzip2 compress/flate
compress/gzip compress/lzw compress/zlib container/heap container/list
container/ring context crypto/aes crypto/cipher crypto/des crypto/dsa
crypto/ecdsa crypto/ed25519 crypto/elliptic crypto/hmac crypto/md5 crypto/rand
crypto/rc4 crypto/rsa crypto/sha1 crypto/sha256 crypto/sha512 crypto/subtle
crypto/x509 database/sql database/sql/driver encoding/ascii85 encoding/asn1
encoding/base32 encoding/base64 encoding/binary encoding/csv encoding/gob
encoding/hex encoding/json encoding/pem encoding/xml errors expvar flag fmt
go/ast go/build/constraint go/constant go/doc go/doc/comment go/format
go/parser go/printer go/scanner go/token go/types hash hash/adler32 hash/crc32
hash/crc64 hash/fnv hash/maphash html html/template image image/color
image/draw image/gif image/jpeg image/png index/suffixarray io io/fs io/ioutil
log math math/big math/bits math/cmplx math/rand mime mime/multipart
mime/quotedprintable net/mail net/netip net/textproto net/url path
path/filepath regexp regexp/syntax sort strconv strings sync sync/atomic
text/scanner text/tabwriter text/template text/template/parse time unicode
unicode/utf16 unicode/utf8 cmp crypto/ecdh crypto/hkdf crypto/mlkem
crypto/pbkdf2 crypto/sha3 iter log/slog maps math/rand/v2 slices
unique'''.split()

# Those of the second: what needs the system, and what looks into the runtime.
SYSTEM = '''net net/http net/http/cookiejar net/http/httptest net/http/httputil
net/rpc os os/exec os/signal reflect testing testing/fstest testing/iotest
testing/quick testing/slogtest testing/synctest internal/poll
internal/synctest'''.split()

# Packages that stay vole's own, since the rest of its library is made for them:
# only their external tests run, those that need nothing of the tree's inside.
OWN = {'errors', 'iter', 'reflect', 'sync', 'sync/atomic', 'testing', 'unique',
       'weak'}

SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'shim')

# Packages that vole test does not check in full, since they import what Go's
# build makes, or what another architecture has, or what vole's own form of
# another package lacks: only what their tests reach is checked.  By release.
REACHED = {19: {'crypto/elliptic', 'go/types', 'io/fs'}}

# Packages that are the tree's together with the one under test: vole's own
# would import each other in a circle with it.
WITH = {'sort': ['slices'], 'os': ['syscall']}

QUICK = ['container/ring', 'context', 'crypto/md5', 'encoding/base32',
         'encoding/csv', 'encoding/pem', 'html', 'index/suffixarray',
         'net/url', 'text/scanner', 'unicode/utf16']

# What tests ask of their surroundings: no go command, no network, no cgo.
TESTENV = '''package testenv

import "testing"

func Builder() string                       { return "" }
func HasGoBuild() bool                      { return false }
func MustHaveGoBuild(t testing.TB)          { t.Skip("no go build") }
func HasGoRun() bool                        { return false }
func MustHaveGoRun(t testing.TB)            { t.Skip("no go run") }
func GoToolPath(t testing.TB) string        { t.Skip("no go tool"); return "" }
func GOROOT(t testing.TB) string            { return "@" }
func HasExec() bool                         { return false }
func MustHaveExec(t testing.TB)             { t.Skip("no exec") }
func HasSrc() bool                          { return true }
func MustHaveSource(t testing.TB)           {}
func HasExternalNetwork() bool              { return false }
func MustHaveExternalNetwork(t testing.TB)  { t.Skip("no network") }
func HasCGO() bool                          { return false }
func MustHaveCGO(t testing.TB)              { t.Skip("no cgo") }
func MustInternalLink(t testing.TB)         { t.Skip("no linker") }
func HasSymlink() bool                      { return true }
func MustHaveSymlink(t testing.TB)          {}
func HasLink() bool                         { return true }
func MustHaveLink(t testing.TB)             {}
func MustHaveParallelism(t testing.TB)      {}
func SkipFlaky(t testing.TB, issue int)     { t.Skip("flaky") }
func SkipFlakyNet(t testing.TB)             { t.Skip("flaky") }
func OptimizationOff() bool                 { return false }
func SkipIfOptimizationOff(t testing.TB)    {}
func CPUIsSlow() bool                       { return true }
func SkipIfShortAndSlow(t testing.TB)       { t.Skip("slow") }
'''

# The same where the tests are a program that can start itself.
EXEC = '''
func Executable(t testing.TB) string {
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func CleanCmdEnv(cmd *exec.Cmd) *exec.Cmd { return cmd }

func Command(t testing.TB, name string, args ...string) *exec.Cmd {
	return exec.Command(name, args...)
}
'''

# What vole's testing does not declare and test files mention.
MAIN = '''package main

import (
	"flag"
	"fmt"
	"os"
	"testing"
%s)

func main() {
	testing.Init()
	flag.Set("test.short", "true")
	flag.Parse()
	tests := []testing.InternalTest{%s}
	yes := func(pat, str string) (bool, error) { return true, nil }
	for i, t := range tests {
		fmt.Println("\\n" + os.Args[1], i, "begin")
		ok := testing.RunTests(yes, tests[i:i+1])
		fmt.Println("\\n" + os.Args[1], i, ok, t.Name)
	}
}
'''

MARK = 'VOLE-STD-TEST'


def fits(name, text, minor):
    """Whether a test file belongs to linux and amd64."""
    parts = name[:-len('_test.go')].split('_')[1:]
    if any(p in SYSTEMS | PROCESSORS for p in parts):
        return False
    m = re.search(r'^//go:build (.*)$', text.split('\npackage ')[0], re.M)
    if not m:
        return True
    tags = {'linux', 'amd64', 'unix', 'gc', 'purego', 'math_big_pure_go'}
    tags |= {'go1.%d' % i for i in range(1, minor + 1)}
    expr = re.sub(r'[A-Za-z_0-9.]+', lambda t: str(t.group() in tags),
                  m.group(1))
    for go, py in ('&&', ' and '), ('||', ' or '), ('!', ' not '):
        expr = expr.replace(go, py)
    return eval(expr)


class Package:
    """The test files of a package and the functions in them."""

    def __init__(self, root, minor, path):
        self.path = path
        self.folder = os.path.join(root, 'src', path)
        self.files = {False: [], True: []}  # by: external?
        self.tests = []                     # (external?, name)
        self.names = {}
        for name in sorted(os.listdir(self.folder)):
            if not name.endswith('_test.go'):
                continue
            with open(os.path.join(self.folder, name),
                      encoding='utf-8') as f:
                text = f.read()
            if fits(name, text, minor):
                self.add(name, text)

    def add(self, name, text):
        package = re.search(r'^package (\w+)', text, re.M).group(1)
        external = package.endswith('_test')
        if self.path in OWN and not external:
            return
        self.names[external] = package
        self.files[external].append((name, text))
        for test in re.findall(r'^func (Test\w*)\(\w+ \*testing\.T\)', text,
                               re.M):
            if not re.match(r'Test[a-z]', test):
                self.tests.append((external, test))

    def import_path(self, external):
        return self.path + ('_test' if external else '')


def link_all(source, target):
    """Links to what is in a folder.  The target becomes a real folder, lest
    anything is written through a link to the tree itself."""
    if os.path.islink(target):
        os.unlink(target)
    os.makedirs(target, exist_ok=True)
    for name in os.listdir(source):
        if not os.path.lexists(os.path.join(target, name)):
            os.symlink(os.path.join(source, name), os.path.join(target, name))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def open_path(root, work, path):
    """Makes the folders down to a package real ones, with links in them."""
    parts = path.split('/')
    for i in range(len(parts) + 1):
        above = '/'.join(['src'] + parts[:i])
        link_all(os.path.join(root, above), os.path.join(work, above))
    return os.path.join(work, 'src', path)


def shim(path):
    return os.path.join(SHIM, path.replace('/', '_') + '.go')


def make_tree(root, work, pkg):
    target = open_path(root, work, pkg.path)
    for external in False, True:
        if not pkg.files[external]:
            continue
        where = os.path.join(work, 'src', pkg.import_path(external))
        names = [n for e, n in pkg.tests if e == external]
        for name, text in pkg.files[external]:
            text = re.sub(r'^//( ?\+build|go:build).*$', '//', text,
                          flags=re.M)
            write(os.path.join(where, name[:-len('_test.go')] + '__t.go'),
                  text)
        if not names:
            continue
        write(os.path.join(where, 'zz__t.go'),
              'package %s\n\nimport "testing"\n\n%s' % (
                  pkg.names[external],
                  ''.join('func VoleTest_%s(t *testing.T) { %s(t) }\n' %
                          (n, n) for n in names)))
    make_own(root, work)
    return target


def copy_own(path, where, head=''):
    """Puts vole's own form of a package into a folder, with a line in front of
    each file."""
    for name in os.listdir(where):
        if name.endswith('.go') and '__t' not in name:
            os.unlink(os.path.join(where, name))
    own = os.path.join(common.ROOT, 'runtime/lib', path)
    for name in os.listdir(own):
        if name.endswith('.go'):
            with open(os.path.join(own, name), encoding='utf-8') as f:
                write(os.path.join(where, name), head + f.read())


def make_shimmed(root, work, pkg):
    """A tree where a package is vole's, with its external tests."""
    where = open_path(root, work, pkg.path)
    # The language is the newest, whatever that of the tree is.
    copy_own(pkg.path, where, '//go:build go1.21\n\n')
    write(os.path.join(where, 'export_test.go'), open(
        shim(pkg.path), encoding='utf-8').read())
    for name, text in pkg.files[True]:
        write(os.path.join(where, name), text)
    env = TESTENV.replace('@', root).replace('"no exec"', '"no tools"')
    env = re.sub(r'HasExec.*', 'HasExec() bool { return true }', env, 1)
    env = re.sub(r'MustHaveExec.*', 'MustHaveExec(t testing.TB) {}', env)
    env = env.replace('import "testing"',
                      'import (\n"os"\n"os/exec"\n"testing"\n)')
    at = open_path(root, work, 'internal/testenv')
    for name in os.listdir(at):
        if name.endswith('.go'):
            os.unlink(os.path.join(at, name))
    write(os.path.join(at, 'more.go'), env + EXEC)
    return where


def make_own(root, work):
    """The packages that stand for what tests need around them."""
    for path in 'internal/testenv', 'testing':
        where = open_path(root, work, path)
        if path == 'testing':
            copy_own(path, where)
            continue
        for name in os.listdir(where):
            if name.endswith('.go') and '__t' not in name:
                os.unlink(os.path.join(where, name))
        write(os.path.join(where, 'more.go'), TESTENV.replace('@', root))


class Runner:
    def __init__(self, opt, root, minor):
        self.opt, self.root, self.minor = opt, root, minor

    def command(self, pkg, work, tests, name):
        main = os.path.join(work, name + '.go')
        imports = ''.join('\tp%d "%s"\n' % (e, pkg.import_path(e))
                          for e in sorted({e for e, _ in tests}))
        write(main, MAIN % (imports, ', '.join(
            '{"%s", p%d.VoleTest_%s}' % (n, e, n) for e, n in tests)))
        return common.Tool(self.opt.vole).run_cmd(main, [MARK])

    def run(self, pkg, work, tests, name, limit):
        """Results by test, of those that came to an end; and the output."""
        r = common.run(
            self.command(pkg, work, tests, name), timeout=limit,
            cwd=pkg.folder, combine=True,
            env={'VOLEROOT': work, 'VOLETREE': 'testing' if pkg.path in OWN
                 else 'testing,' + pkg.path})
        found, at = {}, 0
        for m in re.finditer(r'^%s (\d+) (\w+).*\n' % MARK, r.out, re.M):
            if m.group(2) == 'begin':
                at = m.end()
            else:
                found[tests[int(m.group(1))]] = (
                    m.group(2) == 'true', r.out[at:m.start()])
        return found, r

    def package(self, pkg):
        """(test, why it fails or '') for each test."""
        if pkg.path not in OWN | REACHED.get(self.minor, set()):
            return self.by_vole_test(pkg, pkg.folder, self.root)
        if os.path.exists(shim(pkg.path)):
            with tempfile.TemporaryDirectory(prefix='vole-std-') as work:
                where = make_shimmed(self.root, work, pkg)
                return self.by_vole_test(pkg, where, work)
        with tempfile.TemporaryDirectory(prefix='vole-std-') as work:
            make_tree(self.root, work, pkg)
            found, _ = self.run(pkg, work, pkg.tests, 'all',
                                self.opt.timeout * 6)
            for test in pkg.tests:
                if test not in found:
                    found[test] = self.alone(pkg, work, test)
        return [('%s' % n, '' if found[e, n][0] else reason(found[e, n][1]))
                for e, n in pkg.tests]

    def alone(self, pkg, work, test):
        found, r = self.run(pkg, work, [test], test[1], self.opt.timeout)
        if test in found:
            return found[test]
        return False, (r.trouble() or '') + '\n' + r.out.replace(
            work + '/src/', '')

    def by_vole_test(self, pkg, folder, root):
        """The same from `vole test`."""
        rest, found = [n for _, n in pkg.tests], {}
        while rest:
            some, begun, r = self.vole_test(
                pkg, folder, root, rest, self.opt.timeout * 6)
            found.update(some)
            rest = [n for n in rest if n not in some and n not in begun]
            if not begun and not some:
                break
            for test in begun:
                found.update(self.by_itself(pkg, folder, root, test))
        if rest and not re.search(r'^(PASS|FAIL)$', r.out, re.M):
            why = reason(r.out.replace(folder + '/', ''))
            found.update((n, why) for n in rest)
        return [(n, found[n]) for _, n in pkg.tests if n in found]

    def by_itself(self, pkg, folder, root, test):
        """A test that has not come to its end among others."""
        some, _, r = self.vole_test(
            pkg, folder, root, [test], self.opt.timeout)
        why = (r.trouble() or '') + '\n' + r.out.replace(folder + '/', '')
        return {test: some.get(test, reason(why))}

    def vole_test(self, pkg, folder, root, tests, limit):
        """By test what `vole test` says, those that have begun and not ended,
        and all that it says."""
        words = common.Tool(self.opt.vole).words
        at = words.index('run')
        cmd = words[:at] + ['test'] + words[at + 1:] + [
            '-v', '-short', '-timeout', '%ds' % limit, '-run',
            '^(%s)$' % '|'.join(tests)]
        with_ = WITH.get(pkg.path, [])
        if root != self.root:
            with_ = [pkg.path]
        r = common.run(cmd, timeout=limit + 20, cwd=folder, combine=True,
                       env={'VOLEROOT': root, 'VOLETREE': ','.join(with_)})
        some, open_ = {}, {}
        for m in re.finditer(r'(?:^=== RUN  |--- (PASS|FAIL|SKIP):) '
                             r'(Test\w*)(?: \(|$)', r.out, re.M):
            verdict, test = m.groups()
            if verdict is None:
                open_[test] = m.end()
            else:
                start = open_.pop(test, 0)
                some[test] = '' if verdict != 'FAIL' else reason(
                    r.out[start:m.start()])
        return some, list(open_), r


def reason(text):
    lines = [s.strip() for s in text.split('\n') if s.strip() and
             not s.startswith(('--- FAIL', '=== ', '--- PASS', MARK))]
    return ' | '.join(lines[:2])[:160] or 'does not end, or says nothing'


def release(root):
    path = os.path.join(root, 'src/internal/goversion/goversion.go')
    with open(path, encoding='utf-8') as f:
        return int(re.search(r'const Version = (\d+)', f.read()).group(1))


def go_results(root, path):
    """What `go test` says of each test of a package: {name: passed}."""
    go = os.path.join(root, 'bin/go')
    out = subprocess.run([go, 'test', '-short', '-json', path], cwd=root,
                         capture_output=True, text=True).stdout
    results = {}
    for line in out.splitlines():
        event = json.loads(line) if line.startswith('{') else {}
        if event.get('Test') and event['Action'] in ('pass', 'skip', 'fail'):
            results[event['Test']] = event['Action'] != 'fail'
    return results


def percent(rows):
    return percent_of([as_reported(*r) for r in rows])


# Why a test fails that says what is matched: the first that fits.
REASONS = [
    (r'alloc|Alloc', 'counts allocations; vole has other ones'),
    (r'internal/synctest|synctest\.', 'wants testing/synctest'),
    (r'vole: unknown (command|flag)|exit status 2', 'starts itself as another '
     'process: the executable is vole'),
    (r'FIPS service indicator', 'wants to know of a FIPS module'),
    (r'undefined: |cmd/|no Go source|go tool', 'looks into the tree\'s own '
     'form, or wants Go\'s tools'),
]


def why_it_fails(text):
    quoted = '`%s`' % text.replace('`', "'").replace('](', '] (')
    for pattern, words in REASONS:
        if re.search(pattern, text):
            return '%s: %s' % (words, quoted)
    return quoted


def reported(path):
    """What such a list says: by release the packages, how many tests each has
    and passes, and the lines of those that fail."""
    known, minor = {}, None
    if not os.path.exists(path):
        return known
    with open(path, encoding='utf-8') as f:
        for line in f:
            head = re.match(r'## Go 1\.(\d+)$', line)
            row = re.match(r'\| (\S+) \| (\d+) \| (\d+) \|$', line)
            bad = re.match(r'\* (\S+) `', line)
            if head:
                minor = int(head.group(1))
                known[minor] = {}
            elif row:
                known[minor][row.group(1)] = [
                    int(row.group(2)), int(row.group(3)), []]
            elif bad:
                known[minor][bad.group(1)][2].append(line)
    return known


def as_reported(package, result):
    return [len(result), sum(not why for _, why in result),
            ['* %s `%s`: %s\n' % (package, test, why_it_fails(why))
             for test, why in result if why]]


def percent_of(rows):
    tests, good = sum(r[0] for r in rows), sum(r[1] for r in rows)
    return '%d of %d (%.1f %%)' % (good, tests, 100 * good / max(tests, 1))


def report(path, found):
    """Writes the list of failing tests: by release the rows.  Of packages that
    have not been run the list keeps what it said."""
    every = reported(path)
    for minor, rows in found.items():
        every.setdefault(minor, {}).update(
            (p, as_reported(p, r)) for p, r in rows)
    with open(path, 'w', encoding='utf-8') as f:
        f.write('# Tests of Go\'s own packages\n\n'
                'Made by `tests/conform/run_std_tests.py --report`; its head '
                'says how they are run.\n')
        for minor, known in sorted(every.items()):
            pure = sorted(p for p in known if p not in SYSTEM)
            system = sorted(p for p in known if p in SYSTEM)
            f.write('\n## Go 1.%d\n\nOf the test functions of %d packages in '
                    'pure Go %s pass, of those of %d that need the system or '
                    'look into the runtime %s.\n' % (
                        minor, len(pure), percent_of([known[p] for p in pure]),
                        len(system), percent_of([known[p] for p in system])))
            f.write('\n| package | tests | pass |\n|---|---|---|\n')
            for p in pure + system:
                f.write('| %s | %d | %d |\n' % (p, *known[p][:2]))
            f.write('\n')
            for p in pure + system:
                f.writelines(known[p][2])


def run_tree(opt, root, minor):
    """Rows of package and results, of one tree."""
    paths = opt.packages or (QUICK if opt.quick else PURE + SYSTEM)
    paths = [p for p in paths if os.path.isdir(os.path.join(root, 'src', p))]
    runner = Runner(opt, root, minor)
    rows = []
    print('Go 1.%d: %s' % (minor, root))
    for path, result in common.parallel(
            lambda p: runner.package(Package(root, minor, p)), paths, opt.j):
        if opt.go:
            passed = go_results(root, path)
            result = [(t, w) for t, w in result if passed.get(t, True)]
        rows.append((path, result))
        bad = [(t, w) for t, w in result if w]
        print('%-24s %4d of %4d' % (path, len(result) - len(bad),
                                    len(result)), flush=True)
        for test, why in bad if opt.v else ():
            print('    %s: %s' % (test, why), flush=True)
    return sorted(rows)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--root', metavar='TREE',
                    help='instead of all that are installed')
    ap.add_argument('--quick', action='store_true', help='some packages only')
    ap.add_argument('--go', action='store_true')
    ap.add_argument('--expect', metavar='FILE',
                    help='least numbers of passing tests, by package')
    ap.add_argument('--record', metavar='FILE', help='writes such a file')
    ap.add_argument('--report', metavar='FILE.md',
                    help='a list of those that fail; of other packages it '
                    'keeps what it has')
    ap.add_argument('--timeout', type=float, default=20)
    ap.add_argument('-j', type=int, default=2)
    ap.add_argument('-v', action='store_true')
    ap.add_argument('packages', nargs='*')
    opt = ap.parse_args()
    roots = [opt.root] if opt.root else common.go_trees()
    if not roots:
        print('there are no sources of Go')
        common.summary(0, 0, 1)
        return 0
    found = {}
    for root in roots:
        minor = release(root)
        if minor not in found:
            found[minor] = run_tree(opt, root, minor)
    if opt.report:
        report(opt.report, found)
    failed = sum(verdict(opt, minor, rows) for minor, rows in found.items())
    common.summary(sum(len(r) for r in found.values()) - failed, failed, 0)
    return 1 if failed else 0


def record(path, key, counts):
    known = {}
    if os.path.exists(path):
        with open(path, encoding='utf-8') as f:
            known = json.load(f)
    known.setdefault(key, {}).update(counts)
    with open(path, 'w', encoding='utf-8') as f:
        json.dump(known, f, indent=1, sort_keys=True)
        f.write('\n')


def verdict(opt, minor, rows):
    """How many packages have fewer passing tests than they had."""
    counts = {p: sum(not why for _, why in r) for p, r in rows}
    key, failed = '1.%d' % minor, []
    print('Go 1.%d: %s test functions pass' % (minor, percent(rows)))
    if opt.record:
        record(opt.record, key, counts)
    if opt.expect:
        with open(opt.expect, encoding='utf-8') as f:
            least = json.load(f).get(key, {})
        failed = [p for p in counts if counts[p] < least.get(p, 0)]
        for p in failed:
            print('FAIL Go 1.%d, %s: %d tests pass, %d did' % (
                minor, p, counts[p], least[p]))
    return len(failed)


if __name__ == '__main__':
    sys.exit(main())
