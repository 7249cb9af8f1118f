/* SPDX-License-Identifier: MIT */
/*
 * for and range.  Loops are tested at the bottom; the test at the entry is a
 * copy of the condition where that is cheap.
 */
#include "runtime/lang/gen/gen_hoist.h"
#include "runtime/lang/gen/gen_int.h"

#include <string.h>

static void
loop_body(struct gfunc *f, struct ast_stmt *s, struct ast_block *b,
    uint32_t brk, uint32_t cont)
{
    struct gtarget t = {s, brk, cont, NULL};

    gf_enter_target(f, &t);
    gf_block(f, b);
    gf_leave_target(f, &t);
}

/* ---- three-clause loops ------------------------------------------------------- */

static struct object *
local_int_var(const struct gfunc *f, struct ast_expr *e)
{
    struct object *v;
    enum type_kind k;

    e = ast_unparen(e);
    if (e->kind != EXPR_NAME || e->cv != NULL || e->obj == NULL ||
        e->obj->kind != OBJ_VAR)
        return NULL;
    v = e->obj;
    if (v->var_kind == VAR_PACKAGE || gf_var_on_heap(f, v))
        return NULL;
    k = type_kind_of(gf_obj_type(f, v));
    return k == TYPE_INT || k == TYPE_INT64 ? v : NULL;
}

/* Is it `i < x` with `i++` behind it, i an int in the frame? */
static struct object *
counted(const struct gfunc *f, struct ast_stmt *s)
{
    struct ast_expr *c;
    struct ast_stmt *p = s->for_.post;
    struct object *v;

    if (s->for_.cond == NULL || p == NULL || p->kind != STMT_ASSIGN ||
        p->op != TOK_ADD || p->assign.rhs.n != 0)
        return NULL;
    c = ast_unparen(s->for_.cond);
    if (c->kind != EXPR_BINARY || c->op != TOK_LSS || c->cv != NULL)
        return NULL;
    v = local_int_var(f, c->binary.x);
    if (v == NULL || v != local_int_var(f, p->assign.lhs.at[0]) ||
        expr_may_call(c->binary.y))
        return NULL;
    return v;
}

static void
bottom_counted(struct gfunc *f, struct ast_stmt *s, struct object *v,
    uint32_t body)
{
    struct ast_expr *y = ast_unparen(s->for_.cond)->binary.y;
    uint32_t m = gf_mark(f);
    int slot = gf_var_slot(v);
    int64_t k;

    /* FORLT counts in the frame, and in 64 bits. */
    rt_assert(!gf_var_on_heap(f, v) && type_size(gf_obj_type(f, v)) == 8);
    f->pos = s->for_.post->pos;
    if (gf_small_const(f, y, &k))
        gf_jump_cmp(f, OP_FORLTI, slot, (int)(uint16_t)k, body);
    else
        gf_jump_cmp(f, OP_FORLT, slot, gf_expr(f, y), body);
    gf_release(f, m);
}

void
gf_for(struct gfunc *f, struct ast_stmt *s)
{
    uint32_t m = gf_mark(f);
    uint32_t body = gf_label(f), cont = gf_label(f), test = gf_label(f);
    uint32_t end = gf_label(f), i, depth = f->loop_depth;
    struct ast_expr *cond = s->for_.cond;
    struct object *v;
    bool copy;

    if (s->for_.init != NULL)
        gf_stmt(f, s->for_.init);
    v = counted(f, s);
    copy = cond != NULL && !expr_may_call(cond);
    f->loop_depth++;
    f->pos = s->pos;
    if (copy)
        gf_cond(f, cond, false, end);
    else if (cond != NULL)
        gf_jump(f, test);
    gf_place(f, body);
    loop_body(f, s, s->for_.body, end, cont);
    gf_place(f, cont);
    for (i = 0; i < s->for_.nvar; i++)
        if (s->for_.vars[i] != NULL && s->for_.vars[i]->gen != 0)
            gf_fresh_copy(f, s->for_.vars[i]);
    if (v != NULL) {
        bottom_counted(f, s, v, body);
    } else {
        if (s->for_.post != NULL)
            gf_stmt(f, s->for_.post);
        gf_place(f, test);
        f->pos = s->pos;
        if (cond == NULL)
            gf_jump(f, body);
        else
            gf_cond(f, cond, true, body);
    }
    f->loop_depth--;
    rt_assert(f->loop_depth == depth); /* all loops inside have ended */
    gf_place(f, end);
    if (!gf_placed(f, test))
        gf_place(f, test);
    gf_release(f, m);
}

/* ---- range ------------------------------------------------------------------------- */

