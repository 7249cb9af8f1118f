/* SPDX-License-Identifier: MIT */
/*
 * The loop: hands numbers of schedules to workers, some at a time, and gathers
 * what came of them.  A schedule is the same whichever worker runs it, but for
 * PCT, which counts on the length of those that have ended before: therefore a
 * plan says that length itself.
 */
#include "runtime/explore/explore.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/hash.h"
#include "runtime/base/thread.h"
#include "runtime/base/throw.h"
#include "runtime/explore/dfs.h"
#include "runtime/explore/worker.h"

enum {
    MAX_WORKERS = 64,
    MAX_BATCH = 1024,
    POLL_MS = 100,
    LITTLE = 300,      /* of its patience, a share that is next to nothing */
    MAX_FAILURES = 100 /* different ones that are kept */
};

static const int64_t BATCH_NS = 50 * 1000 * 1000;
static const int64_t PROGRESS_NS = 500 * 1000 * 1000;
static const int64_t PATIENCE_NS = INT64_C(30) * 1000 * 1000 * 1000;

/* Hashes of the schedules that have been run: open addressing; 0 is free. */
struct seen {
    uint64_t *v;
    uint64_t n, cap;
};

struct run {
    const struct explore_target *t;
    const struct explore_config *cfg;
    struct explore_report *out;
    struct worker w[MAX_WORKERS];
    unsigned nworkers;
    uint64_t next;  /* number of the next schedule */
    uint64_t batch;
    struct seen seen;
    int64_t start, told;
    uint64_t failed; /* number of the first failure that ends the search, from
                        1; UINT64_MAX: none yet */
    bool stop;
    int signals;  /* can be read when a signal has come; -1: they end the process */
    sigset_t mask; /* of signals, as it was */
};

/* ---- what has been seen ------------------------------------------------------ */

/* For assertions: so many are in it as it says, each once and where it is looked
 * for; one place is free at least. */
static bool
seen_valid(const struct seen *s)
{
    uint64_t n = 0;

    if ((s->cap & (s->cap - 1)) != 0 || (s->cap == 0) != (s->v == NULL))
        return false;
    for (uint64_t k = 0; k < s->cap; k++) {
        uint64_t i = s->v[k] & (s->cap - 1);

        if (s->v[k] == 0)
            continue;
        n++;
        while (s->v[i] != s->v[k]) {
            if (s->v[i] == 0)
                return false;
            i = (i + 1) & (s->cap - 1);
        }
        if (i != k)
            return false;
    }
    return n == s->n && 2 * n <= s->cap;
}

static bool
seen_put(struct seen *s, uint64_t h)
{
    uint64_t i = h & (s->cap - 1);

    rt_assert(h != 0 && s->n < s->cap);
    while (s->v[i] != 0 && s->v[i] != h)
        i = (i + 1) & (s->cap - 1);
    if (s->v[i] == h)
        return false;
    s->v[i] = h;
    s->n++;
    return true;
}

/* False: no memory.  *fresh: it is new. */
static bool
seen_add(struct seen *s, uint64_t h, bool *fresh)
{
    if (2 * (s->n + 1) > s->cap) {
        struct seen big = {.cap = s->cap ? 2 * s->cap : 1024};

        big.v = calloc(big.cap, sizeof *big.v);
        if (big.v == NULL)
            return false;
        for (uint64_t i = 0; i < s->cap; i++)
            if (s->v[i] != 0)
                seen_put(&big, s->v[i]);
        rt_assert(big.n == s->n);
        free(s->v);
        *s = big;
        rt_assert_full(seen_valid(s));
    }
    *fresh = seen_put(s, h != 0 ? h : 1);
    return true;
}

/* ---- failures ------------------------------------------------------------------- */

/* Whether a timer came early, as on a busy machine. */
static bool
is_apart(const struct explore_failure *f)
{
    return f->early_by > 0;
}

static bool
are_like(const struct explore_failure *f, const struct explore_failure *g)
{
    return f->end == g->end && f->failure == g->failure &&
        f->status == g->status && is_apart(f) == is_apart(g);
}

