/* SPDX-License-Identifier: MIT */

/* Natives of internal/sema: the scheduler's semaphores. */

#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/compiler.h"
#include "runtime/lib/lib.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

/* func Acquire(addr *uint32, lifo bool, reason int) */
enum vm_status
lib_sema_Acquire(struct vm_thread *t, union rt_slot *fp)
{
    bool got = sema_acquire(
        t->m, fp[0].p, fp[1].u != 0, (enum sched_wait)fp[2].i);
    return got ? VM_OK : VM_PARK;
}

/* func Release(addr *uint32, handoff bool, skip int) */
enum vm_status
lib_sema_Release(struct vm_thread *t, union rt_slot *fp)
{
    bool handoff = fp[1].u != 0;
    sema_release_lock(t->m, fp[0].p, handoff, (uint32_t)fp[2].u);
    return handoff ? VM_YIELD : VM_OK;
}

/* func NotifyAdd(l *NotifyList) uint32 */
enum vm_status
lib_sema_NotifyAdd(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = notify_add(fp[0].p);
    return VM_OK;
}

/* func NotifyWait(l *NotifyList, ticket uint32) */
enum vm_status
lib_sema_NotifyWait(struct vm_thread *t, union rt_slot *fp)
{
    bool done = notify_wait(t->m, fp[0].p, (uint32_t)fp[1].u);
    return done ? VM_OK : VM_PARK;
}

enum vm_status
lib_sema_NotifyAll(struct vm_thread *t, union rt_slot *fp)
{
    notify_all(t->m, fp[0].p);
    return VM_OK;
}

enum vm_status
lib_sema_NotifyOne(struct vm_thread *t, union rt_slot *fp)
{
    notify_one(t->m, fp[0].p);
    return VM_OK;
}

/* func Fatal(msg string) */
enum vm_status
lib_sema_Fatal(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_str s = vm_arg_str(fp, 0);
    return vm_fatalf(t, "%.*s", (int)s.len, (const char *)s.ptr);
}

/*
 * func Spin(iter int) bool: waiting actively makes sense for a moment, while
 * the holder of the lock runs on another processor and nobody has asked this
 * one to stop.
 */
enum vm_status
lib_sema_Spin(struct vm_thread *t, union rt_slot *fp)
{
    bool spin = fp[0].i < 4 && sched_num_cpu() > 1 &&
        a32_load_rlx(&t->m->p->preempt) == 0;
    if (spin)
        for (int i = 0; i < 30; i++)
            rt_cpu_relax();
    fp[0].u = spin;
    return VM_OK;
}

/* func Nanotime() int64 */
enum vm_status
lib_sema_Nanotime(struct vm_thread *t, union rt_slot *fp)
{
    fp[0].u = sched_now(vm_sched(t->vm));
    return VM_OK;
}
