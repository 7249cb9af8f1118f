#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures `vole check` against Go's `// errorcheck` tests.

A file is good when the lines on which errors are reported are exactly the
lines marked `// ERROR "re"`.  A second figure also demands that, on each
marked line, every pattern matches some message and no message is left over,
as Go's own runner does.  Files that use type parameters are counted apart.

Rules of the marks, as in Go's runner: several quoted patterns may follow;
GC_ERROR counts as ERROR; LINE, LINE+n and LINE-n in a pattern stand for a
position in the same file; a line that contains four slashes in a row is not
looked at; ERRORAUTO marks errors in generated code, which a source position
cannot carry, so such lines are left out.
"""

import argparse
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402
import gosrc  # noqa: E402

DIRS = ['.', 'chan', 'fixedbugs', 'interface', 'syntax', 'typeparam']
AUTO = re.compile(r'// (?:GC_)?ERRORAUTO (.*)')
MARK = re.compile(r'// (?:GC_)?ERROR (.*)')
QUOTED = re.compile(r'"([^"]*)"')
LINE = re.compile(r'LINE(?:([+-])(\d+))?')
MESSAGE = re.compile(r'^(?:vole: |vet: )?(\S+?\.go):(\d+)(?::(\d+))?: (.*)')


def wanted(path, text):
    """{line: [pattern text]} of the marks in a file."""
    marks = {}
    name = os.path.basename(path)
    for n, line in enumerate(text.split('\n'), 1):
        if '////' in line or AUTO.search(line):
            continue
        m = MARK.search(line)
        if not m:
            continue

        def position(x, n=n):
            at = n
            if x.group(1):
                at += int(x.group(1) + x.group(2))
            return '%s:%d' % (name, at)
        marks[n] = [LINE.sub(position, q) for q in QUOTED.findall(m.group(1))]
    return marks


def reported(path, output):
    """{line: [message]} of what the checker said about the file.  A line
    that starts with a tab continues the message before it."""
    found = {}
    name = os.path.basename(path)
    last = None
    for line in output.split('\n'):
        m = MESSAGE.match(line)
        if m:
            last = None
            if os.path.basename(m.group(1)) == name:
                last = found.setdefault(int(m.group(2)), [])
                last.append(m.group(4))
        elif line.startswith('\t') and last:
            last[-1] += '\n' + line
    return found


def text_matches(marks, found):
    for n, patterns in marks.items():
        left = list(found.get(n, []))
        for p in patterns:
            try:
                rx = re.compile(p.replace('[[:space:]]', r'\s'))
            except re.error:
                return False
            hit = [s for s in left if rx.search(s)]
            if not hit:
                return False
            left = [s for s in left if s not in hit]
        if left:
            return False
    return True


def difference(marks, found):
    lost = sorted(set(marks) - set(found))
    more = sorted(set(found) - set(marks))
    parts = []
    if lost:
        parts.append('missed ' + ', '.join(map(str, lost[:8])))
    if more:
        parts.append('; '.join('%d: %s' % (n, found[n][0][:90])
                               for n in more[:3]))
    return ' | extra '.join(parts) if lost and more else \
        ('extra ' if more else '') + ''.join(parts)


def check_one(opt, tool, path):
    full = os.path.join(opt.dir, path)
    with open(full, 'rb') as f:
        text = f.read().decode('utf-8', 'backslashreplace')
    marks = wanted(full, text)
    r = common.run(tool.check_cmd(full), timeout=opt.timeout, combine=True,
                   env=common.go_env() if tool.kind == 'go' else {})
    found = reported(full, r.out)
    generic = path.startswith('typeparam/') or gosrc.uses_type_parameters(text)
    trouble = r.trouble()
    exact = not trouble and set(marks) == set(found) and r.status != 0
    return {'generic': generic, 'trouble': trouble, 'exact': exact,
            'text': exact and text_matches(marks, found),
            'why': trouble or difference(marks, found)}


def find_files(root):
    for d in DIRS:
        for name in sorted(os.listdir(os.path.join(root, d))):
            path = os.path.normpath(os.path.join(d, name))
            full = os.path.join(root, path)
            if name.endswith('.go') and os.path.isfile(full):
                with open(full, 'rb') as f:
                    if f.readline().rstrip(b'\r\n') == b'// errorcheck':
                        yield path


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD',
                    help="the command that runs a file; its word 'run' is "
                    "replaced by 'check -e'")
    ap.add_argument('--dir', help="Go's test folder")
    ap.add_argument('--files', nargs='*')
    ap.add_argument('--timeout', type=float, default=20)
    ap.add_argument('--least', type=float, default=0.5,
                    help='share of the files without generics that must be '
                    'line-exact (default %(default)s)')
    ap.add_argument('--report', metavar='FILE')
    ap.add_argument('-j', type=int, default=2)
    ap.add_argument('-v', action='store_true')
    opt = ap.parse_args()
    root = common.find_go_tests(opt.dir)
    if root is None:
        print("Go's tests are not installed (Debian: golang-1.19-src): "
              'error messages are not measured')
        common.summary(0, 0, 1)
        return 0
    opt.dir = os.path.abspath(root)
    tool = common.Tool(opt.vole)
    paths = opt.files or list(find_files(opt.dir))
    results = []
    for path, r in common.parallel(lambda p: check_one(opt, tool, p), paths,
                                   opt.j):
        results.append((path, r))
        if r['trouble'] or (opt.v or opt.files) and not r['exact']:
            print('FAIL %s: %s' % (path, r['why']), flush=True)
    return conclude(opt, results)


def conclude(opt, results):
    rows = []
    for title, generic in (('without generics', False), ('generic', True)):
        part = [r for _, r in results if r['generic'] == generic]
        rows.append((title, len(part), sum(r['exact'] for r in part),
                     sum(r['text'] for r in part)))
    print('%-18s %6s %12s %14s' % ('errorcheck', 'files', 'exact lines',
                                   'and texts'))
    for row in rows:
        print('%-18s %6d %12d %14d' % row)
    if opt.report:
        write_report(opt.report, rows, results)
    hard = sum(bool(r['trouble']) for _, r in results)
    good = sum(r['exact'] for _, r in results)
    failed = hard
    need = int(rows[0][1] * opt.least + 0.999)
    if rows[0][2] < need and not opt.files:
        print('FAIL: %d files without generics are line-exact, at least %d '
              'expected' % (rows[0][2], need))
        failed += need - rows[0][2]
    common.summary(good, failed, max(0, len(results) - good - failed))
    return 1 if failed else 0


def write_report(path, rows, results):
    with open(path, 'w') as f:
        f.write('# Error messages: Go\'s own errorcheck tests\n\n'
                'Written by `tests/conform/run_errorcheck.py`; not edited by '
                'hand.\n\n'
                '| files | number | errors on exactly the marked lines | '
                'and the texts match |\n|---|---:|---:|---:|\n')
        for row in rows:
            f.write('| %s | %d | %d | %d |\n' % row)
        for title, generic in (('without generics', False),
                               ('generic', True)):
            f.write('\n## Not line-exact, %s\n\n' % title)
            for p, r in results:
                if r['generic'] == generic and not r['exact']:
                    f.write('- `%s`: %s\n' % (p, re.sub(
                        r'([<>*_`|\[\]\\])', r'\\\1', r['why'])))


if __name__ == '__main__':
    sys.exit(main())
