/* SPDX-License-Identifier: MIT */

/* What is left of a goroutine that has ended, and of a program. */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <malloc.h>

#include "runtime/vm/vm_int.h"
#include "tests/unit/vm/fake.h"

static struct asm_prog prog;
static struct fake_result res;

enum { T_INT, T_CHAN };

static void
begin(void)
{
    asm_init(&prog);
    asm_type(&prog, &fake_int);
    asm_type(&prog, &fake_chan);
}

static int
end(void **state)
{
    (void)state;
    fake_gc_always = false;
    return 0;
}

/* main.main, function 0, starts function 1 with a channel, waits until it has
 * sent on it and ended, and calls native 0 before and after. */
static const struct code_ins around[] = {
    AI(ZERO, 0, 4),
    ABC(CHANMAKE, 1, 0, 0),
    EXT(0, T_CHAN),
    AI(CALLN, 8, 0),
    ABC(MOV, 6, 1, 0),
    ABC(GO, 6, 1, 0),
    EXT(0, 1),
    ABC(CHANRECV, 2, 1, 0),
    EXT(0, T_CHAN),
    AI(CALLN, 8, 0),
    ABC(RET, 0, 0, 0),
};

enum { FAR = 59992 };

/* Calls native 1, directly or so many calls deep, and sends. */
static const struct code_ins sends[] = {
    AI(LDI, 8, 0), /* how many */
    AI(CALL, 8, 2),
    AI(LDI, 1, 0),
    ABC(CHANSEND, 0, 0, 1),
    EXT(0, T_CHAN),
    ABC(RET, 0, 0, 0),
};

/* Its frame is large: the callee's is far above. */
static const struct code_ins deep[] = {
    AI(JT, 0, 2),
    AI(CALLN, 4, 1),
    ABC(RET, 0, 0, 0),
    ABC(ADDI, FAR, 0, -1),
    AI(CALL, FAR, 2),
    ABC(RET, 0, 0, 0),
};

static void
run(const struct vm_native *natives, uint16_t extent, int32_t depth)
{
    struct code_ins code[sizeof sends / sizeof *sends];

    memcpy(code, sends, sizeof sends);
    code[0].imm = depth;
    begin();
    prog.natives[0] = (struct code_native){ .name = natives[0].name };
    prog.natives[1] = (struct code_native){ .name = natives[1].name };
    prog.im.nnatives = 2;
    ASM_FUNC(&prog, "main.main", 0, 0, 4, 12, around);
    ASM_FUNC(&prog, "main.sends", 1, 0, 2, extent, code);
    ASM_FUNC(&prog, "main.deep", 1, 0, 2, FAR + 8, deep);
    fake_run(&prog, natives, &res);
    assert_int_equal(res.status, 0);
}

/* ---- memory of stacks ------------------------------------------------------------ */

static struct {
    uint64_t before, after; /* bytes of all stacks */
    uint32_t slots;         /* of the goroutine's, at its deepest */
} stacks;

static enum vm_status
note_bytes(struct vm_thread *t, union rt_slot *fp)
{
    (void)fp;
    stacks.before = stacks.after;
    stacks.after = a64_load_rlx(&t->vm->stack_bytes);
    return VM_OK;
}

/* Nothing else has been allocated since. */
static enum vm_status
note_slots(struct vm_thread *t, union rt_slot *fp)
{
    (void)fp;
    stacks.slots = vm_g_of(t)->nslots;
    assert_int_equal(a64_load_rlx(&t->vm->stack_bytes) - stacks.after,
        UINT64_C(8) * stacks.slots);
    return VM_OK;
}

static const struct vm_native growing[] = {
    { "note", note_bytes, NULL },
    { "slots", note_slots, NULL },
    { NULL, NULL, NULL },
};

/* A small one, mappings that have grown, and the smallest mapping there is. */
static void
stacks_are_given_back(void **state)
{
    static const struct {
        int32_t depth;
        uint16_t extent;
    } rows[] = { { 0, 200 }, { 1, 200 }, { 3, 200 }, { 9, 200 },
        { 0, VM_STACK_MMAP / 2 - 2 } };

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        stacks.after = 0;
        run(growing, rows[i].extent, rows[i].depth);
        assert_true(stacks.slots >= FAR * (uint32_t)(rows[i].depth + 1));
        assert_true(rows[i].extent == 200 || stacks.slots == VM_STACK_MMAP);
        assert_int_equal(stacks.after, stacks.before);
    }
}

