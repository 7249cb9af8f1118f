/* SPDX-License-Identifier: MIT */
/*
 * The ring.  Signal handlers of any number of threads put records in, one
 * thread takes them out.  A handler reserves its words by moving head, fills
 * them, and stores the first one last: it is 0 until then.  The reader stops
 * at a 0, and clears every word that it has read before it moves tail, so
 * that the next record there begins with a 0 again.
 *     tail <= head <= tail + RING_WORDS
 *
 * Idea: Go's profbuf.go; there a lock serialises the writers.
 */
#include "profile/record/cpu.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "profile/record/profile.h"
#include "profile/record/sum.h"
#include "runtime/base/throw.h"
#include "trace/record/trace.h"

enum { RING_WORDS = 1 << 15, DRAIN_MS = 40 };

/* Words of a record. */
enum { W_LEN, W_WHEN, W_GOID, W_P, W_LABELS, W_STACK };

struct prof_cpu_ring {
    _Alignas(64) a_u64 head;
    a_u64 lost;
    _Alignas(64) a_u64 tail;
    a_u64 w[RING_WORDS];
};

/* ---- writing ----------------------------------------------------------------- */

static a_u64 *
at(struct prof_cpu_ring *r, uint64_t pos)
{
    return &r->w[pos & (RING_WORDS - 1)];
}

/* Room for len words; false: full. */
static bool
reserve(struct prof_cpu_ring *r, uint64_t len, uint64_t *pos)
{
    do {
        *pos = a64_load_rlx(&r->head);
        /* acq: pairs with the rel in drain(): the words are clear. */
        if (*pos + len > a64_load_acq(&r->tail) + RING_WORDS)
            return false;
    } while (!a64_cas_acq(&r->head, *pos, *pos + len));
    return true;
}

static void
sample(struct prof *p, struct prof_cpu_ring *r, const void *ucontext)
{
    vpc stk[PROF_STACK_MAX];
    struct prof_where w = { NULL, 0, -1, 0 };
    uint64_t pos;

    p->host->interrupted(p->ctx, ucontext, stk, PROF_STACK_MAX, &w);
    if (!reserve(r, W_STACK + w.n, &pos)) {
        a64_add_rlx(&r->lost, 1);
        return;
    }
    a64_store_rlx(at(r, pos + W_WHEN), rt_ticks(p->clock));
    a64_store_rlx(at(r, pos + W_GOID), w.goid);
    a64_store_rlx(at(r, pos + W_P), (uint64_t)(int64_t)w.p);
    a64_store_rlx(at(r, pos + W_LABELS),
        (uintptr_t)prof_labels_ref(w.labels));
    for (uint32_t i = 0; i < w.n; i++)
        a64_store_rlx(at(r, pos + W_STACK + i), stk[i]);
    /* rel: the record is complete; pairs with drain(). */
    a64_store_rel(at(r, pos + W_LEN), W_STACK + w.n);
}

void
prof_cpu_signal(struct prof *p, const void *ucontext)
{
    struct prof_cpu *c = &p->cpu;
    struct prof_cpu_ring *r;

    /* full: pairs with prof_cpu_stop(), which clears `on` and then looks at
     * `busy`. */
    a32_add_full(&c->busy, 1);
    r = aptr_load_acq(&c->ring);
    if (a32_load_acq(&c->on) != 0 && r != NULL)
        sample(p, r, ucontext);
    a32_add_full(&c->busy, UINT32_MAX);
}

/* ---- reading ------------------------------------------------------------------- */

static void
deliver(struct prof *p, struct prof_cpu_ring *r, uint64_t pos, uint32_t n)
{
    vpc stk[PROF_STACK_MAX];
    struct prof_labels *l =
        (struct prof_labels *)(uintptr_t)a64_load_rlx(at(r, pos + W_LABELS));

    for (uint32_t i = 0; i < n; i++)
        stk[i] = a64_load_rlx(at(r, pos + W_STACK + i));
    if (p->trace != NULL && trace_on(p->trace))
        trace_cpu_sample(p->trace, a64_load_rlx(at(r, pos + W_WHEN)),
            (int32_t)a64_load_rlx(at(r, pos + W_P)),
            a64_load_rlx(at(r, pos + W_GOID)), stk, n);
    prof_sum_add(p->cpu.sum, stk, n, l, NULL, 1);
    prof_labels_unref(l);
}

static void
drain(struct prof *p)
{
    struct prof_cpu_ring *r = aptr_load_acq(&p->cpu.ring);
    uint64_t pos = a64_load_rlx(&r->tail), len;

    /* acq: pairs with sample() */
    while (pos != a64_load_acq(&r->head) &&
        (len = a64_load_acq(at(r, pos))) != 0) {
        deliver(p, r, pos, (uint32_t)(len - W_STACK));
        for (uint64_t i = 0; i < len; i++)
            a64_store_rlx(at(r, pos + i), 0);
        pos += len;
        a64_store_rel(&r->tail, pos); /* rel: pairs with reserve() */
    }
}

static void
drainer(void *arg)
{
    struct prof *p = arg;

    while (!rt_note_tsleep(&p->cpu.stop, DRAIN_MS * 1000000LL))
        drain(p);
}

/* ---- start and stop --------------------------------------------------------------- */

