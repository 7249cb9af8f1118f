/* SPDX-License-Identifier: MIT */
/*
 * UDP packets from the process to itself: what is sent to a socket of it stands
 * on that one's queue, or is lost where there is no room.  All others are the
 * kernel's, and so is a socket's queue of what comes from outside.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sched/loopback_int.h"

enum {
    MOST = 65507,  /* bytes of a packet */
    EACH = 512     /* of room that each takes besides */
};

void
lo_free_packets(struct lo_sock *x)
{
    struct lo_packet *p;

    while ((p = x->packets) != NULL) {
        x->packets = p->next;
        free(p);
    }
    x->packets_end = &x->packets;
    x->npackets_bytes = 0;
}

static size_t
length(const struct iovec *v, size_t nv)
{
    size_t n = 0;

    for (size_t i = 0; i < nv; i++)
        n += v[i].iov_len;
    return n;
}

static void
deliver(struct sched_m *m, struct lo_sock *x, const struct lo_addr *from,
    const struct iovec *v, size_t nv)
{
    size_t n = length(v, nv), at = 0;
    struct lo_packet *p;

    if (x->npackets_bytes + n + EACH > LO_ROOM)
        return;
    p = malloc(sizeof *p + n);
    if (p == NULL)
        rt_no_memory();
    p->next = NULL;
    p->from = *from;
    p->n = n;
    for (size_t i = 0; i < nv; i++) {
        if (v[i].iov_len > 0)
            memcpy(p->bytes + at, v[i].iov_base, v[i].iov_len);
        at += v[i].iov_len;
    }
    *x->packets_end = p;
    x->packets_end = &p->next;
    x->npackets_bytes += n + EACH;
    lo_tell(m, x, POLL_READ);
}

int64_t
lo_send(struct sched_m *m, struct lo_sock *x, int fd, const struct iovec *v,
    size_t nv, const void *name, size_t len)
{
    struct lo_addr dest = x->peer, from;
    struct lo_sock *to;
    int64_t r;

    if (name != NULL ? !lo_addr_parse(&dest, name, len) : !x->has_peer)
        return INT64_MIN;
    lo_addr_fix(&dest);
    if (lo_addr_is_v4(&dest) ? x->family == AF_INET6 && x->v6only
                             : x->family == AF_INET)
        return INT64_MIN;
    if (length(v, nv) > MOST)
        return -EMSGSIZE;
    r = lo_bind_any(m, x, fd);
    if (r != 0)
        return r;
    from = x->local;
    if (lo_addr_is_any(&from)) {
        from = lo_addr_source(&dest);
        from.port = x->local.port;
    }
    to = lo_match(m->sched, &dest, &from, SOCK_DGRAM);
    if (to == NULL && lo_is_shared_port(m->sched, dest.port) &&
        lo_addr_is_local(&dest))
        return (int64_t)length(v, nv); /* it is lost */
    if (to == NULL) {
        x->asks_outside = true;
        return INT64_MIN;
    }
    deliver(m, to, &from, v, nv);
    return (int64_t)length(v, nv);
}

int64_t
lo_receive(struct lo_sock *x, const struct iovec *v, size_t nv, int flags,
    void *name, socklen_t *len, bool *cut)
{
    struct lo_packet *p = x->packets;
    size_t at = 0, n;

    if (p == NULL || (flags & (MSG_OOB | MSG_ERRQUEUE)) != 0)
        return INT64_MIN;
    for (size_t i = 0; i < nv; i++) {
        size_t k = p->n - at < v[i].iov_len ? p->n - at : v[i].iov_len;

        if (k > 0)
            memcpy(v[i].iov_base, p->bytes + at, k);
        at += k;
    }
    *cut = at < p->n;
    lo_addr_print(&p->from, x->family, name, len);
    n = (flags & MSG_TRUNC) != 0 ? p->n : at;
    if ((flags & MSG_PEEK) != 0)
        return (int64_t)n;
    x->packets = p->next;
    if (p->next == NULL)
        x->packets_end = &x->packets;
    x->npackets_bytes -= p->n + EACH;
    free(p);
    return (int64_t)n;
}

int64_t
lo_connect_packets(struct sched_m *m, struct lo_sock *x, int fd,
    const void *name, size_t len)
{
    struct lo_addr dest;
    int64_t r;

    if (!lo_addr_parse(&dest, name, len)) {
        x->has_peer = false;
        return INT64_MIN;
    }
    r = lo_bind_any(m, x, fd);
    if (r == 0 && connect(fd, name, (socklen_t)len) != 0)
        r = -errno;
    if (r != 0)
        return r;
    lo_addr_fix(&dest);
    x->peer = dest;
    x->has_peer = true;
    if (lo_addr_is_any(&x->local) && lo_addr_is_local(&dest)) {
        uint16_t port = x->local.port;

        x->local = lo_addr_source(&dest);
        x->local.port = port;
    }
    return 0;
}
