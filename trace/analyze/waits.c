/* SPDX-License-Identifier: MIT */
#include "trace/analyze/waits.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/compiler.h"
#include "runtime/base/throw.h"

void
trace_waits_init(struct trace_waits *w, enum trace_waits_kind kind,
    const struct trace_waits_filter *filter, const struct trace_file *f)
{
    memset(w, 0, sizeof *w);
    w->kind = kind;
    w->filter = *filter;
    w->f = f;
}

void
trace_waits_free(struct trace_waits *w)
{
    trace_idmap_free(&w->map);
    free(w->sites);
    memset(w, 0, sizeof *w);
}

/* ---- which waits count */

static bool
contains(struct trace_text t, const char *word)
{
    return memmem(t.s, t.len, word, strlen(word)) != NULL;
}

/* The words that `go tool trace` of 1.22 and later looks for. */
static bool
is_block_reason(struct trace_text why)
{
    return contains(why, "chan") || contains(why, "sync") ||
        contains(why, "select");
}

static bool
is_blocked(const struct trace_span *sp)
{
    return sp->state >= TRACE_ST_SLEEP && sp->state < TRACE_ST_BEFORE;
}

static bool
is_block(const struct trace_waits *w, const struct trace_span *sp, bool all)
{
    if (w->f->version >= 22 && !all)
        return is_blocked(sp) && is_block_reason(sp->why);
    switch (sp->state) {
    case TRACE_ST_SEND:
    case TRACE_ST_RECV:
    case TRACE_ST_SELECT:
    case TRACE_ST_SYNC:
    case TRACE_ST_COND:
        return true;
    case TRACE_ST_GC:
        return true;
    case TRACE_ST_SLEEP:
    case TRACE_ST_OTHER:
    case TRACE_ST_FOREVER:
        return all;
    default:
        return false;
    }
}

static bool
is_sched(const struct trace_waits *w, const struct trace_span *sp, bool all)
{
    if (sp->state != TRACE_ST_RUNNABLE)
        return false;
    if (all || w->f->version >= 22)
        return sp->open || sp->end == TRACE_EV_GO_START ||
            sp->end == TRACE_EV_GO_START_LOCAL ||
            sp->end == TRACE_EV_GO_START_LABEL;
    return (sp->cause == TRACE_EV_GO_CREATE ||
        sp->cause == TRACE_EV_GO_UNBLOCK ||
        sp->cause == TRACE_EV_GO_UNBLOCK_LOCAL) &&
        sp->end != TRACE_EV_GO_WAITING &&
        sp->end != TRACE_EV_GO_IN_SYSCALL;
}

/* Whether the wait is of the kind; all: or Go's tools leave it out. */
static bool
counts(const struct trace_waits *w, const struct trace_goroutine *g,
    const struct trace_span *sp, bool all)
{
    if (sp->open && !all)
        return false;
    if (w->f->version >= 22 && !all && g->started < 0)
        return false;
    switch (w->kind) {
    case TRACE_WAITS_BLOCK:
        return is_block(w, sp, all);
    case TRACE_WAITS_SCHED:
        return is_sched(w, sp, all);
    case TRACE_WAITS_SYSCALL:
        return sp->state == TRACE_ST_SYSCALL &&
            (all || w->f->version >= 22 || sp->called >= 0);
    case TRACE_WAITS_NET:
        return sp->state == TRACE_ST_NET;
    }
    return false;
}

/* Whether the goroutine is one of those that were asked for. */
static bool
is_asked(const struct trace_waits *w, const struct trace_summary *s,
    const struct trace_goroutine *g)
{
    const struct trace_waits_filter *f = &w->filter;
    struct trace_text t;

    if ((f->g != UINT64_MAX && f->g != g->id) || (g->system && !f->system))
        return false;
    if (f->func != NULL) {
        t = trace_goroutine_name(s, g);
        if (t.len != strlen(f->func) || memcmp(t.s, f->func, t.len) != 0)
            return false;
    }
    return true;
}

/* ---- the pass */

/* One wait: at which stack, when, whose and why. */
struct wait {
    uint64_t stack;
    int64_t from, to;
    uint64_t g;
    uint8_t state, cause;
};

static inline void
add_wait(struct trace_waits *w, struct trace_site *t, const struct wait *x,
    int64_t ns)
{
    rt_assert(ns > 0);
    w->n++;
    w->ns += ns;
    trace_hist_add(&w->hist, ns);
    t->n++;
    t->ns += ns;
    if (ns > t->longest) {
        t->longest = ns;
        t->longest_at = x->from;
        t->longest_g = x->g;
    }
}

