/* SPDX-License-Identifier: MIT */
#include "runtime/base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 4096 };

void
rt_log_init(struct rt_log *l, int fd)
{
    rt_lock_init(&l->lock, RANK_LOG);
    l->fd = fd;
    a32_store_rlx(&l->warnings, 0);
}

static void
put_line(struct rt_log *l, const char *prefix, const char *fmt, va_list ap)
{
    char buf[LINE_MAX_BYTES];
    int n = snprintf(buf, sizeof buf, "%s", prefix);
    int m = vsnprintf(buf + n, sizeof buf - (size_t)n - 1, fmt, ap);

    if (m < 0)
        return;
    if (m > LINE_MAX_BYTES - n - 2)
        m = LINE_MAX_BYTES - n - 2;
    buf[n + m] = '\n';
    rt_lock(&l->lock);
    size_t left = (size_t)(n + m + 1);
    const char *p = buf;
    while (left > 0) {
        ssize_t w = write(l->fd, p, left);
        if (w < 0 && errno == EINTR)
            continue;
        if (w <= 0)
            break; /* nobody to tell */
        p += w;
        left -= (size_t)w;
    }
    rt_unlock(&l->lock);
}

void
rt_log_line(struct rt_log *l, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_line(l, "", fmt, ap);
    va_end(ap);
}

void
rt_log_warn(struct rt_log *l, const char *fmt, ...)
{
    va_list ap;

    if (a32_add_rlx(&l->warnings, 1) >= RT_LOG_WARNINGS)
        return;
    va_start(ap, fmt);
    put_line(l, "vole: warning: ", fmt, ap);
    va_end(ap);
}
