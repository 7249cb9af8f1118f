/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "runtime/value/alg.h"
#include "runtime/value/iface.h"
#include "runtime/value/num.h"
#include "runtime/value/slice.h"
#include "runtime/value/str.h"
#include "tests/unit/value/heap.h"

static struct test_heap h;

static struct rt_str
s_(const char *c)
{
    return (struct rt_str){ (const uint8_t *)c, (int64_t)strlen(c) };
}

static void
strings(void **state)
{
    (void)state;
    struct rt_str r;
    struct rt_slice sl;

    heap_open(&h);
    assert_true(str_cmp(s_("a"), s_("ab")) < 0);
    assert_true(str_cmp(s_("b"), s_("ab")) > 0);
    assert_int_equal(str_cmp(s_(""), s_("")), 0);
    struct rt_str parts[] = { s_("foo"), s_(""), s_("bar"), s_("!") };
    assert_true(str_concat(&h.pc, parts, 4, &r));
    assert_int_equal(r.len, 7);
    assert_memory_equal(r.ptr, "foobar!", 7);
    /* One part that is not empty is the result itself. */
    assert_true(str_concat(&h.pc, parts + 1, 2, &r));
    assert_ptr_equal(r.ptr, parts[2].ptr);
    assert_true(str_from_rune(&h.pc, 'x', &r));
    assert_ptr_equal(r.ptr, &str_bytes['x']);
    assert_true(str_from_rune(&h.pc, 0x4e16, &r));
    assert_memory_equal(r.ptr, "\xe4\xb8\x96", 3);
    assert_true(str_from_rune(&h.pc, -1, &r));
    assert_memory_equal(r.ptr, "\xef\xbf\xbd", 3);
    assert_true(str_from_rune(&h.pc, INT64_C(1) << 40, &r));
    assert_memory_equal(r.ptr, "\xef\xbf\xbd", 3);
    assert_true(str_to_runes(&h.pc, s_("a\xe4\xb8\x96\xff"), &sl));
    assert_int_equal(sl.len, 3);
    assert_int_equal(((int32_t *)sl.ptr)[1], 0x4e16);
    assert_int_equal(((int32_t *)sl.ptr)[2], 0xfffd);
    assert_true(str_from_runes(&h.pc, sl.ptr, 2, &r));
    assert_int_equal(r.len, 4);
    assert_memory_equal(r.ptr, "a\xe4\xb8\x96", 4);
    assert_true(str_to_bytes(&h.pc, s_("hello"), &sl));
    assert_int_equal(sl.len, 5);
    assert_int_equal(sl.cap, 8);
    assert_memory_equal(sl.ptr, "hello\0\0\0", 8);
    heap_close(&h);
}

/* The capacities that Go 1.18 and later give when appending one by one. */
static void
growth(void **state)
{
    (void)state;
    static const int64_t caps[] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512,
        848, 1280, 1792, 2560 };
    struct rt_slice s = { NULL, 0, 0 };
    unsigned k = 0;

    heap_open(&h);
    for (int64_t i = 0; i < 2000; i++) {
        int64_t cap = s.cap;
        assert_int_equal(
            slice_append(&h.pc, &t_int, s, &i, 1, &s), SLICE_OK);
        h.roots[0] = s.ptr;
        if (s.cap != cap)
            assert_int_equal(s.cap, caps[k++]);
    }
    assert_int_equal(s.len, 2000);
    for (int64_t i = 0; i < 2000; i++)
        assert_int_equal(((int64_t *)s.ptr)[i], i);
    /* Appending a slice to itself. */
    assert_int_equal(
        slice_append(&h.pc, &t_int, s, s.ptr, s.len, &s), SLICE_OK);
    assert_int_equal(s.len, 4000);
    assert_int_equal(((int64_t *)s.ptr)[3999], 1999);
    /* 5 bytes appended to nothing take the size class of 8. */
    struct rt_slice b = { NULL, 0, 0 };
    assert_int_equal(
        slice_append(&h.pc, &t_uint8, b, "12345", 5, &b), SLICE_OK);
    assert_int_equal(b.cap, 8);
    /* Zeros have only the room behind the end, which need not be zero. */
    b.len = 2;
    assert_int_equal(slice_append_zeros(&h.pc, &t_uint8, b, 2, &b), SLICE_OK);
    assert_memory_equal(b.ptr, "12\0\0005\0\0", 8);
    assert_int_equal(b.len, 4);
    assert_int_equal(slice_append_zeros(&h.pc, &t_uint8, b, -1, &b), SLICE_LEN);
    assert_int_equal(slice_append_zeros(&h.pc, &t_uint8, b, INT64_MAX, &b),
        SLICE_TOO_LARGE);
    assert_int_equal(slice_append_zeros(&h.pc, &t_uint8, b, 9, &b), SLICE_OK);
    assert_memory_equal(b.ptr, "12\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    assert_int_equal(b.len, 13);
    assert_int_equal(b.cap, 16);
    assert_int_equal(slice_make(&h.pc, &t_int, -1, 0, &b), SLICE_LEN);
    assert_int_equal(
        slice_make(&h.pc, &t_int, INT64_MAX / 4, INT64_MAX / 4, &b),
        SLICE_LEN);
    assert_int_equal(slice_make(&h.pc, &t_int, 2, 1, &b), SLICE_CAP);
    int64_t src[] = { 1, 2, 3, 4 };
    assert_int_equal(slice_copy(&h.pc, &t_int, src + 1, 3, src, 4), 3);
    assert_int_equal(src[3], 3);
    heap_close(&h);
}

