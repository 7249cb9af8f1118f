/* SPDX-License-Identifier: MIT */

/*
 * Natives of internal/stdio.  Calls that may block give the P away
 * (vm_syscall_enter); the buffers stay alive through the argument slots,
 * which are written only afterwards.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"

#include <errno.h>
#include <unistd.h>

#include "runtime/lib/support/os_errno.h"

enum vm_status
lib_stdio_write(struct vm_thread *t, union lib_stdio_write_2to2 *f)
{
    int fd = (int)f->in.fd, err = 0;
    struct rt_slice b = f->in.b;
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
    f->out.n = done;
    f->out.text = text;
    return VM_OK;
}

enum vm_status
lib_stdio_read(struct vm_thread *t, union lib_stdio_read_2to2 *f)
{
    int fd = (int)f->in.fd, err;
    struct rt_slice b = f->in.b;
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
    f->out.n = n;
    f->out.text = text;
    return VM_OK;
}
