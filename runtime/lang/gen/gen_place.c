/* SPDX-License-Identifier: MIT */
/*
 * Places: where a value is or goes.  Variables get theirs here, and those of
 * expressions are found; gen_access.c loads and stores.
 */
#include "runtime/lang/gen/gen_int.h"

#include <string.h>

bool
gf_is_wide(struct type *t)
{
    return type_slots(t) > GEN_FRAME_VAR_SLOTS;
}

bool
gf_var_on_heap(const struct gfunc *f, struct object *v)
{
    return object_escapes(v) || v->gen_ptr != NULL || gf_crowded(v) ||
        gf_is_wide(gf_obj_type(f, v));
}

uint32_t
gf_capture_kinds(const struct gfunc *f, struct object *v,
    enum code_slot_kind *kinds)
{
    if (gf_var_on_heap(f, v)) {
        kinds[0] = CODE_POINTER;
        return 1;
    }
    type_slot_kinds(gf_obj_type(f, v), kinds);
    return type_slots(gf_obj_type(f, v));
}

static bool
is_blank(const struct object *v)
{
    return v->name == NULL || strcmp(v->name->text, "_") == 0;
}

/* Gives a local variable its slot; zero: and its zero value. */
void
gf_declare(struct gfunc *f, struct object *v, bool zero)
{
    int slot;

    if (gf_crowd(f, v)) {
        struct place p = gf_var_place(f, v);

        if (zero)
            gf_zero_place(f, &p);
        return;
    }
    *gvec_push(f->g, &f->var_objs) = v;
    if (gf_var_on_heap(f, v)) {
        slot = gf_temp_ptr(f);
        gf_new(f, gf_obj_type(f, v), gf_home_var(f, v), slot);
    } else {
        slot = gf_temp(f, gf_obj_type(f, v));
        if (zero)
            gf_zero(f, slot, type_slots(gf_obj_type(f, v)));
    }
    v->gen = (uint64_t)slot + 1;
}

/* A loop variable's next instance: a new cell with the value of the old. */
void
gf_fresh_copy(struct gfunc *f, struct object *v)
{
    uint32_t m = gf_mark(f);
    int cell, slot = gf_var_slot(v);

    /* Nobody has the old one's address by now if that stays. */
    if (!object_escapes(v) || v->gen_stays)
        return;
    cell = gf_temp_ptr(f);
    gf_ai(f, OP_NEW, cell, gen_type(f->g, gf_obj_type(f, v)));
    gf_abc(f, OP_COPYT, cell, slot, 0);
    gf_ext(f, 0, gen_type(f->g, gf_obj_type(f, v)));
    gf_move(f, slot, cell, 1);
    gf_release(f, m);
}

struct place
gf_mem_place(int slot, int64_t off, struct type *t)
{
    struct place p = {0};

    p.kind = PLACE_MEM;
    p.slot = slot;
    p.off = off;
    p.type = t;
    return p;
}

/* The runtime wants to know at once when this variable changes. */
static struct object *
store_hook(const struct object *v)
{
    if (strcmp(v->name->text, "MemProfileRate") != 0 ||
        strcmp(v->pkg->path, "runtime") != 0)
        return NULL;
    return check_lookup(v->pkg, "memRateChanged");
}

struct place
gf_var_place(struct gfunc *f, struct object *v)
{
    struct place p = {0};

    p.type = gf_obj_type(f, v);
    if (is_blank(v)) {
        p.kind = PLACE_BLANK;
        return p;
    }
    if (v->var_kind == VAR_PACKAGE) {
        p.kind = PLACE_GLOBAL;
        p.off = (int64_t)gen_global(f->g, v);
        p.hook = store_hook(v);
        return p;
    }
    if (v->gen == 0) {
        gen_errorf(f->g, f->pos, "vole: variable %s has no place",
            v->name->text);
        p.kind = PLACE_BLANK;
        return p;
    }
    p.slot = gf_var_slot(v);
    p.kind = gf_var_on_heap(f, v) ? PLACE_MEM : PLACE_SLOT;
    p.off = gf_crowded(v) ? (int64_t)(v->gen >> 32) - 1 : 0;
    p.sure = true;
    return p;
}

/* ---- parts ---------------------------------------------------------------- */

