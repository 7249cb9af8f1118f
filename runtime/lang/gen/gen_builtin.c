/* SPDX-License-Identifier: MIT */
/*
 * The built-in functions.
 */
#include "runtime/lang/gen/gen_hoist.h"
#include "runtime/lang/gen/gen_int.h"

#include <string.h>

/* ---- operands ---------------------------------------------------------------- */

/* f(g()) with a g of several results: its tuple, else NULL. */
static struct type *
tuple_of(const struct gfunc *f, const struct ast_expr *e)
{
    struct ast_expr *a;

    if (e->call.args.n != 1)
        return NULL;
    a = e->call.args.at[0];
    return a->mode == MODE_TUPLE && gf_type(f, a)->kind == TYPE_TUPLE ?
        gf_type(f, a) : NULL;
}

uint32_t
gf_builtin_nargs(const struct gfunc *f, const struct ast_expr *e)
{
    struct type *t = tuple_of(f, e);

    return t != NULL ? t->nvars : e->call.args.n;
}

/* As the operand is written. */
static struct type *
own_type(const struct gfunc *f, const struct ast_expr *e, uint32_t i)
{
    struct type *t = tuple_of(f, e);

    return t != NULL ? t->vars[i]->type : gf_type(f, e->call.args.at[i]);
}

struct type *
gf_builtin_arg_type(struct gfunc *f, struct ast_expr *e, uint32_t i)
{
    struct type *a = own_type(f, e, i);
    struct type_table *tt = &f->g->c->types;

    if (!(e->flags & AST_F_CONVERSION)) {
        if (e->call.builtin == BUILTIN_DELETE && i == 1)
            return type_under(own_type(f, e, 0))->key;
        if (e->call.builtin == BUILTIN_PANIC)
            return tt->empty_iface;
        if (e->call.builtin == BUILTIN_APPEND && i > 0 &&
            !(e->flags & AST_F_DOTS))
            return type_under(gf_type(f, e))->elem;
    }
    if (!type_is_untyped(a))
        return a;
    switch (a->kind) {
    case TYPE_UNTYPED_BOOL: return &tt->basic[TYPE_BOOL];
    case TYPE_UNTYPED_RUNE: return &tt->basic[TYPE_INT32];
    case TYPE_UNTYPED_FLOAT: return &tt->basic[TYPE_FLOAT64];
    case TYPE_UNTYPED_COMPLEX: return &tt->basic[TYPE_COMPLEX128];
    case TYPE_UNTYPED_STRING: return &tt->basic[TYPE_STRING];
    case TYPE_UNTYPED_NIL: return tt->empty_iface;
    default: return &tt->basic[TYPE_INT];
    }
}

/* Is operand i a string or bytes that the builtin looks at and forgets, with
 * nothing evaluated behind it? */
static bool
looks_at(const struct gfunc *f, const struct ast_expr *e, uint32_t i,
    uint32_t n)
{
    if (i != 1 || n != 2)
        return false;
    switch (e->call.builtin) {
    case BUILTIN_COPY:
        return true;
    case BUILTIN_APPEND:
        return (e->flags & AST_F_DOTS) != 0;
    case BUILTIN_DELETE:
        return type_is_string(type_under(own_type(f, e, 0))->key);
    default:
        return false;
    }
}

/* Evaluates the operands, converted as the builtin wants them; types get
 * NO_SLOT, and so do, where they can be made one by one when they are used
 * (lazy), constants.  now: the builtin comes at once, not by go or defer. */
static void
eval_args(struct gfunc *f, struct ast_expr *e, int *slots, bool lazy,
    bool now)
{
    uint32_t i, n = gf_builtin_nargs(f, e);

    if (tuple_of(f, e) != NULL) {
        gf_call_tuple(f, ast_unparen(e->call.args.at[0]), slots);
        for (i = 0; i < n; i++) {
            struct type *to = gf_builtin_arg_type(f, e, i);
            struct type *from = own_type(f, e, i);

            if (type_is_interface(to) && !type_is_interface(from)) {
                int t = gf_temp(f, to);

                gf_to_iface(f, to, from, t, slots[i]);
                slots[i] = t;
            }
        }
        return;
    }
    for (i = 0; i < n; i++) {
        struct ast_expr *a = e->call.args.at[i];

        if (a->mode == MODE_TYPE || (lazy && a->cv != NULL))
            slots[i] = NO_SLOT;
        else if (now && looks_at(f, e, i, n))
            slots[i] = gf_view(f, a);
        else
            slots[i] = gf_expr_as(f, a, gf_builtin_arg_type(f, e, i));
    }
}

