/* SPDX-License-Identifier: MIT */
#include "trace/analyze/mmu.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

struct trace_mmu_p {
    int64_t id;
    int32_t collects; /* how many reasons it has to count as collecting */
};

struct trace_mmu_g {
    bool assists, worker, runs;
};

void
trace_mmu_init(struct trace_mmu *m, unsigned flags,
    const struct trace_file *f)
{
    memset(m, 0, sizeof *m);
    m->flags = flags;
    m->f = f;
}

void
trace_mmu_free(struct trace_mmu *m)
{
    trace_idmap_free(&m->pmap);
    trace_idmap_free(&m->gmap);
    free(m->steps);
    free(m->sums);
    free(m->ps);
    free(m->gs);
    memset(m, 0, sizeof *m);
}

/* ---- the step function */

/* Halves the number of steps: each pair becomes its mean. */
static void
merge_pairs(struct trace_mmu *m)
{
    uint64_t i, k = 0;

    for (i = 0; i + 2 < m->n; i += 2) {
        const struct trace_mmu_step *a = &m->steps[i];
        double x = (double)(a[1].ns - a->ns), y = (double)(a[2].ns - a[1].ns);

        m->steps[k++] = (struct trace_mmu_step){.ns = a->ns,
            .util = x + y > 0 ? (a->util * x + a[1].util * y) / (x + y)
                : a->util};
    }
    for (; i < m->n; i++)
        m->steps[k++] = m->steps[i];
    m->n = k;
    m->merged++;
}

static bool
step(struct trace_mmu *m, int64_t ns, double util)
{
    struct trace_mmu_step *last = m->n > 0 ? &m->steps[m->n - 1] : NULL;

    if (last != NULL && last->util == util)
        return true;
    if (last != NULL && last->ns == ns) {
        /* Of several at one time the lowest. */
        if (util < last->util)
            last->util = util;
        return true;
    }
    if (m->n >= TRACE_MMU_STEPS)
        merge_pairs(m);
    if (!trace_grow(&m->steps, &m->cap, m->n, sizeof *m->steps))
        return false;
    rt_assert(m->n == 0 || m->steps[m->n - 1].ns < ns);
    rt_assert(util >= 0 && util <= 1);
    m->steps[m->n++] = (struct trace_mmu_step){ns, util};
    return true;
}

/* ---- the pass */

static struct trace_mmu_p *
proc(struct trace_mmu *m, int64_t id)
{
    int64_t i = trace_idmap_row(&m->pmap, (uint64_t)id, &m->ps, &m->ps_cap,
        sizeof *m->ps, NULL);

    if (i < 0)
        return NULL;
    m->ps[i].id = id;
    return &m->ps[i];
}

static struct trace_mmu_g *
gor(struct trace_mmu *m, uint64_t id)
{
    int64_t i = trace_idmap_row(&m->gmap, id, &m->gs, &m->gs_cap, sizeof *m->gs,
        NULL);

    return i < 0 ? NULL : &m->gs[i];
}

static void
collects(struct trace_mmu *m, struct trace_mmu_p *p, int by)
{
    bool before = p->collects > 0;

    rt_assert(by == 1 || by == -1);
    rt_assert(before ? m->gcprocs > 0 : m->gcprocs < m->pmap.count);
    p->collects += by;
    m->gcprocs += (uint64_t)(p->collects > 0) - (uint64_t)before;
}

static bool
is_worker(const struct trace_mmu *m, uint64_t label)
{
    struct trace_text t = trace_file_string(m->f, label);

    return t.len > 3 && memcmp(t.s, "GC ", 3) == 0 &&
        !(t.len == 9 && memcmp(t.s, "GC (idle)", 9) == 0);
}

static void
on_start(struct trace_mmu *m, const struct trace_event *e,
    struct trace_mmu_p *p, struct trace_mmu_g *g)
{
    if (e->type == TRACE_EV_GO_START_LABEL &&
        (m->flags & TRACE_MMU_BACKGROUND) != 0 && is_worker(m, e->args[2])) {
        g->worker = true;
        collects(m, p, 1);
    }
    if (g->assists)
        collects(m, p, 1);
    g->runs = true;
}

static bool
on_stop(struct trace_mmu *m, struct trace_mmu_p *p, struct trace_mmu_g *g)
{
    if (!g->runs)
        return false;
    if (g->assists)
        collects(m, p, -1);
    if (g->worker)
        collects(m, p, -1);
    g->worker = false;
    g->runs = false;
    return true;
}

static bool
on_collector(struct trace_mmu *m, const struct trace_event *e,
    struct trace_mmu_p *p, struct trace_mmu_g *g)
{
    switch (e->type) {
    case TRACE_EV_STW_START:
        m->stopped += (m->flags & TRACE_MMU_STW) != 0;
        break;
    case TRACE_EV_STW_DONE:
        m->stopped -= m->stopped > 0;
        break;
    case TRACE_EV_MARK_ASSIST_START:
        if ((m->flags & TRACE_MMU_ASSIST) != 0 && !g->assists) {
            g->assists = true;
            collects(m, p, 1);
        }
        break;
    case TRACE_EV_MARK_ASSIST_DONE:
        if (g->assists) /* else it began before the trace */
            collects(m, p, -1);
        g->assists = false;
        break;
    case TRACE_EV_SWEEP_START:
        if ((m->flags & TRACE_MMU_SWEEP) != 0)
            collects(m, p, 1);
        break;
    case TRACE_EV_SWEEP_DONE:
        if ((m->flags & TRACE_MMU_SWEEP) != 0)
            collects(m, p, -1);
        break;
    default:
        return false;
    }
    return true;
}

