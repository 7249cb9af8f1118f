/* SPDX-License-Identifier: MIT */
#include "runtime/value/types.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

/* The largest array with pointers, for which there is a mask; others only must
 * have a size. */
#define MAX_SCANNED ((uint64_t)1 << 40)

struct types_made {
    struct rtype type; /* first: types_map() goes from it to the whole */
    struct map_type map; /* of a map type */
    struct types_made *next;
    uint8_t *mask; /* type.layout.ptrmask; NULL where that is shared */
    struct rfield *fields; /* of a struct */
};

static const uint8_t first_word[] = { 1 };

void
types_init(struct types *ts, const struct rtype *const *own, uint32_t nown)
{
    *ts = (struct types){ .own = own, .nown = nown };
    rt_lock_init(&ts->lock, RANK_TYPES);
}

static void
made_free(struct types_made *m)
{
    if (m->map.type != NULL)
        map_type_free(&m->map);
    free((void *)m->type.string);
    free((void *)m->type.params);
    for (uint32_t i = 0; m->fields != NULL && i < m->type.nfields; i++) {
        free((void *)m->fields[i].name);
        free((void *)m->fields[i].pkg);
        free((void *)m->fields[i].tag);
    }
    free(m->fields);
    free(m->mask);
    free(m);
}

void
types_free(struct types *ts)
{
    while (ts->made != NULL) {
        struct types_made *next = ts->made->next;
        made_free(ts->made);
        ts->made = next;
    }
    free(ts->table);
    ts->table = NULL;
}

/* ---- the table ------------------------------------------------------------ */

static bool
composite(enum rkind kind)
{
    return kind == RK_ARRAY || kind == RK_CHAN || kind == RK_FUNC ||
        kind == RK_MAP || kind == RK_POINTER || kind == RK_SLICE ||
        kind == RK_STRUCT;
}

static struct types_key
key_of(const struct rtype *t)
{
    return (struct types_key){
        .kind = t->kind,
        .elem = t->elem,
        .key = t->key,
        .len = t->len,
        .dir = t->chan_dir,
        .params = t->params,
        .nparams = t->nparams,
        .nresults = t->nresults,
        .variadic = (t->flags & RT_F_VARIADIC) != 0,
        .fields = t->fields,
        .nfields = t->nfields,
    };
}

static uint32_t
mix(uint32_t h, uint64_t v)
{
    v = (v ^ h) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(v >> 32);
}

static uint32_t
hash(const struct types_key *k)
{
    uint32_t h = mix(k->kind, (uintptr_t)k->elem);

    h = mix(h, (uintptr_t)k->key);
    h = mix(h, k->len ^ (uint64_t)k->dir << 60 ^ k->nparams);
    for (uint32_t i = 0; i < k->nparams + k->nresults; i++)
        h = mix(h, (uintptr_t)k->params[i]);
    for (uint32_t i = 0; i < k->nfields; i++) {
        h = mix(h, (uintptr_t)k->fields[i].type);
        for (const char *s = k->fields[i].name; *s != '\0'; s++)
            h = mix(h, (uint8_t)*s);
    }
    return h;
}

static bool
same_text(const char *a, const char *b)
{
    return strcmp(a == NULL ? "" : a, b == NULL ? "" : b) == 0;
}

static bool
same_field(const struct rfield *a, const struct rfield *b)
{
    return a->type == b->type && a->embedded == b->embedded &&
        a->exported == b->exported && same_text(a->name, b->name) &&
        same_text(a->pkg, b->pkg) && same_text(a->tag, b->tag);
}

static bool
same(const struct types_key *a, const struct types_key *b)
{
    if (a->kind != b->kind || a->elem != b->elem || a->key != b->key ||
        a->len != b->len || a->dir != b->dir || a->nparams != b->nparams ||
        a->nresults != b->nresults || a->variadic != b->variadic ||
        a->nfields != b->nfields)
        return false;
    for (uint32_t i = 0; i < a->nfields; i++)
        if (!same_field(&a->fields[i], &b->fields[i]))
            return false;
    for (uint32_t i = 0; i < a->nparams + a->nresults; i++)
        if (a->params[i] != b->params[i])
            return false;
    return true;
}

