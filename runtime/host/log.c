/* SPDX-License-Identifier: MIT */
/*
 * Messages of the library itself, a line each: to whom the host has named, or
 * to standard error.  What the Go program makes the runtime print, panics and
 * tracebacks and the lines of VOLEDEBUG, is the program's and not these.
 */
#include <stdarg.h>
#include <stdio.h>

#include "runtime/base/throw.h"
#include "runtime/host/host_int.h"

void
host_log(const struct vole *v, const char *fmt, ...)
{
    char line[1024];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    /* It may end in anything, such as what the user gave. */
    rt_assert(n > 0);
    if (v->opt.log != NULL)
        v->opt.log(v->opt.log_arg, line);
    else
        dprintf(2, "vole: %s\n", line);
}
