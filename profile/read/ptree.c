/* SPDX-License-Identifier: MIT */
#include "profile/read/ptree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

enum {
    MAX_NODES = 1 << 24,
    MAX_VALUES = 1 << 28 /* nodes * types of each of up to four arrays */
};

struct build {
    struct ptree *t;
    struct phash index;
    size_t nodes_cap, values_cap;
};

static enum rt_status
nomem(struct rt_err *e)
{
    return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
}

/* Doubles an array of rows; the new rows are zero. */
static bool
widen(int64_t **v, size_t cap, size_t want, size_t ntypes)
{
    int64_t *p = realloc(*v, want * ntypes * sizeof *p);

    if (p == NULL)
        return false;
    memset(p + cap * ntypes, 0, (want - cap) * ntypes * sizeof *p);
    *v = p;
    return true;
}

static bool
room(struct build *b)
{
    struct ptree *t = b->t;
    size_t want = b->values_cap == 0 ? 16 : b->values_cap * 2;
    struct ptree_node *p;

    if (t->n < b->nodes_cap)
        return true;
    p = realloc(t->nodes, want * sizeof *p);
    if (p == NULL)
        return false;
    t->nodes = p;
    if (!widen(&t->self, b->values_cap, want, t->ntypes) ||
        !widen(&t->cum, b->values_cap, want, t->ntypes))
        return false;
    if (t->compared && (!widen(&t->old_self, b->values_cap, want, t->ntypes) ||
        !widen(&t->old_cum, b->values_cap, want, t->ntypes)))
        return false;
    b->nodes_cap = b->values_cap = want;
    return true;
}

static bool
same_node(const void *ctx, uint32_t at, const void *key)
{
    const struct ptree_node *a = &((const struct ptree *)ctx)->nodes[at];
    const struct ptree_node *b = key;

    return a->parent == b->parent && a->frame == b->frame &&
        a->inlined == b->inlined;
}

/* The child of parent for a frame. */
static enum rt_status
child(struct build *b, uint32_t parent, uint32_t frame, bool inlined,
    uint32_t *at, struct rt_err *e)
{
    struct ptree_node key = {frame, parent, inlined};
    uint64_t hash = rt_hash_u64((uint64_t)parent << 32 | frame, inlined);

    *at = phash_find(&b->index, hash, same_node, b->t, &key);
    if (*at != PHASH_NONE)
        return RT_OK;
    if (b->t->n >= MAX_NODES)
        return rt_errf(e, RT_ELIMIT, UINT64_MAX,
            "more than %d different calls", MAX_NODES);
    if (b->t->n > MAX_VALUES / (b->t->ntypes + 1))
        return rt_errf(e, RT_ELIMIT, UINT64_MAX,
            "too many different calls for %zu sample types", b->t->ntypes);
    if (!room(b) || !phash_add(&b->index, hash, (uint32_t)b->t->n))
        return nomem(e);
    *at = (uint32_t)b->t->n++;
    rt_assert(b->t->n <= b->nodes_cap && (*at == 0 || parent < *at));
    b->t->nodes[*at] = key;
    return RT_OK;
}

static void
add_row(int64_t *to, const int64_t *v, size_t n, bool negate)
{
    size_t i;

    for (i = 0; i < n; i++)
        to[i] = (int64_t)(negate ? (uint64_t)to[i] - (uint64_t)v[i]
            : (uint64_t)to[i] + (uint64_t)v[i]);
}

static enum rt_status
add_sample(struct build *b, size_t i, struct rt_err *e)
{
    struct ptree *t = b->t;
    const struct pgraph *g = t->g;
    const struct pfile *f = g->f;
    const struct pfile_sample *s = &f->samples[i];
    const int64_t *v = &f->values[i * f->ntypes];
    enum rt_status st;
    uint32_t at = 0, k, n;

    for (k = s->nlocs; k > 0; k--) {
        uint32_t loc = f->stack[s->loc + k - 1];
        uint32_t frames = pgraph_frames(g, &f->locs[loc]);

        for (n = frames; n > 0; n--) {
            st = child(b, at, pgraph_node_of(g, loc, n - 1), n != frames, &at,
                e);
            if (st != RT_OK)
                return st;
        }
    }
    if (s->base)
        add_row(&t->old_self[at * t->ntypes], v, t->ntypes, true);
    else
        add_row(&t->self[at * t->ntypes], v, t->ntypes, false);
    return RT_OK;
}

/* Children come behind their parents, so one walk from the end sums up. */
static void
sum_up(const struct ptree *t, const int64_t *self, int64_t *cum)
{
    size_t i, w = t->ntypes;

    memcpy(cum, self, t->n * w * sizeof *cum);
    rt_assert(t->n > 0);
    for (i = t->n - 1; i > 0; i--)
        add_row(&cum[t->nodes[i].parent * w], &cum[i * w], w, false);
}

/* ---- leaving small ones out */

