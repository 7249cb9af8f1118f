/* SPDX-License-Identifier: MIT */
#ifndef CMD_COMMON_DOC_H
#define CMD_COMMON_DOC_H

/*
 * Manual page and shell completion of a program, from the same table as its
 * help: `PROG help -man`, -bash, -zsh and -fish write them while the program
 * is built.
 */

#include <stdbool.h>

#include "cmd/common/args.h"
#include "cmd/common/out.h"

struct doc_cmd {
    const char *name;
    const char *brief;   /* one line */
    const char *usage;   /* what comes after "PROG name" */
    const char *text;    /* paragraphs */
    const char *example; /* lines; or NULL */
    const struct arg_flag *flags; /* or NULL */
};

struct doc_prog {
    const char *name;
    const char *brief;   /* "reads execution traces" */
    const char *text;    /* paragraphs */
    const char *status;  /* "0 fine, 1 ..." */
    const char *see;     /* other pages, comma-separated, or NULL */
    const char *plain;   /* words without a command, with a file in front, such
                            as "file [arguments]"; NULL = there must be one */
    const struct doc_cmd *cmds;
    int ncmds;
};

/* Writes the document that a word such as "-man" asks for; false when it
 * asks for none. */
bool doc_write(struct out *o, const struct doc_prog *p, const char *word);

#endif
