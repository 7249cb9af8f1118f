/* SPDX-License-Identifier: MIT */
/* timeline: a picture in the terminal. */
#include <stdlib.h>
#include <string.h>

#include "cmd/vole-trace/tool.h"
#include "trace/analyze/timeline.h"

struct opts {
    bool json, system;
    uint64_t width, goroutines;
    int64_t from, to;
    const char *func;
};

typedef unsigned long long ull;

static const struct arg_flag flags[] = {
    {"from", ARG_DUR, offsetof(struct opts, from), "T",
        "begin at T, such as 1.5ms after the first event"},
    {"to", ARG_DUR, offsetof(struct opts, to), "T", "end at T"},
    {"width", ARG_U64, offsetof(struct opts, width), "N",
        "columns (default: what fits the terminal)"},
    {"goroutines", ARG_U64, offsetof(struct opts, goroutines), "N",
        "at most N goroutines, those that ran longest between -from and -to "
        "(default 12)"},
    {"system", ARG_BOOL, offsetof(struct opts, system), NULL,
        "the runtime's own goroutines too"},
    {"func", ARG_STR, offsetof(struct opts, func), "NAME",
        "only goroutines that were started with this function"},
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print one JSON object: what each column adds up to"},
    {0},
};

enum { LABEL = 24, LEGEND = 110, MAX_WIDTH = 1000 };

/* ---- which goroutines */

struct choice {
    uint64_t id;
    int64_t running;
};