/* A wait at a place that has no site under that number: its first one, or one
 * whose stack is not in the file. */
static RT_NOINLINE bool
add_site(struct trace_waits *w, const struct wait *x, int64_t ns)
{
    uint64_t stack = x->stack;
    bool fresh;
    int64_t i;

    if (!trace_file_has_stack(w->f, stack)) {
        if (w->f->version < 22 && !w->filter.all) {
            w->left_n++;
            w->left_ns += ns;
            return true;
        }
        stack = 0;
    }
    i = trace_idmap_row(&w->map, stack, &w->sites, &w->cap, sizeof *w->sites,
        &fresh);
    if (i < 0)
        return false;
    if (fresh) {
        w->nsites++;
        w->sites[i].stack = stack;
        w->sites[i].state = x->state;
        w->sites[i].cause = x->cause;
    }
    add_wait(w, &w->sites[i], x, ns);
    return true;
}

/* Counts a wait as far as the filter lets; left: as one that is left out. */
static inline bool
count(struct trace_waits *w, struct wait *x, bool left)
{
    int64_t i, ns;

    if (x->from < w->filter.from)
        x->from = w->filter.from;
    if (x->to > w->filter.to)
        x->to = w->filter.to;
    ns = x->to - x->from;
    if (x->to <= x->from)
        return true;
    if (left) {
        w->left_n++;
        w->left_ns += ns;
        return true;
    }
    i = trace_idmap_get(&w->map, x->stack);
    if (i < 0)
        return add_site(w, x, ns);
    add_wait(w, &w->sites[i], x, ns);
    return true;
}

static bool
on_span(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    struct trace_waits *w = arg;
    struct wait x;

    if (!is_asked(w, s, g) || !counts(w, g, sp, true))
        return true;
    x.stack = w->kind == TRACE_WAITS_SCHED ? sp->cause_stack : sp->stack;
    x.from = w->filter.all ? sp->from : sp->told;
    if (w->kind == TRACE_WAITS_SYSCALL && sp->called >= 0)
        x.from = sp->called;
    x.to = sp->to;
    x.g = g->id;
    x.state = sp->state;
    x.cause = sp->cause;
    return count(w, &x, !w->filter.all && !counts(w, g, sp, false));
}

/* System calls that kept their processor are no spans. */
static bool
on_event(void *arg, const struct trace_summary *s,
    const struct trace_event *e)
{
    struct trace_waits *w = arg;
    struct wait x = {.from = s->range_since, .to = e->ns, .g = e->g,
        .state = TRACE_ST_SYSCALL};
    const struct trace_goroutine *g;

    if (s->range_since < 0)
        return true;
    g = trace_find_goroutine(s, e->g);
    if (g == NULL || !is_asked(w, s, g))
        return true;
    x.stack = g->stack;
    return count(w, &x, false);
}

/* Nor are those of them that had not ended with the trace. */
static bool
add_open_calls(struct trace_waits *w, const struct trace_summary *s)
{
    uint64_t i;

    for (i = 0; i < s->ngs; i++) {
        const struct trace_goroutine *g = &s->gs[i];
        struct wait x = {.stack = g->stack, .from = g->called,
            .to = s->duration, .g = g->id, .state = TRACE_ST_SYSCALL};

        if (g->state == TRACE_ST_RUNNING && g->called >= 0 &&
            is_asked(w, s, g) && !count(w, &x, !w->filter.all))
            return false;
    }
    return true;
}

struct trace_sink
trace_waits_sink(struct trace_waits *w)
{
    struct trace_sink k = {.arg = w, .span = on_span};
    unsigned st;

    switch (w->kind) {
    case TRACE_WAITS_BLOCK:
        for (st = TRACE_ST_SLEEP; st < TRACE_ST_BEFORE; st++)
            k.states |= 1u << st;
        break;
    case TRACE_WAITS_SCHED:
        k.states = 1u << TRACE_ST_RUNNABLE;
        break;
    case TRACE_WAITS_SYSCALL:
        k.states = 1u << TRACE_ST_SYSCALL;
        k.event = on_event;
        k.kinds = UINT64_C(1) << TRACE_EV_GO_SYSCALL_END;
        break;
    case TRACE_WAITS_NET:
        k.states = 1u << TRACE_ST_NET;
        break;
    }
    return k;
}

/* ---- equal stacks under different numbers */

struct content {
    uint64_t hash;
    uint64_t i;
};

