/* SPDX-License-Identifier: MIT */
/*
 * The flight recorder: windows, and the thread that begins a new one when the
 * last is full or old enough.  See flight.h.
 *
 * Nobody ever waits for this thread.  Where it is too slow or memory is out,
 * `lost` is set, what comes is dropped, and recording begins anew with the
 * next window, which is marked `first`.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/futex.h"
#include "trace/record/flight.h"

enum { MIN_BYTES = 64 * 1024 };

static const int64_t DEFAULT_AGE_NS = INT64_C(10) * 1000 * 1000 * 1000;
static const int64_t LONGEST_NS = INT64_C(3600) * 1000 * 1000 * 1000;

/* ---- windows */

static void
free_window(struct flight_window *w)
{
    struct flight_chunk *c;

    while ((c = w->chunks) != NULL) {
        w->chunks = c->next;
        free(c);
    }
    free(w->gs);
    free(w->ps);
    free(w);
}

static void
free_windows(struct flight_window *w)
{
    while (w != NULL) {
        struct flight_window *next = w->next;

        free_window(w);
        w = next;
    }
}

static uint64_t
size_of(const struct flight_window *w)
{
    return sizeof *w + w->ngs * sizeof *w->gs + w->nps * sizeof *w->ps;
}

void
trace_flight_add_locked(struct trace_state *s, const struct trace_buf *t)
{
    struct trace_flight *fl = s->fl;
    struct flight_window *w = fl->last;
    uint32_t n = a32_load_rlx(&t->committed);
    struct flight_chunk *c;

    rt_assert_held(&s->lock);
    rt_assert(!t->file_only && n <= TRACE_BUF_BYTES);
    if (n == 0 || w == NULL || fl->lost)
        return;
    c = fl->bytes < fl->hard_bytes ? malloc(sizeof *c + n) : NULL;
    if (c == NULL) {
        trace_flight_kick_locked(s);
        return;
    }
    c->next = NULL;
    c->len = n;
    memcpy(c->data, t->data, n);
    if (w->tail == NULL)
        w->chunks = c;
    else
        w->tail->next = c;
    w->tail = c;
    w->bytes += n;
    fl->bytes += n;
    if (w->bytes >= fl->roll_bytes && w->bytes - n < fl->roll_bytes)
        trace_kick(&fl->wake);
}

void
trace_flight_kick_locked(struct trace_state *s)
{
    rt_assert_held(&s->lock);
    s->fl->lost = true;
    s->flight_lost++;
    trace_kick(&s->fl->wake);
}

uint64_t
trace_flight_memory_locked(const struct trace_state *s)
{
    const struct flight_window *w;
    uint64_t sum = 0;

    if (s->fl == NULL)
        return 0;
    for (w = s->fl->windows; w != NULL; w = w->next)
        sum += size_of(w) + w->bytes;
    return sum + sizeof *s->fl;
}

void
trace_flight_stats_locked(const struct trace_state *s, struct trace_stats *st)
{
    const struct flight_window *w;

    st->flight_bytes = s->fl == NULL ? 0 : s->fl->bytes;
    st->flight_windows = 0;
    st->flight_lost = s->flight_lost;
    for (w = s->fl == NULL ? NULL : s->fl->windows; w != NULL; w = w->next)
        st->flight_windows++;
}

/* ---- the state of everything, world stopped */

struct look {
    struct trace_rec *r;
    struct flight_window *w;
    bool fresh; /* nothing has been recorded: numbers begin */
};

static bool
runs_on(const struct flight_window *w, uint64_t goid)
{
    size_t i;

    for (i = 0; i < w->nps; i++) {
        if (w->ps[i].goid == goid)
            return true;
    }
    return false;
}

/* What the events will have told about g, which the scheduler may know
 * differently: a G that is back from a system call is in it until its
 * GoSysExit. */
