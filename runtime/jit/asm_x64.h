/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_ASM_X64_H
#define RUNTIME_JIT_ASM_X64_H

/*
 * The encoder of x86-64 instructions: those forms that op_x64*.c use.
 *
 * An enum x64_op holds all of an instruction but its operands: the mandatory
 * prefix, REX.W and one to three bytes of opcode.  It is put with a register
 * field, which is a register or a digit of the opcode, and
 *
 *     x_rr   a register
 *     x_rm   memory at base + displacement
 *     x_rx   memory at base + (index << shift) + displacement
 *     x_abs  memory at an address below 2 GiB
 *
 * An immediate is put behind that, by x_i8() and x_i32().  Floating-point
 * registers have the numbers from X_XMM0 on; their low four bits count.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runtime/base/throw.h"

enum x64_reg {
    X_RAX, X_RCX, X_RDX, X_RBX, X_RSP, X_RBP, X_RSI, X_RDI,
    X_R8, X_R9, X_R10, X_R11, X_R12, X_R13, X_R14, X_R15,
    X_XMM0, X_XMM1,
    X_REGS = 32
};

/* Conditions, as in Jcc, SETcc and CMOVcc. */
enum x64_cc {
    X_O, X_NO, X_B, X_AE, X_E, X_NE, X_BE, X_A,
    X_S, X_NS, X_P, X_NP, X_L, X_GE, X_LE, X_G,
    X_ALWAYS = -1
};

/* In an enum x64_op: the opcode is 0f 3a and the byte that is given. */
#define X_0F3A (1 << 23)

/* prefix, REX.W, which operand is a byte register (1: the second, 2: the first;
 * sil and others take a REX prefix then), opcode. */
#define X_FORM(prefix, w, byte, op) \
    ((prefix) << 24 | (w) << 20 | (byte) << 21 | (op))

enum x64_op {
    X_LOAD = X_FORM(0, 1, 0, 0x8b), /* also a move between registers */
    X_LOAD32 = X_FORM(0, 0, 0, 0x8b),
    X_STORE = X_FORM(0, 1, 0, 0x89),
    X_STORE32 = X_FORM(0, 0, 0, 0x89),
    X_STORE16 = X_FORM(0x66, 0, 0, 0x89),
    X_STORE8 = X_FORM(0, 0, 2, 0x88),
    X_STORE_I = X_FORM(0, 1, 0, 0xc7), /* /0, imm32 */
    X_STORE32_I = X_FORM(0, 0, 0, 0xc7),
    X_STORE16_I = X_FORM(0x66, 0, 0, 0xc7), /* /0, imm16 */
    X_STORE8_I = X_FORM(0, 0, 0, 0xc6),     /* /0, imm8 */
    X_LOAD8U = X_FORM(0, 0, 1, 0x0fb6),
    X_LOAD8S = X_FORM(0, 1, 1, 0x0fbe),
    X_LOAD16U = X_FORM(0, 0, 0, 0x0fb7),
    X_LOAD16S = X_FORM(0, 1, 0, 0x0fbf),
    X_LOAD32S = X_FORM(0, 1, 0, 0x63),
    X_LEA = X_FORM(0, 1, 0, 0x8d),

