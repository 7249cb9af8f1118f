/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_HASHES_H
#define RUNTIME_LIB_SUPPORT_HASHES_H

/*
 * The inner loops of the packages crypto/md5, crypto/sha1, crypto/sha256 and
 * hash/...  All are pure functions over the callers' memory, without the
 * virtual machine, and may run on any thread without a P.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Package internal/md numbers them like this. */
enum hash_kind { HASH_MD5, HASH_SHA1, HASH_SHA256 };

enum { HASH_BLOCK = 64 }; /* bytes */

/* Takes the whole blocks of p[0:n] into h, which has 4, 5 or 8 words. */
void lib_hash_blocks(
    enum hash_kind kind, uint32_t *h, const uint8_t *p, size_t n);

/* The same without instructions of the processor for it, which tests compare
 * with these. */
void lib_hash_blocks_plain(
    enum hash_kind kind, uint32_t *h, const uint8_t *p, size_t n);

/* The table of a polynomial whose lowest bit is the highest power. */
void lib_hash_crc32_table(uint32_t poly, uint32_t tab[256]);
void lib_hash_crc64_table(uint64_t poly, uint64_t tab[256]);

/* The checksum that follows crc after p[0:n]; 0 is that of nothing. */
uint32_t lib_hash_crc32(
    const uint32_t tab[256], uint32_t crc, const uint8_t *p, size_t n);
uint64_t lib_hash_crc64(
    const uint64_t tab[256], uint64_t crc, const uint8_t *p, size_t n);

/* The same for Adler-32; 1 is that of nothing. */
uint32_t lib_hash_adler32(uint32_t sum, const uint8_t *p, size_t n);

/* FNV-1a if xor_first, else FNV-1, modulo 2^64: the low bits of the result
 * are those of the shorter variants. */
uint64_t lib_hash_fnv(uint64_t h, uint64_t prime, bool xor_first,
    const uint8_t *p, size_t n);

#endif
