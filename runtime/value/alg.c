/* SPDX-License-Identifier: MIT */
#include "runtime/value/alg.h"

#include <stddef.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/base/hash.h"

static bool
is_blank(const struct rfield *f)
{
    return f->name[0] == '_' && f->name[1] == '\0';
}

/* Whether plain fields or the lengths of strings differ.  As in Go, they come
 * before the bytes of strings; what may panic keeps its place. */
static bool
differ_at_once(const struct rtype *t, const uint8_t *a, const uint8_t *b)
{
    for (uint32_t i = 0; i < t->nfields; i++) {
        const struct rfield *f = &t->fields[i];
        if (is_blank(f))
            continue;
        const uint8_t *x = a + f->offset, *y = b + f->offset;
        if (f->type->kind == RK_STRING) {
            if (memcmp(x + offsetof(struct rt_str, len),
                    y + offsetof(struct rt_str, len), 8) != 0)
                return true;
        } else if (!(f->type->flags & RT_F_MEMEQ)) {
            return false;
        } else if (memcmp(x, y, rtype_size(f->type)) != 0) {
            return true;
        }
    }
    return false;
}

static enum alg_result
equal_fields(const struct rtype *t, const uint8_t *a, const uint8_t *b,
    const struct rtype **bad)
{
    if (differ_at_once(t, a, b))
        return ALG_NO;
    for (uint32_t i = 0; i < t->nfields; i++) {
        const struct rfield *f = &t->fields[i];
        if (is_blank(f))
            continue;
        enum alg_result r =
            alg_equal(f->type, a + f->offset, b + f->offset, bad);
        if (r != ALG_YES)
            return r;
    }
    return ALG_YES;
}

static enum alg_result
equal_array(const struct rtype *t, const uint8_t *a, const uint8_t *b,
    const struct rtype **bad)
{
    uint64_t size = rtype_size(t->elem);

    for (uint64_t i = 0; i < t->len; i++) {
        enum alg_result r =
            alg_equal(t->elem, a + i * size, b + i * size, bad);
        if (r != ALG_YES)
            return r;
    }
    return ALG_YES;
}

static bool
equal_float(const void *a, const void *b, unsigned n)
{
    double x[4], y[4];
    float s[4];

    if (n < 0x10) {
        memcpy(x, a, n * sizeof *x);
        memcpy(y, b, n * sizeof *y);
    } else {
        n -= 0x10;
        memcpy(s, a, n * sizeof *s);
        for (unsigned i = 0; i < n; i++)
            x[i] = s[i];
        memcpy(s, b, n * sizeof *s);
        for (unsigned i = 0; i < n; i++)
            y[i] = s[i];
    }
    for (unsigned i = 0; i < n; i++)
        if (!(x[i] == y[i]))
            return false;
    return true;
}

enum alg_result
alg_equal_iface(
    struct rt_iface a, struct rt_iface b, const struct rtype **bad)
{
    if (a.type != b.type)
        return ALG_NO;
    if (a.type == NULL)
        return ALG_YES;
    if (!(a.type->flags & RT_F_COMPARABLE)) {
        *bad = a.type;
        return ALG_PANIC;
    }
    if (rtype_direct(a.type))
        return a.data == b.data ? ALG_YES : ALG_NO;
    return alg_equal(a.type, a.data, b.data, bad);
}

enum alg_result
alg_equal(const struct rtype *t, const void *a, const void *b,
    const struct rtype **bad)
{
    if (t->flags & RT_F_MEMEQ)
        return memcmp(a, b, rtype_size(t)) == 0 ? ALG_YES : ALG_NO;
    switch (t->kind) {
    case RK_STRING: {
        struct rt_str x, y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return x.len == y.len &&
                (x.ptr == y.ptr || x.len == 0 ||
                    memcmp(x.ptr, y.ptr, (size_t)x.len) == 0)
            ? ALG_YES
            : ALG_NO;
    }
    case RK_INTERFACE: {
        struct rt_iface x, y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        return alg_equal_iface(x, y, bad);
    }
    case RK_FLOAT64:
        return equal_float(a, b, 1) ? ALG_YES : ALG_NO;
    case RK_FLOAT32:
        return equal_float(a, b, 0x11) ? ALG_YES : ALG_NO;
    case RK_COMPLEX128:
        return equal_float(a, b, 2) ? ALG_YES : ALG_NO;
    case RK_COMPLEX64:
        return equal_float(a, b, 0x12) ? ALG_YES : ALG_NO;
    case RK_STRUCT:
        if (!(t->flags & RT_F_COMPARABLE))
            break;
        return equal_fields(t, a, b, bad);
    case RK_ARRAY:
        if (!(t->flags & RT_F_COMPARABLE))
            break;
        return equal_array(t, a, b, bad);
    case RK_SLICE:
    case RK_MAP:
    case RK_FUNC:
        break;
    default:
        return memcmp(a, b, rtype_size(t)) == 0 ? ALG_YES : ALG_NO;
    }
    *bad = t;
    return ALG_PANIC;
}

