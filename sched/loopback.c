/* SPDX-License-Identifier: MIT */
/*
 * The sockets of a process that runs by a seed: which there are, and what names
 * they have; loopback.h says what for.
 */
#include "sched/loopback_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sched/seed_int.h"

/* What the C library's functions say, as the kernel does. */
static int64_t
answer(int64_t r)
{
    return r < 0 ? -errno : r;
}

/* ---- the table ------------------------------------------------------------- */

struct loopback *
lo_state(struct sched *s)
{
    rt_assert(s->seed != NULL);
    if (s->loopback == NULL) {
        s->loopback = calloc(1, sizeof *s->loopback);
        if (s->loopback == NULL)
            rt_no_memory();
        s->loopback->first_port = (uint32_t)(
            rt_hash_u64(s->seed->plan.seed, RT_HASH_K0) % LO_PORTS);
    }
    return s->loopback;
}

bool
lo_inode(int fd, ino_t *ino)
{
    struct stat st;

    if (fstat(fd, &st) != 0 || !S_ISSOCK(st.st_mode))
        return false;
    *ino = st.st_ino;
    return true;
}

struct lo_sock *
loopback_find(struct sched *s, int fd)
{
    struct lo_sock *x;
    ino_t ino;

    if (s->loopback == NULL || !lo_inode(fd, &ino))
        return NULL;
    x = s->loopback->table[ino % LO_BUCKETS];
    while (x != NULL && x->ino != ino)
        x = x->next;
    return x;
}

struct lo_sock *
lo_new(int family, int type)
{
    struct lo_sock *x = calloc(1, sizeof *x);

    if (x == NULL)
        rt_no_memory();
    x->family = family;
    x->type = type;
    x->packets_end = &x->packets;
    return x;
}

void
lo_enter(struct sched *s, struct lo_sock *x, ino_t ino)
{
    struct lo_sock **bucket = &lo_state(s)->table[ino % LO_BUCKETS];

    rt_assert(x->fds == 0);
    x->ino = ino;
    x->serial = s->loopback->serial++;
    x->fds = 1;
    x->next = *bucket;
    *bucket = x;
}

static void
take_off(struct sched *s, struct lo_sock *x)
{
    struct lo_sock **at = &s->loopback->table[x->ino % LO_BUCKETS];

    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    x->next = NULL;
    x->fds = 0;
}

void
lo_move(struct sched *s, struct lo_sock *x, ino_t ino)
{
    uint32_t fds = x->fds;

    rt_assert(fds > 0);
    take_off(s, x);
    lo_enter(s, x, ino);
    x->fds = fds;
}

void
lo_free(struct lo_sock *x)
{
    rt_assert(x->fds == 0 && x->first == NULL && x->listener == NULL);
    if (x->descs != NULL)
        return; /* loopback_let_go() will */
    if (x->kernel_fd > 0)
        close(x->kernel_fd);
    lo_free_packets(x);
    free(x->in.p);
    free(x);
}

struct poll_desc **
loopback_descs(struct lo_sock *x)
{
    return &x->descs;
}

void
loopback_let_go(struct lo_sock *x)
{
    rt_assert(x->descs == NULL);
    if (x->fds == 0)
        lo_free(x);
}

/* With all that hangs on it. */
static void
forget(struct lo_sock *x)
{
    struct lo_sock *end;

    while ((end = x->first) != NULL) {
        x->first = end->pending;
        end->listener = NULL;
        lo_free(end);
    }
    x->fds = 0;
    x->descs = NULL;
    lo_free(x);
}

static bool
has_sockets(const struct sched *s)
{
    for (unsigned i = 0; s->loopback != NULL && i < LO_BUCKETS; i++)
        if (s->loopback->table[i] != NULL)
            return true;
    return false;
}

/* The program has ended, but the process may run others: their descriptors would
 * become ever fewer. */
static void
close_all(struct sched *s)
{
    DIR *dir = has_sockets(s) ? opendir("/proc/self/fd") : NULL;
    struct dirent *e;

    while (dir != NULL && (e = readdir(dir)) != NULL) {
        int fd = atoi(e->d_name);

        if (e->d_name[0] != '.' && loopback_find(s, fd) != NULL)
            close(fd);
    }
    if (dir != NULL)
        closedir(dir);
}

void
loopback_end(struct sched *s)
{
    struct lo_sock *x;

    close_all(s);
    for (unsigned i = 0; s->loopback != NULL && i < LO_BUCKETS; i++)
        while ((x = s->loopback->table[i]) != NULL) {
            s->loopback->table[i] = x->next;
            forget(x);
        }
    free(s->loopback);
    s->loopback = NULL;
}

bool
loopback_is_inside(const struct lo_sock *x)
{
    return x->state == LO_CONNECTED || x->state == LO_PENDING;
}

