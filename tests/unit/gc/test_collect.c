/* SPDX-License-Identifier: MIT */
/* Collections on one thread, against a model that knows what is alive. */
#include "tests/unit/gc/fake.h"

#include <stdio.h>
#include <stdlib.h>

#include "gc/gc_int.h"
#include "profile/record/profile.h"
#include "runtime/base/rand.h"

/* ---- random graphs -------------------------------------------------- */

enum { NODES = 3000, MAX_WORDS = 40000 };

struct model {
    uint8_t *p;           /* NULL: not allocated, or found dead */
    const struct rt_layout *l;
    uint64_t n;           /* elements */
    uint32_t edges;       /* to[0 .. edges-1], stored in the object */
    uint32_t to[8];
    bool alive;
};

/* Layouts of many shapes; the last pointer word of each element is used. */
static struct rt_layout shapes[12];
static uint8_t shape_mask[12][320];

static void
make_shapes(void)
{
    static const struct {
        uint32_t words, first, step, last;
    } s[12] = {
        { 1, 0, 1, 0 }, { 2, 1, 1, 1 }, { 3, 0, 2, 2 }, { 5, 2, 1, 3 },
        { 8, 0, 1, 7 }, { 9, 8, 1, 8 }, { 17, 3, 3, 15 }, { 33, 1, 7, 29 },
        { 64, 0, 9, 63 }, { 65, 0, 8, 64 }, { 300, 5, 11, 291 },
        { 2500, 2480, 3, 2498 }
    };

    for (int i = 0; i < 12; i++) {
        memset(shape_mask[i], 0, sizeof shape_mask[i]);
        for (uint32_t w = s[i].first; w <= s[i].last; w += s[i].step) {
            shape_mask[i][w / 8] |= (uint8_t)(1 << (w % 8));
            shapes[i].ptrdata = (w + 1) * 8;
        }
        shapes[i].size = s[i].words * 8;
        shapes[i].ptrmask = shape_mask[i];
    }
}

/* The address of pointer word number k (round and round) of an object. */
static void **
pointer_word(const struct model *m, uint32_t k)
{
    uint64_t per = 0;
    for (uint64_t w = 0; w < m->l->ptrdata / 8; w++)
        per += rt_layout_is_ptr(m->l, w);
    uint64_t total = per * m->n;
    /* Spread over the whole object, its last word first. */
    uint64_t at = (total - 1 - k * (total / 9 + 1) % total);
    uint64_t e = at / per;
    uint64_t i = at % per;
    for (uint64_t w = 0;; w++)
        if (rt_layout_is_ptr(m->l, w) && i-- == 0)
            return (void **)(void *)(m->p + e * m->l->size + w * 8);
}

static void
reach(struct model *m, uint32_t i)
{
    uint32_t stack[NODES];
    uint32_t n = 0;

    if (m[i].alive)
        return;
    m[i].alive = true;
    stack[n++] = i;
    while (n > 0) {
        struct model *x = &m[stack[--n]];
        for (uint32_t k = 0; k < x->edges; k++)
            if (!m[x->to[k]].alive) {
                m[x->to[k]].alive = true;
                stack[n++] = x->to[k];
            }
    }
}

static void
new_node(struct fake *f, struct model *m, struct rt_rand *r)
{
    memset(m, 0, sizeof *m);
    m->l = &shapes[rt_rand_below(r, 12)];
    uint64_t words = m->l->size / 8;
    uint32_t pick = rt_rand_below(r, 100);
    m->n = pick < 60 ? 1 : 1 + rt_rand_below(r, pick < 97 ? 10 : 600);
    if (m->n * words > MAX_WORDS)
        m->n = 1;
    m->p = m->n == 1 ? gc_alloc(&f->pc, m->l)
                     : gc_alloc_array(&f->pc, m->l, m->n);
    assert_non_null(m->p);
    for (uint64_t i = 0; i < m->n * words; i++) {
        uint64_t v;
        memcpy(&v, m->p + i * 8, 8);
        assert_int_equal(v, 0);
    }
    /* Words that are no pointers hold what a careless collector would throw
     * about: addresses in the heap that are nothing. */
    for (uint64_t e = 0; e < m->n; e++)
        for (uint64_t w = 0; w < words; w++)
            if (!rt_layout_is_ptr(m->l, w)) {
                uintptr_t junk = (uintptr_t)m->p + 4096 * rt_rand_below(r, 99);
                memcpy(m->p + e * m->l->size + w * 8, &junk, 8);
            }
}

