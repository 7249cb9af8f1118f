/* SPDX-License-Identifier: MIT */
#include "runtime/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void
fill(struct rt_err *e, enum rt_status code, int err, uint64_t where,
    const char *fmt, va_list ap)
{
    e->code = code;
    e->os_errno = err;
    e->where = where;
    vsnprintf(e->text, sizeof e->text, fmt, ap);
}

enum rt_status
rt_errf(struct rt_err *e, enum rt_status code, uint64_t where,
    const char *fmt, ...)
{
    va_list ap;

    if (e == NULL)
        return code;
    va_start(ap, fmt);
    fill(e, code, 0, where, fmt, ap);
    va_end(ap);
    return code;
}

enum rt_status
rt_err_os(struct rt_err *e, int err, const char *fmt, ...)
{
    va_list ap;
    size_t n;

    if (e == NULL)
        return RT_EIO;
    va_start(ap, fmt);
    fill(e, RT_EIO, err, UINT64_MAX, fmt, ap);
    va_end(ap);
    n = strlen(e->text);
    snprintf(e->text + n, sizeof e->text - n, ": %s", strerror(err));
    return RT_EIO;
}

void
rt_err_wrap(struct rt_err *e, const char *fmt, ...)
{
    char head[RT_ERR_TEXT];
    va_list ap;
    size_t n;

    if (e == NULL)
        return;
    va_start(ap, fmt);
    vsnprintf(head, sizeof head, fmt, ap);
    va_end(ap);
    n = strlen(head);
    snprintf(head + n, sizeof head - n, ": %.*s",
        (int)(sizeof head - n > 3 ? sizeof head - n - 3 : 0), e->text);
    memcpy(e->text, head, sizeof e->text);
}
