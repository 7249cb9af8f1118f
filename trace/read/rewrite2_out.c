/* SPDX-License-Identifier: MIT */
/* The new file of trace/read/rewrite2.c: batches, strings, stacks. */
#include "trace/read/rewrite2_int.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

/* ---- tables */

struct gor *
rw2_gor(struct writer *w, uint64_t id)
{
    int64_t i = trace_idmap_row(&w->gmap, id, &w->gs, &w->gs_cap, sizeof *w->gs,
        NULL);

    if (i < 0) {
        w->nomem = true;
        return NULL;
    }
    w->gs[i].id = id;
    return &w->gs[i];
}

struct proc *
rw2_proc(struct writer *w, int64_t id)
{
    int64_t i = trace_idmap_row(&w->pmap, (uint64_t)id, &w->ps, &w->ps_cap,
        sizeof *w->ps, NULL);

    if (i < 0) {
        w->nomem = true;
        return NULL;
    }
    w->ps[i].id = id;
    return &w->ps[i];
}

struct thread *
rw2_thread(struct writer *w, uint64_t id)
{
    int64_t i = trace_idmap_row(&w->mmap, id, &w->ms, &w->ms_cap, sizeof *w->ms,
        NULL);

    if (i < 0) {
        w->nomem = true;
        return NULL;
    }
    rt_assert(w->ms[i].n <= BUF);
    w->ms[i].id = id;
    return &w->ms[i];
}

/* For what happens on no P. */
struct thread *
rw2_outside(struct writer *w)
{
    return rw2_thread(w, OUTSIDE);
}

uint64_t
rw2_string(struct writer *w, struct trace_text t)
{
    uint64_t h;
    bool fresh;
    int64_t i;

    if (t.len == 0)
        return 0;
    if (t.len > V2_MAX_STRING)
        t.len = V2_MAX_STRING;
    h = rt_hash_foreign(t.s, t.len, w->seed);
    /* Of two texts with one hash, the later one goes by the next. */
    for (;; h++) {
        i = trace_idmap_row(&w->strmap, h, &w->strs, &w->strs_cap,
            sizeof *w->strs, &fresh);
        if (i < 0) {
            w->nomem = true;
            return 0;
        }
        if (fresh)
            w->strs[i] = t;
        if (fresh || (w->strs[i].len == t.len &&
            memcmp(w->strs[i].s, t.s, t.len) == 0))
            return (uint64_t)i + 1;
    }
}

uint64_t
rw2_words(struct writer *w, const char *s)
{
    return rw2_string(w, (struct trace_text){s, (uint32_t)strlen(s)});
}

uint64_t
rw2_stack(struct writer *w, uint64_t src, enum frames frames)
{
    bool fresh;
    int64_t i;

    if (!w->writing || !trace_file_has_stack(w->f, src))
        return 0;
    i = trace_idmap_put(&w->stkmap[frames], src, &fresh);
    if (i < 0 || !trace_grow(&w->stks, &w->stks_cap, w->nstks,
            sizeof *w->stks)) {
        w->nomem = true;
        return 0;
    }
    if (fresh) {
        w->stks[w->nstks].src = src;
        w->stks[w->nstks++].frames = (uint8_t)frames;
    }
    return (uint64_t)i * NFRAMES + frames + 1;
}

/* ---- bytes */

void
rw2_put(struct writer *w, const void *data, size_t n)
{
    if (!w->failed && n > 0 && !w->how->put(w->how->arg, data, n))
        w->failed = true;
    w->how->bytes += n;
}

static void
put_batch(struct writer *w, uint64_t m, uint64_t tick, const uint8_t *body,
    uint64_t n)
{
    uint8_t head[1 + 4 * RT_VARINT_MAX], *q = head;

    *q++ = V2_BATCH;
    q = rt_varint_put(q, GEN);
    q = rt_varint_put(q, m);
    q = rt_varint_put(q, tick);
    q = rt_varint_put(q, n);
    rw2_put(w, head, (size_t)(q - head));
    rw2_put(w, body, n);
}

void
rw2_flush(struct writer *w, struct thread *m)
{
    if (m->n > 0)
        put_batch(w, m->id, m->begin, m->buf, m->n);
    m->n = 0;
}

bool
rw2_make_room(struct writer *w, struct thread *m)
{
    if (m->buf == NULL && (m->buf = malloc(BUF)) == NULL)
        w->nomem = true;
    else if (m->n + ROOM > BUF)
        rw2_flush(w, m);
    return !w->nomem;
}

void
rw2_emit_at(struct writer *w, struct thread *m, uint64_t tick, unsigned type,
    unsigned n, const uint64_t *v)
{
    uint8_t *q;
    unsigned i;

    if (!w->writing || m == NULL || !rw2_make_room(w, m))
        return;
    if (tick < m->last)
        tick = m->last;
    if (m->n == 0)
        m->begin = m->last = tick;
    rt_assert(m->n + ROOM <= BUF && m->begin <= m->last && n < V2_MAX_ARGS);
    rt_assert(n + 1 == v2_nargs[type]);
    q = m->buf + m->n;
    *q++ = (uint8_t)type;
    q = rt_varint_put(q, tick - m->last);
    for (i = 0; i < n; i++)
        q = rt_varint_put(q, v[i]);
    m->n = (uint32_t)(q - m->buf);
    m->last = tick;
    w->how->events++;
}

