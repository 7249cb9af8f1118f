/* SPDX-License-Identifier: MIT */

/*
 * What the VM shows the collector.  A frame's named slots are scanned with
 * their static kinds, reduced to those that may still be read; the area for
 * outgoing calls belongs to the callee, except in the innermost frame, where
 * it is scanned word by word.  Slots may hold stale bits, so a word that
 * points nowhere is no fault.
 *
 * Markers scan goroutines that do not run while others do; two never scan
 * the same one.  The goroutine then stands at a safepoint, has parked, or is
 * inside a native that is in a system call: such a native writes its results
 * only when it is out of it again.  Only one other may write to these frames
 * meanwhile, who hands over a value to a waiter of a channel; it shades the
 * value, so it does not matter whether the marker sees the old word or the
 * new one (aligned words are read and written whole).  Deferred calls and
 * panics are part of the stack: they get their values from its frames and
 * give them back to them, so they need no barrier.
 */

#include "runtime/code/opinfo.h"
#include "runtime/vm/vm_int.h"

/*
 * Where the outgoing area of a frame begins at the instruction that it is
 * stopped at.  A call's frame starts two slots above what is live, maybe
 * below nslots: from there on the static kinds mean nothing.  What lies above
 * is the callee's, or, in the innermost frame, the operation's own operands.
 */
static uint32_t
outgoing(const struct vm_walker *w, uint32_t at)
{
    const struct code_func *f = w->func;
    uint32_t from = f->nslots;

    rt_assert(at < f->ncode);
    switch (code_plain(f->code[at].op)) {
    case OP_CALL:
    case OP_CALLC:
    case OP_CALLI:
    case OP_CALLN:
    case OP_RUNDEFER:
        if (f->code[at].a < from)
            from = f->code[at].a;
        break;
    default:
        break;
    }
    return from;
}

/* The instruction that the word at off belongs to. */
static uint32_t
start_of(const struct code_func *f, uint32_t off)
{
    rt_assert(off < f->ncode);
    while (off > 0 && f->code[off].op == OP_EXT)
        off--;
    rt_assert(f->code[off].op != OP_EXT);
    return off;
}

struct outgoing {
    const struct vm_walker *w;
    struct gc_marker *m;
    uint32_t from;
};

static RT_NO_TSAN void
mark_words(const struct outgoing *o, uint32_t from, uint32_t to)
{
    const struct vm_walker *w = o->w;

    for (uint32_t i = from; i < to && i < w->func->extent; i++)
        gc_mark_maybe(o->m, w->fp[i].u);
}

static void
mark_operand(void *arg, const struct code_operand *op)
{
    const struct outgoing *o = arg;

    if (op->slot + op->n > o->from)
        mark_words(o, op->slot > o->from ? op->slot : o->from,
            op->slot + op->n);
}

/*
 * The outgoing area of the innermost frame: what the operation that it waits
 * in has there, and nothing older.  A native that waits keeps what it needs
 * in the slots of its arguments and results.
 */
static void
mark_outgoing(struct vm *vm, const struct vm_walker *w, uint32_t at,
    uint32_t end, struct gc_marker *m)
{
    const struct code_ins *pc = w->func->code + at;
    struct outgoing o = { w, m, end };
    uint32_t from, nargs, nres = 0;

    rt_assert(w->leaf);
    if (!code_call_area(vm->im, pc, &from, &nargs)) {
        code_operands(vm->im, pc, mark_operand, &o);
        return;
    }
    if (code_plain(pc->op) == OP_CALLN)
        nres = vm->im->natives[pc->imm].nres;
    mark_words(&o, end, from + (nargs > nres ? nargs : nres));
}

static RT_NO_TSAN void
mark_frame(struct vm *vm, struct vm_walker *w, struct gc_marker *m)
{
    const struct code_func *f = w->func;
    const uint64_t *after = NULL, *during = NULL;
    uint32_t at = start_of(f, (uint32_t)(w->pc - f->code));
    uint32_t end = outgoing(w, at);

    rt_assert(end <= f->nslots && vm_walk_end(w) <= w->vg->nslots);
    /* A frame that panics may run on at recover_off only, or not at all. */
    if (w->next == NULL && !(f->flags & CODE_F_DEFER))
        return;
    if (w->next == NULL)
        after = vm_live_at(vm, f, f->recover_off);
    else if (w->next < f->code + f->ncode)
        after = vm_live_at(vm, f, (uint32_t)(w->next - f->code));
    /* An operation that waits still needs its own operands. */
    if (w->leaf && after != NULL)
        during = vm_live_at(vm, f, at);
    for (uint32_t base = 0; base < end; base += 8) {
        /* Results of calls may lie in slots of another kind until the
         * operation that takes them is over. */
        uint8_t kinds = w->leaf ? 0xff : f->ptrmask[base / 8];
        /* What the operation defines may not have been written yet. */
        const uint64_t *sure = w->leaf ? during : after;
        if (after != NULL) {
            uint64_t live = after[base / 64] |
                (during != NULL ? during[base / 64] : 0);
            kinds &= (uint8_t)(live >> (base % 64));
        }
        for (; kinds != 0; kinds &= (uint8_t)(kinds - 1)) {
            uint32_t i = base + (uint32_t)__builtin_ctz(kinds);
            if (i >= end)
                continue;
            if (sure != NULL && (sure[i / 64] >> (i % 64) & 1) != 0 &&
                (f->ptrmask[i / 8] >> (i % 8) & 1) != 0)
                gc_mark_word(m, w->fp[i].u);
            else
                gc_mark_maybe(m, w->fp[i].u);
        }
    }
    if (w->leaf)
        mark_outgoing(vm, w, at, end, m);
}

