/* SPDX-License-Identifier: MIT */
#include "trace/read/rules.h"

/* Short, for the table. */
enum {
    DEAD = TRACE_RULE_DEAD,
    RUNNABLE = TRACE_RULE_RUNNABLE,
    RUNNING = TRACE_RULE_RUNNING,
    WAITING = TRACE_RULE_WAITING,
    OF_ARG = TRACE_RULE_OF_ARG,
    OF_SELF = TRACE_RULE_OF_SELF,
    OF_GC = TRACE_RULE_OF_GC,
    NEEDS_ANY = TRACE_RULE_NEEDS_ANY,
    NEEDS_0 = TRACE_RULE_NEEDS_0,
    NEEDS_1 = TRACE_RULE_NEEDS_1,
    NEEDS_ARG1 = TRACE_RULE_NEEDS_ARG1,
    NEEDS_ARG0 = TRACE_RULE_NEEDS_ARG0
};

#define BLOCKS {RUNNING, WAITING, OF_SELF, NEEDS_ANY, false, true, false}
#define YIELDS {RUNNING, RUNNABLE, OF_SELF, NEEDS_ANY, false, true, false}

const struct trace_rule trace_rules[TRACE_EV_KINDS] = {
    [TRACE_EV_GO_CREATE] = {DEAD, RUNNABLE, OF_ARG, NEEDS_0, true, true,
        false},
    [TRACE_EV_GO_WAITING] = {RUNNABLE, WAITING, OF_ARG, NEEDS_1, true, true,
        false},
    [TRACE_EV_GO_IN_SYSCALL] = {RUNNABLE, WAITING, OF_ARG, NEEDS_1, true, true,
        true},
    [TRACE_EV_GO_START] = {RUNNABLE, RUNNING, OF_ARG, NEEDS_ARG1, true, true,
        false},
    [TRACE_EV_GO_START_LABEL] = {RUNNABLE, RUNNING, OF_ARG, NEEDS_ARG1, true,
        true, false},
    [TRACE_EV_GO_START_LOCAL] = {RUNNABLE, RUNNING, OF_ARG, NEEDS_ANY, true,
        true, false},
    [TRACE_EV_GO_UNBLOCK] = {WAITING, RUNNABLE, OF_ARG, NEEDS_ARG1, true, true,
        false},
    [TRACE_EV_GO_SYS_EXIT] = {WAITING, RUNNABLE, OF_ARG, NEEDS_ARG1, true,
        true, true},
    [TRACE_EV_GO_UNBLOCK_LOCAL] = {WAITING, RUNNABLE, OF_ARG, NEEDS_ANY, true,
        true, false},
    [TRACE_EV_GO_SYS_EXIT_LOCAL] = {WAITING, RUNNABLE, OF_ARG, NEEDS_ANY, true,
        true, false},
    [TRACE_EV_GC_START] = {RUNNABLE, RUNNABLE, OF_GC, NEEDS_ARG0, true, true,
        false},
    [TRACE_EV_GO_SCHED] = YIELDS,
    [TRACE_EV_GO_PREEMPT] = YIELDS,
    [TRACE_EV_GO_BLOCK] = BLOCKS,
    [TRACE_EV_GO_BLOCK_SEND] = BLOCKS,
    [TRACE_EV_GO_BLOCK_RECV] = BLOCKS,
    [TRACE_EV_GO_BLOCK_SELECT] = BLOCKS,
    [TRACE_EV_GO_BLOCK_SYNC] = BLOCKS,
    [TRACE_EV_GO_BLOCK_COND] = BLOCKS,
    [TRACE_EV_GO_BLOCK_NET] = BLOCKS,
    [TRACE_EV_GO_BLOCK_GC] = BLOCKS,
    [TRACE_EV_GO_SLEEP] = BLOCKS,
    [TRACE_EV_GO_SYS_BLOCK] = {RUNNING, WAITING, OF_SELF, NEEDS_ANY, false,
        true, true},
};
