/* SPDX-License-Identifier: MIT */
/*
 * From buffers to the bytes of the file; runs on the reader.
 *
 * A pass looks at the lists once and writes, in this order:
 *     the header, once;
 *     a batch without events that holds the tables, be they empty: new stacks,
 *     new strings, once the Frequency (at the start, not at the end where it
 *     would be more exact, so that a cut file has it);
 *     full buffers, which are batches already;
 *     of the buffers that Ps are still filling, what is published.
 * The tables precede the events that use them, so that a file that is cut
 * behind any batch can be analysed.  They need a batch around them because
 * Go's newer readers skip strings that stand before the first one.
 *
 * Note [consistent flush].  What the file has after a pass is closed under
 * causes: the tick T is taken in the same critical section as the lists, and
 * of all buffers only events up to T are taken.  If e1 caused e2 and e1 was
 * not yet published when its buffer was looked at, then e2 was stamped after
 * that, later than T, and is not taken either.  Where many full buffers wait,
 * T is less, so that a pass does not need memory for all of them: a cause has
 * a smaller tick than its effect, and all that is up to T is there.  An event
 * that bears a past time (Note [time] in writer.c) may miss the pass to which
 * it belongs by its tick, and comes with the next, as do its effects.
 *
 * A batch that continues a flushed buffer begins at the tick of the last
 * event before it; take_published() finds that tick by reading the events.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/record/trace_int.h"

enum {
    SYM_SLOTS = 4096,
    STACK_BODY_MAX = 2048 /* Go's newer readers refuse longer ones */
};

static const char HEADER[16] = "go 1.19 trace";

/* Direct-mapped: pc to string ids. */
struct trace_symcache {
    struct sym {
        vpc pc;
        uint32_t func, file, line;
    } slot[SYM_SLOTS];
};

/* ---- growable output */

uint8_t *
trace_out_room(struct trace_out *o, size_t n)
{
    size_t cap = o->cap == 0 ? 256 * 1024 : o->cap;
    uint8_t *p;

    if (o->cap - o->len >= n)
        return o->data + o->len;
    while (cap - o->len < n)
        cap *= 2;
    p = realloc(o->data, cap);
    if (p == NULL) {
        o->oom = true;
        return NULL;
    }
    rt_assert(o->len + n <= cap);
    o->data = p;
    o->cap = cap;
    return p + o->len;
}

void
trace_out_bytes(struct trace_out *o, const void *data, size_t n)
{
    uint8_t *p = trace_out_room(o, n);

    if (p == NULL)
        return;
    memcpy(p, data, n);
    o->len += n;
}

void
trace_out_header(struct trace_out *o)
{
    trace_out_bytes(o, HEADER, sizeof HEADER);
}

void
trace_out_batch(struct trace_out *o, int32_t id, uint64_t tick)
{
    uint8_t rec[TRACE_BATCH_MAX], *p = rec;

    *p++ = TRACE_EV_BATCH | 1 << 6;
    p = rt_varint_put(p, (uint64_t)(int64_t)id);
    p = rt_varint_put(p, tick);
    trace_out_bytes(o, rec, (size_t)(p - rec));
}

/* ---- tables */

struct trace_symcache *
trace_symcache_new(void)
{
    return calloc(1, sizeof(struct trace_symcache));
}

static const struct sym *
symbol(struct trace_rec *r, struct trace_symcache *syms, vpc pc)
{
    struct trace_state *s = r->s;
    struct sym *c = &syms->slot[(pc ^ pc >> 24) % SYM_SLOTS];
    struct trace_frame f = {0};
    char text[32];

    if (c->pc == pc)
        return c;
    c->pc = pc;
    if (r->host->symbolize(r->ctx, pc, &f)) {
        c->func = trace_strtab_put(&s->strings, f.func, f.func_len);
        c->file = trace_strtab_put(&s->strings, f.file, f.file_len);
        c->line = f.line;
    } else {
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)pc);
        c->func = trace_strtab_put(&s->strings, text, strlen(text));
        c->file = 0;
        c->line = 0;
    }
    return c;
}

/* A stack that would be too long loses frames before its root: viewers name
 * a goroutine after the root. */
