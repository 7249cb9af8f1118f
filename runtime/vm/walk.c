/* SPDX-License-Identifier: MIT */

/* Walks over a goroutine's frames, innermost first. */

#include <string.h>

#include "runtime/vm/vm_int.h"

enum {
    VM_TRAIL = sizeof((struct vm_trail *)0)->at / sizeof(struct vm_step),
    NUMBERED = 32 /* frames of a stack that is deeper */
};

vpc
vm_pc(const struct vm *vm, const struct code_ins *pc)
{
    const struct code_func *f = vm_func_at(vm, pc);

    return f == NULL ? 0 : vpc_make(f->id, (uint32_t)(pc - f->code));
}

bool
vm_walk_begin(
    struct vm_walker *w, const struct vm *vm, const struct vm_g *vg)
{
    const struct code_ins *pc = vg->pc;

    w->vm = vm;
    w->vg = vg;
    w->fp = vg->fp;
    w->runs = vg->defers == NULL ? 0 : vg->defers->nruns;
    w->leaf = true;
    w->panics = false;
    /* A deferred call that is about to return stands on a stub. */
    if (vm_is_stub(vm, pc)) {
        w->func = NULL;
        w->pc = w->next = NULL;
        return vm_walk_next(w);
    }
    w->next = pc;
    w->pc = vg->exact ? pc : pc - 1;
    w->func = vm_func_at(vm, w->pc);
    return w->func != NULL;
}

bool
vm_walk_next(struct vm_walker *w)
{
    const struct vm *vm = w->vm;
    const struct code_ins *ret = w->fp[-1].p;

    rt_assert(w->fp >= w->vg->stack + 2);
    w->leaf = false;
    w->panics = false;
    if (ret == &vm->stubs[VM_STUB_END])
        return false;
    if (ret == &vm->stubs[VM_STUB_DEFER]) {
        if (w->runs == 0)
            return false;
        const struct vm_run *r = &w->vg->defers->runs[--w->runs];
        w->fp = w->vg->stack + r->caller;
        w->pc = r->pc;
        w->next = r->kind == VM_RUN_NORMAL ? r->pc : NULL;
        w->panics = r->kind == VM_RUN_PANIC && !r->panic->goexit;
    } else {
        rt_assert(ret[-1].op == OP_CALL || ret[-1].op == OP_CALLC ||
            ret[-1].op == OP_CALLI);
        rt_assert(ret[-1].a >= 2);
        w->fp = vm_caller(w->fp);
        w->pc = ret - 1;
        w->next = ret;
    }
    w->func = vm_func_at(vm, w->pc);
    return w->func != NULL;
}

/* One frame more; false when there is no room for it. */
static bool
put(vpc *pcs, unsigned *k, unsigned n, unsigned *skip, vpc pc)
{
    if (*skip > 0) {
        --*skip;
        return true;
    }
    if (*k == n)
        return false;
    pcs[(*k)++] = pc;
    return true;
}

static unsigned
frames_walk(const struct vm *vm, const struct sched_g *g, unsigned skip,
    vpc *pcs, unsigned n, bool goexit)
{
    struct vm_walker w;
    unsigned k = 0;

    rt_assert(g->vg->g == g);
    if (!vm_walk_begin(&w, vm, g->vg))
        return 0;
    do {
        if (w.panics &&
            !put(pcs, &k, n, &skip, vpc_make(vm->gopanic.id, 0)))
            break;
        if (w.func->flags & CODE_F_WRAPPER)
            continue;
        if (!put(pcs, &k, n, &skip,
                vpc_make(w.func->id, (uint32_t)(w.pc - w.func->code))))
            break;
    } while (vm_walk_next(&w));
    if (goexit)
        put(pcs, &k, n, &skip, vpc_make(vm->goexit.id, 0));
    return k;
}

static inline struct vm_seen *
seen_at(struct vm_m *vm_m, const struct code_ins *pc)
{
    return &vm_m->seen[(uintptr_t)pc / sizeof *pc % VM_SEEN];
}

static vpc
lookup(const struct vm *vm, struct vm_seen *seen, const struct code_ins *pc)
{
    const struct code_func *f = vm_func_at(vm, pc);

    if (f == NULL)
        return 0;
    rt_assert(pc >= f->code && pc < f->code + f->ncode);
    seen->pc = pc;
    seen->v = (f->flags & CODE_F_WRAPPER) != 0 ? 0 :
        vpc_make(f->id, (uint32_t)(pc - f->code));
    return seen->v;
}

