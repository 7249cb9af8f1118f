/* SPDX-License-Identifier: MIT */
/*
 * VOLEDEBUG=schedtrace=N and scheddetail=1: the lines of Go's schedtrace.
 */
#include "sched/sched_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

struct text {
    char buf[8192];
    size_t n;
    struct sched *s;
};

static void __attribute__((format(printf, 2, 3)))
add(struct text *t, const char *fmt, ...)
{
    va_list ap;
    int k;

    va_start(ap, fmt);
    k = vsnprintf(t->buf + t->n, sizeof t->buf - t->n, fmt, ap);
    va_end(ap);
    if (k > 0)
        t->n += (size_t)k < sizeof t->buf - t->n ? (size_t)k :
            sizeof t->buf - t->n - 1;
}

static void
flush(struct sched *s, struct text *t)
{
    ssize_t r = write(s->cfg.err_fd, t->buf, t->n);

    (void)r;
    t->n = 0;
}

/* The P that g or m is at; NULL: none. */
static struct sched_pi *
p_of(struct sched *s, const struct sched_g *g, const struct sched_mi *m)
{
    for (uint32_t i = 0; i < a32_load_acq(&s->nprocs); i++) {
        struct sched_pi *p = s->allp[i];

        if ((g != NULL && aptr_load_acq(&p->curg) == g) ||
            (m != NULL && aptr_load_acq(&p->m) == m))
            return p;
    }
    return NULL;
}

static long long
m_id(struct sched_pi *p)
{
    struct sched_mi *m = p != NULL ? aptr_load_acq(&p->m) : NULL;

    return m != NULL ? (long long)m->m.id : -1;
}

static void
print_g(void *arg, struct sched_g *g)
{
    struct text *t = arg;
    uint32_t st = sched_g_state(g);

    if (t->n > sizeof t->buf - 256)
        flush(t->s, t);
    add(t, "  G%llu: status=%u(%s) m=%lld lockedm=%lld\n",
        (unsigned long long)g->id, st,
        st == G_WAITING ? sched_wait_text((enum sched_wait)g->wait_reason)
                        : "",
        st == G_RUNNING ? m_id(p_of(t->s, g, NULL)) : -1LL, -1LL);
}

static void
print_p(struct text *t, struct sched_pi *p)
{
    add(t, "  P%u: status=%u schedtick=%u syscalltick=%u m=%lld "
        "runqsize=%u gfreecnt=%d timerslen=%u\n", p->p.id, p_state(p),
        a32_load_rlx(&p->schedtick), a32_load_rlx(&p->syscalltick), m_id(p),
        runq_len(p), 0, a64_load_acq(&p->timers.next) != UINT64_MAX);
    flush(t->s, t);
}

static void
print_m_locked(struct text *t, struct sched_mi *m)
{
    struct sched_pi *p = p_of(t->s, NULL, m);
    struct sched_g *g = p != NULL ? aptr_load_acq(&p->curg) : NULL;

    if (t->n > sizeof t->buf - 256)
        flush(t->s, t);
    add(t, "  M%u: p=%lld curg=%lld spinning=%s blocked=%s\n", m->m.id,
        p != NULL ? (long long)p->p.id : -1LL,
        g != NULL ? (long long)g->id : -1LL,
        a32_load_rlx(&m->spinning) ? "true" : "false",
        m->blocked ? "true" : "false");
}

static void
detail_lines(struct sched *s, struct text *t)
{
    for (uint32_t i = 0; i < a32_load_acq(&s->nprocs); i++)
        print_p(t, s->allp[i]);
    rt_lock(&s->lock);
    for (struct sched_mi *m = s->allm; m != NULL; m = m->all_next)
        print_m_locked(t, m);
    rt_unlock(&s->lock);
    flush(s, t);
    sched_for_each_g(s, print_g, t);
    flush(s, t);
}

void
sched_print_state(struct sched *s, bool detail)
{
    struct text t;
    uint32_t n = a32_load_acq(&s->nprocs), i, bound;
    int32_t stopwait;

    t.n = 0;
    t.s = s;
    rt_lock(&s->lock);
    add(&t, "SCHED %llums: gomaxprocs=%u idleprocs=%u threads=%u "
        "spinningthreads=%u needspinning=0 idlethreads=%u runqueue=%u",
        (unsigned long long)((sched_now(s) - s->start_ns) / 1000000), n,
        a32_load_rlx(&s->npidle), s->nm + 2,
        a32_load_rlx(&s->nspinning), s->nmidle, a32_load_rlx(&s->qsize));
    bound = s->nmbound;
    stopwait = s->stopwait;
    rt_unlock(&s->lock);
    if (detail) {
        add(&t, " gcwaiting=%s nmidlelocked=%u stopwait=%d "
            "sysmonwait=false\n",
            a32_load_rlx(&s->gcwaiting) ? "true" : "false", bound, stopwait);
        detail_lines(s, &t);
        return;
    }
    add(&t, " [");
    for (i = 0; i < n && t.n < sizeof t.buf - 32; i++)
        add(&t, "%s%u", i ? " " : "", runq_len(s->allp[i]));
    add(&t, "]\n");
    flush(s, &t);
}
