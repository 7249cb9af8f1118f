/* SPDX-License-Identifier: MIT */

/* Calls of built-in functions; those of package unsafe: check_unsafe.c. */

#include "runtime/lang/types/check_int.h"

typedef bool (*builtin_fn)(
    struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n);

bool
check_bad_arg(struct check *c, const struct ast_expr *x, const char *fmt_before,
    const char *fmt_after)
{
    if (!x->type || is_valid(type_under(x->type)))
        check_errf(c, ast_expr_start(x), "%s%s%s", fmt_before,
            check_operand_str(c, x), fmt_after);
    return false;
}

/* The array that t is or points to, else its underlying type. */
static struct type *
array_deref(struct type *t)
{
    struct type *u = type_under(t);

    if (u->kind == TYPE_POINTER && type_kind_of(u->elem) == TYPE_ARRAY)
        return type_under(u->elem);
    return u;
}

/* ---- append, copy ------------------------------------------------------- */

/* The elements of the slices that x may be. */
struct each_slice {
    struct check *c;
    struct ast_expr *x;
    struct type *elem;
    const char *why;
};

static bool
slice_term(struct type *t, struct type *u, void *arg)
{
    struct each_slice *a = arg;
    struct check *c = a->c;

    (void)t;
    if (is_nil(a->x))
        a->why = "argument must be a slice; have untyped nil";
    else if (!u || u->kind != TYPE_SLICE)
        a->why = check_sprintf(
            c, "argument must be a slice; have %s", check_operand_str(c, a->x));
    else if (!a->elem)
        a->elem = u->elem;
    else if (!type_identical(a->elem, u->elem))
        a->why = check_sprintf(c,
            "mismatched slice element types %s and %s in %s",
            type_str(c, a->elem), type_str(c, u->elem),
            check_operand_str(c, a->x));
    return a->why == NULL;
}

/* The element type of x as a slice; NULL, and *why, where it is none. */
static struct type *
slice_elem(struct check *c, struct ast_expr *x, const char **why)
{
    struct each_slice a = {c, x, NULL, NULL};

    type_each_term(x->type, slice_term, &a);
    *why = a.why;
    return a.why ? NULL : a.elem;
}

static bool
bytes_or_string(struct type *t)
{
    struct type *u = type_under(t);

    return type_is_string(t) ||
           (u->kind == TYPE_SLICE && u->elem->kind == TYPE_UINT8);
}

/* May bytes be copied from y to x, a []byte? */
static bool
copies_bytes(struct check *c, struct ast_expr *x, struct ast_expr *y)
{
    return check_assignable(
               c, x, type_slice(c, c->types.byte_type), NULL) &&
           type_all(y->type, bytes_or_string);
}

static bool
do_append(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    struct ast_expr *x = a[0];
    struct type *elem, *sig;
    struct object *p;
    const char *why;

    elem = slice_elem(c, x, &why);
    if (!elem) {
        if (is_valid(type_under(x->type)))
            check_errf(c, ast_expr_start(x), "invalid append: %s", why);
        return false;
    }
    if (n == 2 && (e->flags & AST_F_DOTS) && copies_bytes(c, x, a[1]) &&
        type_kind_of(a[1]->type) != TYPE_SLICE) {
        if (type_is_untyped(a[1]->type))
            check_convert_untyped(c, a[1], basic(c, TYPE_STRING));
        check_set_value(e, x->type);
        return true;
    }
    sig = type_new(c, TYPE_FUNC);
    sig->vars = CHECK_ARRAY(c, struct object *, 2);
    p = object_new(c, OBJ_VAR, 0, NULL, x->type);
    sig->vars[0] = p;
    sig->vars[1] = object_new(c, OBJ_VAR, 0, NULL, type_slice(c, elem));
    sig->nvars = sig->nparams = 2;
    sig->variadic = true;
    if (check_arg_count(c, e, sig))
        check_arguments(c, e, sig);
    check_set_value(e, p->type);
    return true;
}

static bool
do_copy(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    struct ast_expr *d = a[0], *s = a[1];
    struct type *delem, *elem;
    const char *why;

    (void)n;
    if (copies_bytes(c, d, s)) {
        if (type_is_untyped(s->type))
            check_convert_untyped(c, s, basic(c, TYPE_STRING));
        check_set_value(e, basic(c, TYPE_INT));
        return true;
    }
    delem = slice_elem(c, d, &why);
    if (!delem) {
        if (is_valid(type_under(d->type)))
            check_errf(c, ast_expr_start(d), "invalid copy: %s", why);
        return false;
    }
    elem = slice_elem(c, s, &why);
    if (!elem && type_all(s->type, type_is_string))
        elem = c->types.byte_type;
    if (!elem) {
        if (is_valid(type_under(s->type)))
            check_errf(c, ast_expr_start(s), "invalid copy: %s", why);
        return false;
    }
    if (!type_identical(delem, elem)) {
        check_errf(c, ast_expr_start(d),
            "invalid copy: arguments %s and %s have different element types "
            "%s and %s",
            check_operand_str(c, d), check_operand_str(c, s),
            type_str(c, delem), type_str(c, elem));
        return false;
    }
    check_set_value(e, basic(c, TYPE_INT));
    return true;
}

