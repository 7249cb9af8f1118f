/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cmd/vole-trace/tool.h"

struct opts {
    bool json, readers;
    uint64_t n;
};

/* How often each rule has been broken; rules are constant strings. */
struct tally {
    const char *rule;
    uint64_t n;
};

enum { RULES = 64 };

struct report {
    struct tool *t;
    const struct opts *opt;
    const struct trace_file *f; /* NULL until it is open */
    struct tally tally[RULES];
    uint64_t errors, warnings, shown;
};

static uint64_t
count_rule(struct report *r, const char *rule)
{
    int i;

    for (i = 0; i < RULES - 1 && r->tally[i].rule != NULL; i++) {
        if (strcmp(r->tally[i].rule, rule) == 0)
            break;
    }
    r->tally[i].rule = rule;
    return ++r->tally[i].n;
}

static const char *const verdicts[] = {
    [TRACE_READS] = "reads it", [TRACE_REFUSES] = "refuses",
    [TRACE_CRASHES] = "crashes", [TRACE_MISREADS] = "shows it wrongly"};

static const char *const verdict_keys[] = {
    [TRACE_READS] = "reads", [TRACE_REFUSES] = "refuses",
    [TRACE_CRASHES] = "crashes", [TRACE_MISREADS] = "misreads"};

/* What Go's tools up to 1.21 and since 1.22 make of it. */
static void
readers(const struct report *r, const struct trace_problem *p,
    enum trace_verdict *old, enum trace_verdict *new)
{
    const struct trace_verdicts *k = trace_verdicts_on(p->rule);

    *old = k != NULL ? k->old : TRACE_REFUSES;
    *new = k != NULL ? k->new : TRACE_REFUSES;
    if (r->f == NULL) /* while it is being opened: header and records */
        return;
    if (!trace_old_reads(r->f))
        *old = TRACE_REFUSES;
    if (!trace_new_reads(r->f))
        *new = TRACE_REFUSES;
}

/* A file that is cut is not broken: what is there can be read. */
static bool
is_error(const struct trace_problem *p)
{
    const struct trace_verdicts *k = trace_verdicts_on(p->rule);

    if (p->severity == TRACE_ERROR)
        return true;
    return k != NULL && strcmp(k->rule, "cut") != 0 &&
        strcmp(k->rule, "order") != 0 && strcmp(k->rule, "frequency") != 0 &&
        (k->old == TRACE_REFUSES || k->new == TRACE_REFUSES);
}

static void
show(struct report *r, const struct trace_problem *p)
{
    struct out *o = &r->t->out;
    bool error = is_error(p);
    enum trace_verdict old, new;

    readers(r, p, &old, &new);
    if (r->opt->json) {
        out_printf(o, "%s{\"severity\":\"%s\",\"offset\":%llu,\"rule\":",
            r->shown > 0 ? "," : "", error ? "error" : "warning",
            (unsigned long long)p->off);
        out_json_string(o, p->rule, strlen(p->rule));
        out_printf(o, ",\"go_1_21\":\"%s\",\"go_1_22\":\"%s\",\"text\":",
            verdict_keys[old], verdict_keys[new]);
        out_json_string(o, p->text, strlen(p->text));
        out_printf(o, "}");
    } else {
        char text[sizeof p->text * 2];

        out_clean(text, sizeof text, p->text, strlen(p->text));
        out_printf(o, "%s%-7s%s  byte %-10llu %s  %s[%s]%s\n",
            out_style(o, error ? OUT_RED : OUT_YELLOW),
            error ? "error" : "warning", out_style(o, OUT_PLAIN),
            (unsigned long long)p->off, text, out_style(o, OUT_DIM), p->rule,
            out_style(o, OUT_PLAIN));
        if (r->opt->readers)
            out_printf(o, "%9sgo tool trace: up to Go 1.21 %s; since 1.22 "
                "%s\n", "", verdicts[old], verdicts[new]);
    }
    r->shown++;
}

static void
on_problem(void *arg, const struct trace_problem *p)
{
    struct report *r = arg;

    if (is_error(p))
        r->errors++;
    else
        r->warnings++;
    if (count_rule(r, p->rule) <= r->opt->n)
        show(r, p);
}