/* The node's largest share among the types, before or after. */
static float
share(const struct ptree *t, size_t i)
{
    double best = 0;
    size_t k;

    for (k = 0; k < t->ntypes; k++) {
        double whole = fabs((double)t->cum[k]);
        double d = fabs((double)t->cum[i * t->ntypes + k]);

        if (t->compared) {
            whole = fmax(whole, fabs((double)t->old_cum[k]));
            d = fmax(d, fabs((double)t->old_cum[i * t->ntypes + k]));
        }
        if (whole > 0 && d / whole > best)
            best = d / whole;
    }
    return (float)best;
}

static int
falling(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return x > y ? -1 : x < y;
}

static void
move_row(int64_t *v, size_t to, size_t from, size_t w)
{
    memmove(&v[to * w], &v[from * w], w * sizeof *v);
}

/* Keeps the nodes marked by a new index; others are PHASH_NONE. */
static void
squeeze(struct ptree *t, const uint32_t *to)
{
    size_t i, n = 0;

    for (i = 0; i < t->n; i++) {
        if (to[i] == PHASH_NONE)
            continue;
        t->nodes[n] = t->nodes[i];
        rt_assert(i == 0 || to[t->nodes[i].parent] < n);
        if (i > 0)
            t->nodes[n].parent = to[t->nodes[i].parent];
        move_row(t->self, n, i, t->ntypes);
        move_row(t->cum, n, i, t->ntypes);
        if (t->compared) {
            move_row(t->old_self, n, i, t->ntypes);
            move_row(t->old_cum, n, i, t->ntypes);
        }
        n++;
    }
    t->dropped = t->n - n;
    t->n = n;
}

static enum rt_status
limit(struct ptree *t, size_t max, struct rt_err *e)
{
    float *size = malloc(t->n * sizeof *size);
    float *sorted = malloc(t->n * sizeof *sorted);
    uint32_t *to = malloc(t->n * sizeof *to);
    enum rt_status st = RT_OK;
    size_t i, ties, n = 0;
    float least;

    if (size == NULL || sorted == NULL || to == NULL) {
        st = nomem(e);
    } else {
        for (i = 0; i < t->n; i++)
            sorted[i] = size[i] = share(t, i);
        qsort(sorted, t->n, sizeof *sorted, falling);
        /* All that are larger than the smallest, and of those as large as
         * many as there is room for. */
        least = t->n <= max ? 0 : sorted[max - 1];
        for (ties = 0; ties < max && ties < t->n && sorted[ties] > least;
            ties++)
            ;
        ties = max - ties;
        for (i = 0; i < t->n; i++) {
            bool keep = i == 0 || (size[i] >= least && size[i] > 0 &&
                to[t->nodes[i].parent] != PHASH_NONE);

            if (keep && i > 0 && size[i] == least)
                keep = ties > 0 && ties-- > 0;
            to[i] = keep ? (uint32_t)n++ : PHASH_NONE;
        }
        squeeze(t, to);
    }
    free(size);
    free(sorted);
    free(to);
    return st;
}

/* ---- */

enum rt_status
ptree_build(struct ptree *t, const struct pgraph *g, size_t max,
    struct rt_err *e)
{
    struct build b = {.t = t};
    enum rt_status st = RT_OK;
    uint32_t root;
    size_t i;

    *t = (struct ptree){.g = g, .ntypes = g->f->ntypes};
    for (i = 0; i < g->f->nsamples; i++)
        t->compared |= g->f->samples[i].base;
    st = child(&b, PHASH_NONE, PHASH_NONE, false, &root, e);
    for (i = 0; st == RT_OK && i < g->f->nsamples; i++)
        st = add_sample(&b, i, e);
    phash_free(&b.index);
    if (st != RT_OK)
        return st;
    sum_up(t, t->self, t->cum);
    if (t->compared)
        sum_up(t, t->old_self, t->old_cum);
    rt_assert_full(ptree_valid(t));
    st = limit(t, max, e);
    rt_assert_full(st != RT_OK || ptree_valid(t));
    return st;
}

/* Whether cum is what self sums up to. */
static bool
sums_valid(const struct ptree *t, const int64_t *self, const int64_t *cum)
{
    size_t i, k, w = t->ntypes;
    int64_t *sum = malloc((t->n * w + 1) * sizeof *sum);
    bool ok = true;

    if (sum == NULL)
        return true;
    sum_up(t, self, sum);
    for (i = 0; i < t->n && ok; i++) {
        for (k = 0; k < w && ok; k++)
            ok = sum[i * w + k] == cum[i * w + k];
    }
    free(sum);
    return ok;
}

bool
ptree_valid(const struct ptree *t)
{
    size_t i;

    if (t->n == 0 || t->nodes[0].frame != PHASH_NONE)
        return false;
    for (i = 1; i < t->n; i++) {
        if (t->nodes[i].parent >= i || t->nodes[i].frame >= t->g->nnodes)
            return false;
    }
    return t->dropped > 0 || (sums_valid(t, t->self, t->cum) &&
        (!t->compared || sums_valid(t, t->old_self, t->old_cum)));
}

void
ptree_free(struct ptree *t)
{
    free(t->nodes);
    free(t->self);
    free(t->cum);
    free(t->old_self);
    free(t->old_cum);
    *t = (struct ptree){0};
}
