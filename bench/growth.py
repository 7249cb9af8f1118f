#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How the cost of compiling grows with the source.

Each construct of growth.txt is written n times and more, and for each step the
exponent x is printed with which the cost grew: cost ~ n ** x.  1.0 is linear,
2.0 quadratic.  A cost is processor time, the least of some rounds, without
that of an empty program.

    bench/growth.py                     vole check, n = 25,000 and 100,000
    bench/growth.py -m disasm labels    the generator, too
    bench/growth.py -n 1000 4000 16000 locals
    bench/growth.py --cost build/tests/unit/lang/lang-cost --limit 1.6
                                        as a test: the front end alone, both
                                        sizes measured in one process
"""

import argparse
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARK = re.compile(r'@[<>%~]?|\$n|\$0|\$f')
# What is too short to be measured, in seconds.
FLOOR = 0.002
# How often a construct over the limit is measured again.
AGAIN = 4


class Construct:
    """One construct of growth.txt."""

    def __init__(self, head):
        words = head.split()
        self.name = words[0]
        self.deep = 'deep' in words[1:]
        self.refused = 'refused' in words[1:]
        self.library = 'library' in words[1:]
        self.lines = []

    def source(self, n):
        out = ['package main\n']
        for line in self.lines:
            out.append(expand(line, n))
        return b''.join(x if isinstance(x, bytes) else x.encode()
                        for x in out)


def fill(text, i, n):
    """The text with i and n in place of the marks."""
    def value(m):
        return {'@': i, '@<': i - 1, '@>': i + 1, '@%': (i + 1) % n,
                '@~': n - 1 - i, '$n': n, '$0': '\0',
                '$f': '\x80'}[m.group()]
    return MARK.sub(lambda m: str(value(m)), text)


def expand(line, n):
    """A line of growth.txt as source."""
    m = re.match(r'\*(1?)([&,]?)', line)
    if not m:
        joined = line.endswith('|')
        return fill(line[:-1] if joined else line + '\n', 0, n)
    first, how = int(m.group(1) or 0), m.group(2)
    body = line[m.end():]
    sep = {'': '\n', '&': '', ',': ', '}[how]
    if MARK.search(body):
        text = sep.join(fill(body, i, n) for i in range(first, n))
    else:
        text = sep.join([body] * (n - first))
    if how == '':
        text += '\n'
    # Bytes that are no UTF-8.
    return text.encode('latin-1') if '\x80' in text else text


def read_constructs():
    found = []
    with open(os.path.join(ROOT, 'bench', 'growth.txt'),
              encoding='utf-8') as f:
        for line in f.read().split('\n'):
            if line.startswith('= '):
                found.append(Construct(line[2:]))
            elif found and line:
                found[-1].lines.append(line)
    return found


def processor_time():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def run_command(command, path, rounds, timeout):
    """Least processor time of some runs, or None after a timeout; and the
    first line of what was reported."""
    best, said = None, ''
    for _ in range(rounds):
        before = processor_time()
        try:
            p = subprocess.run(command + [path], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, timeout=timeout,
                               check=False)
        except subprocess.TimeoutExpired:
            return None, 'timeout'
        took = processor_time() - before
        if best is None or took < best:
            best = took
        said = p.stderr[:300].decode('utf-8', 'replace').split('\n')[0]
        if p.returncode < 0:
            said = 'signal %d' % -p.returncode
        if took > 1:
            break
    return best, said


def costs_by_command(args, construct, sizes, folder):
    """[(cost, remark)] of the sizes, each a process."""
    command = [args.vole, args.mode]
    found = []
    for n in sizes:
        path = write(construct, n, folder)
        found.append(run_command(command, path, args.rounds, args.timeout))
        os.unlink(path)
        if found[-1][0] is None:
            break
    base = args.base
    return [(None if t is None else max(t - base, 0.0), said)
            for t, said in found]


def costs_in_one(args, construct, sizes, folder):
    """The same by lang-cost, which measures all files itself."""
    paths = [write(construct, n, folder, n) for n in sizes]
    try:
        p = subprocess.run([args.cost] + paths, stdout=subprocess.PIPE,
                           timeout=args.timeout, check=False)
    except subprocess.TimeoutExpired:
        return [(None, 'timeout')]
    finally:
        for path in paths:
            os.unlink(path)
    if p.returncode != 0:
        return [(None, 'lang-cost ended with %d' % p.returncode)]
    found = []
    for line in p.stdout.decode('utf-8', 'replace').split('\n'):
        if re.match(r'\d+ ', line):
            ns, said = line.split(' ', 1)
            found.append((int(ns) / 1e9, '' if said == '-' else said))
    return found


def write(construct, n, folder, tag=''):
    path = os.path.join(folder, '%s%s.go' % (construct.name, tag))
    with open(path, 'wb') as f:
        f.write(construct.source(n))
    return path


def exponents(costs, sizes):
    for i in range(1, len(costs)):
        a, b = max(costs[i - 1][0], FLOOR), max(costs[i][0], FLOOR)
        yield math.log(b / a) / math.log(sizes[i] / sizes[i - 1])


def too_steep(costs, sizes, limit):
    return costs[-1][0] is not None and max(exponents(costs, sizes)) > limit


def least(a, b):
    """Of two measurements of the same the smaller costs."""
    if b[-1][0] is None:
        return a
    return [min(x, y) for x, y in zip(a, b)]


def judge(args, construct, sizes, folder):
    """Prints a construct's line; False where it grows too fast."""
    measure = costs_in_one if args.cost else costs_by_command
    costs = measure(args, construct, sizes, folder)
    # What a busy machine made look bad is measured again: only what the source
    # costs is in the least of all rounds.
    for _ in range(AGAIN if args.limit else 0):
        if not too_steep(costs, sizes, args.limit):
            break
        costs = least(costs, measure(args, construct, sizes, folder))
    failed = costs[-1][0] is None
    text = '%-30s' % construct.name
    for t, _ in costs:
        text += '      long' if t is None else ' %9.1f' % (t * 1e3)
    if not failed:
        text += ''.join(' %6.2f' % x for x in exponents(costs, sizes))
    bad = failed or bool(args.limit and too_steep(costs, sizes, args.limit))
    if args.cost and (costs[-1][1] != '') != construct.refused:
        bad = True
    print('%s  %s%s' % (text, costs[-1][1][:60],
                        ' <<<' if bad else ''), flush=True)
    return not bad


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument('names', nargs='*')
    ap.add_argument('-n', type=int, nargs='+', dest='sizes')
    ap.add_argument('-m', dest='mode', default='check',
                    choices=['check', 'disasm', 'run'])
    ap.add_argument('--deep', type=int, nargs='+',
                    help='the sizes of what nests')
    ap.add_argument('--vole', default=os.environ.get(
        'VOLE', os.path.join(ROOT, 'build', 'cmd', 'vole', 'vole')))
    ap.add_argument('--cost', help='the program lang-cost')
    ap.add_argument('--limit', type=float, help='fail above this exponent')
    ap.add_argument('--rounds', type=int, default=3)
    ap.add_argument('--timeout', type=float, default=60)
    args = ap.parse_args()
    sizes = args.sizes or ([4000, 32000] if args.cost else [25000, 100000])
    good = True
    with tempfile.TemporaryDirectory() as folder:
        empty = Construct('empty')
        empty.lines = ['func main() {}']
        args.base = 0.0
        if not args.cost:
            args.base = costs_by_command(args, empty, [1], folder)[0][0]
        print('%-30s %s  exponent' % ('', ' '.join(
            '%6d ms' % n for n in sizes)))
        for k in read_constructs():
            if args.names and k.name not in args.names:
                continue
            if args.cost and k.library:
                continue
            own = args.deep if k.deep and args.deep else sizes
            good = judge(args, k, own, folder) and good
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
