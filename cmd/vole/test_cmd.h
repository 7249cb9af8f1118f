/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_TEST_CMD_H
#define CMD_VOLE_TEST_CMD_H

/*
 * What the two halves of vole test share.  The command finds the packages and
 * starts a process for each, itself again, which makes the program of the
 * package's tests and becomes it.
 */

#include <stdbool.h>

#include "cmd/common/args.h"
#include "cmd/vole/explore.h"
#include "runtime/vole.h"

/* The word behind "test" by which the command calls itself. */
#define TEST_CHILD "-in-child"

/* What the process writes to the descriptor that its parent listens on before
 * anything else happens: how far it has come. */
enum {
    TEST_SETUP = 's', /* something is wrong with the imports */
    TEST_BUILD = 'b', /* it does not compile */
    TEST_RUNS = 'r'   /* what follows is the program's */
};

/* What the command hands on to the process of a package, beside what the
 * program itself gets. */
struct test_child_flags {
    const char *tags, *mod, *lang, *jit;
    const char *again; /* the file that starts the process again, or NULL */
    const char *image; /* where the program is kept for that, or NULL */
    bool race;
    const char *covermode, *coverpkg, *coverin; /* as vole_options' */
    struct explore_flags explore;
};

extern const struct arg_flag test_child_flags[];

/* The descriptor of a process that nobody listens to: a test has started it,
 * and it stays in the folder where that was. */
#define TEST_ALONE "-"

/* The process of one package: argv is the descriptor, the folder, the import
 * path and such flags; behind "--" the program's arguments.  Returns the exit
 * status. */
int test_child(int argc, char **argv);

/* What is explored of the package: each function that its flag -run chooses,
 * by itself. */
struct test_explore {
    struct vole *v; /* opened with args, which may be changed until it runs */
    const char **args; /* of the program, NULL behind them; -test.run is one of
                          them */
    const char *path;  /* the package's */
    const struct test_child_flags *flags;
};

/* Has -test.run among the n arguments, which have room for one more; their
 * number then. */
unsigned test_explore_args(const char **args, unsigned n);
/* Returns the exit status. */
int test_explore(const struct test_explore *x);

#endif
