/* SPDX-License-Identifier: MIT */
#include "trace/read/idmap.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"

void
trace_idmap_free(struct trace_idmap *m)
{
    free(m->keys);
    free(m->vals);
    memset(m, 0, sizeof *m);
}

static uint32_t
slot_of(const struct trace_idmap *m, uint64_t id)
{
    uint64_t h = (id ^ m->seed) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t i;

    rt_assert(m->cap != 0 && (m->cap & (m->cap - 1)) == 0);
    rt_assert(m->count < m->cap); /* else a search does not end */
    h ^= h >> 32;
    h *= UINT64_C(0xd6e8feb86659fd93);
    i = (uint32_t)(h >> 32) & (m->cap - 1);
    while (m->vals[i] != 0 && m->keys[i] != id)
        i = (i + 1) & (m->cap - 1);
    return i;
}

int64_t
trace_idmap_find(const struct trace_idmap *m, uint64_t id)
{
    if (m->cap == 0)
        return TRACE_IDMAP_NONE;
    return (int64_t)m->vals[slot_of(m, id)] - 1;
}

static bool
grow(struct trace_idmap *m)
{
    struct trace_idmap big = {0};
    uint32_t i, j;

    memcpy(big.hot, m->hot, sizeof big.hot);
    memcpy(big.hot_id, m->hot_id, sizeof big.hot_id);
    big.cap = m->cap == 0 ? 64 : m->cap * 2;
    big.seed = m->seed;
    if (big.cap > UINT32_C(1) << 31)
        return false;
    if (m->cap == 0)
        big.seed = rt_hash_seed(m);
    big.keys = malloc(big.cap * sizeof *big.keys);
    big.vals = calloc(big.cap, sizeof *big.vals);
    if (big.keys == NULL || big.vals == NULL) {
        free(big.keys);
        free(big.vals);
        return false;
    }
    for (i = 0; i < m->cap; i++) {
        if (m->vals[i] == 0)
            continue;
        j = slot_of(&big, m->keys[i]);
        big.keys[j] = m->keys[i];
        big.vals[j] = m->vals[i];
    }
    big.count = m->count;
    free(m->keys);
    free(m->vals);
    *m = big;
    rt_assert_full(trace_idmap_valid(m));
    return true;
}

int64_t
trace_idmap_add(struct trace_idmap *m, uint64_t id, bool *fresh)
{
    uint32_t i;

    rt_assert(!trace_idmap_is_hot(m, id));
    if (m->count >= m->cap / 2 && !grow(m))
        return TRACE_IDMAP_NOMEM;
    i = slot_of(m, id);
    if (m->vals[i] == 0) {
        m->keys[i] = id;
        m->vals[i] = ++m->count;
        *fresh = true;
    }
    m->hot[id % TRACE_IDMAP_HOT] = m->vals[i];
    m->hot_id[id % TRACE_IDMAP_HOT] = id;
    return (int64_t)m->vals[i] - 1;
}

bool
trace_grow_slow(void *array, uint64_t *cap, uint64_t i, uint64_t size)
{
    uint64_t want = *cap == 0 ? 16 : *cap;
    void *old, *p;

    rt_assert(i >= *cap && i < UINT64_MAX / 4 / size);
    while (want <= i)
        want *= 2;
    memcpy(&old, array, sizeof old);
    p = realloc(old, want * size);
    if (p == NULL)
        return false;
    memset((char *)p + *cap * size, 0, (want - *cap) * size);
    memcpy(array, &p, sizeof p);
    *cap = want;
    return true;
}

bool
trace_idmap_valid(const struct trace_idmap *m)
{
    uint64_t sum = 0, want = (uint64_t)m->count * (m->count + 1ull) / 2;
    uint32_t i, n = 0;

    if ((m->cap & (m->cap - 1)) != 0 || m->count > m->cap / 2)
        return false;
    for (i = 0; i < m->cap; i++) {
        if (m->vals[i] == 0)
            continue;
        if (m->vals[i] > m->count || slot_of(m, m->keys[i]) != i)
            return false;
        sum += m->vals[i];
        n++;
    }
    for (i = 0; i < TRACE_IDMAP_HOT; i++) {
        if (m->hot[i] != 0 && (m->hot_id[i] % TRACE_IDMAP_HOT != i ||
            trace_idmap_find(m, m->hot_id[i]) != (int64_t)m->hot[i] - 1))
            return false;
    }
    return n == m->count && sum == want;
}
