/* SPDX-License-Identifier: MIT */
/*
 * What allocation and marking cost, printed in the form of Go's benchmarks:
 * small garbage per class, collections included; marking of a large list, a
 * tree and an array of pointers; a refill-free window for comparison.
 */
#include <stdio.h>
#include <stdlib.h>

#include "gc/gc.h"
#include "runtime/base/clock.h"

struct bench {
    struct gc_heap *h;
    struct gc_pcache pc;
    void *root[4];
    bool wanted;
};

static const uint8_t mask1[] = { 1 };
static const uint8_t mask3[] = { 3 };
static const struct rt_layout ptr = { 8, 8, mask1 };
static const struct rt_layout tree = { 24, 16, mask3 };

static void
stop_world(void *arg, const char *reason)
{
    (void)arg;
    (void)reason;
}

static void
start_world(void *arg)
{
    (void)arg;
}

static void
mark_roots(void *arg, struct gc_marker *m)
{
    gc_mark_range(m, ((struct bench *)arg)->root, &ptr, 4);
}

static void
request_gc(void *arg, struct gc_pcache *pc)
{
    (void)pc;
    ((struct bench *)arg)->wanted = true;
}

static const struct gc_host host = {
    .stop_world = stop_world,
    .start_world = start_world,
    .mark_roots = mark_roots,
    .request_gc = request_gc
};

static void
report(const char *name, uint64_t n, int64_t ns, uint64_t bytes)
{
    printf("Benchmark%-24s %10lu %10.2f ns/op %8lu B/op\n", name,
        (unsigned long)n, (double)ns / (double)n, (unsigned long)bytes);
}

static void
poll(struct bench *b)
{
    if (!b->wanted)
        return;
    b->wanted = false;
    gc_poll(b->h, &b->pc);
}

static void
garbage(struct bench *b, const char *name, const struct rt_layout *l)
{
    enum { N = 20000000 };
    uint64_t n = l->size > 256 ? N / 20 : N;
    int64_t t0 = rt_nanotime();

    for (uint64_t i = 0; i < n; i++) {
        void *volatile p = gc_alloc(&b->pc, l);
        (void)p;
        poll(b);
    }
    report(name, n, rt_nanotime() - t0, l->size);
}

static void **
build_tree(struct bench *b, int depth)
{
    void **p = gc_alloc(&b->pc, &tree);

    if (depth > 0) {
        p[0] = build_tree(b, depth - 1);
        p[1] = build_tree(b, depth - 1);
    }
    return p;
}

static void
collect(struct bench *b, const char *name, uint64_t n)
{
    int64_t best = INT64_MAX;

    for (int i = 0; i < 5; i++) {
        int64_t t0 = rt_nanotime();
        gc_collect(b->h, &b->pc, GC_WHY_FORCED);
        int64_t t = rt_nanotime() - t0;
        best = t < best ? t : best;
    }
    report(name, n, best, 0);
}

static void
marking(struct bench *b)
{
    enum { DEPTH = 20, LIST = 1000000 };
    int64_t t0 = rt_nanotime();

    gc_set_percent(b->h, -1);
    b->root[0] = build_tree(b, DEPTH);
    report("BuildTree", 2 << DEPTH, rt_nanotime() - t0, 24);
    collect(b, "MarkTree", 2 << DEPTH);
    b->root[0] = NULL;
    for (int i = 0; i < LIST; i++) {
        void **p = gc_alloc(&b->pc, &tree);
        p[0] = b->root[0];
        b->root[0] = p;
    }
    collect(b, "MarkList", LIST);
    void **a = gc_alloc_array(&b->pc, &ptr, LIST);
    for (int i = 0; i < LIST; i++)
        a[i * 7919L % LIST] = gc_alloc(&b->pc, &tree);
    b->root[0] = a;
    collect(b, "MarkScattered", LIST);
    b->root[0] = NULL;
    gc_set_percent(b->h, 100);
}

int
main(void)
{
    static struct bench b;
    struct gc_config cfg = GC_CONFIG_DEFAULT;
    static const uint8_t wide[40] = { 1 };
    static const struct rt_layout l[] = {
        { 8, 8, mask1 }, { 24, 8, mask1 }, { 64, 8, mask1 },
        { 128, 8, mask1 }, { 1024, 8, wide }, { 8, 0, NULL },
        { 24, 0, NULL }, { 128, 0, NULL }, { 1024, 0, NULL },
        { 65536, 0, NULL }
    };
    static const char *const names[] = {
        "AllocPtr8", "AllocPtr24", "AllocPtr64", "AllocPtr128",
        "AllocPtr1024", "AllocTiny8", "AllocNoscan24", "AllocNoscan128",
        "AllocNoscan1024", "AllocLarge64K"
    };

    if (gc_heap_new(&b.h, &cfg, &host, &b, NULL, NULL, NULL) != RT_OK)
        return EXIT_FAILURE;
    gc_pcache_init(b.h, &b.pc, &b);
    for (size_t i = 0; i < sizeof l / sizeof l[0]; i++)
        garbage(&b, names[i], &l[i]);
    marking(&b);
    gc_heap_free(b.h);
    return EXIT_SUCCESS;
}
