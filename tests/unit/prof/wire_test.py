#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has the profiles that test_wire.c writes read by the real `go tool pprof`.

Usage: wire_test.py TEST-PROF-WIRE
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

failed = 0


def check(what, ok, text=''):
    global failed
    if not ok:
        failed += 1
        print(f'FAIL {what}\n{text}')


def pprof(*args):
    r = subprocess.run(['go', 'tool', 'pprof', *args], text=True,
                       capture_output=True, timeout=120,
                       env={**os.environ, 'PPROF_BINARY_PATH': '/nonexistent'})
    return r.returncode, r.stdout, r.stderr


def raw(d, kind):
    """(header lines, {values: [label]}, output)."""
    code, out, err = pprof('-raw', f'{d}/{kind}')
    check(f'{kind}: pprof reads it', code == 0, out + err)
    check(f'{kind}: without complaint',
          re.sub(r'Main binary filename not available\.\n', '', err) == '',
          err)
    samples = re.findall(r'^\s+([\d ]+): ([\d ]+)$', out, re.M)
    return out, samples


def expect(kind, out, *patterns):
    for p in patterns:
        check(f'{kind}: {p}', re.search(p, out, re.M), out)


def main():
    if shutil.which('go') is None:
        print('skipped: no go')
        return 77
    d = tempfile.mkdtemp(prefix='vole-wire-')
    try:
        subprocess.run([sys.argv[1], 'write', d], check=True)

        out, samples = raw(d, 'heap')
        expect('heap', out, r'^PeriodType: space bytes', r'^Period: 524288',
               r'alloc_objects/count alloc_space/bytes inuse_objects/count '
               r'inuse_space/bytes',
               # 14 objects of 106,496 bytes are 76 in truth.
               r'^\s+76\s+8110723\s+54\s+5793374: ',
               r'^\s+bytes:\[106496\]', r'^\s+bytes:\[1048576\]',
               r'main\.\(\*T\)\.method /src/prog\.go:11',
               r'main\.größe /src/prog\.go:5',
               r'\[FN\]\[FL\]\[LN\]\[IN\]')
        check('heap: the runtime is left out above the program',
              'mallocgc runtime/x.go:9' not in out, out)
        check('heap: but not where there is nothing else',
              'mallocgc runtime/x.go:8' in out, out)
        check('heap: five samples', len(samples) == 5, out)
        code, out, err = pprof('-top', f'{d}/heap')
        expect('heap', out, r'^Type: inuse_space', r'^File: prog\.go')

        out, samples = raw(d, 'allocs')
        expect('allocs', out, r'^Period: 1$', r'^\s+14\s+1490944\s+10\s+'
               r'1064960: ')
        code, out, err = pprof('-top', f'{d}/allocs')
        expect('allocs', out, r'^Type: alloc_space')

        out, samples = raw(d, 'goroutine')
        expect('goroutine', out, r'^PeriodType: goroutine count',
               r'^Period: 1$', r'^goroutine/count$', r'^\s+3: ', r'^\s+2: ',
               r'k"ey:\[v\\al', r'z:\[größe\]')
        check('goroutine: three samples', len(samples) == 3, out)

        out, samples = raw(d, 'block')
        expect('block', out, r'^PeriodType: contentions count',
               r'contentions/count delay/nanoseconds',
               r'^\s+3\s+3000000: ', r'^\s+1\s+5000000000000: ')

        out, samples = raw(d, 'cpu')
        expect('cpu', out, r'^PeriodType: cpu nanoseconds',
               r'^Period: 10000000$', r'samples/count cpu/nanoseconds',
               r'^Duration: 1\.5', r'^Time: 2023-11-14 ',
               r'^\s+7\s+70000000: ', r'^\s+5\s+50000000: ')
        code, out, err = pprof('-traces', f'{d}/cpu')
        expect('cpu', out, r'runtime\.mallocgc\s+main\.worker\s+main\.main')

        out, samples = raw(d, 'wall')
        expect('wall', out, r'samples/count wall/nanoseconds',
               r'state:\[chan receive\]', r'state:\[running\]')

        out, samples = raw(d, 'empty')
        check('empty: no sample', samples == [], out)

        for kind in ('heap.txt', 'goroutine.txt', 'block.txt', 'mutex.txt'):
            out, samples = raw(d, kind)
        expect('mutex.txt', out, r'contentions/count delay/nanoseconds')
        out, samples = raw(d, 'heap.txt')
        expect('heap.txt', out, r'^Period: 524288')
    finally:
        shutil.rmtree(d)
    print('failed:', failed)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
