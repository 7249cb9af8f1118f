/* SPDX-License-Identifier: MIT */
/*
 * Writes the stock (stock.h).  While a declared function is generated, each
 * first thing that it asks for is noted together with the number that it got;
 * when it is finished, these numbers are looked for in its code where
 * opcode.def says that there are some.
 */
#include "runtime/lang/gen/gen_int.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/opinfo.h"
#include "runtime/lang/types/object.h"

struct note {
    uint32_t req;
    uint64_t value;
};

/* A table of the stock, and which number each thing in it has. */
struct table {
    GVEC(uint32_t) rows;
    uint32_t n;
    struct gen_map ids;
};

struct gen_record {
    struct table pkgs, objs, types, strs, consts, sels;
    GVEC(uint32_t) type_words; /* the tables' rows point into these two */
    GVEC(uint8_t) bytes;
    GVEC(uint32_t) funcs; /* records, one behind the other */
    GVEC(uint32_t) starts; /* of them */
    /* The function that is being generated. */
    struct object *fn; /* NULL: none that is recorded */
    bool bad;          /* something cannot be written down */
    GVEC(struct note) notes;
};

#define PUT(g, vec, x) ((void)(*gvec_push((g), &(vec)) = (uint32_t)(x)))

uint32_t
stock_hash(const char *name)
{
    uint32_t h = 2166136261u;

    for (; *name != 0; name++)
        h = (h ^ (uint8_t)*name) * 16777619u;
    return h ^ h >> 15;
}

struct gen_record *
gen_record_new(struct gen *g)
{
    struct gen_record *r = calloc(1, sizeof *r);

    if (r == NULL)
        rt_arena_nomem(g->arena);
    return r;
}

static void
free_table(struct table *t)
{
    free(t->rows.at);
    gmap_free(&t->ids);
}

void
gen_record_free(struct gen_record *r)
{
    if (r == NULL)
        return;
    free_table(&r->pkgs);
    free_table(&r->objs);
    free_table(&r->types);
    free_table(&r->strs);
    free_table(&r->consts);
    free_table(&r->sels);
    free(r->type_words.at);
    free(r->bytes.at);
    free(r->funcs.at);
    free(r->starts.at);
    free(r->notes.at);
    free(r);
}

/* ---- tables ----------------------------------------------------------------- */

/* Finds what has this key; where it is new it gets the next number. */
static bool
known(struct gen *g, struct table *t, uint64_t key, uint32_t *id)
{
    if (gmap_get(&t->ids, key, id))
        return true;
    *id = t->n++;
    gmap_put(g, &t->ids, key, *id);
    return false;
}

static uint32_t
put_str(struct gen *g, const void *s, size_t n)
{
    struct gen_record *r = g->record;
    uint64_t h = 14695981039346656037u;
    uint32_t id;
    size_t i;

    for (i = 0; i < n; i++)
        h = (h ^ ((const uint8_t *)s)[i]) * 1099511628211u;
    h += n;
    while (gmap_get(&r->strs.ids, h, &id)) {
        if (r->strs.rows.at[2 * id + 1] == n &&
            (n == 0 ||
             memcmp(r->bytes.at + r->strs.rows.at[2 * id], s, n) == 0))
            return id;
        h++;
    }
    known(g, &r->strs, h, &id);
    PUT(g, r->strs.rows, r->bytes.n);
    PUT(g, r->strs.rows, n);
    for (i = 0; i < n; i++)
        *gvec_push(g, &r->bytes) = ((const uint8_t *)s)[i];
    *gvec_push(g, &r->bytes) = 0;
    return id;
}

static uint32_t
put_name(struct gen *g, const char *s)
{
    return put_str(g, s, strlen(s));
}

static uint32_t
put_pkg(struct gen *g, const struct check_pkg *p)
{
    struct gen_record *r = g->record;
    uint32_t id;

    if (!p->library || p->eager)
        r->bad = true;
    if (!known(g, &r->pkgs, (uint64_t)(uintptr_t)p, &id)) {
        uint32_t name = put_name(g, p->path);

        PUT(g, r->pkgs.rows, name);
    }
    return id;
}

