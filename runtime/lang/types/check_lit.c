/* SPDX-License-Identifier: MIT */

/* Composite literals, and sets of constants for what must not repeat. */

#include <stdlib.h>
#include <string.h>

#include "runtime/lang/types/check_int.h"

/* ---- sets of constants -------------------------------------------------- */

static void
set_grow(struct check *c, struct const_set *s)
{
    uint32_t cap = s->cap ? s->cap * 2 : 16, i;
    struct const_entry *tab = CHECK_ARRAY(c, struct const_entry, cap);

    for (i = 0; i < s->cap; i++) {
        uint32_t h;

        if (!s->tab[i].v)
            continue;
        for (h = s->tab[i].hash & (cap - 1); tab[h].v; h = (h + 1) & (cap - 1))
            ;
        tab[h] = s->tab[i];
    }
    s->tab = tab;
    s->cap = cap;
}

lang_pos
const_set_add(struct check *c, struct const_set *s, const struct constv *v,
    struct type *t, lang_pos pos)
{
    uint32_t hash = const_hash(&c->cctx, v), i;

    if (const_kind(v) == CONST_UNKNOWN)
        return 0;
    if (s->n * 2 >= s->cap)
        set_grow(c, s);
    for (i = hash & (s->cap - 1); s->tab[i].v; i = (i + 1) & (s->cap - 1)) {
        struct const_entry *e = &s->tab[i];

        if (e->hash == hash && const_kind(e->v) == const_kind(v) &&
            const_cmp(&c->cctx, e->v, v) == 0 && type_identical(e->type, t))
            return e->pos;
    }
    s->tab[i] = (struct const_entry){v, t, pos, hash};
    s->n++;
    return 0;
}

/* ---- numbers ------------------------------------------------------------ */

enum { PLAIN_DIGITS = 15 }; /* of which a number fits into 63 bits */

/* The largest number of an integer type that concerns plain_number(); -1: t is
 * no integer. */
static int64_t
largest(struct type *t)
{
    switch (type_kind_of(t)) {
    case TYPE_INT8:
        return INT8_MAX;
    case TYPE_INT16:
        return INT16_MAX;
    case TYPE_INT32:
        return INT32_MAX;
    case TYPE_UINT8:
        return UINT8_MAX;
    case TYPE_UINT16:
        return UINT16_MAX;
    case TYPE_UINT32:
        return UINT32_MAX;
    case TYPE_INT:
    case TYPE_INT64:
    case TYPE_UINT:
    case TYPE_UINT64:
    case TYPE_UINTPTR:
        return INT64_MAX;
    default:
        return -1;
    }
}

/* The value of a literal in decimal or hexadecimal digits and nothing else;
 * -1: it is not one, or has too many of them. */
static int64_t
plain_value(const char *p, uint32_t n)
{
    uint32_t i, radix = 10;
    int64_t v = 0;

    if (n > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        radix = 16;
        p += 2;
        n -= 2;
    } else if (n > 1 && p[0] == '0') {
        return -1; /* octal, binary */
    }
    if (n > PLAIN_DIGITS)
        return -1;
    for (i = 0; i < n; i++) {
        uint32_t d = (uint8_t)p[i] - (uint32_t)'0';

        if (d > 9) {
            d = ((uint8_t)p[i] | 0x20) - (uint32_t)'a' + 10;
            if (d < 10 || d >= radix)
                return -1;
        }
        v = v * radix + d;
    }
    return v;
}

/* Tables are made of plain numbers that fit, and there may be a hundred
 * thousand: such an element needs none of the questions that any expression is
 * asked.  False: x is another one, or wrong, and was not touched. */
static bool
plain_number(struct check *c, struct ast_expr *x, struct type *t)
{
    int64_t v;

    if (x->kind != EXPR_LIT || x->op != LIT_INT || x->lit.bad)
        return false;
    v = plain_value(x->lit.text, x->lit.len);
    if (v < 0 || v > largest(t))
        return false;
    x->flags &=
        (uint8_t) ~(AST_F_COMMAOK | AST_F_CONVERSION | AST_F_ADDR);
    check_set_const(x, t, const_int64(&c->cctx, v));
    return true;
}

/* ---- structs ------------------------------------------------------------ */

static int32_t
field_index(
    struct check *c, struct type *st, const struct lang_name *name, bool fold)
{
    struct object *f =
        is_blank(c, name)
            ? NULL
            : type_find_field(c, st, c->in->env.pkg, name, fold);

    return f ? f->index : -1;
}

static void
keyed_field(struct check *c, struct ast_expr *kv, struct type *base,
    struct type *st, bool *seen)
{
    struct ast_expr *key = kv->kv.key, *v = kv->kv.value;
    struct object *f;
    int32_t i;