/* +0 and -0 are equal, so they hash alike; a NaN is equal to nothing, so any
 * hash will do as long as many NaNs do not share it. */
static uint64_t
hash_float(double x, uint64_t seed)
{
    uint64_t bits;

    if (x == 0)
        return rt_hash_u64(0, seed);
    if (x != x)
        return rt_hash_u64((uint64_t)rt_nanotime(), seed ^ RT_HASH_K2);
    memcpy(&bits, &x, 8);
    return rt_hash_u64(bits, seed);
}

static uint64_t
hash_memory(const void *p, uint64_t size, uint64_t seed)
{
    uint64_t x;

    switch (size) {
    case 8:
        memcpy(&x, p, 8);
        return rt_hash_u64(x, seed);
    case 4: {
        uint32_t y;
        memcpy(&y, p, 4);
        return rt_hash_u64(y, seed);
    }
    default:
        return rt_hash_bytes(p, size, seed);
    }
}

static bool
hash_iface(const struct rt_iface *v, uint64_t seed, uint64_t *hash,
    const struct rtype **bad)
{
    if (v->type == NULL) {
        *hash = rt_hash_u64(0, seed);
        return true;
    }
    if (!(v->type->flags & RT_F_COMPARABLE)) {
        *bad = v->type;
        return false;
    }
    seed ^= v->type->hash;
    if (rtype_direct(v->type)) {
        *hash = rt_hash_u64((uint64_t)(uintptr_t)v->data, seed);
        return true;
    }
    return alg_hash(v->type, v->data, seed, hash, bad);
}

static bool
hash_parts(const struct rtype *t, const uint8_t *p, uint64_t h,
    uint64_t *hash, const struct rtype **bad)
{
    if (t->kind == RK_ARRAY) {
        uint64_t size = rtype_size(t->elem);
        for (uint64_t i = 0; i < t->len; i++)
            if (!alg_hash(t->elem, p + i * size, h, &h, bad))
                return false;
    } else {
        for (uint32_t i = 0; i < t->nfields; i++) {
            const struct rfield *f = &t->fields[i];
            if (f->name[0] == '_' && f->name[1] == '\0')
                continue;
            if (!alg_hash(f->type, p + f->offset, h, &h, bad))
                return false;
        }
    }
    *hash = h;
    return true;
}

bool
alg_hash(const struct rtype *t, const void *p, uint64_t seed, uint64_t *hash,
    const struct rtype **bad)
{
    double d[2];
    float s[2];

    if (t->flags & RT_F_MEMEQ) {
        *hash = hash_memory(p, rtype_size(t), seed);
        return true;
    }
    switch (t->kind) {
    case RK_STRING: {
        struct rt_str x;
        memcpy(&x, p, sizeof x);
        *hash = rt_hash_bytes(x.ptr, (size_t)x.len, seed);
        return true;
    }
    case RK_INTERFACE: {
        struct rt_iface v;
        memcpy(&v, p, sizeof v);
        return hash_iface(&v, seed, hash, bad);
    }
    case RK_FLOAT64:
        memcpy(d, p, 8);
        *hash = hash_float(d[0], seed);
        return true;
    case RK_FLOAT32:
        memcpy(s, p, 4);
        *hash = hash_float(s[0], seed);
        return true;
    case RK_COMPLEX128:
        memcpy(d, p, 16);
        *hash = hash_float(d[1], hash_float(d[0], seed));
        return true;
    case RK_COMPLEX64:
        memcpy(s, p, 8);
        *hash = hash_float(s[1], hash_float(s[0], seed));
        return true;
    case RK_STRUCT:
    case RK_ARRAY:
        if (t->flags & RT_F_COMPARABLE)
            return hash_parts(t, p, seed, hash, bad);
        break;
    case RK_SLICE:
    case RK_MAP:
    case RK_FUNC:
        break;
    default:
        *hash = hash_memory(p, rtype_size(t), seed);
        return true;
    }
    *bad = t;
    return false;
}

void
alg_load(const struct rtype *t, union rt_slot *dst, const void *src)
{
    uint64_t size = rtype_size(t);

    switch (t->kind) {
    case RK_INT8:
        dst->i = *(const int8_t *)src;
        return;
    case RK_INT16:
        dst->i = *(const int16_t *)src;
        return;
    case RK_INT32:
        dst->i = *(const int32_t *)src;
        return;
    default:
        break;
    }
    if (size == 8) {
        dst->u = *(const uint64_t *)src;
        return;
    }
    if (size & 7)
        dst[size / 8].u = 0;
    memcpy(dst, src, size);
}

unsigned
alg_extend_kind(const struct rtype *t)
{
    switch (t->kind) {
    case RK_BOOL:
    case RK_UINT8:
        return 1;
    case RK_INT8:
        return 2;
    case RK_UINT16:
        return 3;
    case RK_INT16:
        return 4;
    case RK_UINT32:
    case RK_FLOAT32:
        return 5;
    case RK_INT32:
        return 6;
    default:
        return 0;
    }
}
