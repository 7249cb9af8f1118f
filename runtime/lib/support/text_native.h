/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_TEXT_NATIVE_H
#define RUNTIME_LIB_SUPPORT_TEXT_NATIVE_H

/*
 * Natives that packages strings and bytes both have: the one takes strings
 * where the other takes slices of bytes.
 */

#include "runtime/lib/support/text.h"
#include "runtime/vm/native.h"

static inline struct rt_str
text_of_str(struct rt_str s)
{
    return s;
}

static inline struct rt_str
text_of_slice(struct rt_slice s)
{
    return (struct rt_str){s.ptr, s.len};
}

/* A string or bytes as the text functions take them. */
#define TEXT_OF(x)                                                           \
    _Generic((x), struct rt_str: text_of_str,                                \
        struct rt_slice: text_of_slice)(x)

/* A native of a package whose result is an expression of the text a, its
 * parameter pa. */
#define TEXT_PURE1(pkg, fn, pa, expr)                                        \
    enum vm_status lib_##pkg##_##fn(                                         \
        struct vm_thread *t, union lib_##pkg##_##fn##_2to1 *f)               \
    {                                                                        \
        (void)t;                                                             \
        struct rt_str a = TEXT_OF(f->in.pa);                                 \
        f->out.r = (expr);                                                   \
        return VM_OK;                                                        \
    }

/* The same with a text b, the parameter pb. */
#define TEXT_PURE2(pkg, fn, pa, pb, expr)                                    \
    enum vm_status lib_##pkg##_##fn(                                         \
        struct vm_thread *t, union lib_##pkg##_##fn##_2to1 *f)               \
    {                                                                        \
        (void)t;                                                             \
        struct rt_str a = TEXT_OF(f->in.pa), b = TEXT_OF(f->in.pb);          \
        f->out.r = (expr);                                                   \
        return VM_OK;                                                        \
    }

/* What strings and bytes declare with the same parameters. */
#define TEXT_NATIVES(pkg)                                                    \
    TEXT_PURE2(pkg, Compare, a, b, text_compare(a, b))                       \
    TEXT_PURE2(pkg, Contains, s, substr, text_index(a, b) >= 0)              \
    TEXT_PURE2(pkg, ContainsAny, s, chars, text_index_any(a, b) >= 0)        \
    TEXT_PURE1(pkg, ContainsRune, s,                                         \
        text_index_rune(a, (int32_t)f->in.r) >= 0)                           \
    TEXT_PURE2(pkg, Count, s, substr, text_count(a, b))                      \
    TEXT_PURE2(pkg, EqualFold, s, t, text_equal_fold(a, b))                  \
    TEXT_PURE2(pkg, Index, s, substr, text_index(a, b))                      \
    TEXT_PURE2(pkg, IndexAny, s, chars, text_index_any(a, b))                \
    TEXT_PURE1(pkg, IndexByte, s, text_index_byte(a, (uint8_t)f->in.c))      \
    TEXT_PURE1(pkg, IndexRune, s, text_index_rune(a, (int32_t)f->in.r))      \
    TEXT_PURE2(pkg, LastIndex, s, substr, text_last_index(a, b))             \
    TEXT_PURE2(pkg, LastIndexAny, s, chars, text_last_index_any(a, b))       \
    TEXT_PURE1(pkg, LastIndexByte, s,                                        \
        text_last_index_byte(a, (uint8_t)f->in.c))

/* Where an empty slice that is not nil points. */
extern const uint64_t text_empty;

/* Writes piece s[lo:hi] as element i of a list; last: it is the last one that
 * was asked for, and the rest of s. */
typedef void text_put_fn(void *list, int64_t i, struct rt_slice s, int64_t lo,
    int64_t hi, bool last);

/* What a list of pieces consists of. */
struct text_list {
    const struct rtype *type;
    text_put_fn *put;
};

/* s cut at sep into at most n pieces, each with the separator behind it if
 * `after`, as a new list in *out, which may lie over s.  A string comes as a
 * slice of its length. */
enum vm_status text_split(struct vm_thread *t, const struct text_list *l,
    struct rt_slice s, struct rt_str sep, int64_t n, bool after,
    struct rt_slice *out);

/* The same for the fields between white space. */
enum vm_status text_fields(struct vm_thread *t, const struct text_list *l,
    struct rt_slice s, struct rt_slice *out);

/* The natives that split, of a package with a static struct text_list
 * `pieces`; slice makes a slice of f->in.s. */
#define TEXT_SPLIT(pkg, fn, shape, slice, n, after)                          \
    enum vm_status lib_##pkg##_##fn(                                         \
        struct vm_thread *t, union lib_##pkg##_##fn##_##shape *f)            \
    {                                                                        \
        return text_split(t, &pieces, slice(f->in.s), TEXT_OF(f->in.sep), n, \
            after, &f->out.r);                                               \
    }

#define TEXT_SPLITS(pkg, slice)                                              \
    TEXT_SPLIT(pkg, Split, 2to1, slice, -1, false)                           \
    TEXT_SPLIT(pkg, SplitAfter, 2to1, slice, -1, true)                       \
    TEXT_SPLIT(pkg, SplitAfterN, 3to1, slice, f->in.n, true)                 \
    TEXT_SPLIT(pkg, SplitN, 3to1, slice, f->in.n, false)                     \
    enum vm_status lib_##pkg##_Fields(                                       \
        struct vm_thread *t, union lib_##pkg##_Fields_1to1 *f)               \
    {                                                                        \
        return text_fields(t, &pieces, slice(f->in.s), &f->out.r);           \
    }

#endif
