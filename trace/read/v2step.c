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
#include "trace/read/v2state.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

struct step {
    struct v2_state *s;
    const struct v2_event *ev;
    const uint64_t *a;      /* values after the time difference */
    struct v2_m *m;         /* NULL: no thread */
    uint32_t mi;
    uint64_t off, ticks;
    struct v2_ctx c;        /* before the event */
    uint32_t stk, stk2, str, str2; /* numbers of the file */
};

#define BAD(x, rule, ...) \
    (trace_file_problem((x)->s->f, TRACE_ERROR, (x)->off, rule, \
        __VA_ARGS__), V2_BAD)

/* ---- tables */

static struct v2_g *
find_g(struct v2_state *s, uint64_t id)
{
    int64_t i = trace_idmap_get(&s->gmap, id);

    return i < 0 || s->gs[i].status == 0 ? NULL : &s->gs[i];
}

/* The goroutine, there or not; NULL: no memory. */
static struct v2_g *
make_g(struct v2_state *s, uint64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_put(&s->gmap, id, &fresh);

    if (i < 0 || !trace_grow(&s->gs, &s->gs_cap, (uint64_t)i, sizeof *s->gs))
        return NULL;
    s->gs[i].id = id;
    return &s->gs[i];
}

static struct v2_p *
find_p(struct v2_state *s, uint64_t id)
{
    int64_t i = id == V2_NONE ? -1 : trace_idmap_get(&s->pmap, id);

    return i < 0 || s->ps[i].status == 0 ? NULL : &s->ps[i];
}

static struct v2_p *
make_p(struct v2_state *s, uint64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_put(&s->pmap, id, &fresh);

    if (i < 0 || !trace_grow(&s->ps, &s->ps_cap, (uint64_t)i, sizeof *s->ps))
        return NULL;
    s->ps[i].id = id;
    return &s->ps[i];
}

int64_t
v2_thread(struct v2_state *s, uint64_t id)
{
    bool fresh;
    int64_t i = trace_idmap_put(&s->mmap, id, &fresh);

    if (i < 0 || !trace_grow(&s->ms, &s->ms_cap, (uint64_t)i, sizeof *s->ms))
        return -1;
    if (fresh) {
        s->ms[i].id = id;
        s->ms[i].g = V2_NONE;
        s->ms[i].p = V2_NONE;
    }
    return i;
}

static enum v2_step
wait_g(struct step *x, uint64_t id, uint64_t seq)
{
    struct v2_g *g = make_g(x->s, id);

    if (g == NULL)
        return V2_NOMEM;
    x->s->need = (uint32_t)(g - x->s->gs);
    x->s->need_seq = seq;
    return V2_WAIT_G;
}

static enum v2_step
wait_p(struct step *x, uint64_t id, uint64_t seq)
{
    struct v2_p *p = make_p(x->s, id);

    if (p == NULL)
        return V2_NOMEM;
    x->s->need = (uint32_t)(p - x->s->ps);
    x->s->need_seq = seq;
    return V2_WAIT_P;
}

static enum v2_step
wait_m(struct step *x)
{
    x->s->need = x->mi;
    return V2_WAIT_M;
}

static enum v2_step
wait_gc(struct step *x, uint64_t seq)
{
    x->s->need_seq = seq;
    return V2_WAIT_GC;
}

/* ---- changes */

static void
changed_g(struct v2_state *s, const struct v2_g *g)
{
    s->woke_g[s->nwoke_g++] = (uint32_t)(g - s->gs);
}

static void
changed_p(struct v2_state *s, const struct v2_p *p)
{
    s->woke_p[s->nwoke_p++] = (uint32_t)(p - s->ps);
    if (p->m != 0)
        s->woke_m[s->nwoke_m++] = p->m - 1;
}

static void
set_g(struct v2_state *s, struct v2_g *g, uint8_t status, uint64_t seq)
{
    g->status = status;
    g->gen = s->gen->gen;
    g->seq = seq;
    changed_g(s, g);
}

static bool
follows_g(const struct v2_state *s, const struct v2_g *g, uint64_t seq)
{
    return g->gen == s->gen->gen && seq == g->seq + 1;
}

static bool
follows_p(const struct v2_state *s, const struct v2_p *p, uint64_t seq)
{
    return p->gen == s->gen->gen && seq == p->seq + 1;
}

/* The thread has no P any more. */
static void
unbind(struct v2_state *s, uint32_t mi, struct v2_p *p)
{
    s->ms[mi].p = V2_NONE;
    s->woke_m[s->nwoke_m++] = mi;
    if (p != NULL && p->m == mi + 1)
        p->m = 0;
}

static void
bind(struct v2_state *s, uint32_t mi, struct v2_p *p)
{
    struct v2_p *old = find_p(s, s->ms[mi].p);

    if (old != NULL && old != p && old->m == mi + 1)
        old->m = 0;
    s->ms[mi].p = p->id;
    p->m = mi + 1;
}

