/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_THROW_H
#define RUNTIME_BASE_THROW_H

/*
 * The end of a broken vole.  A throw is for bugs of vole itself, never for
 * those of the script or of the input: it prints
 *     fatal error: vole: <text>
 * the native stack and, through the hook, the stacks of goroutines, and
 * aborts.  Assertions have three prices:
 *     rt_check        always compiled; cheap tests
 *     rt_assert       -Dchecks=basic and full
 *     rt_assert_full  -Dchecks=full; may walk structures
 */

#include <stdarg.h>
#include <stdnoreturn.h>

#include "runtime/base/compiler.h"

/* Prints, calls the hook, aborts.  Any thread, with any locks held. */
noreturn RT_COLD void rt_throw(const char *text);

/* As rt_throw() with values in the text. */
noreturn RT_COLD void rt_throwf(const char *fmt, ...) RT_PRINTF(1, 2);

/* Prints Go's "fatal error: runtime: out of memory" and ends the process with
 * status 2: where memory is out in the middle of something that cannot be
 * left.  Any thread, with any locks held. */
noreturn RT_COLD void rt_no_memory(void);

/* Ends the process at once, where nothing can be trusted any more: after a
 * fault in native code, from its handler.  Says nothing. */
noreturn RT_COLD void rt_quit(int status);

/* Writes formatted text to standard error with write(2): no allocation, no
 * lock, cut at 1 KiB.  For what precedes a throw. */
void rt_printerr(const char *fmt, ...) RT_PRINTF(1, 2);

/* What prints the stacks of goroutines.  It runs on the throwing thread, must
 * not allocate from the heap and must not take locks. */
typedef void (*rt_throw_hook_fn)(void);

/* Sets the process's hook (NULL: none).  The hook finds its runtime through
 * the thread that it runs on, so several runtimes may set the same one. */
void rt_throw_set_hook(rt_throw_hook_fn fn);

#define rt_check(cond, text)            \
    do {                                \
        if (rt_unlikely(!(cond)))       \
            rt_throw(text);             \
    } while (0)

#define RT_STR2(x) #x
#define RT_STR(x)  RT_STR2(x)

#if VOLE_CHECKS >= 1
#define rt_assert(cond) \
    rt_check(cond, __FILE__ ":" RT_STR(__LINE__) ": assertion: " #cond)
#else
#define rt_assert(cond) ((void)sizeof((cond) ? 1 : 0))
#endif

#if VOLE_CHECKS >= 2
#define rt_assert_full(cond) rt_assert(cond)
#else
#define rt_assert_full(cond) ((void)sizeof((cond) ? 1 : 0))
#endif

#endif