/* At package level, and found by its number? */
static bool
is_declared(const struct object *o)
{
    return o->pkg != NULL && check_decl_at(o->pkg, o->order) == o;
}

static uint32_t
put_obj(struct gen *g, const struct object *o)
{
    struct gen_record *r = g->record;
    uint32_t id;

    if (!is_declared(o)) {
        r->bad = true;
        return 0;
    }
    if (!known(g, &r->objs, (uint64_t)(uintptr_t)o, &id)) {
        uint32_t pkg = put_pkg(g, o->pkg), name = put_name(g, o->name->text);

        PUT(g, r->objs.rows, pkg);
        PUT(g, r->objs.rows, o->order);
        PUT(g, r->objs.rows, name);
    }
    return id;
}

static uint32_t put_type(struct gen *g, struct type *t);

/* The parts come first: the words of one type are together. */
static void
type_parts(struct gen *g, struct type *t, uint32_t *part)
{
    uint32_t i;

    if (t->elem != NULL)
        part[0] = put_type(g, t->elem);
    if (t->key != NULL)
        part[1] = put_type(g, t->key);
    for (i = 0; t->kind == TYPE_FUNC && i < t->nvars; i++)
        part[i] = put_type(g, t->vars[i]->type);
}

static void
type_rest(struct gen *g, const struct type *t, const uint32_t *part)
{
    struct gen_record *r = g->record;
    uint32_t i;

    switch (t->kind) {
    case TYPE_POINTER:
    case TYPE_SLICE:
        PUT(g, r->type_words, part[0]);
        break;
    case TYPE_ARRAY:
        PUT(g, r->type_words, part[0]);
        PUT(g, r->type_words, t->len);
        if (t->len < 0 || t->len > INT32_MAX)
            r->bad = true;
        break;
    case TYPE_MAP:
        PUT(g, r->type_words, part[1]);
        PUT(g, r->type_words, part[0]);
        break;
    case TYPE_CHAN:
        PUT(g, r->type_words, part[0]);
        PUT(g, r->type_words, t->dir);
        break;
    case TYPE_FUNC:
        PUT(g, r->type_words, t->nvars);
        PUT(g, r->type_words, t->nparams);
        PUT(g, r->type_words, t->variadic);
        for (i = 0; i < t->nvars; i++)
            PUT(g, r->type_words, part[i]);
        break;
    default:
        break;
    }
}

/* Those that have no names of their own and no others in them that cannot be
 * looked up. */
static bool
can_describe(struct gen *g, const struct type *t)
{
    if (t->kind <= TYPE_UNSAFE_POINTER)
        return t->kind != TYPE_INVALID;
    if (t->kind == TYPE_INTERFACE)
        return t == type_canon(g->c, g->c->types.empty_iface);
    return t->kind == TYPE_POINTER || t->kind == TYPE_SLICE ||
        t->kind == TYPE_ARRAY || t->kind == TYPE_MAP ||
        t->kind == TYPE_CHAN || (t->kind == TYPE_FUNC && t->recv == NULL);
}

static uint32_t
put_named(struct gen *g, const struct type *t)
{
    if (t == g->c->types.error_type)
        return UINT32_MAX;
    if (t->ntargs != 0 || t->obj->func != NULL) {
        g->record->bad = true;
        return 0;
    }
    return put_obj(g, t->obj);
}

static uint32_t
put_type(struct gen *g, struct type *t)
{
    struct gen_record *r = g->record;
    uint32_t id, obj = 0, *part;

    t = type_canon(g->c, t);
    if (gmap_get(&r->types.ids, (uint64_t)(uintptr_t)t, &id))
        return id;
    if (t->kind == TYPE_NAMED)
        obj = put_named(g, t);
    else if (!can_describe(g, t))
        r->bad = true;
    if (r->bad)
        return 0;
    part = gen_scratch(g, (t->nvars + 2) * sizeof *part);
    if (t->kind != TYPE_NAMED)
        type_parts(g, t, part);
    if (r->bad)
        return 0;
    known(g, &r->types, (uint64_t)(uintptr_t)t, &id);
    PUT(g, r->types.rows, r->type_words.n);
    PUT(g, r->type_words, t->kind);
    if (t->kind == TYPE_NAMED)
        PUT(g, r->type_words, obj);
    else
        type_rest(g, t, part);
    return id;
}

