/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/safetext.h"

static const char *
safe(const char *s)
{
    static char buf[256];

    return rt_safe_text(buf, sizeof buf, s, strlen(s));
}

static void
test_replaced(void **state)
{
    (void)state;
    assert_string_equal(safe("plain, \303\274ber \342\202\254"),
        "plain, \303\274ber \342\202\254");
    assert_string_equal(safe("\033[31m\n\t\177"), "\\x1b[31m\\x0a\\x09\\x7f");
    /* C1 as UTF-8 and as a byte. */
    assert_string_equal(safe("\302\2331m"), "\\x9b1m");
    assert_string_equal(safe("\2331m"), "\\x9b1m");
    assert_string_equal(safe("\302\240"), "\302\240");
    assert_string_equal(safe("a\342\200\256b"), "a\\u202eb");
    assert_string_equal(safe("\330\234\342\200\216"), "\\u061c\\u200e");
    assert_string_equal(safe("\303"), "\\xc3");
    assert_string_equal(safe("\355\240\200"), "\\xed\\xa0\\x80");
}

/* Cut between characters, never within an escape. */
static void
test_cut(void **state)
{
    const char *s = "ab\303\274\033z";
    char buf[16];
    size_t n;

    (void)state;
    for (n = 1; n <= sizeof buf; n++) {
        memset(buf, 'x', sizeof buf);
        rt_safe_text(buf, n, s, strlen(s));
        assert_in_range(strlen(buf), 0, n - 1);
        assert_string_equal(buf, n <= 1 ? "" : n == 2 ? "a" : n <= 4 ? "ab"
            : n <= 8 ? "ab\303\274" : n == 9 ? "ab\303\274\\x1b"
            : "ab\303\274\\x1bz");
    }
}

static void
test_put(void **state)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);

    (void)state;
    rt_safe_put(f, "\033a\tb\342\200\250\377", 8);
    fclose(f);
    assert_string_equal(text, "\\x1ba\tb\\u2028\\xff");
    free(text);
}

static void
test_json(void **state)
{
    static const struct {
        const char *s, *esc;
        size_t w;
    } t[] = {{"a", "", 1}, {"\"", "\\\"", 1}, {"\\", "\\\\", 1},
        {"\n", "\\u000a", 1}, {"\033", "\\u001b", 1}, {"\177", "\\u007f", 1},
        {"\302\205", "\\u0085", 2}, {"\205", "\\ufffd", 1},
        {"\342\200\256", "\\u202e", 3}, {"\303\274", "", 2}};
    char esc[RT_SAFE_ESC];
    size_t i;

    (void)state;
    for (i = 0; i < sizeof t / sizeof *t; i++) {
        assert_int_equal(rt_json_char(t[i].s, strlen(t[i].s), esc), t[i].w);
        assert_string_equal(esc, t[i].esc);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_put),
        cmocka_unit_test(test_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
