/* SPDX-License-Identifier: MIT */

/* Natives of math/rand. */

#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/hash.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"
#include "sched/sched.h"

static uint64_t
rotl(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

/* func seedState(s *state, seed int64): SplitMix64 fills the four words. */
enum vm_status
lib_rand_seedState(struct vm_thread *t, union lib_rand_seedState_2to0 *f)
{
    (void)t;
    uint64_t *s = f->in.s, x = f->in.seed;
    for (int i = 0; i < 4; i++) {
        x += 0x9e3779b97f4a7c15;
        uint64_t z = x;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        s[i] = z ^ z >> 31;
    }
    return VM_OK;
}

/* func next(s *state) uint64: xoshiro256**. */
enum vm_status
lib_rand_next(struct vm_thread *t, union lib_rand_next_1to1 *f)
{
    (void)t;
    uint64_t *s = f->in.s;
    f->out.r = rotl(s[1] * 5, 7) * 9;
    uint64_t u = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= u;
    s[3] = rotl(s[3], 45);
    return VM_OK;
}

/* func sharedNext(s *uint64) uint64: wyrand, whose state is a counter. */
enum vm_status
lib_rand_sharedNext(struct vm_thread *t, union lib_rand_sharedNext_1to1 *f)
{
    (void)t;
    uint64_t s = a64_add_full(f->in.s, RT_HASH_K0) + RT_HASH_K0;
    f->out.r = rt_hash_mix(s, s ^ RT_HASH_K1);
    return VM_OK;
}

/* func entropy() uint64 */
enum vm_status
lib_rand_entropy(struct vm_thread *t, union lib_rand_entropy_0to1 *f)
{
    f->out.r = sched_entropy(t->m->sched);
    return VM_OK;
}
