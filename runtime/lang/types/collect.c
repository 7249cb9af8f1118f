/* SPDX-License-Identifier: MIT */

/*
 * The names of a package: imports into the scope of their file, everything
 * else into the package's, methods to the type that they belong to.  Nothing
 * is resolved yet.
 */

#include <string.h>

#include "runtime/lang/types/check_int.h"

/* ---- imports ------------------------------------------------------------ */

static void
add_import(struct check *c, struct check_pkg *pkg, struct check_pkg *imp)
{
    uint32_t i;

    for (i = 0; i < pkg->nimports; i++)
        if (pkg->imports[i] == imp)
            return;
    CHECK_PUSH(c, pkg->imports, pkg->nimports, pkg->impcap, imp);
}

/* A package's exported names, into a file. */
static void
dot_import(struct check *c, struct scope *file, struct ast_decl *d,
    struct object *name)
{
    struct check_pkg *imp = name->imported;
    struct dot_import di = {file, imp, name};
    uint32_t i;

    for (i = 0; i < imp->scope->n; i++) {
        struct object *o = imp->scope->list[i], *other;

        if (!o->exported)
            continue;
        other = scope_insert(c, file, o);
        if (other)
            check_errf(c, d->import.name.pos,
                "%s redeclared in this block\n\t%s: other declaration of %s",
                o->name->text, check_place(c, other->pos), o->name->text);
    }
    CHECK_PUSH(c, c->in->dots, c->in->ndots, c->in->dotcap, di);
}

/* Stands for a package that is not there, so that its uses say nothing. */
static struct check_pkg *
fake_pkg(struct check *c, const char *path)
{
    struct check_pkg *p = CHECK_NEW(c, struct check_pkg);
    const char *base = strrchr(path, '/');

    p->check = c;
    p->path = p->link = path;
    p->name = base ? base + 1 : path;
    p->library = p->fake = true;
    p->scope = scope_new(c, c->universe);
    return p;
}

static void
collect_import(struct check *c, struct check_pkg *pkg, struct scope *file,
    struct ast_decl *d)
{
    const struct lang_name *name = d->import.name.name;
    const char *path = d->import.value;
    struct check_pkg *imp;
    struct object *o, *other;

    if (!path)
        return;
    if (pkg->eager && c->host->path)
        path = c->host->path(c->host->ctx, path);
    imp = check_load(c, path, d->import.path->pos, true);
    if (!imp)
        imp = fake_pkg(c, d->import.value);
    else
        add_import(c, pkg, imp);
    if (name == c->in->init_name) {
        check_errf(c, d->import.name.pos,
            "cannot import package as init - init must be a func");
        return;
    }
    if (!name && strcmp(imp->name, "main") == 0) {
        check_errf(c, d->import.path->pos,
            "import %s is a program, not an importable package",
            d->import.path->lit.text ? check_expr_str(c, d->import.path) : "");
        return;
    }
    if (name == c->in->blank)
        return;
    o = object_new(c, OBJ_PKGNAME, name ? d->import.name.pos : d->pos,
        name ? name : lang_name_str(c->parse->names, imp->name), NULL);
    o->color = COLOR_BLACK;
    o->imported = imp;
    o->pkg = pkg;
    o->import_decl = d;
    d->obj = o;
    if (!pkg->library)
        CHECK_PUSH(c, c->in->pkgnames, c->in->npkgnames, c->in->pkgnamecap, o);
    if (name && strcmp(name->text, ".") == 0) {
        dot_import(c, file, d, o);
        return;
    }
    other = scope_insert(c, file, o);
    if (other)
        check_redeclared(c, o, other);
}

struct object *
check_import_called(
    struct check *c, const struct lang_name *name, lang_pos pos)
{
    struct check_pkg *pkg = c->in->env.pkg, *imp;
    struct scope *file = c->in->env.scope;
    const char *path;
    struct object *o;

    if (c->host == NULL || c->host->called == NULL || pkg->library)
        return NULL;
    while (file != NULL && file->outer != pkg->scope)
        file = file->outer;
    path = c->host->called(c->host->ctx, name->text);
    imp = path == NULL || file == NULL ? NULL : check_load(c, path, pos, true);
    if (imp == NULL)
        return NULL;
    add_import(c, pkg, imp);
    o = object_new(c, OBJ_PKGNAME, pos, name, NULL);
    o->color = COLOR_BLACK;
    o->imported = imp;
    o->pkg = pkg;
    scope_insert(c, file, o);
    return o;
}