static RT_NO_TSAN void
mark_defers(const struct vm_defers *d, struct gc_marker *m)
{
    rt_assert(d->n <= d->cap);
    for (uint32_t i = 0; i < d->n; i++)
        gc_mark_maybe(m, d->v[i].u);
    for (const struct vm_panic *p = d->panics; p != NULL; p = p->prev) {
        gc_mark_maybe(m, (uintptr_t)p->value.data);
        gc_mark_maybe(m, (uintptr_t)p->text.ptr);
    }
}

/* May the stack of g be moved now?  Not under the feet of C code. */
static bool
may_move(struct vm *vm, const struct sched_g *g)
{
    const struct sched_m *m = sched_m_self();
    enum sched_gstate st = sched_g_state(g);

    return (st == G_WAITING || st == G_RUNNABLE) && sched_g_bound(g) == NULL &&
        m != NULL && m->p != NULL && a32_load_rlx(&vm->dying) == 0;
}

void
vm_mark_g(struct vm *vm, struct sched_g *g, struct gc_marker *m)
{
    struct vm_g *vg = g->vg;
    struct vm_walker w;

    if (vg == NULL)
        return;
    rt_assert(vg->g == g);
    rt_assert_full(vg->defers == NULL || vg->defers->nruns > 1000 ||
        vm_defers_valid(vg));
    if (vg->defers != NULL)
        mark_defers(vg->defers, m);
    vm_cells_mark(vg, m);
    if (!vm_walk_begin(&w, vm, vg))
        return;
    do {
        mark_frame(vm, &w, m);
    } while (vm_walk_next(&w));
    rt_assert_full(vm_stack_valid(vm, vg));
    uint64_t used = vm_stack_used(vm, vg);
    gc_mark_account(m, used * 8, 0);
    if (may_move(vm, g))
        vm_stack_shrink(vm, g, used);
}

struct roots {
    struct vm *vm;
    struct gc_marker *m;
};

static void
mark_one(void *arg, struct sched_g *g)
{
    struct roots *r = arg;

    if (sched_g_state(g) != G_DEAD)
        vm_mark_g(r->vm, g, r->m);
}

static void
mark_ptr(void *arg, void *ptr)
{
    struct roots *r = arg;

    gc_mark_maybe(r->m, (uintptr_t)ptr);
}

/* Bytes of package variables that are marked as one piece. */
enum { GLOBALS_PIECE = 64 * 1024 };

_Static_assert(GLOBALS_PIECE % (64 * 8) == 0, "a piece has whole words of mask");

/* Bytes of the groups of eight words that have pointers.  Large arrays of
 * numbers lie between other variables; they are neither marked nor part of
 * what the heap is measured by. */
static uint64_t
pointer_bytes(const uint8_t *mask, uint64_t nwords)
{
    uint64_t n = (nwords + 7) / 8, i = 0, groups = 0, eight;

    while (i < n) {
        if (n - i >= 8) {
            memcpy(&eight, mask + i, sizeof eight);
            if (eight == 0) {
                i += 8;
                continue;
            }
        }
        groups += mask[i++] != 0;
    }
    return groups * 64;
}

bool
vm_mark_globals(void *host, uint32_t i, struct gc_marker *m)
{
    struct vm *vm = host;
    const struct rt_layout *l = &vm->im->globals;
    uint64_t from = (uint64_t)i * GLOBALS_PIECE;
    uint64_t end = from + GLOBALS_PIECE, bytes;
    const uint8_t *mask = l->ptrmask + from / 64;

    rt_assert(l->ptrdata <= vm->im->globals_size);
    if (i == 0 && vm->watch != NULL)
        vm->watch->mark(vm->watch->arg, m);
    if (from >= l->ptrdata)
        return false;
    if (end > l->ptrdata)
        end = l->ptrdata;
    bytes = pointer_bytes(mask, (end - from) / 8);
    if (bytes != 0)
        gc_mark_mask(m, vm->globals + from, mask, (end - from) / 8);
    gc_mark_account(m, 0, bytes);
    return true;
}

void
vm_mark_roots(struct vm *vm, struct gc_marker *m)
{
    struct roots r = { vm, m };

    for (uint32_t i = 0; vm_mark_globals(vm, i, m); i++) {
    }
    sched_each_g(vm->sched, mark_one, &r);
    sched_roots(vm->sched, mark_ptr, &r);
}
