/* SPDX-License-Identifier: MIT */
/*
 * Statements but assignments, loops and switches.
 */
#include "runtime/lang/gen/gen_hoist.h"
#include "runtime/lang/gen/gen_int.h"

#include <string.h>

void
gf_stmts(struct gfunc *f, struct ast_stmts list)
{
    uint32_t i;

    for (i = 0; i < list.n && !f->g->failed; i++)
        gf_stmt(f, list.at[i]);
}

void
gf_block(struct gfunc *f, struct ast_block *b)
{
    uint32_t m = gf_mark(f);

    gf_stmts(f, b->stmts);
    gf_release(f, m);
}

/* ---- return ------------------------------------------------------------------ */

static void
ret_slots(struct gfunc *f, int s, uint32_t n)
{
    gf_cells_end(f);
    if (n == 0)
        gf_abc(f, OP_RET, 0, 0, 0);
    else if (n == 1)
        gf_abc(f, OP_RET1, s, 0, 0);
    else if (n == 2)
        gf_abc(f, OP_RET2, s, 0, 0);
    else
        gf_abc(f, OP_RETN, s, (int)n, 0);
}

/* Results are in their variables: run the defers and return. */
void
gf_return_now(struct gfunc *f)
{
    uint32_t i, m = gf_mark(f);
    int base, at;

    if (f->has_defer) {
        base = gf_call_base(f);
        gf_need(f, base);
        gf_abc(f, OP_RUNDEFER, base, 0, 0);
    }
    if (f->nresults == 1) {
        struct place p = gf_result_place(f, 0);

        ret_slots(f, gf_load_temp(f, &p), type_slots(p.type));
        gf_release(f, m);
        return;
    }
    base = gf_call_base(f);
    at = base;
    for (i = 0; i < f->nresults; i++) {
        struct place p = gf_result_place(f, i);
        uint32_t n = type_slots(p.type);

        gf_need(f, at + (int)n);
        gf_load(f, &p, at);
        at += (int)n;
    }
    ret_slots(f, base, (uint32_t)(at - base));
    gf_release(f, m);
}

struct place
gf_result_place(struct gfunc *f, uint32_t i)
{
    struct object *v = f->results[i];
    struct place p = {0};

    p.type = gf_obj_type(f, v);
    p.slot = gf_var_slot(v);
    p.kind = gf_var_on_heap(f, v) ? PLACE_MEM : PLACE_SLOT;
    return p;
}

static struct type *
result_type(struct gfunc *f, uint32_t i)
{
    return f->sig->vars[f->sig->nparams + i]->type;
}

static bool
same_types(struct gfunc *f, struct type *tuple)
{
    uint32_t i;

    for (i = 0; i < tuple->nvars; i++)
        if (type_is_interface(result_type(f, i)) !=
            type_is_interface(tuple->vars[i]->type))
            return false;
    return true;
}

/* Values straight to the caller: no result variables. */
static void
return_values(struct gfunc *f, struct ast_exprs v)
{
    uint32_t i, m = gf_mark(f);
    int *slots = gen_alloc(f->g, (f->nresults + 1) * sizeof *slots);
    int base, at;

    if (f->nresults == 1) {
        int s = gf_expr_as(f, v.at[0], result_type(f, 0));

        ret_slots(f, s, type_slots(result_type(f, 0)));
        gf_release(f, m);
        return;
    }
    if (v.n == 1) {
        struct ast_expr *x = ast_unparen(v.at[0]);

        if (same_types(f, gf_type(f, x))) {
            base = gf_call(f, x, false);
            ret_slots(f, base, f->nres);
            gf_release(f, m);
            return;
        }
        gf_call_tuple(f, x, slots);
        for (i = 0; i < f->nresults; i++) {
            struct type *from = gf_type(f, x)->vars[i]->type, *to;

            to = result_type(f, i);
            if (type_is_interface(to) && !type_is_interface(from)) {
                int t = gf_temp(f, to);

                gf_to_iface(f, to, from, t, slots[i]);
                slots[i] = t;
            }
        }
    } else {
        for (i = 0; i < v.n; i++)
            slots[i] = gf_expr_as(f, v.at[i], result_type(f, i));
    }
    base = gf_call_base(f);
    at = base;
    for (i = 0; i < f->nresults; i++) {
        uint32_t n = type_slots(result_type(f, i));

        gf_need(f, at + (int)n);
        gf_move(f, at, slots[i], n);
        at += (int)n;
    }
    ret_slots(f, base, (uint32_t)(at - base));
    gf_release(f, m);
}

