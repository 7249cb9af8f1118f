/* SPDX-License-Identifier: MIT */
/*
 * Start, stop and read.  Both ends of a trace happen with the world stopped,
 * which excludes emitters that own a P; the others test `on` under
 * TRACE_GLOBAL, under which it rises and falls.  So an emitter that sees
 * `on` = 1 may rely on it until its event is written (but see Note [cut] in
 * buf.c).  During the snapshot `on` is 0 and everybody else keeps out.
 *
 * Who frees what a trace has used: the last one that needs it.  With a file
 * that is trace_stop(), once the thread has ended; without one it is
 * trace_read(), when it has returned the last piece.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/futex.h"
#include "trace/record/trace_int.h"

static const int64_t NS_PER_MS = 1000 * 1000;

void
trace_set_phase_locked(struct trace_state *s, enum trace_phase to)
{
    rt_assert_held(&s->lock);
    rt_assert((s->phase + 1) % 3 == to || to == TRACE_OFF);
    rt_assert(to != TRACE_ON || (s->full == NULL && s->taken == NULL));
    rt_assert(to != TRACE_OFF || (s->nfull == 0 && s->taken == NULL));
    s->phase = to;
}

static void
attach_locked(struct trace_state *s, struct trace_pbuf *b, int32_t id)
{
    rt_assert(id >= TRACE_GLOBAL_ID);
    memset(b, 0, sizeof *b);
    b->id = id;
    b->next = s->pbufs;
    s->pbufs = b;
}

enum rt_status
trace_rec_init(struct trace_rec *r, const struct trace_host *host, void *ctx,
    const struct rt_clock *clock)
{
    struct trace_state *s = calloc(1, sizeof *s);

    memset(r, 0, sizeof *r);
    if (s == NULL)
        return RT_ENOMEM;
    r->host = host;
    r->ctx = ctx;
    r->clock = clock;
    r->max_stack = TRACE_STACK_DEFAULT;
    r->classes = TRACE_C_ALL;
    r->s = s;
    rt_lock_init(&s->ctl, RANK_TRACE_CTL);
    rt_lock_init(&s->global_lock, RANK_TRACE_GLOBAL);
    rt_lock_init(&s->lock, RANK_TRACE_BUF);
    trace_stacktab_init(&s->stacks);
    trace_strtab_init(&s->strings);
    attach_locked(s, &s->global, TRACE_GLOBAL_ID);
    attach_locked(s, &s->cpu, 0);
    return RT_OK;
}

void
trace_pbuf_init(struct trace_rec *r, struct trace_pbuf *b, int32_t id)
{
    rt_lock(&r->s->lock);
    attach_locked(r->s, b, id);
    rt_unlock(&r->s->lock);
}

void
trace_pbuf_fini(struct trace_rec *r, struct trace_pbuf *b)
{
    struct trace_state *s = r->s;
    struct trace_pbuf **at;
    int i;

    if (s == NULL)
        return;
    trace_buf_hand_in(r, b);
    rt_lock(&s->lock);
    for (at = &s->pbufs; *at != NULL; at = &(*at)->next) {
        if (*at == b) {
            *at = b->next;
            break;
        }
    }
    for (i = 0; i < TRACE_EV_COUNT; i++)
        s->retired[i] += a64_load_rlx(&b->count[i]);
    rt_unlock(&s->lock);
    free(b->paths);
    b->paths = NULL;
}

struct trace_pbuf *
trace_global(struct trace_rec *r)
{
    return &r->s->global;
}

bool
trace_classes(const char *text, uint32_t *classes)
{
    static const struct {
        const char *name;
        uint32_t class;
    } names[] = {{"all", TRACE_C_ALL}, {"stack", TRACE_C_STACK},
        {"syscall", TRACE_C_SYSCALL}, {"gc", TRACE_C_GC},
        {"sweep", TRACE_C_SWEEP}, {"heap", TRACE_C_HEAP},
        {"user", TRACE_C_USER}, {"cpu", TRACE_C_CPU}, {"go", TRACE_C_GO}};
    const size_t count = sizeof names / sizeof *names;
    size_t i, n;

    *classes = *text == '-' ? TRACE_C_ALL : 0;
    do {
        bool minus = *text == '-';

        text += minus;
        n = strcspn(text, ",");
        for (i = 0; i < count; i++) {
            if (strlen(names[i].name) == n &&
                memcmp(names[i].name, text, n) == 0)
                break;
        }
        if (i == count)
            return false;
        if (minus)
            *classes &= ~names[i].class;
        else
            *classes |= names[i].class;
        *classes |= TRACE_C_GO;
        text += n;
    } while (*text++ == ',');
    return true;
}

/* ---- the counters */

