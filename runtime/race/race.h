/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_RACE_RACE_H
#define RUNTIME_RACE_RACE_H

/*
 * The race detector: FastTrack (Flanagan and Freund, PLDI 2009) with exact
 * histories.  Two accesses race when they touch a common byte, one of them
 * writes, not both are atomic, and neither happens before the other.
 *
 * Time.  Each goroutine has a slot and a clock of its own, which ticks when it
 * lets others know what it has done.  Its vector says how much of each slot's
 * clock it has seen.  An epoch is one slot's clock at one time; an access with
 * epoch (slot, clock) happens before what a goroutine does now if the
 * goroutine's vector has at least that clock for the slot.
 *
 * Memory.  A cell for each 8 bytes of the heap and of the package variables
 * holds the last writes and the reads since then, each an epoch with a mask of
 * bytes and the number of a stack, or a list of such where one does not do.
 *
 * Order.  Anything with an address can be a synchronisation object: it has a
 * vector into which goroutines release what they know and from which they
 * acquire it.
 *
 * Who is not watched has a NULL where the detector would be: a heap, a
 * scheduler, a thread of the VM.  All functions may be called by any thread
 * that runs the goroutine, unless they say otherwise.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/callstack.h"
#include "runtime/base/compiler.h"
#include "runtime/base/err.h"
#include "runtime/base/tunables.h"

/* ---- epochs ------------------------------------------------------------- */

/* clock << 24 | slot << 9 | atomic << 8 | mask of bytes */
#define RACE_ATOMIC   (UINT64_C(1) << 8)
#define RACE_MASK     UINT64_C(0xff)
#define RACE_NO_SLOT  0x7fffu /* not an epoch: the clock names a list */

static inline uint64_t
race_epoch(uint32_t slot, uint64_t clock)
{
    return clock << 24 | (uint64_t)slot << 9;
}

static inline uint32_t
race_slot(uint64_t e)
{
    return (uint32_t)(e >> 9) & RACE_NO_SLOT;
}

static inline uint64_t
race_clock(uint64_t e)
{
    return e >> 24;
}

/* ---- the detector ------------------------------------------------------- */

struct race;

/* One cell: what is known of 8 bytes.  0: nothing.  Checks read all of it, and
 * nothing else. */
struct race_cell {
    a_u64 read; /* an epoch and mask, or a list */
    a_u64 write;
};

/* Where the accesses of a cell were, as numbers of stacks; of a list they are
 * in its entries.  Means something where the cell's word is not 0. */
struct race_where {
    a_u32 read;
    a_u32 write;
};

/* A clock that is newer than a vector's base says. */
struct race_news {
    uint32_t slot : 31;
    uint32_t tick : 1; /* by race_vec_tick() */
    uint32_t clock;
};

/* A vector of clocks by slot, in n pieces (vec.c); what has no piece is 0.  Or
 * it is a base, which others have too, and then n is 0, with news, the latest
 * last and one of a slot. */
enum { RACE_NEWS = 4 };
struct race_clocks;
struct race_base;
struct race_object;
struct race_vec {
    struct race_clocks **c;
    uint16_t n, cap;
    uint16_t nnews; /* 0 without a base */
    uint16_t spare; /* references of the base for those that get it from here */
    struct race_base *base;
    struct race_news news[RACE_NEWS];
};

/* A goroutine's part, and after it that of the next one that has its slot.  Its
 * vector belongs to whoever runs the goroutine, and while it is parked to whoever
 * takes it off the queue that it waits in.  Three cache lines: of goroutines that
 * do little, which are made by one thread and end in another, these are most of
 * what takes time. */
struct race_g {
    _Alignas(RT_CACHE_LINE)
    uint64_t epoch; /* now, without mask: to compare with cells */
    /* here for the checks: */
    struct race_cell *cells;
    uintptr_t lo;
    uint64_t span; /* 0 while it is the only one that there ever was: see
                      race_share() */
    struct race_where *where; /* beside the cells */
    const void *place;   /* the pc of an access to more bytes of a cell, */
    uint32_t place_stack; /* and a stack whose innermost pc that is */
    uint32_t made; /* runtime/race's: 1 more than the last bits of `learnt` when
                      it last made a goroutine; 0: it has made none */
    uint64_t whole; /* epoch and all bytes of a cell */
    struct race *race;
    /* the rest is runtime/race's */
    struct race_vec vec;
    void *owner; /* for the host's walk */
    bool used; /* accesses have been made in this epoch, and the vector has its
                  clock; else the one before */
    bool over;  /* it has ended */
    bool crowds; /* const in its life: see race_g_crowds() */
    uint32_t quiet;      /* >0: race_quiet() */
    uint64_t learnt;     /* another number each time that it has learnt
                            something, and of each goroutine */
    uint64_t told;       /* `learnt` as it was when others were told of the
                            vector's own clock for the first time */
    struct race_object *sole; /* of the lock by which they were, if nobody has
                                 been told since; else NULL */
    const void *sole_at;  /* where it is */
    uint64_t sole_learnt; /* `learnt` as it was then */
    uint32_t vain; /* children since it has looked for a slot in vain, itself
                      one, and has learnt nothing from others; else 0 */
    uint32_t slot;
};