static uint32_t
frames_of(const struct trace_file *f, uint64_t stk, struct trace_rframe *fr)
{
    uint32_t n = trace_file_stack(f, stk, fr, TRACE_MAX_FRAMES);

    return n < TRACE_MAX_FRAMES ? n : TRACE_MAX_FRAMES;
}

/* What comparing stacks needs: room for the frames of two. */
struct united {
    struct trace_waits *w;
    struct trace_rframe *a, *b;
};

static int
by_frames(const struct united *u, uint64_t x, uint64_t y)
{
    uint32_t na = frames_of(u->w->f, u->w->sites[x].stack, u->a);
    uint32_t nb = frames_of(u->w->f, u->w->sites[y].stack, u->b), i;

    if (na != nb)
        return na < nb ? -1 : 1;
    for (i = 0; i < na; i++) {
        if (u->a[i].pc != u->b[i].pc)
            return u->a[i].pc < u->b[i].pc ? -1 : 1;
    }
    return 0;
}

/* Equal stacks come together, however many of one hash a file may have. */
static int
by_content(const void *pa, const void *pb, void *arg)
{
    const struct content *x = pa, *y = pb;
    int c;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    c = x->i == y->i ? 0 : by_frames(arg, x->i, y->i);
    return c != 0 ? c : x->i < y->i ? -1 : x->i > y->i;
}

static void
add_to(struct trace_site *x, struct trace_site *y)
{
    x->n += y->n;
    x->ns += y->ns;
    if (y->longest > x->longest) {
        x->longest = y->longest;
        x->longest_at = y->longest_at;
        x->longest_g = y->longest_g;
    }
    y->n = 0;
}

/* Adds each site to the first one with the same addresses; those that are
 * left over have n = 0. */
static void
unite(struct united *u, struct content *c)
{
    struct trace_waits *w = u->w;
    struct trace_site *x = NULL, *y;
    uint64_t i, first = 0;

    if (w->nsites > 0)
        qsort_r(c, w->nsites, sizeof *c, by_content, u);
    for (i = 0; i < w->nsites; i++) {
        y = &w->sites[c[i].i];
        if (x != NULL && y->stack != 0 && x->stack != 0 &&
            c[i].hash == c[first].hash &&
            by_frames(u, c[first].i, c[i].i) == 0) {
            add_to(x, y);
        } else {
            x = y;
            first = i;
        }
    }
}

bool
trace_waits_valid(const struct trace_waits *w)
{
    uint64_t i, n = 0;
    int64_t ns = 0;

    for (i = 0; i < w->nsites; i++) {
        const struct trace_site *x = &w->sites[i];

        /* Sums of a file's times may be too large, one time is not. */
        if (x->longest <= 0 || x->longest > INT64_C(9000000000000000000))
            return false;
        n += x->n;
        ns += x->ns;
    }
    return n == w->n && ns == w->ns && w->hist.n == n && w->nsites <= w->cap;
}

static int
longest_first(const void *a, const void *b)
{
    const struct trace_site *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return x->stack < y->stack ? -1 : x->stack > y->stack;
}

enum rt_status
trace_waits_finish(struct trace_waits *w, const struct trace_summary *s)
{
    struct trace_rframe *fr = malloc(2 * TRACE_MAX_FRAMES * sizeof *fr);
    struct united u = {w, fr, fr + TRACE_MAX_FRAMES};
    struct content *c;
    uint64_t i, n = 0;
    uint32_t k;

    if (w->kind == TRACE_WAITS_SYSCALL && w->f->version >= 22 &&
        !add_open_calls(w, s)) {
        free(fr);
        return RT_ENOMEM;
    }
    c = calloc(w->nsites + 1, sizeof *c);
    if (fr == NULL || c == NULL) {
        free(fr);
        free(c);
        return RT_ENOMEM;
    }
    for (i = 0; i < w->nsites; i++) {
        uint32_t depth = frames_of(w->f, w->sites[i].stack, fr);

        c[i].i = i;
        for (k = 0; k < depth; k++)
            c[i].hash = (c[i].hash ^ fr[k].pc) * 0x9e3779b97f4a7c15u +
                (c[i].hash >> 29);
    }
    unite(&u, c);
    for (i = 0; i < w->nsites; i++) {
        if (w->sites[i].n != 0)
            w->sites[n++] = w->sites[i];
    }
    w->nsites = n;
    rt_assert_full(trace_waits_valid(w));
    if (n > 0)
        qsort(w->sites, n, sizeof *w->sites, longest_first);
    free(fr);
    free(c);
    return RT_OK;
}
