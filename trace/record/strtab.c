/* SPDX-License-Identifier: MIT */
#include "trace/record/strtab.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

void
trace_strtab_init(struct trace_strtab *t)
{
    memset(t, 0, sizeof *t);
    rt_lock_init(&t->lock, RANK_TRACE_STR);
}

bool
trace_strtab_open(struct trace_strtab *t)
{
    rt_assert(t->slots == NULL && t->region == NULL);
    t->slots = calloc(TRACE_STRTAB_SLOTS, sizeof *t->slots);
    t->tail = NULL;
    t->bytes = TRACE_STRTAB_SLOTS * sizeof *t->slots;
    aptr_store_rel(&t->first, NULL);
    a32_store_rlx(&t->count, 0);
    return t->slots != NULL;
}

void
trace_strtab_close(struct trace_strtab *t)
{
    rt_assert_full(trace_strtab_valid(t));
    trace_region_free(&t->region);
    free(t->slots);
    t->slots = NULL;
    t->tail = NULL;
    t->bytes = 0;
    aptr_store_rel(&t->first, NULL);
}

/* FNV-1a. */
static uint64_t
hash_bytes(const char *s, size_t len)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    size_t i;

    for (i = 0; i < len; i++)
        h = (h ^ (uint8_t)s[i]) * UINT64_C(0x100000001b3);
    return h;
}

static uint32_t
put_locked(struct trace_strtab *t, const char *s, size_t len, uint64_t hash)
{
    struct trace_str **slot, *st;

    rt_assert_held(&t->lock);
    rt_assert(len > 0 && len <= TRACE_STR_MAX);
    if (t->slots == NULL)
        return 0;
    rt_assert((t->tail == NULL) == (a32_load_rlx(&t->count) == 0));
    slot = &t->slots[hash % TRACE_STRTAB_SLOTS];
    for (st = *slot; st != NULL; st = st->link) {
        if (st->hash == hash && st->len == len &&
            memcmp(st->text, s, len) == 0)
            return st->id;
    }
    if (t->bytes >= TRACE_STRTAB_BYTES)
        return 0;
    st = trace_region_alloc(&t->region, sizeof *st + len, &t->bytes);
    if (st == NULL)
        return 0;
    st->link = *slot;
    aptr_store_rlx(&st->next, NULL);
    st->hash = hash;
    st->id = a32_load_rlx(&t->count) + 1;
    st->len = (uint32_t)len;
    memcpy(st->text, s, len);
    *slot = st;
    a32_store_rlx(&t->count, st->id);
    /* rel: the node is complete; pairs with the acq in next(). */
    aptr_store_rel(t->tail == NULL ? &t->first : &t->tail->next, st);
    t->tail = st;
    return st->id;
}

uint32_t
trace_strtab_put(struct trace_strtab *t, const char *s, size_t len)
{
    uint64_t hash;
    uint32_t id;

    if (len == 0)
        return 0;
    if (len > TRACE_STR_MAX)
        len = TRACE_STR_MAX;
    hash = hash_bytes(s, len);
    rt_lock(&t->lock);
    id = put_locked(t, s, len, hash);
    rt_unlock(&t->lock);
    return id;
}

const struct trace_str *
trace_strtab_next(const struct trace_strtab *t, const struct trace_str *st)
{
    /* acq: pairs with the rel in put_locked(). */
    return aptr_load_acq(st == NULL ? &t->first : &st->next);
}
