/* SPDX-License-Identifier: MIT */
#include "tests/unit/gc/fake.h"

#include <stdio.h>

static const uint8_t mask_first[] = { 1 };
static const uint8_t mask_node[] = { 6 };

const struct rt_layout lay_ptr = { 8, 8, mask_first };
const struct rt_layout lay_pair = { 16, 8, mask_first };
const struct rt_layout lay_node = { 32, 24, mask_node };
const struct rt_layout lay_int = { 8, 0, NULL };

static void
stop_world(void *arg, const char *reason)
{
    struct fake *f = arg;

    assert_string_equal(reason, "GC");
    assert_false(f->stopped);
    f->stopped = true;
    f->stops++;
}

static void
start_world(void *arg)
{
    struct fake *f = arg;

    assert_true(f->stopped);
    f->stopped = false;
}

static void
mark_roots(void *arg, struct gc_marker *m)
{
    struct fake *f = arg;

    assert_true(f->stopped);
    gc_mark_range(m, f->root, &lay_ptr, f->nroots);
    for (size_t i = 0; i < f->nmaybe; i++)
        gc_mark_maybe(m, f->maybe[i]);
    gc_mark_account(m, 100, f->nroots * 8);
}

static void
request_gc(void *arg, struct gc_pcache *pc)
{
    struct fake *f = arg;

    assert_ptr_equal(pc, &f->pc);
    f->requests++;
}

static void
clear_caches(void *arg)
{
    ((struct fake *)arg)->clears++;
}

static void
wake_sweeper(void *arg)
{
    ((struct fake *)arg)->wakes++;
}

static void
finalizers_ready(void *arg)
{
    ((struct fake *)arg)->finals++;
}

static void
print(void *arg, const char *line)
{
    struct fake *f = arg;

    snprintf(f->line, sizeof f->line, "%s", line);
}

const struct gc_host fake_host = {
    .stop_world = stop_world,
    .start_world = start_world,
    .mark_roots = mark_roots,
    .request_gc = request_gc,
    .clear_caches = clear_caches,
    .wake_sweeper = wake_sweeper,
    .finalizers_ready = finalizers_ready,
    .print = print
};

void
fake_start(struct fake *f, const struct gc_config *cfg,
    const struct gc_prof_sink *sink, void *sink_arg)
{
    struct gc_config def = GC_CONFIG_DEFAULT;

    memset(f, 0, sizeof *f);
    assert_int_equal(gc_heap_new(&f->h, cfg == NULL ? &def : cfg, &fake_host,
        f, sink, sink_arg, NULL), RT_OK);
    gc_pcache_init(f->h, &f->pc, f);
}

void
fake_stop(struct fake *f)
{
    gc_heap_free(f->h);
}

void
fake_collect(struct fake *f)
{
    struct rt_err e = { 0 };

    assert_true(gc_collect(f->h, &f->pc, GC_WHY_FORCED));
    if (gc_verify(f->h, &e) != RT_OK)
        fail_msg("%s", e.text);
}
