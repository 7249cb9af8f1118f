#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small programs with and without locks that are taken in orders that can
deadlock, and with and without goroutines that wait for locks for ever: what
vole run -lockorder and -deadlocks say of them, on threads and by seeds.

  // lockorder: 1       so many circles are told
  // deadlocks: 1       that goroutines can never go on is told, or not (0)
  // byseed: 1          the same by a seed, where those that wait for anything
                        count while main runs, if it is not the same
  // says: text         stands in what is printed

  run_locks.py [--vole FILE] [NAME...]
  run_locks.py --growth            what -lockorder costs with more goroutines
  run_locks.py --scripts conc/     no alarm in these of the scripts, too
"""

import argparse
import glob
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

RUNS = 3
TRIES = 20  # until threads do not run into the deadlock that is warned of
PLANS = ['1', '2.pos', '3.pct3x200', '4@']


def wishes(path):
    found = {'says': []}
    with open(path, encoding='utf-8') as f:
        for line in f:
            m = re.match(r'// (\w+): (.*)$', line.rstrip())
            if not m:
                break
            if m[1] == 'says':
                found['says'].append(m[2])
            else:
                found[m[1]] = int(m[2])
    return found


def run(args, flags, path):
    return common.run([args.vole, 'run'] + flags + [path], combine=True,
                      timeout=60 * args.slow)


def came_true(r, want):
    """On threads what is warned of may happen: then it is told of as far as
    it came, and of the deadlock."""
    return want['lockorder'] > 0 and r.status == 2 and \
        'all goroutines are asleep - deadlock!' in r.out and \
        1 <= r.out.count('WARNING: LOCK ORDER') <= want['lockorder']


def check_order(args, path, want, flags):
    for _ in range(TRIES):
        r = run(args, ['-lockorder'] + flags, path)
        if not came_true(r, want):
            break
    n = r.out.count('WARNING: LOCK ORDER')
    if r.timeout or n != want['lockorder'] or r.status != (66 if n else 0):
        return '-lockorder %s: %d circles, status %s\n%s' % (
            flags, n, r.status, r.out[-3000:])
    return missing(r.out, want) if n else ''


def check_deadlocks(args, path, want):
    r = run(args, ['-deadlocks'], path)
    told = 'who waits for whom' in r.out
    if r.timeout or told != bool(want['deadlocks']) or \
            r.status != (2 if told else 0):
        return '-deadlocks: status %s\n%s' % (r.status, r.out[-3000:])
    return missing(r.out, want) if told else ''


def check_end(args, path, want, plan):
    """When main ends, by a seed, what is told without one."""
    r = run(args, ['-deadlocks', '-sched-seed', plan], path)
    told = r.out.count('who waits for whom')
    if r.timeout or told != want.get('byseed', want['deadlocks']) or \
            r.status != 2 * told:
        return '-deadlocks -sched-seed %s at the end: status %s\n%s' % (
            plan, r.status, r.out[-3000:])
    return missing(r.out, want) if told else ''


def check_waiters(args, path, want, plan):
    """By a seed, too, it is told who waits for whom."""
    r = run(args, ['-deadlocks', '-leaks', '-sched-seed', plan], path)
    circles = [t for t in want['says'] if t.startswith('a circle')]
    if r.timeout or r.status != 2 or \
            r.out.count('who waits for whom') != 1 or \
            'the turns that led' in r.out:
        return '-deadlocks -sched-seed: status %s\n%s' % (
            r.status, r.out[-3000:])
    return missing(r.out, {'says': circles})


def check_graph(args, path, flags):
    """The circle, as JSON and for Graphviz."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'graph')
        for end in ('.json', '.dot'):
            run(args, ['-deadlocks-out', name + end] + flags, path)
        with open(name + '.json', encoding='utf-8') as f:
            graph = {g['id']: g for g in json.load(f)['goroutines']}
        with open(name + '.dot', encoding='utf-8') as f:
            dot = f.read()
    circles = [g for g in graph.values() if graph.get(
        g.get('holder'), {}).get('holder') == g['id']]
    for g in circles:
        taken = [h for h in graph[g['holder']]['holds']
                 if h['lock'] == g['wants']]
        if len(taken) != 1 or not any(
                f['file'].endswith('stuck.go') and f['line'] > 0
                for f in taken[0]['taken'] + g['stack']):
            return 'graph: %s' % graph
    arrows = re.findall(r'^  g(\d+) -> g(\d+) \[label="taken at stuck.go:\d+"\]',
                        dot, re.M)
    back = [a for a in arrows if (a[1], a[0]) in arrows]
    if len(circles) != 2 or len(back) != 2 or not dot.endswith('}\n'):
        return 'graphs: %s\n%s' % (graph, dot)
    return ''


