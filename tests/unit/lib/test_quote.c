/* SPDX-License-Identifier: MIT */
/* Go's quoted strings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/lib/support/quote.h"

static void
quotes_strings(void **state)
{
    static const struct {
        const char *text;
        enum quote_mode mode;
        const char *quoted;
    } cases[] = {
        {"plain", QUOTE_PRINT, "\"plain\""},
        {"a\"b\\c", QUOTE_PRINT, "\"a\\\"b\\\\c\""},
        {"\a\b\f\n\r\t\v", QUOTE_PRINT, "\"\\a\\b\\f\\n\\r\\t\\v\""},
        {"\x01\x7f", QUOTE_PRINT, "\"\\x01\\x7f\""},
        {"caf\xc3\xa9", QUOTE_PRINT, "\"caf\xc3\xa9\""},
        {"caf\xc3\xa9", QUOTE_ASCII, "\"caf\\u00e9\""},
        {"\xf0\x9f\x98\x80", QUOTE_ASCII, "\"\\U0001f600\""},
        {"\xff\xc3", QUOTE_PRINT, "\"\\xff\\xc3\""},
        {"\xed\xa0\x80", QUOTE_PRINT, "\"\\xed\\xa0\\x80\""},
        {"\xe3\x80\x80", QUOTE_PRINT, "\"\\u3000\""},
        {"\xe3\x80\x80", QUOTE_GRAPHIC, "\"\xe3\x80\x80\""},
        {"", QUOTE_PRINT, "\"\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char buf[256];
        size_t n = strlen(cases[i].text);

        assert_true(quote_room(n) < sizeof buf);
        n = quote_string(buf, cases[i].text, n, '"', cases[i].mode);
        assert_true(n <= quote_room(strlen(cases[i].text)));
        buf[n] = 0;
        assert_string_equal(buf, cases[i].quoted);
    }
}

static void
quotes_runes(void **state)
{
    char buf[16];
    size_t n;

    (void)state;
    n = quote_rune(buf, '\'', QUOTE_PRINT);
    assert_int_equal(n, 4);
    assert_memory_equal(buf, "'\\''", 4);
    n = quote_rune(buf, 0x110000, QUOTE_ASCII);
    assert_int_equal(n, 8);
    assert_memory_equal(buf, "'\\ufffd'", 8);
    n = quote_rune(buf, 0x1f600, QUOTE_ASCII);
    assert_int_equal(n, 12);
    n = quote_rune(buf, -1, QUOTE_PRINT);
    assert_int_equal(n, 5);
    assert_memory_equal(buf, "'\xef\xbf\xbd'", 5);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_strings),
        cmocka_unit_test(quotes_runes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
