/* SPDX-License-Identifier: MIT */
/* The shape of the tree, as a dump in one line: (kind detail children). */
#include "runtime/lang/syntax/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lang/check.h"
#include "tests/unit/lang/fixture.h"

/* Turns an indented dump into nested parentheses without positions. */
static char *
one_line(const char *dump)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int open = 0, first = 1;

    assert_non_null(out);
    while (*dump != '\0') {
        size_t indent = strspn(dump, " "), len = strcspn(dump, "\n");
        const char *p = dump + indent;

        for (; open > (int)(indent / 2); open--)
            fputc(')', out);
        while (isdigit((unsigned char)*p) || *p == ':')
            p++;
        p += *p == ' ';
        fprintf(out, "%s(%.*s", first ? "" : " ", (int)(dump + len - p), p);
        first = 0;
        open++;
        dump += len + (dump[len] == '\n');
    }
    for (; open > 0; open--)
        fputc(')', out);
    fclose(out);
    return text;
}

static void
expect_clean(struct fixture *f, const char *text)
{
    char *got = fixture_messages(f);

    if (*got != '\0')
        print_error("text: %s\n", text);
    assert_string_equal(got, "");
    free(got);
}

struct row {
    const char *text;
    const char *want;
};

static void
compare(const struct row *row, const char *dump)
{
    char *got = one_line(dump);

    if (strcmp(got, row->want) != 0)
        print_error("text: %s\n", row->text);
    assert_string_equal(got, row->want);
    free(got);
}

/* Rows of expressions. */
static void
check_exprs(const struct row *rows, size_t n)
{
    size_t i, size;

    for (i = 0; i < n; i++) {
        struct fixture f;
        struct ast_expr *e;
        char *dump = NULL;
        FILE *out = open_memstream(&dump, &size);

        fixture_begin(&f, 0);
        fixture_add(&f, "x.go", rows[i].text, strlen(rows[i].text));
        assert_int_equal(parse_expr_text(&f.ctx, f.file, &e), RT_OK);
        expect_clean(&f, rows[i].text);
        ast_dump_expr(out, &f.src, e);
        fclose(out);
        compare(&rows[i], dump);
        free(dump);
        fixture_end(&f);
    }
}

/* Rows of declarations, or of statements inside a function. */
static void
check_decls(
    const struct row *rows, size_t n, const char *head, const char *tail)
{
    size_t i, k, size;

    for (i = 0; i < n; i++) {
        struct fixture f;
        struct ast_file *file;
        char *dump = NULL, *text = fixture_repeat(head, rows[i].text, 1, tail);
        FILE *out = open_memstream(&dump, &size);

        fixture_begin(&f, 0);
        file = fixture_parse(&f, text, 0);
        expect_clean(&f, text);
        for (k = 0; k < file->decls.n; k++)
            ast_dump_decl(out, &f.src, file->decls.at[k]);
        fclose(out);
        compare(&rows[i], dump);
        free(dump);
        free(text);
        fixture_end(&f);
    }
}

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static void
expressions(void **state)
{
    static const struct row rows[] = {
        {"a+b*c-d",
            "(binary (name a) (+) (binary (name b) (*) (name c)) (-) (name "
            "d))"},
        {"a||b&&c==d+e",
            "(binary (name a) (||) (binary (name b) (&&) (binary (name c) ("
            "==) (binary (name d) (+) (name e)))))"},
        {"-a*b", "(binary (unary - (name a)) (*) (name b))"},
        {"*p.x", "(star (selector x (name p)))"},
        {"&T{}", "(unary & (composite (name T)))"},
        {"!<-c", "(unary ! (unary <- (name c)))"},
        {"<-chan int(x)", "(unary <- (call (chan-type (name int)) (name x)))"},
        {"<-chan<- chan int(x)",
            "(unary <- (call (chan-type send (chan-type (name int))) (name "
            "x)))"},
        {"a.b.c", "(selector c (selector b (name a)))"},
        {"a[i]", "(index (name a) (name i))"},
        {"a[i, j]", "(index (name a) (name i) (name j))"},
        {"a[int]{}", "(composite (index (name a) (name int)))"},
        {"f[T](x)", "(call (index (name f) (name T)) (name x))"},
        {"a[1:]", "(slice (name a) (literal 1) (no-high))"},
        {"a[:2]", "(slice (name a) (no-low) (literal 2))"},
        {"a[1:2:3]", "(slice (name a) (literal 1) (literal 2) (literal 3))"},
        {"x.(T)", "(assert (name x) (name T))"},
        {"x.(*T).y", "(selector y (assert (name x) (star (name T))))"},
        {"f(a, b...)", "(call ... (name f) (name a) (name b))"},
        {"[]int{1, 2: 3}",
            "(composite (slice-type (name int)) (literal 1) (key-value (lit"
            "eral 2) (literal 3)))"},
        {"[...]T{{1}, {a: 2}, k: {}}",
            "(composite (array-type [...] (name T)) (composite (no-type) (l"
            "iteral 1)) (composite (no-type) (key-value (name a) (literal 2"
            "))) (key-value (name k) (composite (no-type))))"},
        {"map[string]T{\"a\": {}}",
            "(composite (map-type (name string) (name T)) (key-value (liter"
            "al \"a\") (composite (no-type))))"},
        {"struct{ a, b int; T; *U; p.V }{}",
            "(composite (struct-type (field a (name int)) (field b same-typ"
            "e) (field embedded (name T)) (field embedded (star (name U))) "
            "(field embedded (selector V (name p)))))"},
        {"func(a int) {}", "(func-literal (param a (name int)) (body))"},
        {"func(int, ...string) (x, y T)",
            "(func-type (param (name int)) (param (dots-type (name string))"
            ") (result x (name T)) (result y same-type))"},
        {"(a)(b)", "(call (paren (name a)) (name b))"},
        {"func() {}()", "(call (func-literal (body)))"},
        {"[3]*T{}", "(composite (array-type (literal 3) (star (name T))))"},
        {"interface{}(x)", "(call (interface-type) (name x))"},
        {"(<-chan int)(x)",
            "(call (paren (chan-type recv (name int))) (name x))"},
        {"1i", "(literal 1i)"},
        {"p.T{}", "(composite (selector T (name p)))"},
        {"p.G[int]{}", "(composite (index (selector G (name p)) (name int)))"},
    };

    (void)state;
    check_exprs(rows, COUNT(rows));
}