void
gf_builtin_args(struct gfunc *f, struct ast_expr *e, int *slots)
{
    eval_args(f, e, slots, false, false);
}

/* The slot of an operand, of a constant that has been left out, too. */
static int
lazy_arg(struct gfunc *f, struct ast_expr *e, uint32_t i, int slot)
{
    return slot != NO_SLOT ? slot :
        gf_expr_as(f, e->call.args.at[i], gf_builtin_arg_type(f, e, i));
}

/* ---- print ------------------------------------------------------------------------ */

/* With more the next instruction but loads of constants is a PRINT again. */
static void
print_one(struct gfunc *f, struct type *t, int slot, bool more)
{
    int how;

    switch (type_kind_of(t)) {
    case TYPE_BOOL: how = CODE_PRINT_BOOL; break;
    case TYPE_FLOAT32: how = CODE_PRINT_FLOAT32; break;
    case TYPE_FLOAT64: how = CODE_PRINT_FLOAT; break;
    case TYPE_COMPLEX64: how = CODE_PRINT_COMPLEX64; break;
    case TYPE_COMPLEX128: how = CODE_PRINT_COMPLEX; break;
    case TYPE_STRING: how = CODE_PRINT_STRING; break;
    case TYPE_INTERFACE: how = CODE_PRINT_IFACE; break;
    case TYPE_SLICE: how = CODE_PRINT_SLICE; break;
    default:
        if (type_is_pointer_shaped(t))
            how = CODE_PRINT_HEX;
        else
            how = type_is_unsigned(t) ? CODE_PRINT_UINT : CODE_PRINT_INT;
        rt_assert(type_is_pointer_shaped(t) || type_is_integer(t));
        break;
    }
    gf_abc(f, OP_PRINT, slot, how, more);
}

static void
print_slots(struct gfunc *f, struct ast_expr *e, const int *args)
{
    bool ln = e->call.builtin == BUILTIN_PRINTLN;
    uint32_t i, m, n = gf_builtin_nargs(f, e);

    for (i = 0; i < n; i++) {
        if (ln && i > 0)
            gf_abc(f, OP_PRINT, 0, CODE_PRINT_SPACE, 1);
        m = gf_mark(f);
        print_one(f, gf_builtin_arg_type(f, e, i),
            lazy_arg(f, e, i, args[i]), ln || i + 1 < n);
        gf_release(f, m);
    }
    if (ln)
        gf_abc(f, OP_PRINT, 0, CODE_PRINT_NEWLINE, 0);
}

/* ---- those without a result --------------------------------------------------------- */

static void
copy_slots(struct gfunc *f, struct ast_expr *e, int dst, const int *args)
{
    struct type *t = type_under(own_type(f, e, 0));

    gf_abc(f, OP_COPYSL, dst, args[0], args[1]);
    gf_ext(f, 0, gen_type(f->g, t->elem));
}

