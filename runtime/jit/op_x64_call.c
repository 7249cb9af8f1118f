/* SPDX-License-Identifier: MIT */

/*
 * Calls, of Go code and of C, and the code behind a function's.
 *
 * A call makes the frame as the interpreter does, with the address behind the
 * call at fp[-2], and jumps; the callee's return jumps back there.  A callee
 * without machine code is left to the interpreter by the table of entries,
 * with the function's number in eax.
 */
#include "runtime/jit/op_x64.h"

#include <string.h>

static uint8_t *
exit_at(const struct jit_fn *c, enum jit_exit kind)
{
    return c->jit->region.write + jit_exit_offsets[kind];
}

void
op_exit(struct jit_fn *c, enum jit_exit kind)
{
    x_jump_to(&c->b, X_ALWAYS, exit_at(c, kind));
}

/* Leaves if a frame that ends at rax does not fit, or somebody wants the
 * goroutine to stop; rcx or rdx, which is scratch, is lost. */
static void
check_stack(struct jit_fn *c, int scratch)
{
    rt_assert(scratch == X_RCX || scratch == X_RDX);
    op_load_vg(c, scratch);
    x_rm(&c->b, X_CMP, X_RAX, scratch, offsetof(struct vm_g, limit));
    jit_leave(c, X_A);
}

void
op_write_headers(struct jit_fn *c)
{
    const struct jit_frame *f = jit_frame_of(c, jit_now(c));

    for (uint32_t i = jit_now(c)->frame; i != 0; i = f->up) {
        f = &c->jit->frames[i];
        op_store_const(c, OP_FP, 8 * f->base - 8, (uintptr_t)f->ret, X_RDX);
        op_store_const(c, OP_FP, 8 * f->base - 16, 0, X_RDX);
        if (f->made)
            jit_landing(c, c->b.p - sizeof f->land, i);
    }
}

/* The header of a frame at fp + a that returns to ret, and fp; where the
 * native return address goes is returned, for land(). */
static uint8_t *
make_frame_of(struct jit_fn *c, int32_t a, const struct code_ins *ret)
{
    const struct jit_ins *x = jit_now(c);

    rt_assert(a >= 2);
    op_store_const(c, OP_FP, 8 * a - 8, (uintptr_t)ret, X_RDX);
    op_store_const(c, OP_FP, 8 * a - 16, 0, X_RDX);
    uint8_t *address = c->b.p;
    x_alu_i(&c->b, X_ALU_ADD, OP_FP, 8 * a);
    jit_put_spot(c, x, (uint32_t)a);
    return address;
}

static uint8_t *
make_frame(struct jit_fn *c, int32_t a)
{
    return make_frame_of(c, a, jit_now(c)->pc + 1);
}

/* The frame returns to here. */
static void
set_address(struct jit_fn *c, uint8_t *address)
{
    uint32_t here = jit_exec(c->jit, c->b.p);

    rt_assert(here <= INT32_MAX && address < c->b.p);
    memcpy(address - sizeof here, &here, sizeof here);
}

/* Behind a call. */
static void
land(struct jit_fn *c, uint8_t *address, int32_t a)
{
    set_address(c, address);
    x_alu_i(&c->b, X_ALU_SUB, OP_FP, 8 * a);
    jit_put_spot(c, jit_now(c), 0);
}

/* To the function's machine code, if it has any. */
static void
jump_to_func(struct jit_fn *c, const struct code_func *f)
{
    const struct jit *jit = c->jit;
    uintptr_t entry = jit->region.table[JIT_FUNCS + f->id];
    uint8_t *code = jit->region.write + (entry - (uintptr_t)jit->region.exec);

    rt_assert(entry >= (uintptr_t)jit->region.exec &&
        entry < (uintptr_t)jit->region.exec + JIT_CODE_BYTES);
    if (f == c->f)
        code = c->start;
    if (code != exit_at(c, JIT_EXIT_CALL)) {
        x_jump_to(&c->b, X_ALWAYS, code);
        return;
    }
    x_const(&c->b, X_RAX, f->id);
    x_abs(&c->b, X_JUMP, 4, jit_table_entry(jit, f->id));
}

