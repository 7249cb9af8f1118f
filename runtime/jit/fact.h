/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_FACT_H
#define RUNTIME_JIT_FACT_H

/* What can be known of a number while machine code is made: ranges.c. */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/throw.h"
#include "runtime/code/code.h"

/* It is at least lo and at most hi.  It is handed on in two registers. */
struct jit_interval {
    int64_t lo, hi;
};

/* Nothing is known. */
static inline struct jit_interval
jit_any_number(void)
{
    return (struct jit_interval){INT64_MIN, INT64_MAX};
}

static inline bool
jit_is_any_number(struct jit_interval i)
{
    return i.lo == INT64_MIN && i.hi == INT64_MAX;
}

/* Where lo and hi have crossed there is no such number: what is executed only
 * if there is one, never is. */
static inline bool
jit_is_possible(struct jit_interval i)
{
    return i.lo <= i.hi;
}

static inline struct jit_interval
jit_between(int64_t lo, int64_t hi)
{
    rt_assert(lo <= hi);
    return (struct jit_interval){lo, hi};
}

/* Whether something may be known of what the operation makes. */
bool jit_gives_fact(unsigned op);
/* What instruction w makes of its operands, of which that is known: b and c, or
 * b and a number; of a loop's end, b is what it counts.  Anything, if nothing
 * is known of what it makes. */
struct jit_interval jit_interval_of(
    const struct code_ins *w, struct jit_interval b, struct jit_interval c);

#endif
