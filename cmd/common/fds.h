/* SPDX-License-Identifier: MIT */
#ifndef CMD_COMMON_FDS_H
#define CMD_COMMON_FDS_H

/*
 * The three standard descriptors.  A process may be started with some of them
 * closed; the first files that it opens would then take their places, and a
 * program's output would end up inside of them.
 */

#include <stdbool.h>

/*
 * First thing in main(): opens /dev/null where descriptor 0, 1 or 2 is
 * closed, as Go's programs do, and makes writing to a closed pipe an error
 * instead of a signal.  False if that is not possible.
 */
bool fds_init(void);

/* Whether fd was closed when fds_init() came. */
bool fds_was_closed(int fd);

#endif
