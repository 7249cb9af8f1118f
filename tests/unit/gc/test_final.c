/* SPDX-License-Identifier: MIT */
/* Finalizers: order, resurrection, cycles, what keeps what alive. */
#include "tests/unit/gc/fake.h"

static void
an_unreachable_object_is_handed_out_once(void **state)
{
    struct fake f;
    struct gc_finalizer x;
    static const int info;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    f.nroots = 1;
    void **p = f.root[0] = gc_alloc(&f.pc, &lay_node);
    void *fn = gc_alloc(&f.pc, &lay_pair);
    p[0] = (void *)(uintptr_t)42;
    assert_int_equal(gc_set_finalizer(&f.pc, p, fn, &info), RT_OK);
    assert_int_equal(gc_set_finalizer(&f.pc, p, fn, &info), RT_ESTATE);
    fake_collect(&f);
    assert_int_equal(f.finals, 0);
    assert_false(gc_finalizer_next(f.h, &f.pc, &x));
    f.nroots = 0;
    fake_collect(&f);
    assert_int_equal(f.finals, 1);
    /* Waiting in the queue keeps both alive. */
    fake_collect(&f);
    assert_true(gc_finalizer_next(f.h, &f.pc, &x));
    assert_ptr_equal(x.obj, p);
    assert_ptr_equal(x.fn, fn);
    assert_ptr_equal(x.info, &info);
    assert_ptr_equal(p[0], 42);
    struct gc_object o;
    assert_true(gc_find_object(f.h, fn, &o));
    assert_false(gc_finalizer_next(f.h, &f.pc, &x));
    fake_collect(&f);
    assert_false(gc_finalizer_next(f.h, &f.pc, &x));
    assert_false(gc_find_object(f.h, p, &o));
    assert_false(gc_find_object(f.h, fn, &o));
    fake_stop(&f);
}

/* a -> b -> c, all with finalizers: one per cycle, in this order. */
static void
pointed_to_objects_wait(void **state)
{
    struct fake f;
    struct gc_finalizer x;
    void **p[3];

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    for (int i = 2; i >= 0; i--) {
        p[i] = gc_alloc(&f.pc, &lay_node);
        p[i][1] = i < 2 ? p[i + 1] : NULL;
        gc_set_finalizer(&f.pc, p[i], NULL, NULL);
    }
    for (int i = 0; i < 3; i++) {
        fake_collect(&f);
        assert_true(gc_finalizer_next(f.h, &f.pc, &x));
        assert_ptr_equal(x.obj, p[i]);
        assert_false(gc_finalizer_next(f.h, &f.pc, &x));
    }
    fake_stop(&f);
}

static void
a_cycle_with_a_finalizer_never_dies(void **state)
{
    struct fake f;
    struct gc_finalizer x;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    void **a = gc_alloc(&f.pc, &lay_node);
    void **b = gc_alloc(&f.pc, &lay_node);
    a[1] = b;
    b[2] = a;
    gc_set_finalizer(&f.pc, a, NULL, NULL);
    for (int i = 0; i < 3; i++)
        fake_collect(&f);
    assert_false(gc_finalizer_next(f.h, &f.pc, &x));
    struct gc_object o;
    assert_true(gc_find_object(f.h, a, &o));
    assert_true(gc_clear_finalizer(&f.pc, a));
    assert_false(gc_clear_finalizer(&f.pc, a));
    fake_collect(&f);
    assert_false(gc_find_object(f.h, a, &o));
    assert_false(gc_find_object(f.h, b, &o));
    fake_stop(&f);
}

static void
a_resurrected_object_may_be_finalized_again(void **state)
{
    struct fake f;
    struct gc_finalizer x;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    void **p = gc_alloc(&f.pc, &lay_ptr);
    gc_set_finalizer(&f.pc, p, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        fake_collect(&f);
        assert_true(gc_finalizer_next(f.h, &f.pc, &x));
        f.root[0] = x.obj;
        f.nroots = 1;
        fake_collect(&f);
        assert_int_equal(gc_set_finalizer(&f.pc, x.obj, NULL, NULL), RT_OK);
        f.nroots = 0;
    }
    fake_stop(&f);
}

