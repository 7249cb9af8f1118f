/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_EXPLORE_H
#define CMD_VOLE_EXPLORE_H

/* -explore of vole run and vole test, and the flags about schedules. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cmd/common/args.h"
#include "runtime/explore/explore.h"
#include "runtime/vole.h"

/* As given on the command line. */
struct explore_flags {
    const char *schedule; /* -sched-seed; NULL: none */
    const char *clock;
    uint64_t budget;      /* 0: the default */
    bool deadlocks;
    const char *deadlocks_out;
    bool lockorder;
    bool story;
    const char *amount;   /* -explore: "1000" or "10s"; NULL: not asked for */
    const char *strategy; /* NULL: the mix */
    bool all;
    bool lost;            /* -explore-lost: goroutines may be */
    bool leaks;
    uint64_t seed;        /* of the first schedule */
    uint64_t workers;     /* 0: one for each processor */
};

/* Rows of a command's table of flags, whose struct explore_flags lies at
 * offset AT.  What -leaks means differs. */
#define EXPLORE_FLAGS(AT) \
    {"sched-seed", ARG_STR, AT + offsetof(struct explore_flags, schedule), \
        "plan", "run one goroutine at a time, by a seed (7) or a plan " \
        "(7.pct3x200, 7@12:1): the same execution each time, with the same " \
        "ports and connections to itself"}, \
    {"sched-clock", ARG_STR, AT + offsetof(struct explore_flags, clock), \
        "real", "with -sched-seed: time is the machine's, not virtual"}, \
    {"sched-budget", ARG_U64, AT + offsetof(struct explore_flags, budget), \
        "n", "with -sched-seed: a fatal error after n points without an " \
        "end"}, \
    {"deadlocks", ARG_BOOL, AT + offsetof(struct explore_flags, deadlocks), \
        NULL, "at the end, tell of goroutines that wait for locks and can " \
        "never go on; with -sched-seed end as soon as there are any"}, \
    {"deadlocks-out", ARG_OUT, AT + offsetof(struct explore_flags, \
        deadlocks_out), "file", "write who waits for whom at the end, of " \
        "those that can never go on: for Graphviz, or JSON (file.json)"}, \
    {"lockorder", ARG_BOOL, AT + offsetof(struct explore_flags, lockorder), \
        NULL, "at the end, tell of orders of locks that can deadlock"}, \
    {"story", ARG_BOOL, AT + offsetof(struct explore_flags, story), NULL, \
        "with -sched-seed: if the program fails, tell whose turn it was, " \
        "and who holds what and waits for whom"}, \
    {"explore", ARG_STR, AT + offsetof(struct explore_flags, amount), \
        "n|time", "run by n schedules, or for so long (10s), until one " \
        "fails, and tell by which; in tests each function by itself"}, \
    {"explore-all", ARG_BOOL, AT + offsetof(struct explore_flags, all), \
        NULL, "with -explore: go on, and tell of each different failure"}, \
    {"explore-strategy", ARG_STR, AT + offsetof(struct explore_flags, \
        strategy), "name", "mix, punctual (mix, no timer early), random, " \
        "pos, pct4 (depth), dfs2 (deviations)"}, \
    {"explore-lost", ARG_BOOL, AT + offsetof(struct explore_flags, lost), \
        NULL, "with -explore: that some goroutines can never go on is no " \
        "failure as long as others can"}, \
    {"explore-seed", ARG_U64, AT + offsetof(struct explore_flags, seed), \
        "n", "seed of the first schedule"}, \
    {"explore-workers", ARG_U64, AT + offsetof(struct explore_flags, \
        workers), "n", "processes; 0 = one for each processor"}

/* What the flags say about single runs goes into the options; what they say of
 * exploring into *out.  cmd is the command's name in messages; false after
 * one. */
bool explore_run_options(
    const char *cmd, const struct explore_flags *f, struct vole_options *o);
bool explore_options(const char *cmd, const struct explore_flags *f,
    struct explore_config *out);

/* What is explored. */
struct explore_subject {
    struct vole *v;      /* was opened with a schedule and has not run */
    const char *command; /* "run" or "test" */
    const char *words;   /* what stands behind the plan in the command that
                            shows a failure again */
    const char *test;    /* the test function that this is; NULL: a program */
    bool race;           /* it runs with -race */
    bool marked;         /* it marks its lines for test2json: the report is not
                            its own, and what it has printed loses the marks */
};

/* Explores, and tells on standard error what came of it.  The exit status:
 * that of the first failure, 2 where it could not be done, or 0.  A SIGINT or
 * SIGTERM ends the search, and the process when all has been told. */
int explore_tell(const struct explore_subject *s, struct explore_config *c);

/* Writes a word so that a shell takes it for one. */
void explore_word(const char *word, FILE *out);

#endif
