/* SPDX-License-Identifier: MIT */
#include "profile/wire/sink.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

bool
wire_buf_put(struct wire_buf *b, const void *data, size_t n)
{
    if (b->failed)
        return false;
    rt_assert(b->n <= b->cap);
    if (n > b->cap - b->n) {
        size_t cap = b->cap == 0 ? 512 : b->cap;

        while (cap - b->n < n && cap <= SIZE_MAX / 2)
            cap *= 2;
        uint8_t *p = cap - b->n < n ? NULL : realloc(b->data, cap);
        if (p == NULL) {
            b->failed = true;
            return false;
        }
        b->data = p;
        b->cap = cap;
    }
    if (n > 0)
        memcpy(b->data + b->n, data, n);
    b->n += n;
    return true;
}

static bool
put(void *arg, const void *data, size_t n)
{
    return wire_buf_put(arg, data, n);
}

struct wire_sink
wire_buf_sink(struct wire_buf *b)
{
    return (struct wire_sink){ put, b };
}

void
wire_buf_free(struct wire_buf *b)
{
    free(b->data);
    memset(b, 0, sizeof *b);
}
