/* SPDX-License-Identifier: MIT */
/* The netpoller, over real descriptors. */
#include "tests/unit/sched/fake.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "sched/netpoll.h"
#include "sched/sched_int.h"

static const int64_t MS = 1000000, HOUR = INT64_C(3600000000000);

/* As the natives do: c->k is the answer. */
static bool
waits(struct co *c, void *d, enum poll_mode mode, bool cancelled)
{
    enum poll_status status = POLL_AGAIN;

    c->k = POLL_AGAIN;
    if (netpoll_wait(c->m, d, mode, cancelled, &status))
        return true;
    c->k = status;
    return false;
}

#define CO_POLL(d, mode)                            \
    do {                                            \
        CO_WAIT(waits(c, (d), (mode), false));      \
    } while (c->k == POLL_AGAIN)

static void
pair(int fd[2])
{
    rt_check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
        fd) == 0, "socketpair");
}

static struct poll_desc *
desc(struct co *c, int fd)
{
    struct poll_desc *d = NULL;

    rt_check(netpoll_open(c->m, fd, &d) == 0 && d != NULL, "open");
    return d;
}

static void
close_desc(struct co *c, void *d)
{
    netpoll_unblock(c->m, d);
    netpoll_close(c->m, d);
}

/* ---- what is sent arrives --------------------------------------------------- */

enum { PAIRS = 20, BYTES = 400 };

/* v[0]: the descriptor, v[1]: 0 reads, 1 writes.  count 0: bytes read. */
static enum sched_run
end(struct co *c)
{
    enum poll_mode mode = c->v[1].i == 0 ? POLL_READ : POLL_WRITE;
    char byte = 0;

    CO_BEGIN;
    c->v[2].p = desc(c, (int)c->v[0].i);
    while (c->i < BYTES) {
        rt_check(netpoll_reset(c->m, c->v[2].p, mode) == POLL_READY, "reset");
        ssize_t n = mode == POLL_READ ? read((int)c->v[0].i, &byte, 1)
                                      : write((int)c->v[0].i, &byte, 1);

        if (n == 1) {
            c->i++;
            if (mode == POLL_READ)
                a64_add_full(&c->w->count[0], 1);
            else if (c->i % 3 == 0)
                CO_YIELD();
        } else {
            rt_check(n < 0 && errno == EAGAIN, "again");
            CO_POLL(c->v[2].p, mode);
            rt_check(c->k == POLL_READY, "ready");
        }
        CO_LOOP();
    }
    close_desc(c, c->v[2].p);
    close((int)c->v[0].i);
    a32_add_full(&c->w->word[0], 1);
    CO_END;
}

/* Meanwhile the world is stopped, and the number of Ps changes. */
static enum sched_run
traffic(struct co *c)
{
    int fd[2];

    CO_BEGIN;
    for (int i = 0; i < PAIRS; i++) {
        pair(fd);
        co_go(c, end, fd[0], 0, NULL, NULL);
        co_go(c, end, fd[1], 1, NULL, NULL);
    }
    c->n = sched_gomaxprocs(c->m, 0);
    while (a32_load_acq(&c->w->word[0]) < 2 * PAIRS) {
        sched_stop_world(c->m, STW_UNKNOWN);
        sched_start_world(c->m);
        sched_gomaxprocs(c->m, 1 + (int32_t)(c->i++ % (c->n + 1)));
        CO_WAIT(timer_sleep(c->m, MS / 5));
        CO_YIELD();
    }
    rt_check(a64_load_acq(&c->w->count[0]) == PAIRS * BYTES, "all bytes");
    rt_check(a32_load_acq(&c->w->s->net.waiters) == 0, "nobody waits");
    CO_END;
}

static void
test_traffic(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, traffic), 0);
}

/* ---- deadlines ------------------------------------------------------------------ */

/* v[0]: the descriptor; waits to read, count 1: the answer and 100. */
static enum sched_run
waiter(struct co *c)
{
    CO_BEGIN;
    CO_POLL(c->v[2].p, POLL_READ);
    a64_store_rel(&c->w->count[1], (uint64_t)c->k + 100);
    CO_END;
}

static bool
is_parked(struct co *c, uint32_t n)
{
    return a32_load_acq(&c->w->s->net.waiters) == n;
}

