/* SPDX-License-Identifier: MIT */
/*
 * A handler reserves its words by moving head, fills them, and stores the
 * first one last: it is 0 until then.  The reader stops at a 0, and clears
 * every word that it has read before it moves tail, so that the next record
 * there begins with a 0 again.
 *     tail <= head <= tail + RING_WORDS
 *
 * Idea: Go's profbuf.go; there a lock serialises the writers.
 */
#include "profile/record/ring.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

enum { RING_WORDS = 1 << 15 };

/* Words of a record. */
enum { W_LEN, W_WHEN, W_GOID, W_P, W_LABELS, W_STACK };

struct prof_cpu_ring {
    _Alignas(64) a_u64 head;
    a_u64 lost;
    _Alignas(64) a_u64 tail;
    a_u64 w[RING_WORDS];
};

struct prof_cpu_ring *
prof_ring_new(void)
{
    struct prof_cpu_ring *r = NULL;

    if (posix_memalign((void **)&r, 64, sizeof *r) != 0)
        return NULL;
    memset(r, 0, sizeof *r);
    return r;
}

void
prof_ring_free(struct prof_cpu_ring *r)
{
    struct prof_sample s;

    while (r != NULL && prof_ring_take(r, &s))
        prof_labels_unref(s.w.labels);
    free(r);
}

static a_u64 *
at(struct prof_cpu_ring *r, uint64_t pos)
{
    return &r->w[pos & (RING_WORDS - 1)];
}

/* Room for len words; false: full. */
static bool
reserve(struct prof_cpu_ring *r, uint64_t len, uint64_t *pos)
{
    do {
        *pos = a64_load_rlx(&r->head);
        /* acq: pairs with the rel in prof_ring_take(): the words are
         * clear. */
        if (*pos + len > a64_load_acq(&r->tail) + RING_WORDS)
            return false;
    } while (!a64_cas_acq(&r->head, *pos, *pos + len));
    return true;
}

void
prof_ring_put(struct prof_cpu_ring *r, uint64_t when,
    const struct prof_where *w, const vpc *stk)
{
    uint64_t pos;

    rt_assert(w->n <= CALLSTACK_MAX);
    if (!reserve(r, W_STACK + w->n, &pos)) {
        a64_add_rlx(&r->lost, 1);
        return;
    }
    a64_store_rlx(at(r, pos + W_WHEN), when);
    a64_store_rlx(at(r, pos + W_GOID), w->goid);
    a64_store_rlx(at(r, pos + W_P), (uint64_t)(int64_t)w->p);
    a64_store_rlx(at(r, pos + W_LABELS),
        (uintptr_t)prof_labels_ref(w->labels));
    for (uint32_t i = 0; i < w->n; i++)
        a64_store_rlx(at(r, pos + W_STACK + i), stk[i]);
    /* rel: the record is complete; pairs with prof_ring_take(). */
    a64_store_rel(at(r, pos + W_LEN), W_STACK + w->n);
}

bool
prof_ring_take(struct prof_cpu_ring *r, struct prof_sample *out)
{
    uint64_t pos = a64_load_rlx(&r->tail), len;

    /* acq: pairs with prof_ring_put() */
    if (pos == a64_load_acq(&r->head) ||
        (len = a64_load_acq(at(r, pos))) == 0)
        return false;
    rt_assert(len >= W_STACK && len <= W_STACK + CALLSTACK_MAX);
    out->when = a64_load_rlx(at(r, pos + W_WHEN));
    out->w.goid = a64_load_rlx(at(r, pos + W_GOID));
    out->w.p = (int32_t)a64_load_rlx(at(r, pos + W_P));
    out->w.labels =
        (struct prof_labels *)(uintptr_t)a64_load_rlx(at(r, pos + W_LABELS));
    out->w.n = (uint32_t)(len - W_STACK);
    for (uint32_t i = 0; i < out->w.n; i++)
        out->stk[i] = a64_load_rlx(at(r, pos + W_STACK + i));
    for (uint64_t i = 0; i < len; i++)
        a64_store_rlx(at(r, pos + i), 0);
    a64_store_rel(&r->tail, pos + len); /* rel: pairs with reserve() */
    return true;
}

bool
prof_ring_valid(struct prof_cpu_ring *r)
{
    uint64_t tail = a64_load_rlx(&r->tail), head = a64_load_rlx(&r->head);
    uint64_t pos, len;

    if (head < tail || head - tail > RING_WORDS)
        return false;
    for (pos = tail; pos < head; pos += len) {
        len = a64_load_rlx(at(r, pos));
        if (len < W_STACK || len > W_STACK + CALLSTACK_MAX)
            return false;
    }
    for (uint64_t i = head; i < tail + RING_WORDS; i++)
        if (a64_load_rlx(at(r, i)) != 0)
            return false;
    return pos == head;
}

uint64_t
prof_ring_lost(struct prof_cpu_ring *r)
{
    uint64_t n = a64_load_rlx(&r->lost);

    a64_add_rlx(&r->lost, (uint64_t)0 - n);
    return n;
}
