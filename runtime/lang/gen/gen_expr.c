/* SPDX-License-Identifier: MIT */
/*
 * Expressions: what may be known of them beforehand, constants, names,
 * selectors, slices, and the choice by kind.
 */
#include "runtime/lang/gen/gen_hoist.h"
#include "runtime/lang/gen/gen_int.h"
#include "runtime/lang/syntax/ast_kids.h"

#include <string.h>

#include "runtime/base/hash.h"

/* ---- questions ------------------------------------------------------------------ */

/* May evaluating e itself, without what is below it, be a safepoint or run
 * other code of the program? */
static bool
calls_itself(const struct ast_expr *e)
{
    return (e->kind == EXPR_CALL && !(e->flags & AST_F_CONVERSION)) ||
        (e->kind == EXPR_UNARY && e->op == TOK_ARROW);
}

/* May evaluating e be a safepoint or run other code of the program? */
bool
expr_may_call(struct ast_expr *e)
{
    struct ast_kids k;
    uint32_t i;

    for (;; e = *k.at[0]) {
        if (e == NULL || e->cv != NULL || e->mode == MODE_TYPE ||
            e->kind == EXPR_NAME)
            return false;
        if (calls_itself(e))
            return true;
        ast_kids_of(e, &k);
        for (i = 1; i < k.n; i++)
            if (expr_may_call(*k.at[i]))
                return true;
        for (i = 0; k.list != NULL && i < k.list->n; i++)
            if (expr_may_call(k.list->at[i]))
                return true;
        if (k.n == 0)
            return false;
    }
}

/* Does e read v by name?  Of a function literal it is taken for granted: what
 * that captures is not looked at. */
bool
expr_mentions(struct ast_expr *e, struct object *v)
{
    struct ast_kids k;
    uint32_t i;

    for (;; e = *k.at[0]) {
        if (e == NULL || e->cv != NULL)
            return false;
        if (e->kind == EXPR_NAME)
            return e->obj == v;
        if (e->kind == EXPR_FUNCLIT)
            return true;
        ast_kids_of(e, &k);
        for (i = 1; i < k.n; i++)
            if (expr_mentions(*k.at[i], v))
                return true;
        for (i = 0; k.list != NULL && i < k.list->n; i++)
            if (expr_mentions(k.list->at[i], v))
                return true;
        if (k.n == 0)
            return false;
    }
}

bool
gf_small_const(const struct gfunc *f, struct ast_expr *e, int64_t *v)
{
    e = ast_unparen(e);
    if (e->cv == NULL)
        return false;
    if (type_is_bool(gf_type(f, e))) {
        *v = const_bool_val(e->cv);
        return true;
    }
    if (!type_is_integer(gf_type(f, e)) || const_kind(e->cv) != CONST_INT)
        return false;
    *v = (int64_t)const_int_bits(e->cv);
    return *v >= INT16_MIN && *v <= INT16_MAX;
}

/* ---- constants --------------------------------------------------------------------- */

static uint64_t
float_bits(double d)
{
    uint64_t u;

    memcpy(&u, &d, 8);
    return u;
}

static uint64_t
float32_bits(float d)
{
    uint32_t u;

    memcpy(&u, &d, 4);
    return u;
}

uint64_t
gf_const_word(struct type *t, const struct constv *cv)
{
    float re, im;

    rt_assert(cv != NULL && type_slots(t) <= 1);
    switch (type_kind_of(t)) {
    case TYPE_BOOL:
    case TYPE_UNTYPED_BOOL:
        return const_bool_val(cv);
    case TYPE_FLOAT32:
        return float32_bits(const_to_float(cv));
    case TYPE_FLOAT64:
    case TYPE_UNTYPED_FLOAT:
        return float_bits(const_to_double(cv));
    case TYPE_COMPLEX64:
        const_to_complex64(cv, &re, &im);
        return float32_bits(re) | float32_bits(im) << 32;
    default:
        return const_int_bits(cv);
    }
}

void
gf_const_to(struct gfunc *f, const struct constv *cv, struct type *t, int dst)
{
    enum type_kind k = type_kind_of(t);
    double re, im;
    size_t n;
    const char *s;

    rt_assert(dst != NO_SLOT);
    if (k == TYPE_STRING || k == TYPE_UNTYPED_STRING) {
        s = const_str_val(&f->g->c->cctx, cv, &n);
        gf_ai(f, OP_LDSTR, dst, gen_string(f->g, s, n));
    } else if (k == TYPE_COMPLEX128 || k == TYPE_UNTYPED_COMPLEX) {
        const_to_complex(cv, &re, &im);
        gf_load_const(f, dst, float_bits(re));
        gf_load_const(f, dst + 1, float_bits(im));
    } else {
        gf_load_const(f, dst, gf_const_word(t, cv));
    }
}

