#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times vole against lua5.4, luajit -joff, go and yaegi, whichever of them
are installed, and prints ratios.

First table: the classic programs, the same algorithm in Go (bench/go) and in
Lua (bench/lua).  Every program is run by every peer in turn, n rounds of
that, and the median of the wall times counts; so a slow spell of the machine
hits all alike.  Go programs are compiled beforehand: only their run is timed.
All peers must print the same.

Second table: what only Go programs can do: channel hand-off, spawn and join,
bytes per parked goroutine, start-up, allocation, the prime sieve.  Third and
fourth: what a program feels of the collector, and what tracing costs; fifth:
what profiles cost (`bench/run.py profile`); sixth: what machine code brings
(`bench/run.py native`); seventh: what -race costs (`bench/run.py race`);
eighth: a server of net/http under load (`bench/run.py http`, needs wrk);
ninth: CPU time of programs of goroutines beside compiled Go's
(`bench/run.py concurrent`).
"""

import argparse
import json
import math
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'tests'))
import common  # noqa: E402
import goroutines as side  # noqa: E402
import race  # noqa: E402
import serve  # noqa: E402

CLASSIC = ['fib', 'loops', 'sieve', 'nbody', 'spectral', 'fannkuch',
           'mandelbrot', 'matmul', 'quicksort', 'bintrees', 'strings']

# Those that say what machine code is worth, whole processes, start included.
NATIVE = CLASSIC + ['mapint', 'mapstr', 'sortslice', 'gclive']

# The same, of programs whose time is the library's, which vole takes from a
# tree of Go's sources, or of generic code.
LIBRARY = ['fasta', 'knucleotide', 'pidigits', 'regexdna', 'revcomp', 'gzip',
           'jsoncode', 'template', 'format', 'iterate']

# Goals of the first stage: vole's geometric mean as a share of the peer's.
GOALS = {'lua5.4': 0.65, 'yaegi': 0.1}


class Peer:
    def __init__(self, name, command):
        self.name = name
        self.command = command       # program name -> list of words

    def time(self, program, env=None, args=(), timeout=300):
        return common.run(self.command(program) + list(args),
                          timeout=timeout, env=env)


def find_peers(opt, work):
    peers = []
    words = shlex.split(opt.vole)
    if shutil.which(words[0]):
        peers.append(Peer('vole', lambda p: words + [go_file(p)]))
    else:
        print('vole is not built (%s); only the peers are timed' % words[0])
    if shutil.which('go'):
        peers.append(Peer('go', lambda p: [compiled(work, p)]))
    yaegi = shutil.which('yaegi') or os.path.expanduser('~/go/bin/yaegi')
    if os.access(yaegi, os.X_OK):
        peers.append(Peer('yaegi', lambda p: [yaegi, 'run', go_file(p)]))
    if shutil.which('lua5.4'):
        peers.append(Peer('lua5.4', lambda p: ['lua5.4', lua_file(p)]))
    if shutil.which('luajit'):
        peers.append(Peer('luajit -joff', lambda p: ['luajit', '-joff',
                                                     lua_file(p)]))
    if opt.peers:
        keep = opt.peers.split(',')
        peers = [p for p in peers if p.name.split()[0] in keep]
    return peers


def go_file(program):
    return os.path.join(HERE, 'go', program + '.go')


def lua_file(program):
    return os.path.join(HERE, 'lua', program + '.lua')


def compiled(work, program):
    exe = os.path.join(work, program)
    if not os.path.exists(exe):
        subprocess.run(['go', 'build', '-o', exe, go_file(program)],
                       check=True, env=dict(os.environ, **common.go_env()))
    return exe


def norm(text):
    return text.replace('\t', ' ')


def measure(peers, program, rounds, env=None):
    """{peer name: median seconds or None}; checks that outputs agree."""
    times = {p.name: [] for p in peers}
    outs = {}
    broken = {}
    for p in peers:                    # builds, and warms the file cache
        p.command(program)
    for _ in range(rounds):
        for p in peers:
            if p.name in broken:
                continue
            r = p.time(program, env)
            if r.status != 0 or r.trouble():
                broken[p.name] = r.trouble() or 'status %s %s' % (
                    r.status, r.err[-200:])
                continue
            times[p.name].append(r.seconds)
            outs[p.name] = norm(r.out)
    if len(set(outs.values())) > 1:
        for name, out in outs.items():
            print('%s %s printed: %s' % (program, name, out[:200].strip()))
        broken['outputs'] = 'differ'
    for name, why in broken.items():
        print('FAIL %s: %s: %s' % (program, name, why))
    med = {n: statistics.median(t) if t and n not in broken else None
           for n, t in times.items()}
    return med, broken


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def classic(opt, peers):
    names = [p.name for p in peers]
    base = names[0]
    programs = [p for p in CLASSIC if not opt.only or p in opt.only]
    if not programs:
        return 0
    print('\nSeconds (medians of %d), and %s as a share of each peer\n' %
          (opt.n, base))
    print('%-11s' % 'program' + ''.join('%18s' % n for n in names))
    ratios = {n: [] for n in names[1:]}
    failed = 0
    for program in programs:
        med, broken = measure(peers, program, opt.n)
        failed += len(broken)
        row = '%-11s' % program
        for n in names:
            t = med[n]
            if t is None:
                row += '%18s' % '-'
            elif n == base or med[base] is None:
                row += '%18.3f' % t
            else:
                ratios[n].append(med[base] / t)
                row += '%10.3f %6.2fx' % (t, med[base] / t)
        print(row, flush=True)
    row = '%-11s%18s' % ('geomean', '')
    for n in names[1:]:
        row += '%17.2fx' % geomean(ratios[n]) if ratios[n] else '%18s' % '-'
    print(row)
    for n, goal in GOALS.items():
        if base == 'vole' and ratios.get(n) and len(programs) == len(CLASSIC):
            g = geomean(ratios[n])
            print('goal against %s: %.2f at most: %s (%.3f)' %
                  (n, goal, 'met' if g <= goal else 'MISSED', g))
    return failed


def native_peers(opt, work):
    words = shlex.split(opt.vole)
    peers = [Peer('vole', lambda p: words + [go_file(p)])]
    if words[-1:] == ['run']:
        peers.append(Peer('-jit=off', lambda p: words + ['-jit=off',
                                                         go_file(p)]))
    if shutil.which('go'):
        peers.append(Peer('go', lambda p: [compiled(work, p)]))
    for name in ('luajit', 'lua5.4'):
        if shutil.which(name):
            peers.append(Peer(name, lambda p, n=name: [n, lua_file(p)]))
    return peers


def native(opt, work):
    """Two tables, each of programs with a geometric mean of its own."""
    if opt.only and 'native' not in opt.only:
        return 0
    peers = native_peers(opt, work)
    print('\nMachine code: CPU seconds of whole processes (least of %d), and '
          'vole as a share' % opt.n)
    return native_table(opt, peers, NATIVE) + native_table(
        opt, [p for p in peers if not p.name.startswith('lua')], LIBRARY)


def native_table(opt, peers, programs):
    """CPU seconds, user and system, of each; the least of n rounds in turn."""
    print('\n%-11s' % 'program' +
          ''.join('%18s' % p.name for p in peers))
    ratios = {p.name: [] for p in peers}
    failed = 0
    for program in programs:
        have = [p for p in peers if not p.name.startswith('lua') or
                os.path.exists(lua_file(program))]
        best, outs = {}, set()
        for _ in range(opt.n):
            for p in have:
                r = p.time(program)
                failed += r.status != 0
                outs.add(norm(r.out))
                best[p.name] = min(best.get(p.name, r.cpu), r.cpu)
        row = '%-11s' % program
        for p in peers:
            t = best.get(p.name)
            if t is None or p.name == 'vole':
                row += '%18s' % ('-' if t is None else '%.3f' % t)
                continue
            ratios[p.name].append(best['vole'] / max(t, 1e-3))
            row += '%10.3f %6.2fx' % (t, ratios[p.name][-1])
        print(row + ('  outputs differ' if len(outs) > 1 else ''), flush=True)
        failed += len(outs) > 1
    print('%-11s%18s' % ('geomean', '') + ''.join(
        '%17.2fx' % geomean(ratios[p.name]) for p in peers[1:]))
    return failed


def ns_per_op(peer, program, procs, rounds):
    got = []
    for _ in range(rounds):
        r = peer.time(program, {'GOMAXPROCS': procs})
        m = re.search(r'ns/op (\d+)', r.err)
        if m:
            got.append(int(m.group(1)))
    return statistics.median(got) if got else None


def seconds(peer, program, procs, rounds):
    got = [peer.time(program, {'GOMAXPROCS': procs})
           for _ in range(rounds)]
    got = [r.seconds for r in got if r.status == 0]
    return statistics.median(got) * 1000 if got else None


def parked_bytes(peer, program, procs, rounds):
    n = 1000000
    full = peer.time(program, {'GOMAXPROCS': procs}, [str(n)])
    none = peer.time(program, {'GOMAXPROCS': procs}, ['1'])
    if full.status != 0 or none.status != 0:
        return None
    return (full.maxrss - none.maxrss) / n


def resident(peer, program, procs, rounds):
    """Peak resident size of a small program, in MB.  The kernel counts what
    the parent had resident before exec, and this interpreter is large; so a
    small program, GNU time, has to do the starting."""
    if not os.access('/usr/bin/time', os.X_OK):
        return None
    with tempfile.NamedTemporaryFile() as f:
        subprocess.run(['/usr/bin/time', '-f', '%M', '-o', f.name] +
                       peer.command(program), stdout=subprocess.DEVNULL,
                       env=dict(os.environ, GOMAXPROCS=procs), check=True)
        return int(f.read()) / 1024


# what, program, GOMAXPROCS, unit, how, goal as a share of Go or a limit
ROWS = [
    ('channel hand-off, 1 P', 'pingpong', '1', 'ns', ns_per_op, 0.6, None),
    ('channel hand-off, 2 P', 'pingpong', '2', 'ns', ns_per_op, 0.6, None),
    ('spawn and join', 'spawn', '2', 'ns', ns_per_op, 1.0, None),
    ('shared mutex', 'mutex', '2', 'ns', ns_per_op, 0.9, None),
    ('worker pool', 'pool', '2', 'ns', ns_per_op, 0.9, None),
    ('bytes per parked goroutine', 'parked', '2', 'B', parked_bytes, None,
     1000),
    ('hello world', 'hello', '2', 'ms', seconds, None, 8),
    ('hello world, resident', 'hello', '2', 'MB', resident, None, None),
    ('small garbage', 'garbage', '2', 'ns', ns_per_op, 1.5, None),
    ('prime sieve, 1 P', 'primes', '1', 'ms', seconds, None, None),
    ('prime sieve, 2 P', 'primes', '2', 'ms', seconds, None, None),
]


def goroutines(opt, peers):
    peers = [p for p in peers if p.name in ('vole', 'go') or
             p.name == 'yaegi' and opt.yaegi_all]
    rows = [r for r in ROWS if not opt.only or r[1] in opt.only]
    if not rows or not peers:
        return 0
    print('\nOnly in Go (medians of %d)\n' % opt.n)
    print('%-28s' % 'what' + ''.join('%12s' % p.name for p in peers) +
          '%10s  goal' % 'vole/go')
    failed = 0
    for what, program, procs, unit, how, share, limit in rows:
        rounds = opt.n * 3 if program == 'hello' else opt.n
        med = {p.name: how(p, program, procs, rounds) for p in peers}
        row = '%-28s' % what
        for p in peers:
            t = med[p.name]
            row += '%12s' % ('-' if t is None else '%.4g %s' % (t, unit))
        v, g = med.get('vole'), med.get('go')
        ratio = v / g if v is not None and g else None
        row += '%10s' % ('-' if ratio is None else '%.2f' % ratio)
        if share and ratio is not None:
            row += '  %.2f of Go: %s' % (share, verdict(ratio <= share))
        elif limit and v is not None:
            row += '  %g %s: %s' % (limit, unit, verdict(v <= limit))
        if 'vole' in med and v is None and how is not resident:
            failed += 1
            row += '  FAIL'
        print(row, flush=True)
    return failed


def stalls(opt, peers):
    """What a program feels of the collector, with 200 MB live."""
    peers = [p for p in peers if p.name in ('vole', 'go')]
    if not peers or opt.only and 'stalls' not in opt.only:
        return 0
    rounds = min(opt.n, 3)
    print('\nCollector with 200 MB live and churn (worst of %d runs; in turn)\n' %
          rounds)
    columns = [('longest stop', 'pause_us', 1e3, 'ms'),
               ('median stop', 'median_us', 1e3, 'ms'),
               ('GC of CPU', 'gc_permille', 10, '%'),
               ('peak RSS', 'rss_kb', 1024, 'MB'),
               ('1,024 allocs', 'stall_us', 1e3, 'ms'),
               ('slip p99', 'slip_us', 1e3, 'ms'), ('cycles', 'cycles', 1, '')]
    print('%-10s' % '' + ''.join('%14s' % c[0] for c in columns))
    worst = {p.name: {} for p in peers}
    trouble = {}
    for _ in range(rounds):
        for p in peers:
            r = p.time('stalls', {'GOMAXPROCS': '2'})
            found = re.findall(r'^(\w+) (\d+)$', r.err, re.M)
            if r.status != 0 or len(found) < 6:
                trouble[p.name] = r.err[-200:]
                continue
            for key, n in found + [('rss_kb', r.maxrss // 1024)]:
                worst[p.name][key] = max(worst[p.name].get(key, 0), int(n))
    for p in peers:
        w = worst[p.name]
        if p.name in trouble or not w:
            print('%-10sFAIL %s' % (p.name, trouble.get(p.name)))
            continue
        print('%-10s' % p.name + ''.join(
            '%14s' % ('%.4g %s' % (w[key] / unit, name))
            for _, key, unit, name in columns), flush=True)
    v, g = worst.get('vole'), worst.get('go')
    for what, key, goal in [('longest stop', 'pause_us', 1.5),
                            ('worst stall', 'stall_us', 1 / 3),
                            ('slip p99', 'slip_us', 1 / 3)]:
        if v and g and g[key]:
            print('%s, vole/go: %.2f, %.2f at most: %s' % (
                what, v[key] / g[key], goal,
                verdict(v[key] <= goal * g[key])))
    return len(trouble)


# program, the most that tracing may cost
TRACED = [('pingpong', 2.5), ('primes', 2.5), ('spawn', 2),
          ('fannkuch', 1.02)]

# Starts a trace around the main of a program, for the real go.
GO_TRACED = '''package main

import (
	"os"
	"runtime/trace"
)

func init() {
	if path := os.Getenv("TRACE_TO"); path != "" {
		f, err := os.Create(path)
		if err != nil || trace.Start(f) != nil {
			os.Exit(3)
		}
		stopTrace = trace.Stop
	}
}
'''


def go_traced(work, program):
    """The program as Go has it, with a trace where TRACE_TO says so."""
    folder = os.path.join(work, 'traced-' + program)
    exe = os.path.join(folder, program)
    if not os.path.exists(exe):
        os.mkdir(folder)
        with open(go_file(program)) as f:
            text = f.read().replace(
                'func main() {', 'var stopTrace = func() {}\n\n'
                'func main() {\n\tdefer stopTrace2()', 1)
        text += '\nfunc stopTrace2() { stopTrace() }\n'
        for name, content in (('main.go', text), ('t.go', GO_TRACED)):
            with open(os.path.join(folder, name), 'w') as f:
                f.write(content)
        subprocess.run(['go', 'build', '-o', exe,
                        os.path.join(folder, 'main.go'),
                        os.path.join(folder, 't.go')],
                       check=True, env=dict(os.environ, **common.go_env()))
    return exe


class Cost:
    """Seconds without and with a trace, in turn; of CPU time where a program
    does nothing but compute, so that other work of the machine is no matter.
    """

    def __init__(self, cpu):
        self.cpu = cpu
        self.off, self.on, self.pairs = [], [], []
        self.trouble = ''

    def add(self, off, on):
        if off.status != 0 or on.status != 0:
            self.trouble = (off.err + on.err)[-200:]
        a, b = (off.cpu, on.cpu) if self.cpu else (off.seconds, on.seconds)
        self.off.append(a)
        self.on.append(b)
        self.pairs.append(b / max(a, 1e-6))

    def ratio(self):
        return statistics.median(self.pairs)


def trace_size(path):
    """Events of a trace, their bytes, and those of its file."""
    words = shlex.split(common.default_vole_trace())
    r = common.run(words + ['stats', '-json', path], timeout=600)
    if r.status != 0:
        return 0, 0, 0
    stats = json.loads(r.out)
    return stats['events'], sum(k['bytes'] for k in stats['kinds']
                                if not k['table']), stats['bytes']


def tracing(opt, peers, work):
    """The price of tracing, beside that of Go's own for the same programs,
    and of an event."""
    names = [p.name for p in peers]
    if 'vole' not in names or opt.only and 'tracing' not in opt.only:
        return 0
    print('\nTracing on, against the same untraced (medians of %d pairs; '
          'fannkuch in CPU time)\n' % opt.n)
    print('%-10s%9s%9s%8s%9s%9s%9s%9s%9s' % (
        'program', 'off', 'on', 'ratio', 'B/event', 'go off', 'go on',
        'ratio', 'goal'))
    failed = 0
    trace = os.path.join(work, 'out.trace')
    words = shlex.split(opt.vole)
    faster, largest, files = None, 0.0, []
    for program, goal in TRACED:
        cpu = program == 'fannkuch'
        ours, theirs = Cost(cpu), Cost(cpu)
        for _ in range(opt.n):
            off = common.run(words + [go_file(program)], timeout=300)
            on = common.run(words + ['-trace', trace, go_file(program)],
                            timeout=600)
            ours.add(off, on)
            if 'go' in names:
                exe = go_traced(work, program)
                theirs.add(common.run([exe], timeout=300),
                           common.run([exe], timeout=600, env={
                               'TRACE_TO': os.path.join(work, 'go.trace')}))
        if ours.trouble or theirs.trouble:
            failed += 1
            print('%-10s FAIL %s' % (program, ours.trouble or theirs.trouble))
            continue
        med = statistics.median
        events, size, whole = trace_size(trace)
        size /= max(events, 1)
        largest = max(largest, size)
        files.append('%s %d for %d events' % (program, whole, events))
        row = '%-10s%7.3f s%7.3f s%7.3fx%9.2f' % (
            program, med(ours.off), med(ours.on), ours.ratio(), size)
        if theirs.off:
            row += '%7.3f s%7.3f s%7.3fx' % (
                med(theirs.off), med(theirs.on), theirs.ratio())
        else:
            row += '%27s' % '-'
        print(row + '%5s: %s' % (goal, verdict(ours.ratio() <= goal)),
              flush=True)
        if program == 'pingpong' and theirs.off:
            faster = med(ours.on) / med(theirs.off)
    print('5 bytes per event at most: %s' % verdict(0 < largest <= 5))
    print('Bytes of the files, with tables and heads of batches: %s' %
          ', '.join(files))
    if faster is not None:
        print('traced vole, untraced go, ping-pong: %.2f, below 1: %s' % (
            faster, verdict(faster < 1)))
    per_event()
    return failed


def per_event():
    """What one event costs, where the benchmark of the recorder is built."""
    exe = os.path.join(common.ROOT, 'build', 'tests', 'unit', 'trace',
                       'bench-trace-emit')
    if not os.access(exe, os.X_OK):
        return
    r = common.run([exe], timeout=300)
    for name, ns in re.findall(r'^BenchmarkTrace(\S+)\s+\d+\s+([\d.]+) ns',
                               r.out, re.M):
        goal = ', 25 at most: ' + verdict(float(ns) <= 25) \
            if name == 'Yield/depth=8' else ''
        print('%-24s%8s ns%s' % (name, ns, goal))


def reading(opt, peers, work):
    """A sched profile of a trace of 20 MB, and what that takes."""
    if opt.only and 'reading' not in opt.only:
        return 0
    tool = common.go_tool('trace')
    print('\nA profile of waits for a processor, of a trace of ping-pong '
          '(medians of %d, in turn)\n' % opt.n)
    print('%-26s%10s%10s%12s%10s' % ('', 'time', 'CPU', 'most memory',
                                     'times'))
    failed = 0
    for p in peers:
        if p.name not in ('vole', 'go'):
            continue
        trace = os.path.join(work, p.name + '.trace')
        r = p.time('pingtrace', {'GOMAXPROCS': '2'}, [trace, '600000'])
        if r.status != 0:
            print('pingtrace, %s: %s' % (p.name, r.err[-200:]))
            failed += 1
            continue
        size = os.path.getsize(trace) / 1e6
        vole = shlex.split(common.default_vole_trace()) + [
            'sched', '-pprof', os.path.join(work, 'p'), trace]
        rows = time_readers([vole] + ([tool + ['-pprof=sched', trace]]
                                      if tool else []), opt.n)
        first, other = (rows + [None])[:2]
        print_reader('vole-trace, %.0f MB of %s' % (size, p.name), first, '')
        failed += first is None
        if first and other:
            ratio = other[0] / first[0]
            print_reader('  go tool trace', other, '%.1fx' % ratio)
            print('  20 times faster: %s' % verdict(ratio >= 20))
    return failed


def time_readers(commands, rounds):
    """Medians of each, run in turn: seconds, CPU seconds, most memory."""
    rows = [[] for _ in commands]
    for _ in range(rounds):
        for cmd, row in zip(commands, rows):
            row.append(common.run(cmd, timeout=600))
    out = []
    for cmd, row in zip(commands, rows):
        failed = [r for r in row if r.status != 0]
        if failed:
            print(cmd[0], failed[-1].err[-200:])
        out.append(None if failed else [
            statistics.median(getattr(r, k) for r in row)
            for k in ('seconds', 'cpu', 'maxrss')])
    return out


def print_reader(what, row, ratio):
    if row:
        print('%-26s%8.2f s%8.2f s%9.1f MB%10s' % (
            what, row[0], row[1], row[2] / 1e6, ratio), flush=True)


# part of profcost.go, what it is, the most that profiling may cost
PROFILES = [
    ('cpu', 'CPU profile', 1.03),
    ('mem', 'memory profile, default rate', 1.02),
    ('mem1', 'MemProfileRate=1, small objects', 3),
    ('block', 'block rate 1, ping-pong', 3),
]


def profile(opt, peers):
    """What profiling costs, in CPU time; and how long goroutine profiles of
    100,000 take and keep others waiting."""
    peers = [p for p in peers if p.name in ('vole', 'go')]
    if not peers or opt.only and 'profile' not in opt.only:
        return 0
    print('\nProfiling on, against the same without (CPU time, medians of %d '
          'pairs)\n' % opt.n)
    print('%-34s' % 'what' + ''.join('%24s' % p.name for p in peers) +
          '  goal')
    failed = 0
    for part, what, goal in PROFILES:
        row = '%-34s' % what
        ratio = {}
        for p in peers:
            p.command('profcost')
            pairs = [cost_pair(p, part, i) for i in range(opt.n)]
            if None in pairs:
                failed += 1
                row += '%24s' % 'FAIL'
                continue
            off = statistics.median(a for a, _ in pairs)
            ratio[p.name] = statistics.median(b / a for a, b in pairs)
            row += '%14.3f s %7.3fx' % (off, ratio[p.name])
        if 'vole' in ratio:
            row += '  %.2f: %s' % (goal, verdict(ratio['vole'] <= goal))
        print(row, flush=True)
    return failed + profile_of_many(peers, min(opt.n, 3)) + \
        profile_off(peers)


def instructions(words, part, on):
    """How many the program takes with one P, without a profile."""
    with tempfile.TemporaryDirectory() as tmp:
        r = common.run(
            ['valgrind', '--tool=callgrind', '--callgrind-out-file=' +
             os.path.join(tmp, 'out')] + words +
            [go_file('profcost'), part, on, '10'], timeout=900,
            env={'GOMAXPROCS': '1'})
    m = re.search(r'Collected : (\d+)', r.err)
    return int(m.group(1)) if r.status == 0 and m else None


def profile_off(peers):
    """What it costs that there could be profiles: instructions, against a
    build that has none (HACKING.md)."""
    bare = os.environ.get('VOLE_NO_PROFILES')
    if not bare or not shutil.which('valgrind') or not any(
            p.name == 'vole' for p in peers):
        return 0
    words = [p for p in peers if p.name == 'vole'][0].command('x')[:-1]
    failed = 0
    print('\n%-34s%24s' % ('all off, millions of instructions',
                           'vole, none built in'))
    for part, what in (('mem', 'small objects'), ('block', 'ping-pong'),
                       ('cpu', 'calls and maps')):
        a = instructions(words, part, 'off')
        b = instructions([bare, 'run'], part, 'off')
        if a is None or b is None:
            failed += 1
            print('%-34s%14s' % (what, 'FAIL'))
            continue
        print('%-34s%12.1f%12.1f %7.4fx' % (what, a / 1e6, b / 1e6, a / b),
              flush=True)
    return failed


def cost_pair(peer, part, i):
    """CPU seconds without and with, or None; the order alternates."""
    got = {}
    for on in (('off', 'on'), ('on', 'off'))[i % 2]:
        r = peer.time('profcost', args=[part, on])
        if r.status != 0:
            print('profcost %s %s: %s' % (part, on, r.err[-300:]))
            return None
        got[on] = r.cpu
    return got['off'], got['on']


def profile_of_many(peers, rounds):
    keys = [('goroutine_us', 'goroutine profile, in all'),
            ('goroutine_gap_us', '  longest wait of another goroutine'),
            ('dump_us', 'debug=2 dump, in all'),
            ('dump_gap_us', '  longest wait of another goroutine')]
    values = {}
    failed = 0
    for p in peers:
        for _ in range(rounds):
            r = p.time('profcost', args=['goroutine', 'on'], timeout=900)
            if r.status != 0:
                print('profcost goroutine: %s' % r.err[-300:])
                failed += 1
            for key, n in re.findall(r'^(\w+) (\d+)$', r.err, re.M):
                values.setdefault((p.name, key), []).append(int(n) / 1000)
    print('\n%-38s' % '100,000 goroutines' + ''.join('%14s' % p.name
                                                     for p in peers))
    for key, what in keys:
        row = '%-38s' % what
        for p in peers:
            v = values.get((p.name, key))
            row += '%11.1f ms' % statistics.median(v) if v else '%14s' % '-'
        print(row)
    return failed


def verdict(ok):
    return 'met' if ok else 'MISSED'


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('only', nargs='*', help='programs (default all)')
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('-n', type=int, default=5, help='rounds (default 5)')
    ap.add_argument('--peers', help='by comma: vole,go,yaegi,lua5.4,luajit')
    ap.add_argument('--yaegi-all', action='store_true',
                    help='yaegi in the second table as well (slow)')
    ap.add_argument('--seconds', type=int, default=2, metavar='S',
                    help='of each load on a server (default 2)')
    ap.add_argument('--minutes', type=float, default=0.2, metavar='M',
                    help='of a server whose memory is watched (default 0.2)')
    opt = ap.parse_args()
    work = tempfile.mkdtemp(prefix='vole-bench-')
    try:
        peers = find_peers(opt, work)
        if not peers:
            sys.exit('nothing to time')
        failed = classic(opt, peers) + goroutines(opt, peers) + \
            reading(opt, peers, work) + \
            stalls(opt, peers) + tracing(opt, peers, work) + \
            profile(opt, peers) + side.concurrent(opt, peers, verdict)
        words = shlex.split(opt.vole)
        if shutil.which(words[0]):
            failed += native(opt, work) + \
                race.race(opt, words, work, verdict) + \
                serve.serve(opt, words, work, verdict)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
