/* SPDX-License-Identifier: MIT */

/*
 * Natives of package sort.  Numbers are sorted as unsigned integers of the
 * same order: quicksort with a median of three or nine, insertion sort on
 * short ranges, heapsort where the pivots are bad (Musser's introsort).
 * Strings the same way over a comparison.
 */

#include <stdbool.h>
#include <string.h>

#include "gc/gc.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/support/text.h"
#include "runtime/vm/native.h"

#define SHORT_RANGE 16

static inline bool
less_int(int64_t a, int64_t b)
{
    return a < b;
}

static inline bool
less_float(double a, double b)
{
    return a < b || (a != a && b == b);
}

static inline bool
less_str(struct rt_str a, struct rt_str b)
{
    return text_compare(a, b) < 0;
}

/* The sort of one element type. */
#define SORT(name, type, less)                                               \
    static void name##_insertion(type *x, int64_t n)                         \
    {                                                                        \
        for (int64_t i = 1; i < n; i++) {                                    \
            type v = x[i];                                                   \
            int64_t j = i;                                                   \
            for (; j > 0 && less(v, x[j - 1]); j--)                          \
                x[j] = x[j - 1];                                             \
            x[j] = v;                                                        \
        }                                                                    \
    }                                                                        \
    static void name##_sift(type *x, int64_t root, int64_t n)                \
    {                                                                        \
        type v = x[root];                                                    \
        for (int64_t c; (c = 2 * root + 1) < n; root = c) {                  \
            if (c + 1 < n && less(x[c], x[c + 1]))                           \
                c++;                                                         \
            if (!less(v, x[c]))                                              \
                break;                                                       \
            x[root] = x[c];                                                  \
        }                                                                    \
        x[root] = v;                                                         \
    }                                                                        \
    static void name##_heap(type *x, int64_t n)                              \
    {                                                                        \
        for (int64_t i = n / 2 - 1; i >= 0; i--)                             \
            name##_sift(x, i, n);                                            \
        for (int64_t i = n - 1; i > 0; i--) {                                \
            type v = x[0];                                                   \
            x[0] = x[i];                                                     \
            x[i] = v;                                                        \
            name##_sift(x, 0, i);                                            \
        }                                                                    \
    }                                                                        \
    static type name##_median(type a, type b, type c)                        \
    {                                                                        \
        if (less(b, a)) {                                                    \
            type v = a;                                                      \
            a = b;                                                           \
            b = v;                                                           \
        }                                                                    \
        if (!less(c, b))                                                     \
            return b;                                                        \
        return less(c, a) ? a : c;                                           \
    }                                                                        \
    static bool name##_sorted(const type *x, int64_t n)                      \
    {                                                                        \
        for (int64_t i = n - 1; i > 0; i--)                                  \
            if (less(x[i], x[i - 1]))                                        \
                return false;                                                \
        return true;                                                         \
    }                                                                        \
    static void name##_sort(type *x, int64_t n, int depth)                   \
    {                                                                        \
        while (n > SHORT_RANGE) {                                            \
            if (depth-- == 0) {                                              \
                name##_heap(x, n);                                           \
                return;                                                      \
            }                                                                \
            type p = name##_median(x[n / 4], x[n / 2], x[n - n / 4]);        \
            if (n > 128)                                                     \
                p = name##_median(name##_median(x[0], x[n / 8], x[n / 3]),   \
                    p, name##_median(x[n - 1], x[n - n / 8], x[n - n / 3])); \
            int64_t i = -1, j = n;                                           \
            for (;;) {                                                       \
                do                                                           \
                    i++;                                                     \
                while (less(x[i], p));                                       \
                do                                                           \
                    j--;                                                     \
                while (less(p, x[j]));                                       \
                if (i >= j)                                                  \
                    break;                                                   \
                type v = x[i];                                               \
                x[i] = x[j];                                                 \
                x[j] = v;                                                    \
            }                                                                \
            /* [0, i) is not above the pivot, [i, n) not below. */           \
            if (i < n - i) {                                                 \
                name##_sort(x, i, depth);                                    \
                x += i;                                                      \
                n -= i;                                                      \
            } else {                                                         \
                name##_sort(x + i, n - i, depth);                            \
                n = i;                                                       \
            }                                                                \
        }                                                                    \
        name##_insertion(x, n);                                              \
    }

/* clang-format off */
SORT(ints, int64_t, less_int)
SORT(floats, double, less_float)
SORT(strs, struct rt_str, less_str)
/* clang-format on */

