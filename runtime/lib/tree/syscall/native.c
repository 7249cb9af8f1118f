/* SPDX-License-Identifier: MIT */

/* System calls by number. */

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gc/gc.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

/*
 * Whether the call is not made by a seed.  How much splice() moves depends on how
 * the kernel has cut the bytes of a socket into pieces, which is no matter of
 * the program's; who is told that it cannot be done copies them itself.
 */
static bool
is_refused(const struct vm_thread *t, uint64_t trap)
{
    return trap == SYS_splice && sched_by_seed(vm_sched(t->vm));
}

/* func call(trap, a1, a2, a3, a4, a5, a6 uintptr, p1, p2, p3, p4, p5, p6
 * unsafe.Pointer) (r1, r2, errno uintptr) */
enum vm_status
lib_tree_syscall_call(
    struct vm_thread *t, union lib_tree_syscall_call_13to3 *f)
{
    long r;
    int err;

    /* They only keep alive what the kernel is given the addresses of. */
    (void)f->in.p1, (void)f->in.p2, (void)f->in.p3;
    (void)f->in.p4, (void)f->in.p5, (void)f->in.p6;
    if (is_refused(t, f->in.trap)) {
        f->out.r1 = UINT64_MAX;
        f->out.r2 = 0;
        f->out.errno_ = EINVAL;
        return VM_OK;
    }
    vm_syscall_enter(t);
    r = syscall((long)f->in.trap, f->in.a1, f->in.a2, f->in.a3, f->in.a4,
        f->in.a5, f->in.a6);
    err = r == -1 ? errno : 0;
    vm_syscall_exit(t);
    f->out.r1 = (uint64_t)r;
    f->out.r2 = 0;
    f->out.errno_ = (uint64_t)err;
    return VM_OK;
}

/* func callNow(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2, errno
 * uintptr) */
enum vm_status
lib_tree_syscall_callNow(
    struct vm_thread *t, union lib_tree_syscall_callNow_7to3 *f)
{
    long r = syscall((long)f->in.trap, f->in.a1, f->in.a2, f->in.a3,
        f->in.a4, f->in.a5, f->in.a6);
    int err = r == -1 ? errno : 0;

    (void)t;
    f->out.r1 = (uint64_t)r;
    f->out.r2 = 0;
    f->out.errno_ = (uint64_t)err;
    return VM_OK;
}

/* The address itself where it lies in an object. */
static void *
pointer(struct vm_thread *t, uint64_t word)
{
    struct gc_object o;
    void *p = (void *)(uintptr_t)word;

    return gc_find_object(vm_heap(t->vm), p, &o) ? p : NULL;
}

/* func pointers(a1, a2, a3, a4, a5, a6 uintptr) (p1, p2, p3, p4, p5, p6
 * unsafe.Pointer) */
enum vm_status
lib_tree_syscall_pointers(
    struct vm_thread *t, union lib_tree_syscall_pointers_6to6 *f)
{
    f->out.p1 = pointer(t, f->in.a1);
    f->out.p2 = pointer(t, f->in.a2);
    f->out.p3 = pointer(t, f->in.a3);
    f->out.p4 = pointer(t, f->in.a4);
    f->out.p5 = pointer(t, f->in.a5);
    f->out.p6 = pointer(t, f->in.a6);
    return VM_OK;
}
