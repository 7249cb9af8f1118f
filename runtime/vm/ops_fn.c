/* SPDX-License-Identifier: MIT */

/*
 * The operations as functions: the bodies of the interpreter's loop once
 * more, for machine code to call; and so the checked forms.
 */

#include <math.h>
#include <string.h>

#include "runtime/base/utf8.h"
#include "runtime/value/map.h"
#include "runtime/value/num.h"
#include "runtime/value/str.h"
#include "runtime/race/race.h"
#include "runtime/vm/ops_int.h"
#include "runtime/vm/race_forms.h"
#include "runtime/vm/vm_int.h"

/* By a seed there is no machine code. */
#define VM_POINTS 0
#define VM (t->vm)

/* Some need not all of what they are given. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define SIGNATURE(name)                                       \
    enum vm_status vm_do_##name(struct vm_thread *t,          \
        union rt_slot *fp, const struct code_ins *pc)
/* In a section of their own, so that a fault is known to be of theirs. */
#define OPBODY(name) __attribute__((section("vole_ops"))) SIGNATURE(name)

/* Weak, so that the address of those that have no body here is NULL. */
#define OP(name, fmt, a, b, c, does, access, effect) \
    SIGNATURE(name) __attribute__((weak));
#include "runtime/code/opcode.def"
#undef OP

#define NEXT(n) return VM_OK
/* Where it matters whether the operation goes on elsewhere. */
#define JUMP(n) return VM_YIELD

#define SAVE(n)                         \
    do {                                \
        struct vm_g *vg_ = vm_g_of(t);  \
        vg_->fp = fp;                   \
        vg_->pc = pc + (n);             \
    } while (0)

#define CALLOP(name, n)                \
    do {                               \
        SAVE(n);                       \
        return vm_op_##name(t, fp, pc); \
    } while (0)

#define FAIL_AS(s)  return s
#define FAIL(label) return FAIL_##label(t, fp, pc)
#define FAIL_nil    fail_nil
#define FAIL_index  fail_index
#define FAIL_divide fail_divide
#define FAIL_shift  fail_shift

static enum vm_status
fail_nil(struct vm_thread *t, union rt_slot *fp, const struct code_ins *pc)
{
    SAVE(1);
    return vm_op_nil(t, fp, pc);
}

static enum vm_status
fail_index(struct vm_thread *t, union rt_slot *fp, const struct code_ins *pc)
{
    SAVE(1);
    return vm_op_index(t, fp, pc);
}

static enum vm_status
fail_divide(struct vm_thread *t, union rt_slot *fp, const struct code_ins *pc)
{
    SAVE(1);
    return vm_panicf(t, "integer divide by zero");
}

static enum vm_status
fail_shift(struct vm_thread *t, union rt_slot *fp, const struct code_ins *pc)
{
    SAVE(1);
    return vm_panicf(t, "negative shift amount");
}

#include "runtime/vm/ops_arith.inc"
#include "runtime/vm/ops_data.inc"
#include "runtime/vm/ops_go.inc"
#include "runtime/vm/ops_mem.inc"

const vm_op_fn vm_op_functions[OP_COUNT] = {
#define OP(name, fmt, a, b, c, does, access, effect) \
    [OP_##name] = vm_do_##name,
#include "runtime/code/opcode.def"
#undef OP
};

/* ---- checked forms ------------------------------------------------------ */

#define CHECKED(name)                                              \
    __attribute__((section("vole_ops"))) static enum vm_status     \
    checked_##name(struct vm_thread *t, union rt_slot *fp,         \
        const struct code_ins *pc)
#define PLAIN(name) return vm_do_##name(t, fp, pc)

#include "runtime/vm/ops_race.inc"

#define ONE(name, where, how, n) [OP_##name] = checked_##name,
#define BY(name)                 [OP_##name] = checked_##name,

const vm_op_fn vm_race_functions[OP_COUNT] = {
#define OP(name, fmt, a, b, c, does, access, effect) \
    RACE_FORM_##access(name, ONE, BY)
#include "runtime/code/opcode.def"
#undef OP
    BY(CALLN)
};
