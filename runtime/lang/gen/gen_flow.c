/* SPDX-License-Identifier: MIT */
/*
 * Reads a body's expressions for the escape analysis: which values come to be
 * where (gen_escape.c says what that means). gen_flow_stmt.c reads the
 * statements around them.
 */
#include "runtime/lang/gen/gen_escape.h"

#include <string.h>

static void place_addr(struct esc *x, struct ast_expr *e, uint32_t to, int d);

/* ---- locations and flows ------------------------------------------------- */

uint32_t
esc_new_loc(struct esc *x, enum site site, void *at, struct type *t)
{
    struct loc *l = gvec_push(x->g, &x->locs);

    memset(l, 0, sizeof *l);
    l->site = (uint8_t)site;
    l->at = at;
    l->fn = x->fn;
    l->depth = l->inside = x->depth;
    l->type = t;
    l->escapes = t != NULL && type_size(t) > GEN_CELL_BYTES;
    if (x->locs.n > LOCS_MAX)
        x->failed = true;
    return x->locs.n - 1;
}

void
esc_add(struct esc *x, uint32_t to, uint32_t from, int d)
{
    struct flow *w;

    /* Where a location has its own address, what gets its value has that. */
    if (to == NOWHERE || from == HEAP || (to == from && d >= 0) || x->failed)
        return;
    rt_assert(to < x->locs.n && from < x->locs.n && d >= -1);
    if (x->flows.n == FLOWS_MAX) {
        x->failed = true;
        return;
    }
    w = gvec_push(x->g, &x->flows);
    w->from = from;
    w->derefs = d < DEREFS_MAX ? d : DEREFS_MAX;
    w->next = x->locs.at[to].flows;
    x->locs.at[to].flows = x->flows.n;
}

void
esc_add_addr(struct esc *x, uint32_t to, uint32_t from, int d)
{
    esc_add(x, to, from, d - 1);
}

uint32_t
esc_declare(struct esc *x, struct object *v)
{
    uint32_t at;

    if (v == NULL)
        return NOWHERE;
    at = esc_new_loc(x, SITE_VAR, v, v->type);
    gmap_put(x->g, &x->ids, (uint64_t)(uintptr_t)v, at);
    return at;
}

static bool
by_address(struct esc *x, struct object *v)
{
    return gf_var_on_heap(&x->f, v);
}

uint32_t
esc_loc_of(struct esc *x, struct object *v)
{
    uint32_t at, k;

    if (v == NULL || v->kind != OBJ_VAR || v->var_kind == VAR_PACKAGE)
        return HEAP;
    if (!gmap_get(&x->ids, (uint64_t)(uintptr_t)v, &at)) {
        /* Not declared in what was walked: nothing is known. */
        x->failed = true;
        return HEAP;
    }
    for (k = x->fn; k != x->locs.at[at].fn && k != 0; k = x->fns.at[k].up)
        if (x->fns.at[k].is_range)
            esc_add(x, x->fns.at[k].closure, at, by_address(x, v) ? -1 : 0);
    return at;
}

/* ---- expressions --------------------------------------------------------- */

void
esc_discard(struct esc *x, struct ast_expr *e)
{
    esc_val(x, e, NOWHERE, 0);
}

void
esc_discard_list(struct esc *x, struct ast_exprs list)
{
    uint32_t i;

    for (i = 0; i < list.n; i++)
        esc_discard(x, list.at[i]);
}

void
esc_as(struct esc *x, struct ast_expr *e, struct type *t, uint32_t to, int d)
{
    if (e == NULL)
        return;
    if (t != NULL && e->type != NULL && type_is_interface(t) &&
        !type_is_interface(e->type) && ast_unparen(e)->mode != MODE_NIL &&
        !type_is_pointer_shaped(e->type))
        esc_val(x, e,
            e->cv == NULL && type_has_pointers(e->type) ? HEAP : NOWHERE, 0);
    else
        esc_val(x, e, to, d);
}

int
esc_count_derefs(const struct selection *how)
{
    uint32_t i;
    int n = 0;

    for (i = 0; i < how->nsteps; i++)
        n += how->steps[i].deref;
    return n;
}

