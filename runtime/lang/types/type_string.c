/* SPDX-License-Identifier: MIT */

/*
 * Types and operands as messages show them.  A named type is qualified with
 * its package's name, or with the quoted path where the name alone could be
 * mistaken for the current package's.
 */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/lang/types/check_int.h"

/* ---- growing texts ------------------------------------------------------ */

void
check_text_addn(struct check_text *t, const char *s, size_t n)
{
    if (t->n + n + 1 > t->cap) {
        size_t cap = t->cap ? t->cap * 2 : 64;
        char *p;

        while (cap < t->n + n + 1)
            cap *= 2;
        p = check_alloc(t->c, cap);
        if (t->n)
            memcpy(p, t->s, t->n);
        t->s = p;
        t->cap = cap;
    }
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = '\0';
}

void
check_text_add(struct check_text *t, const char *s)
{
    check_text_addn(t, s, strlen(s));
}

void
check_text_addf(struct check_text *t, const char *fmt, ...)
{
    char buf[128];
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    check_text_addn(t, buf, n < (int)sizeof buf ? (size_t)n : sizeof buf - 1);
}

const char *
check_text_str(struct check_text *t)
{
    return t->s ? t->s : "";
}

/* ---- types -------------------------------------------------------------- */

struct writer {
    struct check_text *b;
    enum type_string_mode mode;
    const struct check_pkg *rel;
    int depth;
    bool names;   /* parameter names */
    bool pkginfo; /* always the quoted path */
    bool paths;   /* always the path, not quoted */
};

static void write_type(struct writer *w, struct type *t);

/* A package of vole's library that programs cannot import. */
static bool
is_own(const struct check_pkg *p)
{
    return p->library && strncmp(p->path, "internal/", 9) == 0;
}

/*
 * Does Go's compiler meet a second package of p's name?  Then it shows paths.
 * Its own library has some that this one has not: whoever imports sync gets
 * internal/sync, too, and nearly all packages bring internal/runtime/atomic;
 * and what is internal to this one it does not have.
 */
static bool
is_ambiguous(const struct check *c, const struct check_pkg *p)
{
    static const char *const alone[] = {"sync/atomic", "unsafe", "math",
        "math/bits", "math/cmplx", "unicode", "unicode/utf8", "unicode/utf16",
        "cmp"};
    const uint32_t n = sizeof alone / sizeof alone[0];
    bool atomic = strcmp(p->path, "sync/atomic") == 0;
    uint32_t i, k;

    if (is_own(p))
        return false;
    if (strcmp(p->path, "sync") == 0 || strcmp(p->path, "strconv") == 0)
        return true;
    for (i = 0; i < c->in->npkgs; i++) {
        const struct check_pkg *q = c->in->pkgs[i];

        if (q != p && strcmp(q->name, p->name) == 0 && !is_own(q))
            return true;
        for (k = 0; k < n && strcmp(alone[k], q->path); k++)
            ;
        if (atomic && q->library && k == n)
            return true;
    }
    return false;
}

static void
write_name(struct writer *w, const struct object *o)
{
    const struct check_pkg *p = o->pkg;

    if (p && w->paths) {
        check_text_addf(
            w->b, "%s.", w->mode == TYPE_STR_RUN ? p->link : p->path);
    } else if (p && w->pkginfo) {
        check_text_addf(w->b, "\"%s\".", p->path);
    } else if (p && (w->mode == TYPE_STR_RUN || p != w->rel)) {
        if (w->mode == TYPE_STR_LOCAL && is_ambiguous(w->b->c, p))
            check_text_addf(w->b, "\"%s\".", p->path);
        else
            check_text_addf(w->b, "%s.", p->name);
    }
    check_text_add(w->b, o->name->text);
}

static void
write_params(struct writer *w, struct object **v, uint32_t n, bool variadic)
{
    uint32_t i;

    check_text_add(w->b, "(");
    for (i = 0; i < n; i++) {
        struct type *t = v[i]->type;

        if (i)
            check_text_add(w->b, ", ");
        if (w->names && v[i]->name) {
            check_text_add(w->b, v[i]->name->text);
            check_text_add(w->b, " ");
        }
        if (variadic && i == n - 1 && t && t->kind == TYPE_SLICE) {
            check_text_add(w->b, "...");
            t = t->elem;
        }
        write_type(w, t);
    }
    check_text_add(w->b, ")");
}

static void
write_sig(struct writer *w, struct type *t)
{
    uint32_t nres = t->nvars - t->nparams;
    struct object **res = t->vars + t->nparams;

    write_params(w, t->vars, t->nparams, t->variadic);
    if (nres == 0)
        return;
    check_text_add(w->b, " ");
    if (nres == 1 && (!w->names || !res[0]->name))
        write_type(w, res[0]->type);
    else
        write_params(w, res, nres, false);
}

