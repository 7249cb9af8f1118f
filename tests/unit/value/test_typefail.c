/* SPDX-License-Identifier: MIT */
/* Types that the program makes while memory ends: the linker puts the
 * functions below in front of those of the C library (--wrap). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/value/types.h"

void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

/* The request that fails, counted from 1; 0: none. */
static unsigned count, fail_at;

/* What has been got and not been given back. */
enum { BLOCKS = 64 };
static const void *blocks[BLOCKS];

static void
change_block(const void *from, const void *to)
{
    for (unsigned i = 0; i < BLOCKS; i++)
        if (blocks[i] == from) {
            blocks[i] = to;
            return;
        }
    assert_non_null(from); /* else there are more than BLOCKS */
}

void *
__wrap_calloc(size_t n, size_t size)
{
    if (++count == fail_at)
        return NULL;
    void *p = __real_calloc(n, size);
    change_block(NULL, p);
    return p;
}

void *
__wrap_realloc(void *p, size_t n)
{
    uintptr_t old = (uintptr_t)p;

    if (++count == fail_at)
        return NULL;
    p = __real_realloc(p, n);
    change_block((const void *)old, p);
    return p;
}

void
__wrap_free(void *p)
{
    if (p != NULL)
        change_block(p, NULL);
    __real_free(p);
}

static const uint8_t str_mask[] = { 1 };
static const struct rtype t_int = { .layout = { 8, 0, NULL }, .kind = RK_INT,
    .align = 8, .flags = RT_F_COMPARABLE | RT_F_MEMEQ, .string = "int",
    .name = "int", .pkgpath = "" };
static const struct rtype t_str = { .layout = { 16, 8, str_mask },
    .kind = RK_STRING, .align = 8, .flags = RT_F_COMPARABLE,
    .string = "string", .name = "string", .pkgpath = "", .id = 1 };
static const struct rtype *const own[] = { &t_int, &t_str };
static const struct rtype *const params[] = { &t_int, &t_str, &t_int };
static const struct rfield fields[] = {
    { .name = "A", .type = &t_str, .exported = true },
    { .name = "B", .type = &t_int, .exported = true, .tag = "x" },
};

static const struct types_key keys[] = {
    { .kind = RK_SLICE, .elem = &t_str },
    { .kind = RK_ARRAY, .elem = &t_str, .len = 200 },
    { .kind = RK_POINTER, .elem = &t_str },
    { .kind = RK_CHAN, .elem = &t_int, .dir = RCHAN_BOTH },
    { .kind = RK_MAP, .key = &t_str, .elem = &t_int },
    { .kind = RK_FUNC, .params = params, .nparams = 2, .nresults = 1 },
    { .kind = RK_STRUCT, .fields = fields, .nfields = 2 },
};
enum { KEYS = sizeof keys / sizeof *keys };

/* Does t have all that k asks for? */
static void
check_type(const struct rtype *t, const struct types_key *k)
{
    assert_int_equal(t->kind, k->kind);
    assert_true(t->string != NULL && t->string[0] != '\0');
    assert_int_equal(t->nparams, k->nparams);
    assert_int_equal(t->nresults, k->nresults);
    for (uint32_t i = 0; i < k->nparams + k->nresults; i++)
        assert_ptr_equal(t->params[i], k->params[i]);
    assert_int_equal(t->nfields, k->nfields);
    for (uint32_t i = 0; i < k->nfields; i++)
        assert_string_equal(t->fields[i].name, k->fields[i].name);
    for (uint64_t w = 0; k->kind == RK_ARRAY && w < 2 * k->len; w++)
        assert_int_equal(rt_layout_is_ptr(&t->layout, w), w % 2 == 0);
}

/* There is the whole type, or none; none stays behind half made, and later it
 * can be had. */
static void
each_request_fails_in_turn(void **state)
{
    (void)state;
    for (int i = 0; i < KEYS; i++) {
        unsigned failed = 0;
        for (unsigned at = 1;; at++) {
            struct types ts;

            types_init(&ts, own, 2);
            count = 0;
            fail_at = at;
            const struct rtype *t = types_get(&ts, &keys[i]);
            bool reached = count >= at;
            fail_at = 0;
            if (t != NULL)
                check_type(t, &keys[i]);
            assert_true(t != NULL || reached);
            failed += t == NULL;
            assert_int_equal(ts.nmade, t != NULL);
            t = types_get(&ts, &keys[i]);
            assert_non_null(t);
            check_type(t, &keys[i]);
            assert_int_equal(ts.nmade, 1);
            types_free(&ts);
            for (unsigned k = 0; k < BLOCKS; k++)
                assert_null(blocks[k]);
            if (!reached)
                break;
        }
        assert_true(failed >= 2);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_request_fails_in_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
