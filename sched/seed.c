/* SPDX-License-Identifier: MIT */
/*
 * A scheduler that runs by a seed: points, decisions, the virtual clock, and
 * where the next goroutine comes from.  It has one P and one M, which is the
 * thread of sched_run(); nothing is ever waited for but by goroutines, so that
 * "nobody can run" is exact.  Native goroutines (the sweeper and its like) run
 * first whenever they can and take no part in decisions.
 */
#include "sched/seed_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "runtime/base/clock.h"
#include "runtime/base/hash.h"

enum { OVERDUE_MS = 100 };

/* ---- life ----------------------------------------------------------------- */

struct seed *
seed_new(void)
{
    return calloc(1, sizeof(struct seed));
}

void
seed_free(struct seed *d)
{
    if (d == NULL)
        return;
    free(d->ready.v);
    free(d->prios);
    free(d->native.v);
    free(d->fds.v);
    free(d->recs);
    free(d);
}

void
seed_begin(struct seed *d, const struct seed_plan *plan,
    const struct seed_rules *rules)
{
    struct seed old = *d;

    rt_assert(plan->kind != SEED_PCT ||
        (plan->depth >= 1 && plan->depth <= SEED_MAX_DEPTH));
    *d = (struct seed){
        .plan = *plan,
        .rules = *rules,
        .ready = {old.ready.v, 0, old.ready.cap},
        .prios = old.prios,
        .best = SEED_UNKNOWN,
        .native = {old.native.v, 0, old.native.cap},
        .fds = {old.fds.v, 0, old.fds.cap},
        .recs = old.recs,
        .cap_recs = old.cap_recs,
        .now = SEED_START_NS,
    };
    if (d->rules.budget == 0)
        d->rules.budget = SEED_BUDGET;
    d->closed = plan->closed || rules->closed;
    rt_stream_init(&d->select, plan->seed, RT_STREAM_SELECT);
    rt_stream_init(&d->data, plan->seed, RT_STREAM_DATA);
    strategy_begin(d);
}

void
seed_result(const struct seed *d, struct seed_result *out)
{
    *out = (struct seed_result){
        .end = d->end,
        .status = d->status,
        .steps = d->steps,
        .used = d->used / SEED_POINT,
        .switches = d->switches,
        .now = d->now,
        .early = d->early,
        .hash = d->hash,
        .failure = d->failure,
        .closed = d->closed_end,
        .recs = d->recs,
        .nrecs = d->nrecs,
    };
}

/* ---- clock and chance ------------------------------------------------------ */

const uint64_t *
seed_clock(const struct seed *d)
{
    return d->rules.real_clock ? NULL : &d->now;
}

uint64_t
seed_now(const struct seed *d)
{
    return d->rules.real_clock ? (uint64_t)rt_nanotime() : d->now;
}

uint32_t
sched_cpus(const struct sched *s)
{
    enum { TOLD = 8 };

    return s->seed != NULL ? TOLD : sched_num_cpu();
}

bool
sched_by_seed(const struct sched *s)
{
    return s->seed != NULL;
}

uint64_t
sched_read_clock(struct sched *s)
{
    if (s->seed != NULL)
        s->seed->now += SEED_READ_NS;
    return sched_now(s);
}

int64_t
sched_walltime(struct sched *s)
{
    /* Midnight of the first day of 2000, UTC. */
    const int64_t epoch = INT64_C(946684800) * 1000000000;

    if (s->seed == NULL || s->seed->rules.real_clock)
        return rt_walltime();
    return epoch + (int64_t)(s->seed->now - SEED_START_NS);
}

uint64_t
sched_entropy(struct sched *s)
{
    uint64_t u;

    if (s != NULL && s->seed != NULL)
        return rt_rand_u64(&s->seed->data);
    if (getrandom(&u, sizeof u, GRND_NONBLOCK) != (ssize_t)sizeof u)
        u = rt_hash_mix((uint64_t)rt_nanotime() ^ (uintptr_t)s, RT_HASH_K0);
    return u;
}

/* ---- who can run -------------------------------------------------------------- */

static bool
reserve(struct seed_queue *q, uint32_t n)
{
    struct sched_g **v;

    if (n <= q->cap)
        return true;
    v = realloc(q->v, n * sizeof *v);
    if (v == NULL)
        return false;
    q->v = v;
    q->cap = n;
    return true;
}

