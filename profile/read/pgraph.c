/* SPDX-License-Identifier: MIT */
#include "profile/read/pgraph.h"

#include <stdlib.h>
#include <string.h>

#include "profile/read/psource.h"
#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

static enum rt_status
nomem(struct rt_err *e)
{
    return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
}

static int64_t
add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* ---- names */

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

void
pgraph_label(const struct pgraph_node *n, struct pgraph_label *l)
{
    int k = 0;

    if (n->addr != 0) {
        snprintf(l->addr, sizeof l->addr, "%016llx",
            (unsigned long long)n->addr);
        l->piece[k++] = l->addr;
    }
    if (*n->name != '\0') {
        if (k > 0)
            l->piece[k++] = " ";
        l->piece[k++] = n->name;
    }
    if (n->line != 0 || *n->file != '\0') {
        if (k > 0)
            l->piece[k++] = " ";
        l->piece[k++] = n->file;
        if (n->line != 0) {
            snprintf(l->line, sizeof l->line, ":%lld", (long long)n->line);
            l->piece[k++] = l->line;
        }
    } else if (*n->name == '\0') {
        if (k > 0)
            l->piece[k++] = " ";
        l->piece[k++] = *n->obj != '\0' ? "[" : "<unknown>";
        if (*n->obj != '\0') {
            l->piece[k++] = base_name(n->obj);
            l->piece[k++] = "]";
        }
    }
    l->piece[k] = NULL;
}

struct walk {
    struct pgraph_label l;
    int k;
    const char *p;
};

static int
next_char(struct walk *w)
{
    while (w->l.piece[w->k] != NULL) {
        if (w->p == NULL)
            w->p = w->l.piece[w->k];
        if (*w->p != '\0')
            return (unsigned char)*w->p++;
        w->k++;
        w->p = NULL;
    }
    return -1;
}

int
pgraph_label_cmp(const struct pgraph_node *a, const struct pgraph_node *b)
{
    struct walk x, y;
    int c, d;

    x.k = y.k = 0;
    x.p = y.p = NULL;
    pgraph_label(a, &x.l);
    pgraph_label(b, &y.l);
    do {
        c = next_char(&x);
        d = next_char(&y);
    } while (c == d && c >= 0);
    return c - d;
}

/* ---- nodes */


static bool
same_node(const void *ctx, uint32_t at, const void *key)
{
    const struct pgraph_node *a =
        &((const struct pgraph *)ctx)->nodes[at], *b = key;

    return a->name == b->name && a->file == b->file && a->obj == b->obj &&
        a->addr == b->addr && a->line == b->line &&
        a->start_line == b->start_line;
}

static enum rt_status
find_node(struct pgraph *g, struct phash *index,
    const struct pgraph_node *key, uint32_t *at, struct rt_err *e)
{
    uint64_t hash = rt_hash_u64((uintptr_t)key->name ^ (uint64_t)key->line,
        (uintptr_t)key->file ^ key->addr ^ (uintptr_t)key->obj << 7);

    *at = phash_find(index, hash, same_node, g, key);
    if (*at != PHASH_NONE)
        return RT_OK;
    if (g->nnodes == g->nodes_cap) {
        size_t cap = g->nodes_cap == 0 ? 256 : g->nodes_cap * 2;
        struct pgraph_node *p = realloc(g->nodes, cap * sizeof *p);

        if (p == NULL)
            return nomem(e);
        g->nodes = p;
        g->nodes_cap = cap;
    }
    if (g->nnodes >= PHASH_NONE - 1 ||
        !phash_add(index, hash, (uint32_t)g->nnodes))
        return nomem(e);
    *at = (uint32_t)g->nnodes++;
    g->nodes[*at] = *key;
    return RT_OK;
}

/* The file names of functions, tidied: one per function. */
static enum rt_status
tidy_files(const struct pgraph *g, const char **file, struct rt_err *e)
{
    struct pfile *f = g->f;
    size_t i;

    for (i = 0; i < f->nfuncs; i++) {
        const char *s = f->funcs[i].file;
        char *clean;

        file[i] = s;
        if (*s == '\0')
            continue;
        clean = psource_clean(psource_trim(s, g->opt.trim_path,
            g->opt.source_path));
        if (clean == NULL)
            return nomem(e);
        file[i] = pfile_name(&f->names, clean, strlen(clean));
        free(clean);
        if (file[i] == NULL)
            return nomem(e);
    }
    return RT_OK;
}

