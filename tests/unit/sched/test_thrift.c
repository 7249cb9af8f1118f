/* SPDX-License-Identifier: MIT */
/*
 * What is not done: nobody is woken for nothing, the monitor slows down while
 * nothing happens, no more memory is taken than what is needed, and who hands
 * over looks for nobody.  The
 * linker puts functions of this file in the place of some of the scheduler's
 * own (meson.build), which count and refuse.
 */
#include "tests/unit/sched/fake.h"

#include <fcntl.h>

#include "runtime/base/futex.h"
#include "runtime/base/note.h"
#include "sched/sched_int.h"

void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void __real_sched_wakep(struct sched *s);
void __wrap_sched_wakep(struct sched *s);
void __real_timer_kick(struct sched *s, uint64_t when);
void __wrap_timer_kick(struct sched *s, uint64_t when);
bool __real_rt_note_tsleep(struct rt_note *n, int64_t ns);
bool __wrap_rt_note_tsleep(struct rt_note *n, int64_t ns);
void __real_rt_futex_wake(a_u32 *a, uint32_t n);
void __wrap_rt_futex_wake(a_u32 *a, uint32_t n);
bool __real_gc_should_start(const struct gc_heap *h);
bool __wrap_gc_should_start(const struct gc_heap *h);

struct sched_g *__real_find_runnable(struct sched_mi *m);
struct sched_g *__wrap_find_runnable(struct sched_mi *m);

static _Thread_local bool no_malloc; /* there is no memory */
static a_u32 kicks, woken, finds;

void *
__wrap_malloc(size_t n)
{
    return no_malloc ? NULL : __real_malloc(n);
}

void
__wrap_timer_kick(struct sched *s, uint64_t when)
{
    a32_add_full(&kicks, 1);
    __real_timer_kick(s, when);
}

void
__wrap_sched_wakep(struct sched *s)
{
    a32_add_full(&woken, 1);
    __real_sched_wakep(s);
}

struct sched_g *
__wrap_find_runnable(struct sched_mi *m)
{
    a32_add_full(&finds, 1);
    return __real_find_runnable(m);
}

/* ---- the monitor ---------------------------------------------------------------- */

enum { LOOKS = 200, ASKED = 100 };

/* While it is on, the monitor does not sleep: how long it would have is noted.
 * Before the look number ASKED a collection is asked for that does not begin. */
static struct {
    a_ptr note; /* struct rt_note *: the monitor's, while this is on */
    a_u32 n;
    int64_t ns[LOOKS];
} looks;

/* Who sleeps on this note does so until somebody wakes it. */
static a_ptr for_good; /* struct rt_note *, or NULL */
static a_u32 asleep;

bool
__wrap_rt_note_tsleep(struct rt_note *n, int64_t ns)
{
    uint32_t i = a32_load_rlx(&looks.n);

    if (aptr_load_acq(&for_good) == n) {
        a32_store_rel(&asleep, 1);
        rt_note_sleep(n);
        return true;
    }
    if (aptr_load_acq(&looks.note) != n || i == LOOKS)
        return __real_rt_note_tsleep(n, ns);
    looks.ns[i] = ns;
    a32_store_rel(&looks.n, i + 1);
    return false;
}

bool
__wrap_gc_should_start(const struct gc_heap *h)
{
    /* The monitor's own look alone: it has no M. */
    if (sched_m_self() == NULL && aptr_load_acq(&looks.note) != NULL &&
        a32_load_acq(&looks.n) == ASKED)
        return true;
    return __real_gc_should_start(h);
}

/* Runs on, with nothing for anybody else to do, while the monitor looks. */
static enum sched_run
runs_on(struct co *c)
{
    struct sched *s = c->w->s;

    CO_BEGIN;
    while (a32_load_acq(&s->npidle) != 1 ||
        a32_load_acq(&s->nspinning) != 0)
        CO_YIELD();
    a32_store_rel(&woken, 0);
    aptr_store_rel(&looks.note, &s->monnote);
    while (a32_load_acq(&looks.n) < LOOKS)
        rt_cpu_relax();
    a64_store_rel(&c->w->count[0], a32_load_acq(&woken));
    CO_END;
}

