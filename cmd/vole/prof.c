/* SPDX-License-Identifier: MIT */
/*
 * vole prof: tables, annotated source and flame graphs from profiles.
 */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common/args.h"
#include "cmd/common/out.h"
#include "cmd/vole/vole_cmd.h"
#include "profile/read/preport.h"

#define PROG "vole prof"

enum { MAX_FILES = 1000 };

struct flags {
    const char *sample_index, *nodecount, *nodefraction, *edgefraction;
    const char *sort, *granularity, *unit, *divide_by;
    const char *base, *diff, *diff_base;
    const char *source_path, *trim_path, *output;
    struct pfilter filter;
    bool cum, flat, no_trim, trim;
    bool functions, filefunctions, files, lines, addresses;
    bool noinlines, drop_negative, relative, compact, json;
    bool inuse_space, inuse_objects, alloc_space, alloc_objects, delay,
        contentions;
};

#define STR(name, field, arg, help) \
    {name, ARG_STR, offsetof(struct flags, field), arg, help}
#define BOOL(name, field, help) \
    {name, ARG_BOOL, offsetof(struct flags, field), NULL, help}

static const struct arg_flag flags[] = {
    STR("sample_index", sample_index, "TYPE",
        "which value to show: a sample type or its number"),
    STR("nodecount", nodecount, "N",
        "at most N nodes, 0 for all (top: all, tree: 80)"),
    BOOL("cum", cum, "sort by the value with callees"),
    BOOL("flat", flat, "sort by the own value (default)"),
    STR("sort", sort, "KEY", "flat or cum"),
    STR("focus", filter.focus, "RE",
        "only samples with a frame that matches"),
    STR("ignore", filter.ignore, "RE", "no samples with a frame that matches"),
    STR("hide", filter.hide, "RE", "leave out frames that match"),
    STR("show", filter.show, "RE", "leave out frames that do not match"),
    STR("show_from", filter.show_from, "RE",
        "leave out the callers of the first frame that matches"),
    STR("prune_from", filter.prune_from, "RE",
        "leave out what matching functions call"),
    STR("tagfocus", filter.tagfocus, "TAG",
        "only samples with a label: RE, key=RE, 4kb:1mb"),
    STR("tagignore", filter.tagignore, "TAG",
        "no samples with such a label"),
    STR("granularity", granularity, "WHAT",
        "functions, filefunctions, files, lines or addresses"),
    BOOL("functions", functions, "one node per function (default)"),
    BOOL("filefunctions", filefunctions, "per function and file"),
    BOOL("files", files, "per source file"),
    BOOL("lines", lines, "per source line"),
    BOOL("addresses", addresses, "per address"),
    STR("unit", unit, "UNIT", "ns, ms, s, kB, MB, ... (default: what fits)"),
    STR("divide_by", divide_by, "X", "show values divided by X"),
    STR("diff", diff, "FILE", "compare with FILE (the same as -diff_base)"),
    STR("diff_base", diff_base, "FILE",
        "subtract FILE; percentages are of FILE"),
    STR("base", base, "FILE", "subtract FILE; percentages of what is left"),
    STR("nodefraction", nodefraction, "F",
        "leave out nodes below this share (default 0.005)"),
    STR("edgefraction", edgefraction, "F",
        "leave out calls below this share (default 0.001)"),
    BOOL("trim", trim, "-trim=false shows every node"),
    BOOL("noinlines", noinlines, "count inlined calls for their callers"),
    BOOL("drop_negative", drop_negative, "ignore negative differences"),
    BOOL("relative_percentages", relative, "percent of what filters leave"),
    BOOL("compact_labels", compact, "no header lines"),
    STR("source_path", source_path, "DIRS", "where to look for source files"),
    STR("trim_path", trim_path, "DIRS", "prefixes to take off file names"),
    {"output", ARG_OUT, offsetof(struct flags, output), "FILE",
        "write there instead of standard output"},
    {"o", ARG_OUT, offsetof(struct flags, output), "FILE", "the same"},
    BOOL("json", json, "one JSON object"),
    BOOL("inuse_space", inuse_space, "short for -sample_index=inuse_space"),
    BOOL("inuse_objects", inuse_objects, "... inuse_objects"),
    BOOL("alloc_space", alloc_space, "... alloc_space"),
    BOOL("alloc_objects", alloc_objects, "... alloc_objects"),
    BOOL("total_delay", delay, "... delay"),
    BOOL("contentions", contentions, "... contentions"),
    {0},
};

