/* SPDX-License-Identifier: MIT */

/*
 * The interpreter loop.  Each op's body stands once in ops_*.inc, between
 * OPBODY(name) and one of the macros that end it:
 *
 *     NEXT(n)        go on n words further
 *     LOOP(n)        the same backwards: tests the preempt flag
 *     JUMP(n)        the same of an operation that is no mere jump
 *     CALLOP(f, n)   call VM_OP(f); go on where it answers VM_OK.  pc and fp
 *                    are saved before: an operation that parks may run on
 *                    elsewhere afterwards, and profilers of allocation walk
 *                    the stack
 *     FAIL(label)    raise the panic that has this label below
 *     FAIL_AS(s)     end as the status says, which is not VM_OK
 *
 * Most bodies are made functions, too (ops_fn.c), for machine code to call.
 *
 * Dispatch is by computed goto or, where that is switched off, by a switch.
 * The hot state is fp, pc, vg and t; slow paths are functions, so that the
 * loop itself needs no spills.
 *
 * interp_race.c compiles all of it a second time, with the checked forms of
 * instructions, interp_points.c a third time, with points, too.
 */

#include <math.h>
#include <string.h>

#include "runtime/base/utf8.h"
#include "runtime/value/map.h"
#include "runtime/value/num.h"
#include "runtime/value/str.h"
#include "runtime/vm/ops_int.h"
#include "runtime/vm/vm_int.h"

#define VM vm

/* What is in this copy. */
#ifndef VM_POINTS
#define VM_POINTS 0
#endif
#define VM_FORMS (VM_RACE || VM_POINTS)
#ifndef VM_RACE
#define VM_RACE 0
#endif
#if VM_FORMS
#include "runtime/race/race.h"
#include "runtime/vm/race_forms.h"
#endif

/*
 * Profilers want to know pc and fp of a thread that they interrupt.  Where
 * these stay in the same registers throughout, notes, which are no code, say
 * in which: at the entry and where all instructions come together;
 * interrupt.c believes them if they agree.  Other compilers and sanitizers
 * move them about, so there each instruction saves them first; volatile, as
 * only a signal handler may read them.
 */
#if VM_INTERP_NOTES && !VM_POINTS
#if VM_RACE
#define NOTES "vole_race_regs"
#else
#define NOTES "vole_interp_regs"
#endif
#define NOTE_REGISTERS()                                            \
    __asm__ volatile(".pushsection " NOTES ", \"a\", @progbits\n" \
                     ".asciz \"%0 %1\"\n"                        \
                     ".popsection" ::"r"(pc), "r"(fp))
#define TELL() ((void)0)
#else
#define NOTE_REGISTERS() ((void)0)
#define TELL()                                                    \
    do {                                                          \
        *(union rt_slot *volatile *)&vg->fp = fp;                 \
        *(const struct code_ins *volatile *)&vg->pc = pc + 1;     \
    } while (0)
#endif

#if VOLE_COMPUTED_GOTO
#define OPBODY(name) L_##name:
#define CHECKED(name) L_CHECKED_##name:
#define EXECUTE()               \
    do {                        \
        TELL();                 \
        goto *labels[pc->op];   \
    } while (0)
#elif VM_FORMS
#define OPBODY(name) case OP_##name: L_##name: __attribute__((unused));
#define CHECKED(name) case OP_COUNT + OP_##name:
#define EXECUTE() goto dispatch
#else
#define OPBODY(name) case OP_##name:
#define EXECUTE() goto dispatch
#endif

/* With points, all instructions go by a second table, in which those that may
 * be points have another label; and loops are counted. */
/* Each is in a section of its own, whose bounds the linker knows. */
#if VM_POINTS
#define VM_INTERP vm_interp_points
#define VM_INTERP_SECTION __attribute__((section("vole_points")))
#define DISPATCH()                              \
    do {                                        \
        if (rt_unlikely(vm_may_be_point[pc->op])) \
            goto point;                         \
        EXECUTE();                              \
    } while (0)
#define COUNT_LOOP()                  \
    do {                              \
        if (rt_unlikely(--loops == 0)) \
            goto loop;                \
    } while (0)
#else
#if VM_RACE
#define VM_INTERP vm_interp_race
#define VM_INTERP_SECTION __attribute__((section("vole_race")))
#else
#define VM_INTERP vm_interp
#define VM_INTERP_SECTION __attribute__((section("vole_interp")))
#endif
#define DISPATCH() EXECUTE()
#define COUNT_LOOP() ((void)0)
#endif

#define NEXT(n)         \
    do {                \
        pc += (n);      \
        DISPATCH();     \
    } while (0)

#define LOOP(n)                                               \
    do {                                                      \
        pc += (n);                                            \
        if (rt_unlikely(a32_load_rlx(vm_m_of(t)->preempt)))   \
            goto preempt;                                     \
        COUNT_LOOP();                                         \
        if (rt_unlikely(--vm_m_of(t)->heat < 0))              \
            goto hot;                                         \
        DISPATCH();                                           \
    } while (0)

#define JUMP(n) NEXT(n)

#define PLAIN(name) goto L_##name

#define SAVE(n)            \
    do {                   \
        vg->fp = fp;       \
        vg->pc = pc + (n); \
    } while (0)

