/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_JIT_MADE_H
#define RUNTIME_JIT_JIT_MADE_H

/*
 * What has been made: machine code, and the tables by which it is entered, left
 * and looked at.  Of what is published, others read it without a lock.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/base/atomic.h"
#include "runtime/base/thread.h"
#include "runtime/code/code.h"
#include "runtime/code/opinfo.h"
#include "runtime/jit/asm_x64.h"
#include "runtime/jit/jit.h"
#include "runtime/vm/state.h"

/* How many of each there may be.  The memory is reserved, not used. */
enum {
    JIT_CODE_BYTES = 64 << 20,
    JIT_CODE_MAX = 16 << 20, /* then functions stay interpreted */
    JIT_RECORDS = 1 << 20,
    JIT_PAIRS = 1 << 22,
    JIT_FRAMES = 1 << 18,
    JIT_SPOTS = 1 << 21,
    JIT_TRAPS = 1 << 20
};

/* A slot whose value is in a register, or nowhere as it is a constant. */
struct jit_pair {
    uint16_t slot;
    uint8_t reg; /* enum x64_reg */
    bool constant : 1;
    bool cell : 1; /* it is a variable: word `value` behind the address in the
                      slot; of a constant word `reg` */
    bool late : 1; /* cell: it need not be in memory as well */
    bool derived : 1; /* constant: it is the address in the slot, and so many
                         words, that jit_derived() makes of the value */
    bool block : 1; /* derived: no value of the slot's, but what is to be made
                       first if that is nil: the cells of function `value` */
    int32_t value;
};

/* What is derived, as it is in a pair: the slot, and words. */
static inline int32_t
jit_derived(uint32_t slot, int32_t words)
{
    rt_assert(slot <= UINT16_MAX && words >= 0 && words <= UINT8_MAX);
    return (int32_t)(slot << 8 | (uint32_t)words);
}

static inline uint32_t
jit_derived_of(const struct jit_pair *p)
{
    return (uint32_t)p->value >> 8;
}

static inline uint32_t
jit_derived_words(const struct jit_pair *p)
{
    return (uint32_t)p->value & UINT8_MAX;
}

/* A function that is spliced into another.  Number 0 stands for those that are
 * not. */
struct jit_frame {
    const struct code_func *f;
    const struct rtype *type; /* of CALLI: its method is f */
    const struct code_ins *ret; /* where its frame returns to */
    uint32_t up;     /* the frame around it */
    uint32_t instead; /* the wrapper in whose place it is, which shows no
                         frame, so that nobody returns from that; 0: none */
    int32_t behind;  /* the instruction there, while the code is made */
    uint32_t land;   /* the address where a return to machine code goes on; 0:
                        only the interpreter can */
    uint16_t base;   /* where it begins, from the outermost one's slot 0 */
    uint16_t depth;  /* 1: directly in the outermost one */
    uint16_t room;   /* where it ends, or what in it needs no room of its own */
    bool made;       /* somebody may look at it, or return from it */
    bool loops;      /* it is executed again and again */
    bool shows;      /* somebody may look at it while it is executed itself, and
                        take back what is above it */
    bool asked;      /* some return passes by the instruction behind: what is
                        known there is known of the others alone */
};

struct jit_record {
    uint32_t off;   /* of the instruction in the image */
    uint32_t frame; /* the function that it is in */
    uint32_t first; /* of its n pairs */
    uint32_t addr;  /* of machine code that begins here; 0: none */
    uint32_t next;  /* within what is spliced in: another such record, and 1
                       (jit.within); 0: there is none */
    uint16_t n;
    uint16_t room; /* so many slots are wanted from the outermost frame on, for
                      what is spliced in; 0: it is left for something else */
};

/* From addr on, up to that of the next one, code is of this instruction. */
struct jit_spot {
    uint32_t addr;
    uint32_t off;        /* of the instruction in the image */
    uint32_t frame : 18; /* the function that it is in */
    uint32_t above : 14; /* as in struct vm_jit_spot */
};
enum { JIT_ABOVE_MAX = (1 << 14) - 1 };
_Static_assert(JIT_FRAMES <= 1 << 18, "frames have room in a spot");

/* If the access at addr faults, machine code is left by that record. */
struct jit_trap {
    uint32_t addr, record;
};

/* Registers between machine code and C, where the entry leaves and finds them.
 * The offsets are known to enter_x64.S. */
struct jit_area {
    uint64_t reg[X_REGS]; /* by enum x64_reg; those that webs have */
    union rt_slot *fp;
    uint32_t kind;        /* enum jit_exit */
    uint32_t value;
    const struct code_ins *pc; /* JIT_EXIT_STATUS */
};

