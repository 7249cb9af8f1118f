/* SPDX-License-Identifier: MIT */
#include "profile/record/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

enum { CHUNK_WORDS = 32 * CALLSTACK_MAX };

struct prof_stacks_chunk {
    struct prof_stacks_chunk *next;
    uint32_t used; /* words */
    vpc w[CHUNK_WORDS];
};

const vpc *
prof_stacks_keep(struct prof_stacks *s, const vpc *stk, uint32_t n)
{
    struct prof_stacks_chunk *c = s->chunks;

    rt_assert(n <= CALLSTACK_MAX);
    if (c == NULL || c->used + n > CHUNK_WORDS) {
        c = malloc(sizeof *c);
        if (c == NULL)
            return NULL;
        c->used = 0;
        c->next = s->chunks;
        s->chunks = c;
    }
    vpc *p = c->w + c->used;
    memcpy(p, stk, n * sizeof *stk);
    c->used += n;
    rt_assert(c->used <= CHUNK_WORDS);
    return p;
}

void
prof_stacks_free(struct prof_stacks *s)
{
    while (s->chunks != NULL) {
        struct prof_stacks_chunk *c = s->chunks;

        s->chunks = c->next;
        free(c);
    }
}
