/* SPDX-License-Identifier: MIT */
/*
 * vole test: its flags, which packages they mean, and what of them is for the
 * programs.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common/args.h"
#include "cmd/vole/test_cmd.h"
#include "cmd/vole/test_cover.h"
#include "cmd/vole/test_run.h"
#include "cmd/vole/vole_cmd.h"
#include "runtime/base/thread.h"
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
    uint64_t packages;
    struct test_cover_flags cover;
    const char *vet;
};

struct tester {
    struct test_flags f;
    struct test_runner r;
    bool listed; /* packages were named; else it is the current folder */
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
    {"p", ARG_U64, AT(packages), "n",
        "packages at a time; one for each processor"},
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
    CMD_JIT_FLAG(AT(child.jit)),
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

static bool
explores(const struct tester *t)
{
    return t->f.child.explore.amount != NULL;
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

    t->r.args[t->r.nargs++] = exit_arg;
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
        t->r.args[t->r.nargs++] = word;
    }
    if (t->f.child.explore.leaks)
        t->r.args[t->r.nargs++] = leaks_arg;
    /* Where time is virtual, it would only be another timer. */
    if (!timeout && !explores(t) && t->f.child.explore.schedule == NULL)
        t->r.args[t->r.nargs++] = timeout_arg;
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
            t->r.more = argv + end + 1;
            t->r.nmore = argc - end - 1;
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

static void
add_package(void *arg, const char *path, const char *dir, bool has_tests,
    const char *error)
{
    test_run_add(arg, path, dir, has_tests, error);
}

/* A flag that names one file, where each of several packages would write it. */
static const char *
one_file(const struct test_flags *f)
{
    return f->blockprofile != NULL ? "-blockprofile"
        : f->cpuprofile != NULL    ? "-cpuprofile"
        : f->memprofile != NULL    ? "-memprofile"
        : f->mutexprofile != NULL  ? "-mutexprofile"
        : f->trace != NULL         ? "-trace"
                                   : NULL;
}

/* What go shows at once, and how many packages at a time: benchmarks want the
 * machine for themselves, an exploration takes all of it. */
static void
how_to_run(struct tester *t)
{
    struct test_runner *r = &t->r;
    const struct test_flags *f = &t->f;
    bool alone = f->bench != NULL || explores(t);
    uint64_t most = f->packages == 0 ? (uint64_t)rt_cpu_count() : f->packages;

    r->child = f->child;
    r->covers = test_cover_on(&f->cover);
    r->json = f->json;
    r->failfast = f->failfast;
    r->most = alone ? 1 : most < TEST_PROCS_MOST ? (unsigned)most : TEST_PROCS_MOST;
    r->live = !t->listed || alone || f->v || f->list != NULL || f->json;
    r->ends = !t->listed || f->bench != NULL;
}

static int
test_all(struct tester *t, const char **words, unsigned nwords)
{
    static const char *const here[] = {"."};
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole_error err;
    struct explore_config c;

    if (!cmd_environment(&opt) || !cmd_lang("test", t->f.child.lang, &opt) ||
        !cmd_jit(t->f.child.jit, &opt) ||
        !explore_run_options("test", &t->f.child.explore, &opt) ||
        (explores(t) && !explore_options("test", &t->f.child.explore, &c)))
        return 2;
    opt.tags = t->f.child.tags;
    opt.race = t->f.child.race;
    opt.mod = t->f.child.mod;
    t->listed = nwords != 0;
    if (vole_packages(t->listed ? words : here, t->listed ? nwords : 1, &opt,
            add_package, &t->r, &err) != VOLE_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    if (one_file(&t->f) != NULL && t->r.n != 1) {
        fprintf(stderr, "cannot use %s flag with multiple packages\n",
            one_file(&t->f));
        return 1;
    }
    if (test_cover_on(&t->f.cover) &&
        !test_cover_begin(&t->r.cover, &t->f.cover, t->f.outputdir, &opt,
            &t->f.child))
        return 2;
    if (t->r.nomem || !program_args(t)) {
        fprintf(stderr, "vole: out of memory\n");
        return 2;
    }
    how_to_run(t);
    if (!test_run(&t->r))
        return 1;
    if (t->r.failed && t->listed && !t->f.json)
        printf("FAIL\n");
    return t->r.failed ? 1 : cmd_flush("vole");
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
    struct tester t = {0};
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
    if (!test_cover_end(&t.r.cover))
        status = 1;
    for (i = 0; i < t.r.nargs; i++)
        if (t.r.args[i] != exit_arg && t.r.args[i] != leaks_arg &&
            t.r.args[i] != timeout_arg)
            free((char *)t.r.args[i]);
    test_run_end(&t.r);
    free(words);
    free(dir);
    return status;
}
