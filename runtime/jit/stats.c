/* SPDX-License-Identifier: MIT */

/* What has been made, and what machine code does not do itself: VOLEDEBUG's
 * jitstat. */
#include "runtime/jit/jit_int.h"

#include <stdio.h>

enum { SHOWN = 6 };

/* The number of a counter: the operation, or OP_COUNT and the native. */
static uint32_t
counter_of(const struct code_ins *pc)
{
    unsigned op = code_plain(pc->op);

    return op == OP_CALLN ? OP_COUNT + (uint32_t)pc->imm : op;
}

uint32_t
jit_table_counter(const struct jit *jit, const struct code_ins *pc)
{
    const uint64_t *first =
        jit->region.table + JIT_FUNCS + jit->vm->im->nfuncs;

    rt_assert(jit->cfg.stats);
    return (uint32_t)(uintptr_t)(first + counter_of(pc));
}

/* Counters, from which the greatest are taken one after another. */
struct ranking {
    uint64_t (*count)(const struct jit *jit, uint32_t i);
    uint32_t n;
    uint64_t below; /* the last one's, and its number */
    uint32_t last;
};

/* The next one by size, equal ones by number; false: all others are zero. */
static bool
next_most(const struct jit *jit, struct ranking *r)
{
    uint64_t most = 0;
    uint32_t at = 0;

    for (uint32_t i = 0; i < r->n; i++) {
        uint64_t c = r->count(jit, i);
        if (c > most &&
            (c < r->below || (c == r->below && i > r->last))) {
            most = c;
            at = i;
        }
    }
    r->below = most;
    r->last = at;
    return most > 0;
}

static uint64_t
exits(const struct jit *jit, uint32_t i)
{
    return a32_load_rlx(&jit->left[i]);
}

static uint64_t
calls(const struct jit *jit, uint32_t i)
{
    return jit->region.table[JIT_FUNCS + jit->vm->im->nfuncs + i];
}

static int
put_exits(const struct jit *jit, char *buf, size_t n)
{
    const struct code_image *im = jit->vm->im;
    struct ranking r = {exits, im->ncode, UINT64_MAX, 0};
    int len = 0;

    for (unsigned i = 0; i < SHOWN && next_most(jit, &r) && (size_t)len < n;
         i++) {
        const struct code_ins *pc = im->code + r.last;
        const struct code_func *f = vm_func_at(jit->vm, pc);

        len += snprintf(buf + len, n - (size_t)len,
            "%s %llu times at %s of %s+%u", i == 0 ? ", left" : ",",
            (unsigned long long)r.below, code_op_name(pc->op), f->name,
            (unsigned)(pc - f->code));
    }
    return len;
}

static int
put_calls(const struct jit *jit, char *buf, size_t n)
{
    const struct code_image *im = jit->vm->im;
    struct ranking r = {calls, OP_COUNT + im->nnatives, UINT64_MAX, 0};
    int len = 0;

    for (unsigned i = 0; i < SHOWN && next_most(jit, &r) && (size_t)len < n;
         i++)
        len += snprintf(buf + len, n - (size_t)len, "%s %s %llu times",
            i == 0 ? ", C called for" : ",",
            r.last < OP_COUNT ? code_op_name(r.last)
                              : im->natives[r.last - OP_COUNT].name,
            (unsigned long long)r.below);
    return len;
}

void
jit_stats(struct jit *jit, char *buf, size_t n)
{
    int len;

    jit_later_wait(jit);
    len = snprintf(buf, n,
        "jit: %u functions, %u of them in memory, %u refused, "
        "%u begun in the background, %llu words in "
        "%llu us, at most %llu us for one, %zu bytes, "
        "%u records with %u pairs, entered %llu times, %llu of them within "
        "what is spliced in",
        jit->nfuncs, jit->nmemory, jit->nrefused, jit->nlater,
        (unsigned long long)jit->nwords,
        (unsigned long long)jit->spent / 1000,
        (unsigned long long)jit->longest / 1000, jit->region.used, jit->nrecs,
        jit->npairs, (unsigned long long)a64_load_rlx(&jit->entered),
        (unsigned long long)a64_load_rlx(&jit->entered_within));

    if (a32_load_rlx(&jit->open) == 0 || jit->left == NULL || len < 0 ||
        (size_t)len >= n)
        return; /* nothing has been compiled */
    len += put_exits(jit, buf + len, n - (size_t)len);
    if ((size_t)len < n)
        put_calls(jit, buf + len, n - (size_t)len);
}
