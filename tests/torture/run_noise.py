#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Concurrent tests in a build with noise (-Dnoise=true): random delays around
each atomic operation, so that narrow windows are often open.

Each unit test of the scheduler, the collector and the tracer is run --rounds
times with a seed of its own, then the concurrent scripts, the collector's
under hard conditions and storms of traces.  What a failed run printed is kept
in noise-SEED-NAME.log.  The seed draws the delays, the system the order of
the threads: a run does not repeat.

Usage: run_noise.py --build DIR [--rounds N] [--seed N] [--keep DIR] [NAME...]
"""

import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)

UNITS = ['sched/test-sched-stress', 'sched/test-sched-end',
         'sched/test-sched-prof',
         'sched/test-sched-gc', 'gc/test-gc-threads', 'gc/test-gc-concur',
         'trace/test-trace-record', 'trace/test-trace-flight']


def cases(build, slow, rounds):
    """Name, command, and how many times it is run."""
    for unit in UNITS:
        yield (os.path.basename(unit)[5:],
               [os.path.join(build, 'tests/unit', unit)], rounds)
    vole = ['--vole', os.path.join(build, 'cmd/vole/vole') + ' run',
            '--slow', str(slow)]
    trace = ['--vole-trace', os.path.join(build, 'cmd/vole-trace/vole-trace')]
    py = [sys.executable]
    yield ('scripts', py + [os.path.join(TESTS, 'script/run_scripts.py'),
                            '--repeat', str(rounds)] + vole + trace, 1)
    yield ('gc', py + [os.path.join(HERE, 'run_gc.py')] + vole, 1)
    yield ('storm', py + [os.path.join(TESTS, 'trace/run_trace.py'),
                          '--cycles', '10', 'storm', 'flight'] + vole + trace,
           1)


def run(name, cmd, seed, keep):
    env = dict(os.environ, VOLE_NOISE=str(seed))
    done = subprocess.run(cmd, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode == 0:
        return True
    log = os.path.join(keep, 'noise-%d-%s.log' % (seed, name))
    with open(log, 'wb') as f:
        f.write(done.stdout)
    print('%s with seed %d: status %d, see %s' % (name, seed, done.returncode,
                                                  log), flush=True)
    return False


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('names', nargs='*', metavar='NAME',
                    help='parts of names (default all)')
    ap.add_argument('--build', required=True)
    ap.add_argument('--rounds', type=int, default=10)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--slow', type=float, default=20)
    ap.add_argument('--keep', default='.', metavar='DIR')
    args = ap.parse_args()
    args.build = os.path.abspath(args.build)
    passed = failed = 0
    for name, cmd, times in cases(args.build, args.slow, args.rounds):
        if args.names and not any(n in name for n in args.names):
            continue
        for i in range(times):
            if run(name, cmd, args.seed + i, args.keep):
                passed += 1
            else:
                failed += 1
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
