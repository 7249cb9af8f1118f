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
        struct vm_thread *t, union lib_bytes_##fn##_frame *f)                \
    {                                                                        \
        (void)t;                                                             \
        struct rt_str a = text(f->in.pa);                                    \
        f->out.r = (expr);                                                   \
        return VM_OK;                                                        \
    }
/* The same with a text b, the parameter pb. */
#define PURE(fn, pa, pb, expr)                                               \
    enum vm_status lib_bytes_##fn(                                           \
        struct vm_thread *t, union lib_bytes_##fn##_frame *f)                \
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
lib_bytes_Cut(struct vm_thread *t, union lib_bytes_Cut_frame *f)
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
lib_bytes_CutPrefix(struct vm_thread *t, union lib_bytes_CutPrefix_frame *f)
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
lib_bytes_CutSuffix(struct vm_thread *t, union lib_bytes_CutSuffix_frame *f)
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
lib_bytes_TrimPrefix(struct vm_thread *t, union lib_bytes_TrimPrefix_frame *f)
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
lib_bytes_TrimSuffix(struct vm_thread *t, union lib_bytes_TrimSuffix_frame *f)
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
static void
ret_trimmed(union rt_slot *fp, struct rt_slice s, int64_t lo, int64_t hi)
{
    vm_ret_slice(fp, 0, lo >= s.len ? nil_slice() : part(s, lo, hi));
}

/* func Trim(s []byte, cutset string) []byte */
enum vm_status
lib_bytes_Trim(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    struct rt_slice s = vm_arg_slice(fp, 0);
    struct rt_str cut = vm_arg_str(fp, 3);
    int64_t lo = text_trim_left(text(s), cut);
    struct rt_slice rest = part(s, lo, s.len);
    ret_trimmed(fp, s, lo, lo + text_trim_right(text(rest), cut));
    return VM_OK;
}

enum vm_status
lib_bytes_TrimLeft(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    struct rt_slice s = vm_arg_slice(fp, 0);
    ret_trimmed(fp, s, text_trim_left(text(s), vm_arg_str(fp, 3)), s.len);
    return VM_OK;
}

enum vm_status
lib_bytes_TrimRight(struct vm_thread *t, union lib_bytes_TrimRight_frame *f)
{
    (void)t;
    struct rt_slice s = f->in.s;
    int64_t hi = text_trim_right(text(s), f->in.cutset);
    f->out.r = part(s, 0, hi);
    return VM_OK;
}

enum vm_status
lib_bytes_TrimSpace(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    struct rt_slice s = vm_arg_slice(fp, 0);
    int64_t lo = text_trim_left_space(text(s));
    ret_trimmed(fp, s, lo, text_trim_right_space(text(s)));
    return VM_OK;
}

/* A copy of s in slot 0; what an empty one is, is given. */
static enum vm_status
ret_copy(struct vm_thread *t, union rt_slot *fp, struct rt_str s,
    struct rt_slice if_empty)
{
    if (s.len == 0) {
        vm_ret_slice(fp, 0, if_empty);
        return VM_OK;
    }
    uint8_t *p = vm_new_bytes(t, (size_t)s.len);
    if (p == NULL)
        return VM_EXIT;
    memcpy(p, s.ptr, (size_t)s.len);
    vm_ret_slice(fp, 0, (struct rt_slice){p, s.len, s.len});
    return VM_OK;
}

/* The contents of b in slot 0; not nil even if empty. */
static enum vm_status
ret_buf(union rt_slot *fp, const struct text_buf *b)
{
    if (b->failed)
        return VM_EXIT;
    if (b->p == NULL)
        vm_ret_slice(fp, 0, empty_slice());
    else
        vm_ret_slice(fp, 0, (struct rt_slice){b->p, b->len, b->cap});
    return VM_OK;
}

static enum vm_status
to_case(struct vm_thread *t, union rt_slot *fp, enum uni_case_to to)
{
    struct text_buf b = {.t = t};
    if (text_to_case(&b, vm_arg_str(fp, 0), to))
        return ret_buf(fp, &b);
    return ret_copy(t, fp, vm_arg_str(fp, 0), empty_slice());
}

enum vm_status
lib_bytes_ToLower(struct vm_thread *t, union rt_slot *fp)
{
    return to_case(t, fp, UNI_LOWER);
}

enum vm_status
lib_bytes_ToTitle(struct vm_thread *t, union rt_slot *fp)
{
    return to_case(t, fp, UNI_TITLE);
}

enum vm_status
lib_bytes_ToUpper(struct vm_thread *t, union rt_slot *fp)
{
    return to_case(t, fp, UNI_UPPER);
}

static enum vm_status
replace(struct vm_thread *t, union rt_slot *fp, int64_t n)
{
    struct text_buf b = {.t = t};
    if (text_replace(&b, vm_arg_str(fp, 0), vm_arg_str(fp, 3),
            vm_arg_str(fp, 6), n))
        return ret_buf(fp, &b);
    return ret_copy(t, fp, vm_arg_str(fp, 0), nil_slice());
}

/* func Replace(s, old, new []byte, n int) []byte */
enum vm_status
lib_bytes_Replace(struct vm_thread *t, union rt_slot *fp)
{
    return replace(t, fp, fp[9].i);
}

enum vm_status
lib_bytes_ReplaceAll(struct vm_thread *t, union rt_slot *fp)
{
    return replace(t, fp, -1);
}

/* func ToValidUTF8(s, replacement []byte) []byte */
enum vm_status
lib_bytes_ToValidUTF8(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_str s = vm_arg_str(fp, 0), rep = vm_arg_str(fp, 3);
    struct text_buf b;
    text_buf_init(&b, t, s.len + rep.len);
    text_to_valid(&b, s, rep);
    return ret_buf(fp, &b);
}

