/* SPDX-License-Identifier: MIT */
#include "tests/unit/sched/fake.h"

#include <stdlib.h>

const struct rt_layout layout_int = {8, 0, NULL};
const struct rt_layout layout_byte = {1, 0, NULL};
const struct rt_layout layout_empty = {0, 0, NULL};
const struct rt_layout layout_big = {20, 0, NULL};
static const uint8_t one_ptr[] = {1};
const struct rt_layout layout_ptr = {8, 8, one_ptr};

static struct co *
co_of(struct sched_g *g)
{
    return (struct co *)(void *)g->vg;
}

/* ---- sched_host ------------------------------------------------------------ */

static enum sched_run
run_g(void *host, struct sched_m *m, struct sched_g *g)
{
    enum sched_run r;

    (void)host;
    do {
        struct co *c = co_of(g);

        c->m = m;
        r = c->fn(c);
        if (r != SCHED_RUN_PARKED)
            break;
        g = sched_next(m);
        /* These are run_g()'s to begin with. */
        rt_check(g == NULL || (!g->wake_panic && g->native == NULL), "next");
    } while (g != NULL);
    return r;
}

static enum rt_status
g_init(void *host, struct sched_g *g, const void *fn,
    const union rt_slot *args, uint32_t nargs)
{
    const struct co_start *start = fn;
    struct co *c = co_of(g);

    if (((const struct world *)host)->no_memory)
        return RT_ENOMEM;
    /* Kept by the goroutine for its next life, as the poison may come late. */
    if (c == NULL) {
        struct world *w = host;

        c = calloc(1, sizeof *c);
        if (c == NULL)
            return RT_ENOMEM;
        do
            c->next = aptr_load_acq(&w->cos);
        while (!aptr_cas_full(&w->cos, c->next, c));
        g->vg = (struct vm_g *)(void *)c;
    }
    c->fn = start->fn;
    c->w = host;
    c->g = g;
    c->pc = 0;
    c->i = c->k = c->n = 0;
    memset(c->v, 0, sizeof c->v);
    if (nargs > 0)
        memcpy(c->v, args, nargs * sizeof *args);
    return RT_OK;
}

static void
g_free(void *host, struct sched_g *g)
{
    (void)host;
    co_of(g)->fn = NULL;
}

static void
poison_g(void *host, struct sched_g *g)
{
    (void)host;
    a32_store_rlx(&co_of(g)->poisoned, 1);
}

static unsigned
walk_g(void *host, struct sched_g *g, vpc *pcs, unsigned n)
{
    const struct world *w = host;
    unsigned k = 0;

    (void)g;
    for (; k < w->frames && k < n; k++)
        pcs[k] = vpc_make(1, k);
    return k;
}

static void
fatal(void *host, const char *text)
{
    struct world *w = host;

    a32_add_full(&w->fatals, 1);
    strncpy(w->text, text, sizeof w->text - 1);
    sched_exit(w->s, 2);
}

static bool
m_init(void *host, struct sched_m *m)
{
    struct world *w = host;

    if (w->no_thread != NULL)
        return w->no_thread(w, m);
    m->vt = host;
    return true;
}

static void
m_free(void *host, struct sched_m *m)
{
    (void)host;
    m->vt = NULL;
}


/* A sender may write into a parked receiver's slot meanwhile: one word, old or
 * new, and the new one was shaded before. */
static RT_NOINLINE RT_NO_TSAN uintptr_t
slot_word(const union rt_slot *v)
{
    return *(const volatile uintptr_t *)&v->u;
}

static void
host_mark_g(void *host, struct sched_g *g, struct gc_marker *mk)
{
    struct co *c = co_of(g);

    (void)host;
    for (int i = 0; c != NULL && i < CO_SLOTS; i++)
        gc_mark_maybe(mk, slot_word(&c->v[i]));
}

static bool
mark_globals(void *host, uint32_t i, struct gc_marker *mk)
{
    struct world *w = host;

    if (i > 0)
        return false;
    for (int k = 0; k < WORLD_ROOTS; k++)
        gc_mark_maybe(mk, (uintptr_t)w->root[k]);
    return true;
}

static bool
private_to(void *host, const struct sched_g *g, const void *p)
{
    (void)host;
    (void)g;
    (void)p;
    return false;
}