static bool
wanted(struct ast_expr *e)
{
    if (e == NULL)
        return false;
    e = ast_unparen(e);
    return !(e->kind == EXPR_NAME && strcmp(e->name->text, "_") == 0);
}

/* Is there one variable for all iterations, which matters? */
static bool
is_shared(const struct gfunc *f, const struct ast_stmt *s, struct object *v)
{
    return (s->flags & AST_S_SHARED) != 0 && v != NULL &&
        gf_var_on_heap(f, v);
}

/* `for k, v := range`: a variable of this iteration. */
static void
bind_new(struct gfunc *f, const struct ast_stmt *s, struct object *v, int slot)
{
    struct place p;

    if (v == NULL)
        return;
    if (is_shared(f, s, v)) {
        p = gf_var_place(f, v);
        gf_store(f, &p, slot);
        return;
    }
    if (!gf_var_on_heap(f, v) && !v->reassigned &&
        type_slots(gf_obj_type(f, v)) != 0) {
        /* The hidden slot is the variable. */
        *gvec_push(f->g, &f->var_objs) = v;
        v->gen = (uint64_t)slot + 1;
        return;
    }
    gf_declare(f, v, false);
    p = gf_var_place(f, v);
    gf_store(f, &p, slot);
}

static void
store_old(struct gfunc *f, const struct place *p, struct type *t, int slot)
{
    uint32_t m = gf_mark(f);

    if (p->kind != PLACE_BLANK && type_is_interface(p->type) &&
        !type_is_interface(t)) {
        int u = gf_temp(f, p->type);

        gf_to_iface(f, p->type, t, u, slot);
        slot = u;
    }
    gf_store(f, p, slot);
    gf_release(f, m);
}

/*
 * Gives this iteration's values to key and value; a slot of NO_SLOT: there is
 * none.  With = both places are found before either is assigned.
 */
static void
bind(struct gfunc *f, struct ast_stmt *s, struct type *kt, int k,
    struct type *vt, int v)
{
    struct place kp = {0}, vp = {0};
    uint32_t m;

    if (!wanted(s->range.key))
        k = NO_SLOT;
    if (!wanted(s->range.value))
        v = NO_SLOT;
    if (s->range.define) {
        if (k != NO_SLOT)
            bind_new(f, s, s->range.kobj, k);
        if (v != NO_SLOT)
            bind_new(f, s, s->range.vobj, v);
        return;
    }
    rt_assert(k == NO_SLOT || kt != NULL);
    rt_assert(v == NO_SLOT || vt != NULL);
    m = gf_mark(f);
    if (k != NO_SLOT)
        kp = gf_later_place(f, s->range.key, true);
    if (v != NO_SLOT)
        vp = gf_later_place(f, s->range.value, true);
    if (k != NO_SLOT)
        store_old(f, &kp, kt, k);
    if (v != NO_SLOT)
        store_old(f, &vp, vt, v);
    gf_release(f, m);
}

/* A large value that lies in memory and has a new variable there: copied as
 * a whole. */
static bool
bind_memory(struct gfunc *f, struct ast_stmt *s, const struct place *elem)
{
    struct object *v = s->range.vobj;
    struct place p;

    if (!s->range.define || v == NULL || !gf_var_on_heap(f, v) ||
        type_slots(gf_obj_type(f, v)) <= 4)
        return false;
    if (!is_shared(f, s, v))
        gf_declare(f, v, false);
    p = gf_var_place(f, v);
    gf_copy(f, &p, elem);
    return true;
}

struct labels {
    uint32_t body, cont, end;
};

static struct labels
new_labels(struct gfunc *f)
{
    struct labels l;

    l.body = gf_label(f);
    l.cont = gf_label(f);
    l.end = gf_label(f);
    return l;
}

static void
range_int(struct gfunc *f, struct ast_stmt *s)
{
    struct labels l = new_labels(f);
    struct ast_expr *x = s->range.x;
    struct type *t = gf_type(f, x);
    int n = NO_SLOT, h;
    uint32_t m;
    int64_t k = 0;
    bool small = gf_small_const(f, x, &k);

    if (s->range.kobj != NULL)
        t = gf_obj_type(f, s->range.kobj);
    rt_assert(type_is_integer(t));
    if (!small) {
        /* A copy: the body may assign the variable. */
        n = gf_temp(f, t);
        gf_expr_to(f, x, n);
    }
    h = gf_temp(f, t);
    gf_ai(f, OP_LDI, h, 0);
    if (small) {
        if (k <= 0)
            gf_jump(f, l.end);
    } else {
        gf_jump_cmp(f, type_is_unsigned(t) ? OP_JULE : OP_JLE, n, h, l.end);
    }
    gf_place(f, l.body);
    m = gf_mark(f);
    bind(f, s, t, h, NULL, NO_SLOT);
    loop_body(f, s, s->range.body, l.end, l.cont);
    gf_release(f, m);
    gf_place(f, l.cont);
    f->pos = s->pos;
    if (small) {
        gf_jump_cmp(f, OP_FORLTI, h, (int)(uint16_t)k, l.body);
    } else if (type_is_unsigned(t)) {
        gf_abc(f, OP_ADDI, h, h, 1);
        gf_jump_cmp(f, OP_JULT, h, n, l.body);
    } else {
        gf_jump_cmp(f, OP_FORLT, h, n, l.body);
    }
    gf_place(f, l.end);
}

