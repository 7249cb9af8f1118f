/* SPDX-License-Identifier: MIT */
/*
 * Strings and byte slices that are read where they lie.  string(b) and
 * []byte(s) copy, but whoever only looks at the result before anything else
 * runs may as well look at the operand: its first two slots, pointer and
 * length, are a string's.  So comparisons, look-ups in maps, switches,
 * concatenations, copy, append, len and range do without the copy, as in Go.
 * A copy that nobody keeps (gen_escape.c) is a cell if it is short.
 */
#include "runtime/lang/gen/gen_hoist.h"
#include "runtime/lang/gen/gen_int.h"

enum { SHORT_COPY = 32 }; /* bytes; Go's are as short */

static bool
is_bytes(struct type *t)
{
    return type_kind_of(t) == TYPE_SLICE &&
        type_kind_of(type_under(t)->elem) == TYPE_UINT8;
}

/* The operand of e where that converts between string and []byte; NULL
 * elsewhere. */
static struct ast_expr *
operand(const struct gfunc *f, struct ast_expr *e)
{
    struct type *to, *from;
    struct ast_expr *x;

    e = ast_unparen(e);
    if (e->kind != EXPR_CALL || !(e->flags & AST_F_CONVERSION) ||
        e->cv != NULL || gf_hoisted(f, e) != NO_SLOT)
        return NULL;
    rt_assert(e->call.args.n == 1);
    x = e->call.args.at[0];
    to = gf_type(f, e);
    from = gf_type(f, x);
    if (type_kind_of(to) == TYPE_STRING ? is_bytes(from) :
        is_bytes(to) && type_kind_of(from) == TYPE_STRING)
        return x;
    return NULL;
}

bool
gen_copies_bytes(const struct ast_expr *e)
{
    const struct ast_expr *x = e->call.args.at[0];

    return e->cv == NULL &&
        (type_kind_of(e->type) == TYPE_STRING ? is_bytes(x->type) :
            is_bytes(e->type) && type_kind_of(x->type) == TYPE_STRING);
}

bool
gf_copy_to_cell(struct gfunc *f, const struct ast_expr *e, int dst, int src)
{
    static const enum code_slot_kind kinds[SHORT_COPY / 8] = {CODE_SCALAR};
    struct type *bytes = type_slice(f->g->c,
        &f->g->c->types.basic[TYPE_UINT8]);
    bool text = type_kind_of(gf_type(f, e)) == TYPE_STRING;
    uint32_t m = gf_mark(f), end, longer;
    int s, n;

    if ((e->flags & AST_F_STAYS) == 0)
        return false;
    rt_assert(gen_copies_bytes(e));
    s = gf_temp(f, bytes);
    n = gf_temp_int(f);
    longer = gf_label(f);
    end = gf_label(f);
    gf_jump_cmp(f, OP_JGTI, src + 1, SHORT_COPY, longer);
    if (gf_cell(f, kinds, SHORT_COPY / 8, s)) {
        gf_move(f, s + 1, src + 1, 1);
        gf_load_const(f, s + 2, SHORT_COPY);
        gf_abc(f, OP_COPYSL, n, s, src);
        gf_ext(f, 0, gen_type(f->g, type_under(bytes)->elem));
        gf_move(f, dst, s, text ? 2 : 3);
        gf_jump(f, end);
    }
    gf_place(f, longer);
    gf_abc(f, text ? OP_BYTES2STR : OP_STR2BYTES, dst, src, 0);
    gf_place(f, end);
    gf_release(f, m);
    return true;
}

bool
gf_views_operand(const struct gfunc *f, struct ast_expr *e)
{
    return operand(f, e) != NULL;
}

int
gf_view(struct gfunc *f, struct ast_expr *e)
{
    struct ast_expr *x = operand(f, e);

    /* What is read instead has as many bytes: a pointer and a length. */
    rt_assert(x == NULL || type_slots(gf_type(f, x)) >= 2);
    return gf_expr(f, x != NULL ? x : e);
}

int
gf_view_before(struct gfunc *f, struct ast_expr *e, struct ast_expr *after)
{
    return after->cv == NULL && expr_may_call(after) ? gf_expr(f, e) :
        gf_view(f, e);
}
