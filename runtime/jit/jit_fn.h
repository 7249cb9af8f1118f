/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_JIT_FN_H
#define RUNTIME_JIT_JIT_FN_H

/*
 * The inside of the compiler.
 *
 * Slots and webs.  All assignments to a slot that may reach one and the same
 * use, and all uses that they reach, are a web.  A web lives in one register
 * for all of its life, or in its slot.  A web in a register is written to its
 * slot where somebody else may look: before calls and C functions, if it is
 * live behind them, or at each of its definitions if that is cheaper.  A web
 * that only LDI of one and the same number defines is that number.  In large
 * functions each slot is a web, which is in memory always: that takes time and
 * memory in proportion to their size, and nobody asks what is live.
 *
 * Records say where the live slots are at an instruction, of those that are
 * not in memory.  By a record machine code is left for the interpreter, and
 * entered in the middle.
 *
 * Inlining.  Small functions are spliced into their callers, and others into
 * them, some deep.  Their slots are the caller's from the call's base on,
 * where their frame would be.  That frame is made only where somebody may look
 * at it: by a record within it, and before what it calls.  Its return then
 * leads to a place of its own behind the function's code (jit_frame.land),
 * which goes on behind the call.
 *
 * A function is compiled by one thread at a time (struct jit's busy), which may
 * hand it with all that to the thread of the background (later.c).  It is made
 * in memory that nobody runs yet; what others may read is published by release
 * stores: the entry of a function in the table, its entry word in vm_entry, and
 * the numbers of its records in `resume`.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/base/atomic.h"
#include "runtime/base/bits.h"
#include "runtime/base/thread.h"
#include "runtime/base/vec.h"
#include "runtime/code/code.h"
#include "runtime/code/opinfo.h"
#include "runtime/jit/asm_x64.h"
#include "runtime/jit/jit_made.h"
#include "runtime/vm/state.h"

/* What is to become of an instruction. */
enum jit_kind {
    JIT_NATIVE, /* machine code: its operands may be in registers */
    JIT_HELPER, /* a call of its C function: operands in memory */
    JIT_CALL,   /* a call of Go code: arguments and results in memory */
    JIT_TAIL,   /* TAILCALL */
    JIT_LEAVE,  /* left to the interpreter */
    JIT_INLINE  /* stands for the call of a function whose code follows; if
                   the closure is another's, or the interface's type another
                   one, or there is no room for the frame, succ[1] is to make
                   the call.  Or for the TAILCALL of a
                   wrapper that is spliced in: its frame is the other one's from
                   here on */
};

enum {
    JIT_INS_WORDS = 3,
    JIT_WAS = 2 /* of w, where it is `moved`: the load that it has been */
};

/* Nearly all passes ask for what lies from offset 32 to 64 only, which is in one line
 * of the cache. */
struct jit_ins {
    _Alignas(32) const struct code_ins *pc; /* where it stands in the image */
    uint32_t frame;  /* the function that it is in */
    uint32_t callee; /* JIT_INLINE: the one that follows; of CALLI, else: the
                        number of the type whose method it is guessed to be, and
                        1; 0: none */
    union {
        int32_t number; /* numbered */
        struct {
            uint16_t lost_from, lost_kept; /* loses: as jit_lost() says */
        };
    };
    uint32_t rec;          /* where it resumes: its record */
    uint16_t word, nwords; /* of object: what it accesses, or makes */
    uint16_t pointer;      /* known: the slot that it names */