static int
const_expr(struct gfunc *f, struct ast_expr *e)
{
    enum type_kind k = type_kind_of(gf_type(f, e));
    int t;

    if (k == TYPE_STRING || k == TYPE_UNTYPED_STRING ||
        type_slots(gf_type(f, e)) > 1 || k == TYPE_UNTYPED_COMPLEX) {
        t = k == TYPE_UNTYPED_STRING ?
            gf_temp(f, &f->g->c->types.basic[TYPE_STRING]) :
            gf_temp(f, gf_type(f, e));
        gf_const_to(f, e->cv, gf_type(f, e), t);
        return t;
    }
    if (k == TYPE_UNSAFE_POINTER || type_is_pointer_shaped(gf_type(f, e))) {
        t = gf_temp_ptr(f);
        gf_load_const(f, t, gf_const_word(gf_type(f, e), e->cv));
        return t;
    }
    return gf_const_slot(f, gf_const_word(gf_type(f, e), e->cv));
}

/* ---- names, closures ------------------------------------------------------------------- */

void
gf_func_value(struct gfunc *f, uint32_t fn, int dst)
{
    gf_ai(f, OP_LDFN, dst, fn);
}

static void
name_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct place p;

    if (e->mode == MODE_NIL || (e->obj != NULL && e->obj->kind == OBJ_NIL)) {
        gf_zero(f, dst, type_slots(gf_type(f, e)));
    } else if (e->obj != NULL && e->obj->kind == OBJ_FUNC) {
        struct object *fn = e->obj;

        if (gen_is_native(f->g, &fn)) {
            struct work w = {0};

            /* A native as a value: a function that calls it. */
            w.kind = WORK_MEXPR;
            w.obj = fn;
            w.pkg = fn->pkg;
            w.type = gf_obj_type(f, fn);
            w.name = gen_sprintf(f->g, "%s.%s", fn->pkg->path,
                check_func_name(f->g->c, fn));
            gf_func_value(f, gen_work(f->g, &w), dst);
            return;
        }
        gf_func_value(f, gen_func_obj(f->g, fn), dst);
    } else {
        p = gf_place_of(f, e);
        gf_load(f, &p, dst);
    }
}

/* ---- selectors ---------------------------------------------------------------------------- */

/*
 * The receiver of the method that sel_expr names, as its declaration wants
 * it: a value, a pointer, or (dynamic dispatch) an interface.
 */
int
gf_receiver(struct gfunc *f, struct ast_expr *se)
{
    const struct selection *s = se->selector.how;

    rt_assert(s != NULL && s->kind != SEL_FIELD);
    rt_assert(!(s->take_addr && s->deref));
    struct place p = gf_walk_steps(f, se->selector.x, s, s->nsteps);
    int t;

    f->pos = se->pos;
    if (s->take_addr)
        return gf_addr(f, &p, NO_SLOT);
    if (s->deref) {
        int ptr = gf_load_temp(f, &p);

        rt_assert(type_under(p.type)->kind == TYPE_POINTER);
        t = gf_temp(f, type_under(p.type)->elem);
        gf_load_mem(f, t, ptr, 0, type_under(p.type)->elem);
        return t;
    }
    return gf_load_temp(f, &p);
}

/* What the method m of t is called: by t, which may have it from a type that
 * it embeds.  Of a type without a name, by m. */
static const char *
name_by_type(struct gfunc *f, const struct type *t, const struct object *m)
{
    bool ptr = t->kind == TYPE_POINTER;
    const struct type *named = ptr ? t->elem : t;

    if (named->kind != TYPE_NAMED || named->obj->pkg == NULL)
        return gen_sprintf(f->g, "%s.%s", m->pkg ? m->pkg->link : "",
            check_func_name(f->g->c, m));
    return gen_sprintf(f->g, ptr ? "%s.(*%s%s).%s" : "%s.%s%s.%s",
        named->obj->pkg->link, named->obj->name->text,
        named->ntargs != 0 ? "[...]" : "", m->name->text);
}

/*
 * The function of a method's values.  As reflect says where a function's code is,
 * and programs tell by that whether they have been given the same method, there
 * is one for each method and type; but what is known of a type parameter only has
 * one for each place, and what the library makes belongs to the function that
 * does, with which it is kept (gen_stock.c).
 */
