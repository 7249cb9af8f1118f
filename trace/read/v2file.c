/* SPDX-License-Identifier: MIT */
#include "trace/read/v2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"
#include "runtime/base/varint.h"
#include "trace/read/file_int.h"
#include "trace/read/number.h"

typedef unsigned long long ull;

enum { WHY = 128 };

const struct v2_spec v2_specs[V2_COUNT] = {
#define V2(no, id, name, nargs, stk, stk2, str, str2, since) \
    [no] = {name, nargs, stk, stk2, str, str2, since, \
        stk + stk2 + str + str2 != 0, stk2 + str + str2 != 0},
#include "trace/read/v2.def"
#undef V2
};

const uint8_t v2_nargs[256] = {
#define V2(no, id, name, nargs, stk, stk2, str, str2, since) [no] = nargs,
#include "trace/read/v2.def"
#undef V2
};

const char *
v2_name(unsigned type)
{
    return type < V2_COUNT && v2_specs[type].name != NULL ?
        v2_specs[type].name : "?";
}

/* ---- records */

static inline const uint8_t *
number(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
    if (p < end && *p < 0x80) {
        *v = *p;
        return p + 1;
    }
    return rt_varint_get(p, end, v);
}

const uint8_t *
v2_decode(const uint8_t *p, const uint8_t *end, struct v2_event *e,
    const char **why)
{
    unsigned i, n;

    rt_assert(p < end);
    e->type = *p++;
    n = e->type < V2_COUNT ? v2_specs[e->type].nargs : 0;
    if (n == 0) {
        *why = e->type < V2_COUNT && v2_specs[e->type].name != NULL ?
            "a record without a time among events" : "unknown event type";
        return NULL;
    }
    for (i = 0; i < n; i++) {
        p = number(p, end, &e->args[i]);
        if (p == NULL) {
            *why = e->args[i] != 0 ? "a number of more than 64 bits" :
                "the batch ends within an event";
            return NULL;
        }
    }
    return p;
}

int
v2_batch(const struct trace_file *f, uint64_t at, struct v2_batch *b,
    char *why)
{
    const uint8_t *p = f->data + at, *end = f->data + f->size;
    uint64_t v[4], exp = 0;
    uint8_t type;
    int i;

    rt_assert(at < f->size);
    type = *p++;
    memset(b, 0, sizeof *b);
    b->at = at;
    if (type == V2_END_OF_GENERATION) {
        b->end = at + 1;
        return 2;
    }
    if (type != V2_BATCH && type != V2_EXPERIMENTAL_BATCH) {
        snprintf(why, WHY, "expected a batch, got event type %u", type);
        return -1;
    }
    if (type == V2_EXPERIMENTAL_BATCH) {
        if (p == end)
            return 0;
        exp = *p++;
    }
    for (i = 0; i < 4; i++) {
        p = number(p, end, &v[i]);
        if (p == NULL) {
            snprintf(why, WHY, "a batch has a number of more than 64 bits");
            return v[i] != 0 ? -1 : 0;
        }
    }
    if (v[3] > V2_MAX_BATCH) {
        snprintf(why, WHY, "invalid batch size %llu, maximum is %d",
            (ull)v[3], V2_MAX_BATCH);
        return -1;
    }
    if ((uint64_t)(end - p) < v[3])
        return 0;
    b->gen = v[0];
    b->m = v[1];
    b->ticks = v[2];
    b->off = (uint64_t)(p - f->data);
    b->end = b->off + v[3];
    rt_assert(b->at < b->off && b->end <= f->size);
    b->kind = exp != 0 ? V2B_EXPERIMENT : V2B_EVENTS;
    return 1;
}

/* ---- one number for equal texts and stacks */

/* The number of a text, from 1 on; 0: no memory. */
static uint32_t
intern_string(struct trace_file *f, const char *s, uint32_t len)
{
    struct trace_idmap *map = &f->v2->strings_by_hash;
    uint64_t h = rt_hash_foreign(s, len, f->v2->seed);
    bool fresh;
    int64_t i;

    rt_assert(f->nstrings == map->count);
    for (;; h = h * 3 + 1) {
        i = trace_idmap_row(map, h, &f->strings, &f->strings_cap,
            sizeof *f->strings, &fresh);
        if (i < 0)
            return 0;
        if (fresh) {
            f->strings[i].s = s;
            f->strings[i].len = len;
            f->nstrings++;
            break;
        }
        if (f->strings[i].len == len && memcmp(f->strings[i].s, s, len) == 0)
            break;
    }
    return (uint32_t)i + 1;
}