static uint32_t
put_const(struct gen *g, uint64_t v)
{
    struct gen_record *r = g->record;
    uint32_t id;

    if (!known(g, &r->consts, v, &id)) {
        PUT(g, r->consts.rows, v);
        PUT(g, r->consts.rows, v >> 32);
    }
    return id;
}

/* The selector with number `at` of the program. */
static uint32_t
put_selector(struct gen *g, const struct object *m, uint64_t at)
{
    struct gen_record *r = g->record;
    uint32_t id, name, pkg, type;

    if (gmap_get(&r->sels.ids, at, &id))
        return id;
    name = put_name(g, m->name->text);
    pkg = m->name->exported || m->pkg == NULL ? 0 : put_pkg(g, m->pkg) + 1;
    type = put_type(g, g->sels.at[at].sig);
    if (r->bad)
        return 0;
    known(g, &r->sels, at, &id);
    PUT(g, r->sels.rows, name);
    PUT(g, r->sels.rows, pkg);
    PUT(g, r->sels.rows, type);
    return id;
}

/* ---- a function ---------------------------------------------------------------- */

void
gen_record_begin(struct gen *g, const struct work *w)
{
    struct gen_record *r = g->record;

    r->fn = NULL;
    r->notes.n = 0;
    r->bad = false;
    if (w->kind == WORK_FUNC && w->pkg->library && w->obj->origin == NULL)
        r->fn = w->obj;
}

static uint32_t
put_what(struct gen *g, enum stock_kind kind, const void *what, uint64_t value)
{
    switch (kind) {
    case STOCK_TYPE:
        return put_type(g, g->types.at[value].type);
    case STOCK_CONST:
        return put_const(g, *(const uint64_t *)what);
    case STOCK_STRING:
        return put_str(
            g, g->strings.at[value].ptr, (size_t)g->strings.at[value].len);
    case STOCK_FILE:
        return put_name(g, g->files.at[value]);
    case STOCK_GLOBAL:
    case STOCK_NATIVE:
    case STOCK_FUNC:
        return put_obj(g, what);
    case STOCK_SELECTOR:
    case STOCK_LIVE:
        return put_selector(g, what, value);
    default:
        g->record->bad = true;
        return 0;
    }
}

void
gen_record_note(struct gen *g, enum stock_kind kind, const void *what,
    uint64_t value)
{
    struct gen_record *r = g->record;
    struct note n = {.value = value};
    uint32_t i, index;

    if (r->fn == NULL || r->bad)
        return;
    for (i = 0; i < r->notes.n; i++)
        if (STOCK_REQ_KIND(r->notes.at[i].req) == (uint32_t)kind &&
            r->notes.at[i].value == value)
            return;
    index = put_what(g, kind, what, value);
    rt_assert(index <= 0xffffff && kind <= STOCK_OTHER);
    n.req = (uint32_t)kind << 24 | index;
    *gvec_push(g, &r->notes) = n;
}

/* The request that gave a number; for a byte of a variable, its variable's. */
static bool
find_note(const struct gen *g, enum stock_kind kind, uint64_t value,
    uint32_t *at)
{
    const struct gen_record *r = g->record;
    uint64_t best = UINT64_MAX;
    uint32_t i;

    for (i = 0; i < r->notes.n; i++) {
        const struct note *n = &r->notes.at[i];

        if (STOCK_REQ_KIND(n->req) != (uint32_t)kind || n->value > value)
            continue;
        if (value - n->value < best) {
            best = value - n->value;
            *at = i;
        }
    }
    return best == 0 || (kind == STOCK_GLOBAL && best != UINT64_MAX);
}

