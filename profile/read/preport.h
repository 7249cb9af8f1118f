/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PREPORT_H
#define PROFILE_READ_PREPORT_H

/*
 * Reports on profiles, as `go tool pprof` makes them: the same options, the
 * same numbers, and for top, tree and list the same layout.  All output goes
 * to a FILE the caller gives; errors of writing are the caller's to look for.
 */

#include <stdio.h>

#include "profile/read/pfilter.h"
#include "profile/read/pgraph.h"

enum preport_kind { PREPORT_TOP, PREPORT_TREE, PREPORT_LIST, PREPORT_FLAME };

struct preport_options {
    enum preport_kind kind;
    const char *sample_index;  /* NULL: the profile's default */
    int64_t nodecount;         /* -1: all (top), 80 (tree); 0: all */
    double nodefraction;       /* leave out nodes below this share */
    double edgefraction;
    bool trim;                 /* honour the three above */
    bool cum;                  /* sort by cum */
    bool by_given;             /* by is what the user asked for */
    enum pgraph_by by;
    const char *unit;          /* NULL: the best fitting one */
    double divide_by;          /* values are shown divided by this; 1 */
    bool noinlines;
    bool drop_negative;
    bool relative_percentages; /* of what the filters leave */
    bool compact_labels;       /* no header lines */
    const char *trim_path, *source_path; /* see profile/read/psource.h */
    struct pfilter filter;
    const char *symbol;        /* regular expression for list */
};

/* The options that `go tool pprof` has by default. */
extern const struct preport_options preport_defaults;

struct preport {
    struct preport_options opt;
    struct pfile *f;
    size_t type;               /* which sample type is shown */
    int64_t total;
    const char *unit;          /* of output; "minimum": each value its own */
    struct pgraph *g;          /* counted */
    unsigned missed;           /* filters that matched nothing */
};

/*
 * Opens the profiles, and adds them up if they are several; of the bases, if
 * any, the values are subtracted.  With `compare` (pprof's -diff_base), or
 * for a flame graph, the base's samples stay apart and percentages are of the
 * base.  An error's text begins with the file's name.
 */
enum rt_status preport_load(const char *const *paths, size_t n,
    const char *const *bases, size_t nbases, bool compare, struct pfile **f,
    struct rt_err *e);

/*
 * Filters and counts f, which becomes the report's (also where this fails).
 * RT_EFORMAT for a bad option, RT_ENOMEM.  preport_close() in either case.
 */
enum rt_status preport_open(struct preport *r, struct pfile *f,
    const struct preport_options *opt, struct rt_err *e);

void preport_close(struct preport *r);

/* A value in the report's unit; buf has PUNIT_TEXT bytes and is returned. */
char *preport_value(const struct preport *r, char *buf, int64_t v);

/* Name of a filter in the set preport.missed, from bit 0; NULL at the end. */
const char *preport_filter_name(unsigned bit);

/* ---- output */

/* Which lists of the report a node's own line and its edges show. */
struct preport_style {
    FILE *out;
    const char *bold, *hot, *warm, *dim, *plain; /* "" without colour */
};

enum rt_status preport_top(const struct preport *r,
    const struct preport_style *s);
enum rt_status preport_tree(const struct preport *r,
    const struct preport_style *s);

/* RT_EFORMAT where no function matches, or the expression is bad. */
enum rt_status preport_list(struct preport *r, const struct preport_style *s,
    struct rt_err *e);

/* Each as one JSON object. */
void preport_json_top(const struct preport *r, FILE *out);
enum rt_status preport_json_tree(const struct preport *r, FILE *out);
enum rt_status preport_json_list(struct preport *r, FILE *out,
    struct rt_err *e);
enum rt_status preport_json_flame(struct preport *r, const char *title,
    FILE *out, struct rt_err *e);

/* A flame graph as one HTML file that needs nothing else. */
enum rt_status preport_flame(struct preport *r, const char *title, FILE *out,
    struct rt_err *e);

/* Text from a profile, with control characters as \xNN. */
void preport_clean(FILE *out, const char *s, size_t n);

/* A string with quotes, also safe within <script>. */
void preport_json_string(FILE *out, const char *s, size_t n);

#endif
