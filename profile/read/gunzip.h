/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_GUNZIP_H
#define PROFILE_READ_GUNZIP_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/err.h"

/*
 * Unpacks gzip data of one or more members, as Go's reader does.  *out comes
 * from malloc and is the caller's.  RT_EFORMAT where the data is damaged or
 * cut short, RT_ELIMIT as soon as more than limit bytes come out, RT_ENOMEM.
 */
enum rt_status gunzip_all(const uint8_t *in, size_t n, size_t limit,
    uint8_t **out, size_t *nout, struct rt_err *e);

#endif