static uint32_t
intern_stack(struct trace_file *f, const struct v2_frame *fr, uint32_t n)
{
    struct v2_file *v = f->v2;
    uint64_t h = rt_hash_foreign(fr, n * sizeof *fr, v->seed);
    bool fresh;
    int64_t i;

    rt_assert(f->nstacks == v->stacks_by_hash.count && n <= V2_MAX_FRAMES);
    for (;; h = h * 3 + 1) {
        i = trace_idmap_row(&v->stacks_by_hash, h, &v->stacks, &v->stacks_cap,
            sizeof *v->stacks, &fresh);
        if (i < 0)
            return 0;
        if (fresh)
            break;
        if (v->stacks[i].n == n && (n == 0 || memcmp(
                v->frames + v->stacks[i].first, fr, n * sizeof *fr) == 0))
            return (uint32_t)i + 1;
    }
    if (!trace_grow(&v->frames, &v->frames_cap, v->nframes + n,
            sizeof *v->frames))
        return 0;
    v->stacks[i].first = v->nframes;
    v->stacks[i].n = n;
    if (n > 0)
        memcpy(v->frames + v->nframes, fr, n * sizeof *fr);
    v->nframes += n;
    f->nstacks++;
    return (uint32_t)i + 1;
}

/* ---- tables of a generation */

struct table {
    struct trace_file *f;
    struct v2_ids *ids;
    const struct v2_batch *b;
    const uint8_t *p, *end;
    bool report, complete;
};

static void
complain(const struct table *t, const uint8_t *at, const char *rule,
    const char *text, uint64_t v)
{
    if (t->report)
        trace_file_problem(t->f, TRACE_ERROR, (uint64_t)(at - t->f->data),
            rule, "%s %llu", text, (ull)v);
}

static bool
get(struct table *t, uint64_t *v)
{
    const uint8_t *q = number(t->p, t->end, v);

    if (q == NULL) {
        if (t->report)
            trace_file_problem(t->f, TRACE_ERROR,
                (uint64_t)(t->p - t->f->data), "record",
                "a table ends within a number");
        return false;
    }
    t->p = q;
    return true;
}

/* RT_EFORMAT: the rest of the batch is not readable. */
static enum rt_status
one_string(struct table *t)
{
    struct v2_ids *ids = t->ids;
    const uint8_t *at = t->p;
    uint64_t id, len;
    bool fresh;
    int64_t i;

    if (*t->p++ != V2_STRING) {
        complain(t, at, "table", "expected a String, got event type", *at);
        return RT_EFORMAT;
    }
    if (!get(t, &id) || !get(t, &len))
        return RT_EFORMAT;
    if (len > V2_MAX_STRING || len > (uint64_t)(t->end - t->p)) {
        complain(t, at, "string-length", "invalid size of a String:", len);
        return RT_EFORMAT;
    }
    i = trace_idmap_row(&ids->strmap, id, &ids->strs, &ids->strs_cap,
        sizeof *ids->strs, &fresh);
    if (i < 0)
        return RT_ENOMEM;
    if (!fresh || id == 0) {
        complain(t, at, "string-id", "more than one String with the id", id);
    } else {
        ids->strs[i] = intern_string(t->f, (const char *)t->p, (uint32_t)len);
        if (ids->strs[i] == 0)
            return RT_ENOMEM;
        if (id < V2_NEAR)
            ids->near_strs[id] = ids->strs[i];
    }
    t->p += len;
    return RT_OK;
}

static bool
frame_string(struct table *t, const uint8_t *at, uint64_t id, uint32_t *out)
{
    int64_t n = v2_string_of(t->ids, id);

    *out = n < 0 ? 0 : (uint32_t)n;
    if (n < 0 && t->complete)
        complain(t, at, "string-id",
            "a Stack uses a String that is not defined:", id);
    return true;
}

