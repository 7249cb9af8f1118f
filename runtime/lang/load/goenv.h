/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_GOENV_H
#define RUNTIME_LANG_LOAD_GOENV_H

/*
 * The settings of the go command: variables of the environment and, for those
 * that it has not, the file that `go env -w` writes.
 */

#include <stdbool.h>

struct rt_arena;

/* The value of a variable of the environment, NULL if it is not set. */
typedef const char *(*goenv_fn)(const char *name);

struct goenv {
    struct rt_arena *a;
    goenv_fn env;
    char *file; /* NAME=VALUE lines; NULL: there is no file */
};

/* env may be NULL: nothing is set. */
void goenv_init(struct goenv *g, struct rt_arena *a, goenv_fn env);

/* A setting, "" where there is none. */
const char *goenv_get(const struct goenv *g, const char *name);

/* The value of -flag: what the command line says, or, where that is NULL,
 * GOFLAGS; there the last counts.  NULL: neither says anything. */
const char *goenv_flag(const struct goenv *g, const char *flag,
    const char *said);

/* GOPROXY, or what it is by default. */
const char *goenv_proxy(const struct goenv *g);

/* The file of `go env -w`, whether it is there or not; "off" where there is to
 * be none. */
const char *goenv_settings(const struct goenv *g);

/* GOPATH, or where that is by default; "" where there is no home. */
const char *goenv_gopath(const struct goenv *g);

/* GOMODCACHE, or where that is by default; "" where there is no home. */
const char *goenv_modcache(const struct goenv *g);

#endif
