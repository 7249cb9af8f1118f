/* SPDX-License-Identifier: MIT */
#ifndef SCHED_SEED_INT_H
#define SCHED_SEED_INT_H

/*
 * What seed.c, strategy.c and seed_end.c share.  All of it belongs to the only
 * M of the scheduler that runs by the seed; the clock is read by others too.
 */

#include "runtime/base/streams.h"
#include "sched/sched_int.h"
#include "sched/seed.h"

enum {
    SEED_POINT_NS = 20,      /* what a point costs */
    SEED_READ_NS = 10,       /* what it costs to read the clock */
    SEED_LOOP_NS = 20000,    /* and 10,000 rounds of a loop */
    SEED_ACCESS_NS = 2,      /* and an access to memory */
    SEED_EARLY = 20,         /* 1 in so many decisions is the clock's */

    /* What limits are counted in: accesses are many, and say little about how
     * far a program has come. */
    SEED_ACCESS = 1,         /* an access */
    SEED_POINT = 10,         /* any other point */
    SEED_ALONE = 2000 * SEED_POINT,    /* whoever runs comes last */
    SEED_PATIENCE = 4000 * SEED_POINT, /* timers come, though others can run: */
    SEED_PATIENCE_MOST = 10, /* so much for each second that they are away, up
                                to this many */
    SEED_END_POINTS = 20000 * SEED_POINT /* after main has ended */
};

/* No timer comes earlier than that: a machine is not busy for longer. */
#define SEED_EARLY_NS UINT64_C(1000000000)
#define SEED_END_NS UINT64_C(2000000000)   /* likewise */
#define SEED_START_NS UINT64_C(1000000000) /* the clock at the beginning */

/* The priorities of PCT: those drawn at birth are above those of the points
 * of change, and these above those of who has run alone for too long. */
#define SEED_PRIO_DRAWN (UINT64_C(1) << 63)
#define SEED_PRIO_CHANGE (UINT64_C(1) << 50)
#define SEED_PRIO_LOW (UINT64_C(1) << 40)

/* So many in ready are candidates at most: with the goroutine that stands at a
 * point and the clock a rank has room for them. */
enum { SEED_MOST_READY = SEED_MAX_RANK - 2 };

#define SEED_UNKNOWN UINT32_MAX

/* Goroutines that can run, in the order in which they became ready. */
struct seed_queue {
    struct sched_g **v;
    uint32_t n, cap;
};

struct seed {
    /* const while an execution lasts */
    struct seed_plan plan;
    struct seed_rules rules;

    struct rt_rand pick, select, data;
    uint64_t now;         /* ns */
    uint64_t steps;       /* points so far */
    uint64_t switches;
    uint64_t used;        /* of the budget, in units as all below */
    uint64_t alone;       /* since another goroutine ran */
    uint64_t since_timer; /* since timers fired */
    uint64_t change[SEED_MAX_DEPTH]; /* PCT: steps at which the priority of
                                        who runs falls */
    uint64_t lowest;      /* PCT: the lowest priority given so far */
    struct seed_queue ready, native;
    uint64_t *prios; /* of those in ready, beside ready.v, so that a thousand can be
                        looked through fast */
    uint32_t best;   /* of the candidates in ready the first of the highest
                        priority; SEED_UNKNOWN */
    struct seed_queue fds;  /* can run when a descriptor is ready */
    uint32_t noutside;      /* of them wait for what comes from outside */
    uint64_t looked;        /* what was used when that was last looked for */
    struct sched_g *chosen; /* runs next; in no queue */
    struct sched_g *last;   /* ran before; perhaps another by now */
    uint64_t last_id;
    uint32_t chosen_by;     /* number of the decision, and 1; 0: none */
    bool tick;            /* the clock was chosen */
    uint64_t early;       /* ns: by how much a timer came too early, at most */
    bool over;            /* the budget is used up */
    bool main_done;
    uint64_t main_end;    /* when it was done */
    uint64_t end_used;    /* what was used then */
    uint64_t looks;       /* times that nobody could run but for timers, or
                             for others */
    uint64_t looked_hash; /* the hash when that was counted last */
    uint32_t next_dev;    /* first of the script that is still to come */
    uint64_t hash;
    bool closed;          /* nobody from outside is expected */
    bool closed_end;      /* and that has made the end what it is */

    struct seed_rec *recs;
    uint32_t nrecs, cap_recs;

    enum seed_end end;
    int status;
    uint64_t failure;
};

/* The candidates of a decision, by rank: the goroutine that stands at a point,
 * if there is one (or after the others, when it has run alone for long), those
 * that are ready, and the clock. */
struct seed_cands {
    const struct sched_g *cur; /* or NULL */
    bool cur_last;
    bool clock;
    uint32_t n;
};

static inline uint32_t
seed_rank_of_cur(const struct seed_cands *c)
{
    return c->cur_last ? c->n - 1 - c->clock : 0;
}

/* The rank of ready.v[i], and back. */
static inline uint32_t
seed_rank_of(const struct seed_cands *c, uint32_t i)
{
    return i + (c->cur != NULL && !c->cur_last);
}

static inline uint32_t
seed_index_of(const struct seed_cands *c, uint32_t rank)
{
    return rank - (c->cur != NULL && !c->cur_last);
}

static inline void
seed_mix(struct seed *d, uint64_t x)
{
    d->hash = rt_hash_mix(d->hash ^ x, RT_HASH_K1) + RT_HASH_K0;
}

/* seed.c */
/* ready.v[i] leaves the queue; those behind it move up. */
struct sched_g *seed_take_ready(struct seed *d, uint32_t i);

/* strategy.c */
void strategy_begin(struct seed *d);
/* A goroutine that has just been born, or is at a point. */
void strategy_born(struct seed *d, struct sched_g *g);
void strategy_step(struct seed *d, struct sched_g *g);
/* The rank that the strategy takes, below c->n. */
uint32_t strategy_pick(struct seed *d, const struct seed_cands *c);
/* The same among n cases of a select that are ready. */
uint32_t strategy_case(struct seed *d, uint32_t n);

/* Whether g waits for what comes from outside. */
static inline bool
seed_is_outside(const struct sched_g *g)
{
    return g->seed.waits >= SEED_WAIT_OUTSIDE;
}

/* seed_fd.c */
/* Those whose descriptors are ready, by what others of this process do or by the
 * kernel's sockets, can run.  True: there are some. */
bool seed_check_fds(struct sched *s);
/* Nobody can run: the same, and of those who wait for what comes from outside
 * one can run, too.  Waits for that so many milliseconds of the machine's time. */
bool seed_await_fds(struct sched *s, int ms);
/* Somebody waits for a descriptor that nobody of this process need be behind:
 * a socket.  Where nobody from outside is expected to call, whoever waits for
 * calls does not count. */
bool seed_awaits_io(struct sched *s);
/* Whether g waits for calls: at a listener, or for packets. */
bool seed_awaits_calls(struct sched *s, const struct sched_g *g);

/* seed_end.c */
/* Nobody can run, and nothing is due.  True: the clock has moved; false: that
 * was the end. */
bool seed_idle(struct sched_mi *m);
/* The budget is used up: the end. */
void seed_give_up(struct sched_mi *m);

#endif
