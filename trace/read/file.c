/* SPDX-License-Identifier: MIT */
#include "trace/read/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"
#include "runtime/base/varint.h"
#include "trace/read/file_int.h"
#include "trace/read/v2.h"

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
    char text[TRACE_HEADER + 1] = "";
    int minor = 0, used = 0;
    size_t i;

    if (f->size == 0)
        return rt_errf(e, RT_EFORMAT, 0, "not a trace: the file is empty");
    memcpy(text, f->data, f->size < TRACE_HEADER ? f->size : TRACE_HEADER);
    if (is_profile(f->data, f->size))
        return rt_errf(e, RT_EFORMAT, 0,
            "this is a profile, not a trace: vole prof reads it");
    if (sscanf(text, "go 1.%2d trace%n", &minor, &used) != 1 || used == 0)
        return rt_errf(e, RT_EFORMAT, 0, "not a Go execution trace");
    if (f->size < TRACE_HEADER)
        return rt_errf(e, RT_EFORMAT, f->size,
            "the file ends within the header");
    for (i = (size_t)used; i < TRACE_HEADER; i++) {
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
    st = f->version >= V2_FIRST ? v2_index(f) : trace_index(f);
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

    if (f == NULL)
        return rt_errf(e, RT_ENOMEM, UINT64_MAX, "out of memory");
    return finish_open(out, f, trace_load(f, path, e), opt, e);
}

void
trace_file_close(struct trace_file *f)
{
    uint64_t i;

    if (f == NULL)
        return;
    trace_unload(f);
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
    return f->v2 != NULL ? v2_file_valid(f) : trace_index_valid(f);
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
