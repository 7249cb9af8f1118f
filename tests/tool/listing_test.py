#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What there is to see of machine code: the listing beside bytecode, the dump
with lines that perf reads, and nothing where code cannot be mapped.

Usage: listing_test.py [--vole CMD]
"""

import argparse
import os
import re
import resource
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402

PROGRAM = '''package main

import "os"

func leaf(x int) int {
	return x * 3
}

func pick(n int) string {
	switch n {
	case 0:
		return "a"
	case 1:
		return "b"
	case 2:
		return "c"
	case 3:
		return "d"
	}
	return "e"
}

func sum(s []int) (t int) {
	for _, x := range s {
		t += leaf(x)
	}
	return t
}

type gate struct{ n, limit int }

func (g *gate) widen() {
	for g.limit <= g.n {
		g.limit *= 2
	}
}

func (g *gate) pass() {
	if g.n == g.limit {
		g.widen()
	}
	g.n++
}

func crowd(g *gate, n int) (t int) {
	for i := 0; i < n; i++ {
		g.pass()
		g.pass()
		g.pass()
		t += i
	}
	return t
}

func main() {
	crowd(&gate{0, 1}, calls([]int{1, 2}))
	println(os.Getpid(), pick(3), sum([]int{1, 2}))
}

//go:noinline
func kept(x int) int {
	return x * 3
}

func calls(s []int) (t int) {
	for _, x := range s {
		t += kept(x)
	}
	return t
}
'''
MAGIC, LOAD, LINES = 0x4a695444, 0, 2


def run(cmd, env=None, before=None):
    """stdout, stderr and status of a command."""
    r = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True,
                       env=dict(os.environ, **(env or {})), timeout=120,
                       preexec_fn=before, check=False)
    return r.stdout.decode(), r.stderr.decode(), r.returncode


class Listing:
    """A function's part: its bytecode and machine code, by offset and line."""

    def __init__(self, text):
        self.head, *rows = text.splitlines()
        self.ops, self.code, line, at = {}, [], 0, -1
        for row in rows:
            if re.match(r'  \S+:\d+$', row):
                line = int(row.rsplit(':', 1)[1])
            elif m := re.match(r' {4,7}(\d+)  (\S+)', row):
                at = int(m.group(1))
                self.ops[at] = m.group(2)
            elif m := re.match(r' {10}( *[0-9a-f]+)  (\S+)', row):
                self.code.append((int(m.group(1), 16), m.group(2), at, line))
            else:
                raise ValueError('a line of no kind: %r' % row)


def functions(out):
    """The listings by function."""
    return {text.split()[0]: Listing(text)
            for text in re.split(r'^func ', out, flags=re.M)[1:]}


def check_listing(vole, path):
    """Faults of -native."""
    out, err, status = run(vole + ['disasm', '-native', path])
    if status != 0:
        return ['-native: status %d: %s' % (status, err)]
    plain = functions(run(vole + ['disasm', path])[0])
    native = functions(out)
    bad = []
    if list(plain) != list(native):
        bad.append('functions %s, want %s' % (list(native), list(plain)))
    for name in ('main.pick', 'main.sum', 'main.leaf', 'main.main'):
        code = native[name].code
        if [a for a, _, _, _ in code] != sorted({a for a, _, _, _ in code}):
            bad.append('%s: addresses do not ascend' % name)
        if any(op == '(bad)' for _, op, _, _ in code) and name != 'main.pick':
            bad.append('%s: what is no instruction' % name)
        if not code:
            bad.append('%s: no machine code' % name)
    # The inlined multiplication is on the line of the leaf.
    at = [line for _, op, _, line in native['main.sum'].code
          if op in ('imul', 'lea') and line == 6]
    if not at:
        bad.append('main.sum: nothing of line 6: %s' % native['main.sum'].code)
    # Of what is not to be inlined there is a call and nothing else.
    kept = 1 + PROGRAM[:PROGRAM.index('func kept')].count('\n') + 1
    if kept not in {line for _, _, _, line in native['main.kept'].code}:
        bad.append('main.kept: nothing of line %d' % kept)
    if kept in {line for _, _, _, line in native['main.calls'].code}:
        bad.append('main.calls: line %d is in it' % kept)
    # What is called seldom takes no register from what is done always.
    crowd = re.split(r'^func ', out, flags=re.M)
    crowd = [text for text in crowd if text.startswith('main.crowd ')][0]
    m = re.search(r'\d  FORLT .*\n +[0-9a-f]+  (.*)', crowd)
    if m is None or '[' in m.group(1):
        bad.append('main.crowd: its counter is in memory: %s' % (
            m and m.group(1)))
    out, err, status = run(vole + ['disasm', '-native', path],
                           {'PATH': os.path.dirname(path)})
    if status != 1 or 'binutils' not in err:
        bad.append('without objdump: status %d, %s' % (status, err))
    return bad