static void
declarations(void **state)
{
    static const struct row rows[] = {
        {"type T[P any] int",
            "(type-decl T (type-param P (name any)) (name int))"},
        {"type T[P *Q,] int",
            "(type-decl T (type-param P (star (name Q))) (name int))"},
        {"type T[P *Q] int",
            "(type-decl T (array-type (binary (name P) (*) (name Q)) (name "
            "int)))"},
        {"type T[P *[]Q] int",
            "(type-decl T (type-param P (star (slice-type (name Q)))) (name"
            " int))"},
        {"type T[P *Q | ~R,] int",
            "(type-decl T (type-param P (binary (star (name Q)) (|) (unary "
            "~ (name R)))) (name int))"},
        {"type T[P interface{}, Q ~int | string] int",
            "(type-decl T (type-param P (interface-type)) (type-param Q (bi"
            "nary (unary ~ (name int)) (|) (name string))) (name int))"},
        {"type T[N * 2]int",
            "(type-decl T (array-type (binary (name N) (*) (literal 2)) (na"
            "me int)))"},
        {"type T[N]int", "(type-decl T (array-type (name N) (name int)))"},
        {"type T []int", "(type-decl T (slice-type (name int)))"},
        {"type T = U[int]", "(type-decl T alias (index (name U) (name int)))"},
        {"type T[P any] = P",
            "(type-decl T alias (type-param P (name any)) (name P))"},
        {"type T struct { a [n]int; G[int]; b []T `tag` }",
            "(type-decl T (struct-type (field a (array-type (name n) (name "
            "int))) (field embedded (index (name G) (name int))) (field b ("
            "slice-type (name T)) (literal `tag`))))"},
        {"type I interface { m(); E; ~int | string; G[int]; p.Q }",
            "(type-decl I (interface-type (element m (func-type)) (element "
            "embedded (name E)) (element embedded (binary (unary ~ (name in"
            "t)) (|) (name string))) (element embedded (index (name G) (nam"
            "e int))) (element embedded (selector Q (name p)))))"},
        {"type F func(a, b int, c ...T) (x, y int)",
            "(type-decl F (func-type (param a (name int)) (param b same-typ"
            "e) (param c (dots-type (name T))) (result x (name int)) (resul"
            "t y same-type)))"},
        {"type F func(int, []T) p.T",
            "(type-decl F (func-type (param (name int)) (param (slice-type "
            "(name T))) (result (selector T (name p)))))"},
        {"type C chan<- <-chan int",
            "(type-decl C (chan-type send (chan-type recv (name int))))"},
        {"func f[P any, Q interface{ ~[]P }](x P) (y Q)",
            "(func f (type-param P (name any)) (type-param Q (interface-typ"
            "e (element embedded (unary ~ (slice-type (name P)))))) (param "
            "x (name P)) (result y (name Q)))"},
        {"func (t *T[P]) m(int)",
            "(func m (receiver t (star (index (name T) (name P)))) (param ("
            "name int)))"},
        {"func (T) m()", "(func m (receiver (name T)))"},
        {"var a, b T = f()", "(var-decl a b (name T) (call (name f)))"},
        {"var ( c int; d = 1 )",
            "(var-decl c (name int)) (var-decl d (no-type) (literal 1))"},
        {"const a, b = iota, 1",
            "(const-decl a b iota=0 (name iota) (literal 1))"},
    };

    (void)state;
    check_decls(rows, COUNT(rows), "package p\n", "\n");
}

