/* SPDX-License-Identifier: MIT */
/* vole list: what packages and modules there are, as `go list` tells it. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common/args.h"
#include "cmd/vole/mod_cmd.h"
#include "cmd/vole/vole_cmd.h"
#include "runtime/base/arena.h"
#include "runtime/host/library.h"
#include "runtime/lang/load/list.h"
#include "runtime/lang/load/program.h"

/* The program that executes templates, list_format.go. */
extern const char list_format_text[];

struct list_flags {
    const char *format, *json, *tags, *mod, *reuse;
    bool deps, test, errors, find, compiled, modules, versions, update, export,
        retracted;
};

static const struct arg_flag flags[] = {
    {"f", ARG_STR, offsetof(struct list_flags, format), "template",
        "print this for each, by package text/template"},
    {"json", ARG_STR, offsetof(struct list_flags, json), "fields",
        "print JSON: -json all fields, -json=A,B those"},
    {"deps", ARG_BOOL, offsetof(struct list_flags, deps), NULL,
        "all that the packages depend on, before them"},
    {"test", ARG_BOOL, offsetof(struct list_flags, test), NULL,
        "the packages' test programs, too"},
    {"e", ARG_BOOL, offsetof(struct list_flags, errors), NULL,
        "packages with errors are listed, not reported"},
    {"find", ARG_BOOL, offsetof(struct list_flags, find), NULL,
        "find the packages, but nothing that they import"},
    {"compiled", ARG_BOOL, offsetof(struct list_flags, compiled), NULL,
        "set CompiledGoFiles"},
    {"m", ARG_BOOL, offsetof(struct list_flags, modules), NULL,
        "list modules"},
    {"versions", ARG_BOOL, offsetof(struct list_flags, versions), NULL,
        "of modules: which versions the proxies have"},
    {"u", ARG_BOOL, offsetof(struct list_flags, update), NULL,
        "of modules: which are newer, and what is retracted"},
    {"retracted", ARG_BOOL, offsetof(struct list_flags, retracted), NULL,
        "of modules: retracted versions, too"},
    {"export", ARG_BOOL, offsetof(struct list_flags, export), NULL,
        "not supported: vole makes no export data"},
    {"reuse", ARG_STR, offsetof(struct list_flags, reuse), "file",
        "not supported"},
    ARG_FOLDER_FLAG,
    {"tags", ARG_STR, offsetof(struct list_flags, tags), "list",
        "build tags that hold: a,b"},
    {"mod", ARG_STR, offsetof(struct list_flags, mod), "mode",
        "where modules come from: readonly, vendor or mod"},
    {0},
};

const struct arg_flag *
cmd_list_flags(void)
{
    return flags;
}

void
cmd_list_help(FILE *out)
{
    char text[4096];

    args_describe(flags, text, sizeof text);
    fprintf(out,
        "Usage: vole list [flags] [packages]\n"
        "       vole list -m [flags] [modules]\n\n"
        "Prints the import paths of packages, or the modules that the build\n"
        "uses, and what is known of them, as go list does.\n\n%s", text);
}

/* ---- output ------------------------------------------------------------------- */

struct printer {
    const struct list_flags *s;
    const char *fields; /* of JSON; NULL: all */
    FILE *out;    /* for the template's objects where there is one */
    char *text;   /* what was written there */
    size_t size;
    int status;
};

static void
print_versions(const struct list_module *m)
{
    if (*m->version == 0)
        return;
    printf(" %s%s", m->version, m->retracted.n == 0 ? "" : " (retracted)");
    if (m->update != NULL)
        printf(" [%s]", m->update->version);
}

static void
print_module(const struct list_flags *s, const struct list_module *m)
{
    unsigned i;

    printf("%s", m->path);
    if (s->versions) {
        for (i = 0; i < m->versions.n; i++)
            printf(" %s", m->versions.at[i]);
    } else {
        print_versions(m);
        if (m->replace != NULL) {
            printf(" => %s", m->replace->path);
            print_versions(m->replace);
        }
    }
    putchar('\n');
}

