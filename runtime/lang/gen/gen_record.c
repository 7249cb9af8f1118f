/* SPDX-License-Identifier: MIT */
/*
 * Writes a stock (stock.h).  While a function is generated, each first thing
 * that it asks for is noted together with the number that it got; when it is
 * finished, these numbers are looked for in its code where opcode.def says that
 * there are some.
 */
#include "runtime/lang/gen/gen_record.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/opinfo.h"
#include "runtime/lang/types/object.h"

uint32_t
stock_hash(const char *name)
{
    uint32_t h = 2166136261u;

    for (; *name != 0; name++)
        h = (h ^ (uint8_t)*name) * 16777619u;
    return h ^ h >> 15;
}

/* The words of a mask with a bit for each of n. */
static uint32_t
mask_words(uint32_t n)
{
    return (n / 8 + 1 + 3) / 4;
}

/* Bytes of what is known of the parameters; words: of the block, or 0. */
static uint32_t
sum_bytes(uint32_t nparams, uint32_t nres, uint32_t words)
{
    return nparams * (1 + nres) +
        (words == 0 ? 0 : 2 * nparams + nres + words);
}

struct stock_record
stock_record_at(const uint32_t *f)
{
    struct stock_record p = {.head = f, .code = f + STOCK_F_SIZE};

    p.mask = p.code + f[STOCK_F_NCODE] * 2;
    p.cells = p.mask + mask_words(f[STOCK_F_FRAME] & 0xffff);
    p.closure = p.cells + mask_words(f[STOCK_F_CELLS]);
    p.sum = p.closure + mask_words(f[STOCK_F_CLOSURE]);
    p.lines = p.sum;
    if (f[STOCK_F_SUM] != STOCK_NO_SUM)
        p.lines += (sum_bytes(f[STOCK_F_SUM] & 0xffff, f[STOCK_F_SUM] >> 16,
                        f[STOCK_F_BLOCK] & ~STOCK_LINKED) + 3) / 4;
    p.unsigned_at = p.lines + f[STOCK_F_NLINES] * 3;
    p.reqs = p.unsigned_at + f[STOCK_F_NUNSIGNED];
    p.places = p.reqs + f[STOCK_F_NREQS];
    p.deps = p.places + f[STOCK_F_NPLACES] * 2;
    return p;
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
    free_table(&r->parts);
    free(r->words.at);
    free(r->bytes.at);
    free(r->funcs.at);
    free(r->starts.at);
    free(r->notes.at);
    free(r);
}

/* ---- a function ---------------------------------------------------------------- */

void
gen_record_begin(struct gen *g, const struct work *w, uint32_t id)
{
    struct gen_record *r = g->record;

    r->fn = r->var = NULL;
    r->notes.n = 0;
    r->bad = false;
    r->on = false;
    if (w->kind == WORK_FUNC) {
        r->fn = w->obj;
        r->lent = w->lent;
        r->on = w->pkg->library;
    } else if (w->kind == WORK_INIT) {
        r->var = w->init->lhs[0];
        r->on = w->pkg->library && w->init->nlhs == 1 &&
            stock_is_declared(r->var);
    } else if (gmap_get(&r->parts.ids, id, &r->part)) {
        r->on = true;
    }
}

/* Work that was queued while a function was recorded.  In initialisers literals
 * have numbers by the order in which these are generated. */
static uint32_t
put_part(struct gen *g, uint32_t work)
{
    struct gen_record *r = g->record;
    uint32_t id;

    if (r->var != NULL) {
        r->bad = true;
        return 0;
    }

    if (!stock_known(g, &r->parts, work, &id))
        REC_PUT(g, r->parts.rows, 0);
    return id;
}

static uint32_t
put_what(struct gen *g, enum stock_kind kind, const void *what, uint64_t value)
{
    switch (kind) {
    case STOCK_TYPE:
        return stock_put_type(g, g->types.at[value].type);
    case STOCK_CONST:
        return stock_put_const(g, *(const uint64_t *)what);
    case STOCK_STRING:
        return stock_put_str(
            g, g->strings.at[value].ptr, (size_t)g->strings.at[value].len);
    case STOCK_FILE:
        return stock_put_name(g, g->files.at[value]);
    case STOCK_GLOBAL:
    case STOCK_NATIVE:
    case STOCK_FUNC:
    case STOCK_LENT:
        return stock_put_obj(g, what);
    case STOCK_SELECTOR:
    case STOCK_LIVE:
        return stock_put_selector(g, what, value);
    default:
        rt_assert(kind == STOCK_PART);
        return put_part(g, (uint32_t)value);
    }
}