static int
depth_limit(int64_t n)
{
    int d = 0;
    for (; n > 0; n >>= 1)
        d += 2;
    return d;
}

enum vm_status
lib_sort_ints(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    struct rt_slice x = vm_arg_slice(fp, 0);
    if (!ints_sorted(x.ptr, x.len))
        ints_sort(x.ptr, x.len, depth_limit(x.len));
    return VM_OK;
}

enum vm_status
lib_sort_floats(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    struct rt_slice x = vm_arg_slice(fp, 0);
    if (!floats_sorted(x.ptr, x.len))
        floats_sort(x.ptr, x.len, depth_limit(x.len));
    return VM_OK;
}

/*
 * Sorting strings moves pointers within one object.  Every pointer that was
 * in it stays in it, but a marker that looks at it meanwhile may miss one: so
 * all are shaded before.
 */
enum vm_status
lib_sort_strings(struct vm_thread *t, union rt_slot *fp)
{
    static const uint8_t mask = 1;
    static const struct rt_layout str = {16, 8, &mask};
    struct rt_slice x = vm_arg_slice(fp, 0);
    if (!strs_sorted(x.ptr, x.len)) {
        gc_write_barrier_range(t->cache, &str, x.ptr, x.ptr,
            (uint64_t)x.len);
        strs_sort(x.ptr, x.len, depth_limit(x.len));
    }
    return VM_OK;
}

enum vm_status
lib_sort_intsSorted(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = ints_sorted(fp[0].p, fp[1].i);
    return VM_OK;
}

enum vm_status
lib_sort_floatsSorted(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = floats_sorted(fp[0].p, fp[1].i);
    return VM_OK;
}

enum vm_status
lib_sort_stringsSorted(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    fp[0].u = strs_sorted(fp[0].p, fp[1].i);
    return VM_OK;
}

/* func sliceOf(x any) (data unsafe.Pointer, n int, elem unsafe.Pointer,
 * ok bool) */
enum vm_status
lib_sort_sliceOf(struct vm_thread *t, union rt_slot *fp)
{
    (void)t;
    struct rt_iface x = vm_arg_iface(fp, 0);
    bool ok = x.type != NULL && x.type->kind == RK_SLICE;
    struct rt_slice s = {NULL, 0, 0};
    if (ok)
        s = *(const struct rt_slice *)x.data;
    fp[0].p = s.ptr;
    fp[1].i = s.len;
    fp[2].p = ok ? (void *)x.type->elem : NULL;
    fp[3].u = ok;
    return VM_OK;
}

/* func swap(data, elem unsafe.Pointer, i, j int) */
enum vm_status
lib_sort_swap(struct vm_thread *t, union rt_slot *fp)
{
    const struct rtype *elem = fp[1].p;
    size_t size = rtype_size(elem);
    uint8_t *a = (uint8_t *)fp[0].p + (size_t)fp[2].i * size;
    uint8_t *b = (uint8_t *)fp[0].p + (size_t)fp[3].i * size;
    if (!rtype_has_pointers(elem)) {
        for (size_t i = 0; i < size;) {
            uint8_t v[64];
            size_t n = size - i < sizeof(v) ? size - i : sizeof(v);
            memcpy(v, a + i, n);
            memcpy(a + i, b + i, n);
            memcpy(b + i, v, n);
            i += n;
        }
        return VM_OK;
    }
    /* The size of a type with pointers is a multiple of the word size. */
    for (size_t i = 0; i < size / 8; i++) {
        void **p = (void **)a + i, **q = (void **)b + i, *v = *p;
        if (rt_layout_is_ptr(&elem->layout, i)) {
            vm_store_ptr(t, p, *q);
            vm_store_ptr(t, q, v);
        } else {
            *p = *q;
            *q = v;
        }
    }
    return VM_OK;
}

/* func kindName(x any) string */
enum vm_status
lib_sort_kindName(struct vm_thread *t, union rt_slot *fp)
{
    static const char *const names[RK_COUNT] = {"invalid", "bool", "int",
        "int8", "int16", "int32", "int64", "uint", "uint8", "uint16",
        "uint32", "uint64", "uintptr", "float32", "float64", "complex64",
        "complex128", "array", "chan", "func", "interface", "map", "ptr",
        "slice", "string", "struct", "unsafe.Pointer"};
    (void)t;
    struct rt_iface x = vm_arg_iface(fp, 0);
    const char *s = names[x.type == NULL ? RK_INVALID : x.type->kind];
    vm_ret_str(fp, 0, (struct rt_str){(const uint8_t *)s,
        (int64_t)strlen(s)});
    return VM_OK;
}
