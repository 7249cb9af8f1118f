/* SPDX-License-Identifier: MIT */
/*
 * vole run, check and disasm: flags, environment, messages.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common/args.h"
#include "cmd/vole/explore.h"
#include "cmd/vole/vole_cmd.h"
#include "runtime/vole.h"

enum { MAX_FILES = 4096 };

struct settings {
    const char *trace;
    const char *trace_events;
    const char *trace_limit;
    const char *trace_signal;
    const char *flight;
    const char *cpuprofile, *memprofile, *blockprofile, *mutexprofile,
        *goroutineprofile, *goroutineleakprofile, *wallprofile;
    uint64_t memprofilerate, blockprofilerate, mutexprofilefraction;
    const char *http;
    const char *jit;
    struct explore_flags explore;
    bool race;
    bool all_errors;
    const char *filter;
    bool native;
    const char *code; /* of -e without a command */
    const char *tags, *mod, *lang;
};

/* Of all commands that load packages. */
#define LOAD_FLAGS \
    ARG_FOLDER_FLAG, \
    {"tags", ARG_STR, offsetof(struct settings, tags), "list", \
        "build tags that hold besides vole's own: a,b"}, \
    {"mod", ARG_STR, offsetof(struct settings, mod), "mode", \
        "where modules come from, as for go: readonly, vendor or mod"}, \
    {"lang", ARG_STR, offsetof(struct settings, lang), "version", \
        "the language's version, such as go1.21, in spite of go.mod"}

/* Of vole run, and of vole without a command. */
#define RUN_FLAGS \
    {"trace", ARG_OUT, offsetof(struct settings, trace), "file", \
        "write an execution trace (- = standard output)"}, \
    CMD_JIT_FLAG(offsetof(struct settings, jit)), \
    {"trace-events", ARG_STR, offsetof(struct settings, trace_events), "list", \
        "trace goroutines and these only: syscall,gc,sweep,heap,user,cpu," \
        "stack; or all but some: -stack,-heap"}, \
    {"trace-limit", ARG_STR, offsetof(struct settings, trace_limit), "size", \
        "end the trace at this size: 500k, 64M, 2G"}, \
    {"trace-signal", ARG_STR, offsetof(struct settings, trace_signal), \
        "folder", "SIGUSR1 starts and ends a trace in a new file there"}, \
    {"flight", ARG_STR, offsetof(struct settings, flight), "size|time", \
        "keep the last events in memory (10s, 64M); written to a new file " \
        "when the program fails and at SIGUSR2"}, \
    {"cpuprofile", ARG_OUT, offsetof(struct settings, cpuprofile), "file", \
        "write a CPU profile"}, \
    {"memprofile", ARG_OUT, offsetof(struct settings, memprofile), "file", \
        "write an allocation profile at the end"}, \
    {"memprofilerate", ARG_U64, offsetof(struct settings, memprofilerate), \
        "n", "set runtime.MemProfileRate to n (1 = every allocation)"}, \
    {"blockprofile", ARG_OUT, offsetof(struct settings, blockprofile), \
        "file", "write a profile of goroutines' waiting at the end"}, \
    {"blockprofilerate", ARG_U64, offsetof(struct settings, \
        blockprofilerate), "n", "call runtime.SetBlockProfileRate(n)"}, \
    {"mutexprofile", ARG_OUT, offsetof(struct settings, mutexprofile), \
        "file", "write a profile of contended mutexes at the end"}, \
    {"mutexprofilefraction", ARG_U64, offsetof(struct settings, \
        mutexprofilefraction), "n", \
        "call runtime.SetMutexProfileFraction(n)"}, \
    {"goroutineprofile", ARG_OUT, offsetof(struct settings, \
        goroutineprofile), "file", \
        "write the stacks of the goroutines there are at the end"}, \
    {"goroutineleakprofile", ARG_OUT, offsetof(struct settings, \
        goroutineleakprofile), "file", \
        "write those that nobody could wake any more at the end"}, \
    {"wallprofile", ARG_OUT, offsetof(struct settings, wallprofile), "file", \
        "write what goroutines did, on and off the processor"}, \
    {"http", ARG_STR, offsetof(struct settings, http), "addr", \
        "serve live profiles at addr/debug/pprof/ (:6060 = this machine)"}, \
    {"race", ARG_BOOL, offsetof(struct settings, race), NULL, \
        "report data races; exit status 66 if there were any (GORACE)"}, \
    EXPLORE_FLAGS(offsetof(struct settings, explore)), \
    {"leaks", ARG_BOOL, offsetof(struct settings, explore.leaks), NULL, \
        "with -sched-seed or -explore: it is a failure if goroutines are " \
        "left behind by main"}

