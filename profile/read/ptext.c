/* SPDX-License-Identifier: MIT */
/*
 * top and tree, in the layout of `go tool pprof -top` and `-tree`.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "profile/read/plist.h"
#include "profile/read/preport.h"
#include "profile/read/punit.h"
#include "runtime/base/safetext.h"

void
preport_clean(FILE *out, const char *s, size_t n)
{
    rt_safe_put(out, s, n);
}

static void
clean(FILE *out, const char *s)
{
    preport_clean(out, s, strlen(s));
}

static void
name(FILE *out, const struct pgraph_node *n)
{
    struct pgraph_label l;
    int i;

    pgraph_label(n, &l);
    for (i = 0; l.piece[i] != NULL; i++)
        clean(out, l.piece[i]);
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* ---- header */

static void
when(FILE *out, int64_t ns)
{
    time_t t = (time_t)(ns / 1000000000 - (ns % 1000000000 < 0));
    struct tm tm;
    char buf[64];

    if (ns != 0 && localtime_r(&t, &tm) != NULL &&
        strftime(buf, sizeof buf, "%Y-%m-%d %H:%M:%S %Z", &tm) > 0)
        fprintf(out, "Time: %s\n", buf);
}

static void
duration(const struct preport *r, FILE *out)
{
    char a[PUNIT_TEXT], b[PUNIT_TEXT], c[PUNIT_TEXT];
    const char *unit;
    double ns = punit_scale(r->total, r->f->types[r->type].unit,
        "nanoseconds", &unit);

    if (r->f->duration == 0)
        return;
    fprintf(out, "Duration: %s, Total samples = %s ",
        punit_label(a, r->f->duration, "nanoseconds", "auto"),
        preport_value(r, b, r->total));
    if (strcmp(unit, "ns") == 0 && ns != 0 && ns < 9e18)
        fprintf(out, "(%s)", punit_percent(c, (int64_t)ns, r->f->duration));
    fprintf(out, "\n");
}

static void
about(const struct preport *r, FILE *out)
{
    const struct pfile *f = r->f;
    size_t i;

    if (f->nmappings > 0 && *f->mappings[0].file != '\0') {
        fprintf(out, "File: ");
        clean(out, base_name(f->mappings[0].file));
        fprintf(out, "\n");
    }
    if (f->nmappings > 0 && *f->mappings[0].build_id != '\0') {
        fprintf(out, "Build ID: ");
        clean(out, f->mappings[0].build_id);
        fprintf(out, "\n");
    }
    for (i = 0; i < f->ncomments; i++) {
        if (*f->comments[i] == '#')
            continue;
        clean(out, f->comments[i]);
        fprintf(out, "\n");
    }
    if (*f->types[r->type].type != '\0') {
        fprintf(out, "Type: ");
        clean(out, f->types[r->type].type);
        fprintf(out, "\n");
    }
    if (*f->doc_url != '\0') {
        fprintf(out, "Doc: ");
        clean(out, f->doc_url);
        fprintf(out, "\n");
    }
    when(out, f->time);
    duration(r, out);
}

static void
filters(const struct preport *r, FILE *out)
{
    const struct pfilter *p = &r->opt.filter;
    const struct {
        const char *name, *text;
    } all[] = {{"focus", p->focus}, {"ignore", p->ignore}, {"hide", p->hide},
        {"show", p->show}, {"show_from", p->show_from},
        {"tagfocus", p->tagfocus}, {"tagignore", p->tagignore}};
    bool first = true;
    size_t i, n;

    for (i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].text == NULL || *all[i].text == '\0')
            continue;
        if (first)
            fprintf(out, "Active filters:\n");
        first = false;
        n = strlen(all[i].name) + 1 + strlen(all[i].text);
        fprintf(out, "   %s=", all[i].name);
        if (n <= 80) {
            clean(out, all[i].text);
        } else {
            preport_clean(out, all[i].text, 79 - strlen(all[i].name));
            fprintf(out, "\342\200\246");
        }
        fprintf(out, "\n");
    }
}

