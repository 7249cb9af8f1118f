/* SPDX-License-Identifier: MIT */
/*
 * The generator's tables and its main loop: function indexes are handed out
 * at first mention, each is generated once, and types, methods and package
 * variables are followed until nothing new turns up.  Then everything is
 * copied into the image.
 */
#include "runtime/lang/gen/gen_stock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <unistd.h>

#include "runtime/lang/syntax/diag.h"

void *
gen_alloc(struct gen *g, size_t size)
{
    return rt_arena_alloc(g->arena, size ? size : 1);
}

void *
gen_scratch(struct gen *g, size_t size)
{
    return rt_arena_alloc(g->c->parse->arena, size ? size : 1);
}

void *
gen_scratch_grow(struct gen *g, const void *at, uint32_t *cap, size_t size)
{
    uint32_t n = *cap;
    void *p;

    *cap = n ? n * 2 : 8;
    p = gen_scratch(g, *cap * size);
    if (n != 0)
        memcpy(p, at, n * size);
    return p;
}

void *
gvec_grow(struct gen *g, void *at, uint32_t *cap, size_t size)
{
    uint32_t ncap = *cap ? *cap * 2 : 16;
    void *p = realloc(at, ncap * size);

    if (p == NULL)
        rt_arena_nomem(g->arena);
    memset((char *)p + *cap * size, 0, (ncap - *cap) * size);
    *cap = ncap;
    return p;
}

const char *
gen_strdup(struct gen *g, const char *s, size_t n)
{
    char *p = gen_alloc(g, n + 1);

    memcpy(p, s, n);
    p[n] = 0;
    return p;
}

const char *
gen_text(struct gen *g, const char *s)
{
    return gen_strdup(g, s, strlen(s));
}

