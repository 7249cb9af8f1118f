/* SPDX-License-Identifier: MIT */
/*
 * One event against the state (internal/trace/order.go of Go 1.22 and later
 * has the rules).  A rule that can become true later makes the event wait;
 * one that cannot is a broken file.
 *
 *     ProcStart p, n     p idle, n its next number; the thread has no P
 *     ProcSteal p, n, m  p in a system call, n its next number; m has it
 *     GoStart g, n       g runnable, n its next number
 *     GoUnblock g, n     g waiting, n its next number
 *     GoSwitch g, n      the same; the running one waits, g runs
 *     GoSyscallEndBlocked  the thread's P is no longer in the system call
 *     GCBegin, GCEnd n   n the next number of the collector
 *
 * All others follow from the order of their thread.  In a generation's first
 * mention each goroutine and P has its status told, which sets its number to
 * 0; in the first generation that is how they come into being.
 */
#include "trace/read/v2step.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/compiler.h"
#include "runtime/base/throw.h"

/* ---- tables */

/* The goroutine, there or not; NULL: no memory. */
struct v2_g *
v2_make_g(struct v2_state *s, uint64_t id)
{
    int64_t i = trace_idmap_row(&s->gmap, id, &s->gs, &s->gs_cap, sizeof *s->gs,
        NULL);

    if (i < 0)
        return NULL;
    s->gs[i].id = id;
    return &s->gs[i];
}

struct v2_p *
v2_make_p(struct v2_state *s, uint64_t id)
{
    int64_t i = trace_idmap_row(&s->pmap, id, &s->ps, &s->ps_cap, sizeof *s->ps,
        NULL);

    if (i < 0)
        return NULL;
    s->ps[i].id = id;
    return &s->ps[i];
}

int64_t
v2_thread(struct v2_state *s, uint64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_row(&s->mmap, id, &s->ms, &s->ms_cap, sizeof *s->ms,
        &fresh);

    if (i < 0)
        return -1;
    if (fresh) {
        s->ms[i].id = id;
        s->ms[i].g = V2_NONE;
        s->ms[i].p = V2_NONE;
    }
    return i;
}

enum v2_step
v2_wait_g(struct step *x, uint64_t id, uint64_t seq)
{
    struct v2_g *g = v2_make_g(x->s, id);

    if (g == NULL)
        return V2_NOMEM;
    x->s->need = (uint32_t)(g - x->s->gs);
    x->s->need_seq = seq;
    return V2_WAIT_G;
}

enum v2_step
v2_wait_p(struct step *x, uint64_t id, uint64_t seq)
{
    struct v2_p *p = v2_make_p(x->s, id);

    if (p == NULL)
        return V2_NOMEM;
    x->s->need = (uint32_t)(p - x->s->ps);
    x->s->need_seq = seq;
    return V2_WAIT_P;
}

enum v2_step
v2_wait_m(struct step *x)
{
    rt_assert(x->m != NULL && x->mi < x->s->mmap.count);
    x->s->need = x->mi;
    return V2_WAIT_M;
}

enum v2_step
v2_wait_gc(struct step *x, uint64_t seq)
{
    x->s->need_seq = seq;
    return V2_WAIT_GC;
}

/* ---- changes */

void
v2_changed_p(struct v2_state *s, const struct v2_p *p)
{
    rt_assert(s->nwoke_p < 4 && s->nwoke_m < 4);
    s->woke_p[s->nwoke_p++] = (uint32_t)(p - s->ps);
    if (p->m != 0)
        s->woke_m[s->nwoke_m++] = p->m - 1;
}

/* The thread has no P any more. */
void
v2_unbind(struct v2_state *s, uint32_t mi, struct v2_p *p)
{
    rt_assert(mi < s->mmap.count && s->nwoke_m < 4);
    s->ms[mi].p = V2_NONE;
    s->woke_m[s->nwoke_m++] = mi;
    if (p != NULL && p->m == mi + 1)
        p->m = 0;
}

static void
bind(struct v2_state *s, uint32_t mi, struct v2_p *p)
{
    struct v2_p *old = v2_find_p(s, s->ms[mi].p);

    rt_assert(mi < s->mmap.count && p->status != 0);
    if (old != NULL && old != p && old->m == mi + 1)
        old->m = 0;
    s->ms[mi].p = p->id;
    p->m = mi + 1;
}

/* ---- what comes out */

/* An event of Go's reader that tells nothing new. */
void
v2_put_nothing(struct step *x)
{
    v2_put(x, TRACE_EV_NONE, true);
}

void
v2_because(const struct step *x, struct trace_event *e, uint32_t str)
{
    struct trace_text t = v2_text(x->s->f, str);

    e->why = t.s;
    e->why_len = t.len;
}

void
v2_because_text(struct trace_event *e, const char *text)
{
    e->why = text;
    e->why_len = (uint32_t)strlen(text);
}

