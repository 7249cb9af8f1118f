/* SPDX-License-Identifier: MIT */

/* Natives of package strings. */

#include <string.h>

#include "gc/gc.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/text_native.h"
#include "runtime/lib/support/utf8.h"
#include "runtime/vm/native.h"

/* A native whose result is the part of a from `lo` to `hi`. */
#define PART1(fn, pa, lo, hi)                                                \
    enum vm_status lib_strings_##fn(                                         \
        struct vm_thread *t, union lib_strings_##fn##_1to1 *f)               \
    {                                                                        \
        (void)t;                                                             \
        struct rt_str a = f->in.pa;                                          \
        int64_t l = (lo);                                                    \
        a.ptr = text_at(a, l);                                               \
        a.len -= l;                                                          \
        f->out.r.ptr = a.ptr;                                                \
        f->out.r.len = (hi);                                                 \
        return VM_OK;                                                        \
    }
#define PART(fn, pa, pb, lo, hi)                                             \
    enum vm_status lib_strings_##fn(                                         \
        struct vm_thread *t, union lib_strings_##fn##_2to1 *f)               \
    {                                                                        \
        (void)t;                                                             \
        struct rt_str a = f->in.pa, b = f->in.pb;                            \
        int64_t l = (lo);                                                    \
        a.ptr = text_at(a, l);                                               \
        a.len -= l;                                                          \
        f->out.r.ptr = a.ptr;                                                \
        f->out.r.len = (hi);                                                 \
        return VM_OK;                                                        \
    }

TEXT_NATIVES(strings)

PART(Trim, s, cutset, text_trim_left(a, b), text_trim_right(a, b))
PART(TrimLeft, s, cutset, text_trim_left(a, b), a.len)
PART(TrimRight, s, cutset, 0, text_trim_right(a, b))
PART1(TrimSpace, s, text_trim_left_space(a), text_trim_right_space(a))

/* func Cut(s, sep string) (before, after string, found bool) */
enum vm_status
lib_strings_Cut(struct vm_thread *t, union lib_strings_Cut_2to3 *f)
{
    (void)t;
    struct rt_str a = f->in.s, sep = f->in.sep;
    struct rt_str after = {NULL, 0};
    int64_t i = text_index(a, sep);
    if (i >= 0) {
        after.ptr = text_at(a, i + sep.len);
        after.len = a.len - i - sep.len;
        a.len = i;
    }
    f->out.before = a;
    f->out.after = after;
    f->out.found = i >= 0;
    return VM_OK;
}

/* What b has in *out. */
static enum vm_status
ret_buf(struct rt_str *out, const struct text_buf *b)
{
    if (b->failed)
        return VM_EXIT;
    *out = (struct rt_str){b->p, b->len};
    return VM_OK;
}

/* A native that maps s to another case; where that changes nothing the result
 * is s, which lies where the result does. */
#define TO_CASE(fn, to)                                                      \
    enum vm_status lib_strings_##fn(                                         \
        struct vm_thread *t, union lib_strings_##fn##_1to1 *f)               \
    {                                                                        \
        struct text_buf b = {.t = t};                                        \
                                                                             \
        if (!text_to_case(&b, f->in.s, to))                                  \
            return VM_OK;                                                    \
        return ret_buf(&f->out.r, &b);                                       \
    }

TO_CASE(ToLower, UNI_LOWER)
TO_CASE(ToTitle, UNI_TITLE)
TO_CASE(ToUpper, UNI_UPPER)

/* A native that replaces up to n; as with TO_CASE(). */
#define REPLACE(fn, shape, n)                                                \
    enum vm_status lib_strings_##fn(                                         \
        struct vm_thread *t, union lib_strings_##fn##_##shape *f)            \
    {                                                                        \
        struct text_buf b = {.t = t};                                        \
                                                                             \
        if (text_equal(f->in.old, f->in.new_) ||                             \
            !text_replace(&b, f->in.s, f->in.old, f->in.new_, n))            \
            return VM_OK;                                                    \
        return ret_buf(&f->out.r, &b);                                       \
    }

REPLACE(Replace, 4to1, f->in.n)
REPLACE(ReplaceAll, 3to1, -1)

/* func ToValidUTF8(s, replacement string) string */
enum vm_status
lib_strings_ToValidUTF8(
    struct vm_thread *t, union lib_strings_ToValidUTF8_2to1 *f)
{
    struct rt_str a = f->in.s, rep = f->in.replacement;
    if (lib_utf8_valid(a.ptr, a.len))
        return VM_OK;
    struct text_buf b;
    text_buf_init(&b, t, a.len + rep.len);
    text_to_valid(&b, a, rep);
    if (b.failed)
        return VM_EXIT;
    f->out.r = (struct rt_str){b.p, b.len};
    return VM_OK;
}

enum vm_status
lib_strings_join(struct vm_thread *t, union lib_strings_join_2to2 *f)
{
    struct rt_slice elems = f->in.elems;
    struct text_buf b = {.t = t};

    f->out.ok = true;
    if (elems.len <= 1) {
        f->out.s = elems.len == 0 ? (struct rt_str){NULL, 0}
                                  : *(const struct rt_str *)elems.ptr;
        return VM_OK;
    }
    f->out.ok = text_join(
        &b, elems.ptr, elems.len, sizeof(struct rt_str), f->in.sep);
    return f->out.ok ? ret_buf(&f->out.s, &b) : VM_OK;
}

