/* SPDX-License-Identifier: MIT */
/*
 * Functions with more variables than a frame has slots.  The first of them get
 * slots as always; those behind share memory: all of one type are the elements
 * of one array, which the function allocates when it begins.  Nobody has the
 * address of such a variable and no closure has captured it, so it need not be
 * another one in each iteration of a loop, and that its array keeps the last
 * value alive until the function returns is no more than a slot does.
 *
 * That a function is so crowded shows only when its slots have run out.  Then
 * it is generated again: once to count the variables of each type, and once
 * more with the arrays.
 */
#include "runtime/lang/gen/gen_int.h"

enum { CROWD_FEW = 8192 }; /* variables that have slots of their own */

static bool
crowds_valid(const struct gfunc *f)
{
    uint32_t i;

    for (i = 0; i < f->crowds.n; i++)
        if (f->crowds.at[i].type == NULL || (f->crowds.at[i].used != 0 &&
                !f->crowded))
            return false;
    return true;
}

void
gf_crowds_start(struct gfunc *f)
{
    uint32_t i;

    rt_assert(crowds_valid(f));
    f->crowd_seen = 0;
    for (i = 0; i < f->crowds.n; i++) {
        struct gcrowd *c = &f->crowds.at[i];

        c->n = c->used;
        c->used = 0;
        c->slot = gf_temp_ptr(f);
        gf_new(f, type_array(f->g->c, c->type, c->n), HOME_HEAP, c->slot);
    }
}

/* Those of this type. */
static struct gcrowd *
crowd_of(struct gfunc *f, struct type *t)
{
    struct gcrowd *c;
    uint32_t at;

    if (gmap_get(&f->crowd_ids, (uint64_t)(uintptr_t)t, &at))
        return &f->crowds.at[at];
    gmap_put(f->g, &f->crowd_ids, (uint64_t)(uintptr_t)t, f->crowds.n);
    c = gvec_push(f->g, &f->crowds);
    *c = (struct gcrowd){.type = t};
    return c;
}

bool
gf_crowd(struct gfunc *f, struct object *v)
{
    struct type *t = gf_obj_type(f, v);
    struct gcrowd *c;
    int64_t off;

    rt_assert(v->var_kind != VAR_PACKAGE);
    if (v->captured || gf_var_on_heap(f, v) || type_size(t) == 0 ||
        f->crowd_seen++ < CROWD_FEW || !f->crowded)
        return gf_crowded(v);
    c = crowd_of(f, t);
    off = (int64_t)c->used++ * type_size(t);
    if (c->used > c->n || off >= UINT32_MAX) {
        /* There is no room yet: this pass only counts. */
        f->again = true;
        off = 0;
    }
    *gvec_push(f->g, &f->var_objs) = v;
    v->gen = ((uint64_t)off + 1) << 32 | (uint64_t)(c->slot + 1);
    return true;
}

bool
gf_crowd_more(struct gfunc *f)
{
    if (f->crowded || f->crowd_seen <= CROWD_FEW)
        return false;
    f->crowded = true;
    f->again = true;
    f->over = true;
    return true;
}

void
gf_crowds_end(struct gfunc *f)
{
    f->crowds.n = 0;
    gmap_clear(&f->crowd_ids);
    f->crowded = false;
}