static void
look_at_g(void *arg, const struct trace_gsnap *snap)
{
    struct look *k = arg;
    struct flight_window *w = k->w;
    struct trace_gstate *g = snap->g;
    struct flight_g *f;

    if (k->fresh) {
        g->goid = snap->goid;
        g->seq = 0;
        g->last = 0;
        g->at = NULL;
        a32_store_rlx(&g->sysblocked, snap->status == TRACE_G_SYSCALL);
    }
    if (w->ngs == w->capgs) {
        size_t cap = w->capgs == 0 ? 64 : w->capgs * 2;
        struct flight_g *gs = realloc(w->gs, cap * sizeof *gs);

        if (gs == NULL) {
            w->oom = true;
            return;
        }
        w->gs = gs;
        w->capgs = cap;
    }
    rt_assert(w->ngs < w->capgs && snap->goid != 0);
    f = &w->gs[w->ngs++];
    f->goid = snap->goid;
    f->entry = snap->entry;
    f->seq = g->seq;
    f->status = snap->status;
    if (a32_load_acq(&g->sysblocked) != 0)
        f->status = TRACE_G_SYSCALL;
    else if (runs_on(w, snap->goid))
        f->status = TRACE_G_RUNNING;
    else if (f->status == TRACE_G_RUNNING)
        f->status = TRACE_G_RUNNABLE;
}

static void
count_p(void *arg, const struct trace_psnap *p)
{
    struct look *k = arg;

    k->w->procs++;
    if (!k->fresh)
        return;
    p->b->proc_started = p->running;
    p->b->thread = p->thread;
    p->b->sweeping = false;
    p->b->goid = 0;
    if (p->running && p->g != NULL)
        p->b->goid = p->g->goid;
}

static void
look_at_ps(struct look *k)
{
    struct trace_state *s = k->r->s;
    struct flight_window *w = k->w;
    struct trace_pbuf *b;
    size_t n = 0;

    w->tick = trace_ticks(k->r);
    if (w->tick <= a64_load_acq(&s->order))
        w->tick = a64_load_acq(&s->order) + 1;
    rt_lock(&s->lock);
    for (b = s->pbufs; b != NULL; b = b->next)
        n++;
    w->ps = calloc(n, sizeof *w->ps);
    w->oom = w->oom || w->ps == NULL;
    for (b = s->pbufs; b != NULL && w->ps != NULL; b = b->next) {
        if (b->last >= w->tick)
            w->tick = b->last + 1;
        if (b == &s->global || b == &s->cpu)
            continue;
        w->ps[w->nps++] = (struct flight_p){b->id, b->proc_started,
            b->sweeping, b->thread, b->goid};
    }
    rt_unlock(&s->lock);
}

/* Only to learn the numbers of those that run, before look_at_g(). */
static void
number_g(void *arg, const struct trace_gsnap *snap)
{
    (void)arg;
    snap->g->goid = snap->goid;
}

static struct flight_window *
new_window(struct trace_rec *r, bool fresh)
{
    struct trace_state *s = r->s;
    struct look k = {.r = r, .fresh = fresh};

    k.w = calloc(1, sizeof *k.w);
    if (k.w == NULL)
        return NULL;
    if (fresh)
        r->host->for_each_g(r->ctx, number_g, NULL);
    r->host->for_each_p(r->ctx, count_p, &k);
    look_at_ps(&k);
    r->host->for_each_g(r->ctx, look_at_g, &k);
    k.w->when = rt_nanotime();
    k.w->gcseq = a64_load_rlx(&s->gcseq);
    k.w->gc_open = a32_load_rlx(&s->gc_open);
    k.w->stw_open = a32_load_rlx(&s->stw_open);
    k.w->stw_kind = a32_load_rlx(&s->stw_kind);
    if (k.w->oom) {
        free_window(k.w);
        return NULL;
    }
    return k.w;
}

/* A trace can be cut at any time, by its reader, which no stopped world
 * stops.  While it is ON and cut, nothing is recorded. */
static bool
is_cut_locked(const struct trace_state *s)
{
    return s->phase == TRACE_ON && s->failed;
}

