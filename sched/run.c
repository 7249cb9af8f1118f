/* SPDX-License-Identifier: MIT */
/*
 * The scheduler's loop: find a goroutine, run it, see why it stopped; and
 * parking and readying.
 *
 * Note [watch].  A goroutine that hands over to another passes three places
 * at which a mark changes how its state is set, a trace wants an event, the
 * block profile the time, and a profile that reads stacks the goroutine to
 * wait.  All of these begin and end with the world stopped, so one word,
 * s->watch, says to all threads that have a P whether there may be any: the
 * three places test nothing else, and what comes of it is out of line.  It may
 * be set for nothing, for a trace can be cut at any time.  Threads without a
 * P, which no stop waits for, do not go by it.
 */
#include "sched/bubble_int.h"

#include "runtime/race/race.h"

void
sched_watch(struct sched *s)
{
    const struct prof *p = s->prof;

    a32_store_rlx(&s->watch,
        a32_load_rlx(&s->gc_marking) || trace_on(s->trace) ||
        prof_block_on(&p->block) || prof_gor_on(&p->gor));
}

static inline bool
watched(const struct sched *s)
{
    return rt_unlikely(a32_load_rlx(&s->watch) != 0);
}

/* ---- park and ready --------------------------------------------------------------- */

static enum trace_block
trace_reason(enum sched_wait w)
{
    switch (w) {
    case WAIT_CHAN_RECV: return TRACE_BLOCK_RECV;
    case WAIT_CHAN_SEND: return TRACE_BLOCK_SEND;
    case WAIT_SELECT: return TRACE_BLOCK_SELECT;
    case WAIT_SLEEP: return TRACE_BLOCK_SLEEP;
    case WAIT_SEMACQUIRE:
    case WAIT_MUTEX_LOCK:
    case WAIT_RWMUTEX_RLOCK:
    case WAIT_RWMUTEX_LOCK:
    case WAIT_WAITGROUP: return TRACE_BLOCK_SYNC;
    case WAIT_COND: return TRACE_BLOCK_COND;
    case WAIT_IO: return TRACE_BLOCK_NET;
    case WAIT_GC_CYCLE:
    case WAIT_GC_ASSIST: return TRACE_BLOCK_GC;
    default: return TRACE_BLOCK_OTHER;
    }
}

/* For ever. */
static RT_NOINLINE void
trace_stop_for_good(struct sched_m *m, struct sched_g *g)
{
    struct trace_rec *r = m->sched->trace;
    vpc pcs[TRACE_STACK_MAX];
    uint32_t n = g->native == NULL ? trace_walk(r, pcs) : 0;

    trace_go_stop(r, &m->p->trace, &g->trace, pcs, n);
}

/* The number of the stack of what runs on the thread, if anything does. */
static inline uint64_t
stack_of(struct sched_m *m)
{
    return m->g != NULL && m->g->native == NULL
        ? trace_stack(m->sched->trace, &m->p->trace, m) : 0;
}

static inline void
trace_park(struct sched_m *m, struct sched_g *g, enum sched_wait reason)
{
    if (rt_unlikely(reason == WAIT_CHAN_RECV_NIL ||
            reason == WAIT_CHAN_SEND_NIL || reason == WAIT_SELECT_NONE))
        trace_stop_for_good(m, g);
    else
        trace_go_block_at(m->sched->trace, &m->p->trace, &g->trace,
            trace_reason(reason), stack_of(m));
}

static RT_NOINLINE void
park_watched(struct sched_m *m, struct sched_g *g, enum sched_wait reason)
{
    struct sched *s = m->sched;

    if (trace_on(s->trace))
        trace_park(m, g, reason);
    sched_prof_park(s, g, reason);
    g->m = NULL;
    g_set_state(s, g, G_RUNNING, G_WAITING);
}

/* Waits for which, of a goroutine in a bubble, nobody else can be needed. */
static bool
is_durable(enum sched_wait w)
{
    switch (w) {
    case WAIT_CHAN_RECV_NIL:
    case WAIT_CHAN_SEND_NIL:
    case WAIT_SELECT_NONE:
    case WAIT_SLEEP:
    case WAIT_COND:
    case WAIT_SYNCTEST_RUN:
    case WAIT_SYNCTEST_WAIT:
        return true;
    default:
        return false;
    }
}

