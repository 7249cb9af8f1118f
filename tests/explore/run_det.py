#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One plan, one execution: runs the concurrent scripts, and those in same/, again
and again by the same plan, with and without randomised addresses, on one
processor, with a larger environment, with a trace and with a CPU profile.  What
they print, their status and the hash of the schedule must be the same each time,
and so must the bytes of the traces; and all of that with -race as well.

  run_det.py [NAME...]     only scripts whose name contains one of the words
  run_det.py --seeds 200   so many seeds of each strategy, for hours
  run_det.py --lean --seeds 200   each seed by one strategy in turn, each fourth
                           with -race, twice: on one processor without randomised
                           addresses, and on all with a larger environment
"""

import argparse
import functools
import glob
import itertools
import os
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

LONG = {'LONG': 'x' * 5000}
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
    if shutil.which('setarch'):
        yield ['setarch', '-R'] + vole, LONG
    if shutil.which('taskset'):
        yield ['taskset', '-c', '0'] + vole, {}
    trace = ['-trace', os.path.join(folder, 'trace')]
    if traced:
        yield vole + trace, LONG
    if traced and shutil.which('setarch'):
        yield ['setarch', '-R'] + vole + trace, {}
    yield vole + ['-cpuprofile', os.path.join(folder, 'cpu')], LONG


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


def all_ways(args):
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path, traced in scripts(args.names):
            for seed, plan, race in itertools.product(
                    range(args.first, args.first + args.seeds), PLANS,
                    ([], ['-race'])):
                why = check([args.vole, 'run'] + race, path, plan % seed,
                            folder, traced, args.slow)
                passed += why == ''
                failed += why != ''
                if why:
                    print('FAIL', name, *race, plan % seed, why)
    return passed, failed


def lean(vole, path, traced, slow, seed):
    """'' or what differs between two runs, of which both have a trace."""
    words = ['-race'] * (seed % 4 == 3) + [
        '-sched-seed', PLANS[seed % len(PLANS)] % seed, path]
    mask = sorted(os.sched_getaffinity(0))
    alone = []
    if shutil.which('taskset'):
        alone += ['taskset', '-c', str(mask[seed % len(mask)])]
    if shutil.which('setarch'):
        alone += ['setarch', '-R']
    seen = []
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, 'trace')
        for before, env in (alone, {}), ([], LONG):
            r = common.run(
                before + [vole, 'run'] + ['-trace', trace] * traced + words,
                timeout=60 * slow,
                env=dict(os.environ, VOLEDEBUG='schedhash=1', **env))
            if r.timeout or 'hash' not in r.err:
                return ' '.join(words[:-1]) + (
                    ' hangs' if r.timeout else ' no hash: ' + r.err[:200])
            with open(trace if traced else os.devnull, 'rb') as f:
                seen.append((r.status, r.out, r.err, f.read()))
    names = ('status', 'output', 'errors or schedule', 'trace')
    different = [n for n, a, b in zip(names, *seen) if a != b]
    return different and '%s: %s' % (' '.join(words[:-1]),
                                     ', '.join(different))


def all_lean(args):
    """Scripts one after another, the seeds of each side by side."""
    passed = failed = runs = 0
    start = time.monotonic()
    for name, path, traced in scripts(args.names):
        begun = time.monotonic()
        bad = 0
        seeds = range(args.first, args.first + args.seeds)
        one = functools.partial(lean, args.vole, path, traced, args.slow)
        for _, why in common.parallel(one, seeds, args.jobs):
            bad += bool(why)
            if why:
                print('FAIL', name, why, flush=True)
        passed += args.seeds - bad
        failed += bad
        runs += 2 * args.seeds
        print('%-32s %d seeds, %d differ, %.0f s; %d runs in %.0f s' % (
            name, args.seeds, bad, time.monotonic() - begun, runs,
            time.monotonic() - start), flush=True)
    return passed, failed


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    ap.add_argument('--seeds', type=int, default=1)
    ap.add_argument('--first', type=int, default=0, help='the first seed')
    ap.add_argument('--lean', action='store_true')
    ap.add_argument('--jobs', type=int, default=os.cpu_count())
    ap.add_argument('--slow', type=float, default=1)
    ap.add_argument('names', nargs='*')
    args = ap.parse_args()
    passed, failed = (all_lean if args.lean else all_ways)(args)
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