static bool
make_ring(struct prof_cpu *c)
{
    struct prof_cpu_ring *r = NULL;

    if (aptr_load_rlx(&c->ring) != NULL)
        return true;
    if (posix_memalign((void **)&r, 64, sizeof *r) != 0)
        return false;
    memset(r, 0, sizeof *r);
    aptr_store_rel(&c->ring, r); /* rel: pairs with prof_cpu_signal() */
    return true;
}

static void
end_drainer(struct prof_cpu *c)
{
    rt_note_wakeup(&c->stop);
    rt_thread_join(&c->drainer);
}

static enum rt_status
start_locked(struct prof *p, uint32_t hz, struct rt_err *e)
{
    struct prof_cpu *c = &p->cpu;
    enum rt_status st;

    if (c->running)
        return rt_errf(
            e, RT_ESTATE, UINT64_MAX, "cpu profiling already in use");
    c->sum = prof_sum_new();
    if (c->sum == NULL || !make_ring(c)) {
        prof_sum_free(c->sum);
        c->sum = NULL;
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    c->hz = hz;
    c->start_wall = rt_walltime();
    c->start_mono = rt_nanotime();
    rt_note_clear(&c->stop);
    st = rt_thread_start(&c->drainer, drainer, p, 0, "vole-cpuprof", e);
    if (st == RT_OK) {
        a32_store_full(&c->on, 1);
        st = p->host->cpu_timers(p->ctx, hz, e);
        if (st == RT_OK) {
            c->running = true;
            return RT_OK;
        }
        a32_store_full(&c->on, 0);
        end_drainer(c);
    }
    prof_sum_free(c->sum);
    c->sum = NULL;
    return st;
}

enum rt_status
prof_cpu_start(struct prof *p, uint32_t hz, struct rt_err *e)
{
    enum rt_status st;

    if (hz == 0)
        hz = PROF_CPU_HZ;
    if (hz > PROF_CPU_MAX_HZ)
        hz = PROF_CPU_MAX_HZ;
    p->host->wait_enter(p->ctx);
    rt_lock(&p->cpu.ctl);
    st = start_locked(p, hz, e);
    rt_unlock(&p->cpu.ctl);
    p->host->wait_leave(p->ctx);
    return st;
}

/* No more samples; all of them have been summed up. */
static void
quiesce(struct prof *p)
{
    struct prof_cpu *c = &p->cpu;

    p->host->cpu_timers(p->ctx, 0, NULL);
    a32_store_full(&c->on, 0); /* full: pairs with prof_cpu_signal() */
    while (a32_load_acq(&c->busy) != 0)
        sched_yield();
    end_drainer(c);
    drain(p);
    c->running = false;
}

static enum rt_status
finish(struct prof *p, struct prof_cpu_profile **out, struct rt_err *e)
{
    struct prof_cpu *c = &p->cpu;
    struct prof_cpu_ring *r = aptr_load_rlx(&c->ring);
    struct prof_cpu_sum *s = c->sum;
    struct prof_cpu_profile *f = calloc(1, sizeof *f);
    vpc lost = prof_pc_mark(PROF_MARK_LOST);

    c->sum = NULL;
    uint64_t n = s->lost + a64_load_rlx(&r->lost);
    a64_store_rlx(&r->lost, 0);
    uint64_t samples = s->total;
    if (n > 0)
        prof_sum_add(s, &lost, 1, NULL, NULL, n);
    if (f != NULL)
        f->v = malloc((s->n + 1) * sizeof *f->v);
    if (f == NULL || f->v == NULL) {
        free(f);
        prof_sum_free(s);
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    for (uint32_t i = 0; i < s->n; i++)
        f->v[f->n++] = (struct prof_cpu_record){ s->rows[i].stk,
            s->rows[i].nstk, s->rows[i].labels, s->rows[i].count };
    f->samples = samples;
    f->lost = n;
    f->period_ns = 1000000000 / c->hz;
    f->start_wall = c->start_wall;
    f->duration_ns = rt_nanotime() - c->start_mono;
    f->sum = s;
    *out = f;
    return RT_OK;
}

enum rt_status
prof_cpu_stop(struct prof *p, struct prof_cpu_profile **out,
    struct rt_err *e)
{
    enum rt_status st;

    *out = NULL;
    p->host->wait_enter(p->ctx);
    rt_lock(&p->cpu.ctl);
    if (!p->cpu.running) {
        st = rt_errf(e, RT_ESTATE, UINT64_MAX, "no cpu profile is on");
    } else {
        quiesce(p);
        st = finish(p, out, e);
    }
    rt_unlock(&p->cpu.ctl);
    p->host->wait_leave(p->ctx);
    return st;
}

void
prof_cpu_profile_free(struct prof_cpu_profile *f)
{
    if (f == NULL)
        return;
    prof_sum_free(f->sum);
    free(f->v);
    free(f);
}

void
prof_cpu_init(struct prof_cpu *c)
{
    memset(c, 0, sizeof *c);
    rt_lock_init(&c->ctl, RANK_PROF_CTL);
}

void
prof_cpu_fini(struct prof *p)
{
    struct prof_cpu *c = &p->cpu;

    if (c->running) {
        quiesce(p);
        prof_sum_free(c->sum);
    }
    free(aptr_load_rlx(&c->ring));
}
