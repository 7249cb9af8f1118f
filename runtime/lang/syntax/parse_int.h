/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_PARSE_INT_H
#define RUNTIME_LANG_SYNTAX_PARSE_INT_H

/*
 * What the parts of the parser share: parse.c (files, errors, lists),
 * parse_decl.c, parse_type.c, parse_params.c, parse_expr.c, parse_stmt.c,
 * branches.c, directive.c.  A
 * recursive descent parser with one token of look-ahead; where Go's grammar
 * needs more, an expression is parsed and looked at afterwards.
 *
 * Depth.  `depth` counts the nodes on the path from the root to the node
 * under construction, as far as it is known top-down; `height` is the height
 * of the highest subtree finished since it was last set to 0.  Their sum at a
 * node bounds the length of each path through it; both are kept below
 * what the context allows.
 *
 * Out of memory.  Node allocators then hand out a spare node, set nomem and
 * stop the scan; other allocations give NULL, which lists treat as empty.
 * The tree is thrown away.
 */

#include "runtime/lang/syntax/ast.h"
#include "runtime/lang/syntax/diag.h"
#include "runtime/lang/syntax/parse.h"
#include "runtime/lang/syntax/scan.h"

struct parser {
    struct scan s;
    struct parse_ctx *c;
    struct ast_file *file;
    unsigned flags;
    uint32_t first_msg; /* messages that were there before, and those that
                           are not about the syntax of this file */
    uint32_t fnest;     /* function bodies around the current token */
    int xnest;          /* < 0: in a control clause, where `name {` is no
                           composite literal; each bracket adds one */
    uint32_t depth;
    uint32_t height;
    uint8_t nomem;
    void (*escape)(void *arg); /* the arena's nomem, unset meanwhile: it
                                  would leave tmp behind */
    uint8_t giving_up;  /* the scan was stopped on purpose */
    uint8_t lazy;       /* long literals are left for later */
    /* Lists under construction: a stack of pointers. */
    void **tmp;
    uint32_t ntmp;
    uint32_t tmp_cap;
    /* Stand in for nodes that there was no memory for. */
    struct ast_expr spare_expr;
    struct ast_stmt spare_stmt;
    struct ast_decl spare_decl;
    struct ast_field spare_field;
    struct ast_signature spare_sig;
};

/* Ends a list of tokens given to parse_advance(). */
#define UNTIL(...) ((const uint8_t[]){__VA_ARGS__, TOK_NONE})

static inline lang_pos
parse_pos(const struct parser *p)
{
    return p->s.file->base + p->s.off;
}

static inline int
at(const struct parser *p, enum lang_tok tok)
{
    return p->s.tok == tok;
}

static inline void
next(struct parser *p)
{
    scan_next(&p->s);
}

static inline int
got(struct parser *p, enum lang_tok tok)
{
    if (p->s.tok != tok)
        return 0;
    scan_next(&p->s);
    return 1;
}

/* Errors (parse.c). */

/*
 * Reports "syntax error: unexpected TOKEN" and msg at the current token.  msg
 * begins with "in ", "at ", "after " or "expected "; any other msg stands
 * alone.  Nothing is reported at the end of the text after another error.
 */
void parse_error(struct parser *p, const char *msg);
void parse_error_at(struct parser *p, lang_pos pos, const char *msg);

/* As these two with a text of its own, without "syntax error: ". */
void parse_plain_error_at(struct parser *p, lang_pos pos, const char *msg);

/* Errors of scanner and parser in this file so far. */
static inline uint32_t
parse_nerrors(const struct parser *p)
{
    return p->c->diag->nmsg - p->first_msg;
}

/* Skips tokens up to one of the list, or, inside a function, up to a keyword
 * that begins a statement.  NULL skips exactly one token. */
void parse_advance(struct parser *p, const uint8_t *follow);

/* Reports that tok was expected. */
void parse_expected(struct parser *p, enum lang_tok tok);

/* Takes tok, or reports that it was expected and skips a token. */
void parse_want(struct parser *p, enum lang_tok tok);

/* How messages name a token: "comma", "semicolon or newline", "{". */
const char *parse_tok_string(enum lang_tok tok);

/*
 * One level deeper.  Returns 0 after an error if that is too deep; then the
 * caller returns without parse_leave().  Saved is what parse_leave() needs.
 */
int parse_enter(struct parser *p, uint32_t *saved);
void parse_leave(struct parser *p, uint32_t saved);

/* The tree so far is under one more node; 0 after an error if too deep. */
int parse_grow(struct parser *p);

/* Nodes and lists (parse.c). */

/* A zeroed piece of the arena, or NULL. */
void *parse_alloc(struct parser *p, size_t size);

/* Size of a node with union member m. */
#define EXPR_SIZE(m)                                                          \
    (offsetof(struct ast_expr, m) + sizeof(((struct ast_expr *)0)->m))
#define STMT_SIZE(m)                                                          \
    (offsetof(struct ast_stmt, m) + sizeof(((struct ast_stmt *)0)->m))