bool
loopback_awaits_calls(const struct lo_sock *x)
{
    return x->type == SOCK_DGRAM ? !x->asks_outside
                                 : x->state == LO_LISTENING;
}

bool
loopback_is_ready(const struct lo_sock *x, bool write)
{
    if (!loopback_is_inside(x))
        return !write && (x->first != NULL || x->packets != NULL);
    if (x->state == LO_PENDING)
        return false;
    if (write)
        return x->err != 0 || x->dead || x->shut_write || x->other == NULL ||
            x->other->in.n < LO_ROOM;
    return x->in.n > 0 || x->fin || x->err != 0 || x->dead || x->shut_read;
}

void
lo_tell(struct sched_m *m, struct lo_sock *x, unsigned modes)
{
    netpoll_tell(m, x->descs, modes);
}

/* ---- names ------------------------------------------------------------------ */

/* How well x takes what is sent to dest; 0: not at all. */
static int
takes(const struct lo_sock *x, const struct lo_addr *dest,
    const struct lo_addr *from, int type)
{
    int n;

    if (x->type != type || !x->bound ||
        (type == SOCK_STREAM && x->state != LO_LISTENING) ||
        (x->has_peer && (from == NULL || !lo_addr_is_same(&x->peer, from))))
        return 0;
    n = lo_addr_takes(&x->local, x->family, x->v6only, dest);
    return n > 0 && x->has_peer ? n + 2 : n;
}

struct lo_sock *
lo_match(struct sched *s, const struct lo_addr *dest,
    const struct lo_addr *from, int type)
{
    struct lo_sock *best = NULL;
    int most = 0;

    for (unsigned i = 0; s->loopback != NULL && i < LO_BUCKETS; i++)
        for (struct lo_sock *x = s->loopback->table[i]; x; x = x->next) {
            int n = takes(x, dest, from, type);

            /* Of several the first one, wherever it stands. */
            if (n > most || (n == most && n > 0 && x->serial < best->serial)) {
                most = n;
                best = x;
            }
        }
    return best;
}

static bool
is_port_taken(struct sched *s, uint16_t port, int type)
{
    for (unsigned i = 0; i < LO_BUCKETS; i++)
        for (struct lo_sock *x = s->loopback->table[i]; x; x = x->next)
            if (x->type == type && (x->bound || loopback_is_inside(x)) &&
                x->local.port == port)
                return true;
    return false;
}

uint16_t
lo_draw_port(struct sched *s, int type)
{
    struct loopback *l = lo_state(s);
    uint16_t port;

    for (uint32_t i = 0; i < LO_PORTS; i++) {
        port = (uint16_t)(LO_FIRST_PORT +
            (l->first_port + l->drawn++) % LO_PORTS);
        if (!is_port_taken(s, port, type))
            return port;
    }
    return 0;
}

bool
lo_is_own_port(const struct sched *s, uint16_t port)
{
    const struct loopback *l = s->loopback;

    return port >= LO_FIRST_PORT && port < LO_FIRST_PORT + LO_PORTS &&
        !l->shared &&
        (port - LO_FIRST_PORT + LO_PORTS - l->first_port) % LO_PORTS <
            l->drawn;
}

/* bind() of the kernel's socket. */
static int64_t
bind_really(const struct lo_sock *x, int fd, const struct lo_addr *a)
{
    struct sockaddr_in6 name; /* the larger one */
    socklen_t len = sizeof name;

    lo_addr_print(a, x->family, &name, &len);
    return answer(bind(fd, (struct sockaddr *)&name, len));
}

/* The kernel's socket has another port than the program sees. */
static int64_t
bind_elsewhere(struct lo_sock *x, int fd, const struct lo_addr *a)
{
    struct lo_addr any = *a;
    int64_t r;

    any.port = 0;
    r = bind_really(x, fd, &any);
    x->alias = r == 0;
    return r;
}

/* Any port of that address, which is drawn. */
static int64_t
bind_drawn(struct sched_m *m, struct lo_sock *x, int fd, struct lo_addr *a)
{
    int64_t r;

    a->port = lo_draw_port(m->sched, x->type);
    r = bind_really(x, fd, a);
    if (r == -EADDRINUSE || r == -EACCES)
        r = bind_elsewhere(x, fd, a);
    x->picked = r == 0;
    return r;
}

static bool
is_v6only(int fd)
{
    int on = 0;
    socklen_t n = sizeof on;

    return getsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, &n) == 0 && on != 0;
}

/* One that the kernel does not know of has that address. */
static bool
is_alias_taken(struct sched *s, const struct lo_sock *x,
    const struct lo_addr *a)
{
    struct lo_sock *y = lo_match(s, a, a, x->type);

    return y != NULL && y->alias;
}

/* Whether a socket of the program's own keeps x from having that address, as far
 * as that can be said without the kernel. */
