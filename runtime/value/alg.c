/* SPDX-License-Identifier: MIT */
#include "runtime/value/alg.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

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

/*
 * Values nest as deep as the program makes them, since an interface inside of
 * a value may hold another such value.  So what is left to do lies in memory:
 * the structs and arrays that are being visited, each with its next part.
 * Whatever has no further part is dropped before its last one is visited, so
 * chains through last fields take no room.
 */
struct level {
    const struct rtype *t;
    const uint8_t *a, *b; /* hashing has only a */
    uint64_t next;        /* field or element */
};

enum { NEAR = 8 };

struct way {
    struct level *v;
    size_t n, cap;
    struct level near[NEAR];
};

static void
way_init(struct way *w)
{
    w->v = w->near;
    w->n = 0;
    w->cap = NEAR;
}

static void
way_free(struct way *w)
{
    if (w->v != w->near)
        free(w->v);
}

static RT_COLD void
way_grow(struct way *w)
{
    struct level *v = malloc(2 * w->cap * sizeof *v);

    rt_assert(w->n == w->cap);
    if (v == NULL)
        rt_no_memory();
    memcpy(v, w->v, w->n * sizeof *v);
    way_free(w);
    w->v = v;
    w->cap *= 2;
}

static uint64_t
parts(const struct rtype *t)
{
    return t->kind == RK_ARRAY ? t->len : t->nfields;
}

/* Goes on with the parts of the struct or array at a and b. */
static void
way_enter(
    struct way *w, const struct rtype *t, const uint8_t *a, const uint8_t *b)
{
    rt_assert(t->kind == RK_ARRAY || t->kind == RK_STRUCT);
    if (parts(t) == 0)
        return;
    if (w->n == w->cap)
        way_grow(w);
    w->v[w->n++] = (struct level){ t, a, b, 0 };
}

/* The next part to be visited; false at the end.  Blank fields do not count. */
static bool
way_next(struct way *w, struct level *part)
{
    while (w->n > 0) {
        struct level *l = &w->v[w->n - 1];
        const struct rtype *t = l->t;
        uint64_t i = l->next++, off;

        rt_assert(i < parts(t));
        *part = *l;
        if (l->next == parts(t))
            w->n--;
        if (t->kind == RK_ARRAY) {
            part->t = t->elem;
            off = i * rtype_size(t->elem);
        } else if (is_blank(&t->fields[i])) {
            continue;
        } else {
            part->t = t->fields[i].type;
            off = t->fields[i].offset;
        }
        part->a += off;
        if (part->b != NULL)
            part->b += off;
        return true;
    }
    return false;
}

