/* SPDX-License-Identifier: MIT */
/*
 * profile.proto, decoded in two passes over the bytes: the first collects the
 * string table, which writers put last, and counts the messages; the second
 * fills arrays of exactly these sizes.  Lists inside messages grow in arrays
 * that all messages share.  Every byte of memory is charged against
 * PFILE_MAX_MEMORY before it is asked for.
 *
 * What is refused is what pprof's own reader refuses.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/read/pfile_int.h"
#include "runtime/base/hash.h"
#include "runtime/base/throw.h"
#include "runtime/base/varint.h"

/* Part of the input: a message's fields are in [p, end). */
struct span {
    const uint8_t *p, *end;
};

struct field {
    unsigned num, wire;
    uint64_t v;       /* wire type 0 */
    struct span body; /* wire type 2 */
};

/* Places of the ids of one kind of message. */
struct ids {
    struct phash index;
    uint64_t seed;         /* of their hashes */
    const uint64_t *first; /* the id of element 0 */
    size_t stride;         /* bytes from one to the next */
};

struct dec {
    struct pfile *f;
    const uint8_t *data;
    struct rt_err *e;
    size_t memory;

    const char **strings;
    size_t nstrings, strings_cap;
    size_t ntypes, nsamples, nmappings, nlocs, nfuncs;
    size_t stack_cap, labels_cap, lines_cap, comments_cap;
    struct ids mappings, locs, funcs;
};

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

static enum rt_status
bad(struct dec *d, const uint8_t *p, const char *what)
{
    return rt_errf(d->e, RT_EFORMAT, (uint64_t)(p - d->data),
        "malformed profile: %s (at byte %llu)", what,
        (unsigned long long)(p - d->data));
}

static enum rt_status
nomem(struct dec *d)
{
    return rt_errf(d->e, RT_ENOMEM, UINT64_MAX, "out of memory");
}

static enum rt_status
charge(struct dec *d, size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, size, &bytes) ||
        bytes > PFILE_MAX_MEMORY - d->memory)
        return rt_errf(d->e, RT_ELIMIT, UINT64_MAX,
            "the profile takes more than %zu MiB of memory",
            PFILE_MAX_MEMORY >> 20);
    d->memory += bytes;
    rt_assert(d->memory <= PFILE_MAX_MEMORY);
    return RT_OK;
}

/* An array of n zeroed elements. */
static enum rt_status
array(struct dec *d, void *v, size_t n, size_t size)
{
    enum rt_status st = charge(d, n, size);
    void *p;

    if (st != RT_OK)
        return st;
    p = calloc(n > 0 ? n : 1, size);
    memcpy(v, &p, sizeof p);
    return p == NULL ? nomem(d) : RT_OK;
}

/* Room for one element more in the array at *v. */
static enum rt_status
grow(struct dec *d, void *v, size_t n, size_t *cap, size_t size)
{
    size_t want = *cap < 8 ? 16 : *cap + *cap / 2;
    enum rt_status st;
    void *p;

    rt_assert(n <= *cap);
    if (n < *cap)
        return RT_OK;
    st = charge(d, want - *cap, size);
    if (st != RT_OK)
        return st;
    memcpy(&p, v, sizeof p);
    p = realloc(p, want * size);
    if (p == NULL)
        return nomem(d);
    memcpy(v, &p, sizeof p);
    *cap = want;
    return RT_OK;
}

/* ---- fields */

static enum rt_status
varint(struct dec *d, struct span *s, uint64_t *v)
{
    const uint8_t *p = rt_varint_get(s->p, s->end, v);

    if (p == NULL)
        return bad(d, s->p, *v == 0 ? "a number is cut short"
            : "a number is too long");
    s->p = p;
    return RT_OK;
}

