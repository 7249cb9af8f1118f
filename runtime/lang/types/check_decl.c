/* SPDX-License-Identifier: MIT */

/*
 * Declarations, resolved on demand.  An object is white before, grey while
 * and black after its type is being found.  Meeting a grey one closes a
 * cycle, which is fine among types as long as one of them is a definition
 * (whether the type is finite is asked later) and is left to the
 * initialisation order among variables and constants; anything else is an
 * error.
 */

#include <string.h>

#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

/* ---- cycles ------------------------------------------------------------- */

static bool
is_alias(const struct object *o)
{
    return o->decl && o->decl->kind == DECL_TYPE && o->decl->type.alias;
}

/* Enters o, which is about to be resolved, into the path. */
static void
path_push(struct check *c, struct object *o)
{
    struct check_int *in = c->in;
    const struct path_entry *up = in->npath ? &in->path[in->npath - 1] : NULL;
    struct path_entry e = {o, up ? up->nvalues : 0, up ? up->ndefs : 0, 0};

    if (o->kind == OBJ_CONST || o->kind == OBJ_VAR)
        e.nvalues++;
    else if (o->kind == OBJ_TYPE && !is_alias(o))
        e.ndefs++;
    o->path_index = in->npath;
    CHECK_PUSH(c, in->path, in->npath, in->pathcap, e);
}

/* o is grey: is the cycle from it to the top of the path allowed? */
static bool
valid_cycle(struct check *c, struct object *o)
{
    struct check_int *in = c->in;
    uint32_t first = o->path_index, n = in->npath - first, nvalues, ndefs, i;
    const struct path_entry *top;
    struct object **cycle;

    if (first >= in->npath || in->path[first].obj != o)
        return true;
    top = &in->path[in->npath - 1];
    nvalues = top->nvalues - (first ? in->path[first - 1].nvalues : 0);
    ndefs = top->ndefs - (first ? in->path[first - 1].ndefs : 0);
    if (nvalues == n || (nvalues == 0 && ndefs > 0))
        return true;
    cycle = CHECK_ARRAY(c, struct object *, n);
    for (i = 0; i < n; i++)
        cycle[i] = in->path[first + i].obj;
    check_cycle_error(c, cycle, n);
    return false;
}

static void in_decl_env(struct check *c, struct object *o,
    struct decl_info *d,
    void (*fn)(struct check *, struct object *, struct decl_info *));

static void
look_ahead(struct check *c, struct object *o, struct decl_info *d)
{
    struct type *t = check_type(c, d->decl->type.type);

    if (is_valid(t))
        o->type = t;
}

/*
 * An alias whose right side is being resolved is wanted by a definition on the
 * way: `type A = *T; type T struct{ a A }`, A first.  The definition has its
 * type by now, if not what this is made of, so the right side makes sense and
 * is looked at here and now.  If that leads here again with no more objects
 * under way, there is no end to it.
 */
static void
alias_ahead(struct check *c, struct object *o)
{
    struct check_int *in = c->in;
    struct path_entry *e = &in->path[o->path_index];

    rt_assert(is_alias(o) && o->type == NULL);
    if (o->path_index >= in->npath || e->obj != o || in->npath <= e->again ||
        o->dinfo == NULL || o->decl->type.tparams.n != 0)
        return;
    e->again = in->npath;
    in_decl_env(c, o, o->dinfo, look_ahead);
}

static void
meet_grey(struct check *c, struct object *o)
{
    bool ok = valid_cycle(c, o);

    if (ok && !o->type && is_alias(o))
        alias_ahead(c, o);

    switch (o->kind) {
    case OBJ_CONST:
    case OBJ_VAR:
        if (!ok || !o->type)
            o->type = invalid_type(c);
        break;
    case OBJ_TYPE:
        if (!ok || !o->type)
            o->type = invalid_type(c);
        break;
    default:
        break;
    }
}

bool
check_pending(struct check *c, struct ast_expr *e)
{
    struct type *t = e->type;

    while (t && t->kind == TYPE_ARRAY)
        t = t->elem;
    if (t && t->origin)
        t = t->origin;
    if (!t || t->kind != TYPE_NAMED || t->state != TSTATE_PENDING)
        return false;
    check_cycle_error(c, &t->obj, 1);
    check_set_invalid(c, e);
    return true;
}