void
gen_record_note(struct gen *g, enum stock_kind kind, const void *what,
    uint64_t value)
{
    struct gen_record *r = g->record;
    struct note n = {.value = value};
    uint32_t i, index;

    if (!r->on || r->bad)
        return;
    for (i = 0; i < r->notes.n; i++)
        if (STOCK_REQ_KIND(r->notes.at[i].req) == (uint32_t)kind &&
            r->notes.at[i].value == value)
            return;
    index = put_what(g, kind, what, value);
    rt_assert(index <= 0xffffff && kind <= STOCK_PART);
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

    if (!find_note(p->g, kind, (uint32_t)p->code[i].imm, &req) &&
        (kind != STOCK_FUNC ||
            (!find_note(p->g, STOCK_PART, (uint32_t)p->code[i].imm, &req) &&
                !find_note(
                    p->g, STOCK_LENT, (uint32_t)p->code[i].imm, &req)))) {
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

/* Word k behind instruction i. */
static void
fill_ext(struct filler *p, uint32_t i, unsigned k)
{
    switch (code_ext_kind(&p->code[i], k)) {
    case CODE_EXT_TYPE:
        fill_imm(p, i + k, STOCK_TYPE);
        break;
    case CODE_EXT_FUNC:
        if (p->code[i].op == OP_CELL) /* the function itself: whoever takes it */
            p->code[i + k].imm = 0;   /* knows */
        else
            fill_imm(p, i + k, STOCK_FUNC);
        break;
    case CODE_EXT_SELECTOR:
        fill_imm(p, i + k, STOCK_LIVE);
        break;
    case CODE_EXT_NUMBER:
    case CODE_EXT_SIZE:
    case CODE_EXT_JUMP:
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
    for (k = 1; k <= n; k++)
        fill_ext(p, i, k);
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
        REC_PUT(g, g->record->funcs, w);
    }
}

/* The mask as far as the memory goes. */
static void
put_layout(struct gen *g, const struct rt_layout *l)
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
        REC_PUT(g, r->funcs, cf->lines[i].off);
        REC_PUT(g, r->funcs, req);
        REC_PUT(g, r->funcs, cf->lines[i].line);
    }
}

/* Whose references a function's are: an instance has none of its own. */
static const struct object *
refers(const struct object *fn)
{
    return fn->origin != NULL ? fn->origin : fn;
}

/* Variables of the function's own are among what it refers to, and do not
 * matter.  Returns how many others there are. */
static uint32_t
put_deps(struct gen *g, const struct object *o)
{
    struct object *const *deps;
    uint32_t i, n = check_obj_deps(o, &deps), k = 0;

    for (i = 0; i < n; i++)
        if (stock_is_declared(deps[i])) {
            uint32_t id = stock_put_obj(g, deps[i]);

            REC_PUT(g, g->record->funcs, id);
            k++;
        }
    return k;
}

