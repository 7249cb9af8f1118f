/* SPDX-License-Identifier: MIT */
/*
 * Takes functions from the stock (stock.h).  First everything that a function
 * asks for is looked up; where something is not what it was when the stock was
 * made, the function is generated instead, and nothing has happened.
 */
#include "runtime/lang/gen/gen_int.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/lang/types/object.h"

enum answer { NOT_ASKED, YES, NO };

struct gen_stock {
    const uint32_t *w;
    /* By numbers of the stock's tables; NULL: not looked for yet. */
    struct check_pkg **pkgs;
    struct object **objs;
    struct type **types;
    uint8_t *pkg_usable; /* enum answer */
    struct gen_map closed; /* package -> enum answer */
};

struct gen_stock *
gen_stock_open(struct gen *g, const uint32_t *words)
{
    struct gen_stock *s = gen_scratch(g, sizeof *s);

    rt_assert(words[STOCK_H_MAGIC] == STOCK_MAGIC);
    s->w = words;
    s->pkgs = gen_scratch(g, words[STOCK_H_NPKGS] * sizeof(void *));
    s->pkg_usable = gen_scratch(g, words[STOCK_H_NPKGS]);
    s->objs = gen_scratch(g, words[STOCK_H_NOBJS] * sizeof(void *));
    s->types = gen_scratch(g, words[STOCK_H_NTYPES] * sizeof(void *));
    return s;
}

void
gen_stock_close(struct gen_stock *s)
{
    if (s != NULL)
        gmap_free(&s->closed);
}

static const char *
str_of(const struct gen_stock *s, uint32_t id, size_t *n)
{
    const uint32_t *row = s->w + s->w[STOCK_H_STRS] + 2 * id;

    rt_assert(id < s->w[STOCK_H_NSTRS]);
    *n = row[1];
    return (const char *)s->w + row[0];
}

static const char *
name_of(const struct gen_stock *s, uint32_t id)
{
    size_t n;

    return str_of(s, id, &n);
}

/* ---- packages and objects ------------------------------------------------------ */

/* Is p bundled, and all that it imports? */
static bool
is_closed(struct gen *g, const struct check_pkg *p)
{
    struct gen_stock *s = g->stock;
    uint64_t key = (uint64_t)(uintptr_t)p;
    uint32_t i, a;

    if (p == g->c->unsafe_pkg)
        return true;
    if (gmap_get(&s->closed, key, &a))
        return a == YES;
    a = p->library && !p->eager && !p->fake ? YES : NO;
    for (i = 0; i < p->nimports && a == YES; i++)
        if (!is_closed(g, p->imports[i]))
            a = NO;
    gmap_put(g, &s->closed, key, a);
    return a == YES;
}

static struct check_pkg *
pkg_of(struct gen *g, uint32_t id)
{
    struct gen_stock *s = g->stock;

    rt_assert(id < s->w[STOCK_H_NPKGS]);
    if (s->pkg_usable[id] == NOT_ASKED) {
        struct check_pkg *p = check_import(
            g->c, name_of(s, s->w[s->w[STOCK_H_PKGS] + id]));

        s->pkgs[id] = p;
        s->pkg_usable[id] = p != NULL && is_closed(g, p) ? YES : NO;
    }
    return s->pkg_usable[id] == YES ? s->pkgs[id] : NULL;
}

static struct object *
obj_of(struct gen *g, uint32_t id)
{
    struct gen_stock *s = g->stock;
    const uint32_t *row = s->w + s->w[STOCK_H_OBJS] + 3 * id;
    struct check_pkg *p;
    struct object *o;

    rt_assert(id < s->w[STOCK_H_NOBJS]);
    if (s->objs[id] != NULL)
        return s->objs[id];
    p = pkg_of(g, row[0]);
    o = p != NULL ? check_decl_at(p, row[1]) : NULL;
    if (o == NULL || strcmp(o->name->text, name_of(s, row[2])) != 0)
        return NULL;
    check_declare_now(g->c, o);
    s->objs[id] = o;
    return o;
}

/* ---- types ----------------------------------------------------------------------- */

static struct type *type_of(struct gen *g, uint32_t id);

static struct type *
func_type(struct gen *g, const uint32_t *w)
{
    struct type **list = gen_scratch(g, w[0] * sizeof *list);
    uint32_t i;

    for (i = 0; i < w[0]; i++) {
        list[i] = type_of(g, w[3 + i]);
        if (list[i] == NULL)
            return NULL;
    }
    return type_func(g->c, list, w[0], w[1], w[2] != 0);
}

