/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_WAITQ_H
#define TRACE_READ_WAITQ_H

/*
 * Pairing heaps of the cursors that wait for something, ordered by the
 * sequence number that they need, then by time.  Cursors are numbers from 1
 * on, 0 is none; all heaps of an orderer share one array of nodes.
 */

#include <stdbool.h>
#include <stdint.h>

struct trace_wnode {
    uint64_t need, ts;
    uint32_t child, sibling;
};

/* Node c - 1 belongs to cursor c, which is in no heap before a push.  Both
 * return the new root. */
uint32_t trace_waitq_push(struct trace_wnode *n, uint32_t root, uint32_t c);
uint32_t trace_waitq_pop(struct trace_wnode *n, uint32_t root);

/* Each node of the heap goes before those below it, none is met twice, and all
 * are among the first max.  *count: how many there are; NULL: not asked. */
bool trace_waitq_valid(const struct trace_wnode *n, uint32_t root,
    uint32_t max, uint32_t *count);

#endif
