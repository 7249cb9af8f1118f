/* SPDX-License-Identifier: MIT */

/*
 * Faults: SIGSEGV, SIGBUS, SIGILL and SIGFPE of a thread's own doing, which a
 * script can bring about by unsafe pointers only; or by a nil pointer in machine
 * code, of which some accesses are traps: there the handler makes the thread leave
 * machine code, which has done nothing of the instruction, and the interpreter
 * panics.  Elsewhere nil pointers are tested for.
 *
 * The interpreter holds no lock and shares nothing half done, so where it
 * faults itself, the handler makes it return to run_g() with VM_FAULTED, and
 * the program ends as by any other fatal error: with traces and profiles
 * complete.  A fault in native code may have come at a bad time.  Then the
 * handler itself says what it knows, and the process ends at once.
 *
 * Handlers stay for the life of the process; a fault in a thread that is no M
 * is not ours, and has its default effect.
 */

#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "runtime/base/cstack.h"
#include "runtime/base/throw.h"
#include "runtime/vm/vm_int.h"

static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };

static const char *
title(int sig)
{
    switch (sig) {
    case SIGSEGV:
        return "SIGSEGV: segmentation violation";
    case SIGBUS:
        return "SIGBUS: bus error";
    case SIGILL:
        return "SIGILL: illegal instruction";
    default:
        return "SIGFPE: floating-point exception";
    }
}

void
vm_out_fault(struct vm_out *o, const struct vm_fault *f, const char *text)
{
    if (f->sig == SIGSEGV || f->sig == SIGBUS)
        vm_outf(o, "unexpected fault address 0x%" PRIx64 "\n", f->addr);
    vm_outf(o, "fatal error: %s\n", text);
    vm_outf(o, "[signal %s code=0x%x addr=0x%" PRIx64 " pc=0x%" PRIx64 "]\n",
        title(f->sig), (unsigned)f->code, f->addr, f->pc);
}

/* Native code faulted on m.  A second fault has its default effect. */
static void
report(const struct sched_m *m, const struct vm_fault *f,
    const void *ucontext)
{
    struct vm_thread *t = m->vt;
    char buf[1024];
    struct vm_out o = vm_out_last(t->vm, buf, sizeof buf);

    vm_print_rest(t);
    vm_out_fault(&o, f, "unexpected signal during runtime execution");
    vm_outf(&o, "\nruntime stack:\n");
    vm_out_flush(&o);
    rt_cstack_print_from(t->vm->err_fd, ucontext);
    if (m->g != NULL && m->g->vg != NULL) {
        vm_outf(&o, "\n");
        vm_out_goroutine(&o, t->vm, m->g, true, VM_BLAME_RUNTIME);
    }
    vm_out_flush(&o);
}

/* The runtime is broken, so the goroutines may be too. */
static void
on_nested(int sig)
{
    (void)sig;
    rt_throw("a fault while the stacks were printed");
}

/* A throw on a thread that runs a program: the goroutine that it runs, which
 * stands still, and then the others, as far as they do. */
static void
on_throw(void)
{
    struct sched_m *m = sched_m_self();
    struct vm_thread *t = m == NULL ? NULL : m->vt;
    char buf[4096];

    if (t == NULL || t->vm->sched == NULL ||
        a32_load_rlx(&t->vm->traceback) == VM_TRACEBACK_NONE)
        return;
    struct vm_out o = vm_out_last(t->vm, buf, sizeof buf);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], on_nested);
    if (m->g != NULL && m->g->vg != NULL) {
        vm_outf(&o, "\n");
        vm_out_goroutine(&o, t->vm, m->g, true, VM_BLAME_RUNTIME);
        vm_out_flush(&o);
    }
    if (sched_freeze(t->vm->sched))
        vm_out_others(&o, t->vm, m->g, VM_BLAME_RUNTIME);
    vm_out_flush(&o);
}

void
vm_report_throws(void)
{
    rt_throw_set_hook(on_throw);
}

static void
on_fault(int sig, siginfo_t *si, void *ucontext)
{
    struct sched_m *m = sched_m_self();
    struct vm_thread *t = m == NULL ? NULL : m->vt;
    struct vm_fault f = { sig, si->si_code, 0, (uintptr_t)si->si_addr };

    if (si->si_code > 0 && t != NULL) {
        if (sig == SIGSEGV && vm_trapped(t->vm, ucontext))
            return;
        f.pc = rt_cstack_fault_pc(ucontext);
        if (vm_is_running(t->vm, f.pc) && vm_interrupted_return(t->vm, ucontext)) {
            vm_m_of(t)->fault = f;
            return;
        }
    }
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    if (si->si_code > 0 && t != NULL) {
        report(m, &f, ucontext);
        if (a32_load_rlx(&t->vm->traceback) != VM_TRACEBACK_CRASH)
            rt_quit(2);
    } else if (si->si_code <= 0) {
        raise(sig); /* comes when the handler has returned */
    }
    /* Else it comes again by itself. */
}

bool
vm_can_catch_faults(void)
{
    return !RT_ASAN && !RT_TSAN; /* they want to tell of it themselves */
}

void
vm_catch_faults(void)
{
    struct sigaction sa;
    sigset_t ours;

    if (!vm_can_catch_faults())
        return;
    sigemptyset(&ours);
    memset(&sa, 0, sizeof sa);
    sa.sa_sigaction = on_fault;
    sa.sa_flags = SA_SIGINFO;
    sigfillset(&sa.sa_mask);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigdelset(&sa.sa_mask, signals[i]);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        sigaction(signals[i], &sa, NULL);
        sigaddset(&ours, signals[i]);
    }
    /* Whoever has started the process may have blocked them. */
    pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
}
