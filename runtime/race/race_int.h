/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_RACE_RACE_INT_H
#define RUNTIME_RACE_RACE_INT_H

/*
 * The inside of the race detector; only runtime/race includes this.
 *
 * Locks, in the order in which they are taken: RACE_SYNC (one of many, by the
 * address of the object), RACE_CELL (one of many, by the cell), RACE_SLOT,
 * RACE_STACK, RACE_LIST, RACE_MEM.  RACE_REPORT is taken with none of these
 * held, since reports ask the host.
 *
 * Where memory is out: a lost order of events would make false reports, so
 * for vectors and objects the process ends; histories and stacks are left out
 * and that is counted.
 */

#include "runtime/base/lock.h"
#include "runtime/base/osmem.h"
#include "runtime/base/throw.h"
#include "runtime/base/tunables.h"
#include "runtime/race/race.h"
#include "runtime/race/vec.h"

enum {
    RACE_SLOTS = 1 << 15,      /* epochs have 15 bits for them */
    RACE_SLOTS_FIRST = 1024,   /* before dead ones are taken at a guess */
    RACE_OWNERS = 1 << 16,     /* goroutines that are remembered */
    RACE_SYNC_LOCKS = 64,
    RACE_CELL_LOCKS = 1024,
    RACE_CHUNK_SHIFT = 6,      /* objects are found by pieces of 64 bytes */
    RACE_PAGE_SHIFT = 12,      /* whether cells know anything, by so many bytes */
    RACE_LIST_MAX = 128,       /* accesses in a list */
    RACE_NODES = 1 << 26,      /* of all lists */
    RACE_FRAMES = 32,          /* of a stack */
    RACE_TEXT = 48 << 10,      /* bytes of a report */
    RACE_SEEN = 1 << 12,       /* pairs of places that have been reported */
    RACE_TOUCHED = 512         /* pages whose cells race_again() clears */
};

/* What cells of a page of memory know. */
enum race_page {
    PAGE_NEW = 0, /* nothing yet */
    PAGE_KNOWS,   /* perhaps something */
    PAGE_FORGOT   /* nothing any more */
};

/* Of what race_unlock() has released, which one goroutine has at a time: beside
 * its epoch then, whose mask's bits are free for it.  0: somebody may have
 * learnt it; of all else, too. */
enum race_heard {
    RACE_UNHEARD = 1,   /* nobody has */
    RACE_TAKEN_BACK = 2 /* who released it has it again: it tells nothing */
};

/* Its memory stays that of an object, as goroutines remember where it is:
 * `heard` is all that they look at without a lock. */
struct race_object {
    struct race_object *next; /* in its piece of memory, or of the unused */
    struct race_object *other; /* of all that there are */
    uintptr_t addr;
    struct race_vec vec;
    struct race_vec merged; /* race_vec_merge()'s */
    /* Where vec is what one goroutine knew when it released it, and nothing
     * else: its epoch then, and its `learnt`; else 0. */
    uint64_t epoch;
    uint64_t learnt;
    /* Atomic.  Who released it makes one state of the other without a lock, all
     * else happens with the object's. */
    a_u64 heard;
};

/* Who has had a slot, from a clock on until the next one. */
struct race_owner {
    uint64_t goid;
    uint32_t slot;
    uint32_t first; /* clock */
    uint32_t stack; /* of the go statement */
    uint32_t before; /* number of the one before in the same slot; 0: none */
    bool root;      /* it had no parent */
};

struct race_slot_info {
    uint32_t owner;     /* number of the last owner, from 1 on */
    uint16_t prev, next; /* list of the dead, oldest first; 0: none */
    bool lives;         /* else it is dead, or was never used */
};

/* Of a slot whose goroutine has ended; apart, since who writes it is not who
 * makes others meanwhile. */
struct race_last {
    uint32_t clock;
    uint32_t before; /* the slot whose goroutine ended before; 0: none */
};

_Static_assert(RACE_SLOTS <= UINT16_MAX + 1, "slots in 16 bits");

/* A piece of a list of accesses; e 0: no entry.  One cache line. */
enum { RACE_NODE = 5 };

struct race_node {
    uint64_t e[RACE_NODE];
    uint32_t stack[RACE_NODE];
    uint32_t next; /* 0: none */
};

_Static_assert(sizeof(struct race_node) == 64, "a cache line");

/* Stacks by number: a tree of frames. */
struct race_stacks {
    struct rt_lock lock; /* RACE_STACK */
    a_u32 *buckets;      /* atomic; number of the first one */
    struct race_stack *recs;
    /* guarded by lock */
    uint32_t n;    /* recs[0] is not used */
    a_u32 full;    /* atomic: from now on they are cut */
};

/* The innermost frame of a stack. */
enum { RACE_INNER = 8 };

struct race_stack {
    vpc pc;         /* const */
    uint32_t outer; /* const: the stack without it; 0: none */
    uint32_t next;  /* const: in its bucket */
    a_u32 inner[RACE_INNER]; /* atomic: some with a frame more, by its pc */
};

struct race_padded_lock {
    _Alignas(RT_CACHE_LINE) struct rt_lock lock;
};

/* One access, as a report tells it. */
struct race_told {
    uint64_t e;
    uint32_t stack;
    bool write;
};

struct race {
    /* const after race_attach() */
    struct race_config cfg;
    struct rt_os os;
    const struct race_host *host;
    void *host_arg;

