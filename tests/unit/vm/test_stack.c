/* SPDX-License-Identifier: MIT */

/* Goroutine stacks: growth, shrinking, safepoints; where frames lie. */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/vm/vm_int.h"
#include "tests/unit/vm/fake.h"

static struct asm_prog prog;
static struct fake_result res;

static struct rtype type_int = {
    .layout = { 8, 0, NULL },
    .kind = RK_INT,
    .align = 8,
    .flags = RT_F_COMPARABLE | RT_F_MEMEQ,
    .slots = 1,
    .string = "int",
    .name = "int",
    .pkgpath = "",
};
static const uint8_t mask1[] = { 1 };
static struct rtype type_chan = {
    .layout = { 8, 8, mask1 },
    .kind = RK_CHAN,
    .align = 8,
    .flags = RT_F_DIRECT | RT_F_COMPARABLE,
    .slots = 1,
    .string = "chan int",
    .name = "",
    .pkgpath = "",
    .elem = &type_int,
};

enum { T_INT, T_CHAN };

static void
begin(void)
{
    asm_init(&prog);
    asm_type(&prog, &type_int);
    asm_type(&prog, &type_chan);
}

static int
end(void **state)
{
    (void)state;
    fake_gc_always = false;
    return 0;
}

/* ---- a caller that reaches further than its callee -------------------------- */

enum { WIDE = 120, LAST = WIDE - 1 };

static struct {
    uint32_t before, after; /* slots of the stack around the call */
    bool valid;
} wide;

/* Called by the wide function before and after its call. */
static enum vm_status
note_stack(struct vm_thread *t, union rt_slot *fp)
{
    struct vm_g *vg = vm_g_of(t);

    (void)fp;
    wide.before = wide.after;
    wide.after = vg->nslots;
    wide.valid = vm_stack_valid(t->vm, vg);
    return VM_OK;
}

static const struct vm_native natives[] = {
    { "note", note_stack },
    { NULL, NULL },
};

/*
 * A frame of 120 slots, of which few are live where it calls a small function
 * that waits, while the others collect garbage again and again: its stack may
 * become smaller, but not smaller than that frame.  Afterwards the program
 * writes to the frame's last slot, and the stack grows.
 */
static void
caller_reaches_further(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(ZERO, 0, 4),
        ABC(CHANMAKE, 1, 0, 0),
        EXT(0, T_CHAN),
        ABC(MOV, 6, 1, 0),
        ABC(GO, 6, 1, 0),
        EXT(0, 1),
        AI(CALL, 8, 4),         /* grows the stack */
        AI(CALLN, 8, 0),
        ABC(MOV, 8, 1, 0),
        AI(CALL, 8, 2),         /* waits */
        AI(CALLN, 8, 0),
        AI(LDI, LAST, 77),
        AI(CALL, WIDE + 2, 3),  /* grows the stack again */
        ABC(MOV, 0, LAST, 0),
        ABC(RET1, 0, 0, 0),
    };
    static const struct code_ins sender[] = {
        AI(LDI, 1, 0),
        ABC(FORLTI, 1, 50, -1), /* a safepoint each: a collection */
        ABC(CHANSEND, 0, 0, 1),
        EXT(0, T_CHAN),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins waits[] = {
        ABC(CHANRECV, 1, 0, 0),
        EXT(0, T_CHAN),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins large[] = {
        AI(LDI, 249, 1),
        ABC(RET, 0, 0, 0),
    };

    begin();
    prog.natives[0] = (struct code_native){ .name = "note" };
    prog.im.nnatives = 1;
    ASM_FUNC(&prog, "main.main", 0, 1, WIDE, WIDE + 4, entry);
    ASM_FUNC(&prog, "main.sender", 1, 0, 2, 2, sender);
    ASM_FUNC(&prog, "main.waits", 1, 0, 2, 2, waits);
    ASM_FUNC(&prog, "main.large", 0, 0, 250, 250, large);
    ASM_FUNC(&prog, "main.huge", 0, 0, 250, 2000, large);
    fake_gc_always = true;
    fake_run(&prog, natives, &res);
    assert_int_equal(res.status, 0);
    assert_true(wide.after < wide.before);
    assert_true(wide.after >= 2 + WIDE + 4);
    assert_true(wide.valid);
    assert_int_equal(res.r[0].i, 77);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(caller_reaches_further, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
