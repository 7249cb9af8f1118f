/* SPDX-License-Identifier: MIT */
/*
 * switch, type switch and select.
 */
#include "runtime/lang/gen/gen_hoist.h"
#include "runtime/lang/gen/gen_int.h"

#include <stdlib.h>
#include <string.h>

static void
case_body(struct gfunc *f, struct ast_stmt *s, struct ast_stmts body,
    uint32_t end)
{
    struct gtarget t = {s, end, 0, NULL};
    uint32_t m = gf_mark(f);

    gf_enter_target(f, &t);
    gf_stmts(f, body);
    gf_leave_target(f, &t);
    gf_release(f, m);
}

/* ---- expression switch ---------------------------------------------------------- */

enum { TABLE_MIN = 5, TABLE_MAX = 1024 };

/* Are all cases small integer constants close together?  Then *lo and *hi
 * bound them. */
static bool
dense(const struct gfunc *f, struct ast_stmt *s, int64_t *lo, int64_t *hi)
{
    uint32_t i, j, n = 0;
    int64_t k;

    if (s->switch_.tag == NULL || !type_is_integer(gf_type(f, s->switch_.tag)))
        return false;
    for (i = 0; i < s->switch_.ncase; i++) {
        struct ast_case *c = s->switch_.cases[i];

        for (j = 0; j < c->exprs.n; j++) {
            if (c->exprs.at[j]->cv == NULL ||
                !const_to_int64(c->exprs.at[j]->cv, &k) || k < INT32_MIN ||
                k > INT32_MAX)
                return false;
            if (n == 0 || k < *lo)
                *lo = k;
            if (n == 0 || k > *hi)
                *hi = k;
            n++;
        }
    }
    return n >= TABLE_MIN && *hi - *lo < TABLE_MAX &&
        (uint64_t)(*hi - *lo) < 3 * (uint64_t)n;
}

static void
table(struct gfunc *f, struct ast_stmt *s, int tag, const uint32_t *labels,
    uint32_t other, int64_t lo, int64_t hi)
{
    uint32_t n = (uint32_t)(hi - lo + 1), i, j;
    uint32_t *to = gen_alloc(f->g, n * sizeof *to);
    int64_t k;

    for (i = 0; i < n; i++)
        to[i] = other;
    for (i = s->switch_.ncase; i-- > 0;) {
        struct ast_case *c = s->switch_.cases[i];

        for (j = 0; j < c->exprs.n; j++) {
            const_to_int64(c->exprs.at[j]->cv, &k);
            rt_assert(lo <= k && k <= hi); /* as dense() has found */
            to[k - lo] = labels[i];
        }
    }
    gf_ai(f, OP_SWITCH, tag, n);
    gf_ext(f, 0, lo);
    for (i = 0; i < n; i++)
        gf_jump(f, to[i]);
    gf_jump(f, other);
}

static void
case_test(struct gfunc *f, struct ast_stmt *s, struct ast_expr *e, int tag,
    struct type *tt, uint32_t label)
{
    uint32_t m = gf_mark(f), h = f->hoisted.n;
    struct type *t = tt;
    int64_t k;
    int x = tag, y, c;

    rt_assert((s->switch_.tag == NULL) == (tag == NO_SLOT));
    f->pos = e->pos;
    if (s->switch_.tag == NULL) {
        gf_cond(f, e, true, label);
    } else if (e->mode == MODE_NIL) {
        gf_jump_cmp(f, OP_JEQI, tag, 0, label);
    } else if ((type_is_integer(tt) || type_is_bool(tt)) &&
        gf_small_const(f, e, &k)) {
        gf_jump_cmp(f, OP_JEQI, tag, (int)(uint16_t)k, label);
    } else {
        if (type_is_interface(gf_type(f, e)) && !type_is_interface(tt)) {
            t = gf_type(f, e);
            x = gf_temp(f, t);
            gf_to_iface(f, t, tt, x, tag);
        }
        gf_hoist1(f, e);
        y = gf_expr_as(f, e, t);
        if (type_is_string(t)) {
            gf_jump_cmp(f, OP_JEQS, x, y, label);
        } else if (type_kind_of(t) == TYPE_FLOAT64) {
            gf_jump_cmp(f, OP_JEQF, x, y, label);
        } else if (type_is_integer(t) || type_is_pointer_shaped(t)) {
            gf_jump_cmp(f, OP_JEQ, x, y, label);
        } else {
            c = gf_temp_int(f);
            gf_equal_slots(f, t, c, x, y, false);
            gf_jump_if(f, c, true, label);
        }
    }
    f->hoisted.n = h;
    gf_release(f, m);
}

