/* SPDX-License-Identifier: MIT */
/*
 * Functions without source: methods as interfaces call them, method values
 * and expressions, builtins behind go and defer, and the program's entry.
 *
 * A wrapper ends in TAILCALL where it can, so that the method runs in the
 * wrapper's own frame: then recover() and tracebacks need no special care.
 */
#include "runtime/lang/gen/gen_int.h"

#include <string.h>

static uint32_t
sig_args(struct type *sig)
{
    uint32_t i, n = 0;

    for (i = 0; i < sig->nparams; i++)
        n += type_slots(sig->vars[i]->type);
    return n;
}

static uint32_t
sig_results(struct type *sig)
{
    uint32_t i, n = 0;

    for (i = sig->nparams; i < sig->nvars; i++)
        n += type_slots(sig->vars[i]->type);
    return n;
}

/* Slots of the frame that nothing may be put into: arguments as they came. */
static void
reserve(struct gfunc *f, uint32_t n)
{
    gf_guard(f, 0, n, true);
    f->nargs = n;
    if (f->top < n)
        f->top = n;
}

/* Go's panic where the method of a value is called through a nil pointer. */
static void
check_pointer(struct gfunc *f, int slot)
{
    uint32_t ok = gf_label(f);

    gf_jump_cmp(f, OP_JNEI, slot, 0, ok);
    gf_ai(f, OP_THROW, 0, CODE_THROW_VALUE_METHOD);
    gf_place(f, ok);
}

/*
 * The receiver that a method wants, from p (the operand it was promoted
 * through): walks the embedded fields, then takes the address or the value.
 * Returns its slot; *type its type.
 */
static int
promoted(struct gfunc *f, struct place p, const struct sel_step *steps,
    uint32_t nsteps, bool take_addr, bool deref, struct type **type)
{
    uint32_t i;
    int s;

    for (i = 0; i < nsteps; i++) {
        if (steps[i].deref) {
            int ptr = gf_load_temp(f, &p);

            p = gf_mem_place(ptr, 0, type_under(p.type)->elem);
        }
        p = gf_field_place(f, p, steps[i].field);
    }
    if (take_addr) {
        *type = type_pointer(f->g->c, p.type);
        return gf_addr(f, &p, NO_SLOT);
    }
    if (deref) {
        s = gf_load_temp(f, &p);
        if (nsteps == 0)
            check_pointer(f, s);
        *type = type_under(p.type)->elem;
        p = gf_mem_place(s, 0, *type);
    } else {
        *type = p.type;
    }
    return gf_load_temp(f, &p);
}

/*
 * Calls method m on the receiver in slots recv with the arguments that lie at
 * slot `from` (nargs of them), and returns what it returns.
 */
static void
forward(struct gfunc *f, struct object *m, bool dynamic, int recv,
    struct type *rtype, int from, uint32_t nargs, uint32_t nres)
{
    uint32_t n = type_slots(rtype), sel = 0;
    int base, room = NO_SLOT;

    /* An interface is its method table and the data word. */
    rt_assert(!dynamic || (n == 2 && type_is_interface(rtype)));
    if (!dynamic && m->decl != NULL &&
        (m->decl->func.func.body != NULL || m->decl->func.func.lazy)) {
        gf_need(f, (int)(n + nargs + 2));
        if ((int)n != from || recv < (int)(n + nargs)) {
            /* Through the outgoing area: sources and targets overlap. */
            base = gf_call_base(f);
            if (base < (int)(n + nargs))
                base = (int)(n + nargs);
            gf_need(f, base + (int)(n + nargs));
            gf_move(f, base, recv, n);
            gf_move(f, base + (int)n, from, nargs);
            gf_move(f, 0, base, n + nargs);
        } else {
            gf_move(f, 0, recv, n);
        }
        gf_ai(f, OP_TAILCALL, 0, gen_func_obj(f->g, m));
        return;
    }
    if (dynamic) {
        sel = gen_selector_live(f->g, m);
        room = gf_method_room(f, sel);
    }
    base = gf_call_base(f);
    gf_need(f, base + (int)(n + nargs > nres ? n + nargs : nres));
    if (dynamic) {
        gf_move(f, base + 1, from, nargs);
        gf_call_method(f, base, recv, sel, room);
    } else {
        gf_move(f, base, recv, n);
        gf_move(f, base + (int)n, from, nargs);
        gf_ai(f, OP_CALLN, base, gen_native(f->g, m));
    }
    if (nres == 0)
        gf_abc(f, OP_RET, 0, 0, 0);
    else
        gf_abc(f, OP_RETN, base, (int)nres, 0);
}

