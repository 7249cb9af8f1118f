/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_EXPLORE_H
#define CMD_VOLE_EXPLORE_H

/* vole run -explore; what runs tests may use it for one function of theirs. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/explore/explore.h"
#include "runtime/vole.h"

/* As given on the command line. */
struct explore_flags {
    const char *amount;   /* -explore: "1000" or "10s"; NULL: not asked for */
    const char *strategy; /* NULL: the mix */
    bool all;
    bool leaks;
    uint64_t seed;        /* of the first schedule */
    uint64_t workers;     /* 0: one for each processor */
    uint64_t budget;      /* 0: the default */
};

/* False after a message. */
bool explore_options(
    const struct explore_flags *f, struct explore_config *out);

/* Explores the program of v, which was opened with a schedule and has not run,
 * and tells on standard error what came of it; `program` is what is to stand
 * in the command that shows a failure again.  The exit status: that of the
 * first failure, 2 where it could not be done, or 0. */
int explore_program(
    struct vole *v, struct explore_config *c, const char *program);

#endif