/* Adds an edge, as an address somewhere inside of the target. */
static void
link_nodes(struct model *all, uint32_t from, uint32_t to, struct rt_rand *r)
{
    struct model *m = &all[from];
    if (m->edges == 8)
        return;
    void **w = pointer_word(m, m->edges);
    if (*w != NULL)
        return; /* a small object has fewer words than edges */
    *w = all[to].p + rt_rand_below(r, (uint32_t)(all[to].n * all[to].l->size));
    m->to[m->edges++] = to;
}

static void
check_nodes(struct fake *f, struct model *m, uint32_t *live)
{
    *live = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        struct gc_object o;
        if (m[i].p == NULL)
            continue;
        bool found = gc_find_object(f->h, m[i].p, &o);
        if (m[i].alive) {
            assert_true(found);
            assert_ptr_equal(o.base, m[i].p);
            assert_true(o.size >= m[i].n * m[i].l->size);
            (*live)++;
        } else {
            assert_false(found);
            m[i].p = NULL;
        }
    }
}

static void
run_graph(uint64_t seed, const struct gc_config *cfg)
{
    struct fake f;
    struct rt_rand r;
    struct model *m = calloc(NODES, sizeof *m);

    make_shapes();
    rt_rand_init(&r, seed);
    fake_start(&f, cfg, NULL, NULL);
    for (int round = 0; round < 12; round++) {
        for (uint32_t i = 0; i < NODES; i++)
            if (m[i].p == NULL && rt_rand_below(&r, 4) != 0)
                new_node(&f, &m[i], &r);
        for (int k = 0; k < 2 * NODES; k++) {
            uint32_t a = rt_rand_below(&r, NODES);
            uint32_t b = rt_rand_below(&r, NODES);
            if (m[a].p != NULL && m[b].p != NULL)
                link_nodes(m, a, b, &r);
        }
        for (uint32_t i = 0; i < NODES; i++)
            m[i].alive = false;
        f.nroots = f.nmaybe = 0;
        for (int k = 0; k < 40; k++) {
            uint32_t a = rt_rand_below(&r, NODES);
            if (m[a].p == NULL)
                continue;
            if (k % 4 == 0)
                f.maybe[f.nmaybe++] = (uintptr_t)m[a].p + 1;
            else
                f.root[f.nroots++] = m[a].p;
            reach(m, a);
        }
        f.maybe[f.nmaybe++] = 0x1234;
        f.maybe[f.nmaybe++] = (uintptr_t)&f;
        f.maybe[f.nmaybe++] = ~(uintptr_t)0;
        fake_collect(&f);
        uint32_t live;
        check_nodes(&f, m, &live);
        assert_true(live > 0);
        struct gc_memstats st;
        gc_read_memstats(f.h, &st);
        assert_int_equal(st.heap_objects, live);
        assert_int_equal(st.num_gc, round + 1);
    }
    fake_stop(&f);
    free(m);
}

static void
random_graphs_match_the_model(void **state)
{
    struct gc_config cfg = GC_CONFIG_DEFAULT;

    (void)state;
    cfg.verify = true;
    for (uint64_t seed = 1; seed <= 4; seed++)
        run_graph(seed, &cfg);
}

/* ---- lazy sweeping, triggers, figures ------------------------------- */

static void
a_long_list_needs_no_recursion(void **state)
{
    struct fake f;
    enum { N = 300000 };

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    void **head = NULL;
    for (int i = 0; i < N; i++) {
        void **p = gc_alloc(&f.pc, &lay_pair);
        p[0] = head;
        head = p;
    }
    f.root[0] = head;
    f.nroots = 1;
    fake_collect(&f);
    struct gc_memstats st;
    gc_read_memstats(f.h, &st);
    assert_int_equal(st.heap_objects, N);
    assert_int_equal(st.heap_alloc, N * 16);
    f.nroots = 0;
    fake_collect(&f);
    gc_read_memstats(f.h, &st);
    assert_int_equal(st.heap_objects, 0);
    assert_int_equal(st.heap_inuse, 0);
    assert_int_equal(st.frees, N);
    fake_stop(&f);
}

