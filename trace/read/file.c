/* SPDX-License-Identifier: MIT */
#include "trace/read/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/throw.h"
#include "runtime/base/varint.h"
#include "trace/read/unpack.h"
#include "trace/read/v2.h"

enum {
    HEADER = 16,
    MAP_FROM = 1 << 20, /* smaller files are copied: a mapping faults when
                           somebody truncates the file */
    MAX_P = INT32_MAX,
    AT_ONCE = 1 << 20   /* bytes between looks at the window */
};

static const int versions[] = {5, 7, 8, 9, 10, 11, 19, 21, 22, 23, 25,
    26};

/* ---- problems */

void
trace_file_problem(struct trace_file *f, enum trace_severity sev,
    uint64_t off, const char *rule, const char *fmt, ...)
{
    struct trace_problem p = {.severity = sev, .off = off, .rule = rule};
    va_list ap;

    rt_assert(rule != NULL && rule[0] != '\0');
    va_start(ap, fmt);
    vsnprintf(p.text, sizeof p.text, fmt, ap);
    va_end(ap);
    if (sev == TRACE_ERROR && f->nerrors++ == 0)
        rt_errf(&f->first, RT_EFORMAT, off, "%s", p.text);
    if (f->problem != NULL)
        f->problem(f->problem_arg, &p);
}

/* ---- bytes */

static enum rt_status
slurp(struct trace_file *f, int fd, const char *path, uint64_t hint,
    struct rt_err *e)
{
    uint64_t cap = 0, len = 0;
    uint8_t *buf = NULL;
    ssize_t n;

    for (;;) {
        if (!trace_grow(&buf, &cap, len + (hint > 65536 ? hint : 65536), 1)) {
            free(buf);
            return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
        }
        rt_assert(len < cap);
        n = read(fd, buf + len, cap - len);
        if (n == 0)
            break;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            free(buf);
            return rt_err_os(e, errno, "%s", path);
        }
        len += (uint64_t)n;
        hint = 0;
    }
    f->data = buf;
    f->size = len;
    f->owned = true;
    return RT_OK;
}

/* What cannot be mapped goes through a temporary file, which has no name. */
static enum rt_status
spool(int fd, const char *path, int *out, struct rt_err *e)
{
    size_t size = 1 << 16;
    char *buf = malloc(size), name[4096];
    ssize_t n = 0, k, put;
    int tmp;

    if (buf == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    tmp = trace_temp_file(name, sizeof name);
    if (tmp < 0) {
        rt_err_os(e, errno, "%s", name);
        free(buf);
        return RT_EIO;
    }
    while ((n = read(fd, buf, size)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        for (put = 0; put < n; put += k) {
            k = write(tmp, buf + put, (size_t)(n - put));
            if (k < 0 && errno == EINTR)
                k = 0;
            if (k < 0)
                goto failed;
        }
    }
    if (n == 0) {
        free(buf);
        *out = tmp;
        return RT_OK;
    }
failed:
    rt_err_os(e, errno, "%s", n < 0 ? path : name);
    free(buf);
    close(tmp);
    return RT_EIO;
}

static enum rt_status
map_or_read(struct trace_file *f, int fd, const char *path, struct rt_err *e)
{
    struct stat st;
    void *p;

    if (fstat(fd, &st) != 0)
        return rt_err_os(e, errno, "%s", path);
    if (S_ISREG(st.st_mode) && st.st_size >= MAP_FROM) {
        p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p != MAP_FAILED) {
            f->data = p;
            f->size = (uint64_t)st.st_size;
            f->mapped = true;
            return RT_OK;
        }
    }
    return slurp(f, fd, path, S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0,
        e);
}

static void
release(struct trace_file *f)
{
    if (f->mapped)
        munmap((void *)(uintptr_t)f->data, f->size);
    if (f->owned)
        free((void *)(uintptr_t)f->data);
    f->data = NULL;
    f->size = 0;
    f->mapped = f->owned = false;
}

/* The bytes of the trace in fd, which may be compressed: it is unpacked to a
 * file without a name. */
static enum rt_status
load(struct trace_file *f, int fd, const char *path, struct rt_err *e)
{
    enum rt_status st = map_or_read(f, fd, path, e);
    char name[4096];
    int tmp;

    if (st != RT_OK || !trace_is_gzip(f->data, f->size))
        return st;
    tmp = trace_temp_file(name, sizeof name);
    if (tmp < 0)
        return rt_err_os(e, errno, "%s", name);
    st = trace_unpack(f->data, f->size, TRACE_MAX_UNPACKED, tmp, e);
    release(f);
    if (st == RT_OK) {
        lseek(tmp, 0, SEEK_SET);
        st = map_or_read(f, tmp, name, e);
    }
    close(tmp);
    return st;
}

void
trace_file_window(struct trace_file *f, uint64_t off)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

    if (!f->mapped || off < f->window || off - f->window < TRACE_WINDOW)
        return;
    off -= off % page;
    madvise((void *)(uintptr_t)f->data, off, MADV_DONTNEED);
    f->window = off;
    if (f->progress != NULL)
        f->progress(f->progress_arg, off, f->size);
}

