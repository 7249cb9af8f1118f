/* SPDX-License-Identifier: MIT */
/*
 * Composite literals and function literals.
 */
#include "runtime/lang/gen/gen_hoist.h"
#include "runtime/lang/gen/gen_int.h"
#include "runtime/lang/gen/gen_lent.h"
#include "runtime/lang/gen/gen_tame.h"

#include <string.h>

static bool
is_zero_const(struct ast_expr *e)
{
    double re, im;
    size_t n;

    e = ast_unparen(e);
    if (e->mode == MODE_NIL)
        return true;
    if (e->cv == NULL)
        return false;
    switch (const_kind(e->cv)) {
    case CONST_BOOL: return !const_bool_val(e->cv);
    case CONST_STRING:
        n = const_str_len(e->cv);
        return n == 0;
    default:
        const_to_complex(e->cv, &re, &im);
        return re == 0 && im == 0;
    }
}

/* Stores one element; nested literals are built in place. */
static void
element(struct gfunc *f, struct place p, struct ast_expr *v, bool zeroed)
{
    uint32_t m = gf_mark(f);
    struct ast_expr *x = ast_unparen(v);
    enum type_kind k = type_kind_of(p.type);

    rt_assert(p.kind != PLACE_MAP && p.kind != PLACE_BLANK);
    /* In an interface a zero is not nil. */
    if (zeroed && is_zero_const(v) &&
        (k != TYPE_INTERFACE || x->mode == MODE_NIL))
        return;
    if (x->kind == EXPR_COMPOSITE && !(x->flags & AST_F_ADDR) &&
        (k == TYPE_STRUCT || k == TYPE_ARRAY)) {
        if (p.kind == PLACE_ELEM || p.kind == PLACE_PIDX ||
            p.kind == PLACE_BYTES) {
            int s = gf_expr(f, v);

            gf_store(f, &p, s);
        } else {
            gf_composite_place(f, x, gf_type(f, x), p, zeroed);
        }
    } else if (p.kind == PLACE_SLOT) {
        gf_expr_as_to(f, v, p.type, p.slot);
    } else {
        gf_assign_expr(f, &p, v);
    }
    gf_release(f, m);
}

static void
struct_elements(struct gfunc *f, struct ast_expr *e, struct type *t,
    struct place p, bool zeroed)
{
    uint32_t i;

    type_size(t);
    for (i = 0; i < e->composite.elems.n; i++) {
        struct ast_expr *x = e->composite.elems.at[i];
        struct object *fld;
        struct ast_expr *v = x;

        if (x->kind == EXPR_KEYVALUE) {
            fld = x->kv.key->obj;
            v = x->kv.value;
        } else {
            rt_assert(i < t->nvars);
            fld = t->vars[i];
        }
        rt_assert(fld != NULL && fld->kind == OBJ_VAR);
        if (fld->name != NULL && strcmp(fld->name->text, "_") == 0)
            gf_expr_discard(f, v); /* a blank field stays zero */
        else
            element(f, gf_field_place(f, p, fld), v, zeroed);
    }
}

/* Elements of an array at place p (in memory or frame), or of the array
 * behind a slice's pointer. */
static void
array_elements(struct gfunc *f, struct ast_expr *e, struct place p,
    struct type *et, bool zeroed)
{
    int64_t at = 0, es = type_size(et);
    uint32_t i;

    for (i = 0; i < e->composite.elems.n; i++) {
        struct ast_expr *x = e->composite.elems.at[i], *v = x;
        struct object fld = {0};

        if (x->kind == EXPR_KEYVALUE) {
            v = x->kv.value;
            if (x->kv.key->cv != NULL)
                const_to_int64(x->kv.key->cv, &at);
        }
        fld.type = et;
        fld.offset = at * es;
        element(f, gf_field_place(f, p, &fld), v, zeroed);
        at++;
    }
}

static bool
is_full(const struct ast_expr *e, const struct type *t)
{
    uint32_t i, n = 0;

    if (t->kind == TYPE_ARRAY)
        return e->composite.nkey == 0 &&
            (int64_t)e->composite.elems.n == t->len;
    for (i = 0; i < t->nvars; i++)
        n += t->vars[i]->name == NULL ||
            strcmp(t->vars[i]->name->text, "_") != 0;
    return e->composite.elems.n == t->nvars && n == t->nvars;
}

