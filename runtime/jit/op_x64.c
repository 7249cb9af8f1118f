/* SPDX-License-Identifier: MIT */

/* x86-64: what is done by machine code and what by functions, and how operands
 * get into registers and back. */
#include "runtime/jit/op_x64.h"

#include "runtime/base/cpu.h"
#include "runtime/code/arith.h"
#include "runtime/code/atomics.h"
#include "runtime/code/opinfo.h"

/* The call of a native that is none. */
static void
op_native(struct jit_fn *c)
{
    const struct code_native *native = &c->im->natives[jit_now(c)->w[0].imm];

    if (code_arith_of(native) != CODE_ARITH_NONE)
        op_arith(c);
    else
        op_atomic(c);
}

/* Of each operation that has machine code, who emits it.  MOV2 and MOV3 come
 * as so many MOV. */
static void (*const emitters[OP_COUNT])(struct jit_fn *c) = {
#define ROW(op, fn) [OP_##op] = fn
    ROW(NOP, op_moves), ROW(MOV, op_moves), ROW(MOV2, op_moves),
    ROW(MOV3, op_moves), ROW(LDI, op_moves), ROW(LDK, op_moves),
    ROW(LDSTR, op_moves), ROW(KADDR, op_moves), ROW(SADDR, op_moves),
    ROW(LDFN, op_moves), ROW(LDTYPE, op_moves),
    ROW(ZERO, op_moves), ROW(GADDR, op_globals), ROW(GLD8U, op_globals),
    ROW(GLD8S, op_globals), ROW(GLD32U, op_globals), ROW(GLD32S, op_globals),
    ROW(GLD64, op_globals), ROW(GLD2, op_globals), ROW(GLD3, op_globals),
    ROW(GST8, op_globals), ROW(GST32, op_globals), ROW(GST64, op_globals),
    ROW(GSTP, op_globals), ROW(FX8U, op_frame), ROW(FX8S, op_frame),
    ROW(FX16U, op_frame), ROW(FX16S, op_frame), ROW(FX32U, op_frame),
    ROW(FX32S, op_frame), ROW(FS8, op_frame), ROW(FS16, op_frame),
    ROW(FS32, op_frame), ROW(FLDX, op_frame), ROW(FSTX, op_frame),
    ROW(ADD, op_integer), ROW(SUB, op_integer), ROW(AND, op_integer),
    ROW(OR, op_integer), ROW(XOR, op_integer), ROW(ANDN, op_integer),
    ROW(MUL, op_integer), ROW(MUL32, op_integer), ROW(MULU32, op_integer),
    ROW(ADD32, op_integer), ROW(SUB32, op_integer), ROW(ADDU32, op_integer),
    ROW(SUBU32, op_integer), ROW(NEG, op_integer), ROW(INV, op_integer),
    ROW(DIV, op_divide), ROW(REM, op_divide), ROW(UDIV, op_divide),
    ROW(UREM, op_divide), ROW(DIVI, op_divide), ROW(REMI, op_divide),
    ROW(UDIVI, op_divide), ROW(UREMI, op_divide), ROW(SHL, op_shifts),
    ROW(SHR, op_shifts), ROW(USHR, op_shifts), ROW(CHKSH, op_shifts),
    ROW(SHLM, op_shifts), ROW(SHRM, op_shifts), ROW(USHRM, op_shifts),
    ROW(SHLI, op_shifts), ROW(SHRI, op_shifts), ROW(USHRI, op_shifts),
    ROW(SHLIU32, op_shifts), ROW(ADDI, op_immediate),
    ROW(ADDI32, op_immediate), ROW(ADDIU32, op_immediate),
    ROW(MULI, op_immediate), ROW(ANDI, op_immediate), ROW(ORI, op_immediate),
    ROW(XORI, op_immediate), ROW(ISUB, op_immediate), ROW(SX8, op_extend),
    ROW(SX16, op_extend), ROW(SX32, op_extend), ROW(ZX8, op_extend),
    ROW(ZX16, op_extend), ROW(ZX32, op_extend),
    ROW(ONES, op_count_bits), ROW(LEADZ, op_count_bits),
    ROW(TRAILZ, op_count_bits), ROW(NOTB, op_compares),
    ROW(SEQ, op_compares), ROW(SNE, op_compares), ROW(SLT, op_compares),
    ROW(SLE, op_compares), ROW(SULT, op_compares), ROW(SULE, op_compares),
    ROW(SEQI, op_compares), ROW(SNEI, op_compares), ROW(ADDF, op_float),
    ROW(SUBF, op_float), ROW(MULF, op_float), ROW(DIVF, op_float),
    ROW(ADDF32, op_float), ROW(SUBF32, op_float), ROW(MULF32, op_float),
    ROW(DIVF32, op_float), ROW(MADDF, op_float), ROW(SQRTF, op_float), ROW(FLOORF, op_float),
    ROW(MINF, op_float_extreme), ROW(MAXF, op_float_extreme),
    ROW(MINF32, op_float_extreme), ROW(MAXF32, op_float_extreme),
    ROW(U2F, op_float_unsigned), ROW(U2F32, op_float_unsigned),
    ROW(F2U, op_float_unsigned), ROW(CADD, op_complex), ROW(CSUB, op_complex),
    ROW(CMUL, op_complex), ROW(CNEG, op_complex), ROW(CEQ, op_complex),
    ROW(C642C, op_complex), ROW(C2C64, op_complex),
    ROW(CADD64, op_complex), ROW(CSUB64, op_complex),
    ROW(NEGF, op_float), ROW(NEGF32, op_float), ROW(ABSF, op_float),
    ROW(I2F, op_float_convert), ROW(I2F32, op_float_convert),
    ROW(F2I, op_float_convert), ROW(F2F32, op_float_convert),
    ROW(F322F, op_float_convert), ROW(SEQF, op_float_compare),
    ROW(SNEF, op_float_compare), ROW(SLTF, op_float_compare),
    ROW(SLEF, op_float_compare), ROW(SEQF32, op_float_compare),
    ROW(SNEF32, op_float_compare), ROW(SLTF32, op_float_compare),
    ROW(SLEF32, op_float_compare), ROW(LD8U, op_pointer),
    ROW(LD8S, op_pointer), ROW(LD16U, op_pointer), ROW(LD16S, op_pointer),
    ROW(LD32U, op_pointer), ROW(LD32S, op_pointer), ROW(LD64, op_pointer),
    ROW(LD2, op_pointer), ROW(LD3, op_pointer), ROW(ST8, op_pointer),
    ROW(ST16, op_pointer), ROW(ST32, op_pointer), ROW(ST64, op_pointer),
    ROW(STP, op_pointer), ROW(STSTR, op_pointer), ROW(STSLICE, op_pointer),
    ROW(STIFACE, op_pointer), ROW(LEA, op_pointer), ROW(CHKNIL, op_pointer),
    ROW(LDX8U, op_element), ROW(LDX8S, op_element), ROW(LDX16U, op_element),
    ROW(LDX16S, op_element), ROW(LDX32U, op_element), ROW(LDX32S, op_element),
    ROW(LDX64, op_element), ROW(LDX2, op_element), ROW(LDX3, op_element),
    ROW(STX8, op_element), ROW(STX16, op_element), ROW(STX32, op_element),
    ROW(STX64, op_element), ROW(STXP, op_element), ROW(STXSTR, op_element),
    ROW(XADDR, op_element), ROW(CHKIDX, op_array), ROW(LDP8U, op_array),
    ROW(LDP32S, op_array), ROW(LDP32U, op_array), ROW(LDP64, op_array),
    ROW(STP8, op_array), ROW(STP32, op_array), ROW(STP64, op_array),
    ROW(PADDR, op_array), ROW(APPEND64, op_append), ROW(APPENDT, op_append),
    ROW(APPENDG, op_append_room), ROW(APPENDSL, op_append_slice),
    ROW(COPYSL, op_copy_slice), ROW(NEW, op_new),
    ROW(JMP, op_jump), ROW(LJMP, op_jump), ROW(JT, op_jump), ROW(JF, op_jump),
    ROW(LJT, op_jump), ROW(LJF, op_jump), ROW(JEQ, op_jump), ROW(JNE, op_jump),
    ROW(JLT, op_jump), ROW(JLE, op_jump), ROW(JULT, op_jump),
    ROW(JULE, op_jump), ROW(LJEQ, op_jump), ROW(LJNE, op_jump),
    ROW(LJLT, op_jump), ROW(LJLE, op_jump), ROW(LJULT, op_jump),
    ROW(LJULE, op_jump), ROW(JEQI, op_jump), ROW(JNEI, op_jump),
    ROW(JLTI, op_jump), ROW(JLEI, op_jump), ROW(JGTI, op_jump),
    ROW(JGEI, op_jump), ROW(LJEQI, op_jump), ROW(LJNEI, op_jump),
    ROW(LJLTI, op_jump), ROW(LJLEI, op_jump), ROW(LJGTI, op_jump),
    ROW(LJGEI, op_jump), ROW(JEQF, op_jump_float), ROW(JNEF, op_jump_float),
    ROW(JLTF, op_jump_float), ROW(JLEF, op_jump_float),
    ROW(JNLTF, op_jump_float), ROW(JNLEF, op_jump_float), ROW(FORLT, op_for),
    ROW(FORLTI, op_for), ROW(SWITCH, op_switch), ROW(RET, op_return),
    ROW(RET1, op_return), ROW(RET2, op_return), ROW(RETN, op_return),
    ROW(JEQS, op_jump_string), ROW(JNES, op_jump_string),
    ROW(SEQS, op_equal_strings), ROW(SNES, op_equal_strings),
    ROW(SLICE, op_slice), ROW(SLICESTR, op_slice_string),
    ROW(SLTS, op_order_strings), ROW(SLES, op_order_strings),
    ROW(RANGESTR, op_range_string), ROW(EQIFACE, op_equal_ifaces),
    ROW(RECVOK, op_wake_result), ROW(SELIDX, op_wake_result),
    ROW(MAPLEN, op_map_len), ROW(ASSERT, op_assert),
    ROW(ASSERTOK, op_assert), ROW(MKIFACE, op_make_iface),
    ROW(LDM, op_words), ROW(STT, op_words), ROW(EQT, op_equal_words),
    ROW(CALLN, op_native),
    ROW(CELL, op_cell), ROW(CELLEND, op_cell), ROW(MKCLOAT, op_fill_closure),
    ROW(MKCLO, op_make_closure),
    ROW(DEFER, op_defer), ROW(DEFERC, op_defer),
#undef ROW
};

