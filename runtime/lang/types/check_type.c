/* SPDX-License-Identifier: MIT */

/* Type expressions, identifiers, signatures and structs. */

#include <string.h>

#include "runtime/lang/syntax/scan.h"
#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

/* ---- identifiers -------------------------------------------------------- */

const char *
object_kind_name(const struct object *o)
{
    static const char *const var_kinds[] = {[VAR_LOCAL] = "local variable",
        [VAR_PACKAGE] = "package-level variable",
        [VAR_PARAM] = "parameter",
        [VAR_RECV] = "receiver",
        [VAR_RESULT] = "result variable",
        [VAR_FIELD] = "struct field"};

    switch (o->kind) {
    case OBJ_PKGNAME:
        return "package name";
    case OBJ_CONST:
        return "constant";
    case OBJ_VAR:
        return var_kinds[o->var_kind];
    case OBJ_FUNC:
        return o->is_method ? "method" : "function";
    case OBJ_LABEL:
        return "label";
    case OBJ_BUILTIN:
        return "built-in function";
    case OBJ_NIL:
        return "untyped nil";
    default:
        return "type name";
    }
}

static void
mark_dot_import(struct check *c, struct scope *where, struct object *o)
{
    uint32_t i;

    for (i = 0; i < c->in->ndots; i++)
        if (c->in->dots[i].file == where && c->in->dots[i].pkg == o->pkg)
            c->in->dots[i].name->used = true;
}

static void
ident_const(struct check *c, struct ast_expr *e, struct object *o)
{
    check_add_dep(c, o);
    if (!is_valid(o->type)) {
        check_set_invalid(c, e);
        return;
    }
    if (o == c->in->iota_obj) {
        if (!c->in->env.iota) {
            check_errf(
                c, e->pos, "cannot use iota outside constant declaration");
            check_set_invalid(c, e);
            return;
        }
        check_set_const(e, o->type, c->in->env.iota);
        return;
    }
    check_set_const(e, o->type, o->cv);
}

static void
ident_var(struct check *c, struct ast_expr *e, struct object *o)
{
    o->used = true;
    check_add_dep(c, o);
    check_capture(c, o);
    if (!o->type || !is_valid(o->type)) {
        check_set_invalid(c, e);
        return;
    }
    e->mode = MODE_VAR;
    e->type = o->type;
}

static void
ident_type(struct check *c, struct ast_expr *e, struct object *o)
{
    if ((o == c->in->any_obj || o == c->in->comparable_obj) &&
        !check_allows(c, e->pos, 18,
            check_sprintf(c, "predeclared %s", o->name->text))) {
        check_set_invalid(c, e);
        return;
    }
    if (!o->type || !is_valid(o->type)) {
        check_set_invalid(c, e);
        return;
    }
    e->mode = MODE_TYPE;
    e->type = o->type;
}

void
check_ident(struct check *c, struct ast_expr *e, bool want_type)
{
    struct scope *where = NULL;
    struct object *o;

    check_set_invalid(c, e);
    e->obj = NULL;
    if (is_blank(c, e->name)) {
        check_errf(c, e->pos, "cannot use _ as value or type");
        return;
    }
    o = check_resolve_name(c, e->name, &where);
    if (!o) {
        check_errf(c, e->pos, "undefined: %s", e->name->text);
        return;
    }
    e->obj = o;
    if (want_type && o->kind != OBJ_TYPE) {
        check_errf(c, e->pos, "%s (%s) is not a type", o->name->text,
            object_kind_name(o));
        o->used |= o->kind != OBJ_PKGNAME;
        return;
    }
    check_obj(c, o);
    if (o->pkg && o->pkg != c->in->env.pkg && o->kind != OBJ_PKGNAME)
        mark_dot_import(c, where, o);
    switch (o->kind) {
    case OBJ_PKGNAME:
        check_errf(
            c, e->pos, "use of package %s not in selector", o->name->text);
        break;
    case OBJ_CONST:
        ident_const(c, e, o);
        break;
    case OBJ_TYPE:
        ident_type(c, e, o);
        break;
    case OBJ_VAR:
        ident_var(c, e, o);
        break;
    case OBJ_FUNC:
        check_add_dep(c, o);
        if (o->type && is_valid(o->type))
            check_set_value(e, o->type);
        break;
    case OBJ_BUILTIN:
        e->mode = MODE_BUILTIN;
        e->type = invalid_type(c);
        break;
    case OBJ_NIL:
        e->mode = MODE_NIL;
        e->type = o->type;
        e->cv = NULL;
        break;
    default:
        break;
    }
}