static enum rt_status
one_stack(struct table *t)
{
    struct v2_frame fr[V2_MAX_FRAMES];
    struct v2_ids *ids = t->ids;
    const uint8_t *at = t->p;
    uint64_t id, n, i, func, file;
    bool fresh;
    int64_t k;

    if (*t->p++ != V2_STACK) {
        complain(t, at, "table", "expected a Stack, got event type", *at);
        return RT_EFORMAT;
    }
    if (!get(t, &id) || !get(t, &n))
        return RT_EFORMAT;
    if (n > V2_MAX_FRAMES) {
        complain(t, at, "stack-frames", "invalid size of a Stack:", n);
        return RT_EFORMAT;
    }
    memset(fr, 0, n * sizeof *fr);
    for (i = 0; i < n; i++) {
        if (!get(t, &fr[i].pc) || !get(t, &func) || !get(t, &file) ||
            !get(t, &fr[i].line))
            return RT_EFORMAT;
        frame_string(t, at, func, &fr[i].func);
        frame_string(t, at, file, &fr[i].file);
    }
    k = trace_idmap_row(&ids->stkmap, id, &ids->stks, &ids->stks_cap,
        sizeof *ids->stks, &fresh);
    if (k < 0)
        return RT_ENOMEM;
    if (!fresh || id == 0) {
        complain(t, at, "stack-id", "more than one Stack with the id", id);
        return RT_OK;
    }
    ids->stks[k] = intern_stack(t->f, fr, (uint32_t)n);
    if (id < V2_NEAR)
        ids->near_stks[id] = ids->stks[k];
    return ids->stks[k] == 0 ? RT_ENOMEM : RT_OK;
}

enum rt_status
v2_ids_load(struct trace_file *f, const struct v2_gen *g, struct v2_ids *ids,
    bool report)
{
    struct table t = {.f = f, .ids = ids, .report = report,
        .complete = g->complete};
    enum rt_status st;
    uint64_t i;
    int kind;

    v2_ids_clear(ids);
    rt_assert(g->first + g->count <= f->v2->nbatches);
    /* Stacks refer to strings. */
    for (kind = V2B_STRINGS; kind <= V2B_STACKS; kind++) {
        for (i = 0; i < g->count; i++) {
            t.b = &f->v2->batches[g->first + i];
            if (t.b->kind != kind)
                continue;
            rt_assert(t.b->off < t.b->end && t.b->gen == g->gen);
            t.p = f->data + t.b->off + 1;
            t.end = f->data + t.b->end;
            for (st = RT_OK; st == RT_OK && t.p < t.end; )
                st = kind == V2B_STRINGS ? one_string(&t) : one_stack(&t);
            if (st == RT_ENOMEM)
                return st;
        }
    }
    return RT_OK;
}

void
v2_ids_clear(struct v2_ids *ids)
{
    trace_idmap_free(&ids->strmap);
    trace_idmap_free(&ids->stkmap);
    free(ids->strs);
    free(ids->stks);
    memset(ids, 0, sizeof *ids);
}

/* ---- the index */

static struct v2_gen *
current(struct trace_file *f)
{
    return f->v2->ngens == 0 ? NULL : &f->v2->gens[f->v2->ngens - 1];
}

/* Frequency and clocks. */
static void
read_sync(struct trace_file *f, struct v2_gen *g, const struct v2_batch *b)
{
    struct table t = {.f = f, .b = b, .p = f->data + b->off,
        .end = f->data + b->end, .report = true};
    uint64_t freq, dt;

    if (f->version >= 25)
        t.p++;
    while (t.p < t.end) {
        const uint8_t *at = t.p;

        if (*t.p == V2_FREQUENCY) {
            t.p++;
            if (!get(&t, &freq))
                return;
            if (g->freq_known)
                complain(&t, at, "frequency",
                    "more than one Frequency in generation", g->gen);
            else if ((int64_t)freq <= 0)
                complain(&t, at, "frequency", "the frequency is", freq);
            else {
                g->freq_known = true;
                g->freq = freq;
                g->mul = 1.0 / ((double)freq / 1e9);
            }
        } else if (*t.p == V2_CLOCK_SNAPSHOT && f->version >= 25) {
            t.p++;
            if (g->snapshot)
                complain(&t, at, "clock",
                    "more than one ClockSnapshot in generation", g->gen);
            if (!get(&t, &dt) || !get(&t, &g->mono) || !get(&t, &g->sec) ||
                !get(&t, &g->nsec))
                return;
            g->snapshot = true;
            g->snap_ts = b->ticks + dt;
        } else {
            complain(&t, at, "table",
                "expected Frequency or ClockSnapshot, got event type", *at);
            return;
        }
    }
}

