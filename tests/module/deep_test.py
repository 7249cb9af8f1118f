#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Modules made to be deep: long chains of imports, folders in folders, nested
constraints.  None of them may use up the stack, of which there is little.  And
one with blocks far down in a file, each of which is looked up by its line."""

import argparse
import os
import shlex
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

LINKS = 3000      # enough for any function that calls itself for each
SHORT = 1000      # where the output grows by the square
FOLDERS = 1000
LINES = 200000    # of 80 bytes, in front of
BLOCKS = 2000


class World:
    def __init__(self, top, opt):
        self.top, self.opt = top, opt
        self.write('go.mod', 'module m\n\ngo 1.22\n')

    def write(self, name, text):
        path = os.path.join(self.top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)

    def chain(self, links, last=''):
        """Package m/p0 imports m/p1, and so on; the last has this text."""
        for i in range(links):
            self.write('p%d/p.go' % i, 'package p\n\n' + (
                'import _ "m/p%d"\n' % (i + 1) if i < links - 1 else last))

    def run(self, words, status, text):
        kb = 128 if self.opt.slow <= 1 else 2048  # sanitizers' frames
        r = common.run(
            ['sh', '-c', 'ulimit -s %d && exec "$@"' % kb, 'sh'] +
            shlex.split(self.opt.vole) + words.split(), cwd=self.top,
            timeout=120 * self.opt.slow,
            env={'VOLECACHE': 'off', 'GOFLAGS': '', 'GOWORK': 'off'})
        if r.trouble() or r.status != status or text not in r.out + r.err:
            raise AssertionError('vole %s: status %s %s\n%s' % (
                words, r.status, r.trouble() or '', (r.out + r.err)[-400:]))


def imports(w):
    w.chain(LINKS)
    w.write('main.go', 'package main\n\nimport _ "m/p0"\n\nfunc main() {}\n')
    w.write('m_test.go', 'package main\n\nimport _ "testing"\n')
    w.run('check main.go', 0, '')
    w.run('list .', 0, 'm\n')
    w.run('list -test .', 0, 'm [m.test]\n')
    w.run('mod why m/p%d' % (LINKS - 1), 0, 'm/p%d\n' % (LINKS - 1))


def dependencies(w):
    w.chain(SHORT)
    w.write('main.go', 'package main\n\nimport _ "m/p0"\n\nfunc main() {}\n')
    w.run('list -deps .', 0, 'm/p%d\nm/p%d\n' % (SHORT - 1, SHORT - 2))
    w.run('list all', 0, 'm/p%d\n' % (SHORT - 1))


def cycles(w):
    w.chain(SHORT, 'import _ "m/p0"\n')
    w.write('main.go', 'package main\n\nimport _ "m/p0"\n\nfunc main() {}\n')
    want = 'imports m/p0 from p.go: import cycle not allowed'
    w.run('check main.go', 1, want)


def folders(w):
    w.write('a/' * FOLDERS + 'a.go', 'package a\n')
    w.write('main.go', 'package main\n\nimport _ "embed"\n\n'
            '//go:embed a\nvar s string\n\nfunc main() {}\n')
    w.run('list ./...', 0, 'm' + '/a' * FOLDERS + '\n')
    w.run('list -json=EmbedFiles .', 0, 'a/' * FOLDERS + 'a.go"')


def constraints(w):
    w.write('main.go', '//go:build %slinux%s\n\npackage main\n\nfunc main() {}'
            '\n' % ('(' * 900, ')' * 900))
    w.run('list .', 0, 'm\n')
    w.run('check .', 0, '')


def coverage(w):
    """To count lines from the file's begin for each block would take minutes."""
    w.write('a.go', 'package m\n' + ('// ' + 76 * '-' + '\n') * LINES + ''.join(
        'func f%d() { }\n' % i for i in range(BLOCKS)))
    w.write('a_test.go', 'package m\n\nimport "testing"\n\n'
            'func TestF(t *testing.T) { f%d() }\n' % (BLOCKS - 1))
    w.run('test -coverprofile=out .', 0, 'ok')
    with open(os.path.join(w.top, 'out'), encoding='utf-8') as f:
        last = f.read().split('\n')[-2]
    line = 1 + LINES + BLOCKS
    if last != 'm/a.go:%d.15,%d.17 0 1' % (line, line):
        raise AssertionError('the last block is ' + last)


def main():
    sys.setrecursionlimit(4 * FOLDERS)
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    p.add_argument('--slow', type=float, default=1)
    p.add_argument('names', nargs='*')
    opt = p.parse_args()
    passed = failed = 0
    for case in (imports, dependencies, cycles, folders, constraints, coverage):
        if opt.names and case.__name__ not in opt.names:
            continue
        with tempfile.TemporaryDirectory(prefix='vole-deep-') as top:
            try:
                case(World(top, opt))
                passed += 1
            except AssertionError as e:
                failed += 1
                print('FAIL', case.__name__, e)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