struct trace_event *
v2_put_start(struct step *x, uint64_t g, uint64_t seq, bool counts)
{
    struct trace_event *e = v2_put(x, TRACE_EV_GO_START, counts);

    e->g = g;
    v2_args(e, g, seq);
    return e;
}

struct trace_event *
v2_put_create(struct step *x, uint64_t g, uint32_t entry, bool counts)
{
    struct trace_event *e = v2_put(x, TRACE_EV_GO_CREATE, counts);

    v2_arg(e, g);
    v2_arg(e, entry);
    return e;
}

/* A goroutine in a system call loses its P, if it still has one. */
void
v2_put_sys_block(struct step *x, struct v2_g *g, uint64_t p, uint64_t m)
{
    struct trace_event *e;

    if (g == NULL || g->status != V2_GO_SYSCALL || g->lost_p)
        return;
    e = v2_put(x, TRACE_EV_GO_SYS_BLOCK, false);
    e->g = g->id;
    e->p = p == V2_NONE ? TRACE_NO_P : (int64_t)p;
    e->m = m == V2_NONE ? TRACE_NO_M : (int64_t)m;
    g->lost_p = true;
}

void
v2_put_sys_exit(struct step *x, uint64_t g, bool counts)
{
    struct trace_event *e = v2_put(x, TRACE_EV_GO_SYS_EXIT, counts);

    e->g = g;
    v2_arg(e, g);
    v2_arg(e, 0);
    v2_arg(e, 0);
}

/* ---- what an event needs around it */

enum v2_step
v2_bad_ctx(struct step *x, enum need p, enum need g)
{
    const char *name = v2_name(x->it->ev.type);

    if (x->c.m == V2_NONE)
        return BAD(x, "context", "%s without a thread", name);
    if (p == MUST && x->c.p == V2_NONE)
        return BAD(x, "context", "%s on thread %llu, which has no P", name,
            (ull)x->c.m);
    if (p == MUST_NOT && x->c.p != V2_NONE)
        return BAD(x, "context", "%s on thread %llu, which has P %lld", name,
            (ull)x->c.m, (long long)x->c.p);
    if (g == MUST && x->c.g == V2_NONE)
        return BAD(x, "context", "%s on thread %llu, which runs no "
            "goroutine", name, (ull)x->c.m);
    if (g == MUST_NOT && x->c.g != V2_NONE)
        return BAD(x, "context", "%s on thread %llu, which runs goroutine "
            "%llu", name, (ull)x->c.m, (ull)x->c.g);
    return V2_OK;
}

/* The goroutine of this thread, in the given state. */
enum v2_step
v2_own_g(struct step *x, enum need p, uint8_t status, struct v2_g **out)
{
    static const char *const words[] = {"?", "runnable", "running",
        "in a system call", "waiting"};
    enum v2_step st = v2_check_ctx(x, p, MUST);
    struct v2_g *g;

    if (st != V2_OK)
        return st;
    g = v2_find_g(x->s, x->c.g);
    if (g == NULL)
        return BAD(x, "go-state", "%s of goroutine %llu, which does not "
            "exist", v2_name(x->it->ev.type), (ull)x->c.g);
    if (g->status != status)
        return BAD(x, "go-state", "%s of goroutine %llu, which is %s, not "
            "%s", v2_name(x->it->ev.type), (ull)x->c.g, words[g->status],
            words[status]);
    *out = g;
    return V2_OK;
}

/* ---- Ps */

static RT_NOINLINE enum v2_step
proc_status(struct step *x)
{
    struct v2_state *s = x->s;
    uint64_t id = x->a[0], status = x->a[1];
    struct v2_p *p = v2_find_p(s, id);
    bool known = p != NULL;
    struct trace_event *e;

    if (status < V2_P_RUNNING || status > V2_P_ABANDONED)
        return BAD(x, "proc-status", "invalid status of P %llu: %llu",
            (ull)id, (ull)status);
    if (known) {
        if (p->status != status && !(status == V2_P_ABANDONED &&
            p->status == V2_P_SYSCALL))
            return BAD(x, "proc-status", "P %llu has status %llu, not the "
                "%llu that is told", (ull)id, (ull)p->status, (ull)status);
        if (status == V2_P_ABANDONED && p->status == V2_P_SYSCALL) {
            if (p->m == 0)
                return BAD(x, "proc-status", "P %llu is about to be taken "
                    "from a thread that does not have it", (ull)id);
            status = V2_P_SYSCALL;
        }
    } else {
        p = v2_make_p(s, id);
        if (p == NULL)
            return V2_NOMEM;
        p->status = (uint8_t)status;
    }
    p->gen = s->gen->gen;
    p->seq = 0;
    if ((x->a[1] == V2_P_RUNNING || x->a[1] == V2_P_SYSCALL) && x->m != NULL)
        bind(s, x->mi, p);
    v2_changed_p(s, p);
    if (known || status == V2_P_IDLE || status == V2_P_ABANDONED) {
        v2_put_nothing(x);
        return V2_OK;
    }
    e = v2_put(x, TRACE_EV_PROC_START, true);
    e->p = (int64_t)id;
    e->snapshot = true;
    v2_arg(e, x->c.m);
    return V2_OK;
}

