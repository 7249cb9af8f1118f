#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Feeds the front end with damaged programs.

The scripts of tests/script are changed at random places, token by token or
byte by byte, and given to `vole check`.  Whatever the damage, it must end in
time with status 0 or 1, and with 1 it must name a file, line and column.
What is accepted all the same goes through the generator, too (`vole disasm`).
A third of the programs have type parameters, and a third of the damage is to
them.
With --go each program is also compiled by the real go, and programs that only
one of the two accepts are printed (they do not fail the run).

The seed is printed; --seed replays it, --keep keeps the programs that failed.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402
import gosrc  # noqa: E402

SPICE = ['(', ')', '[', ']', '{', '}', ',', ';', ':', ':=', '=', '==', '...',
         '<-', '*', '&', '!', '.', '+', '<<', '&^', 'func', 'type', 'var',
         'const', 'struct', 'interface', 'map', 'chan', 'go', 'defer',
         'return', 'range', 'for', 'if', 'else', 'switch', 'case', 'default',
         'select', 'goto', 'break', 'continue', 'fallthrough', 'nil', 'iota',
         'int', 'string', 'error', '0', '1', '-1', '1e400', '0x', "'a'", '""',
         '"x"', '`', "'", '"', '\\', '/*', '//', '\n', '_', 'main', 'init',
         'len', 'append', 'make', 'new', 'any', 'true', 'x', '1 << 100',
         'float64', '2i', 'unsafe.Pointer', 'T', '[]int{1}', 'func() {}']

GENERIC = ['[T any]', '[T comparable]', '[T ~int]', '[T ~[]E, E any]',
           '[K comparable, V any]', '[T interface{ ~int | ~string; M() }]',
           '[T *int,]', '[P interface{ *T }, T any]', '[T T]', '[T G[T]]',
           '[int]', '[T]', '[string, int]', '[G[int]]', '[*T]', '[[]T]',
           '[func(T) T]', '[_]', '[T, U]', '~', '|', '~T', 'int | string',
           'T', 'K', 'V', 'E', 'S', 'P', 'G', 'any', 'comparable',
           'T(1)', 'any(x).(type)', '*new(T)', 'T.M', '[]T{}', 'map[K]V{}',
           'G[T]{}', 'F[T]', 'len(x)', 'range x', 'x.f', 'unsafe.Sizeof(x)',
           'type G[T any] struct { f *G[T] }', 'type G[T any] = []T',
           'type L struct { t T }', 'func F[T any](t T) T { return t }']


def pieces(text):
    """The text cut into tokens, with the space before each."""
    out, last = [], 0
    for _, word, start in gosrc.tokens(text):
        out.append(text[last:start])
        out.append(word)
        last = start + len(word)
    return out + [text[last:]]


def spice(rng):
    return rng.choice(GENERIC if rng.randrange(3) == 0 else SPICE)


def mutate(rng, text, others):
    p = pieces(text)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        i = rng.randrange(1, len(p) - 1) | 1
        i = min(i, len(p) - 2)
        how = rng.randrange(9)
        if how == 0:
            p[i] = ''
        elif how == 1:
            p[i] = spice(rng)
        elif how == 2:
            p[i] += ' ' + spice(rng)
        elif how == 3:
            j = min(rng.randrange(1, len(p) - 1) | 1, len(p) - 2)
            p[i], p[j] = p[j], p[i]
        elif how == 4:
            p[i] += ' ' + p[i]
        elif how == 5:
            j = i + rng.randrange(2, 40)
            p[i:j] = ['']
        elif how == 6:
            q = rng.choice(others)
            j = rng.randrange(len(q))
            p[i] += ' ' + ''.join(q[j:j + rng.randrange(2, 20)])
        elif how == 7:
            w = p[i]
            words = [x for x in p if x[:1].isalpha()]
            p[i] = rng.choice(words) if words else w
        else:
            del p[rng.randrange(len(p)):]
            break
        if len(p) < 5:
            break
    data = ''.join(p).encode('utf-8', 'surrogateescape')
    if rng.randrange(10) == 0 and data:
        b = bytearray(data)
        for _ in range(rng.randrange(1, 5)):
            b[rng.randrange(len(b))] = rng.randrange(256)
        data = bytes(b)
    return data


