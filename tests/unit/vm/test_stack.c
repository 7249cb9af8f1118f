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
    { "note", note_stack, NULL },
    { NULL, NULL, NULL },
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

/* ---- a request that comes while a stack grows ------------------------------- */

static struct {
    uint64_t safepoints; /* when the called function had begun */
    bool grown;
} asked;

/* Somebody asks the goroutine to stop. */
static enum vm_status
ask(struct vm_thread *t, union rt_slot *fp)
{
    (void)fp;
    a32_store_rlx(&t->m->p->preempt, 1);
    vm_sched_host.poison_g(t->vm, t->g);
    fake_safepoints = 0;
    return VM_OK;
}

static enum vm_status
note_safepoints(struct vm_thread *t, union rt_slot *fp)
{
    (void)fp;
    asked.safepoints = fake_safepoints;
    asked.grown = vm_g_of(t)->nslots > 500;
    assert_ptr_equal(aptr_load_rlx(&vm_g_of(t)->limit),
        vm_g_of(t)->stack + vm_g_of(t)->nslots);
    return VM_OK;
}

static const struct vm_native asking[] = {
    { "ask", ask, NULL },
    { "note", note_safepoints, NULL },
    { NULL, NULL, NULL },
};

/* The call that grows the stack comes to the safepoint all the same. */
static void
poisoned_while_growing(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(CALLN, 4, 0),
        AI(CALL, 4, 1),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins large[] = {
        AI(CALLN, 502, 1),
        ABC(RET, 0, 0, 0),
    };

    begin();
    prog.natives[0] = (struct code_native){ .name = "ask" };
    prog.natives[1] = (struct code_native){ .name = "note" };
    prog.im.nnatives = 2;
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 8, entry);
    ASM_FUNC(&prog, "main.large", 0, 0, 250, 510, large);
    fake_run(&prog, asking, &res);
    assert_int_equal(res.status, 0);
    assert_true(asked.grown);
    assert_int_equal(asked.safepoints, 1);
}

/* ---- room for deferred calls ------------------------------------------------ */

static bool reserved;

/* What fits exactly needs no growth; one slot more does. */
static enum vm_status
reserve(struct vm_thread *t, union rt_slot *fp)
{
    struct vm_g *vg = vm_g_of(t);
    uint32_t n = vg->nslots, off = n - 3;
    union rt_slot *at = vg->stack + off;

    (void)fp;
    assert_int_equal(vm_stack_reserve(t, &at, 3), VM_OK);
    assert_int_equal(vg->nslots, n);
    assert_ptr_equal(at, vg->stack + off);
    assert_int_equal(vm_stack_reserve(t, &at, 4), VM_OK);
    assert_int_equal(vg->nslots, 2 * n);
    assert_ptr_equal(at, vg->stack + off);
    assert_ptr_equal(aptr_load_rlx(&vg->limit), vg->stack + 2 * n);
    reserved = true;
    return VM_EXIT;
}

static const struct vm_native reserving[] = {
    { "reserve", reserve, NULL },
    { NULL, NULL, NULL },
};

static void
room(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(CALLN, 4, 0),
        ABC(RET, 0, 0, 0),
    };

    begin();
    prog.natives[0] = (struct code_native){ .name = "reserve" };
    prog.im.nnatives = 1;
    ASM_FUNC(&prog, "main.main", 0, 0, 2, 8, entry);
    fake_run(&prog, reserving, &res);
    assert_true(reserved);
}

/* ---- what a traceback shows --------------------------------------------------- */

static struct {
    vpc pcs[2 * VM_SHOWN];
    uint64_t elided;
    uint16_t n;
    bool system;
    uint32_t goexit; /* the number of runtime.goexit */
} shown;

static enum vm_status
show(struct vm_thread *t, union rt_slot *fp)
{
    vm_g_of(t)->fp = fp - 4;
    shown.n = vm_walk_shown(
        t->vm, vm_g_of(t), shown.system, shown.pcs, &shown.elided);
    shown.goexit = t->vm->goexit.id;
    return VM_OK;
}

static const struct vm_native showing[] = {
    { "show", show, NULL },
    { NULL, NULL, NULL },
};

/* f calls itself so often: up to 100 frames are shown, of more the innermost
 * and the outermost 50.  With the runtime's there is one more. */
