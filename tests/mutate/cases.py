# SPDX-License-Identifier: MIT
"""The tests that are to notice a mutant, one by one: each unit test program,
each script, each concurrent script at a number of processors.

A base run, without a mutant, says of each how long it takes and which mutants'
places it comes past; those alone can notice a mutant.
"""

import copy
import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'script'))
import common  # noqa: E402
import run_scripts  # noqa: E402

# Runners of the script suite that count as one test each; the others repeat
# the scripts in other ways.
RUNNERS = ('explore-tests', 'explore-locks', 'explore-inside', 'race-accesses')
REPEAT = 3                      # of a concurrent script
PROCS = ('1', '2', '8')


def digest(*paths):
    h = hashlib.sha1()
    for path in paths:
        if os.path.isdir(path):
            found = sorted(glob.glob(os.path.join(path, '*')))
        else:
            found = [path]
        for name in filter(os.path.isfile, found):
            with open(name, 'rb') as f:
                h.update(f.read())
    return h.hexdigest()[:8]


class Case:
    """One test.  `stamp` changes with what it tests, so that what is known of
    an earlier form of it is not taken for this one's."""

    def __init__(self, name, stamp):
        self.name, self.stamp = name, stamp
        self.seconds, self.reached, self.ok = 0.0, frozenset(), False
        self.sound = 0          # times that it was found not to fail by chance
        self.alike = None       # comes past what this one comes past

    @property
    def key(self):
        return self.name + '@' + self.stamp

    def take_after(self, other):
        self.ok, self.reached = other.ok, other.reached
        self.seconds = other.seconds * REPEAT

    def run(self, env, limit):
        """'' or why it failed."""
        raise NotImplementedError


class Program(Case):
    """What `meson test` runs: it fails by its exit status."""

    def __init__(self, name, stamp, cmd, env, cwd):
        super().__init__(name, stamp)
        self.cmd, self.env, self.cwd = cmd, env, cwd

    def run(self, env, limit):
        r = common.run(self.cmd, timeout=limit, env={**self.env, **env},
                       cwd=self.cwd, combine=True)
        if r.timeout:
            return 'hang'
        return '' if r.status == 0 else 'status %s' % r.status


class Script(Case):
    """A script, some times in a row at `procs` processors."""

    def __init__(self, script, tool, procs=None):
        name = 'script ' + script.name
        if procs:
            name = 'concurrent %s at %s' % (script.name, procs)
        super().__init__(name, digest(script.path, script.out))
        self.script, self.tool, self.procs = script, tool, procs

    def run(self, env, limit):
        script = copy.copy(self.script)
        script.timeout = limit
        env = dict(env)
        times = 1
        if self.procs:
            env['GOMAXPROCS'] = self.procs
            times = min(REPEAT, script.repeat)
        for _ in range(times):
            why = run_scripts.compare(script, *run_scripts.execute(
                self.tool, script, env))
            if why:
                return why.split('\n', 1)[0]
        return ''


def programs(root, build):
    """The unit tests, and the runners of suite script."""
    out = subprocess.run(['meson', 'introspect', '--tests', build], text=True,
                         capture_output=True, check=True).stdout
    for row in json.loads(out):
        suites = {s.rpartition(':')[2] for s in row['suite']}
        if 'unit' in suites:
            stem = os.path.basename(row['cmd'][0])
            layer, _, name = stem[len('test-'):].partition('-')
            stamp = digest(os.path.join(root, 'tests/unit', layer,
                                        'test_%s.c' % name))
            yield Program('unit ' + row['name'], stamp, row['cmd'],
                          row['env'], build)
        elif row['name'] in RUNNERS:
            stamp = digest(*map(os.path.dirname, filter(
                os.path.isfile, row['cmd'][1:])))
            yield Program('script ' + row['name'], stamp, row['cmd'],
                          row['env'], build)


def all_cases(root, build):
    tool = common.Tool(os.path.join(build, 'cmd/vole/vole') + ' run')
    found = list(programs(root, build))
    scripts = run_scripts.find_scripts([])
    if common.go_tree() is None:
        scripts = [s for s in scripts if not s.tree]
    for s in scripts:
        if s.kind == 'errorcheck':
            continue            # runs nothing
        once = Script(s, tool)
        found.append(once)
        for procs in PROCS if s.repeat else ():
            found.append(Script(s, tool, procs))
            found[-1].alike = once
    return found


def base_run(cases, path, stamp):
    """Fills in what the tests do without a mutant; what `path` knows of the
    same tree is not done again."""
    known = {}
    if os.path.exists(path):
        with open(path, encoding='utf-8') as f:
            for row in map(json.loads, f):
                if row['tree'] == stamp:
                    known[row['case']] = row
    with open(path, 'a', encoding='utf-8') as f:
        for case in cases:
            if case.alike:
                case.take_after(case.alike)
                continue
            row = known.get(case.key)
            if row is None:
                row = first_run(case)
                row['tree'] = stamp
                f.write(json.dumps(row) + '\n')
                f.flush()
            case.ok, case.seconds = not row['why'], row['seconds']
            case.reached = frozenset(row['reached'])


def first_run(case):
    import time
    with tempfile.NamedTemporaryFile() as marks:
        start = time.monotonic()
        why = case.run({'MUTANT': '0', 'MUTANT_REACHED': marks.name}, 600)
        seconds = time.monotonic() - start
        reached = [i for i, b in enumerate(marks.read()) if b]
    return {'case': case.key, 'why': why, 'seconds': round(seconds, 3),
            'reached': reached}
