/* SPDX-License-Identifier: MIT */
/*
 * What maps and their kin tell the collector while it marks beside the
 * program: the pointer that a word loses and the one that it gets are kept.
 * No worker runs before the test says so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gc/gc.h"
#include "runtime/value/map.h"
#include "tests/unit/value/heap.h"

struct world {
    struct gc_heap *heap;
    struct gc_pcache pc;
    void *root[4];
    unsigned roots_given;
};

static void
stop(void *arg, const char *why)
{
    (void)arg;
    (void)why;
}

static void
quiet(void *arg)
{
    (void)arg;
}

static void
mark_roots(void *arg, struct gc_marker *m)
{
    struct world *w = arg;

    for (unsigned i = 0; i < 4; i++)
        gc_mark_ptr(m, w->root[i]);
}

static void
mark_begin(void *arg)
{
    ((struct world *)arg)->roots_given = 0;
}

static enum gc_roots
mark_root(void *arg, struct gc_marker *m)
{
    struct world *w = arg;

    if (w->roots_given++ > 0)
        return GC_ROOTS_DONE;
    mark_roots(w, m);
    return GC_ROOTS_SOME;
}

static bool
roots_left(void *arg)
{
    return ((struct world *)arg)->roots_given == 0;
}

static bool
flush_ps(void *arg, struct gc_pcache *pc, uint32_t epoch)
{
    (void)arg;
    gc_flush_marks(pc, epoch);
    return true;
}

static void
request(void *arg, struct gc_pcache *pc)
{
    (void)arg;
    (void)pc;
}

static uint32_t
procs(void *arg)
{
    (void)arg;
    return 1;
}

static const struct gc_host host = {
    .stop_world = stop,
    .start_world = quiet,
    .mark_roots = mark_roots,
    .mark_begin = mark_begin,
    .mark_end = quiet,
    .mark_root = mark_root,
    .roots_left = roots_left,
    .flush_ps = flush_ps,
    .wake_worker = quiet,
    .wake_assists = quiet,
    .mark_done = quiet,
    .request_gc = request,
    .wake_sweeper = quiet,
    .procs = procs,
};

static void
open_world(struct world *w)
{
    struct gc_config cfg = GC_CONFIG_DEFAULT;

    memset(w, 0, sizeof *w);
    cfg.verify = true;
    assert_int_equal(
        gc_heap_new(&w->heap, &cfg, &host, w, NULL, NULL, NULL), RT_OK);
    gc_pcache_init(w->heap, &w->pc, NULL);
}

static bool
never(void *arg)
{
    (void)arg;
    return false;
}

static void
begin(struct world *w)
{
    uint64_t mark;

    assert_true(gc_begin(w->heap, &w->pc, GC_WHY_FORCED, &mark));
}

static void
end(struct world *w)
{
    for (int i = 0; gc_worker_run(w->heap, &w->pc, GC_WORKER_DEDICATED, never,
                        w) != GC_WORKED_DONE; i++)
        assert_true(i < 10);
    while (!gc_sweep_done(w->heap))
        gc_sweep_some(w->heap, &w->pc, 1);
}

static bool
alive(struct world *w, const void *p)
{
    struct gc_object o;

    return gc_find_object(w->heap, p, &o);
}

static void *
object(struct world *w)
{
    void *p = gc_alloc(&w->pc, &t_struct.layout);

    assert_non_null(p);
    return p;
}

static struct rtype
map_type_of(const struct rtype *key, const struct rtype *elem)
{
    return (struct rtype){.layout = {8, 8, NULL}, .kind = RK_MAP, .align = 8,
        .flags = RT_F_DIRECT, .slots = 1, .string = "map", .name = "",
        .pkgpath = "", .key = key, .elem = elem};
}

/* A map of one pair, in an old object, with a mark begun. */
struct pair {
    struct world w;
    struct rtype type;
    struct map_type mt;
    struct map *m;
    void *key, *elem;
};

static void
pair_open(struct pair *p)
{
    const struct rtype *bad;

    open_world(&p->w);
    p->type = map_type_of(&t_ptr, &t_ptr);
    assert_true(map_type_init(&p->mt, &p->type));
    p->m = map_new(&p->w.pc, &p->mt, 0, 7);
    assert_non_null(p->m);
    p->w.root[0] = p->m;
    p->key = object(&p->w);
    p->elem = object(&p->w);
    assert_int_equal(
        map_set(&p->w.pc, p->m, &p->key, &p->elem, &bad), MAP_OK);
    /* All of it is older than the mark. */
    begin(&p->w);
    end(&p->w);
    assert_true(alive(&p->w, p->key) && alive(&p->w, p->elem));
    begin(&p->w);
}

static void
pair_close(struct pair *p)
{
    map_type_free(&p->mt);
    gc_heap_free(p->w.heap);
}

/* Somebody still holds what is taken out: he has been scanned, or has it in a
 * register. */
static void
test_delete(void **state)
{
    static struct pair p;
    const struct rtype *bad;

    (void)state;
    pair_open(&p);
    assert_int_equal(
        map_delete(&p.w.pc, &p.mt, p.m, &p.key, &bad), MAP_OK);
    end(&p.w);
    assert_true(alive(&p.w, p.key));
    assert_true(alive(&p.w, p.elem));
    /* The next mark finds nobody. */
    begin(&p.w);
    end(&p.w);
    assert_false(alive(&p.w, p.key));
    assert_false(alive(&p.w, p.elem));
    pair_close(&p);
}

static void
test_overwrite(void **state)
{
    static struct pair p;
    const struct rtype *bad;
    void *other;

    (void)state;
    pair_open(&p);
    other = object(&p.w);
    assert_int_equal(
        map_set(&p.w.pc, p.m, &p.key, &other, &bad), MAP_OK);
    end(&p.w);
    assert_true(alive(&p.w, p.elem));
    assert_true(alive(&p.w, other));
    pair_close(&p);
}

/* A group has eight slots and their control bytes, and nothing else. */
static void
test_group_size(void **state)
{
    static const struct {
        const struct rtype *key, *elem;
        uint64_t slot;
    } cases[] = {
        {&t_int, &t_int, 16}, {&t_int32, &t_uint8, 8},
        {&t_uint8, &t_empty, 1}, {&t_string, &t_struct, 48},
        {&t_ptr, &t_uint8, 16},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rtype type = map_type_of(cases[i].key, cases[i].elem);
        struct map_type mt;

        assert_true(map_type_init(&mt, &type));
        assert_int_equal(mt.slot, cases[i].slot);
        assert_int_equal(mt.group.size, 8 + 8 * cases[i].slot);
        map_type_free(&mt);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delete),
        cmocka_unit_test(test_overwrite),
        cmocka_unit_test(test_group_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
