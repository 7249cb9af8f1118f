/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_SUM_H
#define PROFILE_RECORD_SUM_H

/* Counts of samples by stack, labels and state.  One thread at a time. */

#include <stdbool.h>
#include <stdint.h>

#include "profile/record/labels.h"
#include "profile/record/stacks.h"
#include "runtime/base/callstack.h"

struct prof_sum_row {
    uint64_t hash;
    uint64_t count;
    struct prof_labels *labels; /* with a reference */
    const char *state;          /* static, or NULL */
    const vpc *stk;
    uint32_t nstk;
};

struct prof_cpu_sum {
    struct prof_sum_row *rows;
    uint32_t n, cap;
    uint32_t *slots;        /* of the hash table: row + 1; 0: empty */
    uint32_t nslots;
    struct prof_stacks stacks; /* of the rows */
    uint64_t total;         /* samples */
    uint64_t lost;          /* those for which memory was out */
};

struct prof_cpu_sum *prof_sum_new(void);
void prof_sum_free(struct prof_cpu_sum *s);

/* Every row is found by its hash, no two are the same, and their samples are
 * the total.  For full builds and tests. */
bool prof_sum_valid(const struct prof_cpu_sum *s);

/* labels: takes a reference of its own where it keeps them. */
void prof_sum_add(struct prof_cpu_sum *s, const vpc *stk, uint32_t n,
    struct prof_labels *labels, const char *state, uint64_t count);

#endif