static RT_NOINLINE void
park_in_bubble(struct sched_m *m, struct sched_g *g, enum sched_wait reason)
{
    g->durable = g->durable || is_durable(reason);
    if (g->durable)
        bubble_park(m, g);
}

void
sched_park_begin(struct sched_m *m, struct sched_g *g, enum sched_wait reason)
{
    struct sched *s = m->sched;

    assert_has_p(m);
    rt_assert(g == m->g);
    rt_assert(reason != WAIT_NONE && reason < WAIT_COUNT);
    g->wait_reason = reason;
    /* Set when somebody looks: sched_saw(). */
    a64_store_rlx(&g->wait_since, 0);
    g->leaked = false;
    if (rt_unlikely(g->bubble != NULL))
        park_in_bubble(m, g, reason);
    if (watched(s)) {
        park_watched(m, g, reason);
        return;
    }
    if (!RT_NO_PROFILES)
        g->prof.blocked_at = 0;
    g->m = NULL;
    g_set_state_unwatched(s, g, G_RUNNING, G_WAITING);
}

/* Without a P. */
static RT_NOINLINE void
trace_ready_nop(struct sched_m *m, struct sched_g *g)
{
    struct trace_rec *r = m->sched->trace;
    vpc pcs[TRACE_STACK_MAX];
    uint32_t n = m->g != NULL && m->g->native == NULL ? trace_walk(r, pcs)
                                                      : 0;

    trace_go_unblock(r, trace_global(r), &g->trace, pcs, n);
}

static RT_NOINLINE void
unpark_watched(struct sched_m *m, struct sched_g *g)
{
    struct sched *s = m->sched;

    if (g->prof.blocked_at != 0)
        sched_prof_ready(s, g);
    if (m->p == NULL) {
        if (trace_on(s->trace))
            trace_ready_nop(m, g);
        g_set_state_any(g, G_WAITING, G_RUNNABLE);
        return;
    }
    if (trace_on(s->trace))
        trace_go_unblock_at(
            s->trace, &m->p->trace, &g->trace, stack_of(m));
    g_set_state(s, g, G_WAITING, G_RUNNABLE);
}

static inline void
unpark(struct sched_m *m, struct sched_g *g)
{
    struct sched *s = m->sched;

    if (rt_unlikely(g->durable))
        bubble_unpark(g);
    if (rt_unlikely(m->p == NULL) || watched(s))
        unpark_watched(m, g);
    else
        g_set_state_unwatched(s, g, G_WAITING, G_RUNNABLE);
}

void
g_unpark(struct sched_m *m, struct sched_g *g)
{
    unpark(m, g);
}

void
sched_ready(struct sched_m *m, struct sched_g *g)
{
    struct sched *s = m->sched;

    rt_assert(g != m->g); /* it waits */
    unpark(m, g);
    if (m->p == NULL)
        globrunq_put(s, g);
    else if (!runq_put(pi_of(m->p), g, true)) {
        sched_wakep_next(s);
        return;
    }
    sched_wakep(s);
}

/* ---- one goroutine -------------------------------------------------------------------- */

static RT_NOINLINE void
trace_yield(struct sched_mi *m, struct sched_g *g, bool preempted)
{
    struct trace_rec *r = m->m.sched->trace;
    vpc pcs[TRACE_STACK_MAX];
    uint32_t n = g->native == NULL ? trace_walk(r, pcs) : 0;

    if (preempted)
        trace_go_preempt(r, &m->m.p->trace, &g->trace, pcs, n);
    else
        trace_go_sched(r, &m->m.p->trace, &g->trace, pcs, n);
}

/*
 * A running goroutine lets others run.  After Gosched it goes to the end of
 * the P's own queue, which is cheap, unless others wait in the global one;
 * who has used up his time slice goes to the global queue.
 */
