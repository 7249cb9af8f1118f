#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the viewer into one C file.

usage: embed.py OUT.c page.html style.css file.js...

@STYLE@ and @PROGRAM@ in page.html are replaced by the other files; the page
is cut at @DATA@, where the trace goes.
"""
import sys


def c_string(name, text):
    lines = []
    for line in text.encode().splitlines(keepends=True):
        s = ''
        for b in line:
            c = chr(b)
            if c == '\n':
                s += '\\n'
            elif c in '"\\':
                s += '\\' + c
            elif c == '?':
                s += '\\?'  # no trigraphs
            elif 32 <= b < 127:
                s += c
            else:
                s += '\\%03o' % b
        lines.append('    "%s"' % s)
    return 'const char %s[] =\n%s;\n' % (name, '\n'.join(lines))


def main():
    out, page, style = sys.argv[1:4]
    text = open(page, encoding='utf-8').read()
    program = ''.join(open(p, encoding='utf-8').read() for p in sys.argv[4:])
    if '</script' in program or '</style' in program:
        sys.exit('embed.py: an end tag in the program')
    text = text.replace('@STYLE@', open(style, encoding='utf-8').read())
    head, tail = text.split('@DATA@')
    tail = tail.replace('@PROGRAM@', program)
    with open(out, 'w', encoding='utf-8') as f:
        f.write('/* Made by trace/html/embed.py; do not edit. */\n'
                '#include "trace/html/html_int.h"\n\n')
        f.write(c_string('html_page_head', head))
        f.write(c_string('html_page_tail', tail))


if __name__ == '__main__':
    main()