/* Garbage is reused lazily: the heap stays near its goal for ever. */
static void
garbage_keeps_the_heap_small(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    uint64_t goal = gc_heap_goal(f.h);
    assert_int_equal(goal, RT_GC_HEAP_MIN);
    for (int i = 0; i < 2000000; i++) {
        void **p = gc_alloc(&f.pc, &lay_node);
        assert_null(p[1]);
        p[1] = p;
        gc_poll(f.h, &f.pc);
    }
    assert_true(gc_cycles(f.h) > 5);
    assert_int_equal(f.requests, gc_cycles(f.h));
    assert_int_equal(f.wakes, gc_cycles(f.h));
    assert_int_equal(f.clears, gc_cycles(f.h));
    struct gc_memstats st;
    gc_read_memstats(f.h, &st);
    assert_int_equal(st.mallocs, 2000000);
    assert_true(st.heap_inuse <= 2 * goal + (1 << 20));
    fake_stop(&f);
}

static void
gogc_sets_the_goal(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    f.nroots = 1;
    f.root[0] = gc_alloc_noscan(&f.pc, 64 << 20);
    fake_collect(&f);
    uint64_t live = 64 << 20;
    uint64_t roots = 100 + 8;
    assert_int_equal(gc_heap_goal(f.h), 2 * live + roots);
    assert_int_equal(gc_set_percent(f.h, 50), 100);
    assert_int_equal(gc_heap_goal(f.h), live + (live + roots) / 2);
    assert_int_equal(gc_set_percent(f.h, -5), 50);
    assert_int_equal(gc_heap_goal(f.h), UINT64_MAX);
    assert_int_equal(gc_set_percent(f.h, 200), -1);
    assert_int_equal(gc_heap_goal(f.h), live + (live + roots) * 2);
    assert_int_equal(gc_set_memory_limit(f.h, -1), INT64_MAX);
    assert_int_equal(gc_set_memory_limit(f.h, 100 << 20), INT64_MAX);
    assert_true(gc_heap_goal(f.h) < 100 << 20);
    assert_true(gc_heap_goal(f.h) > live);
    assert_int_equal(gc_set_memory_limit(f.h, 1 << 20), 100 << 20);
    /* A limit that cannot be kept leaves some room to breathe. */
    assert_true(gc_heap_goal(f.h) > live + live / 20);
    fake_stop(&f);
}

static void
stress_asks_at_every_nth_allocation(void **state)
{
    struct gc_config cfg = GC_CONFIG_DEFAULT;
    struct fake f;

    (void)state;
    cfg.stress = 3;
    cfg.verify = true;
    fake_start(&f, &cfg, NULL, NULL);
    f.nroots = 1;
    for (int i = 1; i <= 300; i++) {
        void **p = i % 2 ? gc_alloc(&f.pc, &lay_pair)
                         : gc_alloc_noscan(&f.pc, 5);
        if (i % 2)
            p[0] = f.root[0];
        f.root[0] = i % 2 ? p : f.root[0];
        assert_int_equal(gc_should_start(f.h), i % 3 == 0);
        gc_poll(f.h, &f.pc);
        assert_int_equal(gc_cycles(f.h), i / 3);
    }
    int n = 0;
    for (void **p = f.root[0]; p != NULL; p = p[0])
        n++;
    assert_int_equal(n, 150);
    fake_stop(&f);
}

static void
free_memory_goes_back(void **state)
{
    struct fake f;
    struct gc_memstats st;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    f.nroots = 1;
    f.root[0] = gc_alloc_noscan(&f.pc, 40 << 20);
    memset(f.root[0], 0xaa, 40 << 20);
    gc_read_memstats(f.h, &st);
    assert_int_equal(st.heap_inuse, 40 << 20);
    assert_int_equal(st.heap_released, st.heap_idle);
    f.nroots = 0;
    fake_collect(&f);
    gc_read_memstats(f.h, &st);
    assert_int_equal(st.heap_idle - st.heap_released, 40 << 20);
    /* The heap may grow to that again; not so after one more cycle. */
    assert_false(gc_scavenge_some(f.h));
    fake_collect(&f);
    while (gc_scavenge_some(f.h))
        ;
    gc_read_memstats(f.h, &st);
    assert_true(st.heap_idle - st.heap_released < 8 << 20);
    assert_true(gc_scavenge(f.h, UINT64_MAX) > 0);
    gc_read_memstats(f.h, &st);
    assert_int_equal(st.heap_idle, st.heap_released);
    assert_int_equal(gc_scavenge(f.h, UINT64_MAX), 0);
    uint8_t *p = gc_alloc_noscan(&f.pc, 40 << 20);
    for (size_t i = 0; i < 40 << 20; i += 512)
        assert_int_equal(p[i], 0);
    fake_stop(&f);
}

