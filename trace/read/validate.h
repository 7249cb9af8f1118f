/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_VALIDATE_H
#define TRACE_READ_VALIDATE_H

/*
 * The rules that Go's tools apply to events in order, and those that their
 * viewers apply without saying so.  An error is what some reader of Go
 * 1.19 to 1.26 rejects; a warning is what one of their viewers crashes on or
 * shows wrongly.
 */

#include "trace/read/order.h"

struct trace_check;

/* What Go's own tools make of a file that breaks a rule. */
enum trace_verdict { TRACE_READS, TRACE_REFUSES, TRACE_CRASHES,
    TRACE_MISREADS };

struct trace_verdicts {
    const char *rule;
    enum trace_verdict old; /* up to Go 1.21 */
    enum trace_verdict new; /* Go 1.22 and later */
};

/* On a file that breaks the rule of that name (trace/read/rules.def); NULL:
 * there is no such rule. */
const struct trace_verdicts *trace_verdicts_on(const char *rule);

/* Whether those tools know the format of a file at all; those up to Go 1.21
 * need the program for version 1.5. */
bool trace_old_reads(const struct trace_file *f);
bool trace_new_reads(const struct trace_file *f);

/* Problems go to f's problem function.  NULL: no memory. */
struct trace_check *trace_check_new(struct trace_file *f);

/* Checks one event; events come in the order of trace_order_next().
 * RT_ENOMEM is the only failure. */
enum rt_status trace_check_event(struct trace_check *c,
    const struct trace_event *e);

/* Checks what only the end shows, and the tables. */
enum rt_status trace_check_end(struct trace_check *c);

void trace_check_free(struct trace_check *c);

/* All of it: orders and checks a whole file. */
enum rt_status trace_validate(struct trace_file *f, struct rt_err *e);

#endif
