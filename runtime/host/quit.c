/* SPDX-License-Identifier: MIT */
/*
 * SIGQUIT, as Go programs take it: all stacks are printed and the program
 * ends with status 2.  The signal is blocked everywhere (the
 * runtime's threads block all but faults, the caller of vole_run() here) and a
 * thread waits for it, so no code runs in a signal handler.
 */
#include "runtime/host/host_int.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "runtime/base/atomic.h"
#include "runtime/base/thread.h"
#include "runtime/vm/vm.h"

struct host_quit {
    struct vole *v;
    struct rt_thread thread;
    sigset_t set, old;
    a_u32 stop;
};

static void
watch(void *arg)
{
    struct host_quit *q = arg;

    while (sigwaitinfo(&q->set, NULL) != SIGQUIT)
        ;
    /* acq: pairs with host_quit_stop(). */
    if (!a32_load_acq(&q->stop))
        vm_quit(q->v->vm);
}

void
host_quit_start(struct vole *v)
{
    struct host_quit *q = calloc(1, sizeof *q);

    if (q == NULL)
        return; /* then the signal ends the process as by default */
    q->v = v;
    sigemptyset(&q->set);
    sigaddset(&q->set, SIGQUIT);
    pthread_sigmask(SIG_BLOCK, &q->set, &q->old);
    if (rt_thread_start(&q->thread, watch, q, 0, "vole-quit", NULL) != RT_OK) {
        pthread_sigmask(SIG_SETMASK, &q->old, NULL);
        free(q);
        return;
    }
    v->quit = q;
}

void
host_quit_stop(struct vole *v)
{
    struct host_quit *q = v->quit;

    if (q == NULL)
        return;
    v->quit = NULL;
    a32_store_rel(&q->stop, 1); /* rel: pairs with watch() */
    pthread_kill(q->thread.id, SIGQUIT);
    rt_thread_join(&q->thread);
    pthread_sigmask(SIG_SETMASK, &q->old, NULL);
    free(q);
}
