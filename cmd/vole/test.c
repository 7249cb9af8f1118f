/* SPDX-License-Identifier: MIT */
/*
 * vole test: finds packages, runs the tests of each in a process of its own,
 * one after the other, and reports as `go test` does.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/common/args.h"
#include "cmd/vole/test_again.h"
#include "cmd/vole/test_cmd.h"
#include "cmd/vole/test_cover.h"
#include "cmd/vole/test_json.h"
#include "cmd/vole/vole_cmd.h"
#include "runtime/vole.h"

struct test_flags {
    /* Of the program: handed on as -test.NAME. */
    bool v, brief, benchmem, failfast, artifacts, fullpath;
    const char *run, *skip, *bench, *benchtime, *count, *timeout, *cpu,
        *parallel, *shuffle, *list, *fuzz, *cpuprofile, *memprofile,
        *memprofilerate, *blockprofile, *blockprofilerate, *mutexprofile,
        *mutexprofilefraction, *trace, *outputdir;
    /* Of the command. */
    struct test_child_flags child;
    bool json;
    struct test_cover_flags cover;
    const char *vet;
};

#define AT(field) offsetof(struct test_flags, field)

static const struct arg_flag flags[] = {
    {"run", ARG_STR, AT(run), "regexp", "run the tests and examples it fits"},
    {"skip", ARG_STR, AT(skip), "regexp", "leave those out that it fits"},
    {"v", ARG_BOOL, AT(v), NULL, "show all tests and what they log"},
    {"short", ARG_BOOL, AT(brief), NULL, "testing.Short() is true"},
    {"count", ARG_STR, AT(count), "n", "run all n times"},
    {"timeout", ARG_STR, AT(timeout), "d", "end a package's tests then (10m)"},
    {"failfast", ARG_BOOL, AT(failfast), NULL, "begin no test after a failure"},
    {"shuffle", ARG_STR, AT(shuffle), "on|off|n", "run in another order"},
    {"parallel", ARG_STR, AT(parallel), "n", "parallel tests at a time"},
    {"cpu", ARG_STR, AT(cpu), "list", "run with each GOMAXPROCS: 1,2,4"},
    {"list", ARG_STR, AT(list), "regexp", "list what it fits, run nothing"},
    {"bench", ARG_STR, AT(bench), "regexp", "run the benchmarks it fits, too"},
    {"benchtime", ARG_STR, AT(benchtime), "d|Nx",
        "how long, or how often, a benchmark runs (1s)"},
    {"benchmem", ARG_BOOL, AT(benchmem), NULL, "show allocations"},
    {"fuzz", ARG_STR, AT(fuzz), "regexp",
        "only for who passes it: seeds are run, nothing is made up"},
    {"cpuprofile", ARG_OUT, AT(cpuprofile), "file", "write a CPU profile"},
    {"memprofile", ARG_OUT, AT(memprofile), "file",
        "write an allocation profile"},
    {"memprofilerate", ARG_STR, AT(memprofilerate), "n",
        "set runtime.MemProfileRate"},
    {"blockprofile", ARG_OUT, AT(blockprofile), "file",
        "write a profile of waiting"},
    {"blockprofilerate", ARG_STR, AT(blockprofilerate), "n",
        "call runtime.SetBlockProfileRate"},
    {"mutexprofile", ARG_OUT, AT(mutexprofile), "file",
        "write a profile of contended mutexes"},
    {"mutexprofilefraction", ARG_STR, AT(mutexprofilefraction), "n",
        "call runtime.SetMutexProfileFraction"},
    {"trace", ARG_OUT, AT(trace), "file", "write an execution trace"},
    {"outputdir", ARG_STR, AT(outputdir), "dir", "where these files go"},
    {"fullpath", ARG_BOOL, AT(fullpath), NULL, "show whole paths of files"},
    {"artifacts", ARG_BOOL, AT(artifacts), NULL,
        "keep what tests put into t.ArtifactDir()"},
    {"json", ARG_BOOL, AT(json), NULL, "report as JSON, for programs"},
    {"cover", ARG_BOOL, AT(cover.on), NULL,
        "say which part of the statements was executed"},
    {"covermode", ARG_STR, AT(cover.mode), "mode",
        "whether (set), how often (count, atomic) they were"},
    {"coverpkg", ARG_STR, AT(cover.pkg), "list",
        "measure these packages, not that of the tests"},
    {"coverprofile", ARG_OUT, AT(cover.profile), "file",
        "write a profile for go tool cover"},
    ARG_FOLDER_FLAG,
    {"tags", ARG_STR, AT(child.tags), "list", "build tags that hold besides vole's"},
    {"race", ARG_BOOL, AT(child.race), NULL,
        "report data races, which fail tests"},
    {"mod", ARG_STR, AT(child.mod), "mode", "readonly, vendor or mod"},
    {"lang", ARG_STR, AT(child.lang), "version", "the language's version"},
    {"vet", ARG_STR, AT(vet), "list", "accepted; there is no vet"},
    EXPLORE_FLAGS(AT(child.explore)),
    {"leaks", ARG_BOOL, AT(child.explore.leaks), NULL,
        "a test fails that leaves goroutines behind"},
    {0},
};

