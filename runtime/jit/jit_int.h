/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_JIT_INT_H
#define RUNTIME_JIT_JIT_INT_H

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

/* ---- one function in the making ----------------------------------------- */

/* What is to become of an instruction. */
enum jit_kind {
    JIT_NATIVE, /* machine code: its operands may be in registers */
    JIT_HELPER, /* a call of its C function: operands in memory */
    JIT_CALL,   /* a call of Go code: arguments and results in memory */
    JIT_TAIL,   /* TAILCALL */
    JIT_LEAVE,  /* left to the interpreter */
    JIT_INLINE  /* stands for the call of a function whose code follows; if
                   the closure is another's, or there is no room for the frame,
                   succ[1] is to make the call.  Or for the TAILCALL of a
                   wrapper that is spliced in: its frame is the other one's from
                   here on */
};

enum {
    JIT_INS_WORDS = 3,
    JIT_WAS = 2 /* of w, where it is `moved`: the load that it has been */
};

struct jit_ins {
    struct code_ins w[JIT_INS_WORDS]; /* its first words; slots are the
                                         outermost function's */
    const struct code_ins *pc;        /* where it stands in the image */
    uint32_t frame;  /* the function that it is in */
    uint32_t callee; /* JIT_INLINE: the one that follows; of CALLI, else: the
                        number of the type whose method it is guessed to be, and
                        1; 0: none */
    uint8_t kind;    /* enum jit_kind */
    uint8_t nsucc;   /* instructions that may follow, beside those of SWITCH */
    uint8_t depth;   /* loops around it, 6 at most */
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
    bool begins : 1; /* it assigns something that may be in a register */
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
    bool waits : 1; /* a store to variables: nobody looks at their memory before
                       it is stored anew, but by a record, which says what
                       they are (wait.c) */
    bool there : 1; /* CELL: the frame has its block already */
    bool shows : 1; /* spliced in: somebody may look at its frame, or return
                       from it, while it is executed */
    uint16_t object; /* that, or what it makes, and 1; 0: nothing is known */
    uint16_t word, nwords; /* of that: what it accesses, or makes */
    uint16_t pointer; /* known: the slot that it names */
    bool numbered : 1; /* ST64, known: it stores this number, always */
    int32_t number;
    int32_t succ[2];
    int32_t other;      /* a jump that is decided: where it does not lead;
                           moved: what has brought it, or stored it; while
                           instructions are put: the next unresolved one */
    uint32_t ops, nops; /* its operands */
    uint32_t rec;       /* where it resumes: its record */
    uint8_t *addr;
};

/* Where an operand has to be. */
enum jit_place {
    JIT_ANY,    /* wherever its web is */
    JIT_MEMORY, /* in its slot */
    JIT_PINNED, /* in its slot, like all of its web: it is found by address */
    JIT_NOWHERE /* needed by nobody but the interpreter */
};

struct jit_opnd {
    uint16_t slot;
    bool def, use;
    uint8_t place; /* enum jit_place */
    uint8_t holds; /* enum code_class */
    uint32_t node; /* an assignment or a merge of them; then its web */
};

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
};

enum { JIT_HINTS = 4 };

/* Weights are numbers of executions, as they are guessed. */
struct jit_web {
    int64_t weight; /* what a register is worth */
    int64_t defs, saves, loads; /* weights: of definitions in a register, of
                                   saves and loads a register would need */
    uint32_t nint, nfloat; /* operands of the kind */
    uint32_t pieces; /* of its life: the last one (lives.c) */
    int32_t value;
    uint16_t slot;
    int8_t reg; /* -1: none */
    uint8_t nhint;
    uint16_t hint[JIT_HINTS]; /* webs whose register suits */
    bool used : 1, defined : 1; /* by operands that may be in a register */
    bool inmem : 1;    /* some operand is in memory */
    bool constant : 1; /* it is `value`, which takes no register */
    bool variable : 1; /* it is more than that */
    bool through : 1;  /* definitions go to memory, too */
    bool pinned : 1;   /* always in memory */
    bool kept : 1;     /* the interpreter may read it */
};

