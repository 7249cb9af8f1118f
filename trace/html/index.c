/* SPDX-License-Identifier: MIT */
/* The tables of the page, and the index that says where everything is. */
#include <math.h>
#include <string.h>

#include "trace/html/html_int.h"

typedef long long ll;

static void
text(FILE *f, struct trace_text t)
{
    html_json_string(f, t.s, t.len);
}

static void
cstring(FILE *f, const char *s)
{
    html_json_string(f, s, strlen(s));
}

static void
times(FILE *f, const int64_t *t)
{
    putc('[', f);
    for (int i = 0; i < TRACE_ST_COUNT; i++)
        fprintf(f, "%s%lld", i > 0 ? "," : "", (ll)t[i]);
    putc(']', f);
}

/* ---- pictures at several widths -------------------------------------------- */

/* Neighbouring steps of a P in one: how busy, and the group that most of the
 * busy ones agree on. */
static void
narrow(float *busy, uint8_t *group, uint32_t n)
{
    for (uint32_t i = 0; i < n / HTML_LEVEL_FACTOR; i++) {
        const uint8_t *g = group + i * HTML_LEVEL_FACTOR;
        const float *b = busy + i * HTML_LEVEL_FACTOR;
        float best = -1;
        uint8_t most = 0;

        for (int k = 0; k < HTML_LEVEL_FACTOR; k++) {
            float sum = 0;

            for (int j = 0; j < HTML_LEVEL_FACTOR; j++)
                sum += g[j] == g[k] ? b[j] : 0;
            if (sum > best) {
                best = sum;
                most = g[k];
            }
        }
        group[i] = most;
    }
    html_area_halve(busy, n);
}

/* One level of a P: n shares of 255, then n groups. */
static uint32_t
proc_level(struct html *h, const struct html_proc *p, uint32_t n)
{
    uint8_t *b = calloc(n, 2);
    uint32_t id;

    if (b == NULL) {
        h->out.nomem = true;
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        float v = p->busy.part[i];

        b[i] = (uint8_t)(v >= 1 ? 255 : v <= 0 ? 0 : ceilf(v * 254));
        b[n + i] = p->group[i];
    }
    id = html_out_chunk(&h->out, b, (size_t)n * 2);
    free(b);
    return id;
}

static void
proc_levels(struct html *h, FILE *f, struct html_proc *p)
{
    uint32_t n = p->busy.n;

    fprintf(f, ",\"levels\":[");
    for (;;) {
        fprintf(f, "[%u,%u]", n, proc_level(h, p, n));
        if (n <= HTML_LEAST_STEPS)
            break;
        putc(',', f);
        narrow(p->busy.part, p->group, n);
        n /= HTML_LEVEL_FACTOR;
    }
    putc(']', f);
}

/* One level of a group: n averages for each of its states. */
static uint32_t
group_level(struct html *h, const struct html_group *g, uint32_t n)
{
    float *b = calloc(n, sizeof *b * (HTML_BLOCKED + 1));
    uint32_t id;

    if (b == NULL) {
        h->out.nomem = true;
        return 0;
    }
    for (int k = 0; k <= HTML_BLOCKED; k++)
        memcpy(b + (size_t)k * n, g->area[k].part, n * sizeof *b);
    id = html_out_chunk(&h->out, b, n * sizeof *b * (HTML_BLOCKED + 1));
    free(b);
    return id;
}

static void
group_levels(struct html *h, FILE *f, struct html_group *g)
{
    uint32_t n = HTML_GROUP_STEPS;

    fprintf(f, ",\"levels\":[");
    for (;;) {
        fprintf(f, "[%u,%u]", n, group_level(h, g, n));
        if (n <= HTML_LEAST_STEPS)
            break;
        putc(',', f);
        for (int k = 0; k <= HTML_BLOCKED; k++)
            html_area_halve(g->area[k].part, n);
        n /= HTML_LEVEL_FACTOR;
    }
    putc(']', f);
}

/* A counter's one level: n lows, n highs; steps without a change go on with
 * the value before. */