/* ---- arrays ------------------------------------------------------------- */

/* The length, or -1 after an error. */
static int64_t
array_length(struct check *c, struct ast_expr *e)
{
    int64_t n;

    if (e->kind == EXPR_NAME) {
        struct object *o = check_resolve_name(c, e->name, NULL);

        if (!o) {
            check_errf(c, e->pos,
                "undefined array length %s or missing type constraint",
                e->name->text);
            return -1;
        }
        if (o->kind != OBJ_CONST) {
            if (o->kind == OBJ_VAR)
                o->used = true;
            check_errf(c, e->pos, "invalid array length %s", e->name->text);
            return -1;
        }
    }
    check_expr(c, e);
    if (e->mode == MODE_NONE)
        return -1;
    if (!is_const(e)) {
        check_errf(c, ast_expr_start(e), "array length %s must be constant",
            check_operand_str(c, e));
        return -1;
    }
    if (type_is_untyped(e->type) || type_is_integer(e->type)) {
        if (const_kind(e->cv) == CONST_UNKNOWN)
            return -1;
        if (const_to_int64(const_to_int(&c->cctx, e->cv), &n) && n >= 0) {
            if (type_is_untyped(e->type))
                check_convert_untyped(c, e, basic(c, TYPE_INT));
            return n;
        }
    }
    check_errf(c, ast_expr_start(e),
        type_is_integer(e->type) ? "invalid array length %s"
                                 : "array length %s must be integer",
        check_operand_str(c, e));
    return -1;
}

static struct type *
array_type(struct check *c, struct ast_expr *e)
{
    int64_t n;
    struct type *elem, *t;

    if (!e->array.len) {
        check_errf(c, e->pos,
            "invalid use of [...] array (outside a composite literal)");
        check_var_type(c, e->array.elem);
        return invalid_type(c);
    }
    n = array_length(c, e->array.len);
    elem = check_var_type(c, e->array.elem);
    if (n < 0)
        return invalid_type(c);
    t = type_array(c, elem, n);
    if (n >= 1 << 16)
        check_delay(c, DELAY_SIZE, t, NULL, e);
    return t;
}

/* ---- structs ------------------------------------------------------------ */

static struct object *
new_field(struct check *c, lang_pos pos, const struct lang_name *name,
    struct type *t, struct ast_field *f)
{
    struct object *o = object_new(c, OBJ_VAR, pos, name, t);

    o->var_kind = VAR_FIELD;
    o->color = COLOR_BLACK;
    o->embedded = f->embedded;
    if (f->tag && f->tag->kind == EXPR_LIT && !f->tag->lit.bad) {
        char *buf = check_alloc(c, (size_t)f->tag->lit.len + 1);

        o->tag_len =
            (uint32_t)scan_unquote(f->tag->lit.text, f->tag->lit.len, buf);
        o->tag = buf;
    }
    f->obj = o;
    return o;
}

/* The type name that names an embedded field. */
static struct ast_expr *
embedded_name(struct ast_expr *e)
{
    for (;;) {
        if (e->kind == EXPR_STAR || e->kind == EXPR_PAREN)
            e = e->x;
        else if (e->kind == EXPR_INDEX)
            e = e->index.x;
        else
            break;
    }
    return e->kind == EXPR_NAME || e->kind == EXPR_SELECTOR ? e : NULL;
}

void
check_embedded(struct check *c, struct object *f, struct ast_expr *e)
{
    struct type *t = f->type, *u;
    bool ptr = false;
    lang_pos pos = ast_expr_start(e);

    if (t->kind == TYPE_POINTER) {
        ptr = true;
        t = t->elem;
    }
    u = type_under(t);
    if (t->kind == TYPE_PARAM)
        check_errf(c, pos, "embedded field type cannot be a (pointer to a) type "
            "parameter");
    else if (u->kind == TYPE_UNSAFE_POINTER)
        check_errf(c, pos, "embedded field type cannot be unsafe.Pointer");
    else if (u->kind == TYPE_POINTER)
        check_errf(c, pos, "embedded field type cannot be a pointer");
    else if (u->kind == TYPE_INTERFACE && ptr)
        check_errf(
            c, pos, "embedded field type cannot be a pointer to an interface");
}

