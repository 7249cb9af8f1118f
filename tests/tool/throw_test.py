#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A throw, which says that vole itself is broken, tells where the goroutines
stood: a program damages its heap, and the collector notices.

Usage: throw_test.py [--vole CMD]
"""

import argparse
import os
import re
import shlex
import signal
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402

BROKEN = '''package main

import (
	"runtime"
	"unsafe"
)

type node struct {
	next *node
	pad  [6]int
}

var keep *node

func waiter(up, c chan int) {
	up <- 1
	<-c
}

func main() {
	up := make(chan int)
	go waiter(up, make(chan int))
	<-up
	keep = &node{next: &node{}}
	*(*uintptr)(unsafe.Pointer(&keep.next)) += 1 << 20
	runtime.GC()
}
'''

EXPECTED = ['fatal error: vole: pointer 0x', '\nnative stack:\n',
            '\ngoroutine 1 [', r'\nmain.main\(\)', r'broken.go:26 ',
            '\ngoroutine 2 [(chan receive|runnable)]:', r'\nmain.waiter\(']


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    opt = ap.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, 'broken.go')
        with open(path, 'w') as f:
            f.write(BROKEN)
        for procs in '1', '4':
            r = common.run(shlex.split(opt.vole) + [path], timeout=120,
                           env={'GOMAXPROCS': procs})
            at = 0
            for want in EXPECTED:
                m = re.compile(want.replace('[', r'\[', 1)).search(r.err, at)
                at = m.end() if m else -1
                if not m:
                    break
            if at < 0 or r.signal != signal.SIGABRT:
                failed += 1
                print('FAIL GOMAXPROCS=%s: status %s, missing %r\n%s' % (
                    procs, r.status, want, r.err))
    common.summary(2 - failed, failed, 0)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