static void
sum_stats_locked(struct trace_state *s, struct trace_stats *st)
{
    struct trace_pbuf *b;
    int i;

    memset(st, 0, sizeof *st);
    memcpy(st->count, s->retired, sizeof st->count);
    for (b = s->pbufs; b != NULL; b = b->next) {
        for (i = 0; i < TRACE_EV_COUNT; i++)
            st->count[i] += a64_load_rlx(&b->count[i]);
    }
    for (i = 0; i < TRACE_EV_COUNT; i++)
        st->events += st->count[i];
    st->waits = s->waits;
}

/* What can be said at any time. */
static void
live_stats_locked(struct trace_state *s, struct trace_stats *st)
{
    st->bytes = a64_load_rlx(&s->bytes);
    if (s->users > 0) {
        st->stacks = a32_load_rlx(&s->stacks.count);
        st->stacks_lost = a64_load_rlx(&s->stacks.lost);
        st->strings = a32_load_rlx(&s->strings.count);
    }
    rt_lock(&s->strings.lock);
    st->memory = s->strings.bytes;
    rt_unlock(&s->strings.lock);
    rt_lock(&s->stacks.lock);
    st->memory += s->stacks.bytes;
    rt_unlock(&s->stacks.lock);
    st->memory += s->nbufs * sizeof(struct trace_buf) +
        trace_flight_memory_locked(s);
    trace_flight_stats_locked(s, st);
}

void
trace_get_stats(struct trace_rec *r, struct trace_stats *st)
{
    struct trace_state *s = r->s;

    rt_lock(&s->lock);
    if (s->phase == TRACE_ON)
        sum_stats_locked(s, st);
    else
        *st = s->last;
    if (s->phase != TRACE_OFF || s->users > 0)
        live_stats_locked(s, st);
    rt_unlock(&s->lock);
}

/* ---- the reader thread */

/* Tells the host, once, that the trace has been cut. */
static void
tell(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    struct rt_err e;
    bool failed;

    rt_lock(&s->lock);
    failed = s->failed && !s->told;
    if (failed) {
        s->told = true;
        e = s->err;
    }
    rt_unlock(&s->lock);
    if (failed && r->host->failed != NULL)
        r->host->failed(r->ctx, &e);
}

static bool stop_stw(struct trace_rec *r);

/* The file has the size that it may have: ends the trace as trace_stop()
 * does, which later only cleans up.  Whoever waits for room in a buffer does
 * so with a P: `closing` lets him go on, before the world is stopped. */
static void
end_at_limit(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    bool mine;

    rt_lock(&s->lock);
    s->closing = true;
    rt_unlock(&s->lock);
    rt_assert(s->cfg.max_bytes > 0);
    trace_kick(&s->space);
    r->host->stop_world(r->ctx, TRACE_STW_STOP);
    mine = stop_stw(r);
    if (mine)
        s->early = true;
    r->host->start_world(r->ctx);
    if (mine && r->host->limited != NULL)
        r->host->limited(r->ctx, s->cfg.max_bytes);
}

