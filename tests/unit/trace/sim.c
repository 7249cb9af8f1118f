/* SPDX-License-Identifier: MIT */
#include "tests/unit/trace/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FUNCS = 40, DEPTH = 12 };

static unsigned
rnd(unsigned *state, unsigned n)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % n;
}

/* ---- the host table */

static void
stop_world(void *ctx, enum trace_stw_reason why)
{
    struct sim *s = ctx;

    (void)why;
    pthread_rwlock_wrlock(&s->world);
}

static void
start_world(void *ctx)
{
    struct sim *s = ctx;

    pthread_rwlock_unlock(&s->world);
}

static void
for_each_g(void *ctx, void (*fn)(void *arg, const struct trace_gsnap *g),
    void *arg)
{
    static const enum trace_gstatus map[] = {
        [SIM_RUNNABLE] = TRACE_G_RUNNABLE,
        [SIM_RUNNING] = TRACE_G_RUNNING,
        [SIM_WAITING] = TRACE_G_WAITING,
        [SIM_SYS] = TRACE_G_SYSCALL,
    };
    struct sim *s = ctx;
    unsigned i;

    for (i = 0; i < s->ngs; i++) {
        struct sim_g *g = s->gs[i];
        struct trace_gsnap sn = {.g = &g->trace, .goid = g->id,
            .entry = g->entry, .status = map[g->state]};

        if (g->state != SIM_FREE)
            fn(arg, &sn);
    }
}

static void
for_each_p(void *ctx, void (*fn)(void *arg, const struct trace_psnap *p),
    void *arg)
{
    struct sim *s = ctx;
    int i;

    for (i = 0; i < s->procs; i++) {
        struct trace_psnap sn = {.b = &s->p[i].trace,
            .g = s->p[i].g == NULL ? NULL : &s->p[i].g->trace,
            .thread = 100 + (uint64_t)i, .running = s->p[i].has_m};

        fn(arg, &sn);
    }
}

static uint32_t
walk(unsigned *state, vpc *pcs, uint32_t max)
{
    uint32_t i, n = 1 + rnd(state, DEPTH);
    unsigned base = rnd(state, 8);

    if (n > max)
        n = max;
    for (i = 0; i < n; i++)
        pcs[i] = vpc_make((base + i * 3) % FUNCS, 1 + base + i);
    return n;
}

static uint32_t
walk_self(void *ctx, vpc *pcs, uint32_t max)
{
    (void)ctx;
    (void)pcs;
    (void)max;
    return 0;
}

static uint32_t
walk_g(void *ctx, const struct trace_gstate *g, vpc *pcs, uint32_t max)
{
    unsigned state = (unsigned)g->goid;

    (void)ctx;
    return walk(&state, pcs, max);
}

static bool
symbolize(void *ctx, vpc pc, struct trace_frame *f)
{
    static const char names[FUNCS][12] = {"main.main", "main.f1", "main.f2",
        "main.f3", "main.f4", "main.f5", "main.f6", "main.f7", "main.f8"};
    static const char file[] = "/home/user/prog.go";
    uint32_t fn = vpc_func(pc);

    (void)ctx;
    if (fn >= FUNCS)
        return false;
    f->func = names[fn % 9];
    f->func_len = (uint32_t)strlen(f->func);
    f->file = file;
    f->file_len = sizeof file - 1;
    f->line = fn * 100 + vpc_off(pc);
    return true;
}

static void
failed(void *ctx, const struct rt_err *e)
{
    struct sim *s = ctx;

    s->failure = *e;
    a32_add_full(&s->failures, 1);
}

/* ---- goroutines; sim.lock held */

static struct sim_g *
new_g(struct sim *s)
{
    struct sim_g *g = NULL;
    unsigned i;

    for (i = 0; i < s->ngs && g == NULL; i++) {
        if (s->gs[i]->state == SIM_FREE)
            g = s->gs[i];
    }
    if (g == NULL) {
        if (s->ngs == SIM_MAX_GS)
            return NULL;
        g = calloc(1, sizeof *g);
        s->gs[s->ngs++] = g;
    }
    g->id = s->next_id++;
    g->entry = vpc_make((uint32_t)(g->id % FUNCS), 0);
    g->state = SIM_RUNNABLE;
    g->sys_return = 0;
    g->assisting = false;
    g->regions = 0;
    s->nlive++;
    return g;
}

