/* SPDX-License-Identifier: MIT */
/* What a mark beside the program must find, wherever it is just then. */
#include "tests/unit/gc/side.h"

/* ---- finalizers */

static void
a_finalizer_keeps_what_its_object_needs(void **state)
{
    struct side s;
    struct gc_finalizer x;
    void *obj[2], *inner[2];

    (void)state;
    side_start(&s, NULL);
    for (int i = 0; i < 2; i++) {
        obj[i] = gc_alloc(&s.pc[1], &lay_ptr);
        inner[i] = gc_alloc(&s.pc[1], &lay_ptr);
        *(void **)obj[i] = inner[i];
    }
    assert_int_equal(gc_set_finalizer(&s.pc[1], obj[0], NULL, NULL), RT_OK);
    s.root[1][0] = obj[1];
    side_begin(&s);
    s.allowed = 1;
    side_work(&s, -1); /* specials have been marked by now */
    assert_int_equal(gc_set_finalizer(&s.pc[1], obj[1], NULL, NULL), RT_OK);
    s.root[1][0] = NULL;
    side_end(&s);
    side_sweep(&s);
    for (int i = 0; i < 2; i++) {
        assert_true(side_alive(&s, obj[i]));
        assert_true(side_alive(&s, inner[i]));
    }
    int n = 0;
    while (gc_finalizer_next(s.h, &s.pc[1], &x))
        n++;
    assert_int_equal(n, 2);
    /* Nobody has kept them: now they die. */
    side_begin(&s);
    side_end(&s);
    side_sweep(&s);
    for (int i = 0; i < 2; i++)
        assert_false(side_alive(&s, inner[i]));
    gc_heap_free(s.h);
}

/* One that is handed out while a mark runs goes from a root that has not been
 * scanned to a place that has been. */
static void
handing_out_a_finalizer_shades(void **state)
{
    struct side s;
    struct gc_finalizer x = { 0 };

    (void)state;
    side_start(&s, NULL);
    void **obj = gc_alloc(&s.pc[1], &lay_ptr);
    void *inner = obj[0] = gc_alloc(&s.pc[1], &lay_ptr);
    assert_int_equal(gc_set_finalizer(&s.pc[1], obj, NULL, NULL), RT_OK);
    side_begin(&s);
    side_end(&s);
    side_sweep(&s);
    side_begin(&s);
    assert_true(gc_finalizer_next(s.h, &s.pc[1], &x));
    assert_ptr_equal(x.obj, obj);
    side_end(&s);
    side_sweep(&s);
    assert_true(side_alive(&s, obj) && side_alive(&s, inner));
    gc_heap_free(s.h);
}

/* So does the record of a cleanup. */
static void
handing_out_a_cleanup_shades(void **state)
{
    struct side s;
    uint64_t id;

    (void)state;
    side_start(&s, NULL);
    void *obj = gc_alloc(&s.pc[1], &lay_ptr);
    void **rec = gc_alloc(&s.pc[1], &lay_ptr);
    void *inner = rec[0] = gc_alloc(&s.pc[1], &lay_ptr);
    assert_int_equal(gc_add_cleanup(&s.pc[1], obj, rec, &id), RT_OK);
    side_cycle(&s);
    assert_false(side_alive(&s, obj));
    side_begin(&s);
    assert_ptr_equal(gc_cleanup_next(&s.pc[1]), rec);
    side_end(&s);
    side_sweep(&s);
    assert_true(side_alive(&s, rec) && side_alive(&s, inner));
    gc_heap_free(s.h);
}

/* Objects of all sizes, up to their last word. */
static void
a_finalizer_keeps_the_last_word(void **state)
{
    enum { SIZES = 12 };
    struct side s;
    void *inner[SIZES];

    (void)state;
    side_start(&s, NULL);
    for (unsigned i = 0; i < SIZES; i++) {
        uint64_t words = (uint64_t)8 << i;
        void **obj = gc_alloc_array(&s.pc[1], &lay_ptr, words);
        obj[words - 1] = inner[i] = gc_alloc(&s.pc[1], &lay_ptr);
        assert_int_equal(gc_set_finalizer(&s.pc[1], obj, NULL, NULL), RT_OK);
    }
    side_cycle(&s);
    for (unsigned i = 0; i < SIZES; i++)
        assert_true(side_alive(&s, inner[i]));
    gc_heap_free(s.h);
}

