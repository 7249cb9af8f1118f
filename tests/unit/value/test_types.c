/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "runtime/value/types.h"

static const uint8_t str_mask[] = { 1 };

static const struct rtype t_int = { .layout = { 8, 0, NULL }, .kind = RK_INT,
    .align = 8, .flags = RT_F_COMPARABLE | RT_F_MEMEQ, .string = "int",
    .name = "int", .pkgpath = "" };
static const struct rtype t_str = { .layout = { 16, 8, str_mask },
    .kind = RK_STRING, .align = 8, .flags = RT_F_COMPARABLE,
    .string = "string", .name = "string", .pkgpath = "", .id = 1 };
static const struct rtype t_ints = { .layout = { 24, 8, str_mask },
    .kind = RK_SLICE, .align = 8, .string = "[]int", .name = "",
    .pkgpath = "", .elem = &t_int, .id = 2 };
/* type list []string: a name, so not what []string is. */
static const struct rtype t_list = { .layout = { 24, 8, str_mask },
    .kind = RK_SLICE, .align = 8, .flags = RT_F_NAMED,
    .string = "main.list", .name = "list", .pkgpath = "main",
    .elem = &t_str, .id = 3 };
static const struct rtype *const own[] = { &t_int, &t_str, &t_ints, &t_list };

static struct types ts;

static const struct rtype *
made(enum rkind kind, const struct rtype *elem, const struct rtype *key,
    uint64_t len, enum rchan_dir dir)
{
    return types_get(&ts, &(struct types_key){ .kind = kind, .elem = elem,
        .key = key, .len = len, .dir = dir });
}

static int
open_table(void **state)
{
    (void)state;
    types_init(&ts, own, 4);
    return 0;
}

static int
close_table(void **state)
{
    (void)state;
    types_free(&ts);
    return 0;
}

static void
one_address_each(void **state)
{
    (void)state;
    assert_ptr_equal(made(RK_SLICE, &t_int, NULL, 0, 0), &t_ints);
    const struct rtype *strs = made(RK_SLICE, &t_str, NULL, 0, 0);
    assert_ptr_not_equal(strs, &t_list);
    assert_ptr_equal(made(RK_SLICE, &t_str, NULL, 0, 0), strs);
    assert_string_equal(strs->string, "[]string");
    /* Everything that tells types apart does. */
    const struct rtype *all[] = { strs, &t_ints,
        made(RK_POINTER, &t_str, NULL, 0, 0),
        made(RK_ARRAY, &t_str, NULL, 2, 0),
        made(RK_ARRAY, &t_str, NULL, 3, 0),
        made(RK_ARRAY, &t_int, NULL, 3, 0),
        made(RK_MAP, &t_str, &t_int, 0, 0),
        made(RK_MAP, &t_str, &t_str, 0, 0),
        made(RK_CHAN, &t_str, NULL, 0, RCHAN_RECV),
        made(RK_CHAN, &t_str, NULL, 0, RCHAN_BOTH) };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t k = 0; k < i; k++)
            assert_ptr_not_equal(all[i], all[k]);
}

static void
layouts(void **state)
{
    (void)state;
    const struct rtype *a = made(RK_ARRAY, &t_str, NULL, 9, 0);
    assert_int_equal(a->layout.size, 144);
    assert_int_equal(a->layout.ptrdata, 136);
    for (uint64_t w = 0; w < 20; w++)
        assert_int_equal(
            rt_layout_is_ptr(&a->layout, w), w < 18 && w % 2 == 0);
    assert_int_equal(a->flags, RT_F_COMPARABLE);
    assert_int_equal(a->slots, 18);
    const struct rtype *aa = made(RK_ARRAY, a, NULL, 2, 0);
    assert_int_equal(aa->layout.ptrdata, 144 + 136);
    assert_true(rt_layout_is_ptr(&aa->layout, 18));
    assert_false(rt_layout_is_ptr(&aa->layout, 17));
    const struct rtype *p = made(RK_POINTER, a, NULL, 0, 0);
    assert_true(rtype_direct(p));
    assert_true((p->flags & RT_F_MEMEQ) != 0);
    assert_false((made(RK_SLICE, p, NULL, 0, 0)->flags & RT_F_COMPARABLE));
    assert_null(made(RK_ARRAY, &t_str, NULL, UINT64_MAX / 2, 0));
    assert_null(made(RK_ARRAY, &t_str, NULL, (uint64_t)1 << 50, 0));
    assert_non_null(made(RK_ARRAY, &t_int, NULL, (uint64_t)1 << 60, 0));
}