/* Counts g with f, which is like it; f is the one of the lower number then. */
static void
keep_first(struct explore_failure *f, struct explore_failure *g)
{
    uint64_t times = f->times + 1;

    rt_assert(f->at != g->at);
    if (g->at < f->at) {
        struct explore_failure later = *f;

        *f = *g;
        *g = later;
    }
    f->times = times;
}

/* Keeps it, or counts it with one that is known.  r->f is taken over. */
static bool
add_failure(struct run *x, struct worker_reply *r, uint64_t at)
{
    struct explore_report *o = x->out;
    struct explore_failure *v;

    rt_assert(dfs_devs_valid(r->f.devs, r->f.ndevs) && r->f.text != NULL);
    rt_assert(at > 0 && r->f.times == 1);
    o->count.failures++;
    r->f.at = at;
    for (uint32_t i = 0; i < o->n; i++)
        if (are_like(&o->v[i], &r->f)) {
            keep_first(&o->v[i], &r->f);
            return true;
        }
    if (o->n == MAX_FAILURES)
        return true;
    v = realloc(o->v, (o->n + 1) * sizeof *v);
    if (v == NULL)
        return false;
    o->v = v;
    v[o->n] = r->f;
    o->n++;
    r->f.devs = NULL;
    r->f.text = NULL;
    return true;
}

/* For assertions, at the end: what has been counted is what there is; failures
 * are different ones, in the order of their schedules. */
static bool
report_valid(const struct explore_report *r)
{
    const struct explore_count *c = &r->count;
    uint64_t times = 0;

    if (r->n > MAX_FAILURES || c->distinct > c->schedules ||
        c->endless + c->failures > c->schedules)
        return false;
    for (uint32_t i = 0; i < r->n; i++) {
        const struct explore_failure *f = &r->v[i];

        times += f->times;
        if (f->times == 0 || !dfs_devs_valid(f->devs, f->ndevs) ||
            (i > 0 && f->at <= r->v[i - 1].at))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (are_like(&r->v[k], f))
                return false;
    }
    return times <= c->failures;
}

static void
failure_free(struct explore_failure *f)
{
    free(f->devs);
    free(f->text);
}

/* Keeps only the failure of the lowest number, of those that are not apart if
 * there is one.  Workers that were busy when it was found may have found others;
 * as all schedules of lower numbers have ended (more()), the one that is kept
 * does not depend on who was quicker. */
static void
forget_later(struct explore_report *r)
{
    uint32_t first = 0;

    while (first < r->n && is_apart(&r->v[first]))
        first++;
    if (first > 0 && first < r->n) {
        struct explore_failure apart = r->v[0];

        r->v[0] = r->v[first];
        r->v[first] = apart;
    }
    while (r->n > 1)
        failure_free(&r->v[--r->n]);
}

void
explore_report_free(struct explore_report *r)
{
    for (uint32_t i = 0; i < r->n; i++)
        failure_free(&r->v[i]);
    free(r->v);
    r->v = NULL;
    r->n = 0;
}

/* ---- the loop --------------------------------------------------------------------- */

static void
tell(struct run *x, bool now)
{
    int64_t t = rt_nanotime();

    x->out->count.ns = t - x->start;
    if (x->cfg->progress == NULL || (!now && t - x->told < PROGRESS_NS))
        return;
    x->told = t;
    x->cfg->progress(x->cfg->progress_arg, &x->out->count);
}

/* The number of the first schedule that the worker is given next, from 0. */
static uint64_t
first_of(const struct run *x, const struct worker *w)
{
    return w->rest > 0 ? w->first + w->count - w->rest : x->next;
}

/* Whether the worker is to begin more schedules.  When one has failed those of
 * lower numbers are still to be run, as one of them may fail, too. */
static bool
more(const struct run *x, const struct worker *w)
{
    const struct explore_config *c = x->cfg;

    return !x->stop && first_of(x, w) + 1 < x->failed &&
        (c->schedules == 0 || x->next < c->schedules || w->rest > 0) &&
        (c->duration == 0 || rt_nanotime() - x->start < c->duration);
}

