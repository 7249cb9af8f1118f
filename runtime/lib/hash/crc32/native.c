/* SPDX-License-Identifier: MIT */

/*
 * Natives of hash/crc32: see hashes.h.  The Go side passes long data in pieces,
 * so that a collection need not wait for it.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/support/hashes.h"

/* func fill(t *Table, poly uint32) */
enum vm_status
lib_crc32_fill(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    lib_hash_crc32_table((uint32_t)fp[1].u, fp[0].p);
    return VM_OK;
}

/* func update(t *Table, crc uint32, p []byte) uint32 */
enum vm_status
lib_crc32_update(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u =
        lib_hash_crc32(fp[0].p, (uint32_t)fp[1].u, fp[2].p, (size_t)fp[3].i);
    return VM_OK;
}