void
gf_builtin_slots(struct gfunc *f, struct ast_expr *e, const int *args)
{
    struct type *t0 = gf_builtin_nargs(f, e) ?
        type_under(gf_builtin_arg_type(f, e, 0)) : NULL;
    uint32_t m = gf_mark(f);

    switch (e->call.builtin) {
    case BUILTIN_CLOSE:
        gf_ai(f, OP_CHANCLOSE, args[0], gen_type(f->g, t0));
        break;
    case BUILTIN_COPY:
        copy_slots(f, e, gf_temp_int(f), args);
        break;
    case BUILTIN_DELETE:
        gf_abc(f, OP_MAPDEL, 0, args[0], args[1]);
        gf_ext(f, 0, gen_type(f->g, t0));
        break;
    case BUILTIN_CLEAR:
        if (t0->kind == TYPE_MAP) {
            gf_abc(f, OP_MAPCLR, 0, args[0], 0);
            gf_ext(f, 0, gen_type(f->g, t0));
        } else {
            gf_abc(f, OP_CLRSL, 0, args[0], 0);
            gf_ext(f, 0, gen_type(f->g, t0->elem));
        }
        break;
    case BUILTIN_PANIC:
        gf_abc(f, OP_PANIC, args[0], 0, 0);
        break;
    case BUILTIN_PRINT:
    case BUILTIN_PRINTLN:
        print_slots(f, e, args);
        break;
    case BUILTIN_RECOVER:
        /* Deferred itself: a call by the function that deferred it. */
        gf_abc(f, OP_RECOVER,
            gf_temp(f, f->g->c->types.empty_iface), 1, 0);
        break;
    default:
        break;
    }
    gf_release(f, m);
}

/* ---- make, append --------------------------------------------------------------------- */

/* A size operand of make as an int: constants and any integer type; a value
 * beyond int64 stays negative and is refused at run time. */
static int
size_arg(struct gfunc *f, struct ast_expr *a)
{
    return gf_expr(f, a);
}

/* new(T), or new(x) with a value to begin with, which may stand in dst. */
static void
new_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_expr *x = e->call.args.at[0];
    struct type *t = type_under(gf_type(f, e))->elem;
    int ptr = x->mode == MODE_TYPE ? dst : gf_temp_ptr(f);
    struct place p = gf_mem_place(ptr, 0, t);

    gf_new(f, t, gf_home_expr(f, e), ptr);
    if (x->mode == MODE_TYPE)
        return;
    gf_assign_expr(f, &p, x);
    gf_move(f, dst, ptr, 1);
}

/* make([]T, n, m) of a constant m, whose array may be a cell.  Of an n that is
 * none and does not fit the allocation knows what to say. */
static void
make_cell(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_exprs list = e->call.args;
    struct type *t = type_under(gf_type(f, e));
    int s = gf_temp(f, t), n = NO_SLOT;
    uint32_t other = 0, end = 0;
    int64_t len = 0, cap = 0;

    const_to_int64(list.at[list.n - 1]->cv, &cap);
    if (list.at[1]->cv != NULL) {
        const_to_int64(list.at[1]->cv, &len);
        rt_assert(len >= 0 && len <= cap);
    } else {
        n = size_arg(f, list.at[1]);
        other = gf_label(f);
        end = gf_label(f);
    }
    f->pos = e->pos;
    if (n != NO_SLOT) {
        gf_jump_cmp(f, OP_JLTI, n, 0, other);
        gf_jump_cmp(f, OP_JGTI, n, (int)cap, other);
    }
    gf_new(f, type_array(f->g->c, t->elem, cap), gf_home_expr(f, e), s);
    if (n == NO_SLOT)
        gf_load_const(f, s + 1, (uint64_t)len);
    else
        gf_move(f, s + 1, n, 1);
    gf_load_const(f, s + 2, (uint64_t)cap);
    gf_move(f, dst, s, 3);
    if (n == NO_SLOT)
        return;
    gf_jump(f, end);
    gf_place(f, other);
    gf_load_const(f, s + 2, (uint64_t)cap);
    gf_abc(f, OP_MAKESLICE, dst, n, s + 2);
    gf_ext(f, 0, gen_type(f->g, t->elem));
    gf_place(f, end);
}

