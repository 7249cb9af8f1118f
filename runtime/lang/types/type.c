/* SPDX-License-Identifier: MIT */

/*
 * Construction, identity, canonical representatives and sizes of types.
 * Pointers and slices are shared through their element from the start, which
 * makes most comparisons of identical types a comparison of pointers.
 */

#include "runtime/lang/types/type.h"

#include <string.h>

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

struct type *
type_new(struct check *c, enum type_kind kind)
{
    struct type *t = CHECK_NEW(c, struct type);

    t->kind = (uint8_t)kind;
    return t;
}

struct type *
type_pointer(struct check *c, struct type *elem)
{
    if (!elem->ptr_to) {
        elem->ptr_to = type_new(c, TYPE_POINTER);
        elem->ptr_to->elem = elem;
    }
    return elem->ptr_to;
}

struct type *
type_slice(struct check *c, struct type *elem)
{
    if (!elem->slice_of) {
        elem->slice_of = type_new(c, TYPE_SLICE);
        elem->slice_of->elem = elem;
    }
    return elem->slice_of;
}

struct type *
type_array(struct check *c, struct type *elem, int64_t len)
{
    struct type *t = type_new(c, TYPE_ARRAY);

    t->elem = elem;
    t->len = len;
    return t;
}

struct type *
type_map(struct check *c, struct type *key, struct type *elem)
{
    struct type *t = type_new(c, TYPE_MAP);

    t->key = key;
    t->elem = elem;
    return t;
}

struct type *
type_chan(struct check *c, enum type_chan_dir dir, struct type *elem)
{
    struct type *t = type_new(c, TYPE_CHAN);

    t->dir = (uint8_t)dir;
    t->elem = elem;
    return t;
}

struct type *
type_tuple(struct check *c, struct object **vars, uint32_t n)
{
    struct type *t;

    if (n == 0 && c->types.empty_tuple)
        return c->types.empty_tuple;
    t = type_new(c, TYPE_TUPLE);
    t->vars = vars;
    t->nvars = n;
    return t;
}

struct type *
type_result(struct check *c, struct type *func)
{
    uint32_t n = func->nvars - func->nparams;

    if (n == 1)
        return func->vars[func->nparams]->type;
    return type_tuple(c, func->vars + func->nparams, n);
}

/* An interface that substitution made is completed at the first question. */
static void
complete(struct type *t)
{
    if (t->state == TSTATE_PENDING && t->iface->pkg)
        check_iface_complete(t->iface->pkg->check, t);
}

/* ---- predicates --------------------------------------------------------- */

static bool
kind_between(struct type *t, enum type_kind lo, enum type_kind hi)
{
    enum type_kind k = type_kind_of(t);

    return k >= lo && k <= hi;
}

bool
type_is_bool(struct type *t)
{
    enum type_kind k = type_kind_of(t);

    return k == TYPE_BOOL || k == TYPE_UNTYPED_BOOL;
}

bool
type_is_integer(struct type *t)
{
    return kind_between(t, TYPE_INT, TYPE_UINTPTR) ||
           kind_between(t, TYPE_UNTYPED_INT, TYPE_UNTYPED_RUNE);
}

bool
type_is_unsigned(struct type *t)
{
    return kind_between(t, TYPE_UINT, TYPE_UINTPTR);
}

bool
type_is_float(struct type *t)
{
    return kind_between(t, TYPE_FLOAT32, TYPE_FLOAT64) ||
           type_kind_of(t) == TYPE_UNTYPED_FLOAT;
}

bool
type_is_complex(struct type *t)
{
    return kind_between(t, TYPE_COMPLEX64, TYPE_COMPLEX128) ||
           type_kind_of(t) == TYPE_UNTYPED_COMPLEX;
}

bool
type_is_numeric(struct type *t)
{
    return kind_between(t, TYPE_INT, TYPE_COMPLEX128) ||
           kind_between(t, TYPE_UNTYPED_INT, TYPE_UNTYPED_COMPLEX);
}

