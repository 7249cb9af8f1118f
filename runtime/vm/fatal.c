/* SPDX-License-Identifier: MIT */

/*
 * Ends of programs: uncaught panics and fatal errors.  The first thread that
 * gets here prints; others wait until it has, so that the text is whole.
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/vm/vm_int.h"

enum { EXIT_PANIC = 2 };

/* True for the thread that may print.  The others wait without their P, which
 * a stop of the world may need; those that have one and come from the
 * scheduler, with no goroutine to leave (t is NULL), take part in it. */
static bool
claim(struct vm *vm, struct vm_thread *t)
{
    struct sched_m *m = t == NULL ? sched_m_self() : NULL;

    if (a32_cas_full(&vm->dying, 0, 1))
        return true;
    if (t != NULL)
        vm_syscall_enter(t);
    /* acq: pairs with the rel in finish(). */
    while (a32_load_acq(&vm->dying) != 2) {
        struct timespec ms = { 0, 1000000 };

        if (m != NULL && m->p != NULL)
            sched_join_stop(m);
        else
            nanosleep(&ms, NULL);
    }
    if (t != NULL)
        vm_syscall_exit(t);
    return false;
}

static void
finish(struct vm *vm, struct vm_out *o)
{
    rt_assert(a32_load_rlx(&vm->dying) == 1);
    vm_out_flush(o);
    sched_exit(vm->sched, EXIT_PANIC);
    /* rel: the text is out. */
    a32_store_rel(&vm->dying, 2);
}

/* Whether p has been raised with the value of the panic before it, which then
 * stands for both. */
static bool
same_again(const struct vm_panic *p)
{
    const struct vm_panic *q = p->prev;

    return q != NULL && q->value.type == p->value.type &&
        q->value.data == p->value.data;
}

/* All panics in progress, the oldest first. */
static void
out_panics(struct vm_out *o, const struct vm *vm, const struct vm_panic *p)
{
    rt_assert(p->next == NULL);
    while (p->prev != NULL)
        p = p->prev;
    for (; p != NULL; p = p->next) {
        if (same_again(p))
            continue;
        if (p->prev != NULL && !p->prev->goexit)
            vm_outf(o, "\t");
        if (p->goexit)
            continue;
        vm_outf(o, "panic: ");
        vm_out_panic_value(o, p, vm);
        if (p->recovered && p->next != NULL && same_again(p->next))
            vm_outf(o, " [recovered, repanicked]");
        else if (p->recovered)
            vm_outf(o, " [recovered]");
        vm_outf(o, "\n");
    }
}

/* The panics that a fatal error has come in between of; nobody asks their
 * values for a text any more. */
static void
out_panics_before(struct vm_out *o, const struct vm_thread *t)
{
    const struct vm_defers *d = vm_g_of(t)->defers;

    if (d == NULL || d->panics == NULL)
        return;
    out_panics(o, t->vm, d->panics);
    vm_outf(o, "\t");
}

static void
out_signal(struct vm_out *o, const struct vm *vm, const struct vm_panic *p)
{
    for (; p != NULL; p = p->prev)
        if (p->sigsegv) {
            vm_outf(o,
                "[signal SIGSEGV: segmentation violation code=0x1 "
                "addr=0x%" PRIx64 " pc=0x%" PRIx64 "]\n",
                p->sigaddr, (uint64_t)vm_pc(vm, p->pc));
            return;
        }
}

/* Stacks of the current goroutine and, as GOTRACEBACK asks, of others; of all
 * where the runtime cannot go on. */
static void
out_stacks(struct vm_out *o, struct vm_thread *t, enum vm_blame blame)
{
    struct vm *vm = t->vm;

    rt_assert(t->g != NULL && t->m != NULL);
    if (a32_load_rlx(&vm->traceback) == VM_TRACEBACK_NONE)
        return;
    vm_outf(o, "\n");
    vm_out_goroutine(o, vm, t->g, true, blame);
    if (blame == VM_BLAME_RUNTIME ||
        a32_load_rlx(&vm->traceback) >= VM_TRACEBACK_ALL) {
        vm_out_flush(o);
        sched_stop_world(t->m, STW_ALL_STACKS);
        vm_out_others(o, vm, t->g, blame);
        sched_start_world(t->m);
        vm_sync(t);
    }
}

/* Calls the Error or String method of the innermost panic value that has not
 * been asked yet; VM_GO_ON where there was one. */