static RT_NOINLINE enum v2_step
proc_start(struct step *x)
{
    struct v2_state *s = x->s;
    uint64_t id = x->a[0], seq = x->a[1];
    struct v2_p *p = v2_find_p(s, id);
    struct trace_event *e;
    enum v2_step st;

    if (p == NULL || p->status != V2_P_IDLE || !v2_follows_p(s, p, seq))
        return v2_wait_p(x, id, seq);
    if (x->c.p != V2_NONE && x->m != NULL)
        return v2_wait_m(x);
    st = v2_check_ctx(x, MUST_NOT, MAY);
    if (st != V2_OK)
        return st;
    p->status = V2_P_RUNNING;
    p->seq = seq;
    bind(s, x->mi, p);
    v2_changed_p(s, p);
    e = v2_put(x, TRACE_EV_PROC_START, true);
    e->p = (int64_t)id;
    e->g = 0;
    v2_arg(e, x->c.m);
    return V2_OK;
}

static RT_NOINLINE enum v2_step
proc_stop(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_p *p = v2_find_p(s, x->c.p);
    enum v2_step st;

    if (p == NULL)
        return BAD(x, "proc-state", "ProcStop of a P that does not exist");
    if (p->status != V2_P_RUNNING && p->status != V2_P_SYSCALL)
        return BAD(x, "proc-state", "ProcStop of P %llu, which does not run",
            (ull)p->id);
    st = v2_check_ctx(x, MUST, MAY);
    if (st != V2_OK)
        return st;
    v2_put_sys_block(x, v2_find_g(s, x->c.g), x->c.p, x->c.m);
    p->status = V2_P_IDLE;
    v2_put(x, TRACE_EV_PROC_STOP, true)->g = 0;
    v2_unbind(s, x->mi, p);
    v2_changed_p(s, p);
    return V2_OK;
}

static RT_NOINLINE enum v2_step
proc_steal(struct step *x)
{
    struct v2_state *s = x->s;
    uint64_t id = x->a[0], seq = x->a[1], from = x->a[2];
    struct v2_p *p = v2_find_p(s, id);
    struct trace_event *e;
    bool abandoned;
    enum v2_step st;
    int64_t mi;

    if (p == NULL || !v2_follows_p(s, p, seq) ||
        (p->status != V2_P_SYSCALL && p->status != V2_P_ABANDONED))
        return v2_wait_p(x, id, seq);
    st = v2_check_ctx(x, MAY, MAY);
    if (st != V2_OK)
        return st;
    abandoned = p->status == V2_P_ABANDONED;
    if (!abandoned) {
        mi = trace_idmap_get(&s->mmap, from);
        if (mi < 0)
            return BAD(x, "proc-steal", "P %llu is taken from thread %llu, "
                "which does not exist", (ull)id, (ull)from);
        if (s->ms[mi].p != id)
            return BAD(x, "proc-steal", "P %llu is taken from thread %llu, "
                "which does not have it", (ull)id, (ull)from);
        v2_put_sys_block(x, v2_find_g(s, s->ms[mi].g), id, from);
        v2_unbind(s, (uint32_t)mi, p);
    }
    p->status = V2_P_IDLE;
    p->seq = seq;
    v2_changed_p(s, p);
    if (abandoned) { /* it has been idle since its thread left it */
        v2_put_nothing(x);
        return V2_OK;
    }
    e = v2_put(x, TRACE_EV_PROC_STOP, true);
    e->p = (int64_t)id;
    e->g = 0;
    return V2_OK;
}

/* ---- */