static void
add_field(struct check *c, struct type *t, struct scope *seen, struct object *o)
{
    struct object *other;

    other = is_blank(c, o->name) ? NULL : scope_insert(c, seen, o);
    o->parent = NULL;
    if (other) {
        check_errf(c, o->pos, "%s redeclared\n\t%s: other declaration of %s",
            o->name->text, check_place(c, other->pos), o->name->text);
        return;
    }
    o->index = (int32_t)t->nvars;
    t->vars[t->nvars++] = o;
}

static struct type *
struct_type(struct check *c, struct ast_expr *e)
{
    struct ast_fields *fs = &e->struct_.fields;
    struct type *t = type_new(c, TYPE_STRUCT), *ft = NULL;
    struct scope *seen = scope_new(c, NULL);
    uint32_t i;

    t->vars = CHECK_ARRAY(c, struct object *, fs->n);
    for (i = 0; i < fs->n; i++) {
        struct ast_field *f = fs->at[i];

        if (i == 0 || f->type != fs->at[i - 1]->type || f->embedded)
            ft = check_var_type(c, f->type);
        if (f->embedded) {
            struct ast_expr *n = embedded_name(f->type);
            struct object *o;

            if (!n)
                continue;
            o = new_field(c,
                n->kind == EXPR_NAME ? n->pos : n->selector.sel.pos,
                n->kind == EXPR_NAME ? n->name : n->selector.sel.name, ft, f);
            add_field(c, t, seen, o);
            if (is_valid(ft))
                check_delay(c, DELAY_EMBED, NULL, o, f->type);
        } else if (f->name.name) {
            add_field(
                c, t, seen, new_field(c, f->name.pos, f->name.name, ft, f));
        }
    }
    return t;
}

/* ---- signatures --------------------------------------------------------- */

static void
declare_param(struct check *c, struct scope *s, struct object *o)
{
    struct object *other;

    if (!s || !o->name)
        return;
    o->func = s->func;
    other = scope_insert(c, s, o);
    if (other)
        check_redeclared(c, o, other);
}

static void
add_params(struct check *c, struct ast_fields *fs, enum object_var_kind kind,
    struct type *sig)
{
    struct type *t = NULL;
    uint32_t i, base = sig->nvars;

    for (i = 0; i < fs->n; i++) {
        struct ast_field *f = fs->at[i];
        struct object *o;

        if (f->type->kind == EXPR_ELLIPSIS) {
            t = check_var_type(c, f->type->elem);
            t = type_slice(c, t);
            f->type->mode = MODE_TYPE;
            f->type->type = t;
            /* Elsewhere the parser has objected. */
            if (kind == VAR_PARAM && i == fs->n - 1)
                sig->variadic = true;
        } else if (i == 0 || f->type != fs->at[i - 1]->type) {
            t = check_var_type(c, f->type);
        }
        o = object_new(c, OBJ_VAR, f->pos, f->name.name, t);
        o->color = COLOR_BLACK;
        o->var_kind = (uint8_t)kind;
        o->index = (int32_t)(sig->nvars - base);
        o->used = true;
        f->obj = o;
        sig->vars[sig->nvars++] = o;
    }
}

/* An alias must not stand for an instance. */
static struct type *
plain_receiver(struct check *c, struct ast_expr *e)
{
    struct type *t = check_var_type(c, e), *base = t;

    while (base->kind == TYPE_POINTER)
        base = base->elem;
    if (!base->origin)
        return t;
    while (e->kind == EXPR_STAR || e->kind == EXPR_PAREN)
        e = e->x;
    check_errf(c, ast_expr_start(e),
        "cannot define new methods on instantiated type %s",
        type_str(c, base));
    return invalid_type(c);
}

/* The receiver's type; with type parameters it declares those in s. */
static struct type *
receiver_type(
    struct check *c, struct object *m, struct ast_expr *e, struct scope *s)
{
    if (!tparam_is_generic_receiver(e))
        return plain_receiver(c, e);
    c->in->env.scope = s;
    return tparam_receiver(c, m, e);
}

struct type *
check_signature(struct check *c, struct ast_signature *as,
    struct ast_field *recv, struct object *m, struct scope *s)
{
    struct type *sig = type_new(c, TYPE_FUNC);
    struct object *r = NULL;
    uint32_t i;

