/* SPDX-License-Identifier: MIT */
/*
 * What all libFuzzer targets have in place of the C library's and the runtime's
 * own; libfuzzer.py links it to each of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "runtime/base/throw.h"

/* Hash tables are seeded: the same input must take the same way. */
ssize_t
getrandom(void *buf, size_t n, unsigned flags)
{
    (void)flags;
    memset(buf, 0x5a, n);
    return (ssize_t)n;
}

/* All assertions are on: one that fails is a finding.  The runtime's own end
 * wants a walk of the native stack, which the sanitizers do better. */
noreturn void
rt_throw(const char *text)
{
    fprintf(stderr, "%s\n", text);
    abort();
}

noreturn void
rt_no_memory(void)
{
    rt_throw("out of memory");
}
