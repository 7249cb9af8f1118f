/* SPDX-License-Identifier: MIT */

/* Natives of math/bits.  Arguments are zero-extended in their slots. */

#include <stdint.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/value/num.h"
#include "runtime/vm/native.h"

/* A native whose result is an expression of x. */
#define FN1(fn, expr)                                                        \
    enum vm_status lib_bits_##fn(                                            \
        struct vm_thread *t, union lib_bits_##fn##_1to1 *f)                  \
    {                                                                        \
        (void)t;                                                             \
        uint64_t x = f->in.x;                                                \
        f->out.r = (expr);                                                   \
        return VM_OK;                                                        \
    }

static uint64_t
reverse(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0F0F0F0F0F0F0F0F) | (x & 0x0F0F0F0F0F0F0F0F) << 4;
    return __builtin_bswap64(x);
}

FN1(LeadingZeros8, 8 - num_bits(x))
FN1(LeadingZeros16, 16 - num_bits(x))
FN1(LeadingZeros32, 32 - num_bits(x))
FN1(LeadingZeros64, 64 - num_bits(x))
FN1(TrailingZeros8, num_zeros_below(x, 8))
FN1(TrailingZeros16, num_zeros_below(x, 16))
FN1(TrailingZeros32, num_zeros_below(x, 32))
FN1(TrailingZeros64, num_zeros_below(x, 64))
FN1(OnesCount64, num_ones(x))
FN1(Len64, num_bits(x))
FN1(Reverse8, reverse(x) >> 56)
FN1(Reverse16, reverse(x) >> 48)
FN1(Reverse32, reverse(x) >> 32)
FN1(Reverse64, reverse(x))
FN1(ReverseBytes16, __builtin_bswap64(x) >> 48)
FN1(ReverseBytes32, __builtin_bswap64(x) >> 32)
FN1(ReverseBytes64, __builtin_bswap64(x))

/* Rotates x, of `size` bits, left by k. */
#define ROTATE(fn, size, mask)                                               \
    enum vm_status lib_bits_##fn(                                            \
        struct vm_thread *t, union lib_bits_##fn##_2to1 *f)                  \
    {                                                                        \
        (void)t;                                                             \
        uint64_t x = f->in.x;                                                \
        unsigned k = (unsigned)f->in.k & ((size) - 1);                       \
        f->out.r = k == 0 ? x : (x << k | x >> ((size) - k)) & (mask);       \
        return VM_OK;                                                        \
    }

ROTATE(RotateLeft8, 8, 0xFF)
ROTATE(RotateLeft16, 16, 0xFFFF)
ROTATE(RotateLeft32, 32, 0xFFFFFFFF)
ROTATE(RotateLeft64, 64, UINT64_MAX)

/* func Add64(x, y, carry uint64) (sum, carryOut uint64) */
enum vm_status
lib_bits_Add64(struct vm_thread *t, union lib_bits_Add64_3to2 *f)
{
    (void)t;
    uint64_t x = f->in.x, y = f->in.y, sum = x + y + f->in.carry;
    f->out.sum = sum;
    f->out.carryOut = ((x & y) | ((x | y) & ~sum)) >> 63;
    return VM_OK;
}

/* func Sub64(x, y, borrow uint64) (diff, borrowOut uint64) */
enum vm_status
lib_bits_Sub64(struct vm_thread *t, union lib_bits_Sub64_3to2 *f)
{
    (void)t;
    uint64_t x = f->in.x, y = f->in.y, diff = x - y - f->in.borrow;
    f->out.diff = diff;
    f->out.borrowOut = ((~x & y) | (~(x ^ y) & diff)) >> 63;
    return VM_OK;
}

__extension__ typedef unsigned __int128 u128;

/* func Mul64(x, y uint64) (hi, lo uint64) */
enum vm_status
lib_bits_Mul64(struct vm_thread *t, union lib_bits_Mul64_2to2 *f)
{
    (void)t;
    u128 p = (u128)f->in.x * f->in.y;
    f->out.hi = (uint64_t)(p >> 64);
    f->out.lo = (uint64_t)p;
    return VM_OK;
}

/* func div64(hi, lo, y uint64) (quo, rem uint64), hi < y */
enum vm_status
lib_bits_div64(struct vm_thread *t, union lib_bits_div64_3to2 *f)
{
    (void)t;
    u128 n = (u128)f->in.hi << 64 | f->in.lo;
    uint64_t y = f->in.y;
    f->out.quo = (uint64_t)(n / y);
    f->out.rem = (uint64_t)(n % y);
    return VM_OK;
}
