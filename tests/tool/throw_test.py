#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What dying programs say.  A throw, which says that vole itself is broken,
tells where the goroutines stood: a program damages its heap, and the collector
notices.  A fault within a native function, which may hold locks, cannot be
recovered from, whoever has called the function.  What a program prints at its
end goes to the file of debug.SetCrashOutput, too, letter by letter.

Usage: throw_test.py [--vole CMD] [--asan]
"""

import argparse
import itertools
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

# What the runtime's own structures are, as Go says in such a traceback.
WHOSE = r'gp=0x[0-9a-f]+ m=(?:nil|\d+ mp=0x[0-9a-f]+)'

EXPECTED = ['fatal error: vole: pointer 0x', '\nnative stack:\n',
            r'\ngoroutine 1 %s \[' % WHOSE, r'\nmain.main\(\)',
            r'broken.go:26 ',
            r'\ngoroutine 2 %s \[(chan receive|runnable)\]:' % WHOSE,
            r'\nmain.waiter\(']

NATIVE = '''package main

import (
	"strings"
	"unsafe"
)

func count(s string) (n int) {
	defer func() { println("recovered", recover() != nil) }()
	return strings.Count(s, "a")
}

func main() {
	println(count("banana"))
	count(unsafe.String((*byte)(unsafe.Pointer(uintptr(16))), 100))
}
'''

NATIVE_ENDS = re.compile(
    r'recovered false\n3\nunexpected fault address 0x10\n'
    r'fatal error: unexpected signal during runtime execution\n'
    r'\[signal SIGSEGV: [^\n]*\n\nruntime stack:\n(?s:.*)'
    r'\ngoroutine 1 %s \[running\]:\nmain.count\(' % WHOSE)

# What has been printed of a line is there, though it will have no end.
PRINTED = '''package main

import "unsafe"

func main() {
	println("begun", 7, unsafe.String((*byte)(unsafe.Pointer(uintptr(16))), 100))
}
'''

PRINTED_ENDS = re.compile(
    r'begun 7 unexpected fault address 0x10\n'
    r'fatal error: unexpected signal during runtime execution\n')

CRASH = '''package main

import (
	"os"
	"runtime/debug"
	"sync"
)

func main() {
	var none debug.CrashOptions
	f, err := os.Create(os.Args[1])
	if err != nil || debug.SetCrashOutput(f, none) != nil {
		os.Exit(1)
	}
	f.Close()
	if debug.SetCrashOutput(f, none) == nil {
		println("a closed file is taken")
	}
	go func() { select {} }()
	switch os.Args[2] {
	case "panic":
		panic("no more")
	case "error":
		var m map[string]int
		m["x"] = 1
	case "fatal":
		new(sync.Mutex).Unlock()
	case "deadlock":
		select {}
	case "none":
		debug.SetCrashOutput(nil, none)
		panic("not told")
	}
}
'''

JITS = 'off', 'stress'

ENDS = {'panic': 'panic: no more', 'error': 'assignment to entry in nil map',
        'fatal': 'fatal error: sync: unlock of unlocked mutex',
        'deadlock': 'fatal error: all goroutines are asleep', 'none': None}


def check_crash_output(vole, work):
    path = os.path.join(work, 'crash.go')
    failed = 0
    with open(path, 'w') as f:
        f.write(CRASH)
    for end, want in ENDS.items():
        said = os.path.join(work, end)
        r = common.run(shlex.split(vole) + [path, said, end], timeout=120,
                       env={'GOTRACEBACK': 'all'})
        with open(said) as f:
            text = f.read()
        if r.status != 2 or (text != '' if want is None else
                             text != r.err or want not in text):
            failed += 1
            print('FAIL %s: status %s\n%s--- in the file:\n%s' % (
                end, r.status, r.err, text))
    return failed


def check_native_fault(vole, work):
    path = os.path.join(work, 'native.go')
    failed = 0
    for jit, (text, ends) in itertools.product(
            JITS, [(NATIVE, NATIVE_ENDS), (PRINTED, PRINTED_ENDS)]):
        with open(path, 'w') as f:
            f.write(text)
        r = common.run(shlex.split(vole) + ['-jit=' + jit, path], timeout=120)
        if r.status != 2 or not ends.match(r.err):
            failed += 1
            print('FAIL -jit=%s: status %s\n%s' % (jit, r.status, r.err))
    return failed


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--asan', action='store_true',
                    help='sanitizers tell of faults themselves')
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
                m = re.compile(want).search(r.err, at)
                at = m.end() if m else -1
                if not m:
                    break
            if at < 0 or r.signal != signal.SIGABRT:
                failed += 1
                print('FAIL GOMAXPROCS=%s: status %s, missing %r\n%s' % (
                    procs, r.status, want, r.err))
        if not opt.asan:
            failed += check_native_fault(opt.vole, work)
        failed += check_crash_output(opt.vole, work)
    common.summary(2 + (0 if opt.asan else 2 * len(JITS)) + len(ENDS) - failed,
                   failed, 0)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