const char *
gen_sprintf(struct gen *g, const char *fmt, ...)
{
    char buf[512];
    va_list ap;
    int n;
    char *p;

    va_start(ap, fmt);
    n = vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    if (n < (int)sizeof buf)
        return gen_strdup(g, buf, (size_t)n);
    p = gen_alloc(g, (size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(p, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return p;
}

void
gen_errorf(struct gen *g, lang_pos pos, const char *fmt, ...)
{
    char buf[512];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    lang_errf(g->c->parse->diag, pos, "%s", buf);
    g->failed = true;
}

/* ---- hash map from 64-bit keys to indexes --------------------------------- */

static uint32_t
slot_of(const struct gen_map *m, uint64_t key)
{
    uint64_t h = key * 0x9e3779b97f4a7c15u;
    uint32_t i = (uint32_t)(h >> 32) & (m->cap - 1);

    while (m->val[i] != 0 && m->key[i] != key)
        i = (i + 1) & (m->cap - 1);
    return i;
}

bool
gmap_get(const struct gen_map *m, uint64_t key, uint32_t *val)
{
    uint32_t i;

    if (m->cap == 0)
        return false;
    rt_assert((m->cap & (m->cap - 1)) == 0 && m->n <= m->cap / 2);
    i = slot_of(m, key);
    if (m->val[i] == 0)
        return false;
    *val = m->val[i] - 1;
    return true;
}

static void
gmap_resize(struct gen *g, struct gen_map *m, uint32_t cap)
{
    struct gen_map big = {0};
    uint32_t i, j;

    big.cap = cap;
    big.key = calloc(cap, sizeof *big.key);
    big.val = calloc(cap, sizeof *big.val);
    if (big.key == NULL || big.val == NULL) {
        free(big.key);
        free(big.val);
        rt_arena_nomem(g->arena);
    }
    for (i = 0; i < m->cap; i++) {
        if (m->val[i] == 0)
            continue;
        j = slot_of(&big, m->key[i]);
        big.key[j] = m->key[i];
        big.val[j] = m->val[i];
        big.n++;
    }
    free(m->key);
    free(m->val);
    *m = big;
}

void
gmap_put(struct gen *g, struct gen_map *m, uint64_t key, uint32_t val)
{
    uint32_t i;

    if (m->n * 2 >= m->cap)
        gmap_resize(g, m, m->cap ? m->cap * 2 : 64);
    /* A free place ends each search. */
    rt_assert(m->n < m->cap && val != UINT32_MAX);
    i = slot_of(m, key);
    if (m->val[i] == 0)
        m->n++;
    m->key[i] = key;
    m->val[i] = val + 1;
}

void
gmap_clear(struct gen_map *m)
{
    if (m->n != 0)
        memset(m->val, 0, m->cap * sizeof *m->val);
    m->n = 0;
}

void
gmap_free(struct gen_map *m)
{
    free(m->key);
    free(m->val);
}

/* ---- constants, strings, files -------------------------------------------------- */

uint32_t
gen_const(struct gen *g, uint64_t v)
{
    uint32_t id;

    if (!gmap_get(&g->const_ids, v, &id)) {
        id = g->consts.n;
        *gvec_push(g, &g->consts) = v;
        gmap_put(g, &g->const_ids, v, id);
    }
    gen_note(g, STOCK_CONST, &v, id);
    return id;
}

static uint64_t
hash_bytes(const char *s, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    size_t i;

    for (i = 0; i < n; i++)
        h = (h ^ (uint8_t)s[i]) * 0x100000001b3u;
    return h ^ n;
}

static uint32_t
string_id(struct gen *g, const char *s, size_t n)
{
    uint64_t h = hash_bytes(s, n);
    uint32_t id;

    /* A second string with the same hash just is not shared. */
    if (gmap_get(&g->string_ids, h, &id) &&
        g->strings.at[id].len == (int64_t)n &&
        (n == 0 || memcmp(g->strings.at[id].ptr, s, n) == 0))
        return id;
    id = g->strings.n;
    *gvec_push(g, &g->strings) = (struct rt_str){
        n ? (const uint8_t *)gen_strdup(g, s, n) : NULL, (int64_t)n};
    gmap_put(g, &g->string_ids, h, id);
    return id;
}

uint32_t
gen_string(struct gen *g, const char *s, size_t n)
{
    uint32_t id = string_id(g, s, n);

    gen_note(g, STOCK_STRING, NULL, id);
    return id;
}

static uint32_t
file_id(struct gen *g, const char *name)
{
    size_t n = strlen(name);
    uint64_t h;
    uint32_t i;

    if (g->last_file != NULL && strcmp(g->last_file, name) == 0)
        return g->last_file_id;
    /* A name is found by its hash or, where two have the same, by the next. */
    for (h = hash_bytes(name, n); gmap_get(&g->file_ids, h, &i); h++)
        if (strcmp(g->files.at[i], name) == 0)
            break;
    if (!gmap_get(&g->file_ids, h, &i)) {
        i = g->files.n;
        *gvec_push(g, &g->files) = gen_strdup(g, name, n);
        gmap_put(g, &g->file_ids, h, i);
    }
    g->last_file = g->files.at[i];
    g->last_file_id = i;
    return i;
}

uint32_t
gen_file(struct gen *g, const char *name)
{
    uint32_t id = file_id(g, name);

    gen_note(g, STOCK_FILE, NULL, id);
    return id;
}

/* ---- package variables --------------------------------------------------------------- */

/* v is mentioned: its initialiser is among the package's items from now on.
 * Those of the program's own packages all are from the beginning. */
void
gen_init_items(struct gen *g, struct object *v)
{
    struct check_pkg *pkg = v->pkg;

    if (pkg->library && !gen_stock_init(g, v))
        check_var_init(g->c, v);
}

static uint64_t
global_offset(struct gen *g, struct object *v)
{
    struct code_global *gl;
    struct object *real;
    uint64_t size, align;

    if (v->gen != 0)
        return v->gen - 1;
    real = check_linked(g->c, v);
    if (real != v) {
        v->gen = global_offset(g, real) + 1;
        return v->gen - 1;
    }
    size = (uint64_t)type_size(v->type);
    if (size == 0)
        size = 8; /* an address of its own, inside the block */
    align = type_align(v->type);
    if (align < 8)
        align = 8; /* slots are moved as whole words */
    g->globals_size = (g->globals_size + align - 1) / align * align;
    v->gen = g->globals_size + 1;
    g->globals_size += (size + 7) / 8 * 8;
    if (g->globals_size > INT32_MAX) {
        gen_errorf(g, v->pos, "package variables are too large for vole");
        g->globals_size = 0;
    }
    gl = gvec_push(g, &g->globals);
    gl->name = gen_sprintf(g, "%s.%s", v->pkg->name, v->name->text);
    gl->offset = v->gen - 1;
    gl->type = gen_rtype(g, v->type);
    v->used = true;
    gen_init_items(g, v);
    return v->gen - 1;
}

uint64_t
gen_global(struct gen *g, struct object *v)
{
    uint64_t offset = global_offset(g, v);

    gen_note(g, STOCK_GLOBAL, v, offset);
    return offset;
}

/* ---- functions ---------------------------------------------------------------------------- */

uint32_t
gen_work(struct gen *g, const struct work *w)
{
    uint32_t id = g->work.n;
    struct code_func *cf = gen_alloc(g, sizeof *cf);

    *gvec_push(g, &g->work) = *w;
    *gvec_push(g, &g->funcs) = cf;
    cf->id = id;
    cf->name = w->name;
    if (w->kind != WORK_FUNC)
        gen_note(g, STOCK_PART, NULL, id);
    return id;
}

bool
gen_body_find(const struct gen *g, const void *body, uint32_t *func)
{
    return gmap_get(&g->body_ids, (uint64_t)(uintptr_t)body, func);
}

void
gen_body_put(struct gen *g, const void *body, uint32_t func)
{
    gmap_put(g, &g->body_ids, (uint64_t)(uintptr_t)body, func);
}

const char *
gen_func_name(struct gen *g, struct object *fn)
{
    return gen_sprintf(
        g, "%s.%s", fn->pkg->link, check_func_name(g->c, fn));
}

const char *
gen_var_name(struct gen *g, const struct object *v)
{
    return gen_sprintf(g, "%s.%s", v->pkg->link, v->name->text);
}

static uint32_t
func_work(struct gen *g, struct object *fn, bool lent, bool tame)
{
    struct work w = {.kind = WORK_FUNC, .obj = fn, .lent = lent, .tame = tame};
    const void *key = (const char *)fn + lent + 2 * tame; /* this form's */
    uint32_t id;

    if (!gen_body_find(g, key, &id)) {
        w.pkg = fn->pkg;
        w.name = gen_func_name(g, fn);
        id = gen_work(g, &w);
        gen_body_put(g, key, id);
    }
    gen_note(g, lent ? STOCK_LENT : STOCK_FUNC, fn, id);
    return id;
}

uint32_t
gen_func_obj(struct gen *g, struct object *fn)
{
    return func_work(g, fn, false, false);
}

uint32_t
gen_func_lent(struct gen *g, struct object *fn)
{
    return func_work(g, fn, true, false);
}

uint32_t
gen_func_tame(struct gen *g, struct object *fn, bool lent)
{
    return func_work(g, fn, lent, true);
}

bool
gen_is_native(struct gen *g, struct object **fn)
{
    *fn = check_linked(g->c, *fn);
    return (*fn)->decl != NULL && (*fn)->decl->func.func.body == NULL &&
        !(*fn)->decl->func.func.lazy;
}

static uint32_t
native_id(struct gen *g, struct object *fn)
{
    struct code_native *n;
    struct type *sig = fn->type;
    uint32_t i, id, slots = 0, res = 0;

    if (gmap_get(&g->native_ids, (uint64_t)(uintptr_t)fn, &id))
        return id;
    id = g->natives.n;
    n = gvec_push(g, &g->natives);
    n->name = gen_sprintf(g, "%s.%s", fn->pkg->path,
        check_func_name(g->c, fn));
    if (sig->recv != NULL)
        slots += type_slots(sig->recv->type);
    for (i = 0; i < sig->nvars; i++)
        *(i < sig->nparams ? &slots : &res) += type_slots(sig->vars[i]->type);
    if (strcmp(n->name, "internal/rt.PtrTo") == 0)
        g->makes_pointers = true;
    if (strcmp(n->name, "internal/rt.MethodCode") == 0)
        g->calls_methods = true;
    rt_assert(slots <= UINT16_MAX && res <= UINT16_MAX);
    n->nargs = (uint16_t)slots;
    n->nres = (uint16_t)res;
    gmap_put(g, &g->native_ids, (uint64_t)(uintptr_t)fn, id);
    return id;
}

uint32_t
gen_native(struct gen *g, struct object *fn)
{
    uint32_t id = native_id(g, fn);

    gen_note(g, STOCK_NATIVE, fn, id);
    return id;
}

/* ---- initialisers ---------------------------------------------------------------------------- */

bool
gen_init_func(const struct gen *g, const struct init_item *it, uint32_t *id)
{
    return gmap_get(&g->init_ids, (uint64_t)(uintptr_t)it->rhs, id);
}

static void
queue_init(struct gen *g, struct check_pkg *p, const struct init_item *it)
{
    struct init_item *copy = gen_alloc(g, sizeof *copy);
    struct work w = {0};
    uint32_t i;

    *copy = *it;
    w.kind = WORK_INIT;
    w.init = copy;
    w.pkg = p;
    w.name = gen_sprintf(g, "%s.init", p->link);
    for (i = 0; i < copy->nlhs; i++)
        copy->lhs[i]->used = true;
    if (p->library && copy->nlhs == 1)
        gen_stock_init(g, copy->lhs[0]);
    gmap_put(g, &g->init_ids, (uint64_t)(uintptr_t)it->rhs, gen_work(g, &w));
}

/* Queues functions for all initialisers known so far and for func init();
 * true if any is new. */
static bool
queue_inits(struct gen *g)
{
    uint32_t i, j, id;
    bool any = false;

    for (i = 0; i < g->c->norder; i++) {
        struct check_pkg *p = g->c->order[i];

        any |= check_eager_inits(g->c, p);
        if (lang_diag_any(g->c->parse->diag) ||
            (p->library && !check_init_order(g->c, p))) {
            g->failed = true;
            return false;
        }
        for (j = 0; j < p->ninit_items; j++) {
            if (gen_init_func(g, &p->init_items[j], &id))
                continue;
            queue_init(g, p, &p->init_items[j]);
            any = true;
        }
        for (j = 0; j < p->ninits; j++)
            gen_func_obj(g, p->inits[j]);
    }
    return any || g->work_done < g->work.n;
}

static void
drain(struct gen *g)
{
    bool more = true;

    while (more && !g->failed) {
        while (g->work_done < g->work.n && !g->failed)
            gen_function(g, g->work_done++);
        more = gen_types_finish(g) || g->work_done < g->work.n;
    }
}

/* ---- the whole --------------------------------------------------------------------------------- */

static void
release(struct gen *g)
{
    uint32_t i;

    if (g->cur != NULL)
        gf_free(g->cur);
    free(g->cur);
    gen_record_free(g->record);
    gen_stocks_close(g);
    for (i = 0; i < g->funcs.n; i++)
        free(g->funcs.at[i]->code); /* none if the image was built */
    free(g->work.at);
    free(g->funcs.at);
    free(g->types.at);
    free(g->layouts.at);
    free(g->sels.at);
    free(g->waiting.at);
    free(g->due.at);
    free(g->consts.at);
    free(g->strings.at);
    free(g->natives.at);
    free(g->globals.at);
    free(g->files.at);
    gmap_free(&g->body_ids);
    gmap_free(&g->type_ids);
    gmap_free(&g->layout_ids);
    gmap_free(&g->sel_ids);
    gmap_free(&g->const_ids);
    gmap_free(&g->string_ids);
    gmap_free(&g->native_ids);
    gmap_free(&g->init_ids);
    gmap_free(&g->bound_ids);
    gmap_free(&g->init_lits);
    gmap_free(&g->seen);
    gmap_free(&g->fills);
    gmap_free(&g->range_exits);
    gen_escape_free(g);
    gmap_free(&g->file_ids);
}

/* All functions that have a body and are not generic of the library's packages
 * that are to be recorded. */
static void
queue_library(struct gen *g)
{
    uint32_t i, k;

    for (i = 0; i < g->c->norder; i++) {
        const struct check_pkg *p = g->c->order[i];

        if (!p->library || (p->eager && !g->opt->tree))
            continue;
        for (k = 0; k < p->nfuncs; k++) {
            struct object *fn = p->funcs[k];

            check_declare_now(g->c, fn);
            if (fn->tparams == NULL && fn->decl->func.func.lazy)
                gen_func_obj(g, fn);
        }
    }
}

/* What is reached from what is queued. */
static void
generate_reached(struct gen *g)
{
    do {
        drain(g);
    } while (!g->failed && queue_inits(g));
    drain(g);
}

static void
generate_program(struct gen *g)
{
    struct work entry = {0};

    g->cur = calloc(1, sizeof *g->cur);
    if (g->cur == NULL)
        rt_arena_nomem(g->arena);
    if (g->opt != NULL && g->opt->record != NULL)
        g->record = gen_record_new(g);
    gen_stocks_open(g);
    g->im = gen_alloc(g, sizeof *g->im);
    entry.kind = WORK_ENTRY;
    entry.pkg = g->main;
    entry.name = "runtime.main";
    /* The entry calls what the rest has found, so it is generated last, but
     * it is number 0. */
    g->im->entry = gen_work(g, &entry);
    g->work_done = 1;
    g->im->main = gen_func_obj(g, g->main->main);
    gen_basic_types(g, g->im);
    generate_reached(g);
    if (g->record != NULL && g->opt->all && !g->failed) {
        queue_library(g);
        if (g->opt->tree)
            generate_reached(g);
        else
            drain(g); /* programs make the few initialisers themselves */
    }
    if (!g->failed)
        gen_function(g, g->im->entry);
    if (lang_diag_any(g->c->parse->diag))
        g->failed = true;
    if (!g->failed && g->record != NULL)
        *g->opt->record = gen_record_finish(
            g, g->opt->least, g->opt->nrecord);
    if (!g->failed) {
        gen_types_seal(g);
        gen_build_image(g);
    }
}

static noreturn void
escape(void *arg)
{
    longjmp(*(jmp_buf *)arg, 1);
}

/* Without memory the checker, which is called for library bodies, and the
 * generator leave for here; what they hold is in g or in an arena. */
static bool
guarded(struct gen *g)
{
    struct rt_arena *front = g->c->parse->arena;
    jmp_buf out;
    volatile bool done = false;

    if (setjmp(out) == 0) {
        g->arena->nomem = front->nomem = escape;
        g->arena->nomem_arg = front->nomem_arg = &out;
        const_begin(&g->c->cctx);
        generate_program(g);
        done = true;
    }
    const_end();
    g->arena->nomem = front->nomem = NULL;
    return done;
}

enum rt_status
gen_program(struct check *c, struct check_pkg *main, struct rt_arena *arena,
    const struct gen_options *opt, struct code_image **out,
    struct rt_err *err)
{
    struct gen *g = calloc(1, sizeof *g);
    enum rt_status st = RT_OK;

    *out = NULL;
    if (g == NULL)
        return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    g->c = c;
    g->main = main;
    g->arena = arena;
    g->err = err;
    g->opt = opt;
    if (getcwd(g->cwd, sizeof g->cwd) == NULL)
        g->cwd[0] = 0;
    if (!guarded(g) || c->parse->diag->nomem)
        st = rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
    else if (g->failed)
        st = rt_errf(err, RT_EFORMAT, UINT64_MAX, "code generation failed");
    else
        *out = g->im;
    release(g);
    free(g);
    return st;
}
