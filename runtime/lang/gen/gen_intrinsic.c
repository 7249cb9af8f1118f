/* SPDX-License-Identifier: MIT */
/* Functions of the library that are instructions where they are called, in
 * place of a call of a native that takes longer than what it does. */
#include "runtime/lang/gen/gen_int.h"

#include <string.h>

static enum code_op
op_of_math(const char *name)
{
    if (strcmp(name, "Sqrt") == 0)
        return OP_SQRTF;
    if (strcmp(name, "Abs") == 0)
        return OP_ABSF;
    if (strcmp(name, "Floor") == 0)
        return OP_FLOORF;
    return OP_NOP;
}

/* A rotation by a constant is two shifts; k is negative for one to the right. */
static int
rotate_left(struct gfunc *f, struct ast_expr *x, struct type *t, int64_t k)
{
    uint32_t width = 8 * (uint32_t)type_size(t), m = gf_mark(f);
    uint32_t left = (uint32_t)k % width;
    int from, high, low, to;

    rt_assert(type_is_integer(t) && type_is_unsigned(t));
    rt_assert(width >= 8 && width <= 64 && (width & (width - 1)) == 0);
    from = gf_expr(f, x);
    high = gf_temp_int(f);
    low = gf_temp_int(f);
    gf_shift_const(f, TOK_SHL, t, high, from, left);
    gf_shift_const(f, TOK_SHR, t, low, from, width - left);
    gf_release(f, m);
    to = gf_temp_int(f);
    gf_abc(f, OP_OR, to, high, low);
    return to;
}

/* Whether name is that of a function of so and so, for some size of words. */
static bool
begins(const char *name, const char *with)
{
    size_t n = strlen(with);

    return strncmp(name, with, n) == 0 && strspn(name + n, "0123456789") ==
        strlen(name + n);
}

/* Of a function that counts bits of a word of type t. */
static enum code_op
op_of_bits(const char *name, struct type *t, int *most)
{
    *most = 8 * (int)type_size(t);
    if (begins(name, "OnesCount"))
        return OP_ONES;
    if (begins(name, "TrailingZeros"))
        return OP_TRAILZ;
    if (begins(name, "LeadingZeros"))
        return OP_LEADZ;
    *most = 64;
    return begins(name, "Len") ? OP_LEADZ : OP_NOP;
}

/* A call of fn in package math/bits, of one operand. */
static int
count_bits(struct gfunc *f, struct ast_expr *x, const struct object *fn)
{
    const char *name = fn->name->text;
    struct type *t = fn->type->vars[0]->type;
    uint32_t m = gf_mark(f);
    int most, from, to;
    enum code_op op = op_of_bits(name, t, &most);

    if (op == OP_NOP)
        return NO_SLOT;
    rt_assert(type_is_integer(t) && type_is_unsigned(t) && most <= 64);
    from = gf_expr(f, x);
    gf_release(f, m);
    to = gf_temp_int(f);
    gf_abc(f, op, to, from, op == OP_ONES ? 0 : most);
    if (begins(name, "Len"))
        gf_abc(f, OP_ISUB, to, to, 64);
    return to;
}

int
gf_intrinsic(struct gfunc *f, struct ast_expr *e, const struct object *fn)
{
    struct ast_expr **args = e->call.args.at;
    uint32_t n = e->call.args.n, m = gf_mark(f);
    enum code_op op;
    int64_t k;
    int x, to;

    if (fn->pkg == NULL || fn->is_method)
        return NO_SLOT;
    if (strcmp(fn->pkg->path, "math") == 0 && n == 1) {
        op = op_of_math(fn->name->text);
        if (op == OP_NOP)
            return NO_SLOT;
        x = gf_expr(f, args[0]);
        gf_release(f, m);
        to = gf_temp_int(f);
        gf_abc(f, op, to, x, 0);
        return to;
    }
    if (strcmp(fn->pkg->path, "math/bits") != 0)
        return NO_SLOT;
    if (n == 1)
        return count_bits(f, args[0], fn);
    if (n == 2 && strncmp(fn->name->text, "RotateLeft", 10) == 0 &&
        args[1]->cv != NULL && const_to_int64(args[1]->cv, &k))
        return rotate_left(f, args[0], fn->type->vars[0]->type, k);
    return NO_SLOT;
}