static enum v2_step
dispatch(struct step *x)
{
    switch (x->it->ev.type) {
    case V2_PROCS_CHANGE: return v2_do_metric(x, TRACE_EV_GOMAXPROCS, MUST);
    case V2_PROC_START: return proc_start(x);
    case V2_PROC_STOP: return proc_stop(x);
    case V2_PROC_STEAL: return proc_steal(x);
    case V2_PROC_STATUS: return proc_status(x);
    case V2_GO_CREATE:
    case V2_GO_CREATE_BLOCKED: return v2_do_go_create(x);
    case V2_GO_CREATE_SYSCALL: return v2_do_go_create_syscall(x);
    case V2_GO_START: return v2_do_go_start(x);
    case V2_GO_DESTROY:
    case V2_GO_STOP:
    case V2_GO_BLOCK: return v2_do_go_leave(x);
    case V2_GO_DESTROY_SYSCALL: return v2_do_go_destroy_syscall(x);
    case V2_GO_UNBLOCK: return v2_do_go_unblock(x);
    case V2_GO_SYSCALL_BEGIN: return v2_do_syscall_begin(x);
    case V2_GO_SYSCALL_END: return v2_do_syscall_end(x);
    case V2_GO_SYSCALL_END_BLOCKED: return v2_do_syscall_end_blocked(x);
    case V2_GO_STATUS:
    case V2_GO_STATUS_STACK: return v2_do_go_status(x);
    case V2_STW_BEGIN:
    case V2_STW_END: return v2_do_stop_the_world(x);
    case V2_GC_ACTIVE: return v2_do_gc_active(x);
    case V2_GC_BEGIN:
    case V2_GC_END: return v2_do_gc_edge(x);
    case V2_SWEEP_ACTIVE:
    case V2_SWEEP_BEGIN:
    case V2_SWEEP_END: return v2_do_sweep(x);
    case V2_ASSIST_ACTIVE:
    case V2_ASSIST_BEGIN:
    case V2_ASSIST_END: return v2_do_assist(x);
    case V2_HEAP_ALLOC: return v2_do_metric(x, TRACE_EV_HEAP_ALLOC, MAY);
    case V2_HEAP_GOAL: return v2_do_metric(x, TRACE_EV_HEAP_GOAL, MAY);
    case V2_GO_LABEL: return v2_do_metric(x, TRACE_EV_GO_LABEL, MUST);
    case V2_TASK_BEGIN:
    case V2_TASK_END: return v2_do_task(x);
    case V2_REGION_BEGIN:
    case V2_REGION_END: return v2_do_region(x);
    case V2_USER_LOG: return v2_do_user_log(x);
    case V2_GO_SWITCH:
    case V2_GO_SWITCH_DESTROY: return v2_do_go_switch(x);
    case V2_CLOCK_SNAPSHOT:
        return BAD(x, "record", "ClockSnapshot among events");
    default: /* an experiment's */
        v2_put_nothing(x);
        return v2_check_ctx(x, MAY, MAY);
    }
}

static RT_COLD enum v2_step
undefined(struct step *x)
{
    const struct v2_item *it = x->it;

    return BAD(x, it->undefined_string ? "string-id" : "stack-id",
        "%s uses %s %llu, which its generation does not define",
        v2_name(it->ev.type), it->undefined_string ? "string" : "stack",
        (ull)it->ev.args[it->undefined]);
}

enum v2_step
v2_step(struct v2_state *s, uint32_t m, const struct v2_item *it)
{
    struct step x = {.s = s, .it = it, .a = it->ev.args + 1, .mi = m,
        .c = {V2_NONE, V2_NONE, V2_NONE}};

    s->nout = 0;
    s->nwoke_g = s->nwoke_p = s->nwoke_m = 0;
    s->woke_gc = false;
    if (m != UINT32_MAX) {
        rt_assert(m < s->mmap.count);
        x.m = &s->ms[m];
        x.c.m = x.m->id;
        x.c.p = x.m->p;
        x.c.g = x.m->g;
    }
    if (it->undefined != 0 && s->gen->complete)
        return undefined(&x);
    return dispatch(&x);
}

bool
v2_state_valid(const struct v2_state *s)
{
    uint32_t i;

    if (s->gmap.count > s->gs_cap || s->pmap.count > s->ps_cap ||
        s->mmap.count > s->ms_cap || s->nout > V2_QUEUE)
        return false;
    for (i = 0; i < s->gmap.count; i++) {
        const struct v2_g *g = &s->gs[i];

        if (trace_idmap_get(&s->gmap, g->id) != (int64_t)i ||
            g->status > V2_GO_WAITING || g->nregions > g->regions_cap)
            return false;
    }
    for (i = 0; i < s->pmap.count; i++) {
        const struct v2_p *p = &s->ps[i];

        if (trace_idmap_get(&s->pmap, p->id) != (int64_t)i ||
            p->status > V2_P_ABANDONED || p->m > s->mmap.count ||
            (p->m != 0 && s->ms[p->m - 1].p != p->id))
            return false;
    }
    return trace_idmap_valid(&s->gmap) && trace_idmap_valid(&s->pmap) &&
        trace_idmap_valid(&s->mmap);
}

void
v2_state_clear(struct v2_state *s)
{
    uint64_t i;

    for (i = 0; i < s->gs_cap; i++)
        free(s->gs[i].regions);
    free(s->gs);
    free(s->ps);
    free(s->ms);
    free(s->task_open);
    free(s->kind_of);
    trace_idmap_free(&s->gmap);
    trace_idmap_free(&s->pmap);
    trace_idmap_free(&s->mmap);
    trace_idmap_free(&s->tasks);
}