static const char head[] =
    "Usage: vole prof top   [flags] FILE...\n"
    "       vole prof tree  [flags] FILE...\n"
    "       vole prof list  [flags] REGEXP FILE...\n"
    "       vole prof flame [flags] FILE...\n\n"
    "Reads profiles in pprof's format, plain or compressed, whoever wrote\n"
    "them.  top: a table of functions; tree: each with its callers and\n"
    "callees; list: source lines of the functions that match, with what\n"
    "they cost; flame: a flame graph, one HTML file that needs nothing else.\n"
    "Several files are added up; - is standard input.  Flags, numbers and\n"
    "tables are those of go tool pprof.\n\n";
static const char tail[] =
    "\nRegular expressions are Go's, as far as POSIX has the like.\n"
    "A flame graph goes to standard output or, if that is a terminal, to\n"
    "FILE.html in the current folder.\n\n"
    "Exit status: 0 fine, 1 bad input, 2 wrong usage.\n\n"
    "Examples:\n"
    "  vole run -cpuprofile cpu.out prog.go && vole prof top cpu.out\n"
    "  vole prof top -sample_index=alloc_space -nodecount=20 mem.out\n"
    "  vole prof top -diff before.out after.out\n"
    "  vole prof tree -focus 'main\\.' cpu.out\n"
    "  vole prof list main.work cpu.out\n"
    "  vole prof flame cpu.out > cpu.html\n";

void
cmd_prof_help(FILE *out)
{
    char text[8192];

    args_describe(flags, text, sizeof text);
    fprintf(out, "%s%s%s", head, text, tail);
}

static int
usage(const char *fmt, const char *what)
{
    char text[512];

    snprintf(text, sizeof text, fmt, what);
    out_tell(PROG, "%s", text);
    fprintf(stderr, "Run \"vole help prof\" for usage.\n");
    return 2;
}

/* ---- flags */

static bool
real(const char *s, double *v)
{
    char *end;

    if (s == NULL)
        return true;
    *v = strtod(s, &end);
    return *s != '\0' && *end == '\0' && isfinite(*v);
}

static bool
granularity(const struct flags *x, struct preport_options *o)
{
    static const char *const names[] = {"functions", "filefunctions", "files",
        "lines", "addresses"};
    const bool chosen[] = {x->functions, x->filefunctions, x->files, x->lines,
        x->addresses};
    int i;

    for (i = 0; i < 5; i++) {
        if (chosen[i] || (x->granularity != NULL &&
            strcmp(x->granularity, names[i]) == 0)) {
            o->by = (enum pgraph_by)i;
            o->by_given = true;
        }
    }
    return x->granularity == NULL || o->by_given;
}

static const char *
sample_index(const struct flags *x)
{
    return x->sample_index != NULL ? x->sample_index
        : x->inuse_space ? "inuse_space"
        : x->inuse_objects ? "inuse_objects"
        : x->alloc_space ? "alloc_space"
        : x->alloc_objects ? "alloc_objects"
        : x->delay ? "delay"
        : x->contentions ? "contentions" : NULL;
}

