/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_TRACE_OUTFILE_H
#define CMD_VOLE_TRACE_OUTFILE_H

/*
 * Output files that appear only when they are whole.  The bytes go to a file
 * without a name, which takes the place of the old one at the end; if that
 * does not come, for an error or however the program ends, it vanishes and the
 * old file is as it was.  Where the file system has no such files it has
 * another name in the same directory, and is removed at an error or a signal
 * that can be handled.
 *
 * What is no regular file (a device, a pipe, /dev/stdout) is written as it is
 * opened, and so is a file in a directory that takes no new ones.
 */

#include <stdbool.h>
#include <stdio.h>

struct outfile {
    FILE *f;
    int err;          /* errno of the first write that failed, or 0: stdio
                         forgets it with the bytes */
    const char *path; /* as given, for messages */
    char *real;       /* what takes the new name; NULL: written in place */
    char *temp;       /* another name, until it does */
    bool nameless;    /* which comes only at the end */
    bool made;        /* written in place, and was not there before */
};

/* Opens it for writing; one at a time in a process.  False: errno says why.
 * path must outlive *o. */
bool outfile_open(struct outfile *o, const char *path);

/* Writes to the struct outfile arg; false: it failed.  A sink. */
bool outfile_put(void *arg, const void *data, size_t n);

/* Ends it: with keep, what was written becomes the file; else it is thrown
 * away.  False: it could not be kept, errno says why.  Without keep the
 * result is true and errno as it was. */
bool outfile_close(struct outfile *o, bool keep);

/* For a signal handler that ends the program: removes what is not whole. */
void outfile_abandon(void);

#endif
