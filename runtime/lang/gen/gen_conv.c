/* SPDX-License-Identifier: MIT */
/*
 * Conversions between types, and type assertions.
 */
#include "runtime/lang/gen/gen_int.h"

void
gf_to_iface(struct gfunc *f, struct type *iface, struct type *from, int dst,
    int src)
{
    (void)iface;
    /* Nobody else keeps two words for it; an interface has no untyped value. */
    rt_assert(type_is_interface(iface) && !type_is_untyped(from));
    if (type_is_interface(from)) {
        gf_move(f, dst, src, 2);
    } else if (type_is_pointer_shaped(from)) {
        gf_move(f, dst + 1, src, 1);
        gf_ai(f, OP_LDTYPE, dst, gen_type(f->g, from));
    } else {
        gf_abc(f, OP_MKIFACE, dst, src, 0);
        gf_ext(f, 0, gen_type(f->g, from));
    }
}

/* Interfaces share the memory of a constant: nobody writes to it.  A narrow
 * one lies in the low bytes of its word. */
bool
gf_box_const(struct gfunc *f, const struct constv *cv, struct type *t, int dst)
{
    enum type_kind k = type_kind_of(t);
    const char *s;
    size_t n;

    rt_assert(k != TYPE_INTERFACE);
    if (k == TYPE_STRING) {
        s = const_str_val(&f->g->c->cctx, cv, &n);
        gf_ai(f, OP_SADDR, dst + 1, gen_string(f->g, s, n));
    } else if (k != TYPE_COMPLEX128 && !type_is_untyped(t) &&
        !type_is_pointer_shaped(t) && type_slots(t) == 1) {
        gf_ai(f, OP_KADDR, dst + 1, gen_const(f->g, gf_const_word(t, cv)));
    } else {
        return false;
    }
    gf_ai(f, OP_LDTYPE, dst, gen_type(f->g, t));
    return true;
}

void
gf_assert(struct gfunc *f, struct type *to, struct type *from, int dst,
    int src, int ok)
{
    bool iface = type_is_interface(to);
    int d = dst == NO_SLOT ? CODE_NO_SLOT : dst;

    rt_assert(type_is_interface(from));
    if (ok == NO_SLOT) {
        gf_abc(f, iface ? OP_ASSERTI : OP_ASSERT, d, src, 0);
        gf_ext(f, 0, gen_type(f->g, from));
    } else {
        gf_abc(f, iface ? OP_ASSERTIOK : OP_ASSERTOK, d, src, ok);
    }
    gf_ext(f, 0, gen_type(f->g, to));
}

static void
int_to_float(struct gfunc *f, struct type *to, struct type *from, int dst,
    int src)
{
    bool u = type_is_unsigned(from);

    if (type_kind_of(to) == TYPE_FLOAT32)
        gf_abc(f, u ? OP_U2F32 : OP_I2F32, dst, src, 0);
    else
        gf_abc(f, u ? OP_U2F : OP_I2F, dst, src, 0);
}

static void
float_to_int(struct gfunc *f, struct type *to, struct type *from, int dst,
    int src)
{
    uint32_t m = gf_mark(f);

    if (type_kind_of(from) == TYPE_FLOAT32) {
        int t = gf_temp_int(f);

        gf_abc(f, OP_F322F, t, src, 0);
        src = t;
    }
    if (type_is_unsigned(to) && type_size(to) == 8) {
        gf_abc(f, OP_F2U, dst, src, 0);
    } else {
        gf_abc(f, OP_F2I, dst, src, 0);
        if (type_size(to) < 8)
            gf_extend(f, to, dst, dst);
    }
    gf_release(f, m);
}

static void
from_slice(struct gfunc *f, struct type *to, struct type *from, int dst,
    int src)
{
    struct type *tu = type_under(to);
    struct type *arr =
        tu->kind == TYPE_POINTER ? type_under(tu->elem) : tu;
    uint32_t m = gf_mark(f);
    int t = tu->kind == TYPE_POINTER ? dst : gf_temp_ptr(f);

    (void)from;
    rt_assert(arr->kind == TYPE_ARRAY);
    rt_assert(type_identical(arr->elem, type_under(from)->elem));
    gf_abc(f, OP_SL2ARR, t, src, 0);
    gf_ext_size(f, 0, arr->len);
    if (tu->kind == TYPE_ARRAY && type_size(to) != 0)
        gf_load_mem(f, dst, t, 0, to);
    gf_release(f, m);
}

static void
to_string(struct gfunc *f, struct type *from, int dst, int src)
{
    struct type *fu = type_under(from);

    if (fu->kind == TYPE_STRING) {
        gf_move(f, dst, src, 2);
    } else if (fu->kind == TYPE_SLICE) {
        gf_abc(f, type_size(fu->elem) == 1 ? OP_BYTES2STR : OP_RUNES2STR,
            dst, src, 0);
    } else {
        rt_assert(type_is_integer(fu));
        gf_abc(f, OP_RUNE2STR, dst, src, 0);
    }
}

void
gf_convert_slots(struct gfunc *f, struct type *to, struct type *from, int dst,
    int src)
{
    struct type *tu = type_under(to), *fu = type_under(from);

    if (tu->kind == TYPE_INTERFACE) {
        gf_to_iface(f, to, from, dst, src);
    } else if (tu->kind == TYPE_STRING) {
        to_string(f, from, dst, src);
    } else if (tu->kind == TYPE_SLICE && fu->kind == TYPE_STRING) {
        gf_abc(f, type_size(tu->elem) == 1 ? OP_STR2BYTES : OP_STR2RUNES,
            dst, src, 0);
    } else if (fu->kind == TYPE_SLICE &&
        (tu->kind == TYPE_ARRAY || tu->kind == TYPE_POINTER)) {
        from_slice(f, to, from, dst, src);
    } else if (type_is_integer(tu) && type_is_integer(fu)) {
        if (type_size(tu) < 8)
            gf_extend(f, tu, dst, src);
        else
            gf_move(f, dst, src, 1);
    } else if (type_is_float(tu) && type_is_integer(fu)) {
        int_to_float(f, tu, fu, dst, src);
    } else if (type_is_integer(tu) && type_is_float(fu)) {
        float_to_int(f, tu, fu, dst, src);
    } else if (tu->kind == TYPE_FLOAT32 && fu->kind == TYPE_FLOAT64) {
        gf_abc(f, OP_F2F32, dst, src, 0);
    } else if (tu->kind == TYPE_FLOAT64 && fu->kind == TYPE_FLOAT32) {
        gf_abc(f, OP_F322F, dst, src, 0);
    } else if (tu->kind == TYPE_COMPLEX64 && fu->kind == TYPE_COMPLEX128) {
        gf_abc(f, OP_C2C64, dst, src, 0);
    } else if (tu->kind == TYPE_COMPLEX128 && fu->kind == TYPE_COMPLEX64) {
        gf_abc(f, OP_C642C, dst, src, 0);
    } else {
        /* Another name for the same words. */
        rt_assert(type_slots(to) == type_slots(from));
        gf_move(f, dst, src, type_slots(to));
    }
}
