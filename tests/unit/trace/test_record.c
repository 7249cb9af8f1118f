/* SPDX-License-Identifier: MIT */
/* The recorder on a fake runtime: whatever happens, the file is valid. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/trace/checked.h"
#include "tests/unit/trace/sim.h"
#include "trace/read/file.h"

/* Bytes; a pass takes 16 buffers of 64 KB, and what Ps are filling. */
enum { MORE_THAN_A_PASS = 3000001 };

/* Runs until the trace has that many events: how many come from how many
 * steps depends on who runs beside whom. */
static void
run_until(struct sim *s, uint64_t events)
{
    struct trace_stats st;

    do {
        usleep(1000);
        trace_get_stats(&s->rec, &st);
    } while (st.events < events || st.count[TRACE_EV_GO_START] <= 100 ||
        st.count[TRACE_EV_GO_SYS_EXIT] <= 10);
}

/* ---- */

static void
test_whole_run(void **state)
{
    static struct sim s;
    struct trace_config cfg = {.fd = checked_file()};
    struct trace_stats st;
    struct rt_err e;
    uint64_t sum = 0;
    int i;

    (void)state;
    sim_init(&s, 4, 1);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    assert_true(trace_on(&s.rec));
    sim_run(&s, 0);
    run_until(&s, 4000);
    sim_join(&s, true);
    assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
    assert_false(trace_on(&s.rec));
    assert_valid_trace(cfg.fd, 4000);
    trace_get_stats(&s.rec, &st);
    for (i = 0; i < TRACE_EV_COUNT; i++)
        sum += st.count[i];
    assert_int_equal(sum, st.events);
    assert_int_equal(st.bytes + 16, lseek(cfg.fd, 0, SEEK_END));
    assert_int_equal(st.stacks_lost, 0);
    close(cfg.fd);
    sim_fini(&s);
}

/* The counters say what is in the file, kind by kind. */
static void
test_counters(void **state)
{
    static struct sim s;
    struct trace_config cfg = {.fd = checked_file()};
    struct trace_stats st;
    struct trace_file *f;
    struct rt_err e;
    size_t n;
    void *p;
    int i;

    (void)state;
    sim_init(&s, 2, 9);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    sim_run(&s, 3000);
    sim_join(&s, false);
    assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
    trace_get_stats(&s.rec, &st);
    n = (size_t)lseek(cfg.fd, 0, SEEK_END);
    p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, cfg.fd, 0);
    assert_int_equal(trace_file_open_mem(&f, p, n, NULL, &e), RT_OK);
    for (i = 1; i < TRACE_EV_COUNT; i++)
        assert_int_equal(st.count[i], f->count[i]);
    assert_int_equal(st.stacks, f->nstacks);
    assert_int_equal(st.strings, f->nstrings);
    trace_file_close(f);
    munmap(p, n);
    close(cfg.fd);
    sim_fini(&s);
}

/* The system's clock, of 16 ns, gives valid files too. */
static void
test_portable_clock(void **state)
{
    static struct sim s;
    struct trace_config cfg = {.fd = checked_file()};
    struct rt_err e;

    (void)state;
    sim_init(&s, 4, 3);
    rt_clock_init_portable(&s.clock);
    assert_int_equal(rt_ticks_per_sec(&s.clock), 1000000000 / 16);
    sim_run(&s, 0);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    run_until(&s, 2000);
    sim_join(&s, true);
    assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
    assert_valid_trace(cfg.fd, 2000);
    close(cfg.fd);
    sim_fini(&s);
}

/* Start and stop at random moments, many times, in a running world. */
static void
test_start_stop(void **state)
{
    static struct sim s;
    struct rt_err e;
    int i;

    (void)state;
    sim_init(&s, 4, 5);
    sim_run(&s, 0);
    for (i = 0; i < 40; i++) {
        struct trace_config cfg = {.fd = checked_file()};

        assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
        assert_int_equal(trace_start(&s.rec, &(struct trace_config){.fd = -1},
            &e), RT_ESTATE);
        assert_string_equal(e.text, "execution tracer already enabled");
        usleep((useconds_t)(i % 5) * 300);
        assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
        assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
        assert_valid_trace(cfg.fd, 1);
        close(cfg.fd);
    }
    sim_join(&s, true);
    sim_fini(&s);
}

enum { RACES = 30, RACERS = 4 };

struct racer {
    struct sim *s;
    int fds[RACES]; /* of the traces that it has started; else -1 */
};

