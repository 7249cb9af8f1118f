/* SPDX-License-Identifier: MIT */
/*
 * Calls, go and defer.
 *
 * Arguments that contain calls are evaluated to temporaries first; then all
 * are written to the outgoing area, which starts two slots above everything
 * live, and the call follows at once.
 */
#include "runtime/lang/gen/gen_hoist.h"
#include "runtime/lang/gen/gen_int.h"
#include "runtime/lang/gen/gen_lent.h"
#include "runtime/lang/gen/gen_tame.h"

#include <stdlib.h>
#include <string.h>

/* How the callee is reached. */
enum callee_kind { CALL_STATIC, CALL_NATIVE, CALL_CLOSURE, CALL_IFACE };

struct callee {
    enum callee_kind kind;
    uint32_t id;       /* function, native or selector */
    int slot;          /* closure, interface */
    int recv;          /* receiver value in slots, or NO_SLOT */
    struct type *recv_type;
    struct type *sig;
    struct object *obj; /* STATIC, NATIVE */
    bool calls_made;    /* the operands call nothing any more */
    int lent;           /* address of memory for what it returns, or NO_SLOT */
};

/* call: the call that is made now; NULL: it is not. */
static void
static_callee(struct gfunc *f, struct object *fn, const struct ast_expr *call,
    struct callee *c)
{
    bool native = gen_is_native(f->g, &fn);

    c->obj = fn;
    if (native) {
        c->kind = CALL_NATIVE;
        c->id = gen_native(f->g, fn);
    } else {
        c->kind = CALL_STATIC;
        if (call != NULL)
            c->lent = gf_lend(f, call, fn);
        c->id = call != NULL && gen_calls_tame(f->g, call) ?
            gen_func_tame(f->g, fn, c->lent != NO_SLOT) :
            c->lent != NO_SLOT ? gen_func_lent(f->g, fn) :
                                 gen_func_obj(f->g, fn);
    }
}

static void
method_callee(struct gfunc *f, struct ast_expr *fun, const struct ast_expr *call,
    struct callee *c)
{
    struct selection *s = fun->selector.how;

    c->recv = gf_receiver(f, fun);
    if (s->is_iface) {
        c->kind = CALL_IFACE;
        c->slot = c->recv;
        c->recv = NO_SLOT;
        c->id = gen_selector_live(f->g, s->obj);
        return;
    }
    if (s->take_addr)
        c->recv_type = type_pointer(f->g->c, s->base);
    else if (s->deref)
        c->recv_type = type_under(s->base)->elem;
    else
        c->recv_type = s->base;
    static_callee(f, s->obj, call, c);
}

/* later: it is not called here, but by a go statement or a deferred call. */
static void
find_callee(struct gfunc *f, struct ast_expr *e, bool later, struct callee *c)
{
    struct ast_expr *fun = ast_unparen(e->call.fun), *now = later ? NULL : e;

    memset(c, 0, sizeof *c);
    c->lent = NO_SLOT;
    c->calls_made = gf_hoist_call(f, e);
    c->recv = NO_SLOT;
    c->sig = type_under(gf_type(f, fun));
    if ((fun->kind == EXPR_NAME ||
            (fun->kind == EXPR_SELECTOR && fun->selector.how == NULL)) &&
        fun->obj != NULL && fun->obj->kind == OBJ_FUNC) {
        static_callee(f, fun->obj, now, c);
        return;
    }
    if (fun->kind == EXPR_SELECTOR && fun->selector.how != NULL &&
        fun->selector.how->kind == SEL_METHOD &&
        !(later && fun->selector.how->late)) {
        method_callee(f, fun, now, c);
        return;
    }
    if (fun->kind == EXPR_SELECTOR && fun->selector.how != NULL &&
        fun->selector.how->kind == SEL_METHOD_EXPR &&
        fun->selector.how->nsteps == 0 && !fun->selector.how->is_iface &&
        !fun->selector.how->deref && !fun->selector.how->take_addr) {
        static_callee(f, fun->selector.how->obj, now, c);
        return;
    }
    c->kind = CALL_CLOSURE;
    c->slot = gf_expr(f, fun);
}

/* ---- arguments ------------------------------------------------------------------ */

/* A value on its way to the outgoing area: an expression still to be
 * evaluated there, or slots that hold it. */
