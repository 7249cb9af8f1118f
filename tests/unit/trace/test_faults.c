/* SPDX-License-Identifier: MIT */
/*
 * Whatever fails, the program goes on, the file can be read, and the next
 * trace is whole.  Each allocation, each thread and each write of the recorder
 * fails in turn: the linker puts the functions below in front of those of the
 * C library (--wrap), for the recorder and not for the fake runtime.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/trace/sim.h"
#include "trace/read/validate.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
int __real_pthread_create(pthread_t *t, const pthread_attr_t *a,
    void *(*fn)(void *), void *arg);
ssize_t __real_write(int fd, const void *data, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a,
    void *(*fn)(void *), void *arg);
ssize_t __wrap_write(int fd, const void *data, size_t n);

/* What fails: the number of the request, counted from 1; 0: nothing. */
static struct {
    a_u64 armed, count, at;
    bool later; /* all later ones too */
} memory, writes;
static a_u32 trace_fd;
static int write_error;

static bool
fails(a_u64 *armed, a_u64 *count, a_u64 *at, bool later)
{
    uint64_t n;

    if (a64_load_acq(armed) == 0)
        return false;
    n = a64_add_full(count, 1) + 1;
    return later ? n >= a64_load_acq(at) : n == a64_load_acq(at);
}

static bool
no_memory(void)
{
    return fails(&memory.armed, &memory.count, &memory.at, memory.later);
}

void *
__wrap_malloc(size_t n)
{
    return no_memory() ? NULL : __real_malloc(n);
}

void *
__wrap_calloc(size_t n, size_t size)
{
    return no_memory() ? NULL : __real_calloc(n, size);
}

void *
__wrap_realloc(void *p, size_t n)
{
    return no_memory() ? NULL : __real_realloc(p, n);
}

int
__wrap_pthread_create(pthread_t *t, const pthread_attr_t *a,
    void *(*fn)(void *), void *arg)
{
    return no_memory() ? EAGAIN : __real_pthread_create(t, a, fn, arg);
}

/* Half of what is asked for is written before it fails. */
ssize_t
__wrap_write(int fd, const void *data, size_t n)
{
    if ((uint32_t)fd == a32_load_acq(&trace_fd) &&
        fails(&writes.armed, &writes.count, &writes.at, writes.later)) {
        if (n > 1 && __real_write(fd, data, n / 2) < 0)
            return -1;
        errno = write_error;
        return -1;
    }
    return __real_write(fd, data, n);
}

/* ---- reading */

static char first_problem[200];

static void
note_problem(void *arg, const struct trace_problem *p)
{
    unsigned *errors = arg;

    if (strcmp(p->rule, "cut") == 0 || p->severity != TRACE_ERROR ||
        strstr(p->text, "is empty") != NULL)
        return;
    if ((*errors)++ == 0)
        snprintf(first_problem, sizeof first_problem, "%s at %llu", p->text,
            (unsigned long long)p->off);
}

/* Reading must not fail for the test's own doing. */
static void
assert_readable(const void *data, size_t n, const char *what, uint64_t at)
{
    uint64_t armed = a64_load_acq(&memory.armed);
    unsigned errors = 0;
    struct trace_open how = {.problem = note_problem, .arg = &errors,
        .keep_going = true};
    struct trace_file *f;
    struct rt_err e;

    a64_store_rel(&memory.armed, 0);
    if (trace_file_open_mem(&f, data, n, &how, &e) != RT_OK) {
        /* Nothing but the header, or less. */
        if (n > 1024)
            fail_msg("%s %llu: %s", what, (unsigned long long)at, e.text);
    } else {
        trace_validate(f, &e);
        trace_file_close(f);
    }
    a64_store_rel(&memory.armed, armed);
    if (errors > 0)
        fail_msg("%s %llu: %u errors: %s", what, (unsigned long long)at,
            errors, first_problem);
}

static void
assert_readable_fd(int fd, const char *what, uint64_t at)
{
    off_t n = lseek(fd, 0, SEEK_END);
    void *p;

    if (n < 16)
        return;
    p = mmap(NULL, (size_t)n, PROT_READ, MAP_PRIVATE, fd, 0);
    assert_true(p != MAP_FAILED);
    assert_readable(p, (size_t)n, what, at);
    munmap(p, (size_t)n);
}

static int
temp_file(void)
{
    int fd = memfd_create("trace", MFD_CLOEXEC);

    assert_true(fd >= 0);
    a32_store_rel(&trace_fd, (uint32_t)fd);
    return fd;
}

/* ---- the recorder at work */

static struct sim sim;

static void
run_a_while(int us)
{
    usleep((useconds_t)us);
}