/* So many slots are set or returned by code of their own. */
enum { SLOTS_INLINE = 16 };

/* Values of up to so many bytes are appended likewise. */
enum { APPENDED_MAX = 24 };

/* Whether values of the type are appended by machine code: numbers of the size
 * of a register or a part, and a few words. */
static bool
can_append(const struct rtype *t)
{
    uint64_t size = rtype_size(t);

    if (size % 8 == 0 && size > 0 && size <= APPENDED_MAX)
        return t->slots == size / 8;
    return !rtype_has_pointers(t) && t->slots == 1 &&
        (size == 1 || size == 2 || size == 4);
}

/* Of an operation whose types decide. */
static bool
has_code_for(struct jit_fn *c, const struct jit_ins *x)
{
    const struct code_ins *w = x->w;
    const struct rtype *t;
    struct code_atomic a;

    switch (w->op) {
    case OP_CALLN: /* what makes an order is the detector's, or TSan's */
        return code_arith_of(&c->im->natives[w->imm]) != CODE_ARITH_NONE ||
            (!x->watched && !RT_TSAN &&
                code_is_atomic(&c->im->natives[w->imm], &a));
    case OP_FLOORF:
        return c->jit->rounds;
    case OP_ONES:
    case OP_LEADZ:
    case OP_TRAILZ:
        return c->jit->counts;
    case OP_ZERO:
        return w->imm <= SLOTS_INLINE;
    case OP_DEFER:
    case OP_DEFERC:
        return w->b <= SLOTS_INLINE;
    case OP_CELL:
        return c->im->funcs[w[1].imm].cells.size <= 8 * SLOTS_INLINE;
    case OP_MKCLOAT:
        return w->c <= SLOTS_INLINE;
    case OP_MKCLO:
        return op_can_make_closure(&c->im->funcs[w[1].imm]);
    case OP_LDM:
        return op_can_move((uint32_t)w[1].imm, x->watched);
    case OP_EQT:
        return op_can_compare(c->im->types[w[1].imm]);
    case OP_ASSERT:
        return op_can_take(c->im->types[w[2].imm]);
    case OP_APPENDT:
        return can_append(c->im->types[w[1].imm]);
    case OP_APPENDG: /* it reads the elements where it has to move them */
        return !x->watched;
    case OP_APPENDSL:
    case OP_COPYSL:
        return !x->watched && op_can_copy(c->im->types[w[1].imm]);
    case OP_NEW:
        return op_can_allocate(c->im->types[w->imm]);
    case OP_ASSERTOK:
        return op_can_take(c->im->types[w[1].imm]);
    case OP_STT:
        t = c->im->types[w[1].imm];
        return op_can_move(rtype_size(t), x->watched) &&
            t->slots == (rtype_size(t) + 7) / 8;
    case OP_MKIFACE:
        t = c->im->types[w[1].imm];
        return rtype_direct(t) && t->slots == 1;
    default: /* nothing else depends on them, as jit_x64_kind_of() says */
        return emitters[w->op] != NULL;
    }
}

