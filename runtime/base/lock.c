/* SPDX-License-Identifier: MIT */
/*
 * The futex mutex of Ulrich Drepper's "Futexes are tricky" (mutex 2), with a
 * bounded spin before the sleep, as in Go's lock_futex.go: critical sections
 * here are tens of nanoseconds and a sleep is microseconds.
 */
#include "runtime/base/lock.h"

#include <sched.h>
#include <unistd.h>

#include "runtime/base/compiler.h"
#include "runtime/base/futex.h"
#include "runtime/base/throw.h"

enum {
    SPINS = 4,        /* rounds of busy waiting */
    SPIN_PAUSES = 30, /* pause instructions in each */
    YIELDS = 1        /* offers of the processor before sleeping */
};

static const char *const rank_names[RANK_COUNT] = {
#define LOCK_RANK(name, multi, guards) #name,
#include "runtime/base/lockrank.def"
#undef LOCK_RANK
};

const char *
rt_lockrank_name(enum rt_lockrank rank)
{
    return (unsigned)rank < RANK_COUNT ? rank_names[rank] : "?";
}

void
rt_lock_init(struct rt_lock *l, enum rt_lockrank rank)
{
    a32_store_rlx(&l->word, 0);
    l->rank = rank;
}

static bool
grab_if_free(struct rt_lock *l, uint32_t val)
{
    return a32_load_rlx(&l->word) == 0 && a32_cas_acq(&l->word, 0, val);
}

void
rt_lock_slow(struct rt_lock *l)
{
    for (int i = 0; i < SPINS; i++) {
        for (int j = 0; j < SPIN_PAUSES; j++)
            rt_cpu_relax();
        if (grab_if_free(l, 1))
            return;
    }
    for (int i = 0; i < YIELDS; i++) {
        sched_yield();
        if (grab_if_free(l, 1))
            return;
    }
    /* From here on the word is left at 2: somebody else may sleep too. */
    while (a32_swap_full(&l->word, 2) != 0)
        rt_futex_wait(&l->word, 2, -1);
}

void
rt_unlock_slow(struct rt_lock *l)
{
    uint32_t old = a32_swap_full(&l->word, 0);

    rt_check(old != 0, "unlock of a free lock");
    if (old == 2)
        rt_futex_wake(&l->word, 1);
}

#if VOLE_LOCKRANK

enum { LOCK_ONE, LOCK_ADDR };

static const uint8_t rank_multi[RANK_COUNT] = {
#define LOCK_RANK(name, multi, guards) LOCK_##multi,
#include "runtime/base/lockrank.def"
#undef LOCK_RANK
};

enum { HELD_MAX = 512 }; /* a select locks all of its channels */

/* Only builds that check ranks have this second thread-local. */
static _Thread_local struct {
    int n;
    const struct rt_lock *l[HELD_MAX];
} held;

static void
print_held(void)
{
    for (int i = 0; i < held.n; i++)
        rt_printerr("\t%d: %s %p\n", i, rt_lockrank_name(held.l[i]->rank),
            (const void *)held.l[i]);
}

static RT_COLD void
bad_order(const struct rt_lock *l, const struct rt_lock *top)
{
    rt_printerr("vole: lock order: taking %s %p under %s %p; held:\n",
        rt_lockrank_name(l->rank), (const void *)l,
        rt_lockrank_name(top->rank), (const void *)top);
    print_held();
    rt_printerr("vole: order of ranks:\n");
    for (unsigned r = l->rank; r <= top->rank; r++)
        rt_printerr("\t%s\n", rt_lockrank_name(r));
    rt_throw("lock ordering problem");
}

static bool
may_follow(const struct rt_lock *l, const struct rt_lock *h)
{
    if (h->rank != l->rank)
        return h->rank < l->rank;
    return rank_multi[l->rank] == LOCK_ADDR && (uintptr_t)h < (uintptr_t)l;
}

void
rt_lock_push(struct rt_lock *l, bool check)
{
    if (check)
        for (int i = 0; i < held.n; i++)
            if (!may_follow(l, held.l[i]))
                bad_order(l, held.l[i]);
    if (held.n == HELD_MAX)
        rt_throw("too many locks held");
    held.l[held.n++] = l;
}

void
rt_lock_pop(struct rt_lock *l)
{
    for (int i = held.n - 1; i >= 0; i--) {
        if (held.l[i] != l)
            continue;
        for (held.n--; i < held.n; i++)
            held.l[i] = held.l[i + 1];
        return;
    }
    rt_throwf("unlock of %s, which this thread does not hold",
        rt_lockrank_name(l->rank));
}

void
rt_assert_held(const struct rt_lock *l)
{
    for (int i = 0; i < held.n; i++)
        if (held.l[i] == l)
            return;
    rt_throwf("%s is not held", rt_lockrank_name(l->rank));
}

void
rt_assert_no_locks(void)
{
    if (held.n == 0)
        return;
    print_held();
    rt_throw("locks are held");
}

#endif