/* ---- frames of the dead ------------------------------------------------------------ */

static struct sched_g *dead;
static unsigned looks;

static enum vm_status
remember(struct vm_thread *t, union rt_slot *fp)
{
    (void)fp;
    dead = t->g;
    return VM_OK;
}

/* Without frames, too, fp is a place of the stack, or right behind it. */
static void
fp_is_in_stack(struct vm *vm)
{
    enum { SLOTS = VM_STACK_FIRST + 1 };
    union rt_slot mem[SLOTS + 1];
    struct vm_g vg = { .stack = mem, .nslots = SLOTS };

    for (int i = 0; i <= SLOTS; i++)
        mem[i].p = &vm->stubs[VM_STUB_END];
    vg.pc = &vm->stubs[VM_STUB_END];
    for (int i = 2; i <= SLOTS + 1; i++) {
        vg.fp = mem + i;
        assert_int_equal(vm_stack_valid(vm, &vg), i <= SLOTS);
    }
}

static enum vm_status
look_at_dead(struct vm_thread *t, union rt_slot *fp)
{
    vpc pcs[8];

    (void)fp;
    if (dead == NULL)
        return VM_OK;
    assert_int_equal(a32_load_rlx(&dead->state), G_DEAD);
    assert_true(vm_stack_valid(t->vm, dead->vg));
    assert_int_equal(vm_walk(t->vm, dead, 0, pcs, 8), 0);
    fp_is_in_stack(t->vm);
    looks++;
    return VM_OK;
}

static const struct vm_native burying[] = {
    { "look", look_at_dead, NULL },
    { "remember", remember, NULL },
    { NULL, NULL, NULL },
};

/* Also of one whose stack was never the one that goroutines begin with. */
static void
the_dead_have_no_frames(void **state)
{
    (void)state;
    looks = 0;
    dead = NULL;
    run(burying, 200, 0);
    dead = NULL;
    run(burying, 500, 0);
    assert_int_equal(looks, 2);
}

/* ---- all memory -------------------------------------------------------------------- */

/* Deferred calls, one of which recovers a panic, with a collection at each
 * safepoint. */
static void
with_defers(void)
{
    static const struct code_ins entry[] = {
        AI(LDI, 0, 0),
        AI(CALL, 6, 1),
        ABC(FORLTI, 0, 20, -1),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins panics[] = {
        ABC(DEFER, 6, 0, 0),
        EXT(0, 2),
        AI(LDI, 0, 1),
        ABC(MKIFACE, 1, 0, 0),
        EXT(0, T_INT),
        ABC(PANIC, 1, 0, 0),
        ABC(RET, 0, 0, 0), /* 6 */
    };
    static const struct code_ins recovers[] = {
        ABC(RECOVER, 1, 0, 0),
        ABC(RET, 0, 0, 0),
    };

    begin();
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 8, entry);
    struct code_func *f = ASM_FUNC(&prog, "main.f", 0, 0, 4, 10, panics);
    f->flags |= CODE_F_DEFER;
    f->recover_off = 6;
    ASM_FUNC(&prog, "main.recovers", 0, 0, 4, 4, recovers);
    fake_gc_always = true;
    fake_run(&prog, NULL, &res);
    assert_int_equal(res.status, 0);
}

/* What the allocator keeps at hand for a thread counts as used, and becomes no
 * more after a while.  Where memory cannot be counted all counts are the
 * same. */
static void
nothing_stays_allocated(void **state)
{
    enum { WARM = 10, TIMES = 40, LEAST = 16 };
    size_t used = 0;

    (void)state;
    for (int i = 0; i < WARM + TIMES; i++) {
        if (i == WARM)
            used = mallinfo2().uordblks;
        with_defers();
    }
    assert_true(mallinfo2().uordblks < used + TIMES * LEAST);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_are_given_back),
        cmocka_unit_test(the_dead_have_no_frames),
        cmocka_unit_test_teardown(nothing_stays_allocated, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