static void
make_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_exprs list = e->call.args;
    struct type *t = type_under(gf_type(f, e));
    int a = NO_SLOT, b = NO_SLOT;

    if (gf_home_expr(f, e) != HOME_HEAP) {
        make_cell(f, e, dst);
        return;
    }
    if (list.n > 1)
        a = size_arg(f, list.at[1]);
    if (list.n > 2)
        b = size_arg(f, list.at[2]);
    if (a == NO_SLOT)
        a = gf_const_slot(f, 0);
    f->pos = e->pos;
    switch (t->kind) {
    case TYPE_SLICE:
        gf_abc(f, OP_MAKESLICE, dst, a, b == NO_SLOT ? a : b);
        gf_ext(f, 0, gen_type(f->g, t->elem));
        break;
    case TYPE_MAP:
        gf_abc(f, OP_MAPMAKE, dst, a, 0);
        gf_ext(f, 0, gen_type(f->g, gf_type(f, e)));
        break;
    default:
        gf_abc(f, OP_CHANMAKE, dst, a, 0);
        gf_ext(f, 0, gen_type(f->g, gf_type(f, e)));
        break;
    }
}

static bool
scalar64(struct type *t)
{
    return type_size(t) == 8 && type_in_frame_scalar(t) &&
        !type_has_pointers(t);
}

static void
append_one(struct gfunc *f, struct type *et, int dst, int src, int v)
{
    gf_abc(f, scalar64(et) ? OP_APPEND64 : OP_APPENDT, dst, src, v);
    gf_ext(f, 0, gen_type(f->g, et));
}

static void
append_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct type *st = gf_type(f, e);
    struct type *et = type_under(st)->elem;
    uint32_t i, m, n = gf_builtin_nargs(f, e);
    int v, *vs = gen_scratch(f->g, (n + 1) * sizeof *vs);

    eval_args(f, e, vs, n > 2, true);
    f->pos = e->pos;
    if (e->flags & AST_F_DOTS) {
        gf_abc(f, OP_APPENDSL, dst, vs[0], vs[1]);
        gf_ext(f, 0, gen_type(f->g, et));
        return;
    }
    if (n == 1) {
        gf_move(f, dst, vs[0], 3);
        return;
    }
    if (n == 2) {
        append_one(f, et, dst, vs[0], vs[1]);
        return;
    }
    /* Room for all at once, as Go grows; then one after the other, in a
     * temporary since dst may be one of the values. */
    v = gf_temp(f, st);
    gf_abc(f, OP_APPENDG, v, vs[0], (int)((n - 1) & UINT16_MAX));
    gf_ext(f, (int)((n - 1) >> 16), gen_type(f->g, et));
    for (i = 1; i < n; i++) {
        m = gf_mark(f);
        append_one(f, et, v, v, lazy_arg(f, e, i, vs[i]));
        gf_release(f, m);
    }
    gf_move(f, dst, v, 3);
}

/* The n of append(s, make([]T, n)...), or NULL where it is something else, or
 * the slice is there already.  The zeros need no memory but that of s. */
static struct ast_expr *
appended_zeros(const struct gfunc *f, const struct ast_expr *e)
{
    const struct ast_expr *m;

    if (e->call.builtin != BUILTIN_APPEND || !(e->flags & AST_F_DOTS))
        return NULL;
    m = ast_unparen(e->call.args.at[1]);
    if (m->kind != EXPR_CALL || m->call.fun->mode != MODE_BUILTIN ||
        m->call.builtin != BUILTIN_MAKE || m->call.args.n != 2 ||
        gf_home_expr(f, m) != HOME_HEAP || gf_hoisted(f, m) != NO_SLOT)
        return NULL;
    return m->call.args.at[1];
}

static void
append_zeros(
    struct gfunc *f, struct ast_expr *e, struct ast_expr *size, int dst)
{
    struct ast_expr *parts[] = {e->call.args.at[0], size};
    struct ast_exprs none = {NULL, 0};

    gf_hoist(f, (struct ast_exprs){parts, 2}, none);
    int s = gf_expr_as(f, parts[0], gf_builtin_arg_type(f, e, 0));
    int n = size_arg(f, size);
    f->pos = e->pos;
    gf_abc(f, OP_APPENDZ, dst, s, n);
    gf_ext(f, 0, gen_type(f->g, type_under(gf_type(f, e))->elem));
}

/* ---- len, min, complex ... ------------------------------------------------------------ */