static struct sim_g *
take(struct sim_g **a, unsigned *n, unsigned i)
{
    struct sim_g *g;

    if (*n == 0)
        return NULL;
    i %= *n;
    g = a[i];
    --*n;
    a[i] = a[*n];
    return g;
}

/* ---- what a running G does */

static void
act_create(struct sim_p *p, vpc *pcs)
{
    struct sim *s = p->sim;
    struct sim_g *g;

    pthread_mutex_lock(&s->lock);
    g = new_g(s);
    if (g != NULL) {
        if (trace_on(&s->rec)) {
            uint32_t n = walk(&p->rand, pcs, s->rec.max_stack);

            trace_go_create(&s->rec, &p->trace, &g->trace, g->id, g->entry,
                pcs, n);
        }
        s->runq[s->nrunq++] = g;
    }
    pthread_mutex_unlock(&s->lock);
}

static void
wake_one(struct sim *s, struct trace_pbuf *b, unsigned *state, vpc *pcs)
{
    struct sim_g *g;

    pthread_mutex_lock(&s->lock);
    g = take(s->waiting, &s->nwaiting, rnd(state, 1000));
    if (g != NULL) {
        if (trace_on(&s->rec)) {
            uint32_t n = walk(state, pcs, s->rec.max_stack);

            trace_go_unblock(&s->rec, b, &g->trace, pcs, n);
        }
        g->state = SIM_RUNNABLE;
        s->runq[s->nrunq++] = g;
    }
    pthread_mutex_unlock(&s->lock);
}

static void
act_block(struct sim_p *p, vpc *pcs)
{
    static const enum trace_block kinds[] = {TRACE_BLOCK_SLEEP,
        TRACE_BLOCK_OTHER, TRACE_BLOCK_SEND, TRACE_BLOCK_RECV,
        TRACE_BLOCK_SELECT, TRACE_BLOCK_SYNC, TRACE_BLOCK_COND,
        TRACE_BLOCK_NET, TRACE_BLOCK_GC};
    struct sim *s = p->sim;
    struct sim_g *g = p->g;

    pthread_mutex_lock(&s->lock);
    if (trace_on(&s->rec)) {
        uint32_t n = walk(&p->rand, pcs, s->rec.max_stack);

        trace_go_block(&s->rec, &p->trace, &g->trace,
            kinds[rnd(&p->rand, 9)], pcs, n);
    }
    g->state = SIM_WAITING;
    s->waiting[s->nwaiting++] = g;
    p->g = NULL;
    pthread_mutex_unlock(&s->lock);
}

static void
act_yield(struct sim_p *p, vpc *pcs)
{
    struct sim *s = p->sim;
    struct sim_g *g = p->g;

    pthread_mutex_lock(&s->lock);
    if (trace_on(&s->rec)) {
        uint32_t n = walk(&p->rand, pcs, s->rec.max_stack);

        if (rnd(&p->rand, 2) == 0)
            trace_go_sched(&s->rec, &p->trace, &g->trace, pcs, n);
        else
            trace_go_preempt(&s->rec, &p->trace, &g->trace, pcs, n);
    }
    g->state = SIM_RUNNABLE;
    s->runq[s->nrunq++] = g;
    p->g = NULL;
    pthread_mutex_unlock(&s->lock);
}

/* Some always live on: without any there would never be one again. */
static void
act_end(struct sim_p *p, vpc *pcs)
{
    struct sim *s = p->sim;

    pthread_mutex_lock(&s->lock);
    if (s->nlive <= SIM_MIN_GS) {
        pthread_mutex_unlock(&s->lock);
        return;
    }
    s->nlive--;
    if (trace_on(&s->rec)) {
        if (rnd(&p->rand, 10) == 0)
            trace_go_stop(&s->rec, &p->trace, &p->g->trace, pcs,
                walk(&p->rand, pcs, s->rec.max_stack));
        else
            trace_go_end(&s->rec, &p->trace, &p->g->trace);
    }
    p->g->state = SIM_FREE;
    p->g = NULL;
    pthread_mutex_unlock(&s->lock);
}

/* A system call: fast, one that takes long but keeps its P, or one that loses
 * it; then the G is put aside together with the time of its return. */
