/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_TIDY_H
#define RUNTIME_LANG_LOAD_TIDY_H

/*
 * What `go mod tidy` makes of a main module's go.mod and go.sum: the modules
 * that provide packages which its packages and their tests import, whatever
 * the system, and the tests of those; nothing else.  A package that no module
 * has is looked for among replacements, then on the proxies.
 */

#include "runtime/lang/load/download.h"
#include "runtime/lang/load/graph.h"

struct tidy_options {
    bool errors;        /* what cannot be found is said, and left out */
    const char *go;     /* the version that go.mod is to name; or NULL */
    const char *compat; /* the oldest go command that is to select the same
                           versions; NULL: the one before go.mod's */
    void (*say)(void *ctx, const char *line);
    void *ctx;
};

struct tidy_result {
    const char *path, *sum_path;    /* of the files */
    const char *old, *text;         /* go.mod as it is and as it should be */
    const char *formatted;          /* as it is, in the go command's layout */
    const char *old_sum, *sum;      /* go.sum; NULL: there is none */
    struct paths_list unused;       /* modules that go.mod needs no more */
};

/* RT_EFORMAT: err's text is what go says, or it was said in lines before and
 * the text is empty. */
enum rt_status tidy_module(struct graph *g, struct download *d,
    const struct tidy_options *o, struct tidy_result *out, struct rt_err *err);

#endif
