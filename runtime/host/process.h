/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_HOST_PROCESS_H
#define RUNTIME_HOST_PROCESS_H

/*
 * What a program can change of the process that it runs in, and that is not its
 * own memory or descriptors: the working directory, the environment, the mask of
 * the modes of new files, how many descriptors there may be.  A program that is
 * run again by another schedule begins with what it began with the first time.
 */

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct host_process {
    bool known;
    int folder;        /* -1: it cannot be had again */
    mode_t mask;
    struct rlimit fds;
    char **vars;       /* copies, "NAME=VALUE"; NULL ends */
    char **seen;       /* environ's pointers; NULL ends: as long as they are the
                          same, so are the variables */
};

/* Remembers all of that, once; later calls do nothing.  Where memory is lacking
 * the environment is not put back. */
void host_process_save(struct host_process *p);
/* Puts it back; no other thread of the process runs. */
void host_process_restore(struct host_process *p);
/* p was zeroed, or saved to. */
void host_process_fini(struct host_process *p);

#endif
