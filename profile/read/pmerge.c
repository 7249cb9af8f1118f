/* SPDX-License-Identifier: MIT */
#include "profile/read/pmerge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/read/punit.h"
#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

struct merger {
    struct pfile *o;
    const struct pmerge_source *in;
    size_t n;
    struct rt_err *e;

    uint64_t seed;         /* of the hashes of what a file can choose */
    struct phash mappings, funcs, locs, samples;
    size_t mappings_cap, funcs_cap, locs_cap, lines_cap, samples_cap,
        values_cap, stack_cap, labels_cap;

    /* of the source at hand */
    const struct pfile *f;
    enum pmerge_role role;
    size_t *column;        /* per type of o: which of f's */
    double *ratio;         /* and what to multiply by */
    uint32_t *mapping_to, *func_to, *loc_to; /* PHASH_NONE: not yet */
    int64_t *values;       /* of the sample at hand, o's types */
};

static enum rt_status
nomem(struct merger *m)
{
    return rt_errf(m->e, RT_ENOMEM, UINT64_MAX, "out of memory");
}

/* Room for more elements behind the first n of the array at *v. */
static bool
room(void *v, size_t n, size_t more, size_t *cap, size_t size)
{
    size_t want = *cap;
    void *p;

    rt_assert(n <= *cap);
    if (n + more <= *cap && *cap != 0)
        return true;
    while (want < n + more || want == 0)
        want = want < 16 ? 32 : want * 2;
    memcpy(&p, v, sizeof p);
    p = realloc(p, want * size);
    if (p == NULL)
        return false;
    memcpy(v, &p, sizeof p);
    *cap = want;
    return true;
}

/* The text in o's table. */
static const char *
text(struct merger *m, const char *s)
{
    return pfile_name(&m->o->names, s, strlen(s));
}

/* ---- sample types */

/* "sample" and "samples" are one. */
static bool
same_type(const struct pfile_type *a, const struct pfile_type *b)
{
    size_t n = strlen(a->type), k = strlen(b->type);

    n -= n > 0 && a->type[n - 1] == 's';
    k -= k > 0 && b->type[k - 1] == 's';
    return n == k && memcmp(a->type, b->type, n) == 0 &&
        punit_compatible(a->unit, b->unit);
}

static size_t
find_type(const struct pfile *f, const char *name)
{
    size_t i;

    for (i = 0; i < f->ntypes; i++) {
        if (strcmp(f->types[i].type, name) == 0)
            return i;
    }
    return SIZE_MAX;
}

/* The finest of the units that the sources have for a type, in *t. */
static bool
common_type(const struct merger *m, const char *name, struct pfile_type *t)
{
    const char *unit;
    size_t i, k;

    for (i = 0; i < m->n; i++) {
        k = find_type(m->in[i].f, name);
        if (k == SIZE_MAX || !same_type(t, &m->in[i].f->types[k]))
            return false;
        if (punit_scale(1, m->in[i].f->types[k].unit, t->unit, &unit) < 1)
            *t = m->in[i].f->types[k];
    }
    return true;
}

static enum rt_status
types(struct merger *m)
{
    const struct pfile *first = m->in[0].f;
    struct pfile *o = m->o;
    size_t i;

    o->types = calloc(first->ntypes + 1, sizeof *o->types);
    if (o->types == NULL)
        return nomem(m);
    for (i = 0; i < first->ntypes; i++) {
        struct pfile_type t = first->types[i];

        if (!common_type(m, t.type, &t))
            continue;
        t.type = text(m, first->types[i].type);
        t.unit = text(m, t.unit);
        if (t.type == NULL || t.unit == NULL)
            return nomem(m);
        o->types[o->ntypes++] = t;
    }
    for (i = 1; i < m->n; i++) {
        if (!same_type(&first->period_type, &m->in[i].f->period_type))
            return rt_errf(m->e, RT_EFORMAT, UINT64_MAX,
                "profiles of different kinds: period types %.40s/%.40s and "
                "%.40s/%.40s", first->period_type.type,
                first->period_type.unit, m->in[i].f->period_type.type,
                m->in[i].f->period_type.unit);
    }
    if (o->ntypes == 0)
        return rt_errf(m->e, RT_EFORMAT, UINT64_MAX,
            "profiles of different kinds: no sample type is in all of them");
    return RT_OK;
}

/* ---- headers */

