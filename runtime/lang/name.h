/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_NAME_H
#define RUNTIME_LANG_NAME_H

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
    const struct lang_name *blank; /* "_" */
};

/* Empty table with the keywords entered; 0, or -1 out of memory. */
int lang_names_init(struct lang_names *t, struct rt_arena *arena);
void lang_names_free(struct lang_names *t);

/* The name with these bytes, made if new; NULL out of memory. */
const struct lang_name *lang_name_get(struct lang_names *t, const char *text,
    size_t len);

/* As lang_name_get() for a NUL-terminated text. */
const struct lang_name *lang_name_str(struct lang_names *t, const char *text);

#endif