/* ---- constants and variables -------------------------------------------- */

static void
const_decl(struct check *c, struct object *o, struct decl_info *d)
{
    struct check_env *env = &c->in->env;
    struct ast_expr *x = d->init;

    env->iota = d->iota;
    o->cv = const_unknown();
    if (d->type) {
        struct type *t = check_type(c, d->type);

        if (!type_is_const_type(t)) {
            if (is_valid(type_under(t)))
                check_errf(c, ast_expr_start(d->type),
                    "invalid constant type %s", type_str(c, t));
            o->type = invalid_type(c);
            return;
        }
        o->type = t;
    }
    if (!x) {
        o->type = o->type ? o->type : invalid_type(c);
        return;
    }
    if (d->inherited)
        env->errpos = o->pos;
    check_expr(c, x);
    if (x->mode == MODE_NONE || !is_valid(x->type) ||
        (o->type && !is_valid(o->type))) {
        o->type = o->type ? o->type : invalid_type(c);
    } else if (!is_const(x)) {
        check_errf(c, ast_expr_start(x), "%s is not constant",
            check_operand_str(c, x));
        o->type = o->type ? o->type : invalid_type(c);
    } else {
        if (!o->type)
            o->type = x->type;
        if (o->type != x->type || !type_is_untyped(o->type))
            check_assignment(c, x, o->type, "constant declaration");
        if (x->mode != MODE_NONE)
            o->cv = x->cv;
    }
    env->iota = NULL;
    env->errpos = 0;
}

/* Evaluates the initialiser of a package variable and of those declared
 * together with it. */
static void
init_decl(struct check *c, struct object *o, struct decl_info *d)
{
    uint32_t i;

    d->init_checked = true;
    if (!d->init) {
        if (!o->type)
            o->type = invalid_type(c);
        return;
    }
    c->in->env.in_init = true;
    if (d->lhs) {
        for (i = 0; i < d->nlhs; i++) {
            struct decl_info *di = d->lhs[i]->dinfo;

            di->init_checked = true;
            if (d->type)
                d->lhs[i]->type = o->type;
        }
        check_init_objects(c, d->lhs, d->nlhs, &d->init, 1, NULL);
        for (i = 0; i < d->nlhs; i++) {
            struct decl_info *di = d->lhs[i]->dinfo;

            d->lhs[i]->color = COLOR_BLACK;
            if (di != d) { /* all of them depend on what this one does */
                di->deps = d->deps;
                di->ndeps = di->depcap = d->ndeps;
            }
        }
    } else {
        check_expr_for(c, d->init, o->type, o->name->text);
        check_init_object(c, o, d->init, "variable declaration");
    }
    c->in->env.in_init = false;
}

static void
var_decl(struct check *c, struct object *o, struct decl_info *d)
{
    if (d->type)
        o->type = check_var_type(c, d->type);
    if (d->init == NULL && d->decl->dir != NULL)
        d->init = check_embed(c, o, d->decl);
    /* Users' initialisers at once, so that errors are found in Go's order:
     * which of them are among the first ten depends on it. */
    if (!d->type || (!d->pkg->library && d->init && !d->init_checked))
        init_decl(c, o, d);
}

/* Runs fn in the environment of o's declaration. */
static void
in_decl_env(struct check *c, struct object *o, struct decl_info *d,
    void (*fn)(struct check *, struct object *, struct decl_info *))
{
    struct check_env saved = c->in->env;

    memset(&c->in->env, 0, sizeof c->in->env);
    c->in->env.pkg = d->pkg;
    c->in->env.scope = d->scope;
    c->in->env.decl = d;
    fn(c, o, d);
    c->in->env = saved;
}

bool
check_var_init(struct check *c, struct object *o)
{
    uint32_t before = c->parse->diag->nmsg;
    struct decl_info *d = o->dinfo;

    check_obj(c, o);
    if (d && !d->init_checked) {
        path_push(c, o);
        in_decl_env(c, o, d, init_decl);
        c->in->npath--;
    }
    if (c->in->npath == 0)
        check_run_delayed(c, 0);
    return c->parse->diag->nmsg == before;
}

/* ---- types -------------------------------------------------------------- */

