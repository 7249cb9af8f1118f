/* SPDX-License-Identifier: MIT */
/* The image: the generator's tables, when nothing new turns up any more, one
 * behind the other in memory that outlives it. */
#include "runtime/lang/gen/gen_int.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/leaf.h"

static void
set_globals_layout(struct gen *g, struct code_image *im)
{
    uint64_t words = g->globals_size / 8 + 1;
    uint8_t *mask = gen_alloc(g, words / 8 + 1);
    uint64_t last = 0;
    uint32_t i;

    for (i = 0; i < g->globals.n; i++) {
        const struct code_global *gl = &g->globals.at[i];
        uint64_t w, n = gl->type->layout.ptrdata / 8;

        for (w = 0; w < n; w++) {
            uint64_t at = gl->offset / 8 + w;

            if (!rt_layout_is_ptr(&gl->type->layout, w))
                continue;
            mask[at / 8] |= (uint8_t)(1u << (at % 8));
            if (at + 1 > last)
                last = at + 1;
        }
    }
    im->globals_size = g->globals_size;
    im->globals.size = g->globals_size;
    im->globals.ptrdata = last * 8;
    im->globals.ptrmask = mask;
}

static void *
copy_vec(struct gen *g, const void *at, uint32_t n, size_t size)
{
    void *p = gen_alloc(g, n * size + 1);

    if (n != 0)
        memcpy(p, at, n * size);
    return p;
}

/* A type that the VM finds by its name must be in every image. */
static void
well_known(struct gen *g, const char *pkg, const char *name, bool pointer)
{
    struct check_pkg *p = check_import(g->c, pkg);
    struct object *o = p ? check_lookup(p, name) : NULL;

    if (o != NULL && o->kind == OBJ_TYPE)
        gen_type(g, pointer ? type_pointer(g->c, o->type) : o->type);
}

void
gen_basic_types(struct gen *g, struct code_image *im)
{
    struct type_table *t = &g->c->types;

    im->type_int = gen_type(g, &t->basic[TYPE_INT]);
    im->type_string = gen_type(g, &t->basic[TYPE_STRING]);
    im->type_bool = gen_type(g, &t->basic[TYPE_BOOL]);
    im->type_error = gen_type(g, t->error_type);
    im->type_eface = gen_type(g, t->empty_iface);
    well_known(g, "runtime", "errorString", false);
    well_known(g, "runtime", "plainError", false);
    well_known(g, "runtime", "boundsError", false);
    well_known(g, "internal/runtime/maps", "unhashableTypeError", false);
    well_known(g, "runtime", "TypeAssertionError", true);
    well_known(g, "runtime", "PanicNilError", true);
}

void
gen_build_image(struct gen *g)
{
    struct code_image *im = g->im;
    uint32_t i, at = 0;

    im->arena = g->arena;
    im->nfuncs = g->funcs.n;
    im->funcs = gen_alloc(g, (im->nfuncs + 1) * sizeof *im->funcs);
    for (i = 0; i < g->funcs.n; i++)
        at += g->funcs.at[i]->ncode;
    im->ncode = at;
    im->code = gen_alloc(g, (at + 1) * sizeof *im->code);
    at = 0;
    for (i = 0; i < g->funcs.n; i++) {
        struct code_func *cf = &im->funcs[i];

        *cf = *g->funcs.at[i];
        if (cf->ncode != 0)
            memcpy(im->code + at, cf->code, cf->ncode * sizeof *im->code);
        free(cf->code);
        g->funcs.at[i]->code = NULL;
        rt_assert(at + cf->ncode <= im->ncode && cf->id == i);
        cf->code = im->code + at;
        at += cf->ncode;
        cf->self.fn = cf;
    }
    im->ntypes = g->types.n;
    im->types = gen_alloc(g, (im->ntypes + 1) * sizeof *im->types);
    for (i = 0; i < g->types.n; i++)
        im->types[i] = g->types.at[i].rt;
    im->nconsts = g->consts.n;
    im->consts = copy_vec(g, g->consts.at, g->consts.n, sizeof *im->consts);
    im->nstrings = g->strings.n;
    im->strings =
        copy_vec(g, g->strings.at, g->strings.n, sizeof *im->strings);
    im->nnatives = g->natives.n;
    im->natives =
        copy_vec(g, g->natives.at, g->natives.n, sizeof *im->natives);
    code_reserve_leaves(im);
    im->nglobals = g->globals.n;
    im->global_list =
        copy_vec(g, g->globals.at, g->globals.n, sizeof *im->global_list);
    im->nfiles = g->files.n;
    im->files = copy_vec(g, g->files.at, g->files.n, sizeof *im->files);
    im->nselectors = g->sels.n;
    im->selectors =
        gen_alloc(g, (im->nselectors + 1) * sizeof *im->selectors);
    for (i = 0; i < g->sels.n; i++)
        im->selectors[i] = g->sels.at[i].name;
    set_globals_layout(g, im);
}
