/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_PROF_ROWS_H
#define RUNTIME_LIB_SUPPORT_PROF_ROWS_H

/* Shared by lib_prof*.c: what a snapshot holds. */

#include "profile/wire/pprof.h"
#include "profile/wire/text.h"
#include "runtime/lib/support/prof.h"
#include "runtime/vm/vm.h"

enum lib_kind {
    LIB_PROF_ALLOCS,
    LIB_PROF_BLOCK,
    LIB_PROF_GOROUTINE,
    LIB_PROF_LEAK,
    LIB_PROF_HEAP,
    LIB_PROF_MUTEX,
    LIB_PROF_THREADCREATE,
    LIB_PROF_NBUILTIN,
    LIB_PROF_OWN = LIB_PROF_NBUILTIN /* the program's */
};

struct lib_snap {
    struct lib_prof *lp;
    enum lib_kind kind;
    const char *name;
    int64_t debug;
    int64_t time_ns;       /* since 1970 */
    size_t n;              /* of the one array that the kind uses: */
    struct wire_heap *heap;
    struct wire_count *count;
    struct wire_cycles *cycles;
    int64_t rate;          /* heap: bytes; mutex: fraction */
    int64_t per_sec;       /* block, mutex: cycles */
    struct wire_memstats *ms;      /* heap as text */
    uint64_t pauses[2][256];
    struct prof_gset *gs;          /* owns the goroutines' stacks */
    struct profset_stacks own;
    struct vm_dump *dump;  /* goroutine, debug 2 */
};

/* Names for one file; lib_prof_syms_free() when it is written. */
struct lib_prof_syms {
    struct lib_prof *lp;
    struct lib_prof_name *names;
    struct wire_syms w;
};

void lib_prof_syms_init(struct lib_prof_syms *s, struct lib_prof *lp);
void lib_prof_syms_free(struct lib_prof_syms *s);

/* Records of the memory (flag: those too of which nothing is in use), block
 * (flag: mutex) and threadcreate profiles: how many there are; r gets them if
 * there is room for all. */
typedef uint32_t lib_read_fn(
    struct prof *p, bool flag, void *r, uint32_t room);
lib_read_fn lib_read_mem, lib_read_block, lib_read_threads;

/* The kind of a built-in profile; LIB_PROF_OWN for any other name. */
enum lib_kind lib_prof_kind(const char *name);

#endif
