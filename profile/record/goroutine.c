/* SPDX-License-Identifier: MIT */
#include "profile/record/goroutine.h"

#include <sched.h>
#include <stdlib.h>

#include "profile/record/profile.h"
#include "runtime/base/compiler.h"
#include "runtime/base/throw.h"

static uint32_t
word(uint32_t gen, enum prof_gseen s)
{
    return gen << 2 | s;
}

/* ---- the set of records ------------------------------------------------------ */

/* Each of up to so many records is compared with all others. */
enum { COMPARED = 256 };

bool
prof_gset_valid(const struct prof_gset *s)
{
    if (s->n > s->want)
        return false;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct prof_grecord *r = &s->v[i];

        if (r->id == 0 || r->stk == NULL || r->nstk == 0 ||
            r->nstk > PROF_STACK_MAX)
            return false;
        for (uint32_t k = 0; k < i && i < COMPARED; k++)
            if (s->v[k].id == r->id)
                return false;
    }
    return true;
}

void
prof_gset_free(struct prof_gset *s)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < s->n; i++)
        prof_labels_unref(s->v[i].labels);
    prof_stacks_free(&s->stacks);
    free(s->v);
    free(s);
}

static struct prof_gset *
set_new(uint32_t room)
{
    struct prof_gset *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NULL;
    s->v = malloc((size_t)room * sizeof *s->v);
    if (s->v == NULL) {
        free(s);
        return NULL;
    }
    return s;
}

/* Adds g, whose stack stands still. */
static void
record(struct prof *p, struct prof_g *g, const struct prof_ginfo *info)
{
    struct prof_gor *gor = &p->gor;
    vpc pcs[PROF_STACK_MAX];
    const vpc *stk;
    uint32_t n = p->host->walk_g(p->ctx, g, pcs, PROF_STACK_MAX);

    rt_assert(n <= PROF_STACK_MAX);
    if (n == 0) /* it has not begun, or is about to end */
        pcs[n++] = prof_pc_mark(PROF_MARK_GOEXIT);
    rt_lock(&gor->lock);
    struct prof_gset *s = gor->set;
    stk = s->n < gor->room ? prof_stacks_keep(&s->stacks, pcs, n) : NULL;
    if (stk != NULL) {
        s->v[s->n++] = (struct prof_grecord){ info->id, info->parent,
            info->created_at, info->state, info->waiting_ns, stk, n,
            prof_labels_ref(g->labels) };
    }
    rt_unlock(&gor->lock);
}

/* ---- each goroutine, once ------------------------------------------------------ */

/* Sees to it that g is in the profile if it belongs there. */
static void
satisfy(struct prof *p, struct prof_g *g)
{
    uint32_t gen = p->gor.gen;

    for (;;) {
        /* acq: pairs with the rel below: the stack may change from there. */
        uint32_t s = a32_load_acq(&g->seen);
        struct prof_ginfo info;

        if (s == word(gen, PROF_G_SATISFIED))
            return;
        if (s == word(gen, PROF_G_PROGRESS)) {
            sched_yield(); /* another thread is at it: microseconds */
            continue;
        }
        /* full: one thread records it; pairs with itself */
        if (!a32_cas_full(&g->seen, s, word(gen, PROF_G_PROGRESS)))
            continue;
        p->host->g_info(p->ctx, g, &info);
        if (info.alive && !info.system)
            record(p, g, &info);
        a32_store_rel(&g->seen, word(gen, PROF_G_SATISFIED));
        return;
    }
}

void
prof_g_before_run_slow(struct prof *p, struct prof_g *g)
{
    if (a32_load_acq(&p->gor.active) & PROF_GOR_PROFILE)
        satisfy(p, g);
    /* full: Note [pin] in wall.c */
    while (a32_add_full(&g->pin, 0) != 0)
        sched_yield();
}

void
prof_g_born_slow(struct prof_gor *gor, struct prof_g *g)
{
    if (a32_load_acq(&gor->active) & PROF_GOR_PROFILE)
        a32_store_rel(&g->seen, word(gor->gen, PROF_G_SATISFIED));
}

/* ---- the profile ------------------------------------------------------------------ */

/* World stopped.  A generation in which nobody has been seen: the numbers
 * begin anew after 2^30 profiles, far from those that goroutines may have. */
