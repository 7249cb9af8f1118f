#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A backtrace of gdb's with vole-gdb.py leads through machine code: from a
function that it calls to the interpreter below it, and to the thread's start.

Usage: gdb_test.py [--vole PROGRAM]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

SOURCE = '''package main

func count(m map[string]int, n int) {
	for i := 0; i < n; i++ {
		m["x"] += i
	}
}

func main() {
	m := map[string]int{}
	count(m, 1000)
	println(m["x"])
}
'''

# In this order, from the first frame on; others may be between the last two.
FRAMES = re.compile(r'vm_op_mapset \?\? .*\bvm_interp .*\brun_g ')


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    p.add_argument('--vole', default=common.ROOT + '/build/cmd/vole/vole')
    a = p.parse_args()
    if shutil.which('gdb') is None:
        print('no gdb: skipped')
        return 77
    with tempfile.TemporaryDirectory() as d:
        source = os.path.join(d, 'prog.go')
        with open(source, 'w', encoding='ascii') as f:
            f.write(SOURCE)
        done = subprocess.run(
            ['gdb', '-batch', '-nx', '-x', os.path.join(HERE, 'vole-gdb.py'),
             '-ex', 'break vm_op_mapset', '-ex', 'run', '-ex', 'bt',
             '--args', a.vole, 'run', '-jit=stress', source],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            stdin=subprocess.DEVNULL, timeout=300, check=False)
    if 'hit Breakpoint' not in done.stdout:
        print(done.stdout + 'gdb cannot run programs here: skipped')
        return 77
    names = re.findall(r'^#\d+ +(?:0x[0-9a-f]+ in )?([\w?]+) ', done.stdout,
                       re.M)
    ok = FRAMES.match(' '.join(names)) is not None
    if not ok:
        print(done.stdout)
    print('%d passed, %d failed, 0 skipped' % (ok, not ok))
    return 0 if ok else 1


if __name__ == '__main__':
    sys.exit(main())