static void
statements(void **state)
{
    static const struct row rows[] = {
        {"a = b", "(func f (body (assign (name a) (=) (name b))))"},
        {"a, b := b, a",
            "(func f (body (define (name a) (name b) (=) (name b) (name a))"
            "))"},
        {"a += 1", "(func f (body (assign + (name a) (=) (literal 1))))"},
        {"a++", "(func f (body (assign + (name a) ((step)))))"},
        {"c <- x", "(func f (body (send (name c) (name x))))"},
        {"L: for { break L; continue L }",
            "(func f (body (labeled L (for (no-condition) (body (break L) ("
            "continue L))))))"},
        {"if x := f(); x { } else if y { } else { }",
            "(func f (body (if (init (define (name x) (=) (call (name f))))"
            " (name x) (body)) (else-if (name y) (body) (else (block (body)"
            ")))))"},
        {"if (T{}) == x { }",
            "(func f (body (if (binary (paren (composite (name T))) (==) (n"
            "ame x)) (body))))"},
        {"if x == (T{}) { }",
            "(func f (body (if (binary (name x) (==) (paren (composite (nam"
            "e T)))) (body))))"},
        {"if f(T{}) { }",
            "(func f (body (if (call (name f) (composite (name T))) (body))"
            "))"},
        {"if x == [1]int{} { }",
            "(func f (body (if (binary (name x) (==) (composite (array-type"
            " (literal 1) (name int)))) (body))))"},
        {"for i := 0; i < 10; i++ { }",
            "(func f (body (for (init (define (name i) (=) (literal 0))) (b"
            "inary (name i) (<) (literal 10)) (post (assign + (name i) ((st"
            "ep)))) (body))))"},
        {"for ; ; { }", "(func f (body (for (no-condition) (body))))"},
        {"for x { }", "(func f (body (for (name x) (body))))"},
        {"for i < 10 && f(func() { g(T{}) }) { }",
            "(func f (body (for (binary (name i) (<) (literal 10) (&&) (cal"
            "l (name f) (func-literal (body (expr (call (name g) (composite"
            " (name T)))))))) (body))))"},
        {"for range c { }",
            "(func f (body (range (no-key) (no-value) (name c) (body))))"},
        {"for i := range 10 { }",
            "(func f (body (range := (name i) (no-value) (literal 10) (body"
            "))))"},
        {"for k, v = range m { }",
            "(func f (body (range (name k) (name v) (name m) (body))))"},
        {"switch { case a, b: f(); fallthrough; default: }",
            "(func f (body (switch (no-tag) (case (name a) (name b) (then ("
            "expr (call (name f))) (fallthrough))) (default (then)))))"},
        {"switch x := f(); x { }",
            "(func f (body (switch (init (define (name x) (=) (call (name f"
            ")))) (name x))))"},
        {"switch x { case T{}: }",
            "(func f (body (switch (name x) (case (composite (name T)) (the"
            "n)))))"},
        {"switch f(); { }",
            "(func f (body (switch (init (expr (call (name f)))) (no-tag)))"
            ")"},
        {"switch x.(type) { case int, *T, nil: }",
            "(func f (body (type-switch (type-guard (name x)) (case (name i"
            "nt) (star (name T)) (name nil) (then)))))"},
        {"switch x := y; z := x.(type) { }",
            "(func f (body (type-switch z (init (define (name x) (=) (name "
            "y))) (type-guard (name x)))))"},
        {"select { case v, ok := <-c: case c <- 1: case <-d: default: }",
            "(func f (body (select (case (comm (define (name v) (name ok) ("
            "=) (unary <- (name c)))) (then)) (case (comm (send (name c) (l"
            "iteral 1))) (then)) (case (comm (expr (unary <- (name d)))) (t"
            "hen)) (default (then)))))"},
        {"go f(); defer x.m()",
            "(func f (body (go (call (name f))) (defer (call (selector m (n"
            "ame x))))))"},
        {"return; return a, b",
            "(func f (body (return) (return (name a) (name b))))"},
        {"L: goto L", "(func f (body (labeled L (goto L))))"},
        {"{ ; }", "(func f (body (block (body (empty)))))"},
        {"var x, y int; const c = 1; type T int",
            "(func f (body (decl (var-decl x y (name int))) (decl (const-de"
            "cl c iota=0 (literal 1))) (decl (type-decl T (name int)))))"},
        {"x.y[1](2)",
            "(func f (body (expr (call (index (selector y (name x)) (litera"
            "l 1)) (literal 2)))))"},
        {"<-c", "(func f (body (expr (unary <- (name c)))))"},
        {"*p = 1", "(func f (body (assign (star (name p)) (=) (literal 1))))"},
        {"(a) = b", "(func f (body (assign (paren (name a)) (=) (name b))))"},
        {"switch a[b] { }",
            "(func f (body (switch (index (name a) (name b)))))"},
        {"for x = y; x < (T{1}).z; { }",
            "(func f (body (for (init (assign (name x) (=) (name y))) (bina"
            "ry (name x) (<) (selector z (paren (composite (name T) (litera"
            "l 1))))) (body))))"},
        {"goto L; L:",
            "(func f (body (goto L) (labeled L (empty))))"},
        {"if v, ok := m[k]; !ok { }",
            "(func f (body (if (init (define (name v) (name ok) (=) (index "
            "(name m) (name k)))) (unary ! (name ok)) (body))))"},
        {"switch <-c { }", "(func f (body (switch (unary <- (name c)))))"},
        {"for a[i] { }",
            "(func f (body (for (index (name a) (name i)) (body))))"},
    };

    (void)state;
    check_decls(rows, COUNT(rows), "package p\nfunc f() {\n", "\n}\n");
}

