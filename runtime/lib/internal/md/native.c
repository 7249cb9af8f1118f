/* SPDX-License-Identifier: MIT */

/*
 * Natives of internal/md: see hashes.h.  The Go side passes long data in
 * pieces, so that a collection need not wait for it.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/hashes.h"

/* func blocks(kind int, h *[8]uint32, p []byte) */
enum vm_status
lib_md_blocks(struct vm_thread *t, union lib_md_blocks_3to0 *f)
{
    (void)t;
    lib_hash_blocks((enum hash_kind)f->in.kind, f->in.h, f->in.p.ptr,
        (size_t)f->in.p.len);
    return VM_OK;
}