static void
header(const struct preport *r, FILE *out)
{
    char a[PUNIT_TEXT], b[PUNIT_TEXT], c[PUNIT_TEXT];
    const struct pgraph *g = r->g;
    int64_t shown = 0;
    size_t i;

    if (!r->opt.compact_labels)
        about(r, out);
    filters(r, out);
    for (i = 0; i < g->nshown; i++)
        shown = (int64_t)((uint64_t)shown +
            (uint64_t)g->nodes[g->shown[i]].flat);
    punit_percent(b, shown, r->total);
    fprintf(out, "Showing nodes accounting for %s, %s of %s total\n",
        preport_value(r, a, shown), b + strspn(b, " "),
        preport_value(r, c, r->total));
    if (r->total == 0)
        return;
    if (g->dropped > 0) {
        double d = (double)r->total * r->opt.nodefraction;

        fprintf(out, "Dropped %zu node%s (cum <= %s)\n", g->dropped,
            g->dropped > 1 ? "s" : "", preport_value(r, a,
                d < 9e18 ? pgraph_abs((int64_t)d) : r->total));
    }
    if (g->nshown > 0 && g->nshown < g->whole)
        fprintf(out, "Showing top %zu nodes out of %zu\n", g->nshown,
            g->whole);
}

/* ---- top */

static const char *
heat(const struct preport *r, const struct preport_style *s, int64_t v)
{
    double share = r->total == 0 ? 0
        : (double)pgraph_abs(v) / (double)r->total;

    return share >= 0.1 ? s->hot : share >= 0.02 ? s->warm : "";
}

static const char *
inline_mark(const struct pgraph *g, const struct pgraph_node *n)
{
    bool in = false, out = false;
    uint32_t i;

    for (i = n->in; i != PHASH_NONE; i = g->edges[i].next_in) {
        if (g->edges[i].dropped)
            continue;
        in |= g->edges[i].inlined;
        out |= !g->edges[i].inlined;
    }
    return !in ? "" : out ? " (partial-inline)" : " (inline)";
}

enum rt_status
preport_top(const struct preport *r, const struct preport_style *s)
{
    char a[PUNIT_TEXT], b[PUNIT_TEXT], c[PUNIT_TEXT], d[PUNIT_TEXT],
        e[PUNIT_TEXT];
    const struct pgraph *g = r->g;
    int64_t sum = 0;
    size_t i;

    header(r, s->out);
    fprintf(s->out, "%s%10s %5s%% %5s%% %10s %5s%%%s\n", s->bold, "flat",
        "flat", "sum", "cum", "cum", s->plain);
    for (i = 0; i < g->nshown && !ferror(s->out); i++) {
        const struct pgraph_node *n = &g->nodes[g->shown[i]];
        const char *hot = heat(r, s, n->flat);

        sum = (int64_t)((uint64_t)sum + (uint64_t)n->flat);
        fprintf(s->out, "%s%10s %s%s %s %10s %s  ", hot,
            preport_value(r, a, n->flat),
            punit_percent(b, n->flat, r->total), *hot ? s->plain : "",
            punit_percent(c, sum, r->total), preport_value(r, d, n->cum),
            punit_percent(e, n->cum, r->total));
        name(s->out, n);
        fprintf(s->out, "%s\n", inline_mark(g, n));
    }
    return RT_OK;
}

/* ---- tree */

static const char rule[] = "-----------------------------------------------"
    "-----------+-------------";

static enum rt_status
edges(const struct preport *r, FILE *out, uint32_t node, bool callees)
{
    char a[PUNIT_TEXT], b[PUNIT_TEXT];
    const struct pgraph *g = r->g;
    enum rt_status st = RT_OK;
    uint32_t *list;
    size_t i, n;

    list = pgraph_edges(g, node, callees, &n, &st);
    for (i = 0; i < n && list != NULL; i++) {
        const struct pgraph_edge *x = &g->edges[list[i]];

        fprintf(out, "%50s %s |   ", preport_value(r, a, x->weight),
            punit_percent(b, x->weight, g->nodes[node].cum));
        name(out, &g->nodes[callees ? x->dst : x->src]);
        fprintf(out, "%s\n", x->inlined ? " (inline)" : "");
    }
    free(list);
    return st;
}

