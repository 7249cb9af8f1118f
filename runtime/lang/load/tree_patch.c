/* SPDX-License-Identifier: MIT */
/*
 * A patch replaces declarations of a package by those of the same name.  What
 * is replaced is taken out of the tree before anything has looked at it: a
 * function as a whole, of a specification with several names those that are
 * meant.  Such a name becomes blank, so that an initialiser for several
 * variables still finds as many of them as it has values.  A type that becomes
 * another name of one that is elsewhere loses its methods, since that has its
 * own.
 */
#include <stdbool.h>

#include "runtime/lang/load/tree_load.h"

/* What a declaration is known by: a name and, for methods, the name of the
 * receiver's type. */
struct key {
    const struct lang_name *name, *recv;
};

/* The declarations of a patch. */
struct patch {
    struct ast_file *const *at;
    uint32_t n;
    /* For each name that is declared, a bit by its hash: most names of a
     * package are none of them, and are not looked for. */
    uint64_t names[16];
};

static void
note(struct patch *p, const struct lang_name *name)
{
    if (name != NULL)
        p->names[name->hash / 64 % 16] |= (uint64_t)1 << (name->hash % 64);
}

static bool
may_have(const struct patch *p, const struct lang_name *name)
{
    return name != NULL &&
        (p->names[name->hash / 64 % 16] >> (name->hash % 64) & 1) != 0;
}

static void
note_decl(struct patch *p, const struct ast_decl *d)
{
    uint32_t i;

    if (d->kind == DECL_FUNC)
        note(p, d->func.name.name);
    else if (d->kind == DECL_TYPE)
        note(p, d->type.name.name);
    for (i = 0; d->kind == DECL_VAR && i < d->var.nname; i++)
        note(p, d->var.names[i].name);
    for (i = 0; d->kind == DECL_CONST && i < d->cnst.nname; i++)
        note(p, d->cnst.names[i].name);
}

static const struct lang_name *
receiver_name(const struct ast_decl *d)
{
    const struct ast_expr *e;

    if (d->func.recv == NULL)
        return NULL;
    for (e = d->func.recv->type;;) {
        if (e->kind == EXPR_PAREN || e->kind == EXPR_STAR)
            e = e->x;
        else if (e->kind == EXPR_INDEX)
            e = e->index.x;
        else
            return e->kind == EXPR_NAME ? e->name : NULL;
    }
}

static bool
list_has(const struct ast_ident *names, uint32_t n, struct key k)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        if (names[i].name == k.name)
            return true;
    return false;
}

static bool
declares(const struct ast_decl *d, struct key k)
{
    switch (d->kind) {
    case DECL_FUNC:
        return d->func.name.name == k.name && receiver_name(d) == k.recv;
    case DECL_TYPE:
        return k.recv == NULL && d->type.name.name == k.name;
    case DECL_VAR:
        return k.recv == NULL && list_has(d->var.names, d->var.nname, k);
    case DECL_CONST:
        return k.recv == NULL && list_has(d->cnst.names, d->cnst.nname, k);
    default:
        return false;
    }
}

static bool
replaced(const struct patch *p, struct key k)
{
    uint32_t i, j;

    for (i = 0; may_have(p, k.name) && i < p->n; i++)
        for (j = p->at[i]->nimport; j < p->at[i]->decls.n; j++)
            if (declares(p->at[i]->decls.at[j], k))
                return true;
    return false;
}

/* Does the patch say of a type that it is another one? */
static bool
renamed(const struct patch *p, const struct lang_name *name)
{
    uint32_t i, j;

    for (i = 0; may_have(p, name) && i < p->n; i++)
        for (j = p->at[i]->nimport; j < p->at[i]->decls.n; j++) {
            const struct ast_decl *d = p->at[i]->decls.at[j];

            if (d->kind == DECL_TYPE && d->type.alias != 0 &&
                d->type.name.name == name)
                return true;
        }
    return false;
}

/* Blanks the names that are replaced; true if that are all. */
static bool
blank(struct parse_ctx *parse, struct ast_ident *names, uint32_t n,
    const struct patch *p)
{
    uint32_t i, gone = 0;

    for (i = 0; i < n; i++) {
        struct key k = {names[i].name, NULL};

        if (names[i].name == parse->names->blank ||
            !replaced(p, k))
            continue;
        names[i].name = parse->names->blank;
        gone++;
    }
    return gone == n;
}

/* Does nothing remain of d? */
static bool
take_out(
    struct parse_ctx *parse, struct ast_decl *d, const struct patch *p)
{
    struct key k;

    switch (d->kind) {
    case DECL_FUNC:
        k = (struct key){d->func.name.name, receiver_name(d)};
        return renamed(p, k.recv) ||
            (replaced(p, k) &&
                (k.recv != NULL ||
                    k.name != lang_name_str(parse->names, "init")));
    case DECL_TYPE:
        k = (struct key){d->type.name.name, NULL};
        return replaced(p, k);
    case DECL_VAR:
        return blank(parse, d->var.names, d->var.nname, p);
    case DECL_CONST:
        /* The group's later specifications may repeat this one. */
        blank(parse, d->cnst.names, d->cnst.nname, p);
        return false;
    default:
        return false;
    }
}

void
tree_patch(struct parse_ctx *parse, struct ast_file **files, uint32_t n,
    struct ast_file **patch, uint32_t npatch)
{
    struct patch p = {.at = patch, .n = npatch};
    uint32_t i, j, k;

    for (i = 0; i < npatch; i++)
        for (j = patch[i]->nimport; j < patch[i]->decls.n; j++)
            note_decl(&p, patch[i]->decls.at[j]);
    for (i = 0; npatch != 0 && i < n; i++) {
        struct ast_decls *l = &files[i]->decls;

        for (j = k = 0; j < l->n; j++)
            if (!take_out(parse, l->at[j], &p))
                l->at[k++] = l->at[j];
        files[i]->patched |= k < l->n;
        l->n = k;
    }
}
