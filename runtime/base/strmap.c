/* SPDX-License-Identifier: MIT */
#include "runtime/base/strmap.h"

#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

enum { FIRST = 16 };

/* The row of a key, or the free one where it would be. */
static struct rt_strmap_row *
row_of(const struct rt_strmap *m, const char *key)
{
    uint32_t i = (uint32_t)rt_hash_bytes(key, strlen(key), 0);

    /* A free row ends every search. */
    rt_assert(m->n < m->cap && (m->cap & (m->cap - 1)) == 0);
    for (i &= m->cap - 1;
         m->rows[i].key != NULL && strcmp(m->rows[i].key, key) != 0;
         i = (i + 1) & (m->cap - 1))
        ;
    return &m->rows[i];
}

void *
rt_strmap_get(const struct rt_strmap *m, const char *key)
{
    return m->n == 0 ? NULL : row_of(m, key)->value;
}

static bool
grow(struct rt_strmap *m, struct rt_arena *a)
{
    struct rt_strmap more = {.n = m->n, .cap = m->cap == 0 ? FIRST : m->cap * 2};
    uint32_t i;

    more.rows = rt_arena_array(a, more.cap, sizeof *more.rows);
    if (more.rows == NULL)
        return false;
    for (i = 0; i < m->cap; i++)
        if (m->rows[i].key != NULL)
            *row_of(&more, m->rows[i].key) = m->rows[i];
    *m = more;
    return true;
}

bool
rt_strmap_add(
    struct rt_strmap *m, struct rt_arena *a, const char *key, void *value)
{
    struct rt_strmap_row *row;

    rt_assert(key != NULL && value != NULL);
    if (2 * m->n >= m->cap && !grow(m, a))
        return false;
    row = row_of(m, key);
    if (row->key == NULL) {
        *row = (struct rt_strmap_row){key, value};
        m->n++;
    }
    return true;
}
