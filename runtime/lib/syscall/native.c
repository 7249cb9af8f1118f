/* SPDX-License-Identifier: MIT */

/* Natives of package syscall. */

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/held.h"
#include "runtime/lib/support/os_errno.h"

/* func mmap(length, prot, flags, fd int, offset int64) (p unsafe.Pointer,
 * errno int) */
enum vm_status
lib_syscall_mmap(struct vm_thread *t, union lib_syscall_mmap_5to2 *f)
{
    size_t len = (size_t)f->in.length;
    void *p = mmap(NULL, len, (int)f->in.prot, (int)f->in.flags, (int)f->in.fd,
        f->in.offset);
    int err = p == MAP_FAILED ? errno : 0;

    if (err == 0 && !held_add_map(lib_state(t)->held, p, len)) {
        munmap(p, len);
        err = ENOMEM;
    }
    f->out.p = err == 0 ? p : NULL;
    f->out.errno_ = err;
    return VM_OK;
}

/* func munmap(p unsafe.Pointer, length int) (errno int) */
enum vm_status
lib_syscall_munmap(struct vm_thread *t, union lib_syscall_munmap_2to1 *f)
{
    f->out.errno_ =
        held_unmap(lib_state(t)->held, f->in.p, (size_t)f->in.length);
    return VM_OK;
}

/* func mprotect(p unsafe.Pointer, length, prot int) (errno int) */
enum vm_status
lib_syscall_mprotect(struct vm_thread *t, union lib_syscall_mprotect_3to1 *f)
{
    int r = mprotect(f->in.p, (size_t)f->in.length, (int)f->in.prot);

    (void)t;
    f->out.errno_ = r < 0 ? errno : 0;
    return VM_OK;
}

enum vm_status
lib_syscall_errnoText(struct vm_thread *t, union lib_syscall_errnoText_1to1 *f)
{
    f->out.r = lib_errno_text(t, f->in.e);
    return VM_OK;
}

enum vm_status
lib_syscall_signalText(
    struct vm_thread *t, union lib_syscall_signalText_1to1 *f)
{
    f->out.r = lib_signal_text(t, f->in.s);
    return VM_OK;
}
