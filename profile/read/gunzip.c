/* SPDX-License-Identifier: MIT */
#include "profile/read/gunzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct sink {
    uint8_t *p;
    size_t n, cap, limit;
};

/* Makes room for at least one byte beyond the limit, so that exceeding it is
 * seen without unpacking the rest. */
static enum rt_status
room(struct sink *s, size_t hint, struct rt_err *e)
{
    size_t want = s->cap == 0 ? hint : s->cap * 2;
    uint8_t *p;

    if (s->n > s->limit)
        return rt_errf(e, RT_ELIMIT, UINT64_MAX,
            "unpacks to more than %zu MiB; refusing to go on",
            s->limit >> 20);
    if (s->n < s->cap)
        return RT_OK;
    if (want > s->limit + 1)
        want = s->limit + 1;
    p = realloc(s->p, want);
    if (p == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    s->p = p;
    s->cap = want;
    return RT_OK;
}

static enum rt_status
damaged(struct rt_err *e, const z_stream *z, size_t n, const char *what)
{
    return rt_errf(e, RT_EFORMAT, n - z->avail_in, "gzip data %s%s%s", what,
        z->msg != NULL ? ": " : "", z->msg != NULL ? z->msg : "");
}

static enum rt_status
inflate_all(z_stream *z, size_t n, struct sink *s, struct rt_err *e)
{
    enum rt_status st;
    int r;

    for (;;) {
        st = room(s, n < 4096 ? 16384 : n * 4, e);
        if (st != RT_OK)
            return st;
        z->next_out = s->p + s->n;
        z->avail_out = s->cap - s->n > 1u << 30 ? 1u << 30
            : (uInt)(s->cap - s->n);
        r = inflate(z, Z_NO_FLUSH);
        s->n = (size_t)(z->next_out - s->p);
        if (r == Z_MEM_ERROR)
            return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
        if (r == Z_STREAM_END) {
            if (z->avail_in == 0)
                break;
            if (inflateReset(z) != Z_OK)
                return damaged(e, z, n, "is damaged");
        } else if (r == Z_BUF_ERROR || (r == Z_OK && z->avail_in == 0 &&
            z->avail_out != 0)) {
            return damaged(e, z, n, "ends early");
        } else if (r != Z_OK) {
            return damaged(e, z, n, "is damaged");
        }
    }
    /* The last byte may have crossed the limit. */
    return s->n > s->limit ? room(s, 0, e) : RT_OK;
}

enum rt_status
gunzip_all(const uint8_t *in, size_t n, size_t limit, uint8_t **out,
    size_t *nout, struct rt_err *e)
{
    struct sink s = {.limit = limit};
    enum rt_status st;
    z_stream z;

    *out = NULL;
    *nout = 0;
    if (n > UINT32_MAX)
        return rt_errf(e, RT_ELIMIT, UINT64_MAX, "larger than 4 GiB");
    memset(&z, 0, sizeof z);
    /* The interface of zlib 1.2 lacks const here; it only reads. */
    z.next_in = (Bytef *)(uintptr_t)in;
    z.avail_in = (uInt)n;
    if (inflateInit2(&z, 15 + 16) != Z_OK)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    st = inflate_all(&z, n, &s, e);
    inflateEnd(&z);
    if (st != RT_OK) {
        free(s.p);
        return st;
    }
    *out = s.p;
    *nout = s.n;
    return RT_OK;
}
