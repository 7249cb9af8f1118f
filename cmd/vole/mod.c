/* SPDX-License-Identifier: MIT */
/* vole mod: go.mod, and the modules that it needs. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common/args.h"
#include "cmd/vole/mod_cmd.h"
#include "cmd/vole/vole_cmd.h"
#include "runtime/base/goversion.h"
#include "runtime/host/library.h"
#include "runtime/lang/load/download.h"
#include "runtime/lang/load/graph.h"
#include "runtime/lang/load/mvs.h"
#include "runtime/lang/load/program.h"
#include "runtime/lang/load/why.h"

static const struct arg_flag flags[] = {
    ARG_FOLDER_FLAG,
    {"sum", ARG_BOOL, offsetof(struct mod_flags, sum), NULL,
        "write what go.sum lacks into it, unchecked"},
    {"q", ARG_BOOL, offsetof(struct mod_flags, quiet), NULL,
        "do not say what is fetched"},
    {"m", ARG_BOOL, offsetof(struct mod_flags, modules), NULL,
        "of why: the words are modules"},
    {"v", ARG_BOOL, offsetof(struct mod_flags, verbose), NULL,
        "of tidy: say which requirements are needed no more"},
    {"e", ARG_BOOL, offsetof(struct mod_flags, errors), NULL,
        "of tidy: go on where packages cannot be found"},
    {"go", ARG_STR, offsetof(struct mod_flags, go), "version",
        "of tidy: the version of the language for go.mod"},
    {"compat", ARG_STR, offsetof(struct mod_flags, compat), "version",
        "of tidy: keep what go of that version needs in go.sum"},
    {"diff", ARG_BOOL, offsetof(struct mod_flags, diff), NULL,
        "of tidy: print what would change, change nothing"},
    {"x", ARG_BOOL, offsetof(struct mod_flags, commands), NULL,
        "print the addresses that are asked"},
    {0},
};

void
cmd_mod_help(FILE *out)
{
    char text[2048];

    args_describe(flags, text, sizeof text);
    fprintf(out,
        "Usage: vole mod download [flags]\n"
        "       vole mod init module/path\n"
        "       vole mod tidy [flags]\n"
        "       vole mod graph\n"
        "       vole mod why [-m] packages\n"
        "       vole mod verify\n\n"
        "download fetches the modules that the go.mod here or above needs into\n"
        "Go's module cache, from the proxies of GOPROXY, and checks them by\n"
        "go.sum.  init writes a go.mod, tidy adds to it and to go.sum what the\n"
        "packages and their tests need and takes out the rest.  graph prints\n"
        "what modules require, why the shortest way from the main module to a\n"
        "package or a module, verify whether the cache's modules are as they\n"
        "were fetched.\n\n"
        "%s", text);
}

enum rt_status
mod_fetch(void *ctx, const char *url, unsigned char **data, size_t *len,
    struct rt_err *err)
{
    struct mod_fetcher *g = ctx;
    enum rt_status st;

    if (g->f == NULL)
        g->f = fetch_new(err);
    if (g->f == NULL)
        return RT_EUNSUP;
    if (g->commands)
        fprintf(stderr, "# get %s\n", url);
    st = fetch_url(g->f, url, data, len, err);
    if (g->commands)
        fprintf(stderr, "# get %s: %s\n", url,
            st == RT_OK ? "200 OK" : err->text);
    return st;
}

void
mod_say(void *ctx, const char *line)
{
    const struct mod_fetcher *g = ctx;

    if (!g->quiet)
        fprintf(stderr, "%s: %s\n", g->who, line);
}

struct download_options
mod_options(struct mod_fetcher *f, goenv_fn env)
{
    return (struct download_options){.env = env, .fetch = mod_fetch,
        .say = mod_say, .ctx = f, .add_sums = true};
}

static int
download(const struct mod_flags *s)
{
    struct mod_fetcher g = {
        .quiet = s->quiet, .commands = s->commands, .who = "vole"};
    struct download_options o = mod_options(&g, cmd_variable);
    char *cwd = getcwd(NULL, 0);
    struct rt_err err;
    enum rt_status st;

    if (cwd == NULL) {
        fprintf(stderr, "vole: %s\n", strerror(errno));
        return 1;
    }
    o.add_sums = s->sum;
    st = download_modules(cwd, &o, &err);
    if (st != RT_OK)
        fprintf(stderr, "%s%s\n",
            strncmp(err.text, "go: ", 4) == 0 ? "" : "vole: ", err.text);
    fetch_free(g.f);
    free(cwd);
    return st == RT_OK ? 0 : 1;
}

static int
init(const char *path)
{
    FILE *f;

    if (access("go.mod", F_OK) == 0) {
        fprintf(stderr, "vole: go.mod already exists\n");
        return 1;
    }
    f = fopen("go.mod", "w");
    if (f == NULL ||
        fprintf(f, "module %s\n\ngo 1.%d\n", path, RT_GO_MINOR) < 0 ||
        fclose(f) != 0) {
        fprintf(stderr, "vole: go.mod: %s\n", strerror(errno));
        return 1;
    }
    return 0;
}

/* ---- questions about modules ------------------------------------------------------ */

struct question {
    const struct mod_flags *s;
    const char *verb;
    const char *const *words;
    unsigned n;
    FILE *out; /* nothing is printed where something could not be fetched */
    int status;
};