/* ---- greys */

enum { HOLDERS = 400 };

/* HOLDERS objects of one span or two, each with one that only it points to. */
static void
make_holders(struct side *s, void **holder[HOLDERS], void *inner[HOLDERS])
{
    for (int i = 0; i < HOLDERS; i++)
        holder[i] = gc_alloc(&s->pc[1], &lay_pair);
    for (int i = 0; i < HOLDERS; i++)
        inner[i] = holder[i][0] = gc_alloc(&s->pc[1], &lay_ptr);
}

/* As if there had been no memory for the buffers of the grey set. */
static void
greys_that_were_dropped_are_found_again(void **state)
{
    struct side s;
    void **holder[HOLDERS], *inner[HOLDERS];

    (void)state;
    side_start(&s, NULL);
    make_holders(&s, holder, inner);
    side_begin(&s);
    for (int i = 0; i < HOLDERS; i++) {
        gc_shade(&s.pc[2], holder[i]);
        s.pc[2].own.buf->n = 0;
    }
    a32_store_rel(&s.h->work_overflow, 1);
    side_end(&s);
    side_sweep(&s);
    for (int i = 0; i < HOLDERS; i++)
        assert_true(side_alive(&s, inner[i]));
    gc_heap_free(s.h);
}

/* However many objects it has. */
static void
a_list_is_followed_without_memory(void **state)
{
    enum { LONG = 5000 };
    struct side s;
    struct gc_marker m;
    void **first = NULL, **last = NULL;

    (void)state;
    side_start(&s, NULL);
    for (int i = 0; i < LONG; i++) {
        void **obj = gc_alloc(&s.pc[1], &lay_ptr);
        obj[0] = first;
        first = obj;
        last = i == 0 ? obj : last;
    }
    s.h->os.fail_at = 1;
    gc_marker_init(&m, s.h);
    gc_mark_ptr(&m, first);
    while (!gc_drain_some(&m, UINT64_MAX)) {
    }
    assert_int_equal(a32_load_rlx(&s.h->work_overflow), 0);
    assert_int_equal(m.objects, LONG);
    struct gc_span *span = gc_span_of(s.h, (uintptr_t)last);
    assert_true(gc_slot_marked(span, gc_slot_of(span, (uintptr_t)last)));
    gc_marker_flush(&m);
    gc_heap_free(s.h);
}

static void
a_p_that_goes_leaves_its_greys(void **state)
{
    struct side s;
    void **holder[HOLDERS], *inner[HOLDERS];

    (void)state;
    side_start(&s, NULL);
    make_holders(&s, holder, inner);
    side_begin(&s);
    for (int i = 0; i < 10; i++)
        gc_shade(&s.pc[2], holder[i]);
    gc_pcache_fini(&s.pc[2]);
    gc_pcache_init(s.h, &s.pc[2], NULL);
    side_end(&s);
    side_sweep(&s);
    for (int i = 0; i < HOLDERS; i++)
        assert_int_equal(side_alive(&s, inner[i]), i < 10);
    side_valid(&s);
    gc_heap_free(s.h);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finalizer_keeps_what_its_object_needs),
        cmocka_unit_test(handing_out_a_finalizer_shades),
        cmocka_unit_test(handing_out_a_cleanup_shades),
        cmocka_unit_test(a_finalizer_keeps_the_last_word),
        cmocka_unit_test(greys_that_were_dropped_are_found_again),
        cmocka_unit_test(a_list_is_followed_without_memory),
        cmocka_unit_test(a_p_that_goes_leaves_its_greys)
    };

    return cmocka_run_group_tests_name("gc/marks", tests, NULL, NULL);
}
