/* SPDX-License-Identifier: MIT */

/* What the checker leaves on the tree for the generator. */

#include "tests/unit/lang/check.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/lang/types/check.h"
#include "tests/unit/lang/fixture.h"

struct env {
    struct fixture f;
    struct check *c;
    struct check_pkg *pkg;
    struct ast_file *file;
};

static enum rt_status
load(void *ctx, const char *path, struct ast_file ***files, uint32_t *n,
    struct rt_err *err)
{
    static const char lib[] = "package lib\n"
                              "var A = f()\n"
                              "var B = 2\n"
                              "var Unused = bad()\n"
                              "func f() int { return B + g() }\n"
                              "func g() int { return B }\n"
                              "func F() int { return A }\n"
                              "func Never() int { return nothing }\n";
    struct env *e = ctx;

    (void)err;
    if (strcmp(path, "lib") != 0)
        return RT_EUNSUP;
    *files = rt_arena_array(&e->f.arena, 1, sizeof **files);
    (*files)[0] = fixture_parse(&e->f, lib, PARSE_LAZY_BODIES);
    *n = 1;
    return RT_OK;
}

static void
begin(struct env *e, const char *src)
{
    static struct check_host host;
    char *msg;

    fixture_begin(&e->f, 0);
    host = (struct check_host){.ctx = e, .load = load};
    e->file = fixture_parse(&e->f, src, 0);
    e->c = check_new(&e->f.ctx, &host);
    e->pkg = check_package(e->c, "main", &e->file, 1);
    msg = fixture_messages(&e->f);
    assert_string_equal(msg, "");
    free(msg);
}

static void
end(struct env *e)
{
    check_free(e->c);
    fixture_end(&e->f);
}

/* Statement i of function `name`. */
static struct ast_stmt *
stmt(struct env *e, const char *name, uint32_t i)
{
    struct object *o = check_lookup(e->pkg, name);

    assert_non_null(o);
    return o->decl->func.func.body->stmts.at[i];
}

static struct ast_expr *
rhs(struct env *e, const char *name, uint32_t i)
{
    struct ast_stmt *s = stmt(e, name, i);

    if (s->kind == STMT_EXPR)
        return s->x;
    return s->assign.rhs.at[0];
}

static const char *
type_of(struct env *e, struct ast_expr *x)
{
    return type_string(e->c, x->type, TYPE_STR_RUN, NULL);
}

static void
test_untyped(void **state)
{
    struct env e;
    struct ast_expr *x;

    (void)state;
    begin(&e,
        "package main\n"
        "func main() { f(1, nil) }\n"
        "func f(s uint, p *int) {\n"
        "	var a int8; var i interface{}; var b float32; var t bool\n"
        "	a = a + 1\n"
        "	i = 1 << 3\n"
        "	b = 2\n"
        "	t = a == 1 && s > 2\n"
        "	a = 1 << s\n"
        "	t = p == nil\n"
        "	i = 'x'\n"
        "	t = i == 5\n"
        "	_, _, _, _ = a, b, i, t\n"
        "}\n");
    x = rhs(&e, "f", 4);
    assert_string_equal(type_of(&e, x->binary.y), "int8");
    x = rhs(&e, "f", 5);
    assert_string_equal(type_of(&e, x), "int");
    x = rhs(&e, "f", 6);
    assert_string_equal(type_of(&e, x), "float32");
    assert_non_null(x->cv);
    x = rhs(&e, "f", 7);
    assert_string_equal(type_of(&e, x), "bool");
    assert_string_equal(type_of(&e, x->binary.x), "bool");
    assert_string_equal(type_of(&e, x->binary.x->binary.y), "int8");
    x = rhs(&e, "f", 8);
    assert_null(x->cv);
    assert_string_equal(type_of(&e, x), "int8");
    assert_string_equal(type_of(&e, x->binary.x), "int8");
    x = rhs(&e, "f", 9);
    assert_int_equal(x->binary.y->mode, MODE_NIL);
    assert_string_equal(type_of(&e, x->binary.y), "*int");
    x = rhs(&e, "f", 10);
    assert_string_equal(type_of(&e, x), "int32");
    x = rhs(&e, "f", 11);
    assert_string_equal(type_of(&e, x->binary.y), "int");
    end(&e);
}

