/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_V2STEP_H
#define TRACE_READ_V2STEP_H

/* What the parts of v2_step() share; for trace/read/v2*.c only. */

#include "runtime/base/throw.h"
#include "trace/read/v2state.h"

typedef unsigned long long ull;

struct step {
    struct v2_state *s;
    const struct v2_item *it;
    const uint64_t *a;      /* values after the time difference */
    struct v2_m *m;         /* NULL: no thread */
    uint32_t mi;
    struct v2_ctx c;        /* before the event */
};

/* Reports a problem and ends the step. */
#define BAD(x, rule, ...) \
    (trace_file_problem((x)->s->f, TRACE_ERROR, (x)->it->off, rule, \
        __VA_ARGS__), V2_BAD)

enum need { MUST_NOT, MAY, MUST };

/* The goroutine if it is there, else NULL. */
static inline struct v2_g *
v2_find_g(struct v2_state *s, uint64_t id)
{
    int64_t i = trace_idmap_get(&s->gmap, id);

    return i < 0 || s->gs[i].status == 0 ? NULL : &s->gs[i];
}

/* The goroutine, there or not; NULL: no memory. */
struct v2_g *v2_make_g(struct v2_state *s, uint64_t id);

/* The same for Ps. */
static inline struct v2_p *
v2_find_p(struct v2_state *s, uint64_t id)
{
    int64_t i = id == V2_NONE ? -1 : trace_idmap_get(&s->pmap, id);

    return i < 0 || s->ps[i].status == 0 ? NULL : &s->ps[i];
}

struct v2_p *v2_make_p(struct v2_state *s, uint64_t id);

/* The event waits: for a goroutine or P to come to number seq, for its
 * thread to lose its P, for the collector. */
enum v2_step v2_wait_g(struct step *x, uint64_t id, uint64_t seq);
enum v2_step v2_wait_p(struct step *x, uint64_t id, uint64_t seq);
enum v2_step v2_wait_m(struct step *x);
enum v2_step v2_wait_gc(struct step *x, uint64_t seq);

/* Those who wait for it may go on. */
static inline void
v2_changed_g(struct v2_state *s, const struct v2_g *g)
{
    rt_assert(s->nwoke_g < 4);
    if (g->waiters != 0)
        s->woke_g[s->nwoke_g++] = (uint32_t)(g - s->gs);
}

void v2_changed_p(struct v2_state *s, const struct v2_p *p);

/* A new state and number. */
static inline void
v2_set_g(struct v2_state *s, struct v2_g *g, uint8_t status, uint64_t seq)
{
    g->status = status;
    g->gen = s->gen->gen;
    g->seq = seq;
    v2_changed_g(s, g);
}

/* seq is its next number, in this generation. */
static inline bool
v2_follows_g(const struct v2_state *s, const struct v2_g *g, uint64_t seq)
{
    return g->gen == s->gen->gen && seq == g->seq + 1;
}

static inline bool
v2_follows_p(const struct v2_state *s, const struct v2_p *p, uint64_t seq)
{
    return p->gen == s->gen->gen && seq == p->seq + 1;
}

/* The thread has no P any more. */
void v2_unbind(struct v2_state *s, uint32_t mi, struct v2_p *p);

/* Adds an event to what comes out; counts as in struct v2_out. */
static inline struct trace_event *
v2_put(struct step *x, unsigned type, bool counts)
{
    struct v2_state *s = x->s;
    struct v2_out *o = &s->out[s->nout++];
    struct trace_event *e = &o->ev;

    rt_assert(s->nout <= V2_QUEUE && type < TRACE_EV_KINDS);
    /* One by one: an initializer is a string instruction, which is slow. */
    o->counts = counts;
    e->off = x->it->off;
    e->ts = x->it->ticks;
    e->ns = 0;
    e->p = x->c.p == V2_NONE ? TRACE_NO_P : (int64_t)x->c.p;
    e->g = x->c.g == V2_NONE ? 0 : x->c.g;
    e->m = x->c.m == V2_NONE ? TRACE_NO_M : (int64_t)x->c.m;
    e->type = (uint8_t)type;
    e->nargs = 0;
    e->wire = x->it->ev.type;
    e->derived = !counts;
    e->snapshot = false;
    e->args[0] = e->args[1] = e->args[2] = e->args[3] = 0;
    e->stk = 0;
    e->msg = e->why = "";
    e->msg_len = e->why_len = 0;
    e->seq = 0;
    return e;
}

/* An event of Go's reader that tells nothing new. */
void v2_put_nothing(struct step *x);

/* Adds two values to an event that has none. */
static inline void
v2_args(struct trace_event *e, uint64_t a, uint64_t b)
{
    rt_assert(e->nargs == 0);
    e->args[0] = a;
    e->args[1] = b;
    e->nargs = 2;
}

/* Adds a value. */
static inline void
v2_arg(struct trace_event *e, uint64_t v)
{
    rt_assert(e->nargs < TRACE_NARGS);
    e->args[e->nargs++] = v;
}

/* Gives it a reason. */
void v2_because(const struct step *x, struct trace_event *e, uint32_t str);
void v2_because_text(struct trace_event *e, const char *text);

/* A goroutine starts, is created, loses its P in a system call (if it still
 * has one), leaves a system call. */
struct trace_event *v2_put_start(struct step *x, uint64_t g, uint64_t seq, bool
    counts);
struct trace_event *v2_put_create(struct step *x, uint64_t g, uint32_t entry,
    bool counts);
void v2_put_sys_block(struct step *x, struct v2_g *g, uint64_t p, uint64_t m);
void v2_put_sys_exit(struct step *x, uint64_t g, bool counts);

/* What must be bound to the thread of the event; the second one says what is
 * wrong. */
enum v2_step v2_bad_ctx(struct step *x, enum need p, enum need g);

static inline enum v2_step
v2_check_ctx(struct step *x, enum need p, enum need g)
{
    bool has_p = x->c.p != V2_NONE, has_g = x->c.g != V2_NONE;

    if (x->c.m != V2_NONE && (p == MAY || has_p == (p == MUST)) &&
        (g == MAY || has_g == (g == MUST)))
        return V2_OK;
    return v2_bad_ctx(x, p, g);
}

/* The goroutine of this thread, which must be in the given state. */
enum v2_step v2_own_g(struct step *x, enum need p, uint8_t status, struct v2_g
    **out);

/* ---- kinds of events: trace/read/v2go.c */

enum v2_step v2_do_go_status(struct step *x);
enum v2_step v2_do_go_create(struct step *x);
enum v2_step v2_do_go_create_syscall(struct step *x);
enum v2_step v2_do_go_destroy_syscall(struct step *x);
enum v2_step v2_do_go_start(struct step *x);
enum v2_step v2_do_go_leave(struct step *x);
enum v2_step v2_do_go_unblock(struct step *x);
enum v2_step v2_do_go_switch(struct step *x);
enum v2_step v2_do_syscall_begin(struct step *x);
enum v2_step v2_do_syscall_end(struct step *x);
enum v2_step v2_do_syscall_end_blocked(struct step *x);

/* ---- trace/read/v2mark.c */

enum v2_step v2_do_gc_active(struct step *x);
enum v2_step v2_do_gc_edge(struct step *x);
enum v2_step v2_do_sweep(struct step *x);
enum v2_step v2_do_assist(struct step *x);
enum v2_step v2_do_stop_the_world(struct step *x);
enum v2_step v2_do_metric(struct step *x, unsigned type, enum need g);
enum v2_step v2_do_task(struct step *x);
enum v2_step v2_do_region(struct step *x);
enum v2_step v2_do_user_log(struct step *x);

#endif
