#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every function without a body in runtime/lib has a row in lib_table.def,
and every row a function; otherwise a program fails only when it is loaded.

usage: check_natives.py LIBDIR
"""
import os
import re
import sys


def declared(lib):
    found = set()
    for folder, _, names in os.walk(lib):
        path = os.path.relpath(folder, lib)
        for name in names:
            if path == "." or not name.endswith(".go"):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                for line in f:
                    m = re.match(r"func (\w+)\(", line)
                    if m and "{" not in re.sub(r"(interface|struct)\{", "",
                                               line.split("//")[0]):
                        if not line.rstrip().endswith(("(", ",")):
                            found.add(path + "." + m.group(1))
    return found


def main():
    lib = sys.argv[1]
    with open(os.path.join(lib, "lib_table.def"), encoding="utf-8") as f:
        rows = re.findall(r'LIB_NATIVE\(\s*"([^"]+)"', f.read())
    bad = 0
    for name in sorted(declared(lib) - set(rows)):
        print("no row for", name)
        bad += 1
    for name in sorted(set(rows) - declared(lib)):
        print("no Go declaration of", name)
        bad += 1
    if len(rows) != len(set(rows)):
        print("a row is there twice")
        bad += 1
    if not rows:
        print("no rows at all")
        bad += 1
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
