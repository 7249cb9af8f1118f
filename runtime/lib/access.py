# SPDX-License-Identifier: MIT
"""What natives do to the memory of a program, for the race detector.

Each native says so in a comment above its Go declaration, and there is no
default: one that accesses memory and does not tell hides races, one that makes
order and does not tell makes false alarms.

    //race none                 no memory that a program can write, no order
    //race constant             only memory that nobody writes once it is made
    //race inner                only memory that natives and packages which are
                                not checked use
    //race orders               it, or what it calls, tells the detector
    //race ACCESS, ACCESS ...

    reads P, writes P           the elements of the slice P, or what the
                                pointer P points to
    reads P[:Q]                 as many first elements as the slice Q has
    reads P[-Q:]                as many last ones; where P is shorter: none
    reads P:N                   N bytes at most; N is a number or a parameter
    reads P as T                a value of the type that the parameter T holds;
                                T.key, T.elem: of that type's
    writes P as T at I          the element with index I, a parameter, of an
                                array of such
    reads P each                the elements of a slice of slices, and theirs
    reads P[:R], reads P[-R:]   R first or last elements, R a result
    reads P upto R              up to the one with index R; all where R < 0
    reads P from R              from that one on
    reads P around R            what is cut off to get the result R, and an
                                element more on each side
    writes P[:R]                R elements, R a result
    appends P                   as append() does, to get the first result
    atomic load P               a word, in one step with the order that it
    atomic store P              makes; cas: the first result says whether it
    atomic rmw P                was written
    atomic cas P
    io in, io out               what others wrote out comes before; in, only
                                where the first result is above 0

What the first four words say must fit the parameters: where there are slices
or pointers, `none` is no answer; and an ACCESS must speak of all of them.

`//race:off` above a package clause: its functions are not checked, nor natives
that they call, as in sync, which tells the detector itself; `//race:natives`:
only the natives are.
"""
import re

WORDS = ("none", "constant", "inner", "orders")
BASIC = {"bool": 1, "int8": 1, "uint8": 1, "byte": 1, "int16": 2, "uint16": 2,
         "int32": 4, "uint32": 4, "rune": 4, "float32": 4, "string": 16,
         "any": 16, "error": 16, "complex128": 16}
WORD = {"int", "uint", "int64", "uint64", "uintptr", "float64", "complex64",
        "unsafe.Pointer"}


def structs(text):
    """Pairs of name and fields of the struct types of a Go text."""
    for m in re.finditer(r"^\s*(?:type )?(\w+) struct \{\n(.*?)^\s*\}", text,
                         re.M | re.S):
        fields = []
        for line in m.group(2).split("\n"):
            line = re.sub(r"//.*|`[^`]*`", "", line).strip()
            if line:
                names, _, kind = line.rpartition(" ") if not re.search(
                    r"\b(func|map|chan)\b", line) else (line, "", "*")
                fields += [kind or line] * max(1, len(names.split(",")))
        yield m.group(1), fields


class Sizes:
    """Sizes and alignments of Go types."""

    def __init__(self, types, fields):
        self.types, self.fields = types, fields

    def of(self, package, kind):
        """None where it is not known."""
        kind = kind.strip()
        if kind in BASIC:
            return BASIC[kind], min(BASIC[kind], 8)
        if kind in WORD or kind[0] == "*" or re.match(
                r"(<-)?chan\b|func\b|map\[", kind):
            return 8, 8
        if kind.startswith("[]"):
            return 24, 8
        m = re.match(r"\[(\d+)\](.*)", kind)
        if m:
            one = self.of(package, m.group(2))
            return one and (int(m.group(1)) * one[0], one[1])
        owner, _, name = kind.rpartition(".")
        for path, known in sorted(self.types):
            if known == name and (path == package if not owner else
                                  path.split("/")[-1] == owner):
                if (path, name) in self.fields:
                    return self.struct(path, self.fields[path, name])
                return self.of(path, self.types[path, name])
        return None

    def struct(self, package, kinds):
        at, most = 0, 1
        for kind in kinds:
            one = self.of(package, kind)
            if one is None:
                return None
            at = (at + one[1] - 1) // one[1] * one[1] + one[0]
            most = max(most, one[1])
        return (at + most - 1) // most * most, most


    def slice(self, package, kind):
        """The slice type that a type of the package is, else itself."""
        known = self.types.get((package, kind), "")
        return known if known.startswith("[]") else kind


