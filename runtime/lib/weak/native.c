/* SPDX-License-Identifier: MIT */

/* Natives of package weak. */

#include "gc/gc.h"
#include "runtime/lib/lib.h"
#include "runtime/vm/native.h"

/* func handle(p unsafe.Pointer) unsafe.Pointer */
enum vm_status
lib_weak_handle(struct vm_thread *t, union rt_slot *fp)
{
    void *h = gc_weak_make(t->cache, fp[0].p);
    if (h == NULL)
        return vm_fatalf(t, "runtime: out of memory");
    fp[0].p = h;
    return VM_OK;
}

/* func resolve(u unsafe.Pointer) unsafe.Pointer */
enum vm_status
lib_weak_resolve(struct vm_thread *t, union rt_slot *fp)
{
    fp[0].p = gc_weak_get(t->cache, fp[0].p);
    return VM_OK;
}
