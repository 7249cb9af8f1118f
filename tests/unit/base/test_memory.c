/* SPDX-License-Identifier: MIT */
/* Regions, persistent memory, record allocators, system memory, arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/arena.h"
#include "runtime/base/fixalloc.h"
#include "runtime/base/hash.h"
#include "runtime/base/keep.h"
#include "runtime/base/list.h"
#include "runtime/base/osmem.h"
#include "runtime/base/persist.h"
#include "runtime/base/rand.h"
#include "runtime/base/strmap.h"
#include "runtime/base/tunables.h"
#include "runtime/base/vec.h"

/* A text of many parts, and one part that is longer than twice what is there. */
static void
test_text(struct rt_arena *a)
{
    struct rt_arena_text t = {NULL, 0, 0};
    char large[300], want[8];

    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = 0;
    assert_true(rt_arena_add(a, &t, "%s", ""));
    assert_string_equal(t.at, "");
    for (int i = 100; i < 200; i++)
        assert_true(rt_arena_add(a, &t, "<%d>", i));
    assert_int_equal(t.n, 500);
    assert_true(rt_arena_add(a, &t, "%s%s", large, large));
    assert_int_equal(t.n, 500 + 2 * (sizeof large - 1));
    assert_int_equal(strlen(t.at), t.n);
    for (int i = 100; i < 200; i++) {
        snprintf(want, sizeof want, "<%d>", i);
        assert_memory_equal(t.at + 5 * (i - 100), want, 5);
    }
    assert_memory_equal(t.at + 500, large, sizeof large - 1);
}

static void
a_region_gives_zeroed_pieces(void **state)
{
    struct rt_arena a = { 0 };
    struct rt_rand r;
    enum { N = 2000 };
    uint8_t *p[N];
    size_t size[N];

    (void)state;
    rt_rand_init(&r, 1);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) {
            size[i] = rt_rand_below(&r, i % 100 == 0 ? 100000 : 60);
            p[i] = rt_arena_alloc(&a, size[i]);
            assert_non_null(p[i]);
            assert_int_equal((uintptr_t)p[i] % 8, 0);
            for (size_t k = 0; k < size[i]; k++)
                assert_int_equal(p[i][k], 0);
            memset(p[i], i, size[i]);
        }
        for (int i = 0; i < N; i++)
            for (size_t k = 0; k < size[i]; k++)
                assert_int_equal(p[i][k], (uint8_t)i);
        rt_arena_free(&a);
    }
    assert_string_equal(rt_arena_strndup(&a, "abcdef", 3), "abc");
    assert_string_equal(rt_arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    test_text(&a);
    assert_null(rt_arena_array(&a, SIZE_MAX / 4, 8));
    assert_null(rt_arena_alloc(&a, SIZE_MAX));
    assert_null(rt_arena_alloc(&a, SIZE_MAX - 8));
    assert_non_null(rt_arena_alloc(&a, 0));
    rt_arena_free(&a);
    a.limit = 1 << 20;
    assert_null(rt_arena_alloc(&a, 1 << 20));
    size_t got = 0;
    while (rt_arena_alloc(&a, 1000) != NULL)
        got += 1000;
    assert_in_range(got, 800000, 1 << 20);
    rt_arena_free(&a);
}

/* What is opened for one piece, and a chunk's end in the middle of another, are
 * nobody's twice. */
static void
pieces_are_zero_and_apart(void **state)
{
    static const size_t sizes[] = {
        8, 4096, 40000, 65536, 16, 70000, 131072, 24, 15000};
    enum { N = 90, SIZES = sizeof sizes / sizeof *sizes };
    struct rt_arena a = { 0 };
    uint8_t *piece[N];

    (void)state;
    for (size_t i = 0; i < N; i++) {
        piece[i] = rt_arena_alloc(&a, sizes[i % SIZES]);
        assert_non_null(piece[i]);
        for (size_t k = 0; k < sizes[i % SIZES]; k++)
            if (piece[i][k] != 0)
                fail_msg("byte %zu of piece %zu is not zero", k, i);
        memset(piece[i], (int)i + 1, sizes[i % SIZES]);
    }
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < sizes[i % SIZES]; k++)
            if (piece[i][k] != i + 1)
                fail_msg("byte %zu of piece %zu is another's", k, i);
    rt_arena_free(&a);
}

/* Uses the region more and less, and resets it each time; the most that it has
 * had after that. */
