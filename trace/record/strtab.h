/* SPDX-License-Identifier: MIT */
#ifndef TRACE_RECORD_STRTAB_H
#define TRACE_RECORD_STRTAB_H

/*
 * From strings to dense numbers: names of functions and files (put by the
 * reader), labels, tasks, regions and log keys (put by emitters).  One lock,
 * TRACE_STR, since no hot event has a string.
 */

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"
#include "trace/record/stacktab.h"

struct trace_str {
    struct trace_str *link; /* chain; TRACE_STR */
    a_ptr next;             /* string with the next id, or NULL */
    uint64_t hash;          /* const */
    uint32_t id, len;       /* const */
    char text[];            /* const, no NUL */
};

enum {
    TRACE_STRTAB_SLOTS = 1024,
    TRACE_STR_MAX = 4096,          /* longer strings are cut */
    TRACE_STRTAB_BYTES = 16 << 20, /* of nodes; then put() gives 0 */
};

struct trace_strtab {
    struct rt_lock lock; /* TRACE_STR */
    /* guarded by TRACE_STR */
    struct trace_region *region;
    struct trace_str **slots;
    struct trace_str *tail;
    uint64_t bytes;
    /* atomic */
    a_ptr first;
    a_u32 count;
};

void trace_strtab_init(struct trace_strtab *t);

/* Opens an empty table.  False: no memory. */
bool trace_strtab_open(struct trace_strtab *t);

/* Frees the contents.  No other thread may use the table. */
void trace_strtab_close(struct trace_strtab *t);

/* The id of a string, from 1; 0 for the empty one and where the table is
 * full. */
uint32_t trace_strtab_put(struct trace_strtab *t, const char *s, size_t len);

/* The string after st in order of ids (st NULL: the first), or NULL. */
const struct trace_str *trace_strtab_next(const struct trace_strtab *t,
    const struct trace_str *st);

/* Whether every string is numbered and found in its chain; TRACE_STR held, or
 * nobody else about. */
bool trace_strtab_valid(const struct trace_strtab *t);

#endif