/* 0 or the exit status after a message. */
static int
options(const struct flags *x, struct preport_options *o)
{
    double n = -1;

    *o = preport_defaults;
    o->sample_index = sample_index(x);
    o->filter = x->filter;
    o->unit = x->unit;
    o->noinlines = x->noinlines;
    o->drop_negative = x->drop_negative;
    o->relative_percentages = x->relative;
    o->compact_labels = x->compact;
    o->source_path = x->source_path;
    o->trim_path = x->trim_path;
    o->trim = x->trim;
    o->cum = x->cum;
    if (x->sort != NULL && strcmp(x->sort, "cum") != 0 &&
        strcmp(x->sort, "flat") != 0)
        return usage("-sort is flat or cum, not \"%s\"", x->sort);
    if (x->sort != NULL)
        o->cum = strcmp(x->sort, "cum") == 0;
    if (!granularity(x, o))
        return usage("unknown -granularity \"%s\"", x->granularity);
    if (!real(x->nodecount, &n) || n < -1 || n > 1e9)
        return usage("invalid value \"%s\" for flag -nodecount",
            x->nodecount);
    o->nodecount = (int64_t)n;
    if (!real(x->nodefraction, &o->nodefraction))
        return usage("invalid value \"%s\" for flag -nodefraction",
            x->nodefraction);
    if (!real(x->edgefraction, &o->edgefraction))
        return usage("invalid value \"%s\" for flag -edgefraction",
            x->edgefraction);
    if (!real(x->divide_by, &o->divide_by) || o->divide_by == 0)
        return usage("invalid value \"%s\" for flag -divide_by",
            x->divide_by);
    return 0;
}

/* ---- the commands */

struct job {
    struct flags x;
    struct preport_options opt;
    const char *files[MAX_FILES];
    size_t nfiles;
    const char *bases[3];
    size_t nbases;
    bool compare;
};

static int
failed(const struct rt_err *e)
{
    out_tell(PROG, "%s", e->text);
    return 1;
}

/* The words that are no flags, wherever they are. */
static int
words(struct job *j, int argc, char **argv)
{
    bool ended = false;
    char err[256];
    int at = 0;

    while (at < argc) {
        if (!ended && !args_parse_to(argc, argv, &at, flags, &j->x, &ended,
                err, sizeof err)) {
            if (strcmp(err, "help") != 0)
                return usage("%s", err);
            cmd_prof_help(stdout);
            return -1;
        }
        if (at == argc)
            break;
        if (j->opt.kind == PREPORT_LIST && j->opt.symbol == NULL)
            j->opt.symbol = argv[at++];
        else if (j->nfiles == MAX_FILES)
            return usage("too many files%s", "");
        else
            j->files[j->nfiles++] = argv[at++];
    }
    return 0;
}

static int
bases(struct job *j)
{
    const char *compare = j->x.diff != NULL ? j->x.diff : j->x.diff_base;

    if ((j->x.diff != NULL) + (j->x.diff_base != NULL) + (j->x.base != NULL) >
        1)
        return usage("only one of -diff, -diff_base and -base%s", "");
    if (compare != NULL || j->x.base != NULL)
        j->bases[j->nbases++] = compare != NULL ? compare : j->x.base;
    /* A flame graph shows both sides. */
    j->compare = compare != NULL || j->opt.kind == PREPORT_FLAME;
    return 0;
}

static void
warn(const struct preport *r)
{
    const char *name;
    unsigned i;

    for (i = 0; (name = preport_filter_name(i)) != NULL; i++) {
        if (r->missed >> i & 1)
            fprintf(stderr, PROG ": -%s matched no samples\n", name);
    }
}

/* What to call the profile. */
static const char *
title(const struct job *j)
{
    const char *slash = strrchr(j->files[0], '/');
    const char *base = slash == NULL ? j->files[0] : slash + 1;

    return strcmp(base, "-") == 0 ? "profile" : base;
}

static enum rt_status
print(const struct job *j, struct preport *r, const struct preport_style *s,
    struct rt_err *e)
{
    bool json = j->x.json;

    switch (j->opt.kind) {
    case PREPORT_TOP:
        if (json)
            preport_json_top(r, s->out);
        return json ? RT_OK : preport_top(r, s);
    case PREPORT_TREE:
        return json ? preport_json_tree(r, s->out) : preport_tree(r, s);
    case PREPORT_LIST:
        return json ? preport_json_list(r, s->out, e)
            : preport_list(r, s, e);
    case PREPORT_FLAME:
        return json ? preport_json_flame(r, title(j), s->out, e)
            : preport_flame(r, title(j), s->out, e);
    }
    return RT_ESTATE;
}