static enum sched_run
deadlines(struct co *c)
{
    int fd[2];

    CO_BEGIN;
    pair(fd);
    c->n = fd[1];
    c->v[4].i = fd[0];
    c->v[2].p = desc(c, fd[0]);
    /* One that is over before anybody waits, and is taken back. */
    netpoll_set_deadline(c->m, c->v[2].p, -1, POLL_READ | POLL_WRITE);
    CO_WAIT(waits(c, c->v[2].p, POLL_READ, false));
    rt_check(c->k == POLL_TIMEOUT, "late before");
    rt_check(netpoll_reset(c->m, c->v[2].p, POLL_WRITE) == POLL_TIMEOUT,
        "both directions");
    netpoll_set_deadline(c->m, c->v[2].p, 0, POLL_WRITE);
    rt_check(netpoll_reset(c->m, c->v[2].p, POLL_WRITE) == POLL_READY,
        "taken back");
    rt_check(netpoll_reset(c->m, c->v[2].p, POLL_READ) == POLL_TIMEOUT,
        "the other one stays");
    /* One that comes while it waits. */
    netpoll_set_deadline(c->m, c->v[2].p, MS, POLL_READ);
    CO_POLL(c->v[2].p, POLL_READ);
    rt_check(c->k == POLL_TIMEOUT, "late");
    /* One that is set, again and again, while another waits. */
    netpoll_set_deadline(c->m, c->v[2].p, 0, POLL_READ);
    co_go(c, waiter, 0, 0, c->v[2].p, NULL);
    while (!is_parked(c, 1))
        CO_YIELD();
    netpoll_set_deadline(c->m, c->v[2].p, HOUR, POLL_READ);
    netpoll_set_deadline(c->m, c->v[2].p, 1, POLL_WRITE);
    CO_WAIT(timer_sleep(c->m, MS));
    rt_check(a64_load_acq(&c->w->count[1]) == 0, "not yet");
    netpoll_set_deadline(c->m, c->v[2].p, MS, POLL_READ);
    while (a64_load_acq(&c->w->count[1]) == 0)
        CO_YIELD();
    rt_check(a64_load_acq(&c->w->count[1]) == 100 + POLL_TIMEOUT, "late");
    /* One that is over at once. */
    a64_store_rel(&c->w->count[1], 0);
    netpoll_set_deadline(c->m, c->v[2].p, 0, POLL_READ);
    co_go(c, waiter, 0, 0, c->v[2].p, NULL);
    while (!is_parked(c, 1))
        CO_YIELD();
    netpoll_set_deadline(c->m, c->v[2].p, -1, POLL_READ);
    while (a64_load_acq(&c->w->count[1]) == 0)
        CO_YIELD();
    rt_check(a64_load_acq(&c->w->count[1]) == 100 + POLL_TIMEOUT, "at once");
    close_desc(c, c->v[2].p);
    close((int)c->v[4].i);
    close((int)c->n);
    rt_check(timers_next_all(c->w->s) == 0, "no timer is left");
    CO_END;
}

static void
test_deadlines(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, deadlines), 0);
}

/* ---- closing, errors, reuse -------------------------------------------------------- */

static enum sched_run
closing(struct co *c)
{
    struct poll_desc *again;
    int fd[2], bad[2];
    char buf[4096] = {0};

    CO_BEGIN;
    pair(fd);
    c->n = fd[1];
    c->v[4].i = fd[0];
    c->v[2].p = desc(c, fd[0]);
    netpoll_set_deadline(c->m, c->v[2].p, HOUR, POLL_READ);
    co_go(c, waiter, 0, 0, c->v[2].p, NULL);
    while (!is_parked(c, 1))
        CO_YIELD();
    netpoll_unblock(c->m, c->v[2].p);
    rt_check(timers_next_all(c->w->s) == 0, "no timer is left");
    while (a64_load_acq(&c->w->count[1]) == 0)
        CO_YIELD();
    rt_check(a64_load_acq(&c->w->count[1]) == 100 + POLL_CLOSING, "closing");
    rt_check(netpoll_reset(c->m, c->v[2].p, POLL_WRITE) == POLL_CLOSING,
        "reset of one that closes");
    netpoll_set_deadline(c->m, c->v[2].p, 1, POLL_READ);
    rt_check(timers_next_all(c->w->s) == 0, "a deadline comes too late");
    netpoll_close(c->m, c->v[2].p);

    /* The same descriptor is there again, as if it were new. */
    again = desc(c, (int)c->v[4].i);
    rt_check(again == c->v[2].p, "reused");
    rt_check(netpoll_reset(c->m, again, POLL_READ) == POLL_READY, "fresh");
    /* What is begun comes to its end: there is room to write.  That is told
     * once, and may have been before anybody waits. */
    do {
        CO_WAIT(waits(c, c->v[2].p, POLL_WRITE, true));
    } while (c->k == POLL_AGAIN);
    rt_check(c->k == POLL_READY, "room");
    close_desc(c, c->v[2].p);
    close((int)c->v[4].i);
    close((int)c->n);

    /* A file is always ready, and epoll does not want it. */
    c->n = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    rt_check(c->n >= 0 && netpoll_open(c->m, (int)c->n, &again) == EPERM,
        "a file");
    close((int)c->n);
    rt_check(netpoll_is_own(c->w->s, c->w->s->net.epfd) &&
        !netpoll_is_own(c->w->s, 0), "own");

    /* The reader of a full pipe goes away: EPOLLERR and nothing else. */
    rt_check(pipe2(bad, O_NONBLOCK | O_CLOEXEC) == 0, "pipe");
    while (write(bad[1], buf, sizeof buf) > 0)
        ;
    c->v[4].i = bad[1];
    c->v[2].p = desc(c, bad[1]);
    close(bad[0]);
    CO_POLL(c->v[2].p, POLL_WRITE);
    rt_check(c->k == POLL_READY, "writing says what is wrong");
    rt_check(netpoll_reset(c->m, c->v[2].p, POLL_READ) == POLL_NOT_POLLABLE,
        "error");
    close_desc(c, c->v[2].p);
    close((int)c->v[4].i);
    CO_END;
}

