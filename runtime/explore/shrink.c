/* SPDX-License-Identifier: MIT */
/*
 * Shrinking, by delta debugging (A. Zeller and R. Hildebrandt, 2002): chunks
 * of the deviations are left out, half the deviations at first and single ones
 * in the end, as long as the failure is the same.  Decisions are numbered, so
 * leaving one out moves what the others mean; those that mean nothing any more
 * are not in the list that the execution gives back, which is what is kept.
 * Then all schedules of very few deviations are tried.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/base/throw.h"
#include "runtime/explore/dfs.h"
#include "runtime/explore/explore.h"
#include "runtime/explore/worker.h"

enum { SEARCH_BOUND = 2, SEARCH_RUNS = 2000, SEARCH_BATCH = 64 };

struct shrink {
    struct worker w;
    struct explore_failure *f;
    uint32_t runs, most;
    int64_t until;
    struct seed_dev *try; /* room for as many as the failure had at first */
    uint32_t room;
};

static bool
may_try(const struct shrink *x)
{
    return x->runs < x->most && rt_nanotime() < x->until;
}

/* What it answers becomes the failure if that is the same and no longer.
 * False: the worker has gone. */
static bool
ask(struct shrink *x, const struct worker_request *q, bool *same, bool *more)
{
    struct explore_failure *f = x->f;
    struct worker_reply r;

    rt_assert(dfs_devs_valid(f->devs, f->ndevs) && f->ndevs <= x->room);
    if (!worker_ask(&x->w, q) || !worker_answer(&x->w, &r))
        return false;
    x->runs += (uint32_t)r.ran;
    *more = !r.exhausted && !r.broken && r.ran > 0;
    *same = r.failed && r.f.end == f->end && r.f.failure == f->failure &&
        r.f.status == f->status && r.f.ndevs <= f->ndevs;
    if (*same) {
        struct seed_dev *devs = f->devs;
        char *text = f->text;

        f->devs = r.f.devs;
        f->ndevs = r.f.ndevs;
        f->text = r.f.text;
        f->steps = r.f.steps;
        f->early = r.f.early;
        f->early_by = r.f.early_by;
        r.f.devs = devs;
        r.f.text = text;
    }
    worker_reply_free(&r);
    return true;
}

/* Runs by n deviations of x->try. */
static bool
attempt(struct shrink *x, uint32_t n, bool *same)
{
    struct worker_request q = {.seed = x->f->plan.seed,
        .budget = x->f->budget, .early = x->f->early, .ndevs = n,
        .devs = x->try};
    bool more;

    rt_assert(n <= x->f->ndevs && dfs_devs_valid(x->try, n));
    return ask(x, &q, same, &more);
}

/*
 * Looks among all schedules of fewer deviations, and at most SEARCH_BOUND, the
 * fewest first: what is left after leaving out need not be the least, as the
 * numbers of decisions shift.
 */
static bool
search(struct shrink *x)
{
    uint32_t bound = x->f->ndevs - 1;
    struct worker_request q = {
        .strategy = EXPLORE_DFS,
        .count = SEARCH_BATCH,
        .seed = x->f->plan.seed,
        .bound = bound < SEARCH_BOUND ? bound : SEARCH_BOUND,
        .budget = x->f->budget,
    };
    bool same = false, more = true;

    rt_assert(x->f->ndevs > 1);
    x->most = x->runs + SEARCH_RUNS;
    while (!same && more && may_try(x))
        if (!ask(x, &q, &same, &more))
            return false;
    return true;
}

/* One round over the list, leaving out chunks of that size.  False: the
 * worker has gone. */
static bool
round_of(struct shrink *x, uint32_t chunk, bool *any)
{
    *any = false;
    for (uint32_t at = 0; at < x->f->ndevs && may_try(x);) {
        uint32_t n = x->f->ndevs;
        uint32_t end = at + chunk < n ? at + chunk : n;
        bool same;

        rt_assert(at < end && end <= n);
        memcpy(x->try, x->f->devs, at * sizeof *x->try);
        memcpy(x->try + at, x->f->devs + end, (n - end) * sizeof *x->try);
        if (!attempt(x, at + n - end, &same))
            return false;
        *any = *any || same;
        if (!same)
            at += chunk;
    }
    return true;
}

static bool
shrink(struct shrink *x)
{
    uint32_t chunk = x->f->ndevs;
    bool any = false;

    while (chunk > 0 && may_try(x)) {
        if (!round_of(x, chunk, &any))
            return false;
        if (chunk == 1 && any)
            continue;
        chunk /= 2;
    }
    return x->f->ndevs < 2 || !may_try(x) || search(x);
}

enum rt_status
explore_shrink(const struct explore_target *t, const struct seed_rules *rules,
    struct explore_failure *f, uint32_t runs, int64_t ns, uint32_t *took,
    struct rt_err *err)
{
    struct shrink x = {.f = f, .most = runs, .until = rt_nanotime() + ns};
    enum rt_status st = worker_start(&x.w, t, rules, NULL, err);
    bool same = false, alive;

    *took = 0;
    if (st != RT_OK)
        return st;
    x.room = f->ndevs;
    x.try = malloc((f->ndevs + 1) * sizeof *x.try);
    if (x.try == NULL) {
        worker_stop(&x.w);
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    memcpy(x.try, f->devs, f->ndevs * sizeof *x.try);
    alive = attempt(&x, f->ndevs, &same) && (!same || shrink(&x));
    worker_stop(&x.w);
    free(x.try);
    *took = x.runs;
    if (!alive)
        return rt_errf(err, RT_EIO, UINT64_MAX, "a worker has died");
    if (!same)
        return rt_errf(err, RT_ESTATE, UINT64_MAX,
            "the decisions alone do not show the failure again");
    return RT_OK;
}
