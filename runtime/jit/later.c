/* SPDX-License-Identifier: MIT */

/*
 * The thread of the background.  Who is in a function that is hot, and sees
 * that it will take long to compile, hands it over, and goes on interpreting.
 * There is one such thread, started by the first function of the kind, and it
 * has one function at a time: as long as it is busy, nobody else is, so that
 * the compiler knows of no other threads.  Others' functions stay interpreted
 * meanwhile, and come again when they have become hotter.
 *
 *              jit_later(), by who is busy
 *     SLEEPS ------------------------------> WORKS
 *        ^                                     |
 *        +-------------------------------------+
 *          the thread, before somebody else may be busy
 *
 *     either ---- jit_later_end() ----> ENDS
 *
 * The thread has no P, and touches nothing of goroutines or the heap: it is not
 * waited for by those who stop the world.  It takes no lock but those of libc's
 * allocator and streams.  A child that is forked meanwhile does not have it,
 * and becomes another program without asking for it.
 */
#include "runtime/jit/jit_int.h"

#include "runtime/base/futex.h"

enum jit_later_state { SLEEPS, WORKS, ENDS };

/* The C stack that a thread has by default is plenty: no function of the
 * compiler has a large frame, and how deep others are spliced in is bounded. */
static void
work(void *arg)
{
    struct jit *jit = arg;
    struct jit_later *l = &jit->later;

    for (;;) {
        /* acq: what there is to do has been written. */
        uint32_t state = a32_load_acq(&l->state);

        if (state == ENDS)
            return;
        if (state == SLEEPS) {
            rt_futex_wait(&l->state, SLEEPS, -1);
            continue;
        }
        l->todo(jit);
        /* Whoever is busy next may hand over at once.  If it is not WORKS any
         * more, it is ENDS. */
        a32_cas_rel(&l->state, WORKS, SLEEPS);
        rt_futex_wake(&l->state, 1); /* jit_later_wait() */
        a32_store_rel(&jit->busy, 0); /* rel: as in try_compile() */
    }
}

bool
jit_later(struct jit *jit, void (*fn)(struct jit *jit))
{
    struct jit_later *l = &jit->later;

    rt_assert(a32_load_rlx(&jit->busy) == 1);
    if (!l->started &&
        rt_thread_start(&l->thread, work, jit, 0, "vole-jit", NULL) != RT_OK)
        return false;
    l->started = true;
    l->todo = fn;
    jit->nlater++;
    /* rel: pairs with the acq in work().  Nobody ends it while goroutines
     * run. */
    bool slept = a32_cas_rel(&l->state, SLEEPS, WORKS);
    rt_assert(slept);
    rt_futex_wake(&l->state, 1);
    return true;
}

bool
jit_later_ends(const struct jit *jit)
{
    return a32_load_rlx(&jit->later.state) == ENDS;
}

void
jit_later_wait(struct jit *jit)
{
    /* acq: pairs with the rel in work(): all has been done. */
    while (a32_load_acq(&jit->later.state) == WORKS)
        rt_futex_wait(&jit->later.state, WORKS, -1);
}

void
jit_later_end(struct jit *jit)
{
    struct jit_later *l = &jit->later;

    if (!l->started)
        return;
    a32_store_rel(&l->state, ENDS);
    rt_futex_wake(&l->state, 1);
    rt_thread_join(&l->thread);
    l->started = false;
}