static size_t
use_again_and_again(struct rt_arena *a)
{
    size_t held = 0;

    rt_arena_reset(a);
    for (size_t round = 0; round < 30; round++) {
        for (size_t i = 0; i < 100 * (round % 10); i++) {
            size_t size = i % 50 == 7 ? 40000 : i % 90;
            uint8_t *p = rt_arena_alloc(a, size);
            assert_non_null(p);
            for (size_t k = 0; k < size; k++)
                assert_int_equal(p[k], 0);
            memset(p, 0xa5, size);
        }
        rt_arena_reset(a);
        held = held > a->total ? held : a->total;
    }
    rt_arena_free(a);
    assert_int_equal(a->total, 0);
    return held;
}

/* Uses of more and less, of which none takes another's pieces, and memory that
 * is kept from one to the next. */
static void
a_region_that_was_rewound_gives_pieces_again(void **state)
{
    enum { N = 40, SIZE = 900 };
    struct rt_arena a = { 0 };
    uint8_t *piece[N], *first = NULL;
    size_t held = 0;

    (void)state;
    rt_arena_rewind(&a);
    for (size_t round = 1; round <= 20; round++) {
        size_t n = 1 + 7 * round % N;
        for (size_t i = 0; i < n; i++) {
            piece[i] = rt_arena_alloc(&a, SIZE);
            assert_non_null(piece[i]);
            memset(piece[i], (int)(round + i), SIZE);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < SIZE; k++)
                assert_int_equal(piece[i][k], round + i);
        if (!RT_ASAN && !VOLE_HOSTILE)
            assert_true(first == NULL || piece[0] == first);
        first = piece[0];
        rt_arena_rewind(&a);
        held = held > a.total ? held : a.total;
    }
    assert_true(held <= 2 * RT_ARENA_CHUNK + 2 * SIZE);
    rt_arena_free(&a);
    /* What is got anew is zero. */
    piece[0] = rt_arena_alloc(&a, SIZE);
    for (size_t k = 0; k < SIZE; k++)
        assert_int_equal(piece[0][k], 0);
    rt_arena_free(&a);
}

/* What was taken last can be taken again, and what was before stays. */
static void
a_region_that_was_shortened_keeps_what_was_before(void **state)
{
    enum { SIZE = 100, KEPT = 45 };
    struct rt_arena a = { 0 };
    uint8_t *first = rt_arena_alloc(&a, SIZE), *second, *large;

    (void)state;
    assert_non_null(first);
    memset(first, 1, SIZE);
    assert_non_null(rt_arena_alloc(&a, SIZE));
    rt_arena_shorten(&a, first + KEPT);
    second = rt_arena_alloc(&a, SIZE);
    assert_ptr_equal(second, first + (KEPT + 7) / 8 * 8);
    memset(second, 2, SIZE);
    for (size_t k = 0; k < KEPT; k++)
        assert_int_equal(first[k], 1);
    /* Not what is in a chunk of its own, nor where nothing has been taken. */
    large = rt_arena_alloc(&a, 2 * RT_ARENA_CHUNK);
    assert_non_null(large);
    rt_arena_shorten(&a, large + SIZE);
    memset(rt_arena_alloc(&a, SIZE), 3, SIZE);
    for (size_t k = 0; k < SIZE; k++)
        assert_int_equal(second[k], 2);
    rt_arena_free(&a);
    rt_arena_shorten(&a, &a);
    assert_non_null(rt_arena_alloc(&a, SIZE));
    rt_arena_free(&a);
}

/* What was taken back counts as used: beyond what is kept its pages are given
 * back when the region begins again, however few there were in the end. */
static void
a_region_gives_back_what_it_had_taken_back(void **state)
{
    enum { LARGE = 8 << 20, USED = LARGE / 2, PAGE = 4096 };
    struct rt_arena a = {.first = LARGE, .kept = LARGE / 4};

    (void)state;
    if (RT_ASAN || RT_TSAN)
        skip(); /* which come from malloc */
    assert_non_null(rt_arena_alloc(&a, 1));
    void *at = rt_arena_at(&a);
    uint8_t *large = rt_arena_alloc(&a, USED);
    assert_non_null(large);
    memset(large, 1, USED);
    rt_arena_shorten(&a, at);
    assert_ptr_equal(rt_arena_alloc(&a, 1), at);
    rt_arena_rewind(&a);
    assert_non_null(rt_arena_alloc(&a, 1));
    assert_ptr_equal(rt_arena_at(&a), at);
    assert_ptr_equal(rt_arena_alloc(&a, USED), large);
    /* Pages that were given back are zero, and those that were kept are not. */
    assert_int_equal(large[USED - 1], 0);
    assert_int_equal(large[PAGE], 1);
    rt_arena_free(&a);
}

