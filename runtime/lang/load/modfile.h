/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_MODFILE_H
#define RUNTIME_LANG_LOAD_MODFILE_H

/*
 * A go.mod as text that is changed: lines and blocks with their comments, and
 * what the go command makes of them when it sets the requirements.  What the
 * lines mean is module.h's business.  All memory is the arena's, whose nomem
 * must be set; the text must stay.
 */

#include <stdbool.h>
#include <stddef.h>

#include "runtime/lang/load/module.h"

struct modfile;

/* The lines of a text that module_parse() takes without complaint. */
struct modfile *modfile_parse(
    struct rt_arena *a, const char *text, size_t len);

/*
 * Makes these, sorted by path, the file's requirements: those that are there
 * already keep their place and their comments.  `separate`: who is only
 * indirect stands in another block, as since Go 1.17.
 */
void modfile_set_requirements(struct modfile *f,
    const struct module_require *list, unsigned n, bool separate);

/* Sets what follows "go" or "toolchain"; a name of NULL takes that line out
 * when the requirements are set. */
void modfile_set_go(struct modfile *f, const char *version);
void modfile_set_toolchain(struct modfile *f, const char *name);

/* The text, as the go command formats it; *len bytes with a 0 behind. */
char *modfile_format(struct modfile *f, size_t *len);

/* Whether it is as every function here leaves it. */
bool modfile_valid(const struct modfile *f);

#endif
