/* SPDX-License-Identifier: MIT */

/*
 * MD5 (RFC 1321), SHA-1 and SHA-256 (FIPS 180-4), reflected CRCs, Adler-32
 * (RFC 1950), FNV.
 */

#include "runtime/lib/support/hashes.h"

#include "runtime/lib/support/sha_x64.h"

/* 2^32 |sin i|, i from 1. */
static const uint32_t md5_add[64] = {
    0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu,
    0xf57c0fafu, 0x4787c62au, 0xa8304613u, 0xfd469501u,
    0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu,
    0x6b901122u, 0xfd987193u, 0xa679438eu, 0x49b40821u,
    0xf61e2562u, 0xc040b340u, 0x265e5a51u, 0xe9b6c7aau,
    0xd62f105du, 0x02441453u, 0xd8a1e681u, 0xe7d3fbc8u,
    0x21e1cde6u, 0xc33707d6u, 0xf4d50d87u, 0x455a14edu,
    0xa9e3e905u, 0xfcefa3f8u, 0x676f02d9u, 0x8d2a4c8au,
    0xfffa3942u, 0x8771f681u, 0x6d9d6122u, 0xfde5380cu,
    0xa4beea44u, 0x4bdecfa9u, 0xf6bb4b60u, 0xbebfbc70u,
    0x289b7ec6u, 0xeaa127fau, 0xd4ef3085u, 0x04881d05u,
    0xd9d4d039u, 0xe6db99e5u, 0x1fa27cf8u, 0xc4ac5665u,
    0xf4292244u, 0x432aff97u, 0xab9423a7u, 0xfc93a039u,
    0x655b59c3u, 0x8f0ccc92u, 0xffeff47du, 0x85845dd1u,
    0x6fa87e4fu, 0xfe2ce6e0u, 0xa3014314u, 0x4e0811a1u,
    0xf7537e82u, 0xbd3af235u, 0x2ad7d2bbu, 0xeb86d391u,
};

/* Fractional parts of the cube roots of the first primes. */
static const uint32_t sha256_add[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u,
    0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u,
    0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu,
    0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u,
    0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u,
    0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u,
    0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u,
    0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u,
    0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u,
};

