/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_ORDER_INT_H
#define TRACE_READ_ORDER_INT_H

/* The merge of the first family from inside: stream.c decodes the events of
 * one P, order.c chooses among those of all. */

#include "runtime/base/compiler.h"
#include "trace/read/file.h"
#include "trace/read/frontier.h"
#include "trace/read/moved.h"
#include "trace/read/rules.h"
#include "trace/read/v2.h"
#include "trace/read/waitq.h"

/* One goroutine; index 0 is the collector, whose "seq" counts cycles. */
struct gor {
    uint64_t seq;
    uint64_t blocked_at;         /* ticks of its GoSysBlock; 0 = none */
    uint32_t numbered[TRACE_RULE_STATES];  /* pairing heaps of cursors + 1 */
    uint32_t any[TRACE_RULE_STATES];
    uint8_t state;
};

/* One event of one P, decoded. */
struct item {
    struct trace_event ev;    /* what no event of this family has is as at
                                 the begin: wire, derived, why */
    const struct trace_rule *rule;
    uint64_t need;            /* sequence number that ev needs, or
                                 TRACE_RULE_ANY */
    uint32_t gi;              /* index in gs, if ev is ordered */
};

/* The next events of one P: some are decoded at a time, since the events of
 * one P resemble each other more than those of all. */
struct cursor {
    const struct trace_pstream *ps; /* NULL: it has no more events */
    struct item *items;
    struct item *it, *stop;   /* [it .. stop) are to come */
    const uint8_t *at, *end;
    uint64_t batch;           /* next batch to enter */
    uint64_t ts, seq;
    uint64_t g;               /* goroutine that runs on the P */
};

struct trace_order {
    struct trace_file *f;
    struct v2_order *v2; /* second family: does all of it */
    struct cursor *cur;
    struct item *items;   /* of all cursors */
    uint32_t at_once;     /* how many each cursor has */
    struct trace_wnode *nodes;
    uint32_t ncur;
    double ns_per_tick;
    struct trace_frontier front; /* by ticks (1.5: sequence number) */
    struct trace_idmap gmap;
    struct gor *gs;
    uint64_t gs_cap;
    uint64_t waiting;  /* cursors in pairing heaps */
    struct moved {
        struct trace_moved_reader list;
        struct trace_event ev; /* the last one of it, if have */
        bool have, done;
    } exits, samples;
    uint64_t moved_at;        /* what has fewer ticks goes before them; 0: not
                                 known */
    uint64_t consumed;        /* bytes decoded since memory was dropped */
    struct trace_event *ahead; /* merged, not yet handed out; or NULL */
    uint32_t taken;           /* cursor + 1 of the one merged last, which has
                                 not gone on yet; 0 = none */
    bool done;
    bool started; /* after the first Gomaxprocs, which ends the snapshot */
    uint64_t last_ts;
    uint64_t stuck;
};

enum move { MOVED, AT_END, NO_MEMORY };

/* Decodes the next events of a cursor that has none left, as many as there is
 * room for. */
enum move trace_stream_refill(struct trace_order *o, struct cursor *c);

#endif
