/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_HASH_H
#define RUNTIME_BASE_HASH_H

/*
 * A fast hash for tables: multiplies 64 by 64 bits and folds the 128-bit
 * product, as wyhash does.  Not for adversaries who know the seed; for the
 * texts of a foreign file there is rt_hash_foreign().
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

static inline uint64_t
rt_hash_mix(uint64_t a, uint64_t b)
{
    __uint128_t m = (__uint128_t)a * b;

    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

#define RT_HASH_K0 UINT64_C(0xa0761d6478bd642f)
#define RT_HASH_K1 UINT64_C(0xe7037ed1a0b428db)
#define RT_HASH_K2 UINT64_C(0x8ebc6af09c88c6e3)

/* seed: anything but RT_HASH_K1, by which all small numbers are 0. */
static inline uint64_t
rt_hash_u64(uint64_t x, uint64_t seed)
{
    return rt_hash_mix(x ^ RT_HASH_K0, seed ^ RT_HASH_K1 ^ (x >> 32));
}

/* The first n (1 to 8) bytes as a number. */
static inline uint64_t
rt_hash_tail(const uint8_t *p, size_t n)
{
    uint64_t x = 0;

    if (n >= 4) {
        uint32_t a, b;
        memcpy(&a, p, 4);
        memcpy(&b, p + n - 4, 4);
        return (uint64_t)a << 32 | b;
    }
    x = (uint64_t)p[0] << 16 | (uint64_t)p[n / 2] << 8 | p[n - 1];
    return x;
}

/* No factor is a number that the bytes alone decide: eight of them that made it
 * 0 would wipe out all before them, whatever the seed. */
static inline uint64_t
rt_hash_bytes(const void *data, size_t n, uint64_t seed)
{
    const uint8_t *p = data;
    const uint64_t key = seed ^ RT_HASH_K1;
    uint64_t h = seed ^ rt_hash_mix((uint64_t)n ^ RT_HASH_K0, RT_HASH_K1);
    size_t left = n;

    while (left > 16) {
        uint64_t a, b;
        memcpy(&a, p, 8);
        memcpy(&b, p + 8, 8);
        h = rt_hash_mix(a ^ key, b ^ h);
        p += 16;
        left -= 16;
    }
    uint64_t a = 0;
    uint64_t b = 0;
    if (left > 8) {
        memcpy(&a, p, 8);
        b = rt_hash_tail(p + 8, left - 8);
    } else if (left > 0) {
        a = rt_hash_tail(p, left);
    }
    return rt_hash_mix(RT_HASH_K2 ^ (uint64_t)n,
        rt_hash_mix(a ^ key, b ^ h));
}

/* A number that no file can know; unique: what it is for, should the system
 * have no random bytes yet. */
static inline uint64_t
rt_hash_seed(const void *unique)
{
    uint64_t seed;

    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
        seed = rt_hash_u64((uint64_t)(uintptr_t)unique, RT_HASH_K2);
    return seed;
}

/*
 * A hash of bytes that somebody else has chosen, who does not know the seed:
 * for any two different texts of up to 4 KiB, less than one in 2^50 of all
 * seeds gives both the same.  The bytes are the coefficients of a polynomial,
 * four at a time; the hash is its value at the seed, modulo 2^61 - 1, and two
 * of degree d agree at d places at most.
 */
static inline uint64_t
rt_hash_foreign(const void *data, size_t n, uint64_t seed)
{
    const uint64_t prime = (UINT64_C(1) << 61) - 1, x = seed % prime;
    const uint8_t *p = data;
    uint64_t h = n;

    while (n > 0) {
        size_t k = n < 4 ? n : 4;
        uint32_t v = 0;
        __uint128_t m;

        memcpy(&v, p, k);
        m = (__uint128_t)h * x + v;
        h = ((uint64_t)m & prime) + (uint64_t)(m >> 61);
        h = h >= prime ? h - prime : h;
        p += k;
        n -= k;
    }
    return h;
}

#endif
