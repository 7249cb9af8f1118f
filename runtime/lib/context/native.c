/* SPDX-License-Identifier: MIT */

/* Natives of package context. */

#include <string.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"

/* func comparable(x any) bool */
enum vm_status
lib_context_comparable(
    struct vm_thread *t, union lib_context_comparable_1to1 *f)
{
    (void)t;
    struct rt_iface x = f->in.x;
    f->out.r = x.type == NULL || (x.type->flags & RT_F_COMPARABLE) != 0;
    return VM_OK;
}

/* func typeName(x any) string */
enum vm_status
lib_context_typeName(struct vm_thread *t, union lib_context_typeName_1to1 *f)
{
    (void)t;
    struct rt_iface x = f->in.x;
    const char *s = x.type == NULL ? "<nil>" : x.type->string;
    f->out.r = (struct rt_str){(const uint8_t *)s, (int64_t)strlen(s)};
    return VM_OK;
}