static void
style(struct preport_style *s, const struct out *o)
{
    s->out = o->f;
    s->bold = out_style(o, OUT_BOLD);
    s->hot = out_style(o, OUT_RED);
    s->warm = out_style(o, OUT_YELLOW);
    s->dim = out_style(o, OUT_DIM);
    s->plain = out_style(o, OUT_PLAIN);
}

/* Where a flame graph goes that was asked for at a terminal. */
static const char *
page_name(const struct job *j, char *buf, size_t size)
{
    snprintf(buf, size, "%s.html", title(j));
    return buf;
}

/* Writes the report to where it belongs; the exit status. */
static int
write_out(const struct job *j, struct preport *r)
{
    const char *path = j->x.output;
    struct rt_err e = {.text = "out of memory"};
    struct preport_style s;
    enum rt_status st;
    char name[512];
    struct out o;
    int status = 0;

    out_init(&o);
    if (path == NULL && j->opt.kind == PREPORT_FLAME && !j->x.json &&
        isatty(STDOUT_FILENO))
        path = page_name(j, name, sizeof name);
    if (path != NULL && strcmp(path, "-") != 0) {
        o.colour = false;
        o.f = fopen(path, "w");
        if (o.f == NULL) {
            out_tell(PROG, "%s: %s", path, strerror(errno));
            return 1;
        }
    }
    style(&s, &o);
    st = print(j, r, &s, &e);
    if (st != RT_OK)
        status = failed(&e);
    if (o.f == stdout)
        return out_finish(&o, PROG) != 0 ? 1 : status;
    if ((ferror(o.f) | fclose(o.f)) != 0) {
        out_tell(PROG, "%s: %s", path, strerror(errno));
        return 1;
    }
    if (status == 0 && j->x.output == NULL)
        out_tell(PROG, "wrote %s", path);
    return status;
}

static int
report(struct job *j)
{
    struct rt_err e;
    struct preport r;
    struct pfile *f;
    int status;

    if (preport_load(j->files, j->nfiles, j->bases, j->nbases, j->compare, &f,
        &e) != RT_OK)
        return failed(&e);
    if (preport_open(&r, f, &j->opt, &e) != RT_OK)
        status = failed(&e);
    else {
        warn(&r);
        status = write_out(j, &r);
    }
    preport_close(&r);
    return status;
}

int
cmd_prof(int argc, char **argv)
{
    static const char *const kinds[] = {"top", "tree", "list", "flame"};
    struct job j = {.x = {.trim = true}};
    enum preport_kind kind = PREPORT_TOP;
    struct preport_options opt;
    const char *symbol;
    int i, status;

    if (argc == 0)
        return usage("top, tree, list or flame?%s", "");
    if (strcmp(argv[0], "-h") == 0 || strcmp(argv[0], "-help") == 0 ||
        strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "help") == 0) {
        cmd_prof_help(stdout);
        return cmd_flush(PROG);
    }
    for (i = 0; i < 4 && strcmp(argv[0], kinds[i]) != 0; i++)
        ;
    if (i == 4)
        return usage("unknown command \"%s\"", argv[0]);
    j.opt.kind = kind = (enum preport_kind)i;
    status = words(&j, argc - 1, argv + 1);
    if (status < 0)
        return cmd_flush(PROG);
    if (status == 0 && kind == PREPORT_LIST && j.opt.symbol == NULL)
        return usage("list needs a regular expression%s", "");
    if (status == 0 && j.nfiles == 0)
        return usage("no profile given%s", "");
    symbol = j.opt.symbol;
    if (status == 0)
        status = options(&j.x, &opt);
    if (status != 0)
        return status;
    j.opt = opt;
    j.opt.kind = kind;
    j.opt.symbol = symbol;
    status = bases(&j);
    return status != 0 ? status : report(&j);
}
