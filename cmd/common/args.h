/* SPDX-License-Identifier: MIT */
#ifndef CMD_COMMON_ARGS_H
#define CMD_COMMON_ARGS_H

/*
 * Flags in Go's manner: -name value, -name=value, --name too; booleans are
 * -name or -name=false; flags end at the first word that is none, or after
 * "--".  A single "-" is a word.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum arg_kind {
    ARG_BOOL,   /* bool */
    ARG_U64,    /* uint64_t, decimal */
    ARG_STR,    /* const char * */
    ARG_OUT,    /* the same: a file to be written, no Go source that exists */
    ARG_FIRST,  /* taken away by args_folder() where it may be; has no variable */
    ARG_DUR     /* int64_t, nanoseconds: "1.5ms", "2s", "300us", "0" */
};

struct arg_flag {
    const char *name;
    enum arg_kind kind;
    size_t at;        /* offset of its variable in the command's options */
    const char *arg;  /* name of the value in the help, or NULL */
    const char *help;
};

/*
 * Parses argv[*at ...] into *opts; flags is ended by a NULL name.
 * Afterwards *at is the first word that is no flag.  False with a message in
 * err (size bytes) where a flag is unknown or its value is wrong; err is
 * "help" for -h and -help.
 */
bool args_parse(int argc, char **argv, int *at, const struct arg_flag *flags,
    void *opts, char *err, int size);

/* The same for who lets flags stand between words: *ended says that it was
 * "--" which ended the flags, so that all that follows are words. */
bool args_parse_to(int argc, char **argv, int *at,
    const struct arg_flag *flags, void *opts, bool *ended, char *err,
    int size);

/* As Go's commands do: where argv[at] is -C, goes to the folder that it names,
 * and takes both out of the *argc words.  False with a message in err where it
 * has no value or there is no such folder. */
bool args_folder(int *argc, char **argv, int at, char *err, int size);

/* The row of that flag in a table. */
#define ARG_FOLDER_FLAG \
    {"C", ARG_FIRST, 0, "dir", "the first flag: go to that folder before all else"}

/* Parses a duration; false where the text is none. */
bool args_duration(const char *text, int64_t *ns);

/* Parses a decimal number; false where the text is none. */
bool args_number(const char *text, uint64_t *v);

/* Writes the flags as an aligned list, 80 columns wide, into buf (size bytes;
 * what does not fit is left out). */
void args_describe(const struct arg_flag *flags, char *buf, int size);

#endif
