/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_VARINT_H
#define RUNTIME_BASE_VARINT_H

/*
 * Unsigned LEB128: seven bits to a byte, the low group first, bit 7 set on
 * all bytes but the last.  The number format of traces and of protobuf.
 */

#include <stddef.h>
#include <stdint.h>

enum { RT_VARINT_MAX = 10 }; /* bytes of the longest uint64_t */

/* Writes v at p, where RT_VARINT_MAX bytes are free; returns the end. */
static inline uint8_t *
rt_varint_put(uint8_t *p, uint64_t v)
{
    while (v >= 0x80) {
        *p++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *p++ = (uint8_t)v;
    return p;
}

/* How many bytes rt_varint_put() writes for v. */
static inline size_t
rt_varint_size(uint64_t v)
{
    return v == 0 ? 1 : (size_t)(70 - __builtin_clzll(v)) / 7;
}

/*
 * Reads one number from [p, end) into *v.  Returns the byte after it; NULL
 * with *v = 0 where the bytes end first, NULL with *v = 1 where the number
 * is longer than ten bytes or exceeds 64 bits.
 */
static inline const uint8_t *
rt_varint_get(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
    uint64_t x = 0;
    unsigned shift = 0;

    *v = 0;
    while (p < end) {
        uint8_t b = *p++;

        /* The tenth byte holds the last bit and ends the number. */
        if (shift == 63 && b > 1) {
            *v = 1;
            return NULL;
        }
        x |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80) {
            *v = x;
            return p;
        }
        shift += 7;
    }
    return NULL;
}

#endif
