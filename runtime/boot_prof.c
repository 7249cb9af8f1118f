/* SPDX-License-Identifier: MIT */
/*
 * The profiler's host table.
 */
#include "runtime/boot_int.h"

#include "runtime/vm/vm.h"
#include "sched/sched.h"

static uint32_t
walk_self(void *ctx, vpc *pcs, uint32_t max)
{
    struct vole *v = ctx;
    struct sched_m *m = sched_m_self();

    if (m == NULL || m->g == NULL)
        return 0;
    return vm_walk(v->vm, m->g, 0, pcs, max);
}

const struct prof_host boot_prof_host = {
    .walk_self = walk_self,
};
