/* SPDX-License-Identifier: MIT */
/* The memory of vectors: nobody is given what another has, and what has been
 * given back is used again, whichever threads give and take. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/rand.h"
#include "runtime/race/race_int.h"
#include "tests/unit/race/fake.h"

enum { THREADS = 3, ROUNDS = 20000, HELD = 200, SIZES = 6 };

static const size_t sizes[SIZES] = {24, 64, 500, 512, 1024, 5000};

/* What lies at the end of each piece that somebody has. */
struct mark {
    uint64_t who;
    size_t size;
};

struct taker {
    struct race_mem *mem;
    uint64_t number;
    struct taker *next;
    pthread_mutex_t lock;
    /* guarded by lock: what others have left for it to give back */
    void *left[HELD];
    size_t left_size[HELD];
    unsigned n;
    unsigned wrong;
};

static void
check_and_put(struct taker *t, void *p, size_t size, uint64_t who)
{
    struct mark m;

    memcpy(&m, (char *)p + size - sizeof m, sizeof m);
    if (m.who != who || m.size != size)
        t->wrong++;
    memset(p, 0xff, size);
    race_mem_put(t->mem, p, size);
}

/* All that the others have left. */
static void
give_back(struct taker *t, uint64_t who)
{
    pthread_mutex_lock(&t->lock);
    while (t->n > 0) {
        t->n--;
        check_and_put(t, t->left[t->n], t->left_size[t->n], who);
    }
    pthread_mutex_unlock(&t->lock);
}

/* Leaves it to the next one; false: that has enough. */
static bool
leave(struct taker *t, void *p, size_t size)
{
    struct taker *to = t->next;
    bool room;

    pthread_mutex_lock(&to->lock);
    room = to->n < HELD;
    if (room) {
        to->left[to->n] = p;
        to->left_size[to->n++] = size;
    }
    pthread_mutex_unlock(&to->lock);
    return room;
}

static void *
take_and_leave(void *arg)
{
    struct taker *t = arg;
    struct rt_rand rand;

    rt_rand_init(&rand, t->number);
    for (unsigned i = 0; i < ROUNDS; i++) {
        size_t size = sizes[rt_rand_below(&rand, SIZES)];
        struct mark m = {t->number, size};
        void *p = race_mem_take(t->mem, size);

        if (p == NULL) {
            t->wrong++;
            continue;
        }
        memcpy((char *)p + size - sizeof m, &m, sizeof m);
        if (!leave(t, p, size))
            check_and_put(t, p, size, t->number);
        if (rt_rand_below(&rand, HELD / 2) == 0)
            give_back(t, (t->number + THREADS - 1) % THREADS);
    }
    return NULL;
}

static void
pieces_go_from_thread_to_thread(void **state)
{
    struct fake f;
    struct taker t[THREADS] = {0};
    pthread_t id[THREADS];
    uint64_t most;

    (void)state;
    fake_begin(&f);
    for (unsigned i = 0; i < THREADS; i++) {
        t[i] = (struct taker){.mem = &f.race->mem, .number = i,
            .next = &t[(i + 1) % THREADS],
            .lock = PTHREAD_MUTEX_INITIALIZER};
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(
            pthread_create(&id[i], NULL, take_and_leave, &t[i]), 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(id[i], NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        give_back(&t[i], (i + THREADS - 1) % THREADS);
        assert_int_equal(t[i].wrong, 0);
    }
    /* Of each size no more than all can hold, and what lies in stocks. */
    most = 0;
    for (unsigned i = 0; i < SIZES; i++)
        most += (uint64_t)(THREADS * (HELD + 1) + RACE_STOCKS * 80) *
            (sizes[i] > 4096 ? 8192 : 1024);
    assert_true(race_mem_bytes(&f.race->mem) <= most + (UINT64_C(1) << 20));
    assert_true(race_valid(f.race));
    fake_end(&f);
}

/* A thread that only gives back does not keep it all. */
static void
stocks_are_short(void **state)
{
    enum { MANY = 4000 };
    static void *p[MANY];
    struct fake f;
    uint64_t bytes;

    (void)state;
    fake_begin(&f);
    for (unsigned i = 0; i < MANY; i++)
        p[i] = race_mem_take(&f.race->mem, 512);
    bytes = race_mem_bytes(&f.race->mem);
    for (unsigned i = 0; i < MANY; i++)
        race_mem_put(&f.race->mem, p[i], 512);
    assert_true(race_valid(f.race));
    for (unsigned k = 0; k < RACE_STOCKS; k++)
        for (unsigned i = 0; i < RACE_STOCK_SIZES; i++)
            assert_in_range(f.race->mem.stocks[k].n[i], 0, 64);
    for (unsigned i = 0; i < MANY; i++)
        p[i] = race_mem_take(&f.race->mem, 512);
    assert_int_equal(race_mem_bytes(&f.race->mem), bytes);
    fake_end(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_go_from_thread_to_thread),
        cmocka_unit_test(stocks_are_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
