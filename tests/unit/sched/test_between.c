/* SPDX-License-Identifier: MIT */
/*
 * What happens between two looks at the same thing, where the second is there
 * because of it: the linker puts functions of this file in the place of some
 * of the scheduler's own (meson.build), and they bring it about.
 */
#include "tests/unit/sched/fake.h"

#include <signal.h>
#include <time.h>

#include "runtime/base/futex.h"
#include "runtime/base/lock.h"
#include "sched/sched_int.h"

void __real_rt_lock_slow(struct rt_lock *l);
void __wrap_rt_lock_slow(struct rt_lock *l);
void __real_m_start(struct sched *s, struct sched_pi *p, bool spinning);
void __wrap_m_start(struct sched *s, struct sched_pi *p, bool spinning);
struct sched_pi *__real_p_release(struct sched_mi *m);
struct sched_pi *__wrap_p_release(struct sched_mi *m);
enum gc_worked __real_gc_worker_run(struct gc_heap *h, struct gc_pcache *pc,
    enum gc_worker kind, bool (*stop)(void *arg), void *arg);
enum gc_worked __wrap_gc_worker_run(struct gc_heap *h, struct gc_pcache *pc,
    enum gc_worker kind, bool (*stop)(void *arg), void *arg);
void __real_rt_futex_wait(a_u32 *a, uint32_t val, int64_t ns);
void __wrap_rt_futex_wait(a_u32 *a, uint32_t val, int64_t ns);

/* ---- a P that is handed over, while SCHED is taken ---------------------------- */

/* What whoever holds SCHED does before he releases it, once. */
static void (*held_by_other)(struct sched *s, struct sched_pi *p);

static struct {
    struct sched *s; /* whose Ms are not started but counted; or NULL */
    struct sched_pi *p;
    unsigned starts;
    bool spinning;
} handed;

void
__wrap_rt_lock_slow(struct rt_lock *l)
{
    void (*f)(struct sched *s, struct sched_pi *p) = held_by_other;

    if (f != NULL && l == &handed.s->lock) {
        held_by_other = NULL;
        f(handed.s, handed.p);
        a32_store_rel(&l->word, 0);
    }
    __real_rt_lock_slow(l);
}

void
__wrap_m_start(struct sched *s, struct sched_pi *p, bool spinning)
{
    if (s != handed.s) {
        __real_m_start(s, p, spinning);
        return;
    }
    assert_ptr_equal(p, handed.p);
    handed.spinning = spinning;
    handed.starts++;
}

static struct sched_g waiting_g;

static void
nothing(struct sched *s, struct sched_pi *p)
{
    (void)s;
    (void)p;
}

static void
work(struct sched *s, struct sched_pi *p)
{
    struct sched_g *g = &waiting_g;

    (void)p;
    globrunq_put_locked(s, &g, 1);
}

static void
stop_of_the_world(struct sched *s, struct sched_pi *p)
{
    work(s, p);
    s->stopwait = 1;
    a32_store_rlx(&s->gcwaiting, 1);
}

static void
end_of_the_process(struct sched *s, struct sched_pi *p)
{
    work(s, p);
    a32_store_rlx(&s->exiting, 1);
}

static void
timer_without_sleeper(struct sched *s, struct sched_pi *p)
{
    (void)s;
    a64_store_rlx(&p->timers.next, 1);
}

static struct sched_mi sleeper;

static void
timer_and_sleeper(struct sched *s, struct sched_pi *p)
{
    timer_without_sleeper(s, p);
    s->sleeper = &sleeper;
}

static void
who_waits_for_events(struct sched *s, struct sched_pi *p)
{
    (void)p;
    a32_store_rlx(&s->net.waiters, 1);
}

static void
undo(struct sched *s, struct sched_pi *p)
{
    rt_lock(&s->lock);
    if (a32_load_rlx(&s->qsize) != 0)
        assert_ptr_equal(globrunq_get_locked(s, p, 1), &waiting_g);
    a32_store_rlx(&s->gcwaiting, 0);
    a32_store_rlx(&s->exiting, 0);
    s->sleeper = NULL;
    rt_unlock(&s->lock);
    a32_store_rlx(&s->net.waiters, 0);
    a64_store_rlx(&p->timers.next, UINT64_MAX);
}

