#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that talk to themselves through the system, by pipes and sockets of
their own, do not hang when they run by a seed, and do the same each time.

  // status: 0     the exit status
  // says: text    stands in what is printed
  // needs: net    a package of Go's library; without it the program is skipped
  // flags: -x     for vole run, besides the plan
  // outside: why  it has to do with other processes: what it prints is the same
  // calls: us     it prints the name of a socket of Unix, and waits for somebody
                   who says hello there
  // leaves: what  temporary files, which the next run by the plan finds

  run_inside.py [--vole FILE]
"""

import argparse
import glob
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

PLANS = ['1', '2.pos', '3.pct3x200', '4.early', '5@']
# Scripts that do, which say what they print.
SCRIPTS = ['lib/osfiles', 'lib/tracepkg', 'tree/loopback', 'tree/sockets',
           'tree/webserver']


def wishes(path):
    found = {'says': []}
    with open(path, encoding='utf-8') as f:
        for line in f:
            m = re.match(r'// (\w+): (.*)$', line.rstrip())
            if m and m[1] == 'says':
                found['says'].append(m[2])
            elif m:
                found[m[1]] = m[2]
    return found


def call(args, words):
    """Runs it and says hello to it: status and what it printed, less the name;
    None: it hangs."""
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as p:
        timer = threading.Timer(60 * args.slow, p.kill)
        timer.start()
        name = p.stdout.readline().rstrip()
        if name.startswith('/'):
            with socket.socket(socket.AF_UNIX) as s:
                s.connect(name)
                s.sendall(b'hello')
        out = p.stdout.read() if name.startswith('/') else name
        status = p.wait()
        late = not timer.is_alive()
        timer.cancel()
        return None if late else (status, out)


def check(args, path, want):
    for plan in PLANS[:args.plans]:
        outs = set()
        env = dict(os.environ,
                   VOLEDEBUG='schedhash=%d' % ('outside' not in want))
        with tempfile.TemporaryDirectory() as folder:
            if 'leaves' in want:
                env['TMPDIR'] = folder
            for _ in range(args.runs):
                if 'calls' in want:
                    r = call(args, [args.vole, 'run', '-sched-seed', plan,
                                    path])
                    if r is None:
                        return 'hangs by ' + plan
                    outs.add(r)
                    continue
                r = common.run([args.vole, 'run', '-sched-seed', plan] +
                               want.get('flags', '').split() + [path],
                               timeout=60 * args.slow, combine=True, env=env)
                if r.timeout:
                    return 'hangs by ' + plan
                outs.add((r.status, r.out))
        if len(outs) != 1:
            return 'differs by %s: %s' % (plan, sorted(outs))
        status, out = outs.pop()
        if status != int(want['status']):
            return 'status %s by %s: %s' % (status, plan, out[-2000:])
        for text in want['says']:
            if text not in out:
                return 'by %s it does not say %r: %s' % (plan, text, out)
    return ''


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    ap.add_argument('--slow', type=float, default=1)
    ap.add_argument('--plans', type=int, default=len(PLANS), metavar='N',
                    help='only by the first so many')
    ap.add_argument('--runs', type=int, default=2, metavar='N',
                    help='by each of them, which must be alike')
    args = ap.parse_args()
    args.vole = os.path.abspath(args.vole)
    todo = [(p, wishes(p)) for p in sorted(glob.glob(os.path.join(
        HERE, 'inside', '*.go')))]
    for name in SCRIPTS:
        base = os.path.join(os.path.dirname(HERE), 'script', name)
        with open(base + '.out', encoding='utf-8') as f:
            todo.append((base + '.go', {'status': '0', 'says': [f.read()]}))
    passed = failed = skipped = 0
    for path, want in todo:
        if 'needs' in want and not common.has_package(
                args.vole, want['needs'], args.slow):
            print('SKIP', os.path.basename(path), 'needs', want['needs'])
            skipped += 1
            continue
        why = check(args, path, want)
        passed += why == ''
        failed += why != ''
        if why:
            print('FAIL', os.path.basename(path), why)
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
