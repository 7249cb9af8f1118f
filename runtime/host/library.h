/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_LIBRARY_H
#define RUNTIME_HOST_LIBRARY_H

#include "runtime/lang/load/program.h"

/* The bundled library, as the front end asks for it.  Without its ready code,
 * so that the program which makes that can ask, too. */
const struct program_library *host_library(void);

#endif