/* The operand of a selector after its steps, or its address. */
static void
steps(struct esc *x, struct ast_expr *e, bool addr, uint32_t to, int d)
{
    int n = esc_count_derefs(e->selector.how);

    if (!addr)
        esc_val(x, e->selector.x, to, d + n);
    else if (n > 0)
        esc_val(x, e->selector.x, to, d + n - 1);
    else
        place_addr(x, e->selector.x, to, d);
}

/* The receiver as the method wants it. */
static void
receiver(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    const struct selection *how = e->selector.how;

    steps(x, e, how->take_addr, to, d + how->deref);
}

static void
elements(struct esc *x, struct ast_expr *e, struct type *t, uint32_t to, int d)
{
    uint32_t i;

    t = type_under(t);
    for (i = 0; i < e->composite.elems.n; i++) {
        struct ast_expr *v = e->composite.elems.at[i];
        struct type *et = t->elem;

        if (t->kind == TYPE_STRUCT) {
            et = v->kind == EXPR_KEYVALUE ? v->kv.key->obj->type :
                t->vars[i]->type;
        } else if (t->kind == TYPE_MAP) {
            esc_as(x, v->kv.key, t->key, HEAP, 0);
        }
        esc_as(x, v->kind == EXPR_KEYVALUE ? v->kv.value : v, et, to, d);
    }
}

/* Memory that e makes, for n times t; what is in it is for the caller to
 * say. */
static uint32_t
site(struct esc *x, struct ast_expr *e, struct type *t, int64_t n,
    uint32_t to, int d)
{
    uint32_t at = esc_new_loc(x, SITE_EXPR, e, NULL);
    int64_t size = t == NULL ? 0 : type_size(t);

    if (size != 0 && n > GEN_CELL_BYTES / size)
        x->locs.at[at].escapes = true;
    esc_add_addr(x, to, at, d);
    return at;
}

static void
composite(struct esc *x, struct ast_expr *e, bool addr, uint32_t to, int d)
{
    struct type *t = e->type;
    uint32_t at = to;
    int64_t n;

    if (e->flags & AST_F_ADDR) {
        addr = true;
        t = type_under(t)->elem;
    }
    if (addr) {
        at = site(x, e, t, 1, to, d);
        x->locs.at[at].type = t;
        d = 0;
    }
    switch (type_kind_of(t)) {
    case TYPE_MAP:
        elements(x, e, t, HEAP, 0);
        break;
    case TYPE_SLICE:
        if (addr) {
            /* The expression is one site: the slice's array is not it. */
            elements(x, e, t, HEAP, 0);
            x->locs.at[at].escapes = true;
        } else {
            n = check_composite_len(e);
            at = site(x, e, type_under(t)->elem, n, to, d);
            x->locs.at[at].type = type_array(x->g->c, type_under(t)->elem, n);
            elements(x, e, t, at, 0);
        }
        break;
    default:
        elements(x, e, t, at, d);
        break;
    }
}

static void
place_addr(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    e = ast_unparen(e);
    if (d > 0) {
        esc_val(x, e, to, d - 1);
        return;
    }
    switch (e->kind) {
    case EXPR_NAME:
        if (e->obj != NULL && e->obj->kind == OBJ_VAR)
            esc_add_addr(x, to, esc_loc_of(x, e->obj), 0);
        break;
    case EXPR_SELECTOR:
        if (e->selector.how != NULL && e->selector.how->kind == SEL_FIELD)
            steps(x, e, true, to, 0);
        break;
    case EXPR_INDEX:
        esc_discard_list(x, e->index.at);
        if (type_kind_of(e->index.x->type) == TYPE_ARRAY)
            place_addr(x, e->index.x, to, 0);
        else
            esc_val(x, e->index.x, to, 0);
        break;
    case EXPR_STAR:
        esc_val(x, e->x, to, 0);
        break;
    case EXPR_COMPOSITE:
        composite(x, e, true, to, 0);
        break;
    default:
        /* A copy stands for it. */
        esc_val(x, e, type_has_pointers(e->type) ? HEAP : NOWHERE, 0);
        break;
    }
}