_Static_assert(sizeof(struct race_g) == 3 * RT_CACHE_LINE, "as few as can be");

/* A frame as a report shows it. */
struct race_frame {
    const char *func;
    const char *file;
    uint32_t line;
    uint32_t off; /* of the pc from the function's beginning, in bytes */
};

/* What memory is: words for it, and the stack of who has allocated it, if that
 * is known. */
struct race_place {
    char text[512];
    vpc pcs[32];
    uint32_t n;
};

/* What the detector asks of the layers above. */
struct race_host {
    /* The number of a goroutine's stack, which race_stack_add() gives frame by
     * frame: it is at the instruction pc of the frame fp, or where it has saved
     * that it is (fp NULL).  owner: race_g_new()'s.  The goroutine runs on the
     * calling thread. */
    uint32_t (*stack)(
        void *host, void *owner, const void *pc, const void *fp);
    /* The innermost place of that stack; 0: nothing that is shown. */
    vpc (*place)(void *host, void *owner, const void *pc, const void *fp);
    /* What is at pc; false: a frame that is not shown. */
    bool (*frame)(void *host, vpc pc, struct race_frame *out);
    /* What is at the address; false: unknown. */
    bool (*object)(void *host, uintptr_t addr, struct race_place *out);
    /* The program is to end with this status (GORACE's halt_on_error).  Where
     * this returns, the goroutine that calls it does not get beyond its next
     * point of a schedule. */
    void (*halt)(void *host, int status);
};

enum { RACE_DEFAULT_EXIT = 66 };

/* GORACE. */
struct race_options {
    int exitcode;         /* status of a process that had races */
    bool halt_on_error;   /* the first one ends it */
    char log_path[256];   /* "stderr", "stdout", or a file's name to which the
                             number of the process is appended */
    char strip[256];      /* strip_path_prefix: not shown of file names */
};

/* The options that the text of GORACE asks for, which are words NAME=VALUE
 * with spaces or colons between; NULL: defaults.  RT_EFORMAT where a value
 * makes no sense. */
enum rt_status race_options_parse(
    const char *text, struct race_options *out, struct rt_err *err);

struct race_config {
    struct race_options opt;
    uintptr_t lo;     /* the first address that is watched */
    uint64_t span;    /* so many bytes: a multiple of 4096 */
    uint32_t fail_at; /* VOLEDEBUG=failalloc */
    uint32_t fail_piece; /* VOLEDEBUG=failrace */
};

/* Makes a detector, which is whole but has no host yet. */
enum rt_status race_new(
    struct race **out, const struct race_config *cfg, struct rt_err *err);
void race_free(struct race *r);
/* As if r were new, for another program of which nothing has run yet; nobody
 * uses it.  False: another one is to be made, since it would not watch the same
 * memory, or has used so much that to clear it takes longer; r is as it was. */
bool race_again(struct race *r, const struct race_config *cfg);
/* Before the first goroutine; host and arg stay the caller's. */
void race_attach(struct race *r, const struct race_host *host, void *arg);
/* Races reported so far. */
uint32_t race_errors(const struct race *r);
/* At the end: says how many there were, if any.  The status with which the
 * process is to end that would otherwise end with `status`. */
int race_end(struct race *r, int status);
/* For tests: whether all is as it should be.  Nobody else runs. */
bool race_valid(const struct race *r);

/* ---- goroutines ----------------------------------------------------------- */

/*
 * A goroutine begins that knows what its parent knows, which runs on the
 * calling thread; NULL: nothing.  owner is for the host's walk.  The stack of
 * the go statement is that of the parent where it has saved that it is, or,
 * without a parent, the pc `at` alone.  NULL where 32,766 are alive; where
 * memory is out the process ends.
 */
struct race_g *race_g_new(struct race *r, struct race_g *parent,
    uint64_t goid, void *owner, vpc at);
void race_g_end(struct race_g *g);
/* Whether so many lived when g began that who makes more should let others run,
 * which may end: some of those that began when more than half of what there can
 * be were alive. */
static inline bool
race_g_crowds(const struct race_g *g)
{
    return g->crowds;
}
/*
 * The first goroutine is not watched as long as there is no other: whatever it
 * does comes before all that its children do.  g, which runs, is about to make
 * something by which goroutines begin that are nobody's children: from now on
 * it is watched.
 */
void race_share(struct race_g *g);
/* From now on, and as often as back again, what g does makes no order: Go's
 * race.Disable().  It nests.  False: there is nothing to go back from. */
bool race_quiet(struct race_g *g, bool on);

/* The number of the stack `outer` (0: none) with one frame more, which is at
 * pc.  Of a recursion a stack has the two innermost frames.  0: there is no room
 * for it. */
uint32_t race_stack_add(struct race *r, uint32_t outer, vpc pc);

/* ---- accesses --------------------------------------------------------------- */

/* The slow path of the checks below: e is an epoch with mask and perhaps the
 * bit for atomic accesses. */
