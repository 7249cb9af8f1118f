/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_CALLSTACK_H
#define RUNTIME_BASE_CALLSTACK_H

/*
 * Program counters of script code as all instruments store them: function
 * number and instruction offset in one word, unique and nonzero; 0 = none.
 * A stack is an array of these, leaf first.  For a caller's frame the pc is
 * that of the call instruction itself.
 *
 * Programs may have a function's address in the place of one (vm_symbolize()),
 * which may lie below 2 GiB: they begin there, and end before where the system
 * maps memory otherwise.
 */

#include <stdint.h>

typedef uint64_t vpc;

enum { CALLSTACK_MAX = 128 }; /* frames kept by traces and profiles */

enum { VPC_FIRST = 1 << 7 }; /* function 0's, above the offset's 24 bits */

static inline vpc
vpc_make(uint32_t func, uint32_t off)
{
    return ((uint64_t)(func + VPC_FIRST) << 24) | (off & 0xffffff);
}

static inline uint32_t
vpc_func(vpc pc)
{
    return (uint32_t)(pc >> 24) - VPC_FIRST;
}

static inline uint32_t
vpc_off(vpc pc)
{
    return (uint32_t)(pc & 0xffffff);
}

/*
 * A stack as a walk finds it, before anything is translated: the innermost
 * instruction, and outwards what each frame returns to, up to what has called
 * the outermost function.  The same words are the same stack, so that whoever
 * keeps a number with them need not translate the stack again.
 */
enum { CALLPATH_MAX = 14 }; /* frames; deeper stacks have none */

struct callpath {
    const void *pc; /* NULL: empty */
    uint32_t n;     /* frames, from 1 */
    uint32_t id;    /* the number; 0: it has none yet */
    const void *ret[CALLPATH_MAX];
};

/* As many as one table has, in which each stack has one place.  Most programs
 * have fewer stacks at which goroutines stop. */
enum { CALLPATH_BITS = 6, CALLPATHS = 1 << CALLPATH_BITS };

#endif
