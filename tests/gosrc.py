# SPDX-License-Identifier: MIT
"""As much of Go's lexical grammar as the runners need to edit a test file
without moving any line."""

import re

TOKEN = re.compile(
    r'(?P<space>[ \t\r\n]+)|(?P<comment>//[^\n]*|/\*.*?\*/)|'
    r'(?P<string>"(?:\\.|[^"\\\n])*"|`[^`]*`|\'(?:\\.|[^\'\\\n])*\')|'
    r'(?P<word>[^\W\d]\w*)|(?P<other>.)', re.S)


def tokens(text):
    """Yields (kind, text, start) without space and comments."""
    for m in TOKEN.finditer(text):
        if m.lastgroup not in ('space', 'comment'):
            yield m.lastgroup, m.group(), m.start()


def top_level(toks):
    """The indices of the tokens outside every bracket."""
    depth = 0
    for i, (_, word, _) in enumerate(toks):
        if word in ')}]':
            depth -= 1
        elif depth == 0:
            yield i
        if word in '({[':
            depth += 1


def wrap_main(text, mark):
    """Edits a program so that it writes `mark` to stderr when it ends well,
    without moving a line.  Func main becomes vole_main_, with a main on the
    same line in front of it that calls it and then prints.  Calls of os.Exit
    whose argument may be 0 go through vole_exit_, which prints first.  Where
    the file redeclares print at top level, package os writes the mark.
    Returns None when there is no func main."""
    toks = list(tokens(text))
    words = [t[1] for t in toks]
    edits = []
    say = 'print("%s")' % mark
    if re.search(r'\bfunc print\(|^\tprint +=', text, re.M):
        say = 'vole_os_.Stderr.WriteString("%s")' % mark
        semi = re.match(r'.*?^package\s+\w+', text, re.S | re.M).end()
        edits.append((semi, semi, '; import vole_os_ "os"'))
    extra = ''
    for i in range(len(words) - 5):
        if words[i:i + 4] == ['os', '.', 'Exit', '('] and \
                not (words[i + 5] == ')' and
                     re.match('[1-9]', words[i + 4])):
            edits.append((toks[i][2], toks[i + 3][2], 'vole_exit_'))
            extra = '; func vole_exit_(n int) { if n == 0 { %s }; ' \
                'os.Exit(n) }' % say
    brace = None
    for i in top_level(toks):
        if words[i:i + 5] == ['func', 'main', '(', ')', '{']:
            brace = toks[i + 4][2]
            edits.append((brace, brace, '{ vole_main_(); %s }%s; '
                          'func vole_main_() ' % (say, extra)))
    if brace is None:
        return None
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def uses_type_parameters(text):
    """Whether a file declares a generic type or function, or instantiates
    with a constraint: a list after a declared name that has the form of
    type parameters, or the words any/comparable/~ used as constraints."""
    toks = [t[1] for t in tokens(text)]
    for i in range(len(toks) - 4):
        if toks[i] == '~':
            return True
        if toks[i] == 'func' and toks[i + 2] == '[' and \
                re.match(r'\w', toks[i + 1]) and toks[i + 1] != 'map':
            return True
        if toks[i] == 'type' and toks[i + 2] == '[' and \
                re.match(r'[^\W\d]', toks[i + 3]) and \
                toks[i + 4] not in (']', '.', '*', '+', '-', '/', '(', '<'):
            return True
    return False
