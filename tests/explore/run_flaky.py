#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vole test -explore names the test functions that fail in some schedule, each
by itself, and prints a command that shows the failure again; -sched-seed runs
tests by one schedule, the same each time; -leaks fails tests that leave
goroutines behind, with a seed and without.

  run_flaky.py [--vole FILE]
"""

import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

REPLAYS = 3


def test(args, *words):
    return common.run([args.vole, 'test'] + list(words), combine=True,
                      timeout=120 * args.slow,
                      cwd=os.path.join(HERE, 'flaky'))


def summary(text, name):
    m = re.search(r'^explore: %s: (\d+) schedules, .*?(?:, (\d+) failed)?$'
                  % name, text, re.M)
    return (int(m[1]), int(m[2] or 0)) if m else (0, 0)


def commands(text):
    return [shlex.split(c) for c in
            re.findall(r'the same again:\n +vole test (.*)', text)]


def replay(args, words, says):
    outs = set()
    for _ in range(REPLAYS):
        r = test(args, *words)
        outs.add((r.status, re.sub(r'\t[0-9.]+s$', '', r.out, flags=re.M)))
    if len(outs) != 1:
        return 'replays differ: %s' % words
    status, out = outs.pop()
    return '' if status == 1 and says in out else 'no replay: %s\n%s' % (
        words, out)


def each_by_itself(args):
    r = test(args, '-explore', '400', '.')
    bad = []
    for name, says in (('TestLostUpdate', 'x = 1, want 2'),
                       ('TestTwice', 'is first'),
                       ('TestParts', 'all goroutines are asleep')):
        if '--- FAIL: %s: schedule' % name not in r.out:
            bad.append('%s is not named' % name)
        if '%s is flaky' % name not in r.out or says not in r.out:
            bad.append('%s: what is told' % name)
        again = [c for c in commands(r.out) if '-run=^%s$' % name in c]
        bad.append(replay(args, again[0], says) if len(again) == 1
                   else '%s: %d commands' % (name, len(again)))
    for name in ('TestRight', 'TestLong'):
        if summary(r.out, name) != (400, 0):
            bad.append('%s: false alarm' % name)
    if r.status != 1 or 'FAIL\texample.com/flaky' not in r.out:
        bad.append('status %s' % r.status)
    return '\n'.join(b for b in bad if b), r.out


def all_of_them(args):
    r = test(args, '-explore', '200', '-explore-all', '-run', 'Twice$', '.')
    found = {text for c in commands(r.out)
             for text in ('one is first', 'two is first')
             if replay(args, c, text) == ''}
    if len(found) != 2 or summary(r.out, 'TestTwice')[0] != 200:
        return 'failures told: %s' % sorted(found), r.out
    return '', r.out


def parts(args):
    r = test(args, '-explore', '100', '-run', 'Parts/good', '.')
    if r.status != 0 or summary(r.out, 'TestParts') != (100, 0):
        return 'another part was run', r.out
    r = test(args, '-explore', '400', '-run', 'Parts/crossed', '.')
    bad = r.status != 1 or '/crossed' not in ' '.join(
        sum(commands(r.out), []))
    return 'the part is not in the command' if bad else '', r.out


def by_seed(args):
    outs = {re.sub(r'\t[0-9.]+s', '', test(
        args, '-v', '-sched-seed', '3', '-run', 'Right|Long', '.').out)
        for _ in range(REPLAYS)}
    bad = len(outs) != 1 or '--- PASS: TestLong (3600.' not in min(outs)
    return 'runs differ' if bad else '', '\n'.join(outs)


def leaks(args):
    bad = []
    for flags in ([], ['-sched-seed', '1'], ['-sched-seed', '1.pos']):
        r = test(args, *flags, '-leaks', './sub')
        if '--- FAIL: TestLeaves' not in r.out or r.status != 1 or \
                'example.com/flaky/sub.TestLeaves.func1' not in r.out:
            bad.append('%s: TestLeaves' % flags)
        if '--- FAIL: TestTogether, TestTogetherToo: goroutines' not in r.out:
            bad.append('%s: parallel tests' % flags)
        if 'FAIL: TestEnds' in r.out or r.out.count('left behind') != 2:
            bad.append('%s: false alarm' % flags)
    r = test(args, './sub')
    if r.status != 0:
        bad.append('without the flag')
    return '\n'.join(bad), r.out


def races(args):
    r = test(args, '-race', '-explore', '20', './racy')
    bad = r.status != 1 or not re.search(
        r'^--- FAIL: TestRaces: schedule \d+: data race, status', r.out, re.M)
    return 'a race is not called one' if bad else '', r.out


def told_apart(args):
    """What fails in most programs' tests, and says little of their bugs."""
    bad = []
    r = test(args, '-explore', '400', './apart')
    said = {m[1]: m[0] for m in re.finditer(
        r'^--- FAIL: (\w+): schedule .*\n.*', r.out, re.M)}
    for name, says in (
            ('TestCountsOnSets', 'TestCountsOnSets fails by itself'),
            ('TestLeavesOne', 'partial deadlock'),
            ('TestLeavesOne', 'with -explore-lost that is no failure'),
            ('TestHasAnEyeOnTheClock', 'a timer came 499 ms early'),
            ('TestHasAnEyeOnTheClock', '-explore-strategy punctual'),
            ('TestHasBoth', 'TestHasBoth is flaky')):
        if says not in said.get(name, ''):
            bad.append('%s: not told: %s' % (name, says))
    if len(said) != 4 or ' early' in said.get('TestHasBoth', ' early') or \
            'lost' not in r.out:
        bad.append('what failed is told otherwise')
    r = test(args, '-explore', '400', '-explore-lost', '-explore-strategy',
             'punctual', '-run', 'LeavesOne|Clock|Both', './apart')
    if re.findall(r'^--- FAIL: (\w+): schedule', r.out, re.M) != \
            ['TestHasBoth'] or '-deadlocks' in r.out:
        bad.append('punctual, -explore-lost')
    return '\n'.join(bad), r.out


