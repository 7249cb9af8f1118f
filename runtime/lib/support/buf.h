/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LIB_SUPPORT_BUF_H
#define RUNTIME_LIB_SUPPORT_BUF_H

/* Appending to the []byte that a native was given. */

#include <stdbool.h>
#include <string.h>

#include "gc/gc.h"
#include "runtime/vm/native.h"

/* Makes room for n > 0 bytes behind the length of *s, as append does.  False
 * when memory is out: the native returns VM_EXIT. */
static inline bool
lib_reserve(struct vm_thread *t, struct rt_slice *s, size_t n)
{
    size_t cap = (size_t)s->len + n;

    if (n <= (size_t)(s->cap - s->len))
        return true;
    if (cap < 2 * (size_t)s->cap)
        cap = 2 * (size_t)s->cap;
    cap = gc_round_size(cap);
    void *p = vm_new_bytes(t, cap);
    if (p == NULL)
        return false;
    if (s->len > 0)
        memcpy(p, s->ptr, (size_t)s->len);
    s->ptr = p;
    s->cap = (int64_t)cap;
    return true;
}

/* *s = append(*s, bytes[0:n]...) */
static inline enum vm_status
lib_append(
    struct vm_thread *t, struct rt_slice *s, const void *bytes, size_t n)
{
    if (n > 0) {
        if (!lib_reserve(t, s, n))
            return VM_EXIT;
        memcpy((char *)s->ptr + s->len, bytes, n);
        s->len += (int64_t)n;
    }
    return VM_OK;
}

#endif