/* ---- len, cap, clear, close, delete ------------------------------------- */

static bool
has_cap(struct type *t)
{
    enum type_kind k = array_deref(t)->kind;

    return k == TYPE_ARRAY || k == TYPE_SLICE || k == TYPE_CHAN;
}

static bool
has_len(struct type *t)
{
    enum type_kind k = type_kind_of(t);

    return has_cap(t) || k == TYPE_STRING || k == TYPE_MAP;
}

static bool
len_cap(struct check *c, struct ast_expr *e, struct ast_expr *x, bool is_len)
{
    struct type *u = array_deref(x->type);
    struct type *res = basic(c, TYPE_INT);

    switch (u->kind) {
    case TYPE_STRING:
    case TYPE_UNTYPED_STRING:
        if (!is_len)
            break;
        if (is_const(x)) {
            check_set_const(
                e, res, const_int64(&c->cctx, (int64_t)const_str_len(x->cv)));
            if (type_is_untyped(x->type))
                check_convert_untyped(c, x, basic(c, TYPE_STRING));
            return true;
        }
        check_set_value(e, res);
        return true;
    case TYPE_ARRAY:
        if (c->in->env.has_call)
            check_set_value(e, res);
        else
            check_set_const(e, res,
                u->len < 0 ? const_unknown() : const_int64(&c->cctx, u->len));
        return true;
    case TYPE_SLICE:
    case TYPE_CHAN:
        check_set_value(e, res);
        return true;
    case TYPE_MAP:
        if (!is_len)
            break;
        check_set_value(e, res);
        return true;
    case TYPE_PARAM:
        if (!type_all(u, is_len ? has_len : has_cap))
            break;
        check_set_value(e, res);
        return true;
    default:
        break;
    }
    return check_bad_arg(c, x, "invalid argument: ",
        is_len ? " for built-in len" : " for built-in cap");
}

static bool
do_len(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    (void)n;
    return len_cap(c, e, a[0], true);
}

static bool
do_cap(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    (void)n;
    return len_cap(c, e, a[0], false);
}

static bool
is_clearable(struct type *t)
{
    enum type_kind k = type_kind_of(t);

    return k == TYPE_MAP || k == TYPE_SLICE;
}

static bool
is_chan(struct type *t)
{
    return type_kind_of(t) == TYPE_CHAN;
}

static bool
is_closable(struct type *t)
{
    return is_chan(t) && type_under(t)->dir != TYPE_RECV;
}

static bool
do_clear(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    (void)n;
    if (!type_all(a[0]->type, is_clearable))
        return check_bad_arg(c, a[0], "invalid argument: cannot clear ",
            ": argument must be (or constrained by) map or slice");
    e->mode = MODE_NOVALUE;
    return true;
}

static bool
do_close(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    (void)n;
    if (!type_all(a[0]->type, is_chan))
        return check_bad_arg(
            c, a[0], "invalid operation: cannot close non-channel ", "");
    if (!type_all(a[0]->type, is_closable))
        return check_bad_arg(c, a[0],
            "invalid operation: cannot close receive-only channel ", "");
    e->mode = MODE_NOVALUE;
    return true;
}

struct each_map {
    struct type *key;
    bool differ; /* maps, but with different keys */
};

static bool
map_term(struct type *t, struct type *u, void *arg)
{
    struct each_map *m = arg;

    (void)t;
    if (!u || u->kind != TYPE_MAP)
        return false;
    m->differ = m->key && !type_identical(m->key, u->key);
    m->key = u->key;
    return !m->differ;
}

static bool
do_delete(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    struct each_map m = {NULL, false};

    (void)n;
    if (!type_each_term(a[0]->type, map_term, &m))
        return m.differ ? check_bad_arg(c, a[0], "invalid argument: maps of ",
                              " must have identical key types")
                        : check_bad_arg(c, a[0], "invalid argument: ",
                              " is not a map");
    if (!check_assignment(c, a[1], m.key, "argument to delete"))
        return false;
    e->mode = MODE_NOVALUE;
    return true;
}

