/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_ATOMIC_H
#define RUNTIME_BASE_ATOMIC_H

/*
 * The only door to atomics: the only file that includes libatomic_ops.
 *
 * An atomic word is a wrapper struct, so that it cannot be read or written
 * plainly by accident.  Each operation names its memory order:
 *   rlx   relaxed: atomic, no order;
 *   acq   acquire: nothing after it moves before it;
 *   rel   release: nothing before it moves after it;
 *   full  sequentially consistent read-modify-write.
 * add, or, and, swap return the OLD value; cas returns nonzero when it has
 * replaced old by val.  Bare fences do not exist here: ThreadSanitizer cannot
 * see them.  A Dekker pattern (store mine, load yours) takes a32_store_full on
 * one side of each pair, which is a locked instruction, followed by an
 * ordinary acquire load.
 *
 * libatomic_ops 7.6 has no exchange operation; swap is a loop of cas.
 *
 * RT_NOISE() is nothing, except in the build that looks for races (noise.h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic_ops.h>

#include "runtime/base/noise.h"

typedef struct { volatile unsigned v; } a_u32;
typedef struct { volatile unsigned v; } a_i32;
typedef struct { volatile AO_t v; } a_u64;
typedef struct { volatile AO_t v; } a_i64;
typedef struct { volatile AO_t v; } a_ptr;
typedef struct { volatile unsigned char v; } a_bool8;

_Static_assert(sizeof(unsigned) == 4, "a_u32 is 32 bits");
_Static_assert(sizeof(AO_t) == 8, "a_u64 is 64 bits");

/* Static initialisers. */
#define A_INIT(x) { (x) }

static inline uint32_t
a32_load_rlx(const a_u32 *a)
{
    RT_NOISE();
    return (uint32_t)AO_int_load(&a->v);
}

static inline uint32_t
a32_load_acq(const a_u32 *a)
{
    RT_NOISE();
    return (uint32_t)AO_int_load_acquire(&a->v);
}

static inline void
a32_store_rlx(a_u32 *a, uint32_t val)
{
    RT_NOISE();
    AO_int_store(&a->v, (unsigned)val);
}

static inline void
a32_store_rel(a_u32 *a, uint32_t val)
{
    RT_NOISE();
    AO_int_store_release(&a->v, (unsigned)val);
}

static inline bool
a32_cas_rlx(a_u32 *a, uint32_t old, uint32_t val)
{
    RT_NOISE();
    return AO_int_compare_and_swap(&a->v, (unsigned)old,
        (unsigned)val);
}

static inline bool
a32_cas_acq(a_u32 *a, uint32_t old, uint32_t val)
{
    RT_NOISE();
    return AO_int_compare_and_swap_acquire(&a->v, (unsigned)old,
        (unsigned)val);
}

static inline bool
a32_cas_rel(a_u32 *a, uint32_t old, uint32_t val)
{
    RT_NOISE();
    return AO_int_compare_and_swap_release(&a->v, (unsigned)old,
        (unsigned)val);
}

static inline bool
a32_cas_full(a_u32 *a, uint32_t old, uint32_t val)
{
    RT_NOISE();
    return AO_int_compare_and_swap_full(&a->v, (unsigned)old,
        (unsigned)val);
}

static inline uint32_t
a32_swap_full(a_u32 *a, uint32_t val)
{
    uint32_t old;

    do {
        old = a32_load_rlx(a);
    } while (!a32_cas_full(a, old, val));
    return old;
}

/* Ordered against later loads too: costs a locked instruction. */
static inline void
a32_store_full(a_u32 *a, uint32_t val)
{
    (void)a32_swap_full(a, val);
}

static inline uint32_t
a32_add_rlx(a_u32 *a, uint32_t val)
{
    RT_NOISE();
    return (uint32_t)AO_int_fetch_and_add(&a->v, (unsigned)val);
}

static inline uint32_t
a32_add_acq(a_u32 *a, uint32_t val)
{
    RT_NOISE();
    return (uint32_t)AO_int_fetch_and_add_acquire(&a->v, (unsigned)val);
}

static inline uint32_t
a32_add_rel(a_u32 *a, uint32_t val)
{
    RT_NOISE();
    return (uint32_t)AO_int_fetch_and_add_release(&a->v, (unsigned)val);
}

static inline uint32_t
a32_add_full(a_u32 *a, uint32_t val)
{
    RT_NOISE();
    return (uint32_t)AO_int_fetch_and_add_full(&a->v, (unsigned)val);
}