/* However much was used of it, and in how many chunks. */
static void
a_region_that_was_reset_gives_zeroed_pieces(void **state)
{
    struct rt_arena a = { 0 };

    (void)state;
    /* One chunk, at most: not what all rounds have used. */
    assert_in_range(use_again_and_again(&a), 0, RT_ARENA_CHUNK_MOST + 4096);
}

/* One whose first chunk is large keeps its beginning, whether all of what was
 * used is cleared or pages are given back, and whether it was enough. */
static void
a_region_that_begins_large_is_reset_too(void **state)
{
    static const size_t sizes[] = {RT_ARENA_KEPT / 2, 4 * RT_ARENA_KEPT,
        16 * RT_ARENA_KEPT};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct rt_arena a = {.first = sizes[i]};

        assert_in_range(use_again_and_again(&a), 0,
            sizes[i] + RT_ARENA_CHUNK_MOST + 4096);
    }
}

/* Its chunks are as large as the large pages of the processor, begin where such
 * a page can, and are refused near the limit, where small ones do. */
static void
a_large_region_asks_for_huge_pages(void **state)
{
    enum { PIECE = 1000, HUGE = 2 << 20, N = (RT_ARENA_LARGE + 8 * HUGE) / PIECE };
    static uint8_t *piece[N], zeroes[PIECE];
    struct rt_arena a = {0};
    unsigned i, begin = 0;

    (void)state;
    for (i = 0; i < N; i++) {
        piece[i] = rt_arena_alloc(&a, PIECE);
        assert_non_null(piece[i]);
        assert_memory_equal(piece[i], zeroes, PIECE);
        memset(piece[i], 1 + (int)(i % 255), PIECE);
        begin += ((uintptr_t)piece[i] & (HUGE - 1)) < 64;
    }
    for (i = 0; i < N; i++)
        assert_true(piece[i][0] == 1 + i % 255 &&
            piece[i][PIECE - 1] == 1 + i % 255);
    if (!RT_ASAN && !RT_TSAN)
        assert_true(begin >= 7);
    a.limit = a.total + HUGE / 2;
    for (i = 0; rt_arena_alloc(&a, PIECE) != NULL; i++)
        ;
    assert_true(i * PIECE > HUGE / 4 && a.total <= a.limit);
    rt_arena_reset(&a);
    assert_int_equal(*(uint8_t *)rt_arena_alloc(&a, PIECE), 0);
    rt_arena_free(&a);
}

static void
a_list_in_a_region_grows(void **state)
{
    struct rt_arena a = { 0 };
    unsigned *at = NULL, n = 0, cap = 0, moves = 0;

    (void)state;
    for (; n < 10000; n++) {
        unsigned *p = rt_arena_more(&a, at, n, &cap, sizeof *at);

        assert_non_null(p);
        assert_true(cap > n);
        moves += p != at;
        at = p;
        at[n] = n * 7;
    }
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(at[i], i * 7);
    assert_in_range(moves, 5, 16);
    for (unsigned i = n; i < cap; i++)
        assert_int_equal(at[i], 0);

    /* What there is no memory for leaves the list as it was. */
    a.limit = a.total;
    n = cap;
    unsigned had = cap;
    assert_null(rt_arena_more(&a, at, n, &cap, sizeof *at));
    assert_int_equal(cap, had);
    assert_ptr_equal(rt_arena_more(&a, at, n - 1, &cap, sizeof *at), at);
    n = cap = 1u << 31; /* not to be doubled */
    assert_null(rt_arena_more(&a, at, n, &cap, sizeof *at));
    assert_int_equal(cap, 1u << 31);
    rt_arena_free(&a);
}

static void
an_empty_region_gives_size_zero(void **state)
{
    struct rt_arena a = { 0 };

    (void)state;
    assert_non_null(rt_arena_alloc(&a, 0));
    rt_arena_free(&a);
    assert_int_equal(a.total, 0);
}