/* Do all bytes of every slot belong to a field that the literal sets? */
static bool fills_slots(struct gen *g, struct type *t);

static bool
struct_fills_slots(struct gen *g, struct type *t)
{
    uint32_t i;
    int64_t end = 0;

    for (i = 0; i < t->nvars; i++) {
        if (t->vars[i]->offset != end || !fills_slots(g, t->vars[i]->type))
            return false;
        end += type_size(t->vars[i]->type);
    }
    return end % 8 == 0;
}

/* Structs remember the answer: each literal in a literal asks again. */
static bool
fills_slots(struct gen *g, struct type *t)
{
    uint64_t key;
    uint32_t v;

    t = type_under(t);
    if (t->kind != TYPE_STRUCT)
        return type_size(t) % 8 == 0 && t->kind != TYPE_ARRAY;
    key = (uint64_t)(uintptr_t)t;
    if (!gmap_get(&g->fills, key, &v)) {
        v = struct_fills_slots(g, t);
        gmap_put(g, &g->fills, key, v);
    }
    return v != 0;
}

void
gf_composite_place(struct gfunc *f, struct ast_expr *e, struct type *t,
    struct place p, bool zeroed)
{
    f->pos = e->pos;
    if (gf_data_literal(f, e, t, &p))
        return;
    t = type_under(t);
    if (!zeroed && !(p.kind == PLACE_SLOT && is_full(e, t) &&
                       fills_slots(f->g, t))) {
        gf_zero_place(f, &p);
        zeroed = true;
    }
    rt_assert(t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY);
    if (t->kind == TYPE_STRUCT)
        struct_elements(f, e, t, p, zeroed);
    else
        array_elements(f, e, p, t->elem, zeroed);
}

static void
slice_literal(struct gfunc *f, struct ast_expr *e, struct type *t, int dst)
{
    struct type *et = type_under(t)->elem, *at;
    int64_t n = check_composite_len(e);
    int s = gf_temp(f, t);
    struct place p;

    rt_assert(n >= (int64_t)e->composite.elems.n);
    if (n == 0) {
        /* Not nil: an empty slice of the zero-size object. */
        int k = gf_const_slot(f, 0);

        gf_abc(f, OP_MAKESLICE, dst, k, k);
        gf_ext(f, 0, gen_type(f->g, et));
        return;
    }
    at = type_array(f->g->c, et, n);
    gf_new(f, at, gf_home_expr(f, e), s);
    gf_load_const(f, s + 1, (uint64_t)n);
    gf_load_const(f, s + 2, (uint64_t)n);
    p = gf_mem_place(s, 0, at);
    if (!gf_data_literal(f, e, at, &p))
        array_elements(f, e, p, et, true);
    gf_move(f, dst, s, 3);
}

static void
map_literal(struct gfunc *f, struct ast_expr *e, struct type *mt, int dst)
{
    struct type *t = type_under(mt);
    uint32_t i, m, h = f->hoisted.n;
    int map = gf_temp(f, mt), k;

    m = gf_mark(f);
    k = gf_temp_int(f);
    gf_load_const(f, k, e->composite.elems.n);
    gf_abc(f, OP_MAPMAKE, map, k, 0);
    gf_ext(f, 0, gen_type(f->g, mt));
    gf_release(f, m);
    for (i = 0; i < e->composite.elems.n; i++) {
        struct ast_expr *x = e->composite.elems.at[i];
        struct ast_exprs key = {&x->kv.key, 1}, value = {&x->kv.value, 1};
        int ks, vs;

        rt_assert(x->kind == EXPR_KEYVALUE);
        m = gf_mark(f);
        gf_hoist(f, key, value); /* an entry is an assignment of its own */
        ks = gf_expr_as(f, x->kv.key, t->key);
        vs = gf_expr_as(f, x->kv.value, t->elem);
        f->pos = x->pos;
        gf_abc(f, OP_MAPSET, vs, map, ks);
        gf_ext(f, 0, gen_type(f->g, mt));
        f->hoisted.n = h;
        gf_release(f, m);
    }
    gf_move(f, dst, map, 1);
}

