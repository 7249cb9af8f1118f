/* SPDX-License-Identifier: MIT */

/* Conversions T(x). */

#include "runtime/base/arena.h"
#include "runtime/lang/syntax/uniclass.h"
#include "runtime/lang/types/check_int.h"

static bool
is_uintptr(struct type *t)
{
    return type_kind_of(t) == TYPE_UINTPTR;
}

static bool
slice_to_array(struct type *V, struct type *T)
{
    struct type *a = type_under(T);

    if (type_kind_of(V) != TYPE_SLICE)
        return false;
    if (a->kind == TYPE_POINTER)
        a = type_under(a->elem);
    return a->kind == TYPE_ARRAY &&
           type_identical(type_under(V)->elem, a->elem);
}

static bool convertible_param(
    struct check *c, struct ast_expr *x, struct type *T, const char **cause);

static bool
convertible(
    struct check *c, struct ast_expr *x, struct type *T, const char **cause)
{
    struct type *V = x->type, *Vu = type_under(V), *Tu = type_under(T);

    if (check_assignable(c, x, T, cause))
        return true;
    if (V->kind == TYPE_PARAM || T->kind == TYPE_PARAM)
        return convertible_param(c, x, T, cause);
    if (Vu->kind == TYPE_INTERFACE)
        check_iface_complete(c, Vu);
    if (Tu->kind == TYPE_INTERFACE)
        check_iface_complete(c, Tu);
    if (type_identical_no_tags(Vu, Tu))
        return true;
    if (V->kind == TYPE_POINTER && T->kind == TYPE_POINTER &&
        type_identical_no_tags(type_under(V->elem), type_under(T->elem)))
        return true;
    if ((type_is_integer(V) || type_is_float(V)) &&
        (type_is_integer(T) || type_is_float(T)))
        return true;
    if (type_is_complex(V) && type_is_complex(T))
        return true;
    if (type_is_string(T) && (type_is_integer(V) || type_is_bytes_or_runes(V)))
        return true;
    if (type_is_string(V) && type_is_bytes_or_runes(T))
        return true;
    if (Tu->kind == TYPE_UNSAFE_POINTER &&
        (Vu->kind == TYPE_POINTER || is_uintptr(V)))
        return true;
    if (Vu->kind == TYPE_UNSAFE_POINTER &&
        (Tu->kind == TYPE_POINTER || is_uintptr(T)))
        return true;
    return slice_to_array(V, T);
}

/* ---- type parameters ---------------------------------------------------- */

/* One type of a set after the other. */
struct each_conv {
    struct check *c;
    struct ast_expr *x;   /* the operand, with each type in turn */
    struct type *Vp, *Tp; /* the parameters, or NULL */
    struct type *T;
    const char **cause;
};

static const char *
in_param(struct check *c, struct type *t, struct type *param)
{
    if (!param)
        return type_str(c, t);
    return check_sprintf(c, "%s (in %s)", type_str(c, t), type_str(c, param));
}

static bool
conv_to(struct type *t, struct type *u, void *arg)
{
    struct each_conv *a = arg;
    struct check *c = a->c;
    const char *text;

    (void)u;
    if (!t)
        return false;
    if (convertible(c, a->x, t, a->cause))
        return true;
    if (!a->cause)
        return false;
    text = check_sprintf(c, "cannot convert %s to type %s",
        in_param(c, a->x->type, a->Vp), in_param(c, t, a->Tp));
    *a->cause = *a->cause && **a->cause
                    ? check_sprintf(c, "%s\n\t%s", text, *a->cause)
                    : text;
    return false;
}

static bool
conv_from(struct type *t, struct type *u, void *arg)
{
    struct each_conv *a = arg;
    struct ast_expr *y;

    (void)u;
    if (!t)
        return false;
    y = CHECK_NEW(a->c, struct ast_expr);
    y->kind = EXPR_BAD;
    y->x = a->x;
    y->mode = MODE_VALUE;
    y->type = t;
    struct each_conv inner = {a->c, y, a->Vp, a->Tp, a->T, a->cause};
    return a->Tp ? type_each_term(a->Tp, conv_to, &inner)
                 : conv_to(a->T, NULL, &inner);
}

static bool
convertible_param(
    struct check *c, struct ast_expr *x, struct type *T, const char **cause)
{
    struct type *V = x->type;
    struct each_conv a = {c, x, V->kind == TYPE_PARAM ? V : NULL,
        T->kind == TYPE_PARAM ? T : NULL, T, cause};

    if (cause)
        *cause = NULL;
    return a.Vp ? type_each_term(V, conv_from, &a)
                : type_each_term(T, conv_to, &a);
}

