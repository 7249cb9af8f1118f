/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/goenv.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/lang/load/paths.h"

static const char *
variable(const struct goenv *g, const char *name)
{
    const char *v = g->env == NULL ? NULL : g->env(name);

    return v == NULL ? "" : v;
}

const char *
goenv_settings(const struct goenv *g)
{
    const char *v = variable(g, "GOENV");

    if (*v != 0)
        return v;
    v = variable(g, "XDG_CONFIG_HOME");
    if (*v != 0)
        return paths_join(g->a, v, "go/env");
    v = variable(g, "HOME");
    return *v == 0 ? "off" : paths_join(g->a, v, ".config/go/env");
}

void
goenv_init(struct goenv *g, struct rt_arena *a, goenv_fn env)
{
    const char *path;
    size_t len;

    *g = (struct goenv){.a = a, .env = env};
    path = goenv_settings(g);
    if (strcmp(path, "off") != 0)
        g->file = paths_read(a, path, &len);
}

const char *
goenv_get(const struct goenv *g, const char *name)
{
    const char *v = variable(g, name), *line = g->file;
    size_t n = strlen(name);

    if (*v != 0)
        return v;
    for (; line != NULL && *line != 0; line += *line == '\n') {
        size_t len = strcspn(line, "\r\n");

        if (len > n && strncmp(line, name, n) == 0 && line[n] == '=')
            return rt_arena_strndup(g->a, line + n + 1, len - n - 1);
        line += len;
        line += *line == '\r';
    }
    return "";
}

const char *
goenv_flag(const struct goenv *g, const char *flag, const char *said)
{
    const char *s = goenv_get(g, "GOFLAGS"), *found = NULL;
    size_t n = strlen(flag);

    if (said != NULL)
        return said;
    while (*s != 0) {
        size_t len;

        s += strspn(s, " \t");
        len = strcspn(s, " \t");
        if (*s == '-') {
            const char *w = s + (s[1] == '-' ? 2 : 1);

            if (strncmp(w, flag, n) == 0 && w[n] == '=')
                found = rt_arena_strndup(
                    g->a, w + n + 1, len - (size_t)(w - s) - n - 1);
        }
        s += len;
    }
    return found;
}

const char *
goenv_proxy(const struct goenv *g)
{
    const char *v = goenv_get(g, "GOPROXY");

    return *v != 0 ? v : "https://proxy.golang.org,direct";
}

const char *
goenv_gopath(const struct goenv *g)
{
    const char *v = goenv_get(g, "GOPATH");

    if (*v != 0)
        return v;
    v = variable(g, "HOME");
    return *v == 0 ? "" : paths_join(g->a, v, "go");
}

const char *
goenv_modcache(const struct goenv *g)
{
    const char *v = goenv_get(g, "GOMODCACHE"), *path = goenv_gopath(g);

    if (*v != 0)
        return paths_clean(g->a, v);
    return *path == 0 ? "" : paths_join(g->a,
        rt_arena_strndup(g->a, path, strcspn(path, ":")), "pkg/mod");
}
