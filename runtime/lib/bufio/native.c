/* SPDX-License-Identifier: MIT */

/* Natives of package bufio. */

#include <string.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"

enum vm_status
lib_bufio_indexByte(struct vm_thread *t, union lib_bufio_indexByte_2to1 *f)
{
    struct rt_slice b = f->in.b;
    const char *p = NULL;

    (void)t;
    if (b.len > 0)
        p = memchr(b.ptr, (int)f->in.c, (size_t)b.len);
    f->out.r = p == NULL ? -1 : p - (const char *)b.ptr;
    return VM_OK;
}