static uint32_t
rotl(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static uint32_t
load_le(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
        (uint32_t)p[3] << 24;
}

static uint32_t
load_be(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
        (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static void
md5_block(uint32_t h[4], const uint8_t *p)
{
    static const uint8_t turn[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3];

    for (unsigned i = 0; i < 64; i++) {
        uint32_t f;
        unsigned k;

        switch (i / 16) {
        case 0:
            f = (b & c) | (~b & d);
            k = i;
            break;
        case 1:
            f = (d & b) | (~d & c);
            k = 5 * i + 1;
            break;
        case 2:
            f = b ^ c ^ d;
            k = 3 * i + 5;
            break;
        default:
            f = c ^ (b | ~d);
            k = 7 * i;
            break;
        }
        f += a + md5_add[i] + load_le(p + 4 * (k % 16));
        a = d;
        d = c;
        c = b;
        b += rotl(f, turn[i / 16][i % 4]);
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
}

static void
sha1_block(uint32_t h[5], const uint8_t *p)
{
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

    for (unsigned i = 0; i < 16; i++)
        w[i] = load_be(p + 4 * i);
    for (unsigned i = 16; i < 80; i++)
        w[i] = rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (unsigned i = 0; i < 80; i++) {
        uint32_t f;

        if (i < 20)
            f = ((b & c) | (~b & d)) + 0x5a827999u;
        else if (i < 40)
            f = (b ^ c ^ d) + 0x6ed9eba1u;
        else if (i < 60)
            f = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
        else
            f = (b ^ c ^ d) + 0xca62c1d6u;
        f += rotl(a, 5) + e + w[i];
        e = d;
        d = c;
        c = rotl(b, 30);
        b = a;
        a = f;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

static void
sha256_block(uint32_t h[8], const uint8_t *p)
{
    uint32_t w[64], v[8];

    for (unsigned i = 0; i < 16; i++)
        w[i] = load_be(p + 4 * i);
    for (unsigned i = 16; i < 64; i++) {
        uint32_t x = w[i - 15], y = w[i - 2];

        w[i] = w[i - 16] + w[i - 7] +
            (rotl(x, 25) ^ rotl(x, 14) ^ x >> 3) +
            (rotl(y, 15) ^ rotl(y, 13) ^ y >> 10);
    }
    for (unsigned i = 0; i < 8; i++)
        v[i] = h[i];
    for (unsigned i = 0; i < 64; i++) {
        uint32_t e = v[4], a = v[0];
        uint32_t t = v[7] + (rotl(e, 26) ^ rotl(e, 21) ^ rotl(e, 7)) +
            ((e & v[5]) ^ (~e & v[6])) + sha256_add[i] + w[i];
        uint32_t u = (rotl(a, 30) ^ rotl(a, 19) ^ rotl(a, 10)) +
            ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

        for (unsigned k = 7; k > 0; k--)
            v[k] = v[k - 1];
        v[4] += t;
        v[0] = t + u;
    }
    for (unsigned i = 0; i < 8; i++)
        h[i] += v[i];
}

/* One block, as SHA-1 and SHA-256 are with or without the processor's help. */
static void
block(enum hash_kind kind, uint32_t *h, const uint8_t *p, bool helped)
{
    if (kind == HASH_MD5)
        md5_block(h, p);
    else if (kind == HASH_SHA1 && helped)
        lib_sha1_block(h, p);
    else if (kind == HASH_SHA1)
        sha1_block(h, p);
    else if (helped)
        lib_sha256_block(h, p, sha256_add);
    else
        sha256_block(h, p);
}

void
lib_hash_blocks(enum hash_kind kind, uint32_t *h, const uint8_t *p, size_t n)
{
    bool helped = lib_sha_can();

    for (; n >= HASH_BLOCK; n -= HASH_BLOCK, p += HASH_BLOCK)
        block(kind, h, p, helped);
}

void
lib_hash_blocks_plain(
    enum hash_kind kind, uint32_t *h, const uint8_t *p, size_t n)
{
    for (; n >= HASH_BLOCK; n -= HASH_BLOCK, p += HASH_BLOCK)
        block(kind, h, p, false);
}

void
lib_hash_crc32_table(uint32_t poly, uint32_t tab[256])
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;

        for (unsigned k = 0; k < 8; k++)
            c = c >> 1 ^ (poly & (0 - (c & 1)));
        tab[i] = c;
    }
}

void
lib_hash_crc64_table(uint64_t poly, uint64_t tab[256])
{
    for (uint64_t i = 0; i < 256; i++) {
        uint64_t c = i;

        for (unsigned k = 0; k < 8; k++)
            c = c >> 1 ^ (poly & (0 - (c & 1)));
        tab[i] = c;
    }
}

uint32_t
lib_hash_crc32(
    const uint32_t tab[256], uint32_t crc, const uint8_t *p, size_t n)
{
    crc = ~crc;
    for (size_t i = 0; i < n; i++)
        crc = tab[(crc ^ p[i]) & 255] ^ crc >> 8;
    return ~crc;
}

uint64_t
lib_hash_crc64(
    const uint64_t tab[256], uint64_t crc, const uint8_t *p, size_t n)
{
    crc = ~crc;
    for (size_t i = 0; i < n; i++)
        crc = tab[(crc ^ p[i]) & 255] ^ crc >> 8;
    return ~crc;
}

uint32_t
lib_hash_adler32(uint32_t sum, const uint8_t *p, size_t n)
{
    enum { MOD = 65521, RUN = 5552 }; /* b fits in 32 bits for a RUN */
    uint32_t a = sum & 0xffff, b = sum >> 16;

    while (n > 0) {
        size_t k = n < RUN ? n : RUN;

        for (size_t i = 0; i < k; i++) {
            a += p[i];
            b += a;
        }
        a %= MOD;
        b %= MOD;
        p += k;
        n -= k;
    }
    return b << 16 | a;
}

uint64_t
lib_hash_fnv(uint64_t h, uint64_t prime, bool xor_first, const uint8_t *p,
    size_t n)
{
    if (xor_first) {
        for (size_t i = 0; i < n; i++)
            h = (h ^ p[i]) * prime;
    } else {
        for (size_t i = 0; i < n; i++)
            h = h * prime ^ p[i];
    }
    return h;
}