static void
large_memory_is_zeroed_again(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    for (int round = 0; round < 5; round++) {
        for (size_t size = 33000; size < 2 << 20; size = size * 3 / 2) {
            uint8_t *p = round % 2 ? gc_alloc_noscan(&f.pc, size)
                                   : gc_alloc_array(&f.pc, &lay_int, size / 8);
            for (size_t i = 0; i < size / 8 * 8; i++)
                assert_int_equal(p[i], 0);
            memset(p, 0xff, size / 8 * 8);
        }
        fake_collect(&f);
    }
    fake_stop(&f);
}

static void
the_trace_line_is_like_gos(void **state)
{
    struct gc_config cfg = GC_CONFIG_DEFAULT;
    struct fake f;
    unsigned n, p;
    char rest[256];

    (void)state;
    cfg.trace = true;
    fake_start(&f, &cfg, NULL, NULL);
    fake_collect(&f);
    assert_int_equal(sscanf(f.line, "gc %u @0.%*us %*u%%: %255[^\n]", &n,
        rest), 2);
    assert_int_equal(n, 1);
    assert_int_equal(sscanf(rest, "%*[0-9.]+%*[0-9.]+%*[0-9.] ms clock, "
        "%*[0-9.]+%*[0-9.]/%*[0-9.]/%*[0-9.]+%*[0-9.] ms cpu, "
        "0->0->0 MB, 4 MB goal, 0 MB stacks, 0 MB globals, %u P", &p),
        RT_GC_HEAP_MIN == 4 << 20 ? 1 : 0);
    assert_non_null(strstr(f.line, " P (forced)\n"));
    fake_stop(&f);
}

/* ---- the profiler's hooks ------------------------------------------- */

static char hooks[64];

/* One letter for each run of equal calls. */
static void
note(char c)
{
    size_t n = strlen(hooks);
    if (n + 1 < sizeof hooks && (n == 0 || hooks[n - 1] != c))
        hooks[n] = c;
}

static void *
note_malloc(void *arg, struct gc_pcache *pc, void *p, size_t size)
{
    note('m');
    return mprof_malloc(arg, pc, p, size);
}

static void
note_free(void *arg, void *p, void *site, size_t size)
{
    note('f');
    mprof_free(arg, p, site, size);
}

static void
note_next(void *arg)
{
    note('N');
    mprof_next_cycle(arg);
}

static void
note_flush(void *arg)
{
    note('F');
    mprof_flush(arg);
}

static void
note_swept(void *arg)
{
    note('S');
    mprof_post_sweep(arg);
}

static const struct gc_prof_sink sink = {
    .malloc = note_malloc,
    .free = note_free,
    .next_sample = mprof_next_sample,
    .next_cycle = note_next,
    .flush = note_flush,
    .post_sweep = note_swept,
};

