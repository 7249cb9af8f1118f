/* SPDX-License-Identifier: MIT */
/*
 * Connections of the process to itself.  They end as those of TCP do: who has
 * closed his end, or will write nothing more, is known to the other when all
 * has been read; who closes his end with something unread in it, or says so by
 * SO_LINGER, resets the connection; and what is written to an end that has been
 * closed is lost, which is known from then on.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/loopback_int.h"

enum { CONNECT_MS = 1000 };

/* ---- bytes ------------------------------------------------------------------ */

static uint32_t
least(uint32_t a, size_t b)
{
    return b < a ? (uint32_t)b : a;
}

/* Makes room for n more, which there may be. */
static void
grow(struct lo_bytes *b, uint32_t n)
{
    uint32_t cap = b->cap == 0 ? 1024 : b->cap, first;
    uint8_t *p;

    rt_assert(b->n + n <= LO_ROOM);
    while (cap < b->n + n)
        cap *= 2;
    if (cap == b->cap)
        return;
    p = malloc(cap);
    if (p == NULL)
        rt_no_memory();
    first = least(b->n, b->cap - b->start);
    if (b->n > 0) {
        memcpy(p, b->p + b->start, first);
        memcpy(p + first, b->p, b->n - first);
    }
    free(b->p);
    *b = (struct lo_bytes){p, cap, 0, b->n};
}

static void
push(struct lo_bytes *b, const void *from, uint32_t n)
{
    uint32_t at, first;

    if (n == 0)
        return;
    grow(b, n);
    at = (b->start + b->n) & (b->cap - 1);
    first = least(n, b->cap - at);
    memcpy(b->p + at, from, first);
    memcpy(b->p, (const uint8_t *)from + first, n - first);
    b->n += n;
}

/* Copies n bytes, from the one at `skip` on. */
static void
look_at(const struct lo_bytes *b, uint32_t skip, void *to, uint32_t n)
{
    uint32_t at, first;

    rt_assert(skip + n <= b->n);
    if (n == 0)
        return;
    at = (b->start + skip) & (b->cap - 1);
    first = least(n, b->cap - at);
    memcpy(to, b->p + at, first);
    memcpy((uint8_t *)to + first, b->p, n - first);
}

static void
drop(struct lo_bytes *b, uint32_t n)
{
    rt_assert(n <= b->n);
    b->n -= n;
    b->start = b->n == 0 ? 0 : (b->start + n) & (b->cap - 1);
}

/* ---- the end of a connection --------------------------------------------------- */

/* Nothing more comes to x. */
static void
finish(struct sched_m *m, struct lo_sock *x)
{
    x->fin = true;
    lo_tell(m, x, POLL_READ);
}

static void
reset(struct sched_m *m, struct lo_sock *x)
{
    x->err = x->fin ? EPIPE : ECONNRESET;
    x->dead = true;
    lo_tell(m, x, POLL_READ | POLL_WRITE);
}

static void
refuse(struct sched_m *m, struct lo_sock *x)
{
    x->state = LO_NEW;
    x->err = ECONNREFUSED;
    x->other = NULL;
    lo_tell(m, x, POLL_READ | POLL_WRITE);
}

/* Takes end, which nobody has accepted, off its listener's queue. */
static void
unlink_end(struct lo_sock *end)
{
    struct lo_sock *l = end->listener, *before = NULL;

    for (struct lo_sock *y = l->first; y != end; y = y->pending)
        before = y;
    if (before == NULL)
        l->first = end->pending;
    else
        before->pending = end->pending;
    if (l->last == end)
        l->last = before;
    end->listener = end->pending = NULL;
    l->npending--;
}

/* Whoever called last among those for whom there is room is connected. */
static void
connect_next(struct sched_m *m, struct lo_sock *l)
{
    struct lo_sock *end = l->first;

    for (uint32_t i = 0; end != NULL && i < l->backlog; i++)
        end = end->pending;
    if (end != NULL && end->other != NULL && end->other->state == LO_PENDING) {
        end->other->state = LO_CONNECTED;
        lo_tell(m, end->other, POLL_WRITE);
    }
}

