/* SPDX-License-Identifier: MIT */
/* Input that is deep, long, cut off or random: a tree or a message, in linear
 * time and a bounded C stack; and parsing with too little memory. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lang/check.h"
#include "tests/unit/lang/fixture.h"

enum {
    MANY = 100000,
    STACK = 4 << 20 /* half of what a program has */
};

/* The stack use of instrumented code says nothing. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#        define SANITIZED 1
#    endif
#endif
#ifndef SANITIZED
#    define SANITIZED 0
#endif

struct job {
    char *text;
    char *messages;
};

static void *
parse_job(void *arg)
{
    struct job *job = arg;
    struct fixture f;

    fixture_begin(&f, LANG_DIAG_LIMIT);
    fixture_parse(&f, job->text, 0);
    job->messages = fixture_messages(&f);
    fixture_end(&f);
    return NULL;
}

/* Parses text, which is freed, on a small stack; the messages. */
static char *
parse_small(char *text)
{
    struct job job = {text, NULL};
    pthread_attr_t attr;
    pthread_t thread;

    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, SANITIZED ? 8 * STACK : STACK);
    assert_int_equal(pthread_create(&thread, &attr, parse_job, &job), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    free(text);
    return job.messages;
}

static void
nested(void **state)
{
    static const struct {
        const char *head;
        const char *open;
        const char *middle;
        const char *close;
    } table[] = {
        {"var x = ", "(", "1", ")"},
        {"var x = ", "a[", "1", "]"},
        {"var x = ", "f(", "1", ")"},
        {"var x = ", "(1+", "1", ")"},
        {"var x = ", "- ", "1", ""},
        {"var x = ", "!", "1", ""},
        {"var x = ", "*", "a", ""},
        {"var x = ", "& ", "a", ""},
        {"var x = ", "<-", "a", ""},
        {"var x = ", "[]T{", "", "}"},
        {"var x = T", "{", "", "}"},
        {"var x = ", "T{a: ", "1", "}"},
        {"var x = ", "func() { f(", "1", ") }"},
        {"var x = ", "f(a||b&&c==d+e*", "1", ")"},
        {"var x = ", "a.b.c[0](1).d(", "1", ")"},
        {"var x = a", "", "", ".b"},
        {"var x = a", "", "", "()"},
        {"var x = a", "", "", "[0]"},
        {"var x = a", "", "", ".(T)"},
        {"var x ", "*", "a", ""},
        {"var x ", "[]", "a", ""},
        {"var x ", "[1]", "a", ""},
        {"var x ", "[", "a", "]int"},
        {"var x ", "map[a]", "a", ""},
        {"var x ", "map[", "a", "]int"},
        {"var x ", "chan ", "a", ""},
        {"var x ", "<-chan ", "a", ""},
        {"var x ", "func(", "", ")"},
        {"var x ", "func() ", "", ""},
        {"var x ", "struct { a ", "int", "}"},
        {"var x ", "interface { m(a ", "int", ") }"},
        {"var x ", "a[", "int", "]"},
        {"func f() {", "{", "", "}"},
        {"func f() {", "if a {", "", "}"},
        {"func f() {", "for {", "", "}"},
        {"func f() {", "switch { default: ", "", "}"},
        {"func f() {", "select { default: ", "", "}"},
        {"func f() {", "L: ", "", ""},
    };

    size_t i;

    (void)state;
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *open = fixture_repeat("", table[i].open, MANY, "");
        char *close = fixture_repeat("", table[i].close, MANY, "\n");
        char *text, *got;

        assert_true(asprintf(&text, "package p\n%s%s%s%s", table[i].head, open,
                        table[i].middle, close) > 0);
        got = parse_small(text);
        if (strstr(got, "exceeded max nesting depth") == NULL)
            print_error("%s%s: %s\n", table[i].head, table[i].open, got);
        assert_non_null(strstr(got, "exceeded max nesting depth"));
        assert_null(strchr(strchr(got, '\n') + 1, '\n'));
        free(got);
        /* The same, never closed. */
        if (table[i].open[0] != '\0') {
            assert_true(
                asprintf(&text, "package p\n%s%s", table[i].head, open) > 0);
            got = parse_small(text);
            assert_true(got[0] != '\0');
            free(got);
        }
        free(open);
        free(close);
    }
}

/* Shapes that may be as long as the file. */
static void
long_shapes(void **state)
{
    static const struct {
        const char *head;
        const char *unit;
        const char *tail;
    } table[] = {
        {"package p; var x = ", "a + ", "a"},
        {"package p; var x = ", "a + b * c || ", "a"},
        {"package p; var x = ", "\"s\" +\n", "\"t\""},
        {"package p; type T interface { ", "int | ", "int }"},
        {"package p; type T[P ", "*int | ", "int,] int"},
        {"package p; func f() { ", "if a { } else ", "{ } }"},
        {"package p; func f() { ", "x = 1; ", "}"},
        {"package p; func f() { switch { ", "case a: ", "} }"},
        {"package p; var x = []int{", "1,", "}"},
        {"package p; var x = f(", "1,", "1)"},
        {"package p; var x, ", "y, ", "z int"},
        {"package p; func f(", "a, ", "b int)"},
        {"package p; type T struct { ", "a int; ", "}"},
        {"package p; ", "var x int; ", "var y int"},
    };

    size_t i;

    (void)state;
    for (i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *got = parse_small(
            fixture_repeat(table[i].head, table[i].unit, MANY, table[i].tail));

        assert_string_equal(got, "");
        free(got);
    }
}

