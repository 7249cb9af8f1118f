/* SPDX-License-Identifier: MIT */

/*
 * What check.h promises to the generator about a function's body, looked at
 * node by node after the body has been checked, or copied for an instance,
 * without an error.  Builds with all checks ask before they make code of one;
 * where the answer is false, the code would be wrong whatever the generator
 * does.
 *
 * It believes the types' own predicates and repeats none of the rules by which
 * a program is refused; it only asks what is left on the nodes.
 */

#include "runtime/lang/syntax/ast_kids.h"
#include "runtime/lang/types/check_int.h"
#include "runtime/lang/types/generic.h"

struct body {
    struct check *c;
    struct func_info *f; /* the function or literal that is walked */
};

static bool expr_valid(struct body *b, struct ast_expr *e);
static bool stmts_valid(struct body *b, struct ast_stmts list);
static bool func_valid(struct body *b, struct func_info *f);

/* ---- types and constants -------------------------------------------------- */

/* A type that the generator may lay out. */
static bool
final_type(struct type *t)
{
    return t != NULL && t->kind != TYPE_INVALID && t->kind < TYPE_KIND_COUNT &&
        t->kind != TYPE_PARAM && t->kind != TYPE_UNION &&
        type_under(t)->kind != TYPE_INVALID && !type_has_params(t);
}

/* A constant has a value that its type holds, rounded to it. */
static bool
const_valid(struct body *b, const struct ast_expr *e)
{
    const struct constv *r;

    return const_kind(e->cv) != CONST_UNKNOWN && final_type(e->type) &&
        !type_is_untyped(e->type) &&
        check_fits(b->c, e->cv, e->type, &r) &&
        const_kind(r) == const_kind(e->cv) &&
        const_cmp(&b->c->cctx, r, e->cv) == 0;
}

static bool
assigns(struct body *b, struct ast_expr *e, struct type *t)
{
    if (e->type == NULL || t == NULL)
        return false;
    return e->mode == MODE_NIL ? type_has_nil(t) :
                                 check_assignable(b->c, e, t, NULL);
}

static bool
is_integer_value(struct ast_expr *e)
{
    return e->type != NULL && type_is_integer(e->type);
}

/* ---- names ---------------------------------------------------------------- */

static bool
is_discard(const struct body *b, struct ast_expr *e)
{
    e = ast_unparen(e);
    return e->kind == EXPR_NAME && is_blank(b->c, e->name);
}

static bool
is_local(const struct object *o)
{
    return o->kind == OBJ_VAR && o->var_kind != VAR_PACKAGE &&
        o->var_kind != VAR_FIELD;
}

static bool
captures(const struct func_info *f, const struct object *v)
{
    for (uint32_t i = 0; i < f->ncaptures; i++)
        if (f->captures[i] == v)
            return true;
    return false;
}

/* A variable of a function outside is known to be captured, here and on the
 * way there. */
static bool
capture_valid(const struct body *b, const struct object *v)
{
    const struct func_info *f;

    for (f = b->f; f != NULL && f != v->func; f = f->outer)
        if (!v->captured || !captures(f, v))
            return false;
    return f != NULL;
}

static bool
name_valid(struct body *b, struct ast_expr *e)
{
    struct object *o = e->obj;

    if (o == NULL || o->kind == OBJ_BAD || o->kind == OBJ_LABEL ||
        o->kind == OBJ_PKGNAME)
        return false;
    if (o->kind == OBJ_VAR && !type_identical(e->type, o->type))
        return false;
    return !is_local(o) || b->f == NULL || o->func == NULL ||
        capture_valid(b, o);
}

/* Each step takes a field of what the one before it gave. */
static bool
steps_valid(struct selection *how)
{
    struct type *t = how->recv;

    for (uint32_t i = 0; i < how->nsteps; i++) {
        const struct sel_step *s = &how->steps[i];

        if (s->deref) {
            if (type_kind_of(t) != TYPE_POINTER)
                return false;
            t = type_under(t)->elem;
        }
        t = type_under(t);
        if (t->kind != TYPE_STRUCT || (uint32_t)s->field->index >= t->nvars ||
            t->vars[s->field->index] != s->field)
            return false;
        t = s->field->type;
    }
    return how->kind == SEL_FIELD ||
        (how->base != NULL && type_identical(how->base, t));
}

