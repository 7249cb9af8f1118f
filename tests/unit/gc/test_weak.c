/* SPDX-License-Identifier: MIT */
/* Cleanups and weak pointers: when they are due, in which order, equality of
 * handles, what they do not keep alive. */
#include "tests/unit/gc/fake.h"

#include "gc/gc_int.h"

static bool
lives(struct fake *f, const void *p)
{
    struct gc_object o;

    return gc_find_object(f->h, p, &o);
}

static void
a_weak_pointer_does_not_keep(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    f.nroots = 2;
    void *p = f.root[0] = gc_alloc(&f.pc, &lay_node);
    void *w = f.root[1] = gc_weak_make(&f.pc, p);
    assert_ptr_not_equal(w, p);
    assert_ptr_equal(gc_weak_make(&f.pc, p), w);
    fake_collect(&f);
    assert_ptr_equal(gc_weak_get(&f.pc, w), p);
    f.root[0] = NULL;
    fake_collect(&f);
    assert_null(gc_weak_get(&f.pc, w));
    assert_false(lives(&f, p));
    /* The handle lives on for comparisons, but not without its users. */
    assert_true(lives(&f, w));
    f.root[1] = NULL;
    fake_collect(&f);
    assert_false(lives(&f, w));
    fake_stop(&f);
}

/* The handle of a living object stays the same though nobody holds it. */
static void
a_handle_lives_with_its_object(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    f.nroots = 1;
    uint8_t *p = f.root[0] = gc_alloc(&f.pc, &lay_node);
    void *w = gc_weak_make(&f.pc, p), *w8 = gc_weak_make(&f.pc, p + 8);
    assert_ptr_not_equal(w, w8);
    fake_collect(&f);
    fake_collect(&f);
    assert_ptr_equal(gc_weak_make(&f.pc, p), w);
    assert_ptr_equal(gc_weak_make(&f.pc, p + 8), w8);
    assert_ptr_equal(gc_weak_get(&f.pc, w8), p + 8);
    fake_stop(&f);
}

/* What a weak pointer needs of the heap's own memory goes with its object. */
static void
dead_objects_cost_nothing(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++)
            gc_weak_make(&f.pc, gc_alloc(&f.pc, &lay_node));
        assert_true(f.h->specials.inuse > 0);
        fake_collect(&f);
        fake_collect(&f);
        assert_int_equal(f.h->specials.inuse, 0);
    }
    fake_stop(&f);
}

static void
what_never_dies_is_its_own_handle(void **state)
{
    struct fake f;
    static uint64_t outside;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    assert_ptr_equal(gc_weak_make(&f.pc, &outside), &outside);
    assert_ptr_equal(gc_weak_get(&f.pc, &outside), &outside);
    assert_null(gc_weak_get(&f.pc, NULL));
    fake_stop(&f);
}

/* Cleared when the finalizer is due, and not the same after resurrection. */
static void
weak_pointers_are_cleared_before_finalizers(void **state)
{
    struct fake f;
    struct gc_finalizer x;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    f.nroots = 2;
    void *p = f.root[0] = gc_alloc(&f.pc, &lay_node);
    void *w = f.root[1] = gc_weak_make(&f.pc, p);
    assert_int_equal(gc_set_finalizer(&f.pc, p, NULL, NULL), RT_OK);
    f.root[0] = NULL;
    fake_collect(&f);
    assert_null(gc_weak_get(&f.pc, w));
    assert_true(gc_finalizer_next(f.h, &f.pc, &x));
    f.root[0] = x.obj;
    void *again = gc_weak_make(&f.pc, x.obj);
    assert_ptr_not_equal(again, w);
    assert_ptr_equal(gc_weak_get(&f.pc, again), p);
    fake_stop(&f);
}

/* A lookup sweeps: before the sweep has come to the object's span the handle
 * must not lead to it any more. */