void
trace_out_stack(struct trace_rec *r, struct trace_out *o,
    struct trace_symcache *syms, const struct trace_stack *st,
    void (*mark)(void *arg, uint32_t string), void *arg)
{
    uint8_t frames[STACK_BODY_MAX + 64], head[3 * RT_VARINT_MAX], *h = head;
    uint8_t *p = frames;
    uint32_t i, kept = 0;

    rt_assert(st->id != 0 && st->n > 0 && st->n <= TRACE_STACK_MAX);

    for (i = 0; i < st->n; i++) {
        const struct sym *c = symbol(r, syms, st->pcs[i]);

        if (i + 1 < st->n && p - frames > STACK_BODY_MAX - 100)
            continue;
        p = rt_varint_put(p, st->pcs[i]);
        p = rt_varint_put(p, c->func);
        p = rt_varint_put(p, c->file);
        p = rt_varint_put(p, c->line);
        kept++;
        if (mark != NULL) {
            mark(arg, c->func);
            mark(arg, c->file);
        }
    }
    rt_assert(kept > 0 && p <= frames + sizeof frames);
    *h++ = TRACE_EV_STACK | 3 << 6;
    h = rt_varint_put(h, (size_t)(p - frames) + rt_varint_size(st->id) +
        rt_varint_size(kept));
    h = rt_varint_put(h, st->id);
    h = rt_varint_put(h, kept);
    trace_out_bytes(o, head, (size_t)(h - head));
    trace_out_bytes(o, frames, (size_t)(p - frames));
}

void
trace_out_string(struct trace_out *o, const struct trace_str *st)
{
    uint8_t head[1 + 2 * RT_VARINT_MAX], *p = head;

    *p++ = TRACE_EV_STRING;
    p = rt_varint_put(p, st->id);
    p = rt_varint_put(p, st->len);
    trace_out_bytes(o, head, (size_t)(p - head));
    trace_out_bytes(o, st->text, st->len);
}

void
trace_out_frequency(struct trace_rec *r, struct trace_out *o)
{
    uint8_t rec[1 + RT_VARINT_MAX], *p = rec;

    *p++ = TRACE_EV_FREQUENCY;
    p = rt_varint_put(p, rt_ticks_per_sec(r->clock));
    trace_out_bytes(o, rec, (size_t)(p - rec));
}

static void
out_tables(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    const struct trace_stack *st;
    const struct trace_str *str;

    while ((st = trace_stacktab_next(&s->stacks, s->stack_done)) != NULL) {
        trace_out_stack(r, &s->out, s->syms, st, NULL, NULL);
        s->stack_done = st;
    }
    while ((str = trace_strtab_next(&s->strings, s->str_done)) != NULL) {
        trace_out_string(&s->out, str);
        s->str_done = str;
    }
    if (!s->freq_done) {
        trace_out_frequency(r, &s->out);
        s->freq_done = true;
    }
}

/* ---- events */

static const uint8_t *
take_varint(const uint8_t *p, uint64_t *v)
{
    return rt_varint_get(p, p + RT_VARINT_MAX, v);
}

/* Steps over one record of our own making and adds its time difference. */
static const uint8_t *
step(const uint8_t *p, uint64_t *tick)
{
    unsigned ev = *p & 0x3f, n = *p >> 6;
    const uint8_t *body;
    uint64_t v, len = 0;

    rt_assert(ev > TRACE_EV_STACK && ev < TRACE_EV_COUNT);
    p++;
    if (n == 3)
        p = take_varint(p, &len);
    body = p;
    p = take_varint(p, &v);
    *tick += v;
    if (n == 3) {
        p = body + len;
    } else {
        while (n-- > 0)
            p = take_varint(p, &v);
    }
    if (ev == TRACE_EV_USER_LOG) {
        p = take_varint(p, &len);
        p += len;
    }
    return p;
}

/* The end of the published events of t with ticks up to limit; updates
 * *tick, which becomes the tick at that end. */
static uint32_t
take_published(const struct trace_buf *t, uint64_t limit, uint64_t *tick)
{
    /* acq: pairs with the rel in publish(). */
    const uint8_t *end = t->data + a32_load_acq(&t->committed);
    const uint8_t *p = t->data + t->flushed;
    uint64_t v;

    rt_assert(p <= end);
    *tick = t->flushed_tick;
    if (p == end)
        return t->flushed;
    if (t->flushed == 0)
        p = take_varint(take_varint(p + 1, &v), tick);
    while (p < end) {
        uint64_t next = *tick;
        const uint8_t *q = step(p, &next);

        if (next > limit)
            break;
        *tick = next;
        p = q;
    }
    return (uint32_t)(p - t->data);
}

