/* SPDX-License-Identifier: MIT */
/*
 * Array literals whose elements are constants.  Tables in sources have tens of
 * thousands of them: their bytes are laid out here, kept like a string's, and
 * copied to where the literal is to be, instead of code that stores one element
 * after the other.
 */
#include "runtime/lang/gen/gen_int.h"

#include <string.h>

enum {
    DATA_LEAST = 8,      /* elements: fewer are stored by code */
    DATA_MOST_EACH = 128 /* bytes for each element that is written down: a table
                            that is mostly zeros is not worth its memory */
};

static bool lay_out(
    struct gfunc *f, uint8_t *at, struct type *t, struct ast_expr *e);

static bool
lay_struct(struct gfunc *f, uint8_t *at, struct type *t, struct ast_expr *e)
{
    uint32_t i;

    type_size(t);
    for (i = 0; i < e->composite.elems.n; i++) {
        struct ast_expr *x = e->composite.elems.at[i], *v = x;
        const struct object *fld = t->vars[i < t->nvars ? i : 0];

        if (x->kind == EXPR_KEYVALUE) {
            fld = x->kv.key->obj;
            v = x->kv.value;
        }
        if (fld->name != NULL && strcmp(fld->name->text, "_") == 0)
            return false;
        if (!lay_out(f, at + fld->offset, fld->type, v))
            return false;
    }
    return true;
}

static bool
lay_array(struct gfunc *f, uint8_t *at, struct type *elem, struct ast_expr *e)
{
    int64_t i = 0, size = type_size(elem);
    uint32_t k;

    for (k = 0; k < e->composite.elems.n; k++) {
        struct ast_expr *x = e->composite.elems.at[k], *v = x;

        if (x->kind == EXPR_KEYVALUE) {
            v = x->kv.value;
            if (x->kv.key->cv != NULL)
                const_to_int64(x->kv.key->cv, &i);
        }
        rt_assert(i >= 0);
        if (!lay_out(f, at + i * size, elem, v))
            return false;
        i++;
    }
    return true;
}

/* Writes a value of type t, which has no pointers; false where it is not
 * constant.  Frames and memory have the low byte of a word first. */
static bool
lay_out(struct gfunc *f, uint8_t *at, struct type *t, struct ast_expr *e)
{
    struct ast_expr *x = ast_unparen(e);
    uint64_t word;

    t = type_under(t);
    if (x->cv != NULL && t->kind <= TYPE_COMPLEX64) {
        word = gf_const_word(t, x->cv);
        memcpy(at, &word, (size_t)type_size(t));
        return true;
    }
    if (x->cv != NULL || x->kind != EXPR_COMPOSITE || (x->flags & AST_F_ADDR))
        return false;
    if (t->kind == TYPE_STRUCT)
        return lay_struct(f, at, t, x);
    return t->kind == TYPE_ARRAY && lay_array(f, at, t->elem, x);
}

bool
gf_data_literal(struct gfunc *f, struct ast_expr *e, struct type *t,
    const struct place *p)
{
    struct type *u = type_under(t);
    int64_t size = type_size(t);
    uint32_t n = e->composite.elems.n, m;
    uint8_t *data;
    int s, to;

    if (n < DATA_LEAST || u->kind != TYPE_ARRAY || type_has_pointers(t) ||
        (p->kind != PLACE_MEM && p->kind != PLACE_GLOBAL) ||
        size / n > DATA_MOST_EACH)
        return false;
    rt_assert(size > 0);
    data = gen_scratch(f->g, (size_t)size);
    if (!lay_array(f, data, u->elem, e))
        return false;
    m = gf_mark(f);
    s = gf_temp(f, &f->g->c->types.basic[TYPE_STRING]);
    gf_ai(f, OP_LDSTR, s,
        gen_string(f->g, (const char *)data, (size_t)size));
    to = gf_addr(f, p, NO_SLOT);
    gf_abc(f, OP_COPYT, to, s, 0);
    gf_ext(f, 0, gen_type(f->g, t));
    gf_release(f, m);
    return true;
}