static void
wrapper(struct gfunc *f, uint32_t nargs, uint32_t nres)
{
    f->cf->flags |= CODE_F_WRAPPER;
    f->nargs = 0;
    gf_slots_reset(f);
    f->top = 0;
    reserve(f, nargs);
    f->nres = nres;
    gf_need(f, (int)(nargs > nres ? nargs : nres));
    f->ctx = (uint32_t)gf_temp_ptr(f);
}

/* The kinds of argument slots in a wrapper's frame. */
static uint32_t
set_kinds(struct gfunc *f, uint32_t at, struct type *t)
{
    uint32_t n = type_slots(t);

    rt_assert(at + n <= f->nargs);
    enum code_slot_kind *ks = gen_alloc(f->g, n + 1);

    type_slot_kinds(t, ks);
    gf_set_kinds(f, at, ks, n);
    return at + n;
}

static uint32_t
set_sig_kinds(struct gfunc *f, uint32_t at, struct type *sig)
{
    uint32_t i;

    for (i = 0; i < sig->nparams; i++)
        at = set_kinds(f, at, sig->vars[i]->type);
    return at;
}

/* A method called through an interface: slot 0 is the data word. */
void
gf_wrap_imethod(struct gfunc *f)
{
    struct work *w = f->w;
    struct type *sig = gf_obj_type(f, w->obj), *rt;
    uint32_t nargs = sig_args(sig), nres = sig_results(sig);
    const uint8_t pointer = 1;
    struct place p;
    int recv;

    rt_assert(!type_is_interface(w->type));
    wrapper(f, nargs + 1, nres);
    f->pos = w->obj->pos;
    gf_set_kinds(f, 0, &pointer, 1);
    set_sig_kinds(f, 1, sig);
    if (type_is_pointer_shaped(w->type)) {
        memset(&p, 0, sizeof p);
        p.kind = PLACE_SLOT;
        p.type = w->type;
    } else {
        p = gf_mem_place(0, 0, w->type);
    }
    recv = promoted(f, p, w->entry.steps, w->entry.nsteps, w->entry.take_addr,
        w->entry.deref, &rt);
    forward(f, w->obj, w->entry.is_iface, recv, rt, 1, nargs, nres);
}

/* x.m as a value: the receiver is in the closure, or x. */
void
gf_wrap_bound(struct gfunc *f)
{
    struct work *w = f->w;
    struct type *sig = gf_obj_type(f, w->obj), *rt = w->type;
    uint32_t nargs = sig_args(sig), nres = sig_results(sig);
    int recv;

    wrapper(f, nargs, nres);
    f->pos = w->obj->pos;
    set_sig_kinds(f, 0, sig);
    f->uses_ctx = true;
    recv = gf_temp(f, w->type);
    switch (type_slots(w->type)) {
    case 0:
        break;
    case 1:
        gf_abc(f, OP_LD64, recv, (int)f->ctx, 8);
        break;
    case 2:
        gf_abc(f, OP_LD2, recv, (int)f->ctx, 8);
        break;
    case 3:
        gf_abc(f, OP_LD3, recv, (int)f->ctx, 8);
        break;
    default:
        gf_abc(f, OP_LDM, recv, (int)f->ctx, 8);
        gf_ext(f, 0, (int64_t)type_slots(w->type) * 8);
        break;
    }
    if (w->sel->late) {
        struct place p = {.kind = PLACE_SLOT, .slot = recv, .type = w->type};

        recv = promoted(f, p, w->sel->steps, w->sel->nsteps,
            w->sel->take_addr, w->sel->deref, &rt);
    }
    forward(f, w->obj, w->sel->is_iface, recv, rt, 0, nargs, nres);
}