/* A loop, since the result is wanted. */
static inline uint32_t
a32_or_full(a_u32 *a, uint32_t val)
{
    uint32_t old;

    do {
        old = a32_load_rlx(a);
    } while (!a32_cas_full(a, old, old | val));
    return old;
}

/* A loop, since the result is wanted. */
static inline uint32_t
a32_and_full(a_u32 *a, uint32_t val)
{
    uint32_t old;

    do {
        old = a32_load_rlx(a);
    } while (!a32_cas_full(a, old, old & val));
    return old;
}

static inline int32_t
ai32_load_rlx(const a_i32 *a)
{
    RT_NOISE();
    return (int32_t)AO_int_load(&a->v);
}

static inline int32_t
ai32_load_acq(const a_i32 *a)
{
    RT_NOISE();
    return (int32_t)AO_int_load_acquire(&a->v);
}

static inline void
ai32_store_rlx(a_i32 *a, int32_t val)
{
    RT_NOISE();
    AO_int_store(&a->v, (unsigned)val);
}

static inline void
ai32_store_rel(a_i32 *a, int32_t val)
{
    RT_NOISE();
    AO_int_store_release(&a->v, (unsigned)val);
}

static inline bool
ai32_cas_rlx(a_i32 *a, int32_t old, int32_t val)
{
    RT_NOISE();
    return AO_int_compare_and_swap(&a->v, (unsigned)old,
        (unsigned)val);
}

static inline bool
ai32_cas_acq(a_i32 *a, int32_t old, int32_t val)
{
    RT_NOISE();
    return AO_int_compare_and_swap_acquire(&a->v, (unsigned)old,
        (unsigned)val);
}

static inline bool
ai32_cas_rel(a_i32 *a, int32_t old, int32_t val)
{
    RT_NOISE();
    return AO_int_compare_and_swap_release(&a->v, (unsigned)old,
        (unsigned)val);
}

static inline bool
ai32_cas_full(a_i32 *a, int32_t old, int32_t val)
{
    RT_NOISE();
    return AO_int_compare_and_swap_full(&a->v, (unsigned)old,
        (unsigned)val);
}

static inline int32_t
ai32_swap_full(a_i32 *a, int32_t val)
{
    int32_t old;

    do {
        old = ai32_load_rlx(a);
    } while (!ai32_cas_full(a, old, val));
    return old;
}

/* Ordered against later loads too: costs a locked instruction. */
static inline void
ai32_store_full(a_i32 *a, int32_t val)
{
    (void)ai32_swap_full(a, val);
}

static inline int32_t
ai32_add_rlx(a_i32 *a, int32_t val)
{
    RT_NOISE();
    return (int32_t)AO_int_fetch_and_add(&a->v, (unsigned)val);
}

static inline int32_t
ai32_add_acq(a_i32 *a, int32_t val)
{
    RT_NOISE();
    return (int32_t)AO_int_fetch_and_add_acquire(&a->v, (unsigned)val);
}

static inline int32_t
ai32_add_rel(a_i32 *a, int32_t val)
{
    RT_NOISE();
    return (int32_t)AO_int_fetch_and_add_release(&a->v, (unsigned)val);
}

static inline int32_t
ai32_add_full(a_i32 *a, int32_t val)
{
    RT_NOISE();
    return (int32_t)AO_int_fetch_and_add_full(&a->v, (unsigned)val);
}

static inline uint64_t
a64_load_rlx(const a_u64 *a)
{
    RT_NOISE();
    return (uint64_t)AO_load(&a->v);
}

static inline uint64_t
a64_load_acq(const a_u64 *a)
{
    RT_NOISE();
    return (uint64_t)AO_load_acquire(&a->v);
}

static inline void
a64_store_rlx(a_u64 *a, uint64_t val)
{
    RT_NOISE();
    AO_store(&a->v, (AO_t)val);
}

static inline void
a64_store_rel(a_u64 *a, uint64_t val)
{
    RT_NOISE();
    AO_store_release(&a->v, (AO_t)val);
}

static inline bool
a64_cas_rlx(a_u64 *a, uint64_t old, uint64_t val)
{
    RT_NOISE();
    return AO_compare_and_swap(&a->v, (AO_t)old,
        (AO_t)val);
}

static inline bool
a64_cas_acq(a_u64 *a, uint64_t old, uint64_t val)
{
    RT_NOISE();
    return AO_compare_and_swap_acquire(&a->v, (AO_t)old,
        (AO_t)val);
}

