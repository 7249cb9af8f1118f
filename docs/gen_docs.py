#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fills the tables of the documents from the sources that they describe.

A document holds generated text between two lines of this form, and what a
person wrote around them:

    <!-- begin NAME (docs/gen_docs.py) -->
    <!-- end NAME -->

  gen_docs.py                 rewrite what has changed
  gen_docs.py --check         only report it; also links and paths that lead
                              nowhere (a test of the suite lint)
  gen_docs.py --missing DIR   what Go's api files in DIR (go1.txt, go1.1.txt
                              ...) list and the bundled packages do not have
"""

import argparse
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIB = 'runtime/lib'


def text_of(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as f:
        return f.read()


# ---- .def files: rows of NAME(argument, ...) and comments between them ------

TOKEN = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|[(),]|[^\s(),"]+',
                   re.S)


def def_rows(path):
    """Yields ('note', text) for each comment and (NAME, [arguments]) for each
    row; neighbouring string literals are joined."""
    tokens = TOKEN.findall(text_of(path))
    i = 0
    while i < len(tokens):
        t = tokens[i]
        if t.startswith('/*'):
            text = re.sub(r'\s*\n\s*\*?\s?', ' ', t[2:-2])
            yield 'note', text.strip()
            i += 1
            continue
        args, words, depth = [], [], 0
        i += 1
        while True:
            a = tokens[i]
            i += 1
            if a == '(':
                depth += 1
                if depth == 1:
                    continue
            if a == ')':
                depth -= 1
            if depth == 0 or a == ',' and depth == 1:
                args.append(''.join(words))
                words = []
                if depth == 0:
                    break
            elif a.startswith('"'):
                words.append(re.sub(r'\\(.)', r'\1', a[1:-1]))
            elif not a.startswith('/*'):
                words.append(a)
        yield t, args


def table(head, rows):
    out = ['| ' + ' | '.join(head) + ' |', '|' + '---|' * len(head)]
    for r in rows:
        out.append('| ' + ' | '.join(c.replace('|', '\\|') for c in r) + ' |')
    return '\n'.join(out) + '\n'


def code(text):
    return '`' + text + '`'


def sentence(text):
    """With a capital, unless the first word is the name of an operand."""
    text = ' '.join(text.split())
    first = text.split(' ', 1)[0]
    if first in ('imm', 'a', 'b', 'c', 'complex128'):
        return text
    return text[:1].upper() + text[1:]


# ---- the instruction set ----------------------------------------------------

def opcodes():
    out, rows, n = [], [], 0

    def flush():
        if rows:
            out.append(table(['no.', 'name', 'format', 'a', 'b', 'c',
                              'does', 'access', 'effect'], rows))
            rows.clear()

    for kind, args in def_rows('runtime/code/opcode.def'):
        if kind == 'note':
            m = re.match(r'-- (.*?) ?-{2,}\s*(.*)$', args)
            if m:
                flush()
                title, rest = m.groups()
                # A title whose sentence goes on below the line of dashes.
                title, _, more = title.partition(': ')
                out.append('### ' + sentence(title) + '\n')
                rest = ' '.join(filter(None, [more, rest]))
                rest = rest.replace('*/', '').strip(' -')
                if rest:
                    out.append(sentence(rest.rstrip('.')) + '.\n')
            elif args.startswith('-- '):
                flush()
                title, _, more = args[3:].rstrip(' -').partition(': ')
                out.append('### ' + sentence(title) + '\n')
                if more:
                    out.append(sentence(more.rstrip('.')) + '.\n')
            elif n and not args.startswith('SPDX'):
                flush()
                out.append(sentence(args.rstrip('.')) + '.\n')
        elif kind == 'OP':
            name, fmt, a, b, c, does, access, effect = args
            cols = ['' if x in ('-', 'no') else code(x)
                    for x in (a, b, c, does, access)]
            rows.append([str(n), code(name), fmt] + cols + [effect])
            n += 1
    flush()
    return '%d instructions.\n\n' % n + '\n'.join(out)


# ---- locks, states, switches, events ----------------------------------------

def ranks_taken():
    """The ranks that some lock of the programs has, or is given for."""
    found = set()
    for d in ('runtime', 'gc', 'sched', 'profile', 'trace'):
        for path in glob.glob(os.path.join(ROOT, d, '**', '*.[ch]'),
                              recursive=True):
            found |= set(re.findall(r'\bRANK_(\w+)', text_of(path)))
    return found


def lockranks():
    out, rows, n = [], [], 0
    taken = ranks_taken()
    seen = False

    def flush():
        if rows:
            out.append(table(['rank', 'lock', 'several', 'guards'], rows))
            rows.clear()

    for kind, args in def_rows('runtime/base/lockrank.def'):
        if kind == 'note':
            if args.startswith('LOCK_RANK('):
                seen = True
            elif seen:
                flush()
                out.append('### ' + sentence(args.rstrip('.')) + '\n')
        else:
            if args[0] not in taken:
                sys.exit('lockrank.def: no lock has the rank ' + args[0])
            n += 1
            rows.append([str(n), code(args[0]),
                         {'ONE': 'no',
                          'ADDR': 'in order of address'}[args[1]],
                         args[2]])
    flush()
    return '\n'.join(out)


def gstates():
    rows = []
    for kind, args in def_rows('sched/gstate.def'):
        if kind == 'G_EDGE':
            rows.append([args[0].lower(), args[1].lower(),
                         code(args[2] + '()'), args[3]])
    return table(['from', 'to', 'by', 'who'], rows)


def enum_notes(path, enum):
    """(name, comment) of an enum whose members each have one."""
    m = re.search(r'enum %s \{(.*?)\}' % enum, text_of(path), re.S)
    for name, note in re.findall(r'(\w+),?\s*(?:/\*(.*?)\*/)?', re.sub(
            r',\s*/\*', ' /*', m.group(1)), re.S):
        yield name, ' '.join(note.replace('*', ' ').split())


def gstate_names():
    return table(['state', 'means'],
                 [[name[2:].lower(), note] for name, note in
                  enum_notes('sched/sched.h', 'sched_gstate')])


def waits():
    """The texts of enum sched_wait, from the function that gives them."""
    for path in sorted(glob.glob(os.path.join(ROOT, 'sched', '*.c'))):
        text = text_of(os.path.relpath(path, ROOT))
        found = re.findall(r'\[(WAIT_\w+)\]\s*=\s*"([^"]*)"', text)
        if found:
            return table(['constant', 'in a traceback'],
                         [[code(n), t] for n, t in found if t])
    sys.exit('sched: no texts of enum sched_wait found')


def debugvars():
    boot = ''.join(text_of(os.path.relpath(p, ROOT)) for p in
                   glob.glob(os.path.join(ROOT, 'runtime', 'host', '*.c')))
    rows = []
    for kind, args in def_rows('runtime/base/debugvar.def'):
        if kind == 'note':
            continue
        name, default, layer, help = args
        if not re.search(r'\bdv(?:->|\.)%s\b' % name, boot):
            sys.exit('nothing reads the switch %s of VOLEDEBUG' % name)
        rows.append([code(name), default, layer, help])
    return table(['name', 'default', 'layer', 'effect'], rows)


def events():
    rows = []
    for kind, args in def_rows('runtime/base/trace_event.def'):
        if kind == 'TRACE_EVENT':
            no, _, name, _, stack, since = args
            rows.append([no, code(name), 'yes' if stack == '1' else '',
                         '', '', '1.' + since])
        elif rows and '|' in args:
            rows[-1][3:5] = [a.strip() for a in args.split('|')]
    return table(['no.', 'event', 'stack', 'when', 'by whom', 'since Go'],
                 rows)


def host():
    text = text_of('examples/embed/host.c')
    return '```c\n' + text[text.index('#include'):] + '```\n'


# ---- the library ------------------------------------------------------------

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|`[^`]*`|'
                     r"'(?:\\.|[^'\\\n])+'", re.S)


def blank(text):
    """Comments and literals become spaces, so that names are code."""
    return COMMENT.sub(lambda m: re.sub(r'[^\n]', ' ', m.group()), text)


def exported(name):
    return name[:1].isupper()


class Package:
    def __init__(self, path, files):
        self.path = path
        self.doc = ''
        self.consts, self.vars, self.funcs = set(), set(), set()
        self.types = {}          # name -> set of methods
        self.others = set()      # aliases and types with embedded ones
        for f in files:
            self.read(text_of(f))

    def read(self, text):
        m = re.search(r'((?://[^\n]*\n)+)package \w+', text)
        if m and re.match(r'// Package ', m.group(1)):
            doc = re.sub(r'^// ?', '', m.group(1), flags=re.M)
            doc = re.split(r'\.(?:\s|$)', ' '.join(doc.split()))[0]
            self.doc = re.sub(r'^Package \S+ ', '', doc)
        lines = blank(text).split('\n')
        group = None
        for i, line in enumerate(lines):
            if group:
                if line.startswith(')'):
                    group = None
                else:
                    self.member(group, line, lines, i)
                continue
            m = re.match(r'(const|var|type)\s*\(\s*$', line)
            if m:
                group = m.group(1)
                continue
            m = re.match(r'(const|var|type)\s+(.*)', line)
            if m:
                self.member(m.group(1), '\t' + m.group(2), lines, i)
            self.function(line)

    def function(self, line):
        m = re.match(r'func\s+(?:\(\s*(?:\w+\s+)?\*?(\w+)\s*'
                     r'(?:\[[^\]]*\])?\s*\)\s*)?(\w+)', line)
        if not m or not exported(m.group(2)):
            return
        if m.group(1) is None:
            self.funcs.add(m.group(2))
        elif exported(m.group(1)):
            self.types.setdefault(m.group(1), set()).add(m.group(2))

    def member(self, kind, line, lines, at):
        m = re.match(r'\t((?:\w+\s*,\s*)*\w+)', line)
        if not m:
            return
        for name in re.split(r'\s*,\s*', m.group(1)):
            if not exported(name):
                continue
            if kind == 'type':
                self.types.setdefault(name, set())
                self.body(name, line, lines, at)
            else:
                (self.consts if kind == 'const' else self.vars).add(name)

    def body(self, name, line, lines, at):
        """The methods of an interface; whether a type has more methods than
        are declared here."""
        if re.match(r'\t\w+\s*=', line):
            self.others.add(name)
        m = re.search(r'\b(interface|struct)\s*\{', line)
        if not m:
            return
        depth = len(re.match(r'\t*', lines[at]).group()) + 1
        for s in lines[at + 1:]:
            if re.match(r'\t{%d}\}' % (depth - 1), s):
                break
            f = re.match(r'\t{%d}([A-Z]\w*)\(' % depth, s)
            if f and m.group(1) == 'interface':
                self.types[name].add(f.group(1))
            if re.match(r'\t{%d}\*?[\w.]+\s*$' % depth, s):
                self.others.add(name)

    def names(self):
        return (self.consts | self.vars | self.funcs | set(self.types) |
                {t + '.' + m for t, ms in self.types.items() for m in ms})


def packages():
    found = {}
    for base, dirs, files in os.walk(os.path.join(ROOT, LIB)):
        dirs.sort()
        path = os.path.relpath(base, os.path.join(ROOT, LIB))
        if 'internal' in path.split('/') or path == '.' or \
                path.split('/')[0] == 'tree':
            continue
        go = [os.path.relpath(os.path.join(base, f), ROOT)
              for f in sorted(files)
              if f.endswith('.go') and not f.endswith('_test.go')]
        go = [f for f in go if '//go:build ignore' not in text_of(f)]
        if go:
            found[path] = Package(path, go)
    return [found[p] for p in sorted(found)]


def wrap(label, names, width=78):
    """A list item with names in code type, broken into lines."""
    lines, cur = [], '* ' + label + ':'
    names = sorted(names, key=lambda s: (s.lower(), s))
    for i, name in enumerate(names):
        word = code(name) + (',' if i < len(names) - 1 else '')
        if len(cur) + 1 + len(word) > width:
            lines.append(cur)
            cur = ' ' + ' ' + word
        else:
            cur += ' ' + word
    return '\n'.join(lines + [cur]) + '\n'


def library():
    out = []
    for p in packages():
        out.append('### %s\n' % p.path)
        if p.doc:
            out.append(sentence(p.doc) + '.\n')
        part = ''
        for label, names in (('functions', p.funcs), ('constants', p.consts),
                             ('variables', p.vars)):
            if p.path == 'syscall' and len(names) > 40:
                part += '* %s: %d\n' % (label, len(names))
            elif p.path == 'unicode' and label == 'variables':
                part += '* %s: %d range tables\n' % (label, len(names))
            elif names:
                part += wrap(label, names)
        plain = {t for t, ms in p.types.items() if not ms}
        if plain:
            part += wrap('types', plain)
        for t in sorted(set(p.types) - plain):
            part += wrap('type `%s`' % t, p.types[t])
        out.append(part)
    return '\n'.join(out)


def package_list():
    names = [code(p.path) for p in packages()]
    out, cur = [], ''
    for i, n in enumerate(names):
        word = n + (',' if i < len(names) - 1 else '')
        if cur and len(cur) + 1 + len(word) > 78:
            out.append(cur)
            cur = word
        else:
            cur = (cur + ' ' + word).strip()
    return '\n'.join(out + [cur]) + '\n'


def missing(folder):
    """Prints what Go's api files have and the packages here have not."""
    api = {}
    for path in sorted(glob.glob(os.path.join(folder, 'go1*.txt'))):
        with open(path, encoding='utf-8') as f:
            for line in f:
                m = re.match(r'pkg ([\w/]+)(?: \([\w-]+\))?, (\w+) (.*)',
                             line)
                if not m or '(' in line.split(',')[0]:
                    continue
                pkg, kind, rest = m.groups()
                name = None
                if kind in ('func', 'const', 'var'):
                    name = re.match(r'\w+', rest).group()
                elif kind == 'type':
                    name = re.match(r'\w+', rest).group()
                elif kind == 'method':
                    r = re.match(r'\(\*?(\w+)(?:\[.*?\])?\) (\w+)', rest)
                    name = r.group(1) + '.' + r.group(2)
                if name:
                    api.setdefault(pkg, set()).add(name)
    for p in packages():
        lack = sorted(n for n in api.get(p.path, set()) - p.names()
                      if n.split('.')[0] not in p.others)
        if lack:
            print('%s: %s' % (p.path, ' '.join(lack)))


