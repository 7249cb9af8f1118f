#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Go's own tests of its race detector, under `vole run -race`.

The functions TestRace... and TestNoRace... of runtime/race/testdata in the
sources of an installed Go are run one by one, each in a process of its own, at
several GOMAXPROCS, interpreted and as machine code.  A function is right if a race is reported exactly where its
name says that there is one, and if it comes to its end; a map that is found in
use by two goroutines counts as a report.  Only what is said after the function
has begun counts, since the initialisers of some files race, too.

Functions that cannot be right are listed in go_race_expect.json, with reasons;
one that is listed and right is a failure, too.

With --own the same is done with accesses_test.go, which is vole's, and with the
programs below programs/: those whose names begin with norace have none, by 100
schedules either, those with alone none on one processor without time slices.

usage: run_go_race_tests.py [--vole CMD] [--goroot DIR | --own]
                            [--procs 1,2,8] [--jit off,on,stress] [-v]
                            [NAME...]
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

EXPECT = os.path.join(HERE, 'go_race_expect.json')
# Files that are no tests of the detector, or are programs of their own.
NOT_RUN = {'main_test', 'cgo_test', 'cgo_test_main'}
TEST = re.compile(r'^func (Test(?:No)?Race\w*)\(', re.M)
ATTEMPTS = 5
REPORT = re.compile(r'WARNING: DATA RACE|fatal error: concurrent map')

MAIN = """
func main() {
\tt := new(racetesting.T)
\tdone := make(chan bool)
\tprintln("BEGIN")
\tgo func() {
\t\tdefer close(done)
\t\tswitch raceos.Args[1] {
%s\t\t}
\t}()
\t<-done
\tif t.Skipped() {
\t\tprintln("SKIPPED")
\t}
\tracetime.Sleep(20 * racetime.Millisecond)
\tprintln("END")
}
"""


def program(text, names, minor):
    """The file as a program that runs the function which it is given.  Those
    of a tree older than Go 1.22 share the variables of loops."""
    head = '//go:build go1.%d\n\n' % minor if minor < 22 else ''
    head += ('package main\n\nimport raceos "os"\nimport racetime "time"\n'
            'import racetesting "testing"\n')
    text = re.sub(r'^package \w+\n', lambda m: head, text, count=1, flags=re.M)
    return text + MAIN % ''.join(
        '\t\tcase "%s":\n\t\t\t%s(t)\n' % (n, n) for n in names)


def collect(pattern, minor, folder):
    """Writes the programs; pairs of path and function."""
    out = []
    std = os.path.join(folder, 'std')
    os.mkdir(std)
    with open(os.path.join(std, 'go.mod'), 'w', encoding='utf-8') as f:
        f.write('module std\n\ngo 1.25\n')
    for path in sorted(glob.glob(pattern)):
        base = os.path.basename(path)[:-3]
        if base in NOT_RUN:
            continue
        with open(path, encoding='utf-8') as f:
            text = f.read()
        # Only what is in the module std may import internal packages.
        to = std if '"internal/' in text else folder
        with open(os.path.join(to, base + '.go'), 'w',
                  encoding='utf-8') as f:
            f.write(text)
        names = TEST.findall(text)
        new = os.path.join(to, base[:-5] + '.go')
        with open(new, 'w', encoding='utf-8') as f:
            f.write(program(text, names, minor))
        out += [(new, n) for n in names]
    return out


def run_one(command, path, name, procs, jit, limit):
    """What is wrong with the function, or None; and what it has printed.

    Some races are none when the other goroutine happens to be first: a lock
    then orders them, or a send finds the channel closed and panics, as in Go.
    So a test that has a race gets some attempts; one without has none to lose.
    """
    for _ in range(ATTEMPTS):
        why, text = run_once(command + ['-jit=' + jit], path, name, procs,
                             limit)
        if why not in ('not reported', 'does not end') or \
                not name.startswith('TestRace'):
            break
    return why, text