def check_loops(vole, folder):
    """Short loops lie in one line of the cache, wherever they begin."""
    path, many = os.path.join(folder, 'short.go'), range(8)
    with open(path, 'w', encoding='utf-8') as f:
        f.write('package main\n\n')
        for k in many:
            f.write('func f%d(s []int, t int) int {\n%s\tfor _, x := range s '
                    '{\n\t\tt += x\n\t}\n\treturn t\n}\n\n' % (
                        k, '\tt ^= t >> 3\n' * k))
        f.write('func main() {\n%s}\n' % ''.join(
            '\tf%d(nil, 1)\n' % k for k in many))
    native = functions(run(vole + ['disasm', '-native', path])[0])
    bad = []
    for k in many:
        f = native['main.f%d' % k]
        loop = [a for a, _, at, _ in f.code if f.ops[at] == 'LDX64']
        if not loop or loop[0] % 64 != 0:
            bad.append('main.f%d: its loop is at %x' % (k, (loop or [1])[0]))
    return bad


HOT = '''package main

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func main() {
	println(fib(20))
}
'''


def short_files():
    """No file may be as long as what machine code is mapped from."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


def check_without(vole, path):
    """Faults where the system does not let code be mapped: programs run all
    the same, and only who asks is told."""
    bad = []
    out, err, status = run(vole + ['version', '-v'], before=short_files)
    if status != 0 or 'machine code: none' not in out:
        bad.append('version: status %d: %s%s' % (status, out, err))
    for mode, env in ((), {}), (['-jit=stress'], {}), (
            (), {'VOLEDEBUG': 'jitstat=1'}):
        out, err, status = run(vole + ['run', *mode, path], env, short_files)
        if status != 0 or err.splitlines()[:1] != ['6765'] or \
                not env and err != '6765\n':
            bad.append('run %s %s: status %d: %s' % (mode, env, status, err))
    return bad


def records(data):
    """The records of a dump: number, time and contents."""
    magic, version, size, machine, _, pid = struct.unpack_from('<6I', data)
    if (magic, version, size, machine) != (MAGIC, 1, 40, 62):
        raise ValueError('header %x %d %d %d' % (magic, version, size,
                                                 machine))
    yield -1, pid
    at = size
    while at < len(data):
        kind, size, _ = struct.unpack_from('<IIQ', data, at)
        yield kind, data[at + 16:at + size]
        at += size
    if at != len(data):
        raise ValueError('%d bytes, want %d' % (len(data), at))


def lines_of(body):
    """Address and line of each entry of a record of lines."""
    addr, n = struct.unpack_from('<QQ', body)
    at, rows = 16, []
    for _ in range(n):
        a, line, _ = struct.unpack_from('<QII', body, at)
        end = body.index(b'\0', at + 16)
        rows.append((a, line, body[at + 16:end].decode()))
        at = end + 1
    if at != len(body):
        raise ValueError('lines of %d bytes, want %d' % (len(body), at))
    return addr, rows


def check_dump(vole, path):
    """Faults of VOLEDEBUG=jitdump=1."""
    out, err, status = run(vole + ['run', '-jit=stress', path],
                           {'VOLEDEBUG': 'jitdump=1'})
    if status != 0 or not err.endswith(' d 9\n'):
        return ['run: status %d: %s%s' % (status, out, err)]
    dump = '/tmp/jit-%s.dump' % err.split()[0]
    with open(dump, 'rb') as f:
        data = f.read()
    os.remove(dump)
    bad, names, lines = [], {}, (0, [])
    for kind, body in records(data):
        if kind == LINES:
            lines = lines_of(body)
        elif kind == LOAD:
            pid, _, vma, addr, size, _ = struct.unpack_from('<IIQQQQ', body)
            name, code = body[40:].split(b'\0', 1)
            if (str(pid), vma, len(code)) != (err.split()[0], addr, size):
                bad.append('%s: %d bytes of %d' % (name, len(code), size))
            if lines[0] != addr or any(not addr <= a <= addr + size
                                       for a, _, _ in lines[1]):
                bad.append('%s: lines of something else' % name)
            names[name.decode()] = {line for _, line, f in lines[1]
                                    if f == path}
    if not {6, 24, 25, 27} <= names.get('main.sum', set()):
        bad.append('main.sum has lines %s' % names.get('main.sum'))
    return bad


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    opt = ap.parse_args()
    vole = shlex.split(opt.vole)[:-1]
    if 'machine code: none' in run(vole + ['version', '-v'])[0]:
        print('no machine code here')
        return 77
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, 'seen.go')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(PROGRAM)
        hot = os.path.join(work, 'hot.go')
        with open(hot, 'w', encoding='utf-8') as f:
            f.write(HOT)
        bad = check_dump(vole, path) + check_without(vole, hot)
        if shutil.which('objdump') is not None:
            bad += check_listing(vole, path)
            bad += check_loops(vole, os.path.dirname(path))
    for text in bad:
        print(text, file=sys.stderr)
    print('%d failed' % len(bad))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
