/* SPDX-License-Identifier: MIT */

/*
 * What code_operands() says of a SELECT, whose slots are in its EXT words,
 * beside what it does when it is executed: the value of the case that is taken
 * is written or sent, and no other.  (tests/lint/check_ops.py holds the columns
 * of opcode.def against the text of the other instructions.)
 */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/code/opinfo.h"
#include "tests/unit/vm/fake.h"

static struct asm_prog prog;
static struct fake_result res;

enum { T_INT, T_CHAN };

/* Slots of main.main. */
enum { EMPTY, SENT, WANTED, READY, BACK, LEFT, TAKEN, DEFAULT, VALUE, ANSWER,
    NSLOTS, ARGS = NSLOTS + 2 };

static const struct code_ins entry[] = {
    AI(ZERO, 0, NSLOTS),
    ABC(CHANMAKE, EMPTY, ANSWER, 0),
    EXT(0, T_CHAN),
    ABC(CHANMAKE, SENT, ANSWER, 0),
    EXT(0, T_CHAN),
    ABC(CHANMAKE, WANTED, ANSWER, 0),
    EXT(0, T_CHAN),
    ABC(CHANMAKE, READY, ANSWER, 0),
    EXT(0, T_CHAN),
    ABC(CHANMAKE, BACK, ANSWER, 0),
    EXT(0, T_CHAN),
    /* Somebody who sends, and somebody who receives and sends that back; both
     * wait when they have been heard of. */
    ABC(MOV2, ARGS, SENT, 0),
    ABC(MOV, ARGS + 1, READY, 0),
    ABC(GO, ARGS, 2, 0),
    EXT(0, 1),
    ABC(CHANRECV, CODE_NO_SLOT, READY, 0),
    EXT(0, T_CHAN),
    ABC(MOV, ARGS, WANTED, 0),
    ABC(MOV2, ARGS + 1, READY, 0),
    ABC(GO, ARGS, 3, 0),
    EXT(0, 2),
    ABC(CHANRECV, CODE_NO_SLOT, READY, 0),
    EXT(0, T_CHAN),
    AI(LDI, LEFT, 77),
    AI(LDI, TAKEN, 88),
    AI(LDI, DEFAULT, 99),
    AI(LDI, VALUE, 11),
    ABC(SELECT, 0, 2, 1),
    EXT(EMPTY, 0),
    EXT(LEFT, T_CHAN),
    EXT(SENT, 0),
    EXT(TAKEN, T_CHAN),
    ABC(SELECT, 0, 1, 1),
    EXT(EMPTY, 0),
    EXT(DEFAULT, T_CHAN),
    ABC(SELECT, 0, 1, 1),
    EXT(WANTED, 1),
    EXT(VALUE, T_CHAN),
    ABC(CHANRECV, ANSWER, BACK, 0),
    EXT(0, T_CHAN),
    ABC(RETN, LEFT, 5, 0),
};

/* func(to, ready chan int) { ready <- 0; to <- 5 } */
static const struct code_ins sends[] = {
    AI(LDI, 2, 0),
    ABC(CHANSEND, 0, 1, 2),
    EXT(0, T_CHAN),
    AI(LDI, 2, 5),
    ABC(CHANSEND, 0, 0, 2),
    EXT(0, T_CHAN),
    ABC(RET, 0, 0, 0),
};

/* func(from, ready, back chan int) { ready <- 0; back <- <-from } */
static const struct code_ins returns[] = {
    AI(LDI, 3, 0),
    ABC(CHANSEND, 0, 1, 3),
    EXT(0, T_CHAN),
    ABC(CHANRECV, 3, 0, 0),
    EXT(0, T_CHAN),
    ABC(CHANSEND, 0, 2, 3),
    EXT(0, T_CHAN),
    ABC(RET, 0, 0, 0),
};

/* What all SELECTs together do with each slot. */
struct told {
    bool use[NSLOTS], def[NSLOTS], may[NSLOTS];
};

static void
tell(void *arg, const struct code_operand *o)
{
    struct told *t = arg;

    assert_int_equal(o->n, 1);
    assert_true(o->slot < NSLOTS);
    t->use[o->slot] |= o->use;
    t->def[o->slot] |= o->def;
    t->may[o->slot] |= o->may;
}

static void
select_as_told(void **state)
{
    struct told t = { { false }, { false }, { false } };

    (void)state;
    asm_init(&prog);
    asm_type(&prog, &fake_int);
    asm_type(&prog, &fake_chan);
    ASM_FUNC(&prog, "main.main", 0, 5, NSLOTS, ARGS + 4, entry);
    ASM_FUNC(&prog, "main.sends", 2, 0, 4, 4, sends);
    ASM_FUNC(&prog, "main.returns", 3, 0, 5, 5, returns);
    for (const struct code_ins *pc = prog.funcs[0].code;
         pc < prog.funcs[0].code + prog.funcs[0].ncode; pc = code_after(pc))
        if (pc->op == OP_SELECT)
            code_operands(&prog.im, pc, tell, &t);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 0);
    /* What may be written lives on where its case is not taken. */
    assert_int_equal(res.r[LEFT - LEFT].i, 77);
    assert_int_equal(res.r[TAKEN - LEFT].i, 5);
    assert_int_equal(res.r[DEFAULT - LEFT].i, 99);
    for (unsigned i = LEFT; i <= DEFAULT; i++)
        assert_true(t.may[i] && !t.def[i] && !t.use[i]);
    /* What is sent is read, and stays. */
    assert_int_equal(res.r[VALUE - LEFT].i, 11);
    assert_int_equal(res.r[ANSWER - LEFT].i, 11);
    assert_true(t.use[VALUE] && !t.def[VALUE] && !t.may[VALUE]);
    for (unsigned i = EMPTY; i <= WANTED; i++)
        assert_true(t.use[i] && !t.def[i] && !t.may[i]);
    assert_false(t.use[READY] || t.use[ANSWER] || t.may[ANSWER]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(select_as_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