static void
act_syscall(struct sim_p *p, vpc *pcs)
{
    struct sim *s = p->sim;
    struct sim_g *g = p->g;
    bool slow = rnd(&p->rand, 2) == 0;
    uint64_t since = 0;

    if (trace_on(&s->rec))
        trace_go_sys_call(&s->rec, &p->trace, &g->trace, pcs,
            walk(&p->rand, pcs, s->rec.max_stack));
    if (rnd(&p->rand, 2) == 0)
        since = trace_ticks(&s->rec);
    if (!slow) {
        if (trace_on(&s->rec) && since != 0)
            trace_go_sys_kept(&s->rec, &p->trace, &g->trace, since);
        return;
    }
    pthread_mutex_lock(&s->lock);
    if (trace_on(&s->rec))
        trace_go_sys_block(&s->rec, &p->trace, &g->trace, since);
    p->has_m = false;
    p->g = NULL;
    g->state = SIM_SYS;
    g->sys_return = trace_ticks(&s->rec);
    s->runq[s->nrunq++] = g;
    pthread_mutex_unlock(&s->lock);
}

static void
act_gc(struct sim_p *p, vpc *pcs)
{
    struct sim *s = p->sim;
    struct trace_rec *r = &s->rec;

    pthread_mutex_lock(&s->lock);
    if (!s->gc_running) {
        s->gc_running = true;
        if (trace_on(r)) {
            trace_gc_start(r, &p->trace, pcs, walk(&p->rand, pcs, 8));
            trace_stw_start(r, &p->trace, TRACE_STW_SWEEP_TERM);
            trace_stw_done(r, &p->trace);
        }
    } else {
        if (trace_on(r)) {
            trace_stw_start(r, &p->trace, TRACE_STW_MARK_TERM);
            trace_heap_goal(r, &p->trace, 4 << 20);
            trace_stw_done(r, &p->trace);
            trace_gc_done(r, &p->trace);
        }
        s->gc_running = false;
    }
    pthread_mutex_unlock(&s->lock);
}

static void
act_heap(struct sim_p *p, vpc *pcs)
{
    struct trace_rec *r = &p->sim->rec;
    struct sim_g *g = p->g;

    if (!trace_on(r))
        return;
    switch (rnd(&p->rand, 5)) {
    case 0:
        trace_heap_alloc(r, &p->trace, rnd(&p->rand, 1 << 20));
        break;
    case 1:
        trace_sweep_start(r, &p->trace, pcs, walk(&p->rand, pcs, 4));
        trace_sweep_done(r, &p->trace, 8192, 4096);
        break;
    case 2:
        trace_mark_assist_start(r, &p->trace, pcs, walk(&p->rand, pcs, 4));
        trace_mark_assist_done(r, &p->trace);
        break;
    case 3:
        trace_cpu_sample(r, trace_ticks(r), p->id, g->id, pcs,
            walk(&p->rand, pcs, 4));
        break;
    default:
        trace_gomaxprocs(r, &p->trace, (uint64_t)p->sim->procs, pcs, 0);
        break;
    }
}

static void
act_user(struct sim_p *p, vpc *pcs)
{
    struct sim *s = p->sim;
    struct trace_rec *r = &s->rec;
    uint32_t n = walk(&p->rand, pcs, 6);
    char msg[600];
    uint64_t task;

    if (!trace_on(r))
        return;
    pthread_mutex_lock(&s->lock);
    task = s->next_task++;
    pthread_mutex_unlock(&s->lock);
    memset(msg, 'x', sizeof msg);
    trace_task_create(r, &p->trace, task, 0, "task", 4, pcs, n);
    trace_region(r, &p->trace, task, false, "outer", 5, pcs, n);
    trace_region(r, &p->trace, task, false, "inner", 5, pcs, n);
    trace_log(r, &p->trace, task, "key", 3, msg, rnd(&p->rand, 600), pcs, n);
    trace_region(r, &p->trace, task, true, "inner", 5, pcs, n);
    trace_region(r, &p->trace, task, true, "outer", 5, pcs, n);
    trace_task_end(r, &p->trace, task, pcs, n);
}

/* ---- Ms */

static void
schedule(struct sim_p *p)
{
    struct sim *s = p->sim;
    struct sim_g *g;

    pthread_mutex_lock(&s->lock);
    if (!p->has_m) {
        p->has_m = true;
        if (trace_on(&s->rec))
            trace_proc_start(&s->rec, &p->trace, 100 + (uint64_t)p->id);
    }
    g = take(s->runq, &s->nrunq, rnd(&p->rand, 1000));
    if (g == NULL) {
        p->has_m = false;
        if (trace_on(&s->rec))
            trace_proc_stop(&s->rec, &p->trace);
    } else {
        if (trace_on(&s->rec) && g->sys_return != 0)
            trace_go_sys_exit(&s->rec, &p->trace, &g->trace, g->sys_return);
        g->sys_return = 0;
        g->state = SIM_RUNNING;
        p->g = g;
        if (trace_on(&s->rec) && g->id % 17 == 0)
            trace_go_start_label(&s->rec, &p->trace, &g->trace,
                "GC (dedicated)");
        else if (trace_on(&s->rec))
            trace_go_start(&s->rec, &p->trace, &g->trace);
    }
    pthread_mutex_unlock(&s->lock);
}

