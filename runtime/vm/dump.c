/* SPDX-License-Identifier: MIT */

/*
 * Snapshots of all goroutines' stacks.
 *
 * The world stands only while states and pcs are copied into one block of
 * memory, which was obtained and touched before; names, lines and the order
 * of ids are found afterwards.  A stack's frames are those that a traceback
 * would show.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/vm/vm_int.h"

enum {
    FIRST_GS = 64,  /* beyond those that were counted */
    WORDS_PER_G = 16
};

/* One goroutine: this, then its pcs. */
struct rec {
    struct vm_head head;
    vgoid parent;
    vpc created_at;
    uint64_t elided; /* frames left out after the first VM_SHOWN */
    uint16_t npcs;
};

_Static_assert(sizeof(struct rec) % 8 == 0, "pcs follow");

struct vm_dump {
    struct vm *vm;
    const struct sched_g *self; /* comes first */
    bool system; /* with the runtime's own goroutines and frames */
    uint64_t now;
    uint64_t *mem; /* records, one after the other */
    size_t used, cap; /* words */
    bool failed;   /* no memory for all */
    struct rec **sorted;
    size_t n;
    size_t at; /* next to be written */
};

/* Grows the block in the middle of a stop; rare. */
static bool
room(struct vm_dump *d, size_t words)
{
    size_t cap = d->cap * 2 + words;
    uint64_t *p;

    rt_assert(d->used <= d->cap);
    if (d->cap - d->used >= words)
        return true;
    p = realloc(d->mem, cap * sizeof *p);
    if (p == NULL) {
        d->failed = true;
        return false;
    }
    d->mem = p;
    d->cap = cap;
    return true;
}

static void
gather_g(void *arg, struct sched_g *g)
{
    struct vm_dump *d = arg;
    struct rec *r;

    if (d->failed || (sched_g_is_system(g) && !d->system))
        return;
    /* The main goroutine after Goexit only looks parked. */
    if (g->id == 1 && a32_load_acq(&d->vm->main_exited))
        return;
    if (!room(d, sizeof *r / 8 + 2 * VM_SHOWN))
        return;
    r = (struct rec *)(void *)(d->mem + d->used);
    /* One that runs waits for its turn to stop the world. */
    r->head = vm_head_of(g, g == d->self);
    r->parent = g->parent_id;
    r->created_at = g->created_at;
    r->elided = 0;
    r->npcs = g->vg == NULL ? 0
        : vm_walk_shown(
              d->vm, g->vg, d->system, (vpc *)(void *)(r + 1), &r->elided);
    rt_assert(r->npcs <= 2 * VM_SHOWN);
    d->used += sizeof *r / 8 + r->npcs;
    d->n++;
}

static int
by_id(const void *a, const void *b)
{
    const struct rec *x = *(struct rec *const *)a;
    const struct rec *y = *(struct rec *const *)b;

    return x->head.id < y->head.id ? -1 : x->head.id > y->head.id;
}

/* Finds the records and puts them in order, the caller's first. */
static bool
sort(struct vm_dump *d)
{
    size_t at = 0, i, mine = d->n;
    struct rec *first;

    d->sorted = malloc((d->n + 1) * sizeof(*d->sorted));
    if (d->sorted == NULL)
        return false;
    for (i = 0; i < d->n; i++) {
        struct rec *r = (struct rec *)(void *)(d->mem + at);

        d->sorted[i] = r;
        at += sizeof *r / 8 + r->npcs;
    }
    rt_assert(at == d->used);
    qsort(d->sorted, d->n, sizeof *d->sorted, by_id);
    for (i = 0; i < d->n && d->self != NULL; i++)
        if (d->sorted[i]->head.id == d->self->id)
            mine = i;
    if (mine == d->n)
        return true;
    first = d->sorted[mine];
    memmove(d->sorted + 1, d->sorted, mine * sizeof *d->sorted);
    d->sorted[0] = first;
    return true;
}

/* `system`: as a program ends that the runtime or GOTRACEBACK ends. */
static struct vm_dump *
dump_take(struct vm *vm, const struct sched_g *self, bool all, bool system)
{
    struct vm_dump *d = calloc(1, sizeof *d);
    size_t gs = all ? sched_num_goroutine(vm->sched) : 1;

    if (d == NULL)
        return NULL;
    d->vm = vm;
    d->self = self;
    d->system = system;
    d->cap = (gs + FIRST_GS) * WORDS_PER_G + 2 * VM_SHOWN;
    d->mem = malloc(d->cap * sizeof *d->mem);
    if (d->mem == NULL) {
        vm_dump_free(d);
        return NULL;
    }
    memset(d->mem, 1, d->cap * sizeof *d->mem);
    if (all) {
        sched_stop_world_any(vm->sched, STW_ALL_STACKS);
        sched_each_g(vm->sched, gather_g, d);
        sched_start_world_any(vm->sched);
    } else {
        gather_g(d, (struct sched_g *)(uintptr_t)self);
    }
    d->now = sched_now(vm->sched);
    if (d->failed || !sort(d)) {
        vm_dump_free(d);
        return NULL;
    }
    return d;
}

struct vm_dump *
vm_dump_take(struct vm *vm, const struct sched_g *self, bool all)
{
    /* Whatever GOTRACEBACK says, as in Go: it is about programs that end. */
    return dump_take(vm, self, all, false);
}

struct vm_dump *
vm_dump_take_last(struct vm *vm)
{
    rt_assert(a32_load_acq(&vm->dying) != 0);
    return dump_take(vm, NULL, true, vm_shows_system(vm, VM_BLAME_RUNTIME));
}

void
vm_dump_free(struct vm_dump *d)
{
    if (d == NULL)
        return;
    free(d->sorted);
    free(d->mem);
    free(d);
}

void
vm_dump_rewind(struct vm_dump *d)
{
    d->at = 0;
}

/* ---- text ------------------------------------------------------------------------ */

static void
out_rec(struct vm_out *o, const struct vm_dump *d, const struct rec *r)
{
    const vpc *pcs = (const vpc *)(const void *)(r + 1);

    vm_out_head(o, &r->head, d->system, d->now);
    vm_out_frames(o, d->vm, pcs, r->npcs, r->elided);
    vm_out_created(o, d->vm, r->created_at, r->parent);
}

size_t
vm_dump_next(struct vm_dump *d, char *buf, size_t n)
{
    struct vm_out o = {-1, buf, 0, n, NULL };

    rt_assert(d->at <= d->n);
    if (d->at == d->n)
        return 0;
    if (d->at > 0)
        vm_outf(&o, "\n");
    out_rec(&o, d, d->sorted[d->at++]);
    return o.n;
}