    if (key->kind != EXPR_NAME) {
        check_expr(c, v);
        check_errf(c, ast_expr_start(kv),
            "invalid field name %s in struct literal", check_expr_str(c, key));
        return;
    }
    i = field_index(c, st, key->name, false);
    check_expr_hint(c, v, NULL);
    if (i < 0) {
        int32_t j = field_index(c, st, key->name, true);

        check_errf(c, key->pos, "%s",
            check_lookup_error(
                c, base, key->name, j >= 0 ? st->vars[j] : NULL, true));
        return;
    }
    f = st->vars[i];
    key->obj = f;
    key->type = f->type;
    check_assignment(c, v, f->type, "struct literal");
    if (seen[i])
        check_errf(c, ast_expr_start(kv),
            "duplicate field name %s in struct literal", key->name->text);
    seen[i] = true;
}

static void
keyed_struct(
    struct check *c, struct ast_expr *e, struct type *base, struct type *st)
{
    bool *seen = CHECK_ARRAY(c, bool, st->nvars + 1);
    uint32_t i;

    for (i = 0; i < e->composite.elems.n; i++) {
        struct ast_expr *kv = e->composite.elems.at[i];

        if (kv->kind != EXPR_KEYVALUE) {
            check_errf(c, ast_expr_start(kv),
                "mixture of field:value and value elements in struct "
                "literal");
            continue;
        }
        keyed_field(c, kv, base, st, seen);
    }
}

static void
positional_struct(
    struct check *c, struct ast_expr *e, struct type *base, struct type *st)
{
    struct ast_exprs *l = &e->composite.elems;
    uint32_t i;

    for (i = 0; i < l->n; i++) {
        struct ast_expr *v = l->at[i];
        struct object *f;

        if (v->kind == EXPR_KEYVALUE) {
            check_errf(c, ast_expr_start(v),
                "mixture of field:value and value elements in struct "
                "literal");
            continue;
        }
        if (i < st->nvars && st->vars[i]->pkg == c->in->env.pkg &&
            plain_number(c, v, st->vars[i]->type))
            continue;
        check_expr(c, v);
        if (i >= st->nvars) {
            check_errf(c, ast_expr_start(v),
                "too many values in struct literal of type %s",
                type_str(c, base));
            break;
        }
        f = st->vars[i];
        if (!f->exported && f->pkg != c->in->env.pkg) {
            check_errf(c, ast_expr_start(v),
                "implicit assignment to unexported field %s in struct "
                "literal of type %s",
                f->name->text, type_str(c, base));
            continue;
        }
        check_assignment(c, v, f->type, "struct literal");
    }
    if (l->n < st->nvars)
        check_errf(c, e->composite.rbrace,
            "too few values in struct literal of type %s", type_str(c, base));
}

/* ---- arrays and slices -------------------------------------------------- */

/* Indexes of a literal.  Tables with a key before each element are large: what
 * is not far beyond their length is a bit. */
struct index_set {
    uint64_t *bits;
    int64_t limit; /* below it */
    struct const_set far;
};

static struct index_set
index_set_for(struct check *c, uint32_t nelems)
{
    uint32_t words = nelems + 16;

    return (struct index_set){
        .bits = CHECK_ARRAY(c, uint64_t, words), .limit = words * 64ll};
}

/* Adds an index; false if it is there. */
static bool
index_set_add(
    struct check *c, struct index_set *s, int64_t index, lang_pos pos)
{
    uint64_t bit = (uint64_t)1 << (index & 63);

    rt_assert(index >= 0);
    if (index >= s->limit)
        return const_set_add(c, &s->far, const_int64(&c->cctx, index),
                   basic(c, TYPE_INT), pos) == 0;
    if ((s->bits[index / 64] & bit) != 0)
        return false;
    s->bits[index / 64] |= bit;
    return true;
}

static int64_t
indexed_elems(
    struct check *c, struct ast_expr *e, struct type *elem, int64_t length)
{
    struct ast_exprs *l = &e->composite.elems;
    struct index_set seen = {0};
    int64_t index = 0, max = 0, k;
    bool keyed = e->composite.nkey > 0;
    uint32_t i;

    if (keyed)
        seen = index_set_for(c, l->n);

    for (i = 0; i < l->n; i++) {
        struct ast_expr *x = l->at[i], *v = x;
        bool valid = false;

        if (x->kind == EXPR_KEYVALUE) {
            struct ast_expr *key = x->kv.key;

            v = x->kv.value;
            k = plain_number(c, key, basic(c, TYPE_INT)) &&
                    (length < 0 || const_int_bits(key->cv) < (uint64_t)length)
                ? (int64_t)const_int_bits(key->cv)
                : check_index_value(c, key, length);
            if (k >= 0) {
                index = k;
                valid = true;
            } else if (key->mode != MODE_NONE && !is_const(key)) {
                check_errf(c, ast_expr_start(x),
                    "index %s must be integer constant",
                    check_expr_str(c, key));
            }
        } else if (length >= 0 && index >= length) {
            check_errf(c, ast_expr_start(x),
                "index %lld is out of bounds (>= %lld)", (long long)index,
                (long long)length);
        } else {
            valid = true;
        }
        if (valid && keyed && !index_set_add(c, &seen, index, x->pos))
            check_errf(c, ast_expr_start(x),
                "duplicate index %lld in array or slice literal",
                (long long)index);
        index++;
        if (index > max)
            max = index;
        if (plain_number(c, v, elem))
            continue;
        check_expr_hint(c, v, elem);
        check_assignment(c, v, elem, "array or slice literal");
    }
    return max;
}

