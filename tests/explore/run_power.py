#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often the strategies find a bug of known depth (power.go), as a table;
and a test that PCT finds it as often as it promises: in one schedule of
n * k^(d-1), for n goroutines, k points and a bug of depth d.  The schedules are
given by their seeds, so the answer is the same each time.

  run_power.py [-n SCHEDULES]
"""

import argparse
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

GOROUTINES = 3


def count(args, strategy, depth):
    """Failing schedules of all, and the points of the longest."""
    r = common.run([args.vole, 'run', '-explore', str(args.n), '-explore-all',
                    '-explore-strategy', strategy,
                    os.path.join(HERE, 'power.go'), str(depth)],
                   timeout=600 * args.slow, combine=True)
    m = re.search(r'(\d+) schedules, (\d+) distinct', r.out)
    if not m or int(m[1]) != args.n:
        sys.exit('%s: %s' % (strategy, r.out[-1000:]))
    failed = re.search(r'(\d+) failed', r.out)
    return int(failed[1]) if failed else 0


def points(args):
    r = common.run([args.vole, 'run', '-sched-seed', '0@',
                    os.path.join(HERE, 'power.go'), '0'],
                   env={'VOLEDEBUG': 'schedhash=1'}, combine=True)
    return int(re.search(r'(\d+) points', r.out)[1])


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    ap.add_argument('--slow', type=float, default=1)
    ap.add_argument('-n', type=int, default=4000)
    args = ap.parse_args()
    k = points(args)
    bad = 0
    print('%d points; failing schedules of %d' % (k, args.n))
    print('depth  promised     pct   random      pos')
    for depth in range(1, 5):
        promise = args.n / (GOROUTINES * k ** (depth - 1))
        found = {s: count(args, s, depth)
                 for s in ('pct%d' % depth, 'random', 'pos')}
        pct = found['pct%d' % depth]
        print('%5d %9.1f %7d %8d %8d' % (depth, promise, pct,
                                         found['random'], found['pos']))
        bad += pct < int(promise)
    print('%d passed, %d failed, 0 skipped' % (4 - bad, bad))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
