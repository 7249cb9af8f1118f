/* SPDX-License-Identifier: MIT */
/*
 * Packing copies each object once, found again by its address; a type is copied
 * when it is first met, and what it refers to when its turn comes, so that
 * types which refer to each other end and depth does not matter.  The order is
 * that of the image, so equal images give equal bytes.
 */
#include "runtime/code/pack.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/hash.h"
#include "runtime/base/throw.h"
#include "runtime/base/vec.h"

/* Whoever gives one of these another field sees to it here that a pointer in
 * it is packed. */
_Static_assert(sizeof(struct code_image) == 208 &&
        sizeof(struct code_func) == 152 && sizeof(struct code_native) == 16 &&
        sizeof(struct code_global) == 24,
    "code_image, code_func, code_native, code_global are packed field by field");
_Static_assert(sizeof(struct rtype) == 168 && sizeof(struct rfield) == 48 &&
        sizeof(struct rmethod) == 40,
    "rtype, rfield, rmethod are packed field by field");

#define PACK_MAGIC UINT64_C(0x316567616d69766f) /* "ovimage1" */

struct head {
    uint64_t magic;
    uint64_t sum;  /* of all that follows it */
    uint64_t size; /* of the whole */
    uint64_t nrel; /* words that are distances; the list ends the whole */
    struct code_image image;
};

/* What has been copied from where. */
struct copied {
    const void *from; /* NULL: free */
    size_t size, to;
};

RT_VEC(rel_vec, uint32_t);
RT_VEC(type_vec, const struct rtype *);

struct packer {
    uint8_t *b;
    size_t n, cap;
    struct rel_vec rel; /* in words of 8 bytes */
    struct type_vec todo; /* copied, but what they refer to is not */
    size_t done;          /* of todo */
    struct copied *map;
    size_t nmap, mapcap; /* a power of two */
    bool failed;         /* no memory; nothing is copied any more */
};

/* ---- bytes ------------------------------------------------------------------- */

static bool
reserve(struct packer *p, size_t more)
{
    size_t cap = p->cap;
    uint8_t *b;

    if (p->failed)
        return false;
    if (more <= cap - p->n)
        return true;
    while (cap - p->n < more)
        cap += cap / 2 + 4096;
    b = realloc(p->b, cap);
    if (b == NULL) {
        p->failed = true;
        return false;
    }
    p->b = b;
    p->cap = cap;
    return true;
}

/* Appends bytes and zeroes up to the next word; 0 if that fails, which is no
 * object's place. */
static size_t
append(struct packer *p, const void *from, size_t size)
{
    size_t to = p->n, whole = (size + 7) & ~(size_t)7;

    rt_assert(to % 8 == 0);
    if (!reserve(p, whole))
        return 0;
    if (size != 0)
        memcpy(p->b + to, from, size);
    memset(p->b + to + size, 0, whole - size);
    p->n += whole;
    return to;
}

/* The pointer at `at` is to be one to `to`; 0: NULL. */
static void
point(struct packer *p, size_t at, size_t to)
{
    uint64_t v = to;

    if (p->failed)
        return;
    rt_assert(at % 8 == 0 && at + 8 <= p->n && to <= p->n);
    memcpy(p->b + at, &v, sizeof v);
    if (to != 0 && !rt_vec_push(&p->rel, (uint32_t)(at / 8)))
        p->failed = true;
}

#define POINT(p, base, type, field, to) \
    point(p, (base) + offsetof(type, field), to)

/* ---- what was copied ------------------------------------------------------------ */

static struct copied *
slot_of(struct copied *map, size_t cap, const void *from)
{
    size_t i = rt_hash_u64((uint64_t)(uintptr_t)from, 0) & (cap - 1);

    while (map[i].from != NULL && map[i].from != from)
        i = (i + 1) & (cap - 1);
    return &map[i];
}

static bool
grow_map(struct packer *p)
{
    size_t cap = p->mapcap == 0 ? 4096 : p->mapcap * 2, i;
    struct copied *map = calloc(cap, sizeof *map);

    if (map == NULL) {
        p->failed = true;
        return false;
    }
    for (i = 0; i < p->mapcap; i++)
        if (p->map[i].from != NULL)
            *slot_of(map, cap, p->map[i].from) = p->map[i];
    free(p->map);
    p->map = map;
    p->mapcap = cap;
    return true;
}

/* The copy of size bytes at from, made if there is none of so many; *fresh
 * says whether.  0 for NULL. */
static size_t
copy(struct packer *p, const void *from, size_t size, bool *fresh)
{
    struct copied *c;

    *fresh = false;
    if (from == NULL || p->failed)
        return 0;
    if (2 * p->nmap >= p->mapcap && !grow_map(p))
        return 0;
    c = slot_of(p->map, p->mapcap, from);
    if (c->from != NULL && c->size >= size)
        return c->to;
    p->nmap += c->from == NULL;
    *c = (struct copied){from, size, append(p, from, size)};
    *fresh = true;
    return c->to;
}

static size_t
bytes(struct packer *p, const void *from, size_t size)
{
    bool fresh;

    return copy(p, from, size, &fresh);
}