bool
type_is_string(struct type *t)
{
    enum type_kind k = type_kind_of(t);

    return k == TYPE_STRING || k == TYPE_UNTYPED_STRING;
}

bool
type_is_untyped(struct type *t)
{
    return t->kind >= TYPE_UNTYPED_BOOL && t->kind <= TYPE_UNTYPED_NIL;
}

bool
type_is_const_type(struct type *t)
{
    return kind_between(t, TYPE_BOOL, TYPE_STRING) ||
           kind_between(t, TYPE_UNTYPED_BOOL, TYPE_UNTYPED_STRING);
}

bool
type_is_interface(struct type *t)
{
    return type_kind_of(t) == TYPE_INTERFACE;
}

bool
type_is_ordered(struct type *t)
{
    return type_is_integer(t) || type_is_float(t) || type_is_string(t);
}

bool
type_is_bytes_or_runes(struct type *t)
{
    enum type_kind k;

    t = type_under(t);
    if (t->kind != TYPE_SLICE)
        return false;
    k = type_kind_of(t->elem);
    return k == TYPE_UINT8 || k == TYPE_INT32;
}

bool
type_has_nil(struct type *t)
{
    if (t->kind == TYPE_PARAM)
        return type_all(t, type_has_nil);
    switch (type_kind_of(t)) {
    case TYPE_UNSAFE_POINTER:
    case TYPE_UNTYPED_NIL:
    case TYPE_POINTER:
    case TYPE_SLICE:
    case TYPE_FUNC:
    case TYPE_INTERFACE:
    case TYPE_MAP:
    case TYPE_CHAN:
        return true;
    default:
        return false;
    }
}

static bool comparable(struct type *t, bool dynamic, int depth);

/* Are all types that an interface admits comparable without a panic?  Where
 * it admits none, nothing can be compared. */
static bool
comparable_set(struct type *iface, int depth)
{
    const struct iface_info *f = iface->iface;
    uint32_t i;

    if (!f->terms.limited)
        return f->comparable;
    if (f->terms.n == 0)
        return false;
    for (i = 0; i < f->terms.n; i++)
        if (!comparable(f->terms.at[i].type, false, depth + 1))
            return false;
    return true;
}

/* dynamic: interfaces are comparable, whatever is in them. */
static bool
comparable(struct type *t, bool dynamic, int depth)
{
    uint32_t i;

    if (t->kind == TYPE_PARAM)
        return depth > 64 || comparable_set(type_bound(t), depth);
    if (dynamic && t->cmp)
        return t->cmp == 2;
    t = type_under(t);
    if (dynamic && t->cmp)
        return t->cmp == 2;
    switch (t->kind) {
    case TYPE_INTERFACE:
        complete(t);
        return dynamic || depth > 64 || comparable_set(t, depth);
    case TYPE_UNTYPED_NIL:
    case TYPE_SLICE:
    case TYPE_FUNC:
    case TYPE_MAP:
    case TYPE_TUPLE:
        return false;
    case TYPE_ARRAY:
        return comparable(t->elem, dynamic, depth);
    case TYPE_STRUCT:
        for (i = 0; i < t->nvars; i++)
            if (t->vars[i]->type &&
                !comparable(t->vars[i]->type, dynamic, depth))
                return false;
        return true;
    default:
        return true;
    }
}

bool
type_comparable(struct type *t)
{
    return comparable(t, true, 0);
}

bool
type_strictly_comparable(struct type *t)
{
    return comparable(t, false, 0);
}

bool
type_is_pointer_shaped(struct type *t)
{
    switch (type_kind_of(t)) {
    case TYPE_UNSAFE_POINTER:
    case TYPE_POINTER:
    case TYPE_FUNC:
    case TYPE_MAP:
    case TYPE_CHAN:
        return true;
    default:
        return false;
    }
}

/* ---- identity ----------------------------------------------------------- */

/* Interfaces under comparison, innermost first: an interface may refer to
 * itself through its methods without a named type in between only by way of
 * embedding; meeting a pair again means that nothing differs so far. */
