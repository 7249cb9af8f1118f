/* SPDX-License-Identifier: MIT */

/* What the generator makes of small programs, and of very large ones. */

#include "tests/unit/lang/check.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/code/disasm.h"
#include "runtime/code/verify.h"
#include "runtime/lang/gen/gen.h"
#include "tests/unit/lang/fixture.h"

struct prog {
    struct fixture f;
    struct check_host host;
    struct check *c;
    struct rt_arena image_arena;
    struct code_image *im;
    enum rt_status st;
};

static enum rt_status
load(void *ctx, const char *path, struct ast_file ***files, uint32_t *n,
    struct rt_err *err)
{
    struct prog *p = ctx;

    (void)err;
    if (strcmp(path, "runtime") != 0)
        return RT_EUNSUP;
    *files = rt_arena_array(&p->f.arena, 1, sizeof **files);
    (*files)[0] = fixture_parse(&p->f, "package runtime\n", 0);
    *n = 1;
    return RT_OK;
}

/* Compiles a program; p->im is NULL where the generator has refused it. */
static void
compile(struct prog *p, const char *src)
{
    struct check_pkg *pkg;
    struct ast_file *file;
    struct rt_err err;
    char *msg;

    memset(p, 0, sizeof *p);
    fixture_begin(&p->f, 0);
    p->host = (struct check_host){.ctx = p, .load = load};
    file = fixture_parse(&p->f, src, 0);
    p->c = check_new(&p->f.ctx, &p->host);
    const_begin(&p->c->cctx);
    pkg = check_package(p->c, "main", &file, 1);
    const_end();
    msg = fixture_messages(&p->f);
    assert_string_equal(msg, "");
    free(msg);
    p->st = gen_program(p->c, pkg, &p->image_arena, NULL, &p->im, &err);
    if (p->im != NULL)
        assert_int_equal(code_verify(p->im, &err), RT_OK);
}

static void
discard(struct prog *p)
{
    check_free(p->c);
    rt_arena_free(&p->image_arena);
    fixture_end(&p->f);
}

static const struct code_func *
func(const struct prog *p, const char *name)
{
    uint32_t i;

    assert_non_null(p->im);
    for (i = 0; i < p->im->nfuncs; i++)
        if (strcmp(p->im->funcs[i].name, name) == 0)
            return &p->im->funcs[i];
    fail_msg("no function %s", name);
    return NULL;
}

/* How many instructions of f are this one. */
static uint32_t
count(const struct code_func *f, enum code_op op)
{
    uint32_t i, n = 0;

    for (i = 0; i < f->ncode; i += 1 + code_ext_words(f->code + i))
        n += f->code[i].op == op;
    return n;
}

/* Which instructions a function consists of, "LDI ADD RET1", without the one
 * behind a last return. */
static void
ops(const struct code_func *f, char *buf, size_t size)
{
    uint32_t i;

    buf[0] = 0;
    for (i = 0; i < f->ncode; i += 1 + code_ext_words(f->code + i)) {
        if (i + 1 == f->ncode && f->code[i].op == OP_THROW)
            break;
        if (i > 0)
            strncat(buf, " ", size - strlen(buf) - 1);
        strncat(buf, code_op_name(f->code[i].op), size - strlen(buf) - 1);
    }
}

/* The instructions of a function f that is written behind the package
 * clause, together with what it needs. */
static void
becomes(const char *decls, const char *want)
{
    struct prog p;
    char src[1000], got[1000];

    snprintf(src, sizeof src,
        "package main\n%s\nfunc main() { use(f) }\nfunc use(any) {}\n",
        decls);
    compile(&p, src);
    ops(func(&p, "main.f"), got, sizeof got);
    assert_string_equal(got, want);
    discard(&p);
}

/* ---- small ones ----------------------------------------------------------- */

static void
test_arithmetic(void **state)
{
    (void)state;
    becomes("func f(a, b int) int { return a*b + a }", "MUL ADD RET1");
    becomes("func f(a int8) int8 { return a + 1 }", "ADDI SX8 RET1");
    becomes("func f(a int32) int32 { return a + 1 }", "ADDI32 RET1");
    becomes("func f(a uint16) uint16 { return a &^ 3 }", "ANDI RET1");
    becomes("func f(a, b uint) uint { return a / b }", "UDIV RET1");
    becomes("func f(a int, s int) int { return a << s }", "CHKSH SHL RET1");
    becomes("func f(a int, s uint) int { return a >> s }", "SHR RET1");
    becomes("func f(a uint8) uint8 { return a << 9 }", "SHLI ZX8 RET1");
    becomes("func f(a uint8) uint8 { return a << 70 }", "LDI RET1");
    becomes("func f(a int) int { return a >> 70 }", "SHRI RET1");
    becomes("func f(s, a, b float64) float64 { s += a * b; return s }",
        "MADDF RET1");
}