static void
yield_g(struct sched_mi *m, struct sched_g *g, bool preempted)
{
    struct sched *s = m->m.sched;
    struct sched_pi *p = pi_of(m->m.p);
    bool alone = runq_empty(p) && a32_load_rlx(&s->qsize) == 0;

    rt_assert(m->m.g == g && g->m == &m->m);
    if (trace_on(s->trace))
        trace_yield(m, g, preempted);
    g->m = NULL;
    m->m.g = NULL;
    g_set_state(s, g, G_RUNNING, G_RUNNABLE);
    if (preempted && s->seed != NULL)
        seed_again(s->seed, g);
    else if (!preempted && a32_load_rlx(&s->qsize) == 0)
        runq_put(p, g, false);
    else
        globrunq_put(s, g);
    if (!alone)
        sched_wakep(s);
}

bool
sched_yield_wanted(struct sched_m *m)
{
    struct sched *s = m->sched;
    struct sched_pi *p = pi_of(m->p);

    assert_has_p(m);
    if (s->seed != NULL && seed_waiting(s->seed))
        return true;
    /* What find_runnable() looks at on its way to the goroutine itself. */
    return !runq_empty(p) || a32_load_acq(&s->qsize) != 0 ||
        a32_load_acq(&p->p.preempt) != 0 ||
        a64_load_acq(&p->timers.next) != UINT64_MAX ||
        a32_load_acq(&s->bg_asked) != 0 || a32_load_acq(&s->exiting) ||
        a32_load_acq(&s->gcwaiting) || a32_load_rlx(&s->gc_marking);
}

static void
finish_g(struct sched_mi *m, struct sched_g *g)
{
    struct sched *s = m->m.sched;
    struct sched_pi *p = pi_of(m->m.p);
    struct sched_bubble *b = g->bubble;

    assert_has_p(&m->m);
    rt_assert(m->m.g == g && g->waiting == NULL && !g->durable);
    if (trace_on(s->trace))
        trace_go_end(s->trace, &p->p.trace, &g->trace);
    m->m.g = NULL;
    if (g->locked) {
        g->locked = false;
        aptr_store_rlx(&g->bound, NULL);
        m->lockedg = NULL;
    }
    if (g->system)
        ai64_add_rlx(&s->nsys, -1);
    ai64_store_rlx(&p->ngo, ai64_load_rlx(&p->ngo) - 1);
    g->m = NULL;
    prof_labels_unref(g->prof.labels);
    g->prof.labels = NULL;
    if (rt_unlikely(b != NULL && g->race != NULL))
        bubble_race_end(g);
    if (rt_unlikely(g->race != NULL)) {
        race_g_end(g->race);
        g->race = NULL;
    }
    s->host->g_free(s->ha, g);
    g->bubble = NULL;
    g_set_state(s, g, G_RUNNING, G_DEAD);
    if (rt_unlikely(b != NULL))
        bubble_ended(&m->m, b, g);
    if (g->id == 1 && (s->seed == NULL || !seed_main_done(s)))
        sched_exit(s, 0); /* main has returned */
    g_put(m, g);
}

/* The goroutine stands at a safepoint because somebody asked. */
static void
preempted(struct sched_mi *m, struct sched_g *g)
{
    struct sched *s = m->m.sched;

    if (gcwork_park(m)) {
        m->m.g = NULL;
        return;
    }

    /* Does nothing while another cycle is under way; if the request is newer
     * than that one, sysmon sees to it that somebody comes here again. */
    if (gc_should_start(s->heap))
        gc_poll(s->heap, &m->m.p->cache);
    yield_g(m, g, true);
}

/* g is going to run on p; next: at once after another. */
static RT_NOINLINE void
start_watched(struct sched *s, struct sched_pi *p, struct sched_g *g,
    bool next)
{
    g_set_state(s, g, G_RUNNABLE, G_RUNNING);
    if (trace_on(s->trace) && g->label != NULL)
        trace_go_start_label(s->trace, &p->p.trace, &g->trace, g->label);
    else if (trace_on(s->trace) && next)
        trace_go_start_next(s->trace, &p->p.trace, &g->trace);
    else if (trace_on(s->trace))
        trace_go_start(s->trace, &p->p.trace, &g->trace);
    prof_g_before_run(s->prof, &s->prof->gor, &g->prof);
}