/* Where webs may begin to live, while registers are given to them. */
struct jit_point {
    uint32_t live;  /* set of registers that live behind it */
    uint32_t begin; /* set of those that begin there */
    uint32_t moved; /* the web of which one begins as a copy; or JIT_NO_NODE; or
                       JIT_COPIES and the instruction that copies variables, or
                       to them */
};
#define JIT_COPIES ((uint32_t)1 << 31)

enum { JIT_PIECES = 1 << 30 }; /* more than there is memory for */

/* Of a web's life: from a point to a point, and the number of another one. */
struct jit_piece {
    uint32_t first, last;
    uint32_t next : 30; /* 0: none */
    bool begins : 1;    /* at the first one the web is assigned */
    bool lives : 1;     /* it lives behind these points; if not, nobody asks
                           for what is assigned */
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
                                others between */
    uint32_t nloops;
    /* Its parts of the jit's tables are from here on. */
    uint32_t first_frame, first_rec, first_pair, first_spot;
    uint32_t ns, words; /* slots; words of a set of slots */
    uint32_t vs;        /* slots from here on are of the variables `home` */
    struct jit_home *home;
    uint32_t nhomes;
    const uint64_t **reach; /* by variable's slot, from vs on: the set of slots
                               before by which the interpreter may come to it */
    uint64_t *asked; /* by instruction: the set of variables' slots that its
                        record has for their memory; NULL: none has any */
    struct jit_opnd *op;
    uint32_t nop, max_ops; /* so many there is room for */
    struct jit_does *does; /* by instruction, while liveness is found; NULL
                              where a set of slots has several words */
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
    int32_t *entries;  /* where it can be entered, in order */
    uint32_t nentries;
    uint32_t stretch;  /* the how many-th piece of code, in which nothing that
                          has been checked is forgotten */
    struct jit_range known[JIT_RANGES]; /* checked in this block */
    uint32_t nknown;
    struct jit_reload *reload; /* by frame, from first_frame on */
    const struct jit_web *held; /* whose value, in its slot, is in rax, too */
    const uint8_t *held_at;     /* at this place in the code */
    uint32_t spot_at; /* the address of the last spot, if there is one */
    int64_t side;     /* the record of instruction k, or -1 */
    bool looked;      /* it has told of its access */
    int32_t told;     /* the jump whose answer is in the flags: JT and the like,
                         behind what has compared; -1: none */
    int told_cc;      /* by that: the slot that it asks for would be 1 */
    uint32_t *ways;   /* how many lead to each instruction; NULL: nobody has
                         asked yet */
    bool floats;      /* some web has a float register */
    RT_VEC(, struct jit_stub) stubs;
    RT_VEC(, struct jit_fix) fixes;
    RT_VEC(, struct jit_land) lands;
    RT_VEC(, struct jit_look) looks;
};

#define JIT_NO_NODE UINT32_MAX

/* The slots that are live before instruction k. */
static inline uint64_t *
jit_live(const struct jit_fn *c, int32_t k)
{
    return c->live + (size_t)k * c->words;
}

static inline struct jit_web *
jit_web_of(const struct jit_fn *c, uint32_t node)
{
    return &c->web[c->uf[node]];
}

static inline struct jit_ins *
jit_now(const struct jit_fn *c)
{
    rt_assert(c->now == &c->v[c->k]);
    return c->now;
}

static inline void
jit_go_to(struct jit_fn *c, int32_t k)
{
    c->k = k;
    c->now = &c->v[k];
}

/* The function that instruction x is in. */
static inline const struct jit_frame *
jit_frame_of(const struct jit_fn *c, const struct jit_ins *x)
{
    return &c->jit->frames[x->frame];
}

/* Its words, with the outermost function's slots.  Of what is spliced in, or
 * made here, all are in w. */
static inline const struct code_ins *
jit_words(const struct jit_ins *x)
{
    return x->frame != 0 || x->made ? x->w : x->pc;
}

/* The words of bytecode behind the one at pc that belong to it. */
static inline unsigned
jit_words_behind(const struct jit_fn *c, const struct code_ins *pc)
{
    return pc->op == OP_SELECT ? 2u * pc->b
                               : c->jit->shapes[code_plain(pc->op)].ext;
}

/* n elements of the function's memory; NULL and c->failed where it is
 * exhausted.  jit_alloc() clears them; from jit_room() they hold anything, for
 * what is assigned before it is read. */