/* ---- what comes out */

static struct trace_event *
put(struct step *x, unsigned type, bool counts)
{
    struct v2_state *s = x->s;
    struct v2_out *o = &s->out[s->nout++];
    struct trace_event *e = &o->ev;

    memset(e, 0, sizeof *e);
    o->counts = counts;
    e->off = x->off;
    e->ts = x->ticks;
    e->type = (uint8_t)type;
    e->wire = x->ev->type;
    e->p = x->c.p == V2_NONE ? TRACE_NO_P : (int64_t)x->c.p;
    e->m = x->c.m == V2_NONE ? TRACE_NO_M : (int64_t)x->c.m;
    e->g = x->c.g == V2_NONE ? 0 : x->c.g;
    e->why = "";
    e->msg = "";
    e->derived = s->nout > 1 && s->out[0].ev.type != 0;
    return e;
}

/* An event of Go's reader that tells nothing new. */
static void
put_nothing(struct step *x)
{
    put(x, TRACE_EV_NONE, true);
}

static void
arg(struct trace_event *e, uint64_t v)
{
    e->args[e->nargs++] = v;
}

static void
because(const struct step *x, struct trace_event *e, uint32_t str)
{
    struct trace_text t = trace_file_string(x->s->f, str);

    e->why = t.s;
    e->why_len = t.len;
}

static void
because_text(struct trace_event *e, const char *text)
{
    e->why = text;
    e->why_len = (uint32_t)strlen(text);
}

static struct trace_event *
put_start(struct step *x, uint64_t g, uint64_t seq, bool counts)
{
    struct trace_event *e = put(x, TRACE_EV_GO_START, counts);

    e->g = g;
    arg(e, g);
    arg(e, seq);
    return e;
}

static struct trace_event *
put_create(struct step *x, uint64_t g, uint32_t entry, bool counts)
{
    struct trace_event *e = put(x, TRACE_EV_GO_CREATE, counts);

    arg(e, g);
    arg(e, entry);
    return e;
}

/* A goroutine in a system call loses its P, if it still has one. */
static void
put_sys_block(struct step *x, struct v2_g *g, uint64_t p, uint64_t m)
{
    struct trace_event *e;

    if (g == NULL || g->status != V2_GO_SYSCALL || g->lost_p)
        return;
    e = put(x, TRACE_EV_GO_SYS_BLOCK, false);
    e->g = g->id;
    e->p = p == V2_NONE ? TRACE_NO_P : (int64_t)p;
    e->m = m == V2_NONE ? TRACE_NO_M : (int64_t)m;
    g->lost_p = true;
}

static void
put_sys_exit(struct step *x, uint64_t g, bool counts)
{
    struct trace_event *e = put(x, TRACE_EV_GO_SYS_EXIT, counts);

    e->g = g;
    arg(e, g);
    arg(e, 0);
    arg(e, 0);
}

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
    };
    struct trace_text t = trace_file_string(s->f, str);
    unsigned i, kind = TRACE_EV_GO_BLOCK;

    if (str < s->kinds_cap && s->kind_of[str] != 0)
        return s->kind_of[str];
    for (i = 0; i < sizeof all / sizeof *all; i++) {
        if (t.len == strlen(all[i].text) &&
            memcmp(t.s, all[i].text, t.len) == 0)
            kind = all[i].kind;
    }
    if (trace_grow(&s->kind_of, &s->kinds_cap, str, 1))
        s->kind_of[str] = (uint8_t)kind;
    return kind;
}

/* The number of a reason to stop the world, as header 1.21 counts them. */
static uint64_t
stw_kind(const struct v2_state *s, uint32_t str)
{
    static const char *const all[] = {"unknown", "GC mark termination",
        "GC sweep termination", "write heap dump", "goroutine profile",
        "goroutine profile cleanup", "all goroutines stack trace",
        "read mem stats", "AllThreadsSyscall", "GOMAXPROCS", "start trace",
        "stop trace", "CountPagesInUse (test)", "ReadMetricsSlow (test)",
        "ReadMemStatsSlow (test)", "PageCachePagesLeaked (test)",
        "ResetDebugLog (test)"};
    struct trace_text t = trace_file_string(s->f, str);
    unsigned i;

    for (i = 0; i < sizeof all / sizeof *all; i++) {
        if (t.len == strlen(all[i]) && memcmp(t.s, all[i], t.len) == 0)
            return i;
    }
    return 0;
}

/* ---- what an event needs around it */

enum need { MUST_NOT, MAY, MUST };