/* A trace into a file.  True if it was complete. */
static bool
trace_to_file(const char *what, uint64_t at)
{
    struct trace_config cfg = {.fd = temp_file(), .flush_ms = 1};
    struct rt_err e = {0};
    uint32_t told = a32_load_acq(&sim.failures);
    enum rt_status st = trace_start(&sim.rec, &cfg, &e);

    if (st == RT_OK) {
        run_a_while(2000);
        st = trace_stop(&sim.rec, &e);
        assert_int_equal(a32_load_acq(&sim.failures) - told, st != RT_OK);
    }
    if (st != RT_OK)
        assert_true(e.text[0] != 0);
    assert_readable_fd(cfg.fd, what, at);
    close(cfg.fd);
    return st == RT_OK;
}

static void *
read_all(void *arg)
{
    const uint8_t *data;
    uint64_t *total = arg;
    struct rt_err e;
    size_t n;

    do {
        assert_int_equal(trace_read(&sim.rec, &data, &n, &e), RT_OK);
        *total += n;
    } while (n > 0);
    return NULL;
}

/* A trace that the program reads. */
static bool
trace_to_reader(void)
{
    struct trace_config cfg = {.fd = -1, .flush_ms = 1};
    uint32_t told = a32_load_acq(&sim.failures);
    uint64_t total = 0;
    pthread_t thread;
    struct rt_err e = {0};

    if (trace_start(&sim.rec, &cfg, &e) != RT_OK)
        return false;
    assert_int_equal(__real_pthread_create(&thread, NULL, read_all, &total),
        0);
    run_a_while(2000);
    trace_stop(&sim.rec, &e);
    pthread_join(thread, NULL);
    assert_true(a32_load_acq(&sim.failures) - told <= 1);
    return a32_load_acq(&sim.failures) == told;
}

/* The flight recorder, with a trace beside it. */
static bool
flight(const char *what, uint64_t at)
{
    struct trace_flight_config cfg = {.max_bytes = 1 << 20,
        .min_age = 4 * 1000 * 1000};
    struct rt_err e = {0};
    bool whole = true;
    uint8_t *data;
    size_t n;

    if (trace_flight_start(&sim.rec, &cfg, &e) != RT_OK) {
        assert_true(e.text[0] != 0);
        return false;
    }
    run_a_while(1000);
    if (trace_flight_dump(&sim.rec, &data, &n, &e) == RT_OK)
        assert_readable(data, n, what, at);
    else
        whole = false;
    free(data);
    whole = trace_to_file("file beside flight", at) && whole;
    if (trace_flight_dump(&sim.rec, &data, &n, &e) == RT_OK)
        assert_readable(data, n, what, at);
    else
        whole = false;
    free(data);
    trace_flight_stop(&sim.rec);
    return whole;
}

static bool
all(const char *what, uint64_t at)
{
    bool ok = trace_to_file(what, at);

    ok = trace_to_reader() && ok;
    return flight(what, at) && ok;
}

/* Fails each request in turn until there are none left to fail. */
static void
each_allocation(bool later)
{
    const uint64_t most = 400;
    uint64_t at, failed = 0;

    for (at = 1; at <= most; at++) {
        bool ok;

        memory.later = later;
        a64_store_rel(&memory.count, 0);
        a64_store_rel(&memory.at, at);
        a64_store_rel(&memory.armed, 1);
        ok = all(later ? "memory ends at" : "allocation", at);
        a64_store_rel(&memory.armed, 0);
        failed += !ok;
        if (a64_load_acq(&memory.count) < at)
            break; /* not reached any more */
        if (at % 10 == 0)
            assert_true(all("after", at));
    }
    assert_true(all("at the end", at));
    assert_true(failed >= 10);
}

static void
test_each_allocation(void **state)
{
    (void)state;
    sim_init(&sim, 2, 31);
    sim_run(&sim, 0);
    each_allocation(false);
    sim_join(&sim, true);
    sim_fini(&sim);
}

static void
test_memory_ends(void **state)
{
    (void)state;
    sim_init(&sim, 2, 32);
    sim_run(&sim, 0);
    each_allocation(true);
    sim_join(&sim, true);
    sim_fini(&sim);
}

static void
test_each_write(void **state)
{
    static const int errors[] = {ENOSPC, EPIPE, EIO, EDQUOT};
    uint64_t at;

    (void)state;
    sim_init(&sim, 2, 33);
    sim_run(&sim, 0);
    for (at = 1; at <= 12; at++) {
        writes.later = at % 2 == 0;
        write_error = errors[at % 4];
        a64_store_rel(&writes.count, 0);
        a64_store_rel(&writes.at, at);
        a64_store_rel(&writes.armed, 1);
        trace_to_file("write", at);
        flight("write", at);
        a64_store_rel(&writes.armed, 0);
        assert_true(trace_to_file("after write", at));
    }
    /* Interrupted is no failure. */
    write_error = EINTR;
    writes.later = false;
    a64_store_rel(&writes.count, 0);
    a64_store_rel(&writes.at, 2);
    a64_store_rel(&writes.armed, 0);
    assert_true(all("interrupted", 0));
    sim_join(&sim, true);
    sim_fini(&sim);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_allocation),
        cmocka_unit_test(test_memory_ends),
        cmocka_unit_test(test_each_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
