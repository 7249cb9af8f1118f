/* SPDX-License-Identifier: MIT */

/*
 * Iteration.  The tables are visited in the order of their hash prefixes from
 * a random one on; a prefix range is a table's when its turn comes, and stays
 * done however often that table splits later, so no entry can be met twice.
 * Within a table the slots are visited from a random one on.  When the table
 * has meanwhile left the groups behind (grown, split), or the map has been
 * cleared and may have left the table, the iterator goes on through the old
 * groups for the keys and asks the map for each.  After a clear no other table
 * is begun: nothing that was there then is in one.
 */

#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/value/alg.h"
#include "runtime/value/map.h"

/* map, table and groups; key and elem point into what these keep alive, or
 * into groups that the map has left since, and then nobody reads them. */
static const uint8_t iter_mask[] = { 0x07 };
_Static_assert(offsetof(struct map_iter, groups) == 16, "iter_mask");

const struct rt_layout map_iter_layout = { sizeof(struct map_iter),
    offsetof(struct map_iter, groups) + 8, iter_mask };

static void
begin_table(struct gc_pcache *pc, struct map_iter *it, uint64_t random)
{
    struct map_table *t = map_table_at(it->map, it->start + it->cursor);

    rt_assert(t->groups != NULL && t->depth <= it->map->depth);
    gc_write_barrier(pc, (void **)&it->table, t);
    it->table = t;
    gc_write_barrier(pc, (void **)&it->groups, t->groups);
    it->groups = t->groups;
    it->cap = t->cap;
    it->table_depth = t->depth;
    it->i = 0;
    it->offset = (uint32_t)random & (t->cap - 1);
}

void
map_iter_begin(struct gc_pcache *pc, struct map_iter *it, struct map *m,
    uint64_t random)
{
    memset(it, 0, sizeof *it);
    if (m == NULL || m->count == 0)
        return;
    gc_write_barrier(pc, (void **)&it->map, m);
    it->map = m;
    it->clears = m->clears;
    it->start = random;
    struct map_table *t = map_table_at(m, random);
    /* The beginning of that table's range. */
    it->start = t->depth == 0 ? 0 : random & ~(UINT64_MAX >> t->depth);
    begin_table(pc, it, random >> 20);
}

/* Positions at the next table; false after the last one. */
static bool
next_table(struct gc_pcache *pc, struct map_iter *it)
{
    uint64_t next;

    rt_assert(it->table_depth < 64);
    if (it->table_depth == 0 || it->clears != it->map->clears)
        return false;
    if (__builtin_add_overflow(
            it->cursor, (uint64_t)1 << (64 - it->table_depth), &next))
        return false;
    it->cursor = next;
    begin_table(pc, it, it->offset * 31 + 7);
    return true;
}

/* Whether what lies in the iterator's groups is no longer what the map has. */
static bool
is_left_behind(const struct map_iter *it)
{
    return it->groups != it->table->groups || it->clears != it->map->clears;
}

/* What has become of a key of old groups; false: it is gone. */
static bool
look_up(struct map_iter *it, uint8_t *old)
{
    const struct map_type *mt = it->map->mt;
    const struct rtype *bad;
    uint8_t *slot = map_find_slot(it->map, old);

    if (slot == NULL) {
        /* A key that differs from itself cannot be deleted, only cleared. */
        if (mt->reflexive || it->clears != it->map->clears ||
            alg_equal(mt->key, old, old, &bad) == ALG_YES)
            return false;
        slot = old;
    }
    rt_assert(is_left_behind(it));
    it->key = slot;
    it->elem = slot + mt->elem_off;
    return true;
}

enum map_status
map_iter_next(struct gc_pcache *pc, struct map_iter *it)
{
    struct map *m = it->map;

    it->key = NULL;
    it->elem = NULL;
    if (m == NULL)
        return MAP_OK;
    if (rt_unlikely(a8_load_rlx(&m->writing)))
        return MAP_RACE_ITER;
    const struct map_type *mt = m->mt;
    do {
        while (it->i < it->cap) {
            uint32_t s = (it->offset + it->i++) & (it->cap - 1);
            uint8_t *group =
                it->groups + (uint64_t)(s / MAP_GROUP) * mt->group.size;
            if (group[s % MAP_GROUP] & 0x80)
                continue;
            uint8_t *slot = map_group_slot(mt, group, s % MAP_GROUP);
            if (rt_unlikely(is_left_behind(it))) {
                if (!look_up(it, slot))
                    continue;
            } else {
                it->key = slot;
                it->elem = slot + mt->elem_off;
            }
            return MAP_OK;
        }
    } while (next_table(pc, it));
    gc_write_barrier(pc, (void **)&it->map, NULL);
    it->map = NULL;
    return MAP_OK;
}
