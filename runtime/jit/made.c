/* SPDX-License-Identifier: MIT */

/*
 * What has been made is told to whoever asked for it: the files for perf, and
 * a listing.
 */
#include "runtime/jit/jit_int.h"

const struct code_ins *
jit_made_spot(const struct jit_made *m, uint32_t i, size_t *at)
{
    rt_assert(i < m->nspots && m->spots[i].addr >= m->addr);
    *at = m->spots[i].addr - m->addr;
    rt_assert(*at <= m->n);
    return m->im->code + m->spots[i].off;
}

void
jit_tell(const struct jit_fn *c, uint32_t first)
{
    struct jit *jit = c->jit;
    struct jit_made m = {.im = c->im, .func = c->f, .code = c->start,
        .n = (size_t)(c->b.p - c->start), .addr = jit_exec(jit, c->start),
        .spots = jit->spots + first, .nspots = jit->nspots - first};

    rt_assert(m.n > 0 && m.code >= jit->region.write);
    rt_assert(first < jit->nspots);
    if (jit->perf >= 0)
        jit_perf_put(jit, &m);
    if (jit->dump >= 0)
        jit_dump_put(jit, &m);
    if (jit->cfg.made != NULL)
        jit->cfg.made(jit->cfg.made_arg, &m);
}