static uint32_t
bound_func(struct gfunc *f, const struct work *w)
{
    struct gen *g = f->g;
    uint64_t key = rt_hash_u64((uintptr_t)type_canon(g->c, w->type),
        (uintptr_t)w->obj);
    uint32_t id;

    if (w->sel->late || f->pkg == NULL || f->pkg->library)
        return gen_work(g, w);
    if (gmap_get(&g->bound_ids, key, &id)) {
        const struct work *known = &g->work.at[id];

        rt_assert(known->kind == WORK_BOUND);
        if (known->obj == w->obj && type_identical(known->type, w->type))
            return id;
    }
    id = gen_work(g, w);
    gmap_put(g, &g->bound_ids, key, id);
    return id;
}

/* x.m as a value: a closure over the receiver. */
static void
method_value(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct selection *s = e->selector.how;
    struct work w = {0};
    uint32_t m = gf_mark(f), n;
    int r, base;

    w.kind = WORK_BOUND;
    w.sel = s;
    w.obj = s->obj;
    w.pkg = f->pkg;
    if (s->late)
        w.type = s->recv;
    else if (s->is_iface)
        w.type = s->base;
    else if (s->take_addr)
        w.type = type_pointer(f->g->c, s->base);
    else if (s->deref)
        w.type = type_under(s->base)->elem;
    else
        w.type = s->base;
    w.name = s->is_iface || s->late
        ? gen_sprintf(f->g, "%s-fm", name_by_type(
              f, s->late ? s->recv : s->base, s->obj))
        : gen_sprintf(f->g, "%s.%s-fm", s->obj->pkg ? s->obj->pkg->link : "",
              check_func_name(f->g->c, s->obj));
    r = s->late ? gf_expr(f, e->selector.x) : gf_receiver(f, e);
    n = type_slots(w.type);
    if (s->is_iface && !s->late) {
        /* A nil interface panics here, not at the call. */
        gf_abc(f, OP_CHKNIL, r, 0, 0);
    }
    base = gf_call_base(f);
    gf_need(f, base + (int)n + 1);
    gf_move(f, base, r, n);
    gf_abc(f, OP_MKCLO, dst, base, (int)n);
    gf_ext(f, 0, bound_func(f, &w));
    gf_release(f, m);
}

/* T.m as a value: the method itself, or a function that calls it with its
 * receiver as the declaration wants it. */
static void
method_expr(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct selection *s = e->selector.how;
    struct work w = {0};

    if (s->nsteps == 0 && !s->take_addr && !s->deref && !s->is_iface) {
        gf_func_value(f, gen_func_obj(f->g, s->obj), dst);
        return;
    }
    w.kind = WORK_MEXPR;
    w.sel = s;
    w.obj = s->obj;
    w.pkg = f->pkg;
    w.type = gf_type(f, e);
    w.name = name_by_type(f, gf_type(f, e)->vars[0]->type, s->obj);
    gf_func_value(f, gen_work(f->g, &w), dst);
}

static void
selector_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct place p;

    if (e->selector.how == NULL) {
        name_to(f, e, dst);
        return;
    }
    switch (e->selector.how->kind) {
    case SEL_FIELD:
        p = gf_place_of(f, e);
        f->pos = e->pos;
        gf_load(f, &p, dst);
        break;
    case SEL_METHOD:
        method_value(f, e, dst);
        break;
    default:
        method_expr(f, e, dst);
        break;
    }
}

/* ---- slicing -------------------------------------------------------------------------------------- */

