/* SPDX-License-Identifier: MIT */

/*
 * Natives of hash/crc64: see hashes.h.  The Go side passes long data in pieces,
 * so that a collection need not wait for it.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/support/hashes.h"

/* func fill(t *Table, poly uint64) */
enum vm_status
lib_crc64_fill(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    lib_hash_crc64_table(fp[1].u, fp[0].p);
    return VM_OK;
}

/* func update(t *Table, crc uint64, p []byte) uint64 */
enum vm_status
lib_crc64_update(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = lib_hash_crc64(fp[0].p, fp[1].u, fp[2].p, (size_t)fp[3].i);
    return VM_OK;
}
