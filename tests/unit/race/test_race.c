/* SPDX-License-Identifier: MIT */
/* The parts of the race detector one by one: clocks and slots, atomics, memory
 * that is handed out anew, what happens without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/race/race_int.h"
#include "tests/unit/race/fake.h"

static void
children_come_after_what_was_before_their_birth(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    assert_false(fake_races(&f, a, 0, 1));
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);
    assert_false(fake_races(&f, b, 0, 2));
    assert_false(fake_races(&f, a, 8, 3));
    assert_true(fake_races(&f, b, 8, 4));
    fake_end(&f);
}

/* The first goroutine costs nothing while it is the only one; those that are
 * nobody's children have to be announced. */
static void
who_is_alone_is_not_watched(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    assert_false(fake_races(&f, a, 0, 1));
    assert_int_equal(a64_load_rlx(&f.race->cells[0].write), 0);
    race_share(a);
    assert_false(fake_races(&f, a, 8, 2));
    struct race_g *b = race_g_new(f.race, NULL, 2, NULL, 0);
    assert_true(fake_races(&f, b, 8, 3));
    race_g_end(b);
    fake_end(&f);

    /* A child makes them both watched. */
    fake_begin(&f);
    a = race_g_new(f.race, NULL, 1, NULL, 0);
    b = race_g_new(f.race, a, 2, NULL, 0);
    assert_false(fake_races(&f, a, 0, 4));
    assert_true(fake_races(&f, b, 0, 5));
    race_g_end(b);
    assert_false(fake_races(&f, a, 16, 6));
    assert_int_not_equal(a64_load_rlx(&f.race->cells[2].write), 0);
    fake_end(&f);
}

/* Memory is shared that somebody has accessed, unless that was the goroutine
 * itself, in the present time, and it can only do the same again. */
static void
what_others_have_to_do_with_is_shared(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);

    assert_false(race_read_shared(a, fake_at(0), 64));
    assert_false(race_write_shared(a, fake_at(0), 64));
    race_read(a, fake_at(8), 4, fake_pc(1, 1), &f);
    assert_false(race_read_shared(a, fake_at(8), 4));
    assert_false(race_read_shared(b, fake_at(0), 8));
    /* Other bytes, a write behind a read, and others. */
    assert_true(race_read_shared(a, fake_at(8), 8));
    assert_true(race_write_shared(a, fake_at(8), 4));
    assert_true(race_read_shared(b, fake_at(0), 16));
    race_write(a, fake_at(8), 8, fake_pc(1, 2), &f);
    assert_false(race_write_shared(a, fake_at(8), 8));
    assert_false(race_read_shared(a, fake_at(8), 8));
    assert_true(race_read_shared(b, fake_at(15), 1));
    /* Another time. */
    race_release(a, fake_at(0));
    assert_true(race_read_shared(a, fake_at(8), 8));
    /* Elsewhere, and nothing. */
    assert_false(race_write_shared(a, fake_at(FAKE_SPAN), 8));
    assert_false(race_write_shared(b, fake_at(8), 0));
    race_g_end(b);
    fake_end(&f);
}

/* One slot after the other serves many goroutines where each is born after
 * the end of the last; where it is not, no slot is shared. */
static void
slots_are_used_again_only_when_nothing_is_lost(void **state)
{
    struct fake f;
    struct race_g *a, *b;

    (void)state;
    fake_begin(&f);
    a = race_g_new(f.race, NULL, 1, NULL, 0);
    for (unsigned i = 0; i < 5000; i++) {
        b = race_g_new(f.race, a, i + 2, NULL, 0);
        assert_int_equal(b->slot, 2);
        assert_false(fake_races(&f, b, 0, i));
        race_release(b, fake_at(64));
        race_g_end(b);
        race_acquire(a, fake_at(64));
    }
    /* Nobody has seen the end of this one. */
    b = race_g_new(f.race, a, 9000, NULL, 0);
    race_write(b, fake_at(8), 8, fake_pc(1, 9000), &f);
    race_g_end(b);
    b = race_g_new(f.race, a, 9001, NULL, 0);
    assert_int_equal(b->slot, 3);
    assert_true(fake_races(&f, b, 8, 9001));
    assert_int_equal(a32_load_rlx(&f.race->mem.guessed), 0);
    fake_end(&f);
}

