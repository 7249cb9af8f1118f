/* SPDX-License-Identifier: MIT */
/*
 * Descriptors in a schedule by a seed.  There is one thread: if it waited in
 * the kernel for what another goroutine is to write, that one would never come
 * to it.  So whoever would wait for a pipe whose other end is the process's own
 * yields until there is something, and so does the goroutine that waits for
 * events of sockets.  What other processes write is waited for in the kernel, so
 * that when it comes does not decide who runs.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>

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

bool
seed_wait_fd(struct sched_m *m, int fd, enum seed_fd how)
{
    struct sched_g *g = m->g;
    bool write = how == SEED_FD_WRITE;

    rt_assert(m->sched->seed != NULL && !g->seed.waits_fd);
    if (is_ready(fd, write))
        return false;
    if (how != SEED_FD_EVENTS &&
        ((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0 || !is_own_pipe(fd, write)))
        return false;
    g->seed.waits_fd = true;
    g->seed.waits_write = write;
    g->seed.fd = fd;
    return true;
}

size_t
seed_fd_room(int fd, size_t n)
{
    /* A pipe that is ready has room for so much. */
    return n > PIPE_BUF && is_own_pipe(fd, true) ? PIPE_BUF : n;
}

bool
seed_check_fds(struct seed *d, int ms)
{
    enum { FEW = 16 };
    struct pollfd few[FEW], *p = few;
    uint32_t kept = 0, n = d->fds.n;

    if (n > FEW && (p = malloc(n * sizeof *p)) == NULL)
        rt_no_memory();
    for (uint32_t i = 0; i < n; i++)
        p[i] = poll_of(d->fds.v[i]->seed.fd, d->fds.v[i]->seed.waits_write);
    int ready = poll(p, n, ms);
    for (uint32_t i = 0; i < n; i++) {
        struct sched_g *g = d->fds.v[i];

        rt_assert(g->seed.waits_fd);
        if (ready <= 0 || p[i].revents == 0) {
            d->fds.v[kept++] = g;
            continue;
        }
        g->seed.waits_fd = false;
        seed_put(d, g);
    }
    d->fds.n = kept;
    if (p != few)
        free(p);
    return kept < n;
}

static void
find_waiter(void *arg, struct sched_g *g)
{
    bool *found = arg;

    *found = *found || (sched_g_state(g) == G_WAITING &&
        g->wait_reason == WAIT_IO);
}

bool
seed_awaits_io(struct sched *s)
{
    bool found = false;

    sched_each_g(s, find_waiter, &found);
    return found;
}