/* Ps that are no more collect nothing.  A file may speak of many more Ps than
 * there ever was anything on. */
static void
set_procs(struct trace_mmu *m, uint64_t n)
{
    uint32_t i;

    for (i = 0; n < m->nprocs && i < m->pmap.count; i++) {
        struct trace_mmu_p *p = &m->ps[i];

        if (p->id < (int64_t)n || p->id >= (int64_t)m->nprocs)
            continue;
        m->gcprocs -= p->collects > 0;
        p->collects = 0;
    }
    m->nprocs = n;
    rt_assert_full(trace_mmu_valid(m));
}

bool
trace_mmu_valid(const struct trace_mmu *m)
{
    uint64_t i, n = 0;

    for (i = 0; i < m->pmap.count; i++)
        n += m->ps[i].collects > 0;
    if (n != m->gcprocs || m->stopped < 0 || m->n > TRACE_MMU_STEPS + 1)
        return false;
    for (i = 0; i < m->n; i++) {
        /* A mean of pairs is rounded. */
        if (!(m->steps[i].util >= 0 && m->steps[i].util < 1.000001) ||
            (i > 0 && m->steps[i].ns <= m->steps[i - 1].ns))
            return false;
    }
    return true;
}

/* True if the event can change the utilization. */
static bool
apply(struct trace_mmu *m, const struct trace_event *e, struct trace_mmu_p *p,
    struct trace_mmu_g *g)
{
    if (trace_ev_leaves(e->type))
        return on_stop(m, p, g);
    switch (e->type) {
    case TRACE_EV_GOMAXPROCS:
        set_procs(m, e->args[0] & 0xfffff);
        return true;
    case TRACE_EV_GO_START:
    case TRACE_EV_GO_START_LOCAL:
    case TRACE_EV_GO_START_LABEL:
        on_start(m, e, p, g);
        return true;
    case TRACE_EV_GO_LABEL:
        if ((m->flags & TRACE_MMU_BACKGROUND) == 0 || !g->runs ||
            g->worker == is_worker(m, e->args[0]))
            return false;
        collects(m, p, g->worker ? -1 : 1);
        g->worker = !g->worker;
        return true;
    default:
        return on_collector(m, e, p, g);
    }
}

static bool
on_event(void *arg, const struct trace_summary *s,
    const struct trace_event *e)
{
    struct trace_mmu *m = arg;
    struct trace_mmu_p *p = proc(m, e->p);
    struct trace_mmu_g *g = gor(m, e->g);
    double util;

    (void)s;
    if (p == NULL || g == NULL)
        return false;
    m->last = e->ns;
    if (!apply(m, e, p, g) || m->nprocs == 0)
        return true;
    util = m->stopped > 0 || m->gcprocs >= m->nprocs ? 0
        : 1 - (double)m->gcprocs / (double)m->nprocs;
    return step(m, e->ns, util);
}

struct trace_sink
trace_mmu_sink(struct trace_mmu *m)
{
    return (struct trace_sink){.arg = m, .event = on_event};
}

/* ---- the curve */

enum rt_status
trace_mmu_finish(struct trace_mmu *m)
{
    double sum = 0;
    uint64_t i;

    /* A last step ends the last one; its value does not matter. */
    if (m->n > 0 && m->steps[m->n - 1].ns < m->last) {
        if (!trace_grow(&m->steps, &m->cap, m->n, sizeof *m->steps))
            return RT_ENOMEM;
        m->steps[m->n++] = (struct trace_mmu_step){m->last, 0};
    }
    rt_assert_full(trace_mmu_valid(m));
    m->sums = calloc(m->n + 1, sizeof *m->sums);
    if (m->sums == NULL)
        return RT_ENOMEM;
    for (i = 1; i < m->n; i++) {
        sum += m->steps[i - 1].util *
            (double)(m->steps[i].ns - m->steps[i - 1].ns);
        m->sums[i] = sum;
    }
    return RT_OK;
}

/* The integral from the first step to t, which is in or after step *i. */
static double
integral(const struct trace_mmu *m, uint64_t *i, int64_t t)
{
    rt_assert(*i < m->n && m->steps[*i].ns <= t);
    while (*i + 1 < m->n && m->steps[*i + 1].ns <= t)
        ++*i;
    return m->sums[*i] + m->steps[*i].util * (double)(t - m->steps[*i].ns);
}

double
trace_mmu_at(const struct trace_mmu *m, int64_t window)
{
    uint64_t i, ahead = 0, behind = 0;
    int64_t first, end;
    double least = 2, u;

    if (m->n < 2)
        return -1;
    first = m->steps[0].ns;
    end = m->steps[m->n - 1].ns;
    if (window > end - first)
        window = end - first;
    if (window < 1)
        window = 1;
    for (i = 0; i < m->n; i++) {
        int64_t t = m->steps[i].ns;

        if (t + window <= end) { /* begins at the step */
            u = integral(m, &ahead, t + window) - m->sums[i];
            least = u < least * (double)window ? u / (double)window : least;
        }
        if (t - window >= first) { /* ends there */
            u = m->sums[i] - integral(m, &behind, t - window);
            least = u < least * (double)window ? u / (double)window : least;
        }
    }
    return least < 0 ? 0 : least > 1 ? 1 : least;
}

double
trace_mmu_mean(const struct trace_mmu *m)
{
    int64_t ns = m->n < 2 ? 0 : m->steps[m->n - 1].ns - m->steps[0].ns;

    return ns <= 0 ? -1 : m->sums[m->n - 1] / (double)ns;
}
