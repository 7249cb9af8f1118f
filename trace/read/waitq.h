/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_WAITQ_H
#define TRACE_READ_WAITQ_H

/*
 * Pairing heaps of the cursors that wait for something, ordered by the
 * sequence number that they need, then by time.  Cursors are numbers from 1
 * on, 0 is none; all heaps of an orderer share one array of nodes.
 */

#include <stdint.h>

struct trace_wnode {
    uint64_t need, ts;
    uint32_t child, sibling;
};

/* Node c - 1 belongs to cursor c.  Both return the new root. */
uint32_t trace_waitq_push(struct trace_wnode *n, uint32_t root, uint32_t c);
uint32_t trace_waitq_pop(struct trace_wnode *n, uint32_t root);

#endif
