/* SPDX-License-Identifier: MIT */
/* vole env: the settings with which programs are loaded, as go env prints
 * its own, and where the library is that vole does not bring itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common/out.h"
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
        "Usage: vole env [-json] [NAME ...]\n\n"
        "Prints the settings with which programs are loaded, or the values\n"
        "of those that are named; -json: as one JSON object.  They come from\n"
        "the environment and from the file that go env -w writes.  GOROOT is\n"
        "the tree of Go's sources that is used, TREEVERSION its release;\n"
        "VOLEROOT names another.  VOLECACHE is the folder where programs that\n"
        "import packages of that tree, and code of these packages, are kept as\n"
        "they were compiled, or \"off\".\n");
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
used_tree(struct modset *mods, bool opened)
{
    struct tree_places where = {.voleroot = cmd_variable("VOLEROOT"),
        .goroot = cmd_variable("GOROOT"), .path = cmd_variable("PATH")};
    struct tree *t = NULL;
    struct rt_err err;

    if (opened)
        where.wanted = modset_newest(mods);
    return tree_find(&where, &t, &err) == RT_OK ? t : NULL;
}

/* What go env says of modules here: the go.mod that counts, and the go.work. */
static void
add_module(struct settings *s, const struct modset *mods)
{
    const char *gomod = modset_gomod(mods);

    add(s, "GOMOD", gomod != NULL ? gomod : "/dev/null");
    add(s, "GOMODCACHE", goenv_modcache(&mods->env));
    add(s, "GOWORK", mods->work != NULL ? mods->work
            : goenv_get(&mods->env, "GOWORK"));
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(
        ((const struct setting *)a)->name, ((const struct setting *)b)->name);
}

static void
collect(struct settings *s, const struct modset *mods, const struct tree *t)
{
    static const char *const as_said[] = {"GO111MODULE", "GOBIN", "GOFLAGS",
        "GONOPROXY", "GOPRIVATE"};
    const struct goenv *g = &mods->env;
    const char *cache;

    if (t != NULL)
        snprintf(s->release, sizeof s->release, "go1.%u", tree_minor(t));
    for (unsigned i = 0; i < sizeof as_said / sizeof *as_said; i++)
        add(s, as_said[i], goenv_get(g, as_said[i]));
    add(s, "CGO_ENABLED", "0");
    add(s, "GOARCH", "amd64");
    add(s, "GOENV", goenv_settings(g));
    add(s, "GOEXE", "");
    add(s, "GOHOSTARCH", "amd64");
    add(s, "GOHOSTOS", "linux");
    add(s, "GOOS", "linux");
    add(s, "GOPATH", goenv_gopath(g));
    add(s, "GOPROXY", goenv_proxy(g));
    add(s, "GOROOT", t == NULL ? "" : tree_root(t));
    add(s, "GOTOOLCHAIN", "local");
    add(s, "GOVERSION", RT_GO_VERSION);
    add_module(s, mods);
    add(s, "TREEVERSION", s->release);
    cache = cmd_cache(&s->cache, cmd_variable);
    add(s, "VOLECACHE", cache != NULL && *cache != 0 ? cache : "off");
    add(s, "VOLEROOT", cmd_variable("VOLEROOT"));
    add(s, "VOLETREE", cmd_variable("VOLETREE"));
    qsort(s->v, s->n, sizeof *s->v, by_name);
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

static void
print_settings(const struct settings *s, int n, char **names)
{
    for (int i = 0; i < n; i++)
        puts(value_of(s, names[i]));
    for (unsigned i = 0; n == 0 && i < s->n; i++)
        print_quoted(s->v[i].name, s->v[i].value);
}

/* The same as an object, in which names come in order and once. */
static void
print_json(const struct settings *s, int n, char **names)
{
    struct settings some = {.n = 0};
    struct out o;
    const char *sep = "";

    for (int i = 0; i < n; i++)
        add(&some, names[i], value_of(s, names[i]));
    qsort(some.v, some.n, sizeof *some.v, by_name);
    if (n == 0)
        some = *s;
    out_init(&o);
    out_printf(&o, "{");
    for (unsigned i = 0; i < some.n; i++) {
        const struct setting *v = &some.v[i];

        if (i > 0 && strcmp(v[-1].name, v->name) == 0)
            continue;
        out_printf(&o, "%s\n\t", sep);
        out_json_string(&o, v->name, strlen(v->name));
        out_printf(&o, ": ");
        out_json_string(&o, v->value, strlen(v->value));
        sep = ",";
    }
    out_printf(&o, "\n}\n");
}

int
cmd_env(int argc, char **argv)
{
    struct settings s = {.n = 0};
    struct rt_arena a = {.nomem = no_memory};
    struct modset mods = {.a = NULL};
    bool json = false, opened;
    struct tree *t;

    while (argc > 0 && argv[0][0] == '-') {
        bool help = strcmp(argv[0], "-h") == 0 ||
            strcmp(argv[0], "-help") == 0 || strcmp(argv[0], "--help") == 0;

        json = strcmp(argv[0], "-json") == 0 ||
            strcmp(argv[0], "--json") == 0;
        if (!json) {
            if (!help)
                fprintf(stderr, "vole env: unknown flag %s\n", argv[0]);
            cmd_env_help(help ? stdout : stderr);
            return help ? cmd_flush("vole") : 2;
        }
        argc--;
        argv++;
    }
    opened =
        modset_open(&mods, &a, cmd_variable, paths_cwd(&a), NULL) == RT_OK;
    t = used_tree(&mods, opened);
    collect(&s, &mods, t);
    (json ? print_json : print_settings)(&s, argc, argv);
    tree_free(t);
    rt_arena_free(&a);
    return cmd_flush("vole");
}
