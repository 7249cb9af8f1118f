#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the scripts below tests/script and compares what they print.

A script is a file NAME.go, or a folder NAME.dir with the files of one
package (main.go leads).  Its first line says what is expected of it:
  // run         exit status 0
  // panic       a Go panic: exit status 2, message and traceback on stderr
  // fatal       a fatal error of the runtime: exit status 2
  // errorcheck  rejected by the compiler with exactly the errors marked by
                 // ERROR "re" comments
The comment lines after it may add:
  // concurrent       also run many times at several GOMAXPROCS
  // concurrent: N    the same, at most N times each: it is a long one
  // exit: N          another exit status than the usual one
  // args: a b        arguments
  // stdin: text      standard input, with Go's escapes
  // env: K=V         an environment variable
  // timeout: N       seconds, instead of 30
  // traces           traces by itself, so prints something else with -trace
  // tree [N]         imports what vole takes from a tree of Go's sources, so
                      is left out where there is none, or none of Go 1.N
  // own words         says something else than Go's compiler, on purpose
  // go-trace: N      Go's own tool, slow on its trace, reads only the traces of
                      the first N of several GOMAXPROCS
NAME.out holds stdout and stderr together.  What depends on the machine or on
the implementation is made equal first (see normalise): goroutine numbers,
addresses, arguments in tracebacks, folders of file names, and frames of the
library.  The .out files are what the real go printed (--promote with
--vole 'go run'); vole's own output is never promoted unreviewed.
"""

import argparse
import glob
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'conform'))
import common  # noqa: E402
import run_errorcheck  # noqa: E402
import tracecheck  # noqa: E402

KINDS = {'run': 0, 'panic': 2, 'fatal': 2, 'errorcheck': 1}


class Script:
    def __init__(self, path):
        self.path = path
        self.name = os.path.relpath(path, HERE)
        lead = os.path.join(path, 'main.go') if os.path.isdir(path) else path
        self.lead = lead
        self.out = re.sub(r'\.(go|dir)$', '.out', path)
        with open(lead, encoding='utf-8') as f:
            lines = f.read().split('\n')
        if lines[0].startswith('#!'):
            lines = lines[1:]
        self.kind = lines[0][3:].strip() if lines[0].startswith('// ') else ''
        if self.kind not in KINDS:
            sys.exit('%s: the first line names no kind of script' % self.name)
        self.status = KINDS[self.kind]
        self.repeat = 0             # times in a row at most; 0: never
        self.traces = False
        self.own_words = False
        self.tree = 0
        self.go_trace = sys.maxsize
        self.args = []
        self.env = {}
        self.stdin = b''
        self.timeout = 30.0
        for line in lines[1:]:
            if not line.startswith('//'):
                break
            self.option(line[2:].strip())

    def option(self, text):
        key, _, value = text.partition(':')
        value = value.strip()
        if key == 'concurrent':
            self.repeat = int(value or sys.maxsize)
        elif text == 'traces':
            self.traces = True
        elif text == 'own words':
            self.own_words = True
        elif re.fullmatch(r'tree( \d+)?', text):
            self.tree = int(text[5:] or 1)
        elif key == 'go-trace':
            self.go_trace = int(value)
        elif key == 'exit':
            self.status = int(value)
        elif key == 'args':
            self.args = value.split()
        elif key == 'stdin':
            self.stdin = value.encode().decode('unicode_escape').encode()
        elif key == 'env':
            name, _, val = value.partition('=')
            self.env[name] = val
        elif key == 'timeout':
            self.timeout = float(value)


def find_scripts(patterns):
    found = []
    for base, dirs, files in os.walk(HERE):
        dirs[:] = sorted(d for d in dirs if d != '__pycache__')
        for d in [d for d in dirs if d.endswith('.dir')]:
            dirs.remove(d)
            found.append(os.path.join(base, d))
        found += [os.path.join(base, f) for f in files if f.endswith('.go')]
    scripts = [Script(p) for p in sorted(found)]
    if patterns:
        scripts = [s for s in scripts if any(
            p in s.name or os.path.abspath(p) == s.path for p in patterns)]
    return scripts


FRAME = re.compile(r'^(?P<fn>[^\s(][^\n]*)\((?P<args>[^()\n]*)\)\n'
                   r'\t(?P<file>[^\n]*?):(?P<line>\d+)[^\n]*$', re.M)
HEAD = re.compile(r'^goroutine \d+ (?:gp=\S+ m=(?P<m>\S+) (?:mp=\S+ )?)?\[',
                  re.M)
CREATED = re.compile(r'^created by (?P<fn>\S+)(?: in goroutine \d+)?\n'
                     r'\t(?P<file>[^\n]*?):(?P<line>\d+)[^\n]*$', re.M)


def normalise(text, script):
    """Makes outputs of different machines and implementations comparable."""
    if script.kind == 'errorcheck':
        return normalise_errors(text)
    if script.status != 2 and 'goroutine ' not in text:
        return text
    head, sep, dump = split_dump(text)
    head = re.sub(r'\b0x[0-9a-f]+', '0xN', head)
    head = re.sub(r'^runtime: sp=.*\n', '', head, flags=re.M)
    head = re.sub(r'^runtime stack:\n(?:.+\n)*\n', '', head, flags=re.M)
    if not sep:
        return head
    system = script.env.get('GOTRACEBACK') == 'system'
    return head + sort_goroutines(dump, system)


def split_dump(text):
    m = HEAD.search(text)
    if not m:
        return text, '', ''
    return text[:m.start()], True, text[m.start():]


def head(m, first):
    """The first line of a goroutine: that it names structures of the runtime,
    not which."""
    names = '' if m.group('m') is None else 'gp=0xN m=nil ' if \
        m.group('m') == 'nil' else 'gp=0xN m=N mp=0xN '
    return 'goroutine %s %s[' % ('1' if first else 'N', names)


def frame(m, system):
    """One frame of a traceback: only the script's own are kept, since the
    library's files and lines are those of the implementation, and, if asked
    for, the one that ends each stack."""
    fn = m.group('fn')
    if fn == 'runtime.goexit' and system:
        return '%s(%s)' % (fn, m.group('args'))
    if not fn.startswith('main.'):
        return ''
    return '%s(...)\n\t%s:%s' % (fn, os.path.basename(m.group('file')),
                                 m.group('line'))


def created(m):
    """Of a library's go statement the line is the implementation's."""
    line = ':' + m.group('line') if m.group('fn').startswith('main.') else ''
    return 'created by %s\n\t%s%s' % (
        m.group('fn'), os.path.basename(m.group('file')), line)


def sort_goroutines(dump, system):
    blocks = []
    for block in re.split(r'\n\n+', dump.strip('\n')):
        first = block.startswith('goroutine 1 ')
        block = CREATED.sub(created, block)
        block = FRAME.sub(lambda m: frame(m, system), block)
        block = HEAD.sub(lambda m: head(m, first), block)
        block = re.sub(r', \d+ minutes', '', block)
        # A recursion too deep to print is cut at an arbitrary place.
        block = re.sub(r'^\.\.\.\d* ?(?:additional )?frames elided\.\.\.\n', '',
                       block, flags=re.M)
        block = re.sub(r'^(main\..*\n\t.*\n)\1+', r'\1', block, flags=re.M)
        block = re.sub(r'\n\n+', '\n', block.strip('\n'))
        if not block.startswith('goroutine ') or 'main.' in block:
            blocks.append((not first, block))
    return '\n\n'.join(b for _, b in sorted(blocks)) + '\n'


def normalise_errors(text):
    lines = []
    for line in text.split('\n'):
        # Details on lines of their own, and the note that more was left out,
        # are not compared.
        if not line.strip() or line[0] in '#\t' or \
                line.endswith('too many errors'):
            continue
        line = re.sub(r'^(?:vole: )?\S*?([^/\s]+\.go:\d+:\d+: )', r'\1', line)
        line = re.sub(r'\S*/(?=[^/\s]+\.go:\d+:\d+)', '', line)
        lines.append(line)
    return '\n'.join(lines) + '\n'


def execute(tool, script, env=None, flags=()):
    """Runs a script; returns (Result, exit status, normalised output)."""
    full = {**(env or {}), **(common.go_env() if tool.kind == 'go' else {}),
            **script.env}
    if script.kind == 'errorcheck':
        cmd = tool.check_cmd(script.path, every=False)
    else:
        cmd = tool.run_cmd(script.path, script.args, flags)
    r = common.run(cmd, timeout=script.timeout, stdin=script.stdin, env=full,
                   combine=True, cwd=os.path.dirname(script.path))
    status, text = r.status, r.out
    if tool.kind == 'go' and script.kind != 'errorcheck':
        # `go run` reports the status of the program instead of its own.
        m = re.search(r'^exit status (\d+)\n\Z', text, re.M)
        if m and status == 1:
            status, text = int(m.group(1)), text[:m.start()]
    return r, status, normalise(text, script)


def compare(script, r, status, got):
    """'' or the reason of failure."""
    trouble = r.trouble()
    if trouble and not (script.status and trouble.startswith('crash') and
                        status == script.status):
        return trouble
    if status != script.status:
        return 'exit status %s, want %d\n%s' % (status, script.status,
                                                tail(got))
    if not os.path.exists(script.out):
        return 'no file %s (see --promote)' % os.path.basename(script.out)
    with open(script.out, encoding='utf-8') as f:
        want = f.read()
    if got != want:
        return 'output differs\n' + diff(want, got)
    if script.kind == 'errorcheck':
        return check_marks(script, got)
    return ''


def check_marks(script, got):
    with open(script.path, encoding='utf-8') as f:
        marks = run_errorcheck.wanted(script.path, f.read())
    found = run_errorcheck.reported(script.path, got)
    if set(marks) != set(found):
        return run_errorcheck.difference(marks, found)
    if not run_errorcheck.text_matches(marks, found):
        return 'a message does not match its mark\n' + tail(got)
    return ''


def tail(text, n=15):
    return '\n'.join('    ' + s for s in text.split('\n')[-n:])


def diff(want, got, n=40):
    import difflib
    lines = list(difflib.unified_diff(want.split('\n'), got.split('\n'),
                                      'want', 'got', lineterm='', n=2))
    return '\n'.join('    ' + s for s in lines[:n])


class Count:
    def __init__(self):
        self.good = self.bad = self.skipped = 0

    def add(self, name, why):
        if why:
            self.bad += 1
            print('FAIL %s: %s' % (name, why), flush=True)
        else:
            self.good += 1


def run_all(opt, tool, scripts, count):
    def one(s):
        if opt.first and count.bad:
            return ''
        r, status, got = execute(tool, s)
        if opt.promote:
            return promote(s, r, status, got)
        return compare(s, r, status, got)

    for s, why in common.parallel(one, scripts, opt.j):
        count.add(s.name, why)
        if opt.v and not why:
            print('ok   ' + s.name)


def promote(script, r, status, got):
    if r.trouble() or status != script.status:
        return 'not promoted: exit status %s %s\n%s' % (status, r.trouble(),
                                                        tail(got))
    with open(script.out, 'w', encoding='utf-8') as f:
        f.write(got)
    return check_marks(script, got) if script.kind == 'errorcheck' else ''


def run_repeated(opt, tool, scripts, count):
    """The concurrent scripts, many times at each GOMAXPROCS."""
    for s in [s for s in scripts if s.repeat]:
        for procs in opt.procs:
            def one(_, s=s, procs=procs):
                if opt.first and count.bad:
                    return ''
                return compare(s, *execute(tool, s, {'GOMAXPROCS': procs}))
            whys = [w for _, w in common.parallel(
                one, range(min(opt.repeat, s.repeat)), opt.j)]
            bad = [w for w in whys if w]
            count.add('%s (GOMAXPROCS=%s, %d of %d runs)' %
                      (s.name, procs, len(bad), len(whys)),
                      bad[0] if bad else '')


def run_with_go(opt, scripts, count):
    """The committed outputs against the real go."""
    if shutil.which('go') is None:
        print('go is not installed: the expected outputs are not compared '
              'with it')
        count.skipped += 1
        return
    count.skipped += sum(s.own_words for s in scripts)
    run_all(opt, common.Tool('go run'),
            [s for s in scripts if not s.own_words], count)


def run_traced(opt, tool, scripts, count):
    """Every script with -trace; the file must satisfy vole-trace and, when
    it is installed, Go's own trace tool."""
    if tool.kind != 'vole':
        sys.exit('--trace needs vole itself')
    checker = tracecheck.Checker(opt.vole_trace, slow=opt.slow)
    if not checker.has_go:
        print('go is not installed: the traces are read by vole-trace only')
        count.skipped += 1
    work = tempfile.mkdtemp(prefix='vole-trace-')

    def one(job):
        s, procs, nth = job
        path = os.path.join(work, re.sub(r'\W', '_', s.name) + procs)
        r, status, got = execute(tool, s, {'GOMAXPROCS': procs},
                                 ('-trace', path))
        why = r.trouble() if s.traces else compare(s, r, status, got)
        why = why or checker.check(path, nth < s.go_trace)
        if os.path.exists(path) and not opt.keep:
            os.unlink(path)
        return why

    try:
        jobs = [(s, p, i) for s in scripts if s.kind != 'errorcheck'
                for i, p in enumerate(opt.procs)]
        for (s, p, _), why in common.parallel(one, jobs, opt.j):
            count.add('%s (traced, GOMAXPROCS=%s)' % (s.name, p), why)
    finally:
        if opt.keep:
            print('traces are in', work)
        else:
            shutil.rmtree(work, ignore_errors=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('scripts', nargs='*', help='parts of names (default all)')
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--vole-trace', metavar='CMD',
                    default=common.default_vole_trace())
    ap.add_argument('--promote', action='store_true',
                    help='write the .out files from this run')
    ap.add_argument('--go', action='store_true',
                    help='compare the .out files with the real go instead')
    ap.add_argument('--repeat', type=int, default=0, metavar='N',
                    help='run the concurrent scripts N times at each --procs')
    ap.add_argument('--procs', default='1,2,8')
    ap.add_argument('--trace', action='store_true',
                    help='run with -trace at each --procs and check the file')
    ap.add_argument('--keep', action='store_true', help='keep the traces')
    ap.add_argument('--slow', type=float, default=1, metavar='FACTOR',
                    help='multiply time limits (sanitizers)')
    ap.add_argument('--first', action='store_true',
                    help='leave the rest out after the first failure')
    ap.add_argument('--oldest', action='store_true',
                    help='with the oldest tree of Go\'s sources, not the newest')
    ap.add_argument('--list', action='store_true')
    ap.add_argument('-j', type=int, default=2)
    ap.add_argument('-v', action='store_true')
    opt = ap.parse_args()
    opt.procs = opt.procs.split(',')
    scripts = find_scripts(opt.scripts)
    for s in scripts:
        s.timeout *= opt.slow
    if opt.list:
        for s in scripts:
            print(s.kind, 'concurrent' if s.repeat else '-', s.name)
        return 0
    count = Count()
    if not opt.go:
        trees = common.use_oldest_tree() if opt.oldest else common.go_trees()
        newest = max(map(common.tree_minor, trees), default=0)
        left = [s.name for s in scripts if s.tree > newest]
        if left:
            print('there are no sources of Go, or none new enough: left out '
                  'are %s' % ' '.join(left))
        count.skipped += len(left)
        scripts = [s for s in scripts if s.tree <= newest]
    if opt.go:
        run_with_go(opt, scripts, count)
    else:
        tool = common.Tool(opt.vole)
        if opt.trace:
            run_traced(opt, tool, scripts, count)
        elif opt.repeat:
            run_repeated(opt, tool, scripts, count)
        else:
            run_all(opt, tool, scripts, count)
    common.summary(count.good, count.bad, count.skipped)
    return 1 if count.bad else 0


if __name__ == '__main__':
    sys.exit(main())
