/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VM_OPS_INT_H
#define RUNTIME_VM_OPS_INT_H

/* What the bodies of operations (ops_*.inc) use wherever they are included. */

#include <string.h>

#include "runtime/value/str.h"
#include "runtime/vm/vm_int.h"

#define A   (pc->a)
#define B   (pc->b)
#define C   (pc->c)
#define IMM (pc->imm)
#define R(x) fp[x]

#define IS_NIL(p) ((uintptr_t)(p) < VM_NIL_PAGE)

static inline bool
str_eq_slots(const union rt_slot *a, const union rt_slot *b)
{
    return a[1].i == b[1].i &&
        (a[0].p == b[0].p || a[1].i == 0 ||
            memcmp(a[0].p, b[0].p, (size_t)a[1].i) == 0);
}

static inline int
str_cmp_slots(const union rt_slot *a, const union rt_slot *b)
{
    return str_cmp((struct rt_str){ a[0].p, a[1].i },
        (struct rt_str){ b[0].p, b[1].i });
}

#endif
