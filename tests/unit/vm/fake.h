/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_VM_FAKE_H
#define TESTS_UNIT_VM_FAKE_H

/*
 * A scheduler of one thread for the VM's tests: a queue of runnable
 * goroutines, unbuffered channels and nothing else.  What the VM prints is
 * caught in a pipe.
 */

#include "runtime/vm/vm.h"
#include "tests/unit/vm/asm.h"

struct fake_result {
    int status;         /* exit status; 0 where main returned */
    bool deadlock;      /* nobody could run any more */
    union rt_slot r[8]; /* the entry's frame after it returned */
    char text[65536];   /* what was printed */
    uint64_t switches;
};

/* int, chan int, and the pointer mask of a type whose first word is one. */
extern struct rtype fake_int, fake_chan;
extern const uint8_t fake_mask1[1];

/* Runs the image's function 0 with the natives until it returns. */
void fake_run(struct asm_prog *p, const struct vm_native *natives,
    struct fake_result *res);

/* Collect garbage at every safepoint. */
extern bool fake_gc_always;

/* There is none for channels. */
extern bool fake_no_memory;

/* How many collections the last run has made, and how many safepoints it has
 * come to. */
extern uint64_t fake_collections, fake_safepoints;

/* How many threads are in system calls. */
extern a_u32 fake_in_kernel;

/* NULL, or called with the VM before its first goroutine runs. */
extern void (*fake_on_vm)(struct vm *vm);

/* Likewise, after its last one. */
extern void (*fake_off_vm)(struct vm *vm);

/* NULL, or called where a goroutine starts another one. */
extern void (*fake_on_go)(struct sched_m *m);

#endif