static void
a_dead_object_is_gone_before_its_sweep(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    f.nroots = 1;
    void *p = gc_alloc(&f.pc, &lay_node);
    void *w = f.root[0] = gc_weak_make(&f.pc, p);
    assert_true(gc_collect(f.h, &f.pc, GC_WHY_PERIODIC));
    assert_null(gc_weak_get(&f.pc, w));
    fake_stop(&f);
}

static void
cleanups_come_once_each(void **state)
{
    struct fake f;
    uint64_t id[3];

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    f.nroots = 1;
    uint8_t *p = f.root[0] = gc_alloc(&f.pc, &lay_node);
    uint64_t *rec[3];
    for (unsigned i = 0; i < 3; i++) {
        rec[i] = gc_alloc(&f.pc, &lay_node);
        *rec[i] = i + 1;
        assert_int_equal(gc_add_cleanup(&f.pc, i == 2 ? p + 8 : p, rec[i],
            &id[i]), RT_OK);
    }
    assert_true(gc_stop_cleanup(&f.pc, p, id[1]));
    assert_false(gc_stop_cleanup(&f.pc, p, id[1]));
    assert_false(gc_stop_cleanup(&f.pc, p, id[2]));
    fake_collect(&f);
    assert_null(gc_cleanup_next(&f.pc));
    assert_int_equal(f.finals, 0);
    assert_true(lives(&f, rec[0]));
    assert_false(lives(&f, rec[1]));
    f.nroots = 0;
    fake_collect(&f);
    assert_int_equal(f.finals, 1);
    assert_false(lives(&f, p));
    /* In the queue they are alive. */
    fake_collect(&f);
    uint64_t *a = gc_cleanup_next(&f.pc), *b = gc_cleanup_next(&f.pc);
    assert_null(gc_cleanup_next(&f.pc));
    assert_int_equal(*a + *b, 1 + 3);
    fake_collect(&f);
    assert_false(lives(&f, rec[0]));
    fake_stop(&f);
}

static void
cleanups_wait_for_finalizers(void **state)
{
    struct fake f;
    struct gc_finalizer x;
    uint64_t id;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    void *p = gc_alloc(&f.pc, &lay_node);
    void *rec = gc_alloc(&f.pc, &lay_int);
    assert_int_equal(gc_add_cleanup(&f.pc, p, rec, &id), RT_OK);
    assert_int_equal(gc_set_finalizer(&f.pc, p, NULL, NULL), RT_OK);
    fake_collect(&f);
    assert_null(gc_cleanup_next(&f.pc));
    assert_true(gc_finalizer_next(f.h, &f.pc, &x));
    fake_collect(&f);
    assert_ptr_equal(gc_cleanup_next(&f.pc), rec);
    fake_stop(&f);
}

/* Objects that point to each other: all cleanups are due at once. */
static void
a_cycle_with_cleanups_dies(void **state)
{
    struct fake f;
    uint64_t id;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    void **a = gc_alloc(&f.pc, &lay_node), **b = gc_alloc(&f.pc, &lay_node);
    a[1] = b;
    b[1] = a;
    gc_add_cleanup(&f.pc, a, gc_alloc(&f.pc, &lay_int), &id);
    gc_add_cleanup(&f.pc, b, gc_alloc(&f.pc, &lay_int), &id);
    fake_collect(&f);
    assert_non_null(gc_cleanup_next(&f.pc));
    assert_non_null(gc_cleanup_next(&f.pc));
    assert_null(gc_cleanup_next(&f.pc));
    fake_stop(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weak_pointer_does_not_keep),
        cmocka_unit_test(a_handle_lives_with_its_object),
        cmocka_unit_test(dead_objects_cost_nothing),
        cmocka_unit_test(what_never_dies_is_its_own_handle),
        cmocka_unit_test(weak_pointers_are_cleared_before_finalizers),
        cmocka_unit_test(a_dead_object_is_gone_before_its_sweep),
        cmocka_unit_test(cleanups_come_once_each),
        cmocka_unit_test(cleanups_wait_for_finalizers),
        cmocka_unit_test(a_cycle_with_cleanups_dies)
    };

    return cmocka_run_group_tests_name("gc/weak", tests, NULL, NULL);
}
