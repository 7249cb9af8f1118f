/* SPDX-License-Identifier: MIT */

/* The frames of functions that are made while the program runs: they reach
 * over those of the functions that they call. */

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/vm/vm_int.h"
#include "tests/unit/vm/fake.h"

enum { HEADER = 2, MOST = UINT16_MAX - 32 };

static struct asm_prog prog;

static const struct code_ins body_code[] = {
    ABC(RET, 0, 0, 0),
};

static struct vm *
load(void)
{
    struct vm_config cfg = { .image = &prog.im, .err_fd = 2 };
    struct rt_err err;
    struct vm *vm;

    asm_init(&prog);
    ASM_FUNC(&prog, "main.main", 0, 0, 0, 0, body_code);
    ASM_FUNC(&prog, "main.body", 2, 1, 3, 3, body_code);
    assert_int_equal(vm_load(&cfg, &vm, &err), RT_OK);
    return vm;
}

/* A func type of so many parameters and results, each of some slots. */
struct sig {
    struct rtype type, value;
    const struct rtype *params[8];
};

static const struct rtype *
sig(struct sig *s, uint32_t nparams, uint32_t nresults, uint32_t slots)
{
    s->value = (struct rtype){ .kind = RK_ARRAY, .align = 8, .slots = slots,
        .layout = { 8 * slots, 0, NULL } };
    s->type = (struct rtype){ .kind = RK_FUNC, .align = 8, .slots = 1,
        .layout = { 8, 8, NULL }, .params = s->params, .nparams = nparams,
        .nresults = nresults };
    for (uint32_t i = 0; i < nparams + nresults; i++)
        s->params[i] = &s->value;
    return &s->type;
}

static uint32_t
larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* f begins a frame of `most` arguments or results, and the interpreter looks
 * for so much room before it enters f. */
static void
check_reach(const struct vm *vm, const struct code_func *f, uint32_t most)
{
    unsigned calls = 0;

    assert_ptr_equal(vm_made_by_id(vm, f->id), f);
    assert_true(f->ctx < f->nslots && f->nslots <= f->extent);
    for (uint32_t i = 0; i < f->ncode; i++) {
        const struct code_ins *ins = &f->code[i];
        assert_ptr_equal(vm_made_at(vm, ins), f);
        if (ins->op != OP_CALL && ins->op != OP_CALLC && ins->op != OP_CALLN)
            continue;
        calls++;
        assert_true(ins->a >= f->nslots + HEADER);
        assert_true((uint32_t)ins->a + most <= f->extent);
    }
    assert_int_equal(calls, 3);
    assert_int_equal(vm->entries[f->id].extent, 8 * f->extent);
}

static void
frames_reach_over_callees(void **state)
{
    static const struct {
        uint32_t nparams, nresults, slots;
    } rows[] = { { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 2 }, { 3, 1, 2 },
        { 1, 4, 3 }, { 1, 1, MOST - 1 } };
    static struct sig sigs[sizeof rows / sizeof *rows];
    struct vm *vm = load();

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct rtype *t =
            sig(&sigs[i], rows[i].nparams, rows[i].nresults, rows[i].slots);
        uint32_t in = rows[i].nparams * rows[i].slots;
        uint32_t out = rows[i].nresults * rows[i].slots;
        const struct code_func *f = vm_caller_of(vm, t, false)->fn;
        assert_int_equal(f->nargs, 3);
        check_reach(vm, f, larger(in, out));
        /* The receiver is one more. */
        f = vm_caller_of(vm, t, true)->fn;
        check_reach(vm, f, larger(in + 1, out));
        f = vm_func_made(vm, t, &prog.funcs[1].self);
        assert_int_equal(f->nargs, in);
        assert_int_equal(f->nres, out);
        assert_true(f->nslots >= larger(in, out));
        check_reach(vm, f, prog.funcs[1].extent);
        /* Each is made once. */
        assert_ptr_equal(vm_func_made(vm, t, &prog.funcs[1].self), f);
    }
    vm_free(vm);
}

/* The collector is told of each pointer among the parameters, wherever it
 * stands, and of nothing else. */
static void
pointers_among_parameters(void **state)
{
    static const uint8_t second[] = { 2 };
    static const struct rtype
        number = { .kind = RK_INT, .align = 8, .slots = 1, .layout = { 8, 0,
            NULL } },
        pointer = { .kind = RK_POINTER, .align = 8, .slots = 1, .layout = { 8, 8,
            fake_mask1 } },
        pair = { .kind = RK_STRUCT, .align = 8, .slots = 3, .layout = { 24, 16,
            second } };
    static const struct rtype *const kinds[] = { &number, &pointer, &pair };
    static struct sig sigs[81];
    struct vm *vm = load();

    (void)state;
    for (unsigned n = 0; n < 81; n++) { /* four parameters of three kinds */
        const struct rtype *t = sig(&sigs[n], 4, 0, 1);
        uint32_t want = 0, at = 0;

        for (unsigned i = 0, k = n; i < 4; i++, k /= 3) {
            sigs[n].params[i] = kinds[k % 3];
            want |= (k % 3 == 0 ? 0u : k % 3 == 1 ? 1u : 2u) << at;
            at += kinds[k % 3]->slots;
        }
        const struct code_func *f =
            vm_func_made(vm, t, &prog.funcs[1].self);
        assert_int_equal(f->nargs, at);
        for (uint32_t i = 0; i < f->nslots; i++)
            assert_int_equal(f->ptrmask[i / 8] >> (i % 8) & 1,
                i < at ? want >> i & 1 : 0);
    }
    vm_free(vm);
}

static void
too_many_arguments(void **state)
{
    static struct sig most, more;
    struct vm *vm = load();

    (void)state;
    assert_non_null(vm_caller_of(vm, sig(&most, 1, 0, MOST), false));
    assert_null(vm_caller_of(vm, &most.type, true));
    assert_null(vm_caller_of(vm, sig(&more, 0, 1, MOST + 1), false));
    assert_null(vm_func_made(vm, &more.type, &prog.funcs[1].self));
    vm_free(vm);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_reach_over_callees),
        cmocka_unit_test(pointers_among_parameters),
        cmocka_unit_test(too_many_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
