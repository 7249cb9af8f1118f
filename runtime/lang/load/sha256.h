/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_SHA256_H
#define RUNTIME_LANG_LOAD_SHA256_H

/* SHA-256 (FIPS 180-4), for the sums of go.sum. */

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32 };

struct sha256 {
    uint32_t h[8];
    uint64_t n;       /* bytes so far */
    uint8_t block[64]; /* n % 64 of them wait */
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t n);
void sha256_end(struct sha256 *s, uint8_t out[SHA256_SIZE]);

#endif
