/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_TEST_CMD_H
#define CMD_VOLE_TEST_CMD_H

/*
 * What the two halves of vole test share.  The command finds the packages and
 * starts a process for each, itself again, which makes the program of the
 * package's tests and becomes it.
 */

#include <stdbool.h>

/* The word behind "test" by which the command calls itself. */
#define TEST_CHILD "-in-child"

/* What the process writes to the descriptor that its parent listens on before
 * anything else happens: how far it has come. */
enum {
    TEST_SETUP = 's', /* something is wrong with the imports */
    TEST_BUILD = 'b', /* it does not compile */
    TEST_RUNS = 'r'   /* what follows is the program's */
};

/* The process of one package: argv is the descriptor, the folder, the import
 * path, and what is said of loading: -tags, -mod, -lang; behind "--" the
 * program's arguments.  Returns the exit status. */
int test_child(int argc, char **argv);

#endif
