/* SPDX-License-Identifier: MIT */
#include "runtime/lib/support/signals.h"

#include <signal.h>
#include <stddef.h>

void
lib_signals_restore(struct lib_signals *s)
{
    uint64_t first = a64_load_rlx(&s->first);
    uint64_t changed = first | a64_load_rlx(&s->ignored);

    for (int i = 1; i < NSIG; i++) {
        uint64_t bit = lib_signal_bit((uint64_t)i);
        struct sigaction sa = {
            .sa_handler = (first & bit) != 0 ? SIG_IGN : SIG_DFL};

        if ((changed & bit) == 0)
            continue;
        sigemptyset(&sa.sa_mask);
        sigaction(i, &sa, NULL);
    }
    a64_store_rlx(&s->wanted, 0);
    a64_store_rlx(&s->ignored, 0);
    a64_store_rlx(&s->first, 0);
    a64_store_rlx(&s->pending, 0);
    a64_store_rlx(&s->taken, 0);
}

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