int
jit_x64_kind_of(unsigned op)
{
    switch (op) {
    case OP_CALL:
    case OP_CALLC:
    case OP_CALLI:
    case OP_RUNDEFER:
        return JIT_CALL;
    case OP_TAILCALL:
        return JIT_TAIL;
    case OP_PANIC:
    case OP_THROW:
        return JIT_LEAVE;
    case OP_CALLN: /* those of has_code_for() */
    case OP_FLOORF:
    case OP_ONES:
    case OP_LEADZ:
    case OP_TRAILZ:
    case OP_ZERO:
    case OP_DEFER:
    case OP_DEFERC:
    case OP_CELL:
    case OP_MKCLO:
    case OP_MKCLOAT:
    case OP_LDM:
    case OP_EQT:
    case OP_ASSERT:
    case OP_APPENDT:
    case OP_APPENDG:
    case OP_APPENDSL:
    case OP_COPYSL:
    case OP_NEW:
    case OP_ASSERTOK:
    case OP_STT:
    case OP_MKIFACE:
        return -1;
    default:
        return emitters[op] != NULL ? JIT_NATIVE
            : vm_op_functions[op] != NULL ? JIT_HELPER : JIT_LEAVE;
    }
}

enum jit_kind
jit_x64_kind(struct jit_fn *c, const struct jit_ins *x)
{
    unsigned op = x->w[0].op;
    int kind = jit_x64_kind_of(op);

    /* What has_code_for() decides stands in both. */
    rt_assert_full(kind < 0 || kind == JIT_CALL ||
        has_code_for(c, x) == (kind == JIT_NATIVE));
    if (kind >= 0)
        return (enum jit_kind)kind;
    if (has_code_for(c, x))
        return JIT_NATIVE;
    return vm_op_functions[op] != NULL ? JIT_HELPER : JIT_LEAVE;
}

