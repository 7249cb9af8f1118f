/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/rand.h"
#include "runtime/value/map.h"
#include "runtime/value/str.h"
#include "tests/unit/value/heap.h"

static struct test_heap h;

static struct rtype
map_type_of(const struct rtype *key, const struct rtype *elem)
{
    return (struct rtype){ .layout = { 8, 8, NULL },
        .kind = RK_MAP, .align = 8, .flags = RT_F_DIRECT, .slots = 1,
        .string = "map", .name = "", .pkgpath = "", .key = key,
        .elem = elem };
}

static bool
get_int(struct map *m, int64_t k, int64_t *v)
{
    const struct rtype *bad;
    const void *e;

    assert_int_equal(map_get(m->mt, m, &k, &e, &bad), MAP_OK);
    if (e != NULL)
        *v = *(const int64_t *)e;
    return e != NULL;
}

static void
set_int(struct map *m, int64_t k, int64_t v)
{
    const struct rtype *bad;

    assert_int_equal(map_set(&h.pc, m, &k, &v, &bad), MAP_OK);
}

static void
del_int(struct map *m, int64_t k)
{
    const struct rtype *bad;

    assert_int_equal(map_delete(&h.pc, m->mt, m, &k, &bad), MAP_OK);
}

/* Random sets and deletes against an array, with collections. */
static void
model(void **state)
{
    (void)state;
    enum { KEYS = 6000, STEPS = 200000 };
    struct rtype type = map_type_of(&t_int, &t_int);
    struct map_type mt;
    struct rt_rand r;
    int64_t *want = calloc(KEYS, sizeof *want);
    int64_t count = 0;

    heap_open(&h);
    rt_rand_init(&r, 42);
    assert_true(map_type_init(&mt, &type));
    assert_int_equal(mt.fast, MAP_KEY64);
    struct map *m = map_new(&h.pc, &mt, 0, 7);
    h.roots[0] = m;
    for (int i = 0; i < STEPS; i++) {
        /* The live keys come and go in waves. */
        uint32_t k = rt_rand_below(&r, KEYS);
        bool add = rt_rand_below(&r, 100) < (i / 20000 % 2 ? 20u : 70u);
        if (add) {
            count += want[k] == 0;
            want[k] = i + 1;
            set_int(m, k, i + 1);
        } else {
            count -= want[k] != 0;
            want[k] = 0;
            del_int(m, k);
        }
        assert_int_equal(map_len(m), count);
        if (i % 50000 == 0)
            heap_collect(&h);
        if (i % 5000 == 0)
            assert_true(map_valid(m));
    }
    assert_true(map_valid(m));
    for (int64_t k = 0; k < KEYS; k++) {
        int64_t v = 0;
        assert_int_equal(get_int(m, k, &v), want[k] != 0);
        assert_int_equal(v, want[k]);
    }
    /* Iteration meets each exactly once. */
    struct map_iter *it = gc_alloc(&h.pc, &map_iter_layout);
    map_iter_begin(&h.pc, it, m, 12345);
    int64_t n = 0;
    for (;;) {
        assert_int_equal(map_iter_next(&h.pc, it), MAP_OK);
        if (it->key == NULL)
            break;
        int64_t k = *(const int64_t *)it->key;
        assert_int_equal(*(const int64_t *)it->elem, want[k]);
        want[k] = -1;
        n++;
    }
    assert_int_equal(n, count);
    assert_int_equal(map_clear(&h.pc, m), MAP_OK);
    assert_int_equal(map_len(m), 0);
    set_int(m, 1, 2);
    assert_int_equal(map_len(m), 1);
    assert_true(map_valid(m));
    free(want);
    map_type_free(&mt);
    heap_close(&h);
}

/* What map_valid() looks at. */
static void
damage(void **state)
{
    (void)state;
    struct rtype type = map_type_of(&t_int, &t_int);
    struct map_type mt;

    heap_open(&h);
    assert_true(map_type_init(&mt, &type));
    for (int64_t keys = 2; keys < 5000; keys = keys * 5 + 3) {
        struct map *m = map_new(&h.pc, &mt, 0, 7);
        h.roots[0] = m;
        for (int64_t k = 0; k < keys; k++)
            set_int(m, k, k);
        for (int64_t k = 0; k < keys; k += 3)
            del_int(m, k);
        assert_true(map_valid(m));
        struct map_table *t = m->dir == NULL ? m->table : m->dir[0];
        m->count++;
        assert_false(map_valid(m));
        m->count--;
        t->used++;
        assert_false(map_valid(m));
        t->used--;
        t->growth_left--;
        assert_false(map_valid(m));
        t->growth_left++;
        unsigned i = 0;
        while (t->groups[i % 8 + i / 8 * mt.group.size] >= 0x80)
            i++;
        uint8_t *c = &t->groups[i % 8 + i / 8 * mt.group.size];
        *c ^= 1; /* another hash */
        assert_false(map_valid(m));
        *c ^= 1;
        uint8_t kept = *c;
        *c = 0x81; /* no control byte */
        assert_false(map_valid(m));
        *c = kept;
        t->depth++;
        assert_false(map_valid(m));
        t->depth--;
        m->depth++;
        assert_false(m->dir == NULL && map_valid(m));
        m->depth--;
        assert_true(map_valid(m));
    }
    map_type_free(&mt);
    heap_close(&h);
}

