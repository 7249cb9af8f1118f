/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_BITS_H
#define RUNTIME_BASE_BITS_H

/* Bits and alignment. */

#include <stdbool.h>
#include <stdint.h>

static inline bool
rt_is_pow2(uint64_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/* align is a power of two; wraps on overflow. */
static inline uint64_t
rt_align_up(uint64_t x, uint64_t align)
{
    return (x + align - 1) & ~(align - 1);
}

static inline uint64_t
rt_align_down(uint64_t x, uint64_t align)
{
    return x & ~(align - 1);
}

static inline uint64_t
rt_div_up(uint64_t x, uint64_t d)
{
    return x / d + (x % d != 0);
}

/* Floor of the binary logarithm, x > 0. */
static inline unsigned
rt_log2(uint64_t x)
{
    return 63 - (unsigned)__builtin_clzll(x);
}

/* The n (0 to 64) lowest bits set. */
static inline uint64_t
rt_low_bits(unsigned n)
{
    return n == 0 ? 0 : ~(uint64_t)0 >> (64 - n);
}

static inline bool
rt_bit_get(const uint64_t *b, uint64_t i)
{
    return b[i / 64] >> (i % 64) & 1;
}

static inline void
rt_bit_set(uint64_t *b, uint64_t i)
{
    b[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void
rt_bit_clear(uint64_t *b, uint64_t i)
{
    b[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* How many of the bits from to to - 1 are set. */
static inline uint64_t
rt_bits_count(const uint64_t *b, uint64_t from, uint64_t to)
{
    uint64_t n = 0;

    while (from < to) {
        unsigned sh = from % 64;
        uint64_t len = 64 - sh < to - from ? 64 - sh : to - from;
        n += (uint64_t)__builtin_popcountll(
            b[from / 64] >> sh & rt_low_bits((unsigned)len));
        from += len;
    }
    return n;
}

/* Sets or clears the bits from to to - 1. */
static inline void
rt_bits_fill(uint64_t *b, uint64_t from, uint64_t to, bool val)
{
    while (from < to) {
        unsigned sh = from % 64;
        uint64_t len = 64 - sh < to - from ? 64 - sh : to - from;
        uint64_t m = rt_low_bits((unsigned)len) << sh;
        b[from / 64] = val ? b[from / 64] | m : b[from / 64] & ~m;
        from += len;
    }
}

/* Of word w of a set, the bits from `from` to end - 1 that are in it. */
static inline uint64_t
rt_bits_within(uint32_t w, uint32_t from, uint32_t end)
{
    uint32_t first = 64 * w;
    uint64_t set = end >= first + 64 ? ~(uint64_t)0
        : end <= first ? 0 : rt_low_bits(end - first);

    return from <= first ? set
        : from >= first + 64 ? 0 : set & ~rt_low_bits(from - first);
}

/* Each set bit i below end, in order; of many bits of which few are set, the
 * words without are left out.  What is set or cleared meanwhile may count or
 * not; `continue` goes to the next one, and nothing leads out. */
#define RT_EACH_BIT(i, b, end)                                               \
    for (uint32_t i##_word = 0, i; i##_word < ((end) + 63) / 64; i##_word++) \
        for (uint64_t i##_bits = (b)[i##_word];                              \
            i##_bits != 0 &&                                                 \
            (i = 64 * i##_word + (uint32_t)__builtin_ctzll(i##_bits), true); \
            i##_bits &= i##_bits - 1)

#endif