/* ---- complex, real, imag ------------------------------------------------ */

static void
to_untyped_float(struct check *c, struct ast_expr *x)
{
    if (type_is_numeric(x->type) && const_is_real(x->cv))
        x->type = basic(c, TYPE_UNTYPED_FLOAT);
}

static bool
match_complex(struct check *c, struct ast_expr *x, struct ast_expr *y)
{
    bool ux = type_is_untyped(x->type), uy = type_is_untyped(y->type);

    if (ux && !uy)
        check_convert_untyped(c, x, y->type);
    else if (uy && !ux)
        check_convert_untyped(c, y, x->type);
    else if (ux && is_const(x) && is_const(y)) {
        to_untyped_float(c, x);
        to_untyped_float(c, y);
    } else if (ux) {
        check_convert_untyped(c, x, basic(c, TYPE_FLOAT64));
        check_convert_untyped(c, y, basic(c, TYPE_FLOAT64));
    }
    return x->mode != MODE_NONE && y->mode != MODE_NONE;
}

/* Not for type parameters, says Go: what would the result's type be? */
static bool
not_generic_complex(struct check *c, struct ast_expr *e, struct ast_expr *x,
    bool (*is)(struct type *))
{
    if (x->type->kind != TYPE_PARAM || !type_all(x->type, is))
        return true;
    check_errf(c, ast_expr_start(x),
        "%s not supported as argument to built-in %s for go1.18 (see "
        "go.dev/issue/50937)",
        check_operand_str(c, x), builtin_name(e->call.builtin));
    return false;
}

static bool
do_complex(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    struct ast_expr *x = a[0], *y = a[1];
    enum type_kind k;

    (void)n;
    if (!match_complex(c, x, y))
        return false;
    if (!type_identical(x->type, y->type)) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: %s (mismatched types %s and %s)",
            check_expr_str(c, e), type_str(c, x->type), type_str(c, y->type));
        return false;
    }
    if (!not_generic_complex(c, e, x, type_is_float))
        return false;
    switch (type_kind_of(x->type)) {
    case TYPE_FLOAT32:
        k = TYPE_COMPLEX64;
        break;
    case TYPE_FLOAT64:
        k = TYPE_COMPLEX128;
        break;
    case TYPE_UNTYPED_FLOAT:
        k = TYPE_UNTYPED_COMPLEX;
        break;
    default:
        check_errf(c, ast_expr_start(x),
            "invalid argument: arguments have type %s, expected "
            "floating-point",
            type_str(c, x->type));
        return false;
    }
    if (is_const(x) && is_const(y))
        check_set_const(
            e, basic(c, k), const_make_complex(&c->cctx, x->cv, y->cv));
    else
        check_set_value(e, basic(c, k));
    return true;
}

static bool
part(struct check *c, struct ast_expr *e, struct ast_expr *x, bool re)
{
    enum type_kind k;

    if (type_is_untyped(x->type)) {
        if (is_const(x)) {
            if (type_is_numeric(x->type))
                x->type = basic(c, TYPE_UNTYPED_COMPLEX);
        } else {
            check_convert_untyped(c, x, basic(c, TYPE_COMPLEX128));
            if (x->mode == MODE_NONE)
                return false;
        }
    }
    if (!not_generic_complex(c, e, x, type_is_complex))
        return false;
    switch (type_kind_of(x->type)) {
    case TYPE_COMPLEX64:
        k = TYPE_FLOAT32;
        break;
    case TYPE_COMPLEX128:
        k = TYPE_FLOAT64;
        break;
    case TYPE_UNTYPED_COMPLEX:
        k = TYPE_UNTYPED_FLOAT;
        break;
    default:
        check_errf(c, ast_expr_start(x),
            "invalid argument: argument has type %s, expected complex type",
            type_str(c, x->type));
        return false;
    }
    if (is_const(x))
        check_set_const(e, basic(c, k),
            re ? const_real(&c->cctx, x->cv) : const_imag(&c->cctx, x->cv));
    else
        check_set_value(e, basic(c, k));
    return true;
}

static bool
do_real(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    (void)n;
    return part(c, e, a[0], true);
}

static bool
do_imag(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    (void)n;
    return part(c, e, a[0], false);
}

/* ---- make, new ---------------------------------------------------------- */

static const char *
not_makeable(struct check *c, struct type *t, struct type *u, void *arg)
{
    (void)c;
    (void)t;
    (void)arg;
    if (!u)
        return "no specific type";
    if (u->kind == TYPE_SLICE || u->kind == TYPE_MAP || u->kind == TYPE_CHAN)
        return NULL;
    return "type must be slice, map, or channel";
}