    X_ADD = X_FORM(0, 1, 0, 0x03),
    X_OR = X_FORM(0, 1, 0, 0x0b),
    X_SBB = X_FORM(0, 1, 0, 0x1b),
    X_AND = X_FORM(0, 1, 0, 0x23),
    X_SUB = X_FORM(0, 1, 0, 0x2b),
    X_XOR = X_FORM(0, 1, 0, 0x33),
    X_XOR32 = X_FORM(0, 0, 0, 0x33),
    X_CMP = X_FORM(0, 1, 0, 0x3b),
    X_CMP32 = X_FORM(0, 0, 0, 0x3b),
    X_CMP_TO = X_FORM(0, 1, 0, 0x39), /* memory or register with register */
    X_TEST = X_FORM(0, 1, 0, 0x85),
    X_TEST32 = X_FORM(0, 0, 0, 0x85),
    X_TEST8_I = X_FORM(0, 0, 1, 0xf6),  /* /0, imm8 */
    X_IMUL = X_FORM(0, 1, 0, 0x0faf),
    X_IMUL_I = X_FORM(0, 1, 0, 0x69), /* imm32 */
    X_GROUP_I8 = X_FORM(0, 1, 0, 0x83),    /* /enum x64_alu, imm8 */
    X_GROUP_I32 = X_FORM(0, 1, 0, 0x81),   /* /enum x64_alu, imm32 */
    X_GROUP32_I8 = X_FORM(0, 0, 0, 0x83),
    X_GROUP32_I32 = X_FORM(0, 0, 0, 0x81),
    X_GROUP8_I8 = X_FORM(0, 0, 0, 0x80),
    X_UNARY = X_FORM(0, 1, 0, 0xf7),       /* /enum x64_unary */
    X_SHIFT_I = X_FORM(0, 1, 0, 0xc1),     /* /enum x64_shift, imm8 */
    X_SHIFT_CL = X_FORM(0, 1, 0, 0xd3),    /* /enum x64_shift */
    X_INC = X_FORM(0, 1, 0, 0xff),         /* /0 */
    X_JUMP = X_FORM(0, 0, 0, 0xff),        /* /4; /2 calls */
    X_XCHG = X_FORM(0, 1, 0, 0x87),        /* with memory: locked */
    X_XCHG32 = X_FORM(0, 0, 0, 0x87),
    X_LOCK_XADD = X_FORM(0xf0, 1, 0, 0x0fc1),
    X_LOCK_XADD32 = X_FORM(0xf0, 0, 0, 0x0fc1),
    X_LOCK_CMPXCHG = X_FORM(0xf0, 1, 0, 0x0fb1),
    X_LOCK_CMPXCHG32 = X_FORM(0xf0, 0, 0, 0x0fb1),
    X_BSF = X_FORM(0, 1, 0, 0x0fbc),
    X_POPCNT = X_FORM(0xf3, 1, 0, 0x0fb8),
    X_TZCNT = X_FORM(0xf3, 1, 0, 0x0fbc),
    X_LZCNT = X_FORM(0xf3, 1, 0, 0x0fbd),
    X_BTR = X_FORM(0, 1, 0, 0x0fb3),       /* the bit's number first */
    X_BT_I = X_FORM(0, 1, 0, 0x0fba),      /* /5 sets, /6 resets, /7 flips, imm8 */
    X_SET = X_FORM(0, 0, 1, 0x0f90),       /* + condition, /0 */
    X_CMOV = X_FORM(0, 1, 0, 0x0f40),      /* + condition */

