/* SPDX-License-Identifier: MIT */
#include "runtime/lang/syntax/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void
lang_diag_init(
    struct lang_diag *d, const struct lang_sources *src, uint32_t limit)
{
    memset(d, 0, sizeof *d);
    d->src = src;
    d->limit = limit;
}

void
lang_diag_free(struct lang_diag *d)
{
    uint32_t i;

    for (i = 0; i < d->nmsg; i++)
        free((char *)d->msg[i].text);
    free(d->msg);
    d->msg = NULL;
    d->nmsg = d->cap = 0;
}

static int
reserve(struct lang_diag *d)
{
    uint32_t cap = d->cap == 0 ? 16 : d->cap * 2;
    struct lang_msg *msg;

    if (d->nmsg < d->cap)
        return 0;
    msg = realloc(d->msg, cap * sizeof *msg);
    if (msg == NULL)
        return -1;
    d->msg = msg;
    d->cap = cap;
    return 0;
}

static char *
format(const char *fmt, va_list ap)
{
    char *text;

    return vasprintf(&text, fmt, ap) < 0 ? NULL : text;
}

/* Takes over text. */
static void
add(struct lang_diag *d, lang_pos pos, char *text)
{
    struct lang_msg *m;

    if (text == NULL || reserve(d) != 0) {
        free(text);
        d->nomem = 1;
        return;
    }
    m = &d->msg[d->nmsg];
    m->pos = pos;
    m->seq = d->nmsg++;
    m->text = text;
    d->sorted = 0;
    if (d->limit != 0 && d->nmsg >= d->limit) {
        d->full = 1;
        d->full_pos = pos;
    }
}

void
lang_errf(struct lang_diag *d, lang_pos pos, const char *fmt, ...)
{
    struct lang_place at;
    va_list ap;
    char *text;

    if (d->full)
        return;
    va_start(ap, fmt);
    text = format(fmt, ap);
    va_end(ap);
    at = lang_pos_place(d->src, pos);
    if (text != NULL && d->last < d->nmsg && d->last_line == at.line &&
        strcmp(d->last_file, at.file) == 0 &&
        strcmp(d->msg[d->last].text, text) == 0) {
        free(text);
        return;
    }
    d->last = d->nmsg;
    d->last_file = at.file;
    d->last_line = at.line;
    add(d, pos, text);
}

void
lang_syntax_errf(struct lang_diag *d, lang_pos pos, const char *fmt, ...)
{
    struct lang_place at;
    va_list ap;

    if (d->full)
        return;
    at = lang_pos_place(d->src, pos);
    if (d->syn_file != NULL && d->syn_line == at.line &&
        strcmp(d->syn_file, at.file) == 0)
        return;
    d->syn_file = at.file;
    d->syn_line = at.line;
    va_start(ap, fmt);
    add(d, pos, format(fmt, ap));
    va_end(ap);
}

void
lang_diag_stop(struct lang_diag *d)
{
    d->stopped = !d->full;
    d->full = 1;
}

static int
compare(const void *a, const void *b)
{
    const struct lang_msg *x = a, *y = b;

    if (x->pos != y->pos)
        return x->pos < y->pos ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

void
lang_diag_sort(struct lang_diag *d)
{
    uint32_t i, n = 0;

    if (d->sorted)
        return;
    d->sorted = 1;
    d->last = UINT32_MAX;
    if (d->nmsg < 2)
        return;
    qsort(d->msg, d->nmsg, sizeof *d->msg, compare);
    for (i = 0; i < d->nmsg; i++) {
        if (n != 0 && d->msg[n - 1].pos == d->msg[i].pos &&
            strcmp(d->msg[n - 1].text, d->msg[i].text) == 0) {
            free((char *)d->msg[i].text);
            continue;
        }
        d->msg[n++] = d->msg[i];
    }
    d->nmsg = n;
}

static void
write_place(const struct lang_diag *d, lang_pos pos, FILE *out)
{
    struct lang_place at = lang_pos_place(d->src, pos);

    if (at.line == 0)
        return;
    if (at.col != 0)
        fprintf(out, "%s:%u:%u: ", at.file, at.line, at.col);
    else
        fprintf(out, "%s:%u: ", at.file, at.line);
}

int
lang_diag_write(struct lang_diag *d, FILE *out)
{
    uint32_t i;

    lang_diag_sort(d);
    for (i = 0; i < d->nmsg; i++) {
        write_place(d, d->msg[i].pos, out);
        fputs(d->msg[i].text, out);
        fputc('\n', out);
    }
    if (d->full && !d->stopped) {
        write_place(d, d->full_pos, out);
        fputs("too many errors\n", out);
    }
    if (d->nomem)
        fputs("out of memory\n", out);
    return ferror(out);
}
