/* SPDX-License-Identifier: MIT */
/*
 * Cells: memory for what a function makes and nobody keeps.
 *
 * The generator knows of some variables, closures, literals and arrays that
 * their address leads nowhere but to the function itself and to callees that
 * forget it (runtime/lang/gen/gen_escape.c).  Those of one frame are one block,
 * made when the first is needed and given back when the function returns.  The
 * blocks of a goroutine are a stack beside its stack, in chunks that do not
 * move, so that there may be pointers to them: from slots and from cells,
 * never from the heap.  A frame that a recovered panic has cut off has not
 * given its block back; the recovery does.
 *
 * As for frames: only the goroutine itself reads and writes its cells, without
 * barriers, and the collector scans them when it does not run.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/cells.h"
#include "runtime/vm/vm_int.h"

/* Words of a goroutine's first chunk; each further one has twice as many as the
 * one before, up to the most.  A goroutine that does little but wait, as one of
 * each connection of a server, should not hold pages for it.  Hostile builds
 * have chunks of one block. */
enum {
    CHUNK_FIRST = VOLE_HOSTILE ? 1 : 64,
    CHUNK_MOST = VOLE_HOSTILE ? 1 : 512
};

static struct vm_cells_block *
block_at(struct vm_cells *c, uint32_t at)
{
    rt_assert(at + VM_CELLS_HEAD <= c->used);
    return (struct vm_cells_block *)&c->at[at];
}

static void
free_behind(struct vm_cells *c)
{
    while (c->next != NULL) {
        struct vm_cells *next = c->next->next;
        free(c->next);
        c->next = next;
    }
}

/* The chunk where a block of so many words goes, as the current one. */
static struct vm_cells *
room_for(struct vm_g *vg, uint32_t need)
{
    struct vm_cells *c = vg->cells;

    if (c != NULL && c->cap - c->used >= need)
        return c;
    if (c != NULL && c->next != NULL && c->next->cap >= need) {
        vg->cells = c->next;
        return vg->cells;
    }
    if (c != NULL)
        free_behind(c);
    uint32_t cap = c == NULL ? CHUNK_FIRST
        : 2 * c->cap < CHUNK_MOST ? 2 * c->cap : CHUNK_MOST;
    if (cap < need)
        cap = need;
    struct vm_cells *n = malloc(sizeof *n + 8u * cap);
    if (n == NULL)
        return NULL;
    n->prev = c;
    n->next = NULL;
    n->used = 0;
    n->cap = cap;
    if (c != NULL)
        c->next = n;
    vg->cells = n;
    return n;
}

/* `above`: the frame of the first block in the chunk behind. */
static bool
chunk_valid(struct vm_cells *c, uint64_t above)
{
    uint64_t last = 0;

    if (c->used > c->cap)
        return false;
    for (uint32_t at = 0; at < c->used;) {
        const struct vm_cells_block *b = block_at(c, at);
        if (b->frame < last || b->frame >= above ||
            b->words * 8ull != b->layout->size)
            return false;
        last = b->frame;
        at += VM_CELLS_HEAD + b->words;
    }
    return true;
}

static uint64_t
first_frame(struct vm_cells *c, uint64_t none)
{
    return c->used == 0 ? none : block_at(c, 0)->frame;
}

bool
vm_cells_valid(const struct vm_g *vg)
{
    struct vm_cells *c = vg->cells;
    uint64_t frame = UINT64_MAX;

    if (c == NULL)
        return true;
    for (const struct vm_cells *n = c->next; n != NULL; n = n->next)
        if (n->used != 0 || n->prev->next != n)
            return false;
    for (; c != NULL; c = c->prev) {
        if (!chunk_valid(c, frame))
            return false;
        frame = first_frame(c, frame);
    }
    return true;
}

/* What a block that came or went can have changed: a deep recursion would
 * take quadratic time if each of them looked at all. */