/* ---- the index */

struct indexer {
    struct trace_file *f;
    struct trace_pstream *ps; /* NULL before the first Batch */
    uint64_t ts, seq;
    bool samples, others;     /* kinds of events in this batch */
    enum rt_status st;        /* RT_ENOMEM ends the walk */
};

static void
end_batch(struct indexer *x, uint64_t off)
{
    struct trace_batch *b;

    if (x->ps == NULL || x->ps->nbatches == 0)
        return;
    b = &x->ps->batches[x->ps->nbatches - 1];
    rt_assert(b->off <= off && off <= x->f->size);
    b->end = off;
}

static bool
begin_batch(struct indexer *x, uint64_t off, uint64_t from, uint64_t id,
    uint64_t ticks, uint64_t seq)
{
    struct trace_file *f = x->f;
    struct trace_batch *b;
    int64_t i;

    end_batch(x, off);
    if (id != UINT64_MAX && id > MAX_P)
        trace_file_problem(f, TRACE_ERROR, off, "batch-p",
            "processor ID %llu is larger than maximum",
            (unsigned long long)id);
    i = trace_idmap_row(&f->pmap, id, &f->ps, &f->nps_cap, sizeof *f->ps, NULL);
    if (i < 0)
        return false;
    x->ps = &f->ps[i];
    x->ps->id = id > MAX_P ? TRACE_NO_P : (int64_t)id;
    if (!trace_grow(&x->ps->batches, &x->ps->cap, x->ps->nbatches,
            sizeof *x->ps->batches))
        return false;
    b = &x->ps->batches[x->ps->nbatches++];
    rt_assert(off <= from && from <= f->size);
    b->off = from;
    b->end = from;
    b->ticks = ticks;
    b->seq = seq;
    x->ts = ticks;
    x->seq = seq;
    x->samples = false;
    x->others = false;
    f->nbatches++;
    return true;
}

static bool
add_string(struct indexer *x, const struct trace_record *r, uint64_t off)
{
    struct trace_file *f = x->f;
    bool fresh;
    int64_t i;

    if (x->ps == NULL)
        trace_file_problem(f, TRACE_WARNING, off, "string-before-batch",
            "String before the first Batch: Go's newer readers skip it");
    if (r->id > UINT64_MAX - TRACE_BUILTIN)
        trace_file_problem(f, TRACE_WARNING, off, "string-count",
            "String %llu: Go's newer readers need the highest numbers for "
            "strings of their own", (unsigned long long)r->id);
    i = trace_idmap_row(&f->strmap, r->id, &f->strings, &f->strings_cap,
        sizeof *f->strings, &fresh);
    if (i < 0)
        return false;
    if (!fresh) {
        trace_file_problem(f, TRACE_ERROR, off, "string-id",
            "string has duplicate id %llu", (unsigned long long)r->id);
        return true;
    }
    rt_assert(r->text != NULL && r->text_len <= TRACE_MAX_STRING);
    f->strings[i].s = r->text;
    f->strings[i].len = r->text_len;
    f->nstrings++;
    return true;
}

