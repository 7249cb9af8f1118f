/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_TEST_JSON_H
#define CMD_VOLE_TEST_JSON_H

/*
 * vole test -json: the report of a package's tests as the events of Go's
 * test2json, one JSON object a line.  The program of the tests marks the lines
 * that it writes itself by a byte in front (-test.v=test2json), so that what
 * tests print cannot be mistaken for them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define TEST_JSON_MARK "\x16"

struct test_json;

/* Begins the events of a package, with "start"; NULL: no memory. */
struct test_json *test_json_new(FILE *out, const char *package);

/* Some bytes of the report, cut anywhere. */
void test_json_write(struct test_json *j, const char *s, size_t n);

/* The last event: how the package ended ("pass" or "fail"; what the report
 * says of it itself counts more where it had nothing to test), after so many
 * seconds.  failed_build is what did not compile, or NULL.  Frees j. */
void test_json_end(struct test_json *j, bool ok, double seconds,
    const char *failed_build);

/* What did not compile, with the messages about it. */
void test_json_build(
    FILE *out, const char *what, const char *text, size_t n);

#endif