bool
jit_x64_has_slow(unsigned op)
{
    switch (op) {
    case OP_APPEND64:
    case OP_APPENDT:
    case OP_APPENDG:
    case OP_APPENDSL:
    case OP_NEW:
    case OP_MKCLO:
    case OP_STT:
    case OP_DEFER:
    case OP_DEFERC:
    case OP_CELL:
    case OP_CELLEND:
        return true;
    default:
        return false;
    }
}

static uint32_t
lowest(uint32_t set, uint32_t n)
{
    uint32_t out = 0;

    for (; n > 0 && set != 0; n--) {
        out |= set & -set;
        set &= set - 1;
    }
    return out;
}

void
jit_x64_registers(struct jit *jit)
{
    uint32_t n = jit->cfg.regs;
    uint32_t gpr = 1u << X_RSI | 1u << X_RDI | 1u << X_R8 | 1u << X_R9 |
        1u << X_R10 | 1u << X_R11 | 1u << X_R13 | 1u << X_R14 | 1u << X_R15;
    uint32_t xmm = ~(uint32_t)0 << (X_XMM1 + 1);

    if (jit->vm->race != NULL)
        gpr &= ~(1u << OP_RACE | 1u << OP_LOOK);
    jit->rounds = rt_cpu_has_sse41();
    jit->counts = rt_cpu_counts_bits();
    jit->regs[0] = n == 0 ? gpr : lowest(gpr, n);
    jit->regs[1] = n == 0 ? xmm : lowest(xmm, n);
}

void
jit_x64_native(struct jit_fn *c)
{
    rt_assert(emitters[jit_now(c)->w[0].op] != NULL);
    c->looked = false;
    if (jit_now(c)->known)
        op_var(c);
    else
        emitters[jit_now(c)->w[0].op](c);
    rt_assert(c->looked == jit_now(c)->watched);
}

