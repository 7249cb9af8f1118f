#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tracer as a whole, in running programs.

  storm     traces and flight records that start and stop all the time, at
            GOMAXPROCS 1, 2 and 8, also with collections at every turn: every
            file is accepted by vole-trace and, where it is installed, by go
  counts    what is in the file is what the recorder counted, and what the
            program did
  states    the times of a goroutine's states add up to its life
  truth     running and waiting times are what the program itself measured
  flight    -flight writes a whole trace at a signal, after a panic, a
            deadlock, and os.Exit with a status
  signal    SIGUSR1 starts and ends traces
  options   -trace-limit, -trace-events
  ends      traces end although nothing is flushed for a day: no wait for the
            last buffers is ended by time alone
  calls     a system call that blocks is no running, whether or not its P was
            taken meanwhile
  pauses    the trace, MemStats and gctrace agree for how long the collector
            has stopped the world
  killed    SIGINT, SIGTERM and SIGHUP kill the program, and all that it
            records is written; those that were ignored stay ignored, and a
            second one ends it at once
  stdin     a goroutine is in a system call when a trace begins: what Go's
            viewer makes of that
  places    each send and receive of a program is in its traces, with the stack
            that the program itself saw there
  http      /debug/pprof/trace, and a pipe that nobody reads
  scripts   (only with --long) every script, with -trace and collections at
            every turn