static void
goroutine_begin(struct prof *p, struct prof_gset *s, uint32_t room)
{
    struct prof_gor *gor = &p->gor;
    struct prof_g *me = p->host->self(p->ctx), *fin;
    struct prof_ginfo info;

    rt_assert(gor->set == NULL && !(a32_load_rlx(&gor->active) &
        PROF_GOR_PROFILE));
    gor->gen = gor->gen + 1 < (uint32_t)1 << 30 ? gor->gen + 1 : 1;
    gor->set = s;
    gor->room = room;
    if (me != NULL)
        satisfy(p, me);
    /* It changes between system and user: decided here. */
    fin = p->host->finalizer_g(p->ctx);
    if (fin != NULL && fin != me) {
        p->host->g_info(p->ctx, fin, &info);
        if (info.alive && !info.system)
            record(p, fin, &info);
        a32_store_rel(&fin->seen, word(gor->gen, PROF_G_SATISFIED));
    }
}

static void
visit(void *arg, struct prof_g *g)
{
    satisfy(arg, g);
}

static void
set_active(struct prof_gor *gor, uint32_t bit, bool on)
{
    uint32_t v = a32_load_rlx(&gor->active);

    a32_store_rel(&gor->active, on ? v | bit : v & ~bit);
}

/* One attempt with room for so many; the number of goroutines that there
 * are.  ctl held. */
static uint32_t
goroutine_take(struct prof *p, struct prof_gset *s, uint32_t room, bool stopped)
{
    const struct prof_host *h = p->host;
    uint32_t n;

    rt_assert_held(&p->gor.ctl);
    h->stop_world(p->ctx);
    n = h->count_g(p->ctx);
    if (n > room) {
        h->start_world(p->ctx);
        return n;
    }
    s->want = n;
    goroutine_begin(p, s, room);
    if (!stopped) {
        set_active(&p->gor, PROF_GOR_PROFILE, true);
        h->start_world(p->ctx);
    }
    h->each_g(p->ctx, visit, p);
    if (!stopped) {
        h->stop_world(p->ctx);
        set_active(&p->gor, PROF_GOR_PROFILE, false);
    }
    h->start_world(p->ctx);
    p->gor.set = NULL;
    rt_assert_full(prof_gset_valid(s));
    return n;
}

static enum rt_status
run(struct prof *p, uint32_t room, uint32_t *n, struct prof_gset **out,
    bool stopped)
{
    enum { SLACK = 64 };
    struct prof_gset *s = NULL;
    enum rt_status st = RT_OK;

    *out = NULL;
    *n = 0;
    /* Without a P: nobody who stops the world waits for this thread. */
    p->host->wait_enter(p->ctx);
    rt_lock(&p->gor.ctl);
    for (uint32_t want = p->host->count_g(p->ctx);; want = *n) {
        if (want > room - (room > SLACK ? SLACK : room))
            want = room;
        else
            want += SLACK;
        s = set_new(want);
        if (s == NULL) {
            st = RT_ENOMEM;
            break;
        }
        *n = goroutine_take(p, s, want, stopped);
        if (*n <= want || *n > room)
            break;
        prof_gset_free(s);
    }
    rt_unlock(&p->gor.ctl);
    p->host->wait_leave(p->ctx);
    if (st == RT_OK && *n <= room)
        *out = s;
    else
        prof_gset_free(s);
    return st;
}

enum rt_status
prof_goroutines(
    struct prof *p, uint32_t room, uint32_t *n, struct prof_gset **out)
{
    return run(p, room, n, out, false);
}

enum rt_status
prof_goroutines_stopped(
    struct prof *p, uint32_t room, uint32_t *n, struct prof_gset **out)
{
    return run(p, room, n, out, true);
}

/* ---- leaks ------------------------------------------------------------------------- */

static void
record_leaked(void *arg, struct prof_g *g)
{
    struct prof *p = arg;
    struct prof_ginfo info;

    p->host->g_info(p->ctx, g, &info);
    record(p, g, &info);
}

enum rt_status
prof_goroutines_leaked(
    struct prof *p, uint32_t *n, struct prof_gset **out)
{
    const struct prof_host *h = p->host;
    struct prof_gset *s = NULL;
    bool ok = false;

    *out = NULL;
    *n = 0;
    if (h->leaked == NULL)
        return RT_ESTATE;
    h->wait_enter(p->ctx);
    rt_lock(&p->gor.ctl);
    h->stop_world(p->ctx);
    p->gor.room = h->count_g(p->ctx);
    s = p->gor.set = set_new(p->gor.room + 1);
    if (s != NULL)
        ok = h->leaked(p->ctx, record_leaked, p);
    p->gor.set = NULL;
    h->start_world(p->ctx);
    rt_unlock(&p->gor.ctl);
    h->wait_leave(p->ctx);
    if (!ok) {
        prof_gset_free(s);
        return RT_ENOMEM;
    }
    *n = s->want = s->n;
    rt_assert_full(prof_gset_valid(s));
    a32_store_rlx(&p->gor.nleaked, s->n);
    *out = s;
    return RT_OK;
}