/* Errors are reported, and then nothing is listed, but with -e. */
static void
report_errors(struct printer *p, struct list *l)
{
    unsigned i;

    for (i = 0; i < l->npkg; i++)
        if (l->pkg[i]->error != NULL) {
            fprintf(stderr, "%s\n",
                list_error_text(l->a, l->pkg[i]->error));
            p->status = 1;
        }
}

static bool
any_named_error(const struct list *l)
{
    unsigned i;

    for (i = 0; i < l->npkg; i++)
        if (l->pkg[i]->error != NULL && l->pkg[i]->named)
            return true;
    return false;
}

static void
print_packages(struct printer *p, struct list *l)
{
    unsigned i;

    if (!p->s->errors) {
        bool bad = any_named_error(l);

        report_errors(p, l);
        if (bad)
            return;
    }
    for (i = 0; i < l->npkg; i++)
        if (p->out != NULL)
            list_json_package(l, l->pkg[i], p->fields, p->out);
        else
            printf("%s\n", l->pkg[i]->shown);
}

/* ---- loading -------------------------------------------------------------------- */

struct job {
    struct printer *p;
    const char *const *words;
    unsigned n;
};

static void
warn(const struct list *l)
{
    unsigned i;

    for (i = 0; i < l->warnings.n; i++)
        fprintf(stderr, "%s\n", l->warnings.at[i]);
}

/* Must the proxies be asked? */
static bool
asks_proxies(const struct job *j)
{
    unsigned i;

    for (i = 0; i < j->n; i++)
        if (strchr(j->words[i], '@') != NULL)
            return true;
    return j->p->s->versions || j->p->s->update || j->p->s->retracted;
}

static void
print_modules(struct job *j, struct list *l)
{
    struct list_module **m;
    unsigned i, n;

    if (!list_modules(l, j->words, j->n, &m, &n))
        j->p->status = 1;
    warn(l);
    for (i = 0; i < n && !j->p->s->errors; i++)
        if (m[i]->error != NULL) {
            fprintf(stderr, "go: %s\n", m[i]->error);
            j->p->status = 1;
        }
    for (i = 0; i < n && j->p->status == 0; i++)
        if (j->p->out != NULL)
            list_json_module(m[i], j->p->fields, j->p->out);
        else
            print_module(j->p->s, m[i]);
}

static enum rt_status
list_of_modules(struct job *j, struct graph *g, struct rt_err *err)
{
    const struct list_flags *s = j->p->s;
    struct mod_fetcher f = {.who = "go", .quiet = true};
    const struct download_options d = mod_options(&f, cmd_variable);
    struct query q = {&g->mods, NULL, err, s->retracted};
    bool ask = asks_proxies(j);
    const struct list_options o = {.errors = s->errors,
        .versions = s->versions, .update = s->update,
        .retracted = s->retracted, .query = ask ? &q : NULL};
    struct list l = {.g = g, .a = g->a, .o = &o};
    enum rt_status st = RT_OK;

    if (g->mods.root == NULL && j->n == 0) {
        puts("command-line-arguments");
        return RT_OK;
    }
    if (g->mods.root == NULL && !ask) {
        fputs("go: go.mod file not found in current directory or any parent "
            "directory; see 'go help modules'\n", stderr);
        j->p->status = 1;
        return RT_OK;
    }
    if (ask)
        st = download_attach(&g->mods, g->mods.cwd, &d, &q.d, err);
    if (st == RT_OK)
        print_modules(j, &l);
    fetch_free(f.f);
    return st;
}

static enum rt_status
load(void *arg, struct graph *g, struct rt_err *err)
{
    static const char *const here[] = {"."};
    struct job *j = arg;
    const struct list_flags *s = j->p->s;
    struct list_options o = {.tags = s->tags, .deps = s->deps,
        .test = s->test, .find = s->find, .compiled = s->compiled};
    struct list l = {0};
    enum rt_status st;

    g->match_all = true;
    if (s->modules)
        return list_of_modules(j, g, err);
    if (g->mods.root == NULL && (j->n == 0 || *j->words[0] == '.')) {
        fputs("go: go.mod file not found in current directory or any parent "
            "directory; see 'go help modules'\n", stderr);
        j->p->status = 1;
        return RT_OK;
    }
    st = list_load(&l, g, &o, j->n == 0 ? here : j->words,
        j->n == 0 ? 1 : j->n, err);
    warn(&l);
    if (l.failed)
        j->p->status = 1;
    if (st != RT_OK || l.failed)
        return st;
    list_complete(&l);
    print_packages(j->p, &l);
    return RT_OK;
}

