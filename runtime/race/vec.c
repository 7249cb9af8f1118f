/* SPDX-License-Identifier: MIT */
/*
 * Vectors of clocks.  They are as long as the highest slot that they know
 * anything of; with thousands of goroutines the loops below are what the
 * detector does most, so they go through memory once and in wide steps.
 */
#include "runtime/race/race_int.h"

#include <string.h>

/* gcc makes a second version for processors with wide registers, which is
 * picked when the program is loaded: too early for sanitizers. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !RT_ASAN && !RT_TSAN
#define WIDE __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define WIDE
#endif

WIDE static void
max_into(uint32_t *restrict a, const uint32_t *restrict b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        a[i] = a[i] > b[i] ? a[i] : b[i];
}

WIDE static void
max_both(uint32_t *restrict a, uint32_t *restrict b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t most = a[i] > b[i] ? a[i] : b[i];

        a[i] = most;
        b[i] = most;
    }
}

WIDE static void
max_swap(uint32_t *restrict a, uint32_t *restrict b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t was = a[i];

        a[i] = was > b[i] ? was : b[i];
        b[i] = was;
    }
}

/* Room for n entries; those that are new are 0. */
static void
room(struct race *r, struct race_vec *a, uint32_t n)
{
    uint32_t cap = a->cap == 0 ? 16 : a->cap;
    uint32_t *v;

    if (n <= a->cap)
        return;
    while (cap < n)
        cap *= 2;
    v = race_mem_get(r, cap * sizeof *v);
    if (v == NULL)
        rt_no_memory();
    if (a->cap != 0) {
        memcpy(v, a->v, a->n * sizeof *v);
        race_mem_put(r, a->v, a->cap * sizeof *v);
    }
    a->v = v;
    a->cap = cap;
}

/* At least n entries long. */
static void
stretch(struct race *r, struct race_vec *a, uint32_t n)
{
    room(r, a, n);
    if (a->n < n) {
        memset(a->v + a->n, 0, (n - a->n) * sizeof *a->v);
        a->n = n;
    }
}

void
race_vec_join(struct race *r, struct race_vec *a, const struct race_vec *b)
{
    rt_assert(a != b);
    stretch(r, a, b->n);
    max_into(a->v, b->v, b->n);
}

void
race_vec_set(struct race *r, struct race_vec *a, const struct race_vec *b)
{
    rt_assert(a != b);
    room(r, a, b->n);
    if (b->n != 0)
        memcpy(a->v, b->v, b->n * sizeof *a->v);
    a->n = b->n;
}

void
race_vec_reach(struct race *r, struct race_vec *a, uint32_t i)
{
    stretch(r, a, i + 1);
}

void
race_vec_meet(struct race *r, struct race_vec *a, struct race_vec *b)
{
    uint32_t n = a->n > b->n ? a->n : b->n;

    rt_assert(a != b);
    stretch(r, a, n);
    stretch(r, b, n);
    max_both(a->v, b->v, n);
}

void
race_vec_swap(struct race *r, struct race_vec *a, struct race_vec *b)
{
    uint32_t n = a->n > b->n ? a->n : b->n;

    rt_assert(a != b);
    stretch(r, a, n);
    stretch(r, b, n);
    max_swap(a->v, b->v, n);
}

void
race_vec_free(struct race *r, struct race_vec *a)
{
    if (a->cap != 0)
        race_mem_put(r, a->v, a->cap * sizeof *a->v);
    *a = (struct race_vec){0};
}
