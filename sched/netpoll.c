/* SPDX-License-Identifier: MIT */
/*
 * The netpoller over epoll; netpoll.h says what it is for.
 *
 * Who takes events.  Events are taken without waiting (netpoll_take), by Ms
 * with a P that look for work.  Where all Ms have nothing to do, the one that
 * sleeps for the next timer waits for events, too (netpoll_sleep): without a P,
 * and without taking any, so that a stop of the world need not know of it.  It
 * says in net.wanted that there are some and becomes an M that looks for work
 * if there is a P for it; if not, the next M that looks for work does.  Where
 * all Ps are busy for long, sysmon sees to it that one of them looks.
 *
 * Note [descriptors].  A poll_desc is reused, but its memory is given back
 * only at the end: an event or a timer may come late.  Events name the
 * descriptor together with how often it has been opened (its seq), timers
 * compare their time with the deadline.  An event that is taken for another's
 * after all, since seq has gone round, costs one attempt in vain.
 */
#include "sched/netpoll.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "sched/loopback.h"
#include "sched/sched_int.h"

enum {
    EVENTS = 128, /* taken at a time */
    CHUNK = 64,   /* descriptors made at a time */
    TAG_BITS = 16 /* of an event: seq; the rest is the address */
};

static const uint64_t OVERDUE_NS = 10 * 1000 * 1000;

/* One direction. */
struct poll_side {
    struct sched_g *g;  /* waits, or NULL */
    int64_t deadline;   /* ns; 0: none; < 0: it is over */
    bool ready;         /* since the last reset or wait */
    struct sched_timer timer; /* armed while deadline > 0 */
};

struct poll_desc {
    struct rt_lock lock; /* POLL_DESC: everything down to next */
    int fd;
    uint32_t seq;  /* times that it has been opened or closed */
    bool open;
    bool closing;
    bool error;    /* the last event was EPOLLERR alone */
    struct poll_side read, write;
    struct poll_desc *next; /* net.lock: the free ones */
    struct lo_sock *sock;   /* with a seed: the socket, or NULL */
    struct poll_desc *same; /* the next of that socket */
};

struct poll_chunk {
    struct poll_chunk *next;
    struct poll_desc d[CHUNK];
};

static struct poll_side *
side_of(struct poll_desc *d, enum poll_mode mode)
{
    rt_assert(mode == POLL_READ || mode == POLL_WRITE);
    return mode == POLL_READ ? &d->read : &d->write;
}

/* Who waits waits for something that can come, and times are armed. */
static bool
side_valid(const struct poll_desc *d, const struct poll_side *x)
{
    if (!d->open)
        return x->g == NULL && x->deadline == 0;
    if (x->g != NULL && x->ready)
        return false;
    return !d->closing || x->deadline <= 0;
}

static bool
desc_valid(const struct poll_desc *d)
{
    return side_valid(d, &d->read) && side_valid(d, &d->write) &&
        (d->open || !d->closing);
}

/* ---- life ----------------------------------------------------------------- */

void
netpoll_begin(struct sched *s)
{
    s->net.epfd = s->net.breakfd = -1;
    rt_lock_init(&s->net.lock, RANK_POLL);
}

void
netpoll_end(struct sched *s)
{
    struct poll_chunk *c;

    while ((c = s->net.chunks) != NULL) {
        s->net.chunks = c->next;
        free(c);
    }
    if (s->net.epfd >= 0)
        close(s->net.epfd);
    if (s->net.breakfd >= 0)
        close(s->net.breakfd);
    s->net.epfd = s->net.breakfd = -1;
}

/* Makes the two descriptors; the error number.  net.lock held. */
static int
make(struct netpoll *n)
{
    rt_assert_held(&n->lock);
    n->epfd = epoll_create1(EPOLL_CLOEXEC);
    if (n->epfd < 0)
        return errno;
    n->breakfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (n->breakfd < 0) {
        int err = errno;

        close(n->epfd);
        n->epfd = -1;
        return err;
    }
    return 0;
}