/* Whether values of the type have parts that are visited one by one. */
static inline bool
nests(const struct rtype *t)
{
    return !(t->flags & RT_F_MEMEQ) &&
        (t->kind == RK_STRUCT || t->kind == RK_ARRAY ||
            t->kind == RK_INTERFACE);
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

/* Equality of values without parts. */
static enum alg_result
equal_leaf(const struct rtype *t, const void *a, const void *b,
    const struct rtype **bad)
{
    bool eq;

    rt_assert(!nests(t));
    switch (t->flags & RT_F_MEMEQ ? RK_BOOL : t->kind) {
    case RK_STRING: {
        struct rt_str x, y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        eq = x.len == y.len &&
            (x.ptr == y.ptr || x.len == 0 ||
                memcmp(x.ptr, y.ptr, (size_t)x.len) == 0);
        break;
    }
    case RK_FLOAT64:
        eq = equal_float(a, b, 1);
        break;
    case RK_FLOAT32:
        eq = equal_float(a, b, 0x11);
        break;
    case RK_COMPLEX128:
        eq = equal_float(a, b, 2);
        break;
    case RK_COMPLEX64:
        eq = equal_float(a, b, 0x12);
        break;
    case RK_SLICE:
    case RK_MAP:
    case RK_FUNC:
        *bad = t;
        return ALG_PANIC;
    default:
        eq = memcmp(a, b, rtype_size(t)) == 0;
        break;
    }
    return eq ? ALG_YES : ALG_NO;
}

/* Compares two interface values as far as they can be without looking into
 * what they hold: ALG_YES with part->t set where that is still to be done. */
static enum alg_result
open_iface(struct rt_iface a, struct rt_iface b, struct level *part,
    const struct rtype **bad)
{
    part->t = NULL;
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
    /* A box always lies somewhere, also one of no size. */
    rt_assert(a.data != NULL && b.data != NULL);
    *part = (struct level){ a.type, a.data, b.data, 0 };
    return ALG_YES;
}

/* Compares one value; its parts, if it has any, are left on the way. */
static enum alg_result
equal_step(struct way *w, struct level part, const struct rtype **bad)
{
    while (part.t != NULL && nests(part.t)) {
        const struct rtype *t = part.t;

        if (t->kind == RK_INTERFACE) {
            struct rt_iface x, y;
            memcpy(&x, part.a, sizeof x);
            memcpy(&y, part.b, sizeof y);
            enum alg_result r = open_iface(x, y, &part, bad);
            if (r != ALG_YES)
                return r;
            continue;
        }
        if (!(t->flags & RT_F_COMPARABLE)) {
            *bad = t;
            return ALG_PANIC;
        }
        if (t->kind == RK_STRUCT && differ_at_once(t, part.a, part.b))
            return ALG_NO;
        way_enter(w, t, part.a, part.b);
        return ALG_YES;
    }
    return part.t == NULL ? ALG_YES
                          : equal_leaf(part.t, part.a, part.b, bad);
}

static enum alg_result
equal_nested(struct level part, const struct rtype **bad)
{
    struct way w;
    enum alg_result r;

    way_init(&w);
    do {
        r = equal_step(&w, part, bad);
    } while (r == ALG_YES && way_next(&w, &part));
    way_free(&w);
    return r;
}

enum alg_result
alg_equal(const struct rtype *t, const void *a, const void *b,
    const struct rtype **bad)
{
    rt_assert((a != NULL && b != NULL) || rtype_size(t) == 0);
    if (!nests(t))
        return equal_leaf(t, a, b, bad);
    return equal_nested((struct level){ t, a, b, 0 }, bad);
}

enum alg_result
alg_equal_iface(
    struct rt_iface a, struct rt_iface b, const struct rtype **bad)
{
    struct level part;
    enum alg_result r = open_iface(a, b, &part, bad);

    if (r != ALG_YES || part.t == NULL)
        return r;
    return alg_equal(part.t, part.a, part.b, bad);
}

/* +0 and -0 are equal, so they hash alike; a NaN is equal to nothing, so any
 * hash will do as long as many NaNs do not share it: the caller says which. */
static uint64_t
hash_float(double x, uint64_t seed, uint64_t nan)
{
    uint64_t bits;

    if (x == 0)
        return rt_hash_u64(0, seed);
    if (x != x)
        return rt_hash_u64(nan, seed ^ RT_HASH_K2);
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

/* The hash of a value without parts. */
static bool
hash_leaf(const struct rtype *t, const void *p, uint64_t seed, uint64_t nan,
    uint64_t *hash, const struct rtype **bad)
{
    double d[2];
    float s[2];

    rt_assert(!nests(t));
    switch (t->flags & RT_F_MEMEQ ? RK_BOOL : t->kind) {
    case RK_STRING: {
        struct rt_str x;
        memcpy(&x, p, sizeof x);
        *hash = rt_hash_bytes(x.ptr, (size_t)x.len, seed);
        return true;
    }
    case RK_FLOAT64:
        memcpy(d, p, 8);
        *hash = hash_float(d[0], seed, nan);
        return true;
    case RK_FLOAT32:
        memcpy(s, p, 4);
        *hash = hash_float(s[0], seed, nan);
        return true;
    case RK_COMPLEX128:
        memcpy(d, p, 16);
        *hash = hash_float(d[1], hash_float(d[0], seed, nan), nan);
        return true;
    case RK_COMPLEX64:
        memcpy(s, p, 8);
        *hash = hash_float(s[1], hash_float(s[0], seed, nan), nan);
        return true;
    case RK_SLICE:
    case RK_MAP:
    case RK_FUNC:
        *bad = t;
        return false;
    default:
        *hash = hash_memory(p, rtype_size(t), seed);
        return true;
    }
}

/* Adds one value to the hash; its parts, if it has any, are left on the
 * way. */
static bool
hash_step(struct way *w, struct level part, uint64_t nan, uint64_t *h,
    const struct rtype **bad)
{
    while (nests(part.t)) {
        const struct rtype *t = part.t;
        struct rt_iface v;

        if (t->kind != RK_INTERFACE) {
            if (!(t->flags & RT_F_COMPARABLE)) {
                *bad = t;
                return false;
            }
            way_enter(w, t, part.a, NULL);
            return true;
        }
        memcpy(&v, part.a, sizeof v);
        if (v.type == NULL) {
            *h = rt_hash_u64(0, *h);
            return true;
        }
        if (!(v.type->flags & RT_F_COMPARABLE)) {
            *bad = v.type;
            return false;
        }
        *h ^= v.type->hash;
        if (rtype_direct(v.type)) {
            *h = rt_hash_u64((uint64_t)(uintptr_t)v.data, *h);
            return true;
        }
        rt_assert(v.data != NULL);
        part = (struct level){ v.type, v.data, NULL, 0 };
    }
    return hash_leaf(part.t, part.a, *h, nan, h, bad);
}

static bool
hash_nested(struct level part, uint64_t nan, uint64_t *h,
    const struct rtype **bad)
{
    struct way w;
    bool ok;

    way_init(&w);
    do {
        ok = hash_step(&w, part, nan, h, bad);
    } while (ok && way_next(&w, &part));
    way_free(&w);
    return ok;
}

bool
alg_hash(const struct rtype *t, const void *p, uint64_t seed, uint64_t nan,
    uint64_t *hash, const struct rtype **bad)
{
    rt_assert(p != NULL || rtype_size(t) == 0);
    if (!nests(t))
        return hash_leaf(t, p, seed, nan, hash, bad);
    *hash = seed;
    return hash_nested((struct level){ t, p, NULL, 0 }, nan, hash, bad);
}

/* Values of 8 bytes need not stand at multiples of 8: a struct of two int32
 * is an example. */
void
alg_load(const struct rtype *t, union rt_slot *dst, const void *src)
{
    uint64_t size = rtype_size(t);

    rt_assert(src != NULL || size == 0);
    if (size == 8) {
        memcpy(dst, src, 8);
        return;
    }
    if (size & 7)
        dst[size / 8].u = 0;
    memcpy(dst, src, size);
    switch (t->kind) {
    case RK_INT8:
        dst->i = (int8_t)dst->u;
        return;
    case RK_INT16:
        dst->i = (int16_t)dst->u;
        return;
    case RK_INT32:
        dst->i = (int32_t)dst->u;
        return;
    default:
        return;
    }
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