void *jit_alloc(struct jit_fn *c, size_t n, size_t size);
void *jit_room(struct jit_fn *c, size_t n, size_t size);

/* shape.c: of all operations, in memory that the caller frees; NULL: there is
 * none. */
struct jit_shape *jit_shapes(void);
/* decode.c: instructions, with small functions spliced in, and their
 * operands. */
bool jit_decode(struct jit_fn *c);
/* How many slots the move has that becomes so many; 0: it stays as it is. */
uint32_t jit_moved(const struct code_ins *pc);
bool jit_operands(struct jit_fn *c);
/* Those of x, which has become `moved`. */
void jit_put_moved(struct jit_fn *c, struct jit_ins *x);
/* inline.c: what is spliced in.  The function that instruction x, which has
 * been decoded as the last one, calls, as far as that is known, or may be
 * guessed; NULL: it is not to be spliced in. */
const struct code_func *jit_inlined(struct jit_fn *c, const struct jit_ins *x);
/* guess.c: whose methods are called.  Where all is compiled at once, who has
 * them; false: there is no memory. */
bool jit_find_implementors(struct jit *jit);
/* Of x, a CALLI that has been decoded as the last one; and the answer, or
 * NULL. */
void jit_guess_type(struct jit_fn *c, struct jit_ins *x);
static inline const struct rtype *
jit_guessed_type(const struct jit_fn *c, const struct jit_ins *x)
{
    rt_assert(x->w[0].op == OP_CALLI && x->kind == JIT_CALL);
    rt_assert(x->callee <= c->im->ntypes);
    return x->callee == 0 ? NULL : c->im->types[x->callee - 1];
}
/* The function that x, a CALLC, is guessed to call; NULL: nobody knows. */
const struct code_func *jit_guess_closure(
    const struct jit_fn *c, const struct jit_ins *x);
/* Where f ends, which is spliced in: without what is there for nobody. */
uint32_t jit_end_of(struct jit_fn *c, const struct code_func *f);
/* Before: the loops of the outermost function. */
bool jit_find_loops(struct jit_fn *c);
/* How many words have been spliced in. */
static inline size_t
jit_spliced(const struct jit_fn *c)
{
    return c->spliced[0] + c->spliced[1];
}
/* Whether the call has to ask if it is that function. */
static inline bool
jit_inline_asks(const struct jit_ins *x)
{
    return x->w[0].op == OP_CALLC || x->w[0].op == OP_CALLI;
}
/* Whether f is small and calls closures. */
bool jit_calls_back(const struct code_func *f);
/* Where those of the frames end for which there has to be room where others
 * begin, around them: once it is known what is reached. */
void jit_find_rooms(struct jit_fn *c);
/* Whether the frames around it may leave no room for its frame. */
bool jit_inline_needs_room(const struct jit_fn *c, const struct jit_ins *x);
/* A frame for f's code at x, whose words are counted; 0 where there is no
 * room. */
uint32_t jit_new_frame(
    struct jit_fn *c, const struct code_func *f, const struct jit_ins *x);
/* Likewise for f in the place of that frame, a wrapper's. */
uint32_t jit_new_frame_instead(
    struct jit_fn *c, const struct code_func *f, uint32_t frame);

/* decode.c: the operands of calls that are results, once it is known what is live. */
bool jit_results(struct jit_fn *c);
/* The slot from which a call of Go code takes its callee's frame; false: it
 * is none. */
bool jit_call_base(const struct jit_ins *x, uint32_t *base);
/* Where x loses something, what. */
void jit_find_lost(const struct jit_fn *c, const struct jit_ins *x,
    uint32_t *from, uint32_t *kept);
/* Whether x leaves nothing that is known in the slots above a callee's frame,
 * header included: it calls Go code, or is the end of what is spliced in, or
 * its beginning.  They are those from *from on, but for *kept ones behind the
 * header: results, or arguments. */
static inline bool
jit_lost(const struct jit_fn *c, const struct jit_ins *x, uint32_t *from,
    uint32_t *kept)
{
    if (x->loses)
        jit_find_lost(c, x, from, kept);
    return x->loses;
}
/* Whether it is the call of a native that is an instruction of the machine. */
bool jit_is_native(const struct jit_ins *x);