/* g, which comes off a queue, is what m runs from now on; next: at once after
 * another. */
static inline void
begin_run(struct sched_mi *m, struct sched_g *g, bool next)
{
    struct sched *s = m->m.sched;
    struct sched_pi *p = pi_of(m->m.p);

    assert_has_p(&m->m);
    rt_assert(g->m == NULL);
    rt_assert(sched_g_bound(g) == NULL || sched_g_bound(g) == &m->m);
    g->m = &m->m;
    m->m.g = g;
    if (watched(s))
        start_watched(s, p, g, next);
    else
        g_set_state_unwatched(s, g, G_RUNNABLE, G_RUNNING);
    /* rel: pairs with preempt_one(), which may poison a goroutine that does
     * not run any more; that costs it one look. */
    aptr_store_rel(&p->curg, g);
    a32_store_rlx(&p->schedtick, ++p->tick);
    if (g->waiting != NULL)
        select_finish(&m->m, g);
}

/* Whether there may be more to do before the next goroutine runs than to take
 * it from the P's own queue: all that find_runnable() looks at first, and now
 * and then that others have a turn. */
static inline bool
has_duties(const struct sched_mi *m)
{
    const struct sched *s = m->m.sched;
    const struct sched_pi *p = pi_of(m->m.p);

    return a32_load_rlx(&s->gc_marking) != 0 ||
        a32_load_acq(&s->exiting) != 0 ||
        a32_load_acq(&s->gcwaiting) != 0 || a32_load_rlx(&s->bg_asked) != 0 ||
        a32_load_rlx(&s->net.wanted) != 0 || p->tick % SCHED_FAIR_TICK == 0 ||
        m->lockedg != NULL || m->parking != NULL || s->seed != NULL ||
        (p_has_timers(p) && timers_look_due(p));
}

struct sched_g *
sched_next(struct sched_m *m)
{
    const struct sched *s = m->sched;
    struct sched_pi *p = pi_of(m->p);
    struct sched_g *g;

    assert_has_p(m);
    rt_assert(m->g != NULL && !a32_load_rlx(&mi_of(m)->spinning));
    if (rt_unlikely(has_duties(mi_of(m))))
        return NULL;
    g = runq_get(p, false);
    if (rt_unlikely(g == NULL))
        return NULL;
    if (rt_unlikely(g->native != NULL || g->wake_panic ||
            sched_g_bound(g) != NULL || a32_load_acq(&s->exiting) != 0)) {
        runq_put(p, g, true); /* nothing is there: it would have come first */
        return NULL;
    }
    begin_run(mi_of(m), g, true);
    return g;
}

static enum sched_run
execute(struct sched_mi *m, struct sched_g *g)
{
    struct sched *s = m->m.sched;
    enum sched_run r;

    rt_assert(m->m.g == NULL);
    begin_run(m, g, false);
    if (rt_unlikely(g->native != NULL))
        r = g->native(&m->m, g, g->native_arg);
    else
        r = s->host->run_g(s->ha, &m->m, g);
    rt_assert(m->m.p != NULL || r == SCHED_RUN_EXIT);
    g = m->m.g; /* by sched_next() another one */
    rt_assert(g != NULL || r == SCHED_RUN_EXIT);
    switch (r) {
    case SCHED_RUN_PARKED:
        m->m.g = NULL;
        if (rt_unlikely(m->parking != NULL))
            bubble_parked(&m->m);
        break;
    case SCHED_RUN_YIELD:
        yield_g(m, g, false);
        break;
    case SCHED_RUN_PREEMPT:
        preempted(m, g);
        break;
    case SCHED_RUN_DONE:
        finish_g(m, g);
        break;
    case SCHED_RUN_EXIT:
        /* The program has ended, and g with it: it does not wait for ever. */
        if (m->m.p != NULL && trace_on(s->trace))
            trace_go_end(s->trace, &m->m.p->trace, &g->trace);
        break;
    }
    return r;
}

/* ---- goroutines that are bound to one M ---------------------------------------------- */