/* What a walk shows of an instruction; 0: nothing. */
static inline vpc
place(struct vm_m *vm_m, const struct vm *vm, const struct code_ins *pc)
{
    struct vm_seen *seen = seen_at(vm_m, pc);

    return rt_likely(seen->pc == pc) ? seen->v : lookup(vm, seen, pc);
}

/* A stack has one frame more, v, than there is room for: the outermost one
 * tells whose it is, unless the one more is only what calls main.main. */
static unsigned
cut_off(const struct vm *vm, const struct sched_g *g, vpc *pcs, unsigned n,
    vpc v)
{
    if (vpc_func(v) != vm->im->entry)
        pcs[n - 1] = g->entry;
    return n;
}

/* vm_walk_self(), for stacks with pcs that have not been seen before. */
static RT_NOINLINE unsigned
walk_self_slow(struct sched_m *m, vpc *pcs, unsigned n, bool entry)
{
    struct vm_m *vm_m = vm_m_of(m->vt);
    const struct vm *vm = m->vt->vm;
    const struct vm_g *vg = m->g->vg;
    const struct code_ins *pc = vg->pc, *ret;
    const union rt_slot *fp = vg->fp;
    unsigned k = 0;

    if ((vg->defers != NULL && vg->defers->nruns > 0) ||
        vm_is_stub(vm, pc))
        return vm_walk(vm, m->g, 0, pcs, n);
    if (!vg->exact)
        pc--;
    for (;;) {
        vpc v = place(vm_m, vm, pc);

        if (v != 0 && k == n)
            return entry ? cut_off(vm, m->g, pcs, n, v) : n;
        if (v != 0)
            pcs[k++] = v;
        ret = fp[-1].p;
        if (vm_is_stub(vm, ret))
            break;
        fp = vm_caller(fp);
        pc = ret - 1;
    }
    return k;
}

/* Without deferred calls under way a stack is only return addresses.  Here
 * all of them have been seen before; nothing is called, so that no register
 * is saved. */
unsigned
vm_walk_self(struct sched_m *m, vpc *pcs, unsigned n, bool entry)
{
    struct vm_m *vm_m = vm_m_of(m->vt);
    const struct vm *vm = m->vt->vm;
    const struct vm_g *vg = m->g->vg;
    const struct code_ins *pc, *ret;
    const union rt_slot *fp;
    unsigned k = 0;

    if (vg == NULL || n == 0)
        return 0;
    pc = vg->pc;
    if ((vg->defers != NULL && vg->defers->nruns > 0) || vm_is_stub(vm, pc))
        return walk_self_slow(m, pcs, n, entry);
    if (!vg->exact)
        pc--;
    fp = vg->fp;
    for (;;) {
        const struct vm_seen *seen = seen_at(vm_m, pc);

        if (rt_unlikely(seen->pc != pc))
            return walk_self_slow(m, pcs, n, entry);
        if (rt_likely(seen->v != 0)) {
            if (rt_unlikely(k == n))
                return entry ? cut_off(vm, m->g, pcs, n, seen->v) : n;
            pcs[k++] = seen->v;
        }
        ret = fp[-1].p;
        if (vm_is_stub(vm, ret))
            return k;
        fp = vm_caller(fp);
        pc = ret - 1;
    }
}

/* The place of a stack.  How far out its innermost frame is tells apart most of
 * those that have the leaf and its caller in common.  The top bits of a product
 * with the golden ratio depend on all that is below (Knuth, The Art of Computer
 * Programming, vol. 3, 6.4). */
static inline struct callpath *
path_at(struct callpath *paths, const struct code_ins *pc, const void *ret,
    uint64_t depth)
{
    uint64_t h = (uintptr_t)pc + ((uintptr_t)ret << 7) + (depth << 21);

    h *= UINT64_C(0x9e3779b97f4a7c15);
    return &paths[h >> (64 - CALLPATH_BITS)];
}

/* Nothing is known of the stack from pc in the frame at fp on: e becomes its
 * path. */
static RT_NOINLINE struct callpath *
path_new(const struct sched_m *m, const struct code_ins *pc,
    struct callpath *e)
{
    const struct vm *vm = m->vt->vm;
    const struct vm_g *vg = m->g->vg;
    const union rt_slot *fp = vg->fp;

    /* A stub is never a path's, so that who finds one has come here. */
    if (vm_is_stub(vm, vg->pc))
        return NULL;
    e->pc = NULL;
    e->id = 0;
    e->n = 0;
    for (;;) {
        if (e->n == CALLPATH_MAX)
            return NULL;
        e->ret[e->n++] = fp[-1].p;
        if (vm_is_stub(vm, fp[-1].p))
            break;
        fp = vm_caller(fp);
    }
    e->pc = pc;
    return e;
}