static enum v2_step
check_ctx(struct step *x, enum need p, enum need g)
{
    const char *name = v2_name(x->ev->type);

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
static enum v2_step
own_g(struct step *x, enum need p, uint8_t status, struct v2_g **out)
{
    static const char *const words[] = {"?", "runnable", "running",
        "in a system call", "waiting"};
    enum v2_step st = check_ctx(x, p, MUST);
    struct v2_g *g;

    if (st != V2_OK)
        return st;
    g = find_g(x->s, x->c.g);
    if (g == NULL)
        return BAD(x, "go-state", "%s of goroutine %llu, which does not "
            "exist", v2_name(x->ev->type), (ull)x->c.g);
    if (g->status != status)
        return BAD(x, "go-state", "%s of goroutine %llu, which is %s, not "
            "%s", v2_name(x->ev->type), (ull)x->c.g, words[g->status],
            words[status]);
    *out = g;
    return V2_OK;
}

/* ---- Ps */

static enum v2_step
proc_status(struct step *x)
{
    struct v2_state *s = x->s;
    uint64_t id = x->a[0], status = x->a[1];
    struct v2_p *p = find_p(s, id);
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
        p = make_p(s, id);
        if (p == NULL)
            return V2_NOMEM;
        p->status = (uint8_t)status;
    }
    p->gen = s->gen->gen;
    p->seq = 0;
    if ((x->a[1] == V2_P_RUNNING || x->a[1] == V2_P_SYSCALL) && x->m != NULL)
        bind(s, x->mi, p);
    changed_p(s, p);
    if (known || status == V2_P_IDLE || status == V2_P_ABANDONED) {
        put_nothing(x);
        return V2_OK;
    }
    e = put(x, TRACE_EV_PROC_START, true);
    e->p = (int64_t)id;
    e->snapshot = true;
    arg(e, x->c.m);
    return V2_OK;
}

static enum v2_step
proc_start(struct step *x)
{
    struct v2_state *s = x->s;
    uint64_t id = x->a[0], seq = x->a[1];
    struct v2_p *p = find_p(s, id);
    struct trace_event *e;
    enum v2_step st;

    if (p == NULL || p->status != V2_P_IDLE || !follows_p(s, p, seq))
        return wait_p(x, id, seq);
    if (x->c.p != V2_NONE && x->m != NULL)
        return wait_m(x);
    st = check_ctx(x, MUST_NOT, MAY);
    if (st != V2_OK)
        return st;
    p->status = V2_P_RUNNING;
    p->seq = seq;
    bind(s, x->mi, p);
    changed_p(s, p);
    e = put(x, TRACE_EV_PROC_START, true);
    e->p = (int64_t)id;
    e->g = 0;
    arg(e, x->c.m);
    return V2_OK;
}

static enum v2_step
proc_stop(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_p *p = find_p(s, x->c.p);
    enum v2_step st;

    if (p == NULL)
        return BAD(x, "proc-state", "ProcStop of a P that does not exist");
    if (p->status != V2_P_RUNNING && p->status != V2_P_SYSCALL)
        return BAD(x, "proc-state", "ProcStop of P %llu, which does not run",
            (ull)p->id);
    st = check_ctx(x, MUST, MAY);
    if (st != V2_OK)
        return st;
    put_sys_block(x, find_g(s, x->c.g), x->c.p, x->c.m);
    p->status = V2_P_IDLE;
    put(x, TRACE_EV_PROC_STOP, true)->g = 0;
    unbind(s, x->mi, p);
    changed_p(s, p);
    return V2_OK;
}

static enum v2_step
proc_steal(struct step *x)
{
    struct v2_state *s = x->s;
    uint64_t id = x->a[0], seq = x->a[1], from = x->a[2];
    struct v2_p *p = find_p(s, id);
    struct trace_event *e;
    bool abandoned;
    enum v2_step st;
    int64_t mi;

    if (p == NULL || !follows_p(s, p, seq) ||
        (p->status != V2_P_SYSCALL && p->status != V2_P_ABANDONED))
        return wait_p(x, id, seq);
    st = check_ctx(x, MAY, MAY);
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
        put_sys_block(x, find_g(s, s->ms[mi].g), id, from);
        unbind(s, (uint32_t)mi, p);
    }
    p->status = V2_P_IDLE;
    p->seq = seq;
    changed_p(s, p);
    e = put(x, TRACE_EV_PROC_STOP, true);
    e->p = (int64_t)id;
    e->g = 0;
    return V2_OK;
}

/* ---- goroutines that are there at the start */

