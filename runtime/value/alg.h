/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VALUE_ALG_H
#define RUNTIME_VALUE_ALG_H

/*
 * Equality, hashing and slot conversion for values of any type.  A value is
 * given by the address of its memory; a frame slot is such an address too,
 * since the low bytes of a slot are the value (little-endian).
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/layout.h"
#include "runtime/code/rtype.h"

enum alg_result { ALG_NO, ALG_YES, ALG_PANIC };

/* a == b.  ALG_PANIC: an interface inside holds a type that cannot be
 * compared, *bad. */
enum alg_result alg_equal(const struct rtype *t, const void *a, const void *b,
    const struct rtype **bad);

/* Equality of two interface values. */
enum alg_result alg_equal_iface(struct rt_iface a, struct rt_iface b,
    const struct rtype **bad);

/* The hash of a value; false and *bad as above.  A NaN, which is equal to
 * nothing, hashes as the number `nan` does. */
bool alg_hash(const struct rtype *t, const void *p, uint64_t seed,
    uint64_t nan, uint64_t *hash, const struct rtype **bad);

/* Copies a value from memory into t->slots frame slots: extends small
 * scalars, clears what is left of the last slot. */
void alg_load(const struct rtype *t, union rt_slot *dst, const void *src);

/* The enum chan_ext of an element type, as sched.h numbers them; here
 * because both read the same rule: signed kinds are sign-extended. */
unsigned alg_extend_kind(const struct rtype *t);

#endif