static void
test_selections(void **state)
{
    struct env e;
    struct selection *s;

    (void)state;
    begin(&e, "package main\n"
              "type A struct { x int; y int }\n"
              "func (A) V() {}\n"
              "func (*A) P() {}\n"
              "type I interface { M() }\n"
              "type B struct { n int; *A; I }\n"
              "type C struct { B }\n"
              "func main() {\n"
              "	var c C\n"
              "	_ = c.y\n"
              "	c.V()\n"
              "	c.P()\n"
              "	c.M()\n"
              "	_ = C.V\n"
              "	a := A{}\n"
              "	a.P()\n"
              "	p := &a\n"
              "	p.V()\n"
              "}\n");
    s = rhs(&e, "main", 1)->selector.how;
    assert_int_equal(s->kind, SEL_FIELD);
    assert_int_equal(s->nsteps, 3);
    assert_false(s->steps[0].deref);
    assert_false(s->steps[1].deref);
    assert_true(s->steps[2].deref);
    assert_string_equal(s->steps[2].field->name->text, "y");
    assert_int_equal(type_size(check_lookup(e.pkg, "A")->type), 16);
    assert_int_equal(s->steps[2].field->offset, 8);
    s = rhs(&e, "main", 2)->call.fun->selector.how;
    assert_int_equal(s->kind, SEL_METHOD);
    assert_int_equal(s->nsteps, 2);
    assert_true(s->deref);
    assert_false(s->take_addr);
    assert_string_equal(
        type_string(e.c, s->base, TYPE_STR_RUN, NULL), "*main.A");
    s = rhs(&e, "main", 3)->call.fun->selector.how;
    assert_false(s->deref || s->take_addr);
    s = rhs(&e, "main", 4)->call.fun->selector.how;
    assert_true(s->is_iface);
    s = rhs(&e, "main", 5)->selector.how;
    assert_int_equal(s->kind, SEL_METHOD_EXPR);
    s = rhs(&e, "main", 7)->call.fun->selector.how;
    assert_true(s->take_addr);
    assert_true(stmt(&e, "main", 6)->assign.objs[0]->addr_taken);
    s = rhs(&e, "main", 9)->call.fun->selector.how;
    assert_true(s->deref);
    end(&e);
}

static void
test_captures(void **state)
{
    struct env e;
    struct func_info *f, *g;
    struct object *a, *b;

    (void)state;
    begin(&e, "package main\n"
              "var global int\n"
              "func main() {\n"
              "	a := 1\n"
              "	b := 2\n"
              "	c := 3\n"
              "	fn := func(p int) int {\n"
              "		b = 5\n"
              "		h := func() int { return a + b + p + global }\n"
              "		return h()\n"
              "	}\n"
              "	for i := 0; i < 3; i++ { func() { _ = i }() }\n"
              "	_, _ = fn, &c\n"
              "}\n"
              "func named() (r int) { defer func() { r++ }(); return 1 }\n");
    a = stmt(&e, "main", 0)->assign.objs[0];
    b = stmt(&e, "main", 1)->assign.objs[0];
    f = rhs(&e, "main", 3)->func->info;
    assert_int_equal(f->ncaptures, 2);
    assert_true(f->captures[0] == b && f->captures[1] == a);
    assert_true(a->captured && object_by_value(a) && !object_escapes(a));
    assert_true(b->captured && !object_by_value(b) && object_escapes(b));
    assert_true(object_escapes(stmt(&e, "main", 2)->assign.objs[0]));
    g = f->func->body->stmts.at[1]->assign.rhs.at[0]->func->info;
    assert_true(g->outer == f);
    assert_int_equal(g->ncaptures, 3);
    assert_int_equal(g->depth, 2);
    assert_int_equal(stmt(&e, "main", 4)->for_.nvar, 1);
    assert_true(stmt(&e, "main", 4)->for_.vars[0]->loop_var);
    assert_true(object_escapes(stmt(&e, "main", 4)->for_.vars[0]));
    f = check_lookup(e.pkg, "named")->info;
    assert_true(f->has_defer && f->named_results);
    assert_true(object_escapes(f->sig->vars[0]));
    end(&e);
}

