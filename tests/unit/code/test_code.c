/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "runtime/code/disasm.h"
#include "runtime/code/live.h"
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

/* One function of its own in a program with one type. */
static enum rt_status
verify_func(const struct code_ins *code, uint32_t n, uint32_t recover_off,
    struct rt_err *e)
{
    static const struct rtype type = { .kind = RK_MAP, .slots = 1,
        .key = &type, .elem = &type };
    struct code_func *f;

    asm_init(&prog);
    f = asm_func(&prog, "main.main", 0, 0, 8, 12, code, n);
    prog.types[0] = &type;
    prog.im.ntypes = 1;
    if (recover_off != 0) {
        f->flags |= CODE_F_DEFER;
        f->recover_off = recover_off;
    }
    e->text[0] = 0;
    return code_verify(&prog.im, e);
}

/* What stands in the words behind an instruction. */
static void
verifies_words(void **state)
{
    struct code_ins next[] = { ABC(MAPNEXT, 0, 1, 2), EXT(0, 0), EXT(0, 0),
        ABC(RET, 0, 0, 0) };
    struct code_ins sel[] = { ABC(SELECT, 0, 2, 0), EXT(0, 0), EXT(1, 0),
        EXT(2, 0), EXT(3, 0), ABC(RET, 0, 0, 0) };
    struct code_ins clo[] = { ABC(MKCLO, 0, 1, 1), EXT(0, 0),
        ABC(RET, 0, 0, 0) };
    struct code_ins size[] = { ABC(XADDR, 0, 1, 3), EXT(0, 8),
        ABC(RET, 0, 0, 0) };
    struct code_ins elem[] = { ABC(FLDX, 0, 4, 1), EXT(0, 8),
        ABC(RET, 0, 0, 0) };
    struct rt_err e;

    (void)state;
    assert_int_equal(verify_func(next, 4, 0, &e), RT_OK);
    next[2].imm = 1;
    assert_int_equal(verify_func(next, 4, 0, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "type number out of range"));
    next[2].imm = 0;
    next[1].imm = 1;
    assert_int_equal(verify_func(next, 4, 0, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "jump to no instruction"));
    assert_int_equal(verify_func(sel, 6, 0, &e), RT_OK);
    for (unsigned i = 2; i <= 4; i += 2) {
        sel[i].imm = 1;
        assert_int_equal(verify_func(sel, 6, 0, &e), RT_EFORMAT);
        assert_non_null(strstr(e.text, "type number out of range"));
        sel[i].imm = 0;
    }
    assert_int_equal(verify_func(clo, 3, 0, &e), RT_OK);
    clo[1].imm = 1;
    assert_int_equal(verify_func(clo, 3, 0, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "function number out of range"));
    clo[1].imm = 0;
    clo[1].a = 1;
    assert_int_equal(verify_func(clo, 3, 0, &e), RT_OK);
    clo[1].a = 2;
    assert_int_equal(verify_func(clo, 3, 0, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "more words of its own"));
    assert_int_equal(verify_func(size, 3, 0, &e), RT_OK);
    size[1].imm = -8;
    assert_int_equal(verify_func(size, 3, 0, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "negative size"));
    assert_int_equal(verify_func(elem, 3, 0, &e), RT_OK);
    elem[1].imm = 9;
    assert_int_equal(verify_func(elem, 3, 0, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "slot outside the frame"));
    elem[1].imm = -4; /* its end would be 0 */
    assert_int_equal(verify_func(elem, 3, 0, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "negative size"));
}

/* Which bounds a slice expression has: those of strings have two, and only what
 * is given has a sign. */
static void
verifies_bounds(void **state)
{
    static const struct {
        uint16_t op, flags;
        enum rt_status st;
    } rows[] = {
        { OP_SLICE, 0, RT_OK },
        { OP_SLICE, CODE_SLICE_ALL, RT_OK },
        { OP_SLICE, CODE_SLICE_ALL + 1, RT_EFORMAT },
        { OP_SLICE, CODE_SLICE_HI | CODE_SLICE_NO_SIGN, RT_EFORMAT },
        { OP_SLICE, CODE_SLICE_HI | CODE_SLICE_NO_SIGN << 1, RT_OK },
        { OP_SLICESTR, CODE_SLICE_LO | CODE_SLICE_HI, RT_OK },
        { OP_SLICESTR, CODE_SLICE_LO | CODE_SLICE_MAX, RT_EFORMAT },
        { OP_SLICESTR, CODE_SLICE_ARRAY, RT_EFORMAT },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct code_ins code[] = {
            { .op = rows[i].op, .a = 0, .b = 3, .c = 6 },
            { .op = OP_EXT, .a = rows[i].flags, .imm = 8 },
            ABC(RET, 0, 0, 0) };
        struct rt_err e;

        assert_int_equal(verify_func(code, 3, 0, &e), rows[i].st);
    }
}

