/* SPDX-License-Identifier: MIT */
/*
 * The builder of profile.proto.  Samples, locations and functions are written
 * as they come; strings last, when all of them are known.
 */
#include "profile/wire/pprof.h"

#include <stdlib.h>
#include <string.h>

#include "profile/wire/pb.h"
#include "runtime/base/hash.h"
#include "runtime/base/throw.h"

/* Field numbers. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_DROP = 7,
    PROFILE_KEEP = 8,
    PROFILE_TIME = 9,
    PROFILE_DURATION = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_TYPE = 14,
    VALUE_TYPE = 1,
    VALUE_UNIT = 2,
    SAMPLE_LOCATION = 1,
    SAMPLE_VALUE = 2,
    SAMPLE_LABEL = 3,
    LABEL_KEY = 1,
    LABEL_STR = 2,
    LABEL_NUM = 3,
    LABEL_UNIT = 4,
    MAPPING_ID = 1,
    MAPPING_START = 2,
    MAPPING_LIMIT = 3,
    MAPPING_FILE = 5,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILES = 8,
    MAPPING_HAS_LINES = 9,
    MAPPING_HAS_INLINE = 10,
    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4,
    LINE_FUNCTION = 1,
    LINE_LINE = 2,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILE = 4,
    FUNCTION_START = 5
};

/* A hash table from keys to numbers from 1 on, in order of insertion. */
struct table {
    uint64_t *hash; /* 0: empty */
    uint64_t *val;  /* number, and what it stands for: see the users */
    uint32_t n, cap;
};

struct string {
    const char *s; /* a copy */
    size_t n;
};

struct function {
    uint64_t name, file; /* numbers of strings */
};

struct wire_pprof {
    const struct wire_syms *syms;
    struct wire_buf out;      /* the message so far */
    uint64_t seed;            /* of the hashes of strings */
    struct table strings, locations, functions;
    struct string *string;    /* by number - 0 is "" */
    uint32_t string_cap;
    uint64_t *location;       /* pcs by number - 1 */
    uint32_t location_cap;
    struct function *function; /* by number - 1 */
    uint32_t function_cap;
    uint64_t *ids;            /* of the sample at hand */
    uint32_t ids_cap;
    bool failed;              /* memory was out */
};

/* ---- tables ------------------------------------------------------------- */

static bool
grow(void **v, uint32_t *cap, uint32_t need, size_t size)
{
    uint32_t c = *cap == 0 ? 64 : *cap;

    rt_assert(need <= 1u << 31);
    while (c < need)
        c *= 2;
    if (c == *cap)
        return true;
    void *p = realloc(*v, c * size);
    if (p == NULL)
        return false;
    *v = p;
    *cap = c;
    return true;
}

static bool
table_grow(struct table *t)
{
    struct table old = *t;
    uint32_t cap = old.cap == 0 ? 128 : old.cap * 2;

    t->hash = calloc(cap, sizeof *t->hash);
    t->val = calloc(cap, sizeof *t->val);
    if (t->hash == NULL || t->val == NULL) {
        free(t->hash);
        free(t->val);
        *t = old;
        return false;
    }
    t->cap = cap;
    for (uint32_t i = 0; i < old.cap; i++) {
        uint32_t k = (uint32_t)old.hash[i] & (cap - 1);

        if (old.hash[i] == 0)
            continue;
        while (t->hash[k] != 0)
            k = (k + 1) & (cap - 1);
        t->hash[k] = old.hash[i];
        t->val[k] = old.val[i];
    }
    free(old.hash);
    free(old.val);
    return true;
}

/* The place of the hash (never 0) from *k on: its number, or 0 where the
 * chain ends; *k is then where it belongs. */
static uint64_t
table_next(const struct table *t, uint64_t hash, uint32_t *k)
{
    rt_assert(*k < t->cap && t->n < t->cap && hash != 0);
    while (t->hash[*k] != 0 && t->hash[*k] != hash)
        *k = (*k + 1) & (t->cap - 1);
    return t->hash[*k] == 0 ? 0 : t->val[*k];
}

static bool
table_ready(struct table *t)
{
    return t->n + 1 < t->cap / 2 || table_grow(t);
}

static uint64_t
table_add(struct table *t, uint64_t hash, uint32_t k)
{
    rt_assert(t->hash[k] == 0 && hash != 0);
    t->hash[k] = hash;
    t->val[k] = ++t->n;
    return t->n;
}

static void
table_free(struct table *t)
{
    free(t->hash);
    free(t->val);
}

/* ---- strings --------------------------------------------------------------- */

static bool
string_put(struct wire_pprof *w, uint64_t id, const char *s, size_t n)
{
    if (!grow((void **)&w->string, &w->string_cap, (uint32_t)id + 1,
            sizeof *w->string))
        return false;
    char *copy = malloc(n + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, s, n + 1);
    w->string[id] = (struct string){ copy, n };
    return true;
}