static bool
selector_valid(struct body *b, struct ast_expr *e)
{
    struct selection *how = e->selector.how;

    if (how == NULL) /* pkg.X */
        return name_valid(b, e);
    if (e->obj == NULL || how->obj == NULL || how->kind > SEL_METHOD_EXPR ||
        !type_identical(how->recv, e->selector.x->type))
        return false;
    if (how->kind != SEL_FIELD)
        return e->obj->kind == OBJ_FUNC && steps_valid(how) &&
            type_kind_of(e->type) == TYPE_FUNC;
    return how->nsteps > 0 && steps_valid(how) &&
        type_identical(how->steps[how->nsteps - 1].field->type, e->type);
}

/* ---- expressions ---------------------------------------------------------- */

static bool
index_valid(struct body *b, struct ast_expr *e)
{
    struct type *t = type_under(e->index.x->type);

    if (e->index.at.n != 1 || e->index.x->mode == MODE_TYPE)
        return false;
    if (t->kind == TYPE_MAP)
        return assigns(b, e->index.at.at[0], t->key) &&
            type_identical(e->type, t->elem);
    if (t->kind == TYPE_POINTER)
        t = type_under(t->elem);
    if (!is_integer_value(e->index.at.at[0]))
        return false;
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_SLICE)
        return type_identical(e->type, t->elem);
    return t->kind == TYPE_STRING && type_kind_of(e->type) == TYPE_UINT8;
}

static bool
slice_valid(const struct ast_expr *e)
{
    struct ast_expr *bound[3] = {e->slice.lo, e->slice.hi, e->slice.max};
    struct type *t = type_under(e->slice.x->type);

    for (unsigned i = 0; i < 3; i++)
        if (bound[i] != NULL && !is_integer_value(bound[i]))
            return false;
    if (t->kind == TYPE_STRING)
        return type_kind_of(e->type) == TYPE_STRING;
    if (t->kind == TYPE_POINTER)
        t = type_under(t->elem);
    return (t->kind == TYPE_SLICE || t->kind == TYPE_ARRAY) &&
        type_kind_of(e->type) == TYPE_SLICE &&
        type_identical(type_under(e->type)->elem, t->elem);
}

/* The values of a list fit the n variables, the last of which takes all that
 * is left if the list is variadic. */
static bool
list_fits(struct body *b, struct ast_exprs list, struct object **vars,
    uint32_t n, bool variadic)
{
    if (list.n == 1 && list.at[0]->mode == MODE_TUPLE) {
        uint32_t have = list.at[0]->type->nvars;

        return variadic ? have + 1 >= n : have == n;
    }
    if (variadic ? list.n + 1 < n : list.n != n)
        return false;
    for (uint32_t i = 0; i < list.n; i++) {
        struct type *t;

        if (variadic && i + 1 >= n)
            t = type_under(vars[n - 1]->type)->elem;
        else
            t = vars[i]->type;
        if (!assigns(b, list.at[i], t))
            return false;
    }
    return true;
}

static bool
call_valid(struct body *b, struct ast_expr *e)
{
    struct ast_expr *fun = e->call.fun;
    struct type *t;

    if (e->flags & AST_F_CONVERSION)
        return e->call.args.n == 1 && fun->mode == MODE_TYPE &&
            type_identical(e->type, fun->type);
    if (fun->mode == MODE_BUILTIN)
        return e->call.builtin < BUILTIN_COUNT;
    if (fun->type == NULL || type_kind_of(fun->type) != TYPE_FUNC)
        return false;
    t = type_under(fun->type);
    if (t->nvars - t->nparams > 1 ? e->mode != MODE_TUPLE :
            t->nvars == t->nparams ? e->mode != MODE_NOVALUE :
            e->mode != MODE_VALUE ||
                !type_identical(e->type, t->vars[t->nparams]->type))
        return false;
    return list_fits(b, e->call.args, t->vars, t->nparams,
        t->variadic && !(e->flags & AST_F_DOTS));
}

