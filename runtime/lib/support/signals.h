/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_SIGNALS_H
#define RUNTIME_LIB_SUPPORT_SIGNALS_H

/*
 * What package os/signal and the thread of the host that waits for signals
 * have in common.  Signals are bits, number n is bit n - 1.  The program says
 * which it wants and which are to be ignored; what comes of those it wants is
 * pending until the package's own goroutine has fetched it, and taken until it
 * fetches the next one.
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"

struct lib_signals {
    a_u64 wanted;
    a_u64 ignored;
    a_u64 first; /* were ignored before the program wanted them */
    a_u64 pending;
    a_u64 taken; /* one of what was pending, while the goroutine sends it on */
    a_u32 news; /* counts what became pending; a futex */
    /* Has changed wanted or ignored: returns when the host goes by that, and
     * has told of all that came before.  By any thread; may block.  NULL: nobody
     * waits for signals. */
    void (*changed)(void *arg);
    void *arg;
};

static inline uint64_t
lib_signal_bit(uint64_t sig)
{
    return sig >= 1 && sig <= 64 ? UINT64_C(1) << (sig - 1) : 0;
}

/* By the host's thread: a wanted signal has come. */
void lib_signal_came(struct lib_signals *s, int sig);

/* The program has ended: how the process takes signals is as it was before, and
 * nothing is wanted, ignored or pending.  By a thread that is alone with it. */
void lib_signals_restore(struct lib_signals *s);

/* In the child, between fork and exec: its signals become those of a new
 * process: none is blocked, and what is not ignored has its default effect.
 * Calls nothing that takes a lock or memory. */
void lib_signals_reset(void);

#endif