/*
 * Where a frame's caller is follows from what it returns to, and whether there
 * is one as well.  So a stack that begins with the same instruction, and whose
 * frames return to the same places as a path's, has that path, and no frame
 * more.
 */
struct callpath *
vm_walk_path(void *self, struct callpath *paths)
{
    const struct sched_m *m = self;
    const struct vm_g *vg = m->g->vg;
    const struct code_ins *pc;
    const union rt_slot *fp;
    struct callpath *e;

    if (vg == NULL || (vg->defers != NULL && vg->defers->nruns > 0))
        return NULL;
    pc = vg->exact ? vg->pc : vg->pc - 1;
    fp = vg->fp;
    e = path_at(paths, pc, fp[-1].p, (uint64_t)(fp - vg->stack));
    if (rt_unlikely(e->pc != pc))
        return path_new(m, pc, e);
    rt_assert(e->n > 0 && e->n <= CALLPATH_MAX);
    for (uint32_t i = 0; e->ret[i] == fp[-1].p; fp = vm_caller(fp))
        if (++i == e->n)
            return e;
    return path_new(m, pc, e);
}

/* How many of the trail's frames are the stack's still: they lie in what is in
 * use of it, and return to where they did. */
static uint32_t
trail_still(const struct vm_trail *t, const struct vm_g *vg)
{
    uint32_t n = t->stack == vg->stack ? t->n : 0, still = 0;

    while (n > 0 && t->at[n - 1].fp > vg->fp)
        n--;
    while (still < n && t->at[still].fp[-1].p == t->at[still].ret)
        still++;
    return still;
}

/* The walk of frames innermost first has come to the caller's frame: whether
 * it is one of the first *still of the trail, which are no more than that. */
static inline bool
trail_meets(const struct vm_trail *t, const union rt_slot *fp, uint32_t *still)
{
    while (*still > 0 && t->at[*still - 1].fp > fp)
        --*still;
    return *still > 0 && t->at[*still - 1].fp == fp;
}

/* The trail becomes its first `still` frames and k more, innermost first. */
static void
trail_put(struct vm_m *vm_m, const struct vm *vm, uint32_t still,
    const struct vm_step *more, uint32_t k, const struct vm_adder *add)
{
    struct vm_trail *t = &vm_m->trail;
    uint32_t id = still == 0 ? 0 : t->at[still - 1].id;

    for (; k > 0; k--) {
        struct vm_step s = more[k - 1];
        vpc v = vm_is_stub(vm, s.ret) ? 0 : place(vm_m, vm, s.ret - 1);

        if (v != 0)
            id = add->one(add->arg, id, v);
        s.id = id;
        t->at[still++] = s;
    }
    t->n = still;
}

/* Without what is remembered. */
static RT_NOINLINE uint32_t
number_slow(struct sched_m *m, const struct vm_adder *add)
{
    vpc pcs[NUMBERED];
    unsigned n = vm_walk_self(m, pcs, NUMBERED, false);
    uint32_t id = 0;

    while (n > 0)
        id = add->one(add->arg, id, pcs[--n]);
    return id;
}

/*
 * What a frame returns to says where the caller's frame is, and so does all that
 * is outside of a frame follow from what the frames there return to.  Once the
 * walk comes to a frame of the trail, and neither that one nor those outside of
 * it return elsewhere than they did, the rest is as it was.
 */
uint32_t
vm_walk_number(struct sched_m *m, const struct vm_adder *add)
{
    struct vm_m *vm_m = vm_m_of(m->vt);
    const struct vm *vm = m->vt->vm;
    const struct vm_g *vg = m->g->vg;
    struct vm_trail *t = &vm_m->trail;
    struct vm_step more[VM_TRAIL];
    uint32_t still, k = 0;

    if (vm_is_stub(vm, vg->pc) || (vg->defers != NULL && vg->defers->nruns > 0))
        return number_slow(m, add);
    still = trail_still(t, vg);
    rt_assert(still == 0 || t->at[still - 1].fp <= vg->fp);
    for (const union rt_slot *fp = vg->fp; !trail_meets(t, fp, &still);
        fp = vm_caller(fp)) {
        if (k == VM_TRAIL)
            return number_slow(m, add);
        more[k++] = (struct vm_step){fp, fp[-1].p, 0};
        if (vm_is_stub(vm, fp[-1].p)) {
            still = 0;
            break;
        }
    }
    t->stack = vg->stack;
    t->n = 0;
    if (still + k > VM_TRAIL)
        return number_slow(m, add);
    trail_put(vm_m, vm, still, more, k, add);
    vpc v = place(vm_m, vm, vg->exact ? vg->pc : vg->pc - 1);
    uint32_t outer = t->at[t->n - 1].id;
    return v == 0 ? outer : add->one(add->arg, outer, v);
}

