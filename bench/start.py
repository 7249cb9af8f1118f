#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a start costs, and how fast the front end is.

    bench/start.py            VOLE, or build/cmd/vole/vole
    bench/start.py -n 50

For an empty program, hello world and one that listens with net/http: millions
of instructions (valgrind), the least CPU time of n runs, and the resident set,
beside what is installed of lua5.4, node and go.  The one with net/http is
compiled without anything kept, as one that has just been changed, where the
library's code is kept, and as one that has been run before.  Then lines a
second: packages of the Go tree, as a module of their own, checked in full.
Instructions hardly depend on the machine and on what else runs there; times do.
"""
import argparse
import os
import re
import shlex
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'tests'))
import common  # noqa: E402

EMPTY = 'package main\n\nfunc main() {}\n'
HELLO = ('package main\n\nimport "fmt"\n\n'
         'func main() { fmt.Println("hello, world") }\n')
HTTP = '''package main

import (
\t"fmt"
\t"net"
\t"net/http"
\t"os"
)

func hello(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "hello") }

func main() {
\thttp.HandleFunc("/", hello)
\tl, err := net.Listen("tcp", "127.0.0.1:0")
\tif err != nil {
\t\tpanic(err)
\t}
\tfmt.Println("listening")
\tif len(os.Args) > 1 {
\t\thttp.Serve(l, nil)
\t}
}
'''
PROGRAMS = {'empty': EMPTY, 'hello': HELLO, 'http': HTTP}

# Packages that stand alone and have no files by architecture; those that a
# release makes import internal ones are left out.
FRONT = ['archive/tar', 'compress/flate', 'database/sql', 'debug/dwarf',
         'debug/elf', 'encoding/asn1', 'encoding/gob', 'encoding/json',
         'encoding/xml', 'go/ast', 'go/constant', 'go/printer', 'go/scanner',
         'html', 'image/gif', 'image/png', 'net/mail', 'net/textproto',
         'regexp/syntax', 'text/tabwriter', 'text/template/parse']


def instructions(command, env=None):
    """Millions, or None."""
    if not shutil.which('valgrind'):
        return None
    with tempfile.TemporaryDirectory() as tmp:
        r = common.run(
            ['valgrind', '--tool=callgrind', '--callgrind-out-file=' +
             os.path.join(tmp, 'out')] + command, timeout=600, env=env)
    m = re.search(r'Collected : (\d+)', r.err)
    return int(m.group(1)) / 1e6 if r.status == 0 and m else None


def cost(command, rounds, env=None, before=lambda: None):
    """Least CPU milliseconds, and resident MB as time(1) sees them: a process
    that python starts begins with python's own size.  `before` each run."""
    cpu, rss = [], None
    for _ in range(rounds):
        before()
        r = common.run(command, timeout=60, env=env)
        if r.status != 0:
            sys.exit('%s: %s' % (' '.join(command), r.err[-300:]))
        cpu.append(r.cpu * 1000)
    if os.access('/usr/bin/time', os.X_OK):
        before()
        r = common.run(['/usr/bin/time', '-f', 'RSS %M'] + command,
                       timeout=60, env=env)
        m = re.search(r'RSS (\d+)', r.err)
        rss = int(m.group(1)) / 1024 if m else None
    return min(cpu), rss


def commands(vole, work):
    """Names and commands of what is compared."""
    rows = []
    for name, text in PROGRAMS.items():
        path = os.path.join(work, name + '.go')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        rows.append(('vole ' + name, vole + ['run', path]))
    rows.append(('vole http, changed', rows[-1][1]))
    rows.append(('vole http, kept', rows[-1][1]))
    for tool, ext, text in (('lua5.4', 'lua', 'print("hello, world")\n'),
                            ('node', 'js', 'console.log("hello, world")\n')):
        path = os.path.join(work, 'hello.' + ext)
        if shutil.which(tool):
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text)
            rows.append((tool + ' hello', [tool, path]))
    if shutil.which('go'):
        exe = os.path.join(work, 'hello.exe')
        r = common.run(['go', 'build', '-o', exe,
                        os.path.join(work, 'hello.go')], timeout=300,
                       env=common.go_env())
        if r.status == 0:
            rows.append(('compiled Go hello', [exe]))
    return rows


def forget_programs(folder):
    """What is kept of programs goes, and that of the library stays."""
    for name in os.listdir(folder):
        if name.endswith('.image'):
            os.unlink(os.path.join(folder, name))


def starts(vole, work, rounds):
    print('%-24s%16s%12s%12s' % ('', 'M instructions', 'CPU ms', 'RSS MB'))
    for name, command in commands(vole, work):
        env, before = {'VOLECACHE': 'off'}, lambda: None
        if ', ' in name:
            folder = os.path.join(work, 'cache')
            env = {'VOLECACHE': folder}
            cost(command, 1, env)
            if name.endswith('changed'):
                def before():
                    forget_programs(folder)
        before()
        count = None if name.startswith('node') else instructions(
            command, env)
        ms, mb = cost(command, 3 if 'node' in name else rounds, env, before)
        print('%-24s%16s%12.2f%12s' % (
            name, '-' if count is None else '%.2f' % count, ms,
            '-' if mb is None else '%.1f' % mb), flush=True)


def copy_tree(root, work):
    """The packages as module `x`; how many lines there are."""
    lines = 0
    for package in FRONT:
        src, dst = os.path.join(root, package), os.path.join(work, package)
        if not os.path.isdir(src):
            continue
        texts = {}
        for name in os.listdir(src):
            if not name.endswith('.go') or name.endswith('_test.go'):
                continue
            with open(os.path.join(src, name), encoding='utf-8') as f:
                text = f.read()
            if not re.search(r'^//go:build', text, re.M):
                texts[name] = text
        if any(re.search(r'^(import )?\s*"([a-z/]+/)?internal/', text, re.M)
               for text in texts.values()):
            continue
        os.makedirs(dst)
        for name, text in texts.items():
            with open(os.path.join(dst, name), 'w', encoding='utf-8') as f:
                f.write(text)
            lines += text.count('\n')
    with open(os.path.join(work, 'go.mod'), 'w', encoding='utf-8') as f:
        f.write('module x\n\ngo 1.%d\n' %
                common.tree_minor(os.path.dirname(root)))
    return lines


def front(vole, work, rounds):
    r = common.run(vole + ['env'], timeout=60)
    m = re.search(r"^GOROOT='(.+)'", r.out, re.M)
    if not m or not os.path.isdir(os.path.join(m.group(1), 'src')):
        print('\nno sources of Go are found: the front end is not measured')
        return
    module = os.path.join(work, 'front')
    os.mkdir(module)
    lines = copy_tree(os.path.join(m.group(1), 'src'), module)
    command = vole + ['check', os.path.join(module, '...')]
    ms, mb = cost(command, rounds)
    count = instructions(command)
    print('\n%-24s%16s%12.2f%12s' % (
        'check %d lines' % lines, '-' if count is None else '%.2f' % count,
        ms, '-' if mb is None else '%.1f' % mb))
    print('%.2f million lines a second' % (lines / ms / 1000))


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('-n', type=int, default=20, help='rounds (default 20)')
    opt = ap.parse_args()
    vole = shlex.split(opt.vole)
    if vole[-1] == 'run':
        vole = vole[:-1]
    with tempfile.TemporaryDirectory(prefix='vole-start-') as work:
        starts(vole, work, opt.n)
        front(vole, work, opt.n)
    return 0


if __name__ == '__main__':
    sys.exit(main())
