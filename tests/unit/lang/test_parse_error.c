/* SPDX-License-Identifier: MIT */
/* Syntax errors: the wording, the place and the recovery of Go 1.26's
 * compiler, at most one syntax error per line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lang/check.h"
#include "tests/unit/lang/fixture.h"

/* Each message is `line:col: text`. */
static const struct {
    const char *text;
    const char *want;
} table[] = {
    {"",
        "1:1: syntax error: package statement must be first\n"},
    {"x",
        "1:1: syntax error: package statement must be first\n"},
    {"package",
        "1:8: syntax error: unexpected EOF, expected name\n"},
    {"package \"x\"",
        "1:9: syntax error: unexpected literal \"x\", expected name\n"},
    {"package p; var x = 1 +",
        "1:23: syntax error: unexpected EOF, expected expression\n"},
    {"package p; x := 1",
        "1:12: syntax error: non-declaration statement outside function body"
        "\n"},
    {"package p\n{",
        "2:1: syntax error: non-declaration statement outside function body"
        "\n"},
    {"package p\nfunc f()\n{\n}",
        "3:1: syntax error: unexpected semicolon or newline before {\n"},
    {"package p; import x",
        "1:20: syntax error: missing import path\n"},
    {"package p; import 42",
        "1:19: syntax error: import path must be a string\n"},
    {"package p; import (\"a\", \"b\")",
        "1:23: syntax error: unexpected comma in grouped declaration; possib"
        "ly missing semicolon or newline or )\n"},
    {"package p; var x int; import \"a\"",
        "1:23: syntax error: imports must appear before other declarations\n"},
    {"package p; func",
        "1:16: syntax error: unexpected EOF, expected name or (\n"},
    {"package p; func (",
        "1:18: syntax error: unexpected EOF, expected )\n"
        "1:18: method has no receiver\n"},
    {"package p; func () f()",
        "1:20: method has no receiver\n"},
    {"package p; func (a, b T) f()",
        "1:26: method has multiple receivers\n"},
    {"package p; func (a T) f[P any]()",
        "1:24: syntax error: method must have no type parameters\n"},
    {"package p; func f[]()",
        "1:19: syntax error: empty type parameter list\n"},
    {"package p; func f(a int; b int)",
        "1:24: syntax error: unexpected semicolon in parameter list; possibl"
        "y missing comma or )\n"},
    {"package p; func f(a, b)  (c, d int, e)",
        "1:38: syntax error: missing parameter type\n"},
    {"package p; func f(a int, b)",
        "1:27: syntax error: missing parameter type\n"},
    {"package p; func f(a int, []b)",
        "1:26: syntax error: missing parameter name\n"},
    {"package p; func f(a ...int, b int)",
        "1:21: can only use ... with final parameter\n"},
    {"package p; func f(a ...)",
        "1:24: syntax error: ... is missing type\n"},
    {"package p; func f() (...int)",
        "1:22: invalid use of ...\n"},
    {"package p; type T",
        "1:18: syntax error: unexpected EOF in type declaration\n"},
    {"package p; type T[P, Q] int",
        "1:23: syntax error: missing type constraint\n"},
    {"package p; type T[P any, Q] int",
        "1:27: syntax error: missing type constraint\n"},
    {"package p; type T[P int, *Q] int",
        "1:26: syntax error: missing type parameter name\n"},
    {"package p; type T struct { a, b }",
        "1:33: syntax error: unexpected }, expected type\n"},
    {"package p; type T struct { (X) }",
        "1:28: syntax error: cannot parenthesize embedded type\n"},
    {"package p; type T struct { *(X) }",
        "1:29: syntax error: cannot parenthesize embedded type\n"},
    {"package p; type T struct { 1 }",
        "1:28: syntax error: unexpected literal 1, expected field name or em"
        "bedded type\n"},
    {"package p; type T struct { a int, b int }",
        "1:33: syntax error: unexpected comma in struct type; possibly missi"
        "ng semicolon or newline or }\n"},
    {"package p; type T interface { m[P any](); m2[](); m3[] }",
        "1:32: interface method must have no type parameters\n"
        "1:46: empty type parameter list\n"
        "1:54: empty type argument list\n"},
    {"package p; type T interface { 1 }",
        "1:31: syntax error: unexpected literal 1, expected ~ term or type\n"},
    {"package p; type T interface { m(), n() }",
        "1:34: syntax error: unexpected comma in interface type; possibly mi"
        "ssing semicolon or newline or }\n"},
    {"package p; type T []",
        "1:21: syntax error: unexpected EOF, expected type\n"},
    {"package p; type T map[int",
        "1:26: syntax error: unexpected EOF, expected ]\n"},
    {"package p; type T chan",
        "1:23: syntax error: missing channel element type\n"},
    {"package p; type T <-int",
        "1:21: syntax error: unexpected name int, expected keyword chan\n"},
    {"package p; type T a[]",
        "1:21: syntax error: unexpected ], expected type argument list\n"},
    {"package p; var x [1,2]int",
        "1:20: syntax error: unexpected comma; expected ]\n"},
    {"package p; var x = <-chan<- int(nil)",
        ""},
    {"package p; var x = (a",
        "1:22: syntax error: unexpected EOF, expected )\n"},
    {"package p; var x = f(a b)",
        "1:24: syntax error: unexpected name b in argument list; possibly mi"
        "ssing comma or )\n"},
    {"package p; var x = f(a,\n b\n)",
        "2:3: syntax error: unexpected newline in argument list; possibly mi"
        "ssing comma or )\n"},
    {"package p; var x = []int{1,\n 2\n}",
        "2:3: syntax error: unexpected newline in composite literal; possibl"
        "y missing comma or }\n"},
    {"package p; var x = []int{1 2}",
        "1:28: syntax error: unexpected literal 2 in composite literal; poss"
        "ibly missing comma or }\n"},
    {"package p; var x = a[]",
        "1:22: syntax error: unexpected ], expected operand\n"},
    {"package p; var x = a[1",
        "1:23: syntax error: unexpected EOF, expected comma, : or ]\n"},
    {"package p; var x = a[1:2:]",
        "1:26: final index required in 3-index slice\n"},
    {"package p; var x = a[1::2]",
        "1:24: middle index required in 3-index slice\n"},
    {"package p; var x = a.1",
        "1:21: syntax error: unexpected literal .1 after top level declarati"
        "on\n"},
    {"package p; var x = a.",
        "1:22: syntax error: unexpected EOF, expected name or (\n"},
    {"package p; var x = (T){}",
        "1:23: syntax error: cannot parenthesize type in composite literal\n"},
    {"package p; var x, y := 1",
        "1:21: syntax error: unexpected :=, expected =\n"},
    {"package p; const x := 1",
        "1:20: syntax error: unexpected :=, expected =\n"},
    {"package p; const x int 1",
        "1:24: syntax error: unexpected literal 1 after top level declaratio"
        "n\n"},
    {"package p; func f() { 1 2 }",
        "1:25: syntax error: unexpected literal 2 at end of statement\n"},
    {"package p; func f() { a b }",
        "1:25: syntax error: unexpected name b at end of statement\n"},
    {"package p; func f() { a, b += 1 }",
        "1:28: syntax error: unexpected +=, expected := or = or comma\n"},
    {"package p; func f() { a, b }",
        "1:28: syntax error: unexpected }, expected := or = or comma\n"},
    {"package p; func f() { if { } }",
        "1:26: syntax error: missing condition in if statement\n"},
    {"package p; func f() { if x := 1; { } }",
        "1:32: syntax error: missing condition in if statement\n"},
    {"package p; func f() { if x := 1 { } }",
        "1:28: syntax error: cannot use x := 1 as value\n"},
    {"package p; func f() { if x = 1 { } }",
        "1:28: syntax error: cannot use assignment x = 1 as value\n"},
    {"package p; func f() { if a + b = c || d { } }",
        "1:32: syntax error: cannot use assignment (a + b) = (c || d) as val"
        "ue\n"},
    {"package p; func f() { if x++ { } }",
        "1:27: syntax error: cannot use x++ as value\n"},
    {"package p; func f() { if c <- 1 { } }",
        "1:28: syntax error: cannot use c <- 1 as value\n"},
    {"package p; func f() { if x\n{ } }",
        "1:27: syntax error: unexpected newline, expected { after if clause"
        "\n"},
    {"package p; func f() { if x { } else y }",
        "1:37: syntax error: else must be followed by if or statement block"
        "\n"},
    {"package p; func f() { if x { }\nelse { } }",
        "2:1: syntax error: unexpected keyword else, expected }\n"},
    {"package p; func f() { if var x = 1; x { } }",
        "1:30: syntax error: var declaration not allowed in if initializer\n"},
    {"package p; func f() { if T{} == x { } }",
        "1:30: syntax error: unexpected == at end of statement\n"},
    {"package p; func f() { if x return }",
        "1:28: syntax error: unexpected keyword return, expected {\n"},
    {"package p; func f() { for x := 0; x < 10 { } }",
        "1:42: syntax error: unexpected {, expected semicolon or newline\n"},
    {"package p; func f() { for x := 0; x < 10; x := 2 { } }",
        "1:45: syntax error: cannot declare in post statement of for loop\n"},
    {"package p; func f() { for i := 0; i < 10\n{ } }",
        ""},
    {"package p; func f() { for var i = range 10 { } }",
        "1:31: syntax error: var declaration not allowed in for initializer"
        "\n"},
    {"package p; func f() { for x = 1 { } }",
        "1:29: syntax error: cannot use assignment x = 1 as value\n"},
    {"package p; func f() { for ; { } }",
        "1:29: syntax error: unexpected {, expected for loop condition\n"},
    {"package p; func f() { for i, j := range x, y { } }",
        "1:42: syntax error: unexpected comma, expected { after for clause\n"},
    {"package p; func f() { switch x\n{ } }",
        ""},
    {"package p; func f() { switch x { y } }",
        "1:34: syntax error: unexpected name y, expected case or default or "
        "}\n"},
    {"package p; func f() { switch x { case 1 } }",
        "1:41: syntax error: unexpected }, expected :\n"},
    {"package p; func f() { switch x { case 1: default } }",
        "1:50: syntax error: unexpected }, expected :\n"},
    {"package p; func f() { switch x; y := z.(type); { } }",
        "1:46: syntax error: missing { after switch clause\n"},
    {"package p; func f() { select x { } }",
        "1:30: syntax error: missing { after select clause\n"},
    {"package p; func f() { select { x } }",
        "1:32: syntax error: unexpected name x, expected case or default or "
        "}\n"},
    {"package p; func f() { L: }",
        "1:23: label L defined and not used\n"},
    {"package p; func f() { switch { case a: L: case b: } }",
        "1:41: syntax error: missing statement after label\n"},
    {"package p; func f() { L: var }",
        "1:30: syntax error: unexpected }, expected name\n"},
    {"package p; func f() { goto 1 }",
        "1:28: syntax error: unexpected literal 1, expected name\n"},
    {"package p; func f() { go (f()) }",
        "1:26: expression in go must not be parenthesized\n"},
    {"package p; func f() { defer ((f)) }",
        "1:29: expression in defer must not be parenthesized\n"},
    {"package p; func f() { go }",
        "1:26: syntax error: unexpected }, expected expression\n"},
    {"package p; func f() { return 1, }",
        "1:33: syntax error: unexpected }, expected expression\n"},
    {"package p; func f() { break 1 }",
        "1:29: syntax error: unexpected literal 1 at end of statement\n"},
    {"package p; func f() { func g() {} }",
        "1:28: syntax error: unexpected name g, expected (\n"},
    {"package p; func f() { var x = func() { } } }",
        "1:44: syntax error: unexpected } after top level declaration\n"},
    {"package p; func f() { x := }",
        "1:28: syntax error: unexpected }, expected expression\n"},
    {"package p; func f() { x = y z; a b\n c d }",
        "1:29: syntax error: unexpected name z at end of statement\n"
        "2:4: syntax error: unexpected name d at end of statement\n"},
    {"package p; func f() { a := b := c }",
        "1:30: syntax error: unexpected := at end of statement\n"},
    {"package p; func f() { a[ }",
        "1:26: syntax error: unexpected }, expected expression\n"},
    {"package p; func f() { case 1: }",
        "1:23: syntax error: unexpected keyword case, expected }\n"},
    {"package p; func f() { else }",
        "1:23: syntax error: unexpected keyword else, expected }\n"},
    {"package p; func f() { ~x }",
        "1:23: syntax error: unexpected ~, expected }\n"},
    {"package p; func f() {",
        "1:22: syntax error: unexpected EOF, expected }\n"},
    {"package p; func f() { if x {",
        "1:29: syntax error: unexpected EOF, expected }\n"},
    {"package p; func f() int {\n\\\treturn 1\n\n",
        "2:1: invalid character U+005C '\\'\n"},
    {"package p; func f() { \"abc\n }",
        "1:27: newline in string\n"},
    {"package p; func f() { x = 'ab' 'c }",
        "1:27: more than one character in rune literal\n"
        "1:32: rune literal not terminated\n"
        "1:32: syntax error: unexpected literal 'c } at end of statement\n"},
    {"package p; var x = 08 + 1e + 0x + 1_",
        "1:21: invalid digit '8' in octal literal\n"
        "1:27: exponent has no digits\n"
        "1:32: hexadecimal literal has no digits\n"
        "1:36: '_' must separate successive digits\n"},
    {"package p; func f() { x @ y }",
        "1:25: invalid character U+0040 '@'\n"
        "1:27: syntax error: unexpected name y at end of statement\n"},
    {"package p; func f() { while x { } }",
        "1:29: syntax error: unexpected name x at end of statement\n"},
    {"package p; func f() { x \? y : z }",
        "1:25: invalid character U+003F '\?'\n"
        "1:27: syntax error: unexpected name y at end of statement\n"},
    {"package p; func f() { int x; }",
        "1:27: syntax error: unexpected name x at end of statement\n"},
    {"package p; func f() { f(x...\n) }",
        ""},
    {"package p; func f() { f(x..., y) }",
        "1:31: syntax error: unexpected name y, expected )\n"},
    {"package p; func f() { x = T{a: 1, b: } }",
        "1:38: syntax error: unexpected }, expected expression\n"},
    {"package p; func f() { x.(type) y }",
        "1:32: syntax error: unexpected name y at end of statement\n"},
    {"package p; func f() { import \"a\" }",
        "1:23: syntax error: unexpected keyword import, expected }\n"},
    {"package p; func f() { range x }",
        "1:23: syntax error: unexpected keyword range, expected }\n"},
    {"package p; var a = b\nvar\nfunc g() { ) }\nfunc h() { 1 + }\n] type",
        "3:1: syntax error: unexpected keyword func, expected name\n"
        "4:16: syntax error: unexpected }, expected expression\n"
        "5:1: syntax error: non-declaration statement outside function body"
        "\n"},
    {"package p; var x struct{a int \"t\" \"u\"}",
        "1:35: syntax error: unexpected literal \"u\" in struct type; possib"
        "ly missing semicolon or newline or }\n"},
    {"package p; type A = = int",
        "1:21: syntax error: unexpected = in type declaration\n"},
    {"package p; func f(x [...]int)",
        "1:22: syntax error: unexpected ..., expected expression\n"},
    {"package p; type T[P *Q, ] int",
        ""},
    {"package p; type T[P *Q] int",
        ""},
    {"package p; type T[P [3]Q] int",
        ""},
    {"package p; type T[P (Q)] int; type T[P interface{}] int; type T[P Q|R]"
     " int",
        ""},
    {"package p; type T[P.Q R] int",
        "1:23: syntax error: unexpected name R, expected ]\n"},
    {"package p; func f(a int ,, b int)",
        "1:26: syntax error: unexpected comma, expected )\n"},
    {"package p; func f(,)",
        "1:19: syntax error: unexpected comma, expected )\n"},
    {"package p; func f() { f(,) }",
        "1:25: syntax error: unexpected comma, expected expression\n"},
    {"package p; func f() { x = []int{,} }",
        "1:33: syntax error: unexpected comma, expected expression\n"},
    {"package p; var x = T{}[a]{}",
        "1:26: syntax error: unexpected { after top level declaration\n"},
    {"package p; var x = f()[a]{}; var y = T[1]{}",
        "1:26: syntax error: unexpected { after top level declaration\n"},
    {"package p; func f() { for x := range T { } {} {} }",
        "1:44: syntax error: unexpected { at end of statement\n"},
    {"package p; func f() { if x == T{a} { } }",
        "1:36: syntax error: unexpected { at end of statement\n"},
};

