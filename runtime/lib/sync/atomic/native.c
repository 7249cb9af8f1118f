/* SPDX-License-Identifier: MIT */

/*
 * Natives of sync/atomic: sequentially consistent operations on words of the
 * collected heap or of globals.  Signed words are the same as unsigned ones
 * but for the extension of 32-bit results.  Pointers go through the write
 * barrier.
 */

#include <stdint.h>

#include "gc/gc.h"
#include "runtime/base/atomic.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"

static enum vm_status
nil(struct vm_thread *t)
{
    return vm_panicf(t, "invalid memory address or nil pointer dereference");
}

/* The operations on one word size: `pre` names the functions of atomic.h,
 * `get` and `ext` say how a slot is read and a result written. */
#define WORD(name, type, pre, get, put, ext)                                 \
    enum vm_status lib_atomic_Add##name(                                     \
        struct vm_thread *t, union rt_slot *fp)                              \
    {                                                                        \
        if (fp[0].p == NULL)                                                 \
            return nil(t);                                                   \
        put = ext(get(fp[1]) + pre##_add_full(fp[0].p, get(fp[1])));         \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_And##name(                                     \
        struct vm_thread *t, union rt_slot *fp)                              \
    {                                                                        \
        if (fp[0].p == NULL)                                                 \
            return nil(t);                                                   \
        put = ext(pre##_and_full(fp[0].p, get(fp[1])));                      \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_Or##name(                                      \
        struct vm_thread *t, union rt_slot *fp)                              \
    {                                                                        \
        if (fp[0].p == NULL)                                                 \
            return nil(t);                                                   \
        put = ext(pre##_or_full(fp[0].p, get(fp[1])));                       \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_CompareAndSwap##name(                          \
        struct vm_thread *t, union rt_slot *fp)                              \
    {                                                                        \
        if (fp[0].p == NULL)                                                 \
            return nil(t);                                                   \
        fp[0].u = pre##_cas_full(fp[0].p, get(fp[1]), get(fp[2]));           \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_Load##name(                                    \
        struct vm_thread *t, union rt_slot *fp)                              \
    {                                                                        \
        if (fp[0].p == NULL)                                                 \
            return nil(t);                                                   \
        put = ext(pre##_load_acq(fp[0].p));                                  \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_Store##name(                                   \
        struct vm_thread *t, union rt_slot *fp)                              \
    {                                                                        \
        if (fp[0].p == NULL)                                                 \
            return nil(t);                                                   \
        pre##_store_full(fp[0].p, get(fp[1]));                               \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_Swap##name(                                    \
        struct vm_thread *t, union rt_slot *fp)                              \
    {                                                                        \
        if (fp[0].p == NULL)                                                 \
            return nil(t);                                                   \
        put = ext(pre##_swap_full(fp[0].p, get(fp[1])));                     \
        return VM_OK;                                                        \
    }

#define GET32(slot) ((uint32_t)(slot).u)
#define GET64(slot) ((slot).u)
#define ZERO(x)     (x)
#define SIGN(x)     ((int32_t)(x))

/* clang-format off */
WORD(Int32, int32_t, a32, GET32, fp[0].i, SIGN)
WORD(Uint32, uint32_t, a32, GET32, fp[0].u, ZERO)
WORD(Uint64, uint64_t, a64, GET64, fp[0].u, ZERO)
/* clang-format on */

/* func LoadPointer(addr *unsafe.Pointer) (val unsafe.Pointer) */
enum vm_status
lib_atomic_LoadPointer(struct vm_thread *t, union rt_slot *fp)
{
    if (fp[0].p == NULL)
        return nil(t);
    fp[0].p = aptr_load_acq(fp[0].p);
    return VM_OK;
}

enum vm_status
lib_atomic_StorePointer(
    struct vm_thread *t, union lib_atomic_StorePointer_frame *f)
{
    if (f->in.addr == NULL)
        return nil(t);
    gc_write_barrier(t->cache, f->in.addr, f->in.val);
    aptr_store_full(f->in.addr, f->in.val);
    return VM_OK;
}

enum vm_status
lib_atomic_SwapPointer(
    struct vm_thread *t, union lib_atomic_SwapPointer_frame *f)
{
    if (f->in.addr == NULL)
        return nil(t);
    gc_write_barrier(t->cache, f->in.addr, f->in.new_);
    f->out.old = aptr_swap_full(f->in.addr, f->in.new_);
    return VM_OK;
}

enum vm_status
lib_atomic_CompareAndSwapPointer(struct vm_thread *t, union rt_slot *fp)
{
    if (fp[0].p == NULL)
        return nil(t);
    gc_write_barrier(t->cache, fp[0].p, fp[2].p);
    fp[0].u = aptr_cas_full(fp[0].p, fp[1].p, fp[2].p);
    return VM_OK;
}

/* func sameType(a, b any) bool */
enum vm_status
lib_atomic_sameType(struct vm_thread *t, union lib_atomic_sameType_frame *f)
{
    (void)t;
    f->out.r = f->in.a.type == f->in.b.type;
    return VM_OK;
}