static bool
give(struct run *x, struct worker *w)
{
    const struct explore_config *c = x->cfg;
    uint64_t left = c->schedules == 0 ? UINT64_MAX : c->schedules - x->next;
    struct worker_request q = {
        .strategy = c->strategy,
        .first = first_of(x, w),
        .count = w->rest > 0 ? w->rest : x->batch < left ? x->batch : left,
        .seed = c->seed,
        .depth = c->depth,
        .bound = c->bound,
        .steps = x->out->count.steps > UINT32_MAX
            ? UINT32_MAX : (uint32_t)x->out->count.steps,
        .used = x->out->count.used,
    };

    rt_assert(!w->busy && w->rest <= w->count && q.count > 0);
    rt_assert(x->batch > 0 && x->batch <= MAX_BATCH);
    w->busy = true;
    w->first = q.first;
    w->count = q.count;
    w->asked = w->since = rt_nanotime();
    if (w->rest == 0)
        x->next += q.count;
    w->rest = 0;
    return worker_ask(w, &q);
}

static bool
take(struct run *x, struct worker *w, struct worker_reply *r)
{
    struct explore_count *c = &x->out->count;
    int64_t took = rt_nanotime() - w->asked;

    rt_assert(r->ran <= w->count && w->first + w->count <= x->next);
    rt_assert(!r->failed || r->ran > 0);
    c->schedules += r->ran;
    c->endless += r->endless;
    if (r->steps > c->steps)
        c->steps = r->steps;
    if (r->used > c->used)
        c->used = r->used;
    for (uint64_t i = 0; i < r->ran; i++) {
        bool fresh;

        if (!seen_add(&x->seen, r->hashes[i], &fresh))
            return false;
        c->distinct += fresh;
    }
    if (!r->failed && took < BATCH_NS && x->batch < MAX_BATCH &&
        w->count == x->batch)
        x->batch *= 2;
    if (took > 2 * BATCH_NS && x->batch > 1)
        x->batch /= 2;
    x->out->exhausted = x->out->exhausted || r->exhausted;
    x->stop = x->stop || r->exhausted;
    if (!r->failed)
        return true;
    if (x->cfg->all || is_apart(&r->f))
        w->rest = w->count - r->ran;
    else if (w->first + r->ran < x->failed)
        x->failed = w->first + r->ran;
    return add_failure(x, r, w->first + r->ran);
}

/* The worker has something to say. */
static enum rt_status
hear(struct run *x, struct worker *w, struct rt_err *err)
{
    struct worker_reply r;
    bool ok;

    rt_assert(w->busy);
    w->busy = false;
    if (!worker_answer(w, &r)) {
        snprintf(x->out->trouble, sizeof x->out->trouble,
            "the process that ran schedules %llu to %llu has died",
            (unsigned long long)w->first,
            (unsigned long long)(w->first + w->count - 1));
        x->stop = true;
        return RT_OK;
    }
    if (r.broken)
        return rt_errf(err, RT_EIO, UINT64_MAX, "the program cannot be run");
    ok = take(x, w, &r);
    worker_reply_free(&r);
    tell(x, false);
    return ok ? RT_OK
              : rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
}

/* A worker that computes may take its time, and on a busy machine it gets but
 * little: only one that has done next to nothing for long waits for something
 * that may never come. */
static void
too_long(struct run *x)
{
    int64_t most = x->cfg->patience > 0 ? x->cfg->patience : PATIENCE_NS;

    for (unsigned i = 0; i < x->nworkers; i++) {
        struct worker *w = &x->w[i];

        if (!w->busy || rt_nanotime() - w->since < most)
            continue;
        if (worker_computes(w, most / LITTLE + 1)) {
            w->since = rt_nanotime();
            continue;
        }
        snprintf(x->out->trouble, sizeof x->out->trouble,
            "one of schedules %llu to %llu did nothing for %lld s: does the "
            "program wait for something outside?",
            (unsigned long long)w->first,
            (unsigned long long)(w->first + w->count - 1),
            (long long)(most / 1000000000));
        x->stop = true;
    }
}

