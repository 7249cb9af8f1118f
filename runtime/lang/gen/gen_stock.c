/* SPDX-License-Identifier: MIT */
/*
 * Takes functions from the stock (stock.h).  First everything that a function
 * asks for is looked up; where something is not what it was when the stock was
 * made, the function is generated instead, and nothing has happened.
 */
#include "runtime/lang/gen/gen_stock.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/lang/types/object.h"

enum answer { NOT_ASKED, YES, NO };

struct gen_stock {
    struct gen *g;
    struct gen_stock *next; /* the one to be asked after this */
    const uint32_t *w;
    bool tree; /* made with the packages of the tree that there is */
    /* By numbers of the stock's tables; NULL: not looked for yet. */
    struct check_pkg **pkgs;
    struct object **objs;
    struct type **types;
    uint8_t *pkg_usable; /* enum answer */
    struct gen_map closed; /* package -> enum answer */
    struct gen_map inits; /* variable -> record of its initialiser, which is to
                             be taken */
    uint64_t *values; /* what the requests of a function give */
    uint32_t valuecap;
    bool asking; /* the values are in use */
};

/* One more; tree: of a tree's packages too. */
static void
open_stock(struct gen *g, const uint32_t *words, bool tree)
{
    struct gen_stock *s = gen_scratch(g, sizeof *s), **at = &g->stocks;

    rt_assert(words[STOCK_H_MAGIC] == STOCK_MAGIC);
    s->g = g;
    s->w = words;
    s->tree = tree;
    s->pkgs = gen_scratch(g, words[STOCK_H_NPKGS] * sizeof(void *));
    s->pkg_usable = gen_scratch(g, words[STOCK_H_NPKGS]);
    s->objs = gen_scratch(g, words[STOCK_H_NOBJS] * sizeof(void *));
    s->types = gen_scratch(g, words[STOCK_H_NTYPES] * sizeof(void *));
    while (*at != NULL)
        at = &(*at)->next;
    *at = s;
}

void
gen_stocks_open(struct gen *g)
{
    const struct gen_options *o = g->opt;
    unsigned i;

    if (o == NULL)
        return;
    if (o->stock != NULL)
        open_stock(g, o->stock, false);
    for (i = 0; i < o->nkept; i++)
        open_stock(g, o->kept[i], true);
}

