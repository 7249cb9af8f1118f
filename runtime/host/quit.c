/* SPDX-License-Identifier: MIT */
/*
 * The thread that waits for signals.  Those that end Go programs:  SIGQUIT prints all stacks, with status 2.
 * SIGHUP, SIGINT and SIGTERM end the program where it stands; when all that it
 * records has been written, whoever called vole_run() dies of the signal, as
 * the program would have without us.
 *
 * Signals are blocked everywhere (the runtime's threads block all but faults,
 * and so does the caller of vole_run() here) but in this thread, so no code
 * runs in a signal handler: it waits for most of them, and to the others the
 * system does what it always does.  What the program
 * wants to hear of (package os/signal) is another thing to wait for; then such
 * a signal ends nothing.  From the first of the three on they are not blocked any
 * more, in that thread and then in the caller: a second one has its default
 * effect, and ends the process at once, whatever is still being written.
 *
 * What was blocked when the program began stays blocked, and SIGHUP and SIGINT
 * that were ignored (nohup, a shell's background job) stay ignored, as in Go.
 */
#include "runtime/host/host_int.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/base/atomic.h"
#include "runtime/base/futex.h"
#include "runtime/base/thread.h"
#include "runtime/base/throw.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

struct host_quit {
    struct vole *v;
    struct rt_thread thread;
    sigset_t set;  /* what the thread waits for; SIGQUIT, by which it is told
                      to look and to stop, is always among them */
    sigset_t takes; /* what it waits for whatever the program wants */
    sigset_t ends; /* those of them that kill */
    sigset_t old;  /* mask of the caller */
    bool prints;   /* SIGQUIT is the program's, too */
    uint64_t wanted; /* what the program wants, as the thread knows */
    uint64_t ignored; /* and what it ignores */
    a_u32 stop;
    a_u32 asked;   /* how often what the program wants has changed */
    a_u32 looked;  /* how much of that the thread has seen; a futex */
};

/* A status as shells have it for a signal. */
enum { SIGNAL_STATUS = 128 };

static void
quit_on_end(struct host_quit *q, int sig)
{
    struct vole *v = q->v;

    rt_assert(sigismember(&q->ends, sig) == 1 &&
        a32_load_rlx(&v->died_of) == 0);
    pthread_sigmask(SIG_UNBLOCK, &q->ends, NULL);
    sigemptyset(&q->set);
    sigaddset(&q->set, SIGQUIT);
    a32_store_rel(&v->died_of, (uint32_t)sig); /* rel: pairs with vole_died_of() */
    sched_exit(v->sched, SIGNAL_STATUS + sig);
}

static void
on_signal(struct host_quit *q, int sig)
{
    rt_assert(sig > 0 && sig <= 64);
    if (a32_load_rlx(&q->v->died_of) != 0)
        return;
    if ((q->wanted & lib_signal_bit((uint64_t)sig)) != 0)
        lib_signal_came(&q->v->signals, sig);
    else if ((q->ignored & lib_signal_bit((uint64_t)sig)) != 0)
        return;
    else if (sig == SIGQUIT && q->prints)
        vm_quit(q->v->vm);
    else if (sigismember(&q->ends, sig) == 1)
        quit_on_end(q, sig);
}

/* What has come until now goes by what the program wanted until now. */
static void
drain(struct host_quit *q)
{
    static const struct timespec now;
    sigset_t set = q->set;
    int sig;

    sigdelset(&set, SIGQUIT); /* one may be host_quit_stop()'s */
    while ((sig = sigtimedwait(&set, NULL, &now)) > 0)
        on_signal(q, sig);
}