static void
many_goroutines_share_slots_at_a_guess(void **state)
{
    struct fake f;
    struct race_g *a, *b;

    (void)state;
    fake_begin(&f);
    a = race_g_new(f.race, NULL, 1, NULL, 0);
    for (unsigned i = 0; i < RACE_SLOTS_FIRST + 100; i++) {
        b = race_g_new(f.race, a, i + 2, NULL, 0);
        race_write(b, fake_at(8 * i), 8, fake_pc(1, i), &f);
        race_g_end(b);
    }
    /* Two numbers are not for them: 0 and the first one's. */
    assert_int_equal(a32_load_rlx(&f.race->mem.guessed), 102);
    assert_int_equal(f.race->nslots, RACE_SLOTS_FIRST);
    assert_true(race_valid(f.race));
    fake_end(&f);
}

/* Who makes one after the other has them all lean on what it knows, until it
 * hears of somebody. */
static void
children_have_one_base(void **state)
{
    struct race_g *a, *b[4], *c;
    struct fake f;
    int lock;

    (void)state;
    fake_begin(&f);
    a = race_g_new(f.race, NULL, 1, NULL, 0);
    for (unsigned i = 0; i < 3; i++)
        b[i] = race_g_new(f.race, a, 2 + i, NULL, 0);
    assert_null(b[0]->vec.base);
    assert_non_null(b[1]->vec.base);
    assert_ptr_equal(b[1]->vec.base, b[2]->vec.base);
    race_write(b[0], fake_at(0), 8, fake_pc(1, 1), &f);
    race_release(b[0], &lock);
    race_acquire(a, &lock);
    b[3] = race_g_new(f.race, a, 5, NULL, 0);
    assert_null(b[3]->vec.base);
    assert_false(fake_races(&f, b[3], 0, 6));
    c = race_g_new(f.race, b[3], 6, NULL, 0);
    assert_null(c->vec.base);
    race_g_end(c);
    c = race_g_new(f.race, b[3], 7, NULL, 0);
    assert_non_null(c->vec.base);
    assert_true(race_valid(f.race));
    fake_end(&f);
}

/* Slots become dead when they are looked for; the oldest comes first. */
static void
the_dead_are_in_the_order_of_their_ends(void **state)
{
    enum { N = 5 };
    static const unsigned order[N] = {3, 1, 4, 0, 2};
    struct fake f;
    struct race_g *a, *g[N];
    uint32_t slot[N];

    (void)state;
    fake_begin(&f);
    a = race_g_new(f.race, NULL, 1, NULL, 0);
    for (unsigned i = 0; i < N; i++) {
        g[i] = race_g_new(f.race, a, i + 2, NULL, 0);
        slot[i] = g[i]->slot;
    }
    for (unsigned i = 0; i < N; i++)
        race_g_end(g[order[i]]);
    assert_true(race_valid(f.race));
    race_share(a);
    assert_true(race_valid(f.race));
    uint32_t s = f.race->first_dead;
    for (unsigned i = 0; i < N; i++, s = f.race->slots[s].next)
        assert_int_equal(s, slot[order[i]]);
    fake_end(&f);
}

static void
there_is_a_limit_to_goroutines(void **state)
{
    struct fake f;
    uint32_t n = 0, crowds = 0;
    struct race_g *g;

    (void)state;
    fake_begin(&f);
    while ((g = race_g_new(f.race, NULL, n + 1, NULL, 0)) != NULL) {
        n++;
        assert_true(n >= RACE_SLOTS / 2 - 1 || !race_g_crowds(g));
        crowds += race_g_crowds(g);
    }
    assert_int_equal(n, RACE_NO_SLOT - 1);
    assert_int_equal(crowds, 16); /* one of a thousand, of the second half */
    assert_true(race_valid(f.race));
    fake_end(&f);
}

/* An atomic store orders what came before it for those who load it, loads
 * order nothing for one another, and a plain access races with both. */
static void
atomic(struct fake *f, struct race_g *g, enum race_atomic what, uint32_t at)
{
    race_atomic_begin(g, fake_at(128));
    race_atomic_end(g, fake_at(128), 4, what, fake_pc(2, at), f);
}

static void
atomics_order_by_what_they_are(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);
    struct race_g *c = race_g_new(f.race, a, 3, NULL, 0);

    assert_false(fake_races(&f, a, 0, 1));
    atomic(&f, a, RACE_STORE, 1);
    atomic(&f, b, RACE_LOAD, 2);
    assert_false(fake_races(&f, b, 0, 2));
    atomic(&f, c, RACE_LOAD, 3);
    assert_true(fake_races(&f, c, 0, 3));
    assert_false(fake_races(&f, b, 8, 4));
    atomic(&f, b, RACE_RMW, 5);
    atomic(&f, c, RACE_RMW, 6);
    assert_false(fake_races(&f, c, 8, 7));
    assert_int_equal(race_errors(f.race), 1);
    assert_true(fake_races(&f, a, 128, 8));
    fake_end(&f);
}

