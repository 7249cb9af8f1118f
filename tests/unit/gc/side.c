/* SPDX-License-Identifier: MIT */
#include "tests/unit/gc/side.h"

static void
stop_world(void *arg, const char *why)
{
    struct side *s = arg;

    assert_false(s->stopped);
    assert_true(strcmp(why, "GC") == 0 ||
        strcmp(why, "GC sweep termination") == 0 ||
        strcmp(why, "GC mark termination") == 0);
    s->stopped = true;
    s->stops++;
}

static void
start_world(void *arg)
{
    struct side *s = arg;

    assert_true(s->stopped);
    s->stopped = false;
}

static void
mark_roots(void *arg, struct gc_marker *m)
{
    struct side *s = arg;

    assert_true(s->stopped);
    for (int i = 0; i < PIECES; i++)
        gc_mark_range(m, s->root[i], &lay_ptr, WORDS);
}

static void
mark_begin(void *arg)
{
    struct side *s = arg;

    assert_true(s->stopped);
    s->taken = 0;
}

static void
mark_end(void *arg)
{
    assert_true(((struct side *)arg)->stopped);
}

static enum gc_roots
mark_root(void *arg, struct gc_marker *m)
{
    struct side *s = arg;

    assert_false(s->stopped);
    if (s->taken == PIECES)
        return GC_ROOTS_DONE;
    if (s->taken == s->allowed)
        return GC_ROOTS_WAIT;
    gc_mark_range(m, s->root[s->order[s->taken++]], &lay_ptr, WORDS);
    return GC_ROOTS_SOME;
}

static bool
roots_left(void *arg)
{
    struct side *s = arg;

    return s->taken < s->allowed && s->taken < PIECES;
}

static bool
flush_ps(void *arg, struct gc_pcache *pc, uint32_t epoch)
{
    struct side *s = arg;

    s->flushes++;
    gc_flush_marks(pc, epoch);
    for (int i = 0; i < PS && !s->deaf; i++)
        gc_flush_marks(&s->pc[i], epoch);
    return !s->deaf;
}

static void
wake_worker(void *arg)
{
    ((struct side *)arg)->workers++;
}

static void
wake_assists(void *arg)
{
    ((struct side *)arg)->assists++;
}

static void
mark_done(void *arg)
{
    struct side *s = arg;

    assert_false(s->stopped);
    s->done++;
}

static void
request_gc(void *arg, struct gc_pcache *pc)
{
    (void)pc;
    ((struct side *)arg)->requests++;
}

static void
wake_sweeper(void *arg)
{
    ((struct side *)arg)->sweeps++;
}

static uint32_t
procs(void *arg)
{
    (void)arg;
    return PS;
}

const struct gc_host side_host = {
    .stop_world = stop_world,
    .start_world = start_world,
    .mark_roots = mark_roots,
    .mark_begin = mark_begin,
    .mark_end = mark_end,
    .mark_root = mark_root,
    .roots_left = roots_left,
    .flush_ps = flush_ps,
    .wake_worker = wake_worker,
    .wake_assists = wake_assists,
    .mark_done = mark_done,
    .request_gc = request_gc,
    .wake_sweeper = wake_sweeper,
    .procs = procs
};

void
side_start(struct side *s, const struct gc_config *cfg)
{
    struct gc_config def = GC_CONFIG_DEFAULT;

    memset(s, 0, sizeof *s);
    def.verify = true;
    assert_int_equal(gc_heap_new(&s->h, cfg == NULL ? &def : cfg, &side_host,
        s, NULL, NULL, NULL), RT_OK);
    for (int i = 0; i < PS; i++)
        gc_pcache_init(s->h, &s->pc[i], NULL);
    for (int i = 0; i < PIECES; i++)
        s->order[i] = i;
}

static bool
stop_worker(void *arg)
{
    struct side *s = arg;

    return s->steps >= 0 && s->steps-- == 0;
}

enum gc_worked
side_work(struct side *s, int steps)
{
    s->steps = steps;
    return gc_worker_run(s->h, &s->pc[0], GC_WORKER_DEDICATED, stop_worker,
        s);
}

void
side_begin(struct side *s)
{
    uint64_t mark = 0;

    assert_true(gc_begin(s->h, &s->pc[0], GC_WHY_FORCED, &mark));
    assert_int_equal(mark, gc_cycles(s->h) + 1);
}

void
side_end(struct side *s)
{
    s->allowed = PIECES;
    for (int i = 0; side_work(s, -1) != GC_WORKED_DONE; i++)
        assert_true(i < 10);
}

void
side_sweep(struct side *s)
{
    while (!gc_sweep_done(s->h))
        gc_sweep_some(s->h, &s->pc[0], 1);
}

void
side_cycle(struct side *s)
{
    side_begin(s);
    side_end(s);
    side_sweep(s);
}

bool
side_alive(struct side *s, const void *p)
{
    struct gc_object o;

    return gc_find_object(s->h, p, &o);
}

void
side_valid(struct side *s)
{
    struct rt_err e = { 0 };

    if (gc_verify(s->h, &e) != RT_OK)
        fail_msg("%s", e.text);
}
