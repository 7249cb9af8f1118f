#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs Go's own `// run` tests under the strict rule of Go's runner.

A test passes when the program exits 0, its stdout and stderr together equal
the .out file beside it (or are empty when there is none), and its main
returned.  Most of these programs print nothing when all is well, so the last
condition is what keeps a program that does nothing from passing: main is
wrapped, on its own line, by one that prints a mark afterwards; so is os.Exit
where its argument may be 0.  The mark goes to stderr and is taken out again
before the comparison.

A crash, a hang or a message about vole itself on any file is a failure of the
whole run, whatever the minimum in --expect says.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402
import gosrc  # noqa: E402

DIRS = ['.', 'chan', 'ken', 'interface', 'fixedbugs', 'typeparam', 'abi']
MARK = 'VOLE-MAIN-RETURNED-7d1f'
LIMIT = 20


def first_line(path):
    with open(path, 'rb') as f:
        return f.readline().rstrip(b'\r\n')


def find_tests(root, dirs):
    for d in dirs:
        for name in sorted(os.listdir(os.path.join(root, d))):
            path = os.path.join(root, d, name)
            if name.endswith('.go') and os.path.isfile(path) and \
                    first_line(path) == b'// run':
                yield d, name


# Programs that read freed memory through unsafe themselves: what
# AddressSanitizer finds there is no fault of vole.
DANGLING = {
    'issue24491a.go': 'go:uintptrescapes does not keep the arguments alive',
}


class Outcome:
    """passed: bool; kind: pass, compile, output, status, mark, internal,
    crash or hang; reason: one line for the list of failures."""

    def __init__(self, kind, reason=''):
        self.kind = kind
        self.reason = reason
        self.hard = kind in ('crash', 'hang', 'internal')


# Files that vole ends, but on a slow or busy machine not within the limit: a
# failure of theirs then, not a hang of vole.
SLOW = {
    'issue13169.go': 'a million values over a channel, and 32 kB of frames '
                     'for each',
    'uglyfib.go': '330 million calls, each with two variables on the heap',
}


def judge(r, want):
    trouble = r.trouble()
    if trouble:
        kind = trouble.split(':', 1)[0]
        return Outcome(kind, trouble)
    marked = MARK in r.out
    # The few programs that print their own call stack know main by name.
    got = r.out.replace(MARK, '', 1).replace('main.vole_main_', 'main.main')
    if r.status != 0:
        line = first_error(got)
        kind = 'status'
        if re.match(r'(?:vole: )?[^\s:]*\.go:\d+', line):
            kind = 'compile'
        return Outcome(kind, 'exit status %s: %s' % (r.status, line))
    if got != want:
        return Outcome('output', difference(got, want))
    if not marked:
        return Outcome('mark', 'exit status 0, but main did not return')
    return Outcome('pass')


def first_error(text):
    """The line of the output that says most about a failure."""
    lines = [s.strip() for s in text.splitlines() if s.strip()]
    for s in lines:
        if re.search(r'\.go:\d+:\d+: |^panic: |^fatal error: |^vole: ', s):
            return tidy(s)
    return tidy(lines[0]) if lines else 'no output'


def tidy(s):
    s = re.sub(r'\S*/(?=[\w.-]+\.go:\d)', '', s)
    s = re.sub(r'0x[0-9a-f]{6,}', '0xN', s)
    s = re.sub(r'\d{4}/\d\d/\d\d \d\d:\d\d:\d\d ', '', s)
    return s[:160]


def difference(got, want):
    a, b = got.split('\n'), want.split('\n')
    for i in range(max(len(a), len(b))):
        x = a[i] if i < len(a) else '(end)'
        y = b[i] if i < len(b) else '(end)'
        if x != y:
            return 'output line %d: got %s, want %s' % \
                (i + 1, tidy(repr(x)), tidy(repr(y)))
    return 'output differs'


def run_one(opt, tool, work, test):
    d, name = test
    path = os.path.join(opt.dir, d, name)
    with open(path, 'rb') as f:
        text = f.read().decode('utf-8', 'surrogateescape')
    wrapped = gosrc.wrap_main(text, MARK)
    if wrapped is None:
        return Outcome('mark', 'no func main')
    folder = os.path.join(work, d.replace('.', 'top'))
    os.makedirs(folder, exist_ok=True)
    copy = os.path.join(folder, name)
    with open(copy, 'wb') as f:
        f.write(wrapped.encode('utf-8', 'surrogateescape'))
    want = ''
    out = path[:-3] + '.out'
    if os.path.exists(out):
        with open(out, 'rb') as f:
            want = f.read().decode('utf-8', 'backslashreplace')
    env = {'GOOS': 'linux', 'GOARCH': 'amd64'}
    if tool.kind == 'go':
        env.update(common.go_env())
    r = common.run(tool.run_cmd(copy), timeout=opt.timeout, combine=True,
                   env=env, cwd=opt.dir)
    os.unlink(copy)
    o = judge(r, want)
    if o.kind == 'hang' and name in SLOW:
        return Outcome('slow', SLOW[name])
    if name in DANGLING and 'AddressSanitizer: use-after-poison' in o.reason:
        return Outcome('status', DANGLING[name])
    return o


