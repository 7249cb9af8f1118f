/* SPDX-License-Identifier: MIT */
#include "runtime/value/map.h"

#include <string.h>

#include "runtime/base/bits.h"
#include "runtime/base/hash.h"
#include "runtime/base/throw.h"
#include "runtime/value/alg.h"

#define LSB UINT64_C(0x0101010101010101)
#define MSB UINT64_C(0x8080808080808080)

static const uint8_t map_mask[] = { 0x0c };    /* table, dir */
static const uint8_t table_mask[] = { 0x01 };  /* groups */
static const uint8_t word_mask[] = { 0x01 };
static const struct rt_layout map_layout = { sizeof(struct map), 32,
    map_mask };
static const struct rt_layout table_layout = { sizeof(struct map_table), 8,
    table_mask };
static const struct rt_layout word_layout = { 8, 8, word_mask };

_Static_assert(offsetof(struct map, table) == 16, "map_mask");
_Static_assert(offsetof(struct map, dir) == 24, "map_mask");

/* ---- control words: eight bytes at once ------------------------------------ */

static inline uint64_t
load_ctrl(const uint8_t *group)
{
    uint64_t c;

    memcpy(&c, group, 8);
    return c;
}

/* The top bit of each byte that may be h2: a false positive is possible
 * above a true one; the comparison of keys sorts it out. */
static inline uint64_t
match_h2(uint64_t ctrl, uint64_t h2)
{
    uint64_t x = ctrl ^ (LSB * h2);

    return (x - LSB) & ~x & MSB;
}

static inline uint64_t
match_empty(uint64_t ctrl)
{
    return ctrl & ~(ctrl << 6) & MSB;
}

static inline uint64_t
match_free(uint64_t ctrl)
{
    return ctrl & MSB;
}

static inline unsigned
first(uint64_t match)
{
    return (unsigned)__builtin_ctzll(match) / 8;
}

/* ---- hashing and lookup ------------------------------------------------------ */

static RT_ALWAYS_INLINE bool
hash_key(const struct map_type *mt, uint8_t fast, const void *key,
    uint64_t seed, uint64_t nan, uint64_t *h, const struct rtype **bad)
{
    switch (fast) {
    case MAP_KEY64: {
        uint64_t x;
        memcpy(&x, key, 8);
        *h = rt_hash_u64(x, seed);
        return true;
    }
    case MAP_KEY32: {
        uint32_t x;
        memcpy(&x, key, 4);
        *h = rt_hash_u64(x, seed);
        return true;
    }
    case MAP_KEYSTR: {
        const struct rt_str *s = key;
        *h = rt_hash_bytes(s->ptr, (size_t)s->len, seed);
        return true;
    }
    default:
        return alg_hash(mt->key, key, seed, nan, h, bad);
    }
}

/* What a NaN hashes as that is put into a place of the map; whoever looks for
 * one finds none. */
static inline uint64_t
next_nan(struct map *m)
{
    return m->mt->reflexive ? 0 : ++m->nans;
}

static RT_ALWAYS_INLINE bool
same_key(const struct map_type *mt, uint8_t fast, const void *a,
    const void *b)
{
    const struct rtype *bad;

    switch (fast) {
    case MAP_KEY64:
        return *(const uint64_t *)a == *(const uint64_t *)b;
    case MAP_KEY32:
        return *(const uint32_t *)a == *(const uint32_t *)b;
    case MAP_KEYSTR: {
        const struct rt_str *s = a, *t = b;
        return s->len == t->len &&
            (s->ptr == t->ptr || s->len == 0 ||
                memcmp(s->ptr, t->ptr, (size_t)s->len) == 0);
    }
    default:
        /* Hashing has found the key comparable. */
        return alg_equal(mt->key, a, b, &bad) == ALG_YES;
    }
}

/* In a large map neither a group's control word nor its slots are in the
 * cache; so the lines behind the first one are on their way while the control
 * word is waited for.  Two suffice for words as keys and elements. */
