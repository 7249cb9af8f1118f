/* SPDX-License-Identifier: MIT */

/*
 * Natives of package sort.  Slices of numbers and strings are sorted by what
 * pdq.inc makes for their type.
 */

#include <stdbool.h>
#include <string.h>

#include "gc/gc.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/text.h"
#include "runtime/vm/native.h"

/* As shortRange and manySamples in sort/algo.go. */
#define SHORT_RANGE  12
#define MANY_SAMPLES 50

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

/* What the samples for a pivot say of a range. */
enum look { LOOKS_MIXED, LOOKS_SORTED, LOOKS_REVERSED };

/* The next of the draws, seeded with n, by which a range of n elements is
 * scattered: less than n. */
static uint64_t
scatter_draw(uint64_t *random, uint64_t n)
{
    uint64_t mask = UINT64_MAX >> __builtin_clzll(n), r = *random;
    r ^= r << 13;
    r ^= r >> 7;
    r ^= r << 17;
    *random = r;
    r &= mask;
    return r < n ? r : r - n;
}

/* The number of uneven partitions from which on heapsort takes over. */
static int
bad_pivots(int64_t n)
{
    int d = 0;
    for (; n > 0; n >>= 1)
        d++;
    return d;
}

#define T          int64_t
#define LESS(a, b) less_int(a, b)
#define FN(name)   ints_##name
#include "runtime/lib/sort/pdq.inc"

#define T          double
#define LESS(a, b) less_float(a, b)
#define FN(name)   floats_##name
#include "runtime/lib/sort/pdq.inc"

#define T          struct rt_str
#define LESS(a, b) less_str(a, b)
#define FN(name)   strs_##name
#include "runtime/lib/sort/pdq.inc"

enum vm_status
lib_sort_ints(struct vm_thread *t, union lib_sort_ints_1to0 *f)
{
    (void)t;
    struct rt_slice x = f->in.x;
    if (!ints_sorted(x.ptr, x.len))
        ints_sort(x.ptr, 0, x.len, bad_pivots(x.len));
    return VM_OK;
}

enum vm_status
lib_sort_floats(struct vm_thread *t, union lib_sort_floats_1to0 *f)
{
    (void)t;
    struct rt_slice x = f->in.x;
    if (!floats_sorted(x.ptr, x.len))
        floats_sort(x.ptr, 0, x.len, bad_pivots(x.len));
    return VM_OK;
}

/*
 * Sorting strings moves pointers within one object.  Every pointer that was
 * in it stays in it, but a marker that looks at it meanwhile may miss one: so
 * all are shaded before.
 */
enum vm_status
lib_sort_strings(struct vm_thread *t, union lib_sort_strings_1to0 *f)
{
    static const uint8_t mask = 1;
    static const struct rt_layout str = {16, 8, &mask};
    struct rt_slice x = f->in.x;
    if (!strs_sorted(x.ptr, x.len)) {
        gc_write_barrier_range(t->cache, &str, x.ptr, x.ptr,
            (uint64_t)x.len);
        strs_sort(x.ptr, 0, x.len, bad_pivots(x.len));
    }
    return VM_OK;
}

enum vm_status
lib_sort_intsSorted(struct vm_thread *t, union lib_sort_intsSorted_1to1 *f)
{
    (void)t;
    f->out.r = ints_sorted(f->in.x.ptr, f->in.x.len);
    return VM_OK;
}

enum vm_status
lib_sort_floatsSorted(struct vm_thread *t, union lib_sort_floatsSorted_1to1 *f)
{
    (void)t;
    f->out.r = floats_sorted(f->in.x.ptr, f->in.x.len);
    return VM_OK;
}

enum vm_status
lib_sort_stringsSorted(
    struct vm_thread *t, union lib_sort_stringsSorted_1to1 *f)
{
    (void)t;
    f->out.r = strs_sorted(f->in.x.ptr, f->in.x.len);
    return VM_OK;
}

/* func sliceOf(x any) (data unsafe.Pointer, n int, elem unsafe.Pointer,
 * word, ok bool) */
enum vm_status
lib_sort_sliceOf(struct vm_thread *t, union lib_sort_sliceOf_1to5 *f)
{
    (void)t;
    struct rt_iface x = f->in.x;
    bool ok = x.type != NULL && x.type->kind == RK_SLICE;
    struct rt_slice s = {NULL, 0, 0};
    if (ok)
        s = *(const struct rt_slice *)x.data;
    f->out.data = s.ptr;
    f->out.n = s.len;
    f->out.elem = ok ? (void *)x.type->elem : NULL;
    f->out.word = ok && rtype_size(x.type->elem) == 8 &&
        !rtype_has_pointers(x.type->elem);
    f->out.ok = ok;
    return VM_OK;
}

/* func swap(data, elem unsafe.Pointer, i, j int) */
enum vm_status
lib_sort_swap(struct vm_thread *t, union lib_sort_swap_4to0 *f)
{
    const struct rtype *elem = f->in.elem;
    size_t size = rtype_size(elem);
    uint8_t *a = (uint8_t *)f->in.data + (size_t)f->in.i * size;
    uint8_t *b = (uint8_t *)f->in.data + (size_t)f->in.j * size;
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
lib_sort_kindName(struct vm_thread *t, union lib_sort_kindName_1to1 *f)
{
    static const char *const names[RK_COUNT] = {"invalid", "bool", "int",
        "int8", "int16", "int32", "int64", "uint", "uint8", "uint16",
        "uint32", "uint64", "uintptr", "float32", "float64", "complex64",
        "complex128", "array", "chan", "func", "interface", "map", "ptr",
        "slice", "string", "struct", "unsafe.Pointer"};
    (void)t;
    struct rt_iface x = f->in.x;
    const char *s = names[x.type == NULL ? RK_INVALID : x.type->kind];
    f->out.r = (struct rt_str){(const uint8_t *)s,
        (int64_t)strlen(s)};
    return VM_OK;
}
