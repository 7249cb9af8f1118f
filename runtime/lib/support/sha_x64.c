/* SPDX-License-Identifier: MIT */

/*
 * SHA-1 and SHA-256 by x86's instructions for them ("Intel SHA Extensions",
 * 2013; four rounds each).  Without these, some ten times as slow, hashes.c
 * does it.
 */
#include "runtime/lib/support/sha_x64.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "runtime/base/cpu.h"

#define WITH_SHA __attribute__((target("sha,sse4.1,ssse3")))

bool
lib_sha_can(void)
{
    return rt_cpu_has_sha() && rt_cpu_has_sse41();
}

/* The highest lane first, as in descriptions of the instructions. */
WITH_SHA static inline __m128i
lanes(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return _mm_set_epi32((int)a, (int)b, (int)c, (int)d);
}

/* Words 4 i to 4 i + 3 of the block, their bytes in that order. */
WITH_SHA static inline __m128i
block_words(const uint8_t *p, unsigned i, __m128i order)
{
    return _mm_shuffle_epi8(
        _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i)), order);
}

/* ---- SHA-1 -------------------------------------------------------------- */

/* Words 4 i to 4 i + 3 of the message, the first in the highest lane; m: those
 * before, number i % 4. */
WITH_SHA static inline __m128i
sha1_words(const __m128i m[4], unsigned i, const uint8_t *p)
{
    const __m128i reverse = _mm_set_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

    if (i < 4)
        return block_words(p, i, reverse);
    __m128i x = _mm_sha1msg1_epu32(m[i % 4], m[(i + 1) % 4]);
    x = _mm_xor_si128(x, m[(i + 2) % 4]);
    return _mm_sha1msg2_epu32(x, m[(i + 3) % 4]);
}

/* Four rounds with the function of a quarter, which must be a constant. */
WITH_SHA static inline __m128i
sha1_rounds(__m128i abcd, __m128i e, unsigned quarter)
{
    switch (quarter) {
    case 0:
        return _mm_sha1rnds4_epu32(abcd, e, 0);
    case 1:
        return _mm_sha1rnds4_epu32(abcd, e, 1);
    case 2:
        return _mm_sha1rnds4_epu32(abcd, e, 2);
    default:
        return _mm_sha1rnds4_epu32(abcd, e, 3);
    }
}

WITH_SHA void
lib_sha1_block(uint32_t h[5], const uint8_t *p)
{
    __m128i begin = lanes(h[0], h[1], h[2], h[3]), abcd = begin;
    __m128i e = lanes(h[4], 0, 0, 0), before = begin, m[4];

#pragma GCC unroll 20
    for (unsigned i = 0; i < 20; i++) {
        m[i % 4] = sha1_words(m, i, p);
        __m128i with = i == 0 ? _mm_add_epi32(e, m[0])
                              : _mm_sha1nexte_epu32(before, m[i % 4]);
        before = abcd;
        abcd = sha1_rounds(abcd, with, i / 5);
    }
    e = _mm_sha1nexte_epu32(before, e);
    abcd = _mm_add_epi32(abcd, begin);
    h[0] = (uint32_t)_mm_extract_epi32(abcd, 3);
    h[1] = (uint32_t)_mm_extract_epi32(abcd, 2);
    h[2] = (uint32_t)_mm_extract_epi32(abcd, 1);
    h[3] = (uint32_t)_mm_extract_epi32(abcd, 0);
    h[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

/* ---- SHA-256 ------------------------------------------------------------ */

/* The same, the first word in the lowest lane. */
WITH_SHA static inline __m128i
sha256_words(const __m128i m[4], unsigned i, const uint8_t *p)
{
    const __m128i swap = _mm_set_epi8(
        12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);

    if (i < 4)
        return block_words(p, i, swap);
    __m128i x = _mm_sha256msg1_epu32(m[i % 4], m[(i + 1) % 4]);
    x = _mm_add_epi32(
        x, _mm_alignr_epi8(m[(i + 3) % 4], m[(i + 2) % 4], 4));
    return _mm_sha256msg2_epu32(x, m[(i + 3) % 4]);
}

WITH_SHA void
lib_sha256_block(uint32_t h[8], const uint8_t *p, const uint32_t add[64])
{
    __m128i abef = lanes(h[0], h[1], h[4], h[5]), first = abef;
    __m128i cdgh = lanes(h[2], h[3], h[6], h[7]), second = cdgh, m[4];

#pragma GCC unroll 16
    for (unsigned i = 0; i < 16; i++) {
        m[i % 4] = sha256_words(m, i, p);
        __m128i k = _mm_add_epi32(m[i % 4],
            _mm_loadu_si128((const __m128i *)(const void *)(add + 4 * i)));
        /* Two rounds each; what was ABEF is CDGH behind them. */
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_srli_si128(k, 8));
    }
    abef = _mm_add_epi32(abef, first);
    cdgh = _mm_add_epi32(cdgh, second);
    h[0] = (uint32_t)_mm_extract_epi32(abef, 3);
    h[1] = (uint32_t)_mm_extract_epi32(abef, 2);
    h[4] = (uint32_t)_mm_extract_epi32(abef, 1);
    h[5] = (uint32_t)_mm_extract_epi32(abef, 0);
    h[2] = (uint32_t)_mm_extract_epi32(cdgh, 3);
    h[3] = (uint32_t)_mm_extract_epi32(cdgh, 2);
    h[6] = (uint32_t)_mm_extract_epi32(cdgh, 1);
    h[7] = (uint32_t)_mm_extract_epi32(cdgh, 0);
}

#else

bool
lib_sha_can(void)
{
    return false;
}

void
lib_sha1_block(uint32_t h[5], const uint8_t *p)
{
    (void)h;
    (void)p;
}

void
lib_sha256_block(uint32_t h[8], const uint8_t *p, const uint32_t add[64])
{
    (void)h;
    (void)p;
    (void)add;
}

#endif