static bool
ask_values(struct vm_thread *t, int *act)
{
    struct vm *vm = t->vm;
    struct vm_g *vg = vm_g_of(t);
    struct vm_panic *top = vg->defers->panics;

    for (struct vm_panic *p = top; p != NULL; p = p->prev) {
        const struct rtype *ty = p->value.type;
        if (p->asked || p->goexit || ty == NULL || same_again(p))
            continue;
        p->asked = true;
        const char *prefix;
        if (vm_error_of(vm, ty, &prefix) != VM_ERR_COUNT)
            continue;
        const struct rmethod *m = iface_string_method(ty, "Error");
        p->is_error = m != NULL;
        if (m == NULL)
            m = iface_string_method(ty, "String");
        uint32_t fn = m == NULL ? CODE_NO_FUNC : vm_method(ty, m->sel);
        if (m != NULL && fn == CODE_NO_FUNC)
            fn = m->func;
        if (fn == CODE_NO_FUNC)
            continue;
        const struct code_func *f = vm_func_at(vm, top->pc);
        struct vm_run run = { .kind = VM_RUN_PRINT,
            .callee = top->frame + (f == NULL ? 0 : f->extent) + 2,
            .frame = top->frame,
            .caller = top->frame,
            .pc = top->pc,
            .panic = p };
        union rt_slot recv = { .p = p->value.data };
        *act = vm_enter_call(t, &run, &vm->im->funcs[fn].self, &recv, 1);
        return true;
    }
    return false;
}

/* Whether an Error or String method that was called for a dying program's
 * message is in progress. */
static bool
is_asking(const struct vm_defers *d)
{
    for (uint32_t i = 0; i < d->nruns; i++)
        if (d->runs[i].kind == VM_RUN_PRINT)
            return true;
    return false;
}

/* Such a method has panicked with p itself. */
static int
die_asking(struct vm_thread *t, const struct vm_panic *p)
{
    const struct rtype *ty = p->value.type;
    char buf[4096];
    struct vm_out o = vm_out_last(t->vm, buf, sizeof buf);

    if (!claim(t->vm, t))
        return SCHED_RUN_EXIT;
    vm_outf(&o, "fatal error: panic while printing panic value: ");
    if (ty == t->vm->type_string)
        vm_out_panic_value(&o, p, t->vm);
    else
        vm_outf(&o, "type %s", ty == NULL ? "nil" : ty->string);
    vm_outf(&o, "\n");
    out_stacks(&o, t, VM_BLAME_RUNTIME);
    finish(t->vm, &o);
    return SCHED_RUN_EXIT;
}

int
vm_die_panicking(struct vm_thread *t)
{
    struct vm *vm = t->vm;
    struct vm_g *vg = vm_g_of(t);
    struct vm_panic *p = vg->defers->panics;
    char buf[4096];
    struct vm_out o = vm_out_last(vm, buf, sizeof buf);
    int act;

    if (is_asking(vg->defers)) {
        vg->exact = true;
        return die_asking(t, p);
    }
    if (ask_values(t, &act))
        return act;
    vg->fp = vg->stack + p->frame;
    vg->pc = p->pc;
    vg->exact = true;
    if (!claim(vm, t))
        return SCHED_RUN_EXIT;
    out_panics(&o, vm, p);
    out_signal(&o, vm, p);
    out_stacks(&o, t, VM_BLAME_PROGRAM);
    finish(vm, &o);
    return SCHED_RUN_EXIT;
}

int
vm_print_returned(struct vm_thread *t, const struct vm_run *run)
{
    const union rt_slot *r = vm_g_of(t)->fp;

    rt_assert(run->kind == VM_RUN_PRINT && run->panic->asked);
    run->panic->text = (struct rt_str){ r[0].p, r[1].i };
    run->panic->gave_text = true;
    return vm_die_panicking(t);
}

/* A fatal error at the goroutine's current instruction. */
static int
fatal_here(struct vm_thread *t, const char *text, enum vm_blame blame)
{
    struct vm *vm = t->vm;
    char buf[4096];
    struct vm_out o = vm_out_last(vm, buf, sizeof buf);

    if (!claim(vm, t))
        return SCHED_RUN_EXIT;
    out_panics_before(&o, t);
    vm_outf(&o, "fatal error: ");
    vm_out_indented(&o, (struct rt_str){ (const uint8_t *)text,
        (int64_t)strlen(text) });
    vm_outf(&o, "\n");
    out_stacks(&o, t, blame);
    finish(vm, &o);
    return SCHED_RUN_EXIT;
}