const struct arg_flag *
cmd_test_flags(void)
{
    return flags;
}

static const char head[] =
    "Usage: vole test [flags] [packages] [-args arguments]\n\n"
    "Runs the tests of packages: those in the current folder, or of folders,\n"
    "import paths and patterns such as ./...  The report is that of go test;\n"
    "the exit status 1 if a test failed or did not compile.\n\n";

void
cmd_test_help(FILE *out)
{
    char text[8192];

    args_describe(flags, text, sizeof text);
    fprintf(out, "%s%s\nExample: vole test -v -run 'TestX/small' ./...\n",
        head, text);
}

/* ---- the packages ------------------------------------------------------------- */

struct package {
    char *path, *dir, *error;
    bool has_tests;
};

struct tester {
    struct test_flags f;
    struct package *at;
    unsigned n, cap;
    bool nomem;
    bool listed; /* packages were named; else it is the current folder */
    const char *self;
    const char *args[64]; /* of the program */
    unsigned nargs;
    char **more; /* what came behind -args */
    int nmore;
    struct test_cover cover;
    struct test_again again;
    struct test_json *json; /* of the package being tested; NULL without */
    bool failed;
};

static void
add_package(void *arg, const char *path, const char *dir, bool has_tests,
    const char *error)
{
    struct tester *t = arg;
    struct package *p;

    if (t->n == t->cap) {
        unsigned cap = t->cap == 0 ? 16 : t->cap * 2;

        p = realloc(t->at, cap * sizeof *p);
        if (p == NULL) {
            t->nomem = true;
            return;
        }
        t->at = p;
        t->cap = cap;
    }
    p = &t->at[t->n++];
    p->path = strdup(path);
    p->dir = strdup(dir);
    p->error = error == NULL ? NULL : strdup(error);
    p->has_tests = has_tests;
    t->nomem |= p->path == NULL || p->dir == NULL;
}

static void
free_packages(struct tester *t)
{
    unsigned i;

    for (i = 0; i < t->n; i++) {
        free(t->at[i].path);
        free(t->at[i].dir);
        free(t->at[i].error);
    }
    free(t->at);
}

/* ---- one package ---------------------------------------------------------------- */

/* What a process has written, and whether it goes out at once. */
struct output {
    char *text;
    size_t n, cap;
    bool live, lost;
};

/* A part of the report. */
static void
emit(struct tester *t, const char *s, size_t n)
{
    if (n == 0)
        return;
    if (t->json != NULL) {
        test_json_write(t->json, s, n);
        return;
    }
    fwrite(s, 1, n, stdout);
    fflush(stdout);
}