static inline bool
a64_cas_rel(a_u64 *a, uint64_t old, uint64_t val)
{
    RT_NOISE();
    return AO_compare_and_swap_release(&a->v, (AO_t)old,
        (AO_t)val);
}

static inline bool
a64_cas_full(a_u64 *a, uint64_t old, uint64_t val)
{
    RT_NOISE();
    return AO_compare_and_swap_full(&a->v, (AO_t)old,
        (AO_t)val);
}

static inline uint64_t
a64_swap_full(a_u64 *a, uint64_t val)
{
    uint64_t old;

    do {
        old = a64_load_rlx(a);
    } while (!a64_cas_full(a, old, val));
    return old;
}

/* Ordered against later loads too: costs a locked instruction. */
static inline void
a64_store_full(a_u64 *a, uint64_t val)
{
    (void)a64_swap_full(a, val);
}

static inline uint64_t
a64_add_rlx(a_u64 *a, uint64_t val)
{
    RT_NOISE();
    return (uint64_t)AO_fetch_and_add(&a->v, (AO_t)val);
}

static inline uint64_t
a64_add_acq(a_u64 *a, uint64_t val)
{
    RT_NOISE();
    return (uint64_t)AO_fetch_and_add_acquire(&a->v, (AO_t)val);
}

static inline uint64_t
a64_add_rel(a_u64 *a, uint64_t val)
{
    RT_NOISE();
    return (uint64_t)AO_fetch_and_add_release(&a->v, (AO_t)val);
}

static inline uint64_t
a64_add_full(a_u64 *a, uint64_t val)
{
    RT_NOISE();
    return (uint64_t)AO_fetch_and_add_full(&a->v, (AO_t)val);
}

/* A loop, since the result is wanted. */
static inline uint64_t
a64_or_full(a_u64 *a, uint64_t val)
{
    uint64_t old;

    do {
        old = a64_load_rlx(a);
    } while (!a64_cas_full(a, old, old | val));
    return old;
}

/* A loop, since the result is wanted. */
static inline uint64_t
a64_and_full(a_u64 *a, uint64_t val)
{
    uint64_t old;

    do {
        old = a64_load_rlx(a);
    } while (!a64_cas_full(a, old, old & val));
    return old;
}

static inline int64_t
ai64_load_rlx(const a_i64 *a)
{
    RT_NOISE();
    return (int64_t)AO_load(&a->v);
}

static inline int64_t
ai64_load_acq(const a_i64 *a)
{
    RT_NOISE();
    return (int64_t)AO_load_acquire(&a->v);
}

static inline void
ai64_store_rlx(a_i64 *a, int64_t val)
{
    RT_NOISE();
    AO_store(&a->v, (AO_t)val);
}

static inline void
ai64_store_rel(a_i64 *a, int64_t val)
{
    RT_NOISE();
    AO_store_release(&a->v, (AO_t)val);
}

static inline bool
ai64_cas_rlx(a_i64 *a, int64_t old, int64_t val)
{
    RT_NOISE();
    return AO_compare_and_swap(&a->v, (AO_t)old,
        (AO_t)val);
}

static inline bool
ai64_cas_acq(a_i64 *a, int64_t old, int64_t val)
{
    RT_NOISE();
    return AO_compare_and_swap_acquire(&a->v, (AO_t)old,
        (AO_t)val);
}

static inline bool
ai64_cas_rel(a_i64 *a, int64_t old, int64_t val)
{
    RT_NOISE();
    return AO_compare_and_swap_release(&a->v, (AO_t)old,
        (AO_t)val);
}

static inline bool
ai64_cas_full(a_i64 *a, int64_t old, int64_t val)
{
    RT_NOISE();
    return AO_compare_and_swap_full(&a->v, (AO_t)old,
        (AO_t)val);
}

static inline int64_t
ai64_swap_full(a_i64 *a, int64_t val)
{
    int64_t old;

    do {
        old = ai64_load_rlx(a);
    } while (!ai64_cas_full(a, old, val));
    return old;
}

/* Ordered against later loads too: costs a locked instruction. */
static inline void
ai64_store_full(a_i64 *a, int64_t val)
{
    (void)ai64_swap_full(a, val);
}

static inline int64_t
ai64_add_rlx(a_i64 *a, int64_t val)
{
    RT_NOISE();
    return (int64_t)AO_fetch_and_add(&a->v, (AO_t)val);
}