static bool
add_stack(struct indexer *x, const struct trace_record *r)
{
    struct trace_file *f = x->f;
    bool fresh;
    int64_t i;

    if (r->id == 0 || r->len == 0)
        return true;
    i = trace_idmap_row(&f->stackmap, r->id, &f->stacks, &f->stacks_cap,
        sizeof *f->stacks, &fresh);
    if (i < 0)
        return false;
    rt_assert(r->body <= r->body_end && r->len <= TRACE_MAX_FRAMES);
    if (fresh) {
        f->stacks[i].off = (uint64_t)(r->body - f->data);
        f->stacks[i].n = (uint32_t)r->len;
        f->stacks[i].len = (uint32_t)(r->body_end - r->body);
        f->nstacks++;
    }
    return true;
}

static void
set_freq(struct indexer *x, uint64_t freq, uint64_t off)
{
    struct trace_file *f = x->f;

    if ((int64_t)freq <= 0) {
        trace_file_problem(f, TRACE_ERROR, off, "frequency",
            "time stamps out of order: the frequency is %lld",
            (long long)freq);
        return;
    }
    f->freq = (double)freq;
    f->freq_known = true;
}

static void
see_time(struct trace_file *f, uint64_t ts)
{
    if (ts < f->min_ts)
        f->min_ts = ts;
    if (ts > f->max_ts)
        f->max_ts = ts;
}

static bool
add_event(struct indexer *x, const struct trace_record *r, uint64_t off)
{
    struct trace_file *f = x->f;
    struct trace_event e;
    uint64_t dt, dseq;
    bool ok = true;

    if (x->ps == NULL) {
        trace_file_problem(f, TRACE_ERROR, off, "no-batch",
            "%s before the first Batch", trace_ev_name(r->ev));
        if (!begin_batch(x, off, off, 0, 0, 0))
            return false;
    }
    trace_event_fill(r, f->version, &e, &dt, &dseq);
    if (r->ev == TRACE_EV_CPU_SAMPLE) {
        see_time(f, e.args[0]);
        x->samples = true;
        ok = trace_moved_add(&f->samples, e.args[0], off, x->ps->id);
    } else {
        x->ts += dt;
        x->seq += dseq;
        x->others = true;
        see_time(f, x->ts);
    }
    if (x->samples && x->others) {
        x->samples = false;
        trace_file_problem(f, TRACE_ERROR, off, "sample-batch",
            "CPUSample and other events in one Batch: Go's newer readers "
            "misplace the others");
    }
    if (r->ev == TRACE_EV_GO_SYS_EXIT && e.args[2] != 0)
        ok = trace_moved_add(&f->exits, f->version < 7 ? e.args[1] :
            e.args[2], off, x->ps->id);
    return ok;
}

/* True to go on. */
static bool
add_record(struct indexer *x, const struct trace_record *r)
{
    struct trace_file *f = x->f;
    uint64_t off = (uint64_t)(r->at - f->data);
    uint64_t next = (uint64_t)(r->next - f->data);
    bool old = f->version < 7;

    if (r->top == 3 && r->ev != TRACE_EV_STRING &&
        r->len > TRACE_NEW_RECORD && r->ev != TRACE_EV_STACK)
        trace_file_problem(f, TRACE_WARNING, off, "record-length",
            "%s is %llu bytes long: Go's newer readers take %d at most",
            trace_ev_name(r->ev), (unsigned long long)r->len,
            TRACE_NEW_RECORD);
    if (r->ev == TRACE_EV_STACK &&
        r->body_end - r->at > TRACE_NEW_RECORD + 3)
        trace_file_problem(f, TRACE_WARNING, off, "record-length",
            "Stack is %td bytes long: Go's newer readers take %d at most",
            r->body_end - r->at - 3, TRACE_NEW_RECORD);
    switch (r->ev) {
    case TRACE_EV_BATCH:
        if (r->top != 1)
            trace_file_problem(f, TRACE_WARNING, off, "batch-args",
                "Batch with a length field: Go's newer readers refuse it");
        return begin_batch(x, off, next, r->vals[0], r->vals[old ? 2 : 1],
            old ? r->vals[1] : 0);
    case TRACE_EV_FREQUENCY:
        set_freq(x, r->vals[0], off);
        return true;
    case TRACE_EV_STRING:
        return add_string(x, r, off);
    case TRACE_EV_STACK:
        return add_stack(x, r);
    case TRACE_EV_TIMER_GOROUTINE:
        return true;
    default:
        return add_event(x, r, off);
    }
}

