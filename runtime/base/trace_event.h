/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_TRACE_EVENT_H
#define RUNTIME_BASE_TRACE_EVENT_H

/* Event numbers of the trace format, TRACE_EV_BATCH .. TRACE_EV_CPU_SAMPLE,
 * for the recorder and the reader. */

enum trace_ev {
    TRACE_EV_NONE = 0,
#define TRACE_EVENT(no, id, name, nvals, has_stack, since) TRACE_EV_##id = no,
#include "runtime/base/trace_event.def"
#undef TRACE_EVENT
    TRACE_EV_COUNT
};

#endif
