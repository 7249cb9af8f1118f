/* SPDX-License-Identifier: MIT */

/*
 * Natives of package bytes.  Results that are subslices have the capacities
 * of Go's functions: to the end of the argument's where it is the tail, their
 * own length for pieces of a split.
 */

#include <string.h>

#include "gc/gc.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/text_native.h"
#include "runtime/lib/support/utf8.h"
#include "runtime/vm/native.h"

static struct rt_slice
nil_slice(void)
{
    return (struct rt_slice){NULL, 0, 0};
}

static struct rt_slice
empty_slice(void)
{
    return (struct rt_slice){(void *)&text_empty, 0, 0};
}

/* s[lo:hi] */
static struct rt_slice
part(struct rt_slice s, int64_t lo, int64_t hi)
{
    /* Slicing to zero capacity keeps the base pointer. */
    uintptr_t p = (uintptr_t)s.ptr;
    if (lo != s.cap)
        p += (uintptr_t)lo;
    return (struct rt_slice){(void *)p, hi - lo, s.cap - lo};
}

/* s[lo:hi:hi] */
static struct rt_slice
piece(struct rt_slice s, int64_t lo, int64_t hi)
{
    struct rt_slice p = part(s, lo, hi);
    p.cap = hi - lo;
    return p;
}

TEXT_NATIVES(bytes)
TEXT_PURE2(bytes, HasPrefix, s, prefix, text_has_prefix(a, b))
TEXT_PURE2(bytes, HasSuffix, s, suffix, text_has_suffix(a, b))
TEXT_PURE2(bytes, Equal, a, b, text_equal(a, b))

/* func Cut(s, sep []byte) (before, after []byte, found bool) */
enum vm_status
lib_bytes_Cut(struct vm_thread *t, union lib_bytes_Cut_2to3 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    struct rt_str sep = TEXT_OF(f->in.sep);
    int64_t i = text_index(TEXT_OF(s), sep);
    if (i >= 0) {
        f->out.before = part(s, 0, i);
        f->out.after = part(s, i + sep.len, s.len);
    } else {
        f->out.after = nil_slice();
    }
    f->out.found = i >= 0;
    return VM_OK;
}

/* func CutPrefix(s, prefix []byte) (after []byte, found bool) */
enum vm_status
lib_bytes_CutPrefix(struct vm_thread *t, union lib_bytes_CutPrefix_2to2 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    struct rt_str b = TEXT_OF(f->in.prefix);
    bool found = text_has_prefix(TEXT_OF(s), b);
    if (found)
        f->out.after = part(s, b.len, s.len);
    f->out.found = found;
    return VM_OK;
}

/* func CutSuffix(s, suffix []byte) (before []byte, found bool) */
enum vm_status
lib_bytes_CutSuffix(struct vm_thread *t, union lib_bytes_CutSuffix_2to2 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    struct rt_str b = TEXT_OF(f->in.suffix);
    bool found = text_has_suffix(TEXT_OF(s), b);
    if (found)
        f->out.before = part(s, 0, s.len - b.len);
    f->out.found = found;
    return VM_OK;
}

/* func TrimPrefix(s, prefix []byte) []byte */
enum vm_status
lib_bytes_TrimPrefix(struct vm_thread *t, union lib_bytes_TrimPrefix_2to1 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    struct rt_str b = TEXT_OF(f->in.prefix);
    if (text_has_prefix(TEXT_OF(s), b))
        f->out.r = part(s, b.len, s.len);
    return VM_OK;
}

/* func TrimSuffix(s, suffix []byte) []byte */
enum vm_status
lib_bytes_TrimSuffix(struct vm_thread *t, union lib_bytes_TrimSuffix_2to1 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    struct rt_str b = TEXT_OF(f->in.suffix);
    if (text_has_suffix(TEXT_OF(s), b))
        f->out.r = part(s, 0, s.len - b.len);
    return VM_OK;
}

/* The trim functions differ in when nothing left is nil: always after a cut
 * on the left, for an empty argument also without one. */
static struct rt_slice
trimmed(struct rt_slice s, int64_t lo, int64_t hi)
{
    return lo >= s.len ? nil_slice() : part(s, lo, hi);
}

enum vm_status
lib_bytes_Trim(struct vm_thread *t, union lib_bytes_Trim_2to1 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    struct rt_str cut = f->in.cutset;
    int64_t lo = text_trim_left(TEXT_OF(s), cut);
    struct rt_slice rest = part(s, lo, s.len);
    f->out.r = trimmed(s, lo, lo + text_trim_right(TEXT_OF(rest), cut));
    return VM_OK;
}

enum vm_status
lib_bytes_TrimLeft(struct vm_thread *t, union lib_bytes_TrimLeft_2to1 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    f->out.r = trimmed(s, text_trim_left(TEXT_OF(s), f->in.cutset), s.len);
    return VM_OK;
}

enum vm_status
lib_bytes_TrimRight(struct vm_thread *t, union lib_bytes_TrimRight_2to1 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    int64_t hi = text_trim_right(TEXT_OF(s), f->in.cutset);
    f->out.r = part(s, 0, hi);
    return VM_OK;
}