static void
call(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct code_func *f = &c->im->funcs[w->imm];
    int32_t a = w->a;

    x_rm(&c->b, X_LEA, X_RAX, OP_FP, 8 * (a + f->extent));
    check_stack(c, X_RDX);
    uint8_t *address = make_frame(c, a);
    jump_to_func(c, f);
    land(c, address, a);
}

/* rcx = the closure, rdx = its function. */
static void
call_closure(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    int32_t a = w->a;

    op_load(c, X_RCX, jit_use(c, w->b));
    x_rr(&c->b, X_TEST, X_RCX, X_RCX);
    jit_leave(c, X_E);
    x_rm(&c->b, X_LOAD, X_RDX, X_RCX, offsetof(struct code_closure, fn));
    x_rm(&c->b, X_LOAD16U, X_RAX, X_RDX,
        offsetof(struct code_func, extent));
    x_rx(&c->b, X_LEA, X_RAX, OP_FP, X_RAX, 3, 8 * a);
    check_stack(c, X_RDX);
    x_rm(&c->b, X_LOAD, X_RDX, X_RCX, offsetof(struct code_closure, fn));
    x_rm(&c->b, X_LOAD16U, X_RAX, X_RDX, offsetof(struct code_func, ctx));
    x_rx(&c->b, X_STORE, X_RCX, OP_FP, X_RAX, 3, 8 * a);
    x_rm(&c->b, X_LOAD32, X_RAX, X_RDX, offsetof(struct code_func, id));
    uint8_t *address = make_frame(c, a);
    /* The table has no functions that the program has made: the interpreter
     * is called. */
    x_alu_i(&c->b, X_ALU_CMP, X_RAX, (int32_t)c->im->nfuncs);
    x_jump_to(&c->b, X_AE, exit_at(c, JIT_EXIT_CALL));
    x_abs_index(&c->b, X_JUMP, 4, X_RAX, jit_table_entry(c->jit, 0));
    land(c, address, a);
}

/* edx = the function of method `sel` of the type in rcx: as vm_method(), but
 * that it leaves where there is none. */
static void
find_method(struct jit_fn *c, uint32_t sel)
{
    x_rm(&c->b, X_LOAD, X_RDX, X_RCX, offsetof(struct rtype, mtab));
    x_rm(&c->b, X_LOAD32, X_RCX, X_RCX, offsetof(struct rtype, msize));
    x_rr(&c->b, X_GROUP32_I8, X_ALU_SUB, X_RCX);
    x_i8(&c->b, 1);
    x_const(&c->b, X_RAX, sel);
    uint8_t *again = c->b.p;
    x_rr(&c->b, X_AND, X_RAX, X_RCX);
    x_rx(&c->b, X_GROUP32_I32, X_ALU_CMP, X_RDX, X_RAX, 3,
        offsetof(struct rsel, sel));
    x_i32(&c->b, (int32_t)sel);
    uint8_t *found = x_jump_near(&c->b, X_E);
    x_rx(&c->b, X_GROUP32_I8, X_ALU_CMP, X_RDX, X_RAX, 3,
        offsetof(struct rsel, sel));
    x_i8(&c->b, -1);
    jit_leave(c, X_E);
    x_alu_i(&c->b, X_ALU_ADD, X_RAX, 1);
    x_jump_to(&c->b, X_ALWAYS, again);
    x_fix_near(found, c->b.p);
    x_rx(&c->b, X_LOAD32, X_RDX, X_RDX, X_RAX, 3,
        offsetof(struct rsel, func));
}

_Static_assert(sizeof(struct rsel) == 8, "its index is scaled by 8");
_Static_assert(sizeof(struct vm_entry) == 16, "its index is shifted by 4");

