/* SPDX-License-Identifier: MIT */

/*
 * Which instructions machine code leaves to the interpreter: those that panic,
 * and words that no function's code has.  A loop around any other would be
 * slower than where all is interpreted.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/code/opinfo.h"
#include "runtime/jit/jit_int.h"

static bool
is_left(unsigned op)
{
    switch (op) {
    case OP_PANIC:
    case OP_THROW:
        return true;
    case OP_END: /* the machine's own */
    case OP_DEFERRET:
    case OP_MACHINE:
        return true;
    default:
        return false;
    }
}

/* Names are printed, so that one sees which it is. */
static void
test_what_is_left(void **state)
{
    static const struct rtype type;
    static const struct rtype *types[] = {&type};
    struct code_native native = {.name = "none"};
    struct code_func func = {0};
    struct code_image im = {.types = types,
        .ntypes = 1, .natives = &native, .nnatives = 1, .funcs = &func,
        .nfuncs = 1};
    struct jit jit = {0};
    struct jit_fn c = {.jit = &jit, .im = &im, .f = &func};
    unsigned wrong = 0;

    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        struct jit_ins x = {.w = {{.op = (uint16_t)op},
            {.op = OP_EXT}, {.op = OP_EXT}}};

        if ((jit_x64_kind(&c, &x) == JIT_LEAVE) != is_left(op)) {
            print_message("%s\n", code_op_name(op));
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