static void
just_below(void **state)
{
    char *open =
        fixture_repeat("package p; var x = ", "(", PARSE_SHALLOW - 1, "1");
    char *text = fixture_repeat(open, ")", PARSE_SHALLOW - 1, "\n");
    char *got = parse_small(text);

    (void)state;
    assert_string_equal(got, "");
    free(got);
    free(open);
}

/* Every prefix of a text with everything in it is parsed without harm. */
static void
cut_off(void **state)
{
    static const char text[] =
        "package p\nimport (a \"b\")\nconst (c = 1i; d)\n"
        "type T[P *Q | ~R, S any] struct { a, b [n]int `t`; *X; G[int] }\n"
        "type I interface { m(x int) (y, z T); ~int | string; K[int] }\n"
        "/* c */ func (t *T[P, Q]) f(a int, c ...string) (<-chan int) {\n"
        "L:\tfor i, v := range x[1:2:3] { continue L; if x := f(a...);"
        " x { } else if y == (T{1}) { goto L } else { } }\n"
        "\tswitch x := y.(type) { case int, nil: fallthrough; default: }\n"
        "\tselect { case v, ok := <-c: case d <- 'x': default: }\n"
        "\tgo func() { x.y[1].(T) <- `r` + \"\\u1234\" - 0x1p-2 }()\n"
        "\tvar q = []struct{a int}{{1}, {a: 2}}; x++; x &^= 1\n"
        "\treturn 1, map[a]b{c: {d: e}} // end\n}\n";
    size_t n;

    (void)state;
    for (n = 0; n < sizeof text; n++) {
        struct fixture f;
        struct ast_file *file;

        fixture_begin(&f, LANG_DIAG_LIMIT);
        fixture_add(&f, "x.go", text, n);
        assert_int_equal(
            parse_file(&f.ctx, f.file, n & 1 ? PARSE_LAZY_BODIES : 0, &file),
            RT_OK);
        if (n == sizeof text - 1)
            assert_false(lang_diag_any(&f.diag));
        fixture_end(&f);
    }
}

static void
random_bytes(void **state)
{
    static const char *const words[] = {"package p\n", "func ", "f", "(", ")",
        "{", "}", "[", "]", "if ", "for ", "x", "1", "\"s\"", "'c'", ";", ",",
        ":=", "=", "<-", "type ", "struct ", "interface ", "*", "|", "~", ".",
        "...", "\n", "case ", "switch ", "go ", ":", "range ", "\0", "\xff",
        "`", "/*", "\\", "map", "chan ", "select ", "+"};
    uint32_t seed = 12345, round, i;

    (void)state;
    for (round = 0; round < 2000; round++) {
        struct fixture f;
        struct ast_file *file;
        char text[2048] = "package p\n";
        size_t n = strlen(text);

        for (i = 0; i < 200; i++) {
            const char *w;

            seed = seed * 1664525 + 1013904223;
            w = words[(seed >> 8) % (sizeof words / sizeof words[0])];
            memcpy(text + n, w, strlen(w) + 1);
            n += *w == '\0' ? 1 : strlen(w);
        }
        fixture_begin(&f, round & 1 ? LANG_DIAG_LIMIT : 0);
        fixture_add(&f, "x.go", text, n);
        assert_int_equal(parse_file(&f.ctx, f.file,
                             round & 2 ? PARSE_LAZY_BODIES : 0, &file),
            RT_OK);
        assert_true(lang_diag_any(&f.diag));
        fixture_end(&f);
    }
}

/* Whatever the amount of memory, the answer is a tree or RT_ENOMEM. */
static void
little_memory(void **state)
{
    char *text = fixture_repeat("package p\n",
        "type T[P ~int | *Q,] struct { a []map[b]chan c; I }\n"
        "func f(a, b int, c ...T) (x int) {\n"
        "\tif x := f(a.b[1:2], func() { g() }); x == (T{1, a: 2}) {\n"
        "\t\tswitch y := x.(type) { case a, b: L: for i := range x { break L } }\n"
        "\t} else { select { case a, b = <-c: default: } }\n"
        "\tgo f(); return *x + -y, x.(T)\n}\n"
        "var x, y = <-chan int(a), interface{ m(); ~a | b }(b)\n",
        300, "");
    size_t limit;
    int failed = 0, done = 0;

    (void)state;
    for (limit = 0x12000; !done; limit += 0x12000) {
        struct fixture f;
        struct ast_file *file = NULL;
        enum rt_status r;

        fixture_begin(&f, LANG_DIAG_LIMIT);
        f.arena.limit = limit;
        fixture_add(&f, "x.go", text, strlen(text));
        r = parse_file(&f.ctx, f.file, 0, &file);
        assert_true(r == RT_OK || r == RT_ENOMEM);
        failed += r == RT_ENOMEM;
        done = r == RT_OK;
        assert_false(lang_diag_any(&f.diag));
        fixture_end(&f);
    }
    assert_true(failed > 2);
    free(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested),
        cmocka_unit_test(long_shapes),
        cmocka_unit_test(just_below),
        cmocka_unit_test(cut_off),
        cmocka_unit_test(random_bytes),
        cmocka_unit_test(little_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
