/* SPDX-License-Identifier: MIT */

/*
 * What a thread was doing when a signal interrupted it.  The interpreter
 * keeps pc and fp in registers and saves them only where somebody else may
 * need them; so they are taken from the registers of the interrupted frame,
 * or, where a function called by the loop was interrupted, from what that
 * function has saved of them, as an unwinder finds it.  Where a build has no
 * fixed registers for them (VM_INTERP_NOTES), the interpreter saves both at
 * each instruction.  Either way a profile shows where the time goes, not
 * where the safepoints are.  In machine code fp has a register, and a table
 * tells the instruction from the address.
 *
 * Nothing here trusts what it reads: the signal may have come in the middle
 * of a call, a switch or the growth of a stack.  A goroutine is looked at
 * only while its m says that it belongs to this thread, frames only inside of
 * the stack's bounds, which are empty while it moves.
 */

#include <string.h>

#include "runtime/base/cstack.h"
#include "runtime/vm/vm_int.h"

extern const char __start_vole_interp[], __stop_vole_interp[];
extern const char __start_vole_points[], __stop_vole_points[];
extern const char __start_vole_race[], __stop_vole_race[];
#if VM_INTERP_NOTES
extern const char __start_vole_interp_regs[], __stop_vole_interp_regs[];
extern const char __start_vole_race_regs[], __stop_vole_race_regs[];
#endif

bool
vm_is_interp(uintptr_t addr)
{
    return (addr >= (uintptr_t)__start_vole_interp &&
               addr < (uintptr_t)__stop_vole_interp) ||
        (addr >= (uintptr_t)__start_vole_points &&
            addr < (uintptr_t)__stop_vole_points) ||
        (addr >= (uintptr_t)__start_vole_race &&
            addr < (uintptr_t)__stop_vole_race);
}

/* Weak: programs that make no machine code do without those functions. */
extern const char __start_vole_ops[] __attribute__((weak));
extern const char __stop_vole_ops[] __attribute__((weak));

/* Whether the address is in one of vm_op_functions, not in what it calls. */
static bool
is_op(uintptr_t addr)
{
    return addr >= (uintptr_t)__start_vole_ops &&
        addr < (uintptr_t)__stop_vole_ops;
}

#if VM_INTERP_NOTES
/* The DWARF number of a register by its name, and what follows it. */
static int
register_number(const char *s, const char **end)
{
    static const char *const names[] = {"%rax", "%rdx", "%rcx", "%rbx",
        "%rsi", "%rdi", "%rbp", "%rsp", "%r8", "%r9", "%r10", "%r11", "%r12",
        "%r13", "%r14", "%r15"};

    for (int i = 15; i >= 0; i--) { /* r15 before r1.. */
        size_t n = strlen(names[i]);

        if (strncmp(s, names[i], n) == 0 && (s[n] == 0 || s[n] == ' ')) {
            *end = s + n;
            return i;
        }
    }
    return -1;
}

/* Which registers hold pc and fp in a copy of the loop; false where its notes
 * do not agree. */
static bool
registers(bool race, int reg[2])
{
    const char *s = race ? __start_vole_race_regs : __start_vole_interp_regs;
    const char *end = race ? __stop_vole_race_regs : __stop_vole_interp_regs;
    const char *first = s;

    for (; s < end; s += strlen(s) + 1)
        if (strcmp(s, first) != 0)
            return false;
    reg[0] = register_number(first, &s);
    if (reg[0] < 0 || *s != ' ')
        return false;
    reg[1] = register_number(s + 1, &s);
    return reg[1] >= 0;
}
#else
static bool
registers(bool race, int reg[2])
{
    (void)race;
    (void)reg;
    return false;
}
#endif

/* ---- the goroutine's frames ------------------------------------------------- */

struct look {
    const struct vm *vm;
    const struct sched_g *g; /* NULL: the thread runs none */
    const struct vm_g *vg;   /* g's */
    const union rt_slot *fp;
    const struct code_ins *pc;
    struct vm_jit_spot spot; /* machine code: where; else pc is NULL */
};

static bool
in_stack(const struct vm_g *vg, const union rt_slot *fp)
{
    uintptr_t off = (uintptr_t)fp - (uintptr_t)vg->stack;

    return ((uintptr_t)fp & 7) == 0 && off >= 8 && off <= 8ull * vg->nslots;
}

static bool
in_code(const struct vm *vm, const struct code_ins *pc)
{
    return ((uintptr_t)pc & 7) == 0 && vm_func_at(vm, pc) != NULL;
}

/* How many of the first runs are around the frame that begins at the slot.  A
 * call that is just beginning is in flight without a frame; and one that has
 * just returned has a frame still, while what comes next is looked for, and
 * its place behind the others. */
