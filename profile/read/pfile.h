/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PFILE_H
#define PROFILE_READ_PFILE_H

/*
 * A profile in pprof's format (profile.proto, plain or gzip'ed) in memory,
 * whoever wrote it.  No byte of the file is trusted: what opens here has
 * valid indices everywhere, unique ids, and one value per sample type in each
 * sample.  Memory is bounded: a file may unpack to at most PFILE_MAX_BYTES,
 * and what is decoded from it takes at most PFILE_MAX_MEMORY.
 *
 * All texts are NUL-terminated and interned: two of one profile are equal if
 * and only if their addresses are.  They may hold anything but NUL; who prints
 * them takes care of control characters.  A profile is used by one thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/read/phash.h"
#include "runtime/base/arena.h"
#include "runtime/base/err.h"

#define PFILE_MAX_BYTES ((size_t)1 << 30)
#define PFILE_MAX_MEMORY ((size_t)4 << 30)

enum { PFILE_NONE = UINT32_MAX }; /* no mapping */

struct pfile_type {
    const char *type, *unit;
};

struct pfile_mapping {
    uint64_t id, start, limit, offset;
    const char *file, *build_id;
};

struct pfile_func {
    uint64_t id;
    const char *name, *system, *file;
    int64_t start_line;
};

struct pfile_line {
    int64_t line, column;
    uint32_t func; /* index into funcs */
};

struct pfile_loc {
    uint64_t id, addr;
    size_t line;      /* first of its lines; innermost inlined call first */
    uint32_t nlines;  /* 0: not symbolized */
    uint32_t mapping; /* index or PFILE_NONE */
    bool folded;
};

struct pfile_label {
    const char *key;
    const char *str;  /* NULL: a number */
    const char *unit; /* of a number; "" if not known */
    int64_t num;
};

struct pfile_sample {
    size_t loc;       /* first of its entries in stack; leaf first */
    size_t label;
    uint32_t nlocs, nlabels;
    bool base;        /* of the profile that is compared with, negated */
};

/* Texts, each once. */
struct pfile_names {
    struct rt_arena arena;
    uint64_t seed; /* of the hashes */
    struct phash index;
    const char **v;
    size_t n, cap;
};

struct pfile {
    struct pfile_type *types; /* ntypes */
    size_t ntypes;
    struct pfile_sample *samples;
    size_t nsamples;
    int64_t *values;          /* nsamples * ntypes, sample by sample */
    uint32_t *stack;          /* indices into locs */
    size_t nstack;
    struct pfile_label *labels;
    size_t nlabels;
    struct pfile_mapping *mappings;
    size_t nmappings;
    struct pfile_loc *locs;
    size_t nlocs;
    struct pfile_line *lines;
    size_t nlines;
    struct pfile_func *funcs;
    size_t nfuncs;
    const char **comments;
    size_t ncomments;

    struct pfile_type period_type;
    int64_t period;
    int64_t time, duration;   /* nanoseconds; 0: not known */
    const char *default_type; /* "" if none */
    const char *drop_frames, *keep_frames, *doc_url;

    struct pfile_names names;
};

/*
 * Reads path ("-": standard input) and decodes it.  RT_EIO, RT_EFORMAT (where
 * is an offset in the unpacked data), RT_ELIMIT or RT_ENOMEM with a message
 * that does not name the file.  *f is the caller's: pfile_close().
 */
enum rt_status pfile_open(const char *path, struct pfile **f,
    struct rt_err *e);

/* The same for n bytes in memory, which are not kept. */
enum rt_status pfile_parse(const uint8_t *data, size_t n, struct pfile **f,
    struct rt_err *e);

/* Lists of samples and locations lie one after another in the arrays that they
 * share, and what they name is there. */
bool pfile_valid(const struct pfile *f);

/* NULL is allowed. */
void pfile_close(struct pfile *f);

/* The interned text equal to s (n bytes; NULs become '?'); NULL without
 * memory. */
const char *pfile_name(struct pfile_names *t, const char *s, size_t n);

/*
 * Which value of each sample to show: name is a sample type's, or its number,
 * or NULL for the default: default_type if that is one of the types, else the
 * last, as pprof chooses.  RT_EFORMAT with the possible names.
 */
enum rt_status pfile_sample_index(const struct pfile *f, const char *name,
    size_t *index, struct rt_err *e);

/* Whether any location has a function. */
bool pfile_symbolized(const struct pfile *f);

static inline int64_t
pfile_value(const struct pfile *f, size_t sample, size_t type)
{
    return f->values[sample * f->ntypes + type];
}

#endif