static bool
top_valid(const struct vm_g *vg)
{
    struct vm_cells *c = vg->cells;

    if (c == NULL)
        return true;
    if (c->next != NULL && (c->next->used != 0 || c->next->prev != c))
        return false;
    return chunk_valid(c, UINT64_MAX) &&
        (c->prev == NULL ||
            chunk_valid(c->prev, first_frame(c, UINT64_MAX)));
}

void *
vm_cells_push(struct vm_g *vg, const union rt_slot *fp,
    const struct rt_layout *layout)
{
    uint32_t words = (uint32_t)(layout->size / 8);
    struct vm_cells *c = room_for(vg, VM_CELLS_HEAD + words);

    rt_assert(layout->size % 8 == 0 && layout->ptrdata <= layout->size);
    rt_assert(fp >= vg->stack && fp < vg->stack + vg->nslots);
    if (c == NULL)
        return NULL;
    rt_assert(c->cap - c->used >= VM_CELLS_HEAD + words);
    struct vm_cells_block *b = (struct vm_cells_block *)&c->at[c->used];
    b->layout = layout;
    b->frame = (uint32_t)(fp - vg->stack);
    b->words = words;
    memset(b + 1, 0, 8u * words);
    c->used += VM_CELLS_HEAD + words;
    rt_assert_full(top_valid(vg));
    return b + 1;
}

static bool
holds(const struct vm_cells *c, const void *p)
{
    return (const uint64_t *)p > c->at && (const uint64_t *)p <= c->at + c->used;
}

bool
vm_private_to(const struct sched_g *g, const void *p)
{
    const struct vm_cells *c = g->vg == NULL ? NULL : g->vg->cells;

    while (c != NULL && !holds(c, p))
        c = c->prev;
    return c != NULL;
}

void
vm_cells_pop(struct vm_g *vg, void *p)
{
    struct vm_cells *c = vg->cells;

    rt_assert(p != NULL);
    for (; !holds(c, p); c = c->prev) {
        rt_assert(c->prev != NULL);
        c->used = 0;
    }
    c->used = (uint32_t)((uint64_t *)p - c->at) - VM_CELLS_HEAD;
    if (c->used == 0 && c->prev != NULL)
        c = c->prev;
    vg->cells = c;
    rt_assert_full(top_valid(vg));
}

void
vm_cells_cut(struct vm_g *vg, uint32_t frame)
{
    struct vm_cells *c = vg->cells;
    uint32_t at = 0;

    if (c == NULL)
        return;
    while (c->prev != NULL && (c->used == 0 || block_at(c, 0)->frame > frame)) {
        c->used = 0;
        c = c->prev;
    }
    while (at < c->used && block_at(c, at)->frame <= frame)
        at += VM_CELLS_HEAD + block_at(c, at)->words;
    c->used = at;
    vg->cells = c;
    rt_assert_full(top_valid(vg));
}

void
vm_cells_mark(struct vm_g *vg, struct gc_marker *m)
{
    uint64_t words = 0;

    rt_assert_full(vm_cells_valid(vg));
    for (struct vm_cells *c = vg->cells; c != NULL; c = c->prev) {
        for (uint32_t at = 0; at < c->used;) {
            const struct vm_cells_block *b = block_at(c, at);
            if (b->layout->ptrdata != 0)
                gc_mark_mask(m, b + 1, b->layout->ptrmask,
                    b->layout->ptrdata / 8);
            at += VM_CELLS_HEAD + b->words;
        }
        words += c->used;
    }
    gc_mark_account(m, words * 8, 0);
}

void
vm_cells_trim(struct vm_g *vg)
{
    if (vg->cells != NULL)
        free_behind(vg->cells);
    rt_assert_full(vm_cells_valid(vg));
}

/* The first chunk of a dead goroutine is for the next one. */
void
vm_cells_end(struct vm_g *vg)
{
    struct vm_cells *c = vg->cells;

    if (c == NULL)
        return;
    while (c->prev != NULL)
        c = c->prev;
    free_behind(c);
    c->used = 0;
    vg->cells = c;
}

void
vm_cells_free(struct vm_g *vg)
{
    vm_cells_end(vg);
    free(vg->cells);
    vg->cells = NULL;
}
