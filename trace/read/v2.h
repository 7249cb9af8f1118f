/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_V2_H
#define TRACE_READ_V2_H

/*
 * The second family of trace formats, Go 1.22 and later; for trace/read only
 * and for the tools that cut and convert.  A file is a sequence of
 * generations.  Each generation has batches of events by thread, and tables
 * of its own: strings, stacks, CPU samples, the frequency of its clock.
 *
 * Ids of strings and stacks mean something within one generation.  Here each
 * different text and stack has one number for the whole file, 1, 2, 3 ..; the
 * index finds them all, and the orderer makes the map from a generation's
 * ids to those numbers again when it comes to that generation.  So memory
 * grows with what is different, not with the generations.
 */

#include "trace/read/file.h"

enum trace_v2 {
#define V2(no, id, name, nargs, stk, stk2, str, str2, since) V2_##id = no,
#include "trace/read/v2.def"
#undef V2
    V2_COUNT
};

enum {
    V2_FIRST = 22,          /* header version */
    V2_MAX_ARGS = 5,        /* the time difference included */
    V2_MAX_BATCH = 65536,   /* as in Go's reader */
    V2_MAX_FRAMES = 128,
    V2_MAX_STRING = 1024
};

struct v2_spec {
    const char *name; /* NULL: no such record */
    uint8_t nargs, stk, stk2, str, str2, since;
    bool refers;      /* to a stack or a string */
    bool more;        /* to more than one stack */
};

/* By number, V2_COUNT of them. */
extern const struct v2_spec v2_specs[];

/* The same by first byte: how many numbers follow it; 0 for what is no
 * event. */
extern const uint8_t v2_nargs[256];

/* "GoStatus" and so on; "?" for a number without a name. */
const char *v2_name(unsigned type);

/* The words for a reason to stop the world, as header 1.21 counts them. */
const char *v2_stw_text(uint64_t kind);

/* What a batch holds. */
enum v2_batch_kind { V2B_EVENTS, V2B_STRINGS, V2B_STACKS, V2B_SAMPLES,
    V2B_SYNC, V2B_EXPERIMENT };

struct v2_batch {
    uint64_t at;       /* its first byte */
    uint64_t off, end; /* its data */
    uint64_t m;        /* thread; UINT64_MAX = none */
    uint64_t ticks;
    uint64_t gen;
    uint8_t kind;      /* enum v2_batch_kind */
};

struct v2_gen {
    uint64_t gen;
    uint64_t off, end;     /* its bytes, end mark included */
    uint64_t first, count; /* of its batches */
    uint64_t min_ts;       /* smallest time of a batch */
    double mul;            /* nanoseconds per tick */
    uint64_t freq;
    bool freq_known, complete;
    bool snapshot;         /* the next four are known */
    uint64_t snap_ts, mono, sec, nsec;
};

struct v2_frame {
    uint64_t pc, line;
    uint32_t func, file;   /* numbers of strings */
};

struct v2_stack {
    uint64_t first;        /* index of its first frame */
    uint32_t n;
};

/* What a trace_file of this family has in addition. */
struct v2_file {
    struct v2_batch *batches;
    uint64_t nbatches, batches_cap;
    struct v2_gen *gens;
    uint64_t ngens, gens_cap;
    struct trace_idmap strings_by_hash, stacks_by_hash;
    uint64_t seed;         /* of the hashes */
    struct v2_frame *frames;
    struct v2_stack *stacks;
    uint64_t nframes, frames_cap, stacks_cap;
    uint64_t wire[V2_COUNT], wire_bytes[V2_COUNT]; /* records by type */
    uint64_t t0;           /* nanoseconds of the first generation's begin */
};

/* One event record. */
struct v2_event {
    uint8_t type;
    uint64_t args[V2_MAX_ARGS]; /* args[0] = time difference */
};

/* The same as v2_decode() for usual events; NULL where more must be looked
 * at. */
