/* SPDX-License-Identifier: MIT */
#include "trace/read/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "runtime/base/throw.h"

enum { PIECE = 1 << 18 };

struct unpack {
    z_stream z;
    const uint8_t *at, *end; /* what z has not been given */
    uint64_t done, limit;
    int fd;
    uint8_t out[PIECE];
};

bool
trace_is_gzip(const uint8_t *data, size_t n)
{
    return n >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

static void
feed(struct unpack *u)
{
    uint64_t left = (uint64_t)(u->end - u->at);
    uInt n = left > PIECE ? PIECE : (uInt)left;

    if (u->z.avail_in > 0)
        return;
    rt_assert(u->at <= u->end);
    /* The interface of zlib 1.2 lacks const here; it only reads. */
    u->z.next_in = (Bytef *)(uintptr_t)u->at;
    u->z.avail_in = n;
    u->at += n;
}

static enum rt_status
write_all(struct unpack *u, size_t n, struct rt_err *e)
{
    const uint8_t *p = u->out;

    rt_assert(n <= PIECE);
    u->done += n;
    if (u->done > u->limit)
        return rt_errf(e, RT_ELIMIT, UINT64_MAX,
            "unpacks to more than %llu MB",
            (unsigned long long)(u->limit >> 20));
    while (n > 0) {
        ssize_t k = write(u->fd, p, n);

        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return rt_err_os(e, errno, "a temporary file");
        p += k;
        n -= (size_t)k;
    }
    return RT_OK;
}

static enum rt_status
unpack_all(struct unpack *u, const uint8_t *data, struct rt_err *e)
{
    enum rt_status st = RT_OK;
    int r = Z_OK;

    while (st == RT_OK && r != Z_BUF_ERROR) {
        feed(u);
        u->z.next_out = u->out;
        u->z.avail_out = PIECE;
        r = inflate(&u->z, Z_NO_FLUSH);
        if (r == Z_MEM_ERROR)
            return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
        if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
            return rt_errf(e, RT_EFORMAT,
                (uint64_t)(u->at - data) - u->z.avail_in,
                "the gzip data is damaged");
        st = write_all(u, PIECE - u->z.avail_out, e);
        if (r != Z_STREAM_END)
            continue;
        if (u->z.avail_in == 0 && u->at == u->end)
            break;
        if (inflateReset(&u->z) != Z_OK)
            return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    return st;
}

enum rt_status
trace_unpack(const uint8_t *data, uint64_t n, uint64_t limit, int fd,
    struct rt_err *e)
{
    struct unpack *u = calloc(1, sizeof *u);
    enum rt_status st;

    if (u == NULL || inflateInit2(&u->z, 15 + 16) != Z_OK) {
        free(u);
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    }
    u->at = data;
    u->end = data + n;
    u->limit = limit;
    u->fd = fd;
    st = unpack_all(u, data, e);
    inflateEnd(&u->z);
    free(u);
    return st;
}
