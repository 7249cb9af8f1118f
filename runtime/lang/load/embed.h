/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_EMBED_H
#define RUNTIME_LANG_LOAD_EMBED_H

/*
 * //go:embed: from the patterns before a variable to files and their bytes.
 */

#include "runtime/lang/load/paths.h"
#include "runtime/lang/syntax/ast.h"
#include "runtime/lang/syntax/diag.h"

/*
 * Sets var.embed of all variables of a file in the folder dir that have the
 * comment, if it imports "embed": without, the checker reports them.  What is
 * wrong with a comment goes to diag.  False: *where and *why say, in Go's
 * words, which pattern has no files.
 */
bool embed_files(struct rt_arena *a, const char *dir, struct ast_file *f,
    struct lang_diag *diag, lang_pos *where, const char **why);

/* Adds the files in the folder dir, as they are seen from there, that one
 * pattern takes; the words that say what is wrong, or NULL. */
const char *embed_pattern(struct rt_arena *a, const char *dir,
    const char *pattern, struct paths_list *out);

#endif