static size_t
text(struct packer *p, const char *s)
{
    return s == NULL ? 0 : bytes(p, s, strlen(s) + 1);
}

/* ---- types -------------------------------------------------------------------------- */

static size_t
type(struct packer *p, const struct rtype *t)
{
    bool fresh;
    size_t to = copy(p, t, sizeof *t, &fresh);

    if (fresh && !rt_vec_push(&p->todo, t))
        p->failed = true;
    return to;
}

static void
layout(struct packer *p, size_t at, const struct rt_layout *l)
{
    POINT(p, at, struct rt_layout, ptrmask, l->ptrdata == 0 ? 0
        : bytes(p, l->ptrmask, (l->ptrdata / 8 + 7) / 8));
}

static size_t
fields(struct packer *p, const struct rfield *f, uint32_t n)
{
    bool fresh;
    size_t to = n == 0 ? 0 : copy(p, f, n * sizeof *f, &fresh);
    uint32_t i;

    for (i = 0; to != 0 && fresh && i < n; i++) {
        size_t at = to + i * sizeof *f;

        POINT(p, at, struct rfield, name, text(p, f[i].name));
        POINT(p, at, struct rfield, pkg, text(p, f[i].pkg));
        POINT(p, at, struct rfield, type, type(p, f[i].type));
        POINT(p, at, struct rfield, tag, text(p, f[i].tag));
    }
    return to;
}

static size_t
methods(struct packer *p, const struct rmethod *m, uint32_t n)
{
    bool fresh;
    size_t to = n == 0 ? 0 : copy(p, m, n * sizeof *m, &fresh);
    uint32_t i;

    for (i = 0; to != 0 && fresh && i < n; i++) {
        size_t at = to + i * sizeof *m;

        POINT(p, at, struct rmethod, name, text(p, m[i].name));
        POINT(p, at, struct rmethod, pkg, text(p, m[i].pkg));
        POINT(p, at, struct rmethod, type, type(p, m[i].type));
    }
    return to;
}

/* An array of pointers to types. */
static size_t
types(struct packer *p, const struct rtype *const *list, uint32_t n)
{
    bool fresh;
    size_t to = n == 0 ? 0 : copy(p, list, n * sizeof *list, &fresh);
    uint32_t i;

    for (i = 0; to != 0 && fresh && i < n; i++)
        point(p, to + i * sizeof *list, type(p, list[i]));
    return to;
}

/* What a type refers to. */
static void
fill_type(struct packer *p, const struct rtype *t)
{
    size_t at = type(p, t);

    layout(p, at + offsetof(struct rtype, layout), &t->layout);
    POINT(p, at, struct rtype, self, t->self == NULL ? 0 : at);
    POINT(p, at, struct rtype, string, text(p, t->string));
    POINT(p, at, struct rtype, name, text(p, t->name));
    POINT(p, at, struct rtype, pkgpath, text(p, t->pkgpath));
    POINT(p, at, struct rtype, elem, type(p, t->elem));
    POINT(p, at, struct rtype, key, type(p, t->key));
    POINT(p, at, struct rtype, ptr_to, type(p, t->ptr_to));
    POINT(p, at, struct rtype, fields, fields(p, t->fields, t->nfields));
    POINT(p, at, struct rtype, params,
        types(p, t->params, t->nparams + t->nresults));
    POINT(p, at, struct rtype, methods, methods(p, t->methods, t->nmethods));
    POINT(p, at, struct rtype, mtab,
        t->msize == 0 ? 0 : bytes(p, t->mtab, t->msize * sizeof *t->mtab));
}

/* ---- the image ------------------------------------------------------------------------- */

static void
func(struct packer *p, size_t at, size_t code, const struct code_func *f,
    const struct code_image *im)
{
    rt_assert(f->code >= im->code &&
        f->code + f->ncode <= im->code + im->ncode);
    POINT(p, at, struct code_func, name, text(p, f->name));
    POINT(p, at, struct code_func, code,
        code + (size_t)(f->code - im->code) * sizeof *f->code);
    POINT(p, at, struct code_func, ptrmask,
        bytes(p, f->ptrmask, f->nslots / 8 + 1));
    POINT(p, at, struct code_func, lines, f->nlines == 0 ? 0
        : bytes(p, f->lines, f->nlines * sizeof *f->lines));
    POINT(p, at, struct code_func, unsigned_at, f->nunsigned == 0 ? 0
        : bytes(p, f->unsigned_at, f->nunsigned * sizeof *f->unsigned_at));
    layout(p, at + offsetof(struct code_func, closure), &f->closure);
    layout(p, at + offsetof(struct code_func, cells), &f->cells);
    POINT(p, at, struct code_func, self.fn, at);
    POINT(p, at, struct code_func, jit, 0);
}

static void
funcs(struct packer *p, size_t image, const struct code_image *im)
{
    size_t code = append(p, im->code, (im->ncode + 1) * sizeof *im->code);
    size_t to = append(p, im->funcs, im->nfuncs * sizeof *im->funcs);
    uint32_t i;

    for (i = 0; i < im->nfuncs; i++)
        func(p, to + i * sizeof *im->funcs, code, &im->funcs[i], im);
    POINT(p, image, struct code_image, code, code);
    POINT(p, image, struct code_image, funcs, to);
}