static inline const uint8_t *
v2_decode_usual(const uint8_t *p, const uint8_t *end, struct v2_event *e)
{
    uint8_t type = *p++;
    unsigned i, n = v2_nargs[type];

    if (n == 0 || end - p < TRACE_ROOM)
        return NULL;
    e->type = type;
    for (i = 0; i < n; i++) {
        p = trace_number8(p, &e->args[i]);
        if (p == NULL)
            return NULL;
    }
    return p;
}

/* Decodes the event at p; returns its end, or NULL with *why set. */
const uint8_t *v2_decode(const uint8_t *p, const uint8_t *end,
    struct v2_event *e, const char **why);

/* Reads one batch at p: header and extent.  *b is filled but for kind.  1: a
 * batch; 2: an end of generation (b->end is the byte after it); 0: the bytes
 * end within it; -1: *why says what is wrong. */
int v2_batch(const struct trace_file *f, uint64_t at, struct v2_batch *b,
    char *why);

/* Indexes a file whose header has been read. */
enum rt_status v2_index(struct trace_file *f);

void v2_close(struct v2_file *v);

/* trace_file_valid() for this family: generations and batches follow each
 * other, stacks have their frames one after another, and frames have strings
 * that there are. */
bool v2_file_valid(const struct trace_file *f);

/* The map from a generation's ids to numbers of the file.  Small ids, which
 * are nearly all, have a table beside it. */
enum { V2_NEAR = 1024 };

struct v2_ids {
    uint32_t near_strs[V2_NEAR], near_stks[V2_NEAR]; /* by id; 0 = look in
                                                        the maps */
    struct trace_idmap strmap, stkmap; /* index i of an id, numbers in */
    uint32_t *strs, *stks;             /* strs[i], stks[i] */
    uint64_t strs_cap, stks_cap;
};

/* Makes it for one generation; reports problems if asked to. */
enum rt_status v2_ids_load(struct trace_file *f, const struct v2_gen *g,
    struct v2_ids *ids, bool report);

void v2_ids_clear(struct v2_ids *ids);

/* -1: no such id; else its number (0 for id 0). */
static inline int64_t
v2_string_of(const struct v2_ids *ids, uint64_t id)
{
    int64_t i;

    if (id < V2_NEAR && ids->near_strs[id] != 0)
        return (int64_t)ids->near_strs[id];
    i = id == 0 ? 0 : trace_idmap_get(&ids->strmap, id);
    return id == 0 ? 0 : i < 0 ? -1 : (int64_t)ids->strs[i];
}

static inline int64_t
v2_stack_of(const struct v2_ids *ids, uint64_t id)
{
    int64_t i;

    if (id < V2_NEAR && ids->near_stks[id] != 0)
        return (int64_t)ids->near_stks[id];
    i = id == 0 ? 0 : trace_idmap_get(&ids->stkmap, id);
    return id == 0 ? 0 : i < 0 ? -1 : (int64_t)ids->stks[i];
}

/* trace_file_string() for this family. */
static inline struct trace_text
v2_text(const struct trace_file *f, uint64_t n)
{
    return n == 0 || n > f->nstrings ? (struct trace_text){"", 0} :
        f->strings[n - 1];
}

#define V2_MAX_NS UINT64_C(9000000000000000000)

/* Ticks to nanoseconds as Go does it: truncated, not rounded. */
static inline uint64_t
v2_ns(double mul, uint64_t ticks)
{
    double ns = (double)ticks * mul;

    return ns >= 9e18 ? V2_MAX_NS : (uint64_t)(int64_t)ns;
}

/* ---- the orderer of this family; see trace/read/order.h */

struct v2_order;

enum rt_status v2_order_new(struct v2_order **out, struct trace_file *f,
    struct rt_err *e);
enum rt_status v2_order_get(struct v2_order *o,
    const struct trace_event **ev);
uint64_t v2_order_stuck(const struct v2_order *o);
void v2_order_free(struct v2_order *o);

#endif