static const char *
object(const struct pfile *f, const struct pfile_loc *l, const char *none)
{
    return l->mapping == PFILE_NONE ? none : f->mappings[l->mapping].file;
}

static struct pgraph_node
node_of_line(const struct pgraph *g, const struct pfile_loc *l,
    const struct pfile_line *x, const char *const *file, const char *none)
{
    const struct pfile_func *fn = &g->f->funcs[x->func];
    enum pgraph_by by = g->opt.by;
    struct pgraph_node n = {.name = none, .file = none, .obj = none,
        .in = PHASH_NONE, .out = PHASH_NONE};

    if (by == PGRAPH_ADDRESSES)
        n.addr = l->addr;
    if (by != PGRAPH_FILES)
        n.name = fn->name;
    if (by != PGRAPH_FUNCTIONS)
        n.file = file[x->func];
    if (by == PGRAPH_LINES || by == PGRAPH_ADDRESSES)
        n.line = x->line;
    if (g->opt.objects || *n.name == '\0') {
        n.obj = object(g->f, l, none);
        n.start_line = fn->start_line;
    }
    return n;
}

static enum rt_status
make_nodes(struct pgraph *g, const char *const *file, struct phash *index,
    struct rt_err *e)
{
    struct pfile *f = g->f;
    const char *none = pfile_name(&f->names, "", 0);
    enum rt_status st = none == NULL ? nomem(e) : RT_OK;
    uint32_t i, k;

    for (i = 0; st == RT_OK && i < f->nlocs; i++) {
        const struct pfile_loc *l = &f->locs[i];
        struct pgraph_node n;

        if (l->nlines == 0) {
            n = (struct pgraph_node){.name = none, .file = none,
                .obj = object(f, l, none), .in = PHASH_NONE,
                .out = PHASH_NONE};
            if (g->opt.by == PGRAPH_ADDRESSES)
                n.addr = l->addr;
            st = find_node(g, index, &n, &g->loc_node[i], e);
        }
        for (k = 0; st == RT_OK && k < l->nlines; k++) {
            n = node_of_line(g, l, &f->lines[l->line + k], file, none);
            st = find_node(g, index, &n, &g->line_node[l->line + k], e);
        }
    }
    return st;
}

enum rt_status
pgraph_new(struct pfile *f, const struct pgraph_options *opt,
    struct pgraph **out, struct rt_err *e)
{
    struct pgraph *g = calloc(1, sizeof *g);
    const char **file = calloc(f->nfuncs + 1, sizeof *file);
    struct phash index = {0};
    enum rt_status st = RT_OK;
    uint32_t i;

    *out = NULL;
    if (g != NULL) {
        g->f = f;
        g->opt = *opt;
        g->line_node = malloc((f->nlines + 1) * sizeof *g->line_node);
        g->loc_node = malloc((f->nlocs + 1) * sizeof *g->loc_node);
    }
    if (g == NULL || file == NULL || g->line_node == NULL ||
        g->loc_node == NULL)
        st = nomem(e);
    /* Only the outermost call of an inlined chain. */
    for (i = 0; st == RT_OK && opt->noinlines && i < f->nlocs; i++) {
        struct pfile_loc *l = &f->locs[i];

        if (l->nlines > 1) {
            l->line += l->nlines - 1;
            l->nlines = 1;
        }
    }
    if (st == RT_OK)
        st = tidy_files(g, file, e);
    if (st == RT_OK)
        st = make_nodes(g, file, &index, e);
    phash_free(&index);
    free(file);
    rt_assert_full(st != RT_OK || pgraph_valid(g));
    if (st == RT_OK)
        *out = g;
    else
        pgraph_free(g);
    return st;
}

