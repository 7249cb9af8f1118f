/* SPDX-License-Identifier: MIT */
#include "runtime/value/slice.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/throw.h"

enum slice_status
slice_make(struct gc_pcache *pc, const struct rtype *elem, int64_t len,
    int64_t cap, struct rt_slice *out)
{
    const struct rt_layout *l = &elem->layout;

    if (len < 0 || !gc_array_fits(l, (uint64_t)len))
        return SLICE_LEN;
    if (cap < len || !gc_array_fits(l, (uint64_t)cap))
        return SLICE_CAP;
    void *p = gc_alloc_array(pc, l, (uint64_t)cap);
    if (p == NULL)
        return SLICE_NOMEM;
    *out = (struct rt_slice){ p, len, cap };
    return SLICE_OK;
}

/* Go's rule since 1.18, before rounding to a size class. */
static uint64_t
next_cap(uint64_t want, uint64_t old)
{
    enum { THRESHOLD = 256 };
    uint64_t cap = old;

    rt_assert(want > old);
    if (want > 2 * old)
        return want;
    if (old < THRESHOLD)
        return 2 * old;
    while (cap < want)
        cap += (cap + 3 * THRESHOLD) >> 2;
    rt_assert(cap >= want);
    return cap;
}

/* The bytes of an array for one of `size` bytes.  Go's objects of more than 512
 * bytes that have pointers begin with a header, which takes its part of the
 * size class.  There is none here, but capacities can be seen, so that as much
 * is left. */
static uint64_t
round_size(const struct rt_layout *l, uint64_t size)
{
    enum { HEADER = 8, WITH_HEADER = 512, SMALL_MAX = 32768 };

    if (l->ptrdata == 0 || size <= WITH_HEADER || size > SMALL_MAX - HEADER)
        return gc_round_size(size);
    return gc_round_size(size + HEADER) - HEADER;
}

enum slice_status
slice_grow(struct gc_pcache *pc, const struct rtype *elem, struct rt_slice s,
    int64_t more, struct rt_slice *out)
{
    const struct rt_layout *l = &elem->layout;
    uint64_t want = (uint64_t)s.len + (uint64_t)more;

    rt_assert(s.len >= 0 && s.len <= s.cap);
    rt_assert(s.ptr != NULL || s.cap == 0);
    if (want <= (uint64_t)s.cap) {
        *out = s;
        return SLICE_OK;
    }
    if (more < 0 || want > INT64_MAX)
        return SLICE_TOO_LARGE;
    if (l->size == 0) {
        *out = (struct rt_slice){ (void *)&gc_zero_object, s.len,
            (int64_t)want };
        return SLICE_OK;
    }
    if (!gc_array_fits(l, want))
        return SLICE_TOO_LARGE;
    uint64_t cap = next_cap(want, (uint64_t)s.cap);
    if (!gc_array_fits(l, cap))
        cap = want;
    cap = round_size(l, cap * l->size) / l->size;
    rt_assert(cap >= want);
    uint8_t *p;
    if (l->ptrdata == 0) {
        uint64_t used = (uint64_t)s.len * l->size, all = cap * l->size;
        p = gc_alloc_noscan_dirty(pc, all);
        if (p == NULL)
            return SLICE_NOMEM;
        if (used != 0)
            memcpy(p, s.ptr, used);
        memset(p + used, 0, all - used);
    } else {
        p = gc_alloc_array(pc, l, cap);
        if (p == NULL)
            return SLICE_NOMEM;
        gc_write_barrier_range(pc, l, p, s.ptr, (uint64_t)s.len);
        if (s.len != 0)
            memcpy(p, s.ptr, (uint64_t)s.len * l->size);
    }
    *out = (struct rt_slice){ p, s.len, (int64_t)cap };
    return SLICE_OK;
}

enum slice_status
slice_append(struct gc_pcache *pc, const struct rtype *elem,
    struct rt_slice s, const void *p, int64_t n, struct rt_slice *out)
{
    const struct rt_layout *l = &elem->layout;
    enum slice_status st = SLICE_OK;

    rt_assert(n >= 0 && s.len >= 0 && s.len <= s.cap);
    rt_assert(p != NULL || n == 0 || l->size == 0);
    if (n == 0) {
        *out = s;
        return SLICE_OK;
    }
    if (s.cap - s.len < n) {
        st = slice_grow(pc, elem, s, n, &s);
        if (st != SLICE_OK)
            return st;
    }
    rt_assert(s.cap - s.len >= n);
    uint8_t *dst = (uint8_t *)s.ptr + (uint64_t)s.len * l->size;
    gc_write_barrier_range(pc, l, dst, p, (uint64_t)n);
    memmove(dst, p, (uint64_t)n * l->size);
    s.len += n;
    *out = s;
    return SLICE_OK;
}

