/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/vm/fake.h"

static struct asm_prog prog;
static struct fake_result res;

/* fib: if n < 2 return n; return fib(n-1) + fib(n-2) */
static const struct code_ins fib[] = {
    ABC(JGEI, 0, 2, 1),
    ABC(RET1, 0, 0, 0),
    ABC(ADDI, 4, 0, -1),
    AI(CALL, 4, 1),
    ABC(MOV, 1, 4, 0),
    ABC(ADDI, 4, 0, -2),
    AI(CALL, 4, 1),
    ABC(ADD, 1, 1, 4),
    ABC(RET1, 1, 0, 0),
};

static void
run_fib(int n)
{
    const struct code_ins entry[] = {
        AI(LDI, 3, n),
        AI(CALL, 3, 1),
        ABC(RET1, 3, 0, 0),
    };

    asm_init(&prog);
    ASM_FUNC(&prog, "main.main", 0, 1, 1, 8, entry);
    ASM_FUNC(&prog, "main.fib", 1, 1, 2, 8, fib);
    fake_run(&prog, NULL, &res);
}

static void
calls_return(void **state)
{
    (void)state;
    run_fib(20);
    assert_int_equal(res.status, 0);
    assert_int_equal(res.r[0].i, 6765);
}

/* Deep recursion grows the stack; results survive the moves. */
static const struct code_ins sum[] = {
    ABC(JNEI, 0, 0, 2),
    AI(LDI, 1, 0),
    ABC(RET1, 1, 0, 0),
    ABC(ADDI, 4, 0, -1),
    AI(CALL, 4, 1),
    ABC(ADD, 1, 0, 4),
    ABC(RET1, 1, 0, 0),
};

static void
stack_grows(void **state)
{
    (void)state;
    const struct code_ins entry[] = {
        AI(LDI, 3, 200000),
        AI(CALL, 3, 1),
        ABC(RET1, 3, 0, 0),
    };

    asm_init(&prog);
    ASM_FUNC(&prog, "main.main", 0, 1, 1, 8, entry);
    ASM_FUNC(&prog, "main.sum", 1, 1, 2, 8, sum);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 0);
    assert_int_equal(res.r[0].i, 20000100000);
}

static void
stack_overflows(void **state)
{
    (void)state;
    const struct code_ins entry[] = {
        AI(LDI, 3, -1),
        AI(CALL, 3, 1),
        ABC(RET1, 3, 0, 0),
    };

    asm_init(&prog);
    ASM_FUNC(&prog, "main.main", 0, 1, 1, 8, entry);
    ASM_FUNC(&prog, "main.sum", 1, 1, 2, 8, sum);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 2);
    assert_non_null(strstr(res.text,
        "runtime: goroutine stack exceeds 1000000000-byte limit\n"
        "fatal error: stack overflow\n\ngoroutine 1 gp=0x"));
    assert_non_null(strstr(res.text,
        " [running]:\nmain.sum(...)\n\t/src/prog.go:14 +0x20\n"));
    assert_non_null(strstr(res.text, " frames elided...\n"));
    assert_non_null(strstr(res.text, "main.main()\n\t/src/prog.go:11 +0x8\n"));
}

static void
integers_wrap(void **state)
{
    (void)state;
    const struct code_ins entry[] = {
        AI(LDK, 1, 0),              /* min int64 */
        AI(LDI, 2, -1),
        ABC(DIV, 3, 1, 2),          /* min */
        ABC(REM, 4, 1, 2),          /* 0 */
        AI(LDI, 5, 200),
        ABC(SHL, 6, 2, 5),          /* 0 */
        ABC(SHR, 7, 1, 5),          /* -1 */
        ABC(USHR, 8, 2, 5),         /* 0 */
        AI(LDI, 9, 0x7fffffff),
        ABC(ADDI32, 9, 9, 1),       /* min int32 */
        ABC(SX8, 10, 5, 0),         /* -56 */
        ABC(SUB, 11, 1, 5),         /* wraps */
        ABC(RETN, 3, 9, 0),
    };

    asm_init(&prog);
    prog.consts[prog.im.nconsts++] = (uint64_t)1 << 63;
    ASM_FUNC(&prog, "main.main", 0, 9, 12, 16, entry);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.r[0].i, INT64_MIN);
    assert_int_equal(res.r[1].i, 0);
    assert_int_equal(res.r[3].i, 0);
    assert_int_equal(res.r[4].i, -1);
    assert_int_equal(res.r[5].i, 0);
    assert_int_equal(res.r[6].i, INT32_MIN);
    assert_int_equal(res.r[7].i, -56);
}

/* A jump table: SWITCH on 7, table 5..8. */
static void
jump_table(void **state)
{
    (void)state;
    for (int v = 4; v <= 9; v++) {
        const struct code_ins entry[] = {
            AI(LDI, 1, v),
            AI(SWITCH, 1, 4),
            EXT(0, 5),
            AI(JMP, 0, 4), /* 5 */
            AI(JMP, 0, 5), /* 6 */
            AI(JMP, 0, 6), /* 7 */
            AI(JMP, 0, 7), /* 8 */
            AI(LDI, 1, 100),
            ABC(RET1, 1, 0, 0),
            ABC(RET1, 1, 0, 0),
            AI(LDI, 1, 60),
            ABC(RET1, 1, 0, 0),
            AI(LDI, 1, 70),
            ABC(RET1, 1, 0, 0),
            AI(LDI, 1, 80),
            ABC(RET1, 1, 0, 0),
        };
        const int64_t want[] = { 100, 100, 60, 70, 80, 100 };

        asm_init(&prog);
        ASM_FUNC(&prog, "main.main", 0, 1, 2, 8, entry);
        prog.code[3].imm = 3;
        fake_run(&prog, NULL, &res);
        assert_int_equal(res.r[0].i, v == 5 ? 100 : want[v - 4]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_return),
        cmocka_unit_test(stack_grows),
        cmocka_unit_test(stack_overflows),
        cmocka_unit_test(integers_wrap),
        cmocka_unit_test(jump_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