/*
 * A defined type whose right side is another one that is still being declared
 * waits for it: t->from is the other one, which has t in its list of waiters.
 * Such types form trees that end at one whose right side is not known yet, or
 * a loop: type A B; type B A.
 */

/* The declared type on the right side of t: of an instance its origin. */
static struct type *
right_side(const struct type *t)
{
    return t->from->origin ? t->from->origin : t->from;
}

/* Where t's chain of right sides ends: at a type without one, or at t itself.
 * Chains are shortened on the way, so that the next walk is short. */
static struct type *
chain_end(struct type *t)
{
    struct type *end = right_side(t), *p, *next;

    while (end != t && end->from_end)
        end = end->from_end;
    for (p = right_side(t); p != end; p = next) {
        next = p->from_end;
        p->from_end = end;
    }
    return end;
}

/* The same of generic types: what refers to the next one are instances. */
static void
report_instance_loop(struct check *c, struct object **cycle, uint32_t n)
{
    struct object **uses = CHECK_ARRAY(c, struct object *, n);
    uint32_t first = check_cycle_first(cycle, n), i;

    for (i = 0; i < n; i++) {
        const struct object *o = cycle[(first + i) % n];

        uses[i] = CHECK_NEW(c, struct object);
        *uses[i] = *cycle[(first + i + 1) % n];
        if (o->type->from->pos)
            uses[i]->pos = o->type->from->pos;
    }
    check_cycle_error_from(c, uses, n, 0);
}

/* Nothing gives the types of the loop through t an underlying type. */
static void
report_loop(struct check *c, struct type *t)
{
    struct object **cycle = NULL;
    struct type *p = t;
    uint32_t n = 0, cap = 0;

    do {
        CHECK_PUSH(c, cycle, n, cap, p->obj);
        p = right_side(p);
    } while (p != t);
    if (t->from->origin)
        report_instance_loop(c, cycle, n);
    else
        check_cycle_error(c, cycle, n);
}

/* t has its underlying type now, and so have those that wait for it. */
static void
settle(struct type *t, struct type *under)
{
    struct type *todo = t, *w;

    t->next_waiter = NULL;
    while ((t = todo) != NULL) {
        todo = t->next_waiter;
        if (t->state == TSTATE_DONE)
            continue;
        t->under = t->from && is_valid(under) ? type_under(t->from) : under;
        t->state = TSTATE_DONE;
        while ((w = t->waiters) != NULL) {
            t->waiters = w->next_waiter;
            w->next_waiter = todo;
            todo = w;
        }
    }
}

/* t's right side is known. */
static void
set_right_side(struct check *c, struct type *t, struct type *from)
{
    struct type *base = from->origin ? from->origin : from;

    t->from = from;
    if (from->kind != TYPE_NAMED || base->state != TSTATE_PENDING) {
        settle(t, type_under(from));
        return;
    }
    if (chain_end(t) == t) {
        report_loop(c, t);
        settle(t, invalid_type(c));
        return;
    }
    t->from_end = base;
    t->next_waiter = base->waiters;
    base->waiters = t;
}

static void
add_methods(struct check *c, struct type *t, struct decl_info *d)
{
    struct object_table names = {NULL, 0, 0};
    uint32_t i;

    if (!d || !d->nmethods)
        return;
    t->methods = CHECK_ARRAY(c, struct object *, d->nmethods);
    for (i = 0; i < d->nmethods; i++) {
        struct object *m = d->methods[i], *old = object_table_add(c, &names, m);

        if (old)
            check_errf(c, m->pos, "method %s.%s already declared at %s",
                t->obj->name->text, m->name->text, check_place(c, old->pos));
        else
            t->methods[t->nmethods++] = m;
    }
}

/* After a type's declaration: nothing may have both a field and a method of
 * one name. */
void
check_field_methods(struct check *c, struct object *o)
{
    struct type *t = o->type, *u = type_under(t);
    uint32_t i;

    if (u->kind != TYPE_STRUCT || t->kind != TYPE_NAMED || !t->nmethods)
        return;
    for (i = 0; i < t->nmethods; i++) {
        struct object *m = t->methods[i];
        struct object *f = type_find_field(c, u, m->pkg, m->name, false);

        if (f)
            check_errf(c, m->pos,
                "field and method with the same name %s\n"
                "\t%s: other declaration of %s",
                m->name->text, check_place(c, f->pos), m->name->text);
    }
}