/* ---- operands ----------------------------------------------------------- */

/* reg = what is derived. */
static void
work_out(struct jit_fn *c, const struct jit_web *w, int reg)
{
    rt_assert(c->cur[w->of] != JIT_NO_NODE);
    const struct jit_web *base = jit_web_of(c, c->cur[w->of]);
    int from = op_in_gpr(base) ? base->reg : reg;

    rt_assert(!base->constant && !base->derived && !op_in_xmm(base));
    if (from == reg)
        x_rm(&c->b, X_LOAD, reg, OP_FP, op_home(base));
    x_rm(&c->b, X_LEA, reg, from, 8 * w->value);
}

int
op_gpr_of(struct jit_fn *c, const struct jit_web *w, int scratch)
{
    rt_assert(scratch >= 0 && scratch < X_XMM0 && scratch != OP_FP &&
        scratch != OP_PREEMPT && scratch != X_RSP);
    rt_assert(!op_in_gpr(w));
    if (w->constant)
        x_const(&c->b, scratch, w->value);
    else if (w->derived)
        work_out(c, w, scratch);
    else if (op_in_xmm(w))
        x_rr(&c->b, X_MOVF_TO, w->reg, scratch);
    else
        x_rm(&c->b, X_LOAD, scratch, OP_FP, op_home(w));
    return scratch;
}

void
op_load(struct jit_fn *c, int reg, const struct jit_web *w)
{
    x_mov(&c->b, reg, op_gpr(c, w, reg));
}

int
op_xmm(struct jit_fn *c, const struct jit_web *w, int scratch)
{
    rt_assert(scratch >= X_XMM0);
    if (op_in_xmm(w))
        return w->reg;
    if (op_in_memory(w))
        x_rm(&c->b, X_LOADF, scratch, OP_FP, op_home(w));
    else if (w->constant)
        op_number(c, scratch, (uint64_t)(int64_t)w->value);
    else
        x_rr(&c->b, X_MOVF_FROM, scratch, op_gpr(c, w, X_RAX));
    return scratch;
}

void
op_loadf(struct jit_fn *c, int reg, const struct jit_web *w)
{
    x_movf(&c->b, reg, op_xmm(c, w, reg));
}

void
op_alu(struct jit_fn *c, enum x64_alu op, int reg, const struct jit_web *w)
{
    unsigned form = X_FORM(0, 1, 0, (unsigned)op * 8 + 3);

    rt_assert(reg < X_XMM0);
    if (w->constant)
        x_alu_i(&c->b, op, reg, w->value);
    else if (op_in_memory(w))
        x_rm(&c->b, form, reg, OP_FP, op_home(w));
    else
        x_rr(&c->b, form, reg,
            op_gpr(c, w, reg == X_RCX ? X_RDX : X_RCX));
}

void
op_sse(struct jit_fn *c, enum x64_op op, int reg, const struct jit_web *w)
{
    rt_assert(reg >= X_XMM0);
    if (op_in_memory(w)) {
        x_rm(&c->b, op, reg, OP_FP, op_home(w));
    } else if (reg == X_XMM1 && !op_in_xmm(w)) {
        x_rm(&c->b, X_STORE, op_gpr(c, w, X_RAX), X_RSP, OP_AT_SCRATCH);
        x_rm(&c->b, op, reg, X_RSP, OP_AT_SCRATCH);
    } else {
        x_rr(&c->b, op, reg, op_xmm(c, w, X_XMM1));
    }
}

void
op_put(struct jit_fn *c, const struct jit_web *w, int reg)
{
    bool memory = (w->reg < 0 && !jit_is_dead(w)) || w->through;

    rt_assert(!w->constant); /* that is op_put_const()'s */
    if (reg >= X_XMM0) {
        if (op_in_xmm(w))
            x_movf(&c->b, w->reg, reg);
        else if (op_in_gpr(w))
            x_rr(&c->b, X_MOVF_TO, reg, w->reg);
        if (memory)
            x_rm(&c->b, X_STOREF, reg, OP_FP, op_home(w));
        return;
    }
    if (op_in_gpr(w))
        x_mov(&c->b, w->reg, reg);
    else if (op_in_xmm(w))
        x_rr(&c->b, X_MOVF_FROM, w->reg, reg);
    if (memory)
        x_rm(&c->b, X_STORE, reg, OP_FP, op_home(w));
}

