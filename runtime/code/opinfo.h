/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_CODE_OPINFO_H
#define RUNTIME_CODE_OPINFO_H

/*
 * What opcode.def says about each instruction, for those who look at code
 * instead of running it: the verifier, the disassembler and the liveness
 * analysis.
 */

#include "runtime/code/code.h"

/* Layout of the instruction word. */
enum code_fmt {
    CODE_FMT_ABC, /* three unsigned operands */
    CODE_FMT_ABS, /* c signed; b too where it is an immediate */
    CODE_FMT_AI,  /* a and imm (column b) */
    CODE_FMT_I    /* imm only */
};

/* What an instruction may do besides writing its operands: the column `does`
 * of opcode.def, which says what each means. */
enum code_does {
    CODE_PANICS = 1 << 0,
    CODE_SAFEPOINT = 1 << 1,
    CODE_PARKS = 1 << 2,
    CODE_ALLOCATES = 1 << 3,
    CODE_BARRIER = 1 << 4,
    CODE_CALLS_C = 1 << 5,
    CODE_ENDS = 1 << 6
};

struct code_opinfo {
    const char *name;
    uint8_t fmt;        /* enum code_fmt */
    uint8_t ext;        /* EXT words; SELECT and SWITCH have more */
    const char *does;   /* letters of opcode.def, for code_does() */
    const char *access; /* as opcode.def says: "no", "by", "rp8" ... */
    const char *col[3]; /* operand descriptors of opcode.def: "d1i", "uT" */
};

/* For a checked form as for its plain one; NULL for an unknown number. */
const struct code_opinfo *code_opinfo(unsigned op);

/* The set of enum code_does of an instruction; 0 for an unknown number. */
unsigned code_does(unsigned op);

/* What a slot of an operand holds. */
enum code_class {
    CODE_CLASS_ANY, /* 64 bits of any kind */
    CODE_CLASS_INT,
    CODE_CLASS_FLOAT64,
    CODE_CLASS_FLOAT32,
    CODE_CLASS_COMPLEX64,
    CODE_CLASS_POINTER
};

/* An operand that is a range of slots. */
struct code_operand {
    uint32_t slot;     /* first slot */
    uint32_t n;        /* how many */
    bool def;          /* the instruction writes them all */
    bool use;          /* the instruction reads them */
    bool may;          /* it writes them on some of its ways only: not def */
    const char *holds; /* letters of opcode.def, for code_class_of() */
};

/* What the i-th slot of an operand holds. */
enum code_class code_class_of(const struct code_operand *o, uint32_t i);

enum { CODE_OPERANDS_MAX = 8 };

/*
 * The slots that an instruction of f reads and writes, calls' own areas not
 * included (they lie above every live slot).  SELECT has more operands than
 * fit: `each` is called for every one instead.  pc must have passed the
 * verifier as far as types and formats are concerned.
 */
void code_operands(const struct code_image *im, const struct code_ins *pc,
    void (*each)(void *arg, const struct code_operand *o), void *arg);

/* A slot that all instructions of one kind read or write. */
struct code_fixed {
    uint8_t column; /* 0, 1, 2: it is so many above a, b or c ... */
    uint8_t plus;   /* ... of which CODE_NO_SLOT says that there is none */
    bool def, use, may; /* as of an operand */
    uint8_t holds;      /* enum code_class */
};

enum { CODE_FIXED_MAX = 12 };

/* The slots of code_operands(), in its order, where they are the same ones for
 * each instruction `op`, wherever they begin: how many.  -1: they depend on
 * more than a, b and c, or on the image. */
int code_fixed_operands(unsigned op, struct code_fixed to[CODE_FIXED_MAX]);

/* True for calls: where the callee's frame begins and how many of its slots
 * are arguments (UINT16_MAX: unknown).  All slots from two below the base on
 * are overwritten. */
bool code_call_area(const struct code_image *im, const struct code_ins *pc,
    uint32_t *base, uint32_t *nargs);

/*
 * Instruction offsets that may follow the instruction at off, up to two; for
 * SWITCH the other targets are the JMP words behind the first.  Returns how
 * many.  An instruction that ends the function gives 0.
 */
unsigned code_successors(const struct code_func *f, uint32_t off,
    uint32_t succ[2]);

/* The displacement of a jump; false where the instruction is none. */
bool code_jump(const struct code_ins *pc, int32_t *disp);

#endif
