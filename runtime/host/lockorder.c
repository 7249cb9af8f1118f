/* SPDX-License-Identifier: MIT */
/*
 * The lock graph of Goodlock (K. Havelund, SPIN 2000; S. Bensalem and K.
 * Havelund, HVC 2005).  An edge is "goroutine g took `to` while it held
 * `from`".  A circle of edges is a deadlock that could be, if
 *
 *   - its edges are of different goroutines;
 *   - no two of these hold one more lock in common: that gate lets only one of
 *     them in at a time;
 *   - where two edges meet at a lock, not both have it for reading;
 *   - no edge happens before another, by go statements, channels, wait groups
 *     and the like.  Locks themselves do not count: their order is chance.
 *
 * An edge from an RWMutex to itself, for reading both times, is a deadlock that
 * could be with whoever takes that for writing, if it comes in between: readers
 * let it pass.  Those are kept as edges from the RWMutex to itself for writing.
 *
 * What happens before is known by vector clocks, of goroutines and of the
 * objects by which they tell each other.  All that was ever told by an object is
 * heard by whoever hears it: so there may be more order than there is, which
 * can hide a circle, but not make one.
 *
 * Nobody asks what happened before anything but an edge.  So a goroutine has a
 * place in the vectors only from its first edge on, and a program without edges
 * has empty ones: a thousand goroutines with timers and a channel for each took
 * 1.7 times as long when all had a place.
 */
#include "runtime/host/lockorder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gc/gc.h"
#include "runtime/base/atomic.h"
#include "runtime/base/hash.h"
#include "runtime/base/osmem.h"
#include "runtime/base/throw.h"
#include "runtime/base/vec.h"
#include "runtime/race/vec.h"
#include "sched/sched.h"

enum {
    MAX_OPS = 16,     /* objects of one select that count */
    MAX_TWINS = 8,    /* edges that are kept between the same two locks */
    MAX_LENGTH = 4,   /* of a circle */
    MAX_CIRCLES = 50, /* told */
    MAX_LOOKS = 1 << 22,
    PIN_BLOCK = 510
};

#define NONE UINT32_MAX

struct who {
    vgoid id;
    uint32_t slot; /* in vectors; NONE: it has no edge yet */
    uint32_t time; /* goes on each time that it tells anything */
    struct race_vec seen; /* of each goroutine, by slot, how much it has heard;
                             not of itself */
    const void *hears[MAX_OPS]; /* when it is at its next point */
    unsigned nhears;
};

/* A lock that is held while an edge is made, other than the edge's own two. */
struct gate {
    const void *lock;
    bool shared;
};

struct edge {
    struct hold from, to;
    uint32_t who;      /* index */
    uint32_t time;     /* its own, when it did so */
    struct race_vec at; /* and what it had heard */
    uint32_t gates, ngates; /* the first of order's gates, and how many */
    uint32_t next;     /* with the same hash of from; NONE ends */
    uint32_t twin;     /* with the same hash of from and to */
};

/* What has been told by an object. */
struct obj {
    const void *key; /* NULL: free */
    struct race_vec told;
};

/* Locks that stay alive; blocks never move. */
struct pins {
    struct pins *next;
    a_u32 n;
    const void *v[PIN_BLOCK];
};

RT_VEC(gate_vec, struct gate);

struct order {
    struct vm *vm;
    struct who *whos;
    uint32_t nwhos, cap_whos;
    uint32_t nslots; /* of those who have one */
    uint32_t *index; /* of whos, by id; open addressing, NONE is free */
    uint32_t index_cap;
    struct obj *objs;
    uint32_t nobjs, cap_objs;
    struct edge *edges;
    uint32_t nedges, cap_edges; /* cap_edges: a power of two */
    struct gate_vec gates; /* of one edge after the other */
    uint32_t *from; /* of each hash of a lock the first edge, and */
    uint32_t *both; /* of each hash of both locks: cap_edges of them */
    struct rt_os os;
    struct race_mem mem; /* of vectors */
    a_ptr pins; /* struct pins * */
    bool lost;  /* memory was lacking */
};

