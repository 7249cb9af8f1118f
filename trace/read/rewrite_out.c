/* SPDX-License-Identifier: MIT */
/* The new file of trace/read/rewrite.c: batches, strings, stacks. */
#include "trace/read/rewrite_int.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/base/varint.h"

/* ---- tables */

struct gor *
rw_gor(struct rewriter *w, uint64_t id)
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
rw_proc(struct rewriter *w, int64_t id)
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

uint64_t
rw_string(struct rewriter *w, struct trace_text t)
{
    bool fresh;
    int64_t i;

    if (t.len == 0)
        return 0;
    /* Equal texts of a file may be two; one text is at one place. */
    i = trace_idmap_row(&w->strmap, (uint64_t)(uintptr_t)t.s, &w->strs,
        &w->strs_cap, sizeof *w->strs, &fresh);
    if (i < 0) {
        w->nomem = true;
        return 0;
    }
    if (fresh) {
        w->strs[i] = t;
        w->nstrs++;
    }
    return (uint64_t)i + 1;
}

uint64_t
rw_stack(struct rewriter *w, uint64_t src, enum frames frames)
{
    bool fresh;
    int64_t i;

    if (frames != UNKNOWN && !trace_file_has_stack(w->f, src))
        return 0;
    i = trace_idmap_put(&w->stkmap[frames], src, &fresh);
    if (i < 0 || !trace_grow(&w->stks, &w->stks_cap, w->nstks + 1,
            sizeof *w->stks)) {
        w->nomem = true;
        return 0;
    }
    if (fresh) {
        /* The map gives its own index; ids count over all four maps. */
        w->stks[w->nstks].src = src;
        w->stks[w->nstks++].frames = (uint8_t)frames;
    }
    return (uint64_t)i * NFRAMES + frames + 1;
}

/* The stack that names a goroutine: one frame, the same for equal ones. */
uint64_t
rw_entry_of(struct rewriter *w, const struct gor *g)
{
    struct trace_rframe fr[TRACE_MAX_FRAMES];
    uint32_t n;

    if (trace_file_stack(w->f, g->entry, fr, 1) > 0 && fr[0].pc != 0)
        return rw_stack(w, g->entry, LEAF);
    n = trace_file_stack(w->f, g->first, fr, TRACE_MAX_FRAMES);
    if (n > 0 && n <= TRACE_MAX_FRAMES && fr[n - 1].pc != 0)
        return rw_stack(w, g->first, ROOT);
    return rw_stack(w, 0, UNKNOWN);
}

/* ---- bytes */

void
rw_put(struct rewriter *w, const void *data, size_t n)
{
    if (!w->failed && n > 0 && !w->how->put(w->how->arg, data, n))
        w->failed = true;
    w->how->bytes += n;
}

void
rw_flush(struct rewriter *w, struct proc *p)
{
    uint8_t head[1 + 2 * RT_VARINT_MAX], *q = head;

    if (p->n == 0)
        return;
    *q++ = TRACE_EV_BATCH | 1 << 6;
    q = rt_varint_put(q, (uint64_t)p->id);
    q = rt_varint_put(q, p->begin);
    rw_put(w, head, (size_t)(q - head));
    rw_put(w, p->buf, p->n);
    p->n = 0;
}

/* A record with its values, the time difference first. */
uint8_t *
rw_encode(uint8_t *q, unsigned type, const uint64_t *v, unsigned n)
{
    uint8_t *at = q++;
    unsigned i;
    size_t len = 0;

    rt_assert(n > 0 && type < TRACE_EV_COUNT);
    for (i = 0; i < n; i++)
        len += rt_varint_size(v[i]);
    *at = (uint8_t)(type | (n > 3 ? 3u : n - 1) << 6);
    if (n > 3)
        q = rt_varint_put(q, len);
    for (i = 0; i < n; i++)
        q = rt_varint_put(q, v[i]);
    return q;
}

static void
record_at(struct rewriter *w, struct proc *p, uint64_t tick, unsigned type,
    const uint64_t *vals, unsigned n)
{
    uint64_t v[8] = {0};

    if (p->buf == NULL && (p->buf = malloc(BUF)) == NULL) {
        w->nomem = true;
        return;
    }
    rt_assert(p->n <= BUF && n + 1 <= sizeof v / sizeof *v);
    if (p->n + ROOM > BUF)
        rw_flush(w, p);
    if (tick < p->last)
        tick = p->last;
    if (p->n == 0)
        p->begin = p->last = tick;
    rt_assert(p->begin <= p->last && p->last <= tick);
    v[0] = tick - p->last;
    if (n > 0)
        memcpy(v + 1, vals, n * sizeof *vals);
    p->last = tick;
    p->n = (uint32_t)(rw_encode(p->buf + p->n, type, v, n + 1) - p->buf);
    w->how->events++;
}

