/* SPDX-License-Identifier: MIT */

/*
 * Natives of package os/signal.  They are called with the package's lock held,
 * so that nobody else changes what is wanted meanwhile.  What a signal did
 * before the program said anything of it is kept in `first`.
 */

#include <signal.h>

#include "runtime/base/futex.h"
#include "runtime/base/throw.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/signals.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

void
lib_signal_came(struct lib_signals *s, int sig)
{
    rt_assert(lib_signal_bit((uint64_t)sig) != 0);
    /* full: what is pending comes before the news of it. */
    a64_or_full(&s->pending, lib_signal_bit((uint64_t)sig));
    a32_add_full(&s->news, 1);
    rt_futex_wake(&s->news, 1);
}

static void
set_bit(a_u64 *word, uint64_t bit, bool on)
{
    uint64_t old = a64_load_rlx(word);

    a64_store_full(word, on ? old | bit : old & ~bit);
}

/* How the process takes the signal where nobody waits for it: not at all
 * (SIG_IGN), or as the system does. */
static void
dispose(int sig, void (*how)(int))
{
    struct sigaction sa = {.sa_handler = how};

    sigemptyset(&sa.sa_mask);
    sigaction(sig, &sa, NULL);
}

/* Those that the runtime itself has handlers for, and those that nobody can
 * catch, stay as they are. */
static bool
is_free(uint64_t sig)
{
    switch (sig) {
    case SIGKILL:
    case SIGSTOP:
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGPROF:
        return false;
    default:
        return lib_signal_bit(sig) != 0 && (sig < 32 || sig > 33);
    }
}

static bool
is_ignored(int sig)
{
    struct sigaction sa;

    return sigaction(sig, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN;
}

/* What is ignored and not by the program was so at first. */
static void
remember(struct lib_signals *s, uint64_t sig)
{
    uint64_t bit = lib_signal_bit(sig);

    if ((a64_load_rlx(&s->ignored) & bit) == 0 && is_ignored((int)sig))
        set_bit(&s->first, bit, true);
}

static void
change(struct vm_thread *t, uint64_t sig, bool wanted, bool ignored)
{
    struct lib_signals *s = lib_state(t)->signals;
    uint64_t bit = lib_signal_bit(sig);

    if (!is_free(sig))
        return;
    vm_syscall_enter(t);
    remember(s, sig);
    if (wanted && is_ignored((int)sig))
        dispose((int)sig, SIG_DFL);
    set_bit(&s->wanted, bit, wanted);
    set_bit(&s->ignored, bit, ignored);
    if (s->changed != NULL)
        s->changed(s->arg);
    /* Last: the system forgets one that it still has. */
    if (ignored)
        dispose((int)sig, SIG_IGN);
    vm_syscall_exit(t);
}

/* func signal_enable(sig uint32) */
enum vm_status
lib_tree_signal_signal_enable(
    struct vm_thread *t, union lib_tree_signal_signal_enable_1to0 *f)
{
    change(t, f->in.sig, true, false);
    return VM_OK;
}

/* func signal_disable(sig uint32): as it was at first */
enum vm_status
lib_tree_signal_signal_disable(
    struct vm_thread *t, union lib_tree_signal_signal_disable_1to0 *f)
{
    struct lib_signals *s = lib_state(t)->signals;
    uint64_t bit = lib_signal_bit(f->in.sig);
    bool ignored;

    if (!is_free(f->in.sig))
        return VM_OK;
    remember(s, f->in.sig);
    ignored = (a64_load_rlx(&s->first) & bit) != 0;
    if (!ignored && is_ignored((int)f->in.sig))
        dispose((int)f->in.sig, SIG_DFL);
    change(t, f->in.sig, false, ignored);
    return VM_OK;
}

/* func signal_ignore(sig uint32) */
enum vm_status
lib_tree_signal_signal_ignore(
    struct vm_thread *t, union lib_tree_signal_signal_ignore_1to0 *f)
{
    change(t, f->in.sig, false, true);
    return VM_OK;
}

/* func signal_ignored(sig uint32) bool: of those that were ignored when the
 * process began SIGHUP and SIGINT count, as in Go */
enum vm_status
lib_tree_signal_signal_ignored(
    struct vm_thread *t, union lib_tree_signal_signal_ignored_1to1 *f)
{
    uint64_t sig = f->in.sig, bit = lib_signal_bit(sig);
    const struct lib_signals *s = lib_state(t)->signals;

    f->out.r = (a64_load_rlx(&s->ignored) & bit) != 0 ||
        ((sig == SIGHUP || sig == SIGINT) &&
            (a64_load_rlx(&s->wanted) & bit) == 0 && is_ignored((int)sig));
    return VM_OK;
}

/* func receive() uint32 */
enum vm_status
lib_tree_signal_receive(
    struct vm_thread *t, union lib_tree_signal_receive_0to1 *f)
{
    struct lib_signals *s = lib_state(t)->signals;
    uint64_t all;
    uint32_t news;

    /* rel: what was done for the last one comes before; pairs with pending. */
    a64_store_rel(&s->taken, 0);
    vm_syscall_enter(t);
    for (;;) {
        /* acq: pairs with lib_signal_came(). */
        news = a32_load_acq(&s->news);
        all = a64_load_acq(&s->pending);
        if (all != 0)
            break;
        rt_futex_wait(&s->news, news, -1);
    }
    all &= -all;
    /* full: there is no moment when it is in neither of the words. */
    a64_store_full(&s->taken, all);
    a64_and_full(&s->pending, ~all);
    vm_syscall_exit(t);
    f->out.r = (uint64_t)__builtin_ctzll(all) + 1;
    return VM_OK;
}

/* func settle() */
enum vm_status
lib_tree_signal_settle(
    struct vm_thread *t, union lib_tree_signal_settle_0to0 *f)
{
    struct lib_signals *s = lib_state(t)->signals;

    (void)f;
    vm_syscall_enter(t);
    if (s->changed != NULL)
        s->changed(s->arg);
    vm_syscall_exit(t);
    return VM_OK;
}

/* func delivers() bool */
enum vm_status
lib_tree_signal_delivers(
    struct vm_thread *t, union lib_tree_signal_delivers_0to1 *f)
{
    f->out.r = lib_state(t)->signals->changed != NULL &&
        !sched_by_seed(vm_sched(t->vm));
    return VM_OK;
}

/* func pending() bool */
enum vm_status
lib_tree_signal_pending(
    struct vm_thread *t, union lib_tree_signal_pending_0to1 *f)
{
    const struct lib_signals *s = lib_state(t)->signals;

    /* In this order: a signal goes from pending to taken.  acq: pairs with
     * lib_signal_came() and receive. */
    f->out.r =
        a64_load_acq(&s->pending) != 0 || a64_load_acq(&s->taken) != 0;
    return VM_OK;
}
