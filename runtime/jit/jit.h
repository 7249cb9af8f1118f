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

struct code_func;
struct code_image;
struct code_ins;
struct jit;
struct jit_spot;
struct vm;

enum jit_mode {
    JIT_OFF,
    JIT_ON,    /* by heat */
    JIT_STRESS /* every function, before the program begins */
};

/* The machine code of a function, as it has just been made. */
struct jit_made {
    const struct code_image *im;
    const struct code_func *func; /* of im */
    const uint8_t *code; /* n bytes, which are as long as the jit is */
    size_t n;
    uint32_t addr;       /* where they run */
    const struct jit_spot *spots;
    uint32_t nspots;     /* for jit_made_spot() */
};

/* Told of each function by the thread that has compiled it, which may be any,
 * but only one at a time; it must not compile. */
typedef void (*jit_made_fn)(void *arg, const struct jit_made *m);

struct jit_config {
    enum jit_mode mode;
    uint32_t regs;  /* registers of each kind that values may have; 0: all */
    uint32_t exits; /* N: every Nth instruction is left to the interpreter */
    bool memory;    /* all values stay in memory, as in large functions */
    bool later;     /* all is compiled by the thread of the background, which
                       else gets what takes long */
    bool traps;     /* vm_catch_faults() has been called, or will be before
                       anything runs: nil pointers may fault */
    bool stats;     /* for jit_stats() */
    bool perf;      /* write /tmp/perf-PID.map */
    bool dump;      /* write /tmp/jit-PID.dump */
    jit_made_fn made; /* NULL: nobody wants to know */
    void *made_arg;
};

/* Spot i < nspots, in order of addresses: code from byte *at of m on, up to the
 * next spot, is of the instruction that returns, which in an inlined leaf is
 * the leaf's. */
const struct code_ins *jit_made_spot(
    const struct jit_made *m, uint32_t i, size_t *at);

/* Whether this machine and system let code be made and run. */
bool jit_available(void);

/* Makes vm use machine code.  NULL where mode is JIT_OFF, where there can be
 * none, and where memory is out.  Before the first goroutine runs. */
struct jit *jit_new(struct vm *vm, const struct jit_config *cfg);
/* Ends what is compiled in the background, for ever.  No goroutine runs any
 * more; what has been made is not touched.  NULL is allowed. */
void jit_stop(struct jit *jit);
/* Likewise, and frees all.  The VM is still there, but uses it no more. */
void jit_free(struct jit *jit);

/* What has been made: functions, those refused, bytes, and how often machine
 * code was entered and left.  Cut to n bytes; no newline.  What is being
 * compiled is waited for.  No goroutine runs any more. */
void jit_stats(struct jit *jit, char *buf, size_t n);

#endif