static enum rt_status
header(struct merger *m)
{
    struct pfile *o = m->o;
    size_t i, k, at, ncomments = 0;

    o->default_type = o->drop_frames = o->keep_frames = o->doc_url = "";
    for (i = 0; i < m->n; i++) {
        const struct pfile *f = m->in[i].f;

        if (o->time == 0 || f->time < o->time)
            o->time = f->time;
        o->duration += f->duration;
        if (f->period > o->period || o->period == 0)
            o->period = f->period;
        if (*o->default_type == '\0')
            o->default_type = f->default_type;
        if (*o->doc_url == '\0')
            o->doc_url = f->doc_url;
        ncomments += f->ncomments;
    }
    o->default_type = text(m, o->default_type);
    o->doc_url = text(m, o->doc_url);
    o->drop_frames = text(m, m->in[0].f->drop_frames);
    o->keep_frames = text(m, m->in[0].f->keep_frames);
    o->period_type.type = text(m, m->in[0].f->period_type.type);
    o->period_type.unit = text(m, m->in[0].f->period_type.unit);
    o->comments = calloc(ncomments + 1, sizeof *o->comments);
    if (o->comments == NULL)
        return nomem(m);
    for (i = 0; i < m->n; i++) {
        for (k = 0; k < m->in[i].f->ncomments; k++) {
            const char *c = text(m, m->in[i].f->comments[k]);

            for (at = 0; at < o->ncomments && o->comments[at] != c; at++)
                ;
            if (at == o->ncomments && at < 1000)
                o->comments[o->ncomments++] = c;
        }
    }
    /* One NULL of these is enough to give up; the arena has none left. */
    return o->default_type == NULL || o->doc_url == NULL ||
        o->drop_frames == NULL || o->keep_frames == NULL ||
        o->period_type.type == NULL || o->period_type.unit == NULL ?
        nomem(m) : RT_OK;
}

/* ---- mappings: equal if they map the same file with the same size */

static const char *
who(const struct pfile_mapping *x)
{
    return *x->build_id != '\0' ? x->build_id : x->file;
}

static uint64_t
pages(const struct pfile_mapping *x)
{
    return (x->limit - x->start + 0xfff) & ~UINT64_C(0xfff);
}

static bool
same_mapping(const void *ctx, uint32_t at, const void *key)
{
    const struct pfile_mapping *a = (const struct pfile_mapping *)ctx + at;
    const struct pfile_mapping *b = key;

    return pages(a) == pages(b) && a->offset == b->offset && who(a) == who(b);
}

static enum rt_status
map_mapping(struct merger *m, uint32_t i, uint32_t *to)
{
    struct pfile_mapping x = m->f->mappings[i];
    struct pfile *o = m->o;
    uint64_t hash;

    rt_assert(i < m->f->nmappings);
    *to = m->mapping_to[i];
    if (*to != PHASH_NONE)
        return RT_OK;
    x.file = text(m, x.file);
    x.build_id = text(m, x.build_id);
    if (x.file == NULL || x.build_id == NULL)
        return nomem(m);
    hash = rt_hash_u64(pages(&x) ^ x.offset, (uintptr_t)who(&x));
    *to = phash_find(&m->mappings, hash, same_mapping, o->mappings, &x);
    if (*to == PHASH_NONE) {
        if (!room(&o->mappings, o->nmappings, 1, &m->mappings_cap, sizeof x) ||
            !phash_add(&m->mappings, hash, (uint32_t)o->nmappings))
            return nomem(m);
        *to = (uint32_t)o->nmappings++;
        x.id = o->nmappings;
        o->mappings[*to] = x;
    }
    m->mapping_to[i] = *to;
    return RT_OK;
}

/* ---- functions */

static bool
same_func(const void *ctx, uint32_t at, const void *key)
{
    const struct pfile_func *a = (const struct pfile_func *)ctx + at;
    const struct pfile_func *b = key;

    return a->name == b->name && a->system == b->system &&
        a->file == b->file && a->start_line == b->start_line;
}

