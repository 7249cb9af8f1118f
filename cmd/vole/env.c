/* SPDX-License-Identifier: MIT */
/* vole env: the settings with which programs are loaded, as go env prints
 * its own, and where the library is that vole does not bring itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/vole/vole_cmd.h"
#include "runtime/base/arena.h"
#include "runtime/base/goversion.h"
#include "runtime/lang/load/goenv.h"
#include "runtime/lang/load/modset.h"
#include "runtime/lang/load/paths.h"
#include "runtime/lang/load/tree.h"

enum { SETTINGS_MAX = 32 };

struct setting {
    const char *name, *value;
};

struct settings {
    struct setting v[SETTINGS_MAX]; /* by name */
    unsigned n;
    char release[16]; /* of the tree, "go1.19" */
    struct cmd_cache cache;
};

void
cmd_env_help(FILE *out)
{
    fprintf(out,
        "Usage: vole env [NAME ...]\n\n"
        "Prints the settings with which programs are loaded, or the values\n"
        "of those that are named.  They come from the environment and from\n"
        "the file that go env -w writes.  GOROOT is the tree of Go's sources\n"
        "that is used, TREEVERSION its release; VOLEROOT names another.\n"
        "VOLECACHE is the folder where programs that import packages of that\n"
        "tree, and code of these packages, are kept as they were compiled, or\n"
        "\"off\".\n");
}

const char *
cmd_variable(const char *name)
{
    return getenv(name);
}

static void
add(struct settings *s, const char *name, const char *value)
{
    if (s->n < SETTINGS_MAX)
        s->v[s->n++] = (struct setting){name, value == NULL ? "" : value};
}

/* The tree that programs in this folder are loaded with, NULL if there is
 * none. */
static struct tree *
used_tree(struct rt_arena *a)
{
    struct modset mods = {.a = NULL};
    struct tree_places where = {.voleroot = cmd_variable("VOLEROOT"),
        .goroot = cmd_variable("GOROOT"), .path = cmd_variable("PATH")};
    struct tree *t = NULL;
    struct rt_err err;

    if (modset_open(&mods, a, cmd_variable, paths_cwd(a), NULL) == RT_OK)
        where.wanted = modset_newest(&mods);

    return tree_find(&where, &t, &err) == RT_OK ? t : NULL;
}

static void
collect(struct settings *s, const struct goenv *g, const struct tree *t)
{
    const char *cache;

    if (t != NULL)
        snprintf(s->release, sizeof s->release, "go1.%u", tree_minor(t));
    add(s, "GOARCH", "amd64");
    add(s, "GOFLAGS", goenv_get(g, "GOFLAGS"));
    add(s, "GOMODCACHE", goenv_modcache(g));
    add(s, "GOOS", "linux");
    add(s, "GOPROXY", goenv_get(g, "GOPROXY"));
    add(s, "GOROOT", t == NULL ? "" : tree_root(t));
    add(s, "GOVERSION", RT_GO_VERSION);
    add(s, "GOWORK", goenv_get(g, "GOWORK"));
    add(s, "TREEVERSION", s->release);
    cache = cmd_cache(&s->cache);
    add(s, "VOLECACHE", cache != NULL && *cache != 0 ? cache : "off");
    add(s, "VOLEROOT", cmd_variable("VOLEROOT"));
    add(s, "VOLETREE", cmd_variable("VOLETREE"));
}

static const char *
value_of(const struct settings *s, const char *name)
{
    for (unsigned i = 0; i < s->n; i++)
        if (strcmp(s->v[i].name, name) == 0)
            return s->v[i].value;
    return "";
}

/* One that a shell reads back: an apostrophe ends the quotes for a moment. */
static void
print_quoted(const char *name, const char *value)
{
    printf("%s='", name);
    for (; *value != '\0'; value++)
        if (*value == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*value);
    puts("'");
}

static void
no_memory(void *arg)
{
    (void)arg;
    fprintf(stderr, "vole env: out of memory\n");
    exit(1);
}

int
cmd_env(int argc, char **argv)
{
    struct settings s = {.n = 0};
    struct rt_arena a = {.nomem = no_memory};
    struct goenv g;
    struct tree *t;

    if (argc > 0 && argv[0][0] == '-') {
        bool help = strcmp(argv[0], "-h") == 0 ||
            strcmp(argv[0], "-help") == 0 || strcmp(argv[0], "--help") == 0;

        if (!help)
            fprintf(stderr, "vole env: unknown flag %s\n", argv[0]);
        cmd_env_help(help ? stdout : stderr);
        return help ? cmd_flush("vole") : 2;
    }
    goenv_init(&g, &a, cmd_variable);
    t = used_tree(&a);
    collect(&s, &g, t);
    for (int i = 0; i < argc; i++)
        puts(value_of(&s, argv[i]));
    for (unsigned i = 0; argc == 0 && i < s.n; i++)
        print_quoted(s.v[i].name, s.v[i].value);
    tree_free(t);
    rt_arena_free(&a);
    return cmd_flush("vole");
}