static int
turn_on(struct sched *s)
{
    struct netpoll *n = &s->net;
    int err = 0;

    if (netpoll_on(s))
        return 0;
    rt_lock(&n->lock);
    if (!netpoll_on(s) && (err = make(n)) == 0) {
        rt_lock(&s->lock);
        /* rel: the descriptors.  Whoever sleeps for a timer without looking
         * at them shall do so again. */
        a32_store_rel(&n->on, 1);
        sched_wake_sleeper_locked(s);
        rt_unlock(&s->lock);
    }
    rt_unlock(&n->lock);
    return err;
}

static void side_late(struct sched_m *m, struct sched_timer *t, uint64_t now);

static void
desc_init(struct poll_desc *d)
{
    rt_assert(((uintptr_t)d & (POLL_READ | POLL_WRITE)) == 0);
    rt_lock_init(&d->lock, RANK_POLL_DESC);
    d->read.timer.fire = d->write.timer.fire = side_late;
    d->read.timer.arg = (uintptr_t)d | POLL_READ;
    d->write.timer.arg = (uintptr_t)d | POLL_WRITE;
}

/* net.lock held; false: no memory. */
static bool
more_descs(struct netpoll *n)
{
    struct poll_chunk *c = calloc(1, sizeof *c);

    rt_assert_held(&n->lock);
    if (c == NULL)
        return false;
    c->next = n->chunks;
    n->chunks = c;
    for (int i = CHUNK; i-- > 0;) {
        desc_init(&c->d[i]);
        c->d[i].next = n->free;
        n->free = &c->d[i];
    }
    return true;
}

static struct poll_desc *
desc_get(struct netpoll *n)
{
    struct poll_desc *d = NULL;

    rt_lock(&n->lock);
    if (n->free != NULL || more_descs(n)) {
        d = n->free;
        n->free = d->next;
    }
    rt_unlock(&n->lock);
    return d;
}

static void
desc_put(struct netpoll *n, struct poll_desc *d)
{
    rt_lock(&d->lock);
    rt_check(d->read.g == NULL && d->write.g == NULL,
        "netpoll: a descriptor is closed for which somebody waits");
    d->seq++;
    d->open = d->closing = d->error = false;
    d->read.ready = d->write.ready = false;
    d->read.deadline = d->write.deadline = 0;
    rt_assert(desc_valid(d));
    rt_unlock(&d->lock);
    rt_lock(&n->lock);
    d->next = n->free;
    n->free = d;
    rt_unlock(&n->lock);
}

static uint64_t
tag_of(const struct poll_desc *d)
{
    return (uint64_t)(uintptr_t)d << TAG_BITS |
        (d->seq & ((1u << TAG_BITS) - 1));
}

static struct poll_desc *
desc_of(uint64_t tag)
{
    return (struct poll_desc *)(uintptr_t)(tag >> TAG_BITS);
}

/* The room that TCP has is the same all the time: the system's own choice
 * depends on how long things take.  Where it is no such socket: nothing. */
static void
fix_room(int fd)
{
    const int bytes = 1 << 20; /* the system has a limit of its own */
    int kind = 0;
    socklen_t n = sizeof kind;

    if (getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &kind, &n) != 0 ||
        kind != IPPROTO_TCP)
        return;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

/* What has happened before nobody has told d of. */
static void
attach(struct sched *s, struct poll_desc *d)
{
    struct poll_desc **list;

    d->sock = loopback_find(s, d->fd);
    if (d->sock == NULL)
        return;
    list = loopback_descs(d->sock);
    d->same = *list;
    *list = d;
    d->read.ready = d->write.ready = true;
}

static void
detach(struct poll_desc *d)
{
    struct lo_sock *x = d->sock;
    struct poll_desc **at;

    if (x == NULL)
        return;
    for (at = loopback_descs(x); *at != d; at = &(*at)->same)
        continue;
    *at = d->same;
    d->sock = NULL;
    d->same = NULL;
    if (*loopback_descs(x) == NULL)
        loopback_let_go(x);
}

