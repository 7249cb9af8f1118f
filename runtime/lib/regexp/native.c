/* SPDX-License-Identifier: MIT */

/* Natives of package regexp: see rematch.h. */

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/regexp/rematch.h"

/* prog of prog.go. */
struct go_prog {
    struct rt_slice inst;
    struct rt_slice ranges;
    struct rt_str prefix;
    int64_t start;
    uint8_t anchored;
    uint8_t longest;
};

/* func match(p *prog, s string, pos int, caps []int) bool */
enum vm_status
lib_regexp_match(struct vm_thread *t, union lib_regexp_match_4to1 *f)
{
    const struct go_prog *g = f->in.p;
    struct rt_str s = f->in.s;
    struct rt_slice caps = f->in.caps;
    struct re_prog p = {
        .inst = g->inst.ptr,
        .ranges = g->ranges.ptr,
        .prefix = g->prefix.ptr,
        .ninst = (size_t)g->inst.len,
        .nprefix = (size_t)g->prefix.len,
        .start = (uint32_t)g->start,
        .anchored = g->anchored != 0,
        .longest = g->longest != 0,
    };
    enum re_result got = lib_re_match(
        &p, s.ptr, s.len, f->in.pos, caps.ptr, (size_t)caps.len);

    if (got == RE_NOMEM)
        return vm_fatalf(t, "runtime: out of memory");
    f->out.r = got == RE_YES;
    return VM_OK;
}
