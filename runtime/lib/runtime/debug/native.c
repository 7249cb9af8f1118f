/* SPDX-License-Identifier: MIT */

/* Natives of runtime/debug. */

#include "gc/gc.h"
#include "runtime/lib/lib.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

/* func SetGCPercent(percent int) int */
enum vm_status
lib_debug_SetGCPercent(struct vm_thread *t, union rt_slot *fp)
{
    int64_t n = fp[0].i;
    int32_t p = n < 0 ? -1 : n > INT32_MAX ? INT32_MAX : (int32_t)n;
    fp[0].i = gc_set_percent(vm_heap(t->vm), p);
    return VM_OK;
}

/* func SetMemoryLimit(limit int64) int64 */
enum vm_status
lib_debug_SetMemoryLimit(struct vm_thread *t, union rt_slot *fp)
{
    fp[0].i = gc_set_memory_limit(vm_heap(t->vm), fp[0].i);
    return VM_OK;
}

/* func SetMaxStack(bytes int) int */
enum vm_status
lib_debug_SetMaxStack(struct vm_thread *t, union rt_slot *fp)
{
    fp[0].u = vm_set_max_stack(t->vm, fp[0].u);
    return VM_OK;
}

/* func SetPanicOnFault(enabled bool) bool */
enum vm_status
lib_debug_SetPanicOnFault(struct vm_thread *t, union rt_slot *fp)
{
    fp[0].u = vm_set_panic_on_fault(t, fp[0].u & 1);
    return VM_OK;
}

/* func setTraceback(level string); env: what the environment asks for, below
 * which it never goes. */
enum vm_status
lib_debug_setTraceback(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_str s = vm_arg_str(fp, 0), env = vm_arg_str(fp, 2);
    enum vm_traceback a = vm_traceback_level(
        (const char *)s.ptr, (size_t)s.len);
    enum vm_traceback b = vm_traceback_level(
        (const char *)env.ptr, (size_t)env.len);
    vm_set_traceback(t->vm, a > b ? a : b);
    return VM_OK;
}

/* func setMaxThreads(n int) int */
enum vm_status
lib_debug_setMaxThreads(struct vm_thread *t, union rt_slot *fp)
{
    int64_t n = fp[0].i;
    uint32_t max = n > INT32_MAX ? INT32_MAX : n < 0 ? 0 : (uint32_t)n;
    fp[0].u = sched_set_max_threads(vm_sched(t->vm), max);
    return VM_OK;
}

/* func scavenge() */
enum vm_status
lib_debug_scavenge(struct vm_thread *t, union rt_slot *fp)
{
    (void)fp;
    gc_scavenge(vm_heap(t->vm), UINT64_MAX);
    return VM_OK;
}