static bool
is_comparison(unsigned op)
{
    switch (op) {
    case TOK_EQL:
    case TOK_NEQ:
    case TOK_LSS:
    case TOK_LEQ:
    case TOK_GTR:
    case TOK_GEQ:
        return true;
    default:
        return false;
    }
}

static bool
binary_valid(struct body *b, struct ast_expr *e)
{
    struct ast_expr *x = e->binary.x, *y = e->binary.y;

    if (e->op == TOK_SHL || e->op == TOK_SHR)
        return type_identical(x->type, e->type) && is_integer_value(y);
    if (!is_comparison(e->op))
        return type_identical(x->type, e->type) &&
            type_identical(y->type, e->type);
    return type_is_bool(e->type) &&
        (assigns(b, x, y->type) || assigns(b, y, x->type));
}

static bool
unary_valid(struct ast_expr *e)
{
    struct type *t = e->unary.x->type;

    switch (e->op) {
    case TOK_AND:
        return type_kind_of(e->type) == TYPE_POINTER &&
            type_identical(type_under(e->type)->elem, t);
    case TOK_ARROW:
        return type_kind_of(t) == TYPE_CHAN &&
            type_identical(type_under(t)->elem, e->type);
    default:
        return type_identical(t, e->type);
    }
}

/* An element of a literal of a struct type. */
static bool
field_valid(struct body *b, struct type *t, struct ast_expr *e, uint32_t i)
{
    struct object *field = i < t->nvars ? t->vars[i] : NULL;

    if (e->kind == EXPR_KEYVALUE) {
        field = e->kv.key->obj;
        e = e->kv.value;
    }
    return field != NULL && (uint32_t)field->index < t->nvars &&
        t->vars[field->index] == field && assigns(b, e, field->type) &&
        expr_valid(b, e);
}

static bool
element_valid(struct body *b, struct type *t, struct ast_expr *e)
{
    if (e->kind == EXPR_KEYVALUE) {
        struct ast_expr *key = e->kv.key;

        if (!expr_valid(b, key) || (t->kind == TYPE_MAP ?
                !assigns(b, key, t->key) : key->cv == NULL))
            return false;
        e = e->kv.value;
    } else if (t->kind == TYPE_MAP) {
        return false;
    }
    return assigns(b, e, t->elem) && expr_valid(b, e);
}

static bool
literal_valid(struct body *b, struct ast_expr *e)
{
    struct type *t = e->type;

    if (e->flags & AST_F_ADDR) {
        if (type_kind_of(t) != TYPE_POINTER)
            return false;
        t = type_under(t)->elem;
    }
    t = type_under(t);
    for (uint32_t i = 0; i < e->composite.elems.n; i++) {
        struct ast_expr *x = e->composite.elems.at[i];

        if (t->kind == TYPE_STRUCT ? !field_valid(b, t, x, i) :
                !element_valid(b, t, x))
            return false;
    }
    return t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY ||
        t->kind == TYPE_SLICE || t->kind == TYPE_MAP;
}

static bool
funclit_valid(struct body *b, struct ast_expr *e)
{
    struct func_info *f = e->func->info;

    return f != NULL && f->outer == b->f && f->func == e->func &&
        type_kind_of(e->type) == TYPE_FUNC && func_valid(b, f);
}

/* What is peculiar to the node. */
static bool
node_valid(struct body *b, struct ast_expr *e)
{
    switch (e->kind) {
    case EXPR_NAME:
        return name_valid(b, e);
    case EXPR_LIT: /* is a constant */
    case EXPR_KEYVALUE:
    case EXPR_TYPEGUARD:
        return false;
    case EXPR_COMPOSITE:
        return literal_valid(b, e);
    case EXPR_FUNCLIT:
        return funclit_valid(b, e);
    case EXPR_PAREN:
        return (e->flags & AST_F_INST) != 0 || e->mode == MODE_NOVALUE ||
            type_identical(e->x->type, e->type);
    case EXPR_SELECTOR:
        return selector_valid(b, e);
    case EXPR_INDEX:
        return index_valid(b, e);
    case EXPR_SLICE:
        return slice_valid(e);
    case EXPR_ASSERT:
        return type_is_interface(e->assert_.x->type);
    case EXPR_CALL:
        return call_valid(b, e);
    case EXPR_UNARY:
        return unary_valid(e);
    case EXPR_STAR:
        return type_kind_of(e->x->type) == TYPE_POINTER &&
            type_identical(type_under(e->x->type)->elem, e->type);
    case EXPR_BINARY:
        return binary_valid(b, e);
    default:
        return false; /* types, which have their mode */
    }
}