static void
test_closing(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, closing), 0);
}

/* Descriptors come and go while there are events for them, and deadlines. */
static enum sched_run
churn(struct co *c)
{
    char byte = 0;
    int fd[2];

    CO_BEGIN;
    for (c->i = 0; c->i < 300; c->i++) {
        pair(fd);
        c->v[4].i = fd[0];
        c->n = fd[1];
        c->v[2].p = desc(c, fd[0]);
        rt_check(write(fd[1], &byte, 1) == 1, "write");
        netpoll_set_deadline(
            c->m, c->v[2].p, c->i % 7 * 1000 + 1, POLL_READ | POLL_WRITE);
        CO_POLL(c->v[2].p, POLL_READ);
        rt_check(c->k == POLL_READY || c->k == POLL_TIMEOUT, "either");
        close_desc(c, c->v[2].p);
        close((int)c->v[4].i);
        close((int)c->n);
        CO_LOOP();
    }
    a32_add_full(&c->w->word[0], 1);
    CO_END;
}

static enum sched_run
churns(struct co *c)
{
    CO_BEGIN;
    for (int i = 0; i < 10; i++)
        co_go(c, churn, 0, 0, NULL, NULL);
    while (a32_load_acq(&c->w->word[0]) < 10)
        CO_WAIT(timer_sleep(c->m, MS));
    rt_check(is_parked(c, 0), "nobody waits");
    CO_END;
}

static void
test_churn(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, churns), 0);
}

/* ---- who waits for a descriptor may be woken from outside --------------------------- */

static a_i32 outside_fd;
static a_u32 *outside_waiters;

/* A thread of the host writes once the goroutine waits. */
static void *
outside(void *arg)
{
    char byte = 0;

    while (a32_load_acq(outside_waiters) == 0)
        nanosleep(&(struct timespec){0, 100000}, NULL);
    /* All Ms have gone to sleep by now, or will. */
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    rt_check(write(ai32_load_acq(&outside_fd), &byte, 1) == 1, "write");
    return arg;
}

/* count 2: 1 another goroutine runs all the time, 2 this one has its thread
 * for itself */
static enum sched_run
spinner(struct co *c)
{
    CO_BEGIN;
    while (a32_load_acq(&c->w->word[0]) == 0)
        CO_LOOP();
    CO_END;
}

static enum sched_run
alone(struct co *c)
{
    int fd[2];

    CO_BEGIN;
    pair(fd);
    c->v[4].i = fd[0];
    c->n = fd[1];
    ai32_store_rel(&outside_fd, fd[1]);
    c->v[2].p = desc(c, fd[0]);
    outside_waiters = &c->w->s->net.waiters;
    rt_check(pthread_create((pthread_t *)&c->v[5].u, NULL, outside, NULL) == 0,
        "thread");
    if (a64_load_acq(&c->w->count[2]) == 1)
        for (uint32_t i = 0; i < sched_procs(c->w->s); i++)
            co_go(c, spinner, 0, 0, NULL, NULL);
    if (a64_load_acq(&c->w->count[2]) == 2)
        sched_lock_thread(c->m, true);
    CO_POLL(c->v[2].p, POLL_READ);
    rt_check(c->k == POLL_READY, "ready");
    a32_store_rel(&c->w->word[0], 1);
    pthread_join((pthread_t)c->v[5].u, NULL);
    close_desc(c, c->v[2].p);
    close((int)c->v[4].i);
    close((int)c->n);
    CO_END;
}

