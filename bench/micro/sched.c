/* SPDX-License-Identifier: MIT */
/*
 * The price of the scheduler alone: goroutines are state machines in C.
 * Prints Go's benchmark format; arguments: numbers of Ps (default 1 2), and
 * before them -name to run only what begins so.
 */
#include "tests/unit/sched/fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t rounds;

static uint64_t
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* ---- a channel, back and forth: two switches a round ---- */

static enum sched_run
pong(struct co *c)
{
    CO_BEGIN;
    for (;;) {
        CO_RECV(c->v[2].p, &c->v[4]);
        CO_SEND(c->v[3].p, &c->v[4]);
    }
    CO_END;
}

static enum sched_run
ping(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    c->v[3].p = co_chan(c, 0);
    co_go(c, pong, 0, 0, c->v[2].p, c->v[3].p);
    for (c->i = 0; c->i < rounds; c->i++) {
        CO_SEND(c->v[2].p, &c->v[4]);
        CO_RECV(c->v[3].p, &c->v[5]);
    }
    CO_END;
}

/* ---- a buffered channel without waiting ---- */

static enum sched_run
buffered(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 10);
    for (c->i = 0; c->i < rounds; c->i++) {
        CO_SEND(c->v[2].p, &c->v[4]);
        CO_RECV(c->v[2].p, &c->v[5]);
    }
    CO_END;
}

/* ---- go and wait ---- */

static enum sched_run
child(struct co *c)
{
    CO_BEGIN;
    CO_SEND(c->v[2].p, &c->v[4]);
    CO_END;
}

static enum sched_run
spawn(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 0);
    for (c->i = 0; c->i < rounds; c->i++) {
        co_go(c, child, 0, 0, c->v[2].p, NULL);
        CO_RECV(c->v[2].p, &c->v[4]);
    }
    CO_END;
}

/* ---- Gosched ---- */

static enum sched_run
yielder(struct co *c)
{
    CO_BEGIN;
    for (;;)
        CO_YIELD();
    CO_END;
}

static enum sched_run
yields(struct co *c)
{
    CO_BEGIN;
    co_go(c, yielder, 0, 0, NULL, NULL);
    for (c->i = 0; c->i < rounds; c->i++)
        CO_YIELD();
    CO_END;
}

/* ---- select of two, one ready ---- */

static enum sched_run
selects(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 1);
    c->v[3].p = co_chan(c, 1);
    c->cases[0] = (struct chan_case){c->v[2].p, &c->v[4], false};
    c->cases[1] = (struct chan_case){c->v[3].p, &c->v[4], false};
    for (c->i = 0; c->i < rounds; c->i++) {
        CO_SEND(c->v[2 + c->i % 2].p, &c->v[4]);
        CO_WAIT(chan_select(c->m, c->cases, 2, false) == CHAN_PARK);
    }
    CO_END;
}

/* ---- system calls that do not block ---- */

static enum sched_run
syscalls(struct co *c)
{
    CO_BEGIN;
    for (c->i = 0; c->i < rounds; c->i++) {
        sched_syscall_enter(c->m);
        sched_syscall_exit(c->m);
    }
    CO_END;
}

/* ---- many producers, one consumer ---- */

static enum sched_run
producer(struct co *c)
{
    CO_BEGIN;
    for (;;)
        CO_SEND(c->v[2].p, &c->v[4]);
    CO_END;
}

static enum sched_run
fan_in(struct co *c)
{
    CO_BEGIN;
    c->v[2].p = co_chan(c, 100);
    for (c->i = 0; c->i < 100; c->i++)
        co_go(c, producer, 0, 0, c->v[2].p, NULL);
    for (c->i = 0; c->i < rounds; c->i++)
        CO_RECV(c->v[2].p, &c->v[5]);
    CO_END;
}

static const struct {
    const char *name;
    co_fn fn;
    int64_t rounds, ops;
} benches[] = {
    {"ChanSwitch", ping, 1000000, 2},
    {"ChanBuffered", buffered, 3000000, 1},
    {"GoChanWait", spawn, 1000000, 1},
    {"Gosched", yields, 2000000, 2},
    {"Select2", selects, 1000000, 1},
    {"Syscall", syscalls, 3000000, 1},
    {"FanIn100", fan_in, 2000000, 1},
};

int
main(int argc, char **argv)
{
    static char *def[] = {NULL, "1", "2"};
    const char *only = "";

    if (argc > 1 && argv[1][0] == '-') {
        only = argv[1] + 1;
        argc--;
        argv++;
    }
    if (argc < 2) {
        argc = 3;
        argv = def;
    }
    for (int a = 1; a < argc; a++)
        for (size_t i = 0; i < sizeof benches / sizeof *benches; i++) {
            uint64_t t;
            struct world w;

            if (strncmp(benches[i].name, only, strlen(only)) != 0)
                continue;
            rounds = benches[i].rounds;
            t = now();
            world_run(&w, (uint32_t)atoi(argv[a]), benches[i].fn);
            t = now() - t;
            printf("Benchmark%s/P=%s\t%lld\t%.1f ns/op\n", benches[i].name,
                argv[a], (long long)rounds,
                (double)t / (double)(rounds * benches[i].ops));
        }
    return 0;
}
