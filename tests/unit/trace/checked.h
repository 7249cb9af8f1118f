/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_TRACE_CHECKED_H
#define TESTS_UNIT_TRACE_CHECKED_H

/* What was recorded, read back and validated. */

#include <stddef.h>
#include <stdint.h>

/* Problems of a file, by severity. */
struct checked {
    unsigned errors, warnings, cuts;
    uint64_t cut_at; /* where the last cut is */
    char first[200];
};

/* A new file that nobody else sees. */
int checked_file(void);

/* Reads bytes back; returns the number of events. */
uint64_t checked_bytes(const void *data, size_t n, struct checked *found);
uint64_t checked_fd(int fd, struct checked *found);

/* Fails unless the file is a whole trace of so many events at least. */
void assert_valid_trace(int fd, uint64_t least);

#endif