static void
len_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_expr *x = e->call.args.at[0];
    struct type *t = type_under(gf_type(f, x));
    bool cap = e->call.builtin == BUILTIN_CAP;
    int s;

    if (t->kind == TYPE_POINTER)
        t = type_under(t->elem);
    /* Of an array whose type is a parameter's; it may be too large for slots. */
    if (t->kind == TYPE_ARRAY && ast_unparen(x)->kind == EXPR_NAME) {
        gf_load_const(f, dst, (uint64_t)t->len);
        return;
    }
    s = cap ? gf_expr(f, x) : gf_view(f, x);
    switch (t->kind) {
    case TYPE_ARRAY:
        gf_load_const(f, dst, (uint64_t)t->len);
        break;
    case TYPE_MAP:
        gf_abc(f, OP_MAPLEN, dst, s, 0);
        break;
    case TYPE_CHAN:
        gf_abc(f, cap ? OP_CHANCAP : OP_CHANLEN, dst, s, 0);
        break;
    default:
        gf_move(f, dst, s + (cap ? 2 : 1), 1);
        break;
    }
}

static void
minmax_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_exprs list = e->call.args;
    bool max = e->call.builtin == BUILTIN_MAX;
    struct type *t = gf_type(f, e);
    enum type_kind k = type_kind_of(t);
    uint32_t i, n = type_slots(t), skip;
    int acc = gf_temp(f, t), v, c;

    gf_expr_to(f, list.at[0], acc);
    for (i = 1; i < list.n; i++) {
        uint32_t m = gf_mark(f);

        v = gf_expr(f, list.at[i]);
        if (k == TYPE_FLOAT64 || k == TYPE_FLOAT32) {
            gf_abc(f, k == TYPE_FLOAT64 ? (max ? OP_MAXF : OP_MINF) :
                (max ? OP_MAXF32 : OP_MINF32), acc, acc, v);
            gf_release(f, m);
            continue;
        }
        skip = gf_label(f);
        if (k == TYPE_STRING) {
            c = gf_temp_int(f);
            gf_abc(f, OP_SLTS, c, max ? acc : v, max ? v : acc);
            gf_jump_if(f, c, false, skip);
        } else {
            /* Skip the move where acc is the one already. */
            gf_jump_cmp(f, type_is_unsigned(t) ? OP_JULE : OP_JLE,
                max ? v : acc, max ? acc : v, skip);
        }
        gf_move(f, acc, v, n);
        gf_place(f, skip);
        gf_release(f, m);
    }
    gf_move(f, dst, acc, n);
}

static void
complex_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    int re, im, t, slots[2];

    gf_builtin_args(f, e, slots);
    re = slots[0];
    im = slots[1];
    if (type_kind_of(gf_type(f, e)) == TYPE_COMPLEX64) {
        t = gf_temp(f, &f->g->c->types.basic[TYPE_COMPLEX128]);
        gf_abc(f, OP_F322F, t, re, 0);
        gf_abc(f, OP_F322F, t + 1, im, 0);
        gf_abc(f, OP_C2C64, dst, t, 0);
        return;
    }
    t = gf_temp(f, gf_type(f, e));
    gf_move(f, t, re, 1);
    gf_move(f, t + 1, im, 1);
    gf_move(f, dst, t, 2);
}

static void
part_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_expr *x = e->call.args.at[0];
    bool im = e->call.builtin == BUILTIN_IMAG;
    int s = gf_expr(f, x), t;

    if (type_kind_of(gf_type(f, x)) == TYPE_COMPLEX64) {
        t = gf_temp(f, &f->g->c->types.basic[TYPE_COMPLEX128]);
        gf_abc(f, OP_C642C, t, s, 0);
        gf_abc(f, OP_F2F32, dst, t + im, 0);
        return;
    }
    gf_move(f, dst, s + im, 1);
}

/* ---- unsafe --------------------------------------------------------------------------- */

