#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs Go's own tools under vole, from their sources, and compares what they
make with what the installed ones make, to the byte: the compiler's object
files, gofmt's opinion of a folder and of a damaged file, the go command's list
of the library and its version of a module file.

They are the largest Go programs that every installation of Go has; the
compiler alone is 200,000 lines of it.  Exit status 77 without such an
installation.
"""

import argparse
import glob
import os
import shlex
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402

SKIPPED = 77
# What the compiler is given: tests of Go's that import nothing.
COMPILED = ['chan/sieve1.go', 'convT2X.go', 'divmod.go', 'ken/complit.go',
            'ken/convert.go', 'ken/cplx2.go', 'ken/embed.go', 'method5.go',
            'range4.go', 'reorder2.go', 'typeparam/absdiff.go']
UGLY = '''package  p
import ( "os"; "fmt" )
func f( a int,b string ) ( error ) { if a==1 { return nil };
 for i:=range []int{ 1,2 , 3} { fmt.Println( i ,os.Args[ i ])
  }
	x := [][]int{[]int{1}, []int{2}}; _ = x // why
return   nil }
'''


class Tools:
    def __init__(self, opt, root, work):
        self.vole = shlex.split(opt.vole)
        self.timeout = opt.timeout
        self.cmd = os.path.join(root, 'src', 'cmd')
        self.root = root
        self.work = work
        self.good = self.bad = 0

    def ours(self, tool, *args):
        return common.run(self.vole + ['./' + tool] + list(args), cwd=self.cmd,
                          timeout=self.timeout, env={'GOROOT': self.root})

    def theirs(self, *args):
        return common.run(list(args), cwd=self.cmd, timeout=self.timeout)

    def judge(self, what, fine, r):
        self.good += fine
        self.bad += not fine
        if not fine:
            print('FAIL %s: status %s\n%s' % (what, r.status,
                                              (r.err or r.out)[-2000:]))

    def same_text(self, what, ours, theirs):
        self.judge(what, (ours.status, ours.out) ==
                   (theirs.status, theirs.out), ours)

    def compiler(self, sources):
        for path in sources:
            out = [os.path.join(self.work, n) for n in ('ours.o', 'theirs.o')]
            flags = ['-p', 'main', '-complete', '-o']
            q = self.theirs('go', 'tool', 'compile', *flags, out[1], path)
            if q.status != 0:
                print('left out, Go refuses it:', path, q.err[:200])
                continue
            r = self.ours('compile', *flags, out[0], path)
            fine = r.status == 0 and read(out[0]) == read(out[1])
            self.judge('compile ' + os.path.basename(path), fine, r)

    def gofmt(self):
        ugly = os.path.join(self.work, 'ugly.go')
        with open(ugly, 'w', encoding='utf-8') as f:
            f.write(UGLY)
        for args in (['-s', '-d', ugly], ['-l', '../fmt', '../sort', ugly],
                     ['-r', 'a -> b', ugly]):
            self.same_text('gofmt ' + args[0], self.ours('gofmt', *args),
                           self.theirs('gofmt', *args))

    def go(self):
        mod = os.path.join(self.work, 'go.mod')
        with open(mod, 'w', encoding='utf-8') as f:
            f.write('module m\n\nrequire a.b/c v1.2.3 // indirect\n')
        for args in (['list', 'std'], ['mod', 'edit', '-json', mod],
                     ['env', 'GOOS', 'GOARCH', 'GOMOD']):
            self.same_text('go ' + args[0], self.ours('go', *args),
                           self.theirs('go', *args))


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--all', action='store_true',
                    help='compile all tests of Go that import nothing')
    ap.add_argument('--timeout', type=float, default=300)
    opt = ap.parse_args()
    root = ''
    if shutil.which('go') is not None:
        root = common.run(['go', 'env', 'GOROOT']).out.strip()
    if not os.path.exists(os.path.join(root, 'src', 'cmd', 'compile')):
        print('no installation of Go with the sources of its tools')
        return SKIPPED
    tests = os.path.join(root, 'test')
    names = COMPILED
    if opt.all:
        names = sorted(os.path.relpath(p, tests) for p in
                       glob.glob(tests + '/**/*.go', recursive=True)
                       if imports_nothing(p))
    with tempfile.TemporaryDirectory() as work:
        t = Tools(opt, root, work)
        t.compiler([p for p in (os.path.join(tests, n) for n in names)
                    if os.path.exists(p)])
        t.gofmt()
        t.go()
    common.summary(t.good, t.bad, 0)
    return 1 if t.bad else 0


def imports_nothing(path):
    text = read(path)
    return b'\npackage main\n' in text and b'\nimport' not in text and \
        (text.startswith(b'// run\n') or text.startswith(b'// compile\n'))


if __name__ == '__main__':
    sys.exit(main())
