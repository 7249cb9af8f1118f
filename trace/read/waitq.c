/* SPDX-License-Identifier: MIT */
#include "trace/read/waitq.h"

#include <stdlib.h>

#include "runtime/base/throw.h"

static bool
less(const struct trace_wnode *a, const struct trace_wnode *b)
{
    return a->need != b->need ? a->need < b->need : a->ts < b->ts;
}

static uint32_t
meld(struct trace_wnode *n, uint32_t a, uint32_t b)
{
    uint32_t t;

    if (a == 0 || b == 0)
        return a + b;
    /* What is melded is a root: it has no sibling that would be lost. */
    rt_assert(a != b && n[a - 1].sibling == 0 && n[b - 1].sibling == 0);
    if (less(&n[b - 1], &n[a - 1])) {
        t = a;
        a = b;
        b = t;
    }
    n[b - 1].sibling = n[a - 1].child;
    n[a - 1].child = b;
    return a;
}

uint32_t
trace_waitq_push(struct trace_wnode *n, uint32_t root, uint32_t c)
{
    rt_assert(c != 0 && c != root);
    n[c - 1].child = 0;
    n[c - 1].sibling = 0;
    return meld(n, root, c);
}

/* Melds the children in pairs, then the pairs. */
uint32_t
trace_waitq_pop(struct trace_wnode *n, uint32_t root)
{
    uint32_t c, pairs = 0, all = 0;

    rt_assert(root != 0 && n[root - 1].sibling == 0);
    c = n[root - 1].child;
    while (c != 0) {
        uint32_t a = c, b = n[a - 1].sibling, m;

        c = b == 0 ? 0 : n[b - 1].sibling;
        n[a - 1].sibling = 0;
        if (b != 0)
            n[b - 1].sibling = 0;
        m = meld(n, a, b);
        n[m - 1].sibling = pairs;
        pairs = m;
    }
    while (pairs != 0) {
        uint32_t next = n[pairs - 1].sibling;

        n[pairs - 1].sibling = 0;
        all = meld(n, all, pairs);
        pairs = next;
    }
    n[root - 1].child = 0;
    return all;
}

bool
trace_waitq_valid(const struct trace_wnode *n, uint32_t root, uint32_t max,
    uint32_t *count)
{
    uint32_t *todo = root == 0 ? NULL : malloc((max + 1ul) * sizeof *todo);
    uint32_t left = 0, seen = 0;
    bool ok = root == 0 || todo != NULL;

    if (root != 0 && ok)
        todo[left++] = root;
    while (ok && left > 0) {
        uint32_t c = todo[--left], k;

        ok = c <= max && ++seen <= max;
        for (k = ok ? n[c - 1].child : 0; k != 0 && ok; k = n[k - 1].sibling) {
            ok = k <= max && left < max && !less(&n[k - 1], &n[c - 1]);
            if (ok)
                todo[left++] = k;
        }
    }
    free(todo);
    if (count != NULL)
        *count = seen;
    return ok;
}