def run_once(command, path, name, procs, limit):
    env = dict(os.environ, GOMAXPROCS=str(procs))
    env.pop('GORACE', None)
    # Some read the file that they are in.
    r = common.run(command + ['-race', path, name], timeout=limit, env=env,
                   combine=True, cwd=os.path.dirname(path))
    text = r.out
    if common.INTERNAL.search(text) or r.timeout:
        return 'late' if r.timeout else 'vole is broken', text
    begin = text.find('BEGIN')
    if begin < 0:
        return 'does not begin', text
    if 'SKIPPED' in text:
        return 'skips itself', text
    found = REPORT.search(text, begin) is not None
    if found != name.startswith('TestRace'):
        return 'reported' if found else 'not reported', text
    if 'END' not in text and 'fatal error: concurrent map' not in text:
        return 'does not end', text
    return None, text


def find_tests(given):
    """Where an installed Go whose sources have the tests has them, and its
    release; or None."""
    for root in [given] if given else [
            '/usr/local/go', '/usr/lib/go'] + sorted(
                glob.glob('/usr/share/go-*'), reverse=True):
        pattern = os.path.join(root, 'src/runtime/race/testdata/*_test.go')
        if glob.glob(pattern):
            return pattern, common.tree_minor(root)
    return None, 0


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.default_vole() + ' run')
    ap.add_argument('--goroot')
    ap.add_argument('--own', action='store_true')
    ap.add_argument('--procs', default='1,2,8')
    ap.add_argument('--jit', default='on')
    ap.add_argument('--timeout', type=float, default=60)
    ap.add_argument('-j', '--jobs', type=int, default=os.cpu_count())
    ap.add_argument('-v', '--verbose', action='store_true')
    ap.add_argument('names', nargs='*')
    opt = ap.parse_args()
    pattern, minor = (os.path.join(HERE, '*_test.go'), 26) if opt.own else \
        find_tests(opt.goroot)
    if pattern is None:
        print('no Go with runtime/race/testdata is installed: skipped')
        common.summary(0, 0, 1)
        return 0
    with open(EXPECT, encoding='utf-8') as f:
        expect = json.load(f)
    with tempfile.TemporaryDirectory() as folder:
        tests = [t for t in collect(pattern, minor, folder)
                 if not opt.names or any(n in t[1] for n in opt.names)]
        work = [(path, name, int(p), jit) for p in opt.procs.split(',')
                for jit in opt.jit.split(',') for path, name in tests]
        command = common.Tool(opt.vole).words
        answers = list(common.parallel(
            lambda w: run_one(command, *w, opt.timeout), work, opt.jobs))
    good = bad = known = skipped = 0
    for path in sorted(glob.glob(os.path.join(HERE, 'programs', '*.go'))
                       if opt.own and not opt.names else []):
        kind = os.path.basename(path).split('_')[0]
        more = ['-explore', '100', '-explore-strategy', 'random']
        alone = {'GOMAXPROCS': '1', 'VOLEDEBUG': 'preemptoff=1'}
        r = common.run(
            command + ['-race'] + more * (kind == 'norace') + [path],
            timeout=opt.timeout, combine=True,
            env=dict(os.environ, **alone) if kind == 'alone' else None)
        right = r.status == (0 if kind in ('norace', 'alone') else 66)
        good += right
        bad += not right
        if not right:
            print('FAIL %s\n%s' % (os.path.basename(path), r.out[-1500:]))
    for (path, name, procs, jit), (wrong, text) in answers:
        if wrong == 'skips itself':
            skipped += 1
            continue
        why = expect.get(name)
        if why is not None and not isinstance(why, str):
            why = why.get(str(procs))
        if (wrong is None) == (why is None):
            good += wrong is None
            known += wrong is not None
            continue
        bad += 1
        print('FAIL %s %s at %d, -jit=%s: %s' % (
            os.path.basename(path), name, procs, jit,
            wrong or 'right, though listed: ' + why))
        if opt.verbose:
            print('    ' + text[-1500:].replace('\n', '\n    '))
    if known:
        print('%d listed in %s' % (known, os.path.basename(EXPECT)))
    common.summary(good, bad, known + skipped)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