    X_LOADF = X_FORM(0xf2, 0, 0, 0x0f10),
    X_STOREF = X_FORM(0xf2, 0, 0, 0x0f11),
    X_STOREF_2 = X_FORM(0, 0, 0, 0x0f11),  /* two at once */
    X_MOVF = X_FORM(0, 0, 0, 0x0f28),      /* between registers */
    X_MOVF_FROM = X_FORM(0x66, 1, 0, 0x0f6e), /* from a general register */
    X_MOVF_TO = X_FORM(0x66, 1, 0, 0x0f7e),   /* to a general register */
    X_ADDF = X_FORM(0xf2, 0, 0, 0x0f58),
    X_MULF = X_FORM(0xf2, 0, 0, 0x0f59),
    X_SUBF = X_FORM(0xf2, 0, 0, 0x0f5c),
    X_DIVF = X_FORM(0xf2, 0, 0, 0x0f5e),
    X_SQRTF = X_FORM(0xf2, 0, 0, 0x0f51),
    X_MINF = X_FORM(0xf2, 0, 0, 0x0f5d),
    X_MAXF = X_FORM(0xf2, 0, 0, 0x0f5f),
    X_MINF32 = X_FORM(0xf3, 0, 0, 0x0f5d),
    X_MAXF32 = X_FORM(0xf3, 0, 0, 0x0f5f),
    X_ROUNDF = X_FORM(0x66, 0, 0, 0x0b) | X_0F3A, /* imm8; SSE4.1 */
    X_ADDF32_4 = X_FORM(0, 0, 0, 0x0f58), /* of four floats */
    X_SUBF32_4 = X_FORM(0, 0, 0, 0x0f5c),
    X_ANDF = X_FORM(0, 0, 0, 0x0f54),
    X_ORF = X_FORM(0, 0, 0, 0x0f56),
    X_UCOMF = X_FORM(0x66, 0, 0, 0x0f2e),
    X_ADDF32 = X_FORM(0xf3, 0, 0, 0x0f58),
    X_MULF32 = X_FORM(0xf3, 0, 0, 0x0f59),
    X_SUBF32 = X_FORM(0xf3, 0, 0, 0x0f5c),
    X_DIVF32 = X_FORM(0xf3, 0, 0, 0x0f5e),
    X_UCOMF32 = X_FORM(0, 0, 0, 0x0f2e),
    X_XORF = X_FORM(0, 0, 0, 0x0f57),
    X_I2F = X_FORM(0xf2, 1, 0, 0x0f2a),
    X_I2F32 = X_FORM(0xf3, 1, 0, 0x0f2a),
    X_F2I = X_FORM(0xf2, 1, 0, 0x0f2c),
    X_F2F32 = X_FORM(0xf2, 0, 0, 0x0f5a),
    X_F322F = X_FORM(0xf3, 0, 0, 0x0f5a)
};

/* The operation of X_GROUP_I8 and so on; the opcode of the form with registers
 * is this times 8, plus 3. */
enum x64_alu { X_ALU_ADD, X_ALU_OR, X_ALU_SBB = 3, X_ALU_AND, X_ALU_SUB,
    X_ALU_XOR, X_ALU_CMP };
enum x64_unary { X_NOT = 2, X_NEG, X_MUL_RAX, X_IMUL_RAX, X_DIV_RAX,
    X_IDIV_RAX };
enum x64_shift { X_SHL = 4, X_SHR, X_SAR = 7 };

/* Where code is written; nobody checks for the end here.  Bytes may be anywhere,
 * for all that the C compiler knows, also where p is: forms of several bytes go
 * on in a copy.  Parts that an instruction need not have are written always, and
 * what follows takes their place where they are not wanted: whether they are
 * nobody could foretell.  So up to four bytes behind p may be anything. */
struct x64_buf {
    uint8_t *p;
};

static inline void
x_i8(struct x64_buf *b, int x)
{
    *b->p++ = (uint8_t)x;
}

static inline void
x_i32(struct x64_buf *b, int32_t x)
{
    memcpy(b->p, &x, 4);
    b->p += 4;
}

static inline void
x_i64(struct x64_buf *b, uint64_t x)
{
    memcpy(b->p, &x, 8);
    b->p += 8;
}

/* Prefix, REX and opcode.  rm: the second operand, where it is a register. */
static inline void
x_head_rm(
    struct x64_buf *b, unsigned op, int reg, int index, int base, int rm)
{
    int rex = (int)(op >> 20 & 1) << 3 | (reg >> 3 & 1) << 2 |
        (index >> 3 & 1) << 1 | (base >> 3 & 1);
    int byte = (op >> 21 & 1) != 0 ? rm : (op >> 22 & 1) != 0 ? reg : 0;
    bool three = (op & X_0F3A) != 0;

    if (op >> 24 != 0)
        x_i8(b, (int)(op >> 24));
    *b->p = (uint8_t)(0x40 | rex);
    b->p += (rex != 0) | (byte >= X_RSP);
    if (three) {
        x_i8(b, 0x0f);
        x_i8(b, 0x3a);
    }
    if ((op & 0xff00) != 0)
        x_i8(b, (int)(op >> 8 & 0xff));
    x_i8(b, (int)(op & 0xff));
}

