/* SPDX-License-Identifier: MIT */
/*
 * One function's code: the frame around the body, and the tables of the
 * finished function.  A body may be generated more than once: the first pass
 * of a function with loops collects the constants that its loops use, and the
 * second finds them in slots that the prologue loads; a body too long for
 * 16-bit jumps is generated again with long ones.
 */
#include "runtime/lang/gen/gen_stock.h"
#include "runtime/lang/types/spec.h"

#include <stdlib.h>
#include <string.h>

/* One for the constants, one for long jumps, one for cells, two where the
 * variables are too many, and one in case that these come late. */
enum { MAX_PASSES = 6 };

/* ---- the frame ------------------------------------------------------------------------------ */

/* Argument slots of the signature, then the closure slot. */
static void
frame_start(struct gfunc *f)
{
    struct type *sig = f->sig;
    uint32_t i;

    gf_slots_reset(f);
    f->nargs = 0;
    f->nres = 0;
    if (sig != NULL) {
        if (sig->recv != NULL && f->w->kind == WORK_FUNC)
            gf_take_fixed(f, sig->recv->type);
        for (i = 0; i < sig->nparams; i++)
            gf_take_fixed(f, sig->vars[i]->type);
        if (f->w->lent)
            gf_take_fixed(f, &f->g->c->types.basic[TYPE_UNSAFE_POINTER]);
        f->nargs = f->slots.n;
        for (i = sig->nparams; i < sig->nvars; i++)
            f->nres += type_slots(sig->vars[i]->type);
    }
    f->top = f->nargs;
    f->extent = f->nargs > f->nres ? f->nargs : f->nres;
    f->ctx = (uint32_t)gf_temp_ptr(f);
    gf_cells_start(f);
    gf_crowds_start(f);
}

static void
unbind(struct gfunc *f)
{
    uint32_t i;

    for (i = 0; i < f->var_objs.n; i++)
        f->var_objs.at[i]->gen = 0;
    f->var_objs.n = 0;
}

static void
reset(struct gfunc *f)
{
    unbind(f);
    f->code.n = f->lines.n = f->labels.n = f->fixes.n = 0;
    f->unsigned_at.n = 0;
    f->targets = NULL;
    gmap_clear(&f->gotos);
    f->hoisted.n = 0;
    f->loop_depth = 0;
    f->again = f->over = false;
    f->uses_ctx = false;
}

/* Loads the constants that loops use, once. */
static void
load_consts(struct gfunc *f)
{
    uint32_t i;

    for (i = 0; i < f->consts.n; i++) {
        f->consts.at[i].slot = gf_temp_int(f);
        gf_load_const(f, f->consts.at[i].slot, f->consts.at[i].value);
    }
}

/* Binds a parameter that arrived in `slot`. */
static void
bind_param(struct gfunc *f, struct object *v, int slot)
{
    struct place p;

    if (v->name == NULL || strcmp(v->name->text, "_") == 0)
        return;
    *gvec_push(f->g, &f->var_objs) = v;
    if (!gf_var_on_heap(f, v)) {
        v->gen = (uint64_t)slot + 1;
        return;
    }
    v->gen = (uint64_t)gf_temp_ptr(f) + 1;
    gf_new(f, gf_obj_type(f, v), gf_home_var(f, v), gf_var_slot(v));
    p = gf_mem_place(gf_var_slot(v), 0, gf_obj_type(f, v));
    gf_store(f, &p, slot);
}

static void
bind_params(struct gfunc *f)
{
    struct type *sig = f->sig;
    uint32_t i;
    int at = 0;

    if (sig->recv != NULL && f->w->kind == WORK_FUNC) {
        bind_param(f, sig->recv, 0);
        at = (int)type_slots(sig->recv->type);
    }
    for (i = 0; i < sig->nparams; i++) {
        bind_param(f, sig->vars[i], at);
        at += (int)type_slots(sig->vars[i]->type);
    }
}

/* Loads captured variables from the closure object into slots. */
void
gf_bind_captures(struct gfunc *f, struct object **caps, uint32_t n)
{
    int64_t off = 8;
    uint32_t i;

    for (i = 0; i < n; i++) {
        struct object *v = caps[i];

        *gvec_push(f->g, &f->var_objs) = v;
        f->uses_ctx = true;
        if (gf_var_on_heap(f, v)) {
            v->gen = (uint64_t)gf_temp_ptr(f) + 1;
            gf_abc(f, OP_LD64, gf_var_slot(v), (int)f->ctx, (int)off);
            off += 8;
        } else {
            uint32_t k = type_slots(gf_obj_type(f, v));
            int t = gf_temp(f, gf_obj_type(f, v));

            v->gen = (uint64_t)t + 1;
            if (k == 1)
                gf_abc(f, OP_LD64, t, (int)f->ctx, (int)off);
            else if (k == 2)
                gf_abc(f, OP_LD2, t, (int)f->ctx, (int)off);
            else if (k == 3)
                gf_abc(f, OP_LD3, t, (int)f->ctx, (int)off);
            else if (k != 0) {
                gf_abc(f, OP_LDM, t, (int)f->ctx, (int)off);
                gf_ext(f, 0, (int64_t)k * 8);
            }
            off += (int64_t)k * 8;
        }
    }
}

