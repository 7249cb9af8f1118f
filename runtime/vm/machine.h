/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VM_MACHINE_H
#define RUNTIME_VM_MACHINE_H

/*
 * Between the interpreter and machine code, which a layer above makes
 * (runtime/jit).  Both work on the same frames, so one can go on where the
 * other has stopped: at the entry of a function, behind a call, and wherever
 * machine code has an entry for an instruction.  Who stops leaves fp and pc in
 * vm_m.at_fp and vm_m.at_pc; every live slot is in memory then.
 */

#include <stdbool.h>

#include "runtime/vm/native.h"

struct code_ins;

/* Where machine code is to begin. */
enum vm_jit_how {
    VM_JIT_ENTRY,  /* at the entry of the function that at_pc's word names */
    VM_JIT_RETURN, /* behind the call that has made the frame at at_fp, whose
                      results are in place: fp[-2] says where */
    VM_JIT_RESUME  /* at the instruction at at_pc, for which resumes() is true
                      */
};

/* Why machine code has stopped. */
enum vm_jit_end {
    VM_JIT_GO_ON,   /* the interpreter goes on at at_pc */
    VM_JIT_PREEMPT, /* the same, after a safepoint there */
    VM_JIT_ROOM,    /* the same, when the stack reaches to vm_m.need */
    VM_JIT_FAULTED, /* there was a fault; struct vm_g says where */
    VM_JIT_ANSWER   /* the operation at at_pc has answered vm_m.answer, not
                       VM_OK; where it has parked, struct vm_g is another's
                       already */
};

/* A function whose code is in another's machine code, and which may have no
 * frame as yet. */
struct vm_jit_frame {
    const struct code_ins *ret; /* where it returns to */
    uint16_t base;              /* where its frame begins, from the one that
                                   there is */
};

enum { VM_JIT_FRAMES = 10 }; /* so deep at most */

/* What machine code at some address does. */
struct vm_jit_spot {
    const struct code_ins *pc; /* the instruction */
    uint16_t above; /* so many slots above the frame fp points just now */
    uint16_t nframes;
    struct vm_jit_frame frames[VM_JIT_FRAMES]; /* the innermost first, which
                                                  pc is in */
};

struct vm_jit_host {
    /* The interpreter stands at pc, a function's first instruction or one
     * that a jump backwards leads to, in the frame vm_m.at_fp, and has counted
     * vm_m.heat down; sets it anew.  Whether there is machine code for that
     * place now. */
    bool (*hot)(void *jit, struct vm_thread *t, const struct code_ins *pc);
    /* Whether machine code can begin at the instruction. */
    bool (*resumes)(void *jit, const struct code_ins *pc);
    /* Runs machine code on t's goroutine.  Where it has been left for good it
     * says so by vm_stands(). */
    enum vm_jit_end (*run)(
        void *jit, struct vm_thread *t, enum vm_jit_how how);
    /* For signal handlers: the addresses of machine code made so far; *reg is
     * the DWARF number of the register that holds fp there.  False: there is
     * none. */
    bool (*part)(void *jit, uintptr_t *lo, uintptr_t *hi, int *reg);
    /* Likewise what is at such an address; false where it is not known. */
    bool (*at)(void *jit, uintptr_t addr, struct vm_jit_spot *out);
    /* Where the thread is to go on after a fault at such an address, so that
     * run() returns VM_JIT_FAULTED. */
    uintptr_t (*fault)(void *jit);
    /* Whether an access by what may be a nil pointer is at the address, which
     * has faulted: the thread goes on at *to then, with *value in the register
     * of results, and machine code is left before the instruction. */
    bool (*trap)(void *jit, uintptr_t addr, uintptr_t *to, uint64_t *value);
};

/* t's goroutine has parked.  True: t has another one, which goes on where its
 * struct vm_g says; false: the scheduler has to be asked. */
bool vm_next(struct vm_thread *t);

/* Before the first goroutine runs.  jit must outlive the vm's threads. */
void vm_set_jit(struct vm *vm, const struct vm_jit_host *host, void *jit);

/*
 * Operations as C functions, by enum code_op, for machine code that does not
 * do them itself: made of the same bodies as the interpreter's, with fp and pc
 * as there; struct vm_g gets them where the interpreter saves them.  VM_YIELD
 * of RANGESTR and MAPNEXT: they jump.  NULL for those that move from one
 * instruction or frame to another in any other way.
 */
typedef enum vm_status (*vm_op_fn)(struct vm_thread *t, union rt_slot *fp,
    const struct code_ins *pc);
extern const vm_op_fn vm_op_functions[];
/* Likewise those that have a checked form, by the plain form's number: the
 * memory is looked at before.  NULL: it has none. */
extern const vm_op_fn vm_race_functions[];

#endif