void
check_unused_imports(struct check *c, struct check_pkg *pkg)
{
    uint32_t i;

    for (i = 0; i < c->in->npkgnames; i++) {
        struct object *o = c->in->pkgnames[i];
        struct ast_decl *d = o->import_decl;
        const char *base;

        if (o->used || o->pkg != pkg || o->imported->fake ||
            d->file->patched)
            continue;
        base = strrchr(o->imported->path, '/');
        base = base ? base + 1 : o->imported->path;
        if (!o->name || strcmp(o->name->text, base) == 0 ||
            strcmp(o->name->text, ".") == 0)
            check_errf(
                c, d->pos, "\"%s\" imported and not used", o->imported->path);
        else
            check_errf(c, d->pos, "\"%s\" imported as %s and not used",
                o->imported->path, o->name->text);
    }
}

/* ---- declarations ------------------------------------------------------- */

static struct decl_info *
new_decl(struct check *c, struct check_pkg *pkg, struct scope *file,
    struct ast_decl *d, struct object *o)
{
    struct decl_info *di = CHECK_NEW(c, struct decl_info);

    di->pkg = pkg;
    di->scope = file;
    di->decl = d;
    di->obj = o;
    o->dinfo = di;
    o->order = pkg->ndecls;
    CHECK_PUSH(c, pkg->decls, pkg->ndecls, pkg->declcap, di);
    return di;
}

/* Enters a package-level name; init and main must be functions. */
static void
enter(struct check *c, struct check_pkg *pkg, struct object *o)
{
    struct object *other;

    if (o->name == c->in->init_name ||
        (o->name == c->in->main_name && strcmp(pkg->name, "main") == 0 &&
            o->kind != OBJ_FUNC)) {
        check_errf(
            c, o->pos, "cannot declare %s - must be func", o->name->text);
        return;
    }
    other = scope_insert(c, pkg->scope, o);
    if (other)
        check_redeclared(c, o, other);
}

/* Too few or too many values for the names of a const or var spec. */
void
check_arity(struct check *c, struct ast_ident *names, uint32_t nname,
    struct ast_exprs *values, bool is_const_decl, bool inherited, lang_pos pos)
{
    if (nname < values->n) {
        struct ast_expr *e = values->at[nname];

        if (inherited)
            check_errf(c, pos, "extra init expr at %s",
                check_place(c, ast_expr_start(e)));
        else
            check_errf(c, ast_expr_start(e), "extra init expr %s",
                check_expr_str(c, e));
    } else if (nname > values->n && (is_const_decl || values->n != 1)) {
        check_errf(c, names[values->n].pos, "missing init expr for %s",
            names[values->n].name->text);
    }
}

/* The spec's constants, undeclared as yet; also for local ones. */
void
collect_consts(struct check *c, struct check_pkg *pkg, struct scope *file,
    struct ast_decl *d)
{
    struct ast_decl *from = d->cnst.from;
    struct ast_exprs none = {NULL, 0};
    struct ast_exprs *values = from ? &from->cnst.values : &none;
    const struct constv *iota = const_int64(&c->cctx, d->cnst.iota);
    uint32_t i;

    d->cnst.objs = CHECK_ARRAY(c, struct object *, d->cnst.nname);
    for (i = 0; i < d->cnst.nname; i++) {
        struct object *o = object_new(
            c, OBJ_CONST, d->cnst.names[i].pos, d->cnst.names[i].name, NULL);
        struct decl_info *di;

        o->pkg = pkg;
        if (file) {
            di = new_decl(c, pkg, file, d, o);
        } else {
            di = CHECK_NEW(c, struct decl_info);
            di->pkg = pkg;
            di->decl = d;
            di->obj = o;
            o->dinfo = di;
        }
        di->iota = iota;
        di->inherited = from != d;
        di->type = from ? from->cnst.type : d->cnst.type;
        di->init = i < values->n ? values->at[i] : NULL;
        d->cnst.objs[i] = o;
    }
    check_arity(
        c, d->cnst.names, d->cnst.nname, values, true, from != d, d->pos);
}

static void
collect_const(struct check *c, struct check_pkg *pkg, struct scope *file,
    struct ast_decl *d)
{
    uint32_t i;

