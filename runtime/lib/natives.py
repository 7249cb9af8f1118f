#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the C side of the natives from their Go declarations.

usage: natives.py LIBDIR OUT.h OUT.c OUT.d

A native is a Go function without a body in a package of the library, unless
go:linkname says that it is another's.  From
its declaration come, in OUT.h, the frame that it is called with and its
prototype, and in OUT.c its row of lib_natives.  For

    func Cut(s, sep string) (before, after string, found bool)

in package strings they are

    union lib_strings_Cut_2to3 {
        struct { struct rt_str s, sep; } in;
        struct { struct rt_str before, after; uint64_t found; } out;
        union rt_slot slot[5];
    };
    enum vm_status lib_strings_Cut(
        struct vm_thread *t, union lib_strings_Cut_2to3 *f);

so that C code which does not fit a changed declaration does not compile: a
field that is gone or of another type does not where it is used, and what was
added changes the frame's name, which says how many parameters and results
there are.
Parameters and results overlap: read what is needed before a result is
written.  A parameter takes whole slots: integers and bools lie there extended
to 64 bits.

A comment `//native Name` above a declaration says that the C function of Name,
a native of the same package whose frame has the same shape, does for this one
too, with what that does to memory; `//native path.Name` names one of another
package.

A directive `//go:noescape` says that the native neither keeps nor returns what
it is given, so that this may be memory of its caller's frame.

A comment `//race:...` says what the native does to the program's memory; see
access.py.

The folders below tree/ are patches of packages that come from a tree of Go's
sources: their natives belong to the package that they patch.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
import access  # noqa: E402  pylint: disable=wrong-import-position

# The C types of what fits a slot or is made of some, by kind of Go type.
SIGNED = {"int", "int8", "int16", "int32", "int64", "rune"}
UNSIGNED = {"uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "byte",
            "bool"}
SLOTS = {"int64_t": 1, "uint64_t": 1, "double": 1, "float": 1, "void *": 1,
         "struct rt_str": 2, "struct rt_slice": 3, "struct rt_iface": 2}
FIELD = {"int64_t": "i", "uint64_t": "u", "double": "f64", "float": "f32"}
RESERVED = {"auto", "char", "default", "double", "errno", "float", "int", "long",
            "new", "register", "short", "signed", "static", "unsigned", "void"}


# Types that a patch takes from the package that it patches.
OF_TREE = {("tree/math/big", "Word"): "uint",
           ("tree/time", "Duration"): "int64"}


def fail(where, text):
    sys.exit("natives.py: %s: %s" % (where, text))


def split_list(text):
    """Splits at the commas outside of all brackets."""
    out, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            out.append(text[start:i].strip())
            start = i + 1
    out.append(text[start:].strip())
    return [x for x in out if x]


def parameters(text, unnamed):
    """Pairs of name and Go type; unnamed is the name of what has none."""
    parts = split_list(text)
    named = any(re.match(r"\w+\s+\S", p) and not re.match(
        r"(chan|func|map|interface|struct)\b", p) for p in parts)
    if not named:
        return [("%s%d" % (unnamed, i) if len(parts) > 1 else unnamed, p)
                for i, p in enumerate(parts)]
    out, kind = [], None
    for i, p in reversed(list(enumerate(parts))):
        words = p.split(None, 1)
        kind = words[1] if len(words) == 2 else kind
        name = words[0] if words[0] != "_" else "%s%d" % (unnamed, i)
        out.append((name, kind))
    return out[::-1]


