/* SPDX-License-Identifier: MIT */
/*
 * Reports for programs.  Values are whole numbers in the unit of the profile,
 * not divided and not scaled.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/read/plist.h"
#include "profile/read/preport.h"
#include "profile/read/ptree.h"
#include "runtime/base/safetext.h"

/* What is safe to show passes; < is escaped for the sake of HTML. */
void
preport_json_string(FILE *out, const char *s, size_t n)
{
    size_t i = 0;

    fputc('"', out);
    while (i < n) {
        char esc[RT_SAFE_ESC];
        size_t w = rt_json_char(s + i, n - i, esc);

        if (s[i] == '<')
            fputs("\\u003c", out);
        else if (*esc != '\0')
            fputs(esc, out);
        else
            fwrite(s + i, 1, w, out);
        i += w;
    }
    fputc('"', out);
}

static void
string(FILE *out, const char *s)
{
    preport_json_string(out, s, strlen(s));
}

static void
text(FILE *out, const char *key, const char *s)
{
    fprintf(out, "\"%s\":", key);
    string(out, s);
}

static void
number(FILE *out, const char *key, int64_t v)
{
    fprintf(out, ",\"%s\":%lld", key, (long long)v);
}

static void
header(const struct preport *r, FILE *out)
{
    const struct pfile *f = r->f;

    fputc('{', out);
    text(out, "type", f->types[r->type].type);
    fputc(',', out);
    text(out, "unit", f->types[r->type].unit);
    if (f->nmappings > 0) {
        fputc(',', out);
        text(out, "file", f->mappings[0].file);
    }
    number(out, "time_nanos", f->time);
    number(out, "duration_nanos", f->duration);
    number(out, "total", r->total);
}

static void
node(FILE *out, const struct pgraph_node *n)
{
    text(out, "name", n->name);
    if (*n->file != '\0') {
        fputc(',', out);
        text(out, "file", n->file);
    }
    if (n->line != 0)
        number(out, "line", n->line);
    if (n->addr != 0)
        fprintf(out, ",\"address\":\"0x%llx\"", (unsigned long long)n->addr);
    if (*n->obj != '\0') {
        fputc(',', out);
        text(out, "mapping", n->obj);
    }
}

static void
counts(const struct preport *r, FILE *out)
{
    const struct pgraph *g = r->g;

    number(out, "nodes_total", (int64_t)g->whole);
    number(out, "nodes_dropped", (int64_t)g->dropped);
}

void
preport_json_top(const struct preport *r, FILE *out)
{
    const struct pgraph *g = r->g;
    size_t i;

    header(r, out);
    counts(r, out);
    fputs(",\"nodes\":[", out);
    for (i = 0; i < g->nshown; i++) {
        const struct pgraph_node *n = &g->nodes[g->shown[i]];

        fputs(i > 0 ? ",\n{" : "\n{", out);
        node(out, n);
        number(out, "flat", n->flat);
        number(out, "cum", n->cum);
        fputc('}', out);
    }
    fputs("]}\n", out);
}

static enum rt_status
edges(const struct preport *r, FILE *out, uint32_t at, bool callees)
{
    const struct pgraph *g = r->g;
    enum rt_status st = RT_OK;
    uint32_t *list;
    size_t i, n;

    list = pgraph_edges(g, at, callees, &n, &st);
    fprintf(out, ",\"%s\":[", callees ? "callees" : "callers");
    for (i = 0; list != NULL && i < n; i++) {
        const struct pgraph_edge *x = &g->edges[list[i]];

        fputs(i > 0 ? ",{" : "{", out);
        node(out, &g->nodes[callees ? x->dst : x->src]);
        number(out, "weight", x->weight);
        if (x->inlined)
            fputs(",\"inline\":true", out);
        if (x->residual)
            fputs(",\"residual\":true", out);
        fputc('}', out);
    }
    fputc(']', out);
    free(list);
    return st;
}

enum rt_status
preport_json_tree(const struct preport *r, FILE *out)
{
    const struct pgraph *g = r->g;
    enum rt_status st = RT_OK;
    size_t i;

    header(r, out);
    counts(r, out);
    fputs(",\"nodes\":[", out);
    for (i = 0; st == RT_OK && i < g->nshown; i++) {
        const struct pgraph_node *n = &g->nodes[g->shown[i]];

        fputs(i > 0 ? ",\n{" : "\n{", out);
        node(out, n);
        number(out, "flat", n->flat);
        number(out, "cum", n->cum);
        st = edges(r, out, g->shown[i], false);
        if (st == RT_OK)
            st = edges(r, out, g->shown[i], true);
        fputc('}', out);
    }
    fputs("]}\n", out);
    return st;
}

/* ---- list */

struct list {
    const struct preport *r;
    FILE *out;
    bool any;
};

static void
list_func(void *arg, const struct plist_func *x)
{
    struct list *l = arg;
    size_t i;

    if (!l->any) {
        header(l->r, l->out);
        fputs(",\"functions\":[", l->out);
    }
    fputs(l->any ? ",\n{" : "\n{", l->out);
    l->any = true;
    text(l->out, "name", x->name);
    fputc(',', l->out);
    text(l->out, "file", x->file);
    number(l->out, "flat", x->flat);
    number(l->out, "cum", x->cum);
    if (x->error != NULL) {
        fputc(',', l->out);
        text(l->out, "error", x->error);
    }
    fputs(",\"lines\":[", l->out);
    for (i = 0; i < x->nlines; i++) {
        const struct plist_line *y = &x->lines[i];

        fprintf(l->out, "%s{\"line\":%lld", i > 0 ? "," : "",
            (long long)y->line);
        number(l->out, "flat", y->flat);
        number(l->out, "cum", y->cum);
        if (y->text != NULL) {
            fputs(",\"text\":", l->out);
            preport_json_string(l->out, y->text, y->len);
        }
        fputc('}', l->out);
    }
    fputs("]}", l->out);
}

enum rt_status
preport_json_list(struct preport *r, FILE *out, struct rt_err *e)
{
    struct list l = {r, out, false};
    enum rt_status st = plist_each(r, list_func, &l, e);

    if (l.any)
        fputs("]}\n", out);
    return st;
}
