/* SPDX-License-Identifier: MIT */

/* Natives of package syscall. */

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/support/held.h"
#include "runtime/lib/support/os_errno.h"

/* func mmap(length, prot, flags, fd int, offset int64) (p unsafe.Pointer,
 * errno int) */
enum vm_status
lib_syscall_mmap(struct vm_thread *t, union rt_slot *fp)
{
    size_t len = (size_t)fp[0].i;
    void *p = mmap(NULL, len, (int)fp[1].i, (int)fp[2].i, (int)fp[3].i,
        fp[4].i);
    int err = p == MAP_FAILED ? errno : 0;

    if (err == 0 && !held_add_map(lib_state(t)->held, p, len)) {
        munmap(p, len);
        err = ENOMEM;
    }
    fp[0].p = err == 0 ? p : NULL;
    fp[1].i = err;
    return VM_OK;
}

/* func munmap(p unsafe.Pointer, length int) (errno int) */
enum vm_status
lib_syscall_munmap(struct vm_thread *t, union rt_slot *fp)
{
    /* Addresses within a page are refused, and nothing is unmapped. */
    if (fp[0].u % (uint64_t)sysconf(_SC_PAGESIZE) == 0)
        held_drop_map(lib_state(t)->held, fp[0].p, (size_t)fp[1].i);
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

enum vm_status
lib_syscall_errnoText(struct vm_thread *t, union rt_slot *fp)
{
    vm_ret_str(fp, 0, lib_errno_text(t, fp[0].i));
    return VM_OK;
}

enum vm_status
lib_syscall_signalText(struct vm_thread *t, union rt_slot *fp)
{
    vm_ret_str(fp, 0, lib_signal_text(t, fp[0].i));
    return VM_OK;
}
