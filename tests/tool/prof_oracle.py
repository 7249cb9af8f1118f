#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`vole prof` against `go tool pprof`: the same text, byte for byte.

usage: prof_oracle.py [--vole VOLE] [--live] [--random N] [--seed S]
                      [--promote]

The profiles of tests/data/profile, made by Go programs and by hand, are shown
in many ways and compared with what pprof printed (golden.txt).  With --live,
and where Go is installed, pprof itself is asked again, and also about N random
profiles and pairs of them.  --promote writes golden.txt from its answers.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)
import common  # noqa: E402
import pprofgen  # noqa: E402

DATA = os.path.join(common.ROOT, 'tests', 'data', 'profile')
GOLDEN = os.path.join(DATA, 'golden.txt')
ENV = dict(os.environ, TZ='UTC', LC_ALL='C.UTF-8', PPROF_TMPDIR='/nonexistent',
           PPROF_BINARY_PATH='/nonexistent', GOTOOLCHAIN='local')

LISTED = ['-source_path=' + DATA, '-trim_path=profiles']

# Words after the command: `top cpu1.pb.gz`, `-top cpu1.pb.gz`.
CASES = [
    'top cpu1', 'top -cum cpu1', 'top -nodecount=5 cpu1',
    'top -nodecount=7 -cum cpu1', 'top -lines cpu1', 'top -files cpu1',
    'top -filefunctions cpu1', 'top -addresses cpu1', 'top -noinlines cpu1',
    'top -sample_index=samples cpu1', 'top -sample_index=0 cpu1',
    'top -unit=ms cpu1', 'top -unit=s -nodecount=3 cpu1',
    'top -focus=sort cpu1', r'top -focus=main\.recurse cpu1',
    r'top -ignore=^runtime\. cpu1', 'top -hide=runtime cpu1',
    'top -show=main cpu1', r'top -show_from=main\.burn cpu1',
    r'top -prune_from=main\.spin$ cpu1', r'top -focus=(?i)SPIN\b cpu1',
    r'top -focus=main\.[\w]+$ -relative_percentages cpu1',
    'top -nodefraction=0.2 cpu1', 'top -trim=false cpu1',
    'top -divide_by=10 cpu1', 'top -compact_labels cpu1',
    'top cpu2', 'top -tagfocus=user=anna cpu2', 'top -tagfocus=ben cpu2',
    'top -tagignore=user:anna cpu2', 'top -diff_base=cpu1 cpu2',
    'top -base=cpu1 cpu2', 'top -diff_base=cpu2 -cum cpu1',
    'top -drop_negative -base=cpu2 cpu1', 'top cpu1 cpu2',
    'tree cpu1', 'tree -nodecount=10 cpu1', 'tree -lines -cum cpu2',
    'tree -focus=main.sorting -edgefraction=0.1 cpu1',
    'tree -diff_base=cpu1 cpu2', 'tree -addresses addresses',
    'top heap1', 'top heap2', 'top -alloc_space heap2',
    'top -alloc_objects heap2', 'top -inuse_objects heap2',
    'top -sample_index=inuse_space -unit=kB heap2',
    'top -lines -alloc_space heap2', 'tree -alloc_space heap2',
    'top -tagfocus=16kb: heap2', 'top -tagfocus=bytes=:8kb heap2',
    'top -tagfocus=1kb:16kb -alloc_space heap2', 'top -base=heap1 heap2',
    'top -diff_base=heap1 heap2', 'top -diff_base=heap1 -alloc_objects heap2',
    'top allocs', 'top -inuse_space allocs', 'tree allocs',
    'top block', 'top -contentions block', 'tree block', 'top mutex',
    'top -total_delay mutex', 'top -lines mutex', 'top goroutine',
    'tree goroutine', 'top -trim=false goroutine',
    'top -addresses addresses', 'top -functions addresses',
    'top -files -cum addresses', 'top cplusplus', 'top -cum cplusplus',
    'top -lines cplusplus', 'tree cplusplus', 'top -tagfocus=user cplusplus',
    'top -sample_index=objects cplusplus', 'top -addresses cplusplus',
    'top -noinlines -filefunctions cplusplus', 'top -hide=. cplusplus',
    'list main.spin cpu1', r'list ^main\.(burn|sorting)$ cpu1',
    'list main.heap heap2', 'list strings cpu1', 'list helper cplusplus',
    'list main -alloc_objects heap2',
]

RANDOM = [
    'top', 'top -cum', 'top -lines', 'top -trim=false -addresses',
    'top -nodecount=4', 'top -files', 'tree', 'tree -nodecount=5 -cum',
    'tree -lines -nodefraction=0.1', 'top -focus=f -hide=g -cum',
    'top -show=main', 'top -ignore=[gh] -noinlines',
    'top -show_from=h -sample_index=0', 'tree -prune_from=i',
    'top -tagfocus=k=a,b', 'top -filefunctions -relative_percentages '
    '-focus=main',
]
PAIRS = ['top -base=B', 'top -diff_base=B -cum', 'tree -diff_base=B -lines',
         'top -drop_negative -base=B', 'top -trim=false B']


def path_of(name, folder):
    for end in ('', '.pb.gz', '.pb'):
        path = os.path.join(folder, name + end)
        if os.path.exists(path):
            return path
    return name


def words_of(case, folder):
    """The command and its words, with names of profiles made paths."""
    words = case.split()
    out = []
    for w in words[1:]:
        if w.startswith(('-base=', '-diff_base=')):
            flag, _, name = w.partition('=')
            w = flag + '=' + path_of(name, folder)
        elif not w.startswith('-'):
            w = path_of(w, folder)
        out.append(w)
    if words[0] == 'list':
        out = LISTED + out
    return words[0], out