/* What messages show of an expression. */
static void
strings(void **state)
{
    static const struct row rows[] = {
        {"a+b*c", "a + b * c"},
        {"(a+b) * -c", "(a + b) * -c"},
        {"f(x, y...)", "f(x, y...)"},
        {"[]int{1, 2}", "[]int{…}"},
        {"T{}", "T{}"},
        {"func(a, b int, c ...string) (x, y error) { f() }",
            "func(a, b int, c ...string) (x, y error) {…}"},
        {"func() {}", "func() {}"},
        {"x[1:2:3]", "x[1:2:3]"},
        {"x[:]", "x[:]"},
        {"x.y.(T)", "x.y.(T)"},
        {"F[A, B](x)", "F[A, B](x)"},
        {"map[string][4]*T(nil)", "map[string][4]*T(nil)"},
        {"struct{a, b int; *T; c U `t`}(x)",
            "struct{a, b int; *T; c U `t`}(x)"},
        {"interface{m(int); ~A | B; E}(x)", "interface{m(int); ~A | B; E}(x)"},
        {"chan<- int(c)", "chan<- int(c)"},
        {"<-chan int(c)", "<-chan int(c)"},
        {"chan (<-chan int)(c)", "chan (<-chan int)(c)"},
        {"<-c", "<-c"},
    };
    size_t i;

    (void)state;
    for (i = 0; i < COUNT(rows); i++) {
        struct fixture f;
        struct ast_expr *e;
        char buf[128], small[6];

        fixture_begin(&f, 0);
        fixture_add(&f, "x.go", rows[i].text, strlen(rows[i].text));
        parse_expr_text(&f.ctx, f.file, &e);
        expect_clean(&f, rows[i].text);
        assert_string_equal(ast_expr_string(e, buf, sizeof buf), rows[i].want);
        ast_expr_string(e, small, sizeof small);
        assert_true(strlen(small) <= 5);
        assert_memory_equal(small, buf, strlen(small));
        fixture_end(&f);
    }
}

static void
check_pos(struct fixture *f, lang_pos pos, uint32_t line, uint32_t col)
{
    struct lang_place at = lang_pos_place(&f->src, pos);

    assert_int_equal(at.line, line);
    assert_int_equal(at.col, col);
}