/* ---- signals ---------------------------------------------------------------------- */

/* What has been found is not lost when the user has waited for long enough. */
static void
hold_signals(struct run *x)
{
    sigset_t set;

    x->signals = -1;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    if (!x->cfg->interrupts || sigprocmask(SIG_BLOCK, &set, &x->mask) != 0)
        return;
    x->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (x->signals < 0)
        sigprocmask(SIG_SETMASK, &x->mask, NULL);
}

/* All that have come; twice the same is once. */
static void
take_signals(struct run *x)
{
    struct signalfd_siginfo i;

    while (read(x->signals, &i, sizeof i) == (ssize_t)sizeof i)
        x->out->signal = (int)i.ssi_signo;
}

/* One that comes when the search has ended by itself waits, too, until all has
 * been told. */
static void
let_signals(struct run *x)
{
    if (x->signals < 0)
        return;
    take_signals(x);
    close(x->signals);
    sigprocmask(SIG_SETMASK, &x->mask, NULL);
}

/* ---- all of it -------------------------------------------------------------------- */

static enum rt_status
loop(struct run *x, struct rt_err *err)
{
    struct pollfd p[MAX_WORKERS + 1];
    enum rt_status st = RT_OK;
    bool busy = true;

    while (busy && st == RT_OK && x->out->trouble[0] == 0 &&
        x->out->signal == 0) {
        busy = false;
        for (unsigned i = 0; i < x->nworkers; i++) {
            struct worker *w = &x->w[i];

            if (!w->busy && more(x, w) && !give(x, w))
                return rt_errf(err, RT_EIO, UINT64_MAX, "a worker has died");
            p[i] = (struct pollfd){w->busy ? w->fd : -1, POLLIN, 0};
            busy = busy || w->busy;
        }
        p[x->nworkers] = (struct pollfd){x->signals, POLLIN, 0};
        if (!busy || poll(p, x->nworkers + 1, POLL_MS) < 0)
            continue;
        if (p[x->nworkers].revents != 0)
            take_signals(x);
        for (unsigned i = 0; i < x->nworkers && st == RT_OK; i++)
            if (p[i].revents != 0)
                st = hear(x, &x->w[i], err);
        too_long(x);
        tell(x, false);
    }
    return st;
}

static unsigned
how_many(const struct explore_config *c)
{
    unsigned n = c->workers != 0 ? c->workers : (unsigned)rt_cpu_count();

    if (c->strategy == EXPLORE_DFS)
        n = 1;
    if (c->schedules != 0 && n > c->schedules)
        n = (unsigned)c->schedules;
    return n < MAX_WORKERS ? n : MAX_WORKERS;
}

/* The failure that comes first by number is told first. */
static int
by_number(const void *a, const void *b)
{
    const struct explore_failure *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at;
}

enum rt_status
explore(const struct explore_target *t, const struct explore_config *cfg,
    struct explore_report *out, struct rt_err *err)
{
    struct run *x = calloc(1, sizeof *x);
    enum rt_status st = RT_OK;
    unsigned n = how_many(cfg);

    *out = (struct explore_report){0};
    if (x == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    x->t = t;
    x->cfg = cfg;
    x->out = out;
    x->batch = 1;
    x->failed = UINT64_MAX;
    x->start = x->told = rt_nanotime();
    hold_signals(x);
    while (x->nworkers < n && st == RT_OK) {
        st = worker_start(&x->w[x->nworkers], t, &cfg->rules,
            x->signals >= 0 ? &x->mask : NULL, err);
        x->nworkers += st == RT_OK;
    }
    if (st == RT_OK)
        st = loop(x, err);
    for (unsigned i = 0; i < x->nworkers; i++)
        worker_stop(&x->w[i]);
    let_signals(x);
    if (out->n > 1)
        qsort(out->v, out->n, sizeof *out->v, by_number);
    if (!cfg->all)
        forget_later(out);
    rt_assert(report_valid(out) && x->seen.n == out->count.distinct);
    rt_assert_full(seen_valid(&x->seen));
    tell(x, true);
    free(x->seen.v);
    free(x);
    return st;
}
