/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_HTTP_GUARD_H
#define RUNTIME_HOST_HTTP_GUARD_H

/*
 * Who may ask the live server, and who must make room.
 *
 * A web page cannot choose the Host header of what it makes the browser send:
 * that is the name in the address bar.  A name that someone else owns can be
 * made to resolve to this machine (DNS rebinding), and then the page reads
 * what the server answers: the heap's stacks, the command line.  So only
 * names and addresses are answered that nobody else can own.
 */

#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>

/* The headers that say where a request comes from, NULL = not sent. */
struct host_asker {
    const char *host;
    const char *origin;
    const char *fetch_site; /* Sec-Fetch-Site */
    const char *fetch_dest; /* Sec-Fetch-Dest */
};

/*
 * Why a request is refused, NULL if it may be answered.  own is the host that
 * the user said with -http, "" if none; local the address at which the
 * connection arrived, NULL if it is not known.
 */
const char *host_http_refusal(const struct host_asker *q, const char *own,
    const struct sockaddr *local);

/* A connection, in the order of the last change of its state. */
struct host_conn {
    struct host_conn *prev, *next;
    int fd;
    bool busy; /* an answer is being made */
    bool shut; /* made to close */
};

/* All connections; any thread. */
struct host_conns {
    pthread_mutex_t lock; /* guards all of it, and that a listed fd is open */
    struct host_conn head;
    unsigned n, max;
};

/* More than max connections (shut ones are not counted): the one that has
 * been idle for the longest time is shut down, which wakes its thread. */
void host_conns_init(struct host_conns *l, unsigned max);
void host_conns_fini(struct host_conns *l);

/* A new connection; NULL where there is no memory, and then it is not seen
 * by the limit. */
struct host_conn *host_conns_add(struct host_conns *l, int fd);

/* Begins or ends the making of an answer, during which the connection is not
 * shut down.  c may be NULL. */
void host_conns_busy(struct host_conns *l, struct host_conn *c, bool busy);

/* Forgets c, before its descriptor is closed.  c may be NULL. */
void host_conns_remove(struct host_conns *l, struct host_conn *c);

#endif
