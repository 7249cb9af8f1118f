/* SPDX-License-Identifier: MIT */
#include "runtime/host/locks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/throw.h"

enum { FRAMES = 32 };

/* ---- places -------------------------------------------------------------------- */

/* Of a goroutine that runs nothing of the program's own, as `go mu.Lock()` and
 * `go time.Sleep(d)` do, of which the second has no frame at all: the name of what
 * it runs and the line of the go statement, unless the library has made it and is
 * known by p. */
static struct lock_place
place_made(const struct vm *vm, const struct sched_g *g, struct lock_place p)
{
    struct vm_frame at, entry;

    if (!vm_symbolize(vm, g->created_at, &at) ||
        ((at.func->flags & CODE_F_LIB) != 0 && p.line != 0))
        return p;
    if (vm_symbolize(vm, g->entry, &entry))
        p.func = entry.func->name;
    p.file = at.file;
    p.line = at.line;
    return p;
}

struct lock_place
locks_place_of(const struct vm *vm, const struct sched_g *g)
{
    vpc pcs[FRAMES];
    unsigned n = g->native != NULL ? 0 : vm_walk(vm, g, 0, pcs, FRAMES);
    struct lock_place p = {"?", "?", 0};

    for (unsigned i = 0; i < n; i++) {
        struct vm_frame f;

        if (!vm_symbolize(vm, pcs[i], &f))
            continue;
        p = (struct lock_place){f.func->name, f.file, f.line};
        if ((f.func->flags & CODE_F_LIB) == 0)
            return p;
    }
    return g->native == NULL && g->created_at != 0 ? place_made(vm, g, p) : p;
}

void
locks_place_say(FILE *out, const struct lock_place *p)
{
    const char *slash = strrchr(p->file, '/');

    fprintf(out, "%s:%" PRIu32, slash != NULL ? slash + 1 : p->file, p->line);
}

void
locks_say_stack(const struct vm *vm, const vpc *pcs, unsigned n,
    const char *before, FILE *out)
{
    for (unsigned i = 0; i < n; i++) {
        struct vm_frame f;

        if (!vm_symbolize(vm, pcs[i], &f))
            continue;
        fprintf(out, "%s%s(...)\n%s\t%s:%" PRIu32 " +0x%x\n", before,
            f.func->name, before, f.file, f.line, (unsigned)f.off);
    }
}

/* ---- locks ----------------------------------------------------------------------- */

static struct hold *
add(struct locks *l, struct holds *h, const struct hold *x)
{
    struct hold *at = holds_add(h, x);

    l->lost = l->lost || at == NULL;
    return at;
}

/* The hold of a lock by a goroutine, the last if it has several. */
static uint32_t
hold_of(const struct holds *h, const void *lock, vgoid id)
{
    uint32_t at = HOLDS_NONE, i = HOLDS_NONE;

    while ((i = holds_of_g(h, id, i)) != HOLDS_NONE)
        if (h->v[i].lock == lock)
            at = i;
    return at;
}

/* g gives the lock back that it has for itself; if it does not, whoever has: a
 * Mutex may be unlocked by another than has locked it. */
static void
unlocked(struct locks *l, const void *lock, vgoid id)
{
    struct holds *h = &l->held;
    uint32_t at = hold_of(h, lock, id);

    if (at == HOLDS_NONE) {
        at = holds_of_lock(h, lock, at);
        while (at != HOLDS_NONE && h->v[at].shared)
            at = holds_of_lock(h, lock, at);
    }
    if (at != HOLDS_NONE)
        holds_remove(h, at);
}

/* The first hold of those who read with the lock. */
static uint32_t
reader_of(const struct holds *h, const void *lock)
{
    uint32_t i = HOLDS_NONE;

    do
        i = holds_of_lock(h, lock, i);
    while (i != HOLDS_NONE && !h->v[i].shared);
    return i;
}

static bool
has_readers_beside(const struct holds *h, const void *lock, vgoid id)
{
    uint32_t i = HOLDS_NONE;

    while ((i = holds_of_lock(h, lock, i)) != HOLDS_NONE)
        if (h->v[i].shared && h->v[i].id != id)
            return true;
    return false;
}

/* The same for one who reads.  If another's hold is given back, and several
 * goroutines have one, nobody knows whose it is: then none of them is said to
 * hold the lock any more, as that would not be true of one. */
