/* SPDX-License-Identifier: MIT */
/* vole mod: go.mod, and the modules that it needs. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common/args.h"
#include "cmd/vole/fetch.h"
#include "cmd/vole/vole_cmd.h"
#include "runtime/base/goversion.h"
#include "runtime/lang/load/download.h"

struct mod_flags {
    bool sum, quiet;
};

static const struct arg_flag flags[] = {
    {"sum", ARG_BOOL, offsetof(struct mod_flags, sum), NULL,
        "write what go.sum lacks into it, unchecked"},
    {"q", ARG_BOOL, offsetof(struct mod_flags, quiet), NULL,
        "do not say what is fetched"},
    {0},
};

void
cmd_mod_help(FILE *out)
{
    char text[1024];

    args_describe(flags, text, sizeof text);
    fprintf(out,
        "Usage: vole mod download [flags]\n"
        "       vole mod init module/path\n\n"
        "download fetches the modules that the go.mod here or above needs into\n"
        "Go's module cache, from the proxies of GOPROXY, and checks them by\n"
        "go.sum.  init writes a go.mod.\n\n%s", text);
}

struct fetcher {
    struct fetch *f; /* NULL until the first address */
    bool quiet;
};

static enum rt_status
get(void *ctx, const char *url, unsigned char **data, size_t *len,
    struct rt_err *err)
{
    struct fetcher *g = ctx;

    if (g->f == NULL)
        g->f = fetch_new(err);
    return g->f == NULL ? RT_EUNSUP : fetch_url(g->f, url, data, len, err);
}

static void
say(void *ctx, const char *line)
{
    const struct fetcher *g = ctx;

    if (!g->quiet)
        fprintf(stderr, "vole: %s\n", line);
}

static const char *
variable(const char *name)
{
    return getenv(name);
}

static int
download(const struct mod_flags *s)
{
    struct fetcher g = {.quiet = s->quiet};
    struct download_options o = {.env = variable, .fetch = get, .say = say,
        .ctx = &g, .add_sums = s->sum};
    char *cwd = getcwd(NULL, 0);
    struct rt_err err;
    enum rt_status st;

    if (cwd == NULL) {
        fprintf(stderr, "vole: %s\n", strerror(errno));
        return 1;
    }
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
    if (strcmp(argv[0], "download") == 0 && at == argc)
        return download(&s);
    if (strcmp(argv[0], "init") == 0 && at + 1 == argc)
        return init(argv[at]);
    fprintf(stderr, "vole mod: not understood\n"
        "Run \"vole help mod\" for usage.\n");
    return 2;
}