struct arg {
    struct ast_expr *e;
    int slot;           /* NO_SLOT: evaluate e */
    struct type *from;  /* type of the slots */
    struct type *to;
};

struct args {
    struct arg *at;
    uint32_t n;
};

/* The slice that holds the surplus arguments of a variadic call. */
static int
variadic_slice(struct gfunc *f, struct ast_exprs list, uint32_t from,
    struct type *slice, int home)
{
    struct type *et = type_under(slice)->elem;
    uint32_t n = list.n - from, i, m;
    int s = gf_temp(f, slice), ptr = s;
    struct type *arr;

    if (n == 0) {
        gf_zero(f, s, 3);
        return s;
    }
    arr = type_array(f->g->c, et, n);
    gf_new(f, arr, home, ptr);
    gf_load_const(f, s + 1, n);
    gf_load_const(f, s + 2, n);
    for (i = 0; i < n; i++) {
        int v;

        m = gf_mark(f);
        v = gf_expr_as(f, list.at[from + i], et);
        gf_store_mem(f, v, ptr, (int64_t)i * type_size(et), et);
        gf_release(f, m);
    }
    return s;
}

/* Surplus values of f(g()) for a variadic f. */
static int
tuple_slice(struct gfunc *f, struct type *tuple, const int *slots,
    uint32_t from, struct type *slice)
{
    struct type *et = type_under(slice)->elem;
    uint32_t n = tuple->nvars - from, i, m;
    int s = gf_temp(f, slice);

    if (n == 0) {
        gf_zero(f, s, 3);
        return s;
    }
    gf_ai(f, OP_NEW, s, gen_type(f->g, type_array(f->g->c, et, n)));
    gf_load_const(f, s + 1, n);
    gf_load_const(f, s + 2, n);
    for (i = 0; i < n; i++) {
        struct type *vt = tuple->vars[from + i]->type;
        int v = slots[from + i];

        m = gf_mark(f);
        if (type_is_interface(et) && !type_is_interface(vt)) {
            v = gf_temp(f, et);
            gf_to_iface(f, et, vt, v, slots[from + i]);
        }
        gf_store_mem(f, v, s, (int64_t)i * type_size(et), et);
        gf_release(f, m);
    }
    return s;
}

static void
tuple_args(struct gfunc *f, struct ast_expr *call, struct type *sig,
    struct args *as)
{
    struct ast_expr *x = call->call.args.at[0];
    struct type *tuple = gf_type(f, x);
    uint32_t i, fixed = sig->nparams - (sig->variadic ? 1 : 0);
    int *slots = gen_alloc(f->g, (tuple->nvars + 1) * sizeof *slots);

    gf_call_tuple(f, ast_unparen(x), slots);
    as->n = sig->nparams;
    as->at = gen_alloc(f->g, (as->n + 1) * sizeof *as->at);
    for (i = 0; i < fixed; i++) {
        as->at[i].slot = slots[i];
        as->at[i].from = tuple->vars[i]->type;
        as->at[i].to = sig->vars[i]->type;
    }
    if (sig->variadic) {
        as->at[fixed].to = as->at[fixed].from = sig->vars[fixed]->type;
        as->at[fixed].slot =
            tuple_slice(f, tuple, slots, fixed, sig->vars[fixed]->type);
    }
}

/*
 * Does evaluating e need slots or calls, so that it must happen before the
 * outgoing area is being filled?  Names and constants do not.
 */
static void
prepare_args(struct gfunc *f, struct ast_expr *call, struct type *sig,
    bool calls_made, struct args *as)
{
    struct ast_exprs list = call->call.args;
    uint32_t i, fixed = sig->nparams - (sig->variadic ? 1 : 0), last = 0;
    bool spread = (call->flags & AST_F_DOTS) != 0;

    if (list.n == 1 && list.at[0]->mode == MODE_TUPLE &&
        gf_type(f, list.at[0])->kind == TYPE_TUPLE &&
        gf_type(f, list.at[0])->nvars > 1) {
        tuple_args(f, call, sig, as);
        return;
    }
    as->n = sig->nparams;
    as->at = gen_alloc(f->g, (as->n + 1) * sizeof *as->at);
    for (i = 0; i < list.n; i++)
        if (!calls_made && expr_may_call(list.at[i]))
            last = i + 1;
    for (i = 0; i < as->n; i++) {
        struct arg *a = &as->at[i];

        a->to = sig->vars[i]->type;
        a->slot = NO_SLOT;
        if (sig->variadic && i == fixed && !spread) {
            a->slot = variadic_slice(f, list, fixed, a->to,
                (call->flags & AST_F_STAYS) != 0 ? HOME_CELL : HOME_HEAP);
            a->from = a->to;
            continue;
        }
        a->e = list.at[i];
        /* Everything up to the last argument that calls goes to temporaries,
         * in order; so does what a variadic slice follows. */
        if (i < last || (sig->variadic && !spread)) {
            a->slot = gf_expr_as(f, a->e, a->to);
            a->from = a->to;
        }
    }
}

