/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_FILE_INT_H
#define TRACE_READ_FILE_INT_H

/* A trace file from inside: load.c gets its bytes, index.c makes the index of
 * the first family (v2file.c of the second), file.c opens, answers and closes.
 */

#include "trace/read/file.h"

enum { TRACE_HEADER = 16 }; /* bytes before the first record */

/* Sets f's data and size to the bytes at path, unpacked; "-" is standard
 * input.  After an error, too, trace_unload() gives back what there is. */
enum rt_status trace_load(struct trace_file *f, const char *path,
    struct rt_err *e);

/* Gives the bytes back; those of trace_file_open_mem() stay the caller's. */
void trace_unload(struct trace_file *f);

/* Indexes a file of the first family whose header has been read: RT_OK, also
 * where records are wrong, or RT_ENOMEM. */
enum rt_status trace_index(struct trace_file *f);

/* trace_file_valid() for the first family. */
bool trace_index_valid(const struct trace_file *f);

#endif
