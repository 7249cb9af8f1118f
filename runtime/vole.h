/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VOLE_H
#define RUNTIME_VOLE_H

/*
 * The embedding API: compiles a Go program and runs it on a runtime of its
 * own.  Several runtimes may live in one process, one after the other or side
 * by side; none shares state with another.
 *
 *     struct vole_options opt = VOLE_OPTIONS_DEFAULT;
 *     const char *path = "prog.go";
 *     struct vole_error err;
 *     struct vole *v;
 *     int status = 1;
 *
 *     switch (vole_open(&v, &path, 1, &opt, &err)) {
 *     case VOLE_OK:
 *         status = vole_run(v);
 *         break;
 *     case VOLE_ERRORS:
 *         vole_write_errors(v, stderr);
 *         break;
 *     default:
 *         fprintf(stderr, "%s\n", err.text);
 *         break;
 *     }
 *     vole_close(v);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define VOLE_VERSION "0.1.0"

#if defined(__GNUC__)
#define VOLE_API __attribute__((visibility("default")))
#else
#define VOLE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct vole;

struct vole_error {
    char text[512]; /* one line, or "" where vole_write_errors() has more */
};

/* A program that is in no file. */
struct vole_text {
    const char *name; /* the file's in messages, and os.Args[0] */
    const char *text;
    size_t size;      /* bytes */
    bool statements;  /* no file but statements of main; the packages that
                         they name are imported */
};

/* Whether bytecode becomes machine code; where the machine or the system does
 * not let that be it never does. */
enum vole_jit {
    VOLE_JIT_OFF,
    VOLE_JIT_ON,    /* functions in which much time is spent; builds with
                       ASan or TSan take it for off */
    VOLE_JIT_STRESS /* all functions, before the program begins: for tests */
};

/* What watches a program while it runs. */
struct vole_instruments {
    /* An execution trace, and a record in memory of what happened last. */
    const char *trace;    /* file for an execution trace; "-" = standard
                             output; NULL = none */
    const char *trace_events; /* classes of events, "gc,heap,user" or
                                 "-stack"; NULL = all */
    uint64_t trace_limit; /* bytes after which the trace ends; 0 = none */
    const char *trace_signal; /* folder: SIGUSR1 starts and ends a trace there,
                                 in a new file each time; NULL = none */
    bool flight;          /* record in memory what happened last; written when
                             the program fails, and by SIGUSR2, to a new file
                             in trace_signal or the current folder */
    int64_t flight_age;   /* nanoseconds to keep at least; 0 = 10 s */
    uint64_t flight_bytes; /* to keep at most, about; 0 = 10 MiB */

    /* Profiles, written when the program has ended, in whatever way: files
     * for pprof; "-" = standard output; NULL = none.  A file that cannot be
     * made stops vole_run() before the program runs, status 2; one that
     * cannot be written is reported and turns status 0 into 1. */
    const char *cpuprofile;       /* from begin to end */
    const char *memprofile;       /* allocs, after a collection */
    const char *blockprofile;
    const char *mutexprofile;
    const char *goroutineprofile; /* those that exist at the end */
    const char *goroutineleakprofile; /* those among them that nobody could
                                     wake any more */
    const char *wallprofile;      /* from begin to end */
    int64_t memprofilerate;       /* runtime.MemProfileRate; 0 = its default */
    int64_t blockprofilerate;     /* nanoseconds; negative = 1 for a block
                                     profile, else 0 (off) */
    int64_t mutexprofilefraction; /* negative = 1 for a mutex profile, else 0
                                     (off) */
    const char *http;     /* "host:port" or ":port" (this machine only): serves
                             live profiles under /debug/pprof/ while the
                             program runs; NULL = no server */
};

/* Begin with VOLE_OPTIONS_DEFAULT: what is zero or NULL is off, but not all
 * that is off is zero.  Strings, but for text, must outlive the runtime. */