    _Alignas(32) uint8_t kind; /* enum jit_kind */
    uint8_t nsucc;   /* instructions that may follow, beside those of SWITCH */
    uint8_t assigns; /* what jit_assigned() answers; UINT8_MAX: all */
    uint8_t depth : 3; /* loops around it, JIT_DEPTH at most */
    bool begins : 1; /* it assigns something that may be in a register */
    bool in_order : 1; /* what it assigns stands before what it reads, in its
                        operands; where it is false that may be so as well */
    bool shows : 1; /* spliced in: somebody may look at its frame, or return
                       from it, while it is executed */
    bool numbered : 1; /* ST64, known: it stores this number, always */
    bool falls : 1; /* succ[0] is what follows in order */
    bool plain : 1; /* nothing else may follow, and it is not JIT_INLINE; where
                       it is false that may be so as well */
    bool leader : 1; /* something jumps here, or nothing falls into it */
    bool header : 1; /* something jumps back here */
    bool lands : 1; /* a spliced function's return may lead here from the
                       interpreter: what is known here is so on that way, too */
    bool resumes : 1; /* machine code can be entered here */
    bool inside : 1; /* likewise, though it is spliced in: if the frames around
                        it are there */
    bool reached : 1; /* some way from an entry leads here; else no code */
    bool made : 1; /* w stands in place of what is at pc, or of some of it */
    bool moved : 1; /* made: a move, or nothing, in place of a load (same.c) */
    bool part : 1; /* what stands at pc has been begun: it is never left */
    bool ends : 1; /* the jump behind a spliced function, its return's end */
    bool loses : 1; /* what jit_lost() answers */
    bool cold : 1; /* executed seldom */
    bool in_range : 1; /* an access: its index is one */
    bool natural : 1; /* a division: what is divided is not negative */
    bool watched : 1; /* at pc is the checked form of w: the race detector is
                        told of the access */
    bool decided : 1; /* a jump, or a call of what is spliced in: it is known
                        where it leads, which is succ[0] */
    bool known : 1; /* LD64 or ST64 of a variable: w has its object's address
                        and the offset there (vars.c) */
    bool safe : 1; /* likewise by an address as it is: it is no nil pointer, so
                        that machine code is not left */
    bool dropped : 1; /* nobody asks for what it assigns */
    bool hidden : 1; /* ST64: nobody sees what it stores in memory */
    bool waits : 1; /* a store to variables, or what makes them, or a closure,
                       in cells: nobody looks at their memory before
                       it is stored anew, but by a record, which says what
                       they are (wait.c) */
    bool there : 1; /* CELL: the frame has its block already */
    uint16_t object; /* known, or what it makes, and 1; 0: nothing is known */
    uint16_t nops;   /* its operands */
    uint32_t ops;    /* the first one */
    int32_t succ[2];
    struct code_ins w[JIT_INS_WORDS]; /* its first words; slots are the
                                         outermost function's */

    int32_t other; /* a jump that is decided: where it does not lead;
                      moved: what has brought it, or stored it; while
                      instructions are put: the next unresolved one */
    uint8_t *addr;
};
_Static_assert(offsetof(struct jit_ins, kind) == 32 &&
    offsetof(struct jit_ins, w) + sizeof(struct code_ins) == 64 &&
    sizeof(struct jit_ins) == 96,
    "what most passes ask of an instruction is in one line of the cache");

/* Which slots an instruction reads, and which ones it assigns: sets of one word. */
struct jit_does {
    uint64_t uses, defs;
};

/* A slot beyond those of frames, for the value of a variable that is in memory:
 * the word behind the address that is in slot `base` (vars.c). */
struct jit_home {
    uint16_t object; /* as in struct jit_ins */
    uint16_t base, word;
    bool heap; /* it is on the heap, not in a frame's cells */
    bool leaks; /* somewhere others may read and write it: c->leaked */
};

/* A slot in which an address of a variable is put, by an instruction of that
 * frame. */
struct jit_address {
    uint32_t frame;
    uint16_t slot;
};

enum { JIT_HINTS = 4 };

/* Weights are numbers of executions, as they are guessed: of fewer than JIT_USES
 * instructions and operands in JIT_DEPTH loops, which 32 bits have room for.
 * There are half as many webs as instructions, so that each byte counts. */
enum { JIT_DEPTH = 5, JIT_USES = 1 << 15 };
_Static_assert((uint64_t)JIT_USES * 2 << 3 * JIT_DEPTH == (uint64_t)1 << 31,
    "what is executed more often than that is not");
struct jit_web {
    int32_t weight; /* what a register is worth */
    int32_t defs, saves, loads; /* weights: of definitions in a register, of
                                   saves and loads a register would need */
    uint32_t pieces; /* of its life: the last one (lives.c) */
    int32_t value;
    uint16_t nint, nfloat; /* operands of the kind */
    uint16_t slot;
    uint16_t of; /* derived: the slot with the address */
    uint16_t hint[JIT_HINTS]; /* webs whose register suits */
    int8_t reg;  /* -1: none */
    uint8_t nhint;
    bool used : 1, defined : 1; /* by operands that may be in a register */
    bool inmem : 1;    /* some operand is in memory */
    bool constant : 1; /* it is `value`, which takes no register */
    bool variable : 1; /* it is more than that */
    bool through : 1;  /* definitions go to memory, too */
    bool pinned : 1;   /* always in memory */
    bool kept : 1;     /* the interpreter may read it */
    bool fixed : 1;    /* what it is has been found out by derive.c */
    bool derived : 1;  /* likewise: it is the address in slot `of`, and `value`
                          words, which takes no register */
    bool away : 1; /* what jit_is_away() answers */
};
_Static_assert(sizeof(struct jit_web) == 44, "webs are small");

