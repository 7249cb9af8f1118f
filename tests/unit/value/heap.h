/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_VALUE_HEAP_H
#define TESTS_UNIT_VALUE_HEAP_H

/* A heap whose only roots are an array of words, and some types. */

#include "gc/gc.h"
#include "runtime/code/rtype.h"

enum { HEAP_ROOTS = 64 };

struct test_heap {
    struct gc_heap *heap;
    struct gc_pcache pc;
    void *roots[HEAP_ROOTS];
};

void heap_open(struct test_heap *h);
void heap_collect(struct test_heap *h);
void heap_close(struct test_heap *h);

extern const struct rtype t_int, t_int32, t_uint8, t_float64, t_string,
    t_eface, t_slice, t_ptr, t_struct, t_empty;

#endif
