/* SPDX-License-Identifier: MIT */
/*
 * Which mutant of an instrumented tree is alive: part of the copies that
 * tests/mutate/schema.py makes, never of vole itself.
 *
 * The environment chooses, so that the programs that a test starts are
 * damaged as well: MUTANT is the mutant's number, 0 or nothing for none;
 * MUTANT_REACHED names a file of a byte for each mutant, in which a process
 * that comes past a mutant's place writes 1.
 */
#ifndef TESTS_MUTATE_MUTANT_H
#define TESTS_MUTATE_MUTANT_H

/* No draw has more. */
#define MUTANT_MAX 4096

/* Written once, before main(). */
extern int mutant_alive;
extern unsigned char *mutant_reached;

/* True if mutant `n` is the one that is alive. */
#define MUTANT(n) __builtin_expect(mutant_alive == (n), 0)

/* The program comes past the place of mutant `n`. */
#define MUTANT_AT(n)                                                           \
    do {                                                                       \
        if (__builtin_expect(mutant_reached != 0, 0))                          \
            mutant_reached[n] = 1;                                             \
    } while (0)

#endif
