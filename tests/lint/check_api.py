#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the library with the API of the installed Go.

usage: check_api.py [--api DIR] [--update]

Every package that vole brings has all exported names that the api files of Go
give it (functions, types, methods, constants and variables), but for those that
api_missing.txt lists with a reason. A name that is missing and not
listed is an error; what is listed and no longer missing is said, and --update
takes it out: the list only shrinks. Without an installed Go there is
nothing to compare with: the test is skipped, and says so.
"""
import argparse
import glob
import importlib.util
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIST = os.path.join(HERE, 'api_missing.txt')
SKIPPED = 77


def library():
    """The module that reads the library's declarations."""
    path = os.path.join(ROOT, 'docs', 'gen_docs.py')
    spec = importlib.util.spec_from_file_location('gen_docs', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def api_folder():
    """Where the api files of the newest Go are; None: there is no Go."""
    roots = []
    try:
        out = subprocess.run(['go', 'env', 'GOROOT'], capture_output=True,
                             text=True, check=True)
        roots.append(out.stdout.strip())
    except (OSError, subprocess.CalledProcessError):
        pass
    roots += ['/usr/local/go']
    for root in roots:
        folder = os.path.join(root, 'api')
        if glob.glob(os.path.join(folder, 'go1*.txt')):
            return folder
    return None


def offered(folder):
    """By package: the names that Go has."""
    names = {}
    for path in glob.glob(os.path.join(folder, 'go1*.txt')):
        with open(path, encoding='utf-8') as f:
            for line in f:
                m = re.match(r'pkg ([\w/]+), (\w+) (.*)', line)
                if m:
                    name = name_of(m.group(2), m.group(3))
                    if name:
                        names.setdefault(m.group(1), set()).add(name)
    return names


def name_of(kind, rest):
    """The name that a line of an api file declares: F, T or T.m."""
    if kind == 'method':
        m = re.match(r'\(\*?(\w+)(?:\[.*?\])?\) (\w+)', rest)
        return m.group(1) + '.' + m.group(2)
    if kind in ('func', 'const', 'var', 'type'):
        return re.match(r'\w+', rest).group()
    return None


def listed():
    """By package and name: the line that excuses it."""
    out, why = {}, ''
    with open(LIST, encoding='utf-8') as f:
        for line in f:
            if line.startswith('#'):
                why = line[1:].strip()
            elif line.strip():
                package, *names = line.split()
                if not why:
                    sys.exit('%s: no reason for %s' % (LIST, line.strip()))
                for name in names:
                    out[package, name] = why
    return out


def missing(folder):
    """Pairs of package and name that Go has and vole's packages have not."""
    api = offered(folder)
    found = set()
    for package in library().packages():
        for name in api.get(package.path, set()) - package.names():
            if name.split('.')[0] not in package.others:
                found.add((package.path, name))
    return found


def update(gone):
    """Takes names out of the list."""
    out = []
    with open(LIST, encoding='utf-8') as f:
        for line in f:
            if line.startswith('#') or not line.strip():
                out.append(line)
                continue
            package, *names = line.split()
            names = [n for n in names if (package, n) not in gone]
            if names:
                out.append(' '.join([package] + names) + '\n')
    with open(LIST, 'w', encoding='utf-8') as f:
        f.writelines(out)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--api', metavar='DIR', help="Go's api files")
    ap.add_argument('--update', action='store_true',
                    help='take what is no longer missing out of the list')
    opt = ap.parse_args()
    folder = opt.api or api_folder()
    if folder is None:
        print('no Go is installed: nothing to compare with')
        print('0 passed, 0 failed, 1 skipped')
        return SKIPPED
    lack, known = missing(folder), listed()
    new = sorted(lack - set(known))
    gone = sorted(set(known) - lack)
    for package, name in new:
        print('%s.%s: Go has it, and vole does not' % (package, name))
    if opt.update:
        update(set(gone))
        gone = []
    for package, name in gone:
        print('%s.%s is there now: take it out of api_missing.txt (--update)' %
              (package, name))
    print('%d passed, %d failed, 0 skipped' % (len(lack & set(known)), len(new)))
    return 1 if new else 0


if __name__ == '__main__':
    sys.exit(main())