/* Writes the arguments from slot `at` on; returns the slot after them. */
static int
place_args(struct gfunc *f, struct args *as, int at)
{
    uint32_t i, m;

    /* Reserve the whole area first, so that temporaries of the evaluation
     * lie above it. */
    for (i = 0; i < as->n; i++) {
        struct arg *a = &as->at[i];
        uint32_t n = type_slots(a->to);

        gf_need(f, at + (int)n);
        m = gf_mark(f);
        if (a->slot == NO_SLOT)
            gf_expr_as_to(f, a->e, a->to, at);
        else if (type_is_interface(a->to) && !type_is_interface(a->from))
            gf_to_iface(f, a->to, a->from, at, a->slot);
        else
            gf_move(f, at, a->slot, n);
        gf_release(f, m);
        at += (int)n;
    }
    return at;
}

static uint32_t
args_slots(const struct args *as)
{
    uint32_t i, n = 0;

    for (i = 0; i < as->n; i++)
        n += type_slots(as->at[i].to);
    return n;
}

static uint32_t
result_slots(struct type *sig)
{
    uint32_t i, n = 0;

    for (i = sig->nparams; i < sig->nvars; i++)
        n += type_slots(sig->vars[i]->type);
    return n;
}

/* ---- the call ---------------------------------------------------------------------------- */

int
gf_method_room(struct gfunc *f, uint32_t sel)
{
    static const enum code_slot_kind kinds[2] = {CODE_POINTER, CODE_POINTER};

    return sel <= UINT16_MAX ? NO_SLOT : gf_temp_kinds(f, kinds, 2);
}

void
gf_call_method(struct gfunc *f, int base, int iface, uint32_t sel, int room)
{
    rt_assert(f->g->failed || (sel <= UINT16_MAX) == (room == NO_SLOT));
    if (sel <= UINT16_MAX) {
        gf_abc(f, OP_CALLI, base, iface, (int)sel);
        return;
    }
    gf_method_value(f, room, iface, sel);
    gf_move(f, base, room + 1, 1);
    gf_abc(f, OP_CALLC, base, room, 0);
}

void
gf_call_closure(struct gfunc *f, int base, int clo, uint32_t nargs)
{
    rt_assert(nargs < UINT16_MAX);
    gf_abc(f, OP_CALLC, base, clo, (int)nargs + 1);
}

void
gf_method_value(struct gfunc *f, int dst, int iface, uint32_t sel)
{
    gf_abc(f, OP_IMETH, dst, iface, 0);
    gf_ext(f, 0, (int32_t)sel);
}

/*
 * Makes the call; its results begin at the returned slot, in the outgoing
 * area, not protected yet.
 */
static int
emit_call(struct gfunc *f, struct ast_expr *e, struct callee *c)
{
    struct args as;
    uint32_t nargs, nres, ahead = 0;
    int base, at, room = NO_SLOT;
    uint32_t guard;

    prepare_args(f, e, c->sig, c->calls_made, &as);
    nargs = args_slots(&as) + (c->lent != NO_SLOT);
    nres = result_slots(c->sig);
    if (c->recv != NO_SLOT) {
        ahead = type_slots(c->recv_type);
    } else if (c->kind == CALL_IFACE) {
        ahead = 1;
        room = gf_method_room(f, c->id);
    }
    base = gf_call_base(f);
    rt_assert(f->g->failed || room == NO_SLOT || room + 2 <= base);
    gf_need(f, base + (int)(ahead + nargs > nres ? ahead + nargs : nres));
    /* Temporaries of late arguments go above the area; they hold no place
     * in it because `top` is raised over it meanwhile. */
    guard = f->top;
    at = base;
    f->top = (uint32_t)base + ahead + nargs;
    gf_guard(f, (uint32_t)base, ahead + nargs, true);
    if (c->recv != NO_SLOT)
        gf_move(f, at, c->recv, ahead);
    at = place_args(f, &as, at + (int)ahead);
    if (c->lent != NO_SLOT)
        gf_move(f, at, c->lent, 1);
    gf_guard(f, (uint32_t)base, ahead + nargs, false);
    f->top = guard;
    f->pos = e->pos;
    switch (c->kind) {
    case CALL_STATIC: gf_ai(f, OP_CALL, base, c->id); break;
    case CALL_NATIVE: gf_ai(f, OP_CALLN, base, c->id); break;
    case CALL_CLOSURE: gf_call_closure(f, base, c->slot, nargs); break;
    case CALL_IFACE:
        gf_call_method(f, base, c->slot, c->id, room);
        break;
    }
    return base;
}

