#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiled programs that are kept: a small tree of Go's sources is written, a
program that imports from it runs again and again, and whatever it depends on is
changed in between.  Only what has not changed may be found again.

Usage: cache_test.py [--vole CMD] [--treepack FILE]
"""

import argparse
import os
import shlex
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402

TREE = {
    'internal/goversion/goversion.go':
        'package goversion\n\nconst Version = 19\n',
    'embed/embed.go': 'package embed\n\ntype FS struct{ files *[]file }\n\n'
        'type file struct{ name, data string }\n',
    'said/said.go': 'package said\n\nimport "said/deep"\n\n'
        'var Word = deep.Word + half\n\nconst half = "1"\n',
    'said/other.go': '//go:build never\n\npackage said\n',
    'said/deep/deep.go': 'package deep\n\nvar Word = "one"\n',
}

PROG = '''package main

import (
	_ "embed"
	"os"
	"runtime"

	"said"
)

//go:embed note.txt
var note string

var words = map[string]int{said.Word: 7}

type shape interface{ area() float64 }
type square struct{ side float64 }

func (s square) area() float64 { return s.side * s.side }

func main() {
	var s shape = square{1.5}
	defer func() {
		_, file, line, _ := runtime.Caller(0)
		println(recover().(error).Error(), file[len(file)-7:], line)
	}()
	println(said.Word, note, words["one1"], s.area() == 2.25, len(os.Args))
	var p *square
	p.side = 1
}
'''

WANT = ('%s %s 7 true %d\nruntime error: invalid memory address or nil '
        'pointer dereference prog.go 24\n')


class Test:
    def __init__(self, opt, work):
        self.vole = shlex.split(opt.vole)
        self.treepack = opt.treepack
        self.work = work
        self.cache = os.path.join(work, 'cache', 'deep')
        self.prog = os.path.join(work, 'prog.go')
        self.env = {'VOLECACHE': self.cache,
                    'VOLEROOT': os.path.join(work, 'tree')}
        self.good = self.bad = 0

    def write(self, name, text):
        path = os.path.join(self.work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        return path

    def settle(self):
        """Files that have just been written are not trusted to stay as they
        are: until the clock of the file system is past that."""
        time.sleep(4)

    def fail(self, what, got):
        self.bad += 1
        print('FAIL %s: %s' % (what, got))

    def run(self, what, want, args=(), env=None, status=0, words=None):
        r = common.run(self.vole + (words or [self.prog]) + list(args),
                       timeout=60, env=dict(self.env, **(env or {})))
        if r.err != want or r.out or r.status != status:
            self.fail(what, '%s %r' % (r.status, r.out + r.err))
        else:
            self.good += 1

    def entries(self):
        try:
            return sorted(os.path.join(self.cache, n)
                          for n in os.listdir(self.cache))
        except FileNotFoundError:
            return []

    def check(self, what, holds):
        if holds:
            self.good += 1
        else:
            self.fail(what, self.entries())

    def found(self, what, want, **more):
        """Runs, and sees that an entry was used: its time is news, and it is
        the same file."""
        old = time.time() - 7200
        before = {}
        for path in self.entries():
            os.utime(path, (old, old))
            before[path] = os.stat(path).st_ino
        self.run(what, want, **more)
        used = [p for p in self.entries() if p in before and
                os.stat(p).st_ino == before[p] and
                os.stat(p).st_mtime > old + 60]
        self.check(what + ': found', len(used) == 1)

    def made(self, what, want, fresh=True, **more):
        """Runs, and sees that nothing was found; `fresh`: and that the program
        is kept."""
        old = time.time() - 7200
        before = {}
        for path in self.entries():
            os.utime(path, (old, old))
            before[path] = os.stat(path).st_ino
        self.run(what, want, **more)
        after = {p: os.stat(p).st_ino for p in self.entries()}
        self.check(what + ': not found', all(
            os.stat(p).st_mtime < old + 60 for p in after
            if before.get(p) == after[p]))
        self.check(what + ': kept', (after != before) == fresh)

    def unchanged(self):
        self.made('first', WANT % ('one1', 'a note', 1))
        self.check('one entry', len(self.entries()) == 1)
        self.check('of the user alone',
                   os.stat(self.entries()[0]).st_mode & 0o777 == 0o600 and
                   os.stat(self.cache).st_mode & 0o777 == 0o700)
        for i in range(2):
            self.found('again', WANT % ('one1', 'a note', 1))
        self.found('arguments', WANT % ('one1', 'a note', 3), args=['a', 'b'])
        self.found('machine code', WANT % ('one1', 'a note', 1),
                   env={'VOLEDEBUG': 'jit=2'})
        self.found('stress', WANT % ('one1', 'a note', 1),
                   env={'VOLEDEBUG': 'gcstress=3'})
        self.made('off', WANT % ('one1', 'a note', 1), fresh=False,
                  env={'VOLECACHE': 'off'})
        self.made('by a plan', WANT % ('one1', 'a note', 1), fresh=False,
                  words=['-sched-seed=1', self.prog])

    def options(self):
        self.made('tags', WANT % ('one1', 'a note', 1),
                  words=['-tags=x', self.prog])
        self.made('language', WANT % ('one1', 'a note', 1),
                  words=['-lang=go1.20', self.prog])
        self.found('without', WANT % ('one1', 'a note', 1))

    def sources(self):
        self.write('note.txt', 'b note')
        self.made('embedded file', WANT % ('one1', 'b note', 1))
        self.write('note.txt', 'a note')
        self.found('as it was', WANT % ('one1', 'a note', 1))
        self.write('prog.go', PROG.replace('7}', '8}'))
        self.made('source', (WANT % ('one1', 'a note', 1)).replace(
            ' 7 ', ' 8 '))
        self.write('prog.go', PROG + '\nvar unused int = "x"\n')
        self.run('an error', self.prog + ':32:18: cannot use "x" (untyped '
                 'string constant) as int value in variable declaration\n',
                 status=1)
        self.write('prog.go', PROG)

    def tree(self):
        """A file of the tree changes behind an unchanged size and time."""
        path = os.path.join(self.work, 'tree/src/said/deep/deep.go')
        st = os.stat(path)
        self.write('tree/src/said/deep/deep.go',
                   TREE['said/deep/deep.go'].replace('one', 'two'))
        os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))
        want = (WANT % ('two1', 'a note', 1)).replace(' 7 ', ' 0 ')
        self.made('tree changed', want, fresh=False)
        self.write('tree/src/said/deep/more.go',
                   'package deep\n\nfunc init() { Word = "three" }\n')
        self.settle()
        self.made('file added', want.replace('two', 'three'))
        os.unlink(os.path.join(self.work, 'tree/src/said/deep/more.go'))
        self.made('file removed', want, fresh=False)
        self.write('tree/src/said/deep/deep.go', TREE['said/deep/deep.go'])
        self.settle()
        self.made('tree restored', WANT % ('one1', 'a note', 1))
        self.found('tree settled', WANT % ('one1', 'a note', 1))

    def damaged(self):
        for path in self.entries():
            os.unlink(path)
        self.made('emptied', WANT % ('one1', 'a note', 1))
        path = self.entries()[0]
        with open(path, 'rb') as f:
            good = f.read()
        for at in [0, 8, 30] + list(range(64, len(good), len(good) // 12)):
            for bad in (good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1:],
                        good[:at]):
                with open(path, 'wb') as f:
                    f.write(bad)
                self.run('damaged at %d' % at, WANT % ('one1', 'a note', 1))
        with open(path, 'rb') as f:
            self.check('mended', f.read() == good)
        os.chmod(path, 0o666)
        self.made('anybody could have written it',
                  WANT % ('one1', 'a note', 1))

    def folders(self):
        self.run('relative', 'vole: VOLECACHE is neither an absolute path '
                 'nor "off"\n', env={'VOLECACHE': 'cache'}, status=2)
        self.run('no folder can be made', WANT % ('one1', 'a note', 1),
                 env={'VOLECACHE': self.prog + '/in/a/file'})
        home = os.path.join(self.work, 'home')
        self.run('at home', WANT % ('one1', 'a note', 1),
                 env={'VOLECACHE': '', 'XDG_CACHE_HOME': '', 'HOME': home})
        self.check('there', len(os.listdir(home + '/.cache/vole')) == 1)
        self.run('by XDG', WANT % ('one1', 'a note', 1),
                 env={'VOLECACHE': '', 'XDG_CACHE_HOME': home + '/xdg'})
        self.check('there', len(os.listdir(home + '/xdg/vole')) == 1)
        before = self.entries()
        plain = self.write('plain.go', 'package main\n\nimport "fmt"\n\n'
                           'func main() { fmt.Print() }\n')
        self.run('no tree is needed', '', words=[plain])
        self.check('not kept', self.entries() == before)
        old = self.write('cache/deep/%064d.image' % 0, '')
        os.truncate(old, 300 << 20)
        os.utime(old, (0, 0))
        self.run('full', WANT % ('one1', 'a note', 1),
                 words=['-tags=full', self.prog])
        self.check('the oldest went', old not in self.entries() and
                   set(before) < set(self.entries()))

    def packed(self):
        pack = os.path.join(self.work, 'a.pack')
        self.write('tree/LICENSE', 'a licence\n')
        r = common.run([self.treepack, self.env['VOLEROOT'], pack,
                        pack + '.LICENSE'], timeout=60)
        if r.status != 0:
            sys.exit('treepack: ' + r.err)
        env = {'VOLEROOT': pack}
        self.made('a new pack', WANT % ('one1', 'a note', 1), fresh=False,
                  env=env)
        self.settle()
        self.made('packed', WANT % ('one1', 'a note', 1), env=env)
        self.found('packed again', WANT % ('one1', 'a note', 1), env=env)
        os.utime(pack)
        self.made('another pack', WANT % ('one1', 'a note', 1), fresh=False,
                  env=env)


    def stocks(self):
        """A program leaves the code of the tree's functions for others."""
        self.cache = os.path.join(self.work, 'stocks')
        self.env['VOLECACHE'] = self.cache
        text = 'package many\n\nimport "said/deep"\n\n' + ''.join(
            'func F%d() func() string {\n'
            '\treturn func() string { return deep.Word + "%d" }\n}\n' % (i, i)
            for i in range(40))
        self.write('tree/src/said/many/many.go', text)
        self.settle()
        prog = 'package main\n\nimport "said/many"\n\nfunc main() {\n' + \
            ''.join('\tprint(many.F%d()())\n' % i for i in range(40)) + '%s}\n'
        want = ''.join('one%d' % i for i in range(40))

        def stock():
            return [p for p in self.entries() if p.endswith('.stock')]

        def one(what, text, want, fresh):
            path = self.write('many.go', text)
            old = {p: os.stat(p).st_ino for p in stock()}
            for p in old:
                os.utime(p, (1, 1))
            self.run(what, want, words=[path])
            now = {p: os.stat(p).st_ino for p in stock()}
            self.check(what + ': one stock', len(now) == 1)
            self.check(what + ': left', (now != old) == fresh)
            self.check(what + ': used', fresh or all(
                os.stat(p).st_mtime > 1 for p in now))

        one('first', prog % '', want, True)
        self.check('of the user alone', all(
            os.stat(p).st_mode & 0o777 == 0o600 for p in stock()))
        one('another', prog % '\tprint("\\n")\n', want + '\n', False)
        for at in (8, 30, 2000):
            with open(stock()[0], 'r+b') as f:
                f.seek(at)
                byte = f.read(1)
                f.seek(at)
                f.write(bytes([byte[0] ^ 0x10]))
            one('damaged at %d' % at, prog % ('\tprint(%d)\n' % at),
                want + str(at), True)
        self.write('tree/src/said/deep/deep.go',
                   TREE['said/deep/deep.go'].replace('one', 'two'))
        self.settle()
        one('tree changed', prog % '\tprint("!")\n',
            want.replace('one', 'two') + '!', True)
        self.write('tree/src/said/deep/deep.go', TREE['said/deep/deep.go'])
        self.settle()
        for p in self.entries():
            os.unlink(p)
        if not common.go_tree():
            return
        self.write('mod/go.mod', 'module m\n\ngo 1.19\n')
        self.write('mod/m_test.go', 'package m\n\nimport ("encoding/json"; '
                   '"testing")\n\nfunc TestM(t *testing.T) {\n'
                   '\tjson.Marshal(t.Name())\n}\n')
        r = common.run(self.vole[:-1] + ['test'], timeout=60,
                       env=dict(self.env, VOLEROOT=''),
                       cwd=os.path.join(self.work, 'mod'))
        self.check('tests leave it, too: ' + r.out + r.err,
                   r.status == 0 and len(stock()) == 1)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--treepack', metavar='FILE', default=os.path.join(
        common.ROOT, 'build/cmd/treepack/treepack'))
    opt = ap.parse_args()
    with tempfile.TemporaryDirectory(prefix='vole-cache-') as work:
        t = Test(opt, work)
        for name, text in TREE.items():
            t.write('tree/src/' + name, text)
        t.write('prog.go', PROG)
        t.write('note.txt', 'a note')
        t.made('too new', WANT % ('one1', 'a note', 1), fresh=False)
        t.settle()
        for part in (t.unchanged, t.options, t.sources, t.tree, t.damaged,
                     t.folders, t.packed, t.stocks):
            part()
    common.summary(t.good, t.bad, 0)
    return 1 if t.bad else 0


if __name__ == '__main__':
    sys.exit(main())