static void
bounds(void **state)
{
    (void)state;
    int64_t l, hi, m;
    char text[128];
    static const struct {
        int64_t lo, hi, max, len, limit;
        unsigned given;
        bool is_cap;
        const char *want;
    } rows[] = {
        { 5, 0, 0, 3, 3, 1, true, "[5:3]" },
        { -1, 0, 0, 3, 3, 1, true, "[-1:]" },
        { 3, 2, 0, 3, 3, 3, true, "[3:2]" },
        { 0, 2, 5, 3, 3, 7, true, "[::5] with capacity 3" },
        { 0, 7, 0, 5, 5, 2, false, "[:7] with length 5" },
        { 0, 7, 0, 5, 5, 2, true, "[:7] with capacity 5" },
        { 0, -7, 0, 5, 5, 2, true, "[:-7]" },
        { 0, 3, 2, 3, 3, 7, true, "[:3:2]" },
        { 3, 2, 2, 3, 3, 7, true, "[3:2:]" },
        { -3, 2, 2, 3, 3, 7, true, "[-3::]" },
        { 0, 0, -1, 3, 3, 7, true, "[::-1]" },
        { 0, 0, -1, 3, 3, 0x47, true,
            "[::18446744073709551615] with capacity 3" },
        { 0, -1, 2, 3, 3, 0x27, true, "[:18446744073709551615:2]" },
        { -1, 2, 2, 3, 3, 0x17, true, "[18446744073709551615:2:]" },
        { 0, -1, 0, 3, 3, 0x22, false,
            "[:18446744073709551615] with length 3" },
        { -1, 2, 0, 3, 3, 0x13, true, "[18446744073709551615:2]" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char want[128] = "slice bounds out of range ";
        strcat(want, rows[i].want);
        assert_false(slice_bounds(rows[i].given & 1 ? &rows[i].lo : NULL,
            rows[i].given & 2 ? &rows[i].hi : NULL,
            rows[i].given & 4 ? &rows[i].max : NULL, rows[i].given >> 4,
            rows[i].len, rows[i].limit, rows[i].is_cap, &l, &hi, &m, text, sizeof text));
        assert_string_equal(text, want);
    }
}

static void
equality(void **state)
{
    (void)state;
    const struct rtype *bad = NULL;
    int64_t x = 1, y = 1;
    struct pad {
        struct rt_str s;
        int32_t n;
        uint32_t junk;
        void *p;
    } a = { s_("q"), 5, 1, &x }, b = { s_("q"), 5, 2, &x };
    uint64_t ha, hb;

    /* Padding does not count. */
    assert_int_equal(alg_equal(&t_struct, &a, &b, &bad), ALG_YES);
    assert_true(alg_hash(&t_struct, &a, 9, 0, &ha, &bad));
    assert_true(alg_hash(&t_struct, &b, 9, 0, &hb, &bad));
    assert_int_equal(ha, hb);
    b.p = &y;
    assert_int_equal(alg_equal(&t_struct, &a, &b, &bad), ALG_NO);
    struct rt_iface i1 = { &t_int, &x }, i2 = { &t_int, &y };
    assert_int_equal(alg_equal_iface(i1, i2, &bad), ALG_YES);
    struct rt_iface i3 = { &t_slice, &x };
    assert_int_equal(alg_equal_iface(i1, i3, &bad), ALG_NO);
    assert_int_equal(alg_equal_iface(i3, i3, &bad), ALG_PANIC);
    assert_ptr_equal(bad, &t_slice);
    double nan = NAN, zero = 0, minus = -0.0;
    assert_int_equal(alg_equal(&t_float64, &nan, &nan, &bad), ALG_NO);
    assert_int_equal(alg_equal(&t_float64, &zero, &minus, &bad), ALG_YES);
    alg_hash(&t_float64, &zero, 9, 0, &ha, &bad);
    alg_hash(&t_float64, &minus, 9, 0, &hb, &bad);
    assert_int_equal(ha, hb);
}

/* struct { v any; n int64; w any }: neither part is the last one. */
struct nest {
    struct rt_iface v;
    int64_t n;
    struct rt_iface w;
};

static const uint8_t nest_mask[] = { 0x12 };
static const struct rfield nest_fields[] = {
    { .name = "v", .type = &t_eface, .offset = 0 },
    { .name = "_", .type = &t_int, .offset = 16 },
    { .name = "w", .type = &t_eface, .offset = 24 },
};
static const struct rtype t_nest = {
    .layout = { sizeof(struct nest), 40, nest_mask },
    .kind = RK_STRUCT,
    .align = 8,
    .flags = RT_F_COMPARABLE | RT_F_MAYPANIC,
    .slots = 5,
    .string = "main.nest",
    .name = "nest",
    .pkgpath = "main",
    .hash = 77,
    .fields = nest_fields,
    .nfields = 3,
};

enum { DEEP = 300000 };

/* A chain of DEEP structs through the first or the last field, with the value
 * at its end. */
static struct nest *
chain(bool last, struct rt_iface end)
{
    struct nest *v = calloc(DEEP, sizeof *v);

    for (int i = 0; i < DEEP; i++) {
        struct rt_iface in = end;
        if (i + 1 < DEEP)
            in = (struct rt_iface){ &t_nest, &v[i + 1] };
        v[i].n = (int64_t)(uintptr_t)v; /* blank: does not count */
        *(last ? &v[i].w : &v[i].v) = in;
        *(last ? &v[i].v : &v[i].w) = (struct rt_iface){ &t_int, &v[0].n };
    }
    return v;
}

/* Values nest as deep as memory allows. */
static void
deep_values(void **state)
{
    (void)state;
    int64_t one = 1, two = 2, same = 1;
    const struct rtype *bad = NULL;
    uint64_t ha, hb;

    for (int last = 0; last < 2; last++) {
        struct nest *a = chain(last, (struct rt_iface){ &t_int, &one });
        struct nest *b = chain(last, (struct rt_iface){ &t_int, &same });
        for (int i = 0; i < DEEP; i++) {
            *(last ? &a[i].v : &a[i].w) = (struct rt_iface){ &t_int, &two };
            *(last ? &b[i].v : &b[i].w) = (struct rt_iface){ &t_int, &two };
        }
        struct rt_iface x = { &t_nest, a }, y = { &t_nest, b };
        assert_int_equal(alg_equal_iface(x, y, &bad), ALG_YES);
        assert_true(alg_hash(&t_eface, &x, 5, 0, &ha, &bad));
        assert_true(alg_hash(&t_nest, b, 5 ^ t_nest.hash, 0, &hb, &bad));
        assert_int_equal(ha, hb);
        same = 3;
        assert_int_equal(alg_equal_iface(x, y, &bad), ALG_NO);
        assert_true(alg_hash(&t_eface, &y, 5, 0, &hb, &bad));
        assert_int_not_equal(ha, hb);
        same = 1;
        struct nest *c = &b[DEEP - 1], *d = &a[DEEP - 1];
        *(last ? &c->w : &c->v) = (struct rt_iface){ &t_slice, &one };
        *(last ? &d->w : &d->v) = (struct rt_iface){ &t_slice, &one };
        assert_int_equal(alg_equal_iface(x, y, &bad), ALG_PANIC);
        assert_ptr_equal(bad, &t_slice);
        bad = NULL;
        assert_false(alg_hash(&t_eface, &y, 5, 0, &hb, &bad));
        assert_ptr_equal(bad, &t_slice);
        free(a);
        free(b);
    }
}

/* What stands at an odd place is loaded as it is. */
static void
loads(void **state)
{
    (void)state;
    static const struct rfield fields[] = {
        { .name = "a", .type = &t_int32, .offset = 0 },
        { .name = "b", .type = &t_int32, .offset = 4 },
    };
    static const struct rtype pair = {
        .layout = { 8, 0, NULL },
        .kind = RK_STRUCT,
        .align = 4,
        .flags = RT_F_COMPARABLE | RT_F_MEMEQ,
        .slots = 1,
        .string = "main.pair",
        .fields = fields,
        .nfields = 2,
    };
    int32_t mem[] = { -1, 2, -3 };
    union rt_slot r[2] = { { .u = UINT64_MAX }, { .u = 7 } };

    alg_load(&pair, r, (const uint8_t *)mem + 4);
    assert_int_equal(r[0].u, UINT64_C(0xfffffffd00000002));
    assert_int_equal(r[1].u, 7);
    alg_load(&t_int32, r, &mem[2]);
    assert_int_equal(r[0].i, -3);
    alg_load(&t_uint8, r, &mem[2]);
    assert_int_equal(r[0].u, 0xfd);
    alg_load(&t_empty, r, mem);
    assert_int_equal(r[0].u, 0xfd);
}

static void
boxes(void **state)
{
    (void)state;
    int64_t five = 5, big = 1000;

    heap_open(&h);
    /* Small values share boxes. */
    assert_ptr_equal(
        iface_box(&h.pc, &t_int, &five), iface_box(&h.pc, &t_int, &five));
    for (int64_t i = 0; i < 600; i++) {
        int64_t *box = iface_box(&h.pc, &t_int, &i);
        assert_int_equal(*box, i);
        assert_true((iface_box(&h.pc, &t_int, &i) == box) == (i < 256));
    }
    int64_t *p = iface_box(&h.pc, &t_int, &big);
    assert_int_equal(*p, 1000);
    assert_ptr_not_equal(p, iface_box(&h.pc, &t_int, &big));
    void *q = &five;
    assert_ptr_equal(iface_box(&h.pc, &t_ptr, &q), &five);
    heap_close(&h);
}

static uint64_t
c64(float re, float im)
{
    float p[2] = { re, im };
    uint64_t x;

    memcpy(&x, p, 8);
    return x;
}

/* Products of complex64 are computed in double. */
static void
complex_products(void **state)
{
    (void)state;
    uint64_t z = num_cmul64(c64(1.1f, 2.3f), c64(3.3f, 4.7f));

    assert_int_equal(z, c64(-7.1799994f, 12.759999f));
    assert_int_equal(num_cmul64(c64(1e30f, 1e30f), c64(1e30f, 1e30f)),
        c64(0, INFINITY));
    assert_int_equal(num_cmul64(c64(2, 0), c64(0, -3)), c64(0, -6));
    assert_int_equal(num_cadd64(c64(1, 2), c64(3, -5)), c64(4, -3));
    assert_int_equal(num_csub64(c64(1, 2), c64(3, -5)), c64(-2, 7));
    assert_int_equal(num_cdiv64(c64(-5, 10), c64(1, 2)), c64(3, 4));
}

static void
numbers(void **state)
{
    (void)state;
    assert_true(signbit(num_min(0.0, -0.0)));
    assert_false(signbit(num_max(0.0, -0.0)));
    assert_true(isnan(num_min(1, NAN)) && isnan(num_max(NAN, 1)));
    assert_int_equal(num_f2i(1e300), INT64_MIN);
    assert_int_equal(num_f2i(-3.9), -3);
    assert_int_equal(num_f2u(1e19), UINT64_C(10000000000000000000));
    assert_int_equal(num_f2u(0x1p63), UINT64_C(1) << 63);
    struct num_complex z = num_cdiv(1, 2, 3, 4);
    assert_true(fabs(z.re - 0.44) < 1e-15 && fabs(z.im - 0.08) < 1e-15);
    z = num_cdiv(1, 2, 0, 2);
    assert_true(z.re == 1 && z.im == -0.5);
    z = num_cdiv(1, 2, 2, 0);
    assert_true(z.re == 0.5 && z.im == 1);
    z = num_cdiv(1e300, 1e300, 1e-5, 1e300);
    assert_true(fabs(z.re - 1) < 1e-15 && fabs(z.im + 1) < 1e-15);
    z = num_cdiv(1, 1, 0, 0);
    assert_true(isinf(z.re) && isinf(z.im));
    z = num_cdiv(1, 1, INFINITY, 1);
    assert_true(z.re == 0 && z.im == 0);
    z = num_cdiv(INFINITY, 1, 1, 1);
    assert_true(isinf(z.re));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings),
        cmocka_unit_test(growth),
        cmocka_unit_test(bounds),
        cmocka_unit_test(equality),
        cmocka_unit_test(deep_values),
        cmocka_unit_test(loads),
        cmocka_unit_test(boxes),
        cmocka_unit_test(complex_products),
        cmocka_unit_test(numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