struct pair {
    struct type *a, *b;
    const struct pair *prev;
};

static bool identical(
    struct type *a, struct type *b, bool tags, const struct pair *p);

static bool
same_field_name(const struct object *a, const struct object *b)
{
    return a->name == b->name && (a->exported || a->pkg == b->pkg);
}

static bool
same_tag(const struct object *a, const struct object *b)
{
    return a->tag_len == b->tag_len &&
           (a->tag_len == 0 || memcmp(a->tag, b->tag, a->tag_len) == 0);
}

bool
type_same_field(const struct object *a, const struct object *b)
{
    return a->embedded == b->embedded && same_field_name(a, b) &&
           same_tag(a, b);
}

static bool
identical_structs(
    struct type *a, struct type *b, bool tags, const struct pair *p)
{
    uint32_t i;

    if (a->nvars != b->nvars)
        return false;
    for (i = 0; i < a->nvars; i++) {
        struct object *f = a->vars[i], *g = b->vars[i];

        if (f->embedded != g->embedded || !same_field_name(f, g) ||
            (tags && !same_tag(f, g)) || !identical(f->type, g->type, tags, p))
            return false;
    }
    return true;
}

static bool
identical_funcs(struct type *a, struct type *b, bool tags, const struct pair *p)
{
    uint32_t i;

    if (a->nvars != b->nvars || a->nparams != b->nparams ||
        a->variadic != b->variadic)
        return false;
    for (i = 0; i < a->nvars; i++)
        if (!identical(a->vars[i]->type, b->vars[i]->type, tags, p))
            return false;
    return true;
}

struct iface_walk {
    bool tags;
    const struct pair *pairs;
};

static bool
identical_methods(struct object *a, struct object *b, void *arg)
{
    const struct iface_walk *w = arg;

    return identical(a->type, b->type, w->tags, w->pairs);
}

static bool
identical_ifaces(
    struct type *a, struct type *b, bool tags, const struct pair *p)
{
    const struct pair here = {a, b, p};
    struct iface_walk w = {tags, &here};

    for (; p; p = p->prev)
        if ((p->a == a && p->b == b) || (p->a == b && p->b == a))
            return true;
    complete(a);
    complete(b);
    return a->nvars == b->nvars &&
           a->iface->comparable == b->iface->comparable &&
           type_iface_same(a, b, identical_methods, &w);
}

static bool
identical_instances(
    struct type *a, struct type *b, bool tags, const struct pair *p)
{
    uint32_t i;

    if (!a->origin || a->origin != b->origin)
        return false;
    for (i = 0; i < a->ntargs; i++)
        if (!identical(a->targs[i], b->targs[i], tags, p))
            return false;
    return true;
}

static bool
identical_unions(
    struct type *a, struct type *b, bool tags, const struct pair *p)
{
    uint32_t i;

    if (a->nterms != b->nterms)
        return false;
    for (i = 0; i < a->nterms; i++)
        if (a->terms[i].tilde != b->terms[i].tilde ||
            !identical(a->terms[i].type, b->terms[i].type, tags, p))
            return false;
    return true;
}

static bool
identical(struct type *a, struct type *b, bool tags, const struct pair *p)
{
    uint32_t i;

    if (a == b)
        return true;
    if (!a || !b || a->kind != b->kind)
        return false;
    switch (a->kind) {
    case TYPE_PARAM:
        return false;
    case TYPE_NAMED:
        return identical_instances(a, b, tags, p);
    case TYPE_UNION:
        return identical_unions(a, b, tags, p);
    case TYPE_POINTER:
    case TYPE_SLICE:
        return identical(a->elem, b->elem, tags, p);
    case TYPE_ARRAY:
        return (a->len == b->len || a->len < 0 || b->len < 0) &&
               identical(a->elem, b->elem, tags, p);
    case TYPE_MAP:
        return identical(a->key, b->key, tags, p) &&
               identical(a->elem, b->elem, tags, p);
    case TYPE_CHAN:
        return a->dir == b->dir && identical(a->elem, b->elem, tags, p);
    case TYPE_STRUCT:
        return identical_structs(a, b, tags, p);
    case TYPE_FUNC:
        return identical_funcs(a, b, tags, p);
    case TYPE_INTERFACE:
        return identical_ifaces(a, b, tags, p);
    case TYPE_TUPLE:
        if (a->nvars != b->nvars)
            return false;
        for (i = 0; i < a->nvars; i++)
            if (!identical(a->vars[i]->type, b->vars[i]->type, tags, p))
                return false;
        return true;
    default:
        return true;
    }
}

