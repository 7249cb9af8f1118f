/* SPDX-License-Identifier: MIT */
#include "profile/record/profile.h"

#include <string.h>

#include "runtime/base/throw.h"

void
prof_init(struct prof *p, const struct prof_host *host, void *ctx,
    const struct rt_clock *clock, struct trace_rec *trace, uint64_t seed)
{
    memset(p, 0, sizeof *p);
    p->host = host;
    p->ctx = ctx;
    p->clock = clock;
    p->trace = trace;
    prof_buckets_init(&p->buckets, &p->os);
    mprof_init(&p->mem, &p->buckets, MPROF_RATE_DEFAULT, seed,
        host->walk_self, ctx);
    prof_block_init(&p->block, &p->buckets, clock, seed + 1);
    prof_threads_init(&p->threads);
    prof_timed_init(&p->cpu, &prof_cpu_kind);
    prof_timed_init(&p->wall, &prof_wall_kind);
    rt_lock_init(&p->gor.ctl, RANK_PROF_CTL);
    rt_lock_init(&p->gor.lock, RANK_PROF_GOR);
}

void
prof_set_block_rate(struct prof *p, int64_t ns)
{
    p->host->stop_world(p->ctx);
    prof_block_set_rate(&p->block, ns);
    p->host->start_world(p->ctx);
}

void
prof_fini(struct prof *p)
{
    prof_timed_fini(p, &p->wall);
    prof_timed_fini(p, &p->cpu);
    prof_threads_fini(&p->threads);
    prof_buckets_fini(&p->buckets);
}
