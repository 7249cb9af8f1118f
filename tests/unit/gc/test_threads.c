/* SPDX-License-Identifier: MIT */
/*
 * Several threads, each with a P, allocate, build lists, poll at safepoints
 * and sweep in the background, while cycles come by themselves.  The host
 * here is a small stop-the-world by a lock and a count.
 */
#include "tests/unit/gc/fake.h"

#include <pthread.h>

#include "runtime/base/rand.h"
#include "runtime/base/thread.h"

enum { THREADS = 4, LISTS = 64, STEPS = 60000 };

struct worker {
    struct world *w;
    struct rt_thread t;
    struct gc_pcache pc;
    void **list[LISTS]; /* roots: lists of nodes */
    uint64_t len[LISTS];
    uint64_t seed;
    uint64_t finalized;
    const char *failed;
};

struct world {
    struct gc_heap *h;
    pthread_mutex_t mu;
    pthread_cond_t cv;
    bool stopping; /* guarded by mu, and so on */
    int running;
    a_u32 sweepers; /* calls of wake_sweeper not served yet */
    a_u32 finals;
    struct worker worker[THREADS];
};

static void
stop_world(void *arg, const char *reason)
{
    struct world *w = arg;

    (void)reason;
    pthread_mutex_lock(&w->mu);
    w->stopping = true;
    w->running--; /* the caller */
    while (w->running > 0)
        pthread_cond_wait(&w->cv, &w->mu);
}

static void
start_world(void *arg)
{
    struct world *w = arg;

    w->stopping = false;
    w->running++;
    pthread_cond_broadcast(&w->cv);
    pthread_mutex_unlock(&w->mu);
}

static void
safepoint(struct world *w)
{
    pthread_mutex_lock(&w->mu);
    if (w->stopping) {
        w->running--;
        pthread_cond_broadcast(&w->cv);
        while (w->stopping)
            pthread_cond_wait(&w->cv, &w->mu);
        w->running++;
    }
    pthread_mutex_unlock(&w->mu);
}

static void
mark_roots(void *arg, struct gc_marker *m)
{
    struct world *w = arg;

    for (int i = 0; i < THREADS; i++)
        gc_mark_range(m, w->worker[i].list, &lay_ptr, LISTS);
}

static void
request_gc(void *arg, struct gc_pcache *pc)
{
    (void)arg;
    (void)pc; /* every thread polls anyway */
}

static void
wake_sweeper(void *arg)
{
    a32_store_rlx(&((struct world *)arg)->sweepers, 1);
}

static void
finalizers_ready(void *arg)
{
    a32_store_rlx(&((struct world *)arg)->finals, 1);
}

static const struct gc_host host = {
    .stop_world = stop_world,
    .start_world = start_world,
    .mark_roots = mark_roots,
    .request_gc = request_gc,
    .wake_sweeper = wake_sweeper,
    .finalizers_ready = finalizers_ready
};

/* A node: number of its list, next, other, position. */
static bool
push(struct worker *k, uint32_t l)
{
    uintptr_t *n = gc_alloc(&k->pc, &lay_node);

    if (n == NULL)
        return false;
    for (int i = 0; i < 4; i++)
        if (n[i] != 0)
            k->failed = "not zeroed";
    n[0] = l;
    n[1] = (uintptr_t)k->list[l];
    n[3] = k->len[l]++;
    k->list[l] = (void **)(void *)n;
    return true;
}

static void
check_list(struct worker *k, uint32_t l)
{
    uint64_t n = k->len[l];

    for (uintptr_t *p = (void *)k->list[l]; p != NULL;
        p = (uintptr_t *)p[1]) {
        if (p[0] != l || p[3] != --n) {
            k->failed = "broken list";
            return;
        }
    }
    if (n != 0)
        k->failed = "list too short";
}