void race_access(struct race_g *g, uint64_t cell, uint64_t e, bool write,
    const void *pc, const void *fp);

/* Whether what is known covers an access of epoch and mask e: the same
 * goroutine at the same time did so already. */
static inline bool
race_covers(uint64_t known, uint64_t e)
{
    return ((known ^ e) & (e | ~RACE_MASK)) == 0;
}

/* Whether nobody but the goroutine of e, at its present time and by plain
 * accesses, is in a word of a cell. */
static inline bool
race_is_now(uint64_t known, uint64_t e)
{
    return known == 0 || ((known ^ e) & ~RACE_MASK) == 0;
}

/*
 * The running goroutine reads, or writes, size bytes at p: 1 to 8 that do not
 * cross a multiple of 8.  pc and fp say where it is, as to the host's walk.
 * Before the access.  Elsewhere than in watched memory: nothing.
 */
static RT_ALWAYS_INLINE void
race_read(struct race_g *g, const void *p, unsigned size, const void *pc,
    const void *fp)
{
    uint64_t off = (uintptr_t)p - g->lo;

    if (off >= g->span)
        return;
    uint64_t e = g->epoch | ((UINT64_C(1) << size) - 1) << (off & 7);
    struct race_cell *c = &g->cells[off >> 3];
    if (rt_likely(race_covers(a64_load_rlx(&c->read), e)) ||
        race_covers(a64_load_rlx(&c->write), e))
        return;
    race_access(g, off >> 3, e, false, pc, fp);
}

static RT_ALWAYS_INLINE void
race_write(struct race_g *g, const void *p, unsigned size, const void *pc,
    const void *fp)
{
    uint64_t off = (uintptr_t)p - g->lo;

    if (off >= g->span)
        return;
    uint64_t e = g->epoch | ((UINT64_C(1) << size) - 1) << (off & 7);
    struct race_cell *c = &g->cells[off >> 3];
    /* A read since then, by anybody else, may race with this. */
    if (rt_likely(race_covers(a64_load_rlx(&c->write), e)) &&
        race_is_now(a64_load_rlx(&c->read), e))
        return;
    race_access(g, off >> 3, e, true, pc, fp);
}

/* The same for any number of bytes. */
void race_read_range(struct race_g *g, const void *p, uint64_t n,
    const void *pc, const void *fp);
void race_write_range(struct race_g *g, const void *p, uint64_t n,
    const void *pc, const void *fp);

/*
 * Whether others may have to do with what the goroutine is about to read, or
 * write, so that it matters who comes first: an access to it is known, and it
 * is not one after which the goroutine's own adds nothing.  False for memory
 * that nobody has accessed: what is seen of it later does not depend on who
 * was the first.
 */
bool race_read_shared(const struct race_g *g, const void *p, uint64_t n);
bool race_write_shared(const struct race_g *g, const void *p, uint64_t n);

/* ---- synchronisation ---------------------------------------------------------- */

/* g learns what has been released into the object at p. */
void race_acquire(struct race_g *g, const void *p);
/* The object holds what g knows, and nothing else. */
void race_release(struct race_g *g, const void *p);
/*
 * The same of a lock that one goroutine has at a time: it has taken the one at
 * p, or is about to give it back.  Who takes again what it gave back before,
 * with nobody else in between, has told nobody anything: nothing is new to it.
 */
void race_lock(struct race_g *g, const void *p);
void race_unlock(struct race_g *g, const void *p);
/* The object holds what g knows in addition. */
void race_merge(struct race_g *g, const void *p);
/* g learns what is in the object, which holds what g knew before. */
void race_swap(struct race_g *g, const void *p);
/* The object at `to` holds in addition what that at `from` does. */
void race_pass(struct race *r, const void *from, const void *to);
/* Two goroutines meet: each learns what the other knows. */
void race_meet(struct race_g *g, struct race_g *other);

/*
 * An atomic operation on size bytes at p and the order that it makes are one
 * step: between begin and end no other atomic operation happens there.  Nothing
 * may park or allocate in between.  end says what it was: a compare-and-swap
 * that fails is a load.
 */
enum race_atomic { RACE_LOAD, RACE_STORE, RACE_RMW };
void race_atomic_begin(struct race_g *g, const void *p);
void race_atomic_end(struct race_g *g, const void *p, unsigned size,
    enum race_atomic what, const void *pc, const void *fp);

/* An atomic write, as far as races are concerned, that makes no order. */
void race_touch(struct race_g *g, const void *p, unsigned size,
    const void *pc, const void *fp);

/* World stopped, at the end of a mark: everything that goroutines have done so
 * far happens before what finalizers and cleanups do from then on. */
void race_mark_ended_stw(struct race *r);
/* g is about to call finalizers and cleanups. */
void race_acquire_mark(struct race_g *g);

/* ---- memory ------------------------------------------------------------------- */

/* The n bytes at p are handed out anew: forgets what was there.  p and n are
 * multiples of 8. */
void race_clear(struct race *r, const void *p, uint64_t n);

#endif
