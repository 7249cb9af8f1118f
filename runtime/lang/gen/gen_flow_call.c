/* SPDX-License-Identifier: MIT */
/* What a call does with its operands, for gen_escape.c: of declared functions
 * what is known of them, of natives what a list says, of builtins and
 * conversions what they are. */
#include "runtime/lang/gen/gen_escape.h"

#include <string.h>

struct object *
esc_static_callee(struct ast_expr *fun)
{
    const struct selection *how;

    if (fun->kind != EXPR_NAME && fun->kind != EXPR_SELECTOR)
        return NULL;
    how = fun->kind == EXPR_SELECTOR ? fun->selector.how : NULL;
    if (how == NULL)
        return fun->obj != NULL && fun->obj->kind == OBJ_FUNC ? fun->obj :
            NULL;
    if (how->kind == SEL_METHOD && !how->is_iface)
        return how->obj;
    if (how->kind == SEL_METHOD_EXPR && how->nsteps == 0 && !how->is_iface &&
        !how->deref && !how->take_addr)
        return how->obj;
    return NULL;
}

static bool
in_list(const char *path, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(path, *list) == 0)
            return true;
    return false;
}

/* Does a function of this type return memory with pointers in it, as
 * bytes.Fields does?  They may lead to what it was given, and there is no flow
 * that says so. */
static bool
has_inner_pointers(const struct type *sig)
{
    uint32_t i;

    for (i = sig->nparams; i < sig->nvars; i++) {
        struct type *t = type_under(sig->vars[i]->type);

        if ((t->kind == TYPE_SLICE || t->kind == TYPE_POINTER) &&
            type_has_pointers(t->elem))
            return true;
    }
    return false;
}

/* Natives that look at what they are given, and keep nothing. */
static bool
only_looks(const struct object *fn, uint32_t param)
{
    static const char *const look[] = {"bytes", "strings",
        "internal/bytealg", "unicode/utf8", "math/big", "hash/crc32",
        "internal/sema", "strconv", "internal/md", "crypto/md5",
        "crypto/sha1", "crypto/sha256", "crypto/internal/fips140/sha256",
        "crypto/internal/fips140/bigmod", "encoding/json", NULL};
    static const char *const first[] = {"sync/atomic", "sync", NULL};

    if (fn->pkg == NULL || has_inner_pointers(fn->type))
        return false;
    return in_list(fn->pkg->path, look) ||
        (param == 0 && in_list(fn->pkg->path, first));
}

/* A native that says so keeps nothing that it is given, nor returns it. */
static bool
is_noescape(const struct object *fn)
{
    const struct ast_directive *d = fn->decl == NULL ? NULL : fn->decl->dir;

    while (d != NULL && !ast_is_directive(d, "go:noescape"))
        d = d->next;
    return d != NULL;
}

int
esc_leak(const struct sum *s, struct object *fn, uint32_t param, uint32_t r)
{
    if (s != NULL && param < s->s.nparams && r <= s->s.nres)
        return s->s.leak[param * (1 + s->s.nres) + r];
    if (fn != NULL && is_noescape(fn))
        return NO_LEAK;
    if (fn != NULL && only_looks(fn, param))
        return r == 0 ? NO_LEAK : 0;
    return r == 0 ? 0 : NO_LEAK;
}

/* A parameter's value, or what it points to, is `at`: where it goes. */
static void
flow_param(struct esc *x, uint32_t at, bool addr, const struct sum *s,
    struct object *fn, uint32_t param, const struct esc_targets *rs)
{
    const struct escape_block *b = rs->lent != HEAP ? s->s.block : NULL;
    uint32_t r;
    int d;

    if (rs->params != HEAP) {
        esc_add(x, rs->params + param, at, addr ? -1 : 0);
        return;
    }
    for (r = 0; r <= rs->n; r++) {
        d = r == 0 && b != NULL ? b->heap[param] :
            esc_leak(s, fn, param, r);
        if (d != NO_LEAK)
            esc_add(x, r == 0 ? HEAP : rs->to[r - 1], at,
                d - addr + (r == 0 ? 0 : rs->d));
    }
    if (b != NULL && b->into[param] != NO_LEAK)
        esc_add(x, rs->lent, at, b->into[param] - addr);
}

/* An argument, or the receiver. */
static void
flow_arg(struct esc *x, struct ast_expr *e, struct type *t,
    const struct sum *s, struct object *fn, uint32_t param,
    const struct esc_targets *rs, bool recv)
{
    uint32_t hop;

    /* By way of a location, so that e is walked over once. */
    hop = esc_new_loc(x, SITE_NONE, NULL, NULL);
    if (recv)
        esc_receiver(x, e, hop, 0);
    else
        esc_as(x, e, t, hop, 0);
    flow_param(x, hop, false, s, fn, param, rs);
}

