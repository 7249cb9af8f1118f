/* SPDX-License-Identifier: MIT */

/* Arithmetic with intervals.  What may overflow may be anything. */
#include "runtime/jit/fact.h"

#include "runtime/base/compiler.h"
#include "runtime/base/throw.h"

static struct jit_interval
add(struct jit_interval a, struct jit_interval b)
{
    int64_t lo, hi;

    if (__builtin_add_overflow(a.lo, b.lo, &lo) ||
        __builtin_add_overflow(a.hi, b.hi, &hi))
        return jit_any_number();
    return jit_between(lo, hi);
}

static struct jit_interval
subtract(struct jit_interval a, struct jit_interval b)
{
    int64_t lo, hi;

    if (__builtin_sub_overflow(a.lo, b.hi, &lo) ||
        __builtin_sub_overflow(a.hi, b.lo, &hi))
        return jit_any_number();
    return jit_between(lo, hi);
}

static struct jit_interval
multiply(struct jit_interval a, struct jit_interval b)
{
    int64_t p[4], lo, hi;

    if (__builtin_mul_overflow(a.lo, b.lo, &p[0]) ||
        __builtin_mul_overflow(a.lo, b.hi, &p[1]) ||
        __builtin_mul_overflow(a.hi, b.lo, &p[2]) ||
        __builtin_mul_overflow(a.hi, b.hi, &p[3]))
        return jit_any_number();
    lo = hi = p[0];
    for (unsigned i = 1; i < 4; i++) {
        lo = p[i] < lo ? p[i] : lo;
        hi = p[i] > hi ? p[i] : hi;
    }
    return jit_between(lo, hi);
}

/* Bits of both: no more than of one that is not negative. */
static struct jit_interval
both_bits(struct jit_interval a, struct jit_interval b)
{
    if (a.lo < 0 && b.lo < 0)
        return jit_any_number();
    if (a.lo >= 0 && b.lo >= 0)
        return jit_between(0, a.hi < b.hi ? a.hi : b.hi);
    return jit_between(0, a.lo >= 0 ? a.hi : b.hi);
}

static struct jit_interval
remainder_by(struct jit_interval a, int64_t d)
{
    int64_t most = (d < 0 ? -d : d) - 1;

    rt_assert(d != 0);
    return jit_between(a.lo >= 0 ? 0 : -most, a.hi <= 0 ? 0 : most);
}

static struct jit_interval
quotient_by(struct jit_interval a, int64_t d)
{
    return d > 0 ? jit_between(a.lo / d, a.hi / d) : jit_any_number();
}

/* By its size, of what is loaded or cut to it. */
static struct jit_interval
sized(unsigned op)
{
    switch (op) {
    case OP_ZX8:
    case OP_LD8U:
    case OP_LDX8U:
    case OP_LDP8U:
    case OP_GLD8U:
        return jit_between(0, UINT8_MAX);
    case OP_ZX16:
    case OP_LD16U:
    case OP_LDX16U:
        return jit_between(0, UINT16_MAX);
    case OP_ZX32:
        return jit_between(0, UINT32_MAX);
    case OP_SX8:
        return jit_between(INT8_MIN, INT8_MAX);
    case OP_SX16:
        return jit_between(INT16_MIN, INT16_MAX);
    case OP_SX32:
        return jit_between(INT32_MIN, INT32_MAX);
    default:
        return jit_any_number();
    }
}

/* The result of what is no operation on two slots. */
static struct jit_interval
immediate(const struct code_ins *w, struct jit_interval b)
{
    int64_t v = (int16_t)w->c;

    switch (w->op) {
    case OP_ADDI:
        return add(b, jit_between(v, v));
    case OP_ISUB:
        return subtract(jit_between(v, v), b);
    case OP_MULI:
        return multiply(b, jit_between(v, v));
    case OP_ANDI:
        return both_bits(b, jit_between(v, v));
    case OP_DIVI:
        return quotient_by(b, v);
    case OP_REMI:
        return remainder_by(b, v);
    case OP_UREMI:
        return jit_between(0, w->c - 1);
    case OP_ONES:
        return jit_between(0, 64);
    case OP_LEADZ:
        return jit_between(w->c - 64, w->c);
    case OP_TRAILZ:
        return jit_between(0, w->c);
    case OP_SHRI:
        return jit_between(b.lo >> (w->c & 63), b.hi >> (w->c & 63));
    case OP_USHRI:
        return w->c == 0 ? jit_any_number()
                         : jit_between(0, (int64_t)(UINT64_MAX >> (w->c & 63)));
    case OP_SHLI:
        return w->c > 61 ? jit_any_number()
                         : multiply(b, jit_between((int64_t)1 << w->c,
                                           (int64_t)1 << w->c));
    default:
        return sized(w->op);
    }
}

bool
jit_gives_fact(unsigned op)
{
    switch (op) {
    case OP_LDI:
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_AND:
    case OP_FORLT:
    case OP_FORLTI:
    case OP_ADDI:
    case OP_ISUB:
    case OP_MULI:
    case OP_ANDI:
    case OP_DIVI:
    case OP_REMI:
    case OP_UREMI:
    case OP_ONES:
    case OP_LEADZ:
    case OP_TRAILZ:
    case OP_SHRI:
    case OP_USHRI:
    case OP_SHLI:
        return true;
    default:
        return sized(op).lo != INT64_MIN;
    }
}

struct jit_interval
jit_interval_of(
    const struct code_ins *w, struct jit_interval b, struct jit_interval c)
{
    rt_assert(jit_is_possible(b) && jit_is_possible(c));
    rt_assert(jit_gives_fact(w->op));
    switch (w->op) {
    case OP_LDI:
        return jit_between(w->imm, w->imm);
    case OP_ADD:
        return add(b, c);
    case OP_SUB:
        return subtract(b, c);
    case OP_MUL:
        return multiply(b, c);
    case OP_AND:
        return both_bits(b, c);
    case OP_FORLT:
    case OP_FORLTI:
        return add(b, jit_between(1, 1));
    default:
        return immediate(w, b);
    }
}