static const struct arg_flag run_flags[] = {
    RUN_FLAGS,
    LOAD_FLAGS,
    {"e", ARG_BOOL, offsetof(struct settings, all_errors), NULL,
        "report all compile errors, not only ten"},
    {0},
};

static const struct arg_flag plain_flags[] = {
    RUN_FLAGS,
    LOAD_FLAGS,
    {"e", ARG_STR, offsetof(struct settings, code), "code",
        "run these statements; the packages that they use are imported"},
    {0},
};

static const struct arg_flag check_flags[] = {
    LOAD_FLAGS,
    {"e", ARG_BOOL, offsetof(struct settings, all_errors), NULL,
        "report all errors, not only ten"},
    {0},
};

static const struct arg_flag disasm_flags[] = {
    LOAD_FLAGS,
    {"f", ARG_STR, offsetof(struct settings, filter), "text",
        "only functions whose name contains text (\"\": all)"},
    {"native", ARG_BOOL, offsetof(struct settings, native), NULL,
        "machine code, too, below each instruction (by objdump)"},
    {0},
};

static const char run_head[] =
    "Usage: vole run [flags] file.go [file.go ...] [arguments]\n"
    "       vole run [flags] directory|import/path [arguments]\n"
    "       vole run [flags] - [arguments]          from standard input\n\n"
    "Compiles a Go program and runs it.  The exit status is the program's;\n"
    "1 if it does not compile, 2 after a panic or wrong usage.  -- ends the\n"
    "flags.  \"vole file.go\" is the same; and vole -e 'code' runs statements,\n"
    "which use packages without importing them.\n\n";
static const char run_tail[] =
    "\nEnvironment: GOMAXPROCS GOGC GOMEMLIMIT GOTRACEBACK as for Go programs;\n"
    "VOLEDEBUG=gctrace=1,schedtrace=1000,... (VOLEDEBUG=help lists all).\n\n"
    "Example: vole run -trace out.trace prog.go -n 10\n";
static const char check_head[] =
    "Usage: vole check [flags] file.go|directory|import/path|./...|-\n\n"
    "Reports compile errors as Go's compiler words them, on standard error;\n"
    "exit status 1 if there are any.\n\n";
static const char check_tail[] = "\nExample: vole check prog.go\n";
static const char disasm_head[] =
    "Usage: vole disasm [flags] file.go|directory|import/path|-\n\n"
    "Lists the bytecode of the program's functions, and with -native what it\n"
    "becomes on this machine.\n\n";
static const char disasm_tail[] = "\nExample: vole disasm -f main.fib prog.go\n";

const struct arg_flag *
cmd_flags(const char *name)
{
    if (strcmp(name, "test") == 0)
        return cmd_test_flags();
    if (strcmp(name, "list") == 0)
        return cmd_list_flags();
    return strcmp(name, "run") == 0 ? run_flags
        : strcmp(name, "check") == 0 ? check_flags : disasm_flags;
}

int
cmd_help(const char *name, FILE *out)
{
    char flags[8192];
    bool r = strcmp(name, "run") == 0, c = strcmp(name, "check") == 0;

    if (strcmp(name, "prof") == 0) {
        cmd_prof_help(out);
        return 0;
    }
    if (strcmp(name, "list") == 0) {
        cmd_list_help(out);
        return 0;
    }
    if (strcmp(name, "mod") == 0) {
        cmd_mod_help(out);
        return 0;
    }
    if (strcmp(name, "env") == 0) {
        cmd_env_help(out);
        return 0;
    }
    if (strcmp(name, "test") == 0) {
        cmd_test_help(out);
        return 0;
    }
    if (!r && !c && strcmp(name, "disasm") != 0)
        return 1;
    args_describe(r ? run_flags : c ? check_flags : disasm_flags, flags,
        sizeof flags);
    fprintf(out, "%s%s%s", r ? run_head : c ? check_head : disasm_head,
        flags, r ? run_tail : c ? check_tail : disasm_tail);
    return 0;
}

/* ---- the environment ------------------------------------------------------------ */

static void
env_procs(struct vole_options *o)
{
    const char *s = getenv("GOMAXPROCS");
    char *end;
    long n;

    if (s == NULL || *s == 0)
        return;
    n = strtol(s, &end, 10);
    if (*end == 0 && n > 0)
        o->procs = n > 256 ? 256 : (unsigned)n;
}

