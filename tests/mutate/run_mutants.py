#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages the runtime, one small change at a time, and sees whether the tests
notice.

    tests/mutate/run_mutants.py --seed 1 -n 300

draws 300 mutants (sites.py), builds them all into one copy of the tree, with
all assertions, from which the environment chooses one (schema.py), finds out
which unit tests, scripts and concurrent scripts come past the place of each
(cases.py), and runs those, the most promising first, until one fails.  A hang
is a failure, too.  A failure counts only if the same test passes without the
mutant right after.  What a compiler refuses, and what makes the same code,
does not count, and the next of the draw takes its place.  A survivor is a
failure unless survivors.txt says why no test can notice it.

Everything is kept in DIR: a campaign that was cut short goes on where it was,
and a survivor is tried again with tests that are new or changed, and with
those alone.  What seed 1 draws stays the same while the tree changes
(draw.py).  --again forgets the results.  --budget 20 leaves a mutant alone
after as many seconds, for a first look: what is left is tried further by a
call without.
"""

import argparse
import filecmp
import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.dirname(HERE))
import cases  # noqa: E402
import common  # noqa: E402
import draw as draws  # noqa: E402
import schema  # noqa: E402
import sites  # noqa: E402

ROOT = common.ROOT
SURVIVORS = os.path.join(HERE, 'survivors.txt')
BASE_MESON = 'runtime/base/meson.build'
BELIEVED = 2        # failures in a row that were the mutants'
SPARE = 1.25        # built in, for each that is to count


def explained():
    """The survivors that are known: (path, line before, line after)."""
    found = set()
    with open(SURVIVORS, encoding='utf-8') as f:
        for line in f:
            parts = [p.strip() for p in line.split(' | ')]
            if len(parts) == 4 and not line.startswith('#'):
                found.add(tuple(parts[:3]))
    return found


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


@functools.cache
def source(path):
    """A file of the tree, as it was when it was first asked for: it may be
    changed while the campaign goes on."""
    return read(os.path.join(ROOT, path))


def write(path, text):
    """Only if it says something else: what is built from it stays."""
    if os.path.exists(path) and read(path) == text:
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


class Tree:
    """A copy of the tree that holds the mutants, numbered from 1."""

    def __init__(self, folder, draw, jobs):
        self.folder, self.jobs = folder, jobs
        self.build = os.path.join(folder, 'build-mutate')
        self.draw = draw
        self.refused, self.alone = set(), set()
        self.files, self.plain = {}, {}
        for number, site in draw:
            self.files.setdefault(site.path, []).append((number, site))

    def full(self, path):
        return os.path.join(self.folder, path)

    def ninja(self):
        r = subprocess.run(['ninja', '-C', self.build, '-j', str(self.jobs)],
                           capture_output=True, text=True)
        return r.returncode == 0, r.stdout

    def prepare(self):
        self.copy()
        if not os.path.exists(os.path.join(self.build, 'build.ninja')):
            subprocess.run(['meson', 'setup', self.build, '-Dchecks=full',
                            '-Dlockrank=true', '-Ddebug=false'],
                           cwd=self.folder, check=True)
        self.compiler = schema.Compiler(json.loads(read(os.path.join(
            self.build, 'compile_commands.json'))))
        self.instrument()
        good, out = self.ninja()
        if not good:
            sys.exit('%s: the tree does not build\n%s' % (self.folder,
                                                          out[-3000:]))

    def copy(self):
        names = subprocess.run(
            ['git', 'ls-files', '-zco', '--exclude-standard'], cwd=ROOT,
            text=True, capture_output=True, check=True).stdout
        for name in filter(None, names.split('\0')):
            src, dst = os.path.join(ROOT, name), self.full(name)
            if name in self.files or not os.path.isfile(src):
                continue
            if name == BASE_MESON:
                write(dst, read(src).replace(
                    "    'lock.c',\n", "    'lock.c',\n    'mutant.c',\n"))
                continue
            if os.path.exists(dst) and filecmp.cmp(src, dst, shallow=False):
                continue
            os.makedirs(os.path.dirname(dst), exist_ok=True)
            shutil.copy(src, dst)
        for name in ('mutant.c', 'mutant.h'):
            write(self.full('runtime/base/' + name),
                  read(os.path.join(HERE, name)))
        for name in self.files:
            if not os.path.exists(self.full(name)):
                write(self.full(name), source(name))

    def instrument(self):
        """Writes the sources with the mutants; what was found out about a
        source that has not changed is kept."""
        h = hashlib.sha1()
        path = os.path.join(self.folder, '..', 'settled.json')
        settled = json.loads(read(path)) if os.path.exists(path) else {}
        for name, numbered in sorted(self.files.items()):
            text = source(name)
            f = schema.File(name, text, numbered)
            key = hashlib.sha1((text + repr(numbered_keys(numbered)))
                               .encode()).hexdigest()
            known = settled.get(name)
            if known is None or known['key'] != key:
                refused, alone = schema.settle(f, self.full(name),
                                               self.compiler)
                known = {'key': key, 'refused': refused, 'alone': alone,
                         'coarse': sorted(f.coarse)}
                settled[name] = known
            f.coarse = set(known['coarse'])
            for n in known['refused'] + known['alone']:
                f.drop(n)
            self.refused.update(known['refused'])
            self.alone.update(known['alone'])
            text = f.instrumented(self.compiler.name(self.full(name)))
            h.update(text.encode())
            write(self.full(name), text)
        write(path, json.dumps(settled))
        self.stamp = h.hexdigest()[:12]

    def is_same(self, site):
        """True if the mutant makes the same code."""
        text, full = source(site.path), self.full(site.path)
        if full not in self.plain:
            self.plain[full] = self.compiler.assembly(full, text)
        return self.compiler.assembly(full, site.apply(text)) == \
            self.plain[full]

    def alone_with(self, site, run):
        """Calls run() while the tree has this one mutant instead of those of
        the file."""
        full = self.full(site.path)
        kept = read(full)
        write(full, site.apply(source(site.path)))
        try:
            return run() if self.ninja()[0] else ('refused', [])
        finally:
            write(full, kept)
            self.ninja()


def numbered_keys(numbered):
    return [(n, s.at, s.kind, s.new) for n, s in numbered]


class Chooser:
    """Which test is tried next: those that kill often and take little time,
    first of all mutants of the same file."""

    def __init__(self, found):
        self.found = found
        self.runs, self.kills, self.near = {}, {}, {}

    def note(self, case, path, killed):
        self.runs[case.name] = self.runs.get(case.name, 0) + 1
        if killed:
            self.kills[case.name] = self.kills.get(case.name, 0) + 1
            key = case.name, path
            self.near[key] = self.near.get(key, 0) + 1

    def promise(self, case, path):
        layer = os.path.basename(os.path.dirname(path))
        layer = 'trace' if layer == 'record' else layer
        own = 2 if case.name.startswith('unit %s-' % layer) else 0
        kills = 1 + self.kills.get(case.name, 0) + own + \
            8 * self.near.get((case.name, path), 0)
        return kills / (4 + self.runs.get(case.name, 0)) / (
            0.1 + case.seconds)

    def order(self, number, path, tried):
        """The tests that reach the mutant (all if `number` is 0)."""
        left = [c for c in self.found if c.ok and c.key not in tried and
                (not number or number in c.reached)]
        return sorted(left, key=lambda c: -self.promise(c, path))


def is_sound(case):
    """Whether it passes without a mutant: one that fails by chance, or
    because the machine is busy, says nothing.  One that always did is
    believed."""
    if case.sound < BELIEVED:
        case.sound += 1
        if case.run({'MUTANT': '0'}, 20 * case.seconds + 20):
            case.sound = -BELIEVED
            return False
    return True


def try_mutant(number, site, chooser, tried, budget):
    """Returns (how it ended, the keys of the tests that passed).  Number 0
    is a mutant that the tree has alone."""
    env = {'MUTANT': str(number)}
    passed, start = [], time.monotonic()
    for case in chooser.order(number, site.path, tried):
        if budget and time.monotonic() - start > budget:
            return 'open', passed
        why = case.run(env, 10 * case.seconds + 5)
        killed = bool(why) and (not number or is_sound(case))
        chooser.note(case, site.path, killed)
        if killed:
            return '%s: %s' % (case.name, why), passed
        if not why:
            passed.append(case.key)
    return 'survived', passed


class Results:
    """What is known from earlier calls: how a mutant ended, and what it was
    tried with."""

    def __init__(self, path, again):
        self.path, self.known = path, {}
        if again and os.path.exists(path):
            os.remove(path)
        if os.path.exists(path):
            with open(path, encoding='utf-8') as f:
                for row in map(json.loads, f):
                    self.known[row['mutant']] = row

    def add(self, path):
        """Takes what another campaign of the same draw knows."""
        with open(path, encoding='utf-8') as f:
            for row in map(json.loads, f):
                end, tried = self.get(row['mutant'])
                if settled_end(end):
                    continue
                if not settled_end(row['end']):
                    row['tried'] += [c for c in tried
                                     if c not in row['tried']]
                    if end == 'survived':
                        row['end'] = end
                self.put(row['mutant'], row['end'], row['tried'])

    def get(self, key):
        row = self.known.get(key, {'end': 'open', 'tried': []})
        return row['end'], row['tried']

    def put(self, key, end, tried):
        row = {'mutant': key, 'end': end, 'tried': tried}
        self.known[key] = row
        with open(self.path, 'a', encoding='utf-8') as f:
            f.write(json.dumps(row) + '\n')


def settled_end(end):
    return end not in ('open', 'survived')


def is_meant(number, site, only):
    """Whether `only`, numbers and folders, names the mutant."""
    return not only or str(number) in only or \
        os.path.dirname(site.path) in only


def one_mutant(tree, number, site, chooser, results, opt):
    key = '\t'.join(site.name)
    end, tried = results.get(key)
    if settled_end(end):
        return end
    if number in tree.refused:
        return 'refused'
    if not is_meant(number, site, opt.only):
        return end
    left = not tried or number in tree.alone or chooser.order(
        number, site.path, set(tried))
    if not left:
        return end
    if number in tree.alone:
        end, passed = tree.alone_with(site, lambda: try_mutant(
            0, site, chooser, set(tried), opt.budget))
    else:
        end, passed = try_mutant(number, site, chooser, set(tried),
                                 opt.budget)
    # Only what lives can be no mutant at all.
    if not settled_end(end) and not tried and tree.is_same(site):
        end = 'same'
    results.put(key, end, [] if settled_end(end) else tried + passed)
    return end


def campaign(opt, tree, chooser, results):
    """Goes through the draw until enough mutants counted; returns of each
    (number, killed, explained or survived, how it ended)."""
    known = explained()
    rows = []
    for number, site in tree.draw:
        if len(rows) >= opt.n:
            break
        end = one_mutant(tree, number, site, chooser, results, opt)
        if end in ('refused', 'same'):
            continue
        old, new = site.shown(source(site.path))
        if settled_end(end):
            how = 'killed'
        elif (site.path, old, new) in known:
            how = 'explained'
        else:
            how = 'survived'
        rows.append((number, how, end))
        if opt.v or not settled_end(end):
            print('%s %d %s:%d (%s)\n    %s\n    %s\n    %s' % (
                'ok  ' if settled_end(end) else 'LEFT', number, site.path,
                site.line, site.kind, old, new, end), flush=True)
    return rows


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('-n', type=int, default=300, help='mutants to count')
    ap.add_argument('--dir', default='build-mutants', metavar='DIR',
                    help='where the copy and the results are kept')
    ap.add_argument('--folders', default=','.join(sites.FOLDERS))
    ap.add_argument('--budget', type=float, default=0, metavar='SECONDS',
                    help='leave a mutant alone after this long')
    ap.add_argument('-j', type=int, default=2, help='of the build')
    ap.add_argument('--again', action='store_true',
                    help='forget the results of earlier runs')
    ap.add_argument('--only', default='', metavar='WHICH',
                    type=lambda s: s.split(',') if s else [],
                    help='numbers and folders; of others count earlier runs')
    ap.add_argument('--tests', default='', metavar='WORDS',
                    help='only tests with one of these in their names')
    ap.add_argument('--merge', action='append', default=[], metavar='DIR',
                    help='take what another campaign knows')
    ap.add_argument('--report', metavar='FILE',
                    help='write how each mutant ended')
    ap.add_argument('--list', action='store_true',
                    help='only print what would be drawn')
    ap.add_argument('-v', action='store_true')
    opt = ap.parse_args()
    draw = draws.draw(ROOT, opt.seed, opt.folders.split(','), source)
    if opt.list:
        for number, site in draw[:opt.n]:
            print('%d %s:%d (%s)\n    %s\n    %s' % (
                number, site.path, site.line, site.kind,
                *site.shown(source(site.path))))
        return 0
    base = os.path.abspath(opt.dir)
    os.makedirs(base, exist_ok=True)
    tree = Tree(os.path.join(base, 'tree'), draw[:int(SPARE * opt.n)], opt.j)
    tree.prepare()
    words = opt.tests.split(',')
    found = [c for c in cases.all_cases(ROOT, tree.build)
             if any(w in c.name for w in words)]
    cases.base_run(found, os.path.join(base, 'base.jsonl'), tree.stamp)
    for case in found:
        if not case.ok:
            print('fails without a mutant, and is left out:', case.name)
    results = Results(os.path.join(base, 'results.jsonl'), opt.again)
    for path in opt.merge:
        results.add(os.path.join(path, 'results.jsonl'))
    rows = campaign(opt, tree, Chooser(found), results)
    if opt.report:
        write(opt.report, ''.join('%d %s %s\n' % row for row in rows))
    killed, excused, bad = (sum(row[1] == how for row in rows) for how in
                            ('killed', 'explained', 'survived'))
    print('%d killed by tests, %d explained, %d neither' % (killed, excused,
                                                            bad))
    common.summary(killed + excused, bad, 0)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
