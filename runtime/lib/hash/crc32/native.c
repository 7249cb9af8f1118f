/* SPDX-License-Identifier: MIT */

/*
 * Natives of hash/crc32: see hashes.h.  The Go side passes long data in pieces,
 * so that a collection need not wait for it.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/hashes.h"

/* func fill(t *Table, poly uint32) */
enum vm_status
lib_crc32_fill(struct vm_thread *t, union lib_crc32_fill_2to0 *f)
{
    (void)t;
    lib_hash_crc32_table((uint32_t)f->in.poly, f->in.t);
    return VM_OK;
}

/* func update(t *Table, crc uint32, p []byte) uint32 */
enum vm_status
lib_crc32_update(struct vm_thread *t, union lib_crc32_update_3to1 *f)
{
    (void)t;
    f->out.r =
        lib_hash_crc32(f->in.t, (uint32_t)f->in.crc, f->in.p.ptr,
            (size_t)f->in.p.len);
    return VM_OK;
}