/* Recovery goes on inside of the function. */
static void
verifies_recovery(void **state)
{
    static const struct code_ins code[] = { ABC(NOP, 0, 0, 0),
        ABC(RET, 0, 0, 0) };
    struct rt_err e;

    (void)state;
    assert_int_equal(verify_func(code, 2, 1, &e), RT_OK);
    assert_int_equal(verify_func(code, 2, 2, &e), RT_EFORMAT);
    assert_non_null(strstr(e.text, "recovery offset outside"));
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

/* One operand descriptor: how many slots, of what. */
static bool
well_formed(const char *d)
{
    if (strchr("dumw", d[0]) == NULL)
        return strchr("ijksgTFNSB-", d[0]) != NULL && d[1] == 0;
    if (d[1] == 'T' || d[1] == 'K' || d[1] == 'V')
        return d[2] == 0;
    size_t letters = strspn(d + 2, "ifhcpx");
    if (strchr("123n", d[1]) == NULL || letters == 0)
        return false;
    if (d[1] != 'n' && letters != 1 && letters != (size_t)(d[1] - '0'))
        return false;
    return d[2 + letters] == 0 ||
        (d[2 + letters] == '+' && well_formed(d + 3 + letters));
}

/* A chain of jumps, each to the one before it in the code: what its end reads
 * is live along all of it. */
static void
lives(void **state)
{
    enum { N = 20000 };
    struct code_ins *code = calloc(N, sizeof *code);
    struct code_image im = { .code = code, .ncode = N };
    struct code_func f = { .code = code, .ncode = N, .nslots = 8 };

    (void)state;
    assert_non_null(code);
    code[0] = (struct code_ins)AI(JMP, 0, N - 2);
    code[1] = (struct code_ins)ABC(RET1, 5, 0, 0);
    for (unsigned i = 2; i < N; i++)
        code[i] = (struct code_ins)AI(JMP, 0, -2);
    uint64_t *table = code_live_compute(&im, &f);
    assert_non_null(table);
    for (unsigned i = 0; i < N; i++)
        assert_int_equal(*code_live_at(table, i), 1 << 5);
    free(table);
    /* Both ways of a branch, and what lies behind a jump table. */
    code[0] = (struct code_ins)AI(JT, 1, 1);
    code[1] = (struct code_ins)ABC(RET1, 5, 0, 0);
    code[2] = (struct code_ins)AI(SWITCH, 2, 2);
    code[3] = (struct code_ins)AI(EXT, 0, 0);
    code[4] = (struct code_ins)AI(JMP, 0, -4);
    code[5] = (struct code_ins)AI(JMP, 0, 1);
    code[6] = (struct code_ins)ABC(RET1, 6, 0, 0);
    code[7] = (struct code_ins)ABC(RET1, 7, 0, 0);
    f.ncode = 8;
    table = code_live_compute(&im, &f);
    assert_non_null(table);
    assert_int_equal(*code_live_at(table, 0), 0xe6);
    assert_int_equal(*code_live_at(table, 2), 0xe4);
    assert_int_equal(*code_live_at(table, 4), 0x20);
    assert_int_equal(*code_live_at(table, 5), 0x80);
    free(table);
    /* After any instruction of a function that defers, recovery may follow. */
    f.flags = CODE_F_DEFER;
    f.recover_off = 7;
    table = code_live_compute(&im, &f);
    assert_non_null(table);
    assert_int_equal(*code_live_at(table, 4), 0xa0);
    free(table);
    /* A call needs its arguments, and leaves nothing in the callee's frame. */
    struct code_func callee = {.nargs = 2, .nres = 1};
    im.funcs = &callee;
    im.nfuncs = 1;
    code[0] = (struct code_ins)AI(CALL, 4, 0);
    code[1] = (struct code_ins)AI(JT, 1, 1);
    code[2] = (struct code_ins)ABC(RET1, 4, 0, 0);
    code[3] = (struct code_ins)ABC(RET1, 7, 0, 0);
    f.ncode = 4;
    f.flags = 0;
    table = code_live_compute(&im, &f);
    assert_non_null(table);
    assert_int_equal(*code_live_at(table, 1), 0x92);
    assert_int_equal(*code_live_at(table, 0), 0x32);
    free(table);
    free(code);
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
            assert_true(well_formed(o->col[i]));
        assert_int_equal(strspn(o->does, "PSWABHE-"), strlen(o->does));
    }
    assert_null(code_opinfo(OP_COUNT));
    assert_int_equal(code_does(OP_COUNT), 0);
    assert_int_equal(code_does(OP_ADD), 0);
    assert_int_equal(code_does(OP_THROW),
        CODE_PANICS | CODE_CALLS_C | CODE_ENDS);
    assert_int_equal(code_does(OP_CALLN), CODE_PANICS | CODE_SAFEPOINT |
            CODE_PARKS | CODE_ALLOCATES | CODE_BARRIER | CODE_CALLS_C);
}

