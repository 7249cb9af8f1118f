/* SPDX-License-Identifier: MIT */

/* Programs that are collected at every safepoint. */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/vm/fake.h"

static struct asm_prog prog;
static struct fake_result res;

static struct rtype type_node; /* struct { next *node; v int } */
static struct rtype type_ptr = {
    .layout = { 8, 8, fake_mask1 },
    .kind = RK_POINTER,
    .align = 8,
    .flags = RT_F_DIRECT | RT_F_COMPARABLE | RT_F_MEMEQ,
    .slots = 1,
    .string = "*main.node",
    .name = "",
    .pkgpath = "",
    .elem = &type_node,
};
static struct rtype type_node = {
    .layout = { 16, 8, fake_mask1 },
    .kind = RK_STRUCT,
    .align = 8,
    .slots = 2,
    .string = "main.node",
    .name = "node",
    .pkgpath = "main",
};
static struct rtype type_chan = {
    .layout = { 8, 8, fake_mask1 },
    .kind = RK_CHAN,
    .align = 8,
    .flags = RT_F_DIRECT | RT_F_COMPARABLE,
    .slots = 1,
    .string = "chan *main.node",
    .name = "",
    .pkgpath = "",
    .elem = &type_ptr,
};
static struct rtype type_map = {
    .layout = { 8, 8, fake_mask1 },
    .kind = RK_MAP,
    .align = 8,
    .flags = RT_F_DIRECT,
    .slots = 1,
    .string = "map[int]*main.node",
    .name = "",
    .pkgpath = "",
    .key = &fake_int,
    .elem = &type_ptr,
};

enum { T_NODE, T_PTR, T_CHAN, T_INT, T_MAP };

static void
begin(void)
{
    asm_init(&prog);
    asm_type(&prog, &type_node);
    asm_type(&prog, &type_ptr);
    asm_type(&prog, &type_chan);
    asm_type(&prog, &fake_int);
    asm_type(&prog, &type_map);
    fake_gc_always = true;
}

static int
end(void **state)
{
    (void)state;
    fake_gc_always = false;
    return 0;
}

/* Builds a list in one loop and sums it in another. */
static void
list(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(LDI, 0, 0),          /* head */
        AI(LDI, 1, 0),          /* i */
        AI(NEW, 2, T_NODE),
        ABC(STP, 0, 2, 0),
        ABC(ST64, 1, 2, 8),
        ABC(MOV, 0, 2, 0),
        ABC(FORLTI, 1, 200, -5),
        AI(LDI, 3, 0),          /* sum */
        ABC(LD64, 4, 0, 8),
        ABC(ADD, 3, 3, 4),
        ABC(LD64, 0, 0, 0),
        AI(LJT, 0, -4),
        ABC(RET1, 3, 0, 0),
    };

    begin();
    ASM_FUNC(&prog, "main.main", 0, 1, 5, 8, entry);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 0);
    assert_int_equal(res.r[0].i, 199 * 200 / 2);
    assert_true(fake_collections >= 300);
}

/* A node that only a parked sender's operand, then only the receiver's slot,
 * keeps alive; a deferred call's argument does the same. */
static void
channel(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(ZERO, 0, 4),
        ABC(CHANMAKE, 1, 0, 0),
        EXT(0, T_CHAN),
        ABC(MOV, 10, 1, 0),
        ABC(GO, 10, 1, 0),
        EXT(0, 1),
        AI(LDI, 0, 0),
        ABC(CHANRECV, 2, 1, 0), /* 7 */
        EXT(0, T_CHAN),
        AI(CALL, 10, 2),        /* churn */
        ABC(LD64, 3, 2, 8),
        ABC(ADD, 4, 4, 3),
        ABC(FORLTI, 0, 50, -6),
        ABC(RET1, 4, 0, 0),
    };
    static const struct code_ins sender[] = {
        AI(LDI, 1, 0),
        AI(NEW, 2, T_NODE),
        ABC(ST64, 1, 2, 8),
        ABC(CHANSEND, 0, 0, 2),
        EXT(0, T_CHAN),
        ABC(FORLTI, 1, 50, -5),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins churn[] = {
        AI(LDI, 0, 0),
        AI(NEW, 1, T_NODE),
        ABC(ST64, 0, 1, 8),
        ABC(FORLTI, 0, 3, -3),
        ABC(RET, 0, 0, 0),
    };

    begin();
    struct code_ins with_sum[sizeof entry / sizeof *entry];
    memcpy(with_sum, entry, sizeof entry);
    with_sum[0].imm = 5;
    asm_func(&prog, "main.main", 0, 1, 6, 14, with_sum,
        sizeof entry / sizeof *entry);
    ASM_FUNC(&prog, "main.sender", 1, 0, 3, 3, sender);
    ASM_FUNC(&prog, "main.churn", 0, 0, 2, 2, churn);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 0);
    assert_int_equal(res.r[0].i, 49 * 50 / 2);
}

