/* SPDX-License-Identifier: MIT */

/*
 * lang-cost file.go...: parses and checks each file as a program of its own
 * and prints, for each, the processor time that it took in nanoseconds, the
 * least of some rounds, and the first message or "-".  There is no library.  A
 * tool for tests, not installed.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/base/arena.h"
#include "runtime/base/thread.h"
#include "runtime/lang/types/check.h"

enum {
    STACK = 1 << 30,
    ROUNDS = 3,
    ENOUGH = 300 * 1000 * 1000, /* ns; one round will do */
};

struct job {
    const char *path;
    long long ns;
    char said[120]; /* the first message; empty if there was none */
};

static long long
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Processor time of one compilation; -1 where the file cannot be read. */
static long long
compile(struct job *j)
{
    const char *path = j->path;
    struct rt_arena arena = {0};
    struct lang_sources src;
    struct lang_names names;
    struct lang_diag diag;
    struct parse_ctx ctx = {
        .arena = &arena, .src = &src, .names = &names, .diag = &diag};
    struct rt_err err = {0};
    struct lang_file *f;
    struct ast_file *tree;
    struct check *c;
    long long t = -1;

    lang_sources_init(&src);
    if (lang_names_init(&names, &arena) != 0)
        abort();
    lang_diag_init(&diag, &src, LANG_DIAG_LIMIT);
    parse_use_stack(&ctx, STACK - (1 << 16));
    if (lang_sources_read(&src, path, path, &f, &err) == RT_OK) {
        t = now();
        if (parse_file(&ctx, f, 0, &tree) == RT_OK &&
            !lang_diag_syntax(&diag)) {
            c = check_new(&ctx, NULL);
            check_package(c, "main", &tree, 1);
            check_free(c);
        }
        t = now() - t;
        if (lang_diag_any(&diag)) {
            lang_diag_sort(&diag);
            snprintf(j->said, sizeof j->said, "%s", diag.msg[0].text);
        }
    }
    lang_diag_free(&diag);
    lang_names_free(&names);
    lang_sources_free(&src);
    rt_arena_free(&arena);
    return t;
}

static void
measure(void *arg)
{
    struct job *j = arg;
    int i;

    for (i = 0; i < ROUNDS && (i == 0 || j->ns < ENOUGH); i++) {
        long long t = compile(j);

        if (i == 0 || t < j->ns)
            j->ns = t;
    }
}

int
main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++) {
        struct job j = {argv[i], -1, ""};
        struct rt_err err = {0};

        if (rt_thread_call(measure, &j, STACK, &err) != RT_OK ||
            j.ns < 0) {
            fprintf(stderr, "%s: cannot be measured\n", argv[i]);
            return 2;
        }
        printf("%lld %s\n", j.ns, j.said[0] ? j.said : "-");
    }
    return 0;
}