static void
only_beginnings_of_objects_qualify(void **state)
{
    struct fake f;
    int local;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    uint8_t *p = gc_alloc(&f.pc, &lay_node);
    assert_int_equal(gc_set_finalizer(&f.pc, p + 8, NULL, NULL), RT_EFORMAT);
    assert_int_equal(gc_set_finalizer(&f.pc, &local, NULL, NULL),
        RT_EFORMAT);
    assert_int_equal(gc_set_finalizer(&f.pc, NULL, NULL, NULL), RT_EFORMAT);
    assert_false(gc_clear_finalizer(&f.pc, &local));
    /* Objects that share a tiny block are told apart. */
    uint8_t *a = gc_alloc_noscan(&f.pc, 4);
    uint8_t *b = gc_alloc_noscan(&f.pc, 4);
    assert_int_equal(gc_set_finalizer(&f.pc, a, NULL, NULL), RT_OK);
    assert_int_equal(gc_set_finalizer(&f.pc, b, NULL, NULL), RT_OK);
    fake_collect(&f);
    struct gc_finalizer x, y;
    assert_true(gc_finalizer_next(f.h, &f.pc, &x));
    assert_true(gc_finalizer_next(f.h, &f.pc, &y));
    assert_ptr_equal(x.obj, a);
    assert_ptr_equal(y.obj, b);
    fake_stop(&f);
}

/* Large objects and objects of every class, thousands of them. */
static void
many_finalizers_all_run(void **state)
{
    struct fake f;
    struct gc_finalizer x;
    enum { N = 5000 };

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    for (intptr_t i = 0; i < N; i++) {
        intptr_t *p = gc_alloc_array(&f.pc, &lay_node,
            i % 100 == 0 ? 2000 : 1 + i % 40);
        p[0] = i;
        assert_int_equal(gc_set_finalizer(&f.pc, p, NULL, NULL), RT_OK);
    }
    fake_collect(&f);
    bool seen[N] = { false };
    for (int i = 0; i < N; i++) {
        assert_true(gc_finalizer_next(f.h, &f.pc, &x));
        intptr_t k = *(intptr_t *)x.obj;
        assert_in_range(k, 0, N - 1);
        assert_false(seen[k]);
        seen[k] = true;
    }
    assert_false(gc_finalizer_next(f.h, &f.pc, &x));
    fake_collect(&f);
    struct gc_memstats st;
    gc_read_memstats(f.h, &st);
    assert_int_equal(st.heap_objects, 0);
    fake_stop(&f);
}

/* Setting a finalizer on an object whose span the sweeper has not seen yet
 * sweeps the span first. */
static void
setting_sweeps_the_span(void **state)
{
    struct fake f;
    struct gc_finalizer x;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    f.nroots = 1;
    f.root[0] = gc_alloc(&f.pc, &lay_node);
    assert_true(gc_collect(f.h, &f.pc, GC_WHY_PERIODIC));
    assert_int_equal(gc_set_finalizer(&f.pc, f.root[0], NULL, NULL), RT_OK);
    while (gc_sweep_some(f.h, &f.pc, 5))
        ;
    assert_false(gc_finalizer_next(f.h, &f.pc, &x));
    f.nroots = 0;
    fake_collect(&f);
    assert_true(gc_finalizer_next(f.h, &f.pc, &x));
    fake_stop(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unreachable_object_is_handed_out_once),
        cmocka_unit_test(pointed_to_objects_wait),
        cmocka_unit_test(a_cycle_with_a_finalizer_never_dies),
        cmocka_unit_test(a_resurrected_object_may_be_finalized_again),
        cmocka_unit_test(only_beginnings_of_objects_qualify),
        cmocka_unit_test(many_finalizers_all_run),
        cmocka_unit_test(setting_sweeps_the_span)
    };

    return cmocka_run_group_tests_name("gc/final", tests, NULL, NULL);
}
