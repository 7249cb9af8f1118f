/* SPDX-License-Identifier: MIT */
/*
 * What is recorded on demand: SIGUSR1 starts and ends a trace in the folder of
 * -trace-signal; the flight recorder of -flight writes a file at SIGUSR2 and
 * when the program fails.
 *
 * The signals are blocked in all threads of the runtime, which inherit the
 * mask of the one that calls vole_run(), and fetched by one that does nothing
 * else; so that no handler is needed, and nothing happens in the middle of
 * something.
 */
#include "runtime/host/host_int.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/throw.h"

struct host_control {
    struct vole *v;
    sigset_t wanted, old;
    pthread_t thread;
    bool has_thread;
    a_u32 quit;
    bool tracing;     /* thread, then host_control_close() */
    char path[4096];  /* of that trace */
};

/* Opens a new file DIR/vole-TIME-PID.KIND. */
static int
new_file(const struct vole *v, const char *kind, char *path, size_t size)
{
    const char *dir = v->opt.watch.trace_signal;
    char when[32];
    struct timespec ts;
    struct tm tm;
    int fd, i;

    for (i = 0; i < 100; i++) {
        clock_gettime(CLOCK_REALTIME, &ts);
        localtime_r(&ts.tv_sec, &tm);
        strftime(when, sizeof when, "%Y%m%d-%H%M%S", &tm);
        snprintf(path, size, "%s/vole-%s.%03ld-%ld.%s",
            dir == NULL ? "." : dir, when, ts.tv_nsec / 1000000,
            (long)getpid(), kind);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            break;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    if (fd < 0)
        host_log(v, "%s: %s", path, strerror(errno));
    return fd;
}

/* ---- traces */

static void
start_trace(struct host_control *c)
{
    struct trace_config cfg = {0};
    struct rt_err e = {0};

    rt_assert(!c->tracing);
    if (!host_trace_config(c->v, &cfg))
        return;
    cfg.fd = new_file(c->v, "trace", c->path, sizeof c->path);
    cfg.close_fd = true;
    if (cfg.fd < 0)
        return;
    if (trace_start(&c->v->trace, &cfg, &e) != RT_OK) {
        host_log(c->v, "trace: %s", e.text);
        unlink(c->path);
        return;
    }
    c->tracing = true;
    host_log(c->v, "trace: writing %s", c->path);
}

static void
stop_trace(struct host_control *c)
{
    struct rt_err e = {0};

    rt_assert(c->tracing && c->path[0] != 0);
    c->tracing = false;
    if (trace_stop(&c->v->trace, &e) == RT_OK)
        host_log(c->v, "trace: %s is complete", c->path);
}

/* ---- the flight recorder */

static bool
fd_write_all(int fd, const uint8_t *data, size_t n)
{
    while (n > 0) {
        ssize_t w = write(fd, data, n);

        rt_assert(w <= (ssize_t)n);
        if (w < 0 && errno != EINTR)
            return false;
        if (w > 0) {
            data += w;
            n -= (size_t)w;
        }
    }
    return true;
}

static void
write_flight(struct vole *v)
{
    struct rt_err e = {0};
    char path[4096];
    uint8_t *data;
    size_t n;
    bool ok;
    int fd;

    if (trace_flight_dump(&v->trace, &data, &n, &e) != RT_OK) {
        host_log(v, "flight recorder: %s", e.text);
        return;
    }
    fd = new_file(v, "flight.trace", path, sizeof path);
    if (fd >= 0) {
        ok = fd_write_all(fd, data, n);
        ok = close(fd) == 0 && ok;
        if (ok)
            host_log(v, "flight recorder: wrote %s", path);
        else
            host_log(v, "%s: %s", path, strerror(errno));
    }
    free(data);
}

/* ---- the thread */

static void *
wait_for_signals(void *arg)
{
    struct host_control *c = arg;
    int sig;

    for (;;) {
        if (sigwait(&c->wanted, &sig) != 0)
            continue;
        if (a32_load_acq(&c->quit) != 0)
            return NULL;
        rt_assert(sigismember(&c->wanted, sig) == 1);
        if (sig == SIGUSR2)
            write_flight(c->v);
        else if (c->tracing)
            stop_trace(c);
        else
            start_trace(c);
    }
}

static bool
start_flight(struct vole *v)
{
    struct trace_flight_config cfg = {v->opt.watch.flight_age,
        v->opt.watch.flight_bytes};
    struct rt_err e = {0};

    if (trace_flight_start(&v->trace, &cfg, &e) == RT_OK)
        return true;
    host_log(v, "%s", e.text);
    return false;
}

static bool
is_folder(const struct vole *v, const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0) {
        host_log(v, "%s: %s", path, strerror(errno));
        return false;
    }
    close(fd);
    return true;
}

static bool
start_thread(struct host_control *c)
{
    sigset_t all, old;
    int err;

    pthread_sigmask(SIG_BLOCK, &c->wanted, &c->old);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    err = pthread_create(&c->thread, NULL, wait_for_signals, c);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    c->has_thread = err == 0;
    if (err != 0)
        host_log(c->v, "no thread for signals: %s", strerror(err));
    return err == 0;
}

bool
host_control_open(struct vole *v)
{
    struct host_control *c;

    if (v->opt.watch.trace_signal == NULL && !v->opt.watch.flight)
        return true;
    if (v->opt.watch.trace_signal != NULL &&
        !is_folder(v, v->opt.watch.trace_signal))
        return false;
    c = calloc(1, sizeof *c);
    if (c == NULL) {
        host_log(v, "out of memory");
        return false;
    }
    rt_assert(v->control == NULL);
    c->v = v;
    v->control = c;
    sigemptyset(&c->wanted);
    if (v->opt.watch.trace_signal != NULL)
        sigaddset(&c->wanted, SIGUSR1);
    if (v->opt.watch.flight)
        sigaddset(&c->wanted, SIGUSR2);
    if (start_thread(c) && (!v->opt.watch.flight || start_flight(v)))
        return true;
    host_control_close(v, 0);
    return false;
}

void
host_control_close(struct vole *v, int status)
{
    struct host_control *c = v->control;

    if (c == NULL)
        return;
    if (c->has_thread) {
        a32_store_rel(&c->quit, 1); /* rel: pairs with the thread's acq */
        pthread_kill(c->thread, v->opt.watch.flight ? SIGUSR2 : SIGUSR1);
        pthread_join(c->thread, NULL);
    }
    if (c->tracing)
        stop_trace(c);
    if (v->opt.watch.flight && status != 0)
        write_flight(v);
    if (v->opt.watch.flight)
        trace_flight_stop(&v->trace);
    pthread_sigmask(SIG_SETMASK, &c->old, NULL);
    free(c);
    v->control = NULL;
}