static enum rt_status
map_func(struct merger *m, uint32_t i, uint32_t *to)
{
    struct pfile_func x = m->f->funcs[i];
    struct pfile *o = m->o;
    uint64_t hash;

    rt_assert(i < m->f->nfuncs);
    *to = m->func_to[i];
    if (*to != PHASH_NONE)
        return RT_OK;
    x.name = text(m, x.name);
    x.system = text(m, x.system);
    x.file = text(m, x.file);
    if (x.name == NULL || x.system == NULL || x.file == NULL)
        return nomem(m);
    hash = rt_hash_u64((uintptr_t)x.name ^ (uint64_t)x.start_line,
        (uintptr_t)x.file);
    *to = phash_find(&m->funcs, hash, same_func, o->funcs, &x);
    if (*to == PHASH_NONE) {
        if (!room(&o->funcs, o->nfuncs, 1, &m->funcs_cap, sizeof x) ||
            !phash_add(&m->funcs, hash, (uint32_t)o->nfuncs))
            return nomem(m);
        *to = (uint32_t)o->nfuncs++;
        x.id = o->nfuncs;
        o->funcs[*to] = x;
    }
    m->func_to[i] = *to;
    return RT_OK;
}

/* ---- locations */

static uint64_t
relative(const struct pfile *o, const struct pfile_loc *l)
{
    return l->mapping == PFILE_NONE ? l->addr
        : l->addr - o->mappings[l->mapping].start;
}

static bool
same_line(const struct pfile_line *a, const struct pfile_line *b)
{
    return a->func == b->func && a->line == b->line && a->column == b->column;
}

static bool
same_loc(const void *ctx, uint32_t at, const void *key)
{
    const struct pfile *o = ctx;
    const struct pfile_loc *a = &o->locs[at], *b = key;
    uint32_t i;

    if (relative(o, a) != relative(o, b) || a->mapping != b->mapping ||
        a->folded != b->folded || a->nlines != b->nlines)
        return false;
    for (i = 0; i < a->nlines; i++) {
        if (!same_line(&o->lines[a->line + i], &o->lines[b->line + i]))
            return false;
    }
    return true;
}

static uint64_t
hash_loc(const struct pfile *o, const struct pfile_loc *l, uint64_t seed)
{
    uint64_t h = rt_hash_u64(relative(o, l) ^ l->mapping, seed);
    uint32_t i;

    for (i = 0; i < l->nlines; i++) {
        const struct pfile_line *x = &o->lines[l->line + i];

        h = rt_hash_u64(h ^ (uint64_t)x->line, seed ^ x->func);
    }
    return h;
}

static enum rt_status
map_loc(struct merger *m, uint32_t i, uint32_t *to)
{
    const struct pfile_loc *src = &m->f->locs[i];
    struct pfile *o = m->o;
    struct pfile_loc x = *src;
    enum rt_status st = RT_OK;
    uint64_t hash;
    uint32_t k;

    rt_assert(i < m->f->nlocs);
    *to = m->loc_to[i];
    if (*to != PHASH_NONE)
        return RT_OK;
    if (src->mapping != PFILE_NONE) {
        st = map_mapping(m, src->mapping, &x.mapping);
        if (st != RT_OK)
            return st;
        x.addr += o->mappings[x.mapping].start -
            m->f->mappings[src->mapping].start;
    }
    /* The lines are put at the end, and stay if the location is new. */
    if (!room(&o->lines, o->nlines, x.nlines, &m->lines_cap,
        sizeof *o->lines))
        return nomem(m);
    x.line = o->nlines;
    for (k = 0; k < x.nlines; k++) {
        struct pfile_line *l = &o->lines[x.line + k];

        *l = m->f->lines[src->line + k];
        st = map_func(m, l->func, &l->func);
        if (st != RT_OK)
            return st;
    }
    hash = hash_loc(o, &x, m->seed);
    *to = phash_find(&m->locs, hash, same_loc, o, &x);
    if (*to == PHASH_NONE) {
        if (!room(&o->locs, o->nlocs, 1, &m->locs_cap, sizeof x) ||
            !phash_add(&m->locs, hash, (uint32_t)o->nlocs))
            return nomem(m);
        *to = (uint32_t)o->nlocs++;
        x.id = o->nlocs;
        o->locs[*to] = x;
        o->nlines += x.nlines;
    }
    m->loc_to[i] = *to;
    return RT_OK;
}

/* ---- samples */

static bool
same_label(const struct pfile_label *a, const struct pfile_label *b)
{
    return a->key == b->key && a->str == b->str && a->unit == b->unit &&
        a->num == b->num;
}

