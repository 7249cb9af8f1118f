/* SPDX-License-Identifier: MIT */
/*
 * Two goroutines at a time in the same words: one adds bytes to what it has
 * there already, the other comes to bytes beside those, or to the same.  Nothing
 * that either does may be lost, whatever the threads do meanwhile.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/race/race_int.h"
#include "tests/unit/race/fake.h"

enum { WORDS = 4, ROUNDS = 50000, PAIRS = 2, PAIR_ROUNDS = 2000 };

struct two {
    struct fake f;
    struct race_g *g[2];
    a_u32 arrived; /* atomic */
    uint32_t rounds;
    void (*body[2])(struct two *t, uint32_t round);
    /* Between rounds, by the first thread. */
    void (*begin)(struct two *t, uint32_t round);
    void (*end)(struct two *t, uint32_t round);
};

/* Until both are there, to begin at the same moment if there are two
 * processors. */
static void
meet(struct two *t)
{
    uint32_t to = (a32_add_full(&t->arrived, 1) | 1) + 1;

    for (uint32_t n = 1; a32_load_acq(&t->arrived) < to; n++)
        if (n % 1024 == 0)
            sched_yield();
}

static void
run(struct two *t, unsigned k)
{
    for (uint32_t i = 0; i < t->rounds; i++) {
        if (k == 0)
            t->begin(t, i);
        meet(t);
        t->body[k](t, i);
        meet(t);
        if (k == 0)
            t->end(t, i);
    }
}

static void *
second(void *arg)
{
    run(arg, 1);
    return NULL;
}

/* Both, neither of which knows anything of the other. */
static void
run_both(struct two *t)
{
    pthread_t id;

    fake_begin(&t->f);
    struct race_g *first = race_g_new(t->f.race, NULL, 1, NULL, 0);
    for (uint32_t i = 0; i < 2; i++)
        t->g[i] = race_g_new(t->f.race, first, i + 2, NULL, 0);
    assert_int_equal(pthread_create(&id, NULL, second, t), 0);
    run(t, 0);
    pthread_join(id, NULL);
}

static void
put_byte(struct two *t, unsigned k, uint64_t word, unsigned byte, uint32_t place)
{
    race_write(
        t->g[k], fake_at(8 * word + byte), 1, fake_pc(1, place), t);
}

/* ---- beside each other --------------------------------------------------------- */

/* What is known of a word: the bytes that each has written, and at what place
 * at last. */
struct known {
    const struct two *t;
    uint64_t mask[2];
    uint32_t place[2];
};

static void
note(void *arg, uint64_t e, uint32_t stack)
{
    struct known *k = arg;

    for (unsigned i = 0; i < 2; i++)
        if (race_slot(e) == k->t->g[i]->slot) {
            k->mask[i] |= e & RACE_MASK;
            k->place[i] = vpc_off(race_stack_pc(k->t->f.race, stack));
        }
}

static void
begin_with_one_byte(struct two *t, uint32_t round)
{
    (void)round;
    race_clear(t->f.race, fake_at(0), 8 * WORDS);
    for (uint64_t w = 0; w < WORDS; w++)
        put_byte(t, 0, w, 0, 1);
}

static void
add_bytes(struct two *t, uint32_t round)
{
    (void)round;
    for (uint64_t w = 0; w < WORDS; w++)
        for (unsigned k = 1; k < 4; k++)
            put_byte(t, 0, w, k, 1);
}

static void
write_others(struct two *t, uint32_t round)
{
    (void)round;
    for (uint64_t w = 0; w < WORDS; w++)
        for (unsigned k = 4; k < 6; k++)
            put_byte(t, 1, w, k, 2);
}

static void
all_is_known(struct two *t, uint32_t round)
{
    struct race *r = t->f.race;

    (void)round;
    for (uint64_t w = 0; w < WORDS; w++) {
        struct known k = {.t = t};

        race_list_each(r, a64_load_rlx(&r->cells[w].write),
            a32_load_rlx(&r->where[w].write), note, &k);
        assert_int_equal(k.mask[0], 0xf);
        assert_int_equal(k.mask[1], 0x30);
        assert_int_equal(k.place[0], 1);
        assert_int_equal(k.place[1], 2);
    }
}

static void
what_neighbours_write_is_not_lost(void **state)
{
    struct two t = {.rounds = ROUNDS, .begin = begin_with_one_byte,
        .body = {add_bytes, write_others}, .end = all_is_known};

    (void)state;
    run_both(&t);
    assert_int_equal(race_errors(t.f.race), 0);
    fake_end(&t.f);
}

/* ---- the same byte ------------------------------------------------------------- */

/* A race is told once for each pair of places: there is one for each word. */
static uint32_t
place_of(uint32_t round, uint64_t word)
{
    return 1 + 2 * (PAIRS * round + (uint32_t)word);
}

static void
begin_beside(struct two *t, uint32_t round)
{
    race_clear(t->f.race, fake_at(0), 8 * PAIRS);
    for (uint64_t w = 0; w < PAIRS; w++)
        put_byte(t, 0, w, 0, place_of(round, w));
}

static void
write_one(struct two *t, uint32_t round)
{
    for (uint64_t w = 0; w < PAIRS; w++)
        put_byte(t, 0, w, 1, place_of(round, w));
}

static void
read_one(struct two *t, uint32_t round)
{
    for (uint64_t w = 0; w < PAIRS; w++)
        race_read(t->g[1], fake_at(8 * w + 1), 1,
            fake_pc(1, place_of(round, w) + 1), t);
}

static void
each_has_raced(struct two *t, uint32_t round)
{
    assert_int_equal(race_errors(t->f.race), PAIRS * (round + 1));
}

static void
who_reads_an_added_byte_races(void **state)
{
    struct two t = {.rounds = PAIR_ROUNDS, .begin = begin_beside,
        .body = {write_one, read_one}, .end = each_has_raced};

    (void)state;
    run_both(&t);
    fake_end(&t.f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_neighbours_write_is_not_lost),
        cmocka_unit_test(who_reads_an_added_byte_races),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
