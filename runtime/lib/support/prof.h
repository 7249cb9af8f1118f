/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_PROF_H
#define RUNTIME_LIB_SUPPORT_PROF_H

/*
 * Profiles by name, from the samplers to bytes: what runtime/pprof in scripts,
 * the flags of the command and the live server have in common.
 *
 * A profile is written in two steps: lib_prof_take() copies what there is,
 * lib_snap_write() makes a file of it and touches neither the heap nor the
 * scheduler.  Functions may be called on any thread, also one that is no M,
 * before, while and after the program runs.
 */

#include <stdbool.h>
#include <stdint.h>

#include "profile/record/profile.h"
#include "profile/wire/sink.h"
#include "runtime/base/err.h"
#include "runtime/lib/support/profset.h"

struct vm;
struct lib_snap;

/* One per runtime; natives find it in lib_state(). */
struct lib_prof {
    /* const after lib_prof_attach() */
    struct vm *vm;
    struct prof *prof;
    const char *program; /* path of the script */

    struct profset users;
    struct rt_lock lock; /* LEAF: the rest */
    bool rate_set;       /* SetCPUProfileRate has begun a profile, and nobody
                            has asked for it yet */
};

/* prof and program must outlive *lp. */
void lib_prof_init(
    struct lib_prof *lp, struct prof *prof, const char *program);
void lib_prof_attach(struct lib_prof *lp, struct vm *vm);
void lib_prof_fini(struct lib_prof *lp);

/* Name of the i-th profile that the runtime itself has; NULL after the last. */
const char *lib_prof_builtin(uint32_t i);
/* The same of those that the program made; lives as long as *lp. */
const char *lib_prof_own(struct lib_prof *lp, uint32_t i);

bool lib_prof_known(struct lib_prof *lp, const char *name);
/* Whether a difference of two snapshots means something. */
bool lib_prof_has_delta(const char *name);
/* Number of stacks in a profile; 0 for an unknown one. */
uint32_t lib_prof_count(struct lib_prof *lp, const char *name);

/*
 * Copies a profile.  debug is Go's: 0 protobuf, 1 text, 2 (goroutine) a dump.
 * RT_EUNSUP: unknown name; RT_ENOMEM.  On an M: with its P.
 */
enum rt_status lib_prof_take(struct lib_prof *lp, const char *name,
    int64_t debug, struct lib_snap **out, struct rt_err *e);
/* Writes it; RT_ENOMEM, RT_EIO. */
enum rt_status lib_snap_write(
    const struct lib_snap *s, const struct wire_sink *sink);
/* Writes what has been added between two snapshots of one profile, both taken
 * with debug 0. */
enum rt_status lib_snap_write_delta(const struct lib_snap *old,
    const struct lib_snap *new, const struct wire_sink *sink);
void lib_snap_free(struct lib_snap *s);

/* Begins a CPU profile.  RT_ESTATE: there is one. */
enum rt_status lib_prof_cpu_start(
    struct lib_prof *lp, uint32_t hz, struct rt_err *e);
/* Ends it and writes it; sink NULL: throws it away. */
enum rt_status lib_prof_cpu_stop(
    struct lib_prof *lp, const struct wire_sink *sink, struct rt_err *e);

/* The same for the wall clock profile, which begins by prof_wall_start(). */
enum rt_status lib_prof_wall_stop(
    struct lib_prof *lp, const struct wire_sink *sink, struct rt_err *e);

/* runtime.SetCPUProfileRate: begins a profile of a rate, which the next
 * lib_prof_cpu_start() goes on with; false while there is one.  stop ends it
 * if nobody has. */
bool lib_prof_rate_start(struct lib_prof *lp, uint32_t hz);
void lib_prof_rate_stop(struct lib_prof *lp);

/* The value of runtime.MemProfileRate, `none` where the program has no such
 * variable. */
int64_t lib_prof_go_rate(const struct vm *vm, int64_t none);

/* The name of any word of a stack; what must be freed is put into *own. */
bool lib_prof_symbol(struct lib_prof *lp, vpc pc, struct wire_frame *f,
    char **own);

#endif
