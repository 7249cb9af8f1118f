/* SPDX-License-Identifier: MIT */

/*
 * Natives of hash/crc64: see hashes.h.  The Go side passes long data in pieces,
 * so that a collection need not wait for it.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/hashes.h"

/* func fill(t *Table, poly uint64) */
enum vm_status
lib_crc64_fill(struct vm_thread *t, union lib_crc64_fill_2to0 *f)
{
    (void)t;
    lib_hash_crc64_table(f->in.poly, f->in.t);
    return VM_OK;
}

/* func update(t *Table, crc uint64, p []byte) uint64 */
enum vm_status
lib_crc64_update(struct vm_thread *t, union lib_crc64_update_3to1 *f)
{
    (void)t;
    f->out.r = lib_hash_crc64(
        f->in.t, f->in.crc, f->in.p.ptr, (size_t)f->in.p.len);
    return VM_OK;
}
