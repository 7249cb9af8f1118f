/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_MOD_CMD_H
#define CMD_VOLE_MOD_CMD_H

#include <stdbool.h>

#include "cmd/vole/fetch.h"
#include "runtime/lang/load/download.h"
#include "runtime/lang/load/graph.h"

/* What the parts of `vole mod` share. */

struct mod_flags {
    bool sum, quiet, modules, errors, verbose, diff, commands;
    const char *go, *compat;
};

/* Fetches for a command; begins as zero but for its flags. */
struct mod_fetcher {
    struct fetch *f; /* NULL until the first address */
    bool quiet, commands;
    const char *who; /* who says that something is fetched */
};

/* The download_options' functions over a mod_fetcher. */
enum rt_status mod_fetch(void *ctx, const char *url, unsigned char **data,
    size_t *len, struct rt_err *err);
void mod_say(void *ctx, const char *line);

/* What fetches by f, in the environment env, and adds to go.sum; f must stay
 * as long as it is used. */
struct download_options mod_options(struct mod_fetcher *f, goenv_fn env);

/* Makes go.mod and go.sum what `go mod tidy` makes of them, or says what it
 * would change; the exit status. */
int mod_tidy(const struct mod_flags *s);

#endif
