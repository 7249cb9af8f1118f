# SPDX-License-Identifier: MIT
"""Programs of goroutines beside compiled Go's (`bench/run.py concurrent`).

CPU time of whole processes, user and system, and their time by the clock, with
one P and with two; each peer in turn, the least of n rounds counts.
"""

import math
import shutil

# Of the geometric mean over all programs and numbers of Ps; and of those
# whose time is the lock's and the queue's alone.
GOAL = 0.45
GOALS = {'mutex': 0.9, 'pool': 0.9}
PROGRAMS = ['pingpong', 'primes', 'spawn', 'pool', 'mutex', 'parked']


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def measure(peers, program, procs, rounds):
    """Least CPU seconds and seconds of each peer; None where one failed, or
    where they do not print the same."""
    best, outs = {}, set()
    for _ in range(rounds):
        for p in peers:
            r = p.time(program, {'GOMAXPROCS': procs})
            if r.status != 0:
                print('%s %s: %s' % (program, p.name, r.err[-300:]))
                return None
            outs.add(r.out)
            cpu, clock = best.get(p.name, (1e9, 1e9))
            best[p.name] = min(cpu, r.cpu), min(clock, r.seconds)
    if len(outs) > 1:
        print('%s: outputs differ' % program)
        return None
    return best


def concurrent(opt, peers, verdict):
    """The table; how many programs failed."""
    peers = [p for p in peers if p.name in ('vole', 'go')]
    if opt.only and 'concurrent' not in opt.only or len(peers) < 2 or \
            shutil.which('go') is None:
        return 0
    print('\nPrograms of goroutines: CPU seconds of whole processes, and '
          'seconds by the clock\n(least of %d, in turn)\n' % opt.n)
    print('%-10s%3s%10s%10s%8s%12s%10s%8s' % (
        'program', 'P', 'vole CPU', 'go CPU', 'ratio', 'vole clock',
        'go clock', 'ratio') + '  goal')
    failed, all_cpu, all_clock = 0, [], []
    for program in PROGRAMS:
        for procs in ('1', '2'):
            best = measure(peers, program, procs, opt.n)
            if best is None:
                failed += 1
                continue
            (cpu, clock), (go_cpu, go_clock) = best['vole'], best['go']
            all_cpu.append(cpu / max(go_cpu, 1e-3))
            all_clock.append(clock / go_clock)
            row = '%-10s%3s%10.3f%10.3f%7.2fx%12.3f%10.3f%7.2fx' % (
                program, procs, cpu, go_cpu, all_cpu[-1], clock, go_clock,
                all_clock[-1])
            if program in GOALS:
                row += '  %.2f: %s' % (GOALS[program], verdict(
                    max(all_cpu[-1], all_clock[-1]) <= GOALS[program]))
            print(row, flush=True)
    if all_cpu:
        print('%-10s%30.2fx%29.2fx  %.2f: %s' % (
            'geomean', geomean(all_cpu), geomean(all_clock), GOAL,
            verdict(max(geomean(all_cpu), geomean(all_clock)) <= GOAL)))
    return failed