static void
write_quoted(struct writer *w, const char *s, uint32_t n)
{
    uint32_t i;

    check_text_add(w->b, "\"");
    for (i = 0; i < n; i++) {
        if (s[i] == '"' || s[i] == '\\')
            check_text_add(w->b, "\\");
        check_text_addn(w->b, s + i, 1);
    }
    check_text_add(w->b, "\"");
}

static void
write_struct(struct writer *w, struct type *t)
{
    bool run = w->mode != TYPE_STR_LOCAL;
    uint32_t i;

    check_text_add(w->b, run ? "struct {" : "struct{");
    for (i = 0; i < t->nvars; i++) {
        const struct object *f = t->vars[i];

        if (i)
            check_text_add(w->b, ";");
        if (i || run)
            check_text_add(w->b, " ");
        if (!f->embedded) {
            check_text_add(w->b, f->name->text);
            check_text_add(w->b, " ");
        }
        write_type(w, f->type);
        if (f->tag) {
            check_text_add(w->b, " ");
            write_quoted(w, f->tag, f->tag_len);
        }
    }
    check_text_add(w->b, run && t->nvars ? " }" : "}");
}

static void
write_iface_run(struct writer *w, struct type *t)
{
    struct object **list = type_iface_methods(w->b->c, t);
    uint32_t i;

    check_text_add(w->b, "interface {");
    for (i = 0; i < t->nvars; i++) {
        const struct object *m = list[i];

        check_text_add(w->b, i ? "; " : " ");
        if (w->mode == TYPE_STR_RUN && !m->exported && m->pkg)
            check_text_addf(w->b, "%s.", m->pkg->name);
        check_text_add(w->b, m->name->text);
        write_sig(w, m->type);
    }
    check_text_add(w->b, t->nvars ? " }" : "}");
}

static void
write_iface(struct writer *w, struct type *t)
{
    const struct iface_info *f = t->iface;
    uint32_t i;

    if (f->implicit_any && w->mode != TYPE_STR_RUN) {
        check_text_add(w->b, "any");
        return;
    }
    if (w->mode != TYPE_STR_LOCAL) {
        write_iface_run(w, t);
        return;
    }
    if (f->implicit && f->nmethods == 0 && f->nembeds == 1) {
        write_type(w, f->embeds[0]);
        return;
    }
    check_text_add(w->b, "interface{");
    for (i = 0; i < f->nmethods; i++) {
        if (i)
            check_text_add(w->b, "; ");
        check_text_add(w->b, f->methods[i]->name->text);
        if (f->methods[i]->type)
            write_sig(w, f->methods[i]->type);
    }
    for (i = 0; i < f->nembeds; i++) {
        if (i || f->nmethods)
            check_text_add(w->b, "; ");
        write_type(w, f->embeds[i]);
    }
    check_text_add(w->b, "}");
}

static void
write_chan(struct writer *w, struct type *t)
{
    bool paren = t->dir == TYPE_BOTH && t->elem->kind == TYPE_CHAN &&
                 t->elem->dir == TYPE_RECV;

    check_text_add(w->b, t->dir == TYPE_RECV   ? "<-chan "
                         : t->dir == TYPE_SEND ? "chan<- "
                                               : "chan ");
    if (paren)
        check_text_add(w->b, "(");
    write_type(w, t->elem);
    if (paren)
        check_text_add(w->b, ")");
}

static void
write_basic(struct writer *w, struct type *t)
{
    if (w->mode == TYPE_STR_RUN && t->kind == TYPE_UINT8)
        check_text_add(w->b, "uint8");
    else if (w->mode == TYPE_STR_RUN && t->kind == TYPE_INT32)
        check_text_add(w->b, "int32");
    else
        check_text_add(w->b, t->name ? t->name : "?");
}

/* Parameters in a row with one constraint have it once. */
static void
write_tparams(struct writer *w, const struct tparam_list *l)
{
    struct type *prev = NULL;
    uint32_t i;

    check_text_add(w->b, "[");
    for (i = 0; i < l->n; i++) {
        struct type *t = l->at[i];

        if (i > 0) {
            if (t->bound != prev) {
                check_text_add(w->b, " ");
                write_type(w, prev);
            }
            check_text_add(w->b, ", ");
        }
        prev = t->bound;
        write_type(w, t);
    }
    if (prev) {
        check_text_add(w->b, " ");
        write_type(w, prev);
    }
    check_text_add(w->b, "]");
}

static void
write_targs(struct writer *w, struct type *const *targs, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++) {
        if (i)
            check_text_add(w->b, w->mode == TYPE_STR_LOCAL ? ", " : ",");
        write_type(w, targs[i]);
    }
}

