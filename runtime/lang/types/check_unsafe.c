/* SPDX-License-Identifier: MIT */

/* Calls of package unsafe's functions. */

#include "runtime/lang/types/check_int.h"

typedef bool (*unsafe_fn)(
    struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n);

/* ---- unsafe ------------------------------------------------------------- */

static bool
do_add(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    struct type *p = basic(c, TYPE_UNSAFE_POINTER);

    (void)n;
    if (!check_assignment(c, a[0], p, "argument to unsafe.Add") ||
        !check_valid_index(c, a[1], "length", true))
        return false;
    check_set_value(e, p);
    return true;
}

static bool
size_const(struct check *c, struct ast_expr *e, int64_t n)
{
    check_set_const(e, basic(c, TYPE_UINTPTR), const_int64(&c->cctx, n));
    return true;
}

static bool
do_alignof(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    (void)n;
    if (!check_assignment(c, a[0], NULL, "argument to unsafe.Alignof"))
        return false;
    if (type_has_var_size(a[0]->type)) {
        check_set_value(e, basic(c, TYPE_UINTPTR));
        return true;
    }
    return size_const(c, e, type_align(a[0]->type));
}

static bool
do_sizeof(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    int64_t size;

    (void)n;
    if (!check_assignment(c, a[0], NULL, "argument to unsafe.Sizeof"))
        return false;
    if (type_has_var_size(a[0]->type)) {
        check_set_value(e, basic(c, TYPE_UINTPTR));
        return true;
    }
    size = type_size(a[0]->type);
    if (size >= TYPE_SIZE_HUGE)
        return check_bad_arg(c, a[0], "", " is too large");
    return size_const(c, e, size);
}

static bool
do_offsetof(
    struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    struct ast_expr *sel = ast_unparen(a[0]), *x;
    struct type *base, *u;
    struct lookup l;
    int64_t off = 0;
    uint32_t i;

    (void)n;
    if (sel->kind != EXPR_SELECTOR) {
        check_errf(c, ast_expr_start(a[0]),
            "invalid argument: %s is not a selector expression",
            check_expr_str(c, a[0]));
        check_use(c, a, 1);
        return false;
    }
    x = sel->selector.x;
    check_expr(c, x);
    if (x->mode == MODE_NONE)
        return false;
    base = x->type;
    u = type_under(base);
    if (u->kind == TYPE_POINTER && type_kind_of(u->elem) == TYPE_STRUCT)
        base = u->elem;
    check_lookup_member(
        c, base, false, c->in->env.pkg, sel->selector.sel.name, false, &l);
    if (!l.obj) {
        check_errf(c, ast_expr_start(x),
            "invalid argument: %s has no single field %s", type_str(c, base),
            sel->selector.sel.name->text);
        return false;
    }
    if (l.obj->kind == OBJ_FUNC) {
        check_errf(c, ast_expr_start(a[0]),
            "invalid argument: %s is a method value", check_expr_str(c, a[0]));
        return false;
    }
    if (l.indirect) {
        check_errf(c, ast_expr_start(x),
            "invalid argument: field %s is embedded via a pointer in %s",
            sel->selector.sel.name->text, type_str(c, base));
        return false;
    }
    if (type_has_var_size(base)) {
        check_set_value(e, basic(c, TYPE_UINTPTR));
        return true;
    }
    type_size(base);
    for (i = 0; i < l.nsteps; i++) {
        type_size(l.steps[i].field->type);
        off += l.steps[i].field->offset;
    }
    return size_const(c, e, off);
}

static bool
do_slice(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    struct type *u = type_common(c, a[0]->type, NULL, NULL, NULL);

    (void)n;
    if (!u || u->kind != TYPE_POINTER)
        return check_bad_arg(
            c, a[0], "invalid argument: ", " is not a pointer");
    if (!check_valid_index(c, a[1], "length", false))
        return false;
    check_set_value(e, type_slice(c, u->elem));
    return true;
}

static bool
do_slice_data(
    struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    struct type *u = type_common(c, a[0]->type, NULL, NULL, NULL);

    (void)n;
    if (!u || u->kind != TYPE_SLICE)
        return check_bad_arg(c, a[0], "invalid argument: ", " is not a slice");
    check_set_value(e, type_pointer(c, u->elem));
    return true;
}

static bool
do_string(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    (void)n;
    if (!check_assignment(c, a[0], type_pointer(c, c->types.byte_type),
            "argument to unsafe.String") ||
        !check_valid_index(c, a[1], "length", false))
        return false;
    check_set_value(e, basic(c, TYPE_STRING));
    return true;
}

static bool
do_string_data(
    struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    (void)n;
    if (!check_assignment(
            c, a[0], basic(c, TYPE_STRING), "argument to unsafe.StringData"))
        return false;
    check_set_value(e, type_pointer(c, c->types.byte_type));
    return true;
}

bool
check_unsafe(struct check *c, struct ast_expr *e, unsigned id,
    struct ast_expr **a, uint32_t n)
{
    static const unsafe_fn table[BUILTIN_COUNT] = {
        [BUILTIN_ADD] = do_add,
        [BUILTIN_ALIGNOF] = do_alignof,
        [BUILTIN_OFFSETOF] = do_offsetof,
        [BUILTIN_SIZEOF] = do_sizeof,
        [BUILTIN_SLICE] = do_slice,
        [BUILTIN_SLICEDATA] = do_slice_data,
        [BUILTIN_STRING] = do_string,
        [BUILTIN_STRINGDATA] = do_string_data,
    };

    static const uint8_t since[BUILTIN_COUNT] = {
        [BUILTIN_ADD] = 17,
        [BUILTIN_SLICE] = 17,
        [BUILTIN_SLICEDATA] = 20,
        [BUILTIN_STRING] = 20,
        [BUILTIN_STRINGDATA] = 20,
    };

    if (since[id])
        check_allows(c, ast_expr_start(e->call.fun), since[id],
            check_sprintf(c, "unsafe.%s", builtin_name(id)));
    return table[id](c, e, a, n);
}
