/* SPDX-License-Identifier: MIT */
/* Profiles of waits.  A word of a stack is the number of a frame in a table
 * of all frames; so functions whose addresses are the same, or 0, stay
 * apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/wire/pprof.h"
#include "runtime/base/hash.h"
#include "runtime/base/throw.h"
#include "trace/analyze/waits.h"

struct frames {
    struct trace_rframe *a;
    char **names;       /* function and file of each, NUL-terminated */
    uint64_t n, cap, names_cap;
    uint64_t seed;      /* of the hashes */
    uint32_t *slots;    /* open addressing; index + 1 */
    uint64_t nslots;
    struct trace_rframe *stack;
    uint64_t *words;
};

static void
free_frames(struct frames *t)
{
    uint64_t i;

    for (i = 0; i < 2 * t->n; i++)
        free(t->names[i]);
    free(t->a);
    free(t->names);
    free(t->slots);
    free(t->stack);
    free(t->words);
}

static char *
text(struct trace_text t)
{
    return strndup(t.s, t.len);
}

static bool
same_frame(const struct trace_rframe *a, const struct trace_rframe *b)
{
    return a->pc == b->pc && a->line == b->line &&
        a->func.len == b->func.len &&
        memcmp(a->func.s, b->func.s, a->func.len) == 0 &&
        a->file.len == b->file.len &&
        memcmp(a->file.s, b->file.s, a->file.len) == 0;
}

/* Of all that same_frame() looks at: in some files all addresses are 0. */
static uint64_t
hash(const struct frames *t, const struct trace_rframe *fr)
{
    uint64_t h = rt_hash_u64(fr->pc, t->seed);

    h = rt_hash_u64(h ^ fr->line, t->seed);
    h ^= rt_hash_foreign(fr->func.s, fr->func.len, t->seed);
    h = rt_hash_u64(h, t->seed);
    return rt_hash_u64(h ^ rt_hash_foreign(fr->file.s, fr->file.len, t->seed),
        t->seed);
}

static bool
more_slots(struct frames *t)
{
    uint64_t n = t->nslots == 0 ? 1024 : t->nslots * 2, i, k;
    uint32_t *slots = calloc(n, sizeof *slots);

    if (slots == NULL || t->n > UINT32_MAX / 2) {
        free(slots);
        return false;
    }
    for (i = 0; i < t->n; i++) {
        for (k = hash(t, &t->a[i]) & (n - 1); slots[k] != 0;)
            k = (k + 1) & (n - 1);
        slots[k] = (uint32_t)i + 1;
    }
    free(t->slots);
    t->slots = slots;
    t->nslots = n;
    return true;
}

/* The number of a frame; false: no memory. */
static bool
intern(struct frames *t, const struct trace_rframe *fr, uint64_t *word)
{
    uint64_t k, i = t->n;

    if (t->n * 2 >= t->nslots && !more_slots(t))
        return false;
    rt_assert(t->n < t->nslots); /* else the search does not end */
    for (k = hash(t, fr) & (t->nslots - 1); t->slots[k] != 0;
         k = (k + 1) & (t->nslots - 1)) {
        if (same_frame(&t->a[t->slots[k] - 1], fr)) {
            *word = t->slots[k] - 1;
            return true;
        }
    }
    if (!trace_grow(&t->a, &t->cap, i, sizeof *t->a) ||
        !trace_grow(&t->names, &t->names_cap, 2 * i + 1, sizeof *t->names))
        return false;
    t->a[i] = *fr;
    t->names[2 * i] = text(fr->func);
    t->names[2 * i + 1] = text(fr->file);
    t->n++;
    t->slots[k] = (uint32_t)i + 1;
    *word = i;
    return t->names[2 * i] != NULL && t->names[2 * i + 1] != NULL;
}

static bool
symbolize(void *arg, uint64_t word, struct wire_frame *out)
{
    const struct frames *t = arg;
    const struct trace_rframe *fr = &t->a[word];

    rt_assert(word < t->n);
    memset(out, 0, sizeof *out);
    out->addr = fr->pc;
    out->func = t->names[2 * word];
    out->file = t->names[2 * word + 1];
    out->line = (uint32_t)fr->line;
    return fr->func.len != 0;
}

static bool
add_site(const struct trace_waits *w, struct frames *t, struct wire_pprof *pp,
    const struct trace_site *x)
{
    const int64_t values[2] = {(int64_t)x->n, x->ns};
    uint32_t i, n;

    n = trace_file_stack(w->f, x->stack, t->stack, TRACE_MAX_FRAMES);
    if (n > TRACE_MAX_FRAMES)
        n = TRACE_MAX_FRAMES;
    for (i = 0; i < n; i++) {
        if (!intern(t, &t->stack[i], &t->words[i]))
            return false;
    }
    wire_pprof_sample(pp, values, 2, t->words, n, NULL, 0);
    return true;
}

enum rt_status
trace_waits_pprof(const struct trace_waits *w, const struct wire_sink *sink)
{
    struct frames t = {.seed = rt_hash_seed(w)};
    const struct wire_syms syms = {symbolize, &t, ""};
    struct wire_pprof *pp = wire_pprof_new(&syms);
    enum rt_status st = RT_ENOMEM;
    uint64_t i;

    t.stack = malloc(TRACE_MAX_FRAMES * sizeof *t.stack);
    t.words = malloc(TRACE_MAX_FRAMES * sizeof *t.words);
    if (pp == NULL || t.stack == NULL || t.words == NULL)
        goto out;
    wire_pprof_sample_type(pp, "contentions", "count");
    wire_pprof_sample_type(pp, "delay", "nanoseconds");
    wire_pprof_period(pp, "trace", "count", 1);
    for (i = 0; i < w->nsites; i++) {
        if (!add_site(w, &t, pp, &w->sites[i]))
            goto out;
    }
    st = wire_pprof_finish(pp, sink);
out:
    wire_pprof_free(pp);
    free_frames(&t);
    return st;
}