static void
test_forms(void **state)
{
    struct env e;
    struct ast_expr *x;
    struct ast_stmt *s;

    (void)state;
    begin(&e,
        "package main\n"
        "type T struct { a, b int }\n"
        "func main() {\n"
        "	m := map[string]int{}\n"
        "	v, ok := (m[\"a\"])\n"
        "	l := []*T{{1, 2}, {b: 3}, 5: nil}\n"
        "	n := len(l) + len([3]int{})\n"
        "	x := int8(n)\n"
        "L:\n"
        "	for range 3 {\n"
        "		switch { case ok: break L; default: continue }\n"
        "	}\n"
        "	switch y := any(v).(type) { case int: _ = y; case string: }\n"
        "	_, _, _ = v, x, l\n"
        "}\n");
    x = rhs(&e, "main", 1);
    assert_true(x->x->flags & AST_F_COMMAOK);
    x = rhs(&e, "main", 2);
    assert_int_equal(check_composite_len(x), 6);
    assert_true(x->composite.elems.at[0]->flags & AST_F_ADDR);
    assert_string_equal(type_of(&e, x->composite.elems.at[0]), "*main.T");
    assert_string_equal(x->composite.elems.at[1]
                            ->composite.elems.at[0]
                            ->kv.key->obj->name->text,
        "b");
    x = rhs(&e, "main", 3);
    assert_null(x->binary.x->cv);
    assert_non_null(x->binary.y->cv);
    assert_int_equal(x->binary.x->call.builtin, BUILTIN_LEN);
    assert_true(rhs(&e, "main", 4)->flags & AST_F_CONVERSION);
    s = stmt(&e, "main", 5)->labeled.stmt;
    s = s->range.body->stmts.at[0];
    assert_true(s->switch_.cases[0]->body.at[0]->branch.target ==
                stmt(&e, "main", 5)->labeled.stmt);
    s = stmt(&e, "main", 6);
    assert_non_null(s->tswitch.cases[0]->obj);
    assert_null(s->tswitch.cases[1]->obj);
    end(&e);
}

static void
test_init_order(void **state)
{
    static const char *const want[] = {"d", "b", "c", "a", "x", "z"};
    struct env e;
    uint32_t i;

    (void)state;
    begin(&e, "package main\n"
              "var a = c + b\n"
              "var b = f()\n"
              "var c = f()\n"
              "var d = 3\n"
              "var x, y = g()\n"
              "var none int\n"
              "var z = y\n"
              "func f() int { d++; return d }\n"
              "func g() (int, int) { return a, 1 }\n"
              "func main() {}\n");
    assert_int_equal(e.pkg->ninit_items, 6);
    for (i = 0; i < 6; i++)
        assert_string_equal(e.pkg->init_items[i].lhs[0]->name->text, want[i]);
    assert_int_equal(e.pkg->init_items[4].nlhs, 2);
    end(&e);
}

/* A library is checked only as far as it is reached. */
static void
test_lazy(void **state)
{
    struct env e;
    struct check_pkg *lib;
    struct object *f;

    (void)state;
    begin(&e, "package main\n"
              "import \"lib\"\n"
              "func main() { println(lib.F()) }\n");
    lib = e.c->order[0];
    assert_string_equal(lib->path, "lib");
    assert_true(e.c->order[1] == e.pkg);
    f = check_lookup(lib, "F");
    assert_null(f->decl->func.func.body);
    assert_true(check_func_body(e.c, f));
    assert_non_null(f->decl->func.func.body);
    assert_true(check_var_init(e.c, check_lookup(lib, "A")));
    assert_true(check_func_body(e.c, check_lookup(lib, "f")));
    assert_true(check_func_body(e.c, check_lookup(lib, "g")));
    assert_true(check_var_init(e.c, check_lookup(lib, "B")));
    assert_true(check_init_order(e.c, lib));
    assert_int_equal(lib->ninit_items, 2);
    assert_string_equal(lib->init_items[0].lhs[0]->name->text, "B");
    assert_false(check_func_body(e.c, check_lookup(lib, "Never")));
    end(&e);
}