int
gf_call(struct gfunc *f, struct ast_expr *e, bool want)
{
    uint32_t m = gf_mark(f);
    lang_pos pos = f->pos;
    struct callee c;
    uint32_t h = f->hoisted.n;
    int base, t;

    f->pos = e->pos;
    find_callee(f, e, false, &c);
    t = c.obj == NULL ? NO_SLOT : gf_intrinsic(f, e, c.obj);
    if (t != NO_SLOT) {
        f->hoisted.n = h;
        f->pos = pos;
        return t;
    }
    base = emit_call(f, e, &c);
    f->hoisted.n = h;
    gf_release(f, m);
    f->pos = pos;
    if (!want || gf_type(f, e) == NULL || gf_type(f, e)->kind == TYPE_TUPLE)
        return base;
    if (gf_claim(f, base, gf_type(f, e)))
        return base;
    t = gf_temp(f, gf_type(f, e));
    gf_move(f, t, base, type_slots(gf_type(f, e)));
    return t;
}

void
gf_call_tuple(struct gfunc *f, struct ast_expr *e, int *slots)
{
    struct type *tuple = gf_type(f, e);
    uint32_t i, m = gf_mark(f);
    lang_pos pos = f->pos;
    struct callee c;
    uint32_t h = f->hoisted.n;
    int at, end;

    f->pos = e->pos;
    find_callee(f, e, false, &c);
    at = emit_call(f, e, &c);
    f->hoisted.n = h;
    gf_release(f, m);
    f->pos = pos;
    end = at;
    for (i = 0; i < tuple->nvars; i++) {
        slots[i] = NO_SLOT;
        end += (int)type_slots(tuple->vars[i]->type);
    }
    /* First those that can stay, so that the others do not land on them. */
    gf_guard(f, (uint32_t)at, (uint32_t)(end - at), true);
    for (i = 0; i < tuple->nvars; i++) {
        struct type *vt = tuple->vars[i]->type;
        uint32_t n = type_slots(vt);

        gf_guard(f, (uint32_t)at, n, false);
        if (gf_claim(f, at, vt)) {
            slots[i] = at;
        } else {
            gf_guard(f, (uint32_t)at, n, true);
            slots[i] = gf_temp(f, vt);
            gf_move(f, slots[i], at, n);
            gf_guard(f, (uint32_t)at, n, false);
        }
        at += (int)n;
    }
    gf_release(f, gf_mark(f));
}

/* ---- go and defer ----------------------------------------------------------------------------- */

/* Defers a function, in a closure's slot or by number, with the arguments at
 * base.  What the body of a range-over-func loop defers is its function's. */
static int
defer_target(struct gfunc *f, int clo, uint32_t id)
{
    static const enum code_slot_kind kinds[2] = {CODE_POINTER, CODE_SCALAR};
    int t;

    if (f->range == NULL)
        return clo;
    t = gf_temp_kinds(f, kinds, 2);
    if (clo != NO_SLOT)
        gf_move(f, t, clo, 1);
    else
        gf_ai(f, OP_LDFN, t, id);
    gf_move(f, t + 1, gf_range_frame(f), 1);
    return t;
}

static void
emit_spawn(struct gfunc *f, bool is_go, int base, int nargs, int clo,
    uint32_t id)
{
    if (!is_go && f->range != NULL) {
        gf_abc(f, OP_DEFERAT, base, nargs, clo);
    } else if (clo != NO_SLOT) {
        gf_abc(f, is_go ? OP_GOC : OP_DEFERC, base, nargs, clo);
    } else {
        gf_abc(f, is_go ? OP_GO : OP_DEFER, base, nargs, 0);
        gf_ext(f, 0, id);
    }
}

