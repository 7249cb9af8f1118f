/* SPDX-License-Identifier: MIT */
/*
 * The interpreter loop once more, for programs whose accesses to memory are
 * checked for races: it knows the checked forms of instructions, too.  A copy
 * of its own, so that the other one pays nothing.
 */
#define VM_RACE 1

#include "runtime/vm/interp.c"
