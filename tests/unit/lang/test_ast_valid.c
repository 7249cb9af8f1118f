/* SPDX-License-Identifier: MIT */

/* Trees that are as ast.h says, and such as somebody has damaged. */
#include "runtime/lang/syntax/ast_valid.h"

#include "tests/unit/lang/check.h"
#include "tests/unit/lang/fixture.h"

static const char src[] =
    "package p\n"
    "import \"fmt\"\n"
    "const ( a = iota; b )\n"
    "type T struct { x, y int; next *T }\n"
    "func f(n int, s []int) (r int, err error) {\n"
    "L:	for i := range s {\n"
    "		switch { case i > n: continue L; default: break L }\n"
    "	}\n"
    "	var t = T{x: 1, y: 2}\n"
    "	if n == 0 { n++ } else if n == 1 { n += 2 } else { s = s[1:n:3] }\n"
    "	defer fmt.Println(t.x, s[0])\n"
    "	goto end\n"
    "end:\n"
    "	return n + 1, nil\n"
    "}\n";

/* The slot is not what it was: that is noticed, and nothing else is. */
#define NOTICED(file, slot, value)            \
    do {                                      \
        __typeof__(slot) was = (slot);        \
                                              \
        assert_true(ast_file_valid(file));    \
        (slot) = (value);                     \
        assert_false(ast_file_valid(file));   \
        (slot) = was;                         \
        assert_true(ast_file_valid(file));    \
    } while (0)

static struct ast_stmt *
stmt(struct ast_file *file, uint32_t i)
{
    return file->decls.at[4]->func.func.body->stmts.at[i];
}

static void
test_declarations(void **state)
{
    struct fixture f;
    struct ast_file *file;
    struct ast_decl **d;
    struct ast_fields *fields;

    (void)state;
    fixture_begin(&f, 0);
    file = fixture_parse(&f, src, 0);
    d = file->decls.at;
    NOTICED(file, file->nimport, 0);
    NOTICED(file, file->nimport, 2);
    NOTICED(file, d[1], d[2]);
    NOTICED(file, d[2]->cnst.from, d[2]);
    NOTICED(file, d[2]->cnst.iota, 0);
    NOTICED(file, d[1]->cnst.nname, 0);
    NOTICED(file, d[3]->type.type, NULL);
    NOTICED(file, d[4]->file, NULL);
    NOTICED(file, d[4]->func.func.lbrace, 0);
    NOTICED(file, d[4]->func.func.lazy, 1);
    fields = &d[4]->func.func.sig->results;
    NOTICED(file, fields->at[0]->name.name, NULL);
    fields = &d[3]->type.type->struct_.fields;
    NOTICED(file, fields->at[1]->tag, file->decls.at[0]->import.path);
    NOTICED(file, fields->at[2]->type->x, NULL);
    fixture_end(&f);
}

static void
test_statements(void **state)
{
    struct fixture f;
    struct ast_file *file;
    struct ast_stmt *loop, *sw, *chain;

    (void)state;
    fixture_begin(&f, 0);
    file = fixture_parse(&f, src, 0);
    loop = stmt(file, 0)->labeled.stmt;
    NOTICED(file, stmt(file, 0)->labeled.stmt, NULL);
    NOTICED(file, loop->flags, 0);
    NOTICED(file, loop->range.key, NULL);
    NOTICED(file, loop->range.body->rbrace, loop->range.body->lbrace);
    sw = loop->range.body->stmts.at[0];
    NOTICED(file, sw->switch_.cases[0]->is_default, 1);
    NOTICED(file, sw->switch_.cases[1]->falls, 1);
    NOTICED(file, sw->switch_.cases[0]->body.at[0]->branch.target, sw);
    NOTICED(file, sw->switch_.cases[1]->body.at[0]->branch.target, NULL);
    chain = stmt(file, 2);
    NOTICED(file, chain->if_.cond, NULL);
    NOTICED(file, chain->if_.els->if_.els, loop);
    NOTICED(file, chain->if_.then->stmts.at[0]->op, TOK_MUL);
    NOTICED(file, chain->if_.then->stmts.at[0]->pos, 0);
    NOTICED(file, stmt(file, 4)->branch.target, loop);
    NOTICED(file, stmt(file, 5)->labeled.used, 0);
    NOTICED(file, stmt(file, 3)->x, NULL);
    fixture_end(&f);
}

static void
test_expressions(void **state)
{
    struct fixture f;
    struct ast_file *file;
    struct ast_expr *lit, *call, *sum, *slice;

    (void)state;
    fixture_begin(&f, 0);
    file = fixture_parse(&f, src, 0);
    lit = stmt(file, 1)->decl.decls.at[0]->var.values.at[0];
    NOTICED(file, lit->composite.nkey, 1);
    NOTICED(file, lit->composite.elems.at[0]->kv.value, NULL);
    NOTICED(file, lit->composite.type->kind, EXPR_BAD);
    call = stmt(file, 3)->x;
    NOTICED(file, call->flags, AST_F_CONVERSION);
    NOTICED(file, call->call.args.at[0], lit->composite.elems.at[0]);
    NOTICED(file, call->call.args.at[1]->index.at.n, 0);
    NOTICED(file, call->call.fun->selector.sel.name, NULL);
    NOTICED(file, call->call.fun->selector.x, NULL);
    sum = stmt(file, 5)->labeled.stmt->ret.values.at[0];
    NOTICED(file, sum->op, TOK_LPAREN);
    NOTICED(file, sum->binary.y->lit.len, 0);
    NOTICED(file, sum->binary.x->mode, MODE_VAR);
    slice = stmt(file, 2)->if_.els->if_.els->block->stmts.at[0]
                ->assign.rhs.at[0];
    NOTICED(file, slice->slice.max, NULL);
    NOTICED(file, slice->flags, 0);
    fixture_end(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_statements),
        cmocka_unit_test(test_expressions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
