/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_RACE_FAKE_H
#define TESTS_UNIT_RACE_FAKE_H

/* A detector without anything around it: the host below says that whoever
 * accesses memory is at the pc that the test passes, and reports go to a file
 * of their own. */

#include "runtime/race/race.h"

/* Memory that is watched: addresses only. */
#define FAKE_LO   UINT64_C(0xc000000000)
#define FAKE_SPAN (UINT64_C(1) << 26)

struct fake {
    struct race *race;
    char log[64]; /* the file, which fake_text() reads and fake_end() removes */
};

/* Begins; the test fails if that does. */
void fake_begin(struct fake *f);
void fake_end(struct fake *f);
/* The reports so far, to be freed. */
char *fake_text(const struct fake *f);

/* An address that is watched. */
static inline void *
fake_at(uint64_t off)
{
    return (void *)(uintptr_t)(FAKE_LO + off);
}

/* A place in the program, for the checks' pc. */
static inline const void *
fake_pc(uint32_t func, uint32_t off)
{
    return (const void *)(uintptr_t)vpc_make(func, off);
}

/* Whether a write by g to the word at `off`, from `place` in a function, makes a
 * report. */
bool fake_races(struct fake *f, struct race_g *g, uint64_t off, uint32_t place);

/* For a saved position, the host says that this is the stack. */
extern vpc fake_saved[2];

#endif
