/* SPDX-License-Identifier: MIT */
/*
 * How executions by a seed end: all asleep, some lost for ever while others
 * go on, goroutines that main has left behind, no end at all.  What the
 * program says itself (panics, fatal errors, os.Exit) comes by seed_ended().
 */
#include "sched/seed_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "runtime/base/clock.h"

enum { STACK = 16, IO_POLL_MS = 100, IO_GRACE_MS = 5 };

const char *
seed_end_text(enum seed_end e)
{
    static const char *const texts[SEED_NENDS] = {
        [SEED_END_NORMAL] = "end of the program",
        [SEED_END_PANIC] = "panic or fatal error",
        [SEED_END_DEADLOCK] = "deadlock",
        [SEED_END_PARTIAL] = "partial deadlock",
        [SEED_END_STUCK] = "partial deadlock",
        [SEED_END_LEAK] = "goroutines left behind",
        [SEED_END_LIVELOCK] = "no end",
    };

    return texts[e];
}

/* ---- what a failure is known by ------------------------------------------- */

/* A sum, so that the order of goroutines is no matter. */
static void
add_stack(struct sched *s, struct sched_g *g)
{
    vpc pcs[STACK];
    unsigned n = g->native != NULL ? 0
        : s->host->walk_g(s->ha, g, pcs, STACK);
    uint64_t h = rt_hash_u64(g->wait_reason, RT_HASH_K0);

    for (unsigned i = 0; i < n; i++)
        h = rt_hash_u64(vpc_func(pcs[i]), h);
    s->seed->failure += h;
}

static void
count_lost(void *arg, struct prof_g *pg)
{
    uint32_t *n = arg;

    (void)pg;
    ++*n;
}

struct scan {
    struct sched *s;
    bool (*stuck)(const struct sched_g *g);
    uint32_t n;
};

static void
count_stuck_g(void *arg, struct sched_g *g)
{
    struct scan *x = arg;

    if (g->native != NULL || sched_g_is_system(g) || !x->stuck(g))
        return;
    x->n++;
    add_stack(x->s, g);
}

/* Adds to the failure those that are stuck; their number. */
static uint32_t
scan(struct sched *s, bool (*stuck)(const struct sched_g *g))
{
    struct scan x = {s, stuck, 0};

    sched_each_g(s, count_stuck_g, &x);
    return x.n;
}

static bool
waits_forever(const struct sched_g *g)
{
    return sched_g_state(g) == G_WAITING || g->seed.waits != SEED_WAIT_NOT;
}

/* The same, and it is not somebody from outside whom it waits for. */
static bool
waits_for_others(const struct sched_g *g)
{
    return waits_forever(g) && !g->seed.for_calls;
}

static bool
lost(const struct sched_g *g)
{
    return sched_g_state(g) == G_WAITING && g->leaked;
}

static bool
lost_at_lock(const struct sched_g *g)
{
    return lost(g) && sched_g_waits_for_lock(g);
}

/* Whoever sleeps will wake up, and may well end then. */
static bool
left(const struct sched_g *g)
{
    enum sched_gstate st = sched_g_state(g);

    return st != G_DEAD && st != G_IDLE &&
        (st != G_WAITING || g->wait_reason != WAIT_SLEEP);
}

/* ---- the ends --------------------------------------------------------------- */

static void
end(struct sched *s, enum seed_end e, const char *text)
{
    s->seed->end = e;
    s->host->fatal(s->ha, text);
    sched_exit(s, 2);
}

static void
end_after_main(struct sched *s)
{
    if (scan(s, left) > 0)
        end(s, SEED_END_LEAK,
            "main has ended, and other goroutines wait for ever");
    else
        sched_exit(s, 0);
}

struct callees {
    struct sched *s;
    uint32_t n;
};

static void
mark_callee(void *arg, struct sched_g *g)
{
    struct callees *x = arg;

    g->seed.for_calls = waits_forever(g) && seed_awaits_calls(x->s, g);
    x->n += g->seed.for_calls;
}

/* Nobody can ever go on. */
static void
end_asleep(struct sched *s)
{
    struct callees x = {s, 0};

    sched_each_g(s, mark_callee, &x);
    s->seed->closed_end = x.n > 0 && s->seed->closed;
    if (s->seed->closed_end && scan(s, waits_for_others) > 0) {
        end(s, SEED_END_PARTIAL, "some goroutines can never go on, as nobody "
            "calls from outside - deadlock!");
        return;
    }
    scan(s, waits_forever);
    end(s, SEED_END_DEADLOCK, s->seed->closed_end
        ? "all goroutines are asleep, and nobody calls from outside - deadlock!"
        : "all goroutines are asleep - deadlock!");
}

/* Ends the program if there are goroutines that nobody can wake any more. */
static bool
end_look(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    uint32_t n = 0;

    if (!s->seed->rules.partial)
        return false;
    sched_stop_world(&m->m, STW_GOROUTINE_PROFILE);
    sched_prof_leaked(s, count_lost, &n);
    sched_start_world(&m->m);
    if (n == 0)
        return false;
    scan(s, lost);
    end(s, SEED_END_PARTIAL, "some goroutines can never go on - deadlock!");
    return true;
}

bool
sched_ends_for_lost(const struct sched *s)
{
    return s->seed != NULL && s->seed->end == SEED_END_PARTIAL &&
        !s->seed->closed_end;
}

