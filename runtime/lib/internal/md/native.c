/* SPDX-License-Identifier: MIT */

/*
 * Natives of internal/md: see hashes.h.  The Go side passes long data in
 * pieces, so that a collection need not wait for it.
 */

#include "runtime/lib/lib.h"
#include "runtime/lib/support/hashes.h"

/* func blocks(kind int, h *[8]uint32, p []byte) */
enum vm_status
lib_md_blocks(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    lib_hash_blocks((enum hash_kind)fp[0].i, fp[1].p, fp[2].p, (size_t)fp[3].i);
    return VM_OK;
}
