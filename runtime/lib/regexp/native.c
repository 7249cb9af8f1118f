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

static enum vm_status
run(struct vm_thread *t, const struct go_prog *g, const struct re_text *text,
    int64_t pos, struct rt_slice caps, uint64_t *found)
{
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
    enum re_result got =
        lib_re_match(&p, text, pos, caps.ptr, (size_t)caps.len);

    if (got == RE_NOMEM)
        return vm_out_of_memory(t);
    *found = got == RE_YES;
    return VM_OK;
}

/* func match(p *prog, s string, pos int, caps []int) bool */
enum vm_status
lib_regexp_match(struct vm_thread *t, union lib_regexp_match_4to1 *f)
{
    struct re_text text = {.bytes = f->in.s.ptr, .n = f->in.s.len};

    return run(t, f->in.p, &text, f->in.pos, f->in.caps, &f->out.r);
}

/* func matchChars(p *prog, s []rune, caps []int) bool */
enum vm_status
lib_regexp_matchChars(
    struct vm_thread *t, union lib_regexp_matchChars_3to1 *f)
{
    static const int32_t none;
    struct re_text text = {
        .chars = f->in.s.len == 0 ? &none : f->in.s.ptr,
        .n = f->in.s.len,
    };

    return run(t, f->in.p, &text, 0, f->in.caps, &f->out.r);
}
