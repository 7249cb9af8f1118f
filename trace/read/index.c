/* SPDX-License-Identifier: MIT */
/*
 * The index of a file of the first family: one walk over all records, which
 * checks each and notes where batches, strings and stacks are, and which
 * events have their place elsewhere than in their P's stream.
 */
#include "runtime/base/throw.h"
#include "trace/read/file_int.h"
#include "trace/read/v2.h"

enum {
    MAX_P = INT32_MAX,
    AT_ONCE = 1 << 20 /* bytes between looks at the window */
};

struct indexer {
    struct trace_file *f;
    struct trace_pstream *ps; /* NULL before the first Batch */
    uint64_t ts, seq;
    bool samples, others;     /* kinds of events in this batch */
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

/* Whether vole has been killed while it wrote what begins at p, of which the
 * first byte comes last (Note [a pass is written whole] in
 * trace/record/drain.c): the tick's batch of no processor, without its type. */
static bool
was_to_come(const uint8_t *p, const uint8_t *end)
{
    static const uint8_t none[] = {
        0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1};
    size_t n = (size_t)(end - p) < sizeof none ? (size_t)(end - p)
        : sizeof none;

    return n > 1 && memcmp(p, none, n) == 0;
}

/* The file is read up to p, where decoding has ended with d. */
static void
end_early(struct trace_file *f, const uint8_t *p, enum trace_decode d,
    const char *rule, const char *why)
{
    uint64_t off = (uint64_t)(p - f->data);

    f->cut_at = off;
    if (was_to_come(p, f->data + f->size))
        trace_file_problem(f, TRACE_WARNING, off, "cut", "what follows was "
            "being written when the program was killed, or still is: %llu of "
            "%llu bytes are readable",
            (unsigned long long)off, (unsigned long long)f->size);
    else if (d == TRACE_DECODE_BAD)
        trace_file_problem(f, TRACE_ERROR, off, rule, "%s", why);
    else
        trace_file_problem(f, TRACE_WARNING, off, "cut",
            "the file ends within a record: %llu of %llu bytes are readable",
            (unsigned long long)off, (unsigned long long)f->size);
}

static enum rt_status
walk(struct indexer *x)
{
    struct trace_file *f = x->f;
    const uint8_t *p = f->data + TRACE_HEADER, *end = f->data + f->size;
    struct trace_record r;
    char why[128];

    while (p < end) {
        uint64_t off = (uint64_t)(p - f->data);
        enum trace_decode d = trace_decode(p, end, f->version, &r, why);

        if (d != TRACE_DECODE_OK) {
            end_batch(x, off);
            end_early(f, p, d, r.rule, why);
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

enum rt_status
trace_index(struct trace_file *f)
{
    struct indexer x = {.f = f};
    enum rt_status st;

    rt_assert(f->version < V2_FIRST && f->size >= TRACE_HEADER);
    trace_forms_init(&f->forms, f->version);
    st = walk(&x);
    if (st == RT_OK)
        count_events(f);
    return st;
}

/* ---- what an index must be */

/* Batches follow each other; returns how many, -1 where they do not. */
static int64_t
stream_valid(const struct trace_file *f, const struct trace_pstream *s)
{
    uint64_t i, last = TRACE_HEADER;

    for (i = 0; i < s->nbatches; i++) {
        const struct trace_batch *b = &s->batches[i];

        if (b->off < last || b->end < b->off || b->end > f->size)
            return -1;
        last = b->end;
    }
    return s->nbatches > s->cap ? -1 : (int64_t)i;
}

bool
trace_index_valid(const struct trace_file *f)
{
    uint64_t batches = 0, bytes = TRACE_HEADER, i;
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
