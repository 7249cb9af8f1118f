/* SPDX-License-Identifier: MIT */
/* Where compiled programs are kept: VOLECACHE, or a folder among the user's
 * caches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/vole/vole_cmd.h"

/* The folder below a variable's value; false if that is no absolute path, or
 * too long. */
static bool
below(struct cmd_cache *c, cmd_env_fn env, const char *name,
    const char *rest)
{
    const char *base = env(name);

    int n;

    if (base == NULL || *base != '/')
        return false;
    n = snprintf(c->folder, sizeof c->folder, "%s%s", base, rest);
    if (n >= 0 && (size_t)n < sizeof c->folder)
        return true;
    c->folder[0] = 0;
    return false;
}

const char *
cmd_cache(struct cmd_cache *c, cmd_env_fn env)
{
    const char *set = env("VOLECACHE");

    c->folder[0] = 0;
    if (set != NULL && *set != 0) {
        if (strcmp(set, "off") == 0)
            return "";
        return below(c, env, "VOLECACHE", "") ? c->folder : NULL;
    }
    if (!below(c, env, "XDG_CACHE_HOME", "/vole"))
        below(c, env, "HOME", "/.cache/vole");
    return c->folder;
}

bool
cmd_cache_option(struct cmd_cache *c, struct vole_options *o)
{
    const char *folder = cmd_cache(c, o->env);

    if (folder == NULL) {
        fprintf(stderr, "vole: VOLECACHE is neither an absolute path nor "
            "\"off\"\n");
        return false;
    }
    o->cache = *folder == 0 ? NULL : folder;
    return true;
}
