/* SPDX-License-Identifier: MIT */
/* System calls about the sockets of loopback.h, by number. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "sched/loopback_int.h"

/* The kernel shall. */
static const int64_t KERNEL = INT64_MIN;

static void *
ptr(uint64_t word)
{
    return (void *)(uintptr_t)word;
}

/* ---- the same for all sockets ---------------------------------------------------- */

static int64_t
get_name(const struct lo_sock *x, bool of_peer, void *name, socklen_t *len)
{
    const struct lo_addr *a = of_peer ? &x->peer : &x->local;

    if (of_peer && x->state == LO_PENDING)
        return -ENOTCONN;
    if (!loopback_is_inside(x) && !x->named && (of_peer || !x->alias))
        return KERNEL;
    lo_addr_print(a, x->family, name, len);
    return 0;
}

static int64_t
get_option(struct lo_sock *x, const uint64_t a[6])
{
    int *value = ptr(a[3]);
    socklen_t *n = ptr(a[4]);

    /* So says a socket whose other end does not know of it. */
    if (a[1] == SOL_MPTCP && loopback_is_inside(x) && !x->by_mptcp)
        return -ENOPROTOOPT;
    if (a[1] != SOL_SOCKET || a[2] != SO_ERROR || value == NULL ||
        n == NULL || *n < sizeof *value ||
        (x->err == 0 && !loopback_is_inside(x)))
        return KERNEL;
    *value = x->err;
    *n = sizeof *value;
    x->err = 0;
    return 0;
}

static int64_t
control(const struct lo_sock *x, const uint64_t a[6])
{
    if (!loopback_is_inside(x) || a[1] != FIONREAD)
        return KERNEL;
    *(int *)ptr(a[2]) = (int)x->in.n;
    return 0;
}

/* ---- reading and writing ---------------------------------------------------------- */

static int64_t
receive(struct sched_m *m, struct lo_sock *x, const struct iovec *v, size_t nv,
    int flags, void *name, socklen_t *len, bool *cut)
{
    int64_t r;

    *cut = false;
    if (x->type == SOCK_DGRAM)
        return lo_receive(x, v, nv, flags, name, len, cut);
    if (!loopback_is_inside(x))
        return KERNEL;
    r = lo_read(m, x, v, nv, flags);
    if (r >= 0 && name != NULL && len != NULL)
        *len = 0; /* a connection does not say it again */
    return r;
}

static int64_t
transmit(struct sched_m *m, struct lo_sock *x, int fd, const struct iovec *v,
    size_t nv, const void *name, size_t len)
{
    if (x->type == SOCK_DGRAM)
        return lo_send(m, x, fd, v, nv, name, len);
    return loopback_is_inside(x) ? lo_write(m, x, v, nv) : KERNEL;
}

static int64_t
receive_message(struct sched_m *m, struct lo_sock *x, struct msghdr *h,
    int flags)
{
    bool cut;
    int64_t r = receive(m, x, h->msg_iov, h->msg_iovlen, flags, h->msg_name,
        &h->msg_namelen, &cut);

    if (r >= 0) {
        h->msg_controllen = 0;
        h->msg_flags = cut ? MSG_TRUNC : 0;
    }
    return r;
}

static int64_t
transfer(struct sched_m *m, struct lo_sock *x, uint64_t trap,
    const uint64_t a[6])
{
    struct iovec one = {ptr(a[1]), a[2]};
    const struct msghdr *h = ptr(a[1]);
    int fd = (int)a[0];
    bool cut;

    switch (trap) {
    case SYS_read:
        return receive(m, x, &one, 1, 0, NULL, NULL, &cut);
    case SYS_readv:
        return receive(m, x, ptr(a[1]), a[2], 0, NULL, NULL, &cut);
    case SYS_recvfrom:
        return receive(m, x, &one, 1, (int)a[3], ptr(a[4]), ptr(a[5]), &cut);
    case SYS_recvmsg:
        return receive_message(m, x, ptr(a[1]), (int)a[2]);
    case SYS_write:
        return transmit(m, x, fd, &one, 1, NULL, 0);
    case SYS_writev:
        return transmit(m, x, fd, ptr(a[1]), a[2], NULL, 0);
    case SYS_sendto:
        return transmit(m, x, fd, &one, 1, ptr(a[4]), a[5]);
    case SYS_sendmsg:
        return transmit(m, x, fd, h->msg_iov, h->msg_iovlen, h->msg_name,
            h->msg_namelen);
    case SYS_sendfile:
        return loopback_is_inside(x)
            ? lo_send_file(m, x, (int)a[1], ptr(a[2]), a[3]) : KERNEL;
    default:
        return KERNEL;
    }
}

