/* SPDX-License-Identifier: MIT */
#ifndef SCHED_LOOPBACK_H
#define SCHED_LOOPBACK_H

/*
 * By a seed: connections of the process to itself, without the kernel.  A
 * TCP connection to a listener of the same process is a pair of queues of
 * bytes, and a UDP packet to a socket of it goes onto a queue of packets; so
 * what is there to be read, and when, depends on what the goroutines do and on
 * nothing else, where the kernel's windows and timers depend on the machine.
 *
 * Each such socket has one of the kernel's beside it, with the same descriptor,
 * which is bound and listens as the program says: that takes the options, is
 * what others connect to, and what a child gets.  Of a connection inside it is
 * only the place, until a child gets an end of it, or the program watches one by
 * epoll or poll.  Sockets are known by their
 * inodes, so that all descriptors of one are it.
 *
 * Port 0 is a number drawn by the seed.  If some other process has that port, the
 * kernel's socket has another one, and the program sees the number all the same:
 * then others do not find it under that number.
 *
 * All of it is for the only M of a scheduler that runs by a seed.
 */

#include <stdbool.h>
#include <stdint.h>

struct lo_sock;
struct poll_desc;
struct sched;
struct sched_m;

/* A system call: its number and arguments, where it is one about sockets.  False:
 * it is the kernel's to be made by the caller.  True: *result is what the kernel
 * would have answered, -errno where it failed.  Only with a seed. */
bool loopback_call(struct sched_m *m, uint64_t trap, const uint64_t arg[6],
    int64_t *result);

/* The socket of a descriptor, whether or not it is connected; NULL: another
 * file, or a socket that was not made here. */
struct lo_sock *loopback_find(struct sched *s, int fd);

/* Whether what goroutines wait for at it can only come from inside. */
bool loopback_is_inside(const struct lo_sock *x);

/* Whether somebody whom the program does not know of may send to it: it listens,
 * or takes packets and has sent none to others. */
bool loopback_awaits_calls(const struct lo_sock *x);

/* Whether reading, or writing, or accepting has something to do inside. */
bool loopback_is_ready(const struct lo_sock *x, bool write);

/* The descriptors of the netpoller that stand for the socket: whoever sets that,
 * when it becomes NULL, lets go of the socket. */
struct poll_desc **loopback_descs(struct lo_sock *x);
void loopback_let_go(struct lo_sock *x);

/* A child process is about to get fd: if it is an end of a connection inside,
 * that becomes one of the kernel's. */
void loopback_give(struct sched_m *m, int fd);

/* The program is about to ask the kernel by itself when something can be done
 * with fd: an end of a connection inside becomes one of the kernel's, too. */
void loopback_watch(struct sched_m *m, int fd);

/* Closes and forgets all sockets, when nothing runs any more. */
void loopback_end(struct sched *s);

#endif
