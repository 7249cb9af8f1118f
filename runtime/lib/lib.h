/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_LIB_H
#define RUNTIME_LIB_LIB_H

/*
 * The bundled standard library: the Go sources of its packages, which
 * embed.py packs into the program at build time, and the natives that they
 * declare without a body.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/vm/native.h"

struct held;
struct lib_prof;
struct lib_signals;

/* A source file; text[len] is 0.  Comments are blanked out, so that lines
 * count as in the original. */
struct lib_file {
    const char *name; /* "fmt/print.go" */
    const char *text;
    size_t len;
};

struct lib_package {
    const char *path; /* import path */
    const struct lib_file *files;
    unsigned nfiles;
};

/* All packages, sorted by path; *n of them. */
const struct lib_package *lib_packages(unsigned *n);

/* The package with an import path, NULL if there is none. */
const struct lib_package *lib_find(const char *path);

/* Ready code of the packages that small programs use, for the front end
 * (runtime/lang/gen/stock.h). */
extern const uint32_t lib_stock[];

/* All natives, ended by a row whose name is NULL: for vm_config.natives. */
extern const struct vm_native lib_natives[];

/* Packages that the race detector does not check: for vm_config.unchecked. */
extern const struct vm_unchecked lib_unchecked[];

/* What the natives of one runtime share: vm_config.lib.  Outlives the VM. */
struct lib_state {
    struct lib_prof *prof;
    struct held *held;
    struct lib_signals *signals;
    const char *goroot; /* what runtime.GOROOT() says */
    bool sigpipe; /* a broken standard output ends the process; const */
    bool tests;   /* the program is that of a package's tests; const */
    /* Before the program starts a process, without a P; const, or NULL. */
    void (*before_process)(void *host);
    void *host;
};

/* The state of the runtime that t belongs to. */
struct lib_state *lib_state(const struct vm_thread *t);

#endif
