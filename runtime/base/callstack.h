/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_CALLSTACK_H
#define RUNTIME_BASE_CALLSTACK_H

/*
 * Program counters of script code as all instruments store them: function
 * number and instruction offset in one word, unique and nonzero; 0 = none.
 * A stack is an array of these, leaf first.  For a caller's frame the pc is
 * that of the call instruction itself.
 */

#include <stdint.h>

typedef uint64_t vpc;

enum { CALLSTACK_MAX = 128 }; /* frames kept by traces and profiles */

static inline vpc
vpc_make(uint32_t func, uint32_t off)
{
    return ((uint64_t)(func + 1) << 24) | (off & 0xffffff);
}

static inline uint32_t
vpc_func(vpc pc)
{
    return (uint32_t)(pc >> 24) - 1;
}

static inline uint32_t
vpc_off(vpc pc)
{
    return (uint32_t)(pc & 0xffffff);
}

#endif
