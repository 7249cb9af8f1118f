/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_FRONTIER_H
#define TRACE_READ_FRONTIER_H

/*
 * The frontier of a merge: the cursors whose next event may be taken, the one
 * with the smallest key first; of equal keys, the cursor with the smaller
 * number.
 *
 * The first one is at a[0], the others are a binary heap below it, a[1 .. n)
 * with the children of i at 2i and 2i + 1.  So a cursor that stays first,
 * which is what happens most, costs one comparison.
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/compiler.h"
#include "runtime/base/throw.h"

struct trace_front {
    uint64_t key;
    uint32_t c;
};

struct trace_frontier {
    struct trace_front *a; /* room for all cursors and one more */
    uint32_t n;
};

static inline bool
trace_front_less(const struct trace_front *a, const struct trace_front *b)
{
    return a->key < b->key ||
        (rt_unlikely(a->key == b->key) && a->c < b->c);
}

void trace_frontier_push(struct trace_frontier *f, uint64_t key, uint32_t c);

/* The first one leaves. */
void trace_frontier_drop(struct trace_frontier *f);

/* x takes the place of the first one, but is not the first any more. */
void trace_frontier_replace(struct trace_frontier *f, struct trace_front x);

/* Each goes before those below it.  f->a[0] goes before all; the others are a
 * binary heap whose root is f->a[1]. */
bool trace_frontier_valid(const struct trace_frontier *f);

/* The first one has gone on to another key. */
static inline void
trace_frontier_move(struct trace_frontier *f, uint64_t key)
{
    struct trace_front x = {key, f->a[0].c};

    rt_assert(f->n > 0);
    if (f->n == 1 || trace_front_less(&x, &f->a[1]))
        f->a[0].key = key;
    else
        trace_frontier_replace(f, x);
}

#endif
