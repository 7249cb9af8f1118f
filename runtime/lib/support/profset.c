/* SPDX-License-Identifier: MIT */
#include "runtime/lib/support/profset.h"

#include <stdlib.h>
#include <string.h>

/* A stack, or a free place: then next is that of the next free one. */
struct entry {
    vpc *pcs; /* NULL: free */
    uint32_t n;
    int64_t next;
};

struct profset_one {
    char *name;
    struct entry *v;
    uint32_t nv, cap; /* places, used or free */
    uint32_t live;
    int64_t free;     /* first free place, -1: none */
};

void
profset_init(struct profset *s)
{
    memset(s, 0, sizeof *s);
    rt_lock_init(&s->lock, RANK_LEAF);
}

void
profset_fini(struct profset *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        struct profset_one *o = s->v[i];

        for (uint32_t k = 0; k < o->nv; k++)
            free(o->v[k].pcs);
        free(o->v);
        free(o->name);
        free(o);
    }
    free(s->v);
    s->v = NULL;
    s->n = s->cap = 0;
}

static bool
append(struct profset *s, struct profset_one *o)
{
    if (s->n == s->cap) {
        uint32_t cap = s->cap == 0 ? 8 : 2 * s->cap;
        struct profset_one **v = realloc(s->v, cap * sizeof(*v));

        if (v == NULL)
            return false;
        s->v = v;
        s->cap = cap;
    }
    s->v[s->n++] = o;
    return true;
}

int64_t
profset_make(struct profset *s, const char *name, size_t len)
{
    struct profset_one *o = calloc(1, sizeof *o);
    int64_t id = -1;

    if (o == NULL)
        return -1;
    o->free = -1;
    o->name = malloc(len + 1);
    if (o->name != NULL) {
        memcpy(o->name, name, len);
        o->name[len] = 0;
        rt_lock(&s->lock);
        if (append(s, o))
            id = s->n - 1;
        rt_unlock(&s->lock);
    }
    if (id < 0) {
        free(o->name);
        free(o);
    }
    return id;
}

/* A place for one more stack, -1 where memory is out. */
static int64_t
take_place(struct profset_one *o)
{
    if (o->free >= 0) {
        int64_t place = o->free;

        o->free = o->v[place].next;
        return place;
    }
    if (o->nv == o->cap) {
        uint32_t cap = o->cap == 0 ? 16 : 2 * o->cap;
        struct entry *v = realloc(o->v, cap * sizeof *v);

        if (v == NULL)
            return -1;
        o->v = v;
        o->cap = cap;
    }
    return o->nv++;
}

int64_t
profset_add(struct profset *s, uint32_t id, const vpc *pcs, uint32_t n)
{
    vpc *copy = malloc((n + 1) * sizeof *copy);
    struct profset_one *o;
    int64_t place;

    if (copy == NULL)
        return -1;
    memcpy(copy, pcs, n * sizeof *copy);
    rt_lock(&s->lock);
    o = s->v[id];
    place = take_place(o);
    if (place >= 0) {
        o->v[place] = (struct entry){copy, n, -1};
        o->live++;
        copy = NULL;
    }
    rt_unlock(&s->lock);
    free(copy);
    return place;
}

void
profset_remove(struct profset *s, uint32_t id, int64_t place)
{
    struct profset_one *o;
    vpc *pcs;

    rt_lock(&s->lock);
    o = s->v[id];
    pcs = o->v[place].pcs;
    o->v[place] = (struct entry){NULL, 0, o->free};
    o->free = place;
    o->live--;
    rt_unlock(&s->lock);
    free(pcs);
}

int64_t
profset_find(struct profset *s, const char *name)
{
    int64_t id = -1;

    rt_lock(&s->lock);
    for (uint32_t i = 0; i < s->n && id < 0; i++)
        if (strcmp(s->v[i]->name, name) == 0)
            id = i;
    rt_unlock(&s->lock);
    return id;
}

const char *
profset_name(struct profset *s, uint32_t id)
{
    const char *name = NULL;

    rt_lock(&s->lock);
    if (id < s->n)
        name = s->v[id]->name;
    rt_unlock(&s->lock);
    return name;
}

uint32_t
profset_count(struct profset *s, uint32_t id)
{
    uint32_t n;

    rt_lock(&s->lock);
    n = s->v[id]->live;
    rt_unlock(&s->lock);
    return n;
}

/* Words of all stacks of o. */
static size_t
words_of(const struct profset_one *o)
{
    size_t words = 0;

    for (uint32_t i = 0; i < o->nv; i++)
        words += o->v[i].n;
    return words;
}

static void
copy_locked(const struct profset_one *o, struct profset_stacks *out)
{
    vpc *at = out->mem;

    for (uint32_t i = 0; i < o->nv; i++) {
        const struct entry *e = &o->v[i];

        if (e->pcs == NULL)
            continue;
        memcpy(at, e->pcs, e->n * sizeof *at);
        out->pcs[out->n] = at;
        out->len[out->n++] = e->n;
        at += e->n;
    }
}

bool
profset_copy(struct profset *s, uint32_t id, struct profset_stacks *out)
{
    const struct profset_one *o;

    memset(out, 0, sizeof *out);
    rt_lock(&s->lock);
    o = s->v[id];
    out->mem = malloc((words_of(o) + 1) * sizeof(vpc));
    out->pcs = malloc((o->live + 1) * sizeof *out->pcs);
    out->len = malloc((o->live + 1) * sizeof *out->len);
    if (out->mem != NULL && out->pcs != NULL && out->len != NULL)
        copy_locked(o, out);
    rt_unlock(&s->lock);
    if (out->mem != NULL && out->pcs != NULL && out->len != NULL)
        return true;
    profset_stacks_free(out);
    return false;
}

void
profset_stacks_free(struct profset_stacks *c)
{
    free(c->mem);
    free(c->pcs);
    free(c->len);
    memset(c, 0, sizeof *c);
}