/* One temporary for all links of a chain, however long it is. */
static void
test_chain_slots(void **state)
{
    struct prog p;

    (void)state;
    compile(&p, "package main\nvar x int\n"
        "func f(a, b, c, d, e, g int) int { return a*b*c*d*e*g }\n"
        "func main() { x = f(1, 2, 3, 4, 5, 6) }\n");
    assert_int_equal(func(&p, "main.f")->nslots, 6 + 1 + 2);
    discard(&p);
}

static void
test_wide_values(void **state)
{
    (void)state;
    /* Compared where they lie, and copied without passing through slots. */
    becomes("type t [9]int\nfunc f(p, q *t) bool { return *p == *q }",
        "CHKNIL CHKNIL EQMEM RET1");
    becomes("type t [9]int\nfunc f(p, q *t) bool { return *p != *q }",
        "CHKNIL CHKNIL EQMEM NOTB RET1");
    becomes("type t [3]int\nfunc f(p, q *t) bool { return *p == *q }",
        "LD3 LD3 EQT RET1");
    becomes("type t [9]int\nfunc f(p, q *t) { *p = *q }",
        "CHKNIL CHKNIL COPYT RET");
    becomes("type t [9]int\nfunc f(p *t, i int, a []t) bool "
        "{ return a[i] == *p }", "XADDR CHKNIL EQMEM RET1");
}

/* Constants are loaded one by one where they are printed or appended, other
 * operands before all. */
static void
test_operands(void **state)
{
    (void)state;
    becomes("func f(a int) { print(1, a+1, 2) }",
        "ADDI LDI PRINT PRINT LDI PRINT RET");
    becomes("func f(a []int, b int) []int { return append(a, 1, b+1) }",
        "ADDI APPENDG LDI APPEND64 APPEND64 MOV3 RETN");
    becomes("func f(a []int, b int) []int "
        "{ return append(a, make([]int, b+1)...) }",
        "ADDI APPENDZ RETN");
}

/* ---- large ones ------------------------------------------------------------ */

/* head, n times each with its number in place of #, tail; free() it. */
static char *
numbered(const char *head, const char *each, uint32_t n, const char *tail)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const char *c;
    uint32_t i;

    assert_non_null(out);
    fputs(head, out);
    for (i = 0; i < n; i++)
        for (c = each; *c != 0; c++)
            if (*c == '#')
                fprintf(out, "%u", i);
            else
                putc(*c, out);
    fputs(tail, out);
    fclose(out);
    return text;
}

static void
compile_many(struct prog *p, const char *head, const char *each, uint32_t n,
    const char *tail)
{
    char *src = numbered(head, each, n, tail);

    compile(p, src);
    free(src);
}

enum { MANY = 100000 };

static void
test_many(void **state)
{
    struct prog p;

    (void)state;
    compile_many(&p, "package main\nfunc main() { println(", "#,", MANY,
        "1) }\n");
    assert_int_equal(count(func(&p, "main.main"), OP_PRINT), 2 * MANY + 2);
    assert_true(func(&p, "main.main")->nslots < 8);
    discard(&p);

    compile_many(&p, "package main\nvar s []int\nfunc main() { s = append(s",
        ",#", MANY, ") }\n");
    assert_int_equal(count(func(&p, "main.main"), OP_APPEND64), MANY);
    discard(&p);

    compile_many(&p, "package main\nvar x int\n",
        "var v# = x + #\n", MANY, "func main() {}\n");
    assert_int_equal(count(func(&p, "runtime.main"), OP_CALL), MANY + 1);
    discard(&p);

    compile_many(&p, "package main\nvar x int\nvar s = x", "+x*#", MANY,
        "\nfunc main() {}\n");
    assert_true(func(&p, "main.init")->nslots < 8);
    discard(&p);

    compile_many(&p, "package main\nvar x string\nvar s = x", "+x",
        MANY, "\nfunc main() {}\n");
    assert_true(count(func(&p, "main.init"), OP_CONCAT) < MANY / 50);
    discard(&p);
}

/* Each byte of a long concatenation is copied once for each level of parts,
 * not once for each part. */
static void
test_concat_levels(void **state)
{
    struct prog p;
    const struct code_func *f;
    uint32_t i, widest = 0;

    (void)state;
    compile_many(&p, "package main\nvar x string\nvar s = x", "+x",
        60 * 60 - 1, "\nfunc main() {}\n");
    f = func(&p, "main.init");
    assert_int_equal(count(f, OP_CONCAT), 61);
    for (i = 0; i < f->ncode; i += 1 + code_ext_words(f->code + i))
        if (f->code[i].op == OP_CONCAT && f->code[i].c > widest)
            widest = f->code[i].c;
    assert_int_equal(widest, 60);
    discard(&p);
}

/* Locals that a frame has room for, more of them, and parameters, of which it
 * must have room for all. */