/* Whether the operands of e are looked at with it. */
static bool
has_operands(const struct ast_expr *e)
{
    if (e->kind == EXPR_SELECTOR)
        return e->selector.how != NULL &&
            e->selector.how->kind != SEL_METHOD_EXPR;
    return e->kind != EXPR_COMPOSITE &&
        !(e->kind == EXPR_PAREN && (e->flags & AST_F_INST));
}

static bool
has_type(const struct ast_expr *e)
{
    return e->type != NULL || e->mode == MODE_NOVALUE ||
        e->mode == MODE_BUILTIN || e->mode == MODE_PACKAGE ||
        e->kind == EXPR_KEYVALUE;
}

/* Its operands have types, as far as operands have any. */
static bool
kids_typed(const struct ast_kids *k)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (!has_type(*k->at[i]))
            return false;
    for (uint32_t i = 0; k->list != NULL && i < k->list->n; i++)
        if (!has_type(k->list->at[i]))
            return false;
    return true;
}

static bool
expr_valid(struct body *b, struct ast_expr *e)
{
    while (e != NULL) {
        struct ast_kids k;

        if (e->kind == EXPR_BAD || e->kind >= EXPR_KIND_COUNT)
            return false;
        if (e->cv != NULL)
            return const_valid(b, e);
        if (e->mode == MODE_BUILTIN)
            return true;
        if (e->mode == MODE_TYPE)
            return final_type(e->type);
        if (e->mode == MODE_NIL)
            return e->type != NULL;
        if (e->mode == MODE_NONE || e->mode == MODE_CONST ||
            e->mode == MODE_PACKAGE || e->mode > MODE_TUPLE)
            return false;
        if (e->mode != MODE_NOVALUE && (!final_type(e->type) ||
                type_is_untyped(e->type) ||
                (e->type->kind == TYPE_TUPLE) != (e->mode == MODE_TUPLE)))
            return false;
        ast_kids_of(e, &k);
        if (!kids_typed(&k) || !node_valid(b, e))
            return false;
        if (!has_operands(e))
            return true;
        for (uint32_t i = 1; i < k.n; i++)
            if (!expr_valid(b, *k.at[i]))
                return false;
        for (uint32_t i = 0; k.list != NULL && i < k.list->n; i++)
            if (!expr_valid(b, k.list->at[i]))
                return false;
        e = k.n > 0 ? *k.at[0] : NULL;
    }
    return true;
}

/* ---- statements ----------------------------------------------------------- */

/* What is assigned to is a place, and a variable is known to change. */
static bool
target_valid(struct body *b, struct ast_expr *e, bool declared)
{
    if (is_discard(b, e))
        return true;
    if (!declared && e->kind == EXPR_NAME && e->obj != NULL &&
        is_local(e->obj) && !e->obj->reassigned)
        return false;
    return (e->mode == MODE_VAR || e->mode == MODE_MAPINDEX) &&
        expr_valid(b, e);
}

static bool
assign_valid(struct body *b, struct ast_stmt *s)
{
    struct ast_exprs lhs = s->assign.lhs, rhs = s->assign.rhs;

    if (s->kind == STMT_DEFINE && s->assign.objs == NULL)
        return false;
    if (rhs.n == 0 ? lhs.n != 1 || s->op == 0 :
            rhs.n != lhs.n && rhs.n != 1)
        return false;
    for (uint32_t i = 0; i < lhs.n; i++) {
        struct object *made =
            s->kind == STMT_DEFINE ? s->assign.objs[i] : NULL;

        if (made != NULL && (!is_local(made) || !final_type(made->type)))
            return false;
        if (!target_valid(b, lhs.at[i], made != NULL))
            return false;
    }
    for (uint32_t i = 0; i < rhs.n; i++) {
        if (!expr_valid(b, rhs.at[i]))
            return false;
        if (s->op == 0 && rhs.n == lhs.n && !is_discard(b, lhs.at[i]) &&
            !assigns(b, rhs.at[i], lhs.at[i]->type))
            return false;
    }
    return true;
}

