/* SPDX-License-Identifier: MIT */
#include "runtime/value/iface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

/* clang-format off */
#define ROW(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7
#define ROW8(n) ROW(n), ROW(n + 8), ROW(n + 16), ROW(n + 24), \
    ROW(n + 32), ROW(n + 40), ROW(n + 48), ROW(n + 56)
/* clang-format on */

const uint64_t iface_small[256] = { ROW8(0), ROW8(64), ROW8(128), ROW8(192) };

/* What the interfaces of larger zero values share. */
enum { ZEROS = 8 };
static const uint64_t iface_zeros[ZEROS];

/* Is the value at src, which may stand between words, all zeros, or an empty
 * string? */
static bool
is_zero(const struct rtype *t, const void *src, uint64_t size)
{
    uint64_t w[ZEROS], or = 0;

    if (size > sizeof w || size % 8 != 0)
        return false;
    memcpy(w, src, size);
    if (t->kind == RK_STRING)
        return w[1] == 0;
    for (uint64_t i = 0; i < size / 8; i++)
        or |= w[i];
    return or == 0;
}

void *
iface_box_slow(struct gc_pcache *pc, const struct rtype *t, const void *src)
{
    uint64_t size = rtype_size(t);
    uint64_t x = 0;

    rt_assert(!rtype_direct(t));
    rt_assert(src != NULL || size == 0);
    if (size <= 8) {
        if (size == 0)
            return (void *)&gc_zero_object;
        memcpy(&x, src, size);
        if (x < 256)
            return (void *)&iface_small[x];
        if (t->layout.ptrdata == 0) {
            uint8_t *q = gc_alloc_noscan(pc, size);
            if (q != NULL)
                memcpy(q, &x, size);
            return q;
        }
    }
    if (is_zero(t, src, size))
        return (void *)iface_zeros;
    uint8_t *p = gc_alloc(pc, &t->layout);
    if (p == NULL)
        return NULL;
    gc_write_barrier_range(pc, &t->layout, p, src, 1);
    memcpy(p, src, size);
    return p;
}

/* Open addressing; an entry never changes once its key is published. */
struct iface_entry {
    a_ptr type; /* key, with inter; written last */
    const struct rtype *inter;
    const struct rmethod *missing;
};

struct iface_table {
    struct iface_table *old; /* readers may still use it */
    uint32_t mask;
    uint32_t n;
    struct iface_entry e[];
};

static struct iface_table *
iface_table_new(uint32_t size)
{
    struct iface_table *t =
        calloc(1, sizeof *t + size * sizeof(struct iface_entry));

    rt_assert(size != 0 && (size & (size - 1)) == 0);
    if (t != NULL)
        t->mask = size - 1;
    return t;
}

void
iface_cache_init(struct iface_cache *c)
{
    rt_lock_init(&c->lock, RANK_ITAB);
    aptr_store_rlx(&c->table, NULL);
}

void
iface_cache_free(struct iface_cache *c)
{
    struct iface_table *t = aptr_load_rlx(&c->table);

    while (t != NULL) {
        struct iface_table *old = t->old;
        free(t);
        t = old;
    }
    aptr_store_rlx(&c->table, NULL);
}

static uint32_t
iface_hash(const struct rtype *inter, const struct rtype *t)
{
    return inter->hash * 31 + t->hash;
}

static const struct iface_entry *
find(struct iface_table *tab, const struct rtype *inter,
    const struct rtype *t)
{
    for (uint32_t i = iface_hash(inter, t) & tab->mask;;
         i = (i + 1) & tab->mask) {
        const struct iface_entry *e = &tab->e[i];
        /* acq: pairs with the rel in iface_insert(). */
        const struct rtype *k = aptr_load_acq(&e->type);
        if (k == NULL)
            return NULL;
        if (k == t && e->inter == inter)
            return e;
    }
}

static void
iface_insert(struct iface_table *tab, const struct rtype *inter,
    const struct rtype *t, const struct rmethod *missing)
{
    uint32_t i = iface_hash(inter, t) & tab->mask;

    /* find() ends at an empty entry. */
    rt_assert(t != NULL && tab->n < tab->mask);
    while (aptr_load_rlx(&tab->e[i].type) != NULL)
        i = (i + 1) & tab->mask;
    tab->e[i].inter = inter;
    tab->e[i].missing = missing;
    /* rel: publishes the other fields to find(). */
    aptr_store_rel(&tab->e[i].type, (void *)t);
    tab->n++;
}