static RT_ALWAYS_INLINE void
prefetch_slots(const uint8_t *group)
{
    enum { LINE = 64 };

    __builtin_prefetch(group + LINE);
    __builtin_prefetch(group + 2 * LINE);
}

/* The group at which the search for a hash begins. */
static RT_ALWAYS_INLINE uint32_t
first_group(const struct map_table *t, uint64_t hash)
{
    return (uint32_t)(hash >> 7) & (t->cap / MAP_GROUP - 1);
}

/* find_in(), which has not found it at once. */
static RT_NOINLINE uint8_t *
find_on(const struct map_type *mt, uint8_t fast, const struct map_table *t,
    uint64_t hash, const void *key)
{
    uint32_t mask = t->cap / MAP_GROUP - 1;
    uint32_t g = first_group(t, hash);

    for (uint32_t step = 0; step <= mask;) {
        uint8_t *group = t->groups + (uint64_t)g * mt->group.size;
        prefetch_slots(group);
        uint64_t ctrl = load_ctrl(group);
        for (uint64_t m = match_h2(ctrl, hash & 0x7f); m != 0; m &= m - 1) {
            uint8_t *slot = map_group_slot(mt, group, first(m));
            if (same_key(mt, fast, slot, key))
                return slot;
        }
        if (match_empty(ctrl) != 0)
            return NULL;
        step++;
        g = (g + step) & mask;
    }
    return NULL;
}

/* Most often the first slot of the first group that may be the key's is it, or
 * there is none in that group: little has to be kept for that. */
static RT_ALWAYS_INLINE uint8_t *
find_in(const struct map_type *mt, uint8_t fast, const struct map_table *t,
    uint64_t hash, const void *key)
{
    uint8_t *group =
        t->groups + (uint64_t)first_group(t, hash) * mt->group.size;

    rt_assert(t->groups != NULL && (t->cap & (t->cap - 1)) == 0);
    prefetch_slots(group);
    uint64_t ctrl = load_ctrl(group), m = match_h2(ctrl, hash & 0x7f);
    if (m != 0) {
        uint8_t *slot = map_group_slot(mt, group, first(m));
        if (same_key(mt, fast, slot, key))
            return slot;
    } else if (match_empty(ctrl) != 0) {
        return NULL;
    }
    return find_on(mt, fast, t, hash, key);
}

#define BY_KIND(mt, expr)                   \
    switch ((mt)->fast) {                   \
    case MAP_KEY64: {                       \
        enum { FAST = MAP_KEY64 };          \
        expr;                               \
        break;                              \
    }                                       \
    case MAP_KEY32: {                       \
        enum { FAST = MAP_KEY32 };          \
        expr;                               \
        break;                              \
    }                                       \
    case MAP_KEYSTR: {                      \
        enum { FAST = MAP_KEYSTR };         \
        expr;                               \
        break;                              \
    }                                       \
    default: {                              \
        enum { FAST = MAP_GENERIC };        \
        expr;                               \
        break;                              \
    }                                       \
    }

static RT_ALWAYS_INLINE enum map_status
get(const struct map_type *mt, uint8_t fast, struct map *m, const void *key,
    const void **elem, const struct rtype **bad)
{
    uint64_t h;

    if (!hash_key(mt, fast, key, m->seed, 0, &h, bad))
        return MAP_UNHASHABLE;
    uint8_t *slot = find_in(mt, fast, map_table_at(m, h), h, key);
    *elem = slot == NULL ? NULL : slot + mt->elem_off;
    return MAP_OK;
}

enum map_status
map_get(const struct map_type *mt, struct map *m, const void *key,
    const void **elem, const struct rtype **bad)
{
    uint64_t h;

    *elem = NULL;
    if (m == NULL || m->count == 0) {
        if ((mt->key->flags & RT_F_MAYPANIC) &&
            !alg_hash(mt->key, key, 0, 0, &h, bad))
            return MAP_UNHASHABLE_EMPTY;
        return MAP_OK;
    }
    if (rt_unlikely(a8_load_rlx(&m->writing)))
        return MAP_RACE_READ;
    rt_assert(mt->key == m->mt->key && mt->slot == m->mt->slot);
    BY_KIND(mt, return get(mt, FAST, m, key, elem, bad));
    return MAP_OK;
}