static void
a_p_is_not_left_idle_beside_work(void **state)
{
    static const struct {
        void (*comes)(struct sched *s, struct sched_pi *p);
        bool started;
        enum sched_pstate st;
    } rows[] = {{nothing, false, P_IDLE}, {work, true, P_IDLE},
        {stop_of_the_world, false, P_GCSTOP},
        {end_of_the_process, false, P_IDLE},
        {timer_without_sleeper, true, P_IDLE},
        {timer_and_sleeper, false, P_IDLE},
        {who_waits_for_events, true, P_IDLE}};
    struct world w;

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        world_open(&w, 2);
        struct sched *s = w.s;
        assert_true(globrunq_reserve(s, 1));
        a32_store_rlx(&waiting_g.state, G_RUNNABLE);
        rt_lock(&s->lock);
        struct sched_pi *p = p_idle_get_locked(s);
        rt_unlock(&s->lock);
        handed.s = s;
        handed.p = p;
        handed.starts = 0;
        held_by_other = rows[i].comes;
        a32_store_rlx(&s->lock.word, 1); /* somebody else's */
        p_handoff(s, p);
        handed.s = NULL;
        assert_null(held_by_other);
        assert_int_equal(handed.starts, rows[i].started);
        assert_true(handed.starts == 0 || !handed.spinning);
        assert_int_equal(p_state(p), rows[i].st);
        assert_int_equal(s->pidle == p,
            !rows[i].started && rows[i].st == P_IDLE);
        undo(s, p);
        world_close(&w);
    }
}

/* ---- the program ends while a P is on its way ---------------------------------- */

static a_ptr ends_on_release; /* struct world *: the next P that is released
                                 ends it */

struct sched_pi *
__wrap_p_release(struct sched_mi *m)
{
    struct world *w = aptr_load_acq(&ends_on_release);
    struct sched_pi *p = __real_p_release(m);

    if (w != NULL && m->m.sched == w->s) {
        aptr_store_rel(&ends_on_release, NULL);
        a32_store_rel(&w->word[0], 1);
        sched_exit(w->s, 7);
    }
    return p;
}

/* Has a thread of its own: who finds it runnable hands his P to that. */
static enum sched_run
bound(struct co *c)
{
    CO_BEGIN;
    sched_lock_thread(c->m, true);
    CO_RECV(c->v[2].p, &c->v[4]);
    rt_check(false, "runs after the end");
    CO_END;
}

static enum sched_run
wakes_bound(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    c->v[3].p = co_go(c, bound, 0, 0, c->v[2].p, NULL);
    while (sched_g_state(c->v[3].p) != G_WAITING)
        CO_YIELD();
    aptr_store_rel(&ends_on_release, c->w);
    CO_SEND(c->v[2].p, &c->v[4]);
    /* For ever; the one P goes to the thread of the other. */
    CO_RECV(c->v[2].p, &c->v[4]);
    CO_END;
}

static void
check_all_idle(const struct world *w)
{
    assert_int_equal(a32_load_acq(&w->s->npidle), sched_procs(w->s));
    for (uint32_t i = 0; i < sched_procs(w->s); i++)
        assert_int_equal(p_state(w->s->allp[i]), P_IDLE);
}

static void
the_end_finds_every_p(void **state)
{
    struct world w;

    (void)state;
    world_open(&w, 1);
    assert_int_equal(world_go(&w, wakes_bound), 7);
    assert_int_equal(a32_load_acq(&w.word[0]), 1);
    check_all_idle(&w);
    world_close(&w);
}

/* No memory for the first goroutine. */
static void
no_beginning(void **state)
{
    struct world w;

    (void)state;
    world_open(&w, 2);
    w.no_memory = true;
    assert_int_equal(world_go(&w, wakes_bound), 2);
    assert_int_equal(a32_load_acq(&w.fatals), 1);
    check_all_idle(&w);
    world_close(&w);
}

/* The program has ended before it had a thread: its P is idle again, and
 * nobody holds SCHED. */
static void
no_first_thread(void **state)
{
    struct world w;

    (void)state;
    world_open(&w, 2);
    rt_lock(&w.s->lock);
    struct sched_pi *p = p_idle_get_locked(w.s);
    rt_unlock(&w.s->lock);
    a32_store_rlx(&w.s->exiting, 1);
    assert_false(m_run_here(w.s, p));
    assert_true(rt_trylock(&w.s->lock));
    rt_unlock(&w.s->lock);
    check_all_idle(&w);
    a32_store_rlx(&w.s->exiting, 0);
    world_close(&w);
}

/* ---- mark workers that are asked for their P -------------------------------------- */

