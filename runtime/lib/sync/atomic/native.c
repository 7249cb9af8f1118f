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

/* The operations on one type: `word` is what the functions of atomic.h that
 * begin with `pre` take, and a result is extended from `type`. */
#define WORD(name, type, word, pre)                                          \
    enum vm_status lib_atomic_Add##name(                                     \
        struct vm_thread *t, union lib_atomic_Add##name##_2to1 *f)           \
    {                                                                        \
        if (f->in.addr == NULL)                                              \
            return nil(t);                                                   \
        word by = (word)f->in.delta;                                         \
        f->out.new_ = (type)(by + pre##_add_full(f->in.addr, by));           \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_And##name(                                     \
        struct vm_thread *t, union lib_atomic_And##name##_2to1 *f)           \
    {                                                                        \
        if (f->in.addr == NULL)                                              \
            return nil(t);                                                   \
        f->out.old =                                                         \
            (type)pre##_and_full(f->in.addr, (word)f->in.mask);              \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_Or##name(                                      \
        struct vm_thread *t, union lib_atomic_Or##name##_2to1 *f)            \
    {                                                                        \
        if (f->in.addr == NULL)                                              \
            return nil(t);                                                   \
        f->out.old =                                                         \
            (type)pre##_or_full(f->in.addr, (word)f->in.mask);               \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_CompareAndSwap##name(                          \
        struct vm_thread *t, union lib_atomic_CompareAndSwap##name##_3to1 *f) \
    {                                                                        \
        if (f->in.addr == NULL)                                              \
            return nil(t);                                                   \
        f->out.swapped = pre##_cas_full(                                     \
            f->in.addr, (word)f->in.old, (word)f->in.new_);                  \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_Load##name(                                    \
        struct vm_thread *t, union lib_atomic_Load##name##_1to1 *f)          \
    {                                                                        \
        if (f->in.addr == NULL)                                              \
            return nil(t);                                                   \
        f->out.val = (type)pre##_load_acq(f->in.addr);                       \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_Store##name(                                   \
        struct vm_thread *t, union lib_atomic_Store##name##_2to0 *f)         \
    {                                                                        \
        if (f->in.addr == NULL)                                              \
            return nil(t);                                                   \
        pre##_store_full(f->in.addr, (word)f->in.val);                       \
        return VM_OK;                                                        \
    }                                                                        \
    enum vm_status lib_atomic_Swap##name(                                    \
        struct vm_thread *t, union lib_atomic_Swap##name##_2to1 *f)          \
    {                                                                        \
        if (f->in.addr == NULL)                                              \
            return nil(t);                                                   \
        f->out.old =                                                         \
            (type)pre##_swap_full(f->in.addr, (word)f->in.new_);             \
        return VM_OK;                                                        \
    }

/* clang-format off */
WORD(Int32, int32_t, uint32_t, a32)
WORD(Uint32, uint32_t, uint32_t, a32)
WORD(Int64, int64_t, uint64_t, a64)
WORD(Uint64, uint64_t, uint64_t, a64)
WORD(Uintptr, uint64_t, uint64_t, a64)
/* clang-format on */

enum vm_status
lib_atomic_LoadPointer(
    struct vm_thread *t, union lib_atomic_LoadPointer_1to1 *f)
{
    if (f->in.addr == NULL)
        return nil(t);
    f->out.val = aptr_load_acq(f->in.addr);
    return VM_OK;
}

enum vm_status
lib_atomic_StorePointer(
    struct vm_thread *t, union lib_atomic_StorePointer_2to0 *f)
{
    if (f->in.addr == NULL)
        return nil(t);
    gc_write_barrier(t->cache, f->in.addr, f->in.val);
    aptr_store_full(f->in.addr, f->in.val);
    return VM_OK;
}

enum vm_status
lib_atomic_SwapPointer(
    struct vm_thread *t, union lib_atomic_SwapPointer_2to1 *f)
{
    if (f->in.addr == NULL)
        return nil(t);
    gc_write_barrier(t->cache, f->in.addr, f->in.new_);
    f->out.old = aptr_swap_full(f->in.addr, f->in.new_);
    return VM_OK;
}

enum vm_status
lib_atomic_CompareAndSwapPointer(
    struct vm_thread *t, union lib_atomic_CompareAndSwapPointer_3to1 *f)
{
    if (f->in.addr == NULL)
        return nil(t);
    gc_write_barrier(t->cache, f->in.addr, f->in.new_);
    f->out.swapped = aptr_cas_full(f->in.addr, f->in.old, f->in.new_);
    return VM_OK;
}

/* func sameType(a, b any) bool */
enum vm_status
lib_atomic_sameType(struct vm_thread *t, union lib_atomic_sameType_2to1 *f)
{
    (void)t;
    f->out.r = f->in.a.type == f->in.b.type;
    return VM_OK;
}