/* The list of edges from the lock; there are edges. */
static uint32_t *
from_list(const struct order *o, const void *lock)
{
    rt_assert((o->cap_edges & (o->cap_edges - 1)) == 0);
    return &o->from[rt_hash_u64((uintptr_t)lock, RT_HASH_K0) &
        (o->cap_edges - 1)];
}

/* And of those from one lock to another. */
static uint32_t *
twin_list(const struct order *o, const void *from, const void *to)
{
    return &o->both[rt_hash_u64((uintptr_t)to,
        rt_hash_u64((uintptr_t)from, RT_HASH_K0)) & (o->cap_edges - 1)];
}

/* ---- goroutines and objects ------------------------------------------------------ */

static uint32_t *
index_at(const struct order *o, vgoid id)
{
    uint32_t i = (uint32_t)rt_hash_u64(id, RT_HASH_K2) & (o->index_cap - 1);

    /* A free place ends each search. */
    rt_assert((o->index_cap & (o->index_cap - 1)) == 0 &&
        o->nwhos < o->index_cap);
    while (o->index[i] != NONE && o->whos[o->index[i]].id != id)
        i = (i + 1) & (o->index_cap - 1);
    return &o->index[i];
}

static bool
grow_whos(struct order *o)
{
    uint32_t cap = o->cap_whos ? 2 * o->cap_whos : 64;
    struct who *v = realloc(o->whos, cap * sizeof *v);
    uint32_t *index = NULL;

    if (v != NULL) {
        o->whos = v;
        index = malloc(2 * cap * sizeof *index);
    }
    if (index == NULL)
        return false;
    free(o->index);
    o->index = index;
    o->index_cap = 2 * cap;
    o->cap_whos = cap;
    memset(index, 0xff, 2 * cap * sizeof *index);
    for (uint32_t i = 0; i < o->nwhos; i++)
        *index_at(o, v[i].id) = i;
    return true;
}

static struct obj *
obj_at(const struct order *o, const void *key)
{
    uint32_t i = (uint32_t)rt_hash_u64((uintptr_t)key, RT_HASH_K2) &
        (o->cap_objs - 1);

    rt_assert((o->cap_objs & (o->cap_objs - 1)) == 0 &&
        o->nobjs < o->cap_objs);
    while (o->objs[i].key != NULL && o->objs[i].key != key)
        i = (i + 1) & (o->cap_objs - 1);
    return &o->objs[i];
}

static bool
grow_objs(struct order *o)
{
    struct order big = {.cap_objs = o->cap_objs ? 2 * o->cap_objs : 256};

    big.objs = calloc(big.cap_objs, sizeof *big.objs);
    if (big.objs == NULL)
        return false;
    for (uint32_t i = 0; i < o->cap_objs; i++)
        if (o->objs[i].key != NULL)
            *obj_at(&big, o->objs[i].key) = o->objs[i];
    free(o->objs);
    o->objs = big.objs;
    o->cap_objs = big.cap_objs;
    return true;
}

static struct obj *
obj_of(struct order *o, const void *key)
{
    struct obj *x;

    rt_assert(key != NULL && o->nobjs <= o->cap_objs);
    if (2 * (o->nobjs + 1) > o->cap_objs && !grow_objs(o))
        return NULL;
    x = obj_at(o, key);
    o->nobjs += x->key == NULL;
    x->key = key;
    return x;
}

static void
tell_obj(struct order *o, struct who *w, const void *key)
{
    struct obj *x;

    if (key == NULL)
        return; /* of a nil channel nobody hears */
    if (w->slot == NONE && race_vec_empty(&w->seen))
        return; /* it knows of no edge */
    x = obj_of(o, key);
    if (x == NULL) {
        o->lost = true;
        return;
    }
    race_vec_join(&o->mem, &x->told, &w->seen);
    if (w->slot != NONE)
        race_vec_put(&o->mem, &x->told, w->slot, w->time++);
}

static void
hear_obj(struct order *o, struct who *w, const void *key)
{
    const struct obj *x = key == NULL || o->nobjs == 0 ? NULL : obj_at(o, key);

    if (x != NULL && x->key != NULL)
        race_vec_join(&o->mem, &w->seen, &x->told);
}