static struct type *
named_type(struct gen *g, uint32_t obj)
{
    struct object *o;

    if (obj == UINT32_MAX)
        return g->c->types.error_type;
    o = obj_of(g, obj);
    return o != NULL && o->kind == OBJ_TYPE ? o->type : NULL;
}

static struct type *
make_type(struct gen *g, const uint32_t *w)
{
    struct check *c = g->c;
    struct type *elem = NULL, *key = NULL;

    switch (w[0]) {
    case TYPE_NAMED:
        return named_type(g, w[1]);
    case TYPE_INTERFACE:
        return c->types.empty_iface;
    case TYPE_FUNC:
        return func_type(g, w + 1);
    case TYPE_MAP:
        key = type_of(g, w[1]);
        elem = type_of(g, w[2]);
        return key && elem ? type_map(c, key, elem) : NULL;
    case TYPE_POINTER:
    case TYPE_SLICE:
    case TYPE_ARRAY:
    case TYPE_CHAN:
        elem = type_of(g, w[1]);
        break;
    default:
        rt_assert(w[0] <= TYPE_UNSAFE_POINTER);
        return &c->types.basic[w[0]];
    }
    if (elem == NULL)
        return NULL;
    if (w[0] == TYPE_POINTER)
        return type_pointer(c, elem);
    if (w[0] == TYPE_SLICE)
        return type_slice(c, elem);
    return w[0] == TYPE_ARRAY
        ? type_array(c, elem, w[2])
        : type_chan(c, (enum type_chan_dir)w[2], elem);
}

static struct type *
type_of(struct gen *g, uint32_t id)
{
    struct gen_stock *s = g->stock;

    rt_assert(id < s->w[STOCK_H_NTYPES]);
    if (s->types[id] == NULL)
        s->types[id] = make_type(g, s->w + s->w[s->w[STOCK_H_TYPES] + id]);
    return s->types[id];
}

/* ---- requests --------------------------------------------------------------------- */

static bool
can_select(struct gen *g, uint32_t id)
{
    const struct gen_stock *s = g->stock;
    const uint32_t *row = s->w + s->w[STOCK_H_SELS] + 3 * id;

    return (row[1] == 0 || pkg_of(g, row[1] - 1) != NULL) &&
        type_of(g, row[2]) != NULL;
}

/* Is there what was there when the stock was made? */
static bool
can_ask(struct gen *g, uint32_t req)
{
    uint32_t i = STOCK_REQ_INDEX(req);
    struct object *o, *real;
    bool native;

    switch (STOCK_REQ_KIND(req)) {
    case STOCK_TYPE:
        return type_of(g, i) != NULL;
    case STOCK_SELECTOR:
    case STOCK_LIVE:
        return can_select(g, i);
    case STOCK_GLOBAL:
        o = obj_of(g, i);
        return o != NULL && o->kind == OBJ_VAR;
    case STOCK_NATIVE:
    case STOCK_FUNC:
        real = o = obj_of(g, i);
        if (o == NULL || o->kind != OBJ_FUNC)
            return false;
        /* Somebody's //go:linkname may have given it a body. */
        native = gen_is_native(g, &real);
        return real == o && native == (STOCK_REQ_KIND(req) == STOCK_NATIVE);
    default:
        return true;
    }
}

static uint64_t
ask(struct gen *g, uint32_t req)
{
    const struct gen_stock *s = g->stock;
    uint32_t i = STOCK_REQ_INDEX(req), id;
    const uint32_t *row;
    const char *text;
    size_t n;

    switch (STOCK_REQ_KIND(req)) {
    case STOCK_TYPE:
        return gen_type(g, type_of(g, i));
    case STOCK_CONST:
        row = s->w + s->w[STOCK_H_CONSTS] + 2 * i;
        return gen_const(g, row[0] | (uint64_t)row[1] << 32);
    case STOCK_STRING:
        text = str_of(s, i, &n);
        return gen_string(g, text, n);
    case STOCK_FILE:
        return gen_file(g, name_of(s, i));
    case STOCK_GLOBAL:
        return gen_global(g, obj_of(g, i));
    case STOCK_NATIVE:
        return gen_native(g, obj_of(g, i));
    case STOCK_FUNC:
        return gen_func_obj(g, obj_of(g, i));
    default:
        rt_assert(STOCK_REQ_KIND(req) == STOCK_SELECTOR ||
            STOCK_REQ_KIND(req) == STOCK_LIVE);
        row = s->w + s->w[STOCK_H_SELS] + 3 * i;
        id = gen_selector_of(g,
            lang_name_str(g->c->parse->names, name_of(s, row[0])),
            row[1] != 0 ? pkg_of(g, row[1] - 1) : NULL, type_of(g, row[2]));
        if (STOCK_REQ_KIND(req) == STOCK_LIVE)
            gen_selector_use(g, id);
        return id;
    }
}