static void
quiet_goroutines_order_nothing(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);

    assert_false(race_quiet(a, false));
    assert_false(fake_races(&f, a, 0, 1));
    assert_true(race_quiet(a, true));
    race_release(a, fake_at(64));
    assert_true(race_quiet(a, false));
    race_acquire(b, fake_at(64));
    assert_true(fake_races(&f, b, 0, 2));
    fake_end(&f);
}

static void
finalizers_come_after_all_that_was_before_the_mark(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *fin = race_g_new(f.race, NULL, 2, NULL, 0);

    assert_false(fake_races(&f, a, 0, 1));
    race_mark_ended_stw(f.race);
    assert_false(fake_races(&f, a, 8, 2));
    race_acquire_mark(fin);
    assert_false(fake_races(&f, fin, 0, 3));
    assert_true(fake_races(&f, fin, 8, 4));
    fake_end(&f);
}

/* Ways to learn of others. */
enum way { ACQUIRE, SWAP, MEET, BE_MET, MARK, PASS, WAYS };

/* g learns what has been released at off, or, when it meets somebody, what
 * that one knows. */
static void
learn(struct fake *f, enum way way, struct race_g *g, struct race_g *other,
    uint64_t off)
{
    switch (way) {
    case ACQUIRE:
        race_acquire(g, fake_at(off));
        break;
    case SWAP:
        race_swap(g, fake_at(off));
        break;
    case MEET:
        race_meet(g, other);
        break;
    case BE_MET:
        race_meet(other, g);
        break;
    case MARK:
        race_mark_ended_stw(f->race);
        race_acquire_mark(g);
        break;
    default:
        race_pass(f->race, fake_at(off), fake_at(512));
        race_acquire(g, fake_at(512));
        break;
    }
}

/* Who releases the same object again and again need not tell again what it
 * knew the last time; what it has learnt since it must.  Likewise for who has
 * acquired it before. */
static void
what_is_learnt_between_releases_is_released(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        struct fake f;

        fake_begin(&f);
        struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
        struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);
        struct race_g *c = race_g_new(f.race, a, 3, NULL, 0);
        struct race_g *d = race_g_new(f.race, a, 4, NULL, 0);

        for (unsigned i = 0; i < 3; i++) {
            race_release(b, fake_at(256));
            race_acquire(d, fake_at(256));
            /* What d hears of this may be all that b has released. */
            race_release(b, fake_at(512));
            race_acquire(d, fake_at(512));
            assert_false(fake_races(&f, c, 8 * i, 10 + i));
            race_release(c, fake_at(1024));
            learn(&f, way, b, c, 1024);
            race_release(b, fake_at(256));
            race_acquire(d, fake_at(256));
            assert_false(fake_races(&f, d, 8 * i, 20 + i));
            /* c has heard of neither, and is the one that races. */
            assert_true(fake_races(&f, c, 8 * i, 30 + i));
            race_clear(f.race, fake_at(8 * i), 8);
        }
        assert_true(race_valid(f.race));
        fake_end(&f);
    }
}

/* What has been passed on to an object counts for whoever knew the object
 * before. */
static void
what_is_passed_on_is_heard(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);
    struct race_g *c = race_g_new(f.race, a, 3, NULL, 0);
    race_release(a, fake_at(256));
    race_acquire(b, fake_at(256));
    assert_false(fake_races(&f, c, 0, 1));
    race_release(c, fake_at(512));
    race_pass(f.race, fake_at(512), fake_at(256));
    race_acquire(b, fake_at(256));
    assert_false(fake_races(&f, b, 0, 2));
    fake_end(&f);
}

/* Who has got the slot of somebody that it knows nothing of has not heard what
 * that one released, though its clocks seem to say so. */
static void
a_slot_at_a_guess_knows_nothing(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *z = race_g_new(f.race, a, 2, NULL, 0);
    struct race_g *x = race_g_new(f.race, a, 3, NULL, 0), *y;
    uint32_t slot = x->slot, goid = 4;

    assert_false(fake_races(&f, z, 0, 1));
    race_release(z, fake_at(256));
    race_acquire(x, fake_at(256));
    race_release(x, fake_at(768));
    race_release(x, fake_at(512));
    race_g_end(x);
    for (;;) {
        y = race_g_new(f.race, a, goid++, NULL, 0);
        if (y->slot == slot)
            break;
        race_write(y, fake_at(64), 8, fake_pc(1, goid), &f);
        race_g_end(y);
        assert_true(goid < 2 * RACE_SLOTS_FIRST);
    }
    assert_int_equal(a32_load_rlx(&f.race->mem.guessed), 1);
    race_acquire(y, fake_at(512));
    assert_false(fake_races(&f, y, 0, 2));
    fake_end(&f);
}

