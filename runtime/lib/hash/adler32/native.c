/* SPDX-License-Identifier: MIT */

/*
 * Natives of hash/adler32: see hashes.h.  The Go side passes long data in pieces,
 * so that a collection need not wait for it.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/support/hashes.h"

/* func update(sum uint32, p []byte) uint32 */
enum vm_status
lib_adler32_update(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = lib_hash_adler32((uint32_t)fp[0].u, fp[1].p, (size_t)fp[2].i);
    return VM_OK;
}