/*
 * Result variables.  A function without named results, defers and range
 * bodies needs none: return writes its operands straight to the base.
 */
static void
bind_results(struct gfunc *f)
{
    struct type *sig = f->sig;
    uint32_t i, n = sig->nvars - sig->nparams;

    f->nresults = n;
    f->results = NULL;
    f->results_mem = false;
    if (n == 0)
        return;
    f->results_mem = f->has_defer || (f->info && f->info->named_results);
    for (i = 0; i < n; i++)
        if (sig->vars[sig->nparams + i]->captured)
            f->results_mem = true; /* returned from a range-over-func body */
    if (!f->results_mem)
        return;
    f->results = &sig->vars[sig->nparams];
    for (i = 0; i < n; i++) {
        struct object *v = f->results[i];

        *gvec_push(f->g, &f->var_objs) = v;
        gf_declare(f, v, true);
    }
}

static void
return_params_place(struct gfunc *f)
{
    /* Falling off the end of a function with a terminating statement cannot
     * happen; of one without results it is a return. */
    if (f->nresults == 0)
        gf_return_now(f);
    else
        gf_ai(f, OP_THROW, 0, CODE_THROW_UNREACHABLE);
}

/* Results are written where the parameters are. */
static void
bind_lent(struct gfunc *f)
{
    f->lent = NO_SLOT;
    if (!f->w->lent)
        return;
    f->lent = gf_temp_ptr(f);
    gf_move(f, f->lent, (int)f->nargs - 1, 1);
}

static void
body(struct gfunc *f, struct ast_func *fn)
{
    bind_lent(f);
    bind_params(f);
    gf_bind_captures(f, f->w->captures, f->w->ncaptures);
    bind_results(f);
    gf_block(f, fn->body);
    /* What is never reached is on no line of its own. */
    if (f->nresults == 0)
        f->pos = fn->rbrace;
    return_params_place(f);
    f->pos = fn->rbrace;
    if (f->has_defer) {
        f->cf->recover_off = f->code.n;
        gf_return_now(f);
    }
}

static void
init_body(struct gfunc *f)
{
    const struct init_item *it = f->w->init;
    struct place *ps = gen_alloc(f->g, it->nlhs * sizeof *ps);
    struct ast_expr *rhs = it->rhs;
    struct ast_exprs list;
    uint32_t i;

    f->nresults = 0;
    f->pos = rhs->pos;
    for (i = 0; i < it->nlhs; i++) {
        struct object *v = it->lhs[i];

        ps[i].kind = PLACE_BLANK;
        ps[i].type = gf_obj_type(f, v);
        if (v->name != NULL && strcmp(v->name->text, "_") != 0)
            ps[i] = gf_var_place(f, v);
    }
    list.at = &rhs;
    list.n = 1;
    gf_assign_values(f, ps, it->nlhs, list);
    gf_cells_end(f);
    gf_abc(f, OP_RET, 0, 0, 0);
}

static void
generate_body(struct gfunc *f)
{
    struct work *w = f->w;

    rt_assert(w->kind != WORK_READY);
    switch (w->kind) {
    case WORK_FUNC:
        body(f, &w->obj->decl->func.func);
        break;
    case WORK_LIT:
        body(f, w->func);
        break;
    case WORK_INIT:
        init_body(f);
        break;
    case WORK_ENTRY:
        gf_entry(f);
        break;
    case WORK_IMETHOD:
        gf_wrap_imethod(f);
        break;
    case WORK_BOUND:
        gf_wrap_bound(f);
        break;
    case WORK_MEXPR:
        gf_wrap_mexpr(f);
        break;
    case WORK_BUILTIN:
        gf_wrap_builtin(f);
        break;
    case WORK_RANGEBODY:
        gf_range_body(f);
        break;
    case WORK_READY: /* never comes here */
        break;
    }
}

/* ---- tables of the finished function -------------------------------------------------------------- */

/* The file as tracebacks name it: like Go with its whole path; the library's
 * files keep "fmt/print.go", and //line directives' names are as they are. */
