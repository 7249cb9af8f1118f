/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_REWRITE_H
#define TRACE_READ_REWRITE_H

/*
 * Part of a trace, or all of it, as a new trace of the first family: header
 * 1.19, which all of Go's tools read, or 1.21, which names more reasons to
 * stop the world.  One tick is one nanosecond.
 *
 * A file begins with what is: goroutines with their states, who runs where.
 * At its end whoever runs yields and what is open is closed, since viewers
 * demand it.  Sequence numbers are given anew.  What the format has no words
 * for is left out: system calls' ends that kept their P, other reasons to
 * stop the world (1.19), open ranges whose begin was before the part.
 */

#include "trace/read/order.h"

struct trace_rewrite {
    int64_t from, to; /* nanoseconds as in events; to is within */
    int version;      /* 19 or 21 */
    /* Takes the bytes of the file in order; false ends it with RT_EIO. */
    bool (*put)(void *arg, const void *data, size_t n);
    void *arg;
    uint64_t events, left_out, bytes; /* result: of the part */
};

/* RT_OK, RT_ENOMEM, RT_EIO; RT_EFORMAT where the part has no events. */
enum rt_status trace_rewrite(struct trace_file *f, struct trace_rewrite *how,
    struct rt_err *e);

/*
 * All of a trace as one of the second family: header 1.23, which the tools of
 * Go 1.23 and later read.  What is of that family already is copied.  From
 * *how, only put and arg count.  Left out are stops of the world and
 * annotations that happened on no goroutine.
 */
enum rt_status trace_rewrite_v2(struct trace_file *f, struct trace_rewrite *how,
    struct rt_err *e);

#endif
