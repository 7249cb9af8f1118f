/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_VOLE_CMD_H
#define CMD_VOLE_VOLE_CMD_H

#include <stdbool.h>
#include <stdio.h>

#include "cmd/common/args.h"
#include "runtime/vole.h"

/* The commands; argv begins behind the command's name.  Each returns the
 * process's exit status: 0, 1 failed, 2 usage (run: the program's own). */
int cmd_run(int argc, char **argv);
int cmd_plain(int argc, char **argv); /* without a command's name */
int cmd_check(int argc, char **argv);
int cmd_disasm(int argc, char **argv);
int cmd_test(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_mod(int argc, char **argv);
int cmd_env(int argc, char **argv);
int cmd_prof(int argc, char **argv);
int cmd_treestock(int argc, char **argv); /* for the build alone */

/* The options about loading, and those of the environment, as run has them;
 * false after a message. */
bool cmd_environment(struct vole_options *o);
bool cmd_lang(const char *cmd, const char *lang, struct vole_options *o);
/* The mode of -jit, or NULL: not given. */
bool cmd_jit(const char *jit, struct vole_options *o);
#define CMD_JIT_FLAG(at) \
    {"jit", ARG_STR, at, "mode", \
        "machine code of hot functions (on, the default), of all " \
        "(stress), or none (off)"}

/* Ends the process by a signal, for its parent to see. */
void cmd_die_of(int sig);

/* A variable of the environment, for those who ask for them by a function;
 * NULL: it is not set. */
const char *cmd_variable(const char *name);
typedef const char *(*cmd_env_fn)(const char *name);

/* Where compiled programs are kept. */
struct cmd_cache {
    char folder[4096];
};

/* The folder by these variables, "" if there is to be none; NULL: VOLECACHE
 * makes no sense. */
const char *cmd_cache(struct cmd_cache *c, cmd_env_fn env);

/* Sets where what is compiled may be kept by o->env, which lasts as long as *c;
 * false after a message. */
bool cmd_cache_option(struct cmd_cache *c, struct vole_options *o);

/* The help of list, of mod, and of env. */
void cmd_list_help(FILE *out);
const struct arg_flag *cmd_list_flags(void);
void cmd_mod_help(FILE *out);
void cmd_env_help(FILE *out);

/* The help and the flags of test. */
void cmd_test_help(FILE *out);
const struct arg_flag *cmd_test_flags(void);

/* Prints a command's help; nonzero if it has none of its own. */
int cmd_help(const char *name, FILE *out);

/* The help of prof. */
void cmd_prof_help(FILE *out);

/* The flags of run, test, check or disasm. */
const struct arg_flag *cmd_flags(const char *name);

/* Writes the manual page or the completion that a word such as "-man" asks
 * for to standard output; false if it asks for none. */
bool cmd_document(const char *word);

/* Writes out standard output; 1 with a message if that fails. */
int cmd_flush(const char *prog);

#endif
