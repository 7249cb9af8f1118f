/* SPDX-License-Identifier: MIT */

/*
 * Panics, recover and Goexit.
 *
 * A panic runs deferred calls on top of the panicking frame, newest first,
 * whatever frame deferred them.  When such a call returns after recover() the
 * stack is cut down to the frame that deferred it, which then runs its
 * remaining deferred calls and returns from recover_off.  A panic raised in a
 * deferred call takes over the rest of the deferred calls; if that one is
 * recovered in a frame below the older panic's, the older one is over too.
 * Goexit is a panic that cannot be recovered and ends the goroutine silently;
 * one that a recovered panic has cut off goes on.
 *
 * Order: panics, runs and deferred calls all lie in the order of their
 * frames, so cutting is popping.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/str.h"
#include "runtime/vm/vm_int.h"

/* With more calls in flight than that they are not all looked at. */
enum { WALKED = 100 };

void
vm_panics_free(struct vm_panic *p)
{
    while (p != NULL) {
        struct vm_panic *prev = p->prev;
        free(p);
        p = prev;
    }
}

/* The first slot above the frame of f that a call may use. */
static uint32_t
above_frame(uint32_t frame, const struct code_func *f)
{
    return frame + (f == NULL ? 0 : f->extent) + 2;
}

static int
end_goexit(struct vm_thread *t)
{
    struct vm_g *vg = vm_g_of(t);
    struct sched_g *g = t->g;

    rt_assert(vg->defers->n == 0 && vg->defers->panics->goexit);
    vm_panics_free(vg->defers->panics);
    vg->defers->panics = NULL;
    vg->defers->nruns = 0;
    if (g->id != 1)
        return SCHED_RUN_DONE;
    /* The program goes on without its main goroutine. */
    a32_store_rel(&t->vm->main_exited, 1);
    vg->fp = vg->stack + 2;
    vg->pc = &t->vm->stubs[VM_STUB_END];
    sched_park_begin(t->m, g, WAIT_SELECT_NONE);
    return SCHED_RUN_PARKED;
}

/* Runs the next deferred call on behalf of p. */
static int
unwind(struct vm_thread *t, struct vm_panic *p)
{
    struct vm_g *vg = vm_g_of(t);
    struct vm_deferred d;

    rt_assert(p == vg->defers->panics && !p->recovered);
    rt_assert_full(vg->defers->nruns > WALKED || vm_defers_valid(vg));
    vg->fp = vg->stack + p->frame;
    vg->pc = p->pc;
    if (!vm_defer_top(vg->defers, &d))
        return p->goexit ? end_goexit(t) : vm_die_panicking(t);
    struct vm_run run = {.kind = VM_RUN_PANIC,
        .callee = above_frame(p->frame, vm_func_at(t->vm, p->pc)),
        .frame = d.frame,
        .caller = p->frame,
        .pc = p->pc,
        .panic = p};
    return vm_enter_deferred(t, &run, &d);
}

static struct vm_panic *
push_panic(struct vm_thread *t)
{
    struct vm_g *vg = vm_g_of(t);
    struct vm_defers *d = vm_defers_get(vg);
    struct vm_panic *p = d == NULL ? NULL : calloc(1, sizeof *p);

    if (p == NULL)
        return NULL;
    p->frame = (uint32_t)(vg->fp - vg->stack);
    p->pc = vg->pc;
    rt_assert(d->panics == NULL || d->panics->frame <= p->frame);
    p->prev = d->panics;
    if (p->prev != NULL)
        p->prev->next = p;
    d->panics = p;
    return p;
}

static void
pop_panic(struct vm_defers *d)
{
    struct vm_panic *p = d->panics;

    rt_assert(p != NULL && p->next == NULL);
    d->panics = p->prev;
    if (p->prev != NULL)
        p->prev->next = NULL;
    free(p);
}

static int
panic_begin(struct vm_thread *t)
{
    struct vm_m *vt = vm_m_of(t);
    struct vm_panic *p = push_panic(t);

    if (p == NULL)
        return vm_no_memory_here(t);
    rt_assert(vt->panic.type != NULL || a32_load_rlx(&t->vm->panicnil) != 0);
    p->value = vt->panic;
    p->sigsegv = vt->sigsegv;
    p->sigaddr = vt->sigaddr;
    vt->panic = (struct rt_iface){ NULL, NULL };
    vt->sigsegv = false;
    return unwind(t, p);
}

