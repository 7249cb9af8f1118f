/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_MAPPED_H
#define RUNTIME_BASE_MAPPED_H

/*
 * Reading of mapped files.  Somebody else may cut a file short meanwhile; its
 * last pages are no memory then, and who reads there gets the signal SIGBUS.
 */

#include <stdbool.h>

/*
 * Calls fn(arg).  False: it has read what is no longer there, at *where, and was
 * left at that point, as by longjmp(): what it held but did not note anywhere
 * is lost, so that little can be done but to free and to tell.  Calls nest;
 * SIGBUS has a handler of its own until the last one of the process is over,
 * under which another thread's has its default effect.
 */
bool rt_mapped_call(void (*fn)(void *arg), void *arg, const void **where);

#endif
