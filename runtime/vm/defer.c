/* SPDX-License-Identifier: MIT */

/*
 * Deferred calls.  Those of a goroutine stand on one stack, which shrinks and
 * grows as a frame defers and runs them, so a defer statement costs a copy of
 * its arguments and no allocation.  A deferred call in flight has a struct
 * vm_run, which says where its return leads.
 *
 *     meta word:  frame (32 bits) | number of argument slots (32 bits)
 */

#include <stdlib.h>
#include <string.h>

#include "runtime/vm/vm_int.h"

struct vm_defers *
vm_defers_get(struct vm_g *vg)
{
    if (vg->defers == NULL)
        vg->defers = calloc(1, sizeof *vg->defers);
    return vg->defers;
}

static bool
grow_stack(struct vm_defers *d, uint32_t need)
{
    uint32_t cap = d->cap == 0 ? 16 : d->cap;

    rt_assert(need > d->cap && d->n <= d->cap);
    while (cap < need)
        cap *= 2;
    union rt_slot *v = realloc(d->v, cap * sizeof *v);
    if (v == NULL)
        return false;
    d->v = v;
    d->cap = cap;
    return true;
}

enum vm_status
vm_defer_push(struct vm_thread *t, union rt_slot *fp,
    const struct code_closure *c, const union rt_slot *args, uint32_t nargs)
{
    struct vm_g *vg = vm_g_of(t);
    struct vm_defers *d = vm_defers_get(vg);
    struct vm_deferred top;

    if (d == NULL)
        return vm_out_of_memory(t);
    /* Deferred calls lie in the order of their frames. */
    rt_assert(fp >= vg->stack + 2 && fp < vg->stack + vg->nslots);
    rt_assert(!vm_defer_top(d, &top) || top.frame <= fp - vg->stack);
    if (d->n + nargs + 2 > d->cap && !grow_stack(d, d->n + nargs + 2))
        return vm_out_of_memory(t);
    union rt_slot *p = d->v + d->n;
    for (uint32_t i = 0; i < nargs; i++)
        p[i] = args[i];
    p[nargs].p = (void *)c;
    p[nargs + 1].u = (uint64_t)(fp - vg->stack) << 32 | nargs;
    d->n += nargs + 2;
    return VM_OK;
}

uint64_t
vm_defer_frame(struct vm_thread *t, const union rt_slot *fp)
{
    struct vm_g *vg = vm_g_of(t);

    return (uint64_t)(fp - vg->stack) << 32 | (uint32_t)t->g->id;
}

/* Where the deferred calls of frames above the given one begin. */
static uint32_t
defers_above(const struct vm_defers *d, uint32_t frame)
{
    uint32_t at = d->n;

    rt_assert(at <= d->cap);
    while (at > 0 && (uint32_t)(d->v[at - 1].u >> 32) > frame)
        at -= (uint32_t)d->v[at - 1].u + 2;
    return at;
}

enum vm_status
vm_defer_push_at(struct vm_thread *t, uint64_t frame,
    const struct code_closure *c, const union rt_slot *args, uint32_t nargs)
{
    struct vm_g *vg = vm_g_of(t);
    struct vm_defers *d = vm_defers_get(vg);
    uint32_t need = nargs + 2;

    if ((uint32_t)frame != (uint32_t)t->g->id)
        return vm_panic_plain(t, "vole: defer in the body of a "
            "range-over-func loop that runs on another goroutine");
    if (d == NULL || (d->n + need > d->cap && !grow_stack(d, d->n + need)))
        return vm_out_of_memory(t);
    rt_assert(vg->stack + (frame >> 32) < vg->fp);
    uint32_t at = defers_above(d, (uint32_t)(frame >> 32));
    union rt_slot *p = d->v + at;
    memmove(p + need, p, (d->n - at) * sizeof *p);
    memcpy(p, args, nargs * sizeof *p);
    p[nargs].p = (void *)c;
    p[nargs + 1].u = frame >> 32 << 32 | nargs;
    d->n += need;
    return VM_OK;
}

bool
vm_defer_top(const struct vm_defers *d, struct vm_deferred *out)
{
    if (d == NULL || d->n == 0)
        return false;
    uint64_t meta = d->v[d->n - 1].u;
    rt_assert((uint32_t)meta + 2 <= d->n);
    out->nargs = (uint32_t)meta;
    out->frame = (uint32_t)(meta >> 32);
    out->fn = d->v[d->n - 2].p;
    out->args = d->v + d->n - 2 - out->nargs;
    return true;
}

void
vm_defer_pop(struct vm_defers *d, const struct vm_deferred *top)
{
    rt_assert(top->args + top->nargs + 2 == d->v + d->n);
    d->n -= top->nargs + 2;
}

static bool
push_run(struct vm_defers *d, const struct vm_run *r)
{
    /* Calls in flight lie in the order of their frames, too. */
    rt_assert(d->nruns == 0 || d->runs[d->nruns - 1].callee < r->callee);
    rt_assert(r->frame <= r->caller && r->caller + 2 <= r->callee);
    rt_assert((r->panic != NULL) ==
        (r->kind == VM_RUN_PANIC || r->kind == VM_RUN_PRINT));
    if (d->nruns == d->runs_cap) {
        uint32_t cap = d->runs_cap == 0 ? 4 : d->runs_cap * 2;
        /* A profiler's signal may look at the runs at any moment. */
        struct vm_run *old = d->runs, *v = malloc(cap * sizeof *v);
        if (v == NULL)
            return false;
        if (old != NULL)
            memcpy(v, old, d->nruns * sizeof *v);
        d->runs = v;
        a_signal_fence();
        free(old);
        d->runs_cap = cap;
    }
    d->runs[d->nruns++] = *r;
    return true;
}

