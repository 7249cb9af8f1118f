/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_SET_H
#define RUNTIME_JIT_SET_H

/*
 * Sets of slots and webs, a bit for each, in words of 64.  Most sets are large
 * and have few members: whoever looks at the members goes from one to the next
 * and leaves out the words that are empty.
 */

#include <stdbool.h>
#include <stdint.h>

static inline bool
jit_has(const uint64_t *set, uint32_t i)
{
    return (set[i / 64] >> (i % 64) & 1) != 0;
}

static inline void
jit_add(uint64_t *set, uint32_t i)
{
    set[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void
jit_drop(uint64_t *set, uint32_t i)
{
    set[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* Drops what is at least `from` and below `end`. */
static inline void
jit_drop_all(uint64_t *set, uint32_t from, uint32_t end)
{
    while (from < end) {
        uint32_t w = from / 64, next = (w + 1) * 64;
        uint64_t gone = UINT64_MAX << (from % 64);

        if (next > end)
            gone &= ~(UINT64_MAX << (end % 64));
        set[w] &= ~gone;
        from = next;
    }
}

/* Each member i of a set of numbers below end, in order.  What the set gets or
 * loses meanwhile may count or not; `continue` goes to the next member, and
 * nothing leads out. */
#define JIT_EACH(i, set, end)                                              \
    for (uint32_t i##_word = 0, i; i##_word < ((end) + 63) / 64; i##_word++) \
        for (uint64_t i##_bits = (set)[i##_word];                          \
            i##_bits != 0 &&                                               \
            (i = 64 * i##_word + (uint32_t)__builtin_ctzll(i##_bits), true); \
            i##_bits &= i##_bits - 1)

#endif