/* Of a web's life: from the point since / 2 on it lives behind each up to the one
 * before `end`.  Where since is odd the web is assigned at the first one; if it
 * lives behind none nobody asks for that. */
struct jit_piece {
    uint32_t since, end;
    uint32_t next; /* the number of another one; 0: none */
};

struct jit_lives;

/* What is live behind a function that is spliced in, if no block begins there:
 * its webs, in the order of their slots. */
struct jit_reload {
    uint32_t *web;
    uint32_t n;
};

struct jit_fn;

/* A frame of a function that is executed just now, for guesses. */
struct jit_seen {
    const union rt_slot *fp;
    uint32_t off; /* where it stands, in the function's code */
    uint32_t end; /* slots from here on are those of a callee */
};

/* Four bytes that are to hold the address where a frame's return goes on. */
struct jit_land {
    uint8_t *at;
    uint32_t frame;
};

/* What stands behind a function's code, and the jump that leads there: the way
 * out, or what is seldom done, which comes back. */
struct jit_stub {
    uint8_t *jump;
    const uint8_t *back; /* where it goes on; NULL until that is known */
    void (*emit)(struct jit_fn *c, uint32_t arg); /* NULL: a way out */
    enum jit_exit kind;
    uint32_t value; /* record; of JIT_EXIT_PREEMPT the header's number */
    int32_t k;      /* the instruction that it is of */
};

/* Memory that is about to be accessed: base + (index << shift) + disp; index
 * -1: none. */
struct jit_look {
    int32_t disp;
    int8_t base, index;
    uint8_t shift, bytes;
    bool write;
};

struct jit_fix {
    uint8_t *at; /* a jump's end, or an address of four bytes */
    int32_t target;
    bool address;
};

/* An index that is below a length, both by node: an assignment, which holds
 * until another one.  The newest few are kept. */
enum { JIT_RANGES = 8 };

struct jit_range {
    uint32_t index, len;
};

/* From a word of a function to another. */
struct jit_words {
    uint32_t first, last;
};

struct jit_fn {
    struct jit *jit;
    const struct code_image *im;
    const struct code_func *f;
    struct rt_arena *mem; /* of all of this: the jit's */
    bool failed;         /* memory, records or code are exhausted */
    bool apart;          /* jit_decode() has come to its end */
    bool alone;          /* nothing is to be spliced in */
    bool memory;         /* all slots are in memory, always; implies alone */
    bool closures;       /* calls of closures have been spliced in */
    bool reuses;         /* some loads are moves now (same.c) */
    bool asks;           /* some loop accesses memory in ways that nil.c or
                            same.c knows */
    bool makes_late;     /* some loop makes variables, or closures, that wait */
    bool computes;       /* some operand that may be in a register is a float */
    bool flows;          /* jit_reach() and jit_leaders() have been here */
    bool loops_back;     /* some jump leads backwards */
    const struct jit_seen *seen; /* NULL: none */

    struct jit_ins *v;
    int32_t n;
    size_t max_ins; /* v has room for so many */
    int32_t unresolved; /* while they are put: the last one whose succ are no
                           numbers of instructions yet */
    size_t spliced[2]; /* words of functions that have been spliced in: those
                          that are executed once, and those in loops */
    struct jit_words *loops; /* words of f that are in loops: in order, with
                                others between; NULL: nobody has asked yet */
    uint32_t nloops;
    /* Its parts of the jit's tables are from here on. */
    uint32_t first_frame, first_rec, first_pair, first_spot, first_trap;
    uint32_t ns, words; /* slots; words of a set of slots */
    uint32_t vs;        /* slots from here on are of the variables `home` */
    struct jit_home *home;
    uint32_t nhomes;
    struct jit_address *address; /* where addresses of variables are put */
    uint32_t naddresses;
    const uint64_t **reach; /* by variable's slot, from vs on: the set of those by
                               which the interpreter may come to it */
    uint64_t *leaked; /* by instruction: the set of variables, by number, whose
                         memory others may read and write there; NULL: none */
    bool supposes; /* variables are said to have registers, before they get any */
    uint64_t *bases; /* the set of slots of which some web is among these: */
    uint32_t *unmade; /* by web: the function whose block of cells it has the
                         address of, and 1, if nobody makes that but who leaves
                         (unmade.c); else 0; NULL: there is none */
    uint64_t *asked; /* by instruction: the set of variables' slots that its
                        record has for their memory; NULL: none has any */
    struct jit_opnd *op;
    uint32_t nop, max_ops; /* so many there is room for */
    struct jit_does *does; /* by instruction, while liveness is found; NULL
                              where a set of slots has several words */
    int32_t *turns; /* instructions that need not lead to the next one only, as
                       jit_operands() has found them: all that are not plain */
    uint32_t nturns;
    uint64_t *leaders; /* the set of instructions that are `leader` */
    uint64_t *stops;   /* the set of those where the interpreter may look or come
                          in: that are not JIT_NATIVE, a `header`, or `shows` */
    int32_t *losers; /* those that lose something, in order */
    uint32_t nlosers;
    int32_t *block;  /* where each begins: the function, and each leader;
                        behind the last, n */
    uint32_t nblocks;
    int32_t *lead;   /* by instruction: the number of the block that begins
                        there, or -1; behind the last, -1 */
    uint64_t *live;  /* by instruction: the set of slots live before it;
                        NULL if all are in memory */
    uint8_t *pinned; /* by slot: never in a register */

