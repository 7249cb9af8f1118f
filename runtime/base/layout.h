/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_LAYOUT_H
#define RUNTIME_BASE_LAYOUT_H

/*
 * What the collector, channels and frames need to know of a Go type: its
 * size and where its pointers are.  struct rtype embeds one, so that gc and
 * sched need not see type descriptors.  The encoding is Go's: one bit per
 * 8-byte word, least significant bit first, covering the prefix of the value
 * that may hold pointers (runtime/type.go: ptrdata, gcdata).
 */

#include <stdint.h>

struct rt_layout {
    uint64_t size;          /* bytes, a multiple of the alignment */
    uint64_t ptrdata;       /* bytes up to the end of the last pointer word;
                               0 = the type holds no pointers (noscan) */
    const uint8_t *ptrmask; /* ptrdata/8 bits; NULL where ptrdata is 0 */
};

static inline int
rt_layout_is_ptr(const struct rt_layout *l, uint64_t word)
{
    return word < l->ptrdata / 8 && ((l->ptrmask[word / 8] >> (word % 8)) & 1);
}

/*
 * One 8-byte slot of a goroutine frame.  Small scalars sit sign- or
 * zero-extended; a float32 is in the low four bytes; a value larger than 8
 * bytes takes consecutive slots with its memory layout.
 */
union rt_slot {
    int64_t i;
    uint64_t u;
    double f64;
    float f32;
    void *p;
};

/* Go's string, slice and interface headers as they lie in memory. */
struct rt_str {
    const uint8_t *ptr;
    int64_t len;
};

struct rt_slice {
    void *ptr;
    int64_t len;
    int64_t cap;
};

struct rtype;

struct rt_iface {
    const struct rtype *type; /* NULL = nil interface */
    void *data; /* the pointer itself for pointer-shaped types (pointer, map,
                   chan, func, unsafe.Pointer), else a pointer to an
                   immutable boxed copy */
};

_Static_assert(sizeof(union rt_slot) == 8, "slots are 8 bytes");
_Static_assert(sizeof(struct rt_str) == 16, "Go's string header");
_Static_assert(sizeof(struct rt_slice) == 24, "Go's slice header");
_Static_assert(sizeof(struct rt_iface) == 16, "Go's interface header");

#endif
