/* SPDX-License-Identifier: MIT */

/*
 * Arithmetic on vectors of words, lowest first.  z may be x or y, or begin at
 * another word of the same array as Go's callers have it, so that the order of
 * the loops matters.  Nothing is written beyond the shortest vector.
 */

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"

typedef unsigned __int128 wide;
typedef unsigned long long word; /* as the compiler's functions have it */
_Static_assert(sizeof(word) == sizeof(uint64_t), "a Word is that");

static int64_t
shorter(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* *sum = a + b + c, where c is 0 or 1; answers the carry. */
static inline uint8_t
add_carry(uint8_t c, word a, word b, word *sum)
{
#if defined(__x86_64__)
    return _addcarry_u64(c, a, b, sum);
#else
    wide r = (wide)a + b + c;

    *sum = (word)r;
    return (uint8_t)(r >> 64);
#endif
}

/* *rest = a - b - c; answers the borrow. */
static inline uint8_t
sub_borrow(uint8_t c, word a, word b, word *rest)
{
#if defined(__x86_64__)
    return _subborrow_u64(c, a, b, rest);
#else
    wide r = (wide)a - b - c;

    *rest = (word)r;
    return (uint8_t)(r >> 64) & 1;
#endif
}

/* func addVV(z, x, y []Word) (c Word): z = x + y */
enum vm_status
lib_tree_big_addVV(struct vm_thread *t, union lib_tree_big_addVV_3to1 *f)
{
    word *z = f->in.z.ptr;
    const word *x = f->in.x.ptr, *y = f->in.y.ptr;
    int64_t i, n = shorter(f->in.z.len, shorter(f->in.x.len, f->in.y.len));
    uint8_t c = 0;

    (void)t;
    for (i = 0; i + 4 <= n; i += 4) {
        c = add_carry(c, x[i], y[i], &z[i]);
        c = add_carry(c, x[i + 1], y[i + 1], &z[i + 1]);
        c = add_carry(c, x[i + 2], y[i + 2], &z[i + 2]);
        c = add_carry(c, x[i + 3], y[i + 3], &z[i + 3]);
    }
    for (; i < n; i++)
        c = add_carry(c, x[i], y[i], &z[i]);
    f->out.c = c;
    return VM_OK;
}

/* func subVV(z, x, y []Word) (c Word): z = x - y */
enum vm_status
lib_tree_big_subVV(struct vm_thread *t, union lib_tree_big_subVV_3to1 *f)
{
    word *z = f->in.z.ptr;
    const word *x = f->in.x.ptr, *y = f->in.y.ptr;
    int64_t i, n = shorter(f->in.z.len, shorter(f->in.x.len, f->in.y.len));
    uint8_t c = 0;

    (void)t;
    for (i = 0; i + 4 <= n; i += 4) {
        c = sub_borrow(c, x[i], y[i], &z[i]);
        c = sub_borrow(c, x[i + 1], y[i + 1], &z[i + 1]);
        c = sub_borrow(c, x[i + 2], y[i + 2], &z[i + 2]);
        c = sub_borrow(c, x[i + 3], y[i + 3], &z[i + 3]);
    }
    for (; i < n; i++)
        c = sub_borrow(c, x[i], y[i], &z[i]);
    f->out.c = c;
    return VM_OK;
}

/* func addVW(z, x []Word, y Word) (c Word): z = x + y */
enum vm_status
lib_tree_big_addVW(struct vm_thread *t, union lib_tree_big_addVW_3to1 *f)
{
    word *z = f->in.z.ptr, c = f->in.y;
    const word *x = f->in.x.ptr;
    int64_t i, n = shorter(f->in.z.len, f->in.x.len);

    (void)t;
    for (i = 0; i < n; i++)
        c = __builtin_add_overflow(x[i], c, &z[i]);
    f->out.c = c;
    return VM_OK;
}

/* func subVW(z, x []Word, y Word) (c Word): z = x - y */
enum vm_status
lib_tree_big_subVW(struct vm_thread *t, union lib_tree_big_subVW_3to1 *f)
{
    word *z = f->in.z.ptr, c = f->in.y;
    const word *x = f->in.x.ptr;
    int64_t i, n = shorter(f->in.z.len, f->in.x.len);

    (void)t;
    for (i = 0; i < n; i++)
        c = __builtin_sub_overflow(x[i], c, &z[i]);
    f->out.c = c;
    return VM_OK;
}

/* Two words: z = hi << s, and what comes from the words below, which are in lo;
 * 0 < s < 64. */
static inline void
shift_two(word *z, const word *hi, unsigned s, const word *lo)
{
    typedef word two __attribute__((vector_size(16)));
    two a, b;

    memcpy(&a, hi, sizeof a);
    memcpy(&b, lo, sizeof b);
    a = a << s | b >> (64 - s);
    memcpy(z, &a, sizeof a);
}

/* func shlVU(z, x []Word, s uint) (c Word): z = x << s */
enum vm_status
lib_tree_big_shlVU(struct vm_thread *t, union lib_tree_big_shlVU_3to1 *f)
{
    word *z = f->in.z.ptr, c = 0;
    const word *x = f->in.x.ptr;
    int64_t i, n = shorter(f->in.z.len, f->in.x.len);
    unsigned s = (unsigned)f->in.s % 64;

    (void)t;
    if (s == 0 && n > 0) {
        memmove(z, x, (size_t)n * sizeof *z);
    } else if (n > 0) {
        c = x[n - 1] >> (64 - s);
        for (i = n - 1; i >= 4; i -= 4) {
            shift_two(z + i - 1, x + i - 1, s, x + i - 2);
            shift_two(z + i - 3, x + i - 3, s, x + i - 4);
        }
        for (; i > 0; i--)
            z[i] = x[i] << s | x[i - 1] >> (64 - s);
        z[0] = x[0] << s;
    }
    f->out.c = c;
    return VM_OK;
}

/* func shrVU(z, x []Word, s uint) (c Word): z = x >> s */
enum vm_status
lib_tree_big_shrVU(struct vm_thread *t, union lib_tree_big_shrVU_3to1 *f)
{
    word *z = f->in.z.ptr, c = 0;
    const word *x = f->in.x.ptr;
    int64_t i, n = shorter(f->in.z.len, f->in.x.len);
    unsigned s = (unsigned)f->in.s % 64;

    (void)t;
    if (s == 0 && n > 0) {
        memmove(z, x, (size_t)n * sizeof *z);
    } else if (n > 0) {
        c = x[0] << (64 - s);
        for (i = 1; i + 4 <= n; i += 4) {
            shift_two(z + i - 1, x + i, 64 - s, x + i - 1);
            shift_two(z + i + 1, x + i + 2, 64 - s, x + i + 1);
        }
        for (; i < n; i++)
            z[i - 1] = x[i - 1] >> s | x[i] << (64 - s);
        z[n - 1] = x[n - 1] >> s;
    }
    f->out.c = c;
    return VM_OK;
}

/* func mulAddVWW(z, x []Word, y, r Word) (c Word): z = x * y + r */
enum vm_status
lib_tree_big_mulAddVWW(
    struct vm_thread *t, union lib_tree_big_mulAddVWW_4to1 *f)
{
    word *z = f->in.z.ptr, y = f->in.y, c = f->in.r;
    const word *x = f->in.x.ptr;
    int64_t i, n = shorter(f->in.z.len, f->in.x.len);

    (void)t;
    for (i = 0; i + 4 <= n; i += 4) {
        wide p = (wide)x[i] * y, q = (wide)x[i + 1] * y;
        wide r = (wide)x[i + 2] * y, s = (wide)x[i + 3] * y;
        uint8_t k = add_carry(0, (word)p, c, &z[i]);

        k = add_carry(k, (word)q, (word)(p >> 64), &z[i + 1]);
        k = add_carry(k, (word)r, (word)(q >> 64), &z[i + 2]);
        k = add_carry(k, (word)s, (word)(r >> 64), &z[i + 3]);
        c = (word)(s >> 64) + k;
    }
    for (; i < n; i++) {
        wide p = (wide)x[i] * y + c;

        z[i] = (word)p;
        c = (word)(p >> 64);
    }
    f->out.c = c;
    return VM_OK;
}

/* func addMulVVWW(z, x, y []Word, m, a Word) (c Word): z = x + y * m + a */
enum vm_status
lib_tree_big_addMulVVWW(
    struct vm_thread *t, union lib_tree_big_addMulVVWW_5to1 *f)
{
    word *z = f->in.z.ptr, m = f->in.m, c = f->in.a;
    const word *x = f->in.x.ptr, *y = f->in.y.ptr;
    int64_t i, n = shorter(f->in.z.len, shorter(f->in.x.len, f->in.y.len));

    (void)t;
    for (i = 0; i + 4 <= n; i += 4) {
        wide p = (wide)y[i] * m, q = (wide)y[i + 1] * m;
        wide r = (wide)y[i + 2] * m, s = (wide)y[i + 3] * m;
        word w[4];
        uint8_t k = add_carry(0, (word)p, c, &w[0]);

        k = add_carry(k, (word)q, (word)(p >> 64), &w[1]);
        k = add_carry(k, (word)r, (word)(q >> 64), &w[2]);
        k = add_carry(k, (word)s, (word)(r >> 64), &w[3]);
        c = (word)(s >> 64) + k;
        k = add_carry(0, w[0], x[i], &z[i]);
        k = add_carry(k, w[1], x[i + 1], &z[i + 1]);
        k = add_carry(k, w[2], x[i + 2], &z[i + 2]);
        k = add_carry(k, w[3], x[i + 3], &z[i + 3]);
        c += k;
    }
    for (; i < n; i++) {
        wide p = (wide)y[i] * m + x[i] + c;

        z[i] = (word)p;
        c = (word)(p >> 64);
    }
    f->out.c = c;
    return VM_OK;
}