struct place
gf_field_place(struct gfunc *f, struct place p, struct object *fld)
{
    struct type *ft = fld->type;

    type_size(p.type); /* lays it out: only then is there an offset */
    rt_assert(fld->offset >= 0 &&
        fld->offset + type_size(ft) <= type_size(p.type));
    switch (p.kind) {
    case PLACE_SLOT:
    case PLACE_BYTES: {
        int64_t off =
            (p.kind == PLACE_SLOT ? (int64_t)p.slot * 8 : p.off) +
            fld->offset;

        p.type = ft;
        if (off % 8 == 0 && (type_size(ft) >= 8 || type_size(ft) == 0)) {
            p.kind = PLACE_SLOT;
            p.slot = (int)(off / 8);
        } else {
            p.kind = PLACE_BYTES;
            p.off = off;
        }
        return p;
    }
    case PLACE_MEM:
    case PLACE_GLOBAL:
        p.off += fld->offset;
        p.type = ft;
        return p;
    case PLACE_ELEM:
    case PLACE_PIDX: {
        int t = gf_addr(f, &p, NO_SLOT);

        return gf_mem_place(t, fld->offset, ft);
    }
    default: {
        struct place q = {0};

        q.kind = PLACE_SLOT;
        q.type = p.type;
        q.slot = gf_load_temp(f, &p);
        return gf_field_place(f, q, fld);
    }
    }
}

/* ---- places of expressions ----------------------------------------------------------------------- */

static struct place
value_place(struct gfunc *f, struct ast_expr *e)
{
    struct place p = {0};

    p.kind = PLACE_SLOT;
    p.type = gf_type(f, e);
    p.slot = gf_expr(f, e);
    return p;
}

static bool
has_no_sign(struct type *t)
{
    return type_is_unsigned(t) && type_size(t) == 8;
}

static int64_t
const_index(struct ast_expr *e)
{
    int64_t v = -1;

    if (e->cv != NULL && const_to_int64(e->cv, &v))
        return v;
    return -1;
}

void
gf_check_late(struct gfunc *f, const struct place *p)
{
    rt_assert(p->late && (p->kind == PLACE_PIDX || p->kind == PLACE_FIDX));
    rt_assert(p->len >= 0 && p->len <= INT32_MAX);
    if (p->kind == PLACE_PIDX)
        gf_abc(f, OP_CHKNIL, p->slot, 0, 0);
    gf_note_index(f, p->nosign);
    gf_ai(f, OP_CHKIDX, p->idx, p->len);
}

/* Can elements be found by their index in the frame itself? */
static bool
is_frame_array(const struct place *a)
{
    struct type *et = type_under(a->type)->elem;

    return a->kind == PLACE_SLOT && type_size(et) == 8 &&
        type_in_frame_scalar(et);
}

/* An element of an array that is longer than CHKIDX can say: of the slice of
 * all of it, which is checked when it is used. */
static struct place
long_array_elem(struct gfunc *f, struct place a, int idx)
{
    static const enum code_slot_kind kinds[2] = {CODE_POINTER, CODE_SCALAR};
    struct type *at = type_under(a.type);
    int ptr = a.slot;

    a.slot = gf_temp_kinds(f, kinds, 2);
    gf_move(f, a.slot, ptr, 1);
    gf_load_const(f, a.slot + 1, (uint64_t)at->len);
    a.kind = PLACE_ELEM;
    a.idx = idx;
    a.type = at->elem;
    return a;
}

/* The element at the index that is in slot idx of an array in the frame, or of
 * one whose address is in a.slot. */
static struct place
elem_at(struct gfunc *f, struct place a, int idx, bool late)
{
    struct type *at = type_under(a.type);

    rt_assert(at->kind == TYPE_ARRAY);
    if (at->len > INT32_MAX)
        return long_array_elem(f, a, idx);
    a.kind = is_frame_array(&a) ? PLACE_FIDX : PLACE_PIDX;
    if (!late) {
        gf_note_index(f, a.nosign);
        gf_ai(f, OP_CHKIDX, idx, at->len);
    }
    a.late = late;
    a.len = at->len;
    a.idx = idx;
    a.type = at->elem;
    return a;
}

/* The field that an element of an array with a constant index is; false: its
 * index is none. */
static bool
const_elem(struct type *at, struct ast_expr *ix, struct object *fld)
{
    int64_t k = const_index(ix);

    if (k < 0 || k >= at->len)
        return false;
    fld->type = at->elem;
    fld->offset = k * type_size(at->elem);
    return true;
}

static struct place
array_elem(struct gfunc *f, struct place a, struct ast_expr *ix, bool late)
{
    struct type *at = type_under(a.type);
    struct object fld = {0};

    rt_assert(at->kind == TYPE_ARRAY);
    if (const_elem(at, ix, &fld))
        return gf_field_place(f, a, &fld);
    late = late && at->len <= INT32_MAX;
    /* In memory, or put there. */
    if (!is_frame_array(&a) && (!late || a.kind != PLACE_MEM || a.off != 0))
        a.slot = gf_addr(f, &a, NO_SLOT);
    a.nosign = has_no_sign(gf_type(f, ix));
    return elem_at(f, a, gf_expr(f, ix), late);
}

