/* SPDX-License-Identifier: MIT */
/* Chunks: numbers to varints, gzip, base64. */
#include <string.h>

#include "trace/html/html_int.h"

#include "runtime/base/safetext.h"
#include "runtime/base/throw.h"
#include "runtime/base/varint.h"

static void
base64(struct html_out *o, const uint8_t *p, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        "abcdefghijklmnopqrstuvwxyz0123456789+/";
    char line[4 * 1024];
    size_t k = 0;

    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)p[i] << 16;

        v |= i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0;
        v |= i + 2 < n ? p[i + 2] : 0;
        line[k++] = digits[v >> 18];
        line[k++] = digits[v >> 12 & 63];
        line[k++] = i + 1 < n ? digits[v >> 6 & 63] : '=';
        line[k++] = i + 2 < n ? digits[v & 63] : '=';
        rt_assert(k <= sizeof line);
        if (k == sizeof line || i + 3 >= n) {
            fwrite(line, 1, k, o->f);
            k = 0;
        }
    }
}

uint32_t
html_out_chunk(struct html_out *o, const void *data, size_t n)
{
    uint32_t id = o->nchunks++;

    o->gz.n = 0;
    if (wire_gzip(&o->gz, data, n) != RT_OK) {
        o->nomem = true;
        return id;
    }
    fprintf(o->f, "<script type=\"text/plain\" id=\"c%u\">", id);
    base64(o, o->gz.data, o->gz.n);
    fputs("</script>\n", o->f);
    return id;
}

void
html_out_escaped(FILE *f, const char *s)
{
    size_t i = 0, n = strlen(s);

    while (i < n) {
        char esc[RT_SAFE_ESC];
        size_t w = rt_safe_char(s + i, n - i, esc);

        if (*esc != '\0')
            fputs(esc, f);
        else if (strchr("<>&\"'", s[i]) != NULL)
            fprintf(f, "&#%d;", s[i]);
        else
            fwrite(s + i, 1, w, f);
        i += w;
    }
}

void
html_json_string(FILE *f, const char *s, size_t n)
{
    size_t i = 0;

    putc('"', f);
    while (i < n) {
        char esc[RT_SAFE_ESC];
        size_t w = rt_json_char(s + i, n - i, esc);

        /* A "</script>" in a name must not end the page's. */
        if (s[i] == '<')
            fputs("\\u003c", f);
        else if (*esc != '\0')
            fputs(esc, f);
        else
            fwrite(s + i, 1, w, f);
        i += w;
    }
    putc('"', f);
}

void
html_pack_u(struct html_pack *p, uint64_t v)
{
    uint8_t b[RT_VARINT_MAX];

    wire_buf_put(&p->b, b, (size_t)(rt_varint_put(b, v) - b));
}

void
html_pack_i(struct html_pack *p, int64_t v)
{
    html_pack_u(p, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

void
html_pack_flush(struct html_out *o, struct html_pack *p)
{
    struct html_chunk c = {0, p->n, p->from, p->to};

    if (p->n == 0)
        return;
    /* Each record has a number at least. */
    rt_assert(p->b.failed || p->b.n >= p->n);
    if (p->b.failed)
        o->nomem = true;
    c.id = html_out_chunk(o, p->b.data, p->b.n);
    if (!rt_vec_push(&p->done, c))
        o->nomem = true;
    p->b.n = 0;
    p->n = 0;
    p->last = 0;
}

void
html_pack_begin(struct html_out *o, struct html_pack *p, int64_t from,
    int64_t to)
{
    rt_assert(p->n <= HTML_CHUNK && from <= to);
    if (p->n == HTML_CHUNK)
        html_pack_flush(o, p);
    if (p->n == 0 || from < p->from)
        p->from = from;
    if (p->n == 0 || to > p->to)
        p->to = to;
    p->n++;
}

void
html_pack_free(struct html_pack *p)
{
    wire_buf_free(&p->b);
    rt_vec_free(&p->done);
}

void
html_pack_json(FILE *f, const struct html_pack *p)
{
    putc('[', f);
    for (size_t i = 0; i < p->done.n; i++) {
        const struct html_chunk *c = &p->done.v[i];

        fprintf(f, "%s[%u,%u,%lld,%lld]", i > 0 ? "," : "", c->id, c->n,
            (long long)c->from, (long long)c->to);
    }
    putc(']', f);
}