vpc
vm_walk_place(struct sched_m *m)
{
    struct vm_m *vm_m = vm_m_of(m->vt);
    const struct vm *vm = m->vt->vm;
    const struct vm_g *vg = m->g->vg;

    if (vm_is_stub(vm, vg->pc))
        return 0;
    return place(vm_m, vm, vg->exact ? vg->pc : vg->pc - 1);
}

unsigned
vm_walk(const struct vm *vm, const struct sched_g *g, unsigned skip,
    vpc *pcs, unsigned n)
{
    const struct sched_m *m = sched_m_self();

    if (g->vg == NULL)
        return 0;
    if (m != NULL && m->g == g)
        return frames_walk(vm, g, skip, pcs, n, false);
    /* The collector may be about to make it smaller. */
    vm_stack_hold(g->vg);
    unsigned k = frames_walk(vm, g, skip, pcs, n, false);
    vm_stack_release(g->vg);
    return k;
}

unsigned
vm_walk_trim(const struct vm *vm, const vpc *pcs, unsigned n)
{
    const struct code_image *im = vm->im;
    bool runtime = n > 0 && vpc_func(pcs[n - 1]) == im->entry &&
        im->entry != im->main;

    return runtime ? n - 1 : n;
}

unsigned
vm_walk_callers(const struct vm *vm, const struct sched_g *g, unsigned skip,
    vpc *pcs, unsigned n)
{
    return frames_walk(vm, g, skip, pcs, n, true);
}

unsigned
vm_walk_host(void *host, struct sched_g *g, vpc *pcs, unsigned n)
{
    return vm_walk(host, g, 0, pcs, n);
}

/* A function that stands for what Go has in its runtime. */
static bool
symbolize_own(const struct vm *vm, uint32_t id, struct vm_frame *f)
{
    rt_assert(id >= vm->im->nfuncs);
    f->line = 1;
    if (id == vm->gopanic.id) {
        f->func = &vm->gopanic;
        f->file = "runtime/panic.go";
    } else if (id < vm->goexit.id) {
        f->func = &vm->natfuncs[id - vm->natfuncs[0].id];
        f->file = "runtime/mgc.go";
    } else if (id == vm->goexit.id) {
        f->func = &vm->goexit;
        f->file = "runtime/asm_amd64.s";
    } else {
        f->func = vm_made_by_id(vm, id);
        f->file = "reflect/asm_amd64.s";
    }
    return f->func != NULL;
}

uint64_t
vm_func_address(const struct vm *vm, const struct code_func *f)
{
    bool made = f->id >= vm->im->nfuncs;

    rt_assert(made || f == &vm->im->funcs[f->id]);
    return made ? vpc_make(f->id, 0) : (uint64_t)(uintptr_t)f;
}

/* The first pc of the function where pc is what vm_func_address() says, or an
 * address behind that which is still its own, else pc. */
static vpc
at_address(const struct code_image *im, vpc pc)
{
    uint64_t off = pc - (uintptr_t)im->funcs;

    /* No pc is an address among these, wherever they are. */
    rt_assert((uintptr_t)(im->funcs + im->nfuncs) <=
            (uint64_t)VPC_FIRST << 24 ||
        (uintptr_t)im->funcs >= vpc_make(im->nfuncs, UINT32_MAX));
    if (off >= im->nfuncs * sizeof *im->funcs)
        return pc;
    return vpc_make((uint32_t)(off / sizeof *im->funcs), 0);
}

bool
vm_symbolize(const struct vm *vm, vpc pc, struct vm_frame *f)
{
    const struct code_image *im = vm->im;
    uint32_t id;

    if (pc == 0)
        return false;
    pc = at_address(im, pc);
    id = vpc_func(pc);
    f->off = vpc_off(pc);
    if (id >= im->nfuncs)
        return symbolize_own(vm, id, f);
    f->func = &im->funcs[id];
    if (f->off >= f->func->ncode)
        return false;
    const struct code_line *l = code_find_line(f->func, f->off);
    f->line = l == NULL ? f->func->line : l->line;
    uint32_t file = l == NULL ? f->func->file : l->file;
    f->file = file < im->nfiles ? im->files[file] : "?";
    /* The function that initialises packages is generated, of no source. */
    if (id == im->entry && id != im->main) {
        f->file = "runtime/proc.go";
        f->line = 1;
    }
    return true;
}