static int
goexit_begin(struct vm_thread *t)
{
    struct vm_panic *p = push_panic(t);

    if (p == NULL)
        return vm_no_memory_here(t);
    p->goexit = true;
    return unwind(t, p);
}

int
vm_after(struct vm_thread *t, union rt_slot *fp, const struct code_ins *pc,
    enum vm_status st)
{
    /* A goroutine that has parked may run elsewhere by now: only where it did
     * not may vg be touched. */
    switch (st) {
    case VM_PARK:
        return SCHED_RUN_PARKED;
    case VM_EXIT:
        return SCHED_RUN_EXIT;
    case VM_YIELD:
        return SCHED_RUN_YIELD;
    case VM_PANIC:
    case VM_GOEXIT:
        vm_g_of(t)->fp = fp;
        vm_g_of(t)->pc = pc;
        vm_sync(t);
        return st == VM_PANIC ? panic_begin(t) : goexit_begin(t);
    case VM_OK:
        break;
    }
    rt_throw("vm: bad status of an operation");
}

/* Goes on in a frame that has recovered: its other deferred calls, then its
 * return. */
static int
leave_frame(struct vm_thread *t, uint32_t frame, const struct code_ins *pc)
{
    struct vm_g *vg = vm_g_of(t);
    const struct code_func *f = vm_func_at(t->vm, pc);
    struct vm_deferred d;

    rt_assert(f != NULL && (f->flags & CODE_F_DEFER));
    rt_assert(f->recover_off < f->ncode);
    vg->fp = vg->stack + frame;
    vm_cells_cut(vg, frame);
    if (vm_defer_top(vg->defers, &d) && d.frame == frame) {
        struct vm_run run = {.kind = VM_RUN_RECOVERED,
            .callee = above_frame(frame, f),
            .frame = frame,
            .caller = frame,
            .pc = pc};
        vg->pc = pc;
        return vm_enter_deferred(t, &run, &d);
    }
    vg->pc = f->code + f->recover_off;
    rt_assert_full(vm_frame_fits(t->vm, vg, vg->fp, vg->pc));
    return VM_GO_ON;
}

/* The instruction at which the frame stands; walks down from p's. */
static const struct code_ins *
find_frame(struct vm_thread *t, struct vm_panic *p, uint32_t frame)
{
    struct vm_g *vg = vm_g_of(t);
    struct vm_walker w;

    vg->fp = vg->stack + p->frame;
    vg->pc = p->pc;
    vg->exact = true;
    bool ok = vm_walk_begin(&w, t->vm, vg);
    while (ok && w.fp != vg->stack + frame)
        ok = vm_walk_next(&w);
    vg->exact = false;
    if (!ok)
        rt_throw("vm: the frame that recovered is not on the stack");
    return w.pc;
}

static int
recovered(struct vm_thread *t, struct vm_panic *p, uint32_t frame)
{
    struct vm_defers *d = vm_g_of(t)->defers;
    const struct code_ins *pc = find_frame(t, p, frame);
    bool goexit = false;

    rt_assert(p->recovered && !p->goexit && p->frame >= frame);
    while (d->panics != NULL && d->panics->frame >= frame) {
        goexit |= d->panics->goexit;
        pop_panic(d);
    }
    while (d->nruns > 0 && d->runs[d->nruns - 1].callee > frame)
        d->nruns--;
    rt_assert_full(d->nruns > WALKED || vm_defers_valid(vm_g_of(t)));
    if (!goexit)
        return leave_frame(t, frame, pc);
    struct vm_g *vg = vm_g_of(t);
    vg->fp = vg->stack + frame;
    vg->pc = pc;
    return goexit_begin(t);
}

int
vm_panic_returned(struct vm_thread *t, const struct vm_run *run)
{
    struct vm_panic *p = run->panic;

    rt_assert(run->kind == VM_RUN_PANIC && p == vm_g_of(t)->defers->panics);
    if (p->recovered)
        return recovered(t, p, run->frame);
    return unwind(t, p);
}

int
vm_recovered_returned(struct vm_thread *t, const struct vm_run *run)
{
    return leave_frame(t, run->frame, run->pc);
}

/* Whether the frame at fp is that of the deferred call at `callee`, or was
 * called by it through nothing but glue (vm_made_glue()). */