static void
put_existing(struct step *x, struct v2_g *g, uint64_t thread)
{
    struct trace_event *e = put_create(x, g->id, 0, true);
    struct v2_p *p = find_p(x->s, x->c.p);

    e->snapshot = true;
    e->g = 0;
    switch (g->status) {
    case V2_GO_RUNNABLE:
        e->stk = x->stk;
        return;
    case V2_GO_RUNNING:
        e = put_start(x, g->id, 0, false);
        break;
    case V2_GO_WAITING:
        e = put(x, TRACE_EV_GO_WAITING, false);
        e->g = g->id;
        arg(e, g->id);
        break;
    default:
        if (thread == x->c.m && p != NULL && p->status == V2_P_SYSCALL) {
            put_start(x, g->id, 0, false)->snapshot = true;
            e = put(x, TRACE_EV_GO_SYS_CALL, false);
            e->g = g->id;
            break;
        }
        g->lost_p = true;
        e = put(x, TRACE_EV_GO_IN_SYSCALL, false);
        e->g = g->id;
        e->p = TRACE_NO_P;
        e->m = (int64_t)thread;
        arg(e, g->id);
        break;
    }
    e->stk = x->stk;
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

static enum v2_step
go_status(struct step *x)
{
    struct v2_state *s = x->s;
    uint64_t id = x->a[0], thread = x->a[1], status = x->a[2];
    struct v2_g *g = find_g(s, id);
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
    if (!known && (g = make_g(s, id)) == NULL)
        return V2_NOMEM;
    set_g(s, g, (uint8_t)status, 0);
    if (status == V2_GO_RUNNING && x->m != NULL)
        x->m->g = id;
    if (status == V2_GO_SYSCALL)
        st = bind_syscall(x, g, thread);
    if (st != V2_OK)
        return st;
    if (known)
        put_nothing(x);
    else
        put_existing(x, g, thread);
    return V2_OK;
}

/* ---- goroutines */

static enum v2_step
go_create(struct step *x)
{
    struct v2_state *s = x->s;
    bool blocked = x->ev->type == V2_GO_CREATE_BLOCKED;
    enum v2_step st = check_ctx(x, MUST, MAY);
    struct v2_g *g = find_g(s, x->c.g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (g != NULL && g->status != V2_GO_RUNNING)
        return BAD(x, "go-state", "%s by goroutine %llu, which does not run",
            v2_name(x->ev->type), (ull)g->id);
    if (find_g(s, x->a[0]) != NULL)
        return BAD(x, "go-create", "goroutine %llu exists already",
            (ull)x->a[0]);
    g = make_g(s, x->a[0]);
    if (g == NULL)
        return V2_NOMEM;
    g->nregions = 0;
    g->lost_p = g->assist = false;
    g->stw = 0;
    set_g(s, g, blocked ? V2_GO_WAITING : V2_GO_RUNNABLE, 0);
    put_create(x, g->id, x->stk2, true)->stk = x->stk;
    if (blocked) {
        e = put(x, TRACE_EV_GO_WAITING, false);
        e->g = g->id;
        arg(e, g->id);
        because_text(e, "coroutine");
    }
    return V2_OK;
}

static enum v2_step
go_create_syscall(struct step *x)
{
    struct v2_state *s = x->s;
    enum v2_step st = check_ctx(x, MAY, MUST_NOT);
    struct trace_event *e;
    struct v2_g *g;

    if (st != V2_OK)
        return st;
    if (find_g(s, x->a[0]) != NULL)
        return BAD(x, "go-create", "goroutine %llu exists already",
            (ull)x->a[0]);
    g = make_g(s, x->a[0]);
    if (g == NULL)
        return V2_NOMEM;
    g->nregions = 0;
    g->assist = false;
    g->stw = 0;
    set_g(s, g, V2_GO_SYSCALL, 0);
    g->lost_p = true;
    x->m->g = g->id;
    put_create(x, g->id, 0, true);
    e = put(x, TRACE_EV_GO_IN_SYSCALL, false);
    e->g = g->id;
    e->p = TRACE_NO_P;
    arg(e, g->id);
    return V2_OK;
}

static enum v2_step
go_destroy_syscall(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_p *p = find_p(s, x->c.p);
    struct v2_g *g;
    enum v2_step st = own_g(x, MAY, V2_GO_SYSCALL, &g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (x->c.p != V2_NONE && (p == NULL || p->status != V2_P_SYSCALL))
        return BAD(x, "proc-state", "GoDestroySyscall on P %lld, which is "
            "not in a system call", (long long)x->c.p);
    g->status = 0;
    x->m->g = V2_NONE;
    if (p != NULL) {
        /* The thread leaves the P to whoever takes it. */
        p->status = V2_P_ABANDONED;
        e = put(x, TRACE_EV_PROC_STOP, true);
        e->g = 0;
        unbind(s, x->mi, p);
        changed_p(s, p);
    }
    e = put(x, TRACE_EV_GO_END, true);
    e->p = TRACE_NO_P;
    changed_g(s, g);
    return V2_OK;
}

static enum v2_step
go_start(struct step *x)
{
    struct v2_g *g = find_g(x->s, x->a[0]);
    enum v2_step st;

    if (g == NULL || g->status != V2_GO_RUNNABLE ||
        !follows_g(x->s, g, x->a[1]))
        return wait_g(x, x->a[0], x->a[1]);
    st = check_ctx(x, MUST, MUST_NOT);
    if (st != V2_OK)
        return st;
    set_g(x->s, g, V2_GO_RUNNING, x->a[1]);
    x->m->g = g->id;
    put_start(x, g->id, x->a[1], true);
    return V2_OK;
}

static enum v2_step
go_leave(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_g *g;
    enum v2_step st = own_g(x, MUST, V2_GO_RUNNING, &g);
    struct trace_event *e;
    struct trace_text t;

    if (st != V2_OK)
        return st;
    switch (x->ev->type) {
    case V2_GO_DESTROY:
        g->status = 0;
        g->nregions = 0;
        e = put(x, TRACE_EV_GO_END, true);
        break;
    case V2_GO_STOP:
        g->status = V2_GO_RUNNABLE;
        t = trace_file_string(s->f, x->str);
        e = put(x, t.len == 9 && memcmp(t.s, "preempted", 9) == 0 ?
            TRACE_EV_GO_PREEMPT : TRACE_EV_GO_SCHED, true);
        break;
    default:
        g->status = V2_GO_WAITING;
        e = put(x, block_kind(s, x->str), true);
        break;
    }
    e->stk = x->stk;
    because(x, e, x->str);
    x->m->g = V2_NONE;
    changed_g(s, g);
    return V2_OK;
}

static enum v2_step
go_unblock(struct step *x)
{
    struct v2_g *g = find_g(x->s, x->a[0]);
    struct trace_event *e;

    if (g == NULL || g->status != V2_GO_WAITING ||
        !follows_g(x->s, g, x->a[1]))
        return wait_g(x, x->a[0], x->a[1]);
    set_g(x->s, g, V2_GO_RUNNABLE, x->a[1]);
    e = put(x, TRACE_EV_GO_UNBLOCK, true);
    e->stk = x->stk;
    arg(e, g->id);
    arg(e, x->a[1]);
    return V2_OK;
}

/* Coroutines: one goes to sleep or ends, the other runs in its place. */
static enum v2_step
go_switch(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_g *g, *next = find_g(s, x->a[0]);
    enum v2_step st = own_g(x, MUST, V2_GO_RUNNING, &g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (next == NULL || next->status != V2_GO_WAITING ||
        !follows_g(s, next, x->a[1]))
        return wait_g(x, x->a[0], x->a[1]);
    e = put(x, TRACE_EV_GO_UNBLOCK, true);
    arg(e, next->id);
    arg(e, x->a[1]);
    if (x->ev->type == V2_GO_SWITCH) {
        g->status = V2_GO_WAITING;
        because_text(put(x, TRACE_EV_GO_BLOCK, true), "coroutine");
    } else {
        g->status = 0;
        g->nregions = 0;
        put(x, TRACE_EV_GO_END, true);
    }
    changed_g(s, g);
    set_g(s, next, V2_GO_RUNNING, x->a[1]);
    x->m->g = next->id;
    put_start(x, next->id, x->a[1], true);
    return V2_OK;
}

/* ---- system calls */

static enum v2_step
syscall_begin(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_p *p = find_p(s, x->c.p);
    struct v2_g *g;
    enum v2_step st = own_g(x, MUST, V2_GO_RUNNING, &g);

    if (st != V2_OK)
        return st;
    if (p == NULL)
        return BAD(x, "proc-state", "GoSyscallBegin on P %lld, which is not "
            "known", (long long)x->c.p);
    if (!follows_p(s, p, x->a[0]))
        return BAD(x, "sequence", "GoSyscallBegin has number %llu of P "
            "%llu, which is at %llu", (ull)x->a[0], (ull)p->id, (ull)p->seq);
    g->status = V2_GO_SYSCALL;
    g->lost_p = false;
    p->status = V2_P_SYSCALL;
    p->seq = x->a[0];
    changed_p(s, p);
    put(x, TRACE_EV_GO_SYS_CALL, true)->stk = x->stk;
    return V2_OK;
}

static enum v2_step
syscall_end(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_p *p = find_p(s, x->c.p);
    struct v2_g *g;
    enum v2_step st = own_g(x, MUST, V2_GO_SYSCALL, &g);

    if (st != V2_OK)
        return st;
    if (p == NULL || p->status != V2_P_SYSCALL)
        return BAD(x, "proc-state", "GoSyscallEnd on P %lld, which is not in "
            "a system call", (long long)x->c.p);
    g->status = V2_GO_RUNNING;
    p->status = V2_P_RUNNING;
    changed_p(s, p);
    if (!g->lost_p) {
        put(x, TRACE_EV_GO_SYSCALL_END, true);
        return V2_OK;
    }
    g->lost_p = false;
    put_sys_exit(x, g->id, true);
    put_start(x, g->id, g->seq, false);
    return V2_OK;
}

static enum v2_step
syscall_end_blocked(struct step *x)
{
    struct v2_state *s = x->s;
    struct v2_p *p = find_p(s, x->c.p);
    struct v2_g *g;
    enum v2_step st;

    if (x->c.p != V2_NONE && p == NULL)
        return BAD(x, "proc-state", "GoSyscallEndBlocked on P %lld, which is "
            "not known", (long long)x->c.p);
    if (p != NULL && p->status == V2_P_SYSCALL)
        return wait_m(x);
    st = own_g(x, MAY, V2_GO_SYSCALL, &g);
    if (st != V2_OK)
        return st;
    put_sys_block(x, g, V2_NONE, x->c.m);
    g->status = V2_GO_RUNNABLE;
    g->lost_p = false;
    x->m->g = V2_NONE;
    put_sys_exit(x, g->id, true);
    changed_g(s, g);
    return V2_OK;
}

/* ---- the collector */

static enum v2_step
gc_active(struct step *x)
{
    struct v2_state *s = x->s;
    struct trace_event *e;
    enum v2_step st;

    if (s->initial) {
        if (s->gc_state != 0)
            return BAD(x, "gc", "GCActive is not the first event of the "
                "collector");
        s->gc_seq = x->a[0];
        s->gc_state = 2;
        s->woke_gc = true;
        e = put(x, TRACE_EV_GC_START, true);
        e->snapshot = true;
        arg(e, s->cycles++);
        return V2_OK;
    }
    if (x->a[0] != s->gc_seq + 1)
        return wait_gc(x, x->a[0]);
    if (s->gc_state != 2)
        return BAD(x, "gc", "GCActive while no collection is on");
    s->gc_seq = x->a[0];
    s->woke_gc = true;
    st = check_ctx(x, MUST, MUST);
    if (st == V2_OK)
        put_nothing(x);
    return st;
}

static enum v2_step
gc_edge(struct step *x)
{
    struct v2_state *s = x->s;
    bool begin = x->ev->type == V2_GC_BEGIN;
    enum v2_step st = V2_OK;
    struct trace_event *e;

    if (!begin || s->gc_state != 0) {
        if (x->a[0] != s->gc_seq + 1)
            return wait_gc(x, x->a[0]);
        if (begin && s->gc_state == 2)
            return BAD(x, "gc", "GCBegin while a collection is on");
        if (!begin && s->gc_state != 2)
            return BAD(x, "gc", "GCEnd while no collection is on");
        st = check_ctx(x, MUST, MUST);
    }
    if (st != V2_OK)
        return st;
    s->gc_seq = x->a[0];
    s->gc_state = begin ? 2 : 1;
    s->woke_gc = true;
    e = put(x, begin ? TRACE_EV_GC_START : TRACE_EV_GC_DONE, true);
    e->stk = x->stk;
    if (begin)
        arg(e, s->cycles++);
    return V2_OK;
}

static enum v2_step
range_state(struct step *x, bool *open, bool begin)
{
    if (*open == begin)
        return BAD(x, "range", begin ? "%s while one is open" :
            "%s while none is open", v2_name(x->ev->type));
    *open = begin;
    return V2_OK;
}

/* An open range is told again in each generation. */
static enum v2_step
range_active(struct step *x, bool *open)
{
    if (x->s->initial)
        return range_state(x, open, true);
    if (!*open)
        return BAD(x, "range", "%s, but none is open",
            v2_name(x->ev->type));
    return V2_OK;
}

static enum v2_step
sweep(struct step *x)
{
    struct v2_state *s = x->s;
    bool active = x->ev->type == V2_SWEEP_ACTIVE;
    struct v2_p *p = find_p(s, active ? x->a[0] : x->c.p);
    enum v2_step st = active ? V2_OK : check_ctx(x, MUST, MAY);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (p == NULL)
        return BAD(x, "proc-state", "%s of a P that is not known",
            v2_name(x->ev->type));
    st = active ? range_active(x, &p->sweeping) :
        range_state(x, &p->sweeping, x->ev->type == V2_SWEEP_BEGIN);
    if (st != V2_OK)
        return st;
    if (active && !s->initial) {
        put_nothing(x);
        return V2_OK;
    }
    e = put(x, x->ev->type == V2_SWEEP_END ? TRACE_EV_SWEEP_DONE :
        TRACE_EV_SWEEP_START, true);
    e->stk = x->stk;
    e->p = (int64_t)p->id;
    e->snapshot = active;
    if (x->ev->type == V2_SWEEP_END) {
        arg(e, x->a[0]);
        arg(e, x->a[1]);
    }
    return V2_OK;
}

static enum v2_step
assist(struct step *x)
{
    struct v2_state *s = x->s;
    bool active = x->ev->type == V2_ASSIST_ACTIVE;
    struct v2_g *g = find_g(s, active ? x->a[0] : x->c.g);
    enum v2_step st = active ? V2_OK : check_ctx(x, MUST, MUST);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (g == NULL)
        return BAD(x, "go-state", "%s of a goroutine that is not known",
            v2_name(x->ev->type));
    st = active ? range_active(x, &g->assist) :
        range_state(x, &g->assist, x->ev->type == V2_ASSIST_BEGIN);
    if (st != V2_OK)
        return st;
    if (active && !s->initial) {
        put_nothing(x);
        return V2_OK;
    }
    e = put(x, x->ev->type == V2_ASSIST_END ? TRACE_EV_MARK_ASSIST_DONE :
        TRACE_EV_MARK_ASSIST_START, true);
    e->stk = x->stk;
    e->g = g->id;
    e->snapshot = active;
    return V2_OK;
}

static enum v2_step
stop_the_world(struct step *x)
{
    struct v2_state *s = x->s;
    bool begin = x->ev->type == V2_STW_BEGIN, open;
    enum v2_step st = check_ctx(x, MUST, MUST);
    struct v2_g *g = find_g(s, x->c.g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (g == NULL)
        return BAD(x, "go-state", "%s by a goroutine that is not known",
            v2_name(x->ev->type));
    open = g->stw != 0;
    st = range_state(x, &open, begin);
    if (st != V2_OK)
        return st;
    e = put(x, begin ? TRACE_EV_STW_START : TRACE_EV_STW_DONE, true);
    e->stk = x->stk;
    because(x, e, begin ? x->str : g->stw - 1);
    if (begin)
        arg(e, stw_kind(s, x->str));
    g->stw = begin ? x->str + 1 : 0;
    return V2_OK;
}

/* ---- annotations */

static enum v2_step
metric(struct step *x, unsigned type, enum need g)
{
    enum v2_step st = check_ctx(x, MUST, g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    e = put(x, type, true);
    e->stk = x->stk;
    arg(e, x->ev->type == V2_GO_LABEL ? x->str : x->a[0]);
    return V2_OK;
}

static enum v2_step
task(struct step *x)
{
    struct v2_state *s = x->s;
    bool begin = x->ev->type == V2_TASK_BEGIN, fresh;
    enum v2_step st = check_ctx(x, MUST, MUST);
    struct trace_event *e;
    int64_t i;

    if (st != V2_OK)
        return st;
    i = trace_idmap_put(&s->tasks, x->a[0], &fresh);
    if (i < 0 || !trace_grow(&s->task_open, &s->tasks_cap, (uint64_t)i, 1))
        return V2_NOMEM;
    if (begin && s->task_open[i])
        return BAD(x, "task", "task %llu exists already", (ull)x->a[0]);
    s->task_open[i] = begin;
    e = put(x, begin ? TRACE_EV_USER_TASK_CREATE : TRACE_EV_USER_TASK_END,
        true);
    e->stk = x->stk;
    arg(e, x->a[0]);
    if (begin) {
        arg(e, x->a[1] == V2_NONE ? 0 : x->a[1]);
        arg(e, x->str);
    }
    return V2_OK;
}

static enum v2_step
region(struct step *x)
{
    struct v2_state *s = x->s;
    bool begin = x->ev->type == V2_REGION_BEGIN;
    enum v2_step st = check_ctx(x, MUST, MUST);
    struct v2_g *g = find_g(s, x->c.g);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    if (g == NULL)
        return BAD(x, "go-state", "%s by a goroutine that is not known",
            v2_name(x->ev->type));
    if (begin) {
        if (!trace_grow(&g->regions, &g->regions_cap, g->nregions,
                sizeof *g->regions))
            return V2_NOMEM;
        g->regions[g->nregions].task = x->a[0];
        g->regions[g->nregions++].name = x->str;
    } else if (g->nregions > 0) {
        const struct v2_region *r = &g->regions[--g->nregions];

        if (r->task != x->a[0] || r->name != x->str)
            return BAD(x, "region", "goroutine %llu ends another region "
                "than the innermost one", (ull)g->id);
    }
    e = put(x, TRACE_EV_USER_REGION, true);
    e->stk = x->stk;
    arg(e, x->a[0]);
    arg(e, !begin);
    arg(e, x->str);
    return V2_OK;
}

static enum v2_step
user_log(struct step *x)
{
    enum v2_step st = check_ctx(x, MUST, MUST);
    struct trace_text t = trace_file_string(x->s->f, x->str2);
    struct trace_event *e;

    if (st != V2_OK)
        return st;
    e = put(x, TRACE_EV_USER_LOG, true);
    e->stk = x->stk;
    e->msg = t.s;
    e->msg_len = t.len;
    arg(e, x->a[0]);
    arg(e, x->str);
    return V2_OK;
}

/* ---- */

static enum v2_step
dispatch(struct step *x)
{
    switch (x->ev->type) {
    case V2_PROCS_CHANGE: return metric(x, TRACE_EV_GOMAXPROCS, MUST);
    case V2_PROC_START: return proc_start(x);
    case V2_PROC_STOP: return proc_stop(x);
    case V2_PROC_STEAL: return proc_steal(x);
    case V2_PROC_STATUS: return proc_status(x);
    case V2_GO_CREATE:
    case V2_GO_CREATE_BLOCKED: return go_create(x);
    case V2_GO_CREATE_SYSCALL: return go_create_syscall(x);
    case V2_GO_START: return go_start(x);
    case V2_GO_DESTROY:
    case V2_GO_STOP:
    case V2_GO_BLOCK: return go_leave(x);
    case V2_GO_DESTROY_SYSCALL: return go_destroy_syscall(x);
    case V2_GO_UNBLOCK: return go_unblock(x);
    case V2_GO_SYSCALL_BEGIN: return syscall_begin(x);
    case V2_GO_SYSCALL_END: return syscall_end(x);
    case V2_GO_SYSCALL_END_BLOCKED: return syscall_end_blocked(x);
    case V2_GO_STATUS:
    case V2_GO_STATUS_STACK: return go_status(x);
    case V2_STW_BEGIN:
    case V2_STW_END: return stop_the_world(x);
    case V2_GC_ACTIVE: return gc_active(x);
    case V2_GC_BEGIN:
    case V2_GC_END: return gc_edge(x);
    case V2_SWEEP_ACTIVE:
    case V2_SWEEP_BEGIN:
    case V2_SWEEP_END: return sweep(x);
    case V2_ASSIST_ACTIVE:
    case V2_ASSIST_BEGIN:
    case V2_ASSIST_END: return assist(x);
    case V2_HEAP_ALLOC: return metric(x, TRACE_EV_HEAP_ALLOC, MAY);
    case V2_HEAP_GOAL: return metric(x, TRACE_EV_HEAP_GOAL, MAY);
    case V2_GO_LABEL: return metric(x, TRACE_EV_GO_LABEL, MUST);
    case V2_TASK_BEGIN:
    case V2_TASK_END: return task(x);
    case V2_REGION_BEGIN:
    case V2_REGION_END: return region(x);
    case V2_USER_LOG: return user_log(x);
    case V2_GO_SWITCH:
    case V2_GO_SWITCH_DESTROY: return go_switch(x);
    case V2_CLOCK_SNAPSHOT:
        return BAD(x, "record", "ClockSnapshot among events");
    default: /* an experiment's */
        put_nothing(x);
        return check_ctx(x, MAY, MAY);
    }
}

/* Numbers of the strings and stacks that an event names. */
static enum v2_step
resolve(struct step *x)
{
    const struct v2_spec *k = &v2_specs[x->ev->type];
    const struct v2_ids *ids = x->s->ids;
    struct {
        uint8_t at;
        bool string;
        uint32_t *out;
    } all[] = {{k->stk, false, &x->stk}, {k->stk2, false, &x->stk2},
        {k->str, true, &x->str}, {k->str2, true, &x->str2}};
    unsigned i;

    for (i = 0; i < 4; i++) {
        uint64_t id;
        int64_t n;

        *all[i].out = 0;
        if (all[i].at == 0)
            continue;
        id = x->ev->args[all[i].at];
        n = all[i].string ? v2_string_of(ids, id) : v2_stack_of(ids, id);
        if (n >= 0)
            *all[i].out = (uint32_t)n;
        else if (x->s->gen->complete)
            return BAD(x, all[i].string ? "string-id" : "stack-id",
                "%s uses %s %llu, which its generation does not define",
                v2_name(x->ev->type), all[i].string ? "string" : "stack",
                (ull)id);
    }
    return V2_OK;
}

enum v2_step
v2_step(struct v2_state *s, uint32_t m, const struct v2_event *ev,
    uint64_t off, uint64_t ticks)
{
    struct step x = {.s = s, .ev = ev, .a = ev->args + 1, .mi = m,
        .off = off, .ticks = ticks};
    enum v2_step st;

    s->nout = 0;
    s->nwoke_g = s->nwoke_p = s->nwoke_m = 0;
    s->woke_gc = false;
    x.c.m = x.c.p = x.c.g = V2_NONE;
    if (m != UINT32_MAX) {
        x.m = &s->ms[m];
        x.c.m = x.m->id;
        x.c.p = x.m->p;
        x.c.g = x.m->g;
    }
    st = resolve(&x);
    return st != V2_OK ? st : dispatch(&x);
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