/* Why machine code has returned to C; known to enter_x64.S. */
enum jit_exit {
    JIT_EXIT_RETURN,  /* from a frame that the interpreter has called */
    JIT_EXIT_SIDE,    /* value: the record of the instruction to be done */
    JIT_EXIT_PREEMPT, /* value: the record of a loop's header */
    JIT_EXIT_STATUS,  /* value: enum vm_status of the function of pc's */
    JIT_EXIT_FAULT,   /* a signal's handler has stopped it */
    JIT_EXIT_CALL,    /* value: a function without machine code; its frame
                         stands */
    JIT_EXIT_OP       /* no kind of its own: the way to JIT_EXIT_STATUS behind
                         a thunk, which has kept the pc and the frame */
};

/* What machine code calls without being left: it keeps the registers of webs,
 * and needs nobody to know where the goroutine stands. */
enum jit_routine {
    JIT_MEMEQ,
    JIT_RUNE,
    JIT_EQUAL,
    JIT_MEMCMP,
    JIT_COPY,
    JIT_SHADE,
    JIT_LOOK,
    JIT_LOOK_INT,
    JIT_INDEX_BYTE,
    JIT_ROUTINES
};

/* Where masks for accesses of 1, 2 and 4 bytes begin in the table, by the
 * address's last three bits (op_x64_race.c), then numbers that code takes into
 * float registers from there, of which 0 is none, and then the functions'
 * entries. */
enum {
    JIT_MASKS = OP_COUNT + JIT_ROUTINES,
    JIT_NMASKS = 3 * 2 * 8,
    JIT_NUMBERS = JIT_MASKS + JIT_NMASKS,
    JIT_NNUMBERS = 512,
    JIT_FUNCS = JIT_NUMBERS + JIT_NNUMBERS
};

/* The thread of the background (later.c). */
struct jit_later {
    a_u32 state; /* atomic: enum jit_later_state */
    /* who is busy */
    void (*todo)(struct jit *jit);
    bool started;
    struct rt_thread thread; /* where it has been started */
};

/* Memory for code, mapped twice: what runs is never writable. */
struct jit_region {
    uint8_t *exec;  /* below 2 GiB */
    uint8_t *write; /* the same memory */
    uint32_t thunks;       /* where they begin (op_x64_thunk.c) */
    uint16_t thunk[OP_COUNT]; /* the number of the operation's; 0: none */
    size_t used, prepared; /* bytes; of what is used so many, or more, may be
                              written without a page fault for each page */
    uint64_t *table; /* below 2 GiB, writable: vm_op_functions, routines,
                        masks, numbers, then the entry of each function, then
                        counters */
    size_t table_bytes;
};

/* Where an operand has to be. */
enum jit_place {
    JIT_ANY,    /* wherever its web is */
    JIT_MEMORY, /* in its slot */
    JIT_PINNED, /* in its slot, like all of its web: it is found by address */
    JIT_NOWHERE /* needed by nobody but the interpreter */
};

/* There are more than two of them for each instruction. */
struct jit_opnd {
    uint16_t slot;
    bool def : 1, use : 1;
    uint8_t place : 2; /* enum jit_place */
    uint8_t holds : 3; /* enum code_class */
    uint32_t node; /* an assignment or a merge of them; then its web */
};
_Static_assert(sizeof(struct jit_opnd) == 8, "operands are small");

/* An operand of an operation: it is in the slot that is so many above a, b or c as
 * `is` has for its slot, which is none if that is CODE_NO_SLOT. */
struct jit_fixed {
    struct jit_opnd is;
    uint8_t column; /* 0 to 2 */
    uint8_t shift;  /* of that, in the word that an instruction is */
    bool def, use;  /* as in it */
};

/* What an operation does with memory, and for whom else (same.c). */
enum jit_memory {
    JIT_NO_MEMORY,
    JIT_LOADS,     /* that, and nothing else; or it works out an address */
    JIT_STORES,    /* some words, by an address that its operands say */
    JIT_ANY_MEMORY /* or it lets others run */
};

/* What an operation asks of numbers. */
enum jit_asks {
    JIT_ASKS_NOTHING,
    JIT_ASKS_ELEMENT, /* whether c is an index below the length behind b */
    JIT_ASKS_INDEX,   /* whether a is an index below the number imm */
    JIT_ASKS_SIGN     /* whether b, which it divides, is not negative */
};

/* How a jump compares a. */
enum jit_compared { JIT_NO_TEST, JIT_WITH_SLOT, JIT_WITH_NUMBER };

/* What an operation says of numbers, and asks (ranges.c). */
struct jit_numbers {
    _Alignas(8) uint8_t asks; /* enum jit_asks */
    uint8_t compares;         /* enum jit_compared */
    uint8_t test;             /* which test of ranges.c that is */
    uint8_t sources; /* so many of b and c say what a becomes */
    bool counts;     /* a itself does, not b */
    bool gives;      /* it may say what a becomes, with or without sources */
    bool relates;    /* sources, or a comparison with a slot, or MAKESLICE */
};

