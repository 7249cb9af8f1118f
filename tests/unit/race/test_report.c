/* SPDX-License-Identifier: MIT */
/* What the race detector says: reports, stacks, and GORACE's options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/race/race_int.h"
#include "tests/unit/race/fake.h"

/* ---- reports ------------------------------------------------------------------ */

static void
a_report_is_in_the_words_of_gos(void **state)
{
    static const char want[] =
        "==================\n"
        "WARNING: DATA RACE\n"
        "Write at 0x00c000000000 by goroutine 5:\n"
        "  main.g()\n"
        "      /src/a.go:30 +0x1e\n"
        "  main.main()\n"
        "      /src/a.go:7 +0x7\n"
        "\n"
        "Previous atomic write at 0x00c000000000 by main goroutine:\n"
        "  main.f()\n"
        "      /src/a.go:20 +0x14\n"
        "  main.main()\n"
        "      /src/a.go:7 +0x7\n"
        "\n"
        "Location is variable main.x\n"
        "\n"
        "Goroutine 5 (running) created at:\n"
        "  main.main()\n"
        "      /src/a.go:12 +0xc\n"
        "==================\n"
        "Found 1 data race(s)\n";
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    fake_saved[0] = vpc_make(0, 12);
    struct race_g *b = race_g_new(f.race, a, 5, NULL, 0);

    assert_int_equal(race_end(f.race, 0), 0);
    race_touch(a, fake_at(0), 4, fake_pc(1, 20), &f);
    race_write(b, fake_at(0), 8, fake_pc(2, 30), &f);
    /* The same pair again, the other way round. */
    race_clear(f.race, fake_at(0), 8);
    race_write(b, fake_at(0), 8, fake_pc(2, 30), &f);
    race_touch(a, fake_at(0), 4, fake_pc(1, 20), &f);
    assert_int_equal(race_errors(f.race), 1);
    assert_int_equal(race_end(f.race, 2), 2);
    assert_int_equal(race_end(f.race, 0), 66);
    char *text = fake_text(&f);
    assert_string_equal(text, want);
    free(text);
    fake_end(&f);
}

static void
the_place_of_an_allocation_is_told(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 2, NULL, vpc_make(0, 5));

    race_write(a, fake_at(8), 8, fake_pc(1, 1), &f);
    assert_true(fake_races(&f, b, 8, 2));
    char *text = fake_text(&f);
    assert_non_null(strstr(text, "\n\nLocation is a block allocated at:\n"
        "  main.g()\n      /src/a.go:44 +0x2c\n\n"));
    free(text);
    fake_end(&f);
}

/* The goroutine is named that had the slot then, and not who has it now. */
static void
the_dead_are_remembered(void **state)
{
    struct fake f;

    (void)state;
    fake_begin(&f);
    struct race_g *a = race_g_new(f.race, NULL, 1, NULL, 0);
    struct race_g *b = race_g_new(f.race, a, 5, NULL, 0);
    struct race_g *c = race_g_new(f.race, a, 6, NULL, 0);

    race_write(b, fake_at(32), 8, fake_pc(1, 1), &f);
    race_release(b, fake_at(64));
    race_g_end(b);
    race_acquire(a, fake_at(64));
    struct race_g *d = race_g_new(f.race, a, 7, NULL, 0);
    assert_int_equal(d->slot, 2); /* that of b */
    race_write(c, fake_at(32), 8, fake_pc(1, 2), &f);
    char *text = fake_text(&f);
    assert_non_null(strstr(text, "Previous write at 0x00c000000020 by "
        "goroutine 5:"));
    assert_non_null(strstr(text, "Goroutine 5 (finished) created at:"));
    assert_non_null(strstr(text, "Goroutine 6 (running) created at:"));
    free(text);
    fake_end(&f);
}

/* The number of a stack, innermost frame first. */
static uint32_t
number(struct race *r, const vpc *pcs, uint32_t n)
{
    uint32_t id = 0;

    while (n > 0)
        id = race_stack_add(r, id, pcs[--n]);
    return id;
}