static void
call_method(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    int32_t a = w->a;

    const struct rtype *guessed = jit_guessed_type(c, jit_now(c));
    uint8_t *is = NULL;

    op_load(c, X_RCX, jit_use(c, w->b));
    if (guessed != NULL) {
        x_const(&c->b, X_RAX, (int64_t)(uintptr_t)guessed);
        x_rr(&c->b, X_CMP, X_RCX, X_RAX);
        x_const(&c->b, X_RDX, vm_method(guessed, w->c));
        is = x_jump_near(&c->b, X_E);
    }
    x_rr(&c->b, X_TEST, X_RCX, X_RCX);
    jit_leave(c, X_E);
    find_method(c, w->c);
    if (is != NULL)
        x_fix_near(is, c->b.p);
    x_mov(&c->b, X_RCX, X_RDX);
    x_const(&c->b, X_RDX, (int64_t)(uintptr_t)c->jit->vm->entries);
    x_mov(&c->b, X_RAX, X_RCX);
    x_shift_i(&c->b, X_SHL, X_RAX, 4);
    x_rx(&c->b, X_LOAD, X_RAX, X_RDX, X_RAX, 0,
        offsetof(struct vm_entry, extent));
    x_rx(&c->b, X_LEA, X_RAX, OP_FP, X_RAX, 0, 8 * a);
    check_stack(c, X_RDX);
    op_load(c, X_RAX, jit_use(c, w->b + 1u));
    x_rm(&c->b, X_STORE, X_RAX, OP_FP, 8 * a);
    uint8_t *address = make_frame(c, a);
    x_mov(&c->b, X_RAX, X_RCX);
    x_abs_index(&c->b, X_JUMP, 4, X_RAX, jit_table_entry(c->jit, 0));
    land(c, address, a);
}

/* ---- deferred calls ----------------------------------------------------- */

/* To vm_g.defers, as vm_defer_push() puts it there; that makes room. */
void
op_defer(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    int32_t n = w->b;

    op_load_vg(c, X_RAX);
    x_rm(&c->b, X_LOAD, X_RAX, X_RAX, offsetof(struct vm_g, defers));
    x_rr(&c->b, X_TEST, X_RAX, X_RAX);
    jit_slow(c, X_E);
    x_rm(&c->b, X_LOAD32, X_RCX, X_RAX, offsetof(struct vm_defers, n));
    x_rm(&c->b, X_LEA, X_RDX, X_RCX, n + 2);
    x_rm(&c->b, X_CMP32, X_RDX, X_RAX, offsetof(struct vm_defers, cap));
    jit_slow(c, X_A);
    x_rm(&c->b, X_STORE32, X_RDX, X_RAX, offsetof(struct vm_defers, n));
    x_rm(&c->b, X_LOAD, X_RAX, X_RAX, offsetof(struct vm_defers, v));
    x_rx(&c->b, X_LEA, X_RAX, X_RAX, X_RCX, 3, 0);
    for (int32_t i = 0; i < n; i++)
        op_store_to(c, jit_use(c, w->a + (uint32_t)i), OP_64,
            (struct op_mem){X_RAX, -1, 0, 8 * i});
    if (w->op == OP_DEFERC)
        op_store_to(c, jit_use(c, w->c), OP_64,
            (struct op_mem){X_RAX, -1, 0, 8 * n});
    else
        op_store_const(c, X_RAX, 8 * n,
            (uintptr_t)&c->im->funcs[w[1].imm].self, X_RDX);
    /* The frame, of 8 bytes a slot, into the upper half. */
    op_load_vg(c, X_RCX);
    x_mov(&c->b, X_RDX, OP_FP);
    x_rm(&c->b, X_SUB, X_RDX, X_RCX, offsetof(struct vm_g, stack));
    x_shift_i(&c->b, X_SHL, X_RDX, 32 - 3);
    x_alu_i(&c->b, X_ALU_ADD, X_RDX, n);
    x_rm(&c->b, X_STORE, X_RDX, X_RAX, 8 * n + 8);
}

/* rcx = the frame, in slots from the stack's base. */
static void
frame_number(struct jit_fn *c)
{
    op_load_vg(c, X_RCX);
    x_rm(&c->b, X_LOAD, X_RCX, X_RCX, offsetof(struct vm_g, stack));
    x_rr(&c->b, X_SUB, X_RCX, OP_FP);
    x_rr(&c->b, X_UNARY, X_NEG, X_RCX);
    x_shift_i(&c->b, X_SHR, X_RCX, 3);
}

