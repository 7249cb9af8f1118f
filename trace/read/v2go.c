/* SPDX-License-Identifier: MIT */
/* Events of goroutines: trace/read/v2step.c. */
#include "trace/read/v2step.h"

#include <string.h>

/* ---- reasons */

static unsigned
block_kind(struct v2_state *s, uint32_t str)
{
    static const struct {
        const char *text;
        unsigned kind;
    } all[] = {
        {"network", TRACE_EV_GO_BLOCK_NET},
        {"select", TRACE_EV_GO_BLOCK_SELECT},
        {"sync.(*Cond).Wait", TRACE_EV_GO_BLOCK_COND},
        {"sync", TRACE_EV_GO_BLOCK_SYNC},
        {"chan send", TRACE_EV_GO_BLOCK_SEND},
        {"chan receive", TRACE_EV_GO_BLOCK_RECV},
        {"GC mark assist wait for work", TRACE_EV_GO_BLOCK_GC},
        {"GC weak to strong wait", TRACE_EV_GO_BLOCK_GC},
        {"sleep", TRACE_EV_GO_SLEEP},
        {"forever", TRACE_EV_GO_STOP},
    };
    struct trace_text t;
    unsigned i, kind = TRACE_EV_GO_BLOCK;

    if (str < s->kinds_cap && s->kind_of[str] != 0)
        return s->kind_of[str];
    t = trace_file_string(s->f, str);
    for (i = 0; i < sizeof all / sizeof *all; i++) {
        if (t.len == strlen(all[i].text) &&
            memcmp(t.s, all[i].text, t.len) == 0)
            kind = all[i].kind;
    }
    if (trace_grow(&s->kind_of, &s->kinds_cap, str, 1))
        s->kind_of[str] = (uint8_t)kind;
    return kind;
}

/* ---- goroutines that are there at the start */

static void
put_existing(struct step *x, struct v2_g *g, uint64_t thread)
{
    struct trace_event *e = v2_put_create(x, g->id, 0, true);
    struct v2_p *p = v2_find_p(x->s, x->c.p);

    e->snapshot = true;
    e->g = 0;
    switch (g->status) {
    case V2_GO_RUNNABLE:
        e->stk = x->it->stk;
        return;
    case V2_GO_RUNNING:
        e = v2_put_start(x, g->id, 0, false);
        break;
    case V2_GO_WAITING:
        e = v2_put(x, TRACE_EV_GO_WAITING, false);
        e->g = g->id;
        v2_arg(e, g->id);
        break;
    default:
        e->m = (int64_t)thread;
        if (thread == x->c.m && p != NULL && p->status == V2_P_SYSCALL) {
            v2_put_start(x, g->id, 0, false)->snapshot = true;
            e = v2_put(x, TRACE_EV_GO_SYS_CALL, false);
            e->g = g->id;
            break;
        }
        g->lost_p = true;
        e = v2_put(x, TRACE_EV_GO_IN_SYSCALL, false);
        e->g = g->id;
        e->p = TRACE_NO_P;
        e->m = (int64_t)thread;
        v2_arg(e, g->id);
        break;
    }
    e->stk = x->it->stk;
    e->snapshot = true;
}

/* Where a goroutine in a system call is. */
static enum v2_step
bind_syscall(struct step *x, const struct v2_g *g, uint64_t thread)
{
    struct v2_state *s = x->s;
    int64_t mi;

    if (thread == V2_NONE)
        return BAD(x, "go-status", "goroutine %llu is in a system call "
            "without a thread", (ull)g->id);
    if (thread == x->c.m) {
        if (!s->initial && x->c.g != g->id)
            return BAD(x, "go-status", "goroutine %llu is in a system call "
                "on thread %llu, which has another one", (ull)g->id,
                (ull)thread);
        x->m->g = g->id;
        return V2_OK;
    }
    mi = trace_idmap_get(&s->mmap, thread);
    if (mi >= 0 && s->ms[mi].g != V2_NONE && s->ms[mi].g != g->id)
        return BAD(x, "go-status", "goroutine %llu is in a system call on "
            "thread %llu, which has goroutine %llu", (ull)g->id, (ull)thread,
            (ull)s->ms[mi].g);
    mi = v2_thread(s, thread);
    if (mi < 0)
        return V2_NOMEM;
    if (x->m != NULL)
        x->m = &s->ms[x->mi];
    s->ms[mi].g = g->id;
    return V2_OK;
}