static bool
return_valid(struct body *b, struct ast_stmt *s)
{
    struct type *sig = b->f->sig;

    if (s->ret.func != b->f->func)
        return false;
    if (s->ret.values.n == 0)
        return sig->nvars == sig->nparams || b->f->named_results;
    return list_fits(b, s->ret.values, sig->vars + sig->nparams,
        sig->nvars - sig->nparams, false);
}

static bool
is_condition(struct ast_expr *e)
{
    return e == NULL || (e->type != NULL && type_is_bool(e->type));
}

static bool
var_decl_valid(struct body *b, struct ast_decl *d)
{
    if (d->kind != DECL_VAR)
        return true;
    for (uint32_t i = 0; i < d->var.nname; i++)
        if (d->var.objs == NULL || d->var.objs[i] == NULL ||
            !final_type(d->var.objs[i]->type))
            return false;
    for (uint32_t i = 0; i < d->var.values.n; i++)
        if (!expr_valid(b, d->var.values.at[i]))
            return false;
    return d->var.values.n <= 1 ||
        list_fits(b, d->var.values, d->var.objs, d->var.nname, false);
}

static bool
range_valid(struct body *b, struct ast_stmt *s)
{
    struct ast_expr *place[2] = {s->range.key, s->range.value};

    if (!expr_valid(b, s->range.x))
        return false;
    for (unsigned i = 0; i < 2 && !s->range.define; i++)
        if (place[i] != NULL && !target_valid(b, place[i], false))
            return false;
    return s->range.extra == NULL;
}

static bool
select_valid(struct body *b, struct ast_stmt *s)
{
    for (uint32_t i = 0; i < s->select.ncomm; i++) {
        struct ast_comm *k = s->select.comms[i];

        if ((k->comm != NULL &&
                !stmts_valid(b, (struct ast_stmts){&k->comm, 1})) ||
            !stmts_valid(b, k->body))
            return false;
    }
    return true;
}

static bool
cases_valid(struct body *b, struct ast_stmt *s, struct ast_case **cases,
    uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < cases[i]->exprs.n; j++)
            if (!expr_valid(b, cases[i]->exprs.at[j]) ||
                (s->kind == STMT_TSWITCH &&
                    cases[i]->exprs.at[j]->mode != MODE_TYPE &&
                    cases[i]->exprs.at[j]->mode != MODE_NIL))
                return false;
        if (!stmts_valid(b, cases[i]->body))
            return false;
    }
    return true;
}

static bool
tswitch_valid(struct body *b, struct ast_stmt *s)
{
    struct ast_expr *x = s->tswitch.guard->x;

    return expr_valid(b, x) && type_is_interface(x->type) &&
        cases_valid(b, s, s->tswitch.cases, s->tswitch.ncase);
}

static bool
branch_valid(const struct ast_stmt *s)
{
    const struct ast_stmt *to = s->branch.target;

    switch (s->kind) {
    case STMT_BREAK:
        return to != NULL && (to->flags & AST_S_BREAK) &&
            (to->kind == STMT_FOR || to->kind == STMT_RANGE ||
                to->kind == STMT_SWITCH || to->kind == STMT_TSWITCH ||
                to->kind == STMT_SELECT);
    case STMT_CONTINUE:
        return to != NULL && (to->kind == STMT_FOR || to->kind == STMT_RANGE);
    case STMT_GOTO:
        return to != NULL && to->kind == STMT_LABELED;
    default:
        return true;
    }
}

/* What is peculiar to the statement, with all below it that its parts, which
 * follow, do not have. */
