/* SPDX-License-Identifier: MIT */
/* The line of VOLEDEBUG=gctrace=1, in the form of Go's GODEBUG=gctrace=1. */
#include "gc/gc_int.h"

#include <stdio.h>

/* Milliseconds with two significant digits: 0.012, 1.2, 15. */
static const char *
ms(char *buf, size_t size, uint64_t ns)
{
    if (ns >= 10000000) {
        snprintf(buf, size, "%lu", (unsigned long)(ns / 1000000));
        return buf;
    }
    uint64_t x = ns / 1000;
    int dec = 3;
    while (x >= 100) {
        x /= 10;
        dec--;
    }
    uint64_t unit = dec == 3 ? 1000 : dec == 2 ? 100 : 10;
    if (x == 0)
        snprintf(buf, size, "0");
    else
        snprintf(buf, size, "%lu.%0*lu", (unsigned long)(x / unit), dec,
            (unsigned long)(x % unit));
    return buf;
}

static unsigned long
mb(uint64_t bytes)
{
    return (unsigned long)(bytes >> 20);
}

void
gc_trace_print(struct gc_heap *h)
{
    const struct gc_cycle_times *t = &h->times;
    uint64_t p = gc_procs(h);
    uint64_t age = (uint64_t)(t->end - h->born);
    /* One stop, or two with the mark between them. */
    uint64_t first = (uint64_t)((t->running != 0 ? t->running : t->mark) -
        t->stopped);
    uint64_t mark = (uint64_t)(t->term_stop -
        (t->running != 0 ? t->running : t->mark));
    uint64_t last = (uint64_t)(t->end - t->term_stop);
    uint64_t spent = (uint64_t)(gc_time_spent(h) + h->stop_cpu);
    /* In a stop the one marker has all Ps. */
    uint64_t worker = t->running != 0
        ? (uint64_t)ai64_load_rlx(&h->spent.worker)
        : mark * p;
    char b[8][32];
    char line[320];

    snprintf(line, sizeof line,
        "gc %lu @%lu.%03lus %lu%%: %s+%s+%s ms clock, %s+%s/%s/%s+%s ms cpu, "
        "%lu->%lu->%lu MB, %lu MB goal, %lu MB stacks, %lu MB globals, "
        "%lu P%s\n",
        (unsigned long)a64_load_rlx(&h->cycles),
        (unsigned long)(age / 1000000000),
        (unsigned long)(age / 1000000 % 1000),
        (unsigned long)(age == 0 ? 0 : spent * 100 / (age * p)),
        ms(b[0], sizeof b[0], first), ms(b[1], sizeof b[1], mark),
        ms(b[2], sizeof b[2], last), ms(b[3], sizeof b[3], first * p),
        ms(b[4], sizeof b[4], (uint64_t)ai64_load_rlx(&h->spent.assist)),
        ms(b[5], sizeof b[5], worker),
        ms(b[6], sizeof b[6], (uint64_t)ai64_load_rlx(&h->spent.idle)),
        ms(b[7], sizeof b[7], last * p),
        mb(h->live_before), mb(h->live_term),
        mb(a64_load_rlx(&h->heap_marked)), mb(h->goal_before),
        mb(h->stack_bytes), mb(h->global_bytes), (unsigned long)p,
        h->why == GC_WHY_FORCED ? " (forced)" : "");
    if (h->host->print != NULL)
        h->host->print(h->arg, line);
}
