/* SPDX-License-Identifier: MIT */

/*
 * Natives of hash/fnv: see hashes.h.  The Go side passes long data in pieces,
 * so that a collection need not wait for it.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/hashes.h"

/* func update(h, prime uint64, xorFirst bool, p []byte) uint64 */
enum vm_status
lib_fnv_update(struct vm_thread *t, union lib_fnv_update_4to1 *f)
{
    (void)t;
    f->out.r = lib_hash_fnv(
        f->in.h, f->in.prime, f->in.xorFirst != 0, f->in.p.ptr,
        (size_t)f->in.p.len);
    return VM_OK;
}