static void
strings(void **state)
{
    (void)state;
    const struct rtype *recv = made(RK_CHAN, &t_int, NULL, 0, RCHAN_RECV);
    assert_string_equal(recv->string, "<-chan int");
    assert_string_equal(made(RK_CHAN, recv, NULL, 0, RCHAN_BOTH)->string,
        "chan (<-chan int)");
    assert_string_equal(made(RK_CHAN, recv, NULL, 0, RCHAN_SEND)->string,
        "chan<- <-chan int");
    assert_string_equal(
        made(RK_MAP, &t_list, &t_str, 0, 0)->string, "map[string]main.list");
    assert_string_equal(
        made(RK_ARRAY, recv, NULL, 1200, 0)->string, "[1200]<-chan int");
    const struct rtype *ps[] = { &t_str, &t_ints, &t_int, &t_str };
    struct types_key f = { .kind = RK_FUNC, .params = ps, .nparams = 2,
        .nresults = 2, .variadic = true };
    assert_string_equal(types_get(&ts, &f)->string,
        "func(string, ...int) (int, string)");
    const struct rtype *same = types_get(&ts, &f);
    f.variadic = false;
    assert_ptr_not_equal(types_get(&ts, &f), same);
    f = (struct types_key){
        .kind = RK_FUNC, .params = ps, .nparams = 0, .nresults = 1 };
    assert_string_equal(types_get(&ts, &f)->string, "func() string");
}

static void
maps(void **state)
{
    (void)state;
    const struct rtype *m = made(RK_MAP, &t_str, &t_int, 0, 0);
    const struct map_type *mt = types_map(&ts, m);
    assert_non_null(mt);
    assert_ptr_equal(mt->type, m);
    assert_null(types_map(&ts, &t_ints));
    struct rtype other = *m;
    assert_null(types_map(&ts, &other));
}

/* A chain of pointers, each of the type before. */
static void *
chain(void *arg)
{
    const struct rtype **out = arg, *t = &t_int;

    for (int i = 0; i < 300; i++)
        out[i] = t = made(RK_POINTER, t, NULL, 0, 0);
    return NULL;
}

static void
threads(void **state)
{
    enum { N = 4 };
    static const struct rtype *got[N][300];
    pthread_t id[N];

    (void)state;
    for (int i = 0; i < N; i++)
        assert_int_equal(pthread_create(&id[i], NULL, chain, got[i]), 0);
    for (int i = 0; i < N; i++)
        pthread_join(id[i], NULL);
    for (int i = 1; i < N; i++)
        assert_memory_equal(got[i], got[0], sizeof got[0]);
    assert_int_equal(ts.nmade, 300);
    assert_int_equal(strlen(got[0][299]->string), 303);
}

static const struct rtype *
struct_of(const struct rfield *fields, uint32_t n)
{
    return types_get(&ts, &(struct types_key){
        .kind = RK_STRUCT, .fields = fields, .nfields = n });
}