/* The thread waits for what is wanted now, and for what it always does. */
static void
go_by(struct host_quit *q, uint64_t wanted, uint64_t ignored)
{
    sigset_t mask = q->old;

    drain(q);
    q->wanted = wanted;
    q->ignored = ignored;
    if (a32_load_rlx(&q->v->died_of) != 0)
        return;
    sigemptyset(&q->set);
    for (int sig = 1; sig <= 64; sig++)
        if (((wanted | ignored) & lib_signal_bit((uint64_t)sig)) != 0 ||
            sigismember(&q->takes, sig) == 1)
            sigaddset(&q->set, sig);
    sigaddset(&q->set, SIGQUIT);
    sigorset(&mask, &mask, &q->set);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void
look(struct host_quit *q)
{
    const struct lib_signals *s = &q->v->signals;
    /* acq: pairs with quit_changed() */
    uint32_t asked = a32_load_acq(&q->asked);

    go_by(q, a64_load_acq(&s->wanted), a64_load_acq(&s->ignored));
    a32_store_rel(&q->looked, asked); /* rel: pairs with quit_changed() */
    rt_futex_wake(&q->looked, RT_FUTEX_ALL);
}

/* lib_signals.changed.  The signals of two callers may become one: the thread
 * reads how often it was asked when it has got that. */
static void
quit_changed(void *arg)
{
    struct host_quit *q = arg;
    uint32_t now = a32_add_full(&q->asked, 1) + 1, seen; /* pairs with look() */

    pthread_sigqueue(
        q->thread.id, SIGQUIT, (union sigval){.sival_ptr = q});
    while ((int32_t)((seen = a32_load_acq(&q->looked)) - now) < 0)
        rt_futex_wait(&q->looked, seen, -1);
}

static void
watch(void *arg)
{
    struct host_quit *q = arg;
    siginfo_t info;
    int sig;

    go_by(q, 0, 0);
    for (;;) {
        sig = sigwaitinfo(&q->set, &info);
        /* acq: pairs with host_quit_stop(). */
        if (sig == SIGQUIT && a32_load_acq(&q->stop))
            return;
        if (sig == SIGQUIT && info.si_code == SI_QUEUE &&
            info.si_value.sival_ptr == q)
            look(q); /* quit_changed() */
        else if (sig > 0)
            on_signal(q, sig);
    }
}

static bool
is_ignored(int sig)
{
    struct sigaction sa;

    return sigaction(sig, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN;
}

/* To these the system does what it always does: faults, and what tells of
 * them or of a failed assertion; what stops and continues a job; the
 * profiler's. */
static bool
is_the_systems(int sig)
{
    switch (sig) {
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGFPE:
    case SIGTRAP:
    case SIGABRT:
    case SIGSTKFLT:
    case SIGSYS:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGCONT:
    case SIGPROF:
    case SIGPIPE:
        return true;
    default:
        return false;
    }
}

/* Which signals are ours.  As in Go, those that end nothing do nothing where
 * the program does not want them. */
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
    q->takes = q->ends;
    for (int sig = 1; o->sigterm && sig <= 64; sig++)
        if (!is_the_systems(sig) && sigismember(&q->old, sig) == 0 &&
            !is_ignored(sig))
            sigaddset(&q->takes, sig);
    q->prints = o->sigquit;
}

void
host_quit_start(struct vole *v)
{
    struct host_quit *q;
    sigset_t all;

    if (!v->opt.sigquit && !v->opt.sigterm)
        return;
    q = calloc(1, sizeof *q);
    if (q == NULL)
        return; /* then the signals end the process as by default */
    q->v = v;
    choose(q);
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGFPE);
    sigemptyset(&q->set);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    if (rt_thread_start(&q->thread, watch, q, 0, "vole-quit", NULL) != RT_OK) {
        pthread_sigmask(SIG_SETMASK, &q->old, NULL);
        free(q);
        return;
    }
    v->quit = q;
    v->signals.arg = q;
    v->signals.changed = quit_changed;
}

void
host_quit_stop(struct vole *v)
{
    struct host_quit *q = v->quit;

    if (q == NULL)
        return;
    v->quit = NULL;
    v->signals.changed = NULL;
    a32_store_rel(&q->stop, 1); /* rel: pairs with watch() */
    pthread_kill(q->thread.id, SIGQUIT);
    rt_thread_join(&q->thread);
    pthread_sigmask(SIG_SETMASK, &q->old, NULL);
    free(q);
}
