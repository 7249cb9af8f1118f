/* SPDX-License-Identifier: MIT */
/* Apart from lib.c: who asks for the sources only has no VM. */
#include "runtime/lib/lib.h"
#include "runtime/vm/vm.h"

struct lib_state *
lib_state(const struct vm_thread *t)
{
    return vm_lib(t->vm);
}
