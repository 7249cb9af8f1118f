#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packs the Go sources of the bundled library into one C file.

usage: embed.py LIBDIR OUT.c OUT.d

Every folder below LIBDIR with .go files is a package; its import path is the
folder's.  Comments are removed (their newlines stay) so that the compiler at
run time has less to read.  OUT.d lists the files and folders read, so that a
new file makes the build run this program again.
"""
import os
import sys


def strip_comments(text):
    out = []
    i, n = 0, len(text)
    while i < n:
        c = text[i]
        if text.startswith("//go:", i):
            j = text.find("\n", i)
            j = n if j < 0 else j
            out.append(text[i:j])
        elif text.startswith("//", i):
            j = text.find("\n", i)
            j = n if j < 0 else j
            while out and out[-1] in (" ", "\t"):
                out.pop()
        elif text.startswith("/*", i):
            j = text.index("*/", i) + 2
            lines = text.count("\n", i, j)
            out.append("\n" * lines if lines else " ")
        elif c == "`":
            j = text.index("`", i + 1) + 1
            out.append(text[i:j])
        elif c in "\"'":
            j = i + 1
            while text[j] != c:
                j += 2 if text[j] == "\\" else 1
            j += 1
            out.append(text[i:j])
        else:
            j = i + 1
            out.append(c)
        i = j
    return "".join(out)


def c_string(text):
    lines = []
    for line in text.encode().splitlines(keepends=True):
        s = ""
        for b in line:
            if b == 10:
                s += "\\n"
            elif b == 9:
                s += "\\t"
            elif b in (34, 92):
                s += "\\" + chr(b)
            elif b == 63:
                s += "\\?"  # no trigraphs
            elif 32 <= b < 127:
                s += chr(b)
            else:
                s += "\\%03o" % b
        lines.append('    "%s"' % s)
    return "\n".join(lines) if lines else '    ""'


def main():
    lib, out_c, out_d = sys.argv[1:4]
    packages, deps = [], []
    for folder, subfolders, names in os.walk(lib):
        subfolders.sort()
        deps.append(folder)
        path = os.path.relpath(folder, lib)
        files = []
        for name in sorted(names):
            if path == "." or not name.endswith(".go"):
                continue
            if name.endswith("_test.go"):
                continue
            full = os.path.join(folder, name)
            deps.append(full)
            with open(full, encoding="utf-8") as f:
                text = f.read()
            if "//go:build ignore" in text:
                continue
            files.append((path + "/" + name, strip_comments(text)))
        if files:
            packages.append((path, files))
    packages.sort(key=lambda p: p[0].encode())

    with open(out_c, "w", encoding="utf-8") as f:
        f.write("/* Made by runtime/lib/embed.py; do not edit. */\n")
        f.write('#include "runtime/lib/lib.h"\n\n')
        for k, (path, files) in enumerate(packages):
            f.write("static const struct lib_file files_%d[] = {\n" % k)
            for name, text in files:
                f.write('    {"%s",\n%s,\n    %d},\n'
                        % (name, c_string(text), len(text.encode())))
            f.write("};\n\n")
        f.write("static const struct lib_package packages[] = {\n")
        for k, (path, files) in enumerate(packages):
            f.write('    {"%s", files_%d, %d},\n' % (path, k, len(files)))
        f.write("};\n\nconst struct lib_package *\n"
                "lib_packages(unsigned *n)\n{\n"
                "    *n = sizeof packages / sizeof packages[0];\n"
                "    return packages;\n}\n")
    with open(out_d, "w", encoding="utf-8") as f:
        f.write("%s: %s\n" % (out_c, " ".join(deps)))


if __name__ == "__main__":
    main()