    struct race_cell *cells; /* one for 8 bytes from cfg.lo on */
    struct race_where *where; /* by cell */
    a_bool8 *known; /* atomic, by page: enum race_page */
    a_u32 ntouched; /* atomic: pages that are not as they were at first; where
                       there are more than RACE_TOUCHED, more */
    uint32_t touched[RACE_TOUCHED]; /* each entry is one thread's */
    a_ptr *pieces; /* objects by piece of memory, and one list for those that
                      are elsewhere; each guarded by one of sync_locks */
    struct race_g *gs; /* by slot, as are the next two; 0 is not used */
    struct race_last *last; /* an entry is the goroutine's; of who does not live
                               it is guarded by slot_lock, as all of the next: */
    struct race_slot_info *slots;
    struct race_owner *owners; /* a ring, by number */
    a_u32 shared;  /* there has been more than one goroutine, or may be one that
                      is nobody's child: cells may know something */
    struct race_padded_lock sync_locks[RACE_SYNC_LOCKS]; /* RACE_SYNC */
    struct race_padded_lock cell_locks[RACE_CELL_LOCKS]; /* RACE_CELL */

    struct race_stacks stacks;

    _Alignas(RT_CACHE_LINE) a_u32 ended; /* atomic: a list of the slots of
                    goroutines that have ended and are not dead yet, the last
                    one first; 0: none; taken whole, with slot_lock */
    _Alignas(RT_CACHE_LINE) struct rt_lock slot_lock; /* RACE_SLOT */
    /* guarded by slot_lock */
    uint32_t nslots;
    uint32_t first_dead, last_dead; /* slots; 0: none */
    uint32_t ndead;
    uint32_t nowners;

    struct rt_lock list_lock; /* RACE_LIST */
    /* guarded by list_lock */
    struct race_node *nodes; /* 0 is not used */
    uint32_t nnodes;
    uint32_t free_node;
    a_u64 dropped; /* atomic: accesses left out of histories */

    struct race_mem mem; /* of vectors and objects */
    struct race_object *unused; /* guarded by mem.lock, as is the next: */
    struct race_object *objects; /* all, a list by `other` */

    /* What finalizers are ordered after; written in STW. */
    struct race_vec mark;

    struct rt_lock report_lock; /* RACE_REPORT */
    /* guarded by report_lock */
    uint64_t seen[RACE_SEEN];
    char *text;
    size_t ntext;
    int fd; /* of the report; -1: not open */
    a_u32 errors; /* atomic */
};

/* ---- clock.c ---- */
/* The vector gets the clock of the present time, of which nobody has been told,
 * since it is used. */
void race_use(struct race_g *g);
/* Others have been told what g's vector knows: what g does from now on is
 * later. */
void race_tick(struct race_g *g);
/* Undoes the last one: nobody has heard of what was told, and the present time
 * has not been used. */
void race_untick(struct race_g *g);
/* The time whose clock g's vector has: others who know it know all that g has
 * done until then. */
static inline uint64_t
race_known_time(const struct race_g *g)
{
    return g->used ? g->epoch : g->epoch - race_epoch(0, 1);
}
/* Whether an access of that epoch happens before what g does now. */
static inline bool
race_before(const struct race_g *g, uint64_t e)
{
    return race_clock(e) <= race_vec_at(&g->vec, race_slot(e));
}
/* Who did the access; false: forgotten.  *done: it has ended since. */
bool race_owner_of(struct race *r, uint64_t e, struct race_owner *out,
    bool *done);
/* For race_valid(): slots, goroutines and the list of the dead agree. */
bool race_slots_valid(const struct race *r);
/* For race_again(), as those below: there has been no goroutine. */
void race_slots_reset(struct race *r);

/* ---- object.c ---- */
/* Forgets those in n bytes at addr. */
void race_objects_clear(struct race *r, uintptr_t addr, uint64_t n);
bool race_objects_valid(const struct race *r);
void race_objects_reset(struct race *r);

/* ---- cell.c ---- */
void race_cells_reset(struct race *r);

/* ---- list.c ---- */
/* Stands for a word of a cell that whoever has its lock is changing: nobody's
 * access, so that what looks at it without the lock waits for that. */
#define RACE_BUSY ((uint64_t)RACE_NO_SLOT << 9)
static inline bool
race_is_list(uint64_t e)
{
    return race_slot(e) == RACE_NO_SLOT;
}
/* Adds an access to what a cell knows. */
void race_list_add(struct race *r, a_u64 *word, a_u32 *stack, uint64_t e,
    uint32_t at);
/* Takes from it the bytes of e, of accesses that `drop` names. */
enum race_drop {
    RACE_DROP_BEFORE, /* those that happen before what g does now; of plain
                         ones only where e is plain */
    RACE_DROP_ALL
};
void race_list_drop(struct race_g *g, a_u64 *word, a_u32 *stack, uint64_t e,
    enum race_drop drop);
/* Calls fn for each access. */
void race_list_each(struct race *r, uint64_t word, uint32_t stack,
    void (*fn)(void *arg, uint64_t e, uint32_t stack), void *arg);
/* The nodes of a list that is forgotten. */
void race_list_free(struct race *r, uint64_t word);

/* ---- stack.c ---- */
enum rt_status race_stacks_init(struct race *r);
void race_stacks_fini(struct race *r);
void race_stacks_reset(struct race *r);
/* The number of the stack on which g is; 0: unknown. */
uint32_t race_stack_here(struct race_g *g, const void *pc, const void *fp);
/* The pcs of a number, innermost first; how many they are, at most n. */
uint32_t race_stack_pcs(
    const struct race *r, uint32_t id, vpc *pcs, uint32_t n);
/* The innermost one; 0: unknown. */
static inline vpc
race_stack_pc(const struct race *r, uint32_t id)
{
    return r->stacks.recs[id].pc;
}

/* ---- report.c ---- */
/* g, now at one access to memory at addr, races with an earlier one. */
void race_report(struct race_g *g, uintptr_t addr,
    const struct race_told *now, const struct race_told *before);

#endif
