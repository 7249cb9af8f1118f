/* SPDX-License-Identifier: MIT */

/*
 * Natives of internal/stdio and bufio.  Calls that may block give the P away
 * (vm_syscall_enter); the buffers stay alive through the argument slots,
 * which are written only afterwards.
 */

#include "runtime/lib/lib.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "runtime/lib/lib_errno.h"

void
lib_broken_pipe(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    signal(SIGPIPE, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* the threads mask all */
    raise(SIGPIPE);
}

struct rt_str
lib_errno_text(struct vm_thread *t, int err)
{
    const char *s = strerrordesc_np(err);
    char buf[128];
    size_t n;

    if (s == NULL) {
        /* As Go: "errno 4000". */
        char digits[24];
        size_t k = sizeof digits;
        unsigned u = (unsigned)err;

        do {
            digits[--k] = (char)('0' + u % 10);
            u /= 10;
        } while (u != 0);
        memcpy(buf, "errno ", 6);
        memcpy(buf + 6, digits + k, sizeof digits - k);
        return vm_str(t, buf, 6 + sizeof digits - k);
    }
    n = strlen(s);
    if (n > sizeof buf)
        n = sizeof buf;
    memcpy(buf, s, n);
    /* C's texts begin with a capital; acronyms keep it. */
    if (n > 1 && !isupper((unsigned char)buf[1]))
        buf[0] = (char)tolower((unsigned char)buf[0]);
    return vm_str(t, buf, n);
}

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
        lib_broken_pipe();
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

enum vm_status
lib_bufio_indexByte(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_slice b = vm_arg_slice(fp, 0);
    const char *p = NULL;

    (void)t;
    if (b.len > 0)
        p = memchr(b.ptr, (int)fp[3].u, (size_t)b.len);
    fp[0].i = p == NULL ? -1 : p - (const char *)b.ptr;
    return VM_OK;
}