static void
structs(void **state)
{
    (void)state;
    struct rtype byte = { .layout = { 1, 0, NULL }, .kind = RK_UINT8,
        .align = 1, .flags = RT_F_COMPARABLE | RT_F_MEMEQ, .string = "uint8" };
    char name[] = "A";
    struct rfield f[] = {
        { .name = name, .type = &byte, .exported = true },
        { .name = "b", .pkg = "main", .type = &t_str, .tag = "a:\"\\" },
        { .name = "C", .type = &byte, .exported = true },
    };
    const struct rtype *t = struct_of(f, 3);
    assert_ptr_equal(struct_of(f, 3), t);
    name[0] = 'X'; /* the table has a copy */
    assert_ptr_not_equal(struct_of(f, 3), t);
    assert_string_equal(t->string,
        "struct { A uint8; b string \"a:\\\"\\\\\"; C uint8 }");
    assert_int_equal(rtype_size(t), 32);
    assert_int_equal(t->slots, 4);
    assert_int_equal(t->fields[2].offset, 24);
    assert_int_equal(t->layout.ptrdata, 16);
    assert_true(rt_layout_is_ptr(&t->layout, 1));
    assert_false(rt_layout_is_ptr(&t->layout, 0));
    assert_int_equal(t->flags, RT_F_COMPARABLE);
    /* Gaps and blank fields are not compared. */
    assert_int_equal(struct_of(f, 1)->flags, RT_F_COMPARABLE | RT_F_MEMEQ);
    f[0].name = "_";
    assert_int_equal(struct_of(f, 1)->flags, RT_F_COMPARABLE);
    /* Each of these makes another type. */
    t = struct_of(f, 2);
    f[1].tag = NULL;
    assert_ptr_not_equal(struct_of(f, 2), t);
    t = struct_of(f, 2);
    f[1].pkg = "other";
    assert_ptr_not_equal(struct_of(f, 2), t);
    t = struct_of(f, 2);
    f[1].embedded = true;
    assert_ptr_not_equal(struct_of(f, 2), t);
    /* The last field's address must not be the next object's. */
    struct rtype none = { .layout = { 0, 0, NULL }, .kind = RK_STRUCT,
        .align = 1, .flags = RT_F_COMPARABLE, .string = "struct {}" };
    struct rfield g[] = { { .name = "I", .type = &t_int, .exported = true },
        { .name = "E", .type = &none, .exported = true } };
    assert_int_equal(rtype_size(struct_of(g, 2)), 16);
    assert_int_equal(rtype_size(struct_of(g + 1, 1)), 0);
    struct rtype huge = { .layout = { (uint64_t)1 << 63, 0, NULL },
        .kind = RK_ARRAY, .align = 1, .string = "[1<<63]uint8" };
    struct rfield h[] = { { .name = "A", .type = &huge, .exported = true },
        { .name = "B", .type = &huge, .exported = true } };
    assert_non_null(struct_of(h, 1));
    assert_null(struct_of(h, 2));
}

/* At most half full, and no larger than that takes, whatever the program's
 * types are. */
static void
room(void **state)
{
    static const struct rtype *many[200];
    static struct rtype arrays[200];

    (void)state;
    for (uint32_t i = 0; i < 200; i++) {
        arrays[i] = t_ints;
        arrays[i].kind = RK_ARRAY;
        arrays[i].len = i;
    }
    for (uint32_t n = 17; n < 200; n++) {
        struct types t;

        for (uint32_t i = 0; i < n; i++)
            many[i] = i % 2 ? &arrays[i] : &t_int;
        types_init(&t, many, n);
        assert_non_null(types_get(&t, &(struct types_key){
            .kind = RK_POINTER, .elem = &t_int}));
        assert_true(t.n <= t.mask / 2 + 1);
        assert_true(t.mask + 1 > 2 * n);
        assert_true(t.mask + 1 <= 4 * n);
        types_free(&t);
    }
}

/* More pointer types than are kept at hand: each is found again, and no other
 * in its place. */
static void
pointers(void **state)
{
    enum { MANY = 5 * TYPES_RECENT };
    const struct rtype *all[MANY], *t = &t_int;

    (void)state;
    for (int i = 0; i < MANY; i++) {
        all[i] = made(RK_POINTER, t, NULL, 0, 0);
        assert_int_equal(all[i]->kind, RK_POINTER);
        assert_ptr_equal(all[i]->elem, t);
        t = all[i];
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++) {
            t = i == 0 ? &t_int : all[i - 1];
            assert_ptr_equal(made(RK_POINTER, t, NULL, 0, 0), all[i]);
            assert_int_equal(
                made(RK_SLICE, t, NULL, 0, 0)->kind, RK_SLICE);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            one_address_each, open_table, close_table),
        cmocka_unit_test_setup_teardown(layouts, open_table, close_table),
        cmocka_unit_test_setup_teardown(strings, open_table, close_table),
        cmocka_unit_test_setup_teardown(maps, open_table, close_table),
        cmocka_unit_test_setup_teardown(structs, open_table, close_table),
        cmocka_unit_test_setup_teardown(pointers, open_table, close_table),
        cmocka_unit_test_setup_teardown(threads, open_table, close_table),
        cmocka_unit_test(room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