/* A node with the given kind, position and size; never NULL: without memory
 * it is a spare one of full size, and the scan stops. */
struct ast_expr *parse_expr_node(struct parser *p, enum ast_expr_kind kind,
    lang_pos pos, size_t size);
struct ast_stmt *parse_stmt_node(struct parser *p, enum ast_stmt_kind kind,
    lang_pos pos, size_t size);
struct ast_expr *parse_bad_expr(struct parser *p);

/* Pushes a pointer to the list under construction; a list is what was pushed
 * since mark = p->ntmp.  parse_list_end() moves it to the arena and returns
 * it (NULL if empty), with the count in *n. */
void parse_push(struct parser *p, void *item);
void *parse_list_end(struct parser *p, uint32_t mark, uint32_t *n);

/*
 * { item sep } close, sep being optional before close.  item returns 1 to say
 * that no further one may follow.  Context is for the message.  Returns the
 * position of close.
 */
typedef int (*parse_item_fn)(struct parser *p, void *arg);
lang_pos parse_list(struct parser *p, const char *context, enum lang_tok sep,
    enum lang_tok close, parse_item_fn item, void *arg);

/* Grammar. */

/* parse.c */
struct ast_ident parse_ident(struct parser *p);
/* The identifiers of a list whose first one is given. */
struct ast_ident *parse_ident_list(struct parser *p, struct ast_ident first,
    uint32_t *n);
/* `=`; also `:=` with a complaint. */
int parse_got_assign(struct parser *p);

/* parse_decl.c; the keyword is current. */
/* Pushes the declarations behind import, const, type or var. */
void parse_decls(struct parser *p);
/* Pushes a function or method. */
void parse_func_decl(struct parser *p);
/* The declarations behind const, type or var. */
struct ast_decls parse_decl_group(struct parser *p);

/* directive.c */
/* Reports the directives since the last declaration: they belong to none. */
void parse_unused_directives(struct parser *p);
/* Takes them for a declaration of that kind, or (DECL_BAD) the file; those that
 * it cannot have become misplaced ones of the file. */
const struct ast_directive *parse_take_directives(
    struct parser *p, enum ast_decl_kind before);

/* parse_expr.c */
struct ast_expr *parse_expr(struct parser *p);
void parse_elements(struct parser *p, struct ast_expr *e);
struct ast_exprs parse_expr_list(struct parser *p);
struct ast_expr *parse_name_expr(struct parser *p);
struct ast_expr *parse_ident_expr(struct parser *p, struct ast_ident id);
struct ast_expr *parse_literal_or_null(struct parser *p);
/* Operand x and what follows it; x NULL = parse the operand too. */
struct ast_expr *parse_primary(struct parser *p, struct ast_expr *x);
/* The binary expression that begins with x (NULL = parse it too), of
 * operators that bind tighter than prec. */
struct ast_expr *parse_binary(struct parser *p, struct ast_expr *x, int prec);
/* x, or x and types behind commas; *comma tells whether there was one.  With
 * strict the first one is a type too. */
struct ast_exprs parse_type_list(struct parser *p, int strict, int *comma);

/* parse_type.c */
struct ast_expr *parse_type(struct parser *p);
struct ast_expr *parse_type_or_null(struct parser *p);
struct ast_expr *parse_array_type(struct parser *p, lang_pos pos,
    struct ast_expr *len);
struct ast_expr *parse_slice_type(struct parser *p, lang_pos pos);
/* `name [` ...: type arguments of name, or an array or slice type.  Returns
 * an EXPR_INDEX without x, or the type. */
struct ast_expr *parse_array_or_targs(struct parser *p);
/* A union, whose first term may be there already (else NULL). */
struct ast_expr *parse_embedded_elem(struct parser *p, struct ast_expr *t);
struct ast_field *parse_field_node(struct parser *p, lang_pos pos);
/* name, pkg.name, either with type arguments; x NULL = not parsed yet. */
struct ast_expr *parse_qualified_name(struct parser *p, struct ast_expr *x);

/* parse_params.c */
/* [TypeParams] (Params) Results.  Context, if not NULL, says what must not
 * have type parameters. */
struct ast_signature *parse_signature(struct parser *p, lang_pos pos,
    const char *context);
enum params_kind {
    PARAMS_IN,    /* (...) of a function */
    PARAMS_OUT,   /* results, receiver */
    PARAMS_TYPES, /* [...] type parameters: names are compulsory */
    PARAMS_ARGS   /* [...] that may be type parameters or arguments */
};

/* The parameters up to and with the closing bracket; the opening one was
 * taken.  name and type, if not NULL, are the beginning of the first one. */
struct ast_fields parse_params(struct parser *p, struct ast_expr *name,
    struct ast_expr *type, enum params_kind kind);

/* branches.c */
/* Finds the targets of the branches in a body, and reports those that have
 * none and labels that nobody uses. */
void parse_branches(struct parser *p, struct ast_block *body);

/* parse_stmt.c */
struct ast_block *parse_block(struct parser *p, const char *context);
struct ast_block *parse_body(struct parser *p);

#endif
