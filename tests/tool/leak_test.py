#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Goroutine leak profiles: what must be found is found, and nothing else is.
Of leaks.go, which knows what has leaked, also while others make and wake
goroutines all the time; and of the programs that Go tests its own profile
with, where Go 1.26 or newer is installed with its sources.

Usage: leak_test.py [--vole CMD] [--rounds N] [NAME...]
"""

import argparse
import glob
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402


def goroot():
    try:
        return subprocess.run(['go', 'env', 'GOROOT'], stderr=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True,
                              check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def cases(text):
    """(name, may be missed, [patterns]) of Go's own list; patterns are Go
    regular expressions, which mean the same in Python."""
    part = text[text.index('microTests := '):text.index('runTests := ')]
    part = '\n'.join(line for line in part.split('\n')
                     if not line.lstrip().startswith('//'))
    for m in re.finditer(r'make(Flaky|)Test\("(\w+)"(.*?)(?=\bmake(?:Flaky|)Test\(|'
                         r'\Z)', part, re.S):
        yield m.group(2), m.group(1) != '', re.findall('`(.*?)`', m.group(3))


def leaks(text):
    """Outermost function and state of the leaked goroutines in dumps."""
    for stack in text.split('\n\n'):
        lines = stack.split('\n')
        m = re.match(r'goroutine \d+ (\[.*) \(leaked\)(.*\])', lines[0])
        if not m:
            continue
        i = [k for k, s in enumerate(lines) if s.startswith('created by')]
        if not i: # the main goroutine
            yield lines[-2] + ' ' + m.group(1) + m.group(2)
            continue
        i = i[0]
        yield re.sub('^main.', '', lines[i - 2]) + ' ' + m.group(1) + \
            m.group(2)


def known(words, rounds):
    """leaks.go with one P, with many, and with collections all the time."""
    failed = 0
    for env in ({'GOMAXPROCS': '1'}, {'GOMAXPROCS': '8'},
                {'GOMAXPROCS': '2', 'VOLEDEBUG': 'gcstress=300'},
                {'GOMAXPROCS': '2', 'VOLEDEBUG': 'gcstoptheworld=1'}):
        r = subprocess.run(
            words + ['run', os.path.join(HERE, 'leaks.go'), str(rounds)],
            env=dict(os.environ, **env), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=300)
        if r.returncode != 0 or r.stdout != 'ok\n':
            failed += 1
            print('FAIL leaks.go %s: status %d\n%s' % (
                env, r.returncode, r.stdout[-3000:]), flush=True)
    return failed


class Runner:
    def __init__(self, opt, words):
        self.words = words
        self.rounds = opt.rounds
        self.failed = []

    def usable(self, files):
        """Those of the files that need no package that vole does not have."""
        r = subprocess.run(self.words + ['check'] + files,
                           stderr=subprocess.PIPE, text=True)
        bad = set(re.findall(r'^(\S+?):\d+:\d+: package \S+ is not in',
                             r.stderr, re.M))
        return [f for f in files if f not in bad]

    def case(self, files, name, flaky, patterns):
        env = dict(os.environ)
        if not flaky:
            env['GOMAXPROCS'] = '1'
        found = set()
        for _ in range(self.rounds):
            r = subprocess.run(self.words + ['run'] + files + [name], env=env,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, timeout=300)
            if r.returncode != 0:
                return self.fail(name, 'status %d: %s' % (
                    r.returncode, r.stderr[-2000:]))
            if 'goroutine 1 [' not in r.stdout:
                return self.fail(name, 'no dump: %r' % r.stdout[:200])
            found.update(leaks(r.stdout))
        for f in sorted(found):
            if not any(re.search(p, f) for p in patterns):
                self.fail(name, 'has not leaked: ' + f)
        for p in patterns:
            if not flaky and not any(re.search(p, f) for f in found):
                self.fail(name, 'not found: ' + p)
        return len(found)

    def fail(self, name, why):
        self.failed.append(name)
        print('FAIL %s: %s' % (name, why), flush=True)
        return 0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('names', nargs='*')
    ap.add_argument('--vole', default=common.default_vole())
    ap.add_argument('--rounds', type=int, default=1)
    opt = ap.parse_args()
    words = shlex.split(opt.vole)
    if words[-1] == 'run':
        words.pop()
    failed = 0 if opt.names else known(words, 20 * opt.rounds)
    root = goroot()
    data = os.path.join(root or '/none', 'src/runtime')
    if not os.path.exists(data + '/goroutineleakprofile_test.go'):
        print('leaks.go only: Go 1.26 is not there with its sources')
        return failed
    return gos(opt, words, data) or failed


def gos(opt, words, data):
    """Go's own programs."""
    with open(data + '/goroutineleakprofile_test.go') as f:
        todo = list(cases(f.read()))
    data += '/testdata/testgoroutineleakprofile'
    r = Runner(opt, words)
    sets = [r.usable(sorted(glob.glob(d + '/*.go')))
            for d in (data, data + '/goker')]
    texts = [''.join(open(f).read() for f in s) for s in sets]
    jobs = []
    with ThreadPoolExecutor(2) as pool:
        for name, flaky, patterns in todo:
            for files, text in zip(sets, texts):
                if 'register("%s",' % name in text and (
                        not opt.names or name in opt.names):
                    jobs.append(pool.submit(r.case, files, name, flaky,
                                            patterns))
        sums = [j.result() for j in jobs]
    print('%d programs, %d kinds of leaks, %d failed' % (
        len(sums), sum(sums), len(set(r.failed))))
    if not opt.names and len(sums) < 50:
        print('too few programs: the list is not read as it should be')
        return 1
    return 1 if r.failed else 0


if __name__ == '__main__':
    sys.exit(main())