/* ---- functions ---------------------------------------------------------------------- */

static const uint32_t *
find(const struct gen_stock *s, const char *name)
{
    const uint32_t *tab = s->w + s->w[STOCK_H_HASH];
    uint32_t mask = s->w[STOCK_H_NHASH] - 1, i = stock_hash(name) & mask;

    for (; tab[i] != 0; i = (i + 1) & mask) {
        const uint32_t *f = s->w + tab[i];

        if (strcmp(name_of(s, f[STOCK_F_NAME]), name) == 0)
            return f;
    }
    return NULL;
}

/* The parts of a record. */
struct parts {
    const uint32_t *head, *code, *mask, *cells, *sum, *lines, *unsigned_at, *reqs, *places,
        *deps;
};

static struct parts
parts_of(const uint32_t *f)
{
    struct parts p = {.head = f, .code = f + STOCK_F_SIZE};
    uint32_t nslots = f[STOCK_F_FRAME] & 0xffff;

    p.mask = p.code + f[STOCK_F_NCODE] * 2;
    p.cells = p.mask + (nslots / 8 + 1 + 3) / 4;
    p.sum = p.cells + (f[STOCK_F_CELLS] / 8 + 1 + 3) / 4;
    p.lines = p.sum;
    if (f[STOCK_F_SUM] != STOCK_NO_SUM)
        p.lines += ((f[STOCK_F_SUM] & 0xffff) *
                           (1 + (f[STOCK_F_SUM] >> 16)) + 3) / 4;
    p.unsigned_at = p.lines + f[STOCK_F_NLINES] * 3;
    p.reqs = p.unsigned_at + f[STOCK_F_NUNSIGNED];
    p.places = p.reqs + f[STOCK_F_NREQS];
    p.deps = p.places + f[STOCK_F_NPLACES] * 2;
    return p;
}

/* The numbers fit into the code: of a call's selector it has 16 bits. */
static bool
values_fit(const struct parts *p, const uint64_t *values)
{
    uint32_t i;

    for (i = 0; i < p->head[STOCK_F_NPLACES]; i++)
        if ((p->places[2 * i] & STOCK_PLACE_C) != 0 &&
            values[p->places[2 * i + 1]] > UINT16_MAX)
            return false;
    return true;
}

static bool
can_take(struct gen *g, const struct parts *p, const struct object *fn)
{
    uint32_t i;

    if (!is_closed(g, fn->pkg) || obj_of(g, p->head[STOCK_F_OBJ]) != fn)
        return false;
    for (i = 0; i < p->head[STOCK_F_NREQS]; i++)
        if (!can_ask(g, p->reqs[i]))
            return false;
    for (i = 0; i < p->head[STOCK_F_NDEPS]; i++)
        if (obj_of(g, p->deps[i]) == NULL)
            return false;
    return true;
}

static void
take_deps(struct gen *g, const struct parts *p, struct object *fn)
{
    uint32_t i;

    for (i = 0; i < p->head[STOCK_F_NDEPS]; i++)
        check_func_refers(g->c, fn, obj_of(g, p->deps[i]));
}

static void
take_code(struct gen *g, const struct parts *p, struct code_func *cf,
    const uint64_t *values)
{
    uint32_t i;

    cf->ncode = p->head[STOCK_F_NCODE];
    cf->code = malloc((cf->ncode + 1) * sizeof *cf->code);
    if (cf->code == NULL)
        rt_arena_nomem(g->arena);
    memcpy(cf->code, p->code, cf->ncode * sizeof *cf->code);
    for (i = 0; i < p->head[STOCK_F_NPLACES]; i++) {
        uint32_t place = p->places[2 * i];
        uint64_t v = values[p->places[2 * i + 1]];
        struct code_ins *ins = &cf->code[place / 2];

        rt_assert(place / 2 < cf->ncode && v <= INT32_MAX);
        if (place & STOCK_PLACE_C)
            ins->c = (uint16_t)v;
        else
            ins->imm += (int32_t)v;
    }
    for (i = 0; i < cf->ncode; i += 1 + code_ext_words(&cf->code[i]))
        if (cf->code[i].op == OP_CELL)
            cf->code[i + 1].imm = (int32_t)cf->id;
}

