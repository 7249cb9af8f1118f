/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_ORDER_H
#define TRACE_READ_ORDER_H

/*
 * The events of a file in one order that causes can have had: each P's
 * events in their own order, each goroutine's by its sequence numbers, and
 * within that freedom by time.
 */

#include "trace/read/file.h"

struct trace_order;

/* Begins at the first event; f must outlive the order.  Problems go to f's
 * problem function. */
enum rt_status trace_order_new(struct trace_order **out, struct trace_file *f,
    struct rt_err *e);

/* The next event.  RT_EOF at the end; what could not be ordered is left out
 * and has been reported as a problem ("order").  *ev is good until the next
 * call; strings in it point into the file. */
enum rt_status trace_order_get(struct trace_order *o,
    const struct trace_event **ev);

/* The same as a copy. */
enum rt_status trace_order_next(struct trace_order *o,
    struct trace_event *ev);

/* After RT_EOF: how many events could not be ordered. */
uint64_t trace_order_stuck(const struct trace_order *o);

void trace_order_free(struct trace_order *o);

#endif