static void
env_gogc(struct vole_options *o)
{
    const char *s = getenv("GOGC");
    char *end;
    long n;

    if (s == NULL || *s == 0)
        return;
    if (strcmp(s, "off") == 0) {
        o->gogc = -1;
        return;
    }
    n = strtol(s, &end, 10);
    if (*end == 0 && n >= INT32_MIN && n <= INT32_MAX)
        o->gogc = n < 0 ? -1 : (int)n;
}

static bool
env_limit(struct vole_options *o)
{
    static const struct {
        const char *unit;
        int shift;
    } units[] = {{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30},
        {"TiB", 40}};
    const char *s = getenv("GOMEMLIMIT");
    char *end;
    long long n;
    size_t i;

    if (s == NULL || *s == 0 || strcmp(s, "off") == 0)
        return true;
    errno = 0;
    n = strtoll(s, &end, 10);
    for (i = 0; *s >= '0' && *s <= '9' && errno == 0 &&
        i < sizeof units / sizeof *units; i++) {
        if (strcmp(end, units[i].unit) != 0 ||
            n > INT64_MAX >> units[i].shift)
            continue;
        o->mem_limit = (int64_t)n << units[i].shift;
        return true;
    }
    fprintf(stderr, "vole: malformed GOMEMLIMIT \"%s\"; see Go's package "
        "runtime\n", s);
    return false;
}

bool
cmd_environment(struct vole_options *o)
{
    o->env = cmd_variable;
    env_procs(o);
    env_gogc(o);
    o->traceback = getenv("GOTRACEBACK");
    o->debug = getenv("VOLEDEBUG");
    o->race_options = getenv("GORACE");
    return env_limit(o);
}

/* ---- loading --------------------------------------------------------------------------- */

/* "go1.21" or "1.21". */
bool
cmd_lang(const char *cmd, const char *lang, struct vole_options *o)
{
    const char *v = lang;
    uint64_t minor;

    if (v == NULL)
        return true;
    if (strncmp(v, "go", 2) == 0)
        v += 2;
    if (strncmp(v, "1.", 2) != 0 || !args_number(v + 2, &minor) ||
        minor == 0 || minor > 1000) {
        fprintf(stderr, "vole %s: invalid value \"%s\" for -lang: should be "
            "something like \"go1.12\"\n", cmd, lang);
        return false;
    }
    o->lang = (unsigned)minor;
    return true;
}

bool
cmd_jit(const char *jit, struct vole_options *o)
{
    static const char *const names[] = {
        [VOLE_JIT_OFF] = "off",
        [VOLE_JIT_ON] = "on",
        [VOLE_JIT_STRESS] = "stress",
    };

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (jit == NULL || strcmp(jit, names[i]) == 0) {
            if (jit != NULL)
                o->jit = (enum vole_jit)i;
            return true;
        }
    fprintf(stderr, "vole: -jit=%s: off, on or stress\n", jit);
    return false;
}

static bool
load_options(const char *cmd, const struct settings *s,
    struct vole_options *o)
{
    o->env = cmd_variable;
    o->tags = s->tags;
    o->mod = s->mod;
    return cmd_lang(cmd, s->lang, o);
}

/* ---- tracing ------------------------------------------------------------------------- */

/* "64M", "64MB", "64MiB", "500k", "1000". */
static bool
parse_size(const char *s, uint64_t *bytes)
{
    static const char units[] = "kmg";
    unsigned long long n;
    const char *u;
    char *end;
    int shift = 0;

    if (*s < '0' || *s > '9')
        return false;
    errno = 0;
    n = strtoull(s, &end, 10);
    u = *end == 0 ? NULL : strchr(units, *end | 0x20);
    if (u != NULL) {
        shift = 10 * (int)(u - units + 1);
        end++;
        if (*end == 'i')
            end++;
        if (*end == 'B' || *end == 'b')
            end++;
    }
    if (errno != 0 || *end != 0 || n == 0 || n > UINT64_MAX >> 10 >> shift)
        return false;
    *bytes = n << shift;
    return true;
}

/* The flags about tracing; false after a message. */
static bool
trace_options(const struct settings *s, struct vole_options *o)
{
    o->watch.trace = s->trace;
    o->watch.trace_events = s->trace_events;
    o->watch.trace_signal = s->trace_signal;
    if (s->trace_limit != NULL &&
        !parse_size(s->trace_limit, &o->watch.trace_limit)) {
        fprintf(stderr, "vole run: -trace-limit wants a size such as 64M, not "
            "\"%s\"\n", s->trace_limit);
        return false;
    }
    o->watch.flight = s->flight != NULL;
    if (!o->watch.flight)
        return true;
    if (parse_size(s->flight, &o->watch.flight_bytes)) {
        o->watch.flight_age = INT64_MAX;
    } else if (args_duration(s->flight, &o->watch.flight_age) &&
        o->watch.flight_age > 0) {
        o->watch.flight_bytes = (uint64_t)64 << 20;
    } else {
        fprintf(stderr, "vole run: -flight wants a size or a duration such as "
            "64M or 10s, not \"%s\"\n", s->flight);
        return false;
    }
    return true;
}

