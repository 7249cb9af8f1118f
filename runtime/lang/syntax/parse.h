/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_PARSE_H
#define RUNTIME_LANG_SYNTAX_PARSE_H

/*
 * From a source text to a syntax tree.  Errors go to the diag in the wording
 * of Go's compiler; the parser recovers at statements and declarations and
 * gives up when the diag is full.
 *
 * Threads: none; a context belongs to one compilation.
 */

#include "runtime/lang/syntax/ast.h"
#include "runtime/lang/syntax/diag.h"
#include "runtime/lang/syntax/name.h"
#include "runtime/lang/syntax/source.h"

struct rt_arena;

/* What all files of one compilation share. */
struct parse_ctx {
    struct rt_arena *arena;    /* nodes, names, strings */
    struct lang_sources *src;
    struct lang_names *names;
    struct lang_diag *diag;
    /* Set by parse_use_stack(). */
    uint32_t max_depth;      /* of a tree; 0: PARSE_SHALLOW */
    const char *stack_floor; /* recursion ends here; NULL: nobody looks */
};

/* Levels that fit any stack. */
enum { PARSE_SHALLOW = 2500 };

enum {
    /* Leave the bodies of top-level functions unparsed; only brackets are
     * matched there.  Meant for library sources, which are known to be
     * right: errors inside a body show when parse_func_body() runs.  The
     * elements of long literals that do no more than name values are left
     * for parse_literal() then. */
    PARSE_LAZY_BODIES = 1 << 0,
    /* Stop after the import declarations. */
    PARSE_IMPORTS_ONLY = 1 << 1
};

/* Tells that what is compiled in this context is compiled where that many
 * bytes of C stack are free below the caller. */
void parse_use_stack(struct parse_ctx *c, size_t bytes);

/* Is the caller, which recurses, at the end of the stack that it may use? */
static inline int
parse_stack_used(const struct parse_ctx *c)
{
    return (const char *)__builtin_frame_address(0) < c->stack_floor;
}

/*
 * Parses file f.  Returns RT_OK and a tree in *out also when syntax errors
 * were reported (ask lang_diag_syntax()); the tree is then good for nothing
 * but a dump.  RT_ENOMEM otherwise.
 */
enum rt_status parse_file(struct parse_ctx *c, struct lang_file *f,
    unsigned flags, struct ast_file **out);

/*
 * Parses the body of a function that PARSE_LAZY_BODIES skipped and sets
 * func->body, func->lazy = 0.  Does nothing if it is there already.
 */
enum rt_status parse_func_body(struct parse_ctx *c, struct ast_func *func);

/* Parses the elements of a COMPOSITE that were skipped; does nothing if they
 * are there. */
enum rt_status parse_literal(struct parse_ctx *c, struct ast_expr *e);

/* Parses one expression from text, for tests. */
enum rt_status parse_expr_text(struct parse_ctx *c, struct lang_file *f,
    struct ast_expr **out);

#endif