static uint32_t
file_of(struct gfunc *f, const struct lang_place *p)
{
    const char *name = p->file;
    struct gen *g = f->g;
    bool user = f->pkg == NULL || !f->pkg->library;

    if (*name == 0)
        return gen_file(g, "??");
    if (!user || p->directed || *name == '/' || g->cwd[0] == 0)
        return gen_file(g, name);
    while (name[0] == '.' && name[1] == '/')
        name += 2;
    /* The same few names come again and again. */
    if (g->last_user == NULL || strcmp(g->last_user, name) != 0) {
        g->last_user = gen_text(g, name);
        g->last_user_path = gen_sprintf(g, "%s/%s", g->cwd, name);
    }
    return gen_file(g, g->last_user_path);
}

static void
finish_lines(struct gfunc *f)
{
    struct gen *g = f->g;
    struct code_line *out = gen_alloc(g, (f->lines.n + 1) * sizeof *out);
    struct lang_file *near = NULL;
    uint32_t i, n = 0;

    for (i = 0; i < f->lines.n; i++) {
        struct lang_place p = lang_pos_place_near(
            g->c->parse->src, f->lines.at[i].pos, &near);
        uint32_t file = file_of(f, &p);

        if (n > 0 && out[n - 1].file == file && out[n - 1].line == p.line)
            continue;
        if (p.line == 0 && (n > 0 || i + 1 < f->lines.n))
            continue; /* a prologue: it belongs to what follows */
        out[n].off = f->lines.at[i].off;
        out[n].file = file;
        out[n].line = p.line;
        n++;
    }
    if (n > 0)
        out[0].off = 0;
    f->cf->lines = out;
    f->cf->nlines = n;
}

static void
finish_unsigned(struct gfunc *f)
{
    uint32_t n = f->unsigned_at.n;
    uint32_t *out;

    if (n == 0)
        return;
    out = gen_alloc(f->g, n * sizeof *out);
    memcpy(out, f->unsigned_at.at, n * sizeof *out);
    f->cf->unsigned_at = out;
    f->cf->nunsigned = n;
}

static void
finish_closure(struct gfunc *f)
{
    const struct work *w = f->w;
    uint32_t i, words = w->kind == WORK_BOUND ? type_slots(w->type) : 0;
    enum code_slot_kind *kinds = gen_scratch(f->g,
        1 + w->ncaptures * GEN_FRAME_VAR_SLOTS + words + w->own);

    kinds[0] = CODE_SCALAR;
    words = 1;
    for (i = 0; i < w->ncaptures; i++)
        words += gf_capture_kinds(f, w->captures[i], kinds + words);
    if (w->kind == WORK_BOUND) {
        type_slot_kinds(w->type, kinds + words);
        words += type_slots(w->type);
    }
    for (i = 0; i < w->own; i++)
        kinds[words++] = CODE_SCALAR;
    f->cf->closure = gen_kinds_layout(f->g, kinds, words);
}

bool
gen_is_noinline(const struct ast_decl *d)
{
    rt_assert(d->kind == DECL_FUNC);
    for (const struct ast_directive *p = d->dir; p != NULL; p = p->next)
        if (ast_is_directive(p, "go:noinline"))
            return true;
    return false;
}

static void
finish(struct gfunc *f)
{
    struct gen *g = f->g;
    struct code_func *cf = f->cf;
    uint8_t *mask = gen_alloc(g, f->slots.n / 8 + 1);
    struct lang_place p;
    uint32_t i;

    rt_assert(f->code.n > 0 && f->nargs <= f->slots.n &&
        f->slots.n <= GEN_MAX_SLOTS);
    cf->ncode = f->code.n;
    cf->code = malloc((f->code.n + 1) * sizeof *cf->code);
    if (cf->code == NULL)
        rt_arena_nomem(g->arena);
    memcpy(cf->code, f->code.at, f->code.n * sizeof *cf->code);
    for (i = 0; i < f->slots.n; i++)
        if (gf_slot_is_pointer(f, i))
            mask[i / 8] |= (uint8_t)(1u << (i % 8));
    cf->ptrmask = mask;
    cf->nargs = (uint16_t)f->nargs;
    cf->nres = (uint16_t)f->nres;
    cf->nslots = (uint16_t)f->slots.n;
    cf->extent =
        (uint16_t)(f->extent > f->slots.n ? f->extent : f->slots.n);
    cf->ctx = (uint16_t)f->ctx;
    if (f->uses_ctx)
        cf->flags |= CODE_F_CLOSURE;
    if (f->has_defer)
        cf->flags |= CODE_F_DEFER;
    if (f->pkg != NULL && f->pkg->library)
        cf->flags |= CODE_F_LIB;
    if (f->w->kind == WORK_FUNC && gen_is_noinline(f->w->obj->decl))
        cf->flags |= CODE_F_NOINLINE;
    finish_lines(f);
    finish_unsigned(f);
    finish_closure(f);
    gf_cells_finish(f);
    p = lang_pos_place(g->c->parse->src,
        f->lines.n ? f->lines.at[0].pos : 0);
    cf->file = file_of(f, &p);
    cf->line = p.line;
    if (f->info != NULL && f->info->func != NULL) {
        p = lang_pos_place(g->c->parse->src, f->info->func->sig->pos);
        cf->file = file_of(f, &p);
        cf->line = p.line;
    }
}