/* At the first times and then ever more rarely: it takes a mark.  Once where
 * nothing has happened since. */
static bool
time_to_look(struct seed *d)
{
    uint64_t n;

    if (d->looks > 0 && d->looked_hash == d->hash)
        return false;
    d->looked_hash = d->hash;
    n = d->looks++;
    return n < 4 || (n & (n - 1)) == 0;
}

static void
sleep_until(struct seed *d, uint64_t next)
{
    uint64_t now = seed_now(d), ns = next > now ? next - now : 0;
    struct timespec ts = {
        (time_t)(ns / 1000000000), (long)(ns % 1000000000)};

    if (d->rules.real_clock)
        nanosleep(&ts, NULL);
    else if (ns > 0)
        d->now = next;
}

/* For as long as it is until the next timer, and a while at least: other
 * processes live by the machine's clock. */
static bool
await_outside(struct sched *s, uint64_t next)
{
    struct seed *d = s->seed;
    uint64_t now = seed_now(d), ns = next > now ? next - now : 0;
    uint64_t begin = (uint64_t)rt_nanotime();
    const uint64_t slice = IO_POLL_MS * UINT64_C(1000000);

    if (ns < slice && !d->rules.real_clock)
        ns = slice;
    for (uint64_t took = 0; took < ns;
         took = (uint64_t)rt_nanotime() - begin) {
        uint64_t rest = ns - took < slice ? ns - took : slice;

        /* Others may want the only thread for something else. */
        if (seed_await_fds(s, (int)((rest + 999999) / 1000000)) ||
            a32_load_acq(&s->exiting) || a32_load_acq(&s->gcwaiting))
            return true;
    }
    return false;
}

/* Whether somebody waits for what others than this process's goroutines may be
 * behind. */
static bool
awaits_others(struct sched *s)
{
    return s->seed->noutside > 0 || seed_awaits_io(s);
}

/* The same, and nobody can run.  True: somebody can by now, or may later, and
 * the clock stands still. */
static bool
await(struct sched *s, uint64_t next)
{
    if (next != 0 && s->seed->noutside > 0)
        return await_outside(s, next);
    /* What is under way between sockets may need the machine's time. */
    return seed_await_fds(s, next == 0 ? IO_POLL_MS : IO_GRACE_MS) ||
        next == 0;
}

bool
seed_idle(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct seed *d = s->seed;
    uint64_t next = timers_next_all(s);

    if (d->main_done && (next == 0 || next > d->main_end + SEED_END_NS)) {
        end_after_main(s);
        return false;
    }
    if (d->fds.n > 0 && awaits_others(s)) {
        if (next == 0 && !d->main_done && time_to_look(d) && end_look(m))
            return false;
        if (await(s, next))
            return true;
    }
    /* A call that the kernel has taken may be on its way all the same. */
    if (next == 0 && d->fds.n > 0 && seed_await_fds(s, IO_GRACE_MS))
        return true;
    if (next == 0) {
        end_asleep(s);
        return false;
    }
    if (!d->main_done && time_to_look(d) && end_look(m))
        return false;
    sleep_until(d, next);
    return true;
}

void
seed_give_up(struct sched_mi *m)
{
    struct sched *s = m->m.sched;

    char text[128];

    /* Some go on for ever: the others may be lost all the same. */
    if (s->seed->main_done) {
        end_after_main(s);
        return;
    }
    if (end_look(m))
        return;
    /* It may only be long. */
    snprintf(text, sizeof text, "the program does not come to an end within %"
        PRIu64 " points; -sched-budget allows more", s->seed->rules.budget);
    end(s, SEED_END_LIVELOCK, text);
}

bool
seed_main_done(struct sched *s)
{
    struct seed *d = s->seed;

    if (!d->rules.leaks)
        return false;
    d->main_done = true;
    d->main_end = d->now;
    d->end_used = d->used;
    return true;
}

void
seed_ended(struct sched *s, int status)
{
    struct seed *d = s->seed;
    struct sched_m *m = sched_m_self();

    d->status = status;
    if (status != 0 && d->end == SEED_END_NORMAL) {
        d->end = status == 2 ? SEED_END_PANIC : SEED_END_NORMAL;
        if (m != NULL && m->sched == s && m->g != NULL)
            add_stack(s, m->g);
    }
}

static void
count_at_lock(void *arg, struct sched_g *g)
{
    uint32_t *n = arg;

    *n += sched_g_waits_for_lock(g);
}

/* Whether there are goroutines that wait for locks for ever.  The mark is for
 * programs that end while any of theirs waits for a lock. */
static bool
end_stuck(struct sched *s)
{
    uint32_t waiting = 0, all = 0;

    sched_each_g(s, count_at_lock, &waiting);
    return waiting > 0 && sched_prof_leaked(s, count_lost, &all) &&
        scan(s, lost_at_lock) > 0;
}

int
seed_over(struct sched *s, int status)
{
    struct seed *d = s->seed;

    rt_assert(a32_load_rlx(&s->exiting) && d->status == status);
    if (d->rules.partial && status == 0 && !s->stuck && end_stuck(s)) {
        d->end = SEED_END_STUCK;
        d->status = status = 2;
    }
    if (d->rules.watch != NULL)
        d->rules.watch->end(d->rules.watch->arg, d->end, status);
    return status;
}
