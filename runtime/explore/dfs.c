/* SPDX-License-Identifier: MIT */
#include "runtime/explore/dfs.h"

#include <stdlib.h>

#include "runtime/base/throw.h"

bool
dfs_devs_valid(const struct seed_dev *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (v[i].rank == 0 || (i > 0 && v[i].at <= v[i - 1].at))
            return false;
    return true;
}

bool
dfs_valid(const struct dfs *x)
{
    if (x->done ? x->level != x->bound + 1 : x->level > x->bound)
        return false;
    return x->ndevs <= x->level && (x->ndevs == 0 || x->devs != NULL) &&
        dfs_devs_valid(x->devs, x->ndevs);
}

void
dfs_begin(struct dfs *x, uint32_t bound)
{
    *x = (struct dfs){.bound = bound};
}

void
dfs_free(struct dfs *x)
{
    free(x->devs);
    x->devs = NULL;
}

bool
dfs_next(const struct dfs *x, uint64_t seed, struct seed_plan *out)
{
    rt_assert(dfs_valid(x));
    *out = (struct seed_plan){
        .seed = seed,
        .kind = SEED_SCRIPT,
        .devs = x->devs,
        .ndevs = x->ndevs,
    };
    return !x->done;
}

/*
 * The next of this level: at the last decision whose rank can grow, with fewer
 * than `level` deviations before it, that is one more, and none follows.  What
 * levels before have had comes again: the way to the others leads through it.
 */
static bool
advance(struct dfs *x, const struct seed_result *r)
{
    uint32_t before = 0;

    for (uint32_t i = 0; i < r->nrecs; i++) {
        rt_assert(r->recs[i].rank < r->recs[i].ncand);
        before += r->recs[i].rank != 0;
    }
    for (uint32_t i = r->nrecs; i-- > 0;) {
        const struct seed_rec *d = &r->recs[i];

        before -= d->rank != 0;
        if (d->rank + 1 >= d->ncand || before >= x->level)
            continue;
        struct seed_dev *v = malloc((before + 1) * sizeof *v);
        uint32_t n = 0;

        if (v == NULL)
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (r->recs[k].rank != 0)
                v[n++] = (struct seed_dev){k, r->recs[k].rank};
        v[n++] = (struct seed_dev){i, d->rank + 1u};
        rt_assert(n == before + 1 && n <= x->level);
        free(x->devs);
        x->devs = v;
        x->ndevs = n;
        return true;
    }
    x->ndevs = 0;
    if (x->level++ == x->bound)
        x->done = true;
    return true;
}

bool
dfs_ran(struct dfs *x, const struct seed_result *r)
{
    bool ok = x->done || advance(x, r);

    rt_assert(dfs_valid(x));
    return ok;
}
