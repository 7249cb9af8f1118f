/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VALUE_TYPES_H
#define RUNTIME_VALUE_TYPES_H

/*
 * Types that a program makes while it runs (reflect.PointerTo, SliceOf and
 * their like).  There is one descriptor for each type of the program and of
 * these together: asked for a type, the table looks first for one with the
 * same structure among the program's.  So types are identical iff their
 * descriptors have one address, as everywhere.
 *
 * Only types without a name are made, of others that exist.  None has methods
 * but structs with an embedded field (see below): the generator gives a program
 * that makes pointer types those which do.
 * Descriptors lie outside the collected heap and live as long as the table.
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"
#include "runtime/code/rtype.h"
#include "runtime/value/map.h"

struct types_made; /* a type of the table */

/* How many pointer types that were asked for are found without the lock. */
enum { TYPES_RECENT = 64 };

struct types {
    /* const after init */
    const struct rtype *const *own; /* the program's types */
    uint32_t nown;
    /* guarded by lock (TYPES) */
    struct rt_lock lock;
    const struct rtype **table; /* open addressing by structure */
    uint32_t mask;              /* its size - 1; table is NULL at first */
    uint32_t n;
    struct types_made *made; /* all of them, the last first */
    uint32_t nmade;
    /* atomic: pointer types of the table, by a hash of their elem; NULL or any
     * that has this hash */
    a_ptr recent[TYPES_RECENT];
};

/* What tells the types of one kind apart: the fields that it uses. */
struct types_key {
    enum rkind kind; /* array, chan, func, map, pointer, slice or struct */
    const struct rtype *elem;
    const struct rtype *key; /* map; comparable */
    uint64_t len;            /* array */
    enum rchan_dir dir;      /* chan */
    const struct rtype *const *params; /* func: parameters, then results */
    uint32_t nparams, nresults;
    bool variadic; /* func; the last parameter is a slice then */
    /* struct: name, pkg, type, tag, embedded and exported of each count, the
     * texts are copied; offsets follow from them. */
    const struct rfield *fields;
    uint32_t nfields;
};

/* own: the program's types, which must outlive the table. */
void types_init(
    struct types *ts, const struct rtype *const *own, uint32_t nown);
void types_free(struct types *ts);

/* The type with this structure; the arrays of the key are the caller's again
 * afterwards.  NULL where memory is out or the type would be larger than what
 * can be addressed.  A struct that is made has the methods of the type that its
 * first field embeds, unless that is an interface or pointer-shaped: they find
 * their receiver where the struct begins.  Any thread. */
const struct rtype *types_get(struct types *ts, const struct types_key *k);

/* The map type's computed part; NULL where t is no map type of the table.
 * Any thread. */
const struct map_type *types_map(struct types *ts, const struct rtype *t);

#endif