struct filler {
    struct gen *g;
    struct code_ins *code;
    uint32_t *places; /* pairs, in scratch memory */
    uint32_t n, cap;
};

static void
add_place(struct filler *p, uint32_t place, uint32_t req)
{
    if (p->n + 2 > p->cap)
        p->places = gen_scratch_grow(
            p->g, p->places, &p->cap, sizeof *p->places);
    p->places[p->n++] = place;
    p->places[p->n++] = req;
}

/* The number in the imm of word i is one of that kind: only what is left over
 * from the request's stays there. */
static void
fill_imm(struct filler *p, uint32_t i, enum stock_kind kind)
{
    struct gen_record *r = p->g->record;
    uint32_t req;

    if (!find_note(p->g, kind, (uint32_t)p->code[i].imm, &req)) {
        r->bad = true;
        return;
    }
    add_place(p, i * 2, req);
    p->code[i].imm -= (int32_t)r->notes.at[req].value;
}

/* The selector of CALLI. */
static void
fill_selector(struct filler *p, uint32_t i)
{
    uint32_t req;

    if (!find_note(p->g, STOCK_LIVE, p->code[i].c, &req)) {
        p->g->record->bad = true;
        return;
    }
    add_place(p, i * 2 + STOCK_PLACE_C, req);
    p->code[i].c = 0;
}

/* As the verifier sees them (runtime/code/verify.c). */
static void
fill_ext(struct filler *p, uint32_t i, unsigned n)
{
    uint16_t op = p->code[i].op;
    unsigned k;

    switch (op) {
    case OP_SWITCH:
    case OP_LDM:
    case OP_XADDR:
    case OP_PADDR:
    case OP_CHKUNSAFE:
    case OP_SLICE:
    case OP_SLICESTR:
    case OP_SL2ARR:
        break;
    case OP_CELL: /* the function itself: whoever takes it knows */
        p->code[i + 1].imm = 0;
        break;
    case OP_MKCLO:
    case OP_MKCLOAT:
    case OP_GO:
    case OP_DEFER:
        fill_imm(p, i + 1, STOCK_FUNC);
        break;
    case OP_IMETH:
        fill_imm(p, i + 1, STOCK_LIVE);
        break;
    case OP_MAPNEXT:
        fill_imm(p, i + 2, STOCK_TYPE);
        break;
    case OP_SELECT:
        for (k = 0; k < p->code[i].b; k++)
            fill_imm(p, i + 2 + 2 * k, STOCK_TYPE);
        break;
    default:
        for (k = 1; k <= n; k++)
            fill_imm(p, i + k, STOCK_TYPE);
        break;
    }
}