static bool
is_deferred(const struct vm *vm, const struct vm_g *vg,
    const union rt_slot *fp, uint32_t callee)
{
    while (fp > vg->stack + callee) {
        const struct code_ins *ret = fp[-1].p;
        const struct code_func *f = vm_func_at(vm, ret - 1);
        if (f == NULL || !vm_made_glue(vm, f))
            return false;
        fp = vm_caller(fp);
    }
    return fp == vg->stack + callee;
}

struct rt_iface
vm_recover(struct vm_thread *t, const union rt_slot *fp, bool deferred)
{
    struct vm_g *vg = vm_g_of(t);
    struct vm_defers *d = vg->defers;
    struct rt_iface none = { NULL, NULL };

    rt_assert(fp >= vg->stack + 2 && fp < vg->stack + vg->nslots);
    if (d == NULL || d->panics == NULL || d->nruns == 0)
        return none;
    struct vm_panic *p = d->panics;
    const struct vm_run *run = &d->runs[d->nruns - 1];
    uint64_t frame = (uint64_t)(fp - vg->stack);
    if (deferred) {
        if (d->nruns < 2 || run->callee != frame)
            return none;
        frame = run->frame;
        run--;
    }
    if (run->kind != VM_RUN_PANIC || run->panic != p || p->goexit ||
        p->recovered ||
        !is_deferred(t->vm, vg, vg->stack + frame, run->callee))
        return none;
    p->recovered = true;
    return p->value;
}

/* ---- raising ------------------------------------------------------------------ */

/* The value of a run-time error with this full text: a Go value whose memory
 * begins with the string. */
static struct rt_iface
error_value(struct vm_thread *t, const struct rtype *type, const char *text)
{
    struct rt_str s;
    struct rt_iface v = { type, NULL };
    uint64_t box[8] = { 0 };

    if (!str_new(t->cache, text, strlen(text), &s) ||
        rtype_size(type) > sizeof box)
        return v;
    if (type->kind == RK_POINTER) {
        const struct rtype *e = type->elem;
        void *p = gc_alloc(t->cache, &e->layout);
        if (p != NULL) {
            gc_write_barrier(t->cache, p, (void *)s.ptr);
            memcpy(p, &s,
                rtype_size(e) < sizeof s ? rtype_size(e) : sizeof s);
        }
        v.data = p;
        return v;
    }
    rt_assert(rtype_size(type) >= sizeof s);
    memcpy(box, &s, sizeof s);
    v.data = iface_box(t->cache, type, box);
    return v;
}

static enum vm_status
raise_error(struct vm_thread *t, enum vm_error what, const char *text)
{
    struct rt_iface v = error_value(t, t->vm->errors[what], text);

    return v.data == NULL ? vm_out_of_memory(t) : vm_panic_value(t, v);
}

enum vm_status
vm_panic_value(struct vm_thread *t, struct rt_iface v)
{
    struct vm_m *vt = vm_m_of(t);

    if (v.type == NULL && a32_load_rlx(&t->vm->panicnil) == 0)
        return raise_error(t, VM_ERR_NIL, "panic called with nil argument");
    vt->panic = v;
    vt->sigsegv = false;
    return VM_PANIC;
}

static enum vm_status
raise_errorv(
    struct vm_thread *t, enum vm_error what, const char *fmt, va_list ap)
{
    char text[1024];

    vsnprintf(text, sizeof text, fmt, ap);
    return raise_error(t, what, text);
}

enum vm_status
vm_panic_error(
    struct vm_thread *t, enum vm_error what, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    enum vm_status st = raise_errorv(t, what, fmt, ap);
    va_end(ap);
    return st;
}

enum vm_status
vm_panicf(struct vm_thread *t, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    enum vm_status st = raise_errorv(t, VM_ERR_RUNTIME, fmt, ap);
    va_end(ap);
    return st;
}

enum vm_status
vm_panic_plain(struct vm_thread *t, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    enum vm_status st = raise_errorv(t, VM_ERR_PLAIN, fmt, ap);
    va_end(ap);
    return st;
}

enum vm_status
vm_panic_nil(struct vm_thread *t, uint64_t addr)
{
    struct vm_m *vt = vm_m_of(t);

    enum vm_status st =
        vm_panicf(t, "invalid memory address or nil pointer dereference");

    if (st != VM_PANIC)
        return st;
    vt->sigsegv = true;
    vt->sigaddr = addr;
    return VM_PANIC;
}