struct thread *
rw2_thread_of(struct writer *w, const struct proc *p)
{
    rt_assert(p->m <= w->mmap.count);
    return p->m == 0 ? NULL : &w->ms[p->m - 1];
}

static inline bool
runs(const struct proc *p)
{
    return p->m != 0 && p->g != 0;
}

void
rw2_see_running(struct writer *w, struct proc *p)
{
    uint32_t last;

    if (p->id < 0 || runs(p) == (p->place != 0))
        return; /* what is on no P never runs one */
    if (!runs(p)) {
        rt_assert(p->place <= w->nrunning);
        last = w->running[--w->nrunning];
        w->running[p->place - 1] = last;
        w->ps[last].place = p->place;
        p->place = 0;
        return;
    }
    if (!trace_grow(&w->running, &w->running_cap, w->nrunning,
            sizeof *w->running)) {
        w->nomem = true;
        return;
    }
    w->running[w->nrunning++] = (uint32_t)(p - w->ps);
    p->place = (uint32_t)w->nrunning;
}

/* For events that need a P which runs a goroutine, where their own does not. */
struct proc *
rw2_some_running(struct writer *w, struct proc *p)
{
    struct proc *r;

    if (runs(p) || w->nrunning == 0)
        return runs(p) ? p : NULL;
    r = &w->ps[w->running[0]];
    rt_assert(r->place == 1 && runs(r));
    return r;
}

/* ---- tables of the generation */

struct table {
    struct writer *w;
    uint8_t *buf;
    uint32_t n;
    uint8_t type;
};

static void
end_table(struct table *t)
{
    if (t->n > 1)
        put_batch(t->w, NONE, TICK0, t->buf, t->n);
    t->buf[0] = t->type;
    t->n = 1;
}

static uint8_t *
table_room(struct table *t, uint32_t n)
{
    rt_assert(n < V2_MAX_BATCH && t->n <= V2_MAX_BATCH);
    if (t->n + n > V2_MAX_BATCH)
        end_table(t);
    return t->buf + t->n;
}

static void
put_stack(struct table *t, uint64_t id, const struct stack *s,
    struct trace_rframe *fr)
{
    uint32_t n = trace_file_stack(t->w->f, s->src, fr, TRACE_MAX_FRAMES), i;
    uint32_t keep = n < V2_MAX_FRAMES ? n : V2_MAX_FRAMES;
    uint8_t *q = table_room(t, (2 + 4 * V2_MAX_FRAMES) * RT_VARINT_MAX);

    rt_assert(n > 0 && n <= TRACE_MAX_FRAMES);
    if (s->frames == LEAF)
        keep = n = 1;
    *q++ = V2_STACK;
    q = rt_varint_put(q, id);
    q = rt_varint_put(q, keep);
    for (i = 0; i < keep; i++) {
        /* Where some are too many, the root stays. */
        const struct trace_rframe *k = &fr[i + 1 == keep ? n - 1 : i];

        q = rt_varint_put(q, k->pc);
        q = rt_varint_put(q, rw2_string(t->w, k->func));
        q = rt_varint_put(q, rw2_string(t->w, k->file));
        q = rt_varint_put(q, k->line);
    }
    t->n = (uint32_t)(q - t->buf);
}

static void
put_string(struct table *t, uint64_t id, struct trace_text s)
{
    uint8_t *q = table_room(t, 1 + 2 * RT_VARINT_MAX + s.len);

    *q++ = V2_STRING;
    q = rt_varint_put(q, id);
    q = rt_varint_put(q, s.len);
    memcpy(q, s.s, s.len);
    t->n = (uint32_t)(q + s.len - t->buf);
}

void
rw2_put_tables(struct writer *w)
{
    struct trace_rframe *fr = malloc(TRACE_MAX_FRAMES * sizeof *fr);
    struct table t = {w, malloc(V2_MAX_BATCH), 0, V2_STACKS};
    uint64_t i, next[NFRAMES] = {0};
    uint8_t freq[1 + RT_VARINT_MAX] = {V2_FREQUENCY};

    w->nomem |= fr == NULL || t.buf == NULL;
    if (!w->nomem) {
        put_batch(w, NONE, TICK0, freq,
            (uint64_t)(rt_varint_put(freq + 1, 1000000000) - freq));
        end_table(&t);
        for (i = 0; i < w->nstks; i++) {
            uint8_t k = w->stks[i].frames;

            put_stack(&t, next[k]++ * NFRAMES + k + 1, &w->stks[i], fr);
        }
        t.type = V2_STRINGS;
        end_table(&t);
        for (i = 0; i < w->strmap.count; i++)
            put_string(&t, i + 1, w->strs[i]);
        end_table(&t);
    }
    free(fr);
    free(t.buf);
}