/* Where the type is, or the empty entry where it would be. */
static const struct rtype **
types_probe(struct types *ts, const struct types_key *k)
{
    for (uint32_t i = hash(k) & ts->mask;; i = (i + 1) & ts->mask) {
        if (ts->table[i] == NULL)
            return &ts->table[i];
        struct types_key have = key_of(ts->table[i]);
        if (same(&have, k))
            return &ts->table[i];
    }
}

static void
types_insert(struct types *ts, const struct rtype *t)
{
    struct types_key k = key_of(t);
    const struct rtype **e = types_probe(ts, &k);

    rt_assert(*e == NULL);
    *e = t;
    ts->n++;
}

static bool
in_table(const struct rtype *t)
{
    return composite(t->kind) && (t->flags & RT_F_NAMED) == 0;
}

/* Room for one more; the first time the program's types come in. */
static bool
types_make_room(struct types *ts)
{
    if (ts->table != NULL && ts->n < ts->mask / 2)
        return true;
    uint32_t size = ts->table == NULL ? 64 : 2 * (ts->mask + 1);
    while (size / 2 <= ts->nown)
        size *= 2;
    const struct rtype **old = ts->table;
    const struct rtype **table = calloc(size, sizeof *table);
    if (table == NULL)
        return false;
    ts->table = table;
    ts->mask = size - 1;
    ts->n = 0;
    for (uint32_t i = 0; i < ts->nown; i++)
        if (in_table(ts->own[i]))
            types_insert(ts, ts->own[i]);
    for (struct types_made *m = ts->made; m != NULL; m = m->next)
        types_insert(ts, &m->type);
    free(old);
    return true;
}

/* ---- making a type -------------------------------------------------------- */

/* A text that grows; failed once memory is out. */
struct text {
    char *s;
    size_t n, cap;
    bool failed;
};

static void
put(struct text *b, const char *s)
{
    size_t n = strlen(s);

    if (b->n + n + 1 > b->cap) {
        size_t cap = 2 * (b->n + n + 1);
        char *p = realloc(b->s, cap);
        if (p == NULL) {
            b->failed = true;
            return;
        }
        b->s = p;
        b->cap = cap;
    }
    memcpy(b->s + b->n, s, n + 1);
    b->n += n;
}

static void
put_list(struct text *b, const struct rtype *const *list, uint32_t n,
    bool variadic)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            put(b, ", ");
        if (variadic && i == n - 1) {
            put(b, "...");
            put(b, list[i]->elem->string);
        } else {
            put(b, list[i]->string);
        }
    }
}

static void
put_func(struct text *b, const struct types_key *k)
{
    put(b, "func(");
    put_list(b, k->params, k->nparams, k->variadic);
    put(b, ")");
    if (k->nresults > 0)
        put(b, k->nresults > 1 ? " (" : " ");
    put_list(b, k->params + k->nparams, k->nresults, false);
    if (k->nresults > 1)
        put(b, ")");
}

static void
put_chan(struct text *b, const struct types_key *k)
{
    /* chan <-chan T would be read as chan<- chan T. */
    bool parens = k->dir == RCHAN_BOTH && k->elem->string[0] == '<';

    put(b, k->dir == RCHAN_RECV ? "<-chan " :
            k->dir == RCHAN_SEND ? "chan<- " : "chan ");
    put(b, parens ? "(" : "");
    put(b, k->elem->string);
    put(b, parens ? ")" : "");
}

static void
put_number(struct text *b, uint64_t n)
{
    char digits[24];
    size_t i = sizeof digits - 1;

    digits[i] = '\0';
    do {
        digits[--i] = (char)('0' + n % 10);
        n /= 10;
    } while (n != 0);
    put(b, digits + i);
}