/* flow.c */
/* Whether a deferred call may let the function go on at x. */
bool jit_recovers_at(const struct jit_fn *c, const struct jit_ins *x);
/* What some way from an entry leads to. */
bool jit_reach(struct jit_fn *c);
void jit_leaders(struct jit_fn *c);
/* The blocks: each begins with the function or with a leader. */
bool jit_blocks(struct jit_fn *c);
/* How many ways lead to each instruction; NULL: there is no memory. */
uint32_t *jit_count_ways(struct jit_fn *c);
/* What is executed seldom. */
bool jit_cool(struct jit_fn *c);
bool jit_liveness(struct jit_fn *c);
/* The slots that are live behind x, on some way from there: in set, unless
 * that is known already. */
const uint64_t *jit_live_behind(
    struct jit_fn *c, const struct jit_ins *x, uint64_t *set);
/* Calls fn for each instruction that may follow x.  It is called so often that
 * fn had better become a part of it. */
static inline void
jit_each_succ(struct jit_fn *c, const struct jit_ins *x,
    void (*fn)(struct jit_fn *c, int32_t to, void *arg), void *arg)
{
    for (unsigned i = 0; i < x->nsucc; i++)
        if (x->succ[i] < c->n)
            fn(c, x->succ[i], arg);
    if (x->w[0].op == OP_SWITCH)
        for (int32_t i = 1; i <= x->w[0].imm; i++) {
            rt_assert(x->succ[0] + i < c->n);
            fn(c, x->succ[0] + i, arg);
        }
}

/* Whether x leads to one instruction only, at which no block begins. */
static inline bool
jit_goes_on(const struct jit_fn *c, const struct jit_ins *x)
{
    return (x->plain || (x->nsucc == 1 && x->w[0].op != OP_SWITCH)) &&
        c->lead[x->succ[0]] < 0;
}

/* valid.c: what must hold behind each step; for assertions.  The flow, with
 * leaders; operands and their webs; registers; the records from first_record
 * and spots from first_spot on, and all jumps. */
bool jit_flow_valid(const struct jit_fn *c);
/* Whether who asks for room asks for all that nobody else asks for, once rooms
 * have been found. */
bool jit_rooms_valid(const struct jit_fn *c);
bool jit_webs_valid(const struct jit_fn *c);
/* Whether machine code is not entered, nor left for a call, between what has
 * brought something and what uses it again (same.c): the interpreter does not
 * know that it lives on. */
bool jit_moves_valid(const struct jit_fn *c);
bool jit_allocation_valid(struct jit_fn *c);
bool jit_code_valid(const struct jit_fn *c, uint32_t first_record,
    uint32_t first_spot);
/* Likewise the memory and its table, at any time. */
bool jit_region_valid(const struct jit_region *r, uint32_t nfuncs);

/* vars.c: variables that are reached by address; whether it has changed
 * anything: then operands, ways and what is live are others than before. */
bool jit_vars(struct jit_fn *c, bool *changed);
/* Whether each of the variables' slots is of a word of its own, in the order that
 * jit_slot_of_word() relies on, by an address in a frame's slot. */
bool jit_homes_valid(const struct jit_fn *c);
/* wait.c: which stores to variables wait; what is live may be more then. */
bool jit_wait(struct jit_fn *c);
/* drop.c: what is assigned and stored for nobody. */
bool jit_drop(struct jit_fn *c);
/* Whether x neither leaves machine code, nor has anybody look at the frame. */
bool jit_is_quiet(const struct jit_fn *c, const struct jit_ins *x);
/* The variable's slot for that word of the object; 0: it has none. */
static inline uint32_t
jit_slot_of_word(const struct jit_fn *c, uint32_t object, uint32_t word)
{
    uint32_t from = 0, to = c->nhomes; /* it is there, in ascending order */

    while (from < to) {
        uint32_t i = from + (to - from) / 2;
        const struct jit_home *h = &c->home[i];

        if (h->object == object && h->word == word)
            return c->vs + i;
        if (h->object < object || (h->object == object && h->word < word))
            from = i + 1;
        else
            to = i;
    }
    return 0;
}

/* ranges.c: what can be known of numbers, as in_range and natural say it. */
bool jit_ranges(struct jit_fn *c);

/* same.c: what need not be loaded again; reuses, if anything is: then operands
 * are others than before.  Blocks are known, what is live is not. */