static void
the_monitor_slows_down(void **state)
{
    struct world w;
    int64_t least, most;

    (void)state;
    world_open(&w, 2);
    assert_int_equal(world_go(&w, runs_on), 0);
    aptr_store_rel(&looks.note, NULL);
    world_close(&w);
    /* No timer is set: nobody had to be woken. */
    assert_int_equal(a64_load_acq(&w.count[0]), 0);
    least = most = looks.ns[0];
    for (unsigned i = 1; i < LOOKS; i++) {
        if (i != ASKED)
            assert_in_range(looks.ns[i], looks.ns[i - 1],
                2 * looks.ns[i - 1]);
        if (looks.ns[i] < least)
            least = looks.ns[i];
        if (looks.ns[i] > most)
            most = looks.ns[i];
    }
    /* Quickly again where it has something to look after. */
    assert_true(looks.ns[ASKED - 1] > least);
    assert_int_equal(looks.ns[ASKED], least);
    assert_int_equal(looks.ns[LOOKS - 1], most);
}

static enum sched_run
ends(struct co *c)
{
    CO_BEGIN;
    CO_END;
}

/* Runs on while another one waits for the only P. */
static enum sched_run
keeps_its_p(struct co *c)
{
    CO_BEGIN;
    co_go(c, ends, 0, 0, NULL, NULL);
    aptr_store_rel(&looks.note, &c->w->s->monnote);
    while (a32_load_acq(&looks.n) < LOOKS)
        rt_cpu_relax();
    CO_END;
}

/* Half a millisecond is the longest that it sleeps then. */
static void
the_monitor_looks_after_who_waits(void **state)
{
    struct world w;

    (void)state;
    a32_store_rel(&looks.n, 0);
    world_open(&w, 1);
    assert_int_equal(world_go(&w, keeps_its_p), 0);
    aptr_store_rel(&looks.note, NULL);
    world_close(&w);
    for (unsigned i = 0; i < LOOKS; i++)
        assert_in_range(looks.ns[i], 1, 500000);
    assert_int_equal(looks.ns[LOOKS - 1], 500000);
}

/* Ends while the monitor sleeps. */
static enum sched_run
ends_beside_a_sleeper(struct co *c)
{
    CO_BEGIN;
    aptr_store_rel(&for_good, &c->w->s->monnote);
    while (a32_load_acq(&asleep) == 0)
        rt_cpu_relax();
    CO_END;
}

/* The thread that waits for the end is the monitor: it is woken, and does not
 * come by the end of its nap. */
static void
the_end_wakes_the_monitor(void **state)
{
    (void)state;
    for (unsigned procs = 1; procs <= 2; procs++) {
        struct world w;

        a32_store_rel(&asleep, 0);
        world_open(&w, procs);
        assert_int_equal(world_go(&w, ends_beside_a_sleeper), 0);
        aptr_store_rel(&for_good, NULL);
        world_close(&w);
    }
}

/* ---- a stack is moved whose goroutine waits ------------------------------------- */

enum { CASES = 16 };

static union rt_slot frame[CASES + 1], moved_to[CASES + 1];
static struct chan_case cases[CASES + 1];

/* v[0]: from so many channels; 1 is a plain receive. */
static enum sched_run
receives(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < c->v[0].i; c->i++)
        cases[c->i] = (struct chan_case){c->w->root[c->i], &frame[c->i],
            false};
    CO_WAIT(chan_select(c->m, cases, (uint32_t)c->v[0].i, false) ==
        CHAN_PARK);
    a32_store_rel(&c->w->word[0], 1);
    CO_END;
}

static enum sched_run
waits_for_ever(struct co *c)
{
    CO_BEGIN;
    CO_RECV(NULL, &c->v[4]);
    CO_END;
}

static void
count_move(void *arg)
{
    a32_add_full(arg, 1);
}

static bool
move_frame(struct co *c, struct sched_g *g)
{
    bool ok;

    no_malloc = true;
    ok = sched_shift_elems(c->m, g, frame, frame + CASES + 1, moved_to,
        count_move, &c->w->word[1]);
    no_malloc = false;
    return ok;
}

/* count 0: how many channels */
static enum sched_run
moves(struct co *c)
{
    CO_BEGIN;
    c->n = (int64_t)a64_load_rlx(&c->w->count[0]);
    for (c->i = 0; c->i < c->n; c->i++)
        c->w->root[c->i] = co_chan(c, 0);
    c->v[3].p = co_go(c, receives, c->n, 0, NULL, NULL);
    while (sched_g_state(c->v[3].p) != G_WAITING)
        CO_YIELD();
    if (c->n > CASES) {
        rt_check(!move_frame(c, c->v[3].p), "memory is out");
        rt_check(a32_load_acq(&c->w->word[1]) == 0, "moved all the same");
    } else {
        rt_check(move_frame(c, c->v[3].p), "no memory is needed");
        rt_check(a32_load_acq(&c->w->word[1]) == 1, "moved once");
    }
    c->v[4].i = 42;
    CO_SEND(c->w->root[c->n - 1], &c->v[4]);
    if (c->n <= CASES) {
        /* It has been woken, and has what it waited for. */
        rt_check(sched_g_state(c->v[3].p) == G_RUNNABLE, "runs");
        rt_check(move_frame(c, c->v[3].p), "runnable");
        rt_check(a32_load_acq(&c->w->word[1]) == 2, "moved again");
    }
    while (a32_load_acq(&c->w->word[0]) == 0)
        CO_YIELD();
    CO_END;
}

