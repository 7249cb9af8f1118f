/* SPDX-License-Identifier: MIT */
#include "tests/unit/value/heap.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const uint8_t m1[] = { 1 }, m2[] = { 2 };

#define BASIC(var, k, size, flags_, str)                              \
    const struct rtype var = { .layout = { size, 0, NULL },           \
        .kind = k, .align = size, .flags = flags_, .slots = 1,         \
        .string = str, .name = str, .pkgpath = "", .hash = k }

BASIC(t_int, RK_INT, 8, RT_F_COMPARABLE | RT_F_MEMEQ, "int");
BASIC(t_int32, RK_INT32, 4, RT_F_COMPARABLE | RT_F_MEMEQ, "int32");
BASIC(t_uint8, RK_UINT8, 1, RT_F_COMPARABLE | RT_F_MEMEQ, "uint8");
BASIC(t_float64, RK_FLOAT64, 8, RT_F_COMPARABLE, "float64");

const struct rtype t_string = { .layout = { 16, 8, m1 },
    .kind = RK_STRING, .align = 8, .flags = RT_F_COMPARABLE, .slots = 2,
    .string = "string", .name = "string", .pkgpath = "", .hash = 24 };
const struct rtype t_eface = { .layout = { 16, 16, m2 },
    .kind = RK_INTERFACE, .align = 8,
    .flags = RT_F_COMPARABLE | RT_F_MAYPANIC, .slots = 2,
    .string = "interface {}", .name = "", .pkgpath = "", .hash = 20 };
const struct rtype t_slice = { .layout = { 24, 8, m1 },
    .kind = RK_SLICE, .align = 8, .slots = 3, .string = "[]int",
    .name = "", .pkgpath = "", .elem = &t_int, .hash = 23 };
const struct rtype t_ptr = { .layout = { 8, 8, m1 },
    .kind = RK_POINTER, .align = 8,
    .flags = RT_F_COMPARABLE | RT_F_MEMEQ | RT_F_DIRECT, .slots = 1,
    .string = "*int", .name = "", .pkgpath = "", .elem = &t_int,
    .hash = 22 };
const struct rtype t_empty = { .layout = { 0, 0, NULL },
    .kind = RK_STRUCT, .align = 1, .flags = RT_F_COMPARABLE, .slots = 0,
    .string = "struct {}", .name = "", .pkgpath = "", .hash = 25 };

/* struct { s string; n int32; p *int } with padding and pointers */
static const struct rfield fields[] = {
    { "s", NULL, &t_string, NULL, 0, false, false },
    { "n", NULL, &t_int32, NULL, 16, false, false },
    { "p", NULL, &t_ptr, NULL, 24, false, false },
};
static const uint8_t m9[] = { 9 };
const struct rtype t_struct = { .layout = { 32, 32, m9 },
    .kind = RK_STRUCT, .align = 8, .flags = RT_F_COMPARABLE, .slots = 4,
    .string = "main.S", .name = "S", .pkgpath = "main", .fields = fields,
    .nfields = 3, .hash = 99 };

static void
stop(void *arg, const char *why)
{
    (void)arg;
    (void)why;
}

static void
start(void *arg)
{
    (void)arg;
}

static void
roots(void *arg, struct gc_marker *m)
{
    struct test_heap *h = arg;

    for (unsigned i = 0; i < HEAP_ROOTS; i++)
        gc_mark_ptr(m, h->roots[i]);
}

static void
request(void *arg, struct gc_pcache *pc)
{
    (void)arg;
    (void)pc;
}

static const struct gc_host host = { .stop_world = stop,
    .start_world = start,
    .mark_roots = roots,
    .request_gc = request };

void
heap_open(struct test_heap *h)
{
    struct gc_config cfg = GC_CONFIG_DEFAULT;

    memset(h->roots, 0, sizeof h->roots);
    cfg.verify = true;
    assert_int_equal(
        gc_heap_new(&h->heap, &cfg, &host, h, NULL, NULL, NULL), RT_OK);
    gc_pcache_init(h->heap, &h->pc, NULL);
}

void
heap_collect(struct test_heap *h)
{
    assert_true(gc_collect(h->heap, &h->pc, GC_WHY_FORCED));
}

void
heap_close(struct test_heap *h)
{
    gc_heap_free(h->heap);
}
