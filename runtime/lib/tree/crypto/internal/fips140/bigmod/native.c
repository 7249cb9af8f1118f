/* SPDX-License-Identifier: MIT */

/* Arithmetic on vectors of words, lowest first.  The time does not depend on
 * what the words are. */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"

/* func addMulVVW(z, x []uint, y uint) (carry uint): z += x * y.  Where they
 * share an array, z begins at the same word or a later one in the callers. */
enum vm_status
lib_tree_bigmod_addMulVVW(
    struct vm_thread *t, union lib_tree_bigmod_addMulVVW_3to1 *f)
{
    uint64_t *z = f->in.z.ptr, y = f->in.y, c = 0;
    const uint64_t *x = f->in.x.ptr;
    int64_t i, n = f->in.z.len < f->in.x.len ? f->in.z.len : f->in.x.len;

    (void)t;
    for (i = 0; i < n; i++) {
        unsigned __int128 p = (unsigned __int128)x[i] * y + z[i] + c;

        z[i] = (uint64_t)p;
        c = (uint64_t)(p >> 64);
    }
    f->out.carry = c;
    return VM_OK;
}
