#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""natives.py on small libraries: C code that fits the Go declarations compiles,
and none that does not; aliases that do not fit are refused.

usage: natives_test.py NATIVES.PY SOURCE-ROOT COMPILER...
"""
import os
import subprocess
import sys
import tempfile

SCRIPT, ROOT, CC = sys.argv[1], sys.argv[2], sys.argv[3:]

GO = """package p

// Level has a C type through its underlying one.
type Level int8

type Names = []string

func Cut(s, sep string) (before, after string, found bool)
func Scale(x float64, by float32, l Level) (float64, float32)
func Any(v any, p *int, all Names, f func(int) bool) error
func Nothing()
func Body(x int) int { return x }
func BodyBelow(x interface{}) (y int) {
\treturn 1
}

//native Cut
func Halve(a, b string) (c, d string, e bool)
"""

BODY = """
#include "runtime/lib/natives.h"
enum vm_status
lib_p_Cut(struct vm_thread *t, union lib_p_Cut_frame *f)
{
    (void)t;
    int64_t n = f->in.s.len + f->in.sep.len;
    f->out.after = f->out.before;
    f->out.found = n > 0;
    return VM_OK;
}
enum vm_status
lib_p_Scale(struct vm_thread *t, union lib_p_Scale_frame *f)
{
    (void)t;
    double x = f->in.x * (double)f->in.by * (double)f->in.l;
    f->out.r0 = x;
    f->out.r1 = 1;
    return VM_OK;
}
enum vm_status
lib_p_Any(struct vm_thread *t, union lib_p_Any_frame *f)
{
    (void)t;
    f->out.r = f->in.v.type != 0 && f->in.p != 0 && f->in.all.cap > 0 &&
        f->in.f != 0 ? f->in.v : (struct rt_iface){ 0 };
    return VM_OK;
}
enum vm_status
lib_p_Nothing(struct vm_thread *t, union lib_p_Nothing_frame *f)
{
    (void)t;
    (void)f;
    return VM_OK;
}
"""

bad = 0


def check(what, ok, text=""):
    global bad
    if not ok:
        bad += 1
        print("FAIL", what, text)


def make(folder, go):
    """Runs natives.py; the process."""
    lib = os.path.join(folder, "runtime", "lib")
    os.makedirs(os.path.join(lib, "p"), exist_ok=True)
    with open(os.path.join(lib, "p", "p.go"), "w", encoding="utf-8") as f:
        f.write(go)
    return subprocess.run(
        [sys.executable, SCRIPT, lib, lib + "/natives.h", lib + "/natives.c",
         lib + "/natives.d"], capture_output=True, text=True, check=False)


def compiles(folder, body):
    path = os.path.join(folder, "native.c")
    with open(path, "w", encoding="utf-8") as f:
        f.write(body)
    r = subprocess.run(
        CC + ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
              "-I", folder, "-I", ROOT, path],
        capture_output=True, text=True, check=False)
    return r.returncode == 0, r.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        r = make(folder, GO)
        check("a good library", r.returncode == 0, r.stderr)
        check("its code", *compiles(folder, BODY))
        with open(folder + "/runtime/lib/natives.c", encoding="utf-8") as f:
            table = f.read()
        check("rows", table.count('{"p.') == 5, table)
        check("alias", '{"p.Halve", row_lib_p_Cut}' in table, table)
        for old, new in (("s, sep string", "text, sep string"),
                         ("sep string", "sep int"),
                         ("found bool", "found string"),
                         ("x float64", "x string"),
                         ("l Level", "l Names"),
                         ("v any", "v string"),
                         ("all Names", "all int"),
                         (" error", "")):
            go = GO.replace("//native Cut\nfunc Halve(a, b string) "
                            "(c, d string, e bool)\n", "").replace(old, new, 1)
            r = make(folder, go)
            check("changed " + old, r.returncode == 0, r.stderr)
            check("code for " + new, not compiles(folder, BODY)[0])
        r = make(folder, GO.replace("func Halve(a, b", "func Halve(a, b, c"))
        check("an alias of another shape", "have other frames" in r.stderr)
        r = make(folder, GO.replace("//native Cut", "//native Put"))
        check("an alias of nothing", "no native Put" in r.stderr)
        r = make(folder, GO.replace("type Level int8", ""))
        check("an unknown type", "no C type for Level" in r.stderr)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
