/* SPDX-License-Identifier: MIT */

/* Natives of package sync: the fast paths of Mutex and WaitGroup, and the
 * collector's hold on the pools. */

#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/runtime/hooks.h"
#include "runtime/vm/native.h"
#include "sched/bubble.h"
#include "sched/sched.h"

/* As mutex.go has them. */
enum { LOCKED = 1, STARVING = 4 };

/* func lock(state *int32) bool: what is neither locked nor starving is locked,
 * if nobody else changes it at the same time. */
enum vm_status
lib_sync_lock(struct vm_thread *t, union lib_sync_lock_1to1 *f)
{
    if (rt_unlikely(f->in.state == NULL))
        return vm_panicf(
            t, "invalid memory address or nil pointer dereference");
    a_u32 *state = f->in.state;
    uint32_t old = a32_load_rlx(state);
    f->out.r = (old & (LOCKED | STARVING)) == 0 &&
        a32_cas_full(state, old, old | LOCKED);
    return VM_OK;
}

/* func unlock(state *int32) int32: takes mutexLocked away; what is left. */
enum vm_status
lib_sync_unlock(struct vm_thread *t, union lib_sync_unlock_1to1 *f)
{
    if (rt_unlikely(f->in.state == NULL))
        return vm_panicf(
            t, "invalid memory address or nil pointer dereference");
    f->out.r = (int32_t)(a32_add_full(f->in.state, UINT32_MAX) - 1);
    return VM_OK;
}

/* What waitAdd() answers; see waitgroup.go. */
enum { ADD_DONE, ADD_NEGATIVE, ADD_MISUSE, ADD_WAKE, ADD_MIXED, ADD_OTHER };

/* Go's WaitGroup. */
struct wait_group {
    a_u64 state;
    a_u32 sema;
    a_u32 bubble; /* bubble_tag() of the one it belongs to; 0: none */
};

/* Adding in the bubble with this tag, 0: in none, which must be the one that
 * the group belongs to. */
static RT_NOINLINE int64_t
add_in(struct wait_group *wg, uint16_t tag)
{
    uint32_t old = a32_load_acq(&wg->bubble);

    if (old == tag)
        return ADD_DONE;
    if (tag == 0)
        return ADD_MIXED;
    if (old != 0)
        return ADD_OTHER;
    if (a64_load_acq(&wg->state) != 0)
        return ADD_MIXED;
    return a32_cas_full(&wg->bubble, 0, tag) ? ADD_DONE : add_in(wg, tag);
}

/* func waitAdd(wg *WaitGroup, delta int) int */
enum vm_status
lib_sync_waitAdd(struct vm_thread *t, union lib_sync_waitAdd_2to1 *f)
{
    struct wait_group *wg = f->in.wg;
    if (rt_unlikely(wg == NULL))
        return vm_panicf(
            t, "invalid memory address or nil pointer dereference");
    int64_t delta = f->in.delta;
    uint64_t add = (uint64_t)delta << 32;
    uint16_t tag = bubble_tag(bubble_of(t->m));
    if (rt_unlikely(tag != a32_load_rlx(&wg->bubble))) {
        int64_t wrong = add_in(wg, tag);

        if (wrong != ADD_DONE) {
            f->out.r = wrong;
            return VM_OK;
        }
    }
    uint64_t state = a64_add_full(&wg->state, add) + add;
    int32_t count = (int32_t)(state >> 32);
    uint32_t waiters = (uint32_t)state;
    int64_t r = ADD_DONE;
    if (count < 0)
        r = ADD_NEGATIVE;
    else if (waiters != 0 && delta > 0 && count == (int32_t)delta)
        r = ADD_MISUSE;
    else if (waiters != 0 && count == 0)
        r = ADD_WAKE;
    f->out.r = r;
    return VM_OK;
}

/* What waitEnter() answers. */
enum { WAIT_NOT, WAIT_DO, WAIT_IN, WAIT_FIRST = 4 };

/* func waitEnter(wg *WaitGroup) int */
enum vm_status
lib_sync_waitEnter(struct vm_thread *t, union lib_sync_waitEnter_1to1 *f)
{
    struct wait_group *wg = f->in.wg;
    if (rt_unlikely(wg == NULL))
        return vm_panicf(
            t, "invalid memory address or nil pointer dereference");
    uint16_t tag = bubble_tag(bubble_of(t->m));
    bool in = tag != 0 && a32_load_acq(&wg->bubble) == tag;
    for (;;) {
        uint64_t s = a64_load_acq(&wg->state);
        if ((int32_t)(s >> 32) == 0) {
            /* Nobody waits or adds: the next bubble may have it. */
            if (in && s == 0)
                a32_store_rel(&wg->bubble, 0);
            f->out.r = WAIT_NOT;
            return VM_OK;
        }
        if (a64_cas_full(&wg->state, s, s + 1)) {
            f->out.r = (in ? WAIT_IN : WAIT_DO) |
                ((uint32_t)s == 0 ? WAIT_FIRST : 0);
            return VM_OK;
        }
    }
}

/* The first fields of Go's Pool, and the collector's list of them. */
struct pool {
    void *make;
    struct rt_slice free, old;
    uint32_t mu[2];
    bool listed;
};

struct pools {
    struct rt_slice all, old;
};

_Static_assert(sizeof(struct rt_slice) == 24, "fields of Pool");

void
lib_clear_pools(const struct lib_hooks *k)
{
    static const struct rt_slice none;
    struct pools *ps = k->pools;

    if (ps == NULL)
        return;
    struct pool **v = ps->old.ptr;
    for (int64_t i = 0; i < ps->old.len; i++)
        v[i]->old = none;
    v = ps->all.ptr;
    for (int64_t i = 0; i < ps->all.len; i++) {
        v[i]->old = v[i]->free;
        v[i]->free = none;
        v[i]->listed = false;
    }
    ps->old = ps->all;
    ps->all = none;
}