static const struct sched_host host_table = {
    .run_g = run_g,
    .g_init = g_init,
    .g_free = g_free,
    .poison_g = poison_g,
    .walk_g = walk_g,
    .fatal = fatal,
    .m_init = m_init,
    .m_free = m_free,
    .mark_g = host_mark_g,
    .mark_globals = mark_globals,
    .private_to = private_to,
};

/* ---- gc_host ---------------------------------------------------------------- */

static void
gc_stop(void *arg, const char *reason)
{
    struct world *w = arg;

    (void)reason;
    if (w->before_stop != NULL)
        w->before_stop(w);
    sched_stop_world(sched_m_self(), STW_GC_MARK_TERM);
}

static void
gc_start(void *arg)
{
    (void)arg;
    sched_start_world(sched_m_self());
}

static void
mark_g(void *arg, struct sched_g *g)
{
    struct co *c = co_of(g);

    if (c == NULL)
        return; /* a native one */
    for (int i = 0; i < CO_SLOTS; i++)
        gc_mark_maybe(arg, c->v[i].u);
}

static void
mark_ptr(void *arg, void *p)
{
    gc_mark_maybe(arg, (uintptr_t)p);
}

static void
mark_roots(void *arg, struct gc_marker *m)
{
    struct world *w = arg;

    for (int i = 0; i < WORLD_ROOTS; i++)
        gc_mark_maybe(m, (uintptr_t)w->root[i]);
    sched_each_g(w->s, mark_g, m);
    sched_roots(w->s, mark_ptr, m);
}

static void
mark_begin(void *arg)
{
    sched_gc_mark_begin(((struct world *)arg)->s);
}

static void
mark_end(void *arg)
{
    sched_gc_mark_end(((struct world *)arg)->s);
}

static enum gc_roots
mark_root(void *arg, struct gc_marker *mk)
{
    return sched_gc_mark_root(((struct world *)arg)->s, mk);
}

static bool
roots_left(void *arg)
{
    return sched_gc_roots_left(((struct world *)arg)->s);
}

static bool
flush_ps(void *arg, struct gc_pcache *pc, uint32_t epoch)
{
    return sched_gc_flush_ps(((struct world *)arg)->s, pc, epoch);
}

static void
wake_worker(void *arg)
{
    sched_gc_wake_worker(((struct world *)arg)->s);
}

static void
wake_assists(void *arg)
{
    sched_gc_wake_assists(((struct world *)arg)->s);
}

static void
mark_done(void *arg)
{
    sched_gc_mark_done(((struct world *)arg)->s);
}

static void
wake_sweeper(void *arg)
{
    sched_gc_wake_sweeper(((struct world *)arg)->s);
}

static void
request_gc(void *arg, struct gc_pcache *pc)
{
    struct sched_m *m = sched_m_self();

    (void)arg;
    (void)pc;
    if (m != NULL && m->p != NULL)
        a32_store_full(&m->p->preempt, 1);
}

static const struct gc_host gc_table = {
    .stop_world = gc_stop,
    .start_world = gc_start,
    .mark_roots = mark_roots,
    .mark_begin = mark_begin,
    .mark_end = mark_end,
    .mark_root = mark_root,
    .roots_left = roots_left,
    .flush_ps = flush_ps,
    .wake_worker = wake_worker,
    .wake_assists = wake_assists,
    .mark_done = mark_done,
    .wake_sweeper = wake_sweeper,
    .request_gc = request_gc,
};

/* ---- trace_host -------------------------------------------------------------- */

static void
trace_stop_world(void *ctx, enum trace_stw_reason why)
{
    struct world *w = ctx;

    sched_stop_world_any(w->s, why == TRACE_STW_START ? STW_TRACE_START
                                                      : STW_TRACE_STOP);
}

static void
trace_start_world(void *ctx)
{
    struct world *w = ctx;

    sched_start_world_any(w->s);
}

static void
for_each_g(void *ctx, void (*fn)(void *arg, const struct trace_gsnap *g),
    void *arg)
{
    struct world *w = ctx;

    sched_trace_gs(w->s, fn, arg);
}

static void
for_each_p(void *ctx, void (*fn)(void *arg, const struct trace_psnap *p),
    void *arg)
{
    struct world *w = ctx;

    sched_trace_ps(w->s, fn, arg);
}

static uint32_t
walk_self(void *ctx, vpc *pcs, uint32_t max)
{
    struct sched_m *m = sched_m_self();

    (void)ctx;
    if (max == 0 || m == NULL || m->g == NULL)
        return 0;
    pcs[0] = vpc_make(1, 1);
    return 1;
}

