/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_THREAD_H
#define RUNTIME_BASE_THREAD_H

/* Threads with small stacks: goroutines never run on them. */

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/err.h"

struct rt_thread {
    pthread_t id;
    /* For the thread when it begins. */
    void (*fn)(void *arg);
    void *arg;
    char name[16];
};

enum { RT_THREAD_STACK = 256 * 1024 }; /* bytes, when 0 is asked for */

/*
 * Starts fn(arg) on a new thread with a stack of the given bytes (0: the
 * default; sanitizers get more).  All signals are blocked in it.  name is
 * cut to 15 characters.  *t has to stay until the thread has ended.  RT_EIO with
 * the cause in e (which may be NULL).
 */
enum rt_status rt_thread_start(struct rt_thread *t, void (*fn)(void *arg),
    void *arg, size_t stack, const char *name, struct rt_err *e);

/* Waits until the thread has ended and frees what it held. */
void rt_thread_join(struct rt_thread *t);

/*
 * Calls fn(arg) where at least the given bytes of C stack are free: here, or
 * on a thread that is made for it and waited for.  RT_EIO with the cause in e:
 * there is no such thread, and fn has not been called.
 */
enum rt_status rt_thread_call(void (*fn)(void *arg), void *arg, size_t stack,
    struct rt_err *e);

/* The operating system's number of the calling thread. */
uint64_t rt_thread_osid(void);

/* Processors that this process may use, at least 1. */
int rt_cpu_count(void);

#endif