enum slice_status
slice_append_zeros(struct gc_pcache *pc, const struct rtype *elem,
    struct rt_slice s, int64_t n, struct rt_slice *out)
{
    uint64_t used = (uint64_t)s.len * elem->layout.size;

    rt_assert(s.len >= 0 && s.len <= s.cap);
    if (n < 0)
        return SLICE_LEN;
    if (n > 0 && n <= s.cap - s.len) {
        slice_clear(pc, elem, (uint8_t *)s.ptr + used, n);
    } else if (n > 0) {
        enum slice_status st = slice_grow(pc, elem, s, n, &s);
        if (st != SLICE_OK)
            return st;
    }
    s.len += n;
    *out = s;
    return SLICE_OK;
}

int64_t
slice_copy(struct gc_pcache *pc, const struct rtype *elem, void *dst,
    int64_t dlen, const void *src, int64_t slen)
{
    int64_t n = dlen < slen ? dlen : slen;

    rt_assert(dlen >= 0 && slen >= 0);
    if (n > 0 && dst != src) {
        gc_write_barrier_range(pc, &elem->layout, dst, src, (uint64_t)n);
        memmove(dst, src, (uint64_t)n * elem->layout.size);
    }
    return n;
}

void
slice_clear(struct gc_pcache *pc, const struct rtype *elem, void *p, int64_t n)
{
    rt_assert(n >= 0);
    if (n == 0)
        return;
    gc_write_barrier_range(pc, &elem->layout, p, NULL, (uint64_t)n);
    memset(p, 0, (uint64_t)n * elem->layout.size);
}

/* A bound as a number of its type. */
struct bound {
    int64_t v;
    bool nosign;
};

static const char *
digits(struct bound b, char buf[24])
{
    if (b.nosign)
        snprintf(buf, 24, "%" PRIu64, (uint64_t)b.v);
    else
        snprintf(buf, 24, "%" PRId64, b.v);
    return buf;
}

/* One bound: Go names it by its place between the colons. */
static bool
complain(char *text, size_t n, const char *before, struct bound x,
    const char *after, int64_t y, const char *what)
{
    char buf[24];

    if (x.v < 0 && !x.nosign)
        snprintf(text, n, "slice bounds out of range [%s%s%s]", before,
            digits(x, buf), after);
    else
        snprintf(text, n,
            "slice bounds out of range [%s%s%s] with %s %" PRId64, before,
            digits(x, buf), after, what, y);
    return false;
}

/* x is greater than y; a negative one stands alone. */
static bool
complain2(char *text, size_t n, const char *before, struct bound x, int64_t y,
    const char *after)
{
    char buf[24];

    if (x.v < 0 && !x.nosign)
        snprintf(text, n, "slice bounds out of range [%s%s:%s]", before,
            digits(x, buf), after);
    else
        snprintf(text, n, "slice bounds out of range [%s%s:%" PRId64 "%s]",
            before, digits(x, buf), y, after);
    return false;
}

bool
slice_bounds(const int64_t *lo, const int64_t *hi, const int64_t *max,
    unsigned nosign, int64_t len, int64_t limit, bool is_cap, int64_t *l,
    int64_t *h, int64_t *m, char *text, size_t ntext)
{
    const char *what = is_cap ? "capacity" : "length";
    struct bound vl = { lo != NULL ? *lo : 0, (nosign & 1) != 0 };
    struct bound vh = { hi != NULL ? *hi : len, (nosign & 2) != 0 };
    rt_assert(len >= 0 && limit >= len);
    struct bound vm = { max != NULL ? *max : limit, (nosign & 4) != 0 };

    if (max != NULL) {
        if ((uint64_t)vm.v > (uint64_t)limit)
            return complain(text, ntext, "::", vm, "", limit, what);
        if ((uint64_t)vh.v > (uint64_t)vm.v)
            return complain2(text, ntext, ":", vh, vm.v, "");
        if ((uint64_t)vl.v > (uint64_t)vh.v)
            return complain2(text, ntext, "", vl, vh.v, ":");
    } else {
        if ((uint64_t)vh.v > (uint64_t)limit)
            return complain(text, ntext, ":", vh, "", limit, what);
        if ((uint64_t)vl.v > (uint64_t)vh.v)
            return complain2(text, ntext, "", vl, vh.v, "");
    }
    rt_assert(0 <= vl.v && vl.v <= vh.v && vh.v <= vm.v && vm.v <= limit);
    *l = vl.v;
    *h = vh.v;
    *m = vm.v;
    return true;
}
