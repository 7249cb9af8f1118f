/* SPDX-License-Identifier: MIT */
#ifndef TRACE_HTML_HTML_H
#define TRACE_HTML_HTML_H

/*
 * A trace as one page that a browser opens from disk: timelines of Ps and
 * goroutines, heap, collections, and the tables of the analysis beside them.
 *
 * The page holds all of the trace's spans, in compressed pieces that the
 * browser unpacks when they come into view; and pictures of the whole at
 * several widths, made here, for when they are too many to be drawn one by
 * one.  So it opens at once and stays smooth however long the trace is.
 * Writing takes two passes over the events; memory grows with Ps, goroutines
 * and stacks.
 */

#include <stdio.h>

#include "trace/analyze/analyze.h"

struct trace_html_options {
    const char *title; /* of the page: the file's name */
    bool system;       /* show the runtime's own goroutines from the start */
    /* Events done so far, of both passes together; or NULL. */
    void (*progress)(void *arg, uint64_t done, uint64_t total);
    void *progress_arg;
};

/* Writes the page of f to out.  RT_ENOMEM, or RT_EIO with the system's
 * reason. */
enum rt_status trace_html_write(struct trace_file *f,
    const struct trace_html_options *opt, FILE *out, struct rt_err *e);

#endif