/* Writes [flushed, end) of t as a batch; tick is that of its last event. */
static void
out_events(struct trace_state *s, struct trace_buf *t, uint32_t end,
    uint64_t tick)
{
    uint64_t v, first = t->flushed_tick;

    rt_assert(end >= t->flushed && tick >= t->flushed_tick);
    rt_assert_full(trace_buf_valid(t));
    if (end == t->flushed)
        return;
    if (t->flushed == 0)
        take_varint(take_varint(t->data + 1, &v), &first);
    else
        trace_out_batch(&s->out, t->id, first);
    if (t->id == TRACE_GLOBAL_ID)
        s->table_tick = first;
    trace_out_bytes(&s->out, t->data + t->flushed, end - t->flushed);
    t->flushed = end;
    t->flushed_tick = tick;
}

/* What one pass has found. */
struct pass {
    struct trace_buf *cur; /* current buffers of Ps, by link */
    uint64_t limit;        /* tick up to which events are taken */
    bool ended;            /* phase DRAIN: nothing comes behind `taken` */
};

static void
take_full_locked(struct trace_state *s)
{
    rt_assert_held(&s->lock);
    rt_assert(s->taken == NULL || s->taken_tail->next == NULL);
    if (s->full == NULL)
        return;
    if (s->taken == NULL)
        s->taken = s->full;
    else
        s->taken_tail->next = s->full;
    s->taken_tail = s->full_tail;
    s->full = NULL;
    s->full_tail = NULL;
}

/* They stay what they are: only the reader frees buffers. */
static void
take_current_locked(struct trace_state *s, struct pass *ps)
{
    struct trace_pbuf *b;

    for (b = s->pbufs; b != NULL; b = b->next) {
        if (b->buf == NULL)
            continue;
        b->buf->link = ps->cur;
        ps->cur = b->buf;
    }
}

/* Where there is much, a pass ends with the end of a buffer. */
static void
set_limit(struct trace_state *s, struct pass *ps)
{
    const struct trace_buf *t = s->taken;
    int i;

    for (i = 1; i < TRACE_PASS_BUFS && t != NULL; i++)
        t = t->next;
    s->pending = t != NULL && t->next != NULL;
    if (s->pending && t->last < ps->limit)
        ps->limit = t->last;
}

static void
collect(struct trace_rec *r, struct pass *ps, bool all)
{
    struct trace_state *s = r->s;

    rt_lock(&s->lock);
    take_full_locked(s);
    if ((all || s->taken != NULL) && s->phase == TRACE_ON)
        take_current_locked(s, ps);
    ps->ended = s->phase == TRACE_DRAIN;
    /* The last ticks may lie ahead of the clock, far so if it is virtual. */
    ps->limit = ps->ended ? UINT64_MAX : trace_ticks(r);
    rt_unlock(&s->lock);
    set_limit(s, ps);
}

/* Memory is out: what this pass has is not whole, and nothing may follow.
 * The file ends with the pass before, which is consistent. */
static void
give_up(struct trace_rec *r)
{
    struct rt_err e;

    r->s->out.len = 0;
    rt_errf(&e, RT_ENOMEM, UINT64_MAX,
        "trace cut: out of memory for the output");
    trace_cut(r, &e);
}

/* Writes what t has up to the limit.  True: it had no more. */
static bool
out_upto(struct trace_state *s, struct trace_buf *t, uint64_t limit)
{
    uint32_t all = a32_load_acq(&t->committed), end;
    uint64_t tick;

    end = take_published(t, limit, &tick);
    out_events(s, t, end, tick);
    return end == all;
}