static bool
do_make(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    struct type *t = check_var_type(c, a[0]), *u;
    int64_t size[2] = {-1, -1};
    const char *why = NULL;
    uint32_t min, i;

    if (!is_valid(t) || !is_valid(type_under(t))) {
        check_use(c, a + 1, n - 1);
        return false;
    }
    u = type_common(c, t, not_makeable, NULL, &why);
    if (!u) {
        check_errf(c, ast_expr_start(a[0]),
            "invalid argument: cannot make %s: %s", check_expr_str(c, a[0]),
            why);
        check_use(c, a + 1, n - 1);
        return false;
    }
    min = u->kind == TYPE_SLICE ? 2 : 1;
    if (n < min || n > min + 1) {
        check_errf(c, ast_expr_start(e),
            "invalid operation: %s expects %u or %u arguments; found %u",
            check_expr_str(c, e), min, min + 1, n);
        return false;
    }
    for (i = 1; i < n; i++)
        size[i - 1] = check_index_value(c, a[i], -1);
    if (size[0] >= 0 && size[1] >= 0 && size[0] > size[1])
        check_errf(c, ast_expr_start(a[1]),
            "invalid argument: length and capacity swapped");
    check_set_value(e, t);
    return true;
}

static bool
do_new(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    struct ast_expr *x = a[0];

    (void)n;
    check_expr_or_type(c, x);
    if (x->mode == MODE_NONE)
        return false;
    if (x->mode == MODE_BUILTIN) {
        check_errf(
            c, ast_expr_start(x), "%s must be called", check_operand_str(c, x));
        return false;
    }
    if (x->mode == MODE_TYPE)
        check_no_constraint(c, x->type, x);
    else if (type_is_untyped(x->type) &&
             !check_assignment(c, x, NULL, "argument to new"))
        return false;
    else
        check_allows(c, ast_expr_start(e->call.fun), 26,
            check_sprintf(c, "new(%s)", check_expr_str(c, x)));
    check_set_value(e, type_pointer(c, x->type));
    return true;
}

/* ---- min, max ----------------------------------------------------------- */

/* One more operand: *best is the constant so far, or NULL. */
static bool
min_max_step(struct check *c, struct ast_expr *prev, struct ast_expr *x)
{
    check_match_types(c, prev, x);
    if (prev->mode == MODE_NONE || x->mode == MODE_NONE)
        return false;
    if (!type_identical(prev->type, x->type)) {
        check_errf(c, ast_expr_start(x),
            "invalid argument: mismatched types %s (previous argument) and "
            "%s (type of %s)",
            type_str(c, prev->type), type_str(c, x->type),
            check_expr_str(c, x));
        return false;
    }
    return true;
}

static bool
min_max(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n,
    int want)
{
    const struct constv *best = NULL;
    struct ast_expr *typed = a[0];
    bool all_const = true;
    uint32_t i;

    for (i = 0; i < n; i++) {
        if (!type_all(a[i]->type, type_is_ordered))
            return check_bad_arg(c, a[i], "invalid argument: ", " cannot be ordered");
        if (i > 0 && !min_max_step(c, typed, a[i]))
            return false;
        typed = a[i];
        all_const = all_const && is_const(a[i]) &&
                    a[i]->type->kind != TYPE_PARAM;
        if (all_const &&
            (!best || const_cmp(&c->cctx, a[i]->cv, best) * want > 0))
            best = a[i]->cv;
    }
    if (all_const) {
        check_set_const(e, typed->type, best);
    } else {
        if (type_is_untyped(typed->type) &&
            !check_assignment(c, typed, c->types.empty_iface,
                want < 0 ? "argument to built-in min"
                         : "argument to built-in max"))
            return false;
        check_set_value(e, typed->type);
    }
    for (i = 0; i < n; i++)
        if (a[i] != typed && type_is_untyped(a[i]->type) &&
            !type_is_untyped(typed->type))
            check_update_type(c, a[i], typed->type);
    return true;
}

static bool
do_min(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    return min_max(c, e, a, n, -1);
}

static bool
do_max(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    return min_max(c, e, a, n, 1);
}

/* ---- panic, print, recover ---------------------------------------------- */

static bool
do_panic(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    (void)n;
    if (!check_assignment(c, a[0], c->types.empty_iface, "argument to panic"))
        return false;
    e->mode = MODE_NOVALUE;
    return true;
}

