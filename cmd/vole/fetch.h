/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_FETCH_H
#define CMD_VOLE_FETCH_H

/* What is at an address: http, https and file. */

#include <stddef.h>

#include "runtime/base/err.h"

struct fetch;

/* NULL with err if there is no libcurl, or no memory. */
struct fetch *fetch_new(struct rt_err *err);
void fetch_free(struct fetch *f);

/* Gets all of it into malloc'ed memory.  RT_EOF: the server has no such thing;
 * RT_EIO: whatever else went wrong. */
enum rt_status fetch_url(struct fetch *f, const char *url,
    unsigned char **data, size_t *len, struct rt_err *err);

#endif