static struct place
map_place(struct gfunc *f, struct ast_expr *e, bool reads)
{
    struct ast_expr *x = e->index.x, *key = e->index.at.at[0];
    struct type *t = type_under(gf_type(f, x));
    struct place p = {0};

    rt_assert(t->kind == TYPE_MAP);
    p.kind = PLACE_MAP;
    p.mtype = gf_type(f, x);
    p.type = t->elem;
    p.slot = gf_expr(f, x);
    p.idx = reads && type_is_string(t->key) ? gf_view(f, key) :
        gf_expr_as(f, key, t->key);
    return p;
}

static struct place
index_place(struct gfunc *f, struct ast_expr *e)
{
    struct ast_expr *x = e->index.x, *ix = e->index.at.at[0];
    struct type *xt = type_under(gf_type(f, x));
    struct place p = {0};
    bool late = f->late;

    f->late = false;
    f->pos = e->pos;
    switch (xt->kind) {
    case TYPE_MAP:
        p = map_place(f, e, false);
        break;
    case TYPE_POINTER: /* to an array */
        p = gf_mem_place(gf_expr(f, x), 0, xt->elem);
        p = array_elem(f, p, ix, late);
        break;
    case TYPE_ARRAY:
        p = gf_place_of(f, x);
        p = array_elem(f, p, ix, late);
        break;
    default: /* slice, string */
        p.kind = PLACE_ELEM;
        p.type = xt->kind == TYPE_SLICE ? xt->elem :
            &f->g->c->types.basic[TYPE_UINT8];
        p.slot = gf_expr(f, x);
        p.idx = gf_expr(f, ix);
        p.nosign = has_no_sign(gf_type(f, ix));
        break;
    }
    f->pos = e->pos;
    return p;
}

struct place
gf_walk_steps(struct gfunc *f, struct ast_expr *x, const struct selection *s,
    uint32_t nsteps)
{
    struct place p;
    uint32_t i;

    rt_assert(nsteps <= s->nsteps);
    if (nsteps > 0 && s->steps[0].deref)
        p = value_place(f, x);
    else
        p = gf_place_of(f, x);
    for (i = 0; i < nsteps; i++) {
        if (s->steps[i].deref) {
            int ptr = gf_load_temp(f, &p);

            p = gf_mem_place(ptr, 0, type_under(p.type)->elem);
        }
        p = gf_field_place(f, p, s->steps[i].field);
    }
    return p;
}

/* The value of a large type in an interface, where it lies. */
static struct place
assert_place(struct gfunc *f, struct ast_expr *e)
{
    int s = gf_expr(f, e->assert_.x);

    /* Behind the data word lies what is no pointer itself. */
    rt_assert(!type_is_pointer_shaped(gf_type(f, e)));
    f->pos = e->pos;
    gf_assert(f, gf_type(f, e), gf_type(f, e->assert_.x), NO_SLOT, s, NO_SLOT);
    return gf_mem_place(s + 1, 0, gf_type(f, e));
}

/* Does e denote something that has an address, or a part of such?  So does a
 * large value in an interface, which nobody changes. */
bool
gf_is_place(const struct gfunc *f, struct ast_expr *e)
{
    e = ast_unparen(e);
    if (e->cv != NULL)
        return false;
    if (e->kind == EXPR_ASSERT)
        return type_slots(gf_type(f, e)) > GEN_FRAME_VAR_SLOTS;
    return e->kind == EXPR_STAR || e->kind == EXPR_INDEX ||
        (e->kind == EXPR_NAME && e->obj != NULL && e->obj->kind == OBJ_VAR) ||
        (e->kind == EXPR_SELECTOR && e->selector.how != NULL &&
            e->selector.how->kind == SEL_FIELD);
}

struct place
gf_place_of(struct gfunc *f, struct ast_expr *e)
{
    struct place p = {0};

    e = ast_unparen(e);
    if (e->cv != NULL)
        return value_place(f, e);
    switch (e->kind) {
    case EXPR_NAME:
        if (e->obj != NULL && e->obj->kind == OBJ_VAR)
            return gf_var_place(f, e->obj);
        if (strcmp(e->name->text, "_") == 0) {
            p.kind = PLACE_BLANK;
            p.type = gf_type(f, e);
            return p;
        }
        return value_place(f, e);
    case EXPR_SELECTOR:
        if (e->selector.how == NULL) {
            if (e->obj != NULL && e->obj->kind == OBJ_VAR)
                return gf_var_place(f, e->obj);
            return value_place(f, e);
        }
        if (e->selector.how->kind == SEL_FIELD) {
            f->pos = e->pos;
            return gf_walk_steps(
                f, e->selector.x, e->selector.how, e->selector.how->nsteps);
        }
        return value_place(f, e);
    case EXPR_INDEX:
        return index_place(f, e);
    case EXPR_ASSERT:
        return gf_is_place(f, e) ? assert_place(f, e) : value_place(f, e);
    case EXPR_STAR:
        f->pos = e->pos;
        return gf_mem_place(gf_expr(f, e->x), 0, gf_type(f, e));
    default:
        return value_place(f, e);
    }
}

