/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PFILE_INT_H
#define PROFILE_READ_PFILE_INT_H

#include "profile/read/pfile.h"

/* Decodes the unpacked bytes into f, which is zeroed.  Whatever the outcome,
 * pfile_close() frees it. */
enum rt_status pdecode_profile(struct pfile *f, const uint8_t *data, size_t n,
    struct rt_err *e);

#endif
