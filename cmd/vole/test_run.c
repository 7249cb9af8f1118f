/* SPDX-License-Identifier: MIT */
#include "cmd/vole/test_run.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "runtime/base/throw.h"

/* ---- the packages ------------------------------------------------------------- */

void
test_run_add(struct test_runner *r, const char *path, const char *dir,
    bool has_tests, const char *error)
{
    struct test_package *p;

    if (r->n == r->cap) {
        unsigned cap = r->cap == 0 ? 16 : r->cap * 2;

        p = realloc(r->at, cap * sizeof *p);
        if (p == NULL) {
            r->nomem = true;
            return;
        }
        r->at = p;
        r->cap = cap;
    }
    p = &r->at[r->n++];
    *p = (struct test_package){
        .path = strdup(path),
        .dir = strdup(dir),
        .error = error == NULL ? NULL : strdup(error),
        .has_tests = has_tests,
    };
    r->nomem |= p->path == NULL || p->dir == NULL ||
        (p->error == NULL) != (error == NULL);
}

void
test_run_end(struct test_runner *r)
{
    for (unsigned i = 0; i < r->n; i++) {
        free(r->at[i].path);
        free(r->at[i].dir);
        free(r->at[i].error);
        free(r->at[i].proc.text);
        test_again_end(&r->at[i].again);
    }
    free(r->at);
}

static bool
needs_process(const struct test_runner *r, const struct test_package *p)
{
    return p->error == NULL && (p->has_tests || r->covers);
}

/* ---- processes ---------------------------------------------------------------- */

/* The flags for the process of a package, as words behind those that are
 * there; how many there are now. */
static unsigned
child_words(const struct test_child_flags *child, const char **argv,
    unsigned n, unsigned most)
{
    for (const struct arg_flag *f = test_child_flags;
        f->name != NULL && n < most; f++) {
        const void *at = (const char *)child + f->at;
        const char *text = NULL;
        uint64_t number = 0;
        int size = 0;

        if (f->kind == ARG_BOOL)
            text = *(const bool *)at ? "true" : NULL;
        else if (f->kind == ARG_U64)
            memcpy(&number, at, sizeof number);
        else
            memcpy(&text, at, sizeof text);
        if (text != NULL)
            size = asprintf((char **)&argv[n], "-%s=%s", f->name, text);
        else if (number != 0)
            size = asprintf((char **)&argv[n], "-%s=%" PRIu64, f->name,
                number);
        n += size > 0;
    }
    return n;
}

/* Makes the file by which tests start their program again, with the folder where
 * it is kept compiled.  Where that cannot be, they have to do without. */
static void
make_again(struct test_package *p, struct test_child_flags *child)
{
    enum { MOST = 128 };
    const char *argv[MOST];
    unsigned n = 0, first;

    if (!test_again_begin(&p->again))
        return;
    argv[n++] = "test";
    argv[n++] = TEST_CHILD;
    argv[n++] = TEST_ALONE;
    argv[n++] = p->dir;
    argv[n++] = p->path;
    first = n;
    child->image = p->again.dir;
    n = child_words(child, argv, n, MOST - 1);
    argv[n] = NULL;
    if (!test_again_make(&p->again, p->path, argv)) {
        test_again_end(&p->again);
        child->image = NULL;
    }
    child->again = p->again.file;
    while (n > first)
        free((char *)argv[--n]);
}

static bool
start(struct test_runner *r, struct test_package *p)
{
    enum { LETTER = 3, MOST = 256 };
    struct test_child_flags child = r->child;
    const char *argv[MOST];
    char *profile;
    unsigned n = 0, first, last, i;
    bool ok = test_cover_file(&r->cover, (unsigned)(p - r->at), &profile);

    rt_assert(!p->started);
    if (ok) {
        make_again(p, &child);
        argv[n++] = "vole";
        argv[n++] = "test";
        argv[n++] = TEST_CHILD;
        argv[n++] = NULL;
        argv[n++] = p->dir;
        argv[n++] = p->path;
        first = n;
        last = n = child_words(&child, argv, n, MOST / 2);
        argv[n++] = "--";
        for (i = 0; i < r->nargs; i++)
            argv[n++] = r->args[i];
        if (profile != NULL)
            argv[n++] = profile;
        for (i = 0; i < (unsigned)r->nmore && n < MOST - 1; i++)
            argv[n++] = r->more[i];
        argv[n] = NULL;
        ok = p->started = test_proc_start(&p->proc, argv, LETTER);
        while (last > first)
            free((char *)argv[--last]);
        free(profile);
    }
    if (!ok)
        fprintf(stderr, "vole: %s\n", strerror(errno));
    return ok;
}

/* ---- the report of one package ------------------------------------------------ */

