/* SPDX-License-Identifier: MIT */
#include "profile/record/thread.h"

#include <stdlib.h>
#include <string.h>

#include "profile/record/profile.h"
#include "runtime/base/cstack.h"
#include "runtime/base/throw.h"

struct prof_thread_node {
    struct prof_thread_node *next;
    uint32_t n;
    vpc pcs[];
};

/* The calling thread's native frames, then those of the script that it runs;
 * what lies below the interpreter is left out.  Nothing where it runs none. */
static uint32_t
stack(struct prof *p, uint32_t skip, vpc *pcs)
{
    uintptr_t native[PROF_STACK_MAX];
    uint32_t k = 0;
    int n;

    if (p->host->self(p->ctx) == NULL)
        return 0;
    n = rt_cstack_capture(native, PROF_STACK_MAX, (int)skip);
    for (int i = 0; i < n; i++) {
        if (p->host->is_interp != NULL &&
            p->host->is_interp(p->ctx, native[i])) {
            uint32_t s = p->host->walk_self(
                p->ctx, pcs + k, PROF_STACK_MAX - k);

            if (s > 0)
                return k + s;
        }
        /* A return address: the call is before it. */
        pcs[k++] = prof_pc_native(native[i] - 1);
    }
    return k;
}

void
prof_thread_created(struct prof *p, uint32_t skip)
{
    vpc pcs[PROF_STACK_MAX];
    uint32_t n = stack(p, skip + 2, pcs);
    struct prof_thread_node *t = malloc(sizeof *t + n * sizeof *pcs);

    if (t == NULL)
        return;
    t->n = n;
    memcpy(t->pcs, pcs, n * sizeof *pcs);
    rt_lock(&p->threads.lock);
    t->next = p->threads.first;
    p->threads.first = t;
    p->threads.n++;
    rt_unlock(&p->threads.lock);
}

uint32_t
prof_thread_records(struct prof *p, struct prof_stack *out, uint32_t room)
{
    uint32_t n, k = 0;

    rt_lock(&p->threads.lock);
    n = p->threads.n;
    struct prof_thread_node *t = n <= room ? p->threads.first : NULL;
    for (; t != NULL; t = t->next)
        out[k++] = (struct prof_stack){ t->pcs, t->n };
    rt_unlock(&p->threads.lock);
    return n;
}

void
prof_threads_init(struct prof_threads *t)
{
    memset(t, 0, sizeof *t);
    rt_lock_init(&t->lock, RANK_PROF_THREAD);
}

void
prof_threads_fini(struct prof_threads *t)
{
    while (t->first != NULL) {
        struct prof_thread_node *n = t->first;

        t->first = n->next;
        free(n);
    }
}
