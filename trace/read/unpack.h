/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_UNPACK_H
#define TRACE_READ_UNPACK_H

/* Traces that are kept compressed. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/err.h"

/* What a compressed trace may unpack to: a file of zeros packs a thousand
 * times smaller, and what it unpacks to is written to disk. */
#define TRACE_MAX_UNPACKED (UINT64_C(16) << 30)

/* True where the n bytes at which a file begins are those of gzip data. */
bool trace_is_gzip(const uint8_t *data, size_t n);

/*
 * Unpacks n bytes of gzip data, of one or more members, to the file fd.  Data
 * that ends early is unpacked as far as it goes, as a trace is read up to the
 * place where it was cut.  RT_EFORMAT where it is damaged, RT_ELIMIT where
 * more than limit bytes come out, RT_EIO, RT_ENOMEM.
 */
enum rt_status trace_unpack(const uint8_t *data, uint64_t n, uint64_t limit,
    int fd, struct rt_err *e);

#endif
