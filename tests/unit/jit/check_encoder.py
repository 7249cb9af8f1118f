#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what runtime/jit/asm_x64.h encodes with what GNU as and objdump say.

The program given prints lines of bytes in hexadecimal, a tab, and text.  Each
text is assembled; the bytes of both are disassembled, so that two encodings
of one instruction count as equal.

Usage: check_encoder.py PROGRAM
"""

import os
import re
import subprocess
import sys
import tempfile


def disassemble(path, target):
    r = subprocess.run(['objdump', '-d', '-M', 'intel', '--no-show-raw-insn']
                       + target + [path], capture_output=True, text=True,
                       check=True)
    out = {}
    for m in re.finditer(r'^\s*([0-9a-f]+):\s+(.*?)\s*$', r.stdout, re.M):
        text = re.sub(r'\s*(#|<).*', '', m.group(2))
        out[int(m.group(1), 16)] = re.sub(r'\s+', ' ', text)
    return out


def main():
    lines = subprocess.run(sys.argv[1], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    rows = [line.split('\t') for line in lines]
    with tempfile.TemporaryDirectory() as work:
        src, obj, raw = (os.path.join(work, n) for n in ('a.s', 'a.o', 'a.bin'))
        with open(src, 'w') as f:
            f.write('.intel_syntax noprefix\n')
            for _, text in rows:
                f.write(text + '\n')
        subprocess.run(['as', '-o', obj, src], check=True)
        with open(raw, 'wb') as f:
            f.write(b''.join(bytes.fromhex(h) for h, _ in rows))
        want = [t for _, t in sorted(disassemble(obj, []).items())]
        got = disassemble(raw, ['-D', '-b', 'binary', '-m', 'i386:x86-64'])
    at = bad = 0
    for (code, text), expected in zip(rows, want):
        if got.get(at) != expected:
            bad += 1
            print('FAIL %s: %s is %s' % (text, code, got.get(at)))
        at += len(code) // 2
    if len(want) != len(rows):
        bad += 1
        print('FAIL as made %d instructions of %d' % (len(want), len(rows)))
    print('%d passed, %d failed, 0 skipped' % (len(rows) - bad, bad))
    return 1 if bad or not rows else 0


if __name__ == '__main__':
    sys.exit(main())