/* What stands for the go statements of a goroutine: no object has an odd
 * address. */
static const void *
spawns_of(vgoid id)
{
    return (const void *)(uintptr_t)(id << 1 | 1);
}

static struct who *
who_of(struct order *o, const struct sched_g *g)
{
    uint32_t *at;

    if (o->nwhos == o->cap_whos && !grow_whos(o))
        return NULL;
    at = index_at(o, g->id);
    if (*at != NONE)
        return &o->whos[*at];
    *at = o->nwhos;
    struct who *w = &o->whos[o->nwhos];
    *w = (struct who){.id = g->id, .slot = NONE, .time = 1};
    o->nwhos++;
    rt_assert(o->nwhos <= o->cap_whos && *at == o->nwhos - 1);
    if (g->parent_id != 0)
        hear_obj(o, w, spawns_of(g->parent_id));
    return w;
}

/* ---- edges ------------------------------------------------------------------------ */

static void
pin(struct order *o, const void *lock)
{
    struct pins *p = aptr_load_rlx(&o->pins);
    uint32_t n = p == NULL ? PIN_BLOCK : a32_load_rlx(&p->n);

    if (n == PIN_BLOCK) {
        struct pins *block = calloc(1, sizeof *block);

        if (block == NULL) {
            o->lost = true;
            return;
        }
        block->next = p;
        rt_assert(p == NULL || a32_load_rlx(&p->n) == PIN_BLOCK);
        p = block;
        n = 0;
        /* rel: pairs with lockorder_mark() */
        aptr_store_rel(&o->pins, block);
    }
    rt_assert(lock != NULL && n < PIN_BLOCK);
    p->v[n] = lock;
    a32_store_rel(&p->n, n + 1); /* rel: pairs with lockorder_mark() */
}

void
lockorder_mark(const struct order *o, struct gc_marker *m)
{
    /* acq: pairs with pin() */
    for (const struct pins *p = aptr_load_acq(&o->pins); p != NULL;
        p = p->next) {
        uint32_t n = a32_load_acq(&p->n); /* acq: pairs with pin() */

        for (uint32_t i = 0; i < n; i++)
            gc_mark_maybe(m, (uintptr_t)p->v[i]);
    }
}

static bool
same_gates(const struct order *o, const struct edge *a, const struct edge *b)
{
    const struct gate *v = o->gates.v;

    if (a->ngates != b->ngates)
        return false;
    for (uint32_t i = 0; i < a->ngates; i++)
        if (v[a->gates + i].lock != v[b->gates + i].lock)
            return false;
    return true;
}

static bool
same_stacks(const struct hold *a, const struct hold *b)
{
    return a->shared == b->shared && a->npcs == b->npcs &&
        memcmp(a->pcs, b->pcs, a->npcs * sizeof *a->pcs) == 0;
}

/*
 * Whether edges like this one have been seen often enough.  Of one that comes
 * again and again the first is kept and the last, *again, which is then as late
 * as this one: what the first one happens before, the last one may not.
 */
static bool
known(const struct order *o, const struct edge *e, struct edge **again)
{
    uint32_t twins = 0;
    bool once = false;

    *again = NULL;
    if (o->nedges == 0)
        return false;
    for (uint32_t i = *twin_list(o, e->from.lock, e->to.lock); i != NONE;
        i = o->edges[i].twin) {
        struct edge *x = &o->edges[i];

        if (x->from.lock != e->from.lock || x->to.lock != e->to.lock ||
            !same_gates(o, x, e))
            continue;
        twins++;
        if (x->who != e->who || !same_stacks(&x->from, &e->from) ||
            !same_stacks(&x->to, &e->to))
            continue;
        if (once)
            return true;
        /* Lists begin with the last. */
        *again = x;
        once = true;
    }
    *again = NULL;
    return twins >= MAX_TWINS;
}

/* All gates of an edge, behind those of the others: one that is left out could
 * be what keeps two goroutines apart.  False: no memory. */
