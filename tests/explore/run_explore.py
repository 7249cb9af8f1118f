#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small programs with bugs of kinds that are common, and one without: vole run
-explore must find each bug within the schedules that the program's first lines
allow, say what they say, and print a command that shows the failure again, the
same each time.

  // end: deadlock      how the failing execution ends; none: there is no bug
  // within: 200        schedules
  // status: 3          exit status, 2 if there is no such line
  // leaks              with -leaks
  // race               with -race
  // env: NAME=VALUE    in this environment
  // input: text        is in the file that is its standard input
  // needs: net         a package of Go's library; without it it is skipped
  // says: text         stands in what is printed

  run_explore.py [NAME...]
"""

import argparse
import glob
import os
import re
import shlex
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402

STRATEGIES = ['mix', 'random', 'pct3', 'pos', 'dfs1']
REPLAYS = 5


def wishes(path):
    found = {'says': [], 'leaks': False, 'race': False, 'status': '2',
             'within': '1000', 'env': {}, 'input': ''}
    with open(path, encoding='utf-8') as f:
        for line in f:
            m = re.match(r'// (\w+)(?:: (.*))?$', line.rstrip())
            if not m:
                break
            if m[1] == 'says':
                found['says'].append(m[2])
            elif m[1] == 'env':
                found['env'] = dict([m[2].split('=', 1)])
            else:
                found[m[1]] = m[2] or True
    return found


def run(args, words, want):
    return common.run(words, timeout=60 * args.slow, combine=True,
                      stdin=want['input'].encode(),
                      cwd=os.path.join(HERE, 'kernels'),
                      env=dict(os.environ, **want['env']))


def replays(args, text, status, want):
    """The command that was printed shows the failure again."""
    m = re.search(r'the same again:\n +(.*)', text)
    words = shlex.split(m[1]) if m else []
    set_ = [w.split('=', 1) for w in words[:words.index('vole')]] \
        if 'vole' in words else []
    if dict(set_) != want['env']:
        return 'no command to see it again, or without what was set'
    words[:len(set_) + 1] = [args.vole]
    words[2:2] = ['-story']
    outs = set()
    for i in range(REPLAYS):
        r = run(args, ['setarch', '-R'] + words if i % 2 else words, want)
        outs.add((r.status, r.out))
    if len(outs) != 1:
        return 'replays differ'
    code, out = outs.pop()
    if code != status:
        return 'a replay ends with %s: %s' % (code, m[1])
    if out.strip() not in text:
        return 'a replay says something else: ' + m[1]
    return ''


def check_bug(args, path, want):
    command = [args.vole, 'run', '-explore', want['within']]
    if want['leaks']:
        command.append('-leaks')
    if want['race']:
        command.append('-race')
    r = run(args, command + [os.path.basename(path)], want)
    status = int(want['status'])
    if r.timeout or r.status != status:
        return 'status %s, want %d\n%s' % (r.status, status, r.out[-2000:])
    m = re.search(r'^--- schedule \d+: (.*?), status', r.out, re.M)
    if not m or m[1] != want['end']:
        return 'ends by %s, want %s' % (m and m[1], want['end'])
    for text in want['says']:
        if text not in r.out:
            return 'does not say %r\n%s' % (text, r.out)
    return replays(args, r.out, status, want)


def check_clean(args, path, want):
    for strategy in STRATEGIES:
        command = [args.vole, 'run', '-explore', str(args.clean),
                   '-explore-strategy', strategy]
        if want['leaks']:
            command.append('-leaks')
        r = run(args, command + [os.path.basename(path)], want)
        if r.timeout or r.status != 0 or 'failed' in r.out:
            return 'false alarm by %s: %s' % (strategy, r.out[-2000:])
    return ''


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=os.path.join(
        common.ROOT, 'build/cmd/vole/vole'))
    ap.add_argument('--slow', type=float, default=1)
    ap.add_argument('--clean', type=int, default=300, metavar='N',
                    help='schedules of each strategy of correct programs')
    ap.add_argument('names', nargs='*')
    args = ap.parse_args()
    args.vole = os.path.abspath(args.vole)
    passed = failed = skipped = 0
    for path in sorted(glob.glob(os.path.join(HERE, 'kernels', '*.go'))):
        name = os.path.basename(path)
        if args.names and not any(n in name for n in args.names):
            continue
        want = wishes(path)
        if 'needs' in want and not common.has_package(
                args.vole, want['needs'], args.slow):
            print('SKIP', name, 'needs', want['needs'])
            skipped += 1
            continue
        check = check_clean if want['end'] == 'none' else check_bug
        why = check(args, path, want)
        passed += why == ''
        failed += why != ''
        if why:
            print('FAIL', name, why)
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
