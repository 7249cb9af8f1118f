/* SPDX-License-Identifier: MIT */
#include "runtime/lang/syntax/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lang/check.h"
#include "tests/unit/lang/fixture.h"

static const char *
lit_name(int lit)
{
    static const char *const names[] = {
        "?", "int", "float", "imag", "rune", "string"};

    return names[lit];
}

/* All tokens of the text in words, separated by blanks. */
static char *
tokens(struct fixture *f, const char *text, size_t size)
{
    char *words = NULL;
    size_t n;
    FILE *out = open_memstream(&words, &n);
    struct scan s;

    assert_non_null(out);
    fixture_add(f, "x.go", text, size);
    scan_init(&s, f->file, &f->diag, &f->names, &f->arena);
    for (scan_next(&s); s.tok != TOK_EOF; scan_next(&s)) {
        switch (s.tok) {
        case TOK_NAME:
            fprintf(out, "%s ", s.name->text);
            break;
        case TOK_LITERAL:
            fprintf(out, "%s:%.*s ", lit_name(s.lit),
                (int)(s.p - s.text - s.off), s.text + s.off);
            break;
        case TOK_SEMI:
            fprintf(out, "<%s> ", s.semi);
            break;
        case TOK_ASSIGN_OP:
            fprintf(out, "%s= ", lang_tok_text(s.op));
            break;
        case TOK_INC_OP:
            fprintf(out, "%s%s ", lang_tok_text(s.op), lang_tok_text(s.op));
            break;
        default:
            fprintf(out, "%s ", lang_tok_text(s.tok));
        }
    }
    fclose(out);
    return words;
}

static void
expect(const char *text, const char *want)
{
    struct fixture f;
    char *got;

    fixture_begin(&f, 0);
    got = tokens(&f, text, strlen(text));
    assert_string_equal(got, want);
    free(got);
    got = fixture_messages(&f);
    assert_string_equal(got, "");
    free(got);
    fixture_end(&f);
}

static void
expect_error_n(const char *text, size_t size, const char *want)
{
    struct fixture f;
    char *got;

    fixture_begin(&f, 0);
    free(tokens(&f, text, size));
    got = fixture_messages(&f);
    assert_string_equal(got, want);
    free(got);
    fixture_end(&f);
}

static void
expect_error(const char *text, const char *want)
{
    expect_error_n(text, strlen(text), want);
}

static void
operators(void **state)
{
    (void)state;
    expect("+ - * / % & | ^ << >> &^", "+ - * / % & | ^ << >> &^ ");
    expect("+= -= *= /= %= &= |= ^= <<= >>= &^=",
        "+= -= *= /= %= &= |= ^= <<= >>= &^= ");
    expect("&& || <- == < > = ! ~", "&& || <- == < > = ! ~ ");
    expect("!= <= >= := ... ( [ { , ; . :",
        "!= <= >= := ... ( [ { comma <semicolon> . : ");
    expect("a++b--c", "a ++ b -- c <EOF> ");
    expect("a&^=b&^c&&^d", "a &^= b &^ c && ^ d <EOF> ");
    expect("a..b....c", "a . . b ... . c <EOF> ");
    expect("x<-y", "x <- y <EOF> ");
}

static void
semicolons(void **state)
{
    (void)state;
    expect("a\nb", "a <newline> b <EOF> ");
    expect("(\n{\n,\n+\n", "( { comma + ");
    expect(")\n]\n}\n++\n--\n",
        ") <newline> ] <newline> } <newline> ++ <newline> -- <newline> ");
    expect("break\ncontinue\nfallthrough\nreturn\n",
        "break <newline> continue <newline> fallthrough <newline> "
        "return <newline> ");
    expect("if\nfunc\ngoto\ntype\n", "if func goto type ");
    expect("1\n'a'\n\"s\"\n`r`\n",
        "int:1 <newline> rune:'a' <newline> string:\"s\" <newline> "
        "string:`r` <newline> ");
    expect("a // c\nb", "a <newline> b <EOF> ");
    expect("a /* c */ b", "a b <EOF> ");
    expect("a /* c\n */ b", "a <newline> b <EOF> ");
    expect("a /* c */", "a <EOF> ");
    expect("+ /* c\n */ b // x", "+ b <EOF> ");
    expect("a\r\n\tb\r\n", "a <newline> b <newline> ");
    expect("", "");
    expect("#!/usr/bin/vole run\na", "a <EOF> ");
    expect("\xef\xbb\xbf#!x\na", "a <EOF> ");
    expect("#!x", "");
}

