/* SPDX-License-Identifier: MIT */
/*
 * The detector against a model that keeps everything: each access to each
 * byte, with the full vector that its goroutine had.  Random programs of a few
 * goroutines access a few words, by pieces that overlap in any way, and
 * synchronise by objects and by meeting.  Both must find a race at the same
 * accesses, until the first one in a word; then that is handed out anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/rand.h"
#include "tests/unit/race/fake.h"

enum { GS = 5, BYTES = 32, OBJECTS = 3, STEPS = 400, ROUNDS = 300, MAX = 4096 };

struct access {
    uint32_t by, when; /* number of the goroutine, and its own clock */
    bool write, atomic;
};

struct model_g {
    struct race_g *g;
    uint32_t number;     /* of all there have been */
    uint32_t clock[MAX]; /* by number */
};

struct model {
    struct model_g gs[GS];
    uint32_t objects[OBJECTS][MAX];
    uint32_t lock[MAX];          /* an object of its own, and whose it is: */
    const struct model_g *owner; /* NULL: it is free */
    uint32_t n; /* goroutines so far */
    struct access history[BYTES][STEPS * 2];
    uint32_t nhistory[BYTES];
};

static void
join(uint32_t *a, const uint32_t *b)
{
    for (unsigned i = 0; i < MAX; i++)
        a[i] = a[i] > b[i] ? a[i] : b[i];
}

static void
born(struct model *m, struct race *r, unsigned k, int parent)
{
    struct model_g *g = &m->gs[k];

    g->g = race_g_new(
        r, parent < 0 ? NULL : m->gs[parent].g, m->n + 1, NULL, 0);
    assert_non_null(g->g);
    memset(g->clock, 0, sizeof g->clock);
    if (parent >= 0) {
        memcpy(g->clock, m->gs[parent].clock, sizeof g->clock);
        m->gs[parent].clock[m->gs[parent].number]++;
    }
    g->number = m->n++;
    g->clock[g->number] = 1;
}

/* What the model says of an access to a byte, which it notes. */
static bool
conflicts(struct model *m, const struct model_g *g, unsigned byte, bool write,
    bool atomic)
{
    bool found = false;

    for (unsigned i = 0; i < m->nhistory[byte]; i++) {
        const struct access *a = &m->history[byte][i];

        found |= (a->write || write) && !(a->atomic && atomic) &&
            a->when > g->clock[a->by];
    }
    m->history[byte][m->nhistory[byte]++] = (struct access){
        g->number, g->clock[g->number], write, atomic};
    return found;
}

/* g touches n bytes; true: that is a race, by both. */
static void
touch(struct model *m, struct race *r, struct model_g *g, unsigned at,
    unsigned n, bool write, bool atomic, uint32_t step)
{
    uint32_t before = race_errors(r);
    bool found = false;

    for (unsigned i = 0; i < n; i++)
        found |= conflicts(m, g, at + i, write, atomic);
    if (atomic)
        race_touch(g->g, fake_at(at), n, fake_pc(1, step), m);
    else if (step % 2 == 0) /* a loop: byte by byte from one place */
        for (unsigned i = 0; i < n; i++)
            (write ? race_write_range : race_read_range)(
                g->g, fake_at(at + i), 1, fake_pc(1, step), m);
    else if (write)
        race_write_range(g->g, fake_at(at), n, fake_pc(1, step), m);
    else
        race_read_range(g->g, fake_at(at), n, fake_pc(1, step), m);
    assert_int_equal(race_errors(r) > before, found);
    if (!found)
        return;
    unsigned from = at & ~7u, to = (at + n + 7) & ~7u;
    race_clear(r, fake_at(from), to - from);
    memset(m->nhistory + from, 0, (to - from) * sizeof *m->nhistory);
}

static void
release(struct model_g *g, uint32_t *object)
{
    memcpy(object, g->clock, sizeof g->clock);
    g->clock[g->number]++;
}

/* g takes the lock, or gives it back; if another one has it, nothing. */
static void
use_lock(struct model *m, struct model_g *g)
{
    const void *at = fake_at(8192);

    if (m->owner == NULL) {
        race_lock(g->g, at);
        join(g->clock, m->lock);
        m->owner = g;
    } else if (m->owner == g) {
        race_unlock(g->g, at);
        release(g, m->lock);
        m->owner = NULL;
    }
}

static void
synchronise(struct model *m, struct rt_rand *rand, struct model_g *g,
    struct model_g *other)
{
    unsigned k = rt_rand_below(rand, OBJECTS);
    const void *at = fake_at(4096 + 700 * k);
    uint32_t *o = m->objects[k], was[MAX];

    switch (rt_rand_below(rand, 5)) {
    case 0:
        race_acquire(g->g, at);
        join(g->clock, o);
        break;
    case 1:
        race_release(g->g, at);
        release(g, o);
        break;
    case 2:
        race_merge(g->g, at);
        join(o, g->clock);
        g->clock[g->number]++;
        break;
    case 3:
        race_swap(g->g, at);
        memcpy(was, g->clock, sizeof was);
        join(g->clock, o);
        memcpy(o, was, sizeof was);
        g->clock[g->number]++;
        break;
    default:
        if (g == other)
            break;
        race_meet(g->g, other->g);
        join(g->clock, other->clock);
        join(other->clock, g->clock);
        g->clock[g->number]++;
        other->clock[other->number]++;
        break;
    }
}

static void
one_program(struct model *m, struct rt_rand *rand)
{
    struct fake f;

    fake_begin(&f);
    memset(m, 0, sizeof *m);
    born(m, f.race, 0, -1);
    for (unsigned i = 1; i < GS; i++)
        born(m, f.race, i, (int)rt_rand_below(rand, i));
    for (uint32_t step = 1; step <= STEPS; step++) {
        unsigned k = rt_rand_below(rand, GS);
        struct model_g *g = &m->gs[k];
        unsigned what = rt_rand_below(rand, 20);
        unsigned at = rt_rand_below(rand, BYTES);
        unsigned n = 1 + rt_rand_below(rand, 12);

        if (what == 0) {
            /* One ends, and another begins in its place. */
            unsigned parent = (k + 1) % GS;
            if (m->owner == g)
                use_lock(m, g);
            race_g_end(g->g);
            born(m, f.race, k, (int)parent);
        } else if (what < 4) {
            use_lock(m, g);
        } else if (what < 8) {
            synchronise(m, rand, g, &m->gs[rt_rand_below(rand, GS)]);
        } else if (what < 10) {
            touch(m, f.race, g, at & ~3u, 4, true, true, step);
        } else {
            touch(m, f.race, g, at, n < BYTES - at ? n : BYTES - at, what < 14,
                false, step);
        }
    }
    assert_true(race_valid(f.race));
    fake_end(&f);
}

static void
races_are_found_where_a_full_history_finds_them(void **state)
{
    struct model *m = malloc(sizeof *m);
    struct rt_rand rand;

    (void)state;
    assert_non_null(m);
    rt_rand_init(&rand, 1);
    for (int i = 0; i < ROUNDS; i++)
        one_program(m, &rand);
    free(m);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(races_are_found_where_a_full_history_finds_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
