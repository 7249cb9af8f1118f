/* SPDX-License-Identifier: MIT */
#include "runtime/base/mapped.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

struct reader {
    sigjmp_buf out;
    const void *volatile where;
    struct reader *outer; /* the call around this one, or NULL */
};

/* The innermost call of this thread. */
static _Thread_local struct reader *tls_reader;

static void
on_bus(int sig, siginfo_t *si, void *ucontext)
{
    struct reader *r = tls_reader;

    (void)ucontext;
    if (r == NULL || si->si_code != BUS_ADRERR) {
        signal(sig, SIG_DFL); /* it comes again when the handler has returned */
        return;
    }
    r->where = si->si_addr;
    siglongjmp(r->out, 1);
}

bool
rt_mapped_call(void (*fn)(void *arg), void *arg, const void **where)
{
    struct reader r = {.where = NULL, .outer = tls_reader};
    struct sigaction sa = {.sa_flags = SA_SIGINFO}, old;
    sigset_t bus, mask;
    volatile bool whole = true;

    sa.sa_sigaction = on_bus;
    sigfillset(&sa.sa_mask);
    sigemptyset(&bus);
    sigaddset(&bus, SIGBUS);
    sigaction(SIGBUS, &sa, &old);
    pthread_sigmask(SIG_UNBLOCK, &bus, &mask);
    if (sigsetjmp(r.out, 1) == 0) {
        tls_reader = &r;
        fn(arg);
    } else {
        whole = false;
    }
    tls_reader = r.outer;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGBUS, &old, NULL);
    *where = (const void *)r.where;
    return whole;
}