/* Takes common records from p on; returns where the others begin. */
static const uint8_t *
walk_common(struct indexer *x, const uint8_t *p, const uint8_t *end)
{
    struct trace_file *f = x->f;
    const uint8_t *next;
    uint64_t ts = x->ts, min = f->min_ts, max = f->max_ts, dt;

    while (p < end && (next = trace_skim(&f->forms, p, end, &dt)) != NULL) {
        unsigned ev = *p & 0x3f;

        rt_assert(next > p && next <= end);
        f->records[ev]++;
        f->bytes[ev] += (uint64_t)(next - p);
        ts += dt;
        min = ts < min ? ts : min;
        max = ts > max ? ts : max;
        x->others = true;
        p = next;
    }
    x->ts = ts;
    f->min_ts = min;
    f->max_ts = max;
    return p;
}

static enum rt_status
walk(struct indexer *x)
{
    struct trace_file *f = x->f;
    const uint8_t *p = f->data + HEADER, *end = f->data + f->size;
    struct trace_record r;
    char why[128];

    while (p < end) {
        uint64_t off = (uint64_t)(p - f->data);
        enum trace_decode d = trace_decode(p, end, f->version, &r, why);

        if (d != TRACE_DECODE_OK) {
            f->cut_at = off;
            end_batch(x, off);
            if (d == TRACE_DECODE_BAD)
                trace_file_problem(f, TRACE_ERROR, off, r.rule, "%s", why);
            else
                trace_file_problem(f, TRACE_WARNING, off, "cut",
                    "the file ends within a record: %llu of %llu bytes are "
                    "readable", (unsigned long long)off,
                    (unsigned long long)f->size);
            break;
        }
        rt_assert(r.at == p && r.next > p && r.next <= end);
        f->records[r.ev]++;
        f->bytes[r.ev] += (uint64_t)(r.next - r.at);
        if (!add_record(x, &r))
            return RT_ENOMEM;
        p = r.next;
        if (x->ps != NULL && !x->samples)
            p = walk_common(x, p, end - p > AT_ONCE ? p + AT_ONCE : end);
        if (off - f->window >= TRACE_WINDOW)
            trace_file_window(f, off);
    }
    if (f->cut_at == UINT64_MAX)
        end_batch(x, f->size);
    trace_moved_end(&f->exits);
    trace_moved_end(&f->samples);
    return RT_OK;
}

/* All records are counted; which of them are events? */
static void
count_events(struct trace_file *f)
{
    unsigned ev;

    for (ev = 1; ev < TRACE_EV_COUNT; ev++) {
        if (ev == TRACE_EV_BATCH || trace_ev_is_table(ev))
            continue;
        f->count[ev] = f->records[ev];
        f->nevents += f->records[ev];
    }
}

/* ---- the header */

/* One number of a protocol buffer, of at most 64 bits; false: none is there. */
static bool
proto_number(const uint8_t *p, uint64_t n, uint64_t *at, uint64_t *v)
{
    unsigned shift = 0;

    for (*v = 0; *at < n && shift < 64; shift += 7) {
        uint8_t b = p[(*at)++];

        *v |= (uint64_t)(b & 0x7f) << shift;
        if (b < 0x80)
            return true;
    }
    return false;
}

