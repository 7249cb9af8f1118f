/* SPDX-License-Identifier: MIT */
/*
 * The memory profile against a plain model: a list of events, each of which
 * is to be published at a known step of a known cycle.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/record/mem.h"
#include "profile/record/pc.h"
#include "runtime/base/rand.h"

enum { SITES = 5 };

/* The stack that the next allocation has. */
static vpc site_pc;

static uint32_t
walk(void *ctx, vpc *pcs, uint32_t max)
{
    assert_true(max >= 2);
    assert_ptr_equal(ctx, &site_pc);
    pcs[0] = site_pc;
    pcs[1] = vpc_make(1, 7);
    return 2;
}

struct fixture {
    struct rt_os os;
    struct prof_buckets buckets;
    struct mprof mp;
};

static void
open_it(struct fixture *f, int64_t rate, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    prof_buckets_init(&f->buckets, &f->os);
    mprof_init(&f->mp, &f->buckets, rate, seed, walk, &site_pc);
}

static void
close_it(struct fixture *f)
{
    prof_buckets_fini(&f->buckets);
    assert_int_equal(a64_load_rlx(&f->os.committed), 0);
}

static uint64_t
size_of(unsigned site)
{
    return 16 << site;
}

/* ---- the model ----------------------------------------------------------- */

/*
 * A cycle is: next_cycle, flush, frees found by sweeping, post_sweep, and the
 * time until the next one.  An allocation that was made before the n-th
 * next_cycle is published when the n-th sweep is over, and so is the free of
 * an object that the n-th sweep has found.
 */
struct model {
    struct mprof_counts now[SITES];     /* published */
    struct mprof_counts sweep[SITES];   /* at the end of this sweep */
    struct mprof_counts later[SITES];   /* at the end of the next one */
};

static void
add(struct mprof_counts *a, const struct mprof_counts *b)
{
    a->allocs += b->allocs;
    a->frees += b->frees;
    a->alloc_bytes += b->alloc_bytes;
    a->free_bytes += b->free_bytes;
}

static void
model_alloc(struct model *m, unsigned site)
{
    m->later[site].allocs++;
    m->later[site].alloc_bytes += size_of(site);
}

static void
model_free(struct model *m, unsigned site)
{
    m->sweep[site].frees++;
    m->sweep[site].free_bytes += size_of(site);
}

/* Marking has ended: what was allocated until now belongs to this sweep. */
static void
model_next(struct model *m)
{
    memcpy(m->sweep, m->later, sizeof m->sweep);
    memset(m->later, 0, sizeof m->later);
}

static void
model_swept(struct model *m)
{
    for (unsigned i = 0; i < SITES; i++)
        add(&m->now[i], &m->sweep[i]);
    memset(m->sweep, 0, sizeof m->sweep);
}

static void
compare(struct fixture *f, const struct model *m)
{
    struct mprof_record r[SITES];
    uint32_t n = mprof_records(&f->mp, true, r, SITES);

    assert_true(n <= SITES);
    for (uint32_t i = 0; i < n; i++) {
        unsigned site = vpc_off(r[i].stk[0]);

        assert_int_equal(r[i].nstk, 2);
        assert_int_equal(r[i].size, size_of(site));
        assert_memory_equal(&r[i].c, &m->now[site], sizeof r[i].c);
    }
}

/* ---- driving it ----------------------------------------------------------- */

struct object {
    void *bucket;
    unsigned site;
    bool marked; /* existed at the end of the last mark, and is garbage */
};

struct heap {
    struct object *v;
    size_t n;
};

static void
allocate(struct fixture *f, struct model *m, struct heap *h,
    struct rt_rand *r)
{
    for (uint32_t k = rt_rand_below(r, 4); k > 0; k--) {
        unsigned site = rt_rand_below(r, SITES);

        site_pc = vpc_make(2, site);
        h->v[h->n].bucket = mprof_malloc(&f->mp, NULL, NULL, size_of(site));
        assert_non_null(h->v[h->n].bucket);
        h->v[h->n].site = site;
        h->v[h->n].marked = false;
        h->n++;
        model_alloc(m, site);
    }
}

