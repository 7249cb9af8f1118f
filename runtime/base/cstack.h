/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_CSTACK_H
#define RUNTIME_BASE_CSTACK_H

/* Stacks of native code: the only door to libunwind. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The unwinder sets itself up at its first use.  This is that use, outside of
 * a handler: whoever asks for signals that interrupt at any place calls it
 * before.  A handler of faults need not, since code that faults is in the
 * middle of nothing that the unwinder or the dynamic linker locks.  It takes
 * .2 ms, which is why no program begins with it.
 */
void rt_cstack_prepare(void);

/* Fills pcs with at most max return addresses of the calling thread,
 * innermost first, leaving out the skip innermost frames (0 = begin with the
 * caller).  Returns how many.  Takes no locks of vole. */
int rt_cstack_capture(uintptr_t *pcs, int max, int skip);

/* Prints the stack of the calling thread to the descriptor fd, one line per
 * frame, leaving out the skip innermost frames. */
void rt_cstack_print(int fd, int skip);

/* Code at which rt_cstack_interrupted() stops, and two registers that are of
 * interest there, by their DWARF numbers; -1: none. */
struct rt_cstack_part {
    uintptr_t lo, hi; /* from lo up to hi, which is outside */
    int reg[2];
};

/*
 * The stack that a signal has interrupted, from the handler's ucontext: pcs
 * gets the address of the interrupted instruction and those of the calls
 * below it, up to the first frame whose address lies in one of the parts,
 * which is left out; *n says how many.  Returns that part, NULL if there was
 * none: then *stopped is the address, and val[i] what the part's register
 * reg[i] holds in the frame.  max frames at most.  Async-signal-safe after
 * rt_cstack_prepare().
 */
const struct rt_cstack_part *rt_cstack_interrupted(const void *ucontext,
    const struct rt_cstack_part *parts, unsigned nparts, uintptr_t *stopped,
    uintptr_t val[2], uintptr_t *pcs, uint32_t max, uint32_t *n);

/* The address of the instruction that a handler's ucontext has interrupted; 0
 * where the processor is not known. */
uintptr_t rt_cstack_fault_pc(const void *ucontext);

/* As rt_cstack_print() of the stack that a signal has interrupted. */
void rt_cstack_print_from(int fd, const void *ucontext);

/*
 * Changes the handler's ucontext so that when the handler returns, the
 * function that was interrupted has returned value to its caller.  Whatever
 * it held is lost, so it must be known to hold nothing.  False, and nothing
 * changed, where its caller cannot be found or the processor is not known.
 */
bool rt_cstack_return(void *ucontext, int value);

/* The same: the thread goes on at the address, with value where functions leave
 * their results; all other registers are as they were.  False where the
 * processor is not known. */
bool rt_cstack_goto(void *ucontext, uintptr_t addr, uint64_t value);

/*
 * The name of the function that holds the address, static ones included, and
 * how far inside it lies.  True for a function of this program; false for
 * others: buf then has their name too, or "FILE.0xSTART" where it is not
 * known.  Cut to n bytes.  Reads the program's file: not signal-safe.
 */
bool rt_cstack_name(uintptr_t pc, char *buf, size_t n, uint64_t *off);

#endif