/* Surplus arguments of a variadic call: an array of their own. */
static void
flow_surplus(struct esc *x, struct ast_expr *e, uint32_t from,
    struct type *slice, const struct sum *s, struct object *fn,
    uint32_t param, const struct esc_targets *rs)
{
    struct type *et = type_under(slice)->elem;
    uint32_t i, at;

    if (from >= e->call.args.n)
        return;
    at = esc_site(x, e, et, e->call.args.n - from, NOWHERE, 0);
    for (i = from; i < e->call.args.n; i++)
        esc_as(x, e->call.args.at[i], et, at, 0);
    flow_param(x, at, true, s, fn, param, rs);
}

/* The results of a call that are the arguments of another: they are kept. */
static void
tuple_val(struct esc *x, struct ast_expr *e)
{
    uint32_t i, n = e->type->nvars;
    uint32_t *to = gen_scratch(x->g, (n + 1) * sizeof *to);
    struct esc_targets rs = {.to = to, .n = n};

    rt_assert(e->type->kind == TYPE_TUPLE);
    for (i = 0; i < n; i++)
        to[i] = HEAP;
    esc_call(x, ast_unparen(e), &rs);
}

void
esc_flow_args(struct esc *x, struct ast_expr *e, struct type *sig,
    const struct sum *s, struct object *fn, uint32_t before,
    const struct esc_targets *rs)
{
    struct ast_exprs list = e->call.args;
    bool spread = (e->flags & AST_F_DOTS) != 0;
    uint32_t i, fixed = sig->nparams - (sig->variadic && !spread);

    if (list.n == 1 && list.at[0]->mode == MODE_TUPLE) {
        tuple_val(x, list.at[0]);
        return;
    }
    for (i = 0; i < fixed && i < list.n; i++)
        flow_arg(x, list.at[i], sig->vars[i]->type, s, fn, before + i, rs,
            false);
    if (sig->variadic && !spread)
        flow_surplus(x, e, fixed, sig->vars[fixed]->type, s, fn,
            before + fixed, rs);
}

/* The memory of what a call returns may be the caller's: it is a location of
 * its own, whose address is in the results. */
static void
lend(struct esc *x, struct ast_expr *e, const struct sum *s,
    struct esc_targets *rs)
{
    const struct escape_block *b = s->s.block;
    uint32_t r;

    rs->lent = esc_new_loc(x, SITE_CALL, e, NULL);
    x->locs.at[rs->lent].block = b;
    for (r = 0; r < rs->n && r < s->s.nres; r++)
        if (b->out[r])
            esc_add_addr(x, rs->to[r], rs->lent, rs->d);
    if (b->linked)
        esc_add_addr(x, rs->lent, rs->lent, 0);
}

/* A call of the function that is analysed: its results are what that returns. */
static void
call_self(struct esc *x, struct esc_targets *rs)
{
    uint32_t r;

    rs->params = 1 + x->nres;
    for (r = 0; r < rs->n && r < x->nres; r++)
        esc_add(x, rs->to[r], 1 + r, rs->d);
}

/* What is known of the call of a declared function; NULL: nothing, or that it
 * is what rs says.  Natives and the function itself are left in fn. */
static const struct sum *
known_call(struct esc *x, struct ast_expr *e, struct object **fn,
    struct esc_targets *rs)
{
    struct object *linked = check_linked(x->g->c, *fn);
    const struct sum *s;

    if (linked == x->self) {
        call_self(x, rs);
        return NULL;
    }
    s = esc_sum_of(x, *fn);
    *fn = linked;
    if (s != NULL) {
        if (s->s.block != NULL && !rs->later)
            lend(x, e, s, rs);
        return s;
    }
    if (!gen_is_native(x->g, fn)) {
        *fn = NULL;
        *rs = (struct esc_targets){0};
    }
    return NULL;
}

const struct sum *
esc_literal_sum(struct esc *x, struct ast_expr *e)
{
    struct object *fn;
    const struct sum *s, *tame;

    if (x->tame && e->kind == EXPR_NAME)
        return esc_tame_param(x, e);
    if (e->kind != EXPR_CALL || (e->flags & AST_F_CONVERSION) ||
        e->call.fun->mode == MODE_BUILTIN)
        return NULL;
    fn = esc_static_callee(ast_unparen(e->call.fun));
    if (fn == NULL || (s = esc_sum_of(x, fn)) == NULL || s->lit == NULL)
        return NULL;
    tame = s->tame == NULL ? NULL : esc_tame_call(x, e, fn, s);
    return tame != NULL ? tame : esc_sum_kept(x->g, s->lit);
}

/* What is known of the call of the variable `fun`. */
static const struct sum *
variable_call(struct esc *x, struct ast_expr *fun, struct esc_targets *rs)
{
    struct ast_expr *e = esc_origin(x, fun);
    struct type *sig = type_under(e->type);

    if (e->kind == EXPR_FUNCLIT && sig->nparams > 0 &&
        !gmap_get(&x->ids, (uint64_t)(uintptr_t)sig->vars[0], &rs->params))
        rs->params = HEAP;
    return esc_literal_sum(x, e);
}