static void
unlocked_shared(struct locks *l, const void *lock, vgoid id)
{
    struct holds *h = &l->held;
    uint32_t at = hold_of(h, lock, id);
    bool known = at != HOLDS_NONE;

    if (!known)
        at = reader_of(h, lock);
    if (at == HOLDS_NONE)
        return; /* by TryRLock */
    known = known || !has_readers_beside(h, lock, h->v[at].id);
    holds_remove(h, at);
    while (!known && (at = reader_of(h, lock)) != HOLDS_NONE)
        holds_remove(h, at);
}

/* g has gone on: what it wanted it has got. */
static void
got(struct locks *l, vgoid id)
{
    struct holds *w = &l->wanted;
    uint32_t i;

    while ((i = holds_of_g(w, id, HOLDS_NONE)) != HOLDS_NONE) {
        add(l, &l->held, &w->v[i]);
        holds_remove(w, i);
    }
}

/* Whether g has asked for the RWMutex already when it was at the Mutex that this
 * begins with, so that both have the same address: it has not got it yet. */
static bool
is_asked_for(const struct locks *l, const struct sched_g *g, const void *lock)
{
    uint32_t i = hold_of(&l->wanted, lock, g->id);

    return i != HOLDS_NONE && !l->wanted.v[i].shared;
}

/* The stack of what g wants, from whoever has called package sync on; and
 * whether a function of that which stands for an RWMutex is among those that
 * are left out. */
static void
callers_of_sync(const struct vm *vm, const struct sched_g *g, struct hold *x)
{
    enum { SYNC_FRAMES = 3 };
    vpc all[HOLD_STACK + SYNC_FRAMES];
    unsigned n = vm_walk(vm, g, 0, all, HOLD_STACK + SYNC_FRAMES), skip = 0;
    struct vm_frame f;

    for (; skip < n && skip < SYNC_FRAMES && vm_symbolize(vm, all[skip], &f) &&
        strncmp(f.func->name, "sync.", 5) == 0; skip++)
        x->writes = x->writes || vm_sync_of(vm, all[skip]) == VM_LOCK_RW;
    rt_assert(skip <= n);
    n -= skip;
    if (n > HOLD_STACK)
        n = HOLD_STACK;
    memcpy(x->pcs, all + skip, n * sizeof *x->pcs);
    x->npcs = n;
}

const struct hold *
locks_point(struct locks *l, struct sched_g *g)
{
    struct vm_sync op;

    rt_assert_full(holds_valid(&l->held) && holds_valid(&l->wanted));
    bool at_lock = vm_sync_at(l->vm, g, &op, 1) != 0;
    if (at_lock && op.op == VM_LOCK_RW && is_asked_for(l, g, op.obj))
        return NULL;
    got(l, g->id);
    if (!at_lock)
        return NULL;
    if (op.op == VM_UNLOCK)
        unlocked(l, op.obj, g->id);
    if (op.op == VM_UNLOCK_SHARED)
        unlocked_shared(l, op.obj, g->id);
    if (op.op != VM_LOCK && op.op != VM_LOCK_RW && op.op != VM_LOCK_SHARED)
        return NULL;
    struct hold x = {.lock = op.obj, .id = g->id,
        .shared = op.op == VM_LOCK_SHARED, .at = locks_place_of(l->vm, g)};
    callers_of_sync(l->vm, g, &x);
    return add(l, &l->wanted, &x);
}

void
locks_begin(struct locks *l, struct vm *vm)
{
    rt_assert(vm != NULL);
    l->vm = vm;
    holds_clear(&l->held);
    holds_clear(&l->wanted);
    l->lost = false;
}

void
locks_fini(struct locks *l)
{
    holds_free(&l->held);
    holds_free(&l->wanted);
}

/* ---- telling ----------------------------------------------------------------------- */

/* Who keeps a goroutine from the lock that it wants. */
struct kept {
    vgoid by;                /* 0: nobody is known */
    const struct hold *want; /* NULL: it wants none */
    const struct hold *has;  /* what `by` holds */
    bool in_line; /* or has asked for before, for writing: readers that come
                     later let it pass */
};

/* What somebody holds of a lock, g itself if it does, for itself if `alone`. */
static uint32_t
holder_of(const struct holds *h, const void *lock, vgoid id, bool alone)
{
    uint32_t i = hold_of(h, lock, id);

    if (i != HOLDS_NONE && !(alone && h->v[i].shared))
        return i;
    i = holds_of_lock(h, lock, HOLDS_NONE);
    while (i != HOLDS_NONE && alone && h->v[i].shared)
        i = holds_of_lock(h, lock, i);
    return i;
}

