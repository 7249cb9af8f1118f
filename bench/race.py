# SPDX-License-Identifier: MIT
"""What -race costs, vole's and the installed Go's (`bench/run.py race`).

CPU time and memory of whole processes, with and without, in turn; the least of
n rounds counts.  vole is compared with itself as it runs, by machine code on
both sides, and interpreted on both sides, which is what the goals are of: the
detector costs the same for the most part, and machine code leaves little
beside it.  Sequential programs run as they are, when nobody else is there to
race with, and in a goroutine beside main's.
"""

import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'tests'))
import common  # noqa: E402

SEQUENTIAL = ['fib', 'loops', 'sieve', 'nbody', 'quicksort', 'bintrees',
              'mapint']
CONCURRENT = ['pingpong', 'pool', 'mutex', 'primes', 'spawn']
CHAIN = ['chain']
# Goals: the time, by kind of program, and the memory.
MEMORY = 3.5

BESIDE = '''
func main() {
\tended := make(chan bool)
\tgo func() {
\t\tdefer close(ended)
\t\tmainBeside()
\t}()
\t<-ended
}
'''


def beside(text):
    """The program with its main function in a goroutine of its own."""
    return re.sub(r'^func main\(\)', 'func mainBeside()', text,
                  flags=re.M) + BESIDE


def programs(work):
    """(name, kind, goal, path) of each."""
    for name in SEQUENTIAL:
        path = os.path.join(HERE, 'go', name + '.go')
        yield name, 2.5, path
        with open(path, encoding='utf-8') as f:
            text = beside(f.read())
        path = os.path.join(work, name + '_beside.go')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        yield name + ' beside main', 2.5, path
    for name in CONCURRENT:
        yield name, 3, os.path.join(HERE, 'go', name + '.go')
    for name in CHAIN:
        yield name + ', 2,000 goroutines', 4, os.path.join(
            HERE, 'go', name + '.go')


def commands(vole, work, path, go):
    """What is timed: name -> words."""
    found = {'vole': vole + [path],
             'vole -race': vole + ['-race', path],
             'interpreted': vole + ['-jit=off', path],
             'interpreted -race': vole + ['-jit=off', '-race', path]}
    for race in ([], ['-race']) if go else ():
        out = os.path.join(work, os.path.basename(path)[:-3] + '.'.join(race))
        r = subprocess.run(['go', 'build', *race, '-o', out, path],
                           capture_output=True, check=False)
        if r.returncode == 0:
            found[' '.join(['go'] + race)] = [out]
    return found


def measure(found, rounds):
    """Least CPU seconds and memory of each; None where one has failed."""
    best = {}
    for _ in range(rounds):
        for name, words in found.items():
            r = common.run(words, timeout=300)
            if r.status != 0:
                print('%s: %s' % (' '.join(words), r.err[-300:]))
                return None
            cpu, rss = best.get(name, (1e9, 1e9))
            best[name] = min(cpu, r.cpu), min(rss, r.maxrss)
    return best


def race(opt, vole, work, verdict):
    """The table; the number of programs that failed."""
    if opt.only and 'race' not in opt.only:
        return 0
    go = shutil.which('go') is not None and (
        not opt.peers or 'go' in opt.peers.split(','))
    print('\n-race, against the same without (least CPU time and memory of '
          '%d)\n' % opt.n)
    print('%-24s%9s%10s%8s%8s%8s%8s%8s' % (
        '', 'vole', '-race', 'time', 'memory', 'interp.', 'go', 'memory') +
        '  goal, interpreted')
    failed = 0
    for name, goal, path in programs(work):
        best = measure(commands(vole, work, path, go), opt.n)
        if best is None:
            failed += 1
            continue
        off, on = best['vole'], best['vole -race']
        memory = on[1] / off[1]
        time = best['interpreted -race'][0] / best['interpreted'][0]
        row = '%-24s%7.3f s%8.3f s%7.2fx%7.2fx%7.2fx' % (
            name, off[0], on[0], on[0] / off[0], memory, time)
        if 'go -race' in best:
            row += '%7.2fx%7.2fx' % tuple(
                b / a for a, b in zip(best['go'], best['go -race']))
        else:
            row += '%8s%8s' % ('-', '-')
        print(row + '  %.1f, %.1f: %s' % (goal, MEMORY, verdict(
            time <= goal and memory <= MEMORY)), flush=True)
    return failed