static void
recursions_are_folded(void **state)
{
    const struct {
        vpc in[8], out[8];
    } rows[] = {
        {{vpc_make(1, 1), vpc_make(1, 2), vpc_make(0, 3)},
            {vpc_make(1, 1), vpc_make(1, 2), vpc_make(0, 3)}},
        {{vpc_make(1, 1), vpc_make(1, 2), vpc_make(1, 3), vpc_make(1, 4),
             vpc_make(0, 5)},
            {vpc_make(1, 1), vpc_make(1, 2), vpc_make(0, 5)}},
        {{vpc_make(2, 1), vpc_make(1, 2), vpc_make(1, 3), vpc_make(1, 4),
             vpc_make(0, 5), vpc_make(0, 6), vpc_make(0, 7)},
            {vpc_make(2, 1), vpc_make(1, 2), vpc_make(1, 3), vpc_make(0, 5),
                vpc_make(0, 6)}},
        {{vpc_make(1, 1), vpc_make(2, 2), vpc_make(1, 3), vpc_make(2, 4)},
            {vpc_make(1, 1), vpc_make(2, 2), vpc_make(1, 3), vpc_make(2, 4)}},
    };
    struct fake f;

    (void)state;
    fake_begin(&f);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t n = 0, shown = 0;
        vpc pcs[8];

        while (n < 8 && rows[i].in[n] != 0)
            n++;
        while (shown < 8 && rows[i].out[shown] != 0)
            shown++;
        uint32_t id = number(f.race, rows[i].in, n);
        assert_int_not_equal(id, 0);
        assert_int_equal(number(f.race, rows[i].in, n), id);
        assert_int_equal(number(f.race, rows[i].out, shown), id);
        assert_int_not_equal(number(f.race, rows[i].out, shown - 1), id);
        assert_int_equal(race_stack_pcs(f.race, id, pcs, 8), shown);
        assert_memory_equal(pcs, rows[i].out, shown * sizeof *pcs);
        assert_int_equal(race_stack_pcs(f.race, id, pcs, 1), 1);
    }
    fake_end(&f);
}

/* With a million of them known, stacks end after their innermost frames. */
static void
more_stacks_are_cut(void **state)
{
    struct fake f;
    uint32_t id = 0;
    vpc deep[12], pcs[16];

    (void)state;
    fake_begin(&f);
    for (uint32_t i = 0; i < 12; i++)
        deep[i] = vpc_make(i % 3, 100 + i);
    assert_int_equal(
        race_stack_pcs(f.race, number(f.race, deep, 12), pcs, 16), 12);
    for (uint32_t i = 0; i < 1 << 20; i++)
        id = race_stack_add(f.race, 0, vpc_make(7 + i / 1024, i % 1024));
    assert_int_equal(race_stack_pcs(f.race, id, pcs, 16), 1);
    /* Those that are known stay as they are. */
    assert_int_equal(
        race_stack_pcs(f.race, number(f.race, deep, 12), pcs, 16), 12);
    deep[0] = vpc_make(0, 99);
    id = number(f.race, deep, 12);
    assert_int_equal(race_stack_pcs(f.race, id, pcs, 16), 8);
    assert_memory_equal(pcs, deep, 8 * sizeof *pcs);
    assert_int_equal(number(f.race, deep, 12), id);
    fake_end(&f);
}

/* ---- options -------------------------------------------------------------------- */

static void
options_are_gos(void **state)
{
    struct race_options o;
    struct rt_err err = {0};

    (void)state;
    assert_int_equal(race_options_parse("", &o, &err), RT_OK);
    assert_int_equal(o.exitcode, 66);
    assert_string_equal(o.log_path, "stderr");
    assert_int_equal(race_options_parse(
        " exitcode=3 halt_on_error=1:log_path=/a/b history_size=7 "
        "strip_path_prefix=/src/ atexit_sleep_ms=50", &o, &err), RT_OK);
    assert_int_equal(o.exitcode, 3);
    assert_true(o.halt_on_error);
    assert_string_equal(o.log_path, "/a/b");
    assert_string_equal(o.strip, "/src/");
    assert_int_equal(race_options_parse("exitcode=x", &o, &err), RT_EFORMAT);
    assert_string_equal(err.text, "GORACE: bad value in exitcode=x");
    assert_int_equal(
        race_options_parse("halt_on_error=2", &o, &err), RT_EFORMAT);
    assert_int_equal(race_options_parse("exitcode", &o, &err), RT_EFORMAT);
    assert_string_equal(err.text, "GORACE: exitcode has no value");
    assert_int_equal(race_options_parse("a=1 color=2", &o, &err), RT_EFORMAT);
    assert_string_equal(err.text, "GORACE: there is no option a");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_is_in_the_words_of_gos),
        cmocka_unit_test(the_place_of_an_allocation_is_told),
        cmocka_unit_test(the_dead_are_remembered),
        cmocka_unit_test(recursions_are_folded),
        cmocka_unit_test(more_stacks_are_cut),
        cmocka_unit_test(options_are_gos),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