/* func join(elems [][]byte, sep []byte) (b []byte, ok bool) */
enum vm_status
lib_bytes_join(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_slice elems = vm_arg_slice(fp, 0);
    struct rt_str sep = vm_arg_str(fp, 3);
    const struct rt_slice *e = elems.ptr;
    fp[3].u = true;
    if (elems.len == 0) {
        vm_ret_slice(fp, 0, empty_slice());
        return VM_OK;
    }
    if (elems.len == 1)
        return ret_copy(t, fp, text(e[0]), nil_slice());
    int64_t total;
    bool over = __builtin_mul_overflow(sep.len, elems.len - 1, &total);
    for (int64_t i = 0; i < elems.len && !over; i++)
        over = __builtin_add_overflow(total, e[i].len, &total);
    if (over) {
        fp[3].u = false;
        return VM_OK;
    }
    struct text_buf b;
    text_buf_init(&b, t, total);
    for (int64_t i = 0; i < elems.len && !b.failed; i++) {
        if (i > 0)
            text_buf_add(&b, sep.ptr, sep.len);
        text_buf_add(&b, e[i].ptr, e[i].len);
    }
    return ret_buf(fp, &b);
}

/* func repeat(b []byte, count int) (r []byte, ok bool) */
enum vm_status
lib_bytes_repeat(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_str a = vm_arg_str(fp, 0);
    int64_t n = fp[3].i, total;
    fp[3].u = true;
    if (__builtin_mul_overflow(a.len, n, &total)) {
        fp[3].u = false;
        return VM_OK;
    }
    if (total > (int64_t)GC_MAX_ALLOC)
        return vm_panicf(t, "makeslice: len out of range");
    struct text_buf b;
    text_buf_init(&b, t, total);
    if (!b.failed && total > 0) {
        text_repeat(b.p, a, n);
        b.len = total;
    }
    return ret_buf(fp, &b);
}

/* What a [][]byte is made of. */
static const uint8_t bytes_mask = 1;
static const struct rtype bytes_type = {
    .layout = {24, 8, &bytes_mask}, .kind = RK_SLICE, .align = 8};

static bool
make_list(struct vm_thread *t, union rt_slot *fp, int64_t n,
    struct rt_slice **list)
{
    void *p = (void *)&empty;
    if (n > 0 && (p = vm_new_array(t, &bytes_type, n)) == NULL)
        return false;
    /* All parts point into the first argument, which may be white still
     * and then is in the hands of this frame only. */
    gc_shade(t->cache, fp[0].p);
    vm_ret_slice(fp, 0, (struct rt_slice){p, n, n});
    *list = p;
    return true;
}

/* Splits s into at most n runes, the rest in the last. */
static enum vm_status
explode(struct vm_thread *t, union rt_slot *fp, struct rt_slice s, int64_t n)
{
    const uint8_t *p = s.ptr;
    int64_t runes = lib_utf8_count(p, s.len);
    /* The last of n is the tail with its capacity, where n is reached. */
    bool tail = n < 0 || n > s.len ? runes == s.len : runes >= n;
    if (n < 0 || n > runes)
        n = runes;
    struct rt_slice *e;
    if (!make_list(t, fp, n, &e))
        return VM_EXIT;
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i == n - 1 && tail) {
            e[i] = part(s, at, s.len);
            break;
        }
        int32_t r;
        int size = lib_utf8_decode(p + at, s.len - at, &r);
        e[i] = piece(s, at, at + size);
        at += size;
    }
    return VM_OK;
}

/* Splits s at sep into at most n slices, each with the separator behind it
 * if `after`. */
static enum vm_status
split(struct vm_thread *t, union rt_slot *fp, int64_t n, bool after)
{
    struct rt_slice s = vm_arg_slice(fp, 0);
    struct rt_str sep = vm_arg_str(fp, 3);
    if (n == 0) {
        vm_ret_slice(fp, 0, nil_slice());
        return VM_OK;
    }
    if (sep.len == 0)
        return explode(t, fp, s, n);
    int64_t pieces = text_count(text(s), sep) + 1;
    if (n < 0 || n > pieces)
        n = pieces;
    struct rt_slice *e;
    if (!make_list(t, fp, n, &e))
        return VM_EXIT;
    for (int64_t i = 0; i < n - 1; i++) {
        int64_t m = text_index(text(s), sep);
        e[i] = piece(s, 0, after ? m + sep.len : m);
        s = part(s, m + sep.len, s.len);
    }
    e[n - 1] = s;
    return VM_OK;
}

enum vm_status
lib_bytes_Split(struct vm_thread *t, union rt_slot *fp)
{
    return split(t, fp, -1, false);
}

enum vm_status
lib_bytes_SplitAfter(struct vm_thread *t, union rt_slot *fp)
{
    return split(t, fp, -1, true);
}

enum vm_status
lib_bytes_SplitAfterN(struct vm_thread *t, union rt_slot *fp)
{
    return split(t, fp, fp[6].i, true);
}

enum vm_status
lib_bytes_SplitN(struct vm_thread *t, union rt_slot *fp)
{
    return split(t, fp, fp[6].i, false);
}

enum vm_status
lib_bytes_Fields(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_slice s = vm_arg_slice(fp, 0);
    int64_t n = 0, at = 0, start;
    while (text_next_field(text(s), &at, &start))
        n++;
    struct rt_slice *e;
    if (!make_list(t, fp, n, &e))
        return VM_EXIT;
    at = 0;
    for (int64_t i = 0; i < n; i++) {
        text_next_field(text(s), &at, &start);
        e[i] = piece(s, start, at);
    }
    return VM_OK;
}
