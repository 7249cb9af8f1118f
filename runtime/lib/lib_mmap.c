/* SPDX-License-Identifier: MIT */

/* Natives of package syscall that map memory. */

#include <errno.h>
#include <sys/mman.h>

#include "runtime/lib/lib.h"

/* func mmap(length, prot, flags, fd int, offset int64) (p unsafe.Pointer,
 * errno int) */
enum vm_status
lib_syscall_mmap(struct vm_thread *t, union rt_slot *fp)
{
    void *p = mmap(NULL, (size_t)fp[0].i, (int)fp[1].i, (int)fp[2].i,
        (int)fp[3].i, fp[4].i);

    (void)t;
    fp[0].p = p == MAP_FAILED ? NULL : p;
    fp[1].i = p == MAP_FAILED ? errno : 0;
    return VM_OK;
}

/* func munmap(p unsafe.Pointer, length int) (errno int) */
enum vm_status
lib_syscall_munmap(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].i = munmap(fp[0].p, (size_t)fp[1].i) < 0 ? errno : 0;
    return VM_OK;
}

/* func mprotect(p unsafe.Pointer, length, prot int) (errno int) */
enum vm_status
lib_syscall_mprotect(struct vm_thread *t, union rt_slot *fp)
{
    int r = mprotect(fp[0].p, (size_t)fp[1].i, (int)fp[2].i);

    (void)t;
    fp[0].i = r < 0 ? errno : 0;
    return VM_OK;
}