/* type A[P any] = right side: it has no type of its own. */
static void
alias_decl(struct check *c, struct object *o, struct ast_decl *decl)
{
    struct type *rhs;

    if (!decl->type.tparams.n)
        check_allows(c, decl->pos, 9, "type alias");
    if (decl->type.tparams.n) {
        check_allows(
            c, decl->type.tparams.at[0]->pos, 23, "generic type alias");
        check_open_scope(c);
        o->tparams = tparam_declare(c, &decl->type.tparams);
        tparam_bounds(c, &decl->type.tparams, o->tparams);
    }
    rhs = check_type(c, decl->type.type);
    if (rhs->kind == TYPE_PARAM && o->tparams &&
        (uint32_t)rhs->index < o->tparams->n &&
        o->tparams->at[rhs->index] == rhs) {
        check_errf(c, ast_expr_start(decl->type.type),
            "cannot use type parameter declared in alias declaration as RHS");
        rhs = invalid_type(c);
    }
    o->type = o->type ? o->type : rhs;
}

static void
type_decl(struct check *c, struct object *o, struct ast_decl *decl)
{
    struct scope *outer = c->in->env.scope;
    struct type *t, *rhs;

    if (decl->type.alias) {
        alias_decl(c, o, decl);
        c->in->env.scope = outer;
        return;
    }
    t = type_new(c, TYPE_NAMED);
    t->obj = o;
    t->under = invalid_type(c);
    t->state = TSTATE_PENDING;
    t->serial = ++c->in->serial;
    o->type = t;
    check_delay(c, DELAY_VALID, NULL, o, NULL); /* before those it names */
    add_methods(c, t, o->dinfo);
    if (decl->type.tparams.n) {
        check_allows(c, decl->type.tparams.at[0]->pos, 18, "type parameter");
        check_open_scope(c);
        t->tparams = o->tparams = tparam_declare(c, &decl->type.tparams);
        tparam_bounds(c, &decl->type.tparams, o->tparams);
    }
    rhs = check_type(c, decl->type.type);
    c->in->env.scope = outer;
    if (rhs->kind == TYPE_PARAM) {
        check_errf(c, ast_expr_start(decl->type.type),
            "cannot use a type parameter as RHS in type declaration");
        rhs = invalid_type(c);
    }
    set_right_side(c, t, rhs);
    if (t->nmethods)
        check_delay(c, DELAY_METHODS, NULL, o, NULL);
}

/* ---- functions ---------------------------------------------------------- */

static struct func_info *
new_func(struct check *c, struct ast_func *f, struct object *o)
{
    struct func_info *fi = CHECK_NEW(c, struct func_info);

    fi->func = f;
    fi->obj = o;
    fi->pkg = c->in->env.pkg;
    fi->captured = CHECK_NEW(c, struct check_set);
    f->info = fi;
    return fi;
}

void
check_receiver(struct check *c, struct object *f, struct ast_expr *e)
{
    struct type *t = e->type, *whole = t, *u;
    lang_pos pos;

    if (!t || !is_valid(t))
        return;
    while (e->kind == EXPR_STAR || e->kind == EXPR_PAREN)
        e = e->x;
    pos = ast_expr_start(e);
    if (t->kind == TYPE_POINTER)
        t = t->elem;
    if (!is_valid(t))
        return;
    u = type_under(t);
    if (t->kind != TYPE_NAMED && t->kind > TYPE_NAMED) {
        check_errf(c, pos, "invalid receiver type %s", type_str(c, whole));
    } else if (t->kind != TYPE_NAMED || t->obj->pkg != f->pkg) {
        check_errf(c, pos, "cannot define new methods on non-local type %s",
            type_str(c, t));
    } else if (u->kind == TYPE_POINTER || u->kind == TYPE_INTERFACE) {
        check_errf(c, pos,
            "invalid receiver type %s (pointer or interface type)",
            type_str(c, t));
    } else if (u->kind == TYPE_UNSAFE_POINTER) {
        check_errf(c, pos, "invalid receiver type %s (unsafe.Pointer)",
            type_str(c, t));
    }
}

