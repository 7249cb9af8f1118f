/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_RULES_H
#define TRACE_READ_RULES_H

/* What the events of the first family ask of goroutines and do to them: the
 * table at the head of trace/read/order.c, by kind. */

#include "trace/read/event.h"

/* States of a goroutine. */
enum {
    TRACE_RULE_DEAD,
    TRACE_RULE_RUNNABLE,
    TRACE_RULE_RUNNING,
    TRACE_RULE_WAITING,
    TRACE_RULE_STATES
};

/* Whose state it is: that of the first argument, of who runs on the P, of the
 * collector. */
enum { TRACE_RULE_OF_ARG, TRACE_RULE_OF_SELF, TRACE_RULE_OF_GC };

/* Which sequence number it must have. */
enum {
    TRACE_RULE_NEEDS_ANY,
    TRACE_RULE_NEEDS_0,
    TRACE_RULE_NEEDS_1,
    TRACE_RULE_NEEDS_ARG1,
    TRACE_RULE_NEEDS_ARG0
};

struct trace_rule {
    uint8_t from, to; /* states before and after */
    uint8_t of, seq;  /* TRACE_RULE_OF_.., TRACE_RULE_NEEDS_.. */
    bool counts;      /* the sequence number grows */
    bool ordered;     /* false: nothing is asked */
    bool syscall;     /* begins or ends a blocked system call */
};

extern const struct trace_rule trace_rules[TRACE_EV_KINDS];

#define TRACE_RULE_ANY UINT64_MAX /* any sequence number */

/* The goroutine that an event asks for; 0 = the collector. */
static inline uint64_t
trace_rule_whom(const struct trace_event *e, const struct trace_rule *r)
{
    return r->of == TRACE_RULE_OF_SELF ? e->g :
        r->of == TRACE_RULE_OF_ARG ? e->args[0] : 0;
}

/* The sequence number that it asks for. */
static inline uint64_t
trace_rule_need(const struct trace_event *e, const struct trace_rule *r)
{
    return r->seq == TRACE_RULE_NEEDS_ANY ? TRACE_RULE_ANY :
        r->seq == TRACE_RULE_NEEDS_ARG1 ? e->args[1] :
        r->seq == TRACE_RULE_NEEDS_ARG0 ? e->args[0] :
        r->seq == TRACE_RULE_NEEDS_1;
}

#endif