/* Takes the next field off the message.  RT_EOF at its end. */
static enum rt_status
next(struct dec *d, struct span *s, struct field *f)
{
    const uint8_t *start = s->p;
    enum rt_status st;
    uint64_t key;

    if (s->p == s->end)
        return RT_EOF;
    st = varint(d, s, &key);
    if (st != RT_OK)
        return st;
    f->num = key >> 3 > 1u << 29 ? 0 : (unsigned)(key >> 3);
    f->wire = key & 7;
    switch (f->wire) {
    case WIRE_VARINT:
        return varint(d, s, &f->v);
    case WIRE_BYTES:
        st = varint(d, s, &f->v);
        if (st != RT_OK)
            return st;
        break;
    case WIRE_64:
        f->v = 8;
        break;
    case WIRE_32:
        f->v = 4;
        break;
    default:
        return bad(d, start, "unknown wire type");
    }
    rt_assert(s->p <= s->end);
    if (f->v > (uint64_t)(s->end - s->p))
        return bad(d, start, "a field reaches beyond its message");
    f->body = (struct span){s->p, s->p + f->v};
    s->p += f->v;
    return RT_OK;
}

static enum rt_status
expect(struct dec *d, const struct span *s, const struct field *f,
    unsigned wire)
{
    return f->wire == wire ? RT_OK : bad(d, s->p, "a field of the wrong type");
}

/* A table of a message's single numbers: field i goes to *to[i] unless that
 * is NULL.  Returns RT_OK with *known for a field of the table. */
static enum rt_status
number(struct dec *d, const struct span *s, const struct field *f,
    uint64_t *const *to, unsigned n, bool *known)
{
    *known = f->num < n && to[f->num] != NULL;
    if (!*known)
        return RT_OK;
    if (f->wire != WIRE_VARINT)
        return bad(d, s->p, "a field of the wrong type");
    *to[f->num] = f->v;
    return RT_OK;
}

/* A message that consists of such numbers only. */
static enum rt_status
numbers(struct dec *d, struct span s, uint64_t *const *to, unsigned n)
{
    struct field f;
    enum rt_status st;
    bool known;

    while ((st = next(d, &s, &f)) == RT_OK) {
        st = number(d, &s, &f, to, n, &known);
        if (st != RT_OK)
            return st;
    }
    return st == RT_EOF ? RT_OK : st;
}

static enum rt_status
string(struct dec *d, const uint8_t *p, uint64_t index, const char **s)
{
    if (index >= d->nstrings)
        return bad(d, p, "a text that is not in the string table");
    *s = d->strings[index];
    return RT_OK;
}

/* ---- the first pass */

static enum rt_status
add_string(struct dec *d, const struct span *b)
{
    size_t n = (size_t)(b->end - b->p);
    enum rt_status st = grow(d, &d->strings, d->nstrings, &d->strings_cap,
        sizeof *d->strings);
    const char *s;

    if (st == RT_OK)
        st = charge(d, n + 40, 1); /* with its share of the index */
    if (st != RT_OK)
        return st;
    if (d->nstrings == 0 && n != 0)
        return bad(d, b->p, "the first string is not empty");
    s = pfile_name(&d->f->names, (const char *)b->p, n);
    if (s == NULL)
        return nomem(d);
    d->strings[d->nstrings++] = s;
    return RT_OK;
}

static enum rt_status
survey(struct dec *d, struct span s)
{
    bool timed = false;
    enum rt_status st;
    struct field f;

    while ((st = next(d, &s, &f)) == RT_OK) {
        if (f.num >= 1 && f.num <= 6)
            st = expect(d, &s, &f, WIRE_BYTES);
        if (st != RT_OK)
            return st;
        d->ntypes += f.num == 1;
        d->nsamples += f.num == 2;
        d->nmappings += f.num == 3;
        d->nlocs += f.num == 4;
        d->nfuncs += f.num == 5;
        if (f.num == 6)
            st = add_string(d, &f.body);
        /* Two profiles in one file would be added up silently. */
        if (f.num == 9 && f.wire == WIRE_VARINT) {
            if (timed)
                return bad(d, s.p, "several profiles one after the other");
            timed = f.v != 0;
        }
        if (st != RT_OK)
            return st;
    }
    if (st != RT_EOF)
        return st;
    if (d->nstrings == 0)
        return bad(d, s.p, "no string table");
    if (d->ntypes == 0 && d->nsamples > 0)
        return bad(d, s.p, "samples without a sample type");
    if (d->nsamples >= UINT32_MAX || d->nlocs >= UINT32_MAX ||
        d->nfuncs >= UINT32_MAX || d->nmappings >= UINT32_MAX)
        return rt_errf(d->e, RT_ELIMIT, UINT64_MAX, "too many records");
    return RT_OK;
}

