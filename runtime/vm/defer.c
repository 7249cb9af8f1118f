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

    if (d == NULL)
        return vm_out_of_memory(t);
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
above(const struct vm_defers *d, uint32_t frame)
{
    uint32_t at = d->n;

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
    uint32_t at = above(d, (uint32_t)(frame >> 32));
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
    out->nargs = (uint32_t)meta;
    out->frame = (uint32_t)(meta >> 32);
    out->fn = d->v[d->n - 2].p;
    out->args = d->v + d->n - 2 - out->nargs;
    return true;
}

void
vm_defer_pop(struct vm_defers *d, const struct vm_deferred *top)
{
    d->n -= top->nargs + 2;
}

static bool
push_run(struct vm_defers *d, const struct vm_run *r)
{
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

/* A panic of vg's current instruction. */
static int
raise_here(struct vm_thread *t)
{
    if (vm_panic_nil(t, 0) != VM_PANIC)
        return SCHED_RUN_EXIT;
    return vm_panic_begin(t);
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
        return vm_fatal_here(t, "runtime: out of memory");
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
