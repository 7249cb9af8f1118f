/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_FACT_H
#define RUNTIME_JIT_FACT_H

/* What can be known of a number while machine code is made: ranges.c. */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/throw.h"
#include "runtime/code/code.h"

enum { JIT_NO_VARIABLE = UINT16_MAX };

struct jit_fact {
    int64_t lo, hi; /* it is at least lo and at most hi */
    uint16_t below; /* a variable whose number is greater; JIT_NO_VARIABLE:
                       none is known */
    uint16_t same;  /* one whose number is the same; likewise */
};

/* Nothing is known. */
extern const struct jit_fact jit_anything;

/* Where lo and hi have crossed there is no such number: what is executed only
 * if there is one, never is. */
static inline bool
jit_is_possible(struct jit_fact f)
{
    return f.lo <= f.hi;
}

static inline struct jit_fact
jit_between(int64_t lo, int64_t hi)
{
    rt_assert(lo <= hi);
    return (struct jit_fact){lo, hi, JIT_NO_VARIABLE, JIT_NO_VARIABLE};
}

/* Whether something may be known of what the operation makes. */
bool jit_gives_fact(unsigned op);
/* What instruction w makes of its operands, of which that is known: b and c, or
 * b and a number; of a loop's end, b is what it counts.  Anything, if nothing
 * is known of what it makes. */
struct jit_fact jit_fact_of(
    const struct code_ins *w, struct jit_fact b, struct jit_fact c);

#endif
