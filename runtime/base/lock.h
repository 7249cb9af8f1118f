/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_LOCK_H
#define RUNTIME_BASE_LOCK_H

/*
 * A short mutual exclusion lock: spins, then sleeps on a futex.  Never held
 * across a park of a goroutine.  Each lock has a rank from lockrank.def;
 * builds with -Dlockrank=true keep the held locks of each thread and throw
 * with both chains when one is taken out of order.
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"

enum rt_lockrank {
#define LOCK_RANK(name, multi, guards) RANK_##name,
#include "runtime/base/lockrank.def"
#undef LOCK_RANK
    RANK_COUNT
};

struct rt_lock {
    a_u32 word;    /* 0 free, 1 held, 2 held and somebody may sleep */
    uint32_t rank; /* const after init */
};

/* Puts a lock into the free state.  Zeroed memory is a free lock of the
 * outermost rank, so every lock must be initialised before use. */
void rt_lock_init(struct rt_lock *l, enum rt_lockrank rank);

/* Out of line parts of the operations below. */
void rt_lock_slow(struct rt_lock *l);
void rt_unlock_slow(struct rt_lock *l);

/* The name of a rank, such as "GC_HEAP". */
const char *rt_lockrank_name(enum rt_lockrank rank);

#if VOLE_LOCKRANK
void rt_lock_push(struct rt_lock *l, bool check);
void rt_lock_pop(struct rt_lock *l);
/* Throws unless the calling thread holds l. */
void rt_assert_held(const struct rt_lock *l);
/* Throws if the calling thread holds any lock. */
void rt_assert_no_locks(void);
#else
static inline void
rt_lock_push(struct rt_lock *l, bool check)
{
    (void)l;
    (void)check;
}

static inline void
rt_lock_pop(struct rt_lock *l)
{
    (void)l;
}

static inline void
rt_assert_held(const struct rt_lock *l)
{
    (void)l;
}

static inline void
rt_assert_no_locks(void)
{
}
#endif

/* Takes the lock; not recursive.  Any thread, with or without a P. */
static inline void
rt_lock(struct rt_lock *l)
{
    rt_lock_push(l, true);
    /* acq: pairs with the rel or the full add in rt_unlock(). */
    if (!a32_cas_acq(&l->word, 0, 1))
        rt_lock_slow(l);
}

/* Takes the lock if it is free, whatever its rank, since it cannot wait;
 * true when taken. */
static inline bool
rt_trylock(struct rt_lock *l)
{
    /* acq: pairs as in rt_lock(). */
    if (!a32_cas_acq(&l->word, 0, 1))
        return false;
    rt_lock_push(l, false);
    return true;
}

/* Whether some thread holds l just now; soon that may be wrong. */
static inline bool
rt_lock_taken(const struct rt_lock *l)
{
    return a32_load_rlx(&l->word) != 0;
}

/* Releases a lock that the calling thread holds. */
static inline void
rt_unlock(struct rt_lock *l)
{
    rt_lock_pop(l);
    /* rel: pairs with the acq of the next holder. */
    if (!a32_cas_rel(&l->word, 1, 0))
        rt_unlock_slow(l);
}

#endif
