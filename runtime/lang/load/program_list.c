/* SPDX-License-Identifier: MIT */
/* What the packages and the modules of a command line are, without loading
 * them. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/thread.h"
#include "runtime/lang/load/program_int.h"

struct listing {
    struct job job;
    void (*run)(struct listing *l);
    program_package_fn fn; /* or */
    program_graph_fn graph_fn;
    void *arg;
};

static void
tell(struct listing *l, const char *path, const char *dir)
{
    struct program *p = l->job.p;
    struct package_files f;
    struct rt_err err = {0};

    if (package_read(
            &p->front, dir, p->graph.tags, PACKAGE_TESTS, &f, &err) != RT_OK)
        f.error = rt_arena_printf(&p->front, "%s", err.text);
    l->fn(l->arg, path == NULL ? "command-line-arguments" : path, dir,
        f.error == NULL &&
            f.count[PACKAGE_TEST] + f.count[PACKAGE_XTEST] != 0,
        f.error);
}

static void
list_all(struct listing *l)
{
    struct job *j = &l->job;
    struct graph *g = &j->p->graph;
    unsigned i, k;

    program_open_graph(j);
    for (i = 0; i < j->npaths && j->st == RT_OK; i++) {
        struct paths_list dirs = {0}, paths = {0};

        j->st = graph_match(g, j->paths[i], &dirs, &paths, j->err);
        if (j->st == RT_EFORMAT && strstr(j->paths[i], "...") == NULL) {
            l->fn(l->arg, j->paths[i], "", false,
                g->errors.at[g->errors.n - 1]);
            j->st = RT_OK;
        }
        for (k = 0; k < dirs.n && j->st == RT_OK; k++)
            tell(l, paths.at[k], dirs.at[k]);
    }
    if (j->st == RT_EFORMAT && g->errors.n != 0)
        rt_errf(j->err, RT_EFORMAT, UINT64_MAX, "%s", g->errors.at[0]);
}

static void
run(void *arg)
{
    struct listing *l = arg;
    struct job *j = &l->job;
    struct rt_arena *a = &j->p->front;
    jmp_buf out;

    if (setjmp(out) == 0) {
        a->nomem = program_escape;
        a->nomem_arg = &out;
        l->run(l);
    } else {
        j->st = rt_errf(j->err, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    a->nomem = NULL;
}

/* Calls l->run with a program that is loaded no further. */
static enum rt_status
with_program(struct listing *l)
{
    struct job *j = &l->job;
    struct program *p = calloc(1, sizeof *p);
    enum rt_status st;

    if (p == NULL)
        return rt_errf(j->err, RT_ENOMEM, UINT64_MAX, "out of memory");
    j->p = p;
    j->st = program_init(p, j->opt, j->err);
    if (j->st == RT_OK) {
        /* Expressions of build constraints may be nested. */
        st = rt_thread_call(run, l, PROGRAM_LEAST_STACK, j->err);
        j->st = st == RT_OK ? j->st : st;
    }
    program_free(p);
    return j->st;
}

enum rt_status
program_packages(const char *const *words, unsigned n,
    const struct program_options *opt, program_package_fn fn, void *arg,
    struct rt_err *err)
{
    struct listing l = {.job = {.paths = words, .npaths = n, .opt = opt,
        .err = err}, .run = list_all, .fn = fn, .arg = arg};

    return with_program(&l);
}

static void
show_graph(struct listing *l)
{
    struct job *j = &l->job;
    struct graph *g = &j->p->graph;

    program_open_graph(j);
    if (j->st == RT_OK)
        j->st = l->graph_fn(l->arg, g, j->err);
    else if (g->errors.n != 0)
        rt_errf(j->err, j->st, UINT64_MAX, "%s", g->errors.at[0]);
}

enum rt_status
program_graph(const struct program_options *opt, program_graph_fn fn,
    void *arg, struct rt_err *err)
{
    struct listing l = {
        .job = {.opt = opt, .err = err}, .run = show_graph, .graph_fn = fn,
        .arg = arg};

    return with_program(&l);
}
