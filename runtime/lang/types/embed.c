/* SPDX-License-Identifier: MIT */

/*
 * //go:embed: a package variable whose initial value is files.  The loader has
 * found them; here the variable gets an initialiser as if the source had one:
 * a conversion of a constant to its type, or, for an embed.FS, a call of a
 * function of package embed that nobody else can name.  The names by which
 * the made expressions refer to these begin with a blank, which none of a
 * source does.
 */

#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/lang/types/check_int.h"

enum { EMBED_SINCE = 16 };

static bool
has_embed(const struct ast_decl *d, lang_pos *pos)
{
    const struct ast_directive *dir;
    bool any = false;

    for (dir = d->dir; dir != NULL; dir = dir->next)
        if (ast_is_directive(dir, "go:embed")) {
            *pos = dir->pos + 2; /* the first is the last of the list */
            any = true;
        }
    return any;
}

/* ---- made expressions --------------------------------------------------- */

static struct ast_expr *
node(struct check *c, enum ast_expr_kind kind, lang_pos pos)
{
    struct ast_expr *e = CHECK_NEW(c, struct ast_expr);

    e->kind = (uint8_t)kind;
    e->pos = pos;
    return e;
}

/* A name that stands for o in the package that is being checked. */
static struct ast_expr *
name_of(struct check *c, struct object *o)
{
    struct ast_expr *e = node(c, EXPR_NAME, o->pos);

    e->name = o->name;
    scope_insert(c, c->in->env.pkg->scope, o);
    return e;
}

static struct ast_expr *
constant(struct check *c, lang_pos pos, const char *what, const char *bytes,
    size_t len)
{
    char *name = check_sprintf(c, " %s %u", what, (unsigned)pos);
    struct object *o = object_new(c, OBJ_CONST, pos,
        lang_name_str(c->parse->names, name), basic(c, TYPE_UNTYPED_STRING));

    o->pkg = c->in->env.pkg;
    o->color = COLOR_BLACK;
    o->used = true;
    o->cv = const_str(&c->cctx, bytes, len);
    return name_of(c, o);
}

static struct ast_expr *
call(struct check *c, struct ast_expr *fun, lang_pos pos,
    struct ast_expr **args, uint32_t n)
{
    struct ast_expr *e = node(c, EXPR_CALL, pos);

    e->call.fun = fun;
    e->call.args.at = CHECK_ARRAY(c, struct ast_expr *, n);
    e->call.args.n = n;
    memcpy(e->call.args.at, args, n * sizeof *args);
    return e;
}

/* ---- the three kinds ---------------------------------------------------- */

static bool
is_folder(const struct ast_embedded *f)
{
    return f->name[strlen(f->name) - 1] == '/';
}

static struct ast_expr *
one_file(struct check *c, struct object *o, const struct ast_decl *d)
{
    const struct ast_embed *em = d->var.embed;
    const struct ast_embedded *file = NULL;
    struct ast_expr *text;
    uint32_t i, n = 0;

    for (i = 0; i < em->n; i++)
        if (!is_folder(&em->files[i])) {
            file = &em->files[i];
            n++;
        }
    if (n != 1) {
        check_errf(c, o->pos, "invalid go:embed: multiple files for type %s",
            type_str(c, o->type));
        return NULL;
    }
    text = constant(c, o->pos, "embed", file->data, file->len);
    return call(c, d->var.type, o->pos, &text, 1);
}

static struct ast_expr *
file_system(struct check *c, struct object *o, const struct ast_embed *em,
    struct check_pkg *package)
{
    struct check_text index = {.c = c}, data = {.c = c};
    struct object *make = check_lookup(package, "_vole_files");
    struct ast_expr *args[2];
    uint32_t i;

    if (make == NULL && check_more(c, package))
        make = check_lookup(package, "_vole_files");
    if (make == NULL) {
        check_errf(c, o->pos, "package embed cannot make an FS");
        return NULL;
    }
    rt_assert(make->kind == OBJ_FUNC && is_valid(make->type));
    for (i = 0; i < em->n; i++) {
        const struct ast_embedded *f = &em->files[i];

        check_text_add(&index, f->name);
        check_text_addn(&index, "", 1);
        check_text_addf(&index, "%zu", f->len);
        check_text_addn(&index, "", 1);
        check_text_addn(&data, f->data, f->len);
    }
    args[0] = constant(c, o->pos, "index", index.s, index.n);
    args[1] = constant(c, o->pos, "data", data.s, data.n);
    return call(c, name_of(c, make), o->pos, args, 2);
}

static bool
is_file_system(const struct type *t)
{
    return t->kind == TYPE_NAMED && t->obj != NULL && t->obj->pkg != NULL &&
        strcmp(t->obj->pkg->path, "embed") == 0 &&
        strcmp(t->obj->name->text, "FS") == 0;
}

struct ast_expr *
check_embed(struct check *c, struct object *o, const struct ast_decl *d)
{
    struct type *under;

    /* The others are reported when all else is right. */
    if (d->kind != DECL_VAR || d->var.embed == NULL || d->var.nname != 1 ||
        d->var.values.n != 0 || !is_valid(o->type))
        return NULL;
    if (is_file_system(o->type))
        return file_system(c, o, d->var.embed, o->type->obj->pkg);
    under = type_under(o->type);
    if (under->kind == TYPE_STRING ||
        (under->kind == TYPE_SLICE &&
            type_kind_of(under->elem) == TYPE_UINT8))
        return one_file(c, o, d);
    check_errf(c, o->pos, "go:embed cannot apply to var of type %s",
        type_str(c, o->type));
    return NULL;
}

/* ---- where there may be none -------------------------------------------- */

static bool
imports_embed(const struct ast_file *f)
{
    uint32_t i;

    for (i = 0; i < f->nimport; i++)
        if (f->decls.at[i]->import.value != NULL &&
            strcmp(f->decls.at[i]->import.value, "embed") == 0)
            return true;
    return false;
}

void
check_embed_place(struct check *c, const struct ast_decl *d, bool local)
{
    const char *why = NULL;
    lang_pos pos = 0;

    if (d->kind != DECL_VAR || !has_embed(d, &pos))
        return;
    if (!imports_embed(d->file))
        why = "go:embed requires import \"embed\" (or import _ \"embed\", if "
              "package is not used)";
    else if (d->var.nname > 1)
        why = "go:embed cannot apply to multiple vars";
    else if (d->var.values.n != 0)
        why = "go:embed cannot apply to var with initializer";
    else if (d->var.type == NULL)
        why = "go:embed cannot apply to var without type";
    else if (local)
        why = "go:embed cannot apply to var inside func";
    if (why != NULL)
        check_errf(c, pos, "%s", why);
    else
        check_allows(c, pos, EMBED_SINCE, "go:embed");
}
