/* SPDX-License-Identifier: MIT */
/*
 * See host/http_guard.h.
 */
#include "runtime/host/http_guard.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/base/throw.h"

/* ---- names and addresses ---------------------------------------------------- */

/* Cuts the name out of "name", "name:port" or "[ipv6]:port"; false where the
 * text is nothing of these. */
static bool
cut_name(const char *host, char *name, size_t size)
{
    const char *end;
    size_t n;

    if (*host == '[') {
        end = strchr(++host, ']');
        if (end == NULL || (end[1] != 0 && end[1] != ':'))
            return false;
        n = (size_t)(end - host);
        end++;
    } else {
        n = strcspn(host, ":");
        end = host + n;
    }
    if (*end == ':')
        end += 1 + strspn(end + 1, "0123456789");
    if (*end != 0 || n == 0 || n >= size)
        return false;
    memcpy(name, host, n);
    name[n] = 0;
    return true;
}

/* An address of either family as one of IPv6. */
static struct in6_addr
mapped(struct in_addr a)
{
    struct in6_addr out = {0};

    out.s6_addr[10] = out.s6_addr[11] = 0xff;
    memcpy(&out.s6_addr[12], &a, sizeof a);
    return out;
}

static bool
parse_address(const char *name, struct in6_addr *out)
{
    struct in_addr v4;

    if (inet_pton(AF_INET6, name, out) == 1)
        return true;
    if (inet_pton(AF_INET, name, &v4) != 1)
        return false;
    *out = mapped(v4);
    return true;
}

static bool
is_loopback(const struct in6_addr *a)
{
    return IN6_IS_ADDR_LOOPBACK(a) ||
        (IN6_IS_ADDR_V4MAPPED(a) && a->s6_addr[12] == 127);
}

static bool
is_local(const struct in6_addr *a, const struct sockaddr *local)
{
    struct sockaddr_in6 v6;
    struct sockaddr_in v4;

    if (local != NULL && local->sa_family == AF_INET) {
        memcpy(&v4, local, sizeof v4);
        v6.sin6_addr = mapped(v4.sin_addr);
    } else if (local != NULL && local->sa_family == AF_INET6) {
        memcpy(&v6, local, sizeof v6);
    } else {
        return false;
    }
    return IN6_ARE_ADDR_EQUAL(a, &v6.sin6_addr);
}

static bool
host_is_ours(
    const char *host, const char *own, const struct sockaddr *local)
{
    struct in6_addr a;
    char name[256];

    if (host == NULL || !cut_name(host, name, sizeof name))
        return false;
    if (strcasecmp(name, "localhost") == 0 || strcasecmp(name, own) == 0)
        return true;
    return parse_address(name, &a) && (is_loopback(&a) || is_local(&a, local));
}

/* ---- whose page asks --------------------------------------------------------- */

static bool
origin_is_ours(const char *origin, const char *host)
{
    const char *s = strstr(origin, "://");

    return s != NULL && strcasecmp(s + 3, host) == 0;
}

/* What a page of another site loads: a picture, a script, a frame.  A link
 * that somebody follows is none of these. */
static bool
is_foreign_load(const struct host_asker *q)
{
    if (q->fetch_site == NULL || strcmp(q->fetch_site, "none") == 0 ||
        strcmp(q->fetch_site, "same-origin") == 0)
        return false;
    return q->fetch_dest == NULL || strcmp(q->fetch_dest, "document") != 0;
}

const char *
host_http_refusal(const struct host_asker *q, const char *own,
    const struct sockaddr *local)
{
    if (!host_is_ours(q->host, own, local))
        return "Forbidden: the request's Host is neither this machine nor "
               "the address that -http was given";
    if ((q->origin != NULL && !origin_is_ours(q->origin, q->host)) ||
        is_foreign_load(q))
        return "Forbidden: the request comes from a page of another site";
    return NULL;
}

/* ---- connections -------------------------------------------------------------- */

void
host_conns_init(struct host_conns *l, unsigned max)
{
    pthread_mutex_init(&l->lock, NULL);
    l->head.prev = l->head.next = &l->head;
    l->n = 0;
    l->max = max;
}

void
host_conns_fini(struct host_conns *l)
{
    rt_assert(l->head.next == &l->head && l->n == 0);
    pthread_mutex_destroy(&l->lock);
}

static void
unlink_conn(struct host_conn *c)
{
    c->prev->next = c->next;
    c->next->prev = c->prev;
}

static void
append(struct host_conns *l, struct host_conn *c)
{
    c->prev = l->head.prev;
    c->next = &l->head;
    c->prev->next = c;
    l->head.prev = c;
}

/* The ring is closed, and n counts those in it that are not shut. */
static bool
conns_valid(const struct host_conns *l)
{
    const struct host_conn *c;
    unsigned n = 0;

    for (c = l->head.next; c != &l->head; c = c->next) {
        if (c->next->prev != c || c->prev->next != c)
            return false;
        n += !c->shut;
    }
    return n == l->n;
}

/* Makes room for one more. */
static void
shut_oldest(struct host_conns *l)
{
    struct host_conn *c;

    rt_assert(l->max > 0 && l->n >= l->max);
    for (c = l->head.next; c != &l->head; c = c->next) {
        if (c->busy || c->shut)
            continue;
        c->shut = true;
        l->n--;
        shutdown(c->fd, SHUT_RDWR);
        return;
    }
}

struct host_conn *
host_conns_add(struct host_conns *l, int fd)
{
    struct host_conn *c = calloc(1, sizeof *c);

    if (c == NULL)
        return NULL;
    c->fd = fd;
    pthread_mutex_lock(&l->lock);
    rt_assert_full(conns_valid(l));
    if (l->n >= l->max)
        shut_oldest(l);
    append(l, c);
    l->n++;
    rt_assert_full(conns_valid(l));
    pthread_mutex_unlock(&l->lock);
    return c;
}

void
host_conns_busy(struct host_conns *l, struct host_conn *c, bool busy)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&l->lock);
    c->busy = busy;
    unlink_conn(c);
    append(l, c);
    rt_assert_full(conns_valid(l));
    pthread_mutex_unlock(&l->lock);
}

void
host_conns_remove(struct host_conns *l, struct host_conn *c)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&l->lock);
    unlink_conn(c);
    rt_assert(c->shut || l->n > 0);
    if (!c->shut)
        l->n--;
    rt_assert_full(conns_valid(l));
    pthread_mutex_unlock(&l->lock);
    free(c);
}
