/* SPDX-License-Identifier: MIT */

/*
 * Natives of internal/stdio.  Calls that may block give the P away
 * (vm_syscall_enter); the buffers stay alive through the argument slots,
 * which are written only afterwards.
 */

#include "runtime/lib/lib.h"

#include <errno.h>
#include <unistd.h>

#include "runtime/lib/support/os_errno.h"

enum vm_status
lib_stdio_write(struct vm_thread *t, union rt_slot *fp)
{
    int fd = (int)fp[0].i, err = 0;
    struct rt_slice b = vm_arg_slice(fp, 1);
    int64_t done = 0;
    struct rt_str text = {NULL, 0};

    vm_syscall_enter(t);
    while (done < b.len) {
        ssize_t n =
            write(fd, (const char *)b.ptr + done, (size_t)(b.len - done));

        if (n < 0) {
            if (errno == EINTR)
                continue;
            err = errno;
            break;
        }
        done += n;
    }
    vm_syscall_exit(t);
    if (err == EPIPE && (fd == 1 || fd == 2))
        lib_broken_pipe(t);
    if (err != 0)
        text = lib_errno_text(t, err);
    fp[0].i = done;
    vm_ret_str(fp, 1, text);
    return VM_OK;
}

enum vm_status
lib_stdio_read(struct vm_thread *t, union rt_slot *fp)
{
    int fd = (int)fp[0].i, err;
    struct rt_slice b = vm_arg_slice(fp, 1);
    struct rt_str text = {NULL, 0};
    ssize_t n;

    vm_syscall_enter(t);
    do {
        n = read(fd, b.ptr, (size_t)b.len);
    } while (n < 0 && errno == EINTR);
    err = errno;
    vm_syscall_exit(t);
    if (n < 0) {
        text = lib_errno_text(t, err);
        n = 0;
    }
    fp[0].i = n;
    vm_ret_str(fp, 1, text);
    return VM_OK;
}