static void
func_decl(struct check *c, struct object *o, struct decl_info *d)
{
    struct ast_func *f = &o->decl->func.func;
    struct scope *s = scope_new(c, c->in->env.scope);
    struct func_info *fi = new_func(c, f, o);
    struct type *sig;

    (void)d;
    s->is_func = true;
    s->func = fi;
    f->scope = s;
    o->info = fi;
    if (f->sig->tparams.n) {
        check_allows(c, f->sig->tparams.at[0]->pos, 18, "type parameter");
        c->in->env.scope = s;
        o->tparams = tparam_declare(c, &f->sig->tparams);
        tparam_bounds(c, &f->sig->tparams, o->tparams);
    }
    sig = check_signature(c, f->sig, o->decl->func.recv, o, s);
    if (f->sig->tparams.n)
        sig->tparams = o->tparams;
    o->type = sig;
    if (o->tparams && !o->is_method && !f->body && !f->lazy)
        check_errf(c, o->decl->pos, "generic function is missing function body");
    fi->sig = sig;
    fi->named_results =
        sig->nvars > sig->nparams && sig->vars[sig->nparams]->name != NULL;
    if (sig->recv) {
        struct type *r = sig->recv->type;

        o->ptr_recv = r->kind == TYPE_POINTER;
        check_delay(c, DELAY_RECV, NULL, o, o->decl->func.recv->type);
    }
}

void
check_body(struct check *c, struct func_info *f, struct scope *s)
{
    struct check_env *env = &c->in->env;
    uint32_t from = c->in->ndelayed;

    env->scope = s;
    env->func = f;
    env->errpos = 0;
    check_stmts(c, &f->func->body->stmts, 0);
    if (f->sig && f->sig->nvars > f->sig->nparams &&
        !check_terminates(c, f->func->body))
        check_errf(c, f->func->body->rbrace, "missing return");
    check_unused(c, s);
    check_run_delayed(c, from);
}

static void
body_of(struct check *c, struct object *o, struct decl_info *d)
{
    (void)d;
    check_body(c, o->info, o->decl->func.func.scope);
}

void
check_function(struct check *c, struct object *o)
{
    struct ast_func *f;

    if (!o->decl || o->body_checked)
        return;
    o->body_checked = true;
    f = &o->decl->func.func;
    if (f->lazy) {
        if (parse_func_body(c->parse, f) != RT_OK)
            rt_no_memory();
        if (f->lazy || !f->body)
            return;
    }
    if (!f->body || !o->type || !is_valid(o->type))
        return;
    in_decl_env(c, o, o->dinfo, body_of);
}

void
check_funclit(struct check *c, struct ast_expr *e)
{
    struct check_env saved = c->in->env;
    struct ast_func *f = e->func;
    struct func_info *fi = new_func(c, f, NULL);
    struct scope *s = scope_open(c, c->in->env.scope);

    fi->outer = saved.func;
    fi->depth = saved.func ? saved.func->depth + 1 : 0;
    fi->number = saved.func ? ++saved.func->nlits : 0;
    s->is_func = true;
    s->func = fi;
    f->scope = s;
    fi->sig = check_signature(c, f->sig, NULL, NULL, s);
    fi->named_results = fi->sig->nvars > fi->sig->nparams &&
                        fi->sig->vars[fi->sig->nparams]->name != NULL;
    if (!saved.func) {
        /* Not before the variables that it may name have their types. */
        check_delay(c, DELAY_FUNCLIT, NULL, NULL, NULL);
        c->in->delayed[c->in->ndelayed - 1].func = fi;
    } else {
        check_body(c, fi, s);
        c->in->env = saved;
    }
    check_set_value(e, fi->sig);
}

/* ---- on demand ---------------------------------------------------------- */

static void
resolve(struct check *c, struct object *o, struct decl_info *d)
{
    switch (o->kind) {
    case OBJ_CONST:
        const_decl(c, o, d);
        break;
    case OBJ_VAR:
        var_decl(c, o, d);
        break;
    case OBJ_TYPE:
        c->in->env.decl = NULL;
        type_decl(c, o, d->decl);
        break;
    case OBJ_FUNC:
        func_decl(c, o, d);
        break;
    default:
        break;
    }
}