static void
frames_shown(void **state)
{
    (void)state;
    static const int depth[] = { 0, 47, 48, 49, 97, 98, 99, 148, 149, 1000 };
    static const struct code_ins f[] = {
        AI(JF, 0, 3),
        ABC(ADDI, 4, 0, -1),
        AI(CALL, 4, 1),
        ABC(RET, 0, 0, 0),
        AI(CALLN, 4, 0), /* 4 */
        ABC(RET, 0, 0, 0),
    };

    for (unsigned i = 0; i < 2 * (sizeof depth / sizeof *depth); i++) {
        int calls = depth[i / 2];
        const struct code_ins entry[] = {
            AI(LDI, 4, calls),
            AI(CALL, 4, 1),
            ABC(RET, 0, 0, 0),
        };
        shown.system = i % 2 != 0;
        unsigned total = (unsigned)calls + (shown.system ? 3 : 2);

        begin();
        prog.natives[0] = (struct code_native){ .name = "show" };
        prog.im.nnatives = 1;
        ASM_FUNC(&prog, "main.main", 0, 0, 2, 6, entry);
        ASM_FUNC(&prog, "main.f", 1, 0, 2, 6, f);
        fake_run(&prog, showing, &res);
        assert_int_equal(res.status, 0);
        unsigned n = total < 2 * VM_SHOWN ? total : 2 * VM_SHOWN;
        assert_int_equal(shown.n, n);
        assert_int_equal(shown.elided, total - n);
        assert_int_equal(shown.pcs[0], vpc_make(1, 4));
        if (shown.system)
            assert_int_equal(shown.pcs[--n], vpc_make(shown.goexit, 0));
        for (unsigned k = 1; k + 1 < n; k++)
            assert_int_equal(shown.pcs[k], vpc_make(1, 2));
        assert_int_equal(shown.pcs[n - 1], vpc_make(0, 1));
    }
}

/* ---- validators --------------------------------------------------------------- */

static bool looked;

/* Damages what it finds, and repairs it. */
static enum vm_status
look(struct vm_thread *t, union rt_slot *fp)
{
    struct vm_g *vg = vm_g_of(t);
    struct vm_defers *d = vg->defers;
    void *limit = aptr_load_rlx(&vg->limit);

    vg->fp = fp - 4;
    assert_true(vm_stack_valid(t->vm, vg));
    assert_true(vm_defers_valid(vg));
    aptr_store_rlx(&vg->limit, NULL);
    assert_true(vm_stack_valid(t->vm, vg));
    aptr_store_rlx(&vg->limit, vg->stack + vg->nslots - 1);
    assert_false(vm_stack_valid(t->vm, vg));
    aptr_store_rlx(&vg->limit, limit);
    uint32_t n = vg->nslots;
    vg->nslots = (uint32_t)vm_stack_used(t->vm, vg) - 1;
    aptr_store_rlx(&vg->limit, vg->stack + vg->nslots);
    assert_false(vm_stack_valid(t->vm, vg));
    vg->nslots = n;
    aptr_store_rlx(&vg->limit, limit);
    assert_int_equal(d->nruns, 1);
    assert_non_null(d->panics);
    d->n--;
    assert_false(vm_defers_valid(vg));
    d->n++;
    d->v[d->n - 1].u += UINT64_C(1) << 32; /* of a frame above */
    assert_true(vm_defers_valid(vg));
    d->v[d->n - 1].u -= UINT64_C(2) << 32;
    assert_false(vm_defers_valid(vg));
    d->v[d->n - 1].u += UINT64_C(1) << 32;
    d->runs[0].callee -= 100;
    assert_false(vm_defers_valid(vg));
    d->runs[0].callee += 100;
    struct vm_panic *p = d->runs[0].panic, other = *p;
    d->runs[0].panic = &other; /* one that is over */
    assert_false(vm_defers_valid(vg));
    d->runs[0].panic = p;
    p->next = p;
    assert_false(vm_defers_valid(vg));
    p->next = NULL;
    assert_true(vm_defers_valid(vg));
    looked = true;
    return VM_OK;
}

static const struct vm_native looking[] = {
    { "look", look, NULL },
    { NULL, NULL, NULL },
};

/* A deferred call that a panic runs, with two more to come. */
static void
damage(void **state)
{
    (void)state;
    static const struct code_ins entry[] = {
        AI(LDI, 0, 1),
        ABC(MOV, 6, 0, 0),
        ABC(DEFER, 6, 1, 0),
        EXT(0, 2),
        ABC(DEFER, 6, 1, 0),
        EXT(0, 2),
        ABC(DEFER, 6, 0, 0),
        EXT(0, 1),
        ABC(MKIFACE, 1, 0, 0),
        EXT(0, T_INT),
        ABC(PANIC, 1, 0, 0),
        ABC(RET, 0, 0, 0), /* 11 */
    };
    static const struct code_ins looks[] = {
        AI(CALLN, 4, 0),
        ABC(RET, 0, 0, 0),
    };
    static const struct code_ins recovers[] = {
        ABC(RECOVER, 1, 0, 0),
        ABC(RET, 0, 0, 0),
    };

    begin();
    prog.natives[0] = (struct code_native){ .name = "look" };
    prog.im.nnatives = 1;
    struct code_func *f = ASM_FUNC(&prog, "main.main", 0, 0, 4, 10, entry);
    f->flags |= CODE_F_DEFER;
    f->recover_off = 11;
    ASM_FUNC(&prog, "main.looks", 0, 0, 2, 6, looks);
    ASM_FUNC(&prog, "main.recovers", 1, 0, 4, 4, recovers);
    fake_run(&prog, looking, &res);
    assert_int_equal(res.status, 0);
    assert_true(looked);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(caller_reaches_further, end),
        cmocka_unit_test(poisoned_while_growing),
        cmocka_unit_test(room),
        cmocka_unit_test(frames_shown),
        cmocka_unit_test(damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
