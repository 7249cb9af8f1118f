/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_NAME_H
#define RUNTIME_LANG_SYNTAX_NAME_H

/*
 * Identifiers are interned: equal names of one compilation are equal
 * pointers.  The table lives in the compilation's arena.
 */

#include <stddef.h>
#include <stdint.h>

struct rt_arena;

struct lang_name {
    uint32_t hash;
    uint32_t len;
    uint8_t kw;       /* token of a keyword, 0 = identifier */
    uint8_t exported; /* begins with an upper-case letter */
    char text[];      /* len bytes, then NUL */
};

struct lang_names {
    struct rt_arena *arena;
    const struct lang_name **slot;
    uint32_t nslot; /* a power of two */
    uint32_t count;
    uint8_t *pos, *end; /* where the next names go, away from all else */
    const struct lang_name *blank; /* "_" */
};

/* Empty table with the keywords entered; 0, or -1 out of memory. */
int lang_names_init(struct lang_names *t, struct rt_arena *arena);
void lang_names_free(struct lang_names *t);

/* The name with these bytes, made if new; NULL out of memory. */
const struct lang_name *lang_name_get(struct lang_names *t, const char *text,
    size_t len);

/* One step of the hash, for the scanner, which hashes while it reads; start
 * with LANG_NAME_SEED and end with lang_name_hash_end(). */
#define LANG_NAME_SEED 0x811c9dc5u

static inline uint32_t
lang_name_hash_step(uint32_t h, uint8_t c)
{
    return (h ^ c) * 0x01000193u;
}

static inline uint32_t
lang_name_hash_end(uint32_t h)
{
    return h ^ h >> 15;
}

static inline uint32_t
lang_name_hash(const char *text, size_t len)
{
    uint32_t h = LANG_NAME_SEED;
    size_t i;

    for (i = 0; i < len; i++)
        h = lang_name_hash_step(h, (uint8_t)text[i]);
    return lang_name_hash_end(h);
}

/* As lang_name_get() with the hash known. */
const struct lang_name *lang_name_get_hashed(struct lang_names *t,
    const char *text, size_t len, uint32_t hash);

/* As lang_name_get() for a NUL-terminated text. */
const struct lang_name *lang_name_str(struct lang_names *t, const char *text);

#endif