static void *
race(void *arg)
{
    struct racer *r = arg;
    struct rt_err e;
    int i;

    for (i = 0; i < RACES; i++) {
        struct trace_config cfg = {.fd = memfd_create("t", MFD_CLOEXEC)};

        if (trace_start(&r->s->rec, &cfg, &e) == RT_OK) {
            r->fds[i] = cfg.fd;
        } else {
            r->fds[i] = -1;
            close(cfg.fd);
        }
        if (i % 3 == 0)
            usleep(200);
        trace_stop(&r->s->rec, &e);
    }
    return NULL;
}

/* Several threads start and stop as they like: every file is whole. */
static void
test_races(void **state)
{
    static struct racer racers[RACERS];
    static struct sim s;
    pthread_t threads[RACERS];
    unsigned traces = 0;
    int i, k;

    (void)state;
    sim_init(&s, 2, 6);
    sim_run(&s, 0);
    for (i = 0; i < RACERS; i++) {
        racers[i].s = &s;
        assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]),
            0);
    }
    for (i = 0; i < RACERS; i++)
        pthread_join(threads[i], NULL);
    sim_join(&s, true);
    for (i = 0; i < RACERS; i++) {
        for (k = 0; k < RACES; k++) {
            if (racers[i].fds[k] < 0)
                continue;
            assert_valid_trace(racers[i].fds[k], 1);
            close(racers[i].fds[k]);
            traces++;
        }
    }
    assert_true(traces >= RACES / 8); /* many are refused on a busy machine */
    sim_fini(&s);
}

/* ---- trace_read() */

struct reader {
    struct sim *s;
    uint8_t *data;
    size_t len;
    enum rt_status st;
};

static void *
read_all(void *arg)
{
    struct reader *r = arg;
    const uint8_t *p;
    struct rt_err e;
    size_t n;

    for (;;) {
        r->st = trace_read(&r->s->rec, &p, &n, &e);
        if (r->st != RT_OK || n == 0)
            return NULL;
        r->data = realloc(r->data, r->len + n);
        memcpy(r->data + r->len, p, n);
        r->len += n;
    }
}

static void
test_read(void **state)
{
    static struct sim s;
    struct trace_config cfg = {.fd = -1, .flush_ms = 5};
    struct reader r = {.s = &s};
    struct checked found;
    const uint8_t *p;
    pthread_t t;
    struct rt_err e;
    size_t n = 1;

    (void)state;
    sim_init(&s, 4, 8);
    assert_int_equal(trace_read(&s.rec, &p, &n, &e), RT_OK);
    assert_int_equal(n, 0);
    sim_run(&s, 3000);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    assert_int_equal(pthread_create(&t, NULL, read_all, &r), 0);
    sim_join(&s, false);
    assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
    pthread_join(t, NULL);
    assert_int_equal(r.st, RT_OK);
    assert_true(checked_bytes(r.data, r.len, &found) > 10);
    assert_int_equal(found.errors + found.warnings + found.cuts, 0);
    free(r.data);
    sim_fini(&s);
}

/* The end of a trace waits for what happens, not until some time has passed:
 * with a flush interval of a day, a reader that nobody wakes would sleep until
 * the alarm. */
static void
test_end_without_flush(void **state)
{
    static struct sim s;
    struct reader rd = {.s = &s};
    struct rt_err e;
    pthread_t t;
    int i;

    (void)state;
    alarm(120);
    sim_init(&s, 2, 41);
    sim_run(&s, 0);
    for (i = 0; i < 60; i++) {
        struct trace_config cfg = {.fd = -1, .flush_ms = 24 * 3600 * 1000};

        if (i % 3 < 2) {
            cfg.fd = checked_file();
            cfg.max_bytes = i % 3 == 1 ? 100 << 10 : 0;
        }
        assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
        if (cfg.fd < 0)
            assert_int_equal(pthread_create(&t, NULL, read_all, &rd), 0);
        if (i % 2 == 0 && cfg.max_bytes == 0)
            run_until(&s, 1000);
        while (cfg.max_bytes > 0 && trace_on(&s.rec))
            usleep(1000);
        assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
        if (cfg.fd >= 0) {
            assert_valid_trace(cfg.fd, 1);
            close(cfg.fd);
        } else {
            pthread_join(t, NULL);
        }
    }
    sim_join(&s, true);
    sim_fini(&s);
    free(rd.data);
    alarm(0);
}

/* A second reader and a reader beside a file are refused. */
static void
test_one_reader(void **state)
{
    static struct sim s;
    struct trace_config cfg = {.fd = checked_file()};
    const uint8_t *p;
    struct rt_err e;
    size_t n;

    (void)state;
    sim_init(&s, 1, 8);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    assert_int_equal(trace_read(&s.rec, &p, &n, &e), RT_ESTATE);
    assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
    close(cfg.fd);
    sim_fini(&s);
}

