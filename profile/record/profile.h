/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_PROFILE_H
#define PROFILE_RECORD_PROFILE_H

/*
 * The samplers of one runtime, and what they ask of the layers above.
 *
 *   bucket.h     records by kind, size and stack
 *   mem.h        heap and allocs profiles
 *   block.h      block and mutex profiles
 *   thread.h     threadcreate
 *   goroutine.h  goroutine
 *   cpu.h        CPU profile
 *   wall.h       wall clock profile
 *   timed.h      what the last two have in common
 *   labels.h     labels of goroutines
 *   pc.h         what the words of a stack mean
 *
 * One struct prof is embedded in the runtime.  Nothing here writes files:
 * profile/wire does.
 */

#include <stdbool.h>
#include <stdint.h>

#include "profile/record/block.h"
#include "profile/record/bucket.h"
#include "profile/record/cpu.h"
#include "profile/record/goroutine.h"
#include "profile/record/labels.h"
#include "profile/record/mem.h"
#include "profile/record/pc.h"
#include "profile/record/thread.h"
#include "profile/record/timed.h"
#include "profile/record/wall.h"
#include "runtime/base/clock.h"
#include "runtime/base/err.h"
#include "runtime/base/osmem.h"

struct trace_rec;

/*
 * Filled by the layers above, const after prof_init().  ctx is its first
 * argument everywhere.  No lock of profile/record is held during a call,
 * except where a row says so.
 */
struct prof_host {
    /* Any thread: the stack of the goroutine that runs on it, leaf first; 0
     * where there is none. */
    uint32_t (*walk_self)(void *ctx, vpc *pcs, uint32_t max);
    /* The stack of a goroutine that does not run and will not begin to. */
    uint32_t (*walk_g)(void *ctx, struct prof_g *g, vpc *pcs, uint32_t max);
    /* The calling thread's goroutine; NULL where there is none. */
    struct prof_g *(*self)(void *ctx);
    /* World stopped, or g is the caller's or pinned and parked. */
    void (*g_info)(void *ctx, struct prof_g *g, struct prof_ginfo *out);
    /* Any thread, g pinned: whether g is alive and does not run.  It stays so
     * until it is let go, and what has been written of it can be read. */
    bool (*g_parked)(void *ctx, struct prof_g *g);
    /* World stopped: how many goroutines a profile has. */
    uint32_t (*count_g)(void *ctx);
    /* Calls fn for every goroutine that is not dead, in any order; those that
     * are born or die meanwhile may be left out.  The world may run. */
    void (*each_g)(
        void *ctx, void (*fn)(void *arg, struct prof_g *g), void *arg);
    /* World stopped: the system goroutine that may run code of the program
     * (finalizers); NULL: none. */
    struct prof_g *(*finalizer_g)(void *ctx);
    /* World stopped: calls fn for every goroutine that is blocked on something
     * that no goroutine which can still run will ever reach.  NULL: not to be
     * had.  False: memory was out. */
    bool (*leaked)(
        void *ctx, void (*fn)(void *arg, struct prof_g *g), void *arg);
    /* Calling thread: around waits and long work of the profiler; the P, if
     * there is one, is handed over.  stop_world and walk_self work inside. */
    void (*wait_enter)(void *ctx);
    void (*wait_leave)(void *ctx);
    void (*stop_world)(void *ctx);
    void (*start_world)(void *ctx);
    /* Arms the CPU timer of every thread of the scheduler, also of those to
     * come; hz 0 disarms them.  RT_EIO. */
    enum rt_status (*cpu_timers)(void *ctx, uint32_t hz, struct rt_err *e);
    /* Sends every thread that runs a goroutine the signal whose handler calls
     * prof_wall_signal().  Any thread. */
    void (*wall_signal)(void *ctx);
    /* Whether the address lies in the interpreter's loop.  May be NULL. */
    bool (*is_interp)(void *ctx, uintptr_t addr);
    /* Signal handler: the stack that was interrupted, and whose it is. */
    void (*interrupted)(void *ctx, const void *ucontext, vpc *pcs,
        uint32_t max, struct prof_where *w);
};

struct prof {
    /* const after init */
    const struct prof_host *host;
    void *ctx;
    const struct rt_clock *clock;
    struct trace_rec *trace; /* gets CPU samples; may be NULL */

    struct rt_os os;         /* counts the memory of the profiler */
    struct prof_buckets buckets;
    struct mprof mem;
    struct prof_block block;
    struct prof_threads threads;
    struct prof_gor gor;
    struct prof_timed cpu, wall;
};

/* Prepares *p (any contents); allocates nothing.  All must outlive p.  What is
 * sampled follows from the seed, any number. */
void prof_init(struct prof *p, const struct prof_host *host, void *ctx,
    const struct rt_clock *clock, struct trace_rec *trace, uint64_t seed);

/* runtime.SetBlockProfileRate, as prof_block_set_rate() while goroutines run:
 * the world stops for a moment, so that all that follows of a hand-over knows.
 * A goroutine on its P, or any thread that is no M. */
void prof_set_block_rate(struct prof *p, int64_t ns);

/* Ends what still runs and frees everything.  No other thread may be left
 * that uses p. */
void prof_fini(struct prof *p);

#endif