bool
pgraph_valid(const struct pgraph *g)
{
    size_t i, in = 0, out = 0;
    uint32_t k;

    for (i = 0; i < g->nedges; i++) {
        if (g->edges[i].src >= g->nnodes || g->edges[i].dst >= g->nnodes)
            return false;
    }
    for (i = 0; i < g->nnodes; i++) {
        for (k = g->nodes[i].in; k != PHASH_NONE; k = g->edges[k].next_in) {
            if (k >= g->nedges || g->edges[k].dst != i || in++ == g->nedges)
                return false;
        }
        for (k = g->nodes[i].out; k != PHASH_NONE; k = g->edges[k].next_out) {
            if (k >= g->nedges || g->edges[k].src != i || out++ == g->nedges)
                return false;
        }
    }
    for (i = 0; i < g->f->nlocs; i++) {
        const struct pfile_loc *l = &g->f->locs[i];

        for (k = 0; k < (l->nlines == 0 ? 1 : l->nlines); k++) {
            if (pgraph_node_of(g, (uint32_t)i, k) >= g->nnodes)
                return false;
        }
    }
    return in == g->nedges && out == g->nedges;
}

void
pgraph_free(struct pgraph *g)
{
    if (g == NULL)
        return;
    free(g->nodes);
    free(g->line_node);
    free(g->loc_node);
    free(g->edges);
    free(g->shown);
    phash_free(&g->edge_index);
    free(g);
}

/* ---- counting */

static bool
same_edge(const void *ctx, uint32_t at, const void *key)
{
    const struct pgraph_edge *a =
        &((const struct pgraph *)ctx)->edges[at], *b = key;

    return a->src == b->src && a->dst == b->dst;
}

static struct pgraph_edge *
find_edge(struct pgraph *g, uint32_t src, uint32_t dst)
{
    struct pgraph_edge key = {.src = src, .dst = dst, .inlined = true};
    uint64_t hash = rt_hash_u64((uint64_t)src << 32 | dst,
        (uintptr_t)g->nodes);
    uint32_t at = phash_find(&g->edge_index, hash, same_edge, g, &key);

    if (at != PHASH_NONE)
        return &g->edges[at];
    if (g->nedges == g->edges_cap) {
        size_t cap = g->edges_cap == 0 ? 256 : g->edges_cap * 2;
        struct pgraph_edge *p = realloc(g->edges, cap * sizeof *p);

        if (p == NULL)
            return NULL;
        g->edges = p;
        g->edges_cap = cap;
    }
    if (g->nedges >= PHASH_NONE - 1 ||
        !phash_add(&g->edge_index, hash, (uint32_t)g->nedges))
        return NULL;
    key.next_in = g->nodes[dst].in;
    key.next_out = g->nodes[src].out;
    g->nodes[dst].in = g->nodes[src].out = (uint32_t)g->nedges;
    g->edges[g->nedges] = key;
    return &g->edges[g->nedges++];
}

/* The nodes of one sample, from the root; `stamp` marks what has been
 * counted for it. */
struct count {
    uint32_t parent; /* PHASH_NONE: none yet */
    bool residual;
    uint32_t stamp;
    int64_t w;
};

static bool
count_frame(struct pgraph *g, struct count *c, uint32_t at, bool inlined)
{
    struct pgraph_node *n = &g->nodes[at];
    struct pgraph_edge *x;

    rt_assert(at < g->nnodes && c->stamp != 0);
    if (n->seen != c->stamp) {
        n->seen = c->stamp;
        n->cum = add(n->cum, c->w);
    }
    if (c->parent != PHASH_NONE && c->parent != at) {
        x = find_edge(g, c->parent, at);
        if (x == NULL)
            return false;
        if (x->seen != c->stamp) {
            x->seen = c->stamp;
            x->weight = add(x->weight, c->w);
            x->residual |= c->residual;
            x->inlined &= inlined;
        }
    }
    c->parent = at;
    c->residual = false;
    return true;
}

