/* SPDX-License-Identifier: MIT */
/*
 * Strings and byte slices that are read where they lie.  string(b) and
 * []byte(s) copy, but whoever only looks at the result before anything else
 * runs may as well look at the operand: its first two slots, pointer and
 * length, are a string's.  So comparisons, look-ups in maps, switches,
 * concatenations, copy, append, len and range do without the copy, as in Go.
 */
#include "runtime/lang/gen/gen_hoist.h"
#include "runtime/lang/gen/gen_int.h"

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
