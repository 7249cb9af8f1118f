/* SPDX-License-Identifier: MIT */

/* Natives that packages of Go's library reach by go:linkname: linked.go. */

#include "runtime/base/hash.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/value/alg.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"
#include "sched/sched.h"

/* func rand() uint64 */
enum vm_status
lib_runtime_rand(struct vm_thread *t, union lib_runtime_rand_0to1 *f)
{
    f->out.r = vm_random(t);
    return VM_OK;
}

/* func memhash(p unsafe.Pointer, seed, n uintptr) uintptr */
enum vm_status
lib_runtime_memhash(struct vm_thread *t, union lib_runtime_memhash_3to1 *f)
{
    (void)t;
    f->out.r = rt_hash_bytes(f->in.p, f->in.n, f->in.seed);
    return VM_OK;
}

/* func nanotime() int64 */
enum vm_status
lib_runtime_nanotime(struct vm_thread *t, union lib_runtime_nanotime_0to1 *f)
{
    f->out.r = (int64_t)sched_read_clock(vm_sched(t->vm));
    return VM_OK;
}

/* func typehash(t, p unsafe.Pointer, seed uintptr) uintptr */
enum vm_status
lib_runtime_typehash(struct vm_thread *t, union lib_runtime_typehash_3to1 *f)
{
    const struct rtype *bad;
    uint64_t hash;

    if (!alg_hash(f->in.t, f->in.p, f->in.seed, vm_random(t), &hash, &bad))
        return vm_panicf(t, "hash of unhashable type %s", bad->string);
    f->out.r = hash;
    return VM_OK;
}
