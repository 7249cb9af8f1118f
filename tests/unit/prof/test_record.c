/* SPDX-License-Identifier: MIT */
/* Buckets, labels, block and mutex records. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/record/block.h"
#include "profile/record/bucket.h"
#include "profile/record/goroutine.h"
#include "profile/record/labels.h"
#include "profile/record/pc.h"
#include "profile/record/sum.h"
#include "runtime/base/rand.h"

/* ---- buckets ------------------------------------------------------------- */

static void
buckets_are_found_by_kind_size_and_stack(void **state)
{
    struct rt_os os = { 0 };
    struct prof_buckets b;
    vpc stk[PROF_STACK_MAX], other[PROF_STACK_MAX];

    (void)state;
    prof_buckets_init(&b, &os);
    assert_int_equal(prof_buckets_bytes(&b), 0);
    for (uint32_t i = 0; i < PROF_STACK_MAX; i++)
        stk[i] = other[i] = vpc_make(i, i);
    other[PROF_STACK_MAX - 1]++;
    for (uint32_t n = 0; n <= PROF_STACK_MAX; n += 32) {
        struct prof_bucket *m = prof_bucket_get(&b, PROF_MEM, 8, stk, n);

        assert_ptr_equal(prof_bucket_get(&b, PROF_MEM, 8, stk, n), m);
        assert_ptr_not_equal(prof_bucket_get(&b, PROF_MEM, 16, stk, n), m);
        assert_ptr_not_equal(prof_bucket_get(&b, PROF_BLOCK, 8, stk, n), m);
        assert_ptr_not_equal(prof_bucket_get(&b, PROF_MUTEX, 8, stk, n), m);
        assert_int_equal(m->nstk, n);
        assert_memory_equal(m->stk, stk, n * sizeof *stk);
    }
    /* The last frame of the deepest stack counts too. */
    assert_ptr_not_equal(
        prof_bucket_get(&b, PROF_MEM, 8, stk, PROF_STACK_MAX),
        prof_bucket_get(&b, PROF_MEM, 8, other, PROF_STACK_MAX));
    assert_true(prof_buckets_bytes(&b) > 0);
    assert_int_equal(a32_load_rlx(&b.count[PROF_BLOCK]), 5);
    assert_true(prof_buckets_valid(&b));
    struct prof_bucket *k = prof_bucket_first(&b, PROF_MUTEX);
    k->kind = PROF_BLOCK;
    assert_false(prof_buckets_valid(&b));
    k->kind = PROF_MUTEX;
    k->stk[0]++;
    assert_false(prof_buckets_valid(&b));
    k->stk[0]--;
    a32_add_rlx(&b.count[PROF_MEM], 1);
    assert_false(prof_buckets_valid(&b));
    a32_add_rlx(&b.count[PROF_MEM], UINT32_MAX);
    assert_true(prof_buckets_valid(&b));
    prof_buckets_fini(&b);
    assert_int_equal(a64_load_rlx(&os.committed), 0);
}

static void
no_memory_loses_events_not_the_process(void **state)
{
    struct rt_os os = { .fail_at = 1 };
    struct prof_buckets b;
    vpc stk = vpc_make(1, 1);

    (void)state;
    prof_buckets_init(&b, &os);
    assert_null(prof_bucket_get(&b, PROF_MEM, 8, &stk, 1));
    assert_int_equal(a64_load_rlx(&b.lost), 1);
    os.fail_at = 2; /* the table comes, the buckets do not */
    a64_store_rlx(&os.requests, 0);
    assert_null(prof_bucket_get(&b, PROF_MEM, 8, &stk, 1));
    assert_int_equal(a64_load_rlx(&b.lost), 2);
    prof_buckets_fini(&b);
}

enum { THREADS = 4, STACKS = 3000 };

struct race {
    struct prof_buckets *b;
    struct prof_bucket *got[STACKS];
    uint64_t seed;
    struct rt_rand r;
};