static void
put_head(struct gen *g, const struct code_func *cf, uint32_t nplaces,
    const struct escape_sum *sum)
{
    struct gen_record *r = g->record;
    uint32_t h[STOCK_F_SIZE] = {0}, i;

    h[STOCK_F_NAME] = stock_put_name(
        g, r->var != NULL ? gen_var_name(g, r->var) : cf->name);
    h[STOCK_F_OBJ] = r->fn != NULL ? stock_put_obj(g, r->fn) :
        r->var != NULL ? stock_put_obj(g, r->var) : UINT32_MAX;
    h[STOCK_F_NCODE] = cf->ncode;
    h[STOCK_F_ARGS] = cf->nargs | (uint32_t)cf->nres << 16;
    h[STOCK_F_FRAME] = cf->nslots | (uint32_t)cf->extent << 16;
    h[STOCK_F_FLAGS] = cf->ctx | (uint32_t)cf->flags << 16;
    h[STOCK_F_RECOVER] = cf->recover_off;
    h[STOCK_F_NLINES] = cf->nlines;
    h[STOCK_F_NUNSIGNED] = cf->nunsigned;
    h[STOCK_F_NREQS] = r->notes.n;
    h[STOCK_F_NPLACES] = nplaces;
    h[STOCK_F_LINE] = cf->line;
    h[STOCK_F_CELLS] = (uint32_t)(cf->cells.size / 8);
    h[STOCK_F_CLOSURE] = (uint32_t)(cf->closure.size / 8);
    h[STOCK_F_SUM] = sum != NULL ? sum->nparams | sum->nres << 16 :
        STOCK_NO_SUM;
    h[STOCK_F_LENT] = r->fn != NULL && r->lent;
    if (sum != NULL && sum->block != NULL)
        h[STOCK_F_BLOCK] = sum->block->words |
            (sum->block->linked ? STOCK_LINKED : 0);
    if (!find_note(g, STOCK_FILE, cf->file, &h[STOCK_F_FILE]))
        r->bad = true;
    for (i = 0; i < STOCK_F_SIZE; i++)
        REC_PUT(g, r->funcs, h[i]);
}

/* What a declared function does with its parameters; NULL: nobody knows, or
 * it is a part. */
static const struct escape_sum *
sum_of(struct gen *g)
{
    struct object *fn = g->record->fn;

    if (fn == NULL)
        return NULL;
    gen_escape(g, fn);
    return gen_escape_sum(g, fn);
}

static void
put_sum(struct gen *g, const struct escape_sum *s)
{
    const struct escape_block *b = s->block;
    uint32_t n = sum_bytes(s->nparams, s->nres, b != NULL ? b->words : 0);
    uint32_t at = sum_bytes(s->nparams, s->nres, 0);
    uint8_t *out = gen_scratch(g, n + 1);

    memcpy(out, s->leak, at);
    if (b != NULL) {
        memcpy(out + at, b->heap, s->nparams);
        at += s->nparams;
        memcpy(out + at, b->into, s->nparams);
        at += s->nparams;
        memcpy(out + at, b->out, s->nres);
        at += s->nres;
        memcpy(out + at, b->kinds, b->words);
        at += b->words;
    }
    rt_assert(at == n);
    put_bytes(g, out, n);
}

/* The record from `start` on is complete: what finds it. */
static void
enter_record(struct gen *g, uint32_t start)
{
    struct gen_record *r = g->record;

    if (r->bad)
        r->funcs.n = start;
    else if (r->fn != NULL || r->var != NULL)
        REC_PUT(g, r->starts, start);
    else
        r->parts.rows.at[r->part] = 1 + start;
    r->on = false;
}

/* The variable says which type its initialiser gives it. */
static void
put_var_type(struct gen *g)
{
    struct gen_record *r = g->record;
    uint32_t type = stock_put_type(g, r->var->type);
    uint32_t obj = stock_put_obj(g, r->var);

    if (!r->bad)
        r->objs.rows.at[obj * STOCK_OBJ + 3] = 1 + type;
}

