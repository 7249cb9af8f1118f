/* SPDX-License-Identifier: MIT */
#include "trace/read/v2.h"

#include <stdlib.h>
#include <string.h>

static int
most_bytes_first(const void *a, const void *b)
{
    const struct trace_kind *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return strcmp(x->name, y->name);
}

unsigned
trace_file_kinds(const struct trace_file *f, struct trace_kind *out)
{
    unsigned i, n = 0;

    for (i = 1; f->v2 == NULL && i < TRACE_EV_COUNT; i++) {
        if (f->records[i] == 0)
            continue;
        out[n].name = trace_ev_name(i);
        out[n].n = f->records[i];
        out[n].bytes = f->bytes[i];
        out[n++].table = i == TRACE_EV_BATCH || trace_ev_is_table(i);
    }
    for (i = 1; f->v2 != NULL && i < V2_COUNT; i++) {
        if (f->v2->wire[i] == 0)
            continue;
        out[n].name = v2_name(i);
        out[n].n = f->v2->wire[i];
        out[n].bytes = f->v2->wire_bytes[i];
        out[n++].table = v2_specs[i].nargs == 0;
    }
    qsort(out, n, sizeof *out, most_bytes_first);
    return n;
}