static void
test_types(void **state)
{
    static const struct {
        const char *name, *string;
        int64_t size;
        uint32_t align;
    } rows[] = {{"a", "struct { a int8; b int64; c bool }", 24, 8},
        {"b", "struct { a int32; b struct {} }", 8, 4},
        {"c", "[3]complex64", 24, 4}, {"d", "map[string][]uint8", 8, 8},
        {"e", "interface { M(int, ...string) (uint8, error) }", 16, 8},
        {"f", "func(int32, ...interface {}) error", 8, 8},
        {"g", "chan (<-chan int)", 8, 8}, {"h", "*main.T", 8, 8},
        {"i", "struct { X int \"k:\\\"v\\\"\"; main.T }", 16, 8}};
    struct env e;
    size_t i;

    (void)state;
    begin(&e, "package main\n"
              "type T struct{ z int }\n"
              "var a struct { a int8; b int64; c bool }\n"
              "var b struct { a int32; b struct{} }\n"
              "var c [3]complex64\n"
              "var d map[string][]byte\n"
              "var e interface { M(x int, y ...string) (byte, error) }\n"
              "var f func(r rune, x ...any) error\n"
              "var g chan (<-chan int)\n"
              "var h *T\n"
              "var i struct { X int `k:\"v\"`; T }\n"
              "var d2 map[string][]uint8\n"
              "func main() {}\n");
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct type *t = check_lookup(e.pkg, rows[i].name)->type;

        assert_string_equal(
            type_string(e.c, t, TYPE_STR_RUN, NULL), rows[i].string);
        assert_int_equal(type_size(t), rows[i].size);
        assert_int_equal(type_align(t), rows[i].align);
    }
    assert_true(type_canon(e.c, check_lookup(e.pkg, "d")->type) ==
                type_canon(e.c, check_lookup(e.pkg, "d2")->type));
    end(&e);
}

static void
test_method_set(void **state)
{
    struct env e;
    struct type *t;
    const struct method_set *m;

    (void)state;
    begin(&e, "package main\n"
              "type A struct{}\n"
              "func (A) V() {}\n"
              "func (*A) P() {}\n"
              "type B struct { A }\n"
              "type C struct { *A; Z }\n"
              "type Z struct{}\n"
              "func (Z) V() {}\n"
              "func main() {}\n");
    t = check_lookup(e.pkg, "B")->type;
    assert_int_equal(type_method_set(e.c, t)->n, 1);
    m = type_method_set(e.c, type_pointer(e.c, t));
    assert_int_equal(m->n, 2);
    assert_string_equal(m->list[0].func->name->text, "P");
    assert_true(m->list[0].take_addr);
    assert_int_equal(m->list[0].nsteps, 1);
    assert_true(m->list[0].steps[0].deref);
    m = type_method_set(e.c, check_lookup(e.pkg, "C")->type);
    assert_int_equal(m->n, 1); /* V is ambiguous */
    assert_string_equal(m->list[0].func->name->text, "P");
    assert_false(m->list[0].take_addr);
    end(&e);
}

/* Chains as long as the file, in linear time and little C stack. */
static void
test_long_chains(void **state)
{
    static const char *const parts[][3] = {
        {"package main\nconst c = \"a\"", "+\"b\"", "\nfunc main() {}\n"},
        {"package main\nvar x = 1", "+1", "\nfunc main() {}\n"},
        {"package main\nfunc main() { x := 1\n y := x", "+x*2", "\n _ = y }\n"},
        {"package main\nfunc main() { x := 1\n y := x==1", "&&x==2",
            "\n _ = y }\n"},
        {"package main\nfunc main() { x := 1\n if x==1 {}", " else if x==2 {}",
            "\n }\n"}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct env e;
        char *src = fixture_repeat(
            parts[i][0], parts[i][1], i == 4 ? 20000 : 100000, parts[i][2]);

        begin(&e, src);
        end(&e);
        free(src);
    }
}

/* ---- check_body_valid() ------------------------------------------------- */

static const char src_body[] =
    "package main\n"
    "type T struct { a, b int }\n"
    "type I interface { m() }\n"
    "func main() {}\n"
    "func f(n int, t T, i I, m map[string]int) (r int) {\n"
    "	n = 7\n"
    "	g := func(int) int { return n + t.b }\n"
    "	var u uint8 = 200\n"
    "	for k := range 10 { if k > n { break } }\n"
    "	r = g(1) + int(u) + m[\"x\"]\n"
    "	return r\n"
    "}\n";

static bool
body_valid(struct env *e)
{
    return check_body_valid(e->c, check_lookup(e->pkg, "f")->info);
}