/*
 * Stores what is returned in the result variables.  One that returns itself
 * is left alone: to write it would be a race with whoever reads it, which the
 * program does not have.
 */
static void
store_results(struct gfunc *f, struct ast_exprs v)
{
    struct place *ps = gen_alloc(f->g, f->nresults * sizeof *ps);
    struct ast_exprs rest = {gen_alloc(f->g, v.n * sizeof *v.at), 0};
    uint32_t i, n = 0;

    for (i = 0; i < f->nresults; i++) {
        struct ast_expr *x = v.n == f->nresults ? ast_unparen(v.at[i]) : NULL;

        if (x != NULL && x->kind == EXPR_NAME && x->obj == f->results[i])
            continue;
        ps[n++] = gf_result_place(f, i);
        if (x != NULL)
            rest.at[rest.n++] = v.at[i];
    }
    rt_assert(v.n != f->nresults || rest.n == n);
    if (n > 0)
        gf_assign_values(f, ps, n, v.n == f->nresults ? rest : v);
}

void
gf_return(struct gfunc *f, struct ast_stmt *s)
{
    struct ast_exprs v = s->ret.values, none = {NULL, 0};
    uint32_t h = f->hoisted.n, m = gf_mark(f);

    f->pos = s->pos;
    if (f->range != NULL && gf_range_return(f, s))
        return;
    if (v.n == 0) {
        gf_return_now(f);
        return;
    }
    if (v.n == f->nresults)
        gf_hoist(f, v, none);
    if (!f->results_mem) {
        return_values(f, v);
    } else {
        store_results(f, v);
        f->pos = s->pos;
        gf_return_now(f);
    }
    f->hoisted.n = h;
    gf_release(f, m);
}

/* ---- control ------------------------------------------------------------------------ */

/* Whether a condition is false whatever the program does. */
static bool
is_never(struct ast_expr *e)
{
    e = ast_unparen(e);
    if (e->cv != NULL)
        return !const_bool_val(e->cv);
    return e->kind == EXPR_BINARY && e->op == TOK_ANDAND &&
        is_never(e->binary.x);
}

static void
if_stmt(struct gfunc *f, struct ast_stmt *s)
{
    uint32_t end = gf_label(f), m = gf_mark(f), els;

    /* else-if chains may be as long as the file: a loop, not recursion. */
    for (;;) {
        if (s->if_.init != NULL)
            gf_stmt(f, s->if_.init);
        els = gf_label(f);
        f->pos = s->pos;
        /* What is for other builds is not there at all. */
        bool dead = is_never(s->if_.cond);
        if (!dead) {
            gf_cond(f, s->if_.cond, false, els);
            gf_block(f, s->if_.then);
        }
        if (s->if_.els == NULL) {
            gf_place(f, els);
            break;
        }
        if (!dead)
            gf_jump(f, end);
        gf_place(f, els);
        if (s->if_.els->kind != STMT_IF) {
            gf_stmt(f, s->if_.els);
            break;
        }
        s = s->if_.els;
    }
    gf_place(f, end);
    gf_release(f, m);
}

static uint32_t
goto_label(struct gfunc *f, struct ast_stmt *labeled)
{
    uint64_t key = (uint64_t)(uintptr_t)labeled;
    uint32_t label;

    if (gmap_get(&f->gotos, key, &label))
        return label;
    label = gf_label(f);
    gmap_put(f->g, &f->gotos, key, label);
    return label;
}

/* What the labels of a target are found by in f->gotos; those of goto are
 * labeled statements, which are no targets. */
static uint64_t
target_key(const struct ast_stmt *target, bool cont)
{
    return (uint64_t)(uintptr_t)target + cont;
}

