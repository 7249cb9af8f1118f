/* SPDX-License-Identifier: MIT */
/* vole mod tidy. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/vole/diff.h"
#include "cmd/vole/mod_cmd.h"
#include "cmd/vole/vole_cmd.h"
#include "runtime/base/goversion.h"
#include "runtime/host/library.h"
#include "runtime/lang/load/program.h"
#include "runtime/lang/load/semver.h"
#include "runtime/lang/load/tidy.h"

/* A go.work is none of the command's business. */
static const char *
without_work(const char *name)
{
    return strcmp(name, "GOWORK") == 0 ? "off" : cmd_variable(name);
}

static void
say(void *ctx, const char *line)
{
    (void)ctx;
    fprintf(stderr, "%s\n", line);
}

/* Writes a file all at once, with the mode of the one that is there. */
static enum rt_status
replace(struct rt_arena *a, const char *path, const char *text,
    struct rt_err *err)
{
    const char *temp = rt_arena_printf(a, "%s.%ld", path, (long)getpid());
    FILE *f = fopen(temp, "w");
    bool bad;

    if (f == NULL)
        return rt_err_os(err, errno, "%s", temp);
    bad = fputs(text, f) < 0;
    if (fclose(f) != 0 || bad || rename(temp, path) != 0) {
        rt_err_os(err, errno, "%s", path);
        unlink(temp);
        return RT_EIO;
    }
    return RT_OK;
}

struct job {
    const struct mod_flags *s;
    int status;
};

/* The exit status is 1 where something would change. */
static void
show(struct job *j, const struct tidy_result *r)
{
    const char *sum = r->sum == NULL ? "" : r->sum;
    const char *old = r->old_sum == NULL ? "" : r->old_sum;

    if (strcmp(r->formatted, r->text) != 0) {
        diff_write(stdout, "current/go.mod", r->formatted, "tidy/go.mod",
            r->text);
        putchar('\n');
        j->status = 1;
    }
    if (strcmp(old, sum) != 0) {
        diff_write(stdout, "current/go.sum", old, "tidy/go.sum", sum);
        putchar('\n');
        j->status = 1;
    }
}

static enum rt_status
store(struct graph *g, const struct tidy_result *r, struct rt_err *err)
{
    enum rt_status st = RT_OK;

    if (r->sum != NULL &&
        (r->old_sum == NULL || strcmp(r->old_sum, r->sum) != 0))
        st = replace(g->a, r->sum_path, r->sum, err);
    if (st == RT_OK && strcmp(r->old, r->text) != 0)
        st = replace(g->a, r->path, r->text, err);
    return st;
}

static enum rt_status
run(void *arg, struct graph *g, struct rt_err *err)
{
    struct job *j = arg;
    struct mod_fetcher f = {.quiet = j->s->quiet,
        .commands = j->s->commands, .who = "go"};
    struct download_options o = mod_options(&f, without_work);
    const struct tidy_options t = {.errors = j->s->errors, .go = j->s->go,
        .compat = j->s->compat, .say = say};
    struct tidy_result r;
    struct download *d;
    enum rt_status st;
    unsigned i;

    if (g->mods.root == NULL)
        return rt_errf(err, RT_EFORMAT, UINT64_MAX, "go: go.mod file not "
            "found in current directory or any parent directory; see 'go "
            "help modules'");
    st = download_attach(&g->mods, g->mods.cwd, &o, &d, err);
    if (st == RT_OK)
        st = tidy_module(g, d, &t, &r, err);
    for (i = 0; st == RT_OK && j->s->verbose && i < r.unused.n; i++)
        fprintf(stderr, "unused %s\n", r.unused.at[i]);
    if (st == RT_OK && j->s->diff)
        show(j, &r);
    else if (st == RT_OK)
        st = store(g, &r, err);
    fetch_free(f.f);
    return st;
}

/* Is it a version of the language, or not given?  Says if it is not. */
static bool
good_version(const char *flag, const char *v)
{
    if (v == NULL)
        return true;
    if (!semver_go_valid(v))
        fprintf(stderr, "invalid value \"%s\" for flag -%s: expecting a Go "
            "version like \"%s\"\n", v, flag, &RT_GO_VERSION[2]);
    else if (semver_go_minor(v) > RT_GO_MINOR)
        fprintf(stderr, "invalid value \"%s\" for flag -%s: maximum "
            "supported Go version is %s\n", v, flag, &RT_GO_VERSION[2]);
    else
        return true;
    return false;
}

int
mod_tidy(const struct mod_flags *s)
{
    struct job j = {.s = s};
    struct program_options o = {
        .library = host_library(), .env = without_work, .mod = "mod"};
    struct rt_err err;
    enum rt_status st;

    if (!good_version("go", s->go) || !good_version("compat", s->compat))
        return 2;
    st = program_graph(&o, run, &j, &err);
    if (st != RT_OK && err.text[0] != 0)
        fprintf(stderr, "%s%s\n",
            strncmp(err.text, "go: ", 4) == 0 ? "" : "go: ", err.text);
    if (st != RT_OK)
        return 1;
    return j.status != 0 ? j.status : cmd_flush("vole");
}