bool jit_same(struct jit_fn *c);
/* Of all operations, what they do with memory. */
void jit_find_memory(uint8_t to[OP_COUNT]);

/* nil.c: which pointers are known not to be nil where blocks begin: notnil. */
bool jit_nil(struct jit_fn *c);
/* Whether what the operation assigns is an address that never is nil. */
static inline bool
jit_is_address(unsigned op)
{
    return (op >= OP_KADDR && op <= OP_LDTYPE) || op == OP_GADDR ||
        op == OP_LEA || op == OP_XADDR || op == OP_PADDR || op == OP_NEW;
}
_Static_assert(OP_KADDR + 1 == OP_SADDR && OP_SADDR + 1 == OP_LDFN &&
    OP_LDFN + 1 == OP_LDTYPE, "constant addresses are in one row");

/* webs.c */
bool jit_webs(struct jit_fn *c);
/* In place of that, of jit_liveness(), jit_results() and jit_allocate(): if all
 * are in memory. */
bool jit_webs_in_memory(struct jit_fn *c);
/* cur before the first instruction; at instruction k, which may be a leader;
 * and from before it to behind it, where what x loses is known no more: of a
 * callee's frame all but the results. */
void jit_cur_start(struct jit_fn *c);
void jit_cur_block(struct jit_fn *c, int32_t k);
static inline void
jit_cur_at(struct jit_fn *c, int32_t k)
{
    if (!c->memory && c->lead[k] >= 0)
        jit_cur_block(c, k);
}
void jit_cur_lose(struct jit_fn *c, const struct jit_ins *x);
static inline void
jit_cur_step(struct jit_fn *c, int32_t k)
{
    const struct jit_ins *x = &c->v[k];
    const struct jit_opnd *o = c->op + x->ops;

    if (c->memory)
        return;
    if (x->loses)
        jit_cur_lose(c, x);
    for (uint32_t i = 0; i < x->nops; i++)
        if (o[i].def)
            c->cur[o[i].slot] = o[i].node;
}

/* alloc.c */
bool jit_allocate(struct jit_fn *c);
/* lives.c: whether x copies variables, or to them; the web that this one is a copy
 * of behind x, if `to`, or that is one of it; JIT_NO_NODE: there is none. */
static inline bool
jit_copies(const struct jit_fn *c, const struct jit_ins *x)
{
    return c->nhomes > 0 && x->kind == JIT_NATIVE && x->nwords > 0 &&
        (x->known || x->safe);
}
uint32_t jit_copy_of(
    const struct jit_fn *c, const struct jit_ins *x, uint32_t web, bool to);

/* emit.c */
bool jit_emit(struct jit_fn *c);
/* The web of a slot that the current instruction reads, or writes. */
struct jit_web *jit_use(struct jit_fn *c, uint32_t slot);
struct jit_web *jit_def(struct jit_fn *c, uint32_t slot);
/* Whether the index and the length in these slots, which the current
 * instruction reads, have been compared in this block already; if not, they
 * will have been behind it. */
bool jit_in_range(struct jit_fn *c, uint32_t index, uint32_t len);
/* The next instruction in order of which there is code. */
int32_t jit_next(const struct jit_fn *c);
/* Nobody will ever read what the web is assigned. */
static inline bool
jit_is_dead(const struct jit_web *w)
{
    return !w->used && !w->inmem && !w->kept && !w->pinned;
}
/* Leaves the current instruction to the interpreter if cc; it must not have
 * changed anything. */
void jit_leave(struct jit_fn *c, int cc);
/* Lets the function of the current instruction, which does not jump, do it if
 * cc, and goes on behind it; it must not have changed anything. */
void jit_slow(struct jit_fn *c, int cc);
/* Jumps to an instruction if cc; no safepoint. */
void jit_goto(struct jit_fn *c, int cc, int32_t to);
/* A jump to a safepoint, after which the instruction follows. */
void jit_preempt_stub(struct jit_fn *c, int32_t to);
/* The four bytes at `at` are to hold the address where a frame's return goes
 * on. */
void jit_landing(struct jit_fn *c, uint8_t *at, uint32_t frame);
/* Eight bytes that are to hold the instruction's address. */
void jit_address(struct jit_fn *c, int32_t to);
/* Code from here on is of instruction x, while fp points so many slots above
 * the frame. */