enum v2_step
v2_do_go_status(struct step *x)
{
    struct v2_state *s = x->s;
    uint64_t id = x->a[0], thread = x->a[1], status = x->a[2];
    struct v2_g *g = v2_find_g(s, id);
    bool known = g != NULL;
    enum v2_step st = V2_OK;

    if (status < V2_GO_RUNNABLE || status > V2_GO_WAITING)
        return BAD(x, "go-status", "invalid status of goroutine %llu: %llu",
            (ull)id, (ull)status);
    if (known && g->status != status)
        return BAD(x, "go-status", "goroutine %llu has status %u, not the "
            "%llu that is told", (ull)id, g->status, (ull)status);
    if (!known && !s->initial)
        return BAD(x, "go-status", "goroutine %llu appears with a status "
            "after the first generation", (ull)id);
    if (!known && (g = v2_make_g(s, id)) == NULL)
        return V2_NOMEM;
    v2_set_g(s, g, (uint8_t)status, 0);
    if (status == V2_GO_RUNNING && x->m != NULL)
        x->m->g = id;
    if (status == V2_GO_SYSCALL)
        st = bind_syscall(x, g, thread);
    if (st != V2_OK)
        return st;
    if (known)
        v2_put_nothing(x);
    else
        put_existing(x, g, thread);
    return V2_OK;
}

/* ---- goroutines */

