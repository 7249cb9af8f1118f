/* SPDX-License-Identifier: MIT */
/* A detector that is used again tells what a new one tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/rand.h"
#include "runtime/race/race_int.h"
#include "tests/unit/race/fake.h"

enum { GS = 12, STEPS = 4000, WORDS = 700, KEYS = 40, KEYS_AT = 1 << 20 };

/* One step of somebody. */
static void
step(struct fake *f, struct race_g *g, struct rt_rand *rand)
{
    const void *key = fake_at(KEYS_AT + 64 * rt_rand_below(rand, KEYS));
    uint64_t off = 8 * rt_rand_below(rand, WORDS);
    uint32_t at = rt_rand_below(rand, 50);

    fake_saved[0] = vpc_make(3, at);
    fake_saved[1] = vpc_make(4, at % 7);
    switch (rt_rand_below(rand, 9)) {
    case 0:
        race_acquire(g, key);
        break;
    case 1:
        race_release(g, key);
        break;
    case 2:
        race_merge(g, key);
        break;
    case 3:
        race_lock(g, key);
        race_unlock(g, key);
        break;
    case 4:
        race_write(g, fake_at(off), 4, fake_pc(1, at), f);
        break;
    case 5:
        race_clear(f->race, fake_at(off & ~UINT64_C(63)), 64);
        race_clear(f->race, key, 8);
        break;
    default:
        /* Many readers make lists. */
        race_read(g, fake_at(off % 256), 8, fake_pc(2, at), f);
    }
}

/* A program; what was reported, to be freed, and in *know what clocks said. */
static char *
play(struct fake *f, uint64_t seed, uint64_t *know)
{
    struct race_g *g[GS] = {NULL};
    struct rt_rand rand;
    uint64_t goid = 1;

    memset(fake_saved, 0, 2 * sizeof *fake_saved);
    rt_rand_init(&rand, seed);
    g[0] = race_g_new(f->race, NULL, goid++, NULL, 0);
    *know = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        unsigned k = rt_rand_below(&rand, GS);

        if (g[k] == NULL) {
            g[k] = race_g_new(f->race, g[0], goid++, NULL, 0);
        } else if (k > 0 && rt_rand_below(&rand, 60) == 0) {
            race_g_end(g[k]);
            g[k] = NULL;
            continue;
        }
        step(f, g[k], &rand);
        *know = *know * 31 + race_vec_at(&g[k]->vec, 1 + k) + g[k]->slot;
    }
    assert_true(race_valid(f->race));
    assert_true(f->race->nnodes > 1 && race_errors(f->race) > 0);
    return fake_text(f);
}

/* As fake_begin() has made it. */
static bool
again(struct fake *f)
{
    const struct race_host *host = f->race->host;
    void *arg = f->race->host_arg;
    struct race_config cfg = f->race->cfg;

    if (!race_again(f->race, &cfg))
        return false;
    race_attach(f->race, host, arg);
    return true;
}

static void
nothing_is_left_of_the_last_program(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct fake fresh, used;
        uint64_t want, got;
        char *text, *other;

        fake_begin(&fresh);
        fake_begin(&used);
        for (uint64_t k = 0; k < 3; k++) {
            free(play(&used, seed * 100 + k, &got));
            assert_true(again(&used));
            assert_true(race_valid(used.race));
        }
        text = play(&fresh, seed, &want);
        other = play(&used, seed, &got);
        assert_string_equal(text, other);
        assert_true(want == got);
        assert_int_equal(fresh.race->nnodes, used.race->nnodes);
        assert_int_equal(fresh.race->stacks.n, used.race->stacks.n);
        free(text);
        free(other);
        fake_end(&fresh);
        fake_end(&used);
    }
}

/* Cells, objects and stacks are as in memory that is new. */
static void
all_is_cleared(void **state)
{
    struct fake f;
    uint64_t know;

    (void)state;
    fake_begin(&f);
    free(play(&f, 7, &know));
    uint32_t stacks = f.race->stacks.n, nodes = f.race->nnodes;
    a32_store_rlx(&f.race->mem.guessed, 1);
    assert_true(again(&f));
    assert_int_equal(a32_load_rlx(&f.race->mem.guessed), 0);
    for (uint64_t i = 0; i < KEYS_AT / 8; i++)
        assert_true(a64_load_rlx(&f.race->cells[i].write) == 0 &&
            a64_load_rlx(&f.race->cells[i].read) == 0);
    for (uint64_t i = 0; i < (KEYS_AT + 64 * KEYS) >> RACE_CHUNK_SHIFT; i++)
        assert_null(aptr_load_rlx(&f.race->pieces[i]));
    for (uint32_t i = 0; i < stacks; i++)
        assert_true(f.race->stacks.recs[i].pc == 0);
    for (uint32_t i = 0; i < nodes; i++)
        assert_true(f.race->nodes[i].e[0] == 0 && f.race->nodes[i].next == 0);
    assert_int_equal(f.race->ndead, 0);
    /* Who is alone is not watched. */
    struct race_g *g = race_g_new(f.race, NULL, 1, NULL, 0);
    assert_int_equal(g->span, 0);
    fake_end(&f);
}

static void
what_has_grown_is_not_used_again(void **state)
{
    struct fake f;
    struct race_config cfg;

    (void)state;
    fake_begin(&f);
    cfg = f.race->cfg;
    cfg.span -= 4096;
    assert_false(race_again(f.race, &cfg));
    cfg = f.race->cfg;
    cfg.fail_piece = 5;
    assert_false(race_again(f.race, &cfg));
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);
    for (uint64_t i = 0; i < RACE_TOUCHED; i++)
        race_write(b, fake_at(i * 4096), 8, fake_pc(1, 1), &f);
    assert_true(again(&f));
    a = race_g_new(f.race, NULL, 1, NULL, 0);
    b = race_g_new(f.race, a, 2, NULL, 0);
    for (uint64_t i = 0; i <= RACE_TOUCHED; i++)
        race_write(b, fake_at(i * 4096), 8, fake_pc(1, 1), &f);
    assert_false(again(&f));
    assert_true(race_valid(f.race));
    fake_end(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_of_the_last_program),
        cmocka_unit_test(all_is_cleared),
        cmocka_unit_test(what_has_grown_is_not_used_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
