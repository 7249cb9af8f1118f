/* SPDX-License-Identifier: MIT */

/*
 * The way from machine code to functions of C, which is as long as what it does
 * itself: so each call has only what is of its own, and the rest is here, once
 * for each function, at the beginning of the region, behind the ways out.
 *
 * A thunk jumps, so that the function returns to the code that has called, as
 * who looks for that from within the function expects.  It keeps the pc and the
 * frame for the way out that is taken if the function does not answer VM_OK,
 * which code jumps to with the answer in eax: JIT_EXIT_OP.
 */
#include "runtime/jit/op_x64.h"

/* Each has so many bytes, and begins with a move for who is in the outermost
 * frame, which the others have in rsi. */
enum { THUNK_BYTES = 32, FRAME_BYTES = 3 };

/* Before those of operations: for any function, whose address is in rax, and for
 * natives; and what follows these, which has two places as well. */
enum { THUNK_ANY, THUNK_NATIVE, THUNK_SYNC = 3, THUNK_OPS = 5 };

/* Behind a call the frame of machine code is so much higher. */
enum { CALLED = 8 };

/* rsi = the frame, rdi = the thread. */
static void
begin_thunk(struct x64_buf *b)
{
    const uint8_t *begin = b->p;

    x_mov(b, X_RSI, OP_FP);
    rt_assert(b->p == begin + FRAME_BYTES);
    x_rm(b, X_LOAD, X_RDI, X_RSP, CALLED + OP_AT_THREAD);
    x_rm(b, X_STORE, X_RDX, X_RSP, CALLED + OP_AT_SCRATCH);
    x_rm(b, X_STORE, X_RSI, X_RSP, CALLED + OP_AT_SCRATCH_2);
}

/* The native at rax, with its arguments at rcx: fp and pc are saved before it as
 * the interpreter does. */
static void
put_native(struct x64_buf *b)
{
    begin_thunk(b);
    x_alu_i(b, X_ALU_ADD, X_RDX, sizeof(struct code_ins));
    x_rm(b, X_LOAD, X_R8, X_RSP, CALLED + OP_AT_VG);
    x_rm(b, X_STORE, X_RSI, X_R8, offsetof(struct vm_g, fp));
    x_rm(b, X_STORE, X_RDX, X_R8, offsetof(struct vm_g, pc));
    x_mov(b, X_RSI, X_RCX);
    x_rr(b, X_JUMP, 4, X_RAX);
}

/* vm_sync(): the native may have come back with another P. */
static void
put_sync(struct x64_buf *b)
{
    x_rm(b, X_LOAD, X_RCX, X_RSP, CALLED + OP_AT_THREAD);
    x_rm(b, X_LOAD, X_RDX, X_RCX, offsetof(struct vm_thread, m));
    x_rm(b, X_LOAD, X_RDX, X_RDX, offsetof(struct sched_m, p));
    x_rm(b, X_LEA, X_RAX, X_RDX, offsetof(struct sched_p, cache));
    x_rm(b, X_STORE, X_RAX, X_RCX, offsetof(struct vm_thread, cache));
    x_rm(b, X_LEA, X_RAX, X_RDX, offsetof(struct sched_p, preempt));
    x_rm(b, X_STORE, X_RAX, X_RCX, offsetof(struct vm_m, preempt));
    x_mov(b, OP_PREEMPT, X_RAX);
    x_rm(b, X_LOAD8U, X_RAX, X_RDX, offsetof(struct sched_p, alone));
    x_rm(b, X_STORE32, X_RAX, X_RSP, CALLED + OP_AT_ALONE);
    x_return(b);
}

static uint8_t *
thunk_at(const struct jit_region *r, unsigned i)
{
    rt_assert(r->thunks != 0 && i < THUNK_OPS + OP_COUNT);
    return r->write + r->thunks + (size_t)i * THUNK_BYTES;
}

void
jit_x64_thunks(struct jit_region *r)
{
    struct x64_buf b;
    unsigned n = THUNK_OPS;

    r->thunks = (uint32_t)((r->used + THUNK_BYTES - 1) &
        ~(size_t)(THUNK_BYTES - 1));
    b.p = thunk_at(r, THUNK_ANY);
    begin_thunk(&b);
    x_rr(&b, X_JUMP, 4, X_RAX);
    rt_assert(b.p <= thunk_at(r, THUNK_NATIVE));
    b.p = thunk_at(r, THUNK_NATIVE);
    put_native(&b);
    rt_assert(b.p <= thunk_at(r, THUNK_SYNC));
    b.p = thunk_at(r, THUNK_SYNC);
    put_sync(&b);
    rt_assert(b.p <= thunk_at(r, THUNK_OPS));
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (vm_op_functions[op] == NULL)
            continue;
        b.p = thunk_at(r, n);
        begin_thunk(&b);
        x_abs(&b, X_JUMP, 4, (uint32_t)(uintptr_t)&r->table[op]);
        r->thunk[op] = (uint16_t)n++;
        rt_assert(b.p <= thunk_at(r, n));
    }
    r->used = r->thunks + (size_t)n * THUNK_BYTES;
}

/* eax = the answer of what the thunk jumps to, for the current instruction. */
static void
call_thunk(struct jit_fn *c, unsigned i)
{
    const struct jit_ins *x = jit_now(c);
    const uint8_t *to = thunk_at(&c->jit->region, i);

    x_const(&c->b, X_RDX, (int64_t)(uintptr_t)x->pc);
    if (x->frame != 0) {
        op_load_frame(c, X_RSI);
        to += FRAME_BYTES;
    }
    x_call_to(&c->b, to);
}

void
op_call_op(struct jit_fn *c)
{
    const struct jit_ins *x = jit_now(c);
    unsigned op = x->w[0].op;

    if (x->watched) { /* it saves fp and pc itself, if that is to be */
        rt_assert(vm_race_functions[op] != NULL && c->jit->vm->race != NULL);
        x_const(&c->b, X_RAX, (int64_t)(uintptr_t)vm_race_functions[op]);
        call_thunk(c, THUNK_ANY);
        return;
    }
    rt_assert(c->jit->region.thunk[op] >= THUNK_OPS && op != OP_CALLN);
    call_thunk(c, c->jit->region.thunk[op]);
}

void
op_call_native(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    vm_native_fn fn = c->jit->vm->tables.natives[(uint32_t)w->imm];

    rt_assert(fn != NULL && (uint32_t)w->imm < c->im->nnatives);
    x_rm(&c->b, X_LEA, X_RCX, OP_FP, 8 * (int32_t)w->a);
    x_const(&c->b, X_RAX, (int64_t)(uintptr_t)fn);
    call_thunk(c, THUNK_NATIVE);
}

void
op_sync_thread(struct jit_fn *c)
{
    x_call_to(&c->b, thunk_at(&c->jit->region, THUNK_SYNC));
}