/* Is every case a constant, so that nothing runs until one is chosen? */
static bool
all_const(const struct ast_stmt *s)
{
    uint32_t i, j;

    for (i = 0; i < s->switch_.ncase; i++)
        for (j = 0; j < s->switch_.cases[i]->exprs.n; j++)
            if (s->switch_.cases[i]->exprs.at[j]->cv == NULL)
                return false;
    return true;
}

static int
switch_tag(struct gfunc *f, struct ast_stmt *s, struct type *t)
{
    int tag;

    if (gf_views_operand(f, s->switch_.tag) && all_const(s))
        return gf_view(f, s->switch_.tag);
    tag = gf_temp(f, t);
    gf_whole_to(f, s->switch_.tag, tag);
    return tag;
}

void
gf_switch(struct gfunc *f, struct ast_stmt *s)
{
    uint32_t m = gf_mark(f), n = s->switch_.ncase, i, j;
    uint32_t end = gf_label(f), other = end;
    uint32_t *labels = gen_alloc(f->g, (n + 1) * sizeof *labels);
    struct type *tt = NULL;
    int tag = NO_SLOT;
    int64_t lo = 0, hi = 0;

    if (s->switch_.init != NULL)
        gf_stmt(f, s->switch_.init);
    if (s->switch_.tag != NULL) {
        tt = gf_type(f, s->switch_.tag);
        tag = switch_tag(f, s, tt);
    }
    for (i = 0; i < n; i++) {
        labels[i] = gf_label(f);
        if (s->switch_.cases[i]->is_default)
            other = labels[i];
    }
    if (dense(f, s, &lo, &hi)) {
        table(f, s, tag, labels, other, lo, hi);
    } else {
        for (i = 0; i < n; i++)
            for (j = 0; j < s->switch_.cases[i]->exprs.n; j++)
                case_test(f, s, s->switch_.cases[i]->exprs.at[j], tag, tt,
                    labels[i]);
        gf_jump(f, other);
    }
    for (i = 0; i < n; i++) {
        struct ast_case *c = s->switch_.cases[i];
        bool falls = c->body.n > 0 &&
            c->body.at[c->body.n - 1]->kind == STMT_FALLTHROUGH;

        gf_place(f, labels[i]);
        case_body(f, s, c->body, end);
        if (!falls && i + 1 < n)
            gf_jump(f, end);
    }
    gf_place(f, end);
    gf_release(f, m);
}

/* ---- type switch ---------------------------------------------------------------------- */

static void
type_test(struct gfunc *f, struct ast_expr *e, int x, uint32_t label)
{
    uint32_t m = gf_mark(f);
    int t;

    f->pos = e->pos;
    if (e->mode == MODE_NIL) {
        gf_jump_cmp(f, OP_JEQI, x, 0, label);
    } else if (type_is_interface(gf_type(f, e))) {
        t = gf_temp_int(f);
        gf_abc(f, OP_ASSERTIOK, CODE_NO_SLOT, x, t);
        gf_ext(f, 0, gen_type(f->g, gf_type(f, e)));
        gf_jump_if(f, t, true, label);
    } else {
        t = gf_temp_int(f);
        gf_ai(f, OP_LDTYPE, t, gen_type(f->g, gf_type(f, e)));
        gf_jump_cmp(f, OP_JEQ, x, t, label);
    }
    gf_release(f, m);
}

