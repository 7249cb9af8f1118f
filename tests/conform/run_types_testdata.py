#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures `vole check` against the test data of Go's own type checker.

The packages under internal/types/testdata of a Go tree mark their errors by
comments, /* ERROR "text" */ and /* ERRORx "regular expression" */.  A mark
belongs to the line of the token before the comment, and is met when an error
is reported on that line whose text fits; each error meets one mark.  Errors
beyond the marks are counted, too.

How many marks are met in each file is compared with a committed table
(--expect): a file may get better, never worse.  --update writes the table.
A crash or a hang fails always.

Like Go's compiler, vole reports nothing else where there are errors of syntax,
which Go's test does not mind.  So where all errors are such ones, the
declarations that they are in are blanked, and the rest is checked again.

Where Go's compiler has words of its own, because its parser or the go command
sees an error before the type checker does, those are right as well (WORDS).
A package has its name as its path, as in Go's test: it is a module of its own.

The built-ins assert and trace of Go's test are declared in a file of their
own beside a package that uses them.  Flags in a package's first line: -lang
is handed on where the command knows it; packages that need another one are
left out and counted.
"""

import argparse
import collections
import json
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402

ROOTS = ['/usr/local/go', '/usr/lib/go']
TESTDATA = 'src/internal/types/testdata'
TOKEN = re.compile(r'''
    (?P<space>[ \t\r\n]+)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | `[^`]*` | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
  | \w+ | <<=|>>=|&\^=|\.\.\. | [-+*/%&|^<>=!:]=|&&|\|\||<-|\+\+|--|<<|>>|&\^
  | .''', re.S | re.X)
MARK = re.compile(r'\s(ERRORx?)\s+(.*?)\s*$', re.S)
MESSAGE = re.compile(r'^(?:vole: )?(\S+?\.go):(\d+)(?::(\d+))?: (.*)')
# What is reported before types are looked at.
SYNTAX = re.compile(
    r'syntax error|must not be parenthesized|is not in a loop|'
    r'can only use \.\.\. with|must have no type parameters|'
    r'label \w+ (not|already|defined)|invalid (break|continue) label|'
    r'goto \w+ jumps|invalid character|more than one character|empty rune|'
    r'escape|not terminated|must be followed by|cannot use .* as value|'
    r'missing (init|condition)|must be function call|digit|cannot parenthesize|'
    r'fallthrough|invalid use of \.\.\.')
# What may follow from a declaration that is not there.
FOLLOWS = re.compile(r'undefined|not used|not in std|undeclared|is not a type')
# What the type checker says, and what a user of Go reads instead.
WORDS = [
    (r'label (\w+) declared and not used', r'label \1 defined and not used'),
    (r'label (\w+) (not|already) declared', r'label \1 \2 defined'),
    (r'invalid (break|continue) label (\w+)', r'\1 label not defined: \2'),
    (r'goto (\w+) jumps over variable declaration.*',
     r'goto \1 jumps over declaration of'),
    (r'could not import (.*)', r'package \1 is not in std'),
]
TOP = re.compile(r'(func|type|var|const|import)\b')
SHIM = '''package %s

func assert(bool) {}

func trace(...any) {}
'''

Mark = collections.namedtuple('Mark', 'line pattern text')


def unquoted(s):
    """The value of a Go string literal, None where it is none."""
    if s[:1] == '`':
        return s[1:-1]
    try:
        return json.loads(re.sub(r"\\'", "'", s))
    except ValueError:
        return None


def marks_of(text):
    """The marks of a file, each with the line of the token before it."""
    marks = []
    line, before = 1, 1
    for m in TOKEN.finditer(text):
        if m.group('comment'):
            body = m.group()[2:]
            if m.group().startswith('/*'):
                body = body[:-2]
            mark = MARK.match(body)
            value = unquoted(mark.group(2)) if mark else None
            if value is not None:
                marks.append(Mark(before, mark.group(1) == 'ERRORx', value))
        elif not m.group('space'):
            before = line
        line += m.group().count('\n')
    return marks


def fits(mark, message):
    if not mark.pattern:
        return mark.text in message or any(
            re.fullmatch(a, mark.text) and
            re.sub(a, b, mark.text) in message for a, b in WORDS)
    pattern = mark.text.replace('[[:space:]]', r'\s')
    try:
        return re.search(pattern, message) is not None
    except re.error:
        return False


def reported(output):
    """{file name: {line: [message]}}; a line with a tab goes on."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    last = None
    for line in output.split('\n'):
        m = MESSAGE.match(line)
        if m:
            last = found[os.path.basename(m.group(1))][int(m.group(2))]
            last.append(m.group(4))
        elif line.startswith('\t') and last:
            last[-1] += '\n' + line
    return found