static bool
add_gates(struct order *o, struct edge *e, const struct sched_g *g,
    const struct holds *held)
{
    uint32_t i = HOLDS_NONE;

    e->gates = (uint32_t)o->gates.n;
    while ((i = holds_of_g(held, e->from.id, i)) != HOLDS_NONE) {
        const struct hold *h = &held->v[i];
        struct gate gate = {h->lock, h->shared};

        if (h->lock == e->from.lock || vm_private_to(g, h->lock))
            continue;
        if (!rt_vec_push(&o->gates, gate))
            return false;
        e->ngates++;
    }
    rt_assert(e->gates + e->ngates == o->gates.n);
    return true;
}

/* Without the gates of an edge that is not kept. */
static void
drop_gates(struct order *o, const struct edge *e)
{
    rt_assert(e->gates <= o->gates.n);
    o->gates.n = e->gates;
}

static void
link_edge(struct order *o, uint32_t i)
{
    struct edge *e = &o->edges[i];
    uint32_t *from = from_list(o, e->from.lock);
    uint32_t *both = twin_list(o, e->from.lock, e->to.lock);

    e->next = *from;
    *from = i;
    e->twin = *both;
    *both = i;
}

/* Room for one edge more. */
static bool
grow_edges(struct order *o)
{
    uint32_t cap = o->cap_edges ? 2 * o->cap_edges : 64;
    struct edge *v = realloc(o->edges, cap * sizeof *v);
    uint32_t *lists = v == NULL ? NULL : malloc(2 * cap * sizeof *lists);

    if (v != NULL)
        o->edges = v;
    if (lists == NULL)
        return false;
    memset(lists, 0xff, 2 * cap * sizeof *lists);
    free(o->from);
    o->from = lists;
    o->both = lists + cap;
    o->cap_edges = cap;
    for (uint32_t i = 0; i < o->nedges; i++)
        link_edge(o, i);
    return true;
}

static void
add_edge(struct order *o, const struct sched_g *g, struct who *w,
    const struct hold *from, const struct hold *to, const struct holds *held)
{
    rt_assert(from->id == w->id && to->id == w->id &&
        (from->lock != to->lock || from->shared == to->shared));
    struct edge e = {.from = *from, .to = *to,
        .who = (uint32_t)(w - o->whos), .time = w->time};
    struct edge *again;

    if (!add_gates(o, &e, g, held)) {
        drop_gates(o, &e);
        o->lost = true;
        return;
    }
    if (known(o, &e, &again)) {
        drop_gates(o, &e);
        if (again != NULL) {
            again->time = w->time;
            race_vec_set(&o->mem, &again->at, &w->seen);
        }
        return;
    }
    if (o->nedges == o->cap_edges && !grow_edges(o)) {
        drop_gates(o, &e);
        o->lost = true;
        return;
    }
    race_vec_set(&o->mem, &e.at, &w->seen);
    pin(o, from->lock);
    pin(o, to->lock);
    if (w->slot == NONE)
        w->slot = o->nslots++;
    rt_assert(o->nslots <= o->nwhos);
    o->edges[o->nedges] = e;
    link_edge(o, o->nedges++);
}

/* g, which holds some locks, wants one more that others know of, too. */
static void
add_edges(struct order *o, const struct sched_g *g, struct who *w,
    const struct holds *held, const struct hold *want)
{
    uint32_t i = HOLDS_NONE;

    while ((i = holds_of_g(held, g->id, i)) != HOLDS_NONE) {
        const struct hold *h = &held->v[i];

        if ((h->lock != want->lock || (h->shared && want->shared)) &&
            !vm_private_to(g, h->lock))
            add_edge(o, g, w, h, want, held);
    }
    if (want->writes)
        add_edge(o, g, w, want, want, held);
}

