#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The race detector without memory.

One program, in which goroutines come and go, hold locks, send, read and write
the same memory in order and without, is run again and again; each time another
request of the detector for its memory is the first that fails, and all behind
it (VOLEDEBUG=failrace).  The program must end as it does otherwise, though races
may go unseen, or with one clear message and status 2; and no race may be told
of that is none.

Usage: run_race_faults.py [--vole CMD]
"""

import argparse
import os
import re
import shlex
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

PROGRAM = '''package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type node struct {
	left, right *node
	n           int
}

func tree(d int) *node {
	if d == 0 {
		return &node{n: 1}
	}
	return &node{tree(d - 1), tree(d - 1), d}
}

var raced int

func main() {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	var count atomic.Int64
	ch := make(chan *node, 3)
	un := make(chan int)
	m := map[int]int{}
	shared := tree(4)
	for i := range 40 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := range 5 {
				mu.Lock()
				m[k] += i
				mu.Unlock()
				rw.RLock()
				count.Add(int64(shared.left.n))
				rw.RUnlock()
			}
			ch <- tree(2)
			un <- i
		}()
	}
	for range 40 {
		(<-ch).left.n++
		<-un
	}
	wg.Wait()
	time.AfterFunc(time.Microsecond, func() { close(un) })
	<-un
	runtime.GC()
	ended := make(chan bool)
	for range 3 {
		go func() {
			raced++
			ended <- true
		}()
	}
	for range 3 {
		<-ended
	}
	println("ended", len(m), count.Load())
}
'''
ENDS = 'ended 5 600\n'


def wrong(r):
    """What is wrong with how the program has ended, or None."""
    if common.INTERNAL.search(r.out) or r.timeout:
        return 'late' if r.timeout else 'vole is broken'
    told = re.sub(r'={18}\n(?:.*\n)*?={18}\n', '', r.out)
    told = re.sub(r'Found \d+ data race\(s\)\n', '', told)
    for report in re.findall(r'={18}\n((?:.*\n)*?)={18}\n', r.out):
        # Its stacks may not be known: what memory it is about always is.
        if 'WARNING: DATA RACE' in report and \
                'Location is variable main.raced of' not in report:
            return 'a race that is none'
    if r.status in (0, 66) and told == ENDS:
        return None
    if r.status == 2 and told.count('fatal error: ') == 1 and \
            'out of memory' in told:
        return None
    return 'status %d' % r.status


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.default_vole() + ' run')
    opt = ap.parse_args()
    command = shlex.split(opt.vole) + ['-race']
    good = bad = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'faults.go')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(PROGRAM)
        work = [(at, jit) for jit in ('off', 'stress')
                for at in list(range(1, 41)) +
                [int(40 * 1.25 ** k) for k in range(1, 18)] + [0]]

        def one(at, jit):
            env = dict(os.environ, VOLEDEBUG='failrace=%d' % at,
                       GOMAXPROCS='2')
            env.pop('GORACE', None)
            return common.run(command + ['-jit=' + jit, path], env=env,
                              combine=True, timeout=120)
        for (at, jit), r in common.parallel(lambda w: one(*w), work,
                                            os.cpu_count()):
            why = wrong(r)
            if at == 0 and r.status != 66:
                why = 'the race is not told'
            good += why is None
            bad += why is not None
            if why is not None:
                print('FAIL request %d, -jit=%s: %s\n%s' % (
                    at, jit, why, r.out[-1500:]))
    common.summary(good, bad, 0)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