static void
test_frame_limit(void **state)
{
    struct prog p;
    char *msg;

    (void)state;
    compile_many(&p, "package main\nfunc main() {\n",
        "v# := #; _ = v#\n", 59000, "}\n");
    assert_non_null(p.im);
    discard(&p);
    compile_many(&p, "package main\nfunc main() {\n",
        "v# := #; _ = v#\n", 61000, "}\n");
    assert_non_null(p.im);
    assert_in_range(func(&p, "main.main")->nslots, 8192, 10000);
    discard(&p);
    compile_many(&p, "package main\nfunc main() {}\nfunc init() { f(",
        "0,", 61000, "1) }\nfunc f(...int) {}\n");
    assert_non_null(p.im);
    discard(&p);
    compile_many(&p, "package main\nvar _ = f\nfunc main() {}\nfunc f(",
        "int,", 61000, "bool) {}\n");
    assert_null(p.im);
    assert_int_equal(p.st, RT_EFORMAT);
    msg = fixture_messages(&p.f);
    assert_string_equal(msg,
        "x.go:4:1: stack frame too large (over 60000 words)\n");
    free(msg);
    discard(&p);
}

/* Slots that have become free are taken again, whatever lies above them. */
static void
test_slots_again(void **state)
{
    struct prog p;

    (void)state;
    compile_many(&p,
        "package main\nfunc g(int, string, *int) {}\nfunc main() {\n",
        "{ a, b := #, \"x\"; c := &a; g(*c, b, c) }\n", 2000,
        "}\n");
    assert_in_range(func(&p, "main.main")->nslots, 8, 16);
    discard(&p);
}

/* A type that has itself twice sixty times has no more to tell for it. */
static void
test_doubled(void **state)
{
    char src[4000];
    size_t at = 0;
    struct prog p;
    int i;

    (void)state;
    at += (size_t)snprintf(src, sizeof src,
        "package main\ntype t0 struct{}\n");
    for (i = 1; i <= 60; i++)
        at += (size_t)snprintf(src + at, sizeof src - at,
            "type t%d struct { a, b t%d }\n", i, i - 1);
    snprintf(src + at, sizeof src - at,
        "var x t60\nfunc main() { y := x; println(x == y) }\n");
    compile(&p, src);
    assert_non_null(p.im);
    discard(&p);
}

/* Loops whose bodies are too long for the short jumps count all the same. */
static void
test_long_loop(void **state)
{
    struct prog p;
    const struct code_func *f;
    uint32_t i, at = 0;

    (void)state;
    compile_many(&p, "package main\nfunc f(n, x int) int {\n"
        "for i := 0; i < n; i++ {\n", "x *= #\n", 40000,
        "}\nreturn x }\nfunc main() { f(1, 1) }\n");
    f = func(&p, "main.f");
    assert_int_equal(count(f, OP_FORLT), 0);
    for (i = 0; i < f->ncode; i += 1 + code_ext_words(f->code + i))
        if (f->code[i].op == OP_ADDI)
            at = i;
    assert_int_not_equal(at, 0);
    assert_int_equal(f->code[at].c, 1);
    assert_int_equal(f->code[at].a, f->code[at].b);
    assert_int_equal(f->code[at + 1].op, OP_JLT);
    assert_int_equal(f->code[at + 1].a, f->code[at].a);
    discard(&p);
}

/* Where the pointers are in a struct of arrays of structs. */
static void
test_layout(void **state)
{
    static const char want[] = "1000" "00101" "00101" "01" "0" "00" "1";
    struct prog p;
    const struct rtype *t = NULL;
    uint32_t i;

    (void)state;
    compile(&p, "package main\n"
        "type part struct { n int; i any; _ [0]*int; m, p uintptr; f func() }\n"
        "type all struct { a struct { s string; x, y int }\n"
        "	b [2]struct { n int; i any; m int; f func() }; c any; d bool\n"
        "	e [2]complex64; g [0]any; h map[int]part; k [0]func() }\n"
        "var x any = &all{}\nfunc main() {}\n");
    assert_non_null(p.im);
    for (i = 0; i < p.im->ntypes; i++)
        if (strcmp(p.im->types[i]->string, "main.all") == 0)
            t = p.im->types[i];
    assert_non_null(t);
    assert_int_equal(t->layout.ptrdata, 8 * (sizeof want - 1));
    for (i = 0; want[i] != 0; i++)
        assert_int_equal(rt_layout_is_ptr(&t->layout, i), want[i] == '1');
    discard(&p);
}

/* Literals in literals do not get ever longer names. */
static void
test_long_names(void **state)
{
    char *head = fixture_repeat("package main\nfunc main() {", "func() {",
        700, "");
    char *src = fixture_repeat(head, "}()", 700, "}\n");
    struct prog p;
    size_t most = 0;
    uint32_t i;

    (void)state;
    compile(&p, src);
    assert_non_null(p.im);
    for (i = 0; i < p.im->nfuncs; i++)
        if (strlen(p.im->funcs[i].name) > most)
            most = strlen(p.im->funcs[i].name);
    assert_in_range(most, 900, 1010);
    assert_true(p.im->nfuncs > 700);
    discard(&p);
    free(src);
    free(head);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_chain_slots),
        cmocka_unit_test(test_wide_values),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_concat_levels),
        cmocka_unit_test(test_frame_limit),
        cmocka_unit_test(test_slots_again),
        cmocka_unit_test(test_doubled),
        cmocka_unit_test(test_long_loop),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_long_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
