/* SPDX-License-Identifier: MIT */
#ifndef TRACE_HTML_HTML_INT_H
#define TRACE_HTML_HTML_INT_H

/*
 * What the files of this folder share.
 *
 * Layout of the page, in the order in which it is written:
 *     the part of page.html before its data
 *     chunks: <script type="text/plain" id="cN">, gzip in base64
 *     the index: <script type="application/json" id="index">
 *     the program and the end of page.html
 * A chunk holds up to HTML_CHUNK records of one track as varints, or one
 * table.  page/data.js is the reader of all of it and lists the fields.
 */

#include <stdio.h>

#include "profile/wire/sink.h"
#include "runtime/base/vec.h"
#include "trace/html/html.h"

enum {
    HTML_CHUNK = 4096,    /* records */
    HTML_GROUPS = 64,     /* of goroutines, by function; the last one has the
                             rest */
    HTML_GROUP_STEPS = 1 << 14,
    HTML_PROC_STEPS = 1 << 17,
    HTML_ALL_PROC_STEPS = 1 << 22, /* of all Ps together */
    HTML_LEVEL_FACTOR = 8,
    HTML_LEAST_STEPS = 1 << 11,
    HTML_BLOCKED = 3      /* number of states in a group's picture: running,
                             runnable, system call, and this one */
};

struct html_chunk {
    uint32_t id, n;   /* n records */
    int64_t from, to; /* all of them lie within */
};

RT_VEC(html_chunks, struct html_chunk);

/* The page being written. */
struct html_out {
    FILE *f;
    uint32_t nchunks;
    struct wire_buf gz;
    bool nomem;
};

/* Writes a chunk; returns its id. */
uint32_t html_out_chunk(struct html_out *o, const void *data, size_t n);

/* Text with what HTML or JSON would take amiss replaced. */
void html_out_escaped(FILE *f, const char *s);
void html_json_string(FILE *f, const char *s, size_t n);

/* Records that are collected until they fill a chunk. */
struct html_pack {
    struct wire_buf b;
    uint32_t n;
    int64_t from, to;
    int64_t last; /* what the next record's time is relative to */
    struct html_chunks done;
};

void html_pack_u(struct html_pack *p, uint64_t v);
/* Small where the number is near 0, above or below. */
void html_pack_i(struct html_pack *p, int64_t v);
/* A record that covers this time begins: hands the chunk over when it is
 * full.  The first number of the record is its time relative to p->last,
 * which is 0 at the beginning of a chunk. */
void html_pack_begin(struct html_out *o, struct html_pack *p, int64_t from,
    int64_t to);
void html_pack_flush(struct html_out *o, struct html_pack *p);
void html_pack_free(struct html_pack *p);
/* "[[id,n,from,to],...]" */
void html_pack_json(FILE *f, const struct html_pack *p);

/*
 * How many of something there were, on average, in each of n equal steps of
 * the trace: part has the share of steps covered partly, diff where runs of
 * wholly covered ones begin and end, so that a long span costs no more than a
 * short one.
 */
struct html_area {
    uint32_t n;
    double width; /* of a step in ns */
    float *part;
    int32_t *diff;
};

bool html_area_init(struct html_area *a, uint32_t n, int64_t duration);
void html_area_add(struct html_area *a, int64_t from, int64_t to);
/* Turns part into the averages. */
void html_area_finish(struct html_area *a);
void html_area_free(struct html_area *a);
/* The step that a time lies in. */
uint32_t html_area_step(const struct html_area *a, int64_t t);

/* Averages neighbours: v[0 .. n/HTML_LEVEL_FACTOR) */
void html_area_halve(float *v, uint32_t n);

/* What a P did: how busy, and mostly with which group. */
struct html_proc {
    struct html_pack pack;
    int64_t painted;   /* until when */
    struct html_area busy;
    float *most;       /* share of the step's largest slice so far */
    uint8_t *group;    /* and its group */
};

/* A value that changes: the heap, the goal. */
struct html_counter {
    struct html_pack pack;
    uint32_t n;
    double width;
    double *low, *high; /* in each step; NAN: none */
    bool seen;
};

struct html_group {
    struct trace_text name;
    uint64_t n;               /* goroutines */
    bool system;
    int64_t time[TRACE_ST_COUNT];
    int64_t longest;          /* block */
    struct html_pack pack;    /* spans in the order of their ends */
    struct html_pack slow;    /* those that are long beside the trace */
    struct html_area area[HTML_BLOCKED + 1];
};

/* Stacks that occur, with names of their frames in tables. */
struct html_stacks {
    const struct trace_file *f;
    struct trace_idmap ids;   /* stack id -> number */
    struct trace_idmap names; /* hash of a text -> number in texts */
    RT_VEC(, uint64_t) list;
    RT_VEC(, struct trace_text) texts;
    bool nomem;
};

/* The number of a stack, 0 = none. */
uint32_t html_stack(struct html_stacks *s, uint64_t id);
/* All of them as JSON: {"names":[...],"stacks":[[fn,file,line,...],...]} */
void html_stacks_json(FILE *f, struct html_stacks *s);
void html_stacks_free(struct html_stacks *s);

/* A task of the program's own. */
struct html_task {
    uint64_t id, parent, name; /* name: string id */
    int64_t from, to;          /* to -1: not ended */
    uint64_t g;
};

/* The whole. */
struct html {
    struct trace_file *f;
    struct html_out out;
    struct trace_summary *sum; /* of the first pass */
    struct html_group groups[HTML_GROUPS];
    uint32_t ngroups;
    uint8_t *group_of;         /* by number of goroutine */
    struct html_proc *procs;   /* as sum->procs */
    struct html_counter heap, goal;
    struct html_pack bands;    /* collections and stops */
    int64_t gc_since, stw_since;
    uint64_t stw_kind;
    struct html_stacks stacks;
    struct trace_idmap open_tasks;
    RT_VEC(, struct html_task) task_list;
    int64_t slow;              /* a span this long is slow */
    bool system;               /* the page begins with the runtime's own */
};

/* ---- gather.c: groups, and the sinks of the second pass */
bool html_groups(struct html *h);
struct trace_sink html_sink(struct html *h);
bool html_begin(struct html *h);
void html_end(struct html *h);

/* ---- index.c */
void html_index(struct html *h, FILE *f);

/* ---- made by embed.py */
extern const char html_page_head[], html_page_tail[];

#endif
