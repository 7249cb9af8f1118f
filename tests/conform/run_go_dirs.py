#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs Go's own `// rundir` and `// runoutput` tests as Go's runner does.

rundir: the .go files of NAME.dir are packages, by their package clauses, in
the order of their names; the last one is the program.  They import each other
as "./file"; here each gets a folder of that name in a module of its own.
runoutput: what a program prints is a program, and that one is run.

As in run_go_tests.py a test passes when the program exits 0, prints what its
.out file says (nothing where there is none), and its main returns, which a
mark on standard error tells.
"""

import argparse
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402
import gosrc  # noqa: E402
from run_go_tests import DIRS, MARK, Outcome, first_line, judge  # noqa: E402

FIRST = re.compile(r'// (rundir|runoutput)((?: \./\w+\.go)*)$')
CLAUSE = re.compile(r'^package\s+(\w+)', re.M)
RELATIVE = re.compile(r'"\./(\w[\w/]*)"')
# What is left out, and why.
LEFT_OUT = {
    'fixedbugs/issue30862.go': 'wants a compiler with fieldtrack',
}


def find_tests(root):
    """(kind, path of the test below the root, other files it is run with)"""
    for d in DIRS:
        for name in sorted(os.listdir(os.path.join(root, d))):
            if not name.endswith('.go'):
                continue
            path = os.path.normpath(os.path.join(d, name))
            line = first_line(os.path.join(root, path)).decode('latin-1')
            m = FIRST.match(line)
            if m and path not in LEFT_OUT:
                yield m.group(1), path, m.group(2).split()


def read(path):
    with open(path, encoding='utf-8', errors='surrogateescape') as f:
        return f.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8', errors='surrogateescape') as f:
        f.write(text)


def packages(folder):
    """[(name, [file])] as Go's runner makes them."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith('.go'):
            m = CLAUSE.search(read(os.path.join(folder, name)))
            found.setdefault(m.group(1), []).append(name)
    return list(found.items())


def wrapped(text):
    return gosrc.wrap_main(text, MARK) or text


def stage(folder, work):
    """Writes the packages of a rundir test as a module; the last is its main
    package, at the root."""
    write(os.path.join(work, 'go.mod'), 'module test\n\ngo 1.26\n')
    groups = packages(folder)
    for i, (_, files) in enumerate(groups):
        main = i == len(groups) - 1
        where = work if main else os.path.join(work, files[0][:-3])
        for name in files:
            text = RELATIVE.sub(r'"test/\1"', read(os.path.join(folder, name)))
            # A compiler takes any file; a go command has rules for names.
            name = name.replace('_test.go', '_test_.go')
            write(os.path.join(where, name), wrapped(text) if main else text)


def expected(path):
    out = path[:-3] + '.out'
    return read(out) if os.path.exists(out) else ''


def run(opt, tool, what, cwd):
    env = common.go_env() if tool.kind == 'go' else {}
    return common.run(tool.run_cmd(what), timeout=opt.timeout, combine=True,
                      env=env, cwd=cwd)


def run_one(opt, tool, test):
    kind, path, more = test
    full = os.path.join(opt.dir, path)
    with tempfile.TemporaryDirectory(prefix='vole-dirs-') as work:
        if kind == 'rundir':
            stage(full[:-3] + '.dir', work)
            return judge(run(opt, tool, '.', work), expected(full))
        for name in [os.path.basename(path)] + more:
            write(os.path.join(work, 'gen', os.path.basename(name)),
                  read(os.path.join(os.path.dirname(full), name)))
        first = run(opt, tool, os.path.join(work, 'gen'), work)
        if first.trouble() or first.status != 0:
            return Outcome('status', 'the generator: ' + (
                first.trouble() or first.out[:160]))
        made = os.path.join(work, 'made.go')
        write(made, wrapped(first.out))
        return judge(run(opt, tool, made, work), expected(full))


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--dir', help="Go's test folder (default: Debian's "
                    'golang-1.19-src, or $GOTEST)')
    ap.add_argument('--least', type=float, default=0.95,
                    help='share of each kind that must pass (0.95)')
    ap.add_argument('--timeout', type=float, default=60)
    ap.add_argument('-j', type=int, default=2)
    ap.add_argument('-v', action='store_true', help='print every failure')
    ap.add_argument('words', nargs='*', help='only tests with such a word')
    opt = ap.parse_args()

    root = common.find_go_tests(opt.dir)
    if root is None:
        print("Go's tests are not installed (Debian: golang-1.19-src): "
              'its folders are not run')
        common.summary(0, 0, 1)
        return 0
    opt.dir = os.path.abspath(root)
    tests = [t for t in find_tests(opt.dir)
             if not opt.words or any(w in t[1] for w in opt.words)]
    tool = common.Tool(opt.vole)
    good, hard = {}, 0
    for t, o in common.parallel(lambda t: run_one(opt, tool, t), tests, opt.j):
        good.setdefault(t[0], []).append(o.kind == 'pass')
        hard += o.hard
        if o.kind != 'pass' and (opt.v or o.hard or opt.words):
            print('FAIL %s: %s' % (t[1], o.reason), flush=True)
    bad = hard
    for kind, passed in sorted(good.items()):
        print('%-10s %4d of %4d' % (kind, sum(passed), len(passed)))
        bad += sum(passed) < opt.least * len(passed)
    passes = sum(sum(p) for p in good.values())
    common.summary(passes, bad, len(tests) - passes)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
