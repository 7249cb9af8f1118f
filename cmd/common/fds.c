/* SPDX-License-Identifier: MIT */
#include "cmd/common/fds.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static void
pass_over(int sig)
{
    (void)sig;
}

bool
fds_init(void)
{
    int fd;

    for (fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
            continue;
        /* The lowest free number is this one.  Inherited descriptors are
         * never close-on-exec, hence the flag serves as a mark too. */
        if (open("/dev/null", O_RDWR | O_CLOEXEC) != fd)
            return false;
    }
    /* Not SIG_IGN, which programs that are started from here would inherit:
     * `yes | head` there is to end as it does everywhere. */
    signal(SIGPIPE, pass_over);
    return true;
}

bool
fds_was_closed(int fd)
{
    int flags = fcntl(fd, F_GETFD);

    return flags < 0 || (flags & FD_CLOEXEC) != 0;
}