/* Where bytes of one word are accessed at different places, the last one is
 * told of at its own, whatever was gone through before. */
static void
the_last_byte_has_its_place(void **state)
{
    static const uint32_t places[] = {41, 41, 42, 41, 42, 42, 43, 41};
    struct fake f;

    (void)state;
    for (unsigned k = 0; k < 8; k++) {
        fake_begin(&f);
        struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
        struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);
        char line[32];

        for (unsigned i = 0; i <= 16 + k; i++)
            race_write(a, fake_at(i), 1, fake_pc(1, places[i % 8]), &f);
        race_write(b, fake_at(16 + k), 1, fake_pc(1, 99), &f);
        assert_int_equal(race_errors(f.race), 1);
        char *text = fake_text(&f);
        snprintf(line, sizeof line, "/src/a.go:%u ", places[k]);
        assert_non_null(strstr(strstr(text, "Previous write"), line));
        free(text);
        fake_end(&f);
    }
}

/* Two stacks with the same innermost frame are two. */
static void
stacks_differ_by_their_callers(void **state)
{
    struct fake f;
    vpc was[2] = {fake_saved[0], fake_saved[1]};
    uint32_t id[2];

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    for (unsigned round = 0; round < 3; round++)
        for (unsigned i = 0; i < 2; i++) {
            fake_saved[0] = vpc_make(1, 8);
            fake_saved[1] = vpc_make(2 + i, 8);
            id[i] = race_stack_here(a, NULL, NULL);
            vpc pcs[8];
            assert_int_equal(race_stack_pcs(f.race, id[i], pcs, 8), 2);
            assert_memory_equal(pcs, fake_saved, sizeof fake_saved);
        }
    assert_int_not_equal(id[0], id[1]);
    fake_saved[0] = was[0];
    fake_saved[1] = was[1];
    fake_end(&f);
}

static void
timers_pass_on_who_has_set_them(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, NULL, 2, NULL, 0);

    assert_false(fake_races(&f, a, 0, 1));
    race_merge(a, fake_at(512));
    race_pass(f.race, fake_at(512), fake_at(2048));
    race_acquire(b, fake_at(2048));
    assert_false(fake_races(&f, b, 0, 2));
    fake_end(&f);
}

/* Small and large pieces: by writing and by giving back. */
static void
memory_that_is_handed_out_anew_is_forgotten(void **state)
{
    static const uint64_t sizes[] = {8, 24, 4096, 512 << 10, 20 << 20};
    struct fake f;
    uint32_t place = 1;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);
    struct race_g *c = race_g_new(f.race, a, 3, NULL, 0);

    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t at = 8 * i, end = at + sizes[i];

        /* The last word is a list. */
        assert_false(fake_races(&f, a, at, place++));
        assert_false(fake_races(&f, a, end, place++));
        race_read(a, fake_at(end - 8), 8, fake_pc(2, place++), &f);
        race_read(c, fake_at(end - 8), 8, fake_pc(2, place++), &f);
        race_release(a, fake_at(end - 8));
        uint32_t errors = race_errors(f.race);
        race_clear(f.race, fake_at(at), sizes[i]);
        race_acquire(b, fake_at(end - 8));
        assert_false(fake_races(&f, b, at, place++));
        assert_false(fake_races(&f, b, end - 8, place++));
        assert_int_equal(race_errors(f.race), errors);
        assert_true(fake_races(&f, b, end, place++));
        race_clear(f.race, fake_at(at), sizes[i] + 8);
    }
    fake_end(&f);
}

/* Whether a page's cells may know something is known by page: it is true until
 * all of it is forgotten at once. */
static void
pages_that_know_nothing_are_known(void **state)
{
    enum { PAGE = 1 << RACE_PAGE_SHIFT };
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, 0);
    const a_bool8 *known = f.race->known;

    race_write_range(a, fake_at(PAGE + 8), PAGE, fake_pc(1, 1), &f);
    assert_false(a8_load_rlx(&known[0]));
    assert_int_equal(a8_load_rlx(&known[1]), PAGE_KNOWS);
    assert_int_equal(a8_load_rlx(&known[2]), PAGE_KNOWS);
    assert_false(a8_load_rlx(&known[3]));
    /* All but the last word, of a page and a half. */
    race_clear(f.race, fake_at(PAGE), 2 * PAGE - 8);
    assert_int_equal(a8_load_rlx(&known[1]), PAGE_FORGOT);
    assert_int_equal(a8_load_rlx(&known[2]), PAGE_KNOWS);
    race_write_range(a, fake_at(2 * PAGE), PAGE, fake_pc(1, 2), &f);
    race_clear(f.race, fake_at(2 * PAGE), 8);
    race_clear(f.race, fake_at(2 * PAGE + 8), 8);
    assert_false(fake_races(&f, b, 2 * PAGE, 3));
    assert_false(fake_races(&f, b, 2 * PAGE + 8, 4));
    assert_true(fake_races(&f, b, 2 * PAGE + 16, 5));
    fake_end(&f);
}

