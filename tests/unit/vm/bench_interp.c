/* SPDX-License-Identifier: MIT */

/* Times of hand-assembled loops, to watch the interpreter's own speed apart
 * from the code generator's: `ninja benchmark`. */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "runtime/base/clock.h"
#include "tests/unit/vm/fake.h"

static struct asm_prog prog;
static struct fake_result res;

static void
report(const char *name, int64_t want)
{
    int64_t best = INT64_MAX;

    for (int i = 0; i < 5; i++) {
        int64_t t0 = rt_nanotime();
        fake_run(&prog, NULL, &res);
        int64_t t = rt_nanotime() - t0;
        if (t < best)
            best = t;
    }
    printf("%-8s %7.1f ms  %s\n", name, (double)best / 1e6,
        res.r[0].i == want ? "ok" : "WRONG");
}

static void
bench_fib(void)
{
    static const struct code_ins fib[] = {
        ABC(JGEI, 0, 2, 1),
        ABC(RET1, 0, 0, 0),
        ABC(ADDI, 4, 0, -1),
        AI(CALL, 4, 1),
        ABC(MOV, 1, 4, 0),
        ABC(ADDI, 4, 0, -2),
        AI(CALL, 4, 1),
        ABC(ADD, 0, 1, 4),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins entry[] = {
        AI(LDI, 3, 35),
        AI(CALL, 3, 1),
        ABC(RET1, 3, 0, 0),
    };

    asm_init(&prog);
    ASM_FUNC(&prog, "main.main", 0, 1, 1, 8, entry);
    ASM_FUNC(&prog, "main.fib", 1, 1, 2, 8, fib);
    report("fib", 9227465);
}

/* for i { for j { s = s*3 + i*j - (i-j) } }, 6000 by 6000 */
static void
bench_loop(void)
{
    static const struct code_ins entry[] = {
        AI(LDI, 0, 6000), /* n */
        AI(LDI, 1, 0),    /* s */
        AI(LDI, 2, 0),    /* i */
        AI(LDI, 3, 0),    /* j */
        ABC(MULI, 1, 1, 3),
        ABC(MUL, 4, 2, 3),
        ABC(ADD, 1, 1, 4),
        ABC(SUB, 4, 2, 3),
        ABC(SUB, 1, 1, 4),
        ABC(FORLT, 3, 0, -6),
        ABC(FORLT, 2, 0, -8),
        ABC(RET1, 1, 0, 0),
    };
    uint64_t s = 0;

    for (uint64_t i = 0; i < 6000; i++)
        for (uint64_t j = 0; j < 6000; j++)
            s = s * 3 + i * j - (i - j);
    asm_init(&prog);
    ASM_FUNC(&prog, "main.main", 0, 1, 6, 8, entry);
    report("loop", (int64_t)s);
}

static struct rtype type_bool = {
    .layout = { 1, 0, NULL },
    .kind = RK_BOOL,
    .align = 1,
    .slots = 1,
    .string = "bool",
    .name = "bool",
    .pkgpath = "",
};

/* Counts the primes below 5,000,000. */
static void
bench_sieve(void)
{
    enum { N = 5000000 };
    static const struct code_ins entry[] = {
        AI(LDI, 0, N),
        ABC(MAKESLICE, 1, 0, 0), /* r1..3 */
        EXT(0, 0),
        AI(LDI, 4, 0),           /* count */
        AI(LDI, 5, 2),           /* i */
        AI(LDI, 8, 1),
        ABC(LDX8U, 6, 1, 5),     /* loop: */
        AI(JT, 6, 5),
        ABC(ADDI, 4, 4, 1),
        ABC(ADD, 7, 5, 5),       /* j = i + i */
        ABC(JLE, 0, 7, 3),
        ABC(STX8, 8, 1, 7),      /* inner: */
        ABC(ADD, 7, 7, 5),
        ABC(LJLT, 7, 0, -3),
        ABC(FORLT, 5, 0, -9),
        ABC(RET1, 4, 0, 0),
    };

    asm_init(&prog);
    asm_type(&prog, &type_bool);
    ASM_FUNC(&prog, "main.main", 0, 1, 10, 16, entry);
    prog.code[7].imm = 6;
    report("sieve", 348513);
}

int
main(void)
{
    bench_fib();
    bench_loop();
    bench_sieve();
    return 0;
}
