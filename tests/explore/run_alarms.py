#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No false alarm: what is known to be right must pass by each schedule, with
-race, -deadlocks and -lockorder.  Go's test/chan, and the test functions of
packages about goroutines, time and containers, if sources of Go are installed;
so many schedules of each strategy.  A test that fails without all that, as it
is about the inside of Go's own runtime, does not count.

  run_alarms.py [-n 200] [NAME...]    such as sync or select
"""

import argparse
import itertools
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'conform'))
import common  # noqa: E402
import run_std_tests as std  # noqa: E402

STRATEGIES = ['mix', 'random', 'pct3', 'pos', 'dfs1']
LOOKS = ['-race', '-deadlocks', '-lockorder']
PACKAGES = ['container/heap', 'container/list', 'container/ring', 'context',
            'sync', 'sync/atomic', 'time', 'net/http/httptest']
BUDGET = 20000000        # some go round a million times
# What is told of these is true, or no bug of concurrency.
KNOWN = {
    # They count in a variable without a lock; Go's detector says so too.
    ('chan/powser1', 'it'), ('chan/powser2', 'it'),
    # Goroutines that wait for ever are what it tests.
    ('chan/select3', 'it'),
    # When its own minute is over it waits for a goroutine that has ended.
    ('time', 'TestLongAdjustTimers'),
    # Goroutines must be heard in the order of their timers, a tenth of a second
    # apart; it tries that five times, as it goes wrong on a busy machine.
    ('time', 'TestAfterQueuing'),
    # Its timer of a second must not come before it has stopped it.
    ('context', 'TestCanceledTimeout'),
    # They count on a timer of seconds not to fire while others can run for as
    # long as one of them likes.
    ('net/http/httptest', 'TestServer'),
    ('net/http/httptest', 'TestTLSServerWithHTTP2'),
    ('net/http/httptest', 'TestClientExampleCom'),
    ('net/http/httptest', 'ExampleServer_hTTP2'),
}


def explore(args, strategy):
    return ['-explore', str(args.n), '-explore-strategy', strategy,
            '-sched-budget', str(args.budget)] + LOOKS


def env(root, tree, zones):
    """As run_std_tests.py; Go's own time zones where the system has none."""
    return {'VOLEROOT': root, 'VOLETREE': tree,
            'ZONEINFO': os.path.join(zones, 'lib/time/zoneinfo.zip')}


def programs(root):
    """Go's own tests of channels that are programs."""
    folder = os.path.join(root, 'test', 'chan')
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        path = os.path.join(folder, name)
        with open(path, encoding='utf-8') as f:
            if f.readline().strip() == '// run':
                yield 'chan/' + name[:-len('.go')], path


def failures(text):
    """(test, how it ends) of what `vole test -explore` names."""
    return re.findall(r'^--- FAIL: (\w+): schedule \d+: (.*)', text, re.M)


def sound(args, root, pkg):
    """The tests of a package that pass by themselves."""
    opt = argparse.Namespace(vole=args.vole + ' run', timeout=60)
    runner = std.Runner(opt, root, std.release(root))
    return {t for t, why in runner.package(pkg) if not why}


def by_vole_test(args, root, pkg, strategy):
    words = [args.vole, 'test', '-short', '-run', '^(%s)$' % '|'.join(
        sorted(pkg.sound))] + explore(args, strategy) + ['.']
    r = common.run(words, timeout=args.timeout * max(1, len(pkg.tests)),
                   cwd=pkg.folder, combine=True,
                   env=env(root, pkg.path, root))
    count = len(re.findall(r'^explore: \w+: \d+ schedules', r.out, re.M))
    bad = failures(r.out)
    if r.trouble() or (r.status != 0 and not bad):
        bad.append(('all', r.trouble() or r.out[-500:]))
    return count, bad, r.out


def each_alone(args, root, pkg, strategy):
    """The external tests of a package that is vole's own, as programs."""
    count, bad, said = 0, [], ''
    with tempfile.TemporaryDirectory(prefix='vole-alarms-') as work:
        std.make_tree(root, work, pkg)
        opt = argparse.Namespace(vole=args.vole + ' run', timeout=args.timeout)
        runner = std.Runner(opt, root, std.release(root))
        for test in pkg.tests:
            if test[1] not in pkg.sound:
                continue
            words = runner.command(pkg, work, [test], test[1])
            words[2:2] = explore(args, strategy)
            r = common.run(words, timeout=args.timeout, cwd=pkg.folder,
                           combine=True, env=env(work, 'testing', root))
            count += 1
            if r.trouble() or r.status != 0:
                m = re.search(r'^--- schedule.*', r.out, re.M)
                bad.append((test[1], r.trouble() or
                            (m[0] if m else r.out[-500:])))
                said += r.out
    return count, bad, said


def packages(args, root):
    for path in PACKAGES:
        pkg = std.Package(root, std.release(root), path)
        if args.names and not any(n in path for n in args.names):
            continue
        pkg.sound = sound(args, root, pkg)
        how = each_alone if path in std.OWN else by_vole_test
        yield path, lambda s, how=how, pkg=pkg: how(args, root, pkg, s)


def whole(args, path):
    def run(strategy):
        r = common.run([args.vole, 'run'] + explore(args, strategy) + [path],
                       timeout=args.timeout, combine=True)
        m = re.search(r'^--- schedule.*', r.out, re.M)
        bad = r.trouble() or (r.status != 0 and (
            m[0] if m else r.out[-500:]))
        return 1, [('it', bad)] if bad else [], r.out
    return run


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    ap.add_argument('--root', metavar='TREE', help='sources of Go')
    ap.add_argument('-n', type=int, default=200)
    ap.add_argument('--strategies', default=','.join(STRATEGIES))
    ap.add_argument('--budget', type=int, default=BUDGET,
                    help='points after which a schedule is given up; by pct '
                    'and pos, which may starve others, what waits in loops '
                    'takes all of them, and that is no alarm')
    ap.add_argument('--timeout', type=float, default=600,
                    help='of one test function or program')
    ap.add_argument('-v', action='store_true', help='all that is said')
    ap.add_argument('names', nargs='*')
    args = ap.parse_args()
    args.vole = os.path.abspath(args.vole)
    roots = common.go_trees()
    if not roots:
        print('there are no sources of Go')
        common.summary(0, 0, 1)
        return 0
    root = args.root or roots[-1]
    passed = failed = 0
    cases = [(n, whole(args, p)) for n, p in programs(root)
             if not args.names or any(word in n for word in args.names)]
    for name, run in itertools.chain(cases, packages(args, root)):
        for strategy in args.strategies.split(','):
            count, bad, said = run(strategy)
            bad = [(t, w) for t, w in bad if (name, t) not in KNOWN]
            failed += len(bad)
            passed += max(0, count - len(bad))
            print('%-18s %-6s %d tests, %d alarms' % (
                name, strategy, count, len(bad)), flush=True)
            for test, why in bad:
                print('    FAIL %s: %s' % (test, why))
            if bad and args.v:
                print(said)
    common.summary(passed, failed, 0)
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