static void
numbers(void **state)
{
    (void)state;
    expect("0 1 42 0600 0b101 0B1 0o17 0O7 0xBad 0XF 1_000 0x_f 0_7",
        "int:0 int:1 int:42 int:0600 int:0b101 int:0B1 int:0o17 int:0O7 "
        "int:0xBad int:0XF int:1_000 int:0x_f int:0_7 <EOF> ");
    expect("1. .5 1.5 1e9 1E+9 1e-9 0.e0 08.5 09e1 1_0.2_5",
        "float:1. float:.5 float:1.5 float:1e9 float:1E+9 float:1e-9 "
        "float:0.e0 float:08.5 float:09e1 float:1_0.2_5 <EOF> ");
    expect("0x1p-2 0x.8P1 0X1.8p+1 0x1_0p0",
        "float:0x1p-2 float:0x.8P1 float:0X1.8p+1 float:0x1_0p0 <EOF> ");
    expect("1i 0i 09i 0x1i 1.5i 1e3i 0b1i",
        "imag:1i imag:0i imag:09i imag:0x1i imag:1.5i imag:1e3i "
        "imag:0b1i <EOF> ");
    expect("1.x 0xfg", "float:1. x int:0xf g <EOF> ");
}

static void
bad_numbers(void **state)
{
    (void)state;
    expect_error("08", "x.go:1:2: invalid digit '8' in octal literal\n");
    expect_error("0128", "x.go:1:4: invalid digit '8' in octal literal\n");
    expect_error("0b12", "x.go:1:4: invalid digit '2' in binary literal\n");
    expect_error("0o19", "x.go:1:4: invalid digit '9' in octal literal\n");
    expect_error("0x", "x.go:1:3: hexadecimal literal has no digits\n");
    expect_error("0b", "x.go:1:3: binary literal has no digits\n");
    expect_error("0o", "x.go:1:3: octal literal has no digits\n");
    expect_error("1e", "x.go:1:3: exponent has no digits\n");
    expect_error("1e+", "x.go:1:4: exponent has no digits\n");
    expect_error(
        "0x1.8", "x.go:1:6: hexadecimal mantissa requires a 'p' exponent\n");
    expect_error(
        "1p2", "x.go:1:2: 'p' exponent requires hexadecimal mantissa\n");
    expect_error("0b1.0", "x.go:1:4: invalid radix point in binary literal\n");
    expect_error("0b1e3", "x.go:1:4: 'e' exponent requires decimal mantissa\n");
    expect_error("1__0", "x.go:1:3: '_' must separate successive digits\n");
    expect_error("1_", "x.go:1:2: '_' must separate successive digits\n");
    expect_error("0_.5", "x.go:1:2: '_' must separate successive digits\n");
    expect_error("0x1_p1", "x.go:1:4: '_' must separate successive digits\n");
}

static void
strings(void **state)
{
    (void)state;
    expect("'a' 'é' '\\n' '\\'' '\\\\' '\\x41' '\\101' '\\u1234' "
           "'\\U0010ffff'",
        "rune:'a' rune:'é' rune:'\\n' rune:'\\'' rune:'\\\\' rune:'\\x41' "
        "rune:'\\101' rune:'\\u1234' rune:'\\U0010ffff' <EOF> ");
    expect("\"\" \"a\\\"b\" \"\\377\\xff\" `a\\\n\"b`",
        "string:\"\" string:\"a\\\"b\" string:\"\\377\\xff\" "
        "string:`a\\\n\"b` <EOF> ");
}