static enum rt_status
allocate(struct dec *d)
{
    struct pfile *f = d->f;
    enum rt_status st = array(d, &f->types, d->ntypes, sizeof *f->types);
    size_t n;

    if (st == RT_OK)
        st = array(d, &f->samples, d->nsamples, sizeof *f->samples);
    if (st == RT_OK && __builtin_mul_overflow(d->nsamples, d->ntypes, &n))
        n = SIZE_MAX;
    if (st == RT_OK)
        st = array(d, &f->values, n, sizeof *f->values);
    if (st == RT_OK)
        st = array(d, &f->mappings, d->nmappings, sizeof *f->mappings);
    if (st == RT_OK)
        st = array(d, &f->locs, d->nlocs, sizeof *f->locs);
    if (st == RT_OK)
        st = array(d, &f->funcs, d->nfuncs, sizeof *f->funcs);
    /* The indices of the ids, filled below. */
    if (st == RT_OK)
        st = charge(d, d->nmappings + d->nlocs + d->nfuncs, 32);
    return st;
}

/* ---- the second pass: everything but samples */

static enum rt_status
add_type(struct dec *d, struct span s, struct pfile_type *t)
{
    uint64_t type = 0, unit = 0;
    uint64_t *const to[] = {NULL, &type, &unit};
    enum rt_status st = numbers(d, s, to, 3);

    if (st == RT_OK)
        st = string(d, s.p, type, &t->type);
    return st == RT_OK ? string(d, s.p, unit, &t->unit) : st;
}

static enum rt_status
add_mapping(struct dec *d, struct span s)
{
    struct pfile_mapping *m = &d->f->mappings[d->f->nmappings++];
    uint64_t file = 0, build_id = 0;
    uint64_t *const to[] = {NULL, &m->id, &m->start, &m->limit, &m->offset,
        &file, &build_id};
    enum rt_status st = numbers(d, s, to, 7);

    rt_assert(d->f->nmappings <= d->nmappings); /* as the survey counted */
    if (st == RT_OK)
        st = string(d, s.p, file, &m->file);
    return st == RT_OK ? string(d, s.p, build_id, &m->build_id) : st;
}

static enum rt_status
add_func(struct dec *d, struct span s)
{
    struct pfile_func *f = &d->f->funcs[d->f->nfuncs++];
    uint64_t name = 0, system = 0, file = 0, line = 0;
    uint64_t *const to[] = {NULL, &f->id, &name, &system, &file, &line};
    enum rt_status st = numbers(d, s, to, 6);

    rt_assert(d->f->nfuncs <= d->nfuncs);
    f->start_line = (int64_t)line;
    if (st == RT_OK)
        st = string(d, s.p, name, &f->name);
    if (st == RT_OK)
        st = string(d, s.p, system, &f->system);
    return st == RT_OK ? string(d, s.p, file, &f->file) : st;
}

/* ---- ids */


static uint64_t
id_of(const struct ids *x, uint32_t at)
{
    uint64_t id;

    memcpy(&id, (const char *)x->first + at * x->stride, sizeof id);
    return id;
}

static bool
same_id(const void *ctx, uint32_t at, const void *key)
{
    return id_of(ctx, at) == *(const uint64_t *)key;
}

