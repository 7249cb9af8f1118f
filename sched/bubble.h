/* SPDX-License-Identifier: MIT */
#ifndef SCHED_BUBBLE_H
#define SCHED_BUBBLE_H

/*
 * Bubbles, for package testing/synctest: a set of goroutines with a clock of
 * its own.  Whoever is started by a goroutine of a bubble, or by a timer that
 * one has set, belongs to it; channels, timers and wait groups that are made
 * there may be used there only.
 *
 * A goroutine of a bubble is *durably* blocked when only the bubble itself can
 * wake it: on channels of the bubble, in Sleep, on a condition variable or such
 * a wait group, or for ever.  When all are, whoever waits for just that goes
 * on (bubble_wait()), else the clock jumps to the next timer.
 *
 * The root is the goroutine that has made the bubble:
 *
 *     bubble_open(m, key)
 *     go main()
 *     while (bubble_step(m))      due timers; the clock, when nobody can go on
 *         bubble_idle(m)          until nobody can go on again
 *     bubble_stuck(m)             who is left then will never end
 *     bubble_leave(m)
 *
 * Source of the idea: Go's synctest.go.
 */

#include <stdbool.h>
#include <stdint.h>

struct sched;
struct sched_bubble;
struct sched_chan;
struct sched_g;
struct sched_m;

/* The bubble that what m does now belongs to: its goroutine's, or that of the
 * timer which it fires.  NULL: none. */
struct sched_bubble *bubble_of(const struct sched_m *m);

/* Its number, for people: 1, 2 ...; 0: no bubble. */
uint64_t bubble_id(const struct sched_bubble *b);

/* A small number, not 0, by which what belongs to the bubble is marked; it is
 * used again after 65,535 bubbles.  0: no bubble. */
uint16_t bubble_tag(const struct sched_bubble *b);

/* Its clock: ns since 1970, from the first of January 2000 on. */
uint64_t bubble_now(const struct sched_bubble *b);

/* The running goroutine, which is in none, becomes the root of a new bubble;
 * the next one that it starts is the main one.  key: an address of the heap
 * that stays the caller's until the bubble is left, for the race detector.
 * False where memory is out. */
bool bubble_open(struct sched_m *m, const void *key);

/* For the root.  Fires the timers that are due; from the second time on the
 * clock goes to the next timer first.  False: there is none, or the main
 * goroutine has ended, and with it the time. */
bool bubble_step(struct sched_m *m);

/* For the root: parks it until nobody in the bubble can go on.  The caller
 * returns VM_PARK at once. */
void bubble_idle(struct sched_m *m);

/* For the root, when bubble_step() has said false: whether goroutines are
 * left. */
enum bubble_stuck {
    BUBBLE_OVER,  /* all have ended */
    BUBBLE_STUCK, /* all are blocked */
    BUBBLE_LEFT   /* the main one has ended, others are blocked */
};
enum bubble_stuck bubble_stuck(struct sched_m *m);

/* The root is in no bubble any more.  Who is left stays in it. */
void bubble_leave(struct sched_m *m);

/* Parks the running goroutine until all others of its bubble are durably
 * blocked; it calls bubble_waited() then.  False: another one waits already.
 * True: the caller returns VM_PARK at once. */
bool bubble_wait(struct sched_m *m);
void bubble_waited(struct sched_m *m);

/* The caller's bubble, which does not become idle until it is released; NULL:
 * it is in none.  Any goroutine may release it. */
struct sched_bubble *bubble_acquire(struct sched_m *m);
void bubble_release(struct sched_m *m, struct sched_bubble *b);

/* The running goroutine, which is in no bubble, enters one that has been
 * acquired, and leaves it. */
void bubble_enter(struct sched_m *m, struct sched_bubble *b);
void bubble_exit(struct sched_m *m);

/* ---- for the scheduler itself ----------------------------------------------- */

/* g is born into b, and ends. */
void bubble_born(struct sched_bubble *b, struct sched_g *g);
void bubble_ended(
    struct sched_m *m, struct sched_bubble *b, const struct sched_g *g);

/* g, of a bubble, is about to wait durably; the M that it ran on calls
 * bubble_parked() when no lock is held any more. */
void bubble_park(struct sched_m *m, struct sched_g *g);
void bubble_parked(struct sched_m *m);
/* g, which waits durably, is about to be runnable. */
void bubble_unpark(struct sched_g *g);

/* Calls mark(arg, ptr) for what the timers of all bubbles refer to. */
void bubble_roots(struct sched *s, void (*mark)(void *arg, void *ptr),
    void *arg);
/* At the end of s. */
void bubble_free_all(struct sched *s);

#endif