enum { NOT_YET, ASKED, WAITED };

static a_u32 worker_step;

enum gc_worked
__wrap_gc_worker_run(struct gc_heap *h, struct gc_pcache *pc,
    enum gc_worker kind, bool (*stop)(void *arg), void *arg)
{
    struct sched_pi *p = pi_of(sched_m_self()->p);
    uint32_t old = a32_load_acq(&pc->flushed);

    rt_check(&p->p.cache == pc, "on its own P");
    if (a32_load_rlx(&worker_step) == NOT_YET) {
        /* Somebody wants the greys of this P, and interrupts it. */
        a32_store_rlx(&worker_step, ASKED);
        a32_store_rlx(&p->flush_wanted, old + 1000);
        a32_store_full(&p->p.preempt, 2);
        bool ends = stop(arg);
        rt_check(a32_load_rlx(&pc->flushed) == old + 1000, "handed over");
        rt_check(ends || kind != GC_WORKER_FRACTIONAL, "leaves");
        a32_store_rlx(&p->flush_wanted, old);
        a32_store_rel(&pc->flushed, old);
    } else if (a32_load_rlx(&worker_step) == ASKED && !runq_empty(p)) {
        /* Only others can go on with the mark, but somebody wants the P. */
        a32_store_rlx(&worker_step, WAITED);
        a32_store_rlx(&p->p.preempt, 0); /* it may go on */
        return GC_WORKED_WAIT;
    }
    return __real_gc_worker_run(h, pc, kind, stop, arg);
}

void
__wrap_rt_futex_wait(a_u32 *a, uint32_t val, int64_t ns)
{
    const struct sched_m *m = sched_m_self();

    if (m != NULL && a == &m->sched->gc_event)
        rt_check(runq_empty(pi_of(m->p)), "naps beside work");
    __real_rt_futex_wait(a, val, ns);
}

static enum sched_run
yields(struct co *c)
{
    CO_BEGIN;
    while (a32_load_acq(&c->w->word[0]) == 0)
        CO_YIELD();
    CO_END;
}

/* Collects until the worker has come past both; the one P has always
 * something else to do. */
static enum sched_run
collects(struct co *c)
{
    CO_BEGIN;
    a32_store_rel(&worker_step, NOT_YET);
    for (c->i = 0; c->i < 3; c->i++)
        co_go(c, yields, 0, 0, NULL, NULL);
    while (a32_load_acq(&worker_step) != WAITED) {
        if (gc_phase(c->w->heap) == GC_OFF)
            sched_gc_start(c->m, gc_begun(c->w->heap) + 1);
        CO_YIELD();
    }
    while (gc_phase(c->w->heap) != GC_OFF)
        CO_YIELD();
    a32_store_rel(&c->w->word[0], 1);
    CO_END;
}

static void
a_worker_gives_way(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, collects), 0);
    assert_int_equal(a32_load_acq(&worker_step), WAITED);
}

/* ---- who owes the collector work waits --------------------------------------------- */

bool __real_gc_assist_retry(struct gc_heap *h);
bool __wrap_gc_assist_retry(struct gc_heap *h);

static a_u32 in_debt; /* no credit comes */

bool
__wrap_gc_assist_retry(struct gc_heap *h)
{
    return a32_load_acq(&in_debt) == 0 && __real_gc_assist_retry(h);
}

static enum sched_run
owes(struct co *c)
{
    CO_BEGIN;
    a32_store_rel(&in_debt, 1);
    pi_of(c->m->p)->assist_park = true;
    c->pc = 1;
    return SCHED_RUN_PREEMPT;
    case 1:
    rt_check(a32_load_acq(&in_debt) == 0, "goes on without credit");
    a32_store_rel(&c->w->word[0], 1);
    CO_END;
}

static enum sched_run
lends(struct co *c)
{
    struct sched_g *g;

    CO_BEGIN;
    c->v[2].p = co_go(c, owes, 0, 0, NULL, NULL);
    while (a32_load_acq(&in_debt) == 0)
        CO_YIELD();
    g = c->v[2].p;
    rt_check(sched_g_state(g) == G_WAITING, "waits");
    rt_check(g->wait_reason == WAIT_GC_ASSIST, "for the collector");
    a32_store_rel(&in_debt, 0);
    sched_gc_wake_assists(c->w->s);
    while (a32_load_acq(&c->w->word[0]) == 0)
        CO_YIELD();
    CO_END;
}