static void
persistent_memory_is_aligned(void **state)
{
    struct rt_os os = { 0 };
    struct rt_persist p;

    (void)state;
    rt_persist_init(&p, &os);
    for (size_t i = 0; i < 3000; i++) {
        size_t align = (size_t)1 << (i % 13);
        uint8_t *q = rt_persist_alloc(&p, i, align);
        assert_non_null(q);
        assert_int_equal((uintptr_t)q % align, 0);
        for (size_t k = 0; k < i; k++)
            assert_int_equal(q[k], 0);
        memset(q, 0xff, i);
    }
    assert_null(rt_persist_alloc(&p, SIZE_MAX, 8));
    assert_true(a64_load_rlx(&p.bytes) > 0);
    rt_persist_fini(&p);
    assert_int_equal(a64_load_rlx(&os.committed), 0);
}

static void
records_come_back_zeroed(void **state)
{
    struct rt_os os = { 0 };
    struct rt_fixalloc f;
    void *p[1000];

    (void)state;
    rt_fixalloc_init(&f, &os, 52);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 1000; i++) {
            p[i] = rt_fixalloc_get(&f);
            assert_non_null(p[i]);
            for (int k = 0; k < 52; k++)
                assert_int_equal(((uint8_t *)p[i])[k], 0);
            memset(p[i], 0xee, 52);
        }
        assert_int_equal(f.inuse, 56000);
        for (int i = 0; i < 1000; i++)
            rt_fixalloc_put(&f, p[(i * 7) % 1000]);
    }
    assert_int_equal(f.inuse, 0);
    /* Later rounds needed no more memory. */
    assert_true(f.sys < 56000 + 40000);
    rt_fixalloc_fini(&f);
    assert_int_equal(a64_load_rlx(&os.reserved), 0);
}

static void
address_space_is_aligned_and_counted(void **state)
{
    struct rt_os os = { 0 };
    size_t mb = 1 << 20;

    (void)state;
    for (size_t align = 4096; align <= 64 * mb; align *= 4) {
        uint8_t *p = rt_os_reserve(&os, NULL, 2 * mb, align);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % align, 0);
        assert_int_equal(rt_os_commit(&os, p, mb), RT_OK);
        assert_int_equal(p[mb - 1], 0);
        memset(p, 1, mb);
        rt_os_discard(&os, p, mb);
        assert_int_equal(p[0], 0);
        assert_int_equal(p[mb - 1], 0);
        assert_int_equal(a64_load_rlx(&os.reserved), 2 * mb);
        assert_int_equal(a64_load_rlx(&os.committed), mb);
        rt_os_release(&os, p, 2 * mb, mb);
    }
    assert_int_equal(a64_load_rlx(&os.reserved), 0);
    assert_null(rt_os_reserve(&os, NULL, (size_t)1 << 60, 4096));
    assert_null(rt_os_map(&os, (size_t)1 << 60));
    os.fail_at = a64_load_rlx(&os.requests) + 2;
    void *p = rt_os_map(&os, 4096);
    assert_non_null(p);
    assert_null(rt_os_map(&os, 4096));
    assert_null(rt_os_reserve(&os, NULL, 4096, 4096));
    rt_os_unmap(&os, p, 4096);
}

RT_VEC(int_vec, int);

/* A reservation at `at` of which one page more is usable each time, and some of
 * that is used. */
static void
reserve_again(struct rt_os *os, uint8_t *at, size_t size, unsigned round)
{
    size_t usable = (round + 1) * 4096;
    uint8_t *p = rt_os_reserve(os, at, size, 4096);

    assert_ptr_equal(p, at);
    assert_int_equal(rt_os_commit(os, p, usable), RT_OK);
    for (size_t i = 0; i < usable; i++)
        assert_int_equal(p[i], 0);
    assert_int_equal(a64_load_rlx(&os->reserved), size);
    assert_int_equal(a64_load_rlx(&os->committed), usable);
    memset(p, 0x5a, usable);
    memset(p, 0, usable);
    rt_os_release_clean(os, p, size, usable);
    assert_int_equal(a64_load_rlx(&os->reserved), 0);
    assert_int_equal(a64_load_rlx(&os->committed), 0);
}

