/* SPDX-License-Identifier: MIT */
/* Connections of the process to itself, by the system calls that make them. */
#include "tests/unit/sched/fake.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sched/loopback_int.h"
#include "sched/seed_int.h"

enum { SEED = 7 };

/* ---- calls ------------------------------------------------------------------ */

/* The answer; the kernel's where it is the kernel's to give. */
static int64_t
call_as(struct co *c, bool *inside, long trap, uint64_t a0, uint64_t a1,
    uint64_t a2, uint64_t a3)
{
    const uint64_t arg[6] = {a0, a1, a2, a3};
    int64_t r;

    *inside = loopback_call(c->m, (uint64_t)trap, arg, &r);
    if (*inside)
        return r;
    r = syscall(trap, a0, a1, a2, a3, 0, 0);
    return r < 0 ? -errno : r;
}

static int64_t
calls(struct co *c, long trap, uint64_t a0, uint64_t a1, uint64_t a2)
{
    bool inside;

    return call_as(c, &inside, trap, a0, a1, a2,
        SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static uint64_t
word(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

static int
new_socket(struct co *c)
{
    int fd = (int)calls(c, SYS_socket, AF_INET,
        SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1;

    rt_check(fd >= 0, "socket");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    return fd;
}

static struct sockaddr_in
loopback_at(uint16_t port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        .sin_port = htons(port)};
}

static uint16_t
port_of(struct co *c, int fd, long trap)
{
    struct sockaddr_in a;
    socklen_t n = sizeof a;

    rt_check(calls(c, trap, (uint64_t)fd, word(&a), word(&n)) == 0, "name");
    rt_check(n == sizeof a && a.sin_family == AF_INET, "its family");
    return ntohs(a.sin_port);
}

static uint16_t
bind_at(struct co *c, int fd, uint16_t port)
{
    struct sockaddr_in a = loopback_at(port);

    rt_check(calls(c, SYS_bind, (uint64_t)fd, word(&a), sizeof a) == 0,
        "bind");
    return port_of(c, fd, SYS_getsockname);
}

static int64_t
connect_at(struct co *c, int fd, uint16_t port)
{
    struct sockaddr_in a = loopback_at(port);

    return calls(c, SYS_connect, (uint64_t)fd, word(&a), sizeof a);
}

static int64_t
accept_from(struct co *c, int fd)
{
    return calls(c, SYS_accept4, (uint64_t)fd, 0, 0);
}

static void
close_fd(struct co *c, int64_t fd)
{
    rt_check(calls(c, SYS_close, (uint64_t)fd, 0, 0) == 0, "close");
}

/* Nothing is left of what a test has made. */
static void
check_empty(struct co *c)
{
    for (unsigned i = 0; i < LO_BUCKETS; i++)
        rt_check(lo_state(c->w->s)->table[i] == NULL, "a socket is left");
}

/* What one end says the other hears. */
static void
check_pair(struct co *c, int64_t a, int64_t b)
{
    char got[8] = {0};
    bool inside;

    rt_check(call_as(c, &inside, SYS_write, (uint64_t)a, word("hello"), 5,
        0) == 5 && inside, "write");
    rt_check(call_as(c, &inside, SYS_read, (uint64_t)b, word(got), 8, 0) ==
        5 && inside, "read");
    rt_check(memcmp(got, "hello", 5) == 0, "what was said");
    rt_check(calls(c, SYS_read, (uint64_t)b, word(got), 8) == -EAGAIN,
        "no more");
    rt_check(port_of(c, (int)a, SYS_getsockname) ==
        port_of(c, (int)b, SYS_getpeername), "one end");
    rt_check(port_of(c, (int)a, SYS_getpeername) ==
        port_of(c, (int)b, SYS_getsockname), "the other end");
}

static uint64_t plan_seed = SEED;

static void
run_among(co_fn fn, uint8_t *ports)
{
    struct seed_plan plan = {.seed = plan_seed, .kind = SEED_RANDOM};
    struct seed_rules rules = {.ports = ports};
    struct seed *d = seed_new();
    struct world w;

    assert_non_null(d);
    seed_begin(d, &plan, &rules);
    world_open_as(&w, &(struct sched_config){.seed = d});
    assert_int_equal(world_go(&w, fn), 0);
    world_close(&w);
    seed_free(d);
}

static void
run(co_fn fn)
{
    run_among(fn, NULL);
}

/* ---- ports --------------------------------------------------------------------- */

/* Some other process has the number that the seed draws: it has to be another
 * seed. */
static bool others_have_it;

/* The program sees the number that the seed draws next even if the kernel's
 * socket cannot have it: at bind(), or only at listen(). */
static enum sched_run
ports(struct co *c)
{
    struct sockaddr_in a;
    uint16_t first, port;
    int l, x, other;
    int64_t y;

    CO_BEGIN;
    l = new_socket(c);
    first = bind_at(c, l, 0);
    rt_check(first >= LO_FIRST_PORT && first < LO_FIRST_PORT + LO_PORTS,
        "which numbers a seed draws");
    others_have_it = first >= LO_FIRST_PORT + LO_PORTS - 3;
    close_fd(c, l);
    for (int late = 0; late < 2 && !others_have_it; late++) {
        int on = 1;

        port = (uint16_t)(first + 1 + 2 * late); /* the caller draws, too */
        other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        a = loopback_at(port);
        if (late)
            setsockopt(other, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (bind(other, (struct sockaddr *)&a, sizeof a) != 0) {
            rt_check(errno == EADDRINUSE, "bind");
            others_have_it = true;
            close(other);
            break;
        }
        l = new_socket(c);
        rt_check(bind_at(c, l, 0) == port, "the next number");
        if (late)
            rt_check(listen(other, 1) == 0, "somebody listens before");
        rt_check(calls(c, SYS_listen, (uint64_t)l, 5, 0) == 0, "listen");
        rt_check(port_of(c, l, SYS_getsockname) == port, "it stays");
        rt_check(loopback_find(c->w->s, l)->alias, "an alias");
        x = new_socket(c);
        rt_check(connect_at(c, x, port) == 0, "connect");
        y = accept_from(c, l);
        rt_check(y >= 0, "accept");
        check_pair(c, x, y);
        close(other);
        /* The kernel would give it to another now. */
        other = new_socket(c);
        a = loopback_at(port);
        rt_check(calls(c, SYS_bind, (uint64_t)other, word(&a), sizeof a) ==
            -EADDRINUSE, "it is taken");
        close_fd(c, other);
        close_fd(c, x);
        close_fd(c, y);
        close_fd(c, l);
        /* Whoever listens there now is none of the program's. */
        other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        setsockopt(other, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
        if (bind(other, (struct sockaddr *)&a, sizeof a) != 0 ||
            listen(other, 1) != 0) {
            rt_check(errno == EADDRINUSE, "another listens");
            others_have_it = true;
            close(other);
            break;
        }
        x = new_socket(c);
        rt_check(connect_at(c, x, port) == -ECONNREFUSED, "not inside");
        close_fd(c, x);
        close(other);
    }
    check_empty(c);
    CO_END;
}

static void
test_ports(void **state)
{
    (void)state;
    do {
        run(ports);
        plan_seed++;
    } while (others_have_it && plan_seed < SEED + 100);
    assert_false(others_have_it);
    plan_seed = SEED;
}

/* ---- the queue of those who call -------------------------------------------------- */

enum { CALLERS = 6, BACKLOG = 2 };

static enum sched_run
backlog(struct co *c)
{
    int l, x[CALLERS];
    int64_t y[CALLERS];
    uint16_t port;
    char byte;

    CO_BEGIN;
    l = new_socket(c);
    port = bind_at(c, l, 0);
    rt_check(calls(c, SYS_listen, (uint64_t)l, BACKLOG, 0) == 0, "listen");
    rt_check(accept_from(c, l) == -EAGAIN, "nobody calls");
    for (int i = 0; i < CALLERS; i++) {
        x[i] = new_socket(c);
        rt_check(connect_at(c, x[i], port) ==
            (i <= BACKLOG ? 0 : -EINPROGRESS), "room on the queue");
    }
    rt_check(connect_at(c, x[0], port) == -EISCONN, "it is connected");
    rt_check(connect_at(c, x[3], port) == -EALREADY, "it calls already");
    rt_check(calls(c, SYS_write, (uint64_t)x[3], word("x"), 1) == -EAGAIN &&
        !loopback_is_ready(loopback_find(c->w->s, x[3]), true), "not yet");
    /* One that has called in vain leaves; it was not connected. */
    close_fd(c, x[4]);
    rt_check(!loopback_is_ready(loopback_find(c->w->s, x[3]), true) &&
        !loopback_is_ready(loopback_find(c->w->s, x[5]), true),
        "there is still no room");
    for (int i = 0; i < 2; i++) {
        y[i] = accept_from(c, l);
        rt_check(y[i] >= 0, "accept");
        check_pair(c, x[i], y[i]);
    }
    /* Two are connected instead. */
    for (int i = 3; i < CALLERS; i += 2)
        rt_check(loopback_is_ready(loopback_find(c->w->s, x[i]), true) &&
            calls(c, SYS_write, (uint64_t)x[i], word("x"), 1) == 1, "now");
    /* Those that were connected are reset when nobody listens any more. */
    close_fd(c, l);
    rt_check(calls(c, SYS_read, (uint64_t)x[2], word(&byte), 1) ==
        -ECONNRESET, "reset");
    rt_check(calls(c, SYS_read, (uint64_t)x[2], word(&byte), 1) == 0, "end");
    for (int i = 0; i < CALLERS; i++)
        if (i != 4)
            close_fd(c, x[i]);
    for (int i = 0; i < 2; i++)
        close_fd(c, y[i]);
    check_empty(c);
    CO_END;
}

/* Those that were not are refused. */
static enum sched_run
refused(struct co *c)
{
    int l, x[2], err = 0;
    uint16_t port;
    socklen_t n = sizeof err;

    CO_BEGIN;
    l = new_socket(c);
    port = bind_at(c, l, 0);
    rt_check(calls(c, SYS_listen, (uint64_t)l, 0, 0) == 0, "listen");
    for (int i = 0; i < 2; i++)
        x[i] = new_socket(c);
    rt_check(connect_at(c, x[0], port) == 0, "connected");
    rt_check(connect_at(c, x[1], port) == -EINPROGRESS, "waits");
    close_fd(c, l);
    const uint64_t arg[6] = {
        (uint64_t)x[1], SOL_SOCKET, SO_ERROR, word(&err), word(&n)};
    int64_t r;

    rt_check(loopback_call(c->m, SYS_getsockopt, arg, &r) && r == 0 &&
        err == ECONNREFUSED, "refused");
    rt_check(connect_at(c, x[1], port) == -ECONNREFUSED, "by the kernel");
    for (int i = 0; i < 2; i++)
        close_fd(c, x[i]);
    check_empty(c);
    CO_END;
}

static void
test_backlog(void **state)
{
    (void)state;
    run(backlog);
    run(refused);
}

/* ---- bytes ------------------------------------------------------------------------ */

/* What is sent as the n-th byte. */
static uint8_t
byte_of(uint32_t n)
{
    return (uint8_t)(n * 7 + n / 251);
}

/* A listener, and its port. */
static int
listen_at(struct co *c, uint16_t *port)
{
    int l = new_socket(c);

    *port = bind_at(c, l, 0);
    rt_check(calls(c, SYS_listen, (uint64_t)l, 1, 0) == 0, "listen");
    return l;
}

/* A connection to it: the end that calls, and the one that is accepted. */
static int64_t
connect_self(struct co *c, int l, uint16_t port, int *x)
{
    *x = new_socket(c);
    rt_check(connect_at(c, *x, port) == 0, "connect");
    return accept_from(c, l);
}

/* As many as there is room for go in, and come out as they went in, however the
 * pieces are cut. */
static enum sched_run
bytes(struct co *c)
{
    static uint8_t sent[LO_ROOM + 1000], got[LO_ROOM];
    uint32_t in = 0, out = 0, seed = 1, n;
    uint16_t port;
    int l, x, left = 0;
    int64_t y, r;

    CO_BEGIN;
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = byte_of((uint32_t)i);
    l = listen_at(c, &port);
    y = connect_self(c, l, port, &x);
    rt_check(calls(c, SYS_write, (uint64_t)x, word(sent), sizeof sent) ==
        LO_ROOM, "so much fits");
    rt_check(calls(c, SYS_write, (uint64_t)x, word(sent), 1) == -EAGAIN,
        "and no more");
    rt_check(calls(c, SYS_ioctl, (uint64_t)y, FIONREAD, word(&left)) == 0 &&
        left == LO_ROOM, "FIONREAD");
    rt_check(calls(c, SYS_read, (uint64_t)y, word(got), LO_ROOM) == LO_ROOM &&
        memcmp(got, sent, LO_ROOM) == 0, "the same");
    for (int i = 0; i < 20000; i++) {
        seed = seed * 1664525 + 1013904223;
        n = 1 + (seed >> 8) % 3000;
        if (seed >> 31) {
            for (uint32_t k = 0; k < n; k++)
                sent[k] = byte_of(in + k);
            r = calls(c, SYS_write, (uint64_t)x, word(sent), n);
            rt_check(r > 0 || r == -EAGAIN, "write");
            in += r > 0 ? (uint32_t)r : 0;
        } else {
            r = calls(c, SYS_read, (uint64_t)y, word(got), n);
            rt_check(r > 0 || r == -EAGAIN, "read");
            for (int64_t k = 0; k < r; k++)
                rt_check(got[k] == byte_of(out++), "what was sent");
        }
        rt_check(in >= out && in - out <= LO_ROOM, "what is under way");
    }
    close_fd(c, x);
    while ((r = calls(c, SYS_read, (uint64_t)y, word(got), 999)) > 0)
        out += (uint32_t)r;
    rt_check(r == 0 && in == out, "all of it");
    close_fd(c, y);
    close_fd(c, l);
    check_empty(c);
    CO_END;
}

static void
test_bytes(void **state)
{
    (void)state;
    run(bytes);
}

/* ---- a port that others have ---------------------------------------------------- */

static uint8_t shared[65536];

/* A socket of somebody else who listens; *port: where. */
static int
somebody_listens(uint16_t *port)
{
    struct sockaddr_in a = loopback_at(0);
    socklen_t n = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    rt_check(bind(fd, (struct sockaddr *)&a, n) == 0 && listen(fd, 5) == 0 &&
        getsockname(fd, (struct sockaddr *)&a, &n) == 0, "somebody else");
    *port = ntohs(a.sin_port);
    return fd;
}

static int64_t
try_bind(struct co *c, uint16_t port)
{
    struct sockaddr_in a = loopback_at(port);
    int fd = new_socket(c);
    int64_t r = calls(c, SYS_bind, (uint64_t)fd, word(&a), sizeof a);

    close_fd(c, fd);
    return r;
}

/* It is the kernel's to say who has it. */
static enum sched_run
alone(struct co *c)
{
    uint16_t port;
    int other;

    CO_BEGIN;
    other = somebody_listens(&port);
    rt_check(try_bind(c, port) == -EADDRINUSE, "taken");
    close(other);
    check_empty(c);
    CO_END;
}

/* Beside others like the program it has it, too, and calls nobody else. */
static enum sched_run
beside_others(struct co *c)
{
    uint16_t port;
    int other, l, x;
    int64_t y;

    CO_BEGIN;
    other = somebody_listens(&port);
    x = new_socket(c);
    rt_check(connect_at(c, x, port) == 0, "no program's, as far as is known");
    close_fd(c, x);
    l = new_socket(c);
    rt_check(bind_at(c, l, port) == port, "bind");
    rt_check(try_bind(c, port) == -EADDRINUSE, "twice");
    rt_check(calls(c, SYS_listen, (uint64_t)l, 5, 0) == 0, "listen");
    rt_check(port_of(c, l, SYS_getsockname) == port && shared[port] != 0,
        "it has the port");
    x = new_socket(c);
    rt_check(connect_at(c, x, port) == 0, "connect");
    y = accept_from(c, l);
    rt_check(y >= 0, "accept");
    check_pair(c, x, y);
    close_fd(c, x);
    close_fd(c, l);
    /* What has been accepted keeps nobody from listening. */
    rt_check(try_bind(c, port) == 0, "again");
    close_fd(c, y);
    x = new_socket(c);
    rt_check(connect_at(c, x, port) == -ECONNREFUSED, "nobody of its own");
    close_fd(c, x);
    close(other);
    /* What it has from the kernel it cannot have twice. */
    l = new_socket(c);
    rt_check(bind_at(c, l, port) == port && !loopback_find(c->w->s, l)->alias,
        "the kernel's, too");
    rt_check(calls(c, SYS_listen, (uint64_t)l, 5, 0) == 0, "listen again");
    rt_check(try_bind(c, port) == -EADDRINUSE, "twice again");
    close_fd(c, l);
    check_empty(c);
    CO_END;
}

static void
test_shared_ports(void **state)
{
    (void)state;
    run(alone);
    run_among(beside_others, shared);
}

/* ---- who may send --------------------------------------------------------------- */

static int
new_packets(struct co *c)
{
    int fd = (int)calls(c, SYS_socket, AF_INET,
        SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    rt_check(fd >= 0, "socket");
    return fd;
}

/* From the socket to that port. */
static void
send_to(struct co *c, int fd, uint16_t port)
{
    struct sockaddr_in a = loopback_at(port);

    rt_check(calls(c, SYS_connect, (uint64_t)fd, word(&a), sizeof a) == 0 &&
        calls(c, SYS_write, (uint64_t)fd, word("x"), 1) == 1, "send");
}

/* Somebody calls where a socket listens, or takes packets; but packets may be
 * answers once some have been sent to others. */
static enum sched_run
callees(struct co *c)
{
    struct sockaddr_in a = loopback_at(0);
    socklen_t n = sizeof a;
    uint16_t port;
    int l, x, p, q, other;
    int64_t y;

    CO_BEGIN;
    l = new_socket(c);
    rt_check(!loopback_awaits_calls(loopback_find(c->w->s, l)), "not yet");
    close_fd(c, l);
    l = listen_at(c, &port);
    rt_check(loopback_awaits_calls(loopback_find(c->w->s, l)), "it listens");
    y = connect_self(c, l, port, &x);
    rt_check(!loopback_awaits_calls(loopback_find(c->w->s, (int)y)),
        "an end of a connection");
    p = new_packets(c);
    q = new_packets(c);
    send_to(c, p, bind_at(c, q, 0));
    rt_check(loopback_awaits_calls(loopback_find(c->w->s, p)) &&
        loopback_awaits_calls(loopback_find(c->w->s, q)), "both inside");
    other = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    rt_check(bind(other, (struct sockaddr *)&a, n) == 0 &&
        getsockname(other, (struct sockaddr *)&a, &n) == 0, "somebody else");
    send_to(c, p, ntohs(a.sin_port));
    rt_check(!loopback_awaits_calls(loopback_find(c->w->s, p)),
        "there may be an answer");
    close(other);
    close_fd(c, p);
    close_fd(c, q);
    close_fd(c, x);
    close_fd(c, y);
    close_fd(c, l);
    check_empty(c);
    CO_END;
}

static void
test_callees(void **state)
{
    (void)state;
    run(callees);
}

/* ---- descriptors -------------------------------------------------------------------- */

/* A connection has ended when its last descriptor is closed, whatever by. */
static enum sched_run
copies(struct co *c)
{
    uint16_t port;
    int l, x, d[3];
    int64_t y;
    char byte;

    CO_BEGIN;
    l = listen_at(c, &port);
    y = connect_self(c, l, port, &x);
    d[0] = (int)calls(c, SYS_dup, (uint64_t)x, 0, 0);
    d[1] = (int)calls(c, SYS_fcntl, (uint64_t)x, F_DUPFD_CLOEXEC, 0);
    d[2] = (int)calls(c, SYS_dup2, (uint64_t)x, 200, 0);
    rt_check(d[0] >= 0 && d[1] >= 0 && d[2] == 200, "copies");
    close_fd(c, x);
    for (int i = 0; i < 3; i++) {
        check_pair(c, d[i], y);
        if (i < 2)
            close_fd(c, d[i]);
    }
    rt_check(calls(c, SYS_dup2, 200, 200, 0) == 200, "onto itself");
    check_pair(c, 200, y);
    /* Something else takes the place of the last one. */
    rt_check(calls(c, SYS_dup2, (uint64_t)l, 200, 0) == 200, "dup2");
    rt_check(calls(c, SYS_read, (uint64_t)y, word(&byte), 1) == 0, "the end");
    close_fd(c, y);
    /* And the listener listens until it has none, either. */
    close_fd(c, l);
    x = new_socket(c);
    rt_check(connect_at(c, x, port) == 0, "it still listens");
    close_fd(c, 200);
    rt_check(calls(c, SYS_read, (uint64_t)x, word(&byte), 1) == -ECONNRESET,
        "not any more");
    close_fd(c, x);
    check_empty(c);
    CO_END;
}

static void
test_copies(void **state)
{
    (void)state;
    run(copies);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ports),
        cmocka_unit_test(test_backlog),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_shared_ports),
        cmocka_unit_test(test_callees),
        cmocka_unit_test(test_copies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