enum rt_status
preport_tree(const struct preport *r, const struct preport_style *s)
{
    char a[PUNIT_TEXT], b[PUNIT_TEXT], c[PUNIT_TEXT], d[PUNIT_TEXT],
        e[PUNIT_TEXT];
    const struct pgraph *g = r->g;
    enum rt_status st = RT_OK;
    int64_t sum = 0;
    size_t i;

    header(r, s->out);
    fprintf(s->out, "%s\n%s      flat  flat%%   sum%%        cum   cum%%   "
        "calls calls%% + context \t \t %s\n", rule, s->bold, s->plain);
    for (i = 0; st == RT_OK && i < g->nshown && !ferror(s->out); i++) {
        const struct pgraph_node *n = &g->nodes[g->shown[i]];

        fprintf(s->out, "%s\n", rule);
        st = edges(r, s->out, g->shown[i], false);
        if (st != RT_OK)
            return st;
        sum = (int64_t)((uint64_t)sum + (uint64_t)n->flat);
        fprintf(s->out, "%s%10s %s %s %10s %s                | ", s->bold,
            preport_value(r, a, n->flat),
            punit_percent(b, n->flat, r->total),
            punit_percent(c, sum, r->total), preport_value(r, d, n->cum),
            punit_percent(e, n->cum, r->total));
        name(s->out, n);
        fprintf(s->out, "%s\n", s->plain);
        st = edges(r, s->out, g->shown[i], true);
    }
    if (g->nshown > 0)
        fprintf(s->out, "%s\n", rule);
    return st;
}

/* ---- list */

struct list {
    const struct preport *r;
    const struct preport_style *s;
    bool any;
};

static const char *
or_dot(const struct preport *r, char *buf, int64_t v)
{
    return v == 0 ? "." : preport_value(r, buf, v);
}

static void
list_func(void *arg, const struct plist_func *x)
{
    struct list *l = arg;
    char a[PUNIT_TEXT], b[PUNIT_TEXT], c[PUNIT_TEXT];
    FILE *out = l->s->out;
    size_t i;

    if (!l->any)
        fprintf(out, "Total: %s\n", preport_value(l->r, a, l->r->total));
    l->any = true;

    if (*x->file == '\0') {
        fprintf(out, "No source information for ");
        clean(out, x->name);
        fprintf(out, "\n");
        return;
    }
    fprintf(out, "%sROUTINE ======================== ", l->s->bold);
    clean(out, x->name);
    fprintf(out, " in ");
    clean(out, x->file);
    fprintf(out, "%s\n%10s %10s (flat, cum) %s of Total\n", l->s->plain,
        preport_value(l->r, a, x->flat), preport_value(l->r, b, x->cum),
        punit_percent(c, x->cum, l->r->total));
    if (x->error != NULL) {
        fprintf(out, " Error: ");
        clean(out, x->error);
        fprintf(out, "\n");
        /* What is known without the source: which lines cost what. */
        for (i = 0; i < x->nlines; i++)
            fprintf(out, "%10s %10s %6lld:\n",
                or_dot(l->r, a, x->lines[i].flat),
                or_dot(l->r, b, x->lines[i].cum),
                (long long)x->lines[i].line);
        return;
    }
    for (i = 0; i < x->nlines; i++) {
        const struct plist_line *y = &x->lines[i];
        const char *hot = heat(l->r, l->s, y->flat);

        fprintf(out, "%s%10s %10s%s %6lld:", hot, or_dot(l->r, a, y->flat),
            or_dot(l->r, b, y->cum), *hot ? l->s->plain : "",
            (long long)y->line);
        preport_clean(out, y->text, y->len);
        fprintf(out, "\n");
    }
}

enum rt_status
preport_list(struct preport *r, const struct preport_style *s,
    struct rt_err *e)
{
    struct list l = {r, s, false};

    return plist_each(r, list_func, &l, e);
}