static uint32_t
runs_around(const struct vm_defers *d, uint32_t runs, int64_t slot)
{
    while (runs > 0 && (int64_t)d->runs[runs - 1].callee > slot)
        runs--;
    if (d == NULL || runs == d->runs_cap ||
        (int64_t)d->runs[runs].callee != slot ||
        (runs > 0 && (int64_t)d->runs[runs - 1].callee == slot))
        return runs;
    return runs + 1;
}

/* Walks from l on; as vm_walk(), but careful. */
static uint32_t
interrupted_walk(const struct look *l, vpc *pcs, uint32_t max)
{
    const struct vm *vm = l->vm;
    const struct vm_defers *d = l->vg->defers;
    const union rt_slot *fp = l->fp;
    const struct code_ins *pc = l->pc;
    uint32_t n = 0, runs = d == NULL ? 0 : d->nruns;

    rt_assert(l->g->vg == l->vg && l->spot.nframes <= VM_JIT_FRAMES);
    runs = runs_around(d, runs, fp - l->vg->stack);
    /* They may have no frames as yet. */
    for (uint32_t i = 0; i < l->spot.nframes && n < max; i++) {
        const struct code_func *f = vm_func_at(vm, pc);

        if ((f->flags & CODE_F_WRAPPER) == 0)
            pcs[n++] = vpc_make(f->id, (uint32_t)(pc - f->code));
        pc = l->spot.frames[i].ret - 1;
    }
    for (uint32_t steps = 0; n < max && steps < 4 * PROF_STACK_MAX; steps++) {
        const struct code_func *f = NULL;

        if (in_code(vm, pc))
            f = vm_func_at(vm, pc);
        else if (!vm_is_stub(vm, pc))
            break;
        if (f != NULL && (f->flags & CODE_F_WRAPPER) == 0)
            pcs[n++] = vpc_make(f->id, (uint32_t)(pc - f->code));
        if (!in_stack(l->vg, fp))
            break;
        const struct code_ins *ret = fp[-1].p;
        if (ret == &vm->stubs[VM_STUB_DEFER]) {
            if (runs == 0)
                break;
            const struct vm_run *r = &d->runs[--runs];
            fp = l->vg->stack + r->caller;
            pc = r->pc;
        } else {
            if (!in_code(vm, ret) || !in_code(vm, ret - 1))
                break;
            pc = ret - 1;
            fp -= pc->a;
        }
    }
    return n;
}

/* Whether a goroutine may stand there.  Behind a deferred call that is a stub,
 * with the frame of what was called. */
static bool
is_place(const struct look *l, const struct code_ins *pc,
    const union rt_slot *fp)
{
    return (in_code(l->vm, pc) || vm_is_stub(l->vm, pc)) && in_stack(l->vg, fp);
}

/* Where the interpreter stands: where machine code was left, by its registers
 * if they are known and make sense, else as it was saved the last time: where
 * they are not known, before the instruction in progress. */
static bool
position(struct look *l, bool found, const uintptr_t val[2])
{
    const struct code_ins *pc = (const struct code_ins *)val[0];
    const union rt_slot *fp = (const union rt_slot *)val[1];
    const struct vm_m *vt = vm_m_of(l->g->m->vt);
    enum vm_stands stands = (enum vm_stands)a32_load_rlx(&vt->stands);

    if (stands == VM_STANDS_AWAY)
        return false;
    if (stands == VM_STANDS_AT) {
        l->pc = vt->at_pc;
        l->fp = vt->at_fp;
        return is_place(l, l->pc, l->fp);
    }
    if (found && is_place(l, pc, fp)) {
        l->pc = pc;
        l->fp = fp;
        return true;
    }
    l->fp = l->vg->fp;
    l->pc = l->vg->pc;
    if (!in_stack(l->vg, l->fp))
        return false;
    if (!l->vg->exact && in_code(l->vm, l->pc - 1))
        l->pc--;
    return true;
}

/* Where machine code stands. */
static bool
machine_position(struct look *l, uintptr_t addr, uintptr_t fp)
{
    const struct vm *vm = l->vm;

    if (!vm->jit->at(vm->jit_arg, addr, &l->spot))
        return false;
    l->pc = l->spot.pc;
    l->fp = (const union rt_slot *)fp - l->spot.above;
    return in_code(vm, l->pc) && in_stack(l->vg, l->fp);
}

/* The code whose frames tell where the goroutine stands: the interpreter's
 * loop, and machine code.  Returns how many parts there are. */