static inline int64_t
ai64_add_acq(a_i64 *a, int64_t val)
{
    RT_NOISE();
    return (int64_t)AO_fetch_and_add_acquire(&a->v, (AO_t)val);
}

static inline int64_t
ai64_add_rel(a_i64 *a, int64_t val)
{
    RT_NOISE();
    return (int64_t)AO_fetch_and_add_release(&a->v, (AO_t)val);
}

static inline int64_t
ai64_add_full(a_i64 *a, int64_t val)
{
    RT_NOISE();
    return (int64_t)AO_fetch_and_add_full(&a->v, (AO_t)val);
}

static inline void *
aptr_load_rlx(const a_ptr *a)
{
    RT_NOISE();
    return (void *)(uintptr_t)AO_load(&a->v);
}

static inline void *
aptr_load_acq(const a_ptr *a)
{
    RT_NOISE();
    return (void *)(uintptr_t)AO_load_acquire(&a->v);
}

static inline void
aptr_store_rlx(a_ptr *a, void *val)
{
    RT_NOISE();
    AO_store(&a->v, (AO_t)(uintptr_t)val);
}

static inline void
aptr_store_rel(a_ptr *a, void *val)
{
    RT_NOISE();
    AO_store_release(&a->v, (AO_t)(uintptr_t)val);
}

static inline bool
aptr_cas_rlx(a_ptr *a, void *old, void *val)
{
    RT_NOISE();
    return AO_compare_and_swap(&a->v, (AO_t)(uintptr_t)old,
        (AO_t)(uintptr_t)val);
}

static inline bool
aptr_cas_acq(a_ptr *a, void *old, void *val)
{
    RT_NOISE();
    return AO_compare_and_swap_acquire(&a->v, (AO_t)(uintptr_t)old,
        (AO_t)(uintptr_t)val);
}

static inline bool
aptr_cas_rel(a_ptr *a, void *old, void *val)
{
    RT_NOISE();
    return AO_compare_and_swap_release(&a->v, (AO_t)(uintptr_t)old,
        (AO_t)(uintptr_t)val);
}

static inline bool
aptr_cas_full(a_ptr *a, void *old, void *val)
{
    RT_NOISE();
    return AO_compare_and_swap_full(&a->v, (AO_t)(uintptr_t)old,
        (AO_t)(uintptr_t)val);
}

static inline void *
aptr_swap_full(a_ptr *a, void *val)
{
    void *old;

    do {
        old = aptr_load_rlx(a);
    } while (!aptr_cas_full(a, old, val));
    return old;
}

/* Ordered against later loads too: costs a locked instruction. */
static inline void
aptr_store_full(a_ptr *a, void *val)
{
    (void)aptr_swap_full(a, val);
}

static inline uint8_t
a8_load_rlx(const a_bool8 *a)
{
    RT_NOISE();
    return (uint8_t)AO_char_load(&a->v);
}

static inline uint8_t
a8_load_acq(const a_bool8 *a)
{
    RT_NOISE();
    return (uint8_t)AO_char_load_acquire(&a->v);
}

static inline void
a8_store_rlx(a_bool8 *a, uint8_t val)
{
    RT_NOISE();
    AO_char_store(&a->v, (unsigned char)val);
}

static inline void
a8_store_rel(a_bool8 *a, uint8_t val)
{
    RT_NOISE();
    AO_char_store_release(&a->v, (unsigned char)val);
}

static inline bool
a8_cas_full(a_bool8 *a, uint8_t old, uint8_t val)
{
    RT_NOISE();
    return AO_char_compare_and_swap_full(&a->v, (unsigned char)old,
        (unsigned char)val);
}

static inline uint8_t
a8_swap_full(a_bool8 *a, uint8_t val)
{
    uint8_t old;

    do {
        old = a8_load_rlx(a);
    } while (!a8_cas_full(a, old, val));
    return old;
}

/* Ordered against later loads too: costs a locked instruction. */
static inline void
a8_store_full(a_bool8 *a, uint8_t val)
{
    (void)a8_swap_full(a, val);
}

/* As a32_or_full(): a loop, since the result is wanted. */
static inline uint8_t
a8_or_full(a_bool8 *a, uint8_t val)
{
    uint8_t old;

    do {
        old = a8_load_rlx(a);
    } while (!a8_cas_full(a, old, (uint8_t)(old | val)));
    return old;
}

/* Keeps the compiler from moving memory accesses across: for what a signal
 * handler on the same thread reads. */
static inline void
a_signal_fence(void)
{
    __asm__ volatile("" ::: "memory");
}

#endif
