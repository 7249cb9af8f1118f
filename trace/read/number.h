/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_NUMBER_H
#define TRACE_READ_NUMBER_H

/*
 * Numbers (runtime/base/varint.h) by eight bytes at a time, for the records
 * that make up nearly all of a file: those that are not near the end of what
 * can be read, and whose numbers have eight bytes at most.  For all others,
 * and for what is wrong, these functions give up, and the caller takes the
 * long way, which knows what to say.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runtime/base/varint.h"

enum {
    TRACE_ROOM = 64 /* readable bytes that the functions below may need from
                       the begin of a record on */
};

/* Eight bytes, the first one lowest. */
static inline uint64_t
trace_load8(const uint8_t *p)
{
    uint64_t x;

    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

/* The last bytes of numbers have bit 7 clear: here it is set in those. */
static inline uint64_t
trace_ends8(uint64_t x)
{
    return ~x & UINT64_C(0x8080808080808080);
}

/* The number at p, of which eight bytes are readable; returns its end, or
 * NULL where it is longer. */
static inline const uint8_t *
trace_number8(const uint8_t *p, uint64_t *v)
{
    uint64_t x, ends;

    if (p[0] < 0x80) {
        *v = p[0];
        return p + 1;
    }
    if (p[1] < 0x80) {
        *v = (p[0] & 0x7fu) | (unsigned)p[1] << 7;
        return p + 2;
    }
    if (p[2] < 0x80) {
        *v = (p[0] & 0x7fu) | (p[1] & 0x7fu) << 7 | (unsigned)p[2] << 14;
        return p + 3;
    }
    x = trace_load8(p);
    ends = trace_ends8(x);
    if (ends == 0)
        return NULL;
    x &= ends ^ (ends - 1);
    /* Groups of seven bits, two, four and eight at a time. */
    x = (x & UINT64_C(0x007f007f007f007f)) |
        (x & UINT64_C(0x7f007f007f007f00)) >> 1;
    x = (x & UINT64_C(0x00003fff00003fff)) |
        (x & UINT64_C(0x3fff00003fff0000)) >> 2;
    x = (x & UINT64_C(0x000000000fffffff)) |
        (x & UINT64_C(0x0fffffff00000000)) >> 4;
    *v = x;
    return p + __builtin_ctzll(ends) / 8 + 1;
}

/* The end of n numbers, which are eight bytes at most together; else NULL. */
static inline const uint8_t *
trace_skip8(const uint8_t *p, unsigned n)
{
    uint64_t ends = trace_ends8(trace_load8(p));

    if (n == 0)
        return p;
    while (--n > 0)
        ends &= ends - 1;
    return ends == 0 ? NULL : p + __builtin_ctzll(ends) / 8 + 1;
}

#endif