/* ---- words --------------------------------------------------------------------------- */

static bool
is_go_file(const char *s)
{
    size_t n = strlen(s);

    return n > 3 && strcmp(s + n - 3, ".go") == 0;
}

/* How many of the words are the program: one directory or script, or all the
 * .go files in front. */
static int
program_words(int argc, char **argv)
{
    int n = 1;

    if (!is_go_file(argv[0]))
        return 1;
    while (n < argc && is_go_file(argv[n]))
        n++;
    return n;
}

static int
bad_flags(const char *cmd, const char *err)
{
    if (strcmp(err, "help") == 0) {
        cmd_help(cmd, stdout);
        return cmd_flush("vole");
    }
    fprintf(stderr, "vole %s: %s\nRun \"vole help %s\" for usage.\n", cmd,
        err, cmd);
    return 2;
}

static int
no_program(const char *cmd)
{
    fprintf(stderr, "vole %s: no Go file or directory given\n"
        "Run \"vole help %s\" for usage.\n", cmd, cmd);
    return 2;
}

/* Tells why opening failed; the exit status. */
static int
report(struct vole *v, enum vole_status st, const struct vole_error *err)
{
    if (st == VOLE_ERRORS)
        vole_write_errors(v, stderr);
    else
        fprintf(stderr, "vole: %s\n", err->text);
    return st == VOLE_NOMEM ? 2 : 1;
}

/* A program that comes by the way of standard input. */
static bool
read_stdin(struct vole_text *t)
{
    size_t n = 0, cap = 0;
    char *text = NULL;

    do {
        char *p = n < cap ? text : realloc(text, cap = cap * 2 + 65536);

        if (p == NULL) {
            free(text);
            fprintf(stderr, "vole: out of memory\n");
            return false;
        }
        text = p;
        n += fread(text + n, 1, cap - n, stdin);
    } while (!feof(stdin) && !ferror(stdin));
    if (ferror(stdin)) {
        fprintf(stderr, "vole: standard input: %s\n", strerror(errno));
        free(text);
        return false;
    }
    *t = (struct vole_text){.name = "-", .text = text, .size = n};
    return true;
}

/* Opens what vole_open() or vole_check() is to open; the word "-" is standard
 * input.  The exit status, 0 unless there was a message. */
static int
open_with(enum vole_status (*open)(struct vole **, const char *const *,
              unsigned, const struct vole_options *, struct vole_error *),
    struct vole **v, char **words, int n, struct vole_options *opt)
{
    struct vole_error err;
    struct vole_text text;
    enum vole_status st;

    *v = NULL;
    if (n == 1 && strcmp(words[0], "-") == 0) {
        if (!read_stdin(&text))
            return 1;
        opt->text = &text;
    }
    st = open(v, (const char *const *)words, (unsigned)n, opt, &err);
    if (opt->text == &text)
        free((char *)text.text);
    return st == VOLE_OK ? 0 : report(*v, st, &err);
}

/* ---- the commands ------------------------------------------------------------------------ */