/* The place of an id or PHASH_NONE.  Nearly all writers count from 1. */
static uint32_t
find_id(const struct ids *x, size_t n, uint64_t id)
{
    if (id - 1 < n && id_of(x, (uint32_t)(id - 1)) == id)
        return (uint32_t)(id - 1);
    return phash_find(&x->index, rt_hash_u64(id, x->seed), same_id, x, &id);
}

static enum rt_status
index_ids(struct dec *d, struct ids *x, const uint64_t *first, size_t stride,
    size_t n, const char *zero, const char *twice)
{
    uint32_t i;

    x->seed = rt_hash_seed(x);
    x->first = first;
    x->stride = stride;
    for (i = 0; i < n; i++) {
        uint64_t id = id_of(x, i), hash = rt_hash_u64(id, x->seed);

        if (id == 0)
            return bad(d, d->data, zero);
        if (phash_find(&x->index, hash, same_id, x, &id) != PHASH_NONE)
            return bad(d, d->data, twice);
        if (!phash_add(&x->index, hash, i))
            return nomem(d);
    }
    return RT_OK;
}

/* ---- locations: after mappings and functions are known */

static enum rt_status
add_line(struct dec *d, struct span s)
{
    struct pfile *f = d->f;
    uint64_t func = 0, line = 0, column = 0;
    uint64_t *const to[] = {NULL, &func, &line, &column};
    enum rt_status st = numbers(d, s, to, 4);
    uint32_t at;

    if (st == RT_OK)
        st = grow(d, &f->lines, f->nlines, &d->lines_cap, sizeof *f->lines);
    if (st != RT_OK)
        return st;
    at = find_id(&d->funcs, f->nfuncs, func);
    if (at == PHASH_NONE)
        return bad(d, s.p, "a line of no function");
    f->lines[f->nlines++] = (struct pfile_line){.line = (int64_t)line,
        .column = (int64_t)column, .func = at};
    return RT_OK;
}

static enum rt_status
add_loc(struct dec *d, struct span s)
{
    struct pfile *f = d->f;
    struct pfile_loc *l = &f->locs[f->nlocs++];
    uint64_t mapping = 0, folded = 0;
    uint64_t *const to[] = {NULL, &l->id, &mapping, &l->addr, NULL, &folded};
    enum rt_status st;
    struct field x;
    bool known;

    rt_assert(f->nlocs <= d->nlocs);
    l->line = f->nlines;
    while ((st = next(d, &s, &x)) == RT_OK) {
        st = number(d, &s, &x, to, 6, &known);
        if (st == RT_OK && x.num == 4)
            st = expect(d, &s, &x, WIRE_BYTES);
        if (st == RT_OK && x.num == 4)
            st = add_line(d, x.body);
        if (st != RT_OK)
            return st;
    }
    if (st != RT_EOF)
        return st;
    if (f->nlines - l->line >= UINT32_MAX)
        return bad(d, s.p, "too many lines");
    l->nlines = (uint32_t)(f->nlines - l->line);
    l->mapping = find_id(&d->mappings, f->nmappings, mapping);
    l->folded = folded != 0;
    return RT_OK;
}

/* ---- samples: after locations are known */

static enum rt_status
push_loc(struct dec *d, const uint8_t *p, uint64_t id)
{
    struct pfile *f = d->f;
    enum rt_status st = grow(d, &f->stack, f->nstack, &d->stack_cap,
        sizeof *f->stack);
    uint32_t at = find_id(&d->locs, f->nlocs, id);

    if (st != RT_OK)
        return st;
    if (at == PHASH_NONE)
        return bad(d, p, "a sample at no location");
    f->stack[f->nstack++] = at;
    return RT_OK;
}

static enum rt_status
push_value(struct dec *d, const uint8_t *p, size_t *n, uint64_t v)
{
    struct pfile *f = d->f;

    if (*n >= d->ntypes)
        return bad(d, p, "a sample with more values than sample types");
    f->values[(f->nsamples - 1) * d->ntypes + (*n)++] = (int64_t)v;
    return RT_OK;
}