/* A text in Go's quotes, as far as a tag needs them. */
static void
put_quoted(struct text *b, const char *s)
{
    static const char hex[] = "0123456789abcdef";

    put(b, "\"");
    for (; *s != '\0'; s++) {
        uint8_t c = (uint8_t)*s;
        char out[5] = { (char)c };
        if (c == '"' || c == '\\')
            memcpy(out, (char[]){ '\\', (char)c, '\0' }, 3);
        else if (c == '\n' || c == '\t' || c == '\r')
            memcpy(out, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r", 3);
        else if (c < ' ' || c == 0x7f)
            memcpy(out, (char[]){ '\\', 'x', hex[c >> 4], hex[c & 15], '\0' },
                5);
        put(b, out);
    }
    put(b, "\"");
}

static void
put_struct(struct text *b, const struct types_key *k)
{
    put(b, "struct {");
    for (uint32_t i = 0; i < k->nfields; i++) {
        const struct rfield *f = &k->fields[i];
        put(b, i > 0 ? "; " : " ");
        if (!f->embedded) {
            put(b, f->name);
            put(b, " ");
        }
        put(b, f->type->string);
        if (f->tag != NULL && f->tag[0] != '\0') {
            put(b, " ");
            put_quoted(b, f->tag);
        }
    }
    put(b, k->nfields > 0 ? " }" : "}");
}

/* The type as %T prints it; NULL where memory is out. */
static char *
string_of(const struct types_key *k)
{
    struct text b = { 0 };

    switch (k->kind) {
    case RK_FUNC:
        put_func(&b, k);
        break;
    case RK_CHAN:
        put_chan(&b, k);
        break;
    case RK_STRUCT:
        put_struct(&b, k);
        break;
    case RK_MAP:
        put(&b, "map[");
        put(&b, k->key->string);
        put(&b, "]");
        put(&b, k->elem->string);
        break;
    case RK_ARRAY:
        put(&b, "[");
        put_number(&b, k->len);
        put(&b, "]");
        put(&b, k->elem->string);
        break;
    default:
        put(&b, k->kind == RK_POINTER ? "*" : "[]");
        put(&b, k->elem->string);
        break;
    }
    if (b.failed) {
        free(b.s);
        return NULL;
    }
    return b.s;
}

/* The layout of an array: its element's, again and again. */
static bool
array_layout(struct types_made *m, const struct types_key *k)
{
    const struct rt_layout *e = &k->elem->layout;
    struct rt_layout *l = &m->type.layout;

    if (e->size != 0 && k->len > UINT64_MAX / e->size)
        return false;
    l->size = e->size * k->len;
    if (e->ptrdata == 0 || k->len == 0)
        return true;
    if (l->size > MAX_SCANNED)
        return false;
    l->ptrdata = e->size * (k->len - 1) + e->ptrdata;
    m->mask = calloc(1, (size_t)(l->ptrdata / 64 + 1));
    if (m->mask == NULL)
        return false;
    for (uint64_t i = 0; i < k->len; i++)
        for (uint64_t w = 0; w < e->ptrdata / 8; w++) {
            uint64_t at = i * (e->size / 8) + w;
            if (rt_layout_is_ptr(e, w))
                m->mask[at / 8] |= (uint8_t)(1u << (at % 8));
        }
    l->ptrmask = m->mask;
    return true;
}

/* Wraps to less than n where that is too large. */
static uint64_t
align_up(uint64_t n, uint64_t align)
{
    return (n + align - 1) / align * align;
}

/* Where the fields lie, as the compiler places them; false where they are too
 * large.  A struct that ends in a field of no size is a byte longer, so that
 * the field's address is not that of the next object. */
static bool
place_fields(struct types_made *m)
{
    struct rtype *t = &m->type;
    uint64_t at = 0;
    bool empty = false;

    t->align = 1;
    for (uint32_t i = 0; i < t->nfields; i++) {
        const struct rtype *f = m->fields[i].type;
        uint64_t size = rtype_size(f);
        uint64_t from = align_up(at, f->align);
        m->fields[i].offset = from;
        if (from < at || from + size < from)
            return false;
        at = from + size;
        empty = size == 0;
        if (f->align > t->align)
            t->align = f->align;
    }
    if (empty && at > 0 && ++at == 0)
        return false;
    t->layout.size = align_up(at, t->align);
    return t->layout.size >= at;
}

static bool
mask_fields(struct types_made *m)
{
    struct rt_layout *l = &m->type.layout;
    uint32_t n = m->type.nfields;

    for (uint32_t i = 0; i < n; i++) {
        const struct rt_layout *f = &m->fields[i].type->layout;
        if (f->ptrdata != 0)
            l->ptrdata = m->fields[i].offset + f->ptrdata;
    }
    if (l->ptrdata == 0)
        return true;
    if (l->ptrdata > MAX_SCANNED)
        return false;
    m->mask = calloc(1, (size_t)(l->ptrdata / 64 + 1));
    if (m->mask == NULL)
        return false;
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t w = 0; w < m->fields[i].type->layout.ptrdata / 8; w++) {
            uint64_t at = m->fields[i].offset / 8 + w;
            if (rt_layout_is_ptr(&m->fields[i].type->layout, w))
                m->mask[at / 8] |= (uint8_t)(1u << (at % 8));
        }
    l->ptrmask = m->mask;
    return true;
}

