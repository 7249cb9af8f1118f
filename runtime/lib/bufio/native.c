/* SPDX-License-Identifier: MIT */

/* Natives of package bufio. */

#include <string.h>

#include "runtime/lib/lib.h"

enum vm_status
lib_bufio_indexByte(struct vm_thread *t, union rt_slot *fp)
{
    struct rt_slice b = vm_arg_slice(fp, 0);
    const char *p = NULL;

    (void)t;
    if (b.len > 0)
        p = memchr(b.ptr, (int)fp[3].u, (size_t)b.len);
    fp[0].i = p == NULL ? -1 : p - (const char *)b.ptr;
    return VM_OK;
}
