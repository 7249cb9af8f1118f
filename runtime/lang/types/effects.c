/* SPDX-License-Identifier: MIT */

/*
 * Which variables of an eager package have to be initialised though nothing
 * refers to them: those whose initialiser might be noticed, because it calls
 * something.  Not noticed are literals, conversions, built-in functions that
 * make values, and functions of the library that are known to do no more.
 * The answer is found in the syntax, before anything is checked: a table that
 * nobody needs costs one walk over it.
 */

#include <string.h>

#include "runtime/lang/types/check_int.h"

/* Functions that make a value of their arguments and do nothing else. */
static const char *const quiet[] = {"errors.New", "reflect.TypeOf",
    "regexp.MustCompile", "strings.NewReplacer", "time.Unix", NULL};

static bool acts(const struct decl_info *d, const struct ast_expr *e);

static bool
any_acts(const struct decl_info *d, struct ast_exprs list)
{
    uint32_t i;

    for (i = 0; i < list.n; i++)
        if (acts(d, list.at[i]))
            return true;
    return false;
}

/* What a name stands for at package level. */
static struct object *
meaning(const struct decl_info *d, const struct lang_name *name)
{
    const struct scope *s;
    struct object *o = NULL;

    for (s = d->scope; s != NULL && o == NULL; s = s->parent)
        o = scope_lookup(s, name);
    return o;
}

static bool
is_quiet_call(const struct check_pkg *pkg, const struct object *o)
{
    size_t n = strlen(pkg->path);
    int i;

    for (i = 0; quiet[i] != NULL; i++)
        if (strncmp(quiet[i], pkg->path, n) == 0 && quiet[i][n] == '.' &&
            strcmp(quiet[i] + n + 1, o->name->text) == 0)
            return true;
    return false;
}

static bool
is_quiet_builtin(const struct object *o)
{
    switch (o->index) {
    case BUILTIN_CLOSE:
    case BUILTIN_COPY:
    case BUILTIN_DELETE:
    case BUILTIN_PANIC:
    case BUILTIN_PRINT:
    case BUILTIN_PRINTLN:
    case BUILTIN_RECOVER:
        return false;
    default:
        return true;
    }
}

/* May calling what fun names be noticed?  True where it is not known. */
static bool
callee_acts(const struct decl_info *d, const struct ast_expr *fun)
{
    const struct object *o, *p;

    switch (fun->kind) {
    case EXPR_PAREN:
    case EXPR_STAR:
        return callee_acts(d, fun->x);
    case EXPR_ARRAY:
    case EXPR_SLICETYPE:
    case EXPR_STRUCT:
    case EXPR_FUNCTYPE:
    case EXPR_INTERFACE:
    case EXPR_MAP:
    case EXPR_CHAN:
        return false;
    case EXPR_NAME:
        o = meaning(d, fun->name);
        return o == NULL || (o->kind != OBJ_TYPE &&
            !(o->kind == OBJ_BUILTIN && is_quiet_builtin(o)));
    case EXPR_SELECTOR:
        if (fun->selector.x->kind != EXPR_NAME)
            return true;
        p = meaning(d, fun->selector.x->name);
        if (p == NULL || p->kind != OBJ_PKGNAME || p->imported->scope == NULL)
            return true;
        o = scope_lookup(p->imported->scope, fun->selector.sel.name);
        return o == NULL || (o->kind != OBJ_TYPE &&
            o->kind != OBJ_BUILTIN && !is_quiet_call(p->imported, o));
    default:
        return true;
    }
}

/* May evaluating e be noticed? */
static bool
acts(const struct decl_info *d, const struct ast_expr *e)
{
    while (e != NULL && e->kind == EXPR_BINARY) {
        if (acts(d, e->binary.y))
            return true;
        e = e->binary.x;
    }
    if (e == NULL)
        return false;
    switch (e->kind) {
    case EXPR_COMPOSITE:
        return any_acts(d, e->composite.elems);
    case EXPR_KEYVALUE:
        return acts(d, e->kv.key) || acts(d, e->kv.value);
    case EXPR_PAREN:
    case EXPR_STAR:
        return acts(d, e->x);
    case EXPR_SELECTOR:
        return acts(d, e->selector.x);
    case EXPR_INDEX:
        return acts(d, e->index.x) || any_acts(d, e->index.at);
    case EXPR_SLICE:
        return acts(d, e->slice.x) || acts(d, e->slice.lo) ||
            acts(d, e->slice.hi) || acts(d, e->slice.max);
    case EXPR_ASSERT:
        return acts(d, e->assert_.x);
    case EXPR_UNARY:
        return e->op == TOK_ARROW || acts(d, e->unary.x);
    case EXPR_CALL:
        return callee_acts(d, e->call.fun) || any_acts(d, e->call.args);
    default:
        return false;
    }
}

bool
check_eager_inits(struct check *c, struct check_pkg *pkg)
{
    bool any = false;
    uint32_t i;

    if (!pkg->eager || pkg->eager_done)
        return false;
    pkg->eager_done = true;
    for (i = 0; i < pkg->ndecls; i++) {
        struct decl_info *d = pkg->decls[i];

        if (d->decl->kind != DECL_VAR || d->init_checked || !acts(d, d->init))
            continue;
        check_var_init(c, d->obj);
        any = true;
    }
    return any;
}