/*
 * In type arguments Go's names of a running program have whole paths, and
 * types declared in functions their number.  A type that is declared in a
 * generic function has the function's arguments, then its own:
 * main.T[int;string].
 */
static void
write_named(struct writer *w, struct type *t)
{
    const struct type *outer = t->origin;
    bool paths = w->paths;

    write_name(w, t->obj);
    if (t->ntargs != 0) {
        w->paths |= w->mode == TYPE_STR_RUN;
        check_text_add(w->b, "[");
        if (outer && outer->ntargs != 0) {
            write_targs(w, outer->targs, outer->ntargs);
            check_text_add(w->b, ";");
        }
        write_targs(w, t->targs, t->ntargs);
        check_text_add(w->b, "]");
        w->paths = paths;
    } else if (t->tparams) {
        write_tparams(w, t->tparams);
    }
    if (paths && w->mode == TYPE_STR_RUN && t->obj->func)
        check_text_addf(w->b, "\302\267%u", t->obj->order);
}

static void
write_union(struct writer *w, struct type *t)
{
    uint32_t i;

    for (i = 0; i < t->nterms; i++) {
        check_text_add(w->b, i ? " | " : "");
        check_text_add(w->b, t->terms[i].tilde ? "~" : "");
        write_type(w, t->terms[i].type);
    }
}

static void
write_type(struct writer *w, struct type *t)
{
    if (!t) {
        check_text_add(w->b, "<nil>");
        return;
    }
    if (++w->depth > 100) {
        check_text_add(w->b, "...");
        w->depth--;
        return;
    }
    switch (t->kind) {
    case TYPE_NAMED:
        write_named(w, t);
        break;
    case TYPE_POINTER:
        check_text_add(w->b, "*");
        write_type(w, t->elem);
        break;
    case TYPE_SLICE:
        check_text_add(w->b, "[]");
        write_type(w, t->elem);
        break;
    case TYPE_ARRAY:
        check_text_addf(w->b, "[%lld]", (long long)t->len);
        write_type(w, t->elem);
        break;
    case TYPE_MAP:
        check_text_add(w->b, "map[");
        write_type(w, t->key);
        check_text_add(w->b, "]");
        write_type(w, t->elem);
        break;
    case TYPE_CHAN:
        write_chan(w, t);
        break;
    case TYPE_STRUCT:
        write_struct(w, t);
        break;
    case TYPE_INTERFACE:
        write_iface(w, t);
        break;
    case TYPE_FUNC:
        check_text_add(w->b, "func");
        write_sig(w, t);
        break;
    case TYPE_TUPLE:
        write_params(w, t->vars, t->nvars, false);
        break;
    case TYPE_PARAM:
        check_text_add(w->b, t->obj->name->text);
        break;
    case TYPE_UNION:
        write_union(w, t);
        break;
    default:
        write_basic(w, t);
        break;
    }
    w->depth--;
}

void
type_write(struct check_text *b, struct type *t, enum type_string_mode mode,
    const struct check_pkg *rel)
{
    struct writer w = {
        b, mode, rel, 0, mode == TYPE_STR_LOCAL, false, false};

    write_type(&w, t);
}

const char *
type_string(struct check *c, struct type *t, enum type_string_mode mode,
    const struct check_pkg *rel)
{
    struct check_text b = {.c = c};

    type_write(&b, t, mode, rel);
    return check_text_str(&b);
}

const char *
type_str(struct check *c, struct type *t)
{
    return type_string(c, t, TYPE_STR_LOCAL, c->in->env.pkg);
}

const char *
type_term_str(struct check *c, const struct type_term *t)
{
    struct check_text b = {.c = c};
    struct writer w = {.b = &b, .mode = TYPE_STR_LOCAL, .names = true,
        .paths = true};

    check_text_add(&b, t->tilde ? "~" : "");
    write_type(&w, t->type);
    return check_text_str(&b);
}

const char *
type_params_str(struct check *c, const struct tparam_list *l)
{
    struct check_text b = {.c = c};
    struct writer w = {
        &b, TYPE_STR_LOCAL, c->in->env.pkg, 0, true, false, false};

    write_tparams(&w, l);
    return check_text_str(&b);
}

const char *
check_func_string(struct check *c, struct object *f, bool pkginfo)
{
    struct check_text b = {.c = c};
    struct writer w = {
        &b, TYPE_STR_LOCAL, c->in->env.pkg, 0, false, pkginfo, false};

    check_text_add(&b, f->name->text);
    if (f->type)
        write_sig(&w, f->type);
    return check_text_str(&b);
}

/* ---- operands ----------------------------------------------------------- */

