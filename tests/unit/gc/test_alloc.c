/* SPDX-License-Identifier: MIT */
/* Allocation without collection: sizes, contents, addresses, limits. */
#include "tests/unit/gc/fake.h"

#include <stdio.h>

#include "gc/gc_int.h"

/* ThreadSanitizer maps its shadow anew for each heap, which takes seconds;
 * one thread alone has no races, so that a sample is enough. */
#ifdef __SANITIZE_THREAD__
enum { STEP = 9 };
#else
enum { STEP = 1 };
#endif

static void
fill(void *p, uint64_t n, uint8_t v)
{
    memset(p, v, n);
}

static bool
all(const uint8_t *p, uint64_t n, uint8_t v)
{
    for (uint64_t i = 0; i < n; i++)
        if (p[i] != v)
            return false;
    return true;
}

static void
every_class_is_zeroed_and_disjoint(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    for (unsigned c = 1; c < GC_NCLASS; c++) {
        uint64_t size = gc_class_size[c];
        uint64_t less = gc_class_size[c - 1] + 1;
        assert_int_equal(gc_size_class(size), c);
        assert_int_equal(gc_size_class(less), c);
        assert_int_equal(gc_round_size(less), size);
        uint8_t *p[70];
        for (int i = 0; i < 70; i++) {
            p[i] = gc_alloc_noscan(&f.pc, i % 2 ? size : less);
            assert_non_null(p[i]);
            assert_true(all(p[i], i % 2 ? size : less, 0));
            if (less >= 8)
                assert_int_equal((uintptr_t)p[i] % 8, 0);
            fill(p[i], i % 2 ? size : less, (uint8_t)(i + 1));
        }
        for (int i = 0; i < 70; i++)
            assert_true(all(p[i], i % 2 ? size : less, (uint8_t)(i + 1)));
    }
    fake_stop(&f);
}

static void
slots_are_found_from_every_byte(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    for (unsigned c = 2; c < GC_NCLASS; c++) {
        uint64_t size = gc_class_size[c];
        uint8_t *last = NULL;
        for (int i = 0; i < 20; i++) {
            uint8_t *p = gc_alloc_noscan(&f.pc, size);
            struct gc_object o;
            for (uint64_t off = 0; off < size; off++) {
                assert_true(gc_find_object(f.h, p + off, &o));
                assert_ptr_equal(o.base, p);
                assert_int_equal(o.size, size);
                assert_true(o.noscan);
            }
            assert_ptr_not_equal(p, last);
            last = p;
        }
    }
    fake_stop(&f);
}

static void
the_magic_divides_exactly(void **state)
{
    (void)state;
    for (unsigned c = 1; c < GC_NCLASS; c++) {
        uint64_t bytes = (uint64_t)gc_class_pages[c] * GC_PAGE_SIZE;
        for (uint64_t off = 0; off < bytes; off++)
            assert_int_equal(off * gc_class_magic[c] >> 32,
                off / gc_class_size[c]);
    }
}

static void
foreign_addresses_are_no_objects(void **state)
{
    struct fake f;
    struct gc_object o;
    int local;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    assert_false(gc_find_object(f.h, NULL, &o));
    assert_false(gc_find_object(f.h, &local, &o));
    assert_false(gc_find_object(f.h, &gc_zero_object, &o));
    assert_false(gc_find_object(f.h, (void *)~(uintptr_t)0, &o));
    assert_false(gc_find_object(f.h, (void *)((uintptr_t)1 << 48), &o));
    uint8_t *p = gc_alloc_noscan(&f.pc, 3 << 20);
    assert_true(gc_find_object(f.h, p + (3 << 20) - 1, &o));
    assert_ptr_equal(o.base, p);
    assert_int_equal(o.size, 3 << 20);
    assert_false(gc_find_object(f.h, p + (3 << 20), &o));
    assert_false(gc_find_object(f.h, p - 1, &o));
    fake_stop(&f);
}

static void
size_zero_shares_one_address(void **state)
{
    struct fake f;
    const struct rt_layout empty = { 0, 0, NULL };

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    void *p = gc_alloc(&f.pc, &empty);
    assert_non_null(p);
    assert_ptr_equal(p, gc_alloc_noscan(&f.pc, 0));
    assert_ptr_equal(p, gc_alloc_array(&f.pc, &empty, 1u << 31));
    assert_ptr_equal(p, gc_alloc_array(&f.pc, &lay_node, 0));
    fake_stop(&f);
}