static void *
stop_it(void *arg)
{
    struct sim *s = arg;
    struct rt_err e;

    trace_stop(&s->rec, &e);
    return NULL;
}

/* Nobody reads: memory stays bounded, the trace is cut and yet valid. */
static void
test_no_reader(void **state)
{
    static struct sim s;
    struct trace_config cfg = {.fd = -1, .max_memory = 1};
    struct reader r = {.s = &s};
    struct trace_stats st;
    struct checked found;
    pthread_t t;
    struct rt_err e;

    (void)state;
    sim_init(&s, 2, 11);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    sim_run(&s, 0);
    while (trace_on(&s.rec))
        usleep(1000);
    trace_get_stats(&s.rec, &st);
    assert_true(st.memory < 16 * 70 * 1024);
    sim_join(&s, true);
    assert_int_equal(pthread_create(&t, NULL, stop_it, &s), 0);
    read_all(&r);
    pthread_join(t, NULL);
    assert_int_equal(a32_load_acq(&s.failures), 1);
    assert_int_equal(s.failure.code, RT_ELIMIT);
    assert_true(checked_bytes(r.data, r.len, &found) > 10);
    if (found.errors + found.warnings + found.cuts > 0)
        fail_msg("%s", found.first);
    free(r.data);
    sim_fini(&s);
}

/* ---- files that fail */

static void
run_into(const char *path, int fd, int os_errno)
{
    static struct sim s;
    struct trace_config cfg = {.fd = fd, .close_fd = true, .flush_ms = 1};
    struct trace_config good = {.fd = checked_file()};
    struct rt_err e;

    if (fd < 0)
        cfg.fd = open(path, O_WRONLY);
    assert_true(cfg.fd >= 0);
    sim_init(&s, 2, 12);
    sim_run(&s, 0);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    while (a32_load_acq(&s.failures) == 0)
        usleep(1000);
    assert_false(trace_on(&s.rec));
    assert_int_equal(s.failure.os_errno, os_errno);
    assert_int_equal(trace_stop(&s.rec, &e), RT_EIO);
    assert_int_equal(e.os_errno, os_errno);
    assert_int_equal(a32_load_acq(&s.failures), 1);
    /* The program has gone on, and can trace again. */
    assert_int_equal(trace_start(&s.rec, &good, &e), RT_OK);
    usleep(2000);
    assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
    assert_valid_trace(good.fd, 1);
    close(good.fd);
    sim_join(&s, true);
    sim_fini(&s);
}

static void
test_disk_full(void **state)
{
    (void)state;
    run_into("/dev/full", -1, ENOSPC);
}

/* What cannot be written is told also where nothing was tried before the
 * end: the reader has hardly begun when these traces stop. */
static void
test_disk_full_at_the_end(void **state)
{
    struct rt_err e = {0};
    struct sim s;
    int i;

    (void)state;
    sim_init(&s, 1, 5);
    for (i = 0; i < 300; i++) {
        struct trace_config cfg = {
            .fd = open("/dev/full", O_WRONLY | O_CLOEXEC), .close_fd = true};

        assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
        assert_int_not_equal(trace_stop(&s.rec, &e), RT_OK);
        assert_int_equal(e.os_errno, ENOSPC);
        assert_int_equal(a32_load_acq(&s.failures), i + 1);
    }
    sim_fini(&s);
}

/* The file takes a part of what is written and cannot be cut back, as where a
 * process is killed in the middle: what is there ends with a whole pass. */
