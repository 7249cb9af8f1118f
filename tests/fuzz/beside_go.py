# SPDX-License-Identifier: MIT
"""Random programs that vole, with and without machine code, and the real go
run; what go prints is right.  For run_escape_fuzz.py, run_order_fuzz.py and
run_range_fuzz.py."""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402


def run(cmd, folder, timeout=60):
    try:
        p = subprocess.run(cmd, cwd=folder, capture_output=True,
                           timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return None, b'timeout'
    return p.returncode, p.stdout + p.stderr[:400]


def first_difference(want, got):
    """The first lines that differ, or else the statuses."""
    for w, g in zip(want[1].split(b'\n'), got[1].split(b'\n')):
        if w != g:
            return '\n  go   %r\n  vole %r' % (w[:200], g[:200])
    return 'status %s, %s; %d bytes, %d' % (want[0], got[0], len(want[1]),
                                            len(got[1]))


def main(doc, program):
    """program makes the text of one of a random.Random; the exit status."""
    ap = argparse.ArgumentParser(description=doc.split('\n')[0])
    ap.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    ap.add_argument('--seed', type=int)
    ap.add_argument('-n', type=int, default=20, help='programs')
    ap.add_argument('--keep')
    args = ap.parse_args()
    seed = args.seed if args.seed is not None else random.randrange(1 << 30)
    print('seed %d' % seed)
    if shutil.which('go') is None:
        print('skipped: no go')
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        for i in range(args.n):
            path = os.path.join(tmp, 'p%d.go' % i)
            with open(path, 'w', encoding='utf-8') as f:
                f.write(program(random.Random(seed + i)))
            want = run(['go', 'run', path], tmp)
            for jit in ('off', 'stress'):
                got = run([args.vole, 'run', '-jit=' + jit, path], tmp)
                if got == want and not want[1].startswith(b'#'):
                    continue
                failed += 1
                print('seed %d, -jit=%s: %s' % (
                    seed + i, jit, first_difference(want, got)))
                if args.keep:
                    os.makedirs(args.keep, exist_ok=True)
                    shutil.copy(path, os.path.join(
                        args.keep, 'seed%d.go' % (seed + i)))
    print('%d programs, %d differ' % (args.n, failed))
    return 1 if failed else 0
