/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_TEST_AGAIN_H
#define CMD_VOLE_TEST_AGAIN_H

/*
 * The file that stands for the program of a package's tests, for tests that
 * execute it.
 */

#include <limits.h>
#include <stdbool.h>

struct test_again {
    char *dir;  /* temporary; NULL: there is none */
    char *file; /* of the current package, or NULL */
    char self[PATH_MAX];
};

/* Makes the folder; *a is zero.  False: there can be none. */
bool test_again_begin(struct test_again *a);

/* Makes the file of the package with that path, which starts vole with these
 * words, up to NULL, the flag -again for itself, "--", and its own arguments;
 * false: it cannot. */
bool test_again_make(
    struct test_again *a, const char *path, const char *const *words);

/* A variable of the environment; in the process that such a file has started
 * what was set where the file was made, of settings by which the program is
 * found and compiled.  NULL: it is not set. */
const char *test_again_variable(const char *name);

/* Takes what was handed on out of the environment, before the program sees it.
 * What test_again_variable() has returned stays valid. */
void test_again_forget(void);

/* Removes the file. */
void test_again_drop(struct test_again *a);

/* Removes all. */
void test_again_end(struct test_again *a);

#endif