static void
conclude(struct report *r, const struct trace_file *f)
{
    struct out *o = &r->t->out;
    char a[OUT_NUM], b[OUT_NUM];
    int i;

    if (r->opt->json) {
        out_printf(o, "],\"errors\":%llu,\"warnings\":%llu,\"version\":"
            "\"go 1.%d\",\"bytes\":%llu,\"events\":%llu,\"valid\":%s,"
            "\"go_1_21_knows\":%s,\"go_1_22_knows\":%s}\n",
            (unsigned long long)r->errors, (unsigned long long)r->warnings,
            f->version, (unsigned long long)f->size,
            (unsigned long long)f->nevents, r->errors == 0 ? "true" : "false",
            trace_old_reads(f) ? "true" : "false",
            trace_new_reads(f) ? "true" : "false");
        return;
    }
    for (i = 0; i < RULES && r->tally[i].rule != NULL; i++) {
        if (r->tally[i].n > r->opt->n)
            out_printf(o, "... and %s more [%s]\n",
                out_count(a, r->tally[i].n - r->opt->n), r->tally[i].rule);
    }
    if (r->errors == 0)
        out_printf(o, "%svalid%s: go 1.%d trace, %s, %s events",
            out_style(o, OUT_GREEN), out_style(o, OUT_PLAIN), f->version,
            out_bytes(a, f->size), out_count(b, f->nevents));
    else
        out_printf(o, "%snot valid%s: %llu %s", out_style(o, OUT_RED),
            out_style(o, OUT_PLAIN), (unsigned long long)r->errors,
            r->errors == 1 ? "error" : "errors");
    if (r->warnings > 0)
        out_printf(o, "; %llu %s", (unsigned long long)r->warnings,
            r->warnings == 1 ? "warning" : "warnings");
    out_printf(o, "\n");
    if (r->opt->readers)
        out_printf(o, "%s\n", !trace_old_reads(f) ?
            "Only go tool trace since Go 1.22 knows this version." :
            f->version < 7 ? "Only go tool trace up to Go 1.21 knows this "
            "version, and it needs the program, too." :
            !trace_new_reads(f) ?
            "Only go tool trace up to Go 1.21 knows this version." :
            "All of go tool trace know this version.");
}

static const struct arg_flag flags[] = {
    {"json", ARG_BOOL, offsetof(struct opts, json), NULL,
        "print one JSON object"},
    {"n", ARG_U64, offsetof(struct opts, n), "N",
        "show at most N problems of a kind (default 10)"},
    {"readers", ARG_BOOL, offsetof(struct opts, readers), NULL,
        "say with each problem what Go's own tools make of it"},
    {0},
};

static int
run(struct tool *t, int argc, char **argv)
{
    struct opts opt = {.n = 10};
    struct report r = {.t = t, .opt = &opt};
    struct trace_open how = {.problem = on_problem, .arg = &r,
        .keep_going = true};
    struct trace_file *f;
    struct rt_err e;
    int st = tool_parse(t, argc, argv, flags, &opt);

    if (st != TOOL_OK)
        return st;
    if (opt.json)
        out_printf(&t->out, "{\"problems\":[");
    if (trace_file_open(&f, t->path, &how, &e) != RT_OK) {
        struct trace_problem p = {.severity = TRACE_ERROR, .rule = "header",
            .off = e.where};
        bool io = e.code == RT_EIO || e.code == RT_ENOMEM;

        snprintf(p.text, sizeof p.text, "%.150s", e.text);
        if (opt.json && !io)
            show(&r, &p);
        if (opt.json)
            out_printf(&t->out, "],\"errors\":1,\"valid\":false}\n");
        return tool_error(t, &e);
    }
    r.f = f;
    if (trace_validate(f, &e) != RT_OK) {
        trace_file_close(f);
        return tool_error(t, &e);
    }
    conclude(&r, f);
    trace_file_close(f);
    return r.errors == 0 ? TOOL_OK : TOOL_BAD;
}

const struct tool_cmd tool_validate = {
    .name = "validate",
    .brief = "check a file against the rules of Go's own tools",
    .usage = "[flags] file",
    .text =
        "Checks every record and every event.  An error is what some reader "
        "of Go 1.19\nto 1.26 rejects; a warning is what one of their viewers "
        "crashes on or shows\nwrongly. Each problem comes with the byte "
        "offset of the record and the name of\nthe rule; -readers adds what "
        "go tool trace makes of it. Exit status 1 if there\nis an error.",
    .example = "  vole-trace validate -readers out.trace\n",
    .run = run,
    .flags = flags,
};