/* Who waits for no channel has nothing outside its frame. */
static enum sched_run
moves_for_ever(struct co *c)
{
    CO_BEGIN;
    c->v[3].p = co_go(c, waits_for_ever, 0, 0, NULL, NULL);
    while (sched_g_state(c->v[3].p) != G_WAITING)
        CO_YIELD();
    rt_check(move_frame(c, c->v[3].p), "for ever");
    CO_END;
}

/* What is sent comes where the frame is then; a select of a few cases needs
 * no memory for it, and one without timers wakes nobody who sleeps for one. */
static void
a_receiver_is_found_where_it_is(void **state)
{
    static const unsigned ns[] = {1, 2, CASES, CASES + 1};
    struct world w;

    (void)state;
    for (unsigned i = 0; i < sizeof ns / sizeof *ns; i++) {
        unsigned n = ns[i];
        const union rt_slot *has = n > CASES ? frame : moved_to;
        const union rt_slot *has_not = n > CASES ? moved_to : frame;

        memset(frame, 0, sizeof frame);
        memset(moved_to, 0, sizeof moved_to);
        world_open(&w, 1);
        a64_store_rlx(&w.count[0], n);
        a32_store_rel(&kicks, 0);
        assert_int_equal(world_go(&w, moves), 0);
        assert_int_equal(a32_load_acq(&kicks), 0);
        world_close(&w);
        assert_int_equal(has[n - 1].i, 42);
        assert_int_equal(has_not[n - 1].i, 0);
    }
    assert_int_equal(world_run(&w, 2, moves_for_ever), 0);
}

/* ---- who naps is woken ------------------------------------------------------------ */

static struct {
    a_u32 *word; /* whose wakes are counted; or NULL */
    unsigned wakes;
    uint32_t n;
} naps;

void
__wrap_rt_futex_wake(a_u32 *a, uint32_t n)
{
    if (naps.word == a) {
        naps.n = n;
        naps.wakes++;
    }
    __real_rt_futex_wake(a, n);
}

/* What the mark waits for may be what each of the workers waits for: an event
 * wakes all of them, and asks the kernel for nothing where there is none. */
static void
an_event_wakes_all_that_nap(void **state)
{
    struct world w;

    (void)state;
    world_open(&w, 1);
    naps.word = &w.s->gc_event;
    for (uint32_t nappers = 0; nappers < 3; nappers++) {
        uint32_t event = a32_load_rlx(&w.s->gc_event);

        naps.wakes = 0;
        a32_store_rlx(&w.s->gc_nappers, nappers);
        gcwork_event(w.s);
        assert_int_not_equal(a32_load_rlx(&w.s->gc_event), event);
        assert_int_equal(naps.wakes, nappers > 0);
    }
    assert_int_equal(naps.n, RT_FUTEX_ALL);
    naps.word = NULL;
    a32_store_rlx(&w.s->gc_nappers, 0);
    world_close(&w);
}

/* ---- how much memory ------------------------------------------------------------- */

enum { MANY = 1000 };

static void
never(struct sched_m *m, struct sched_timer *t, uint64_t now)
{
    (void)m;
    (void)now;
    rt_check(t == NULL, "fired");
}

static enum sched_run
sets_timers(struct co *c)
{
    static struct sched_timer t[MANY];
    struct sched_timers *h = &pi_of(c->m->p)->timers;
    uint32_t first = 0;

    memset(t, 0, sizeof t);
    for (uint32_t i = 0; i < MANY; i++) {
        t[i].fire = never;
        timer_set(c->m, &t[i], UINT64_MAX / 4 + i);
        if (i == 0)
            first = h->cap;
        rt_check(h->cap >= h->n, "room");
        rt_check(h->cap == first || h->cap < 2 * h->n, "too much");
    }
    for (uint32_t i = 0; i < MANY; i++)
        timer_stop(c->m, &t[i]);
    return SCHED_RUN_DONE;
}

