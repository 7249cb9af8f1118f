/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PGRAPH_H
#define PROFILE_READ_PGRAPH_H

/*
 * A profile's samples as a graph: nodes are functions, lines, files or
 * addresses, edges are calls.  Counting and trimming follow pprof, so that
 * the numbers are the same to the last digit:
 *
 *   cum of a node   sum of the samples whose stack has it, each once
 *   flat of a node  sum of the samples whose leaf it is
 *   an edge         sum of the samples in whose stack the call is, each once
 */

#include <stdio.h>

#include "profile/read/pfile.h"

enum pgraph_by {
    PGRAPH_FUNCTIONS, PGRAPH_FILEFUNCTIONS, PGRAPH_FILES, PGRAPH_LINES,
    PGRAPH_ADDRESSES
};

struct pgraph_options {
    size_t type;         /* index of the value */
    enum pgraph_by by;
    bool noinlines;      /* inlined calls count for their callers */
    bool objects;        /* functions of different mappings are different */
    bool drop_negative;
    const char *trim_path, *source_path; /* as for psource_trim(); or NULL */
};

struct pgraph_node {
    const char *name, *file, *obj; /* interned, "" if not known */
    uint64_t addr;
    int64_t start_line, line;      /* 0: not known */
    int64_t flat, cum;
    uint32_t in, out;              /* first of its edges, PHASH_NONE if none */
    uint32_t seen;                 /* scratch */
};

struct pgraph_edge {
    uint32_t src, dst;
    uint32_t next_in, next_out;    /* of dst's and src's lists */
    uint32_t seen;
    int64_t weight;
    bool residual;                 /* nodes between were left out */
    bool inlined;
    bool dropped;                  /* below the limit: no report has it */
};

struct pgraph {
    struct pfile *f;
    struct pgraph_options opt;
    struct pgraph_node *nodes;     /* every one, in the order met */
    size_t nnodes, nodes_cap;
    uint32_t *line_node;           /* per line of f */
    uint32_t *loc_node;            /* per location without lines */
    struct pgraph_edge *edges;
    size_t nedges, edges_cap;
    struct phash edge_index;

    uint32_t *shown;               /* nodes of the report, in its order */
    size_t nshown;
    size_t whole;                  /* how many there were before nodecount */
    size_t dropped;                /* and how many below nodefraction */
};

/* What a report shall show. */
struct pgraph_trim {
    size_t nodecount;              /* 0: all */
    double nodefraction, edgefraction;
    bool cum;                      /* sort by cum, else by flat */
};

/* The nodes of f, without samples.  f must outlive the graph; it gets texts
 * added.  The graph is the caller's: pgraph_free(). */
enum rt_status pgraph_new(struct pfile *f, const struct pgraph_options *opt,
    struct pgraph **g, struct rt_err *e);

void pgraph_free(struct pgraph *g);

/* Each edge is in the lists of the nodes that it leads from and to, and in no
 * other; frames have nodes. */
bool pgraph_valid(const struct pgraph *g);

/* Counts the samples, chooses and sorts the nodes. */
enum rt_status pgraph_count(struct pgraph *g, const struct pgraph_trim *t,
    struct rt_err *e);

/* Sum of the samples' absolute values; of those compared with if there are
 * any, as pprof has it. */
int64_t pgraph_total(const struct pfile *f, size_t type);

/* Node of line k of a location, k < max(nlines, 1). */
static inline uint32_t
pgraph_node_of(const struct pgraph *g, uint32_t loc, uint32_t k)
{
    const struct pfile_loc *l = &g->f->locs[loc];

    return l->nlines == 0 ? g->loc_node[loc] : g->line_node[l->line + k];
}

/* How many frames a location stands for in this graph. */
static inline uint32_t
pgraph_frames(const struct pgraph *g, const struct pfile_loc *l)
{
    return l->nlines == 0 || g->opt.noinlines ? 1 : l->nlines;
}

/* The edges into (or out of) a node by falling weight, in a list from malloc
 * that the caller frees; NULL where there are none or memory ran out (*st). */
uint32_t *pgraph_edges(const struct pgraph *g, uint32_t node, bool out,
    size_t *n, enum rt_status *st);

/*
 * A node's name as reports print it: address, function, file:line, or
 * "[mapping]", as far as they are known and asked for.  Pieces of it in
 * order, so that nothing has to be put together for comparing.
 */
enum { PGRAPH_PIECES = 8 };

struct pgraph_label {
    const char *piece[PGRAPH_PIECES]; /* ended by NULL */
    char addr[24], line[24];
};

void pgraph_label(const struct pgraph_node *n, struct pgraph_label *l);

int pgraph_label_cmp(const struct pgraph_node *a,
    const struct pgraph_node *b);

static inline int64_t
pgraph_abs(int64_t v)
{
    return v < 0 ? (int64_t)(0 - (uint64_t)v) : v;
}

#endif