enum v2_step
v2_do_go_create(struct step *x)
{
    struct v2_state *s = x->s;
    bool blocked = x->it->ev.type == V2_GO_CREATE_BLOCKED;
    enum v2_step st = v2_check_ctx(x, MUST, MAY);
    struct v2_g *g = v2_find_g(s, x->c.g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (g != NULL && g->status != V2_GO_RUNNING)
        return BAD(x, "go-state", "%s by goroutine %llu, which does not run",
            v2_name(x->it->ev.type), (ull)g->id);
    if (v2_find_g(s, x->a[0]) != NULL)
        return BAD(x, "go-create", "goroutine %llu exists already",
            (ull)x->a[0]);
    g = v2_make_g(s, x->a[0]);
    if (g == NULL)
        return V2_NOMEM;
    g->nregions = 0;
    g->lost_p = g->assist = false;
    g->stw = 0;
    v2_set_g(s, g, blocked ? V2_GO_WAITING : V2_GO_RUNNABLE, 0);
    v2_put_create(x, g->id, x->it->stk2, true)->stk = x->it->stk;
    if (blocked) {
        e = v2_put(x, TRACE_EV_GO_WAITING, false);
        e->g = g->id;
        v2_arg(e, g->id);
        v2_because_text(e, "coroutine");
    }
    return V2_OK;
}

enum v2_step
v2_do_go_create_syscall(struct step *x)
{
    struct v2_state *s = x->s;
    enum v2_step st = v2_check_ctx(x, MAY, MUST_NOT);
    struct trace_event *e;
    struct v2_g *g;

    if (st != V2_OK)
        return st;
    if (v2_find_g(s, x->a[0]) != NULL)
        return BAD(x, "go-create", "goroutine %llu exists already",
            (ull)x->a[0]);
    g = v2_make_g(s, x->a[0]);
    if (g == NULL)
        return V2_NOMEM;
    g->nregions = 0;
    g->assist = false;
    g->stw = 0;
    v2_set_g(s, g, V2_GO_SYSCALL, 0);
    g->lost_p = true;
    x->m->g = g->id;
    v2_put_create(x, g->id, 0, true);
    e = v2_put(x, TRACE_EV_GO_IN_SYSCALL, false);
    e->g = g->id;
    e->p = TRACE_NO_P;
    v2_arg(e, g->id);
    return V2_OK;
}

enum v2_step
v2_do_go_destroy_syscall(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_p *p = v2_find_p(s, x->c.p);
    struct v2_g *g;
    enum v2_step st = v2_own_g(x, MAY, V2_GO_SYSCALL, &g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (x->c.p != V2_NONE && (p == NULL || p->status != V2_P_SYSCALL))
        return BAD(x, "proc-state", "GoDestroySyscall on P %lld, which is "
            "not in a system call", (long long)x->c.p);
    rt_assert(x->m != NULL && x->m->g == g->id);
    g->status = 0;
    x->m->g = V2_NONE;
    if (p != NULL) {
        /* The thread leaves the P to whoever takes it. */
        p->status = V2_P_ABANDONED;
        e = v2_put(x, TRACE_EV_PROC_STOP, true);
        e->g = 0;
        v2_unbind(s, x->mi, p);
        v2_changed_p(s, p);
    }
    v2_put(x, TRACE_EV_GO_END, true);
    v2_changed_g(s, g);
    return V2_OK;
}

enum v2_step
v2_do_go_start(struct step *x)
{
    struct v2_g *g = v2_find_g(x->s, x->a[0]);
    enum v2_step st;

    if (g == NULL || g->status != V2_GO_RUNNABLE ||
        !v2_follows_g(x->s, g, x->a[1]))
        return v2_wait_g(x, x->a[0], x->a[1]);
    st = v2_check_ctx(x, MUST, MUST_NOT);
    if (st != V2_OK)
        return st;
    rt_assert(x->m != NULL && x->m->g == V2_NONE);
    v2_set_g(x->s, g, V2_GO_RUNNING, x->a[1]);
    x->m->g = g->id;
    v2_put_start(x, g->id, x->a[1], true);
    return V2_OK;
}

enum v2_step
v2_do_go_leave(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_g *g;
    enum v2_step st = v2_own_g(x, MUST, V2_GO_RUNNING, &g);
    struct trace_event *e;
    struct trace_text t;

    if (st != V2_OK)
        return st;
    switch (x->it->ev.type) {
    case V2_GO_DESTROY:
        g->status = 0;
        g->nregions = 0;
        e = v2_put(x, TRACE_EV_GO_END, true);
        break;
    case V2_GO_STOP:
        g->status = V2_GO_RUNNABLE;
        t = v2_text(s->f, x->it->str);
        e = v2_put(x, t.len == 9 && memcmp(t.s, "preempted", 9) == 0 ?
            TRACE_EV_GO_PREEMPT : TRACE_EV_GO_SCHED, true);
        break;
    default:
        g->status = V2_GO_WAITING;
        e = v2_put(x, block_kind(s, x->it->str), true);
        break;
    }
    e->stk = x->it->stk;
    v2_because(x, e, x->it->str);
    x->m->g = V2_NONE;
    v2_changed_g(s, g);
    return V2_OK;
}

enum v2_step
v2_do_go_unblock(struct step *x)
{
    struct v2_g *g = v2_find_g(x->s, x->a[0]);
    struct trace_event *e;

    if (g == NULL || g->status != V2_GO_WAITING ||
        !v2_follows_g(x->s, g, x->a[1]))
        return v2_wait_g(x, x->a[0], x->a[1]);
    v2_set_g(x->s, g, V2_GO_RUNNABLE, x->a[1]);
    e = v2_put(x, TRACE_EV_GO_UNBLOCK, true);
    e->stk = x->it->stk;
    v2_args(e, g->id, x->a[1]);
    return V2_OK;
}

/* Coroutines: one goes to sleep or ends, the other runs in its place. */
enum v2_step
v2_do_go_switch(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_g *g, *next = v2_find_g(s, x->a[0]);
    enum v2_step st = v2_own_g(x, MUST, V2_GO_RUNNING, &g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (next == NULL || next->status != V2_GO_WAITING ||
        !v2_follows_g(s, next, x->a[1]))
        return v2_wait_g(x, x->a[0], x->a[1]);
    e = v2_put(x, TRACE_EV_GO_UNBLOCK, true);
    v2_arg(e, next->id);
    v2_arg(e, x->a[1]);
    if (x->it->ev.type == V2_GO_SWITCH) {
        g->status = V2_GO_WAITING;
        v2_because_text(v2_put(x, TRACE_EV_GO_BLOCK, true), "coroutine");
    } else {
        g->status = 0;
        g->nregions = 0;
        v2_put(x, TRACE_EV_GO_END, true);
    }
    v2_changed_g(s, g);
    v2_set_g(s, next, V2_GO_RUNNING, x->a[1]);
    x->m->g = next->id;
    v2_put_start(x, next->id, x->a[1], true);
    return V2_OK;
}

/* ---- system calls */

enum v2_step
v2_do_syscall_begin(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_p *p = v2_find_p(s, x->c.p);
    struct v2_g *g;
    enum v2_step st = v2_own_g(x, MUST, V2_GO_RUNNING, &g);

    if (st != V2_OK)
        return st;
    if (p == NULL)
        return BAD(x, "proc-state", "GoSyscallBegin on P %lld, which is not "
            "known", (long long)x->c.p);
    if (!v2_follows_p(s, p, x->a[0]))
        return BAD(x, "sequence", "GoSyscallBegin has number %llu of P "
            "%llu, which is at %llu", (ull)x->a[0], (ull)p->id, (ull)p->seq);
    rt_assert(x->m != NULL && x->m->p == p->id && x->m->g == g->id);
    g->status = V2_GO_SYSCALL;
    g->lost_p = false;
    p->status = V2_P_SYSCALL;
    p->seq = x->a[0];
    v2_changed_p(s, p);
    v2_put(x, TRACE_EV_GO_SYS_CALL, true)->stk = x->it->stk;
    return V2_OK;
}

enum v2_step
v2_do_syscall_end(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_p *p = v2_find_p(s, x->c.p);
    struct v2_g *g;
    enum v2_step st = v2_own_g(x, MUST, V2_GO_SYSCALL, &g);

    if (st != V2_OK)
        return st;
    if (p == NULL || p->status != V2_P_SYSCALL)
        return BAD(x, "proc-state", "GoSyscallEnd on P %lld, which is not in "
            "a system call", (long long)x->c.p);
    g->status = V2_GO_RUNNING;
    p->status = V2_P_RUNNING;
    v2_changed_p(s, p);
    if (!g->lost_p) {
        v2_put(x, TRACE_EV_GO_SYSCALL_END, true);
        return V2_OK;
    }
    g->lost_p = false;
    v2_put_sys_exit(x, g->id, true);
    v2_put_start(x, g->id, g->seq, false);
    return V2_OK;
}

enum v2_step
v2_do_syscall_end_blocked(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_p *p = v2_find_p(s, x->c.p);
    struct v2_g *g;
    enum v2_step st;

    if (x->c.p != V2_NONE && p == NULL)
        return BAD(x, "proc-state", "GoSyscallEndBlocked on P %lld, which is "
            "not known", (long long)x->c.p);
    if (p != NULL && p->status == V2_P_SYSCALL)
        return v2_wait_m(x);
    st = v2_own_g(x, MAY, V2_GO_SYSCALL, &g);
    if (st != V2_OK)
        return st;
    v2_put_sys_block(x, g, V2_NONE, x->c.m);
    g->status = V2_GO_RUNNABLE;
    g->lost_p = false;
    x->m->g = V2_NONE;
    v2_put_sys_exit(x, g->id, true);
    v2_changed_g(s, g);
    return V2_OK;
}
