/* SPDX-License-Identifier: MIT */
#include "runtime/lib/support/signals.h"

#include <signal.h>
#include <stddef.h>

void
lib_signals_reset(void)
{
    struct sigaction sa;
    sigset_t none;

    for (int i = 1; i < NSIG; i++) {
        if (sigaction(i, NULL, &sa) != 0 || sa.sa_handler == SIG_IGN)
            continue;
        sa.sa_handler = SIG_DFL;
        sa.sa_flags = 0;
        sigaction(i, &sa, NULL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
