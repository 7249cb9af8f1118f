/* SPDX-License-Identifier: MIT */

/* Allocation, of small values from the P's windows: as gc_alloc() and
 * gc_alloc_noscan() do it, which are called where a window is used up. */
#include "runtime/jit/op_x64.h"

#include "gc/sizeclass.h"

/* The windows of these sizes have all free slots' pointer bits in one word. */
enum { NEW_MAX = 64, NEW_NOSCAN_MIN = 16 };

static bool
can_allocate(const struct rt_layout *l)
{
    /* Sanitizers want to be told. */
    return !RT_ASAN && l->size <= NEW_MAX &&
        l->size >= (l->ptrdata == 0 ? NEW_NOSCAN_MIN : 1);
}

/* Whether it is an object as two of which share a block. */
static bool
is_tiny(const struct rt_layout *l)
{
    return l->size == 8 && l->ptrdata == 0;
}

bool
op_can_allocate(const struct rtype *t)
{
    return can_allocate(&t->layout) || (!RT_ASAN && is_tiny(&t->layout));
}

bool
op_can_make_closure(const struct code_func *f)
{
    return can_allocate(&f->closure);
}

/* Zeros `size` bytes, a multiple of 8, at reg. */
static void
zero(struct jit_fn *c, int reg, int32_t size)
{
    int32_t at = 0;

    rt_assert(size % 8 == 0);
    x_rr(&c->b, X_XORF, X_XMM0, X_XMM0);
    for (; size - at >= 16; at += 16)
        x_rm(&c->b, X_STOREF_2, X_XMM0, reg, at);
    if (at < size)
        x_rm(&c->b, X_STOREF, X_XMM0, reg, at);
}

/* rdx = the address of a free slot, which holds anything; its size.  rax = the
 * P's cache, rcx = the window's free slots, rdx = the first one's number, then
 * its address. */
static int32_t
allocate(struct jit_fn *c, const struct rt_layout *l)
{
    unsigned class = gc_size_class(l->size);
    unsigned which = 2 * class + (l->ptrdata == 0);
    int32_t at = (int32_t)(offsetof(struct gc_pcache, win) +
        which * sizeof(struct gc_window));
    int32_t size = gc_class_size[class];

    rt_assert((uint64_t)size >= l->size && size <= NEW_MAX);
    x_rm(&c->b, X_LOAD, X_RAX, X_RSP, OP_AT_THREAD);
    x_rm(&c->b, X_LOAD, X_RAX, X_RAX, offsetof(struct vm_thread, cache));
    x_rm(&c->b, X_LOAD, X_RCX, X_RAX,
        at + (int32_t)offsetof(struct gc_window, free));
    x_rr(&c->b, X_TEST, X_RCX, X_RCX);
    jit_slow(c, X_E);
    if (l->ptrdata != 0) {
        x_alu_mi(&c->b, X_ALU_CMP, X_RAX,
            at + (int32_t)offsetof(struct gc_window, mask), l->ptrmask[0]);
        jit_slow(c, X_NE);
    }
    x_rr(&c->b, X_BSF, X_RDX, X_RCX);
    x_rr(&c->b, X_BTR, X_RDX, X_RCX);
    x_rm(&c->b, X_STORE, X_RCX, X_RAX,
        at + (int32_t)offsetof(struct gc_window, free));
    op_times(c, X_RDX, X_RDX, size);
    x_rm(&c->b, X_ADD, X_RDX, X_RAX,
        at + (int32_t)offsetof(struct gc_window, base));
    return size;
}

/* rdx = 8 zeroed bytes: those of the P's tiny block from 8 on if no more of it are
 * in use; else the first of a new block. */
static void
allocate_tiny(struct jit_fn *c)
{
    static const struct rt_layout block = {.size = GC_TINY_SIZE};
    const int32_t off = offsetof(struct gc_pcache, tiny_off),
                  tiny = offsetof(struct gc_pcache, tiny);

    static_assert(GC_TINY_SIZE == 16, "two objects share a block");
    x_rm(&c->b, X_LOAD, X_RAX, X_RSP, OP_AT_THREAD);
    x_rm(&c->b, X_LOAD, X_RAX, X_RAX, offsetof(struct vm_thread, cache));
    x_rm(&c->b, X_LOAD32, X_RCX, X_RAX, off);
    x_rm(&c->b, X_LEA, X_RCX, X_RCX, -1);
    x_alu_i(&c->b, X_ALU_CMP, X_RCX, 7);
    uint8_t *full = x_jump(&c->b, X_A);
    x_rm(&c->b, X_STORE32_I, 0, X_RAX, off);
    x_i32(&c->b, GC_TINY_SIZE);
    x_alu_mi(&c->b, X_ALU_ADD, X_RAX,
        offsetof(struct gc_pcache, tiny_allocs), 1);
    x_rm(&c->b, X_LOAD, X_RDX, X_RAX, tiny);
    x_alu_i(&c->b, X_ALU_ADD, X_RDX, 8);
    uint8_t *done = x_jump(&c->b, X_ALWAYS);
    x_fix(full, c->b.p);
    zero(c, X_RDX, allocate(c, &block));
    x_rm(&c->b, X_STORE, X_RDX, X_RAX, tiny);
    x_rm(&c->b, X_STORE32_I, 0, X_RAX, off);
    x_i32(&c->b, 8);
    x_fix(done, c->b.p);
}

void
op_new(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct rt_layout *l = &c->im->types[w->imm]->layout;

    if (is_tiny(l))
        allocate_tiny(c);
    else
        zero(c, X_RDX, allocate(c, l));
    op_put(c, jit_def(c, w->a), X_RDX);
    op_zero_vars(c);
}

/* MKCLO: while the collector marks, it is a function of C that does it. */
void
op_make_closure(struct jit_fn *c)
{
    const struct code_ins *w = jit_now(c)->w;
    const struct code_func *f = &c->im->funcs[w[1].imm];

    if (f->closure.ptrdata != 0)
        op_barrier(c);
    int32_t size = allocate(c, &f->closure), end = 8 + 8 * (int32_t)w->c;

    rt_assert(f->closure.size == (uint64_t)end && end <= size);
    x_mov(&c->b, X_RCX, X_RDX);
    op_fill(c, X_RCX);
    for (; end < size; end += 8) {
        x_rm(&c->b, X_STORE_I, 0, X_RCX, end);
        x_i32(&c->b, 0);
    }
    op_put(c, jit_def(c, w->a), X_RCX);
    x_mov(&c->b, X_RAX, X_RCX);
    op_load_vars(c, 0);
}
