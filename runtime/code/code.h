/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_CODE_CODE_H
#define RUNTIME_CODE_CODE_H

/*
 * The program image: what the generator hands to the VM.  Bytecode, function
 * table, type descriptors, constants, globals.  Everything hangs from one
 * arena; const after generation, so any thread may read it.
 *
 * Frames.  A frame is an array of 8-byte slots on the goroutine's own stack:
 *
 *     fp[-2]  native return address (reserved for a code generator)
 *     fp[-1]  return pc (struct code_ins *) into the caller
 *     fp[0 .. nargs)        arguments; results come back at fp[0 .. nres)
 *     fp[ctx]               closure pointer, only where `ctx` is valid
 *     fp[.. nslots)         named variables and temporaries
 *     fp[.. extent)         outgoing area: the frame of a callee starts two
 *                           slots above anything live at the call, which may
 *                           be below nslots
 *
 * So the frame of a callee begins inside its caller's and may also end inside
 * of it: what a stack holds ends at the largest end of all frames, which need
 * not be the innermost one's.
 *
 * The caller's fp is recovered from the CALL before the return pc
 * (fp - retpc[-1].a; LuaJIT's way: CALL, CALLC, CALLI and CALLN never have an
 * EXT word).  Each slot below
 * nslots has one static kind for the whole function (bit in ptrmask: pointer
 * or not), which counts while a call is under way only for the slots below
 * the callee's header; from there on the callee is scanned.  Nothing is zeroed at
 * entry, so a pointer slot may hold stale bits: frames are scanned tolerantly
 * or by liveness, never trusted.  Nothing points into a goroutine stack.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/base/callstack.h"
#include "runtime/base/layout.h"
#include "runtime/code/rtype.h"

/* Eight bytes: op, a and either two 16-bit operands or one of 32 bits. */
struct code_ins {
    uint16_t op;
    uint16_t a;
    union {
        struct {
            uint16_t b;
            uint16_t c;
        };
        int32_t imm;
    };
};

_Static_assert(sizeof(struct code_ins) == 8, "instructions are 8 bytes");

enum code_op {
#define OP(name, fmt, a, b, c, does, access, effect) OP_##name,
#include "runtime/code/opcode.def"
#undef OP
    OP_COUNT
};

/*
 * Checked forms.  Where races are looked for, an instruction that accesses
 * memory (column `access`) is written over, at load, by its checked form: the
 * same number + OP_COUNT, and otherwise the same.  No other instruction has
 * one, so that only who asks for these very instructions needs the plain
 * number.
 */
static inline unsigned
code_plain(unsigned op)
{
    return op >= OP_COUNT && op < 2 * OP_COUNT ? op - OP_COUNT : op;
}

/* The number of the checked form of a plain instruction, or the same number
 * where it has none. */
unsigned code_checked(unsigned op);

/* Operand b of PRINT: what the builtins print and println write. */
enum code_print {
    CODE_PRINT_BOOL,
    CODE_PRINT_INT,
    CODE_PRINT_UINT,
    CODE_PRINT_HEX, /* uintptr prints in decimal; this is for pointers */
    CODE_PRINT_FLOAT,
    CODE_PRINT_FLOAT32,
    CODE_PRINT_COMPLEX,
    CODE_PRINT_COMPLEX64,
    CODE_PRINT_STRING,
    CODE_PRINT_IFACE,
    CODE_PRINT_SLICE,
    CODE_PRINT_SPACE,
    CODE_PRINT_NEWLINE
};

/* Operand of THROW: panics that the generator knows of. */
enum code_throw {
    CODE_THROW_UNREACHABLE,   /* vole is broken */
    CODE_THROW_DIVIDE,        /* integer divide by zero */
    CODE_THROW_NIL_FUNC,      /* invalid memory address (nil func or nil
                                 embedded pointer) */
    CODE_THROW_RANGE_STATE,   /* range function continued iteration after
                                 function for loop body returned false */
    CODE_THROW_RANGE_DONE,    /* ... after whole loop exit */
    CODE_THROW_RANGE_PANIC,   /* ... after loop body panic */
    CODE_THROW_RANGE_MISSED,  /* range function recovered a loop body panic
                                 and did not resume panicking */
    CODE_THROW_VALUE_METHOD   /* value method called using nil pointer */
};

/* In the EXT word's a of SLICE and SLICESTR: which of the three bounds are
 * given, that what is sliced is an array, and which bounds have no sign. */
enum code_slice {
    CODE_SLICE_LO = 1,
    CODE_SLICE_HI = 2,
    CODE_SLICE_MAX = 4,
    CODE_SLICE_GIVEN = 7, /* all of them */
    CODE_SLICE_ARRAY = 8,
    CODE_SLICE_NO_SIGN = 16, /* of lo; shifted by one of hi, by two of max */
    CODE_SLICE_ALL = 127
};

#define CODE_NO_FUNC UINT32_MAX
#define CODE_NO_SLOT UINT16_MAX

/* Maps an instruction range to source: valid from `off` up to the next
 * entry's.  Sorted by off; the first has off 0. */
struct code_line {
    uint32_t off;
    uint32_t file; /* index in code_image.files */
    uint32_t line;
};

