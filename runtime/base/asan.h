/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_ASAN_H
#define RUNTIME_BASE_ASAN_H

/*
 * Memory that nobody may touch, told to AddressSanitizer.  For parts of larger
 * objects, of which it knows nothing by itself: red zones between things that
 * stand side by side, objects of allocators of our own that are free.  Other
 * builds do nothing.
 */

#include <stddef.h>

#include "runtime/base/compiler.h"

#if RT_ASAN
#include <sanitizer/asan_interface.h>
#endif

/* From now on every access to the n bytes at p is an error. */
static inline void
rt_asan_poison(const void *p, size_t n)
{
#if RT_ASAN
    __asan_poison_memory_region(p, n);
#else
    (void)p;
    (void)n;
#endif
}

/* The n bytes at p may be used. */
static inline void
rt_asan_unpoison(const void *p, size_t n)
{
#if RT_ASAN
    __asan_unpoison_memory_region(p, n);
#else
    (void)p;
    (void)n;
#endif
}

#endif