uint8_t *
map_find_slot(struct map *m, const void *key)
{
    const struct rtype *bad;
    uint64_t h;

    if (m->count == 0 ||
        !hash_key(m->mt, m->mt->fast, key, m->seed, 0, &h, &bad))
        return NULL;
    return find_in(m->mt, m->mt->fast, map_table_at(m, h), h, key);
}

/* ---- making and growing -------------------------------------------------------- */

/* How many of cap slots may be in use.  A single group may fill up, since
 * its search ends after one step. */
static uint32_t
load_limit(uint32_t cap)
{
    return cap <= MAP_GROUP ? cap : cap / 8 * 7;
}

/* ---- what holds ----------------------------------------------------------------- */

static bool
table_valid(const struct map_type *mt, const struct map_table *t)
{
    uint32_t full = 0, deleted = 0;

    if (t->groups == NULL || t->cap < MAP_GROUP || t->cap > MAP_TABLE_MAX ||
        (t->cap & (t->cap - 1)) != 0)
        return false;
    for (uint32_t i = 0; i < t->cap; i++) {
        const uint8_t *g =
            t->groups + (uint64_t)(i / MAP_GROUP) * mt->group.size;
        uint8_t c = g[i % MAP_GROUP];
        if (c >= MAP_CTRL_EMPTY && c != MAP_CTRL_EMPTY &&
            c != MAP_CTRL_DELETED)
            return false;
        full += c < MAP_CTRL_EMPTY;
        deleted += c == MAP_CTRL_DELETED;
    }
    return full == t->used &&
        full + deleted + t->growth_left == load_limit(t->cap);
}

/* What table_valid() says of a small map: little enough for each change. */
static bool
small_valid(const struct map *m)
{
    return m->dir != NULL || m->table->cap > 8 * MAP_GROUP ||
        (table_valid(m->mt, m->table) && m->table->used == m->count);
}

/* Whether each key of the table is found where it stands. */
static bool
keys_valid(struct map *m, const struct map_table *t)
{
    for (uint32_t i = 0; i < t->cap && m->mt->reflexive; i++) {
        uint8_t *g =
            t->groups + (uint64_t)(i / MAP_GROUP) * m->mt->group.size;
        uint8_t *slot = map_group_slot(m->mt, g, i % MAP_GROUP);
        if (g[i % MAP_GROUP] < MAP_CTRL_EMPTY &&
            map_find_slot(m, slot) != slot)
            return false;
    }
    return true;
}

bool
map_valid(struct map *m)
{
    uint64_t n = (uint64_t)1 << m->depth;
    int64_t count = 0;

    if ((m->dir == NULL) != (m->depth == 0) ||
        (m->dir == NULL) != (m->table != NULL))
        return false;
    for (uint64_t i = 0; i < n;) {
        struct map_table *t = m->dir == NULL ? m->table : m->dir[i];
        if (t->depth > m->depth || !table_valid(m->mt, t) ||
            !keys_valid(m, t))
            return false;
        /* It stands in all entries of its prefix. */
        uint64_t span = (uint64_t)1 << (m->depth - t->depth);
        if (i % span != 0)
            return false;
        for (uint64_t k = 1; k < span; k++)
            if (m->dir[i + k] != t)
                return false;
        count += t->used;
        i += span;
    }
    return count == m->count;
}

static uint8_t *
new_groups(struct gc_pcache *pc, const struct map_type *mt, uint32_t cap)
{
    uint64_t n = cap / MAP_GROUP;
    uint8_t *g = gc_alloc_array(pc, &mt->group, n);

    if (g == NULL)
        return NULL;
    for (uint64_t i = 0; i < n; i++)
        memset(g + i * mt->group.size, MAP_CTRL_EMPTY, 8);
    return g;
}