/* func repeat(s string, count int) (r string, ok bool) */
enum vm_status
lib_strings_repeat(struct vm_thread *t, union lib_strings_repeat_2to2 *f)
{
    struct rt_str a = f->in.s;
    int64_t n = f->in.count, total;
    f->out.ok = true;
    if (n == 1)
        return VM_OK;
    if (__builtin_mul_overflow(a.len, n, &total)) {
        f->out.ok = false;
        return VM_OK;
    }
    if (total > (int64_t)GC_MAX_ALLOC)
        return vm_panicf(t, "makeslice: len out of range");
    struct rt_str r = {NULL, 0};
    if (total > 0) {
        uint8_t *p = vm_new_bytes(t, (size_t)total);
        if (p == NULL)
            return VM_EXIT;
        text_repeat(p, a, n);
        r = (struct rt_str){p, total};
    }
    f->out.r = r;
    return VM_OK;
}

/* What a []string is made of. */
static const uint8_t string_mask = 1;
static const struct rtype string_type = {
    .layout = {16, 8, &string_mask}, .kind = RK_STRING, .align = 8};

static void
put_string(void *list, int64_t i, struct rt_slice s, int64_t lo, int64_t hi,
    bool last)
{
    (void)last;
    ((struct rt_str *)list)[i] = (struct rt_str){
        text_at(text_of_slice(s), lo), hi - lo};
}

static const struct text_list pieces = {&string_type, put_string};

static struct rt_slice
slice_of(struct rt_str s)
{
    return (struct rt_slice){(void *)(uintptr_t)s.ptr, s.len, s.len};
}

TEXT_SPLITS(strings, slice_of)

/* func replaceIndex(oldnew []string) []int32: 256 heads by first byte, then
 * one link per pair; pair numbers + 1, 0 ends a chain.  An empty old string
 * is in every chain's way: the pair number + 1 of the first is the last
 * element. */
enum vm_status
lib_strings_replaceIndex(
    struct vm_thread *t, union lib_strings_replaceIndex_1to1 *f)
{
    struct rt_slice list = f->in.oldnew;
    const struct rt_str *s = list.ptr;
    int64_t pairs = list.len / 2;
    int64_t n = 256 + pairs + 1;
    int32_t *x = vm_new_bytes(t, (size_t)n * sizeof(*x));
    if (x == NULL)
        return VM_EXIT;
    memset(x, 0, (size_t)n * sizeof(*x));
    for (int64_t i = pairs - 1; i >= 0; i--) {
        struct rt_str old = s[2 * i];
        if (old.len == 0) {
            x[n - 1] = (int32_t)i + 1;
        } else {
            x[256 + i] = x[old.ptr[0]];
            x[old.ptr[0]] = (int32_t)i + 1;
        }
    }
    f->out.r = (struct rt_slice){x, n, n};
    return VM_OK;
}

/* The first pair in argument order whose old string is at s, or -1. */
static int64_t
find_pair(const struct rt_str *pairs, const int32_t *x, int32_t empty,
    struct rt_str s)
{
    int32_t best = empty;
    if (s.len > 0)
        for (int32_t i = x[s.ptr[0]]; i != 0; i = x[256 + i - 1]) {
            if (empty != 0 && i > empty)
                break;
            if (text_has_prefix(s, pairs[2 * (i - 1)])) {
                best = i;
                break;
            }
        }
    return best - 1;
}

/* func replacePairs(s string, oldnew []string, index []int32) string */
enum vm_status
lib_strings_replacePairs(
    struct vm_thread *t, union lib_strings_replacePairs_3to1 *f)
{
    struct rt_str s = f->in.s;
    const struct rt_str *pairs = f->in.oldnew.ptr;
    const int32_t *x = f->in.index.ptr;
    int32_t empty = x[f->in.index.len - 1];
    struct text_buf b = {.t = t};
    int64_t done = 0;    /* copied up to here */
    bool was_empty = false; /* the previous match was an empty one */
    bool changed = false;
    for (int64_t i = 0; i <= s.len;) {
        int64_t k = -1;
        if (empty != 0 || (i < s.len && x[s.ptr[i]] != 0))
            k = find_pair(pairs, x, was_empty ? 0 : empty,
                (struct rt_str){text_at(s, i), s.len - i});
        if (k < 0) {
            i++;
            was_empty = false;
            continue;
        }
        if (!changed)
            text_buf_init(&b, t, s.len + s.len / 8 + 16);
        changed = true;
        text_buf_add(&b, text_at(s, done), i - done);
        text_buf_add(&b, pairs[2 * k + 1].ptr, pairs[2 * k + 1].len);
        if (b.failed)
            return VM_EXIT;
        was_empty = pairs[2 * k].len == 0;
        i += pairs[2 * k].len;
        done = i;
    }
    if (!changed)
        return VM_OK;
    text_buf_add(&b, text_at(s, done), s.len - done);
    if (b.failed)
        return VM_EXIT;
    f->out.r = (struct rt_str){b.p, b.len};
    return VM_OK;
}