/* The slot is not what it was: that is noticed, and nothing else is. */
#define NOTICED(e, slot, value)             \
    do {                                    \
        __typeof__(slot) was = (slot);      \
                                            \
        assert_true(body_valid(e));         \
        (slot) = (value);                   \
        assert_false(body_valid(e));        \
        (slot) = was;                       \
        assert_true(body_valid(e));         \
    } while (0)

static void
test_body_names(void **state)
{
    struct env e;
    struct func_info *lit;
    struct ast_expr *sum, *n;

    (void)state;
    begin(&e, src_body);
    lit = rhs(&e, "f", 1)->func->info;
    sum = lit->func->body->stmts.at[0]->ret.values.at[0];
    n = sum->binary.x;
    NOTICED(&e, n->obj, NULL);
    NOTICED(&e, n->obj->captured, false);
    NOTICED(&e, n->obj->reassigned, false);
    NOTICED(&e, lit->ncaptures, 1);
    NOTICED(&e, lit->captures[0], n->obj == lit->captures[0] ?
            lit->captures[1] : n->obj);
    NOTICED(&e, lit->outer, NULL);
    NOTICED(&e, lit->depth, 0);
    NOTICED(&e, sum->binary.y->selector.how->nsteps, 0);
    NOTICED(&e, sum->binary.y->selector.how->recv,
        check_lookup(e.pkg, "I")->type);
    end(&e);
}

static void
test_body_types(void **state)
{
    struct env e;
    struct ast_stmt *set;
    struct ast_expr *sum, *m;

    (void)state;
    begin(&e, src_body);
    set = stmt(&e, "f", 0);
    NOTICED(&e, set->assign.rhs.at[0]->type,
        &e.c->types.basic[TYPE_UNTYPED_INT]);
    NOTICED(&e, set->assign.rhs.at[0]->type, &e.c->types.basic[TYPE_STRING]);
    NOTICED(&e, set->assign.rhs.at[0]->cv, const_unknown());
    NOTICED(&e, stmt(&e, "f", 2)->decl.decls.at[0]->var.values.at[0]->cv,
        const_int64(&e.c->cctx, 256));
    NOTICED(&e, stmt(&e, "f", 2)->decl.decls.at[0]->var.objs[0], NULL);
    sum = rhs(&e, "f", 4);
    NOTICED(&e, sum->type, NULL);
    NOTICED(&e, sum->mode, MODE_NONE);
    NOTICED(&e, sum->mode, MODE_CONST);
    m = sum->binary.y;
    NOTICED(&e, m->type, &e.c->types.basic[TYPE_INT8]);
    NOTICED(&e, m->index.at.n, 0);
    NOTICED(&e, m->index.at.at[0]->type, &e.c->types.basic[TYPE_INT]);
    NOTICED(&e, sum->binary.x->binary.x->call.args.n, 0);
    NOTICED(&e, sum->binary.x->binary.y->call.fun->type,
        &e.c->types.basic[TYPE_INT16]);
    end(&e);
}

static void
test_body_statements(void **state)
{
    struct env e;
    struct ast_stmt *define, *loop, *cond, *leave, *ret;

    (void)state;
    begin(&e, src_body);
    define = stmt(&e, "f", 1);
    NOTICED(&e, define->assign.objs, NULL);
    loop = stmt(&e, "f", 3);
    cond = loop->range.body->stmts.at[0];
    leave = cond->if_.then->stmts.at[0];
    NOTICED(&e, cond->if_.cond->type, &e.c->types.basic[TYPE_INT]);
    NOTICED(&e, leave->branch.target, NULL);
    NOTICED(&e, leave->branch.target, cond);
    NOTICED(&e, loop->flags, 0);
    ret = stmt(&e, "f", 5);
    NOTICED(&e, ret->ret.func, NULL);
    NOTICED(&e, ret->ret.func, define->assign.rhs.at[0]->func);
    end(&e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_untyped),
        cmocka_unit_test(test_selections),
        cmocka_unit_test(test_captures),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_init_order),
        cmocka_unit_test(test_lazy),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_method_set),
        cmocka_unit_test(test_long_chains),
        cmocka_unit_test(test_body_names),
        cmocka_unit_test(test_body_types),
        cmocka_unit_test(test_body_statements),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
