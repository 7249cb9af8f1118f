/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_JIT_INT_H
#define RUNTIME_JIT_JIT_INT_H

/*
 * The steps of the compiler, by file, and what all of them ask of a function in
 * the making.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runtime/jit/jit_fn.h"


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

/* Where the record's instruction stands. */
static inline const struct code_ins *
jit_record_pc(const struct jit *jit, const struct jit_record *r)
{
    rt_assert(r->off < jit->vm->im->ncode);
    return jit->vm->im->code + r->off;
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
static inline void *
jit_room(struct jit_fn *c, size_t n, size_t size)
{
    enum { POISON = 0xa5 };
    void *p = rt_arena_array(c->mem, n + 1, size);

    if (rt_unlikely(p == NULL))
        c->failed = true;
    else if (VOLE_CHECKS >= 2)
        memset(p, POISON, (n + 1) * size);
    return p;
}

/* shape.c: of all operations, in memory that the caller frees; NULL: there is
 * none. */
struct jit_shape *jit_shapes(void);
/* decode.c: instructions, with small functions spliced in. */
bool jit_decode(struct jit_fn *c);
/* How many slots the move has that becomes so many; 0: it stays as it is. */
uint32_t jit_moved(const struct code_ins *pc);
/* How many slots the return at pc leaves in the caller's. */
uint32_t jit_results_of(const struct code_ins *pc);
/* operands.c: of all instructions. */
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
/* Whether it does so or makes them, as what has a loop itself does: of what is spliced
 * in that is known already. */
bool jit_repeats(struct jit_fn *c, const struct code_func *f);
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

/* Behind so many of its operands x has none that it assigns. */
static inline uint32_t
jit_assigned(const struct jit_ins *x)
{
    return x->assigns == UINT8_MAX ? x->nops : x->assigns;
}

/* operands.c: those of calls that are results, once it is known what is live. */
bool jit_results(struct jit_fn *c);
/* The slot from which a call of Go code takes its callee's frame; false: it
 * is none. */
bool jit_call_base(const struct jit_ins *x, uint32_t *base);
/* Whether x leaves nothing that is known in the slots above a callee's frame,
 * header included: it calls Go code, or is the end of what is spliced in, or
 * its beginning.  They are those from *from on, but for *kept ones behind the
 * header: results, or arguments.  jit_operands() has noted that. */
static inline bool
jit_lost(const struct jit_ins *x, uint32_t *from, uint32_t *kept)
{
    rt_assert(!x->loses || !x->numbered);
    *from = x->lost_from;
    *kept = x->lost_kept;
    return x->loses;
}
/* Whether x loses what is in a callee's frame: it calls Go code, or a native. */
static inline bool
jit_makes_call(const struct jit_ins *x)
{
    return x->kind == JIT_CALL || x->w[0].op == OP_CALLN ||
        x->w[0].op == OP_RUNDEFER;
}
/* Whether it is the call of a native that is an instruction of the machine. */
bool jit_is_native(const struct jit_ins *x);

/* flow.c */
/* Whether a deferred call may let the function go on at x. */
bool jit_recovers_at(const struct jit_fn *c, const struct jit_ins *x);
/* What some way from an entry leads to. */
bool jit_reach(struct jit_fn *c);
/* Whether somebody may look at the frame of x, which is spliced in and
 * reached. */
void jit_show_frame(struct jit_fn *c, struct jit_ins *x);
/* Leaders, headers and loops, once operands are there. */
bool jit_leaders(struct jit_fn *c);
/* The blocks: each begins with the function or with a leader. */
bool jit_blocks(struct jit_fn *c);
/* How many ways lead to each leader, by instruction, if one is no plain
 * instruction's; NULL: there is no memory. */
uint32_t *jit_count_ways(struct jit_fn *c);
/* What is executed seldom. */
bool jit_cool(struct jit_fn *c);
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

/* liveness.c: which slots are live, once operands and leaders are known. */
bool jit_liveness(struct jit_fn *c);
/* The slots that are live behind x, on some way from there: in set, unless
 * that is known already. */
const uint64_t *jit_live_behind(
    struct jit_fn *c, const struct jit_ins *x, uint64_t *set);

/* valid.c: what must hold behind each step; for assertions.  The flow, with
 * leaders; operands and their webs; registers; the records from first_record
 * and spots from first_spot on, traps, and all jumps. */
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
/* Whether the interpreter may reach the variable, from before instruction k on. */
bool jit_is_reachable(const struct jit_fn *c, uint32_t var, int32_t k);
/* Whether somebody may look at any memory while x is executed, not by a record;
 * and whether there may be a record of what is before x. */
bool jit_is_looked_at(const struct jit_ins *x);
bool jit_has_record(const struct jit_fn *c, const struct jit_ins *x);
/* unmade.c: registers, and which blocks of cells nobody makes but who leaves. */
bool jit_place_all(struct jit_fn *c);
static inline bool
jit_is_unmade(const struct jit_fn *c, const struct jit_web *block)
{
    return c->unmade != NULL && c->unmade[block - c->web] != 0;
}
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
/* variables.c: of all operations, what they say of numbers. */
void jit_find_numbers(struct jit_numbers to[OP_COUNT]);

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

/* trap.c: nil pointers that are told of by the processor.  Whether it is for the
 * check of x, an access. */
bool jit_traps(const struct jit_fn *c, const struct jit_ins *x);
/* The instruction of the machine that comes next accesses memory: if that faults,
 * machine code is left by the record. */
void jit_put_trap(struct jit_fn *c, uint32_t record);
/* For signal handlers: the record for the access at the address; false: it is no
 * trap. */
bool jit_trap_at(const struct jit *jit, uintptr_t addr, uint32_t *record);

/* rounds.c: whether all from the header `to` on is emitted again behind the current
 * instruction, which leads back to it.  And the instruction before the header, as
 * the current one: what comes next is emitted again. */
bool jit_goes_round(struct jit_fn *c, int32_t to);
struct jit_ins *jit_go_round(struct jit_fn *c);

/* tails.c: whether what the current instruction, a jump, leads to is emitted in
 * place of it.  And, behind an instruction while there is such an end, the one
 * before that which is emitted next, as the current one. */
bool jit_copies_end(struct jit_fn *c, int32_t to);
struct jit_ins *jit_go_on(struct jit_fn *c);

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

/* derive.c: which webs are derived, and which variables are numbers; cur is lost. */
bool jit_derive(struct jit_fn *c);

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

/* entries.c: where the interpreter may want to go on in machine code: resumes,
 * inside, and made of frames. */
void jit_find_resumes(struct jit_fn *c);
/* Whether instruction k needs no slot of the outermost frame that the interpreter
 * does not need there; or of k in a loop that is spliced in, whose frames are
 * there: what is live in each of them lives for the interpreter, too, which has it
 * in its slot. */
bool jit_as_interpreted(const struct jit_fn *c, int32_t k);
bool jit_as_in_frames(const struct jit_fn *c, int32_t k);

/* record.c: where everything is before instruction k, at which cur stands: the
 * number of its record. */
uint32_t jit_put_record(struct jit_fn *c, int32_t k);

/* emit.c */
bool jit_emit(struct jit_fn *c);
/* The web of a slot that the current instruction reads, or writes. */
struct jit_web *jit_use(struct jit_fn *c, uint32_t slot);
struct jit_web *jit_def(struct jit_fn *c, uint32_t slot);
/* Whether the index and the length in these slots, which the current
 * instruction reads, have been compared in this block already; if not, they
 * will have been behind it. */
bool jit_in_range(struct jit_fn *c, uint32_t index, uint32_t len);
/* The next instruction in order behind k of which there is code. */
int32_t jit_next(const struct jit_fn *c, int32_t k);
/* Nobody will ever read what the web is assigned. */
static inline bool
jit_is_dead(const struct jit_web *w)
{
    return !w->used && !w->inmem && !w->kept && !w->pinned;
}
/* It has a register, or is a number that is not in memory, or is derived: that is
 * known once registers have been given. */
static inline bool
jit_is_away(const struct jit_web *w)
{
    rt_assert(w->away ==
        ((w->reg >= 0) | (w->constant & !w->through) | w->derived));
    return w->away;
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
/* About so many bytes are to be written behind those of the memory that are
 * used: the system is asked for their pages at once, where it can do that, which
 * takes half as long.  Of `prepared` ones no more is to be asked. */
void jit_prepare(
    void *memory, size_t size, size_t used, size_t bytes, size_t *prepared);
static inline void
jit_region_prepare(struct jit_region *r, size_t bytes)
{
    jit_prepare(r->write, JIT_CODE_BYTES, r->used, bytes, &r->prepared);
}
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

/* enter_x64.S: runs machine code from `at` on.  What it comes to an end by is
 * in the area. */
void jit_enter(struct vm_thread *t, struct vm_g *vg, union rt_slot *fp,
    const void *at, struct jit_area *area, const a_u32 *preempt);
/* For machine code: "equal" if the rcx bytes at rax and at rdx are, of which
 * there is at least one.  rax, rcx, rdx, xmm0 and xmm1 are lost. */
void jit_memeq(void);
/* Likewise: rax = where the byte in dl is first among the rcx bytes at rax, none
 * of which need be there; or -1. */
void jit_index_byte(void);
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
/* What machine code calls functions of C by, behind what the region has; its
 * table is mapped. */
void jit_x64_thunks(struct jit_region *r);
/* The words of the table from JIT_MASKS on. */
void jit_x64_masks(uint64_t *table);
/* The address of a word of the table that is v, which is not 0, from now on; 0:
 * there is no room for one more.  Who is busy may ask. */
uint32_t jit_table_number(struct jit *jit, uint64_t v);
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
/* What c keeps from one function to the next. */
void jit_free_lists(struct jit_fn *c);

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
/* The system is asked for pages of the tables before they are used, where much
 * of them is. */
void jit_prepare_tables(struct jit *jit);
bool jit_hot(void *arg, struct vm_thread *t, const struct code_ins *pc);

/* op_x64.c: the machine. */
/* What becomes of the instruction; of all with that operation, -1: it depends
 * on more. */
enum jit_kind jit_x64_kind(struct jit_fn *c, const struct jit_ins *x);
int jit_x64_kind_of(unsigned op);
/* op_x64_cell.c: whether the current instruction, CELL, MKCLOAT, or an access to
 * variables there, has nothing to do with memory, once registers have been given. */
bool jit_x64_needs_no_cells(struct jit_fn *c);
/* Whether its machine code may call its function, by jit_slow(). */
bool jit_x64_has_slow(unsigned op);
/* The sets of registers for webs. */
void jit_x64_registers(struct jit *jit);
/* Code for the current instruction, of each kind. */
void jit_x64_native(struct jit_fn *c);
/* `to` becomes what `from` is; the accumulator is lost. */
void jit_x64_copy(
    struct jit_fn *c, const struct jit_web *to, const struct jit_web *from);
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
 * behind it, too.  And what is live behind it, back into registers: it has been
 * done then. */
void jit_save_live(struct jit_fn *c, bool call);
void jit_load_live(struct jit_fn *c);
/* What is live before the current instruction, from memory: it begins again. */
void jit_load_before(struct jit_fn *c);
/* What is live at instruction k, where a block begins. */
void jit_load_block(struct jit_fn *c, int32_t k);

/* behind.c: once there is code for all instructions. */
enum { JIT_SLOT_BYTES = 32 }; /* a slot's store or load takes less */
void jit_emit_behind(struct jit_fn *c);

#endif