static size_t
strings(struct packer *p, const struct code_image *im)
{
    size_t to = append(p, im->strings, im->nstrings * sizeof *im->strings);
    uint32_t i;

    for (i = 0; i < im->nstrings; i++)
        POINT(p, to + i * sizeof *im->strings, struct rt_str, ptr,
            bytes(p, im->strings[i].ptr, (size_t)im->strings[i].len + 1));
    return to;
}

static size_t
natives(struct packer *p, const struct code_image *im)
{
    size_t to = append(p, im->natives, im->nnatives * sizeof *im->natives);
    uint32_t i;

    for (i = 0; i < im->nnatives; i++)
        POINT(p, to + i * sizeof *im->natives, struct code_native, name,
            text(p, im->natives[i].name));
    return to;
}

static size_t
globals(struct packer *p, const struct code_image *im)
{
    const struct code_global *g = im->global_list;
    size_t to = append(p, g, im->nglobals * sizeof *g);
    uint32_t i;

    for (i = 0; i < im->nglobals; i++) {
        POINT(p, to + i * sizeof *g, struct code_global, name,
            text(p, g[i].name));
        POINT(p, to + i * sizeof *g, struct code_global, type,
            type(p, g[i].type));
    }
    return to;
}

static size_t
texts(struct packer *p, const char *const *list, uint32_t n)
{
    size_t to = append(p, list, n * sizeof *list);
    uint32_t i;

    for (i = 0; i < n; i++)
        point(p, to + i * sizeof *list, text(p, list[i]));
    return to;
}

static void
image(struct packer *p, size_t at, const struct code_image *im)
{
    POINT(p, at, struct code_image, arena, 0);
    funcs(p, at, im);
    POINT(p, at, struct code_image, types, types(p, im->types, im->ntypes));
    POINT(p, at, struct code_image, consts,
        append(p, im->consts, im->nconsts * sizeof *im->consts));
    POINT(p, at, struct code_image, strings, strings(p, im));
    POINT(p, at, struct code_image, natives, natives(p, im));
    POINT(p, at, struct code_image, global_list, globals(p, im));
    POINT(p, at, struct code_image, files, texts(p, im->files, im->nfiles));
    POINT(p, at, struct code_image, selectors,
        texts(p, im->selectors, im->nselectors));
    layout(p, at + offsetof(struct code_image, globals), &im->globals);
    while (p->done < p->todo.n && !p->failed)
        fill_type(p, p->todo.v[p->done++]);
}

static uint64_t
sum_of(const uint8_t *at, size_t size)
{
    size_t skip = offsetof(struct head, size);

    return rt_hash_bytes(at + skip, size - skip, PACK_MAGIC);
}

/* The list of distances, and the head. */
static void
finish(struct packer *p)
{
    struct head *h;

    append(p, p->rel.v, p->rel.n * sizeof *p->rel.v);
    if (p->failed || p->n > UINT32_MAX) {
        p->failed = true;
        return;
    }
    h = (struct head *)(void *)p->b;
    h->magic = PACK_MAGIC;
    h->size = p->n;
    h->nrel = p->rel.n;
    h->sum = sum_of(p->b, p->n);
}

bool
code_pack(const struct code_image *im, struct code_packed *out)
{
    struct packer p = {0};
    struct head head = {.image = *im};

    append(&p, &head, sizeof head);
    image(&p, offsetof(struct head, image), im);
    finish(&p);
    free(p.map);
    rt_vec_free(&p.rel);
    rt_vec_free(&p.todo);
    if (p.failed) {
        free(p.b);
        return false;
    }
    *out = (struct code_packed){p.b, p.n};
    return true;
}

/* ---- back ------------------------------------------------------------------------------- */

/* The list of distances; NULL if the bytes are not whole. */
static const uint32_t *
rels_of(const uint8_t *at, size_t size)
{
    const struct head *h = (const void *)at;
    size_t room;

    rt_assert((uintptr_t)at % 8 == 0);
    if (size < sizeof *h || size % 8 != 0 || h->magic != PACK_MAGIC ||
        h->size != size || h->sum != sum_of(at, size))
        return NULL;
    room = (h->nrel + 1) / 2 * 8;
    if (h->nrel > UINT32_MAX || room > size - sizeof *h)
        return NULL;
    return (const void *)(at + size - room);
}

const struct code_image *
code_unpack(uint8_t *at, size_t size)
{
    const uint32_t *rel = rels_of(at, size);
    struct head *h = (void *)at;
    uint64_t i;

    if (rel == NULL)
        return NULL;
    for (i = 0; i < h->nrel; i++) {
        uint64_t *word = (uint64_t *)(void *)at + rel[i];

        if ((const uint32_t *)word >= rel || *word >= size)
            return NULL;
        *word += (uintptr_t)at;
    }
    return &h->image;
}