/* rdx = where the closure of the newest deferred call is, which the argument
 * slots lie below of and vm_defer_push()'s word above.  Jumps to none[] where
 * it is not of this frame, and leaves where it cannot be called from here; of
 * registers only scratch is lost so far. */
static void
find_deferred(struct jit_fn *c, int32_t a, uint8_t *none[3])
{
    op_load_vg(c, X_RAX);
    x_rm(&c->b, X_LOAD, X_RAX, X_RAX, offsetof(struct vm_g, defers));
    x_rr(&c->b, X_TEST, X_RAX, X_RAX);
    none[0] = x_jump(&c->b, X_E);
    x_rm(&c->b, X_LOAD32, X_RCX, X_RAX, offsetof(struct vm_defers, n));
    x_rr(&c->b, X_TEST32, X_RCX, X_RCX);
    none[1] = x_jump(&c->b, X_E);
    x_rm(&c->b, X_LOAD, X_RDX, X_RAX, offsetof(struct vm_defers, v));
    x_rx(&c->b, X_LEA, X_RDX, X_RDX, X_RCX, 3, -16);
    frame_number(c);
    x_rm(&c->b, X_CMP32, X_RCX, X_RDX, 8 + 4);
    none[2] = x_jump(&c->b, X_NE);
    /* Another call in flight may take memory. */
    x_rm(&c->b, X_LOAD32, X_RCX, X_RAX, offsetof(struct vm_defers, nruns));
    x_rm(&c->b, X_CMP32, X_RCX, X_RAX,
        offsetof(struct vm_defers, runs_cap));
    jit_leave(c, X_E);
    x_rm(&c->b, X_LOAD, X_RCX, X_RDX, 0);
    x_rr(&c->b, X_TEST, X_RCX, X_RCX);
    jit_leave(c, X_E);
    x_rm(&c->b, X_LOAD, X_RCX, X_RCX, offsetof(struct code_closure, fn));
    /* The table has no functions that the program has made. */
    x_rm(&c->b, X_LOAD32, X_RAX, X_RCX, offsetof(struct code_func, id));
    x_alu_i(&c->b, X_ALU_CMP, X_RAX, (int32_t)c->im->nfuncs);
    jit_leave(c, X_AE);
    x_rm(&c->b, X_LOAD16U, X_RAX, X_RCX, offsetof(struct code_func, extent));
    x_rm(&c->b, X_CMP32, X_RAX, X_RDX, 8);
    jit_leave(c, X_B);
    x_rx(&c->b, X_LEA, X_RAX, OP_FP, X_RAX, 3, 8 * a);
    check_stack(c, X_RCX);
}

_Static_assert(sizeof(struct vm_run) == 32, "its index is shifted by 5");

/* The call that rdx tells of is in flight: as push_run() and vm_defer_pop().
 * rax = vm_g.defers, rsi = the number of its argument slots. */
static void
begin_run(struct jit_fn *c, int32_t a)
{
    op_load_vg(c, X_RAX);
    x_rm(&c->b, X_LOAD, X_RAX, X_RAX, offsetof(struct vm_g, defers));
    x_rm(&c->b, X_LOAD32, X_RSI, X_RAX, offsetof(struct vm_defers, nruns));
    x_mov(&c->b, X_RDI, X_RSI);
    x_shift_i(&c->b, X_SHL, X_RDI, 5);
    x_rm(&c->b, X_ADD, X_RDI, X_RAX, offsetof(struct vm_defers, runs));
    frame_number(c);
    x_rm(&c->b, X_STORE8_I, 0, X_RDI, offsetof(struct vm_run, kind));
    x_i8(&c->b, VM_RUN_NORMAL);
    x_rm(&c->b, X_STORE32, X_RCX, X_RDI, offsetof(struct vm_run, frame));
    x_rm(&c->b, X_STORE32, X_RCX, X_RDI, offsetof(struct vm_run, caller));
    x_alu_i(&c->b, X_ALU_ADD, X_RCX, a);
    x_rm(&c->b, X_STORE32, X_RCX, X_RDI, offsetof(struct vm_run, callee));
    op_store_const(c, X_RDI, offsetof(struct vm_run, pc),
        (uintptr_t)jit_now(c)->pc, X_RCX);
    op_store_const(c, X_RDI, offsetof(struct vm_run, panic), 0, X_RCX);
    x_alu_i(&c->b, X_ALU_ADD, X_RSI, 1);
    x_rm(&c->b, X_STORE32, X_RSI, X_RAX, offsetof(struct vm_defers, nruns));
    x_rm(&c->b, X_LOAD32, X_RSI, X_RDX, 8);
    x_rm(&c->b, X_LOAD32, X_RDI, X_RAX, offsetof(struct vm_defers, n));
    x_rr(&c->b, X_SUB, X_RDI, X_RSI);
    x_alu_i(&c->b, X_ALU_SUB, X_RDI, 2);
    x_rm(&c->b, X_STORE32, X_RDI, X_RAX, offsetof(struct vm_defers, n));
}

