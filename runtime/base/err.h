/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_ERR_H
#define RUNTIME_BASE_ERR_H

/*
 * Errors of library code are values: a status code and, where the caller
 * wants to tell a person, a struct rt_err with one line of text and the
 * causes below it (the cause chain of Babeltrace).  Nothing here prints.
 */

#include <stddef.h>
#include <stdint.h>

enum rt_status {
    RT_OK = 0,
    RT_ENOMEM = -1,   /* the OS gave no memory */
    RT_EIO = -2,      /* a system call failed; errno is in rt_err.os_errno */
    RT_EFORMAT = -3,  /* malformed input: source, bytecode, trace, flag */
    RT_ELIMIT = -4,   /* a documented limit was exceeded */
    RT_EUNSUP = -5,   /* known, legal, and not supported */
    RT_ESTATE = -6,   /* the call is not allowed in this state */
    RT_EOF = -7       /* clean end of input */
};

enum { RT_ERR_TEXT = 512 };

struct rt_err {
    enum rt_status code;
    int os_errno;       /* 0 where no system call is to blame */
    uint64_t where;     /* byte offset in the input; UINT64_MAX = unknown */
    char text[RT_ERR_TEXT]; /* one line, no trailing newline; causes are
                               appended as "text: cause" */
};

/* Fills *e (which may be NULL) and returns code, so that a caller can write
 * `return rt_errf(e, RT_EFORMAT, off, "...")`.  printf-style; truncates. */
enum rt_status rt_errf(struct rt_err *e, enum rt_status code, uint64_t where,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* As rt_errf() with os_errno set from err and ": strerror(err)" appended. */
enum rt_status rt_err_os(struct rt_err *e, int err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "prefix: " before the text that *e holds already. */
void rt_err_wrap(struct rt_err *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