static void __attribute__((format(printf, 2, 3)))
emitf(struct tester *t, const char *fmt, ...)
{
    va_list ap;
    char *text;
    int n;

    va_start(ap, fmt);
    n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0) {
        t->nomem = true;
        return;
    }
    emit(t, text, (size_t)n);
    free(text);
}

/* With -json, the events of the package begin; without memory for them its
 * report is one for people. */
static void
begin_events(struct tester *t, const struct package *p)
{
    if (t->f.json) {
        t->json = test_json_new(stdout, p->path);
        t->nomem |= t->json == NULL;
    }
}

static void
end_events(struct tester *t, bool ok, double seconds, const char *failed)
{
    if (t->json != NULL)
        test_json_end(t->json, ok, seconds, failed);
    t->json = NULL;
}

static void
take(struct tester *t, struct output *o, const char *s, size_t n)
{
    if (o->live)
        emit(t, s, n);
    if (o->n + n > o->cap) {
        size_t cap = (o->n + n) * 2 + 4096;
        char *p = realloc(o->text, cap);

        if (p == NULL) {
            o->lost = true;
            return;
        }
        o->text = p;
        o->cap = cap;
    }
    memcpy(o->text + o->n, s, n);
    o->n += n;
}

static bool
said(const struct output *o, const char *text)
{
    return o->n != 0 && memmem(o->text, o->n, text, strlen(text)) != NULL;
}

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

/* Makes the file by which tests start their program again.  Where that cannot
 * be, they have to do without. */
static void
make_again(struct tester *t, const struct package *p)
{
    enum { MOST = 128 };
    const char *argv[MOST];
    unsigned n = 0, first;

    if (t->again.dir == NULL && !test_again_begin(&t->again))
        return;
    argv[n++] = "test";
    argv[n++] = TEST_CHILD;
    argv[n++] = TEST_ALONE;
    argv[n++] = p->dir;
    argv[n++] = p->path;
    first = n;
    t->f.child.again = NULL;
    n = child_words(&t->f.child, argv, n, MOST - 1);
    argv[n] = NULL;
    if (test_again_make(&t->again, p->path, argv))
        t->f.child.again = t->again.file;
    while (n > first)
        free((char *)argv[--n]);
}

/* Becomes the process of the package. */
static void
become(const struct tester *t, const struct package *p, int tell)
{
    enum { MOST = 256 };
    char fd[16];
    const char *argv[MOST];
    unsigned n = 0, i;

    snprintf(fd, sizeof fd, "%d", tell);
    argv[n++] = "vole";
    argv[n++] = "test";
    argv[n++] = TEST_CHILD;
    argv[n++] = fd;
    argv[n++] = p->dir;
    argv[n++] = p->path;
    n = child_words(&t->f.child, argv, n, MOST / 2);
    argv[n++] = "--";
    for (i = 0; i < t->nargs; i++)
        argv[n++] = t->args[i];
    for (i = 0; i < (unsigned)t->nmore && n < MOST - 1; i++)
        argv[n++] = t->more[i];
    argv[n] = NULL;
    execv(t->self, (char *const *)argv);
    fprintf(stderr, "vole: %s: %s\n", t->self, strerror(errno));
    _exit(127);
}

/* Starts the process; *out is where its output comes from, *told how far it
 * came. */
static pid_t
start(const struct tester *t, const struct package *p, int *out, int *told)
{
    int o[2], w[2];
    pid_t pid;

    if (pipe(o) != 0)
        return -1;
    if (pipe(w) != 0) {
        close(o[0]);
        close(o[1]);
        return -1;
    }
    fcntl(o[0], F_SETFD, FD_CLOEXEC);
    fcntl(w[0], F_SETFD, FD_CLOEXEC);
    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        dup2(o[1], 1);
        dup2(o[1], 2);
        close(o[1]);
        become(t, p, w[1]);
    }
    close(o[1]);
    close(w[1]);
    *out = o[0];
    *told = w[0];
    return pid;
}