int
netpoll_open(struct sched_m *m, int fd, struct poll_desc **out)
{
    struct netpoll *n = &m->sched->net;
    struct epoll_event ev = {
        .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET};
    struct poll_desc *d;
    int err = turn_on(m->sched);

    assert_has_p(m);
    if (err != 0)
        return err;
    d = desc_get(n);
    if (d == NULL)
        return ENOMEM;
    rt_lock(&d->lock);
    rt_assert(!d->open && desc_valid(d));
    d->fd = fd;
    d->seq++;
    d->open = true;
    ev.data.u64 = tag_of(d);
    rt_unlock(&d->lock);
    rt_assert(desc_of(ev.data.u64) == d);
    if (epoll_ctl(n->epfd, EPOLL_CTL_ADD, fd, &ev) != 0) {
        err = errno;
        desc_put(n, d);
        return err;
    }
    if (m->sched->seed != NULL) {
        fix_room(fd);
        attach(m->sched, d);
    }
    *out = d;
    return 0;
}

void
netpoll_close(struct sched_m *m, struct poll_desc *d)
{
    struct netpoll *n = &m->sched->net;
    struct epoll_event ev = {0};

    assert_has_p(m);
    rt_check(d->open && d->closing, "netpoll: closed without being unblocked");
    epoll_ctl(n->epfd, EPOLL_CTL_DEL, d->fd, &ev);
    detach(d);
    desc_put(n, d);
}

bool
netpoll_is_own(struct sched *s, int fd)
{
    return netpoll_on(s) && (fd == s->net.epfd || fd == s->net.breakfd);
}

/* ---- waiting --------------------------------------------------------------- */

static enum poll_status
status_of(const struct poll_desc *d, enum poll_mode mode)
{
    const struct poll_side *x = mode == POLL_READ ? &d->read : &d->write;

    if (d->closing)
        return POLL_CLOSING;
    if (x->deadline < 0)
        return POLL_TIMEOUT;
    /* Writing says itself what is wrong. */
    return d->error && mode == POLL_READ ? POLL_NOT_POLLABLE : POLL_READY;
}

enum poll_status
netpoll_reset(struct sched_m *m, struct poll_desc *d, enum poll_mode mode)
{
    enum poll_status status;

    (void)m;
    rt_lock(&d->lock);
    rt_assert(d->open && desc_valid(d));
    status = status_of(d, mode);
    if (status == POLL_READY)
        side_of(d, mode)->ready = false;
    rt_unlock(&d->lock);
    return status;
}

bool
netpoll_wait(struct sched_m *m, struct poll_desc *d, enum poll_mode mode,
    bool cancelled, enum poll_status *status)
{
    struct poll_side *x = side_of(d, mode);
    enum poll_status now;

    assert_has_p(m);
    rt_lock(&d->lock);
    rt_assert(d->open && desc_valid(d));
    now = cancelled ? POLL_READY : status_of(d, mode);
    if (now == POLL_READY && !x->ready) {
        rt_check(x->g == NULL, "netpoll: two wait for the same");
        /* full: whoever has nothing to do after this waits for events. */
        a32_add_full(&m->sched->net.waiters, 1);
        sched_park_begin(m, m->g, WAIT_IO);
        x->g = m->g;
        rt_unlock(&d->lock);
        return true;
    }
    if (now == POLL_READY)
        x->ready = false;
    rt_unlock(&d->lock);
    *status = now;
    return false;
}

/* Whoever waits for x, who is the caller's to make ready; or NULL.  The lock
 * of its descriptor is held. */
static struct sched_g *
let_go(struct sched *s, struct poll_side *x)
{
    struct sched_g *g = x->g;

    if (g == NULL)
        return NULL;
    rt_assert(g->wait_reason == WAIT_IO);
    rt_assert(a32_load_rlx(&s->net.waiters) > 0);
    x->g = NULL;
    a32_add_full(&s->net.waiters, UINT32_MAX);
    return g;
}

static void
ready_both(struct sched_m *m, struct sched_g *a, struct sched_g *b)
{
    if (a != NULL)
        sched_ready(m, a);
    if (b != NULL)
        sched_ready(m, b);
}