class GoCompiler:
    """The real compiler without the linker, for a verdict in a moment."""

    def __init__(self, work):
        self.work = work
        self.cfg = os.path.join(work, 'importcfg')
        packages = ('fmt errors strings bytes strconv math math/bits '
                    'math/rand sort time sync sync/atomic os io bufio log '
                    'unicode unicode/utf8 runtime context container/heap '
                    'container/list container/ring unsafe').split()
        out = subprocess.run(
            ['go', 'list', '-export', '-deps', '-f',
             '{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}'] +
            packages, capture_output=True, text=True, check=True,
            env=dict(os.environ, **common.go_env())).stdout
        with open(self.cfg, 'w') as f:
            f.write(out)

    def accepts(self, path):
        # The compiler removes its output when it fails: never /dev/null.
        r = common.run(['go', 'tool', 'compile', '-complete', '-p', 'main',
                        '-importcfg', self.cfg, '-o', path + '.o', path],
                       timeout=60, env=common.go_env())
        if os.path.exists(path + '.o'):
            os.unlink(path + '.o')
        return r.status == 0, r.out + r.err


def generate(tool, path, timeout):
    """What the generator makes of an accepted program."""
    words = [w for w in tool.words if w != 'run']
    r = common.run(words + ['disasm', path], timeout=timeout)
    if r.status == 0:
        r.out = r.err = ''
    return r


def judge(r, path):
    if r.trouble():
        return r.trouble()
    text = r.out + r.err
    if r.status not in (0, 1):
        return 'status %s: %s' % (r.status, text[-500:])
    # Only a line directive may leave the column out, or name another file.
    with open(path, 'rb') as f:
        place = r'\S:\d+(:\d+)?: .' if re.search(rb'/[/*]line ', f.read()) \
            else r'\.go:\d+:\d+: .'
    whole = re.search('main is undeclared|is not a main package', text)
    if r.status == 1 and not whole and not re.search(place, text):
        return 'no position: ' + text[:200]
    return ''


def first_line(text):
    for line in text.split('\n'):
        if re.search(r'\.go:\d+', line):
            return re.sub(r'^\S*/', '', line)[:150]
    return text[:100]


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('-n', type=int, default=500, help='programs')
    ap.add_argument('--seed', type=int, default=None)
    ap.add_argument('--timeout', type=float, default=20)
    ap.add_argument('--go', action='store_true',
                    help='compare the verdicts with the real compiler')
    ap.add_argument('--keep', metavar='DIR')
    ap.add_argument('-j', type=int, default=2)
    opt = ap.parse_args()
    seed = opt.seed if opt.seed is not None else \
        random.SystemRandom().randrange(1 << 32)
    print('seed', seed, flush=True)
    tool = common.Tool(opt.vole)
    corpus = []
    folder = os.path.join(os.path.dirname(HERE), 'script')
    for base, dirs, names in os.walk(folder):
        dirs.sort()
        for f in sorted(names):
            if f.endswith('.go') and not base.endswith('.dir'):
                with open(os.path.join(base, f), encoding='utf-8') as g:
                    corpus.append(g.read())
    generic = [t for t in corpus if gosrc.uses_type_parameters(t)]
    parts = [pieces(t) for t in corpus]
    work = tempfile.mkdtemp(prefix='vole-fuzz-')
    go = GoCompiler(work) if opt.go and shutil.which('go') else None
    bad = apart = 0

    def one(i):
        rng = random.Random(seed * 1000003 + i)
        path = os.path.join(work, 'fuzz%d.go' % i)
        with open(path, 'wb') as f:
            some = generic if rng.randrange(3) == 0 else corpus
            f.write(mutate(rng, rng.choice(some), parts))
        r = common.run(tool.check_cmd(path), timeout=opt.timeout,
                       env=common.go_env() if tool.kind == 'go' else {})
        if r.status == 0 and tool.kind != 'go':
            r = generate(tool, path, opt.timeout)
        verdict = go.accepts(path) if go else None
        return path, r, verdict

    try:
        for i, (path, r, verdict) in common.parallel(one, range(opt.n),
                                                     opt.j):
            why = judge(r, path)
            keep = bool(why)
            if why:
                bad += 1
                print('FAIL program %d: %s' % (i, why), flush=True)
            elif verdict and verdict[0] != (r.status == 0):
                apart += 1
                keep = True
                print('differs %d: go %s, vole %s: %s' % (
                    i, 'accepts' if verdict[0] else 'rejects',
                    'accepts' if r.status == 0 else 'rejects',
                    first_line(r.out + r.err if verdict[0] else verdict[1])))
            if keep and opt.keep:
                os.makedirs(opt.keep, exist_ok=True)
                shutil.copy(path, opt.keep)
            os.unlink(path)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if go:
        print('%d of %d programs are judged otherwise by go' % (apart, opt.n))
    common.summary(opt.n - bad, bad, 0)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