/* The messages without the file name in front. */
static char *
short_messages(struct fixture *f)
{
    char *text = NULL;
    size_t size;
    uint32_t i;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    lang_diag_sort(&f->diag);
    for (i = 0; i < f->diag.nmsg; i++) {
        struct lang_place at = lang_pos_place(&f->src, f->diag.msg[i].pos);

        fprintf(out, "%u:%u: %s\n", at.line, at.col, f->diag.msg[i].text);
    }
    fclose(out);
    return text;
}

static void
wording(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct fixture f;
        char *got;

        fixture_begin(&f, 0);
        fixture_parse(&f, table[i].text, 0);
        got = short_messages(&f);
        if (strcmp(got, table[i].want) != 0)
            print_error("text: %s\n", table[i].text);
        assert_string_equal(got, table[i].want);
        free(got);
        fixture_end(&f);
    }
}

static void
limit_of_ten(void **state)
{
    char *text = fixture_repeat("package p\nfunc f() {\n", "a b\n", 1000000,
        "}\n");
    struct fixture f;
    char *got;

    (void)state;
    fixture_begin(&f, LANG_DIAG_LIMIT);
    fixture_parse(&f, text, 0);
    assert_int_equal(f.diag.nmsg, 10);
    got = fixture_messages(&f);
    assert_non_null(strstr(got, "x.go:12:3: syntax error: unexpected name b "
                                "at end of statement\n"
                                "x.go:12:3: too many errors\n"));
    free(got);
    fixture_end(&f);
    free(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wording),
        cmocka_unit_test(limit_of_ten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
