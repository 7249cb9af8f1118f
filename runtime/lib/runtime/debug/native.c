/* SPDX-License-Identifier: MIT */

/* Natives of runtime/debug. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "gc/gc.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

/* func SetGCPercent(percent int) int */
enum vm_status
lib_debug_SetGCPercent(
    struct vm_thread *t, union lib_debug_SetGCPercent_1to1 *f)
{
    int64_t n = f->in.percent;
    int32_t p = n < 0 ? -1 : n > INT32_MAX ? INT32_MAX : (int32_t)n;
    f->out.r = gc_set_percent(vm_heap(t->vm), p);
    return VM_OK;
}

/* func SetMemoryLimit(limit int64) int64 */
enum vm_status
lib_debug_SetMemoryLimit(
    struct vm_thread *t, union lib_debug_SetMemoryLimit_1to1 *f)
{
    f->out.r = gc_set_memory_limit(vm_heap(t->vm), f->in.limit);
    return VM_OK;
}

/* func SetMaxStack(bytes int) int */
enum vm_status
lib_debug_SetMaxStack(struct vm_thread *t, union lib_debug_SetMaxStack_1to1 *f)
{
    f->out.r = vm_set_max_stack(t->vm, f->in.bytes);
    return VM_OK;
}

/* func SetPanicOnFault(enabled bool) bool */
enum vm_status
lib_debug_SetPanicOnFault(
    struct vm_thread *t, union lib_debug_SetPanicOnFault_1to1 *f)
{
    f->out.r = vm_set_panic_on_fault(t, f->in.enabled & 1);
    return VM_OK;
}

/* func setTraceback(level string); env: what the environment asks for, below
 * which it never goes. */
enum vm_status
lib_debug_setTraceback(
    struct vm_thread *t, union lib_debug_setTraceback_2to0 *f)
{
    struct rt_str s = f->in.level, env = f->in.env;
    enum vm_traceback a = vm_traceback_level(
        (const char *)s.ptr, (size_t)s.len);
    enum vm_traceback b = vm_traceback_level(
        (const char *)env.ptr, (size_t)env.len);
    vm_set_traceback(t->vm, a > b ? a : b);
    return VM_OK;
}

/* func setMaxThreads(n int) int */
enum vm_status
lib_debug_setMaxThreads(
    struct vm_thread *t, union lib_debug_setMaxThreads_1to1 *f)
{
    int64_t n = f->in.threads;
    uint32_t max = n > INT32_MAX ? INT32_MAX : n < 0 ? 0 : (uint32_t)n;
    f->out.r = sched_set_max_threads(vm_sched(t->vm), max);
    return VM_OK;
}

/* func scavenge() */
enum vm_status
lib_debug_scavenge(struct vm_thread *t, union lib_debug_scavenge_0to0 *f)
{
    (void)f;
    gc_scavenge(vm_heap(t->vm), UINT64_MAX);
    return VM_OK;
}

/* func setCrashOutput(fd int) (code int); -1: none */
enum vm_status
lib_debug_setCrashOutput(
    struct vm_thread *t, union lib_debug_setCrashOutput_1to1 *f)
{
    int64_t fd = f->in.fd;
    int copy = -1;

    f->out.code = 0;
    if (fd >= 0) {
        copy = fcntl((int)fd, F_DUPFD_CLOEXEC, 0);
        if (copy < 0) {
            f->out.code = errno;
            return VM_OK;
        }
    }
    vm_set_crash_output(t->vm, copy);
    return VM_OK;
}

enum vm_status
lib_debug_buildInfo(struct vm_thread *t, union lib_debug_buildInfo_0to1 *f)
{
    const char *s = vm_buildinfo(t->vm);

    f->out.r = vm_str(t, s, strlen(s));
    return f->out.r.ptr == NULL && *s != 0 ? VM_EXIT : VM_OK;
}