static void
stop_listening(struct sched_m *m, struct lo_sock *l)
{
    struct lo_sock *end, *caller;

    while ((end = l->first) != NULL) {
        caller = end->other;
        unlink_end(end);
        lo_free(end);
        if (caller == NULL)
            continue;
        caller->other = NULL;
        if (caller->state == LO_PENDING)
            refuse(m, caller);
        else
            reset(m, caller);
    }
}

static bool
is_abrupt(int fd)
{
    struct linger g = {0, 0};
    socklen_t n = sizeof g;

    return getsockopt(fd, SOL_SOCKET, SO_LINGER, &g, &n) == 0 &&
        g.l_onoff != 0 && g.l_linger == 0;
}

void
lo_hang_up(struct sched_m *m, struct lo_sock *x, int fd)
{
    struct lo_sock *o = x->other, *l;

    if (x->state == LO_LISTENING)
        stop_listening(m, x);
    if (o == NULL)
        return;
    x->other = NULL;
    o->other = NULL;
    if (x->state == LO_PENDING) {
        l = o->listener;
        unlink_end(o);
        lo_free(o);
        connect_next(m, l);
    } else if (x->in.n > 0 || is_abrupt(fd)) {
        reset(m, o);
    } else if (!o->fin) {
        finish(m, o);
    }
}

int64_t
lo_shutdown(struct sched_m *m, struct lo_sock *x, int how)
{
    rt_assert(loopback_is_inside(x));
    if (how < SHUT_RD || how > SHUT_RDWR)
        return -EINVAL;
    if (x->dead || x->state == LO_PENDING)
        return -ENOTCONN;
    if (how != SHUT_RD && !x->shut_write) {
        x->shut_write = true;
        if (x->other != NULL)
            finish(m, x->other);
        lo_tell(m, x, POLL_WRITE);
    }
    if (how != SHUT_WR) {
        x->shut_read = true;
        lo_tell(m, x, POLL_READ);
    }
    return 0;
}

/* ---- its beginning ---------------------------------------------------------------- */

/* The port of the kernel's socket has been taken by somebody between bind() and
 * listen(): another socket takes its place, and the program sees no difference. */
static int64_t
listen_elsewhere(struct lo_sock *x, int fd, int backlog)
{
    struct sockaddr_in6 name;
    socklen_t len = sizeof name;
    struct lo_addr any = x->local;
    int on = 1, v6only = x->v6only, flags = fcntl(fd, F_GETFL);
    int cloexec = fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0;
    int other = socket(x->family,
        SOCK_STREAM | SOCK_CLOEXEC | (flags & O_NONBLOCK), 0);

    if (other < 0)
        return -errno;
    any.port = 0;
    lo_addr_print(&any, x->family, &name, &len);
    setsockopt(other, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (x->family == AF_INET6)
        setsockopt(other, IPPROTO_IPV6, IPV6_V6ONLY, &v6only, sizeof v6only);
    if (bind(other, (struct sockaddr *)&name, len) != 0 ||
        listen(other, backlog) != 0 || dup3(other, fd, cloexec) < 0) {
        int err = errno;

        close(other);
        return -err;
    }
    close(other);
    return 0;
}

int64_t
lo_listen(struct sched_m *m, struct lo_sock *x, int fd, int backlog)
{
    int64_t r = lo_bind_any(m, x, fd);
    ino_t ino;

    if (r == 0 && listen(fd, backlog) != 0)
        r = -errno;
    if (r == -EADDRINUSE && x->picked && x->fds == 1) {
        r = listen_elsewhere(x, fd, backlog);
        if (r == 0 && lo_inode(fd, &ino)) {
            x->alias = true;
            lo_move(m->sched, x, ino);
        }
    }
    if (r != 0)
        return r;
    x->state = LO_LISTENING;
    x->backlog = backlog < 0 || backlog > LO_MAX_BACKLOG ? LO_MAX_BACKLOG
                                                         : (uint32_t)backlog;
    return 0;
}

/* The kernel connects to another process of this machine, which takes no time
 * that is the program's. */
static int64_t
connect_outside(struct lo_sock *x, int fd, const void *name, size_t len)
{
    struct pollfd p = {fd, POLLOUT, 0};
    int err = 0;
    socklen_t n = sizeof err;

    x->state = LO_OUTSIDE;
    if (connect(fd, name, (socklen_t)len) == 0)
        return 0;
    if (errno == EINPROGRESS && poll(&p, 1, CONNECT_MS) > 0 &&
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &n) == 0)
        return -err;
    return -errno;
}

