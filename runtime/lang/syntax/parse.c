/* SPDX-License-Identifier: MIT */
/* Files, and what all parts of the parser use: errors, nodes, lists, names. */
#include "runtime/lang/syntax/parse.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/throw.h"
#include "runtime/lang/syntax/ast_valid.h"
#include "runtime/lang/syntax/parse_int.h"
#include "runtime/lang/syntax/scan_int.h"

/* Errors. */

static void
stop(struct parser *p)
{
    p->giving_up = 1;
    scan_stop(&p->s);
    p->s.tok = TOK_EOF;
}

static void
out_of_memory(struct parser *p)
{
    p->nomem = 1;
    stop(p);
}

const char *
parse_tok_string(enum lang_tok tok)
{
    if (tok == TOK_COMMA)
        return "comma";
    if (tok == TOK_SEMI)
        return "semicolon or newline";
    return lang_tok_text(tok);
}

static int
has_prefix(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static int
any_error(const struct parser *p)
{
    return p->giving_up || parse_nerrors(p) != 0;
}

/* How messages describe the current token, in three pieces. */
struct tok_words {
    const char *before;
    const char *text;
    int len;
    const char *after;
};

static struct tok_words
describe(const struct parser *p)
{
    struct tok_words w = {"", "", 0, ""};
    enum lang_tok tok = p->s.tok;

    switch (tok) {
    case TOK_NAME:
        w.before = "name ";
        w.text = p->s.name->text;
        break;
    case TOK_SEMI:
        w.text = p->s.semi;
        break;
    case TOK_LITERAL:
        w.before = "literal ";
        w.text = (const char *)p->s.text + p->s.off;
        w.len = (int)(p->s.p - p->s.text - p->s.off);
        return w;
    case TOK_ASSIGN_OP:
        w.text = lang_tok_text(p->s.op);
        w.after = "=";
        break;
    case TOK_INC_OP:
        w.text = w.after = lang_tok_text(p->s.op);
        break;
    default:
        if (tok >= TOK_BREAK)
            w.before = "keyword ";
        w.text = parse_tok_string(tok);
    }
    w.len = (int)strlen(w.text);
    return w;
}

static void
after_error(struct parser *p)
{
    if (lang_diag_full(p->c->diag))
        stop(p);
}

void
parse_error_at(struct parser *p, lang_pos pos, const char *msg)
{
    struct tok_words w;
    const char *join = " ";

    if (at(p, TOK_EOF) && any_error(p))
        return;
    if (has_prefix(msg, "expected "))
        join = ", ";
    else if (!has_prefix(msg, "in ") && !has_prefix(msg, "at ") &&
             !has_prefix(msg, "after ")) {
        lang_syntax_errf(p->c->diag, pos, "syntax error: %s", msg);
        after_error(p);
        return;
    }
    w = describe(p);
    lang_syntax_errf(p->c->diag, pos, "syntax error: unexpected %s%.*s%s%s%s",
        w.before, w.len, w.text, w.after, join, msg);
    after_error(p);
}

void
parse_error(struct parser *p, const char *msg)
{
    parse_error_at(p, parse_pos(p), msg);
}

void
parse_plain_error_at(struct parser *p, lang_pos pos, const char *msg)
{
    if (p->giving_up)
        return;
    lang_errf(p->c->diag, pos, "%s", msg);
    after_error(p);
}

static int
begins_statement(enum lang_tok tok)
{
    switch (tok) {
    case TOK_BREAK:
    case TOK_CONST:
    case TOK_CONTINUE:
    case TOK_DEFER:
    case TOK_FALLTHROUGH:
    case TOK_FOR:
    case TOK_GO:
    case TOK_GOTO:
    case TOK_IF:
    case TOK_RETURN:
    case TOK_SELECT:
    case TOK_SWITCH:
    case TOK_TYPE:
    case TOK_VAR:
        return 1;
    default:
        return 0;
    }
}

void
parse_advance(struct parser *p, const uint8_t *follow)
{
    if (follow == NULL) {
        if (!at(p, TOK_EOF))
            next(p);
        return;
    }
    while (!at(p, TOK_EOF) && !(p->fnest > 0 && begins_statement(p->s.tok)) &&
           strchr((const char *)follow, p->s.tok) == NULL)
        next(p);
}

void
parse_expected(struct parser *p, enum lang_tok tok)
{
    char msg[64] = "expected ";

    if (tok >= TOK_BREAK)
        strcat(msg, "keyword ");
    strcat(msg, parse_tok_string(tok));
    parse_error(p, msg);
}

void
parse_want(struct parser *p, enum lang_tok tok)
{
    if (got(p, tok))
        return;
    parse_expected(p, tok);
    parse_advance(p, NULL);
}

void
parse_use_stack(struct parse_ctx *c, size_t bytes)
{
    const char *here = __builtin_frame_address(0);
    size_t levels = bytes / AST_LEVEL_BYTES;

    c->max_depth = levels < UINT32_MAX / 4 ? (uint32_t)levels : UINT32_MAX / 4;
    /* The rest is for passes that are not as deep as the one that looks. */
    c->stack_floor = here - bytes / 8 * 7;
}

static uint32_t
max_depth(const struct parser *p)
{
    return p->c->max_depth != 0 ? p->c->max_depth : PARSE_SHALLOW;
}

static int
too_deep(struct parser *p)
{
    if (!p->giving_up) {
        lang_syntax_errf(p->c->diag, parse_pos(p),
            "syntax error: exceeded max nesting depth");
        stop(p);
    }
    return 0;
}

int
parse_enter(struct parser *p, uint32_t *saved)
{
    if (p->depth >= max_depth(p) || parse_stack_used(p->c))
        return too_deep(p);
    p->depth++;
    *saved = p->height;
    p->height = 0;
    return 1;
}

void
parse_leave(struct parser *p, uint32_t saved)
{
    p->depth--;
    p->height++;
    if (p->height < saved)
        p->height = saved;
}

int
parse_grow(struct parser *p)
{
    p->height++;
    if (p->depth + p->height > max_depth(p))
        return too_deep(p);
    return 1;
}

/* Nodes and lists. */

void *
parse_alloc(struct parser *p, size_t size)
{
    void *m = rt_arena_alloc(p->c->arena, size);

    if (m == NULL)
        out_of_memory(p);
    return m;
}

struct ast_expr *
parse_expr_node(
    struct parser *p, enum ast_expr_kind kind, lang_pos pos, size_t size)
{
    struct ast_expr *e = rt_arena_alloc(p->c->arena, size);

    if (e == NULL) {
        out_of_memory(p);
        return &p->spare_expr;
    }
    e->pos = pos;
    e->kind = (uint8_t)kind;
    return e;
}

struct ast_stmt *
parse_stmt_node(
    struct parser *p, enum ast_stmt_kind kind, lang_pos pos, size_t size)
{
    struct ast_stmt *s = rt_arena_alloc(p->c->arena, size);

    if (s == NULL) {
        out_of_memory(p);
        return &p->spare_stmt;
    }
    s->pos = pos;
    s->kind = (uint8_t)kind;
    return s;
}

struct ast_expr *
parse_bad_expr(struct parser *p)
{
    return parse_expr_node(
        p, EXPR_BAD, parse_pos(p), offsetof(struct ast_expr, name));
}

void
parse_push(struct parser *p, void *item)
{
    if (p->ntmp == p->tmp_cap) {
        uint32_t cap = p->tmp_cap == 0 ? 256 : p->tmp_cap * 2;
        void **tmp = realloc(p->tmp, cap * sizeof *tmp);

        if (tmp == NULL) {
            out_of_memory(p);
            return;
        }
        p->tmp = tmp;
        p->tmp_cap = cap;
    }
    p->tmp[p->ntmp++] = item;
}

void *
parse_list_end(struct parser *p, uint32_t mark, uint32_t *n)
{
    uint32_t count = p->ntmp - mark;
    void **list = NULL;

    if (count != 0)
        list = parse_alloc(p, count * sizeof *list);
    if (list != NULL)
        memcpy(list, p->tmp + mark, count * sizeof *list);
    p->ntmp = mark;
    *n = list == NULL ? 0 : count;
    return list;
}

/* Out of line, so that the text does not stand in every frame of the
 * recursion. */
static __attribute__((noinline)) void
list_error(struct parser *p, const char *context, enum lang_tok sep,
    enum lang_tok close)
{
    char msg[128];

    snprintf(msg, sizeof msg, "in %s; possibly missing %s or %s", context,
        parse_tok_string(sep), parse_tok_string(close));
    parse_error(p, msg);
    parse_advance(p, UNTIL(TOK_RPAREN, TOK_RBRACK, TOK_RBRACE));
}

lang_pos
parse_list(struct parser *p, const char *context, enum lang_tok sep,
    enum lang_tok close, parse_item_fn item, void *arg)
{
    lang_pos pos;
    int done = 0;

    while (!at(p, TOK_EOF) && !at(p, close) && !done) {
        done = item(p, arg);
        if (got(p, sep) || at(p, close))
            continue;
        list_error(p, context, sep, close);
        if (!at(p, close))
            return parse_pos(p);
    }
    pos = parse_pos(p);
    parse_want(p, close);
    return pos;
}

/* Identifiers and `=`. */

struct ast_ident
parse_ident(struct parser *p)
{
    struct ast_ident id = {p->c->names->blank, parse_pos(p)};

    if (at(p, TOK_NAME)) {
        id.name = p->s.name;
        next(p);
        return id;
    }
    parse_error(p, "expected name");
    parse_advance(p, NULL);
    return id;
}

struct ast_ident *
parse_ident_list(struct parser *p, struct ast_ident first, uint32_t *n)
{
    uint32_t cap = 1, count = 1;
    struct ast_ident *list = parse_alloc(p, sizeof *list);

    *n = 0;
    if (list == NULL)
        return NULL;
    list[0] = first;
    while (got(p, TOK_COMMA)) {
        if (count == cap) {
            struct ast_ident *more = parse_alloc(p, cap * 4 * sizeof *more);

            if (more == NULL)
                return NULL;
            memcpy(more, list, count * sizeof *list);
            list = more;
            cap *= 4;
        }
        list[count++] = parse_ident(p);
    }
    *n = count;
    return list;
}

int
parse_got_assign(struct parser *p)
{
    if (at(p, TOK_DEFINE))
        parse_error(p, "expected =");
    else if (!at(p, TOK_ASSIGN))
        return 0;
    next(p);
    return 1;
}

/* Files. */

#define DECL_KEYWORDS UNTIL(TOK_IMPORT, TOK_CONST, TOK_TYPE, TOK_VAR, TOK_FUNC)

/* Something else than a declaration at top level. */
static void
stray(struct parser *p, uint32_t mark)
{
    struct ast_decl *last = p->ntmp > mark ? p->tmp[p->ntmp - 1] : NULL;

    if (at(p, TOK_LBRACE) && last != NULL && last->kind == DECL_FUNC &&
        last->func.func.body == NULL && !last->func.func.lazy)
        parse_error(p, "unexpected semicolon or newline before {");
    else
        parse_error(p, "non-declaration statement outside function body");
    parse_advance(p, DECL_KEYWORDS);
}

static void
top_level(struct parser *p, uint32_t mark)
{
    enum lang_tok prev = TOK_IMPORT;

    while (!at(p, TOK_EOF)) {
        if (at(p, TOK_IMPORT) && prev != TOK_IMPORT)
            parse_error(p, "imports must appear before other declarations");
        prev = p->s.tok;
        if ((p->flags & PARSE_IMPORTS_ONLY) && prev != TOK_IMPORT)
            return;
        switch (prev) {
        case TOK_IMPORT:
        case TOK_CONST:
        case TOK_TYPE:
        case TOK_VAR:
            parse_decls(p);
            break;
        case TOK_FUNC:
            parse_func_decl(p);
            break;
        default:
            stray(p, mark);
            continue;
        }
        parse_unused_directives(p);
        if (!at(p, TOK_EOF) && !got(p, TOK_SEMI)) {
            parse_error(p, "after top level declaration");
            parse_advance(p, DECL_KEYWORDS);
        }
    }
}

static void
file(struct parser *p)
{
    struct ast_file *f = p->file;
    uint32_t mark = p->ntmp;

    next(p);
    f->dirs = parse_take_directives(p, DECL_BAD);
    if (!got(p, TOK_PACKAGE)) {
        parse_error(p, "package statement must be first");
        return;
    }
    f->package = parse_ident(p);
    parse_want(p, TOK_SEMI);
    if (any_error(p))
        return;
    top_level(p, mark);
    parse_unused_directives(p);
    f->decls.at = parse_list_end(p, mark, &f->decls.n);
    while (
        f->nimport < f->decls.n && f->decls.at[f->nimport]->kind == DECL_IMPORT)
        f->nimport++;
}

static void
init(struct parser *p, struct parse_ctx *c, struct lang_file *f)
{
    memset(p, 0, sizeof *p);
    scan_init(&p->s, f, c->diag, c->names, c->arena);
    p->c = c;
    p->first_msg = c->diag->nmsg;
    p->escape = c->arena->nomem;
    c->arena->nomem = NULL;
}

/* Nothing went wrong since there were that many messages. */
static inline bool
is_whole(const struct parser *p, uint32_t before)
{
    return p->c->diag->nmsg == before && !p->giving_up && !p->nomem &&
        !p->s.nomem;
}

static enum rt_status
finish(struct parser *p)
{
    int nomem = p->nomem || p->s.nomem;

    free(p->tmp);
    p->c->arena->nomem = p->escape;
    if (nomem)
        rt_arena_nomem(p->c->arena);
    return nomem ? RT_ENOMEM : RT_OK;
}

enum rt_status
parse_file(struct parse_ctx *c, struct lang_file *f, unsigned flags,
    struct ast_file **out)
{
    uint32_t before = c->diag->nmsg;
    struct parser p;

    init(&p, c, f);
    p.flags = flags;
    p.lazy = (flags & PARSE_LAZY_BODIES) != 0;
    p.file = parse_alloc(&p, sizeof *p.file);
    if (p.file == NULL)
        return finish(&p);
    p.file->src = f;
    file(&p);
    *out = p.file;
    rt_assert_full(!is_whole(&p, before) || ast_file_valid(p.file));
    return finish(&p);
}

enum rt_status
parse_func_body(struct parse_ctx *c, struct ast_func *func)
{
    uint32_t before = c->diag->nmsg;
    struct parser p;

    if (!func->lazy)
        return RT_OK;
    init(&p, c, func->file->src);
    p.file = func->file;
    p.flags = PARSE_LAZY_BODIES;
    p.s.p = p.s.text + (func->lbrace - p.s.file->base);
    next(&p);
    func->body = parse_body(&p);
    func->lazy = 0;
    rt_assert_full(!is_whole(&p, before) || ast_body_valid(func));
    return finish(&p);
}

enum rt_status
parse_literal(struct parse_ctx *c, struct ast_expr *e)
{
    struct parser p;

    if (!(e->flags & AST_F_LAZY))
        return RT_OK;
    init(&p, c, lang_pos_file(c->src, e->pos));
    p.s.p = p.s.text + (e->pos - p.s.file->base);
    next(&p);
    e->flags &= (uint8_t)~AST_F_LAZY;
    parse_elements(&p, e);
    return finish(&p);
}

enum rt_status
parse_expr_text(struct parse_ctx *c, struct lang_file *f, struct ast_expr **out)
{
    struct parser p;

    init(&p, c, f);
    next(&p);
    *out = parse_expr(&p);
    got(&p, TOK_SEMI);
    if (!at(&p, TOK_EOF))
        parse_error(&p, "after expression");
    return finish(&p);
}
