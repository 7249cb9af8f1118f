/* SPDX-License-Identifier: MIT */
#include "profile/wire/pb.h"

#include <string.h>

#include "runtime/base/throw.h"

enum { VARINT_MAX = 10 };
enum { PB_VARINT = 0, PB_BYTES = 2 };

static size_t
encode(uint8_t *p, uint64_t v)
{
    size_t n = 0;

    while (v >= 0x80) {
        p[n++] = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    p[n++] = (uint8_t)v;
    return n;
}

static void
varint(struct wire_buf *b, uint64_t v)
{
    uint8_t p[VARINT_MAX];

    wire_buf_put(b, p, encode(p, v));
}

static void
key(struct wire_buf *b, uint32_t field, uint32_t type)
{
    rt_assert(field > 0 && field < 1u << 29);
    varint(b, field << 3 | type);
}

void
wire_pb_u64(struct wire_buf *b, uint32_t field, uint64_t v)
{
    if (v == 0)
        return;
    key(b, field, PB_VARINT);
    varint(b, v);
}

void
wire_pb_i64(struct wire_buf *b, uint32_t field, int64_t v)
{
    wire_pb_u64(b, field, (uint64_t)v);
}

void
wire_pb_bool(struct wire_buf *b, uint32_t field, bool v)
{
    wire_pb_u64(b, field, v);
}

void
wire_pb_bytes(struct wire_buf *b, uint32_t field, const void *data, size_t n)
{
    key(b, field, PB_BYTES);
    varint(b, n);
    wire_buf_put(b, data, n);
}

void
wire_pb_packed_u64(
    struct wire_buf *b, uint32_t field, const uint64_t *v, size_t n)
{
    if (n == 0)
        return;
    size_t at = wire_pb_begin(b, field);
    for (size_t i = 0; i < n; i++)
        varint(b, v[i]);
    wire_pb_end(b, at);
}

void
wire_pb_packed_i64(
    struct wire_buf *b, uint32_t field, const int64_t *v, size_t n)
{
    if (n == 0)
        return;
    size_t at = wire_pb_begin(b, field);
    for (size_t i = 0; i < n; i++)
        varint(b, (uint64_t)v[i]);
    wire_pb_end(b, at);
}

size_t
wire_pb_begin(struct wire_buf *b, uint32_t field)
{
    key(b, field, PB_BYTES);
    return b->n;
}

void
wire_pb_end(struct wire_buf *b, size_t begin)
{
    uint8_t len[VARINT_MAX];
    size_t n = b->n - begin, k = encode(len, n);

    /* Messages end in the opposite order of their begins. */
    rt_assert(begin <= b->n);
    if (!wire_buf_put(b, len, k)) /* room */
        return;
    memmove(b->data + begin + k, b->data + begin, n);
    memcpy(b->data + begin, len, k);
}
