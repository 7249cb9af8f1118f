/* SPDX-License-Identifier: MIT */
/*
 * Goroutines on several threads at a time: no report of what is ordered, one
 * of what is not, whatever the threads do to cells, lists, objects and slots
 * meanwhile.  ThreadSanitizer watches the detector where it is built in.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/rand.h"
#include "tests/unit/race/fake.h"

enum { THREADS = 4, ROUNDS = 3000, LOCKS = 3 };

/* Where things lie. */
enum {
    GUARDED = 0,     /* a word for each lock */
    SHARED = 4096,   /* read only */
    COUNTER = 8192,  /* atomic */
    OWN = 16384,     /* a page for each thread */
    RACY = 65536,
    KEYS = 131072    /* of the locks */
};

struct shared {
    struct fake f;
    pthread_mutex_t locks[LOCKS];
    bool racy;
};

struct thread {
    struct shared *s;
    struct race_g *g;
    uint32_t number;
};

/* Once with the lock, the key of which another may be looking at. */
static void
turn(struct thread *t, const void *key, const void *word)
{
    race_lock(t->g, key);
    race_read(t->g, word, 8, fake_pc(1, 1), t);
    race_write(t->g, word, 4, fake_pc(1, 2), t);
    race_unlock(t->g, key);
}

static void
guarded(struct thread *t, struct rt_rand *rand)
{
    unsigned k = rt_rand_below(rand, LOCKS);
    const void *key = fake_at(KEYS + 8 * k), *word = fake_at(GUARDED + 8 * k);

    if (rt_rand_below(rand, 4) == 0)
        race_acquire(t->g, key);
    pthread_mutex_lock(&t->s->locks[k]);
    for (unsigned n = rt_rand_below(rand, 4); n > 0; n--)
        turn(t, key, word);
    race_acquire(t->g, key);
    race_read(t->g, word, 8, fake_pc(1, 1), t);
    race_write(t->g, word, 4, fake_pc(1, 2), t);
    if (rt_rand_below(rand, 2) == 0)
        race_release(t->g, key);
    else
        race_unlock(t->g, key);
    pthread_mutex_unlock(&t->s->locks[k]);
}

/* Memory that is given back and handed out anew. */
static void
own(struct thread *t, struct rt_rand *rand)
{
    uint8_t *p = fake_at(OWN + 4096 * t->number);
    unsigned at = rt_rand_below(rand, 500), n = rt_rand_below(rand, 12);

    race_write_range(t->g, p + at, n, fake_pc(1, 3), t);
    race_read_range(t->g, p + at, n, fake_pc(1, 4), t);
    race_merge(t->g, p + at);
    if (rt_rand_below(rand, 20) == 0)
        race_clear(t->s->f.race, p, 512);
}

static void
child(struct thread *t, uint32_t i)
{
    struct race_g *g = race_g_new(
        t->s->f.race, t->g, 100 + t->number * ROUNDS + i, NULL, 0);

    assert_non_null(g);
    race_write(g, fake_at(OWN + 4096 * t->number + 2048), 8, fake_pc(1, 5),
        t);
    race_meet(g, t->g);
    race_g_end(g);
}

static void *
body(void *arg)
{
    struct thread *t = arg;
    struct rt_rand rand;

    rt_rand_init(&rand, t->number);
    /* Before anything that orders: whenever the threads run, nothing does. */
    if (t->s->racy)
        race_write(t->g, fake_at(RACY), 8, fake_pc(1, 8), t);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        guarded(t, &rand);
        own(t, &rand);
        race_read(t->g, fake_at(SHARED + 8 * rt_rand_below(&rand, 4)), 8,
            fake_pc(1, 6), t);
        race_atomic_begin(t->g, fake_at(COUNTER));
        race_atomic_end(t->g, fake_at(COUNTER), 8,
            rt_rand_below(&rand, 2) ? RACE_LOAD : RACE_STORE, fake_pc(1, 7),
            t);
        if (i % 16 == 0)
            child(t, i);
    }
    return NULL;
}

/* How many races there were. */
static uint32_t
run(bool racy)
{
    struct shared s = {.racy = racy};
    struct thread t[THREADS];
    pthread_t id[THREADS];
    uint32_t errors;

    fake_begin(&s.f);
    for (unsigned i = 0; i < LOCKS; i++)
        pthread_mutex_init(&s.locks[i], NULL);
    struct race_g *first = race_g_new(s.f.race, NULL, 1, NULL, 0);
    race_write_range(first, fake_at(0), OWN, fake_pc(1, 9), &s);
    race_clear(s.f.race, fake_at(COUNTER), 8);
    for (unsigned i = 0; i < THREADS; i++)
        t[i] = (struct thread){
            &s, race_g_new(s.f.race, first, i + 2, NULL, 0), i};
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&id[i], NULL, body, &t[i]), 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(id[i], NULL);
    errors = race_errors(s.f.race);
    fake_end(&s.f);
    return errors;
}

static void
what_is_ordered_is_not_reported(void **state)
{
    (void)state;
    assert_int_equal(run(false), 0);
}

static void
what_is_not_is_reported_once(void **state)
{
    (void)state;
    assert_int_equal(run(true), 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_ordered_is_not_reported),
        cmocka_unit_test(what_is_not_is_reported_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
