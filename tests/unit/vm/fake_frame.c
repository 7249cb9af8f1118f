/* SPDX-License-Identifier: MIT */
#include "runtime/vm/vm_int.h"

union rt_slot *fake_entry_frame(struct sched_g *g);

union rt_slot *
fake_entry_frame(struct sched_g *g)
{
    return g->vg->stack + 2;
}
