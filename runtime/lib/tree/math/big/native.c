/* SPDX-License-Identifier: MIT */

/*
 * Arithmetic on vectors of words, lowest first.  z may be x or y, or begin at
 * another word of the same array as Go's callers have it, so that the order of
 * the loops matters.  Nothing is written beyond the shortest vector.
 */

#include <string.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"

typedef unsigned __int128 wide;

static int64_t
shorter(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* func addVV(z, x, y []Word) (c Word): z = x + y */
enum vm_status
lib_tree_big_addVV(struct vm_thread *t, union lib_tree_big_addVV_3to1 *f)
{
    uint64_t *z = f->in.z.ptr;
    const uint64_t *x = f->in.x.ptr, *y = f->in.y.ptr;
    int64_t i, n = shorter(f->in.z.len, shorter(f->in.x.len, f->in.y.len));
    uint64_t c = 0;

    (void)t;
    for (i = 0; i < n; i++) {
        wide sum = (wide)x[i] + y[i] + c;

        z[i] = (uint64_t)sum;
        c = (uint64_t)(sum >> 64);
    }
    f->out.c = c;
    return VM_OK;
}

/* func subVV(z, x, y []Word) (c Word): z = x - y */
enum vm_status
lib_tree_big_subVV(struct vm_thread *t, union lib_tree_big_subVV_3to1 *f)
{
    uint64_t *z = f->in.z.ptr;
    const uint64_t *x = f->in.x.ptr, *y = f->in.y.ptr;
    int64_t i, n = shorter(f->in.z.len, shorter(f->in.x.len, f->in.y.len));
    uint64_t c = 0;

    (void)t;
    for (i = 0; i < n; i++) {
        wide rest = (wide)x[i] - y[i] - c;

        z[i] = (uint64_t)rest;
        c = (uint64_t)(rest >> 64) & 1;
    }
    f->out.c = c;
    return VM_OK;
}

/* func addVW(z, x []Word, y Word) (c Word): z = x + y */
enum vm_status
lib_tree_big_addVW(struct vm_thread *t, union lib_tree_big_addVW_3to1 *f)
{
    uint64_t *z = f->in.z.ptr, c = f->in.y;
    const uint64_t *x = f->in.x.ptr;
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
    uint64_t *z = f->in.z.ptr, c = f->in.y;
    const uint64_t *x = f->in.x.ptr;
    int64_t i, n = shorter(f->in.z.len, f->in.x.len);

    (void)t;
    for (i = 0; i < n; i++)
        c = __builtin_sub_overflow(x[i], c, &z[i]);
    f->out.c = c;
    return VM_OK;
}

/* func shlVU(z, x []Word, s uint) (c Word): z = x << s */
enum vm_status
lib_tree_big_shlVU(struct vm_thread *t, union lib_tree_big_shlVU_3to1 *f)
{
    uint64_t *z = f->in.z.ptr, c = 0;
    const uint64_t *x = f->in.x.ptr;
    int64_t i, n = shorter(f->in.z.len, f->in.x.len);
    unsigned s = (unsigned)f->in.s % 64;

    (void)t;
    if (s == 0 && n > 0) {
        memmove(z, x, (size_t)n * sizeof *z);
    } else if (n > 0) {
        c = x[n - 1] >> (64 - s);
        for (i = n - 1; i > 0; i--)
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
    uint64_t *z = f->in.z.ptr, c = 0;
    const uint64_t *x = f->in.x.ptr;
    int64_t i, n = shorter(f->in.z.len, f->in.x.len);
    unsigned s = (unsigned)f->in.s % 64;

    (void)t;
    if (s == 0 && n > 0) {
        memmove(z, x, (size_t)n * sizeof *z);
    } else if (n > 0) {
        c = x[0] << (64 - s);
        for (i = 1; i < n; i++)
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
    uint64_t *z = f->in.z.ptr, y = f->in.y, c = f->in.r;
    const uint64_t *x = f->in.x.ptr;
    int64_t i, n = shorter(f->in.z.len, f->in.x.len);

    (void)t;
    for (i = 0; i < n; i++) {
        wide p = (wide)x[i] * y + c;

        z[i] = (uint64_t)p;
        c = (uint64_t)(p >> 64);
    }
    f->out.c = c;
    return VM_OK;
}

/* func addMulVVWW(z, x, y []Word, m, a Word) (c Word): z = x + y * m + a */
enum vm_status
lib_tree_big_addMulVVWW(
    struct vm_thread *t, union lib_tree_big_addMulVVWW_5to1 *f)
{
    uint64_t *z = f->in.z.ptr, m = f->in.m, c = f->in.a;
    const uint64_t *x = f->in.x.ptr, *y = f->in.y.ptr;
    int64_t i, n = shorter(f->in.z.len, shorter(f->in.x.len, f->in.y.len));

    (void)t;
    for (i = 0; i < n; i++) {
        wide p = (wide)y[i] * m + x[i] + c;

        z[i] = (uint64_t)p;
        c = (uint64_t)(p >> 64);
    }
    f->out.c = c;
    return VM_OK;
}