/* A literal of type t, which is e's own or, where e is &T{...}, T. */
static void
composite_as(struct gfunc *f, struct ast_expr *e, struct type *t, int dst)
{
    struct place p = {0};
    uint32_t m = gf_mark(f);

    f->pos = e->pos;
    switch (type_kind_of(t)) {
    case TYPE_SLICE:
        slice_literal(f, e, t, dst);
        break;
    case TYPE_MAP:
        map_literal(f, e, t, dst);
        break;
    default:
        p.kind = PLACE_SLOT;
        p.type = t;
        p.slot = dst;
        if (dst >= (int)f->nargs && !expr_may_call(e)) {
            gf_composite_place(f, e, t, p, false);
        } else {
            p.slot = gf_temp(f, t);
            gf_composite_place(f, e, t, p, false);
            gf_move(f, dst, p.slot, type_slots(t));
        }
        break;
    }
    gf_release(f, m);
}

void
gf_composite_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    composite_as(f, e, gf_type(f, e), dst);
}

/* &T{...}, whose node is of type *T, or a T: built where it will live. */
int
gf_composite_addr(struct gfunc *f, struct ast_expr *e, int home, int dst)
{
    uint32_t m = gf_mark(f);
    struct type *t = gf_type(f, e);
    int ptr = gf_temp_ptr(f), s;

    if (e->flags & AST_F_ADDR)
        t = type_under(t)->elem;
    f->pos = e->pos;
    gf_new(f, t, home, ptr);
    switch (type_kind_of(t)) {
    case TYPE_STRUCT:
    case TYPE_ARRAY:
        gf_composite_place(f, e, t, gf_mem_place(ptr, 0, t), true);
        break;
    default:
        s = gf_temp(f, t);
        composite_as(f, e, t, s);
        f->pos = e->pos;
        gf_store_mem(f, s, ptr, 0, t);
        break;
    }
    gf_move(f, dst, ptr, 1);
    gf_release(f, m);
    return dst;
}

/* ---- function literals ------------------------------------------------------------ */

/* The name of a literal inside f: f.func1, f.func2 ..., f.func1.1.  Bodies of
 * loops over functions do not count as functions. */
static const char *
closure_name(struct gfunc *f, const struct func_info *info)
{
    /* Go numbers the literals of a function funcN, and inside literals by
     * number alone; those of a package's variables are its init.funcN. */
    if (f->w->kind == WORK_INIT) {
        uint64_t key = (uint64_t)(uintptr_t)f->pkg;
        uint32_t n = 0;

        gmap_get(&f->g->init_lits, key, &n);
        gmap_put(f->g, &f->g->init_lits, key, ++n);
        return gen_sprintf(f->g, "%s.init.func%u", f->pkg->link, n);
    }
    if (strlen(gf_owner_name(f)) > LONG_NAME)
        return gf_owner_name(f);
    return gen_sprintf(f->g, info->outer->obj == NULL ? "%s.%u" : "%s.func%u",
        gf_owner_name(f), info->number);
}

/* Where the closure of literal e lives: on the heap if what is lent has not the
 * room for it, since a variable is captured in another way than was thought. */
static int
closure_home(struct gfunc *f, const struct ast_expr *e)
{
    const struct func_info *info = e->func->info;
    int at = gf_home_expr(f, e);
    enum code_slot_kind *kinds;
    uint32_t i, words = 1;

    if (at < 0)
        return at;
    kinds = gen_scratch(f->g, GEN_FRAME_VAR_SLOTS * sizeof *kinds);
    for (i = 0; i < info->ncaptures; i++)
        words += gf_capture_kinds(f, info->captures[i], kinds);
    return gf_fits(f, e, words) ? at : HOME_HEAP;
}

void
gf_funclit(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_func *fn = e->func;
    struct func_info *info = fn->info;
    uint32_t id;
    bool tame;

    /* Only what initialises a package has no function around it. */
    rt_assert(info != NULL && (info->outer != NULL || f->w->kind == WORK_INIT));
    tame = f->w->kind == WORK_FUNC && f->w->tame &&
        gen_tame_literal(f->g, f->w->obj) == fn;
    if (!gen_body_find(f->g, (const char *)fn + tame, &id)) {
        struct work w = {0};

        w.kind = WORK_LIT;
        w.func = fn;
        w.info = info;
        w.pkg = f->pkg;
        w.captures = info->captures;
        w.ncaptures = info->ncaptures;
        w.name = closure_name(f, info);
        w.tame = tame;
        id = gen_work(f->g, &w);
        gen_body_put(f->g, (const char *)fn + tame, id);
    }
    gf_make_closure(
        f, id, info->captures, info->ncaptures, 0, closure_home(f, e), dst);
}
