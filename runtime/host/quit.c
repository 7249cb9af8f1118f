/* SPDX-License-Identifier: MIT */
/*
 * The signals that end Go programs.  SIGQUIT prints all stacks, with status 2.
 * SIGHUP, SIGINT and SIGTERM end the program where it stands; when all that it
 * records has been written, whoever called vole_run() dies of the signal, as
 * the program would have without us.
 *
 * They are blocked everywhere (the runtime's threads block all but faults, the
 * caller of vole_run() here) and a thread waits for them, so no code runs in a
 * signal handler.  From the first of the three on they are not blocked any
 * more, in that thread and then in the caller: a second one has its default
 * effect, and ends the process at once, whatever is still being written.
 *
 * What was blocked when the program began stays blocked, and SIGHUP and SIGINT
 * that were ignored (nohup, a shell's background job) stay ignored, as in Go.
 */
#include "runtime/host/host_int.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "runtime/base/atomic.h"
#include "runtime/base/thread.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

struct host_quit {
    struct vole *v;
    struct rt_thread thread;
    sigset_t set;  /* what the thread waits for; SIGQUIT, by which it is told
                      to stop, is always among them */
    sigset_t ends; /* those of them that kill */
    sigset_t old;  /* mask of the caller */
    bool prints;   /* SIGQUIT is the program's, too */
    a_u32 stop;
};

/* A status as shells have it for a signal. */
enum { SIGNAL_STATUS = 128 };

static void
quit_on_end(struct host_quit *q, int sig)
{
    struct vole *v = q->v;

    pthread_sigmask(SIG_UNBLOCK, &q->ends, NULL);
    sigemptyset(&q->set);
    sigaddset(&q->set, SIGQUIT);
    a32_store_rel(&v->died_of, (uint32_t)sig); /* rel: pairs with vole_died_of() */
    sched_exit(v->sched, SIGNAL_STATUS + sig);
}

static void
watch(void *arg)
{
    struct host_quit *q = arg;
    int sig;

    for (;;) {
        sig = sigwaitinfo(&q->set, NULL);
        /* acq: pairs with host_quit_stop(). */
        if (sig == SIGQUIT && a32_load_acq(&q->stop))
            return;
        if (sig == SIGQUIT && q->prints &&
            a32_load_rlx(&q->v->died_of) == 0)
            vm_quit(q->v->vm);
        else if (sig > 0 && sig != SIGQUIT)
            quit_on_end(q, sig);
    }
}

static bool
is_ignored(int sig)
{
    struct sigaction sa;

    return sigaction(sig, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN;
}

/* Which signals are ours. */
static void
choose(struct host_quit *q)
{
    static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
    const struct vole_options *o = &q->v->opt;

    pthread_sigmask(SIG_BLOCK, NULL, &q->old);
    sigemptyset(&q->ends);
    for (size_t i = 0; o->sigterm && i < sizeof ends / sizeof *ends; i++)
        if (sigismember(&q->old, ends[i]) == 0 &&
            (ends[i] == SIGTERM || !is_ignored(ends[i])))
            sigaddset(&q->ends, ends[i]);
    q->set = q->ends;
    sigaddset(&q->set, SIGQUIT);
    q->prints = o->sigquit;
}

void
host_quit_start(struct vole *v)
{
    struct host_quit *q;

    if (!v->opt.sigquit && !v->opt.sigterm)
        return;
    q = calloc(1, sizeof *q);
    if (q == NULL)
        return; /* then the signals end the process as by default */
    q->v = v;
    choose(q);
    pthread_sigmask(SIG_BLOCK, &q->set, NULL);
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