void
op_number(struct jit_fn *c, int reg, uint64_t v)
{
    uint32_t at = v == 0 ? 0 : jit_table_number(c->jit, v);

    rt_assert(reg >= X_XMM0);
    if (v == 0) {
        x_rr(&c->b, X_XORF, reg, reg);
    } else if (at != 0) {
        x_abs(&c->b, X_LOADF, reg, at);
    } else {
        x_const(&c->b, X_RAX, (int64_t)v);
        x_rr(&c->b, X_MOVF_FROM, reg, X_RAX);
    }
}

void
op_put_const(struct jit_fn *c, const struct jit_web *w, int64_t v)
{
    if (jit_is_dead(w))
        return;
    if (w->constant) {
        if (w->through)
            jit_x64_store(c, w);
        return;
    }
    if (w->reg < 0 && v == (int32_t)v) {
        op_store_const(c, OP_FP, op_home(w), (uint64_t)v, X_RAX);
        return;
    }
    if (op_in_xmm(w)) {
        op_number(c, w->reg, (uint64_t)v);
        op_put(c, w, w->reg);
        return;
    }
    int r = op_target(w);
    x_const(&c->b, r, v);
    op_put(c, w, r);
}

void
op_store_const(
    struct jit_fn *c, int base, int32_t disp, uint64_t v, int scratch)
{
    if ((int64_t)v == (int32_t)v) {
        x_rm(&c->b, X_STORE_I, 0, base, disp);
        x_i32(&c->b, (int32_t)v);
        return;
    }
    x_const(&c->b, scratch, (int64_t)v);
    x_rm(&c->b, X_STORE, scratch, base, disp);
}

void
jit_x64_store(struct jit_fn *c, const struct jit_web *w)
{
    if (w->slot >= c->vs)
        return; /* memory is right, always */
    if (w->constant)
        op_store_const(c, OP_FP, op_home(w), (uint64_t)(int64_t)w->value,
            X_RAX);
    else if (op_in_xmm(w))
        x_rm(&c->b, X_STOREF, w->reg, OP_FP, op_home(w));
    else if (op_in_gpr(w))
        x_rm(&c->b, X_STORE, w->reg, OP_FP, op_home(w));
}

/* A variable, from where it is, by the address that is in memory likewise.
 * What a function of C has answered is in rax still. */
static void
load_var(struct jit_fn *c, const struct jit_web *w)
{
    const struct jit_home *h = &c->home[w->slot - c->vs];

    rt_assert(c->home != NULL && w->slot < c->ns);
    if (w->reg < 0)
        return;
    int r = op_in_xmm(w) ? X_RCX : w->reg;
    x_rm(&c->b, X_LOAD, r, OP_FP, 8 * h->base);
    x_rm(&c->b, op_in_xmm(w) ? X_LOADF : X_LOAD, w->reg, r, 8 * h->word);
}

void
jit_x64_load(struct jit_fn *c, const struct jit_web *w)
{
    if (w->slot >= c->vs)
        load_var(c, w);
    else if (op_in_xmm(w))
        x_rm(&c->b, X_LOADF, w->reg, OP_FP, op_home(w));
    else if (op_in_gpr(w))
        x_rm(&c->b, X_LOAD, w->reg, OP_FP, op_home(w));
}

/* Whether it is still to be asked if the web is a nil pointer, which is known then. */
static bool
is_unchecked(struct jit_fn *c, const struct jit_web *w)
{
    size_t id = (size_t)(w - c->web);
    bool is = c->checked[id] != c->stretch;

    rt_assert(id < c->nw);
    c->checked[id] = c->stretch;
    return is;
}

static void
leave_nil(struct jit_fn *c, int reg)
{
    rt_assert(reg >= 0 && reg < X_XMM0);
    x_rr(&c->b, X_GROUP_I32, X_ALU_CMP, reg);
    x_i32(&c->b, VM_NIL_PAGE);
    jit_leave(c, X_B);
}

void
op_check_nil(struct jit_fn *c, const struct jit_web *w, int reg)
{
    if (is_unchecked(c, w))
        leave_nil(c, reg);
}

void
op_trap_nil(struct jit_fn *c, const struct jit_web *w, int reg)
{
    rt_assert(c->trap < 0);
    if (!is_unchecked(c, w))
        return;
    if (jit_traps(c, jit_now(c)))
        c->trap = jit_side(c);
    else
        leave_nil(c, reg);
}

