/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_MOVED_H
#define TRACE_READ_MOVED_H

/*
 * The events of the first family that have their place elsewhere than in
 * their P's stream: GoSysExit with a real time, CPUSample.  The index collects
 * them; an order gets them sorted by key, then by offset.  There are as many
 * as the file has, so they go in sorted runs to a temporary file; where none
 * can be made, they stay in memory.
 */

#include <stdbool.h>
#include <stdint.h>

struct trace_moved {
    uint64_t key; /* ticks (1.5: sequence number) that give its place */
    uint64_t off;
    int64_t p;
};

enum {
    TRACE_MOVED_RUN = 1 << 18, /* entries of a run */
    TRACE_MOVED_READ = 128     /* entries read from one at a time */
};

struct trace_moved_list {
    struct trace_moved *a; /* the last run; sorted by trace_moved_end() */
    uint64_t n, cap;
    uint64_t nruns;        /* in the file, TRACE_MOVED_RUN entries each */
    int fd;                /* if nruns > 0 */
    bool in_memory;        /* there is no file to be had */
};

/* Adds one; false: no memory.  Zeroed memory is an empty list. */
bool trace_moved_add(struct trace_moved_list *l, uint64_t key, uint64_t off,
    int64_t p);

/* After the last one. */
void trace_moved_end(struct trace_moved_list *l);

void trace_moved_free(struct trace_moved_list *l);

/* What is in memory is sorted, as after trace_moved_end(). */
bool trace_moved_valid(const struct trace_moved_list *l);

struct trace_moved_run;

/* One who reads the list, from its begin on; of a list there may be many. */
struct trace_moved_reader {
    const struct trace_moved_list *l;
    struct trace_moved_run *runs; /* heap by the next of each */
    uint32_t nruns;
    bool failed;                  /* the file could not be read */
};

/* Each run of the heap has a next entry, which goes before those below it. */
bool trace_moved_reader_valid(const struct trace_moved_reader *r);

/* False: no memory. */
bool trace_moved_open(struct trace_moved_reader *r,
    const struct trace_moved_list *l);

/* The next one; false at the end. */
bool trace_moved_next(struct trace_moved_reader *r, struct trace_moved *out);

void trace_moved_close(struct trace_moved_reader *r);

/* A temporary file without a name, in TMPDIR or /tmp; -1 with errno set.
 * name gets the name that it had, for messages; size bytes. */
int trace_temp_file(char *name, uint64_t size);

#endif