enum code_func_flag {
    CODE_F_WRAPPER = 1,  /* synthesised; hidden from tracebacks and Callers */
    CODE_F_DEFER = 2,    /* has defer statements: recover_off is valid */
    CODE_F_CLOSURE = 4,  /* reads its closure pointer from slot ctx */
    CODE_F_LIB = 8,      /* from the bundled library */
    CODE_F_NOINLINE = 16,
    CODE_F_RANGEFUNC = 32 /* body of a range-over-func loop */
};

/*
 * A function value (Go's funcval): a pointer to this header, followed by the
 * captured words.  Functions without captures use the static one inside
 * struct code_func.
 */
struct code_closure {
    const struct code_func *fn;
    /* union rt_slot captured[]; */
};

/* What a word of a frame, a closure or a cell holds. */
enum code_slot_kind {
    CODE_SCALAR, /* nothing that the collector looks at */
    CODE_POINTER,
} __attribute__((packed)); /* generators keep one for each word */

struct code_func {
    const char *name; /* as Go prints it: main.main, main.(*T).m,
                         main.main.func1 */
    struct code_ins *code; /* inside code_image.code */
    uint32_t ncode;
    uint32_t id;       /* index in code_image.funcs */
    uint16_t nargs;    /* slots of receiver and parameters */
    uint16_t nres;     /* slots of results */
    uint16_t nslots;   /* slots that have a kind */
    uint16_t extent;   /* nslots + the largest outgoing area, headers and the
                          callee's argument/result slots included */
    uint16_t ctx;      /* where CALLC puts the closure pointer: always a valid
                          slot number < nslots (scratch where not
                          CODE_F_CLOSURE) */
    uint16_t flags;    /* enum code_func_flag */
    const uint8_t *ptrmask; /* nslots bits: 1 for CODE_POINTER */
    /* Where a recovered panic resumes: loads the result variables and
     * returns.  Instruction offset. */
    uint32_t recover_off;
    uint32_t nlines;
    const struct code_line *lines;
    /* Offsets, ascending, of index operations whose index has no sign and 64
     * bits: what is out of range is never negative then. */
    uint32_t nunsigned;
    const uint32_t *unsigned_at;
    uint32_t file, line;    /* of the declaration */
    struct rt_layout closure; /* layout of its closure objects, header word
                                 included (not a pointer for the collector);
                                 size 8 where nothing is captured */
    struct rt_layout cells;   /* of a frame's block of cells: CELL; size 0
                                 where it has none */
    struct code_closure self; /* the static function value */
    void *jit;                /* reserved */
};

/* A leaf native of the library, bound by name at load. */
struct code_native {
    const char *name; /* "strings.IndexByte" */
    uint16_t nargs, nres;
};

struct code_global {
    const char *name; /* "main.x" */
    const struct rtype *type;
    uint64_t offset; /* in the globals block */
};

struct code_image {
    struct rt_arena *arena;

    struct code_ins *code; /* all functions, one after another */
    uint32_t ncode;
    struct code_func *funcs;
    uint32_t nfuncs;
    uint32_t entry; /* func index: runs the initialisers, then main.main, and
                       returns */
    uint32_t main;  /* func index of main.main */

    const struct rtype **types;
    uint32_t ntypes;
    uint64_t *consts; /* LDK */
    uint32_t nconsts;
    struct rt_str *strings; /* LDSTR; bytes live in the arena */
    uint32_t nstrings;
    struct code_native *natives;
    uint32_t nnatives;

    uint64_t globals_size; /* bytes; zeroed by the loader before entry runs */
    struct rt_layout globals; /* pointer map of the block */
    struct code_global *global_list;
    uint32_t nglobals;

    const char **files;
    uint32_t nfiles;
    const char **selectors; /* selector number -> method name, for messages */
    uint32_t nselectors;
    /* Types the run-time library needs by name: index in `types`, or
     * UINT32_MAX where the program does not have them. */
    uint32_t type_int, type_string, type_error, type_bool, type_eface;
};

/* The function whose code holds pc, by binary search; NULL where none does. */
const struct code_func *code_find_func(
    const struct code_image *im, const struct code_ins *pc);

/* File and line of instruction offset `off` of f. */
const struct code_line *code_find_line(
    const struct code_func *f, uint32_t off);

/* Whether the index of the operation at off has 64 bits and no sign. */
bool code_index_unsigned(const struct code_func *f, uint32_t off);

/* The instruction's name, "ADD"; "?" for an unknown number. */
const char *code_op_name(unsigned op);

/* How many EXT words follow the instruction at pc (0, 1, or more for
 * SELECT). */
unsigned code_ext_words(const struct code_ins *pc);

/* What the imm of an EXT word is. */
enum code_ext {
    CODE_EXT_NUMBER,
    CODE_EXT_SIZE, /* a number that is not negative */
    CODE_EXT_JUMP, /* in instructions, from behind the last EXT word */
    CODE_EXT_TYPE, /* numbers in the tables of the image: */
    CODE_EXT_FUNC,
    CODE_EXT_SELECTOR
};

/* What the i-th EXT word of the instruction at pc is, from 1 on. */
enum code_ext code_ext_kind(const struct code_ins *pc, unsigned i);

/* The instruction behind the one at pc and its EXT words: where the function
 * goes on when the operation is over and does not jump. */
const struct code_ins *code_after(const struct code_ins *pc);

#endif
