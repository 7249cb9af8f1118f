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
#include "runtime/lib/support/text.h"
#include "runtime/lib/support/utf8.h"
#include "runtime/vm/native.h"

/* Where an empty slice that is not nil points. */
static const uint64_t empty;

static struct rt_slice
nil_slice(void)
{
    return (struct rt_slice){NULL, 0, 0};
}

static struct rt_slice
empty_slice(void)
{
    return (struct rt_slice){(void *)&empty, 0, 0};
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

/* Bytes as the text functions take them. */
static inline struct rt_str
text(struct rt_slice s)
{
    return (struct rt_str){s.ptr, s.len};
}

/* A native whose result is an expression of the text a, its parameter pa. */
#define PURE1(fn, pa, expr)                                                  \
    enum vm_status lib_bytes_##fn(                                           \
        struct vm_thread *t, union lib_bytes_##fn##_2to1 *f)                 \
    {                                                                        \
        (void)t;                                                             \
        struct rt_str a = text(f->in.pa);                                    \
        f->out.r = (expr);                                                   \
        return VM_OK;                                                        \
    }
/* The same with a text b, the parameter pb. */
#define PURE(fn, pa, pb, expr)                                               \
    enum vm_status lib_bytes_##fn(                                           \
        struct vm_thread *t, union lib_bytes_##fn##_2to1 *f)                 \
    {                                                                        \
        (void)t;                                                             \
        struct rt_str a = text(f->in.pa);                                    \
        struct rt_str b = {f->in.pb.ptr, f->in.pb.len};                      \
        f->out.r = (expr);                                                   \
        return VM_OK;                                                        \
    }

PURE(Compare, a, b, text_compare(a, b))
PURE(Contains, b, subslice, text_index(a, b) >= 0)
PURE(ContainsAny, b, chars, text_index_any(a, b) >= 0)
PURE1(ContainsRune, b, text_index_rune(a, (int32_t)f->in.r) >= 0)
PURE(Count, s, sep, text_count(a, b))
PURE(Equal, a, b, text_equal(a, b))
PURE(EqualFold, s, t, text_equal_fold(a, b))
PURE(HasPrefix, s, prefix, text_has_prefix(a, b))
PURE(HasSuffix, s, suffix, text_has_suffix(a, b))
PURE(Index, s, sep, text_index(a, b))
PURE(IndexAny, s, chars, text_index_any(a, b))
PURE1(IndexByte, b, text_index_byte(a, (uint8_t)f->in.c))
PURE1(IndexRune, s, text_index_rune(a, (int32_t)f->in.r))
PURE(LastIndex, s, sep, text_last_index(a, b))
PURE(LastIndexAny, s, chars, text_last_index_any(a, b))
PURE1(LastIndexByte, s, text_last_index_byte(a, (uint8_t)f->in.c))

/* func Cut(s, sep []byte) (before, after []byte, found bool) */
enum vm_status
lib_bytes_Cut(struct vm_thread *t, union lib_bytes_Cut_2to3 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    struct rt_str sep = text(f->in.sep);
    int64_t i = text_index(text(s), sep);
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
    struct rt_str b = text(f->in.prefix);
    bool found = text_has_prefix(text(s), b);
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
    struct rt_str b = text(f->in.suffix);
    bool found = text_has_suffix(text(s), b);
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
    struct rt_str b = text(f->in.prefix);
    if (text_has_prefix(text(s), b))
        f->out.r = part(s, b.len, s.len);
    return VM_OK;
}

/* func TrimSuffix(s, suffix []byte) []byte */
enum vm_status
lib_bytes_TrimSuffix(struct vm_thread *t, union lib_bytes_TrimSuffix_2to1 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    struct rt_str b = text(f->in.suffix);
    if (text_has_suffix(text(s), b))
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
    int64_t lo = text_trim_left(text(s), cut);
    struct rt_slice rest = part(s, lo, s.len);
    f->out.r = trimmed(s, lo, lo + text_trim_right(text(rest), cut));
    return VM_OK;
}

enum vm_status
lib_bytes_TrimLeft(struct vm_thread *t, union lib_bytes_TrimLeft_2to1 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    f->out.r = trimmed(s, text_trim_left(text(s), f->in.cutset), s.len);
    return VM_OK;
}

enum vm_status
lib_bytes_TrimRight(struct vm_thread *t, union lib_bytes_TrimRight_2to1 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    int64_t hi = text_trim_right(text(s), f->in.cutset);
    f->out.r = part(s, 0, hi);
    return VM_OK;
}

enum vm_status
lib_bytes_TrimSpace(struct vm_thread *t, union lib_bytes_TrimSpace_1to1 *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    int64_t lo = text_trim_left_space(text(s));
    f->out.r = trimmed(s, lo, text_trim_right_space(text(s)));
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
        if (text_to_case(&b, text(f->in.s), to))                             \
            return ret_buf(&f->out.r, &b);                                   \
        return ret_copy(t, &f->out.r, text(f->in.s), empty_slice());         \
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
        if (text_replace(&b, text(f->in.s), text(f->in.old),                 \
                text(f->in.new_), n))                                        \
            return ret_buf(&f->out.r, &b);                                   \
        return ret_copy(t, &f->out.r, text(f->in.s), nil_slice());           \
    }

REPLACE(Replace, 4to1, f->in.n)
REPLACE(ReplaceAll, 3to1, -1)

enum vm_status
lib_bytes_ToValidUTF8(
    struct vm_thread *t, union lib_bytes_ToValidUTF8_2to1 *f)
{
    struct rt_str s = text(f->in.s), rep = text(f->in.replacement);
    struct text_buf b;
    text_buf_init(&b, t, s.len + rep.len);
    text_to_valid(&b, s, rep);
    return ret_buf(&f->out.r, &b);
}

enum vm_status
lib_bytes_join(struct vm_thread *t, union lib_bytes_join_2to2 *f)
{
    struct rt_slice elems = f->in.elems;
    struct rt_str sep = text(f->in.sep);
    const struct rt_slice *e = elems.ptr;
    struct text_buf b = {.t = t};

    f->out.ok = true;
    if (elems.len == 1)
        return ret_copy(t, &f->out.b, text(e[0]), nil_slice());
    f->out.ok = text_join(&b, e, elems.len, sizeof *e, sep);
    return f->out.ok ? ret_buf(&f->out.b, &b) : VM_OK;
}

enum vm_status
lib_bytes_repeat(struct vm_thread *t, union lib_bytes_repeat_2to2 *f)
{
    struct rt_str a = text(f->in.b);
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

/* The n slices of the result *out, to be filled with parts of s; NULL: no
 * memory. */
static struct rt_slice *
make_list(
    struct vm_thread *t, struct rt_slice *out, struct rt_slice s, int64_t n)
{
    void *p = (void *)&empty;
    if (n > 0 && (p = vm_new_array(t, &bytes_type, n)) == NULL)
        return NULL;
    /* What s points to may be white still and then is in the hands of this
     * frame only, where the result is written over it. */
    gc_shade(t->cache, s.ptr);
    *out = (struct rt_slice){p, n, n};
    return p;
}

/* s cut at sep into at most n slices, each with the separator behind it if
 * `after`. */
static enum vm_status
split(struct vm_thread *t, struct rt_slice *out, struct rt_slice s,
    struct rt_str sep, int64_t n, bool after)
{
    struct text_pieces p;
    int64_t count, lo, hi;

    if (n == 0) {
        *out = nil_slice();
        return VM_OK;
    }
    count = text_pieces_init(&p, text(s), sep, n, after);
    /* The last one is the tail with its capacity; of runes only where there
     * are as many as were asked for. */
    bool tail = sep.len > 0 ||
        (n < 0 || n > s.len ? count == s.len : count >= n);
    struct rt_slice *e = make_list(t, out, s, count);
    if (e == NULL)
        return VM_EXIT;
    for (int64_t i = 0; i < count; i++) {
        text_next_piece(&p, &lo, &hi);
        e[i] = i == count - 1 && tail ? part(s, lo, hi) : piece(s, lo, hi);
    }
    return VM_OK;
}

#define SPLIT(fn, shape, n, after)                                           \
    enum vm_status lib_bytes_##fn(                                           \
        struct vm_thread *t, union lib_bytes_##fn##_##shape *f)              \
    {                                                                        \
        return split(t, &f->out.r, f->in.s, text(f->in.sep), n, after);      \
    }

SPLIT(Split, 2to1, -1, false)
SPLIT(SplitAfter, 2to1, -1, true)
SPLIT(SplitAfterN, 3to1, f->in.n, true)
SPLIT(SplitN, 3to1, f->in.n, false)

enum vm_status
lib_bytes_Fields(struct vm_thread *t, union lib_bytes_Fields_1to1 *f)
{
    struct rt_slice s = f->in.s;
    int64_t n = 0, at = 0, start;
    while (text_next_field(text(s), &at, &start))
        n++;
    struct rt_slice *e = make_list(t, &f->out.r, s, n);
    if (e == NULL)
        return VM_EXIT;
    at = 0;
    for (int64_t i = 0; i < n; i++) {
        text_next_field(text(s), &at, &start);
        e[i] = piece(s, start, at);
    }
    return VM_OK;
}
