/* SPDX-License-Identifier: MIT */
#include "profile/record/profile.h"

#include <string.h>

#include "runtime/base/throw.h"

void
prof_init(struct prof *p, const struct prof_host *host, void *ctx,
    const struct rt_clock *clock, struct trace_rec *trace)
{
    uint64_t seed = (uint64_t)rt_nanotime() ^ (uintptr_t)p;

    memset(p, 0, sizeof *p);
    p->host = host;
    p->ctx = ctx;
    p->clock = clock;
    p->trace = trace;
    prof_buckets_init(&p->buckets, &p->os);
    mprof_init(&p->mem, &p->buckets, MPROF_RATE_DEFAULT, seed,
        host->walk_self, ctx);
    prof_block_init(&p->block, &p->buckets, clock, seed + 1);
}

void
prof_fini(struct prof *p)
{
    prof_buckets_fini(&p->buckets);
}
