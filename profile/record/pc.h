/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_RECORD_PC_H
#define PROFILE_RECORD_PC_H

/*
 * Words of the stacks that profiles keep, leaf first.  Most are pcs of script
 * code (runtime/base/callstack.h).  Two top bits tell the others:
 *
 *   bit 63   an address of machine code: time or threads of the runtime
 *   bit 62   a mark: a frame that exists neither as script nor as machine
 *            code, but that readers of Go's profiles expect
 *
 * Who turns a profile into text or protobuf resolves script pcs with the VM,
 * addresses with prof_native_name(), marks with prof_mark_name().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/callstack.h"

#define PROF_PC_NATIVE ((uint64_t)1 << 63)
#define PROF_PC_MARK   ((uint64_t)1 << 62)

/* X(name, function as it is shown). */
#define PROF_MARKS(X)                                    \
    X(NONE, "?")                                         \
    X(CHANRECV, "runtime.chanrecv1")                     \
    X(CHANSEND, "runtime.chansend1")                     \
    X(SELECT, "runtime.selectgo")                        \
    X(SYSTEM, "runtime._System")                         \
    X(GC, "runtime._GC")                                 \
    X(EXTERNAL, "runtime._ExternalCode")                 \
    X(LOST, "runtime/pprof.lostProfileEvent")            \
    X(GOEXIT, "runtime.goexit")

enum prof_mark {
#define X(name, text) PROF_MARK_##name,
    PROF_MARKS(X)
#undef X
    PROF_MARK_COUNT
};

static inline vpc
prof_pc_mark(enum prof_mark m)
{
    return PROF_PC_MARK | m;
}

static inline vpc
prof_pc_native(uintptr_t addr)
{
    return PROF_PC_NATIVE | addr;
}

static inline bool
prof_pc_is_native(vpc pc)
{
    return (pc & PROF_PC_NATIVE) != 0;
}

static inline bool
prof_pc_is_mark(vpc pc)
{
    return !prof_pc_is_native(pc) && (pc & PROF_PC_MARK) != 0;
}

static inline uintptr_t
prof_pc_addr(vpc pc)
{
    return (uintptr_t)(pc & ~PROF_PC_NATIVE);
}

/* The function that a mark stands for; "?" for an unknown one. */
const char *prof_mark_name(vpc pc);

/*
 * What the machine code at a native pc is called: "runtime.gc_mark_drain" in
 * vole itself (true), the plain name or "FILE.0xSTART" in a library (false).
 * Writes the name to buf (cut to n bytes) and the offset of the pc in the
 * function to *off.  Reads the symbol table of the program's file:
 * microseconds, not signal-safe.
 */
bool prof_native_name(vpc pc, char *buf, size_t n, uint64_t *off);

#endif