Usage: run_trace.py [--long] [CASE...]
"""

import argparse
import glob
import gzip
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'script'))
import common  # noqa: E402
import tracecheck  # noqa: E402

WAITER = '''package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	fmt.Println("up")
	switch os.Args[1] {
	case "spin":
		for {
		}
	case "read":
		r, _, _ := os.Pipe()
		r.Read(make([]byte, 1))
	case "chan":
		go func() {
			for {
				time.Sleep(time.Millisecond)
			}
		}()
		<-make(chan int)
	case "sleep":
		time.Sleep(time.Hour)
	}
}
'''

LIVELY = '''package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	c := make(chan int)
	go func() {
		for i := 0; ; i++ {
			c <- i
		}
	}()
	fmt.Println("up")
	for end := time.Now().Add(%s); time.Now().Before(end); {
		<-c
	}
	switch os.Args[1] {
	case "panic":
		panic("boom")
	case "exit":
		os.Exit(3)
	case "deadlock":
		select {}
	}
}
'''


# Nearly all of its time is in machine code that the script calls.
NATIVE = '''package main

import "strings"

func main() {
	s := strings.Repeat("abc ", 100000)
	for i := 0; i < 150; i++ {
		strings.Fields(s)
	}
}
'''

# Sleeps in what initialises it, in main.main below more frames than a stack
# in a trace has and below exactly as many, and in another goroutine.
DEEP = '''package main

import "time"

func deep(n int) {
	if n == 0 {
		time.Sleep(time.Microsecond)
		return
	}
	deep(n - 1)
}

func nap() {
	time.Sleep(time.Microsecond)
	recover()
}

func panics() {
	defer nap()
	panic(1)
}

func init() {
	deep(0)
}

func main() {
	deep(100)
	deep(30)
	deep(0)
	done := make(chan bool)
	go func() {
		deep(100)
		done <- true
	}()
	<-done
	for range 3 {
		nap()
		panics()
	}
	// Enough for a sample also where others have the processor.
	for i := 0; i < 100_000_000; i++ {
	}
}
'''


# Collects while more goroutines than there are Ps want to run.
STOPS = '''package main

import (
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	stop := make(chan bool)
	for i := 0; i < 16; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case <-stop:
					return
				default:
				}
			}
		}()
	}
	for i := 0; i < 50; i++ {
		runtime.GC()
	}
	close(stop)
	wg.Wait()
}
'''


class Suite:
    def __init__(self, opt):
        self.opt = opt
        self.vole = shlex.split(opt.vole)
        self.reader = shlex.split(opt.vole_trace)
        self.work = tempfile.mkdtemp(prefix='vole-trace-')
        self.checker = tracecheck.Checker(opt.vole_trace, full=True,
                                          slow=opt.slow)
        self.lively = os.path.join(self.work, 'lively.go')
        self.passed = self.failed = 0

    def write_lively(self, duration):
        with open(self.lively, 'w') as f:
            f.write(LIVELY % duration)

    def add(self, name, why):
        if why:
            self.failed += 1
            print('FAIL %s: %s' % (name, why), flush=True)
        else:
            self.passed += 1

    def run(self, flags, args=(), env=None, timeout=60):
        return common.run(self.vole + flags + list(args), env=env, cwd=self.work,
                          timeout=timeout * self.opt.slow)

    def validate(self, path):
        r = common.run(self.reader + ['validate', path],
                       timeout=60 * self.opt.slow)
        if r.trouble() or r.status != 0:
            return '%s: %s' % (os.path.basename(path),
                               r.trouble() or (r.out + r.err)[:300])
        return ''

    def read_json(self, command, path):
        r = common.run(self.reader + command + ['-json', path],
                       timeout=60 * self.opt.slow)
        return json.loads(r.out)

    # ---- cases

    def storm(self):
        cycles = self.opt.cycles or (1000 if self.opt.long else 60)
        for procs in '1', '2', '8':
            for debug in ('', 'gcstress=50'):
                # The first flight record is made in the fourth cycle.
                n = max(8, cycles // 4 if debug else cycles)
                name = 'storm GOMAXPROCS=%s %s' % (procs, debug)
                self.add(name, self.one_storm(procs, debug, n))

    def one_storm(self, procs, debug, cycles):
        folder = tempfile.mkdtemp(dir=self.work)
        r = self.run([os.path.join(HERE, 'storm.go')], [str(cycles), folder],
                     {'GOMAXPROCS': procs, 'VOLEDEBUG': debug},
                     1200 if self.opt.long else 120)
        if r.trouble() or r.status != 0 or r.out != 'true true\n':
            return r.trouble() or 'status %s: %s' % (
                r.status, (r.out + r.err)[-300:])
        files = sorted(glob.glob(folder + '/*.trace'))
        if len(files) < cycles // 5:
            return '%d files only' % len(files)
        for f in files:
            why = self.validate(f)
            if why:
                return why
        if self.checker.has_go:
            largest = sorted(files, key=os.path.getsize)
            flights = [f for f in largest if 'flight' in f]
            step = max(1, len(largest) // 8)
            some = largest[::step] if self.opt.long else largest[-1:]
            for f in set(some + flights[-1:]):
                why = self.checker.check_with_go(f)
                if why:
                    return os.path.basename(f) + ': ' + why
        shutil.rmtree(folder)
        return ''

    def truth_run(self, debug=''):
        path = os.path.join(self.work, 'truth.trace')
        r = self.run(['-trace', path, os.path.join(HERE, 'truth.go')],
                     env={'GOMAXPROCS': '4', 'VOLEDEBUG': debug})
        if r.trouble() or r.status != 0:
            raise ValueError(r.trouble() or r.err[-300:])
        return r, path

    def counts(self):
        r, path = self.truth_run('tracestats=1')
        kept = {k: int(v) for k, v in
                re.findall(r'^vole: trace: (\w+) (\d+)$', r.err, re.M)}
        kinds = self.read_json(['summary'], path)['kinds']
        kinds = {k: v for k, v in kinds.items() if v}
        why = ''
        if kinds != kept:
            diff = {k: (kept.get(k), kinds.get(k))
                    for k in set(kept) | set(kinds)
                    if kept.get(k) != kinds.get(k)}
            why = 'kind: (recorder, file): %s' % diff
        self.add('counts: recorder and file', why)
        did = {'UserTaskCreate': 1, 'UserTaskEnd': 1, 'UserRegion': 200,
               'UserLog': 100, 'GoCreate': 1 + 3 + 50, 'GoEnd': 54,
               'GoSleep': 2}
        bad = {k: kinds.get(k) for k, v in did.items() if kinds.get(k) != v}
        self.add('counts: what the program did', bad and 'wrong: %s' % bad)
        # Everyone who blocks is woken, and starts; but for the last of all,
        # no event is without its counterpart.
        blocks = sum(v for k, v in kinds.items()
                     if k.startswith('GoBlock') or k == 'GoSleep')
        starts = blocks + kinds.get('GoPreempt', 0) + kinds['GoCreate'] + \
            kinds.get('GoSysExit', 0) + kinds.get('GoSched', 0)
        wakes = kinds.get('GoUnblock', 0) + kinds.get('GoUnblockLocal', 0)
        self.add('counts: a wake-up for each block', blocks != wakes and
                 '%d %d' % (blocks, wakes))
        started = kinds.get('GoStart', 0) + kinds.get('GoStartLocal', 0)
        self.add('counts: a start for each reason', starts != started and
                 '%d %d' % (starts, started))
        self.add('counts: stacks', 'lost-stacks 0 ' not in r.err and r.err)

    STATES = ['running', 'runnable', 'syscall', 'sleep', 'chan_send',
              'chan_receive', 'select', 'sync', 'cond', 'network', 'gc',
              'other', 'forever', 'before']

    def states(self):
        _, path = self.truth_run()
        worst = 0
        for g in self.read_json(['goroutines', '-all'], path):
            total = sum(g[s + '_ns'] for s in self.STATES)
            life = g['ended_ns'] - g['created_ns']
            if life > 0:
                # Each change of state is rounded to a nanosecond.
                off = abs(total - life) - 2 * (g['runs'] + g['blocks'] + 2)
                worst = max(worst, off)
        self.add('states add up to a life',
                 worst > 0 and '%d ns are missing' % worst)

    def truth(self):
        """The machine's other work comes in between a measurement and the
        event that belongs to it, so the best of some runs counts."""
        best = 1.0
        for _ in range(40 if self.opt.long else 25):
            r, path = self.truth_run()
            said = {f[0]: list(map(int, f[1:])) for f in
                    (line.split() for line in r.out.splitlines())}
            worst = 0.0
            for g in self.read_json(['goroutines', '-all'], path):
                if g['name'] not in said:
                    continue
                total, waited, spun = said[g['name']]
                running = g['running_ns']
                blocked = sum(g[s + '_ns'] for s in self.STATES
                              if s not in ('running', 'runnable'))
                queued = g['runnable_ns']
                # While it spins it may be preempted, while it waits it may
                # be woken and queued: that time is in either.
                for off in (abs(running + blocked + queued - total),
                            running - spun, spun - running - queued,
                            blocked - waited, waited - blocked - queued):
                    worst = max(worst, off / total)
            best = min(best, worst)
            if best <= 0.02:
                break
        print('truth: within %.2f %%' % (best * 100))
        self.add('truth', best > 0.02 and '%.1f %% off at best' % (best * 100))

    def newest(self, pattern):
        files = glob.glob(os.path.join(self.work, pattern))
        return max(files, key=os.path.getmtime) if files else ''

    def flight(self):
        self.write_lively('300 * time.Millisecond')
        for how, status in ('panic', 2), ('exit', 3), ('deadlock', 2), \
                ('return', 0):
            for f in glob.glob(self.work + '/vole-*'):
                os.unlink(f)
            r = self.run(['-flight', '1M', self.lively], [how])
            path = self.newest('vole-*.flight.trace')
            if r.status != status or r.trouble():
                why = r.trouble() or 'status %s' % r.status
            elif how == 'return':
                why = path and 'a file was written'
            elif not path or path.rsplit('/', 1)[1] not in r.err:
                why = 'no file was written: ' + r.err[-300:]
            elif os.path.getsize(path) > 3 << 20:
                why = 'the file has %d bytes' % os.path.getsize(path)
            else:
                why = self.checker.check(path) if how == 'panic' \
                    else self.validate(path)
            self.add('flight: ' + how, why)

    def start_lively(self, flags, debug=''):
        p = subprocess.Popen(self.vole + flags + [self.lively, 'return'],
                             env=dict(os.environ, **({'VOLEDEBUG': debug}
                                                  if debug else {})),
                             cwd=self.work, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        p.stdout.readline()
        return p

    def signal(self):
        self.write_lively('%d * time.Second' % (4 * self.opt.slow))
        folder = os.path.join(self.work, 'signals')
        os.mkdir(folder)
        p = self.start_lively(['-trace-signal', folder, '-flight', '1s'])
        for sig, says in ((signal.SIGUSR1, 'writing'),
                          (signal.SIGUSR2, 'wrote'),
                          (signal.SIGUSR1, 'complete'),
                          (signal.SIGUSR1, 'writing'),
                          (signal.SIGUSR1, 'complete'),
                          (signal.SIGUSR2, 'wrote')):
            p.send_signal(sig)
            line = p.stderr.readline()
            self.add('signal: ' + says, says not in line and line)
            time.sleep(0.02)
        p.stdout.read()
        p.stderr.read()
        self.add('signal: status', p.wait() and 'status %d' % p.returncode)
        files = sorted(os.listdir(folder))
        self.add('signal: files', len(files) != 4 and str(files))
        for f in files:
            self.add('signal: ' + f, self.validate(os.path.join(folder, f)))
        r = self.run(['-trace-signal', '/no/such', self.lively])
        self.add('signal: no folder', r.status != 2 and r.err)

    @staticmethod
    def descriptors(pid):
        """How many the process has, but for what the poller opens for itself
        when it is needed first."""
        folder, n = '/proc/%d/fd' % pid, 0
        for fd in os.listdir(folder):
            try:
                to = os.readlink(os.path.join(folder, fd))
            except FileNotFoundError:
                continue
            n += not to.startswith('anon_inode:[event')
        return n

    def refused(self):
        """A trace is under way already: the signal leaves nothing behind, no
        file and no descriptor."""
        self.write_lively('%d * time.Second' % (2 * self.opt.slow))
        folder = os.path.join(self.work, 'refused')
        os.mkdir(folder)
        path = os.path.join(self.work, 'refused.trace')
        p = self.start_lively(['-trace', path, '-trace-signal', folder])
        counts, said = [], []
        for _ in range(5):
            p.send_signal(signal.SIGUSR1)
            said.append(p.stderr.readline())
            counts.append(self.descriptors(p.pid))
        p.stdout.read()
        p.stderr.read()
        self.add('refused: says so', [
            line for line in said if 'already' not in line])
        self.add('refused: descriptors', len(set(counts)) != 1 and str(counts))
        self.add('refused: files', os.listdir(folder))
        self.add('refused: the other trace', (
            p.wait() and 'status %d' % p.returncode) or self.validate(path))

    def options(self):
        self.write_lively('200 * time.Millisecond')
        path = os.path.join(self.work, 'options.trace')
        r = self.run(['-trace', path, '-trace-limit', '200k', self.lively],
                     ['return'])
        size = os.path.getsize(path)
        why = r.trouble() or r.status or 'limit' not in r.err or \
            not 200 << 10 <= size < 4 << 20
        self.add('options: limit', (why and '%s %d' % (r.err, size)) or
                 self.checker.check(path))
        for words, absent in (('-stack', None), ('gc', 'UserRegion'),
                              ('user,stack', 'HeapAlloc'), ('-gc', 'GCStart')):
            r = self.run(['-trace', path, '-trace-events', words,
                          os.path.join(HERE, 'truth.go')])
            kinds = self.read_json(['summary'], path)['kinds']
            why = r.trouble() or r.status or kinds.get(absent) and absent
            self.add('options: events ' + words,
                     (why and str(why)) or self.validate(path))
        for flags in (['-trace-limit', 'x'], ['-trace-limit', '0'],
                      ['-flight', '-1s'], ['-flight', ''],
                      ['-trace', path, '-trace-events', 'x']):
            r = self.run(flags + [self.lively, 'return'])
            self.add('options: ' + ' '.join(flags),
                     r.status != 2 and 'status %s' % r.status)

    DAY = 'traceadvance=86400000'

    def ends(self):
        self.write_lively('50 * time.Millisecond')
        path = os.path.join(self.work, 'ends.trace')
        for flags in ([], ['-trace-limit', '200k'], ['-flight', '1s']):
            for _ in range(5):
                r = self.run(['-trace', path] + flags + [self.lively],
                             ['return'], {'VOLEDEBUG': self.DAY})
                why = r.trouble() or (r.status and 'status %s' % r.status)
                if why:
                    break
            self.add('ends: -trace ' + ' '.join(flags),
                     why or self.validate(path))
        self.write_lively('%d * time.Second' % (2 * self.opt.slow))
        folder = os.path.join(self.work, 'ends')
        os.mkdir(folder)
        p = self.start_lively(['-trace-signal', folder], self.DAY)
        said = []
        for _ in range(3):
            for _ in range(2):
                p.send_signal(signal.SIGUSR1)
                said.append(p.stderr.readline().split()[-1])
        self.add('ends: -trace-signal', said.count('complete') != 3 and said)
        p.kill()
        p.communicate()

    def calls(self):
        path = os.path.join(self.work, 'calls.trace')
        for procs in '1', '2', '8':
            r = self.run(['-trace', path, os.path.join(HERE, 'calls.go')],
                         env={'GOMAXPROCS': procs})
            name = 'calls GOMAXPROCS=%s' % procs
            if r.trouble() or r.status:
                self.add(name, r.trouble() or 'status %s' % r.status)
                continue
            waited = int(r.out)
            g = [g for g in self.read_json(['goroutines', '-all'], path)
                 if g['name'] == 'main.main'][0]
            # It may have returned and be queued, or be on its way there.
            off = abs(g['syscall_ns'] + g['runnable_ns'] - waited)
            busy = g['running_ns']
            why = off + busy > waited / 2 and \
                'waited %d, in calls %d, runnable %d, running %d' % (
                    waited, g['syscall_ns'], g['runnable_ns'], busy)
            self.add(name, why or self.checker.check(path))

    def pauses(self):
        """The clocks are not read at the same moment, and the machine's other
        work may come in between: the best of some runs counts."""
        path = os.path.join(self.work, 'pauses.trace')
        best = 1.0
        for i in range(10):
            r = self.run(['-trace', path, os.path.join(HERE, 'pauses.go')],
                         env={'GOMAXPROCS': '124'[i % 3],
                              'VOLEDEBUG': 'gctrace=1'})
            if r.trouble() or r.status:
                self.add('pauses', r.trouble() or 'status %s' % r.status)
                return
            cycles, total = map(int, r.out.split())
            clocks = re.findall(r': ([\d.]+)\+[\d.]+\+([\d.]+) ms clock',
                                r.err)
            printed = sum(float(a) + float(b) for a, b in clocks) * 1e6
            gc = self.read_json(['gc'], path)
            traced = sum(c['stop_ns'] for c in gc['cycles'])
            if len(clocks) != cycles or gc['cycles_n'] != cycles:
                self.add('pauses', 'cycles: %d %d %d' % (
                    cycles, len(clocks), gc['cycles_n']))
                return
            off = max(abs(traced - total), abs(printed - total)) / total
            best = min(best, off)
            if best <= 0.05:
                break
        print('pauses: within %.1f %%' % (best * 100))
        self.add('pauses', best > 0.05 and '%.0f %% off at best' %
                 (best * 100))

    PROFILES = ['cpu', 'mem', 'block', 'mutex', 'goroutine', 'wall']

    def start_waiter(self, flags, how, ignored=()):
        def dispositions():
            # Whoever runs the tests may ignore some: nohup does.
            for sig in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
                signal.signal(sig, signal.SIG_IGN if sig in ignored else
                              signal.SIG_DFL)
        p = subprocess.Popen(self.vole + flags + [self.waiter, how],
                             cwd=self.work, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True,
                             preexec_fn=dispositions)
        p.stdout.readline()
        return p

    def said_by(self, p):
        """What p says until it has died: it is given a minute for that."""
        try:
            return p.communicate(timeout=60 * self.opt.slow)[1]
        except subprocess.TimeoutExpired:
            p.kill()
            return 'lives on: ' + p.communicate()[1]

    def one_killed(self, how, sig):
        path = os.path.join(self.work, 'killed')
        flags = ['-flight', '1s', '-trace', path + '.trace']
        for kind in self.PROFILES:
            flags += ['-%sprofile' % kind, path + '.' + kind]
        p = self.start_waiter(flags, how)
        p.send_signal(sig)
        said = self.said_by(p)
        if p.returncode != -sig:
            return 'status %d: %s' % (p.returncode, said)
        m = re.search('wrote (.*flight.trace)', said)
        if not m:
            return 'no flight record: ' + said
        for kind in self.PROFILES:
            with gzip.open(path + '.' + kind) as f:
                if not f.read():
                    return 'no %s profile' % kind
        return self.validate(os.path.join(self.work, m.group(1))) or \
            self.validate(path + '.trace')

    def killed(self):
        self.waiter = os.path.join(self.work, 'waiter.go')
        with open(self.waiter, 'w') as f:
            f.write(WAITER)
        for how in 'spin', 'read', 'chan', 'sleep':
            for sig in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
                self.add('killed: %s %s' % (how, sig.name),
                         self.one_killed(how, sig))
        # SIGTERM is not one that can be ignored from outside.
        every = signal.SIGHUP, signal.SIGINT, signal.SIGTERM
        p = self.start_waiter([], 'sleep', every)
        for sig in every:
            p.send_signal(sig)
        said = self.said_by(p)
        self.add('killed: ignored', p.returncode != -signal.SIGTERM and
                 'status %d %s' % (p.returncode, said))
        # Nobody reads the trace, so that its end never comes.
        self.write_lively('1000 * time.Hour')
        r, w = os.pipe()
        p = subprocess.Popen(self.vole + ['-trace', '/dev/fd/%d' % w,
                                          self.lively, 'x'], pass_fds=[w],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        p.stdout.readline()
        for _ in range(600):
            p.send_signal(signal.SIGINT)
            try:
                p.wait(0.1 * self.opt.slow)
                break
            except subprocess.TimeoutExpired:
                pass
        else:
            p.kill()
        p.communicate()
        os.close(r)
        os.close(w)
        self.add('killed: again', p.returncode != -signal.SIGINT and
                 'status %d' % p.returncode)

    def stdin(self):
        path = os.path.join(self.work, 'stdin.trace')
        p = subprocess.Popen(
            self.vole + [os.path.join(HERE, 'stdin.go'), path],
            env=dict(os.environ, GOMAXPROCS='2'), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        p.stdout.readline()
        time.sleep(0.1)
        p.communicate(b'x')
        self.add('stdin', (p.returncode and 'status %d' % p.returncode) or
                 self.checker.check(path))

    def http(self):
        """/debug/pprof/trace of a running program; and a closed pipe."""
        self.write_lively('%d * time.Second' % (20 * self.opt.slow))
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            address = '127.0.0.1:%d' % probe.getsockname()[1]
        path = os.path.join(self.work, 'http.trace')
        p = self.start_lively(['-http', address], self.DAY)
        try:
            with urllib.request.urlopen(
                    'http://%s/debug/pprof/trace?seconds=0.1' % address,
                    timeout=60 * self.opt.slow) as f, open(path, 'wb') as out:
                shutil.copyfileobj(f, out)
        finally:
            p.kill()
            p.communicate()
        self.add('http', self.validate(path))
        self.write_lively('200 * time.Millisecond')
        p = self.start_lively(['-trace', '/dev/stderr'])
        p.stderr.close()
        p.stdout.read()
        self.add('closed pipe', p.wait() != 1 and 'status %d' % p.returncode)

    def samples(self):
        """Machine code in the stacks of CPU samples has names."""
        path = os.path.join(self.work, 'native.trace')
        prog = os.path.join(self.work, 'native.go')
        with open(prog, 'w') as f:
            f.write(NATIVE)
        r = self.run(['-trace', path, '-cpuprofile', '/dev/null'], [prog])
        self.add('samples: run', r.trouble() or r.status)
        self.add('samples: sound', self.validate(path))
        r = common.run(self.reader + ['events', '-kind', 'CPUSample', '-json',
                                      path], timeout=60 * self.opt.slow)
        names = [f['func'] for line in r.out.splitlines()
                 for f in json.loads(line)['stack']]
        native = [n for n in names if n.startswith('runtime.lib_strings_')]
        self.add('samples: seen', not native and repr(names[:5]))
        self.add('samples: named', any(n.startswith('0x') for n in names) and
                 repr(names[:5]))

    def stacks(self):
        """runtime.main is in samples of the CPU and nowhere else, as in Go's
        traces; the outermost frame of a stack says whose it is."""
        path = os.path.join(self.work, 'deep.trace')
        prog = os.path.join(self.work, 'deep.go')
        with open(prog, 'w') as f:
            f.write(DEEP)
        r = self.run(['-trace', path, '-cpuprofile', '/dev/null'], [prog])
        self.add('stacks: run', r.trouble() or r.status)
        r = common.run(self.reader + ['events', '-json', '-stacks', path],
                       timeout=60 * self.opt.slow)
        slept, outermost = [], {}
        for line in r.out.splitlines():
            e = json.loads(line)
            if not e.get('stack'):
                continue
            last = e['stack'][-1]
            if e['kind'] == 'GoSleep':
                slept.append((len(e['stack']), last['func'], last['line']))
            outermost.setdefault(e['kind'], set()).add(last['func'])
        line = {text.strip(): i + 1
                for i, text in enumerate(DEEP.split('\n'))}
        want = [(2, 'main.init.0', line['func init() {'] + 1),
                (32, 'main.main', line['func main() {'] + 17),
                (32, 'main.main', line['deep(30)']),
                (2, 'main.main', line['deep(30)'] + 1),
                (32, 'main.main.func1', line['go func() {'] + 1),
                # In a deferred call, during a panic: who has panicked is in it,
                # also where each frame has been seen before.
                ] + 3 * [(2, 'main.main', line['nap()']),
                         (4, 'main.main', line['panics()'])]
        self.add('stacks: outermost', slept != want and repr(slept))
        samples = outermost.pop('CPUSample', set())
        self.add('stacks: samples', 'runtime.main' not in samples and
                 repr(samples))
        self.add('stacks: events', any('runtime.main' in names for names in
                                       outermost.values()) and
                 repr(outermost))

    def places(self):
        for flags, procs, debug in ([], '1', ''), ([], '4', ''), \
                (['-jit=off'], '1', ''), (['-jit=stress'], '2', 'gcstress=50'):
            why = self.compare_places(flags, procs, debug)
            self.add('places: %s GOMAXPROCS=%s' % (' '.join(flags), procs), why)

    def compare_places(self, flags, procs, debug):
        """The second trace of the program begins elsewhere, so that its stacks
        have other numbers."""
        paths = [os.path.join(self.work, 'places%d.trace' % i) for i in (1, 2)]
        r = self.run(flags + [os.path.join(HERE, 'places.go')], paths,
                     {'GOMAXPROCS': procs, 'VOLEDEBUG': debug})
        if r.trouble() or r.status != 0:
            return r.trouble() or r.err[-300:]
        did = {path: {} for path in paths}
        for path, n, stack in (s.split(' ', 2) for s in r.out.splitlines()):
            did[path][stack] = int(n)
        for path in paths:
            why = self.validate(path)
            if why:
                return why
            traced = self.traced_places(
                path, {s.split(' ')[0] for s in did[path]})
            if len(did[path]) < 60 or did[path] != traced:
                return '%s: (program, trace): %s' % (
                    os.path.basename(path), [
                        (did[path].get(s), traced.get(s), s)
                        for s in sorted(set(did[path]) | set(traced))
                        if did[path].get(s) != traced.get(s)][:5])
        return ''

    def traced_places(self, path, innermost):
        """Elsewhere the runtime may have woken its own goroutines."""
        r = common.run(self.reader + ['events', '-json', '-stacks', '-kind',
                                      'GoBlockSend,GoBlockRecv,GoUnblock*',
                                      path], timeout=60 * self.opt.slow)
        sums = {}
        for line in r.out.splitlines():
            stack = ['%s:%d' % (f['func'], f['line'])
                     for f in json.loads(line).get('stack', [])
                     if not f['func'].startswith('runtime.')]
            if stack and stack[0] in innermost:
                text = ' '.join(stack)
                sums[text] = sums.get(text, 0) + 1
        return sums

    def stops(self):
        """Nothing runs between the last that is done in a stop and its end."""
        path = os.path.join(self.work, 'stops.trace')
        prog = os.path.join(self.work, 'stops.go')
        with open(prog, 'w') as f:
            f.write(STOPS)
        r = self.run(['-trace', path], [prog], env={'GOMAXPROCS': '8'})
        self.add('stops: run', r.trouble() or r.status)
        r = common.run(self.reader + ['events', '-json', '-kind',
                                      'GCDone,STWDone,GoStart,GoStartLocal',
                                      path],
                       timeout=60 * self.opt.slow)
        cycles, runs, where = 0, 0, None
        for line in r.out.splitlines():
            e = json.loads(line)
            if e['kind'] == 'GCDone':
                where = e['p']
                cycles += 1
            elif e['kind'] == 'STWDone':
                where = None
            elif where is not None and e['p'] != where:
                runs += 1
        self.add('stops: cycles', cycles < 50 and cycles)
        self.add('stops: runs', runs > 0 and runs)

    def scripts(self):
        runner = os.path.join(os.path.dirname(HERE), 'script',
                              'run_scripts.py')
        r = common.run([sys.executable, runner, '--trace', '--vole',
                        self.opt.vole, '--vole-trace', self.opt.vole_trace,
                        '--slow', '10'], timeout=7200,
                       env={'VOLEDEBUG': 'gcstress=200,traceadvance=1'})
        print(r.out[-2000:])
        self.add('scripts', r.status != 0 and r.trouble() or r.status)


def main():
    cases = ['storm', 'counts', 'states', 'truth', 'flight', 'signal',
             'refused', 'options', 'ends', 'calls', 'pauses', 'killed',
             'stdin', 'http', 'samples', 'stacks', 'places', 'stops']
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('cases', nargs='*', metavar='CASE')
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--vole-trace', default=common.default_vole_trace(),
                    metavar='CMD')
    ap.add_argument('--slow', type=int, default=1,
                    help='factor for the time limits')
    ap.add_argument('--cycles', type=int, help='of a storm')
    ap.add_argument('--long', action='store_true')
    opt = ap.parse_args()
    suite = Suite(opt)
    if not suite.checker.has_go:
        print('go is not installed: the traces are read by vole-trace only')
    try:
        for name in opt.cases or cases + (['scripts'] if opt.long else []):
            start = time.monotonic()
            try:
                getattr(suite, name)()
            except (ValueError, KeyError, OSError) as e:
                suite.add(name, repr(e))
            print('%s: %.1f s' % (name, time.monotonic() - start), flush=True)
    finally:
        shutil.rmtree(suite.work, ignore_errors=True)
    common.summary(suite.passed, suite.failed, 0)
    return 1 if suite.failed else 0


if __name__ == '__main__':
    sys.exit(main())