/* The end of the event at p and its time difference, in the usual case; NULL
 * where more must be looked at. */
static inline const uint8_t *
skim(const uint8_t *p, const uint8_t *end, uint64_t *dt)
{
    unsigned n = v2_nargs[*p];

    if (n == 0 || end - p < TRACE_ROOM)
        return NULL;
    p = trace_number8(p + 1, dt);
    return p == NULL ? NULL : trace_skip8(p, n - 1);
}

/* Counts the events of a batch and checks that each can be decoded; what
 * cannot, ends the batch. */
static void
read_events(struct trace_file *f, struct v2_batch *b)
{
    const uint8_t *p = f->data + b->off, *end = f->data + b->end, *q;
    struct v2_file *v = f->v2;
    struct v2_event e;
    const char *why;
    uint64_t ticks = b->ticks, nevents = 0;
    int version = f->version;

    while (p < end) {
        e.type = *p;
        q = skim(p, end, &e.args[0]);
        if (q == NULL)
            q = v2_decode(p, end, &e, &why);
        if (q == NULL) {
            trace_file_problem(f, TRACE_ERROR, (uint64_t)(p - f->data),
                "record", "%s %u: %s", v2_name(e.type), e.type, why);
            b->end = (uint64_t)(p - f->data);
            break;
        }
        rt_assert(q > p && q <= end && e.type < V2_COUNT);
        if (v2_specs[e.type].since > version)
            trace_file_problem(f, TRACE_WARNING, (uint64_t)(p - f->data),
                "event-version", "%s is not in version 1.%d",
                v2_name(e.type), f->version);
        v->wire[e.type]++;
        v->wire_bytes[e.type] += (uint64_t)(q - p);
        nevents += e.type < 128;
        ticks += e.args[0];
        p = q;
    }
    f->nevents += nevents;
    if (b->ticks < f->min_ts)
        f->min_ts = b->ticks;
    if (ticks > f->max_ts)
        f->max_ts = ticks;
}

static uint8_t
kind_of(const struct trace_file *f, const struct v2_batch *b)
{
    uint8_t first;

    if (b->kind == V2B_EXPERIMENT || b->off == b->end)
        return b->kind;
    first = f->data[b->off];
    if (first == V2_STRINGS)
        return V2B_STRINGS;
    if (first == V2_STACKS)
        return V2B_STACKS;
    if (first == V2_CPU_SAMPLES)
        return V2B_SAMPLES;
    if (first == (f->version < 25 ? V2_FREQUENCY : V2_SYNC))
        return V2B_SYNC;
    return V2B_EVENTS;
}

/* All batches of the generation are there: checks its tables. */
static enum rt_status
finish_gen(struct trace_file *f, uint64_t end, bool complete)
{
    struct v2_gen *g = current(f);
    struct v2_ids ids = {0};
    enum rt_status st;

    if (g == NULL || g->end != 0)
        return RT_OK;
    rt_assert(end >= g->off && end <= f->size);
    rt_assert(g->first + g->count == f->v2->nbatches);
    g->end = end;
    g->complete = complete;
    if (!g->freq_known) {
        bool before = f->v2->ngens > 1;

        g->mul = before ? g[-1].mul : 1.0;
        g->freq = before ? g[-1].freq : 1000000000;
        trace_file_problem(f, complete ? TRACE_ERROR : TRACE_WARNING, g->off,
            "frequency", "no Frequency in generation %llu%s", (ull)g->gen,
            before ? "" : ": a tick is taken for a nanosecond");
    }
    if (f->version >= 25 && !g->snapshot && complete)
        trace_file_problem(f, TRACE_ERROR, g->off, "clock",
            "no ClockSnapshot in generation %llu", (ull)g->gen);
    st = v2_ids_load(f, g, &ids, true);
    v2_ids_clear(&ids);
    return st;
}

