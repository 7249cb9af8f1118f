/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VALUE_IFACE_H
#define RUNTIME_VALUE_IFACE_H

/* Interface values: boxing, which types implement which interfaces. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gc/gc.h"
#include "runtime/base/lock.h"
#include "runtime/code/rtype.h"

/* Boxes of 0 .. 255, shared by all scalars of up to 8 bytes. */
extern const uint64_t iface_small[256];

void *iface_box_slow(
    struct gc_pcache *pc, const struct rtype *t, const void *src);

/* The data word for the value at src (memory layout, or a frame slot): the
 * pointer itself where the type is direct, else an immutable copy.  NULL
 * only where memory is out, unless the pointer itself is NULL. */
static inline void *
iface_box(struct gc_pcache *pc, const struct rtype *t, const void *src)
{
    if (rtype_direct(t))
        return *(void *const *)src;
    return iface_box_slow(pc, t, src);
}

/* Answers of the implements-check by (interface, type).  Reading takes no
 * lock. */
struct iface_cache {
    struct rt_lock lock; /* ITAB: growing */
    a_ptr table;         /* struct iface_table * */
};

void iface_cache_init(struct iface_cache *c);
void iface_cache_free(struct iface_cache *c);

/* NULL where `t` implements `inter`, else the first missing method. */
const struct rmethod *iface_missing(struct iface_cache *c,
    const struct rtype *inter, const struct rtype *t);

/* The method of t with this name and signature func() string; NULL. */
const struct rmethod *iface_string_method(
    const struct rtype *t, const char *name);

/*
 * The text of a failed assertion: x.(want), x of static type `st` holding
 * `have` (NULL = nil); missing is the name of a method or NULL.  As Go's
 * TypeAssertionError.Error().
 */
void iface_assert_text(char *buf, size_t n, const struct rtype *st,
    const struct rtype *have, const struct rtype *want, const char *missing);

#endif