static void
test_outside(void **state)
{
    struct world w;

    (void)state;
    for (unsigned how = 0; how < 3; how++)
        FOR_PROCS(p)
        {
            world_open(&w, p);
            a64_store_rel(&w.count[2], how);
            assert_int_equal(world_go(&w, alone), 0);
            assert_int_equal(a32_load_acq(&w.fatals), 0);
            world_close(&w);
        }
}

/* ---- who sleeps for events leaves them, and says that there are some ------------------- */

static enum sched_run
sleeps(struct co *c)
{
    struct netpoll *n = &c->w->s->net;
    char byte = 0;
    int fd[2];

    CO_BEGIN;
    pair(fd);
    c->v[4].i = fd[0];
    c->n = fd[1];
    c->v[2].p = desc(c, fd[0]);
    netpoll_take(mi_of(c->m)); /* it can be written to */
    /* Woken, without an event. */
    netpoll_break(c->w->s);
    netpoll_sleep(c->w->s, HOUR);
    rt_check(a32_load_acq(&n->wanted) == 0, "woken");
    /* Neither; the break is used up. */
    netpoll_sleep(c->w->s, 1);
    rt_check(a32_load_acq(&n->wanted) == 0, "nothing");
    rt_check(write((int)c->n, &byte, 1) == 1, "write");
    netpoll_sleep(c->w->s, HOUR);
    rt_check(a32_load_acq(&n->wanted) == 1, "an event");
    rt_check(a32_load_acq(&n->blocked) == 0, "awake");
    /* The look for work takes it, and whoever waits then need not. */
    CO_YIELD();
    rt_check(a32_load_acq(&n->wanted) == 0, "taken");
    CO_POLL(c->v[2].p, POLL_READ);
    rt_check(c->k == POLL_READY, "ready");
    close_desc(c, c->v[2].p);
    close((int)c->v[4].i);
    close((int)c->n);
    CO_END;
}

static void
test_sleep(void **state)
{
    struct world w;

    (void)state;
    assert_int_equal(world_run(&w, 1, sleeps), 0);
}

/* ---- deadlocks are seen when nobody waits for a descriptor any more ------------------- */

static enum sched_run
stuck(struct co *c)
{
    CO_BEGIN;
    CO_RECV(c->v[3].p, &c->v[4]);
    CO_END;
}

static enum sched_run
asleep(struct co *c)
{
    int fd[2];

    CO_BEGIN;
    pair(fd);
    c->v[4].i = fd[0];
    c->n = fd[1];
    c->v[3].p = co_chan(c, 0);
    c->w->root[0] = c->v[3].p;
    c->v[2].p = desc(c, fd[0]);
    /* The deadline ends the wait of an M for events, too. */
    netpoll_set_deadline(c->m, c->v[2].p, 3 * MS, POLL_READ);
    CO_POLL(c->v[2].p, POLL_READ);
    rt_check(c->k == POLL_TIMEOUT, "late");
    close_desc(c, c->v[2].p);
    close((int)c->v[4].i);
    close((int)c->n);
    co_go(c, stuck, 0, 0, NULL, c->v[3].p);
    CO_RECV(c->v[3].p, &c->v[4]);
    CO_END;
}

static void
test_asleep(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
    {
        world_open(&w, p);
        assert_int_equal(world_go(&w, asleep), 2);
        assert_int_equal(a32_load_acq(&w.fatals), 1);
        assert_non_null(strstr(w.text, "deadlock"));
        world_close(&w);
    }
}

/* The program ends while goroutines wait for descriptors. */
static enum sched_run
leaves(struct co *c)
{
    int fd[2];

    CO_BEGIN;
    pair(fd);
    c->n = fd[1];
    c->v[2].p = desc(c, fd[0]);
    co_go(c, waiter, 0, 0, c->v[2].p, NULL);
    while (!is_parked(c, 1))
        CO_YIELD();
    CO_WAIT(timer_sleep(c->m, MS));
    close((int)c->n);
    sched_exit(c->w->s, 5);
    return SCHED_RUN_EXIT;
    CO_END;
}

static void
test_leaves(void **state)
{
    struct world w;

    (void)state;
    FOR_PROCS(p)
        assert_int_equal(world_run(&w, p, leaves), 5);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_traffic),
        cmocka_unit_test(test_deadlines),
        cmocka_unit_test(test_closing),
        cmocka_unit_test(test_churn),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_asleep),
        cmocka_unit_test(test_leaves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