static bool
same_sample(const void *ctx, uint32_t at, const void *key)
{
    const struct pfile *o = ctx;
    const struct pfile_sample *a = &o->samples[at], *b = key;
    uint32_t i;

    if (a->nlocs != b->nlocs || a->nlabels != b->nlabels ||
        a->base != b->base || memcmp(&o->stack[a->loc], &o->stack[b->loc],
            a->nlocs * sizeof *o->stack) != 0)
        return false;
    for (i = 0; i < a->nlabels; i++) {
        if (!same_label(&o->labels[a->label + i], &o->labels[b->label + i]))
            return false;
    }
    return true;
}

static uint64_t
hash_sample(const struct pfile *o, const struct pfile_sample *s, uint64_t seed)
{
    uint64_t h = rt_hash_bytes(&o->stack[s->loc], s->nlocs * sizeof *o->stack,
        seed ^ s->base);
    uint32_t i;

    for (i = 0; i < s->nlabels; i++) {
        const struct pfile_label *l = &o->labels[s->label + i];

        h = rt_hash_u64(h ^ (uintptr_t)l->key ^ (uint64_t)l->num,
            seed ^ (uintptr_t)l->str);
    }
    return h;
}

/* By key; labels with one key keep their order, which qsort alone would not
 * promise: their texts' places in memory stand for it no worse. */
static int
by_key(const void *pa, const void *pb)
{
    const struct pfile_label *a = pa, *b = pb;
    int c = strcmp(a->key, b->key);

    if (c != 0)
        return c;
    if (a->str != b->str)
        return (uintptr_t)a->str < (uintptr_t)b->str ? -1 : 1;
    return a->num < b->num ? -1 : a->num > b->num;
}

/* Puts the sample's stack and labels at the end of o's lists. */
static enum rt_status
copy_lists(struct merger *m, const struct pfile_sample *s,
    struct pfile_sample *x)
{
    struct pfile *o = m->o;
    enum rt_status st;
    uint32_t i, to;

    if (!room(&o->stack, o->nstack, s->nlocs, &m->stack_cap,
            sizeof *o->stack) ||
        !room(&o->labels, o->nlabels, s->nlabels, &m->labels_cap,
            sizeof *o->labels))
        return nomem(m);
    *x = (struct pfile_sample){.loc = o->nstack, .label = o->nlabels,
        .nlocs = s->nlocs, .nlabels = s->nlabels,
        .base = m->role == PMERGE_COMPARE};
    for (i = 0; i < s->nlocs; i++) {
        st = map_loc(m, m->f->stack[s->loc + i], &to);
        if (st != RT_OK)
            return st;
        o->stack[o->nstack + i] = to;
    }
    for (i = 0; i < s->nlabels; i++) {
        struct pfile_label *l = &o->labels[o->nlabels + i];

        *l = m->f->labels[s->label + i];
        l->key = text(m, l->key);
        l->unit = text(m, l->unit);
        if (l->str != NULL && (l->str = text(m, l->str)) == NULL)
            return nomem(m);
        if (l->key == NULL || l->unit == NULL)
            return nomem(m);
    }
    if (s->nlabels > 1)
        qsort(&o->labels[o->nlabels], s->nlabels, sizeof *o->labels, by_key);
    return RT_OK;
}

static bool
convert(struct merger *m, const int64_t *v)
{
    bool any = false;
    size_t i;

    for (i = 0; i < m->o->ntypes; i++) {
        int64_t x = v[m->column[i]];
        double d = (double)x * m->ratio[i];

        if (m->ratio[i] != 1 && d > -9e18 && d < 9e18)
            x = llround(d);
        if (m->role != PMERGE_ADD)
            x = (int64_t)(0 - (uint64_t)x);
        m->values[i] = x;
        any |= x != 0;
    }
    return any;
}