static void
append_locked(struct trace_state *s, struct flight_window *w)
{
    struct trace_flight *fl = s->fl;

    rt_assert_held(&s->lock);
    rt_assert(w == NULL || (!w->oom && w->next == NULL && w->chunks == NULL));
    fl->lost = w == NULL || is_cut_locked(s);
    if (w == NULL) {
        s->flight_lost++;
        return;
    }
    if (fl->last == NULL)
        fl->windows = w;
    else
        fl->last->next = w;
    fl->last = w;
    rt_assert_full(trace_flight_valid_locked(fl));
}

/* The trace was cut, and recording with it: the trace stays as it is, for
 * the reader to finish. */
static void
leave_trace(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    struct trace_pbuf *b;

    trace_buf_hand_in_all(r);
    rt_lock(&s->global_lock);
    rt_lock(&s->lock);
    if (s->phase == TRACE_ON) {
        trace_set_phase_locked(s, TRACE_DRAIN);
        s->early = true;
    }
    for (b = s->pbufs; b != NULL; b = b->next)
        trace_reset_pbuf(b, false);
    s->dropped = false;
    rt_unlock(&s->lock);
    rt_unlock(&s->global_lock);
    trace_reset_process(s);
    trace_apply_config(r);
}

/* False: a trace was cut meanwhile, and nothing is recorded. */
static bool
try_roll(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    bool fresh = a32_load_rlx(&r->on) == 0, lost, cut;
    struct flight_window *w;

    if (fresh)
        leave_trace(r);
    else
        trace_buf_hand_in_all(r);
    rt_lock(&s->lock);
    lost = s->fl->lost;
    rt_unlock(&s->lock);
    w = new_window(r, fresh);
    if (w != NULL)
        w->first = fresh || lost;
    rt_lock(&s->lock);
    append_locked(s, w);
    cut = is_cut_locked(s);
    if (!cut && (w != NULL || !fresh))
        a32_store_full(&r->on, 1);
    rt_unlock(&s->lock);
    return !cut;
}

/* World stopped: ends the last window, begins another.  The second time the
 * trace has been left, and cannot be cut again. */
static void
roll(struct trace_rec *r)
{
    if (!try_roll(r))
        (void)try_roll(r);
}

void
trace_flight_rebase(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    struct flight_window *w;

    if (s->fl == NULL)
        return;
    w = new_window(r, false);
    if (w != NULL)
        w->first = true;
    rt_lock(&s->lock);
    append_locked(s, w);
    if (s->fl->lost)
        trace_kick(&s->fl->wake);
    rt_unlock(&s->lock);
}

/* ---- the thread */

void
trace_flight_prune(struct trace_state *s, int64_t now)
{
    struct trace_flight *fl = s->fl;
    struct flight_window *w, *drop = NULL;

    rt_lock(&s->lock);
    rt_assert(fl->windows == NULL || fl->last != NULL);
    for (w = fl->windows; w != NULL; w = w->next) {
        /* All before one that begins anew. */
        while (w->first && fl->windows != w) {
            struct flight_window *old = fl->windows;

            fl->windows = old->next;
            fl->bytes -= old->bytes;
            old->next = drop;
            drop = old;
        }
    }
    for (;;) {
        w = fl->windows;
        if (w == NULL || w->next == NULL || w->next->next == NULL ||
            (fl->bytes <= fl->max_bytes &&
                now - w->next->when < fl->min_age))
            break;
        fl->windows = w->next;
        fl->bytes -= w->bytes;
        w->next = drop;
        drop = w;
    }
    rt_assert_full(trace_flight_valid_locked(fl));
    rt_unlock(&s->lock);
    free_windows(drop);
}

static bool
wants_roll(struct trace_state *s)
{
    struct trace_flight *fl = s->fl;
    bool yes;

    rt_lock(&s->lock);
    yes = fl->lost || fl->last == NULL || fl->last->bytes >= fl->roll_bytes ||
        rt_nanotime() - fl->last->when >= fl->roll_ns;
    rt_unlock(&s->lock);
    return yes;
}

static void
stop_and_roll(struct trace_rec *r)
{
    r->host->stop_world(r->ctx, TRACE_STW_START);
    roll(r);
    r->host->start_world(r->ctx);
    trace_flight_prune(r->s, rt_nanotime());
}

