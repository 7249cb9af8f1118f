/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_OP_X64_H
#define RUNTIME_JIT_OP_X64_H

/*
 * What the emitters of x86-64 code share.  Each op_*() emits the code of the
 * current instruction; they read operands by op_gpr() and the like, and write
 * them by op_put(), wherever their webs are.  Scratch are rax, rcx, rdx, xmm0
 * and xmm1; no emitter keeps anything there for the next one.
 */

#include "runtime/jit/jit_int.h"

enum {
    OP_FP = X_RBX, /* the frame */
    OP_PREEMPT = X_R12, /* where the preempt flag is */
    /* Where races are looked for; else webs have them: */
    OP_LOOK = X_R14, /* scratch, of op_look() only */
    OP_RACE = X_R15  /* struct race_g */
};

/* At rsp, as enter_x64.S has laid it out; the last are for emitters. */
enum { OP_AT_THREAD = 0, OP_AT_VG = 8, OP_AT_SCRATCH = 24,
    OP_AT_SCRATCH_2 = 32, OP_AT_ALONE = 40 };

static inline bool
op_in_gpr(const struct jit_web *w)
{
    return w->reg >= 0 && w->reg < X_XMM0;
}

static inline bool
op_in_xmm(const struct jit_web *w)
{
    return w->reg >= X_XMM0;
}

static inline bool
op_in_memory(const struct jit_web *w)
{
    return w->reg < 0 && !w->constant;
}

static inline int32_t
op_home(const struct jit_web *w)
{
    return 8 * w->slot;
}

/* The web of operand i of the current instruction, which is its kind's: for whom
 * jit_def() and jit_use() would look among all. */
static inline struct jit_web *
op_operand(const struct jit_fn *c, uint32_t i, uint32_t slot, bool def)
{
    const struct jit_opnd *o = &c->op[jit_now(c)->ops + i];

    rt_assert(i < jit_now(c)->nops && o->slot == slot);
    rt_assert(def ? o->def : o->use);
    return jit_web_of(c, o->node);
}

/* The web's value in a general register: its own, or scratch. */
int op_gpr_of(struct jit_fn *c, const struct jit_web *w, int scratch);
static inline int
op_gpr(struct jit_fn *c, const struct jit_web *w, int scratch)
{
    return op_in_gpr(w) ? w->reg : op_gpr_of(c, w, scratch);
}
/* The same, in this very register. */
void op_load(struct jit_fn *c, int reg, const struct jit_web *w);
/* Register r = s * n, by an addition and a shift where these do it: a product
 * takes three cycles. */
void op_times(struct jit_fn *c, int r, int s, int32_t n);
/* In a float register: its own, or scratch. */
int op_xmm(struct jit_fn *c, const struct jit_web *w, int scratch);
void op_loadf(struct jit_fn *c, int reg, const struct jit_web *w);
/* reg = reg op web. */
void op_alu(
    struct jit_fn *c, enum x64_alu op, int reg, const struct jit_web *w);
/* An instruction of floats, whose source the web is; clobbers xmm1, unless
 * that is the target, and rax where the web is a constant. */
void op_sse(
    struct jit_fn *c, enum x64_op op, int reg, const struct jit_web *w);
/* Where to make the value of a web: its register, or rax or xmm0. */
static inline int
op_target(const struct jit_web *w)
{
    return op_in_gpr(w) ? w->reg : X_RAX;
}
static inline int
op_targetf(const struct jit_web *w)
{
    return op_in_xmm(w) ? w->reg : X_XMM0;
}
/* The register holds the web's new value, whole. */
void op_put(struct jit_fn *c, const struct jit_web *w, int reg);
/* `to` becomes what `from` is; clobbers rax. */
void op_copy(
    struct jit_fn *c, const struct jit_web *to, const struct jit_web *from);
/* Whether n slots from `to` on may be assigned, in any order, before all of
 * those from `from` on have been read, but each of its own. */
bool op_are_apart(struct jit_fn *c, uint32_t to, uint32_t from, unsigned n);
/* A float register is v; clobbers rax where the table has no room for v. */
void op_number(struct jit_fn *c, int reg, uint64_t v);
/* The web's new value is this constant; clobbers rax. */
void op_put_const(struct jit_fn *c, const struct jit_web *w, int64_t v);
/* Leaves if the web's value, which is in reg, is a nil pointer.  op_trap_nil() is
 * for an access by it, as the current instruction is one: it may be that the next
 * instruction by op_mem_put() does so, which accesses that memory; if there
 * is none behind that, op_end_trap() does it. */
