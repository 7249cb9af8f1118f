/* SPDX-License-Identifier: MIT */
/*
 * Once a goroutine has parked it may run elsewhere: who does what is left to be
 * done for its sleep has no goroutine, whose stack somebody might walk over.  The
 * linker puts a function of this file in the place of sched_wakep() (meson.build),
 * which may start a thread.
 */
#include "tests/unit/sched/fake.h"

#include "sched/sched_int.h"

enum { SOON = 1000000 }; /* ns */

void __real_sched_wakep(struct sched *s);
void __wrap_sched_wakep(struct sched *s);

static a_u32 kicks, strangers;

void
__wrap_sched_wakep(struct sched *s)
{
    const struct sched_m *m = sched_m_self();
    const struct sched_g *g = m == NULL ? NULL : m->g;

    a32_add_full(&kicks, 1);
    if (g != NULL && sched_g_state(g) != G_RUNNING)
        a32_add_full(&strangers, 1);
    __real_sched_wakep(s);
}

static void
value(void *data, uint64_t arg, uint64_t when, uint64_t now, bool bubble,
    union rt_slot *v)
{
    (void)data;
    (void)arg;
    (void)now;
    (void)bubble;
    v->u = when;
}

static const struct tchan_ops sends = {&layout_int, value, NULL, false};

static struct sched_chan *
soon(struct co *c)
{
    struct sched_chan *ch = tchan_make(c->m, &sends, NULL, 5);

    c->w->root[c->i + 1] = ch;
    tchan_set(c->m, ch, sched_now(c->m->sched) + SOON, 0);
    a32_store_rel(&kicks, 0);
    return ch;
}

/* Each by another of the three that leave something to be done, and again where
 * that was none, as the time had come before on a busy machine. */
static enum sched_run
waits(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < 3; c->i += a32_load_acq(&kicks) > 0) {
        a32_store_rel(&kicks, 0);
        if (c->i == 0) {
            CO_WAIT(timer_sleep(c->m, SOON));
        } else if (c->i == 1) {
            c->v[2].p = soon(c);
            CO_RECV(c->v[2].p, &c->v[3]);
        } else {
            static struct chan_case both[2];

            both[0] = (struct chan_case){soon(c), &c->v[3], false};
            both[1] = (struct chan_case){NULL, &c->v[4], false};
            CO_WAIT(chan_select(c->m, both, 2, false) == CHAN_PARK);
        }
    }
    CO_END;
}

static void
who_has_parked_is_nobodys_goroutine(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, waits), 0);
    assert_int_equal(a32_load_acq(&strangers), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_parked_is_nobodys_goroutine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