class Library:
    """The declarations of all packages."""

    def __init__(self, folder):
        self.types = dict(OF_TREE)  # (package, name) -> Go type
        # (package, name, params, results, alias, where, race)
        self.natives = []
        self.structs = {}  # (package, name) -> types of the fields
        self.unchecked = {}  # package -> "off" or "natives"
        self.files = [folder, access.__file__]
        for path, folders, names in os.walk(folder):
            folders.sort()
            self.files.append(path)
            for name in sorted(names):
                if name.endswith(".go") and not name.endswith("_test.go"):
                    full = os.path.join(path, name)
                    self.files.append(full)
                    with open(full, encoding="utf-8") as f:
                        self.read(os.path.relpath(path, folder), full,
                                  f.read())

    def read(self, package, where, text):
        for name, kind in re.findall(
                r"^\s*(?:type\s+)?(\w+)\s+=?\s*([\w.*\[\]]+|struct|interface)"
                r"(?:\s*\{.*)?$", text, re.M):
            self.types.setdefault((package, name), kind)
        for name, kinds in access.structs(text):
            self.structs.setdefault((package, name), kinds)
        off = re.search(r"^//race:(off|natives)\n(?://.*\n)*package ", text,
                        re.M)
        if off:
            self.unchecked[package] = off.group(1)
        for m in re.finditer(
                r"^((?://.*\n)*)func (\w+)\(", text, re.M):
            if re.search(r"^//go:linkname %s \S" % m.group(2), m.group(1),
                         re.M):
                continue
            end = self.closing(text, m.end() - 1)
            rest = text[end + 1:].split("\n", 1)[0].split("//")[0].strip()
            if rest.startswith("("):
                close = self.closing(text, text.index("(", end + 1))
                results = text[text.index("(", end + 1) + 1:close]
                rest = text[close + 1:].split("\n", 1)[0]
                if rest.split("//")[0].strip():
                    continue
            elif re.sub(r"(interface|struct)\s*\{\}", "", rest).find("{") >= 0:
                continue
            else:
                results = rest
            alias = re.search(r"^//native (\S+)$", m.group(1), re.M)
            race = re.search(r"^//race:(.+)$", m.group(1), re.M)
            self.natives.append((package, m.group(2),
                                 parameters(text[m.end():end], "p"),
                                 parameters(results, "r"),
                                 alias and alias.group(1), where,
                                 race and race.group(1)))

    @staticmethod
    def closing(text, i):
        depth = 0
        for k in range(i, len(text)):
            depth += (text[k] == "(") - (text[k] == ")")
            if depth == 0:
                return k
        return len(text)

    def ctype(self, package, kind, where):
        """The C type of a parameter of a Go type."""
        kind = kind.strip()
        if kind.startswith("..."):
            return "struct rt_slice"
        if kind in SIGNED:
            return "int64_t"
        if kind in UNSIGNED:
            return "uint64_t"
        simple = {"float64": "double", "float32": "float",
                  "string": "struct rt_str", "any": "struct rt_iface",
                  "error": "struct rt_iface", "unsafe.Pointer": "void *"}
        if kind in simple:
            return simple[kind]
        if kind.startswith("[]"):
            return "struct rt_slice"
        if kind.startswith("interface"):
            return "struct rt_iface"
        if kind[0] == "*" or re.match(r"(<-)?chan\b|func\b|map\[", kind):
            return "void *"
        owner, _, name = kind.rpartition(".")
        for path, known in self.types:
            if known == name and (path == package if not owner else
                                  path.split("/")[-1] == owner):
                return self.ctype(path, self.types[path, known], where)
        fail(where, "no C type for %s" % kind)


def c_name(package, name):
    prefix = "lib_tree_" if package.startswith("tree/") else "lib_"
    return "%s%s_%s" % (prefix, package.split("/")[-1], name)


def frame_name(native):
    """The tag of the union that a native is called with."""
    return "%s_%dto%d" % (c_name(native[0], native[1]), len(native[2]),
                          len(native[3]))


def go_name(package, name):
    """What the generator calls a native; a patch is part of its package."""
    if package.startswith("tree/"):
        package = package[len("tree/"):]
    return package + "." + name


def fields(lib, native, params):
    package, where = native[0], native[5]
    out = []
    for name, kind in params:
        ctype = lib.ctype(package, kind, where)
        out.append((name + "_" if name in RESERVED else name, ctype))
    return out


def frame(lib, native):
    """The fields of both structs, and the slots of the frame."""
    ins = fields(lib, native, native[2])
    outs = fields(lib, native, native[3])
    slots = max(sum(SLOTS[t] for _, t in f) for f in (ins, outs))
    return ins, outs, slots


def accesses(lib, native):
    """The rows of the native's column, see access.py.  An alias that says
    nothing does what the other one does."""
    if native[4] and native[6] is None:
        native = target(lib, native)
    package, name, params, results, _, where, race = native

    def slots(kind):
        return SLOTS[lib.ctype(package, kind, where)]

    if race is None:
        fail(where, "%s: no //race: comment says what it does to memory (see "
             "access.py)" % name)
    sizes = access.Sizes(lib.types, lib.structs)
    column = access.Column(sizes, package, access.Frame(
        params, results, slots, lambda kind: sizes.slice(package, kind)))
    try:
        return column.rows(race)
    except ValueError as e:
        fail(where, "%s: //race:%s: %s" % (name, race, e))