static void
counter(struct html *h, FILE *f, const char *name, struct html_counter *c)
{
    double *b = calloc(c->n, 2 * sizeof *b), last = NAN;

    if (b == NULL) {
        h->out.nomem = true;
        return;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (!isnan(c->high[i]))
            last = c->high[i];
        b[i] = isnan(c->low[i]) ? last : c->low[i];
        b[c->n + i] = last;
    }
    fprintf(f, "\"%s\":{\"steps\":%u,\"level\":%u,\"chunks\":", name, c->n,
        html_out_chunk(&h->out, b, c->n * 2 * sizeof *b));
    html_pack_json(f, &c->pack);
    fprintf(f, "},");
    free(b);
}

/* ---- tables ------------------------------------------------------------------ */

/* Goroutines: id, group, parent (number + 1), created + 1, ended + 1, runs,
 * blocks, longest block, and the time in each state. */
static uint32_t
goroutines(struct html *h)
{
    const struct trace_summary *s = h->sum;
    struct html_pack p = {0};
    uint64_t last = 0;
    uint32_t id;

    for (uint64_t i = 0; i < s->ngs; i++) {
        const struct trace_goroutine *g = &s->gs[i];
        const struct trace_goroutine *up =
            g->parent == 0 ? NULL : trace_find_goroutine(s, g->parent);

        html_pack_u(&p, g->id - last);
        last = g->id;
        html_pack_u(&p, h->group_of[i]);
        html_pack_u(&p, up == NULL ? 0 : (uint64_t)(up - s->gs) + 1);
        html_pack_u(&p, (uint64_t)(g->created + 1));
        html_pack_u(&p, (uint64_t)(g->ended + 1));
        html_pack_u(&p, g->runs);
        html_pack_u(&p, g->blocks);
        html_pack_u(&p, (uint64_t)g->longest_block);
        for (int k = 0; k < TRACE_ST_COUNT; k++)
            html_pack_u(&p, (uint64_t)g->time[k]);
    }
    if (p.b.failed)
        h->out.nomem = true;
    id = html_out_chunk(&h->out, p.b.data, p.b.n);
    html_pack_free(&p);
    return id;
}

static uint32_t
stacks(struct html *h)
{
    char *s = NULL;
    size_t n = 0;
    FILE *m = open_memstream(&s, &n);
    uint32_t id = 0;

    if (m == NULL) {
        h->out.nomem = true;
        return 0;
    }
    html_stacks_json(m, &h->stacks);
    if (fclose(m) != 0)
        h->out.nomem = true;
    else
        id = html_out_chunk(&h->out, s, n);
    free(s);
    return id;
}

static void
state_names(FILE *f, int version)
{
    fprintf(f, "\"states\":[");
    for (int i = 0; i < TRACE_ST_COUNT; i++) {
        fprintf(f, "%s", i > 0 ? "," : "");
        cstring(f, trace_gst_name((enum trace_gst)i));
    }
    fprintf(f, "],\"kinds\":[");
    for (unsigned i = 0; i < TRACE_EV_COUNT; i++) {
        fprintf(f, "%s", i > 0 ? "," : "");
        cstring(f, trace_ev_name(i));
    }
    fprintf(f, "],\"stops\":[");
    for (unsigned i = 0; i < 32; i++) {
        fprintf(f, "%s", i > 0 ? "," : "");
        cstring(f, trace_stw_name(version, i));
    }
    fprintf(f, "],");
}

static void
totals(FILE *f, const struct trace_summary *s)
{
    fprintf(f, "\"totals\":[");
    for (int i = 0; i < TRACE_ST_COUNT; i++)
        fprintf(f, "%s[%lld,%llu,%lld]", i > 0 ? "," : "", (ll)s->total[i].ns,
            (unsigned long long)s->total[i].n, (ll)s->total[i].longest);
    fprintf(f, "],");
}

