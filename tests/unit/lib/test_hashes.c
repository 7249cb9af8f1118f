/* SPDX-License-Identifier: MIT */

/* The inner loops of hashes: known digests, and the processor's instructions
 * against plain C. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/hash.h"
#include "runtime/lib/support/hashes.h"
#include "runtime/lib/support/sha_x64.h"

enum { MOST = 5 * HASH_BLOCK };

static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
    0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static void
fill(uint8_t *p, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)rt_hash_u64(i, seed);
}

/* "abc", padded: the example of FIPS 180-4. */
static void
test_known(void **state)
{
    static const uint32_t sha1[5] = {0xa9993e36, 0x4706816a, 0xba3e2571,
        0x7850c26c, 0x9cd0d89d};
    static const uint32_t sha256[8] = {0xba7816bf, 0x8f01cfea, 0x414140de,
        0x5dae2223, 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
    uint8_t p[HASH_BLOCK] = {'a', 'b', 'c', 0x80};
    uint32_t h[8] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
        0xc3d2e1f0};

    (void)state;
    p[HASH_BLOCK - 1] = 24;
    lib_hash_blocks(HASH_SHA1, h, p, sizeof p);
    assert_memory_equal(h, sha1, sizeof sha1);
    memcpy(h, start, sizeof h);
    lib_hash_blocks(HASH_SHA256, h, p, sizeof p);
    assert_memory_equal(h, sha256, sizeof sha256);
}

/* Any state, any text at any address, some blocks, a rest that is left. */
static void
test_ways_agree(void **state)
{
    enum { ROUNDS = 2000 };

    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint8_t p[MOST + 16];
        uint32_t a[8], b[8];
        size_t off = round % 16, n = rt_hash_u64(round, 1) % MOST;
        enum hash_kind kind = (enum hash_kind)(round % 3);

        fill(p, sizeof p, round);
        fill((uint8_t *)a, sizeof a, ~round);
        memcpy(b, a, sizeof b);
        lib_hash_blocks(kind, a, p + off, n);
        lib_hash_blocks_plain(kind, b, p + off, n);
        assert_memory_equal(a, b, sizeof b);
    }
}

/* Blocks are taken one after the other. */
static void
test_in_pieces(void **state)
{
    uint8_t p[MOST];
    uint32_t a[8], b[8];

    (void)state;
    fill(p, sizeof p, 7);
    memcpy(a, start, sizeof a);
    memcpy(b, start, sizeof b);
    lib_hash_blocks(HASH_SHA256, a, p, sizeof p);
    for (size_t i = 0; i < MOST; i += HASH_BLOCK)
        lib_hash_blocks(HASH_SHA256, b, p + i, HASH_BLOCK);
    assert_memory_equal(a, b, sizeof b);
    assert_memory_not_equal(a, start, sizeof start);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_ways_agree),
        cmocka_unit_test(test_in_pieces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
