#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests of one or more build folders and adds up their counts.

Usage: summary.py BUILD[:suite,suite,...]...

Without suites all of a build's tests are run.  Every test is asked for its
own count: unit tests speak TAP, and the runners of tests/ end with a line
`N passed, N failed, N skipped`.  A test that says neither counts as one.
VOLE_TEST_JOBS says how many tests run at a time, else one for each processor.
The last line of this program has the same form, over everything; the exit
status is 1 when anything failed.
"""

import json
import os
import re
import subprocess
import sys
import time

COUNTS = re.compile(r'^(?:.*: )?(\d+) passed, (\d+) failed, (\d+) skipped$',
                    re.M)
TAP_LINE = re.compile(r'^\s*(not )?ok\b[^\n#]*(#\s*(?:skip|todo))?',
                      re.M | re.I)


def counts_of(result):
    """(passed, failed, skipped) of one entry of Meson's log."""
    out = (result.get('stdout') or '') + (result.get('stderr') or '')
    outcome = result['result']
    all_counts = COUNTS.findall(out)
    tap = TAP_LINE.findall(out) if re.search(r'^\s*1\.\.\d+', out, re.M) \
        else []
    if all_counts:
        good, bad, skipped = map(int, all_counts[-1])
    elif tap:
        skipped = sum(bool(s) for _, s in tap)
        bad = sum(bool(n) and not s for n, s in tap)
        good = len(tap) - bad - skipped
    else:
        good, bad, skipped = 0, 0, 0
        if outcome in ('SKIP', 'EXPECTEDFAIL'):
            skipped = 1
        elif outcome == 'OK':
            good = 1
    if outcome not in ('OK', 'SKIP', 'EXPECTEDFAIL') and not bad:
        bad = 1         # a crash, a time-out or a leak after the last count
    return good, bad, skipped


def run_build(spec):
    build, _, suites = spec.partition(':')
    cmd = ['meson', 'test', '-C', build, '--no-rebuild', '--quiet',
           '--num-processes',
           os.environ.get('VOLE_TEST_JOBS', str(len(os.sched_getaffinity(0))))]
    for s in filter(None, suites.split(',')):
        cmd += ['--suite', s]
    if not suites:
        cmd += ['--no-suite', 'long', '--no-suite', 'noise']
    log = os.path.join(build, 'meson-logs', 'testlog.json')
    if os.path.exists(log):
        os.unlink(log)
    start = time.monotonic()
    print('== ' + spec, flush=True)
    r = subprocess.run(cmd, env=dict(os.environ, CMOCKA_MESSAGE_OUTPUT='TAP'))
    total = [0, 0, 0]
    if not os.path.exists(log):
        print('meson test did not run (status %d)' % r.returncode)
        return 0, 1, 0
    with open(log, encoding='utf-8', errors='replace') as f:
        for line in f:
            result = json.loads(line)
            c = counts_of(result)
            total = [a + b for a, b in zip(total, c)]
            if c[1] or result['result'] not in ('OK', 'SKIP',
                                                'EXPECTEDFAIL'):
                show_failure(result)
    if r.returncode and not total[1]:
        total[1] = 1
    print('   %d passed, %d failed, %d skipped in %d s' %
          (*total, time.monotonic() - start), flush=True)
    return tuple(total)


def show_failure(result):
    print('-- %s: %s' % (result['name'], result['result']))
    out = (result.get('stdout') or '') + (result.get('stderr') or '')
    lines = out.rstrip().split('\n')
    chosen = [s for s in lines if re.match(r'FAIL|\s*not ok|.*Sanitizer', s)]
    for s in (chosen[:60] or lines[-25:]):
        print('   ' + s[:300])


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    total = [0, 0, 0]
    for spec in sys.argv[1:]:
        total = [a + b for a, b in zip(total, run_build(spec))]
    print('%d passed, %d failed, %d skipped' % tuple(total))
    return 1 if total[1] or not total[0] else 0


if __name__ == '__main__':
    sys.exit(main())