static void *
race(void *arg)
{
    struct race *x = arg;

    rt_rand_init(&x->r, x->seed);
    for (int k = 0; k < 2 * STACKS; k++) {
        uint32_t i = rt_rand_below(&x->r, STACKS);
        vpc stk[3] = { vpc_make(i, 1), vpc_make(i, 2), vpc_make(3, 3) };
        struct prof_bucket *b =
            prof_bucket_get(x->b, PROF_BLOCK, 0, stk, 3);

        if (x->got[i] != NULL && x->got[i] != b)
            return (void *)"two buckets for one stack";
        x->got[i] = b;
    }
    return NULL;
}

static void
threads_agree_about_buckets(void **state)
{
    static struct race x[THREADS];
    struct rt_os os = { 0 };
    struct prof_buckets b;
    pthread_t t[THREADS];
    uint32_t n = 0;

    (void)state;
    prof_buckets_init(&b, &os);
    for (uint64_t i = 0; i < THREADS; i++) {
        x[i].b = &b;
        x[i].seed = i;
        assert_int_equal(pthread_create(&t[i], NULL, race, &x[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *e;
        pthread_join(t[i], &e);
        if (e != NULL)
            fail_msg("%s", (char *)e);
    }
    for (int i = 0; i < STACKS; i++)
        for (int k = 1; k < THREADS; k++)
            if (x[0].got[i] != NULL && x[k].got[i] != NULL)
                assert_ptr_equal(x[0].got[i], x[k].got[i]);
    for (struct prof_bucket *q = prof_bucket_first(&b, PROF_BLOCK);
        q != NULL; q = q->all_next)
        n++;
    assert_int_equal(n, a32_load_rlx(&b.count[PROF_BLOCK]));
    assert_in_range(n, 1, STACKS);
    prof_buckets_fini(&b);
}

/* ---- block and mutex --------------------------------------------------------- */

struct waits {
    struct rt_os os;
    struct prof_buckets buckets;
    struct rt_clock clock;
    struct prof_block b;
};

static void
waits_open(struct waits *w)
{
    memset(w, 0, sizeof *w);
    rt_clock_init(&w->clock);
    prof_buckets_init(&w->buckets, &w->os);
    prof_block_init(&w->b, &w->buckets, &w->clock, 5);
}

/* n waits of d ticks each at a rate of r ticks; what the profile says of
 * them, as a part of the truth. */
static void
feed(struct waits *w, uint64_t r, int64_t d, int n, double *count,
    double *ticks)
{
    vpc stk = vpc_make((uint32_t)r, (uint32_t)d);
    struct prof_block_rec *rec;

    a64_store_rlx(&w->b.block_rate, r);
    for (int i = 0; i < n; i++)
        if (prof_block_sampled(&w->b, d))
            prof_block_event(&w->b, d, &stk, 1);
    rec = prof_bucket_rec(
        prof_bucket_get(&w->buckets, PROF_BLOCK, 0, &stk, 1));
    *count = rec->count / n;
    *ticks = (double)rec->ticks / ((double)d * n);
}

static void
short_waits_are_not_overrated(void **state)
{
    static const int64_t d[] = { 1, 10, 100, 999, 1000, 5000 };
    struct waits w;

    (void)state;
    waits_open(&w);
    for (size_t i = 0; i < sizeof d / sizeof *d; i++) {
        /* As many as 2,000 samples are expected of. */
        int n = d[i] >= 1000 ? 2000 : (int)(2000 * 1000 / d[i]);
        double count, ticks;

        feed(&w, 1000, d[i], n, &count, &ticks);
        /* Five standard deviations are 11 %. */
        if (fabs(count - 1) > 0.11 || fabs(ticks - 1) > 0.11)
            fail_msg("waits of %d: count %.3f, ticks %.3f of the truth",
                (int)d[i], count, ticks);
    }
    prof_buckets_fini(&w.buckets);
}

static void
long_waits_and_rate_one_are_exact(void **state)
{
    struct waits w;
    struct prof_block_record r[3];
    double count, ticks;

    (void)state;
    waits_open(&w);
    feed(&w, 1, 1, 1000, &count, &ticks);
    assert_true(count == 1 && ticks == 1);
    feed(&w, 1000, 1000, 1000, &count, &ticks);
    assert_true(count == 1 && ticks == 1);
    assert_int_equal(prof_block_records(&w.b, PROF_BLOCK, r, 1), 2);
    assert_int_equal(prof_block_records(&w.b, PROF_BLOCK, r, 3), 2);
    assert_int_equal(r[0].count, 1000);
    assert_int_equal(r[0].cycles, 1000000);
    assert_int_equal(prof_block_records(&w.b, PROF_MUTEX, r, 3), 0);
    prof_block_set_rate(&w.b, 0);
    assert_false(prof_block_on(&w.b));
    assert_false(prof_block_sampled(&w.b, 1000000));
    prof_block_set_rate(&w.b, 1);
    assert_int_equal(a64_load_rlx(&w.b.block_rate), 1);
    prof_block_set_rate(&w.b, 1000000000);
    assert_int_equal(a64_load_rlx(&w.b.block_rate) / 1000000,
        (uint64_t)prof_block_cycles_per_sec(&w.b) / 1000000);
    prof_buckets_fini(&w.buckets);
}

static void
a_mutex_fraction_keeps_one_of_n(void **state)
{
    enum { N = 40000, FRACTION = 10 };
    struct waits w;
    vpc stk = vpc_make(1, 1);
    struct prof_block_record r;
    int kept = 0;

    (void)state;
    waits_open(&w);
    assert_int_equal(prof_mutex_set_fraction(&w.b, FRACTION), 0);
    assert_int_equal(prof_mutex_set_fraction(&w.b, -1), FRACTION);
    for (int i = 0; i < N; i++)
        if (prof_mutex_sampled(&w.b)) {
            prof_mutex_event(&w.b, 3, &stk, 1);
            kept++;
        }
    assert_in_range(kept, N / FRACTION * 9 / 10, N / FRACTION * 11 / 10);
    assert_int_equal(prof_block_records(&w.b, PROF_MUTEX, &r, 1), 1);
    assert_int_equal(r.count, kept * FRACTION);
    assert_int_equal(r.cycles, kept * FRACTION * 3);
    assert_int_equal(prof_mutex_set_fraction(&w.b, 0), FRACTION);
    assert_false(prof_mutex_sampled(&w.b));
    prof_buckets_fini(&w.buckets);
}

/* ---- labels --------------------------------------------------------------------- */

static struct prof_pair
pair(const char *k, const char *v)
{
    return (struct prof_pair){ k, v, strlen(k), strlen(v) };
}

static void
labels_are_sorted_and_unique(void **state)
{
    struct prof_pair p[] = { pair("b", "1"), pair("a", "2"), pair("b", "3"),
        pair("", "e"), pair("ab", "4") };
    struct prof_labels *l = prof_labels_new(p, 5), *same;

    (void)state;
    assert_null(prof_labels_new(p, 0));
    assert_int_equal(l->n, 4);
    assert_string_equal(l->v[0].key, "");
    assert_string_equal(l->v[1].key, "a");
    assert_string_equal(l->v[2].key, "ab");
    assert_string_equal(l->v[3].key, "b");
    assert_string_equal(l->v[3].str, "3");
    same = prof_labels_new(&p[1], 4);
    assert_int_equal(same->hash, l->hash);
    assert_true(prof_labels_valid(same));
    struct wire_label first = same->v[0];
    same->v[0] = same->v[1];
    same->v[1] = first;
    assert_false(prof_labels_valid(same));
    prof_labels_unref(same);
    assert_ptr_equal(prof_labels_ref(l), l);
    prof_labels_unref(l);
    assert_string_equal(l->v[0].str, "e");
    prof_labels_unref(l);
    prof_labels_unref(NULL);
}

static void
samples_are_summed_by_stack_labels_and_state(void **state)
{
    struct prof_pair p = pair("k", "v");
    struct prof_labels *a = prof_labels_new(&p, 1);
    struct prof_labels *b = prof_labels_new(&p, 1);
    struct prof_cpu_sum *s = prof_sum_new();
    uint64_t total = 0;

    (void)state;
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < 2000; i++) {
            vpc stk[2] = { vpc_make(i, 0), vpc_make(1, 1) };

            prof_sum_add(s, stk, 2, k == 1 ? a : NULL, NULL, 1);
            prof_sum_add(s, stk, 2, k == 1 ? b : NULL, "idle", 2);
        }
    /* Equal labels are equal, whoever made them. */
    assert_int_equal(s->n, 2000 * 4);
    for (uint32_t i = 0; i < s->n; i++)
        total += s->rows[i].count;
    assert_int_equal(total, 2000 * 9);
    assert_int_equal(s->total, total);
    assert_true(prof_sum_valid(s));
    s->rows[17].count++;
    assert_false(prof_sum_valid(s));
    s->rows[17].count--;
    s->rows[17].hash ^= 1;
    assert_false(prof_sum_valid(s));
    s->rows[17].hash ^= 1;
    s->rows[17].state = "other";
    assert_false(prof_sum_valid(s));
    s->rows[17].state = s->rows[16].state;
    assert_false(prof_sum_valid(s));
    prof_labels_unref(a);
    prof_labels_unref(b);
    prof_sum_free(s);
}

/* A key may have any bytes in it. */
static void
keys_with_nul(void **state)
{
    struct prof_pair p[] = { { "a\0b", "1", 3, 1 }, { "a", "2", 1, 1 },
        { "a\0a", "\0", 3, 1 } };
    struct prof_labels *l = prof_labels_new(p, 3);

    (void)state;
    assert_int_equal(l->n, 3);
    assert_string_equal(l->v[0].str, "2");
    assert_memory_equal(l->v[1].key, "a\0a", 4);
    assert_true(prof_labels_valid(l));
    prof_labels_unref(l);
}

static void
goroutines_are_there_once(void **state)
{
    vpc stk = vpc_make(1, 1);
    struct prof_grecord v[] = { { .id = 1, .stk = &stk, .nstk = 1 },
        { .id = 7, .stk = &stk, .nstk = 1 } };
    struct prof_gset s = { .n = 2, .want = 2, .v = v };

    (void)state;
    assert_true(prof_gset_valid(&s));
    v[1].id = 1;
    assert_false(prof_gset_valid(&s));
    v[1].id = 7;
    v[0].nstk = 0;
    assert_false(prof_gset_valid(&s));
    v[0].nstk = 1;
    s.want = 1;
    assert_false(prof_gset_valid(&s));
}

/* ---- pcs ------------------------------------------------------------------------ */

static void
words_tell_what_they_are(void **state)
{
    char name[64];
    uint64_t off;
    uintptr_t here = (uintptr_t)words_tell_what_they_are;
    vpc n = prof_pc_native(here + 3), m = prof_pc_mark(PROF_MARK_SELECT);

    (void)state;
    assert_true(prof_pc_is_native(n) && !prof_pc_is_mark(n));
    assert_true(prof_pc_is_mark(m) && !prof_pc_is_native(m));
    assert_int_equal(prof_pc_addr(n), here + 3);
    assert_string_equal(prof_mark_name(m), "runtime.selectgo");
    assert_string_equal(prof_mark_name(PROF_PC_MARK | 999), "?");
    assert_false(prof_pc_is_native(vpc_make(UINT32_MAX - 1, 0xffffff)));
    assert_false(prof_pc_is_mark(vpc_make(UINT32_MAX - 1, 0xffffff)));
    assert_true(prof_native_name(n, name, sizeof name, &off));
    assert_string_equal(name, "runtime.words_tell_what_they_are");
    assert_int_equal(off, 3);
    /* The library's is one of several; sanitizers put theirs before it. */
    void *(*volatile f)(void *, const void *, size_t) = memmove;
    prof_native_name(prof_pc_native((uintptr_t)f), name, sizeof name, &off);
    assert_non_null(strstr(name, "memmove"));
    assert_int_equal(off, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_are_found_by_kind_size_and_stack),
        cmocka_unit_test(no_memory_loses_events_not_the_process),
        cmocka_unit_test(threads_agree_about_buckets),
        cmocka_unit_test(short_waits_are_not_overrated),
        cmocka_unit_test(long_waits_and_rate_one_are_exact),
        cmocka_unit_test(a_mutex_fraction_keeps_one_of_n),
        cmocka_unit_test(labels_are_sorted_and_unique),
        cmocka_unit_test(samples_are_summed_by_stack_labels_and_state),
        cmocka_unit_test(keys_with_nul),
        cmocka_unit_test(goroutines_are_there_once),
        cmocka_unit_test(words_tell_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
