/* SPDX-License-Identifier: MIT */

/* Stacks of goroutines as text, in Go's form. */

#include <inttypes.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/vm/vm_int.h"

/* Of a very deep stack the innermost and the outermost frames are shown. */
enum { SHOWN = 50 };

/* The function that initialises packages and calls main.main. */
static bool
is_entry(const struct vm *vm, const struct code_func *f)
{
    return f->id == vm->im->entry && vm->im->entry != vm->im->main;
}

bool
vm_frame_hidden(const struct vm *vm, const struct code_func *f)
{
    return a32_load_rlx(&vm->traceback) < VM_TRACEBACK_SYSTEM &&
        ((f->flags & CODE_F_WRAPPER) || is_entry(vm, f));
}

static void
out_place(struct vm_out *o, const struct vm *vm, vpc pc)
{
    struct vm_frame f;

    if (vm_symbolize(vm, pc, &f))
        vm_outf(o, "\t%s:%u +0x%x\n", f.file, f.line, f.off * 8);
}

void
vm_out_created(struct vm_out *o, const struct vm *vm, vpc at, vgoid parent)
{
    struct vm_frame f;

    if (at == 0 || !vm_symbolize(vm, at, &f))
        return;
    vm_outf(o, "created by %s", f.func->name);
    if (parent != 0)
        vm_outf(o, " in goroutine %" PRIu64, parent);
    vm_outf(o, "\n");
    out_place(o, vm, at);
}

static void
out_frame(struct vm_out *o, const struct vm_walker *w)
{
    uint32_t off = (uint32_t)(w->pc - w->func->code);

    vm_outf(o, "%s(%s)\n", w->func->name, w->func->nargs != 0 ? "..." : "");
    out_place(o, w->vm, vpc_make(w->func->id, off));
}

static uint64_t
count_frames(const struct vm *vm, const struct vm_g *vg)
{
    struct vm_walker w;
    uint64_t n = 0;

    if (!vm_walk_begin(&w, vm, vg))
        return 0;
    do {
        n += !vm_frame_hidden(vm, w.func);
    } while (vm_walk_next(&w));
    return n;
}

static void
out_frames(struct vm_out *o, const struct vm *vm, const struct vm_g *vg)
{
    struct vm_walker w;
    uint64_t total = count_frames(vm, vg), i = 0;

    if (!vm_walk_begin(&w, vm, vg))
        return;
    do {
        if (w.panics)
            vm_outf(o, "panic(...)\n\truntime/panic.go:1 +0x0\n");
        if (vm_frame_hidden(vm, w.func))
            continue;
        if (total <= 2 * SHOWN || i < SHOWN || i >= total - SHOWN)
            out_frame(o, &w);
        else if (i == SHOWN)
            vm_outf(o, "...%" PRIu64 " frames elided...\n",
                total - 2 * SHOWN);
        i++;
    } while (vm_walk_next(&w));
}

static const char *
state_text(const struct sched_g *g, bool running)
{
    if (running)
        return "running";
    switch (sched_g_state(g)) {
    case G_IDLE:
        return "idle";
    case G_RUNNABLE:
        return "runnable";
    case G_RUNNING:
        return "running";
    case G_SYSCALL:
        return "syscall";
    case G_WAITING:
        return sched_wait_text(g->wait_reason);
    default:
        return "dead";
    }
}

void
vm_out_goroutine(struct vm_out *o, const struct vm *vm,
    const struct sched_g *g, bool running)
{
    vm_outf(o, "goroutine %" PRIu64 " [%s", g->id, state_text(g, running));
    if (!running && sched_g_state(g) == G_WAITING &&
        g->wait_since != 0) {
        uint64_t min =
            ((uint64_t)rt_nanotime() - g->wait_since) / 60000000000u;
        if (min >= 1 && min < 1000000)
            vm_outf(o, ", %" PRIu64 " minutes", min);
    }
    vm_outf(o, "%s]:\n", g->locked ? ", locked to thread" : "");
    if (!running && sched_g_state(g) == G_RUNNING)
        vm_outf(o, "\tgoroutine running on other thread; "
                   "stack unavailable\n");
    else if (g->vg != NULL)
        out_frames(o, vm, g->vg);
    vm_out_created(o, vm, g->created_at, g->parent_id);
}

struct others {
    struct vm_out *o;
    struct vm *vm;
    const struct sched_g *but;
};

static void
out_other(void *arg, struct sched_g *g)
{
    const struct others *a = arg;

    if (g == a->but || sched_g_state(g) == G_DEAD)
        return;
    /* The main goroutine after Goexit only looks parked. */
    if (g->id == 1 && a32_load_acq(&a->vm->main_exited))
        return;
    if (sched_g_is_system(g) &&
        a32_load_rlx(&a->vm->traceback) < VM_TRACEBACK_SYSTEM)
        return;
    vm_outf(a->o, "\n");
    vm_out_goroutine(a->o, a->vm, g, false);
}

void
vm_out_others(struct vm_out *o, struct vm *vm, const struct sched_g *but)
{
    struct others a = { o, vm, but };

    sched_for_each_g(vm->sched, out_other, &a);
}