static struct kept
keeper(const struct locks *l, vgoid id)
{
    struct kept k = {0, NULL, NULL, false};
    uint32_t i = holds_of_g(&l->wanted, id, HOLDS_NONE);

    if (i == HOLDS_NONE)
        return k;
    k.want = &l->wanted.v[i];
    i = holder_of(&l->held, k.want->lock, id, k.want->shared);
    if (i != HOLDS_NONE) {
        k.has = &l->held.v[i];
    } else if (k.want->shared) {
        i = holder_of(&l->wanted, k.want->lock, id, true);
        k.in_line = i != HOLDS_NONE;
        k.has = k.in_line ? &l->wanted.v[i] : NULL;
    }
    k.by = k.has != NULL ? k.has->id : 0;
    return k;
}

/* The goroutines that wait for each other in a circle, from id on. */
static void
say_cycle(const struct locks *l, vgoid id, FILE *out)
{
    vgoid at = id, least = id;
    uint32_t n = 0;

    do {
        at = keeper(l, at).by;
        least = at < least ? at : least;
    } while (at != 0 && at != id && n++ <= l->wanted.n);
    if (at != id || least != id)
        return; /* none, or told from another on */
    fprintf(out, "    a circle: goroutine %" PRIu64, id);
    do {
        at = keeper(l, at).by;
        fprintf(out, " -> %" PRIu64, at);
    } while (at != id);
    fprintf(out, "\n");
}

struct telling {
    const struct locks *l;
    FILE *out;
    bool lost;   /* only of those that can never go on */
    bool stacks;
    uint32_t n;  /* goroutines told of */
};

static void
say_held(const struct telling *t, vgoid id)
{
    const struct holds *h = &t->l->held;
    uint32_t i = HOLDS_NONE;

    while ((i = holds_of_g(h, id, i)) != HOLDS_NONE) {
        fprintf(t->out, "        it holds a lock%s since ",
            h->v[i].shared ? " for reading" : "");
        locks_place_say(t->out, &h->v[i].at);
        fprintf(t->out, "\n");
        if (t->stacks)
            locks_say_stack(t->l->vm, h->v[i].pcs, h->v[i].npcs,
                "            ", t->out);
    }
}

static void
say_waiting(void *arg, struct sched_g *g)
{
    struct telling *t = arg;
    struct lock_place p;

    if (g->native != NULL || sched_g_is_system(g) ||
        sched_g_state(g) != G_WAITING || (t->lost && !g->leaked))
        return;
    if (t->n++ == 0)
        fprintf(t->out, "\nwho waits for whom:\n");
    p = locks_place_of(t->l->vm, g);
    fprintf(t->out, "    goroutine %" PRIu64 " waits at ", g->id);
    locks_place_say(t->out, &p);
    fprintf(t->out, " (%s)",
        sched_wait_text((enum sched_wait)g->wait_reason));
    struct kept k = keeper(t->l, g->id);
    if (k.by != 0) {
        if (k.by == g->id)
            fprintf(t->out, " for a lock that it took itself at ");
        else
            fprintf(t->out, " for a lock that goroutine %" PRIu64 " %s at ",
                k.by, k.in_line ? "has asked for before, for writing,"
                                : "took");
        locks_place_say(t->out, &k.has->at);
    }
    fprintf(t->out, "\n");
    if (t->stacks) {
        vpc pcs[FRAMES];

        locks_say_stack(t->l->vm, pcs, vm_walk(t->l->vm, g, 0, pcs, FRAMES),
            "        ", t->out);
    }
    say_held(t, g->id);
    say_cycle(t->l, g->id, t->out);
}

/* Those that have gone on since they wanted a lock have it. */
static void
settle(void *arg, struct sched_g *g)
{
    struct locks *l = arg;

    if (!sched_g_waits_for_lock(g))
        got(l, g->id);
}

static void
say_all(struct locks *l, struct sched *s, bool lost, bool stacks, FILE *out)
{
    struct telling t = {l, out, lost, stacks, 0};

    sched_for_each_g(s, settle, l);
    sched_for_each_g(s, say_waiting, &t);
}

void
locks_say(struct locks *l, struct sched *s, FILE *out)
{
    say_all(l, s, sched_ends_for_lost(s), false, out);
}

static void
count(void *arg, struct sched_g *g)
{
    uint32_t *n = arg;

    *n += g->leaked && sched_g_waits_for_lock(g);
}

uint32_t
locks_say_lost(struct locks *l, struct sched *s, bool all, FILE *out)
{
    uint32_t n = 0;

    sched_for_each_g(s, count, &n);
    if (n > 0)
        fprintf(out, "deadlock: %" PRIu32 " goroutine%s wait%s for locks that "
            "nobody can ever give back\n", n, n == 1 ? "" : "s",
            n == 1 ? "s" : "");
    if (n > 0 || all)
        say_all(l, s, true, true, out);
    return n;
}