/* The sweeper comes by some of the garbage, or all. */
static void
sweep(struct fixture *f, struct model *m, struct heap *h, struct rt_rand *r,
    bool all)
{
    for (size_t i = 0; i < h->n;) {
        if (!h->v[i].marked || (!all && rt_rand_below(r, 2) == 0)) {
            i++;
            continue;
        }
        mprof_free(&f->mp, NULL, h->v[i].bucket, size_of(h->v[i].site));
        model_free(m, h->v[i].site);
        h->v[i] = h->v[--h->n];
    }
}

static void
the_ring_agrees_with_a_model(void **state)
{
    enum { CYCLES = 300 };
    static struct object store[CYCLES * 40];
    struct fixture f;
    struct model m;
    struct heap h = { store, 0 };
    struct rt_rand r;

    (void)state;
    memset(&m, 0, sizeof m);
    rt_rand_init(&r, 42);
    open_it(&f, 1, 1);
    for (int c = 0; c < CYCLES; c++) {
        allocate(&f, &m, &h, &r);
        for (size_t i = 0; i < h.n; i++)
            h.v[i].marked = rt_rand_below(&r, 2) == 0;
        mprof_next_cycle(&f.mp);
        model_next(&m);
        /* Nothing may be missing or too much wherever one looks. */
        if (c > 0 && rt_rand_below(&r, 3) == 0)
            compare(&f, &m);
        allocate(&f, &m, &h, &r);
        sweep(&f, &m, &h, &r, false);
        mprof_flush(&f.mp);
        if (rt_rand_below(&r, 3) == 0)
            mprof_flush(&f.mp); /* the second one does nothing */
        if (c > 0)
            compare(&f, &m);
        allocate(&f, &m, &h, &r);
        sweep(&f, &m, &h, &r, true);
        mprof_post_sweep(&f.mp);
        model_swept(&m);
        compare(&f, &m);
        allocate(&f, &m, &h, &r);
        compare(&f, &m);
    }
    assert_int_equal(mprof_cycle(&f.mp), CYCLES);
    close_it(&f);
}

/* A sweep that never ends before the next cycle: publication comes one cycle
 * later, by flush. */
static void
flush_publishes_what_post_sweep_did_not(void **state)
{
    struct fixture f;
    struct mprof_counts c;
    void *b;

    (void)state;
    open_it(&f, 1, 1);
    site_pc = vpc_make(2, 0);
    b = mprof_malloc(&f.mp, NULL, NULL, 100);
    mprof_next_cycle(&f.mp);
    mprof_flush(&f.mp);
    mprof_free(&f.mp, NULL, b, 100);
    mprof_read(&f.mp, &c);
    assert_int_equal(c.allocs, 0);
    mprof_next_cycle(&f.mp);
    mprof_read(&f.mp, &c);
    assert_int_equal(c.allocs, 0);
    mprof_flush(&f.mp);
    mprof_read(&f.mp, &c);
    assert_int_equal(c.allocs, 1);
    assert_int_equal(c.frees, 1);
    assert_int_equal(c.free_bytes, 100);
    close_it(&f);
}

static void
without_a_collection_everything_shows(void **state)
{
    struct fixture f;
    struct mprof_record r[4];

    (void)state;
    open_it(&f, 1, 1);
    site_pc = vpc_make(2, 0);
    mprof_malloc(&f.mp, NULL, NULL, 100);
    assert_int_equal(mprof_records(&f.mp, false, r, 0), 1);
    assert_int_equal(mprof_records(&f.mp, false, r, 4), 1);
    assert_int_equal(r[0].c.allocs, 1);
    assert_int_equal(r[0].c.alloc_bytes, 100);
    /* From now on there is something published: new things wait. */
    mprof_malloc(&f.mp, NULL, NULL, 100);
    assert_int_equal(mprof_records(&f.mp, false, r, 4), 1);
    assert_int_equal(r[0].c.allocs, 1);
    close_it(&f);
}

static void
sites_with_nothing_in_use_are_left_out_when_asked(void **state)
{
    struct fixture f;
    struct mprof_record r[4];
    void *a;

    (void)state;
    open_it(&f, 1, 1);
    site_pc = vpc_make(2, 0);
    a = mprof_malloc(&f.mp, NULL, NULL, 8);
    site_pc = vpc_make(2, 1);
    mprof_malloc(&f.mp, NULL, NULL, 8);
    mprof_next_cycle(&f.mp);
    mprof_flush(&f.mp);
    mprof_free(&f.mp, NULL, a, 8);
    mprof_post_sweep(&f.mp);
    assert_int_equal(mprof_records(&f.mp, true, r, 4), 2);
    assert_int_equal(mprof_records(&f.mp, false, r, 4), 1);
    assert_int_equal(vpc_off(r[0].stk[0]), 1);
    /* No room for all: nothing is written. */
    r[0].nstk = 77;
    assert_int_equal(mprof_records(&f.mp, true, r, 1), 2);
    assert_int_equal(r[0].nstk, 77);
    close_it(&f);
}