bool
type_identical(struct type *a, struct type *b)
{
    return identical(a, b, true, NULL);
}

bool
type_identical_no_tags(struct type *a, struct type *b)
{
    return identical(a, b, false, NULL);
}

/* ---- canonical representatives ------------------------------------------ */

static uint32_t
mix(uint32_t h, uint32_t v)
{
    return (h ^ v) * 0x01000193u + 0x9e37u;
}

/* Names of a component are enough beyond some depth: identical types still
 * hash alike.  So is one method of an interface: equal sets have it in the
 * same place. */
static uint32_t
hash_type(struct check *c, struct type *t, int depth)
{
    uint32_t h = mix(0x811c9dc5u, t->kind), i;
    struct object *m;

    if (t->kind == TYPE_PARAM || (t->kind == TYPE_NAMED && !t->origin))
        return mix(h, t->serial);
    if (t->kind == TYPE_NAMED)
        return mix(h, type_shape(t));
    if (depth == 0)
        return h;
    if (t->elem)
        h = mix(h, hash_type(c, t->elem, depth - 1));
    if (t->key)
        h = mix(h, hash_type(c, t->key, depth - 1));
    h = mix(h, t->dir);
    if (t->kind == TYPE_ARRAY)
        h = mix(h, (uint32_t)t->len);
    if (t->kind == TYPE_INTERFACE) {
        check_iface_complete(c, t);
        m = type_iface_some(t);
        h = mix(h, t->nvars);
        if (!m)
            return h;
        return mix(mix(h, m->name->hash), hash_type(c, m->type, depth - 1));
    }
    h = mix(h, t->nvars);
    h = mix(h, t->nparams);
    for (i = 0; i < t->nvars; i++) {
        if (t->kind != TYPE_FUNC && t->kind != TYPE_TUPLE && t->vars[i]->name)
            h = mix(h, t->vars[i]->name->hash);
        h = mix(h, hash_type(c, t->vars[i]->type, depth - 1));
    }
    return h;
}

uint32_t
type_hash(struct check *c, struct type *t)
{
    return hash_type(c, t, 4) | 1;
}

static void
canon_grow(struct check *c)
{
    struct check_int *in = c->in;
    uint32_t cap = in->canon_cap ? in->canon_cap * 2 : 256, i;
    struct type **tab = CHECK_ARRAY(c, struct type *, cap);

    for (i = 0; i < in->canon_cap; i++) {
        struct type *t = in->canon[i];
        uint32_t h;

        if (!t)
            continue;
        for (h = t->hash & (cap - 1); tab[h]; h = (h + 1) & (cap - 1))
            ;
        tab[h] = t;
    }
    in->canon = tab;
    in->canon_cap = cap;
}

struct type *
type_canon(struct check *c, struct type *t)
{
    struct check_int *in = c->in;
    uint32_t hash, i;

    if (t->canon)
        return t->canon;
    if (t->kind <= TYPE_NAMED && !t->origin)
        return t->canon = t->kind == TYPE_NAMED ? t : basic(c, t->kind);
    if (in->canon_n * 2 >= in->canon_cap)
        canon_grow(c);
    hash = type_hash(c, t);
    for (i = hash & (in->canon_cap - 1); in->canon[i];
         i = (i + 1) & (in->canon_cap - 1))
        if (in->canon[i]->hash == hash && type_identical(in->canon[i], t))
            return t->canon = in->canon[i];
    in->canon[i] = t;
    in->canon_n++;
    t->hash = hash;
    return t->canon = t;
}

