/* SPDX-License-Identifier: MIT */

#include "runtime/lib/support/os_errno.h"

#include <ctype.h>
#include <signal.h>
#include <string.h>

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
