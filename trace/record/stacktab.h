/* SPDX-License-Identifier: MIT */
#ifndef TRACE_RECORD_STACKTAB_H
#define TRACE_RECORD_STACKTAB_H

/*
 * From stacks to dense numbers.  Lookup takes no lock: chains only grow at
 * their heads, and a published node never changes.  Insertion takes
 * TRACE_STACK.  All nodes are also linked in the order of their ids, for the
 * one reader that writes them out while the table grows.
 *
 * (Go's traceStackTable with a larger directory and a hash that does not
 * wait for one multiplication per frame.)
 */

#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/callstack.h"
#include "runtime/base/lock.h"

struct trace_stack {
    struct trace_stack *link; /* const: older node of the chain */
    a_ptr next;               /* node with the next id, or NULL */
    uint64_t hash;            /* const */
    uint32_t id, n;           /* const */
    vpc pcs[];                /* const */
};

enum {
    TRACE_STACKTAB_SLOTS = VOLE_HOSTILE ? 4 : 8192,
    TRACE_STACKTAB_BYTES = VOLE_HOSTILE ? 1 << 18 : 32 << 20 /* of nodes */
};

struct trace_stacktab {
    struct rt_lock lock; /* TRACE_STACK */
    /* guarded by TRACE_STACK */
    struct trace_region *region;
    struct trace_stack *tail;
    uint64_t bytes;
    /* atomic */
    a_ptr *slots;   /* [TRACE_STACKTAB_SLOTS] heads of chains; NULL: closed */
    a_ptr first;    /* node with id 1 */
    a_u32 count;
    a_u64 lost;     /* get() that found no room */
};

/* Prepares the lock; the table is closed: put() gives 0. */
void trace_stacktab_init(struct trace_stacktab *t);

/* Opens an empty table.  False: no memory. */
bool trace_stacktab_open(struct trace_stacktab *t);

/* Frees the contents.  No other thread may use the table. */
void trace_stacktab_close(struct trace_stacktab *t);

/* The node of a stack, which stays as long as the table is open; NULL for
 * n = 0 and where the table is full. */
const struct trace_stack *trace_stacktab_get(struct trace_stacktab *t,
    const vpc *pcs, uint32_t n);

/* Its id, from 1, or 0. */
uint32_t trace_stacktab_put(struct trace_stacktab *t, const vpc *pcs,
    uint32_t n);

/* What the table puts a stack by. */
uint64_t trace_stack_hash(const vpc *pcs, uint32_t n);

/* Whether every node is whole, numbered, and found in its chain.  Nobody
 * inserts meanwhile. */
bool trace_stacktab_valid(const struct trace_stacktab *t);

/* The stack after st in order of ids (st NULL: the first), or NULL. */
const struct trace_stack *trace_stacktab_next(const struct trace_stacktab *t,
    const struct trace_stack *st);

/* Blocks of memory that are freed together; the caller serialises. */
struct trace_region {
    struct trace_region *next;
    size_t used;
    _Alignas(16) uint8_t data[];
};

enum { TRACE_REGION_BYTES = 64 * 1024 };

/* size bytes aligned to 8, or NULL; *bytes grows by what the OS gave. */
void *trace_region_alloc(struct trace_region **head, size_t size,
    uint64_t *bytes);

/* Frees all blocks and sets *head to NULL. */
void trace_region_free(struct trace_region **head);

#endif