/* The operands of an instruction as text: "use 4 pi, def 1 i". */
struct told {
    char text[200];
    size_t n;
};

static void
tell(void *arg, const struct code_operand *o)
{
    static const char letters[] = "xifhcp";
    struct told *t = arg;

    t->n += (size_t)snprintf(t->text + t->n, sizeof t->text - t->n,
        "%s%s%s%s %u ", t->n == 0 ? "" : ", ", o->def ? "def" : "",
        o->use ? "use" : "", o->may ? "may" : "", o->slot);
    for (uint32_t i = 0; i < o->n; i++)
        t->n += (size_t)snprintf(t->text + t->n, sizeof t->text - t->n, "%c",
            letters[code_class_of(o, i)]);
}

static const char *
operands(struct told *t, const struct code_ins *pc)
{
    *t = (struct told){ .n = 0 };
    code_operands(&prog.im, pc, tell, t);
    return t->text;
}

/* What the columns of opcode.def say of slots, and what they cannot say. */
static void
operand_slots(void **state)
{
    (void)state;
    struct told t;
    struct code_ins ins[3] = { { .op = OP_LDX2, .a = 1, .b = 4, .c = 9 } };

    begin();
    assert_string_equal(operands(&t, ins), "def 1 xx, use 4 pi, use 9 i");
    ins[0] = (struct code_ins){ .op = OP_MADDF, .a = 1, .b = 2, .c = 3 };
    assert_string_equal(operands(&t, ins), "defuse 1 f, use 2 f, use 3 f");
    /* The position is read and written; the two behind it only where the
     * loop goes on. */
    ins[0] = (struct code_ins){ .op = OP_RANGESTR, .a = 3, .b = 7 };
    assert_string_equal(operands(&t, ins), "defuse 3 i, may 4 ii, use 7 pi");
    ins[0] = (struct code_ins){ .op = OP_CONCAT, .a = 0, .b = 2, .c = 2 };
    assert_string_equal(operands(&t, ins), "def 0 pi, use 2 pipi");
    ins[0] = (struct code_ins){ .op = OP_FX32U, .a = 2, .imm = 28 };
    assert_string_equal(operands(&t, ins), "use 3 x, def 2 x");
    ins[0] = (struct code_ins){ .op = OP_GOC, .a = 5, .b = 2, .c = 1 };
    assert_string_equal(operands(&t, ins), "use 5 xx, use 1 p");
    ins[0] = (struct code_ins){ .op = OP_SLICE, .a = 1, .b = 5, .c = 9 };
    ins[1] = (struct code_ins){ .op = OP_EXT, .a = 1 | 4, .imm = 8 };
    assert_string_equal(
        operands(&t, ins), "use 5 pii, use 9 i, use 11 i, def 1 pii");
    assert_ptr_equal(code_after(ins), ins + 2);
    /* CODE_NO_SLOT: not wanted. */
    ins[0] = (struct code_ins){ .op = OP_ASSERTIOK, .a = CODE_NO_SLOT,
        .b = 5, .c = 3 };
    assert_string_equal(operands(&t, ins), "use 5 pp, def 3 i");
}

/* Slots one by one, of which some have been met. */
struct slots {
    const struct code_fixed *fixed;
    const struct code_ins *pc;
    int n, met;
};

/* Goes on to the next slot that there is. */
static void
next_slot(struct slots *s)
{
    const uint16_t at[3] = {s->pc->a, s->pc->b, s->pc->c};

    while (s->met < s->n && at[s->fixed[s->met].column] == CODE_NO_SLOT)
        s->met++;
}