static bool
is_own_conflict(struct sched *s, const struct lo_sock *x, int fd,
    const struct lo_addr *a)
{
    bool v6only = x->family == AF_INET6 && is_v6only(fd);

    for (unsigned i = 0; i < LO_BUCKETS; i++)
        for (struct lo_sock *y = s->loopback->table[i]; y; y = y->next)
            if (y->type == x->type && y->bound && !loopback_is_inside(y) &&
                (lo_addr_takes(&y->local, y->family, y->v6only, a) != 0 ||
                    lo_addr_takes(a, x->family, v6only, &y->local) != 0))
                return true;
    return false;
}

bool
lo_is_shared_port(const struct sched *s, uint16_t port)
{
    const uint8_t *ports = s->seed->rules.ports;

    return ports != NULL && ports[port] != 0 &&
        (s->loopback == NULL || !s->loopback->shared);
}

/* The port that the program asks for.  If only others like it that run at the
 * same time have it, the program has it, too. */
static int64_t
bind_asked(struct sched_m *m, struct lo_sock *x, int fd,
    const struct lo_addr *a)
{
    uint8_t *ports = m->sched->seed->rules.ports;
    int64_t r;

    if (is_alias_taken(m->sched, x, a))
        return -EADDRINUSE;
    if (ports == NULL || is_own_conflict(m->sched, x, fd, a))
        return bind_really(x, fd, a);
    r = bind_really(x, fd, a);
    if (r == -EADDRINUSE)
        r = bind_elsewhere(x, fd, a);
    if (r != 0)
        return r;
    x->picked = true;
    ports[a->port] = 1;
    return 0;
}

int64_t
lo_bind(struct sched_m *m, struct lo_sock *x, int fd, const void *name,
    size_t len)
{
    struct lo_addr a;
    int64_t r;

    if (x->bound || !lo_addr_parse(&a, name, len) ||
        lo_addr_is_v4(&a) != (x->family == AF_INET))
        return answer(bind(fd, name, (socklen_t)len));
    r = a.port == 0 ? bind_drawn(m, x, fd, &a) : bind_asked(m, x, fd, &a);
    if (r != 0)
        return r;
    x->bound = true;
    x->local = a;
    x->v6only = x->family == AF_INET6 && is_v6only(fd);
    return 0;
}

int64_t
lo_bind_any(struct sched_m *m, struct lo_sock *x, int fd)
{
    struct sockaddr_in6 any = {.sin6_family = (sa_family_t)x->family};

    return x->bound ? 0 : lo_bind(m, x, fd, &any, sizeof any);
}

/* ---- descriptors ------------------------------------------------------------- */

static bool
is_ours(int family, int type, int protocol)
{
    if (family != AF_INET && family != AF_INET6)
        return false;
    if (type == SOCK_DGRAM)
        return protocol == 0 || protocol == IPPROTO_UDP;
    return type == SOCK_STREAM && (protocol == 0 ||
        protocol == IPPROTO_TCP || protocol == IPPROTO_MPTCP);
}

int64_t
lo_socket(struct sched_m *m, int family, int type, int protocol)
{
    int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    int64_t fd = answer(socket(family, type, protocol));
    struct lo_sock *x;
    ino_t ino;

    if (fd < 0 || !is_ours(family, kind, protocol) ||
        !lo_inode((int)fd, &ino))
        return fd;
    x = lo_new(family, kind);
    x->mptcp = protocol == IPPROTO_MPTCP;
    lo_enter(m->sched, x, ino);
    return fd;
}

int64_t
lo_dup(struct sched_m *m, uint64_t trap, const uint64_t arg[6])
{
    struct lo_sock *x = loopback_find(m->sched, (int)arg[0]), *old;
    bool onto = trap == SYS_dup2 || trap == SYS_dup3;
    int64_t r;

    if (onto && arg[0] != arg[1] && fcntl((int)arg[0], F_GETFD) >= 0 &&
        (old = loopback_find(m->sched, (int)arg[1])) != NULL)
        lo_drop(m, old, (int)arg[1]);
    r = answer(syscall((long)trap, arg[0], arg[1], arg[2]));
    if (r >= 0 && x != NULL && !(onto && arg[0] == arg[1]))
        x->fds++;
    return r;
}

void
lo_drop(struct sched_m *m, struct lo_sock *x, int fd)
{
    rt_assert(x->fds > 0);
    if (x->fds > 1) {
        x->fds--;
        return;
    }
    if (x->type == SOCK_STREAM)
        lo_hang_up(m, x, fd);
    take_off(m->sched, x);
    lo_free(x);
}

int64_t
lo_close(struct sched_m *m, struct lo_sock *x, int fd)
{
    lo_drop(m, x, fd);
    return answer(close(fd));
}
