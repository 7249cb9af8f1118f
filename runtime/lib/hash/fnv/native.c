/* SPDX-License-Identifier: MIT */

/*
 * Natives of hash/fnv: see hashes.h.  The Go side passes long data in pieces,
 * so that a collection need not wait for it.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/support/hashes.h"

/* func update(h, prime uint64, xorFirst bool, p []byte) uint64 */
enum vm_status
lib_fnv_update(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = lib_hash_fnv(
        fp[0].u, fp[1].u, fp[2].u != 0, fp[3].p, (size_t)fp[4].i);
    return VM_OK;
}
