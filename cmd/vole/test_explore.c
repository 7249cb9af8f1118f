/* SPDX-License-Identifier: MIT */
/*
 * vole test -explore: the test functions of a package, one after the other,
 * each by itself in a program that runs nothing else.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/vole/explore.h"
#include "cmd/vole/test_cmd.h"
#include "cmd/vole/test_json.h"
#include "runtime/base/clock.h"

static const char run_flag[] = "-test.run=", list_flag[] = "-test.list=",
    json_flag[] = "-test.v=test2json";

/* ---- the list ----------------------------------------------------------------- */

/* Where the pattern for functions ends and that for their parts begins: at the
 * first slash that is in no brackets, or at the end. */
static const char *
parts_of(const char *pattern)
{
    int square = 0, round = 0;

    for (; *pattern != 0; pattern++) {
        if (*pattern == '\\' && pattern[1] != 0)
            pattern++;
        else if (*pattern == '[' || *pattern == ']')
            square += *pattern == '[' ? 1 : -1;
        else if ((*pattern == '(' || *pattern == ')') && square == 0)
            round += *pattern == '(' ? 1 : -1;
        else if (*pattern == '/' && square == 0 && round == 0)
            break;
    }
    return pattern;
}

static bool
chooses(const char *arg)
{
    return strncmp(arg, run_flag, sizeof run_flag - 1) == 0;
}

unsigned
test_explore_args(const char **args, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (chooses(args[i]))
            return n;
    memmove(args + 1, args, n * sizeof *args);
    args[0] = run_flag;
    return n + 1;
}

/* Runs the program with its standard output at fd. */
static void
list_into(struct vole *v, int fd)
{
    if (dup2(fd, 1) < 0)
        _exit(1);
    _exit(vole_run(v));
}

/* What the program prints, to be freed; NULL after a message. */
static char *
output_of(struct vole *v)
{
    char *text = NULL;
    size_t size = 0;
    FILE *all = open_memstream(&text, &size), *in;
    int fd[2], status = 0, c;

    if (all == NULL || pipe(fd) != 0) {
        perror("vole test");
        if (all != NULL)
            fclose(all);
        free(text);
        return NULL;
    }
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        list_into(v, fd[1]);
    close(fd[1]);
    in = fdopen(fd[0], "r");
    while (in != NULL && (c = getc(in)) != EOF)
        putc(c, all);
    if (in != NULL)
        fclose(in);
    fclose(all);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (pid > 0 && status == 0)
        return text;
    fprintf(stderr, "vole test: the tests cannot be listed\n");
    free(text);
    return NULL;
}

/* Benchmarks are not explored, and a TestMain may print whatever it likes. */
static bool
is_test(const char *name)
{
    static const char *const kinds[] = {"Test", "Example", "Fuzz"};

    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(name, kinds[i], strlen(kinds[i])) == 0)
            return strpbrk(name, " \t/:") == NULL;
    return false;
}

/* ---- one of them --------------------------------------------------------------- */

static void
put_flag(const char *flag, FILE *out)
{
    char *word;

    if (asprintf(&word, "-%s", flag) < 0)
        return;
    explore_word(word, out);
    putc(' ', out);
    free(word);
}

/* The rest of the command that shows a failure again: the flags of the program
 * that decide what it does, and the package. */
static char *
replay_words(const struct test_explore *x)
{
    static const char *const own[] = {"-test.paniconexit0",
        "-test.outputdir=", "-test.leaks=", json_flag};
    const struct test_child_flags *f = x->flags;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    if (f->tags != NULL)
        fprintf(out, "-tags %s ", f->tags);
    if (f->mod != NULL)
        fprintf(out, "-mod %s ", f->mod);
    if (f->lang != NULL)
        fprintf(out, "-lang %s ", f->lang);
    if (f->jit != NULL)
        fprintf(out, "-jit=%s ", f->jit);
    unsigned i = 0;
    for (; x->args[i] != NULL; i++) {
        const char *a = x->args[i];
        bool skip = false;

        if (strncmp(a, "-test.", 6) != 0)
            break;
        for (unsigned k = 0; k < sizeof own / sizeof *own; k++)
            skip = skip || strncmp(a, own[k], strlen(own[k])) == 0;
        if (skip)
            continue;
        put_flag(a + strlen("-test."), out);
    }
    explore_word(x->path, out);
    if (x->args[i] != NULL)
        fprintf(out, " -args");
    for (; x->args[i] != NULL; i++) {
        putc(' ', out);
        explore_word(x->args[i], out);
    }
    fclose(out);
    return text;
}

static bool
makes_json(const char *const *args)
{
    for (; *args != NULL; args++)
        if (strcmp(*args, json_flag) == 0)
            return true;
    return false;
}

/* explore_tell() as a test of its own, which takes as long as all schedules. */
static int
explore_as_test(const struct explore_subject *s, struct explore_config *c)
{
    int64_t begin = rt_nanotime();
    int status;

    fprintf(stderr, TEST_JSON_MARK "=== RUN   %s\n", s->test);
    status = explore_tell(s, c);
    fprintf(stderr, TEST_JSON_MARK "--- %s: %s (%.2fs)\n",
        status == 0 ? "PASS" : "FAIL", s->test,
        (double)(rt_nanotime() - begin) / 1e9);
    return status;
}

static int
explore_one(const struct test_explore *x, unsigned at, const char *name,
    const char *parts)
{
    struct explore_config c;
    char *arg, *words;
    int status = 2;

    if (asprintf(&arg, "%s^%s$%s", run_flag, name, parts) < 0)
        return 2;
    x->args[at] = arg;
    words = replay_words(x);
    if (words != NULL && explore_options("test", &x->flags->explore, &c)) {
        struct explore_subject s = {.v = x->v, .command = "test",
            .words = words, .test = name, .race = x->flags->race,
            .marked = makes_json(x->args)};

        status = s.marked ? explore_as_test(&s, &c) : explore_tell(&s, &c);
    }
    free(words);
    free(arg);
    return status;
}

int
test_explore(const struct test_explore *x)
{
    unsigned at = 0;
    while (!chooses(x->args[at]))
        at++;
    const char *chosen = x->args[at] + sizeof run_flag - 1;
    const char *parts = parts_of(chosen);
    char *list, *arg, *rest;
    int failed = 0, status;

    if (asprintf(&arg, "%s%.*s", list_flag,
            parts == chosen ? 1 : (int)(parts - chosen),
            parts == chosen ? "." : chosen) < 0)
        return 2;
    x->args[at] = arg;
    list = output_of(x->v);
    free(arg);
    if (list == NULL)
        return 2;
    for (char *name = strtok_r(list, "\n", &rest); name != NULL;
        name = strtok_r(NULL, "\n", &rest)) {
        if (!is_test(name))
            continue;
        status = explore_one(x, at, name, parts);
        failed = failed != 0 ? failed : status;
    }
    free(list);
    return failed;
}