void
op_end_trap(struct jit_fn *c, int reg)
{
    if (c->trap >= 0)
        leave_nil(c, reg);
    c->trap = -1;
}

void
op_compare(
    struct jit_fn *c, const struct jit_web *a, const struct jit_web *b)
{
    if (op_in_memory(a) && b->constant)
        x_alu_mi(&c->b, X_ALU_CMP, OP_FP, op_home(a), b->value);
    else if (op_in_memory(a) && op_in_gpr(b))
        x_rm(&c->b, X_CMP_TO, b->reg, OP_FP, op_home(a));
    else
        op_alu(c, X_ALU_CMP, op_gpr(c, a, X_RAX), b);
}

/* Whether rax still has the web's value from the instruction before, since
 * when no code has been emitted and behind which nothing leads here. */
static bool
is_held(const struct jit_fn *c, const struct jit_web *w)
{
    const struct jit_ins *x = jit_now(c);

    return c->held == w && c->held_at == c->b.p && !x->leader && !x->lands &&
        !x->resumes;
}

/* Whether what the operation assigns is below 2^32. */
static bool
makes_half(unsigned op)
{
    switch (op) {
    case OP_GLD32U:
    case OP_LD32U:
    case OP_LDX32U:
    case OP_LDP32U:
    case OP_ADDU32:
    case OP_SUBU32:
    case OP_MULU32:
    case OP_ADDIU32:
    case OP_SHLIU32:
    case OP_ZX32:
        return true;
    default:
        return false;
    }
}

bool
op_is_half(const struct jit_fn *c, uint32_t slot)
{
    const struct jit_ins *x = jit_now(c), *first = c->v;

    for (; x > first && !x->leader && !x->lands && x[-1].falls; x--) {
        const struct code_ins *w = x[-1].w;

        if (w->op == OP_LDI && w->a != slot)
            continue; /* a divisor, most often */
        return w->a == slot && makes_half(w->op);
    }
    return false;
}

void
op_compare_i(struct jit_fn *c, const struct jit_web *a, int32_t v)
{
    if (op_in_memory(a) && !is_held(c, a)) {
        x_alu_mi(&c->b, X_ALU_CMP, OP_FP, op_home(a), v);
        return;
    }
    int r = op_in_memory(a) ? X_RAX : op_gpr(c, a, X_RAX);
    if (v == 0)
        x_rr(&c->b, X_TEST, r, r);
    else
        x_alu_i(&c->b, X_ALU_CMP, r, v);
}

void
op_set(struct jit_fn *c, int cc, uint32_t slot)
{
    const struct jit_web *w = jit_def(c, slot);
    int r = op_target(w);

    if (op_tell_jump(c, cc, slot))
        return;
    x_rr(&c->b, X_SET + (unsigned)cc, 0, X_RAX);
    x_rr(&c->b, X_LOAD8U, r, X_RAX);
    op_put(c, w, r);
}

void
op_look_at_barrier(struct jit_fn *c, int reg)
{
    x_rm(&c->b, X_LOAD, reg, X_RSP, OP_AT_THREAD);
    x_rm(&c->b, X_LOAD, reg, reg, offsetof(struct vm_thread, cache));
    x_rm(&c->b, X_GROUP8_I8, X_ALU_CMP, reg,
        offsetof(struct gc_pcache, barrier));
    x_i8(&c->b, 0);
}

/* Shades what is at m and the web's value. */
void
op_shade(struct jit_fn *c, const struct jit_web *w, struct op_mem m)
{
    op_mem_put(c, X_LOAD, X_RDX, m);
    x_rm(&c->b, X_STORE, X_RDX, X_RSP, OP_AT_SCRATCH);
    op_load(c, X_RDX, w);
    x_rm(&c->b, X_STORE, X_RDX, X_RSP, OP_AT_SCRATCH_2);
    x_abs(&c->b, X_JUMP, 2, jit_table_routine(c->jit, JIT_SHADE));
}

void
op_barrier_at(struct jit_fn *c, void (*shade)(struct jit_fn *c, uint32_t arg),
    uint32_t arg)
{
    op_look_at_barrier(c, X_RDX);
    jit_back(c, jit_seldom(c, X_NE, shade, arg));
}

void
op_barrier(struct jit_fn *c)
{
    op_look_at_barrier(c, X_RAX);
    jit_slow(c, X_NE);
}