struct place
gf_read_place(struct gfunc *f, struct ast_expr *e)
{
    struct place p;

    e = ast_unparen(e);
    if (e->kind != EXPR_INDEX || e->cv != NULL ||
        type_kind_of(gf_type(f, e->index.x)) != TYPE_MAP)
        return gf_place_of(f, e);
    f->pos = e->pos;
    p = map_place(f, e, true);
    f->pos = e->pos;
    return p;
}

/* ---- places that are found when they are stored to ------------------------- */

/* A part of a place that is found first. */
struct gen_later {
    struct place of;
    struct object *field; /* NULL: the element of an array at an index */
    int idx;
    bool nosign;
    lang_pos pos;
};

static struct place
part_later(
    struct gfunc *f, const struct place *of, struct type *t, lang_pos pos)
{
    struct gen_later *l = gen_alloc(f->g, sizeof *l);
    struct place p = {0};

    l->of = *of;
    l->pos = pos;
    p.kind = PLACE_LATER;
    p.type = t;
    p.later = l;
    return p;
}

/* To go from an element to its part, the index has to be checked. */
static struct place
field_later(struct gfunc *f, struct place p, struct object *fld, lang_pos pos)
{
    if (p.kind != PLACE_ELEM && p.kind != PLACE_LATER)
        return gf_field_place(f, p, fld);
    p = part_later(f, &p, fld->type, pos);
    p.later->field = fld;
    return p;
}

static struct place
elem_later(struct gfunc *f, struct place p, struct ast_expr *e, bool stable)
{
    struct type *at = type_under(p.type);
    struct ast_expr *ix = e->index.at.at[0];
    struct object *fld = gen_alloc(f->g, sizeof *fld);
    int idx;

    memset(fld, 0, sizeof *fld);
    if (const_elem(at, ix, fld))
        return field_later(f, p, fld, e->pos);
    idx = gf_expr(f, ix);
    if (stable) {
        int t = gf_temp_int(f);

        gf_move(f, t, idx, 1);
        idx = t;
    }
    p = part_later(f, &p, at->elem, e->pos);
    p.later->field = NULL;
    p.later->idx = idx;
    p.later->nosign = has_no_sign(gf_type(f, ix));
    return p;
}

/* Is e a field of what is no pointer? */
static bool
is_inner_field(const struct ast_expr *e)
{
    const struct selection *how;
    uint32_t i;

    /* Other nodes may be shorter. */
    if (e->kind != EXPR_SELECTOR)
        return false;
    how = e->selector.how;
    if (how == NULL || how->kind != SEL_FIELD)
        return false;
    for (i = 0; i < how->nsteps; i++)
        if (how->steps[i].deref)
            return false;
    return true;
}

struct place
gf_later_place(struct gfunc *f, struct ast_expr *e, bool stable)
{
    struct place p;
    uint32_t i;

    e = ast_unparen(e);
    if (is_inner_field(e)) {
        p = gf_later_place(f, e->selector.x, stable);
        for (i = 0; i < e->selector.how->nsteps; i++)
            p = field_later(f, p, e->selector.how->steps[i].field, e->pos);
        return p;
    }
    if (e->kind == EXPR_INDEX) {
        struct type *t = type_under(gf_type(f, e->index.x));

        if (t->kind == TYPE_ARRAY)
            return elem_later(
                f, gf_later_place(f, e->index.x, stable), e, stable);
        if (t->kind == TYPE_POINTER) {
            p = gf_mem_place(gf_expr(f, e->index.x), 0, t->elem);
            return elem_later(f, stable ? gf_stable(f, p) : p, e, stable);
        }
    }
    p = gf_place_of(f, e);
    return stable ? gf_stable(f, p) : p;
}

struct place
gf_found_later(struct gfunc *f, const struct place *p)
{
    const struct gen_later *l = p->later;
    lang_pos pos = f->pos;
    struct place q;

    rt_assert(p->kind == PLACE_LATER && l != NULL);
    q = l->of.kind == PLACE_LATER ? gf_found_later(f, &l->of) : l->of;
    f->pos = l->pos;
    if (l->field != NULL) {
        q = gf_field_place(f, q, l->field);
    } else {
        if (!is_frame_array(&q))
            q.slot = gf_addr(f, &q, NO_SLOT);
        q.nosign = l->nosign;
        q = elem_at(f, q, l->idx, false);
    }
    f->pos = pos;
    return q;
}