static void
tiny_objects_share_blocks(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    uint8_t *a = gc_alloc_noscan(&f.pc, 1);
    uint8_t *b = gc_alloc_noscan(&f.pc, 2);
    uint8_t *c = gc_alloc_noscan(&f.pc, 4);
    uint8_t *d = gc_alloc(&f.pc, &lay_int);
    assert_ptr_equal(b, a + 2);
    assert_ptr_equal(c, a + 4);
    assert_ptr_equal(d, a + 8);
    uint8_t *e = gc_alloc_noscan(&f.pc, 1);
    struct gc_object oa, oe;
    assert_true(gc_find_object(f.h, a, &oa));
    assert_true(gc_find_object(f.h, e, &oe));
    assert_ptr_not_equal(oa.base, oe.base);
    fake_stop(&f);
}

/* Whatever came before, a value lies where its type may want it: a multiple
 * of 8, 4 or 2 bytes at such an address; and none lies on another. */
static void
tiny_objects_are_aligned(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    for (uint64_t a = 1; a < 16; a++)
        for (uint64_t b = 1; b < 16; b++) {
            uint64_t align = b % 8 == 0 ? 8 : b & -b;
            gc_alloc_noscan(&f.pc, 15); /* a block of its own, or a full one */
            uint8_t *p = gc_alloc_noscan(&f.pc, a);
            fill(p, a, 0xaa);
            uint8_t *q = gc_alloc_noscan(&f.pc, b);
            assert_int_equal((uintptr_t)q % align, 0);
            assert_true(all(q, b, 0));
            fill(q, b, 0xbb);
            assert_true(all(p, a, 0xaa));
        }
    fake_stop(&f);
}

/* What a P gives back does not count as used: what counts is what has been
 * allocated, to the byte. */
static void
the_live_heap_is_what_was_allocated(void **state)
{
    static const uint64_t sizes[] = {16, 48, 112, 1024, 4096};
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    uint64_t want = 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (unsigned n = 1; n < 200; n = n * 3 + 1) {
            for (unsigned k = 0; k < n; k++)
                gc_alloc_noscan(&f.pc, sizes[i]);
            want += n * sizes[i];
            gc_cache_flush(&f.pc);
            assert_int_equal(gc_heap_live(f.h), want);
            assert_true(gc_central_valid(f.h));
        }
    fake_stop(&f);
}

/* Of a span that a collection has left half empty, only what was free counts
 * when it is used again. */
static void
the_live_heap_counts_old_spans_once(void **state)
{
    static const uint64_t sizes[] = {16, 48, 112, 1024, 4096};
    enum { N = 600, KEPT = N / 3 };
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    uint64_t want = 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned k = 0; k < N; k++) {
            void *p = gc_alloc_noscan(&f.pc, sizes[i]);
            if (k % 3 == 0)
                f.root[f.nroots++] = p;
        }
        want += KEPT * sizes[i];
    }
    fake_collect(&f);
    gc_cache_flush(&f.pc);
    assert_int_equal(gc_heap_live(f.h), want);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (unsigned k = 0; k < N; k++) {
            gc_alloc_noscan(&f.pc, sizes[i]);
            want += sizes[i];
            if (k % 50 != 0)
                continue;
            gc_cache_flush(&f.pc);
            assert_int_equal(gc_heap_live(f.h), want);
        }
    assert_true(gc_central_valid(f.h));
    fake_stop(&f);
}

static void
arrays_check_their_size(void **state)
{
    struct fake f;

    (void)state;
    fake_start(&f, NULL, NULL, NULL);
    assert_false(gc_array_fits(&lay_node, UINT64_MAX / 8));
    assert_false(gc_array_fits(&lay_node, GC_MAX_ALLOC / 32 + 1));
    assert_true(gc_array_fits(&lay_node, GC_MAX_ALLOC / 32));
    assert_null(gc_alloc_array(&f.pc, &lay_node, UINT64_MAX / 8));
    assert_null(gc_alloc_array(&f.pc, &lay_node, GC_MAX_ALLOC / 32));
    assert_null(gc_alloc_noscan(&f.pc, UINT64_MAX));
    assert_null(gc_alloc_noscan(&f.pc, GC_MAX_ALLOC + 1));
    assert_non_null(gc_alloc_array(&f.pc, &lay_node, 1000));
    assert_int_equal(gc_round_size(0), 0);
    assert_int_equal(gc_round_size(32769), 40960);
    assert_int_equal(gc_round_size(UINT64_MAX - 3), UINT64_MAX);
    /* The last size that whole pages hold. */
    assert_int_equal(gc_round_size(UINT64_MAX - GC_PAGE_SIZE),
        UINT64_MAX - GC_PAGE_SIZE + 1);
    assert_int_equal(gc_round_size(UINT64_MAX - GC_PAGE_SIZE + 1),
        UINT64_MAX);
    fake_stop(&f);
}

/* For every k the heap must survive that the system gives nothing from the
 * kth request on. */