static enum rt_status
begin_gen(struct trace_file *f, const struct v2_batch *b)
{
    struct v2_file *v = f->v2;
    struct v2_gen *g;

    if (!trace_grow(&v->gens, &v->gens_cap, v->ngens, sizeof *v->gens))
        return RT_ENOMEM;
    rt_assert(v->ngens == 0 || v->gens[v->ngens - 1].end != 0);
    g = &v->gens[v->ngens++];
    memset(g, 0, sizeof *g);
    g->gen = b->gen;
    g->off = b->at;
    g->first = v->nbatches;
    g->min_ts = b->ticks;
    return RT_OK;
}

/* False: the file cannot be read on. */
static bool
check_gen(struct trace_file *f, const struct v2_batch *b, bool *fresh)
{
    const struct v2_gen *g = current(f);

    *fresh = g == NULL || g->end != 0;
    if (b->gen == 0) {
        trace_file_problem(f, TRACE_ERROR, b->at, "generation",
            "invalid generation number 0");
        return false;
    }
    if (g == NULL || b->gen == g->gen)
        return true;
    if (f->version < 26) {
        if (b->gen == g->gen + 1) {
            *fresh = true;
            return true;
        }
        trace_file_problem(f, TRACE_ERROR, b->at, "generation",
            "generations out of order: %llu after %llu", (ull)b->gen,
            (ull)g->gen);
        return false;
    }
    if (*fresh)
        return true;
    trace_file_problem(f, TRACE_ERROR, b->at, "generation",
        "generation %llu has no end before %llu begins", (ull)g->gen,
        (ull)b->gen);
    return false;
}

static enum rt_status
add_batch(struct trace_file *f, struct v2_batch *b)
{
    struct v2_file *v = f->v2;
    enum rt_status st = RT_OK;
    struct v2_gen *g;
    bool fresh;

    if (!check_gen(f, b, &fresh)) {
        f->cut_at = b->at;
        return RT_EFORMAT;
    }
    if (fresh) {
        st = finish_gen(f, b->at, true);
        if (st == RT_OK)
            st = begin_gen(f, b);
        if (st != RT_OK)
            return st;
    }
    g = current(f);
    rt_assert(g != NULL && g->gen == b->gen && g->end == 0);
    if (!trace_grow(&v->batches, &v->batches_cap, v->nbatches,
            sizeof *v->batches))
        return RT_ENOMEM;
    if (b->ticks < g->min_ts)
        g->min_ts = b->ticks;
    b->kind = kind_of(f, b);
    v->wire[V2_BATCH]++;
    v->wire_bytes[V2_BATCH] += b->off - b->at;
    f->nbatches++;
    if (b->kind == V2B_EVENTS)
        read_events(f, b);
    else if (b->kind == V2B_SYNC)
        read_sync(f, g, b);
    if (b->kind != V2B_EVENTS) {
        static const uint8_t as[] = {[V2B_STRINGS] = V2_STRINGS,
            [V2B_STACKS] = V2_STACKS, [V2B_SAMPLES] = V2_CPU_SAMPLES,
            [V2B_SYNC] = V2_SYNC, [V2B_EXPERIMENT] = V2_EXPERIMENTAL_BATCH};

        v->wire[as[b->kind]]++;
        v->wire_bytes[as[b->kind]] += b->end - b->off;
    }
    v->batches[v->nbatches++] = *b;
    g->count++;
    return RT_OK;
}

static enum rt_status
end_gen(struct trace_file *f, const struct v2_batch *b)
{
    struct v2_gen *g = current(f);

    if (f->version < 26)
        trace_file_problem(f, TRACE_ERROR, b->at, "event-version",
            "EndOfGeneration is not in version 1.%d", f->version);
    else if (g == NULL || g->end != 0)
        trace_file_problem(f, TRACE_ERROR, b->at, "generation",
            "a generation without batches ends");
    else
        return finish_gen(f, b->end, true);
    f->cut_at = b->at;
    return RT_EFORMAT;
}