/* Arguments, rsi in number, and closure to the frame at fp + a; eax = the
 * function's number. */
static void
pass_deferred(struct jit_fn *c, int32_t a)
{
    x_rm(&c->b, X_LOAD, X_RCX, X_RDX, 0);
    x_shift_i(&c->b, X_SHL, X_RSI, 3);
    x_rr(&c->b, X_SUB, X_RDX, X_RSI);
    const uint8_t *again = c->b.p;
    x_rr(&c->b, X_TEST, X_RSI, X_RSI);
    uint8_t *done = x_jump(&c->b, X_E);
    x_rx(&c->b, X_LOAD, X_RDI, X_RDX, X_RSI, 0, -8);
    x_rx(&c->b, X_STORE, X_RDI, OP_FP, X_RSI, 0, 8 * a - 8);
    x_alu_i(&c->b, X_ALU_SUB, X_RSI, 8);
    x_jump_to(&c->b, X_ALWAYS, again);
    x_fix(done, c->b.p);
    x_rm(&c->b, X_LOAD, X_RDI, X_RCX, offsetof(struct code_closure, fn));
    x_rm(&c->b, X_LOAD16U, X_RAX, X_RDI, offsetof(struct code_func, ctx));
    x_rx(&c->b, X_STORE, X_RCX, OP_FP, X_RAX, 3, 8 * a);
    x_rm(&c->b, X_LOAD32, X_RAX, X_RDI, offsetof(struct code_func, id));
}

/* RUNDEFER: a call of the newest deferred function that is this frame's, and
 * all over again, until there is none.  The interpreter does what takes memory
 * or panics; calls in flight and frames are as it makes them, but that the
 * callee returns to machine code. */
static void
run_deferred(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    int32_t a = x->w[0].a;
    uint8_t *none[3];

    rt_assert(x->frame == 0 && x->addr != NULL);
    find_deferred(c, a, none);
    begin_run(c, a);
    pass_deferred(c, a);
    uint8_t *address =
        make_frame_of(c, a, &c->jit->vm->stubs[VM_STUB_DEFER]);
    x_abs_index(&c->b, X_JUMP, 4, X_RAX, jit_table_entry(c->jit, 0));
    set_address(c, address);
    op_load_vg(c, X_RAX);
    x_rm(&c->b, X_LOAD, X_RAX, X_RAX, offsetof(struct vm_g, defers));
    x_rm(&c->b, X_GROUP32_I8, X_ALU_SUB, X_RAX,
        offsetof(struct vm_defers, nruns));
    x_i8(&c->b, 1);
    x_alu_i(&c->b, X_ALU_SUB, OP_FP, 8 * a);
    jit_put_spot(c, x, 0);
    jit_load_before(c);
    x_jump_to(&c->b, X_ALWAYS, x->addr);
    for (unsigned i = 0; i < 3; i++)
        x_fix(none[i], c->b.p);
}

void
jit_x64_call(struct jit_fn *c)
{
    jit_save_live(c, true);
    op_write_headers(c);
    switch (jit_now(c)->w[0].op) {
    case OP_CALL:
        call(c);
        break;
    case OP_CALLC:
        call_closure(c);
        break;
    case OP_RUNDEFER:
        run_deferred(c);
        break;
    default:
        call_method(c);
        break;
    }
    jit_load_live(c);
}