static struct map_table *
map_table_new(struct gc_pcache *pc, const struct map_type *mt, uint32_t cap,
    uint32_t depth)
{
    struct map_table *t = gc_alloc(pc, &table_layout);

    rt_assert(cap >= MAP_GROUP && cap <= MAP_TABLE_MAX && depth < 64);
    if (t == NULL)
        return NULL;
    t->groups = new_groups(pc, mt, cap);
    if (t->groups == NULL)
        return NULL;
    t->cap = cap;
    t->growth_left = load_limit(cap);
    t->depth = depth;
    return t;
}

static void
store_ptr(struct gc_pcache *pc, void *slot, void *val)
{
    gc_write_barrier(pc, slot, val);
    *(void **)slot = val;
}

struct map *
map_new(struct gc_pcache *pc, const struct map_type *mt, int64_t hint,
    uint64_t random)
{
    struct map *m = gc_alloc(pc, &map_layout);
    uint32_t cap = MAP_GROUP, depth = 0;

    if (m == NULL)
        return NULL;
    m->mt = mt;
    m->seed = random;
    while (hint > (int64_t)load_limit(cap) && cap < MAP_TABLE_MAX)
        cap *= 2;
    while (depth < 24 && hint > (int64_t)load_limit(cap) << depth)
        depth++;
    if (depth == 0) {
        m->table = map_table_new(pc, mt, cap, 0);
        return m->table == NULL ? NULL : m;
    }
    m->dir = gc_alloc_array(pc, &word_layout, (uint64_t)1 << depth);
    if (m->dir == NULL)
        return NULL;
    for (uint64_t i = 0; i < (uint64_t)1 << depth; i++) {
        struct map_table *t = map_table_new(pc, mt, cap, depth);
        if (t == NULL)
            return NULL;
        store_ptr(pc, &m->dir[i], t);
    }
    m->depth = depth;
    rt_assert_full(map_valid(m));
    return m;
}

/* The first slot that can take an entry of this hash; *ctrl is its control
 * byte.  There is one. */
static uint8_t *
free_slot(const struct map_type *mt, const struct map_table *t,
    uint64_t hash, uint8_t **ctrl)
{
    uint32_t mask = t->cap / MAP_GROUP - 1;
    uint32_t g = (uint32_t)(hash >> 7) & mask;

    for (uint32_t step = 0;;) {
        uint8_t *group = t->groups + (uint64_t)g * mt->group.size;
        uint64_t m = match_free(load_ctrl(group));
        if (m != 0) {
            *ctrl = group + first(m);
            return map_group_slot(mt, group, first(m));
        }
        step++;
        rt_assert(step <= mask);
        g = (g + step) & mask;
    }
}

/* Moves an entry into a table that has neither the key nor tombstones. */
static void
move_entry(struct gc_pcache *pc, const struct map_type *mt,
    struct map_table *t, uint64_t hash, const uint8_t *from)
{
    uint8_t *ctrl;
    uint8_t *slot = free_slot(mt, t, hash, &ctrl);

    rt_assert(*ctrl == MAP_CTRL_EMPTY && t->growth_left > 0);
    *ctrl = hash & 0x7f;
    gc_write_barrier_range(pc, &mt->key->layout, slot, from, 1);
    gc_write_barrier_range(
        pc, &mt->elem->layout, slot + mt->elem_off, from + mt->elem_off, 1);
    memcpy(slot, from, mt->slot);
    t->used++;
    t->growth_left--;
}

/* Calls move_entry() for all entries of old groups; where there are two
 * tables the bit after `depth` leading ones chooses. */
static void
move_all(struct gc_pcache *pc, struct map *m, uint8_t *groups, uint32_t cap,
    struct map_table *lo, struct map_table *hi)
{
    const struct map_type *mt = m->mt;
    const struct rtype *bad;