static void
write_pass(struct trace_rec *r, struct pass *ps)
{
    struct trace_state *s = r->s;
    struct trace_buf *t, *next, **at = &s->taken, *last = NULL;
    struct trace_out *o = &s->out;
    size_t empty;

    /* A pass begins with this batch, even if it is of nothing: readers know by
     * it what was to come where a process was killed. */
    trace_out_batch(o, TRACE_GLOBAL_ID, s->table_tick);
    empty = o->len;
    if (!o->oom)
        out_tables(r);
    for (t = s->taken; t != NULL; t = next) {
        bool done = s->out.oom;

        next = t->next;
        if (!done && t->last <= ps->limit) {
            out_events(s, t, a32_load_acq(&t->committed), t->last);
            done = true;
        } else if (!done) {
            done = out_upto(s, t, ps->limit);
        }
        if (done) {
            *at = next;
            trace_buf_recycle(s, t);
        } else {
            at = &t->next;
            last = t;
        }
    }
    s->taken_tail = last;
    for (t = ps->cur; t != NULL && !o->oom; t = t->link)
        out_upto(s, t, ps->limit);
    if (o->len == empty)
        o->len = 0;
}

bool
trace_drain_pass(struct trace_rec *r, bool all)
{
    struct trace_state *s = r->s;
    struct pass ps = {0};

    rt_assert(s->syms != NULL);
    s->out.len = 0;
    if (!s->header_done) {
        trace_out_header(&s->out);
        s->header_done = true;
        s->pending = true;
        if (s->out.oom)
            give_up(r);
        return true;
    }
    collect(r, &ps, all);
    write_pass(r, &ps);
    if (s->out.oom)
        give_up(r);
    a64_add_rlx(&s->bytes, s->out.len);
    if (!ps.ended)
        return true;
    /* Nobody kicks the reader of a trace that has ended: one more pass must
     * come at once, if only to see that nothing is left. */
    rt_assert(ps.cur == NULL);
    s->pending = true;
    return s->taken != NULL || s->out.len > 0;
}

/* ---- to the file ----------------------------------------------------------- */

/*
 * Note [a pass is written whole].  A part of a pass would hold effects without
 * their causes, and a process can be killed in the middle of a write.  So the
 * first byte of a pass follows when all others are in the file: until then a
 * zero stands where it belongs, which begins no record; readers know what
 * follows it for the batch of the tables, and take that for the end.  If the file does not take all of it, it is cut back.  Neither
 * can be done with a pipe, or where others may write to the file, too.
 */
static bool
is_ours(int fd, off_t *start)
{
    int flags = fcntl(fd, F_GETFL);
    struct stat st;

    *start = lseek(fd, 0, SEEK_CUR);
    return *start >= 0 && fd > STDERR_FILENO && flags >= 0 &&
        (flags & O_APPEND) == 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static bool
write_all(int fd, const uint8_t *p, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, p, n);

        if (k < 0 && errno != EINTR)
            return false;
        if (k > 0) {
            p += k;
            n -= (size_t)k;
        }
    }
    return true;
}

static bool
put_first(int fd, const uint8_t *p, off_t at)
{
    ssize_t k;

    do
        k = pwrite(fd, p, 1, at);
    while (k != 1 && errno == EINTR);
    return k == 1;
}

bool
trace_drain_write(struct trace_state *s, struct rt_err *e)
{
    const struct trace_out *o = &s->out;
    int fd = s->cfg.fd;
    off_t start;
    bool ours = is_ours(fd, &start);

    rt_assert(fd >= 0 && o->len > 0 && !o->oom && o->data[0] != 0);
    if (ours ? lseek(fd, start + 1, SEEK_SET) > 0 &&
        write_all(fd, o->data + 1, o->len - 1) &&
        put_first(fd, o->data, start) : write_all(fd, o->data, o->len))
        return true;
    rt_err_os(e, errno, "trace cut: write");
    if (ours && ftruncate(fd, start) != 0)
        errno = 0; /* then the file ends where the pass begins */
    return false;
}

bool
trace_drain_open(struct trace_rec *r)
{
    struct trace_state *s = r->s;

    s->syms = trace_symcache_new();
    s->header_done = false;
    s->freq_done = false;
    s->told = false;
    s->pending = false;
    s->stack_done = NULL;
    s->str_done = NULL;
    s->start_tick = trace_ticks(r);
    s->table_tick = s->start_tick;
    return s->syms != NULL;
}

void
trace_drain_free(struct trace_state *s)
{
    free(s->out.data);
    memset(&s->out, 0, sizeof s->out);
    free(s->syms);
    s->syms = NULL;
}
