/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_V2QUICK_H
#define TRACE_READ_V2QUICK_H

/*
 * The short way through v2_step() for the three events that are nearly all of
 * most traces, in the case that they are nearly always in; for
 * trace/read/v2order.c only.  It must give what the long way gives.
 */

#include <assert.h>

#include "trace/read/v2state.h"

/* The goroutine if it is in that state and nobody waits for it; NULL: the
 * long way will tell. */
static inline struct v2_g *
v2_quick_g(struct v2_state *s, uint64_t id, uint8_t status)
{
    int64_t i = trace_idmap_get(&s->gmap, id);
    struct v2_g *g = i < 0 ? NULL : &s->gs[i];

    return g == NULL || g->status != status || g->waiters != 0 ? NULL : g;
}

/* v2_do_go_start(), v2_do_go_unblock() and the block of v2_do_go_leave()
 * (trace/read/v2go.c), where nothing is wrong and nothing waits for it: one
 * event, whose constant fields are in *e already and whose ns is left to the
 * caller.  False: no such case, nothing has changed but *e. */
static inline bool
v2_quick_step(struct v2_state *s, const struct v2_item *it, struct v2_m *m,
    struct trace_event *e)
{
    const uint64_t *a = it->ev.args + 1;
    uint64_t gen = s->gen->gen;
    struct trace_text why;
    struct v2_g *g;

    static_assert(TRACE_NO_P == (int64_t)V2_NONE &&
        TRACE_NO_M == (int64_t)V2_NONE, "none is none");
    e->p = (int64_t)m->p;
    e->m = (int64_t)m->id;
    e->off = it->off;
    e->ts = it->ticks;
    e->wire = it->ev.type;
    e->stk = it->stk;
    switch (it->ev.type) {
    case V2_GO_START:
        g = v2_quick_g(s, a[0], V2_GO_RUNNABLE);
        if (g == NULL || g->gen != gen || a[1] != g->seq + 1 ||
            m->p == V2_NONE || m->g != V2_NONE)
            return false;
        g->status = V2_GO_RUNNING;
        e->type = TRACE_EV_GO_START;
        e->g = m->g = a[0];
        break;
    case V2_GO_UNBLOCK:
        g = v2_quick_g(s, a[0], V2_GO_WAITING);
        if (g == NULL || g->gen != gen || a[1] != g->seq + 1)
            return false;
        g->status = V2_GO_RUNNABLE;
        e->type = TRACE_EV_GO_UNBLOCK;
        e->g = m->g == V2_NONE ? 0 : m->g;
        break;
    case V2_GO_BLOCK:
        if (m->p == V2_NONE || m->g == V2_NONE || it->str >= s->kinds_cap ||
            s->kind_of[it->str] == 0)
            return false;
        g = v2_quick_g(s, m->g, V2_GO_RUNNING);
        if (g == NULL)
            return false;
        g->status = V2_GO_WAITING;
        e->type = s->kind_of[it->str];
        e->g = m->g;
        m->g = V2_NONE;
        why = v2_text(s->f, it->str);
        e->why = why.s;
        e->why_len = why.len;
        e->nargs = 0;
        e->args[0] = e->args[1] = 0;
        return true;
    default:
        return false;
    }
    g->seq = a[1];
    e->args[0] = a[0];
    e->args[1] = a[1];
    e->nargs = 2;
    e->why = "";
    e->why_len = 0;
    return true;
}

#endif
