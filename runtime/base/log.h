/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_LOG_H
#define RUNTIME_BASE_LOG_H

/* Lines for people on a descriptor, usually standard error: what VOLEDEBUG
 * asks for, and warnings.  Each line is one write, so lines do not mix. */

#include <stdint.h>

#include "runtime/base/compiler.h"
#include "runtime/base/lock.h"

enum { RT_LOG_WARNINGS = 16 }; /* later ones are only counted */

struct rt_log {
    struct rt_lock lock; /* LOG: the order of lines */
    int fd;              /* const after init */
    a_u32 warnings;      /* atomic: given so far */
};

void rt_log_init(struct rt_log *l, int fd);

/* Writes one line; a newline is added.  Cut at 4 KiB.  Any thread. */
void rt_log_line(struct rt_log *l, const char *fmt, ...) RT_PRINTF(2, 3);

/* As rt_log_line() with "vole: warning: " in front, at most RT_LOG_WARNINGS
 * times. */
void rt_log_warn(struct rt_log *l, const char *fmt, ...) RT_PRINTF(2, 3);

#endif