static void
fill_ins(struct filler *p, uint32_t i, unsigned n)
{
    static const struct {
        char col;
        uint8_t kind;
    } kinds[] = {{'k', STOCK_CONST}, {'s', STOCK_STRING}, {'F', STOCK_FUNC},
        {'T', STOCK_TYPE}, {'N', STOCK_NATIVE}, {'g', STOCK_GLOBAL}};
    const struct code_opinfo *o = code_opinfo(p->code[i].op);
    unsigned k;

    rt_assert(o != NULL && p->code[i].op != OP_EXT);
    if (o->fmt == CODE_FMT_AI || o->fmt == CODE_FMT_I)
        for (k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            if (o->col[1][0] == kinds[k].col)
                fill_imm(p, i, (enum stock_kind)kinds[k].kind);
    if (p->code[i].op == OP_CALLI)
        fill_selector(p, i);
    fill_ext(p, i, n);
}

static void
put_bytes(struct gen *g, const void *at, size_t n)
{
    const uint8_t *b = at;
    size_t i, k;

    for (i = 0; i < n; i += 4) {
        uint32_t w = 0;

        for (k = 0; k < 4 && i + k < n; k++)
            w |= (uint32_t)b[i + k] << 8 * k;
        PUT(g, g->record->funcs, w);
    }
}

/* The mask as far as the block goes. */
static void
put_cells(struct gen *g, const struct rt_layout *l)
{
    size_t n = l->size / 64 + 1, have = (l->ptrdata / 8 + 7) / 8;
    uint8_t *mask = gen_scratch(g, n);

    memset(mask, 0, n);
    if (have != 0)
        memcpy(mask, l->ptrmask, have);
    put_bytes(g, mask, n);
}

static void
put_lines(struct gen *g, const struct code_func *cf)
{
    struct gen_record *r = g->record;
    uint32_t i, req;

    for (i = 0; i < cf->nlines; i++) {
        if (!find_note(g, STOCK_FILE, cf->lines[i].file, &req))
            r->bad = true;
        PUT(g, r->funcs, cf->lines[i].off);
        PUT(g, r->funcs, req);
        PUT(g, r->funcs, cf->lines[i].line);
    }
}

static uint32_t
count_deps(const struct object *fn)
{
    struct object *const *deps;
    uint32_t i, n = check_func_deps(fn, &deps), k = 0;

    for (i = 0; i < n; i++)
        k += is_declared(deps[i]);
    return k;
}

/* Variables of the function's own are among them and do not matter. */
static void
put_deps(struct gen *g, const struct object *fn)
{
    struct object *const *deps;
    uint32_t i, n = check_func_deps(fn, &deps);

    for (i = 0; i < n; i++)
        if (is_declared(deps[i])) {
            uint32_t id = put_obj(g, deps[i]);

            PUT(g, g->record->funcs, id);
        }
}

static void
put_head(struct gen *g, const struct code_func *cf, uint32_t nplaces,
    uint32_t ndeps, const struct escape_sum *sum)
{
    struct gen_record *r = g->record;
    uint32_t h[STOCK_F_SIZE] = {0}, i;

    h[STOCK_F_NAME] = put_name(g, cf->name);
    h[STOCK_F_OBJ] = put_obj(g, r->fn);
    h[STOCK_F_NCODE] = cf->ncode;
    h[STOCK_F_ARGS] = cf->nargs | (uint32_t)cf->nres << 16;
    h[STOCK_F_FRAME] = cf->nslots | (uint32_t)cf->extent << 16;
    h[STOCK_F_FLAGS] = cf->ctx | (uint32_t)cf->flags << 16;
    h[STOCK_F_RECOVER] = cf->recover_off;
    h[STOCK_F_NLINES] = cf->nlines;
    h[STOCK_F_NUNSIGNED] = cf->nunsigned;
    h[STOCK_F_NREQS] = r->notes.n;
    h[STOCK_F_NPLACES] = nplaces;
    h[STOCK_F_NDEPS] = ndeps;
    h[STOCK_F_LINE] = cf->line;
    h[STOCK_F_CELLS] = (uint32_t)(cf->cells.size / 8);
    h[STOCK_F_SUM] = sum != NULL ? sum->nparams | sum->nres << 16 :
        STOCK_NO_SUM;
    if (!find_note(g, STOCK_FILE, cf->file, &h[STOCK_F_FILE]))
        r->bad = true;
    for (i = 0; i < STOCK_F_SIZE; i++)
        PUT(g, r->funcs, h[i]);
}

void
gen_record_end(struct gen *g, const struct code_func *cf)
{
    struct gen_record *r = g->record;
    struct filler p = {.g = g};
    uint32_t i, n, start = r->funcs.n;
    const struct escape_sum *sum;

    if (r->fn == NULL || r->bad || cf->closure.ptrdata != 0)
        return;
    p.code = gen_scratch(g, cf->ncode * sizeof *p.code);
    memcpy(p.code, cf->code, cf->ncode * sizeof *p.code);
    for (i = 0; i < cf->ncode; i += 1 + n) {
        n = code_ext_words(&p.code[i]);
        fill_ins(&p, i, n);
    }
    gen_escape(g, r->fn);
    sum = gen_escape_sum(g, r->fn);
    put_head(g, cf, p.n / 2, count_deps(r->fn), sum);
    put_bytes(g, p.code, cf->ncode * sizeof *p.code);
    put_bytes(g, cf->ptrmask, cf->nslots / 8 + 1);
    put_cells(g, &cf->cells);
    if (sum != NULL)
        put_bytes(g, sum->leak, (size_t)sum->nparams * (1 + sum->nres));
    put_lines(g, cf);
    for (i = 0; i < cf->nunsigned; i++)
        PUT(g, r->funcs, cf->unsigned_at[i]);
    for (i = 0; i < r->notes.n; i++)
        PUT(g, r->funcs, r->notes.at[i].req);
    for (i = 0; i < p.n; i++)
        PUT(g, r->funcs, p.places[i]);
    put_deps(g, r->fn);
    if (r->bad)
        r->funcs.n = start;
    else
        PUT(g, r->starts, start);
    r->fn = NULL;
}

/* ---- the whole ------------------------------------------------------------------- */

struct out {
    struct gen *g;
    GVEC(uint32_t) v;
};

static void
append(struct out *o, const uint32_t *at, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        PUT(o->g, o->v, at[i]);
}

static void
append_table(struct out *o, enum stock_head at, const struct table *t)
{
    o->v.at[at] = o->v.n;
    o->v.at[at + 1] = t->n;
    append(o, t->rows.at, t->rows.n);
}

/* Rows of positions that began elsewhere. */
static void
shift(struct out *o, enum stock_head at, uint32_t step, uint32_t by)
{
    uint32_t i, n = o->v.at[at + 1];

    for (i = 0; i < n; i++)
        o->v.at[o->v.at[at] + i * step] += by;
}

static void
append_hash(struct out *o, uint32_t funcs)
{
    const struct gen_record *r = o->g->record;
    uint32_t size = 64, base, i, k;

    while (size < r->starts.n * 2)
        size *= 2;
    base = o->v.n;
    o->v.at[STOCK_H_HASH] = base;
    o->v.at[STOCK_H_NHASH] = size;
    for (i = 0; i < size; i++)
        PUT(o->g, o->v, 0);
    for (i = 0; i < r->starts.n; i++) {
        const uint32_t *f = r->funcs.at + r->starts.at[i];
        uint32_t str = r->strs.rows.at[2 * f[STOCK_F_NAME]];

        k = stock_hash((const char *)r->bytes.at + str) & (size - 1);
        while (o->v.at[base + k] != 0)
            k = (k + 1) & (size - 1);
        o->v.at[base + k] = funcs + r->starts.at[i];
    }
}

uint32_t *
gen_record_finish(struct gen *g, size_t *n)
{
    struct gen_record *r = g->record;
    struct out o = {.g = g};
    uint32_t i, types, bytes, funcs;

    for (i = 0; i < STOCK_H_SIZE; i++)
        PUT(g, o.v, 0);
    append_table(&o, STOCK_H_PKGS, &r->pkgs);
    append_table(&o, STOCK_H_OBJS, &r->objs);
    append_table(&o, STOCK_H_TYPES, &r->types);
    append_table(&o, STOCK_H_STRS, &r->strs);
    append_table(&o, STOCK_H_CONSTS, &r->consts);
    append_table(&o, STOCK_H_SELS, &r->sels);
    types = o.v.n;
    append(&o, r->type_words.at, r->type_words.n);
    funcs = o.v.n;
    append(&o, r->funcs.at, r->funcs.n);
    append_hash(&o, funcs);
    rt_assert(o.v.at[STOCK_H_NOBJS] * 3 == r->objs.rows.n);
    bytes = o.v.n * 4;
    for (i = 0; i < r->bytes.n; i += 4) {
        uint32_t w = 0, k;

        for (k = 0; k < 4 && i + k < r->bytes.n; k++)
            w |= (uint32_t)r->bytes.at[i + k] << 8 * k;
        PUT(g, o.v, w);
    }
    shift(&o, STOCK_H_TYPES, 1, types);
    shift(&o, STOCK_H_STRS, 2, bytes);
    o.v.at[STOCK_H_MAGIC] = STOCK_MAGIC;
    o.v.at[STOCK_H_WORDS] = o.v.n;
    *n = o.v.n;
    return o.v.at;
}
