/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_CODE_PACK_H
#define RUNTIME_CODE_PACK_H

/*
 * A program image as a run of bytes that a file can keep and that may be
 * mapped anywhere: the image's structures one behind the other, pointers as
 * distances from the beginning, and a list of where these are.  It is for the
 * very build that has made it, as it has the layout of its structures.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/code/code.h"

struct code_packed {
    uint8_t *at; /* from malloc */
    size_t size; /* a multiple of 8 */
};

/* All that hangs from the image; nothing in it points to what it was made
 * from.  False if memory ran out, and then there is nothing to free. */
bool code_pack(const struct code_image *im, struct code_packed *out);

/*
 * Makes the bytes at `at`, 8-aligned and writable, an image again, which lives
 * as long as they do.  NULL: they are not what code_pack() has written, byte
 * for byte; they may have been changed then.
 */
const struct code_image *code_unpack(uint8_t *at, size_t size);

#endif