static bool
reserve_ready(struct seed *d, uint32_t n)
{
    uint64_t *prios;

    if (n <= d->ready.cap)
        return true;
    prios = realloc(d->prios, n * sizeof *prios);
    if (prios == NULL)
        return false;
    d->prios = prios;
    return reserve(&d->ready, n);
}

bool
seed_reserve(struct seed *d, uint32_t n)
{
    return reserve_ready(d, n) && reserve(&d->native, n) &&
        reserve(&d->fds, n);
}

void
seed_put(struct seed *d, struct sched_g *g)
{
    struct seed_queue *q = g->native != NULL ? &d->native
        : g->seed.waits != SEED_WAIT_NOT ? &d->fds : &d->ready;
    uint32_t i = q->n;

    rt_assert(i < q->cap); /* seed_reserve() */
    q->v[q->n++] = g;
    if (q != &d->ready)
        return;
    d->prios[i] = g->seed.prio;
    if (d->best != SEED_UNKNOWN && i < SEED_MOST_READY &&
        d->prios[i] > d->prios[d->best])
        d->best = i;
}

void
seed_again(struct seed *d, struct sched_g *g)
{
    rt_assert(d->chosen == NULL && g->seed.waits == SEED_WAIT_NOT);
    d->chosen = g;
}

bool
seed_waiting(const struct seed *d)
{
    return d->ready.n > 0 || d->native.n > 0;
}

void
seed_born(struct seed *d, struct sched_g *g)
{
    g->seed = (struct seed_g){0};
    strategy_born(d, g);
}

static struct sched_g *
queue_take(struct seed_queue *q, uint32_t i)
{
    struct sched_g *g = q->v[i];

    rt_assert(i < q->n);
    memmove(q->v + i, q->v + i + 1, (q->n - i - 1) * sizeof *q->v);
    q->n--;
    return g;
}

struct sched_g *
seed_take_ready(struct seed *d, uint32_t i)
{
    struct sched_g *g = queue_take(&d->ready, i);
    uint32_t n = d->ready.n, last = SEED_MOST_READY - 1;

    memmove(d->prios + i, d->prios + i + 1, (n - i) * sizeof *d->prios);
    if (d->best == SEED_UNKNOWN)
        return g;
    if (i == d->best) {
        d->best = SEED_UNKNOWN;
        return g;
    }
    d->best -= i < d->best;
    /* One more has become a candidate. */
    if (n > last && d->prios[last] > d->prios[d->best])
        d->best = last;
    return g;
}

/* ---- decisions ----------------------------------------------------------------- */

static void
record(struct seed *d, enum seed_what what, uint32_t ncand, uint32_t rank)
{
    if (d->nrecs == d->cap_recs) {
        uint32_t cap = d->cap_recs ? 2 * d->cap_recs : 1024;
        struct seed_rec *v = realloc(d->recs, cap * sizeof *v);

        if (v == NULL)
            rt_no_memory();
        d->recs = v;
        d->cap_recs = cap;
    }
    d->recs[d->nrecs++] = (struct seed_rec){
        .step = (uint32_t)d->steps,
        .ncand = (uint16_t)ncand,
        .rank = (uint16_t)rank,
        .what = (uint16_t)what,
    };
}

/*
 * Who goes on: cur stands at a point, NULL: nobody runs.  The goroutine is
 * taken off the queue; NULL: cur stays, or d->tick says that it is the clock's
 * turn.  There is a candidate.
 */
static struct sched_g *
decide(struct seed *d, struct sched_g *cur, bool clock)
{
    struct seed_cands c = {cur, d->alone > SEED_ALONE, clock, 0};
    uint32_t n = d->ready.n, rank = 0;

    c.n = (n < SEED_MOST_READY ? n : SEED_MOST_READY) + (cur != NULL) + clock;
    rt_assert(c.n > 0);
    d->chosen_by = 0;
    if (c.n > 1) {
        rank = strategy_pick(d, &c);
        rt_assert(rank < c.n);
        record(d, cur != NULL ? SEED_WHO : SEED_NEXT, c.n, rank);
        d->chosen_by = d->nrecs;
    }
    if (clock && rank == c.n - 1) {
        d->tick = true;
        return NULL;
    }
    if (cur != NULL && rank == seed_rank_of_cur(&c))
        return NULL;
    return seed_take_ready(d, seed_index_of(&c, rank));
}

