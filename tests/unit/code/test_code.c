/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "runtime/code/disasm.h"
#include "runtime/code/opinfo.h"
#include "runtime/code/verify.h"
#include "tests/unit/vm/asm.h"

static struct asm_prog prog;

static const struct code_ins good[] = {
    AI(LDI, 0, 3),
    ABC(SLICE, 1, 1, 4),
    EXT(3, 8),
    ABC(JLTI, 0, 7, -4),
    AI(SWITCH, 0, 2),
    EXT(0, 1),
    AI(JMP, 0, 1),
    AI(JMP, 0, 0),
    ABC(RET, 0, 0, 0),
};

static void
begin(void)
{
    asm_init(&prog);
    ASM_FUNC(&prog, "main.main", 0, 0, 8, 12, good);
    prog.funcs[0].code[3].c = (uint16_t)-3;
}

static void
verifies(void **state)
{
    (void)state;
    struct rt_err e;
    static const struct {
        unsigned at;
        struct code_ins ins;
        const char *want;
    } bad[] = {
        { 0, ABC(MOV, 12, 0, 0), "slot outside the frame" },
        { 0, AI(LDK, 0, 0), "constant number out of range" },
        { 0, AI(CALL, 1, 0), "call base leaves no room" },
        { 0, AI(CALL, 13, 0), "call base outside the frame" },
        { 0, AI(CALL, 10, 1), "function number out of range" },
        { 0, AI(NEW, 0, 0), "type number out of range" },
        { 0, AI(EXT, 0, 0), "unknown instruction" },
        { 0, AI(END, 0, 0), "unknown instruction" },
        { 2, ABC(NOP, 0, 0, 0), "EXT word missing" },
        { 3, ABC(JLTI, 0, 7, 100), "jump to no instruction" },
        { 3, ABC(JLTI, 0, 7, -2), "jump to no instruction" },
        { 7, ABC(NOP, 0, 0, 0), "jump table with something else" },
        { 8, ABC(NOP, 0, 0, 0), "jump to no instruction" },
    };

    begin();
    assert_int_equal(code_verify(&prog.im, &e), RT_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        begin();
        prog.code[bad[i].at] = bad[i].ins;
        e.text[0] = '\0';
        if (code_verify(&prog.im, &e) != RT_EFORMAT ||
            strstr(e.text, bad[i].want) == NULL)
            fail_msg("row %zu: %s", i, e.text);
    }
    begin();
    prog.im.entry = 5;
    assert_int_equal(code_verify(&prog.im, &e), RT_EFORMAT);
}

static void
looks_up(void **state)
{
    (void)state;
    static const struct code_ins f2[] = { ABC(NOP, 0, 0, 0),
        ABC(RET, 0, 0, 0) };
    static const struct code_line lines[] = { { 0, 0, 7 }, { 3, 0, 9 } };

    begin();
    ASM_FUNC(&prog, "main.f", 0, 0, 0, 0, f2);
    assert_ptr_equal(
        code_find_func(&prog.im, prog.code + 8), &prog.funcs[0]);
    assert_ptr_equal(
        code_find_func(&prog.im, prog.code + 9), &prog.funcs[1]);
    assert_null(code_find_func(&prog.im, prog.code + 11));
    struct code_func f = { .lines = lines, .nlines = 2 };
    assert_int_equal(code_find_line(&f, 2)->line, 7);
    assert_int_equal(code_find_line(&f, 3)->line, 9);
    assert_int_equal(code_find_line(&f, 99)->line, 9);
    assert_string_equal(code_op_name(OP_FORLT), "FORLT");
    assert_string_equal(code_op_name(60000), "?");
    assert_int_equal(code_ext_words(&good[1]), 1);
    struct code_ins sel = ABC(SELECT, 0, 3, 0);
    assert_int_equal(code_ext_words(&sel), 6);
}

static void
lists(void **state)
{
    (void)state;
    char buf[200];

    begin();
    const struct code_func *f = &prog.funcs[0];
    code_disasm_ins(&prog.im, f, f->code + 3, buf, sizeof buf);
    assert_string_equal(buf, "JLTI r0, 7, ->1");
    code_disasm_ins(&prog.im, f, f->code + 1, buf, sizeof buf);
    assert_string_equal(buf, "SLICE r1, r1, r4, size 8, lo hi");
    /* A short buffer is cut and terminated. */
    code_disasm_ins(&prog.im, f, f->code + 1, buf, 6);
    assert_string_equal(buf, "SLICE");
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    assert_true(code_disasm_func(&prog.im, f, out));
    fclose(out);
    assert_non_null(strstr(text, "func main.main  #0"));
    assert_non_null(strstr(text, "  /src/prog.go:13\n       3  JLTI"));
    free(text);
}

/* Each row of opcode.def is well-formed. */
static void
table(void **state)
{
    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        const struct code_opinfo *o = code_opinfo(op);
        assert_non_null(o->name);
        for (unsigned i = 0; i < 3; i++)
            assert_non_null(strchr("dumijksgTFNSB-", o->col[i][0]));
    }
    assert_null(code_opinfo(OP_COUNT));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verifies),
        cmocka_unit_test(looks_up),
        cmocka_unit_test(lists),
        cmocka_unit_test(table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
