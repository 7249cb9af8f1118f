/* SPDX-License-Identifier: MIT */

/*
 * Natives of hash/adler32: see hashes.h.  The Go side passes long data in pieces,
 * so that a collection need not wait for it.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/hashes.h"

/* func update(sum uint32, p []byte) uint32 */
enum vm_status
lib_adler32_update(struct vm_thread *t, union lib_adler32_update_2to1 *f)
{
    (void)t;
    f->out.r = lib_hash_adler32(
        (uint32_t)f->in.sum, f->in.p.ptr, (size_t)f->in.p.len);
    return VM_OK;
}
