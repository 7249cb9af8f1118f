/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_WIRE_PPROF_H
#define PROFILE_WIRE_PPROF_H

/*
 * Writes profile.proto files, complete with functions, files and lines, so
 * that pprof needs no binary: a builder for any profile, and one call for
 * each kind that Go has, with its sample types, periods and scaling.
 *
 * Stacks are arrays of words, leaf first, each the address of the call itself
 * (not of what follows it).  What a word means only the caller knows: see
 * struct wire_syms.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/wire/sink.h"
#include "runtime/base/err.h"

/* What a word of a stack is called.  Strings live until the writer returns. */
struct wire_frame {
    const char *func;
    const char *file;    /* "" where unknown */
    uint32_t line;
    uint32_t start_line; /* of the function; 0: unknown */
    uint64_t addr;       /* address to show; unique for (func, line) */
    uint64_t entry;      /* of the function, for func+0x10 */
};

struct wire_syms {
    /* False: unknown; then f->addr is set at least. */
    bool (*symbolize)(void *arg, uint64_t pc, struct wire_frame *f);
    void *arg;
    const char *program; /* "File:" of reports: the script's path */
};

/* A label of a sample: either str or a number. */
struct wire_label {
    const char *key;
    const char *str;  /* NULL: num */
    int64_t num;
    const char *unit; /* of num; may be NULL */
};

/* ---- the builder ----------------------------------------------------- */

struct wire_pprof;

/* NULL: no memory.  syms must outlive the builder. */
struct wire_pprof *wire_pprof_new(const struct wire_syms *syms);
void wire_pprof_free(struct wire_pprof *w);

void wire_pprof_sample_type(
    struct wire_pprof *w, const char *type, const char *unit);
void wire_pprof_period(struct wire_pprof *w, const char *type,
    const char *unit, int64_t period);
void wire_pprof_default_type(struct wire_pprof *w, const char *type);
void wire_pprof_time(struct wire_pprof *w, int64_t ns, int64_t duration_ns);

/* One sample; as many values as there are sample types. */
void wire_pprof_sample(struct wire_pprof *w, const int64_t *values,
    uint32_t nvalues, const uint64_t *pcs, uint32_t npcs,
    const struct wire_label *labels, uint32_t nlabels);

/* Completes the file and writes it, compressed, to the sink.  RT_ENOMEM,
 * RT_EIO.  The builder can only be freed afterwards. */
enum rt_status wire_pprof_finish(
    struct wire_pprof *w, const struct wire_sink *sink);

/* ---- Go's kinds -------------------------------------------------------- */

struct wire_stack {
    const uint64_t *pcs;
    uint32_t n;
};

struct wire_heap {
    struct wire_stack stk;
    int64_t alloc_objects, alloc_bytes, free_objects, free_bytes;
};

/* Estimates what was there from what was sampled: *objects and *bytes. */
void wire_scale_heap(int64_t *objects, int64_t *bytes, int64_t rate);

/* heap (alloc false) and allocs (alloc true): the counts are unscaled. */
enum rt_status wire_write_heap(const struct wire_sink *sink,
    const struct wire_syms *syms, const struct wire_heap *v, size_t n,
    int64_t rate, bool alloc, int64_t time_ns);

/* One stack of a goroutine, threadcreate or user-defined profile. */
struct wire_count {
    struct wire_stack stk;
    const struct wire_label *labels;
    uint32_t nlabels;
};

/* Equal stacks with equal labels are counted together. */
enum rt_status wire_write_count(const struct wire_sink *sink,
    const struct wire_syms *syms, const char *name,
    const struct wire_count *v, size_t n, int64_t time_ns);

/* A record of the block or mutex profile. */
struct wire_cycles {
    struct wire_stack stk;
    int64_t count, cycles;
};

enum rt_status wire_write_cycles(const struct wire_sink *sink,
    const struct wire_syms *syms, const struct wire_cycles *v, size_t n,
    int64_t cycles_per_sec, int64_t time_ns);

/* A record of the CPU or wall clock profile. */
struct wire_timed {
    struct wire_stack stk;
    const struct wire_label *labels;
    uint32_t nlabels;
    const char *state; /* NULL: none */
    int64_t count;
};

/* value: "cpu" or "wall"; sample types samples/count and value/nanoseconds,
 * and label "state" where there is one. */
enum rt_status wire_write_timed(const struct wire_sink *sink,
    const struct wire_syms *syms, const char *value,
    const struct wire_timed *v, size_t n, int64_t period_ns,
    int64_t start_ns, int64_t duration_ns);

#endif
