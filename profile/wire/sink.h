/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_WIRE_SINK_H
#define PROFILE_WIRE_SINK_H

/* Where writers put their bytes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/err.h"

struct wire_sink {
    /* Takes n bytes; false: failed, nothing more is written. */
    bool (*write)(void *arg, const void *data, size_t n);
    void *arg;
};

/* A sink into memory that grows; begin with zeroes. */
struct wire_buf {
    uint8_t *data;
    size_t n, cap;
    bool failed; /* memory was out; data holds what came before */
};

/* The sink that appends to b. */
struct wire_sink wire_buf_sink(struct wire_buf *b);
bool wire_buf_put(struct wire_buf *b, const void *data, size_t n);
void wire_buf_free(struct wire_buf *b);

/* Appends the n bytes to out as one gzip member; RT_ENOMEM. */
enum rt_status wire_gzip(struct wire_buf *out, const void *data, size_t n);

#endif