int64_t
check_composite_len(const struct ast_expr *lit)
{
    int64_t index = 0, max = 0;
    uint32_t i;

    for (i = 0; i < lit->composite.elems.n; i++) {
        const struct ast_expr *x = lit->composite.elems.at[i];

        if (x->kind == EXPR_KEYVALUE && x->kv.key->cv)
            const_to_int64(x->kv.key->cv, &index);
        if (++index > max)
            max = index;
    }
    return max;
}

/* ---- maps --------------------------------------------------------------- */

static void
map_elems(struct check *c, struct ast_expr *e, struct type *m)
{
    struct const_set seen = {NULL, 0, 0};
    uint32_t i;

    for (i = 0; i < e->composite.elems.n; i++) {
        struct ast_expr *kv = e->composite.elems.at[i], *k;

        if (kv->kind != EXPR_KEYVALUE) {
            check_errf(c, ast_expr_start(kv), "missing key in map literal");
            continue;
        }
        k = kv->kv.key;
        check_expr_hint(c, k, m->key);
        check_assignment(c, k, m->key, "map literal");
        if (k->mode == MODE_NONE)
            continue;
        if (is_const(k) && const_set_add(c, &seen, k->cv, k->type, k->pos)) {
            check_errf(c, ast_expr_start(k), "duplicate key %s in map literal",
                const_text_as(&c->cctx, k->cv,
                    type_is_complex(k->type) ? CONST_COMPLEX
                                             : const_kind(k->cv)));
            continue;
        }
        check_expr_hint(c, kv->kv.value, m->elem);
        check_assignment(c, kv->kv.value, m->elem, "map literal");
    }
}

/* ---- literals ----------------------------------------------------------- */

/* The literal's type; *base what its elements are for. */
static struct type *
literal_type(
    struct check *c, struct ast_expr *e, struct type *hint, struct type **base)
{
    struct ast_expr *te = e->composite.type;
    struct type *t = invalid_type(c), *u;

    if (te) {
        if (te->kind == EXPR_ARRAY && !te->array.len)
            t = type_array(c, check_var_type(c, te->array.elem), -1);
        else
            t = check_type(c, te);
        *base = t;
        return t;
    }
    if (!hint) {
        check_errf(c, ast_expr_start(e), "missing type in composite literal");
        *base = t;
        return t;
    }
    *base = hint;
    u = type_common(c, hint, NULL, NULL, NULL);
    if (u && u->kind == TYPE_POINTER) {
        *base = u->elem;
        e->flags |= AST_F_ADDR;
    }
    return hint;
}

void
check_composite(struct check *c, struct ast_expr *e, struct type *hint)
{
    struct ast_expr *te = e->composite.type;
    struct ast_exprs *l = &e->composite.elems;
    struct type *base, *t = literal_type(c, e, hint, &base);
    struct type *u = type_common(c, base, NULL, NULL, NULL);
    int64_t n;

    if (parse_literal(c->parse, e) != RT_OK)
        rt_no_memory();
    if (base->kind == TYPE_NAMED && base->state == TSTATE_PENDING) {
        check_cycle_error(c, &base->obj, 1);
        check_use(c, l->at, l->n);
        return;
    }
    switch (u ? u->kind : TYPE_PARAM) {
    case TYPE_STRUCT:
        if (l->n == 0)
            break;
        if (l->at[0]->kind == EXPR_KEYVALUE)
            keyed_struct(c, e, base, u);
        else
            positional_struct(c, e, base, u);
        break;
    case TYPE_ARRAY:
        n = indexed_elems(c, e, u->elem, u->len);
        if (u->len < 0) {
            u->len = n;
            if (te) {
                te->mode = MODE_TYPE;
                te->type = u;
            }
        }
        break;
    case TYPE_SLICE:
        indexed_elems(c, e, u->elem, -1);
        break;
    case TYPE_MAP:
        map_elems(c, e, u);
        break;
    default:
        check_use(c, l->at, l->n);
        if (!u || is_valid(u))
            check_errf(c, ast_expr_start(e),
                "invalid composite literal%s type %s%s", te ? "" : " element",
                type_str(c, t), u ? "" : " (no common underlying type)");
        return;
    }
    check_set_value(e, t);
}