static void
debts_are_waited_for(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, lends), 0);
    assert_int_equal(a32_load_acq(&w.word[0]), 1);
}

/* ---- a program that only waits for the clock ---------------------------------------- */

int __real_nanosleep(const struct timespec *ts, struct timespec *left);
int __wrap_nanosleep(const struct timespec *ts, struct timespec *left);

static struct sched *sleeps_once; /* ends then */
static uint64_t slept_ns;

int
__wrap_nanosleep(const struct timespec *ts, struct timespec *left)
{
    if (sleeps_once == NULL)
        return __real_nanosleep(ts, left);
    slept_ns = (uint64_t)ts->tv_sec * 1000000000 + (uint64_t)ts->tv_nsec;
    sched_exit(sleeps_once, 5);
    sleeps_once = NULL;
    return 0;
}

enum { WAIT_S = 1000000 };

static enum sched_run
waits_for_long(struct co *c)
{
    CO_BEGIN;
    sleeps_once = c->w->s;
    CO_WAIT(timer_sleep(c->m, INT64_C(1000000000) * WAIT_S));
    CO_END;
}

/* With a seed and the real clock it sleeps until then, at once. */
static void
the_clock_is_waited_for_asleep(void **state)
{
    struct seed *d = seed_new();
    struct seed_plan plan = {.seed = 1};
    struct seed_rules rules = {.real_clock = true};
    struct world w;

    (void)state;
    assert_non_null(d);
    seed_begin(d, &plan, &rules);
    world_open_as(&w, &(struct sched_config){.seed = d});
    assert_int_equal(world_go(&w, waits_for_long), 5);
    world_close(&w);
    /* Less what has passed since. */
    assert_true(slept_ns <= UINT64_C(1000000000) * WAIT_S);
    assert_true(slept_ns > UINT64_C(1000000000) * (WAIT_S - 3600));
    seed_free(d);
}

/* ---- timers of threads -------------------------------------------------------------- */

int __real_timer_create(clockid_t c, struct sigevent *ev, timer_t *out);
int __wrap_timer_create(clockid_t c, struct sigevent *ev, timer_t *out);
int __real_timer_delete(timer_t t);
int __wrap_timer_delete(timer_t t);

static a_u32 timers_made, timers_left;

int
__wrap_timer_create(clockid_t c, struct sigevent *ev, timer_t *out)
{
    int r = __real_timer_create(c, ev, out);

    if (r == 0) {
        a32_add_full(&timers_made, 1);
        a32_add_full(&timers_left, 1);
    }
    return r;
}

int
__wrap_timer_delete(timer_t t)
{
    a32_add_full(&timers_left, UINT32_MAX);
    return __real_timer_delete(t);
}

/* Its thread ends with it. */
static enum sched_run
has_a_thread(struct co *c)
{
    CO_BEGIN;
    sched_lock_thread(c->m, true);
    CO_YIELD();
    a32_add_full(&c->w->word[0], 1);
    CO_END;
}

enum { THREADS = 5 };

static enum sched_run
profiles(struct co *c)
{
    struct rt_err e;

    CO_BEGIN;
    for (c->n = 0; c->n < 2; c->n++) {
        rt_check(sched_prof_timers(c->w->s, 1, &e) == RT_OK, "timers");
        a32_store_rel(&c->w->word[0], 0);
        for (c->i = 0; c->i < THREADS; c->i++)
            co_go(c, has_a_thread, 0, 0, NULL, NULL);
        while (a32_load_acq(&c->w->word[0]) < THREADS)
            CO_YIELD();
        if (c->n == 0) {
            sched_prof_timers(c->w->s, 0, &e);
            rt_check(a32_load_acq(&timers_left) == 0, "left over");
        }
    }
    CO_END;
}

/* Each is deleted: with its thread, or when nobody wants them any more. */
static void
no_timer_stays(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 2, profiles), 0);
    assert_true(a32_load_acq(&timers_made) > THREADS);
    assert_int_equal(a32_load_acq(&timers_left), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_p_is_not_left_idle_beside_work),
        cmocka_unit_test(the_end_finds_every_p),
        cmocka_unit_test(no_beginning),
        cmocka_unit_test(no_first_thread),
        cmocka_unit_test(a_worker_gives_way),
        cmocka_unit_test(debts_are_waited_for),
        cmocka_unit_test(no_timer_stays),
        cmocka_unit_test(the_clock_is_waited_for_asleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
