/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_RUNTIME_HOOKS_H
#define RUNTIME_LIB_RUNTIME_HOOKS_H

#include <stdint.h>

struct vm;

/* Variables of Go packages that the collector's host knows by name; NULL
 * where the program does not have them. */
struct lib_hooks {
    uint32_t *fin_sema;     /* runtime.finSema */
    uint32_t *cleanup_sema; /* runtime.cleanupSema */
    void *pools;            /* sync.pools */
};

/* Finds them; after vm_load(). */
void lib_hooks_init(struct lib_hooks *k, const struct vm *vm);

/*
 * For gc_host.finalizers_ready: wakes the goroutines that run finalizers and
 * cleanups, if the program has any.  On an M, with or without a P; does not
 * block.
 */
void lib_finalizers_ready(const struct lib_hooks *k);

/* For gc_host.clear_caches: sync.Pool's rule.  World stopped, no mark. */
void lib_clear_pools(const struct lib_hooks *k);

#endif
