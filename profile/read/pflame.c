/* SPDX-License-Identifier: MIT */
/*
 * Flame graphs.  The tree goes into the page as JSON, in columns, so that a
 * browser reads a hundred thousand nodes in a moment; the page's own script
 * draws it (flame.html).
 */
#include <stdlib.h>
#include <string.h>

#include "profile/read/pflame_page.h"
#include "profile/read/preport.h"
#include "profile/read/ptree.h"

enum { MAX_SHOWN = 60000 };

static void
string(FILE *out, const char *s)
{
    preport_json_string(out, s, strlen(s));
}

/* ---- the frames in use, numbered anew */

struct frames {
    uint32_t *number; /* of a node of the graph; PHASH_NONE: not used */
    uint32_t *used;
    size_t n;
};

static bool
collect(struct frames *fr, const struct ptree *t)
{
    size_t i;

    fr->number = malloc((t->g->nnodes + 1) * sizeof *fr->number);
    fr->used = malloc((t->n + 1) * sizeof *fr->used);
    if (fr->number == NULL || fr->used == NULL)
        return false;
    memset(fr->number, 0xff, (t->g->nnodes + 1) * sizeof *fr->number);
    for (i = 1; i < t->n; i++) {
        uint32_t frame = t->nodes[i].frame;

        if (fr->number[frame] == PHASH_NONE) {
            fr->number[frame] = (uint32_t)fr->n;
            fr->used[fr->n++] = frame;
        }
    }
    return true;
}

/* What a frame is called without its file and line, which the page shows
 * apart. */
static void
frame_name(FILE *out, const struct pgraph_node *n)
{
    struct pgraph_node bare = *n;
    struct pgraph_label l;
    char text[512];
    int i, at = 0;

    if (*n->name != '\0') {
        string(out, n->name);
        return;
    }
    bare.line = *n->file != '\0' ? n->line : 0;
    pgraph_label(&bare, &l);
    text[0] = '\0';
    for (i = 0; l.piece[i] != NULL && at < (int)sizeof text; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s", l.piece[i]);
    string(out, text);
}

static void
write_frames(FILE *out, const struct frames *fr, const struct pgraph *g)
{
    size_t i;

    fputs(",\n\"names\":[", out);
    for (i = 0; i < fr->n; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        frame_name(out, &g->nodes[fr->used[i]]);
    }
    fputs("],\n\"files\":[", out);
    for (i = 0; i < fr->n; i++) {
        const struct pgraph_node *n = &g->nodes[fr->used[i]];

        fputs(i > 0 ? "," : "", out);
        string(out, n->file);
    }
    fputs("],\n\"lines\":[", out);
    for (i = 0; i < fr->n; i++)
        fprintf(out, "%s%lld", i > 0 ? "," : "",
            (long long)g->nodes[fr->used[i]].line);
    fputc(']', out);
}

/* ---- the tree, by columns */

static void
column(FILE *out, const int64_t *v, size_t type, const struct ptree *t)
{
    size_t i;

    fputc('[', out);
    for (i = 0; i < t->n; i++)
        fprintf(out, "%s%lld", i > 0 ? "," : "",
            (long long)v[i * t->ntypes + type]);
    fputc(']', out);
}

static void
columns(FILE *out, const char *key, const int64_t *v, const struct ptree *t)
{
    size_t k;

    fprintf(out, ",\n\"%s\":[", key);
    for (k = 0; k < t->ntypes; k++) {
        fputs(k > 0 ? ",\n" : "", out);
        column(out, v, k, t);
    }
    fputc(']', out);
}

static void
write_tree(FILE *out, const struct ptree *t, const struct frames *fr)
{
    bool first = true;
    size_t i;

    fputs(",\n\"parent\":[", out);
    for (i = 0; i < t->n; i++)
        fprintf(out, "%s%ld", i > 0 ? "," : "",
            i > 0 ? (long)t->nodes[i].parent : -1L);
    fputs("],\n\"frame\":[", out);
    for (i = 0; i < t->n; i++)
        fprintf(out, "%s%ld", i > 0 ? "," : "",
            i > 0 ? (long)fr->number[t->nodes[i].frame] : -1L);
    fputs("],\n\"inlined\":[", out);
    for (i = 0; i < t->n; i++) {
        if (!t->nodes[i].inlined)
            continue;
        fprintf(out, "%s%zu", first ? "" : ",", i);
        first = false;
    }
    fputc(']', out);
    columns(out, "self", t->self, t);
    columns(out, "cum", t->cum, t);
    if (t->compared) {
        columns(out, "oldSelf", t->old_self, t);
        columns(out, "oldCum", t->old_cum, t);
    }
}

static void
write_header(const struct preport *r, const char *title, FILE *out,
    const struct ptree *t)
{
    const struct pfile *f = r->f;
    size_t i;

    fputs("{\"title\":", out);
    string(out, title);
    fputs(",\"types\":[", out);
    for (i = 0; i < f->ntypes; i++) {
        fputs(i > 0 ? ",{\"type\":" : "{\"type\":", out);
        string(out, f->types[i].type);
        fputs(",\"unit\":", out);
        string(out, f->types[i].unit);
        fputc('}', out);
    }
    fprintf(out, "],\"shown\":%zu,\"timeNanos\":%lld,\"durationNanos\":%lld,"
        "\"compared\":%s,\"dropped\":%zu", r->type, (long long)f->time,
        (long long)f->duration, t->compared ? "true" : "false", t->dropped);
}

enum rt_status
preport_json_flame(struct preport *r, const char *title, FILE *out,
    struct rt_err *e)
{
    struct frames fr = {0};
    struct ptree t;
    enum rt_status st = ptree_build(&t, r->g, MAX_SHOWN, e);

    if (st == RT_OK && !collect(&fr, &t))
        st = rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    if (st == RT_OK) {
        write_header(r, title, out, &t);
        write_frames(out, &fr, r->g);
        write_tree(out, &t, &fr);
        fputs("}\n", out);
    }
    free(fr.number);
    free(fr.used);
    ptree_free(&t);
    return st;
}

enum rt_status
preport_flame(struct preport *r, const char *title, FILE *out,
    struct rt_err *e)
{
    enum rt_status st;

    fputs(pflame_page_head, out);
    st = preport_json_flame(r, title, out, e);
    fputs(pflame_page_tail, out);
    return st;
}