/* ---- deadlines --------------------------------------------------------------- */

static void
side_late(struct sched_m *m, struct sched_timer *t, uint64_t now)
{
    const uintptr_t bits = POLL_READ | POLL_WRITE;
    struct poll_desc *d = (struct poll_desc *)((uintptr_t)t->arg & ~bits);
    struct poll_side *x =
        side_of(d, (enum poll_mode)((uintptr_t)t->arg & bits));
    struct sched_g *g = NULL;

    rt_lock(&d->lock);
    rt_assert(desc_valid(d));
    /* It may have been set to another time while this was on its way. */
    if (x->deadline > 0 && (uint64_t)x->deadline <= now) {
        x->deadline = -1;
        g = let_go(m->sched, x);
    }
    rt_unlock(&d->lock);
    ready_both(m, g, NULL);
}

/* d's lock held.  True: the caller has to kick the timers. */
static bool
set_side(struct sched_m *m, struct poll_side *x, int64_t deadline)
{
    x->deadline = deadline;
    if (deadline > 0)
        return timer_set(m, &x->timer, (uint64_t)deadline);
    timer_stop(m, &x->timer);
    return false;
}

void
netpoll_set_deadline(
    struct sched_m *m, struct poll_desc *d, int64_t ns, unsigned modes)
{
    struct sched *s = m->sched;
    struct sched_g *r = NULL, *w = NULL;
    bool kick = false;

    assert_has_p(m);
    rt_assert(modes != 0 && modes <= (POLL_READ | POLL_WRITE));
    if (ns > 0) {
        uint64_t when = sched_now(s) + (uint64_t)ns;

        ns = when > INT64_MAX ? INT64_MAX : (int64_t)when;
    }
    rt_lock(&d->lock);
    rt_assert(d->open && desc_valid(d));
    if (!d->closing) {
        if ((modes & POLL_READ) != 0)
            kick = set_side(m, &d->read, ns);
        if ((modes & POLL_WRITE) != 0)
            kick = set_side(m, &d->write, ns) || kick;
        if (ns < 0 && (modes & POLL_READ) != 0)
            r = let_go(s, &d->read);
        if (ns < 0 && (modes & POLL_WRITE) != 0)
            w = let_go(s, &d->write);
    }
    rt_assert(desc_valid(d));
    rt_unlock(&d->lock);
    if (kick)
        timer_kick(s, (uint64_t)ns);
    ready_both(m, r, w);
}

void
netpoll_unblock(struct sched_m *m, struct poll_desc *d)
{
    struct sched_g *r, *w;

    assert_has_p(m);
    rt_lock(&d->lock);
    rt_check(d->open && !d->closing, "netpoll: unblocked twice");
    d->closing = true;
    set_side(m, &d->read, 0);
    set_side(m, &d->write, 0);
    r = let_go(m->sched, &d->read);
    w = let_go(m->sched, &d->write);
    rt_assert(desc_valid(d));
    rt_unlock(&d->lock);
    ready_both(m, r, w);
}

/* ---- events ------------------------------------------------------------------- */

