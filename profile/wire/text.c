/* SPDX-License-Identifier: MIT */
#include "profile/wire/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/wire/count.h"
#include "profile/wire/tab.h"

typedef unsigned long long ull;
typedef long long ll;

/* " 0x1000012 0x1000034": return addresses. */
static void
addresses(struct wire_tab *t, const struct wire_syms *syms,
    struct wire_stack s)
{
    for (uint32_t i = 0; i < s.n; i++) {
        struct wire_frame f = { .addr = s.pcs[i] };

        syms->symbolize(syms->arg, s.pcs[i], &f);
        wire_tabf(t, " 0x%llx", (ull)f.addr + 1);
    }
    wire_tabf(t, "\n");
}

/* One line for each frame; all: also runtime functions at the leaf.  Returns
 * whether there was any. */
static bool
frames(struct wire_tab *t, const struct wire_syms *syms, struct wire_stack s,
    bool all)
{
    bool show = all;

    for (uint32_t i = 0; i < s.n; i++) {
        struct wire_frame f = { .addr = s.pcs[i] };

        if (!syms->symbolize(syms->arg, s.pcs[i], &f)) {
            show = true;
            wire_tabf(t, "#\t0x%llx\n", (ull)f.addr);
        } else if (strcmp(f.func, "runtime.goexit") != 0 &&
            (show || strncmp(f.func, "runtime.", 8) != 0)) {
            show = true;
            wire_tabf(t, "#\t0x%llx\t%s+0x%llx\t%s:%u\n", (ull)f.addr,
                f.func, (ull)(f.addr - f.entry), f.file, f.line);
        }
    }
    return show;
}

static void
stack(struct wire_tab *t, const struct wire_syms *syms, struct wire_stack s,
    bool all)
{
    if (!frames(t, syms, s, all))
        frames(t, syms, s, true);
    wire_tabf(t, "\n");
}

static enum rt_status
text_finish(struct wire_tab *t, const struct wire_sink *sink)
{
    enum rt_status st = RT_OK;

    if (!wire_tab_flush(t))
        st = RT_ENOMEM;
    else if (!sink->write(sink->arg, t->out.data, t->out.n))
        st = RT_EIO;
    wire_tab_free(t);
    return st;
}

/* ---- heap ------------------------------------------------------------------- */