/* The case that rank 0 stands for: the first one, but when the program has gone
 * on for long another one each time. It may be waiting for one that is never
 * the first, and would have no end. */
static uint32_t
first_case(const struct seed *d, uint32_t n)
{
    return d->used > SEED_ALONE
        ? (uint32_t)(rt_hash_u64(d->steps, RT_HASH_K0) % n) : 0;
}

uint32_t
seed_case(struct seed *d, uint32_t n)
{
    uint32_t rank = 0, i = 0;

    if (n > SEED_MAX_RANK)
        n = SEED_MAX_RANK;
    if (n > 1) {
        rank = strategy_case(d, n);
        record(d, SEED_CASE, n, rank);
        i = (first_case(d, n) + rank) % n;
    }
    seed_mix(d, i);
    return i;
}

/* How long it is until a timer is due, in seconds, rounded down. */
static uint64_t
seconds_until(const struct seed *d, uint64_t next)
{
    uint64_t now = seed_now(d);

    return next > now ? (next - now) / SEED_EARLY_NS : 0;
}

/* May the clock be a candidate: a timer is armed, and due soon. */
static bool
clock_may(const struct seed *d, struct sched *s)
{
    uint64_t next;

    return d->plan.early && !d->rules.real_clock &&
        (next = timers_next_all(s)) != 0 && seconds_until(d, next) == 0;
}

/* Whether goroutines have gone on for so long that it is the turn of the first
 * timer, which is due at next, 0: there is none. Who waits for others only so
 * many seconds need not have done so when they would be done soon, but in a
 * loop that looks at the clock there must be an end. */
static bool
timer_must_come(const struct seed *d, uint64_t next)
{
    uint64_t n;

    if (next == 0 || d->since_timer <= SEED_PATIENCE)
        return false;
    n = 1 + seconds_until(d, next);
    if (n > SEED_PATIENCE_MOST)
        n = SEED_PATIENCE_MOST;
    return d->since_timer > n * SEED_PATIENCE;
}

/* The same at a point.  What has been done while no timer was armed has kept
 * none waiting. */
static bool
is_timer_late(struct seed *d, struct sched *s)
{
    uint64_t next;

    if (d->since_timer <= SEED_PATIENCE)
        return false;
    next = timers_next_all(s);
    if (next == 0)
        d->since_timer = 0;
    return timer_must_come(d, next);
}

/* The trace shows that g was stopped here although it could go on. */
static RT_NOINLINE void
mark(struct sched_m *m)
{
    struct seed *d = m->sched->seed;
    const struct seed_rec *rec = &d->recs[d->nrecs - 1];
    vpc pcs[TRACE_STACK_MAX];
    char text[80];
    int n = snprintf(text, sizeof text, "decision %u: candidate %u of %u",
        d->nrecs - 1, rec->rank, rec->ncand);

    trace_log(m->sched->trace, &m->p->trace, 0, "sched", 5, text, (size_t)n,
        pcs, trace_walk(m->sched->trace, pcs));
}

/* The goroutine does now what stands at its point. */
static bool
at_watched_point(struct seed *d, struct sched_g *g)
{
    if (d->rules.watch != NULL)
        d->rules.watch->point(d->rules.watch->arg, g);
    return false;
}

/* The goroutine has come to a point: what that costs. */
static void
count_point(struct seed *d, enum seed_at at)
{
    static const uint64_t ns[] = {
        [SEED_AT_OP] = SEED_POINT_NS,
        [SEED_AT_LOOP] = SEED_LOOP_NS,
        [SEED_AT_ACCESS] = SEED_ACCESS_NS,
    };
    uint64_t units = at == SEED_AT_ACCESS ? SEED_ACCESS : SEED_POINT;

    d->now += ns[at];
    d->steps++;
    d->used += units;
    d->since_timer += units;
    d->alone += units;
    d->over = d->used / SEED_POINT > d->rules.budget ||
        (d->main_done && d->used - d->end_used > SEED_END_POINTS);
}

/* Whether goroutines have gone on for so long that those who wait for what comes
 * from outside would never have their turn. */