/* The number of a string; "" is 0. */
static uint64_t
str(struct wire_pprof *w, const char *s)
{
    size_t n = s == NULL ? 0 : strlen(s);
    uint64_t h = rt_hash_foreign(s, n, w->seed) | 1, id;

    if (n == 0 || w->failed)
        return 0;
    if (!table_ready(&w->strings)) {
        w->failed = true;
        return 0;
    }
    uint32_t k = (uint32_t)h & (w->strings.cap - 1);
    while ((id = table_next(&w->strings, h, &k)) != 0) {
        if (w->string[id].n == n && memcmp(w->string[id].s, s, n) == 0)
            return id;
        k = (k + 1) & (w->strings.cap - 1);
    }
    if (!string_put(w, w->strings.n + 1, s, n)) {
        w->failed = true;
        return 0;
    }
    return table_add(&w->strings, h, k);
}

/* ---- functions and locations -------------------------------------------------- */

static void
write_function(struct wire_pprof *w, uint64_t id, const struct function *f,
    const struct wire_frame *fr)
{
    size_t at = wire_pb_begin(&w->out, PROFILE_FUNCTION);

    wire_pb_u64(&w->out, FUNCTION_ID, id);
    wire_pb_u64(&w->out, FUNCTION_NAME, f->name);
    wire_pb_u64(&w->out, FUNCTION_SYSTEM_NAME, f->name);
    wire_pb_u64(&w->out, FUNCTION_FILE, f->file);
    wire_pb_u64(&w->out, FUNCTION_START, fr->start_line);
    wire_pb_end(&w->out, at);
}

static uint64_t
function(struct wire_pprof *w, const struct wire_frame *fr)
{
    struct function f = { str(w, fr->func), str(w, fr->file) };
    uint64_t h = rt_hash_mix(f.name ^ RT_HASH_K0, f.file ^ RT_HASH_K1) | 1;
    uint64_t id;

    if (w->failed || !table_ready(&w->functions) ||
        !grow((void **)&w->function, &w->function_cap, w->functions.n + 1,
            sizeof *w->function)) {
        w->failed = true;
        return 0;
    }
    uint32_t k = (uint32_t)h & (w->functions.cap - 1);
    while ((id = table_next(&w->functions, h, &k)) != 0) {
        if (w->function[id - 1].name == f.name &&
            w->function[id - 1].file == f.file)
            return id;
        k = (k + 1) & (w->functions.cap - 1);
    }
    id = table_add(&w->functions, h, k);
    w->function[id - 1] = f;
    write_function(w, id, &f, fr);
    return id;
}

static void
write_location(struct wire_pprof *w, uint64_t id, uint64_t pc)
{
    struct wire_frame f = { .addr = pc };
    bool known = w->syms->symbolize(w->syms->arg, pc, &f);
    uint64_t func = known ? function(w, &f) : 0;

    size_t at = wire_pb_begin(&w->out, PROFILE_LOCATION);
    wire_pb_u64(&w->out, LOCATION_ID, id);
    wire_pb_u64(&w->out, LOCATION_MAPPING, 1);
    wire_pb_u64(&w->out, LOCATION_ADDRESS, f.addr);
    if (func != 0) {
        size_t line = wire_pb_begin(&w->out, LOCATION_LINE);
        wire_pb_u64(&w->out, LINE_FUNCTION, func);
        wire_pb_u64(&w->out, LINE_LINE, f.line);
        wire_pb_end(&w->out, line);
    }
    wire_pb_end(&w->out, at);
}

static uint64_t
location(struct wire_pprof *w, uint64_t pc)
{
    uint64_t h = rt_hash_u64(pc, RT_HASH_K2) | 1, id;

    if (w->failed || !table_ready(&w->locations) ||
        !grow((void **)&w->location, &w->location_cap, w->locations.n + 1,
            sizeof *w->location)) {
        w->failed = true;
        return 0;
    }
    uint32_t k = (uint32_t)h & (w->locations.cap - 1);
    while ((id = table_next(&w->locations, h, &k)) != 0) {
        if (w->location[id - 1] == pc)
            return id;
        k = (k + 1) & (w->locations.cap - 1);
    }
    id = table_add(&w->locations, h, k);
    w->location[id - 1] = pc;
    write_location(w, id, pc);
    return id;
}

/* ---- what the profile as a whole says --------------------------------------------- */

struct wire_pprof *
wire_pprof_new(const struct wire_syms *syms)
{
    struct wire_pprof *w = calloc(1, sizeof *w);

    if (w != NULL) {
        w->syms = syms;
        w->seed = rt_hash_seed(w);
    }
    return w;
}

