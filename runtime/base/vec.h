/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_VEC_H
#define RUNTIME_BASE_VEC_H

/*
 * Growable arrays:
 *
 *     RT_VEC(name_vec, struct name *);     declares struct name_vec
 *     struct name_vec v = { 0 };
 *     if (!rt_vec_push(&v, x)) return RT_ENOMEM;
 *     for (size_t i = 0; i < v.n; i++) use(v.v[i]);
 *     rt_vec_free(&v);
 *
 * Elements move when the array grows.  Memory comes from malloc.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define RT_VEC(name, type) \
    struct name {          \
        type *v;           \
        size_t n;          \
        size_t cap;        \
    }

/* True when there is room for one element more. */
#define rt_vec_grow(vec) \
    ((vec)->n < (vec)->cap || \
        rt_vec_grow_((void **)&(vec)->v, &(vec)->cap, sizeof *(vec)->v))

/* Appends a value; false when memory ran out. */
#define rt_vec_push(vec, value) \
    (rt_vec_grow(vec) ? ((vec)->v[(vec)->n++] = (value), true) : false)

/* The last element, of a non-empty array. */
#define rt_vec_last(vec) ((vec)->v[(vec)->n - 1])

#define rt_vec_free(vec) \
    (free((vec)->v), (vec)->v = NULL, (void)((vec)->n = (vec)->cap = 0))

static inline bool
rt_vec_grow_(void **v, size_t *cap, size_t size)
{
    size_t want = *cap < 4 ? 8 : *cap * 2;
    size_t bytes;

    if (want < *cap || __builtin_mul_overflow(want, size, &bytes))
        return false;
    void *p = realloc(*v, bytes);
    if (p == NULL)
        return false;
    *v = p;
    *cap = want;
    return true;
}

#endif