/* ---- as a graph -------------------------------------------------------------------- */

struct drawing {
    const struct locks *l;
    FILE *out;
    enum locks_format how;
    uint32_t n; /* goroutines so far */
};

/* A string of JSON, which is one of Graphviz, too: names and paths. */
static void
quoted(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != 0; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', out);
        if ((unsigned char)*text < ' ')
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            putc(*text, out);
    }
    putc('"', out);
}

static void
json_frames(const struct vm *vm, const vpc *pcs, unsigned n, FILE *out)
{
    bool first = true;

    fprintf(out, "[");
    for (unsigned i = 0; i < n; i++) {
        struct vm_frame f;

        if (!vm_symbolize(vm, pcs[i], &f))
            continue;
        fprintf(out, "%s{\"func\": ", first ? "" : ", ");
        quoted(out, f.func->name);
        fprintf(out, ", \"file\": ");
        quoted(out, f.file);
        fprintf(out, ", \"line\": %" PRIu32 "}", f.line);
        first = false;
    }
    fprintf(out, "]");
}

static void
json_hold(const struct drawing *d, const struct hold *h)
{
    fprintf(d->out, "{\"lock\": \"%p\", \"shared\": %s, \"taken\": ",
        h->lock, h->shared ? "true" : "false");
    json_frames(d->l->vm, h->pcs, h->npcs, d->out);
    fprintf(d->out, "}");
}

static void
draw_json(struct drawing *d, const struct sched_g *g)
{
    struct kept k = keeper(d->l, g->id);
    vpc pcs[FRAMES];
    bool first = true;

    fprintf(d->out, "%s\n  {\"id\": %" PRIu64 ", \"waits\": ",
        d->n > 0 ? "," : "", g->id);
    quoted(d->out, sched_wait_text((enum sched_wait)g->wait_reason));
    fprintf(d->out, ", \"stack\": ");
    json_frames(
        d->l->vm, pcs, vm_walk(d->l->vm, g, 0, pcs, FRAMES), d->out);
    if (k.want != NULL)
        fprintf(d->out, ", \"wants\": \"%p\"", k.want->lock);
    if (k.by != 0)
        fprintf(d->out, ", \"%s\": %" PRIu64,
            k.in_line ? "behind" : "holder", k.by);
    fprintf(d->out, ", \"holds\": [");
    for (uint32_t i = HOLDS_NONE;
        (i = holds_of_g(&d->l->held, g->id, i)) != HOLDS_NONE;) {
        fprintf(d->out, "%s", first ? "" : ", ");
        json_hold(d, &d->l->held.v[i]);
        first = false;
    }
    fprintf(d->out, "]}");
}

static void
draw_dot(struct drawing *d, const struct sched_g *g)
{
    struct kept k = keeper(d->l, g->id);
    struct lock_place at = locks_place_of(d->l->vm, g);

    fprintf(d->out, "  g%" PRIu64 " [label=\"goroutine %" PRIu64 "\\n%s\\n",
        g->id, g->id, sched_wait_text((enum sched_wait)g->wait_reason));
    locks_place_say(d->out, &at);
    fprintf(d->out, "\"];\n");
    if (k.by == 0)
        return;
    fprintf(d->out, "  g%" PRIu64 " -> g%" PRIu64 " [label=\"%s at ",
        g->id, k.by, k.in_line ? "wanted" : "taken");
    locks_place_say(d->out, &k.has->at);
    fprintf(d->out, "\"];\n");
}

static void
draw(void *arg, struct sched_g *g)
{
    struct drawing *d = arg;

    if (g->native != NULL || sched_g_is_system(g) ||
        sched_g_state(g) != G_WAITING || !g->leaked)
        return;
    if (d->how == LOCKS_JSON)
        draw_json(d, g);
    else
        draw_dot(d, g);
    d->n++;
}

bool
locks_graph(
    struct locks *l, struct sched *s, enum locks_format how, FILE *out)
{
    struct drawing d = {l, out, how, 0};

    rt_assert(how == LOCKS_DOT || how == LOCKS_JSON);
    sched_for_each_g(s, settle, l);
    fprintf(out, "%s", how == LOCKS_JSON ? "{\"goroutines\": ["
                                         : "digraph deadlock {\n");
    sched_for_each_g(s, draw, &d);
    fprintf(out, "%s", how == LOCKS_JSON ? "\n]}\n" : "}\n");
    return ferror(out) == 0;
}
