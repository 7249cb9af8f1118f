#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vole mod download against proxies made here: files in a folder, by file://
and by http.  What lands in the cache is compared with what was packed, and,
where Go is installed, a build by the real go takes it as its own."""

import argparse
import base64
import functools
import hashlib
import http.server
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402


def escape(name):
    return re.sub('[A-Z]', lambda m: '!' + m.group(0).lower(), name)


def hash1(files):
    """The sum of go.sum over names and contents."""
    text = ''.join('%s  %s\n' % (hashlib.sha256(files[n]).hexdigest(), n)
                   for n in sorted(files))
    return 'h1:' + base64.b64encode(
        hashlib.sha256(text.encode()).digest()).decode()


class Module:
    def __init__(self, path, version, mod, files):
        self.path, self.version, self.mod = path, version, mod.encode()
        prefix = '%s@%s/' % (path, version)
        self.files = {prefix + n: t.encode() for n, t in files.items()}
        self.files[prefix + 'go.mod'] = self.mod

    def sums(self):
        return '%s %s %s\n%s %s/go.mod %s\n' % (
            self.path, self.version, hash1(self.files),
            self.path, self.version, hash1({'go.mod': self.mod}))

    def zip(self, files=None):
        out = io.BytesIO()
        with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
            for name, data in (files or self.files).items():
                z.writestr(name, data)
        return out.getvalue()

    def publish(self, proxy, data=None):
        at = os.path.join(proxy, escape(self.path), '@v')
        os.makedirs(at, exist_ok=True)
        for ext, text in (('mod', self.mod), ('zip', data or self.zip()),
                          ('info', b'{"Version":"%s"}'
                           % self.version.encode())):
            with open(os.path.join(at, self.version + '.' + ext), 'wb') as f:
                f.write(text)


LIB = Module('example.net/Some/Lib', 'v1.2.3',
             'module example.net/Some/Lib\n\ngo 1.16\n\n'
             'require example.net/dep v0.1.0\n',
             {'lib.go': 'package lib\n\nimport "example.net/dep"\n\n'
                        'var Name = "lib with " + dep.Name\n',
              'empty.txt': '', 'big.txt': 'x' * 100000})
DEP = Module('example.net/dep', 'v0.1.0', 'module example.net/dep\n',
             {'dep.go': 'package dep\n\nvar Name = "dep"\n'})
MAIN = ('module example.net/main\n\ngo 1.16\n\n'
        'require example.net/Some/Lib v1.2.3\n')
PROGRAM = ('package main\n\nimport lib "example.net/Some/Lib"\n\n'
           'func main() { println(lib.Name) }\n')


class World:
    """A folder with a program, a cache and proxies."""

    def __init__(self, top, vole):
        self.vole = vole
        self.main = os.path.join(top, 'main')
        self.cache = os.path.join(top, 'cache')
        self.proxy = os.path.join(top, 'proxy')
        self.empty = os.path.join(top, 'empty')
        for d in (self.main, self.proxy, self.empty):
            os.mkdir(d)
        self.write('go.mod', MAIN)
        self.write('main.go', PROGRAM)
        self.write('go.sum', LIB.sums() + DEP.sums())
        LIB.publish(self.proxy)
        DEP.publish(self.proxy)
        self.env = {'GOMODCACHE': self.cache, 'GOENV': 'off',
                    'GOPROXY': 'file://' + self.proxy, 'GOPRIVATE': '',
                    'GONOPROXY': '', 'GOWORK': 'off', 'GONOSUMDB': '*',
                    'GOTOOLCHAIN': 'local', 'GOFLAGS': '-modcacherw'}

    def write(self, name, text):
        with open(os.path.join(self.main, name), 'w') as f:
            f.write(text)

    def read(self, name):
        with open(os.path.join(self.main, name)) as f:
            return f.read()

    def run(self, *words, cmd=None):
        r = common.run((cmd or self.vole) + list(words), timeout=120,
                       env=self.env, cwd=self.main)
        trouble = r.trouble()
        if trouble:
            raise AssertionError(trouble + '\n' + r.out + r.err)
        return r

    def download(self, *flags):
        return self.run('mod', 'download', *flags)


def expect(r, status, pattern=''):
    if r.status != status or not re.search(pattern, r.out + r.err):
        raise AssertionError('status %s, wanted %d and %r:\n%s' % (
            r.status, status, pattern, r.out + r.err))


def files_arrive(w):
    expect(w.run('run', '.'), 1, 'to fetch it:\n\tvole mod download')
    expect(w.download(), 0, 'downloading example.net/Some/Lib v1.2.3')
    for m in (LIB, DEP):
        for name, data in m.files.items():
            with open(os.path.join(w.cache, escape(name)), 'rb') as f:
                assert f.read() == data, name
    at = os.path.join(w.cache, 'cache/download/example.net/!some/!lib/@v')
    with open(os.path.join(at, 'v1.2.3.ziphash')) as f:
        assert f.read() == hash1(LIB.files)
    expect(w.run('run', '.'), 0, '^lib with dep\n')
    w.env['GOPROXY'] = 'off'
    expect(w.download(), 0)


def go_takes_it(w):
    if not shutil.which('go'):
        return 'skipped'
    expect(w.download(), 0)
    w.env['GOPROXY'] = 'off'
    expect(w.run('mod', 'verify', cmd=['go']), 0, 'all modules verified')
    expect(w.run('run', '.', cmd=['go']), 0, '^lib with dep\n')
    return None


def over_http(w):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=w.proxy)
    with http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler) as s:
        threading.Thread(target=s.serve_forever, daemon=True).start()
        url = 'http://127.0.0.1:%d' % s.server_address[1]
        w.env['GOPROXY'] = url + '/nothing/here,' + url
        expect(w.download('-q'), 0, '^$')
        s.shutdown()
    expect(w.run('run', '.'), 0, '^lib with dep\n')


def proxies(w):
    good = w.env['GOPROXY']
    w.env['GOPROXY'] = 'off'
    expect(w.download(), 1, 'module lookup disabled by GOPROXY=off')
    w.env['GOPROXY'] = 'file://' + w.empty
    expect(w.download(), 1, 'not found on any proxy')
    w.env['GOPROXY'] = 'file://' + w.empty + ',direct'
    expect(w.download(), 1, 'does not fetch from version control')
    w.env['GOPROXY'] = 'http://127.0.0.1:1,' + good
    expect(w.download(), 1, '127.0.0.1')
    w.env['GOPROXY'] = good
    w.env['GOPRIVATE'] = 'example.org,*.net/Some'
    expect(w.download(), 1, 'does not fetch from version control')
    w.env['GOPRIVATE'] = ''
    w.env['GOPROXY'] = 'http://127.0.0.1:1|' + good
    expect(w.download(), 0)


def sums(w):
    good = w.read('go.sum')
    for line in range(4):
        lines = good.split('\n')
        head, h = lines[line].rsplit('h1:', 1)
        lines[line] = head + 'h1:' + h.swapcase()
        w.write('go.sum', '\n'.join(lines))
        expect(w.download(), 1, 'checksum mismatch')
        assert not os.path.exists(os.path.join(
            w.cache, ['example.net/!some/!lib@v1.2.3', '', '', ''][line]
            or 'nothing'))
        shutil.rmtree(w.cache, ignore_errors=True)
    os.remove(os.path.join(w.main, 'go.sum'))
    expect(w.download(), 1, 'missing go.sum entry for go.mod file')
    expect(w.download('-sum'), 0)
    assert sorted(w.read('go.sum').split()) == sorted(good.split())
    expect(w.run('run', '.'), 0, '^lib with dep\n')


def used(w):
    """What programs are made of has to be what go.sum knows."""
    expect(w.download(), 0)
    good = w.read('go.sum')
    lines = good.rstrip('\n').split('\n')

    def without(*drop):
        w.write('go.sum', '\n'.join(
            x for i, x in enumerate(lines) if i not in drop) + '\n')

    without(0)
    expect(w.run('run', '.'), 1,
           'main.go:3:8: missing go.sum entry for module providing package '
           'example.net/Some/Lib \\(imported by example.net/main\\); to add:')
    expect(w.run('check', 'example.net/dep'), 0)
    without(1)
    expect(w.run('check', '.'), 1,
           'main.go:3:8: example.net/Some/Lib@v1.2.3: missing go.sum entry '
           'for go.mod file; to add it:')
    without(2)
    expect(w.run('check', '.'), 1,
           r'!some/!lib@v1.2.3/lib.go:3:8: missing go.sum entry for module '
           r'providing package example.net/dep \(imported by '
           r'example.net/Some/Lib\)')
    os.remove(os.path.join(w.main, 'go.sum'))
    w.env['GOFLAGS'] = '-modcacherw -mod=mod'
    expect(w.run('run', '.'), 0, '^lib with dep\n')
    w.env['GOFLAGS'] = '-modcacherw'
    for i, part in enumerate(['', '/go.mod', '', '/go.mod']):
        bad = lines[:]
        head, h = bad[i].rsplit('h1:', 1)
        bad[i] = head + 'h1:' + h.swapcase()
        w.write('go.sum', '\n'.join(bad) + '\n')
        name = ('example.net/Some/Lib@v1.2.3', 'example.net/dep@v0.1.0')[i > 1]
        expect(w.run('run', '.'), 1,
               '^verifying %s%s: checksum mismatch\n\tdownloaded: h1:%s\n'
               '\tgo.sum:     h1:%s\n\nSECURITY ERROR\n' % (
                   name, part, re.escape(h), re.escape(h.swapcase())))
    # Without what was noted when it was fetched the zip itself counts.
    at = os.path.join(w.cache, 'cache/download/example.net/dep/@v/v0.1.0.')
    bad = lines[:]
    bad[2] = bad[2][:-1] + ('=' if bad[2][-1] != '=' else 'A')
    w.write('go.sum', '\n'.join(bad) + '\n')
    os.remove(at + 'ziphash')
    expect(w.run('run', '.'), 1, '^verifying example.net/dep@v0.1.0: ')
    w.write('go.sum', good)
    expect(w.run('run', '.'), 0, '^lib with dep\n')


def verified(w):
    """vole mod verify notices each change in the cache, as go does."""
    tools = [w.vole] + ([['go']] if shutil.which('go') else [])
    expect(w.download(), 0)
    at = os.path.join(w.cache, 'cache/download/example.net/dep/@v/v0.1.0.')
    source = os.path.join(w.cache, 'example.net/dep@v0.1.0/dep.go')

    def all_say(status, text):
        for tool in tools:
            r = w.run('mod', 'verify', cmd=tool)
            expect(r, status, text)

    all_say(0, '^all modules verified\n$')
    os.chmod(source, 0o644)
    with open(source, 'a') as f:
        f.write('\n')
    all_say(1, r'^example.net/dep v0.1.0: dir has been modified \(.*'
               r'/example.net/dep@v0.1.0\)\n')
    with open(source, 'wb') as f:
        f.write(list(DEP.files.values())[0])
    extra = os.path.join(os.path.dirname(source), 'sub', 'new.go')
    os.makedirs(os.path.dirname(extra))
    with open(extra, 'w') as f:
        f.write('package sub\n')
    all_say(1, 'dep v0.1.0: dir has been modified')
    shutil.rmtree(os.path.dirname(extra))
    all_say(0, '^all modules verified\n$')
    with open(at + 'zip', 'rb') as f:
        zipped = f.read()
    with open(at + 'zip', 'wb') as f:
        f.write(DEP.zip({'example.net/dep@v0.1.0/dep.go': b'package x\n'}))
    all_say(1, r'^example.net/dep v0.1.0: zip has been modified \(.*'
               r'/v0.1.0.zip\)\n')
    with open(at + 'zip', 'wb') as f:
        f.write(zipped)
    os.remove(at + 'ziphash')
    all_say(1, '^example.net/dep v0.1.0: missing ziphash: open ')
    os.remove(at + 'zip')
    shutil.rmtree(os.path.dirname(source))
    all_say(0, '^all modules verified\n$')


def questions(w):
    """mod graph and mod why fetch what they need to know."""
    want = {
        'graph': 'example.net/main example.net/Some/Lib@v1.2.3\n'
                 'example.net/main go@1.16\n'
                 'example.net/Some/Lib@v1.2.3 example.net/dep@v0.1.0\n',
        'why example.net/dep nowhere':
            '# example.net/dep\nexample.net/main\nexample.net/Some/Lib\n'
            'example.net/dep\n\n# nowhere\n'
            '(main module does not need package nowhere)\n',
        'why -m example.net/dep':
            '# example.net/dep\nexample.net/main\nexample.net/Some/Lib\n'
            'example.net/dep\n'}
    tools = [w.vole] + ([['go']] if shutil.which('go') else [])
    for tool in tools:
        for words in sorted(want):
            shutil.rmtree(w.cache, ignore_errors=True)
            r = w.run('mod', *words.split(), cmd=tool)
            assert (r.status, r.out) == (0, want[words]), (
                tool, words, r.out, r.err)
    shutil.rmtree(w.cache, ignore_errors=True)
    w.env['GOPROXY'] = 'off'
    expect(w.run('mod', 'graph'), 1, 'module lookup disabled by GOPROXY=off')
    expect(w.run('mod', 'why', '-m', 'nowhere'), 1, 'GOPROXY=off|not a known')


def evil(w):
    """Zips that are not what they should be leave nothing outside."""
    prefix = 'example.net/Some/Lib@v1.2.3/'
    for name in ('../../../evil', prefix + '../../evil', '/evil',
                 prefix + 'a//b', 'example.net/other@v1.0.0/x',
                 prefix + 'a\\..\\b'):
        LIB.publish(w.proxy, LIB.zip({name: b'evil'}))
        expect(w.download(), 1)
        LIB.publish(w.proxy, LIB.zip({name: b'evil'}))
        w.write('go.sum', DEP.sums() + re.sub(
            'v1.2.3 h1:.*', 'v1.2.3 ' + hash1({name: b'evil'}), LIB.sums()))
        expect(w.download(), 1, 'not allowed|unexpected file name')
    for path, _, names in os.walk(os.path.dirname(w.cache)):
        assert 'evil' not in names, path
    w.write('go.sum', LIB.sums() + DEP.sums())
    whole = LIB.zip()
    for cut in (0, 10, len(whole) // 2, len(whole) - 10):
        LIB.publish(w.proxy, whole[:cut] or b'x')
        expect(w.download(), 1, 'zip: ')
    for at in range(40, len(whole), len(whole) // 23):
        LIB.publish(w.proxy, whole[:at] + bytes([whole[at] ^ 0x55])
                    + whole[at + 1:])
        r = w.download()
        assert r.status == 1 or at > 0 and hash1(LIB.files) in open(
            os.path.join(w.cache, 'cache/download/example.net/!some/!lib/@v',
                         'v1.2.3.ziphash')).read()
        shutil.rmtree(w.cache, ignore_errors=True)


def tidied(w):
    at = os.path.join(w.proxy, escape(LIB.path), '@v', 'list')
    with open(at, 'w') as f:
        f.write('v1.2.3\nv1.0.0-pre\n')
    os.remove(os.path.join(w.main, 'go.sum'))
    w.write('go.mod', '// A main module.\nmodule example.net/main\ngo 1.18\n'
            'require example.net/gone v1.0.0 // indirect\n'
            'exclude example.net/gone v1.0.0\n')
    expect(w.run('mod', 'tidy', '-diff', '-v'), 1,
           r'\+require example.net/Some/Lib v1.2.3\n')
    assert 'Lib' not in w.read('go.mod')
    expect(w.run('mod', 'tidy', '-x'), 0,
           'go: finding module for package example.net/Some/Lib\n'
           '(# get .*\n)+'
           'go: found example.net/Some/Lib in example.net/Some/Lib v1.2.3\n')
    text = ('// A main module.\nmodule example.net/main\n\ngo 1.18\n\n'
            'require example.net/Some/Lib v1.2.3\n\n'
            'exclude example.net/gone v1.0.0\n\n'
            'require example.net/dep v0.1.0 // indirect\n')
    want = text.replace('exclude example.net/gone v1.0.0\n\n', '')
    assert sorted(w.read('go.mod').split()) == sorted(text.split()), \
        w.read('go.mod')
    assert w.read('go.sum') == LIB.sums() + DEP.sums(), w.read('go.sum')
    expect(w.run('run', '.'), 0, '^lib with dep\n')
    w.env['GOPROXY'] = 'off'
    w.write('go.mod', want)
    expect(w.run('mod', 'tidy', '-diff'), 0, '^$')
    w.write('x.go', 'package main\n\nimport _ "example.net/none"\n')
    expect(w.run('mod', 'tidy'), 1, r'go: example.net/main imports\n\t'
           'example.net/none: .*GOPROXY=off')
    assert w.read('go.mod') == want
    expect(w.run('mod', 'tidy', '-e'), 0, 'GOPROXY=off')
    os.remove(os.path.join(w.main, 'x.go'))
    w.write('main.go', 'package main\n\nfunc main() {}\n')
    expect(w.run('mod', 'tidy', '-v'), 0, 'unused example.net/Some/Lib\n')
    assert w.read('go.mod') == want[:want.index('\nrequire')]
    assert w.read('go.sum') == ''
    expect(w.run('mod', 'tidy', '-go=1.99'), 2, 'maximum supported')
    os.remove(os.path.join(w.main, 'go.mod'))
    expect(w.run('mod', 'tidy'), 1, 'go.mod file not found')


def init(w):
    expect(w.run('mod', 'init', 'example.com/x'), 1, 'already exists')
    os.remove(os.path.join(w.main, 'go.mod'))
    expect(w.download(), 1, 'no modules specified')
    expect(w.run('mod', 'init', 'example.com/x'), 0)
    assert w.read('go.mod').startswith('module example.com/x\n\ngo 1.')


def versions(w):
    """What a proxy lists in any order, and twice, is shown once, sorted."""
    at = os.path.join(w.proxy, 'example.net/dep/@v')
    for v in ('v0.2.0', 'v0.10.0'):
        Module('example.net/dep', v, 'module example.net/dep\n',
               {'dep.go': 'package dep\n'}).publish(w.proxy)
    with open(os.path.join(at, 'list'), 'w') as f:
        f.write('v0.10.0\nv0.1.0\nv0.2.0 2024-01-02\n\nv0.10.0\nnone\n'
                'v2.0.0\nv0.1.0\nv0.0.0-20240102030405-0123456789ab\n')
    expect(w.run('list', '-m', '-versions', 'example.net/dep'), 0,
           '^example.net/dep v0.1.0 v0.2.0 v0.10.0\n$')


def misunderstood(w):
    """Commands without what they need say what that is."""
    for words, text in (
            ('what', 'vole mod: unknown command "what"\n'),
            ('init', 'vole mod init: the path of the new module is missing'),
            ('init a.b/c d', 'takes one argument, but there are 2'),
            ('why', 'vole mod why: no package is named, as in "vole mod why '),
            ('why -m', 'vole mod why: no package is named'),
            ('tidy x', 'vole mod tidy: takes no arguments, but there is "x"'),
            ('download x', 'takes no arguments, but there is "x"'),
            ('graph x', 'takes no arguments, but there is "x"'),
            ('verify x', 'takes no arguments, but there is "x"')):
        expect(w.run('mod', *words.split()), 2,
               re.escape(text) + r'[^\0]*vole help mod')
    r = w.run('mod', '-h')
    expect(r, 0, 'Usage')
    assert max(len(line) for line in r.out.split('\n')) <= 80, r.out


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    p.add_argument('names', nargs='*')
    a = p.parse_args()
    count = {'passed': 0, 'failed': 0, 'skipped': 0}
    for case in (files_arrive, go_takes_it, over_http, proxies, sums, used,
                 verified, questions, tidied, evil, init,
                 versions, misunderstood):
        if a.names and case.__name__ not in a.names:
            continue
        with tempfile.TemporaryDirectory(prefix='vole-download-') as top:
            try:
                count[case(World(top, a.vole.split())) or 'passed'] += 1
            except (AssertionError, OSError,
                    subprocess.SubprocessError) as e:
                count['failed'] += 1
                print('FAIL', case.__name__, e)
    print('%(passed)d passed, %(failed)d failed, %(skipped)d skipped' % count)
    return 1 if count['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
