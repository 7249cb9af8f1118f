/* SPDX-License-Identifier: MIT */
/*
 * A connection inside of which a child process is about to get an end, or which
 * the program watches by means of the kernel's: it becomes the kernel's, with
 * what is on the way in it, and goes on under the same descriptors and the same
 * names.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "sched/loopback_int.h"

enum { SEND_MS = 1000 };

/* Two sockets of the kernel that are connected; false: there are none. */
static bool
make_pair(int pair[2])
{
    struct sockaddr_in a = {.sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    struct sockaddr *name = (struct sockaddr *)&a;
    int l = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    pair[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    pair[1] = -1;
    if (l >= 0 && pair[0] >= 0 && bind(l, name, n) == 0 &&
        listen(l, 1) == 0 && getsockname(l, name, &n) == 0 &&
        connect(pair[0], name, n) == 0)
        pair[1] = accept4(l, NULL, NULL, SOCK_CLOEXEC);
    if (l >= 0)
        close(l);
    if (pair[1] < 0 && pair[0] >= 0)
        close(pair[0]);
    return pair[1] >= 0;
}

/* What is on the way to x is sent to it through fd, the other end of its
 * socket. */
static void
send_rest(const struct lo_sock *x, int fd)
{
    struct pollfd p = {fd, POLLOUT, 0};
    uint32_t at = 0;

    while (at < x->in.n) {
        uint32_t from = (x->in.start + at) & (x->in.cap - 1);
        uint32_t n = x->in.cap - from < x->in.n - at ? x->in.cap - from
                                                     : x->in.n - at;
        ssize_t k = send(fd, x->in.p + from, n, MSG_DONTWAIT | MSG_NOSIGNAL);

        if (k > 0)
            at += (uint32_t)k;
        else if (errno != EAGAIN || poll(&p, 1, SEND_MS) <= 0)
            return;
    }
    if (x->fin)
        shutdown(fd, SHUT_WR);
}

/* All descriptors of x stand for the socket `with` from now on. */
static void
replace(struct sched *s, struct lo_sock *x, int with)
{
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *e;
    ino_t ino;

    while (dir != NULL && (e = readdir(dir)) != NULL) {
        int fd = atoi(e->d_name);

        if (e->d_name[0] == '.' || fd == with ||
            loopback_find(s, fd) != x)
            continue;
        fcntl(with, F_SETFL, fcntl(fd, F_GETFL)); /* the same for all */
        dup3(with, fd, fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
    }
    if (dir != NULL)
        closedir(dir);
    if (lo_inode(with, &ino))
        lo_move(s, x, ino);
    close(with);
}

/* x is the kernel's, by `with`. */
static void
leave_inside(struct sched *s, struct lo_sock *x, int with)
{
    x->state = LO_OUTSIDE;
    x->named = true;
    x->other = NULL;
    x->in.n = 0;
    if (x->shut_read)
        shutdown(with, SHUT_RD);
    if (x->fds > 0)
        replace(s, x, with);
    else
        x->kernel_fd = with; /* lo_accept() will */
}

static void
give(struct sched_m *m, struct lo_sock *x)
{
    struct lo_sock *y = x->other;
    int pair[2];

    if (x->state != LO_CONNECTED || x->dead || !make_pair(pair))
        return;
    send_rest(x, pair[1]);
    if (y != NULL)
        send_rest(y, pair[0]);
    leave_inside(m->sched, x, pair[0]);
    if (y != NULL)
        leave_inside(m->sched, y, pair[1]);
    else
        close(pair[1]);
}

void
loopback_give(struct sched_m *m, int fd)
{
    struct lo_sock *x = loopback_find(m->sched, fd);

    rt_assert(m->by_seed);
    if (x == NULL)
        return;
    if (x->state == LO_LISTENING)
        m->sched->loopback->shared = true;
    give(m, x);
}

void
loopback_watch(struct sched_m *m, int fd)
{
    struct lo_sock *x = loopback_find(m->sched, fd);

    rt_assert(m->by_seed);
    if (x != NULL)
        give(m, x);
}
