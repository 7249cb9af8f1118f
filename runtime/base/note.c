/* SPDX-License-Identifier: MIT */
#include "runtime/base/note.h"

#include <time.h>

#include "runtime/base/futex.h"
#include "runtime/base/throw.h"

void
rt_note_clear(struct rt_note *n)
{
    a32_store_rlx(&n->key, 0);
}

void
rt_note_wakeup(struct rt_note *n)
{
    /* full: what the waker wrote before is seen by the sleeper. */
    uint32_t old = a32_swap_full(&n->key, 1);

    rt_check(old == 0, "note signalled twice");
    rt_futex_wake(&n->key, 1);
}

bool
rt_note_done(const struct rt_note *n)
{
    /* acq: pairs with the swap in rt_note_wakeup(). */
    return a32_load_acq(&n->key) != 0;
}

void
rt_note_sleep(struct rt_note *n)
{
    while (!rt_note_done(n))
        rt_futex_wait(&n->key, 0, -1);
}

static int64_t
now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

bool
rt_note_tsleep(struct rt_note *n, int64_t ns)
{
    if (ns < 0) {
        rt_note_sleep(n);
        return true;
    }
    if (rt_note_done(n))
        return true;
    int64_t start = now_ns();
    int64_t left = ns;
    while (left > 0) {
        rt_futex_wait(&n->key, 0, left);
        if (rt_note_done(n))
            return true;
        left = ns - (now_ns() - start);
    }
    return rt_note_done(n);
}