int
vm_no_memory_here(struct vm_thread *t)
{
    return fatal_here(t, "runtime: out of memory", VM_BLAME_RUNTIME);
}

bool
vm_wants_abort(const struct vm *vm)
{
    return a32_load_acq(&vm->dying) == 2 &&
        a32_load_rlx(&vm->traceback) == VM_TRACEBACK_CRASH;
}

bool
vm_set_panic_on_fault(struct vm_thread *t, bool on)
{
    struct vm_g *vg = vm_g_of(t);
    bool old = vg->panic_on_fault;

    vg->panic_on_fault = on;
    return old;
}

int
vm_fault_end(struct vm_thread *t)
{
    struct vm *vm = t->vm;
    struct vm_g *vg = vm_g_of(t);
    char buf[4096];
    struct vm_out o = vm_out_last(vm, buf, sizeof buf);

    if (vg->panic_on_fault) {
        enum vm_status st = vm_panic_nil(t, vm_m_of(t)->fault.addr);

        return vm_after(t, vg->fp, vg->pc, st);
    }
    vg->exact = true;
    vm_m_of(t)->fault.pc = vm_pc(vm, vg->pc);
    if (!claim(vm, t))
        return SCHED_RUN_EXIT;
    vm_out_fault(&o, &vm_m_of(t)->fault, "fault");
    out_stacks(&o, t, VM_BLAME_RUNTIME);
    finish(vm, &o);
    return SCHED_RUN_EXIT;
}

int
vm_stack_overflow(struct vm_thread *t)
{
    struct vm *vm = t->vm;
    struct vm_g *vg = vm_g_of(t);
    char buf[4096];
    struct vm_out o = vm_out_last(vm, buf, sizeof buf);

    if (!claim(vm, t))
        return SCHED_RUN_EXIT;
    vm_outf(&o,
        "runtime: goroutine stack exceeds %" PRIu64 "-byte limit\n"
        "fatal error: stack overflow\n",
        a64_load_rlx(&vm->max_stack) * 8);
    vg->exact = true;
    out_stacks(&o, t, VM_BLAME_RUNTIME);
    finish(vm, &o);
    return SCHED_RUN_EXIT;
}

void
vm_fatal(void *host, const char *text)
{
    struct vm *vm = host;
    char buf[4096];
    struct vm_out o = vm_out_last(vm, buf, sizeof buf);

    if (!claim(vm, NULL))
        return;
    if (a32_load_acq(&vm->main_exited) &&
        strcmp(text, "all goroutines are asleep - deadlock!") == 0)
        text = "no goroutines (main called runtime.Goexit) - deadlock!";
    vm_outf(&o, "fatal error: %s\n", text);
    if (a32_load_rlx(&vm->traceback) != VM_TRACEBACK_NONE)
        vm_out_others(&o, vm, NULL, VM_BLAME_PROGRAM);
    finish(vm, &o);
}

void
vm_quit(struct vm *vm)
{
    size_t cap = 1 << 16;
    char *buf = malloc(cap);
    struct vm_out o = vm_out_last(vm, buf, cap);
    struct vm_dump *d;

    if (buf == NULL || !claim(vm, NULL)) {
        free(buf);
        return;
    }
    vm_outf(&o, "SIGQUIT: quit\n");
    if (a32_load_rlx(&vm->traceback) != VM_TRACEBACK_NONE) {
        d = vm_dump_take_last(vm);
        vm_outf(&o, "\n");
        do {
            vm_out_flush(&o);
            o.n = d == NULL ? 0 : vm_dump_next(d, buf, cap);
        } while (o.n > 0);
        vm_dump_free(d);
    }
    finish(vm, &o);
    free(buf);
}

void
vm_no_memory(struct vm *vm)
{
    char buf[64];
    struct vm_out o = vm_out_last(vm, buf, sizeof buf);

    if (!claim(vm, NULL))
        return;
    vm_outf(&o, "fatal error: runtime: out of memory\n");
    finish(vm, &o);
}

enum vm_status
vm_fatalf(struct vm_thread *t, const char *fmt, ...)
{
    char text[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    fatal_here(t, text, VM_BLAME_PROGRAM);
    return VM_EXIT;
}

enum vm_status
vm_out_of_memory(struct vm_thread *t)
{
    vm_no_memory_here(t);
    return VM_EXIT;
}