# ---- documents --------------------------------------------------------------

BLOCKS = {
    'opcodes': opcodes, 'lockranks': lockranks, 'gstates': gstates,
    'gstate-names': gstate_names, 'waits': waits, 'debugvars': debugvars,
    'events': events, 'host': host, 'library': library,
    'packages': package_list,
}

MARK = re.compile(r'(<!-- begin ([\w-]+) \(docs/gen_docs\.py\) -->\n)(.*?)'
                  r'(<!-- end \2 -->)', re.S)


def documents():
    found = ['README.md', 'HACKING.md']
    found += [os.path.relpath(p, ROOT) for p in
              glob.glob(os.path.join(ROOT, 'docs', '*.md'))]
    return sorted(p for p in found if os.path.exists(os.path.join(ROOT, p)))


def filled(path, text, used):
    def put(m):
        name = m.group(2)
        if name not in BLOCKS:
            sys.exit('%s: no block named %s' % (path, name))
        used.add(name)
        return m.group(1) + BLOCKS[name]() + m.group(4)
    return MARK.sub(put, text)


LINK = re.compile(r'\]\(([^)#:\s]+)(?:#[^)]*)?\)')
PATH = re.compile(r'`((?:runtime|gc|sched|trace|profile|cmd|tests|bench|docs|'
                  r'examples|\.ci)/[\w./-]*[\w/])(?::\d+)?`')