def compare(marks, found):
    """How many marks are met, which are not, which errors are too many."""
    left = {n: list(found[n]) for n in found}
    missed = []
    for mark in marks:
        for message in left.get(mark.line, []):
            if fits(mark, message):
                left[mark.line].remove(message)
                break
        else:
            missed.append(mark)
    extra = [(n, s) for n in sorted(left) for s in left[n]]
    return len(marks) - len(missed), missed, extra


def flags_of(text):
    first = text.split('\n', 1)[0]
    m = re.match(r'//\s*(-.*)', first)
    return m.group(1).split() if m else []


def command_for(tool, flags, path):
    """The command, or None where a flag is not known."""
    cmd = tool.check_cmd(path)
    extra = []
    for f in flags:
        name, _, value = f.lstrip('-').partition('=')
        if name == 'lang' and tool_knows_lang(tool):
            extra.append('-lang=' + value)
        elif name == 'gotypesalias' and value != '0':
            continue
        else:
            return None
    return cmd[:-1] + extra + cmd[-1:]


LANG = {}


def tool_knows_lang(tool):
    key = tuple(tool.check_cmd('x.go'))
    if key not in LANG:
        r = common.run(tool.check_cmd('-h'), combine=True)
        LANG[key] = '-lang' in r.out
    return LANG[key]


def stage(opt, files, folder):
    """Copies the package, with the test's built-ins if it needs them."""
    texts = {}
    for f in files:
        with open(os.path.join(opt.dir, f), 'rb') as i:
            data = i.read()
        name = os.path.basename(f)
        texts[name] = data.decode('utf-8', 'backslashreplace')
        with open(os.path.join(folder, name), 'wb') as o:
            o.write(data)
    whole = '\n'.join(texts.values())
    package = re.search(r'^package\s+(\w+)', whole, re.M)
    package = package.group(1) if package else '_'
    if re.search(r'\b(assert|trace)\(', whole) and package != '_' and \
            not re.search(r'func (assert|trace)\b', whole):
        with open(os.path.join(folder, 'zshim.go'), 'w') as o:
            o.write(SHIM % package)
    with open(os.path.join(folder, 'go.mod'), 'w') as o:
        o.write('module %s\n\ngo 1.26\n' % package)
    return texts


def blanked(text, lines):
    """The text without the top-level declarations that the lines are in, and
    the lines that are gone."""
    rows = text.split('\n')
    starts = [i for i, row in enumerate(rows) if TOP.match(row)]
    gone = set()
    for n in lines:
        begin = max([i for i in starts if i < n], default=0)
        end = min([i for i in starts if i >= n], default=len(rows))
        gone |= set(range(begin, end))
    rows = ['' if i in gone else row for i, row in enumerate(rows)]
    return '\n'.join(rows), {i + 1 for i in gone}


def check_rest(opt, cmd, folder, texts, found):
    """Adds to found what is reported once declarations with errors of syntax
    are gone, unless there are other errors.  What may follow from their being
    gone counts only where it was asked for."""
    messages = [s for n in found for k in found[n] for s in found[n][k]]
    if not messages or not all(map(SYNTAX.search, messages)):
        return
    gone = {}
    for name in texts:
        text, gone[name] = blanked(texts[name], found[name])
        with open(os.path.join(folder, name), 'w') as f:
            f.write(text)
    r = common.run(cmd, timeout=opt.timeout, combine=True)
    more = reported(r.out)
    for name in texts:
        marks = marks_of(texts[name])
        for n in more[name]:
            new = [s for s in more[name][n] if not FOLLOWS.search(s) or
                   any(m.line == n and fits(m, s) for m in marks)]
            if n not in gone[name] and new:
                found[name][n] += new


