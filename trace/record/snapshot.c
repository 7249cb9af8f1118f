/* SPDX-License-Identifier: MIT */
/*
 * The events that a trace begins and ends with: what there is when recording
 * starts, and the end of all that is under way when it stops.  Both with the
 * world stopped.
 */
#include "trace/record/trace_int.h"

/* ---- the beginning */

struct snapshot {
    struct trace_rec *r;
    struct trace_psnap self;  /* b == NULL: the caller has no P */
    uint64_t procs;
    uint64_t last;            /* tick of the last event */
};

static void
find_self(void *arg, const struct trace_psnap *p)
{
    struct snapshot *sn = arg;

    sn->procs++;
    if (p->self)
        sn->self = *p;
}

static void
snap_g(void *arg, const struct trace_gsnap *g)
{
    struct snapshot *sn = arg;
    struct trace_pbuf *b = &sn->r->s->global;

    rt_assert(a32_load_rlx(&sn->r->on) == 0 || sn->r->s->fl != NULL);
    trace_emit_create(sn->r, b, g->g, g->goid, g->entry, 0);
    if (g->status == TRACE_G_WAITING || g->status == TRACE_G_SYSCALL)
        trace_emit_waiting(sn->r, b, g->g, g->status == TRACE_G_SYSCALL);
}

/* b goes on where the last buffer has ended.  Its clock alone would not do:
 * many events in one tick run ahead of it. */
static void
go_on_in(struct snapshot *sn, struct trace_pbuf *b)
{
    if (b->last < sn->last)
        b->last = sn->last;
}

static void
snap_p(void *arg, const struct trace_psnap *p)
{
    struct snapshot *sn = arg;

    rt_assert(p->b->id >= 0 && (p->running || p->g == NULL));
    go_on_in(sn, p->b);
    if (p->running)
        trace_emit_proc_start(sn->r, p->b, p->thread);
    if (p->running && p->g != NULL)
        trace_emit_start(sn->r, p->b, p->g);
}

static void
snap_other_p(void *arg, const struct trace_psnap *p)
{
    if (!p->self)
        snap_p(arg, p);
}

/*
 * The order that readers expect: every G, the caller's P and G, Gomaxprocs,
 * the other Ps.  Go's newer tools take the first Gomaxprocs only as the end of
 * the snapshot, and learn the number for their analysis of mutator utilization
 * from a second one.
 *
 * The Gs are on no P: those tools believe of a G that GoInSyscall tells of on
 * a P that its call is under way there, and panic when that P stops while the
 * G has run and stopped elsewhere.
 */
void
trace_snapshot(struct trace_rec *r)
{
    struct snapshot sn = {.r = r};
    struct trace_pbuf *b = &r->s->global;
    vpc pcs[TRACE_STACK_MAX];
    uint32_t n, stack;

    r->host->for_each_p(r->ctx, find_self, &sn);
    r->host->for_each_g(r->ctx, snap_g, &sn);
    sn.last = b->last;
    rt_assert(sn.procs > 0);
    if (sn.self.b != NULL) {
        b = sn.self.b;
        snap_p(&sn, &sn.self);
    }
    n = trace_walk(r, pcs);
    stack = trace_stacktab_put(&r->s->stacks, pcs, n);
    trace_emit_gomaxprocs(r, b, sn.procs, stack);
    trace_emit_gomaxprocs(r, b, sn.procs, stack);
    sn.last = b->last;
    r->host->for_each_p(r->ctx, snap_other_p, &sn);
}

/* ---- the end */

static void
snapshot_close_p(void *arg, const struct trace_psnap *p)
{
    struct trace_rec *r = arg;
    vpc pcs[TRACE_STACK_MAX];
    uint32_t n = 0;

    if (p->b->goid != 0 && p->self)
        n = trace_walk(r, pcs);
    else if (p->b->goid != 0 && p->g != NULL)
        n = r->host->walk_g(r->ctx, p->g, pcs, r->max_stack);
    trace_emit_close(r, p->b, pcs, n, r->s->fl != NULL);
}

/* First of all comes a buffer on which a G runs: viewers look up the G of
 * events about the process. */
void
trace_close_all(struct trace_rec *r)
{
    struct trace_state *s = r->s;
    struct trace_pbuf *b, *busy = &s->global;

    for (b = s->pbufs; b != NULL; b = b->next) {
        if (b->goid != 0)
            busy = b;
    }
    rt_lock(&s->global_lock);
    trace_emit_close_process(r, busy, s->fl != NULL);
    rt_unlock(&s->global_lock);
    r->host->for_each_p(r->ctx, snapshot_close_p, r);
    if (s->fl != NULL)
        return; /* the others run nothing */
    rt_lock(&s->global_lock);
    for (b = s->pbufs; b != NULL; b = b->next)
        trace_emit_close(r, b, NULL, 0, false);
    rt_unlock(&s->global_lock);
}