def dead_ends(path, text):
    """Links and paths in code type that name no file of the tree."""
    plain = re.sub(r'^```.*?^```', '', MARK.sub('', text),
                   flags=re.S | re.M)
    for target in LINK.findall(plain):
        full = os.path.join(ROOT, os.path.dirname(path), target)
        if not os.path.exists(full):
            yield '%s: the link to %s leads nowhere' % (path, target)
    for target in PATH.findall(plain):
        if not os.path.exists(os.path.join(ROOT, target)):
            yield '%s: there is no %s' % (path, target)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--check', action='store_true',
                    help='report what is out of date, change nothing')
    ap.add_argument('--missing', metavar='DIR',
                    help="compare the library with Go's api files")
    opt = ap.parse_args()
    if opt.missing:
        missing(opt.missing)
        return 0
    good = bad = 0
    used = set()
    for path in documents():
        text = text_of(path)
        new = filled(path, text, used)
        problems = []
        if opt.check:
            problems = list(dead_ends(path, text))
            if new != text:
                problems.append('%s is not up to date; run docs/gen_docs.py'
                                % path)
        elif new != text:
            with open(os.path.join(ROOT, path), 'w', encoding='utf-8') as f:
                f.write(new)
            print('wrote ' + path)
        for line in problems:
            print('FAIL ' + line)
        good, bad = good + (not problems), bad + bool(problems)
    if opt.check:
        for name in sorted(set(BLOCKS) - used):
            print('FAIL no document has the block ' + name)
            bad += 1
        print('%d passed, %d failed, 0 skipped' % (good, bad))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
