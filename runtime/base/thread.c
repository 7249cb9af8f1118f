/* SPDX-License-Identifier: MIT */
#include "runtime/base/thread.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/compiler.h"
#include "runtime/base/throw.h"

/* What it begins with is in *t: to free a copy would give each thread a heap of
 * its own, which takes four system calls and some pages. */
static void *
enter(void *p)
{
    const struct rt_thread *t = p;

    pthread_setname_np(pthread_self(), t->name);
    t->fn(t->arg);
    return NULL;
}

enum rt_status
rt_thread_start(struct rt_thread *t, void (*fn)(void *arg), void *arg,
    size_t stack, const char *name, struct rt_err *e)
{
    pthread_attr_t attr;
    sigset_t all, old;

    t->fn = fn;
    t->arg = arg;
    snprintf(t->name, sizeof t->name, "%s", name);
    if (stack == 0)
        stack = RT_THREAD_STACK;
    if (RT_ASAN || RT_TSAN)
        stack += 1 << 20;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, stack);
    /* The new thread inherits the mask: nothing may slip in before. */
    sigfillset(&all);
    /* A fault while its signal is blocked could not be told of. */
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGFPE);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int r = pthread_create(&t->id, &attr, enter, t);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    if (r != 0)
        return rt_err_os(e, r, "cannot start a thread");
    return RT_OK;
}

void
rt_thread_join(struct rt_thread *t)
{
    int r = pthread_join(t->id, NULL);

    rt_check(r == 0, "pthread_join failed");
}

/* Bytes of the caller's stack below its frame; of the main thread's, which
 * grows until the limit, no more than may be counted on. */
static size_t
stack_left(void)
{
    pthread_attr_t attr;
    struct rlimit lim;
    size_t size = 0;
    void *low = NULL;

    if (rt_thread_osid() == (uint64_t)getpid()) {
        if (getrlimit(RLIMIT_STACK, &lim) != 0)
            return 0;
        return lim.rlim_cur == RLIM_INFINITY ? SIZE_MAX
                                             : lim.rlim_cur / 4 * 3;
    }
    if (pthread_getattr_np(pthread_self(), &attr) != 0)
        return 0;
    pthread_attr_getstack(&attr, &low, &size);
    pthread_attr_destroy(&attr);
    return (size_t)((uintptr_t)__builtin_frame_address(0) - (uintptr_t)low);
}

enum rt_status
rt_thread_call(void (*fn)(void *arg), void *arg, size_t stack,
    struct rt_err *e)
{
    struct rt_thread t;
    enum rt_status st;

    if (stack_left() >= stack) {
        fn(arg);
        return RT_OK;
    }
    st = rt_thread_start(&t, fn, arg, stack, "vole-deep", e);
    if (st == RT_OK)
        rt_thread_join(&t);
    return st;
}

uint64_t
rt_thread_osid(void)
{
    return (uint64_t)syscall(SYS_gettid);
}

int
rt_cpu_count(void)
{
    cpu_set_t set;

    /* Fails where the machine has more processors than the set has bits. */
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (int)n;
}