#define CALLOP(name, n)                  \
    do {                                 \
        SAVE(n);                         \
        st = vm_op_##name(t, fp, pc);    \
        if (rt_likely(st == VM_OK))      \
            NEXT(n);                     \
        goto status;                     \
    } while (0)

#define FAIL(label) goto label
#define FAIL_AS(s)   \
    do {             \
        st = (s);    \
        goto status; \
    } while (0)

/* The counter of vm_m has run out: whether machine code can go on at pc. */
static RT_NOINLINE bool
hot_at(struct vm_thread *t, const struct code_ins *pc)
{
    struct vm *vm = t->vm;

    if (vm->jit != NULL)
        return vm->jit->hot(vm->jit_arg, t, pc);
    vm_m_of(t)->heat = INT32_MAX;
    return false;
}

VM_INTERP_SECTION int
VM_INTERP(struct vm_thread *t)
{
#if VOLE_COMPUTED_GOTO
    static const void *const labels[(1 + VM_FORMS) * OP_COUNT] = {
#define OP(name, fmt, a, b, c, does, access, effect) \
    [OP_##name] = &&L_##name,
#include "runtime/code/opcode.def"
#undef OP
#if VM_FORMS
#define LABEL(name, where, how, n) [OP_COUNT + OP_##name] = &&L_CHECKED_##name,
#define LABEL_BY(name)             [OP_COUNT + OP_##name] = &&L_CHECKED_##name,
#define OP(name, fmt, a, b, c, does, access, effect) \
    RACE_FORM_##access(name, LABEL, LABEL_BY)
#include "runtime/code/opcode.def"
#undef OP
        LABEL_BY(CALLN)
#endif
    };
#endif
    struct vm *vm = t->vm;
    const struct vm_entry *entries = vm->entries;
    struct vm_g *vg = vm_g_of(t);
    union rt_slot *fp = vg->fp;
    const struct code_ins *pc = vg->pc;
    enum vm_status st;
    uintptr_t end;
    enum vm_jit_how how;
    int act;
#if VM_POINTS
    uint32_t loops = VM_POINT_LOOPS;
#endif

    NOTE_REGISTERS();
    goto enter;
#if !VOLE_COMPUTED_GOTO
dispatch:
    TELL();
    switch (pc->op) {
#endif
#include "runtime/vm/ops_arith.inc"
#include "runtime/vm/ops_jump.inc"
#include "runtime/vm/ops_mem.inc"
#include "runtime/vm/ops_data.inc"
#include "runtime/vm/ops_go.inc"
#include "runtime/vm/ops_call.inc"
#if VM_FORMS
#include "runtime/vm/ops_race.inc"
#endif
#if !VOLE_COMPUTED_GOTO
    default:
        rt_throw("vm: unknown instruction");
    }
#endif

#if VM_POINTS
point:
    if (vm_point(t, fp, pc, false))
        return SCHED_RUN_YIELD;
    EXECUTE();
loop:
    loops = VM_POINT_LOOPS;
    if (vm_point(t, fp, pc, true))
        return SCHED_RUN_YIELD;
    DISPATCH();
#endif

index:
    NOTE_REGISTERS();
    SAVE(1);
    st = vm_op_index(t, fp, pc);
    goto status;
nil:
    NOTE_REGISTERS();
    SAVE(1);
    st = vm_op_nil(t, fp, pc);
    goto status;
divide:
    SAVE(1);
    st = vm_panicf(t, "integer divide by zero");
    goto status;
shift:
    SAVE(1);
    st = vm_panicf(t, "negative shift amount");
    goto status;

status:
    act = vm_after(t, fp, pc, st);
    goto act;

stack:
    vg->fp = fp;
    vg->pc = pc;
    act = vm_stack_check(t, end);
    goto act;

preempt:
    NOTE_REGISTERS();
    vg->fp = fp;
    vg->pc = pc;
    vg->exact = true;
    act = vm_safepoint(t);
act:
    if (rt_unlikely(act != VM_GO_ON))
        return act;
    fp = vg->fp;
    pc = vg->pc;
enter:
    if (rt_likely(vm->jit == NULL) ||
        (vg->again == 0 && !vm->jit->resumes(vm->jit_arg, pc)))
        DISPATCH();
resume:
    how = VM_JIT_RESUME;
machine:
    NOTE_REGISTERS();
    vm_m_of(t)->at_fp = fp;
    vm_m_of(t)->at_pc = pc;
    act = (int)vm->jit->run(vm->jit_arg, t, how);
    vg = vm_g_of(t); /* by vm_next() another's */
    fp = vm_m_of(t)->at_fp;
    pc = vm_m_of(t)->at_pc;
    vm_stands(t, VM_STANDS_LOOP);
    if (act == VM_JIT_PREEMPT)
        goto preempt;
    if (rt_unlikely(act == VM_JIT_FAULTED))
        return VM_FAULTED;
    if (act == VM_JIT_ROOM) {
        end = vm_m_of(t)->need;
        goto stack;
    }
    if (act == VM_JIT_ANSWER) {
        st = vm_m_of(t)->answer;
        goto status;
    }
    DISPATCH();
hot:
    vm_m_of(t)->at_fp = fp;
    if (hot_at(t, pc))
        goto resume;
    DISPATCH();
}