static int
by_inuse(const void *a, const void *b)
{
    const struct wire_heap *x = *(const struct wire_heap *const *)a;
    const struct wire_heap *y = *(const struct wire_heap *const *)b;
    int64_t p = x->alloc_bytes - x->free_bytes;
    int64_t q = y->alloc_bytes - y->free_bytes;

    if (p != q)
        return p > q ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* A number as Go's %v writes it: the shortest that reads back the same. */
static void
shortest(char *buf, size_t n, double x)
{
    for (int p = 1; p <= 17; p++) {
        snprintf(buf, n, "%.*g", p, x);
        if (strtod(buf, NULL) == x)
            return;
    }
}

static void
pauses(struct wire_tab *t, const char *name, const uint64_t *v)
{
    wire_tabf(t, "# %s = [", name);
    for (int i = 0; i < 256; i++)
        wire_tabf(t, "%s%llu", i == 0 ? "" : " ", (ull)v[i]);
    wire_tabf(t, "]\n");
}

static void
memstats(struct wire_tab *t, const struct wire_memstats *m)
{
    const struct {
        const char *name;
        uint64_t v;
    } head[] = {
        { "Alloc", m->alloc }, { "TotalAlloc", m->total_alloc },
        { "Sys", m->sys }, { "Lookups", m->lookups },
        { "Mallocs", m->mallocs }, { "Frees", m->frees },
        { "HeapAlloc", m->heap_alloc }, { "HeapSys", m->heap_sys },
        { "HeapIdle", m->heap_idle }, { "HeapInuse", m->heap_inuse },
        { "HeapReleased", m->heap_released },
        { "HeapObjects", m->heap_objects },
    };
    char fraction[32];

    wire_tabf(t, "\n# runtime.MemStats\n");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        wire_tabf(t, "# %s = %llu\n", head[i].name, (ull)head[i].v);
    wire_tabf(t, "# Stack = %llu / %llu\n", (ull)m->stack_inuse,
        (ull)m->stack_sys);
    wire_tabf(t, "# MSpan = %llu / %llu\n", (ull)m->mspan_inuse,
        (ull)m->mspan_sys);
    wire_tabf(t, "# MCache = %llu / %llu\n", (ull)m->mcache_inuse,
        (ull)m->mcache_sys);
    wire_tabf(t, "# BuckHashSys = %llu\n", (ull)m->buck_hash_sys);
    wire_tabf(t, "# GCSys = %llu\n", (ull)m->gc_sys);
    wire_tabf(t, "# OtherSys = %llu\n", (ull)m->other_sys);
    wire_tabf(t, "# NextGC = %llu\n", (ull)m->next_gc);
    wire_tabf(t, "# LastGC = %llu\n", (ull)m->last_gc);
    pauses(t, "PauseNs", m->pause_ns);
    pauses(t, "PauseEnd", m->pause_end);
    wire_tabf(t, "# NumGC = %u\n", m->num_gc);
    wire_tabf(t, "# NumForcedGC = %u\n", m->num_forced_gc);
    shortest(fraction, sizeof fraction, m->gc_cpu_fraction);
    wire_tabf(t, "# GCCPUFraction = %s\n", fraction);
    wire_tabf(t, "# DebugGC = %s\n", m->debug_gc ? "true" : "false");
    wire_tabf(t, "# MaxRSS = %llu\n", (ull)m->max_rss);
}

static void
heap_header(struct wire_tab *t, const struct wire_heap *v, size_t n,
    int64_t rate)
{
    int64_t ao = 0, ab = 0, fo = 0, fb = 0;

    for (size_t i = 0; i < n; i++) {
        ao += v[i].alloc_objects;
        ab += v[i].alloc_bytes;
        fo += v[i].free_objects;
        fb += v[i].free_bytes;
    }
    /* Readers take equal totals for a profile with two columns only. */
    wire_tabf(t, "heap profile: %lld: %lld [%lld: %lld] @ heap/%lld\n",
        (ll)(ao - fo), (ll)(ab - fb), (ll)ao, (ll)(fb == 0 ? ab + 1 : ab),
        (ll)rate * 2);
}

enum rt_status
wire_text_heap(const struct wire_sink *sink, const struct wire_syms *syms,
    const struct wire_heap *v, size_t n, int64_t rate,
    const struct wire_memstats *ms)
{
    const struct wire_heap **s = malloc((n + 1) * sizeof *s);
    struct wire_tab t = { 0 };

    if (s == NULL)
        return RT_ENOMEM;
    for (size_t i = 0; i < n; i++)
        s[i] = &v[i];
    qsort(s, n, sizeof *s, by_inuse);
    heap_header(&t, v, n, rate);
    for (size_t i = 0; i < n; i++) {
        const struct wire_heap *r = s[i];

        wire_tabf(&t, "%lld: %lld [%lld: %lld] @",
            (ll)(r->alloc_objects - r->free_objects),
            (ll)(r->alloc_bytes - r->free_bytes), (ll)r->alloc_objects,
            (ll)r->alloc_bytes);
        addresses(&t, syms, r->stk);
        stack(&t, syms, r->stk, false);
    }
    free(s);
    memstats(&t, ms);
    return text_finish(&t, sink);
}

/* ---- counts -------------------------------------------------------------------- */

/* A string as Go's %q writes it. */
static void
quote(struct wire_tab *t, const char *s)
{
    wire_tabf(t, "\"");
    for (; *s != 0; s++) {
        unsigned char c = (unsigned char)*s;

        switch (c) {
        case '"': wire_tabf(t, "\\\""); break;
        case '\\': wire_tabf(t, "\\\\"); break;
        case '\n': wire_tabf(t, "\\n"); break;
        case '\t': wire_tabf(t, "\\t"); break;
        case '\r': wire_tabf(t, "\\r"); break;
        case '\a': wire_tabf(t, "\\a"); break;
        case '\b': wire_tabf(t, "\\b"); break;
        case '\f': wire_tabf(t, "\\f"); break;
        case '\v': wire_tabf(t, "\\v"); break;
        default:
            wire_tabf(t, c < 0x20 || c == 0x7f ? "\\x%02x" : "%c", c);
        }
    }
    wire_tabf(t, "\"");
}

static void
labels(struct wire_tab *t, const struct wire_count *c)
{
    if (c->nlabels == 0)
        return;
    wire_tabf(t, "# labels: {");
    for (uint32_t i = 0; i < c->nlabels; i++) {
        const struct wire_label *l = &c->labels[i];

        if (i > 0)
            wire_tabf(t, ", ");
        quote(t, l->key);
        wire_tabf(t, ":");
        quote(t, l->str == NULL ? "" : l->str);
    }
    wire_tabf(t, "}\n");
}

enum rt_status
wire_text_count(const struct wire_sink *sink, const struct wire_syms *syms,
    const char *name, const struct wire_count *v, size_t n)
{
    struct wire_tab t = { 0 };
    struct wire_group *g;
    size_t ng;

    if (wire_group(v, n, &g, &ng) != RT_OK)
        return RT_ENOMEM;
    wire_tabf(&t, "%s profile: total %zu\n", name, n);
    for (size_t i = 0; i < ng; i++) {
        wire_tabf(&t, "%lld @", (ll)g[i].count);
        addresses(&t, syms, g[i].of->stk);
        labels(&t, g[i].of);
        stack(&t, syms, g[i].of->stk, false);
    }
    free(g);
    return text_finish(&t, sink);
}

/* ---- cycles -------------------------------------------------------------------- */

static int
by_cycles(const void *a, const void *b)
{
    const struct wire_cycles *x = *(const struct wire_cycles *const *)a;
    const struct wire_cycles *y = *(const struct wire_cycles *const *)b;

    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return x < y ? -1 : x > y;
}

enum rt_status
wire_text_cycles(const struct wire_sink *sink, const struct wire_syms *syms,
    const char *name, const struct wire_cycles *v, size_t n,
    int64_t cycles_per_sec, int64_t period)
{
    const struct wire_cycles **s = malloc((n + 1) * sizeof *s);
    struct wire_tab t = { 0 };

    if (s == NULL)
        return RT_ENOMEM;
    for (size_t i = 0; i < n; i++)
        s[i] = &v[i];
    qsort(s, n, sizeof *s, by_cycles);
    wire_tabf(&t, "--- %s:\ncycles/second=%lld\n", name, (ll)cycles_per_sec);
    if (strcmp(name, "mutex") == 0)
        wire_tabf(&t, "sampling period=%lld\n", (ll)period);
    for (size_t i = 0; i < n; i++) {
        wire_tabf(&t, "%lld %lld @", (ll)s[i]->cycles, (ll)s[i]->count);
        addresses(&t, syms, s[i]->stk);
        stack(&t, syms, s[i]->stk, true);
    }
    free(s);
    return text_finish(&t, sink);
}
