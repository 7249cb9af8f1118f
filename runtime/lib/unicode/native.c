/* SPDX-License-Identifier: MIT */

/*
 * Natives of package unicode.  A rune's class is found through a
 * two-stage table, its case through the sorted list of case ranges, both
 * made by mkunicode.go.
 */

#include "runtime/lib/unicode/unicode.h"

#include <string.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/utf8.h"
#include "runtime/vm/native.h"

/* unicode.CaseRange, .Range16 and .Range32 in memory. */
struct uni_case {
    uint32_t lo, hi;
    int32_t delta[3];
};

struct uni_fold {
    uint32_t from, to;
};

struct uni_r16 {
    uint16_t lo, hi, stride;
};

struct uni_r32 {
    uint32_t lo, hi, stride;
};

struct uni_table {
    uint16_t at16, n16, at32, n32, latin;
};

#include "runtime/lib/unicode/unicode_data.inc"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

uint8_t
uni_class(int32_t r)
{
    if ((uint32_t)r > UTF8_MAX_RUNE)
        return UNI_CN;
    uint32_t block = uni_index[r >> UNI_BLOCK_BITS];
    uint32_t mask = (1u << UNI_BLOCK_BITS) - 1;
    return uni_class_data[block << UNI_BLOCK_BITS | ((uint32_t)r & mask)];
}

int32_t
uni_to(enum uni_case_to to, int32_t r)
{
    if (r < 0x80) {
        if (to == UNI_LOWER)
            return r >= 'A' && r <= 'Z' ? r + 32 : r;
        return r >= 'a' && r <= 'z' ? r - 32 : r;
    }
    size_t lo = 0, hi = COUNT(uni_cases);
    while (lo < hi) {
        size_t m = (lo + hi) / 2;
        const struct uni_case *c = &uni_cases[m];
        if ((uint32_t)r < c->lo) {
            hi = m;
        } else if ((uint32_t)r > c->hi) {
            lo = m + 1;
        } else if (c->delta[to] > UTF8_MAX_RUNE) {
            /* Upper case at even distances, lower case at odd ones. */
            uint32_t d = ((uint32_t)r - c->lo) & ~1u;
            return (int32_t)(c->lo + (d | (to == UNI_LOWER)));
        } else {
            return r + c->delta[to];
        }
    }
    return r;
}

int32_t
uni_fold(int32_t r)
{
    if ((uint32_t)r > UTF8_MAX_RUNE)
        return r;
    size_t lo = 0, hi = COUNT(uni_folds);
    while (lo < hi) {
        size_t m = (lo + hi) / 2;
        if (uni_folds[m].from < (uint32_t)r)
            lo = m + 1;
        else
            hi = m;
    }
    if (lo < COUNT(uni_folds) && uni_folds[lo].from == (uint32_t)r)
        return (int32_t)uni_folds[lo].to;
    int32_t l = uni_to(UNI_LOWER, r);
    return l != r ? l : uni_to(UNI_UPPER, r);
}

#define IS(fn, cond)                                                         \
    enum vm_status lib_unicode_##fn(                                         \
        struct vm_thread *t, union lib_unicode_##fn##_1to1 *f)               \
    {                                                                        \
        (void)t;                                                             \
        int c = uni_class((int32_t)f->in.r) & UNI_CAT_MASK;                  \
        f->out.r = (cond);                                                   \
        return VM_OK;                                                        \
    }

IS(IsControl, c == UNI_CC)
IS(IsDigit, c == UNI_ND)
IS(IsGraphic, (c >= UNI_LL && c <= UNI_SO) || c == UNI_ZS)
IS(IsLetter, c >= UNI_LL && c <= UNI_LU)
IS(IsLower, c == UNI_LL)
IS(IsMark, c >= UNI_MC && c <= UNI_MN)
IS(IsNumber, c >= UNI_ND && c <= UNI_NO)
IS(IsPunct, c >= UNI_PC && c <= UNI_PS)
IS(IsSymbol, c >= UNI_SC && c <= UNI_SO)
IS(IsTitle, c == UNI_LT)
IS(IsUpper, c == UNI_LU)

enum vm_status
lib_unicode_IsPrint(struct vm_thread *t, union lib_unicode_IsPrint_1to1 *f)
{
    (void)t;
    f->out.r = uni_is_print((int32_t)f->in.r);
    return VM_OK;
}