/* A profile in pprof's format, as far as its first fields show: each has a
 * number and a form that such a message may have. */
static bool
is_profile(const uint8_t *p, uint64_t n)
{
    enum { ENOUGH = 3, NUMBERS = 0xf780, BYTES = 0x287e };
    uint64_t at = 0, key, v;
    unsigned fields = 0;

    while (at < n && fields < ENOUGH) {
        if (!proto_number(p, n, &at, &key) || key >= 16 << 3)
            return false;
        bool bytes = (key & 7) == 2;

        if ((key & 7) != 0 && !bytes)
            return false;
        if (((bytes ? BYTES : NUMBERS) >> (key >> 3) & 1) == 0 ||
            !proto_number(p, n, &at, &v) || (bytes && v > n - at))
            return false;
        at += bytes ? v : 0;
        fields++;
    }
    return fields >= ENOUGH;
}

static enum rt_status
parse_header(struct trace_file *f, struct rt_err *e)
{
    char text[HEADER + 1] = "";
    int minor = 0, used = 0;
    size_t i;

    if (f->size == 0)
        return rt_errf(e, RT_EFORMAT, 0, "not a trace: the file is empty");
    memcpy(text, f->data, f->size < HEADER ? f->size : HEADER);
    if (is_profile(f->data, f->size))
        return rt_errf(e, RT_EFORMAT, 0,
            "this is a profile, not a trace: vole prof reads it");
    if (sscanf(text, "go 1.%2d trace%n", &minor, &used) != 1 || used == 0)
        return rt_errf(e, RT_EFORMAT, 0, "not a Go execution trace");
    if (f->size < HEADER)
        return rt_errf(e, RT_EFORMAT, f->size,
            "the file ends within the header");
    for (i = (size_t)used; i < HEADER; i++) {
        if (text[i] != '\0')
            return rt_errf(e, RT_EFORMAT, i, "not a Go execution trace");
    }
    for (i = 0; i < sizeof versions / sizeof *versions; i++) {
        if (versions[i] == minor) {
            f->version = minor;
            return RT_OK;
        }
    }
    return rt_errf(e, RT_EFORMAT, 0, "unsupported trace file version 1.%d",
        minor);
}

static void
check_whole(struct trace_file *f)
{
    if (f->nevents == 0)
        trace_file_problem(f, TRACE_ERROR, f->size, "empty",
            "trace is empty: it has no events");
    if (f->v2 != NULL || f->nevents == 0)
        return;
    if (!f->freq_known && f->cut_at != UINT64_MAX)
        trace_file_problem(f, TRACE_WARNING, f->cut_at, "frequency",
            "the file is cut before its Frequency: a tick is taken for a "
            "nanosecond");
    else if (!f->freq_known && f->nerrors == 0)
        trace_file_problem(f, TRACE_ERROR, f->size, "frequency",
            "no Frequency event");
}

static enum rt_status
index_file(struct trace_file *f, const struct trace_open *opt,
    struct rt_err *e)
{
    struct indexer x = {.f = f};
    enum rt_status st;

    f->cut_at = UINT64_MAX;
    f->freq = 1e9;
    f->min_ts = UINT64_MAX;
    if (opt != NULL) {
        f->problem = opt->problem;
        f->problem_arg = opt->arg;
        f->progress = opt->progress;
        f->progress_arg = opt->arg;
    }
    st = parse_header(f, e);
    if (st != RT_OK)
        return st;
    trace_forms_init(&f->forms, f->version);
    st = f->version >= V2_FIRST ? v2_index(f) : walk(&x);
    if (f->version < V2_FIRST)
        count_events(f);
    f->window = 0;
    f->progress = NULL;
    if (st != RT_OK)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    check_whole(f);
    if (f->nevents == 0)
        f->min_ts = 0;
    rt_assert(f->freq > 0);
    rt_assert_full(trace_file_valid(f));
    if (f->nerrors > 0 && (opt == NULL || !opt->keep_going)) {
        if (e != NULL)
            *e = f->first;
        return RT_EFORMAT;
    }
    return RT_OK;
}

