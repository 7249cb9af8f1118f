/* SPDX-License-Identifier: MIT */
#ifndef CMD_VOLE_TEST_PROC_H
#define CMD_VOLE_TEST_PROC_H

/*
 * The process that runs the tests of one package, as its parent sees it: what
 * it has written so far, how far it came, how it ended.  Several are waited
 * for together, so that none waits for a reader.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct test_proc {
    pid_t pid;
    int out, told;  /* where its output and its letter come from; -1: ended */
    char how;       /* TEST_SETUP, TEST_BUILD, TEST_RUNS; 0: not known yet, or
                       it ended without a word */
    char *text;     /* all that it has written, n bytes */
    size_t n, cap;
    bool lost;      /* there was no memory for some of it */
    bool ended;     /* status says how, seconds after how long */
    int status;
    int64_t begin; /* ns */
    double seconds;
};

enum { TEST_PROCS_MOST = 256 }; /* that are waited for together */

/* Starts vole again, with words, up to NULL; one of them, NULL too until then,
 * becomes the descriptor to which it writes its letter.  False, with errno: it
 * cannot.  *p is zero before; free p->text in the end. */
bool test_proc_start(struct test_proc *p, const char **words, unsigned letter);

/* Waits until one of these processes, of which none has ended, wrote something
 * or ended. */
void test_procs_wait(struct test_proc *const *at, unsigned n);

/* Whether it is known how far the process came. */
static inline bool
test_proc_known(const struct test_proc *p)
{
    return p->told < 0;
}

#endif