void
wire_pprof_free(struct wire_pprof *w)
{
    if (w == NULL)
        return;
    for (uint32_t i = 1; i <= w->strings.n; i++)
        free((void *)(uintptr_t)w->string[i].s);
    table_free(&w->strings);
    table_free(&w->locations);
    table_free(&w->functions);
    wire_buf_free(&w->out);
    free(w->string);
    free(w->location);
    free(w->function);
    free(w->ids);
    free(w);
}

static void
value_type(
    struct wire_pprof *w, uint32_t field, const char *type, const char *unit)
{
    size_t at = wire_pb_begin(&w->out, field);

    wire_pb_u64(&w->out, VALUE_TYPE, str(w, type));
    wire_pb_u64(&w->out, VALUE_UNIT, str(w, unit));
    wire_pb_end(&w->out, at);
}

void
wire_pprof_sample_type(
    struct wire_pprof *w, const char *type, const char *unit)
{
    value_type(w, PROFILE_SAMPLE_TYPE, type, unit);
}

void
wire_pprof_period(struct wire_pprof *w, const char *type, const char *unit,
    int64_t period)
{
    value_type(w, PROFILE_PERIOD_TYPE, type, unit);
    wire_pb_i64(&w->out, PROFILE_PERIOD, period);
}

void
wire_pprof_default_type(struct wire_pprof *w, const char *type)
{
    wire_pb_u64(&w->out, PROFILE_DEFAULT_TYPE, str(w, type));
}

void
wire_pprof_time(struct wire_pprof *w, int64_t ns, int64_t duration_ns)
{
    wire_pb_i64(&w->out, PROFILE_TIME, ns);
    wire_pb_i64(&w->out, PROFILE_DURATION, duration_ns);
}

/* ---- samples --------------------------------------------------------------------- */

static void
label(struct wire_pprof *w, const struct wire_label *l)
{
    size_t at = wire_pb_begin(&w->out, SAMPLE_LABEL);

    wire_pb_u64(&w->out, LABEL_KEY, str(w, l->key));
    if (l->str != NULL) {
        wire_pb_u64(&w->out, LABEL_STR, str(w, l->str));
    } else {
        wire_pb_i64(&w->out, LABEL_NUM, l->num);
        wire_pb_u64(&w->out, LABEL_UNIT, str(w, l->unit));
    }
    wire_pb_end(&w->out, at);
}

void
wire_pprof_sample(struct wire_pprof *w, const int64_t *values,
    uint32_t nvalues, const uint64_t *pcs, uint32_t npcs,
    const struct wire_label *labels, uint32_t nlabels)
{
    if (w->failed ||
        !grow((void **)&w->ids, &w->ids_cap, npcs + 1, sizeof *w->ids)) {
        w->failed = true;
        return;
    }
    /* Locations and functions are messages of their own: first. */
    for (uint32_t i = 0; i < npcs; i++)
        w->ids[i] = location(w, pcs[i]);
    size_t at = wire_pb_begin(&w->out, PROFILE_SAMPLE);
    wire_pb_packed_u64(&w->out, SAMPLE_LOCATION, w->ids, npcs);
    wire_pb_packed_i64(&w->out, SAMPLE_VALUE, values, nvalues);
    for (uint32_t i = 0; i < nlabels; i++)
        label(w, &labels[i]);
    wire_pb_end(&w->out, at);
}

/* ---- the end ---------------------------------------------------------------------- */

/* One mapping for everything, complete: pprof looks for no binary. */
static void
write_mapping(struct wire_pprof *w)
{
    uint64_t file = str(w, w->syms->program);
    size_t at = wire_pb_begin(&w->out, PROFILE_MAPPING);

    wire_pb_u64(&w->out, MAPPING_ID, 1);
    wire_pb_u64(&w->out, MAPPING_LIMIT, UINT64_MAX);
    wire_pb_u64(&w->out, MAPPING_FILE, file);
    wire_pb_bool(&w->out, MAPPING_HAS_FUNCTIONS, true);
    wire_pb_bool(&w->out, MAPPING_HAS_FILES, true);
    wire_pb_bool(&w->out, MAPPING_HAS_LINES, true);
    wire_pb_bool(&w->out, MAPPING_HAS_INLINE, true);
    wire_pb_end(&w->out, at);
}

enum rt_status
wire_pprof_finish(struct wire_pprof *w, const struct wire_sink *sink)
{
    struct wire_buf z = { 0 };
    enum rt_status st;

    write_mapping(w);
    wire_pb_bytes(&w->out, PROFILE_STRING, "", 0);
    for (uint32_t i = 1; i <= w->strings.n && !w->failed; i++)
        wire_pb_bytes(
            &w->out, PROFILE_STRING, w->string[i].s, w->string[i].n);
    if (w->failed || w->out.failed)
        return RT_ENOMEM;
    st = wire_gzip(&z, w->out.data, w->out.n);
    if (st == RT_OK && !sink->write(sink->arg, z.data, z.n))
        st = RT_EIO;
    wire_buf_free(&z);
    return st;
}
