#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages the runtime, one small change at a time, and sees whether the tests
notice.

    tests/mutate/run_mutants.py --seed 1 -n 300

draws 300 mutants (see sites.py) and runs, for each, the scripts, the unit
tests and the concurrent scripts in a copy of the tree that is built with all
assertions; the first failure kills it.  What a compiler refuses, and what
makes the same object code, does not count and is drawn again.  A survivor is
a failure unless survivors.txt says why no test can notice it.  A hang is a
failure that the tests notice, too.

Results are kept in DIR/results.jsonl, so that a campaign that was cut short
goes on where it was; --again forgets them.  300 mutants take some hours.
"""

import argparse
import filecmp
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.dirname(HERE))
import common  # noqa: E402
import sites  # noqa: E402

ROOT = common.ROOT
SURVIVORS = os.path.join(HERE, 'survivors.txt')
LIMIT = 900  # seconds for a whole suite


def explained():
    """The survivors that are known: (path, line before, line after)."""
    found = set()
    if not os.path.exists(SURVIVORS):
        return found
    with open(SURVIVORS, encoding='utf-8') as f:
        for line in f:
            parts = [p.strip() for p in line.split(' | ')]
            if len(parts) == 4 and not line.startswith('#'):
                found.add(tuple(parts[:3]))
    return found


class Worker:
    """A copy of the tree with a build folder, in which one mutant at a time
    is built and tested."""

    def __init__(self, folder, jobs):
        self.tree, self.jobs = folder, jobs
        self.build = os.path.join(folder, 'build-mutate')

    def prepare(self):
        names = subprocess.run(['git', 'ls-files', '-z'], cwd=ROOT, text=True,
                               capture_output=True, check=True).stdout
        for name in filter(None, names.split('\0')):
            src = os.path.join(ROOT, name)
            dst = os.path.join(self.tree, name)
            if not os.path.isfile(src):
                continue
            if os.path.exists(dst) and filecmp.cmp(src, dst, shallow=False):
                continue
            os.makedirs(os.path.dirname(dst), exist_ok=True)
            shutil.copy(src, dst)
        if not os.path.exists(os.path.join(self.build, 'build.ninja')):
            self.run(['meson', 'setup', self.build, '-Dchecks=full',
                      '-Dlockrank=true'], check=True)
        if not self.make():
            sys.exit('%s: the tree does not build' % self.tree)

    def run(self, args, check=False, limit=LIMIT):
        r = subprocess.Popen(args, cwd=self.tree, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             start_new_session=True)
        try:
            out, _ = r.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(r.pid, 9)
            r.communicate()
            return None, ''
        if check and r.returncode:
            sys.exit(out)
        return r.returncode, out

    def make(self, *targets):
        return self.run(['ninja', '-C', self.build, '-j', str(self.jobs),
                         *targets])[0] == 0

    def object_of(self, path):
        """The object file of a source, as ninja names it."""
        folder, name = os.path.split(path)
        found = glob.glob(os.path.join(self.build, folder, '*.p',
                                       name + '.o'))
        return found[0] if found else None

    def try_mutant(self, site):
        """What became of it: a suite that failed, 'survived', 'refused' or
        'same'."""
        path = os.path.join(self.tree, site.path)
        with open(os.path.join(ROOT, site.path), encoding='utf-8') as f:
            text = f.read()
        obj = self.object_of(site.path)
        before = code_of(obj)
        try:
            with open(path, 'w', encoding='utf-8') as f:
                f.write(site.apply(text))
            if not self.make(os.path.relpath(obj, self.build)):
                return 'refused'
            if code_of(obj) == before:
                return 'same'
            return self.test(site)
        finally:
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text)
            self.make(os.path.relpath(obj, self.build))

    def test(self, site):
        near = {'runtime/value': 'value', 'runtime/vm': 'vm',
                'trace/record': 'trace'}
        folder = os.path.dirname(site.path)
        layer = near.get(folder, folder)
        meson = ['meson', 'test', '-C', self.build, '--no-rebuild',
                 '--maxfail', '1', '--num-processes', str(self.jobs)]
        units = sorted(glob.glob(os.path.join(
            self.build, 'tests/unit', layer, 'test-*')))
        units = [u for u in units
                 if os.access(u, os.X_OK) and os.path.isfile(u)]
        own = [layer + '-' + os.path.basename(u).split('-', 2)[2]
               for u in units]
        binary = 'cmd/vole/vole'
        scripts = [sys.executable, os.path.join(self.tree, 'tests/script',
                                                'run_scripts.py'),
                   '--vole', os.path.join(self.build, binary) + ' run',
                   '-j', str(self.jobs), '--first']
        # The tests of the file's own module are the quickest to notice, and
        # each stage links only the programs that it runs: most mutants die in
        # the first, and linking all of them takes longer than those tests.
        linked = [os.path.relpath(u, self.build) for u in units]
        stages = [('unit', linked, meson + own)] if own else []
        stages += [('script', [binary], scripts),
                   ('unit', [], meson + ['--suite', 'unit']),
                   ('concurrent', [], scripts + ['--repeat', '3'])]
        for name, targets, args in stages:
            if not self.make(*targets):
                return 'refused'
            status, _ = self.run(args)
            if status is None:
                return 'hang in ' + name
            if status != 0:
                return name
        return 'survived'


def code_of(obj):
    """The instructions and data of an object file, debug information left
    out."""
    r = subprocess.run(['objdump', '-d', '-s', '-j', '.text', '-j', '.rodata',
                        '-j', '.text.unlikely', '-j', 'vole_interp', obj],
                       capture_output=True)
    return r.stdout


def campaign(opt, workers, draw, results):
    """Goes through the draw until enough mutants counted."""
    known = explained()
    counted = []
    todo = iter(draw)
    texts = {}

    def text_of(path):
        if path not in texts:
            with open(os.path.join(ROOT, path), encoding='utf-8') as f:
                texts[path] = f.read()
        return texts[path]

    def one(worker):
        for site in todo_safely():
            if len(counted) >= opt.n:
                return
            old, new = site.shown(text_of(site.path))
            key = '%s:%d:%d %s' % (site.path, site.line, site.at, site.kind)
            end = results.get(key) or worker.try_mutant(site)
            results.put(key, end)
            if end in ('refused', 'same'):
                continue
            ok = end != 'survived' or (site.path, old, new) in known
            counted.append(ok)
            if not ok or opt.v:
                print('%s %s:%d (%s)\n    %s\n    %s\n    %s' % (
                    'ok  ' if ok else 'FAIL', site.path, site.line, site.kind,
                    old, new, end), flush=True)

    lock = threading.Lock()

    def todo_safely():
        while True:
            with lock:
                site = next(todo, None)
            if site is None:
                return
            yield site

    with ThreadPoolExecutor(len(workers)) as pool:
        list(pool.map(one, workers))
    return counted


class Results:
    """What is known from earlier runs of the same tree."""

    def __init__(self, path, again):
        self.path, self.known = path, {}
        if again and os.path.exists(path):
            os.remove(path)
        if os.path.exists(path):
            with open(path, encoding='utf-8') as f:
                for line in f:
                    row = json.loads(line)
                    self.known[row['mutant']] = row['end']

    def get(self, key):
        return self.known.get(key)

    def put(self, key, end):
        if key in self.known:
            return
        self.known[key] = end
        with open(self.path, 'a', encoding='utf-8') as f:
            f.write(json.dumps({'mutant': key, 'end': end}) + '\n')


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('-n', type=int, default=300, help='mutants to count')
    ap.add_argument('--dir', default='build-mutants', metavar='DIR',
                    help='where copies and results are kept')
    ap.add_argument('--folders', default=','.join(sites.FOLDERS))
    ap.add_argument('--workers', type=int, default=2)
    ap.add_argument('--again', action='store_true',
                    help='forget the results of earlier runs')
    ap.add_argument('--list', action='store_true',
                    help='only print what would be drawn')
    ap.add_argument('-v', action='store_true')
    opt = ap.parse_args()
    draw = sites.all_sites(ROOT, opt.folders.split(','))
    random.Random(opt.seed).shuffle(draw)
    if opt.list:
        for site in draw[:opt.n]:
            with open(os.path.join(ROOT, site.path), encoding='utf-8') as f:
                old, new = site.shown(f.read())
            print('%s:%d (%s)\n    %s\n    %s' % (site.path, site.line,
                                                  site.kind, old, new))
        return 0
    base = os.path.abspath(opt.dir)
    os.makedirs(base, exist_ok=True)
    workers = [Worker(os.path.join(base, 'tree%d' % i), 1 if opt.workers > 1
                      else 2) for i in range(opt.workers)]
    for w in workers:
        w.prepare()
    counted = campaign(opt, workers, draw, Results(
        os.path.join(base, 'results.jsonl'), opt.again))
    common.summary(sum(counted), len(counted) - sum(counted), 0)
    return 0 if all(counted) else 1


if __name__ == '__main__':
    sys.exit(main())