void
lockorder_point(struct order *o, struct sched_g *g, const struct holds *held,
    const struct hold *want)
{
    struct vm_sync ops[MAX_OPS];
    unsigned n = vm_sync_at(o->vm, g, ops, MAX_OPS);
    struct who *w = who_of(o, g);

    if (w == NULL) {
        o->lost = true;
        return;
    }
    rt_assert(w->id == g->id && w->nhears <= MAX_OPS && n <= MAX_OPS);
    for (unsigned i = 0; i < w->nhears; i++)
        hear_obj(o, w, w->hears[i]);
    w->nhears = 0;
    /* What only g knows of orders nothing, and its address may be that of
     * another object later. */
    if (want != NULL && vm_private_to(g, want->lock))
        want = NULL;
    if (want != NULL)
        add_edges(o, g, w, held, want);
    for (unsigned i = 0; i < n; i++) {
        enum vm_sync_op op = ops[i].op;

        if (op != VM_SYNC_SPAWN && vm_private_to(g, ops[i].obj))
            continue;
        if (op == VM_SYNC_SPAWN)
            tell_obj(o, w, spawns_of(g->id));
        if (op == VM_SYNC_TELL || op == VM_SYNC_NOTIFY || op == VM_SYNC_BOTH)
            tell_obj(o, w, ops[i].obj);
        if (op == VM_SYNC_HEAR || op == VM_SYNC_BOTH)
            w->hears[w->nhears++] = ops[i].obj;
    }
}

/* ---- circles ------------------------------------------------------------------------ */

struct circles {
    const struct order *o;
    FILE *out;
    uint32_t path[MAX_LENGTH]; /* edges */
    uint64_t seen[MAX_CIRCLES];
    uint32_t nseen, looks;
};

static bool
gated(const struct order *o, const struct edge *a, const struct edge *b)
{
    const struct gate *v = o->gates.v;

    for (uint32_t i = 0; i < a->ngates; i++)
        for (uint32_t k = 0; k < b->ngates; k++)
            if (v[a->gates + i].lock == v[b->gates + k].lock &&
                !(v[a->gates + i].shared && v[b->gates + k].shared))
                return true;
    return false;
}

/* Whether b knew of a. */
static bool
before(const struct order *o, const struct edge *a, const struct edge *b)
{
    rt_assert(o->whos[a->who].slot < o->nslots);
    return race_vec_at(&b->at, o->whos[a->who].slot) >= a->time;
}

static bool
together(const struct order *o, const struct edge *a, const struct edge *b)
{
    return a->who != b->who && !gated(o, a, b) && !before(o, a, b) &&
        !before(o, b, a);
}

/* a takes what b has. */
static bool
blocks(const struct edge *a, const struct edge *b)
{
    return a->to.lock == b->from.lock && !(a->to.shared && b->from.shared);
}

/* The same whichever edge is the first, and whoever runs it. */
static bool
is_new(struct circles *c, unsigned n)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < n; i++) {
        const struct edge *e = &c->o->edges[c->path[i]];
        uint64_t h = RT_HASH_K0;

        for (unsigned k = 0; k < e->from.npcs; k++)
            h = rt_hash_u64(e->from.pcs[k], h);
        for (unsigned k = 0; k < e->to.npcs; k++)
            h = rt_hash_u64(e->to.pcs[k], h);
        sum += h;
    }
    for (uint32_t i = 0; i < c->nseen; i++)
        if (c->seen[i] == sum)
            return false;
    c->seen[c->nseen++] = sum;
    return true;
}

static void
say_circle(const struct circles *c, unsigned n)
{
    const struct vm *vm = c->o->vm;

    fprintf(c->out, "==================\nWARNING: LOCK ORDER\n"
        "%u goroutines take %u locks in an order that can deadlock:\n", n, n);
    for (unsigned i = 0; i < n; i++) {
        const struct edge *e = &c->o->edges[c->path[i]];

        fprintf(c->out, "\nGoroutine %" PRIu64 " holds lock %u%s, taken at\n",
            e->from.id, i + 1, e->from.shared ? " for reading" : "");
        locks_say_stack(vm, e->from.pcs, e->from.npcs, "    ", c->out);
        fprintf(c->out, "and takes lock %u%s, which goroutine %" PRIu64
            " holds, at\n", (i + 1) % n + 1,
            e->to.shared ? " for reading" : "",
            c->o->edges[c->path[(i + 1) % n]].from.id);
        locks_say_stack(vm, e->to.pcs, e->to.npcs, "    ", c->out);
    }
    fprintf(c->out, "==================\n");
}

