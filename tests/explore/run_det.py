#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One plan, one execution: runs the concurrent scripts, and those in same/, again
and again by the same plan, with and without randomised addresses, on one
processor, with a larger environment, with a trace and with a CPU profile.  What
they print, their status and the hash of the schedule must be the same each time,
and so must the bytes of the traces; and all of that with -race as well.

  run_det.py [NAME...]     only scripts whose name contains one of the words
  run_det.py --seeds 200   so many seeds of each strategy, for hours
"""

import argparse
import glob
import itertools
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

PLANS = ['%d', '%d.pos', '%d.pct3x200', '%d.early', '%d@']


def scripts(words):
    for path in sorted(
            glob.glob(os.path.join(os.path.dirname(HERE), 'script', '*',
                                   '*.go')) +
            glob.glob(os.path.join(HERE, 'same', '*.go'))):
        name = os.path.relpath(path, os.path.dirname(HERE))
        if words and not any(w in name for w in words):
            continue
        with open(path, encoding='utf-8') as f:
            head = [f.readline() for _ in range(6)]
        if any(line.startswith('// concurrent') for line in head):
            yield name, path, '// traces\n' not in head


def ways(vole, folder, traced):
    """The commands that must not differ in what they do.  A program that traces
    itself sees it if another does."""
    yield vole, {}
    long = {'LONG': 'x' * 5000}
    if shutil.which('setarch'):
        yield ['setarch', '-R'] + vole, long
    if shutil.which('taskset'):
        yield ['taskset', '-c', '0'] + vole, {}
    trace = ['-trace', os.path.join(folder, 'trace')]
    if traced:
        yield vole + trace, long
    if traced and shutil.which('setarch'):
        yield ['setarch', '-R'] + vole + trace, {}
    yield vole + ['-cpuprofile', os.path.join(folder, 'cpu')], long


def check(vole, path, plan, folder, traced, slow):
    seen = None
    traces = set()
    for command, env in ways(vole, folder, traced):
        r = common.run(command + ['-sched-seed', plan, path],
                       timeout=60 * slow,
                       env=dict(os.environ, VOLEDEBUG='schedhash=1', **env))
        if r.timeout:
            return 'hang: ' + ' '.join(command)
        now = (r.status, r.out, r.err)
        if '-trace' in command:
            with open(command[-1], 'rb') as f:
                traces.add(f.read())
        if 'hash' not in r.err:
            return 'no hash: ' + r.err[:200]
        if seen is None:
            seen = now
        elif now != seen:
            return 'differs: ' + ' '.join(command)
    if len(traces) != traced:
        return 'traces differ'
    return ''


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    ap.add_argument('--seeds', type=int, default=1)
    ap.add_argument('--slow', type=float, default=1)
    ap.add_argument('names', nargs='*')
    args = ap.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path, traced in scripts(args.names):
            for seed in range(args.seeds):
                for plan, race in itertools.product(PLANS, ([], ['-race'])):
                    why = check([args.vole, 'run'] + race, path, plan % seed,
                                folder, traced, args.slow)
                    passed += why == ''
                    failed += why != ''
                    if why:
                        print('FAIL', name, *race, plan % seed, why)
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