static bool
do_print(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        if (!check_assignment(c, a[i], NULL,
                e->call.builtin == BUILTIN_PRINT
                    ? "argument to built-in print"
                    : "argument to built-in println"))
            return false;
    for (i = 0; i < n && !c->in->dead; i++) {
        struct unprintable u = {e->pos, a[i]->type};

        if (type_kind_of(u.type) == TYPE_STRUCT ||
            type_kind_of(u.type) == TYPE_ARRAY)
            CHECK_PUSH(c, c->in->prints, c->in->nprints, c->in->printcap, u);
    }
    e->mode = MODE_NOVALUE;
    return true;
}

void
check_prints(struct check *c, struct check_pkg *p)
{
    uint32_t i;

    for (i = 0; i < c->in->nprints; i++)
        check_errf(c, c->in->prints[i].pos,
            "illegal types for operand: print\n\t%s",
            type_string(c, c->in->prints[i].type, TYPE_STR_BACK, p));
}

static bool
do_recover(struct check *c, struct ast_expr *e, struct ast_expr **a, uint32_t n)
{
    (void)a;
    (void)n;
    if (c->in->env.func)
        c->in->env.func->has_recover = true;
    check_set_value(e, c->types.empty_iface);
    return true;
}

/* ---- dispatch ----------------------------------------------------------- */

static const builtin_fn table[BUILTIN_ADD] = {
    [BUILTIN_APPEND] = do_append,
    [BUILTIN_CAP] = do_cap,
    [BUILTIN_CLEAR] = do_clear,
    [BUILTIN_CLOSE] = do_close,
    [BUILTIN_COMPLEX] = do_complex,
    [BUILTIN_COPY] = do_copy,
    [BUILTIN_DELETE] = do_delete,
    [BUILTIN_IMAG] = do_imag,
    [BUILTIN_LEN] = do_len,
    [BUILTIN_MAKE] = do_make,
    [BUILTIN_MAX] = do_max,
    [BUILTIN_MIN] = do_min,
    [BUILTIN_NEW] = do_new,
    [BUILTIN_PANIC] = do_panic,
    [BUILTIN_PRINT] = do_print,
    [BUILTIN_PRINTLN] = do_print,
    [BUILTIN_REAL] = do_real,
    [BUILTIN_RECOVER] = do_recover,
};

static bool
count_ok(struct check *c, struct ast_expr *e, unsigned id, uint32_t n)
{
    bool variadic;
    unsigned want = builtin_nargs(id, &variadic);
    const char *what;

    if (n < want)
        what = "not enough";
    else if (n > want && !variadic)
        what = "too many";
    else
        return true;
    check_errf(c, ast_expr_start(e),
        "invalid operation: %s arguments for %s (expected %u, found %u)", what,
        check_expr_str(c, e), want, n);
    return false;
}

/* The evaluated arguments, or NULL after an error. */
static struct ast_expr **
builtin_args(struct check *c, struct ast_expr *e, unsigned id, uint32_t *n)
{
    struct ast_expr **none = CHECK_NEW(c, struct ast_expr *);
    struct ast_exprs *args = &e->call.args;
    uint32_t i;

    *n = args->n;
    if (id == BUILTIN_MAKE || id == BUILTIN_NEW || id == BUILTIN_OFFSETOF)
        return args->n ? args->at : none;
    check_args(c, args, false);
    for (i = 0; i < args->n; i++)
        if (args->at[i]->mode == MODE_NONE)
            return NULL;
    return args->n ? check_spread_args(c, args, n) : none;
}

bool
check_builtin(struct check *c, struct ast_expr *e, unsigned id)
{
    bool saved = c->in->env.has_call, ok;
    struct ast_expr **a;
    uint32_t n;

    if ((e->flags & AST_F_DOTS) && id != BUILTIN_APPEND) {
        check_errf(c, ast_expr_start(e),
            "invalid operation: invalid use of ... with built-in %s",
            builtin_name(id));
        check_use(c, e->call.args.at, e->call.args.n);
        return false;
    }
    if (id == BUILTIN_MIN || id == BUILTIN_MAX || id == BUILTIN_CLEAR)
        check_allows(c, ast_expr_start(e->call.fun), BUILTINS_SINCE,
            id == BUILTIN_CLEAR ? "clear"
                : id == BUILTIN_MIN ? "built-in min" : "built-in max");
    if (id == BUILTIN_LEN || id == BUILTIN_CAP)
        c->in->env.has_call = false;
    a = builtin_args(c, e, id, &n);
    ok = a && count_ok(c, e, id, n) &&
         (id < BUILTIN_ADD ? table[id](c, e, a, n)
                           : check_unsafe(c, e, id, a, n));
    if (id == BUILTIN_LEN || id == BUILTIN_CAP)
        c->in->env.has_call = saved;
    return ok;
}