def missing(text, want):
    lost = [s for s in want['says'] if s not in text]
    return 'does not say %r\n%s' % (lost, text[-3000:]) if lost else ''


def check(args, path):
    want = wishes(path)
    for _ in range(RUNS):
        why = ''
        if 'lockorder' in want:
            why = check_order(args, path, want, [])
        if not why and 'deadlocks' in want:
            why = check_deadlocks(args, path, want)
        for plan in PLANS if 'deadlocks' in want else ():
            why = why or check_end(args, path, want, plan)
        for plan in PLANS if want.get('deadlocks') else ():
            why = why or check_waiters(args, path, want, plan)
        if why:
            return why
    if path.endswith('/stuck.go'):
        for flags in ([], ['-sched-seed', '1']):
            why = check_graph(args, path, flags)
            if why:
                return why
    for plan in PLANS if want.get('lockorder', 0) == 0 else PLANS[:0]:
        if 'lockorder' in want:
            why = check_order(args, path, want, ['-sched-seed', plan])
            if why:
                return why
    return ''


def check_script(args, path):
    """The same output as without, and no word more."""
    plain = run(args, [], path)
    r = run(args, ['-lockorder', '-deadlocks'], path)
    for sign in ('LOCK ORDER', 'who waits for whom'):
        if sign in r.out and sign not in plain.out:
            return 'alarm: ' + r.out[-3000:]
    return '' if r.status == plain.status else 'status %s, not %s: %s' % (
        r.status, plain.status, r.out[-1000:])


def seconds(args, flags, path, n):
    """The least processor time of some runs with n goroutines."""
    r = [common.run([args.vole, 'run'] + flags + [path, str(n)],
                    timeout=300 * args.slow) for _ in range(3)]
    return min(x.cpu for x in r) if all(x.status == 0 for x in r) else None


def check_growth(args, path):
    """What the watch costs grows as the number of goroutines does, or little
    more: 64 times would be quadratic.  Not for builds that check all: they
    look at whatever they have again and again, seconds with the watch or
    without, and the difference is noise."""
    cost = []
    for n in (1000, 8000):
        watched, plain = (seconds(args, flags, path, n)
                          for flags in (['-lockorder'], []))
        if watched is None or plain is None:
            return 'fails'
        cost.append(max(watched - plain, 0.05))
    return '' if cost[1] < 24 * cost[0] else \
        '%.2f s with 1,000 goroutines, %.2f s with 8,000' % tuple(cost)


def scripts(word):
    root = os.path.join(os.path.dirname(HERE), 'script')
    for path in sorted(glob.glob(os.path.join(root, '*', '*.go'))):
        if word in os.path.relpath(path, root):
            yield path


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    ap.add_argument('--slow', type=float, default=1)
    ap.add_argument('--scripts')
    ap.add_argument('--growth', action='store_true')
    ap.add_argument('names', nargs='*')
    args = ap.parse_args()
    args.vole = os.path.abspath(args.vole)
    if args.growth:
        todo = [(check_growth, os.path.join(HERE, 'growth', 'crowd.go'))]
    else:
        todo = [(check, p) for p in sorted(glob.glob(os.path.join(
            HERE, 'locks', '*.go')))
                if not args.names or any(n in p for n in args.names)]
    if args.scripts is not None:
        todo += [(check_script, p) for p in scripts(args.scripts)]
    passed = failed = 0
    for how, path in todo:
        why = how(args, path)
        passed += why == ''
        failed += why != ''
        if why:
            print('FAIL', os.path.basename(path), why)
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