static uint32_t
trace_walk_g(void *ctx, const struct trace_gstate *g, vpc *pcs, uint32_t max)
{
    (void)ctx;
    if (max == 0 || sched_trace_g_of(g)->vg == NULL)
        return 0;
    pcs[0] = vpc_make(1, 1);
    return 1;
}

static bool
symbolize(void *ctx, vpc pc, struct trace_frame *f)
{
    (void)ctx;
    (void)pc;
    f->func = "main.f";
    f->func_len = 6;
    f->file = "f.go";
    f->file_len = 4;
    f->line = 1;
    return true;
}

static const struct trace_host trace_table = {
    .stop_world = trace_stop_world,
    .start_world = trace_start_world,
    .for_each_g = for_each_g,
    .for_each_p = for_each_p,
    .walk_self = walk_self,
    .walk_g = trace_walk_g,
    .symbolize = symbolize,
};

/* ---- what tests call ----------------------------------------------------------- */

bool
co_preempted(struct co *c)
{
    if (!a32_load_rlx(&c->poisoned) && !a32_load_rlx(&c->m->p->preempt))
        return false;
    a32_store_rlx(&c->poisoned, 0);
    return sched_safepoint(c->m);
}

const uint32_t world_procs[3] = {1, 2, 8};

int64_t
co_random(struct co *c, int64_t n)
{
    c->k = (int64_t)((uint64_t)c->k * 6364136223846793005u +
        1442695040888963407u);
    return (int64_t)((uint64_t)c->k >> 33) % n;
}

void
co_count(struct co *c, int i, uint64_t n)
{
    a64_add_full(&c->w->count[i], n);
}

uint64_t
world_count(const struct world *w, int i)
{
    return a64_load_acq(&w->count[i]);
}

struct sched_g *
co_go(struct co *c, co_fn fn, int64_t a, int64_t b, void *p, void *q)
{
    struct co_start start = {fn};
    union rt_slot args[4] = {{.i = a}, {.i = b}, {.p = p}, {.p = q}};
    struct sched_g *g = sched_go(c->m, &start, args, 4, vpc_make(1, 1),
        vpc_make(1, 0));

    rt_check(g != NULL, "go");
    return g;
}

struct sched_chan *
co_chan(struct co *c, int64_t size)
{
    struct sched_chan *ch = chan_make(c->m, &layout_int, CHAN_EXT_MEM, size);

    rt_check(ch != NULL, "chan_make");
    return ch;
}

void
world_open(struct world *w, uint32_t procs)
{
    world_open_as(w, &(struct sched_config){.procs = procs});
}

void
world_open_prof(struct world *w, uint32_t procs, struct prof *prof)
{
    world_open_as(w, &(struct sched_config){.procs = procs, .prof = prof});
}

void
world_open_as(struct world *w, const struct sched_config *wanted)
{
    struct gc_config gcfg = GC_CONFIG_DEFAULT;
    struct sched_config cfg = *wanted;
    struct rt_err err;

    memset(w, 0, sizeof *w);
    rt_clock_init(&w->clock);
    assert_int_equal(
        trace_rec_init(&w->trace, &trace_table, w, &w->clock), RT_OK);
    assert_int_equal(gc_heap_new(&w->heap, &gcfg, &gc_table, w, NULL, NULL,
        &w->trace), RT_OK);
    cfg.host = &host_table;
    cfg.host_arg = w;
    cfg.heap = w->heap;
    cfg.trace = &w->trace;
    cfg.entry = vpc_make(0, 0);
    cfg.err_fd = 2;
    assert_int_equal(sched_new(&cfg, &w->s, &err), RT_OK);
}

int
world_go(struct world *w, co_fn fn)
{
    struct co_start start = {fn};

    return sched_run(w->s, &start);
}

void
world_close(struct world *w)
{
    if (sched_has_stuck(w->s))
        return;
    trace_rec_fini(&w->trace);
    sched_free(w->s);
    gc_heap_free(w->heap);
    for (struct co *c = aptr_load_acq(&w->cos), *next; c != NULL; c = next) {
        next = c->next;
        free(c);
    }
}

int
world_run(struct world *w, uint32_t procs, co_fn fn)
{
    int status;

    world_open(w, procs);
    status = world_go(w, fn);
    assert_false(sched_has_stuck(w->s));
    world_close(w);
    return status;
}