/* A table with room for one more; NULL where memory is out. */
static struct iface_table *
grown(struct iface_cache *c)
{
    struct iface_table *old = aptr_load_rlx(&c->table);

    if (old != NULL && old->n < old->mask / 2)
        return old;
    struct iface_table *t =
        iface_table_new(old == NULL ? 64 : 2 * (old->mask + 1));
    if (t == NULL)
        return NULL;
    t->old = old;
    for (uint32_t i = 0; old != NULL && i <= old->mask; i++) {
        const struct rtype *k = aptr_load_rlx(&old->e[i].type);
        if (k != NULL)
            iface_insert(t, old->e[i].inter, k, old->e[i].missing);
    }
    rt_assert(old == NULL || t->n == old->n);
    /* rel: pairs with the acq in iface_missing(). */
    aptr_store_rel(&c->table, t);
    return t;
}

/* Selector numbers stand for name, package and signature at once. */
static const struct rmethod *
compute(const struct rtype *inter, const struct rtype *t)
{
    for (uint32_t i = 0; i < inter->nmethods; i++) {
        uint32_t sel = inter->methods[i].sel;
        uint32_t j = 0;
        while (j < t->nmethods && t->methods[j].sel != sel)
            j++;
        if (j == t->nmethods)
            return &inter->methods[i];
    }
    return NULL;
}

const struct rmethod *
iface_missing(struct iface_cache *c, const struct rtype *inter,
    const struct rtype *t)
{
    rt_assert(inter->kind == RK_INTERFACE && t != NULL);
    if (inter->nmethods == 0)
        return NULL;
    /* acq: pairs with the rel in grown(). */
    struct iface_table *tab = aptr_load_acq(&c->table);
    const struct iface_entry *e = tab == NULL ? NULL : find(tab, inter, t);
    rt_assert_full(e == NULL || e->missing == compute(inter, t));
    if (e != NULL)
        return e->missing;
    const struct rmethod *m = compute(inter, t);
    rt_lock(&c->lock);
    tab = grown(c);
    if (tab != NULL && find(tab, inter, t) == NULL)
        iface_insert(tab, inter, t, m);
    rt_unlock(&c->lock);
    return m;
}

const struct rmethod *
iface_string_method(const struct rtype *t, const char *name)
{
    for (uint32_t i = 0; i < t->nmethods; i++) {
        const struct rmethod *m = &t->methods[i];
        const struct rtype *sig = m->type;
        if (m->exported && strcmp(m->name, name) == 0 && sig != NULL &&
            sig->nparams == 0 && sig->nresults == 1 &&
            sig->params[0]->kind == RK_STRING &&
            strcmp(sig->params[0]->string, "string") == 0)
            return m;
    }
    return NULL;
}

/* The package that a type is of: where it was declared, or for a struct whose
 * names begin small where these were. */
static const char *
type_package(const struct rtype *t)
{
    if (t->kind == RK_STRUCT && *t->pkgpath == '\0')
        for (uint32_t i = 0; i < t->nfields; i++)
            if (t->fields[i].pkg != NULL)
                return t->fields[i].pkg;
    return t->pkgpath;
}

void
iface_assert_text(char *buf, size_t n, const struct rtype *st,
    const struct rtype *have, const struct rtype *want, const char *missing)
{
    const char *inter = st != NULL ? st->string : "interface";

    rt_assert(want != NULL && n > 0);
    rt_assert(have != want || missing != NULL);
    if (have == NULL) {
        snprintf(buf, n, "interface conversion: %s is nil, not %s", inter,
            want->string);
        return;
    }
    if (missing != NULL) {
        snprintf(buf, n,
            "interface conversion: %s is not %s: missing method %s",
            have->string, want->string, missing);
        return;
    }
    const char *note = "";
    if (strcmp(have->string, want->string) == 0)
        note = strcmp(type_package(have), type_package(want)) != 0
            ? " (types from different packages)"
            : " (types from different scopes)";
    snprintf(buf, n, "interface conversion: %s is %s, not %s%s", inter,
        have->string, want->string, note);
}
