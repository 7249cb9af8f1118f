/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_SHA_X64_H
#define RUNTIME_LIB_SUPPORT_SHA_X64_H

/*
 * One block of SHA-1 or SHA-256 by the processor's own instructions.  Pure
 * functions over the callers' memory, as in hashes.h.
 */

#include <stdbool.h>
#include <stdint.h>

/* Whether this processor, and this build, have them: the others may be called
 * only then. */
bool lib_sha_can(void);

/* Takes the 64 bytes at p into h. */
void lib_sha1_block(uint32_t h[5], const uint8_t *p);
/* The same; add: the constants of the 64 rounds. */
void lib_sha256_block(
    uint32_t h[8], const uint8_t *p, const uint32_t add[64]);

#endif
