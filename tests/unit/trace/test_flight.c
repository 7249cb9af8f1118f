/* SPDX-License-Identifier: MIT */
/* The flight recorder on a fake runtime: every dump is a whole trace. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/trace/checked.h"
#include "tests/unit/trace/sim.h"

static void
assert_flight_dump(struct sim *s, uint64_t least)
{
    struct checked found;
    uint8_t *data;
    uint64_t events;
    struct rt_err e;
    size_t n;

    if (trace_flight_dump(&s->rec, &data, &n, &e) != RT_OK)
        fail_msg("%s", e.text);
    events = checked_bytes(data, n, &found);
    if (found.errors + found.cuts > 0)
        fail_msg("%u errors, %u cuts: %s", found.errors, found.cuts,
            found.first);
    assert_true(events >= least);
    free(data);
}

/* Windows come and go; every dump is a whole trace. */
static void
test_flight(void **state)
{
    static struct sim s;
    struct trace_flight_config cfg = {.max_bytes = 256 << 10};
    struct trace_stats st;
    struct rt_err e;
    int i;

    (void)state;
    sim_init(&s, 4, 18);
    sim_run(&s, 0);
    assert_false(trace_flight_on(&s.rec));
    assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_OK);
    assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_ESTATE);
    assert_true(trace_flight_on(&s.rec));
    for (i = 0; i < 6; i++) {
        usleep(1000);
        assert_flight_dump(&s, 10);
    }
    do {
        usleep(5000);
        assert_flight_dump(&s, 10);
        trace_get_stats(&s.rec, &st);
    } while (st.flight_bytes < cfg.max_bytes / 2);
    assert_true(st.flight_bytes < 8 << 20);
    assert_true(st.memory >= st.flight_bytes);
    sim_join(&s, true);
    assert_flight_dump(&s, 100);
    trace_flight_stop(&s.rec);
    trace_flight_stop(&s.rec);
    assert_false(trace_on(&s.rec));
    sim_fini(&s);
}

/* By time instead of by size; ended by the end of the runtime. */
static void
test_flight_age(void **state)
{
    static struct sim s;
    struct trace_flight_config cfg = {.min_age = 4 * 1000 * 1000};
    struct rt_err e;
    int i;

    (void)state;
    sim_init(&s, 2, 19);
    sim_run(&s, 0);
    assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_OK);
    for (i = 0; i < 6; i++) {
        usleep(3000);
        assert_flight_dump(&s, 10);
    }
    sim_join(&s, true);
    sim_fini(&s);
}

/* Traces start and stop beside the flight recorder; files and dumps are
 * whole. */
static void
test_flight_and_trace(void **state)
{
    static struct sim s;
    struct trace_flight_config cfg = {.max_bytes = 1 << 20};
    struct rt_err e;
    int i;

    (void)state;
    sim_init(&s, 3, 20);
    sim_run(&s, 0);
    assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_OK);
    for (i = 0; i < 12; i++) {
        struct trace_config tc = {.fd = checked_file()};

        if (i % 5 == 4) {
            trace_flight_stop(&s.rec);
            assert_int_equal(trace_start(&s.rec, &tc, &e), RT_OK);
            assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_OK);
        } else {
            assert_int_equal(trace_start(&s.rec, &tc, &e), RT_OK);
        }
        usleep(500 * (useconds_t)(i % 4));
        assert_flight_dump(&s, 1);
        if (i % 7 == 3)
            trace_flight_stop(&s.rec);
        assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
        if (i % 7 == 3)
            assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_OK);
        assert_valid_trace(tc.fd, 1);
        close(tc.fd);
        assert_flight_dump(&s, 1);
    }
    sim_join(&s, true);
    trace_flight_stop(&s.rec);
    sim_fini(&s);
}

struct tracer {
    struct sim *s;
    a_u32 done;
};

static void *
trace_often(void *arg)
{
    struct tracer *t = arg;
    struct rt_err e;
    int i;

    for (i = 0; i < 100; i++) {
        struct trace_config tc = {.fd = memfd_create("t", MFD_CLOEXEC),
            .close_fd = true};

        if (trace_start(&t->s->rec, &tc, &e) == RT_OK)
            trace_stop(&t->s->rec, &e);
    }
    a32_store_rel(&t->done, 1);
    return NULL;
}

/* Traces start while a dump is being made of the windows. */
static void
test_flight_dump_and_start(void **state)
{
    static struct sim s;
    struct trace_flight_config cfg = {.max_bytes = 1 << 20};
    struct tracer t = {.s = &s};
    pthread_t thread;
    struct rt_err e;

    (void)state;
    sim_init(&s, 2, 24);
    sim_run(&s, 0);
    assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_OK);
    assert_int_equal(pthread_create(&thread, NULL, trace_often, &t), 0);
    while (a32_load_acq(&t.done) == 0)
        assert_flight_dump(&s, 1);
    pthread_join(thread, NULL);
    sim_join(&s, true);
    trace_flight_stop(&s.rec);
    sim_fini(&s);
}

/* The file fails while the flight recorder records: that one begins anew. */
static void
test_flight_and_full_disk(void **state)
{
    static struct sim s;
    struct trace_flight_config cfg = {.max_bytes = 1 << 20,
        .min_age = 10 * 1000 * 1000};
    struct trace_config tc = {.fd = open("/dev/full", O_WRONLY | O_CLOEXEC),
        .flush_ms = 1};
    struct rt_err e;

    (void)state;
    assert_true(tc.fd >= 0);
    sim_init(&s, 2, 21);
    sim_run(&s, 0);
    assert_int_equal(trace_flight_start(&s.rec, &cfg, &e), RT_OK);
    assert_int_equal(trace_start(&s.rec, &tc, &e), RT_OK);
    while (a32_load_acq(&s.failures) == 0)
        usleep(1000);
    while (!trace_on(&s.rec))
        usleep(1000);
    assert_flight_dump(&s, 1);
    assert_int_equal(trace_stop(&s.rec, &e), RT_EIO);
    assert_flight_dump(&s, 1);
    assert_int_equal(a32_load_acq(&s.failures), 1);
    sim_join(&s, true);
    sim_fini(&s);
    close(tc.fd);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flight),
        cmocka_unit_test(test_flight_age),
        cmocka_unit_test(test_flight_and_trace),
        cmocka_unit_test(test_flight_dump_and_start),
        cmocka_unit_test(test_flight_and_full_disk),
    };

    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