static void
what_is_kept_comes_back_zeroed(void **state)
{
    struct rt_keep k = { 0 };
    struct rt_os os = { .keep = &k }, other = { 0 };
    enum { SIZE = 5 * 4096 };
    struct rt_fixalloc f;
    struct rt_persist persist;
    void *first = NULL, *record = NULL;

    (void)state;
    for (int i = 0; i < 3; i++) {
        uint8_t *p = rt_os_map(&os, SIZE), *q = rt_os_map(&os, 2 * SIZE);

        assert_true(first == NULL || first == p);
        first = p;
        for (size_t b = 0; b < SIZE; b++)
            assert_int_equal(p[b] | q[b] | q[SIZE + b], 0);
        memset(p, 1, SIZE);
        q[99] = 1;
        rt_os_unmap_used(&os, q, 2 * SIZE, 100);
        rt_os_unmap_used(&os, p, SIZE, SIZE);
        assert_int_equal(k.n, 2);
        assert_true(rt_keep_valid(&k));
    }
    /* What was used too much, or for others, is not kept. */
    uint8_t *large = rt_os_map(&os, 2 * RT_KEEP_CLEAR);
    rt_os_unmap_used(&os, large, 2 * RT_KEEP_CLEAR, RT_KEEP_CLEAR + 1);
    rt_os_unmap_used(&other, rt_os_map(&other, SIZE), SIZE, SIZE);
    rt_os_unmap(&os, rt_os_map(&os, SIZE / 5), SIZE / 5);
    assert_int_equal(k.n, 2);
    for (int i = 0; i < 3; i++) {
        rt_fixalloc_init(&f, &os, 64);
        rt_persist_init(&persist, &os);
        uint8_t *p = NULL;
        for (int n = 0; n < 1000; n++) {
            p = rt_fixalloc_get(&f);
            for (int b = 0; b < 64; b++)
                assert_int_equal(p[b], 0);
            memset(p, n, 64);
            p = rt_persist_alloc(&persist, 1000, 8);
            for (int b = 0; b < 1000; b++)
                assert_int_equal(p[b], 0);
            memset(p, n, 1000);
        }
        rt_persist_fini(&persist);
        rt_fixalloc_fini(&f);
        assert_true(record == NULL || k.n > 2);
        record = p;
    }
    assert_int_equal(a64_load_rlx(&os.reserved), 0);
    rt_keep_free(&k);
    assert_int_equal(k.n, 0);
}

static void
reservations_are_kept_where_they_are(void **state)
{
    struct rt_keep k = { 0 };
    struct rt_os os = { .keep = &k };
    enum { SIZE = 1 << 20 };
    uint8_t *at = rt_os_reserve(&os, NULL, 4 * SIZE, 4096);

    (void)state;
    rt_os_release(&os, at, 4 * SIZE, 0);
    for (unsigned i = 0; i < 5; i++) {
        reserve_again(&os, at, SIZE, i);
        assert_int_equal(k.n, 1);
        assert_int_equal(k.v[0].usable, (i + 1) * 4096);
    }
    /* What an uncommit has taken back is not usable without a commit. */
    uint8_t *p = rt_os_reserve(&os, at, SIZE, 4096);
    assert_int_equal(rt_os_commit(&os, p, 2 * 4096), RT_OK);
    rt_os_uncommit(&os, p, 2 * 4096);
    assert_int_equal(rt_os_commit(&os, p, 4096), RT_OK);
    p[0] = 1;
    rt_os_release(&os, p, SIZE, 4096);
    assert_int_equal(k.n, 0);
    reserve_again(&os, at, SIZE, 0);
    /* Another size: the old one must not lie in its way. */
    reserve_again(&os, at, 2 * SIZE, 0);
    assert_int_equal(k.n, 1);
    reserve_again(&os, at + SIZE, SIZE, 2);
    assert_int_equal(k.n, 1);
    reserve_again(&os, at, SIZE, 1);
    assert_int_equal(k.n, 2);
    assert_true(rt_keep_valid(&k));
    /* One more than there is room for. */
    for (unsigned i = 0; i < RT_KEEP_PIECES; i++) {
        void *q = rt_os_map(&(struct rt_os){ 0 }, 4096);
        assert_true(rt_keep_put(&k, q, 4096, 4096, 4096));
    }
    assert_int_equal(k.n, RT_KEEP_PIECES);
    rt_keep_free(&k);
}

