/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_HELD_H
#define RUNTIME_LIB_SUPPORT_HELD_H

/*
 * What a program holds of its process and has not given back: descriptors
 * that it has opened, memory that it has mapped.  The end of a process would
 * close them; where the process goes on, the end of the runtime does.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/lock.h"

struct held_map {
    char *at;
    size_t len; /* bytes, as the program asked for them */
};

struct held {
    struct rt_lock lock; /* LEAF: the rest */
    uint64_t *fds;       /* one bit each */
    size_t nfds;         /* bits, a multiple of 64 */
    struct held_map *maps;
    size_t nmaps, cap;
};

void held_init(struct held *h);

/* Closes and unmaps all that is left.  No thread may use any of it. */
void held_fini(struct held *h);

/* A descriptor was opened; false without memory to remember it.  drop comes
 * before it is closed, since the number may be somebody else's at once. */
bool held_add_fd(struct held *h, int fd);
void held_drop_fd(struct held *h, int fd);

/* Memory was mapped; false without memory to remember it. */
bool held_add_map(struct held *h, void *at, size_t len);

/* Unmaps what was added as just this; an error number, EINVAL if it was not, or
 * is unmapped: another thread's stack may be there by now. */
int held_unmap(struct held *h, void *at, size_t len);

#endif