/* Runs the program of -f over the objects. */
static int
run_template(const struct printer *p)
{
    struct vole_text text = {.name = "list", .text = list_format_text,
        .size = strlen(list_format_text)};
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    const char *args[4] = {p->s->modules ? "module" : "package", p->s->format,
        "{\"GOARCH\": \"amd64\", \"GOOS\": \"linux\", \"Compiler\": \"gc\"}",
        p->text};
    struct vole_error err;
    struct vole *v;
    int status = 1;

    opt.text = &text;
    opt.args = args;
    opt.nargs = 4;
    opt.env = cmd_variable;
    switch (vole_open(&v, NULL, 0, &opt, &err)) {
    case VOLE_OK:
        status = vole_run(v);
        break;
    case VOLE_ERRORS:
        fputs("vole list: -f needs packages of Go's library:\n", stderr);
        vole_write_errors(v, stderr);
        break;
    default:
        fprintf(stderr, "vole list: %s\n", err.text);
        break;
    }
    vole_close(v);
    return status;
}

static int
run(const struct list_flags *s, const char *const *words, unsigned n)
{
    struct program_options o = {.library = host_library(),
        .env = cmd_variable, .tags = s->tags, .mod = s->mod};
    struct printer p = {.s = s};
    struct job j = {.p = &p, .words = words, .n = n};
    struct rt_err err;
    enum rt_status st;

    if (s->format != NULL)
        p.out = open_memstream(&p.text, &p.size);
    else if (s->json != NULL)
        p.out = stdout;
    if (s->json != NULL && *s->json != 0)
        p.fields = s->json;
    if (s->format != NULL && p.out == NULL) {
        fprintf(stderr, "vole list: out of memory\n");
        return 1;
    }
    st = program_graph(&o, load, &j, &err);
    if (st != RT_OK) {
        fprintf(stderr, "%s%s\n",
            strncmp(err.text, "go: ", 4) == 0 ? "" : "vole list: ", err.text);
        p.status = 1;
    }
    if (s->format != NULL) {
        fclose(p.out);
        if (p.size != 0 && run_template(&p) != 0)
            p.status = 1;
        free(p.text);
    }
    return p.status != 0 ? p.status : cmd_flush("vole");
}

/* -json without a value is all fields. */
static void
allow_bare_json(int argc, char **argv)
{
    static char all[] = "-json=";
    int i;

    for (i = 0; i < argc; i++)
        if (strcmp(argv[i], "-json") == 0 || strcmp(argv[i], "--json") == 0)
            argv[i] = all;
}

/* What go list has and vole list has not; NULL: nothing was asked for. */
static const char *
unsupported(const struct list_flags *s)
{
    if (s->export)
        return "-export is not supported: vole compiles to no files, so there "
               "is no export data; go list -export makes it";
    if (s->reuse != NULL)
        return "-reuse is not supported";
    if ((s->versions || s->update || s->retracted) && !s->modules)
        return s->update ? "-u can only be used with -m"
            : s->versions ? "-versions can only be used with -m"
                          : "-retracted can only be used with -m";
    return NULL;
}

int
cmd_list(int argc, char **argv)
{
    struct list_flags s = {0};
    char text[256];
    const char *why;
    int at = 0;

    allow_bare_json(argc, argv);
    if (!args_parse(argc, argv, &at, flags, &s, text, sizeof text)) {
        if (strcmp(text, "help") == 0) {
            cmd_list_help(stdout);
            return cmd_flush("vole");
        }
        fprintf(stderr, "vole list: %s\n", text);
        return 2;
    }
    why = unsupported(&s);
    if (why == NULL && s.format != NULL && s.json != NULL)
        why = "-f and -json exclude each other";
    if (why != NULL) {
        fprintf(stderr, "vole list: %s\n", why);
        return 2;
    }
    return run(&s, (const char *const *)&argv[at], (unsigned)(argc - at));
}