/* A hint makes room for that many entries without growth. */
static void
hints(void **state)
{
    (void)state;
    static const int64_t n[] = { 0, 1, 7, 8, 9, 14, 15, 28, 29, 100, 896,
        897, 1792, 1793, 20000 };
    struct rtype type = map_type_of(&t_int, &t_int);
    struct map_type mt;

    heap_open(&h);
    assert_true(map_type_init(&mt, &type));
    for (unsigned i = 0; i < sizeof n / sizeof *n; i++) {
        struct map *m = map_new(&h.pc, &mt, n[i], 99);
        h.roots[0] = m;
        assert_true(map_valid(m));
        uint32_t cap = m->dir == NULL ? m->table->cap : 0;
        const uint8_t *groups = m->dir == NULL ? m->table->groups : NULL;
        if (n[i] <= 896)
            assert_true(cap >= n[i] && cap <= (n[i] < 8 ? 8 : 4 * n[i]));
        for (int64_t k = 0; k < n[i]; k++)
            set_int(m, k, -k);
        assert_int_equal(map_len(m), n[i]);
        if (cap != 0) /* the same memory as in the beginning */
            assert_true(m->table->groups == groups);
        assert_true(map_valid(m));
    }
    map_type_free(&mt);
    heap_close(&h);
}

/* While an iteration runs, half of the keys are deleted and twice as many are
 * added: each old key that is still there is met exactly once, no deleted one
 * is met after its deletion. */
static void
iterate_and_change(void **state)
{
    (void)state;
    enum { OLD = 3000, ALL = 9000 };
    struct rtype type = map_type_of(&t_int, &t_int);
    struct map_type mt;
    struct rt_rand r;

    heap_open(&h);
    assert_true(map_type_init(&mt, &type));
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint8_t met[ALL] = { 0 }, deleted[ALL] = { 0 };
        rt_rand_init(&r, seed);
        struct map *m = map_new(&h.pc, &mt, 0, seed * 77);
        h.roots[0] = m;
        int64_t start = seed % 2 ? OLD : 5; /* also from a single group */
        for (int64_t k = 0; k < start; k++)
            set_int(m, k, k);
        struct map_iter *it = gc_alloc(&h.pc, &map_iter_layout);
        h.roots[1] = it;
        map_iter_begin(&h.pc, it, m, rt_rand_u64(&r));
        int64_t next = start;
        for (;;) {
            assert_int_equal(map_iter_next(&h.pc, it), MAP_OK);
            if (it->key == NULL)
                break;
            int64_t k = *(const int64_t *)it->key;
            assert_int_equal(*(const int64_t *)it->elem, k);
            assert_false(deleted[k]);
            assert_int_equal(met[k], 0);
            met[k] = 1;
            int64_t d = rt_rand_below(&r, (uint32_t)start);
            if (rt_rand_below(&r, 2)) {
                del_int(m, d);
                deleted[d] = 1;
            }
            for (int i = 0; i < 3 && next < ALL; i++, next++)
                set_int(m, next, next);
            if (k % 1000 == 0)
                heap_collect(&h);
        }
        for (int64_t k = 0; k < start; k++)
            assert_true(met[k] || deleted[k]);
    }
    map_type_free(&mt);
    heap_close(&h);
}

static void
string_keys(void **state)
{
    (void)state;
    struct rtype type = map_type_of(&t_string, &t_struct);
    struct map_type mt;
    const struct rtype *bad;
    const void *e;
    char buf[32];

    heap_open(&h);
    assert_true(map_type_init(&mt, &type));
    struct map *m = map_new(&h.pc, &mt, 100, 99);
    h.roots[0] = m;
    for (int i = 0; i < 5000; i++) {
        struct {
            struct rt_str s;
            int64_t n;
            void *p;
        } v = { { NULL, 0 }, i, NULL };
        struct rt_str k;
        int n = snprintf(buf, sizeof buf, "key %d", i);
        assert_true(str_new(&h.pc, buf, (uint64_t)n, &k));
        n = snprintf(buf, sizeof buf, "value %d", i * 3);
        assert_true(str_new(&h.pc, buf, (uint64_t)n, &v.s));
        assert_int_equal(map_set(&h.pc, m, &k, &v, &bad), MAP_OK);
        if (i % 1000 == 0)
            heap_collect(&h);
    }
    heap_collect(&h);
    for (int i = 0; i < 5000; i++) {
        int n = snprintf(buf, sizeof buf, "key %d", i);
        struct rt_str k = { (const uint8_t *)buf, n };
        assert_int_equal(map_get(&mt, m, &k, &e, &bad), MAP_OK);
        assert_non_null(e);
        const struct rt_str *v = e;
        n = snprintf(buf, sizeof buf, "value %d", i * 3);
        assert_int_equal(v->len, n);
        assert_memory_equal(v->ptr, buf, (size_t)n);
    }
    map_type_free(&mt);
    heap_close(&h);
}