static void
work(void *arg)
{
    struct worker *k = arg;
    struct world *w = k->w;
    struct rt_rand r;
    struct gc_finalizer x;

    rt_rand_init(&r, k->seed);
    for (int i = 0; i < STEPS && k->failed == NULL; i++) {
        uint32_t l = rt_rand_below(&r, LISTS);
        if (!push(k, l))
            k->failed = "no memory";
        gc_alloc_noscan(&k->pc, rt_rand_below(&r, 300));
        if (i % 50 == 0)
            gc_alloc_array(&k->pc, &lay_pair, rt_rand_below(&r, 9000));
        if (i % 64 == 0) {
            void *p = gc_alloc(&k->pc, &lay_pair);
            gc_set_finalizer(&k->pc, p, NULL, NULL);
        }
        if (k->len[l] > 40) {
            check_list(k, l);
            k->list[l] = NULL;
            k->len[l] = 0;
        }
        if (i % 8 == 0) {
            safepoint(w);
            gc_poll(w->h, &k->pc);
        }
        if (i % 8 == 1 && a32_load_rlx(&w->sweepers) != 0 &&
            !gc_sweep_some(w->h, &k->pc, 10))
            a32_store_rlx(&w->sweepers, 0);
        while (a32_load_rlx(&w->finals) != 0 &&
            gc_finalizer_next(w->h, &k->pc, &x))
            k->finalized++;
    }
    for (uint32_t l = 0; l < LISTS; l++)
        check_list(k, l);
    pthread_mutex_lock(&w->mu);
    w->running--;
    pthread_cond_broadcast(&w->cv);
    pthread_mutex_unlock(&w->mu);
}

static void
threads_allocate_while_cycles_run(void **state)
{
    static struct world w;
    struct gc_config cfg = GC_CONFIG_DEFAULT;
    struct rt_err e = { 0 };

    (void)state;
    cfg.percent = 10;
    memset(&w, 0, sizeof w);
    pthread_mutex_init(&w.mu, NULL);
    pthread_cond_init(&w.cv, NULL);
    assert_int_equal(gc_heap_new(&w.h, &cfg, &host, &w, NULL, NULL, NULL),
        RT_OK);
    w.running = THREADS;
    for (int i = 0; i < THREADS; i++) {
        struct worker *k = &w.worker[i];
        k->w = &w;
        k->seed = (uint64_t)i + 1;
        gc_pcache_init(w.h, &k->pc, k);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(rt_thread_start(&w.worker[i].t, work, &w.worker[i],
            0, "worker", &e), RT_OK);
    for (int i = 0; i < THREADS; i++) {
        rt_thread_join(&w.worker[i].t);
        if (w.worker[i].failed != NULL)
            fail_msg("thread %d: %s", i, w.worker[i].failed);
    }
    assert_true(gc_cycles(w.h) >= 3);
    if (gc_verify(w.h, &e) != RT_OK)
        fail_msg("%s", e.text);
    struct gc_memstats st;
    gc_read_memstats(w.h, &st);
    uint64_t live = 0;
    uint64_t finalized = 0;
    struct gc_finalizer x;
    for (int i = 0; i < THREADS; i++) {
        finalized += w.worker[i].finalized;
        for (uint32_t l = 0; l < LISTS; l++)
            live += w.worker[i].len[l];
    }
    assert_true(finalized > 0);
    w.running = 1;
    for (int i = 0; i < 2; i++) {
        gc_collect(w.h, &w.worker[0].pc, GC_WHY_FORCED);
        while (gc_finalizer_next(w.h, NULL, &x))
            finalized++;
    }
    assert_int_equal(finalized, THREADS * ((STEPS + 63) / 64));
    gc_read_memstats(w.h, &st);
    assert_int_equal(st.heap_objects, live);
    for (int i = 0; i < THREADS; i++)
        gc_pcache_fini(&w.worker[i].pc);
    gc_heap_free(w.h);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_allocate_while_cycles_run)
    };

    return cmocka_run_group_tests_name("gc/threads", tests, NULL, NULL);
}