static bool
head_valid(struct body *b, struct ast_stmt *s, bool *whole)
{
    *whole = true;
    switch (s->kind) {
    case STMT_ASSIGN:
    case STMT_DEFINE:
        return assign_valid(b, s);
    case STMT_RANGE:
        return range_valid(b, s) && stmts_valid(b, s->range.body->stmts);
    case STMT_SELECT:
        return select_valid(b, s);
    case STMT_TSWITCH:
        return (s->tswitch.init == NULL ||
                   stmts_valid(b, (struct ast_stmts){&s->tswitch.init, 1})) &&
            tswitch_valid(b, s);
    case STMT_DECL:
        for (uint32_t i = 0; i < s->decl.decls.n; i++)
            if (!var_decl_valid(b, s->decl.decls.at[i]))
                return false;
        return true;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_GOTO:
    case STMT_FALLTHROUGH:
        return branch_valid(s);
    default:
        break;
    }
    *whole = false;
    switch (s->kind) {
    case STMT_EXPR:
        return s->x->cv == NULL && s->x->mode != MODE_TYPE;
    case STMT_GO:
    case STMT_DEFER:
        return s->x->kind == EXPR_CALL;
    case STMT_SEND:
        return s->send.chan->type != NULL &&
            type_kind_of(s->send.chan->type) == TYPE_CHAN &&
            assigns(b, s->send.value, type_under(s->send.chan->type)->elem);
    case STMT_RETURN:
        return return_valid(b, s);
    case STMT_IF:
        return s->if_.cond != NULL && is_condition(s->if_.cond);
    case STMT_FOR:
        return is_condition(s->for_.cond);
    default:
        return s->kind < STMT_KIND_COUNT;
    }
}

/* The statement without an else, which is handed out. */
static bool
stmt_valid(struct body *b, struct ast_stmt *s, struct ast_stmt **els)
{
    struct ast_parts p;
    bool whole;

    *els = NULL;
    if (!head_valid(b, s, &whole))
        return false;
    if (whole)
        return true;
    ast_parts_of(s, &p);
    if (p.init != NULL && !stmts_valid(b, (struct ast_stmts){p.init, 1}))
        return false;
    for (uint32_t i = 0; i < p.nexpr; i++)
        if (!expr_valid(b, *p.expr[i]))
            return false;
    for (uint32_t i = 0; i < p.nlist; i++)
        for (uint32_t j = 0; j < p.list[i]->n; j++)
            if (!expr_valid(b, p.list[i]->at[j]))
                return false;
    if (p.block != NULL && !stmts_valid(b, (*p.block)->stmts))
        return false;
    if (p.ncase != 0 && !cases_valid(b, s, *p.cases, p.ncase))
        return false;
    for (uint32_t i = 0; i < p.nstmt; i++) {
        if (s->kind == STMT_IF)
            *els = *p.stmt[i];
        else if (!stmts_valid(b, (struct ast_stmts){p.stmt[i], 1}))
            return false;
    }
    return true;
}

static bool
stmts_valid(struct body *b, struct ast_stmts list)
{
    for (uint32_t i = 0; i < list.n; i++)
        for (struct ast_stmt *s = list.at[i]; s != NULL;)
            if (!stmt_valid(b, s, &s))
                return false;
    return true;
}

/* ---- functions ------------------------------------------------------------ */

static bool
func_valid(struct body *b, struct func_info *f)
{
    struct func_info *outer = b->f;
    bool ok;

    if (f->func == NULL || f->func->body == NULL || f->sig == NULL ||
        f->sig->kind != TYPE_FUNC || f->pkg == NULL ||
        f->depth != (outer != NULL ? outer->depth + 1 : 0))
        return false;
    for (uint32_t i = 0; i < f->ncaptures; i++)
        if (!is_local(f->captures[i]) || !f->captures[i]->captured ||
            f->captures[i]->func == f)
            return false;
    b->f = f;
    ok = stmts_valid(b, f->func->body->stmts);
    b->f = outer;
    return ok;
}

bool
check_body_valid(struct check *c, struct func_info *f)
{
    struct body b = {c, NULL};

    return func_valid(&b, f);
}