/* x calls the listener l at dest, and has an address. */
static int64_t
call(struct sched_m *m, struct lo_sock *x, struct lo_sock *l,
    const struct lo_addr *dest)
{
    struct lo_sock *end = lo_new(l->family, SOCK_STREAM);

    end->state = LO_CONNECTED;
    end->local = x->peer = *dest;
    end->peer = x->local;
    end->mptcp = end->by_mptcp = x->by_mptcp = x->mptcp && l->mptcp;
    end->other = x;
    x->other = end;
    end->listener = l;
    if (l->first == NULL)
        l->first = end;
    else
        l->last->pending = end;
    l->last = end;
    l->npending++;
    x->state = l->npending <= l->backlog + 1 ? LO_CONNECTED : LO_PENDING;
    lo_tell(m, l, POLL_READ);
    return x->state == LO_CONNECTED ? 0 : -EINPROGRESS;
}

int64_t
lo_connect(struct sched_m *m, struct lo_sock *x, int fd, const void *name,
    size_t len)
{
    struct lo_addr dest, from;
    struct lo_sock *l;

    if (x->state == LO_PENDING)
        return -EALREADY;
    if (x->state == LO_CONNECTED)
        return -EISCONN;
    if (x->state != LO_NEW || !lo_addr_parse(&dest, name, len))
        return INT64_MIN;
    lo_addr_fix(&dest);
    if (x->family == AF_INET6 ? lo_addr_is_v4(&dest) && x->bound && x->v6only
                              : !lo_addr_is_v4(&dest))
        return INT64_MIN;
    l = lo_match(m->sched, &dest, NULL, SOCK_STREAM);
    if (l == NULL) {
        if ((lo_is_own_port(m->sched, dest.port) ||
            lo_is_shared_port(m->sched, dest.port)) &&
            lo_addr_is_local(&dest))
            return -ECONNREFUSED;
        if (lo_addr_is_local(&dest))
            return connect_outside(x, fd, name, len);
        x->state = LO_OUTSIDE;
        return INT64_MIN;
    }
    from = lo_addr_source(&dest);
    if (!x->bound)
        from.port = lo_draw_port(m->sched, SOCK_STREAM);
    else if (lo_addr_is_any(&x->local))
        from.port = x->local.port;
    else
        from = x->local;
    x->local = from;
    return call(m, x, l, &dest);
}

/* Another descriptor of the kernel's socket, as accept4() would give it. */
static int
dup_with(int old, int flags)
{
    int fd = fcntl(old,
        (flags & SOCK_CLOEXEC) != 0 ? F_DUPFD_CLOEXEC : F_DUPFD, 0);

    if (fd >= 0 && (flags & SOCK_NONBLOCK) != 0)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    return fd;
}

