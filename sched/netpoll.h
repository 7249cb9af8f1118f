/* SPDX-License-Identifier: MIT */
#ifndef SCHED_NETPOLL_H
#define SCHED_NETPOLL_H

/*
 * The netpoller: goroutines that wait for sockets, pipes and whatever else
 * epoll knows, without a thread for each.  What package internal/poll of Go
 * asks of its runtime, after Go's runtime/netpoll.go.
 *
 * A descriptor that does not block is opened once, for both directions, by
 * edges: an event says that something has changed since the last attempt.  Who
 * wants to read forgets what is known (netpoll_reset), tries, and only then
 * waits, so that no change between the attempt and the wait is lost.  At most
 * one goroutine waits for each direction, which callers see to.
 *
 * All functions but netpoll_is_own() are for a goroutine's M with its P.
 */

#include <stdbool.h>
#include <stdint.h>

struct sched;
struct sched_g;
struct sched_m;
struct poll_desc;
struct pollfd;

enum poll_mode { POLL_READ = 1, POLL_WRITE = 2 }; /* or both, added */

enum poll_status {
    POLL_READY,
    POLL_CLOSING,      /* netpoll_unblock() was called */
    POLL_TIMEOUT,      /* the deadline is over */
    POLL_NOT_POLLABLE, /* epoll has told of an error, and of nothing else */
    POLL_AGAIN         /* it has waited, and is to ask again */
};

/* Opens fd, which stays the caller's and must not be closed before
 * netpoll_close().  0, or the error number; EPERM: such files are always
 * ready.  The first call makes what the netpoller needs. */
int netpoll_open(struct sched_m *m, int fd, struct poll_desc **out);

/* After netpoll_unblock(), when nobody waits any more; d is gone. */
void netpoll_close(struct sched_m *m, struct poll_desc *d);

/* Before an attempt: what has been ready is forgotten, unless the attempt
 * must not be made.  Never POLL_AGAIN. */
enum poll_status netpoll_reset(
    struct sched_m *m, struct poll_desc *d, enum poll_mode mode);

/*
 * Waits until an attempt makes sense or must not be made.  Either sets
 * *status, or the goroutine has been parked (WAIT_IO): then the answer is
 * true, *status is not touched any more, and the caller, whose result it has
 * set to POLL_AGAIN before, returns VM_PARK at once.  cancelled: for what was
 * begun and must come to its end even though d is closing or late.
 */
bool netpoll_wait(struct sched_m *m, struct poll_desc *d, enum poll_mode mode,
    bool cancelled, enum poll_status *status);

/* Waits in the modes end in ns nanoseconds; 0: never; less: at once. */
void netpoll_set_deadline(
    struct sched_m *m, struct poll_desc *d, int64_t ns, unsigned modes);

/* d is going to be closed: whoever waits goes on, and nobody waits again. */
void netpoll_unblock(struct sched_m *m, struct poll_desc *d);

/* Whether fd is one of the netpoller's own.  Any thread. */
bool netpoll_is_own(struct sched *s, int fd);

/* With a seed: something has changed, in the modes, for those who wait at the
 * descriptors of a socket, as sched/loopback.h keeps them. */
void netpoll_tell(struct sched_m *m, struct poll_desc *descs, unsigned modes);

/*
 * With a seed there is nobody else to take events: whoever calls this lets
 * those go on who can.  What counts is whether what somebody waits for is
 * there; events that nobody waits for, such as room where there was some
 * before, come when the system likes.  Of sockets that are connected inside the
 * process there are none.
 */
void netpoll_events(struct sched_m *m);
/* The descriptors that goroutines wait for, and what for; the first n of them,
 * in an order that is the same each time.  How many there are. */
uint32_t netpoll_awaited(struct sched *s, struct pollfd *p, uint32_t n);
/* Whether g waits for a descriptor, and for which: not one that is connected
 * inside. */
bool netpoll_is_awaited_by(
    struct sched *s, const struct sched_g *g, int *fd);
/* -1: nothing has been opened yet. */
int netpoll_events_fd(struct sched *s);

#endif
