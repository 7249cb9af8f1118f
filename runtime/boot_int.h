/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BOOT_INT_H
#define RUNTIME_BOOT_INT_H

/* Shared by the boot files: everything that one runtime owns. */

#include <stdbool.h>

#include "profile/record/profile.h"
#include "runtime/base/atomic.h"
#include "runtime/base/clock.h"
#include "runtime/lib/lib_prof.h"
#include "runtime/lib/lib_runtime.h"
#include "runtime/vole.h"
#include "trace/record/trace.h"

struct boot_quit;
struct code_image;
struct gc_heap;
struct gc_prof_sink;
struct http_server;
struct program;
struct sched;
struct vm;

/* Files that are written when the program has ended. */
enum boot_file {
    BOOT_CPU,
    BOOT_MEM,
    BOOT_BLOCK,
    BOOT_MUTEX,
    BOOT_GOROUTINE,
    BOOT_LEAK,
    BOOT_WALL,
    BOOT_NFILES
};

struct vole {
    struct vole_options opt;
    const char *path;
    struct program *program;
    const struct code_image *image;
    bool ran;

    /* while it runs */
    struct rt_clock clock;
    struct trace_rec trace;
    bool has_trace;
    bool trace_failed;
    bool trace_stats;        /* VOLEDEBUG=tracestats=1 */
    uint32_t trace_flush_ms; /* VOLEDEBUG=traceadvance=N; 0 = default */
    struct boot_control *control;
    struct prof prof;
    bool has_prof;
    struct gc_heap *heap;
    struct vm *vm;
    struct lib_hooks hooks;
    struct sched *sched;
    const char **args;
    struct lib_prof libprof;
    a_u32 live; /* atomic: 1 once all of it stands: the API for other threads */
    int files[BOOT_NFILES]; /* descriptors; -1: not asked for */
    struct boot_quit *quit;
    struct http_server *http;
};

/* boot_alloctrace.c: the profiler's sink that also prints each event. */
extern const struct gc_prof_sink boot_alloctrace_sink;

/* boot_prof.c */
extern const struct prof_host boot_prof_host;

/* boot_trace.c */
extern const struct trace_host boot_trace_host;
/* Starts the trace of -trace; false after a message. */
bool boot_trace_open(struct vole *v);
/* Ends it; false if the file is incomplete (reported already). */
bool boot_trace_close(struct vole *v);

/* boot_profile.c: the profiles of the command line.  rates: before there are
 * Ps, which ask for the rate; begin: before the program runs; end: after it,
 * whatever came of it.  False after a message. */
void boot_profile_rates(struct vole *v);
bool boot_profile_begin(struct vole *v);
bool boot_profile_end(struct vole *v);

/* boot_profile.c: runs a collection and sweeps all, while the program runs,
 * on a thread that is no M.  Gives up when wait(ctx, seconds) is false. */
void boot_collect(
    struct vole *v, bool (*wait)(void *ctx, double seconds), void *ctx);

/* boot_quit.c: answers SIGQUIT from now on, until stop. */
void boot_quit_start(struct vole *v);
void boot_quit_stop(struct vole *v);

/* What the options say about every trace; false after a message. */
bool boot_trace_config(struct vole *v, struct trace_config *cfg);

/* boot_control.c: signals and the flight recorder.  Before the first thread;
 * false after a message. */
bool boot_control_open(struct vole *v);
/* The program has ended with this status: writes what the flight recorder
 * has, if it is not 0, and ends traces that signals have started. */
void boot_control_close(struct vole *v, int status);

#endif