/* Puts what ev is for on the P's queue; how many goroutines. */
static uint32_t
dispatch(struct sched_m *m, const struct epoll_event *ev)
{
    struct poll_desc *d = desc_of(ev->data.u64);
    struct sched_g *g[2] = {NULL, NULL};
    bool awaited_only = m->sched->seed != NULL;
    uint32_t got = 0;

    rt_lock(&d->lock);
    rt_assert(desc_valid(d));
    if (d->open && tag_of(d) == ev->data.u64) {
        d->error = ev->events == EPOLLERR;
        if ((ev->events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) {
            g[0] = let_go(m->sched, &d->read);
            d->read.ready = g[0] != NULL || !awaited_only;
        }
        if ((ev->events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) {
            g[1] = let_go(m->sched, &d->write);
            d->write.ready = g[1] != NULL || !awaited_only;
        }
    }
    rt_unlock(&d->lock);
    for (int i = 0; i < 2; i++)
        if (g[i] != NULL) {
            g_unpark(m, g[i]);
            runq_put(pi_of(m->p), g[i], false);
            got++;
        }
    return got;
}

/* The program has closed a descriptor that is not its own. */
static void
broken(struct sched *s)
{
    rt_lock(&s->lock);
    bool first = !s->dead;
    s->dead = true;
    rt_unlock(&s->lock);
    if (!first)
        return;
    s->host->fatal(s->ha, "runtime: netpoll failed: the program has closed "
        "the descriptor of the netpoller");
    sched_exit(s, 2);
}

uint32_t
netpoll_take(struct sched_mi *m)
{
    struct sched *s = m->m.sched;
    struct netpoll *n = &s->net;
    struct epoll_event ev[EVENTS];
    uint32_t got = 0;
    int k;

    assert_has_p(&m->m);
    rt_assert(netpoll_on(s));
    /* full: an event that is not there yet will be told of again. */
    a32_store_full(&n->wanted, 0);
    a64_store_rlx(&n->last, sched_now(s));
    k = epoll_wait(n->epfd, ev, EVENTS, 0);
    if (k < 0 && errno != EINTR)
        broken(s);
    for (int i = 0; i < k; i++)
        got += dispatch(&m->m, &ev[i]);
    if (k < 0 || k == EVENTS)
        a32_store_full(&n->wanted, 1); /* there may be more */
    return got;
}

void
netpoll_sleep(struct sched *s, int64_t ns)
{
    struct netpoll *n = &s->net;
    struct pollfd p[2] = {{n->epfd, POLLIN, 0}, {n->breakfd, POLLIN, 0}};
    struct timespec ts = {
        (time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    uint64_t count;

    rt_assert(netpoll_on(s));
    a32_store_full(&n->blocked, 1);
    if (ppoll(p, 2, ns < 0 ? NULL : &ts, NULL) > 0) {
        if (p[1].revents != 0 && read(n->breakfd, &count, sizeof count) < 0 &&
            errno != EAGAIN)
            broken(s);
        /* full: pairs with any_work(), which looks after a P has become
         * idle; the caller then looks for an idle P. */
        if (p[0].revents != 0)
            a32_store_full(&n->wanted, 1);
    }
    a32_store_full(&n->blocked, 0);
}

void
netpoll_break(struct sched *s)
{
    const uint64_t one = 1;

    /* It only fails if there are 2^64 - 2 of them already. */
    if (write(s->net.breakfd, &one, sizeof one) < 0)
        rt_assert(errno == EAGAIN || errno == EBADF);
}

/* Has nobody taken events for long, although some wait? */
static bool
is_overdue(struct sched *s, uint64_t now)
{
    const struct netpoll *n = &s->net;

    return netpoll_wanted(s) && a32_load_acq(&n->blocked) == 0 &&
        now >= a64_load_rlx(&n->last) + OVERDUE_NS;
}

void
netpoll_monitor(struct sched *s, uint64_t now)
{
    struct pollfd p = {-1, POLLIN, 0};
    uint32_t n = a32_load_acq(&s->nprocs);

    if (!is_overdue(s, now))
        return;
    p.fd = s->net.epfd; /* const: somebody waits */
    if (poll(&p, 1, 0) <= 0)
        return;
    a32_store_full(&s->net.wanted, 1);
    if (a32_load_acq(&s->npidle) != 0) {
        sched_wakep(s);
        return;
    }
    for (uint32_t i = 0; i < n && !s->cfg.preempt_off; i++)
        if (p_state(s->allp[i]) == P_RUNNING) {
            preempt_one(s, s->allp[i], 2);
            return;
        }
}

_Static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT &&
    POLLRDHUP == EPOLLRDHUP && POLLERR == EPOLLERR && POLLHUP == EPOLLHUP,
    "events of poll() are those of epoll");

/* ---- with a seed ---------------------------------------------------------------- */

/* Whoever waits at x goes on, or who would wait next. */
static struct sched_g *
tell_side(struct sched *s, struct poll_side *x)
{
    struct sched_g *g = let_go(s, x);

    x->ready = true; /* who has waited asks again */
    return g;
}

void
netpoll_tell(struct sched_m *m, struct poll_desc *d, unsigned modes)
{
    rt_assert(m->by_seed);
    for (; d != NULL; d = d->same) {
        struct sched_g *r = NULL, *w = NULL;

        rt_lock(&d->lock);
        rt_assert(d->open && desc_valid(d));
        if ((modes & POLL_READ) != 0)
            r = tell_side(m->sched, &d->read);
        if ((modes & POLL_WRITE) != 0)
            w = tell_side(m->sched, &d->write);
        rt_unlock(&d->lock);
        ready_both(m, r, w);
    }
}

/* A walk through the descriptors at which goroutines wait.  With a seed there is
 * one thread at a time, and who waits is seen without a lock.  It ends when as
 * many have been seen as wait: at each point somebody asks, and most descriptors
 * of a chunk are none. */
struct walk {
    struct poll_chunk *c;
    uint32_t i;    /* the next one in c */
    uint32_t left; /* goroutines that wait further on */
};

static struct walk
walk_begin(const struct sched *s)
{
    rt_assert(s->seed != NULL);
    return (struct walk){s->net.chunks, 0, a32_load_rlx(&s->net.waiters)};
}

/* NULL: that was all. */
static struct poll_desc *
walk_next(struct walk *w)
{
    while (w->left > 0) {
        rt_assert(w->c != NULL);
        struct poll_desc *d = &w->c->d[w->i++];
        uint32_t n = (d->read.g != NULL) + (d->write.g != NULL);

        if (w->i == CHUNK) {
            w->c = w->c->next;
            w->i = 0;
        }
        rt_assert(n <= w->left);
        w->left -= n;
        if (n > 0)
            return d;
    }
    return NULL;
}

/* What its goroutines wait for; nothing: false. */
static bool
awaited(struct poll_desc *d, struct pollfd *p)
{
    if (d->sock != NULL && loopback_is_inside(d->sock))
        return false;
    rt_lock(&d->lock);
    rt_assert(desc_valid(d));
    *p = (struct pollfd){.fd = d->fd};
    if (d->read.g != NULL)
        p->events |= POLLIN | POLLRDHUP;
    if (d->write.g != NULL)
        p->events |= POLLOUT;
    rt_unlock(&d->lock);
    return p->events != 0;
}

uint32_t
netpoll_awaited(struct sched *s, struct pollfd *p, uint32_t n)
{
    struct walk w = walk_begin(s);
    struct poll_desc *d;
    uint32_t k = 0;

    while ((d = walk_next(&w)) != NULL) {
        struct pollfd one;

        if (!awaited(d, &one))
            continue;
        if (k < n)
            p[k] = one;
        k++;
    }
    return k;
}

bool
netpoll_is_awaited_by(struct sched *s, const struct sched_g *g, int *fd)
{
    struct walk w = walk_begin(s);
    struct poll_desc *d;

    while ((d = walk_next(&w)) != NULL) {
        struct pollfd p;

        if (!awaited(d, &p) || (d->read.g != g && d->write.g != g))
            continue;
        *fd = p.fd;
        return true;
    }
    return false;
}

void
netpoll_events(struct sched_m *m)
{
    struct walk w = walk_begin(m->sched);
    struct poll_desc *d;

    /* Who goes on waited at d, which has been left behind. */
    while ((d = walk_next(&w)) != NULL) {
        struct pollfd p;

        if (!awaited(d, &p))
            continue;
        p.events = POLLIN | POLLOUT | POLLRDHUP;
        if (poll(&p, 1, 0) > 0)
            dispatch(m, &(struct epoll_event){
                .events = (uint32_t)(uint16_t)p.revents,
                .data.u64 = tag_of(d)});
    }
}

int
netpoll_events_fd(struct sched *s)
{
    return netpoll_on(s) ? s->net.epfd : -1;
}