void
gf_enter_target(struct gfunc *f, struct gtarget *t)
{
    t->up = f->targets;
    f->targets = t;
    gmap_put(f->g, &f->gotos, target_key(t->stmt, false), t->brk);
    gmap_put(f->g, &f->gotos, target_key(t->stmt, true), t->cont);
}

void
gf_leave_target(struct gfunc *f, const struct gtarget *t)
{
    rt_assert(f->targets == t);
    f->targets = t->up;
}

bool
gf_has_target(const struct gfunc *f, const struct ast_stmt *target)
{
    uint32_t label;

    return gmap_get(&f->gotos, target_key(target, false), &label);
}

void
gf_exit_to(struct gfunc *f, int kind, struct ast_stmt *target)
{
    uint32_t label;

    if (kind == STMT_GOTO)
        gf_jump(f, goto_label(f, target));
    else if (gmap_get(&f->gotos, target_key(target, kind != STMT_BREAK),
                 &label))
        gf_jump(f, label);
    else
        gen_errorf(f->g, f->pos, "vole: branch without a target");
}

static void
branch(struct gfunc *f, struct ast_stmt *s)
{
    f->pos = s->pos;
    if (f->range != NULL && gf_range_branch(f, s))
        return;
    gf_exit_to(f, s->kind, s->branch.target);
}

static void
decl_stmt(struct gfunc *f, struct ast_stmt *s)
{
    uint32_t i;

    for (i = 0; i < s->decl.decls.n; i++)
        if (s->decl.decls.at[i]->kind == DECL_VAR)
            gf_var_decl(f, s->decl.decls.at[i]);
}

static void
send_stmt(struct gfunc *f, struct ast_stmt *s)
{
    struct type *ct = gf_type(f, s->send.chan);
    int c, v, t;
    struct type *et = type_under(ct)->elem;
    struct ast_exprs chan = {&s->send.chan, 1}, value = {&s->send.value, 1};
    uint32_t h = f->hoisted.n;

    gf_hoist(f, chan, value);
    c = gf_expr(f, s->send.chan);
    v = gf_expr_as(f, s->send.value, et);
    /* A copy: a receiver reads it while we are parked. */
    t = gf_temp(f, et);
    gf_move(f, t, v, type_slots(et));
    f->pos = s->pos;
    gf_abc(f, OP_CHANSEND, 0, c, t);
    gf_ext(f, 0, gen_type(f->g, ct));
    f->hoisted.n = h;
}

void
gf_stmt(struct gfunc *f, struct ast_stmt *s)
{
    uint32_t m;

    f->pos = s->pos;
    switch (s->kind) {
    case STMT_EMPTY:
        break;
    case STMT_EXPR:
        gf_expr_discard(f, s->x);
        break;
    case STMT_SEND:
        m = gf_mark(f);
        send_stmt(f, s);
        gf_release(f, m);
        break;
    case STMT_ASSIGN:
        gf_assign(f, s);
        break;
    case STMT_DEFINE:
        gf_define(f, s);
        break;
    case STMT_GO:
        gf_go(f, s);
        break;
    case STMT_DEFER:
        gf_defer(f, s);
        break;
    case STMT_RETURN:
        gf_return(f, s);
        break;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_GOTO:
        branch(f, s);
        break;
    case STMT_FALLTHROUGH:
        break; /* gf_switch() knows by ast_case.falls */
    case STMT_BLOCK:
        gf_block(f, s->block);
        break;
    case STMT_IF:
        if_stmt(f, s);
        break;
    case STMT_SWITCH:
        gf_switch(f, s);
        break;
    case STMT_TSWITCH:
        gf_tswitch(f, s);
        break;
    case STMT_SELECT:
        gf_select(f, s);
        break;
    case STMT_FOR:
        gf_for(f, s);
        break;
    case STMT_RANGE:
        gf_range(f, s);
        break;
    case STMT_LABELED:
        gf_place(f, goto_label(f, s));
        gf_stmt(f, s->labeled.stmt);
        break;
    case STMT_DECL:
        decl_stmt(f, s);
        break;
    default:
        break;
    }
}