/* What must be known of a body before its code is made. */
static bool
prepare(struct gfunc *f)
{
    struct gen *g = f->g;
    struct work *w = f->w;

    if (w->kind == WORK_FUNC) {
        if (w->obj->origin != NULL ? !check_func_spec(g->c, w->obj) :
                w->pkg->library && !check_func_body(g->c, w->obj)) {
            g->failed = true;
            return false;
        }
        if (w->obj->decl == NULL || w->obj->decl->func.func.body == NULL) {
            gen_errorf(g, w->obj->pos, "missing function body");
            return false;
        }
        rt_assert_full(check_body_valid(g->c, w->obj->info));
        gf_scan_body(f, w->obj->decl->func.func.body);
        if (f->scanned_memory || w->lent)
            gen_escape(g, w->obj);
        f->sites = w->lent ? gen_escape_sites(g, w->obj) : NULL;
    } else if (w->kind == WORK_INIT) {
        gf_scan_init(f, w->init->rhs);
    }
    return true;
}

/* Begins function `id`; false after an error. */
static bool
enter(struct gen *g, struct gfunc *f, struct work *w, uint32_t id)
{
    f->g = g;
    f->id = id;
    f->cf = g->funcs.at[id];
    f->w = w;
    if (!prepare(f))
        return false;
    f->pkg = w->pkg;
    f->info = w->info;
    if (w->kind == WORK_FUNC) {
        f->info = w->obj->info;
        f->sig = gf_obj_type(f, w->obj);
    } else if (w->kind == WORK_LIT) {
        f->sig = f->info->sig;
    } else if (w->kind == WORK_RANGEBODY) {
        f->sig = w->type;
        f->range = w->range;
        f->cf->flags |= CODE_F_RANGEFUNC;
    }
    f->has_defer = f->info != NULL && f->info->has_defer &&
        w->kind != WORK_RANGEBODY && w->kind != WORK_BUILTIN;
    return true;
}

/* Ends the function: its arrays stay for the next one. */
static void
leave(struct gfunc *f)
{
    struct gfunc next = {.code = f->code, .lines = f->lines,
        .unsigned_at = f->unsigned_at, .slots = f->slots,
        .labels = f->labels, .fixes = f->fixes, .consts = f->consts,
        .gotos = f->gotos, .hoisted = f->hoisted,
        .hoisted_ids = f->hoisted_ids, .var_objs = f->var_objs,
        .crowds = f->crowds, .crowd_ids = f->crowd_ids};

    next.g = f->g;
    reset(&next);
    gf_crowds_end(&next);
    gf_slots_reset(&next);
    gmap_clear(&next.hoisted_ids);
    next.consts.n = 0;
    *f = next;
}

void
gf_free(struct gfunc *f)
{
    free(f->code.at);
    free(f->lines.at);
    free(f->unsigned_at.at);
    free(f->labels.at);
    free(f->fixes.at);
    gf_slots_free(f);
    free(f->consts.at);
    gmap_free(&f->gotos);
    free(f->hoisted.at);
    gmap_free(&f->hoisted_ids);
    free(f->var_objs.at);
    free(f->crowds.at);
    gmap_free(&f->crowd_ids);
    memset(f, 0, sizeof *f);
}

void
gen_function(struct gen *g, uint32_t id)
{
    struct gfunc *f = g->cur;
    struct work w = g->work.at[id];
    int pass;

    if (gen_stock_take(g, id) || g->failed)
        return;
    if (g->record != NULL)
        gen_record_begin(g, &w, id);
    if (!enter(g, f, &w, id)) {
        leave(f);
        return;
    }
    f->collect = true;
    for (pass = 0; pass < MAX_PASSES; pass++) {
        reset(f);
        frame_start(f);
        load_consts(f);
        if (pass > 0)
            f->collect = false;
        generate_body(f);
        gf_resolve(f);
        if (!f->again || g->failed)
            break;
    }
    unbind(f);
    if (!g->failed)
        finish(f);
    if (g->record != NULL && !g->failed)
        gen_record_end(g, f->cf);
    leave(f);
}