int64_t
lo_accept(struct sched_m *m, struct lo_sock *l, void *name, socklen_t *len,
    int flags)
{
    struct lo_sock *end = l->first;
    ino_t ino;
    int fd;

    rt_assert(l->state == LO_LISTENING);
    if (end == NULL)
        return INT64_MIN;
    if ((flags & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != 0)
        return -EINVAL;
    fd = end->kernel_fd > 0 ? dup_with(end->kernel_fd, flags)
                            : socket(l->family, SOCK_STREAM | flags,
                                  end->mptcp ? IPPROTO_MPTCP : 0);
    if (fd < 0)
        return -errno;
    if (!lo_inode(fd, &ino)) {
        int err = errno;

        close(fd);
        return -err;
    }
    if (end->kernel_fd > 0)
        close(end->kernel_fd);
    end->kernel_fd = 0;
    unlink_end(end);
    lo_enter(m->sched, end, ino);
    lo_addr_print(&end->peer, l->family, name, len);
    connect_next(m, l);
    return fd;
}

/* ---- reading and writing ----------------------------------------------------------- */

int64_t
lo_read(struct sched_m *m, struct lo_sock *x, const struct iovec *v, size_t nv,
    int flags)
{
    uint32_t n = 0, before = x->in.n;
    int err = x->err;

    rt_assert(loopback_is_inside(x));
    if ((flags & MSG_OOB) != 0)
        return -EINVAL;
    for (size_t i = 0; i < nv; i++) {
        uint32_t k = least(before - n, v[i].iov_len);

        look_at(&x->in, n, v[i].iov_base, k);
        n += k;
    }
    if (n > 0) {
        if ((flags & MSG_PEEK) == 0)
            drop(&x->in, n);
        /* Who writes has filled all of it, and is not told of each byte. */
        if (x->other != NULL && before > LO_ROOM / 4 * 3 &&
            x->in.n <= LO_ROOM / 4 * 3)
            lo_tell(m, x->other, POLL_WRITE);
        return n;
    }
    for (size_t i = 0; i <= nv; i++)
        if (i == nv)
            return 0; /* nothing was asked for */
        else if (v[i].iov_len > 0)
            break;
    if (x->fin)
        return 0;
    if (err != 0) {
        x->err = 0;
        return -err;
    }
    return x->dead || x->shut_read ? 0 : -EAGAIN;
}

/* Whether something can be written to x; or what write() answers. */
static int64_t
may_write(struct sched_m *m, struct lo_sock *x, uint32_t *room)
{
    int err = x->err;

    *room = 0;
    if (x->state == LO_PENDING)
        return -EAGAIN;
    if (err != 0) {
        x->err = 0;
        return -err;
    }
    if (x->shut_write || x->dead)
        return -EPIPE;
    if (x->other == NULL) {
        /* It goes to nobody, who answers that when some of it has come. */
        *room = LO_ROOM;
        x->dead = true;
        lo_tell(m, x, POLL_READ | POLL_WRITE);
        return 0;
    }
    *room = LO_ROOM - x->other->in.n;
    return *room > 0 ? 0 : -EAGAIN;
}

int64_t
lo_write(struct sched_m *m, struct lo_sock *x, const struct iovec *v, size_t nv)
{
    uint32_t room;
    int64_t n = 0, r = may_write(m, x, &room);

    if (r != 0)
        return r;
    for (size_t i = 0; i < nv; i++) {
        uint32_t k = least(room, v[i].iov_len);

        if (x->other != NULL)
            push(&x->other->in, v[i].iov_base, k);
        room -= k;
        n += k;
    }
    if (n > 0 && x->other != NULL)
        lo_tell(m, x->other, POLL_READ);
    return n;
}

int64_t
lo_send_file(struct sched_m *m, struct lo_sock *x, int from, int64_t *off,
    size_t n)
{
    enum { PIECE = 65536 };
    struct stat st;
    uint32_t room;
    int64_t r;
    uint8_t *p;

    if (fstat(from, &st) != 0)
        return -errno;
    if (!S_ISREG(st.st_mode))
        return -EINVAL;
    r = may_write(m, x, &room);
    if (r != 0)
        return r;
    p = malloc(PIECE);
    if (p == NULL)
        return -ENOMEM;
    n = least(least(room, n), PIECE);
    r = off != NULL ? pread(from, p, n, *off) : read(from, p, n);
    if (r < 0)
        r = -errno;
    if (r > 0 && off != NULL)
        *off += r;
    if (r > 0 && x->other != NULL) {
        push(&x->other->in, p, (uint32_t)r);
        lo_tell(m, x->other, POLL_READ);
    }
    free(p);
    return r;
}