/* Whether instructions of one kind are part of what is spliced in. */
enum jit_splices { JIT_SPLICES_NEVER, JIT_SPLICES_SOME, JIT_SPLICES_ALL };

/* What all instructions of one kind have in common: it is asked for once.  Most
 * of it, with three operands, is in one line of the cache. */
struct jit_shape {
    _Alignas(64) int8_t n; /* operands; -1: it depends */
    int8_t kind;  /* enum jit_kind; -1: it depends */
    uint8_t shifts; /* which of a, b and c (1, 2, 4) say slots */
    uint8_t ext;  /* words behind it; of SELECT there are more */
    bool goes_on; /* it leads to the next one, and nowhere else */
    bool easy;    /* likewise, one word that becomes one instruction, which is
                     JIT_NATIVE, and says no slots but by a, b and c */
    bool simple;  /* its operands are all that it says of slots */
    bool in_order; /* simple, and those that are assigned come first */
    uint8_t assigns; /* behind so many operands none is assigned */
    bool does;    /* code_does() says something */
    bool slow;    /* its machine code calls a function of C seldom */
    uint8_t splices; /* enum jit_splices */
    struct jit_fixed slot[CODE_FIXED_MAX];
};

struct jit {
    /* const after jit_new() */
    struct vm *vm;
    struct jit_config cfg;
    uint32_t regs[2]; /* sets of registers for webs: general, float */
    bool rounds;      /* the processor rounds floats to whole numbers */
    bool counts;      /* it counts bits, and zeros at either end */
    int perf;         /* the files for perf; -1: none */
    int dump;
    void *dump_seen;  /* its beginning, mapped */
    a_u32 busy;       /* atomic: a thread compiles */
    a_u32 open;       /* atomic: the rest is there, but for the statistics */
    /* const once open */
    struct jit_region region;
    a_u32 *resume;            /* atomic: by instruction of the image, the
                                 number of its record + 1 */
    /* Loops that are spliced in can be entered at their headers, too, where all
     * frames around are those of the functions that they are in.  Atomic, by
     * instruction of the image: whether there is such a header; and of those
     * where the outermost of these frames returns to, the first record + 1. */
    a_u32 *heads, *within;
    uint32_t *implementors; /* by selector: the number of a type that has the
                               method, and 1, or 0; NULL: calls have been seen */
    struct jit_record *recs;  /* const below nrecs of published functions */
    struct jit_pair *pairs;
    struct jit_spot *spots;   /* in order of addresses */
    struct jit_trap *traps;   /* likewise, each of another one */
    struct jit_frame *frames; /* const likewise */
    struct code_ins *entries; /* a word OP_MACHINE for each function */
    struct jit_shape *shapes; /* by operation */
    uint8_t memory[OP_COUNT]; /* likewise: enum jit_memory, of JIT_NATIVE */
    struct jit_numbers numbers[OP_COUNT]; /* likewise */
    uint8_t *refused;         /* by function; who is busy */
    uint8_t *suitable;        /* by function: whether it can be spliced in, and
                                 more, once that was asked (inline.c); who is
                                 busy */
    a_u32 *heat;              /* atomic: by function */
    struct jit_later later;
    /* who is busy */
    struct rt_arena mem; /* of the function that is compiled */
    struct jit_fn *fn;   /* that one */
    uint64_t took;       /* where cfg.stats: nanoseconds for it, up to began,
                            which is the CPU time of the thread */
    uint64_t began;
    uint64_t reading;    /* of that clock takes so long; 0: it is not known */
    uint32_t nrecs, npairs, nspots, nframes, ntraps;
    size_t prepared[5]; /* of their tables so many bytes, or more, cost no page
                           faults */
    a_u32 spots_done; /* atomic: spots that signal handlers may look at */
    a_u32 traps_done; /* atomic: traps likewise */
    a_u32 code_done;  /* atomic: bytes of code likewise */
    uint32_t nfuncs, nrefused, countdown;
    uint64_t nwords; /* of nfuncs, what is spliced in included */
    uint64_t spent, longest; /* where cfg.stats: nanoseconds of compiling, and
                                for one function at most */
    uint32_t nmemory; /* of nfuncs: all slots are in memory */
    uint32_t nlater;  /* handed to the thread of the background */
    /* atomic: how often, where cfg.stats; of that, by find_within() */
    a_u64 entered, entered_within;
    a_u32 *left;   /* atomic: by instruction of the image, how often machine
                      code has been left there; NULL unless cfg.stats */
};

#endif