static enum rt_status
push_label(struct dec *d, struct span s)
{
    struct pfile *f = d->f;
    uint64_t key = 0, str = 0, num = 0, unit = 0;
    uint64_t *const to[] = {NULL, &key, &str, &num, &unit};
    enum rt_status st = numbers(d, s, to, 5);
    struct pfile_label *l;

    /* Neither a text nor a number: nothing. */
    if (st != RT_OK || (str == 0 && num == 0 && unit == 0))
        return st;
    st = grow(d, &f->labels, f->nlabels, &d->labels_cap, sizeof *f->labels);
    if (st != RT_OK)
        return st;
    l = &f->labels[f->nlabels];
    *l = (struct pfile_label){.num = (int64_t)num};
    st = string(d, s.p, key, &l->key);
    if (st == RT_OK && str != 0)
        st = string(d, s.p, str, &l->str);
    if (st == RT_OK)
        st = string(d, s.p, unit, &l->unit);
    f->nlabels += st == RT_OK;
    return st;
}

/* One element or, packed, several of field 1 or 2 of a sample. */
static enum rt_status
sample_list(struct dec *d, struct field *x, const uint8_t *p, size_t *nvalues)
{
    struct span b = x->body;
    enum rt_status st;

    if (x->wire == WIRE_VARINT)
        return x->num == 1 ? push_loc(d, p, x->v)
            : push_value(d, p, nvalues, x->v);
    if (x->wire != WIRE_BYTES)
        return bad(d, p, "a field of the wrong type");
    while (b.p < b.end) {
        uint64_t v;

        st = varint(d, &b, &v);
        if (st == RT_OK)
            st = x->num == 1 ? push_loc(d, b.p, v)
                : push_value(d, b.p, nvalues, v);
        if (st != RT_OK)
            return st;
    }
    return RT_OK;
}

static enum rt_status
add_sample(struct dec *d, struct span s)
{
    struct pfile *f = d->f;
    struct pfile_sample *x = &f->samples[f->nsamples++];
    size_t nvalues = 0;
    enum rt_status st;
    struct field fl;

    rt_assert(f->nsamples <= d->nsamples);
    x->loc = f->nstack;
    x->label = f->nlabels;
    while ((st = next(d, &s, &fl)) == RT_OK) {
        if (fl.num == 1 || fl.num == 2)
            st = sample_list(d, &fl, s.p, &nvalues);
        else if (fl.num == 3)
            st = expect(d, &s, &fl, WIRE_BYTES);
        if (st == RT_OK && fl.num == 3)
            st = push_label(d, fl.body);
        if (st != RT_OK)
            return st;
    }
    if (st != RT_EOF)
        return st;
    if (nvalues != d->ntypes)
        return bad(d, s.p, "a sample with fewer values than sample types");
    if (f->nstack - x->loc >= UINT32_MAX || f->nlabels - x->label >= UINT32_MAX)
        return bad(d, s.p, "a sample that is too large");
    x->nlocs = (uint32_t)(f->nstack - x->loc);
    x->nlabels = (uint32_t)(f->nlabels - x->label);
    return RT_OK;
}

/* ---- all of it */

static enum rt_status
add_comments(struct dec *d, const struct field *x, const uint8_t *p)
{
    struct pfile *f = d->f;
    struct span b = x->body;
    enum rt_status st = RT_OK;
    bool packed = x->wire == WIRE_BYTES;
    uint64_t v = x->v;

    if (!packed && x->wire != WIRE_VARINT)
        return bad(d, p, "a field of the wrong type");
    while (st == RT_OK && (!packed || b.p < b.end)) {
        if (packed)
            st = varint(d, &b, &v);
        if (st == RT_OK)
            st = grow(d, &f->comments, f->ncomments, &d->comments_cap,
                sizeof *f->comments);
        if (st == RT_OK)
            st = string(d, p, v, &f->comments[f->ncomments]);
        f->ncomments += st == RT_OK;
        if (!packed)
            break;
    }
    return st;
}