/* Streams to the file until the trace has ended or the file fails. */
/*
 * With a virtual clock nothing is written before the trace has ended, or has
 * filled its buffers: how the events are cut into pieces would depend on the
 * speed of this thread, and a trace is to be the same to the byte each time.
 */
static void
await_all(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    bool wait = r->clock->virtual_ns != NULL;

    while (wait) {
        uint32_t seen = a32_load_acq(&s->wake);

        rt_lock(&s->lock);
        wait = s->phase == TRACE_ON && !s->failed &&
            s->nfull < s->max_full;
        rt_unlock(&s->lock);
        if (wait)
            rt_futex_wait(&s->wake, seen, s->cfg.flush_ms * NS_PER_MS);
    }
}

static void *
stream(void *arg)
{
    struct trace_rec *r = arg;
    struct trace_state *s = r->s;
    struct rt_err e;
    uint32_t seen;
    bool limited = s->cfg.max_bytes == 0;

    for (;;) {
        await_all(r);
        seen = a32_load_acq(&s->wake);
        if (!trace_drain_pass(r, true))
            break;
        if (s->out.len > 0 && !trace_drain_write(s, &e)) {
            trace_cut(r, &e);
            tell(r);
            break;
        }
        tell(r);
        if (!limited && a64_load_rlx(&s->bytes) >= s->cfg.max_bytes) {
            limited = true;
            end_at_limit(r);
        } else if (!s->pending)
            rt_futex_wait(&s->wake, seen, s->cfg.flush_ms * NS_PER_MS);
    }
    tell(r);
    return NULL;
}

/* No signal of the program is ever delivered to the reader thread; SIGPIPE
 * stays pending there and does nothing. */
static bool
reader_start_thread(struct trace_rec *r)
{
    sigset_t all, old;
    int err;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    err = pthread_create(&r->s->thread, NULL, stream, r);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    r->s->has_thread = err == 0;
    return err == 0;
}

/* ---- start */

void
trace_reset_pbuf(struct trace_pbuf *b, bool counts)
{
    int i;

    rt_assert(b->buf == NULL);
    b->pos = NULL;
    b->end = NULL;
    b->last = 0;
    b->goid = 0;
    b->proc_started = false;
    b->sweeping = false;
    for (i = 0; i < 1 << TRACE_SEEN_BITS; i++)
        b->seen[i] = NULL;
    if (b->paths != NULL)
        memset(b->paths, 0, CALLPATHS * sizeof *b->paths);
    for (i = 0; counts && i < TRACE_EV_COUNT; i++)
        a64_store_rlx(&b->count[i], 0);
}

void
trace_reset_process(struct trace_state *s)
{
    a64_store_rlx(&s->order, 0);
    a64_store_rlx(&s->gcseq, 0);
    a32_store_rlx(&s->gc_open, 0);
    a32_store_rlx(&s->stw_open, 0);
}

void
trace_apply_config(struct trace_rec *r)
{
    const struct trace_config *c = &r->s->cfg;
    uint32_t depth = 0, classes = 0;
    bool tracing;

    /* A reader may just be ending the trace before. */
    rt_lock(&r->s->lock);
    tracing = r->s->phase == TRACE_ON;
    rt_unlock(&r->s->lock);
    if (tracing) {
        classes = c->classes;
        depth = c->max_stack;
    }
    if (r->s->fl != NULL) {
        classes = TRACE_C_ALL;
        if (depth < TRACE_STACK_DEFAULT)
            depth = TRACE_STACK_DEFAULT;
    }
    rt_assert(depth <= TRACE_STACK_MAX);
    r->classes = classes;
    r->max_stack = (classes & TRACE_C_STACK) != 0 ? depth : 0;
}