/* Reads until the end; the letter of how far it came, 0 for none. */
static char
listen_to(struct tester *t, const struct package *p, int out, int told,
    struct output *o)
{
    char buf[65536], how = 0;
    ssize_t n;

    while (read(told, &how, 1) < 0 && errno == EINTR)
        ;
    close(told);
    o->live &= how == TEST_RUNS;
    if (how == TEST_RUNS)
        begin_events(t, p);
    while ((n = read(out, buf, sizeof buf)) != 0) {
        if (n > 0)
            take(t, o, buf, (size_t)n);
        else if (errno != EINTR)
            break;
    }
    close(out);
    return how;
}

static double
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* How the process ended, as go says it; nothing for status 0. */
static void
show_end(struct tester *t, int status)
{
    if (WIFSIGNALED(status))
        emitf(t, "signal: %s\n", strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        emitf(t, "exit status %d\n", WEXITSTATUS(status));
}

/* What of a package did not compile: as the messages' first line says,
 * "# path [path.test]". */
static char *
build_name(const struct package *p, const char *text, size_t n)
{
    const char *nl = n < 2 ? NULL : memchr(text, '\n', n);

    if (nl == NULL || strncmp(text, "# ", 2) != 0)
        return strdup(p->path);
    return strndup(text + 2, (size_t)(nl - text) - 2);
}

/* A package that does not run, and why: "setup" or "build". */
static void
report_broken(struct tester *t, const struct package *p, const char *text,
    size_t n, const char *what)
{
    char *name = t->f.json ? build_name(p, text, n) : NULL;

    t->failed = true;
    if (name == NULL) {
        fwrite(text, 1, n, stderr);
        fflush(stderr);
    } else {
        test_json_build(stdout, name, text, n);
    }
    begin_events(t, p);
    emitf(t, "FAIL\t%s [%s failed]\n", p->path, what);
    end_events(t, false, 0, name);
    free(name);
}

/* What is wrong with imports gets a line above it. */
static void
report_setup(struct tester *t, const struct package *p, const char *text,
    size_t n)
{
    char *all;
    int len = asprintf(&all, "# %s\n%.*s", p->path, (int)n, text);

    if (len < 0) {
        t->nomem = true;
        return;
    }
    report_broken(t, p, all, (size_t)len, "setup");
    free(all);
}

static void
report_good(struct tester *t, const struct package *p,
    const struct output *o, double seconds)
{
    size_t n = 0;
    const char *covered = test_cover_on(&t->f.cover) && o->n != 0
        ? test_cover_said(o->text, o->n, &n) : NULL;

    if (!p->has_tests) {
        emitf(t, "\t%s\t\tcoverage: 0.0%% of statements\n", p->path);
        return;
    }
    emitf(t, "ok  \t%s\t%.3fs%s%.*s%s\n", p->path, seconds,
        covered == NULL ? "" : "\t", (int)n, covered == NULL ? "" : covered,
        said(o, "testing: warning: no tests to run\n")
            ? " [no tests to run]" : "");
}

static void
report(struct tester *t, const struct package *p, const struct output *o,
    char how, int status, double seconds)
{
    bool ok = how == TEST_RUNS && WIFEXITED(status) &&
        WEXITSTATUS(status) == 0;

    if (how == TEST_SETUP) {
        report_setup(t, p, o->text, o->n);
        return;
    }
    if (how != TEST_RUNS) {
        report_broken(t, p, o->text, o->n, "build");
        return;
    }
    if (ok) {
        report_good(t, p, o, seconds);
        return;
    }
    if (!o->live)
        emit(t, o->text, o->n);
    if (o->n != 0 && o->text[o->n - 1] != '\n')
        emit(t, "\n", 1);
    /* As with go, what was kept back says enough. */
    if (o->n == 0 || !t->listed || t->f.bench != NULL)
        show_end(t, status);
    /* The mark: it is no line of a test that ended so. */
    emitf(t, "%sFAIL\t%s\t%.3fs\n", t->json != NULL ? "\x16" : "", p->path,
        seconds);
    t->failed = true;
}

static bool
explores(const struct tester *t)
{
    return t->f.child.explore.amount != NULL;
}

static bool
test_one(struct tester *t, const struct package *p)
{
    struct output o = {0};
    double begin = now();
    int out, told, status = 0;
    pid_t pid;
    char how;

    if (p->error != NULL) {
        char *text;
        int n = asprintf(&text, "%s\n", p->error);

        t->nomem |= n < 0;
        if (n >= 0) {
            report_setup(t, p, text, (size_t)n);
            free(text);
        }
        return true;
    }
    if (!p->has_tests && !test_cover_on(&t->f.cover)) {
        begin_events(t, p);
        emitf(t, "?   \t%s\t[no test files]\n", p->path);
        end_events(t, true, 0, NULL);
        return true;
    }
    o.live = !t->listed || t->f.v || explores(t) || t->f.bench != NULL ||
        t->f.list != NULL || t->f.json;
    o.live &= p->has_tests;
    make_again(t, p);
    pid = start(t, p, &out, &told);
    if (pid < 0) {
        fprintf(stderr, "vole: %s\n", strerror(errno));
        return false;
    }
    how = listen_to(t, p, out, told, &o);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    report(t, p, &o, how, status, now() - begin);
    test_cover_add(&t->cover, p->has_tests);
    end_events(t, status == 0, now() - begin, NULL);
    free(o.text);
    return true;
}

/* ---- the command --------------------------------------------------------------------- */

/* Those that are not from a flag of the same name. */
static const char exit_arg[] = "-test.paniconexit0",
    leaks_arg[] = "-test.leaks=true", timeout_arg[] = "-test.timeout=10m0s";

/* The program's flags, from those of the command; false: no memory. */
static bool
program_args(struct tester *t)
{
    const struct arg_flag *f;
    bool timeout = false;

    t->args[t->nargs++] = exit_arg;
    for (f = flags; strcmp(f->name, "json") != 0; f++) {
        const void *at = (const char *)&t->f + f->at;
        const char *text;
        char *word;

        if (strcmp(f->name, "v") == 0 && t->f.json) {
            text = "test2json";
        } else if (f->kind == ARG_BOOL) {
            if (!*(const bool *)at)
                continue;
            text = "true";
        } else {
            memcpy(&text, at, sizeof text);
            if (text == NULL)
                continue;
        }
        timeout |= strcmp(f->name, "timeout") == 0;
        if (asprintf(&word, "-test.%s=%s", f->name, text) < 0)
            return false;
        t->args[t->nargs++] = word;
    }
    if (t->f.child.explore.leaks)
        t->args[t->nargs++] = leaks_arg;
    /* Where time is virtual, it would only be another timer. */
    if (t->cover.temp[0] != 0) {
        char *word;

        if (asprintf(&word, "-test.coverprofile=%s", t->cover.temp) < 0)
            return false;
        t->args[t->nargs++] = word;
    }
    if (!timeout && !explores(t) && t->f.child.explore.schedule == NULL)
        t->args[t->nargs++] = timeout_arg;
    return true;
}

/* Flags and packages in any order, up to -args; the words that are packages
 * are put in front of words, *n of them. */
static bool
read_words(struct tester *t, int argc, char **argv, const char **words,
    unsigned *n, char *err, int size)
{
    int at = 0;

    *n = 0;
    while (at < argc) {
        bool ended = false;
        int end = at;

        while (end < argc && strcmp(argv[end], "-args") != 0 &&
            strcmp(argv[end], "--args") != 0)
            end++;
        if (!args_parse_to(end, argv, &at, flags, &t->f, &ended, err, size))
            return false;
        while (at < end && (ended || argv[at][0] != '-'))
            words[(*n)++] = argv[at++];
        if (at == end && end < argc) {
            t->more = argv + end + 1;
            t->nmore = argc - end - 1;
            return true;
        }
    }
    return true;
}

/* An absolute folder for profiles: the tests run elsewhere. */
static char *
output_folder(struct tester *t)
{
    char *cwd = getcwd(NULL, 0), *dir = NULL;

    if (t->f.outputdir == NULL)
        return cwd;
    if (t->f.outputdir[0] == '/' || cwd == NULL ||
        asprintf(&dir, "%s/%s", cwd, t->f.outputdir) < 0)
        dir = strdup(t->f.outputdir);
    free(cwd);
    return dir;
}

static int
test_all(struct tester *t, const char **words, unsigned nwords)
{
    static const char *const here[] = {"."};
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole_error err;
    unsigned i;

    struct explore_config c;

    if (!cmd_environment(&opt) || !cmd_lang("test", t->f.child.lang, &opt) ||
        !explore_run_options("test", &t->f.child.explore, &opt) ||
        (explores(t) && !explore_options("test", &t->f.child.explore, &c)))
        return 2;
    opt.tags = t->f.child.tags;
    opt.race = t->f.child.race;
    opt.mod = t->f.child.mod;
    t->listed = nwords != 0;
    if (vole_packages(t->listed ? words : here, t->listed ? nwords : 1, &opt,
            add_package, t, &err) != VOLE_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    if (test_cover_on(&t->f.cover) &&
        !test_cover_begin(&t->cover, &t->f.cover, t->f.outputdir, &opt,
            &t->f.child))
        return 2;
    if (t->nomem || !program_args(t)) {
        fprintf(stderr, "vole: out of memory\n");
        return 2;
    }
    for (i = 0; i < t->n; i++)
        if (!test_one(t, &t->at[i]))
            return 1;
    if (t->failed && t->listed && !t->f.json)
        printf("FAIL\n");
    return t->failed ? 1 : cmd_flush("vole");
}

/* Whether -shuffle has a value that can be; if not, it says so. */
static bool
good_shuffle(const char *v)
{
    const char *why = NULL;
    char *end;

    if (v == NULL || strcmp(v, "on") == 0 || strcmp(v, "off") == 0)
        return true;
    errno = 0;
    strtoll(v, &end, 10);
    if (end == v || *end != 0 || *v == ' ')
        why = "invalid syntax";
    else if (errno == ERANGE)
        why = "value out of range";
    if (why != NULL)
        fprintf(stderr, "invalid value \"%s\" for flag -shuffle: -shuffle "
            "argument must be \"on\", \"off\", or an int64: "
            "strconv.ParseInt: parsing \"%s\": %s\n"
            "Run \"vole help test\" for usage.\n", v, v, why);
    return why == NULL;
}

int
cmd_test(int argc, char **argv)
{
    struct tester t = {.self = "/proc/self/exe"};
    const char **words;
    char text[256], *dir;
    unsigned n, i;
    int status;

    if (argc >= 4 && strcmp(argv[0], TEST_CHILD) == 0)
        return test_child(argc - 1, argv + 1);
    words = calloc((size_t)argc + 1, sizeof *words);
    if (words == NULL) {
        fprintf(stderr, "vole: out of memory\n");
        return 2;
    }
    if (!read_words(&t, argc, argv, words, &n, text, sizeof text)) {
        free(words);
        if (strcmp(text, "help") == 0) {
            cmd_test_help(stdout);
            return cmd_flush("vole");
        }
        fprintf(stderr, "vole test: %s\nRun \"vole help test\" for usage.\n",
            text);
        return 2;
    }
    if (!good_shuffle(t.f.shuffle)) {
        free(words);
        return 2;
    }
    dir = output_folder(&t);
    t.f.outputdir = dir;
    status = test_all(&t, words, n);
    test_again_end(&t.again);
    if (!test_cover_end(&t.cover))
        status = 1;
    for (i = 0; i < t.nargs; i++)
        if (t.args[i] != exit_arg && t.args[i] != leaks_arg &&
            t.args[i] != timeout_arg)
            free((char *)t.args[i]);
    free_packages(&t);
    free(words);
    free(dir);
    return status;
}