void
jit_x64_tail(struct jit_fn *c)
{
    const struct code_func *f = &c->im->funcs[jit_now(c)->w[0].imm];

    rt_assert(jit_now(c)->nsucc == 0);
    jit_save_live(c, false);
    x_rm(&c->b, X_LEA, X_RAX, OP_FP, 8 * (int32_t)f->extent);
    check_stack(c, X_RDX);
    jump_to_func(c, f);
}

/* ---- what is spliced in ------------------------------------------------- */

void
jit_x64_inline(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    const struct jit_frame *f = &c->jit->frames[x->callee];
    bool asks = jit_inline_asks(x) && !x->decided;

    rt_assert(asks == (x->nsucc == 2));
    if (asks && x->w[0].op == OP_CALLI) {
        op_load(c, X_RCX, jit_use(c, x->w[0].b));
        x_const(&c->b, X_RAX, (int64_t)(uintptr_t)f->type);
        x_rr(&c->b, X_CMP, X_RAX, X_RCX);
        jit_goto(c, X_NE, x->succ[1]);
    } else if (asks) {
        op_load(c, X_RCX, jit_use(c, x->w[0].b));
        x_rr(&c->b, X_TEST, X_RCX, X_RCX);
        jit_goto(c, X_E, x->succ[1]);
        x_const(&c->b, X_RAX, (int64_t)(uintptr_t)f->f);
        x_rm(&c->b, X_CMP, X_RAX, X_RCX, offsetof(struct code_closure, fn));
        jit_goto(c, X_NE, x->succ[1]);
    }
    if (!jit_inline_needs_room(c, x))
        return;
    x_rm(&c->b, X_LEA, X_RAX, OP_FP, 8 * f->room);
    op_load_vg(c, X_RDX);
    x_rm(&c->b, X_CMP, X_RAX, X_RDX, offsetof(struct vm_g, limit));
    if (asks) {
        jit_goto(c, X_A, x->succ[1]);
        return;
    }
    jit_leave(c, X_A);
    c->jit->recs[jit_side(c)].room = f->room;
    c->jit->recs[jit_side(c)].addr = jit_exec(c->jit, x->addr);
}

void
jit_x64_land(struct jit_fn *c, const struct jit_frame *f)
{
    x_alu_i(&c->b, X_ALU_SUB, OP_FP, 8 * f->base);
}

/* ---- functions of C ----------------------------------------------------- */

/* Whether the operation's function says by VM_YIELD that it jumps. */
static bool
may_jump(const struct jit_ins *x)
{
    return x->nsucc == 2;
}

void
op_load_frame(struct jit_fn *c, int reg)
{
    const struct jit_ins *x = jit_now(c);

    if (x->frame == 0)
        x_mov(&c->b, reg, OP_FP);
    else
        x_rm(&c->b, X_LEA, reg, OP_FP, 8 * jit_frame_of(c, x)->base);
}

/* eax and its flags = the answer of the current instruction's function, whose
 * operands are in memory. */
static void
call_function(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);

    op_write_headers(c);
    if (c->jit->cfg.stats)
        x_abs(&c->b, X_INC, 0, jit_table_counter(c->jit, x->pc));
    if (x->w[0].op == OP_CALLN && !x->watched)
        op_call_native(c);
    else
        op_call_op(c);
    x_rr(&c->b, X_TEST32, X_RAX, X_RAX);
}

/* The flags say whether eax, the answer, is VM_OK: else there is nothing more to
 * do here. */
static void
leave_with_status(struct jit_fn *c)
{
    x_jump_to(&c->b, X_NE, exit_at(c, JIT_EXIT_OP));
}

void
jit_x64_helper(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    uint8_t *fine = NULL;

    jit_save_live(c, true);
    call_function(c);
    if (may_jump(x)) {
        fine = x_jump_near(&c->b, X_E);
        x_rr(&c->b, X_GROUP32_I8, X_ALU_CMP, X_RAX);
        x_i8(&c->b, VM_YIELD);
    }
    leave_with_status(c);
    if (fine != NULL)
        x_fix_near(fine, c->b.p);
    if (x->w[0].op == OP_CALLN)
        op_sync_thread(c);
    jit_load_live(c);
    if (fine != NULL) {
        x_rr(&c->b, X_TEST32, X_RAX, X_RAX);
        jit_goto(c, X_NE, x->succ[1]);
    }
}

