/* SPDX-License-Identifier: MIT */

#include "runtime/lib/support/os_errno.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "runtime/lib/lib.h"

void
lib_broken_pipe(const struct vm_thread *t)
{
    sigset_t set;

    if (!lib_state(t)->sigpipe)
        return;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    signal(SIGPIPE, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* the threads mask all */
    raise(SIGPIPE);
}

/* A text of the C library's, which begins with a capital, as Go words it:
 * acronyms keep theirs. */
static struct rt_str
uncapitalised(struct vm_thread *t, const char *s)
{
    char buf[128];
    size_t n = strnlen(s, sizeof buf);
    memcpy(buf, s, n);
    if (n > 1 && islower((unsigned char)buf[1]))
        buf[0] = (char)tolower((unsigned char)buf[0]);
    return vm_str(t, buf, n);
}

static struct rt_str
numbered(struct vm_thread *t, const char *what, int64_t number)
{
    char buf[48];
    int n = snprintf(buf, sizeof buf, "%s %" PRId64, what, number);
    return vm_str(t, buf, (size_t)n);
}

struct rt_str
lib_errno_text(struct vm_thread *t, int64_t err)
{
    /* Go has no text for "success", and none for what came after ERFKILL. */
    if (err <= 0 || err > ERFKILL || strerrordesc_np((int)err) == NULL)
        return numbered(t, "errno", err);
    return uncapitalised(t, strerrordesc_np((int)err));
}

struct rt_str
lib_signal_text(struct vm_thread *t, int64_t sig)
{
    if (sig <= 0 || sig >= NSIG || sigdescr_np((int)sig) == NULL)
        return numbered(t, "signal", sig);
    return uncapitalised(t, sigdescr_np((int)sig));
}
