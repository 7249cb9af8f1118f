/* SPDX-License-Identifier: MIT */

/* Which slots ranges of numbers are found out for: those that an index or a
 * division in a loop asks for, and those from which something follows for one,
 * here called variables. */
#include "runtime/jit/ranges.h"

unsigned
jit_range_sources(const struct code_ins *w, uint32_t of[2])
{
    of[0] = w->b;
    of[1] = w->c;
    switch (w->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_AND:
        return 2;
    case OP_MOV:
    case OP_ADDI:
    case OP_ISUB:
    case OP_MULI:
    case OP_ANDI:
    case OP_DIVI:
    case OP_REMI:
    case OP_SHRI:
    case OP_SHLI:
        return 1;
    case OP_FORLT:
    case OP_FORLTI:
        of[0] = w->a;
        return 1;
    default:
        return 0;
    }
}

/* Of a slot that is always in memory nothing is found out. */
static bool
add_variable(
    const struct jit_fn *c, struct jit_variables *v, uint32_t slot)
{
    if (c->pinned[slot] || v->var[slot] != JIT_NO_VARIABLE)
        return false;
    v->var[slot] = 0; /* its number follows */
    return true;
}

/* Of each of two slots something follows for the other one. */
static bool
add_both(const struct jit_fn *c, struct jit_variables *v, uint32_t a,
    uint32_t b)
{
    if (v->var[a] == JIT_NO_VARIABLE && v->var[b] == JIT_NO_VARIABLE)
        return false;
    bool first = add_variable(c, v, a);
    return add_variable(c, v, b) || first;
}

/* Whether add_sources() may find any. */
static bool
has_sources(const struct code_ins *w)
{
    uint32_t of[2];
    unsigned t;

    return w->op == OP_MAKESLICE || jit_range_sources(w, of) > 0 ||
        jit_compares(w->op, &t) == JIT_WITH_SLOT;
}

/* The slots from which something follows for what x assigns or compares, if
 * that is a variable; whether there was one more. */
static bool
add_sources(const struct jit_fn *c, struct jit_variables *v,
    const struct jit_ins *x)
{
    const struct code_ins *w = x->w;
    bool more = false;
    uint32_t of[2];
    unsigned n = jit_range_sources(w, of), t;

    for (unsigned i = 0; i < n; i++)
        more |= v->var[w->a] != JIT_NO_VARIABLE && add_variable(c, v, of[i]);
    if (w->op == OP_MAKESLICE)
        more |= v->var[w->a + 1u] != JIT_NO_VARIABLE &&
            add_variable(c, v, w->b);
    if (jit_compares(w->op, &t) == JIT_WITH_SLOT)
        more |= add_both(c, v, w->a, w->b);
    return more;
}

/* The slots that x asks for itself, if it is in a loop: elsewhere it would not
 * be worth the work. */
static bool
add_asked(const struct jit_fn *c, struct jit_variables *v,
    const struct jit_ins *x)
{
    uint32_t index, len;
    bool first;

    if (x->depth == 0 || x->kind != JIT_NATIVE || !x->reached)
        return false;
    if (jit_is_element(x, &index, &len)) {
        first = add_variable(c, v, index);
        return add_variable(c, v, len) || first;
    }
    if (x->w[0].op == OP_CHKIDX)
        return add_variable(c, v, x->w[0].a);
    return jit_is_division(x->w[0].op) && add_variable(c, v, x->w[0].b);
}

bool
jit_find_variables(struct jit_fn *c, struct jit_variables *v)
{
    bool more = false;

    v->n = 0;
    if (!c->loops_back)
        return false; /* add_asked() would find nothing */
    v->var = jit_room(c, c->ns, sizeof *v->var);
    v->next = jit_room(c, c->ns, sizeof *v->next);
    v->slot = jit_room(c, c->ns, sizeof *v->slot);
    v->slots = jit_alloc(c, c->words, sizeof *v->slots);
    if (c->failed)
        return false;
    for (uint32_t s = 0; s < c->ns; s++)
        v->var[s] = JIT_NO_VARIABLE;
    for (int32_t k = 0; k < c->n; k++)
        more |= add_asked(c, v, &c->v[k]);
    if (!more)
        return false;
    int32_t *has = jit_room(c, (size_t)c->n, sizeof *has), n = 0;
    if (c->failed)
        return false;
    for (int32_t k = 0; k < c->n; k++)
        if (has_sources(c->v[k].w))
            has[n++] = k;
    while (more) {
        more = false;
        for (int32_t i = n; i-- > 0;)
            more |= add_sources(c, v, &c->v[has[i]]);
    }
    for (uint32_t s = 0; s < c->ns; s++) {
        v->next[s] = (uint16_t)v->n;
        if (v->var[s] == JIT_NO_VARIABLE)
            continue;
        rt_bit_set(v->slots, s);
        v->var[s] = (uint16_t)v->n;
        v->slot[v->n++] = (uint16_t)s;
    }
    return true;
}
