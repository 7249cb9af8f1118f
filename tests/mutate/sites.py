# SPDX-License-Identifier: MIT
"""Where the C sources can be damaged, and how.

A mutant is one small change of one function's body, of a kind that people
make by mistake: a comparison that is off by one, a constant, a dropped call, a
condition turned round.  Declarations, literals, comments, preprocessor lines
and assertions are left alone; an assertion that is changed proves nothing
about the tests.
"""

import glob
import os
import re

FOLDERS = ('gc', 'sched', 'runtime/value', 'runtime/vm', 'trace/record')

# Statements in which nothing is changed.
LEFT_ALONE = re.compile(
    r'\b(?:rt_assert\w*|rt_check|rt_pre|rt_throwf?|assert_\w+|static_assert|'
    r'_Static_assert|VALGRIND_\w+|sizeof|_Alignas)\s*\(|^\s*(?:case\b|#|static '
    r'const\b|enum\b|struct\b|goto\b|\(void\))')

# name -> (what it looks for, what stands there instead)
KINDS = [
    ('compare', re.compile(r' (<|<=|>|>=|==|!=) '), {
        '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '=='}),
    ('logic', re.compile(r' (&&|\|\|)(?= |$)', re.M), {'&&': '||', '||': '&&'}),
    ('arithmetic', re.compile(r'(?<=[\w)\]]) ([+-]) (?=[\w(])'),
     {'+': '-', '-': '+'}),
    ('step', re.compile(r'(\+\+|--)'), {'++': '--', '--': '++'}),
    ('assign', re.compile(r' (\+=|-=|\|=|&=) '),
     {'+=': '-=', '-=': '+=', '|=': '=', '&=': '='}),
    ('truth', re.compile(r'\breturn (true|false);'),
     {'true': 'false', 'false': 'true'}),
    ('not', re.compile(r'\((!)(?=[\w(])'), {'!': ''}),
]
NUMBER = re.compile(r'(?<![\w.\[x])([0-9]+)(?![\w.x])')
NAME = re.compile(r'^([A-Za-z_]\w*)\(', re.M)
CALL = re.compile(r'^( {4,})((?:[a-z]\w*)\((?:[^;"{}])*\);)$', re.M)


class Site:
    """One mutant: text[at:at + len(old)] becomes new."""

    def __init__(self, path, function, kind, at, old, new, line):
        self.path, self.function, self.kind = path, function, kind
        self.at, self.old, self.new, self.line = at, old, new, line

    def apply(self, text):
        assert text[self.at:self.at + len(self.old)] == self.old
        return text[:self.at] + self.new + text[self.at + len(self.old):]

    def shown(self, text):
        """The line before and after, without margins."""
        a = text.rfind('\n', 0, self.at) + 1
        b = text.find('\n', self.at + len(self.old))
        after = self.apply(text)[a:b + len(self.new) - len(self.old)]
        return ' '.join(text[a:b].split()), ' '.join(after.split())


def blank(text):
    """The text with comments, literals and preprocessor lines blanked."""
    def spaces(m):
        return re.sub(r'[^\n]', ' ', m.group())
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|'
                  r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', spaces, text,
                  flags=re.S | re.M)


def bodies(text):
    """(begin, end) of the functions' bodies, whose braces stand in the first
    column."""
    begin = None
    for m in re.finditer(r'^([{}])', text, re.M):
        if m.group(1) == '{':
            begin = m.end()
        elif begin is not None:
            yield begin, m.start()
            begin = None


def function_name(text, begin):
    """Whose body begins there: names stand in the first column, too."""
    found = NAME.findall(text, max(0, begin - 1000), begin)
    return found[-1] if found else ''


def statements(text, begin, end):
    """(begin, end) of what stands between semicolons and braces."""
    at = begin
    for m in re.finditer(r'[;{}]', text[begin:end]):
        yield at, begin + m.end()
        at = begin + m.end()


def sites_of(path, text):
    plain = blank(text)
    for begin, end in bodies(plain):
        name = function_name(plain, begin)
        for a, b in statements(plain, begin, end):
            piece = plain[a:b]
            if LEFT_ALONE.search(piece.strip('\n')):
                continue
            line = plain.count('\n', 0, a) + 1
            for kind, pattern, table in KINDS:
                for m in pattern.finditer(piece):
                    old = m.group(1)
                    yield Site(path, name, kind, a + m.start(1), old,
                               table[old],
                               line + piece.count('\n', 0, m.start(1)))
            for m in NUMBER.finditer(piece):
                old = m.group(1)
                yield Site(path, name, 'number', a + m.start(1), old,
                           str(int(old) + 1),
                           line + piece.count('\n', 0, m.start(1)))
            for m in CALL.finditer(piece):
                old = text[a + m.start(2):a + m.end(2)]
                # The lines below keep their numbers.
                yield Site(path, name, 'drop', a + m.start(2), old,
                           ';' + '\n' * old.count('\n'),
                           line + piece.count('\n', 0, m.start(2)))


def all_sites(root, folders=FOLDERS):
    """Every possible mutant, in an order that depends on the tree alone."""
    found = []
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(root, folder, '*.c'))):
            rel = os.path.relpath(path, root)
            with open(path, encoding='utf-8') as f:
                found += sites_of(rel, f.read())
    return found