static enum rt_status
add_sample(struct merger *m, size_t at)
{
    struct pfile *o = m->o;
    struct pfile_sample x;
    enum rt_status st;
    uint64_t hash;
    uint32_t to;
    size_t i;

    if (!convert(m, &m->f->values[at * m->f->ntypes]))
        return RT_OK;
    st = copy_lists(m, &m->f->samples[at], &x);
    if (st != RT_OK)
        return st;
    hash = hash_sample(o, &x, m->seed);
    to = phash_find(&m->samples, hash, same_sample, o, &x);
    if (to == PHASH_NONE) {
        if (!room(&o->samples, o->nsamples, 1, &m->samples_cap, sizeof x) ||
            !room(&o->values, o->nsamples * o->ntypes, o->ntypes,
                &m->values_cap, sizeof *o->values) ||
            !phash_add(&m->samples, hash, (uint32_t)o->nsamples))
            return nomem(m);
        to = (uint32_t)o->nsamples++;
        o->samples[to] = x;
        o->nstack += x.nlocs;
        o->nlabels += x.nlabels;
        memset(&o->values[to * o->ntypes], 0, o->ntypes * sizeof *o->values);
    }
    rt_assert(to < o->nsamples);
    for (i = 0; i < o->ntypes; i++)
        o->values[to * o->ntypes + i] = (int64_t)(
            (uint64_t)o->values[to * o->ntypes + i] + (uint64_t)m->values[i]);
    return RT_OK;
}

/* ---- */

static uint32_t *
unmapped(size_t n)
{
    uint32_t *p = malloc((n + 1) * sizeof *p);

    if (p != NULL)
        memset(p, 0xff, (n + 1) * sizeof *p);
    return p;
}

static enum rt_status
source(struct merger *m, const struct pmerge_source *in)
{
    const struct pfile *f = m->f = in->f;
    enum rt_status st = RT_OK;
    const char *unit;
    uint32_t to;
    size_t i;

    m->role = in->role;
    for (i = 0; i < m->o->ntypes; i++) {
        m->column[i] = find_type(f, m->o->types[i].type);
        rt_assert(m->column[i] != SIZE_MAX); /* types() has looked */
        m->ratio[i] = punit_scale(1, f->types[m->column[i]].unit,
            m->o->types[i].unit, &unit);
    }
    m->mapping_to = unmapped(f->nmappings);
    m->func_to = unmapped(f->nfuncs);
    m->loc_to = unmapped(f->nlocs);
    if (m->mapping_to == NULL || m->func_to == NULL || m->loc_to == NULL)
        st = nomem(m);
    /* The first mapping is the program. */
    if (st == RT_OK && m->o->nmappings == 0 && f->nmappings > 0)
        st = map_mapping(m, 0, &to);
    for (i = 0; st == RT_OK && i < f->nsamples; i++)
        st = add_sample(m, i);
    free(m->mapping_to);
    free(m->func_to);
    free(m->loc_to);
    m->mapping_to = m->func_to = m->loc_to = NULL;
    return st;
}

/* Takes samples out whose values have cancelled. */
static void
drop_zeros(struct pfile *o)
{
    size_t i, k, n = 0;

    for (i = 0; i < o->nsamples; i++) {
        const int64_t *v = &o->values[i * o->ntypes];

        for (k = 0; k < o->ntypes && v[k] == 0; k++)
            ;
        if (k == o->ntypes)
            continue;
        o->samples[n] = o->samples[i];
        memmove(&o->values[n * o->ntypes], v, o->ntypes * sizeof *v);
        n++;
    }
    o->nsamples = n;
}

enum rt_status
pmerge_all(const struct pmerge_source *in, size_t n, struct pfile **out,
    struct rt_err *e)
{
    struct merger m = {.in = in, .n = n, .e = e, .seed = rt_hash_seed(out)};
    enum rt_status st;
    size_t i;

    *out = NULL;
    m.o = calloc(1, sizeof *m.o);
    if (m.o == NULL)
        return nomem(&m);
    st = types(&m);
    if (st == RT_OK)
        st = header(&m);
    if (st == RT_OK) {
        m.column = calloc(m.o->ntypes, sizeof *m.column);
        m.ratio = calloc(m.o->ntypes, sizeof *m.ratio);
        m.values = calloc(m.o->ntypes, sizeof *m.values);
        if (m.column == NULL || m.ratio == NULL || m.values == NULL)
            st = nomem(&m);
    }
    for (i = 0; st == RT_OK && i < n; i++)
        st = source(&m, &in[i]);
    phash_free(&m.mappings);
    phash_free(&m.funcs);
    phash_free(&m.locs);
    phash_free(&m.samples);
    free(m.column);
    free(m.ratio);
    free(m.values);
    if (st != RT_OK) {
        pfile_close(m.o);
        return st;
    }
    drop_zeros(m.o);
    rt_assert_full(pfile_valid(m.o));
    *out = m.o;
    return RT_OK;
}