    if (!s && as->params.n + as->results.n > 1 &&
        ((as->params.n && as->params.at[0]->name.name) ||
            (as->results.n && as->results.at[0]->name.name)))
        s = scope_new(c, NULL); /* for redeclarations only */
    sig->vars = CHECK_ARRAY(c, struct object *, as->params.n + as->results.n);
    if (recv) {
        struct type *t = receiver_type(c, m, recv->type, s);

        r = object_new(c, OBJ_VAR, recv->pos, recv->name.name, t);
        r->color = COLOR_BLACK;
        r->var_kind = VAR_RECV;
        r->used = true;
        recv->obj = r;
        sig->recv = r;
        recv->type->type = t;
    }
    add_params(c, &as->params, VAR_PARAM, sig);
    sig->nparams = sig->nvars;
    add_params(c, &as->results, VAR_RESULT, sig);
    if (r)
        declare_param(c, s, r);
    for (i = 0; i < sig->nvars; i++)
        declare_param(c, s, sig->vars[i]);
    return sig;
}

/* ---- the rest ----------------------------------------------------------- */

void
check_map_key(struct check *c, struct type *key, struct ast_expr *e)
{
    if (is_valid(type_under(key)) && !type_comparable(key))
        check_errf(c, ast_expr_start(e), "invalid map key type %s%s",
            type_str(c, key),
            key->kind == TYPE_PARAM ? " (missing comparable constraint)" : "");
}

static struct type *
map_type(struct check *c, struct ast_expr *e)
{
    struct type *key = check_var_type(c, e->map.key);
    struct type *elem = check_var_type(c, e->map.value);

    check_delay(c, DELAY_MAPKEY, key, NULL, e->map.key);
    return type_map(c, key, elem);
}

static struct type *
chan_type(struct check *c, struct ast_expr *e)
{
    static const uint8_t dirs[] = {[CHAN_BOTH] = TYPE_BOTH,
        [CHAN_SEND] = TYPE_SEND,
        [CHAN_RECV] = TYPE_RECV};
    struct type *t = check_var_type(c, e->elem);

    if (t->kind == TYPE_NAMED || t->kind == TYPE_ARRAY ||
        t->kind == TYPE_STRUCT)
        check_delay(c, DELAY_CHAN, t, NULL, e);
    return type_chan(c, (enum type_chan_dir)dirs[e->op], t);
}

void
check_type_size(struct check *c, struct type *t, struct ast_expr *e, bool chan)
{
    int64_t size = type_size(t);

    if (chan && size >= 1 << 16)
        check_errf(
            c, ast_expr_start(e), "channel element type too large (>64kB)");
    else if (!chan && size >= TYPE_SIZE_HUGE)
        check_errf(c, ast_expr_start(e), "type %s larger than address space",
            type_str(c, t));
}

static struct type *
named_type(struct check *c, struct ast_expr *e)
{
    if (e->kind == EXPR_NAME)
        check_ident(c, e, true);
    else
        check_selector(c, e, true);
    switch (e->mode) {
    case MODE_TYPE:
        return e->type;
    case MODE_NONE:
        break;
    case MODE_NOVALUE:
        check_errf(
            c, ast_expr_start(e), "%s used as type", check_operand_str(c, e));
        break;
    default:
        check_errf(
            c, ast_expr_start(e), "%s is not a type", check_expr_str(c, e));
        break;
    }
    return invalid_type(c);
}

/* ---- generic types ------------------------------------------------------ */

static struct type *type_of(struct check *c, struct ast_expr *e);

/* The parameters of the generic type that e, a name or pkg.X, denotes without
 * arguments; NULL if it is none. */
static const struct tparam_list *
generic_params(const struct ast_expr *e)
{
    if ((e->kind != EXPR_NAME && e->kind != EXPR_SELECTOR) ||
        e->mode != MODE_TYPE || !e->obj || e->obj->kind != OBJ_TYPE)
        return NULL;
    return e->obj->tparams;
}

bool
check_is_generic(const struct ast_expr *e)
{
    return generic_params(e) != NULL;
}

const char *
check_generic_str(struct check *c, const struct ast_expr *e)
{
    return check_sprintf(c, "%s%s", check_expr_str(c, e),
        type_params_str(c, e->obj->tparams));
}

void
check_generic_type(struct check *c, struct ast_expr *e)
{
    struct type *t = type_of(c, e);

    e->mode = is_valid(t) ? MODE_TYPE : MODE_NONE;
    e->type = t;
    e->cv = NULL;
}

/* The list of type arguments, NULL after an error. */
struct type **
check_type_list(struct check *c, struct ast_exprs *at)
{
    struct type **list = CHECK_ARRAY(c, struct type *, at->n);
    bool ok = true;
    uint32_t i;

    for (i = 0; i < at->n; i++) {
        list[i] = check_var_type(c, at->at[i]);
        ok = ok && is_valid(list[i]);
    }
    return ok ? list : NULL;
}