static void
range_slice(struct gfunc *f, struct ast_stmt *s)
{
    struct labels l = new_labels(f);
    struct type *it = &f->g->c->types.basic[TYPE_INT];
    struct type *et = type_under(gf_type(f, s->range.x))->elem;
    struct place p = {0};
    static const enum code_slot_kind kinds[2] = {CODE_POINTER, CODE_SCALAR};
    int sl = gf_temp_kinds(f, kinds, 2), h, v;
    uint32_t m;

    m = gf_mark(f);
    v = gf_view(f, s->range.x); /* the bytes of a string do not change */
    gf_move(f, sl, v, 2);
    gf_release(f, m);
    h = gf_temp_int(f);
    gf_ai(f, OP_LDI, h, 0);
    f->pos = s->pos;
    gf_jump_cmp(f, OP_JLEI, sl + 1, 0, l.end);
    gf_place(f, l.body);
    m = gf_mark(f);
    v = NO_SLOT;
    if (wanted(s->range.value)) {
        p.kind = PLACE_ELEM;
        p.slot = sl;
        p.idx = h;
        p.type = et;
        if (!bind_memory(f, s, &p)) {
            v = gf_temp(f, et);
            gf_load(f, &p, v);
        }
    }
    bind(f, s, it, h, et, v);
    loop_body(f, s, s->range.body, l.end, l.cont);
    gf_release(f, m);
    gf_place(f, l.cont);
    f->pos = s->pos;
    gf_jump_cmp(f, OP_FORLT, h, sl + 1, l.body);
    gf_place(f, l.end);
}

/* Arrays and pointers to arrays. */
static void
range_array(struct gfunc *f, struct ast_stmt *s)
{
    struct labels l = new_labels(f);
    struct type *it = &f->g->c->types.basic[TYPE_INT];
    struct ast_expr *x = s->range.x;
    struct type *xt = type_under(gf_type(f, x)), *at = xt;
    struct place p = {0};
    int h, v, len;
    uint32_t m;
    bool value = wanted(s->range.value);

    if (xt->kind == TYPE_POINTER)
        at = type_under(xt->elem);
    rt_assert(at->kind == TYPE_ARRAY && at->len >= 0);
    if (xt->kind == TYPE_POINTER) {
        if (value || expr_may_call(x)) {
            int ptr = gf_temp_ptr(f);

            gf_expr_to(f, x, ptr);
            p.slot = ptr;
        }
    } else if (value) {
        /* The range is over a copy of the array. */
        int ptr = gf_temp_ptr(f);
        struct place q = gf_mem_place(ptr, 0, gf_type(f, x));

        gf_new(f, gf_type(f, x), HOME_CELL, ptr);
        gf_assign_expr(f, &q, x);
        p.slot = ptr;
    } else if (expr_may_call(x)) {
        gf_expr_discard(f, x);
    }
    p.kind = PLACE_PIDX;
    p.type = at->elem;
    h = gf_temp_int(f);
    len = gf_temp_int(f);
    gf_ai(f, OP_LDI, h, 0);
    gf_load_const(f, len, (uint64_t)at->len);
    f->pos = s->pos;
    gf_jump_cmp(f, OP_JLEI, len, 0, l.end);
    gf_place(f, l.body);
    m = gf_mark(f);
    v = NO_SLOT;
    if (value) {
        p.idx = h;
        if (!bind_memory(f, s, &p)) {
            v = gf_temp(f, at->elem);
            gf_load(f, &p, v);
        }
    }
    bind(f, s, it, h, at->elem, v);
    loop_body(f, s, s->range.body, l.end, l.cont);
    gf_release(f, m);
    gf_place(f, l.cont);
    f->pos = s->pos;
    gf_jump_cmp(f, OP_FORLT, h, len, l.body);
    gf_place(f, l.end);
}

