#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Profiles as people get them: flags of `vole run`, runtime/pprof in scripts,
the live server.  What the files say is compared with what is known of the
programs in prof/, and with `go tool pprof` where that is installed.

Usage: run_prof.py [--vole CMD] [-v] [NAME...]
"""

import argparse
import http.client
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402
from pprofread import Profile  # noqa: E402


class Failure(Exception):
    pass


def expect(cond, text, *args):
    if not cond:
        raise Failure(text % args if args else text)


# ---- the tests -----------------------------------------------------------------

class Tests:
    def __init__(self, opt):
        self.opt = opt
        self.cmd = shlex.split(opt.vole)
        self.work = tempfile.mkdtemp(prefix='vole-prof-')
        self.go = shutil.which('go')
        for name in ('split.go', 'leave.go', 'known.go', 'served.go'):
            shutil.copy(os.path.join(HERE, 'prof', name), self.work)

    def path(self, name):
        return os.path.join(self.work, name)

    def lines(self, name):
        with open(self.path(name), encoding='utf-8') as f:
            return f.read().split('\n')

    def run(self, *args, timeout=120, env=None):
        e = dict(os.environ, **(env or {}))
        r = subprocess.run(self.cmd + list(args), capture_output=True,
                           timeout=timeout * self.opt.slow, env=e,
                           cwd=self.work, check=False)
        out = (r.stdout + r.stderr).decode(errors='replace')
        m = common.INTERNAL.search(out)
        expect(not m, 'vole is broken: %s', out[-2000:])
        return r.returncode, out

    def load(self, name):
        with open(self.path(name), 'rb') as f:
            return Profile(f.read())

    def pprof(self, *args):
        env = dict(os.environ, PPROF_TMPDIR=self.work)
        r = subprocess.run([self.go, 'tool', 'pprof'] + list(args),
                           capture_output=True, cwd=self.work, env=env,
                           timeout=120, check=False)
        out = r.stdout.decode(errors='replace')
        expect(r.returncode == 0, 'go tool pprof %s: %s', args,
               (r.stderr + r.stdout).decode(errors='replace'))
        return out

    # -- CPU --

    def test_cpu_split(self):
        """A known split of 3 : 1, within 3 points, also in loops without
        calls; labels; agreement with go tool pprof."""
        rounds = self.opt.rounds
        if self.opt.slow > 1: # so many samples as without sanitizers
            rounds = int(2 * rounds / self.opt.slow)
        st, out = self.run('split.go', self.path('cpu.prof'), str(rounds),
                           timeout=600 + self.opt.rounds // 10)
        expect(st == 0, 'status %d: %s', st, out)
        p = self.load('cpu.prof')
        expect(p.types == [('samples', 'count'), ('cpu', 'nanoseconds')],
               'types %s', p.types)
        expect(p.period == 4000000, 'period %d', p.period)
        n = p.total(0)
        expect(p.total(1) == n * p.period, 'cpu is not count * period')
        for a, b, get in (('main.hot3', 'main.hot1', p.leaf),
                          ('main.calls3', 'main.calls1', p.cum)):
            x, y = get(a, 0), get(b, 0)
            expect(x + y > (100 if self.opt.slow == 1 else 10),
                   'only %d samples', x + y)
            # Three points, or what chance does to so few samples.
            slack = max(0.03, 4.5 * (0.1875 / (x + y)) ** 0.5)
            share = x / (x + y)
            self.note('%s %.1f %% of %d samples' % (a, 100 * share, x + y))
            expect(abs(share - 0.75) < slack,
                   '%s has %.1f %% of %d', a, 100 * share, x + y)
        labelled = sum(v[0] for s, v, l in p.samples if l == {
            'part': 'labelled'})
        expect(labelled > 0, 'no samples with labels')
        self.check_labels(p)
        # Sanitizers have much work of their own where nothing else has.
        expect(self.opt.slow > 1 or p.leaf('main.hot3', 0) +
               p.leaf('main.hot1', 0) + p.leaf('main.spin', 0) > 0.8 * n,
               'samples elsewhere: %s', [s[:2] for s, v, l in p.samples])
        if self.go:
            top = self.pprof('-top', '-sample_index=samples', 'cpu.prof')
            m = re.search(r'^\s*(\d+)\s.*main\.hot3$', top, re.M)
            expect(m and int(m.group(1)) == p.leaf('main.hot3', 0),
                   'pprof disagrees: %s', top)
            out = self.pprof('-list=main.hot3', 'cpu.prof')
            expect('x = x*5 + i' in out, 'no source: %s', out)

    def check_labels(self, p):
        """Where there are labels the function that has them is on the stack,
        unless nothing of the program is: between machine code and the
        interpreter it may not be known where that stands.  The share of
        samples with labels of which that is so."""
        known = unknown = 0
        for s, v, l in p.samples:
            own = [f[0] for f in s if f[1]]
            if not l or not own:
                unknown += v[0] if l else 0
                continue
            known += v[0]
            expect('main.main.func1' in own or any('pprof' in f for f in own),
                   'label in %s', s)
        return unknown / max(known + unknown, 1)

    def test_cpu_leaving(self):
        """Where machine code is left all the time a sample does not show where
        it was entered."""
        st, out = self.run('leave.go', self.path('leave.prof'),
                           str(int(self.opt.rounds * 10 / self.opt.slow)),
                           timeout=600)
        expect(st == 0, 'status %d: %s', st, out)
        p = self.load('leave.prof')
        unknown = self.check_labels(p)
        self.note('%.1f %% of the labelled ones without a place' %
                  (100 * unknown))
        tries = [(s, v[0], l) for s, v, l in p.samples
                 if any(f[0] == 'main.try' for f in s)]
        n = sum(v for s, v, l in tries)
        expect(n > 20, 'only %d samples', n)
        for s, v, l in tries:
            expect(l, 'no label in %s', s)
        expect(unknown < 0.2, '%.1f %% of the samples without a place',
               100 * unknown)

    # -- flags --

    def check_known(self, how, status):
        files = {k: '%s-%s.prof' % (how, k) for k in (
            'cpu', 'mem', 'block', 'mutex', 'goroutine')}
        flags = []
        for k, f in files.items():
            flags += ['-%sprofile' % k, f]
        st, out = self.run(*flags, '-memprofilerate=1', 'known.go', how)
        expect(st == status, 'status %d, not %d: %s', st, status, out)
        return self.compare_known(files, how)

    def compare_known(self, files, how):
        mem = self.load(files['mem'])
        expect([t for t, _ in mem.types] == [
            'alloc_objects', 'alloc_space', 'inuse_objects', 'inuse_space'],
            'types %s', mem.types)
        expect(mem.default == 'alloc_space', 'default %s', mem.default)
        got = [mem.leaf('main.keep', i) for i in range(4)]
        expect(got == [1000, 64000, 1000, 64000], 'keep: %s', got)
        got = [mem.leaf('main.drop', i) for i in range(2)]
        expect(got == [500, 32000], 'drop: %s', got)
        expect(mem.leaf('main.drop', 2) <= 1, 'drop holds %d',
               mem.leaf('main.drop', 2))
        lines = {s[0][2] for s, v, _ in mem.samples
                 if s and s[0][0] == 'main.keep'}
        want = self.lines('known.go').index('\t\tlist = &node{next: list}') + 1
        expect(lines == {want}, 'keep is in lines %s', lines)
        block = self.load(files['block'])
        delay = block.cum('main.wait', 1)
        expect(5e6 < delay < 5e9 and block.cum('main.wait', 0) == 1,
               'wait %s', delay)
        mutex = self.load(files['mutex'])
        expect(mutex.cum('main.hold', 0) == 1, 'no contention')
        expect(0.3 < mutex.cum('main.hold', 1) / delay < 3, 'hold %d, wait %d',
               mutex.cum('main.hold', 1), delay)
        gor = self.load(files['goroutine'])
        expect(gor.cum('main.parked', 0) == 7, 'parked %d',
               gor.cum('main.parked', 0))
        expect(gor.cum('main.spin', 0) ==
               (1 if how in ('exit', 'panic', 'quit') else 0), 'spin')
        self.load(files['cpu'])
        return files

    def test_flags(self):
        """Every flag's file after a normal end, in go tool pprof too."""
        files = self.check_known('main', 0)
        if not self.go:
            return
        for k, f in files.items():
            p = self.load(f)
            i = len(p.types) - 1
            for opt in ('-top', '-raw', '-traces', '-list=main.'):
                if k == 'cpu' and 'list' in opt:
                    continue # it may be too short for a sample
                out = self.pprof(opt, f)
                if opt == '-raw':
                    n = len(re.findall(r'^\s+[\d ]+: [\d ]*$', out, re.M))
                    expect(n >= len(p.samples), '-raw of %s has %d samples, '
                           'not %d', f, n, len(p.samples))
                if opt == '-list=main.' and k == 'mem':
                    expect('list = &node{next: list}' in out, 'no source')
            top = self.pprof('-top', '-unit=%s' % (
                'B' if k == 'mem' else 'ns' if i else 'count'),
                '-sample_index=%d' % i, f)
            m = re.search(r'of (-?\d+)\w* total', top)
            total = int(m.group(1)) if m else 0
            expect(total == p.total(i), '%s: pprof has %s, the file %d: %s',
                   f, total, p.total(i), top)

    def test_ends(self):
        """Nothing is lost however the program ends."""
        for how, status in (('exit', 3), ('panic', 2), ('fatal', 2),
                            ('deadlock', 2)):
            self.check_known(how, status)

    def test_quit(self):
        """SIGQUIT: all stacks, status 2, files complete."""
        files = {k: 'quit-%s.prof' % k for k in (
            'cpu', 'mem', 'block', 'mutex', 'goroutine')}
        flags = []
        for k, f in files.items():
            flags += ['-%sprofile' % k, f]
        p = subprocess.Popen(self.cmd + flags + [
            '-memprofilerate', '1', 'known.go', 'quit'], cwd=self.work,
            stderr=subprocess.PIPE)
        try:
            line = p.stderr.readline()
            expect(line == b'ready\n', 'said %s', line)
            p.send_signal(signal.SIGQUIT)
            err = p.stderr.read().decode()
            st = p.wait(60 * self.opt.slow)
        finally:
            p.kill()
        expect(st == 2, 'status %d: %s', st, err)
        expect(err.startswith('SIGQUIT: quit\n'), 'begins %s', err[:200])
        expect(len(re.findall(r'^goroutine \d+ gp=0x\w+ m=nil \[select '
                              r'\(no cases\)\]:\nmain\.parked\(\)$', err,
                              re.M)) == 7,
               'parked goroutines are missing: %s', err)
        for w in (r'goroutine 1 gp=0x\w+ m=nil \[sleep\]:\n'
                  r'main\.main\(\)\n\t\S*known\.go:',
                  r'\[run\w+\]:\nmain\.spin\(\)',
                  r'created by main\.main in goroutine 1'):
            expect(re.search(w, err), 'no %s in %s', w, err)
        self.compare_known(files, 'quit')

    def test_bad_files(self):
        """Files that cannot be made or written."""
        with open(self.path('says.go'), 'w', encoding='utf-8') as f:
            f.write('package main\n\nfunc main() { println("ran") }\n')
        for flag in ('cpu', 'mem', 'block', 'mutex', 'goroutine'):
            st, out = self.run('-%sprofile' % flag, 'no/such/file', 'says.go')
            expect(st == 2, 'status %d', st)
            expect(out == 'vole: no/such/file: No such file or directory\n',
                   'said %s', out)
            st, out = self.run('-%sprofile' % flag, '/dev/full', 'says.go')
            expect(st == 1, '-%sprofile on a full disk: %d', flag, st)
            expect(out == 'ran\nvole: /dev/full: No space left on device\n',
                   'said %s', out)
        st, out = self.run('-memprofile', '-', 'says.go')
        expect(st == 0, 'status %d', st)

    def test_rates(self):
        """-memprofilerate and the others mean what they mean in Go."""
        with open(self.path('rates.go'), 'w', encoding='utf-8') as f:
            f.write('package main\n\nimport "runtime"\n\nfunc main() {\n'
                    '\tprintln(runtime.MemProfileRate, '
                    'runtime.SetMutexProfileFraction(-1))\n}\n')
        for flags, want in (
                ((), '524288 0'),
                (('-memprofilerate', '77'), '77 0'),
                (('-memprofilerate', '0'), '524288 0'),
                (('-mutexprofile', 'm.prof'), '524288 1'),
                (('-mutexprofile=m.prof', '-mutexprofilefraction=5'),
                 '524288 5'),
                (('-mutexprofile=m.prof', '--mutexprofilefraction=0'),
                 '524288 0')):
            st, out = self.run(*flags, 'rates.go')
            expect(st == 0 and out == want + '\n', '%s gave %s', flags, out)
        # A block rate of 0 switches the profile off.
        st, out = self.run('-blockprofile', 'b.prof', '-blockprofilerate=0',
                           'known.go', 'main')
        expect(st == 0 and not self.load('b.prof').samples, 'not off')

    # -- HTTP --

    def serve(self, *flags, script='served.go', env=None):
        p = subprocess.Popen(
            self.cmd + ['-http', '127.0.0.1:0', *flags, script],
            env=dict(os.environ, **(env or {})), cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = p.stderr.readline().decode()
        m = re.match(r'vole: profiles at http://127\.0\.0\.1:(\d+)'
                     r'/debug/pprof/\n$', line)
        if not m:
            p.kill()
            raise Failure('said ' + line)
        if script == 'served.go':
            p.stdout.readline()
        return p, int(m.group(1))

    def end(self, p):
        """Ends a server that must still be alive and silent."""
        expect(p.poll() is None, 'ended with %s: %s', p.returncode,
               p.stderr.read()[-2000:] if p.poll() is not None else '')
        p.send_signal(signal.SIGQUIT)
        _, err = p.communicate(timeout=60 * self.opt.slow)
        expect(p.returncode == 2, 'status %d: %s', p.returncode,
               err.decode()[-3000:])
        expect(err.startswith(b'SIGQUIT: quit\n'), 'printed %s', err[:500])

    def get(self, port, url, method='GET', body=None, timeout=60, headers=()):
        c = http.client.HTTPConnection('127.0.0.1', port,
                                       timeout=timeout * self.opt.slow)
        try:
            c.request(method, url, body=body, headers=dict(headers))
            r = c.getresponse()
            return r.status, dict(r.getheaders()), r.read()
        finally:
            c.close()

    def test_http_urls(self):
        """Every URL, with its headers and error texts."""
        p, port = self.serve('-memprofilerate', '1', '-blockprofilerate', '1',
                             '-mutexprofilefraction', '1')
        try:
            self.check_urls(port)
            self.end(p)
        finally:
            p.kill()

    def check_urls(self, port):
        root = '/debug/pprof/'
        text = 'text/plain; charset=utf-8'
        errors = [
            (root + 'nope', 404, b'Unknown profile\n'),
            (root + 'heap/', 404, b'Unknown profile\n'),
            (root + 'heap?seconds=x', 400, b'invalid value for "seconds" - '
             b'must be a positive integer\n'),
            (root + 'heap?seconds=0', 400, b'invalid value for "seconds" - '
             b'must be a positive integer\n'),
            (root + 'heap?seconds=-1', 400, b'invalid value for "seconds" - '
             b'must be a positive integer\n'),
            (root + 'heap?seconds=1&debug=1', 400,
             b'seconds and debug params are incompatible\n'),
            (root + 'served.things?seconds=1', 400, b'"seconds" parameter is '
             b'not supported for this profile type\n'),
        ]
        for url, status, body in errors:
            st, h, b = self.get(port, url)
            expect((st, b) == (status, body), '%s: %s %s', url, st, b)
            expect(h.get('X-Go-Pprof') == '1', '%s: %s', url, h)
            expect(h.get('Content-Type') == text, '%s: %s', url, h)
            expect(h.get('X-Content-Type-Options') == 'nosniff', 'nosniff')
        for url in ('/', '/x', '/debug', '/debug/pprofx'):
            st, h, b = self.get(port, url)
            expect((st, b) == (404, b'404 page not found\n'), '%s: %s', url, b)
        st, h, b = self.get(port, '/debug/pprof')
        expect(st == 307 and h['Location'] == root, 'redirect %s %s', st, h)
        for method in ('POST', 'PUT', 'DELETE'):
            st, h, b = self.get(port, root + 'heap', method, b'')
            expect(st == 405 and h['Allow'] == 'GET, HEAD', '%s %s', st, h)
        st, h, b = self.get(port, root + 'heap', 'HEAD')
        expect(st == 200 and b == b'', 'HEAD: %s %s', st, b)

        st, h, b = self.get(port, root)
        expect(st == 200 and h['Content-Type'] == 'text/html; charset=utf-8',
               'index: %s %s', st, h)
        rows = dict((n, int(c)) for c, n in re.findall(
            r"<td>(\d+)</td><td><a href='([^']*)\?debug=1'>", b.decode()))
        expect(list(rows) == sorted(rows), 'index is not sorted')
        expect(set(rows) == {'allocs', 'block', 'cmdline', 'goroutine',
                             'goroutineleak', 'heap', 'mutex', 'profile',
                             'served.things', 'symbol', 'threadcreate',
                             'trace', 'wall'},
               'index has %s', sorted(rows))
        expect(rows['served.things'] == 2 and rows['goroutine'] >= 26 and
               rows['heap'] > 0 and rows['threadcreate'] > 0, '%s', rows)
        expect(b'goroutine?debug=2' in b, 'no link to the dump')

        st, h, b = self.get(port, root + 'cmdline')
        expect((st, b) == (200, b'served.go'), 'cmdline %s', b)
        for name in ('heap', 'allocs', 'block', 'mutex', 'goroutine',
                     'goroutineleak', 'threadcreate', 'served.things'):
            st, h, b = self.get(port, root + name)
            expect(st == 200, '%s: %s', name, st)
            expect(h['Content-Type'] == 'application/octet-stream' and
                   h['Content-Disposition'] ==
                   'attachment; filename="%s"' % name, '%s: %s', name, h)
            prof = Profile(b)
            if name != 'mutex':
                expect(prof.samples, '%s is empty', name)
            with open(self.path('http-' + name), 'wb') as f:
                f.write(b)
            if self.go:
                self.pprof('-top', 'http-' + name)
            st, h, b = self.get(port, root + name + '?debug=1')
            expect(st == 200 and h['Content-Type'] == text, '%s: %s', name, h)
            expect(b.startswith({
                'heap': b'heap profile: ', 'allocs': b'heap profile: ',
                'block': b'--- contention:\ncycles/second=',
                'mutex': b'--- mutex:\ncycles/second='}.get(
                    name, name.encode() + b' profile: total ')),
                '%s: %s', name, b[:200])
        for url in ('heap?gc=1', 'heap?gc=1&debug=1', 'heap?debug=x'):
            st, h, b = self.get(port, root + url)
            expect(st == 200, '%s: %s', url, st)
        st, h, b = self.get(port, root + 'goroutine?debug=2')
        expect(b.count(b'\n\ngoroutine ') >= 25 and
               b.count(b'[select (no cases)') == 20, 'dump: %s', b[:2000])

        # Those that wait for nothing, and nobody else.
        st, h, b = self.get(port, root + 'goroutineleak?debug=2')
        expect(b.count(b' (leaked)]') == 20 and
               b.count(b'[select (no cases) (leaked)]') == 20, 'leaks: %s',
               b[:2000])
        st, h, b = self.get(port, root + 'goroutineleak')
        prof = Profile(b)
        expect(prof.types == [('goroutineleak', 'count')] and
               prof.total(0) == 20, 'leaks: %s %d', prof.types, prof.total(0))
        st, h, b = self.get(port, root + 'wall?seconds=1')
        expect(st == 200 and h['Content-Disposition'] ==
               'attachment; filename="wall"', 'wall: %s %s', st, h)
        prof = Profile(b)
        states = {l.get('state') for s, v, l in prof.samples}
        expect(prof.types == [('samples', 'count'), ('wall', 'nanoseconds')]
               and 'select (no cases)' in states and prof.duration >= 1e9,
               'wall: %s %s', prof.types, states)
        with open(self.path('http-wall'), 'wb') as f:
            f.write(b)
        if self.go:
            self.pprof('-top', 'http-wall')

        before = time.time()
        st, h, b = self.get(port, root + 'profile?seconds=1')
        expect(st == 200 and h['Content-Disposition'] ==
               'attachment; filename="profile"', 'profile: %s %s', st, h)
        prof = Profile(b)
        expect(prof.cum('main.busy', 0) > 0, 'busy was not seen')
        expect(abs(prof.duration / 1e9 - (time.time() - before)) < 10 and
               prof.duration >= 1e9, 'duration %d', prof.duration)
        st, h, b = self.get(port, root + 'trace?seconds=0.2')
        expect(st == 200 and b.startswith(b'go 1.'), 'trace: %s', b[:20])
        for name in ('heap', 'allocs', 'block', 'goroutine',
                     'goroutineleak'):
            st, h, b = self.get(port, root + name + '?seconds=1')
            expect(st == 200 and h['Content-Disposition'] ==
                   'attachment; filename="%s-delta"' % name, '%s', h)
            prof = Profile(b)
            expect(abs(prof.duration - 1e9) < 1e9 * 20, 'duration')
            if name == 'heap':
                expect(prof.cum('main.grow', 0) >= 0, 'no growth')
            if name == 'goroutine':
                expect(all(v != [0] for _, v, _ in prof.samples), 'zeroes')
        st, h, b = self.get(port, root + 'symbol')
        expect((st, b) == (200, b'num_symbols: 1\n'), 'symbol: %s', b)
        st, h, b = self.get(port, root + 'goroutine?debug=1')
        pc = re.search(rb'#\t(0x[0-9a-f]+)\tmain\.busy\+', b).group(1)
        for method, body in (('GET', None), ('POST', pc + b'+0x1+zzz')):
            st, h, b = self.get(port, root + 'symbol' + (
                '' if body else '?' + pc.decode()), method, body)
            expect(b == b'num_symbols: 1\n' + pc + b' main.busy\n',
                   'symbol %s: %s', method, b)

    def test_http_collection(self):
        """gc=1 collects, and nothing else does; the program's name, which
        may be anything, is text in the page."""
        with open(self.path('a<b>&.go'), 'w', encoding='utf-8') as f:
            f.write('package main\n\nimport "time"\n\nfunc main() {\n'
                    '\ttime.Sleep(time.Hour)\n}\n')
        p, port = self.serve(script='a<b>&.go', env={
            'GOGC': 'off', 'VOLEDEBUG': 'gctrace=1'})
        try:
            root = '/debug/pprof/'
            for url in ('heap', 'heap?gc=0', 'heap?gc=1', 'heap?gc=x'):
                st, _, b = self.get(port, root + url)
                expect(st == 200, '%s: %s', url, st)
            st, _, b = self.get(port, root)
            expect(b'Profiles of a&lt;b&gt;&amp;.go' in b, 'page: %s', b)
            p.send_signal(signal.SIGQUIT)
            _, err = p.communicate(timeout=60 * self.opt.slow)
            n = len(re.findall(rb'^gc \d+ @', err, re.M))
            expect(n == 1, '%d collections: %s', n, err)
        finally:
            p.kill()

    def test_http_pprof(self):
        """go tool pprof fetches by itself."""
        if not self.go:
            return
        p, port = self.serve()
        try:
            base = 'http://127.0.0.1:%d/debug/pprof/' % port
            out = self.pprof('-top', base + 'goroutine')
            expect('main.main.func3' in out, '%s', out)
            out = self.pprof('-top', '-seconds=1', base + 'profile')
            expect('main.busy' in out, '%s', out)
            self.pprof('-top', base + 'heap?gc=1')
            self.pprof('-top', base + 'wall?seconds=1')
            out = self.pprof('-top', base + 'goroutineleak')
            expect('20' in out, '%s', out)
            self.end(p)
        finally:
            p.kill()

    def test_http_busy_profile(self):
        """One CPU profile at a time, and the error that Go gives."""
        p, port = self.serve()
        try:
            res = {}

            def first():
                res['first'] = self.get(port, '/debug/pprof/profile?seconds=4')
            t = threading.Thread(target=first)
            t.start()
            time.sleep(1)
            st, h, b = self.get(port, '/debug/pprof/profile?seconds=1')
            expect((st, b) == (500, b'Could not enable CPU profiling: cpu '
                               b'profiling already in use\n'), '%s %s', st, b)
            t.join()
            expect(res['first'][0] == 200, '%s', res['first'][:2])
            self.end(p)
        finally:
            p.kill()

    def test_http_many(self):
        """A hundred clients at once, slow readers, rubbish, clients that
        leave: nothing stalls, leaks or crashes."""
        p, port = self.serve('-memprofilerate', '4096')
        try:
            self.many(p, port)
            self.end(p)
        finally:
            p.kill()

    def many(self, p, port):
        urls = ['heap', 'heap?debug=1', 'goroutine', 'goroutine?debug=1',
                'goroutine?debug=2', 'allocs', 'block', 'mutex',
                'threadcreate', 'served.things', '', 'cmdline', 'symbol',
                'heap?seconds=1', 'heap?gc=1', 'nope', 'profile?seconds=1',
                'trace?seconds=0.3', 'goroutine?seconds=1', '../../etc',
                'goroutineleak', 'goroutineleak?debug=2', 'wall?seconds=1']
        bad = []

        def client(i):
            url = urls[i % len(urls)]
            try:
                st, _, b = self.get(port, '/debug/pprof/' + url, timeout=120)
                if st == 200 and not b or st not in (200, 404, 500):
                    bad.append((url, st, b[:80]))
                if st == 500 and not b.startswith(b'Could not enable'):
                    bad.append((url, st, b[:80]))
            except OSError as e:
                bad.append((url, e))
        slow = []
        for i in range(8): # ask, and never read
            s = socket.create_connection(('127.0.0.1', port))
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            s.sendall(b'GET /debug/pprof/goroutine?debug=2 HTTP/1.1\r\n'
                      b'Host: localhost\r\n\r\n' * 20)
            slow.append(s)
        for i in range(8): # never finish asking
            s = socket.create_connection(('127.0.0.1', port))
            s.sendall(b'GET /debug/pprof/heap HTT')
            slow.append(s)
        for i in range(4): # leave in the middle of a long profile
            s = socket.create_connection(('127.0.0.1', port))
            s.sendall(b'GET /debug/pprof/%s?seconds=1000 HTTP/1.1\r\n'
                      b'Host: localhost\r\n\r\n' % (b'profile', b'heap', b'trace',
                                            b'goroutine')[i])
            time.sleep(0.1)
            s.close()
        rubbish = [b'\0' * 100, b'\r\n\r\n', b'GET\r\n\r\n',
                   b'GET /debug/pprof/%zz?%%%=&&;=%1 HTTP/1.1\r\n\r\n',
                   b'G' * 100000, b'GET /' + b'a' * 100000 + b' HTTP/1.1\r\n',
                   b'POST /debug/pprof/symbol HTTP/1.1\r\nHost: localhost\r\n'
                   b'Content-Length: 99999999999\r\n\r\n0x1',
                   b'GET /debug/pprof/ HTTP/9.9\r\n\r\n',
                   b'POST /debug/pprof/symbol HTTP/1.1\r\nHost: localhost\r\n'
                   b'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
                   bytes(range(256)) * 20,
                   b'GET /debug/pprof/heap?debug=1&debug=2&seconds=%00 '
                   b'HTTP/1.1\r\nHost: localhost\r\n\r\n']
        for b in rubbish * 3:
            s = socket.create_connection(('127.0.0.1', port))
            s.settimeout(0.2)
            try:
                s.sendall(b)
                s.recv(100)
            except OSError:
                pass
            s.close()
        threads = [threading.Thread(target=client, args=(i,))
                   for i in range(100)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        expect(not bad, '%s', bad[:5])
        for s in slow:
            s.close()
        # Threads of connections that have gone do so, too.
        end = time.time() + 60 * self.opt.slow
        while True:
            with open('/proc/%d/status' % p.pid, encoding='utf-8') as f:
                n = int(re.search(r'Threads:\s+(\d+)', f.read()).group(1))
            if n < 30:
                break
            expect(time.time() < end, '%d threads are left', n)
            time.sleep(0.2)
        fds = len(os.listdir('/proc/%d/fd' % p.pid))
        expect(fds < 40, '%d files are open', fds)

    def test_http_foreign(self):
        """What only a page of somebody else's would send is refused."""
        p, port = self.serve()
        own = 'localhost:%d' % port
        try:
            for headers, status in (
                    ({'Host': own}, 200),
                    ({'Host': own, 'Origin': 'http://' + own}, 200),
                    ({'Host': 'rebound.example:%d' % port}, 403),
                    ({'Host': own, 'Origin': 'http://page.example'}, 403),
                    ({'Host': own, 'Origin': 'null'}, 403),
                    ({'Host': own, 'Sec-Fetch-Site': 'cross-site',
                      'Sec-Fetch-Dest': 'image'}, 403)):
                for url, method, body in (
                        ('cmdline', 'GET', None), ('heap', 'HEAD', None),
                        ('symbol', 'POST', b'0x1' * 9000)):
                    st, h, b = self.get(port, '/debug/pprof/' + url, method,
                                        body, headers=headers)
                    expect(st == status, '%s %s: %s', headers, method, st)
                    expect(st != 403 or h['Content-Type'].startswith(
                        'text/plain') and (
                            method == 'HEAD' or b.startswith(b'Forbidden: ')),
                           '%s %s', h, b)
            s = socket.create_connection(('127.0.0.1', port))
            s.sendall(b'GET /debug/pprof/cmdline HTTP/1.0\r\n\r\n')
            b = s.makefile('rb').read()
            s.close()
            expect(b.split()[1] in (b'400', b'403') and
                   b'served.go' not in b, 'no Host: %s', b)
            self.end(p)
        finally:
            p.kill()

    def test_http_crowd(self):
        """More clients that never finish asking than there may be
        connections: those who ask are answered all the same."""
        p, port = self.serve()
        held = []
        try:
            for i in range(700):
                s = socket.create_connection(('127.0.0.1', port))
                s.sendall(b'GET /debug/pprof/heap HTT'[:i % 20])
                held.append(s)
                if i % 100 == 99:
                    st, _, b = self.get(port, '/debug/pprof/cmdline',
                                        timeout=20)
                    expect((st, b) == (200, b'served.go'), '%s %s', st, b)
            self.end(p)
        finally:
            p.kill()
            for s in held:
                s.close()

    def test_http_addresses(self):
        """Binding: failures are told before the program runs."""
        with open(self.path('says.go'), 'w', encoding='utf-8') as f:
            f.write('package main\n\nfunc main() { println("ran") }\n')
        s = socket.socket()
        s.bind(('127.0.0.1', 0))
        s.listen()
        taken = '127.0.0.1:%d' % s.getsockname()[1]
        for addr, why in ((taken, 'Address already in use'),
                          ('nothing', 'address is not host:port or :port'),
                          (':99999', 'invalid port'),
                          (':65536', 'invalid port'),
                          ('::1:80', 'address is not host:port or :port')):
            st, out = self.run('-http', addr, 'says.go')
            expect((st, out) == (2, 'vole: -http %s: %s\n' % (addr, why)),
                   '%s: %d %s', addr, st, out)
        s.close()
        # Silent where the port is given, and no part of the exit status.
        free = socket.socket()
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
        free.close()
        st, out = self.run('-http', ':%d' % port, 'says.go')
        expect((st, out) == (0, 'ran\n'), '%d %s', st, out)

    def test_http_end(self):
        """The program's end waits for nobody."""
        with open(self.path('short.go'), 'w', encoding='utf-8') as f:
            f.write('package main\n\nimport "time"\n\nfunc main() {\n'
                    '\ttime.Sleep(2 * time.Second)\n}\n')
        p, port = self.serve(script='short.go')
        try:
            ss = []
            for url in (b'profile?seconds=1000', b'heap?seconds=1000',
                        b'trace?seconds=1000', b''):
                s = socket.create_connection(('127.0.0.1', port))
                s.sendall(b'GET /debug/pprof/' + url +
                          b' HTTP/1.1\r\nHost: localhost\r\n\r\n')
                ss.append(s)
            _, err = p.communicate(timeout=60 * self.opt.slow)
            expect(p.returncode == 0 and err == b'', '%s %s', p.returncode,
                   err)
            for s in ss:
                s.close()
        finally:
            p.kill()

    def note(self, text):
        if self.opt.v:
            print('     ' + text, flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('filter', nargs='*', help='parts of names')
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--rounds', type=int, default=12000,
                    help='length of the CPU test; 60000 for 3 points')
    ap.add_argument('--slow', type=float, default=1, metavar='FACTOR')
    ap.add_argument('-v', action='store_true')
    opt = ap.parse_args()
    tests = Tests(opt)
    good = bad = 0
    try:
        for name in [n for n in dir(tests) if n.startswith('test_')]:
            if opt.filter and not any(f in name for f in opt.filter):
                continue
            begin = time.time()
            try:
                getattr(tests, name)()
            except Failure as e:
                why = str(e)
            except (OSError, ValueError, KeyError, IndexError, AttributeError,
                    subprocess.SubprocessError, http.client.HTTPException):
                why = traceback.format_exc()
            else:
                why = ''
            good, bad = good + (not why), bad + bool(why)
            if why:
                print('FAIL %s: %s' % (name, why), flush=True)
            elif opt.v:
                print('ok   %s (%.1f s)' % (name, time.time() - begin),
                      flush=True)
    finally:
        shutil.rmtree(tests.work, ignore_errors=True)
    common.summary(good, bad, 0)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
