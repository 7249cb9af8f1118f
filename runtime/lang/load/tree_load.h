/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_TREE_LOAD_H
#define RUNTIME_LANG_LOAD_TREE_LOAD_H

/*
 * Packages of a tree of Go's sources as parsed files, with vole's patches laid
 * over them.  The tree is looked for when the first package is asked for, so
 * that programs which need none do not pay for the search.
 */

#include "runtime/lang/load/paths.h"
#include "runtime/lang/load/program.h"
#include "runtime/lang/load/tree.h"
#include "runtime/lang/syntax/parse.h"

struct tree_load {
    const char *(*env)(const char *name); /* NULL: nothing is set */
    const struct program_library *patches; /* as packages "tree/<path>" */
    unsigned wanted;   /* as in struct tree_places; before the first question */
    struct tree *tree; /* NULL: not looked for yet, or none */
    bool looked;
    struct paths_list used; /* packages that were taken from it */
    struct rt_err why; /* there is none */
};

/*
 * Whether a package is taken from the tree though vole has one: the
 * environment asks for that (VOLETREE, a list of paths by ','), or there is a
 * tree, whose package does more.
 */
bool tree_load_prefers(struct tree_load *l, const char *path);

/* Whether the tree has a package; else RT_EUNSUP with a text, as below. */
enum rt_status tree_load_has(
    struct tree_load *l, const char *path, struct rt_err *err);

/*
 * Parses a package of the tree without the bodies of its functions, and its
 * patch, which is all where the tree is too old to have the package and the
 * patch has files for such a tree.  *files is in the arena.  RT_EUNSUP with a text where there is no
 * tree or the tree has no such package; RT_EIO, RT_ENOMEM.
 */
enum rt_status tree_load_package(struct tree_load *l, struct parse_ctx *parse,
    const char *path, struct ast_file ***files, uint32_t *nfiles,
    struct rt_err *err);

/*
 * What the tree and the patch have of a package besides the files of vole's
 * own form of it, which count as another patch.  No files where vole's form is
 * all that there is to be, or there is no tree.
 */
enum rt_status tree_load_more(struct tree_load *l, struct parse_ctx *parse,
    const char *path, struct ast_file **own, uint32_t nown,
    struct ast_file ***files, uint32_t *nfiles, struct rt_err *err);

/*
 * Lays the patch of a package over files of it that somebody else has parsed,
 * of release 1.minor.  Where there is a patch *files becomes a longer list, in
 * the arena.
 */
enum rt_status tree_load_patch(struct tree_load *l, struct parse_ctx *parse,
    const char *path, unsigned minor, struct ast_file ***files,
    uint32_t *nfiles, struct rt_err *err);

/* Is there a patch for a module's package?  It is named as one for the tree
 * would be. */
bool tree_load_patches(const struct tree_load *l, const char *path);

/* Parses it, in full; no files where there is none. */
enum rt_status tree_load_module_patch(struct tree_load *l, struct parse_ctx *parse,
    const char *path, struct ast_file ***files, uint32_t *nfiles,
    struct rt_err *err);

void tree_load_free(struct tree_load *l);

/*
 * Lays a patch over a package: whatever package-level name or method a file of
 * the patch declares is no longer declared by the files of the package.  Their
 * other declarations stay, and so do init functions.
 */
void tree_patch(struct parse_ctx *parse, struct ast_file **files, uint32_t n,
    struct ast_file **patch, uint32_t npatch);

#endif