/* x[lo:hi:max]; of an array it is the slice of all of it that is cut. */
static void
slice_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_expr *x = e->slice.x;
    struct ast_expr *ix[3] = {e->slice.lo, e->slice.hi, e->slice.max};
    struct type *xt = type_under(gf_type(f, x));
    uint32_t m = gf_mark(f), i;
    int base, s, slots[3], flags = 0;
    bool str = xt->kind == TYPE_STRING;
    struct type *at = NULL;
    int64_t es = 1;

    if (xt->kind == TYPE_ARRAY || xt->kind == TYPE_POINTER) {
        static const enum code_slot_kind kinds[3] = {
            CODE_POINTER, CODE_SCALAR, CODE_SCALAR};
        int ptr;

        at = xt->kind == TYPE_ARRAY ? xt : type_under(xt->elem);
        if (xt->kind == TYPE_ARRAY) {
            struct place p = gf_place_of(f, x);

            ptr = gf_addr(f, &p, NO_SLOT);
        } else {
            ptr = gf_expr(f, x);
        }
        f->pos = e->pos;
        gf_abc(f, OP_CHKNIL, ptr, 0, 0);
        s = gf_temp_kinds(f, kinds, 3);
        gf_move(f, s, ptr, 1);
        gf_load_const(f, s + 1, (uint64_t)at->len);
        gf_load_const(f, s + 2, (uint64_t)at->len);
        es = type_size(at->elem);
        flags |= CODE_SLICE_ARRAY;
    } else {
        rt_assert(xt->kind == TYPE_SLICE || str);
        s = gf_expr(f, x);
        if (!str)
            es = type_size(xt->elem);
    }
    rt_assert(!str || ix[2] == NULL);
    for (i = 0; i < 3; i++) {
        slots[i] = NO_SLOT;
        if (ix[i] == NULL)
            continue;
        flags |= CODE_SLICE_LO << i;
        slots[i] = gf_expr(f, ix[i]);
        if (type_is_unsigned(gf_type(f, ix[i])))
            flags |= CODE_SLICE_NO_SIGN << i;
    }
    base = gf_call_base(f);
    gf_need(f, base + 3);
    for (i = 0; i < 3; i++)
        if (slots[i] != NO_SLOT)
            gf_move(f, base + (int)i, slots[i], 1);
    f->pos = e->pos;
    gf_abc(f, str ? OP_SLICESTR : OP_SLICE, dst, s, base);
    gf_ext_size(f, flags, es);
    gf_release(f, m);
}

/* ---- the dispatchers ---------------------------------------------------------------------------------- */

void
gf_expr_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    lang_pos pos = f->pos;
    uint32_t m = gf_mark(f);
    struct place p;
    int s;

    rt_assert(dst != NO_SLOT);
    if (e->cv == NULL) /* the outermost node has a constant's final type */
        e = ast_unparen(e);
    if (f->hoisted.n != 0 && (s = gf_hoisted(f, e)) != NO_SLOT) {
        gf_move(f, dst, s, type_slots(gf_type(f, e)));
        return;
    }
    f->pos = e->pos;
    if (e->cv != NULL) {
        gf_const_to(f, e->cv, gf_type(f, e), dst);
        f->pos = pos;
        return;
    }
    if (e->mode == MODE_NIL) {
        gf_zero(f, dst, type_slots(gf_type(f, e)));
        f->pos = pos;
        return;
    }
    if (e->mode == MODE_NONE) {
        /* The checker has failed to say what is wrong with it. */
        gen_errorf(f->g, e->pos, "vole: an expression without a type");
        return;
    }
    switch (e->kind) {
    case EXPR_NAME:
        name_to(f, e, dst);
        break;
    case EXPR_SELECTOR:
        selector_to(f, e, dst);
        break;
    case EXPR_COMPOSITE:
        if (e->flags & AST_F_ADDR)
            gf_composite_addr(f, e, gf_home_expr(f, e), dst);
        else
            gf_composite_to(f, e, dst);
        break;
    case EXPR_FUNCLIT:
        gf_funclit(f, e, dst);
        break;
    case EXPR_INDEX:
    case EXPR_STAR:
        p = gf_read_place(f, e);
        f->pos = e->pos;
        gf_load(f, &p, dst);
        break;
    case EXPR_SLICE:
        slice_to(f, e, dst);
        break;
    case EXPR_ASSERT:
        s = gf_expr(f, e->assert_.x);
        f->pos = e->pos;
        gf_assert(f, gf_type(f, e), gf_type(f, e->assert_.x), dst, s, NO_SLOT);
        break;
    case EXPR_CALL:
        if (e->flags & AST_F_CONVERSION) {
            struct ast_expr *x = e->call.args.at[0];

            if (type_is_interface(gf_type(f, e)) &&
                type_slots(gf_type(f, x)) > GEN_FRAME_VAR_SLOTS) {
                gf_expr_as_to(f, x, gf_type(f, e), dst);
                break;
            }
            s = gf_expr(f, x);
            f->pos = e->pos;
            if (!gf_copy_to_cell(f, e, dst, s))
                gf_convert_slots(f, gf_type(f, e), gf_type(f, x), dst, s);
        } else if (e->call.fun->mode == MODE_BUILTIN) {
            gf_builtin(f, e, dst, true);
        } else {
            s = gf_call(f, e, true);
            gf_move(f, dst, s, type_slots(gf_type(f, e)));
        }
        break;
    case EXPR_UNARY:
        gf_unary_to(f, e, dst);
        break;
    case EXPR_BINARY:
        if (e->op == TOK_ANDAND || e->op == TOK_OROR)
            gf_cond_value(f, e, dst);
        else if (e->op >= TOK_EQL && e->op <= TOK_GEQ)
            gf_compare(f, e, dst);
        else if (expr_is_string_add(f, e))
            gf_concat_to(f, e, dst);
        else
            gf_chain_to(f, e, dst);
        break;
    default:
        gen_errorf(f->g, e->pos, "vole: cannot generate %s",
            ast_expr_kind_name((enum ast_expr_kind)e->kind));
        break;
    }
    gf_release(f, m);
    f->pos = pos;
}

