/* SPDX-License-Identifier: MIT */

/* What the heap counts, for runtime/metrics. */

#include "gc/gc.h"
#include "gc/sizeclass.h"
#include "runtime/base/throw.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

_Static_assert(GC_NCLASS == 68, "classes in read.go");

/* func heapCounts(sizes []uint32, allocs, frees []uint64) (tiny uint64) */
enum vm_status
lib_tree_metrics_heapCounts(
    struct vm_thread *t, union lib_tree_metrics_heapCounts_3to1 *f)
{
    uint32_t *sizes = f->in.sizes.ptr;
    uint64_t *allocs = f->in.allocs.ptr, *frees = f->in.frees.ptr, sum = 0;
    struct gc_memstats s;

    rt_assert(f->in.sizes.len == GC_NCLASS && f->in.allocs.len == GC_NCLASS &&
        f->in.frees.len == GC_NCLASS);
    sched_stop_world(t->m, STW_READ_MEMSTATS);
    gc_read_memstats(vm_heap(t->vm), &s);
    sched_start_world(t->m);
    for (unsigned i = 0; i < GC_NCLASS; i++) {
        sizes[i] = s.by_size[i].size;
        allocs[i] = s.by_size[i].mallocs;
        frees[i] = s.by_size[i].frees;
        sum += allocs[i];
    }
    f->out.tiny = s.mallocs - sum;
    return VM_OK;
}

/* func gcPercent() int */
enum vm_status
lib_tree_metrics_gcPercent(
    struct vm_thread *t, union lib_tree_metrics_gcPercent_0to1 *f)
{
    f->out.r = gc_percent(vm_heap(t->vm));
    return VM_OK;
}

/* func gcMarked() uint64 */
enum vm_status
lib_tree_metrics_gcMarked(
    struct vm_thread *t, union lib_tree_metrics_gcMarked_0to1 *f)
{
    f->out.r = gc_heap_marked(vm_heap(t->vm));
    return VM_OK;
}