/* What == does to a struct follows from what it does to its fields; memory
 * is compared only where there are no gaps. */
static void
flag_fields(struct types_made *m)
{
    struct rtype *t = &m->type;
    uint64_t end = 0;

    t->flags = RT_F_COMPARABLE | RT_F_MEMEQ;
    for (uint32_t i = 0; i < t->nfields; i++) {
        const struct rfield *f = &m->fields[i];
        t->flags &= (uint8_t)(f->type->flags | ~RT_F_COMPARABLE);
        if ((f->type->flags & RT_F_MEMEQ) == 0 || f->offset != end ||
            strcmp(f->name, "_") == 0)
            t->flags &= (uint8_t)~RT_F_MEMEQ;
        if (f->type->flags & RT_F_MAYPANIC)
            t->flags |= RT_F_MAYPANIC;
        end = f->offset + rtype_size(f->type);
    }
    if (end != rtype_size(t))
        t->flags &= (uint8_t)~RT_F_MEMEQ;
}

static char *
copy_text(const char *s)
{
    return s == NULL ? NULL : strdup(s);
}

static bool
copy_fields(struct types_made *m, const struct types_key *k)
{
    m->fields = calloc(k->nfields + 1u, sizeof *m->fields);
    if (m->fields == NULL)
        return false;
    m->type.fields = m->fields;
    m->type.nfields = k->nfields;
    for (uint32_t i = 0; i < k->nfields; i++) {
        const struct rfield *f = &k->fields[i];
        m->fields[i] = *f;
        m->fields[i].name = copy_text(f->name);
        m->fields[i].pkg = copy_text(f->pkg);
        m->fields[i].tag = copy_text(f->tag);
        if (m->fields[i].name == NULL ||
            (f->pkg != NULL && m->fields[i].pkg == NULL) ||
            (f->tag != NULL && m->fields[i].tag == NULL))
            return false;
    }
    return true;
}

static bool
describe_struct(struct types_made *m, const struct types_key *k)
{
    struct rtype *t = &m->type;

    if (!copy_fields(m, k) || !place_fields(m) || !mask_fields(m))
        return false;
    flag_fields(m);
    const struct rtype *first =
        k->nfields > 0 && k->fields[0].embedded ? k->fields[0].type : NULL;
    if (first != NULL && first->kind != RK_INTERFACE && !rtype_direct(first)) {
        t->methods = first->methods;
        t->nmethods = first->nmethods;
        t->mtab = first->mtab;
        t->msize = first->msize;
    }
    return true;
}

