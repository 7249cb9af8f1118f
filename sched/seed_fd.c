/* SPDX-License-Identifier: MIT */
/*
 * Descriptors in a schedule by a seed.  There is one thread: if it waited in
 * the kernel for what another goroutine is to write, that one would never come
 * to it.  So whoever would wait yields until there is something.
 *
 * What others of this process write is there at once: whoever waits for a pipe
 * whose other end is the process's own, for a connection inside (loopback.h), or
 * for what others wait for at the kernel's sockets, can go on at the next
 * decision.  When a child process writes, or ends, is not the program's to say.
 * Whoever waits for a pipe to one, or for its end, therefore goes on only when
 * nobody else can, even where there is something already: so it makes no
 * difference when that came, as long as it is one child and one goroutine.  The
 * child may wait for others of the program, and these go on meanwhile.  The
 * process's own input, output and errors are waited for in the kernel.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* n elements, in those few if they are enough, else in memory that the caller
 * frees. */
static void *
array(void *few, size_t nfew, size_t n, size_t size)
{
    void *p = n <= nfew ? few : calloc(n, size);

    if (p == NULL)
        rt_no_memory();
    return p;
}

/* Whether anything is there that goroutines wait for at sockets. */
static bool
netpoll_ready(struct sched *s)
{
    uint32_t n = netpoll_awaited(s, NULL, 0);
    struct pollfd few[16];
    struct pollfd *p = array(few, sizeof few / sizeof *few, n, sizeof *p);

    netpoll_awaited(s, p, n);
    bool ready = poll(p, n, 0) > 0;
    if (p != few)
        free(p);
    return ready;
}

/* ---- who waits ---------------------------------------------------------------- */