static void
meet(void *arg, const struct code_operand *o)
{
    struct slots *s = arg;
    const uint16_t at[3] = {s->pc->a, s->pc->b, s->pc->c};

    for (uint32_t i = 0; i < o->n; i++) {
        next_slot(s);
        assert_true(s->met < s->n);
        const struct code_fixed *f = &s->fixed[s->met++];
        assert_int_equal((uint32_t)at[f->column] + f->plus, o->slot + i);
        assert_int_equal(f->holds, code_class_of(o, i));
        assert_true(f->def == o->def && f->use == o->use && f->may == o->may);
    }
}

/* The slots that each instruction of a kind has are those of any one, whatever
 * words it has and wherever it is checked. */
static void
fixed_operands(void **state)
{
    static const struct code_ins words[] = {{.a = 1, .b = 20, .c = 300},
        {.a = 9, .b = 9, .c = 9}, {.a = CODE_NO_SLOT, .b = 3, .c = 7}};
    unsigned known = 0;

    (void)state;
    begin();
    for (unsigned op = 0; op < 2 * OP_COUNT; op++) {
        struct code_fixed fixed[CODE_FIXED_MAX];
        int n = code_fixed_operands(op, fixed);

        known += n >= 0 && op < OP_COUNT;
        for (unsigned i = 0; n >= 0 && i < sizeof words / sizeof *words; i++) {
            struct code_ins pc[3] = {words[i]};
            struct slots s = {fixed, pc, n, 0};

            pc[0].op = (uint16_t)op;
            code_operands(&prog.im, pc, meet, &s);
            next_slot(&s);
            assert_int_equal(s.met, n);
        }
    }
    assert_true(known > OP_COUNT * 3 / 4);
    assert_int_equal(code_fixed_operands(2 * OP_COUNT, NULL), -1);
}

/* Both are calls with the same area, or neither is. */
static bool
calls_alike(const struct code_ins *x, const struct code_ins *y)
{
    const struct code_image im = {0};
    uint32_t a[2] = {0}, b[2] = {0};

    return code_call_area(&im, x, &a[0], &a[1]) ==
        code_call_area(&im, y, &b[0], &b[1]) && a[0] == b[0] && a[1] == b[1];
}

/* What accesses memory has a checked form, which is the same to all who look
 * at code. */
static void
checked(void **state)
{
    unsigned forms = 0;

    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        unsigned with = code_checked(op);

        assert_int_equal(code_plain(op), op);
        if (with == op) {
            assert_string_equal(code_opinfo(op)->access, "no");
            assert_null(code_opinfo(op + OP_COUNT));
            continue;
        }
        forms++;
        assert_int_equal(code_plain(with), op);
        assert_int_equal(code_checked(with), with);
        assert_ptr_equal(code_opinfo(with), code_opinfo(op));
        assert_string_equal(code_op_name(with), code_op_name(op));
        assert_int_equal(code_does(with), code_does(op));
        assert_int_equal(code_does(op) & CODE_ENDS, 0);
        struct code_ins plain[4] = {
            { .op = (uint16_t)op, .a = 4, .b = 8, .c = 12 },
            { .op = OP_EXT, .a = 2, .imm = 24 }, { .op = OP_EXT } };
        struct code_ins form[4];
        memcpy(form, plain, sizeof form);
        form[0].op = (uint16_t)with;
        struct told a, b;
        assert_string_equal(operands(&a, plain), operands(&b, form));
        assert_int_equal(code_after(plain) - plain, code_after(form) - form);
        assert_true(calls_alike(plain, form));
    }
    assert_true(forms > 60);
    assert_int_equal(code_checked(OP_LD64), OP_COUNT + OP_LD64);
    assert_int_equal(code_checked(OP_ADD), OP_ADD);
    assert_int_equal(code_checked(2 * OP_COUNT), 2 * OP_COUNT);
    assert_null(code_opinfo(2 * OP_COUNT));
    assert_int_equal(code_plain(2 * OP_COUNT), 2 * OP_COUNT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verifies),
        cmocka_unit_test(looks_up),
        cmocka_unit_test(lists),
        cmocka_unit_test(lives),
        cmocka_unit_test(verifies_words),
        cmocka_unit_test(verifies_bounds),
        cmocka_unit_test(verifies_recovery),
        cmocka_unit_test(table),
        cmocka_unit_test(checked),
        cmocka_unit_test(operand_slots),
        cmocka_unit_test(fixed_operands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