static bool
count_sample(struct pgraph *g, size_t i, const bool *keep)
{
    const struct pfile *f = g->f;
    const struct pfile_sample *s = &f->samples[i];
    struct count c = {.parent = PHASH_NONE, .stamp = (uint32_t)i + 1,
        .w = pfile_value(f, i, g->opt.type)};
    uint32_t k, n;

    if (c.w == 0)
        return true;
    for (k = s->nlocs; k > 0; k--) {
        uint32_t loc = f->stack[s->loc + k - 1];
        uint32_t frames = pgraph_frames(g, &f->locs[loc]);

        for (n = frames; n > 0; n--) {
            uint32_t at = pgraph_node_of(g, loc, n - 1);

            if (keep != NULL && !keep[at])
                c.residual = true;
            else if (!count_frame(g, &c, at, n != frames))
                return false;
        }
    }
    if (c.parent != PHASH_NONE && !c.residual)
        g->nodes[c.parent].flat = add(g->nodes[c.parent].flat, c.w);
    return true;
}

/* Counts all samples over the nodes in keep (NULL: all of them) and makes
 * the list of those that have a value. */
static enum rt_status
count_all(struct pgraph *g, const bool *keep, struct rt_err *e)
{
    size_t i;

    phash_free(&g->edge_index);
    g->nedges = 0;
    for (i = 0; i < g->nnodes; i++) {
        struct pgraph_node *n = &g->nodes[i];

        n->flat = n->cum = 0;
        n->in = n->out = PHASH_NONE;
        n->seen = 0;
    }
    for (i = 0; i < g->f->nsamples; i++) {
        if (!count_sample(g, i, keep))
            return nomem(e);
    }
    rt_assert_full(pgraph_valid(g));
    g->nshown = 0;
    for (i = 0; i < g->nnodes; i++) {
        const struct pgraph_node *n = &g->nodes[i];

        if (n->flat == 0 && n->cum == 0)
            continue;
        if (g->opt.drop_negative &&
            (n->flat < 0 || (n->flat == 0 && n->cum < 0)))
            continue;
        g->shown[g->nshown++] = (uint32_t)i;
    }
    return RT_OK;
}

/* ---- order */