static unsigned
parts_of(const struct vm *vm, struct rt_cstack_part part[2])
{
    if (vm->tables.points != NULL) { /* it saves where it stands */
        part[0] = (struct rt_cstack_part){(uintptr_t)__start_vole_points,
            (uintptr_t)__stop_vole_points, {-1, -1}};
        return 1;
    }
    if (vm->race != NULL)
        part[0] = (struct rt_cstack_part){(uintptr_t)__start_vole_race,
            (uintptr_t)__stop_vole_race, {-1, -1}};
    else
        part[0] = (struct rt_cstack_part){(uintptr_t)__start_vole_interp,
            (uintptr_t)__stop_vole_interp, {-1, -1}};
    registers(vm->race != NULL, part[0].reg);
    part[1].reg[1] = -1;
    if (vm->jit == NULL || !vm->jit->part(vm->jit_arg, &part[1].lo,
            &part[1].hi, &part[1].reg[0]))
        return 1;
    part[1].reg[1] = part[1].reg[0];
    return 2;
}

/* What this thread was doing: native gets the addresses of at most max frames
 * inside of the interpreter's or machine code's, *n how many, and l the
 * goroutine.  True if it is known where that stands. */
static bool
look_at(struct look *l, const void *ucontext, uintptr_t *native, uint32_t max,
    uint32_t *n)
{
    uintptr_t val[2] = {0, 0}, addr = 0;
    struct sched_m *m = sched_m_self();
    struct sched_g *g = m->g;
    struct rt_cstack_part part[2];
    unsigned nparts = parts_of(l->vm, part);
    const struct rt_cstack_part *found = rt_cstack_interrupted(
        ucontext, part, nparts, &addr, val, native, max, n);

    /* One that has just been parked may run elsewhere already. */
    if (g == NULL || g->m != m || g->vg == NULL)
        return false;
    l->g = g;
    l->vg = g->vg;
    if (found == &part[1])
        return machine_position(l, addr, val[0]);
    return position(l, found != NULL, val);
}

void
vm_interrupted(const struct vm *vm, const void *ucontext, vpc *pcs,
    uint32_t max, struct prof_where *w)
{
    enum { NATIVE_MAX = 32 };
    uintptr_t native[NATIVE_MAX];
    const struct sched_p *p = sched_m_self()->p;
    struct look l = {.vm = vm};
    uint32_t n, k = 0;
    bool stands = look_at(&l, ucontext, native, NATIVE_MAX, &n);

    w->p = p == NULL ? -1 : (int32_t)p->id;
    for (uint32_t i = 0; i < n && k < max; i++)
        pcs[k++] = prof_pc_native(native[i]);
    if (l.g != NULL) {
        w->goid = l.g->id;
        w->labels = l.g->prof.labels;
    }
    if (stands)
        k += interrupted_walk(&l, pcs + k, max - k);
    w->n = k;
}

bool
vm_interrupted_return(const struct vm *vm, void *ucontext)
{
    uintptr_t native[1];
    struct look l = {.vm = vm};
    uint32_t n;

    if (!look_at(&l, ucontext, native, 1, &n))
        return false;
    /* An operation's function, which may have been called from elsewhere. */
    rt_assert(n == 0 || is_op(native[0]));
    if (n > 0 && l.spot.pc == NULL)
        return false;
    if ((n > 0 || l.spot.pc == NULL) &&
        !rt_cstack_return(ucontext, VM_FAULTED))
        return false;
    if (l.spot.pc != NULL &&
        !rt_cstack_goto(ucontext, vm->jit->fault(vm->jit_arg), 0))
        return false;
    struct vm_g *vg = l.g->vg;
    union rt_slot *fp = (union rt_slot *)(uintptr_t)l.fp;
    vg->fp = fp;
    vg->pc = l.pc;
    if (l.spot.nframes > 0)
        vg->fp += l.spot.frames[0].base;
    for (uint32_t i = 0; i < l.spot.nframes; i++) {
        const struct vm_jit_frame *f = &l.spot.frames[i];

        fp[f->base - 1].p = (void *)f->ret;
        fp[f->base - 2].p = NULL;
    }
    return true;
}

bool
vm_trapped(const struct vm *vm, void *ucontext)
{
    uintptr_t to;
    uint64_t value;

    return vm->jit != NULL &&
        vm->jit->trap(vm->jit_arg, rt_cstack_fault_pc(ucontext), &to, &value) &&
        rt_cstack_goto(ucontext, to, value);
}

bool
vm_is_running(const struct vm *vm, uintptr_t addr)
{
    struct rt_cstack_part part[2];

    if (vm_is_interp(addr))
        return true;
    return parts_of(vm, part) == 2 &&
        (is_op(addr) || (addr >= part[1].lo && addr < part[1].hi));
}
