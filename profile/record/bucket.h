/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_BUCKET_H
#define PROFILE_RECORD_BUCKET_H

/*
 * Buckets: one record for each (kind, size, stack), found by hash.  A look-up
 * takes no lock; only the insertion of a new bucket does.  Buckets are never
 * freed before their runtime and never move, and nothing but the record
 * behind the stack changes after insertion, so a pointer to a bucket or to
 * its stack stays good.  The memory is outside the collected heap.
 *
 * Source of the idea: stkbucket() in Go's mprof.go.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/callstack.h"
#include "runtime/base/err.h"
#include "runtime/base/lock.h"
#include "runtime/base/osmem.h"
#include "runtime/base/persist.h"

enum prof_kind { PROF_MEM, PROF_BLOCK, PROF_MUTEX, PROF_NKIND };

enum { PROF_STACK_MAX = CALLSTACK_MAX };

struct prof_bucket {
    /* const after insertion */
    struct prof_bucket *next;     /* of the same hash chain */
    struct prof_bucket *all_next; /* of the same kind, newest first */
    uint64_t hash;
    uint64_t size;                /* PROF_MEM: of the objects; else 0 */
    uint16_t kind;
    uint16_t nstk;
    uint32_t rec_off;             /* of the record, from the bucket */
    vpc stk[];
};

struct prof_buckets {
    a_ptr table;          /* a_ptr[PROF_HASH_SIZE]; NULL until needed */
    a_ptr all[PROF_NKIND]; /* heads of the lists of all */
    a_u32 count[PROF_NKIND];
    struct rt_lock lock;  /* PROF_BUCKET: insertion */
    struct rt_os *os;     /* const after init */
    struct rt_persist mem;
    a_u64 lost;           /* events without a bucket: memory was out */
};

/* os counts what the table and the buckets take. */
void prof_buckets_init(struct prof_buckets *b, struct rt_os *os);

/* Frees every bucket. */
void prof_buckets_fini(struct prof_buckets *b);

/* Bytes obtained from the system: MemStats.BuckHashSys. */
uint64_t prof_buckets_bytes(const struct prof_buckets *b);

/*
 * The bucket of the stack, made if there is none yet; NULL when there is no
 * memory (and counted in lost).  Any thread; takes PROF_BUCKET and PERSIST
 * for a new one.
 */
struct prof_bucket *prof_bucket_get(struct prof_buckets *b,
    enum prof_kind kind, uint64_t size, const vpc *stk, uint32_t n);

/* Every bucket is in its chain, once, and counted.  Nobody inserts meanwhile.
 * For full builds and tests. */
bool prof_buckets_valid(const struct prof_buckets *b);

/* The newest bucket of the kind; the others follow through all_next. */
static inline struct prof_bucket *
prof_bucket_first(const struct prof_buckets *b, enum prof_kind kind)
{
    /* acq: pairs with the rel store of prof_bucket_get(). */
    return (struct prof_bucket *)aptr_load_acq(&b->all[kind]);
}

/* Whether b, whose kind is right, is the bucket of this size and stack.  Stacks
 * are short. */
static inline bool
prof_bucket_is(const struct prof_bucket *b, uint64_t size, const vpc *stk,
    uint32_t n)
{
    if (b->size != size || b->nstk != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (b->stk[i] != stk[i])
            return false;
    return true;
}

/* The record behind the stack: struct mprof_rec or struct prof_block_rec. */
static inline void *
prof_bucket_rec(struct prof_bucket *b)
{
    return (char *)b + b->rec_off;
}

#endif