void jit_put_spot(struct jit_fn *c, const struct jit_ins *x, uint32_t above);
/* A jump to what is seldom done, if cc: behind the function's code, fn emits
 * that, for the same instruction, without records and other such jumps.  It
 * goes on where jit_back() is told, with the number that jit_seldom() has
 * answered. */
size_t jit_seldom(struct jit_fn *c, int cc,
    void (*fn)(struct jit_fn *c, uint32_t arg), uint32_t arg);
void jit_back(struct jit_fn *c, size_t stub);
/* The record of the current instruction, for a way out from there. */
uint32_t jit_side(struct jit_fn *c);
/* A jump to where the function that the current instruction has called leaves
 * its status, which is not VM_OK, in eax. */
void jit_status_stub(struct jit_fn *c, int cc);

/* made.c: c is compiled, and its spots begin with this one. */
void jit_tell(const struct jit_fn *c, uint32_t first);

/* perf.c: the map of this process, or -1; a function's code in it. */
int jit_perf_open(void);
void jit_perf_put(struct jit *jit, const struct jit_made *m);
void jit_perf_close(struct jit *jit);

/* dump.c: sets jit->dump, -1 where there can be none; a function's code and
 * lines in it.  What cannot be written ends the dump. */
void jit_dump_open(struct jit *jit);
void jit_dump_put(struct jit *jit, const struct jit_made *m);
void jit_dump_close(struct jit *jit);

/* stats.c */
/* The address of the word of the table that counts the calls of C for
 * instructions like that at pc; where cfg.stats.  Threads that count at the
 * same time may lose some. */
uint32_t jit_table_counter(const struct jit *jit, const struct code_ins *pc);

/* region.c; perf: so that perf goes by its map. */
bool jit_region_open(struct jit_region *r, uint32_t nfuncs,
    uint32_t ncounters, bool perf);
void jit_region_close(struct jit_region *r);
/* About so many bytes of code are to be written: the system is asked for their
 * pages at once, where it can do that, which takes half as long. */
void jit_region_prepare(struct jit_region *r, size_t bytes);
/* Where code is written, as it is run. */
static inline uint32_t
jit_exec(const struct jit *jit, const uint8_t *p)
{
    return (uint32_t)(uintptr_t)(jit->region.exec +
        (p - jit->region.write));
}
/* The address of the table's word for a function's entry, or an operation's
 * function. */
static inline uint32_t
jit_table_entry(const struct jit *jit, uint32_t func)
{
    return (uint32_t)(uintptr_t)(jit->region.table + JIT_FUNCS + func);
}
static inline uint32_t
jit_table_routine(const struct jit *jit, enum jit_routine routine)
{
    return (uint32_t)(uintptr_t)(jit->region.table + OP_COUNT + routine);
}
/* Of one of the masks, by its number. */
static inline uint32_t
jit_table_mask(const struct jit *jit, uint32_t i)
{
    return (uint32_t)(uintptr_t)(jit->region.table + JIT_MASKS + i);
}
static inline uint32_t
jit_table_helper(const struct jit *jit, uint32_t op)
{
    return (uint32_t)(uintptr_t)(jit->region.table + op);
}

/* enter_x64.S: runs machine code from `at` on.  What it comes to an end by is
 * in the area. */
void jit_enter(struct vm_thread *t, struct vm_g *vg, union rt_slot *fp,
    const void *at, struct jit_area *area, const a_u32 *preempt);
/* For machine code: "equal" if the rcx bytes at rax and at rdx are, of which
 * there is at least one.  rax, rcx, rdx, xmm0 and xmm1 are lost. */
void jit_memeq(void);
/* Likewise; but for rax, rcx, rdx, xmm0 and xmm1 all registers are kept.
 * jit_rune() of rax and rcx, to rax; jit_equal() of rax, rcx and rdx, to eax,
 * and the flags of a comparison of that with 0; memcmp() of rax, rdx and the
 * size in rcx, to eax, flags too. */
void jit_keep_rune(void);
void jit_keep_equal(void);
void jit_keep_memcmp(void);
/* memmove() of rcx bytes to rdx from rax; but for rax, rcx, rdx, xmm0 and xmm1
 * all registers are kept. */
