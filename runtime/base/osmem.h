/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_OSMEM_H
#define RUNTIME_BASE_OSMEM_H

/*
 * Memory from the operating system, in pages.  Address space is reserved
 * first and committed in pieces.  Failure is a value, since it can happen to
 * anyone at any time (ulimit -v) and to every test run (failalloc).
 */

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/atomic.h"
#include "runtime/base/err.h"
#include "runtime/base/keep.h"

/* One per runtime: what it has obtained.  Zeroed memory is a valid state. */
struct rt_os {
    a_u64 reserved;   /* bytes of address space */
    a_u64 committed;  /* bytes of it that may be used */
    a_u64 requests;   /* calls that may fail, so far */
    uint64_t fail_at; /* the request from which on all fail; 0: never; const
                         after init */
    struct rt_keep *keep; /* where mappings come from and go to before the
                             system is asked; NULL: none; const after init */
    uint8_t *ready, *ready_end; /* what came from there usable already, of the
                                   last reservation */
};

/*
 * Reserves size bytes of address space, aligned to align (a power of two, at
 * least a page), at hint if that is free and aligned (NULL: anywhere).
 * Access faults until rt_os_commit().  NULL on failure.
 */
void *rt_os_reserve(struct rt_os *os, void *hint, size_t size, size_t align);

/* Makes reserved pages usable; they read as zero.  RT_ENOMEM. */
enum rt_status rt_os_commit(struct rt_os *os, void *p, size_t size);

/* Takes a commit back: access faults again. */
void rt_os_uncommit(struct rt_os *os, void *p, size_t size);

/* Gives the memory behind committed pages back; they stay usable and read as
 * zero afterwards. */
void rt_os_discard(struct rt_os *os, void *p, size_t size);

/* Gives reserved space back; committed is how much of it was committed. */
void rt_os_release(struct rt_os *os, void *p, size_t size, size_t committed);
/* The same of what is committed at its beginning only and reads as zero, so
 * that it can be kept. */
void rt_os_release_clean(
    struct rt_os *os, void *p, size_t size, size_t committed);

/* Reserves and commits in one; NULL on failure. */
void *rt_os_map(struct rt_os *os, size_t size);
void rt_os_unmap(struct rt_os *os, void *p, size_t size);
/* The same, of which nothing but the first `used` bytes was ever written. */
void rt_os_unmap_used(struct rt_os *os, void *p, size_t size, size_t used);

/* As rt_os_map(), for tables of which little will be used: no memory is set
 * aside, so the size may be that of all addresses. */
void *rt_os_map_sparse(struct rt_os *os, size_t size);

#endif