static void
bad_strings(void **state)
{
    (void)state;
    expect_error("\"abc", "x.go:1:1: string not terminated\n");
    expect_error("\"abc\\", "x.go:1:1: string not terminated\n");
    expect_error("\"abc\nx", "x.go:1:5: newline in string\n");
    expect_error("`abc\n", "x.go:1:1: string not terminated\n");
    expect_error("'", "x.go:1:1: rune literal not terminated\n");
    expect_error("'a", "x.go:1:1: rune literal not terminated\n");
    expect_error("'a\n", "x.go:1:3: newline in rune literal\n");
    expect_error("''", "x.go:1:2: empty rune literal or unescaped '\n");
    expect_error("'ab'", "x.go:1:1: more than one character in rune literal\n");
    expect_error("\"\\z\"", "x.go:1:3: unknown escape\n");
    expect_error("'\\\"'", "x.go:1:3: unknown escape\n");
    expect_error("\"\\'\"", "x.go:1:3: unknown escape\n");
    expect_error(
        "\"\\xg0\"", "x.go:1:4: invalid character 'g' in hexadecimal escape\n");
    expect_error(
        "\"\\08\"", "x.go:1:4: invalid character '8' in octal escape\n");
    expect_error("'\\400'", "x.go:1:6: octal escape value 256 > 255\n");
    expect_error("\"\\ud800\"", "x.go:1:8: escape is invalid Unicode code "
                                "point U+D800\n");
    expect_error("\"\\U00110000\"", "x.go:1:12: escape is invalid Unicode "
                                    "code point U+110000\n");
    expect_error("/* a\n", "x.go:1:1: comment not terminated\n");
    expect_error("a /*/", "x.go:1:3: comment not terminated\n");
}

static void
letters(void **state)
{
    struct fixture f;

    (void)state;
    expect("a _ _1 été 日本 x٣", "a _ _1 été 日本 x٣ <EOF> ");
    expect_error(
        "٣x", "x.go:1:1: identifier cannot begin with digit U+0663 '٣'\n");
    expect_error(
        "x Ⅷ", "x.go:1:3: invalid character U+2167 'Ⅷ' in identifier\n");
    expect_error("“a”",
        "x.go:1:1: invalid character U+201C '“' in identifier\n"
        "x.go:1:5: invalid character U+201D '”' in identifier\n");
    expect_error("@", "x.go:1:1: invalid character U+0040 '@'\n");
    expect_error("a # ?", "x.go:1:3: invalid character U+0023 '#'\n"
                          "x.go:1:5: invalid character U+003F '?'\n");
    fixture_begin(&f, 0);
    assert_int_equal(lang_name_str(&f.names, "Été")->exported, 1);
    assert_int_equal(lang_name_str(&f.names, "Xy")->exported, 1);
    assert_int_equal(lang_name_str(&f.names, "xY")->exported, 0);
    assert_int_equal(lang_name_str(&f.names, "Ωx")->exported, 1);
    assert_int_equal(lang_name_str(&f.names, "日")->exported, 0);
    assert_ptr_equal(
        lang_name_str(&f.names, "abc"), lang_name_get(&f.names, "abcd", 3));
    fixture_end(&f);
}

static void
encoding(void **state)
{
    (void)state;
    expect_error_n("a\0b", 3, "x.go:1:2: invalid NUL character\n");
    expect_error_n("\"a\0b\"", 5, "x.go:1:3: invalid NUL character\n");
    expect_error_n("`a\0b`", 5, "x.go:1:3: invalid NUL character\n");
    expect_error_n("// a\0b\n", 7, "x.go:1:5: invalid NUL character\n");
    expect_error("a\xff", "x.go:1:2: invalid UTF-8 encoding\n");
    expect_error("\"\xc0\x80\"", "x.go:1:2: invalid UTF-8 encoding\n");
    expect_error("// \xed\xa0\x80\n", "x.go:1:4: invalid UTF-8 encoding\n");
    expect_error("/* \xf5 */", "x.go:1:4: invalid UTF-8 encoding\n");
    expect_error("a \xef\xbb\xbf b",
        "x.go:1:3: invalid BOM in the middle of the file\n");
    expect_error("\xe2\x82", "x.go:1:1: invalid UTF-8 encoding\n");
}