const char *
check_expr_str(struct check *c, const struct ast_expr *e)
{
    char buf[4096];

    /* check_assign_type()'s stand-in for a part of e->x. */
    if (e->kind == EXPR_BAD && e->x)
        e = e->x;
    return check_sprintf(c, "%s", ast_expr_string(e, buf, sizeof buf));
}

const char *
type_composite_kind(struct type *t)
{
    switch (type_kind_of(t)) {
    case TYPE_ARRAY:
        return "array";
    case TYPE_SLICE:
        return "slice";
    case TYPE_STRUCT:
        return "struct";
    case TYPE_POINTER:
        return "pointer";
    case TYPE_FUNC:
        return "func";
    case TYPE_INTERFACE:
        return "interface";
    case TYPE_MAP:
        return "map";
    case TYPE_CHAN:
        return "chan";
    case TYPE_TUPLE:
        return "tuple";
    default:
        return "";
    }
}

static const char *
mode_name(const struct ast_expr *e)
{
    switch (e->mode) {
    case MODE_NOVALUE:
        return "no value";
    case MODE_BUILTIN:
        return "built-in";
    case MODE_TYPE:
        return "type";
    case MODE_CONST:
        return "constant";
    case MODE_VAR:
        return "variable";
    case MODE_MAPINDEX:
        return "map index expression";
    case MODE_VALUE:
    case MODE_TUPLE:
        return "value";
    case MODE_NIL:
        return "nil";
    case MODE_COMMAOK:
        return "comma, ok expression";
    default:
        return "invalid operand";
    }
}

static void
operand_type(struct check *c, struct check_text *b, struct type *t)
{
    if (!is_valid(t)) {
        check_text_add(b, " with invalid type");
        return;
    }
    check_text_add(b, " of ");
    if (t->kind == TYPE_PARAM) {
        check_text_addf(b, "type %s constrained by ", t->obj->name->text);
        type_write(b, t->bound, TYPE_STR_LOCAL, c->in->env.pkg);
        if (typeset_is_empty(type_bound(t)))
            check_text_add(b, " with empty type set");
        return;
    }
    if (t->kind == TYPE_NAMED || t == c->types.any_type) {
        const char *what = type_composite_kind(t);

        const char *name = type_under(t)->name;

        check_text_add(b, *what ? what : name ? name : "");
        check_text_add(b, " ");
    }
    check_text_add(b, "type ");
    type_write(b, t, TYPE_STR_LOCAL, c->in->env.pkg);
}

const char *
check_operand_str(struct check *c, const struct ast_expr *e)
{
    struct check_text b = {.c = c};
    const char *expr = check_expr_str(c, e), *val;
    bool untyped = false, typed;

    if (is_nil(e)) {
        if (!e->type || type_is_untyped(e->type))
            return "nil";
        return check_sprintf(c, "nil (of type %s)", type_str(c, e->type));
    }
    check_text_add(&b, expr);
    check_text_add(&b, " (");
    typed = e->type && e->mode != MODE_NONE && e->mode != MODE_NOVALUE &&
            e->mode != MODE_BUILTIN && e->mode != MODE_TYPE;
    if (typed && type_is_untyped(e->type)) {
        untyped = true;
        check_text_add(&b, e->type->name);
        check_text_add(&b, " ");
    }
    check_text_add(&b, mode_name(e));
    if (is_const(e) && e->cv) {
        val = const_text_as(&c->cctx, e->cv,
            type_is_float(e->type)     ? CONST_FLOAT
            : type_is_complex(e->type) ? CONST_COMPLEX
                                       : const_kind(e->cv));
        if (strcmp(val, expr) != 0) {
            check_text_add(&b, " ");
            check_text_add(&b, val);
        }
    }
    if (typed && !untyped)
        operand_type(c, &b, e->type);
    check_text_add(&b, ")");
    return check_text_str(&b);
}

const char *
type_summary(
    struct check *c, struct type **list, uint32_t n, bool variadic, bool dots)
{
    struct check_text b = {.c = c};
    uint32_t i;

    check_text_add(&b, "(");
    for (i = 0; i < n; i++) {
        struct type *t = list[i];

        if (i)
            check_text_add(&b, ", ");
        if (variadic && i == n - 1) {
            check_text_add(&b, "...");
            if (t && t->kind == TYPE_SLICE)
                t = t->elem;
        }
        if (!t || !is_valid(t))
            check_text_add(&b, "unknown type");
        else if (type_is_untyped(t))
            check_text_add(&b, type_is_numeric(t) ? "number"
                               : t->name          ? t->name + strlen("untyped ")
                                                  : "nil");
        else
            type_write(&b, t, TYPE_STR_LOCAL, c->in->env.pkg);
        if (dots && i == n - 1)
            check_text_add(&b, "...");
    }
    check_text_add(&b, ")");
    return check_text_str(&b);
}