static int
compare(const struct pgraph *g, uint32_t a, uint32_t b, bool by_cum)
{
    const struct pgraph_node *x = &g->nodes[a], *y = &g->nodes[b];
    int64_t i = pgraph_abs(by_cum ? x->cum : x->flat);
    int64_t j = pgraph_abs(by_cum ? y->cum : y->flat);
    int c;

    if (i != j)
        return i > j ? -1 : 1;
    if (x->addr != 0 && y->addr != 0 && x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    c = pgraph_label_cmp(x, y);
    if (c != 0)
        return c;
    i = pgraph_abs(by_cum ? x->flat : x->cum);
    j = pgraph_abs(by_cum ? y->flat : y->cum);
    if (i != j)
        return i > j ? -1 : 1;
    return a < b ? -1 : a > b;
}

static int
by_flat(const void *a, const void *b, void *g)
{
    return compare(g, *(const uint32_t *)a, *(const uint32_t *)b, false);
}

static int
by_cum(const void *a, const void *b, void *g)
{
    return compare(g, *(const uint32_t *)a, *(const uint32_t *)b, true);
}

static void
sort_nodes(struct pgraph *g, bool cum)
{
    qsort_r(g->shown, g->nshown, sizeof *g->shown, cum ? by_cum : by_flat, g);
}

static int
by_weight(const void *pa, const void *pb, void *ctx)
{
    const struct pgraph *g = ctx;
    const struct pgraph_edge *a = &g->edges[*(const uint32_t *)pa];
    const struct pgraph_edge *b = &g->edges[*(const uint32_t *)pb];
    int c;

    if (a->weight != b->weight) {
        int64_t i = pgraph_abs(a->weight), j = pgraph_abs(b->weight);

        if (i != j)
            return i > j ? -1 : 1;
        return a->weight > b->weight ? -1 : 1;
    }
    c = pgraph_label_cmp(&g->nodes[a->src], &g->nodes[b->src]);
    if (c == 0)
        c = pgraph_label_cmp(&g->nodes[a->dst], &g->nodes[b->dst]);
    return c;
}

uint32_t *
pgraph_edges(const struct pgraph *g, uint32_t node, bool out, size_t *n,
    enum rt_status *st)
{
    uint32_t first = out ? g->nodes[node].out : g->nodes[node].in, i;
    uint32_t *list;

    *n = 0;
    for (i = first; i != PHASH_NONE;
        i = out ? g->edges[i].next_out : g->edges[i].next_in)
        *n += !g->edges[i].dropped;
    if (*n == 0)
        return NULL;
    list = malloc(*n * sizeof *list);
    if (list == NULL) {
        *st = RT_ENOMEM;
        return NULL;
    }
    *n = 0;
    for (i = first; i != PHASH_NONE;
        i = out ? g->edges[i].next_out : g->edges[i].next_in) {
        if (!g->edges[i].dropped)
            list[(*n)++] = i;
    }
    qsort_r(list, *n, sizeof *list, by_weight, (void *)(uintptr_t)g);
    return list;
}

/* ---- trimming */

/* |total * fraction|, cut to an integer. */
static int64_t
share(int64_t total, double fraction)
{
    double d = (double)total * fraction;

    if (!(d > -9.2e18 && d < 9.2e18))
        return INT64_MAX;
    return pgraph_abs((int64_t)d);
}

static int64_t
flat_sum(const struct pgraph *g)
{
    int64_t sum = 0;
    size_t i;

    for (i = 0; i < g->nshown; i++)
        sum = add(sum, g->nodes[g->shown[i]].flat);
    return sum;
}

/* The samples once more over the first n of the shown nodes whose cum is at
 * least cutoff.  *gone counts the others. */
static enum rt_status
recount(struct pgraph *g, size_t n, int64_t cutoff, size_t *gone,
    struct rt_err *e)
{
    bool *keep = calloc(g->nnodes + 1, sizeof *keep);
    enum rt_status st = RT_OK;
    size_t i, kept = 0;

    if (keep == NULL)
        return nomem(e);
    for (i = 0; i < n; i++) {
        if (pgraph_abs(g->nodes[g->shown[i]].cum) >= cutoff) {
            keep[g->shown[i]] = true;
            kept++;
        }
    }
    *gone = g->nshown - kept;
    if (*gone > 0)
        st = count_all(g, keep, e);
    free(keep);
    return st;
}

/* Like pprof only those into nodes that are shown: calls of a function whose
 * samples have cancelled stay visible at its callers. */
static void
drop_edges(struct pgraph *g, int64_t cutoff)
{
    size_t i;
    uint32_t k;

    for (i = 0; i < g->nshown; i++) {
        for (k = g->nodes[g->shown[i]].in; k != PHASH_NONE;
            k = g->edges[k].next_in)
            g->edges[k].dropped = pgraph_abs(g->edges[k].weight) < cutoff;
    }
}

enum rt_status
pgraph_count(struct pgraph *g, const struct pgraph_trim *t, struct rt_err *e)
{
    int64_t node_cutoff, edge_cutoff;
    enum rt_status st;
    size_t gone;

    if (g->shown == NULL)
        g->shown = malloc((g->nnodes + 1) * sizeof *g->shown);
    if (g->shown == NULL)
        return nomem(e);
    st = count_all(g, NULL, e);
    node_cutoff = share(flat_sum(g), t->nodefraction);
    edge_cutoff = share(flat_sum(g), t->edgefraction);
    g->dropped = 0;
    if (st == RT_OK && node_cutoff > 0)
        st = recount(g, g->nshown, node_cutoff, &g->dropped, e);
    g->whole = g->nshown;
    if (st != RT_OK)
        return st;
    sort_nodes(g, t->cum);
    if (t->nodecount > 0 && t->nodecount < g->nshown) {
        st = recount(g, t->nodecount, 0, &gone, e);
        if (st != RT_OK)
            return st;
        sort_nodes(g, t->cum);
    }
    drop_edges(g, edge_cutoff);
    return RT_OK;
}

int64_t
pgraph_total(const struct pfile *f, size_t type)
{
    int64_t total = 0, base = 0;
    size_t i;

    for (i = 0; i < f->nsamples; i++) {
        int64_t v = pgraph_abs(pfile_value(f, i, type));

        total = add(total, v);
        if (f->samples[i].base)
            base = add(base, v);
    }
    return base > 0 ? base : total;
}