static void
floats_and_interfaces(void **state)
{
    (void)state;
    struct rtype type = map_type_of(&t_float64, &t_int);
    struct map_type mt;
    const struct rtype *bad = NULL;
    const void *e;

    heap_open(&h);
    assert_true(map_type_init(&mt, &type));
    struct map *m = map_new(&h.pc, &mt, 0, 5);
    h.roots[0] = m;
    int64_t v = 1;
    double zero = 0.0, minus = -0.0, nan = NAN;
    map_set(&h.pc, m, &zero, &v, &bad);
    v = 2;
    map_set(&h.pc, m, &minus, &v, &bad);
    assert_int_equal(map_len(m), 1);
    map_get(&mt, m, &zero, &e, &bad);
    assert_int_equal(*(const int64_t *)e, 2);
    /* Every NaN is a new key, however many. */
    for (v = 0; v < 5000; v++)
        assert_int_equal(map_set(&h.pc, m, &nan, &v, &bad), MAP_OK);
    assert_int_equal(map_len(m), 5001);
    assert_int_equal(map_get(&mt, m, &nan, &e, &bad), MAP_OK);
    assert_null(e);
    struct map_iter *it = gc_alloc(&h.pc, &map_iter_layout);
    h.roots[1] = it;
    int n = 0;
    map_iter_begin(&h.pc, it, m, 3);
    while (map_iter_next(&h.pc, it) == MAP_OK && it->key != NULL)
        n++;
    assert_int_equal(n, 5001);
    /* Who is in the middle meets nothing that has been cleared. */
    map_iter_begin(&h.pc, it, m, 3);
    for (n = 0; n < 40; n++)
        assert_int_equal(map_iter_next(&h.pc, it), MAP_OK);
    assert_int_equal(map_clear(&h.pc, m), MAP_OK);
    assert_int_equal(map_iter_next(&h.pc, it), MAP_OK);
    assert_null(it->key);
    map_type_free(&mt);

    type = map_type_of(&t_eface, &t_int);
    assert_true(map_type_init(&mt, &type));
    m = map_new(&h.pc, &mt, 0, 5);
    h.roots[0] = m;
    int64_t seven = 7;
    struct rt_str s = { (const uint8_t *)"seven", 5 };
    struct rt_slice sl = { NULL, 0, 0 };
    struct rt_iface k1 = { &t_int, &seven }, k2 = { &t_string, &s },
                    k3 = { &t_slice, &sl }, k4 = { NULL, NULL };
    v = 1;
    assert_int_equal(map_set(&h.pc, m, &k1, &v, &bad), MAP_OK);
    assert_int_equal(map_set(&h.pc, m, &k2, &v, &bad), MAP_OK);
    assert_int_equal(map_set(&h.pc, m, &k4, &v, &bad), MAP_OK);
    assert_int_equal(map_len(m), 3);
    assert_int_equal(map_set(&h.pc, m, &k3, &v, &bad), MAP_UNHASHABLE);
    assert_ptr_equal(bad, &t_slice);
    assert_int_equal(map_get(&mt, NULL, &k3, &e, &bad), MAP_UNHASHABLE_EMPTY);
    assert_int_equal(map_get(&mt, m, &k2, &e, &bad), MAP_OK);
    assert_non_null(e);
    /* Racing writers and readers are noticed. */
    a8_store_rlx(&m->writing, 1);
    assert_int_equal(map_set(&h.pc, m, &k1, &v, &bad), MAP_RACE_WRITES);
    assert_int_equal(map_get(&mt, m, &k1, &e, &bad), MAP_RACE_READ);
    map_type_free(&mt);
    heap_close(&h);
}