struct vole_options {
    const struct vole_text *text; /* the program, instead of paths; copied */
    const char *arg0;        /* os.Args[0]; NULL = the path of the program.  An
                                absolute one that ends in .test is what
                                os.Executable() says, too */
    const char *const *args; /* os.Args[1:] */
    unsigned nargs;
    unsigned procs;       /* GOMAXPROCS; 0 = one for each processor */
    int gogc;             /* GOGC; negative = off; 100 is Go's default */
    int64_t mem_limit;    /* GOMEMLIMIT in bytes; INT64_MAX = none */
    const char *traceback; /* GOTRACEBACK; NULL = "single" */
    const char *debug;    /* VOLEDEBUG's text; NULL = none */
    enum vole_jit jit;    /* machine code; VOLE_JIT_OFF is 0 */
    bool all_errors;      /* report all compile errors, not ten */
    const char *(*env)(const char *name); /* the environment, such as getenv():
                             while the program is loaded it tells where Go's
                             library is (VOLEROOT, GOROOT, PATH) and the
                             settings of the go command (GOMODCACHE, GOFLAGS).
                             NULL: none is set */
    bool tests;           /* the path is a directory: the program is the one
                             that runs the tests in it, whose arguments are
                             the flags of `go test` with "test." in front */
    const char *tags;     /* build tags besides vole's own, "a,b"; NULL:
                             those of GOFLAGS, if any */
    const char *cache;    /* absolute path of a folder: programs that import
                             packages of a tree of Go's sources are kept there
                             as they were compiled, and found there the next
                             time, unless something has changed; NULL = none */
    const char *image_in; /* absolute path of a folder that is for this one
                             program, with these options: as it was compiled
                             by the first who was given the folder it is kept
                             there, and found without reading its sources;
                             NULL = none */
    bool image_late;      /* with it, and tests: it is kept no sooner than they
                             start a process */
    const char *mod;      /* where modules come from, as Go's flag -mod:
                             "readonly", "vendor", "mod"; NULL = GOFLAGS */
    const char *cover;    /* with tests: what counters measure, "set", "count"
                             or "atomic"; NULL = there are none */
    const char *coverpkg; /* import paths of packages that get counters, "a,b";
                             NULL = the one whose tests these are */
    const char *coverin;  /* what the report says of where, "./...", or NULL */
    unsigned lang;        /* the language's version, 21 for Go 1.21, whatever
                             go.mod says; 0 = what go.mod says, or the newest */
    bool race;            /* data races are reported to standard error; status 0
                             then becomes 66 when there were any.  The tag race
                             holds.  There is one such runtime of a process
                             at a time */
    const char *race_options; /* with it: GORACE's text; NULL = none */
    bool sigquit;         /* SIGQUIT prints all goroutines' stacks and ends the
                             program with status 2, as in Go; vole_run() then
                             blocks the signal in the calling thread, and
                             other threads of the process should do so, too */
    bool sigterm;         /* SIGHUP, SIGINT and SIGTERM end the program; what it
                             records is written, vole_run() returns 128 and
                             the signal, and vole_died_of() the signal.  A
                             second one has its default effect.  They are
                             blocked like SIGQUIT; SIGHUP and SIGINT that are
                             ignored stay so */
    bool faults;          /* a fault (SIGSEGV, SIGBUS, SIGILL, SIGFPE) of a
                             thread that runs the program ends it as in Go:
                             message, stacks, status 2; the handlers stay when
                             vole_run() returns, and must stay until it does:
                             nil pointers in machine code may fault */
    bool sigpipe;         /* writing to a standard output or error that nobody
                             reads any more ends the process by SIGPIPE, as in
                             Go; else the program gets an error */

    /* The program runs one goroutine at a time, by a plan that says who goes
     * on wherever that could matter: "7", "7.pct3x200", "7@12:1,40:2"
     * (docs/CONCURRENCY.md).  The same plan gives the same execution, on a
     * virtual clock.  One runtime of a process at a time, as it has the same
     * addresses each time.  NULL = off. */
    const char *schedule;
    bool real_clock;      /* with it: time is the machine's */
    bool deadlocks;       /* with it: goroutines that can never go on end the
                             program at once, a fatal error; with it and
                             without: those that wait for locks for ever when
                             the program ends are told of, and status 0
                             becomes 2 */
    bool story;           /* with it: where the program fails, its turns and
                             who holds which locks are told, too */
    bool leaks;           /* with it: so do those that main leaves behind */
    const char *deadlocks_out; /* file: goroutines that can never go on at the
                             end, who waits for whom, as JSON if the name ends
                             in ".json", else for Graphviz; "-" = standard
                             output; NULL = none */
    bool lockorder;       /* also without it: orders of locks that can deadlock
                             are told of at the end, and status 0 becomes 66 */
    uint64_t schedule_budget; /* with it: points after which the program is
                             taken to have no end, a fatal error; 0 = none */

    /* Takes messages of the library itself, such as of a trace that cannot be
     * written: one line each, without its end, on any thread, until
     * vole_close() returns.  NULL: to standard error, after "vole: ".  What
     * the program makes the runtime print, panics and tracebacks, goes to
     * standard error in any case. */
    void (*log)(void *log_arg, const char *line);
    void *log_arg;

    struct vole_instruments watch;
};

/* What vole run takes without flags and environment, but for sigquit,
 * faults and sigpipe, which it sets. */
static inline struct vole_options
vole_options_default(void)
{
    struct vole_options o;

    memset(&o, 0, sizeof o);
    o.gogc = 100;
    o.jit = VOLE_JIT_ON;
    o.mem_limit = INT64_MAX;
    o.watch.blockprofilerate = -1;
    o.watch.mutexprofilefraction = -1;
    return o;
}