/* Whether the stack of deferred calls is whole: it comes out at 0, and no call
 * is of a frame above that of a later one. */
static bool
calls_valid(const struct vm_defers *d)
{
    uint32_t at = d->n, frame = UINT32_MAX;

    if (at > d->cap)
        return false;
    while (at > 0) {
        uint64_t meta = d->v[at - 1].u;
        if ((uint32_t)meta + 2 > at || (uint32_t)(meta >> 32) > frame)
            return false;
        frame = (uint32_t)(meta >> 32);
        at -= (uint32_t)meta + 2;
    }
    return true;
}

/* Whether q is one of the panics in progress. */
static bool
in_progress(const struct vm_defers *d, const struct vm_panic *q)
{
    const struct vm_panic *p = d->panics;

    while (p != NULL && p != q)
        p = p->prev;
    return p != NULL;
}

bool
vm_defers_valid(const struct vm_g *vg)
{
    const struct vm_defers *d = vg->defers;

    if (d == NULL)
        return true;
    if (!calls_valid(d) || d->nruns > d->runs_cap)
        return false;
    for (uint32_t i = 0; i < d->nruns; i++) {
        const struct vm_run *r = &d->runs[i];
        if (r->frame > r->caller || r->caller + 2 > r->callee ||
            r->callee > vg->nslots ||
            (i > 0 && d->runs[i - 1].callee >= r->callee) ||
            (r->panic != NULL && !in_progress(d, r->panic)))
            return false;
    }
    if (d->panics != NULL && d->panics->next != NULL)
        return false;
    for (const struct vm_panic *p = d->panics; p != NULL; p = p->prev)
        if (p->frame >= vg->nslots || (p->prev != NULL &&
                (p->prev->next != p || p->prev->frame > p->frame)))
            return false;
    return true;
}

/* A panic of vg's current instruction. */
static int
raise_here(struct vm_thread *t)
{
    enum vm_status st = vm_panic_nil(t, 0);

    return vm_after(t, vm_g_of(t)->fp, vm_g_of(t)->pc, st);
}

int
vm_enter_call(struct vm_thread *t, const struct vm_run *run,
    const struct code_closure *c, const union rt_slot *args, uint32_t nargs)
{
    struct vm_g *vg = vm_g_of(t);
    const struct code_func *f = c->fn;
    union rt_slot *fp = vg->stack + run->callee;
    uint64_t need = f->extent > nargs ? f->extent : nargs;

    if (vm_stack_reserve(t, &fp, need) != VM_OK)
        return SCHED_RUN_EXIT;
    if (!push_run(vg->defers, run))
        return vm_no_memory_here(t);
    fp[-1].p = &t->vm->stubs[VM_STUB_DEFER];
    fp[-2].p = NULL;
    for (uint32_t i = 0; i < nargs; i++)
        fp[i] = args[i];
    if (f->flags & CODE_F_CLOSURE)
        fp[f->ctx].p = (void *)c;
    vg->fp = fp;
    vg->pc = f->code;
    rt_assert_full(vm_frame_fits(t->vm, vg, fp, vg->pc));
    vg->exact = false;
    return VM_GO_ON;
}

int
vm_enter_deferred(struct vm_thread *t, const struct vm_run *run,
    const struct vm_deferred *d)
{
    struct vm_g *vg = vm_g_of(t);

    rt_assert(run->frame == d->frame);
    vm_defer_pop(vg->defers, d);
    if (d->fn == NULL) {
        /* defer of a nil func value panics when it runs, as if called by
         * the frame that runs it. */
        vg->fp = vg->stack + run->caller;
        vg->pc = run->pc;
        return raise_here(t);
    }
    return vm_enter_call(t, run, d->fn, d->args, d->nargs);
}

int
vm_run_defers(struct vm_thread *t, const struct code_ins *next)
{
    struct vm_g *vg = vm_g_of(t);
    uint32_t frame = (uint32_t)(vg->fp - vg->stack);
    struct vm_deferred d;

    rt_assert(vg->pc->op == OP_RUNDEFER && vg->pc->a >= 2);
    if (!vm_defer_top(vg->defers, &d) || d.frame != frame) {
        vg->pc = next;
        return VM_GO_ON;
    }
    struct vm_run run = { .kind = VM_RUN_NORMAL,
        .callee = frame + vg->pc->a,
        .frame = frame,
        .caller = frame,
        .pc = vg->pc };
    return vm_enter_deferred(t, &run, &d);
}

int
vm_defer_return(struct vm_thread *t)
{
    struct vm_g *vg = vm_g_of(t);
    struct vm_defers *d = vg->defers;

    rt_assert(d != NULL && d->nruns > 0);
    struct vm_run run = d->runs[--d->nruns];
    rt_assert((uint32_t)(vg->fp - vg->stack) == run.callee);
    switch (run.kind) {
    case VM_RUN_PRINT:
        return vm_print_returned(t, &run);
    case VM_RUN_PANIC:
        return vm_panic_returned(t, &run);
    case VM_RUN_RECOVERED:
        return vm_recovered_returned(t, &run);
    default:
        break;
    }
    vg->fp = vg->stack + run.caller;
    vg->pc = run.pc;
    return vm_run_defers(t, run.pc + 1);
}