enum vm_status
lib_unicode_IsSpace(struct vm_thread *t, union lib_unicode_IsSpace_1to1 *f)
{
    (void)t;
    f->out.r = uni_is_space((int32_t)f->in.r);
    return VM_OK;
}

enum vm_status
lib_unicode_SimpleFold(
    struct vm_thread *t, union lib_unicode_SimpleFold_1to1 *f)
{
    (void)t;
    f->out.r = uni_fold((int32_t)f->in.r);
    return VM_OK;
}

enum vm_status
lib_unicode_ToLower(struct vm_thread *t, union lib_unicode_ToLower_1to1 *f)
{
    (void)t;
    f->out.r = uni_to(UNI_LOWER, (int32_t)f->in.r);
    return VM_OK;
}

enum vm_status
lib_unicode_ToTitle(struct vm_thread *t, union lib_unicode_ToTitle_1to1 *f)
{
    (void)t;
    f->out.r = uni_to(UNI_TITLE, (int32_t)f->in.r);
    return VM_OK;
}

enum vm_status
lib_unicode_ToUpper(struct vm_thread *t, union lib_unicode_ToUpper_1to1 *f)
{
    (void)t;
    f->out.r = uni_to(UNI_UPPER, (int32_t)f->in.r);
    return VM_OK;
}

static bool
in16(const struct uni_r16 *x, int64_t n, uint32_t r)
{
    int64_t lo = 0, hi = n;
    while (lo < hi) {
        int64_t m = (lo + hi) / 2;
        if (r < x[m].lo)
            hi = m;
        else if (r > x[m].hi)
            lo = m + 1;
        else
            return x[m].stride == 1 ||
                (x[m].stride != 0 && (r - x[m].lo) % x[m].stride == 0);
    }
    return false;
}

static bool
in32(const struct uni_r32 *x, int64_t n, uint32_t r)
{
    int64_t lo = 0, hi = n;
    while (lo < hi) {
        int64_t m = (lo + hi) / 2;
        if (r < x[m].lo)
            hi = m;
        else if (r > x[m].hi)
            lo = m + 1;
        else
            return x[m].stride == 1 ||
                (x[m].stride != 0 && (r - x[m].lo) % x[m].stride == 0);
    }
    return false;
}

/* func inTable(r16 []Range16, r32 []Range32, r rune) bool */
enum vm_status
lib_unicode_inTable(struct vm_thread *t, union lib_unicode_inTable_3to1 *f)
{
    (void)t;
    struct rt_slice a = f->in.r16;
    struct rt_slice b = f->in.r32;
    uint32_t r = (uint32_t)f->in.r;
    f->out.r = (r <= 0xFFFF && in16(a.ptr, a.len, r)) ||
        in32(b.ptr, b.len, r);
    return VM_OK;
}

/* Sets *out to a slice of n elements of `size` bytes that hold no pointers,
 * copied. */
static bool
copy(struct vm_thread *t, struct rt_slice *out, const void *src, size_t n,
    size_t size)
{
    struct rt_slice s = {NULL, (int64_t)n, (int64_t)n};
    if (n > 0) {
        s.ptr = vm_new_bytes(t, n * size);
        if (s.ptr == NULL)
            return false;
        memcpy(s.ptr, src, n * size);
    }
    *out = s;
    return true;
}

enum vm_status
lib_unicode_rangeTable(
    struct vm_thread *t, union lib_unicode_rangeTable_1to3 *f)
{
    const struct uni_table *x =
        &uni_tables[(uint64_t)f->in.id % COUNT(uni_tables)];
    if (!copy(t, &f->out.r16, uni_r16 + x->at16, x->n16,
            sizeof(uni_r16[0])) ||
        !copy(t, &f->out.r32, uni_r32 + x->at32, x->n32, sizeof(uni_r32[0])))
        return VM_EXIT;
    f->out.latin = x->latin;
    return VM_OK;
}

enum vm_status
lib_unicode_caseRanges(
    struct vm_thread *t, union lib_unicode_caseRanges_0to1 *f)
{
    if (!copy(t, &f->out.r, uni_cases, COUNT(uni_cases),
            sizeof(uni_cases[0])))
        return VM_EXIT;
    return VM_OK;
}