static inline void
x_head(struct x64_buf *b, unsigned op, int reg, int index, int base)
{
    x_head_rm(b, op, reg, index, base, 0);
}

static inline void
x_rr(struct x64_buf *b, unsigned op, int reg, int rm)
{
    struct x64_buf to = *b;

    reg &= 15;
    rm &= 15;
    x_head_rm(&to, op, reg, 0, rm, rm);
    x_i8(&to, 0xc0 | (reg & 7) << 3 | (rm & 7));
    *b = to;
}

/* The displacement's size: 0 none (which rbp and r13 cannot have), 1 a byte, 2
 * four. */
static inline int
x_mode(int base, int32_t disp)
{
    bool some = (disp != 0) | ((base & 7) == X_RBP);

    return some + (disp != (int8_t)disp);
}

static inline void
x_disp(struct x64_buf *b, int mode, int32_t disp)
{
    rt_assert(mode >= 0 && mode <= 2);
    memcpy(b->p, &disp, 4);
    b->p += mode + (mode & 2);
}

static inline void
x_rm(struct x64_buf *b, unsigned op, int reg, int base, int32_t disp)
{
    int mode = x_mode(base, disp);
    struct x64_buf to = *b;

    reg &= 15;
    x_head(&to, op, reg, 0, base);
    x_i8(&to, mode << 6 | (reg & 7) << 3 | (base & 7));
    if ((base & 7) == X_RSP)
        x_i8(&to, 0x24);
    x_disp(&to, mode, disp);
    *b = to;
}

/* index is not rsp. */
static inline void
x_rx(struct x64_buf *b, unsigned op, int reg, int base, int index, int shift,
    int32_t disp)
{
    int mode = x_mode(base, disp);
    struct x64_buf to = *b;

    reg &= 15;
    x_head(&to, op, reg, index, base);
    x_i8(&to, mode << 6 | (reg & 7) << 3 | 4);
    x_i8(&to, shift << 6 | (index & 7) << 3 | (base & 7));
    x_disp(&to, mode, disp);
    *b = to;
}

static inline void
x_abs(struct x64_buf *b, unsigned op, int reg, uint32_t addr)
{
    struct x64_buf to = *b;

    reg &= 15;
    x_head(&to, op, reg, 0, 0);
    x_i8(&to, (reg & 7) << 3 | 4);
    x_i8(&to, 0x25);
    x_i32(&to, (int32_t)addr);
    *b = to;
}

/* The same at table + 8 * index. */
static inline void
x_abs_index(
    struct x64_buf *b, unsigned op, int reg, int index, uint32_t table)
{
    reg &= 15;
    x_head(b, op, reg, index, 0);
    x_i8(b, (reg & 7) << 3 | 4);
    x_i8(b, 3 << 6 | (index & 7) << 3 | 5);
    x_i32(b, (int32_t)table);
}

/* A constant into a general register; the flags stay as they are. */
static inline void
x_const(struct x64_buf *b, int reg, int64_t v)
{
    if (v >= 0 && v <= UINT32_MAX) {
        x_head(b, 0xb8u | (reg & 7), 0, 0, reg);
        x_i32(b, (int32_t)(uint32_t)v);
    } else if (v >= INT32_MIN && v < 0) {
        x_rr(b, X_STORE_I, 0, reg);
        x_i32(b, (int32_t)v);
    } else {
        x_head(b, X_FORM(0, 1, 0, 0xb8u | (reg & 7)), 0, 0, reg);
        x_i64(b, (uint64_t)v);
    }
}

/* The register's bytes in the other order; not all: of its lower half, and the
 * upper one is zero. */
static inline void
x_bswap(struct x64_buf *b, bool all, int reg)
{
    x_head(b, X_FORM(0, all, 0, 0x0fc8u | (reg & 7)), 0, 0, reg);
}

