/* SPDX-License-Identifier: MIT */

/*
 * Goroutine stacks.  A stack is a contiguous array of slots; the first one is
 * part of struct vm_g, larger ones come from malloc and, from VM_STACK_MMAP
 * slots on, are mappings that the kernel can move.
 *
 * Only the goroutine itself grows its stack, at a call.  The collector
 * shrinks the stack of one that does not run.  What may point into frames
 * then are waiters of channels, and these are shifted with the channels
 * locked (sched_shift_elems(); Go's adjustsudogs).  Everything else counts in
 * slots from the stack's base.  A goroutine in the middle of a native keeps
 * its stack: those in system calls, and those that only one thread may run.
 *
 * struct vm_g's are made in chunks and never given back before the end.  Once
 * a struct sched_g has one it keeps it, dead or alive, so that a thread which
 * poisons a goroutine that is just ending finds valid memory.  New ones are
 * taken from the chunks some at a time by each thread.
 */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/vm/vm_int.h"

struct vm_gchunk {
    struct vm_gchunk *next;
    struct {
        _Alignas(RT_CACHE_LINE) struct vm_g g;
    } at[VM_G_CHUNK];
};

static void
slots_free(struct vm *vm, struct vm_g *vg, union rt_slot *p, uint32_t n)
{
    rt_assert(p != NULL && n > 0);
    if (p == vg->first) {
        rt_asan_poison(p, sizeof vg->first);
        return;
    }
    a64_add_rlx(&vm->stack_bytes, (uint64_t)0 - 8u * (uint64_t)n);
    if (n >= VM_STACK_MMAP)
        munmap(p, 8u * (size_t)n);
    else
        free(p);
}

static void
stack_free(struct vm *vm, struct vm_g *vg)
{
    slots_free(vm, vg, vg->stack, vg->nslots);
}

static void
use_first(struct vm_g *vg)
{
    rt_asan_unpoison(vg->first, sizeof vg->first);
    vg->stack = vg->first;
    vg->nslots = VM_STACK_FIRST;
    aptr_store_rlx(&vg->limit, vg->first + VM_STACK_FIRST);
}

