/* SPDX-License-Identifier: MIT */

/* Stacks of goroutines as text, in Go's form. */

#include <inttypes.h>
#include <string.h>

#include "runtime/vm/vm_int.h"
#include "sched/bubble.h"

/* The function that initialises packages and calls main.main. */
static bool
is_entry(const struct vm *vm, const struct code_func *f)
{
    return f->id == vm->im->entry && vm->im->entry != vm->im->main;
}

/* What Go has in its runtime, or does not have. */
static bool
is_inner(const struct vm *vm, const struct code_func *f)
{
    return (f->flags & CODE_F_WRAPPER) != 0 || is_entry(vm, f);
}

bool
vm_shows_system(const struct vm *vm, enum vm_blame blame)
{
    return blame == VM_BLAME_RUNTIME ||
        a32_load_rlx(&vm->traceback) >= VM_TRACEBACK_SYSTEM;
}

bool
vm_frame_hidden(const struct vm *vm, const struct code_func *f)
{
    return !vm_shows_system(vm, VM_BLAME_PROGRAM) && is_inner(vm, f);
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

struct shown {
    vpc *pcs;           /* the first VM_SHOWN */
    vpc ring[VM_SHOWN]; /* the last ones after them */
    uint64_t total;
};

static void
show(struct shown *s, vpc pc)
{
    if (s->total < VM_SHOWN)
        s->pcs[s->total] = pc;
    else
        s->ring[(s->total - VM_SHOWN) % VM_SHOWN] = pc;
    s->total++;
}

uint16_t
vm_walk_shown(const struct vm *vm, const struct vm_g *vg, bool system,
    vpc *pcs, uint64_t *elided)
{
    struct shown s = { .pcs = pcs };
    uint64_t total;
    uint32_t k, head = 0;
    struct vm_walker w;

    *elided = 0;
    if (!vm_walk_begin(&w, vm, vg))
        return 0;
    do {
        if (w.panics)
            show(&s, vpc_make(vm->gopanic.id, 0));
        if (system || !is_inner(vm, w.func))
            show(&s, vpc_make(w.func->id, (uint32_t)(w.pc - w.func->code)));
    } while (vm_walk_next(&w));
    if (system)
        show(&s, vpc_make(vm->goexit.id, 0));
    total = s.total;
    if (total <= VM_SHOWN)
        return (uint16_t)total;
    k = total < 2 * VM_SHOWN ? (uint32_t)total - VM_SHOWN : VM_SHOWN;
    if (total > 2 * VM_SHOWN) {
        *elided = total - 2 * VM_SHOWN;
        head = (uint32_t)((total - VM_SHOWN) % VM_SHOWN);
    }
    rt_assert(k <= VM_SHOWN && head < VM_SHOWN);
    for (uint32_t i = 0; i < k; i++)
        pcs[VM_SHOWN + i] = s.ring[(head + i) % VM_SHOWN];
    return (uint16_t)(VM_SHOWN + k);
}

static void
out_pc(struct vm_out *o, const struct vm *vm, vpc pc)
{
    struct vm_frame f;

    if (!vm_symbolize(vm, pc, &f))
        return;
    if (f.func == &vm->gopanic)
        vm_outf(o, "panic(...)\n");
    else if (f.func == &vm->goexit)
        vm_outf(o, "%s({})\n", f.func->name);
    else
        vm_outf(o, "%s(%s)\n", f.func->name, f.func->nargs != 0 ? "..." : "");
    out_place(o, vm, pc);
}

void
vm_out_frames(struct vm_out *o, const struct vm *vm, const vpc *pcs,
    uint16_t n, uint64_t elided)
{
    rt_assert(n <= 2 * VM_SHOWN && (elided == 0 || n == 2 * VM_SHOWN));
    for (uint16_t i = 0; i < n; i++) {
        if (i == VM_SHOWN && elided != 0)
            vm_outf(o, "...%" PRIu64 " frames elided...\n", elided);
        out_pc(o, vm, pcs[i]);
    }
}

static void
out_stack(
    struct vm_out *o, const struct vm *vm, const struct vm_g *vg, bool system)
{
    vpc pcs[2 * VM_SHOWN];
    uint64_t elided;
    uint16_t n = vm_walk_shown(vm, vg, system, pcs, &elided);

    vm_out_frames(o, vm, pcs, n, elided);
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

struct vm_head
vm_head_of(const struct sched_g *g, bool running)
{
    const struct sched_m *m = g->m;
    bool waits = !running && sched_g_state(g) == G_WAITING;

    return (struct vm_head){
        .id = g->id,
        .g = g,
        .m = m,
        .mid = m == NULL ? 0 : m->id,
        .state = state_text(g, running),
        .wait_since = waits ? a64_load_rlx(&g->wait_since) : 0,
        .bubble = bubble_id(g->bubble),
        .locked = g->locked,
        .leaked = waits && g->leaked,
        .durable = waits && g->durable,
    };
}

/* Where the scheduler keeps what it knows of a goroutine, for whoever has a
 * debugger. */
static void
out_structures(struct vm_out *o, const struct vm_head *h)
{
    vm_outf(o, " gp=0x%" PRIxPTR, (uintptr_t)h->g);
    if (h->m == NULL)
        vm_outf(o, " m=nil");
    else
        vm_outf(o, " m=%" PRIu32 " mp=0x%" PRIxPTR, h->mid, (uintptr_t)h->m);
}

void
vm_out_head(
    struct vm_out *o, const struct vm_head *h, bool system, uint64_t now)
{
    vm_outf(o, "goroutine %" PRIu64, h->id);
    if (system)
        out_structures(o, h);
    vm_outf(o, " [%s%s%s", h->state, h->leaked ? " (leaked)" : "",
        h->durable ? " (durable)" : "");
    if (h->wait_since != 0 && now > h->wait_since) {
        uint64_t min = (now - h->wait_since) / 60000000000u;

        if (min >= 1 && min < 1000000)
            vm_outf(o, ", %" PRIu64 " minutes", min);
    }
    vm_outf(o, "%s", h->locked ? ", locked to thread" : "");
    if (h->bubble != 0)
        vm_outf(o, ", synctest bubble %" PRIu64, h->bubble);
    vm_outf(o, "]:\n");
}

void
vm_out_goroutine(struct vm_out *o, const struct vm *vm,
    const struct sched_g *g, bool running, enum vm_blame blame)
{
    struct vm_head head = vm_head_of(g, running);
    bool system = vm_shows_system(vm, blame);

    vm_out_head(o, &head, system, sched_now(vm->sched));
    if (!running && sched_g_state(g) == G_RUNNING)
        vm_outf(o, "\tgoroutine running on other thread; "
                   "stack unavailable\n");
    else if (g->vg != NULL)
        out_stack(o, vm, g->vg, system);
    vm_out_created(o, vm, g->created_at, g->parent_id);
}

static bool
shows_all(const struct vm *vm)
{
    return a32_load_rlx(&vm->traceback) >= VM_TRACEBACK_ALL;
}

struct others {
    struct vm_out *o;
    struct vm *vm;
    const struct sched_g *but;
    enum vm_blame blame;
    bool lost;     /* only those that can never go on */
    uint32_t left; /* others */
};

static void
out_other(void *arg, struct sched_g *g)
{
    struct others *a = arg;

    if (g == a->but || sched_g_state(g) == G_DEAD)
        return;
    /* The main goroutine after Goexit only looks parked. */
    if (g->id == 1 && a32_load_acq(&a->vm->main_exited))
        return;
    if (sched_g_is_system(g) && !vm_shows_system(a->vm, a->blame))
        return;
    if (a->lost && !g->leaked) {
        a->left++;
        return;
    }
    vm_outf(a->o, "\n");
    vm_out_goroutine(a->o, a->vm, g, false, a->blame);
}

void
vm_out_others(struct vm_out *o, struct vm *vm, const struct sched_g *but,
    enum vm_blame blame)
{
    struct others a = { o, vm, but, blame,
        sched_ends_for_lost(vm->sched) && !shows_all(vm), 0 };

    sched_for_each_g(vm->sched, out_other, &a);
    if (a.left > 0)
        vm_outf(o, "\n%" PRIu32 " other goroutine%s; GOTRACEBACK=all shows "
            "%s\n", a.left, a.left == 1 ? "" : "s",
            a.left == 1 ? "it" : "them");
}