static void
step(struct sim_p *p)
{
    struct sim *s = p->sim;
    vpc pcs[TRACE_STACK_MAX];
    unsigned what = rnd(&p->rand, 100);

    pcs[0] = 0;
    if (p->g == NULL) {
        schedule(p);
        if (p->g == NULL)
            wake_one(s, trace_global(&s->rec), &p->rand, pcs);
        return;
    }
    if (what < 20)
        act_create(p, pcs);
    else if (what < 45)
        wake_one(s, &p->trace, &p->rand, pcs);
    else if (what < 62)
        act_block(p, pcs);
    else if (what < 70)
        act_yield(p, pcs);
    else if (what < 80)
        act_end(p, pcs);
    else if (what < 88)
        act_syscall(p, pcs);
    else if (what < 90)
        act_gc(p, pcs);
    else if (what < 98)
        act_heap(p, pcs);
    else
        act_user(p, pcs);
}

static void *
run_p(void *arg)
{
    struct sim_p *p = arg;
    struct sim *s = p->sim;

    while (a32_load_acq(&s->halt) == 0 &&
        (s->limit == 0 || p->steps < s->limit)) {
        pthread_rwlock_rdlock(&s->world);
        step(p);
        p->steps++;
        pthread_rwlock_unlock(&s->world);
    }
    return NULL;
}

static void *
run_poller(void *arg)
{
    struct sim *s = arg;
    vpc pcs[TRACE_STACK_MAX];
    unsigned state = 12345;

    while (a32_load_acq(&s->halt) == 0) {
        pthread_rwlock_rdlock(&s->world);
        wake_one(s, trace_global(&s->rec), &state, pcs);
        pthread_rwlock_unlock(&s->world);
        usleep(200);
    }
    return NULL;
}

/* ---- life */

void
sim_init(struct sim *s, int procs, unsigned seed)
{
    pthread_rwlockattr_t attr;
    int i;

    memset(s, 0, sizeof *s);
    s->host = (struct trace_host){.stop_world = stop_world,
        .start_world = start_world, .for_each_g = for_each_g,
        .for_each_p = for_each_p, .walk_self = walk_self, .walk_g = walk_g,
        .symbolize = symbolize, .failed = failed};
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr,
        PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&s->world, &attr);
    pthread_rwlockattr_destroy(&attr);
    pthread_mutex_init(&s->lock, NULL);
    rt_clock_init(&s->clock);
    if (trace_rec_init(&s->rec, &s->host, s, &s->clock) != RT_OK)
        abort();
    s->procs = procs;
    s->next_id = 1;
    s->next_task = 1;
    for (i = 0; i < procs; i++) {
        s->p[i].sim = s;
        s->p[i].id = i;
        s->p[i].rand = seed * 7919 + (unsigned)i;
        trace_pbuf_init(&s->rec, &s->p[i].trace, i);
    }
    for (i = 0; i < SIM_MIN_GS; i++)
        s->runq[s->nrunq++] = new_g(s);
}

void
sim_run(struct sim *s, uint64_t limit)
{
    int i;

    s->limit = limit;
    a32_store_full(&s->halt, 0);
    for (i = 0; i < s->procs; i++) {
        s->p[i].steps = 0;
        if (pthread_create(&s->p[i].thread, NULL, run_p, &s->p[i]) != 0)
            abort();
    }
    if (pthread_create(&s->poller, NULL, run_poller, s) != 0)
        abort();
}

void
sim_join(struct sim *s, bool halt)
{
    int i;

    if (halt)
        a32_store_full(&s->halt, 1);
    for (i = 0; i < s->procs; i++)
        pthread_join(s->p[i].thread, NULL);
    a32_store_full(&s->halt, 1);
    pthread_join(s->poller, NULL);
}

void
sim_fini(struct sim *s)
{
    unsigned i;

    trace_rec_fini(&s->rec);
    for (i = 0; i < s->ngs; i++)
        free(s->gs[i]);
    pthread_rwlock_destroy(&s->world);
    pthread_mutex_destroy(&s->lock);
}
