#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packages from a tree of Go's sources: small trees are written, and programs
that import their packages run over them; then the same with packed trees, and
with damaged ones.

Usage: tree_test.py [--vole CMD] [--treepack FILE]
"""

import argparse
import os
import shlex
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402

VERSION = 'package goversion\n\nconst Version = %d\n'


def whole_page(n):
    """A file of n bytes, the last of which its body needs."""
    head = ('package pages\n\nfunc F%d() string { return last%d }\n//' % (n, n))
    tail = '\n\nvar last%d = string([]byte{%d %% 251})' % (n, n)
    return head + '.' * (n - len(head) - len(tail)) + tail


TREE = {
    # Which files belong to a package.
    'tags/plain/plain.go': 'package plain\n\ntype T struct{}\n\nfunc Who() string { return who }\n',
    'tags/plain/plain_amd64.go': 'package plain\n\nconst who = "amd64"\n',
    'tags/plain/plain_arm64.go': 'package plain\n\nconst who = "arm64"\n',
    'tags/plain/plain_other.go':
        '//go:build !amd64\n\npackage plain\n\nconst who = "other"\n',
    'tags/plain/old.go':
        '//go:build !go1.20\n\npackage plain\n\nconst Release = "old"\n',
    'tags/plain/new.go':
        '//go:build go1.20\n\npackage plain\n\nconst Release = "new"\n',
    'tags/plain/plain_test.go': 'package plain\n\nvar _ = nothing\n',
    'tags/asm/asm.go': 'package asm\n\nfunc Who() string { return who }\n',
    'tags/asm/asm_amd64.s': 'TEXT .f(SB)\n',
    'tags/asm/asm_amd64.go': 'package asm\n\nconst who = "assembly"\n',
    'tags/asm/asm_other.go':
        '//go:build !amd64 || purego\n\npackage asm\n\nconst who = "Go"\n',
    # Its processor's files are kept, and its assembly is a patch.
    'internal/cpu/cpu.go':
        'package cpu\n\nvar Level = getGOAMD64level()\n',
    'internal/cpu/cpu_x86.go': '//go:build amd64\n\npackage cpu\n\n'
        'func getGOAMD64level() int32\n',
    'internal/cpu/cpu_x86.s': '//go:build amd64\n',
    'patched/patched.go': 'package patched\n\nimport "internal/cpu"\n\n'
        'func Level() int { return int(cpu.Level) }\n',
    # Names of other packages.
    'link/a/a.go': '''package a

import (
	"link/b"
	_ "unsafe"
)

//go:linkname pulled link/b.hidden
func pulled(n int) int

//go:linkname method link/b.(*T).hidden
func method(t *b.T) int

//go:linkname counter link/b.counter
var counter int

//go:linkname never link/b.nowhere
func never()

func pushed() string

//go:linkname itself link/a.itself
func itself() string

func Itself() string   { return itself() }
func Pulled() int      { return pulled(20) }
func Method() int      { return method(&b.T{N: 7}) }
func Counter() *int    { return &counter }
func Pushed() string   { return pushed() }
func Value() func() string { return pushed }
func Never()           { never() }
''',
    'link/b/b.go': '''package b

import _ "unsafe"

type T struct{ N int }

var counter = 41

func (t *T) hidden() int { return t.N * 6 }

func hidden(n int) int { return n + 1 }

func Counter() int { return counter }

//go:linkname offered link/a.pushed
func offered() string { return "offered" }

//go:linkname forItself link/a.itself
func forItself() string { return "itself" }
''',
    # Initialisers that are noticed.
    'inits/inits.go': '''package inits

var log []string

var (
	_ = note("blank")
	b = note("b after a", a)
	a = note("a")
	table = map[string]func(){"never": func() { note("never") }}
)

func init() { note("init") }

func note(s string, _ ...any) int {
	log = append(log, s)
	return 0
}

func Log() []string { return log }
''',
    # What stripping comments must leave alone.
    'texts/texts.go': '''/* A comment
of two lines */ package texts // behind

import ( // group
	"runtime" /* inside */
)

/*
 * more
 */
const Text = "// no /* comment" + `/* nor
this \` + "\\"" /* one */ + "'" + /* two
*/ string('"') + string('\\'') // end

func Line() int { /**/ _, _, n, _ := runtime.Caller(0); return n } // x
// last line without an end''',
    # Methods of an instance, before anything has named the generic type's.
    'curve/curve.go': '''package curve

type point[T any] interface {
	Add(T) T
	Text() string
}

type Curve interface{ Double() string }

type p224 struct{ n int }

func (p *p224) Add(q *p224) *p224 { return &p224{p.n + q.n} }
func (p *p224) Text() string      { return string(rune('a' + p.n)) }

type wrapper[P point[P]] struct{ fresh func() P }

func (w *wrapper[P]) Double() string { return w.sum(w.fresh()).Text() }
func (w *wrapper[P]) sum(p P) P      { return p.Add(p) }

var p224s = &wrapper[*p224]{fresh: func() *p224 { return &p224{3} }}

func P224() Curve { return p224s }
''',
    'wrong/wrong.go': 'package wrong\n\nimport "fmt"\n\n'
        'var s = fmt.Sprint(fmt.Nothing.Here)\n\nfunc F() {}\n',
    # Patched: setUpdate calls update with the variable GODEBUG, and whenever
    # somebody sets it.
    'internal/godebug/godebug.go': 'package godebug\n\n'
        'func setUpdate(update func(string, string)) {}\n\n'
        'func Last() *string {\n\ts := "none"\n'
        '\tsetUpdate(func(def, env string) { s = env })\n\treturn &s\n}\n',
    'debugged/debugged.go': 'package debugged\n\n'
        'import "internal/godebug"\n\nvar Last = godebug.Last()\n',
    # In place of vole's own.
    'path/path.go': 'package path\n\n'
        'func Base(s string) string { return "base of " + s }\n',
    # Bodies are read when all is parsed, wherever a file's end lies in a page:
    # where the page has no room behind it, too.
    **{'pages/p%d.go' % n: whole_page(n)
       for n in (4095, 4096, 4097, 8191, 8192)},
    'vendor/golang.org/x/brought/brought.go':
        'package brought\n\nconst Text = "brought"\n',
    'brings/brings.go': 'package brings\n\n'
        'import "golang.org/x/brought"\n\nconst Text = brought.Text\n',
    # A module's patch is of what the library has taken from it, too.
    'vendor/golang.org/x/sys/cpu/cpu.go':
        'package cpu\n\nfunc Level() uint32 { n, _, _, _ := cpuid(7, 0); '
        'return n }\n\nfunc cpuid(a, c uint32) (w, x, y, z uint32)\n',
    'vendor/golang.org/x/sys/cpu/cpu_x86.s': '//go:build amd64 && gc\n',
    'asks/asks.go': 'package asks\n\nimport "golang.org/x/sys/cpu"\n\n'
        'func Level() uint32 { return cpu.Level() }\n',
}

# Name, imports, statements, environment, what is printed.
CASES = [
    ('tags', 'tags/plain tags/asm',
     'fmt.Println(plain.Who(), plain.Release, asm.Who())', {},
     'amd64 old Go\n'),
    ('patch', 'patched', 'fmt.Println(patched.Level())', {}, '1\n'),
    ('settings', 'debugged os', 'fmt.Println(*debugged.Last)\n'
     'os.Setenv("GODEBUG", "a=2")\nfmt.Println(*debugged.Last)\n'
     'os.Unsetenv("GODEBUG")\nfmt.Println(*debugged.Last == "")',
     {'GODEBUG': 'a=1'}, 'a=1\na=2\ntrue\n'),
    ('linkname', 'link/a link/b', '*a.Counter()++\n'
     'fmt.Println(a.Pulled(), a.Method(), b.Counter(), a.Pushed(), '
     'a.Value()(), a.Itself())', {}, '21 42 42 offered offered itself\n'),
    ('missing target', 'link/a', 'var never = a.Never\n'
     'defer func() { fmt.Println(recover(), never != nil) }()\na.Never()', {},
     'no native function link/a.never true\n'),
    ('initialisers', 'inits', 'fmt.Println(inits.Log())', {},
     '[blank a b after a init]\n'),
    ('reached only by import', 'inits', 'var _ = inits.Log', {}, ''),
    ('texts', 'texts', 'fmt.Printf("%q %d\\n", texts.Text, texts.Line())',
     {}, '"// no /* comment/* nor\\nthis \\\\\\"\'\\"\'" 15\n'),
    ('generic', 'curve', 'fmt.Println(curve.P224().Double())', {}, 'g\n'),
    ('wrong initialiser', 'wrong', 'wrong.F()', {}, 'wrong/wrong.go:5:24: undefined: fmt.Nothing\n'),
    ('vole\'s own', 'path', 'fmt.Println(path.Base("a/b"))', {}, 'b\n'),
    ('the tree\'s instead', 'path', 'fmt.Println(path.Base("a/b"))',
     {'VOLETREE': 'strings,path'}, 'base of a/b\n'),
    ('vendored', 'brings', 'fmt.Println(brings.Text)', {}, 'brought\n'),
    ('vendored and patched', 'asks', 'fmt.Println(asks.Level())', {}, '0\n'),
    ('whole pages', 'pages',
     'for _, f := range []func() string{pages.F4095, pages.F4096, pages.F4097, '
     'pages.F8191, pages.F8192} {\nfmt.Print(f()[0], " ")\n}', {},
     '79 80 81 159 160 '),
    ('no package', 'nothing/here', 'here.F()', {},
     'prog.go:4:2: package nothing/here is not in std\n'),
    ('a patch is no package', 'tree/internal/cpu', 'cpu.F()', {},
     'prog.go:4:2: package tree/internal/cpu is not in std\n'),
    ('outside of the tree', 'tags/../tags/plain', 'plain.Who()', {},
     'prog.go:4:2: package tags/../tags/plain is not in std\n'),
    ('a newer package', 'crypto/ecdh', 'ecdh.P256()', {},
     'prog.go:4:2: package crypto/ecdh needs the library of Go 1.20 or newer; '
     '@ has that of Go 1.19\n'),
    ('a newer name', 'tags/plain', 'plain.Newer()', {},
     'prog.go:8:7: undefined: plain.Newer (the library in @ is that of Go '
     '1.19)\n'),
    ('a newer method', 'tags/plain', 'var t plain.T; t.Newer()', {},
     'prog.go:8:18: t.Newer undefined (type plain.T has no field or method '
     'Newer) (the library in @ is that of Go 1.19)\n'),
    ('no newer name', 'tags/plain', 'plain.Newer()', {'VOLEROOT': '@26'},
     'prog.go:8:7: undefined: plain.Newer\n'),
    ('too old', 'tags/plain', 'plain.Who()', {'VOLEROOT': '@18'},
     'prog.go:4:2: @18 has the library of Go 1.18, and vole needs 1.19 or '
     'newer\n'),
    ('no tree there', 'tags/plain', 'plain.Who()', {'VOLEROOT': '@none'},
     'prog.go:4:2: @none has no sources of Go\'s library\n'),
    ('no need of one', 'strings', 'fmt.Println(strings.ToUpper("x"))',
     {'VOLEROOT': '@none'}, 'X\n'),
    ('GOROOT', 'tags/plain', 'fmt.Println(plain.Release)',
     {'VOLEROOT': '', 'GOROOT': '@26'}, 'new\n'),
    ('go on PATH', 'tags/plain', 'fmt.Println(plain.Release)',
     {'VOLEROOT': '', 'PATH': '/nowhere:@26/bin'}, 'new\n'),
]


def write_tree(root, files, minor):
    files = dict(files)
    files['internal/goversion/goversion.go'] = VERSION % minor
    for name, text in files.items():
        path = os.path.join(root, 'src', name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as f:
            f.write(text)
    os.makedirs(os.path.join(root, 'bin'))
    go = os.path.join(root, 'bin', 'go')
    with open(go, 'w') as f:
        f.write('#!/bin/sh\nexit 1\n')
    os.chmod(go, 0o755)


def run_case(opt, work, case, pack=None):
    """Whether a case prints what it is to; `pack` is used for the tree."""
    name, imports, text, env, want = case
    imports = ['fmt'] + imports.split()
    prog = os.path.join(work, 'prog.go')
    with open(prog, 'w') as f:
        f.write('package main\nimport (\n%s)\nvar _ = fmt.Print\n'
                'func main() {\n%s\n}\n' % (
                    ''.join('\t"%s"\n' % i for i in imports), text))
    root = os.path.join(work, 'tree')
    if pack:
        root = pack
    env = {k: v.replace('@', root) for k, v in env.items()}
    env.setdefault('VOLEROOT', root)
    r = common.run(shlex.split(opt.vole) + [prog], timeout=60, env=env)
    got = (r.out + r.err).replace(root, '@').replace(work + '/', '')
    if got == want:
        return True
    print('FAIL %s%s\n  got  %r\n  want %r' % (
        name, ', packed' if pack else '', got, want))
    return False


def make_pack(opt, work):
    pack = os.path.join(work, 'a.pack')
    root = os.path.join(work, 'tree')
    with open(os.path.join(root, 'LICENSE'), 'w') as f:
        f.write('a licence\n')
    r = common.run([opt.treepack, root, pack, pack + '.LICENSE'], timeout=60)
    if r.status != 0:
        sys.exit('treepack: ' + r.err)
    with open(pack + '.LICENSE') as f:
        assert f.read() == 'a licence\n'
    return pack


def run_env(opt, work):
    """What `vole env` says of the tree and of settings; how many answers are
    wrong."""
    root = os.path.join(work, 'tree')
    exe = shlex.split(opt.vole)[0]
    failed = 0
    for place, names, want in [
            ({'VOLEROOT': root}, ['GOROOT', 'TREEVERSION', 'VOLEROOT'],
             '%s\ngo1.19\n%s\n' % (root, root)),
            ({'VOLEROOT': '', 'GOROOT': root + '26'}, ['GOROOT'],
             root + '26\n'),
            ({'VOLEROOT': root + '18'}, ['GOROOT', 'TREEVERSION'], '\n\n'),
            ({'GOFLAGS': "-tags='x'"}, ['GOFLAGS', 'NOTHING'],
             "-tags='x'\n\n"),
            ({'GOMODCACHE': '/a/b'}, ['GOMODCACHE'], '/a/b\n')]:
        r = common.run([exe, 'env'] + names, timeout=60, env=place)
        if r.out != want or r.err or r.status != 0:
            print('FAIL env %s: %r' % (names, r.out + r.err))
            failed += 1
    r = common.run([exe, 'env'], timeout=60,
                   env={'VOLEROOT': root, 'GOFLAGS': "-tags='x'"})
    lines = r.out.split('\n')
    for line in ("GOROOT='%s'" % root, "GOFLAGS='-tags='\\''x'\\'''"):
        if line not in lines:
            print('FAIL env: no line %s in %r' % (line, r.out))
            failed += 1
    return failed


def run_list(opt, work, pack):
    """`vole list` of a folder's packages and of packed ones; how many answers
    are wrong."""
    exe = shlex.split(opt.vole)[0]
    folder = os.path.join(work, 'tree')
    failed = 0
    for root, words, want in [
            (folder, ['-deps', 'link/b'], 'unsafe\nlink/b\n'),
            (pack, ['-deps', 'link/b'], 'unsafe\nlink/b\n'),
            (folder, ['-json=Dir,ImportPath', 'tags/plain'],
             '{\n\t"Dir": "@/src/tags/plain",\n'
             '\t"ImportPath": "tags/plain"\n}\n'),
            (pack, ['-json=Dir,ImportPath,GoFiles', 'tags/asm'],
             '{\n\t"ImportPath": "tags/asm",\n\t"GoFiles": [\n'
             '\t\t"asm.go",\n\t\t"asm_other.go"\n\t]\n}\n'),
            (folder, ['nothing'],
             'package nothing is not in std (@/src/nothing)\n')]:
        r = common.run([exe, 'list'] + words, timeout=60, cwd=work,
                       env={'VOLEROOT': root})
        got = (r.out + r.err).replace(root, '@')
        if r.trouble() or got != want:
            print('FAIL list %s in %s: %s %r' % (
                words, root, r.trouble(), got))
            failed += 1
    return failed


def run_damaged(opt, work, pack):
    """However a pack is damaged, there is a message; how many there were not."""
    with open(pack, 'rb') as f:
        good = f.read()
    bad = os.path.join(work, 'bad.pack')
    prog = os.path.join(work, 'prog.go')
    with open(prog, 'w') as f:
        f.write('package main\n\nimport _ "inits"\n\nfunc main() {}\n')
    failed = 0
    for at in range(0, len(good), max(1, len(good) // 60)):
        for text in good[:at], good[:at] + bytes([good[at] ^ 0xff]) + \
                good[at + 1:]:
            with open(bad, 'wb') as f:
                f.write(text)
            r = common.run(shlex.split(opt.vole) + [prog], timeout=60,
                           env={'VOLEROOT': bad})
            if r.trouble() or r.status not in (0, 1):
                print('FAIL damaged at %d: %s %s' % (at, r.status, r.err))
                failed += 1
    return failed


def run_real(opt, work):
    """What is newer than a tree that is installed is told of, and nothing of
    the tree itself, all of whose package os is looked at for it; how many trees
    are not right."""
    prog = os.path.join(work, 'prog.go')
    with open(prog, 'w') as f:
        f.write('package main\n\nimport "os"\n\nfunc main() {\n'
                'os.OpenRoot(".")\np, _ := os.FindProcess(1)\n'
                'println(p.Signal(nil), p)\n}\n')
    failed = 0
    for root in common.go_trees():
        r = common.run(shlex.split(opt.vole) + [prog], timeout=60,
                       env={'VOLEROOT': root})
        if common.tree_minor(root) < 24 and \
                r.err != '%s:6:4: undefined: os.OpenRoot\n' % prog:
            print('FAIL real tree %s: %s' % (root, r.err))
            failed += 1
    return failed


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--treepack', metavar='FILE', default=os.path.join(
        common.ROOT, 'build/cmd/treepack/treepack'))
    ap.add_argument('words', nargs='*')
    opt = ap.parse_args()
    cases = [c for c in CASES
             if not opt.words or any(w in c[0] for w in opt.words)]
    with tempfile.TemporaryDirectory() as work:
        write_tree(os.path.join(work, 'tree'), TREE, 19)
        write_tree(os.path.join(work, 'tree18'), {}, 18)
        # As new as any that vole knows and finds on the machine.
        write_tree(os.path.join(work, 'tree26'), TREE, 26)
        failed = sum(not run_case(opt, work, c) for c in cases)
        pack = make_pack(opt, work)
        packed = [c for c in cases if not any(
            s in str(c[3]) for s in ('@18', '@26'))]
        failed += sum(not run_case(opt, work, c, pack) for c in packed)
        failed += run_damaged(opt, work, pack)
        failed += run_env(opt, work)
        failed += run_list(opt, work, pack)
        failed += run_real(opt, work)
    common.summary(len(cases) + len(packed) + 4 - failed, failed, 0)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
