/* SPDX-License-Identifier: MIT */
#include "runtime/value/str.h"

#include "runtime/base/throw.h"
#include "runtime/base/utf8.h"

/* clang-format off */
#define ROW(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7
#define ROW8(n) ROW(n), ROW(n + 8), ROW(n + 16), ROW(n + 24), \
    ROW(n + 32), ROW(n + 40), ROW(n + 48), ROW(n + 56)
/* clang-format on */

const uint8_t str_bytes[256] = { ROW8(0), ROW8(64), ROW8(128), ROW8(192) };

/* Room for n > 1 bytes in *out, to be filled. */
static uint8_t *
room(struct gc_pcache *pc, uint64_t n, struct rt_str *out)
{
    uint8_t *p = gc_alloc_noscan_dirty(pc, n);

    rt_assert(n > 1);
    out->ptr = p;
    out->len = (int64_t)n;
    return p;
}

bool
str_new(struct gc_pcache *pc, const void *bytes, uint64_t n,
    struct rt_str *out)
{
    if (n <= 1) {
        out->ptr = n == 0 ? NULL : &str_bytes[*(const uint8_t *)bytes];
        out->len = (int64_t)n;
        return true;
    }
    uint8_t *p = room(pc, n, out);
    if (p == NULL)
        return false;
    memcpy(p, bytes, n);
    return true;
}

bool
str_concat(struct gc_pcache *pc, const struct rt_str *s, unsigned n,
    struct rt_str *out)
{
    uint64_t total = 0;
    unsigned used = 0, last = 0;

    for (unsigned i = 0; i < n; i++) {
        rt_assert(s[i].len >= 0);
        if (s[i].len == 0)
            continue;
        total += (uint64_t)s[i].len;
        used++;
        last = i;
    }
    if (used <= 1) {
        *out = used == 0 ? (struct rt_str){ NULL, 0 } : s[last];
        return true;
    }
    if (total > GC_MAX_ALLOC)
        return false;
    struct rt_str r;
    uint8_t *p = room(pc, total, &r);
    if (p == NULL)
        return false;
    for (unsigned i = 0; i < n; i++) {
        if (s[i].len == 0)
            continue;
        memcpy(p, s[i].ptr, (size_t)s[i].len);
        p += s[i].len;
    }
    rt_assert(p == r.ptr + total);
    *out = r;
    return true;
}

bool
str_to_bytes(struct gc_pcache *pc, struct rt_str s, struct rt_slice *out)
{
    if (s.len == 0) {
        *out = (struct rt_slice){ (void *)&gc_zero_object, 0, 0 };
        return true;
    }
    uint64_t cap = gc_round_size((uint64_t)s.len);
    rt_assert(s.len > 0 && cap >= (uint64_t)s.len);
    uint8_t *p = gc_alloc_noscan_dirty(pc, cap);
    if (p == NULL)
        return false;
    memcpy(p, s.ptr, (size_t)s.len);
    memset(p + s.len, 0, cap - (uint64_t)s.len);
    *out = (struct rt_slice){ p, s.len, (int64_t)cap };
    return true;
}

bool
str_to_runes(struct gc_pcache *pc, struct rt_str s, struct rt_slice *out)
{
    if (s.len == 0) {
        *out = (struct rt_slice){ (void *)&gc_zero_object, 0, 0 };
        return true;
    }
    enum { FEW = 128 };
    int32_t few[FEW]; /* what is short is gone through once */
    size_t len = (size_t)s.len;
    size_t n = len <= FEW ? rt_utf8_decode_all(s.ptr, len, few)
                          : rt_utf8_count(s.ptr, len);
    rt_assert(n > 0 && n <= len);
    uint64_t bytes = gc_round_size(4 * (uint64_t)n);
    int32_t *r = gc_alloc_noscan_dirty(pc, bytes);
    if (r == NULL)
        return false;
    memset(r + n, 0, bytes - n * sizeof *r);
    if (len <= FEW)
        memcpy(r, few, n * sizeof *r);
    else
        rt_utf8_decode_all(s.ptr, len, r);
    *out = (struct rt_slice){ r, (int64_t)n, (int64_t)(bytes / 4) };
    return true;
}

bool
str_from_runes(struct gc_pcache *pc, const int32_t *r, int64_t n,
    struct rt_str *out)
{
    uint64_t total = 0;
    uint8_t buf[4];

    rt_assert(n >= 0);
    for (int64_t i = 0; i < n; i++)
        total += rt_utf8_width(r[i]);
    if (total <= 1) {
        if (total == 1)
            rt_utf8_encode(buf, r[0]);
        return str_new(pc, buf, total, out);
    }
    uint8_t *p = room(pc, total, out);
    if (p == NULL)
        return false;
    for (int64_t i = 0; i < n; i++) {
        unsigned w = rt_utf8_encode(buf, r[i]);
        memcpy(p, buf, w);
        p += w;
    }
    rt_assert(p == out->ptr + total);
    return true;
}

bool
str_from_rune(struct gc_pcache *pc, int64_t r, struct rt_str *out)
{
    uint8_t buf[4];
    int32_t rune = (int32_t)r;

    if (rune != r)
        rune = RT_RUNE_ERROR;
    return str_new(pc, buf, rt_utf8_encode(buf, rune), out);
}
