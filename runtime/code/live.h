/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_CODE_LIVE_H
#define RUNTIME_CODE_LIVE_H

/*
 * Liveness of slots: which named slots of a function may be read from an
 * instruction on before they are written.  The collector asks it of frames,
 * and whoever makes machine code must ask the very same: a slot that counts
 * as live at a call has to be in memory there.
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/code/code.h"

/*
 * A table for all instructions of f, for code_live_at(); the caller frees it.
 * NULL where the function is too large or memory is out: then every slot
 * counts as live.  f must have passed the verifier.
 */
uint64_t *code_live_compute(
    const struct code_image *im, const struct code_func *f);

/*
 * What is live where f, which defers, goes on when a deferred function has
 * recovered, without a table: added to `set`, which has a bit for each slot below
 * f->nslots.  false: that is not one way straight on to the end, or there is no
 * memory; then a table must be asked, and the set is worth nothing.
 */
bool code_live_recovered(
    const struct code_image *im, const struct code_func *f, uint64_t *set);

/* A bit for each slot below f->nslots that may be read from the instruction
 * at offset off on, before it is written. */
static inline const uint64_t *
code_live_at(const uint64_t *table, uint32_t off)
{
    return table + 1 + table[0] * off;
}

#endif