static void *
keep_rolling(void *arg)
{
    struct trace_flight *fl = arg;
    struct trace_rec *r = fl->r;
    uint32_t seen;
    bool quit;

    for (;;) {
        /* Before `quit`, which is set before the last change of `wake`:
         * otherwise the thread could sleep on that one. */
        seen = a32_load_acq(&fl->wake);
        rt_lock(&r->s->ctl);
        quit = a32_load_acq(&fl->quit) != 0;
        if (!quit && wants_roll(r->s))
            stop_and_roll(r);
        rt_unlock(&r->s->ctl);
        if (quit)
            return NULL;
        rt_futex_wait(&fl->wake, seen, fl->roll_ns);
        /* No more than some hundred stops a second, come what may. */
        rt_futex_wait(&fl->quit, 0, 3 * 1000 * 1000);
    }
}

/* ---- control */

static void
flight_enter(struct trace_rec *r)
{
    if (r->host->block_enter != NULL)
        r->host->block_enter(r->ctx);
    rt_lock(&r->s->ctl);
}

static void
flight_leave(struct trace_rec *r)
{
    rt_unlock(&r->s->ctl);
    if (r->host->block_leave != NULL)
        r->host->block_leave(r->ctx);
}

static struct trace_flight *
new_flight(struct trace_rec *r, const struct trace_flight_config *c)
{
    struct trace_flight *fl = calloc(1, sizeof *fl);

    if (fl == NULL)
        return NULL;
    fl->r = r;
    fl->min_age = c->min_age <= 0 ? DEFAULT_AGE_NS : c->min_age;
    fl->roll_ns = fl->min_age / 2 < LONGEST_NS ? fl->min_age / 2 : LONGEST_NS;
    if (fl->roll_ns < 1000 * 1000)
        fl->roll_ns = 1000 * 1000;
    fl->max_bytes = c->max_bytes == 0 ? 10 << 20 : c->max_bytes;
    fl->roll_bytes = fl->max_bytes / 4;
    if (fl->roll_bytes < MIN_BYTES)
        fl->roll_bytes = MIN_BYTES;
    rt_assert(fl->roll_ns > 0);
    fl->hard_bytes = 2 * fl->max_bytes + (8 << 20);
    return fl;
}

/* World stopped. */
static bool
open_tables(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    bool ok = true;

    rt_lock(&s->lock);
    if (s->users++ == 0)
        ok = trace_stacktab_open(&s->stacks) && trace_strtab_open(&s->strings);
    if (!ok)
        trace_release_locked(s);
    rt_unlock(&s->lock);
    return ok;
}

/* World stopped. */
static void
detach(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    bool tracing;

    rt_lock(&s->global_lock);
    rt_lock(&s->lock);
    tracing = s->phase == TRACE_ON;
    if (!tracing)
        a32_store_full(&r->on, 0);
    s->fl = NULL;
    rt_unlock(&s->lock);
    rt_unlock(&s->global_lock);
    if (!tracing)
        trace_buf_hand_in_all(r);
    trace_apply_config(r);
    rt_lock(&s->lock);
    trace_release_locked(s);
    rt_unlock(&s->lock);
}

/* World stopped. */
static bool
attach(struct trace_rec *r, struct trace_flight *fl)
{
    struct trace_state *s = r->s;

    if (!open_tables(r))
        return false;
    rt_lock(&s->lock);
    s->fl = fl;
    rt_unlock(&s->lock);
    trace_apply_config(r);
    roll(r);
    if (fl->last == NULL) {
        detach(r);
        return false;
    }
    return true;
}

static bool
flight_start_thread(struct trace_flight *fl)
{
    sigset_t all, old;
    int err;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    err = pthread_create(&fl->thread, NULL, keep_rolling, fl);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return err == 0;
}

static enum rt_status
flight_begin(struct trace_rec *r, struct trace_flight *fl)
{
    bool ok;

    r->host->stop_world(r->ctx, TRACE_STW_START);
    ok = attach(r, fl);
    r->host->start_world(r->ctx);
    if (!ok)
        return RT_ENOMEM;
    if (flight_start_thread(fl))
        return RT_OK;
    r->host->stop_world(r->ctx, TRACE_STW_STOP);
    detach(r);
    r->host->start_world(r->ctx);
    return RT_ENOMEM;
}

