#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes gc/sizeclass.h and gc/sizeclass.c: the size classes of the heap.

The rule is TCMalloc's as Go applies it, so that capacities after append() are
those of Go: candidates at steps of an eighth; a span has the fewest pages
that waste at most an eighth at the tail; a class whose successor gets as many
objects into the same span gives way to it; at last each class grows to what
its span has room for, in multiples of 128.

    mksizeclass.py header|source > file
    mksizeclass.py check
"""
import os
import sys

PAGE = 8192
MAX = 32768


TOP = '''/* SPDX-License-Identifier: MIT */
/* Written by gc/mksizeclass.py; do not edit. */
'''

HEADER = '''#ifndef GC_SIZECLASS_H
#define GC_SIZECLASS_H

/*
 * Size classes.  Class 0 stands for large objects, which have a span each.
 * A span class is twice the size class, plus one for spans whose objects
 * hold no pointers (noscan).
 */

#include <stdint.h>

enum {
    GC_PAGE_SHIFT = 13,
    GC_PAGE_SIZE = %d,
    GC_NCLASS = %d,
    GC_NSPANCLASS = 2 * GC_NCLASS,
    GC_SMALL_MAX = %d, /* bytes; larger objects are class 0 */
    GC_SLOTS_MAX = %d /* slots of a span, at most */
};

extern const uint16_t gc_class_size[GC_NCLASS];  /* bytes of a slot */
extern const uint8_t gc_class_pages[GC_NCLASS];  /* pages of a span */
extern const uint32_t gc_class_magic[GC_NCLASS]; /* ceil(2^32 / size) */
extern const uint8_t gc_class8[%d];   /* by (size + 7) / 8 up to 1024 */
extern const uint8_t gc_class128[%d]; /* by (size - 1024 + 127) / 128 */

/* The class of an object of size bytes, 0 < size <= GC_SMALL_MAX. */
static inline unsigned
gc_size_class(uint64_t size)
{
    return size <= 1024 ? gc_class8[(size + 7) / 8]
                        : gc_class128[(size - 1024 + 127) / 128];
}

#endif
'''


def step_at(size, step):
    """The distance to the next candidate, which changes at powers of two."""
    if size & (size - 1):
        return step
    if size >= 2048:
        return 256
    if size >= 128:
        return size // 8
    return 16 if size >= 32 else 8


def pages_for(size):
    n = 1
    while (n * PAGE) % size > n * PAGE // 8:
        n += 1
    return n


def classes():
    out = []
    size = step = 8
    while size <= MAX:
        step = step_at(size, step)
        pages = pages_for(size)
        objs = pages * PAGE // size
        if out and out[-1][1] == pages and pages * PAGE // out[-1][0] == objs:
            out.pop()
        out.append((size, pages))
        size += step
    # The largest size that keeps the count of objects in the same span.
    best = [(0, 0)]
    for size, pages in out:
        fit = pages * PAGE // (pages * PAGE // size)
        best.append((max(size, fit // 128 * 128), pages))
    return best


def table(name, ctype, values, per_line=12):
    rows = []
    for i in range(0, len(values), per_line):
        rows.append('    ' + ', '.join(str(v) for v in values[i:i + per_line])
                    + ',')
    return 'const %s %s[] = {\n%s\n};\n' % (ctype, name, '\n'.join(rows))


def render(cls, what):
    sizes = [c[0] for c in cls]

    def class_of(n):
        return next(i for i in range(1, len(sizes)) if sizes[i] >= n)

    class8 = [0] + [class_of(8 * i) for i in range(1, 1024 // 8 + 1)]
    class128 = [class_of(1024 + 128 * i)
                for i in range(0, (MAX - 1024) // 128 + 1)]
    if what == 'header':
        most = max(p * PAGE // s for s, p in cls[1:])
        return TOP + HEADER % (PAGE, len(cls), MAX, most, len(class8),
                               len(class128))
    return TOP + '#include "gc/sizeclass.h"\n\n' + '\n'.join([
        table('gc_class_size', 'uint16_t', sizes, 10),
        table('gc_class_pages', 'uint8_t', [c[1] for c in cls], 16),
        table('gc_class_magic', 'uint32_t',
              ['0'] + ['%du' % (-(-2**32 // s)) for s in sizes[1:]], 5),
        table('gc_class8', 'uint8_t', class8, 16),
        table('gc_class128', 'uint8_t', class128, 16)])


def main():
    cls = classes()
    if sys.argv[1] == 'check':
        here = os.path.dirname(os.path.abspath(__file__))
        for what, name in ('header', 'sizeclass.h'), ('source', 'sizeclass.c'):
            with open(os.path.join(here, name)) as f:
                if f.read() != render(cls, what):
                    sys.exit('%s is not what mksizeclass.py writes' % name)
        return
    sys.stdout.write(render(cls, sys.argv[1]))


if __name__ == '__main__':
    main()
