/* SPDX-License-Identifier: MIT */
/*
 * The interpreter loop once more, for programs that run by a seed: it stops
 * before the instructions that are points (points.c), and counts how often
 * loops go round.  A copy of its own, so that the other one pays nothing.  It
 * knows the checked forms of instructions, too (interp_race.c).
 */
#define VM_POINTS 1

#include "runtime/vm/interp.c"