void jit_copy(void);
/* gc_barrier_slow() of the words at OP_AT_SCRATCH and OP_AT_SCRATCH_2: what
 * was there and what will be.  rax and rcx are kept, too. */
void jit_keep_shade(void);
/* jit_look() of the address at OP_AT_SCRATCH, in the frame at
 * OP_AT_SCRATCH_2, at the pc in r14, and of edx; but for rdx and r14 all
 * registers are kept. */
void jit_keep_look(void);
/* The same, but that float registers are lost. */
void jit_keep_look_int(void);
/* For those. */
uint64_t jit_rune(const uint8_t *s, uint64_t n);
int jit_equal(const struct rtype *t, void *x, void *y);
void jit_shade(struct vm_thread *t, void *old, void *val);
/* Tells the race detector of an access that follows: how is twice the number of
 * bytes, and 1 more if they are written. */
void jit_look(struct vm_thread *t, const union rt_slot *fp,
    const struct code_ins *pc, const void *p, uint32_t how);
/* The words of the table from JIT_MASKS on. */
void jit_x64_masks(uint64_t *table);
/* The ways out, which are copied to the beginning of the region, and where in
 * that copy each begins. */
extern const uint8_t jit_exits[], jit_exits_end[];
extern const uint32_t jit_exit_offsets[];

/* compile.c: a function, of which a frame is seen (or NULL), as its
 * instructions; whether what is left to do takes more than about a millisecond;
 * and that, to its end, or by the thread of the background, which is busy in
 * place of the caller then (false: there is none).  The caller is busy. */
void jit_begin(struct jit *jit, const struct code_func *f,
    const struct jit_seen *seen);
bool jit_takes_long(const struct jit *jit);
void jit_finish(struct jit *jit);
bool jit_finish_later(struct jit *jit);

/* later.c: hands fn(jit) to the thread of the background, which is busy in
 * place of the caller then; false: there is no such thread. */
bool jit_later(struct jit *jit, void (*fn)(struct jit *jit));
/* Whether what is compiled will never be run: the program has ended. */
bool jit_later_ends(const struct jit *jit);
/* Waits until it has done what it has been handed. */
void jit_later_wait(struct jit *jit);
/* Ends the thread, and waits for it.  No other thread compiles any more. */
void jit_later_end(struct jit *jit);

/* resume.c */
extern const struct vm_jit_host jit_host;

/* heat.c */
bool jit_hot(void *arg, struct vm_thread *t, const struct code_ins *pc);

/* op_x64.c: the machine. */
/* What becomes of the instruction; of all with that operation, -1: it depends
 * on more. */
enum jit_kind jit_x64_kind(struct jit_fn *c, const struct jit_ins *x);
int jit_x64_kind_of(unsigned op);
/* Whether its machine code may call its function, by jit_slow(). */
bool jit_x64_has_slow(unsigned op);
/* The sets of registers for webs. */
void jit_x64_registers(struct jit *jit);
/* Code for the current instruction, of each kind. */
void jit_x64_native(struct jit_fn *c);
void jit_x64_call(struct jit_fn *c);
void jit_x64_tail(struct jit_fn *c);
void jit_x64_helper(struct jit_fn *c);
/* Moves a web from its register to its slot, or back, if it has one. */
void jit_x64_store(struct jit_fn *c, const struct jit_web *w);
void jit_x64_load(struct jit_fn *c, const struct jit_web *w);
void jit_x64_stub(struct jit_fn *c, const struct jit_stub *s);
/* What jit_slow() jumps to; record: of what is in registers before the current
 * instruction. */
void jit_x64_slow(struct jit_fn *c, uint32_t record);
/* JIT_INLINE: whether it is to be. */
void jit_x64_inline(struct jit_fn *c);
/* Where the frame's return goes on: from its frame to the outermost one's. */
void jit_x64_land(struct jit_fn *c, const struct jit_frame *f);
/* Saves what the current call or function needs in memory; call: what is live
 * behind it, too.  And what is live behind it, back into registers. */
void jit_save_live(struct jit_fn *c, bool call);
void jit_load_live(struct jit_fn *c);
/* What is live before the current instruction, from memory: it begins again. */
void jit_load_before(struct jit_fn *c);

#endif
