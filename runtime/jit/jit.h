/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_JIT_JIT_H
#define RUNTIME_JIT_JIT_H

/*
 * Machine code for x86-64 from bytecode.  A function is compiled when the
 * interpreter has spent much time in it, as a whole, and entered at its next
 * call or at the loop in which the interpreter is.  Whatever machine code
 * does not do itself, panics above all, it leaves to the interpreter, at the
 * very instruction, with all live slots in memory.
 *
 * Where the machine is another one, or the system does not let code be
 * mapped, there is none, and nobody else notices.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jit;
struct vm;

enum jit_mode {
    JIT_OFF,
    JIT_ON,    /* by heat */
    JIT_STRESS /* every function, before the program begins */
};

struct jit_config {
    enum jit_mode mode;
    uint32_t regs;  /* registers of each kind that values may have; 0: all */
    uint32_t exits; /* N: every Nth instruction is left to the interpreter */
    bool stats;     /* for jit_stats() */
    bool perf;      /* write /tmp/perf-PID.map */
};

/* Whether this machine and system let code be made and run. */
bool jit_available(void);

/* Makes vm use machine code.  NULL where mode is JIT_OFF, where there can be
 * none, and where memory is out.  Before the first goroutine runs; jit_free()
 * after the last one. */
struct jit *jit_new(struct vm *vm, const struct jit_config *cfg);
void jit_free(struct jit *jit);

/* What has been made: functions, those refused, bytes, and how often machine
 * code was entered and left.  Cut to n bytes; no newline. */
void jit_stats(const struct jit *jit, char *buf, size_t n);

#endif
