/* SPDX-License-Identifier: MIT */
/* Addresses of the loopback, and which of them are this machine's. */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <string.h>

#include "sched/loopback_int.h"

static const uint8_t V4[12] = {[10] = 0xff, [11] = 0xff};
static const uint8_t LOOPBACK_V6[16] = {[15] = 1};
static const uint8_t LOOPBACK_V4[4] = {127, 0, 0, 1};
static const uint8_t NOTHING[16];

bool
lo_addr_parse(struct lo_addr *a, const void *name, size_t len)
{
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    sa_family_t family;

    *a = (struct lo_addr){0};
    if (name == NULL || len < sizeof family)
        return false;
    memcpy(&family, name, sizeof family);
    if (family == AF_INET && len >= sizeof in) {
        memcpy(&in, name, sizeof in);
        memcpy(a->ip, V4, sizeof V4);
        memcpy(a->ip + sizeof V4, &in.sin_addr, 4);
        a->port = ntohs(in.sin_port);
        return true;
    }
    if (family != AF_INET6 || len < sizeof in6)
        return false;
    memcpy(&in6, name, sizeof in6);
    memcpy(a->ip, &in6.sin6_addr, sizeof a->ip);
    a->port = ntohs(in6.sin6_port);
    a->scope = in6.sin6_scope_id;
    return true;
}

void
lo_addr_print(
    const struct lo_addr *a, int family, void *name, socklen_t *len)
{
    struct sockaddr_in in = {
        .sin_family = AF_INET, .sin_port = htons(a->port)};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6,
        .sin6_port = htons(a->port),
        .sin6_scope_id = a->scope};
    socklen_t n = family == AF_INET ? sizeof in : sizeof in6;

    if (name == NULL || len == NULL)
        return;
    memcpy(&in.sin_addr, a->ip + sizeof V4, 4);
    memcpy(&in6.sin6_addr, a->ip, sizeof a->ip);
    memcpy(name, family == AF_INET ? (void *)&in : (void *)&in6,
        *len < n ? *len : n);
    *len = n;
}

bool
lo_addr_is_v4(const struct lo_addr *a)
{
    return memcmp(a->ip, V4, sizeof V4) == 0;
}

bool
lo_addr_is_same(const struct lo_addr *a, const struct lo_addr *b)
{
    return a->port == b->port && memcmp(a->ip, b->ip, sizeof a->ip) == 0;
}

bool
lo_addr_is_any(const struct lo_addr *a)
{
    return lo_addr_is_v4(a) ? memcmp(a->ip + sizeof V4, NOTHING, 4) == 0
                            : memcmp(a->ip, NOTHING, sizeof a->ip) == 0;
}

static bool
is_loopback(const struct lo_addr *a)
{
    return lo_addr_is_v4(a) ? a->ip[sizeof V4] == LOOPBACK_V4[0]
                            : memcmp(a->ip, LOOPBACK_V6, sizeof a->ip) == 0;
}

bool
lo_addr_is_local(const struct lo_addr *a)
{
    struct ifaddrs *all, *i;
    bool found = is_loopback(a);

    if (found || getifaddrs(&all) != 0)
        return found;
    for (i = all; i != NULL && !found; i = i->ifa_next) {
        struct lo_addr b;

        found = i->ifa_addr != NULL &&
            lo_addr_parse(&b, i->ifa_addr, sizeof(struct sockaddr_in6)) &&
            memcmp(a->ip, b.ip, sizeof b.ip) == 0;
    }
    freeifaddrs(all);
    return found;
}

struct lo_addr
lo_addr_source(const struct lo_addr *dest)
{
    struct lo_addr a = *dest;

    a.port = 0;
    if (lo_addr_is_v4(dest) && is_loopback(dest))
        memcpy(a.ip + sizeof V4, LOOPBACK_V4, 4);
    return a;
}

void
lo_addr_fix(struct lo_addr *dest)
{
    if (!lo_addr_is_any(dest))
        return;
    if (lo_addr_is_v4(dest))
        memcpy(dest->ip + sizeof V4, LOOPBACK_V4, 4);
    else
        memcpy(dest->ip, LOOPBACK_V6, sizeof dest->ip);
}

int
lo_addr_takes(const struct lo_addr *a, int family, bool v6only,
    const struct lo_addr *dest)
{
    if (a->port != dest->port)
        return 0;
    if (memcmp(a->ip, dest->ip, sizeof a->ip) == 0)
        return 2;
    if (!lo_addr_is_any(a) || lo_addr_is_v4(a) != (family == AF_INET))
        return 0;
    if (lo_addr_is_v4(dest) ? family == AF_INET6 && v6only
                            : family == AF_INET)
        return 0;
    return lo_addr_is_local(dest);
}
