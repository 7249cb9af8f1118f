/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_MODCACHE_H
#define RUNTIME_LANG_LOAD_MODCACHE_H

/*
 * Go's module cache: <path>@<version>/ has a module's files, and
 * cache/download/<path>/@v/<version>.{info,mod,zip,ziphash} what was fetched.
 * In names of files an upper-case letter X is !x, for file systems that do not
 * tell them apart.
 */

#include <stdbool.h>

#include "runtime/lang/load/module.h"

struct rt_arena;

/* The name in file names and in addresses of a proxy. */
const char *modcache_escape(struct rt_arena *a, const char *name);

/* The folder of a module's files. */
const char *modcache_dir(
    struct rt_arena *a, const char *cache, const struct module_version *m);

/* The file of what was fetched: ext is "mod", "zip" ... */
const char *modcache_file(struct rt_arena *a, const char *cache,
    const struct module_version *m, const char *ext);

#endif