/* ---- open, close */

static enum rt_status
finish_open(struct trace_file **out, struct trace_file *f, enum rt_status st,
    const struct trace_open *opt, struct rt_err *e)
{
    if (st == RT_OK)
        st = index_file(f, opt, e);
    if (st != RT_OK) {
        trace_file_close(f);
        return st;
    }
    *out = f;
    return RT_OK;
}

enum rt_status
trace_file_open_mem(struct trace_file **out, const void *data, size_t size,
    const struct trace_open *opt, struct rt_err *e)
{
    struct trace_file *f = calloc(1, sizeof *f);

    if (f == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    f->data = data;
    f->size = size;
    return finish_open(out, f, RT_OK, opt, e);
}

enum rt_status
trace_file_open(struct trace_file **out, const char *path,
    const struct trace_open *opt, struct rt_err *e)
{
    struct trace_file *f = calloc(1, sizeof *f);
    enum rt_status st;
    struct stat sb;
    int fd = -1;

    if (f == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    if (strcmp(path, "-") == 0) {
        path = "standard input";
        if (fstat(0, &sb) == 0 && S_ISREG(sb.st_mode) &&
            lseek(0, 0, SEEK_CUR) == 0) {
            st = load(f, 0, path, e);
        } else if ((st = spool(0, path, &fd, e)) == RT_OK) {
            lseek(fd, 0, SEEK_SET);
            st = load(f, fd, path, e);
            close(fd);
        }
    } else {
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            free(f);
            return rt_err_os(e, errno, "%s", path);
        }
        st = load(f, fd, path, e);
        close(fd);
    }
    return finish_open(out, f, st, opt, e);
}

void
trace_file_close(struct trace_file *f)
{
    uint64_t i;

    if (f == NULL)
        return;
    release(f);
    for (i = 0; i < f->pmap.count && i < f->nps_cap; i++)
        free(f->ps[i].batches);
    free(f->ps);
    free(f->strings);
    free(f->stacks);
    trace_moved_free(&f->exits);
    trace_moved_free(&f->samples);
    trace_idmap_free(&f->pmap);
    trace_idmap_free(&f->strmap);
    trace_idmap_free(&f->stackmap);
    v2_close(f->v2);
    free(f);
}

/* ---- what an index must be */

static bool
text_within(const struct trace_file *f, struct trace_text t)
{
    const char *data = (const char *)f->data;

    return t.s >= data && t.len <= f->size &&
        (uint64_t)(t.s - data) <= f->size - t.len;
}

/* Batches follow each other; returns how many, -1 where they do not. */
static int64_t
stream_valid(const struct trace_file *f, const struct trace_pstream *s)
{
    uint64_t i, last = HEADER;

    for (i = 0; i < s->nbatches; i++) {
        const struct trace_batch *b = &s->batches[i];

        if (b->off < last || b->end < b->off || b->end > f->size)
            return -1;
        last = b->end;
    }
    return s->nbatches > s->cap ? -1 : (int64_t)i;
}

static bool
first_family_valid(const struct trace_file *f)
{
    uint64_t batches = 0, bytes = HEADER, i;
    int64_t n;

    if (f->pmap.count > f->nps_cap || f->strmap.count != f->nstrings ||
        f->stackmap.count != f->nstacks)
        return false;
    for (i = 0; i < f->pmap.count; i++) {
        n = stream_valid(f, &f->ps[i]);
        if (n < 0)
            return false;
        batches += (uint64_t)n;
    }
    for (i = 0; i < f->nstacks; i++) {
        const struct trace_stackref *s = &f->stacks[i];

        if (s->len > f->size || s->off > f->size - s->len ||
            s->n > TRACE_MAX_FRAMES || s->n > s->len)
            return false;
    }
    for (i = 0; i < TRACE_EV_COUNT; i++)
        bytes += f->bytes[i];
    return batches == f->nbatches &&
        bytes == (f->cut_at < f->size ? f->cut_at : f->size) &&
        trace_idmap_valid(&f->pmap) && trace_idmap_valid(&f->strmap) &&
        trace_idmap_valid(&f->stackmap) && trace_moved_valid(&f->exits) &&
        trace_moved_valid(&f->samples);
}

bool
trace_file_valid(const struct trace_file *f)
{
    uint64_t i;

    if (f->nstrings > f->strings_cap ||
        (f->cut_at != UINT64_MAX && f->cut_at > f->size) ||
        (f->v2 == NULL && f->nevents > 0 && f->min_ts > f->max_ts))
        return false;
    for (i = 0; i < f->nstrings; i++) {
        if (!text_within(f, f->strings[i]))
            return false;
    }
    return f->v2 != NULL ? v2_file_valid(f) : first_family_valid(f);
}

/* ---- look-ups */

struct trace_text
trace_file_string(const struct trace_file *f, uint64_t id)
{
    struct trace_text none = {"", 0};
    int64_t i = id == 0 ? -1 : trace_idmap_get(&f->strmap, id);

    if (f->v2 != NULL)
        return id == 0 || id > f->nstrings ? none : f->strings[id - 1];
    return i < 0 ? none : f->strings[i];
}

bool
trace_file_has_stack(const struct trace_file *f, uint64_t id)
{
    if (f->v2 != NULL)
        return id != 0 && id <= f->nstacks;
    return id != 0 && trace_idmap_get(&f->stackmap, id) >= 0;
}

static uint32_t
v2_stack(const struct trace_file *f, uint64_t id,
    struct trace_rframe *frames, uint32_t max)
{
    const struct v2_stack *st;
    uint32_t i;

    if (id == 0 || id > f->nstacks)
        return 0;
    st = &f->v2->stacks[id - 1];
    rt_assert(st->first + st->n <= f->v2->nframes);
    for (i = 0; i < st->n && i < max; i++) {
        const struct v2_frame *fr = &f->v2->frames[st->first + i];

        frames[i].pc = fr->pc;
        frames[i].func = trace_file_string(f, fr->func);
        frames[i].file = trace_file_string(f, fr->file);
        frames[i].line = fr->line;
    }
    return st->n;
}

uint32_t
trace_file_stack(const struct trace_file *f, uint64_t id,
    struct trace_rframe *frames, uint32_t max)
{
    int64_t i = id == 0 ? -1 : trace_idmap_get(&f->stackmap, id);
    const struct trace_stackref *st;
    const uint8_t *p, *end;
    uint64_t v[4] = {0};
    uint32_t n, k, per = f->version < 7 ? 1 : 4;

    if (f->v2 != NULL)
        return v2_stack(f, id, frames, max);
    if (i < 0)
        return 0;
    st = &f->stacks[i];
    rt_assert(st->off + st->len <= f->size && st->n <= TRACE_MAX_FRAMES);
    p = f->data + st->off;
    end = p + st->len;
    for (n = 0; n < st->n && n < max; n++) {
        for (k = 0; k < per; k++)
            p = rt_varint_get(p, end, &v[k]);
        frames[n].pc = v[0];
        frames[n].func = trace_file_string(f, v[1]);
        frames[n].file = trace_file_string(f, v[2]);
        frames[n].line = v[3];
    }
    return st->n;
}

int64_t
trace_file_ns(const struct trace_file *f, uint64_t ts)
{
    double ns;

    if (f->v2 != NULL && f->v2->ngens > 0) {
        uint64_t t = v2_ns(f->v2->gens[0].mul, ts);

        return t <= f->v2->t0 ? 0 : (int64_t)(t - f->v2->t0);
    }
    if (ts <= f->min_ts)
        return 0;
    ns = (double)(ts - f->min_ts) * 1e9 / f->freq;
    return ns >= 9e18 ? INT64_C(9000000000000000000) : (int64_t)ns;
}
