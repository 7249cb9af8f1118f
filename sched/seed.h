/* SPDX-License-Identifier: MIT */
#ifndef SCHED_SEED_H
#define SCHED_SEED_H

/*
 * Schedules at will: a run of a program in which one goroutine runs at a time
 * and a plan says who goes on at each point where that could matter.  The
 * same plan gives the same execution, whatever the machine does.
 *
 * Points lie in front of instructions (runtime/vm/points.c): channel
 * operations, go statements, what packages sync and atomic do, and where races
 * are looked for accesses to memory that others have to do with.  At each of
 * them, and whenever the goroutine that runs blocks or ends, there is a
 * decision: the candidates stand in a fixed order, and a strategy picks one by
 * its rank.  Rank 0 is what a scheduler without preemption does: stay, and if
 * nobody runs take the one that has waited longest.  So an execution is the
 * list of its ranks that are not 0, its deviations; these are what is
 * recorded, replayed, shrunk and enumerated.
 *
 * The clock is virtual: it moves by a little at each point and reading, and
 * jumps to the next timer when nobody can run.
 *
 * Strategies: a random walk; PCT (Burckhardt et al., ASPLOS 2010), which runs
 * the goroutine of the highest priority, drawn at birth, and lowers that of
 * whoever runs at depth - 1 drawn steps; POS (Yuan et al., CAV 2018), which
 * draws a priority for each step; and a script of deviations.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/err.h"

struct sched_g;
struct sched_m;
struct seed;

enum seed_kind { SEED_RANDOM, SEED_PCT, SEED_POS, SEED_SCRIPT };

/* At decision number `at`, counted from 0, the candidate of this rank. */
struct seed_dev {
    uint32_t at;
    uint32_t rank;
};

enum {
    SEED_MAX_DEPTH = 16,
    SEED_MAX_RANK = (1 << 14) - 1,
    SEED_BUDGET = 200000 /* where rules say nothing */
};

/* What determines an execution, beside the program and its input. */
struct seed_plan {
    uint64_t seed;
    enum seed_kind kind;
    uint32_t depth; /* PCT: d, 1 to SEED_MAX_DEPTH */
    uint32_t steps; /* PCT: among so many the priorities change */
    bool early;     /* timers may come early: the clock is a candidate */
    bool closed;    /* as in the rules, whatever they say */
    const struct seed_dev *devs; /* SEED_SCRIPT: ascending by `at` */
    uint32_t ndevs;
};

/* How an execution came to its end. */
enum seed_end {
    SEED_END_NORMAL,   /* by itself: status 0, or any with os.Exit */
    SEED_END_PANIC,    /* panic or fatal error, as the program's text says */
    SEED_END_DEADLOCK, /* all goroutines are asleep */
    SEED_END_PARTIAL,  /* some can never go on */
    SEED_END_STUCK,    /* by itself with status 0, and some wait for locks that
                          nobody can give back */
    SEED_END_LEAK,     /* main has ended, others wait for ever */
    SEED_END_LIVELOCK, /* no end within the budget of points */
    SEED_NENDS
};

/* "deadlock", "partial deadlock" ... */
const char *seed_end_text(enum seed_end e);

/* What a decision was about. */
enum seed_what {
    SEED_WHO,    /* a goroutine stands at a point */
    SEED_NEXT,   /* nobody runs: who is next */
    SEED_CASE    /* which of the ready cases a select takes */
};

/* A decision, as it was taken. */
struct seed_rec {
    uint32_t step;    /* points before it */
    uint16_t ncand;
    uint16_t rank : 14;
    uint16_t what : 2;
};

/* What somebody who watches an execution is told, on the thread that runs it. */
struct seed_watch {
    void *arg;
    /* g is about to do what stands at its point. */
    void (*point)(void *arg, struct sched_g *g);
    /* next goes on; prev ran before it and stands still, NULL: it has ended,
     * or there was none.  rec: next was chosen by this decision, NULL: there
     * was no choice. */
    void (*turn)(void *arg, struct sched_g *prev, struct sched_g *next,
        const struct seed_rec *rec);
    /* The clock jumps to the next timer, although goroutines can run. */
    void (*early)(void *arg);
    /* The execution has come to this end, which has been printed, with the
     * process's status; all goroutines stand still. */
    void (*end)(void *arg, enum seed_end e, int status);
};