void op_check_nil(struct jit_fn *c, const struct jit_web *w, int reg);
void op_trap_nil(struct jit_fn *c, const struct jit_web *w, int reg);
void op_end_trap(struct jit_fn *c, int reg);
/* Flags of a - b, or of web - constant. */
void op_compare(
    struct jit_fn *c, const struct jit_web *a, const struct jit_web *b);
void op_compare_i(struct jit_fn *c, const struct jit_web *a, int32_t v);
/* Whether the number in the slot, which the current instruction reads, is known
 * to be below 2^32, as an instruction just before has made it. */
bool op_is_half(const struct jit_fn *c, uint32_t slot);
/* slot = condition; clobbers rax. */
void op_set(struct jit_fn *c, int cc, uint32_t slot);
/* A store of 64 bits of constant at base + disp. */
void op_store_const(
    struct jit_fn *c, int base, int32_t disp, uint64_t v, int scratch);
/* The headers of the frames around the current instruction, which somebody
 * may look at now; rdx is lost. */
void op_write_headers(struct jit_fn *c);
/* reg = the frame that the current instruction is in. */
void op_load_frame(struct jit_fn *c, int reg);
/* reg = struct vm_g. */
static inline void
op_load_vg(struct jit_fn *c, int reg)
{
    x_rm(&c->b, X_LOAD, reg, X_RSP, OP_AT_VG);
}
/* op_x64_thunk.c: eax = the answer of the current instruction's function, or of
 * its native, whose operands are in memory; of registers webs have lost all but
 * those that C keeps.  Behind a native, the thread may have another P. */
void op_call_op(struct jit_fn *c);
void op_call_native(struct jit_fn *c);
void op_sync_thread(struct jit_fn *c);
/* A way out, with its value in eax. */
void op_exit(struct jit_fn *c, enum jit_exit kind);
/* Compares the word that says whether stores need a barrier with 0; equal: no.
 * Clobbers the register. */
void op_look_at_barrier(struct jit_fn *c, int reg);
/* Jumps to the instruction's function if a write barrier is needed; clobbers
 * rax. */
void op_barrier(struct jit_fn *c);
/* Does what shade emits if one is needed, where the values in rax and rcx are
 * as here; clobbers rdx. */
void op_barrier_at(struct jit_fn *c,
    void (*shade)(struct jit_fn *c, uint32_t arg), uint32_t arg);

/* How many bytes in memory, and what the upper bits become. */
enum op_size { OP_8U, OP_8S, OP_16U, OP_16S, OP_32U, OP_32S, OP_64 };

/* Memory: base + (index << shift) + disp; index -1: none. */
struct op_mem {
    int base, index, shift;
    int32_t disp;
};

/* Tells the race detector that so many bytes at m are about to be read, or
 * written, if the current instruction is a checked one (of op_look_at() it is):
 * 1, 2, 4, or up to 4 words.  Nothing may panic or leave behind that but the
 * access itself.  rax and rcx are kept. */
void op_look_at(struct jit_fn *c, struct op_mem m, uint32_t bytes, bool write);
static inline void
op_look(struct jit_fn *c, struct op_mem m, uint32_t bytes, bool write)
{
    if (jit_now(c)->watched)
        op_look_at(c, m, bytes, write);
}

/* The write barrier of a store of web at m, of which it clobbers rdx only. */
void op_shade(struct jit_fn *c, const struct jit_web *w, struct op_mem m);
/* An instruction with this memory. */
void op_mem_put(struct jit_fn *c, unsigned op, int reg, struct op_mem m);