def report(opt, results):
    """Prints passes per directory and returns {dir: passes}."""
    passes = {d: 0 for d in opt.dirs}
    totals = {d: 0 for d in opt.dirs}
    for (d, _), o in results:
        totals[d] += 1
        passes[d] += o.kind == 'pass'
    print('%-10s %6s %6s' % ('directory', 'passed', 'of'))
    for d in opt.dirs:
        print('%-10s %6d %6d' % (d, passes[d], totals[d]))
    print('%-10s %6d %6d' % ('all', sum(passes.values()),
                             sum(totals.values())))
    return passes, totals


KINDS = [('internal', 'message about vole itself'), ('crash', 'crash'),
         ('hang', 'no end within the time limit'),
         ('slow', 'known to be too slow for the time limit'),
         ('compile', 'rejected by the compiler'),
         ('status', 'wrong exit status'), ('output', 'wrong output'),
         ('mark', 'main did not return')]


def write_report(path, opt, results, passes, totals):
    with open(path, 'w') as f:
        f.write('# Conformance: Go\'s own run tests\n\n')
        f.write('Written by `tests/conform/run_go_tests.py`; not edited by '
                'hand.\n\n')
        f.write('The %d files of the `test/` folder of Go\'s sources whose '
                'first line is exactly `// run`,\nin seven of its folders. '
                'A test passes when the program exits 0, its whole output\n'
                'equals the `.out` file (or is empty where there is none), '
                'and its main returned.\n\n' % len(results))
        f.write('| directory | passed | of |\n|---|---:|---:|\n')
        for d in opt.dirs:
            f.write('| %s | %d | %d |\n' % (d, passes[d], totals[d]))
        f.write('| **all** | **%d** | **%d** |\n' %
                (sum(passes.values()), sum(totals.values())))
        for kind, title in KINDS:
            bad = [(t, o) for t, o in results if o.kind == kind]
            if not bad:
                continue
            f.write('\n## Failing: %s (%d)\n\n' % (title, len(bad)))
            for (d, name), o in bad:
                f.write('- `%s`: %s\n' % (os.path.normpath(
                    os.path.join(d, name)), markdown(o.reason)))


def markdown(s):
    s = s.replace('\\', '\\\\')
    return re.sub(r'([<>*_`|\[\]])', r'\\\1', s)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--dir', help="Go's test folder (default: Debian's "
                    'golang-1.19-src, or $GOTEST)')
    ap.add_argument('--dirs', default=','.join(DIRS),
                    help='folders below it, by comma')
    ap.add_argument('--files', nargs='*', metavar='DIR/NAME.go',
                    help='only these files')
    ap.add_argument('--expect', metavar='FILE',
                    help='JSON: least number of passes per directory')
    ap.add_argument('--report', metavar='FILE',
                    help='write the list of failures in Markdown')
    ap.add_argument('--timeout', type=float, default=LIMIT)
    ap.add_argument('--hard-only', action='store_true', help='only crashes '
                    'and messages about vole itself count (sanitizers)')
    ap.add_argument('-j', type=int, default=2)
    ap.add_argument('-v', action='store_true', help='print every failure')
    opt = ap.parse_args()

    root = common.find_go_tests(opt.dir)
    if root is None:
        print("Go's tests are not installed (Debian: golang-1.19-src): "
              'conformance is not measured')
        common.summary(0, 0, 1)
        return 0
    opt.dir = os.path.abspath(root)
    opt.dirs = opt.dirs.split(',')
    tests = list(find_tests(opt.dir, opt.dirs))
    if opt.files:
        wanted = {os.path.normpath(f) for f in opt.files}
        tests = [t for t in tests
                 if os.path.normpath(os.path.join(*t)) in wanted]
    tool = common.Tool(opt.vole)

    work = tempfile.mkdtemp(prefix='vole-conform-')
    results = []
    try:
        for t, o in common.parallel(
                lambda t: run_one(opt, tool, work, t), tests, opt.j):
            results.append((t, o))
            if o.kind != 'pass' and (opt.v or o.hard or opt.files):
                print('FAIL %s: %s' % (os.path.normpath(os.path.join(*t)),
                                       o.reason), flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    passes, totals = report(opt, results)
    if opt.report:
        write_report(opt.report, opt, results, passes, totals)
    return verdict(opt, results, passes)


def verdict(opt, results, passes):
    """Counts for the last line: with --expect a file that fails within the
    allowance counts as skipped, since it is known not to be supported."""
    hard = [t for t, o in results if o.hard]
    bad = [t for t, o in results if o.kind != 'pass']
    good = len(results) - len(bad)
    failed = len(hard)
    if opt.hard_only:
        failed = sum(o.kind in ('crash', 'internal') for _, o in results)
    elif opt.expect:
        with open(opt.expect) as f:
            least = json.load(f)
        for d in opt.dirs:
            short = least.get(d, 0) - passes[d]
            if short > 0 and not opt.files:
                print('FAIL %s: %d passes, at least %d expected' %
                      (d, passes[d], least[d]))
                failed = max(failed, 0) + short
    else:
        failed = len(bad)
    common.summary(good, failed, max(0, len(bad) - failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