void
gen_stocks_close(struct gen *g)
{
    struct gen_stock *s;

    for (s = g->stocks; s != NULL; s = s->next) {
        gmap_free(&s->closed);
        gmap_free(&s->inits);
    }
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

/* Is p of the library that the stock was made with, and all that it imports?
 * What a function does with its parameters may follow from any of it. */
static bool
is_closed(struct gen_stock *s, const struct check_pkg *p)
{
    uint64_t key = (uint64_t)(uintptr_t)p;
    uint32_t i, a;

    if (p == s->g->c->unsafe_pkg)
        return true;
    if (gmap_get(&s->closed, key, &a))
        return a == YES;
    a = p->library && !p->fake && (s->tree || !p->eager) ? YES : NO;
    for (i = 0; i < p->nimports && a == YES; i++)
        if (!is_closed(s, p->imports[i]))
            a = NO;
    gmap_put(s->g, &s->closed, key, a);
    return a == YES;
}

/* A package that nobody has imported is none: an instance in the stock may be
 * one with types that this program does not have, and to look at it must not
 * bring the package of these into the program. */
static struct check_pkg *
pkg_of(struct gen_stock *s, uint32_t id)
{
    rt_assert(id < s->w[STOCK_H_NPKGS]);
    if (s->pkg_usable[id] == NOT_ASKED) {
        struct check_pkg *p = check_imported(
            s->g->c, name_of(s, s->w[s->w[STOCK_H_PKGS] + id]));

        s->pkgs[id] = p;
        s->pkg_usable[id] = p != NULL && is_closed(s, p) ? YES : NO;
    }
    return s->pkg_usable[id] == YES ? s->pkgs[id] : NULL;
}

static struct type *type_of(struct gen_stock *s, uint32_t id);

/* n types in scratch memory; NULL: one of them is not there. */
static struct type **
types_of(struct gen_stock *s, const uint32_t *ids, uint32_t n)
{
    struct type **list = gen_scratch(s->g, n * sizeof *list);
    uint32_t i;

    for (i = 0; i < n; i++) {
        list[i] = type_of(s, ids[i]);
        if (list[i] == NULL)
            return NULL;
    }
    return list;
}

static struct object *obj_of(struct gen_stock *s, uint32_t id);

static struct object *
instance_of(struct gen_stock *s, uint32_t origin, const uint32_t *w)
{
    struct object *o = obj_of(s, origin);
    struct type **targs = o != NULL ? types_of(s, w + 1, w[0]) : NULL;

    if (targs == NULL || o->tparams == NULL || o->tparams->n != w[0])
        return NULL;
    return check_func_instance(s->g->c, o, targs, w[0]);
}

static struct object *
declared(struct gen_stock *s, const uint32_t *row)
{
    struct check_pkg *p = pkg_of(s, row[0]);
    struct object *o = p != NULL ? check_decl_at(p, row[1]) : NULL;

    return o != NULL && strcmp(o->name->text, name_of(s, row[2])) == 0 ? o :
        NULL;
}

/* A variable whose initialiser is in the stock: was it told its type? */
static bool
tell_type(struct gen_stock *s, struct object *v, uint32_t type)
{
    struct type *t = v->kind == OBJ_VAR ? type_of(s, type) : NULL;

    return t != NULL && check_var_typed(v, t);
}

static struct object *
obj_of(struct gen_stock *s, uint32_t id)
{
    const uint32_t *row = s->w + s->w[STOCK_H_OBJS] + STOCK_OBJ * id;
    struct object *o;
    bool told;

    rt_assert(id < s->w[STOCK_H_NOBJS]);
    if (s->objs[id] != NULL)
        return s->objs[id];
    o = row[0] == STOCK_INSTANCE ? instance_of(s, row[1], s->w + row[2]) :
        declared(s, row);
    told = o != NULL && row[3] != 0 && tell_type(s, o, row[3] - 1);
    if (o != NULL)
        check_declare_now(s->g->c, o);
    s->objs[id] = o;
    /* Whoever looks at an initialiser for a type has looked at all of it. */
    if (told)
        gen_init_items(s->g, o);
    return o;
}

/* ---- types ----------------------------------------------------------------------- */

static struct type *
func_type(struct gen_stock *s, const uint32_t *w)
{
    struct type **list = types_of(s, w + 3, w[0]);

    return list != NULL ?
        type_func(s->g->c, list, w[0], w[1], w[2] != 0) : NULL;
}

static struct type *
named_type(struct gen_stock *s, const uint32_t *w)
{
    struct object *o;
    struct type **targs;

    if (w[0] == UINT32_MAX)
        return s->g->c->types.error_type;
    o = obj_of(s, w[0]);
    if (o == NULL || o->kind != OBJ_TYPE)
        return NULL;
    if (w[1] == 0)
        return o->type;
    targs = types_of(s, w + 2, w[1]);
    if (targs == NULL || o->type->tparams == NULL ||
        o->type->tparams->n != w[1])
        return NULL;
    return check_instance(s->g->c, o->type, targs);
}

static bool
member_of(struct gen_stock *s, const uint32_t *w, struct type_member *m)
{
    size_t len = 0;

    m->name = w[0] == 0 ? NULL :
        lang_name_str(s->g->c->parse->names, name_of(s, w[0] - 1));
    m->pkg = w[1] == 0 ? NULL : pkg_of(s, w[1] - 1);
    m->type = type_of(s, w[2]);
    m->embedded = w[3] != 0;
    m->tag = w[4] == 0 ? NULL : str_of(s, w[4] - 1, &len);
    m->tag_len = (uint32_t)len;
    return m->type != NULL && (w[1] == 0 || m->pkg != NULL);
}

/* A struct or an interface. */
static struct type *
type_with_members(struct gen_stock *s, enum type_kind kind, const uint32_t *w)
{
    struct type_member *list = gen_scratch(s->g, w[0] * sizeof *list);
    uint32_t i;

    for (i = 0; i < w[0]; i++)
        if (!member_of(s, w + 1 + i * STOCK_MEMBER, &list[i]))
            return NULL;
    return kind == TYPE_STRUCT ? type_struct(s->g->c, list, w[0]) :
        type_interface(s->g->c, list, w[0]);
}

static struct type *
make_type(struct gen_stock *s, const uint32_t *w)
{
    struct check *c = s->g->c;
    struct type *elem = NULL, *key = NULL;

    switch (w[0]) {
    case TYPE_NAMED:
        return named_type(s, w + 1);
    case TYPE_STRUCT:
    case TYPE_INTERFACE:
        return type_with_members(s, (enum type_kind)w[0], w + 1);
    case TYPE_FUNC:
        return func_type(s, w + 1);
    case TYPE_MAP:
        key = type_of(s, w[1]);
        elem = type_of(s, w[2]);
        return key && elem ? type_map(c, key, elem) : NULL;
    case TYPE_POINTER:
    case TYPE_SLICE:
    case TYPE_ARRAY:
    case TYPE_CHAN:
        elem = type_of(s, w[1]);
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
type_of(struct gen_stock *s, uint32_t id)
{
    rt_assert(id < s->w[STOCK_H_NTYPES]);
    if (s->types[id] == NULL)
        s->types[id] = make_type(s, s->w + s->w[s->w[STOCK_H_TYPES] + id]);
    return s->types[id];
}

/* ---- requests --------------------------------------------------------------------- */

static bool
can_select(struct gen_stock *s, uint32_t id)
{
    const uint32_t *row = s->w + s->w[STOCK_H_SELS] + 3 * id;

    return (row[1] == 0 || pkg_of(s, row[1] - 1) != NULL) &&
        type_of(s, row[2]) != NULL;
}

static bool can_take_part(struct gen_stock *s, uint32_t part);

/* Is there what was there when the stock was made? */
static bool
can_ask(struct gen_stock *s, uint32_t req)
{
    uint32_t i = STOCK_REQ_INDEX(req);
    struct object *o, *real;
    bool native;

    switch (STOCK_REQ_KIND(req)) {
    case STOCK_TYPE:
        return type_of(s, i) != NULL;
    case STOCK_SELECTOR:
    case STOCK_LIVE:
        return can_select(s, i);
    case STOCK_GLOBAL:
        o = obj_of(s, i);
        return o != NULL && o->kind == OBJ_VAR;
    case STOCK_NATIVE:
    case STOCK_FUNC:
    case STOCK_LENT:
        real = o = obj_of(s, i);
        if (o == NULL || o->kind != OBJ_FUNC)
            return false;
        /* Somebody's //go:linkname may have given it a body. */
        native = gen_is_native(s->g, &real);
        return real == o && native == (STOCK_REQ_KIND(req) == STOCK_NATIVE);
    case STOCK_PART:
        return can_take_part(s, i);
    default:
        return true;
    }
}

static uint32_t
queue_part(struct gen_stock *s, uint32_t part)
{
    const uint32_t *f = s->w + s->w[s->w[STOCK_H_PARTS] + part];
    struct work w = {.kind = WORK_READY, .stock = s, .ready = f,
        .name = name_of(s, f[STOCK_F_NAME])};

    return gen_work(s->g, &w);
}

static uint64_t
ask(struct gen_stock *s, uint32_t req)
{
    struct gen *g = s->g;
    uint32_t i = STOCK_REQ_INDEX(req), id;
    const uint32_t *row;
    const char *text;
    size_t n;

    switch (STOCK_REQ_KIND(req)) {
    case STOCK_TYPE:
        return gen_type(g, type_of(s, i));
    case STOCK_CONST:
        row = s->w + s->w[STOCK_H_CONSTS] + 2 * i;
        return gen_const(g, row[0] | (uint64_t)row[1] << 32);
    case STOCK_STRING:
        text = str_of(s, i, &n);
        return gen_string(g, text, n);
    case STOCK_FILE:
        return gen_file(g, name_of(s, i));
    case STOCK_GLOBAL:
        return gen_global(g, obj_of(s, i));
    case STOCK_NATIVE:
        return gen_native(g, obj_of(s, i));
    case STOCK_FUNC:
        return gen_func_obj(g, obj_of(s, i));
    case STOCK_LENT:
        return gen_func_lent(g, obj_of(s, i));
    case STOCK_PART:
        return queue_part(s, i);
    default:
        rt_assert(STOCK_REQ_KIND(req) == STOCK_SELECTOR ||
            STOCK_REQ_KIND(req) == STOCK_LIVE);
        row = s->w + s->w[STOCK_H_SELS] + 3 * i;
        id = gen_selector_of(g,
            lang_name_str(g->c->parse->names, name_of(s, row[0])),
            row[1] != 0 ? pkg_of(s, row[1] - 1) : NULL, type_of(s, row[2]));
        if (STOCK_REQ_KIND(req) == STOCK_LIVE)
            gen_selector_use(g, id);
        return id;
    }
}

/* ---- functions ---------------------------------------------------------------------- */

/* The record of fn, of that name; lent: as one that is lent memory. */
static const uint32_t *
find(struct gen_stock *s, const char *name, const struct object *fn, bool lent)
{
    const uint32_t *tab = s->w + s->w[STOCK_H_HASH];
    uint32_t mask = s->w[STOCK_H_NHASH] - 1, i = stock_hash(name) & mask;

    if (!is_closed(s, fn->pkg))
        return NULL;
    /* Instances of one function have one name. */
    for (; tab[i] != 0; i = (i + 1) & mask) {
        const uint32_t *f = s->w + tab[i];

        if (f[STOCK_F_LENT] == lent &&
            strcmp(name_of(s, f[STOCK_F_NAME]), name) == 0 &&
            obj_of(s, f[STOCK_F_OBJ]) == fn)
            return f;
    }
    return NULL;
}

/* The numbers fit into the code: of a call's selector it has 16 bits. */
static bool
values_fit(const struct stock_record *p, const uint64_t *values)
{
    uint32_t i;

    for (i = 0; i < p->head[STOCK_F_NPLACES]; i++)
        if ((p->places[2 * i] & STOCK_PLACE_C) != 0 &&
            values[p->places[2 * i + 1]] > UINT16_MAX)
            return false;
    return true;
}

static bool
can_take(struct gen_stock *s, const struct stock_record *p)
{
    uint32_t i;

    for (i = 0; i < p->head[STOCK_F_NREQS]; i++)
        if (!can_ask(s, p->reqs[i]))
            return false;
    for (i = 0; i < p->head[STOCK_F_NDEPS]; i++)
        if (obj_of(s, p->deps[i]) == NULL)
            return false;
    return true;
}

static bool
can_take_part(struct gen_stock *s, uint32_t part)
{
    uint32_t at = s->w[s->w[STOCK_H_PARTS] + part];
    struct stock_record p;

    rt_assert(part < s->w[STOCK_H_NPARTS]);
    if (at == 0)
        return false;
    p = stock_record_at(s->w + at);
    return can_take(s, &p);
}

/* An instance's references are those of the function that it is one of. */
static void
take_deps(struct gen_stock *s, const struct stock_record *p, struct object *fn)
{
    uint32_t i;

    if (fn->origin != NULL)
        fn = fn->origin;
    for (i = 0; i < p->head[STOCK_F_NDEPS]; i++)
        check_obj_refers(s->g->c, fn, obj_of(s, p->deps[i]));
}

static void
take_code(struct gen *g, const struct stock_record *p, struct code_func *cf,
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

/* The layout of n words with a mask. */
static struct rt_layout
layout_of(const uint32_t *words, uint32_t n)
{
    struct rt_layout l = {.size = n * 8ull};
    const uint8_t *mask = (const uint8_t *)words;

    while (n > 0 && (mask[(n - 1) / 8] >> (n - 1) % 8 & 1) == 0)
        n--;
    l.ptrdata = n * 8ull;
    l.ptrmask = n != 0 ? mask : NULL;
    return l;
}

static void
take_lines(struct gen *g, const struct stock_record *p, struct code_func *cf,
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
take(struct gen *g, const struct stock_record *p, struct code_func *cf,
    const uint64_t *values)
{
    const uint32_t *h = p->head;

    take_code(g, p, cf, values);
    take_lines(g, p, cf, values);
    cf->cells = layout_of(p->cells, h[STOCK_F_CELLS]);
    cf->closure = layout_of(p->closure, h[STOCK_F_CLOSURE]);
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
}

/* Takes a function, whose requests can be met; false: its numbers are too
 * large. */
static bool
take_record(struct gen_stock *s, const struct stock_record *p, uint32_t id)
{
    struct gen *g = s->g;
    uint32_t i, n = p->head[STOCK_F_NREQS];

    rt_assert(!s->asking);
    if (n > s->valuecap) {
        s->valuecap = 2 * n;
        s->values = gen_scratch(g, s->valuecap * sizeof *s->values);
    }
    s->asking = true;
    for (i = 0; i < n; i++)
        s->values[i] = ask(s, p->reqs[i]);
    s->asking = false;
    if (!values_fit(p, s->values))
        return false;
    take(g, p, g->funcs.at[id], s->values);
    return true;
}

static bool
take_from(struct gen_stock *s, uint32_t id)
{
    struct object *fn = s->g->work.at[id].obj;
    const uint32_t *f = find(
        s, s->g->work.at[id].name, fn, s->g->work.at[id].lent);
    struct stock_record p;

    if (f == NULL)
        return false;
    p = stock_record_at(f);
    if (!can_take(s, &p))
        return false;
    take_deps(s, &p, fn);
    return take_record(s, &p, id);
}

/* The function has no tree behind it: there is no other way to make it. */
static void
take_ready(struct gen_stock *s, const uint32_t *f, uint32_t id)
{
    struct stock_record p = stock_record_at(f);

    if (!take_record(s, &p, id))
        gen_errorf(s->g, 0, "too many names of methods for vole");
}

/* An initialiser that gen_stock_init() has found. */
static bool
take_init(struct gen *g, uint32_t id)
{
    const struct init_item *it = g->work.at[id].init;
    uint64_t key = (uint64_t)(uintptr_t)it->lhs[0];
    struct gen_stock *s;
    uint32_t at;

    for (s = g->stocks; s != NULL; s = s->next)
        if (it->nlhs == 1 && gmap_get(&s->inits, key, &at)) {
            take_ready(s, s->w + at, id);
            return true;
        }
    return false;
}

static bool
init_from(struct gen_stock *s, struct object *v, const char *name)
{
    const uint32_t *f = find(s, name, v, false);
    struct stock_record p;

    if (f == NULL)
        return false;
    p = stock_record_at(f);
    if (!can_take(s, &p))
        return false;
    if (check_var_ready(v))
        take_deps(s, &p, v);
    gmap_put(s->g, &s->inits, (uint64_t)(uintptr_t)v, (uint32_t)(f - s->w));
    return true;
}

bool
gen_stock_init(struct gen *g, struct object *v)
{
    struct gen_stock *s;
    const char *name;

    if (g->stocks == NULL || v->dinfo == NULL)
        return false;
    name = gen_var_name(g, v);
    for (s = g->stocks; s != NULL; s = s->next)
        if (init_from(s, v, name))
            return true;
    return false;
}

bool
gen_stock_take(struct gen *g, uint32_t id)
{
    const struct work *w = &g->work.at[id];
    struct gen_stock *s;

    if (w->kind == WORK_READY) {
        take_ready(w->stock, w->ready, id);
        return true;
    }
    if (w->kind == WORK_INIT)
        return take_init(g, id);
    if (w->kind != WORK_FUNC || !w->pkg->library)
        return false;
    for (s = g->stocks; s != NULL; s = s->next)
        if (take_from(s, id))
            return true;
    return false;
}

static const struct escape_block *
block_at(struct gen *g, const uint32_t *f, const int8_t *at,
    const struct escape_sum *s)
{
    struct escape_block *b;

    if (f[STOCK_F_BLOCK] == 0)
        return NULL;
    b = gen_scratch(g, sizeof *b);
    b->words = f[STOCK_F_BLOCK] & ~STOCK_LINKED;
    b->linked = (f[STOCK_F_BLOCK] & STOCK_LINKED) != 0;
    b->heap = at;
    b->into = b->heap + s->nparams;
    b->out = (const uint8_t *)(b->into + s->nparams);
    b->kinds = b->out + s->nres;
    return b;
}

static bool
sum_from(struct gen_stock *s, struct object *fn, const char *name,
    struct escape_sum *out)
{
    const uint32_t *f = find(s, name, fn, false);
    struct stock_record p;

    if (f == NULL)
        f = find(s, name, fn, true);
    if (f == NULL || f[STOCK_F_SUM] == STOCK_NO_SUM)
        return false;
    p = stock_record_at(f);
    if (!can_take(s, &p))
        return false;
    out->nparams = f[STOCK_F_SUM] & 0xffff;
    out->nres = f[STOCK_F_SUM] >> 16;
    out->leak = (const int8_t *)p.sum;
    out->block = block_at(s->g, f, out->leak + out->nparams * (1 + out->nres),
        out);
    return true;
}

bool
gen_stock_sum(struct gen *g, struct object *fn, struct escape_sum *out)
{
    struct gen_stock *s;
    const char *name;

    if (g->stocks == NULL || !fn->pkg->library)
        return false;
    name = gen_func_name(g, fn);
    for (s = g->stocks; s != NULL; s = s->next)
        if (sum_from(s, fn, name, out))
            return true;
    return false;
}
