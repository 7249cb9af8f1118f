/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_LABELS_H
#define PROFILE_RECORD_LABELS_H

/*
 * The labels of a goroutine (pprof.Do, SetGoroutineLabels): an immutable set
 * of key and value strings outside the collected heap, with a count of those
 * who refer to it: goroutines, samples, profiles.  So neither the collector
 * nor the signal handler needs to know more than a pointer.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/wire/pprof.h"
#include "runtime/base/atomic.h"

struct prof_labels {
    a_u32 refs;           /* atomic */
    uint32_t n;           /* const from here on */
    uint64_t hash;        /* of the contents */
    struct wire_label v[]; /* sorted by key; each key once; NUL-terminated
                              strings behind the array */
};

/* One pair as the caller has it. */
struct prof_pair {
    const char *key, *val; /* not NUL-terminated */
    size_t key_len, val_len;
};

/* A set with one reference, the caller's; of several pairs with one key the
 * last one counts.  NULL when n is 0 or memory is out.  Any thread. */
struct prof_labels *prof_labels_new(const struct prof_pair *pairs, uint32_t n);

/* There are keys, in order, each once, and somebody refers to them.  For full
 * builds and tests. */
bool prof_labels_valid(const struct prof_labels *l);

/* One reference more; l may be NULL.  Async-signal-safe, where the caller
 * knows that somebody else's reference stays. */
static inline struct prof_labels *
prof_labels_ref(struct prof_labels *l)
{
    if (l != NULL)
        a32_add_rlx(&l->refs, 1);
    return l;
}

/* One less; the last one frees the set.  l may be NULL. */
void prof_labels_unref(struct prof_labels *l);

#endif
