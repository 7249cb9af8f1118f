/* SPDX-License-Identifier: MIT */

/* Natives of package weak. */

#include "gc/gc.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"

/* func handle(p unsafe.Pointer) unsafe.Pointer */
enum vm_status
lib_weak_handle(struct vm_thread *t, union lib_weak_handle_1to1 *f)
{
    void *h = gc_weak_make(t->cache, f->in.p);
    if (h == NULL)
        return vm_out_of_memory(t);
    f->out.r = h;
    return VM_OK;
}

/* func resolve(u unsafe.Pointer) unsafe.Pointer */
enum vm_status
lib_weak_resolve(struct vm_thread *t, union lib_weak_resolve_1to1 *f)
{
    f->out.r = gc_weak_get(t->cache, f->in.u);
    return VM_OK;
}