def check_package(opt, tool, files):
    """[(path, marks, met, missed, extra)] of the files, and what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        texts = stage(opt, files, folder)
        first = texts[os.path.basename(files[0])]
        cmd = command_for(tool, flags_of(first), folder)
        if cmd is None:
            return None, ''
        r = common.run(cmd, timeout=opt.timeout, combine=True)
        found = reported(r.out)
        check_rest(opt, cmd, folder, texts, found)
    rows = []
    for f in files:
        name = os.path.basename(f)
        marks = marks_of(texts[name])
        rows.append((f, len(marks)) + compare(marks, found[name]))
    return rows, r.trouble()


def packages(root):
    """Lists of files: single ones, and folders below the first level."""
    for top in sorted(os.listdir(root)):
        base = os.path.join(root, top)
        for name in sorted(os.listdir(base)) if os.path.isdir(base) else []:
            path = os.path.join(base, name)
            if name.endswith('.go'):
                yield [os.path.join(top, name)]
            elif os.path.isdir(path):
                yield [os.path.join(top, name, n)
                       for n in sorted(os.listdir(path)) if n.endswith('.go')]


def find_testdata(given):
    if given:
        return given
    go = shutil.which('go')
    roots = ROOTS + ([os.path.dirname(os.path.dirname(os.path.realpath(go)))]
                     if go else [])
    for root in roots:
        if os.path.isdir(os.path.join(root, TESTDATA)):
            return os.path.join(root, TESTDATA)
    return None


def show(results):
    """A line for each folder; returns marks and how many are met."""
    table = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    for path, marks, met, _, extra in results:
        for key in (path.split('/')[0], 'all'):
            row = table[key]
            row[0] += 1
            row[1] += marks
            row[2] += met
            row[3] += len(extra)
            row[4] += met == marks and not extra
    print('%-12s %6s %6s %6s %6s %6s' % ('folder', 'files', 'marks', 'met',
                                         'extra', 'exact'))
    for key in sorted(table, key=lambda k: (k == 'all', k)):
        f, marks, met, extra, exact = table[key]
        print('%-12s %6d %6d %6d %6d %6d' % (key, f, marks, met, extra, exact))
    return table['all'][1], table['all'][2]


def worse(expect, results):
    """What is not as good as the table says: [text]."""
    lines = []
    for path, _, met, _, extra in results:
        want = expect.get(path)
        if want is not None and met < want[0]:
            lines.append('%s: %d marks met, %d expected' %
                         (path, met, want[0]))
        if want is not None and len(extra) > want[1]:
            lines.append('%s: %d errors without a mark, %d expected' %
                         (path, len(extra), want[1]))
    return lines


def options():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--vole', default=common.default_vole(), metavar='CMD')
    ap.add_argument('--dir', help='a folder of test data')
    ap.add_argument('--files', nargs='*', metavar='WORD',
                    help='only packages with such a word in a path')
    ap.add_argument('--expect', metavar='FILE')
    ap.add_argument('--update', action='store_true')
    ap.add_argument('--timeout', type=float, default=20)
    ap.add_argument('-j', type=int, default=2)
    ap.add_argument('-v', action='store_true', help='show what differs')
    return ap.parse_args()


def main():
    opt = options()
    opt.dir = find_testdata(opt.dir)
    if opt.dir is None:
        print("no Go tree with the type checker's test data: not measured")
        common.summary(0, 0, 1)
        return 0
    tool = common.Tool(opt.vole)
    todo = [p for p in packages(opt.dir)
            if not opt.files or any(w in p[0] for w in opt.files)]
    results, hard, left_out = [], 0, 0
    for files, (rows, trouble) in common.parallel(
            lambda p: check_package(opt, tool, p), todo, opt.j):
        if rows is None:
            left_out += 1
            continue
        if trouble:
            hard += 1
            print('FAIL %s: %s' % (files[0], trouble), flush=True)
        results += rows
        for path, _, _, missed, extra in rows if opt.v else []:
            for m in missed:
                print('%s:%d: missed: %s' % (path, m.line, m.text))
            for n, s in extra:
                print('%s:%d: extra: %s' % (path, n, s))
    return conclude(opt, results, hard, left_out)


def conclude(opt, results, hard, left_out):
    results.sort()
    marks, met = show(results)
    print('%d of %d marks met; %d packages left out for their flags' %
          (met, marks, left_out))
    bad = []
    if opt.expect and opt.update:
        with open(opt.expect, 'w') as f:
            rows = ['  %s: [%d, %d]' % (json.dumps(r[0]), r[2], len(r[4]))
                    for r in results]
            f.write('{\n' + ',\n'.join(rows) + '\n}\n')
    elif opt.expect:
        with open(opt.expect) as f:
            bad = worse(json.load(f), results)
    for line in bad:
        print('FAIL ' + line)
    good = sum(r[1] == r[2] and not r[4] for r in results)
    common.summary(good, hard + len(bad), 0)
    return 1 if hard or bad else 0


if __name__ == '__main__':
    sys.exit(main())