/* Limits and habits that are the same for all executions of a program. */
struct seed_rules {
    uint64_t budget;  /* points after which it is given up, ten accesses
                         counting as one; 0 = SEED_BUDGET */
    bool real_clock;  /* time is the machine's; then it is not repeatable */
    bool partial;     /* goroutines that can never go on end the program at
                         once, although others can; those that wait for locks
                         are looked for at its end, too */
    bool leaks;       /* so does what is left behind when main has ended */
    bool closed;      /* nobody from outside calls: where all wait, and some of
                         them for connections to listeners or for packets, that
                         is a deadlock */
    uint8_t *ports;   /* NULL, or borrowed: memory of 65,536 bytes that is shared
                         with other processes which run such programs at the
                         same time, zeros at first; that of a port which one of
                         them has been given is not zero */
    const struct seed_watch *watch; /* borrowed; or NULL */
};

/* What is known of an execution that has ended. */
struct seed_result {
    enum seed_end end;
    int status;         /* of the process */
    uint64_t steps;
    uint64_t used;      /* of the budget */
    uint64_t switches;  /* of goroutines that could have gone on */
    uint64_t now;       /* ns of virtual time */
    uint64_t early;     /* ns: by how much a timer came too early, at the most */
    uint64_t hash;      /* of all that was decided and where: equal for equal
                           executions only, by all probability */
    uint64_t failure;   /* of the failure: its kind and the functions in which
                           goroutines stand; 0: none */
    bool closed;        /* it would have waited for somebody from outside, if such
                           were expected */
    /* Of it has been told, which is the business of whoever runs it: */
    bool races;
    bool orders; /* of locks, that can deadlock */
    const struct seed_rec *recs; /* the seed's, until it begins again */
    uint32_t nrecs;
};

/* A seed outlives the schedulers that run by it, one after the other, and
 * keeps its memory from one to the next.  NULL where memory is out. */
struct seed *seed_new(void);
void seed_free(struct seed *d);

/* Sets what the next execution shall be; plan->devs is borrowed until it has
 * ended.  No scheduler uses d. */
void seed_begin(struct seed *d, const struct seed_plan *plan,
    const struct seed_rules *rules);

/* After sched_run(). */
void seed_result(const struct seed *d, struct seed_result *out);

/* The virtual time, for whoever wants to read it often: it lives as long as
 * the seed; or NULL if the clock is real. */
const uint64_t *seed_clock(const struct seed *d);

/* A number of the stream of data, or of the machine where s, NULL or without
 * a seed, leaves it to chance.  For what a program sees: map orders, seeds of
 * generators, temporary names. */
struct sched;
uint64_t sched_entropy(struct sched *s);

/* What a goroutine is about to do at a point. */
enum seed_at {
    SEED_AT_OP,     /* an operation that others may notice */
    SEED_AT_LOOP,   /* it has gone round loops for long without another point */
    SEED_AT_ACCESS  /* it reads or writes memory */
};

/* Before that; `where` is the host's number for the place in the program.
 * True: the goroutine yields first, and its instruction is asked about once
 * more, in vain, when it runs again.  Only with a seed. */
bool seed_point(struct sched_m *m, uint64_t where, enum seed_at at);

/* Before an operation that may wait for a descriptor: for something to read,
 * for room to write, or for events of an epoll descriptor.  True: it would wait,
 * for another goroutine or for another process; so the goroutine yields, and
 * comes back to the same instruction when there is something.  The standard
 * input, output and errors are waited for in the operation itself.  Only with a
 * seed. */
enum seed_fd { SEED_FD_READ, SEED_FD_WRITE, SEED_FD_EVENTS };
bool seed_wait_fd(struct sched_m *m, int fd, enum seed_fd how);
/* The same before poll() of n descriptors, without an end to its waiting; v stays
 * where it is until the goroutine comes back. */
struct pollfd;
bool seed_wait_poll(struct sched_m *m, const struct pollfd *v, size_t n);
/* The same before one that waits for the end of a process, known by its number or
 * by a descriptor. */
bool seed_wait_process(struct sched_m *m, int pid, bool pidfd);
/* How much of n bytes can be written after that without waiting: all of them,
 * but for a pipe. */
size_t seed_fd_room(int fd, size_t n);

/* ---- plans as text (seed_text.c) ------------------------------------------ */

/*
 *     7               a random walk with seed 7; so is 7.random
 *     7.pos           partial order sampling
 *     7.pct3x200      PCT, depth 3, 200 steps
 *     7.early         with timers that may come early; after the strategy
 *     7.closed        nobody from outside calls; after those
 *     7@12:1,40:2     candidate 1 at decision 12, 2 at 40, 0 at all others
 *     7@              0 at all
 */
/* Parses; *devs is allocated and the caller's, to be freed, or NULL. */
enum rt_status seed_parse(const char *text, struct seed_plan *out,
    struct seed_dev **devs, struct rt_err *err);

/* The text, cut to n bytes; returns its whole length. */
size_t seed_print(const struct seed_plan *p, char *buf, size_t n);

#endif
