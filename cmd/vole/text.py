#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a C file with the text of another as `const char NAME[]`.

usage: text.py NAME IN OUT.c
"""
import sys


def main():
    name, source, out = sys.argv[1:]
    with open(source, 'rb') as f:
        data = f.read()
    with open(out, 'w', encoding='ascii') as f:
        f.write('extern const char %s[];\nconst char %s[] = {' % (name, name))
        for i, b in enumerate(data + b'\0'):
            f.write('%s%d,' % ('\n' if i % 20 == 0 else '', b))
        f.write('\n};\n')


if __name__ == '__main__':
    main()
