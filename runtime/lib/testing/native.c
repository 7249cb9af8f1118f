/* SPDX-License-Identifier: MIT */

/* Natives of package testing. */
#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"

/* func Testing() bool */
enum vm_status
lib_testing_Testing(struct vm_thread *t, union lib_testing_Testing_0to1 *f)
{
    f->out.r = lib_state(t)->tests;
    return VM_OK;
}
