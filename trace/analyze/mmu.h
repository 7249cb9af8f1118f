/* SPDX-License-Identifier: MIT */
#ifndef TRACE_ANALYZE_MMU_H
#define TRACE_ANALYZE_MMU_H

/*
 * Minimum mutator utilization (Cheng and Blelloch, 2001): of all windows of a
 * given length, the one in which the collector leaves the least of the
 * processors to the program.
 *
 * Utilization over time is a step function.  It is 0 while the world is
 * stopped, else 1 - (Ps that work for the collector) / GOMAXPROCS.  Its
 * integral over a window of constant length is piecewise linear, so the
 * minimum has a step at one of the window's ends: both are tried for every
 * step.  The function is exact up to TRACE_MMU_STEPS steps; beyond, pairs of
 * neighbours are replaced by their mean, which keeps memory constant.
 */

#include "trace/analyze/analyze.h"

enum {
    TRACE_MMU_STW = 1,
    TRACE_MMU_BACKGROUND = 2, /* mark workers, but idle ones */
    TRACE_MMU_ASSIST = 4,
    TRACE_MMU_SWEEP = 8,

    TRACE_MMU_STEPS = 1 << 20
};

struct trace_mmu_step {
    int64_t ns;   /* from here on */
    double util;
};

struct trace_mmu {
    unsigned flags;           /* what counts as the collector */
    const struct trace_file *f;
    struct trace_mmu_step *steps;
    double *sums;             /* finished: integral up to each step */
    uint64_t n, cap, merged;  /* merged: how often pairs were */
    int64_t last;             /* time of the last event */
    struct trace_idmap pmap, gmap;
    struct trace_mmu_p *ps;
    struct trace_mmu_g *gs;
    uint64_t ps_cap, gs_cap;
    uint64_t nprocs, gcprocs; /* GOMAXPROCS; Ps that collect */
    int64_t stopped;
};

/* Prepares *m for a pass over f and makes a sink that fills it. */
void trace_mmu_init(struct trace_mmu *m, unsigned flags,
    const struct trace_file *f);
struct trace_sink trace_mmu_sink(struct trace_mmu *m);

/* After the pass, before trace_mmu_at().  RT_ENOMEM is the only failure. */
enum rt_status trace_mmu_finish(struct trace_mmu *m);

/* The minimum for windows of that length, 0 to 1; windows longer than the
 * trace are shortened.  -1 when nothing is known. */
double trace_mmu_at(const struct trace_mmu *m, int64_t window);

/* The mean over the whole trace, or -1. */
double trace_mmu_mean(const struct trace_mmu *m);

void trace_mmu_free(struct trace_mmu *m);

/* As many Ps collect as are counted, the steps are in order of time, and what
 * is left to the program is a share. */
bool trace_mmu_valid(const struct trace_mmu *m);

#endif
