/* SPDX-License-Identifier: MIT */
/* What the race detector asks of the VM: its side of struct race_host. */
#include "runtime/race/race.h"

#include <stdio.h>
#include <string.h>

#include "profile/record/bucket.h"
#include "runtime/vm/vm_int.h"

/* The goroutine has saved where it is, or is there in the interpreter, which
 * has saved something older: until left(). */
struct stood {
    struct vm_g *vg;
    union rt_slot *fp;
    const struct code_ins *pc;
    bool exact;
};

static struct stood
stands(struct vm_g *vg, const void *pc, const void *fp)
{
    struct stood was = {vg, vg->fp, vg->pc, vg->exact};

    if (fp != NULL) {
        vg->fp = (union rt_slot *)fp;
        vg->pc = pc;
        vg->exact = true;
    }
    return was;
}

static void
left(const struct stood *was)
{
    was->vg->fp = was->fp;
    was->vg->pc = was->pc;
    was->vg->exact = was->exact;
}

static uint32_t
add(void *arg, uint32_t outer, vpc pc)
{
    return race_stack_add(arg, outer, pc);
}

static uint32_t
stack(void *host, void *owner, const void *pc, const void *fp)
{
    const struct vm *vm = host;
    struct sched_m *m = sched_m_self();
    const struct vm_adder adder = {add, vm->race};

    rt_assert(m != NULL && m->g == owner);
    if (m->g->vg == NULL)
        return 0;
    struct stood was = stands(m->g->vg, pc, fp);
    uint32_t id = vm_walk_number(m, &adder);
    left(&was);
    return id;
}

static vpc
innermost(void *host, void *owner, const void *pc, const void *fp)
{
    struct sched_m *m = sched_m_self();

    (void)host;
    rt_assert(m != NULL && m->g == owner);
    if (m->g->vg == NULL)
        return 0;
    struct stood was = stands(m->g->vg, pc, fp);
    vpc v = vm_walk_place(m);
    left(&was);
    return v;
}

static bool
frame(void *host, vpc pc, struct race_frame *out)
{
    struct vm_frame f;

    if (!vm_symbolize(host, pc, &f) || vm_frame_hidden(host, f.func))
        return false;
    *out = (struct race_frame){f.func->name, f.file, f.line,
        f.off * (uint32_t)sizeof(struct code_ins)};
    return true;
}

/* The package variable that the address lies in. */
static const struct code_global *
global_at(const struct vm *vm, uint64_t off)
{
    const struct code_image *im = vm->im;

    for (uint32_t i = 0; i < im->nglobals; i++) {
        const struct code_global *g = &im->global_list[i];

        if (off - g->offset < g->type->layout.size)
            return g;
    }
    return NULL;
}

static bool
variable(const struct vm *vm, uint64_t off, struct race_place *out)
{
    const struct code_global *g = global_at(vm, off);

    if (g == NULL)
        return false;
    if (g->offset == off)
        snprintf(out->text, sizeof out->text, "variable %s of type %s",
            g->name, g->type->string);
    else
        snprintf(out->text, sizeof out->text, "variable %s of type %s, %llu "
            "bytes behind its beginning", g->name, g->type->string,
            (unsigned long long)(off - g->offset));
    return true;
}

/* An object of the heap: where it was allocated is known if the heap profile
 * has taken it as a sample. */
static bool
object(void *host, uintptr_t addr, struct race_place *out)
{
    const struct vm *vm = host;
    uint64_t off = addr - (uintptr_t)vm->globals;
    const struct prof_bucket *site;
    struct gc_object o;

    if (off < vm->im->globals_size)
        return variable(vm, off, out);
    if (!gc_find_object(vm->heap, (const void *)addr, &o))
        return false;
    snprintf(out->text, sizeof out->text, "heap block of %llu bytes at "
        "0x%012llx", (unsigned long long)o.size,
        (unsigned long long)(uintptr_t)o.base);
    site = gc_find_site(vm->heap, o.base);
    for (uint32_t i = 0; site != NULL && i < site->nstk &&
        out->n < sizeof out->pcs / sizeof *out->pcs; i++)
        out->pcs[out->n++] = site->stk[i];
    return true;
}

/* Others may run on, but by a seed, where the process is not the program's
 * alone: the next execution comes after this one. */
static void
halt(void *host, int status)
{
    struct vm *vm = host;

    if (!sched_by_seed(vm->sched))
        rt_quit(status);
    sched_exit(vm->sched, status);
}

const struct race_host vm_race_host = {
    .stack = stack,
    .place = innermost,
    .frame = frame,
    .object = object,
    .halt = halt,
};
