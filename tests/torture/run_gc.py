#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the scripts of tests/script/gc under hard conditions.

Each script runs with collections at every Nth allocation, with the heap
verified before and after each cycle, with a second mark after each first one,
with the mark in one stop and beside the program, on 1, 2 and 8 Ps.  What it
prints must not change.

With --checked (a build with checks) freed memory is poisoned, and the two
halves of the write barrier are left out in turn: then barrierold,
barrierslice and barriernew must lose objects, which shows that these tests see what they are
for.
"""

import argparse
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.join(os.path.dirname(HERE), 'script', 'gc')
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

MODES = [
    'gcverify=1',
    'gccheckmark=1',
    'gcstoptheworld=1,gcverify=1',
    'gcstress=1',
    'gcstress=7,gcverify=1',
    'gcstress=101,gccheckmark=1',
]

# What a pool still has is up to the collections that happen to run.
NOT_STRESSED = {'debugapi'}

SHADES = [('barrierold', 1), ('barrierslice', 1), ('barriernew', 2)]
TRIES = 12


def run(vole, name, procs, debug, limit):
    env = dict(os.environ, GOMAXPROCS=str(procs), VOLEDEBUG=debug)
    path = os.path.join(SCRIPTS, name + '.go')
    try:
        p = subprocess.run(vole + [path], env=env, timeout=limit,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        return 'timeout', b''
    return p.returncode, p.stdout


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--vole', default=None)
    ap.add_argument('--slow', type=int, default=1)
    ap.add_argument('--checked', action='store_true')
    ap.add_argument('name', nargs='*')
    args = ap.parse_args()
    vole = (args.vole or common.default_vole()).split()
    limit = 120 * args.slow
    passed = failed = 0
    names = sorted(os.path.basename(f)[:-3]
                   for f in glob.glob(os.path.join(SCRIPTS, '*.go')))
    for name in names:
        if args.name and name not in args.name:
            continue
        with open(os.path.join(SCRIPTS, name + '.out'), 'rb') as f:
            want = f.read()
        for i, mode in enumerate(MODES):
            if 'stress' in mode and name in NOT_STRESSED:
                continue
            procs = (1, 2, 8)[i % 3]
            status, out = run(vole, name, procs, mode, limit)
            if status == 0 and out == want:
                passed += 1
                continue
            failed += 1
            print('FAIL %s: GOMAXPROCS=%d VOLEDEBUG=%s: status %s' %
                  (name, procs, mode, status))
            print(out.decode(errors='replace')[-2000:])
    for name, half in SHADES if args.checked else []:
        if args.name and name not in args.name:
            continue
        lost = 0
        for k in range(TRIES):
            status, out = run(vole, name, 4, 'gcshadeoff=%d' % half, limit)
            if status != 0:
                lost += 1
                break
        if lost:
            passed += 1
        else:
            failed += 1
            print('FAIL %s: loses nothing without half %d of the barrier' %
                  (name, half))
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