static void
lists_of_readers_have_an_end(void **state)
{
    struct fake f;
    struct race_g *g[RACE_LIST_MAX + 10];

    (void)state;
    fake_begin(&f);
    g[0] = race_g_new(f.race, NULL, 1, NULL, 0);
    for (unsigned i = 1; i < RACE_LIST_MAX + 10; i++)
        g[i] = race_g_new(f.race, g[0], i + 1, NULL, 0);
    for (unsigned i = 0; i < RACE_LIST_MAX + 10; i++)
        race_read(g[i], fake_at(16), 8, fake_pc(1, i), &f);
    assert_int_equal(a64_load_rlx(&f.race->dropped), 10);
    /* A write that races covers them, and the nodes are free again. */
    assert_true(fake_races(&f, g[3], 16, 999));
    uint32_t nodes = f.race->nnodes;
    for (unsigned i = 0; i < RACE_LIST_MAX; i++)
        race_read(g[i], fake_at(24), 8, fake_pc(1, i), &f);
    assert_int_equal(f.race->nnodes, nodes);
    fake_end(&f);
}

static void
addresses_elsewhere_do_not_matter(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, NULL, 2, NULL, 0);
    uint64_t here;

    race_write(a, &here, 8, NULL, NULL);
    race_write_range(b, &here, 8, NULL, NULL);
    assert_false(fake_races(&f, a, FAKE_SPAN, 1));
    assert_false(fake_races(&f, b, FAKE_SPAN, 2));
    /* But they synchronise. */
    assert_false(fake_races(&f, a, 0, 3));
    race_release(a, &here);
    race_acquire(b, &here);
    assert_false(fake_races(&f, b, 0, 4));
    fake_end(&f);
}

/* ---- without memory ---------------------------------------------------------------- */

/* Each request to the system fails once, with all after it: then there is no
 * detector, and nothing is left mapped (race_free() asserts that in builds with
 * assertions).  tests/race/run_race_faults.py has what comes later. */
static void
no_memory_is_an_answer(void **state)
{
    struct race_config cfg = {.lo = FAKE_LO, .span = FAKE_SPAN};
    struct rt_err err = {0};
    struct race *r = NULL;
    uint32_t at;

    (void)state;
    for (at = 1; r == NULL; at++) {
        assert_true(at < 100);
        cfg.fail_at = at;
        if (race_new(&r, &cfg, &err) != RT_OK)
            assert_null(r);
    }
    assert_true(at > 5);
    race_free(r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_come_after_what_was_before_their_birth),
        cmocka_unit_test(who_is_alone_is_not_watched),
        cmocka_unit_test(what_others_have_to_do_with_is_shared),
        cmocka_unit_test(slots_are_used_again_only_when_nothing_is_lost),
        cmocka_unit_test(many_goroutines_share_slots_at_a_guess),
        cmocka_unit_test(children_have_one_base),
        cmocka_unit_test(the_dead_are_in_the_order_of_their_ends),
        cmocka_unit_test(there_is_a_limit_to_goroutines),
        cmocka_unit_test(atomics_order_by_what_they_are),
        cmocka_unit_test(quiet_goroutines_order_nothing),
        cmocka_unit_test(finalizers_come_after_all_that_was_before_the_mark),
        cmocka_unit_test(what_is_learnt_between_releases_is_released),
        cmocka_unit_test(what_is_passed_on_is_heard),
        cmocka_unit_test(a_slot_at_a_guess_knows_nothing),
        cmocka_unit_test(the_last_byte_has_its_place),
        cmocka_unit_test(stacks_differ_by_their_callers),
        cmocka_unit_test(timers_pass_on_who_has_set_them),
        cmocka_unit_test(memory_that_is_handed_out_anew_is_forgotten),
        cmocka_unit_test(pages_that_know_nothing_are_known),
        cmocka_unit_test(lists_of_readers_have_an_end),
        cmocka_unit_test(addresses_elsewhere_do_not_matter),
        cmocka_unit_test(no_memory_is_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
