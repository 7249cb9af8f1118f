/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_SUMMARY_H
#define TRACE_ANALYZE_SUMMARY_H

/* The result of a pass, once the pass is over. */

#include "trace/analyze/analyze.h"

/* Takes out what stood for no goroutine and for no P, and sorts the rest by
 * their numbers, as readers of the summary find it. */
void trace_summary_settle(struct trace_summary *s);

#endif
