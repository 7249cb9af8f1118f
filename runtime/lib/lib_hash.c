/* SPDX-License-Identifier: MIT */

/*
 * Natives of internal/md and hash/...: see hashes.h.  The Go side passes
 * long data in pieces, so that a collection need not wait for it.
 */

#include "runtime/lib/hashes.h"
#include "runtime/lib/lib.h"

/* func blocks(kind int, h *[8]uint32, p []byte) */
enum vm_status
lib_md_blocks(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    lib_hash_blocks((enum hash_kind)fp[0].i, fp[1].p, fp[2].p, (size_t)fp[3].i);
    return VM_OK;
}

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

/* func update(sum uint32, p []byte) uint32 */
enum vm_status
lib_adler32_update(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = lib_hash_adler32((uint32_t)fp[0].u, fp[1].p, (size_t)fp[2].i);
    return VM_OK;
}

/* func update(h, prime uint64, xorFirst bool, p []byte) uint64 */
enum vm_status
lib_fnv_update(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = lib_hash_fnv(
        fp[0].u, fp[1].u, fp[2].u != 0, fp[3].p, (size_t)fp[4].i);
    return VM_OK;
}