def as_json(args):
    """Each test function that is explored is a test of the events."""
    r = test(args, '-json', '-explore', '400', '-run', 'LostUpdate|Right', '.')
    seen = {}
    for line in r.out.splitlines():
        e = json.loads(line)
        if 'Test' in e:
            seen.setdefault(e['Test'], []).append(e)
    bad = []
    for name, end in (('TestLostUpdate', 'fail'), ('TestRight', 'pass')):
        events = seen.pop(name, [])
        said = ''.join(e.get('Output', '') for e in events)
        if [e['Action'] for e in events if e['Action'] != 'output'] != \
                ['run', end]:
            bad.append('%s: events' % name)
        if 'explore: %s: ' % name not in said or '\x16' in said:
            bad.append('%s: output' % name)
    if seen or 'test2json -run' in r.out or r.status != 1:
        bad.append('others: %s' % sorted(seen))
    if [replay(args, c, 'x = 1, want 2') for c in commands(
            ''.join(json.loads(line).get('Output', '')
                    for line in r.out.splitlines()))] != ['']:
        bad.append('the command')
    return '\n'.join(bad), r.out


def interrupted(args):
    """What has been found is told when the user ends the search."""
    enough = 500
    with tempfile.TemporaryDirectory(prefix='vole-flaky-') as work:
        marks = os.path.join(work, 'marks')
        open(marks, 'w', encoding='utf-8').close()
        p = subprocess.Popen(
            [args.vole, 'test', '-p', '1', '-explore', '1h', '-explore-all',
             './marks', './unrun'],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            cwd=os.path.join(HERE, 'flaky'), env=dict(os.environ, MARKS=marks),
            start_new_session=True)
        while os.path.getsize(marks) < enough and p.poll() is None:
            time.sleep(0.02)
        os.killpg(p.pid, signal.SIGINT)
        out = p.communicate(timeout=120 * args.slow)[0]
    bad = []
    if '--- FAIL: TestMarks: schedule' not in out or \
            'the second was first' not in out or not commands(out):
        bad.append('the failure')
    if not re.search(r'^explore: TestMarks: .* failed; interrupted$', out, re.M):
        bad.append('the count')
    if 'TestNever' in out or 'unrun' in out or p.returncode != 1:
        bad.append('it went on, status %s' % p.returncode)
    return '\n'.join(bad), out


def lives(pid):
    try:
        with open('/proc/%s/stat' % pid, encoding='utf-8') as f:
            return f.read().rpartition(')')[2].split()[0] not in 'ZX'
    except OSError:
        return False


def orphans(args):
    """Workers do not outlive who explores, whatever they are at."""
    p = subprocess.Popen(
        [args.vole, 'run', '-explore', '1h', '-sched-budget', str(10 ** 12),
         os.path.join(HERE, 'kernels', 'spin.go')],
        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    workers = []
    while not workers and p.poll() is None:
        with open('/proc/%d/task/%d/children' % (p.pid, p.pid),
                  encoding='utf-8') as f:
            workers = f.read().split()
    time.sleep(0.2)
    p.kill()
    p.wait()
    end = time.monotonic() + 60 * args.slow
    while any(map(lives, workers)) and time.monotonic() < end:
        time.sleep(0.02)
    left = [w for w in workers if lives(w)]
    for w in left:
        os.kill(int(w), signal.SIGKILL)
    return ('%s go on' % left if left else '' if workers else 'none'), ''


def usage(args):
    r = test(args, '-explore', 'often', '.')
    bad = r.status != 2 or r.out != (
        'vole test: -explore wants a number of schedules or a duration such '
        'as 1000 or 10s, not "often"\n')
    return 'message' if bad else '', r.out


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    ap.add_argument('--slow', type=float, default=1)
    ap.add_argument('--no-race', action='store_true',
                    help='this vole has no -race')
    args = ap.parse_args()
    args.vole = os.path.abspath(args.vole)
    passed = failed = 0
    checks = [each_by_itself, all_of_them, parts, by_seed, leaks, told_apart,
              as_json, interrupted, orphans, usage]
    for check in checks + ([] if args.no_race else [races]):
        why, text = check(args)
        passed += why == ''
        failed += why != ''
        if why:
            print('FAIL', check.__name__, why, text, sep='\n')
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
