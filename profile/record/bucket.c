/* SPDX-License-Identifier: MIT */
#include "profile/record/bucket.h"

#include <string.h>

#include "profile/record/block.h"
#include "profile/record/mem.h"
#include "runtime/base/compiler.h"
#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

/* Chains of the hash table, a power of two.  Only the pages that are used
 * take memory. */
enum { PROF_HASH_SIZE = 1 << 16 };

void
prof_buckets_init(struct prof_buckets *b, struct rt_os *os)
{
    memset(b, 0, sizeof *b);
    b->os = os;
    rt_lock_init(&b->lock, RANK_PROF_BUCKET);
    rt_persist_init(&b->mem, os);
}

void
prof_buckets_fini(struct prof_buckets *b)
{
    void *t = aptr_load_rlx(&b->table);

    rt_assert_full(prof_buckets_valid(b));
    if (t != NULL)
        rt_os_unmap(b->os, t, PROF_HASH_SIZE * sizeof(a_ptr));
    rt_persist_fini(&b->mem);
    prof_buckets_init(b, b->os);
}

uint64_t
prof_buckets_bytes(const struct prof_buckets *b)
{
    uint64_t n = a64_load_rlx(&b->mem.bytes);

    if (aptr_load_rlx(&b->table) != NULL)
        n += PROF_HASH_SIZE * sizeof(a_ptr);
    return n;
}

static a_ptr *
make_table(struct prof_buckets *b)
{
    rt_lock(&b->lock);
    a_ptr *t = aptr_load_rlx(&b->table);
    if (t == NULL) {
        t = rt_os_map(b->os, PROF_HASH_SIZE * sizeof(a_ptr));
        /* rel: the zeroes; pairs with the acq in prof_bucket_get(). */
        if (t != NULL)
            aptr_store_rel(&b->table, t);
    }
    rt_unlock(&b->lock);
    return t;
}

static struct prof_bucket *
bucket_find(struct prof_bucket *b, uint64_t hash, enum prof_kind kind,
    uint64_t size, const vpc *stk, uint32_t n)
{
    for (; b != NULL; b = b->next)
        if (b->hash == hash && b->kind == kind &&
            prof_bucket_is(b, size, stk, n))
            return b;
    return NULL;
}

static uint64_t
bucket_hash(enum prof_kind kind, uint64_t size, const vpc *stk, uint32_t n)
{
    uint64_t h = size ^ (uint64_t)kind << 60;

    for (uint32_t i = 0; i < n; i++)
        h = rt_hash_mix(h ^ stk[i], RT_HASH_K1);
    return h;
}

static a_ptr *
chain_of(a_ptr *table, uint64_t hash)
{
    return &table[(hash ^ hash >> 32) & (PROF_HASH_SIZE - 1)];
}

static bool
bucket_valid(a_ptr *table, const struct prof_bucket *k)
{
    if (k->nstk > PROF_STACK_MAX ||
        k->rec_off != sizeof *k + k->nstk * sizeof *k->stk ||
        k->hash != bucket_hash(k->kind, k->size, k->stk, k->nstk))
        return false;
    return bucket_find(aptr_load_acq(chain_of(table, k->hash)), k->hash,
               k->kind, k->size, k->stk, k->nstk) == k;
}

bool
prof_buckets_valid(const struct prof_buckets *b)
{
    a_ptr *t = aptr_load_acq(&b->table);

    for (int kind = 0; kind < PROF_NKIND; kind++) {
        struct prof_bucket *k = prof_bucket_first(b, kind);
        uint32_t n = 0;

        for (; k != NULL; k = k->all_next, n++)
            if (k->kind != kind || !bucket_valid(t, k))
                return false;
        if (n != a32_load_rlx(&b->count[kind]))
            return false;
    }
    return true;
}

/* With the lock held. */
static struct prof_bucket *
insert(struct prof_buckets *b, a_ptr *chain, uint64_t hash,
    enum prof_kind kind, uint64_t size, const vpc *stk, uint32_t n)
{
    size_t rec = kind == PROF_MEM ? sizeof(struct mprof_rec) :
        sizeof(struct prof_block_rec);
    size_t off = sizeof(struct prof_bucket) + n * sizeof *stk;
    struct prof_bucket *k = rt_persist_alloc(&b->mem, off + rec, 8);

    rt_assert_held(&b->lock);
    if (k == NULL)
        return NULL;
    k->next = aptr_load_rlx(chain);
    k->all_next = aptr_load_rlx(&b->all[kind]);
    k->hash = hash;
    k->size = size;
    k->kind = (uint16_t)kind;
    k->nstk = (uint16_t)n;
    k->rec_off = (uint32_t)off;
    memcpy(k->stk, stk, n * sizeof *stk);
    /* rel: the contents of the bucket; pair with the acq of the look-up and
     * of prof_bucket_first(). */
    aptr_store_rel(chain, k);
    aptr_store_rel(&b->all[kind], k);
    a32_add_rlx(&b->count[kind], 1);
    return k;
}

struct prof_bucket *
prof_bucket_get(struct prof_buckets *b, enum prof_kind kind, uint64_t size,
    const vpc *stk, uint32_t n)
{
    a_ptr *t = aptr_load_acq(&b->table); /* acq: pairs with make_table() */
    uint64_t h;

    rt_assert(kind < PROF_NKIND && n <= PROF_STACK_MAX);
    if (rt_unlikely(t == NULL) && (t = make_table(b)) == NULL) {
        a64_add_rlx(&b->lost, 1);
        return NULL;
    }
    h = bucket_hash(kind, size, stk, n);
    a_ptr *chain = chain_of(t, h);
    /* acq: pairs with the rel in insert(). */
    struct prof_bucket *k =
        bucket_find(aptr_load_acq(chain), h, kind, size, stk, n);
    if (rt_likely(k != NULL))
        return k;
    rt_lock(&b->lock);
    /* Somebody else may have been faster. */
    k = bucket_find(aptr_load_acq(chain), h, kind, size, stk, n);
    if (k == NULL)
        k = insert(b, chain, h, kind, size, stk, n);
    rt_unlock(&b->lock);
    if (k == NULL)
        a64_add_rlx(&b->lost, 1);
    return k;
}
