#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each native's C function reads all parameters and writes all results of its
Go declaration.

C code that does not fit a changed declaration does not compile, but what is
made to compile again may still ignore an argument.  So the code is looked at
after preprocessing, where macros have made functions: each field of the frame
is mentioned there, be it as `(void)f->in.x`.

And what works atomically on a word of the program says so to the race detector
(`//race:atomic`, or inner or orders), and nobody else does.

usage: check_natives.py --build BUILD
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
LIB = os.path.join(ROOT, "runtime", "lib")
sys.path.insert(0, LIB)
sys.dont_write_bytecode = True
import natives  # noqa: E402  pylint: disable=wrong-import-position


def preprocessed(build):
    """The texts of the library's C files."""
    with open(os.path.join(build, "compile_commands.json"),
              encoding="utf-8") as f:
        entries = json.load(f)
    seen = set()
    for e in entries:
        path = os.path.realpath(os.path.join(e["directory"], e["file"]))
        if not path.startswith(LIB + os.sep) or path in seen:
            continue
        seen.add(path)
        args = shlex.split(e["command"])
        for flag in ("-o", "-MF", "-MQ"):
            i = args.index(flag)
            del args[i:i + 2]
        args = [a for a in args if a not in ("-c", "-MD")] + ["-E", "-P"]
        yield subprocess.run(args, cwd=e["directory"], capture_output=True,
                             text=True, check=True).stdout


def bodies(text):
    """Pairs of name and body of the natives."""
    for m in re.finditer(
            r"union (lib_\w+)_\d+to\d+ \*\s*\w+\)\s*\{", text):
        depth, i = 1, m.end()
        while depth > 0:
            depth += {"{": 1, "}": -1}.get(text[i], 0)
            i += 1
        yield m.group(1), text[m.end():i]


ATOMIC = re.compile(r"\ba(?:32|64|ptr)_\w+\(\s*(?:\([^()]*\)\s*)?f->in\.|"
                    r"\ba_(?:u32|u64|ptr) \*\w+ = ")


def check_atomics(lib, atomics):
    """Complaints about natives that work atomically on a word, or do not."""
    for native in lib.natives:
        package, name, says = native[0], native[1], native[6] or ""
        if native[4]:
            continue
        does = natives.c_name(package, name) in atomics
        if does and says.split()[0] not in ("atomic", "inner", "orders"):
            yield "%s.%s: atomic, but its //race: does not say so" % (
                package, name)
        if not does and says.startswith("atomic"):
            yield "%s.%s: //race:atomic, but it is not" % (package, name)


def check(lib, mentioned):
    """The complaints."""
    for native in lib.natives:
        if native[4]:
            continue
        name = natives.c_name(native[0], native[1])
        if name not in mentioned:
            yield "%s: no C function" % name
            continue
        for part, list_ in (("in", native[2]), ("out", native[3])):
            for field, _ in natives.fields(lib, native, list_):
                if (part, field) not in mentioned[name]:
                    yield "%s: %s.%s is never looked at" % (name, part, field)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    ap.add_argument("--build", required=True)
    opt = ap.parse_args()
    mentioned, atomics = {}, set()
    for text in preprocessed(opt.build):
        for name, body in bodies(text):
            mentioned.setdefault(name, set()).update(
                re.findall(r"->\s*(in|out)\s*\.\s*(\w+)", body))
            if ATOMIC.search(body):
                atomics.add(name)
    lib = natives.Library(LIB)
    complaints = list(check(lib, mentioned))
    complaints += check_atomics(lib, atomics)
    print("\n".join(complaints))
    print("%d natives" % len(mentioned))
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