static void
positions(void **state)
{
    struct fixture f;
    struct ast_file *file;
    struct ast_decl *d;
    struct ast_expr *e;

    (void)state;
    fixture_begin(&f, 0);
    file = fixture_parse(&f,
        "package p\n"
        "var x = a.b[1](c) +\n\td\n"
        "func (t T) m() {\n\tx = 1 }\n",
        0);
    d = file->decls.at[0];
    check_pos(&f, d->group, 2, 1);
    check_pos(&f, d->pos, 2, 5);
    e = d->var.values.at[0];
    check_pos(&f, e->pos, 2, 19);
    check_pos(&f, ast_expr_start(e), 2, 9);
    check_pos(&f, e->binary.y->pos, 3, 2);
    e = e->binary.x;
    check_pos(&f, e->pos, 2, 15);
    check_pos(&f, e->call.rparen, 2, 17);
    check_pos(&f, e->call.fun->pos, 2, 12);
    check_pos(&f, e->call.fun->index.x->pos, 2, 10);
    check_pos(&f, e->call.fun->index.x->selector.sel.pos, 2, 11);
    d = file->decls.at[1];
    check_pos(&f, d->pos, 4, 6);
    check_pos(&f, d->func.name.pos, 4, 12);
    check_pos(&f, d->func.func.lbrace, 4, 16);
    check_pos(&f, d->func.func.rbrace, 5, 8);
    check_pos(&f, d->func.func.body->stmts.at[0]->pos, 5, 4);
    fixture_end(&f);
}

static void
imports(void **state)
{
    struct fixture f;
    struct ast_file *file;

    (void)state;
    fixture_begin(&f, 0);
    file = fixture_parse(&f,
        "package p\nimport \"a/b\"\nimport (\n. \"c\"\n_ `d`; e \"\\x66\")\n"
        "var x int",
        PARSE_IMPORTS_ONLY);
    expect_clean(&f, "");
    assert_int_equal(file->nimport, 4);
    assert_int_equal(file->decls.n, 4);
    assert_string_equal(file->decls.at[0]->import.value, "a/b");
    assert_null(file->decls.at[0]->import.name.name);
    assert_string_equal(file->decls.at[1]->import.name.name->text, ".");
    assert_string_equal(file->decls.at[2]->import.value, "d");
    assert_ptr_equal(file->decls.at[2]->import.name.name, f.names.blank);
    assert_string_equal(file->decls.at[3]->import.value, "f");
    fixture_end(&f);
}

static void
constants(void **state)
{
    struct fixture f;
    struct ast_file *file;
    struct ast_decl **d;

    (void)state;
    fixture_begin(&f, 0);
    file = fixture_parse(&f,
        "package p\nconst (A = iota; B; C int = 1; D; E)\nconst F = 2\n", 0);
    expect_clean(&f, "");
    d = file->decls.at;
    assert_int_equal(d[4]->cnst.iota, 4);
    assert_ptr_equal(d[0]->cnst.from, d[0]);
    assert_ptr_equal(d[1]->cnst.from, d[0]);
    assert_ptr_equal(d[4]->cnst.from, d[2]);
    assert_int_equal(d[5]->cnst.iota, 0);
    assert_ptr_equal(d[5]->cnst.from, d[5]);
    assert_int_equal(d[0]->group, d[4]->group);
    assert_true(d[5]->group != d[0]->group);
    fixture_end(&f);
}

static void
directives(void **state)
{
    struct fixture f;
    struct ast_file *file;
    const struct ast_directive *dir;

    (void)state;
    fixture_begin(&f, 0);
    file = fixture_parse(&f,
        "//go:build linux\n\npackage p\n\n//go:one\n//go:two  x y \n"
        "func f() {\n//go:inner\n}\nfunc g()\n\n// go:no\nvar x int\n"
        "//go:three\ntype T int\n",
        0);
    expect_clean(&f, "");
    assert_int_equal(file->dirs->len, strlen("go:build linux"));
    dir = file->decls.at[0]->dir;
    assert_memory_equal(dir->text, "go:two  x y", dir->len);
    assert_memory_equal(dir->next->text, "go:one", dir->next->len);
    assert_null(dir->next->next);
    assert_null(file->decls.at[1]->dir);
    assert_null(file->decls.at[2]->dir);
    assert_non_null(file->decls.at[3]->dir);
    fixture_end(&f);
}