/* A function whose parameters are the operands of a builtin or conversion. */
static void
spawn_builtin(struct gfunc *f, struct ast_expr *e, bool is_go)
{
    struct work w = {0};
    uint32_t i, n = gf_builtin_nargs(f, e), m = gf_mark(f);
    int base, at, *slots = gen_alloc(f->g, (n + 1) * sizeof *slots);
    int clo = NO_SLOT;
    uint32_t id;

    w.kind = WORK_BUILTIN;
    w.call = e;
    w.pkg = f->pkg;
    w.info = f->info;
    w.name = gen_sprintf(f->g, "%s.func", f->cf->name);
    gf_builtin_args(f, e, slots);
    id = gen_work(f->g, &w);
    if (!is_go)
        clo = defer_target(f, clo, id);
    base = gf_call_base(f);
    at = base;
    for (i = 0; i < n; i++) {
        struct type *t;

        if (slots[i] == NO_SLOT)
            continue;
        t = gf_builtin_arg_type(f, e, i);
        gf_need(f, at + (int)type_slots(t));
        gf_move(f, at, slots[i], type_slots(t));
        at += (int)type_slots(t);
    }
    f->pos = e->pos;
    emit_spawn(f, is_go, base, at - base, clo, id);
    gf_release(f, m);
}

static void
spawn(struct gfunc *f, struct ast_stmt *s, bool is_go)
{
    struct ast_expr *e = ast_unparen(s->x);
    uint32_t m = gf_mark(f), nargs, ahead = 0, guard;
    struct callee c;
    struct args as;
    uint32_t h = f->hoisted.n;
    int base, clo = NO_SLOT;

    f->pos = s->pos;
    if ((e->flags & AST_F_CONVERSION) || e->call.fun->mode == MODE_BUILTIN) {
        if (is_go && e->call.fun->mode == MODE_BUILTIN &&
            e->call.builtin == BUILTIN_RECOVER)
            return; /* not called by a deferred function: no effect */
        spawn_builtin(f, e, is_go);
        return;
    }
    find_callee(f, e, true, &c);
    if (c.kind == CALL_IFACE) {
        static const enum code_slot_kind kinds[2] = {
            CODE_POINTER, CODE_POINTER};
        int t = gf_temp_kinds(f, kinds, 2);

        f->pos = e->pos;
        gf_method_value(f, t, c.slot, c.id);
        c.kind = CALL_CLOSURE;
        c.slot = t;
        c.recv = t + 1;
        c.recv_type = &f->g->c->types.basic[TYPE_UNSAFE_POINTER];
    }
    if (c.kind == CALL_NATIVE) {
        struct work w = {0};

        w.kind = WORK_MEXPR;
        w.obj = c.obj;
        w.pkg = c.obj->pkg;
        w.type = c.sig;
        w.name = gen_sprintf(f->g, "%s.%s", c.obj->pkg->path,
            check_func_name(f->g->c, c.obj));
        c.kind = CALL_STATIC;
        c.id = gen_work(f->g, &w);
    }
    if (c.kind == CALL_CLOSURE)
        clo = c.slot;
    if (!is_go)
        clo = defer_target(f, clo, c.id);
    prepare_args(f, e, c.sig, c.calls_made, &as);
    nargs = args_slots(&as);
    if (c.recv != NO_SLOT)
        ahead = type_slots(c.recv_type);
    base = gf_call_base(f);
    gf_need(f, base + (int)(ahead + nargs));
    guard = f->top;
    f->top = (uint32_t)base + ahead + nargs;
    gf_guard(f, (uint32_t)base, ahead + nargs, true);
    if (c.recv != NO_SLOT)
        gf_move(f, base, c.recv, ahead);
    place_args(f, &as, base + (int)ahead);
    gf_guard(f, (uint32_t)base, ahead + nargs, false);
    f->top = guard;
    f->pos = s->pos;
    emit_spawn(f, is_go, base, (int)(ahead + nargs), clo, c.id);
    f->hoisted.n = h;
    gf_release(f, m);
}

void
gf_go(struct gfunc *f, struct ast_stmt *s)
{
    spawn(f, s, true);
}

void
gf_defer(struct gfunc *f, struct ast_stmt *s)
{
    spawn(f, s, false);
}