/* Sets: elements of size 0; keys of one byte and of 4 bytes. */
/* The order of maps of NaNs, from their seed. */
static void
order_of_nans(uint64_t seed, int64_t *order, int n)
{
    struct rtype type = map_type_of(&t_float64, &t_int);
    struct map_type mt;
    const struct rtype *bad = NULL;
    double nan = NAN;

    assert_true(map_type_init(&mt, &type));
    struct map *m = map_new(&h.pc, &mt, 0, seed);
    h.roots[0] = m;
    for (int64_t v = 0; v < n; v++)
        assert_int_equal(map_set(&h.pc, m, &nan, &v, &bad), MAP_OK);
    struct map_iter *it = gc_alloc(&h.pc, &map_iter_layout);
    h.roots[1] = it;
    map_iter_begin(&h.pc, it, m, 0);
    for (int i = 0; i < n; i++) {
        assert_int_equal(map_iter_next(&h.pc, it), MAP_OK);
        order[i] = *(const int64_t *)it->elem;
    }
    map_type_free(&mt);
}

/* Where NaNs lie depends on the map's seed and on nothing else. */
static void
nans_follow_the_seed(void **state)
{
    enum { N = 300 };
    int64_t a[N], b[N];

    (void)state;
    heap_open(&h);
    order_of_nans(5, a, N);
    order_of_nans(5, b, N);
    assert_memory_equal(a, b, sizeof a);
    order_of_nans(6, b, N);
    assert_memory_not_equal(a, b, sizeof a);
    heap_close(&h);
}

static void
small_types(void **state)
{
    (void)state;
    struct rtype type = map_type_of(&t_uint8, &t_empty);
    struct map_type mt;
    const struct rtype *bad;
    const void *e;

    heap_open(&h);
    assert_true(map_type_init(&mt, &type));
    struct map *m = map_new(&h.pc, &mt, 0, 5);
    h.roots[0] = m;
    for (unsigned i = 0; i < 512; i++) {
        uint8_t k = (uint8_t)(i * 2);
        assert_int_equal(map_set(&h.pc, m, &k, &k, &bad), MAP_OK);
    }
    assert_int_equal(map_len(m), 128);
    for (unsigned i = 0; i < 256; i++) {
        uint8_t k = (uint8_t)i;
        map_get(&mt, m, &k, &e, &bad);
        assert_int_equal(e != NULL, i % 2 == 0);
        map_delete(&h.pc, &mt, m, &k, &bad);
    }
    assert_int_equal(map_len(m), 0);
    map_type_free(&mt);
    type = map_type_of(&t_int32, &t_uint8);
    assert_true(map_type_init(&mt, &type));
    assert_int_equal(mt.fast, MAP_KEY32);
    m = map_new(&h.pc, &mt, 5000, 5);
    h.roots[0] = m;
    for (int32_t i = 0; i < 5000; i++) {
        uint8_t v = (uint8_t)i;
        assert_int_equal(map_set(&h.pc, m, &i, &v, &bad), MAP_OK);
    }
    for (int32_t i = 0; i < 5000; i++) {
        map_get(&mt, m, &i, &e, &bad);
        assert_int_equal(*(const uint8_t *)e, (uint8_t)i);
    }
    map_type_free(&mt);
    heap_close(&h);
}

/* Whether some key may differ from itself, which is so where a float may be
 * anywhere inside. */
static bool
reflexive(const struct rtype *key)
{
    struct rtype type = map_type_of(key, &t_int);
    struct map_type mt;
    bool is;

    assert_true(map_type_init(&mt, &type));
    is = mt.reflexive;
    map_type_free(&mt);
    return is;
}

static void
keys_that_differ_from_themselves(void **state)
{
    (void)state;
    struct rfield pair[] = {
        { "a", NULL, &t_int, NULL, 0, false, false },
        { "b", NULL, &t_float64, NULL, 8, false, false },
    };
    struct rtype record = { .layout = { 16, 0, NULL }, .kind = RK_STRUCT,
        .align = 8, .flags = RT_F_COMPARABLE, .slots = 2, .string = "main.P",
        .name = "P", .pkgpath = "main", .fields = pair, .nfields = 2 };
    struct rtype row = { .layout = { 32, 0, NULL }, .kind = RK_ARRAY,
        .align = 8, .flags = RT_F_COMPARABLE, .slots = 4, .string = "[2]P",
        .name = "", .pkgpath = "", .elem = &record, .len = 2 };

    assert_true(reflexive(&t_int));
    assert_true(reflexive(&t_string));
    assert_true(reflexive(&t_ptr));
    assert_true(reflexive(&t_struct));
    assert_true(reflexive(&t_empty));
    assert_false(reflexive(&t_float64));
    assert_false(reflexive(&t_eface));
    assert_false(reflexive(&record));
    assert_false(reflexive(&row));
    pair[1].type = &t_int;
    assert_true(reflexive(&record));
    assert_true(reflexive(&row));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model),
        cmocka_unit_test(damage),
        cmocka_unit_test(hints),
        cmocka_unit_test(iterate_and_change),
        cmocka_unit_test(string_keys),
        cmocka_unit_test(floats_and_interfaces),
        cmocka_unit_test(nans_follow_the_seed),
        cmocka_unit_test(small_types),
        cmocka_unit_test(keys_that_differ_from_themselves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
