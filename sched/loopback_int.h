/* SPDX-License-Identifier: MIT */
#ifndef SCHED_LOOPBACK_INT_H
#define SCHED_LOOPBACK_INT_H

/* What the files of the loopback share; see loopback.h. */

#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "sched/loopback.h"
#include "sched/netpoll.h"
#include "sched/sched_int.h"

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262 /* TCP by several ways, if both ends know of it */
#endif
#ifndef SOL_MPTCP
#define SOL_MPTCP 284 /* the level of its options */
#endif

enum {
    LO_BUCKETS = 256,
    LO_MOST_POLLED = 1 << 20,
    LO_ROOM = 256 * 1024, /* bytes under way in one direction: about what the
                             kernel begins with */
    LO_FIRST_PORT = 32768, /* the range that the kernel draws from, too */
    LO_PORTS = 28232,
    LO_MAX_BACKLOG = 4096
};

enum lo_state {
    LO_NEW,       /* made, perhaps bound; packets need no more */
    LO_LISTENING,
    LO_PENDING,   /* it waits for room on the queue of a listener */
    LO_CONNECTED, /* to another inside, which may be gone by now */
    LO_OUTSIDE    /* the kernel's */
};

/* An address; one of IPv4 is ::ffff:a.b.c.d. */
struct lo_addr {
    uint8_t ip[16];
    uint16_t port;
    uint32_t scope;
};

/* Bytes on the way to whoever has it. */
struct lo_bytes {
    uint8_t *p; /* a ring */
    uint32_t cap, start, n;
};

struct lo_packet {
    struct lo_packet *next;
    struct lo_addr from;
    size_t n;
    uint8_t bytes[];
};

/* A socket.  Each is in the table while it has descriptors; the other end of a
 * connection that nobody has accepted yet has none, and is on its listener's
 * queue. */
struct lo_sock {
    struct lo_sock *next; /* same bucket */
    ino_t ino;
    uint64_t serial;      /* ascending, by time of entry */
    uint32_t fds;         /* descriptors */
    int family, type;     /* AF_INET or AF_INET6; SOCK_STREAM or SOCK_DGRAM */
    enum lo_state state;
    bool v6only;
    bool bound;           /* local is known */
    bool picked;          /* its port need not be the kernel's: it was drawn
                             here, or others like the program may have it */
    bool alias;           /* the kernel's socket has another one */
    bool has_peer;        /* packets: it is connected to it */
    bool named;           /* it is called so, whatever the kernel says */
    bool mptcp;           /* it was made for that */
    bool by_mptcp;        /* an end of a connection: so was the other */
    int kernel_fd;        /* > 0: of an end outside that nobody has accepted */
    struct lo_addr local, peer;
    struct poll_desc *descs;

    /* a listener: ends that wait to be accepted, the first `backlog + 1` of
     * them connected */
    struct lo_sock *first, *last;
    uint32_t npending, backlog;

    /* an end of a connection */
    struct lo_sock *other;    /* NULL: it has been closed */
    struct lo_sock *listener; /* NULL: it has been accepted, or has called */
    struct lo_sock *pending;  /* the next on the queue */
    struct lo_bytes in;
    bool fin;        /* no more will come */
    bool dead;       /* the connection has been reset */
    bool shut_read, shut_write;
    int err;         /* to be told once; 0: none */

    /* packets to be read */
    struct lo_packet *packets, **packets_end;
    size_t npackets_bytes;
    bool asks_outside; /* some have been sent to others */
};

struct loopback {
    struct lo_sock *table[LO_BUCKETS];
    uint64_t serial;
    uint32_t first_port; /* of those that are drawn, drawn so many so far */
    uint32_t drawn;
    bool shared;         /* a child has got a listener */
};

/* ---- loopback_addr.c ------------------------------------------------------- */

/* False: it is no address of the internet. */
bool lo_addr_parse(struct lo_addr *a, const void *name, size_t len);
/* As a socket of that family is told; name and *len may be NULL. */
void lo_addr_print(const struct lo_addr *a, int family, void *name,
    socklen_t *len);