static void
unsafe_to(struct gfunc *f, struct ast_expr *e, int dst)
{
    struct ast_exprs list = e->call.args;
    int a, b, t;

    a = gf_expr(f, list.at[0]);
    switch (e->call.builtin) {
    case BUILTIN_ADD:
        b = gf_expr(f, list.at[1]);
        gf_abc(f, OP_ADD, dst, a, b);
        break;
    case BUILTIN_SLICE:
    case BUILTIN_STRING: {
        bool slice = e->call.builtin == BUILTIN_SLICE;

        b = gf_expr(f, list.at[1]);
        f->pos = e->pos;
        gf_abc(f, OP_CHKUNSAFE, a, b, slice);
        gf_ext_size(f, 0, slice ? type_size(type_under(gf_type(f, e))->elem) : 1);
        t = gf_temp(f, gf_type(f, e));
        gf_move(f, t, a, 1);
        gf_move(f, t + 1, b, 1);
        if (slice)
            gf_move(f, t + 2, b, 1);
        gf_move(f, dst, t, slice ? 3 : 2);
        break;
    }
    default: /* SliceData, StringData */
        gf_move(f, dst, a, 1);
        break;
    }
}

/* ---- the dispatcher --------------------------------------------------------------------- */

static void
plain(struct gfunc *f, struct ast_expr *e)
{
    bool print = e->call.builtin == BUILTIN_PRINT ||
        e->call.builtin == BUILTIN_PRINTLN;
    int *slots = gen_scratch(
        f->g, (gf_builtin_nargs(f, e) + 1) * sizeof *slots);

    eval_args(f, e, slots, print, true);
    f->pos = e->pos;
    gf_builtin_slots(f, e, slots);
}

int
gf_builtin(struct gfunc *f, struct ast_expr *e, int dst, bool want)
{
    struct ast_exprs none = {NULL, 0};
    uint32_t h = f->hoisted.n, m = gf_mark(f);
    lang_pos pos = f->pos;
    struct ast_expr *zeros = appended_zeros(f, e);
    int args[2];

    (void)want;
    f->pos = e->pos;
    if (zeros == NULL)
        gf_hoist(f, e->call.args, none);
    switch (e->call.builtin) {
    case BUILTIN_APPEND:
        if (dst == NO_SLOT)
            dst = gf_temp(f, gf_type(f, e));
        if (zeros != NULL)
            append_zeros(f, e, zeros, dst);
        else
            append_to(f, e, dst);
        break;
    case BUILTIN_CAP:
    case BUILTIN_LEN:
        len_to(f, e, dst == NO_SLOT ? gf_temp_int(f) : dst);
        break;
    case BUILTIN_MAKE:
        make_to(f, e, dst == NO_SLOT ? gf_temp(f, gf_type(f, e)) : dst);
        break;
    case BUILTIN_NEW:
        new_to(f, e, dst == NO_SLOT ? gf_temp_ptr(f) : dst);
        break;
    case BUILTIN_MAX:
    case BUILTIN_MIN:
        minmax_to(f, e, dst == NO_SLOT ? gf_temp(f, gf_type(f, e)) : dst);
        break;
    case BUILTIN_COMPLEX:
        complex_to(f, e, dst == NO_SLOT ? gf_temp(f, gf_type(f, e)) : dst);
        break;
    case BUILTIN_REAL:
    case BUILTIN_IMAG:
        part_to(f, e, dst == NO_SLOT ? gf_temp(f, gf_type(f, e)) : dst);
        break;
    case BUILTIN_RECOVER:
        gf_abc(f, OP_RECOVER, dst == NO_SLOT ?
            gf_temp(f, f->g->c->types.empty_iface) : dst, 0, 0);
        break;
    case BUILTIN_COPY:
        eval_args(f, e, args, false, true);
        f->pos = e->pos;
        copy_slots(f, e, dst == NO_SLOT ? gf_temp_int(f) : dst, args);
        break;
    case BUILTIN_ADD:
    case BUILTIN_SLICE:
    case BUILTIN_SLICEDATA:
    case BUILTIN_STRING:
    case BUILTIN_STRINGDATA:
        unsafe_to(f, e, dst == NO_SLOT ? gf_temp(f, gf_type(f, e)) : dst);
        break;
    default:
        plain(f, e);
        break;
    }
    f->hoisted.n = h;
    gf_release(f, m);
    f->pos = pos;
    return dst;
}
