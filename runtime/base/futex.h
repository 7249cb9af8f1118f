/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_FUTEX_H
#define RUNTIME_BASE_FUTEX_H

/* The two futex calls of which locks and notes are made. */

#include <limits.h>
#include <stdint.h>

#include "runtime/base/atomic.h"

/* Sleeps while *a == val, at most ns nanoseconds (negative: no limit).  May
 * return early for any reason; the caller tests its condition again. */
void rt_futex_wait(a_u32 *a, uint32_t val, int64_t ns);

enum { RT_FUTEX_ALL = INT_MAX }; /* the kernel counts in an int */

/* Wakes up to n sleepers of *a, from 1 to RT_FUTEX_ALL. */
void rt_futex_wake(a_u32 *a, uint32_t n);

#endif