void
jit_x64_stub(struct jit_fn *c, const struct jit_stub *s)
{
    x_const(&c->b, X_RAX, s->value);
    if (s->kind != JIT_EXIT_SIDE) {
        op_exit(c, s->kind);
        return;
    }
    /* Most stubs are this one, and stand side by side. */
    if (x_jump_back(&c->b, X_ALWAYS, c->leaves))
        return;
    c->leaves = c->b.p;
    op_exit(c, JIT_EXIT_SIDE);
}

static void
store_pair(struct jit_fn *c, const struct jit_pair *p)
{
    int32_t home = 8 * p->slot;

    if (p->cell || p->derived)
        return;
    if (p->constant)
        op_store_const(c, OP_FP, home, (uint64_t)(int64_t)p->value, X_RAX);
    else
        x_rm(&c->b, p->reg >= X_XMM0 ? X_STOREF : X_STORE, p->reg, OP_FP,
            home);
}

/* rdx = what is derived of a slot, which is in memory. */
static void
work_out(struct jit_fn *c, const struct jit_pair *p)
{
    x_rm(&c->b, X_LOAD, X_RDX, OP_FP, 8 * (int32_t)jit_derived_of(p));
    x_alu_i(&c->b, X_ALU_ADD, X_RDX, 8 * (int32_t)jit_derived_words(p));
}

/* A variable that has not been stored yet, or what is derived. */
static void
store_late(struct jit_fn *c, const struct jit_pair *p)
{
    if (p->block)
        return;
    if (p->derived && !p->cell) {
        work_out(c, p);
        x_rm(&c->b, X_STORE, X_RDX, OP_FP, 8 * p->slot);
        return;
    }
    if (!p->late)
        return;
    x_rm(&c->b, X_LOAD, X_RAX, OP_FP, 8 * p->slot);
    if (p->derived) {
        work_out(c, p);
        x_rm(&c->b, X_STORE, X_RDX, X_RAX, 8 * p->reg);
    } else if (p->constant)
        op_store_const(c, X_RAX, 8 * p->reg,
            (uint64_t)(int64_t)p->value, X_RDX);
    else
        x_rm(&c->b, p->reg >= X_XMM0 ? X_STOREF : X_STORE, p->reg, X_RAX,
            8 * p->value);
}

/* All that is live before the instruction goes to its slot, for the function
 * and whoever looks at the frame meanwhile.  Then come registers, of what is
 * written last: it may have that of what is not live any more. */
void
jit_x64_slow(struct jit_fn *c, uint32_t record)
{
    const struct jit_record *r = &c->jit->recs[record];
    const struct jit_pair *p = c->jit->pairs + r->first;
    const struct jit_ins *x = jit_now(c);

    rt_assert(jit_record_pc(c->jit, r) == x->pc);
    rt_assert(x->nsucc == 1 && x->kind == JIT_NATIVE);
    for (uint32_t i = 0; i < r->n; i++)
        store_pair(c, &p[i]);
    for (uint32_t i = 0; i < r->n; i++)
        store_late(c, &p[i]);
    call_function(c);
    leave_with_status(c);
    for (uint32_t i = 0; i < r->n; i++) {
        unsigned load = p[i].reg >= X_XMM0 ? X_LOADF : X_LOAD;

        if (p[i].cell && !p[i].constant)
            x_rm(&c->b, X_LOAD, X_RAX, OP_FP, 8 * p[i].slot);
        if (!p[i].constant)
            x_rm(&c->b, load, p[i].reg, p[i].cell ? X_RAX : OP_FP,
                8 * (p[i].cell ? p[i].value : p[i].slot));
    }
    for (uint32_t i = 0; i < x->nops; i++)
        if (c->op[x->ops + i].def)
            jit_x64_load(c, jit_web_of(c, c->op[x->ops + i].node));
}
