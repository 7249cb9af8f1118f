/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_OS_ERRNO_H
#define RUNTIME_LIB_SUPPORT_OS_ERRNO_H

/* Error numbers and signals of the operating system as Go words them. */

#include "runtime/vm/native.h"

/* The text of err as a Go string, e.g. "no such file or directory". */
struct rt_str lib_errno_text(struct vm_thread *t, int64_t err);

/* The text of a signal, e.g. "interrupt". */
struct rt_str lib_signal_text(struct vm_thread *t, int64_t sig);

/* As in Go, a program whose standard output or error nobody reads ends by
 * SIGPIPE, unless its host wants to go on (lib_state.sigpipe). */
void lib_broken_pipe(const struct vm_thread *t);

#endif
