/* SPDX-License-Identifier: MIT */

/* Whom the interpreter has called last, by the place of the call. */
#include "runtime/vm/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void
test_place(void **state)
{
    struct vm *vm = calloc(1, sizeof *vm);
    struct code_ins *code = calloc(2 * VM_CALLEES + 2, sizeof *code);
    const struct code_ins *other = code + VM_CALLEES;
    uint32_t id;

    (void)state;
    assert_non_null(vm);
    assert_non_null(code);
    assert_false(vm_noted_callee(vm, code, &id));
    vm_note_callee(vm, code, 0);
    vm_note_callee(vm, code + 1, 7);
    assert_true(vm_noted_callee(vm, code, &id));
    assert_int_equal(id, 0);
    assert_true(vm_noted_callee(vm, code + 1, &id));
    assert_int_equal(id, 7);

    /* Another call at the same place of the table: it says nothing of this one. */
    assert_false(vm_noted_callee(vm, other, &id));
    vm_note_callee(vm, other, 9);
    assert_true(vm_noted_callee(vm, other, &id));
    assert_int_equal(id, 9);
    assert_false(vm_noted_callee(vm, code, &id));
    assert_false(vm_noted_callee(vm, other + VM_CALLEES, &id));
    free(code);
    free(vm);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
