/* SPDX-License-Identifier: MIT */

/*
 * lang-check [-a] [-l libdir] [-d] file.go...: parses and checks one package
 * and prints the errors.  -a: all of them, not only the first ten.  Imports
 * come from libdir/<path>; -b checks the bodies of all functions of all
 * imported packages, too.  -i prints the order of initialisation.  -t prints
 * how long it took.  A tool for tests, not installed.
 */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/base/arena.h"
#include "runtime/lang/types/check.h"

struct driver {
    struct rt_arena arena;
    struct lang_sources src;
    struct lang_names names;
    struct lang_diag diag;
    struct parse_ctx ctx;
    const char *lib;
};

static int
by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum rt_status
load(void *ctx, const char *path, struct ast_file ***files, uint32_t *n,
    struct rt_err *err)
{
    struct driver *d = ctx;
    char *dir = rt_arena_printf(&d->arena, "%s/%s", d->lib, path);
    DIR *h = d->lib ? opendir(dir) : NULL;
    char *names[256];
    struct dirent *e;
    uint32_t i;

    *n = 0;
    if (!h)
        return RT_EUNSUP;
    while ((e = readdir(h)) != NULL && *n < 256) {
        size_t len = strlen(e->d_name);

        if (len > 3 && strcmp(e->d_name + len - 3, ".go") == 0)
            names[(*n)++] = rt_arena_printf(&d->arena, "%s/%s", dir, e->d_name);
    }
    closedir(h);
    qsort(names, *n, sizeof *names, by_name);
    *files = rt_arena_array(&d->arena, *n + 1, sizeof **files);
    for (i = 0; i < *n; i++) {
        struct lang_file *f;

        if (lang_sources_read(&d->src, names[i], names[i], &f, err) != RT_OK)
            return RT_EIO;
        parse_file(&d->ctx, f, PARSE_LAZY_BODIES, &(*files)[i]);
    }
    return *n ? RT_OK : RT_EUNSUP;
}

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void
print_inits(struct check_pkg *p)
{
    uint32_t i, j;

    for (i = 0; i < p->ninit_items; i++) {
        printf("%s: init", p->path);
        for (j = 0; j < p->init_items[i].nlhs; j++)
            printf(" %s", p->init_items[i].lhs[j]->name->text);
        printf("\n");
    }
}

/* Other messages of the parser leave a good tree, as in Go's compiler. */
static int
has_syntax_error(const struct lang_diag *d)
{
    uint32_t i;

    for (i = 0; i < d->nmsg; i++)
        if (strncmp(d->msg[i].text, "syntax error", 12) == 0)
            return 1;
    return 0;
}

int
main(int argc, char **argv)
{
    static struct driver d;
    struct check_host host = {.ctx = &d, .load = load};
    struct ast_file *files[64];
    struct check_pkg *pkg;
    struct check *c;
    struct rt_err err = {0};
    uint32_t n = 0, i, j;
    int a, all = 0, bodies = 0, inits = 0, timing = 0;
    double t0 = now(), t1;

    for (a = 1; a < argc && argv[a][0] == '-' && argv[a][1]; a++) {
        if (argv[a][1] == 'a')
            all = 1;
        else if (argv[a][1] == 'b')
            bodies = 1;
        else if (argv[a][1] == 'i')
            inits = 1;
        else if (argv[a][1] == 't')
            timing = 1;
        else if (argv[a][1] == 'l' && a + 1 < argc)
            d.lib = argv[++a];
    }
    lang_sources_init(&d.src);
    lang_names_init(&d.names, &d.arena);
    lang_diag_init(&d.diag, &d.src, all ? 0 : LANG_DIAG_LIMIT);
    d.ctx = (struct parse_ctx){.arena = &d.arena,
        .src = &d.src,
        .names = &d.names,
        .diag = &d.diag};
    for (; a < argc && n < 64; a++) {
        struct lang_file *f;

        if (lang_sources_read(&d.src, argv[a], argv[a], &f, &err) != RT_OK) {
            fprintf(stderr, "%s\n", err.text);
            return 2;
        }
        parse_file(&d.ctx, f, 0, &files[n++]);
    }
    if (n == 0)
        return 2;
    if (!has_syntax_error(&d.diag)) {
        c = check_new(&d.ctx, &host);
        t1 = now();
        pkg = check_package(c, "main", files, n);
        for (i = 0; bodies && i < c->norder; i++) {
            struct check_pkg *p = c->order[i];

            for (j = 0; j < p->nfuncs; j++)
                check_func_body(c, p->funcs[j]);
            for (j = 0; j < p->scope->n; j++) {
                check_lookup(p, p->scope->list[j]->name->text);
                if (p->scope->list[j]->kind == OBJ_VAR)
                    check_var_init(c, p->scope->list[j]);
            }
            check_init_order(c, p);
        }
        if (timing)
            printf("parse %.3f ms, check %.3f ms\n", t1 - t0, now() - t1);
        if (inits)
            for (i = 0; i < c->norder; i++)
                print_inits(c->order[i]);
        (void)pkg;
        check_free(c);
    }
    lang_diag_write(&d.diag, stdout);
    n = (uint32_t)lang_diag_any(&d.diag);
    lang_diag_free(&d.diag);
    lang_names_free(&d.names);
    lang_sources_free(&d.src);
    rt_arena_free(&d.arena);
    return n ? 1 : 0;
}