static int
ran_longest(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;

    if (x->running != y->running)
        return x->running > y->running ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static int
by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Whether g was there at all between from and to. */
static bool
lives(const struct trace_goroutine *g, const struct opts *opt)
{
    return g->created <= opt->to &&
        (g->ended < 0 || g->ended >= opt->from);
}

/* How long each goroutine ran between from and to. */
struct ran {
    const struct opts *opt;
    struct trace_idmap map;
    int64_t *ns;
    uint64_t cap;
};

static bool
add_run(void *arg, const struct trace_summary *s,
    const struct trace_goroutine *g, const struct trace_span *sp)
{
    struct ran *r = arg;
    int64_t from = sp->from > r->opt->from ? sp->from : r->opt->from;
    int64_t to = sp->to < r->opt->to ? sp->to : r->opt->to, i;

    (void)s;
    if (from >= to)
        return true;
    i = trace_idmap_row(&r->map, g->id, &r->ns, &r->cap, sizeof *r->ns, NULL);
    if (i >= 0)
        r->ns[i] += to - from;
    return i >= 0;
}

static int64_t
ran(const struct ran *r, uint64_t id)
{
    int64_t i = trace_idmap_get(&r->map, id);

    return i < 0 ? 0 : r->ns[i];
}

/* The ids of the goroutines to show, sorted; NULL: no memory. */
static uint64_t *
choose(const struct trace_summary *s, const struct opts *opt,
    const struct ran *r, uint64_t *n)
{
    struct choice *c = calloc(s->ngs + 1, sizeof *c);
    uint64_t *ids = calloc(s->ngs + 1, sizeof *ids);
    uint64_t i, k = 0;

    *n = 0;
    for (i = 0; c != NULL && i < s->ngs; i++) {
        const struct trace_goroutine *g = &s->gs[i];
        struct trace_text name = trace_goroutine_name(s, g);

        if (!lives(g, opt) || (g->system && !opt->system) ||
            (opt->func != NULL &&
            (strlen(opt->func) != name.len ||
                memcmp(opt->func, name.s, name.len) != 0)))
            continue;
        c[k++] = (struct choice){g->id, ran(r, g->id)};
    }
    if (c != NULL && ids != NULL) {
        qsort(c, k, sizeof *c, ran_longest);
        *n = k < opt->goroutines ? k : opt->goroutines;
        for (i = 0; i < *n; i++)
            ids[i] = c[i].id;
        qsort(ids, *n, sizeof *ids, by_number);
    } else {
        free(ids);
        ids = NULL;
    }
    free(c);
    return ids;
}

/* ---- drawing */

static const char *const ramp8[] = {" ", "\342\226\201", "\342\226\202",
    "\342\226\203", "\342\226\204", "\342\226\205", "\342\226\206",
    "\342\226\207", "\342\226\210"};
static const char *const ramp_ascii[] = {" ", ".", ":", "-", "=", "+", "*",
    "%", "#"};

struct cell {
    const char *text;
    enum out_style style;
};

/* A cell filled to a share of 0 .. 1; something is never drawn as nothing. */
static const char *
filled(const struct out *o, double share)
{
    int i = (int)(share * 8 + 0.5);

    if (share > 0 && i == 0)
        i = 1;
    if (i > 8)
        i = 8;
    return o->utf8 ? ramp8[i] : ramp_ascii[i];
}

/* Prints a lane: the label, and cells with as few changes of colour as
 * there are. */
static void
print_lane(struct tool *t, const char *label, const struct cell *cells,
    unsigned n, const char *note)
{
    struct out *o = &t->out;
    enum out_style now = OUT_PLAIN;
    unsigned i;

    out_cell(o, label, -LABEL);
    for (i = 0; i < n; i++) {
        if (cells[i].style != now && *cells[i].text != ' ') {
            out_printf(o, "%s%s", out_style(o, OUT_PLAIN),
                cells[i].style == OUT_PLAIN ? ""
                    : out_style(o, cells[i].style));
            now = cells[i].style;
        }
        out_printf(o, "%s", cells[i].text);
    }
    out_printf(o, "%s%s%s\n", now == OUT_PLAIN ? ""
        : out_style(o, OUT_PLAIN), *note != '\0' ? "  " : "", note);
}

static void
print_axis(struct tool *t, const struct trace_columns *c)
{
    enum { STEP = 20 };
    struct out *o = &t->out;
    char a[OUT_NUM];
    int64_t step = (int64_t)(STEP * trace_column_width(c));
    unsigned i;

    out_printf(o, "%s", out_style(o, OUT_DIM));
    out_cell(o, "", -LABEL);
    for (i = 0; i + STEP / 2 < c->n; i += STEP) {
        int64_t at = c->from + (int64_t)(i * trace_column_width(c));

        out_printf(o, "%s", o->utf8 ? "\342\224\202" : "|");
        out_cell(o, out_moment(o, a, at, step), -(STEP - 1));
    }
    out_printf(o, "%s\n", out_style(o, OUT_PLAIN));
}

static void
print_collector(struct tool *t, const struct trace_columns *c,
    struct cell *cells)
{
    double w = trace_column_width(c);
    bool any = false, stops = false;
    unsigned i;

    for (i = 0; i < c->n; i++) {
        cells[i].text = filled(&t->out, (double)c->gc[i] / w);
        cells[i].style = OUT_YELLOW;
        any |= c->gc[i] > 0;
    }
    if (any)
        print_lane(t, "collecting", cells, c->n, "");
    for (i = 0; i < c->n; i++) {
        cells[i].text = filled(&t->out, (double)c->stopped[i] / w);
        cells[i].style = OUT_RED;
        stops |= c->stopped[i] > 0;
    }
    if (stops)
        print_lane(t, "world stopped", cells, c->n, "");
}

static void
print_heap(struct tool *t, const struct trace_columns *c, struct cell *cells)
{
    char note[64], a[OUT_NUM];
    uint64_t most = 0;
    unsigned i;

    for (i = 0; i < c->n; i++)
        most = c->heap[i] > most ? c->heap[i] : most;
    if (most == 0)
        return;
    for (i = 0; i < c->n; i++) {
        cells[i].text = filled(&t->out,
            (double)c->heap[i] / (double)most);
        cells[i].style = OUT_CYAN;
    }
    snprintf(note, sizeof note, "up to %s", out_bytes(a, most));
    print_lane(t, "heap", cells, c->n, note);
}

/* How many goroutines are running or runnable, on average of a column. */
static void
print_count(struct tool *t, const struct trace_columns *c, const char *label,
    enum trace_class a, enum trace_class b, enum out_style style,
    struct cell *cells)
{
    double w = trace_column_width(c), most = 0;
    char note[64];
    unsigned i;

    for (i = 0; i < c->n; i++) {
        double v = (double)(c->all[i][a] + (b != a ? c->all[i][b] : 0)) / w;

        most = v > most ? v : most;
    }
    if (most <= 0)
        return;
    for (i = 0; i < c->n; i++) {
        double v = (double)(c->all[i][a] + (b != a ? c->all[i][b] : 0)) / w;

        cells[i].text = filled(&t->out, v / most);
        cells[i].style = style;
    }
    snprintf(note, sizeof note, "up to %.1f", most);
    print_lane(t, label, cells, c->n, note);
}

static void
print_procs(struct tool *t, const struct trace_columns *c, struct cell *cells)
{
    double w = trace_column_width(c);
    char label[OUT_NUM], note[OUT_NUM];
    uint64_t k;
    unsigned i;

    for (k = 0; k < c->nps; k++) {
        int64_t busy = 0;

        for (i = 0; i < c->n; i++) {
            const int64_t *ns = c->ps[k].ns[i];
            int64_t all = ns[TRACE_CL_RUNNING] + ns[TRACE_CL_GC];

            cells[i].text = filled(&t->out, (double)all / w);
            cells[i].style = ns[TRACE_CL_GC] * 2 > all ? OUT_YELLOW
                : OUT_GREEN;
            busy += all;
        }
        snprintf(label, sizeof label, "P%llu", (ull)c->ps[k].id);
        print_lane(t, label, cells, c->n,
            out_share(note, (double)busy, (double)(c->to - c->from)));
    }
}

/* How a class looks in the lane of a goroutine. */
static const struct {
    const char *utf8, *ascii;
    enum out_style style;
} looks[TRACE_CL_COUNT] = {
    [TRACE_CL_RUNNING] = {"\342\226\210", "#", OUT_GREEN},
    [TRACE_CL_GC] = {"\342\226\210", "%", OUT_YELLOW},
    [TRACE_CL_RUNNABLE] = {"\342\226\222", "o", OUT_YELLOW},
    [TRACE_CL_SYSCALL] = {"\342\226\223", "s", OUT_CYAN},
    [TRACE_CL_WAIT] = {"\342\224\200", "-", OUT_DIM},
    [TRACE_CL_SLEEP] = {"\302\267", ".", OUT_DIM},
    [TRACE_CL_NET] = {"~", "~", OUT_DIM},
    [TRACE_CL_OTHER] = {"\342\225\214", "_", OUT_DIM},
};

static void
print_goroutines(struct tool *t, const struct trace_columns *c,
    const struct trace_summary *s, struct cell *cells)
{
    struct out *o = &t->out;
    uint64_t k;
    unsigned i;
    int cl;

    for (k = 0; k < c->ngs; k++) {
        char name[TOOL_TEXT], label[TOOL_TEXT + OUT_NUM];

        for (i = 0; i < c->n; i++) {
            const int64_t *ns = c->gs[k].ns[i];
            int most = -1;

            for (cl = 0; cl < TRACE_CL_COUNT; cl++) {
                if (ns[cl] > 0 && (most < 0 || ns[cl] > ns[most]))
                    most = cl;
            }
            cells[i].text = most < 0 ? " " : o->utf8 ? looks[most].utf8
                : looks[most].ascii;
            cells[i].style = most < 0 ? OUT_PLAIN : looks[most].style;
        }
        snprintf(label, sizeof label, "G%llu %s", (ull)c->gs[k].id,
            tool_goroutine(name, s, c->gs[k].id));
        label[LABEL - 1] = '\0';
        print_lane(t, label, cells, c->n, "");
    }
}

static void
print_legend(struct tool *t)
{
    struct out *o = &t->out;
    int cl;

    for (cl = 0; cl < TRACE_CL_COUNT; cl++) {
        if (cl == 0 || (cl == TRACE_CL_COUNT / 2 && o->width < LEGEND)) {
            out_printf(o, "\n");
            out_cell(o, "", -LABEL);
        }
        out_printf(o, "%s%s%s %s  ", out_style(o, looks[cl].style),
            o->utf8 ? looks[cl].utf8 : looks[cl].ascii,
            out_style(o, OUT_PLAIN), trace_class_name(cl));
    }
    out_printf(o, "\n");
}

static void
print_text(struct tool *t, const struct trace_columns *c,
    const struct trace_summary *s, struct cell *cells)
{
    char a[OUT_NUM], b[OUT_NUM];

    out_printf(&t->out, "%s in %u columns of %s\n\n",
        out_duration(&t->out, a, c->to - c->from), c->n,
        out_duration(&t->out, b, (int64_t)trace_column_width(c)));
    print_axis(t, c);
    print_collector(t, c, cells);
    print_heap(t, c, cells);
    print_count(t, c, "goroutines running", TRACE_CL_RUNNING, TRACE_CL_GC,
        OUT_GREEN, cells);
    print_count(t, c, "goroutines runnable", TRACE_CL_RUNNABLE,
        TRACE_CL_RUNNABLE, OUT_YELLOW, cells);
    out_printf(&t->out, "\n");
    print_procs(t, c, cells);
    if (c->ngs > 0) {
        out_printf(&t->out, "\n");
        print_goroutines(t, c, s, cells);
        print_legend(t);
    }
}

/* ---- JSON */

static void
json_lane(struct out *o, const char *name, const int64_t *at, unsigned n,
    unsigned step)
{
    unsigned i;

    out_printf(o, ",\"%s\":[", name);
    for (i = 0; i < n; i++)
        out_printf(o, "%s%lld", i > 0 ? "," : "", (long long)at[i * step]);
    out_printf(o, "]");
}

static void
json_classes(struct out *o, int64_t (*ns)[TRACE_CL_COUNT], unsigned n)
{
    char name[40];
    unsigned i;
    int cl;

    for (cl = 0; cl < TRACE_CL_COUNT; cl++) {
        for (i = 0; i < n && ns[i][cl] == 0; i++)
            ;
        if (i == n)
            continue;
        snprintf(name, sizeof name, "%s_ns", trace_class_name(cl));
        json_lane(o, name, &ns[0][cl], n, TRACE_CL_COUNT);
    }
}

static void
print_json(struct tool *t, const struct trace_columns *c,
    const struct trace_summary *s)
{
    struct out *o = &t->out;
    uint64_t i;

    out_printf(o, "{\"from_ns\":%lld,\"to_ns\":%lld,\"columns\":%u",
        (long long)c->from, (long long)c->to, c->n);
    json_lane(o, "gc_ns", c->gc, c->n, 1);
    json_lane(o, "stopped_ns", c->stopped, c->n, 1);
    json_lane(o, "heap", (const int64_t *)c->heap, c->n, 1);
    json_lane(o, "goal", (const int64_t *)c->goal, c->n, 1);
    out_printf(o, ",\n\"goroutines\":{\"n\":%llu", (ull)s->ngs);
    json_classes(o, c->all, c->n);
    out_printf(o, "},\n\"procs\":[");
    for (i = 0; i < c->nps; i++) {
        out_printf(o, "%s\n {\"id\":%llu", i > 0 ? "," : "",
            (ull)c->ps[i].id);
        json_classes(o, c->ps[i].ns, c->n);
        out_printf(o, "}");
    }
    out_printf(o, "],\n\"lanes\":[");
    for (i = 0; i < c->ngs; i++) {
        const struct trace_goroutine *g = trace_find_goroutine(s,
            c->gs[i].id);
        struct trace_text name = trace_goroutine_name(s, g);

        out_printf(o, "%s\n {\"id\":%llu,\"name\":", i > 0 ? "," : "",
            (ull)c->gs[i].id);
        out_json_string(o, name.s, name.len);
        json_classes(o, c->gs[i].ns, c->n);
        out_printf(o, "}");
    }
    out_printf(o, "]}\n");
}

/* ---- */

/* What fits the line between a row's name and what stands behind it. */
static unsigned
default_width(const struct out *o)
{
    enum { BEHIND = 16, LEAST = 16 };

    return o->width > LABEL + BEHIND + LEAST ?
        (unsigned)(o->width - LABEL - BEHIND) : LEAST;
}

static int
draw(struct tool *t, const struct opts *opt, struct trace_file *f,
    const struct trace_summary *s, const uint64_t *ids, uint64_t n)
{
    struct trace_summary *again = NULL;
    struct cell *cells = calloc(opt->width, sizeof *cells);
    struct trace_columns c;
    struct trace_sink sink;
    int st;

    if (cells == NULL || trace_columns_init(&c, f, opt->from, opt->to,
        (unsigned)opt->width, ids, n) != RT_OK) {
        free(cells);
        return tool_nomem(t);
    }
    sink = trace_columns_sink(&c);
    st = tool_pass(t, f, 0, &sink, 1, &again);
    if (st == TOOL_OK) {
        trace_columns_finish(&c, s->duration);
        if (opt->json)
            print_json(t, &c, s);
        else
            print_text(t, &c, s, cells);
    }
    trace_summary_free(again);
    trace_columns_free(&c);
    free(cells);
    return st;
}

static int
picture(struct tool *t, struct opts *opt, struct trace_file *f,
    const struct trace_summary *s, const struct ran *r)
{
    int st = tool_check_goroutine(t, s, UINT64_MAX, opt->func);
    uint64_t *ids, n;

    if (st != TOOL_OK)
        return st;
    if (opt->to > s->duration)
        opt->to = s->duration > opt->from ? s->duration : opt->from + 1;
    ids = choose(s, opt, r, &n);
    st = ids == NULL ? tool_nomem(t) : draw(t, opt, f, s, ids, n);
    free(ids);
    return st;
}

static int
run(struct tool *t, int argc, char **argv)
{
    struct opts opt = {.width = default_width(&t->out), .goroutines = 12,
        .to = INT64_MAX};
    struct ran r = {.opt = &opt};
    const struct trace_sink sink = {.arg = &r, .span = add_run,
        .states = 1u << TRACE_ST_RUNNING};
    struct trace_summary *s;
    struct trace_file *f;
    int st = tool_parse(t, argc, argv, flags, &opt);

    if (st == TOOL_OK && (opt.width == 0 || opt.width > MAX_WIDTH))
        st = tool_usage(t, "-width is 1 to %d", MAX_WIDTH);
    if (st == TOOL_OK && opt.from >= opt.to)
        st = tool_usage(t, "-from is not before -to");
    if (st == TOOL_OK)
        st = tool_open(t, &f);
    if (st != TOOL_OK)
        return st;
    st = tool_listen(t, f, &sink, &s);
    if (st == TOOL_OK) {
        st = picture(t, &opt, f, s, &r);
        trace_summary_free(s);
    }
    trace_idmap_free(&r.map);
    free(r.ns);
    trace_file_close(f);
    return st;
}

const struct tool_cmd tool_timeline = {
    .name = "timeline",
    .brief = "a picture of processors and goroutines over time",
    .usage = "[flags] file",
    .text =
        "Draws what happened when: the collector, the heap, how many "
        "goroutines ran or\ncould have run, how busy each processor was, and "
        "what the goroutines did that\nran longest. The height of a bar is "
        "the share of its column's time.  -from and\n-to zoom.",
    .example =
        "  vole-trace timeline out.trace\n"
        "  vole-trace timeline -from 10ms -to 12ms -width 120 -goroutines 30 "
        "out.trace\n",
    .run = run,
    .flags = flags,
};