void
esc_call(struct esc *x, struct ast_expr *e, const struct esc_targets *rs)
{
    struct ast_expr *fun = ast_unparen(e->call.fun);
    struct object *fn = esc_static_callee(fun);
    struct type *sig = type_under(fun->type);
    const struct sum *s = NULL;
    struct esc_targets none = {0}, own = *rs;
    uint32_t before = 0;

    if (fn != NULL) {
        s = known_call(x, e, &fn, &own);
        if (fun->kind == EXPR_SELECTOR && fun->selector.how != NULL &&
            fun->selector.how->kind == SEL_METHOD) {
            flow_arg(x, fun, NULL, s, fn, 0, &own, true);
            before = 1;
        }
        esc_flow_args(x, e, sig, s, fn, before, &own);
        return;
    }
    if (fun->kind == EXPR_SELECTOR && fun->selector.how != NULL &&
        fun->selector.how->kind == SEL_METHOD)
        esc_steps(x, fun, false, HEAP, 0);
    else if (fun->kind == EXPR_FUNCLIT)
        esc_literal(x, fun, NOWHERE, 0);
    else
        esc_discard(x, fun);
    if (fun->kind == EXPR_NAME)
        s = variable_call(x, fun, &none);
    esc_flow_args(x, e, sig, s, NULL, 0, &none);
}

/* Is it make([]T, ...) of a constant capacity? */
static bool
const_array(struct ast_expr *e)
{
    struct ast_exprs list = e->call.args;
    int64_t n = -1;
    uint32_t i;

    if (list.n < 2 || type_kind_of(e->type) != TYPE_SLICE ||
        list.at[list.n - 1]->cv == NULL)
        return false;
    for (i = 1; i < list.n; i++)
        if (list.at[i]->cv != NULL &&
            (!const_to_int64(list.at[i]->cv, &n) || n < 0 ||
                n > GEN_CELL_BYTES))
            return false;
    return true;
}

static void
append(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    struct ast_exprs list = e->call.args;
    struct type *et = type_under(e->type)->elem;
    uint32_t i;

    esc_val(x, list.at[0], to, d);
    for (i = 1; i < list.n; i++) {
        if (!(e->flags & AST_F_DOTS))
            esc_as(x, list.at[i], et, HEAP, 0);
        else if (type_has_pointers(et))
            esc_val(x, list.at[i], HEAP, 1);
        else
            esc_discard(x, list.at[i]);
    }
}

void
esc_builtin(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    struct ast_exprs list = e->call.args;
    int64_t n = 0;
    uint32_t i, at;

    if (list.n == 1 && list.at[0]->mode == MODE_TUPLE) {
        tuple_val(x, list.at[0]);
        return;
    }
    switch (e->call.builtin) {
    case BUILTIN_APPEND:
        append(x, e, to, d);
        break;
    case BUILTIN_COPY:
        esc_discard(x, list.at[0]);
        esc_val(x, list.at[1],
            type_kind_of(list.at[1]->type) == TYPE_SLICE &&
                    type_has_pointers(type_under(list.at[1]->type)->elem) ?
                HEAP : NOWHERE, 1);
        break;
    case BUILTIN_PANIC:
        esc_as(x, list.at[0], x->g->c->types.empty_iface, HEAP, 0);
        break;
    case BUILTIN_NEW:
        at = esc_site(x, e, type_under(e->type)->elem, 1, to, d);
        x->locs.at[at].type = type_under(e->type)->elem;
        if (list.at[0]->mode != MODE_TYPE)
            esc_as(x, list.at[0], type_under(e->type)->elem, at, 0);
        break;
    case BUILTIN_MAKE:
        for (i = 1; i < list.n; i++)
            esc_discard(x, list.at[i]);
        if (const_array(e)) {
            const_to_int64(list.at[list.n - 1]->cv, &n);
            at = esc_site(x, e, type_under(e->type)->elem, n, to, d);
            x->locs.at[at].type =
                type_array(x->g->c, type_under(e->type)->elem, n);
        }
        break;
    case BUILTIN_MIN:
    case BUILTIN_MAX:
    case BUILTIN_ADD:
    case BUILTIN_SLICE:
    case BUILTIN_SLICEDATA:
    case BUILTIN_STRING:
    case BUILTIN_STRINGDATA:
        for (i = 0; i < list.n; i++)
            esc_val(x, list.at[i], to, d);
        break;
    default:
        esc_discard_list(x, list);
        break;
    }
}

void
esc_conversion(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    struct ast_expr *a = e->call.args.at[0];
    enum type_kind tk = type_kind_of(e->type), ak = type_kind_of(a->type);

    if ((tk == TYPE_STRING) != (ak == TYPE_STRING)) {
        esc_discard(x, a);
        /* A short copy may be a cell. */
        if (gen_copies_bytes(e))
            esc_site(x, e, NULL, 1, to, d);
    } else if (ak == TYPE_SLICE && tk == TYPE_ARRAY) {
        esc_val(x, a, to, d + 1);
    } else {
        esc_as(x, a, e->type, to, d);
    }
}