    for (uint32_t g = 0; g < cap / MAP_GROUP; g++) {
        uint8_t *group = groups + (uint64_t)g * mt->group.size;
        uint64_t full = ~load_ctrl(group) & MSB;
        for (; full != 0; full &= full - 1) {
            uint8_t *slot = map_group_slot(mt, group, first(full));
            uint64_t h = 0;
            hash_key(mt, mt->fast, slot, m->seed, next_nan(m), &h, &bad);
            struct map_table *t = lo;
            if (hi != NULL && (h >> (64 - hi->depth) & 1))
                t = hi;
            move_entry(pc, mt, t, h, slot);
        }
    }
}

/* Replaces the groups of a table; the old ones stay for iterators. */
static bool
regroup(struct gc_pcache *pc, struct map *m, struct map_table *t,
    uint32_t cap)
{
    uint8_t *old = t->groups;
    uint32_t old_cap = t->cap, used = t->used;
    uint8_t *g = new_groups(pc, m->mt, cap);

    if (g == NULL)
        return false;
    store_ptr(pc, &t->groups, g);
    t->cap = cap;
    t->used = 0;
    t->growth_left = load_limit(cap);
    move_all(pc, m, old, old_cap, t, NULL);
    rt_assert(t->used == used);
    rt_assert_full(table_valid(m->mt, t));
    return true;
}

static bool
double_dir(struct gc_pcache *pc, struct map *m)
{
    uint64_t n = (uint64_t)1 << m->depth;
    struct map_table **dir = gc_alloc_array(pc, &word_layout, 2 * n);

    rt_assert((m->dir == NULL) == (m->depth == 0));
    rt_assert((m->dir == NULL) == (m->table != NULL));
    if (dir == NULL)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        struct map_table *t = m->dir == NULL ? m->table : m->dir[i];
        store_ptr(pc, &dir[2 * i], t);
        store_ptr(pc, &dir[2 * i + 1], t);
    }
    store_ptr(pc, &m->dir, dir);
    store_ptr(pc, &m->table, NULL);
    m->depth++;
    return true;
}

static bool
split(struct gc_pcache *pc, struct map *m, struct map_table *t, uint64_t hash)
{
    uint32_t d = t->depth + 1;
    struct map_table *lo = map_table_new(pc, m->mt, t->cap, d);
    struct map_table *hi = map_table_new(pc, m->mt, t->cap, d);

    rt_assert(t->depth <= m->depth && map_table_at(m, hash) == t);
    if (lo == NULL || hi == NULL)
        return false;
    if (t->depth == m->depth && !double_dir(pc, m))
        return false;
    move_all(pc, m, t->groups, t->cap, lo, hi);
    rt_assert(lo->used + hi->used == t->used);
    rt_assert_full(table_valid(m->mt, lo) && table_valid(m->mt, hi));
    uint64_t span = (uint64_t)1 << (m->depth - t->depth);
    uint64_t at = (hash >> (64 - m->depth)) & ~(span - 1);
    for (uint64_t i = 0; i < span; i++)
        store_ptr(pc, &m->dir[at + i], i < span / 2 ? lo : hi);
    /* Tells iterators that the table is no more. */
    store_ptr(pc, &t->groups, NULL);
    rt_assert(map_table_at(m, hash) == lo || map_table_at(m, hash) == hi);
    return true;
}

/* Makes room in the table for one more entry. */
static bool
table_make_room(
    struct gc_pcache *pc, struct map *m, struct map_table *t, uint64_t hash)
{
    rt_assert(t->growth_left == 0 && t->used <= t->cap);
    /* Mostly tombstones: the same size will do. */
    if (t->used <= t->cap * 20 / 32 && t->cap > MAP_GROUP)
        return regroup(pc, m, t, t->cap);
    if (t->cap < MAP_TABLE_MAX)
        return regroup(pc, m, t, t->cap * 2);
    return split(pc, m, t, hash);
}