/* The emitters; each takes the operations of its group. */
void op_moves(struct jit_fn *c);    /* op_x64_move.c: moves, constants */
void op_globals(struct jit_fn *c);
void op_frame(struct jit_fn *c);
void op_integer(struct jit_fn *c);  /* op_x64_int.c */
void op_divide(struct jit_fn *c);
void op_shifts(struct jit_fn *c);
void op_immediate(struct jit_fn *c);
void op_extend(struct jit_fn *c);
void op_compares(struct jit_fn *c);
void op_float(struct jit_fn *c);    /* op_x64_float.c */
void op_float_convert(struct jit_fn *c);
void op_float_compare(struct jit_fn *c);
void op_float_extreme(struct jit_fn *c);  /* op_x64_complex.c */
void op_float_unsigned(struct jit_fn *c);
void op_complex(struct jit_fn *c);
void op_pointer(struct jit_fn *c);  /* op_x64_mem.c: by address */
void op_load_vars(struct jit_fn *c, int32_t off);
void op_zero_vars(struct jit_fn *c); /* variables that are made */
void op_var(struct jit_fn *c);      /* op_x64_cell.c: LD64 and ST64, known */
/* Whether the current instruction, a store to variables, is to store nothing now:
 * it waits, and each variable has a register, or is a number, or nobody asks for
 * it. */
bool op_waits(struct jit_fn *c);
void op_element(struct jit_fn *c);  /* of slices and strings */
void op_array(struct jit_fn *c);    /* behind a pointer */
void op_append(struct jit_fn *c);
void op_append_room(struct jit_fn *c);
void op_append_slice(struct jit_fn *c); /* of types that op_can_copy() */
void op_copy_slice(struct jit_fn *c);   /* likewise */
void op_words(struct jit_fn *c);    /* op_x64_words.c: LDM and STT of sizes
                                       that op_can_move() */
void op_equal_words(struct jit_fn *c); /* of types that op_can_compare() */
void op_jump_string(struct jit_fn *c); /* op_x64_data.c */
void op_equal_strings(struct jit_fn *c);
void op_slice(struct jit_fn *c);
void op_slice_string(struct jit_fn *c);
void op_order_strings(struct jit_fn *c);
void op_range_string(struct jit_fn *c);
void op_equal_ifaces(struct jit_fn *c);
void op_wake_result(struct jit_fn *c);
void op_map_len(struct jit_fn *c);
void op_assert(struct jit_fn *c); /* of types that op_can_take() */
void op_make_iface(struct jit_fn *c);
void op_new(struct jit_fn *c);      /* op_x64_alloc.c: of types that
                                       op_can_allocate() */
void op_make_closure(struct jit_fn *c); /* likewise, op_can_make_closure() */
/* CALLN of some natives. */
void op_atomic(struct jit_fn *c);  /* op_x64_atomic.c */
void op_arith(struct jit_fn *c);   /* op_x64_arith.c */
void op_count_bits(struct jit_fn *c); /* ONES and so on, if the processor can */
void op_cell(struct jit_fn *c);     /* op_x64_cell.c */
/* A closure's words, at that register; clobbers rdx. */
void op_fill(struct jit_fn *c, int r);
void op_fill_closure(struct jit_fn *c);
void op_defer(struct jit_fn *c);    /* op_x64_call.c */
void op_jump(struct jit_fn *c);     /* op_x64_jump.c */
/* Whether a jump is all that asks for what would be in the slot, 1 if cc, else
 * 0: then it goes by the flags, which nothing changes on the way there, and the
 * slot gets nothing. */
bool op_tell_jump(struct jit_fn *c, int cc, uint32_t slot);
void op_jump_float(struct jit_fn *c);
void op_for(struct jit_fn *c);
void op_switch(struct jit_fn *c);
void op_return(struct jit_fn *c);

/* Whether values of the type are taken out of interfaces by machine code. */
bool op_can_take(const struct rtype *t);
/* Whether values of the type are copied, or allocated. */
bool op_can_copy(const struct rtype *t);
bool op_can_allocate(const struct rtype *t);
bool op_can_make_closure(const struct code_func *f);
/* Whether so many bytes are loaded and stored, with the detector told if
 * `watched`; whether values of the type are compared. */
bool op_can_move(uint64_t size, bool watched);
bool op_can_compare(const struct rtype *t);

/* op_x64_data.c: "equal" says whether the strings at slots b and d are; rax,
 * rcx, rdx, xmm0 and xmm1 are lost. */
void op_compare_strings(struct jit_fn *c, uint32_t b, uint32_t d);
/* op_x64_mem.c */
void op_load_from(struct jit_fn *c, const struct jit_web *w,
    enum op_size size, struct op_mem m);
void op_store_to(struct jit_fn *c, const struct jit_web *w,
    enum op_size size, struct op_mem m);
/* n slots from `slot` on = words at base. */
void op_load_words(
    struct jit_fn *c, uint32_t slot, unsigned n, int base, int32_t disp);

#endif
