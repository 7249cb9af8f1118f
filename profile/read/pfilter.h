/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PFILTER_H
#define PROFILE_READ_PFILTER_H

/*
 * Which samples and frames to look at: pprof's options of the same names.
 * Filters change the profile.
 */

#include "profile/read/pfile.h"

/* Regular expressions, NULL or "" where not wanted.  Those for frames look at
 * function names, file names and names of mappings. */
struct pfilter {
    const char *focus;      /* only samples with such a frame */
    const char *ignore;     /* no sample with such a frame */
    const char *hide;       /* leave these frames out */
    const char *show;       /* leave all other frames out */
    const char *show_from;  /* leave out the callers of the first match */
    const char *prune_from; /* leave out what such a function calls */
    const char *tagfocus;   /* only samples with such a label: "regexp" on
                               "key:value", "key=regexp,regexp",
                               "[key=]4kb:1mb" for numbers */
    const char *tagignore;
};

/* Filters that matched nothing, for a warning. */
enum pfilter_miss {
    PFILTER_FOCUS = 1, PFILTER_IGNORE = 2, PFILTER_HIDE = 4,
    PFILTER_SHOW = 8, PFILTER_SHOW_FROM = 16, PFILTER_TAGFOCUS = 32,
    PFILTER_TAGIGNORE = 64
};

/* Applies all of them.  *missed is a set of enum pfilter_miss.  RT_EFORMAT
 * for a bad expression, RT_ENOMEM; the profile may then be changed in part. */
enum rt_status pfilter_apply(struct pfile *f, const struct pfilter *p,
    unsigned *missed, struct rt_err *e);

/* Removes the frames that the profile itself calls uninteresting, by its
 * drop_frames and keep_frames: helpers of the profiler, mostly.  A bad
 * expression there removes nothing. */
enum rt_status pfilter_drop(struct pfile *f, struct rt_err *e);

/* Shortens the names of C++ functions as pprof does: without arguments and
 * template arguments.  Mangled names stay as they are. */
enum rt_status pfilter_simplify(struct pfile *f, struct rt_err *e);

#endif
