/* SPDX-License-Identifier: MIT */
/*
 * Nothing here knows of scopes: a local variable or a field could have the name
 * of what is missing.  So a use counts only where it is called, or converted
 * to, or where the name is exported, which such names hardly are.
 */
#include "runtime/lang/load/portable.h"

#include "runtime/base/strmap.h"
#include "runtime/lang/syntax/scan.h"

struct portable {
    struct rt_arena *a;
    struct lang_sources src;
    struct lang_names names;
    struct lang_diag diag;
    struct rt_strmap kept, left; /* what is declared there, by name */
};

static bool
begin(struct portable *p, const struct portable_text *t, struct scan *s)
{
    struct lang_file *f;

    if (lang_sources_add(&p->src, "", (const uint8_t *)t->text, t->len, &f,
            NULL) != RT_OK)
        return false;
    scan_init(s, f, &p->diag, &p->names, p->a);
    scan_next(s);
    return true;
}

/* ---- declarations ----------------------------------------------------------- */

static void
declare(struct portable *p, struct rt_strmap *to, const struct lang_name *name)
{
    rt_strmap_add(to, p->a, name->text, p);
}

/* From a brace to the one that closes it. */
static void
skip_block(struct scan *s)
{
    unsigned depth = 0;

    if (scan_skip_block(s) != 0)
        return;
    for (; s->tok != TOK_EOF; scan_next(s)) {
        depth += s->tok == TOK_LBRACE;
        depth -= s->tok == TOK_RBRACE;
        if (depth == 0)
            return;
    }
}

/* With a function's name, or the parenthesis of its receiver, as the current
 * token: to the end of its declaration.  Whether it has a body. */
static bool
skip_func(struct scan *s)
{
    unsigned depth = 0;
    bool is_type = false; /* the last token was struct or interface */

    for (; s->tok != TOK_EOF; scan_next(s)) {
        if (s->tok == TOK_LBRACE) {
            skip_block(s);
            if (depth == 0 && !is_type)
                return true;
        } else if (s->tok == TOK_LPAREN || s->tok == TOK_LBRACK) {
            depth++;
        } else if (s->tok == TOK_RPAREN || s->tok == TOK_RBRACK) {
            depth -= depth > 0;
        } else if (s->tok == TOK_SEMI && depth == 0) {
            return false;
        }
        is_type = s->tok == TOK_STRUCT || s->tok == TOK_INTERFACE;
    }
    return false;
}

/* The names at the beginning of a specification: a, b = ... */
static void
spec_names(struct portable *p, struct scan *s, struct rt_strmap *to)
{
    while (s->tok == TOK_NAME) {
        declare(p, to, s->name);
        scan_next(s);
        if (s->tok != TOK_COMMA)
            return;
        scan_next(s);
    }
}

/* To the semicolon, or the parenthesis that closes a group. */
static void
skip_spec(struct scan *s)
{
    unsigned depth = 0;

    for (; s->tok != TOK_EOF; scan_next(s)) {
        if (s->tok == TOK_LPAREN || s->tok == TOK_LBRACK)
            depth++;
        else if (s->tok == TOK_RPAREN && depth == 0)
            return;
        else if (s->tok == TOK_RPAREN || s->tok == TOK_RBRACK)
            depth -= depth > 0;
        else if (s->tok == TOK_SEMI && depth == 0)
            return;
        else if (s->tok == TOK_LBRACE)
            skip_block(s);
    }
}

/* Behind type, var or const. */
static void
specs(struct portable *p, struct scan *s, struct rt_strmap *to)
{
    if (s->tok != TOK_LPAREN) {
        spec_names(p, s, to);
        skip_spec(s);
        return;
    }
    do {
        scan_next(s);
        spec_names(p, s, to);
        skip_spec(s);
    } while (s->tok == TOK_SEMI);
    scan_next(s);
}

/* Puts the names that the text declares into `to`; bodies: of functions, those
 * with a body. */
static bool
declarations(struct portable *p, const struct portable_text *t, bool bodies,
    struct rt_strmap *to)
{
    struct scan s;

    if (!begin(p, t, &s))
        return false;
    while (s.tok != TOK_EOF) {
        unsigned tok = s.tok;

        scan_next(&s);
        if (tok == TOK_FUNC) {
            const struct lang_name *name =
                s.tok == TOK_NAME ? s.name : NULL;
            bool body = skip_func(&s);
            if (name != NULL && (body || !bodies))
                declare(p, to, name);
        } else if (tok == TOK_TYPE || tok == TOK_VAR || tok == TOK_CONST) {
            specs(p, &s, to);
        }
    }
    return true;
}

/* ---- uses --------------------------------------------------------------------- */

/* Whether the text uses what is left out. */
static bool
misses(struct portable *p, const struct portable_text *t)
{
    const struct lang_name *name = NULL; /* the last token, where it counts */
    unsigned before = TOK_EOF;
    struct scan s;

    if (!begin(p, t, &s))
        return false;
    for (; s.tok != TOK_EOF; scan_next(&s)) {
        if (name != NULL && s.tok != TOK_COLON &&
            (s.tok == TOK_LPAREN || name->exported) &&
            rt_strmap_get(&p->left, name->text) != NULL &&
            rt_strmap_get(&p->kept, name->text) == NULL)
            return true;
        /* Behind a parenthesis it is a method that is declared. */
        name = s.tok == TOK_NAME && before != TOK_DOT &&
                before != TOK_FUNC && before != TOK_RPAREN
            ? s.name : NULL;
        before = s.tok;
    }
    return false;
}

bool
portable_is_whole(struct rt_arena *a, const struct portable_text *kept,
    unsigned nkept, const struct portable_text *left, unsigned nleft)
{
    struct portable p = {.a = a};
    bool whole = true;
    unsigned i;

    if (nleft == 0 || lang_names_init(&p.names, a) != 0)
        return true;
    lang_sources_init(&p.src);
    lang_diag_init(&p.diag, &p.src, 1);
    for (i = 0; i < nleft; i++)
        whole &= declarations(&p, &left[i], true, &p.left);
    for (i = 0; i < nkept; i++)
        whole &= declarations(&p, &kept[i], false, &p.kept);
    for (i = 0; i < nkept && whole; i++)
        whole = !misses(&p, &kept[i]);
    lang_diag_free(&p.diag);
    lang_sources_free(&p.src);
    lang_names_free(&p.names);
    return whole;
}