/* ---- writing --------------------------------------------------------------------- */

/* Makes the key present; *elem = its element, which of a new one is zeros. */
static RT_ALWAYS_INLINE enum map_status
place(struct gc_pcache *pc, const struct map_type *mt, uint8_t fast,
    struct map *m, const void *key, uint8_t **elem,
    const struct rtype **bad)
{
    uint64_t h;
    uint8_t *ctrl;

    if (!hash_key(mt, fast, key, m->seed, next_nan(m), &h, bad))
        return MAP_UNHASHABLE;
    struct map_table *t = map_table_at(m, h);
    uint8_t *slot = find_in(mt, fast, t, h, key);
    if (slot == NULL) {
        slot = free_slot(mt, t, h, &ctrl);
        if (*ctrl == MAP_CTRL_EMPTY) {
            while (rt_unlikely(t->growth_left == 0)) {
                if (!table_make_room(pc, m, t, h))
                    return MAP_NOMEM;
                t = map_table_at(m, h);
            }
            slot = free_slot(mt, t, h, &ctrl);
            t->growth_left -= *ctrl == MAP_CTRL_EMPTY;
        }
        *ctrl = h & 0x7f;
        t->used++;
        m->count++;
        gc_write_barrier_range(pc, &mt->key->layout, slot, key, 1);
        memcpy(slot, key, rtype_size(mt->key));
    } else if (fast == MAP_KEYSTR ||
        (fast == MAP_GENERIC && !(mt->key->flags & RT_F_MEMEQ))) {
        /* Equal keys may differ: -0 and +0, strings in different memory.
         * The last one assigned is kept. */
        gc_write_barrier_range(pc, &mt->key->layout, slot, key, 1);
        memcpy(slot, key, rtype_size(mt->key));
    }
    *elem = slot + mt->elem_off;
    return MAP_OK;
}

static RT_ALWAYS_INLINE enum map_status
set(struct gc_pcache *pc, const struct map_type *mt, uint8_t fast,
    struct map *m, const void *key, const void *value,
    const struct rtype **bad)
{
    uint8_t *elem;
    enum map_status st = place(pc, mt, fast, m, key, &elem, bad);

    if (st != MAP_OK)
        return st;
    gc_write_barrier_range(pc, &mt->elem->layout, elem, value, 1);
    memcpy(elem, value, rtype_size(mt->elem));
    return MAP_OK;
}

/* A full single group has no free slot to look at. */
static bool
full_group(const struct map *m)
{
    return m->dir == NULL && m->table->cap == MAP_GROUP &&
        m->table->used == MAP_GROUP;
}

/* An entry is about to be set; MAP_OK: it goes on, and change_end() comes. */
static enum map_status
change_begin(struct gc_pcache *pc, struct map *m)
{
    if (rt_unlikely(a8_load_rlx(&m->writing)))
        return MAP_RACE_WRITES;
    rt_assert(m->count >= 0 && (m->dir != NULL || m->table != NULL));
    a8_store_rlx(&m->writing, 1);
    if (rt_likely(!full_group(m)) || regroup(pc, m, m->table, 2 * MAP_GROUP))
        return MAP_OK;
    a8_store_rlx(&m->writing, 0);
    return MAP_NOMEM;
}

/* Of any change of one entry: st, or what somebody else has done meanwhile. */
static enum map_status
change_end(struct map *m, enum map_status st)
{
    if (st != MAP_UNHASHABLE && !a8_load_rlx(&m->writing))
        st = MAP_RACE_WRITES;
    rt_assert_full(st != MAP_OK || small_valid(m));
    a8_store_rlx(&m->writing, 0);
    return st;
}

enum map_status
map_set(struct gc_pcache *pc, struct map *m, const void *key,
    const void *value, const struct rtype **bad)
{
    const struct map_type *mt = m->mt;
    enum map_status st = change_begin(pc, m);

    if (st != MAP_OK)
        return st;
    BY_KIND(mt, st = set(pc, mt, FAST, m, key, value, bad));
    return change_end(m, st);
}