static void
test_part_of_a_pass(void **state)
{
    enum { BEGUN = 50000 };
    static struct sim s;
    struct rlimit old, less;
    struct stat sb;
    int i;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (i = 0; i < 3; i++) {
        struct trace_config cfg = {
            .fd = memfd_create("part", MFD_CLOEXEC | MFD_ALLOW_SEALING),
            .flush_ms = 1};
        struct checked found;
        struct rt_err e;
        uint8_t first;

        assert_int_equal(fcntl(cfg.fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
        sim_init(&s, 2, 31);
        sim_run(&s, 0);
        assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
        do {
            usleep(1000);
            assert_int_equal(fstat(cfg.fd, &sb), 0);
        } while (sb.st_size < BEGUN);
        less = old;
        less.rlim_cur = (rlim_t)sb.st_size + MORE_THAN_A_PASS;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
        while (a32_load_acq(&s.failures) == 0)
            usleep(1000);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(s.failure.os_errno, EFBIG);
        assert_int_equal(trace_stop(&s.rec, &e), RT_EIO);
        sim_join(&s, true);
        sim_fini(&s);
        assert_int_equal(fstat(cfg.fd, &sb), 0);
        assert_int_equal(sb.st_size, less.rlim_cur);
        assert_true(checked_fd(cfg.fd, &found) > 1000);
        if (found.errors + found.warnings > 0)
            fail_msg("%s", found.first);
        assert_int_equal(found.cuts, 1);
        assert_int_equal(pread(cfg.fd, &first, 1, (off_t)found.cut_at), 1);
        assert_int_equal(first, 0);
        close(cfg.fd);
    }
    signal(SIGXFSZ, SIG_DFL);
}

static void
test_closed_pipe(void **state)
{
    int fds[2];

    (void)state;
    assert_int_equal(pipe(fds), 0);
    close(fds[0]);
    run_into(NULL, fds[1], EPIPE);
}

/* A reader that is slower than the program: the program waits. */
static void
test_slow_pipe(void **state)
{
    static struct sim s;
    struct trace_config cfg = {.max_memory = 1, .close_fd = true};
    struct trace_stats st;
    struct checked found;
    size_t len = 0, cap = 64 << 20;
    uint8_t *data = malloc(cap);
    pthread_t t;
    struct rt_err e;
    int fds[2];
    ssize_t n;

    (void)state;
    assert_int_equal(pipe(fds), 0);
    cfg.fd = fds[1];
    sim_init(&s, 2, 13);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    sim_run(&s, 0);
    do {
        usleep(1000);
        trace_get_stats(&s.rec, &st);
    } while (st.waits == 0);
    assert_true(st.memory < 16 * 70 * 1024);
    assert_int_equal(pthread_create(&t, NULL, stop_it, &s), 0);
    while ((n = read(fds[0], data + len, cap - len)) > 0)
        len += (size_t)n;
    pthread_join(t, NULL);
    sim_join(&s, true);
    checked_bytes(data, len, &found);
    assert_int_equal(found.errors + found.warnings + found.cuts, 0);
    assert_int_equal(a32_load_acq(&s.failures), 0);
    close(fds[0]);
    free(data);
    sim_fini(&s);
}

/* The process is killed: what was flushed can be read, and is a consistent
 * piece of the whole. */
static void
test_killed(void **state)
{
    struct trace_config cfg = {.fd = checked_file(), .flush_ms = 1};
    struct checked found;
    struct stat sb;
    pid_t pid;
    int status;

    (void)state;
    fflush(NULL);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        static struct sim s;
        struct rt_err e;

        sim_init(&s, 2, 14);
        sim_run(&s, 0);
        if (trace_start(&s.rec, &cfg, &e) != RT_OK)
            _exit(1);
        for (;;)
            pause();
    }
    do {
        usleep(2000);
        assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
        assert_int_equal(fstat(cfg.fd, &sb), 0);
    } while (sb.st_size < MORE_THAN_A_PASS);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_true(checked_fd(cfg.fd, &found) > 1000);
    if (found.errors > 0)
        fail_msg("%s", found.first);
    close(cfg.fd);
}

/* The same where much waits to be written: whatever pieces of it a process
 * has got rid of when it is killed. */
static void
test_killed_behind(void **state)
{
    static struct sim s;
    struct trace_config cfg = {.fd = -1};
    struct trace_stats st;
    struct reader r = {.s = &s};
    struct checked found;
    const uint8_t *p;
    struct rt_err e;
    size_t n;
    int i;

    (void)state;
    sim_init(&s, 4, 26);
    sim_run(&s, 0);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    do {
        usleep(1000);
        trace_get_stats(&s.rec, &st);
    } while (st.memory < 80 * (64 << 10));
    for (i = 0; i < 6; i++) {
        assert_int_equal(trace_read(&s.rec, &p, &n, &e), RT_OK);
        assert_true(n > 0);
        assert_true(n < 32 * (64 << 10)); /* not all that waits at once */
        r.data = realloc(r.data, r.len + n);
        memcpy(r.data + r.len, p, n);
        r.len += n;
        if (i == 0)
            continue; /* the header */
        checked_bytes(r.data, r.len, &found);
        if (found.errors > 0)
            fail_msg("piece %d: %s", i, found.first);
    }
    sim_join(&s, true);
    free(r.data);
    sim_fini(&s);
}

/* Ends without trace_stop(), as a program does that returns from main. */
static void
test_abandoned(void **state)
{
    static struct sim s;
    struct trace_config cfg = {.fd = checked_file()};
    struct rt_err e;

    (void)state;
    sim_init(&s, 2, 15);
    sim_run(&s, 500);
    assert_int_equal(trace_start(&s.rec, &cfg, &e), RT_OK);
    sim_join(&s, false);
    sim_fini(&s);
    assert_true(lseek(cfg.fd, 0, SEEK_END) >= 16);
    close(cfg.fd);
}

/* Two runtimes in one process do not know of each other. */
static void
test_two(void **state)
{
    static struct sim a, b;
    struct trace_config ca = {.fd = checked_file()}, cb = {.fd = checked_file()};
    struct rt_err e;

    (void)state;
    sim_init(&a, 2, 16);
    sim_init(&b, 2, 17);
    sim_run(&a, 2000);
    sim_run(&b, 2000);
    assert_int_equal(trace_start(&a.rec, &ca, &e), RT_OK);
    assert_int_equal(trace_start(&b.rec, &cb, &e), RT_OK);
    sim_join(&a, false);
    assert_int_equal(trace_stop(&a.rec, &e), RT_OK);
    sim_join(&b, false);
    assert_int_equal(trace_stop(&b.rec, &e), RT_OK);
    assert_valid_trace(ca.fd, 1);
    assert_valid_trace(cb.fd, 1);
    close(ca.fd);
    close(cb.fd);
    sim_fini(&a);
    sim_fini(&b);
}

/* The file gets as long as it may, and is whole; the next one too. */
static void
test_limit(void **state)
{
    static struct sim s;
    struct rt_err e;
    int i;

    (void)state;
    sim_init(&s, 3, 22);
    sim_run(&s, 0);
    for (i = 0; i < 3; i++) {
        struct trace_config tc = {.fd = checked_file(), .flush_ms = 1,
            .max_bytes = 300 << 10};

        assert_int_equal(trace_start(&s.rec, &tc, &e), RT_OK);
        while (trace_on(&s.rec))
            usleep(1000);
        if (i == 1)
            usleep(20000);
        assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
        assert_true(lseek(tc.fd, 0, SEEK_END) >= 300 << 10);
        assert_valid_trace(tc.fd, 100);
        close(tc.fd);
    }
    sim_join(&s, true);
    sim_fini(&s);
}

/* Classes that are left out leave a whole trace. */
static void
test_classes(void **state)
{
    static struct sim s;
    static const char *const lists[] = {"gc", "-stack", "user,stack",
        "-gc,-user", "heap,sweep", "all", "syscall"};
    uint32_t classes;
    struct rt_err e;
    size_t i;

    (void)state;
    assert_false(trace_classes("gc,nonsense", &classes));
    assert_false(trace_classes("", &classes));
    sim_init(&s, 3, 23);
    sim_run(&s, 0);
    for (i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct trace_config tc = {.fd = checked_file()};
        struct trace_stats st;

        assert_true(trace_classes(lists[i], &classes));
        tc.classes = classes == 0 ? 0 : classes;
        assert_int_equal(trace_start(&s.rec, &tc, &e), RT_OK);
        do {
            usleep(3000);
            trace_get_stats(&s.rec, &st);
        } while (st.count[TRACE_EV_GO_START] == 0);
        assert_int_equal(trace_stop(&s.rec, &e), RT_OK);
        trace_get_stats(&s.rec, &st);
        if ((classes & TRACE_C_USER) == 0)
            assert_int_equal(st.count[TRACE_EV_USER_REGION], 0);
        if ((classes & TRACE_C_GC) == 0)
            assert_int_equal(st.count[TRACE_EV_GC_START] +
                st.count[TRACE_EV_STW_START], 0);
        assert_true(st.count[TRACE_EV_GO_START] > 0);
        assert_valid_trace(tc.fd, 1);
        close(tc.fd);
    }
    sim_join(&s, true);
    sim_fini(&s);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_run),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_portable_clock),
        cmocka_unit_test(test_start_stop),
        cmocka_unit_test(test_races),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_end_without_flush),
        cmocka_unit_test(test_one_reader),
        cmocka_unit_test(test_no_reader),
        cmocka_unit_test(test_disk_full),
        cmocka_unit_test(test_disk_full_at_the_end),
        cmocka_unit_test(test_part_of_a_pass),
        cmocka_unit_test(test_closed_pipe),
        cmocka_unit_test(test_slow_pipe),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_killed_behind),
        cmocka_unit_test(test_abandoned),
        cmocka_unit_test(test_two),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_classes),
    };

    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
