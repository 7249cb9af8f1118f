/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_HTTP_H
#define RUNTIME_HOST_HTTP_H

/*
 * The live server of -http.  http.c is the transport: it listens, reads
 * requests and sends what pages.c makes of them.  Each connection has a
 * thread, so that neither a slow reader nor a profile that takes seconds
 * holds up another; no such thread is an M of the scheduler.
 */

#include <stdbool.h>
#include <stddef.h>

struct vole;
struct http_server;

/* A request, as a page sees it.  All of it is the server's. */
struct http_request {
    const char *method;
    const char *path;  /* decoded, without the query */
    const char *query; /* as sent, "" if there is none */
    const char *body;
    size_t nbody;
    /* The decoded value of the first parameter of a name, "" if none. */
    const char *(*arg)(void *ctx, const char *name);
    /* Waits; false as soon as the client has gone or the server stops. */
    bool (*wait)(void *ctx, double seconds);
    void *ctx;
};

/* What is answered.  body is malloc'ed and the server's from then on; where
 * fd is not negative it is the body instead, and closed by the server. */
struct http_reply {
    int status;
    const char *type;     /* Content-Type */
    const char *location; /* redirection; NULL = none */
    const char *allow;    /* of status 405; NULL = none */
    bool profile_error;   /* header that tells pprof of an error text */
    char file[128];       /* name of the attachment, "" = none */
    char *body;
    size_t n;
    int fd;
    bool hang_up;         /* say nothing: there is nobody to hear it */
};

/*
 * Listens at addr: "host:port", "[ipv6]:port" or ":port", which means the
 * local machine only.  For port 0 the port that was free is told on standard
 * error.  False after a message on standard error.
 */
bool host_http_start(struct vole *v, const char *addr);

/* Wakes those who wait, closes all connections and joins the threads. */
void host_http_stop(struct vole *v);

/* pages.c: makes the answer.  Any thread. */
void host_page(
    struct vole *v, const struct http_request *q, struct http_reply *r);

#endif