/* The messages that refer to nothing but strings, and the header. */
static enum rt_status
flat_messages(struct dec *d, struct span s)
{
    struct pfile *f = d->f;
    uint64_t drop = 0, keep = 0, time = 0, duration = 0, period = 0;
    uint64_t deflt = 0, doc = 0;
    uint64_t *const to[] = {[7] = &drop, &keep, &time, &duration, NULL,
        &period, NULL, &deflt, &doc};
    const uint8_t *end = s.end;
    enum rt_status st;
    struct field x;
    bool known;

    f->period_type.type = f->period_type.unit = d->strings[0];
    while ((st = next(d, &s, &x)) == RT_OK) {
        st = number(d, &s, &x, to, 16, &known);
        if (st == RT_OK && x.num == 1)
            st = add_type(d, x.body, &f->types[f->ntypes++]);
        else if (st == RT_OK && x.num == 3)
            st = add_mapping(d, x.body);
        else if (st == RT_OK && x.num == 5)
            st = add_func(d, x.body);
        else if (st == RT_OK && x.num == 11)
            st = x.wire == WIRE_BYTES ? add_type(d, x.body, &f->period_type)
                : bad(d, s.p, "a field of the wrong type");
        else if (st == RT_OK && x.num == 13)
            st = add_comments(d, &x, s.p);
        if (st != RT_OK)
            return st;
    }
    if (st != RT_EOF)
        return st;
    f->time = (int64_t)time;
    f->duration = (int64_t)duration;
    f->period = (int64_t)period;
    st = string(d, end, drop, &f->drop_frames);
    if (st == RT_OK)
        st = string(d, end, keep, &f->keep_frames);
    if (st == RT_OK)
        st = string(d, end, deflt, &f->default_type);
    return st == RT_OK ? string(d, end, doc, &f->doc_url) : st;
}

/* All messages of one number. */
static enum rt_status
each(struct dec *d, struct span s, unsigned num,
    enum rt_status (*fn)(struct dec *, struct span))
{
    enum rt_status st;
    struct field x;

    while ((st = next(d, &s, &x)) == RT_OK) {
        if (x.num == num)
            st = fn(d, x.body);
        if (st != RT_OK)
            return st;
    }
    return st == RT_EOF ? RT_OK : st;
}

static enum rt_status
second_pass(struct dec *d, struct span all)
{
    struct pfile *f = d->f;
    enum rt_status st = flat_messages(d, all);

    if (st == RT_OK)
        st = index_ids(d, &d->mappings, &f->mappings->id, sizeof *f->mappings,
            f->nmappings, "a mapping with id 0", "two mappings with one id");
    if (st == RT_OK)
        st = index_ids(d, &d->funcs, &f->funcs->id, sizeof *f->funcs,
            f->nfuncs, "a function with id 0", "two functions with one id");
    if (st == RT_OK)
        st = each(d, all, 4, add_loc);
    if (st == RT_OK)
        st = index_ids(d, &d->locs, &f->locs->id, sizeof *f->locs, f->nlocs,
            "a location with id 0", "two locations with one id");
    return st == RT_OK ? each(d, all, 2, add_sample) : st;
}

enum rt_status
pdecode_profile(struct pfile *f, const uint8_t *data, size_t n,
    struct rt_err *e)
{
    struct dec d = {.f = f, .data = data, .e = e};
    struct span all = {data, data + n};
    enum rt_status st = survey(&d, all);

    if (st == RT_OK)
        st = allocate(&d);
    if (st == RT_OK)
        st = second_pass(&d, all);
    rt_assert_full(st != RT_OK || pfile_valid(f));
    phash_free(&d.mappings.index);
    phash_free(&d.locs.index);
    phash_free(&d.funcs.index);
    free(d.strings);
    return st;
}
