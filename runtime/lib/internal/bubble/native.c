/* SPDX-License-Identifier: MIT */

/* Natives of internal/bubble: the scheduler's bubbles. */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/bubble.h"
#include "sched/sched.h"

/* func open(key *uint64) bool: false if timers are as before Go 1.23, with
 * which there are no bubbles. */
enum vm_status
lib_bubble_open(struct vm_thread *t, union lib_bubble_open_1to1 *f)
{
    uint64_t *key = f->in.key;

    f->out.r = !vm_buffered_timers(t->vm);
    return !f->out.r || bubble_open(t->m, key)
        ? VM_OK : vm_out_of_memory(t);
}

/* func leave() */
enum vm_status
lib_bubble_leave(struct vm_thread *t, union lib_bubble_leave_0to0 *f)
{
    (void)f;
    bubble_leave(t->m);
    return VM_OK;
}

/* func step() bool */
enum vm_status
lib_bubble_step(struct vm_thread *t, union lib_bubble_step_0to1 *f)
{
    f->out.r = bubble_step(t->m);
    return VM_OK;
}

/* func idle() */
enum vm_status
lib_bubble_idle(struct vm_thread *t, union lib_bubble_idle_0to0 *f)
{
    (void)f;
    bubble_idle(t->m);
    return VM_PARK;
}

/* func stuck() int */
enum vm_status
lib_bubble_stuck(struct vm_thread *t, union lib_bubble_stuck_0to1 *f)
{
    f->out.r = (int64_t)bubble_stuck(t->m);
    return VM_OK;
}

/* func wait() bool */
enum vm_status
lib_bubble_wait(struct vm_thread *t, union lib_bubble_wait_0to1 *f)
{
    /* Once it is parked the frame is not this thread's any more. */
    f->out.r = true;
    if (bubble_wait(t->m))
        return VM_PARK;
    f->out.r = false;
    return VM_OK;
}

/* func waited() */
enum vm_status
lib_bubble_waited(struct vm_thread *t, union lib_bubble_waited_0to0 *f)
{
    (void)f;
    bubble_waited(t->m);
    return VM_OK;
}

/* func IsIn() bool */
enum vm_status
lib_bubble_IsIn(struct vm_thread *t, union lib_bubble_IsIn_0to1 *f)
{
    f->out.r = bubble_of(t->m) != NULL;
    return VM_OK;
}

/* func Hold() uintptr */
enum vm_status
lib_bubble_Hold(struct vm_thread *t, union lib_bubble_Hold_0to1 *f)
{
    f->out.r = (uintptr_t)bubble_acquire(t->m);
    return VM_OK;
}

/* func Drop(b uintptr) */
enum vm_status
lib_bubble_Drop(struct vm_thread *t, union lib_bubble_Drop_1to0 *f)
{
    bubble_release(t->m, (struct sched_bubble *)(uintptr_t)f->in.b);
    return VM_OK;
}

/* func enter(b uintptr) */
enum vm_status
lib_bubble_enter(struct vm_thread *t, union lib_bubble_enter_1to0 *f)
{
    bubble_enter(t->m, (struct sched_bubble *)(uintptr_t)f->in.b);
    return VM_OK;
}

/* func exit() */
enum vm_status
lib_bubble_exit(struct vm_thread *t, union lib_bubble_exit_0to0 *f)
{
    (void)f;
    bubble_exit(t->m);
    return VM_OK;
}
