/* SPDX-License-Identifier: MIT */
#include "runtime/lang/syntax/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lang/check.h"
#include "tests/unit/lang/fixture.h"

static void
check_place(struct lang_place at, const char *file, uint32_t line, uint32_t col)
{
    assert_string_equal(at.file, file);
    assert_int_equal(at.line, line);
    assert_int_equal(at.col, col);
}

static void
positions(void **state)
{
    struct fixture f;
    struct lang_file *a, *b;

    (void)state;
    fixture_begin(&f, 0);
    fixture_add(&f, "a.go", "ab\n\ncd", 6);
    a = f.file;
    fixture_add(&f, "b.go", "", 0);
    b = f.file;
    check_place(lang_pos_place(&f.src, 0), "", 0, 0);
    check_place(lang_pos_place(&f.src, a->base), "a.go", 1, 1);
    check_place(lang_pos_place(&f.src, a->base + 2), "a.go", 1, 3);
    check_place(lang_pos_place(&f.src, a->base + 3), "a.go", 2, 1);
    check_place(lang_pos_place(&f.src, a->base + 6), "a.go", 3, 3);
    check_place(lang_pos_place(&f.src, a->base + 1), "a.go", 1, 2);
    check_place(lang_pos_place(&f.src, b->base), "b.go", 1, 1);
    check_place(lang_pos_place(&f.src, b->base + 1), "", 0, 0);
    assert_ptr_equal(lang_pos_file(&f.src, a->base + 6), a);
    assert_ptr_equal(lang_pos_file(&f.src, b->base), b);
    assert_null(lang_pos_file(&f.src, b->base + 1));
    fixture_end(&f);
}

/* Whatever was asked before, in whichever file: steps of one line and of many,
 * forwards and backwards. */
static void
near_positions(void **state)
{
    enum { LINES = 60 };
    static const uint32_t steps[] = {0, 1, 2, 3, 4, 5, 9, 30, LINES - 1};
    char text[2 * LINES + 1];
    struct fixture f;
    struct lang_file *a, *b, *near = NULL;
    uint32_t i, line, n = 0;

    (void)state;
    for (i = 0; i < LINES; i++)
        memcpy(text + 2 * i, "x\n", 2);
    fixture_begin(&f, 0);
    fixture_add(&f, "a.go", text, 2 * LINES);
    a = f.file;
    fixture_add(&f, "b.go", text, 2 * LINES);
    b = f.file;
    for (i = 0; i < sizeof steps / sizeof steps[0]; i++)
        for (line = 0; n < LINES * (i + 1); n++) {
            line = (line + steps[i]) % LINES;
            check_place(lang_pos_place_near(&f.src,
                            (n % 7 == 0 ? b : a)->base + 2 * line, &near),
                n % 7 == 0 ? "b.go" : "a.go", line + 1, 1);
        }
    check_place(lang_pos_place_near(&f.src, 0, &near), "", 0, 0);
    check_place(lang_pos_place_near(&f.src, b->base + 3, &near), "b.go", 2, 2);
    check_place(
        lang_pos_place_near(&f.src, b->base + 2 * LINES + 1, &near), "", 0, 0);
    fixture_end(&f);
}

static void
line_directives(void **state)
{
    static const char text[] = "package p\n"
                               "//line a.go:10\n"
                               "var x 1\n"
                               "var /*line b.go:5:20*/ y 1; var z 2\n"
                               "//line :7:9\n"
                               "var w 3\n"
                               "//line c.go:0\n"
                               "//line d\n"
                               "  //line f.go:3\n"
                               "//line g.go:x\n"
                               "var v 4\n"
                               "//line h.go:1:0\n"
                               "//line a:b.go:12\n"
                               "var u 5\n";
    struct fixture f;
    char *got;

    (void)state;
    fixture_begin(&f, 0);
    assert_non_null(fixture_parse(&f, text, 0));
    got = fixture_messages(&f);
    assert_string_equal(got,
        "a.go:10: syntax error: unexpected literal 1, expected type\n"
        "b.go:5:23: syntax error: unexpected literal 1, expected type\n"
        "b.go:7:15: syntax error: unexpected literal 3, expected type\n"
        "b.go:8:13: invalid line number: 0\n"
        "b.go:11:13: invalid line number: x\n"
        "b.go:12:7: syntax error: unexpected literal 4, expected type\n"
        "b.go:13:15: invalid column number: 0\n"
        "a:b.go:12: syntax error: unexpected literal 5, expected type\n");
    free(got);
    check_place(lang_pos_physical(&f.src, f.file->base + 25), "x.go", 3, 1);
    fixture_end(&f);
}

static void
reading(void **state)
{
    char path[] = "/tmp/vole-test-XXXXXX";
    struct lang_sources src;
    struct lang_file *file;
    struct rt_err err;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "package p\n", 10), 10);
    close(fd);
    lang_sources_init(&src);
    assert_int_equal(lang_sources_read(&src, "p.go", path, &file, &err), RT_OK);
    assert_int_equal(file->size, 10);
    assert_string_equal(file->text, "package p\n");
    unlink(path);
    assert_int_equal(
        lang_sources_read(&src, "p.go", path, &file, &err), RT_EIO);
    assert_non_null(strstr(err.text, "No such file or directory"));
    assert_int_equal(
        lang_sources_read(&src, "p.go", "/tmp", &file, &err), RT_EIO);
    assert_non_null(strstr(err.text, "directory"));
    lang_sources_free(&src);
}

static void
too_large(void **state)
{
    struct lang_sources src;
    struct lang_file *file;
    struct rt_err err;

    (void)state;
    lang_sources_init(&src);
    assert_int_equal(lang_sources_add(&src, "x", (const uint8_t *)"",
                         LANG_SOURCE_MAX, &file, &err),
        RT_ELIMIT);
    assert_int_equal(src.nfile, 0);
    lang_sources_free(&src);
}

static void
messages(void **state)
{
    struct fixture f;
    char *got;
    lang_pos base;
    int i;

    (void)state;
    fixture_begin(&f, 4);
    fixture_add(&f, "a.go", "a\nb\nc\nd\ne\n", 10);
    base = f.file->base;
    lang_errf(&f.diag, base + 6, "third %d", 3);
    lang_errf(&f.diag, base + 2, "same");
    lang_errf(&f.diag, base + 3, "same");
    lang_syntax_errf(&f.diag, base, "syntax error: one");
    lang_syntax_errf(&f.diag, base + 1, "syntax error: dropped");
    assert_false(lang_diag_full(&f.diag));
    lang_errf(&f.diag, base + 4, "last");
    assert_true(lang_diag_full(&f.diag));
    for (i = 0; i < 1000; i++)
        lang_errf(&f.diag, base + 8, "dropped %d", i);
    got = fixture_messages(&f);
    assert_string_equal(got, "a.go:1:1: syntax error: one\n"
                             "a.go:2:1: same\n"
                             "a.go:3:1: last\n"
                             "a.go:4:1: third 3\n"
                             "a.go:3:1: too many errors\n");
    free(got);
    fixture_end(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions),
        cmocka_unit_test(near_positions),
        cmocka_unit_test(line_directives),
        cmocka_unit_test(reading),
        cmocka_unit_test(too_large),
        cmocka_unit_test(messages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
