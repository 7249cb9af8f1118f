/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_WIRE_COUNT_H
#define PROFILE_WIRE_COUNT_H

/* Counts equal stacks with equal labels. */

#include "profile/wire/pprof.h"

struct wire_group {
    const struct wire_count *of; /* the first of them */
    int64_t count;
};

/* *out: one group for each different (stack, labels), most frequent first;
 * the caller frees it.  RT_ENOMEM. */
enum rt_status wire_group(const struct wire_count *v, size_t n,
    struct wire_group **out, size_t *ngroups);

#endif