static void
waits(struct html *h, FILE *f, const char *name, const struct trace_wait *w,
    uint64_t n)
{
    fprintf(f, "\"%s\":[", name);
    for (uint64_t i = 0; i < n; i++) {
        const struct trace_goroutine *g = trace_find_goroutine(h->sum, w[i].g);
        const struct trace_goroutine *by =
            w[i].by == 0 ? NULL : trace_find_goroutine(h->sum, w[i].by);

        fprintf(f, "%s[%lld,%lld,%lld,%lld,%u,%d]", i > 0 ? "," : "",
            (ll)w[i].ns, (ll)w[i].at, g == NULL ? -1 : (ll)(g - h->sum->gs),
            by == NULL ? -1 : (ll)(by - h->sum->gs),
            html_stack(&h->stacks, w[i].stack), w[i].state);
    }
    fprintf(f, "],");
}

static void
tasks(struct html *h, FILE *f)
{
    fprintf(f, "\"tasks\":[");
    for (size_t i = 0; i < h->task_list.n; i++) {
        const struct html_task *t = &h->task_list.v[i];
        const struct trace_goroutine *g =
            t->g == 0 ? NULL : trace_find_goroutine(h->sum, t->g);

        fprintf(f, "%s[%llu,%llu,%lld,%lld,%lld,", i > 0 ? "," : "",
            (unsigned long long)t->id, (unsigned long long)t->parent,
            (ll)t->from, (ll)t->to, g == NULL ? -1 : (ll)(g - h->sum->gs));
        text(f, trace_file_string(h->f, t->name));
        putc(']', f);
    }
    fprintf(f, "],");
}

static void
procs(struct html *h, FILE *f)
{
    fprintf(f, "\"procs\":[");
    for (uint64_t i = 0; i < h->sum->nprocs; i++) {
        fprintf(f, "%s{\"id\":%lld,\"busy\":%lld,\"gc\":%lld,\"runs\":%llu,"
            "\"chunks\":", i > 0 ? "," : "", (ll)h->sum->procs[i].id,
            (ll)h->sum->procs[i].busy, (ll)h->sum->procs[i].gc,
            (unsigned long long)h->sum->procs[i].runs);
        html_pack_json(f, &h->procs[i].pack);
        proc_levels(h, f, &h->procs[i]);
        putc('}', f);
    }
    fprintf(f, "],");
}

static void
groups(struct html *h, FILE *f)
{
    fprintf(f, "\"groups\":[");
    for (uint32_t i = 0; i < h->ngroups; i++) {
        struct html_group *g = &h->groups[i];

        fprintf(f, "%s{\"name\":", i > 0 ? "," : "");
        text(f, g->name);
        fprintf(f, ",\"n\":%llu,\"system\":%s,\"longest\":%lld,\"time\":",
            (unsigned long long)g->n, g->system ? "true" : "false",
            (ll)g->longest);
        times(f, g->time);
        fprintf(f, ",\"chunks\":");
        html_pack_json(f, &g->pack);
        fprintf(f, ",\"slow\":");
        html_pack_json(f, &g->slow);
        group_levels(h, f, g);
        putc('}', f);
    }
    fprintf(f, "],");
}

void
html_index(struct html *h, FILE *f)
{
    const struct trace_summary *s = h->sum;

    fprintf(f, "{\"version\":%d,\"duration\":%lld,\"events\":%llu,"
        "\"gomaxprocs\":%llu,\"ngs\":%llu,\"created\":%llu,\"ended\":%llu,"
        "\"peak\":%llu,\"groupSteps\":%d,\"system\":%s,", h->f->version,
        (ll)s->duration,
        (unsigned long long)s->events, (unsigned long long)s->gomaxprocs,
        (unsigned long long)s->ngs, (unsigned long long)s->created,
        (unsigned long long)s->ended, (unsigned long long)s->peak,
        HTML_GROUP_STEPS, h->system ? "true" : "false");
    state_names(f, h->f->version);
    totals(f, s);
    procs(h, f);
    groups(h, f);
    counter(h, f, "heap", &h->heap);
    counter(h, f, "goal", &h->goal);
    fprintf(f, "\"bands\":");
    html_pack_json(f, &h->bands);
    putc(',', f);
    tasks(h, f);
    waits(h, f, "longest", s->longest, s->nlongest);
    waits(h, f, "late", s->late, s->nlate);
    fprintf(f, "\"goroutines\":%u,\"stacks\":%u}", goroutines(h), stacks(h));
}