/* ---- sizes -------------------------------------------------------------- */

bool
type_has_var_size(struct type *t)
{
    uint32_t i;

    if (t->kind == TYPE_PARAM)
        return true;
    /* Only these and what is inside them can mention a parameter. */
    if (t->kind == TYPE_NAMED && !t->ntargs && !t->obj->func)
        return false;
    t = type_under(t);
    if (t->kind == TYPE_ARRAY)
        return type_has_var_size(t->elem);
    for (i = 0; t->kind == TYPE_STRUCT && i < t->nvars; i++)
        if (type_has_var_size(t->vars[i]->type))
            return true;
    return false;
}

static int64_t
align_up(int64_t n, int64_t a)
{
    return (n + a - 1) / a * a;
}

static void
layout_struct(struct type *t)
{
    int64_t off = 0, size = 0;
    uint32_t i, max = 1;

    for (i = 0; i < t->nvars; i++) {
        struct object *f = t->vars[i];
        uint32_t a = type_align(f->type);

        size = type_size(f->type);
        if (a > max)
            max = a;
        off = align_up(off, a);
        f->offset = off;
        off += size;
        if (off >= TYPE_SIZE_HUGE)
            off = TYPE_SIZE_HUGE;
    }
    /* No pointer to the last field may point past the object. */
    if (off > 0 && size == 0)
        off++;
    t->align = max;
    t->size = off >= TYPE_SIZE_HUGE ? TYPE_SIZE_HUGE : align_up(off, max);
}

static void
layout_array(struct type *t)
{
    int64_t n = t->len < 0 ? 0 : t->len, size;

    t->align = 1; /* ends a recursion through an invalid type */
    size = type_size(t->elem);
    t->align = type_align(t->elem);
    if (__builtin_mul_overflow(size, n, &t->size) || t->size > TYPE_SIZE_HUGE)
        t->size = TYPE_SIZE_HUGE;
}

static void
layout(struct type *t)
{
    static const uint8_t sizes[] = {
        [TYPE_BOOL] = 1,
        [TYPE_INT] = 8,
        [TYPE_INT8] = 1,
        [TYPE_INT16] = 2,
        [TYPE_INT32] = 4,
        [TYPE_INT64] = 8,
        [TYPE_UINT] = 8,
        [TYPE_UINT8] = 1,
        [TYPE_UINT16] = 2,
        [TYPE_UINT32] = 4,
        [TYPE_UINT64] = 8,
        [TYPE_UINTPTR] = 8,
        [TYPE_FLOAT32] = 4,
        [TYPE_FLOAT64] = 8,
        [TYPE_COMPLEX64] = 8,
        [TYPE_COMPLEX128] = 16,
        [TYPE_STRING] = 16,
        [TYPE_UNSAFE_POINTER] = 8,
        [TYPE_POINTER] = 8,
        [TYPE_FUNC] = 8,
        [TYPE_MAP] = 8,
        [TYPE_CHAN] = 8,
        [TYPE_INTERFACE] = 16,
        [TYPE_SLICE] = 24,
    };

    t->align = 1;
    switch (t->kind) {
    case TYPE_NAMED:
        t->size = type_size(type_under(t));
        t->align = type_align(type_under(t));
        break;
    case TYPE_STRUCT:
        layout_struct(t);
        break;
    case TYPE_ARRAY:
        layout_array(t);
        break;
    case TYPE_COMPLEX64:
        t->size = 8;
        t->align = 4;
        break;
    default:
        t->size = t->kind < sizeof sizes ? sizes[t->kind] : 0;
        t->align = t->size > 8 ? 8 : t->size ? (uint32_t)t->size : 1;
        break;
    }
}

int64_t
type_size(struct type *t)
{
    if (t->align == 0)
        layout(t);
    return t->size;
}

uint32_t
type_align(struct type *t)
{
    if (t->align == 0)
        layout(t);
    return t->align;
}
