/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_HOST_INT_H
#define RUNTIME_HOST_HOST_INT_H

/* Shared by the files of this folder: everything that one runtime owns. */

#include <stdbool.h>

#include "profile/record/profile.h"
#include "runtime/base/atomic.h"
#include "runtime/base/clock.h"
#include "runtime/host/process.h"
#include "runtime/jit/jit.h"
#include "runtime/lib/lib.h"
#include "runtime/lib/runtime/hooks.h"
#include "runtime/lib/support/held.h"
#include "runtime/lib/support/prof.h"
#include "runtime/lib/support/signals.h"
#include "runtime/vole.h"
#include "trace/record/trace.h"

struct host_quit;
struct code_image;
struct gc_heap;
struct gc_host;
struct gc_prof_sink;
struct http_server;
struct lockwatch;
struct program;
struct race;
struct rt_debugvars;
struct seed;
struct seed_dev;
struct story;
struct sched;
struct vm;

/* Files that are written when the program has ended. */
enum host_file {
    HOST_CPU,
    HOST_MEM,
    HOST_BLOCK,
    HOST_MUTEX,
    HOST_GOROUTINE,
    HOST_LEAK,
    HOST_WALL,
    HOST_NFILES
};

struct vole {
    struct vole_options opt;
    char *path; /* of the program, its first file or its text's name */
    char *goroot;  /* "": the program does not ask for it */
    char *godebug; /* its settings by default; NULL: it was only checked */
    char *buildinfo; /* of its modules (buildinfo.h); likewise */
    struct program *program;
    const struct code_image *image;
    bool ran;
    bool prepared; /* what is the process's has been set for it */
    struct seed *seed;      /* of opt.schedule, or NULL */
    struct seed_dev *devs;  /* its plan's */
    struct rt_keep maps;    /* with a seed: from one run to the next */
    struct vm_kept *kept;   /* likewise; or NULL */
    struct host_process process; /* likewise */
    struct story *story;    /* told if it fails; or NULL */
    struct lockwatch *locks; /* of opt.lockorder and opt.deadlocks; or NULL */

    /* while it runs */
    struct rt_clock clock;
    struct trace_rec trace;
    bool has_trace;
    bool trace_failed;
    bool trace_stats;        /* VOLEDEBUG=tracestats=1 */
    uint32_t trace_flush_ms; /* VOLEDEBUG=traceadvance=N; 0 = default */
    struct host_control *control;
    struct prof prof;
    bool has_prof;
    struct race *race; /* opt.race; or NULL */
    struct race *spare_race; /* the last plan's, for the next one; or NULL */
    struct gc_heap *heap;
    struct vm *vm;
    struct jit *jit; /* NULL: none */
    jit_made_fn made; /* told of all machine code; or NULL */
    void *made_arg;
    struct lib_hooks hooks;
    struct sched *sched;
    const char **args;
    struct lib_prof libprof;
    struct held held;
    struct lib_signals signals;
    struct lib_state libstate; /* of the three above */
    a_u32 live; /* atomic: 1 once all of it stands: the API for other threads */
    int files[HOST_NFILES]; /* descriptors; -1: not asked for */
    struct host_quit *quit;
    a_u32 died_of; /* atomic: the signal that has ended the program, or 0 */
    struct http_server *http;
};

/* wiring.c: what stands stands on what was made before it.  For assertions. */
bool host_valid(const struct vole *v);

/* wiring.c: what went wrong inside, for whoever embeds it.  err may be NULL. */
enum vole_status host_failed(
    struct vole_error *err, const struct rt_err *e);

/* wiring.c: builds what a run needs. */
enum rt_status host_build(struct vole *v, const struct rt_debugvars *dv,
    struct rt_err *e);
/* ..., and runs the program to its end; the
 * status.  Then frees all of that, unless a thread is stuck. */
int host_run(struct vole *v);
void host_tear_down(struct vole *v);

/* seeded.c: runs it by opt.schedule; the status. */
int host_run_schedule(struct vole *v);

/* What has the same address in each process that runs by a seed, and where; and
 * where the heap is when a race detector watches it, and else if there is
 * room. */
enum host_place { HOST_IMAGE, HOST_GLOBALS, HOST_HEAP, HOST_WATCHED_HEAP };
void *host_place(enum host_place p);
/* What the detector watches is as much of the heap, and package variables that
 * end at most so far below it. */
#define HOST_RACE_HEAP ((uint64_t)240 << 30)
#define HOST_RACE_ALIGN       ((uint64_t)1 << 16)
/* GOMAXPROCS, as such programs see it. */
enum { HOST_PROCS = 8 };

/* log.c: a message of the library, one line without its end.  Any thread. */
void host_log(const struct vole *v, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* alloctrace.c: the profiler's sink that also prints each event. */
extern const struct gc_prof_sink host_alloctrace_sink;

/* gc_host.c */
extern const struct gc_host host_gc_host;

/* prof_host.c: the profiler's host table, and what the heap tells the memory
 * profile. */
extern const struct prof_host host_prof_host;
extern const struct gc_prof_sink host_mem_sink;

/* trace_host.c */
extern const struct trace_host host_trace_host;
/* Starts the trace of -trace; false after a message. */
bool host_trace_open(struct vole *v);
/* Ends it; false if the file is incomplete (reported already). */
bool host_trace_close(struct vole *v);

/* profile_files.c: the profiles of the command line.  rates: before there are
 * Ps, which ask for the rate; begin: before the program runs; end: after it,
 * whatever came of it.  False after a message. */
void host_profile_rates(struct vole *v);
bool host_profile_begin(struct vole *v);
bool host_profile_end(struct vole *v);

/* profile_files.c: runs a collection and sweeps all, while the program runs,
 * on a thread that is no M.  Gives up when wait(ctx, seconds) is false. */
void host_collect(
    struct vole *v, bool (*wait)(void *ctx, double seconds), void *ctx);

/* quit.c: answers the signals that end programs from now on, until stop. */
void host_quit_start(struct vole *v);
void host_quit_stop(struct vole *v);

/* What the options say about every trace; false after a message. */
bool host_trace_config(struct vole *v, struct trace_config *cfg);

/* signals.c: signals and the flight recorder.  Before the first thread;
 * false after a message. */
bool host_control_open(struct vole *v);
/* The program has ended with this status: writes what the flight recorder
 * has, if it is not 0, and ends traces that signals have started. */
void host_control_close(struct vole *v, int status);

#endif