/* The cycle number begins anew without losing anybody. */
static void
the_cycle_number_wraps(void **state)
{
    struct fixture f;
    struct mprof_counts c;

    (void)state;
    open_it(&f, 1, 1);
    a32_store_rlx(&f.mp.cycle, (MPROF_CYCLE_WRAP - 2) * 2);
    site_pc = vpc_make(2, 0);
    for (int i = 0; i < 5; i++) {
        mprof_malloc(&f.mp, NULL, NULL, 10);
        mprof_next_cycle(&f.mp);
        mprof_flush(&f.mp);
        mprof_post_sweep(&f.mp);
        mprof_read(&f.mp, &c);
        assert_int_equal(c.allocs, i + 1);
    }
    assert_int_equal(mprof_cycle(&f.mp), 3);
    close_it(&f);
}

/* ---- sampling ---------------------------------------------------------------- */

/* What a profile with this seed estimates for n objects of the size. */
static double
estimate(uint64_t seed, uint64_t size, uint64_t n)
{
    struct fixture f;
    double rate = MPROF_RATE_DEFAULT, sampled = 0;
    int64_t left;

    open_it(&f, MPROF_RATE_DEFAULT, seed);
    left = mprof_next_sample(&f.mp, NULL);
    for (uint64_t i = 0; i < n; i++) {
        left -= (int64_t)size;
        if (left < 0) {
            sampled++;
            left = mprof_next_sample(&f.mp, NULL);
        }
    }
    close_it(&f);
    return sampled / (1 - exp(-(double)size / rate));
}

static void
twenty_seeds_are_right_on_average(void **state)
{
    static const uint64_t sizes[] = { 512, 32 << 10, 3 << 20 };

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        uint64_t n = (400ull << 20) / sizes[k];
        double sum = 0;

        for (uint64_t seed = 0; seed < 20; seed++)
            sum += estimate(seed * 7919, sizes[k], n);
        double mean = sum / 20 / (double)n;
        if (mean < 0.95 || mean > 1.05)
            fail_msg("size %llu: mean estimate %.3f of the truth",
                (unsigned long long)sizes[k], mean);
    }
}

static void
rates_are_obeyed(void **state)
{
    struct fixture f;

    (void)state;
    open_it(&f, 1, 3);
    assert_int_equal(mprof_next_sample(&f.mp, NULL), 0);
    mprof_set_rate(&f.mp, 0);
    assert_int_equal(mprof_next_sample(&f.mp, NULL), INT64_MAX);
    mprof_set_rate(&f.mp, -5);
    assert_int_equal(mprof_rate(&f.mp), 0);
    close_it(&f);
}

/* The distances are the logarithms of the numbers drawn. */
static void
distances_are_exponential(void **state)
{
    struct fixture f;
    const double rate = 0x1p45;

    (void)state;
    open_it(&f, (int64_t)rate, 5);
    for (int i = 0; i < 200000; i++) {
        uint64_t r = a64_load_rlx(&f.mp.seed);
        double u = (double)((rt_hash_u64(r, RT_HASH_K2) >> 11) + 1) * 0x1p-53;
        double want = -log(u) * rate;
        double got = (double)mprof_next_sample(&f.mp, NULL);

        if (fabs(got - want) > 1 + want * 2e-12)
            fail_msg("%.17g: %.17g instead of %.17g", u, got, want);
    }
    close_it(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_exponential),
        cmocka_unit_test(the_ring_agrees_with_a_model),
        cmocka_unit_test(flush_publishes_what_post_sweep_did_not),
        cmocka_unit_test(without_a_collection_everything_shows),
        cmocka_unit_test(sites_with_nothing_in_use_are_left_out_when_asked),
        cmocka_unit_test(the_cycle_number_wraps),
        cmocka_unit_test(twenty_seeds_are_right_on_average),
        cmocka_unit_test(rates_are_obeyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
