/* SPDX-License-Identifier: MIT */
#ifndef TRACE_READ_FILE_H
#define TRACE_READ_FILE_H

/*
 * A trace file, indexed: which batches belong to which P, where the strings
 * and stacks are.  Opening reads the file once from front to back and checks
 * every record; the events stay where they are and are decoded again, P by
 * P, by trace/read/order.h.  Memory grows with batches, strings and stacks,
 * not with events; the file itself is mapped, and what has been read is
 * dropped from memory, so that a file may be longer than it.  A file that
 * becomes shorter while it is mapped raises SIGBUS.
 *
 * Go 1.22 and later have another format (trace/read/v2.h), which is read
 * through the same functions and gives the same kinds of events.
 *
 * No byte of the file is trusted.  A file that ends within a record, or in
 * what vole was about to write when it was killed, is read up to there.
 */

#include "runtime/base/err.h"
#include "trace/read/event.h"
#include "trace/read/idmap.h"
#include "trace/read/moved.h"

enum { TRACE_WINDOW = 8 << 20 }; /* bytes of a long file kept in memory */

enum trace_severity {
    TRACE_WARNING, /* readers accept it, some viewer stumbles over it */
    TRACE_ERROR    /* Go's readers reject the file */
};

/* One thing wrong with a file. */
struct trace_problem {
    enum trace_severity severity;
    uint64_t off;     /* byte offset of the record to blame */
    const char *rule; /* short constant name, such as "record-length" */
    char text[160];
};

typedef void (*trace_problem_fn)(void *arg, const struct trace_problem *p);

struct trace_batch {
    uint64_t off, end; /* its records, without the Batch record */
    uint64_t ticks;
    uint64_t seq;      /* 1.5 */
};

struct trace_pstream {
    int64_t id; /* P number or TRACE_NO_P */
    struct trace_batch *batches;
    uint64_t nbatches, cap;
};

struct trace_text {
    const char *s; /* not NUL-terminated */
    uint32_t len;
};

struct trace_stackref {
    uint64_t off; /* of its first frame */
    uint32_t n;
    uint32_t len; /* bytes of frames */
};

struct v2_file;

struct trace_file {
    const uint8_t *data;
    uint64_t size;
    bool mapped, owned;
    void (*progress)(void *arg, uint64_t done, uint64_t total);
    void *progress_arg; /* while the index is made */
    uint64_t window;    /* mapped: bytes before it are not in memory */
    int version;        /* 5 for "go 1.5" */
    struct v2_file *v2; /* version 22 and later, else NULL */
    double freq;        /* ticks per second */
    bool freq_known;    /* false: the file was cut before it */
    uint64_t cut_at;    /* UINT64_MAX: complete; else bytes that are whole */

    /* First family of formats only. */
    struct trace_forms forms;
    struct trace_idmap pmap;
    struct trace_pstream *ps;
    uint64_t nps_cap;

    struct trace_idmap strmap, stackmap;
    struct trace_text *strings;
    struct trace_stackref *stacks;
    uint64_t strings_cap, stacks_cap;

    struct trace_moved_list exits, samples;

    uint64_t nevents, nbatches, nstacks, nstrings;
    uint64_t count[TRACE_EV_KINDS];
    uint64_t records[TRACE_EV_COUNT]; /* first family: records by number, */
    uint64_t bytes[TRACE_EV_COUNT];   /* tables and batches included */
    uint64_t min_ts, max_ts; /* ticks of the first and last event */

    trace_problem_fn problem;
    void *problem_arg;
    uint64_t nerrors;
    struct rt_err first; /* the first error */
};

struct trace_open {
    trace_problem_fn problem; /* called for each problem found; or NULL */
    void *arg;
    void (*progress)(void *arg, uint64_t done, uint64_t total); /* bytes that
                                  are indexed, now and then; or NULL */
    bool keep_going; /* an error in a record ends the file there, as a cut
                        does, instead of failing the call */
};

/*
 * Opens and indexes a file, which may be compressed by gzip; "-" is standard
 * input.  RT_EIO, RT_ENOMEM, or
 * RT_EFORMAT with e->where = byte offset; *out is set on RT_OK only.
 * opt may be NULL.
 */
enum rt_status trace_file_open(struct trace_file **out, const char *path,
    const struct trace_open *opt, struct rt_err *e);

/* The same for bytes in memory, which must outlive the file. */
enum rt_status trace_file_open_mem(struct trace_file **out, const void *data,
    size_t size, const struct trace_open *opt, struct rt_err *e);

void trace_file_close(struct trace_file *f);

/* What the index says lies within the file's bytes: batches of a stream one
 * after another, texts, stacks; and the counts agree with the tables. */
bool trace_file_valid(const struct trace_file *f);

/* A string by id; empty (s != NULL) where the file has none. */
struct trace_text trace_file_string(const struct trace_file *f, uint64_t id);

struct trace_rframe {
    uint64_t pc;
    struct trace_text func, file; /* empty in 1.5 */
    uint64_t line;
};

/* The frames of a stack, innermost first, at most max; returns how many are
 * in the file (0: no such stack). */
uint32_t trace_file_stack(const struct trace_file *f, uint64_t id,
    struct trace_rframe *frames, uint32_t max);

/* True when the file has a stack with this id. */
bool trace_file_has_stack(const struct trace_file *f, uint64_t id);

/* Ticks to nanoseconds since the first event. */
int64_t trace_file_ns(const struct trace_file *f, uint64_t ts);

/* How many records of a kind, how many bytes. */
struct trace_kind {
    const char *name;
    uint64_t n, bytes;
    bool table; /* not an event: a batch's head, a table */
};

enum { TRACE_MAX_KINDS = 256 };

/* All kinds of records that a file has, most bytes first; returns how many
 * (at most TRACE_MAX_KINDS).  The header's 16 bytes are in none. */
unsigned trace_file_kinds(const struct trace_file *f, struct trace_kind *out);

/* The bytes before off have been read for now: a long file does not keep
 * them in memory.  Pointers to them stay valid. */
void trace_file_window(struct trace_file *f, uint64_t off);

/* Reports a problem: counts it, passes it on. */
void trace_file_problem(struct trace_file *f, enum trace_severity sev,
    uint64_t off, const char *rule, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

#endif