static void
set_config(struct trace_rec *r, const struct trace_config *c)
{
    struct trace_state *s = r->s;

    s->cfg = *c;
    if (s->cfg.flush_ms == 0)
        s->cfg.flush_ms = 100;
    if (s->cfg.max_memory == 0)
        s->cfg.max_memory = 64 << 20;
    rt_assert(s->cfg.fd >= -1);
    s->max_full = s->cfg.max_memory / TRACE_BUF_BYTES;
    if (s->max_full < 2)
        s->max_full = 2;
    /* A limit of bytes is noticed by the reader, and soon. */
    s->kick_full = s->cfg.max_bytes != 0 ? 1 : TRACE_KICK_BUFS;
    if (s->kick_full > s->max_full / 2)
        s->kick_full = s->max_full / 2;
    rt_assert(s->kick_full > 0 && s->kick_full < s->max_full);
    if (s->cfg.max_stack == 0)
        s->cfg.max_stack = TRACE_STACK_DEFAULT;
    if (s->cfg.max_stack > TRACE_STACK_MAX)
        s->cfg.max_stack = TRACE_STACK_MAX;
    if (s->cfg.classes == 0)
        s->cfg.classes = TRACE_C_ALL;
}

void
trace_release_locked(struct trace_state *s)
{
    rt_assert_held(&s->lock);
    rt_assert(s->users > 0 && s->users <= 2);
    if (--s->users > 0)
        return;
    trace_buf_free_all_locked(s);
    trace_stacktab_close(&s->stacks);
    trace_strtab_close(&s->strings);
}

/* Prepares an empty trace.  World stopped, phase OFF. */
static enum rt_status
open_trace(struct trace_rec *r, const struct trace_config *c)
{
    struct trace_state *s = r->s;
    struct trace_pbuf *b;
    bool ok;

    rt_assert(s->phase == TRACE_OFF && !s->has_thread);
    set_config(r, c);
    rt_lock(&s->lock);
    ok = s->users++ > 0 ||
        (trace_stacktab_open(&s->stacks) && trace_strtab_open(&s->strings));
    rt_unlock(&s->lock);
    if (!trace_drain_open(r) || !ok)
        return RT_ENOMEM;
    trace_buf_hand_in_all(r); /* what the flight recorder still has there */
    rt_lock(&s->global_lock);
    rt_lock(&s->lock);
    for (b = s->pbufs; b != NULL; b = b->next)
        trace_reset_pbuf(b, true);
    s->failed = false;
    s->closing = false;
    s->early = false;
    s->dropped = false;
    s->waits = 0;
    trace_set_phase_locked(s, TRACE_ON);
    memset(s->retired, 0, sizeof s->retired);
    rt_unlock(&s->lock);
    rt_unlock(&s->global_lock);
    trace_reset_process(s);
    a64_store_rlx(&s->bytes, 0);
    return RT_OK;
}

/* Frees what a trace has used, keeps its counters, allows the next one.
 * Nobody reads, and if nobody else records `on` is 0. */
static void
finish(struct trace_rec *r)
{
    struct trace_state *s = r->s;

    rt_lock(&s->lock);
    if (s->phase == TRACE_ON)
        sum_stats_locked(s, &s->last);
    live_stats_locked(s, &s->last);
    s->last.memory = 0;
    trace_drain_free(s);
    trace_buf_free_full_locked(s);
    trace_release_locked(s);
    trace_set_phase_locked(s, TRACE_OFF);
    s->early = false;
    s->reading = false;
    rt_unlock(&s->lock);
    trace_kick(&s->done);
}

/* The snapshot is in buffers of its own if a flight recorder is on: it has
 * another one. */
static void
control_begin(struct trace_rec *r)
{
    struct trace_state *s = r->s;

    trace_apply_config(r);
    s->file_only = s->fl != NULL;
    trace_snapshot(r);
    if (s->file_only)
        trace_buf_hand_in_all(r);
    s->file_only = false;
    trace_flight_rebase(r);
    rt_lock(&s->global_lock);
    rt_lock(&s->lock);
    if (!s->failed)
        a32_store_full(&r->on, 1);
    rt_assert_full(trace_state_valid_locked(r));
    rt_unlock(&s->lock);
    rt_unlock(&s->global_lock);
}

