#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""natives.py on small libraries: C code that fits the Go declarations compiles,
and none that does not; aliases that do not fit are refused, and natives that do
not say what they do to memory.

usage: natives_test.py NATIVES.PY SOURCE-ROOT COMPILER...
"""
import os
import subprocess
import sys
import tempfile

SCRIPT, ROOT, CC = sys.argv[1], sys.argv[2], sys.argv[3:]

GO = """// Package p has natives.
//
//race:off
package p

// Level has a C type through its underlying one.
type Level int8

type Names = []string

//race:none
func Cut(s, sep string) (before, after string, found bool)
//race:constant
func Scale(x float64, by float32, l Level) (float64, float32)
//race:writes p, reads all
func Any(v any, p *int, all Names, f func(int) bool) error
//race:orders
func Nothing()
func Body(x int) int { return x }
func BodyBelow(x interface{}) (y int) {
\treturn 1
}

//native Cut
//race:none
func Halve(a, b string) (c, d string, e bool)
"""

# Accesses, and the rows that they become.
ACCESSES = (
    ("func F(b []byte)", "reads b", "VM_READS, 0, 0, 1"),
    ("func F(x int, b [][3]int16)", "writes b", "VM_WRITES, 1, 0, 6"),
    ("func F(p *int32)", "reads p", "VM_READS_FIXED, 0, 0, 4"),
    ("type T struct {\n\ta, b byte\n\tc []int // d\n}\n\nfunc F(s string, p *T)",
     "writes p", "VM_WRITES_FIXED, 2, 0, 32"),
    ("func F(p *T)", "writes p:48", "VM_WRITES_FIXED, 0, 0, 48"),
    ("func F(p unsafe.Pointer, n int)", "reads p:n", "VM_READS_BYTES, 0, 1, 1"),
    ("func F(b, c []byte)", "reads b[:c], reads c", "VM_READS_FIRST, 0, 4, 1"),
    ("func F(b, c []byte)", "reads b[-c:], reads c", "VM_READS_LAST, 0, 4, 1"),
    ("func F(fd int, b []byte) (n, e int)", "writes b[:n], io in",
     "VM_WRITES_FIRST_OUT, 1, 0, 1"),
    ("func F(fd int, b []byte) (e, n int)", "writes b[:n], io in",
     "VM_IO_IN, 0, 0, 0"),
    ("func F(b []int) (e, n int)", "reads b[-n:]", "VM_READS_LAST_OUT, 0, 1, 8"),
    ("func F(b []byte) int", "reads b upto r", "VM_READS_UPTO, 0, 0, 1"),
    ("func F(b []byte) int", "reads b from r", "VM_READS_FROM, 0, 0, 1"),
    ("func F(b []byte) []byte", "reads b around r", "VM_READS_AROUND, 0, 0, 1"),
    ("func F(b []string) []string", "appends b", "VM_APPENDS, 0, 0, 16"),
    ("func F(b [][]rune)", "reads b each", "VM_READS_EACH, 0, 0, 4"),
    ("func F(t, p unsafe.Pointer)", "reads p as t", "VM_READS_TYPE, 1, 0, 0"),
    ("func F(t, p unsafe.Pointer, i int)", "writes p as t.elem at i",
     "VM_WRITES_TYPE, 1, 0, 770"),
    ("func F(p *uint64, old, new uint64) bool", "atomic cas p",
     "VM_ATOMIC_CAS, 0, 0, 8"),
    ("func F(p **int, old, new *int) bool", "atomic load p",
     "VM_ATOMIC_LOAD, 0, 0, 8"),
)

# Declarations that are refused, and why.
REFUSED = (
    ("func F(x int)", None, "no //race: comment"),
    ("func F(b []byte)", "none", "none, but it has b"),
    ("func F(p *int)", "none", "none, but it has p"),
    ("func F(b, c []byte)", "reads b", "nothing is said of c"),
    ("func F(b []byte)", "reads c", "no parameter c"),
    ("func F(b []byte)", "looks at b", "what is"),
    ("func F(b []byte) int", "reads b upto n", "no result n"),
    ("func F(b []Unknown)", "reads b", "size of Unknown is not known"),
)

BODY = """
#include "runtime/lib/natives.h"
enum vm_status
lib_p_Cut(struct vm_thread *t, union lib_p_Cut_2to3 *f)
{
    (void)t;
    int64_t n = f->in.s.len + f->in.sep.len;
    f->out.after = f->out.before;
    f->out.found = n > 0;
    return VM_OK;
}
enum vm_status
lib_p_Scale(struct vm_thread *t, union lib_p_Scale_3to2 *f)
{
    (void)t;
    double x = f->in.x * (double)f->in.by * (double)f->in.l;
    f->out.r0 = x;
    f->out.r1 = 1;
    return VM_OK;
}
enum vm_status
lib_p_Any(struct vm_thread *t, union lib_p_Any_4to1 *f)
{
    (void)t;
    f->out.r = f->in.v.type != 0 && f->in.p != 0 && f->in.all.cap > 0 &&
        f->in.f != 0 ? f->in.v : (struct rt_iface){ 0 };
    return VM_OK;
}
enum vm_status
lib_p_Nothing(struct vm_thread *t, union lib_p_Nothing_0to0 *f)
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


def check_access():
    head = "package p\n\n"
    for go, says, row in ACCESSES:
        with tempfile.TemporaryDirectory() as folder:
            before, _, last = go.rpartition("func F")
            r = make(folder, head + before + "//race:%s\nfunc F%s\n" % (
                says, last))
            check(says, r.returncode == 0, r.stderr)
            with open(folder + "/runtime/lib/natives.c",
                      encoding="utf-8") as f:
                table = f.read()
            check(says, "{%s}" % row in table, table)
            check(says, '{"p.F", row_lib_p_F, access_0}' in table, table)
    for go, says, why in REFUSED:
        with tempfile.TemporaryDirectory() as folder:
            r = make(folder, head + ("//race:%s\n" % says if says else "")
                     + go + "\n")
            check("%s: %s" % (go, says), r.returncode != 0 and
                  why in r.stderr, r.stderr)


def main():
    check_access()
    with tempfile.TemporaryDirectory() as folder:
        r = make(folder, GO)
        check("a good library", r.returncode == 0, r.stderr)
        check("its code", *compiles(folder, BODY))
        with open(folder + "/runtime/lib/natives.c", encoding="utf-8") as f:
            table = f.read()
        check("rows", table.count('{"p.') == 5, table)
        check("alias", '{"p.Halve", row_lib_p_Cut, NULL}' in table, table)
        check("the package's word", '{"p", false},' in table, table)
        for old, new in (("s, sep string", "text, sep string"),
                         ("sep string", "sep int"),
                         ("found bool", "found string"),
                         ("x float64", "x string"),
                         ("l Level", "l Names"),
                         ("v any", "v string"),
                         ("all Names", "all int"),
                         (" error", ""),
                         ("sep string", "sep string, n int"),
                         ("found bool", "found bool, n int"),
                         ("Nothing()", "Nothing(n int)"),
                         ("Nothing()", "Nothing() int")):
            go = GO.replace("reads all", "reads all:8").replace("//native Cut\n//race:none\nfunc Halve(a, b string) "
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