enum rt_status
trace_flight_start(struct trace_rec *r, const struct trace_flight_config *c,
    struct rt_err *e)
{
    struct trace_flight *fl;
    enum rt_status st;

    flight_enter(r);
    if (r->s->fl != NULL) {
        st = rt_errf(e, RT_ESTATE, UINT64_MAX,
            "flight recorder already enabled");
    } else {
        fl = new_flight(r, c);
        st = fl == NULL ? RT_ENOMEM : flight_begin(r, fl);
        if (st != RT_OK) {
            if (fl != NULL)
                free_windows(fl->windows);
            free(fl);
            rt_errf(e, st, UINT64_MAX,
                "flight recorder cannot start: out of memory or threads");
        }
    }
    flight_leave(r);
    return st;
}

static void
free_flight(struct trace_flight *fl)
{
    pthread_join(fl->thread, NULL);
    free_windows(fl->windows);
    free(fl);
}

void
trace_flight_stop(struct trace_rec *r)
{
    struct trace_flight *fl;

    flight_enter(r);
    fl = r->s->fl;
    if (fl != NULL) {
        r->host->stop_world(r->ctx, TRACE_STW_STOP);
        detach(r);
        r->host->start_world(r->ctx);
        a32_store_rel(&fl->quit, 1); /* rel: pairs with keep_rolling() */
        trace_kick(&fl->wake);
        rt_futex_wake(&fl->quit, 1);
    }
    rt_unlock(&r->s->ctl);
    if (fl != NULL)
        free_flight(fl);
    if (r->host->block_leave != NULL)
        r->host->block_leave(r->ctx);
}

void
trace_flight_fini(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    struct trace_flight *fl;

    rt_lock(&s->ctl);
    fl = s->fl;
    if (fl != NULL) {
        a32_store_rel(&fl->quit, 1); /* rel: pairs with keep_rolling() */
        trace_kick(&fl->wake);
        rt_futex_wake(&fl->quit, 1);
        detach(r);
    }
    rt_unlock(&s->ctl);
    if (fl != NULL)
        free_flight(fl);
}

bool
trace_flight_on(struct trace_rec *r)
{
    bool on;

    rt_lock(&r->s->lock);
    on = r->s->fl != NULL;
    rt_unlock(&r->s->lock);
    return on;
}

/* The oldest window of those that fit to the last one. */
static const struct flight_window *
oldest_locked(const struct trace_flight *fl)
{
    const struct flight_window *w, *from = fl->windows;

    for (w = from; w != NULL; w = w->next) {
        if (w->first)
            from = w;
    }
    return from;
}

static enum rt_status
dump(struct trace_rec *r, struct trace_out *o, struct rt_err *e)
{
    struct trace_state *s = r->s;
    const struct flight_window *from, *end;
    bool lost;

    r->host->stop_world(r->ctx, TRACE_STW_START);
    roll(r);
    rt_lock(&s->lock);
    /* Now: a trace that starts adds a window that fits to none of these. */
    from = oldest_locked(s->fl);
    end = s->fl->last;
    lost = s->fl->lost;
    rt_unlock(&s->lock);
    r->host->start_world(r->ctx);
    if (lost || trace_flight_encode(r, from, end, o) != RT_OK)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX,
            "out of memory for the flight recorder's trace");
    trace_flight_prune(s, rt_nanotime());
    return RT_OK;
}

enum rt_status
trace_flight_dump(struct trace_rec *r, uint8_t **data, size_t *n,
    struct rt_err *e)
{
    struct trace_out o = {0};
    enum rt_status st;

    *data = NULL;
    *n = 0;
    flight_enter(r);
    if (r->s->fl == NULL)
        st = rt_errf(e, RT_ESTATE, UINT64_MAX,
            "cannot snapshot a disabled flight recorder");
    else
        st = dump(r, &o, e);
    flight_leave(r);
    if (st == RT_OK) {
        *data = o.data;
        *n = o.len;
    } else {
        free(o.data);
    }
    return st;
}
