/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_PROGRAM_INT_H
#define RUNTIME_LANG_LOAD_PROGRAM_INT_H

/* A program that is being loaded, for the files program*.c alone. */

#include <stdnoreturn.h>

#include "runtime/base/arena.h"
#include "runtime/base/compiler.h"
#include "runtime/lang/gen/gen.h"
#include "runtime/lang/load/cache.h"
#include "runtime/lang/load/graph.h"
#include "runtime/lang/load/own_image.h"
#include "runtime/lang/load/program.h"
#include "runtime/lang/load/shelf.h"
#include "runtime/lang/load/tree_load.h"
#include "runtime/lang/load/tree_stock.h"
#include "runtime/lang/syntax/parse.h"
#include "runtime/lang/types/check.h"

/* Bytes of C stack without which nothing is read. */
enum { PROGRAM_LEAST_STACK = (RT_ASAN || RT_TSAN ? 16 : 4) << 20 };

struct program {
    struct rt_arena front; /* tree, types: gone after program_trim() */
    struct rt_arena back;  /* the image */
    struct lang_sources src;
    struct lang_names names;
    struct lang_diag diag; /* of what is in no package of the graph */
    struct parse_ctx parse;
    struct graph graph;
    const struct program_library *library; /* const after init; or NULL */
    bool race;             /* const after init: what runs is watched */
    struct tree_load tree;
    struct entry_folder kept; /* what is kept for the next time: */
    struct cache cache;       /* the image of this program, */
    struct shelf shelf;       /* code of the tree's packages */
    struct own_image own; /* what the caller keeps: this very program, */
    bool keeps_own;       /* before it runs; const after init */
    struct tree_stock installed; /* more of it, from the build */
    const uint32_t *stocks[1 + SHELF_MOST]; /* all of these that there are */
    bool shares_code; /* const after init: others' code is as good as new */
    const char *godebug; /* in front, or own; NULL: not loaded */
    const char *buildinfo; /* likewise */
    struct check_host host;
    struct check *check;
    struct check_pkg *pkg;         /* of the program, or NULL */
    struct graph_package *program; /* the same */
    struct gen_options gen;
    size_t stack; /* that the tree was made for */
    const struct code_image *image; /* in back, or in the cache, or own */
    bool trimmed;
    bool os_loaded;  /* package os; then the next is settled: */
    bool os_of_tree; /* it is the tree's, whole */
};

/* The parameters of program_load() and program_image(), and what they return:
 * both work where there is stack enough for a source of the greatest depth. */
struct job {
    struct program *p;
    const char *const *paths;
    unsigned npaths;
    const struct program_options *opt; /* or NULL */
    struct rt_err *err;
    enum rt_status st;
};

/* program.c: the empty program that job->p is, and the modules around it, with
 * whether that worked in job->st. */
enum rt_status program_init(struct program *p,
    const struct program_options *opt, struct rt_err *err);
void program_open_graph(struct job *j);

/* For p->front.nomem, where the argument is a jmp_buf: the checker has no way
 * to go on without memory, and all that it holds is in the arena. */
noreturn void program_escape(void *arg);

/* program_import.c: the library as p->host, and as those who resolve imports
 * ask for it.  Both hold p. */
void program_import_init(struct program *p, bool called);
struct resolve_std program_std(struct program *p);

/* Are the library's packages those that a program has which says nothing about
 * them?  After all are loaded. */
bool program_is_usual(struct program *p);

/* Does the program name packages for which a tree has to be read? */
bool program_needs_tree(struct program *p);

#endif