static enum rt_status
start_stw(struct trace_rec *r, const struct trace_config *c, struct rt_err *e)
{
    struct trace_state *s = r->s;
    enum trace_phase phase;
    enum rt_status st;

    rt_lock(&s->lock);
    phase = s->phase;
    rt_unlock(&s->lock);
    if (phase != TRACE_OFF)
        return rt_errf(e, RT_ESTATE, UINT64_MAX,
            "execution tracer already enabled");
    st = open_trace(r, c);
    if (st == RT_OK && c->fd >= 0 && !reader_start_thread(r))
        st = RT_ENOMEM;
    if (st == RT_OK) {
        control_begin(r);
        return RT_OK;
    }
    finish(r);
    rt_lock(&s->global_lock);
    a32_store_full(&r->on, 0);
    rt_lock(&s->lock);
    if (s->fl != NULL)
        trace_flight_kick_locked(s);
    rt_unlock(&s->lock);
    rt_unlock(&s->global_lock);
    return rt_errf(e, st, UINT64_MAX,
        "tracing cannot start: out of memory or threads");
}

enum rt_status
trace_start(struct trace_rec *r, const struct trace_config *c,
    struct rt_err *e)
{
    enum rt_status st;

    r->host->stop_world(r->ctx, TRACE_STW_START);
    st = start_stw(r, c, e);
    r->host->start_world(r->ctx);
    if (st != RT_OK && c->close_fd && c->fd >= 0)
        close(c->fd);
    return st;
}

/* ---- stop */

/* True when this call ended the trace. */
static bool
stop_stw(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    bool mine;

    rt_lock(&s->lock);
    mine = s->phase == TRACE_ON;
    s->closing = mine;
    rt_unlock(&s->lock);
    if (!mine)
        return false;
    trace_kick(&s->space);
    if (s->fl != NULL) {
        trace_buf_hand_in_all(r);
        s->file_only = true;
    }
    trace_close_all(r);
    rt_lock(&s->global_lock);
    if (s->fl == NULL)
        a32_store_full(&r->on, 0);
    rt_unlock(&s->global_lock);
    trace_buf_hand_in_all(r);
    rt_lock(&s->lock);
    sum_stats_locked(s, &s->last);
    s->file_only = false;
    trace_set_phase_locked(s, TRACE_DRAIN);
    rt_assert_full(trace_state_valid_locked(r));
    rt_unlock(&s->lock);
    trace_apply_config(r);
    trace_kick(&s->wake);
    return true;
}

/* Waits until the reader has taken everything. */
static void
await_reader(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    enum trace_phase phase;
    uint32_t seen;

    if (s->has_thread) {
        pthread_join(s->thread, NULL);
        s->has_thread = false;
        return;
    }
    for (;;) {
        seen = a32_load_acq(&s->done);
        rt_lock(&s->lock);
        phase = s->phase;
        rt_unlock(&s->lock);
        if (phase == TRACE_OFF)
            return;
        rt_futex_wait(&s->done, seen, -1);
    }
}

/* Closes the file and says whether all of it was written. */
static enum rt_status
close_file(struct trace_rec *r, struct rt_err *e)
{
    struct trace_state *s = r->s;
    struct rt_err why;

    rt_assert(s->phase == TRACE_DRAIN && !s->has_thread);
    if (s->cfg.close_fd && close(s->cfg.fd) != 0 && !s->failed) {
        rt_err_os(&why, errno, "trace cut: close");
        trace_cut(r, &why);
        tell(r);
    }
    if (!s->failed)
        return RT_OK;
    if (e != NULL)
        *e = s->err;
    return s->err.code;
}

/* Whether the caller has to clean up after a trace that ended by itself. */
static bool
claim(struct trace_state *s)
{
    bool mine;

    rt_lock(&s->lock);
    mine = s->phase == TRACE_DRAIN && s->early;
    s->early = false;
    rt_unlock(&s->lock);
    return mine;
}