int
gf_expr(struct gfunc *f, struct ast_expr *e)
{
    int t;

    if (e->cv == NULL)
        e = ast_unparen(e);
    if (f->hoisted.n != 0 && (t = gf_hoisted(f, e)) != NO_SLOT)
        return t;
    if (e->cv != NULL) {
        lang_pos pos = f->pos;

        f->pos = e->pos;
        t = const_expr(f, e);
        f->pos = pos;
        return t;
    }
    if (e->kind == EXPR_NAME && e->obj != NULL && e->obj->kind == OBJ_VAR &&
        e->obj->var_kind != VAR_PACKAGE) {
        struct place p = gf_var_place(f, e->obj);

        return gf_load_temp(f, &p);
    }
    if (e->kind == EXPR_SELECTOR && e->selector.how != NULL &&
        e->selector.how->kind == SEL_FIELD) {
        struct place p = gf_place_of(f, e);
        lang_pos pos = f->pos;

        f->pos = e->pos;
        t = gf_load_temp(f, &p);
        f->pos = pos;
        return t;
    }
    if (e->kind == EXPR_CALL && !(e->flags & AST_F_CONVERSION) &&
        e->call.fun->mode != MODE_BUILTIN)
        return gf_call(f, e, true);
    if (e->kind == EXPR_CALL && (e->flags & AST_F_CONVERSION) &&
        type_canon(f->g->c, gf_type(f, e)) ==
            type_canon(f->g->c, gf_type(f, e->call.args.at[0])))
        return gf_expr(f, e->call.args.at[0]);
    t = gf_temp(f, gf_type(f, e));
    gf_expr_to(f, e, t);
    return t;
}

int
gf_expr_as(struct gfunc *f, struct ast_expr *e, struct type *t)
{
    int s;

    if (type_is_interface(t) && !type_is_interface(gf_type(f, e)) &&
        ast_unparen(e)->mode != MODE_NIL) {
        s = gf_temp(f, t);
        gf_expr_as_to(f, e, t, s);
        return s;
    }
    return gf_expr(f, e);
}

/* A literal that is built where it will live: the frame may lack the room. */
static bool
large_literal(const struct gfunc *f, struct ast_expr *e)
{
    struct ast_expr *x = ast_unparen(e);

    return x->kind == EXPR_COMPOSITE && (x->flags & AST_F_ADDR) == 0 &&
        type_slots(gf_type(f, x)) > GEN_FRAME_VAR_SLOTS;
}

/* An interface of e's value, which is in src, where nobody keeps the memory of
 * that. */
static bool
box_in_cell(struct gfunc *f, const struct ast_expr *e, int dst, int src)
{
    struct type *t = gf_type(f, e);

    if ((e->flags & AST_F_BOX_STAYS) == 0 || type_is_pointer_shaped(t) ||
        type_size(t) == 0 || type_size(t) > GEN_CELL_BYTES)
        return false;
    gf_new(f, t, HOME_CELL, dst + 1);
    gf_store_mem(f, src, dst + 1, 0, t);
    gf_ai(f, OP_LDTYPE, dst, gen_type(f->g, t));
    return true;
}

