/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/modcache.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/paths.h"

const char *
modcache_escape(struct rt_arena *a, const char *name)
{
    char *out = rt_arena_alloc(a, 2 * strlen(name) + 1), *p = out;

    for (; *name != 0; name++) {
        if (*name >= 'A' && *name <= 'Z') {
            *p++ = '!';
            *p++ = (char)(*name | 0x20);
        } else {
            *p++ = *name;
        }
    }
    *p = 0;
    return out;
}

const char *
modcache_dir(
    struct rt_arena *a, const char *cache, const struct module_version *m)
{
    return paths_join(a, cache,
        rt_arena_printf(a, "%s@%s", modcache_escape(a, m->path),
            modcache_escape(a, m->version)));
}

const char *
modcache_file(struct rt_arena *a, const char *cache,
    const struct module_version *m, const char *ext)
{
    return paths_join(a, cache,
        rt_arena_printf(a, "cache/download/%s/@v/%s.%s",
            modcache_escape(a, m->path), modcache_escape(a, m->version),
            ext));
}