static bool
is_loop(const struct edge *e)
{
    return e->from.lock == e->to.lock;
}

/* e reads twice, w writes in between. */
static void
say_twice(const struct circles *c, const struct edge *e, const struct edge *w)
{
    const struct vm *vm = c->o->vm;

    fprintf(c->out, "==================\nWARNING: LOCK ORDER\n"
        "2 goroutines take a lock in an order that can deadlock:\n");
    fprintf(c->out, "\nGoroutine %" PRIu64 " holds it for reading, taken at\n",
        e->from.id);
    locks_say_stack(vm, e->from.pcs, e->from.npcs, "    ", c->out);
    fprintf(c->out, "and takes it for reading once more, behind whoever waits "
        "to write, at\n");
    locks_say_stack(vm, e->to.pcs, e->to.npcs, "    ", c->out);
    fprintf(c->out, "\nGoroutine %" PRIu64 " takes it for writing at\n",
        w->to.id);
    locks_say_stack(vm, w->to.pcs, w->to.npcs, "    ", c->out);
    fprintf(c->out, "==================\n");
}

/* Those who may write between the two times that the edge reads. */
static void
writers(struct circles *c, const struct edge *e)
{
    const struct order *o = c->o;

    rt_assert(is_loop(e) && e->to.shared);
    for (uint32_t i = *from_list(o, e->from.lock);
        i != NONE && c->nseen < MAX_CIRCLES; i = o->edges[i].next) {
        const struct edge *w = &o->edges[i];

        if (w->from.lock != e->from.lock || !is_loop(w) || w->to.shared ||
            !together(o, e, w))
            continue;
        c->path[1] = i;
        if (is_new(c, 2))
            say_twice(c, e, w);
    }
}

/* Circles that begin with path[0], which is their edge of the lowest number,
 * and go on behind the n edges of the path. */
static void
extend(struct circles *c, unsigned n)
{
    rt_assert(n > 0 && n <= MAX_LENGTH);
    const struct order *o = c->o;
    const struct edge *last = &o->edges[c->path[n - 1]];

    if (n > 1 && blocks(last, &o->edges[c->path[0]])) {
        if (is_new(c, n))
            say_circle(c, n);
        return;
    }
    for (uint32_t i = *from_list(o, last->to.lock);
        n < MAX_LENGTH && i != NONE && c->nseen < MAX_CIRCLES &&
        c->looks++ < MAX_LOOKS;
        i = o->edges[i].next) {
        bool fits = i > c->path[0] && blocks(last, &o->edges[i]) &&
            !is_loop(&o->edges[i]);

        for (unsigned k = 0; fits && k < n; k++)
            fits = together(o, &o->edges[c->path[k]], &o->edges[i]);
        if (!fits)
            continue;
        c->path[n] = i;
        extend(c, n + 1);
    }
}

uint32_t
lockorder_say(const struct order *o, FILE *out)
{
    struct circles c = {.o = o, .out = out};

    for (uint32_t i = 0; i < o->nedges && c.nseen < MAX_CIRCLES; i++) {
        const struct edge *e = &o->edges[i];

        c.path[0] = i;
        if (!is_loop(e))
            extend(&c, 1);
        else if (e->to.shared)
            writers(&c, e);
    }
    if (o->lost)
        fprintf(out, "lock order: memory was lacking: not all is known\n");
    return c.nseen;
}

/* ---- life ---------------------------------------------------------------------------- */

struct order *
lockorder_new(struct vm *vm)
{
    struct order *o = calloc(1, sizeof *o);

    if (o == NULL)
        return NULL;
    o->vm = vm;
    race_mem_init(&o->mem, &o->os);
    return o;
}

void
lockorder_free(struct order *o)
{
    if (o == NULL)
        return;
    for (struct pins *p = aptr_load_rlx(&o->pins), *next; p != NULL;
        p = next) {
        next = p->next;
        free(p);
    }
    free(o->whos);
    free(o->index);
    free(o->objs);
    free(o->edges);
    rt_vec_free(&o->gates);
    free(o->from);
    race_mem_fini(&o->mem); /* all vectors */
    free(o);
}