void
gf_expr_as_to(struct gfunc *f, struct ast_expr *e, struct type *t, int dst)
{
    uint32_t m;
    int s;

    if (type_is_interface(t) && !type_is_interface(gf_type(f, e)) &&
        ast_unparen(e)->mode != MODE_NIL) {
        if (e->cv != NULL && gf_box_const(f, e->cv, gf_type(f, e), dst))
            return;
        m = gf_mark(f);
        if (large_literal(f, e)) {
            gf_composite_addr(f, ast_unparen(e), HOME_HEAP, dst + 1);
            gf_ai(f, OP_LDTYPE, dst, gen_type(f->g, gf_type(f, e)));
        } else if (type_slots(gf_type(f, e)) > 4 && gf_is_place(f, e)) {
            struct place p = gf_place_of(f, e);

            if (gf_place_in_memory(&p)) {
                /* A large value is boxed from where it lies. */
                s = gf_addr(f, &p, NO_SLOT);
                gf_abc(f, OP_MKIFACEM, dst, s, 0);
                gf_ext(f, 0, gen_type(f->g, gf_type(f, e)));
            } else {
                gf_to_iface(f, t, gf_type(f, e), dst, gf_load_temp(f, &p));
            }
        } else {
            s = gf_expr(f, e);
            if (!box_in_cell(f, e, dst, s))
                gf_to_iface(f, t, gf_type(f, e), dst, s);
        }
        gf_release(f, m);
        return;
    }
    gf_expr_to(f, e, dst);
}

int
gf_expr_copy(struct gfunc *f, struct ast_expr *e, struct type *as)
{
    struct ast_expr *x = ast_unparen(e);
    int t;

    if (x->kind == EXPR_CALL && !type_is_interface(as))
        return gf_expr(f, e);
    t = gf_temp(f, as);
    gf_expr_as_to(f, e, as, t);
    return t;
}

void
gf_expr_discard(struct gfunc *f, struct ast_expr *e)
{
    uint32_t m = gf_mark(f);

    e = ast_unparen(e);
    if (e->cv != NULL)
        return; /* len(*p) of an array does not look at it, nor at p */
    if (e->kind == EXPR_CALL && !(e->flags & AST_F_CONVERSION)) {
        if (e->call.fun->mode == MODE_BUILTIN)
            gf_builtin(f, e, NO_SLOT, false);
        else
            gf_call(f, e, false);
    } else if (e->kind == EXPR_UNARY && e->op == TOK_ARROW) {
        int s = gf_expr(f, e->unary.x);

        f->pos = e->pos;
        gf_abc(f, OP_CHANRECV, CODE_NO_SLOT, s, 0);
        gf_ext(f, 0, gen_type(f->g, gf_type(f, e->unary.x)));
    } else if (gf_is_wide(gf_type(f, e)) && gf_is_place(f, e)) {
        struct place p = gf_place_of(f, e);

        if (gf_place_in_memory(&p))
            gf_addr(f, &p, NO_SLOT); /* which has the checks */
        else
            gf_load_temp(f, &p);
    } else {
        gf_expr(f, e);
    }
    gf_release(f, m);
}

/* v, ok = e for a map element, assertion or receive. */
void
gf_comma_ok(struct gfunc *f, struct ast_expr *e, int vdst, int okdst)
{
    uint32_t m = gf_mark(f), h = f->hoisted.n;
    struct ast_expr *x;
    int s, k, v;

    rt_assert(okdst != NO_SLOT);
    e = ast_unparen(e);
    f->pos = e->pos;
    gf_hoist_kids(f, e);
    switch (e->kind) {
    case EXPR_INDEX: {
        struct place p = gf_read_place(f, e);

        f->pos = e->pos;
        v = vdst != NO_SLOT ? vdst : gf_temp(f, p.type);
        k = gf_temp_int(f);
        gf_abc(f, OP_MAPGETOK, v, p.slot, p.idx);
        gf_ext(f, k, gen_type(f->g, p.mtype));
        gf_move(f, okdst, k, 1);
        break;
    }
    case EXPR_ASSERT:
        x = e->assert_.x;
        s = gf_expr(f, x);
        f->pos = e->pos;
        v = vdst != NO_SLOT ? vdst : gf_temp(f, gf_type(f, e));
        gf_assert(f, gf_type(f, e), gf_type(f, x), v, s, okdst);
        break;
    default:
        rt_assert(e->kind == EXPR_UNARY && e->op == TOK_ARROW);
        x = e->unary.x;
        s = gf_expr(f, x);
        f->pos = e->pos;
        v = gf_temp(f, type_under(gf_type(f, x))->elem);
        gf_abc(f, OP_CHANRECV, v, s, 0);
        gf_ext(f, 0, gen_type(f->g, gf_type(f, x)));
        if (vdst != NO_SLOT)
            gf_move(f, vdst, v, type_slots(gf_type(f, e)));
        gf_abc(f, OP_RECVOK, okdst, 0, 0);
        break;
    }
    f->hoisted.n = h;
    gf_release(f, m);
}
