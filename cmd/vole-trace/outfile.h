/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_TRACE_OUTFILE_H
#define CMD_VOLE_TRACE_OUTFILE_H

/*
 * Output files that appear only when they are whole.  The bytes go to a file
 * of another name in the same directory, which takes the place of the old one
 * at the end; if that does not come, for an error or a signal that ends the
 * program, it goes away and the old file is as it was.
 *
 * What is no regular file (a device, a pipe, /dev/stdout) is written as it is
 * opened, and so is a file in a directory that takes no new ones.
 */

#include <stdbool.h>
#include <stdio.h>

struct outfile {
    FILE *f;
    const char *path; /* as given, for messages */
    char *real;       /* what takes the new name; NULL: written in place */
    char *temp;
    bool made;        /* written in place, and was not there before */
};

/* Opens it for writing; one at a time in a process.  False: errno says why.
 * path must outlive *o. */
bool outfile_open(struct outfile *o, const char *path);

/* Ends it: with keep, what was written becomes the file; else it is thrown
 * away.  False: it could not be kept, errno says why.  Without keep the
 * result is true and errno as it was. */
bool outfile_close(struct outfile *o, bool keep);

/* For a signal handler that ends the program: removes what is not whole. */
void outfile_abandon(void);

#endif