/* ---- calls --------------------------------------------------------------- */

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

int
esc_leak(const struct sum *s, struct object *fn, uint32_t param, uint32_t r)
{
    if (s != NULL && param < s->s.nparams && r <= s->s.nres)
        return s->s.leak[param * (1 + s->s.nres) + r];
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

    if (rs->self) {
        esc_add(x, 1 + x->nres + param, at, addr ? -1 : 0);
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
        receiver(x, e, hop, 0);
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
    at = site(x, e, et, e->call.args.n - from, NOWHERE, 0);
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

static uint32_t literal(struct esc *x, struct ast_expr *e, uint32_t to, int d);

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

    rs->self = true;
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
        steps(x, fun, false, HEAP, 0);
    else if (fun->kind == EXPR_FUNCLIT)
        literal(x, fun, NOWHERE, 0);
    else
        esc_discard(x, fun);
    esc_flow_args(x, e, sig, NULL, NULL, 0, &none);
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

static void
builtin(struct esc *x, struct ast_expr *e, uint32_t to, int d)
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
        at = site(x, e, type_under(e->type)->elem, 1, to, d);
        x->locs.at[at].type = type_under(e->type)->elem;
        if (list.at[0]->mode != MODE_TYPE)
            esc_as(x, list.at[0], type_under(e->type)->elem, at, 0);
        break;
    case BUILTIN_MAKE:
        for (i = 1; i < list.n; i++)
            esc_discard(x, list.at[i]);
        if (const_array(e)) {
            const_to_int64(list.at[list.n - 1]->cv, &n);
            at = site(x, e, type_under(e->type)->elem, n, to, d);
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

static void
conversion(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    struct ast_expr *a = e->call.args.at[0];
    enum type_kind tk = type_kind_of(e->type), ak = type_kind_of(a->type);

    if ((tk == TYPE_STRING) != (ak == TYPE_STRING)) {
        esc_discard(x, a);
        /* A short copy may be a cell. */
        if (gen_copies_bytes(e))
            site(x, e, NULL, 1, to, d);
    } else if (ak == TYPE_SLICE && tk == TYPE_ARRAY) {
        esc_val(x, a, to, d + 1);
    } else {
        esc_as(x, a, e->type, to, d);
    }
}

/* ---- literals ------------------------------------------------------------ */

void
esc_declare_params(struct esc *x, struct type *sig, bool recv)
{
    struct fn *fn = &x->fns.at[x->fn];
    uint32_t i, at, n = 0;

    if (recv) {
        at = esc_declare(x, sig->recv);
        x->locs.at[at].param = true;
        n = 1;
    }
    for (i = 0; i < sig->nparams; i++) {
        at = esc_declare(x, sig->vars[i]);
        x->locs.at[at].param = true;
        x->locs.at[at].index = (uint16_t)(n + i);
    }
    fn->nparams = n + sig->nparams;
    for (; i < sig->nvars; i++) {
        at = esc_declare(x, sig->vars[i]);
        esc_add(x, x->fn == 0 ? 1 + i - sig->nparams : HEAP, at, 0);
    }
}

uint32_t
esc_enter(struct esc *x, bool is_range, uint32_t closure, struct type *sig,
    struct ast_func *lit)
{
    uint32_t old = x->fn;
    struct fn *n = gvec_push(x->g, &x->fns);

    memset(n, 0, sizeof *n);
    n->up = old;
    n->is_range = is_range;
    n->closure = closure;
    n->sig = sig;
    n->lit = lit;
    x->fn = x->fns.n - 1;
    return old;
}

static uint32_t
literal(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    struct func_info *info = e->func->info;
    uint32_t at = site(x, e, NULL, 1, to, d), i, old, depth = x->depth;

    for (i = 0; i < info->ncaptures; i++) {
        struct object *v = info->captures[i];

        esc_add(x, at, esc_loc_of(x, v), by_address(x, v) ? -1 : 0);
    }
    old = esc_enter(x, false, at, info->sig, e->func);
    x->depth = 1;
    esc_declare_params(x, info->sig, false);
    esc_stmts(x, e->func->body->stmts);
    x->depth = depth;
    x->fn = old;
    return at;
}

static void
binary(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    /* A join may be one of its operands. */
    if (e->op != TOK_ADD || type_kind_of(e->type) != TYPE_STRING)
        to = NOWHERE;
    while (e->kind == EXPR_BINARY && e->cv == NULL) {
        esc_val(x, e->binary.y, to, d);
        e = ast_unparen(e->binary.x);
    }
    esc_val(x, e, to, d);
}

static void
index_val(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    esc_discard_list(x, e->index.at);
    switch (type_kind_of(e->index.x->type)) {
    case TYPE_ARRAY:
        esc_val(x, e->index.x, to, d);
        break;
    case TYPE_MAP: /* what is in it is on the heap */
        esc_discard(x, e->index.x);
        break;
    default:
        esc_val(x, e->index.x, to, d + 1);
        break;
    }
}

static void
slice_val(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    esc_discard(x, e->slice.lo);
    esc_discard(x, e->slice.hi);
    esc_discard(x, e->slice.max);
    if (type_kind_of(e->slice.x->type) == TYPE_ARRAY)
        place_addr(x, e->slice.x, to, d);
    else
        esc_val(x, e->slice.x, to, d);
}

static void
selector_val(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    const struct selection *how = e->selector.how;

    if (how == NULL)
        return; /* another package's */
    switch (how->kind) {
    case SEL_FIELD:
        steps(x, e, false, to, d);
        break;
    case SEL_METHOD:
        if (how->late)
            esc_val(x, e->selector.x, HEAP, 0);
        else if (how->is_iface)
            steps(x, e, false, HEAP, 0);
        else
            receiver(x, e, HEAP, 0);
        break;
    default:
        break;
    }
}

static void
assert_val(struct esc *x, struct ast_expr *e, struct type *t, uint32_t to,
    int d)
{
    if (type_is_interface(t) || type_is_pointer_shaped(t))
        esc_val(x, e, to, d);
    else
        esc_val(x, e, to, d + 1);
}

void
esc_val(struct esc *x, struct ast_expr *e, uint32_t to, int d)
{
    struct esc_targets rs = {.to = &to, .d = d, .n = 1};

    if (e == NULL || x->failed)
        return;
    e = ast_unparen(e);
    if (e->cv != NULL || e->mode == MODE_TYPE || e->mode == MODE_NIL)
        return;
    if (to != NOWHERE && e->type != NULL && e->type->kind != TYPE_TUPLE &&
        !type_has_pointers(e->type))
        to = NOWHERE;
    switch (e->kind) {
    case EXPR_NAME:
        if (e->obj != NULL && e->obj->kind == OBJ_VAR)
            esc_add(x, to, esc_loc_of(x, e->obj), d);
        break;
    case EXPR_SELECTOR:
        selector_val(x, e, to, d);
        break;
    case EXPR_COMPOSITE:
        composite(x, e, false, to, d);
        break;
    case EXPR_FUNCLIT:
        literal(x, e, to, d);
        break;
    case EXPR_INDEX:
        index_val(x, e, to, d);
        break;
    case EXPR_STAR:
        esc_val(x, e->x, to, d + 1);
        break;
    case EXPR_SLICE:
        slice_val(x, e, to, d);
        break;
    case EXPR_ASSERT:
        assert_val(x, e->assert_.x,
            e->type->kind == TYPE_TUPLE ? e->type->vars[0]->type : e->type,
            to, d);
        break;
    case EXPR_CALL:
        if (e->flags & AST_F_CONVERSION)
            conversion(x, e, to, d);
        else if (e->call.fun->mode == MODE_BUILTIN)
            builtin(x, e, to, d);
        else
            esc_call(x, e, &rs);
        break;
    case EXPR_UNARY:
        if (e->op == TOK_AND)
            place_addr(x, e->unary.x, to, d);
        else
            esc_discard(x, e->unary.x); /* what is received is on the heap */
        break;
    case EXPR_BINARY:
        binary(x, e, to, d);
        break;
    default:
        x->failed = true;
        break;
    }
}
