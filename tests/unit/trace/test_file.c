/* SPDX-License-Identifier: MIT */
/*
 * What the system may say to the writes of a trace, and to its end.  The
 * linker puts the functions below in front of those of the C library (--wrap).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/trace/sim.h"
#include "trace/read/validate.h"
#include "trace/record/trace_int.h"

ssize_t __real_write(int fd, const void *data, size_t n);
int __real_close(int fd);
ssize_t __wrap_write(int fd, const void *data, size_t n);
int __wrap_close(int fd);

static struct sim sim;
static a_u32 trace_fd;

/* What happens once; written while no trace runs. */
static bool takes_nothing; /* a write */
static bool at_the_limit;  /* what a write brings is as much as may be */
static int close_error;    /* of the close; 0: none */

/* On the thread that writes the trace. */
ssize_t
__wrap_write(int fd, const void *data, size_t n)
{
    if ((uint32_t)fd != a32_load_acq(&trace_fd))
        return __real_write(fd, data, n);
    if (takes_nothing) {
        takes_nothing = false;
        errno = EIO; /* says nothing */
        return 0;
    }
    if (at_the_limit && a64_load_rlx(&sim.rec.s->bytes) > 0) {
        at_the_limit = false;
        sim.rec.s->cfg.max_bytes = a64_load_rlx(&sim.rec.s->bytes);
    }
    return __real_write(fd, data, n);
}

/* The descriptor is free all the same. */
int
__wrap_close(int fd)
{
    int r = __real_close(fd);

    if ((uint32_t)fd != a32_load_acq(&trace_fd) || close_error == 0)
        return r;
    errno = close_error;
    close_error = 0;
    return -1;
}

static int
temp_file(void)
{
    int fd = memfd_create("trace", MFD_CLOEXEC);

    assert_true(fd >= 0);
    a32_store_rel(&trace_fd, (uint32_t)fd);
    return fd;
}

static void
note_problem(void *arg, const struct trace_problem *p)
{
    (void)arg;
    fail_msg("%s at %llu", p->text, (unsigned long long)p->off);
}

static void
assert_whole(int fd)
{
    struct trace_open how = {.problem = note_problem};
    off_t n = lseek(fd, 0, SEEK_END);
    struct trace_file *f;
    struct rt_err e;
    void *p;

    assert_true(n > 16);
    p = mmap(NULL, (size_t)n, PROT_READ, MAP_PRIVATE, fd, 0);
    assert_true(p != MAP_FAILED);
    assert_int_equal(trace_file_open_mem(&f, p, (size_t)n, &how, &e), RT_OK);
    assert_int_equal(trace_validate(f, &e), RT_OK);
    trace_file_close(f);
    munmap(p, (size_t)n);
}

/* A write that takes nothing has not failed. */
static void
empty_writes_are_tried_again(void **state)
{
    struct trace_config cfg = {.fd = temp_file(), .flush_ms = 1};
    struct rt_err e = {0};

    (void)state;
    sim_init(&sim, 1, 35);
    takes_nothing = true;
    assert_int_equal(trace_start(&sim.rec, &cfg, &e), RT_OK);
    sim_run(&sim, 200);
    sim_join(&sim, false);
    assert_int_equal(trace_stop(&sim.rec, &e), RT_OK);
    assert_false(takes_nothing);
    assert_int_equal(a32_load_acq(&sim.failures), 0);
    assert_whole(cfg.fd);
    close(cfg.fd);
    sim_fini(&sim);
}

/* A trace that is as long as it may be, to the byte, ends though nothing more
 * comes. */
static void
a_limit_is_met_to_the_byte(void **state)
{
    struct trace_config cfg = {.fd = temp_file(), .flush_ms = 1,
        .max_bytes = UINT64_MAX};
    struct rt_err e = {0};

    (void)state;
    sim_init(&sim, 1, 36);
    at_the_limit = true;
    assert_int_equal(trace_start(&sim.rec, &cfg, &e), RT_OK);
    while (trace_on(&sim.rec))
        usleep(1000);
    assert_int_equal(trace_stop(&sim.rec, &e), RT_OK);
    assert_whole(cfg.fd);
    close(cfg.fd);
    sim_fini(&sim);
}

/* What could not be written may show only when the file is closed. */
static void
a_failed_close_is_told(void **state)
{
    struct trace_config cfg = {.fd = temp_file(), .close_fd = true};
    struct rt_err e = {0};

    (void)state;
    sim_init(&sim, 1, 34);
    assert_int_equal(trace_start(&sim.rec, &cfg, &e), RT_OK);
    close_error = EIO;
    assert_int_equal(trace_stop(&sim.rec, &e), RT_EIO);
    assert_non_null(strstr(e.text, "trace cut: close"));
    assert_int_equal(a32_load_acq(&sim.failures), 1);
    assert_string_equal(sim.failure.text, e.text);
    /* The next trace has nothing of it. */
    cfg = (struct trace_config){.fd = temp_file()};
    assert_int_equal(trace_start(&sim.rec, &cfg, &e), RT_OK);
    assert_int_equal(trace_stop(&sim.rec, &e), RT_OK);
    assert_whole(cfg.fd);
    close(cfg.fd);
    sim_fini(&sim);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_writes_are_tried_again),
        cmocka_unit_test(a_limit_is_met_to_the_byte),
        cmocka_unit_test(a_failed_close_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
