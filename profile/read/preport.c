/* SPDX-License-Identifier: MIT */
#include "profile/read/preport.h"

#include <stdlib.h>
#include <string.h>

#include "profile/read/pmerge.h"
#include "profile/read/punit.h"

const struct preport_options preport_defaults = {
    .nodecount = -1,
    .nodefraction = 0.005,
    .edgefraction = 0.001,
    .trim = true,
    .divide_by = 1,
};

/* ---- loading */

struct load {
    struct pmerge_source *in;
    size_t n;
};

static enum rt_status
load_some(struct load *l, const char *const *paths, size_t n,
    enum pmerge_role role, struct rt_err *e)
{
    enum rt_status st;
    struct pfile *f;
    size_t i;

    for (i = 0; i < n; i++) {
        st = pfile_open(paths[i], &f, e);
        if (st != RT_OK) {
            rt_err_wrap(e, "%.300s", paths[i]);
            return st;
        }
        l->in[l->n++] = (struct pmerge_source){f, role};
    }
    return RT_OK;
}

enum rt_status
preport_load(const char *const *paths, size_t n, const char *const *bases,
    size_t nbases, bool compare, struct pfile **f, struct rt_err *e)
{
    struct load l = {calloc(n + nbases, sizeof *l.in), 0};
    enum rt_status st = RT_OK;

    *f = NULL;
    if (l.in == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    st = load_some(&l, paths, n, PMERGE_ADD, e);
    if (st == RT_OK)
        st = load_some(&l, bases, nbases,
            compare ? PMERGE_COMPARE : PMERGE_SUBTRACT, e);
    if (st == RT_OK && l.n == 1) {
        *f = (struct pfile *)(uintptr_t)l.in[0].f;
        l.n = 0;
    } else if (st == RT_OK) {
        st = pmerge_all(l.in, l.n, f, e);
    }
    while (l.n > 0)
        pfile_close((struct pfile *)(uintptr_t)l.in[--l.n].f);
    free(l.in);
    return st;
}

/* ---- filters and counting */

const char *
preport_filter_name(unsigned bit)
{
    static const char *const names[] = {"focus", "ignore", "hide", "show",
        "show_from", "tagfocus", "tagignore"};

    return bit < sizeof names / sizeof *names ? names[bit] : NULL;
}

static int64_t
divided(const struct preport *r, int64_t v)
{
    double d;

    if (r->opt.divide_by == 1)
        return v;
    d = (double)v * (1 / r->opt.divide_by);
    return d > -9e18 && d < 9e18 ? (int64_t)d : v;
}

char *
preport_value(const struct preport *r, char *buf, int64_t v)
{
    return punit_label(buf, divided(r, v), r->f->types[r->type].unit,
        r->unit);
}

/* The unit in which the smallest value still shows two digits or the largest
 * is not too long. */
static void
choose_unit(struct preport *r)
{
    const char *from = r->f->types[r->type].unit, *low_unit, *high_unit;
    int64_t low = 0, high = r->total;
    size_t i;

    r->unit = r->opt.unit != NULL ? r->opt.unit : "minimum";
    if (strcmp(r->unit, "minimum") != 0 || r->g->nshown == 0 ||
        r->opt.kind == PREPORT_LIST)
        return;
    for (i = 0; i < r->g->nshown; i++) {
        const struct pgraph_node *n = &r->g->nodes[r->g->shown[i]];
        int64_t v = pgraph_abs(n->flat);

        if (v == 0)
            v = pgraph_abs(n->cum);
        if (v > 0 && (low == 0 || v < low))
            low = v;
    }
    if (low == 0)
        low = high;
    low = divided(r, low);
    high = divided(r, high);
    punit_scale(low, from, "minimum", &low_unit);
    punit_scale(high, from, "minimum", &high_unit);
    if (strcmp(low_unit, high_unit) != 0 &&
        (int64_t)((uint64_t)low * 100) < high)
        punit_scale((int64_t)((uint64_t)low * 100), from, "minimum",
            &low_unit);
    r->unit = *low_unit != '\0' ? low_unit : from;
}

/* Unless something else is asked for, functions; but for a profile without
 * any, addresses, which at least can be looked up. */
static enum pgraph_by
granularity(const struct preport *r)
{
    if (r->opt.kind == PREPORT_LIST)
        return PGRAPH_LINES;
    if (r->opt.by_given)
        return r->opt.by;
    return pfile_symbolized(r->f) ? PGRAPH_FUNCTIONS : PGRAPH_ADDRESSES;
}

static enum rt_status
count(struct preport *r, struct rt_err *e)
{
    const struct preport_options *o = &r->opt;
    bool trim = o->trim && o->kind != PREPORT_LIST &&
        o->kind != PREPORT_FLAME;
    struct pgraph_options how = {.type = r->type, .by = granularity(r),
        .noinlines = o->noinlines, .objects = o->kind == PREPORT_LIST,
        .drop_negative = o->drop_negative, .trim_path = o->trim_path,
        .source_path = o->source_path};
    struct pgraph_trim t = {.cum = o->cum};
    enum rt_status st = pgraph_new(r->f, &how, &r->g, e);

    if (st != RT_OK)
        return st;
    if (trim) {
        t.nodefraction = o->nodefraction;
        t.edgefraction = o->edgefraction;
        t.nodecount = o->nodecount >= 0 ? (size_t)o->nodecount
            : o->kind == PREPORT_TREE ? 80 : 0;
    }
    return pgraph_count(r->g, &t, e);
}

enum rt_status
preport_open(struct preport *r, struct pfile *f,
    const struct preport_options *opt, struct rt_err *e)
{
    enum rt_status st;

    *r = (struct preport){.opt = *opt, .f = f, .unit = "minimum"};
    if (opt->divide_by == 0)
        return rt_errf(e, RT_EFORMAT, UINT64_MAX, "-divide_by: zero");
    st = pfilter_simplify(f, e);
    if (st == RT_OK)
        st = pfilter_drop(f, e);
    if (st == RT_OK)
        st = pfile_sample_index(f, opt->sample_index, &r->type, e);
    if (st == RT_OK && opt->relative_percentages)
        st = pfilter_apply(f, &opt->filter, &r->missed, e);
    if (st != RT_OK)
        return st;
    r->total = pgraph_total(f, r->type);
    if (!opt->relative_percentages)
        st = pfilter_apply(f, &opt->filter, &r->missed, e);
    if (st == RT_OK)
        st = count(r, e);
    if (st == RT_OK)
        choose_unit(r);
    return st;
}

void
preport_close(struct preport *r)
{
    pgraph_free(r->g);
    pfile_close(r->f);
    *r = (struct preport){0};
}