/* ---- which is which ------------------------------------------------------------------ */

static int64_t
connect_to(struct sched_m *m, struct lo_sock *x, const uint64_t a[6])
{
    return x->type == SOCK_STREAM
        ? lo_connect(m, x, (int)a[0], ptr(a[1]), a[2])
        : lo_connect_packets(m, x, (int)a[0], ptr(a[1]), a[2]);
}

/* A call about the socket x. */
static int64_t
about(struct sched_m *m, struct lo_sock *x, uint64_t trap, const uint64_t a[6])
{
    int fd = (int)a[0];

    switch (trap) {
    case SYS_bind:
        return lo_bind(m, x, fd, ptr(a[1]), a[2]);
    case SYS_listen:
        return x->type == SOCK_STREAM &&
            (x->state == LO_NEW || x->state == LO_LISTENING)
            ? lo_listen(m, x, fd, (int)a[1]) : KERNEL;
    case SYS_connect:
        return connect_to(m, x, a);
    case SYS_accept:
    case SYS_accept4:
        return x->state == LO_LISTENING
            ? lo_accept(m, x, ptr(a[1]), ptr(a[2]),
                  trap == SYS_accept ? 0 : (int)a[3])
            : KERNEL;
    case SYS_shutdown:
        return loopback_is_inside(x) ? lo_shutdown(m, x, (int)a[1]) : KERNEL;
    case SYS_getsockname:
    case SYS_getpeername:
        return get_name(x, trap == SYS_getpeername, ptr(a[1]), ptr(a[2]));
    case SYS_getsockopt:
        return get_option(x, a);
    case SYS_ioctl:
        return control(x, a);
    case SYS_close:
        return lo_close(m, x, fd);
    default:
        return transfer(m, x, trap, a);
    }
}

/* Whether the first argument is the descriptor of a socket, if it is one. */
static bool
is_about_socket(uint64_t trap)
{
    switch (trap) {
    case SYS_bind:
    case SYS_listen:
    case SYS_connect:
    case SYS_accept:
    case SYS_accept4:
    case SYS_shutdown:
    case SYS_getsockname:
    case SYS_getpeername:
    case SYS_getsockopt:
    case SYS_ioctl:
    case SYS_close:
    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_write:
    case SYS_writev:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendfile:
        return true;
    default:
        return false;
    }
}

bool
loopback_call(struct sched_m *m, uint64_t trap, const uint64_t a[6],
    int64_t *result)
{
    struct lo_sock *x;

    rt_assert(m->by_seed);
    switch (trap) {
    case SYS_socket:
        *result = lo_socket(m, (int)a[0], (int)a[1], (int)a[2]);
        return true;
    case SYS_fcntl:
        if (a[1] != F_DUPFD && a[1] != F_DUPFD_CLOEXEC)
            return false;
        __attribute__((fallthrough));
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
        *result = lo_dup(m, trap, a);
        return true;
    case SYS_poll:
    case SYS_ppoll:
        /* More than what a process may have is an error, which is the
         * kernel's to tell. */
        for (uint64_t i = 0; ptr(a[0]) != NULL && a[1] <= LO_MOST_POLLED &&
             i < a[1]; i++)
            loopback_watch(m, ((const struct pollfd *)ptr(a[0]))[i].fd);
        return false; /* the kernel answers that */
    case SYS_epoll_ctl:
        if (a[1] != EPOLL_CTL_DEL)
            loopback_watch(m, (int)a[2]);
        return false;
    default:
        if (!is_about_socket(trap) ||
            (x = loopback_find(m->sched, (int)a[0])) == NULL)
            return false;
        *result = about(m, x, trap, a);
        return *result != KERNEL;
    }
}
