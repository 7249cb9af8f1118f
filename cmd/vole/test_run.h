/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_TEST_RUN_H
#define CMD_VOLE_TEST_RUN_H

/*
 * The middle of vole test: runs the tests of packages, each in a process of
 * its own, several at a time, and reports as `go test` does, in the order of
 * the packages; events of JSON, which name their package, come at once.
 */

#include <stdbool.h>
#include <stdint.h>

#include "cmd/vole/test_again.h"
#include "cmd/vole/test_cmd.h"
#include "cmd/vole/test_cover.h"
#include "cmd/vole/test_json.h"
#include "cmd/vole/test_proc.h"

/* A package.  It is announced when it is known how far its process came, or
 * that it needs none, and reported when all is said of it. */
struct test_package {
    char *path, *dir, *error;
    bool has_tests;
    bool started, announced, reported;
    struct test_proc proc;
    struct test_again again;
    struct test_json *json; /* its events while they come; NULL without -json */
    size_t shown;           /* bytes of the process's output */
};

struct test_runner {
    /* What is to be run, and how. */
    struct test_package *at;
    unsigned n, cap;
    unsigned most; /* processes at a time */
    const char *args[64]; /* of each program */
    unsigned nargs;
    char *const *more; /* further ones, nmore */
    int nmore;
    struct test_child_flags child;
    struct test_cover cover;
    bool covers;   /* coverage is measured */
    bool live;     /* what a package's tests print is shown at once */
    bool ends;     /* a process's exit status is always shown */
    bool json, failfast;

    /* How it went. */
    bool failed, nomem;
};

/* Another package, of which all is copied; error is what is wrong with it, or
 * NULL. */
void test_run_add(struct test_runner *r, const char *path, const char *dir,
    bool has_tests, const char *error);

/* Runs the tests of all packages; false, and it has said so: a process could
 * not be started. */
bool test_run(struct test_runner *r);

/* Frees what belongs to the packages. */
void test_run_end(struct test_runner *r);

#endif
