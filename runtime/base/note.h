/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_NOTE_H
#define RUNTIME_BASE_NOTE_H

/*
 * A one-shot event between threads (Go's note, lock_futex.go).  One thread
 * sleeps at most, one other wakes it once; rt_note_clear() re-arms it when
 * both are done.  A wake before the sleep makes the sleep return at once.
 */

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/atomic.h"

struct rt_note {
    a_u32 key; /* 0 armed, 1 signalled */
};

/* Arms the note.  Must not race with a sleep or a wake-up. */
void rt_note_clear(struct rt_note *n);

/* Signals the note; throws if that has happened since the last clear. */
void rt_note_wakeup(struct rt_note *n);

/* Blocks the thread until the note is signalled. */
void rt_note_sleep(struct rt_note *n);

/* As rt_note_sleep(), for at most ns nanoseconds (negative: for ever).
 * True when the note was signalled, false on time-out. */
bool rt_note_tsleep(struct rt_note *n, int64_t ns);

/* True when the note has been signalled. */
bool rt_note_done(const struct rt_note *n);

#endif