static const struct constv *
rune_string(struct check *c, const struct constv *v)
{
    uint64_t u;
    char buf[4], *p;
    int n;

    if (!const_to_uint64(v, &u) || u > 0x10ffff || (u >= 0xd800 && u < 0xe000))
        u = 0xfffd;
    n = lang_utf8_encode((uint32_t)u, buf);
    p = rt_arena_strndup(c->parse->arena, buf, (size_t)n);
    rt_check(p != NULL, "out of memory for constants");
    return const_str(&c->cctx, p, (size_t)n);
}

static bool
const_conversion(struct check *c, struct ast_expr *x, struct type *T,
    const struct constv **v)
{
    if (check_fits(c, x->cv, T, v))
        return true;
    if (type_is_integer(x->type) && type_is_string(T)) {
        *v = rune_string(c, x->cv);
        return true;
    }
    return false;
}

/* A constant that is to become each type of T's set. */
struct each_const {
    struct check *c;
    struct ast_expr *x;
    struct type *T;
    const char *cause;
};

static bool
const_to(struct type *t, struct type *u, void *arg)
{
    struct each_const *a = arg;
    const struct constv *v;
    struct check *c = a->c;

    (void)t;
    if (!u) {
        a->cause = check_sprintf(
            c, "%s does not contain specific types", type_str(c, a->T));
        return false;
    }
    if (type_is_string(a->x->type) && type_is_bytes_or_runes(u))
        return true;
    if (type_is_const_type(u) && const_conversion(c, a->x, u, &v))
        return true;
    if (type_is_integer(a->x->type) && type_is_integer(u))
        a->cause = check_sprintf(c, "constant %s overflows %s (in %s)",
            const_text(&c->cctx, a->x->cv), type_str(c, u), type_str(c, a->T));
    else
        a->cause = check_sprintf(c, "cannot convert %s to type %s (in %s)",
            check_operand_str(c, a->x), type_str(c, u), type_str(c, a->T));
    return false;
}

/* What the operand of a conversion finally is. */
static void
finish_operand(
    struct check *c, struct ast_expr *x, struct type *T, bool const_arg)
{
    struct type *final = T;

    if (!type_is_untyped(x->type))
        return;
    if (is_nil(x)) {
        x->type = T;
        return;
    }
    /* Which value it is depends on the instance; for Go it is one of the
     * default type all the same. */
    if (const_arg && T->kind == TYPE_PARAM) {
        if (!check_fits(c, x->cv, check_default_type(c, x->type), NULL))
            check_convert_untyped(c, x, check_default_type(c, x->type));
        return;
    }
    if (type_is_interface(T) || (const_arg && !type_is_const_type(T)))
        final = check_default_type(c, x->type);
    else if (const_arg && type_is_integer(x->type) && type_is_string(T))
        final = check_default_type(c, x->type);
    if (x->cv && !check_fits(c, x->cv, final, NULL))
        return; /* string(1 << 40): the value counts, not the operand */
    check_update_type(c, x, final);
}

void
check_conversion(
    struct check *c, struct ast_expr *call, struct ast_expr *x, struct type *T)
{
    bool const_arg = is_const(x), ok = false;
    const struct constv *v = NULL;
    const char *cause = NULL;

    if (!is_valid(T) || !is_valid(type_under(T))) {
        check_set_invalid(c, call);
        return;
    }
    if (const_arg && type_is_const_type(T)) {
        ok = const_conversion(c, x, T, &v);
        if (!ok && type_is_integer(x->type) && type_is_integer(T)) {
            check_errf(c, ast_expr_start(x), "constant %s overflows %s",
                const_text(&c->cctx, x->cv), type_str(c, T));
            check_set_invalid(c, call);
            return;
        }
    } else if (const_arg && T->kind == TYPE_PARAM) {
        struct each_const each = {c, x, T, NULL};

        ok = type_each_term(T, const_to, &each);
        cause = each.cause;
    } else if (convertible(c, x, T, &cause)) {
        ok = true;
    }
    if (!ok) {
        const char *shown;

        if (const_arg && T->kind == TYPE_PARAM)
            x->mode = MODE_VALUE; /* that is how Go shows it */
        shown = check_operand_str(c, x);

        /* What was tried is shown as an integer, with all its digits. */
        if (const_arg && type_is_integer(T) && const_is_int(x->cv))
            shown =
                check_sprintf(c, "%s (%s constant %s)", check_expr_str(c, x),
                    type_str(c, x->type), const_text(&c->cctx, x->cv));
        if (cause && *cause)
            check_errf(c, ast_expr_start(x), "cannot convert %s to type %s: %s",
                shown, type_str(c, T), cause);
        else
            check_errf(c, ast_expr_start(x), "cannot convert %s to type %s",
                shown, type_str(c, T));
        check_set_invalid(c, call);
        return;
    }
    finish_operand(c, x, T, const_arg);
    if (x->mode == MODE_NONE)
        check_set_invalid(c, call);
    else if (v)
        check_set_const(call, T, v);
    else
        check_set_value(call, T);
}
