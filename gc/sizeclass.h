/* SPDX-License-Identifier: MIT */
/* Written by gc/mksizeclass.py; do not edit. */
#ifndef GC_SIZECLASS_H
#define GC_SIZECLASS_H

/*
 * Size classes.  Class 0 stands for large objects, which have a span each.
 * A span class is twice the size class, plus one for spans whose objects
 * hold no pointers (noscan).
 */

#include <stdint.h>

enum {
    GC_PAGE_SHIFT = 13,
    GC_PAGE_SIZE = 8192,
    GC_NCLASS = 68,
    GC_NSPANCLASS = 2 * GC_NCLASS,
    GC_SMALL_MAX = 32768, /* bytes; larger objects are class 0 */
    GC_SLOTS_MAX = 1024 /* slots of a span, at most */
};

extern const uint16_t gc_class_size[GC_NCLASS];  /* bytes of a slot */
extern const uint8_t gc_class_pages[GC_NCLASS];  /* pages of a span */
extern const uint32_t gc_class_magic[GC_NCLASS]; /* ceil(2^32 / size) */
extern const uint8_t gc_class8[129];   /* by (size + 7) / 8 up to 1024 */
extern const uint8_t gc_class128[249]; /* by (size - 1024 + 127) / 128 */

/* The class of an object of size bytes, 0 < size <= GC_SMALL_MAX. */
static inline unsigned
gc_size_class(uint64_t size)
{
    return size <= 1024 ? gc_class8[(size + 7) / 8]
                        : gc_class128[(size - 1024 + 127) / 128];
}

#endif
