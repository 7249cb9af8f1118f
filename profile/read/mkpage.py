#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns an HTML file into C strings: what is before the line @DATA@ and what
is behind it.

usage: mkpage.py PAGE.html PREFIX OUT.c
"""
import sys


def c_string(text):
    out = []
    for line in text.splitlines(keepends=True):
        line = line.replace('\\', '\\\\').replace('"', '\\"')
        line = line.replace('??', '?\\?')
        out.append('    "%s"' % line.replace('\n', '\\n'))
    return '\n'.join(out)


def main():
    page, prefix, out = sys.argv[1:]
    with open(page, encoding='ascii') as f:
        head, tail = f.read().split('@DATA@\n')
    with open(out, 'w', encoding='ascii') as f:
        f.write('#include "profile/read/pflame_page.h"\n')
        for name, text in (('head', head), ('tail', tail)):
            f.write('\nconst char %s_%s[] =\n%s;\n' %
                    (prefix, name, c_string(text)))


if __name__ == '__main__':
    main()