/* Ends it for the program; whether the caller has to see to its reader. */
static bool
end_trace(struct trace_rec *r, bool *file)
{
    bool mine;

    r->host->stop_world(r->ctx, TRACE_STW_STOP);
    mine = stop_stw(r) || claim(r->s);
    *file = mine && r->s->has_thread;
    r->host->start_world(r->ctx);
    return mine;
}

void
trace_stop_read(struct trace_rec *r)
{
    bool file, mine = end_trace(r, &file);

    rt_assert(!mine || !file);
    (void)mine;
}

enum rt_status
trace_stop(struct trace_rec *r, struct rt_err *e)
{
    enum rt_status st = RT_OK;
    bool file;

    if (!end_trace(r, &file))
        return RT_OK;
    if (r->host->block_enter != NULL)
        r->host->block_enter(r->ctx);
    await_reader(r);
    if (file) {
        st = close_file(r, e);
        finish(r);
    }
    if (r->host->block_leave != NULL)
        r->host->block_leave(r->ctx);
    return st;
}

void
trace_rec_fini(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    enum trace_phase phase;

    if (s == NULL)
        return;
    a32_store_full(&r->on, 0);
    trace_flight_fini(r);
    rt_assert(r->s->fl == NULL);
    trace_buf_hand_in_all(r);
    rt_lock(&s->lock);
    phase = s->phase;
    if (phase == TRACE_ON)
        trace_set_phase_locked(s, TRACE_DRAIN);
    rt_unlock(&s->lock);
    trace_kick(&s->wake);
    if (s->has_thread) {
        await_reader(r);
        close_file(r, NULL);
    }
    if (phase != TRACE_OFF)
        finish(r);
    free(s);
    r->s = NULL;
}

/* ---- read */

static enum rt_status
enter_reader(struct trace_rec *r, bool *off, struct rt_err *e)
{
    struct trace_state *s = r->s;
    enum rt_status st = RT_OK;

    rt_lock(&s->lock);
    *off = s->phase == TRACE_OFF;
    if (!*off && (s->reading || s->cfg.fd >= 0))
        st = RT_ESTATE;
    else if (!*off)
        s->reading = true;
    rt_unlock(&s->lock);
    if (st != RT_OK)
        rt_errf(e, st, UINT64_MAX, "the trace already has a reader");
    return st;
}

static void
leave_reader(struct trace_rec *r)
{
    rt_lock(&r->s->lock);
    rt_assert(r->s->reading);
    r->s->reading = false;
    rt_unlock(&r->s->lock);
}

/* False at the end of the trace; else s->out has something. */
static bool
await_output(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    bool blocked = false, more;
    uint32_t seen;

    for (;;) {
        seen = a32_load_acq(&s->wake);
        more = trace_drain_pass(r, blocked);
        if (!more || s->out.len > 0)
            break;
        if (!blocked && r->host->block_enter != NULL)
            r->host->block_enter(r->ctx);
        blocked = true;
        if (!s->pending)
            rt_futex_wait(&s->wake, seen, s->cfg.flush_ms * NS_PER_MS);
    }
    if (blocked && r->host->block_leave != NULL)
        r->host->block_leave(r->ctx);
    return more;
}

enum rt_status
trace_read(struct trace_rec *r, const uint8_t **data, size_t *n,
    struct rt_err *e)
{
    struct trace_state *s = r->s;
    enum rt_status st;
    bool off;

    *data = NULL;
    *n = 0;
    st = enter_reader(r, &off, e);
    if (st != RT_OK || off)
        return st;
    if (!await_output(r)) {
        tell(r);
        finish(r);
        return RT_OK;
    }
    tell(r);
    *data = s->out.data;
    *n = s->out.len;
    leave_reader(r);
    return RT_OK;
}