static void
cut(struct trace_file *f, uint64_t at, int how, const char *why)
{
    f->cut_at = at;
    if (how < 0)
        trace_file_problem(f, TRACE_ERROR, at, "record", "%s", why);
    else
        trace_file_problem(f, TRACE_WARNING, at, "cut", "the file ends "
            "within a batch: %llu of %llu bytes are readable", (ull)at,
            (ull)f->size);
}

enum rt_status
v2_index(struct trace_file *f)
{
    enum rt_status st = RT_OK;
    struct v2_batch b;
    uint64_t at = TRACE_HEADER;
    char why[WHY];
    int how;

    f->v2 = calloc(1, sizeof *f->v2);
    if (f->v2 == NULL)
        return RT_ENOMEM;
    f->v2->seed = rt_hash_seed(f);
    while (at < f->size && st == RT_OK) {
        how = v2_batch(f, at, &b, why);
        if (how <= 0) {
            cut(f, at, how, why);
            break;
        }
        rt_assert(b.end > at);
        at = b.end;
        st = how == 2 ? end_gen(f, &b) : add_batch(f, &b);
        trace_file_window(f, at);
    }
    if (st == RT_ENOMEM)
        return st;
    if (f->v2->ngens > 0 && current(f)->end == 0) {
        bool whole = f->version < 26 && f->cut_at == UINT64_MAX;

        if (f->version >= 26 && f->cut_at == UINT64_MAX) {
            f->cut_at = f->size;
            trace_file_problem(f, TRACE_WARNING, f->size, "cut", "the last "
                "generation has no end: Go's reader leaves it out");
        }
        st = finish_gen(f, f->cut_at == UINT64_MAX ? f->size : f->cut_at,
            whole);
    } else {
        st = RT_OK;
    }
    if (f->v2->ngens > 0) {
        const struct v2_gen *g = &f->v2->gens[0];

        f->freq = (double)g->freq;
        f->freq_known = g->freq_known;
        f->v2->t0 = v2_ns(g->mul, g->min_ts);
        if (f->v2->t0 == 0)
            f->v2->t0 = 1; /* no event of Go's reader is at 0 */
        f->min_ts = g->min_ts;
    }
    return st;
}

static bool
gens_valid(const struct trace_file *f)
{
    const struct v2_file *v = f->v2;
    uint64_t g, i, next = 0, off = TRACE_HEADER;

    for (g = 0; g < v->ngens; g++) {
        const struct v2_gen *x = &v->gens[g];

        if (x->first != next || x->count == 0 || x->off < off ||
            x->end > f->size || !(x->mul > 0))
            return false;
        next += x->count;
        for (i = x->first, off = x->off; i < next; i++) {
            const struct v2_batch *b = &v->batches[i];

            if (b->gen != x->gen || b->at < off || b->off <= b->at ||
                b->end < b->off || b->end > x->end || b->ticks < x->min_ts)
                return false;
            off = b->end;
        }
    }
    return next == v->nbatches && v->nbatches == f->nbatches &&
        v->nbatches <= v->batches_cap && v->ngens <= v->gens_cap;
}

bool
v2_file_valid(const struct trace_file *f)
{
    const struct v2_file *v = f->v2;
    uint64_t i, next = 0;

    if (v->strings_by_hash.count != f->nstrings ||
        v->stacks_by_hash.count != f->nstacks)
        return false;
    for (i = 0; i < f->nstacks; i++) {
        if (v->stacks[i].first != next || v->stacks[i].n > V2_MAX_FRAMES)
            return false;
        next += v->stacks[i].n;
    }
    for (i = 0; i < v->nframes; i++) {
        if (v->frames[i].func > f->nstrings || v->frames[i].file > f->nstrings)
            return false;
    }
    return next == v->nframes && gens_valid(f) &&
        trace_idmap_valid(&v->strings_by_hash) &&
        trace_idmap_valid(&v->stacks_by_hash);
}

void
v2_close(struct v2_file *v)
{
    if (v == NULL)
        return;
    free(v->batches);
    free(v->gens);
    free(v->frames);
    free(v->stacks);
    trace_idmap_free(&v->strings_by_hash);
    trace_idmap_free(&v->stacks_by_hash);
    free(v);
}
