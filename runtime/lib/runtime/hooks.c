/* SPDX-License-Identifier: MIT */

#include "runtime/lib/runtime/hooks.h"

#include <string.h>

#include "runtime/code/code.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

void
lib_hooks_init(struct lib_hooks *k, const struct vm *vm)
{
    const struct code_image *im = vm_image(vm);
    uint8_t *block = vm_globals(vm);
    struct {
        const char *name;
        void **at;
    } want[] = {
        {"runtime.finSema", (void **)&k->fin_sema},
        {"runtime.cleanupSema", (void **)&k->cleanup_sema},
        {"sync.pools", &k->pools},
    };

    for (size_t n = 0; n < sizeof want / sizeof want[0]; n++) {
        *want[n].at = NULL;
        for (uint32_t i = 0; i < im->nglobals; i++)
            if (strcmp(im->global_list[i].name, want[n].name) == 0)
                *want[n].at = block + im->global_list[i].offset;
    }
}

void
lib_finalizers_ready(const struct lib_hooks *k)
{
    struct sched_m *m = sched_m_self();

    if (m != NULL && k->fin_sema != NULL)
        sema_release(m, (a_u32 *)(void *)k->fin_sema, false);
    if (m != NULL && k->cleanup_sema != NULL)
        sema_release(m, (a_u32 *)(void *)k->cleanup_sema, false);
}
