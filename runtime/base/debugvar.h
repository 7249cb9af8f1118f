/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_DEBUGVAR_H
#define RUNTIME_BASE_DEBUGVAR_H

/* VOLEDEBUG=name=value,name=value: the switches of debugvar.def. */

#include <stdint.h>

struct rt_debugvars {
#define DEBUGVAR(name, dflt, layer, help) int64_t name;
#include "runtime/base/debugvar.def"
#undef DEBUGVAR
};

/* Receives one line of text without newline. */
typedef void (*rt_text_fn)(void *arg, const char *line);

/*
 * Sets *v to the defaults, then to what text says (NULL: nothing).  A name
 * alone means 1.  The word help sends the table through say(), and so goes,
 * as a warning, each name that is unknown and each value that is no number;
 * say may be NULL.
 */
void rt_debugvars_parse(struct rt_debugvars *v, const char *text,
    rt_text_fn say, void *arg);

#endif
