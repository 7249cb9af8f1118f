/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_TIDY_INT_H
#define RUNTIME_LANG_LOAD_TIDY_INT_H

#include "runtime/base/strmap.h"
#include "runtime/lang/load/list.h"
#include "runtime/lang/load/mvs.h"
#include "runtime/lang/load/query.h"
#include "runtime/lang/load/tidy.h"

struct tidy_package {
    const char *path;
    struct module_version mod; /* that has it; no path: of the library, or
                                  nobody has it; no version: the main module */
    const char *dir;
    struct tidy_package *test, *test_of; /* tests are packages of their own */
    struct tidy_package **imports;
    unsigned nimports;
    struct module_version *others; /* that could have had it, by their path */
    unsigned nothers;
    const struct list_package *files;
    const char *error;         /* or NULL */
    bool missing;              /* the error is that no module has it */
    bool in_all, loaded;       /* imports were */
    struct tidy_package *from; /* on the shortest way from the main module */
    bool met;
};

/* What a go.mod requires, sorted; "go" is among it, "toolchain" may be. */
struct tidy_roots {
    struct module_version *at;
    unsigned n;
    bool pruned;
    struct mvs_graph *graph; /* NULL: not asked for yet */
};

struct tidy {
    struct graph *g;
    struct rt_arena *a;
    struct modset *mods;
    struct query query;
    const struct tidy_options *o;
    struct list files;      /* reads folders */
    struct mvs *mvs;
    struct tidy_roots *roots;
    struct rt_strmap direct; /* paths of modules that the main module's
                                packages import from */
    struct rt_strmap modules; /* path@version: struct modset_module */
    struct rt_strmap folders; /* files of a folder */
    struct rt_strmap bypath;
    struct tidy_package **pkg; /* breadth first */
    unsigned npkg, cap;
    struct tidy_package **queue;
    unsigned nqueue, queuecap, head, nroot;
    struct tidy_package **all; /* came into it after they were loaded */
    unsigned nall, allcap;
    bool close_over_tests; /* as before Go 1.16 */
    bool failed;
    struct rt_err *err;
};

/* ---- tidy_load.c: packages ---- */

/* Loads all packages that count, by t->roots. */
enum rt_status tidy_load(struct tidy *t);

/* Finds the module that has a package among the roots, or else among all that
 * they need; p->mod, dir, others, error and missing say which. */
void tidy_resolve(struct tidy *t, struct tidy_roots *r,
    struct tidy_package *p, bool whole);

/* Finds a module that could be required because it has the package; false:
 * p->error says why there is none. */
bool tidy_find_missing(struct tidy *t, struct tidy_package *p,
    struct module_version *out);

/* The ways from the main module to p: "m imports\n\tp". */
const char *tidy_way(struct tidy *t, const struct tidy_package *p);

/* Is it of a module that go.mod must require? */
bool tidy_is_external(const struct tidy_package *p);

/* ---- tidy_roots.c: requirements ---- */

struct tidy_roots *tidy_new_roots(
    struct tidy *t, const struct module_version *at, unsigned n, bool pruned);

/* The version that is required of a module; NULL: none. */
const char *tidy_root(const struct tidy_roots *r, const char *path);

/* What they need.  NULL: t->err says what is not there. */
struct mvs_graph *tidy_graph(struct tidy *t, struct tidy_roots *r);

/* The fewest that keep what the packages need; NULL: t->err. */
struct tidy_roots *tidy_minimal(struct tidy *t);

/* t->roots and what else packages and `add` need, each of the version that is
 * selected; NULL: t->err. */
struct tidy_roots *tidy_update(struct tidy *t, bool packages,
    const struct module_version *add, unsigned n);

/* The same modules' versions, for a go.mod of another kind. */
struct tidy_roots *tidy_convert(struct tidy *t, bool pruned);

bool tidy_same_roots(const struct tidy_roots *x, const struct tidy_roots *y);

/* Whether they are as this header says. */
bool tidy_roots_valid(const struct tidy_roots *r);

#endif