static enum sched_run
starts_many(struct co *c)
{
    struct sched *s = c->w->s;

    for (uint32_t i = 0; i < MANY; i++) {
        co_go(c, ends, 0, 0, NULL, NULL);
        uint32_t gs = s->ngchunks * G_CHUNK;
        rt_check(s->globq.cap >= gs, "room for all");
        rt_check(s->globq.cap < 2 * gs, "too much");
    }
    return SCHED_RUN_DONE;
}

/* Less than twice what is needed. */
static void
what_grows_is_half_used(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, sets_timers), 0);
    assert_int_equal(world_run(&w, 1, starts_many), 0);
}

/* ---- handing over --------------------------------------------------------------- */

enum { ROUNDS = 10 * SCHED_FAIR_TICK };

static enum sched_run
answers(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < ROUNDS; c->i++) {
        CO_RECV(c->v[2].p, &c->v[4]);
        CO_SEND(c->v[3].p, &c->v[4]);
    }
    CO_END;
}

static enum sched_run
asks(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    c->v[3].p = co_chan(c, 0);
    co_go(c, answers, 0, 0, c->v[2].p, c->v[3].p);
    a32_store_rel(&finds, 0);
    for (c->i = 0; c->i < ROUNDS; c->i++) {
        c->v[4].i = c->i;
        CO_SEND(c->v[2].p, &c->v[4]);
        CO_RECV(c->v[3].p, &c->v[5]);
        rt_check(c->v[5].i == c->i, "another answer");
    }
    a64_store_rel(&c->w->count[0], a32_load_acq(&finds));
    CO_END;
}

/* Who hands over goes by the whole of the scheduler when it is the others'
 * turn, and else to whom he has woken; a trace changes nothing of that. */
static void
handing_over_is_no_search(void **state)
{
    struct world w;

    (void)state;
    for (int traced = 0; traced < 2; traced++) {
        struct trace_config cfg = {.close_fd = true};
        struct rt_err e;

        world_open(&w, 1);
        if (traced) {
            cfg.fd = open("/dev/null", O_WRONLY);
            assert_true(cfg.fd >= 0);
            assert_int_equal(trace_start(&w.trace, &cfg, &e), RT_OK);
        }
        assert_int_equal(world_go(&w, asks), 0);
        assert_in_range(a64_load_acq(&w.count[0]),
            2 * ROUNDS / SCHED_FAIR_TICK, 3 * ROUNDS / SCHED_FAIR_TICK);
        if (traced)
            assert_int_equal(trace_stop(&w.trace, &e), RT_OK);
        world_close(&w);
    }
}

/* Waits to send on v[2], which is closed meanwhile. */
static enum sched_run
fails_to_send(struct co *c)
{
    CO_BEGIN;
    CO_SEND(c->v[2].p, &c->v[4]);
    rt_check(c->g->wake_panic, "nobody has closed it");
    c->g->wake_panic = false;
    co_count(c, 1, 1);
    rt_check(world_count(c->w, 2) == 0, "it was woken first");
    CO_END;
}

static enum sched_run
comes_second(struct co *c)
{
    CO_BEGIN;
    co_count(c, 2, 1);
    CO_DONE();
    CO_END;
}

/* Whose send panics has to be told by run_g(), and keeps its place. */
static enum sched_run
closes(struct co *c)
{
    CO_BEGIN;
    c->w->root[0] = co_chan(c, 0);
    c->v[2].p = co_chan(c, 0);
    co_go(c, fails_to_send, 0, 0, c->v[2].p, NULL);
    CO_YIELD();
    co_go(c, comes_second, 0, 0, NULL, NULL);
    rt_check(chan_close(c->m, c->v[2].p) == CHAN_DONE, "close");
    CO_WAIT_ALL(1);
    rt_check(world_count(c->w, 1) == 1, "whose send fails");
    CO_END;
}

static void
a_failed_send_is_begun_by_the_host(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, closes), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_monitor_slows_down),
        cmocka_unit_test(the_monitor_looks_after_who_waits),
        cmocka_unit_test(the_end_wakes_the_monitor),
        cmocka_unit_test(a_receiver_is_found_where_it_is),
        cmocka_unit_test(an_event_wakes_all_that_nap),
        cmocka_unit_test(what_grows_is_half_used),
        cmocka_unit_test(handing_over_is_no_search),
        cmocka_unit_test(a_failed_send_is_begun_by_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