static void
range_string(struct gfunc *f, struct ast_stmt *s)
{
    struct labels l = new_labels(f);
    struct type_table *tt = &f->g->c->types;
    static const enum code_slot_kind kinds[3] = {
        CODE_SCALAR, CODE_SCALAR, CODE_SCALAR};
    int str = gf_temp(f, &tt->basic[TYPE_STRING]);
    int h;
    uint32_t m;

    gf_expr_to(f, s->range.x, str);
    h = gf_temp_kinds(f, kinds, 3);
    gf_ai(f, OP_LDI, h, 0);
    gf_place(f, l.cont);
    f->pos = s->pos;
    gf_jump_cmp(f, OP_RANGESTR, h, str, l.end);
    m = gf_mark(f);
    bind(f, s, &tt->basic[TYPE_INT], h + 1, &tt->basic[TYPE_INT32], h + 2);
    loop_body(f, s, s->range.body, l.end, l.cont);
    gf_release(f, m);
    f->pos = s->pos;
    gf_jump(f, l.cont);
    gf_place(f, l.end);
}

static void
range_map(struct gfunc *f, struct ast_stmt *s)
{
    struct labels l = new_labels(f);
    struct type *mt = gf_type(f, s->range.x), *u = type_under(mt);
    int it = gf_temp_ptr(f), k = CODE_NO_SLOT, v = CODE_NO_SLOT, mp;
    uint32_t m = gf_mark(f), at;

    mp = gf_expr(f, s->range.x);
    f->pos = s->pos;
    gf_abc(f, OP_MAPITER, it, mp, 0);
    gf_ext(f, 0, gen_type(f->g, mt));
    gf_release(f, m);
    if (wanted(s->range.key))
        k = gf_temp(f, u->key);
    if (wanted(s->range.value))
        v = gf_temp(f, u->elem);
    gf_place(f, l.cont);
    at = gf_abc(f, OP_MAPNEXT, it, k, v);
    gf_ext(f, 0, 0);
    gf_ext(f, 0, gen_type(f->g, mt));
    gf_jump_ext(f, at + 1, at + 3, l.end);
    m = gf_mark(f);
    bind(f, s, u->key, k, u->elem, v);
    loop_body(f, s, s->range.body, l.end, l.cont);
    gf_release(f, m);
    f->pos = s->pos;
    gf_jump(f, l.cont);
    gf_place(f, l.end);
}

static void
range_chan(struct gfunc *f, struct ast_stmt *s)
{
    struct labels l = new_labels(f);
    struct type *ct = gf_type(f, s->range.x), *et = type_under(ct)->elem;
    int c = gf_temp(f, ct), v, ok;
    uint32_t m;

    rt_assert(type_under(ct)->dir != TYPE_SEND);
    gf_expr_to(f, s->range.x, c);
    v = gf_temp(f, et);
    ok = gf_temp_int(f);
    gf_place(f, l.cont);
    f->pos = s->pos;
    gf_abc(f, OP_CHANRECV, v, c, 0);
    gf_ext(f, 0, gen_type(f->g, ct));
    gf_abc(f, OP_RECVOK, ok, 0, 0);
    gf_jump_if(f, ok, false, l.end);
    m = gf_mark(f);
    bind(f, s, et, v, NULL, NO_SLOT);
    loop_body(f, s, s->range.body, l.end, l.cont);
    gf_release(f, m);
    f->pos = s->pos;
    gf_jump(f, l.cont);
    gf_place(f, l.end);
}

void
gf_range(struct gfunc *f, struct ast_stmt *s)
{
    uint32_t m = gf_mark(f), hoisted = f->hoisted.n, depth = f->loop_depth;
    struct type *t = type_under(gf_type(f, s->range.x));

    f->pos = s->pos;
    gf_hoist1(f, s->range.x);
    if (s->range.define && is_shared(f, s, s->range.kobj))
        gf_declare(f, s->range.kobj, true);
    if (s->range.define && is_shared(f, s, s->range.vobj))
        gf_declare(f, s->range.vobj, true);
    f->loop_depth++;
    switch (t->kind) {
    case TYPE_SLICE:
        range_slice(f, s);
        break;
    case TYPE_ARRAY:
    case TYPE_POINTER:
        range_array(f, s);
        break;
    case TYPE_STRING:
    case TYPE_UNTYPED_STRING:
        range_string(f, s);
        break;
    case TYPE_MAP:
        range_map(f, s);
        break;
    case TYPE_CHAN:
        range_chan(f, s);
        break;
    case TYPE_FUNC:
        gf_range_func(f, s);
        break;
    default:
        range_int(f, s);
        break;
    }
    rt_assert(f->hoisted.n >= hoisted);
    f->hoisted.n = hoisted;
    f->loop_depth--;
    rt_assert(f->loop_depth == depth);
    gf_release(f, m);
}