/* The symbol of `switch v := x.(type)` in one clause. */
static void
bind_case(struct gfunc *f, struct ast_case *c, int x)
{
    struct object *v = c->obj;
    struct place p;
    uint32_t m;
    int s;

    if (v == NULL)
        return;
    gf_declare(f, v, false);
    p = gf_var_place(f, v);
    m = gf_mark(f);
    if (type_is_interface(gf_obj_type(f, v))) {
        s = x;
    } else if (type_is_pointer_shaped(gf_obj_type(f, v))) {
        s = x + 1;
    } else if (type_size(gf_obj_type(f, v)) == 0) {
        s = gf_temp(f, gf_obj_type(f, v));
    } else {
        struct place boxed = gf_mem_place(x + 1, 0, gf_obj_type(f, v));

        boxed.sure = true;
        gf_copy(f, &p, &boxed);
        gf_release(f, m);
        return;
    }
    gf_store(f, &p, s);
    gf_release(f, m);
}

void
gf_tswitch(struct gfunc *f, struct ast_stmt *s)
{
    uint32_t m = gf_mark(f), n = s->tswitch.ncase, i, j, m2;
    uint32_t end = gf_label(f), other = end;
    uint32_t *labels = gen_alloc(f->g, (n + 1) * sizeof *labels);
    struct ast_expr *g = s->tswitch.guard;
    int x;

    if (s->tswitch.init != NULL)
        gf_stmt(f, s->tswitch.init);
    g = g->kind == EXPR_TYPEGUARD ? g->x : g;
    x = gf_temp(f, gf_type(f, g));
    gf_whole_to(f, g, x);
    for (i = 0; i < n; i++) {
        labels[i] = gf_label(f);
        if (s->tswitch.cases[i]->is_default)
            other = labels[i];
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < s->tswitch.cases[i]->exprs.n; j++)
            type_test(f, s->tswitch.cases[i]->exprs.at[j], x, labels[i]);
    gf_jump(f, other);
    for (i = 0; i < n; i++) {
        struct ast_case *c = s->tswitch.cases[i];

        gf_place(f, labels[i]);
        m2 = gf_mark(f);
        f->pos = c->pos;
        bind_case(f, c, x);
        case_body(f, s, c->body, end);
        gf_release(f, m2);
        if (i + 1 < n)
            gf_jump(f, end);
    }
    gf_place(f, end);
    gf_release(f, m);
}

/* ---- select ---------------------------------------------------------------------------- */

struct comm {
    struct ast_expr *recv; /* the <-c of a receive */
    int chan, val;
    struct type *ct;
};

static struct ast_expr *
receive_of(struct ast_stmt *c)
{
    if (c->kind == STMT_EXPR)
        return ast_unparen(c->x);
    return ast_unparen(c->assign.rhs.at[0]);
}

static void
prepare_comm(struct gfunc *f, struct ast_comm *c, struct comm *o)
{
    struct ast_stmt *st = c->comm;
    struct type *et;
    uint32_t h = f->hoisted.n;
    int v;

    f->pos = c->pos;
    if (st->kind == STMT_SEND) {
        struct ast_exprs chan = {&st->send.chan, 1};
        struct ast_exprs value = {&st->send.value, 1};

        gf_hoist(f, chan, value);
        o->ct = gf_type(f, st->send.chan);
        et = type_under(o->ct)->elem;
        o->chan = gf_temp(f, o->ct);
        gf_expr_to(f, st->send.chan, o->chan);
        v = gf_expr_as(f, st->send.value, et);
        o->val = gf_temp(f, et);
        gf_move(f, o->val, v, type_slots(et));
        f->hoisted.n = h;
        return;
    }
    o->recv = receive_of(st);
    rt_assert(o->recv->kind == EXPR_UNARY && o->recv->op == TOK_ARROW);
    o->ct = gf_type(f, o->recv->unary.x);
    et = type_under(o->ct)->elem;
    o->chan = gf_temp(f, o->ct);
    gf_whole_to(f, o->recv->unary.x, o->chan);
    o->val = gf_temp(f, et);
}

