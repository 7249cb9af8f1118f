/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "profile/wire/sink.h"

/* Compresses what zs has as input; flush as deflate()'s. */
static enum rt_status
pump(z_stream *zs, struct wire_buf *out, int flush)
{
    unsigned char chunk[8192];
    int e;

    do {
        zs->next_out = chunk;
        zs->avail_out = sizeof chunk;
        e = deflate(zs, flush);
        if (e != Z_OK && e != Z_STREAM_END && e != Z_BUF_ERROR)
            return RT_ENOMEM;
        if (!wire_buf_put(out, chunk, sizeof chunk - zs->avail_out))
            return RT_ENOMEM;
    } while (zs->avail_out == 0);
    return RT_OK;
}

enum rt_status
wire_gzip(struct wire_buf *out, const void *data, size_t n)
{
    enum { GZIP = 16 }; /* added to the window bits: a gzip header */
    const unsigned char *p = data;
    enum rt_status st = RT_OK;
    z_stream zs;

    memset(&zs, 0, sizeof zs);
    /* Speed, as Go's writer has it. */
    if (deflateInit2(&zs, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + GZIP, 8,
            Z_DEFAULT_STRATEGY) != Z_OK)
        return RT_ENOMEM;
    do {
        size_t k = n < INT_MAX ? n : INT_MAX;

        zs.next_in = (unsigned char *)(uintptr_t)p;
        zs.avail_in = (unsigned)k;
        p += k;
        n -= k;
        st = pump(&zs, out, n == 0 ? Z_FINISH : Z_NO_FLUSH);
    } while (n > 0 && st == RT_OK);
    deflateEnd(&zs);
    return st;
}