/* T.m as a function; also a native as a function value (no selection). */
void
gf_wrap_mexpr(struct gfunc *f)
{
    struct work *w = f->w;
    struct type *sig = type_under(w->type), *first, *rt;
    uint32_t nargs = sig_args(sig), nres = sig_results(sig), n0;
    struct place p = {0};
    int recv, base;

    wrapper(f, nargs, nres);
    f->pos = w->obj->pos;
    set_sig_kinds(f, 0, sig);
    if (w->sel == NULL) {
        base = gf_call_base(f);
        gf_need(f, base + (int)(nargs > nres ? nargs : nres));
        gf_move(f, base, 0, nargs);
        gf_ai(f, OP_CALLN, base, gen_native(f->g, w->obj));
        if (nres == 0)
            gf_abc(f, OP_RET, 0, 0, 0);
        else
            gf_abc(f, OP_RETN, base, (int)nres, 0);
        return;
    }
    rt_assert(sig->nparams > 0); /* the receiver is the first of them */
    first = sig->vars[0]->type;
    n0 = type_slots(first);
    p.kind = PLACE_SLOT;
    p.type = first;
    recv = promoted(f, p, w->sel->steps, w->sel->nsteps, w->sel->take_addr,
        w->sel->deref, &rt);
    forward(f, w->obj, w->sel->is_iface, recv, rt, (int)n0, nargs - n0,
        nres);
}

static bool
is_type_arg(const struct ast_expr *e, uint32_t i)
{
    return i < e->call.args.n && e->call.args.at[i]->mode == MODE_TYPE;
}

/* go or defer of a builtin: its operands are the parameters. */
void
gf_wrap_builtin(struct gfunc *f)
{
    struct ast_expr *e = f->w->call;
    uint32_t i, count = gf_builtin_nargs(f, e), n = 0, at = 0;
    int *slots = gen_alloc(f->g, (count + 1) * sizeof *slots);

    for (i = 0; i < count; i++)
        if (!is_type_arg(e, i))
            n += type_slots(gf_builtin_arg_type(f, e, i));
    wrapper(f, n, 0);
    f->pos = e->pos;
    for (i = 0; i < count; i++) {
        if (is_type_arg(e, i))
            continue;
        slots[i] = (int)at;
        at = set_kinds(f, at, gf_builtin_arg_type(f, e, i));
    }
    if (!(e->flags & AST_F_CONVERSION))
        gf_builtin_slots(f, e, slots);
    rt_assert(at == n);
    gf_abc(f, OP_RET, 0, 0, 0);
}

/* Package initialisation in dependency order, then main.main. */
void
gf_entry(struct gfunc *f)
{
    struct gen *g = f->g;
    uint32_t i, j, id;
    int base;

    f->pos = g->main->main->pos;
    base = gf_call_base(f);
    gf_need(f, base);
    for (i = 0; i < g->c->norder; i++) {
        struct check_pkg *p = g->c->order[i];

        for (j = 0; j < p->ninit_items; j++)
            if (gen_init_func(g, &p->init_items[j], &id))
                gf_ai(f, OP_CALL, base, id);
        for (j = 0; j < p->ninits; j++)
            gf_ai(f, OP_CALL, base, gen_func_obj(g, p->inits[j]));
    }
    gf_ai(f, OP_CALL, base, g->im->main);
    gf_abc(f, OP_RET, 0, 0, 0);
}
