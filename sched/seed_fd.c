/* SPDX-License-Identifier: MIT */
/*
 * Descriptors in a schedule by a seed.  There is one thread: if it waited in
 * the kernel for what another goroutine is to write, that one would never come
 * to it.  So whoever would wait for a pipe whose other end is the process's own
 * yields until there is something, and so do who waits for a connection inside
 * (loopback.h), if that is to wait in the kernel, and the goroutine that looks
 * for what others wait for at the kernel's sockets.  What other processes write
 * is waited for in the kernel, so that when it comes does not decide who runs.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "sched/loopback.h"
#include "sched/netpoll.h"
#include "sched/seed_int.h"

static struct pollfd
poll_of(int fd, bool write)
{
    return (struct pollfd){fd, write ? POLLOUT : POLLIN, 0};
}

static bool
is_ready(int fd, bool write)
{
    struct pollfd p = poll_of(fd, write);

    /* Whatever is wrong with it the operation itself shall say. */
    return poll(&p, 1, 0) != 0;
}

/* Whether the descriptor stands for all that goroutines wait for at sockets. */
static bool
is_netpoll(struct sched *s, int fd)
{
    return fd >= 0 && fd == netpoll_events_fd(s);
}

/* Whether the descriptor is an end of that pipe which is not the given one. */
static bool
is_other_end(int fd, const struct stat *pipe, bool write)
{
    struct stat st;
    int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && fstat(fd, &st) == 0 && st.st_ino == pipe->st_ino &&
        st.st_dev == pipe->st_dev &&
        (flags & O_ACCMODE) != (write ? O_WRONLY : O_RDONLY);
}

/* Whether this process has the other end of the pipe. */
static bool
is_own_pipe(int fd, bool write)
{
    struct stat st;
    struct dirent *e;
    bool own = false;

    if (fstat(fd, &st) != 0 || !S_ISFIFO(st.st_mode))
        return false;
    DIR *dir = opendir("/proc/self/fd");
    while (dir != NULL && !own && (e = readdir(dir)) != NULL)
        own = e->d_name[0] != '.' &&
            is_other_end(atoi(e->d_name), &st, write);
    if (dir != NULL)
        closedir(dir);
    return own;
}

/* ---- what is polled at once ---------------------------------------------------- */

struct polled {
    struct pollfd few[16], *v; /* n of them, in the order of d->fds */
    uint32_t n;
    uint32_t nawaited; /* of them at sockets, for whoever looks for those */
};

static void
polled_begin(struct polled *p, struct sched *s)
{
    uint32_t most;

    p->nawaited = netpoll_awaited(s, NULL, 0);
    most = s->seed->fds.n * (1 + p->nawaited);
    p->n = 0;
    p->v = p->few;
    if (most > sizeof p->few / sizeof *p->few &&
        (p->v = malloc(most * sizeof *p->v)) == NULL)
        rt_no_memory();
}

static void
polled_end(struct polled *p)
{
    if (p->v != p->few)
        free(p->v);
}

/* How many descriptors there are for g. */
static uint32_t
polled_by(const struct polled *p, struct sched *s, const struct sched_g *g)
{
    return is_netpoll(s, g->seed.fd) ? p->nawaited : 1;
}

/* Whether the kernel's socket is none that anything comes to. */
static bool
knows_nothing(struct sched *s, int fd)
{
    const struct lo_sock *x = loopback_find(s, fd);

    return x != NULL && loopback_is_inside(x);
}

static void
polled_add(struct polled *p, struct sched *s, const struct sched_g *g)
{
    uint32_t n = polled_by(p, s, g);

    if (is_netpoll(s, g->seed.fd))
        netpoll_awaited(s, p->v + p->n, n);
    else if (knows_nothing(s, g->seed.fd))
        p->v[p->n] = poll_of(-1, false);
    else
        p->v[p->n] = poll_of(g->seed.fd, g->seed.waits_write);
    p->n += n;
}

/* Whether anything is there that goroutines wait for at sockets. */
static bool
netpoll_ready(struct sched *s)
{
    uint32_t n = netpoll_awaited(s, NULL, 0);
    struct pollfd few[16], *p = few;

    if (n > sizeof few / sizeof *few &&
        (p = malloc(n * sizeof *p)) == NULL)
        rt_no_memory();
    netpoll_awaited(s, p, n);
    bool ready = poll(p, n, 0) > 0;
    if (p != few)
        free(p);
    return ready;
}

static bool
begin_wait(struct sched_g *g, int fd, bool write)
{
    g->seed.waits_fd = true;
    g->seed.waits_write = write;
    g->seed.fd = fd;
    return true;
}

bool
seed_wait_fd(struct sched_m *m, int fd, enum seed_fd how)
{
    struct sched_g *g = m->g;
    bool write = how == SEED_FD_WRITE;
    struct lo_sock *x = loopback_find(m->sched, fd);

    rt_assert(m->sched->seed != NULL && !g->seed.waits_fd);
    if (x != NULL && (loopback_is_ready(x, write) ||
        (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0))
        return false;
    if (x != NULL && loopback_is_inside(x))
        return begin_wait(g, fd, write);
    if (is_netpoll(m->sched, fd) ? netpoll_ready(m->sched)
        : is_ready(fd, write))
        return false;
    if (how != SEED_FD_EVENTS &&
        ((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0 ||
            (x == NULL && !is_own_pipe(fd, write))))
        return false;
    return begin_wait(g, fd, write);
}

size_t
seed_fd_room(int fd, size_t n)
{
    /* A pipe that is ready has room for so much. */
    return n > PIPE_BUF && is_own_pipe(fd, true) ? PIPE_BUF : n;
}

static bool
is_ready_inside(struct sched *s, const struct sched_g *g)
{
    const struct lo_sock *x = loopback_find(s, g->seed.fd);

    return x != NULL && loopback_is_ready(x, g->seed.waits_write);
}

static bool
is_any_ready_inside(struct sched *s)
{
    for (uint32_t i = 0; i < s->seed->fds.n; i++)
        if (is_ready_inside(s, s->seed->fds.v[i]))
            return true;
    return false;
}

bool
seed_check_fds(struct sched *s, int ms)
{
    struct seed *d = s->seed;
    uint32_t kept = 0, n = d->fds.n;
    struct polled p;

    polled_begin(&p, s);
    for (uint32_t i = 0; i < n; i++)
        polled_add(&p, s, d->fds.v[i]);
    /* What happens inside has happened already. */
    poll(p.v, p.n, is_any_ready_inside(s) ? 0 : ms);
    for (uint32_t i = 0, at = 0; i < n; i++) {
        struct sched_g *g = d->fds.v[i];
        uint32_t end = at + polled_by(&p, s, g);
        bool ready = is_ready_inside(s, g);

        rt_assert(g->seed.waits_fd && end <= p.n);
        for (; at < end; at++)
            ready = ready || p.v[at].revents != 0;
        if (!ready) {
            d->fds.v[kept++] = g;
            continue;
        }
        g->seed.waits_fd = false;
        seed_put(d, g);
    }
    d->fds.n = kept;
    polled_end(&p);
    return kept < n;
}

bool
seed_awaits_io(struct sched *s)
{
    return netpoll_awaited(s, NULL, 0) > 0;
}