void
gen_record_end(struct gen *g, const struct code_func *cf)
{
    struct gen_record *r = g->record;
    struct filler p = {.g = g};
    uint32_t i, n, start = r->funcs.n;
    const struct escape_sum *sum;

    if (!r->on || r->bad) {
        r->on = false;
        return;
    }
    p.code = gen_scratch(g, cf->ncode * sizeof *p.code);
    memcpy(p.code, cf->code, cf->ncode * sizeof *p.code);
    for (i = 0; i < cf->ncode; i += 1 + n) {
        n = code_ext_words(&p.code[i]);
        fill_ins(&p, i, n);
    }
    sum = sum_of(g);
    put_head(g, cf, p.n / 2, sum);
    put_bytes(g, p.code, cf->ncode * sizeof *p.code);
    put_bytes(g, cf->ptrmask, cf->nslots / 8 + 1);
    put_layout(g, &cf->cells);
    put_layout(g, &cf->closure);
    if (sum != NULL)
        put_sum(g, sum);
    put_lines(g, cf);
    for (i = 0; i < cf->nunsigned; i++)
        REC_PUT(g, r->funcs, cf->unsigned_at[i]);
    for (i = 0; i < r->notes.n; i++)
        REC_PUT(g, r->funcs, r->notes.at[i].req);
    for (i = 0; i < p.n; i++)
        REC_PUT(g, r->funcs, p.places[i]);
    n = r->fn != NULL ? put_deps(g, refers(r->fn)) :
        r->var != NULL ? put_deps(g, r->var) : 0;
    r->funcs.at[start + STOCK_F_NDEPS] = n;
    if (r->var != NULL)
        put_var_type(g);
    enter_record(g, start);
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
        REC_PUT(o->g, o->v, at[i]);
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

/* Instances among the objects; parts that are there. */
static void
shift_others(struct out *o, uint32_t words, uint32_t funcs)
{
    uint32_t *at = o->v.at + o->v.at[STOCK_H_OBJS], i;

    for (i = 0; i < o->v.at[STOCK_H_NOBJS]; i++)
        if (at[STOCK_OBJ * i] == STOCK_INSTANCE)
            at[STOCK_OBJ * i + 2] += words;
    at = o->v.at + o->v.at[STOCK_H_PARTS];
    for (i = 0; i < o->v.at[STOCK_H_NPARTS]; i++)
        if (at[i] != 0)
            at[i] += funcs - 1;
}

/* Are all parts of the record at `start` there, and theirs? */
static bool
is_whole(const struct gen_record *r, uint32_t start)
{
    struct stock_record f = stock_record_at(r->funcs.at + start);
    uint32_t i, part;

    for (i = 0; i < f.head[STOCK_F_NREQS]; i++) {
        if (STOCK_REQ_KIND(f.reqs[i]) != STOCK_PART)
            continue;
        part = r->parts.rows.at[STOCK_REQ_INDEX(f.reqs[i])];
        if (part == 0 || !is_whole(r, part - 1))
            return false;
    }
    return true;
}

/* Leaves out what nobody could take. */
static void
drop_broken(struct gen_record *r)
{
    uint32_t i, n = 0;

    for (i = 0; i < r->starts.n; i++)
        if (is_whole(r, r->starts.at[i]))
            r->starts.at[n++] = r->starts.at[i];
    r->starts.n = n;
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
        REC_PUT(o->g, o->v, 0);
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
gen_record_finish(struct gen *g, uint32_t least, size_t *n)
{
    struct gen_record *r = g->record;
    struct out o = {.g = g};
    uint32_t i, words, bytes, funcs;

    *n = 0;
    drop_broken(r);
    if (r->starts.n < least)
        return NULL;
    for (i = 0; i < STOCK_H_SIZE; i++)
        REC_PUT(g, o.v, 0);
    append_table(&o, STOCK_H_PKGS, &r->pkgs);
    append_table(&o, STOCK_H_OBJS, &r->objs);
    append_table(&o, STOCK_H_TYPES, &r->types);
    append_table(&o, STOCK_H_STRS, &r->strs);
    append_table(&o, STOCK_H_CONSTS, &r->consts);
    append_table(&o, STOCK_H_SELS, &r->sels);
    append_table(&o, STOCK_H_PARTS, &r->parts);
    words = o.v.n;
    append(&o, r->words.at, r->words.n);
    funcs = o.v.n;
    append(&o, r->funcs.at, r->funcs.n);
    append_hash(&o, funcs);
    rt_assert(o.v.at[STOCK_H_NOBJS] * STOCK_OBJ == r->objs.rows.n);
    bytes = o.v.n * 4;
    for (i = 0; i < r->bytes.n; i += 4) {
        uint32_t w = 0, k;

        for (k = 0; k < 4 && i + k < r->bytes.n; k++)
            w |= (uint32_t)r->bytes.at[i + k] << 8 * k;
        REC_PUT(g, o.v, w);
    }
    shift(&o, STOCK_H_TYPES, 1, words);
    shift(&o, STOCK_H_STRS, 2, bytes);
    shift_others(&o, words, funcs);
    o.v.at[STOCK_H_MAGIC] = STOCK_MAGIC;
    o.v.at[STOCK_H_WORDS] = o.v.n;
    *n = o.v.n;
    return o.v.at;
}