enum vm_status
lib_bytes_TrimSpace(struct vm_thread *t, union lib_bytes_TrimSpace_1to1 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    int64_t lo = text_trim_left_space(TEXT_OF(s));
    f->out.r = trimmed(s, lo, text_trim_right_space(TEXT_OF(s)));
    return VM_OK;
}

/* A copy of s in *out; what an empty one is, is given. */
static enum vm_status
ret_copy(struct vm_thread *t, struct rt_slice *out, struct rt_str s,
    struct rt_slice if_empty)
{
    if (s.len == 0) {
        *out = if_empty;
        return VM_OK;
    }
    uint8_t *p = vm_new_bytes(t, (size_t)s.len);
    if (p == NULL)
        return VM_EXIT;
    memcpy(p, s.ptr, (size_t)s.len);
    *out = (struct rt_slice){p, s.len, s.len};
    return VM_OK;
}

/* The contents of b in *out; not nil even if empty. */
static enum vm_status
ret_buf(struct rt_slice *out, const struct text_buf *b)
{
    if (b->failed)
        return VM_EXIT;
    *out = b->p == NULL ? empty_slice()
                        : (struct rt_slice){b->p, b->len, b->cap};
    return VM_OK;
}

#define TO_CASE(fn, to)                                                      \
    enum vm_status lib_bytes_##fn(                                           \
        struct vm_thread *t, union lib_bytes_##fn##_1to1 *f)                 \
    {                                                                        \
        struct text_buf b = {.t = t};                                        \
                                                                             \
        if (text_to_case(&b, TEXT_OF(f->in.s), to))                          \
            return ret_buf(&f->out.r, &b);                                   \
        return ret_copy(t, &f->out.r, TEXT_OF(f->in.s), empty_slice());      \
    }

TO_CASE(ToLower, UNI_LOWER)
TO_CASE(ToTitle, UNI_TITLE)
TO_CASE(ToUpper, UNI_UPPER)

#define REPLACE(fn, shape, n)                                                \
    enum vm_status lib_bytes_##fn(                                           \
        struct vm_thread *t, union lib_bytes_##fn##_##shape *f)              \
    {                                                                        \
        struct text_buf b = {.t = t};                                        \
                                                                             \
        if (text_replace(&b, TEXT_OF(f->in.s), TEXT_OF(f->in.old),           \
                TEXT_OF(f->in.new_), n))                                     \
            return ret_buf(&f->out.r, &b);                                   \
        return ret_copy(t, &f->out.r, TEXT_OF(f->in.s), nil_slice());        \
    }

REPLACE(Replace, 4to1, f->in.n)
REPLACE(ReplaceAll, 3to1, -1)

enum vm_status
lib_bytes_ToValidUTF8(
    struct vm_thread *t, union lib_bytes_ToValidUTF8_2to1 *f)
{
    struct rt_str s = TEXT_OF(f->in.s), rep = TEXT_OF(f->in.replacement);
    struct text_buf b;
    text_buf_init(&b, t, s.len + rep.len);
    text_to_valid(&b, s, rep);
    return ret_buf(&f->out.r, &b);
}

enum vm_status
lib_bytes_join(struct vm_thread *t, union lib_bytes_join_2to2 *f)
{
    struct rt_slice elems = f->in.elems;
    struct rt_str sep = TEXT_OF(f->in.sep);
    const struct rt_slice *e = elems.ptr;
    struct text_buf b = {.t = t};

    f->out.ok = true;
    if (elems.len == 1)
        return ret_copy(t, &f->out.b, TEXT_OF(e[0]), nil_slice());
    f->out.ok = text_join(&b, e, elems.len, sizeof *e, sep);
    return f->out.ok ? ret_buf(&f->out.b, &b) : VM_OK;
}

enum vm_status
lib_bytes_repeat(struct vm_thread *t, union lib_bytes_repeat_2to2 *f)
{
    struct rt_str a = TEXT_OF(f->in.b);
    int64_t n = f->in.count, total;

    f->out.ok = !__builtin_mul_overflow(a.len, n, &total);
    if (!f->out.ok)
        return VM_OK;
    if (total > (int64_t)GC_MAX_ALLOC)
        return vm_panicf(t, "makeslice: len out of range");
    struct text_buf b;
    text_buf_init(&b, t, total);
    if (!b.failed && total > 0) {
        text_repeat(b.p, a, n);
        b.len = total;
    }
    return ret_buf(&f->out.r, &b);
}

/* What a [][]byte is made of. */
static const uint8_t bytes_mask = 1;
static const struct rtype bytes_type = {
    .layout = {24, 8, &bytes_mask}, .kind = RK_SLICE, .align = 8};

static void
put_bytes(void *list, int64_t i, struct rt_slice s, int64_t lo, int64_t hi,
    bool last)
{
    ((struct rt_slice *)list)[i] = last ? part(s, lo, hi) : piece(s, lo, hi);
}

static const struct text_list pieces = {&bytes_type, put_bytes};

TEXT_SPLITS(bytes, )