def ask_vole(vole, case, folder):
    cmd, words = words_of(case, folder)
    r = subprocess.run([vole, 'prof', cmd] + words, capture_output=True,
                       env=ENV, timeout=60)
    return r.returncode, r.stdout.decode(errors='replace'), \
        r.stderr.decode(errors='replace')


def ask_pprof(case, folder):
    cmd, words = words_of(case, folder)
    if cmd == 'list':
        i = next(i for i, w in enumerate(words) if not w.startswith('-'))
        words[i] = '-list=' + words[i]
    else:
        words = ['-' + cmd] + words
    r = subprocess.run(['go', 'tool', 'pprof', '-symbolize=local'] + words,
                       capture_output=True, env=ENV, timeout=60, stdin=-3)
    return r.stdout.decode(errors='replace')


def read_golden():
    out, name = {}, None
    with open(GOLDEN, encoding='utf-8') as f:
        for line in f:
            if line.startswith('$ '):
                name = line[2:].rstrip('\n')
                out[name] = ''
            else:
                out[name] += line
    return out


def plain(text):
    """The paths in messages about missing sources say where the tests
    are."""
    return text.replace(DATA, 'DATA')


class Run:
    def __init__(self, vole):
        self.vole = vole
        self.passed = self.failed = self.skipped = 0

    def compare(self, what, case, folder, want):
        status, got, err = ask_vole(self.vole, case, folder)
        got = plain(got)
        # Without the source, vole adds which lines cost what.
        if case.startswith('list '):
            got = drop_bare(got)
        if status in (0, 1) and 'Sanitizer' not in err and \
                (got == want or (loose(case) and shuffled(got) == shuffled(want))):
            self.passed += 1
            return
        self.failed += 1
        print('FAIL %s: vole prof %s (status %d) %s' % (what, case, status,
                                                       err.strip()))
        a, b = want.splitlines(), got.splitlines()
        for i in range(max(len(a), len(b))):
            x = a[i] if i < len(a) else None
            y = b[i] if i < len(b) else None
            if x != y:
                print('   pprof %r\n   vole  %r' % (x, y))
                break


def shuffled(text):
    """The lines in an order of their own; without running sums."""
    return sorted(re.sub(r'^(.{10} .{6}) .{6}', r'\1', line)
                  for line in text.splitlines())


def loose(case):
    """Where pprof leaves the order of equals to chance: parts of a file, and
    calls that became cheaper by as much as others became dearer."""
    return '-files' in case or 'base=' in case


def drop_bare(text):
    out, bare = [], False
    for line in text.splitlines(keepends=True):
        if bare and line.rstrip().endswith(':') and line.startswith(' '):
            continue
        bare = line.startswith(' Error: ')
        out.append(line)
        if bare:
            continue
    return ''.join(out)


def golden(run, live, promote):
    have = (live or promote) and shutil.which('go')
    known = {} if promote else read_golden()
    fresh = []
    for case in CASES:
        want = known.get(case)
        if have:
            answer = plain(ask_pprof(case, DATA))
            fresh.append((case, answer))
            if promote:
                want = answer
            else:
                run.compare('pprof', case, DATA, answer)
        run.compare('golden', case, DATA, want)
    if promote:
        with open(GOLDEN, 'w', encoding='utf-8') as f:
            for case, text in fresh:
                f.write('$ %s\n%s' % (case, text))


def random_profiles(run, n, seed):
    if not shutil.which('go'):
        run.skipped += n
        return
    with tempfile.TemporaryDirectory() as tmp:
        for i in range(seed, seed + n):
            pprofgen.rand(i).write(os.path.join(tmp, 'A.pb'), False)
            case = RANDOM[i % len(RANDOM)] + ' A'
            run.compare('seed %d' % i, case, tmp, ask_pprof(case, tmp))
            if i % 4 == 0:
                # The same kinds of values, other samples.
                pprofgen.rand(i).write(os.path.join(tmp, 'B.pb'))
                mutate(i, tmp)
                case = PAIRS[i // 4 % len(PAIRS)] + ' A'
                run.compare('seed %d' % i, case, tmp, ask_pprof(case, tmp))


def mutate(seed, tmp):
    """B gets samples that A has not."""
    p = pprofgen.rand(seed)
    for k in range(5):
        p.sample([5], [k * 977 + 1] * p.ntypes)
    p.write(os.path.join(tmp, 'B.pb'))


def json_agrees(run):
    """-json has the numbers of the table."""
    for name in ('cpu1', 'heap2', 'block'):
        _, text, _ = ask_vole(run.vole, 'top -trim=false -unit=count ' + name,
                              DATA)
        _, data, _ = ask_vole(run.vole, 'top -trim=false -json ' + name, DATA)
        rows = json.loads(data)['nodes']
        table = text.split('cum%\n', 1)[1].splitlines()
        names = [r.split('  ')[-1].split(' (')[0] for r in table]
        ok = len(rows) == len(table) and \
            [r['name'] for r in rows] == names and \
            sum(r['flat'] for r in rows) <= json.loads(data)['total']
        run.passed += ok
        run.failed += not ok
        if not ok:
            print('FAIL json %s: %s' % (name, [
                (r['name'], n) for r, n in zip(rows, names)
                if r['name'] != n][:3]))


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.built('vole'))
    ap.add_argument('--live', action='store_true')
    ap.add_argument('--random', type=int, default=0)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--promote', action='store_true')
    opt = ap.parse_args()
    run = Run(opt.vole)
    golden(run, opt.live, opt.promote)
    random_profiles(run, opt.random, opt.seed)
    json_agrees(run)
    common.summary(run.passed, run.failed, run.skipped)
    return 1 if run.failed else 0


if __name__ == '__main__':
    sys.exit(main())
