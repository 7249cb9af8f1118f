/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_AST_VALID_H
#define RUNTIME_LANG_SYNTAX_AST_VALID_H

/*
 * Whether a tree keeps the promises of ast.h.  For assertions in builds with
 * all checks: they look at each node, recurse as deep as the tree, and hold
 * only for what was parsed without an error and has not been checked yet.
 */

#include <stdbool.h>

#include "runtime/lang/syntax/ast.h"

/* A file; bodies that were skipped need not be there. */
bool ast_file_valid(const struct ast_file *f);

/* The body of a function, whose signature may have been checked. */
bool ast_body_valid(const struct ast_func *f);

#endif