static bool
arg_count_ok(struct check *c, struct ast_expr *x, uint32_t have, uint32_t want)
{
    if (have == want)
        return true;
    check_errf(c, x->pos,
        "%s type arguments for type %s: have %u, want %u",
        have < want ? "not enough" : "too many",
        x->obj->name->text, have, want);
    return false;
}

/* G[A, B] where only a type can be meant. */
static struct type *
index_type(struct check *c, struct ast_expr *e)
{
    struct ast_expr *x = e->index.x;
    const struct tparam_list *l;
    struct type **targs, *t;

    check_allows(c, ast_expr_start(e), 18, "type instantiation");
    check_generic_type(c, x);
    if (x->mode != MODE_TYPE) {
        check_use(c, e->index.at.at, e->index.at.n);
        return invalid_type(c);
    }
    l = generic_params(x);
    if (!l) {
        check_errf(c, ast_expr_start(x),
            "invalid operation: %s (%s is not a generic type)",
            check_expr_str(c, e), type_str(c, x->type));
        return invalid_type(c);
    }
    targs = check_type_list(c, &e->index.at);
    if (!targs || !arg_count_ok(c, x, e->index.at.n, l->n))
        return invalid_type(c);
    t = x->type;
    if (t->kind == TYPE_NAMED && t->tparams == l) {
        t = check_instance(c, t, targs);
        if (!t->pos)
            t->pos = x->pos;
    } else {
        struct subst s = {.c = c, .from = l, .to = targs};

        t = type_subst(&s, t);
    }
    check_delay_verify(c, x->pos, l, targs, &e->index.at);
    return t;
}

static struct type *
type_of(struct check *c, struct ast_expr *e)
{
    struct type *t;

    switch (e->kind) {
    case EXPR_NAME:
    case EXPR_SELECTOR:
        return named_type(c, e);
    case EXPR_PAREN:
        return check_type(c, e->x);
    case EXPR_STAR:
        t = check_var_type(c, e->x);
        return is_valid(t) ? type_pointer(c, t) : t;
    case EXPR_ARRAY:
        return array_type(c, e);
    case EXPR_SLICETYPE:
        return type_slice(c, check_var_type(c, e->elem));
    case EXPR_STRUCT:
        return struct_type(c, e);
    case EXPR_FUNCTYPE:
        return check_signature(c, e->sig, NULL, NULL, NULL);
    case EXPR_INTERFACE:
        return check_iface_type(c, e);
    case EXPR_MAP:
        return map_type(c, e);
    case EXPR_CHAN:
        return chan_type(c, e);
    case EXPR_INDEX:
        return index_type(c, e);
    case EXPR_ELLIPSIS:
        check_errf(c, e->pos, "invalid use of ...");
        check_type(c, e->elem);
        return invalid_type(c);
    case EXPR_BAD:
        return invalid_type(c);
    default:
        check_errf(
            c, ast_expr_start(e), "%s is not a type", check_expr_str(c, e));
        return invalid_type(c);
    }
}

struct type *
check_type(struct check *c, struct ast_expr *e)
{
    struct type *t;

    if (check_too_deep(c, e->pos, "types are nested"))
        t = invalid_type(c);
    else
        t = type_of(c, e);
    e->mode = is_valid(t) ? MODE_TYPE : MODE_NONE;
    if (generic_params(e)) {
        check_errf(c, ast_expr_start(e),
            "cannot use generic type %s without instantiation",
            check_generic_str(c, e));
        t = invalid_type(c);
        e->mode = MODE_NONE;
    }
    e->type = t;
    e->cv = NULL;
    return t;
}

void
check_no_constraint(struct check *c, struct type *t, struct ast_expr *e)
{
    if (type_is_constraint(c, t))
        check_errf(c, ast_expr_start(e),
            "cannot use type %s outside a type constraint: interface %s",
            type_str(c, t),
            type_under(t)->iface->comparable ? "is (or embeds) comparable"
                                             : "contains type constraints");
}

struct type *
check_var_type(struct check *c, struct ast_expr *e)
{
    struct type *t = check_type(c, e), *u = t;

    if (t->kind == TYPE_NAMED) {
        if (t->origin)
            u = t->origin;
        u = u->state == TSTATE_PENDING ? NULL : type_under(u);
    }
    if (!u || (u->kind == TYPE_INTERFACE && u != c->types.any_type &&
                  t != c->types.error_type))
        check_delay(c, DELAY_CONSTRAINT, t, NULL, e);
    return t;
}