static void
skipping(void **state)
{
    static const struct {
        const char *text;
        uint32_t want;
    } table[] = {
        {"{}", 1},
        {"{ a { } }", 8},
        {"{ '}' '\\'' '{' \"}\\\"}\" `}\\` }", 27},
        {"{ /* } */ // }\n a / b }", 22},
        {"{ a /* } */ / // {\n }", 20},
        {"{", 0},
        {"{ { }", 0},
        {"{ '", 0},
        {"{ \"\n\" }", 0},
        {"{ ` }", 0},
        {"{ /* }", 0},
        {"{ /*/ }", 0},
    };

    size_t i;

    (void)state;
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct fixture f;
        struct scan s;

        fixture_begin(&f, 0);
        fixture_add(&f, "x.go", table[i].text, strlen(table[i].text));
        scan_init(&s, f.file, &f.diag, &f.names, &f.arena);
        scan_next(&s);
        assert_int_equal(s.tok, TOK_LBRACE);
        assert_int_equal(scan_skip_block(&s), table[i].want);
        assert_int_equal(s.tok, table[i].want != 0 ? TOK_RBRACE : TOK_LBRACE);
        fixture_end(&f);
    }
}

/* Long blocks in which nothing is called or received. */
static void
skipping_plain(void **state)
{
    static const struct {
        const char *inside;
        bool want;
    } table[] = {
        {"1, 2", true},
        {"{a: 'x'}, `(`, \"<-\" /* ( */, 1 << 2, x[-1], struct{}{}", true},
        {"f(1)", false},
        {"(1)", false},
        {"{<-c}", false},
        {"//line z.go:50\n", false},
        {"'", false},
    };
    char text[400];
    size_t i;

    (void)state;
    for (i = 0; i < 2 * sizeof table / sizeof table[0]; i++) {
        const char *inside = table[i / 2].inside;
        int fill = i % 2 == 0 ? SCAN_LONG : 0;
        bool want = table[i / 2].want && fill != 0;
        struct fixture f;
        struct scan s;

        snprintf(text, sizeof text, "{%s%*s}", inside, fill, "");
        fixture_begin(&f, 0);
        fixture_add(&f, "x.go", text, strlen(text));
        scan_init(&s, f.file, &f.diag, &f.names, &f.arena);
        scan_next(&s);
        assert_int_equal(
            scan_skip_plain(&s), want ? strlen(text) - 1 : 0);
        assert_int_equal(s.tok, want ? TOK_RBRACE : TOK_LBRACE);
        fixture_end(&f);
    }
}

static void
unquote(void **state)
{
    static const struct {
        const char *lit;
        const char *want;
    } table[] = {
        {"\"\"", ""},
        {"\"a\\tb\\n\\\"\\\\\"", "a\tb\n\"\\"},
        {"\"\\x41\\102\\u00e9\\U0001F600\"", "AB\xc3\xa9\xf0\x9f\x98\x80"},
        {"\"\\a\\b\\f\\r\\v\"", "\a\b\f\r\v"},
        {"`a\\n\r\nb`", "a\\n\nb"},
    };

    size_t i;

    (void)state;
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        char out[64];
        size_t n = scan_unquote(table[i].lit, strlen(table[i].lit), out);

        assert_string_equal(out, table[i].want);
        assert_int_equal(n, strlen(table[i].want));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators),
        cmocka_unit_test(semicolons),
        cmocka_unit_test(numbers),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(strings),
        cmocka_unit_test(bad_strings),
        cmocka_unit_test(letters),
        cmocka_unit_test(encoding),
        cmocka_unit_test(skipping),
        cmocka_unit_test(skipping_plain),
        cmocka_unit_test(unquote),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
