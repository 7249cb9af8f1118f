/* SPDX-License-Identifier: MIT */
#include "runtime/base/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/throw.h"

void
rt_futex_wait(a_u32 *a, uint32_t val, int64_t ns)
{
    struct timespec ts = {
        .tv_sec = ns / 1000000000,
        .tv_nsec = ns % 1000000000
    };
    int saved = errno;

    /* EAGAIN, EINTR and ETIMEDOUT are all "look again". */
    syscall(SYS_futex, (void *)(uintptr_t)&a->v, FUTEX_WAIT_PRIVATE, val,
        ns < 0 ? NULL : &ts, NULL, 0);
    errno = saved;
}

void
rt_futex_wake(a_u32 *a, uint32_t n)
{
    int saved = errno;

    /* The kernel takes what is not positive for one. */
    rt_check(n > 0 && n <= RT_FUTEX_ALL, "futex wakes none");
    long r = syscall(SYS_futex, (void *)(uintptr_t)&a->v, FUTEX_WAKE_PRIVATE,
        n, NULL, NULL, 0);

    /* The word may have been freed by the woken thread in the meantime;
     * EFAULT is then legal. */
    rt_check(r >= 0 || errno == EFAULT, "futex wake failed");
    errno = saved;
}
