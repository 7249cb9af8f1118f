/* SPDX-License-Identifier: MIT */
/* What schedtrace and scheddetail say of a scheduler whose state is known. */
#include "tests/unit/sched/fake.h"

#include <stdio.h>
#include <unistd.h>

#include "sched/sched_int.h"

enum { WAITERS = 300 }; /* more than fit into the printer's buffer at once */

static FILE *out;
static unsigned long long self_id;

static enum sched_run
waits(struct co *c)
{
    CO_BEGIN;
    CO_RECV(c->v[2].p, &c->v[4]);
    CO_END;
}

static enum sched_run
ends(struct co *c)
{
    CO_BEGIN;
    CO_END;
}

/* Alone on the only P, beside goroutines that wait for a channel. */
static enum sched_run
prints(struct co *c)
{
    CO_BEGIN;
    /* Later ones take the places of these, in another order. */
    for (c->i = 0; c->i < 10; c->i++)
        co_go(c, ends, 0, 0, NULL, NULL);
    while (runq_len(c->w->s->allp[0]) > 0)
        CO_YIELD();
    c->v[0].p = co_chan(c, 0);
    for (c->i = 0; c->i < WAITERS; c->i++)
        co_go(c, waits, 0, 0, c->v[0].p, NULL);
    while (runq_len(c->w->s->allp[0]) > 0)
        CO_YIELD();
    self_id = c->g->id;
    sched_print_state(c->w->s, true);
    sched_print_state(c->w->s, false);
    chan_close(c->m, c->v[0].p);
    CO_END;
}

static unsigned long long waiting[WAITERS];
static unsigned nwaiting, running, ms_at_p;

/* A line of the detail: whole, and true. */
static void
look_at(const char *line)
{
    unsigned long long id;
    unsigned p, status, tick, sys, len, g0, timers;
    long long m, curg;
    char reason[32], spinning[8], blocked[8];
    int end = -1;

    if (sscanf(line, "  P%u: status=%u schedtick=%u syscalltick=%u m=%lld "
                     "runqsize=%u gfreecnt=%u timerslen=%u\n%n",
            &p, &status, &tick, &sys, &m, &len, &g0, &timers, &end) == 8 &&
        end > 0) {
        assert_int_equal(p, 0);
        assert_int_equal(status, P_RUNNING);
        assert_int_equal(len, 0);
        assert_true(m >= 0);
        return;
    }
    if (sscanf(line, "  M%llu: p=%lld curg=%lld spinning=%7s blocked=%7s\n%n",
            &id, &m, &curg, spinning, blocked, &end) == 5 && end > 0) {
        if (m == 0) {
            assert_int_equal(curg, self_id);
            assert_string_equal(spinning, "false");
            ms_at_p++;
        } else {
            assert_true(m == -1 && curg == -1);
        }
        return;
    }
    if (sscanf(line, "  G%llu: status=%u(%31[^)]) m=-1 lockedm=-1\n%n", &id,
            &status, reason, &end) == 3 && end > 0) {
        if (strcmp(reason, "chan receive") == 0) {
            assert_true(nwaiting < WAITERS && status == G_WAITING);
            waiting[nwaiting++] = id;
        }
        return;
    }
    if (sscanf(line, "  G%llu: status=%u() m=%lld lockedm=-1\n%n", &id,
            &status, &m, &end) == 3 && end > 0) {
        if (status == G_RUNNING) {
            assert_int_equal(id, self_id);
            assert_true(m >= 0);
            running++;
        }
        return;
    }
    fail_msg("not a line of the detail: %s", line);
}

static void
test_state(void **state)
{
    static const char head[] = "SCHED ";
    struct world w;
    char line[512];
    unsigned heads = 0;

    (void)state;
    out = tmpfile();
    assert_non_null(out);
    world_open(&w, 1);
    w.s->cfg.err_fd = fileno(out);
    assert_int_equal(world_go(&w, prints), 0);
    world_close(&w);
    rewind(out);
    while (fgets(line, sizeof line, out) != NULL) {
        assert_int_equal(line[strlen(line) - 1], '\n');
        if (strncmp(line, head, sizeof head - 1) != 0) {
            assert_int_equal(heads, 1);
            look_at(line);
            continue;
        }
        heads++;
        assert_non_null(strstr(line, "gomaxprocs=1 idleprocs=0 "));
        assert_non_null(strstr(line, " runqueue=0 "));
        if (heads == 1)
            assert_non_null(strstr(line, " gcwaiting=false "));
        else
            assert_non_null(strstr(line, " runqueue=0 [0]\n"));
    }
    fclose(out);
    assert_int_equal(heads, 2);
    assert_int_equal(running, 1);
    assert_int_equal(ms_at_p, 1);
    assert_int_equal(nwaiting, WAITERS);
    /* Goroutines come by their numbers. */
    for (unsigned i = 1; i < nwaiting; i++)
        assert_true(waiting[i - 1] < waiting[i]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