def struct_text(list_, name):
    if not list_:
        return ""
    out = "    struct {\n"
    for field, ctype in list_:
        if ctype == "float":
            out += "        _Alignas(8) float %s;\n" % field
        else:
            out += "        %s%s%s;\n" % (
                ctype, "" if ctype.endswith("*") else " ", field)
    return out + "    } %s;\n" % name


def header(lib):
    out = ['/* Made by runtime/lib/natives.py; do not edit. */\n'
           '#ifndef RUNTIME_LIB_NATIVES_H\n#define RUNTIME_LIB_NATIVES_H\n\n'
           '#include <stdint.h>\n\n#include "runtime/vm/native.h"\n']
    for native in lib.natives:
        if native[4]:
            continue
        name, tag = c_name(native[0], native[1]), frame_name(native)
        ins, outs, slots = frame(lib, native)
        out.append("\n/* %s.%s */\nunion %s {\n%s%s"
                   "    union rt_slot slot[%d];\n};\n"
                   % (native[0], native[1], tag, struct_text(ins, "in"),
                      struct_text(outs, "out"), max(slots, 1)))
        for list_, part in ((ins, "in"), (outs, "out")):
            at = 0
            for field, ctype in list_:
                out.append('_Static_assert(offsetof(union %s, %s.%s) '
                           '== %d, "a frame");\n'
                           % (tag, part, field, 8 * at))
                at += SLOTS[ctype]
        out.append("enum vm_status %s(\n    struct vm_thread *t, "
                   "union %s *f);\n" % (name, tag))
    out.append("\n#endif\n")
    return "".join(out)


def target(lib, native):
    """The native whose C function does for an alias."""
    package, name = native[0], native[4]
    if "." in name:
        package, name = name.rsplit(".", 1)
    for other in lib.natives:
        if other[0] == package and other[1] == name and not other[4]:
            shape = [[t for _, t in f] for f in frame(lib, native)[:2]]
            if shape != [[t for _, t in f] for f in frame(lib, other)[:2]]:
                fail(native[5], "%s and %s have other frames"
                     % (native[1], name))
            return other
    fail(native[5], "no native %s for %s" % (native[4], native[1]))


def table(lib):
    out = ['/* Made by runtime/lib/natives.py; do not edit. */\n'
           '#include "runtime/lib/lib.h"\n#include "runtime/lib/natives.h"\n']
    rows, lists = [], {}
    for native in lib.natives:
        column = tuple(accesses(lib, native))
        if column and column not in lists:
            lists[column] = "access_%d" % len(lists)
            out.append("\nstatic const struct vm_access %s[] = {\n"
                       % lists[column])
            out += ["    {%s, %d, %d, %d},\n" % row for row in column]
            out.append("    {VM_ACCESS_END, 0, 0, 0}\n};\n")
        of = target(lib, native) if native[4] else native
        name = c_name(of[0], of[1])
        rows.append('    {"%s", row_%s, %s},\n'
                    % (go_name(native[0], native[1]), name,
                       lists.get(column, "NULL")))
        if of is native:
            out.append("\nstatic enum vm_status\nrow_%s(struct vm_thread *t, "
                       "union rt_slot *fp)\n{\n    return %s(t, (void *)fp);"
                       "\n}\n" % (name, name))
    out.append("\nconst struct vm_native lib_natives[] = {\n")
    out += rows
    out.append("    {NULL, NULL, NULL}\n};\n")
    out.append("\nconst struct vm_unchecked lib_unchecked[] = {\n")
    out += ['    {"%s", %s},\n' % (package, str(what == "natives").lower())
            for package, what in sorted(lib.unchecked.items())]
    out.append("    {NULL, false}\n};\n")
    return "".join(out)


def main():
    folder, out_h, out_c, out_d = sys.argv[1:5]
    lib = Library(folder)
    c_names = [c_name(n[0], n[1]) for n in lib.natives if not n[4]]
    for name in c_names:
        if c_names.count(name) > 1:
            fail(folder, "two natives are " + name)
    for path, text in ((out_h, header(lib)), (out_c, table(lib))):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    with open(out_d, "w", encoding="utf-8") as f:
        f.write("%s %s: %s\n" % (out_h, out_c, " ".join(lib.files)))


if __name__ == "__main__":
    main()