class Frame:
    """Where parameters and results lie: name -> (slot, Go type)."""

    def __init__(self, ins, outs, slots, shown):
        self.slots, self.shown = slots, shown
        self.ins, self.outs = self.place(ins), self.place(outs)

    def place(self, list_):
        out, at = {}, 0
        for name, kind in list_:
            out[name] = (at, self.shown(kind))
            at += self.slots(kind)
        return out


def points_to_memory(kind):
    """A slice, or a pointer to what the program may write."""
    return kind.startswith(("[]", "...")) or kind[0] == "*"


ACCESS = re.compile(r"(reads|writes|appends) (\w+)(?:\[(-?):?(\w+):?\]|:(\w+)|"
                    r" as (\w+)(?:\.(key|elem))?(?: at (\w+))?| (each)|"
                    r" (upto|from|around) (\w+))?$")


class Column:
    """Turns what a directive says into rows of struct vm_access."""

    def __init__(self, sizes, package, frame):
        self.sizes, self.package, self.frame = sizes, package, frame

    def target(self, kind):
        """The size of an element, or of what a pointer points to."""
        kind = re.sub(r"^\.\.\.", "[]", kind)
        kind = kind[2:] if kind.startswith("[]") else kind[1:]
        size = self.sizes.of(self.package, kind)
        if size is None:
            raise ValueError("size of %s is not known" % kind)
        return size[0]

    def param(self, name):
        if name not in self.frame.ins:
            raise ValueError("no parameter " + name)
        return self.frame.ins[name]

    def one(self, text):
        """A row: what, slot, other slot, size; and the parameter's name."""
        m = re.match(r"io (in|out)$", text)
        if m:
            return ("VM_IO_" + m.group(1).upper(), 0, 0, 0), None
        m = re.match(r"atomic (load|store|rmw|cas) (\w+)$", text)
        if m:
            slot, kind = self.param(m.group(2))
            return ("VM_ATOMIC_" + m.group(1).upper(), slot, 0,
                    self.target(kind)), m.group(2)
        m = ACCESS.match(text)
        if not m:
            raise ValueError("what is '%s'?" % text)
        (verb, name, minus, upper, count, of, part, index, each, way,
         result) = m.groups()
        slot, kind = self.param(name)
        verb = {"reads": "VM_READS", "writes": "VM_WRITES",
                "appends": "VM_APPENDS"}[verb]
        if of:
            at = self.param(index)[0] + 1 if index else 0
            return (verb + "_TYPE", slot, self.param(of)[0],
                    {None: 0, "key": 1, "elem": 2}[part] | at << 8), name
        if count:
            if count.isdigit():
                return (verb + "_FIXED", slot, 0, int(count)), name
            return (verb + "_BYTES", slot, self.param(count)[0], 1), name
        if each:
            return (verb + "_EACH", slot, 0, self.target(kind[2:])), name
        size = self.target(kind)
        if way:
            if result not in self.frame.outs:
                raise ValueError("no result " + result)
            return (verb + "_" + way.upper(), slot,
                    self.frame.outs[result][0], size), name
        if upper:
            where = "_LAST" if minus else "_FIRST"
            if upper in self.frame.outs:
                return (verb + where + "_OUT", slot,
                        self.frame.outs[upper][0], size), name
            return (verb + where, slot, self.param(upper)[0] + 1, size), name
        if kind[0] == "*":
            return (verb + "_FIXED", slot, 0, size), name
        return (verb, slot, 0, size), name

    def rows(self, directive):
        """The rows that a directive asks for, maybe none."""
        memory = {n for n, (_, kind) in self.frame.ins.items()
                  if points_to_memory(kind)}
        if directive in WORDS:
            if directive == "none" and memory:
                raise ValueError("none, but it has " + ", ".join(sorted(memory)))
            return []
        out = []
        for text in directive.split(","):
            row, name = self.one(" ".join(text.split()))
            out.append(row)
            memory.discard(name)
        if directive.startswith("atomic "):
            memory.clear()  # the others are values
        if memory:
            raise ValueError("nothing is said of " + ", ".join(sorted(memory)))
        return out
