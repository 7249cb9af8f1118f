/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_AST_KIDS_H
#define RUNTIME_LANG_SYNTAX_AST_KIDS_H

/*
 * What is directly below a node of the tree: the one place that knows it, for
 * all passes that look at every node or copy it.
 *
 * Only what is evaluated counts: the parts of a type, the type of a composite
 * literal and that of an assertion are not given, and where a type stands in
 * for an operand, as in a conversion, it is given as a whole.  The body of a
 * function literal is not below the literal; a pass that wants it goes there
 * by itself.
 *
 * Slots are given, not nodes, so that a pass may replace what is there.
 */

#include "runtime/lang/syntax/ast.h"

enum {
    AST_KIDS_EXPRS = 4,
    AST_PARTS_EXPRS = 3,
    AST_PARTS_STMTS = 3
};

/*
 * Below an expression.  at[0] is where a left spine goes on: a pass that
 * recurses into the rest and loops along at[0] takes no C stack for one (see
 * ast.h).  None of the slots is empty.
 */
struct ast_kids {
    struct ast_expr **at[AST_KIDS_EXPRS];
    uint32_t n;
    struct ast_exprs *list; /* arguments, elements; NULL for none */
};

void ast_kids_of(struct ast_expr *e, struct ast_kids *k);

/*
 * Below a statement.  In the order in which control meets them: init
 * statements, expressions, lists, bodies, other statements.  The `else` of
 * an if is the last of stmt: walk chains in a loop (see ast.h).
 */
struct ast_parts {
    struct ast_stmt **init;                   /* NULL for none */
    struct ast_expr **expr[AST_PARTS_EXPRS];  /* none is empty */
    uint32_t nexpr;
    struct ast_exprs *list[2];
    uint32_t nlist;
    struct ast_block **block;                 /* NULL for none */
    struct ast_case ***cases;                 /* set where ncase is not 0 */
    uint32_t ncase;
    struct ast_comm ***comms;                 /* likewise */
    uint32_t ncomm;
    struct ast_stmt **stmt[AST_PARTS_STMTS];  /* none is empty */
    uint32_t nstmt;
    struct ast_decls *decls;                  /* NULL for none */
};

void ast_parts_of(struct ast_stmt *s, struct ast_parts *p);

/* The bytes of a node: what a copy of it takes. */
size_t ast_expr_size(const struct ast_expr *e);
size_t ast_stmt_size(const struct ast_stmt *s);

#endif