    /* webs */
    uint32_t *uf;   /* nodes: union-find, then the number of its web */
    uint16_t *slot_of; /* nodes: the slot that it is of */
    uint32_t nn;
    size_t max_nodes; /* so many there are at most */
    uint32_t *phi;  /* by block: the node of the first slot that is live where
                       it begins; those of the others follow in order; behind
                       the last block, what would be the next one */
    uint64_t *torn; /* by block: the set of slots of which nothing is known on
                       some way there */
    uint32_t *cur;  /* by slot: the node that holds before instruction k, or
                       JIT_NO_NODE */
    struct jit_web *web;
    uint32_t nw;
    uint64_t *placed; /* the set of slots of which some web is in a register, or is
                         a number that is not in memory: the only ones that
                         records, saves and loads can be about */
    struct jit_lives *lives; /* while registers are given to them */

    /* emission */
    int32_t k;           /* by jit_go_to(): the current instruction */
    struct jit_ins *now; /* that one */
    struct x64_buf b;
    uint8_t *start, *end;
    uint32_t *checked; /* by web: it is no nil pointer, if that is `stretch` */
    uint64_t *notnil;  /* by block: the set of slots that are no nil pointers;
                          NULL: none is known */
    uint64_t *behind;  /* for what is live behind an instruction */
    uint64_t *away;    /* the set of slots of which what is there has a register,
                          or is a number that is not in memory, or derived; of
                          the others, nobody asks for cur, which may be anything
                          where they have been lost */
    bool odd;          /* all is in memory, or exits are forced */
    int32_t head;      /* the header behind which all that has been emitted is done
                          in order, but for jumps that leave it; -1: none */
    uint8_t rounds;    /* how often that has been emitted before */
    uint8_t most;      /* how often it is to be, once that is known */
    bool again;        /* it is to be emitted once more */
    uint8_t ends;      /* short ends that have been begun behind a jump (tails.c):
                          their instructions are emitted once more */
    int32_t copied;    /* where the next one begins; -1: it has begun */
    int32_t copied_last, copied_from; /* its end; and the first one's jump */
    bool stepped;      /* cur and away are those of behind instruction k */
    int32_t *entries;  /* where it can be entered, in order */
    uint32_t nentries;
    uint32_t stretch;  /* the how many-th piece of code, in which nothing that
                          has been checked is forgotten */
    struct jit_range known[JIT_RANGES]; /* checked in this block */
    uint32_t nknown;
    struct jit_reload *reload; /* by frame, from first_frame on */
    const struct jit_web *held; /* whose value, in its slot, is in rax, too */
    const uint8_t *held_at;     /* at this place in the code */
    const uint8_t *leaves; /* where a stub jumps to JIT_EXIT_SIDE; NULL: none
                              does yet */
    uint32_t spot_at; /* the address of the last spot, if there is one */
    int64_t side;     /* the record of instruction k, or -1 */
    int64_t trap;     /* the record for which the next access by op_mem_put()
                         is a trap; -1: it is none */
    bool looked;      /* it has told of its access */
    int32_t told;     /* the jump whose answer is in the flags: JT and the like,
                         behind what has compared; -1: none */
    int told_cc;      /* by that: the slot that it asks for would be 1 */
    int32_t joined;   /* the instruction whose code the one before it had; -1 */
    uint32_t *ways;   /* how many lead to each instruction; NULL: nobody has
                         asked yet */
    bool floats;      /* some web has a float register */
    RT_VEC(, struct jit_stub) stubs;
    RT_VEC(, struct jit_fix) fixes;
    RT_VEC(, struct jit_land) lands;
    RT_VEC(, struct jit_look) looks;
};

#define JIT_NO_NODE UINT32_MAX

#endif
