/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_GC_FAKE_H
#define TESTS_UNIT_GC_FAKE_H

/* A host for gc without scheduler: an array of roots, one P, and a world that
 * is stopped because the test does nothing else. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gc/gc.h"

enum { FAKE_ROOTS = 4096 };

struct fake {
    struct gc_heap *h;
    struct gc_pcache pc;
    void *root[FAKE_ROOTS];
    size_t nroots;
    uintptr_t maybe[64]; /* words for gc_mark_maybe() */
    size_t nmaybe;
    unsigned stops, requests, wakes, finals, clears;
    bool stopped;
    char line[256]; /* the last one printed */
};

/* cfg NULL: the default; sink may be NULL. */
void fake_start(struct fake *f, const struct gc_config *cfg,
    const struct gc_prof_sink *sink, void *sink_arg);
void fake_stop(struct fake *f);

/* A forced collection, after which the heap must be valid. */
void fake_collect(struct fake *f);

extern const struct gc_host fake_host;

/* Layouts of n words that are all pointers, and none. */
extern const struct rt_layout lay_ptr;   /* one pointer */
extern const struct rt_layout lay_pair;  /* pointer, integer */
extern const struct rt_layout lay_node;  /* integer, two pointers, integer */
extern const struct rt_layout lay_int;   /* one integer */

#endif