static void
profile_hooks_come_in_order(void **state)
{
    struct fake f;
    struct prof_buckets buckets;
    struct rt_os os = {0};
    struct mprof mp;
    struct mprof_counts c;

    (void)state;
    memset(hooks, 0, sizeof hooks);
    prof_buckets_init(&buckets, &os);
    mprof_init(&mp, &buckets, 1, 7, NULL, NULL);
    fake_start(&f, NULL, &sink, &mp);
    for (int i = 0; i < 100; i++)
        f.root[i] = gc_alloc(&f.pc, &lay_node);
    f.nroots = 50;
    mprof_read(&mp, &c);
    assert_int_equal(c.allocs, 0);
    fake_collect(&f);
    assert_string_equal(hooks, "mNFfS");
    /* The sweep has ended, so allocations and frees are published together:
     * garbage never shows. */
    mprof_read(&mp, &c);
    assert_int_equal(c.allocs, 100);
    assert_int_equal(c.frees, 50);
    assert_int_equal(c.alloc_bytes, 3200);
    assert_int_equal(c.free_bytes, 1600);
    gc_alloc(&f.pc, &lay_node);
    assert_true(gc_collect(f.h, &f.pc, GC_WHY_PERIODIC));
    /* Not swept yet: the new sample and its free are held back. */
    mprof_read(&mp, &c);
    assert_int_equal(c.allocs, 100);
    while (gc_sweep_some(f.h, &f.pc, 1))
        ;
    mprof_read(&mp, &c);
    assert_int_equal(c.allocs, 101);
    assert_int_equal(c.frees, 51);
    assert_string_equal(hooks, "mNFfSmNFfS");
    assert_int_equal(mprof_cycle(&mp), 2);
    fake_stop(&f);
    prof_buckets_fini(&buckets);
}

/* What is booked, published or not. */
static uint64_t
booked(struct prof_buckets *b)
{
    uint64_t n = 0;

    for (struct prof_bucket *k = prof_bucket_first(b, PROF_MEM); k != NULL;
        k = k->all_next) {
        const struct mprof_rec *r = prof_bucket_rec(k);
        n += r->allocs;
        for (int i = 0; i < MPROF_CYCLES; i++)
            n += a64_load_rlx(&r->future[i].allocs);
    }
    return n;
}

static void
samples_have_the_rate_on_average(void **state)
{
    struct prof_buckets buckets;
    struct rt_os os = {0};
    struct fake f;
    struct mprof mp;
    enum { N = 200000, RATE = 4096 };

    (void)state;
    prof_buckets_init(&buckets, &os);
    mprof_init(&mp, &buckets, RATE, 99, NULL, NULL);
    fake_start(&f, NULL, &sink, &mp);
    for (int i = 0; i < N; i++)
        gc_alloc(&f.pc, i % 2 ? &lay_node : &lay_ptr);
    uint64_t samples = booked(&buckets);
    uint64_t want = (uint64_t)N * 20 / RATE;
    assert_in_range(samples, want * 8 / 10, want * 12 / 10);
    mprof_set_rate(&mp, 0);
    gc_sample_reset(f.h);
    for (int i = 0; i < N; i++)
        gc_alloc(&f.pc, &lay_node);
    assert_int_equal(booked(&buckets), samples);
    fake_stop(&f);
    prof_buckets_fini(&buckets);
}

/* ---- the write barrier ---------------------------------------------- */

static void
the_barrier_shades_old_and_new(void **state)
{
    struct fake f;
    void *slot;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    void **old = gc_alloc(&f.pc, &lay_ptr);
    void **val = gc_alloc(&f.pc, &lay_ptr);
    void **third = gc_alloc(&f.pc, &lay_ptr);
    slot = old;
    gc_write_barrier(&f.pc, &slot, val);
    assert_int_equal(f.pc.marker->objects, 0);
    f.pc.barrier = true;
    gc_write_barrier(&f.pc, &slot, val);
    assert_int_equal(f.pc.marker->objects, 2);
    gc_write_barrier_range(&f.pc, &lay_ptr, &slot, &third, 1);
    /* third is a local variable whose value is the object */
    assert_int_equal(f.pc.marker->objects, 3);
    fake_stop(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_match_the_model),
        cmocka_unit_test(a_long_list_needs_no_recursion),
        cmocka_unit_test(garbage_keeps_the_heap_small),
        cmocka_unit_test(gogc_sets_the_goal),
        cmocka_unit_test(stress_asks_at_every_nth_allocation),
        cmocka_unit_test(free_memory_goes_back),
        cmocka_unit_test(large_memory_is_zeroed_again),
        cmocka_unit_test(the_trace_line_is_like_gos),
        cmocka_unit_test(profile_hooks_come_in_order),
        cmocka_unit_test(samples_have_the_rate_on_average),
        cmocka_unit_test(the_barrier_shades_old_and_new)
    };

    return cmocka_run_group_tests_name("gc/collect", tests, NULL, NULL);
}