void
check_obj(struct check *c, struct object *o)
{
    struct check_int *in = c->in;

    if (o->color == COLOR_BLACK)
        return;
    if (o->color == COLOR_GREY) {
        meet_grey(c, o);
        return;
    }
    if (!o->dinfo) {
        if (o->origin && !o->type)
            check_instance_type(c, o);
        return;
    }
    if (check_too_deep(c, o->pos, "declarations refer to each other")) {
        o->type = invalid_type(c);
        o->color = COLOR_BLACK;
        return;
    }
    o->color = COLOR_GREY;
    path_push(c, o);
    in_decl_env(c, o, o->dinfo, resolve);
    in->npath--;
    o->color = COLOR_BLACK;
    if (in->npath == 0 && !in->env.func)
        check_run_delayed(c, 0);
}

/* ---- declarations in functions ------------------------------------------ */

static void
local_consts(struct check *c, struct ast_decl *d)
{
    struct check_env saved = c->in->env;
    uint32_t i;

    collect_consts(c, saved.pkg, NULL, d);
    for (i = 0; i < d->cnst.nname; i++) {
        struct object *o = d->cnst.objs[i];

        o->color = COLOR_BLACK;
        const_decl(c, o, o->dinfo);
        c->in->env.iota = saved.iota;
        c->in->env.errpos = saved.errpos;
    }
    for (i = 0; i < d->cnst.nname; i++)
        check_declare(c, d->cnst.objs[i]);
}

static void
local_values(struct check *c, struct ast_decl *d)
{
    struct ast_exprs *v = &d->var.values;
    uint32_t i;

    if (v->n == 1 && d->var.nname > 1) {
        check_init_objects(c, d->var.objs, d->var.nname, v->at, 1, NULL);
        return;
    }
    for (i = 0; i < d->var.nname; i++) {
        if (i < v->n) {
            check_expr_for(c, v->at[i], d->var.objs[i]->type,
                d->var.objs[i]->name->text);
            check_init_object(
                c, d->var.objs[i], v->at[i], "variable declaration");
        } else if (!d->var.objs[i]->type) {
            d->var.objs[i]->type = invalid_type(c);
        }
    }
    check_arity(c, d->var.names, d->var.nname, v, false, false, d->pos);
}

static void
local_vars(struct check *c, struct ast_decl *d)
{
    struct type *t = NULL;
    uint32_t i, n = d->var.nname;

    check_embed_place(c, d, true);

    d->var.objs = CHECK_ARRAY(c, struct object *, n);
    for (i = 0; i < n; i++) {
        d->var.objs[i] = object_new(
            c, OBJ_VAR, d->var.names[i].pos, d->var.names[i].name, NULL);
        d->var.objs[i]->color = COLOR_BLACK;
        d->var.objs[i]->func = c->in->env.func;
    }
    if (d->var.type)
        t = check_var_type(c, d->var.type);
    for (i = 0; i < n; i++)
        d->var.objs[i]->type = t;
    if (d->var.values.n)
        local_values(c, d);
    else if (!t)
        for (i = 0; i < n; i++)
            d->var.objs[i]->type = invalid_type(c);
    for (i = 0; i < n; i++)
        check_declare(c, d->var.objs[i]);
}

static void
local_type(struct check *c, struct ast_decl *d)
{
    struct object *o =
        object_new(c, OBJ_TYPE, d->type.name.pos, d->type.name.name, NULL);
    struct check_int *in = c->in;

    d->obj = o;
    o->func = in->env.func;
    in->local_types |= in->env.decl && in->env.decl->obj->tparams;
    check_declare(c, o);
    o->color = COLOR_GREY;
    o->decl = d;
    path_push(c, o);
    o->order = ++in->env.pkg->nlocals;
    type_decl(c, o, d);
    in->npath--;
    o->color = COLOR_BLACK;
}

void
check_local_decl(struct check *c, struct ast_stmt *s)
{
    uint32_t i;

    for (i = 0; i < s->decl.decls.n; i++) {
        struct ast_decl *d = s->decl.decls.at[i];

        if (d->kind == DECL_CONST)
            local_consts(c, d);
        else if (d->kind == DECL_VAR)
            local_vars(c, d);
        else if (d->kind == DECL_TYPE)
            local_type(c, d);
    }
}