/* Only the M that g is bound to may run it: gives that M our P. */
static void
start_bound(struct sched_mi *m, struct sched_g *g)
{
    struct sched *s = m->m.sched;
    struct sched_mi *to = mi_of(sched_g_bound(g));
    struct sched_pi *p = p_release(m);

    rt_assert(to != m && !a32_load_rlx(&m->spinning));
    rt_lock(&s->lock);
    if (a32_load_rlx(&s->exiting)) {
        p_put_locked(s, p);
        rt_unlock(&s->lock);
        return;
    }
    rt_assert(aptr_load_rlx(&to->nextp) == NULL);
    if (to->bound_wait) {
        to->bound_wait = false;
        s->nmbound--;
    }
    aptr_store_rel(&to->nextp, p); /* rel: pairs with m_wait_p() */
    rt_unlock(&s->lock);
    m_wake(to);
    m_stop(m);
}

/* LockOSThread: this M runs its goroutine and nothing else. */
static void
wait_for_locked(struct sched_mi *m)
{
    struct sched *s = m->m.sched;

    rt_assert(sched_g_bound(m->lockedg) == &m->m && m->m.g == NULL);
    if (m->m.p != NULL)
        p_handoff(s, p_release(m));
    rt_lock(&s->lock);
    if (a32_load_rlx(&s->exiting)) {
        rt_unlock(&s->lock);
        return;
    }
    if (aptr_load_rlx(&m->nextp) == NULL) {
        m->bound_wait = true;
        s->nmbound++;
        m_check_dead_locked(s);
    }
    rt_unlock(&s->lock);
    m_wait_p(m);
}

void
sched_lock_thread(struct sched_m *m, bool lock)
{
    assert_has_p(m);
    rt_assert(m->g->native == NULL);
    if (m->sched->seed != NULL)
        return; /* there is only one thread */
    aptr_store_rlx(&m->g->bound, lock ? m : NULL);
    m->g->locked = lock;
    mi_of(m)->lockedg = lock ? m->g : NULL;
}

/*
 * Note [natives at the end].  Who comes back from the kernel and finds no P puts
 * its goroutine into a queue, bound to its M, until somebody gives it one.  At the
 * end of the process nobody may be left for that, so urge() gives it a P, and it
 * goes on though its goroutine stands in the queue: queues may hold a goroutine
 * that runs, waits or is done by then, or one twice (runq_holds()), and nobody may
 * run what he takes from there.  Who has taken it before it is bound to nobody any more sees `exiting`
 * when he sees that, for urge() comes behind sched_exit(), and slow_exit() behind
 * urge(); who sees that it is bound asks under the lock.
 */

/* ---- the loop ------------------------------------------------------------------------- */

void
schedule_loop(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct sched_g *g;

    while (!a32_load_acq(&s->exiting)) {
        if (m->lockedg != NULL) {
            wait_for_locked(m);
            if (m->m.p == NULL)
                break;
            g = m->lockedg;
        } else {
            if (rt_unlikely(m->rest != 0))
                chan_rest(m);
            g = find_runnable(m);
            if (g == NULL)
                break;
            struct sched_m *only = sched_g_bound(g);
            if (only != NULL && only != &m->m) {
                start_bound(m, g);
                if (m->m.p == NULL)
                    break;
                continue;
            }
            /* See Note [natives at the end]. */
            if (a32_load_acq(&s->exiting))
                break;
        }
        if (execute(m, g) == SCHED_RUN_EXIT)
            break;
    }
}

bool
sched_safepoint(struct sched_m *m)
{
    struct sched *s = m->sched;

    assert_has_p(m);
    /* full: whoever asks again after this is heard again; whoever asked
     * before has set his condition before. */
    uint32_t why = a32_swap_full(&m->p->preempt, 0);

    if (rt_unlikely(a32_load_rlx(&s->gc_marking)) && gcwork_safepoint(m))
        return true;
    return why == 2 || a32_load_acq(&s->exiting) ||
        a32_load_acq(&s->gcwaiting) || gc_should_start(s->heap) ||
        gc_must_wait(s->heap);
}
