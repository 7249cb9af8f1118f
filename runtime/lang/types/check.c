/* SPDX-License-Identifier: MIT */

/*
 * The checker's frame: memory, messages, environment and scopes, the queue of
 * delayed rules, packages and the calls of check.h.
 */

#include "runtime/lang/types/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/types/check_int.h"

/* ---- memory and messages ------------------------------------------------ */

void *
check_alloc(struct check *c, size_t size)
{
    void *p = rt_arena_alloc(c->parse->arena, size);

    if (rt_unlikely(p == NULL))
        rt_no_memory(); /* the arena has no way out */
    return p;
}

void
check_grow(struct check *c, void *arrp, uint32_t n, uint32_t *cap, size_t elem)
{
    uint32_t ncap = *cap ? *cap * 2 : 4;
    void *old, *p = check_alloc(c, elem * ncap);

    memcpy(&old, arrp, sizeof old);
    if (n)
        memcpy(p, old, elem * n);
    memcpy(arrp, &p, sizeof p);
    *cap = ncap;
}

static char *
vformat(struct check *c, const char *fmt, va_list ap)
{
    va_list ap2;
    char *s;
    int n;

    va_copy(ap2, ap);
    n = vsnprintf(NULL, 0, fmt, ap2);
    va_end(ap2);
    s = check_alloc(c, (size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    return s;
}

char *
check_sprintf(struct check *c, const char *fmt, ...)
{
    va_list ap;
    char *s;

    va_start(ap, fmt);
    s = vformat(c, fmt, ap);
    va_end(ap);
    return s;
}

void
check_errf(struct check *c, lang_pos pos, const char *fmt, ...)
{
    va_list ap;
    const char *s, *p;

    va_start(ap, fmt);
    s = vformat(c, fmt, ap);
    va_end(ap);
    /* What follows from an earlier error teaches nothing. */
    if (c->in->any_error) {
        p = strstr(s, "invalid operand");
        if (p && p != s)
            return;
        p = strstr(s, "invalid type");
        if (p && p != s)
            return;
    }
    c->in->any_error = true;
    if (c->in->env.errpos)
        pos = c->in->env.errpos;
    lang_errf(c->parse->diag, pos, "%s", s);
}

unsigned
check_lang(struct check *c, lang_pos pos)
{
    const struct lang_file *f = lang_pos_file(c->parse->src, pos);

    return f == NULL ? 0 : f->lang;
}

const char *
check_requires(
    struct check *c, lang_pos pos, unsigned minor, const char *what)
{
    bool own = lang_pos_file(c->parse->src, pos)->lang_own;

    return check_sprintf(c, "%s requires go1.%u or later (%s go1.%u%s)", what,
        minor, own ? "file declares //go:build" : "-lang was set to",
        check_lang(c, pos), own ? "" : "; check go.mod");
}

bool
check_allows(
    struct check *c, lang_pos pos, unsigned minor, const char *what)
{
    unsigned have = check_lang(c, pos);

    if (have == 0 || have >= minor)
        return true;
    check_errf(c, pos, "%s", check_requires(c, pos, minor, what));
    return false;
}

bool
check_too_deep(struct check *c, lang_pos pos, const char *things)
{
    if (rt_likely(!parse_stack_used(c->parse)))
        return false;
    lang_errf(c->parse->diag, pos, "%s too deeply", things);
    lang_diag_stop(c->parse->diag);
    return true;
}

const char *
check_place(struct check *c, lang_pos pos)
{
    struct lang_place p = lang_pos_place(c->parse->src, pos);

    if (!p.col)
        return check_sprintf(c, "%s:%u", p.file, p.line);
    return check_sprintf(c, "%s:%u:%u", p.file, p.line, p.col);
}

/* ---- scopes ------------------------------------------------------------- */

struct object *
check_resolve_name(
    struct check *c, const struct lang_name *name, struct scope **where)
{
    struct scope *s;
    struct object *o;

    for (s = c->in->env.scope; s; s = s->above ? s->beyond : s->outer) {
        o = scope_lookup(s, name);
        if (!o && s->above)
            o = scope_lookup(s->above, name);
        if (o) {
            if (where)
                *where = s;
            return o;
        }
    }
    return NULL;
}

void
check_open_scope(struct check *c)
{
    c->in->env.scope = scope_open(c, c->in->env.scope);
}

void
check_unused(struct check *c, struct scope *s)
{
    uint32_t i;

    for (i = 0; i < s->n; i++) {
        struct object *o = s->list[i];

        if (o->kind == OBJ_VAR && o->var_kind == VAR_LOCAL && !o->used &&
            !is_blank(c, o->name)) {
            check_errf(c, o->pos, "declared and not used: %s", o->name->text);
        }
    }
}

void
check_close_scope(struct check *c)
{
    check_unused(c, c->in->env.scope);
    c->in->env.scope = c->in->env.scope->parent;
}

void
check_redeclared(struct check *c, struct object *o, struct object *other)
{
    if (other->pos)
        check_errf(c, o->pos,
            "%s redeclared in this block\n\t%s: other declaration of %s",
            o->name->text, check_place(c, other->pos), o->name->text);
    else
        check_errf(c, o->pos, "%s redeclared in this block", o->name->text);
}

void
check_declare(struct check *c, struct object *o)
{
    struct object *other;

    if (!o->name)
        return;
    o->func = c->in->env.scope->func;
    other = scope_insert(c, c->in->env.scope, o);
    if (other)
        check_redeclared(c, o, other);
}

/* ---- uses --------------------------------------------------------------- */

void
check_add_dep(struct check *c, struct object *o)
{
    struct decl_info *d = c->in->env.decl;

    if (o->origin)
        o = o->origin;
    if (!d || !o->pkg || o->pkg != d->pkg || o->last_dep == d)
        return;
    o->last_dep = d;
    CHECK_PUSH(c, d->deps, d->ndeps, d->depcap, o);
}

void
check_capture(struct check *c, struct object *v)
{
    struct func_info *f = c->in->env.func;

    if (!f || v->func == f || !v->func || v->var_kind == VAR_PACKAGE ||
        v->var_kind == VAR_FIELD)
        return;
    v->captured = true;
    for (; f && f != v->func; f = f->outer) {
        if (v->last_capture == f || !check_set_add(c, f->captured, v))
            return;
        v->last_capture = f;
        CHECK_PUSH(c, f->captures, f->ncaptures, f->capcap, v);
    }
}

/* ---- delayed rules ------------------------------------------------------ */

void
check_delay(struct check *c, enum delay_kind kind, struct type *t,
    struct object *o, struct ast_expr *e)
{
    struct check_int *in = c->in;
    struct delayed d = {
        .kind = (uint8_t)kind, .type = t, .obj = o, .expr = e, .env = in->env};

    CHECK_PUSH(c, in->delayed, in->ndelayed, in->delaycap, d);
}

static void
run_one(struct check *c, struct delayed *d)
{
    switch (d->kind) {
    case DELAY_IFACE:
        check_iface_complete(c, d->type);
        break;
    case DELAY_MAPKEY:
        check_map_key(c, d->type, d->expr);
        break;
    case DELAY_CHAN:
        check_type_size(c, d->type, d->expr, true);
        break;
    case DELAY_SIZE:
        check_type_size(c, d->type, d->expr, false);
        break;
    case DELAY_EMBED:
        check_embedded(c, d->obj, d->expr);
        break;
    case DELAY_VALID:
        check_valid_type(c, d->obj);
        break;
    case DELAY_METHODS:
        check_field_methods(c, d->obj);
        break;
    case DELAY_RECV:
        check_receiver(c, d->obj, d->expr);
        break;
    case DELAY_CONSTRAINT:
        check_no_constraint(c, d->type, d->expr);
        break;
    case DELAY_VERIFY:
        check_verify(c, d->inst);
        break;
    case DELAY_UNION:
        check_union_terms(c, d->type, d->expr);
        break;
    case DELAY_FUNCLIT:
        check_body(c, d->func, d->func->func->scope);
        break;
    }
}

void
check_run_delayed(struct check *c, uint32_t from)
{
    struct check_int *in = c->in;
    uint32_t i;
    bool outer = in->running;

    /* The outermost run gets at everything in the end. */
    if (from == 0 && outer)
        return;
    in->running = true;
    /* A rule may add more of them. */
    for (i = from; i < in->ndelayed; i++) {
        struct delayed d = in->delayed[i];
        struct check_env saved = in->env;

        in->env = d.env;
        run_one(c, &d);
        in->env = saved;
    }
    in->ndelayed = from;
    in->running = outer;
}

/* ---- packages ----------------------------------------------------------- */

/* Whether the character stands for itself in a path that a name follows behind
 * a dot; last: the path's last slash, or its beginning. */
static bool
links_as_is(const char *p, const char *last)
{
    unsigned char ch = (unsigned char)*p;

    return ch > ' ' && ch < 0x7f && ch != '%' && ch != '"' &&
        (ch != '.' || p < last);
}

/* A package's path where a name follows behind a dot: most often it is the
 * same. */
static const char *
link_path(struct check *c, const char *path)
{
    const char *slash = strrchr(path, '/'), *p = path;
    const char *last = slash == NULL ? path : slash;
    struct check_text b = {.c = c};

    while (*p != 0 && links_as_is(p, last))
        p++;
    if (*p == 0)
        return path;
    for (p = path; *p != 0; p++)
        check_text_addf(&b, links_as_is(p, last) ? "%c" : "%%%02x",
            (unsigned char)*p);
    return check_text_str(&b);
}

static struct check_pkg *
new_pkg(
    struct check *c, const char *path, struct ast_file **files, uint32_t nfiles)
{
    struct check_pkg *p = CHECK_NEW(c, struct check_pkg);

    p->check = c;
    p->path = check_sprintf(c, "%s", path);
    p->link = link_path(c, p->path);
    p->files = files;
    p->nfiles = nfiles;
    p->name =
        nfiles && files[0]->package.name ? files[0]->package.name->text : path;
    p->scope = scope_new(c, c->universe);
    p->state = PKG_LOADING;
    CHECK_PUSH(c, c->in->pkgs, c->in->npkgs, c->in->pkgcap, p);
    if (!rt_strmap_add(&c->in->bypath, c->parse->arena, p->path, p))
        rt_no_memory();
    return p;
}

static void
finish_pkg(struct check *c, struct check_pkg *p)
{
    p->state = PKG_DONE;
    p->index = c->norder;
    CHECK_PUSH(c, c->order, c->norder, c->ordercap, p);
}

/* Puts what was loaded since there were n packages before p, whose files
 * import it. */
static void
move_before(struct check *c, struct check_pkg *p, uint32_t n)
{
    uint32_t i, k = c->norder - n;
    struct check_pkg **late = CHECK_ARRAY(c, struct check_pkg *, k);

    memcpy(late, c->order + n, k * sizeof *late);
    memmove(c->order + p->index + k, c->order + p->index,
        (n - p->index) * sizeof *late);
    memcpy(c->order + p->index, late, k * sizeof *late);
    for (i = p->index; i < c->norder; i++)
        c->order[i]->index = i;
}

bool
check_more(struct check *c, struct check_pkg *p)
{
    struct check_env saved = c->in->env;
    struct ast_file **files = NULL;
    struct rt_err err = {0};
    uint32_t n = 0, norder = c->norder;

    if (p->whole || !p->library || p->state != PKG_DONE ||
        c->host == NULL || c->host->more == NULL)
        return false;
    p->whole = true;
    if (c->host->more(c->host->ctx, p, &files, &n, &err) != RT_OK || n == 0)
        return false;
    p->eager = true;
    memset(&c->in->env, 0, sizeof c->in->env);
    c->in->env.pkg = p;
    collect_more(c, p, files, n);
    c->in->env = saved;
    move_before(c, p, norder);
    return true;
}

struct check_pkg *
check_load(struct check *c, const char *path, lang_pos pos, bool report)
{
    struct check_pkg *p;
    struct ast_file **files = NULL;
    struct rt_err err = {0};
    struct check_env saved = c->in->env;
    uint32_t n = 0;
    enum rt_status st = RT_EUNSUP;

    if (strcmp(path, "unsafe") == 0)
        return c->unsafe_pkg;
    p = rt_strmap_get(&c->in->bypath, path);
    if (p && p->state == PKG_LOADING && report) {
        check_errf(c, pos, "import cycle not allowed: import of %s", path);
        return NULL;
    }
    if (p)
        return p->state == PKG_FAILED ? NULL : p;
    if (c->host && c->host->load)
        st = c->host->load(c->host->ctx, path, &files, &n, &err);
    if (st != RT_OK || n == 0) {
        if (report)
            check_errf(c, pos, "%s",
                err.text[0]
                    ? err.text
                    : check_sprintf(c, "package %s is not in std", path));
        c->in->missing_import |= report;
        return NULL;
    }
    p = new_pkg(c, path, files, n);
    p->library = true;
    p->eager = c->host->eager != NULL && c->host->eager(c->host->ctx, path);
    memset(&c->in->env, 0, sizeof c->in->env);
    c->in->env.pkg = p;
    collect_objects(c, p);
    c->in->env = saved;
    finish_pkg(c, p);
    return p;
}

/* As in Go's compiler the last question, asked only of what is right
 * otherwise. */
static void
check_bodies_exist(struct check *c, struct check_pkg *p)
{
    uint32_t i;

    if (lang_diag_any(c->parse->diag))
        return;
    for (i = 0; i < p->nfuncs; i++)
        if (!p->funcs[i]->decl->func.func.body &&
            check_linkname(p->funcs[i]) == NULL)
            check_errf(c, p->funcs[i]->pos, "missing function body");
}

static void
check_directives(struct check *c, struct check_pkg *p)
{
    const struct ast_misplaced *m;
    uint32_t i;

    if (lang_diag_any(c->parse->diag))
        return;
    for (i = 0; i < p->nfiles; i++)
        for (m = p->files[i]->misplaced; m != NULL; m = m->next)
            check_errf(c, m->pos, "%s", m->text);
    for (i = 0; i < p->ndecls; i++)
        if (p->decls[i]->decl->kind == DECL_VAR &&
            p->decls[i]->obj == p->decls[i]->decl->var.objs[0])
            check_embed_place(c, p->decls[i]->decl, false);
}

/* Definitions before aliases: an alias may stand for a type that is made of
 * a definition which uses the alias. */
static void
check_types_first(struct check *c, struct check_pkg *p)
{
    uint32_t i;

    for (i = 0; i < p->ndecls; i++)
        if (p->decls[i]->decl->kind == DECL_TYPE &&
            !p->decls[i]->decl->type.alias)
            check_obj(c, p->decls[i]->obj);
    for (i = 0; i < p->ndecls; i++)
        if (p->decls[i]->decl->kind == DECL_TYPE)
            check_obj(c, p->decls[i]->obj);
}

/* A package main of which the tests are wanted may have no function main. */
static void
check_main(struct check *c, struct check_pkg *p)
{
    if (strcmp(p->path, "main") != 0 || strcmp(p->name, "main") != 0 || p->main)
        return;
    if (!lang_diag_any(c->parse->diag))
        check_errf(c, 0,
            "runtime.main_main·f: function main is undeclared in the main "
            "package");
}

struct check_pkg *
check_package(
    struct check *c, const char *path, struct ast_file **files, uint32_t nfiles)
{
    struct check_pkg *p = new_pkg(c, path, files, nfiles);
    uint32_t i;

    c->in->any_error = c->in->missing_import = false;
    memset(&c->in->env, 0, sizeof c->in->env);
    c->in->env.pkg = p;
    collect_objects(c, p);
    /* Whatever else there is to say might follow from that. */
    if (c->in->missing_import) {
        finish_pkg(c, p);
        return p;
    }
    check_types_first(c, p);
    for (i = 0; i < p->ndecls; i++)
        check_obj(c, p->decls[i]->obj);
    for (i = 0; i < p->ndecls; i++)
        if (p->decls[i]->decl->kind == DECL_VAR)
            check_var_init(c, p->decls[i]->obj);
    for (i = 0; i < p->nfuncs; i++)
        check_obj(c, p->funcs[i]);
    check_run_delayed(c, 0);
    for (i = 0; i < p->nfuncs; i++)
        check_function(c, p->funcs[i]);
    check_run_delayed(c, 0);
    if (!p->files[0]->standard)
        check_unused_imports(c, p);
    check_init_order(c, p);
    if (!lang_diag_any(c->parse->diag))
        mono_check(c);
    if (!p->files[0]->standard && !p->files[0]->assembly)
        check_bodies_exist(c, p);
    check_main(c, p);
    check_directives(c, p);
    if (!lang_diag_any(c->parse->diag))
        check_prints(c, p);
    finish_pkg(c, p);
    return p;
}

/* ---- the public calls --------------------------------------------------- */

struct check *
check_new(struct parse_ctx *parse, const struct check_host *host)
{
    struct check *c = rt_arena_alloc(parse->arena, sizeof *c);
    struct check_int *in = rt_arena_alloc(parse->arena, sizeof *in);

    if (!c || !in)
        return NULL;
    c->parse = parse;
    c->host = host;
    c->cctx.arena = parse->arena;
    c->in = in;
    in->c = c;
    in->blank = parse->names->blank;
    in->init_name = lang_name_str(parse->names, "init");
    in->main_name = lang_name_str(parse->names, "main");
    if (!in->init_name || !in->main_name)
        return NULL;
    universe_init(c);
    return c;
}

void
check_free(struct check *c)
{
    (void)c; /* everything lives in the arena */
}

struct check_pkg *
check_import(struct check *c, const char *path)
{
    return check_load(c, path, 0, false);
}

struct check_pkg *
check_imported(struct check *c, const char *path)
{
    struct check_pkg *p;

    if (strcmp(path, "unsafe") == 0)
        return c->unsafe_pkg;
    p = rt_strmap_get(&c->in->bypath, path);
    return p != NULL && p->state == PKG_DONE ? p : NULL;
}

struct object *
check_lookup(struct check_pkg *pkg, const char *name)
{
    struct check *c = pkg->check;
    const struct lang_name *n = lang_name_str(c->parse->names, name);
    struct object *o = n ? scope_lookup(pkg->scope, n) : NULL;

    if (o) {
        check_obj(c, o);
        check_run_delayed(c, 0);
    }
    return o;
}

bool
check_func_body(struct check *c, struct object *func)
{
    uint32_t before = c->parse->diag->nmsg;

    check_obj(c, func);
    check_function(c, func);
    check_run_delayed(c, 0);
    return c->parse->diag->nmsg == before;
}

const char *
check_func_name(struct check *c, const struct object *func)
{
    const char *targs = func->ntargs != 0 ? "[...]" : "";

    if (func->name == c->in->init_name && !func->is_method)
        return check_sprintf(c, "init.%d", func->index);
    if (!func->recv_named)
        return func->ntargs == 0 ?
            func->name->text :
            check_sprintf(c, "%s%s", func->name->text, targs);
    return check_sprintf(c, func->ptr_recv ? "(*%s%s).%s" : "%s%s.%s",
        func->recv_named->name->text, targs, func->name->text);
}