static void
arrays_grow(void **state)
{
    struct int_vec v = { 0 };

    (void)state;
    for (int i = 0; i < 10000; i++)
        assert_true(rt_vec_push(&v, i * i));
    assert_int_equal(v.n, 10000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(v.v[i], i * i);
    assert_int_equal(rt_vec_last(&v), 9999 * 9999);
    rt_vec_free(&v);
    assert_null(v.v);
}

struct item {
    int x;
    struct rt_list node;
};

static void
lists_keep_order(void **state)
{
    struct rt_list head, other;
    struct item it[6] = { { .x = 0 } };
    struct rt_list *n, *tmp;

    (void)state;
    rt_list_init(&head);
    rt_list_init(&other);
    assert_null(rt_list_pop_front(&head));
    for (int i = 0; i < 6; i++) {
        it[i].x = i;
        rt_list_push_back(i < 3 ? &head : &other, &it[i].node);
    }
    rt_list_splice(&head, &other);
    assert_true(rt_list_empty(&other));
    rt_list_remove(&it[2].node);
    assert_false(rt_list_linked(&it[2].node));
    rt_list_push_front(&head, &it[2].node);
    static const int want[] = { 2, 0, 1, 3, 4, 5 };
    int i = 0;
    LIST_FOREACH_SAFE(n, tmp, &head) {
        assert_int_equal(LIST_ENTRY(n, struct item, node)->x, want[i++]);
        rt_list_remove(n);
    }
    assert_int_equal(i, 6);
    assert_true(rt_list_empty(&head));
}

static void
a_string_finds_what_it_named_first(void **state)
{
    enum { N = 3000 };
    struct rt_arena a = { 0 };
    struct rt_strmap m = { 0 };
    static int value[N], other;
    char key[16];

    (void)state;
    assert_null(rt_strmap_get(&m, "k0"));
    for (int i = 0; i < N; i++) {
        snprintf(key, sizeof key, "k%d", i);
        assert_null(rt_strmap_get(&m, key));
        assert_true(
            rt_strmap_add(&m, &a, rt_arena_strndup(&a, key, strlen(key)),
                &value[i]));
        assert_int_equal(m.n, i + 1);
        assert_true(2 * m.n <= m.cap);
    }
    assert_true(rt_strmap_add(&m, &a, "k7", &other));
    assert_int_equal(m.n, N);
    for (int i = 0; i < N; i++) {
        snprintf(key, sizeof key, "k%d", i);
        assert_ptr_equal(rt_strmap_get(&m, key), &value[i]);
    }
    assert_null(rt_strmap_get(&m, "k"));
    rt_arena_free(&a);
}

/* Texts that end alike after eight bytes that a constant of the hash is made
 * of; who chooses the keys of a program's map knows the constant. */
static void
no_bytes_wipe_out_those_before_them(void **state)
{
    const uint64_t constant[] = {
        RT_HASH_K0, RT_HASH_K1, RT_HASH_K2, 0, UINT64_MAX};

    (void)state;
    for (unsigned i = 0; i < sizeof constant / sizeof *constant; i++)
        for (unsigned at = 2; at <= 4; at++) {
            uint64_t a[6] = {1, 1, 5, 6, 7, 8}, b[6] = {2, 3, 5, 6, 7, 8};

            a[at] = b[at] = constant[i];
            for (uint64_t seed = 1; seed < 100; seed++) {
                uint64_t s = seed * UINT64_C(0x9e3779b97f4a7c15);

                assert_true(rt_hash_bytes(a, sizeof a, s) !=
                    rt_hash_bytes(b, sizeof b, s));
            }
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_region_gives_zeroed_pieces),
        cmocka_unit_test(pieces_are_zero_and_apart),
        cmocka_unit_test(a_region_that_was_shortened_keeps_what_was_before),
        cmocka_unit_test(a_region_gives_back_what_it_had_taken_back),
        cmocka_unit_test(a_region_that_was_reset_gives_zeroed_pieces),
        cmocka_unit_test(a_region_that_was_rewound_gives_pieces_again),
        cmocka_unit_test(a_region_that_begins_large_is_reset_too),
        cmocka_unit_test(a_large_region_asks_for_huge_pages),
        cmocka_unit_test(a_list_in_a_region_grows),
        cmocka_unit_test(an_empty_region_gives_size_zero),
        cmocka_unit_test(persistent_memory_is_aligned),
        cmocka_unit_test(records_come_back_zeroed),
        cmocka_unit_test(address_space_is_aligned_and_counted),
        cmocka_unit_test(what_is_kept_comes_back_zeroed),
        cmocka_unit_test(reservations_are_kept_where_they_are),
        cmocka_unit_test(arrays_grow),
        cmocka_unit_test(lists_keep_order),
        cmocka_unit_test(a_string_finds_what_it_named_first),
        cmocka_unit_test(no_bytes_wipe_out_those_before_them)
    };

    return cmocka_run_group_tests_name("base/memory", tests, NULL, NULL);
}