/* A start waits for the label that may follow it. */
void
rw_settle(struct rewriter *w, struct proc *p, uint64_t label)
{
    uint64_t v[3] = {p->start_g, p->start_seq, label};

    if (p->start_g == 0)
        return;
    p->start_g = 0;
    record_at(w, p, p->start_tick, label != 0 ? TRACE_EV_GO_START_LABEL :
        TRACE_EV_GO_START, v, label != 0 ? 3 : 2);
}

void
rw_record(struct rewriter *w, struct proc *p, unsigned type,
    const uint64_t *vals, unsigned n)
{
    if (!w->writing)
        return;
    rw_settle(w, p, 0);
    record_at(w, p, w->tick, type, vals, n);
}

void
rw_record0(struct rewriter *w, struct proc *p, unsigned type)
{
    rw_record(w, p, type, NULL, 0);
}

void
rw_record1(struct rewriter *w, struct proc *p, unsigned type, uint64_t v)
{
    rw_record(w, p, type, &v, 1);
}

/* ---- tables of the new file */

static uint8_t *
put_frame(struct rewriter *w, uint8_t *q, const struct trace_rframe *fr)
{
    q = rt_varint_put(q, fr->pc);
    q = rt_varint_put(q, rw_string(w, fr->func));
    q = rt_varint_put(q, rw_string(w, fr->file));
    return rt_varint_put(q, fr->line);
}

static void
put_stack(struct rewriter *w, uint64_t id, const struct stack *s,
    struct trace_rframe *fr, uint8_t *buf)
{
    static const struct trace_rframe unknown = {.pc = 1};
    uint32_t n = trace_file_stack(w->f, s->src, fr, TRACE_MAX_FRAMES), i;
    uint32_t lead, first = 0;
    uint8_t head[2 + 2 * RT_VARINT_MAX], idn[2 * RT_VARINT_MAX], *q, *r;

    rt_assert(n <= TRACE_MAX_FRAMES && (n > 0 || s->frames == WHOLE ||
        s->frames == UNKNOWN));
    if (s->frames == UNKNOWN) {
        fr[0] = unknown;
        fr[0].func.s = "?";
        fr[0].func.len = 1;
        n = 1;
    } else if (s->frames == ROOT) {
        first = n - 1;
    }
    if (s->frames == LEAF)
        n = 1;
    /* Too long a record is refused: frames in the middle go, the root, which
     * names the goroutine, stays. */
    for (lead = n - first; ; lead = lead * 3 / 4) {
        q = buf;
        for (i = 0; i < lead; i++)
            q = put_frame(w, q, i + 1 == lead ? &fr[n - 1] : &fr[first + i]);
        if (q - buf <= MAX_BODY || lead <= 1)
            break;
    }
    r = rt_varint_put(rt_varint_put(idn, id), lead);
    head[0] = TRACE_EV_STACK | 3 << 6;
    i = (uint32_t)(rt_varint_put(head + 1, (uint64_t)(r - idn) +
        (uint64_t)(q - buf)) - head);
    rw_put(w, head, i);
    rw_put(w, idn, (size_t)(r - idn));
    rw_put(w, buf, (size_t)(q - buf));
}

void
rw_put_tables(struct rewriter *w)
{
    struct trace_rframe *fr = malloc(TRACE_MAX_FRAMES * sizeof *fr);
    uint8_t *buf = malloc(TRACE_MAX_FRAMES * 4 * RT_VARINT_MAX);
    uint64_t i, next[NFRAMES] = {0}, freq = 1000000000;
    uint8_t head[1 + 2 * RT_VARINT_MAX], *q;

    if (fr == NULL || buf == NULL) {
        w->nomem = true;
        goto out;
    }
    q = rw_encode(head, TRACE_EV_FREQUENCY, &freq, 1);
    rw_put(w, head, (size_t)(q - head));
    for (i = 0; i < w->nstks; i++) {
        uint8_t k = w->stks[i].frames;

        put_stack(w, next[k]++ * NFRAMES + k + 1, &w->stks[i], fr, buf);
    }
    for (i = 0; i < w->nstrs; i++) {
        head[0] = TRACE_EV_STRING;
        q = rt_varint_put(head + 1, i + 1);
        q = rt_varint_put(q, w->strs[i].len);
        rw_put(w, head, (size_t)(q - head));
        rw_put(w, w->strs[i].s, w->strs[i].len);
    }
out:
    free(fr);
    free(buf);
}
