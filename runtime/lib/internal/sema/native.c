/* SPDX-License-Identifier: MIT */

/* Natives of internal/sema: the scheduler's semaphores. */

#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/compiler.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

/* func Acquire(addr *uint32, lifo bool, reason int) */
enum vm_status
lib_sema_Acquire(struct vm_thread *t, union lib_sema_Acquire_3to0 *f)
{
    bool got = sema_acquire(
        t->m, f->in.addr, f->in.lifo != 0, (enum sched_wait)f->in.reason);
    return got ? VM_OK : VM_PARK;
}

/* func AcquireIn(addr *uint32, reason int) */
enum vm_status
lib_sema_AcquireIn(struct vm_thread *t, union lib_sema_AcquireIn_2to0 *f)
{
    bool got = sema_acquire_in(
        t->m, f->in.addr, (enum sched_wait)f->in.reason);
    return got ? VM_OK : VM_PARK;
}

/* func Release(addr *uint32, handoff bool, skip int) */
enum vm_status
lib_sema_Release(struct vm_thread *t, union lib_sema_Release_3to0 *f)
{
    bool handoff = f->in.handoff != 0;
    sema_release_lock(t->m, f->in.addr, handoff, (uint32_t)f->in.skip);
    return handoff ? VM_YIELD : VM_OK;
}

/* func NotifyAdd(l *NotifyList) uint32 */
enum vm_status
lib_sema_NotifyAdd(struct vm_thread *t, union lib_sema_NotifyAdd_1to1 *f)
{
    (void)t;
    f->out.r = notify_add(f->in.l);
    return VM_OK;
}

/* func NotifyWait(l *NotifyList, ticket uint32) */
enum vm_status
lib_sema_NotifyWait(struct vm_thread *t, union lib_sema_NotifyWait_2to0 *f)
{
    bool done = notify_wait(t->m, f->in.l, (uint32_t)f->in.ticket);
    return done ? VM_OK : VM_PARK;
}

static RT_COLD enum vm_status
wakes_foreign(struct vm_thread *t)
{
    return vm_fatalf(
        t, "semaphore wake of synctest goroutine from outside bubble");
}

enum vm_status
lib_sema_NotifyAll(struct vm_thread *t, union lib_sema_NotifyAll_1to0 *f)
{
    return notify_all(t->m, f->in.l) ? VM_OK : wakes_foreign(t);
}

enum vm_status
lib_sema_NotifyOne(struct vm_thread *t, union lib_sema_NotifyOne_1to0 *f)
{
    return notify_one(t->m, f->in.l) ? VM_OK : wakes_foreign(t);
}

/* func Fatal(msg string) */
enum vm_status
lib_sema_Fatal(struct vm_thread *t, union lib_sema_Fatal_1to0 *f)
{
    struct rt_str s = f->in.msg;
    return vm_fatalf(t, "%.*s", (int)s.len, (const char *)s.ptr);
}

/*
 * func Spin(iter int) bool: waiting actively makes sense for a moment, while
 * the holder of the lock runs on another processor and nobody has asked this
 * one to stop.
 */
enum vm_status
lib_sema_Spin(struct vm_thread *t, union lib_sema_Spin_1to1 *f)
{
    bool spin = f->in.iter < 4 && sched_may_spin(t->m);

    if (spin)
        for (int i = 0; i < 30; i++)
            rt_cpu_relax();
    f->out.r = spin;
    return VM_OK;
}

/* func Nanotime() int64 */
enum vm_status
lib_sema_Nanotime(struct vm_thread *t, union lib_sema_Nanotime_0to1 *f)
{
    f->out.r = sched_now(vm_sched(t->vm));
    return VM_OK;
}