static bool
is_nonblocking(int fd)
{
    return (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0;
}

/* Whether it is a pipe, or a socket, that another process may be behind. */
static bool
is_to_others(int fd)
{
    struct stat st;

    return fd > STDERR_FILENO && fstat(fd, &st) == 0 &&
        (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

static enum seed_wait
wait_at_socket(const struct lo_sock *x, int fd, bool write)
{
    if (loopback_is_ready(x, write) || is_nonblocking(fd))
        return SEED_WAIT_NOT;
    if (loopback_is_inside(x))
        return SEED_WAIT_INSIDE;
    return is_ready(fd, write) ? SEED_WAIT_NOT : SEED_WAIT_INSIDE;
}

static enum seed_wait
wait_at_file(int fd, bool write)
{
    bool ready = is_ready(fd, write);

    if (is_nonblocking(fd) || (ready && write))
        return SEED_WAIT_NOT;
    if (is_own_pipe(fd, write))
        return ready ? SEED_WAIT_NOT : SEED_WAIT_INSIDE;
    return is_to_others(fd) ? SEED_WAIT_OUTSIDE : SEED_WAIT_NOT;
}

static enum seed_wait
wait_for_events(struct sched *s, int fd)
{
    bool ready = is_netpoll(s, fd) ? netpoll_ready(s)
                                   : is_ready(fd, false);

    return ready ? SEED_WAIT_NOT : SEED_WAIT_INSIDE;
}

/* g comes back when its turn is.  Where it has waited already, it does not once
 * more, if there is something now. */
static bool
begin_wait(struct seed *d, struct sched_g *g, enum seed_wait kind, int fd,
    bool write, bool ready)
{
    bool again = g->seed.waited;

    g->seed.waited = false;
    if (kind == SEED_WAIT_NOT || (again && ready))
        return false;
    g->seed.waits = kind;
    g->seed.waits_write = write;
    g->seed.fd = fd;
    if (seed_is_outside(g) && d->noutside++ == 0)
        d->looked = d->used;
    return true;
}

bool
seed_wait_fd(struct sched_m *m, int fd, enum seed_fd how)
{
    struct sched *s = m->sched;
    bool write = how == SEED_FD_WRITE;
    struct lo_sock *x = loopback_find(s, fd);
    enum seed_wait kind;

    rt_assert(s->seed != NULL && m->g->seed.waits == SEED_WAIT_NOT);
    if (x != NULL)
        kind = wait_at_socket(x, fd, write);
    else if (how == SEED_FD_EVENTS)
        kind = wait_for_events(s, fd);
    else
        kind = wait_at_file(fd, write);
    return begin_wait(s->seed, m->g, kind, fd, write,
        kind == SEED_WAIT_OUTSIDE && is_ready(fd, write));
}

bool
seed_wait_poll(struct sched_m *m, const struct pollfd *v, size_t n)
{
    enum { MOST = 1 << 20 };
    struct sched_g *g = m->g;
    struct pollfd *now;
    bool ready;

    if (v == NULL || n > MOST)
        return false; /* the kernel shall say what is wrong */
    now = calloc(n + 1, sizeof *now);
    if (now == NULL)
        rt_no_memory();
    for (size_t i = 0; i < n; i++) {
        loopback_watch(m, v[i].fd);
        now[i] = v[i];
    }
    ready = poll(now, n, 0) != 0;
    free(now);
    if (!begin_wait(m->sched->seed, g,
            ready ? SEED_WAIT_NOT : SEED_WAIT_INSIDE, -1, false, false))
        return false;
    g->seed.polled = v;
    g->seed.npolled = (uint32_t)n;
    return true;
}

bool
seed_wait_process(struct sched_m *m, int pid, bool pidfd)
{
    rt_assert(m->sched->seed != NULL);
    /* It has been looked at before it came back. */
    return begin_wait(m->sched->seed, m->g,
        pidfd ? SEED_WAIT_PIDFD : SEED_WAIT_PROCESS, pid, false, true);
}

size_t
seed_fd_room(int fd, size_t n)
{
    /* A pipe that is ready has room for so much. */
    return n > PIPE_BUF && (is_to_others(fd) || is_own_pipe(fd, true))
        ? PIPE_BUF : n;
}

/* ---- what is polled at once ---------------------------------------------------- */

/* Somebody who waits, and what is polled for him: n from v[at] on. */
struct waiter {
    uint32_t at, n;
    bool ready;  /* there is something inside */
    int process; /* a descriptor of it, to be closed; -1: none */
};

struct polled {
    struct pollfd few[16], *v; /* n of them */
    struct waiter few_waiters[16], *w; /* in the order of d->fds */
    uint32_t n;
    uint32_t nawaited; /* of them at sockets, for whoever looks for those */
    bool idle;         /* what comes from outside counts, too */
    bool ready;        /* somebody is */
};

static void
polled_begin(struct polled *p, struct sched *s, bool idle)
{
    uint32_t n = s->seed->fds.n;
    size_t npolled = 0;

    for (uint32_t i = 0; i < n; i++)
        npolled += s->seed->fds.v[i]->seed.npolled;
    p->nawaited = netpoll_awaited(s, NULL, 0);
    p->n = 0;
    p->idle = idle;
    p->ready = false;
    p->v = array(p->few, sizeof p->few / sizeof *p->few,
        n * (1 + (size_t)p->nawaited) + npolled, sizeof *p->v);
    p->w = array(p->few_waiters, sizeof p->few_waiters / sizeof *p->w, n,
        sizeof *p->w);
}

static void
polled_end(struct polled *p, uint32_t nwaiters)
{
    for (uint32_t i = 0; i < nwaiters; i++)
        if (p->w[i].process >= 0)
            close(p->w[i].process);
    if (p->v != p->few)
        free(p->v);
    if (p->w != p->few_waiters)
        free(p->w);
}

/* What is polled for g goes to p->v + p->n. */
static void
add_outside(struct polled *p, struct waiter *w, const struct sched_g *g)
{
    int fd = g->seed.fd;

    if (!p->idle)
        return;
    if (g->seed.waits == SEED_WAIT_PROCESS) {
        fd = w->process = pidfd_open(fd, 0);
        w->ready = fd < 0; /* waitid() shall say why */
    }
    p->v[p->n] = poll_of(fd, g->seed.waits_write);
    w->n = 1;
}

static void
add_inside(struct polled *p, struct waiter *w, struct sched *s,
    const struct sched_g *g)
{
    int fd = g->seed.fd;
    struct lo_sock *x;

    if (g->seed.polled != NULL) {
        w->n = g->seed.npolled;
        for (uint32_t i = 0; i < w->n; i++)
            p->v[p->n + i] = g->seed.polled[i];
        return;
    }
    if (is_netpoll(s, fd)) {
        w->n = p->nawaited;
        netpoll_awaited(s, p->v + p->n, w->n);
        return;
    }
    x = loopback_find(s, fd);
    w->ready = x != NULL && loopback_is_ready(x, g->seed.waits_write);
    if (x != NULL && loopback_is_inside(x))
        return; /* the kernel's socket is none that anything comes to */
    p->v[p->n] = poll_of(fd, g->seed.waits_write);
    w->n = 1;
}

static void
polled_add(struct polled *p, struct sched *s, uint32_t i)
{
    const struct sched_g *g = s->seed->fds.v[i];
    struct waiter *w = &p->w[i];

    rt_assert(g->seed.waits != SEED_WAIT_NOT);
    *w = (struct waiter){.at = p->n, .process = -1};
    if (seed_is_outside(g))
        add_outside(p, w, g);
    else
        add_inside(p, w, s, g);
    p->n += w->n;
    p->ready = p->ready || w->ready;
}

/* The waiter's turn has come, as far as the machine is concerned. */
static bool
is_polled_ready(const struct polled *p, uint32_t i)
{
    const struct waiter *w = &p->w[i];
    bool ready = w->ready;

    for (uint32_t k = 0; k < w->n; k++)
        ready = ready || p->v[w->at + k].revents != 0;
    return ready;
}

/* Of those for whom something has come from outside one goes on: the first, but
 * a process has ended only when all has been read that it has written.  The
 * number of waiters: none. */
static uint32_t
first_outside(const struct polled *p, const struct seed *d)
{
    uint32_t first = d->fds.n;

    for (uint32_t i = 0; i < d->fds.n; i++) {
        const struct sched_g *g = d->fds.v[i];

        if (!is_polled_ready(p, i))
            continue;
        if (!seed_is_outside(g))
            return d->fds.n; /* the turn of those inside */
        if (first == d->fds.n || (g->seed.waits == SEED_WAIT_OUTSIDE &&
            d->fds.v[first]->seed.waits != SEED_WAIT_OUTSIDE))
            first = i;
    }
    return first;
}

static void
goes_on(struct seed *d, struct sched_g *g)
{
    d->noutside -= seed_is_outside(g);
    g->seed.waits = SEED_WAIT_NOT;
    g->seed.polled = NULL;
    g->seed.npolled = 0;
    g->seed.waited = true;
    seed_put(d, g);
}

/* Whoever need not wait any more goes on. */
static bool
check(struct sched *s, bool idle, int ms)
{
    struct seed *d = s->seed;
    uint32_t kept = 0, n = d->fds.n, one;
    struct polled p;

    polled_begin(&p, s, idle);
    for (uint32_t i = 0; i < n; i++)
        polled_add(&p, s, i);
    /* What happens inside has happened already. */
    if (p.n > 0 || (ms > 0 && !p.ready))
        poll(p.v, p.n, p.ready ? 0 : ms);
    one = idle ? first_outside(&p, d) : n;
    for (uint32_t i = 0; i < n; i++) {
        struct sched_g *g = d->fds.v[i];

        if (seed_is_outside(g) ? i == one : is_polled_ready(&p, i))
            goes_on(d, g);
        else
            d->fds.v[kept++] = g;
    }
    d->fds.n = kept;
    polled_end(&p, n);
    return kept < n;
}

bool
seed_check_fds(struct sched *s)
{
    /* Those outside wait until nobody else can run. */
    return s->seed->fds.n > s->seed->noutside && check(s, false, 0);
}

bool
seed_await_fds(struct sched *s, int ms)
{
    s->seed->looked = s->seed->used;
    return check(s, true, ms);
}

/* ---- from outside --------------------------------------------------------------- */

/* Who may be behind a socket that somebody waits for. */
enum source {
    SOURCE_INSIDE, /* only this process */
    SOURCE_CALLS,  /* it, and whoever calls */
    SOURCE_OTHERS
};

static int
option_of(int fd, int name)
{
    int value = -1;
    socklen_t n = sizeof value;

    return getsockopt(fd, SOL_SOCKET, name, &value, &n) == 0 ? value : -1;
}

/* One of Unix.  Who has connected it, or listened for that, is known for
 * streams. */
static enum source
source_of_unix(int fd)
{
    struct ucred peer;
    socklen_t n = sizeof peer;

    if (option_of(fd, SO_ACCEPTCONN) == 1)
        return SOURCE_CALLS;
    if (option_of(fd, SO_TYPE) == SOCK_DGRAM ||
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) != 0)
        return SOURCE_OTHERS;
    return peer.pid == getpid() ? SOURCE_INSIDE : SOURCE_OTHERS;
}

static enum source
source_of(struct sched *s, int fd)
{
    struct lo_sock *x = loopback_find(s, fd);

    if (x == NULL)
        return option_of(fd, SO_DOMAIN) == AF_UNIX ? source_of_unix(fd)
                                                   : SOURCE_OTHERS;
    if (loopback_is_inside(x))
        return SOURCE_INSIDE;
    return loopback_awaits_calls(x) ? SOURCE_CALLS : SOURCE_OTHERS;
}

/* A child may have an end of each socket, and call whom it likes. */
static bool
has_children(void)
{
    siginfo_t info;

    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static bool
is_socket(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode);
}

/* Whether what is waited for at fd may come although all wait. closed: nobody
 * calls. */
static bool
may_come(struct sched *s, int fd, bool closed)
{
    enum source from = source_of(s, fd);

    return from == SOURCE_OTHERS || (from == SOURCE_CALLS && !closed);
}

/* The same of what g waits for by itself, not by the netpoller: sockets, a pipe
 * of the program, or what it watches by epoll. */
static bool
may_come_to(struct sched *s, const struct sched_g *g, bool closed)
{
    struct stat st;

    if (g->seed.waits != SEED_WAIT_INSIDE || is_netpoll(s, g->seed.fd))
        return false;
    for (uint32_t i = 0; i < g->seed.npolled; i++)
        if (is_socket(g->seed.polled[i].fd) &&
            may_come(s, g->seed.polled[i].fd, closed))
            return true;
    if (g->seed.polled != NULL)
        return false;
    if (is_socket(g->seed.fd))
        return may_come(s, g->seed.fd, closed);
    return !closed && fstat(g->seed.fd, &st) == 0 &&
        !S_ISFIFO(st.st_mode);
}

static bool
may_come_to_waiter(struct sched *s, bool closed)
{
    const struct seed_queue *q = &s->seed->fds;

    for (uint32_t i = 0; i < q->n; i++)
        if (may_come_to(s, q->v[i], closed))
            return true;
    return false;
}

/* The same by way of the netpoller: n descriptors. */
static bool
may_come_to_netpoll(struct sched *s, uint32_t n, bool closed)
{
    struct pollfd few[16];
    struct pollfd *p = array(few, sizeof few / sizeof *few, n, sizeof *p);
    bool may = false;

    netpoll_awaited(s, p, n);
    for (uint32_t i = 0; i < n && !may; i++)
        may = may_come(s, p[i].fd, closed);
    if (p != few)
        free(p);
    return may;
}

bool
seed_awaits_io(struct sched *s)
{
    uint32_t n = netpoll_awaited(s, NULL, 0);
    bool family = has_children(), closed = s->seed->closed && !family;

    return (n > 0 && (family || may_come_to_netpoll(s, n, closed))) ||
        may_come_to_waiter(s, closed);
}

bool
seed_awaits_calls(struct sched *s, const struct sched_g *g)
{
    int fd;

    if (!netpoll_is_awaited_by(s, g, &fd)) {
        if (g->seed.waits != SEED_WAIT_INSIDE || !is_socket(g->seed.fd))
            return false;
        fd = g->seed.fd;
    }
    return source_of(s, fd) == SOURCE_CALLS;
}