/* Layout, alignment and flags by kind. */
static bool
describe(struct types_made *m, const struct types_key *k)
{
    struct rtype *t = &m->type;
    const uint8_t equal = RT_F_COMPARABLE | RT_F_MEMEQ;

    if (k->kind == RK_ARRAY) {
        t->align = k->elem->align;
        t->flags = k->elem->flags & (equal | RT_F_MAYPANIC);
        return array_layout(m, k);
    }
    if (k->kind == RK_STRUCT)
        return describe_struct(m, k);
    t->align = 8;
    t->layout = (struct rt_layout){ 8, 8, first_word };
    if (k->kind == RK_SLICE)
        t->layout.size = 24;
    else
        t->flags = RT_F_DIRECT;
    if (k->kind == RK_POINTER || k->kind == RK_CHAN)
        t->flags |= equal;
    if (k->variadic)
        t->flags |= RT_F_VARIADIC;
    return true;
}

static bool
copy_params(struct rtype *t, const struct types_key *k)
{
    uint32_t n = k->nparams + k->nresults;

    if (n == 0)
        return true;
    const struct rtype **params = calloc(n, sizeof *params);
    if (params == NULL)
        return false;
    memcpy(params, k->params, n * sizeof *params);
    t->params = params;
    t->nparams = k->nparams;
    t->nresults = k->nresults;
    return true;
}

static struct types_made *
make(const struct types_key *k, uint32_t number)
{
    struct types_made *m = calloc(1, sizeof *m);

    if (m == NULL)
        return NULL;
    m->type = (struct rtype){
        .kind = (uint8_t)k->kind,
        .self = &m->type,
        .chan_dir = (uint8_t)k->dir,
        .id = UINT32_MAX, /* no index of the image */
        .hash = number * 0x9e3779b1u,
        .name = "",
        .pkgpath = "",
        .elem = k->elem,
        .key = k->key,
        .len = k->len,
    };
    m->type.string = string_of(k);
    bool ok = m->type.string != NULL && describe(m, k) &&
        copy_params(&m->type, k) &&
        (k->kind != RK_MAP || map_type_init(&m->map, &m->type));
    if (!ok) {
        made_free(m);
        return NULL;
    }
    /* No frame holds a value of more than 32 bits of slots. */
    uint64_t slots = m->type.layout.size / 8 + (m->type.layout.size % 8 != 0);
    m->type.slots = slots < UINT32_MAX ? (uint32_t)slots : UINT32_MAX;
    return m;
}

/* Where the pointer type to elem is if it was asked for lately. */
static a_ptr *
recent_slot(struct types *ts, const struct rtype *elem)
{
    return &ts->recent[mix(RK_POINTER, (uintptr_t)elem) % TYPES_RECENT];
}

const struct rtype *
types_get(struct types *ts, const struct types_key *k)
{
    const struct rtype *t = NULL;
    a_ptr *slot = k->kind == RK_POINTER ? recent_slot(ts, k->elem) : NULL;

    rt_assert(composite(k->kind));
    if (slot != NULL) {
        t = aptr_load_acq(slot); /* acq: pairs with rel below */
        if (t != NULL && t->elem == k->elem)
            return t;
        t = NULL;
    }
    rt_lock(&ts->lock);
    if (types_make_room(ts)) {
        const struct rtype **e = types_probe(ts, k);
        if (*e == NULL) {
            struct types_made *m = make(k, ts->nown + ts->nmade + 1);
            if (m != NULL) {
                m->next = ts->made;
                ts->made = m;
                ts->nmade++;
                ts->n++;
                *e = &m->type;
            }
        }
        t = *e;
    }
    rt_unlock(&ts->lock);
    if (slot != NULL && t != NULL) {
        rt_assert(t->kind == RK_POINTER && t->elem == k->elem);
        aptr_store_rel(slot, (void *)t);
    }
    return t;
}

const struct map_type *
types_map(struct types *ts, const struct rtype *t)
{
    const struct types_key k = key_of(t);
    const struct map_type *mt = NULL;

    if (t->kind != RK_MAP || t->id != UINT32_MAX)
        return NULL;
    rt_lock(&ts->lock);
    if (ts->table != NULL && *types_probe(ts, &k) == t)
        mt = &((const struct types_made *)t)->map;
    rt_unlock(&ts->lock);
    return mt;
}