/* v, ok = <-c or := in the chosen clause: the value is in o->val. */
static void
finish_comm(struct gfunc *f, struct ast_comm *c, struct comm *o)
{
    struct ast_stmt *st = c->comm;
    struct type_table *tt = &f->g->c->types;
    struct type *et = type_under(o->ct)->elem;
    uint32_t i;
    int from[2];

    if (st->kind != STMT_ASSIGN && st->kind != STMT_DEFINE)
        return;
    rt_assert(o->recv != NULL && st->assign.lhs.n <= 2);
    f->pos = st->pos;
    from[0] = o->val;
    if (st->assign.lhs.n > 1) {
        from[1] = gf_temp_int(f);
        gf_abc(f, OP_RECVOK, from[1], 0, 0);
    }
    for (i = 0; i < st->assign.lhs.n; i++) {
        struct ast_expr *l = ast_unparen(st->assign.lhs.at[i]);
        struct type *t = i == 0 ? et : &tt->basic[TYPE_BOOL];
        struct place p = {0};
        int s = from[i];

        if (st->kind == STMT_DEFINE && st->assign.objs[i] != NULL) {
            struct object *v = st->assign.objs[i];

            if (v->name == NULL || strcmp(v->name->text, "_") == 0)
                continue;
            gf_declare(f, v, false);
            p = gf_var_place(f, v);
            gf_store(f, &p, s);
            continue;
        }
        if (l->kind == EXPR_NAME && strcmp(l->name->text, "_") == 0)
            continue;
        p = gf_place_of(f, l);
        if (type_is_interface(p.type) && !type_is_interface(t)) {
            s = gf_temp(f, p.type);
            gf_to_iface(f, p.type, t, s, from[i]);
        }
        gf_store(f, &p, s);
    }
}

void
gf_select(struct gfunc *f, struct ast_stmt *s)
{
    uint32_t m = gf_mark(f), n = s->select.ncomm, i, k = 0, m2;
    uint32_t end = gf_label(f), other = end;
    uint32_t *labels = gen_alloc(f->g, (n + 1) * sizeof *labels);
    struct comm *cs = gen_alloc(f->g, (n + 1) * sizeof *cs);
    bool has_default = false;
    int idx;

    for (i = 0; i < n; i++) {
        labels[i] = gf_label(f);
        if (s->select.comms[i]->comm == NULL) {
            has_default = true;
            other = labels[i];
        } else {
            prepare_comm(f, s->select.comms[i], &cs[i]);
            k++;
        }
    }
    f->pos = s->pos;
    gf_abc(f, OP_SELECT, 0, (int)k, has_default);
    for (i = 0; i < n; i++) {
        if (s->select.comms[i]->comm == NULL)
            continue;
        gf_ext(f, cs[i].chan, cs[i].recv == NULL);
        gf_ext(f, type_size(type_under(cs[i].ct)->elem) == 0 ?
            CODE_NO_SLOT : cs[i].val, gen_type(f->g, cs[i].ct));
    }
    idx = gf_temp_int(f);
    gf_abc(f, OP_SELIDX, idx, 0, 0);
    for (i = 0, k = 0; i < n; i++)
        if (s->select.comms[i]->comm != NULL)
            gf_jump_cmp(f, OP_JEQI, idx, (int)k++, labels[i]);
    gf_jump(f, other);
    for (i = 0; i < n; i++) {
        struct ast_comm *c = s->select.comms[i];

        gf_place(f, labels[i]);
        m2 = gf_mark(f);
        f->pos = c->pos;
        if (c->comm != NULL)
            finish_comm(f, c, &cs[i]);
        case_body(f, s, c->body, end);
        gf_release(f, m2);
        if (i + 1 < n)
            gf_jump(f, end);
    }
    gf_place(f, end);
    gf_release(f, m);
}