/* add, cmp and so on of a register and a constant. */
static inline void
x_alu_i(struct x64_buf *b, enum x64_alu op, int reg, int32_t v)
{
    if (v >= -128 && v < 128) {
        x_rr(b, X_GROUP_I8, op, reg);
        x_i8(b, v);
    } else {
        x_rr(b, X_GROUP_I32, op, reg);
        x_i32(b, v);
    }
}

/* The same of memory. */
static inline void
x_alu_mi(struct x64_buf *b, enum x64_alu op, int base, int32_t disp,
    int32_t v)
{
    if (v >= -128 && v < 128) {
        x_rm(b, X_GROUP_I8, op, base, disp);
        x_i8(b, v);
    } else {
        x_rm(b, X_GROUP_I32, op, base, disp);
        x_i32(b, v);
    }
}

static inline void
x_mov(struct x64_buf *b, int to, int from)
{
    if (to != from)
        x_rr(b, X_LOAD, to, from);
}

static inline void
x_movf(struct x64_buf *b, int to, int from)
{
    if (to != from)
        x_rr(b, X_MOVF, to, from);
}

static inline void
x_shift_i(struct x64_buf *b, enum x64_shift op, int reg, int n)
{
    x_rr(b, X_SHIFT_I, op, reg);
    x_i8(b, n);
}

/* A jump whose target is not known yet, for x_fix(). */
static inline uint8_t *
x_jump(struct x64_buf *b, int cc)
{
    struct x64_buf to = *b;

    if (cc == X_ALWAYS) {
        x_i8(&to, 0xe9);
    } else {
        x_i8(&to, 0x0f);
        x_i8(&to, 0x80 | cc);
    }
    x_i32(&to, 0);
    *b = to;
    return to.p;
}

/* Lets the jump that ends at `end` lead to target. */
static inline void
x_fix(uint8_t *end, const uint8_t *target)
{
    int32_t d = (int32_t)(target - end);

    memcpy(end - 4, &d, 4);
}

/* Where the jump that ends at `end` leads. */
static inline const uint8_t *
x_target(const uint8_t *end)
{
    int32_t d;

    memcpy(&d, end - 4, 4);
    return end + d;
}

static inline void
x_jump_to(struct x64_buf *b, int cc, const uint8_t *target)
{
    x_fix(x_jump(b, cc), target);
}

/* A jump forwards that x_fix_near() lets lead to where code is, at most 127 bytes
 * on; and one backwards to what is as near, if it is. */
static inline uint8_t *
x_jump_near(struct x64_buf *b, int cc)
{
    struct x64_buf to = *b;

    x_i8(&to, cc == X_ALWAYS ? 0xeb : 0x70 | cc);
    x_i8(&to, 0);
    *b = to;
    return to.p;
}

static inline void
x_fix_near(uint8_t *end, const uint8_t *target)
{
    rt_assert(target >= end && target - end <= INT8_MAX);
    end[-1] = (uint8_t)(target - end);
}

static inline bool
x_jump_back(struct x64_buf *b, int cc, const uint8_t *target)
{
    ptrdiff_t d = target - (b->p + 2);

    if (target == NULL || d < INT8_MIN || d > 0)
        return false;
    x_jump_near(b, cc)[-1] = (uint8_t)d;
    return true;
}

static inline void
x_call_to(struct x64_buf *b, const uint8_t *target)
{
    x_i8(b, 0xe8);
    x_i32(b, 0);
    x_fix(b->p, target);
}

static inline void
x_return(struct x64_buf *b)
{
    x_i8(b, 0xc3);
}

/* n bytes that do nothing. */
static inline void
x_nops(struct x64_buf *b, unsigned n)
{
    static const uint8_t nop[8][8] = {{0x90}, {0x66, 0x90},
        {0x0f, 0x1f, 0x00}, {0x0f, 0x1f, 0x40, 0x00},
        {0x0f, 0x1f, 0x44, 0x00, 0x00}, {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00},
        {0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00},
        {0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00}};

    while (n > 0) {
        unsigned k = n < 8 ? n : 8;
        memcpy(b->p, nop[k - 1], k);
        b->p += k;
        n -= k;
    }
}

#endif