    collect_consts(c, pkg, file, d);
    for (i = 0; i < d->cnst.nname; i++)
        enter(c, pkg, d->cnst.objs[i]);
}

static void
collect_var(struct check *c, struct check_pkg *pkg, struct scope *file,
    struct ast_decl *d)
{
    struct ast_exprs *v = &d->var.values;
    bool shared = v->n == 1 && d->var.nname > 1;
    uint32_t i;

    d->var.objs = CHECK_ARRAY(c, struct object *, d->var.nname);
    for (i = 0; i < d->var.nname; i++) {
        struct object *o = object_new(
            c, OBJ_VAR, d->var.names[i].pos, d->var.names[i].name, NULL);
        struct decl_info *di = new_decl(c, pkg, file, d, o);

        o->pkg = pkg;
        o->var_kind = VAR_PACKAGE;
        o->used = pkg->library ? false : true;
        di->type = d->var.type;
        if (shared) {
            di->lhs = d->var.objs;
            di->nlhs = d->var.nname;
            di->init = v->at[0];
        } else {
            di->init = i < v->n ? v->at[i] : NULL;
        }
        d->var.objs[i] = o;
        enter(c, pkg, o);
    }
    if (!d->var.type || v->n)
        check_arity(c, d->var.names, d->var.nname, v, false, false, d->pos);
}

static void
collect_type(struct check *c, struct check_pkg *pkg, struct scope *file,
    struct ast_decl *d)
{
    struct object *o =
        object_new(c, OBJ_TYPE, d->type.name.pos, d->type.name.name, NULL);

    o->pkg = pkg;
    o->decl = d;
    new_decl(c, pkg, file, d, o);
    d->obj = o;
    enter(c, pkg, o);
}

static void
special_func(struct check *c, struct check_pkg *pkg, struct ast_decl *d,
    struct object *o)
{
    struct ast_func *f = &d->func.func;
    const char *name = o->name->text;

    if (f->sig->tparams.n)
        check_errf(c, f->sig->tparams.at[0]->pos,
            "func %s must have no type parameters", name);
    else if (f->sig->params.n || f->sig->results.n)
        check_errf(c, o->pos,
            "func %s must have no arguments and no return values", name);
    if (o->name == c->in->main_name) {
        pkg->main = o;
        return;
    }
    if (!f->body && !f->lazy)
        check_errf(c, o->pos, "func init must have a body");
    o->index = (int32_t)pkg->ninits;
    CHECK_PUSH(c, pkg->inits, pkg->ninits, pkg->initcap, o);
}

static void
collect_func(struct check *c, struct check_pkg *pkg, struct scope *file,
    struct ast_decl *d)
{
    struct object *o =
        object_new(c, OBJ_FUNC, d->func.name.pos, d->func.name.name, NULL);

    o->pkg = pkg;
    o->decl = d;
    o->is_method = d->func.recv != NULL;
    d->obj = o;
    new_decl(c, pkg, file, d, o);
    CHECK_PUSH(c, pkg->funcs, pkg->nfuncs, pkg->funcap, o);
    if (o->is_method)
        return;
    if (o->name == c->in->init_name ||
        (o->name == c->in->main_name && strcmp(pkg->name, "main") == 0))
        special_func(c, pkg, d, o);
    if (o->name != c->in->init_name)
        enter(c, pkg, o);
}

/* ---- methods ------------------------------------------------------------ */

/* The receiver's base type name, without *, () and type arguments. */
static const struct lang_name *
base_name(struct ast_expr *e, bool *ptr, bool *generic)
{
    *ptr = *generic = false;
    for (;;) {
        if (e->kind == EXPR_PAREN) {
            e = e->x;
        } else if (e->kind == EXPR_STAR) {
            *ptr = true;
            e = e->x;
        } else if (e->kind == EXPR_INDEX) {
            *generic = true;
            e = e->index.x;
        } else {
            break;
        }
    }
    return e->kind == EXPR_NAME ? e->name : NULL;
}

/* The declaration of a type that a name stands for, through aliases. */
static struct object *
base_type(struct check_pkg *pkg, const struct lang_name *name, bool *ptr)
{
    int steps;

    for (steps = 0; name && steps < 100; steps++) {
        struct object *o = scope_lookup(pkg->scope, name);
        bool star, generic;

        if (!o || o->kind != OBJ_TYPE || !o->dinfo)
            return NULL;
        if (!o->dinfo->decl->type.alias)
            return o;
        name = base_name(o->dinfo->decl->type.type, &star, &generic);
        if (generic) /* nothing can be declared on an instance */
            return NULL;
        if (star && *ptr)
            return NULL;
        *ptr = *ptr || star;
    }
    return NULL;
}

