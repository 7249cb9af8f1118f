/* SPDX-License-Identifier: MIT */

/* Where a goroutine stands, as it sees it itself and as points show it. */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "runtime/vm/vm_int.h"
#include "tests/unit/vm/fake.h"

static struct asm_prog prog;
static struct fake_result res;

static struct {
    vpc pcs[8];
    unsigned n, times;
} seen;

static void
look(struct sched_m *m)
{
    seen.n = vm_walk_self(m, seen.pcs, 8, false);
    seen.times++;
}

static enum vm_status
look_here(struct vm_thread *t, union rt_slot *fp)
{
    vm_g_of(t)->fp = fp - 4;
    look(t->m);
    return VM_OK;
}

static const struct vm_native looking[] = {
    { "look", look_here, NULL },
    { NULL, NULL, NULL },
};

static void
begin(void)
{
    asm_init(&prog);
    asm_type(&prog, &fake_int);
    prog.natives[0] = (struct code_native){ .name = "look" };
    prog.im.nnatives = 1;
    memset(&seen, 0, sizeof seen);
}

static void
stands_at(const vpc *pcs, unsigned n)
{
    assert_int_equal(seen.n, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(seen.pcs[i], pcs[i]);
}

/* In a deferred call: of a function that returns, and of one that panics,
 * which has the panic's frame above its own. */
static void
in_deferred_calls(void **state)
{
    static const struct code_ins returns[] = {
        ABC(DEFER, 6, 0, 0),
        EXT(0, 1),
        ABC(RUNDEFER, 6, 0, 0),
        ABC(RET, 0, 0, 0), /* 3 */
    };
    static const struct code_ins panics[] = {
        ABC(DEFER, 6, 0, 0),
        EXT(0, 1),
        AI(LDI, 0, 1),
        ABC(MKIFACE, 1, 0, 0),
        EXT(0, 0),
        ABC(PANIC, 1, 0, 0),
        ABC(RET, 0, 0, 0), /* 6 */
    };
    static const struct code_ins deferred[] = {
        AI(CALLN, 4, 0),
        ABC(RECOVER, 1, 0, 0),
        ABC(RET, 0, 0, 0),
    };

    (void)state;
    begin();
    struct code_func *f = ASM_FUNC(&prog, "main.main", 0, 0, 4, 8, returns);
    f->flags |= CODE_F_DEFER;
    f->recover_off = 3;
    ASM_FUNC(&prog, "main.f", 0, 0, 4, 6, deferred);
    fake_run(&prog, looking, &res);
    assert_int_equal(res.status, 0);
    stands_at((vpc[]){ vpc_make(1, 0), vpc_make(0, 2) }, 2);

    begin();
    f = ASM_FUNC(&prog, "main.main", 0, 0, 4, 8, panics);
    f->flags |= CODE_F_DEFER;
    f->recover_off = 6;
    ASM_FUNC(&prog, "main.f", 0, 0, 4, 6, deferred);
    fake_run(&prog, looking, &res);
    assert_int_equal(res.status, 0);
    stands_at((vpc[]){ vpc_make(1, 0), vpc_make(prog.im.nfuncs, 0),
        vpc_make(0, 5) }, 3);
}

/* At a go statement. */
static void
at_go(void **state)
{
    static const struct code_ins entry[] = {
        AI(CALL, 4, 1),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins starts[] = {
        ABC(NOP, 0, 0, 0),
        ABC(NOP, 0, 0, 0),
        ABC(GO, 4, 0, 0), /* 2 */
        EXT(0, 2),
        ABC(NOP, 0, 0, 0),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins starts_value[] = {
        AI(LDFN, 0, 2),
        ABC(NOP, 0, 0, 0),
        ABC(GOC, 4, 0, 0), /* 2 */
        ABC(NOP, 0, 0, 0),
        ABC(NOP, 0, 0, 0),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins nothing[] = {
        ABC(RET, 0, 0, 0),
    };

    (void)state;
    for (int value = 0; value < 2; value++) {
        begin();
        ASM_FUNC(&prog, "main.main", 0, 0, 2, 6, entry);
        asm_func(&prog, "main.f", 0, 0, 2, 6, value ? starts_value : starts, 6);
        ASM_FUNC(&prog, "main.g", 0, 0, 1, 2, nothing);
        fake_on_go = look;
        fake_run(&prog, NULL, &res);
        fake_on_go = NULL;
        assert_int_equal(res.status, 0);
        assert_int_equal(seen.times, 1);
        stands_at((vpc[]){ vpc_make(1, 2), vpc_make(0, 0) }, 2);
    }
}

/* A stack that is cut off: how many pcs there is room for, and whether its
 * last is to tell whose it is. */
static unsigned room;
static bool tells_entry;

static void
look_cut(struct sched_m *m)
{
    vpc first[8];
    unsigned n;

    m->g->entry = vpc_make(9, 0);
    n = vm_walk_self(m, first, room, tells_entry);
    /* By what it remembers, then. */
    seen.n = vm_walk_self(m, seen.pcs, room, tells_entry);
    rt_check(n == seen.n, "as long");
    rt_check(memcmp(first, seen.pcs, n * sizeof *first) == 0, "the same");
}

static void
a_stack_is_cut_off(void **state)
{
    static const struct code_ins entry[] = {
        AI(CALL, 4, 1),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins calls[] = {
        AI(CALL, 4, 2),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins starts[] = {
        ABC(GO, 4, 0, 0),
        EXT(0, 3),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins nothing[] = {
        ABC(RET, 0, 0, 0),
    };
    const struct {
        unsigned room;
        bool tells_entry;
        vpc pcs[2];
    } rows[] = {
        { 1, true, { vpc_make(9, 0) } },
        { 1, false, { vpc_make(2, 0) } },
        /* What is cut off has but called main.main. */
        { 2, true, { vpc_make(2, 0), vpc_make(1, 0) } },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        ASM_FUNC(&prog, "runtime.main", 0, 0, 2, 6, entry);
        ASM_FUNC(&prog, "main.main", 0, 0, 2, 6, calls);
        ASM_FUNC(&prog, "main.f", 0, 0, 2, 6, starts);
        ASM_FUNC(&prog, "main.g", 0, 0, 1, 2, nothing);
        room = rows[i].room;
        tells_entry = rows[i].tells_entry;
        fake_on_go = look_cut;
        fake_run(&prog, NULL, &res);
        fake_on_go = NULL;
        assert_int_equal(res.status, 0);
        stands_at(rows[i].pcs, rows[i].room);
    }
}

/* Stacks by number: a place and the number of what is outside of it. */
static struct {
    uint32_t n;
    struct {
        uint32_t outer;
        vpc pc;
    } at[1 << 14];
} stacks;

static uint32_t
add_frame(void *arg, uint32_t outer, vpc pc)
{
    uint32_t i = 1;

    rt_check(arg == &stacks, "the adder's");
    while (i <= stacks.n &&
        (stacks.at[i].outer != outer || stacks.at[i].pc != pc))
        i++;
    if (i > stacks.n) {
        rt_check(i < sizeof stacks.at / sizeof *stacks.at, "room");
        stacks.n = i;
        stacks.at[i].outer = outer;
        stacks.at[i].pc = pc;
    }
    return i;
}

/* A walk that remembers the last one of its kind sees what any walk does. */
static enum vm_status
look_again(struct vm_thread *t, union rt_slot *fp)
{
    static const struct vm_adder adder = { add_frame, &stacks };
    vpc again[32], fresh[32];
    unsigned n = 0;

    vm_g_of(t)->fp = fp - 10;
    for (uint32_t i = vm_walk_number(t->m, &adder); i != 0 && n < 32;
        i = stacks.at[i].outer)
        again[n++] = stacks.at[i].pc;
    rt_check(n == vm_walk(t->vm, t->m->g, 0, fresh, 32), "as long");
    rt_check(memcmp(again, fresh, n * sizeof *again) == 0, "the same");
    rt_check(vm_walk_place(t->m) == fresh[0], "its place");
    seen.n = n > seen.n ? n : seen.n;
    seen.times++;
    return VM_OK;
}

static const struct vm_native looking_again[] = {
    { "look", look_again, NULL },
    { NULL, NULL, NULL },
};

/* f(n) calls f(n-1), and f(n-less) with a frame at slot `base`: at 4 its frames
 * lie where those of the first call did, and only what they return to tells one
 * from the other, as there is no look in between. */
static void
walk_again_and_again(int n, int less, int base)
{
    const struct code_ins between =
        base == 4 ? (struct code_ins)ABC(NOP, 0, 0, 0)
                  : (struct code_ins)AI(CALLN, 10, 0);
    const struct code_ins entry[] = {
        AI(LDI, 3, n),
        AI(CALL, 3, 1),
        ABC(RET, 0, 0, 0),
    };
    const struct code_ins f[] = {
        ABC(JGEI, 0, 2, 1),
        ABC(RET, 0, 0, 0),
        AI(CALLN, 10, 0),
        ABC(ADDI, 4, 0, -1),
        AI(CALL, 4, 1),
        between,
        ABC(ADDI, base, 0, -less),
        AI(CALL, base, 1),
        AI(CALLN, 10, 0),
        ABC(RET, 0, 0, 0),
    };

    begin();
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 6, entry);
    ASM_FUNC(&prog, "main.f", 1, 0, 1, 10, f);
    fake_run(&prog, looking_again, &res);
    assert_int_equal(res.status, 0);
}

static void
again_and_again(void **state)
{
    (void)state;
    for (int base = 6; base >= 4; base -= 2) {
        walk_again_and_again(12, 2, base);
        assert_int_equal(seen.n, 12);
        assert_int_equal(seen.times, (base == 4 ? 2 : 3) * 232);
    }
    /* More frames than are remembered, and again fewer. */
    walk_again_and_again(150, 120, 6);
    assert_int_equal(seen.n, 32);
}

/* Stacks by path: what a walk has seen where the path got its number. */
static struct {
    struct callpath paths[CALLPATHS];
    uint32_t n, known, deep;
    struct {
        vpc pcs[CALLPATH_MAX + 1];
        unsigned n;
    } at[1 << 12];
} by_path;

/* A path that has a number is that of a stack as it was then; all but deep ones
 * have one.  Frames of wrappers are none of a stack, but are of its path. */
static enum vm_status
look_by_path(struct vm_thread *t, union rt_slot *fp)
{
    vpc pcs[CALLPATH_MAX + 1];
    struct callpath *e;
    unsigned n;

    vm_g_of(t)->fp = fp - 10;
    n = vm_walk_self(t->m, pcs, CALLPATH_MAX + 1, false);
    e = vm_walk_path(t->m, by_path.paths);
    seen.times++;
    rt_check((e == NULL) == (n > CALLPATH_MAX), "all that are not deep");
    if (e == NULL) {
        by_path.deep++;
        return VM_OK;
    }
    rt_check(e->n == n, "its frames");
    if (e->id == 0) {
        e->id = ++by_path.n;
        rt_check(e->id < sizeof by_path.at / sizeof *by_path.at, "room");
        memcpy(by_path.at[e->id].pcs, pcs, sizeof pcs);
        by_path.at[e->id].n = n;
        return VM_OK;
    }
    by_path.known++;
    rt_check(by_path.at[e->id].n == n, "as long");
    rt_check(memcmp(by_path.at[e->id].pcs, pcs, n * sizeof *pcs) == 0,
        "the same");
    return VM_OK;
}

static const struct vm_native looking_by_path[] = {
    { "look", look_by_path, NULL },
    { NULL, NULL, NULL },
};

/* f(n) looks, at as many places as are asked for, and calls itself as above. */
static void
walk_by_path(int n, int less, int base, unsigned places)
{
    static struct code_ins f[200];
    const struct code_ins entry[] = {
        AI(LDI, 3, n),
        AI(CALL, 3, 1),
        ABC(RET, 0, 0, 0),
    };
    const struct code_ins calls[] = {
        ABC(JGEI, 0, 2, 1),
        ABC(RET, 0, 0, 0),
        ABC(ADDI, 4, 0, -1),
        AI(CALL, 4, 1),
        ABC(ADDI, base, 0, -less),
        AI(CALL, base, 1),
    };
    unsigned k = sizeof calls / sizeof *calls;

    begin();
    memset(&by_path, 0, sizeof by_path);
    memcpy(f, calls, sizeof calls);
    for (; places > 0; places--)
        f[k++] = (struct code_ins)AI(CALLN, 10, 0);
    f[k++] = (struct code_ins)ABC(RET, 0, 0, 0);
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 6, entry);
    asm_func(&prog, "main.f", 1, 0, 1, 10, f, k);
    fake_run(&prog, looking_by_path, &res);
    assert_int_equal(res.status, 0);
}

static void
by_path_stacks_are_what_they_were(void **state)
{
    (void)state;
    for (int base = 6; base >= 4; base -= 2) {
        walk_by_path(12, 2, base, 1);
        assert_int_equal(by_path.deep, 0);
        assert_in_range(by_path.n, 12, 232);
    }
    /* One stack, from more places than there are paths for. */
    walk_by_path(2, 2, 6, 2 * CALLPATHS);
    assert_int_equal(seen.times, 2 * CALLPATHS);
    assert_int_equal(by_path.n + by_path.known, 2 * CALLPATHS);
    assert_in_range(by_path.n, CALLPATHS, 2 * CALLPATHS);
    /* As deep as can be, and deeper. */
    walk_by_path(CALLPATH_MAX + 4, 100, 6, 3);
    assert_int_equal(by_path.deep, 4 * 3);
    assert_in_range(by_path.n, 1, (CALLPATH_MAX - 1) * 3);
}

/* A loop has the same stack each time. */
static void
by_path_a_loop_has_one_stack(void **state)
{
    static const struct code_ins entry[] = {
        AI(LDI, 0, 100),
        AI(CALLN, 10, 0),
        ABC(ADDI, 0, 0, -1),
        ABC(JGEI, 0, 1, -3),
        ABC(RET, 0, 0, 0),
    };

    (void)state;
    begin();
    memset(&by_path, 0, sizeof by_path);
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 10, entry);
    fake_run(&prog, looking_by_path, &res);
    assert_int_equal(res.status, 0);
    assert_int_equal(by_path.n, 1);
    assert_int_equal(by_path.known, 99);
}

/* ---- points --------------------------------------------------------------------------- */

/* What an operation tells whom, as it is asked for in front of it. */
static void
what_an_operation_tells(void **state)
{
    static uint8_t sync[1];
    static union rt_slot frame[8];
    static const struct {
        struct code_ins code[3];
        unsigned n;
        struct vm_sync v[2];
    } rows[] = {
        { { ABC(CHANSEND, 0, 1, 2) }, 1, { { VM_SYNC_BOTH, &frame[1] } } },
        { { ABC(CHANRECV, 0, 2, 0) }, 1, { { VM_SYNC_BOTH, &frame[2] } } },
        { { AI(CHANCLOSE, 3, 0) }, 1, { { VM_SYNC_TELL, &frame[3] } } },
        { { ABC(GO, 3, 0, 0) }, 1, { { VM_SYNC_SPAWN, NULL } } },
        { { ABC(GOC, 3, 0, 0) }, 1, { { VM_SYNC_SPAWN, NULL } } },
        { { ABC(SELECT, 0, 1, 1), EXT(4, 0), EXT(5, 0) }, 1,
            { { VM_SYNC_BOTH, &frame[4] } } },
        { { ABC(NOP, 0, 0, 0) }, 0, { { VM_SYNC_NONE, NULL } } },
    };
    struct vm vm = { .tables.sync = sync };

    (void)state;
    for (int i = 0; i < 8; i++)
        frame[i].p = &frame[i];
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct vm_g vg = { .fp = frame, .pc = rows[i].code };
        struct sched_g g = { .vg = &vg };
        struct vm_sync v[4] = { { VM_SYNC_NONE, NULL } };

        assert_int_equal(vm_sync_at(&vm, &g, v, 4), rows[i].n);
        assert_int_equal(v[0].op, rows[i].v[0].op);
        assert_ptr_equal(v[0].obj, rows[i].v[0].obj);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_deferred_calls),
        cmocka_unit_test(at_go),
        cmocka_unit_test(again_and_again),
        cmocka_unit_test(a_stack_is_cut_off),
        cmocka_unit_test(by_path_stacks_are_what_they_were),
        cmocka_unit_test(by_path_a_loop_has_one_stack),
        cmocka_unit_test(what_an_operation_tells),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
