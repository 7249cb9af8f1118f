/* SPDX-License-Identifier: MIT */

/* System calls by number. */

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gc/gc.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/vm.h"
#include "sched/loopback.h"
#include "sched/sched.h"

/* What the kernel's answer is to the caller. */
static void
answer(int64_t r, uint64_t *r1, uint64_t *r2, uint64_t *err)
{
    *r1 = r < 0 ? UINT64_MAX : (uint64_t)r;
    *r2 = 0;
    *err = r < 0 ? (uint64_t)-r : 0;
}

/* getrandom() by a seed: what the program sees of chance is the seed's. */
static int64_t
draw(struct vm_thread *t, void *to, uint64_t n)
{
    uint8_t *p = to;

    for (uint64_t at = 0; at < n; at += 8) {
        uint64_t u = sched_entropy(vm_sched(t->vm));

        memcpy(p + at, &u, n - at < 8 ? n - at : 8);
    }
    return (int64_t)n;
}

/*
 * By a seed: whether the call is not the kernel's, or has been made already.
 * How much splice() moves depends on how the kernel has cut the bytes of a
 * socket into pieces, which is no matter of the program's; who is told that it
 * cannot be done copies them itself.
 */
static RT_NOINLINE bool
is_answered(struct vm_thread *t, uint64_t trap, const uint64_t arg[6],
    int64_t *result)
{
    switch (trap) {
    case SYS_splice:
        *result = -EINVAL;
        return true;
    case SYS_getrandom:
        *result = draw(t, (void *)(uintptr_t)arg[0], arg[1]);
        return true;
    default:
        return loopback_call(t->m, trap, arg, result);
    }
}

/* The call of f, if it is such a one. */
#define ANSWER(t, f)                                                         \
    do {                                                                     \
        const uint64_t arg[6] = {(f)->in.a1, (f)->in.a2, (f)->in.a3,         \
            (f)->in.a4, (f)->in.a5, (f)->in.a6};                             \
        int64_t result;                                                      \
                                                                             \
        if (is_answered((t), (f)->in.trap, arg, &result)) {                  \
            answer(result, &(f)->out.r1, &(f)->out.r2, &(f)->out.errno_);    \
            return VM_OK;                                                    \
        }                                                                    \
    } while (0)

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
    if (rt_unlikely(t->m->by_seed))
        ANSWER(t, f);
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
    long r;
    int err;

    if (rt_unlikely(t->m->by_seed))
        ANSWER(t, f);
    r = syscall((long)f->in.trap, f->in.a1, f->in.a2, f->in.a3, f->in.a4,
        f->in.a5, f->in.a6);
    err = r == -1 ? errno : 0;
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