static int64_t
rate(uint64_t n)
{
    return n == UINT64_MAX ? -1 : n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static void
profiling(struct vole_options *o, const struct settings *s)
{
    o->watch.cpuprofile = s->cpuprofile;
    o->watch.memprofile = s->memprofile;
    o->watch.memprofilerate = rate(s->memprofilerate);
    o->watch.blockprofile = s->blockprofile;
    o->watch.blockprofilerate = rate(s->blockprofilerate);
    o->watch.mutexprofile = s->mutexprofile;
    o->watch.mutexprofilefraction = rate(s->mutexprofilefraction);
    o->watch.goroutineprofile = s->goroutineprofile;
    o->watch.goroutineleakprofile = s->goroutineleakprofile;
    o->watch.wallprofile = s->wallprofile;
    o->watch.http = s->http;
}

void
cmd_die_of(int sig)
{
    sigset_t set;

    signal(sig, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, sig);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(sig);
}

/* Looks for a schedule by which the opened program fails; argv are its words
 * and its arguments. */
static int
explored(const struct settings *s, struct vole *v, int argc, char **argv)
{
    struct explore_config c;
    char *words = NULL;
    size_t size;
    FILE *f = open_memstream(&words, &size);
    int status = 2;

    if (f == NULL)
        return 2;
    if (s->code != NULL) {
        fprintf(f, "-e ");
        explore_word(s->code, f);
    }
    for (int i = 0; i < argc; i++) {
        if (ftell(f) > 0)
            putc(' ', f);
        explore_word(argv[i], f);
    }
    fclose(f);
    struct explore_subject subject = {.v = v, .command = "run",
        .words = words, .race = s->race};
    if (words != NULL && explore_options("run", &s->explore, &c))
        status = explore_tell(&subject, &c);
    free(words);
    return status;
}

/* Compiles and runs the program of these words, with statuses that stand for
 * what went wrong. */
static int
run_words(const struct settings *s, int argc, char **argv)
{
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole_text code = {.name = "-e", .statements = true};
    struct cmd_cache cache;
    struct vole *v;
    int n = s->code == NULL ? program_words(argc, argv) : 0, status, sig;
    bool crash;

    if (!cmd_environment(&opt) || !load_options("run", s, &opt) ||
        !cmd_cache_option(&cache, &opt))
        return 2;
    if (s->code != NULL) {
        code.text = s->code;
        code.size = strlen(s->code);
        opt.text = &code;
    }
    opt.args = (const char *const *)(argv + n);
    opt.nargs = (unsigned)(argc - n);
    opt.race = s->race;
    profiling(&opt, s);
    /* Explorers are no processes of their own that somebody might signal. */
    opt.sigquit = s->explore.amount == NULL;
    opt.sigterm = opt.sigquit;
    opt.faults = true;
    opt.sigpipe = true;
    opt.all_errors = s->all_errors;
    if (!trace_options(s, &opt) || !cmd_jit(s->jit, &opt) ||
        !explore_run_options("run", &s->explore, &opt))
        return 2;
    status = open_with(vole_open, &v, argv, n, &opt);
    if (status == 0)
        status = s->explore.amount == NULL ? vole_run(v)
                                           : explored(s, v, argc, argv);
    crash = vole_wants_abort(v);
    sig = vole_died_of(v);
    vole_close(v);
    if (sig != 0)
        cmd_die_of(sig);
    if (crash) {
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    return status;
}

static const struct settings no_settings = {
    .blockprofilerate = UINT64_MAX, .mutexprofilefraction = UINT64_MAX};

int
cmd_run(int argc, char **argv)
{
    struct settings s = no_settings;
    char text[256];
    int at = 0;

    if (!args_parse(argc, argv, &at, run_flags, &s, text, sizeof text))
        return bad_flags("run", text);
    if (at >= argc)
        return no_program("run");
    return run_words(&s, argc - at, argv + at);
}

int
cmd_plain(int argc, char **argv)
{
    struct settings s = no_settings;
    char text[256];
    int at = 0;

    if (!args_parse(argc, argv, &at, plain_flags, &s, text, sizeof text)) {
        fprintf(stderr, "vole: %s\nRun \"vole help\" for usage.\n", text);
        return 2;
    }
    if (at >= argc && s.code == NULL) {
        fprintf(stderr, "vole: no Go file, directory or command given\n"
            "Run \"vole help\" for usage.\n");
        return 2;
    }
    return run_words(&s, argc - at, argv + at);
}

int
cmd_check(int argc, char **argv)
{
    struct settings s = {0};
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole *v;
    char text[256];
    int at = 0, status;

    if (!args_parse(argc, argv, &at, check_flags, &s, text,
            sizeof text))
        return bad_flags("check", text);
    if (at >= argc)
        return no_program("check");
    opt.all_errors = s.all_errors;
    if (!load_options("check", &s, &opt))
        return 2;
    status = open_with(vole_check, &v, argv + at, argc - at, &opt);
    vole_close(v);
    return status;
}

int
cmd_disasm(int argc, char **argv)
{
    struct settings s = {0};
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    struct vole_error err;
    struct vole *v;
    char text[256];
    int at = 0, status;

    if (!args_parse(argc, argv, &at, disasm_flags, &s, text,
            sizeof text))
        return bad_flags("disasm", text);
    if (at >= argc)
        return no_program("disasm");
    if (!load_options("disasm", &s, &opt))
        return 2;
    status = open_with(vole_open, &v, argv + at, argc - at, &opt);
    if (status == 0) {
        if (!s.native)
            vole_disasm(v, s.filter, stdout);
        else if (vole_disasm_native(v, s.filter, stdout, &err) != VOLE_OK)
            status = report(v, VOLE_FAILED, &err);
        if (status == 0)
            status = cmd_flush("vole");
    }
    vole_close(v);
    return status;
}