static void *
map_slots(uint64_t n)
{
    void *p = mmap(NULL, 8 * n, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

/* Sets the stack's size to n slots, keeping its contents; fp moves along. */
static bool
stack_resize(struct vm *vm, struct vm_g *vg, uint64_t n)
{
    union rt_slot *old = vg->stack, *p;
    uint64_t off = (uint64_t)(vg->fp - old);
    uint32_t was = vg->nslots;

    rt_assert(n > was && off <= was);
    /* A profiler's signal on this thread finds an empty stack meanwhile. */
    vg->nslots = 0;
    a_signal_fence();
    if (was >= VM_STACK_MMAP) {
        p = mremap(old, 8u * (size_t)was, 8 * n, MREMAP_MAYMOVE);
        if (p == MAP_FAILED)
            p = NULL;
        else
            a64_add_rlx(&vm->stack_bytes, 8 * (n - was));
    } else {
        p = n >= VM_STACK_MMAP ? map_slots(n) : malloc(8 * n);
        if (p != NULL) {
            memcpy(p, old, 8u * (size_t)was);
            slots_free(vm, vg, old, was);
            a64_add_rlx(&vm->stack_bytes, 8 * n);
        }
    }
    if (p == NULL) {
        a_signal_fence();
        vg->nslots = was;
        return false;
    }
    vg->stack = p;
    a_signal_fence();
    vg->nslots = (uint32_t)n;
    vg->fp = p + off;
    aptr_store_rlx(&vg->limit, p + n);
    rt_assert(vg->stack != vg->first);
    return true;
}

/* ---- free lists --------------------------------------------------------------- */

static struct vm_g *
new_chunk(struct vm *vm)
{
    struct vm_gchunk *c;

    if (posix_memalign((void **)&c, RT_CACHE_LINE, sizeof *c) != 0)
        return NULL;
    a64_add_rlx(&vm->stack_bytes, sizeof *c);
    for (unsigned i = 0; i < VM_G_CHUNK; i++) {
        memset(&c->at[i].g, 0, offsetof(struct vm_g, first));
        use_first(&c->at[i].g);
#if RT_ASAN
        rt_asan_poison(c->at[i].g.red_zone, VM_RED_ZONE);
#endif
        c->at[i].g.link = i + 1 < VM_G_CHUNK ? &c->at[i + 1].g : NULL;
    }
    c->next = vm->chunks;
    vm->chunks = c;
    return &c->at[0].g;
}

/* Fills a thread's list of new ones. */
static void
refill(struct vm *vm, struct vm_m *vt)
{
    rt_lock(&vm->lock);
    for (unsigned i = 0; i < VM_G_REFILL; i++) {
        if (vm->free == NULL)
            vm->free = new_chunk(vm);
        struct vm_g *g = vm->free;
        if (g == NULL)
            break;
        vm->free = g->link;
        g->link = vt->free;
        vt->free = g;
    }
    rt_unlock(&vm->lock);
}

static struct vm_m *
self(const struct vm *vm)
{
    struct sched_m *m = sched_m_self();
    struct vm_m *vt = m == NULL ? NULL : (struct vm_m *)m->vt;

    return vt != NULL && vt->t.vm == vm ? vt : NULL;
}

static struct vm_g *
take(struct vm *vm)
{
    struct vm_m *vt = self(vm);
    struct vm_g *g;

    if (vt != NULL) {
        if (vt->free == NULL)
            refill(vm, vt);
        g = vt->free;
        if (g != NULL) {
            vt->free = g->link;
        }
        return g;
    }
    rt_lock(&vm->lock);
    if (vm->free == NULL)
        vm->free = new_chunk(vm);
    g = vm->free;
    if (g != NULL)
        vm->free = g->link;
    rt_unlock(&vm->lock);
    return g;
}

enum rt_status
vm_g_init(void *host, struct sched_g *g, const void *fn,
    const union rt_slot *args, uint32_t nargs)
{
    struct vm *vm = host;
    const struct code_closure *c = fn;
    const struct code_func *f = c->fn;
    struct vm_g *vg = g->vg;

    if (vg == NULL) {
        vg = take(vm);
        if (vg == NULL)
            return RT_ENOMEM;
        rt_assert(vg->defers == NULL && vg->g == NULL);
        vg->link = NULL;
        vg->g = g;
        g->vg = vg;
    }
    rt_assert(vg->g == g && vg->stack == vg->first && vg->defers == NULL);
    rt_assert(f->extent >= nargs);
    vg->exact = true;
    vg->panic_on_fault = false;
    vg->again = 0;
    vg->fp = vg->stack + 2;
    uint64_t need = 2u + f->extent;
    if (need > vg->nslots && !stack_resize(vm, vg, 2 * need)) {
        vm_g_free(host, g);
        return RT_ENOMEM;
    }
    aptr_store_rlx(&vg->limit, vg->stack + vg->nslots);
    vg->fp[-1].p = &vm->stubs[VM_STUB_END];
    vg->fp[-2].p = NULL;
    if (nargs != 0)
        memcpy(vg->fp, args, 8u * nargs);
    if (f->extent != 0 && (f->flags & CODE_F_CLOSURE))
        vg->fp[f->ctx].p = (void *)c;
    vg->pc = f->code;
    rt_assert_full(vm_stack_valid(vm, vg));
    return RT_OK;
}

void
vm_defers_free(struct vm_defers *d)
{
    if (d == NULL)
        return;
    vm_panics_free(d->panics);
    free(d->v);
    free(d->runs);
    free(d);
}

void
vm_g_free(void *host, struct sched_g *g)
{
    struct vm *vm = host;
    struct vm_g *vg = g->vg;

    if (vg == NULL)
        return;
    if (vg->stack != vg->first) {
        stack_free(vm, vg);
        use_first(vg);
    }
    if (vg->defers != NULL) {
        vm_defers_free(vg->defers);
        vg->defers = NULL;
    }
    vm_cells_end(vg);
    /* A dead goroutine has no frames. */
    vg->fp = vg->stack + 2;
    vg->fp[-1].p = &vm->stubs[VM_STUB_END];
    vg->pc = &vm->stubs[VM_STUB_END];
}

void
vm_g_chunks_free(struct vm *vm)
{
    while (vm->chunks != NULL) {
        struct vm_gchunk *c = vm->chunks;
        vm->chunks = c->next;
        for (unsigned i = 0; i < VM_G_CHUNK; i++) {
            stack_free(vm, &c->at[i].g);
            vm_defers_free(c->at[i].g.defers);
            vm_cells_free(&c->at[i].g);
        }
        free(c);
    }
    vm->free = NULL;
}

/* ---- growth and safepoints -------------------------------------------------------- */

void
vm_g_poison(void *host, struct sched_g *g)
{
    (void)host;
    struct vm_g *vg = g->vg;

    if (vg != NULL)
        aptr_store_rlx(&vg->limit, NULL);
}

int
vm_safepoint(struct vm_thread *t)
{
    struct vm_g *vg = vm_g_of(t);

    rt_assert(vg->exact && t->m->g == t->g);
    aptr_store_rlx(&vg->limit, vg->stack + vg->nslots);
    if (gc_should_start(t->vm->heap))
        gc_poll(t->vm->heap, t->cache);
    if (sched_safepoint(t->m))
        return SCHED_RUN_PREEMPT;
    vm_sync(t);
    vg->exact = false;
    return VM_GO_ON;
}

/* Grows so that `need` slots fit. */
static int
grow(struct vm_thread *t, uint64_t need)
{
    struct vm_g *vg = vm_g_of(t);
    uint64_t n = vg->nslots;

    rt_assert(need > n);
    while (n < need)
        n *= 2;
    if (n > a64_load_rlx(&t->vm->max_stack))
        return vm_stack_overflow(t);
    if (!stack_resize(t->vm, vg, n))
        return vm_no_memory_here(t);
    return VM_GO_ON;
}

int
vm_stack_check(struct vm_thread *t, uint64_t need_end)
{
    struct vm_g *vg = vm_g_of(t);
    uint64_t need = (need_end - (uintptr_t)vg->stack) / 8;

    rt_assert(need_end > (uintptr_t)vg->fp && need < UINT32_MAX);
    vg->exact = true;
    if (need <= vg->nslots)
        return vm_safepoint(t);
    int act = grow(t, need);
    vg->exact = false;
    rt_assert(act != VM_GO_ON || need <= vg->nslots);
    /* The new limit has overwritten a poison that came meanwhile. */
    if (act == VM_GO_ON && a32_load_rlx(vm_m_of(t)->preempt))
        aptr_store_rlx(&vg->limit, NULL);
    return act;
}

/* ---- what is on a stack ------------------------------------------------------------- */

uint64_t
vm_stack_used(const struct vm *vm, const struct vm_g *vg)
{
    struct vm_walker w;
    /* A deferred call that is about to return stands above all frames. */
    uint64_t used = (uint64_t)(vg->fp - vg->stack);

    if (!vm_walk_begin(&w, vm, vg))
        return used;
    do {
        if (used < vm_walk_end(&w))
            used = vm_walk_end(&w);
    } while (vm_walk_next(&w));
    return used;
}

bool
vm_frame_fits(const struct vm *vm, const struct vm_g *vg,
    const union rt_slot *fp, const struct code_ins *pc)
{
    const struct code_func *f = vm_func_at(vm, pc);

    return fp >= vg->stack + 2 &&
        fp + (f == NULL ? 0 : f->extent) <= vg->stack + vg->nslots;
}

bool
vm_stack_valid(const struct vm *vm, const struct vm_g *vg)
{
    const void *limit = aptr_load_rlx(&vg->limit);
    const union rt_slot *above = vg->stack + vg->nslots + 1;
    struct vm_walker w;

    if (limit != NULL && limit != vg->stack + vg->nslots)
        return false;
    if ((vg->stack == vg->first) != (vg->nslots == VM_STACK_FIRST))
        return false;
    if (!vm_walk_begin(&w, vm, vg))
        return vg->fp >= vg->stack + 2 && vg->fp < above;
    do {
        if (w.fp < vg->stack + 2 || w.fp >= above ||
            vm_walk_end(&w) > vg->nslots)
            return false;
        above = w.fp;
    } while (vm_walk_next(&w));
    return true;
}

/* ---- shrinking ---------------------------------------------------------------------- */

void
vm_stack_hold(struct vm_g *vg)
{
    /* acq: pairs with the rel in vm_stack_release(). */
    while (!a32_cas_acq(&vg->held, 0, 1))
        rt_cpu_relax();
}

void
vm_stack_release(struct vm_g *vg)
{
    rt_assert(a32_load_rlx(&vg->held) == 1);
    a32_store_rel(&vg->held, 0);
}

struct move {
    struct vm_g *vg;
    union rt_slot *to;
    uint64_t n;
};

static void
move_stack(void *arg)
{
    struct move *mv = arg;
    struct vm_g *vg = mv->vg;

    rt_assert(mv->n < vg->nslots);
    rt_assert((uint64_t)(vg->fp - vg->stack) <= mv->n);
    memcpy(mv->to, vg->stack, 8 * mv->n);
    vg->fp = mv->to + (vg->fp - vg->stack);
    vg->stack = mv->to;
}

/* Room for n slots: the part of struct vm_g if they fit, or memory. */
static union rt_slot *
smaller(struct vm *vm, struct vm_g *vg, uint64_t *n)
{
    if (*n <= VM_STACK_FIRST) {
        *n = VM_STACK_FIRST;
        rt_asan_unpoison(vg->first, sizeof vg->first);
        return vg->first;
    }
    union rt_slot *p = malloc(8 * *n);
    if (p != NULL)
        a64_add_rlx(&vm->stack_bytes, 8 * *n);
    return p;
}

void
vm_stack_shrink(struct vm *vm, struct sched_g *g, uint64_t used)
{
    struct vm_g *vg = g->vg;
    struct move mv = { .vg = vg, .n = vg->nslots / 2 };

    rt_assert(used <= vg->nslots);
    vm_cells_trim(vg);
    if (vg->stack == vg->first || used >= vg->nslots / VM_STACK_SPARE)
        return;
    rt_assert(used <= mv.n);
    vm_stack_hold(vg);
    if (mv.n >= VM_STACK_MMAP) {
        /* In place: the kernel takes the upper half. */
        if (mremap(vg->stack, 8u * (size_t)vg->nslots, 8 * mv.n, 0) ==
            MAP_FAILED)
            goto out;
        a64_add_rlx(&vm->stack_bytes, 8 * (mv.n - vg->nslots));
    } else {
        struct vm_g old = { .stack = vg->stack, .nslots = vg->nslots };
        mv.to = smaller(vm, vg, &mv.n);
        if (mv.to == NULL ||
            !sched_shift_elems(sched_m_self(), g, vg->stack,
                vg->stack + vg->nslots, mv.to, move_stack, &mv)) {
            if (mv.to != NULL && mv.to != vg->first) {
                a64_add_rlx(&vm->stack_bytes, (uint64_t)0 - 8 * mv.n);
                free(mv.to);
            }
            goto out;
        }
        stack_free(vm, &old);
    }
    vg->nslots = (uint32_t)mv.n;
    aptr_store_rlx(&vg->limit, vg->stack + mv.n);
    rt_assert_full(vm_stack_valid(vm, vg));
out:
    vm_stack_release(vg);
}

enum vm_status
vm_stack_reserve(struct vm_thread *t, union rt_slot **fp, uint64_t need)
{
    struct vm_g *vg = vm_g_of(t);
    uint64_t off = (uint64_t)(*fp - vg->stack);

    rt_assert(off >= 2);
    if (off + need <= vg->nslots)
        return VM_OK;
    if (grow(t, off + need) != VM_GO_ON)
        return VM_EXIT;
    *fp = vg->stack + off;
    return VM_OK;
}