#define VOLE_OPTIONS_DEFAULT vole_options_default()

/* What vole_open() returns. */
enum vole_status {
    VOLE_OK = 0,
    VOLE_ERRORS = 1, /* the program does not compile: vole_write_errors() */
    VOLE_FAILED = 2, /* a file or the runtime itself; err says why */
    VOLE_NOMEM = 3   /* not enough memory; err says so */
};

/*
 * Reads, checks and generates the program in paths: .go files of one package,
 * a directory or an import path; where opt->text is not NULL, the program in
 * that.  What it imports is found by the go.mod (or go.work) in its directory
 * or above.  *out must be given to vole_close() whatever is returned, unless it is
 * NULL.
 */
VOLE_API enum vole_status vole_open(struct vole **out,
    const char *const *paths, unsigned npaths, const struct vole_options *opt,
    struct vole_error *err);

/* Reads and checks only; the result can be asked for errors and closed.  paths
 * may name several packages, also by patterns: "./...". */
VOLE_API enum vole_status vole_check(struct vole **out,
    const char *const *paths, unsigned npaths, const struct vole_options *opt,
    struct vole_error *err);

/* Called for each package: its import path, its directory, whether there are
 * tests in it, and what is wrong with the directory (NULL: nothing). */
typedef void (*vole_package_fn)(void *arg, const char *path, const char *dir,
    bool has_tests, const char *error);

/* Finds the packages that words name, directories, import paths or patterns
 * such as "./...", and calls fn for each.  Of the options only those about
 * loading count. */
VOLE_API enum vole_status vole_packages(const char *const *words,
    unsigned nwords, const struct vole_options *opt, vole_package_fn fn,
    void *arg, struct vole_error *err);

/* Writes the compile errors as "file:line:col: text" lines.  Nonzero if
 * writing failed. */
VOLE_API int vole_write_errors(struct vole *v, FILE *out);

/*
 * Runs the program once, to its end, on threads of its own; the calling
 * thread waits.  Returns the status that a process should exit with: 0, what
 * os.Exit() was given, or 2 after a panic or fatal error, which has been
 * printed to standard error.  Signals are not touched, but for SIGUSR1 and
 * SIGUSR2 where watch.trace_signal and watch.flight ask for them: those are
 * blocked while the program runs, and a thread of vole's own waits for them;
 * and for SIGPROF, whose handler stays once there was a CPU profile.
 */
VOLE_API int vole_run(struct vole *v);

/* After vole_run(): whether the program died of a panic or fatal error, and
 * GOTRACEBACK or debug.SetTraceback said "crash".  A process of its own then
 * ends by abort(), after vole_close(), to leave a core file. */
VOLE_API bool vole_wants_abort(const struct vole *v);

/* After vole_run(): the signal that has ended the program, where opt->sigterm
 * asks for that, or 0.  A process of its own then dies of it, after
 * vole_close(), so that its parent learns why. */
VOLE_API int vole_died_of(const struct vole *v);

/*
 * While vole_run() runs the program, on any other thread, or between its end
 * and vole_close(): writes a profile by its name in Go, "heap", "allocs",
 * "block", "mutex", "goroutine", "threadcreate" or one that the program has
 * made.  debug is what it is in Go: 0 a file for pprof, 1 text, 2 (goroutine)
 * a traceback of all goroutines.  VOLE_FAILED: there is no such profile, the
 * program has not begun, or out cannot be written.
 */
VOLE_API enum vole_status vole_write_profile(struct vole *v,
    const char *name, int debug, FILE *out, struct vole_error *err);

/* Begins a CPU profile of the running program; VOLE_FAILED while one is
 * taken.  stop ends it and writes it; out NULL throws it away. */
VOLE_API enum vole_status vole_start_cpu_profile(
    struct vole *v, struct vole_error *err);
VOLE_API enum vole_status vole_stop_cpu_profile(
    struct vole *v, FILE *out, struct vole_error *err);

/* Writes a listing of the program's bytecode: all functions whose name
 * contains `filter` (NULL: those of the program itself, "": all). */
VOLE_API int vole_disasm(struct vole *v, const char *filter, FILE *out);

/* The same with the machine code below each instruction, as objdump of the
 * binutils, which must be installed, writes it.  Instead of vole_run(): the
 * program does not run, and can not later. */
VOLE_API enum vole_status vole_disasm_native(struct vole *v,
    const char *filter, FILE *out, struct vole_error *err);

/* Whether opt->jit has an effect on this machine and system. */
VOLE_API bool vole_jit_available(void);

/* Frees everything. */
VOLE_API void vole_close(struct vole *v);

#ifdef __cplusplus
}
#endif

#endif
