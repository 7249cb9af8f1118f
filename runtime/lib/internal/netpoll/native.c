/* SPDX-License-Identifier: MIT */

/* Natives of internal/netpoll: the scheduler's netpoller. */

#include "sched/netpoll.h"

#include <stdint.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

static struct poll_desc *
desc_of(uint64_t d)
{
    return (struct poll_desc *)(uintptr_t)d;
}

/* 'r', 'w' or their sum. */
static unsigned
modes_of(int64_t mode)
{
    return mode == 'r' ? POLL_READ
        : mode == 'w' ? POLL_WRITE
        : POLL_READ | POLL_WRITE;
}

static enum poll_mode
mode_of(int64_t mode)
{
    return mode == 'r' ? POLL_READ : POLL_WRITE;
}

/* func open(fd int) (d Desc, errno int, alone bool) */
enum vm_status
lib_netpoll_open(struct vm_thread *t, union lib_netpoll_open_1to3 *f)
{
    struct sched *s = vm_sched(t->vm);
    bool first = netpoll_events_fd(s) < 0;
    struct poll_desc *d = NULL;
    int err = netpoll_open(t->m, (int)f->in.fd, &d);

    f->out.d = (uint64_t)(uintptr_t)d;
    f->out.errno_ = err;
    f->out.alone =
        first && sched_by_seed(s) && netpoll_events_fd(s) >= 0;
    return VM_OK;
}

/* func Close(d Desc) */
enum vm_status
lib_netpoll_Close(struct vm_thread *t, union lib_netpoll_Close_1to0 *f)
{
    netpoll_close(t->m, desc_of(f->in.d));
    return VM_OK;
}

/* func Reset(d Desc, mode int) int */
enum vm_status
lib_netpoll_Reset(struct vm_thread *t, union lib_netpoll_Reset_2to1 *f)
{
    f->out.r = netpoll_reset(t->m, desc_of(f->in.d), mode_of(f->in.mode));
    return VM_OK;
}

/* func wait(d Desc, mode int, canceled bool) int */
enum vm_status
lib_netpoll_wait(struct vm_thread *t, union lib_netpoll_wait_3to1 *f)
{
    struct poll_desc *d = desc_of(f->in.d);
    enum poll_mode mode = mode_of(f->in.mode);
    bool canceled = f->in.canceled != 0;
    enum poll_status status;

    /* Once it is parked the goroutine may run elsewhere. */
    f->out.r = POLL_AGAIN;
    if (netpoll_wait(t->m, d, mode, canceled, &status))
        return VM_PARK;
    f->out.r = status;
    return VM_OK;
}

/* func SetDeadline(d Desc, ns int64, mode int) */
enum vm_status
lib_netpoll_SetDeadline(
    struct vm_thread *t, union lib_netpoll_SetDeadline_3to0 *f)
{
    netpoll_set_deadline(
        t->m, desc_of(f->in.d), f->in.ns, modes_of(f->in.mode));
    return VM_OK;
}

/* func Unblock(d Desc) */
enum vm_status
lib_netpoll_Unblock(struct vm_thread *t, union lib_netpoll_Unblock_1to0 *f)
{
    netpoll_unblock(t->m, desc_of(f->in.d));
    return VM_OK;
}

/* func IsOwn(fd uintptr) bool */
enum vm_status
lib_netpoll_IsOwn(struct vm_thread *t, union lib_netpoll_IsOwn_1to1 *f)
{
    f->out.r = netpoll_is_own(vm_sched(t->vm), (int)f->in.fd);
    return VM_OK;
}

/* func eventsFD() int */
enum vm_status
lib_netpoll_eventsFD(struct vm_thread *t, union lib_netpoll_eventsFD_0to1 *f)
{
    f->out.r = netpoll_events_fd(vm_sched(t->vm));
    return VM_OK;
}

/* func events(fd int), which comes here when there are some: points.c */
enum vm_status
lib_netpoll_events(struct vm_thread *t, union lib_netpoll_events_1to0 *f)
{
    (void)f->in.fd;
    netpoll_events(t->m);
    return VM_OK;
}

/* func BySeed() bool */
enum vm_status
lib_netpoll_BySeed(struct vm_thread *t, union lib_netpoll_BySeed_0to1 *f)
{
    f->out.r = sched_by_seed(vm_sched(t->vm));
    return VM_OK;
}