bool lo_addr_is_any(const struct lo_addr *a);
bool lo_addr_is_v4(const struct lo_addr *a);
bool lo_addr_is_same(const struct lo_addr *a, const struct lo_addr *b);
/* Whether it is one of this machine's. */
bool lo_addr_is_local(const struct lo_addr *a);
/* Where a packet for dest comes from, which is one of this machine's. */
struct lo_addr lo_addr_source(const struct lo_addr *dest);
/* What an address that stands for any means where something is sent to. */
void lo_addr_fix(struct lo_addr *dest);
/* Whether a socket that is bound to a gets what is sent to dest; 2: it is just
 * that address, 1: it takes any, 0: no. */
int lo_addr_takes(
    const struct lo_addr *a, int family, bool v6only, const struct lo_addr *dest);

/* ---- loopback.c ----------------------------------------------------------- */

/* The state of a scheduler's; made when first needed. */
struct loopback *lo_state(struct sched *s);
/* The socket that takes what is sent to dest, or NULL.  from: a packet, of which
 * a socket that is connected to another takes none. */
struct lo_sock *lo_match(struct sched *s, const struct lo_addr *dest,
    const struct lo_addr *from, int type);
/* Of a socket without descriptors, queues and peers. */
struct lo_sock *lo_new(int family, int type);
/* The inode of a descriptor that is a socket's; false: it is none. */
bool lo_inode(int fd, ino_t *ino);
void lo_enter(struct sched *s, struct lo_sock *x, ino_t ino);
/* Its descriptors have got another inode. */
void lo_move(struct sched *s, struct lo_sock *x, ino_t ino);
void lo_free(struct lo_sock *x);
/* Whoever waits for it in the modes shall try again. */
void lo_tell(struct sched_m *m, struct lo_sock *x, unsigned modes);
/* Gives x an address with a drawn port, if it has none. */
int64_t lo_bind_any(struct sched_m *m, struct lo_sock *x, int fd);
uint16_t lo_draw_port(struct sched *s, int type);
/* Whether programs that run at the same time may have the port that this one
 * asks for, and calls: to this one it shall be as if it ran alone. */
bool lo_is_shared_port(const struct sched *s, uint16_t port);
/* Whether the port has been drawn, and nobody else has been given it: whoever
 * listens there, if it is not this process, only happens to do so. */
bool lo_is_own_port(const struct sched *s, uint16_t port);

/* All answer as the kernel would. */
int64_t lo_socket(struct sched_m *m, int family, int type, int protocol);
int64_t lo_bind(struct sched_m *m, struct lo_sock *x, int fd, const void *name,
    size_t len);
int64_t lo_dup(struct sched_m *m, uint64_t trap, const uint64_t arg[6]);
int64_t lo_close(struct sched_m *m, struct lo_sock *x, int fd);
/* fd is about to stand for something else. */
void lo_drop(struct sched_m *m, struct lo_sock *x, int fd);

/* ---- loopback_stream.c ----------------------------------------------------- */

int64_t lo_listen(struct sched_m *m, struct lo_sock *x, int fd, int backlog);
/* INT64_MIN: the kernel shall. */
int64_t lo_connect(struct sched_m *m, struct lo_sock *x, int fd,
    const void *name, size_t len);
int64_t lo_accept(struct sched_m *m, struct lo_sock *x, void *name,
    socklen_t *len, int flags);
int64_t lo_read(struct sched_m *m, struct lo_sock *x, const struct iovec *v,
    size_t nv, int flags);
int64_t lo_write(struct sched_m *m, struct lo_sock *x, const struct iovec *v,
    size_t nv);
int64_t lo_send_file(struct sched_m *m, struct lo_sock *x, int from,
    int64_t *off, size_t n);
int64_t lo_shutdown(struct sched_m *m, struct lo_sock *x, int how);
/* The last descriptor of x, fd, is going to be closed. */
void lo_hang_up(struct sched_m *m, struct lo_sock *x, int fd);

/* ---- loopback_packet.c ------------------------------------------------------ */

/* INT64_MIN: the kernel shall.  dest NULL: to whom it is connected. */
int64_t lo_send(struct sched_m *m, struct lo_sock *x, int fd,
    const struct iovec *v, size_t nv, const void *dest, size_t len);
int64_t lo_receive(struct lo_sock *x, const struct iovec *v, size_t nv,
    int flags, void *name, socklen_t *len, bool *cut);
int64_t lo_connect_packets(struct sched_m *m, struct lo_sock *x, int fd,
    const void *name, size_t len);
void lo_free_packets(struct lo_sock *x);

#endif
