/* SPDX-License-Identifier: MIT */

/* What the scheduler calls: the VM's side of struct sched_host. */

#include <stdlib.h>

#include "runtime/base/clock.h"
#include "runtime/vm/vm_int.h"

/* t goes on with g, whose state is running. */
static inline void
begin(struct vm_thread *t, struct sched_g *g)
{
    struct vm_g *vg = g->vg;

    rt_assert(vg != NULL && vg->g == g && t->m->g == g);
    rt_assert_full(vm_frame_fits(t->vm, vg, vg->fp, vg->pc));
    t->g = g;
    t->race = g->race;
    vm_sync(t); /* whoever parks may have come back with another P before */
    vg->exact = false;
}

bool
vm_next(struct vm_thread *t)
{
    struct sched_g *g = sched_next(t->m);

    if (g == NULL)
        return false;
    begin(t, g);
    return true;
}

static enum sched_run
run_g(void *host, struct sched_m *m, struct sched_g *g)
{
    (void)host;
    struct vm_thread *t = m->vt;
    struct vm_g *vg = g->vg;

    rt_assert(m->p != NULL && t->m == m);
    begin(t, g);
    if (rt_unlikely(g->wake_panic)) {
        /* The channel was closed while it waited to send: it panics at the
         * send, which lies before the saved pc. */
        g->wake_panic = false;
        enum vm_status st = vm_panic_plain(t, "send on closed channel");
        int act = vm_after(t, vg->fp, vg->pc - 1, st);
        if (act != VM_GO_ON)
            return (enum sched_run)act;
    }
    int act;
    do {
        if (t->vm->tables.points != NULL)
            act = vm_interp_points(t);
        else
            act = t->vm->race == NULL ? vm_interp(t) : vm_interp_race(t);
        if (rt_unlikely(act == VM_FAULTED))
            act = vm_fault_end(t);
        if (act == SCHED_RUN_PARKED && vm_next(t))
            act = VM_GO_ON;
    } while (act == VM_GO_ON);
    return (enum sched_run)act;
}

static bool
m_init(void *host, struct sched_m *m)
{
    struct vm_m *vt = calloc(1, sizeof *vt);

    if (vt == NULL) {
        vm_no_memory(host);
        return false;
    }
    vt->t.vm = host;
    rt_assert(m->vt == NULL);
    vt->t.m = m;
    vt->heat = VM_HEAT;
    rt_rand_init(&vt->rand, sched_entropy(m->sched));
    m->vt = &vt->t;
    return true;
}

static void
m_free(void *host, struct sched_m *m)
{
    struct vm *vm = host;
    struct vm_m *vt = (struct vm_m *)m->vt;

    if (vt == NULL)
        return;
    rt_lock(&vm->lock);
    while (vt->free != NULL) {
        struct vm_g *vg = vt->free;
        rt_assert(vg->g == NULL);
        vt->free = vg->link;
        vg->link = vm->free;
        vm->free = vg;
    }
    rt_unlock(&vm->lock);
    m->vt = NULL;
    free(vt);
}

static void
mark_g(void *host, struct sched_g *g, struct gc_marker *mk)
{
    vm_mark_g(host, g, mk);
}

static bool
private_to(void *host, const struct sched_g *g, const void *p)
{
    (void)host;
    return vm_private_to(g, p);
}

const struct sched_host vm_sched_host = {
    .run_g = run_g,
    .g_init = vm_g_init,
    .g_free = vm_g_free,
    .poison_g = vm_g_poison,
    .walk_g = vm_walk_host,
    .fatal = vm_fatal,
    .m_init = m_init,
    .m_free = m_free,
    .mark_g = mark_g,
    .mark_globals = vm_mark_globals,
    .private_to = private_to,
};
