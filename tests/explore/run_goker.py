#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels of GoBench's GoKer: real concurrency bugs of large programs, each
cut down to one test file.  `vole test -explore` must find each within so many
schedules, and the command that it prints must show the failure again, the same
each time.

  run_goker.py --gobench FOLDER [NAME...]   kernels of a checkout of GoBench
  run_goker.py                              fetched from the Go module proxy, or
                                            skipped where that cannot be reached

Only those of cockroach, etcd, grpc and hugo: the other projects' are kept for
checks that nobody has prepared for.  They are compiled as the version of Go
that they were written for; blocking ones run with -leaks, the others with
-race.  Of those whose README shows the stacks of the report, each function
that a goroutine stands in there is looked for in what is told.
"""

import argparse
import glob
import os
import re
import shlex
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'module'))
import common  # noqa: E402
import public_test  # noqa: E402

PROJECTS = ['cockroach', 'etcd', 'grpc', 'hugo']
KINDS = {'blocking': ['-leaks'], 'nonblocking': ['-race']}
MODULE = 'github.com/timmyyuan/gobench'
KERNELS = 'gobench/goker'
LANG = '1.13'                   # as GoBench's go.mod says
SCHEDULES = 1000
STACK = re.compile(r'^ ?goroutine \d+ \[.*?\]:\n((?:.*\n?)*?)(?:\n|\Z|```)',
                   re.M | re.I)


def kernels(root):
    """(kind, project, number, path of the test file)"""
    for kind in KINDS:
        for project in PROJECTS:
            for path in sorted(glob.glob(os.path.join(
                    root, KERNELS, kind, project, '*', '*_test.go'))):
                number = os.path.basename(os.path.dirname(path))
                yield kind, project, number, path


def fetched(proxy, top):
    """A folder with the kernels, or '' and why there is none."""
    return public_test.unpack(
        proxy, MODULE, '', top,
        lambda name: any('/%s/%s/' % (k, p) in name
                         for k in KINDS for p in PROJECTS))


def blamed(path):
    """The kernel's functions that goroutines stand in, by its README."""
    readme = os.path.join(os.path.dirname(path), 'README.md')
    if not os.path.exists(readme):
        return []
    with open(readme, encoding='utf-8') as f:
        text = f.read()
    found = []
    for m in STACK.finditer(text):
        f = re.search(r'^command-line-arguments\.(.*?)\([^()]*\)$', m[1], re.M)
        if f and f[1] not in found:
            found.append(f[1])
    return found


def told(r):
    """What a run has printed, without how long it took by the wall clock."""
    return r.status, re.sub(r'\t[0-9.]+s$', '', r.out, flags=re.M)


def replays(args, text, folder, times):
    """'' if the command that was printed fails the same so many times."""
    m = re.search(r'the same again:\n +vole test (.*)', text)
    if not m:
        return 'no command to see it again'
    outs = set()
    for i in range(times):
        words = [args.vole, 'test'] + shlex.split(m[1])
        if i % 2 and shutil.which('setarch'):
            words = ['setarch', '-R'] + words
        outs.add(told(common.run(words, timeout=60 * args.slow, cwd=folder,
                                 combine=True)))
        if len(outs) > 1:
            return 'replay %d differs: %s' % (i + 1, m[1])
    return '' if outs.pop()[0] == 1 else 'the replay passes: ' + m[1]


def one(args, kind, path, top):
    """(what is wrong or '', line about it)"""
    folder = os.path.join(top, os.path.basename(path)[:-len('_test.go')])
    os.mkdir(folder)
    shutil.copy(path, folder)
    with open(os.path.join(folder, 'go.mod'), 'w', encoding='utf-8') as f:
        f.write('module goker\n\ngo %s\n' % LANG)
    r = common.run([args.vole, 'test', '-explore', str(args.schedules)] +
                   KINDS[kind] + ['.'], timeout=300 * args.slow, combine=True,
                   cwd=folder)
    if r.trouble():
        return r.trouble(), r.out[-2000:]
    m = re.search(r'^--- FAIL: \w+: schedule (\d+): (.*?), status', r.out, re.M)
    if not m:
        return 'not found', r.out[-2000:]
    names = blamed(path)
    seen = sum('.%s(' % n in r.out for n in names)
    line = 'schedule %s, %.2f s (%.2f s of CPU), %s, %s' % (
        m[1], r.seconds, r.cpu, m[2], 'functions of the report: %d of %d' % (
            seen, len(names)) if names else 'no stacks to compare')
    if names and not seen:
        return 'another failure than the report\'s', line
    return replays(args, r.out, folder, args.replays), line


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    ap.add_argument('--gobench', help='a checkout of GoBench')
    ap.add_argument('--proxy', default=public_test.PROXY)
    ap.add_argument('--schedules', type=int, default=SCHEDULES)
    ap.add_argument('--replays', type=int, default=100)
    ap.add_argument('--slow', type=float, default=1)
    ap.add_argument('names', nargs='*', help='such as etcd or etcd/7443')
    args = ap.parse_args()
    args.vole = os.path.abspath(args.vole)
    count = {True: 0, False: 0}
    with tempfile.TemporaryDirectory(prefix='vole-goker-') as top:
        root, why = args.gobench, ''
        if not root:
            root, why = fetched(args.proxy, os.path.join(top, 'gobench'))
        if not root:
            print('GoBench cannot be fetched: ' + why)
            common.summary(0, 0, 1)
            return 0
        for kind, project, number, path in kernels(root):
            name = '%s/%s' % (project, number)
            if args.names and not any(n in name for n in args.names):
                continue
            bad, line = one(args, kind, path, top)
            count[not bad] += 1
            print('%-4s %-11s %-15s %s%s' % (
                'FAIL' if bad else 'ok', kind, name, bad + ': ' if bad else '',
                line), flush=True)
    common.summary(count[True], count[False], 0)
    return 1 if count[False] or not count[True] else 0


if __name__ == '__main__':
    sys.exit(main())