static void
associate_method(struct check *c, struct check_pkg *pkg, struct object *m)
{
    bool ptr, generic;
    const struct lang_name *name =
        base_name(m->decl->func.recv->type, &ptr, &generic);
    struct object *t = base_type(pkg, name, &ptr);
    struct decl_info *d;

    m->ptr_recv = ptr;
    if (!t)
        return;
    m->recv_named = t;
    d = t->dinfo;
    if (!is_blank(c, m->name))
        CHECK_PUSH(c, d->methods, d->nmethods, d->methcap, m);
}

/* ---- the package -------------------------------------------------------- */

static void
collect_file(struct check *c, struct check_pkg *pkg, struct ast_file *f)
{
    struct scope *file = scope_new(c, pkg->scope);
    uint32_t i;

    c->in->nfiles++;
    f->scope = file;
    if (!f->package.name)
        return;
    if (strcmp(f->package.name->text, pkg->name) != 0)
        check_errf(c, f->package.pos, "package %s; expected package %s",
            f->package.name->text, pkg->name);
    if (is_blank(c, f->package.name))
        check_errf(c, f->package.pos, "invalid package name _");
    c->in->env.scope = file;
    for (i = 0; i < f->decls.n; i++) {
        struct ast_decl *d = f->decls.at[i];

        switch (d->kind) {
        case DECL_IMPORT:
            collect_import(c, pkg, file, d);
            break;
        case DECL_CONST:
            collect_const(c, pkg, file, d);
            break;
        case DECL_VAR:
            collect_var(c, pkg, file, d);
            break;
        case DECL_TYPE:
            collect_type(c, pkg, file, d);
            break;
        case DECL_FUNC:
            collect_func(c, pkg, file, d);
            break;
        default:
            break;
        }
    }
    c->in->env.scope = NULL;
}

/* An import's name must not be one of the package's own. */
static void
check_file_conflicts(struct check *c, struct check_pkg *pkg, struct scope *f)
{
    uint32_t i;

    for (i = 0; i < f->n; i++) {
        struct object *o = f->list[i];
        struct object *other = scope_lookup(pkg->scope, o->name);

        if (!other)
            continue;
        if (o->kind == OBJ_PKGNAME)
            check_errf(c, other->pos,
                "%s already declared through import of package %s (\"%s\")"
                "\n\t%s: other declaration of %s",
                other->name->text, o->imported->name, o->imported->path,
                check_place(c, o->pos), o->name->text);
        else
            check_errf(c, other->pos,
                "%s already declared through dot-import of package %s "
                "(\"%s\")\n\t%s: other declaration of %s",
                other->name->text, o->pkg->name, o->pkg->path,
                check_place(c, o->pos), o->name->text);
    }
}

void
collect_more(struct check *c, struct check_pkg *pkg, struct ast_file **files,
    uint32_t n)
{
    struct ast_file **all =
        CHECK_ARRAY(c, struct ast_file *, pkg->nfiles + n);
    uint32_t i, nfuncs = pkg->nfuncs;

    memcpy(all, pkg->files, pkg->nfiles * sizeof *all);
    memcpy(all + pkg->nfiles, files, n * sizeof *all);
    pkg->files = all;
    pkg->nfiles += n;
    for (i = 0; i < n; i++)
        collect_file(c, pkg, files[i]);
    for (i = nfuncs; i < pkg->nfuncs; i++)
        if (pkg->funcs[i]->is_method)
            associate_method(c, pkg, pkg->funcs[i]);
}

void
collect_objects(struct check *c, struct check_pkg *pkg)
{
    uint32_t i;

    for (i = 0; i < pkg->nfiles; i++)
        collect_file(c, pkg, pkg->files[i]);
    for (i = 0; i < pkg->nfuncs; i++)
        if (pkg->funcs[i]->is_method)
            associate_method(c, pkg, pkg->funcs[i]);
    if (!pkg->library)
        for (i = 0; i < pkg->nfiles; i++)
            check_file_conflicts(c, pkg, pkg->files[i]->scope);
    pkg->state = PKG_COLLECTED;
}