static bool
waits_too_long(const struct seed *d)
{
    return d->noutside > 0 && d->used - d->looked > SEED_PATIENCE;
}

bool
seed_point(struct sched_m *m, uint64_t where, enum seed_at at)
{
    struct seed *d = m->sched->seed;
    struct sched_g *g = m->g;
    bool late;

    if (g->seed.passed) {
        g->seed.passed = false;
        return at_watched_point(d, g);
    }
    count_point(d, at);
    g->seed.at = where;
    seed_mix(d, where ^ g->id << 40);
    late = is_timer_late(d, m->sched) || waits_too_long(d);
    g->seed.passed = true; /* what stands behind it comes back here */
    if (d->over || late)
        return true;
    strategy_step(d, g);
    seed_check_fds(m->sched);
    if (d->ready.n > 0 || clock_may(d, m->sched))
        d->chosen = decide(d, g, clock_may(d, m->sched));
    if (d->chosen != NULL || d->tick) {
        d->switches += d->chosen != NULL;
        if (trace_on(m->sched->trace) && d->chosen_by != 0 &&
            d->recs[d->nrecs - 1].rank != 0)
            mark(m);
        return true;
    }
    g->seed.passed = false;
    return at_watched_point(d, g);
}

/* ---- what runs next ------------------------------------------------------------ */

/* Fires what is due, or at least the first where its time is to come now. */
static void
timers_turn(struct sched_mi *m, struct seed *d)
{
    uint64_t next = timers_next_all(m->m.sched);
    bool must = d->tick || timer_must_come(d, next);

    if (next == 0 || (next > seed_now(d) && !must))
        return;
    if (d->tick && d->rules.watch != NULL)
        d->rules.watch->early(d->rules.watch->arg);
    if (d->tick && next > d->now + d->early)
        d->early = next - d->now;
    if (next > d->now && !d->rules.real_clock)
        d->now = next;
    d->tick = false;
    d->since_timer = 0;
    seed_mix(d, UINT64_MAX);
    timers_check(m, pi_of(m->m.p), seed_now(d));
}

static void
tell_turn(struct seed *d, struct sched_g *g)
{
    const struct seed_watch *w = d->rules.watch;
    struct sched_g *last = d->last;

    if (last != NULL && (last->id != d->last_id ||
        sched_g_state(last) == G_DEAD))
        last = NULL;
    w->turn(w->arg, last, g,
        d->chosen_by == 0 ? NULL : &d->recs[d->chosen_by - 1]);
}

/* The goroutine that runs now. */
static struct sched_g *
runs(struct seed *d, struct sched_g *g)
{
    if (g != d->last || g->id != d->last_id) {
        d->alone = 0;
        if (d->rules.watch != NULL)
            tell_turn(d, g);
    }
    d->last = g;
    d->last_id = g->id;
    d->chosen_by = 0;
    seed_mix(d, g->id);
    return g;
}

/* What others ask the only M for. */
static void
serve(struct sched_mi *m)
{
    struct sched *s = m->m.sched;

    gcbg_monitor(s, 0);
    if (a32_load_rlx(&s->bg_asked))
        gcbg_serve(m);
}

struct sched_g *
seed_find(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct seed *d = s->seed;

    if (a32_load_rlx(&m->spinning))
        m_clear_spinning(m); /* it was woken after a stop of the world */
    while (m->m.p != NULL && !a32_load_acq(&s->exiting)) {
        struct sched_g *g;

        if (a32_load_acq(&s->gcwaiting)) {
            stop_self(m);
            continue;
        }
        serve(m);
        if (d->native.n > 0)
            return queue_take(&d->native, 0);
        if (d->chosen != NULL) {
            g = d->chosen;
            d->chosen = NULL;
            return runs(d, g);
        }
        if (d->over) {
            seed_give_up(m);
            continue;
        }
        timers_turn(m, d);
        if (d->native.n > 0)
            continue;
        if (waits_too_long(d))
            seed_await_fds(s, OVERDUE_MS);
        else
            seed_check_fds(s);
        if (d->ready.n == 0) {
            seed_idle(m);
            continue;
        }
        g = decide(d, NULL, clock_may(d, s));
        if (g != NULL)
            return runs(d, g);
    }
    return NULL;
}