static void
take_cells(const struct parts *p, struct code_func *cf)
{
    uint32_t n = p->head[STOCK_F_CELLS];
    const uint8_t *mask = (const uint8_t *)p->cells;

    cf->cells.size = n * 8ull;
    while (n > 0 && (mask[(n - 1) / 8] >> (n - 1) % 8 & 1) == 0)
        n--;
    cf->cells.ptrdata = n * 8ull;
    cf->cells.ptrmask = n != 0 ? mask : NULL;
}

static void
take_lines(struct gen *g, const struct parts *p, struct code_func *cf,
    const uint64_t *values)
{
    uint32_t i, n = p->head[STOCK_F_NLINES];
    struct code_line *out = gen_alloc(g, (n + 1) * sizeof *out);

    for (i = 0; i < n; i++) {
        out[i].off = p->lines[3 * i];
        out[i].file = (uint32_t)values[p->lines[3 * i + 1]];
        out[i].line = p->lines[3 * i + 2];
    }
    cf->lines = out;
    cf->nlines = n;
    cf->file = (uint32_t)values[p->head[STOCK_F_FILE]];
    cf->line = p->head[STOCK_F_LINE];
}

static void
take(struct gen *g, const struct parts *p, struct code_func *cf,
    const uint64_t *values)
{
    const uint32_t *h = p->head;

    take_code(g, p, cf, values);
    take_lines(g, p, cf, values);
    take_cells(p, cf);
    cf->nargs = (uint16_t)h[STOCK_F_ARGS];
    cf->nres = (uint16_t)(h[STOCK_F_ARGS] >> 16);
    cf->nslots = (uint16_t)h[STOCK_F_FRAME];
    cf->extent = (uint16_t)(h[STOCK_F_FRAME] >> 16);
    cf->ctx = (uint16_t)h[STOCK_F_FLAGS];
    cf->flags = (uint16_t)(h[STOCK_F_FLAGS] >> 16);
    cf->recover_off = h[STOCK_F_RECOVER];
    cf->ptrmask = (const uint8_t *)p->mask;
    cf->nunsigned = h[STOCK_F_NUNSIGNED];
    cf->unsigned_at = cf->nunsigned != 0 ? p->unsigned_at : NULL;
    cf->closure.size = 8;
}

bool
gen_stock_take(struct gen *g, uint32_t id)
{
    struct object *fn = g->work.at[id].obj;
    const uint32_t *f;
    struct parts p;
    uint64_t *values;
    uint32_t i;

    if (!g->work.at[id].pkg->library || fn->origin != NULL)
        return false;
    f = find(g->stock, g->work.at[id].name);
    if (f == NULL)
        return false;
    p = parts_of(f);
    if (!can_take(g, &p, fn))
        return false;
    take_deps(g, &p, fn);
    values = gen_scratch(g, (f[STOCK_F_NREQS] + 1) * sizeof *values);
    for (i = 0; i < f[STOCK_F_NREQS]; i++)
        values[i] = ask(g, p.reqs[i]);
    if (!values_fit(&p, values))
        return false;
    take(g, &p, g->funcs.at[id], values);
    return true;
}

bool
gen_stock_sum(struct gen *g, struct object *fn, struct escape_sum *out)
{
    const uint32_t *f;
    struct parts p;

    if (!fn->pkg->library || fn->origin != NULL)
        return false;
    f = find(g->stock, gen_sprintf(g, "%s.%s", fn->pkg->path,
        check_func_name(g->c, fn)));
    if (f == NULL || f[STOCK_F_SUM] == STOCK_NO_SUM)
        return false;
    p = parts_of(f);
    if (!can_take(g, &p, fn))
        return false;
    out->nparams = f[STOCK_F_SUM] & 0xffff;
    out->nres = f[STOCK_F_SUM] >> 16;
    out->leak = (const int8_t *)p.sum;
    return true;
}