static void
print_edge(void *arg, const struct module_version *from,
    const struct module_version *to)
{
    fprintf(arg, "%s%s%s %s%s%s\n", from->path, *from->version == 0 ? "" : "@",
        from->version, to->path, *to->version == 0 ? "" : "@", to->version);
}

static void
verify(struct question *q, struct graph *g)
{
    struct paths_list bad = {0};
    unsigned i;

    modset_verify(&g->mods, &bad);
    for (i = 0; i < bad.n; i++)
        fprintf(stderr, "%s\n", bad.at[i]);
    if (bad.n == 0)
        fputs("all modules verified\n", q->out);
    else
        q->status = 1;
}

static enum rt_status
ask(void *arg, struct graph *g, struct rt_err *err)
{
    struct question *q = arg;
    struct mod_fetcher f = {.quiet = q->s->quiet,
        .commands = q->s->commands, .who = "vole"};
    struct download_options o = mod_options(&f, cmd_variable);
    struct download *d;
    enum rt_status st;

    if (g->mods.root == NULL)
        return rt_errf(err, RT_EFORMAT, UINT64_MAX, "go: go.mod file not "
            "found in current directory or any parent directory; see 'go "
            "help modules'");
    st = download_attach(&g->mods, g->mods.cwd, &o, &d, err);
    if (st == RT_OK && strcmp(q->verb, "graph") == 0)
        mvs_graph(&g->mods, print_edge, q->out);
    else if (st == RT_OK && strcmp(q->verb, "verify") == 0)
        verify(q, g);
    else if (st == RT_OK)
        st = why_print(g, q->s->modules, q->words, q->n, q->out, err);
    if (st == RT_OK)
        st = download_status(d);
    fetch_free(f.f);
    return st;
}

static int
question(const struct mod_flags *s, const char *verb,
    const char *const *words, unsigned n)
{
    struct question q = {.s = s, .verb = verb, .words = words, .n = n};
    struct program_options o = {
        .library = host_library(), .env = cmd_variable};
    struct rt_err err;
    enum rt_status st;
    size_t size;
    char *text;

    q.out = open_memstream(&text, &size);
    if (q.out == NULL) {
        fprintf(stderr, "vole: out of memory\n");
        return 1;
    }
    st = program_graph(&o, ask, &q, &err);
    if (fclose(q.out) == 0 && st == RT_OK)
        fwrite(text, 1, size, stdout);
    free(text);
    if (st != RT_OK) {
        fprintf(stderr, "%s%s\n",
            strncmp(err.text, "go: ", 4) == 0 ? "" : "vole: ", err.text);
        return 1;
    }
    return q.status != 0 ? q.status : cmd_flush("vole");
}

/* ---- the command -------------------------------------------------------------------- */

static const struct verb {
    const char *name;
    int least, most; /* words behind the flags; most -1: any number */
    const char *lacks; /* what there must be, and how that is written */
} verbs[] = {
    {"download", 0, 0, NULL},
    {"init", 1, 1, "the path of the new module is missing, as in \"vole mod "
        "init example.com/hello\""},
    {"tidy", 0, 0, NULL},
    {"graph", 0, 0, NULL},
    {"why", 1, -1, "no package is named, as in \"vole mod why "
        "golang.org/x/text/width\""},
    {"verify", 0, 0, NULL},
};

/* Is it a command with as many words as belong there?  Says what is wrong if
 * not; first is the first of the n words, NULL if there is none. */
static bool
understood(const char *name, int n, const char *first)
{
    const struct verb *v = verbs, *end = verbs + sizeof verbs / sizeof *verbs;

    while (v < end && strcmp(v->name, name) != 0)
        v++;
    if (v == end)
        fprintf(stderr, "vole mod: unknown command \"%s\"\n", name);
    else if (n < v->least)
        fprintf(stderr, "vole mod %s: %s\n", name, v->lacks);
    else if (v->most == 0 && n > 0)
        fprintf(stderr, "vole mod %s: takes no arguments, but there is "
            "\"%s\"\n", name, first);
    else if (v->most > 0 && n > v->most)
        fprintf(stderr, "vole mod %s: takes one argument, but there are %d\n",
            name, n);
    else
        return true;
    return false;
}

int
cmd_mod(int argc, char **argv)
{
    struct mod_flags s = {0};
    char text[256];
    int at = 1;

    if (argc == 0 || strcmp(argv[0], "-h") == 0 ||
        strcmp(argv[0], "-help") == 0) {
        cmd_mod_help(argc == 0 ? stderr : stdout);
        return argc == 0 ? 2 : cmd_flush("vole");
    }
    if (!args_parse(argc, argv, &at, flags, &s, text, sizeof text)) {
        if (strcmp(text, "help") == 0) {
            cmd_mod_help(stdout);
            return cmd_flush("vole");
        }
        fprintf(stderr, "vole mod: %s\n", text);
        return 2;
    }
    if (!understood(argv[0], argc - at, argv[at])) {
        fputs("Run \"vole help mod\" for usage.\n", stderr);
        return 2;
    }
    if (strcmp(argv[0], "download") == 0)
        return download(&s);
    if (strcmp(argv[0], "tidy") == 0)
        return mod_tidy(&s);
    if (strcmp(argv[0], "init") == 0)
        return init(argv[at]);
    return question(&s, argv[0], (const char *const *)&argv[at],
        (unsigned)(argc - at));
}
