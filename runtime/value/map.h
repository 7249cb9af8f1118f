/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VALUE_MAP_H
#define RUNTIME_VALUE_MAP_H

/*
 * Go's maps: Swiss tables under an extendible-hashing directory.
 *
 * A group is a word of eight control bytes and eight slots (key, element).  A
 * table is an array of groups, at most MAP_TABLE_MAX slots; it grows by
 * doubling, and at the limit it splits in two by one more leading bit of the
 * hash, so that no insertion moves more than MAP_TABLE_MAX entries.  The
 * directory is indexed by the leading `depth` bits; neighbouring entries
 * share a table whose own depth is smaller.
 *
 * Invariants: the used slots of the tables sum up to map.count;
 * used + tombstones + growth_left = the table's load limit; in tables of more
 * than one group every group sequence meets an empty slot.
 *
 * Everything lives on the collected heap.  Groups that a table has left
 * behind are never written again: an iterator that began on them goes on
 * there and asks the map for what has become of each key.
 *
 * Idea: abseil's flat_hash_map; the directory and the rule for iterators
 * are those of Go 1.24.
 */

#include <stdbool.h>
#include <stdint.h>

#include "gc/gc.h"
#include "runtime/base/atomic.h"
#include "runtime/base/layout.h"
#include "runtime/code/rtype.h"

enum { MAP_GROUP = 8, MAP_TABLE_MAX = 1024 };

/* How keys are hashed and compared. */
enum map_fast { MAP_GENERIC, MAP_KEY32, MAP_KEY64, MAP_KEYSTR };

/* What follows from a map's type.  Must outlive the heap. */
struct map_type {
    const struct rtype *type;
    const struct rtype *key, *elem;
    uint32_t slot;       /* bytes of a slot */
    uint32_t elem_off;   /* of the element in a slot */
    uint8_t fast;        /* enum map_fast */
    bool reflexive;      /* no key differs from itself: no floats inside */
    struct rt_layout group;
    uint8_t *mask;       /* group.ptrmask; owned */
};

struct map_table {
    uint8_t *groups;
    uint32_t cap;         /* slots, a power of two */
    uint32_t used;
    uint32_t growth_left; /* empty slots that may still be filled */
    uint32_t depth;       /* leading bits of the hash that all keys share */
};

struct map {
    int64_t count; /* first: len() reads it */
    const struct map_type *mt;
    struct map_table *table; /* the only one while dir is NULL */
    struct map_table **dir;  /* 1 << depth entries */
    uint64_t seed;
    uint32_t depth;
    uint32_t clears;         /* how often it was cleared */
    a_bool8 writing;         /* best-effort detection of races */
    uint32_t nans;           /* what the last NaN that was put in hashed as:
                                one after the other, so that they lie apart,
                                and by the seed alone */
};

struct map_iter {
    struct map *map;          /* NULL: nothing to see */
    struct map_table *table;
    uint8_t *groups;          /* of table when its turn began */
    uint32_t cap;
    uint32_t offset;          /* slot where the table's turn began */
    uint32_t i;               /* slots done */
    uint32_t table_depth;
    uint64_t start, cursor;   /* prefixes of hashes */
    uint32_t clears;
    /* the current entry, valid until the next call or change */
    const void *key, *elem;
};

enum map_status {
    MAP_OK,
    MAP_NOMEM,
    MAP_UNHASHABLE,  /* *bad: hash of unhashable type */
    MAP_UNHASHABLE_EMPTY, /* the same, noticed though there is no entry to
                             compare with; Go's error is another one then */
    MAP_RACE_WRITES, /* concurrent map writes */
    MAP_RACE_READ,   /* concurrent map read and map write */
    MAP_RACE_ITER    /* concurrent map iteration and map write */
};

/* Computes *mt for a map type; false where memory is out. */
bool map_type_init(struct map_type *mt, const struct rtype *type);
void map_type_free(struct map_type *mt);

/* A new map with room for `hint` entries; NULL where memory is out. */
struct map *map_new(struct gc_pcache *pc, const struct map_type *mt,
    int64_t hint, uint64_t random);

static inline int64_t
map_len(const struct map *m)
{
    return m == NULL ? 0 : m->count;
}

/* The element of a key in *elem, NULL where it is not there (or m is NULL:
 * then mt serves to check the key). */
enum map_status map_get(const struct map_type *mt, struct map *m,
    const void *key, const void **elem, const struct rtype **bad);

/* Makes the key present and *elem = value with write barriers; m not NULL. */
enum map_status map_set(struct gc_pcache *pc, struct map *m, const void *key,
    const void *value, const struct rtype **bad);

/* Makes the key present, of which a new one has an element of zeros, and *elem
 * its address.  That holds until something else is done with the map; who stores
 * there needs no barrier, as the elements have no pointers.  m not NULL. */
enum map_status map_ref(struct gc_pcache *pc, struct map *m, const void *key,
    void **elem, const struct rtype **bad);

enum map_status map_delete(struct gc_pcache *pc, const struct map_type *mt,
    struct map *m, const void *key, const struct rtype **bad);
enum map_status map_clear(struct gc_pcache *pc, struct map *m);

/* For assertions and tests: whether what this file's head says of maps holds,
 * and every key that is equal to itself is found where it stands.  Nobody
 * writes to m. */
bool map_valid(struct map *m);

/* Layout of struct map_iter on the collected heap. */
extern const struct rt_layout map_iter_layout;

/* Begins an iteration at a random place; it is zeroed memory, on the heap or
 * where a collection finds it. */
void map_iter_begin(struct gc_pcache *pc, struct map_iter *it, struct map *m,
    uint64_t random);

/* Moves to the next entry; it->key is NULL at the end. */
enum map_status map_iter_next(struct gc_pcache *pc, struct map_iter *it);

/* ---- shared by map.c and map_iter.c --------------------------------------- */

#define MAP_CTRL_EMPTY   0x80u
#define MAP_CTRL_DELETED 0xfeu

static inline uint8_t *
map_group_slot(const struct map_type *mt, uint8_t *group, unsigned i)
{
    return group + 8 + (uint64_t)i * mt->slot;
}

/* The entry of a key that is known to be hashable; its slot or NULL. */
uint8_t *map_find_slot(struct map *m, const void *key);

/* The table that holds hashes with this prefix. */
static inline struct map_table *
map_table_at(const struct map *m, uint64_t hash)
{
    return m->dir == NULL ? m->table : m->dir[hash >> (64 - m->depth)];
}

#endif
