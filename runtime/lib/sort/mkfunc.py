#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes from algo.go: algo_func.go, the same algorithms over *lessSwap, whose
elements are swapped in place if they are words, else by a native, and a
function that compares, which is a parameter everywhere, so that machine code
can guess who it is; and package slices' sort_func.go and sort_ordered.go, the
same over a slice, with a function that compares or with the elements' own
order.  Run in this folder after a change."""
import re

OPERAND = r"((?:[^(),]|\([^()]*\))+)"

SWAP = (r"\1if w := data.words; len(w) != 0 {\n"
        r"\1\tw[\2], w[\3] = w[\3], w[\2]\n"
        r"\1} else {\n"
        r"\1\tswap(data.data, data.elem, \2, \3)\n"
        r"\1}")


def generic(text, names, suffix, params, args, less, not_less):
    """The algorithms over the elements of a slice."""
    for name in names:
        text = re.sub(r"\bfunc %s\(data Interface" % name,
                      "func %s%s(%s" % (name, suffix, params), text)
        text = re.sub(r"(?<!func )\b%s\(data\b" % name,
                      "%s%s(%s" % (name, suffix, args), text)
        text = re.sub(r"^// %s\b" % name, "// " + name + suffix, text,
                      flags=re.M)
    # A function has its type parameters behind its name.
    text = re.sub(r"^func (\w+)\(data \[\]E", r"func \1[E %s](data []E" %
                  ("cmp.Ordered" if suffix == "Ordered" else "any"), text,
                  flags=re.M)
    text = re.sub(r"!data\.Less\(%s, %s\)" % (OPERAND, OPERAND),
                  lambda m: not_less % m.groups(), text)
    text = re.sub(r"data\.Less\(%s, %s\)" % (OPERAND, OPERAND),
                  lambda m: less % m.groups(), text)
    return re.sub(r"data\.Swap\(%s, %s\)" % (OPERAND, OPERAND),
                  r"data[\1], data[\2] = data[\2], data[\1]", text)


def write(path, package, body, imports=""):
    with open(path, "w") as f:
        f.write("// SPDX-License-Identifier: MIT\n\n"
                "// Made from sort/algo.go by sort/mkfunc.py.\n\n"
                "package %s\n\n%s%s\n" % (package, imports, body.rstrip()))


def main():
    text = open("algo.go").read()
    body = "func insertionSort" + text.split("func insertionSort", 1)[1]
    names = re.findall(r"^func (\w+)\(", body, re.M)
    func = body
    for name in names:
        func = re.sub(r"\b%s\(data\b(?! Interface)" % name,
                      name + "(data, less", func)
        func = re.sub(r"\b%s\(" % name, name + "_func(", func)
    func = re.sub(r"data Interface\b",
                  "data *lessSwap, less func(i, j int) bool", func)
    func = re.sub(r"\bdata\.Less\(", "less(", func)
    func = re.sub(r"^(\t+)data\.Swap\(%s, %s\)$" % (OPERAND, OPERAND), SWAP,
                  func, flags=re.M)
    func = re.sub(r"^// (%s)\b" % "|".join(names), r"// \1_func", func,
                  flags=re.M)
    write("algo_func.go", "sort", func)

    shared = "// shortRange" + text.split("// shortRange", 1)[1]
    shared = shared.split("func insertionSort", 1)[0]
    write("../slices/sort_func.go", "slices", shared + generic(
        body, names, "Func", "data []E, cmp func(a, b E) int", "data, cmp",
        "cmp(data[%s], data[%s]) < 0", "cmp(data[%s], data[%s]) >= 0"))
    # Only what Sort needs: a stable order of equal numbers is no other one.
    ordered = body.split("func stable", 1)[0]
    write("../slices/sort_ordered.go", "slices", generic(
        ordered, names, "Ordered", "data []E", "data",
        "cmp.Less(data[%s], data[%s])", "!cmp.Less(data[%s], data[%s])"),
        'import "cmp"\n\n')


if __name__ == "__main__":
    main()
