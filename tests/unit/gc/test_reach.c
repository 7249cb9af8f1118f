/* SPDX-License-Identifier: MIT */
/* What can be reached from some of the roots. */
#include "tests/unit/gc/fake.h"

#include "gc/gc_int.h"
#include "gc/reach.h"

enum { LEN = 2000, EVERY = 7 };

struct pair {
    struct pair *next;
    uint64_t n;
};

/* What found() has said of numbers from 0 to 2 * LEN - 1. */
struct seen {
    unsigned times[2 * LEN];
    unsigned all;
};

static void
found(void *arg, const void *obj)
{
    struct seen *s = arg;
    const struct pair *p = obj;

    assert_true(p->n < 2 * LEN);
    s->times[p->n]++;
    s->all++;
}

static struct pair *
list(struct fake *f, uint64_t from)
{
    struct pair *head = NULL;

    for (uint64_t i = 0; i < LEN; i++) {
        struct pair *p = gc_alloc(&f->pc, &lay_pair);
        assert_non_null(p);
        p->next = head;
        p->n = from + i;
        head = p;
    }
    return head;
}

static void
watch(struct gc_reach *r, struct pair *p)
{
    for (; p != NULL; p = p->next)
        if (p->n % EVERY == 0)
            assert_ptr_equal(gc_reach_watch(r, (char *)p + 8), p);
}

static void
expect_list(const struct seen *s, uint64_t from, unsigned times)
{
    for (uint64_t i = from; i < from + LEN; i++)
        assert_int_equal(s->times[i], i % EVERY == 0 ? times : 0);
}

static void
only_what_hangs_from_the_roots_is_found(void **state)
{
    static const int on_stack = 0;
    struct seen s = { { 0 }, 0 };
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    struct pair *a = list(&f, 0), *b = list(&f, LEN);
    f.root[0] = a;
    f.root[1] = b;
    f.nroots = 2;
    for (int round = 1; round <= 3; round++) {
        struct gc_reach *r = gc_reach_begin(f.h, found, &s);
        assert_non_null(r);
        assert_null(gc_reach_watch(r, &on_stack));
        assert_null(gc_reach_watch(r, NULL));
        watch(r, a);
        watch(r, b);
        gc_mark_ptr(gc_reach_marker(r), a);
        gc_reach_drain(r);
        expect_list(&s, 0, (unsigned)round);
        expect_list(&s, LEN, (unsigned)round - 1);
        gc_mark_ptr(gc_reach_marker(r), b->next);
        gc_mark_maybe(gc_reach_marker(r), (uintptr_t)b);
        gc_reach_drain(r);
        expect_list(&s, LEN, (unsigned)round);
        gc_reach_end(r);
        /* As if nothing had been. */
        fake_collect(&f);
        unsigned n = 0;
        for (struct pair *p = b; p != NULL; p = p->next)
            n++;
        assert_int_equal(n, LEN);
    }
    fake_stop(&f);
}

/* A finalizer's function and a cleanup's record are held by the object that
 * has them, whoever holds that. */
static void
what_specials_hold_is_found(void **state)
{
    struct seen s = { { 0 }, 0 };
    struct fake f;
    uint64_t id;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    struct pair *v[4];
    for (uint64_t i = 0; i < 4; i++) {
        v[i] = gc_alloc(&f.pc, &lay_pair);
        assert_non_null(v[i]);
        v[i]->n = i;
        f.root[f.nroots++] = v[i];
    }
    assert_int_equal(gc_set_finalizer(&f.pc, v[0], v[1], 0), RT_OK);
    assert_int_equal(gc_add_cleanup(&f.pc, v[0], v[2], &id), RT_OK);
    struct gc_reach *r = gc_reach_begin(f.h, found, &s);
    assert_non_null(r);
    for (unsigned i = 0; i < 4; i++)
        assert_ptr_equal(gc_reach_watch(r, v[i]), v[i]);
    gc_mark_ptr(gc_reach_marker(r), v[0]);
    gc_reach_drain(r);
    assert_int_equal(s.all, 1);
    gc_reach_specials(r);
    gc_reach_drain(r);
    gc_reach_end(r);
    assert_int_equal(s.all, 3);
    assert_int_equal(s.times[1], 1);
    assert_int_equal(s.times[2], 1);
    fake_stop(&f);
}

static void
garbage_that_is_not_swept_is_nothing(void **state)
{
    struct seen s = { { 0 }, 0 };
    struct rt_err e;
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    struct pair *a = list(&f, 0), *b = list(&f, LEN);
    f.root[0] = a;
    f.nroots = 1;
    /* Marked, and b found dead; but not swept to the end. */
    assert_true(gc_collect(f.h, &f.pc, GC_WHY_HEAP));
    assert_false(gc_sweep_done(f.h));
    struct gc_reach *r = gc_reach_begin(f.h, found, &s);
    assert_non_null(r);
    assert_null(gc_reach_watch(r, b));
    watch(r, a);
    gc_mark_maybe(gc_reach_marker(r), (uintptr_t)b);
    gc_mark_ptr(gc_reach_marker(r), a);
    gc_reach_drain(r);
    gc_reach_end(r);
    expect_list(&s, 0, 1);
    expect_list(&s, LEN, 0);
    assert_int_equal(gc_verify(f.h, &e), RT_OK);
    fake_collect(&f);
    assert_int_equal(a64_load_rlx(&f.h->heap_marked),
        LEN * sizeof(struct pair));
    fake_stop(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_hangs_from_the_roots_is_found),
        cmocka_unit_test(what_specials_hold_is_found),
        cmocka_unit_test(garbage_that_is_not_swept_is_nothing)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
