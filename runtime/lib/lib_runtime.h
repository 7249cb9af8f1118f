/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_LIB_RUNTIME_H
#define RUNTIME_LIB_LIB_RUNTIME_H

struct vm;

/*
 * For gc_host.finalizers_ready: wakes the goroutine that runs finalizers, if
 * the program has one.  On an M, with or without a P; does not block.
 */
void lib_finalizers_ready(struct vm *vm);

#endif