static void
deferred(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(LDI, 0, 0),
        AI(NEW, 1, T_NODE),
        ABC(ST64, 0, 1, 8),
        ABC(MOV, 6, 1, 0),
        ABC(DEFER, 6, 1, 0),
        EXT(0, 1),
        AI(LDI, 1, 0),
        ABC(FORLTI, 0, 10, -7),
        ABC(RUNDEFER, 6, 0, 0),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins print[] = {
        ABC(LD64, 1, 0, 8),
        ABC(PRINT, 1, CODE_PRINT_INT, 0),
        ABC(RET, 0, 0, 0),
    };

    begin();
    struct code_func *f = ASM_FUNC(&prog, "main.main", 0, 0, 2, 10, entry);
    f->flags |= CODE_F_DEFER;
    f->recover_off = 9;
    ASM_FUNC(&prog, "main.print", 1, 0, 2, 2, print);
    fake_run(&prog, NULL, &res);
    assert_string_equal(res.text, "9876543210");
}

/* m[i] = node in a loop, then a sum over range m. */
static void
map(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(ZERO, 0, 6),
        ABC(MAPMAKE, 1, 0, 0),
        EXT(0, T_MAP),
        AI(NEW, 2, T_NODE), /* 3 */
        ABC(ST64, 0, 2, 8),
        ABC(MAPSET, 2, 1, 0),
        EXT(0, T_MAP),
        ABC(FORLTI, 0, 100, -5),
        ABC(MAPITER, 3, 1, 0),
        EXT(0, T_MAP),
        AI(LDI, 0, 0),
        ABC(MAPNEXT, 3, 0xffff, 2), /* 11 */
        EXT(0, 3),
        EXT(0, T_MAP),
        ABC(LD64, 4, 2, 8),
        ABC(ADD, 5, 5, 4),
        AI(LJMP, 0, -6),
        ABC(RET1, 5, 0, 0),
    };

    begin();
    ASM_FUNC(&prog, "main.main", 0, 1, 6, 8, entry);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 0);
    assert_int_equal(res.r[0].i, 99 * 100 / 2);
}

/* Globals are roots. */
static void
globals(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(LDI, 0, 5),
        AI(NEW, 1, T_NODE),
        ABC(ST64, 0, 1, 8),
        AI(GSTP, 1, 8),
        AI(LDI, 1, 0),
        AI(LDI, 2, 0),
        AI(NEW, 3, T_NODE),
        ABC(ST64, 2, 3, 8),
        ABC(FORLTI, 2, 20, -3),
        AI(GLD64, 1, 8),
        ABC(LD64, 0, 1, 8),
        ABC(RET1, 0, 0, 0),
    };
    static const uint8_t mask2[] = { 2 };

    begin();
    prog.im.globals_size = 16;
    prog.im.globals = (struct rt_layout){ 16, 16, mask2 };
    ASM_FUNC(&prog, "main.main", 0, 1, 4, 8, entry);
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.r[0].i, 5);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(list, end),
        cmocka_unit_test_teardown(channel, end),
        cmocka_unit_test_teardown(deferred, end),
        cmocka_unit_test_teardown(map, end),
        cmocka_unit_test_teardown(globals, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