static void
memory_may_end_at_any_request(void **state)
{
    (void)state;
    for (uint32_t k = 1; k < 60; k += STEP) {
        struct gc_config cfg = GC_CONFIG_DEFAULT;
        struct fake f = { 0 };
        cfg.fail_alloc = k;
        enum rt_status st =
            gc_heap_new(&f.h, &cfg, &fake_host, &f, NULL, NULL, NULL);
        if (st != RT_OK) {
            assert_int_equal(st, RT_ENOMEM);
            assert_null(f.h);
            continue;
        }
        gc_pcache_init(f.h, &f.pc, &f);
        unsigned got = 0;
        void **list = NULL;
        for (int i = 0; i < 3000; i++) {
            uint64_t n = (uint64_t)1 << (i % 17);
            void **p = gc_alloc_array(&f.pc, &lay_node, n);
            if (p == NULL)
                continue;
            got++;
            p[1] = list;
            list = p;
            f.root[0] = list;
            f.nroots = 1;
            if (i % 5 == 0)
                gc_set_finalizer(&f.pc, p, NULL, NULL);
            if (i % 1000 == 999)
                fake_collect(&f);
        }
        unsigned found = 0;
        for (void **p = list; p != NULL; p = p[1])
            found++;
        assert_int_equal(found, got);
        fake_collect(&f);
        fake_stop(&f);
    }
}

/* An absurd size is refused at once, not half allocated. */
static void
absurd_sizes_are_refused(void **state)
{
    struct fake f;
    struct gc_memstats st;
    char mode = '0';
    FILE *file = fopen("/proc/sys/vm/overcommit_memory", "r");

    (void)state;
    if (file != NULL) {
        mode = (char)fgetc(file);
        fclose(file);
    }
    if (mode == '1')
        skip();
    fake_start(&f, NULL, NULL, NULL);
    for (int bits = 42; bits <= 48; bits++)
        assert_null(gc_alloc_noscan(&f.pc, (uint64_t)1 << bits));
    gc_read_memstats(f.h, &st);
    assert_true(st.sys < 64 << 20);
    assert_non_null(gc_alloc_noscan(&f.pc, 1 << 20));
    fake_collect(&f);
    fake_stop(&f);
}

/* The rest of the bits must stay as they were. */
static void
pointer_bits_are_exact(void **state)
{
    (void)state;
    for (uint32_t nw = 1; nw <= 64; nw++)
        for (uint32_t off = 0; off + nw <= 192; off++) {
            uint64_t bits[3] = { 0x5555555555555555, ~UINT64_C(0), 0 };
            uint64_t want[3];
            uint64_t m = UINT64_C(0x9e3779b97f4a7c15) & rt_low_bits(nw);
            memcpy(want, bits, sizeof want);
            for (uint32_t i = 0; i < nw; i++)
                if (m >> i & 1)
                    rt_bit_set(want, off + i);
                else
                    rt_bit_clear(want, off + i);
            gc_put_ptrbits(bits, off, nw, m);
            assert_memory_equal(bits, want, sizeof want);
        }
}

/* A P that is to be asked soon takes as many slots of its window as it may
 * use before that, the lowest ones; and all where it is not asked so soon. */
static void
window_share(void **state)
{
    (void)state;
    enum { SIZE = 48 };
    struct gc_pcache pc = { .countdown = 3 * SIZE + 5 };
    struct gc_window w = { .held = 0x8000000000000b15u, .size = SIZE };

    assert_true(gc_window_share(&pc, &w));
    assert_int_equal(w.free, 0x15);
    assert_int_equal(w.held, 0x8000000000000b00u);
    assert_int_equal(pc.countdown, 5);
    w.free = 0;
    assert_false(gc_window_share(&pc, &w));
    assert_int_equal(w.held, 0x8000000000000b00u);
    assert_int_equal(pc.countdown, 5);
    pc.countdown = 4 * SIZE;
    assert_true(gc_window_share(&pc, &w));
    assert_int_equal(w.free, 0x8000000000000b00u);
    assert_int_equal(w.held, 0);
    assert_int_equal(pc.countdown, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_is_zeroed_and_disjoint),
        cmocka_unit_test(slots_are_found_from_every_byte),
        cmocka_unit_test(the_magic_divides_exactly),
        cmocka_unit_test(foreign_addresses_are_no_objects),
        cmocka_unit_test(size_zero_shares_one_address),
        cmocka_unit_test(tiny_objects_share_blocks),
        cmocka_unit_test(tiny_objects_are_aligned),
        cmocka_unit_test(the_live_heap_is_what_was_allocated),
        cmocka_unit_test(the_live_heap_counts_old_spans_once),
        cmocka_unit_test(arrays_check_their_size),
        cmocka_unit_test(pointer_bits_are_exact),
        cmocka_unit_test(absurd_sizes_are_refused),
        cmocka_unit_test(memory_may_end_at_any_request),
        cmocka_unit_test(window_share)
    };

    return cmocka_run_group_tests_name("gc/alloc", tests, NULL, NULL);
}