static char *
dump_file(struct fixture *f, const struct ast_file *file)
{
    char *dump = NULL;
    size_t size;
    FILE *out = open_memstream(&dump, &size);

    ast_dump(out, &f->src, file);
    fclose(out);
    return dump;
}

/* A text that is parsed at once, and one of which something is left for later. */
struct both {
    struct fixture f, g;
    struct ast_file *now, *later;
};

static void
both_begin(struct both *b, const char *text)
{
    fixture_begin(&b->f, 0);
    fixture_begin(&b->g, 0);
    b->now = fixture_parse(&b->f, text, 0);
    b->later = fixture_parse(&b->g, text, PARSE_LAZY_BODIES);
    assert_int_equal(b->now->decls.n, b->later->decls.n);
}

/* All that was left has been parsed: both are the same. */
static void
both_end(struct both *b)
{
    char *want = dump_file(&b->f, b->now);
    char *got = dump_file(&b->g, b->later);

    assert_string_equal(got, want);
    free(want);
    free(got);
    assert_int_equal(b->f.file->ndir, b->g.file->ndir);
    fixture_end(&b->f);
    fixture_end(&b->g);
}

/* Bodies parsed on demand give the same tree. */
static void
lazy(void **state)
{
    static const char text[] =
        "package p\n"
        "func a() { if x := '}'; x == y { return \"}\" } /* } */ }\n"
        "func b(x int) (y int) { // }\n\tfor range x { y++ }\n\treturn }\n"
        "func c()\n"
        "var v = func() { a() }\n"
        "func (t *T) d() { _ = `}` + v.(struct{})\n"
        "//line z.go:50\n}\n"
        "func e() { x\n}\n";
    struct both b;
    uint32_t i, skipped = 0;

    (void)state;
    both_begin(&b, text);
    for (i = b.later->decls.n; i-- > 0;) {
        struct ast_func *func = &b.later->decls.at[i]->func.func;

        if (b.later->decls.at[i]->kind != DECL_FUNC)
            continue;
        skipped += func->lazy;
        assert_null(func->body);
        assert_int_equal(parse_func_body(&b.g.ctx, func), RT_OK);
        assert_int_equal(
            func->rbrace, b.now->decls.at[i]->func.func.rbrace);
        assert_int_equal(func->lazy, 0);
        assert_int_equal(parse_func_body(&b.g.ctx, func), RT_OK);
    }
    assert_int_equal(skipped, 4);
    assert_int_equal(b.g.file->ndir, 1);
    both_end(&b);
}

/* So do the elements of a literal. */
static void
lazy_literal(void **state)
{
    static const char text[] =
        "package p\n"
        "var a = [...]struct{ x, y int }{{1, 2}, {x: 3}, 7: {0x10 << 2, -1},\n"
        "\t// A comment that makes it long enough to be left for later, }.\n"
        "\t{'}', '\\''},\n}\n"
        "var b = map[string][]string{`}`: {\"a\", \"b\", \"c\", \"d\", \"e\"}, "
        "\"o\": {\"p\", \"q\", \"r\", \"s\", \"t\"}, "
        "\"f\": {\"g\"}, \"h\": {\"i\", \"j\", \"k\", \"l\", \"m\", \"n\"}}\n"
        "var c = []int{f(1), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
        "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}\n";
    struct both b;
    uint32_t i, skipped = 0;

    (void)state;
    both_begin(&b, text);
    assert_int_equal(b.later->decls.n, 3);
    for (i = 0; i < 3; i++) {
        struct ast_expr *e = b.later->decls.at[i]->var.values.at[0];

        if (e->flags & AST_F_LAZY) {
            skipped++;
            assert_int_equal(e->composite.elems.n, 0);
        }
        assert_int_equal(parse_literal(&b.g.ctx, e), RT_OK);
        assert_int_equal(e->flags & AST_F_LAZY, 0);
        assert_int_equal(parse_literal(&b.g.ctx, e), RT_OK);
        assert_int_equal(e->composite.rbrace,
            b.now->decls.at[i]->var.values.at[0]->composite.rbrace);
    }
    assert_int_equal(skipped, 2);
    both_end(&b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions),
        cmocka_unit_test(declarations),
        cmocka_unit_test(statements),
        cmocka_unit_test(strings),
        cmocka_unit_test(positions),
        cmocka_unit_test(imports),
        cmocka_unit_test(constants),
        cmocka_unit_test(directives),
        cmocka_unit_test(lazy),
        cmocka_unit_test(lazy_literal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
