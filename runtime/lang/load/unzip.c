/* SPDX-License-Identifier: MIT */
#include "runtime/lang/load/unzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "runtime/base/arena.h"

enum {
    END_SIZE = 22,
    END_MARK = 0x06054b50,
    CENTRAL_SIZE = 46,
    CENTRAL_MARK = 0x02014b50,
    LOCAL_SIZE = 30,
    LOCAL_MARK = 0x04034b50,
    COMMENT_MAX = 65535,
    ENTRY_MAX = 1 << 29 /* bytes of a file, as in Go's modules */
};

static uint32_t
u16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t
u32(const uint8_t *p)
{
    return u16(p) | u16(p + 2) << 16;
}

static enum rt_status
damaged(struct rt_err *err, const char *why)
{
    return rt_errf(err, RT_EFORMAT, UINT64_MAX, "zip: %s", why);
}

/* The record at the end, behind which there may be a comment. */
static const uint8_t *
find_end(const uint8_t *zip, size_t len)
{
    size_t back;

    for (back = END_SIZE; back <= len && back <= END_SIZE + COMMENT_MAX;
         back++)
        if (u32(zip + len - back) == END_MARK)
            return zip + len - back;
    return NULL;
}

/* Relative, without empty, "." and ".." elements and without backslashes. */
static bool
good_name(const char *name, size_t n)
{
    const char *p = name, *end = name + n;

    if (n == 0 || memchr(name, 0, n) != NULL || memchr(name, '\\', n) != NULL)
        return false;
    while (p < end) {
        const char *slash = memchr(p, '/', (size_t)(end - p));
        size_t m = (size_t)((slash == NULL ? end : slash) - p);

        if (m == 0 || (m == 1 && *p == '.') ||
            (m == 2 && p[0] == '.' && p[1] == '.'))
            return false;
        p += m + (slash != NULL);
    }
    return true;
}

/* Where the data of an entry begins: its header, at off, has its own idea of
 * how long the name and the rest are. */
static enum rt_status
find_data(const uint8_t *zip, size_t len, uint32_t off, struct unzip_entry *e,
    struct rt_err *err)
{
    size_t at;

    if (off > len || len - off < LOCAL_SIZE || u32(zip + off) != LOCAL_MARK)
        return damaged(err, "an entry is not where it should be");
    at = off + LOCAL_SIZE + (size_t)u16(zip + off + 26) + u16(zip + off + 28);
    if (at > len || len - at < e->packed)
        return damaged(err, "an entry is cut off");
    e->data = zip + at;
    return RT_OK;
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(((const struct unzip_entry *)a)->name,
        ((const struct unzip_entry *)b)->name);
}

enum rt_status
unzip_list(struct rt_arena *a, const uint8_t *zip, size_t len,
    struct unzip_entry **entries, unsigned *n, struct rt_err *err)
{
    const uint8_t *end = find_end(zip, len), *p;
    struct unzip_entry *list;
    uint32_t i, count;
    enum rt_status st = RT_OK;

    if (end == NULL)
        return damaged(err, "not a zip file");
    count = u16(end + 10);
    if (u32(end + 16) > (size_t)(end - zip))
        return damaged(err, "no list of entries");
    p = zip + u32(end + 16);
    list = rt_arena_array(a, count + 1, sizeof *list);
    for (i = 0; i < count && st == RT_OK; i++) {
        struct unzip_entry *e = &list[i];
        uint32_t nname, rest, method;

        if (end - p < CENTRAL_SIZE || u32(p) != CENTRAL_MARK)
            return damaged(err, "the list of entries is cut off");
        method = u16(p + 10);
        nname = u16(p + 28);
        rest = nname + u16(p + 30) + u16(p + 32);
        if ((size_t)(end - p) - CENTRAL_SIZE < rest)
            return damaged(err, "the list of entries is cut off");
        e->crc = u32(p + 16);
        e->packed = u32(p + 20);
        e->size = u32(p + 24);
        e->deflated = method == 8;
        e->name = rt_arena_strndup(a, (const char *)p + CENTRAL_SIZE, nname);
        if (!good_name((const char *)p + CENTRAL_SIZE, nname))
            return damaged(err, "an entry has a name that is not allowed");
        if ((method != 0 && method != 8) || e->size > ENTRY_MAX ||
            (method == 0 && e->packed != e->size))
            return damaged(err, "an entry is packed in an unknown way");
        st = find_data(zip, len, u32(p + 42), e, err);
        p += CENTRAL_SIZE + rest;
    }
    if (st != RT_OK)
        return st;
    if (count > 1)
        qsort(list, count, sizeof *list, by_name);
    for (i = 1; i < count; i++)
        if (strcmp(list[i - 1].name, list[i].name) == 0)
            return damaged(err, "an entry is there twice");
    *entries = list;
    *n = count;
    return RT_OK;
}

enum rt_status
unzip_read(const struct unzip_entry *e, uint8_t *out, struct rt_err *err)
{
    z_stream z = {0};
    uint8_t none = 0;
    int r;

    if (!e->deflated) {
        memcpy(out, e->data, e->size);
    } else {
        if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
            return rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
        z.next_in = (Bytef *)(uintptr_t)e->data;
        z.avail_in = e->packed;
        z.next_out = e->size == 0 ? &none : out;
        z.avail_out = e->size == 0 ? 1 : e->size;
        r = inflate(&z, Z_FINISH);
        inflateEnd(&z);
        if (r != Z_STREAM_END || z.total_out != e->size)
            return damaged(err, "an entry is damaged");
    }
    if (crc32(crc32(0, NULL, 0), out, e->size) != e->crc)
        return damaged(err, "an entry has another sum");
    return RT_OK;
}
