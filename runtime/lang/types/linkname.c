/* SPDX-License-Identifier: MIT */

/*
 * //go:linkname: one function or variable by two names.  A package either
 * says of a function without a body, or of a variable, where the real one is,
 * or it offers one of its own under a name of another package, which declares
 * it without a body.  Nothing is looked for until somebody refers to the
 * name, so a target that does not exist does no harm before.
 */

#include <string.h>

#include "runtime/lang/types/check_int.h"

static bool
has_body(const struct object *o)
{
    return o->kind == OBJ_FUNC && o->decl != NULL &&
        (o->decl->func.func.body != NULL || o->decl->func.func.lazy);
}

/* What file f says of the local name; NULL: nothing. */
static const char *
target_of(const struct ast_file *f, const struct lang_name *local)
{
    const struct ast_linkname *l;

    for (l = f->linknames; l != NULL; l = l->next)
        if (l->local == local && l->target != NULL)
            return l->target;
    return NULL;
}

/* As a function says that is only to be found by another name's package. */
static bool
names_itself(const struct object *o, const char *target)
{
    size_t n = strlen(o->pkg->path);

    return strncmp(target, o->pkg->path, n) == 0 && target[n] == '.' &&
        strcmp(target + n + 1, o->name->text) == 0;
}

const char *
check_linkname(const struct object *o)
{
    const char *target;
    uint32_t i;

    if (o->pkg == NULL || o->is_method)
        return NULL;
    /* Patches are the last files. */
    for (i = o->pkg->nfiles; i-- > 0;) {
        target = target_of(o->pkg->files[i], o->name);
        if (target != NULL && !names_itself(o, target))
            return target;
    }
    return NULL;
}

/* The dot between the path and the name of a target: the first behind the
 * last slash. */
static const char *
dot_of(const char *target)
{
    const char *slash = strrchr(target, '/');

    return strchr(slash == NULL ? target : slash, '.');
}

/* The method of a package that is written (*T).m or T.m. */
static struct object *
find_method(struct check *c, struct check_pkg *p, const char *name)
{
    const char *type = strncmp(name, "(*", 2) == 0 ? name + 2 : name;
    size_t n = strcspn(type, ").");
    const char *method = strrchr(type, '.');
    struct object *t = scope_lookup(
        p->scope, lang_name_get(c->parse->names, type, n));
    uint32_t i;

    if (t == NULL || t->dinfo == NULL || method == NULL)
        return NULL;
    for (i = 0; i < t->dinfo->nmethods; i++)
        if (strcmp(t->dinfo->methods[i]->name->text, method + 1) == 0)
            return t->dinfo->methods[i];
    return NULL;
}

/* What a target names, NULL if there is no such thing. */
static struct object *
find_target(struct check *c, const char *target)
{
    const char *dot = dot_of(target);
    struct check_pkg *p;
    struct object *o;
    char *path;

    if (dot == NULL)
        return NULL;
    path = check_sprintf(c, "%.*s", (int)(dot - target), target);
    p = check_import(c, path);
    if (p == NULL || p->scope == NULL)
        return NULL;
    if (strchr(dot + 1, '.') != NULL)
        return find_method(c, p, dot + 1);
    o = check_lookup(p, dot + 1);
    return o == NULL && check_more(c, p) ? check_lookup(p, dot + 1) : o;
}

/* Whether f's comment is about the function: where a patch has taken one out
 * of f, which says where that is, another file has its own. */
static bool
is_about(const struct ast_file *f, const struct object *func)
{
    return !f->patched || func->decl->file == f;
}

/* The function that some package offers as o, NULL if none does.  That none
 * does is true until there are more files. */
static struct object *
find_offer(struct check *c, struct object *o)
{
    const struct ast_linkname *l;
    const char *name;
    uint32_t i, k;

    if (o->unoffered == c->in->nfiles)
        return NULL;
    name = check_sprintf(c, "%s.%s", o->pkg->path, o->name->text);
    for (i = 0; i < c->in->npkgs; i++) {
        struct check_pkg *p = c->in->pkgs[i];

        for (k = 0; k < p->nfiles; k++)
            for (l = p->files[k]->linknames; l != NULL; l = l->next) {
                struct object *from;

                if (l->target == NULL || strcmp(l->target, name) != 0)
                    continue;
                from = scope_lookup(p->scope, l->local);
                if (from != NULL && has_body(from) &&
                    is_about(p->files[k], from))
                    return from;
            }
    }
    o->unoffered = c->in->nfiles;
    return NULL;
}

struct object *
check_linked(struct check *c, struct object *o)
{
    const char *target;
    struct object *to;
    int steps;

    for (steps = 0; steps < 10 && o->pkg != NULL && !o->is_method; steps++) {
        if (has_body(o) || (o->kind == OBJ_FUNC && o->decl == NULL))
            return o;
        if (o->kind == OBJ_VAR && o->unoffered == c->in->nfiles)
            return o;
        target = check_linkname(o);
        if (o->kind == OBJ_VAR && target == NULL)
            o->unoffered = c->in->nfiles;
        to = target != NULL ? find_target(c, target) : NULL;
        if (to == NULL && o->kind == OBJ_FUNC)
            to = find_offer(c, o);
        if (to == NULL || to->kind != o->kind || to == o)
            return o;
        check_obj(c, to);
        check_run_delayed(c, 0);
        o = to;
    }
    return o;
}