enum map_status
map_ref(struct gc_pcache *pc, struct map *m, const void *key, void **elem,
    const struct rtype **bad)
{
    const struct map_type *mt = m->mt;
    enum map_status st = change_begin(pc, m);
    uint8_t *at = NULL;

    if (st != MAP_OK)
        return st;
    BY_KIND(mt, st = place(pc, mt, FAST, m, key, &at, bad));
    *elem = at;
    return change_end(m, st);
}

static void
remove_slot(struct gc_pcache *pc, const struct map_type *mt, struct map *m,
    struct map_table *t, uint8_t *slot)
{
    uint64_t at = (uint64_t)(slot - t->groups);
    uint8_t *group = t->groups + at - at % mt->group.size;
    unsigned i = mt->slot == 0
        ? 0
        : (unsigned)((uint64_t)(slot - group - 8) / mt->slot);

    rt_assert(at < t->cap / MAP_GROUP * mt->group.size && i < MAP_GROUP);
    rt_assert(group[i] < MAP_CTRL_EMPTY && t->used > 0 && m->count > 0);
    gc_write_barrier_range(pc, &mt->key->layout, slot, NULL, 1);
    gc_write_barrier_range(
        pc, &mt->elem->layout, slot + mt->elem_off, NULL, 1);
    memset(slot, 0, mt->slot);
    /* A group that still has an empty slot ends every search, so no search
     * runs over this entry: no tombstone is needed. */
    if (match_empty(load_ctrl(group)) != 0 || t->cap == MAP_GROUP) {
        group[i] = MAP_CTRL_EMPTY;
        t->growth_left++;
    } else {
        group[i] = MAP_CTRL_DELETED;
    }
    t->used--;
    m->count--;
}

enum map_status
map_delete(struct gc_pcache *pc, const struct map_type *mt, struct map *m,
    const void *key, const struct rtype **bad)
{
    uint64_t h;

    if (m == NULL || m->count == 0) {
        if ((mt->key->flags & RT_F_MAYPANIC) &&
            !alg_hash(mt->key, key, 0, 0, &h, bad))
            return MAP_UNHASHABLE_EMPTY;
        return MAP_OK;
    }
    if (rt_unlikely(a8_load_rlx(&m->writing)))
        return MAP_RACE_WRITES;
    if (!hash_key(mt, mt->fast, key, m->seed, 0, &h, bad))
        return MAP_UNHASHABLE;
    a8_store_rlx(&m->writing, 1);
    struct map_table *t = map_table_at(m, h);
    uint8_t *slot = find_in(mt, mt->fast, t, h, key);
    if (slot != NULL)
        remove_slot(pc, mt, m, t, slot);
    return change_end(m, MAP_OK);
}

enum map_status
map_clear(struct gc_pcache *pc, struct map *m)
{
    if (m == NULL || m->count == 0)
        return MAP_OK;
    if (a8_load_rlx(&m->writing))
        return MAP_RACE_WRITES;
    m->clears++;
    if (m->dir == NULL) {
        struct map_table *t = m->table;
        uint64_t n = t->cap / MAP_GROUP;
        gc_write_barrier_range(pc, &m->mt->group, t->groups, NULL, n);
        for (uint64_t i = 0; i < n; i++) {
            uint8_t *g = t->groups + i * m->mt->group.size;
            memset(g, 0, m->mt->group.size);
            memset(g, MAP_CTRL_EMPTY, 8);
        }
        t->used = 0;
        t->growth_left = load_limit(t->cap);
    } else {
        struct map_table *t = map_table_new(pc, m->mt, MAP_TABLE_MAX, 0);
        if (t == NULL)
            return MAP_NOMEM;
        store_ptr(pc, &m->table, t);
        store_ptr(pc, &m->dir, NULL);
        m->depth = 0;
    }
    m->count = 0;
    rt_assert_full(map_valid(m));
    return MAP_OK;
}