/* A part of it. */
static void
emit(const struct test_package *p, const char *s, size_t n)
{
    if (n == 0)
        return;
    if (p->json != NULL) {
        test_json_write(p->json, s, n);
        return;
    }
    fwrite(s, 1, n, stdout);
    fflush(stdout);
}

static void __attribute__((format(printf, 3, 4)))
emitf(struct test_runner *r, const struct test_package *p, const char *fmt, ...)
{
    va_list ap;
    char *text;
    int n;

    va_start(ap, fmt);
    n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0) {
        r->nomem = true;
        return;
    }
    emit(p, text, (size_t)n);
    free(text);
}

/* With -json, the events of the package begin; without memory for them its
 * report is one for people. */
static void
begin_events(struct test_runner *r, struct test_package *p)
{
    if (r->json) {
        p->json = test_json_new(stdout, p->path);
        r->nomem |= p->json == NULL;
    }
}

static void
end_events(struct test_package *p, bool ok, double seconds, const char *failed)
{
    if (p->json != NULL)
        test_json_end(p->json, ok, seconds, failed);
    p->json = NULL;
}

static bool
said(const struct test_proc *o, const char *text)
{
    return o->n != 0 && memmem(o->text, o->n, text, strlen(text)) != NULL;
}

/* How the process ended, as go says it; nothing for status 0. */
static void
show_end(struct test_runner *r, const struct test_package *p)
{
    int status = p->proc.status;

    if (WIFSIGNALED(status))
        emitf(r, p, "signal: %s\n", strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        emitf(r, p, "exit status %d\n", WEXITSTATUS(status));
}

/* What of a package did not compile: as the messages' first line says,
 * "# path [path.test]". */
static char *
build_name(const struct test_package *p, const char *text, size_t n)
{
    const char *nl = n < 2 ? NULL : memchr(text, '\n', n);

    if (nl == NULL || strncmp(text, "# ", 2) != 0)
        return strdup(p->path);
    return strndup(text + 2, (size_t)(nl - text) - 2);
}

/* A package that does not run, and why: "setup" or "build". */
static void
report_broken(struct test_runner *r, struct test_package *p, const char *text,
    size_t n, const char *what)
{
    char *name = r->json ? build_name(p, text, n) : NULL;

    r->failed = true;
    if (name == NULL) {
        fwrite(text, 1, n, stderr);
        fflush(stderr);
    } else {
        test_json_build(stdout, name, text, n);
    }
    begin_events(r, p);
    emitf(r, p, "FAIL\t%s [%s failed]\n", p->path, what);
    end_events(p, false, 0, name);
    free(name);
}

/* What is wrong with imports gets a line above it. */
static void
report_setup(struct test_runner *r, struct test_package *p, const char *text,
    size_t n)
{
    char *all;
    int len = asprintf(&all, "# %s\n%.*s", p->path, (int)n, text);

    if (len < 0) {
        r->nomem = true;
        return;
    }
    report_broken(r, p, all, (size_t)len, "setup");
    free(all);
}

static void
report_good(struct test_runner *r, const struct test_package *p)
{
    const struct test_proc *o = &p->proc;
    size_t n = 0;
    const char *covered = r->covers && o->n != 0
        ? test_cover_said(o->text, o->n, &n) : NULL;

    if (!p->has_tests) {
        emitf(r, p, "\t%s\t\tcoverage: 0.0%% of statements\n", p->path);
        return;
    }
    emitf(r, p, "ok  \t%s\t%.3fs%s%.*s%s\n", p->path, o->seconds,
        covered == NULL ? "" : "\t", (int)n, covered == NULL ? "" : covered,
        said(o, "testing: warning: no tests to run\n")
            ? " [no tests to run]" : "");
}

static void
report_bad(struct test_runner *r, const struct test_package *p)
{
    const struct test_proc *o = &p->proc;

    emit(p, o->text + p->shown, o->n - p->shown);
    if (o->n != 0 && o->text[o->n - 1] != '\n')
        emit(p, "\n", 1);
    /* As with go, what was kept back says enough. */
    if (o->n == 0 || r->ends)
        show_end(r, p);
    /* The mark: it is no line of a test that ended so. */
    emitf(r, p, "%sFAIL\t%s\t%.3fs\n",
        p->json != NULL ? TEST_JSON_MARK : "", p->path, o->seconds);
    r->failed = true;
}

/* Its process has ended. */
static void
report(struct test_runner *r, struct test_package *p)
{
    const struct test_proc *o = &p->proc;
    bool ok = o->how == TEST_RUNS && WIFEXITED(o->status) &&
        WEXITSTATUS(o->status) == 0;

    if (o->lost) {
        fprintf(stderr, "vole: out of memory: what the tests of %s wrote is "
            "not whole\n", p->path);
        r->failed = true;
    }
    if (o->how == TEST_SETUP)
        report_setup(r, p, o->text, o->n);
    else if (o->how != TEST_RUNS)
        report_broken(r, p, o->text, o->n, "build");
    else if (ok)
        report_good(r, p);
    else
        report_bad(r, p);
    test_cover_add(&r->cover, (unsigned)(p - r->at), p->has_tests);
    end_events(p, o->status == 0, o->seconds, NULL);
    test_again_end(&p->again);
}

/* It needs no process. */
static void
report_unrun(struct test_runner *r, struct test_package *p)
{
    char *text;
    int n;

    if (p->error == NULL) {
        begin_events(r, p);
        emitf(r, p, "?   \t%s\t[no test files]\n", p->path);
        end_events(p, true, 0, NULL);
        return;
    }
    n = asprintf(&text, "%s\n", p->error);
    r->nomem |= n < 0;
    if (n >= 0) {
        report_setup(r, p, text, (size_t)n);
        free(text);
    }
}

/* ---- several at a time -------------------------------------------------------- */

/* What can be told of p now; `turn`: all before it are reported. */
static void
advance(struct test_runner *r, struct test_package *p, bool turn)
{
    struct test_proc *o = &p->proc;
    bool now = turn || r->json;

    rt_assert(p == r->at || p[-1].announced);
    if (!p->announced) {
        if (p->started && !test_proc_known(o))
            return;
        p->announced = true;
        if (p->started && o->how == TEST_RUNS)
            begin_events(r, p);
    }
    if (!p->started) {
        if (now) {
            report_unrun(r, p);
            p->reported = true;
        }
        return;
    }
    if (now && r->live && p->has_tests && o->how == TEST_RUNS) {
        emit(p, o->text + p->shown, o->n - p->shown);
        p->shown = o->n;
    }
    if (now && o->ended) {
        report(r, p);
        p->reported = true;
    }
}

static bool
is_interrupted(const struct test_proc *o)
{
    return o->ended && WIFSIGNALED(o->status) &&
        (WTERMSIG(o->status) == SIGINT || WTERMSIG(o->status) == SIGTERM);
}

/* No more packages are begun: one has failed, be it reported or not yet, or the
 * user has had enough. */
static bool
stopped(const struct test_runner *r, unsigned first, unsigned next)
{
    bool failed = r->failed, interrupted = false;

    for (unsigned i = first; i < next; i++)
        failed |= r->at[i].proc.ended && r->at[i].proc.status != 0;
    for (unsigned i = 0; i < next; i++)
        interrupted |= is_interrupted(&r->at[i].proc);
    return (r->failfast && failed) ||
        (interrupted && r->child.explore.amount != NULL);
}

static void
let_be(int sig)
{
    (void)sig;
}

/* Signals from the terminal are the explorers': they tell first what they have
 * found.  A handler, unlike SIG_IGN, is none of theirs. */
static void
leave_signals(const struct test_runner *r)
{
    if (r->child.explore.amount == NULL)
        return;
    signal(SIGINT, let_be);
    signal(SIGTERM, let_be);
}

/* Packages from `first` to `next` are under way; starts as many more as may be,
 * and makes a list of those that run. */
static bool
start_more(struct test_runner *r, unsigned first, unsigned *next,
    struct test_proc **running, unsigned *n)
{
    *n = 0;
    for (unsigned i = first; i < *next; i++)
        if (r->at[i].started && !r->at[i].proc.ended)
            running[(*n)++] = &r->at[i].proc;
    if (stopped(r, first, *next))
        return true;
    for (; *next < r->n && *n < r->most; ++*next) {
        struct test_package *p = &r->at[*next];

        if (!needs_process(r, p))
            continue;
        if (!start(r, p))
            return false;
        running[(*n)++] = &p->proc;
    }
    return true;
}

bool
test_run(struct test_runner *r)
{
    struct test_proc *running[TEST_PROCS_MOST];
    unsigned first = 0, next = 0, n = 0;
    bool ok = true;

    rt_assert(r->most > 0 && r->most <= TEST_PROCS_MOST);
    leave_signals(r);
    while (ok) {
        ok = start_more(r, first, &next, running, &n);
        for (unsigned i = first; i < next; i++)
            if (!r->at[i].reported &&
                (i == first || r->at[i - 1].announced))
                advance(r, &r->at[i], i == first);
        if (first < next && r->at[first].reported)
            first++; /* whose turn it is now may have something to tell */
        else if (n > 0)
            test_procs_wait(running, n);
        else
            break;
    }
    rt_assert(!ok || first == next);
    return ok;
}
